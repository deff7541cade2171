//! What a run came to: expectations over its draws with their errors, diagnostics, losses of rows one step ahead, the draws.

use super::held::{Open, Record};
use super::run::Run;
use super::settings::{Form, Posterior, SampleSettings, Sampler, Wanted};
use crate::engine::Number;
use crate::fault::Fault;
use crate::methods::{GreedySettings, fit_relaxed};
use crate::rows::Rows;
use crate::watch::Silent;
use lcc_core::auto::Verdict;
use lcc_core::column::Column;
use lcc_core::data::Inputs;
use lcc_core::diagnostics::{Draws, pair_means, scratch_len, summary};
use lcc_core::prior::PriorKind;
use lcc_core::problem::Target;
use lcc_core::sampler::{Method, SamplerOptions};
use lcc_core::smc::{Ladder, Smc};
use lcc_core::tempering::Tempering;
use lcc_core::theory::regret;
use std::cell::RefCell;
use std::f64::consts::TAU;

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
    /// Their networks as a model, where it was asked for.
    pub model: Option<Vec<u8>>,
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

/// One number of every draw, chain by chain.
pub(super) struct Series<T> {
    pub(super) values: Vec<T>,
    pub(super) chains: usize,
    pub(super) draws: usize,
}

/// What it comes to; NaN where there are too few draws to tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summed {
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// The standard error of the mean.
    pub(super) error: f64,
    /// R-hat and the effective sample sizes of bulk and tails, of chains.
    pub(super) agreement: Option<[f64; 3]>,
}

impl<T: Number> Series<T> {
    fn draws(&self) -> Option<Draws<'_, T>> {
        Draws::chain_major(&self.values, self.chains, self.draws).ok()
    }

    fn scratch(&self) -> Vec<T> {
        vec![T::ZERO; scratch_len(self.chains, self.draws).unwrap_or(0).max(2 * self.values.len())]
    }

    /// `pairs`: chains 2 k and 2 k + 1 are antithetic, so that errors come from the means of pairs and agreement from one
    /// chain of each.
    pub(super) fn sum(&self, run: &mut Open<'_, T>, chains: bool, pairs: bool) -> Summed {
        let unknown =
            Summed { mean: f64::NAN, variance: f64::NAN, error: f64::NAN, agreement: None };
        let Some(draws) = self.draws() else { return unknown };
        let mut scratch = self.scratch();
        let average = match run {
            Open::Particles(own) => Some(own.average(&draws, &mut scratch)),
            Open::Chooser(own) => Some(own.average(&draws, &mut scratch)),
            _ => None,
        };
        let mut out = unknown;
        if let Some(average) = average {
            if let Some(a) = average {
                (out.mean, out.variance) = (a.mean.to_f64(), a.variance.to_f64());
                out.error = a.standard_error.to_f64();
            }
        } else if let Ok(s) = summary(&draws, &mut scratch) {
            (out.mean, out.variance) = (s.mean.to_f64(), (s.sd * s.sd).to_f64());
            out.error = s.mcse_mean.to_f64();
            if pairs {
                let mut means = vec![T::ZERO; self.values.len() / 2];
                let own = pair_means(&draws, &mut means).ok();
                let own = own.and_then(|means| summary(&means, &mut scratch).ok());
                out.error = own.map_or(f64::NAN, |s| s.mcse_mean.to_f64());
            }
        }
        if chains {
            let own = if pairs { draws.every(2) } else { Some(draws) };
            let own = own.and_then(|own| summary(&own, &mut scratch).ok());
            out.agreement =
                own.map(|s| [s.rhat.to_f64(), s.ess_bulk.to_f64(), s.ess_tail.to_f64()]);
        }
        out
    }
}

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

impl<T: Number> Run<'_, '_, T> {
    /// Whether the draws are those of particles, each a chain of one draw.
    pub(super) fn is_particles(&self) -> bool {
        self.s.chains.sampler == Sampler::Smc
            || (self.s.chains.sampler == Sampler::Auto && !self.pairs)
    }

    /// What was chosen, why, and the evidence.
    fn take_choice(&mut self) -> Result<(), Fault> {
        let Open::Chooser(mut own) = self.whole.open()? else { return Ok(()) };
        let report = own.report();
        let out = &mut self.out;
        self.pairs = own.particles().is_none();
        out.sampler = report.choice.name();
        out.reason = report.to_string();
        out.unreliable = report.verdict == Verdict::Unreliable;
        if let Some(evidence) = report.evidence {
            out.log_evidence = evidence.log.to_f64();
            out.log_evidence_error = evidence.standard_error.to_f64();
            out.families = Some(evidence.families).filter(|_| !self.pairs);
        }
        if !self.pairs {
            (out.chains, out.draws) = (1, report.particles as usize);
        }
        Ok(())
    }

    /// That there are as many draws as the flags ask for: a forged checkpoint may hold others.
    fn check_expected(&mut self) -> Result<(), Fault> {
        let particles = self.is_particles();
        let out = &self.out;
        let chains = if self.pairs { 2 * out.chains } else { out.chains };
        let expected = if particles { (out.draws, 1) } else { (chains, out.draws) };
        let found = self.whole.with_record(|r| Ok((r.chains, r.draws)))?;
        match &self.resumed {
            Some(path) if found != expected => Err(Fault::failed(format!(
                "{path}: is damaged, its draws are not as many as the flags ask for: run without --resume"
            ))),
            _ => Ok(()),
        }
    }

