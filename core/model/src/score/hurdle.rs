//! The distribution of a hurdle without inputs: the share of zeros, and a log-normal distribution of the rest.

use super::judge::gaussian;
use crate::rows::Rows;

pub(super) struct Hurdle {
    zero: f64,
    mean: f64,
    variance: f64,
}

impl Hurdle {
    /// Of the training rows.
    pub(super) fn of(train: &Rows) -> Self {
        let logs = || train.targets().iter().filter(|y| **y > 0.0).map(|y| y.ln());
        let n = logs().count() as f64;
        let mean = logs().fold(0.0, |sum, log| sum + log) / n;
        let share = |log: f64| (log - mean) * (log - mean) / (n - 1.0) * (1.0 + 1.0 / n);
        let variance = logs().fold(0.0, |sum, log| sum + share(log));
        Self { zero: 1.0 - n / train.n as f64, mean, variance }
    }

    /// The log density of a number, of 0 the log probability.
    pub(super) fn score(&self, y: f64) -> f64 {
        if y > 0.0 {
            (-self.zero).ln_1p() + gaussian(y.ln(), self.mean, self.variance) - y.ln()
        } else {
            self.zero.ln()
        }
    }
}
