//! Priors of a weight vector w in R^d, as maps from N(0, I).
//!
//! Gaussian: w = sd g, g in R^d. Uniform on the solid l1 ball, d = 1 (an interval):
//! w = R erf(g / sqrt 2), g in R. Uniform on the ball, d > 1: a copula lift, g in R^{d+1},
//! L_j = sign(g_j) (-log erfc(|g_j| / sqrt 2)) (standard Laplace) and
//! w = R L_{1..d} / (|L_1| + ... + |L_{d+1}|). (|w_1|, ..., |w_d|, R - |w|_1) / R is then a ratio of
//! independent exponentials to their sum, Dirichlet(1, ..., 1), with independent signs: the uniform
//! law on the ball. (For d = 1 too, but there chains crossed w = 0 through the kink at g = 0 only:
//! a half-line of posterior probability .009 was misjudged by 19 standard errors.)
//!
//! A block holds M >= 1 vectors one after another, each with latent coordinates of its own.
//!
//! ```
//! use lcc_core::prior::{Prior, PriorError};
//! use lcc_core::simd::Portable;
//!
//! // The l1 ball of the plane has the area 2 R^2; outside it there is nothing.
//! let ball = Prior::l1_ball(3.0_f64)?;
//! let [inside, outside] = ball.log_density(Portable, 2, &[[1.0, 2.0], [-1.5, -2.0]]);
//! assert!((inside + 18.0_f64.ln()).abs() < 1e-14);
//! assert_eq!(outside, -f64::INFINITY);
//! assert_eq!(Prior::gaussian(-1.0_f64), Err(PriorError::Sd));
//! # Ok::<(), PriorError>(())
//! ```

use crate::dispatch::dispatched;
use crate::error::errors;
use crate::pieces::{pieces, pieces_mut};
use crate::plain::codes;
use crate::random::{Stream, normals, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::special;
use crate::special::scalar::ln;
use crate::sum::Sum;
use core::f64::consts::FRAC_1_SQRT_2;

errors! {
    /// Why a prior was refused.
    pub enum PriorError {
        Sd = "the prior's standard deviation must be positive and finite",
        Radius = "the prior's radius must be positive and finite",
    }
}

/// The law of one weight vector before the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior<T> {
    /// N(0, sd^2 I).
    Gaussian {
        /// Standard deviation of each coordinate, in units of w.
        sd: T,
    },
    /// Uniform on |w_1| + ... + |w_d| <= radius.
    L1Ball {
        /// The radius, in units of w.
        radius: T,
    },
}

codes! {
    /// Which [`Prior`].
    pub enum PriorKind: Prior {
        /// [`Prior::Gaussian`].
        Gaussian = 0 "gaussian",
        /// [`Prior::L1Ball`].
        L1Ball = 1 "l1",
    }
}

impl<T: Copy> Prior<T> {
    /// Of a kind, with its sd or radius.
    pub fn of(kind: PriorKind, scale: T) -> Self {
        match kind {
            PriorKind::Gaussian => Self::Gaussian { sd: scale },
            PriorKind::L1Ball => Self::L1Ball { radius: scale },
        }
    }

    /// Its kind, and its sd or radius.
    pub fn kind(&self) -> (PriorKind, T) {
        match *self {
            Self::Gaussian { sd } => (PriorKind::Gaussian, sd),
            Self::L1Ball { radius } => (PriorKind::L1Ball, radius),
        }
    }
}

/// Latent magnitudes are cut here (their probability beyond is below exp(-10^10)), so that no square
/// overflows in either precision.
const LATENT_LIMIT: f64 = 1.5e5;

/// The least sum of |L_j| that is divided by: below it (probability 10^(-15 (d+1))) the map goes on
/// linearly to w = 0 at g = 0, where the copula lift has no limit.
const SUM_FLOOR: f64 = 1e-15;

impl<T: Real> Prior<T> {
    /// The share of short transitions ([`Trajectory::short`](crate::kernel::hmc::Trajectory::short)) that a
    /// chain in latent coordinates needs: the gradient of the l1 ball's lift grows like 1/|g| at g = 0.
    pub(crate) fn short_share(&self) -> T {
        match self {
            Self::Gaussian { .. } => T::ZERO,
            Self::L1Ball { .. } => T::lit(0.125),
        }
    }

    /// A Gaussian prior, checked.
    pub fn gaussian(sd: T) -> Result<Self, PriorError> {
        Self::Gaussian { sd }.checked()
    }

    /// A uniform prior on the l1 ball, checked.
    pub fn l1_ball(radius: T) -> Result<Self, PriorError> {
        Self::L1Ball { radius }.checked()
    }

    /// The prior itself if its scale is positive and finite.
    pub fn checked(self) -> Result<Self, PriorError> {
        let (scale, error) = match self {
            Self::Gaussian { sd } => (sd, PriorError::Sd),
            Self::L1Ball { radius } => (radius, PriorError::Radius),
        };
        if scale > T::ZERO && scale.is_finite() { Ok(self) } else { Err(error) }
    }