    /// Reports on the draws so far.
    pub(super) fn report(&mut self, queries: &Inputs<'_, T>, wanted: Wanted) -> Result<(), Fault> {
        self.take_choice()?;
        self.check_expected()?;
        let of_chains = match self.whole.open()? {
            Open::Particles(own) => {
                self.out.take_particles(&own, self.about.data.n())?;
                false
            }
            Open::Tempered(own) => {
                self.out.take_tempered(&own)?;
                false
            }
            Open::Chains(_) => true,
            Open::Chooser(_) => self.pairs,
        };
        if of_chains {
            self.take_acceptance()?;
        }
        self.expectations(queries)?;
        if wanted.draws {
            let files = self.s.chains.chains as usize;
            self.out.drawn = (0..files).map(|k| self.drawn(k)).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Mean acceptance and the number of divergences.
    fn take_acceptance(&mut self) -> Result<(), Fault> {
        let [accept, divergent] = [Column::Acceptance, Column::Divergent].map(|column| {
            self.whole.with_record(|r| {
                let index = r.index(column)?;
                Ok(r.series(|chain, draw| r.at(index, chain, draw)).values)
            })
        });
        let accept = accept?;
        let sum = accept.iter().fold(0.0, |sum, a| sum + a.to_f64());
        self.out.acceptance = sum / accept.len() as f64;
        self.out.divergences = divergent?.iter().filter(|d| **d > T::ZERO).count() as u64;
        Ok(())
    }

    fn expectations(&mut self, queries: &Inputs<'_, T>) -> Result<(), Fault> {
        let chains = !self.is_particles();
        let (pairs, problem) = (self.pairs, self.about.problem()?);
        let deep = match problem.likelihood() {
            Target::Deep(deep) => Some(*deep),
            _ => None,
        };
        let output = problem.output();
        let work = vec![[T::ZERO]; deep.map_or(0, |deep| deep.function_scratch())];
        let work = RefCell::new(work);
        let at = |i: usize, w: &dyn Fn(usize) -> T| match (deep, output) {
            (Some(deep), _) => deep.function(queries, i, w, &mut work.borrow_mut()),
            (None, Some(output)) => output.at(queries, i, w),
            (None, None) => T::NAN,
        };
        // Hidden units may change places: their weights have no R-hat to speak of.
        let counts = self.s.posterior.form == Form::Greedy;
        for j in 0..problem.dim() {
            let series =
                self.whole.with_record(|r| Ok(r.series(|chain, draw| r.at(j, chain, draw))))?;
            let sum = series.sum(&mut self.whole.open()?, chains && counts, pairs);
            self.out.mean.push(sum.mean);
            self.out.variance.push(sum.variance);
            self.out.count(&sum);
        }
        for i in 0..queries.n() {
            let series = self
                .whole
                .with_record(|r| Ok(r.series(|chain, draw| at(i, &|j| r.at(j, chain, draw)))))?;
            let sum = series.sum(&mut self.whole.open()?, chains, pairs);
            self.out.expectation.push(sum.mean);
            self.out.mcse.push(sum.error);
            self.out.count(&sum);
        }
        Ok(())
    }

    /// One chain, of antithetic pairs one of each; of particles a share.
    fn drawn(&mut self, file: usize) -> Result<Drawn, Fault> {
        const OF_CHAINS: [Column; 4] =
            [Column::LogDensity, Column::Acceptance, Column::Divergent, Column::Energy];
        const OF_OTHERS: [Column; 2] = [Column::LogDensity, Column::LogLikelihood];
        let particles = self.is_particles();
        let tempered = self.s.chains.sampler == Sampler::Tempering;
        let chain = if self.pairs { 2 * file } else { file };
        let step = match self.whole.open()? {
            Open::Chains(own) => own.step_size(chain),
            Open::Chooser(mut own) => own.chains().and_then(|own| own.step_size(chain)),
            _ => None,
        };
        let moves =
            matches!(self.s.chains.sampler, Sampler::Chains(Method::SplitHmc | Method::Hmc));
        let mut out = Drawn {
            step: step.map(|s| s.to_f64()),
            leapfrogs: moves.then(|| SamplerOptions::<T>::default().leapfrogs),
            ..Drawn::default()
        };
        let (draws, files) = (self.out.draws, self.s.chains.chains as usize);
        let share = |k: usize| k * draws / files;
        let range = if particles { share(file)..share(file + 1) } else { 0..draws };
        let traces = if particles || tempered { &OF_OTHERS[..] } else { &OF_CHAINS[..] };
        self.whole.with_record(|r: &Record<'_, T>| {
            let columns = traces.iter().map(|c| r.index(*c)).chain((0..r.dim).map(Ok));
            let columns = columns.collect::<Result<Vec<usize>, Fault>>()?;
            out.width = columns.len();
            for draw in range {
                let (chain, draw) = if particles { (draw, 0) } else { (chain, draw) };
                out.values.extend(columns.iter().map(|c| r.at(*c, chain, draw).to_f64()));
            }
            Ok(())
        })?;
        Ok(out)
    }
}
