//! R-hat, effective sample sizes and Monte Carlo standard errors of stored draws.
//!
//! Every function costs one or two sorts (S log2 S comparisons for S draws), S normal quantiles where
//! ranks are normalised, and the autocovariances of [`super::ess::ess`]; sorts and ranks are over the
//! draws, chain after chain, so the numbers do not depend on strides. The scratch of each is
//! [`scratch_len`](super::scratch_len) numbers.

use super::draws::{Draws, DrawsError};
use super::ess::{self, Chains, ess};
use super::psis;
use super::rank::{any_nan, median_of_sorted, normal_scores, quantile_of_sorted, sort};
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::sum::Sum;

/// What there is to say about the draws of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary<T> {
    /// The mean of all draws.
    pub mean: T,
    /// Their standard deviation (denominator S - 1).
    pub sd: T,
    /// The 5 % quantile.
    pub q5: T,
    /// The median.
    pub median: T,
    /// The 95 % quantile.
    pub q95: T,
    /// The Monte Carlo standard error of the mean: [`mcse_mean`].
    pub mcse_mean: T,
    /// That of the standard deviation: [`mcse_sd`].
    pub mcse_sd: T,
    /// The effective sample size for the mean: [`ess_mean`].
    pub ess_mean: T,
    /// That of the bulk: [`ess_bulk`].
    pub ess_bulk: T,
    /// That of the tails: [`ess_tail`].
    pub ess_tail: T,
    /// Rank-normalised split R-hat: [`rhat`].
    pub rhat: T,
}

/// Whether the draws have diagnostics: at least 4 a chain, none NaN.
fn valid<T: Real>(draws: &Draws<'_, T>, min_chains: usize) -> bool {
    draws.draws() >= 4 && draws.chains() >= min_chains && !draws.any_nan()
}

/// f of the two buffers of the scratch where the draws have diagnostics, else NaN.
fn of_valid<T: Real>(
    draws: &Draws<'_, T>,
    min_chains: usize,
    scratch: &mut [T],
    f: impl FnOnce(&mut [T], &mut [T]) -> T,
) -> Result<T, DrawsError> {
    let (a, b) = draws.buffers(scratch)?;
    Ok(if valid(draws, min_chains) { f(a, b) } else { T::NAN })
}

/// The mean of the draws, exact on constants: an origin and the mean of the deviations from it.
#[derive(Clone, Copy)]
struct Centre<T> {
    origin: T,
    shift: T,
}

impl<T: Real> Centre<T> {
    fn of(draws: &Draws<'_, T>) -> Self {
        let origin = draws.at(0, 0);
        let mut sum = Sum::ZERO;
        draws.for_each(|x| sum.add(x - origin));
        Self { origin, shift: sum.value() / T::of_usize(draws.size()) }
    }

    #[inline(always)]
    fn deviation(self, x: T) -> T {
        (x - self.origin) - self.shift
    }

    /// The mean of f(deviation) over all draws.
    fn mean_of(self, draws: &Draws<'_, T>, f: impl Fn(T) -> T) -> T {
        let mut sum = Sum::ZERO;
        draws.for_each(|x| sum.add(f(self.deviation(x))));
        sum.value() / T::of_usize(draws.size())
    }

    /// The variance of the draws, denominator S - 1.
    fn variance(self, draws: &Draws<'_, T>) -> T {
        let size = T::of_usize(draws.size());
        self.mean_of(draws, |d| d * d) * (size / (size - T::ONE))
    }
}

/// The mean of all draws and their variance (denominator S - 1).
pub(crate) fn mean_and_variance<T: Real>(draws: &Draws<'_, T>) -> (T, T) {
    let centre = Centre::of(draws);
    (centre.origin + centre.shift, centre.variance(draws))
}

/// All draws, sorted, in the first buffer; the second is overwritten.
fn sort_all<T: Real>(draws: &Draws<'_, T>, sorted: &mut [T], spare: &mut [T]) {
    let mut places = sorted.iter_mut();
    draws.for_each(|x| {
        if let Some(place) = places.next() {
            *place = x;
        }
    });
    sort(sorted, spare);
}

/// f(draws), split and sorted, in `sorted`; `None` where one is NaN. `spare` is overwritten.
fn sort_split<'s, T: Real>(
    draws: &Draws<'_, T>,
    f: impl Fn(T) -> T,
    sorted: &'s mut [T],
    spare: &mut [T],
) -> Option<&'s [T]> {
    let sorted = draws.split(sorted, f);
    if any_nan(sorted) {
        return None;
    }
    sort(sorted, spare);
    Some(sorted)
}

