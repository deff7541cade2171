//! Moments of what a sampler records: of every column ([`Column`](crate::column::Column)) and every draw,
//! whether or not its row is stored.

use super::layout::SUMS;
use crate::scalar::Real;
use crate::sum::two_sum;

/// Mean and variance of one column over the draws of one chain so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments<T> {
    /// The draws.
    pub count: u32,
    /// Their mean; NaN without draws.
    pub mean: T,
    /// Their variance, divisor count - 1; NaN with fewer than two draws.
    pub variance: T,
}

/// Takes one draw into the sums of its column: the first draw becomes the origin, and deviations
/// from it and their squares are summed with compensation. Near enough to the mean that nothing is
/// lost in their difference, and exact enough in single precision for any number of draws.
#[inline(always)]
pub(super) fn accumulate<T: Real, const N: usize>(
    sums: &mut [[T; N]; SUMS],
    first: bool,
    draw: &[T; N],
) {
    if first {
        *sums = [*draw, [T::ZERO; N], [T::ZERO; N], [T::ZERO; N], [T::ZERO; N]];
    }
    let [origin, sum, lost, squares, lost_squares] = sums;
    let lanes = origin.iter().zip(draw).zip(sum.iter_mut().zip(lost));
    for (((o, x), (sum, lost)), (squares, lost_squares)) in
        lanes.zip(squares.iter_mut().zip(lost_squares))
    {
        let x = *x - *o;
        for (sum, lost, x) in [(sum, lost, x), (squares, lost_squares, x * x)] {
            let (next, remainder) = two_sum(*sum, x);
            *sum = next;
            *lost += remainder;
        }
    }
}

/// The moments of a chain from the five numbers that [`accumulate`] keeps.
pub(super) fn moments<T: Real>(sums: [T; SUMS], count: u32) -> Moments<T> {
    let [origin, sum, lost, squares, lost_squares] = sums;
    let n = T::of_u32(count);
    let deviation = (sum + lost) / n;
    let mean = if count > 0 { origin + deviation } else { T::NAN };
    let variance = if count > 1 {
        let scatter = (squares + lost_squares) - deviation * (sum + lost);
        T::ZERO.max(scatter) / T::of_u32(count.wrapping_sub(1))
    } else {
        T::NAN
    };
    Moments { count, mean, variance }
}
