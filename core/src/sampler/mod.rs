//! Chains that sample a posterior, as one object over the caller's memory.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::diagnostics::{mcse_mean, rhat};
//! use lcc_core::sampler::{Column, Method, Progress, Sampler, SamplerOptions};
//! use lcc_core::simd::Isa;
//!
//! // p(w) ~ exp(2 tanh(w)) N(0, 1)
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 2.0)?;
//! let options = SamplerOptions { method: Method::CoupledGibbs.into(), ..SamplerOptions::default() };
//! let mut memory = vec![0_u128; Sampler::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut sampler = Sampler::init(memory, &options, Isa::detect(), &problem)?;
//! while sampler.step(&problem, 1_000_000)? == Progress::Running { /* report, save, stop */ }
//! let w = sampler.draws(Column::Weight(0)).unwrap();
//! let mut scratch = vec![0.0; w.scratch_len()];
//! assert!(rhat(&w, &mut scratch)? < 1.05);
//! # let all = (0..w.chains()).flat_map(|c| (0..w.draws()).map(move |t| w.at(c, t)));
//! # let mean = all.sum::<f64>() / w.size() as f64;
//! # // E[w] by the trapezoidal rule.
//! # assert!((mean - 0.948_053_626).abs() < 4.0 * mcse_mean(&w, &mut scratch)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Iteration by iteration, all blocks of chains advance; a block is [`SamplerOptions::lanes`] chains
//! in lock-step. The state is the memory: no pointers, so it may be moved or copied byte by byte,
//! sealed by [`crate::checkpoint`], and taken up again by [`Sampler::open`]; whoever steps hands in
//! the problem anew. Neither lanes nor instruction set nor the splitting of the budget change a bit
//! of any chain.
//!
//! Random numbers: chain c has three streams, `Start` (its start; with fresh inner chains every
//! start; which point of the pilot it is), `Kernel` (transitions) and `Gibbs` (the auxiliary variable),
//! each in the order in which the method's file says it draws. In antithetic pairs chains 2 k and 2 k + 1
//! have the streams of chain k, the odd one's normals negated.

mod adjusted;
mod block;
mod error;
mod join;
mod layers;
mod layout;
mod methods;
mod options;
mod pilot;
mod record;

pub use crate::column::Column;
pub use crate::object::Progress;
pub use crate::object::record::Position;
pub use error::SamplerError;
pub use options::{Method, Reference, SamplerOptions};
pub use record::Moments;

use crate::cloud::Cloud;
use crate::coupling::{RhoError, Triangular};
use crate::diagnostics::Draws;
use crate::error::refuse;
use crate::object::record::{BLOCK, EVALUATIONS, ITERATION, UNIT, next};
use crate::object::{Object, compiled, object};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, part};
use block::{Block, with_block};
use layout::{Parts, STREAMS, SUMMARY, SUMS, Shape};

object! {
    /// Chains that sample a [`Problem`].
    pub struct Sampler { shape: Shape<T>, options: SamplerOptions<T>, error: SamplerError }
}

compiled! {
    Sampler: AnyLanes;
    fn work(mut self, problem: &Problem<'_, Self>, budget: u64, until: Until)
        -> Result<Progress, SamplerError> => run;
}

/// Where chains may end before their last iteration: no iteration is begun from this one on, or that may take a chain
/// beyond so many evaluations.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Until {
    pub iteration: u64,
    pub evaluations: u64,
}

impl<T: Compiled> Sampler<'_, T> {
    /// Advances by about `budget` row-gradient visits: evaluations of the likelihood times its rows
    /// times the lanes of a block. A unit of work (the start of a block of chains, or one transition
    /// of it) is begun while the budget is not used up and is never split: the overshoot is less than
    /// `leapfrogs + 1` evaluations of one block (hit-and-run: 65 for each line, mostly 10; over several layers
    /// as many for each). Any budget above 0 advances; any splitting of a budget gives the same bits. Each
    /// call also reads the data once, to know them again ([`SamplerError::OtherProblem`]): use budgets of
    /// many times n.
    pub fn step(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Result<Progress, SamplerError> {
        let until = Until { iteration: u64::MAX, evaluations: u64::MAX };
        self.step_until(problem, budget, until)
    }

    /// As [`step`](Self::step); done where it may end, too.
    pub(crate) fn step_until(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        until: Until,
    ) -> Result<Progress, SamplerError> {
        let (options, piloted) = (&self.shape.options, self.shape.piloted);
        let own = Shape::new(options, problem, problem.fingerprint(), piloted)?;
        refuse(own != self.shape, SamplerError::OtherProblem)?;
        T::work(self, problem, budget, until)
    }
}

