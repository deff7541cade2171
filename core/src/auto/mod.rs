//! The posterior sampled by whatever suits it, chosen from a pilot, as one object over the caller's
//! memory.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::auto::{Auto, AutoOptions, Progress};
//! use lcc_core::simd::Isa;
//!
//! // p(w) ~ exp(2 tanh(w)) N(0, 1)
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 2.0)?;
//! let options = AutoOptions::default();
//! let mut memory = vec![0_u128; Auto::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut auto = Auto::init(memory, &options, Isa::detect(), &problem)?;
//! while auto.step(&problem, 1_000_000)? == Progress::Running { /* report, save, stop */ }
//! println!("{}", auto.report()); // what was chosen, and why
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. Of a density of the user's own, with a gradient: that is compared with differences along three directions at four points,
//!    76 evaluations. Where it is wrong, chains are sampled once, and not trusted.
//!    Then a warm-up ([`crate::warmup`]) that finds where and how
//!    wide it is. What follows is about N(m, LL') with twice that covariance, in place of a prior.
//!    Where the support ends at coordinate planes all begins again in logarithms of the distance from them, or logits, and where
//!    tails are as of a power up to 4.5 in inverse hyperbolic sines. What has no finite mass is sampled once, and not trusted.
//! 2. A pilot: sequential Monte Carlo with few particles ([`crate::smc`]). It says how far the posterior
//!    is from its prior, gives chains their starts and their reference, and sees modes that no chain
//!    would cross between. Where it takes two or three temperatures only, so that a mode of little mass
//!    is worth looking for, it is made again with four times as many particles.
//!    Of a density of the user's own that takes two temperatures or more, 256 gradients at its particles say
//!    whether the width of a coordinate hangs on others ([`crate::uncentring`]). Where the logarithm of one varies by
//!    .2 (.05 where the warm-up or chains have trouble), all begins again in coordinates in which it does not. Of what
//!    is left of a funnel then, chains are asked in the same way, thrice at most.
//! 3. Chains: split HMC in antithetic pairs, about the prior where one step of the pilot was enough (its
//!    draws keep half of their weight or more), else about the Gaussian fitted to the pilot; of several neurons on the
//!    l1 ball HMC that reflects at its facets. Of a density of the user's own a trajectory has the steps that the warm-up found, 2 where it
//!    is nearly a Gaussian to 16 (the pilot's half as many; 4 in place of 2 where those are refused too often); otherwise 4. Without a gradient there is no pilot, and a random
//!    walk, which keeps one in 2 d draws in d dimensions.
//! 4. A judgement, on the network's output at up to 16 rows (or on all coordinates of a user's density):
//!    where split R-hat (of a user's density also that of ranks and of distances from the median) is above 1.02
//!    (1.05 of patient chains, and in more than ten dimensions of what is not the user's own), or the pilot is wider than the
//!    chains are within by a quarter (mean absolute deviations), or a particle lies far outside the range of
//!    all chains, chains did not go everywhere that there is. Nor did those of a user's density of whose transitions one in
//!    fifty was next to certain to be refused: their steps do not fit all of where they have come to, as at the mouth of a
//!    funnel, and what lies beyond they cannot enter. Nor those whose energy hardly changes from one transition to the next
//!    (E-BFMI below .6): they come to the end of a tail little by little, if at all.
//!    Where effective draws are asked for ([`AutoOptions::ess`]) chains are judged in rounds, the first of as many draws as would be
//!    enough if each counted, and end once they have enough and are well judged; all draws are made before anything else is tried.
//!    Refusals alone, or an R-hat of up to 1.1 of chains that are everywhere, then lead to careful chains first.
//! 5. Of a density of the user's own the warm-up and the pilot are then made again from ascents of ten steps: of a
//!    hierarchy long ones end where its scale is 0, which has a density without end and no mass, and chains stay there.
//!    Where the evidence is a hundred times that of the first pilot or more, all goes on from there as if it were the
//!    first; where it is less than that of the first pilot, or not by far more and modes were shown, from the first again.
//! 6. Where chains disagree and yet nothing stands apart: careful chains, of 24 steps (12 where R-hat was well), judged as before;
//!    then patient ones, of 32 short steps and four draws for each that is stored, of which a quarter takes steps shorter still, over decades,
//!    for funnels. Judged in the same way, but for R-hat, energies and refusals as above, and for particles far outside
//!    that would not change a variance by a fifth if they stood where mass is. Where their R-hat is 1.01 or less and no particle is
//!    out of reach, the pilot may be twice as wide: it has few particles for heavy tails.
//! 7. Then independence Metropolis from a mixture fitted to the pilot's clusters, which goes from mode to
//!    mode, judged in the same way; it must accept a tenth of its proposals, too, may leave out one
//!    particle of the pilot in 256, and nothing of where chains of a user's density have been before.
//! 8. Then sequential Monte Carlo again, other random numbers, as many particles as there would have
//!    been draws; trusted if its means agree with the pilot's within 5 standard errors and it descends
//!    from 50 draws of the prior or more. Of a density of the user's own, modes must have been shown besides.
//! 9. Of a density of the user's own, Stein's identities over the draws: what the gradients say of means and
//!    variances. Where they contradict the draws these are not trusted, and those of particles that took over
//!    only where the gradients confirm them: two runs that agree may be wrong alike.
//! 10. Of what is trusted of such a density a look around (`warmup::lookout`): ascents from thirty and three hundred sds
//!     out. A mode of a hundredth of the mass that no draw has been to begins all again with half of the warm-up's
//!     chains there, which stay where there is mass; a second and a third one with a fourth and an eighth of them, a fourth is told.
//!
//! Why no more candidates than these: on the six target posteriors of the benchmark (`samplers`)
//! the one chosen so is within a factor of 1.7 of the best of all samplers, and a trial of each would
//! cost more than that. Every phase has the object's seed; the state is the memory, as for
//! [`Sampler`]; neither lanes nor instruction set nor the splitting of the budget change a bit.

