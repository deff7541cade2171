//! Where chains start: the best of a few random points, each improved by Adam (Kingma and Ba 2015).
//!
//! From random points chains stick in poor modes. This search is a heuristic, outside the exact
//! posterior; it only chooses where the warm-up begins.

use crate::dispatch::dispatched;
use crate::estimator::chains::{Chains, Hyper};
use crate::estimator::model::{Model, Scratch};
use crate::linalg;
use crate::random::{Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::special;

/// The usual rate of the first half of the steps; it falls linearly to 0 over the second.
pub(crate) const RATE: f64 = 0.05;
/// The usual floor under the root mean square of the gradient that a step is divided by.
pub(crate) const FLOOR: f64 = 1e-8;
const DECAY: [f64; 2] = [0.9, 0.999];
const LOG_DECAY: [f64; 2] = [-0.105_360_515_657_826_3, -1.000_500_333_583_533_5e-3];

/// A random point: z ~ N(0, 1), v ~ N(0, 1/M), b0 = c = 0 and s_j = 1 / sqrt(d + 1), so that every
/// neuron's argument is of order 1. Draws of each lane: P normals.
pub fn random_point<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    streams: &mut [Stream; N],
    theta: &mut [[T; N]],
) {
    normals_on(isa, streams, theta);
    let shape = model.shape();
    let Some((theta, logs)) = theta.split_at_mut_checked(shape.dim()) else {
        return;
    };
    let Some(parts) = shape.split_mut(theta) else {
        return;
    };
    let shrink = T::ONE / T::of_usize(shape.neurons).sqrt();
    for v in parts.outer.as_flattened_mut() {
        *v = *v * shrink;
    }
    *parts.intercept = [T::ZERO; N];
    parts.linear.as_flattened_mut().fill(T::ZERO);
    let log = -(T::HALF * special::scalar::ln(T::of_usize(shape.inputs) + T::ONE));
    logs.as_flattened_mut().fill(log);
}

/// Memory of the search beside the chains' own: three lists of P blocks.
#[derive(Debug)]
pub struct Search<'a, T, const N: usize> {
    /// Running means of the gradient.
    pub first: &'a mut [[T; N]],
    /// Running means of its square.
    pub second: &'a mut [[T; N]],
    /// The best theta so far.
    pub best: &'a mut [[T; N]],
    /// Its beta; 0 before the first.
    pub best_beta: &'a mut [T; N],
}

/// Step `k` (from 0) of `steps` of one start: the gradient of U at lambda = 1 and an Adam step, after
/// beta, tau_v and tau_c were re-estimated from the current point. The last step compares with
/// the best start; one pass over the data.
pub fn search_step<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    search: &mut Search<'_, T, N>,
    streams: &mut [Stream; N],
    (k, steps): (usize, usize),
    scratch: &mut Scratch<'_, T, N>,
) {
    if k == 0 {
        random_point(isa, model, streams, chains.theta);
        chains.hyper = Hyper::start(model.neurons, model.gaussian);
        for list in [&mut *search.first, &mut *search.second] {
            list.iter_mut().for_each(|x| *x = [T::ZERO; N]);
        }
    }
    let Scratch { gradient, parameters, rows, .. } = scratch;
    let (_, fit) =
        model.potential(isa, &chains.hyper, None, chains.theta, gradient, parameters, rows);
    step(isa, model, chains, search, gradient, &fit.weighted_squares, (k, steps));
}

/// Takes the best start: theta, with beta of its residuals and lambda = 1.
pub fn take_best<T: Real, const N: usize>(
    chains: &mut Chains<'_, T, N>,
    search: &Search<'_, T, N>,
) {
    for (t, b) in chains.theta.iter_mut().zip(search.best.iter()) {
        *t = *b;
    }
    chains.hyper.beta = *search.best_beta;
    chains.weights.iter_mut().for_each(|w| *w = [T::ONE; N]);
}

