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
    /// Of classes, where of the above only the logarithm is there.
    pub classes: Option<ClassScores>,
    /// What a model of classes says of rows of noise.
    pub noise: Option<NoiseFacts>,
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
        n: p.n,
        rmse: (squares / n).sqrt(),
        log_likelihood: densities / n,
        coverage: hits / n,
        width: widths / n,
        crps: crps / n,
        ..Evaluation::default()
    }
}
