//! Batch Greedy Bayes, as one object over the caller's memory (\[MB\] section II, \[B\]).
//!
//! ```text
//! let bytes = GreedyBayes::size(&options, n, d)?;
//! let mut fit = GreedyBayes::init(memory, &options, isa, &data)?;    // memory: `bytes` or more
//! while fit.step(&data, 10_000_000)? == Status::Running { /* report, save, stop */ }
//! let written = fit.write_model(bytes_of_the_model, scratch)?;
//! ```
//!
//! K levels, one after another. Level k takes the residuals r = y - (1 - beta) f_{k-1}, samples the
//! posterior of one neuron of the dictionary +-V psi given all of them by sequential Monte Carlo
//! ([`crate::smc`]: these posteriors have several modes where alpha V^2 n is large), and moves the fit
//! to f_k = (1 - beta) f_{k-1} + beta E\[V s psi(x.w)\] ([`recursion`]). The particles of every level
//! stay, and together are the result: [`write_model`](GreedyBayes::write_model) makes of them a
//! [`posterior::Image`](crate::posterior::Image) of networks of K neurons, of which draw j holds one
//! particle of every level, so that its mean is f_K and its spread that of the levels' posteriors.
//!
//! The levels' means may be weighted anew by ridge regression
//! ([`refit`](GreedyOptions::refit)), and the number of levels be chosen by rows held out.
//!
//! It is the papers' algorithm; as a regressor the network
//! ([`NetworkRegressor`](crate::estimator::NetworkRegressor)) predicts better.
//!
//! The state is the memory: no pointers, so it may be moved or copied byte by byte, sealed by
//! [`crate::checkpoint`] and taken up again by [`GreedyBayes::open`]. Neither lanes nor instruction
//! set nor the splitting of the budget change a bit. Random numbers: level k samples with the seed
//! `seed + k 0x9E3779B97F4A7C15`; the rows held out are drawn from the stream `Predictive` of chain 0.

mod expect;
mod layout;
mod neurons;
mod options;
pub mod recursion;
mod report;
mod select;

pub(super) use neurons::neurons;
pub use options::{GreedyError, GreedyOptions};
pub use recursion::Form;
pub use report::{GreedyLevel, GreedyProgress};

use super::regressor::Status;
use crate::data::{Dataset, Inputs};
use crate::error::refuse;
use crate::likelihood::{GreedyTilt, Likelihood};
use crate::object::{Object, compiled, object};
use crate::pieces::{nth, nth_mut, pieces};
use crate::posterior::Standardiser;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, blocks_mut};
use crate::smc::{self, Smc};
use crate::special;
use crate::sum::Sum;
use expect::expect;
use layout::{CURSOR, Parts, REPORT, Shape};

/// Words of the cursor.
const PHASE: usize = 0;
const LEVEL: usize = 1;
const PLACE: usize = 2;
const EVALUATIONS: usize = 3;
const USED: usize = 4;
const _: () = assert!(USED < CURSOR);

/// Phases of a level, and what follows the last.
const BEGIN: u64 = 0;
const SAMPLE: u64 = 1;
const SIGNS: u64 = 2;
const EXPECT: u64 = 3;
const SELECT: u64 = 4;
const DONE: u64 = 5;

/// Rows whose expectations are one unit of work.
const ROWS: usize = 64;

object! {
    /// An estimator over the caller's memory.
    pub struct GreedyBayes { shape: Shape<T>, options: GreedyOptions<T>, error: GreedyError }
}

compiled! {
    GreedyBayes: smc::Compiled;
    fn work(mut self, budget: u64) -> Result<Status, GreedyError> => run;
}

impl<T: Compiled> GreedyBayes<'_, T> {
    /// Works until about `budget` row visits (rows times particles, one for each evaluation of the
    /// likelihood or of the neurons' outputs) are used up or everything is done. The data are those of
    /// [`init`](Self::init). Any budget above 0 advances; any splitting of a budget gives the same
    /// bits. A unit of work is never split: one of [`Smc::step`], the outputs of all particles at 64
    /// rows, the beginning of a level (n visits), or the choice of the levels (n K^2/2 + K^3 flops, at
    /// the end). Each call reads the data once, to know them again ([`GreedyError::OtherData`]): use
    /// budgets of many times n.
    pub fn step(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, GreedyError> {
        let Shape { n, d, fingerprint, .. } = self.shape;
        refuse(!data.is(n, d, fingerprint), GreedyError::OtherData)?;
        <T as Compiled>::work(self, budget)
    }
}