/// The normal scores of f(draws), split, in `out`.
fn scores<'s, T: AnyLanes>(
    draws: &Draws<'_, T>,
    f: impl Fn(T) -> T,
    sorted: &[T],
    out: &'s mut [T],
) -> &'s mut [T] {
    let out = draws.split(out, f);
    normal_scores(out, sorted);
    out
}

/// R-hat of the distances from the median of the split draws.
fn folded_rhat<T: AnyLanes>(draws: &Draws<'_, T>, median: T, a: &mut [T], b: &mut [T]) -> T {
    let fold = |x: T| (x - median).abs();
    match sort_split(draws, fold, a, b) {
        Some(sorted) => ess::rhat(scores(draws, fold, sorted, b), draws.half()),
        None => T::NAN,
    }
}

/// The larger; the first if either is NaN.
fn larger<T: Real>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The smaller; the first if either is NaN.
fn smaller<T: Real>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

fn below<T: Real>(draws: &Draws<'_, T>, quantile: T, a: &mut [T]) -> T {
    let x = draws.split(a, |x| if x <= quantile { T::ONE } else { T::ZERO });
    ess(x, draws.half())
}

fn centred_ess<T: Real>(draws: &Draws<'_, T>, a: &mut [T]) -> T {
    ess(draws.split(a, |x| x), draws.half())
}

fn squares_ess<T: Real>(draws: &Draws<'_, T>, centre: Centre<T>, a: &mut [T]) -> T {
    let square = |x| {
        let d = centre.deviation(x);
        d * d
    };
    let x = draws.split(a, square);
    if any_nan(x) { T::NAN } else { ess(x, draws.half()) }
}

/// In units of the standard deviation, so that fourth powers stay in range.
fn sd_error<T: Real>(draws: &Draws<'_, T>, centre: Centre<T>, ess: T) -> T {
    let sd = centre.mean_of(draws, |d| d * d).sqrt();
    let spread = centre.mean_of(draws, |d| {
        let u = d / sd;
        let apart = u * u - T::ONE;
        apart * apart
    });
    sd * (spread / ess).sqrt() * T::HALF
}

/// Rank-normalised split R-hat: the larger of that of the draws and that of their distances from the
/// median (`arviz.rhat(method="rank")`; Vehtari et al. 2021, section 4). NaN for one chain, as there:
/// view it as two.
pub fn rhat<T: AnyLanes>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 2, scratch, |a, b| {
        let Some(sorted) = sort_split(draws, |x| x, a, b) else { return T::NAN };
        let median = median_of_sorted(sorted);
        let bulk = ess::rhat(scores(draws, |x| x, sorted, b), draws.half());
        larger(bulk, folded_rhat(draws, median, a, b))
    })
}

/// The effective sample size of the bulk: of the normal scores of the split chains' ranks
/// (`arviz.ess(method="bulk")`).
///
/// Like every effective sample size here at most S log10 S; S (the split chains' draws) where the
/// values differ by less than 1e-15.
pub fn ess_bulk<T: AnyLanes>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, b| match sort_split(draws, |x| x, a, b) {
        Some(sorted) => ess(scores(draws, |x| x, sorted, b), draws.half()),
        None => T::NAN,
    })
}

/// The effective sample size of the tails: the smaller of [`ess_quantile`] at 5 % and 95 %
/// (`arviz.ess(method="tail")`).
pub fn ess_tail<T: Real>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, b| {
        sort_all(draws, a, b);
        let low = quantile_of_sorted(a, T::lit(0.05));
        let high = quantile_of_sorted(a, T::lit(0.95));
        smaller(below(draws, low, a), below(draws, high, a))
    })
}

/// The shape of the heavier tail of the draws, k of a generalised Pareto law at either end (see [`psis::Tail::k`]; from 1 on
/// there is no mean), and whether it is above .7, beyond which draws do not tell a mean, by a standard error of its own, and
/// reaches 10 sds beyond the rest, as a far point that a chain stays at for long does not. NaN, and not too heavy, of fewer than 25 draws.
pub fn tail_shape<T: Real>(
    draws: &Draws<'_, T>,
    scratch: &mut [T],
) -> Result<(T, bool), DrawsError> {
    let mut leads = false;
    let k = of_valid(draws, 1, scratch, |a, b| {
        sort_all(draws, a, b);
        let (k, length, farthest) = psis::heavier_tail(a, b);
        let (_, variance) = mean_and_variance(draws);
        // Of a shape above -1/2, by maximum likelihood.
        let error = (T::ONE + k) / T::of_usize(length).sqrt();
        leads = k - error > T::lit(0.7) && farthest > T::lit(10.0) * variance.sqrt();
        k
    })?;
    Ok((k, leads))
}

