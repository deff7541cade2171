//! What a fit came to.

use super::Pace;
use crate::engine::Number;
use crate::fault::{Fault, at};
use lcc_core::diagnostics::{self, Draws};
use std::fmt::Display;

/// A model, and what is known of how it was made. NaN, or 0, where something is not of the method.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// Significant digits of its precision.
    pub digits: usize,
    /// The image; `None` where the run was stopped too early.
    pub model: Option<Vec<u8>>,
    /// Of chains of the network: the best start, a model of one draw.
    pub point: Option<Vec<u8>>,
    /// Bytes that the run took.
    pub workspace: usize,
    /// The largest R-hat of predictions.
    pub rhat_max: f64,
    /// Their smallest bulk effective sample size.
    pub ess_bulk_min: f64,
    /// The mean probability of acceptance.
    pub acceptance: f64,
    /// What another seed would change at training rows, in predictive sds: root mean square, and median.
    pub luck: f64,
    /// The same, the median.
    pub luck_median: f64,
    /// The log density at a mode.
    pub log_joint: f64,
    /// Laplace's log evidence, or the bound of it.
    pub log_evidence: f64,
    /// From the mode, in posterior sds.
    pub distance: f64,
    /// The Monte Carlo error of log_evidence.
    pub error: f64,
    /// Steps to the mode; of chains of part of the rows the length of one.
    pub steps: f64,
    /// Of such chains: T ...
    pub tempered_at: f64,
    /// ... and what is known of their changes of the loss: the variance,
    pub variance: f64,
    /// above which it is too large,
    pub variance_limit: f64,
    /// skewness
    pub skewness: f64,
    /// and excess kurtosis.
    pub kurtosis: f64,
    /// Of probabilities of classes, where they were calibrated.
    pub temperature: Option<f64>,
    /// Chains in the model.
    pub chains_used: usize,
    /// Chains left out of it.
    pub chains_dropped: usize,
    /// Draws from trajectories that diverged.
    pub divergences: u64,
    /// Evaluations of the gradient.
    pub gradients: u64,
    /// Levels of greedy methods.
    pub levels_used: usize,
    /// What it took.
    pub seconds: f64,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// The smaller of two numbers; the other where one is NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if b < a || a.is_nan() { b } else { a }
}

impl Fit {
    /// Of a method without chains, at its end or before.
    pub(crate) fn without_chains(
        digits: usize,
        pace: &Pace<'_>,
        workspace: usize,
        done: bool,
    ) -> Self {
        let mut own = Self { digits, workspace, interrupted: !done, ..Self::default() };
        (own.seconds, own.gradients) = (pace.seconds, pace.at.gradients);
        (own.rhat_max, own.ess_bulk_min) = (f64::NAN, f64::NAN);
        own
    }

    /// R-hat and effective sample size, the worst over predictions by so many chains and draws.
    pub(crate) fn mixing<'a, T: Number, E: Display>(
        &mut self,
        traces: impl Iterator<Item = Result<Draws<'a, T>, E>>,
        (chains, draws): (usize, u32),
    ) -> Result<(), Fault> {
        let doing = "the diagnostics";
        let size = diagnostics::scratch_len(chains, draws as usize);
        let mut scratch = vec![T::ZERO; size.ok_or_else(|| Fault::failed("the run is too large"))?];
        (self.rhat_max, self.ess_bulk_min) = (f64::NAN, f64::NAN);
        for draws in traces {
            let s = diagnostics::summary(&draws.map_err(at(doing))?, &mut scratch);
            let s = s.map_err(at(doing))?;
            self.rhat_max = -smaller(-self.rhat_max, -s.rhat.to_f64());
            self.ess_bulk_min = smaller(self.ess_bulk_min, s.ess_bulk.to_f64());
        }
        Ok(())
    }
}