    /// Latent coordinates of one vector: d (Gaussian; l1 ball in one dimension) or d + 1 (l1 ball).
    #[inline(always)]
    pub fn latent_dim(&self, d: usize) -> usize {
        match self {
            Self::L1Ball { .. } if d > 1 => d.saturating_add(1),
            _ => d,
        }
    }

    /// Scratch blocks that [`map`](Self::map) fills for one vector: 0, or for the l1 ball
    /// [`latent_dim`](Self::latent_dim).
    #[inline(always)]
    pub fn scratch(&self, d: usize) -> usize {
        match self {
            Self::Gaussian { .. } => 0,
            Self::L1Ball { .. } => self.latent_dim(d),
        }
    }

    /// sup |x.w| over the prior's support where max_j |x_j| is `max_abs_x`: radius times that for the
    /// l1 ball, infinite for the Gaussian.
    #[inline(always)]
    pub fn reach(&self, max_abs_x: T) -> T {
        match *self {
            Self::Gaussian { .. } => T::INFINITY,
            Self::L1Ball { radius } => radius * max_abs_x,
        }
    }

    /// w from g, vector by vector: M [`latent_dim`](Self::latent_dim) blocks to M d, M being the
    /// vectors that all the slices hold. Leaves in `scratch` (M [`scratch`](Self::scratch) blocks) what
    /// [`pull_back`](Self::pull_back) needs. About 25 flops a coordinate for the l1 ball, 1 for the
    /// Gaussian. A NaN in g gives NaN; sum_j |w_j| <= R up to rounding.
    #[inline(always)]
    pub fn map<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        d: usize,
        g: &[[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) {
        match *self {
            Self::Gaussian { sd } => {
                let sd = s.splat(sd);
                for (w, g) in w.iter_mut().zip(g) {
                    *w = (sd * s.load(g)).array();
                }
            }
            Self::L1Ball { radius } if d == 1 => {
                let (radius, root_half) = (s.splat(radius), s.lit(FRAC_1_SQRT_2));
                for ((g, w), slope) in g.iter().zip(w).zip(scratch) {
                    let (e, de) = special::erf_and_derivative(s, s.load(g) * root_half);
                    *w = (radius * e).array();
                    *slope = (radius * (de * root_half)).array();
                }
            }
            Self::L1Ball { radius } => {
                let latent = d.saturating_add(1);
                for ((g, w), scratch) in
                    pieces(g, latent).zip(pieces_mut(w, d)).zip(pieces_mut(scratch, latent))
                {
                    lift(s, s.splat(radius), g, w, scratch);
                }
            }
        }
    }

    /// The gradient with respect to g (written over `gradient`) from that with respect to w, after
    /// [`map`](Self::map) at the same g. 5 flops a coordinate for the l1 ball, 1 for the Gaussian.
    #[inline(always)]
    pub fn pull_back<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        d: usize,
        g: &[[T; N]],
        w: &[[T; N]],
        gradient_w: &[[T; N]],
        scratch: &[[T; N]],
        gradient: &mut [[T; N]],
    ) {
        match *self {
            Self::Gaussian { sd } => {
                let sd = s.splat(sd);
                for (out, gradient) in gradient.iter_mut().zip(gradient_w) {
                    *out = (sd * s.load(gradient)).array();
                }
            }
            Self::L1Ball { .. } if d == 1 => {
                for ((out, gradient), slope) in gradient.iter_mut().zip(gradient_w).zip(scratch) {
                    *out = (s.load(gradient) * s.load(slope)).array();
                }
            }
            Self::L1Ball { radius } => {
                let latent = d.saturating_add(1);
                for ((((g, w), gradient_w), scratch), gradient) in pieces(g, latent)
                    .zip(pieces(w, d))
                    .zip(pieces(gradient_w, d))
                    .zip(pieces(scratch, latent))
                    .zip(pieces_mut(gradient, latent))
                {
                    lower(s, s.splat(radius), g, w, gradient_w, scratch, gradient);
                }
            }
        }
    }

