//! Where and how wide a density of the user's own is, before anything assumes N(0, I): a warm-up, as one
//! object over the caller's memory.
//!
//! ```
//! use lcc_core::likelihood::LogDensity;
//! use lcc_core::problem::Problem;
//! use lcc_core::warmup::{Progress, Warmup, WarmupOptions};
//! use lcc_core::simd::Isa;
//!
//! // N(1e6, 1e-3^2)
//! struct Far;
//! impl LogDensity<f64> for Far {
//!     fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
//!         let z = (x[0] - 1e6) / 1e-3;
//!         if let Some([g]) = gradient { *g = -z / 1e-3 }
//!         Some(-z * z / 2.0)
//!     }
//! }
//! let problem = Problem::user(&Far, 1, 1.0, true)?;
//! let options = WarmupOptions::default();
//! let mut memory = vec![0_u128; Warmup::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut warmup = Warmup::init(memory, &options, Isa::detect(), &problem)?;
//! while warmup.step(&problem, 1_000)? == Progress::Running {}
//! let [mean, sd] = warmup.frame().unwrap() else { panic!() };
//! assert!((mean - 1e6).abs() < 1e-3 && (0.5e-3..2e-3).contains(sd));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. Ascents from draws of N(0, scale^2 I) along which the Gaussian with the best evidence bound is kept (Pathfinder). Every
//!    other one is from ten or thirty times as far, in opposite pairs: a mode that no draw of N(0, scale^2 I) sees is lost for good.
//! 2. Chains start as draws of these, those of an ascent whose evidence bound is 20 + dim below the best as
//!    draws of the best. They move by split HMC about the frame, at first the best Gaussian, one step size
//!    for all.
//! 3. After a round of 12, 24, 48, 96, ... transitions of all chains (768 steps of a chain at most) the frame becomes the Gaussian of the
//!    second half of their draws, its correlations shrunk in the coordinates of the frame before
//!    ([`crate::cloud`]). The rounds end when a frame, from the second on, describes the draws made in it:
//!    each variance between .6 and 1.6, each mean within half an sd, and, where a trajectory is shorter than .8, the chains' means
//!    agree. Two steps make a trajectory of 1.6 where the posterior is nearly a Gaussian; up to 16 one of 1.1 where steps must be
//!    shorter, as about kinks.
//! 4. Where 16 steps are shorter than .4 after all rounds, twice as many rounds: with twice the steps from round to round until a
//!    trajectory lasts, chains that stand still going on from where others are, until the chains' means agree, too.
//!
//! So the frame is N(m, LL') in the posterior's own coordinates: [`Problem::about`] it is what chains,
//! particles and temperatures then sample. Everything is scalar, chain after chain: a warm-up knows no
//! lanes. All of it, but for the first step of each ascent and rounding, is the same in coordinates
//! A x + b.

pub(crate) mod ascent;
mod layout;
pub(crate) mod limited;
mod lookout;
mod options;
pub(crate) mod triangle;

pub use crate::object::Progress;
pub(crate) use layout::VECTORS;
pub(crate) use lookout::{ASCENTS, Look};
pub use options::{WarmupError, WarmupOptions};

use crate::cloud::{factorise, shrink};
use crate::error::refuse;
use crate::kernel::adapt::{StepSize, Target};
use crate::kernel::hmc::{self, State, Trajectory, Work};
use crate::likelihood::UserDensity;
use crate::linalg::{rows, rows_mut};
use crate::object::{Object, compiled, object};
use crate::pieces::{cut, nth, nth_mut, pieces};
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::reference::Affine;
use crate::scalar::{Real, pair};
use crate::simd::{Isa, Lanes};
use ascent::{Ascent, Numbers, scatter};
use layout::{Parts, Shape};
use triangle::{add_square, compose};

/// Words of the cursor: the ascent or the round, what it has done, the chain that is next.
const PHASE: usize = 0;
const INDEX: usize = 1;
const DONE_SO_FAR: usize = 2;
const CHAIN: usize = 3;
const CALLS: usize = 4;
const FLAGS: usize = 5;
/// Steps of a trajectory of the round at hand.
const STEPS: usize = 6;
/// Evaluations before the ascent at hand, and of the shortest yet (0: there was none).
const BEFORE: usize = 7;
const SHORTEST: usize = 8;

