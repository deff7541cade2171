//! How many levels are used, with what weights, and what noise they leave.

use super::layout::{Parts, Shape};
use super::options::GreedyError;
use super::recursion::share;
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::linalg::one::{cholesky, solve_lower, solve_lower_transposed};
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::sum::Sum;

const BROKEN: GreedyError = GreedyError::NotAnEstimator;

/// The spread counts in the ridge in full, by a tenth, by a hundredth, ...: so many are tried.
const RIDGES: u32 = 3;

/// The least part of the squared errors that is noise and not the spread of the levels.
const LEAST: f64 = 0.25;

/// The result: levels used, intercept, noise's sd; the coefficients are written.
pub(super) struct Selected<T> {
    pub levels: usize,
    pub intercept: T,
    pub noise: T,
}

/// Chooses by the rows held out (all levels without), among the first levels at their shares, or
/// re-fitted: what leaves the least predictive variance there ([`Levels::score`]).
///
/// The ridge is that of a single draw: |y - sum_k c_k m_k|^2 + sum_k c_k^2 |s_k|^2, m_k the level's mean
/// and s_k^2 its variance over the particles, is what a draw of one particle a level errs by on average.
/// Without the second term collinear levels get large weights of either sign, and their spread swamps
/// what the means gain. n K^2 + 2 K^3 flops (re-fitted), else 2 n K.
pub(super) fn select<T: Real>(
    parts: &mut Parts<'_, T>,
    shape: &Shape<T>,
) -> Result<Selected<T>, GreedyError> {
    let (n, all, fitted) = (shape.n, shape.levels(), shape.fitted());
    let o = &shape.options;
    let Parts { y, means, spreads, coefficients, gram, factor, vectors, .. } = parts;
    let levels = Levels { y, means, spreads, n };
    let held = if fitted < n { fitted..n } else { 0..n };
    let mut best = (T::INFINITY, all, T::ONE, T::ZERO);
    if !o.refit.on() {
        let shares = |used: usize, coefficients: &mut [T]| {
            coefficients.iter_mut().enumerate().for_each(|(k, c)| *c = share(o.beta, k, used));
        };
        for used in if fitted < n { 1 } else { all }..=all {
            shares(used, coefficients);
            let (score, noise) = levels.score(held.clone(), T::ZERO, coefficients, o.keep);
            if score < best.0 {
                best = (score, used, T::ONE, noise);
            }
        }
        let (_, used, _, noise) = best;
        shares(used, coefficients);
        return Ok(Selected { levels: used, intercept: T::ZERO, noise });
    }
    let mut vectors = pieces_mut(vectors, all);
    let (Some(centres), Some(products), Some(forward), Some(widths)) =
        (vectors.next(), vectors.next(), vectors.next(), vectors.next())
    else {
        return Err(BROKEN);
    };
    let mean_y = T::ZERO;
    let mut ridge = Ridge { levels, gram, factor, centres, products, forward, widths, mean_y };
    ridge.gather(0..fitted)?;
    let mut weight = T::ONE;
    for _ in 0..if fitted < n { RIDGES } else { 1 } {
        ridge.factorise(o.ridge, weight);
        for used in if fitted < n { 1 } else { all }..=all {
            let intercept = ridge.solve(used, coefficients)?;
            let (score, noise) = ridge.levels.score(held.clone(), intercept, coefficients, o.keep);
            if score < best.0 {
                best = (score, used, weight, noise);
            }
        }
        weight = weight * T::lit(0.1);
    }
    // What was chosen on the rows held out is estimated from all of them.
    let (score, used, weight, noise) = best;
    refuse(!score.is_finite(), GreedyError::NotDone)?;
    ridge.gather(0..n)?;
    ridge.factorise(o.ridge, weight);
    let intercept = ridge.solve(used, coefficients)?;
    Ok(Selected { levels: used, intercept, noise })
}

/// The levels' means at all rows, and the targets.
struct Levels<'a, T> {
    y: &'a [T],
    means: &'a [T],
    spreads: &'a [T],
    n: usize,
}

impl<T: Real> Levels<'_, T> {
    /// The predictive variance that some rows ask for, and the sd of the noise in it: the mean squared
    /// error e, less the mean spread s of the levels, and at least e/4, is the noise; the variance is
    /// noise + s + s/J, the last for a model of J = `draws` of the particles.
    fn score(
        &self,
        rows: core::ops::Range<usize>,
        intercept: T,
        coefficients: &[T],
        draws: u32,
    ) -> (T, T) {
        let count = T::of_usize(rows.len());
        let (mut squares, mut spread) = (Sum::ZERO, Sum::ZERO);
        for i in rows {
            let mut f = intercept;
            let levels = pieces(self.means, self.n).zip(pieces(self.spreads, self.n));
            for (c, (means, spreads)) in coefficients.iter().zip(levels) {
                f += *c * means.get(i).copied().unwrap_or(T::NAN);
                spread.add(*c * (*c * spreads.get(i).copied().unwrap_or(T::NAN)));
            }
            let miss = self.y.get(i).copied().unwrap_or(T::NAN) - f;
            squares.add(miss * miss);
        }
        let (error, spread) = (squares.value() / count, spread.value() / count);
        let noise = (error - spread).max(T::lit(LEAST) * error).max(T::MIN_POSITIVE);
        (noise + spread + spread / T::of_u32(draws), noise.sqrt())
    }
}

