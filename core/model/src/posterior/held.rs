//! Chains, particles, tempered chains and what chooses between them, in memory of their own, behind one set of functions.

use super::sampled::Series;
use super::settings::About;
use crate::engine::{Memory, Number, Progress, Steps, check_units};
use crate::fault::{Fault, at};
use lcc_core::auto::{Auto, AutoOptions};
use lcc_core::checkpoint::Kind;
use lcc_core::cloud::Cloud;
use lcc_core::column::Column;
use lcc_core::sampler::{self, Sampler, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_core::smc::{Smc, SmcOptions};
use lcc_core::tempering::{Tempering, TemperingOptions};

/// A run.
pub(super) struct Held<'d, T> {
    kind: Kind,
    memory: Memory,
    about: About<'d, T>,
    /// What messages call its work.
    pub(super) doing: &'static str,
}

/// The run in the memory.
pub(super) enum Open<'a, T> {
    Chains(Sampler<'a, T>),
    Particles(Smc<'a, T>),
    Tempered(Tempering<'a, T>),
    Chooser(Auto<'a, T>),
}

/// Draws as they lie: draw by draw, column by column, chain by chain. The first columns are those of w.
pub(super) struct Record<'a, T> {
    pub(super) values: &'a [T],
    pub(super) chains: usize,
    pub(super) draws: usize,
    pub(super) dim: usize,
    pub(super) columns: usize,
}

impl<T: Number> Record<'_, T> {
    /// Whether they are those of chains, with a step size, an acceptance and an energy.
    fn is_of_chains(&self) -> bool {
        self.columns == self.dim + 4
    }

    /// A number of a draw of a chain.
    pub(super) fn at(&self, column: usize, chain: usize, draw: usize) -> T {
        self.values[(draw * self.columns + column) * self.chains + chain]
    }

    /// Where a column is.
    pub(super) fn index(&self, column: Column) -> Result<usize, Fault> {
        let index = match self.is_of_chains() {
            true => column.of_chains(self.dim),
            false => column.of_particles(self.dim),
        };
        index.ok_or_else(|| Fault::failed("the draws: there is no such column"))
    }

    /// A value of each draw, chain by chain.
    pub(super) fn series(&self, value: impl Fn(usize, usize) -> T) -> Series<T> {
        let draws = |chain| (0..self.draws).map(move |draw| (chain, draw));
        let values = (0..self.chains).flat_map(draws).map(|(chain, draw)| value(chain, draw));
        Series { values: values.collect(), chains: self.chains, draws: self.draws }
    }
}

impl<'d, T: Number> Held<'d, T> {
    fn make<E: std::fmt::Display>(
        kind: Kind,
        about: About<'d, T>,
        doing: &str,
        size: Result<usize, E>,
        init: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, Fault> {
        let mut memory = Memory::try_new(size.map_err(at(doing))?, doing)?;
        init(memory.bytes()).map_err(at(doing))?;
        Ok(Self { kind, memory, about, doing: "sampling" })
    }

    /// Chains; about a cloud of particles if there is one.
    pub(super) fn chains(
        about: About<'d, T>,
        options: &SamplerOptions<T>,
        cloud: Option<&Cloud<'_, T>>,
        doing: &str,
    ) -> Result<Self, Fault> {
        let problem = about.problem()?;
        let size = Sampler::size(options, &problem);
        Self::make(Kind::Sampler, about, doing, size, |memory| {
            let isa = Isa::detect();
            match cloud {
                None => Sampler::init(memory, options, isa, &problem),
                Some(cloud) => Sampler::init_from(memory, options, isa, &problem, cloud),
            }
            .map(|_| ())
        })
    }

    /// Particles, on the temperatures given if there are any.
    pub(super) fn particles(
        about: About<'d, T>,
        options: &SmcOptions<T>,
        given: &[T],
    ) -> Result<Self, Fault> {
        let problem = about.problem()?;
        Self::make(Kind::Smc, about, "smc", Smc::size(options, &problem), |memory| {
            let isa = Isa::detect();
            match given {
                [] => Smc::init(memory, options, isa, &problem),
                given => Smc::init_given(memory, options, given, isa, &problem),
            }
            .map(|_| ())
        })
    }

    /// Tempered chains.
    pub(super) fn tempered(
        about: About<'d, T>,
        options: &TemperingOptions<T>,
        temperatures: &[T],
    ) -> Result<Self, Fault> {
        let problem = about.problem()?;
        let size = Tempering::size(options, &problem);
        Self::make(Kind::Tempering, about, "tempering", size, |memory| {
            Tempering::init(memory, options, temperatures, Isa::detect(), &problem).map(|_| ())
        })
    }

    /// What chooses for itself.
    pub(super) fn chooser(
        about: About<'d, T>,
        options: &AutoOptions,
        doing: &str,
    ) -> Result<Self, Fault> {
        let problem = about.problem()?;
        let size = Auto::<T>::size(options, &problem);
        Self::make(Kind::Auto, about, doing, size, |memory| {
            Auto::<T>::init(memory, options, Isa::detect(), &problem).map(|_| ())
        })
    }

    pub(super) fn open(&mut self) -> Result<Open<'_, T>, Fault> {
        let (memory, isa, doing) = (self.memory.bytes(), Isa::detect(), self.doing);
        Ok(match self.kind {
            Kind::Sampler => Open::Chains(Sampler::open(memory, isa).map_err(at(doing))?),
            Kind::Smc => Open::Particles(Smc::open(memory, isa).map_err(at(doing))?),
            Kind::Tempering => Open::Tempered(Tempering::open(memory, isa).map_err(at(doing))?),
            _ => Open::Chooser(Auto::open(memory, isa).map_err(at(doing))?),
        })
    }

    /// As chains, which it must be.
    pub(super) fn as_chains(&mut self) -> Result<Sampler<'_, T>, sampler::SamplerError> {
        Sampler::open(self.memory.bytes(), Isa::detect())
    }

    /// Draws that every chain has made, or particles once they are there.
    pub(super) fn made(&mut self) -> Result<usize, Fault> {
        Ok(match self.open()? {
            Open::Chains(own) => own.position().draws as usize,
            Open::Tempered(own) => own.position().draws as usize,
            Open::Particles(own) if own.position().done => own.options().particles as usize,
            Open::Particles(_) => 0,
            Open::Chooser(mut own) => own.recorded().map_or(0, |r| r.draws),
        })
    }

    /// Calls `read` with the draws so far.
    pub(super) fn with_record<R>(
        &mut self,
        read: impl FnOnce(&Record<'_, T>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let damaged = || Fault::failed("the draws: there are none yet, or they are damaged");
        let read = |(values, chains, draws, dim, traces): (&[T], usize, usize, usize, usize)| {
            let columns = dim + traces;
            let size = chains.checked_mul(draws).and_then(|k| k.checked_mul(columns));
            if draws == 0 || size.is_none_or(|size| values.len() < size) {
                return Err(damaged());
            }
            read(&Record { values, chains, draws, dim, columns })
        };
        match self.open()? {
            Open::Chains(own) => {
                let (chains, draws) = (own.options().chains as usize, own.position().stored);
                read((own.record(), chains, draws, own.dim(), 4))
            }
            Open::Tempered(own) => {
                let (chains, draws) = (own.options().chains as usize, own.position().stored);
                read((own.record(), chains, draws, own.dim(), 2))
            }
            Open::Particles(own) => {
                let (particles, draws) = (own.options().particles, own.position().done.into());
                read((own.record(), particles as usize, draws, own.dim(), 2))
            }
            Open::Chooser(mut own) => {
                let r = own.recorded().ok_or_else(damaged)?;
                read((own.record(), r.chains, r.draws, r.dim, r.columns - r.dim))
            }
        }
    }

    pub(super) fn sealed(&self) -> Result<Vec<u8>, Fault> {
        self.memory.sealed::<T>(self.kind)
    }

    /// Goes on from what was sealed. No work is done, but where the run is then comes from the run itself.
    pub(super) fn resume(&mut self, path: &str, sealed: &[u8]) -> Result<(), Fault> {
        let head = match self.kind {
            Kind::Sampler => Sampler::<T>::HEAD,
            Kind::Smc => Smc::<T>::HEAD,
            Kind::Tempering => Tempering::<T>::HEAD,
            _ => Auto::<T>::HEAD,
        };
        self.memory.resume::<T>(self.kind, head, path, sealed)?;
        self.doing = "the checkpoint";
        self.step(0)?;
        self.doing = "sampling";
        let (done, total) = match self.open()? {
            Open::Particles(own) => {
                let (p, most) = (own.position(), own.options().stages);
                let total = if p.done { p.stages.min(most) } else { most };
                (p.stages.into(), total.into())
            }
            _ => {
                let Progress { done, total, .. } = self.progress()?;
                (done, total)
            }
        };
        check_units(path, done, total)
    }
}

impl<T: Number> Steps for Held<'_, T> {
    fn step(&mut self, budget: u64) -> Result<bool, Fault> {
        let (problem, doing) = (self.about.problem()?, self.doing);
        let state = match self.open()? {
            Open::Chains(mut own) => own.step(&problem, budget).map_err(at(doing)),
            Open::Particles(mut own) => own.step(&problem, budget).map_err(at(doing)),
            Open::Tempered(mut own) => own.step(&problem, budget).map_err(at(doing)),
            Open::Chooser(mut own) => own.step(&problem, budget).map_err(at(doing)),
        };
        Ok(state? == sampler::Progress::Running)
    }

    fn progress(&mut self) -> Result<Progress, Fault> {
        let of = |p: sampler::Position, evaluations: u64, chains: u32| Progress {
            done: p.iterations.into(),
            total: p.total.into(),
            gradients: evaluations.saturating_mul(chains.into()),
            warming: p.warming_up(),
        };
        Ok(match self.open()? {
            Open::Chains(own) => of(own.position(), own.evaluations(), own.options().chains),
            Open::Tempered(own) => of(own.position(), own.evaluations(), own.options().chains),
            // While a ladder is still being found only the temperature says how far it is.
            Open::Particles(own) => {
                let p = own.position();
                let climbed = (999.0 * p.temperature.to_f64()) as u64;
                let gradients = own.evaluations().saturating_mul(own.options().particles.into());
                let done = if p.done { 1000 } else { climbed };
                Progress { done, total: 1000, gradients, warming: false }
            }
            Open::Chooser(mut own) => {
                let (p, warming) = (own.position(), own.position().thousandths < 100);
                Progress { done: p.thousandths, total: 1000, gradients: p.evaluations, warming }
            }
        })
    }
}
