//! Conditional draws after each trajectory, in the order of the calls in [`sweep`].
//!
//! 1. (v, b0, c) given the rest: Gaussian with precision A = beta Phi' Lambda Phi + P, from a QR
//!    factorisation of [sqrt(beta Lambda) Phi; sqrt P] to which the rows are streamed (normal
//!    equations in single precision lose problems with little noise).
//! 2. nu with lambda integrated out, then lambda: [`crate::estimator::noise`].
//! 3. beta ~ Gamma(shape + n/2, rate + sum lambda_i r_i^2 / 2).
//! 4. The half-Cauchy scales sigma (of v, of c, and s_j with w = s z held fixed) by their
//!    inverse-gamma mixture (Wand et al. 2011): 1/a | sigma ~ Exp(rate 1/A^2 + 1/sigma^2), then
//!    1/sigma^2 | a ~ Gamma((k + 1)/2, 1/a + sum of squares / 2).

use crate::dispatch::dispatched;
use crate::estimator::chains::{Chains, Hyper};
use crate::estimator::model::{Model, Scratch, arguments, fill_tile, scaled};
use crate::estimator::noise;
use crate::linalg::{self, ROWS};
use crate::random::{self, Stream};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// All conditional draws, once: [`head`], [`tail`], [`precision`], [`scales`]. Leaves in `scratch`
/// the residuals of the new state. Two passes over the data with (M + d + 1)^2 multiply-adds a row
/// beside.
pub fn sweep<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    scratch: &mut Scratch<'_, T, N>,
) {
    head(isa, model, chains, scratch);
    tail(isa, model, chains, scratch);
    precision(isa, model, chains, scratch);
    scales(isa, model, chains);
}

/// The first draw: (v, b0, c). Leaves in `scratch` the residuals that the next two read.
pub fn head<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    scratch: &mut Scratch<'_, T, N>,
) {
    model.parameters(isa, chains.theta, scratch.parameters);
    let shape = model.shape();
    if let Some(head) = scratch.parameters.get_mut(shape.outer_at()..shape.dim()) {
        random::normals_on(isa, &mut chains.gibbs, head);
    }
    draw_head(isa, model, chains, scratch);
    residuals(isa, model, scratch);
}

/// The second draw: nu, then lambda; nothing where the noise is Gaussian. The residuals in `scratch`
/// must be those of the chains' theta.
pub fn tail<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    scratch: &Scratch<'_, T, N>,
) {
    if !model.gaussian {
        let Chains { weights, hyper, gibbs, .. } = chains;
        noise::tail(isa, scratch.residuals, hyper, weights, gibbs);
    }
}

/// The residuals of the chains' theta, for [`tail`] and [`precision`] where no [`head`] came before
/// them.
pub fn refresh<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &Chains<'_, T, N>,
    scratch: &mut Scratch<'_, T, N>,
) {
    model.parameters(isa, chains.theta, scratch.parameters);
    residuals(isa, model, scratch);
}

/// r_i = y_i - f(x_i) at the parameters in `scratch`, over `scratch.residuals`.
pub(crate) fn residuals<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    scratch: &mut Scratch<'_, T, N>,
) {
    model.shape().predict(
        isa,
        model.activation,
        scratch.parameters,
        &model.data.inputs,
        scratch.residuals,
        scratch.rows,
    );
    for (r, y) in scratch.residuals.iter_mut().zip(model.data.y()) {
        for f in r {
            *f = *y - *f;
        }
    }
}

