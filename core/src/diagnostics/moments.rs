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

/// Welford's step (Technometrics 4, 1962), `reciprocal` being one over the count with x.
#[inline(always)]
fn step<T: Real>(moment: &mut Moment<T>, x: T, reciprocal: T) {
    let [mean, mean_low, m2, m2_low] = *moment;
    let before = (x - mean) - mean_low;
    let (mean, mean_low) = add(mean, mean_low, before * reciprocal);
    let after = (x - mean) - mean_low;
    let (m2, m2_low) = add(m2, m2_low, before * after);
    *moment = [mean, mean_low, m2, m2_low];
}

/// One draw of one quantity.
pub(super) fn update<T: Real>(count: &mut u64, moment: &mut Moment<T>, x: T) {
    *count = count.saturating_add(1);
    step(moment, x, T::ONE / number(*count));
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

/// The running moments of several quantities, drawn together, in the caller's memory: one count and
/// one [`Moment`] a quantity, zeros at the start. For R-hat a sampler keeps one set a chain.
#[derive(Debug)]
pub struct Moments<'a, T> {
    count: &'a mut u64,
    moments: &'a mut [Moment<T>],
}

impl<'a, T: Real> Moments<'a, T> {
    /// Goes on from what the memory holds: zeros, or the state of an earlier use.
    pub fn new(count: &'a mut u64, moments: &'a mut [Moment<T>]) -> Self {
        Self { count, moments }
    }

    /// Forgets every draw.
    pub fn clear(&mut self) {
        *self.count = 0;
        self.moments.fill(empty());
    }

    /// The draws seen.
    pub fn count(&self) -> u64 {
        *self.count
    }

    /// The moments, one a quantity.
    pub fn moments(&self) -> &[Moment<T>] {
        self.moments
    }

    /// One draw: a value for each quantity, in order. About 30 flops a quantity. A quantity that gets
    /// no value becomes NaN, as does one that gets a value that is not finite; values in excess are
    /// left alone.
    #[inline]
    pub fn push(&mut self, values: impl IntoIterator<Item = T>) {
        *self.count = self.count.saturating_add(1);
        let reciprocal = T::ONE / number(*self.count);
        let mut values = values.into_iter();
        for moment in self.moments.iter_mut() {
            step(moment, values.next().unwrap_or(T::NAN), reciprocal);
        }
    }

    /// Joins the moments of other draws of the same quantities, as if these had been pushed too
    /// (T. Chan, G. Golub, R. LeVeque, "Algorithms for computing the sample variance", 1983,
    /// eq. 1.5). Quantities the other side lacks become NaN, unless it has seen no draws.
    pub fn merge(&mut self, count: u64, moments: &[Moment<T>]) {
        if count == 0 {
            return;
        }
        let own: T = number(*self.count);
        *self.count = self.count.saturating_add(count);
        let share = number::<T>(count) / number(*self.count);
        let mut others = moments.iter();
        for moment in self.moments.iter_mut() {
            let [mean, mean_low, m2, m2_low] = *moment;
            let [b, b_low, b2, b2_low] = others.next().copied().unwrap_or([T::NAN; 4]);
            let apart = (b - mean) + (b_low - mean_low);
            let (mean, mean_low) = add(mean, mean_low, apart * share);
            let (m2, m2_low) = add(m2, m2_low, b2);
            let (m2, m2_low) = add(m2, m2_low, b2_low + apart * apart * share * own);
            *moment = [mean, mean_low, m2, m2_low];
        }
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