/// Phases: of an ascent its start, steps, Hessians and the chains that start from it; then chains moved away
/// from poor ascents; rounds.
const START: u64 = 0;
const ASCENT: u64 = 1;
const REFINE: u64 = 2;
const SCATTER: u64 = 3;
const GATHER: u64 = 4;
const ROUND: u64 = 5;
const DONE: u64 = 6;

/// Numbers: those of an ascent, then the acceptances of an iteration and of a round.
const ACCEPTED: usize = 4;
const ACCEPTANCE: usize = 5;

/// An ascent may take so many evaluations and so many times those of the shortest before it: what takes longer, mostly from far
/// out, comes to no Gaussian.
const LONGER: [u64; 2] = [500, 4];
/// Hessians by differences of an ascent at most.
const HESSIANS: u64 = 3;
/// How much lower the bound of an ascent may be (a + b dim).
const POOR: [f64; 2] = [20.0, 1.0];
/// Transitions of the first round and of the longest; steps of one chain in a usual round at most.
const FIRST: u64 = 12;
const LONGEST: u64 = 96;
const DEAREST: u64 = 768;
/// The acceptance aimed at, the time of a trajectory and its steps at most.
const TARGET: f64 = 0.8;
const TIME: f64 = 1.6;
const MOST_STEPS: u64 = 128;
/// Steps of the usual rounds at most, the time that they are to add up to, and the acceptances above which the fewest do, and half as
/// many as there were.
const USUAL_STEPS: u64 = 16;
const LASTS: f64 = 1.1;
const EASY: f64 = 0.93;
const EASIER: f64 = 0.97;
/// How many times as many rounds there are where as many lead nowhere.
const HARDER: u64 = 2;
/// How transitions vary their steps.
const JITTER: f64 = 0.2;
const SHORT: f64 = 0.1;
/// What the draws of a round may look like in a frame that describes them: variances, means, acceptance.
const VARIANCE: [f64; 2] = [0.6, 1.6];
const MEAN: f64 = 0.5;
const ENOUGH: f64 = 0.6;
/// The variance of the chains' means beside that of their draws.
const AGREED: f64 = 0.3;
/// The acceptance below which a chain stands still: all share one step size, and others make up the mean.
const STUCK: f64 = 0.2;

object! {
    /// A warm-up of a [`Problem::user`].
    pub struct Warmup { shape: Shape, options: WarmupOptions, error: WarmupError }
}

