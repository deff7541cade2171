//! Subnetworks by Maurey's argument: M units of a network's last hidden layer, drawn in proportion to
//! their outer weights, stand for all (Barron 1993; \[B\]).
//!
//! Of f = sum_j c_j g_j, V = sum_j |c_j|, let j_1, ..., j_M be drawn independently with probabilities
//! |c_j|/V, and f_M = (V/M) sum_m sign(c_(j_m)) g_(j_m). Then E f_M = f and, in any norm of a Hilbert
//! space,
//!
//! E||f - f_M||^2 = (V sum_j |c_j| ||g_j||^2 - ||f||^2)/M,
//!
//! at most V^2/M where ||g_j|| <= 1: some subnetwork of M units is that close. What the g_j are made of
//! does not matter, so one of L hidden layers keeps those below as they are, and no path weight grows.

use crate::pieces::pieces;
use crate::random::Stream;
use crate::scalar::Real;
use crate::sum::Sum;
use crate::theory::variation;

/// Draws a subnetwork of `neurons` units: `sparse` (as many numbers as `outer`) becomes its outer weights,
/// V sign(c_j)/M times the number of times that unit j was drawn. V, its variation too, is returned.
/// One uniform of the stream a draw, the units in order in their cumulative |c_j|; J flops each. `None`,
/// with nothing drawn, where V is zero or not finite, there are no neurons, or `sparse` is short.
pub fn draw<T: Real>(
    outer: &[T],
    neurons: usize,
    stream: &mut Stream,
    sparse: &mut [T],
) -> Option<T> {
    let sparse = sparse.get_mut(..outer.len())?;
    let variation = variation::outer(outer);
    if !(variation > T::ZERO && variation.is_finite()) || neurons == 0 {
        return None;
    }
    sparse.fill(T::ZERO);
    for _ in 0..neurons {
        let mut left = variation * stream.uniform::<T>();
        let mut drawn = None;
        // The last of weight not zero takes what rounding leaves over.
        for (c, count) in outer.iter().zip(sparse.iter_mut()).filter(|(c, _)| **c != T::ZERO) {
            drawn = Some(count);
            left -= c.abs();
            if left < T::ZERO {
                break;
            }
        }
        if let Some(count) = drawn {
            *count += T::ONE;
        }
    }
    let each = variation / T::of_usize(neurons);
    for (weight, c) in sparse.iter_mut().zip(outer) {
        *weight = *weight * each.copysign(*c);
    }
    Some(variation)
}

/// E||f - f_M||^2 = (V sum_j |c_j| ||g_j||^2 - ||f||^2)/M exactly, ||.||^2 the mean square over given rows:
/// `units` has the values of the J last units row after row. As the mean over the rows of
/// V sum_j |c_j| (sign(c_j) g_j - f/V)^2, which does not cancel; 0 without a row or a weight that is not
/// zero. 6 flops a value; the sum over the rows is compensated.
pub fn expected_error<T: Real>(outer: &[T], units: &[T], neurons: usize) -> T {
    let variation = variation::outer(outer);
    if outer.is_empty() || variation == T::ZERO {
        return T::ZERO;
    }
    let (mut sum, mut rows) = (Sum::ZERO, 0_usize);
    for row in pieces(units, outer.len()) {
        let f = outer.iter().zip(row).fold(T::ZERO, |f, (c, g)| f + *c * *g);
        let mean = f / variation;
        let spread = outer.iter().zip(row).fold(T::ZERO, |spread, (c, g)| {
            let off = T::ONE.copysign(*c) * *g - mean;
            spread + c.abs() * (off * off)
        });
        sum.add(variation * spread);
        rows = rows.saturating_add(1);
    }
    if rows == 0 { T::ZERO } else { sum.value() / (T::of_usize(rows) * T::of_usize(neurons)) }
}