dispatched! {
    /// (v, b0, c) at the other parameters in `scratch`, over the chains' and over the normals that lie in
    /// their place.
    fn draw_head(
        s: S, model: &Model<'_, T>, chains: &mut Chains<'_, T, N>, scratch: &mut Scratch<'_, T, N>,
    ) {
        let Chains { theta, weights, hyper, .. } = chains;
        let Scratch { parameters, head: upper, rows, .. } = scratch;
        let shape = model.shape();
        let (d, neurons) = (shape.inputs, shape.neurons);
        let order = neurons.saturating_add(d).saturating_add(1);
        let (rows, _) = rows.as_chunks_mut::<ROWS>();
        let (Some((columns, rest)), Some(upper_len)) =
            (rows.split_at_mut_checked(order.saturating_add(1)), linalg::upper_len(order))
        else {
            return;
        };
        let (Some(tile), Some(upper)) = (rest.get_mut(..d), upper.get_mut(..upper_len)) else {
            return;
        };
        prior_triangle(s, model, hyper, order, upper);

        let beta = s.load(&hyper.beta);
        let n = model.data.n();
        let mut first = 0;
        let mut weights = weights.chunks(ROWS);
        let mut targets = model.data.y().chunks(ROWS);
        while first < n {
            let (Some(weights), Some(y)) = (weights.next(), targets.next()) else {
                return;
            };
            // sqrt(beta lambda_i), 0 past the end.
            let mut root = [s.zero(); ROWS];
            for (root, w) in root.iter_mut().zip(weights) {
                *root = (beta * s.load(w)).sqrt();
            }
            fill_tile(&model.data.inputs, first, tile);
            let Some(parts) = shape.split(parameters) else {
                return;
            };
            let Some((features, others)) = columns.split_at_mut_checked(neurons) else {
                return;
            };
            arguments(s, parts.weights, parts.biases, tile, features);
            model.activation.apply_value(s, features.as_flattened_mut());
            for feature in features.iter_mut() {
                for (f, root) in feature.iter_mut().zip(root) {
                    *f = (s.load(f) * root).array();
                }
            }
            if let [intercept, linear @ .., rhs] = others {
                *intercept = root.map(|root| root.array());
                scaled(s, tile, &root, linear);
                *rhs = [[T::ZERO; N]; ROWS];
                for ((o, y), root) in rhs.iter_mut().zip(y).zip(root) {
                    *o = (s.splat(*y) * root).array();
                }
            }
            linalg::append_rows(s, upper, columns);
            first = first.saturating_add(ROWS);
        }

        let Some(head) = parameters.get_mut(shape.outer_at()..shape.dim()) else {
            return;
        };
        linalg::solve_upper(s, upper, head);
        if let Some(theta) = theta.get_mut(shape.outer_at()..shape.dim()) {
            theta.iter_mut().zip(head.iter()).for_each(|(t, h)| *t = *h);
        }
    }
}

/// R = sqrt(P), the prior of (v, b0, c) alone.
#[inline(always)]
fn prior_triangle<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    model: &Model<'_, T>,
    hyper: &Hyper<T, N>,
    order: usize,
    mut upper: &mut [[T; N]],
) {
    upper.iter_mut().for_each(|u| *u = [T::ZERO; N]);
    let intercept = s.splat(T::ONE / model.prior.intercept_sd);
    let (v, c) = (s.load(&hyper.tau_v).sqrt(), s.load(&hyper.tau_c).sqrt());
    for k in 0..order {
        let Some((row, rest)) = upper.split_at_mut_checked(order - k + 1) else {
            return;
        };
        upper = rest;
        let value = match k.cmp(&model.neurons) {
            core::cmp::Ordering::Less => v,
            core::cmp::Ordering::Equal => intercept,
            core::cmp::Ordering::Greater => c,
        };
        if let Some(diagonal) = row.first_mut() {
            *diagonal = value.array();
        }
    }
}

dispatched! {
    /// The third draw: beta. The residuals in `scratch` must be those of the chains' theta.
    pub fn precision(
        s: S, model: &Model<'_, T>, chains: &mut Chains<'_, T, N>, scratch: &Scratch<'_, T, N>,
    ) {
        let (prior, residuals) = (&model.prior, &*scratch.residuals);
        let Chains { weights, hyper, gibbs, .. } = chains;
        let mut sum = Sum::new(s.zero());
        for (r, w) in residuals.iter().zip(weights.iter()) {
            let r = s.load(r);
            sum.add(s.load(w) * (r * r));
        }
        let shape = prior.noise_shape + T::HALF * T::of_usize(residuals.len());
        let draw = s.load(&gammas(gibbs, shape));
        let rate = s.splat(prior.noise_rate) + s.splat(T::HALF) * sum.value();
        hyper.beta = (draw / rate).array();
    }
}

