//! The model in the coordinates of the sampler, its potential energy and gradient.
//!
//! f(x) = b0 + c.x + sum_m v_m psi(s_0 z_m0 + sum_j s_j z_mj x_j),
//! y_i ~ N(f(x_i), 1 / (beta lambda_i)), lambda_i ~ Gamma(nu/2, nu/2): Student-t with nu degrees.
//!
//! z ~ N(0, 1); s_j half-Cauchy, one for each input and one for the bias; b0 ~ N(0, sd^2);
//! c ~ N(0, 1/tau_c) and v ~ N(0, 1/tau_v) with half-Cauchy sds; beta Gamma; nu uniform on
//! [`crate::estimator::noise::TAILS`].
//!
//! theta = (z_m1..z_md for m = 1..M, z_10..z_M0, v, b0, c, log s_1..log s_d, log s_0): up to c in
//! the order of [`NetworkShape`], with z in the place of w = s z. Given beta, lambda, tau_v, tau_c,
//!
//! U(theta) = beta/2 sum lambda_i r_i^2 + |z|^2/2 + tau_v |v|^2/2 + tau_c |c|^2/2 + b0^2/(2 sd^2)
//!            - sum_j (l_j - log(1 + e^{2 l_j})), l_j = log(s_j / scale).

use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::dispatch::dispatched;
use crate::estimator::chains::Hyper;
use crate::estimator::options::NetworkPrior;
use crate::likelihood::{Network, NetworkFit, NetworkShape, Precision};
use crate::linalg;
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// What the chains condition on. The data are in the units of the prior (standardised).
#[derive(Clone, Copy, Debug)]
pub struct Model<'a, T> {
    /// Rows and targets.
    pub data: Dataset<'a, T>,
    /// psi.
    pub activation: Activation,
    /// M.
    pub neurons: usize,
    /// Gaussian noise: lambda_i = 1, nu = infinity.
    pub gaussian: bool,
    /// The prior's constants.
    pub prior: NetworkPrior<T>,
}

/// The coordinates of theta for M neurons and d inputs: M (d + 2) + 2 d + 2.
pub fn coordinates(inputs: usize, neurons: usize) -> usize {
    NetworkShape { inputs, neurons }.dim().saturating_add(inputs).saturating_add(1)
}

/// What belongs to coordinate k of theta, of five things: those of z, v, b0, c and log s.
#[inline(always)]
pub(crate) fn of_coordinate<X>(
    shape: NetworkShape,
    k: usize,
    [z, v, intercept, c, log]: [X; 5],
) -> X {
    match k {
        k if k < shape.outer_at() => z,
        k if k < shape.intercept_at() => v,
        k if k < shape.linear_at() => intercept,
        k if k < shape.dim() => c,
        _ => log,
    }
}

/// Working memory of one transition, by use.
#[derive(Debug)]
pub struct Scratch<'a, T, const N: usize> {
    /// The proposed theta.
    pub(crate) proposal: &'a mut [[T; N]],
    /// The gradient of U.
    pub(crate) gradient: &'a mut [[T; N]],
    /// The whitened momentum.
    pub(crate) momentum: &'a mut [[T; N]],
    /// The velocity, and the whitened gradient.
    pub(crate) velocity: &'a mut [[T; N]],
    /// The network's parameters (w = s z) and, behind them, s.
    pub(crate) parameters: &'a mut [[T; N]],
    /// Residuals, one a row.
    pub(crate) residuals: &'a mut [[T; N]],
    /// The triangular factor of the head.
    pub(crate) head: &'a mut [[T; N]],
    /// Rows being appended to a factor, and the network kernel's own scratch.
    pub(crate) rows: &'a mut [[T; N]],
}

impl<'a, T: Real> Model<'a, T> {
    /// M and d.
    pub fn shape(&self) -> NetworkShape {
        NetworkShape { inputs: self.data.d(), neurons: self.neurons }
    }

    /// The coordinates of theta.
    pub fn coordinates(&self) -> usize {
        coordinates(self.data.d(), self.neurons)
    }