/// Ridge regression on the first so many levels.
struct Ridge<'a, T> {
    levels: Levels<'a, T>,
    gram: &'a mut [T],
    factor: &'a mut [T],
    /// Of each level: its mean over the rows, its product with the target, the forward solution, its mean spread.
    centres: &'a mut [T],
    products: &'a mut [T],
    forward: &'a mut [T],
    widths: &'a mut [T],
    mean_y: T,
}

impl<T: Real> Ridge<'_, T> {
    /// The centred Gram matrix of the levels' means over some rows, and their products with the
    /// targets, each divided by the rows.
    fn gather(&mut self, rows: core::ops::Range<usize>) -> Result<(), GreedyError> {
        let n = self.levels.n;
        let (means, spreads, y) = (self.levels.means, self.levels.spreads, self.levels.y);
        let count = T::of_usize(rows.len());
        let mean_of = |values: &[T]| Sum::of(values.iter().copied()) / count;
        let covariance = |a: &[T], b: &[T], mean_a: T, mean_b: T| {
            Sum::of(a.iter().zip(b).map(|(a, b)| (*a - mean_a) * (*b - mean_b))) / count
        };
        let y = y.get(rows.clone()).ok_or(BROKEN)?;
        let mean_y = mean_of(y);
        for (width, own) in self.widths.iter_mut().zip(pieces(spreads, n)) {
            *width = mean_of(own.get(rows.clone()).ok_or(BROKEN)?);
        }
        let mut packed = &mut *self.gram;
        for (k, own) in pieces(means, n).enumerate().take(self.centres.len()) {
            let own = own.get(rows.clone()).ok_or(BROKEN)?;
            let centre = mean_of(own);
            if let Some((c, p)) = self.centres.get_mut(k).zip(self.products.get_mut(k)) {
                (*c, *p) = (centre, covariance(own, y, centre, mean_y));
            }
            let taken = core::mem::take(&mut packed);
            let (row, rest) = taken.split_at_mut_checked(k.saturating_add(1)).ok_or(BROKEN)?;
            packed = rest;
            for ((entry, other), other_centre) in
                row.iter_mut().zip(pieces(means, n)).zip(&*self.centres)
            {
                let other = other.get(rows.clone()).ok_or(BROKEN)?;
                *entry = covariance(own, other, centre, *other_centre);
            }
        }
        self.mean_y = mean_y;
        Ok(())
    }

    /// Factorises Gram + penalty mean(diagonal) I + weight diag(spreads); its leading blocks are those of
    /// fewer levels.
    fn factorise(&mut self, penalty: T, weight: T) {
        let all = self.widths.len();
        let diagonal =
            |k: usize| lower_len(k.saturating_add(1)).map_or(0, |end| end.wrapping_sub(1));
        self.factor.iter_mut().zip(&*self.gram).for_each(|(f, g)| *f = *g);
        let mut trace = T::ZERO;
        for k in 0..all {
            trace += self.gram.get(diagonal(k)).copied().unwrap_or(T::ZERO);
        }
        let ridge = penalty * trace / T::of_usize(all);
        for (k, width) in self.widths.iter().enumerate() {
            if let Some(d) = self.factor.get_mut(diagonal(k)) {
                *d += ridge + weight * *width;
            }
        }
        let (blocks, _) = self.factor.as_chunks_mut::<1>();
        cholesky(blocks, all, T::EPSILON * T::of_usize(all));
        let (factor, _) = self.factor.as_chunks::<1>();
        self.forward.iter_mut().zip(&*self.products).for_each(|(f, p)| *f = *p);
        solve_lower(factor, self.forward.as_chunks_mut::<1>().0);
    }

    /// The coefficients on the first `used` levels, 0 beyond; the intercept.
    fn solve(&mut self, used: usize, coefficients: &mut [T]) -> Result<T, GreedyError> {
        let length = lower_len(used).ok_or(BROKEN)?;
        let mut intercept = self.mean_y;
        let factor = self.factor.get(..length).ok_or(BROKEN)?;
        let (factor, _) = factor.as_chunks::<1>();
        coefficients.fill(T::ZERO);
        let own = coefficients.get_mut(..used).ok_or(BROKEN)?;
        own.iter_mut().zip(&*self.forward).for_each(|(c, f)| *c = *f);
        solve_lower_transposed(factor, own.as_chunks_mut::<1>().0);
        for (c, centre) in own.iter().zip(&*self.centres) {
            intercept -= *c * *centre;
        }
        Ok(intercept)
    }
}
