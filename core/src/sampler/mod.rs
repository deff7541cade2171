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
//! # // E[w] and the evidence of exp(2 tanh(w)) N(w; 0, 1), by the trapezoidal rule.
//! # let (mut z, mut first) = (0.0, 0.0);
//! # for k in -8000..=8000 {
//! #     let w = f64::from(k) / 1000.0;
//! #     let p = (2.0 * w.tanh() - 0.5 * w * w).exp() / (2.0 * std::f64::consts::PI).sqrt() / 1000.0;
//! #     (z, first) = (z + p, first + w * p);
//! # }
//! # let exact = first / z;
//! # let all = (0..w.chains()).flat_map(|c| (0..w.draws()).map(move |t| w.at(c, t)));
//! # let mean = all.sum::<f64>() / w.size() as f64;
//! # assert!((mean - exact).abs() < 4.0 * mcse_mean(&w, &mut scratch)?);
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

mod block;
mod direct;
mod error;
mod gibbs;
mod join;
mod layout;
mod options;
mod pilot;
mod record;
mod reverse;
mod xi_langevin;

pub use crate::column::Column;
pub use crate::object::record::Position;
pub use error::SamplerError;
pub use options::{Method, Reference, SamplerOptions};
pub use record::Moments;

use crate::cloud::Cloud;
use crate::coupling::{RhoError, Triangular};
use crate::diagnostics::Draws;
use crate::error::refuse;
use crate::object::{Object, compiled, object};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, part};
use block::with_block;
use layout::{CURSOR, Parts, STREAMS, SUMS, Shape};

/// What one call of [`Sampler::step`] left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    Running,
    /// Every draw has been made.
    Done,
}

object! {
    /// Chains that sample a [`Problem`].
    pub struct Sampler { shape: Shape<T>, options: SamplerOptions<T>, error: SamplerError }
}

/// Words of the cursor.
const ITERATION: usize = 0;
const BLOCK: usize = 1;
const UNIT: usize = 2;
const EVALUATIONS: usize = 3;

