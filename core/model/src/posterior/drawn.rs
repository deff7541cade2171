//! A run that draws w from a posterior, in pieces.

use super::{Chooser, Posterior, Sampled};
use crate::engine::{Memory, Progress};
use crate::fault::{Fault, at};
use crate::network::Pace;
use crate::watch::Watch;
use lcc_core::auto::{Auto, AutoOptions};
use lcc_core::problem::Problem;
use lcc_core::sampler::{self, Column, Sampler, SamplerOptions};
use lcc_core::simd::Isa;

/// The memory of the run.
pub(super) struct Drawn<'p, T> {
    memory: Memory,
    problem: &'p Problem<'p, T>,
    auto: bool,
    doing: &'static str,
}

impl<'p, T: Sampled> Drawn<'p, T> {
    pub(super) fn new(
        s: &Posterior,
        problem: &'p Problem<'p, T>,
        doing: &'static str,
    ) -> Result<Self, Fault> {
        let isa = Isa::detect();
        let Chooser::Chains(method) = s.sampler else {
            let Posterior { chains, warmup, draws, seed, .. } = *s;
            let options = AutoOptions { chains, warmup, draws, seed, ..AutoOptions::default() };
            let mut memory = Memory::new(Auto::size(&options, problem).map_err(at(doing))?);
            Auto::init(memory.bytes(), &options, isa, problem).map_err(at(doing))?;
            return Ok(Self { memory, problem, auto: true, doing });
        };
        let options = SamplerOptions::<T> {
            method: method.into(),
            coupling: s.coupling.into(),
            reduced: s.reduced.into(),
            chains: s.chains,
            warmup: s.warmup,
            draws: s.draws,
            stored: s.draws,
            seed: s.seed,
            ..SamplerOptions::default()
        };
        let mut memory = Memory::new(Sampler::size(&options, problem).map_err(at(doing))?);
        Sampler::init(memory.bytes(), &options, isa, problem).map_err(at(doing))?;
        Ok(Self { memory, problem, auto: false, doing })
    }

    fn auto(&mut self) -> Result<Auto<'_, T>, Fault> {
        Auto::open(self.memory.bytes(), Isa::detect()).map_err(at(self.doing))
    }

    fn chains(&mut self) -> Result<Sampler<'_, T>, Fault> {
        Sampler::open(self.memory.bytes(), Isa::detect()).map_err(at(self.doing))
    }

    /// What `of` finds of a coordinate's draws: chains, draws of each, and the value of one.
    pub(super) fn coordinate<R>(
        &mut self,
        j: usize,
        of: impl FnOnce(usize, usize, &dyn Fn(usize, usize) -> T) -> R,
    ) -> Result<R, Fault> {
        let none = Fault::failed(format!("{}: there are none", self.doing));
        let (mut auto, chains);
        let draws = if self.auto {
            auto = self.auto()?;
            auto.draws(Column::Weight(j))
        } else {
            chains = self.chains()?;
            chains.draws(Column::Weight(j))
        };
        let draws = draws.ok_or(none)?;
        Ok(of(draws.chains(), draws.draws(), &|chain, draw| draws.at(chain, draw)))
    }

    /// Draws until enough, or until it is stopped. Whether it is done. (A problem is not shared between threads.)
    pub(super) fn run(&mut self, watch: &dyn Watch) -> Result<bool, Fault> {
        let mut pace = Pace::new(watch);
        while !watch.stopped() {
            if !pace.piece(|budget| Ok((self.step(budget)?, self.progress()?)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn step(&mut self, budget: u64) -> Result<bool, Fault> {
        let (problem, doing) = (self.problem, self.doing);
        if self.auto {
            let at_work = self.auto()?.step(problem, budget).map_err(at(doing))?;
            return Ok(at_work == lcc_core::auto::Progress::Running);
        }
        let at_work = self.chains()?.step(problem, budget).map_err(at(doing))?;
        Ok(at_work == sampler::Progress::Running)
    }

    fn progress(&mut self) -> Result<Progress, Fault> {
        if self.auto {
            let p = self.auto()?.position();
            let (done, gradients) = (p.thousandths, p.evaluations);
            return Ok(Progress { done, total: 1000, gradients, warming: false });
        }
        let chains = self.chains()?;
        let p = chains.position();
        let (done, total) = (u64::from(p.iterations), u64::from(p.total));
        Ok(Progress { done, total, gradients: chains.evaluations(), warming: p.warming_up() })
    }
}
