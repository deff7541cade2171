//! Networks with units left out at random: in each step of the optimisation, and in each draw (Srivastava et al. 2014;
//! Gal and Ghahramani 2016).

use crate::network::Architecture;
use crate::random::{Stream, uniforms};
use crate::scalar::Real;

/// What each coordinate is multiplied by: what a hidden unit sends up by 0 with probability `rate`, else by
/// 1 / (1 - rate), so that its mean stays; all else by 1. Draws of each lane: a uniform a unit, layer by layer.
pub(super) fn factors<T: Real, const N: usize>(
    architecture: &Architecture,
    rate: T,
    streams: &mut [Stream; N],
    out: &mut [[T; N]],
) {
    out.iter_mut().for_each(|x| *x = [T::ONE; N]);
    let kept = T::ONE / (T::ONE - rate);
    for (l, layer) in architecture.layers().enumerate() {
        let above = architecture.layer(l.saturating_add(1));
        let (first, rows) = match above {
            Some(above) => (above.weights_at, above.units),
            None => (architecture.outer_at(), architecture.outputs),
        };
        for unit in 0..layer.units {
            let own = uniforms::<T, N>(streams).map(|u| if u < rate { T::ZERO } else { kept });
            let column = out.get_mut(first.saturating_add(unit)..).unwrap_or_default();
            column.iter_mut().step_by(layer.units.max(1)).take(rows).for_each(|x| *x = own);
        }
    }
}

/// out = factors theta.
pub(super) fn multiply<T: Real, const N: usize>(
    factors: &[[T; N]],
    theta: &[[T; N]],
    out: &mut [[T; N]],
) {
    for ((out, factor), theta) in out.iter_mut().zip(factors).zip(theta) {
        for ((out, factor), theta) in out.iter_mut().zip(factor).zip(theta) {
            *out = *factor * *theta;
        }
    }
}

/// The gradient of log p(theta), where the likelihood is of factors theta, from that of the density relative to
/// N(0, I) there.
pub(super) fn pull_back<T: Real, const N: usize>(
    factors: &[[T; N]],
    theta: &[[T; N]],
    gradient: &mut [[T; N]],
) {
    for ((slope, factor), theta) in gradient.iter_mut().zip(factors).zip(theta) {
        for ((slope, factor), theta) in slope.iter_mut().zip(factor).zip(theta) {
            *slope = *factor * *slope - *theta;
        }
    }
}