/// The effective sample size for the p quantile: of the indicators of draws at or below it
/// (`arviz.ess(method="quantile", prob=p)`). NaN unless 0 <= p <= 1.
pub fn ess_quantile<T: Real>(
    draws: &Draws<'_, T>,
    p: T,
    scratch: &mut [T],
) -> Result<T, DrawsError> {
    let known = p >= T::ZERO && p <= T::ONE;
    of_valid(draws, 1, scratch, |a, b| {
        sort_all(draws, a, b);
        let quantile = quantile_of_sorted(a, p);
        if known { below(draws, quantile, a) } else { T::NAN }
    })
}

/// The p quantile of all draws, linear between order statistics (type 7). NaN unless 0 <= p <= 1, or
/// with a NaN among the draws.
pub fn quantile<T: Real>(draws: &Draws<'_, T>, p: T, scratch: &mut [T]) -> Result<T, DrawsError> {
    let (a, b) = draws.buffers(scratch)?;
    if draws.any_nan() {
        return Ok(T::NAN);
    }
    sort_all(draws, a, b);
    Ok(quantile_of_sorted(a, p))
}

/// The effective sample size for the mean: of the split chains as they are
/// (`arviz.ess(method="mean")`).
pub fn ess_mean<T: Real>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, _| centred_ess(draws, a))
}

/// The effective sample size for the standard deviation: of the squared deviations from the mean
/// (`arviz.ess(method="sd")`).
pub fn ess_sd<T: Real>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, _| squares_ess(draws, Centre::of(draws), a))
}

/// The Monte Carlo standard error of the mean of the draws: sd / sqrt([`ess_mean`])
/// (`arviz.mcse(method="mean")`).
pub fn mcse_mean<T: Real>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, _| {
        (Centre::of(draws).variance(draws) / centred_ess(draws, a)).sqrt()
    })
}

/// The Monte Carlo standard error of the standard deviation: with d the squared deviations from the
/// mean, sqrt(var(d) / [`ess_sd`] / mean(d) / 4) (`arviz.mcse(method="sd")`, ArviZ 0.23; no
/// normality assumed).
pub fn mcse_sd<T: Real>(draws: &Draws<'_, T>, scratch: &mut [T]) -> Result<T, DrawsError> {
    of_valid(draws, 1, scratch, |a, _| {
        let centre = Centre::of(draws);
        sd_error(draws, centre, squares_ess(draws, centre, a))
    })
}

/// Everything at once; each number as the function of its name gives it, bit for bit.
pub fn summary<T: AnyLanes>(
    draws: &Draws<'_, T>,
    scratch: &mut [T],
) -> Result<Summary<T>, DrawsError> {
    let (a, b) = draws.buffers(scratch)?;
    let nan = T::NAN;
    let centre = Centre::of(draws);
    let variance = centre.variance(draws);
    let mut sum = Sum::ZERO;
    draws.for_each(|x| sum.add(x));
    let mut all = Summary {
        mean: sum.value() / T::of_usize(draws.size()),
        sd: variance.sqrt(),
        q5: nan,
        median: nan,
        q95: nan,
        mcse_mean: nan,
        mcse_sd: nan,
        ess_mean: nan,
        ess_bulk: nan,
        ess_tail: nan,
        rhat: nan,
    };
    if draws.any_nan() {
        return Ok(all);
    }
    sort_all(draws, a, b);
    all.q5 = quantile_of_sorted(a, T::lit(0.05));
    all.median = median_of_sorted(a);
    all.q95 = quantile_of_sorted(a, T::lit(0.95));
    if !valid(draws, 1) {
        return Ok(all);
    }
    // Of an even number of draws the halves hold all: sorted already.
    let sorted =
        if draws.draws().is_multiple_of(2) { Some(&*a) } else { sort_split(draws, |x| x, a, b) };
    if let Some(sorted) = sorted {
        let median = median_of_sorted(sorted);
        let z = scores(draws, |x| x, sorted, b);
        let Chains { ess, rhat } = ess::analyse(z, draws.half(), true);
        all.ess_bulk = ess;
        if draws.chains() >= 2 {
            all.rhat = larger(rhat, folded_rhat(draws, median, a, b));
        }
    }
    all.ess_tail = smaller(below(draws, all.q5, a), below(draws, all.q95, a));
    all.ess_mean = centred_ess(draws, a);
    all.mcse_mean = (variance / all.ess_mean).sqrt();
    all.mcse_sd = sd_error(draws, centre, squares_ess(draws, centre, a));
    Ok(all)
}
