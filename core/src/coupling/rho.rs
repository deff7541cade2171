//! How strong the coupling of each observation must be.
//!
//! The Hessian of log p(w | xi) is concave in w if, observation by observation, rho_i x_i x_i'
//! outweighs what the log likelihood adds to it.
//!
//! *One neuron*, tilt alpha r_i psi(u_i), u_i = x_i.w: the Hessian is alpha r_i psi''(u_i) x_i x_i',
//! so rho_i = alpha (max(r_i, 0) sup psi'' + max(-r_i, 0) sup(-psi'')) suffices (one-sided), and
//! alpha |r_i| sup |psi''| all the more (two-sided, \[MB\]).
//!
//! *One neuron with the square kept*, a_i psi - (kappa/2) psi^2, a_i = alpha r_i (\[B\]): the Hessian is
//! ((a_i - kappa psi) psi'' - kappa psi'^2) x_i x_i', so rho_i bounds e psi'' for e between a_i - kappa
//! sup psi and a_i - kappa inf psi: max(sup e sup psi'', sup(-e) sup(-psi'')), or two-sided
//! (|a_i| + kappa sup |psi|) sup |psi''|.
//!
//! *M neurons*, f_i = (V/M) sum_m s_m psi(u_im), log likelihood -(beta/2) (y_i - f_i)^2. Its Hessian
//! in (u_i1, ..., u_iM) is diagonal plus rank one:
//! beta (V/M) s_m (y_i - f_i) psi''(u_im) on the diagonal, and -beta (V/M)^2 v v' with
//! v_m = s_m psi'(u_im), which is negative semidefinite as it stands and needs no help. The residual
//! e = y_i - f_i is reached between y_i - sup f and y_i - inf f, whatever the other neurons do, so
//! for s_m = +1 the diagonal is at most beta (V/M) max(sup e sup psi'', sup(-e) sup(-psi'')), each
//! factor clamped at 0, and for s_m = -1 with sup e and sup(-e) exchanged: not their sum, for e has
//! one sign at a time. Two-sided: beta (V/M) sup |psi''| (|y_i| + V sup |psi|).
//!
//! Suprema are over |u| <= reach, the largest |x_i.w| on the prior's support
//! ([`Prior::reach`](crate::prior::Prior::reach)). They are correct to rounding, so concavity holds
//! up to a few units in the last place of rho.

use crate::activation::{Activation, Bounds};
use crate::data::Inputs;
use crate::error::{errors, refuse};
use crate::likelihood::Signs;
use crate::plain::codes;
use crate::prior::Prior;
use crate::scalar::Real;

codes! {
    /// Whether rho uses the sign of the residual.
    pub enum Sides: Coupling {
        /// sup psi'' or sup(-psi''), as the residual's sign asks. Never larger.
        OneSided = 0 "one-sided",
        /// sup |psi''| for every residual: as printed in \[MB\] and \[B\].
        TwoSided = 1 "two-sided",
    }
}

errors! {
    /// Why there is no rho.
    pub enum RhoError {
        Shape = "rho does not have one value for each row and class",
        Scale = "the coupling's scales must be finite and beta and the outer scale positive",
        /// A Gaussian prior and an activation without bound, where the joint residual is unbounded on the side that
        /// matters.
        Unbounded = "the residual has no bound under this prior: no coupling",
        NotUnit = "this rho needs |psi| <= 1 and |psi''| <= 1 on the prior's support",
        Kink = "the activation has a kink: its curvature has no bound, and there is no coupling",
        Signed = "a neuron whose sign is summed out has no coupling",
    }
}

/// What is known of an activation where x_i.w can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<T> {
    /// Curvatures, slope and size.
    pub bounds: Bounds<T>,
    /// inf psi, or -infinity.
    pub low: T,
    /// sup psi, or infinity.
    pub high: T,
}

impl<T: Real> Range<T> {
    /// Over |z| <= reach (infinite for the whole line).
    pub fn of(activation: Activation, reach: T) -> Self {
        let bounds = activation.bounds_within(reach);
        let value = bounds.value;
        let (low, high) = match activation {
            // Odd, or (GELU, SiLU) largest in size at the upper end.
            Activation::Tanh | Activation::Erf | Activation::Arctan | Activation::Sine => {
                (-value, value)
            }
            Activation::Logistic | Activation::Softplus if reach.is_finite() => {
                let [low, _, _] = activation.jet(-reach);
                (low, value)
            }
            Activation::Logistic
            | Activation::Softplus
            | Activation::SquaredRelu
            | Activation::Relu => (T::ZERO, value),
            Activation::GaussianBump if reach.is_finite() => {
                let [low, _, _] = activation.jet(reach);
                (low, value)
            }
            Activation::GaussianBump => (T::ZERO, value),
            // Their minima over the line, rounded down.
            Activation::Gelu => (T::lit(-0.169_972).max(-value), value),
            Activation::Silu => (T::lit(-0.278_465).max(-value), value),
        };
        Self { bounds, low, high }
    }