mod after;
mod ends;
mod enough;
mod gradient;
mod judge;
mod next;
mod options;
mod plan;
mod read;
mod report;
mod stein;
mod uncentre;

pub use crate::object::Progress;
pub use options::{AutoError, AutoOptions};
pub use read::{Position, Recorded};
pub use report::{Cause, Choice, Report, Verdict};

use crate::error::refuse;
use crate::likelihood::UserDensity;
use crate::object::{Object, object, parts, product};
use crate::plain::plain;
use crate::problem::Problem;
use crate::reference::{Affine, affine_len};
use crate::sampler::{self, Sampler};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa};
use crate::smc::{self, Smc};
use crate::uncentring::{self, FIELDS, Uncentred, Uncentring};
use crate::warmup::{self, Warmup};
use crate::workspace::WorkspaceError;
use core::mem::take;
use plan::{is_hard, reflects};

/// How much wider than the frame that a warm-up found the reference is, in sds: the tails are in its reach.
const WIDER: f64 = 1.5;

/// Words of the cursor.
const CURSOR: usize = 21;
const PHASE: usize = 0;
const CHOICE: usize = 1;
const VERDICT: usize = 2;
const STAGES: usize = 3;
const STRAYS: usize = 4;
const SPENT: usize = 5;
/// Draws that Stein's identities have seen, and the coordinate that they find off, plus 1.
const SEEN: usize = 6;
const OFF: usize = 7;
/// Whether modes were shown: particles that no chain reaches, or chains much narrower than the pilot.
const MODES: usize = 8;
/// Steps of a trajectory, as the warm-up found them.
const LEAPFROGS: usize = 9;
/// How all began for the last time.
const BEGUN: usize = 10;
/// The coordinate of the largest R-hat, plus 1.
const SLOWEST: usize = 11;
/// How many times a map, or more of it, was learnt.
const MAPS: usize = 12;
/// Draws of each chain at the end of the round at hand, where a number of effective ones was asked for.
const NEXT: usize = 13;
/// Gradients that the run may take (0: any number), and whether it was told to stop or has ended early for want of them.
const LIMIT: usize = 14;
const STOPPED: usize = 15;
const TOLD: u64 = 1;
const EARLY: u64 = 2;
/// Why the draws are not to be trusted.
const CAUSE: usize = 16;
/// Whether chains of the warm-up were asked where the density ends when they had their first frame, and whether it does not:
/// along which coordinate, plus 1, or the largest number.
const ASKED: usize = 17;
const IMPROPER: usize = 18;
/// Whether the gradient was compared with differences, and in which coordinate it is wrong, plus 1.
const CHECKED: usize = 19;
const WRONG: usize = 20;