/// (k + 1) / (sum of squares + scale^2) for k values with a half-Cauchy sd: between the mode and the
/// mean of the conditional of their precision.
#[inline(always)]
fn precision<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: &[[T; N]], scale: T) -> S::V {
    let count = s.splat(T::of_usize(x.len()) + T::ONE);
    count / (linalg::squared_norm(s, x) + s.splat(scale * scale))
}

dispatched! {
    fn step(
        s: S, model: &Model<'_, T>, chains: &mut Chains<'_, T, N>, search: &mut Search<'_, T, N>,
        gradient: &[[T; N]], squares: &[T; N], at: (usize, usize),
    ) {
        let (k, steps) = at;
        let shape = model.shape();
        let prior = &model.prior;

        // The mean of beta given the residuals.
        let count = prior.noise_shape + T::HALF * T::of_usize(model.data.n());
        let half = s.splat(T::HALF);
        let beta = s.splat(count) / (s.splat(prior.noise_rate) + half * s.load(squares));
        let known = s.zero().lt(beta);
        let beta = beta.select(known, s.load(&chains.hyper.beta));
        chains.hyper.beta = beta.array();

        // The last gradient only measures.
        if k + 1 >= steps {
            let better = s.load(search.best_beta).lt(beta);
            for (b, t) in search.best.iter_mut().zip(chains.theta.iter()) {
                *b = s.load(t).select(better, s.load(b)).array();
            }
            *search.best_beta = beta.select(better, s.load(search.best_beta)).array();
            return;
        }

        if let Some(parts) = shape.split(chains.theta) {
            chains.hyper.tau_v = precision(s, parts.outer, model.outer_scale()).array();
            chains.hyper.tau_c = precision(s, parts.linear, prior.linear_scale).array();
        }

        let Search { first, second, .. } = search;
        let down = [-T::lit(RATE), T::lit(FLOOR)];
        ascend(s, chains.theta, gradient, [&mut **first, &mut **second], (k, steps), down);
    }
}

/// Step `k` (from 0) of `steps` of Adam upward (`rate` > 0) or downward (< 0), given the gradient; `averages`
/// are those of the gradient and of its square. What falls below `floor` moves in proportion to itself.
#[inline(always)]
fn ascend<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    theta: &mut [[T; N]],
    gradient: &[[T; N]],
    averages: [&mut [[T; N]]; 2],
    (k, steps): (usize, usize),
    [rate, floor]: [T; 2],
) {
    let (d1, d2) = (T::lit(DECAY[0]), T::lit(DECAY[1]));
    let done = T::of_usize(k) / T::of_usize(steps.max(1));
    let rate = rate * (T::lit(2.0) - (done + done)).min(T::ONE);
    // 1 - decay^(k + 1).
    let count = T::of_usize(k) + T::ONE;
    let g1 = s.one() - special::called::exp(s, s.splat(T::lit(LOG_DECAY[0]) * count));
    let g2 = s.one() - special::called::exp(s, s.splat(T::lit(LOG_DECAY[1]) * count));
    let rate = s.splat(rate) / g1;
    let [first, second] = averages;
    for ((t, g), (first, second)) in
        theta.iter_mut().zip(gradient).zip(first.iter_mut().zip(second))
    {
        let g = s.load(g);
        let m = s.load(first) * s.splat(d1) + g * s.splat(T::ONE - d1);
        let v = s.load(second) * s.splat(d2) + g * g * s.splat(T::ONE - d2);
        *first = m.array();
        *second = v.array();
        let step = rate * m / ((v / g2).sqrt() + s.splat(floor));
        *t = (s.load(t) + step).array();
    }
}

dispatched! {
    /// Step `at` = (k, steps) of Adam up a log density, given its gradient.
    pub(crate) fn adam(
        s: S, theta: &mut [[T; N]], gradient: &[[T; N]], averages: [&mut [[T; N]]; 2],
        at: (usize, usize), scale: [T; 2],
    ) {
        ascend(s, theta, gradient, averages, at, scale);
    }
}
