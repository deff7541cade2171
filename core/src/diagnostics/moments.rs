//! Means and variances of a stream, without its draws.

use crate::scalar::Real;
use crate::sum::{Sum, two_sum};
use core::borrow::Borrow;

/// The running moments of one quantity: the mean and the sum M2 of squared deviations from it, each
/// as a high and a low word (compensated, so that single precision does for millions of draws). All
/// zeros before the first draw. Plain numbers: they may lie in any memory and be copied.
pub type Moment<T> = [T; 4];

pub(super) const fn empty<T: Real>() -> Moment<T> {
    [T::ZERO; 4]
}

/// A count as a number.
#[inline(always)]
fn number<T: Real>(count: u64) -> T {
    let (high, low) = ((count >> 32) as u32, count as u32);
    T::of_u32(high) * T::exp2i(T::lit(32.0)) + T::of_u32(low)
}

/// `high + low + x`, the result again as a rounded value and the rest.
#[inline(always)]
fn add<T: Real>(high: T, low: T, x: T) -> (T, T) {
    let (s, e) = two_sum(high, x);
    two_sum(s, e + low)
}

/// One draw of one quantity, and one more in the count: Welford's step (Technometrics 4, 1962). About 30
/// flops. A value that is not finite makes NaN.
pub fn update<T: Real>(count: &mut u64, moment: &mut Moment<T>, x: T) {
    *count = count.saturating_add(1);
    let reciprocal = T::ONE / number(*count);
    let [mean, mean_low, m2, m2_low] = *moment;
    let before = (x - mean) - mean_low;
    let (mean, mean_low) = add(mean, mean_low, before * reciprocal);
    let after = (x - mean) - mean_low;
    let (m2, m2_low) = add(m2, m2_low, before * after);
    *moment = [mean, mean_low, m2, m2_low];
}

/// The mean; 0 before the first draw.
pub fn mean<T: Real>(moment: &Moment<T>) -> T {
    let [mean, ..] = *moment;
    mean
}

/// The variance M2 / (count - 1) of `count` draws; NaN for fewer than two.
pub fn variance<T: Real>(count: u64, moment: &Moment<T>) -> T {
    let [_, _, m2, _] = *moment;
    match count {
        0 | 1 => T::NAN,
        _ => m2 / number(count.wrapping_sub(1)),
    }
}

/// R-hat of one quantity from the moments of its chains, each of `count` draws: the root of
/// (n - 1) / n + V / W with V the variance of the chains' means and W the mean of their variances
/// (A. Gelman, D. Rubin, Statistical Science 7, 1992, without the correction for degrees of freedom).
/// Not split and not rank-normalised: blind to a drift that all chains share, and of no use for
/// infinite variances, but it needs no draws. NaN for fewer than two chains or draws, or 0/0.
pub fn rhat_from_moments<T: Real>(
    count: u64,
    chains: impl IntoIterator<Item = impl Borrow<Moment<T>>>,
) -> T {
    let mut means = empty();
    let mut variances = Sum::ZERO;
    let mut seen = 0u64;
    for moment in chains {
        update(&mut seen, &mut means, mean(moment.borrow()));
        variances.add(variance(count, moment.borrow()));
    }
    let within = variances.value() / number(seen);
    (variance(seen, &means) / within + (T::ONE - T::ONE / number(count))).sqrt()
}
