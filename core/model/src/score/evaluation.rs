//! Scores of rows that were predicted.

use super::NoiseFacts;
use crate::predict::{ClassScores, Predictions};

/// Means over rows.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Rows.
    pub n: usize,
    /// Root mean square error.
    pub rmse: f64,
    /// Mean log density, of classes log probability.
    pub log_likelihood: f64,
    /// Share of measured values inside their interval.
    pub coverage: f64,
    /// Mean width of the intervals.
    pub width: f64,
    /// Mean continuous ranked probability score.
    pub crps: f64,
    /// Rows above 0 where a fifth or more is 0, none below, and not all are whole; and the share of them inside their
    /// interval.
    pub above_zero: Option<(usize, f64)>,
    /// Of classes, where of the above only the logarithm is there.
    pub classes: Option<ClassScores>,
    /// What a model of classes says of rows of noise.
    pub noise: Option<NoiseFacts>,
}

/// Of numbers that are often 0 what the intervals hold of those above it.
fn above_zero(p: &Predictions, y: &[f64]) -> Option<(usize, f64)> {
    let zeros = y.iter().filter(|y| **y == 0.0).count();
    let positive = y.iter().filter(|y| **y > 0.0).count();
    let whole = y.iter().all(|y| y.floor() == *y);
    let inside = |i: &usize| y[*i] > 0.0 && y[*i] >= p.lower[*i] && y[*i] <= p.upper[*i];
    let covered = (0..y.len()).filter(inside).count();
    let often = !whole && zeros + positive == y.len() && 5 * zeros >= y.len() && positive > 0;
    often.then(|| (positive, covered as f64 / positive as f64))
}

/// Scores predictions whose targets were known.
pub fn evaluate(p: &Predictions, y: &[f64]) -> Evaluation {
    let n = p.n as f64;
    if let Some(scored) = p.scored {
        let log_likelihood = scored.log_likelihood;
        return Evaluation { n: p.n, log_likelihood, classes: p.scored, ..Evaluation::default() };
    }
    let (mut squares, mut densities, mut widths, mut crps, mut hits) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for i in 0..p.n {
        let residual = y[i] - p.mean[i];
        squares += residual * residual;
        densities += p.log_density[i];
        crps += p.crps.get(i).copied().unwrap_or(0.0);
        widths += p.upper[i] - p.lower[i];
        hits += if y[i] >= p.lower[i] && y[i] <= p.upper[i] { 1.0 } else { 0.0 };
    }
    Evaluation {
        above_zero: above_zero(p, y),
        n: p.n,
        rmse: (squares / n).sqrt(),
        log_likelihood: densities / n,
        coverage: hits / n,
        width: widths / n,
        crps: crps / n,
        ..Evaluation::default()
    }
}
