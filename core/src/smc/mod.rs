//! Sequential Monte Carlo over the temperature of the likelihood, as one object over the caller's
//! memory (Del Moral, Doucet, Jasra 2006).
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::smc::{Column, Progress, Smc, SmcOptions};
//! use lcc_core::simd::Isa;
//!
//! // p(w) ~ exp(2 tanh(w)) N(0, 1)
//! let data = Dataset::new(Inputs::row_major(&[1.0_f64], 1, 1)?, &[1.0])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 2.0)?;
//! let options = SmcOptions { particles: 1024, ..SmcOptions::default() };
//! let mut memory = vec![0_u128; Smc::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut smc = Smc::init(memory, &options, Isa::detect(), &problem)?;
//! while smc.step(&problem, 1_000_000)? == Progress::Running { /* report, save, stop */ }
//! let evidence = smc.evidence().unwrap();
//! let w = smc.column(Column::Weight(0)).unwrap();
//! # // The evidence and E[w] by the trapezoidal rule.
//! # assert!((evidence.log - 0.680_478_469_f64).abs() < 4.0 * evidence.standard_error);
//! # assert!((w.iter().sum::<f64>() / 1024.0 - 0.948_053_626).abs() < 4.0 / 32.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! N particles start as draws from the prior, lambda = 0, and follow p(w) likelihood(w)^lambda up a
//! ladder to lambda = 1. At each temperature they are weighted by likelihood^(step of lambda),
//! resampled (systematically) and moved by [`SmcOptions::moves`] transitions of split HMC that leave
//! the law at that temperature invariant ([`crate::kernel::hmc`]). The part solved exactly is the prior, or
//! by [`SmcOptions::reference`] a Gaussian fitted to the particles once they are resampled; for the
//! transitions of that temperature they then stand in its coordinates ([`crate::reference`]), and go back
//! with the last one. At the end they are equally weighted draws from the posterior, several modes
//! included as long as some particles stand in each; the product of the mean weights estimates the
//! evidence log Z = log of the integral of the likelihood over the normalised prior.
//!
//! On the ladder of rows ([`Ladder::Rows`]) the posterior given the rows so far takes the place of the
//! temperature: online Bayes. Each row is predicted by its mean likelihood and the mean output under the weights
//! before it ([`Smc::predicted`]), and then weighs on them.
//!
//! On the ladder of Gaussian cooling ([`Ladder::Cooling`]) the likelihood is whole from the start, and a Gaussian about
//! w = 0 that holds the particles together is widened.
//!
//! All particles share one step size. After every sweep, one transition of each particle, it is
//! multiplied by exp(2 (mean acceptance - target)), never above its cap.
//!
//! The state is the memory: no pointers, so it may be moved or copied byte by byte, sealed by
//! [`crate::checkpoint`] and taken up again by [`Smc::open`]. Neither lanes nor instruction set nor
//! the splitting of the budget change a bit. Sums over particles (weights, acceptance) run in the
//! order of the particles and are compensated.
//!
//! Random numbers: particle i has the streams `Start` (its draw from the prior, in latent
//! coordinates) and `Kernel` (its transitions; it stays with the place i when another particle is
//! copied there). Resampling draws one uniform a temperature from the stream `Gibbs` of particle 0.
//! All are seeded with the seed xor a constant, so that chains with the same seed that start from the
//! particles draw other numbers.

mod block;
mod cooling;
mod error;
mod layout;
mod options;
mod report;
pub(crate) mod resample;
mod rows;
pub(crate) mod weights;

pub use crate::column::Column;
pub use crate::object::Progress;
pub use error::SmcError;
pub use options::{Ladder, SmcOptions};
pub use report::{Average, Evidence, Position, Predicted, Stage};

use crate::cloud::Cloud;
use crate::error::refuse;
use crate::object::{Object, compiled, object};
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, blocks, blocks_mut};
use crate::sum::{Sum, two_sum};
use crate::tempered::climbs;
use block::{Block, own_seed};
use layout::{Parts, REPORT, SCALARS, Shape};
use weights::{Sums, Weighing};

