//! The effective sample size and R-hat of equally long chains laid one after another.

use super::draws::is_nan;
use super::moments::{self, Moment};
use super::sum::add_dot;
use crate::scalar::Real;
use crate::special::scalar::ln;
use crate::sum::Sum;

/// Subtracts its mean from a chain and multiplies by `scale`: the deviations from the first element,
/// less their mean, so that a constant chain becomes zero exactly and an offset costs no precision.
/// Returns the mean less `reference`, scaled.
fn centre<T: Real>(chain: &mut [T], reference: T, scale: T) -> T {
    let Some(first) = chain.first().copied() else { return T::ZERO };
    let mut sum = Sum::ZERO;
    for x in chain.iter_mut() {
        *x = (*x - first) * scale;
        sum.add(*x);
    }
    let mean = sum.value() / T::of_usize(chain.len());
    for x in chain.iter_mut() {
        *x -= mean;
    }
    (first - reference) * scale + mean
}

/// Centres and scales every chain (n draws each); returns the variance of the chains' means (NaN for
/// one chain).
fn centre_all<T: Real>(x: &mut [T], n: usize, scale: T) -> T {
    let reference = x.first().copied().unwrap_or(T::ZERO);
    let mut count = 0u64;
    let mut means: Moment<T> = moments::empty();
    for chain in x.chunks_exact_mut(n.max(1)) {
        let mean = centre(chain, reference, scale);
        moments::update(&mut count, &mut means, mean);
    }
    moments::variance(count, &means)
}

/// The mean over centred chains of (1/n) sum_t x_t x_(t + lag). Two flops a pair; chains in order,
/// each as [`add_dot`] sums.
fn autocovariance<T: Real>(x: &[T], n: usize, lag: usize) -> T {
    let mut sum = Sum::ZERO;
    for chain in x.chunks_exact(n.max(1)) {
        if let Some(late) = chain.get(lag..) {
            add_dot(&mut sum, chain, late);
        }
    }
    sum.value() / T::of_usize(x.len())
}

/// A power of two that brings a range of at least 1e-15 near 1, so that no square over- or underflows;
/// exact, so it changes nothing else. 1 for an infinite range.
fn unit_scale<T: Real>(range: T) -> T {
    if !range.is_finite() {
        return T::ONE;
    }
    let (_, exponent) = range.split_exponent();
    T::exp2i((-exponent).max(T::lit(1.0 - T::BIAS as f64)))
}

/// The effective sample size and R-hat of some chains.
#[derive(Clone, Copy)]
pub(super) struct Chains<T> {
    pub(super) ess: T,
    pub(super) rhat: T,
}

/// The effective sample size (`_ess` of ArviZ) and R-hat (`_rhat`: the root of (B / W + n - 1) / n
/// with B / n the variance of the chains' means and W the mean of their variances) of chains of
/// n >= 2 draws each, laid one after another in `x`, which is overwritten. The effective sample size
/// by Geyer's initial positive and monotone sequences, autocovariances lag by lag until the first
/// pair of autocorrelations with a sum that is not positive.
///
/// Cost: 2 S K flops for S draws, where K, the lags looked at, is a few autocorrelation times; up to
/// n for chains that disagree or do not move.
pub(super) fn ess<T: Real>(x: &mut [T], n: usize) -> T {
    analyse(x, n, true).ess
}

/// As [`ess`], R-hat alone: without the autocovariances.
pub(super) fn rhat<T: Real>(x: &mut [T], n: usize) -> T {
    analyse(x, n, false).rhat
}

/// As [`ess`], both, or R-hat alone.
pub(super) fn analyse<T: Real>(x: &mut [T], n: usize, with_ess: bool) -> Chains<T> {
    let size = T::of_usize(x.len());
    let (low, high) = x.iter().fold((T::INFINITY, -T::INFINITY), |(l, h), v| (v.min(l), v.max(h)));
    let constant = high - low < T::lit(1e-15);
    let between = centre_all(x, n, if constant { T::ONE } else { unit_scale(high - low) });
    let count = T::of_usize(n);
    let within = autocovariance(x, n, 0) * count / (count - T::ONE);
    let rhat = (between / within + (T::ONE - T::ONE / count)).sqrt();
    let ess = match (constant, with_ess) {
        (true, _) => size,
        (false, false) => T::NAN,
        (false, true) => {
            let between = if x.len() > n { between } else { T::ZERO };
            geyer(x, n, within, within * (count - T::ONE) / count + between)
        }
    };
    Chains { ess, rhat }
}

/// S over the autocorrelation time of centred chains with variances `within` and `total`.
fn geyer<T: Real>(x: &[T], n: usize, within: T, total: T) -> T {
    let size = T::of_usize(x.len());
    let correlation = |lag| T::ONE - (within - autocovariance(x, n, lag)) / total;
    let (mut even, mut odd) = (T::ONE, correlation(1));
    if is_nan(odd) {
        return T::NAN;
    }
    // `even` and `odd` are the autocorrelations at t - 1 and t. A pair counts, cut to the pair before
    // it, once the next has been looked at; of the last pair only the even one does, once.
    let mut t = 1usize;
    let mut sum = T::ZERO;
    let mut bound = T::INFINITY;
    while t.saturating_add(3) < n && even + odd > T::ZERO {
        bound = (even + odd).min(bound);
        sum += bound;
        even = correlation(t.wrapping_add(1));
        odd = correlation(t.wrapping_add(2));
        t = t.wrapping_add(2);
    }
    let last = if even > T::ZERO || even + odd >= T::ZERO { even } else { T::ZERO };
    let time = T::lit(2.0) * sum + last - T::ONE;
    // Antithetic chains: no more than S log10 S.
    let ln_size = ln(size);
    let shortest = T::lit(core::f64::consts::LN_10) / ln_size;
    size / if shortest > time { shortest } else { time }
}
