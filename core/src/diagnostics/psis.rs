//! Pareto-smoothed importance sampling: A. Vehtari, D. Simpson, A. Gelman, Y. Yao and J. Gabry, "Pareto Smoothed
//! Importance Sampling" (Journal of Machine Learning Research 25, 2024); the generalised Pareto fit is that of J. Zhang
//! and M. A. Stephens (Technometrics 51, 2009).

use crate::scalar::Real;
use crate::special::scalar::{exp, exp_m1, ln, ln_1p};
use crate::sum::Sum;

/// What was fitted to the largest weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail<T> {
    /// How many they are: ceil(min(S/5, 3 sqrt(S/r))) of S weights of relative effective size r.
    pub length: usize,
    /// The shape of their generalised Pareto law, drawn to 1/2 as by ten observations. From 1/2 on the raw weights have
    /// no variance, above [`limit`] their sums are not to be relied on. Infinite where there is no fit: fewer than 5,
    /// or all the same; the weights then stay as they are.
    pub k: T,
    /// Its scale, of weights of which the largest is 1; NaN where there is no fit.
    pub sigma: T,
}

/// The largest k at which S weights are to be relied on: min(1 - 1/log10 S, .7).
pub fn limit<T: Real>(weights: usize) -> T {
    let ten = T::lit(core::f64::consts::LN_10);
    (T::ONE - ten / ln(T::of_usize(weights))).min(T::lit(0.7))
}

/// log sum exp of `n` numbers; -infinity of none.
// A function to call: all of it is exponentials.
#[inline(never)]
pub(super) fn log_sum_exp<T: Real>(n: usize, term: &dyn Fn(usize) -> Option<T>) -> T {
    let terms = || (0..n).filter_map(term);
    let top = terms().fold(-T::INFINITY, |top, x| x.max(top));
    if !top.is_finite() {
        return top;
    }
    top + ln(Sum::of(terms().map(|x| exp(x - top))))
}

/// Makes normalised log weights of log ratios, in ascending order both: the largest are replaced by the expected order
/// statistics of the law that is fitted to them. `relative_ess`: the effective sample size over S, 1 of independent
/// draws. The numbers must be finite.
///
/// Cost: S exponentials, and for a tail of M (30 + sqrt M) M logarithms.
pub fn smooth<T: Real>(log_ratios: &mut [T], relative_ess: T) -> Tail<T> {
    let top = log_ratios.last().copied().unwrap_or(T::ZERO);
    log_ratios.iter_mut().for_each(|w| *w -= top);
    let tail = smooth_tail(log_ratios, tail_length(log_ratios.len(), relative_ess));
    let total = log_sum_exp(log_ratios.len(), &|i| log_ratios.get(i).copied());
    log_ratios.iter_mut().for_each(|w| *w -= total);
    tail
}

/// ceil(min(S/5, 3 sqrt(S/r))).
fn tail_length<T: Real>(size: usize, relative_ess: T) -> usize {
    let size = T::of_usize(size);
    let longest = T::lit(3.0) * (size / relative_ess).sqrt();
    let length = (size * T::lit(0.2)).min(longest);
    (-(-length).floor()).to_usize()
}

