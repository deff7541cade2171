//! What each row was predicted to be by the posterior given the rows before it.

use super::problem::{Form, Posterior};
use super::sampled::Sampled;
use crate::fault::Fault;
use crate::methods::{GreedySettings, fit_relaxed};
use crate::rows::Rows;
use crate::watch::Silent;
use lcc_core::prior::PriorKind;
use lcc_core::theory::regret;
use std::f64::consts::TAU;

/// Row by row.
#[derive(Clone, Debug, Default)]
pub struct Online {
    /// The log likelihood of each: they add up to the log evidence.
    pub log_likelihood: Vec<f64>,
    /// The mean of the output.
    pub mean: Vec<f64>,
    /// Joint: the squared loss of the best network in hindsight, by relaxed greedy least squares.
    pub best: Option<f64>,
}

/// Cumulative losses.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// Joint: minus log density, in nats; greedy: minus the log of the mean tilt.
    pub log: f64,
    /// Squared.
    pub squared: f64,
    /// V sqrt(log d/N).
    pub order: f64,
}

impl Online {
    /// The losses, added up.
    pub fn losses(&self, posterior: &Posterior, rows: &Rows) -> Losses {
        // What the likelihood of a row lacks to be a density.
        let normaliser = match posterior.form {
            Form::Joint => 0.5 * (posterior.beta / TAU).ln(),
            Form::Greedy => 0.0,
        };
        let mut sum = Losses { log: 0.0, squared: 0.0, order: 0.0 };
        for ((log, mean), y) in self.log_likelihood.iter().zip(&self.mean).zip(rows.targets()) {
            let miss = y - mean;
            sum.log -= log + normaliser;
            sum.squared += miss * miss;
        }
        sum.order = regret::of_variation(posterior.outer, rows.d, self.mean.len());
        sum
    }
}

impl Sampled {
    /// Fits the best network in hindsight, where there are rows of a joint posterior.
    pub(super) fn compare_online(
        &mut self,
        posterior: &Posterior,
        seed: u64,
        rows: &Rows,
    ) -> Result<(), Fault> {
        let Some(online) = self.online.as_mut().filter(|_| posterior.form == Form::Joint) else {
            return Ok(());
        };
        let mut best = GreedySettings {
            as_printed: true,
            activation: posterior.activation,
            seed,
            levels: posterior.neurons.min(4096),
            outer: posterior.outer,
            scale: if posterior.prior == PriorKind::L1Ball { posterior.scale } else { 0.0 },
            double: true,
            ..GreedySettings::default()
        };
        best.complete_relaxed();
        let (_, last) = fit_relaxed(&best, rows, &Silent)?;
        online.best = Some(last.error * rows.n as f64);
        Ok(())
    }
}