impl<'a, T: AnyLanes> Sampler<'a, T> {
    /// The bytes that a sampler takes, at an address that is a multiple of
    /// [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(
        options: &SamplerOptions<T>,
        problem: &Problem<'_, T>,
    ) -> Result<usize, SamplerError> {
        Shape::new(options, problem, 0, false)?.bytes()
    }

    /// Makes a sampler in the first [`size`](Self::size) bytes of `memory`. Chains start in the
    /// first step. Reads the data: a fingerprint and, for a coupled method, rho and its factor
    /// (3 n d^2 flops for each class). On an error the memory's content means nothing.
    pub fn init(
        memory: &'a mut [u8],
        options: &SamplerOptions<T>,
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, SamplerError> {
        Self::make(memory, options, isa, problem, None)
    }

    /// As [`init`](Self::init), with chains that start at points of a pilot (the particles of
    /// [`Smc::cloud`](crate::smc::Smc::cloud), say), each drawn at random, and a reference fitted to it
    /// if the options ask for one. The pilot may go afterwards. Such chains need a warm-up for their
    /// step sizes only.
    pub fn init_from(
        memory: &'a mut [u8],
        options: &SamplerOptions<T>,
        isa: Isa,
        problem: &Problem<'_, T>,
        pilot: &Cloud<'_, T>,
    ) -> Result<Self, SamplerError> {
        Self::make(memory, options, isa, problem, Some(pilot))
    }

    fn make(
        memory: &'a mut [u8],
        options: &SamplerOptions<T>,
        isa: Isa,
        problem: &Problem<'_, T>,
        pilot: Option<&Cloud<'_, T>>,
    ) -> Result<Self, SamplerError> {
        let shape = Shape::new(options, problem, problem.fingerprint(), pilot.is_some())?;
        match pilot {
            Some(pilot) => {
                let dim = problem.latent_dim();
                let own = (pilot.fingerprint(), pilot.dim()) == (shape.problem.fingerprint, dim);
                refuse(!own || pilot.points() == 0, SamplerError::OtherPilot)?;
            }
            None if options.reference != Reference::Prior => return Err(SamplerError::NoPilot),
            None => {}
        }
        let mut parts = shape.make(memory)?;
        problem.check_proper(parts.work)?;
        seed(parts.streams, options);
        if let Some(pilot) = pilot {
            pilot::settle(&mut parts, &shape, problem, pilot)?;
        }
        if shape.classes > 0 {
            couple(&mut parts, options, problem)?;
        }
        Ok(Self { isa, shape, parts })
    }

    fn run<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        until: Until,
    ) -> Result<Progress, SamplerError>
    where
        T: Lanes<N>,
    {
        let options = self.shape.options;
        let price = self.shape.price();
        let visits = (self.shape.problem.rows as u64).saturating_mul(N as u64);
        // The start of a chain, and those of an iteration.
        let units = 1 + options.units() as u64;
        let last = options.warmup as u64 + options.draws as u64;
        let mut spent = 0_u64;
        while self.word(ITERATION) < last {
            let at = [ITERATION, BLOCK, UNIT].map(|k| self.word(k));
            let [iteration, block, unit] = at;
            let dear = self.word(EVALUATIONS).saturating_add(price) > until.evaluations;
            if block == 0 && unit == 0 && (dear || iteration >= until.iteration) {
                return Ok(Progress::Done);
            }
            if spent >= budget {
                return Ok(Progress::Running);
            }
            let index = block as usize;
            // Of a chain of the first block, and of the block at hand.
            let [evaluations, visited] = match unit.checked_sub(1) {
                Some(unit) => {
                    let ends = unit.wrapping_add(2) >= units;
                    let made = self.advance::<N>(problem, index, iteration, unit, ends)?;
                    made.map(|e| (e as u64).wrapping_add(options.opens(unit) as u64))
                }
                None if iteration == 0 => {
                    self.start::<N>(problem, index)?;
                    [1, 1]
                }
                None => [0, 0],
            };
            spent = spent.saturating_add(visited.saturating_mul(visits));
            if index == 0 {
                self.set(EVALUATIONS, self.word(EVALUATIONS).saturating_add(evaluations));
            }
            let next = next(at, self.shape.blocks(), units);
            [ITERATION, BLOCK, UNIT].into_iter().zip(next).for_each(|(k, word)| self.set(k, word));
        }
        Ok(Progress::Done)
    }

    /// Starts a block of chains.
    fn start<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: usize,
    ) -> Result<(), SamplerError>
    where
        T: Lanes<N>,
    {
        let Self { isa, shape, parts } = self;
        let mut sound = false;
        let done = with_block::<T, N>(*isa, shape, parts, problem, (index, 0, 0), &mut |block| {
            let first = index.saturating_mul(N) as u64;
            sound = block.start(first.saturating_add(shape.options.first_chain as u64))?;
            if sound && shape.options.method().keeps_xi() {
                block.draw_xi()?;
            }
            Some(())
        });
        done.ok_or(SamplerError::NotASampler)?;
        refuse(!sound, SamplerError::Start)
    }

    /// One unit of an iteration of a block of chains; the last one records the draws. Returns the
    /// evaluations of its transitions: of its first chain, and the most.
    fn advance<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: usize,
        iteration: u64,
        unit: u64,
        ends: bool,
    ) -> Result<[u32; 2], SamplerError>
    where
        T: Lanes<N>,
    {
        let broken = SamplerError::NotASampler;
        let Self { isa, shape, parts } = self;
        let iteration = u32::try_from(iteration).map_err(|_| broken)?;
        let unit = u32::try_from(unit).map_err(|_| broken)?;
        // The record and the sums are lent to the block beside the other parts.
        let sums = core::mem::take(&mut parts.sums);
        let record = core::mem::take(&mut parts.record);
        let at = (index, iteration, unit);
        let mut evaluations = [0; 2];
        let done = if shape.layers > 0 {
            // Of one lane, which N is then too.
            with_block::<T, 1>(*isa, shape, parts, problem, at, &mut |block| {
                begin(block);
                layers::sweep(block)?;
                evaluations = block.evaluations;
                if ends {
                    block.on_posterior(&mut |block, law| block.evaluate(law))?;
                    finish(block, sums, record, index)?;
                }
                Some(())
            })
        } else {
            with_block::<T, N>(*isa, shape, parts, problem, at, &mut |block| {
                begin(block);
                methods::advance(block)?;
                evaluations = block.evaluations;
                if ends { finish(block, sums, record, index) } else { Some(()) }
            })
        };
        parts.sums = sums;
        parts.record = record;
        done.map(|()| evaluations).ok_or(broken)
    }
}