impl<'a, T: AnyLanes> GreedyBayes<'a, T> {
    /// The bytes of memory for n rows of d inputs, to be aligned to
    /// [`ALIGN`](crate::workspace::ALIGN): n (d + 2 K + 5) + K N (d + 3) numbers, and the run of N
    /// particles.
    pub fn size(options: &GreedyOptions<T>, n: usize, d: usize) -> Result<usize, GreedyError> {
        Shape::new(options, n, d, 0)?.bytes()
    }

    /// An estimator at its beginning, in the front of `memory`. `isa` changes speed, never a number.
    pub fn init(
        memory: &'a mut [u8],
        options: &GreedyOptions<T>,
        isa: Isa,
        data: &Dataset<'_, T>,
    ) -> Result<Self, GreedyError> {
        data.unweighted()?;
        let shape = Shape::new(options, data.n(), data.d(), data.fingerprint())?;
        let own_units = options.standardise.on().then_some(data);
        Standardiser::check(own_units, (data.y(), &[]))?;
        let parts = shape.make(memory)?;
        let mut this = Self { parts, shape, isa };
        this.hold_out();
        this.copy(data)?;
        Ok(this)
    }

    /// Puts the rows in order: those that the levels see, then those held out, each as they come.
    fn hold_out(&mut self) {
        let (n, held) = (self.shape.n, self.shape.n.saturating_sub(self.shape.fitted()));
        let mut stream = Stream::new(self.shape.options.seed, 0, Purpose::Predictive);
        // Each row is held out with the chance that is left (Fan, Muller, Rezucha 1962).
        let (mut left, mut fits, mut outs) = (held as u64, 0_usize, n.saturating_sub(held));
        for i in 0..n {
            let rows = n.saturating_sub(i) as u64;
            let drawn =
                if held > 0 { (stream.word() as u64).wrapping_mul(rows) >> 32 } else { rows };
            let place = if drawn < left {
                left = left.saturating_sub(1);
                &mut outs
            } else {
                &mut fits
            };
            if let Some(slot) = self.parts.order.get_mut(*place) {
                *slot = i as u32;
            }
            *place = place.saturating_add(1);
        }
    }

    /// The copy of the data, in the neurons' units.
    fn copy(&mut self, data: &Dataset<'_, T>) -> Result<(), GreedyError> {
        let (d, columns) = (self.shape.d, self.shape.columns());
        let Parts { standards, order, x, y, .. } = &mut self.parts;
        let own_units = self.shape.options.standardise.on().then_some(data);
        let order = order.iter().map(|i| *i as usize);
        Standardiser::store(d, own_units, standards)?.copy(data, order, columns, x, y);
        self.own_data().map(|_| ())
    }

    /// All rows of the copy, with their targets.
    fn own_data(&self) -> Result<Dataset<'_, T>, GreedyError> {
        let inputs = Inputs::row_major(self.parts.x, self.shape.n, self.shape.columns())?;
        Ok(Dataset::new(inputs, self.parts.y)?)
    }

    /// Of the level at hand.
    fn alpha(&self) -> T {
        self.parts.scalars.last().copied().unwrap_or(T::NAN)
    }

    fn level(&self) -> usize {
        self.word(LEVEL) as usize
    }
}

/// The posterior of one level: the rows that it sees, against their residuals.
fn problem<'p, T: AnyLanes>(
    shape: &Shape<T>,
    x: &'p [T],
    residuals: &'p [T],
    alpha: T,
) -> Result<Problem<'p, T>, GreedyError> {
    let (rows, columns) = (shape.fitted(), shape.columns());
    let data = Dataset::new(Inputs::row_major(x, rows, columns)?, residuals)?;
    Ok(shape.options.problem(data, alpha)?)
}