/// Phases.
const WARMUP: u64 = 0;
const PILOT: u64 = 1;
const CHAINS: u64 = 2;
const PARTICLES: u64 = 3;
const CHECK: u64 = 4;
const LOOK: u64 = 5;
const ANEW: u64 = 6;
const DONE: u64 = 7;

/// How all began: with the usual warm-up; with short ascents, as chains disagreed; with the usual one again, as those found
/// no more mass; with chains in a mode that a look around saw, or, by the numbers behind that up to the last, in so many.
const USUAL: u64 = 0;
const SHORT: u64 = 1;
const BACK: u64 = 2;
const SIGHT: u64 = 3;
const LAST_SIGHT: u64 = 5;

/// Numbers.
const SCALARS: usize = 8;
const OVERLAP: usize = 0;
const RHAT_FOUND: usize = 1;
const SPREAD_FOUND: usize = 2;
const DISAGREEMENT: usize = 3;
const SHIFT: usize = 4;
const STRETCH: usize = 5;
/// The logarithm of the evidence of the first pilot.
const FIRST: usize = 6;
/// The least effective sample size.
const EFFECTIVE: usize = 7;

plain! {
    /// The options, and the sizes of the parts.
    struct Shape {
        options: AutoOptions,
        warmup: usize,
        frame: usize,
        dim: usize,
        room: usize,
        learning: usize,
        pilot: usize,
        main: usize,
        scratch: usize,
    }
}

object! {
    /// A run over the caller's memory.
    pub struct Auto { shape: Shape, options: AutoOptions, error: AutoError }
}

parts! {
    /// The parts of the memory.
    struct Parts of shape: Shape as Auto;
    broken: AutoError::NotAnAuto;
    possible: shape.options.check().is_ok();
    with {}
    cursor: [u64] = CURSOR,
    scalars: [T] = SCALARS,
    /// The warm-up, and the frame that it found ([`crate::reference::Affine`]).
    warmup: [u8] = shape.warmup,
    frame: [T] = shape.frame,
    /// The pilot, and what follows it: chains or particles.
    pilot: [u8] = shape.pilot,
    main: [u8] = shape.main,
    /// The range in which chains have been, coordinate by coordinate, and then the sums of Stein's identities.
    stein: [T] = product([stein::VECTORS, if shape.frame > 0 { shape.dim } else { 0 }])?,
    /// The map that un-centres a hierarchy, and what is learnt while that one is lent; room of the density behind it, and of
    /// learning it.
    map: [T] = product([FIELDS, if shape.frame > 0 { shape.dim } else { 0 }])?,
    draft: [T] = product([FIELDS, if shape.frame > 0 { shape.dim } else { 0 }])?,
    room: [T] = shape.room,
    learning: [T] = shape.learning,
    /// A number for each particle of the largest run, and what the judge's functionals need.
    scratch: [T] = shape.scratch,
}

