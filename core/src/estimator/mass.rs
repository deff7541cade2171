//! The mass matrix: a running average over the warm-up of J' W J + the prior's precision, where J is
//! the Jacobian of f(x_i) in theta and W = beta lambda_i. It is the Hessian of U without the
//! residuals' curvature (Gauss-Newton), so it is positive definite at every point.
//!
//! To each neuron's diagonal a share of the mean over neurons is added: in the posterior all neurons
//! are alike, and one that lay idle through the warm-up would move with the prior's mass when it wakes.

use crate::dispatch::dispatched;
use crate::estimator::chains::Chains;
use crate::estimator::model::{Model, Scratch, arguments, fill_tile, of_coordinate, scaled};
use crate::likelihood::NetworkShape;
use crate::linalg;
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};

/// Rows taken at once.
const GROUP: usize = 4;
/// The share of the mean over neurons in each neuron's diagonal.
const POOLED: f64 = 0.1;

/// average <- (1 - share) average + share (J' W J + prior), then its factor for
/// [`crate::kernel::hmc::Metric`]. `share` = 1 starts an average. `average` and `factor` hold
/// P (P + 1) / 2 blocks if `dense`, P if not. n P^2 multiply-adds and P^3 / 6 if dense.
pub fn update<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &Chains<'_, T, N>,
    share: T,
    dense: bool,
    average: &mut [[T; N]],
    factor: &mut [[T; N]],
    scratch: &mut Scratch<'_, T, N>,
) {
    model.parameters(isa, chains.theta, scratch.parameters);
    refresh(isa, model, chains, share, dense, average, factor, scratch);
}

/// 0 every entry, as [`update`] expects of memory that held something else.
pub(crate) fn clear<T: Real, const N: usize>(average: &mut [[T; N]]) {
    average.iter_mut().for_each(|a| *a = [T::ZERO; N]);
}

/// Where entry (k, k) lies.
#[inline(always)]
fn diagonal(dense: bool, k: usize) -> usize {
    if dense { (k.wrapping_mul(k.wrapping_add(3))) / 2 } else { k }
}

/// Adds to each neuron's entries on the diagonal the share [`POOLED`] of their mean over neurons.
#[inline(always)]
fn pool<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    shape: NetworkShape,
    dense: bool,
    average: &[[T; N]],
    factor: &mut [[T; N]],
) {
    let neurons = shape.neurons;
    let share = s.splat(T::lit(POOLED) / T::of_usize(neurons));
    for j in 0..shape.inputs.saturating_add(2) {
        let mut sum = s.zero();
        for m in 0..neurons {
            let k = diagonal(dense, shape.of_neuron(m, j));
            if let Some(a) = average.get(k) {
                sum = sum + s.load(a);
            }
        }
        let more = share * sum;
        for m in 0..neurons {
            let k = diagonal(dense, shape.of_neuron(m, j));
            if let Some(a) = factor.get_mut(k) {
                *a = (s.load(a) + more).array();
            }
        }
    }
}

dispatched! {
    /// [`update`] at the parameters in `scratch`.
    fn refresh(
        s: S, model: &Model<'_, T>, chains: &Chains<'_, T, N>, share: T, dense: bool,
        average: &mut [[T; N]], factor: &mut [[T; N]], scratch: &mut Scratch<'_, T, N>,
    ) {
        let Scratch { parameters, rows, proposal: tile, .. } = scratch;
        let shape = model.shape();
        let order = model.coordinates();
        let keep = s.splat(T::ONE - share);
        for a in average.iter_mut() {
            *a = (s.load(a) * keep).array();
        }
        let (rows, _) = rows.as_chunks_mut::<GROUP>();
        let (tile, _) = tile.as_chunks_mut::<GROUP>();
        let (Some(jacobian), Some(tile)) = (rows.get_mut(..order), tile.get_mut(..shape.inputs))
        else {
            return;
        };
        let precision = s.load(&chains.hyper.beta) * s.splat(share);
        let mut first = 0;
        for weights in chains.weights.chunks(GROUP) {
            let mut root = [s.zero(); GROUP];
            for (root, w) in root.iter_mut().zip(weights) {
                *root = (precision * s.load(w)).sqrt();
            }
            fill_tile(&model.data.inputs, first, tile);
            if jacobian_rows(s, model, parameters, tile, root, jacobian).is_none() {
                return;
            }
            if dense {
                linalg::rank_four(s, average, jacobian);
            } else {
                for (a, [j0, j1, j2, j3]) in average.iter_mut().zip(jacobian.iter()) {
                    let [j0, j1, j2, j3] = [s.load(j0), s.load(j1), s.load(j2), s.load(j3)];
                    let sum = j0 * j0 + j1 * j1 + j2 * j2 + j3 * j3;
                    *a = (s.load(a) + sum).array();
                }
            }
            first = first.saturating_add(GROUP);
        }
        add_prior(s, model, chains, share, dense, average);

        factor.iter_mut().zip(&*average).for_each(|(f, a)| *f = *a);
        pool(s, shape, dense, average, factor);
        if dense {
            linalg::cholesky(s, factor, order, T::EPSILON * T::lit(64.0));
        } else {
            for f in factor {
                *f = (s.one() / s.load(f).sqrt()).array();
            }
        }
    }
}