    /// Draws from the prior: M [`latent_dim`](Self::latent_dim) normals into `g`, in order, each lane
    /// from its own stream, and their image into `w`. Scratch as for [`map`](Self::map).
    #[inline(always)]
    pub fn draw<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        d: usize,
        streams: &mut [Stream; N],
        g: &mut [[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) {
        normals(s, streams, g);
        self.map(s, d, g, w, scratch);
    }

    /// [`draw`](Self::draw) on an instruction set.
    pub fn draw_on<const N: usize>(
        &self,
        isa: Isa,
        d: usize,
        streams: &mut [Stream; N],
        g: &mut [[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) where
        T: Lanes<N>,
    {
        normals_on(isa, streams, g);
        map_on(isa, *self, d, g, w, scratch);
    }

    /// [`log_density`](Self::log_density) on an instruction set.
    pub fn log_density_on<const N: usize>(&self, isa: Isa, d: usize, w: &[[T; N]]) -> [T; N]
    where
        T: Lanes<N>,
    {
        dispatched!(
            fn of(s: S, prior: &Prior<T>, d: usize, w: &[[T; N]]) -> [T; N] {
                prior.log_density(s, d, w)
            }
        );
        of(isa, self, d, w)
    }

    /// The normalised log density of M vectors (M d blocks of w; of their product law). l1 ball:
    /// M (log d! - d log 2R), and -infinity where some |w|_1 exceeds R by more than the rounding of a
    /// sum of d terms; Gaussian: -|w|^2 / (2 sd^2) - (M d / 2) log(2 pi sd^2).
    #[inline(always)]
    pub fn log_density<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        d: usize,
        w: &[[T; N]],
    ) -> [T; N] {
        let normaliser = self.log_normaliser(d);
        let mut total = s.zero();
        match *self {
            Self::Gaussian { sd } => {
                let inverse = s.splat(T::ONE / sd);
                for w in pieces(w, d) {
                    let mut squares = s.zero();
                    for w in w {
                        let z = inverse * s.load(w);
                        squares = squares + z * z;
                    }
                    total = total + (s.splat(normaliser) - s.splat(T::HALF) * squares);
                }
            }
            Self::L1Ball { radius } => {
                let limit = s.splat(radius * (T::ONE + T::of_usize(d) * T::EPSILON));
                for w in pieces(w, d) {
                    let mut norm = s.zero();
                    for w in w {
                        norm = norm + s.load(w).abs();
                    }
                    let inside = norm.le(limit);
                    total = total + s.splat(normaliser).select(inside, s.splat(-T::INFINITY));
                }
            }
        }
        total.array()
    }

    /// The log density of one vector at w = 0: log d! - d log 2R, or -(d/2) log(2 pi sd^2). d
    /// logarithms for the l1 ball.
    pub fn log_normaliser(&self, d: usize) -> T {
        match *self {
            Self::Gaussian { sd } => -T::of_usize(d) * (ln(sd) + T::lit(0.918_938_533_204_672_7)),
            Self::L1Ball { radius } => {
                // Compensated: for d in the thousands single precision would lose three digits.
                let mut sum = Sum::ZERO;
                let diameter = radius + radius;
                (0..d).for_each(|k| sum.add(ln((T::of_usize(k) + T::ONE) / diameter)));
                sum.value()
            }
        }
    }
}

dispatched!(
    /// [`Prior::map`] as work to dispatch.
    pub(crate) fn map_on(
        s: S,
        prior: Prior<T>,
        d: usize,
        g: &[[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) {
        prior.map(s, d, g, w, scratch);
    }
);

/// The copula lift of one vector. On return `scratch` holds L_k'(g_k) / sum_j |L_j|.
#[inline(always)]
fn lift<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    g: &[[T; N]],
    w: &mut [[T; N]],
    scratch: &mut [[T; N]],
) {
    let limit = s.lit(LATENT_LIMIT);
    let mut sum = s.zero();
    // w waits in place for the sum; the last latent coordinate has no w and only adds to it.
    let mut weights = w.iter_mut();
    for (g, derivative) in g.iter().zip(scratch.iter_mut()) {
        let g = s.load(g);
        // In this order a NaN stays one.
        let (l, dl) = special::laplace_from_normal(s, limit.min(g.abs()).copysign(g));
        sum = sum + l.abs();
        *derivative = dl.array();
        if let Some(w) = weights.next() {
            *w = l.array();
        }
    }
    // The floor first: a NaN sum stays one.
    let inverse = s.one() / s.lit(SUM_FLOOR).max(sum);
    for w in w {
        *w = (radius * (s.load(w) * inverse)).array();
    }
    for derivative in scratch {
        *derivative = (s.load(derivative) * inverse).array();
    }
}

/// The transposed derivative of [`lift`]: with G = dF/dw and c = G.w,
/// dF/dg_k = (R G_k - sign(g_k) c) L_k' / sum |L|, where G_{d+1} = 0.
#[inline(always)]
fn lower<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    g: &[[T; N]],
    w: &[[T; N]],
    gradient_w: &[[T; N]],
    scratch: &[[T; N]],
    gradient: &mut [[T; N]],
) {
    let mut dot = s.zero();
    for (w, gradient) in w.iter().zip(gradient_w) {
        dot = dot + s.load(w) * s.load(gradient);
    }
    let mut gradients = gradient_w.iter();
    for ((g, derivative), out) in g.iter().zip(scratch).zip(gradient) {
        let own = match gradients.next() {
            Some(gradient) => radius * s.load(gradient),
            None => s.zero(),
        };
        let signed = dot * s.one().copysign(s.load(g));
        *out = ((own - signed) * s.load(derivative)).array();
    }
}