/// Words of the cursor.
const PHASE: usize = 0;
const STAGE: usize = 1;
const SWEEP: usize = 2;
const BLOCK: usize = 3;
const EVALUATIONS: usize = 4;
const FAMILIES: usize = 5;
const ROW: usize = 6;

/// Phases of a run.
const STARTING: u64 = 0;
const PREDICTING: u64 = 1;
const WEIGHING: u64 = 2;
const MOVING: u64 = 3;
const RECORDING: u64 = 4;
const DONE: u64 = 5;

/// The numbers of a run.
#[derive(Clone, Copy, Debug)]
struct Scalars<T> {
    /// The factor by which the stored values and gradients exceed the log likelihood's: the
    /// temperature they were last used at, 1 before the first. While the first sweep of a stage
    /// runs, of the blocks not yet moved.
    scale: T,
    step: T,
    /// The log evidence so far and the digits lost.
    log: T,
    lost: T,
    /// The relative variance of the evidence, once there is one.
    variance: T,
    /// By observations: the log of the mean weight since the particles were resampled.
    since: T,
    /// The temperature from which on the law may have no integral ([`Problem::proper_until`]).
    until: T,
}

object! {
    /// Particles that sample a [`Problem`].
    pub struct Smc { shape: Shape<T>, options: SmcOptions<T>, error: SmcError }
}