/// The Jacobian of f at four rows times sqrt(W), coordinate by coordinate in the order of theta.
#[inline(always)]
fn jacobian_rows<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    model: &Model<'_, T>,
    parameters: &[[T; N]],
    tile: &[[[T; N]; GROUP]],
    root: [S::V; GROUP],
    jacobian: &mut [[[T; N]; GROUP]],
) -> Option<()> {
    let shape = model.shape();
    let d = shape.inputs;
    let (network, scales) = parameters.split_at_checked(shape.dim())?;
    let (bias_scale, scales) = scales.split_last()?;
    let (j_network, j_logs) = jacobian.split_at_mut_checked(shape.dim())?;
    let (j_bias_log, j_logs) = j_logs.split_last_mut()?;
    let w = shape.split(network)?;
    let j = shape.split_mut(j_network)?;
    let zero = [[T::ZERO; N]; GROUP];
    j_logs.iter_mut().for_each(|x| *x = zero);
    *j_bias_log = zero;
    let bias_scale = s.load(bias_scale);
    // psi and psi' of every neuron, in the columns of v and of the biases.
    arguments(s, w.weights, w.biases, tile, j.outer);
    model.activation.apply(s, j.outer.as_flattened_mut(), j.biases.as_flattened_mut());

    let neurons = pieces(w.weights, d).zip(w.biases).zip(w.outer);
    let slopes = pieces_mut(j.weights, d).zip(j.biases).zip(j.outer);
    for (((w, b), v), ((jw, jb), jv)) in neurons.zip(slopes) {
        let (v, b) = (s.load(v), s.load(b));
        let mut slope = root;
        let cells = jv.iter_mut().zip(jb.iter_mut()).zip(j_bias_log.iter_mut());
        for ((slope, root), ((jv, jb), log)) in slope.iter_mut().zip(root).zip(cells) {
            *slope = v * s.load(jb) * root;
            *jv = (s.load(jv) * root).array();
            *jb = (*slope * bias_scale).array();
            *log = (s.load(log) + *slope * b).array();
        }
        for ((((jw, w), x), scale), log) in
            jw.iter_mut().zip(w).zip(tile).zip(scales).zip(j_logs.iter_mut())
        {
            let (w, scale) = (s.load(w), s.load(scale));
            for (((jw, x), slope), log) in jw.iter_mut().zip(x).zip(slope).zip(log) {
                let a = slope * s.load(x);
                *jw = (a * scale).array();
                *log = (s.load(log) + a * w).array();
            }
        }
    }
    *j.intercept = root.map(|root| root.array());
    scaled(s, tile, &root, j.linear);
    Some(())
}

/// share times the prior's precision on the diagonal: 1 for z, tau_v, 1/sd^2, tau_c, and 1/2 for
/// log s, the mean over the prior of its curvature sech^2(l).
#[inline(always)]
fn add_prior<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    model: &Model<'_, T>,
    chains: &Chains<'_, T, N>,
    share: T,
    dense: bool,
    mut average: &mut [[T; N]],
) {
    let shape = model.shape();
    let share = s.splat(share);
    let sd = model.prior.intercept_sd;
    let v = s.load(&chains.hyper.tau_v) * share;
    let intercept = s.splat(T::ONE / (sd * sd)) * share;
    let c = s.load(&chains.hyper.tau_c) * share;
    let log = s.splat(T::HALF) * share;
    for k in 0..model.coordinates() {
        let length = if dense { k + 1 } else { 1 };
        let Some((row, rest)) = core::mem::take(&mut average).split_at_mut_checked(length) else {
            return;
        };
        average = rest;
        let precision = of_coordinate(shape, k, [share, v, intercept, c, log]);
        if let Some(diagonal) = row.last_mut() {
            *diagonal = (s.load(diagonal) + precision).array();
        }
    }
}
