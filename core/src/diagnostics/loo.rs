//! Leave-one-out and WAIC from the log likelihood of each row under each draw: A. Vehtari, A. Gelman and J. Gabry,
//! "Practical Bayesian model evaluation using leave-one-out cross-validation and WAIC" (Statistics and Computing 27,
//! 2017), with the smoothing of [`psis`](super::psis).

use super::draws::{Draws, DrawsError};
use super::psis::{limit, log_sum_exp, smooth};
use super::rank::sort;
use super::{convergence, ess};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};
use crate::sum::Sum;

/// What the draws say of one row. NaN where they have no log likelihood, or an infinite one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LooRow<T> {
    /// log p(y_i | y without i), estimated.
    pub elpd: T,
    /// Its Monte Carlo standard error; holds while k is below the limit.
    pub mcse: T,
    /// Pareto k of its weights: above the limit this row moves the posterior too much for elpd to be relied on.
    pub k: T,
    /// log p(y_i | y): in sample. lpd - elpd is what the row adds to the effective number of parameters.
    pub lpd: T,
    /// The variance of its log likelihood: WAIC's number of parameters. WAIC's elpd is lpd - p_waic.
    pub p_waic: T,
}

/// All rows together: sums, each with its standard error sqrt(n variance) over rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loo<T> {
    /// Rows.
    pub rows: usize,
    /// Rows with k above the limit, or without a number.
    pub bad: usize,
    /// The limit of k for so many draws: min(1 - 1/log10 S, .7).
    pub k_limit: T,
    /// The largest k.
    pub k_max: T,
    /// The expected log predictive density of rows like these: larger is better.
    pub elpd: T,
    /// Its standard error.
    pub elpd_error: T,
    /// The Monte Carlo part of it, of the draws alone, as if those of rows were independent: what draws err at like rows alike makes
    /// it larger.
    pub mcse: T,
    /// The effective number of parameters.
    pub p: T,
    /// Its standard error.
    pub p_error: T,
    /// WAIC's estimate of elpd.
    pub elpd_waic: T,
    /// Its standard error.
    pub elpd_waic_error: T,
    /// WAIC's number of parameters.
    pub p_waic: T,
    /// Its standard error.
    pub p_waic_error: T,
}

/// One row, from its log likelihoods. The effective size of the draws, which the length of the tail and the standard
/// error go by, is that of the likelihood over its chains; of fewer than 4 draws a chain as of independent ones.
/// `scratch`: [`scratch_len`](super::scratch_len) numbers. Cost: a sort, and what [`smooth`](super::psis::smooth) takes.
pub fn loo_row<T: Real>(
    log_likelihood: &Draws<'_, T>,
    scratch: &mut [T],
) -> Result<LooRow<T>, DrawsError> {
    let (raw, weights) = log_likelihood.buffers(scratch)?;
    let mut places = raw.iter_mut();
    log_likelihood.for_each(|x| {
        if let Some(place) = places.next() {
            *place = -x;
        }
    });
    if !raw.iter().all(|x| x.is_finite()) {
        let nan = T::NAN;
        return Ok(LooRow { elpd: nan, mcse: nan, k: nan, lpd: nan, p_waic: nan });
    }
    let size = T::of_usize(log_likelihood.size());
    let (_, p_waic) = convergence::mean_and_variance(log_likelihood);
    let lpd = log_sum_exp(raw.len(), &|i| raw.get(i).map(|x| -*x)) - ln(size);
    let relative = if log_likelihood.draws() < 4 {
        T::ONE
    } else {
        let split = log_likelihood.split(weights, |x| exp(x - lpd));
        ess::ess(split, log_likelihood.half()) / size
    };
    sort(raw, weights);
    weights.iter_mut().zip(&*raw).for_each(|(w, x)| *w = *x);
    let tail = smooth(weights, relative);
    let elpd = log_sum_exp(raw.len(), &|i| Some(*weights.get(i)? - *raw.get(i)?));
    let squares = Sum::of(weights.iter().zip(&*raw).map(|(w, x)| {
        let apart = exp(*w) * (exp(-*x - elpd) - T::ONE);
        apart * apart
    }));
    Ok(LooRow { elpd, mcse: (squares / relative).sqrt(), k: tail.k, lpd, p_waic })
}

/// A sum over rows and its standard error, which is NaN for one row.
#[inline(never)]
fn total<T: Real>(rows: usize, of: &dyn Fn(usize) -> Option<T>) -> (T, T) {
    let (n, terms) = (T::of_usize(rows), || (0..rows).filter_map(of));
    let sum = Sum::of(terms());
    let mean = sum / n;
    let squares = Sum::of(terms().map(|x| (x - mean) * (x - mean)));
    (sum, (n * squares / (n - T::ONE)).sqrt())
}

/// All rows together, of `draws` draws each.
pub fn loo<T: Real>(rows: &[LooRow<T>], draws: usize) -> Loo<T> {
    let n = rows.len();
    let (k_limit, mut bad, mut k_max) = (limit(draws), 0_usize, -T::INFINITY);
    for row in rows {
        bad = bad.wrapping_add(!(row.k <= k_limit) as usize);
        // A row without a k leaves the largest of the others.
        k_max = if row.k > k_max { row.k } else { k_max };
    }
    let sum = |f: fn(&LooRow<T>) -> T| total(n, &|i| rows.get(i).map(f));
    let (elpd, elpd_error) = sum(|r| r.elpd);
    let (p, p_error) = sum(|r| r.lpd - r.elpd);
    let (elpd_waic, elpd_waic_error) = sum(|r| r.lpd - r.p_waic);
    let (p_waic, p_waic_error) = sum(|r| r.p_waic);
    let mcse = Sum::of(rows.iter().map(|r| r.mcse * r.mcse)).sqrt();
    Loo {
        rows: n,
        bad,
        k_limit,
        k_max,
        elpd,
        elpd_error,
        mcse,
        p,
        p_error,
        elpd_waic,
        elpd_waic_error,
        p_waic,
        p_waic_error,
    }
}

/// By how much the elpd of model a is larger than that of b, and the standard error of that: of the same rows in the
/// same order.
pub fn loo_difference<T: Real>(a: &[LooRow<T>], b: &[LooRow<T>]) -> (T, T) {
    total(a.len().min(b.len()), &|i| Some(a.get(i)?.elpd - b.get(i)?.elpd))
}