compiled! {
    Smc: AnyLanes;
    fn work(mut self, problem: &Problem<'_, Self>, budget: u64, most: u64)
        -> Result<Progress, SmcError> => run;
}

impl<T: Compiled> Smc<'_, T> {
    /// Advances by about `budget` row-gradient visits: evaluations of the likelihood times its rows
    /// times the lanes of a block; weighing and resampling count as one visit a particle, 30 or so
    /// exponentials each. A unit of work (the start, one transition or the record of a block, or a
    /// whole resampling with its fit, N l^2 flops more) is begun while the budget is not used up and is never split. Any budget
    /// above 0 advances; any splitting of a budget gives the same bits. Each call also reads the data
    /// once, to know them again ([`SmcError::OtherProblem`]): use budgets of many times n.
    pub fn step(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, SmcError> {
        self.step_within(problem, budget, u64::MAX)
    }

    /// As [`step`](Self::step); done, too, before a sweep that would take each particle beyond `most` evaluations.
    pub(crate) fn step_within(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        most: u64,
    ) -> Result<Progress, SmcError> {
        let own = Shape::new(&self.shape.options, problem, problem.fingerprint())?;
        refuse(own != self.shape, SmcError::OtherProblem)?;
        T::work(self, problem, budget, most)
    }
}

impl<'a, T: Real> Smc<'a, T> {
    /// The bytes that a run takes, at an address that is a multiple of
    /// [`ALIGN`](crate::workspace::ALIGN): 2 l + M d + 5 numbers and six words of 32 bits for each
    /// particle, l being the latent coordinates, the scratch of one block, and for a fitted reference
    /// l (l + 3)/2 numbers.
    pub fn size(options: &SmcOptions<T>, problem: &Problem<'_, T>) -> Result<usize, SmcError> {
        Shape::new(options, problem, 0)?.bytes()
    }

    /// Makes a run in the first [`size`](Self::size) bytes of `memory`. Reads the data: a
    /// fingerprint. On an error the memory's content means nothing.
    pub fn init(
        memory: &'a mut [u8],
        options: &SmcOptions<T>,
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, SmcError> {
        refuse(options.ladder == Ladder::Given, SmcError::Temperatures)?;
        Self::make(memory, options, &[], isa, problem)
    }

    /// As [`init`](Self::init), on the temperatures of a [`Ladder::Given`]: as many as its stages,
    /// increasing, above 0, the last one 1. They are copied.
    pub fn init_given(
        memory: &'a mut [u8],
        options: &SmcOptions<T>,
        temperatures: &[T],
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, SmcError> {
        options.check()?;
        let asked =
            options.ladder == Ladder::Given && options.stages as usize == temperatures.len();
        refuse(!(asked && climbs(temperatures)), SmcError::Temperatures)?;
        Self::make(memory, options, temperatures, isa, problem)
    }

    fn make(
        memory: &'a mut [u8],
        options: &SmcOptions<T>,
        temperatures: &[T],
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, SmcError> {
        let shape = Shape::new(options, problem, problem.fingerprint())?;
        let parts = shape.make(memory)?;
        problem.check_proper(parts.work)?;
        let until = problem.proper_until(parts.work);
        parts.copies.fill(1);
        parts.origins.iter_mut().zip(0_u32..).for_each(|(origin, i)| *origin = i);
        let seed = own_seed(options.seed);
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        for (i, words) in streams.iter_mut().enumerate() {
            *words = Stream::new(seed, i as u64, Purpose::Kernel).words();
        }
        let words = Stream::new(seed, 0, Purpose::Gibbs).words();
        parts.resampling.iter_mut().zip(words).for_each(|(p, w)| *p = w);
        if !matches!(options.ladder.value(), Ladder::Adaptive | Ladder::Rows | Ladder::Cooling) {
            let mut given = temperatures.iter();
            for (report, k) in parts.report.as_chunks_mut::<REPORT>().0.iter_mut().zip(1_u32..) {
                let [temperature, ..] = report;
                *temperature = match given.next() {
                    Some(t) => *t,
                    None => options.temperature(k),
                };
            }
        }
        let narrow = shape.cools() && options.adapt.on();
        let first = if narrow { options.first } else { T::ONE };
        let mut made = Self { isa, shape, parts };
        made.set_scalars(Scalars {
            scale: T::ONE,
            step: first * options.step_cap(),
            log: T::ZERO,
            lost: T::ZERO,
            variance: T::NAN,
            since: T::ZERO,
            until,
        });
        Ok(made)
    }

    fn scalars(&self) -> Scalars<T> {
        match *self.parts.scalars {
            [scale, step, log, lost, variance, since, until] => {
                Scalars { scale, step, log, lost, variance, since, until }
            }
            _ => {
                let nan = T::NAN;
                let [scale, step, log, lost, variance, since, until] = [nan; SCALARS];
                Scalars { scale, step, log, lost, variance, since, until }
            }
        }
    }

    fn set_scalars(&mut self, s: Scalars<T>) {
        let own = [s.scale, s.step, s.log, s.lost, s.variance, s.since, s.until];
        self.parts.scalars.iter_mut().zip(own).for_each(|(p, x)| *p = x);
    }

    /// The report of the stage at hand.
    fn report(&mut self) -> Option<&mut [T; REPORT]> {
        let stage = usize::try_from(self.word(STAGE)).ok()?;
        self.parts.report.as_chunks_mut::<REPORT>().0.get_mut(stage)
    }
}

impl<T: AnyLanes> Smc<'_, T> {
    fn run<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        most: u64,
    ) -> Result<Progress, SmcError>
    where
        T: Lanes<N>,
    {
        let options = self.shape.options;
        let visits = (self.shape.problem.rows as u64).saturating_mul(N as u64);
        let last = (options.particles / options.lanes.max(1)) as u64;
        let mut spent = 0_u64;
        loop {
            let (phase, block) = (self.word(PHASE), self.word(BLOCK));
            let price = match phase {
                STARTING => 1,
                MOVING => options.leapfrogs as u64,
                _ => 0,
            };
            let dear = block == 0 && self.word(EVALUATIONS).saturating_add(price) > most;
            if phase >= DONE || dear {
                return Ok(Progress::Done);
            }
            if spent >= budget {
                return Ok(Progress::Running);
            }
            let mut evaluations = 0;
            match phase {
                STARTING => {
                    let cools = self.shape.cools();
                    let mut at = self.block::<N>(problem, block)?;
                    let sound = if cools { at.start_cooled() } else { at.start() };
                    refuse(!sound.ok_or(SmcError::NotAnSmc)?, SmcError::Start)?;
                    evaluations = 1;
                }
                PREDICTING if self.shape.cools() => {
                    self.block::<N>(problem, block)?.warm().ok_or(SmcError::NotAnSmc)?;
                }
                PREDICTING => self.predict::<N>(problem, block)?,
                WEIGHING => self.resample::<N>()?,
                MOVING => {
                    self.move_block::<N>(problem, block)?;
                    evaluations = options.leapfrogs as u64;
                }
                _ => {
                    let record = core::mem::take(&mut self.parts.record);
                    let done = self.block::<N>(problem, block).map(|mut b| b.record(record));
                    self.parts.record = record;
                    done?.ok_or(SmcError::NotAnSmc)?;
                }
            }
            let cost = match phase {
                WEIGHING => options.particles as u64,
                RECORDING | PREDICTING => N as u64,
                _ => evaluations.saturating_mul(visits),
            };
            spent = spent.saturating_add(cost);
            if block == 0 {
                self.set(EVALUATIONS, self.word(EVALUATIONS).saturating_add(evaluations));
            }
            let block = block.wrapping_add(1);
            if phase != WEIGHING && block < last {
                self.set(BLOCK, block);
                continue;
            }
            self.set(BLOCK, 0);
            let next = match phase {
                STARTING if self.shape.by_rows() => self.even(),
                STARTING => WEIGHING,
                PREDICTING if self.shape.cools() => WEIGHING,
                PREDICTING => self.settle::<N>(problem)?,
                WEIGHING => MOVING,
                MOVING => self.end_sweep(),
                _ => DONE,
            };
            self.set(PHASE, next);
        }
    }

    fn block<'b, 'd, const N: usize>(
        &'b mut self,
        problem: &'b Problem<'d, T>,
        index: u64,
    ) -> Result<Block<'b, 'd, T, N>, SmcError>
    where
        T: Lanes<N>,
    {
        let index = usize::try_from(index).map_err(|_| SmcError::NotAnSmc)?;
        Block::new(self.isa, &self.shape, &mut self.parts, problem, index).ok_or(SmcError::NotAnSmc)
    }

    /// One transition of a block, at the temperature of the stage.
    fn move_block<const N: usize>(
        &mut self,
        problem: &Problem<'_, T>,
        index: u64,
    ) -> Result<(), SmcError>
    where
        T: Lanes<N>,
    {
        let Scalars { scale, step, .. } = self.scalars();
        let [lambda, ..] = *self.report().ok_or(SmcError::NotAnSmc)?;
        let sweep = self.word(SWEEP);
        let last = sweep.wrapping_add(1) >= self.shape.options.moves as u64;
        let (by_rows, cools) = (self.shape.by_rows(), self.shape.cools());
        let so_far = if by_rows { rows::restricted(problem, 0, self.rows()) } else { None };
        let mut block = self.block::<N>(so_far.as_ref().unwrap_or(problem), index)?;
        if sweep == 0 {
            if by_rows {
                block.evaluate().ok_or(SmcError::NotAnSmc)?;
            } else if cools {
                block.cool(lambda).ok_or(SmcError::NotAnSmc)?;
            } else {
                block.rescale(lambda / scale);
            }
            block.enter();
        }
        let lambda = if by_rows { T::ONE } else { lambda };
        block.transition(lambda, step).ok_or(SmcError::NotAnSmc)?;
        if last {
            block.leave();
        }
        Ok(())
    }

    /// Takes the mean acceptance of a sweep into the report and the step size. Returns the phase
    /// that follows.
    fn end_sweep(&mut self) -> u64 {
        let options = self.shape.options;
        let mut sum = Sum::ZERO;
        self.parts.lane_values.iter().for_each(|a| sum.add(*a));
        let mean = sum.value() / T::of_u32(options.particles);
        let mut scalars = self.scalars();
        let mut lambda = T::ONE;
        if let Some([temperature, _, acceptance, step]) = self.report() {
            lambda = *temperature;
            *acceptance += mean / T::of_u32(options.moves);
            *step = scalars.step;
        }
        scalars.scale = if self.shape.by_rows() { T::ONE } else { lambda };
        if options.adapt.on() {
            scalars.step = options.adapted(scalars.step, mean);
        }
        self.set_scalars(scalars);
        let sweep = self.word(SWEEP).wrapping_add(1);
        if sweep < options.moves as u64 {
            self.set(SWEEP, sweep);
            return MOVING;
        }
        self.set(SWEEP, 0);
        self.set(STAGE, self.word(STAGE).saturating_add(1));
        match lambda < T::ONE {
            true if self.shape.by_rows() => self.even(),
            true if self.shape.cools() => PREDICTING,
            true => WEIGHING,
            false => RECORDING,
        }
    }

    /// The next temperature, its weights and their part of the evidence, and resampling.
    fn resample<const N: usize>(&mut self) -> Result<(), SmcError>
    where
        T: Lanes<N>,
    {
        let broken = SmcError::NotAnSmc;
        let (options, stage) = (self.shape.options, self.word(STAGE));
        let isa = self.isa;
        let scalars = self.scalars();
        let before = if stage == 0 { T::ZERO } else { scalars.scale };
        refuse(stage >= options.stages as u64, SmcError::Stages)?;
        let cools = self.shape.cools();
        let adaptive = cools || options.ladder == Ladder::Adaptive;
        // The first Gaussian.
        let starts = cools && stage == 0;
        let [fixed, ..] = *self.report().ok_or(broken)?;
        let parts = &mut self.parts;
        if !cools {
            for (l, value) in parts.lane_values.iter_mut().zip(&*parts.values) {
                *l = *value / scalars.scale;
            }
        }
        let logs = blocks::<T, N>(parts.lane_values).ok_or(broken)?;
        let room = blocks_mut::<T, N>(parts.weights).ok_or(broken)?;
        let mut weighing = Weighing::new(isa, logs, room);
        refuse(!weighing.top.is_finite(), SmcError::Start)?;
        let lambda = match adaptive {
            _ if starts => T::ZERO,
            true if cools => weighing.next(before, options.share).min(options.widest(before)),
            // The weights of a step have four moments, if the law at three more such steps has an integral.
            true => weighing
                .next(before, options.share)
                .min(before + (scalars.until - before) * T::lit(0.25)),
            false => fixed,
        };
        let delta = if starts { T::ONE } else { lambda - before };
        let sums = weighing.weigh(delta);
        refuse(starts && sums.effective() < options.share, SmcError::First)?;
        let top = weighing.top;
        self.spread::<N>(scalars, [sums.log_mean(), delta * top], sums, lambda >= T::ONE)?;
        *self.report().ok_or(broken)? = [lambda, sums.effective(), T::ZERO, scalars.step];
        Ok(())
    }

    /// Adds the terms of a step to the log evidence, and copies the particles by their weights. After the last
    /// step the evidence has its variance too.
    fn spread<const N: usize>(
        &mut self,
        mut scalars: Scalars<T>,
        terms: [T; 2],
        sums: Sums<T>,
        last: bool,
    ) -> Result<(), SmcError>
    where
        T: Lanes<N>,
    {
        let broken = SmcError::NotAnSmc;
        let parts = &mut self.parts;
        for term in terms {
            let (log, lost) = two_sum(scalars.log, term);
            scalars.log = log;
            scalars.lost += lost;
        }
        if last {
            // The log likelihoods are no longer needed: their place is scratch.
            let shares = &mut *parts.lane_values;
            let (variance, families) =
                weights::relative_variance(parts.weights, sums.sum, parts.origins, shares);
            scalars.variance = variance;
            if let Some(word) = parts.cursor.get_mut(FAMILIES) {
                *word = families;
            }
        }
        let words: &mut [u32; 4] = (&mut *parts.resampling).try_into().map_err(|_| broken)?;
        let mut stream = Stream::from_words(*words);
        resample::count(parts.weights, sums.sum, stream.uniform(), parts.copies);
        *words = stream.words();
        let copies = core::mem::take(&mut parts.copies);
        let latent = self.shape.problem.latent;
        resample::spread(copies, |from, to| block::copy::<T, N>(parts, latent, from, to));
        parts.copies = copies;
        if !parts.fit.is_empty() {
            let shape = &self.shape;
            let (points, lanes) = (shape.particles(), shape.lanes());
            let cloud =
                Cloud::new(&*parts.positions, points, lanes, latent, shape.problem.fingerprint);
            refuse(!cloud.fit(parts.fit), broken)?;
        }
        self.set_scalars(scalars);
        Ok(())
    }
}