impl<T: Compiled> GreedyBayes<'_, T> {
    fn run<const N: usize>(&mut self, budget: u64) -> Result<Status, GreedyError>
    where
        T: Lanes<N>,
    {
        let (n, fitted) = (self.shape.n, self.shape.fitted());
        let particles = self.shape.particles();
        let mut spent = 0_u64;
        loop {
            let phase = self.word(PHASE);
            if phase >= DONE {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let (next, visits) = match phase {
                BEGIN => (self.begin()?, n),
                SAMPLE => {
                    let before = self.word(EVALUATIONS);
                    if self.sample(budget.saturating_sub(spent))? == Status::Running {
                        return Ok(Status::Running);
                    }
                    let own = self.word(EVALUATIONS).saturating_sub(before);
                    let visits = fitted.saturating_mul(particles).saturating_mul(own as usize);
                    (SIGNS, visits)
                }
                SIGNS => (self.take_signs::<N>()?, fitted.saturating_mul(N)),
                EXPECT => (self.expect::<N>()?, ROWS.saturating_mul(particles)),
                _ => (self.select()?, n.saturating_mul(self.shape.levels())),
            };
            self.set(PHASE, next);
            spent = spent.saturating_add(visits as u64);
        }
    }

    /// The residuals of the level and its particles at their beginning.
    fn begin(&mut self) -> Result<u64, GreedyError> {
        let (shape, isa, level) = (self.shape, self.isa, self.word(LEVEL) as u32);
        let Parts { x, y, fit, residuals, smc, scalars, .. } = &mut self.parts;
        recursion::residuals(shape.options.beta, y, fit, residuals);
        let alpha = follow(&shape, y, fit);
        if let [.., own] = &mut **scalars {
            *own = alpha;
        }
        let problem = problem(&shape, x, residuals, alpha)?;
        Smc::init(smc, &shape.options.smc(level), isa, &problem)?;
        Ok(SAMPLE)
    }

    /// Goes on with the particles; those that are done are stored.
    fn sample(&mut self, budget: u64) -> Result<Status, GreedyError> {
        let (shape, isa, level) = (self.shape, self.isa, self.level());
        let (particles, columns) = (shape.particles(), shape.columns());
        let alpha = self.alpha();
        let Parts { x, residuals, smc, weights, signs, origins, report, .. } = &mut self.parts;
        let problem = problem(&shape, x, residuals, alpha)?;
        let mut smc = Smc::open(smc, isa)?;
        let before = smc.evaluations();
        let progress = smc.step(&problem, budget)?;
        let evaluations = smc.evaluations().saturating_sub(before);
        if progress == Status::Done {
            let own = nth_mut(weights, particles.saturating_mul(columns), level);
            own.iter_mut().zip(smc.record()).for_each(|(w, r)| *w = *r);
            nth_mut(signs, particles, level).fill(T::ONE);
            let own = nth_mut(origins, particles, level);
            own.iter_mut().zip(smc.origins()).for_each(|(o, s)| *o = *s);
            let evidence = smc.evidence();
            let position = smc.position();
            let last = position.stages.checked_sub(1).and_then(|k| smc.stage(k as usize));
            if let [log, error, families, stages, acceptance, own, ..] =
                nth_mut(report, REPORT, level)
            {
                *own = alpha;
                *log = evidence.map_or(T::NAN, |e| e.log);
                *error = evidence.map_or(T::NAN, |e| e.standard_error);
                *families = evidence.map_or(T::ZERO, |e| T::of_usize(e.families as usize));
                *stages = T::of_u32(position.stages);
                *acceptance = last.map_or(T::NAN, |s| s.acceptance);
            }
        }
        self.set(EVALUATIONS, self.word(EVALUATIONS).saturating_add(evaluations));
        Ok(progress)
    }

    /// The expected sign of one block of particles, tanh(alpha V sum r psi).
    fn take_signs<const N: usize>(&mut self) -> Result<u64, GreedyError>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level, place) = (self.shape, self.isa, self.level(), self.word(PLACE));
        let (particles, columns) = (shape.particles(), shape.columns());
        let broken = GreedyError::NotAnEstimator;
        if !shape.options.either_sign.on() || place as usize >= particles / N {
            self.set(PLACE, 0);
            return Ok(EXPECT);
        }
        let (b, alpha) = (place as usize, self.alpha());
        let Parts { x, residuals, weights, signs, block, .. } = &mut self.parts;
        let block = blocks_mut::<T, N>(block).ok_or(broken)?;
        let (w, spare) = block.split_at_mut_checked(columns).ok_or(broken)?;
        let own = nth(weights, particles.saturating_mul(columns), level);
        for (w, column) in w.iter_mut().zip(pieces(own, particles)) {
            *w = *column.as_chunks::<N>().0.get(b).ok_or(broken)?;
        }
        let rows = Inputs::row_major(x, shape.fitted(), columns)?;
        let factor = alpha * shape.options.outer;
        let data = Dataset::new(rows, residuals)?;
        let tilt = GreedyTilt::new(data, factor, shape.options.activation.value());
        let value = tilt.value(isa, w, spare, &mut []);
        let (signs, _) = nth_mut(signs, particles, level).as_chunks_mut::<N>();
        *signs.get_mut(b).ok_or(broken)? = value.map(special::scalar::tanh);
        self.set(PLACE, place.wrapping_add(1));
        Ok(SIGNS)
    }

    /// The expectations at some rows; after the last, the fit and its report.
    fn expect<const N: usize>(&mut self) -> Result<u64, GreedyError>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level, place) = (self.shape, self.isa, self.level(), self.word(PLACE));
        let (particles, columns, n) = (shape.particles(), shape.columns(), shape.n);
        let first = (place as usize).saturating_mul(ROWS);
        let Parts { x, y, fit, means, spreads, weights, signs, report, .. } = &mut self.parts;
        let (means, spreads) = (nth_mut(means, n, level), nth_mut(spreads, n, level));
        let end = first.saturating_add(ROWS).min(n);
        if let Some((means, spreads)) = means.get_mut(first..end).zip(spreads.get_mut(first..end)) {
            let x = x.get(first.saturating_mul(columns)..).unwrap_or(&[]);
            let weights = nth(weights, particles.saturating_mul(columns), level);
            let (psi, signs) = (shape.options.activation.value(), nth(signs, particles, level));
            expect::<T, N>(isa, psi, shape.options.outer, weights, signs, x, means, spreads);
        }
        if end < n {
            self.set(PLACE, place.wrapping_add(1));
            return Ok(EXPECT);
        }
        recursion::advance(shape.options.beta, fit, means);
        if let [.., trained, held] = nth_mut(report, REPORT, level) {
            let fitted = shape.fitted();
            let (y, f) = (y.split_at_checked(fitted), fit.split_at_checked(fitted));
            if let Some(((y, y_held), (f, f_held))) = y.zip(f) {
                (*trained, *held) = (rms(y, f), rms(y_held, f_held));
            }
        }
        self.set(PLACE, 0);
        self.set(LEVEL, self.word(LEVEL).wrapping_add(1));
        Ok(if self.level() < shape.levels() { BEGIN } else { SELECT })
    }

    fn select(&mut self) -> Result<u64, GreedyError> {
        let chosen = select::select(&mut self.parts, &self.shape)?;
        let scalars = [chosen.intercept, chosen.noise, self.alpha()];
        self.parts.scalars.iter_mut().zip(scalars).for_each(|(s, x)| *s = x);
        self.set(USED, chosen.levels as u64);
        Ok(DONE)
    }
}

/// The alpha of a level that begins at a fit.
fn follow<T: AnyLanes>(shape: &Shape<T>, y: &[T], fit: &[T]) -> T {
    let o = &shape.options;
    if !o.follow.on() {
        return o.alpha;
    }
    let (y, fit) = (nth(y, shape.fitted(), 0), nth(fit, shape.fitted(), 0));
    let all = Sum::of(y.iter().map(|y| *y * *y));
    let left = recursion::squared_error(y, fit);
    let most = T::lit(options::MOST);
    let factor = all / left;
    // No targets but 0 leave nothing to follow.
    o.alpha
        * if factor < most {
            factor
        } else if left < all {
            most
        } else {
            T::ONE
        }
}

/// The root of the mean squared difference; NaN of none.
fn rms<T: AnyLanes>(y: &[T], f: &[T]) -> T {
    (recursion::squared_error(y, f) / T::of_usize(y.len())).sqrt()
}
