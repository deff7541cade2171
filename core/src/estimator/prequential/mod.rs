//! Prequential Greedy Bayes: every posterior of \[MB\] (30)-(33), row by row, as one object over the
//! caller's memory.
//!
//! ```text
//! let bytes = Prequential::size(&options, rows, d)?;
//! let mut learner = Prequential::init(memory, &options, isa, rows, d, None)?;
//! for (x, y) in stream {
//!     let law = learner.forecast(x, scratch)?;                    // of y, from the rows before it
//!     learner.observe(x, y)?;
//!     while learner.step(1_000_000)? == Status::Running { /* report, save, stop */ }
//! }
//! let losses = learner.losses();
//! ```
//!
//! Level k after i - 1 rows has the posterior p_{i,k}(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w))
//! p0(w) (30), f_{i,k} = (1 - beta) f_{i,k-1} + beta E_{p_{i,k}}\[V psi(x.w)\] (31), and the residual
//! r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i), r_{i,0} = y_i (32), in which each row's own fit stands: a
//! residual is made once, from the rows before it, and stays. So row i needs the posteriors of time i
//! alone, and all n K of them are met on one pass over the rows:
//!
//! 1. f_{i,K}(x_i) predicts y_i, from K means over weighted particles;
//! 2. level by level, the factor of row i multiplies the weights (iterated batch importance sampling,
//!    Chopin 2002); where they leave fewer than [`ess`](PrequentialOptions::ess) of the particles effective,
//!    these are resampled and moved by split HMC that leaves the posterior given all rows so far
//!    invariant. A factor that would leave fewer than ess^2 of them is let in by parts.
//!
//! A level costs N activations a row, and about log n times a move over all rows so far: n K posteriors
//! for the price of a few K. The one-step-ahead errors are those of a forecaster that never sees a row
//! before it has predicted it; their squares and the log score of a Student-t law that learns its scale
//! from them ([`Forecast`]) add up to the prequential losses ([`losses`](Prequential::losses)).
//!
//! (33) averages f_{i,K} over i. [`write_model`](Prequential::write_model) gives that average as draws: a
//! reservoir in which each draw stands for the posteriors of one i, all i alike and apart from the other draws
//! ([`Averaging`]): its error falls as 1/sqrt(keep).
//!
//! The state is the memory: no pointers, so it may be moved or copied byte by byte, sealed by
//! [`crate::checkpoint`] and taken up again by [`Prequential::open`]. Neither lanes nor instruction set
//! nor the splitting of the budget change a bit. Random numbers: level k moves with the seed
//! `seed + k 0x9E3779B97F4A7C15`, particle i on the streams `Start` and `Kernel` of chain i; resampling
//! draws one uniform from the stream `Gibbs` of chain 0 of `seed`, the reservoir two words a row from its
//! stream `Predictive`, which are the seed of one such stream for each draw.

mod lanes;
mod layout;
mod level;
mod options;
mod report;

pub use options::{Averaging, PrequentialError, PrequentialOptions};
pub use report::{Forecast, Losses, PrequentialLevel, PrequentialProgress};

use super::greedy_bayes::recursion;
use super::regressor::Status;
use crate::data::{DataError, Dataset};
use crate::error::refuse;
use crate::object::{Object, compiled, object};
use crate::pieces::{nth, nth_mut, pieces_mut};
use crate::posterior::Standardiser;
use crate::predict;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa};
use crate::sum::Sum;
use layout::{CURSOR, LEVEL, Parts, SCALARS, Shape};

/// Words of the cursor.
const PHASE: usize = 0;
const AT: usize = 1;
const BLOCK: usize = 2;
const SWEEP: usize = 3;
/// Rows done with.
const COUNT: usize = 4;
/// Names which draws of the reservoir the next row replaces.
const SLOT: usize = 5;
/// Whether the row at hand is part of the density that the particles of the level stand for.
const ENTERED: usize = 6;
/// Parts in which the row has been let in.
const BRIDGES: usize = 7;
/// Row visits so far.
const VISITS: usize = 8;
const _: () = assert!(VISITS < CURSOR);

/// Phases of a row.
const IDLE: u64 = 0;
const OUTPUTS: u64 = 1;
const TAKE: u64 = 2;
const MOVE: u64 = 3;

/// The largest target, in the neurons' units: farther out levels no longer let rows in, and squares overflow.
const FURTHEST: f64 = 1e7;

/// The most parts in which a row is let in.
const MOST_BRIDGES: u64 = 1000;