    /// The network likelihood.
    pub(crate) fn network(&self) -> Network<'a, T> {
        Network { data: self.data, activation: self.activation, neurons: self.neurons }
    }

    /// Blocks of [`Scratch`] for n rows, d inputs and M neurons; `None` on overflow.
    pub fn scratch_len(n: usize, inputs: usize, neurons: usize) -> Option<usize> {
        let p = coordinates(inputs, neurons);
        let (head, rows) = head_and_rows(inputs, neurons)?;
        p.checked_mul(5)?.checked_add(n)?.checked_add(head)?.checked_add(rows)
    }

    /// Names the parts of a buffer of at least [`scratch_len`](Self::scratch_len) blocks.
    pub fn scratch<'s, const N: usize>(
        &self,
        buffer: &'s mut [[T; N]],
    ) -> Option<Scratch<'s, T, N>> {
        let p = self.coordinates();
        let (head, rows) = head_and_rows(self.data.d(), self.neurons)?;
        let (lists, rest) = buffer.split_at_mut_checked(p.checked_mul(5)?)?;
        let mut lists = pieces_mut(lists, p);
        let (proposal, gradient, momentum) = (lists.next()?, lists.next()?, lists.next()?);
        let (velocity, parameters) = (lists.next()?, lists.next()?);
        let (residuals, rest) = rest.split_at_mut_checked(self.data.n())?;
        let (head, rest) = rest.split_at_mut_checked(head)?;
        let rows = rest.get_mut(..rows)?;
        Some(Scratch { proposal, gradient, momentum, velocity, parameters, residuals, head, rows })
    }

    /// The prior's median of the sd of v: scale / sqrt(M).
    pub fn outer_scale(&self) -> T {
        self.prior.outer_scale / T::of_usize(self.neurons).sqrt()
    }

    /// The network's parameters (w = s z, b = s_0 z_0, v, b0, c) and behind them s_1..s_d, s_0, written
    /// over `out`, both of [`coordinates`](Self::coordinates) blocks.
    pub fn parameters<const N: usize>(&self, isa: Isa, theta: &[[T; N]], out: &mut [[T; N]])
    where
        T: Lanes<N>,
    {
        parameters(isa, self.shape(), theta, out);
    }

    /// U at theta and its gradient (`gradient`, P blocks). `parameters` is left with what
    /// [`parameters`](Self::parameters) gives. One pass over the data; NaN if a buffer is short.
    pub fn potential<const N: usize>(
        &self,
        isa: Isa,
        hyper: &Hyper<T, N>,
        weights: Option<&[[T; N]]>,
        theta: &[[T; N]],
        gradient: &mut [[T; N]],
        parameters: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> ([T; N], NetworkFit<T, N>)
    where
        T: Lanes<N>,
    {
        self.parameters(isa, theta, parameters);
        let precision = Precision { beta: hyper.beta, weights };
        let fit = self.network().evaluate(isa, parameters, &precision, gradient, None, scratch);
        let likelihood = &fit.log_likelihood;
        (energy(isa, self, hyper, theta, parameters, gradient, likelihood), fit)
    }
}

/// Blocks of the head's triangle and of the rows' buffer.
fn head_and_rows(inputs: usize, neurons: usize) -> Option<(usize, usize)> {
    let shape = NetworkShape { inputs, neurons };
    let head = inputs.checked_add(neurons)?.checked_add(1)?;
    let triangle = linalg::upper_len(head)?;
    // Head: eight rows of its columns and of the inputs. Mass: four rows of all coordinates.
    let head_rows = head.checked_add(1)?.checked_add(inputs)?.checked_mul(linalg::ROWS)?;
    let mass_rows = coordinates(inputs, neurons).checked_mul(4)?;
    Some((triangle, head_rows.max(mass_rows).max(shape.scratch())))
}

dispatched! {
    /// See [`Model::parameters`].
    fn parameters(s: S, shape: NetworkShape, theta: &[[T; N]], out: &mut [[T; N]]) {
        let dim = shape.dim();
        let (Some((theta, logs)), Some((out, scales))) =
            (theta.split_at_checked(dim), out.split_at_mut_checked(dim))
        else {
            return;
        };
        for (scale, log) in scales.iter_mut().zip(logs) {
            *scale = special::called::exp(s, s.load(log)).array();
        }
        let Some((last, scales)) = scales.split_last() else {
            return;
        };
        let (Some(from), Some(to)) = (shape.split(theta), shape.split_mut(out)) else {
            return;
        };
        let neurons = pieces(from.weights, shape.inputs);
        for (from, to) in neurons.zip(pieces_mut(to.weights, shape.inputs)) {
            for ((z, w), scale) in from.iter().zip(to).zip(scales) {
                *w = (s.load(z) * s.load(scale)).array();
            }
        }
        let bias = s.load(last);
        for (z, b) in from.biases.iter().zip(to.biases) {
            *b = (s.load(z) * bias).array();
        }
        to.outer.iter_mut().zip(from.outer).for_each(|(to, from)| *to = *from);
        *to.intercept = *from.intercept;
        to.linear.iter_mut().zip(from.linear).for_each(|(to, from)| *to = *from);
    }
}

/// precision |x|^2 / 2; turns the gradient of the log likelihood in x into that of U.
#[inline(always)]
fn ridge<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: &[[T; N]],
    gradient: &mut [[T; N]],
    precision: S::V,
) -> S::V {
    let mut sum = s.zero();
    for (x, g) in x.iter().zip(gradient) {
        let x = s.load(x);
        *g = (precision * x - s.load(g)).array();
        sum = sum + x * x;
    }
    s.splat(T::HALF) * precision * sum
}