impl<'a, T: Real> Sampler<'a, T> {
    /// The coordinates of w, M d: the [`Column::Weight`]s.
    pub fn dim(&self) -> usize {
        self.shape.problem.dim()
    }

    /// The [fingerprint](Problem::fingerprint) of the problem that it was made with.
    pub fn fingerprint(&self) -> u64 {
        self.shape.problem.fingerprint
    }

    /// Where it is.
    pub fn position(&self) -> Position {
        self.shape.record().position(self.word(ITERATION))
    }

    /// Evaluations of the likelihood (value and gradient) that each chain has cost so far.
    pub fn evaluations(&self) -> u64 {
        self.word(EVALUATIONS)
    }

    /// The stored draws of a column, all chains; `None` before there are any or if w has no such
    /// coordinate.
    pub fn draws(&self, column: Column) -> Option<Draws<'_, T>> {
        let index = column.of_chains(self.shape.problem.dim())?;
        self.shape.record().draws(self.parts.record, &self.position(), index)
    }

    /// As [`draws`](Self::draws), of chains that are independent of one another: in antithetic pairs the
    /// first of each. What R-hat and effective sample sizes are of.
    pub fn independent(&self, column: Column) -> Option<Draws<'_, T>> {
        let draws = self.draws(column)?;
        if self.shape.options.antithetic.on() { draws.every(2) } else { Some(draws) }
    }

    /// The stored draws as they lie: value `[t][column][chain]` of [`Position::stored`] rows, columns
    /// being the M d weights, log density, acceptance, energy, divergence.
    pub fn record(&self) -> &[T] {
        self.shape.record().rows(self.parts.record, &self.position())
    }

    /// [`record`](Self::record), for as long as the memory is lent.
    pub(crate) fn into_record(self) -> &'a [T] {
        self.shape.record().rows(self.parts.record, &self.position())
    }

    /// The values of one row of [`record`](Self::record) for each chain: M d + 4.
    pub fn columns(&self) -> usize {
        self.shape.columns()
    }

    /// Mean and variance of a column over all draws of one chain so far, stored or not; `None` if
    /// there is no such chain or column.
    pub fn moments(&self, chain: usize, column: Column) -> Option<Moments<T>> {
        let (record, lanes) = (self.shape.record(), self.shape.lanes());
        let (index, lane) = record.place(chain)?;
        let column = column.of_chains(self.shape.problem.dim())?;
        let first = index.checked_mul(self.shape.columns())?.checked_add(column)?;
        let first = first.checked_mul(SUMS)?;
        let mut sums = [T::ZERO; SUMS];
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum = *self
                .parts
                .sums
                .get(first.checked_add(k)?.checked_mul(lanes)?.checked_add(lane)?)?;
        }
        Some(record::moments(sums, record.made(&self.position(), index, self.word(BLOCK))))
    }

    /// The step size (radians of the reference's rotation) of a chain, over several layers that of the first;
    /// `None` if there is no such chain.
    pub fn step_size(&self, chain: usize) -> Option<T> {
        let lanes = self.shape.lanes();
        let (index, lane) = self.shape.record().place(chain)?;
        let block = lanes.checked_mul(self.shape.steps())?.checked_mul(index)?;
        self.parts.steps.get(block.checked_add(lane)?).copied()
    }
}