impl Shape {
    fn new<T: AnyLanes>(
        options: &AutoOptions,
        problem: &Problem<'_, T>,
    ) -> Result<Self, AutoError> {
        options.check()?;
        let options = *options;
        let draws = (options.chains as usize).saturating_mul(options.draws as usize);
        if !problem.has_gradient() {
            let main = Sampler::size(&options.walks::<T>(problem.dim()), problem)?;
            let scratch = draws.saturating_add(judge::scratch(problem));
            let (warmup, frame, dim, room, learning, pilot) = (0, 0, 0, 0, 0, 0);
            return Ok(Self { options, warmup, frame, dim, room, learning, pilot, main, scratch });
        }
        let (mut warmup, mut frame, mut room, mut learning) = (0, 0, 0, 0);
        if problem.own().is_some() {
            let (dim, overflow) = (problem.dim(), WorkspaceError::Overflow);
            warmup = Warmup::size(&options.warm_up(USUAL), problem)?;
            frame = affine_len(dim).ok_or(overflow)?;
            room = uncentring::room(dim, options.lanes as usize).ok_or(overflow)?;
            learning = uncentring::learning(dim, options.learnt_from()).ok_or(overflow)?;
        }
        let mut main = 0;
        let last = if reflects(problem) { Choice::Reflection } else { Choice::SplitFitted };
        for choice in [Choice::SplitPrior, Choice::Mixture, Choice::Careful, Choice::Patient, last]
        {
            main = Sampler::size(&options.chains::<T>(choice, 0, false), problem)?.max(main);
        }
        let many = options.many::<T>(0)?;
        // Of functionals that are no coordinates their values.
        let values = if options.ess > 0 && warmup == 0 { draws / 2 } else { 0 };
        Ok(Self {
            options,
            warmup,
            frame,
            dim: problem.dim(),
            room,
            learning,
            pilot: Smc::size(&options.more::<T>(0)?, problem)?,
            main: Smc::size(&many, problem)?.max(main),
            scratch: (many.particles.max(options.more::<T>(0)?.particles) as usize)
                .max(draws)
                .saturating_add(values)
                .saturating_add(judge::scratch(problem)),
        })
    }
}