/// Numbers of the whole.
#[derive(Clone, Copy, Debug)]
struct Scalars<T> {
    /// The part of the row at hand that the level has let in.
    lambda: T,
    /// The target at hand, in the neurons' units.
    target: T,
    /// Of the errors one step ahead: the sum of squares and of minus log densities, in the target's units.
    squares: Sum<T>,
    log: Sum<T>,
    /// Half the sum of their squares in the neurons' units, with the guess.
    rate: Sum<T>,
    /// The law that predicted the last row: location and scale in the target's units.
    location: T,
    scale: T,
}

object! {
    /// A learner over the caller's memory.
    pub struct Prequential {
        shape: Shape<T>, options: PrequentialOptions<T>, error: PrequentialError
    }
}

compiled! {
    Prequential: predict::Compiled;
    fn start(mut self) -> Result<(), PrequentialError> => draw;
    fn work(mut self, budget: u64) -> Result<Status, PrequentialError> => run;
    fn mean(self, level: usize, x: &[Self]) -> Option<Self> => mean_of;
}

impl<'a, T: Compiled> Prequential<'a, T> {
    /// The bytes of memory for at most `rows` rows of d inputs, to be aligned to
    /// [`ALIGN`](crate::workspace::ALIGN): rows (d + K + 1) + K N (2 d + 9) + K `keep` (d + 3) + N (d + 6)
    /// numbers about.
    pub fn size(
        options: &PrequentialOptions<T>,
        rows: usize,
        d: usize,
    ) -> Result<usize, PrequentialError> {
        Shape::new(options, rows, d)?.bytes()
    }

    /// A learner that has seen no row, in the front of `memory`: K N draws of the prior. Rows are
    /// standardised by the means and sds of `units`, or taken as they are. `isa` changes speed, never a
    /// number.
    pub fn init(
        memory: &'a mut [u8],
        options: &PrequentialOptions<T>,
        isa: Isa,
        rows: usize,
        d: usize,
        units: Option<&Dataset<'_, T>>,
    ) -> Result<Self, PrequentialError> {
        let shape = Shape::new(options, rows, d)?;
        refuse(units.is_some_and(|u| u.d() != d), DataError::TooShort)?;
        Standardiser::check(units, units.map_or((&[], &[]), |u| (u.y(), u.weights())))?;
        let parts = shape.make(memory)?;
        parts.copies.fill(1);
        Standardiser::store(d, units, parts.standards)?;
        let own = [Purpose::Gibbs, Purpose::Predictive];
        let words = own.into_iter().flat_map(|p| Stream::new(options.seed, 0, p).words());
        parts.own_streams.iter_mut().zip(words).for_each(|(s, w)| *s = w);
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        for (level, streams) in pieces_mut(streams, shape.particles()).enumerate() {
            let seed = options.smc(level as u32).seed;
            for (i, words) in streams.iter_mut().enumerate() {
                *words = Stream::new(seed, i as u64, Purpose::Kernel).words();
            }
        }
        let cap = options.smc(0).step_cap();
        for level in parts.levels.as_chunks_mut::<LEVEL>().0 {
            let [_, _, step, acceptance, ..] = level;
            (*step, *acceptance) = (cap, T::NAN);
        }
        let (particles, keep) = (options.particles as u64, options.keep as usize);
        for picks in pieces_mut(parts.picks, keep) {
            for (j, pick) in picks.iter_mut().enumerate() {
                let own = (j as u64).saturating_mul(particles).checked_div(keep as u64);
                *pick = own.unwrap_or(0) as u32;
            }
        }
        let mut this = Self { parts, shape, isa };
        this.set_scalars(Scalars {
            lambda: T::ZERO,
            target: T::ZERO,
            squares: Sum::ZERO,
            log: Sum::ZERO,
            rate: Sum { high: T::lit(2.0) * options.noise * options.noise, low: T::ZERO },
            location: T::NAN,
            scale: T::NAN,
        });
        T::start(&mut this)?;
        this.draw_slots();
        Ok(this)
    }

    /// Takes a row, in raw units: d inputs and the target, which in the neurons' units is at most 1e7. [`step`](Self::step)
    /// then does the work. A row that is refused leaves the learner as it was.
    pub fn observe(&mut self, x: &[T], y: T) -> Result<(), PrequentialError> {
        self.idle()?;
        let (count, columns) = (self.rows(), self.shape.columns());
        refuse(count >= self.shape.rows, PrequentialError::Full)?;
        let target = {
            let units = self.standardiser()?;
            self.check(&units, x)?;
            let target = units.target(y);
            refuse(!(target.abs() <= T::lit(FURTHEST)), PrequentialError::Target)?;
            target
        };
        let Parts { x: own, standards, .. } = &mut self.parts;
        let units = Standardiser::load(standards, self.shape.d)?;
        in_units(&units, x, nth_mut(own, columns, count));
        let mut scalars = self.scalars();
        scalars.target = target;
        self.set_scalars(scalars);
        self.set(AT, 0);
        self.set(PHASE, OUTPUTS);
        Ok(())
    }