dispatched! {
    /// From the gradient of the log likelihood in w to that of U in theta, and U.
    fn energy(
        s: S, model: &Model<'_, T>, hyper: &Hyper<T, N>, theta: &[[T; N]], parameters: &[[T; N]],
        gradient: &mut [[T; N]], log_likelihood: &[T; N],
    ) -> [T; N] {
        let (shape, prior) = (model.shape(), &model.prior);
        let dim = shape.dim();
        let d = shape.inputs;
        let (Some((theta, logs)), Some((parameters, scales)), Some((gradient, log_gradient))) = (
            theta.split_at_checked(dim),
            parameters.split_at_checked(dim),
            gradient.split_at_mut_checked(dim),
        ) else {
            return [T::NAN; N];
        };
        let (Some(z), Some(w), Some(g)) =
            (shape.split(theta), shape.split(parameters), shape.split_mut(gradient))
        else {
            return [T::NAN; N];
        };
        let (Some((bias_scale, scales)), Some((bias_log_gradient, log_gradients))) =
            (scales.split_last(), log_gradient.split_last_mut())
        else {
            return [T::NAN; N];
        };
        log_gradients.iter_mut().for_each(|g| *g = [T::ZERO; N]);
        let half = s.splat(T::HALF);
        let mut energy = Sum::new(s.zero());
        energy.add(-s.load(log_likelihood));

        // dU/dz = z - s dl/dw, dU/dlog s = - sum_m w_m dl/dw_m + ...
        let mut squares = s.zero();
        let rows = pieces(z.weights, d).zip(pieces(w.weights, d)).zip(pieces_mut(g.weights, d));
        for ((z, w), g) in rows {
            let mut sum = s.zero();
            let columns = z.iter().zip(w).zip(g).zip(scales).zip(log_gradients.iter_mut());
            for ((((z, w), g), scale), log_gradient) in columns {
                let (z, slope) = (s.load(z), s.load(g));
                *log_gradient = (s.load(log_gradient) - s.load(w) * slope).array();
                *g = (z - s.load(scale) * slope).array();
                sum = sum + z * z;
            }
            squares = squares + sum;
        }
        let mut bias_sum = s.zero();
        let scale = s.load(bias_scale);
        for ((z, w), g) in z.biases.iter().zip(w.biases).zip(g.biases) {
            let (z, slope) = (s.load(z), s.load(g));
            bias_sum = bias_sum - s.load(w) * slope;
            *g = (z - scale * slope).array();
            squares = squares + z * z;
        }
        *bias_log_gradient = bias_sum.array();
        energy.add(half * squares);

        energy.add(ridge(s, z.outer, g.outer, s.load(&hyper.tau_v)));
        energy.add(ridge(s, z.linear, g.linear, s.load(&hyper.tau_c)));
        let sd = prior.intercept_sd;
        energy.add(ridge(
            s,
            core::slice::from_ref(z.intercept),
            core::slice::from_mut(g.intercept),
            s.splat(T::ONE / (sd * sd)),
        ));

        // -(l - log(1 + e^{2l})) and its derivative 2 / (1 + e^{-2l}) - 1 = (q - 1) / (q + 1), q = s^2.
        let inverse = s.splat(T::ONE / prior.input_scale);
        let all_scales = scales.iter().chain(core::iter::once(bias_scale));
        let all_gradients =
            log_gradients.iter_mut().chain(core::iter::once(&mut *bias_log_gradient));
        for ((scale, log), g) in all_scales.zip(logs).zip(all_gradients) {
            let ratio = s.load(scale) * inverse;
            let q = ratio * ratio;
            energy.add(special::called::ln_1p(s, q) - s.load(log));
            *g = (s.load(g) + (q - s.one()) / (q + s.one())).array();
        }
        energy.value().array()
    }
}

/// R rows from `first` on, column by column, the same in every lane. Rows past the end are zero.
#[inline(always)]
pub(crate) fn fill_tile<T: Real, const N: usize, const R: usize>(
    inputs: &Inputs<'_, T>,
    first: usize,
    tile: &mut [[[T; N]; R]],
) {
    let n = inputs.n();
    for (j, column) in tile.iter_mut().enumerate() {
        for (k, x) in column.iter_mut().enumerate() {
            let i = first.saturating_add(k);
            *x = [if i < n { inputs.at(i, j) } else { T::ZERO }; N];
        }
    }
}

/// What psi is taken of, b_m + w_m.x, at the rows of a tile: neuron by neuron.
#[inline(always)]
pub(crate) fn arguments<T: Real, const N: usize, const R: usize, S: Simd<T, N>>(
    s: S,
    weights: &[[T; N]],
    biases: &[[T; N]],
    tile: &[[[T; N]; R]],
    out: &mut [[[T; N]; R]],
) {
    for ((w, b), out) in pieces(weights, tile.len()).zip(biases).zip(out) {
        let mut sums = [s.load(b); R];
        for (w, x) in w.iter().zip(tile) {
            let w = s.load(w);
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum = *sum + s.load(x) * w;
            }
        }
        *out = sums.map(|sum| sum.array());
    }
}

/// Columns times the root of each row's weight.
#[inline(always)]
pub(crate) fn scaled<T: Real, const N: usize, const R: usize, S: Simd<T, N>>(
    s: S,
    columns: &[[[T; N]; R]],
    root: &[S::V; R],
    out: &mut [[[T; N]; R]],
) {
    for (column, out) in columns.iter().zip(out) {
        for ((x, root), out) in column.iter().zip(root).zip(out) {
            *out = (s.load(x) * *root).array();
        }
    }
}