/// The problem in the frame that a warm-up found, once it has.
fn framed<'p, T: Real>(problem: &Problem<'p, T>, frame: &'p [T]) -> Problem<'p, T> {
    match Affine::new(frame, problem.dim()).filter(|_| problem.own().is_some()) {
        Some(frame) => problem.about(frame),
        None => *problem,
    }
}

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    /// Advances by about `budget` row-gradient visits, as [`Smc::step`] and [`Sampler::step`] do. A
    /// change of phase begins the budget anew and judges or fits besides: at most sixteen in a run.
    pub fn step(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, AutoError> {
        refuse(Shape::new(&self.shape.options, problem)? != self.shape, AutoError::OtherProblem)?;
        loop {
            let before = self.word(MAPS);
            let done = match problem.own().filter(|_| before > 0) {
                Some(user) => self.within(problem, user, budget),
                None => self.advance(problem, budget),
            };
            if done.is_err() && self.word(WRONG) > 0 {
                self.set(CAUSE, Cause::WrongGradient as u64);
                return Err(AutoError::WrongGradient);
            }
            if self.word(MAPS) == before {
                return done;
            }
            // What is un-centred now is another problem from here on.
            self.parts.map.iter_mut().zip(&*self.parts.draft).for_each(|(m, d)| *m = *d);
        }
    }

    /// Advances in the coordinates of the map.
    fn within(
        &mut self,
        problem: &Problem<'_, T>,
        user: UserDensity<'_, T>,
        budget: u64,
    ) -> Result<Progress, AutoError> {
        let (map, room) = (take(&mut self.parts.map), take(&mut self.parts.room));
        let own = Uncentring::new(map);
        let density = Uncentred::new(user.density, own, &mut *room);
        let done = self.advance(&problem.uncentred(&density, own), budget);
        (self.parts.map, self.parts.room) = (map, room);
        done
    }

    /// Advances until the budget is used up, all is done, or the coordinates are to change.
    fn advance(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, AutoError> {
        loop {
            let phase = self.word(PHASE);
            if phase == ANEW {
                let options = self.shape.options.warm_up(self.word(BEGUN));
                Warmup::init(&mut *self.parts.warmup, &options, self.isa, problem)?;
                self.set(PHASE, WARMUP);
                continue;
            }
            if phase == WARMUP {
                if self.warm(problem, budget)? == Progress::Running {
                    return Ok(Progress::Running);
                }
                continue;
            }
            // What is over still knows its problem from another.
            let budget = if phase < DONE { budget } else { 0 };
            // The frame is lent beside the other parts.
            let frame = take(&mut self.parts.frame);
            let done = self.phase(&framed(problem, frame), phase, budget);
            self.parts.frame = frame;
            if let Some(progress) = done? {
                return Ok(progress);
            }
        }
    }

    /// The warm-up, where there is one, and then the pilot or chains.
    fn warm(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, AutoError> {
        if !self.parts.warmup.is_empty() {
            let most = self.each(1);
            let first = self.word(ASKED) == 0;
            if let Some(user) = problem.own().filter(|_| self.word(CHECKED) == 0) {
                if let Some(k) = self.rises(user).ok_or(AutoError::NotAnAuto)? {
                    self.set(IMPROPER, k.saturating_add(1));
                    self.set(CAUSE, Cause::Improper as u64);
                    return Err(AutoError::Improper);
                }
                self.check_gradient(user).ok_or(AutoError::NotAnAuto)?;
                self.set(CHECKED, 1);
            }
            let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa)?;
            if warmup.step_within(problem, budget, most, first)? == Progress::Running {
                return Ok(Progress::Running);
            }
            if first && warmup.at_first_frame() {
                let spent = warmup.evaluations();
                self.set(ASKED, 1);
                let stretched =
                    !self.is_doomed() && self.ends(problem).ok_or(AutoError::NotAnAuto)?;
                let asked = !stretched && !self.is_doomed() && self.may_begin_anew();
                if stretched || asked && self.foresee(problem).ok_or(AutoError::NotAnAuto)? {
                    self.set(SPENT, self.word(SPENT).saturating_add(spent));
                    return Ok(Progress::Running);
                }
                if !self.is_doomed() {
                    return Ok(Progress::Done);
                }
            }
            let doomed = self.is_doomed();
            let warmup = Warmup::<T>::open(self.parts.warmup, self.isa)?;
            let found = warmup.frame().or_else(|| doomed.then(|| warmup.frame_so_far()));
            let found = found.ok_or(AutoError::Gradients)?;
            self.parts.frame.iter_mut().zip(found).for_each(|(f, x)| *f = *x);
            let (spent, leapfrogs) = (warmup.evaluations(), warmup.leapfrogs());
            let spent = self.word(SPENT).saturating_add(spent);
            self.set(SPENT, spent);
            self.set(LEAPFROGS, leapfrogs as u64);
            if !doomed && self.ends(problem).ok_or(AutoError::NotAnAuto)? {
                return Ok(Progress::Running);
            }
            Affine::widen(self.parts.frame, problem.dim(), T::lit(WIDER));
        }
        if !problem.has_gradient() {
            self.begin_chains(problem, Choice::RandomWalk)?;
            return Ok(Progress::Done);
        }
        let options = self.shape.options.few(self.leapfrogs());
        let frame = take(&mut self.parts.frame);
        let made = Smc::init(&mut *self.parts.pilot, &options, self.isa, &framed(problem, frame));
        let made = made.map(|_| ());
        self.parts.frame = frame;
        made?;
        self.set(PHASE, PILOT);
        Ok(Progress::Done)
    }

    /// Advances what is at work, in the frame; `None` where another phase begins.
    fn phase(
        &mut self,
        problem: &Problem<'_, T>,
        phase: u64,
        budget: u64,
    ) -> Result<Option<Progress>, AutoError> {
        if phase == CHECK {
            return self.check(problem, budget).ok_or(AutoError::NotAnAuto);
        }
        if phase == LOOK {
            return self.look(problem, budget).ok_or(AutoError::NotAnAuto);
        }
        let options = self.shape.options;
        let progress = if phase == PILOT || self.choice() == Choice::Particles {
            let of = if phase == PILOT { Some(self.piloted()) } else { options.particles() };
            let most = self.each(of.ok_or(AutoError::Draws)?);
            let memory =
                if phase == PILOT { &mut *self.parts.pilot } else { &mut *self.parts.main };
            let mut smc = Smc::<T>::open(memory, self.isa)?;
            let progress = smc.step_within(problem, budget, most)?;
            refuse(progress == Progress::Done && !smc.position().done, AutoError::Gradients)?;
            progress
        } else {
            let until = self.until().ok_or(AutoError::NotAnAuto)?;
            Sampler::<T>::open(self.parts.main, self.isa)?.step_until(problem, budget, until)?
        };
        if phase >= DONE {
            return Ok(Some(Progress::Done));
        }
        if progress == Progress::Running {
            return Ok(Some(progress));
        }
        if phase == CHAINS {
            refuse(!self.has_draws().ok_or(AutoError::NotAnAuto)?, AutoError::Gradients)?;
            if options.ess > 0 && self.lacks(problem).ok_or(AutoError::NotAnAuto)? {
                return Ok(None);
            }
        }
        let spent = self.word(SPENT).saturating_add(self.running());
        self.set(SPENT, spent);
        let before = self.word(MAPS);
        match phase {
            PILOT => self.judge_pilot(problem)?,
            CHAINS => self.judge_chains(problem)?,
            _ => self.judge_particles(problem)?,
        }
        Ok((self.word(MAPS) != before).then_some(Progress::Running))
    }
}

impl<'a, T: AnyLanes> Auto<'a, T> {
    /// The bytes that a run takes, at an address that is a multiple of
    /// [`ALIGN`](crate::workspace::ALIGN): the pilot's, and those of the chains or of the particles
    /// that may follow them, whichever are more.
    pub fn size(options: &AutoOptions, problem: &Problem<'_, T>) -> Result<usize, AutoError> {
        Object::<T>::bytes(&Shape::new(options, problem)?)
    }

    /// Makes a run in the first [`size`](Self::size) bytes of `memory`. On an error the memory's content
    /// means nothing.
    pub fn init(
        memory: &'a mut [u8],
        options: &AutoOptions,
        isa: Isa,
        problem: &Problem<'_, T>,
    ) -> Result<Self, AutoError> {
        let shape = Shape::new(options, problem)?;
        let parts: Parts<'a, T> = shape.make(memory)?;
        if problem.own().is_some() && problem.has_gradient() {
            Warmup::init(&mut *parts.warmup, &options.warm_up(USUAL), isa, problem)?;
        }
        let mut this = Self { isa, shape, parts };
        this.set(LIMIT, options.max_gradients);
        this.begin();
        Ok(this)
    }
}

impl<T: Real> Auto<'_, T> {
    /// Forgets all but what it took, and whether modes were shown.
    fn forget(&mut self, begun: u64, phase: u64) {
        let kept = [SPENT, MODES, MAPS, LIMIT, STOPPED, CHECKED, WRONG]
            .map(|which| (which, self.word(which)));
        self.parts.cursor.fill(0);
        kept.into_iter()
            .chain([(BEGUN, begun), (PHASE, phase)])
            .for_each(|(which, word)| self.set(which, word));
        self.begin();
    }

    /// Forgets what has been found.
    fn begin(&mut self) {
        self.parts.scalars.fill(T::NAN);
        let (reach, _) = self.parts.stein.as_chunks_mut::<2>();
        reach.iter_mut().for_each(|reach| *reach = [T::INFINITY, -T::INFINITY]);
    }

    /// Whether it is known that no draws can be trusted: those of one round are all that there will be.
    fn is_doomed(&self) -> bool {
        self.word(IMPROPER) > 0 || self.word(WRONG) > 0
    }

    fn choice(&self) -> Choice {
        Choice::from_code(self.word(CHOICE) as i32).unwrap_or(Choice::Undecided)
    }

    fn leapfrogs(&self) -> u32 {
        u32::try_from(self.word(LEAPFROGS)).unwrap_or(u32::MAX)
    }

    fn noted(&self, which: usize) -> T {
        self.parts.scalars.get(which).copied().unwrap_or(T::NAN)
    }

    fn note(&mut self, which: usize, x: T) {
        if let Some(slot) = self.parts.scalars.get_mut(which) {
            *slot = x;
        }
    }
}
