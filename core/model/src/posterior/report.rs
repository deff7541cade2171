//! What a run came to: expectations over its draws, and the draws themselves.

use super::held::{Open, Record};
use super::problem::Form;
use super::run::Run;
use super::sampled::Drawn;
use super::settings::Sampler;
use crate::engine::Number;
use crate::fault::Fault;
use lcc_core::auto::Verdict;
use lcc_core::column::Column;
use lcc_core::data::Inputs;
use lcc_core::sampler::{Method, SamplerOptions};

impl<T: Number> Run<'_, '_, T> {
    /// Whether the draws are those of particles, each a chain of one draw.
    fn is_particles(&self) -> bool {
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
    pub(super) fn report(&mut self, queries: &Inputs<'_, T>, drawn: bool) -> Result<(), Fault> {
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
        if drawn {
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
        let output =
            problem.output().ok_or_else(|| Fault::failed("the posterior has no output"))?;
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
            let series = self.whole.with_record(|r| {
                Ok(r.series(|chain, draw| output.at(queries, i, |j| r.at(j, chain, draw))))
            })?;
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