/// Begins a unit of a block of chains: the first forgets what the transitions of the last iteration did.
fn begin<T: Lanes<N>, const N: usize>(block: &mut Block<'_, '_, T, N>) {
    if block.unit == 0 {
        *block.summary = [[T::ZERO; N]; SUMMARY];
    }
}

/// Ends an iteration of a block of chains: records the draws, moves the xi of Langevin, ends the warm-up.
fn finish<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
    sums: &mut [T],
    record: &mut [T],
    index: usize,
) -> Option<()> {
    let (shape, iteration) = (block.shared.shape, block.iteration);
    let options = &shape.options;
    if let Some(draw) = iteration.checked_sub(options.warmup) {
        let sums = part::<T, N>(sums, index, shape.columns().saturating_mul(SUMS))?;
        block.record(sums, draw == 0, shape.record().row(record, draw), index)?;
    }
    if options.method == Method::XiLangevin {
        methods::finish(block)?;
    }
    if iteration.saturating_add(1) == options.warmup {
        block.freeze();
    }
    Some(())
}

/// Seeds the streams of every chain; in antithetic pairs both chains alike.
fn seed<T>(words: &mut [u32], options: &SamplerOptions<T>) {
    let purposes = [Purpose::Start, Purpose::Kernel, Purpose::Gibbs];
    let first = options.first_chain as u64;
    let first = if options.antithetic.on() { first / 2 } else { first };
    let (words, _) = words.as_chunks_mut::<4>();
    for (chain, streams) in words.chunks_exact_mut(STREAMS).enumerate() {
        for (words, purpose) in streams.iter_mut().zip(purposes) {
            let chain = if options.antithetic.on() { chain / 2 } else { chain };
            let chain = (chain as u64).wrapping_add(first);
            *words = Stream::new(options.seed, chain, purpose).words();
        }
    }
}

/// rho and the factor of X' diag(rho) X.
fn couple<T: Real>(
    parts: &mut Parts<'_, T>,
    options: &SamplerOptions<T>,
    problem: &Problem<'_, T>,
) -> Result<(), SamplerError> {
    problem.rho(options.coupling.value(), parts.rho).map_err(|e| match e {
        RhoError::Unbounded | RhoError::Scale => SamplerError::NoCoupling,
        RhoError::Signed => SamplerError::Signed,
        RhoError::Kink => SamplerError::Kink,
        _ => SamplerError::NotASampler,
    })?;
    let coupling = problem.coupling(parts.rho).map_err(|_| SamplerError::NotASampler)?;
    let (factor, work) = (&mut *parts.factor, &mut *parts.work);
    let made = match problem.prior() {
        Prior::Gaussian { sd } if options.reduced.on() => {
            Triangular::factorise_reduced(&coupling, sd, factor, work)
        }
        _ => Triangular::factorise(&coupling, factor, work),
    };
    made.map(|_| ()).map_err(|_| SamplerError::NoCoupling)
}
