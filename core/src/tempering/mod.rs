//! Parallel tempering over the temperature of the likelihood, as one object over the caller's memory
//! (Geyer 1991; with the deterministic even-odd scheme, Okabe et al. 2001; Syed et al. 2022).
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::diagnostics::mcse_mean;
//! use lcc_core::tempering::{Column, Progress, Tempering, TemperingOptions};
//! use lcc_core::simd::Isa;
//!
//! // p(w) ~ exp(2 tanh(w)) N(0, 1)
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 2.0)?;
//! let temperatures = [0.3, 1.0];
//! let options = TemperingOptions { temperatures: 2, ..TemperingOptions::default() };
//! let mut memory = vec![0_u128; Tempering::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut chains = Tempering::init(memory, &options, &temperatures, Isa::detect(), &problem)?;
//! while chains.step(&problem, 1_000_000)? == Progress::Running { /* report, save, stop */ }
//! let w = chains.draws(Column::Weight(0)).unwrap();
//! let mut scratch = vec![0.0; w.scratch_len()];
//! let all = (0..w.chains()).flat_map(|c| (0..w.draws()).map(move |t| w.at(c, t)));
//! let mean = all.sum::<f64>() / w.size() as f64;
//! let error = mcse_mean(&w, &mut scratch)?;
//! # // E[w] by the trapezoidal rule.
//! # assert!((mean - 0.948_053_626).abs() < 4.0 * error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A chain is a ladder of replicas: one at the prior, one each at p(w) likelihood(w)^lambda for
//! lambda_1 < ... < lambda_K = 1. An iteration updates every rung (an independent draw at the prior,
//! [`TemperingOptions::moves`] transitions of split HMC above it), then proposes to swap the pairs of
//! neighbouring rungs (0, 1), (2, 3), ... in even iterations and (1, 2), (3, 4), ... in odd ones,
//! each with probability min(1, exp((lambda' - lambda)(l - l'))), l and l' being the log likelihoods
//! of the lower and of the upper replica. The law of the rungs is left invariant exactly; the draws
//! are those of rung K. What climbs from the prior to lambda = 1 is independent of all that was there
//! before: [`Tempering::restarts`] counts such arrivals. Temperatures at which sequential Monte Carlo
//! keeps half of its particles ([`crate::smc`]) serve well.
//!
//! Chains are independent of one another: whole ladders stand side by side in the lanes, and each
//! adapts its own step sizes, one a temperature, during the warm-up. Neither lanes nor instruction
//! set nor the splitting of the budget nor other chains change a bit of any chain. The state is the
//! memory, without pointers: it may be moved, sealed by [`crate::checkpoint`] and taken up again by
//! [`Tempering::open`].
//!
//! The evidence comes from the rungs by stepping stones (Xie et al. 2011): the product over the
//! temperatures of the mean over the draws of the rung below of likelihood^(step of lambda).
//!
//! Random numbers: rung r = 0, ..., K of chain c draws its start and its transitions from the stream
//! `Kernel` of chain c (K + 1) + r, swaps one uniform a pair proposed, from below, from the stream
//! `Gibbs` of chain c. All are seeded with the seed xor a constant.

mod block;
mod error;
mod layout;
mod options;
mod report;

pub use crate::column::Column;
pub use crate::sampler::{Position, Progress};
pub use error::TemperingError;
pub use options::TemperingOptions;
pub use report::Rung;

use crate::error::refuse;
use crate::object::record::{BLOCK, EVALUATIONS, ITERATION, UNIT, next};
use crate::object::{Object, compiled, object};
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes};
use crate::tempered::climbs;
use block::Block;
use layout::{Parts, STATISTICS, Shape};

object! {
    /// Chains that sample a [`Problem`] by parallel tempering.
    pub struct Tempering { shape: Shape<T>, options: TemperingOptions<T>, error: TemperingError }
}