    /// Row i of the inputs under a prior: over |z| <= reach of max_j |x_ij|. One pass over the row.
    pub fn reachable(
        activation: Activation,
        prior: Prior<T>,
        inputs: Inputs<'_, T>,
    ) -> impl Fn(usize) -> Self {
        move |i| {
            let mut max = T::ZERO;
            for j in 0..inputs.d() {
                max = max.max(inputs.at(i, j).abs());
            }
            Self::of(activation, prior.reach(max))
        }
    }
}

/// max(a, 0) b where either may be infinite, 0 times infinity being 0; b clamped at 0 too.
fn part<T: Real>(a: T, b: T) -> T {
    if a > T::ZERO && b > T::ZERO { a * b } else { T::ZERO }
}

/// A rho that is a number, or why it is none.
fn finite<T: Real>(rho: T, range: &Range<T>) -> Result<T, RhoError> {
    match (rho.is_finite(), range.bounds.curvature().is_finite()) {
        (true, _) => Ok(rho),
        (false, true) => Err(RhoError::Unbounded),
        (false, false) => Err(RhoError::Kink),
    }
}

/// rho of the Greedy Bayes posterior, one for each of the n residuals. `range(i)` is that of row i
/// ([`Range::reachable`], or a constant). `alpha` may be negative, for a neuron that enters with a
/// minus sign.
pub fn greedy<T: Real>(
    sides: Sides,
    alpha: T,
    residuals: &[T],
    range: impl Fn(usize) -> Range<T>,
    rho: &mut [T],
) -> Result<(), RhoError> {
    greedy_quadratic(sides, alpha, T::ZERO, residuals, range, rho)
}

/// rho of the Greedy Bayes posterior with its square, alpha r_i psi - (quadratic/2) psi^2: as for
/// [`greedy`], `quadratic` >= 0. Unbounded where psi is, on the side that matters.
pub fn greedy_quadratic<T: Real>(
    sides: Sides,
    alpha: T,
    quadratic: T,
    residuals: &[T],
    range: impl Fn(usize) -> Range<T>,
    rho: &mut [T],
) -> Result<(), RhoError> {
    let rho = rho.get_mut(..residuals.len()).ok_or(RhoError::Shape)?;
    refuse(!(quadratic >= T::ZERO && quadratic.is_finite()), RhoError::Scale)?;
    let square = |psi: T| if quadratic > T::ZERO { quadratic * psi } else { T::ZERO };
    for (i, (rho, r)) in rho.iter_mut().zip(residuals).enumerate() {
        let (range, a) = (range(i), alpha * *r);
        refuse(!a.is_finite(), RhoError::Scale)?;
        let bounds = &range.bounds;
        let most = match sides {
            Sides::TwoSided => part(a.abs() + square(bounds.value), bounds.curvature()),
            Sides::OneSided => {
                let (up, down) = (a - square(range.low), square(range.high) - a);
                part(up, bounds.plus).max(part(down, bounds.minus))
            }
        };
        *rho = finite(most, &range)?;
    }
    Ok(())
}

/// The joint posterior's scales: -(beta/2) sum_i (y_i - (V/M) sum_m s_m psi(x_i.w_m))^2. One neuron
/// with V = lambda and s = 1 is the greedy posterior with its quadratic term kept (\[B\]).
#[derive(Clone, Copy, Debug)]
pub struct JointScale<T> {
    /// beta > 0.
    pub beta: T,
    /// V > 0.
    pub outer: T,
    /// M >= 1.
    pub neurons: usize,
    /// s_m.
    pub signs: Signs,
}

impl<T: Real> JointScale<T> {
    /// beta V / M.
    fn factor(&self) -> Result<T, RhoError> {
        let factor = self.beta * self.outer / T::of_usize(self.neurons);
        let positive = |x: T| x > T::ZERO && x.is_finite();
        // M = 0 makes the factor infinite.
        if positive(self.beta) && positive(self.outer) && positive(factor) {
            Ok(factor)
        } else {
            Err(RhoError::Scale)
        }
    }

    /// Neurons with s_m = +1 and with s_m = -1.
    fn counts(&self) -> (usize, usize) {
        let negative = match self.signs {
            Signs::Alternating => self.neurons / 2,
            Signs::Positive => 0,
        };
        (self.neurons.saturating_sub(negative), negative)
    }

    /// Classes of neurons that [`joint`] tells apart: 2 (one-sided, both signs present) or 1.
    pub fn classes(&self, sides: Sides) -> usize {
        let (_, negative) = self.counts();
        if sides == Sides::OneSided && negative > 0 { 2 } else { 1 }
    }
}