compiled! {
    Warmup: Lanes<1>;
    fn work(mut self, problem: &Problem<'_, Self>, budget: u64, most: u64, first: bool)
        -> Result<Progress, WarmupError>;
}

impl<T: Compiled> Warmup<'_, T> {
    /// Advances by about `budget` evaluations of the density. A unit of work (a step of an ascent, at most 58
    /// evaluations; a Hessian, 2 dim + 10; the start of a chain, 21; a transition) is begun while the budget
    /// is not used up. Any splitting of a budget gives the same bits.
    pub fn step(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, WarmupError> {
        self.step_within(problem, budget, u64::MAX, false)
    }

    /// As [`step`](Self::step); done, too, before a unit of work that may take it beyond `most` evaluations, and once there is a
    /// `first` frame.
    pub(crate) fn step_within(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        most: u64,
        first: bool,
    ) -> Result<Progress, WarmupError> {
        let own = Shape::new(&self.shape.options, problem, problem.fingerprint())?;
        refuse(own != self.shape, WarmupError::OtherProblem)?;
        T::work(self, problem, budget, most, first)
    }
}

impl<'a, T: Real> Warmup<'a, T> {
    /// The bytes that a warm-up takes, at an address that is a multiple of
    /// [`ALIGN`](crate::workspace::ALIGN): about 2.5 dim^2 + (3 chains + 30) dim numbers.
    pub fn size(options: &WarmupOptions, problem: &Problem<'_, T>) -> Result<usize, WarmupError> {
        Object::<T>::bytes(&Shape::new(options, problem, 0)?)
    }

    /// Makes a warm-up in the first [`size`](Self::size) bytes of `memory`. On an error the memory's content
    /// means nothing.
    pub fn init(
        memory: &'a mut [u8],
        options: &WarmupOptions,
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, WarmupError> {
        let shape = Shape::new(options, problem, problem.fingerprint())?;
        let parts = shape.make(memory)?;
        parts.bounds.fill(-T::INFINITY);
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        for (words, chain) in streams.iter_mut().zip(0_u64..) {
            *words = Stream::new(own_seed(options.seed), chain, Purpose::Kernel).words();
        }
        Ok(Self { isa, shape, parts })
    }

    /// The coordinates.
    pub fn dim(&self) -> usize {
        self.shape.dim()
    }

    /// The frame, as the numbers of [`Affine`]: the mean, then the factor of the covariance, packed row by row.
    /// `None` before the end.
    pub fn frame(&self) -> Option<&[T]> {
        (self.word(PHASE) >= DONE).then_some(&*self.parts.frame)
    }

    /// The steps, a power of two times those of the first round, in which a trajectory in the frame gets somewhere:
    /// where the posterior is far from the Gaussian of its frame, they are many. 0 before the end.
    pub fn leapfrogs(&self) -> u32 {
        let done = self.word(PHASE) >= DONE;
        if done { u32::try_from(self.word(STEPS)).unwrap_or(u32::MAX) } else { 0 }
    }

    /// Evaluations that a unit of work may take: a trajectory, a Hessian, the last step of an ascent with its bounds.
    pub(crate) fn price(&self) -> u64 {
        (self.dim() as u64).saturating_mul(2).saturating_add(MOST_STEPS)
    }

    /// Whether the first round has just ended in a frame.
    pub(crate) fn at_first_frame(&self) -> bool {
        [(PHASE, ROUND), (INDEX, 1), (DONE_SO_FAR, 0), (CHAIN, 0)]
            .into_iter()
            .all(|(which, word)| self.word(which) == word)
    }

    /// The frame at hand, once chains move.
    pub(crate) fn frame_so_far(&self) -> &[T] {
        self.parts.frame
    }

    /// Where a chain stands, once it moves, in coordinates of the density.
    pub(crate) fn point(&self, chain: usize, x: &mut [T]) -> Option<()> {
        let w = nth(self.parts.positions, self.dim(), chain);
        Affine::new(self.parts.frame, self.dim())?.point(w, x);
        Some(())
    }

    /// Coordinate `j` of that.
    pub(crate) fn coordinate(&self, chain: usize, j: usize) -> Option<T> {
        let (mean, factor) = self.parts.frame.split_at_checked(self.dim())?;
        let w = nth(self.parts.positions, self.dim(), chain);
        let own = rows(factor).nth(j)?.iter().zip(w);
        Some(own.fold(*mean.get(j)?, |sum, (l, w)| sum + *l * *w))
    }

    /// Evaluations of the density so far.
    pub fn evaluations(&self) -> u64 {
        self.word(CALLS)
    }

    /// Thousandths of the most that it may do.
    pub fn thousandths(&self) -> u64 {
        let share = |index: u64, of: u32| index.saturating_mul(100) / (of as u64).max(1);
        let (index, options) = (self.word(INDEX), &self.shape.options);
        match self.word(PHASE) {
            START..GATHER => share(index, options.ascents).saturating_mul(3),
            GATHER => 300,
            ROUND => share(index, options.rounds).min(100).saturating_mul(7).saturating_add(300),
            _ => 1000,
        }
    }

    fn number(&self, which: usize) -> T {
        self.parts.scalars.get(which).copied().unwrap_or(T::NAN)
    }

    fn note(&mut self, which: usize, x: T) {
        if let Some(slot) = self.parts.scalars.get_mut(which) {
            *slot = x;
        }
    }
}

/// The seed of the streams: another than that of what samples in the frame.
fn own_seed(seed: u64) -> u64 {
    seed ^ 0x7761_726D_2D75_7021
}

/// Transitions of a round whose trajectories have so many steps.
fn length(round: u64, steps: u64) -> u64 {
    let dear = if steps > USUAL_STEPS { LONGEST } else { DEAREST / steps.max(1) };
    let long = FIRST.checked_shl(u32::try_from(round).unwrap_or(u32::MAX)).unwrap_or(LONGEST);
    long.min(LONGEST).min(dear)
}

impl<T: Lanes<1>> Warmup<'_, T> {
    fn work(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
        most: u64,
        first: bool,
    ) -> Result<Progress, WarmupError> {
        let user = problem.own().ok_or(WarmupError::NotUser)?;
        let before = self.word(CALLS);
        let price = self.price();
        while self.word(PHASE) < DONE && self.word(CALLS).saturating_add(price) <= most {
            if first && self.at_first_frame() {
                break;
            }
            if self.word(CALLS).wrapping_sub(before) >= budget {
                return Ok(Progress::Running);
            }
            let unit = match self.word(PHASE) {
                START..SCATTER => self.ascend(user)?,
                SCATTER => self.scatter(user),
                GATHER => self.gather(user),
                _ => self.transition(problem),
            };
            unit.ok_or(WarmupError::NotAWarmup)?;
        }
        Ok(Progress::Done)
    }

    fn turn(&mut self, phase: u64, index: u64) {
        [(PHASE, phase), (INDEX, index), (DONE_SO_FAR, 0), (CHAIN, 0)]
            .into_iter()
            .for_each(|(which, word)| self.set(which, word));
    }

    /// The start, a step or a Hessian of the ascent at hand.
    fn ascend(&mut self, user: UserDensity<'_, T>) -> Result<Option<()>, WarmupError> {
        let (phase, index, done) = (self.word(PHASE), self.word(INDEX), self.word(DONE_SO_FAR));
        if phase == START {
            self.set(BEFORE, self.word(CALLS));
        }
        let lost = self.is_lost();
        let (flags, mut calls) = (self.word(FLAGS), self.word(CALLS));
        let [value, since, scale, bound] = [0, 1, 2, 3].map(|k| self.number(k));
        let (fresh, settled) = (flags & 1 == 1, flags >> 1);
        let mut numbers = Numbers { value, since, scale, bound, fresh, settled };
        let seed = own_seed(self.shape.options.seed);
        let Parts { vectors, curvature, trial, best, .. } = &mut self.parts;
        let mut ascent = Ascent {
            user,
            seed,
            index,
            vectors,
            curvature,
            limited: false,
            trial,
            best,
            calls: &mut calls,
        };
        let mut started = true;
        let more = match phase {
            START => {
                match ascent.start() {
                    Some(n) => numbers = n,
                    None => started = false,
                }
                Some(false)
            }
            ASCENT => ascent.step(&mut numbers).map(|more| {
                more && !lost && done.saturating_add(1) < self.shape.options.ascent_steps as u64
            }),
            _ => ascent
                .refine(&mut numbers.bound)
                .map(|more| more && done.saturating_add(1) < HESSIANS),
        };
        let Some(more) = more else { return Ok(None) };
        if phase == ASCENT && !more && ascent.settle(&numbers).is_none() {
            return Ok(None);
        }
        let Numbers { value, since, scale, bound, fresh, settled } = numbers;
        let own = [value, since, scale, bound];
        self.parts.scalars.iter_mut().zip(own).for_each(|(s, x)| *s = x);
        self.set(FLAGS, settled << 1 | fresh as u64);
        self.set(CALLS, calls);
        self.set(DONE_SO_FAR, done.saturating_add(1));
        if phase == ASCENT && !more {
            let own = calls.saturating_sub(self.word(BEFORE));
            let shortest = self.word(SHORTEST);
            self.set(SHORTEST, if shortest == 0 { own } else { own.min(shortest) });
        }
        if !started {
            // Of the others one may find a start.
            let last = index.saturating_add(1) >= self.shape.options.ascents as u64;
            refuse(last && !self.has_frame(), WarmupError::Start)?;
            self.next_ascent(index);
        } else if !more {
            if phase == REFINE {
                self.take_best(index);
            }
            self.turn(phase.wrapping_add(1), index);
        }
        Ok(Some(()))
    }

    /// Whether the ascent at hand has taken so much longer than another that it is given up.
    fn is_lost(&self) -> bool {
        let [least, times] = LONGER;
        let most = self.word(SHORTEST).saturating_mul(times).saturating_add(least);
        self.word(SHORTEST) > 0 && self.word(CALLS).saturating_sub(self.word(BEFORE)) >= most
    }

    /// Whether an ascent has ended in a Gaussian.
    fn has_frame(&self) -> bool {
        self.parts.frame.iter().any(|x| *x != T::ZERO)
    }

    /// The Gaussian of an ascent becomes the frame if it is the best yet.
    fn take_best(&mut self, index: u64) {
        let bound = self.number(3);
        let best = self.parts.bounds.iter().all(|b| bound > *b) || !self.has_frame();
        if let Some(slot) = usize::try_from(index).ok().and_then(|k| self.parts.bounds.get_mut(k)) {
            *slot = bound;
        }
        if best {
            self.parts.frame.iter_mut().zip(&*self.parts.best).for_each(|(f, b)| *f = *b);
        }
    }

    fn next_ascent(&mut self, index: u64) {
        let next = index.wrapping_add(1);
        let phase = if next < self.shape.options.ascents as u64 { START } else { GATHER };
        self.turn(phase, if phase == START { next } else { 0 });
    }

    /// Starts the next chain of the ascent at hand: chains take turns among the ascents.
    fn scatter(&mut self, user: UserDensity<'_, T>) -> Option<()> {
        let (index, ascents) = (self.word(INDEX), self.shape.options.ascents as u64);
        let chain = self.word(CHAIN).wrapping_mul(ascents).wrapping_add(index);
        if chain >= self.shape.options.chains as u64 {
            self.next_ascent(index);
            return Some(());
        }
        self.set(CHAIN, self.word(CHAIN).wrapping_add(1));
        self.place(user, chain, Purpose::Start)
    }

    /// Where the next chain stands, in coordinates of the frame; of one from a poor ascent anew.
    fn gather(&mut self, user: UserDensity<'_, T>) -> Option<()> {
        let chain = self.word(CHAIN);
        if chain >= self.shape.options.chains as u64 {
            self.set(STEPS, self.shape.options.leapfrogs as u64);
            self.begin_round(0);
            return Some(());
        }
        self.set(CHAIN, chain.wrapping_add(1));
        let top = self.parts.bounds.iter().fold(-T::INFINITY, |top, b| top.max(*b));
        let ascent = usize::try_from(chain).ok()?.checked_rem(self.parts.bounds.len())?;
        let bound = self.parts.bounds.get(ascent).copied()?;
        let [a, b] = pair::<T>(POOR);
        let dim = self.shape.dim();
        let sound = bound > -T::INFINITY && bound >= top - (a + b * T::of_usize(dim));
        if !sound {
            self.place(user, chain, Purpose::Gibbs)?;
        }
        let Parts { vectors, positions, frame, .. } = &mut self.parts;
        let x = nth_mut(positions, dim, usize::try_from(chain).ok()?);
        let w = vectors.get_mut(..dim)?;
        Affine::new(frame, dim)?.solve(x, w);
        x.iter_mut().zip(w).for_each(|(x, w)| *x = *w);
        Some(())
    }

    /// Puts a chain at a draw: of the ascent at hand, or (Gibbs) of the frame.
    fn place(&mut self, user: UserDensity<'_, T>, chain: u64, purpose: Purpose) -> Option<()> {
        let mut calls = self.word(CALLS);
        // Streams of starts belong to the ascents first.
        let ascents = self.shape.options.ascents as u64;
        let seed = own_seed(self.shape.options.seed);
        let mut stream = Stream::new(seed, ascents.wrapping_add(chain), purpose);
        let Parts { vectors, positions, best, frame, .. } = &mut self.parts;
        let x = nth_mut(positions, user.dim, usize::try_from(chain).ok()?);
        let gaussian = if purpose == Purpose::Gibbs { frame } else { best };
        scatter(&user, gaussian, &mut stream, vectors, &mut calls, x)?;
        self.set(CALLS, calls);
        Some(())
    }

    fn begin_round(&mut self, round: u64) {
        self.turn(ROUND, round);
        self.parts.sums.fill(T::ZERO);
        self.parts.accepted.fill(T::ZERO);
        self.parts.means.fill(T::ZERO);
        self.note(ACCEPTED, T::ZERO);
        self.note(ACCEPTANCE, T::ZERO);
        let (isa, cap) = (self.isa, self.target().cap);
        if let Some(step) = one(self.parts.step) {
            StepSize::Dual(step).reset(isa, cap);
        }
    }

    fn target(&self) -> Target<T> {
        let steps = u32::try_from(self.word(STEPS)).unwrap_or(u32::MAX);
        let cap = T::lit(TIME) / T::of_u32(steps);
        Target { acceptance: T::lit(TARGET), cap }
    }

    /// One transition of the next chain; at the end of an iteration of all chains their step size, at that of
    /// a round the frame.
    fn transition(&mut self, problem: &Problem<'_, T>) -> Option<()> {
        let (round, iteration, chain) =
            (self.word(INDEX), self.word(DONE_SO_FAR), self.word(CHAIN));
        let (dim, chains) = (self.shape.dim(), self.shape.chains());
        let (isa, steps) = (self.isa, self.word(STEPS));
        let leapfrogs = u32::try_from(steps).ok()?;
        let k = usize::try_from(chain).ok()?;
        let Parts { frame, positions, gradients, values, streams, step, sums, means, work, .. } =
            &mut self.parts;
        let framed = problem.about(Affine::new(frame, dim)?);
        let density = framed.density()?;
        let size = StepSize::Dual(one(step)?).step(isa);
        let mut state = State {
            position: nth_mut(positions, dim, k).as_chunks_mut::<1>().0,
            gradient: nth_mut(gradients, dim, k).as_chunks_mut::<1>().0,
            value: values.as_chunks_mut::<1>().0.get_mut(k)?,
        };
        let mut work = Work::new(work.as_chunks_mut::<1>().0, dim)?;
        let words = streams.as_chunks_mut::<4>().0.get_mut(k)?;
        if iteration == 0 {
            hmc::evaluate(isa, &density, &mut state, work.scratch());
        }
        let trajectory = Trajectory {
            jitter: T::lit(JITTER),
            short: T::lit(SHORT),
            ..Trajectory::split(size, leapfrogs)
        };
        let mut own = [Stream::from_words(*words)];
        let outcome = hmc::transition(isa, &density, &mut own, &trajectory, &mut state, &mut work);
        let [stream] = own;
        *words = stream.words();
        let long = length(round, steps);
        if iteration.saturating_mul(2) >= long {
            let w = nth(positions, dim, k);
            let (mean, squares) = sums.split_at_mut_checked(dim)?;
            mean.iter_mut().zip(w).for_each(|(m, w)| *m += *w);
            nth_mut(means, dim, k).iter_mut().zip(w).for_each(|(m, w)| *m += *w);
            add_square(squares, w);
        }
        let [accepted] = outcome.acceptance;
        if let Some(own) =
            self.parts.accepted.get_mut(k).filter(|_| iteration.saturating_mul(2) >= long)
        {
            *own += accepted;
        }
        self.note(ACCEPTED, self.number(ACCEPTED) + accepted);
        let made = steps.saturating_add((iteration == 0) as u64);
        self.set(CALLS, self.word(CALLS).saturating_add(made));
        if k.saturating_add(1) < chains {
            self.set(CHAIN, chain.wrapping_add(1));
            return Some(());
        }
        let mean = self.number(ACCEPTED) / T::of_usize(chains);
        self.note(ACCEPTED, T::ZERO);
        self.note(ACCEPTANCE, self.number(ACCEPTANCE) + mean);
        let next = iteration.saturating_add(1);
        let target = self.target();
        let count = u32::try_from(next).ok()?;
        StepSize::Dual(one(self.parts.step)?).update(isa, target, count, &[mean]);
        self.set(CHAIN, 0);
        self.set(DONE_SO_FAR, next);
        if next >= long { self.fit(round) } else { Some(()) }
    }

    /// Chains that stand still go on from where others are. (In a spike, as hierarchies have where all their units
    /// are equal, there is a density to climb and no mass.) Whether there was no such chain.
    fn free(&mut self, draws: usize) -> bool {
        let dim = self.shape.dim();
        let Parts { accepted, positions, vectors, .. } = &mut self.parts;
        let enough = T::lit(STUCK) * T::of_usize(draws);
        let Some(spare) = vectors.get_mut(..dim) else { return false };
        let Some(mut last) = accepted.iter().rposition(|a| *a >= enough) else { return false };
        for (chain, a) in accepted.iter().enumerate() {
            if *a >= enough {
                last = chain;
            } else {
                spare.iter_mut().zip(nth(positions, dim, last)).for_each(|(s, x)| *s = *x);
                let own = nth_mut(positions, dim, chain);
                own.iter_mut().zip(&*spare).for_each(|(x, s)| *x = *s);
            }
        }
        accepted.iter().all(|a| *a >= enough)
    }

    /// Steps of a trajectory of the next usual round.
    fn usual_steps(&self, size: T, acceptance: T) -> u64 {
        let few = self.shape.options.leapfrogs as u64;
        let most = USUAL_STEPS.max(few);
        let easy = acceptance > T::lit(EASY);
        let mut steps = if easy { few } else { few.saturating_mul(2).min(most) };
        while steps < most && size * T::of_u32(steps as u32) < T::lit(LASTS) {
            steps = steps.saturating_mul(2);
        }
        // No step is longer than its share of a whole trajectory.
        let fewer = (self.word(STEPS) / 2).max(few);
        if acceptance > T::lit(EASIER) { steps.min(fewer) } else { steps }
    }

    /// The frame of the draws of a round; the chains go over to it.
    fn fit(&mut self, round: u64) -> Option<()> {
        let (dim, chains) = (self.shape.dim(), self.shape.chains());
        let steps = self.word(STEPS);
        let long = usize::try_from(length(round, steps)).ok()?;
        let [size] = StepSize::Dual(one(self.parts.step)?).step(self.isa);
        let (rounds, next) = (self.shape.options.rounds as u64, round.saturating_add(1));
        // Short steps add up to nothing.
        let time = size * T::of_u32(u32::try_from(steps).ok()?);
        let short = time + time < T::lit(TIME);
        let last = next >= rounds;
        let hard = steps > USUAL_STEPS || (last && time * T::lit(4.0) < T::lit(TIME));
        // Of the second half.
        let half = long.saturating_sub(long.div_ceil(2));
        let free = !hard || self.free(half);
        let draws = half.saturating_mul(chains);
        let Parts { frame, sums, means, trial, positions, vectors, .. } = &mut self.parts;
        let (mean, squares) = sums.split_at_mut_checked(dim)?;
        let count = T::of_usize(draws);
        mean.iter_mut().for_each(|m| *m = *m / count);
        for (row, a) in rows_mut(squares).zip(&*mean) {
            for (s, b) in row.iter_mut().zip(&*mean) {
                *s = (*s - count * (*a * *b)) / (count - T::ONE);
            }
        }
        let [low, high] = pair::<T>(VARIANCE);
        let described = rows(squares).filter_map(<[T]>::last).all(|v| *v > low && *v < high)
            && mean.iter().all(|m| m.abs() < T::lit(MEAN));
        let agreed =
            rows(squares).filter_map(<[T]>::last).zip(&*mean).enumerate().all(|(j, (v, m))| {
                let own = pieces(means, dim).filter_map(|own| own.get(j));
                let own = own.map(|x| *x / T::of_usize(half) - *m);
                own.fold(T::ZERO, |sum, x| sum + x * x) < T::lit(AGREED) * *v * T::of_usize(chains)
            });
        // Draws of a chain resemble each other.
        shrink(squares, dim, draws / 2, mean);
        factorise(squares, dim);
        let (new_mean, new_factor) = trial.split_at_mut_checked(dim)?;
        Affine::new(frame, dim)?.point(mean, new_mean);
        let (_, factor) = frame.split_at_checked(dim)?;
        compose(factor, squares, dim);
        new_factor.iter_mut().zip(&*squares).for_each(|(f, s)| *f = *s);
        if trial.iter().all(|x| x.is_finite()) {
            let (old, new) = (Affine::new(frame, dim)?, Affine::new(trial, dim)?);
            let ([x, w], _) = cut(vectors, [dim; 2])?;
            for chain in 0..chains {
                let own = nth_mut(positions, dim, chain);
                old.point(own, x);
                new.solve(x, w);
                own.iter_mut().zip(&*w).for_each(|(o, w)| *o = *w);
            }
            frame.iter_mut().zip(&**trial).for_each(|(f, t)| *f = *t);
        }
        let acceptance = self.number(ACCEPTANCE) / T::of_usize(long);
        let accepted = acceptance > T::lit(ENOUGH);
        let settled = described && accepted && round > 0 && (agreed || !short);
        let done = if hard {
            (settled && agreed && free && !short) || next >= rounds.saturating_mul(HARDER)
        } else {
            settled || last
        };
        let steps = if !hard {
            self.usual_steps(size, acceptance)
        } else if short {
            steps.saturating_mul(2).min(MOST_STEPS)
        } else {
            steps
        };
        self.set(STEPS, steps);
        if done {
            self.turn(DONE, 0);
        } else {
            self.begin_round(next);
        }
        Some(())
    }
}

/// The step size of all chains.
fn one<T, const K: usize>(step: &mut [T]) -> Option<&mut [[T; 1]; K]> {
    step.as_chunks_mut::<1>().0.first_chunk_mut::<K>()
}