    /// Works until about `budget` row visits (rows times particles, one for each evaluation of the
    /// likelihood or of a neuron's output) are used up or the row is done with. Any budget above 0
    /// advances; any splitting of a budget gives the same bits. A unit of work is never split: the outputs
    /// or the resampling of one level's particles, or one transition of a block of them.
    pub fn step(&mut self, budget: u64) -> Result<Status, PrequentialError> {
        T::work(self, budget)
    }
}

impl<T: predict::Compiled> Prequential<'_, T> {
    fn scalars(&self) -> Scalars<T> {
        let own = self.parts.scalars.first_chunk().copied().unwrap_or([T::NAN; SCALARS]);
        let [lambda, target, a, a_low, b, b_low, c, c_low, location, scale] = own;
        let sum = |high: T, low: T| Sum { high, low };
        let (squares, log, rate) = (sum(a, a_low), sum(b, b_low), sum(c, c_low));
        Scalars { lambda, target, squares, log, rate, location, scale }
    }

    fn set_scalars(&mut self, s: Scalars<T>) {
        let (a, b, c) = (s.squares, s.log, s.rate);
        let own: [T; SCALARS] =
            [s.lambda, s.target, a.high, a.low, b.high, b.low, c.high, c.low, s.location, s.scale];
        self.parts.scalars.iter_mut().zip(own).for_each(|(p, x)| *p = x);
    }

    fn idle(&self) -> Result<(), PrequentialError> {
        refuse(self.word(PHASE) != IDLE, PrequentialError::Busy)
    }

    /// Whether a row of inputs is right, and stays finite in the neurons' units.
    fn check(&self, units: &Standardiser<'_, T>, x: &[T]) -> Result<(), PrequentialError> {
        refuse(x.len() != self.shape.d, DataError::TooShort)?;
        let sound = |(j, x): (usize, &T)| x.is_finite() && units.input(j, *x).is_finite();
        match x.iter().enumerate().position(|x| !sound(x)) {
            Some(column) => {
                Err(PrequentialError::Data(DataError::NotFiniteX { row: self.rows(), column }))
            }
            None => Ok(()),
        }
    }

    /// Draws which draws of the reservoir the next row replaces.
    fn draw_slots(&mut self) {
        let Some(words) = self.parts.own_streams.last_chunk_mut::<4>() else { return };
        let mut stream = Stream::from_words(*words);
        let (low, high) = (stream.word() as u64, stream.word() as u64);
        *words = stream.words();
        self.set(SLOT, high << 32 | low);
    }

    /// Whether draw j is one of them.
    fn due(&self) -> impl Fn(usize) -> bool + Copy + use<T> {
        let (name, next) = (self.word(SLOT), self.word(COUNT).saturating_add(1));
        // With probability 1/i at row i, each by itself: then it stands for all i alike, and the errors of
        // many draws average out.
        move |j| {
            let word = Stream::new(name, j as u64, Purpose::Predictive).word();
            (word as u64).wrapping_mul(next) >> 32 == 0
        }
    }

    /// The residual that level k sees at the row at hand.
    fn residual(&self, level: usize) -> T {
        let (target, beta) = (self.scalars().target, self.shape.options.beta);
        let before = level.checked_sub(1).and_then(|k| nth(self.parts.levels, LEVEL, k).last());
        let mut r = [target];
        if let Some(fit) = before {
            recursion::residuals(beta, &[target], &[*fit], &mut r);
        }
        let [r] = r;
        r
    }

    /// The losses of the row at hand, all of whose levels are done with.
    fn close(&mut self) -> Result<(), PrequentialError> {
        let mut scalars = self.scalars();
        let fit = self.parts.levels.last().copied().unwrap_or(T::NAN);
        let law = self.law(fit)?;
        let y = self.standardiser()?.raw_target(scalars.target);
        let (miss, error) = (y - law.location, scalars.target - fit);
        scalars.squares.add(miss * miss);
        scalars.log.add(-law.log_density(y));
        scalars.rate.add(T::HALF * error * error);
        (scalars.location, scalars.scale) = (law.location, law.scale);
        self.set_scalars(scalars);
        self.set(COUNT, self.word(COUNT).saturating_add(1));
        self.draw_slots();
        Ok(())
    }
}

/// The row in the neurons' units: the inputs, and a 1 in each column after them.
fn in_units<'r, T: AnyLanes>(units: &Standardiser<'_, T>, x: &[T], row: &'r mut [T]) -> &'r [T] {
    row.fill(T::ONE);
    for (j, (own, x)) in row.iter_mut().zip(x).enumerate() {
        *own = units.input(j, *x);
    }
    row
}
