//! Draws from the prior: what the model believes before it sees data.

use crate::estimator::chains::state_len;
use crate::estimator::model::{self, of_coordinate};
use crate::estimator::noise::TAILS;
use crate::estimator::options::NetworkPrior;
use crate::likelihood::NetworkShape;
use crate::posterior::{Store, StoreError};
use crate::random::Stream;
use crate::scalar::Real;
use crate::special;
use crate::special::scalar::ln;

/// |C| * scale for a standard Cauchy C, as a ratio of normals. One normal in 2^25 rounds to 0 in
/// single precision, which would give a scale of 0 or infinity: it counts as one just short of the
/// least that does not.
fn half_cauchy<T: Real>(stream: &mut Stream, scale: T) -> T {
    let mut normal = || stream.normal::<T>().abs().max(T::HALF * T::HALF * T::EPSILON);
    let (a, b) = (normal(), normal());
    scale * (a / b)
}

fn gamma<T: Real>(stream: &mut Stream, shape: T, rate: T) -> T {
    stream.gamma(shape) / rate
}

/// A whole state of one chain from its prior, in the order of [`state_len`]: theta, beta, tau_v,
/// tau_c, nu, and as many lambda as `state` has room for. `false`, with nothing written, if `state`
/// is shorter than theta and the four.
pub fn draw_prior<T: Real>(
    shape: &NetworkShape,
    prior: &NetworkPrior<T>,
    gaussian: bool,
    stream: &mut Stream,
    state: &mut [T],
) -> bool {
    let p = model::coordinates(shape.inputs, shape.neurons);
    if state.len() < state_len(p, 0) {
        return false;
    }
    let Some((theta, rest)) = state.split_at_mut_checked(p) else {
        return false;
    };
    let outer_scale = prior.outer_scale / T::of_usize(shape.neurons).sqrt();
    let sd_v = half_cauchy(stream, outer_scale);
    let sd_c = half_cauchy(stream, prior.linear_scale);
    let beta = gamma(stream, prior.noise_shape, prior.noise_rate);
    let index = (stream.uniform::<T>() * T::of_usize(TAILS.len())).to_usize();
    let nu = match TAILS.get(index) {
        _ if gaussian => T::INFINITY,
        Some(nu) => T::lit(*nu),
        None => T::lit(TAILS[0]),
    };
    for (k, x) in theta.iter_mut().enumerate() {
        let sd = of_coordinate(*shape, k, [T::ONE, sd_v, prior.intercept_sd, sd_c, T::NAN]);
        *x = if k < shape.dim() {
            sd * stream.normal()
        } else {
            ln(half_cauchy(stream, prior.input_scale))
        };
    }
    let square_inverse = |x: T| T::ONE / (x * x);
    let scales = [beta, square_inverse(sd_v), square_inverse(sd_c), nu];
    for (k, x) in rest.iter_mut().enumerate() {
        *x = match scales.get(k) {
            Some(v) => *v,
            None if gaussian => T::ONE,
            None => gamma(stream, T::HALF * nu, T::HALF * nu),
        };
    }
    true
}

/// The values of a draw of [`crate::posterior`] (w, b, v, b0, c, sigma, nu) from a chain's state.
/// `false`, with nothing written, if a length does not fit.
pub fn draw_of_state<T: Real>(shape: &NetworkShape, state: &[T], draw: &mut [T]) -> bool {
    let p = model::coordinates(shape.inputs, shape.neurons);
    let (Some(theta), Some([beta, _, _, nu])) =
        (state.get(..p), state.get(p..).and_then(|s| s.first_chunk::<4>()))
    else {
        return false;
    };
    if draw.len() != shape.dim().saturating_add(2) {
        return false;
    }
    let d = shape.inputs.max(1);
    let scale = |j: usize| {
        let log = theta.get(shape.dim().saturating_add(j)).copied().unwrap_or(T::ZERO);
        special::scalar::exp(log)
    };
    let values = theta.iter().take(shape.dim()).enumerate().map(|(k, x)| {
        if k < shape.biases_at() {
            *x * scale(k.checked_rem(d).unwrap_or(0))
        } else if k < shape.outer_at() {
            *x * scale(d)
        } else {
            *x
        }
    });
    let values = values.chain([T::ONE / beta.sqrt(), *nu]);
    draw.iter_mut().zip(values).for_each(|(a, b)| *a = b);
    true
}

/// Fills a store with draws from the prior: its predictions are the prior predictive, in the units
/// of the store's standardisation. `state` and `draw` are scratch of [`state_len`] (with no rows) and
/// the store's draw length. Draws that overflow the precision (half-Cauchy tails) are drawn again.
pub fn write_prior_draws<T: Real, const ANY: bool>(
    store: &mut Store<'_, T, ANY>,
    draws: usize,
    prior: &NetworkPrior<T>,
    gaussian: bool,
    stream: &mut Stream,
    state: &mut [T],
    draw: &mut [T],
) -> Result<(), StoreError> {
    let image = store.image();
    let shape = NetworkShape { inputs: image.inputs(), neurons: image.first_width() };
    let mut left = draws;
    // Overflows have probability below 1e-3: the bound is never reached.
    let mut tries = draws.saturating_mul(16).saturating_add(64);
    while left > 0 {
        let fits = draw_prior(&shape, prior, gaussian, stream, state)
            && draw_of_state(&shape, state, draw);
        if !fits {
            return Err(StoreError::Length);
        }
        match store.push(draw) {
            Ok(()) => left -= 1,
            Err(StoreError::Value) if tries > 0 => tries -= 1,
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