/// rho of the joint posterior, for each of n targets and each of the [`JointScale::classes`]: n
/// values, or those of the neurons with s_m = +1 and then those with s_m = -1. `rho` holds exactly
/// that many. `range(i)` as for [`greedy`].
pub fn joint<T: Real>(
    sides: Sides,
    scale: &JointScale<T>,
    y: &[T],
    range: impl Fn(usize) -> Range<T>,
    rho: &mut [T],
) -> Result<(), RhoError> {
    let factor = scale.factor()?;
    refuse(y.len().checked_mul(scale.classes(sides)) != Some(rho.len()), RhoError::Shape)?;
    let (plus, minus) = rho.split_at_mut_checked(y.len()).ok_or(RhoError::Shape)?;
    let mut minus = minus.iter_mut();
    for (i, (rho, y)) in plus.iter_mut().zip(y).enumerate() {
        let range = range(i);
        let bounds = &range.bounds;
        match sides {
            Sides::TwoSided => {
                let largest = y.abs() + scale.outer * bounds.value;
                *rho = finite(factor * part(largest, bounds.curvature()), &range)?;
            }
            Sides::OneSided => {
                let (up, down) = residual_range(scale, *y, &range);
                let of = |up: T, down: T| {
                    let most = part(up, bounds.plus).max(part(down, bounds.minus));
                    finite(factor * most, &range)
                };
                *rho = of(up, down)?;
                if let Some(rho) = minus.next() {
                    *rho = of(down, up)?;
                }
            }
        }
    }
    Ok(())
}

/// rho of the hidden layer right below the last one of a network with fixed outer weights, given that
/// one: for each of n targets, and the same for each of its units k.
///
/// f = sum_m c_m psi(z_m), sum_m |c_m| = V, z_m = sum_k w_mk psi(u_k), sum_k |w_mk| <= R. By u its Hessian is
/// sum_m c_m (psi''(z_m) v_m v_m' + psi'(z_m) diag(w_mk psi''(u_k))), v_mk = w_mk psi'(u_k), where |v_m| <=
/// |v_m|_1 <= R sup |psi'|. So
///
/// rho_i = beta V (|y_i| + V sup |psi|) (R^2 c2(z) c1(u)^2 + R c1(z) c2(u))
///
/// bounds the log likelihood's second derivative along any direction of u (the square of f's gradient only
/// helps), c1 = sup |psi'| and c2 = sup |psi''| over what u_i and z_i can reach: at most beta V (|y_i| + V)
/// c2 (c1^2 + c1) where R = 1 and |psi| <= 1.
///
/// `reach(i)` is the largest |u_i|; z reaches R sup |psi| over that.
pub fn below<T: Real>(
    (beta, outer): (T, T),
    activation: Activation,
    radius: T,
    y: &[T],
    reach: impl Fn(usize) -> T,
    rho: &mut [T],
) -> Result<(), RhoError> {
    let rho = rho.get_mut(..y.len()).ok_or(RhoError::Shape)?;
    let positive = |x: T| x > T::ZERO && x.is_finite();
    let scales = positive(beta) && positive(outer) && positive(radius);
    refuse(!scales, RhoError::Scale)?;
    for (i, (rho, y)) in rho.iter_mut().zip(y).enumerate() {
        let u = activation.bounds_within(reach(i));
        let range = Range::of(activation, radius * u.value);
        let z = &range.bounds;
        let slope = radius * u.slope;
        let bend = z.curvature() * (slope * slope) + z.slope * (radius * u.curvature());
        *rho = finite(beta * outer * ((y.abs() + outer * z.value) * bend), &range)?;
    }
    Ok(())
}

/// (sup e, sup(-e)) of e = y - (V/M) sum_m s_m psi_m, each psi_m anywhere in its range.
fn residual_range<T: Real>(scale: &JointScale<T>, y: T, range: &Range<T>) -> (T, T) {
    let (positive, negative) = scale.counts();
    let (outer, neurons) = (scale.outer, T::of_usize(scale.neurons));
    // No neurons of a sign: their part is 0, even of an infinite range.
    let share = |count: usize, x: T| {
        if count == 0 { T::ZERO } else { outer * (T::of_usize(count) / neurons) * x }
    };
    let low = share(positive, range.low) - share(negative, range.high);
    let high = share(positive, range.high) - share(negative, range.low);
    (y - low, high - y)
}

/// The one rho of \[B\] for every observation and neuron: beta c V / M, c = max_i |y_i| + V, given
/// |psi| <= 1 and |psi''| <= 1.
pub fn joint_constant<T: Real>(
    scale: &JointScale<T>,
    y: &[T],
    bounds: &Bounds<T>,
) -> Result<T, RhoError> {
    let factor = scale.factor()?;
    refuse(!(bounds.value <= T::ONE && bounds.curvature() <= T::ONE), RhoError::NotUnit)?;
    let largest = y.iter().fold(T::ZERO, |max, y| max.max(y.abs()));
    let rho = factor * (largest + scale.outer);
    if rho.is_finite() { Ok(rho) } else { Err(RhoError::Scale) }
}