compiled! {
    Sampler: AnyLanes;
    fn work(mut self, problem: &Problem<'_, Self>, budget: u64)
        -> Result<Progress, SamplerError> => run;
}

impl<T: Compiled> Sampler<'_, T> {
    /// Advances by about `budget` row-gradient visits: evaluations of the likelihood times its rows
    /// times the lanes of a block. A unit of work (the start of a block of chains, or one transition
    /// of it) is begun while the budget is not used up and is never split: the overshoot is less than
    /// `leapfrogs + 1` evaluations of one block (hit-and-run: 65 for each line, mostly 10). Any budget above 0 advances; any splitting of a
    /// budget gives the same bits. Each call also reads the data once, to know them again
    /// ([`SamplerError::OtherProblem`]): use budgets of many times n.
    pub fn step(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Result<Progress, SamplerError> {
        let (options, piloted) = (&self.shape.options, self.shape.piloted);
        let own = Shape::new(options, problem, problem.fingerprint(), piloted)?;
        refuse(own != self.shape, SamplerError::OtherProblem)?;
        T::work(self, problem, budget)
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
        if options.method().is_coupled() {
            couple(&mut parts, options, problem)?;
        }
        Ok(Self { isa, shape, parts })
    }

    fn run<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Result<Progress, SamplerError>
    where
        T: Lanes<N>,
    {
        let options = self.shape.options;
        let visits = (self.shape.problem.rows as u64).saturating_mul(N as u64);
        let blocks = self.shape.blocks() as u64;
        let units = 1 + match options.method() {
            Method::CoupledGibbs => options.inner as u64,
            Method::XiLangevin => xi_langevin::units(&options) as u64,
            Method::ReverseDiffusion => reverse::units(&options) as u64,
            _ => 1,
        };
        let last = options.warmup as u64 + options.draws as u64;
        let mut spent = 0_u64;
        while self.word(ITERATION) < last {
            if spent >= budget {
                return Ok(Progress::Running);
            }
            let (iteration, index, unit) =
                (self.word(ITERATION), self.word(BLOCK), self.word(UNIT));
            // Of a chain of the first block, and of the block at hand.
            let (mut evaluations, mut visited) = (0, 0);
            match unit {
                // Unit 0 is the start of a chain: before the first iteration only.
                0 if iteration == 0 => {
                    self.start::<N>(problem, index as usize)?;
                    (evaluations, visited) = (1, 1);
                }
                0 => {}
                _ => {
                    let ends = unit.wrapping_add(1) >= units;
                    let unit_of = unit.wrapping_sub(1);
                    let [own, most] = self.advance::<N>(problem, index as usize, unit_of, ends)?;
                    evaluations = own as u64;
                    visited = most as u64;
                    let opens = match options.method() {
                        Method::CoupledGibbs | Method::XiLangevin => unit == 1,
                        Method::ReverseDiffusion => reverse::opens(&options, unit.wrapping_sub(1)),
                        _ => false,
                    };
                    if opens {
                        evaluations = evaluations.wrapping_add(1);
                        visited = visited.wrapping_add(1);
                    }
                }
            }
            spent = spent.saturating_add(visited.saturating_mul(visits));
            if index == 0 {
                self.set(EVALUATIONS, self.word(EVALUATIONS).saturating_add(evaluations));
            }
            // Units, then blocks, then iterations.
            let unit = unit.wrapping_add(1);
            if unit < units {
                self.set(UNIT, unit);
                continue;
            }
            self.set(UNIT, 0);
            let index = index.wrapping_add(1);
            self.set(BLOCK, if index < blocks { index } else { 0 });
            if index >= blocks {
                self.set(ITERATION, iteration.wrapping_add(1));
            }
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
        with_block::<T, N, ()>(*isa, shape, parts, problem, (index, 0, 0), |block| {
            block.reset();
            match block.shape.options.method() {
                Method::CoupledGibbs => gibbs::start(block),
                Method::XiLangevin => xi_langevin::start(block),
                Method::ReverseDiffusion => reverse::start(block),
                _ => direct::start(block),
            }
        })
    }

    /// One unit of an iteration of a block of chains; the last one records the draws. Returns the
    /// evaluations of its transitions: of its first chain, and the most.
    fn advance<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: usize,
        unit: u64,
        ends: bool,
    ) -> Result<[u32; 2], SamplerError>
    where
        T: Lanes<N>,
    {
        let broken = SamplerError::NotASampler;
        let Self { isa, shape, parts } = self;
        let [iteration, ..] = *parts.cursor else { return Err(broken) };
        let iteration = u32::try_from(iteration).map_err(|_| broken)?;
        let unit = u32::try_from(unit).map_err(|_| broken)?;
        // The record and the sums are lent to the block beside the other parts.
        let sums = core::mem::take(&mut parts.sums);
        let record = core::mem::take(&mut parts.record);
        let at = (index, iteration, unit);
        let done = with_block::<T, N, [u32; 2]>(*isa, shape, parts, problem, at, |block| {
            let options = &block.shape.options;
            if unit == 0 {
                block.clear_summary();
            }
            match options.method() {
                Method::CoupledGibbs => gibbs::advance(block)?,
                Method::XiLangevin => xi_langevin::advance(block)?,
                Method::ReverseDiffusion => reverse::advance(block)?,
                _ => direct::advance(block)?,
            }
            let evaluations = block.evaluations;
            if !ends {
                return Ok(evaluations);
            }
            if let Some(draw) = iteration.checked_sub(options.warmup) {
                let columns = block.shape.columns();
                let sums = part::<T, N>(sums, index, columns.saturating_mul(SUMS));
                let row = block.shape.record().row(record, draw);
                block.record(sums.ok_or(broken)?, draw == 0, row, index)?;
            }
            if options.method == Method::XiLangevin {
                xi_langevin::finish(block)?;
            }
            if iteration.saturating_add(1) == options.warmup {
                block.freeze();
            }
            Ok(evaluations)
        });
        parts.sums = sums;
        parts.record = record;
        done
    }
}

impl<'a, T: Real> Sampler<'a, T> {
    /// The coordinates of w, M d: the [`Column::Weight`]s.
    pub fn dim(&self) -> usize {
        self.shape.problem.dim()
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

    /// The step size (radians of the reference's rotation) of a chain; `None` if there is no such
    /// chain.
    pub fn step_size(&self, chain: usize) -> Option<T> {
        let lanes = self.shape.lanes();
        let (index, lane) = self.shape.record().place(chain)?;
        let block = lanes.checked_mul(crate::kernel::adapt::FIELDS)?.checked_mul(index)?;
        self.parts.steps.get(block.checked_add(lane)?).copied()
    }
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

const _: () = assert!(EVALUATIONS < CURSOR);
