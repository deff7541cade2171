//! The temperature at which probabilities of held-out rows score best.

use super::network::PredictError;
use crate::error::refuse;
use crate::pieces::pieces;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};
use crate::sum::Sum;

/// The sd of the logarithm of the temperature before the rows are seen: what decides where few rows do not.
const SPREAD: f64 = 0.5;
/// Halvings of the range of the logarithm, (-3, 3): to about 1e-6.
const HALVINGS: usize = 22;
/// How far from 1 probabilities may sum: those of ten classes with two decimals.
const OFF: f64 = 0.05;

/// The temperature t under which y scores best: the maximum of sum_i ln P_t(y_i) - ln(t)^2 / (2 / 4) with P_t(c)
/// proportional to P(c)^(1/t) (Guo et al. 2017). The probabilities are of held-out rows, `classes` for each
/// target (predictions of folds), and sum to 1 to a twentieth. Exact posterior predictives of clean labels
/// are usually too cautious (t < 1). Compensated sums over the rows in order; 22 passes, an exponential a
/// probability each. [`PredictError::Target`] where a target is no class, [`PredictError::Probability`] where a probability is
/// not in [0, 1] or those of a row do not sum to 1,
/// [`PredictError::TooShort`] where the lists do not fit.
pub fn temperature<T: Real>(
    probabilities: &[T],
    targets: &[T],
    classes: usize,
) -> Result<T, PredictError> {
    let all = targets.len().checked_mul(classes).filter(|all| *all > 0 && classes > 1);
    if all != Some(probabilities.len()) {
        return Err(PredictError::TooShort);
    }
    let is_class =
        |y: &T| *y >= T::ZERO && *y < T::of_usize(classes) && T::of_usize(y.to_usize()) == *y;
    let is_probability = |p: &T| *p >= T::ZERO && *p <= T::ONE;
    refuse(!targets.iter().all(is_class), PredictError::Target)?;
    let is_row = |row: &[T]| {
        let sum = Sum::of(row.iter().copied());
        row.iter().all(is_probability) && (sum - T::ONE).abs() <= T::lit(OFF)
    };
    refuse(!pieces(probabilities, classes).all(is_row), PredictError::Probability)?;
    // Of the power 1/t = e^u: the slope of the objective falls from plus to minus.
    let slope = |u: T| {
        let power = exp(u);
        let rows = pieces(probabilities, classes).zip(targets);
        let sum = Sum::of(rows.map(|(row, y)| row_slope(row, y.to_usize(), power)));
        power * sum - u / T::lit(SPREAD * SPREAD)
    };
    let (mut low, mut high) = (T::lit(-3.0), T::lit(3.0));
    for _ in 0..HALVINGS {
        let middle = T::HALF * (low + high);
        if slope(middle) > T::ZERO { low = middle } else { high = middle }
    }
    Ok(exp(-T::HALF * (low + high)))
}

/// d/db [b ln p_y - ln sum_c p_c^b]: ln p_y less the mean of ln p under p^b.
fn row_slope<T: Real>(row: &[T], y: usize, power: T) -> T {
    // Below this a probability is as good as none, and the row does not decide alone.
    let log = |p: &T| ln(p.max(T::lit(1e-30)));
    let most = row.iter().fold(-T::INFINITY, |most, p| most.max(log(p)));
    let weights = row.iter().map(|p| exp(power * (log(p) - most)));
    let sum = Sum::of(weights.clone());
    let mean = Sum::of(weights.zip(row).map(|(w, p)| w * log(p))) / sum;
    row.get(y).map_or(T::ZERO, log) - mean
}
