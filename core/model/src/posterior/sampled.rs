//! What is reported of a run.

use super::online::Online;
use super::settings::SampleSettings;
use super::summary::Summed;
use crate::engine::Number;
use crate::fault::Fault;
use lcc_core::smc::{Ladder, Smc};
use lcc_core::tempering::Tempering;

/// The draws of one chain, or a share of the particles.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The step size of a chain.
    pub step: Option<f64>,
    /// Steps of every trajectory: of the methods that make some, and always as many.
    pub leapfrogs: Option<u32>,
    /// Numbers of a draw: log density, then of chains acceptance, divergence and energy, of others the log likelihood; w.
    pub width: usize,
    /// Draw by draw.
    pub values: Vec<f64>,
}

/// Expectations, their errors, diagnostics and costs. NaN where something is not of the sampler.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// Significant digits of the precision.
    pub digits: usize,
    /// What was run: of auto, what it chose ...
    pub sampler: &'static str,
    /// ... and why.
    pub reason: String,
    /// Chains that are reported.
    pub chains: usize,
    /// Draws of each, or particles.
    pub draws: usize,
    /// Of the output at each query ...
    pub expectation: Vec<f64>,
    /// ... and its Monte Carlo standard error.
    pub mcse: Vec<f64>,
    /// Of each coordinate of w.
    pub mean: Vec<f64>,
    /// The same.
    pub variance: Vec<f64>,
    /// The largest R-hat.
    pub rhat_max: f64,
    /// The smallest effective sample size of the bulk.
    pub ess_bulk_min: f64,
    /// And of the tails.
    pub ess_tail_min: f64,
    /// The mean probability of acceptance.
    pub acceptance: f64,
    /// Evaluations of the gradient.
    pub gradients: u64,
    /// Draws from trajectories that diverged.
    pub divergences: u64,
    /// Of the likelihood over the prior.
    pub log_evidence: f64,
    /// Its standard error.
    pub log_evidence_error: f64,
    /// Temperatures, if there are any.
    pub ladder: Vec<f64>,
    /// Rows that were predicted one step ahead.
    pub online: Option<Online>,
    /// Draws of the prior that particles descend from.
    pub families: Option<u64>,
    /// Nothing mixes.
    pub unreliable: bool,
    /// Tempering: of the chain that has fewest.
    pub restarts: u32,
    /// Tempering: the least mean acceptance of a pair of temperatures.
    pub swap: f64,
    /// What the warm-up took, and runs before it.
    pub seconds_warmup: f64,
    /// What the rest took.
    pub seconds_sampling: f64,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// The draws, where they were asked for.
    pub drawn: Vec<Drawn>,
}

impl Sampled {
    pub(super) fn new(s: &SampleSettings, digits: usize) -> Self {
        let none = f64::NAN;
        Self {
            digits,
            sampler: s.chains.sampler.name(),
            reason: s.reason.clone(),
            chains: s.chains.chains as usize,
            rhat_max: none,
            ess_bulk_min: none,
            ess_tail_min: none,
            acceptance: none,
            log_evidence: none,
            log_evidence_error: none,
            swap: none,
            ..Self::default()
        }
    }

    /// Keeps the worst of each; a quantity that does not move has none.
    pub(super) fn count(&mut self, sum: &Summed) {
        let Some([rhat, bulk, tail]) = sum.agreement else { return };
        if rhat.is_finite() && !(rhat <= self.rhat_max) {
            self.rhat_max = rhat;
        }
        if bulk.is_finite() && !(bulk >= self.ess_bulk_min) {
            self.ess_bulk_min = bulk;
        }
        if tail.is_finite() && !(tail >= self.ess_tail_min) {
            self.ess_tail_min = tail;
        }
    }

    /// Evidence, ladder and acceptance of particles, and of rows let in one by one what each was predicted to be.
    pub(super) fn take_particles<T: Number>(
        &mut self,
        own: &Smc<'_, T>,
        rows: usize,
    ) -> Result<(), Fault> {
        let evidence =
            own.evidence().ok_or_else(|| Fault::failed("the evidence: not there yet"))?;
        self.log_evidence = evidence.log.to_f64();
        self.log_evidence_error = evidence.standard_error.to_f64();
        self.families = Some(evidence.families);
        for stage in (0..own.position().stages as usize).map_while(|k| own.stage(k)) {
            self.ladder.push(stage.temperature.to_f64());
            self.acceptance = stage.acceptance.to_f64();
        }
        if own.options().ladder == Ladder::Rows {
            let all: Vec<_> = (0..rows).map_while(|row| own.predicted(row)).collect();
            self.online = Some(Online {
                log_likelihood: all.iter().map(|p| p.log_likelihood.to_f64()).collect(),
                mean: all.iter().map(|p| p.mean.to_f64()).collect(),
                best: None,
            });
        }
        Ok(())
    }

    /// Evidence, ladder, swaps and restarts of tempering: means over its chains, and of the evidence the error of one.
    pub(super) fn take_tempered<T: Number>(&mut self, own: &Tempering<'_, T>) -> Result<(), Fault> {
        let chains = own.options().chains as usize;
        let of = chains as f64;
        for k in 0..own.options().temperatures as usize {
            let (mut acceptance, mut swap, mut temperature) = (0.0, 0.0, f64::NAN);
            for rung in (0..chains).map_while(|chain| own.rung(chain, k)) {
                temperature = rung.temperature.to_f64();
                acceptance += rung.acceptance.to_f64() / of;
                swap += rung.swap.to_f64() / of;
            }
            self.ladder.push(temperature);
            self.acceptance = acceptance;
            if !(swap >= self.swap) {
                self.swap = swap;
            }
        }
        let restarts = (0..chains).map_while(|chain| own.restarts(chain));
        self.restarts = restarts.min().unwrap_or(0);
        let none = || Fault::failed("the evidence: not there yet");
        let logs = (0..chains).map(|chain| own.log_evidence(chain).map(|log| log.to_f64()));
        let logs = logs.collect::<Option<Vec<f64>>>().ok_or_else(none)?;
        let mean = logs.iter().fold(0.0, |sum, log| sum + log / of);
        let squares = logs.iter().fold(0.0, |sum, log| sum + (log - mean) * (log - mean));
        self.log_evidence = mean;
        let error = || (squares / (of - 1.0) / of).sqrt();
        self.log_evidence_error = if chains > 1 { error() } else { f64::NAN };
        Ok(())
    }
}