/// The shape of the heavier tail of draws in ascending order: k of the generalised Pareto law of the excesses of
/// ceil(min(S/5, 3 sqrt S)) draws at either end, drawn to 1/2 as [`Tail::k`] is. From 1/2 on the law has no variance, from 1
/// on no mean; above .7 a mean over the draws is led by a few of them, and its standard error says nothing (Vehtari et al.
/// 2024, 2.4). NaN of fewer than 25 draws and of ends that are one value. And the number of excesses, and the largest.
/// `excesses`: as many numbers as draws.
pub(super) fn heavier_tail<T: Real>(sorted: &[T], excesses: &mut [T]) -> (T, usize, T) {
    let length = tail_length(sorted.len(), T::ONE);
    let (mut heavier, mut farthest) = (T::NAN, T::ZERO);
    for upper in [false, true] {
        let at = |j: usize| {
            let from_end = length.wrapping_sub(j);
            let place =
                if upper { sorted.len().wrapping_sub(from_end.wrapping_add(1)) } else { from_end };
            sorted.get(place).copied().unwrap_or(T::NAN)
        };
        let Some(tail) = excesses.get_mut(..length).filter(|tail| tail.len() >= 5) else {
            continue;
        };
        let cutoff = at(0);
        for (j, excess) in tail.iter_mut().enumerate() {
            *excess = (at(j.wrapping_add(1)) - cutoff).abs();
        }
        let (k, _) = fit(tail);
        if k.is_finite() && !(k <= heavier) {
            (heavier, farthest) = (k, tail.last().copied().unwrap_or(T::ZERO));
        }
    }
    (heavier, length, farthest)
}

fn smooth_tail<T: Real>(log_weights: &mut [T], length: usize) -> Tail<T> {
    let none = Tail { length, k: T::INFINITY, sigma: T::NAN };
    let Some(body) = log_weights.len().checked_sub(length) else { return none };
    let Some((body, tail)) = log_weights.split_at_mut_checked(body) else { return none };
    let (Some(cutoff), Some(first), Some(last)) = (body.last(), tail.first(), tail.last()) else {
        return none;
    };
    if length < 5 || first >= last {
        return none;
    }
    let base = exp(*cutoff);
    tail.iter_mut().for_each(|w| *w = exp(*w) - base);
    let (k, sigma) = fit(tail);
    let n = T::of_usize(length);
    if !(k.is_finite() && sigma > T::ZERO) {
        tail.iter_mut().for_each(|w| *w = ln(*w + base));
        return none;
    }
    for (j, w) in tail.iter_mut().enumerate() {
        // log(1 - q) at q = (j + 1/2)/n.
        let log_upper = ln_1p(-(T::of_usize(j) + T::HALF) / n);
        let excess = if k.abs() < T::EPSILON { -log_upper } else { exp_m1(-k * log_upper) / k };
        *w = ln(sigma * excess + base).min(T::ZERO);
    }
    Tail { length, k, sigma }
}

/// k and sigma of sorted excesses over a threshold: the mean of theta = -k/sigma over a grid, by its profile
/// likelihood; k drawn to 1/2 as by ten observations.
// A function to call: the work of a row.
#[inline(never)]
fn fit<T: Real>(excesses: &[T]) -> (T, T) {
    let n = T::of_usize(excesses.len());
    let shape = |theta: T| Sum::of(excesses.iter().map(|x| ln_1p(-theta * *x))) / n;
    // Element floor(n/4 + 1/2), from 1.
    let quartile = excesses.len().wrapping_add(2) / 4;
    let quartile = excesses.get(quartile.saturating_sub(1)).copied().unwrap_or(T::NAN);
    let largest = excesses.last().copied().unwrap_or(T::NAN);
    let points = n.sqrt().to_usize().saturating_add(30);
    // The softmax of the profile as it goes: its top so far, the sum, and that of theta.
    let (mut top, mut sum, mut theta) = (-T::INFINITY, T::ZERO, T::ZERO);
    for j in 0..points {
        let spread = (T::of_usize(points) / (T::of_usize(j) + T::HALF)).sqrt();
        let at = T::ONE / largest + (T::ONE - spread) / (T::lit(3.0) * quartile);
        let k = shape(at);
        let profile = n * (ln(-at / k) - k - T::ONE);
        let rise = profile.max(top);
        let (old, new) = (exp(top - rise), exp(profile - rise));
        sum = sum * old + new;
        theta = theta * old + at * new;
        top = rise;
    }
    theta = theta / sum;
    let k = shape(theta);
    ((n * k + T::lit(5.0)) / (n + T::lit(10.0)), -k / theta)
}