compiled! {
    Tempering: AnyLanes;
    fn work(mut self, problem: &Problem<'_, Self>, budget: u64)
        -> Result<Progress, TemperingError> => run;
}

impl<T: Compiled> Tempering<'_, T> {
    /// Advances by about `budget` row-gradient visits: evaluations of the likelihood times its rows
    /// times the lanes of a block. A unit of work (the start of a block of chains, or one rung of it,
    /// with the swaps after the last) is begun while the budget is not used up and is never split.
    /// Any budget above 0 advances; any splitting of a budget gives the same bits. Each call also
    /// reads the data once, to know them again ([`TemperingError::OtherProblem`]): use budgets of
    /// many times n.
    pub fn step(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Result<Progress, TemperingError> {
        let own = Shape::new(&self.shape.options, problem, problem.fingerprint())?;
        refuse(own != self.shape, TemperingError::OtherProblem)?;
        T::work(self, problem, budget)
    }
}

impl<'a, T: Real> Tempering<'a, T> {
    /// The bytes that it takes, at an address that is a multiple of
    /// [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(
        options: &TemperingOptions<T>,
        problem: &Problem<'_, T>,
    ) -> Result<usize, TemperingError> {
        Shape::new(options, problem, 0)?.bytes()
    }

    /// Makes it in the first [`size`](Self::size) bytes of `memory`. `temperatures` are K, as the
    /// options say, increasing, above 0, the last one 1; they are copied. Reads the data: a
    /// fingerprint. On an error the memory's content means nothing.
    pub fn init(
        memory: &'a mut [u8],
        options: &TemperingOptions<T>,
        temperatures: &[T],
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, TemperingError> {
        let shape = Shape::new(options, problem, problem.fingerprint())?;
        let ladder = climbs(temperatures) && temperatures.len() == shape.temperatures();
        refuse(!ladder, TemperingError::Temperatures)?;
        let parts = shape.make(memory)?;
        problem.check_proper(parts.work)?;
        parts.temperatures.iter_mut().zip(temperatures).for_each(|(p, t)| *p = *t);
        // Empty stones.
        let lanes = shape.lanes().max(1);
        for (i, x) in parts.statistics.iter_mut().enumerate() {
            if i.checked_div(lanes).and_then(|b| b.checked_rem(STATISTICS)) == Some(TOP) {
                *x = -T::MAX;
            }
        }
        seed(parts.streams, options.seed, shape.rungs());
        Ok(Self { isa, shape, parts })
    }
}

/// The block of the statistics of a temperature that holds the largest exponent of its stone.
const TOP: usize = 4;

/// Seeds the streams of every chain: those of its rungs, then that of its swaps.
fn seed(words: &mut [u32], seed: u64, rungs: usize) {
    let seed = seed ^ 0x7465_6D70_6572_696E;
    let (words, _) = words.as_chunks_mut::<4>();
    let chains = crate::pieces::pieces_mut(words, rungs.saturating_add(1));
    for (chain, streams) in chains.enumerate() {
        let first = (chain as u64).wrapping_mul(rungs as u64);
        for (rung, words) in streams.iter_mut().enumerate() {
            *words = if rung < rungs {
                Stream::new(seed, first.wrapping_add(rung as u64), Purpose::Kernel).words()
            } else {
                Stream::new(seed, chain as u64, Purpose::Gibbs).words()
            };
        }
    }
}

impl<T: AnyLanes> Tempering<'_, T> {
    fn run<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Result<Progress, TemperingError>
    where
        T: Lanes<N>,
    {
        let options = self.shape.options;
        let visits = (self.shape.problem.rows as u64).saturating_mul(N as u64);
        // The start of a block, and its rungs.
        let rungs = self.shape.rungs() as u64;
        let units = rungs.saturating_add(1);
        let transitions = (options.moves as u64).saturating_mul(options.leapfrogs as u64);
        let last = options.warmup as u64 + options.draws as u64;
        let mut spent = 0_u64;
        while self.word(ITERATION) < last {
            if spent >= budget {
                return Ok(Progress::Running);
            }
            let at = [ITERATION, BLOCK, UNIT].map(|k| self.word(k));
            let [iteration, index, unit] = at;
            let sound = match unit.checked_sub(1) {
                Some(rung) => self.advance::<N>(problem, index, iteration, rung),
                None if iteration == 0 => {
                    self.block::<N>(problem, index, 0).and_then(|mut b| b.start())
                }
                None => Some(true),
            };
            refuse(!sound.ok_or(TemperingError::NotATempering)?, TemperingError::Start)?;
            let evaluations = match unit {
                0 if iteration == 0 => rungs,
                0 | 1 => unit,
                _ => transitions,
            };
            spent = spent.saturating_add(evaluations.saturating_mul(visits));
            if index == 0 {
                self.set(EVALUATIONS, self.word(EVALUATIONS).saturating_add(evaluations));
            }
            let next = next(at, self.shape.blocks(), units);
            [ITERATION, BLOCK, UNIT].into_iter().zip(next).for_each(|(k, word)| self.set(k, word));
        }
        Ok(Progress::Done)
    }

    fn block<'b, 'd, const N: usize>(
        &'b mut self,
        problem: &'b Problem<'d, T>,
        index: u64,
        iteration: u32,
    ) -> Option<Block<'b, 'd, T, N>>
    where
        T: Lanes<N>,
    {
        let at = (usize::try_from(index).ok()?, iteration);
        Block::new(self.isa, &self.shape, &mut self.parts, problem, at)
    }

    /// One rung of an iteration of a block; the last one swaps and records. Returns whether a new draw of
    /// the prior may be gone on from.
    fn advance<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: u64,
        iteration: u64,
        rung: u64,
    ) -> Option<bool>
    where
        T: Lanes<N>,
    {
        let (shape, rung) = (self.shape, usize::try_from(rung).ok()?);
        let iteration = u32::try_from(iteration).ok()?;
        // The record is lent to the block beside the other parts.
        let record = core::mem::take(&mut self.parts.record);
        let sound = self.block::<N>(problem, index, iteration).and_then(|mut block| {
            let sound = block.advance(rung)?;
            if rung < shape.temperatures() {
                return Some(sound);
            }
            block.swap()?;
            if iteration.saturating_add(1) == shape.options.warmup {
                block.freeze();
            }
            let draw = iteration.checked_sub(shape.options.warmup);
            if let Some(row) = draw.and_then(|draw| shape.record().row(record, draw)) {
                block.record(row)?;
            }
            Some(sound)
        });
        self.parts.record = record;
        sound
    }
}