/// One gamma draw a lane.
#[inline(always)]
fn gammas<T: Real, const N: usize>(streams: &mut [Stream; N], shape: T) -> [T; N] {
    let mut out = [T::ONE; N];
    for (g, stream) in out.iter_mut().zip(streams) {
        *g = stream.gamma(shape);
    }
    out
}

/// 1/sigma^2 of a half-Cauchy(scale) sigma that is the sd of k normals with the given sum of
/// squares, from its present value `precision`.
#[inline(always)]
fn half_cauchy<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    streams: &mut [Stream; N],
    precision: S::V,
    k: usize,
    squares: S::V,
    scale: T,
) -> S::V {
    let mut exponential = [T::ONE; N];
    for (e, stream) in exponential.iter_mut().zip(streams.iter_mut()) {
        *e = stream.exponential();
    }
    let inverse_a = s.load(&exponential) / (s.splat(T::ONE / (scale * scale)) + precision);
    let shape = T::HALF * (T::of_usize(k) + T::ONE);
    s.load(&gammas(streams, shape)) / (inverse_a + s.splat(T::HALF) * squares)
}

/// Draws log s anew with w = s z held fixed, for k values z with the given sum of squares; returns the
/// factor of z. Beyond e^40 either way, which a half-Cauchy scale passes once in 10^17 draws, s^2 would
/// leave the range of `f32`: such values are taken as e^40.
#[inline(always)]
fn rescale<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    streams: &mut [Stream; N],
    log: &mut [T; N],
    k: usize,
    squares: S::V,
    scale: T,
) -> S::V {
    let far = s.lit(40.0);
    let old = s.load(log).min(far).max(-far);
    let precision = special::called::exp(s, -(old + old));
    let drawn = half_cauchy(s, streams, precision, k, squares / precision, scale);
    let new = (-(s.splat(T::HALF) * special::called::ln(s, drawn))).min(far).max(-far);
    *log = new.array();
    special::called::exp(s, old - new)
}

dispatched! {
    /// The last draws: tau_v, tau_c and s_j. They leave f, and so the residuals, as they are.
    pub fn scales(s: S, model: &Model<'_, T>, chains: &mut Chains<'_, T, N>) {
        let (shape, prior) = (model.shape(), &model.prior);
        let Chains { theta, hyper, gibbs, .. } = chains;

        let Some((theta, logs)) = theta.split_at_mut_checked(shape.dim()) else {
            return;
        };
        let Some(parts) = shape.split(theta) else {
            return;
        };
        for (tau, x, scale) in [
            (&mut hyper.tau_v, parts.outer, model.outer_scale()),
            (&mut hyper.tau_c, parts.linear, prior.linear_scale),
        ] {
            let squares = linalg::squared_norm(s, x);
            *tau = half_cauchy(s, gibbs, s.load(tau), x.len(), squares, scale).array();
        }

        // s_j, that of the biases last: the sum of squares of w_j = s_j z_j is s_j^2 |z_j|^2.
        let (k, scale) = (shape.neurons, prior.input_scale);
        for (j, log) in logs.iter_mut().enumerate() {
            let mut sum = s.zero();
            for m in 0..k {
                if let Some(z) = theta.get(shape.of_neuron(m, j)) {
                    let z = s.load(z);
                    sum = sum + z * z;
                }
            }
            let ratio = rescale(s, gibbs, log, k, sum, scale);
            for m in 0..k {
                if let Some(z) = theta.get_mut(shape.of_neuron(m, j)) {
                    *z = (s.load(z) * ratio).array();
                }
            }
        }
    }
}
