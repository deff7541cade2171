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
//! 0. Of a density of the user's own, with a gradient: a warm-up ([`crate::warmup`]) that finds where and how
//!    wide it is. What follows is about N(m, LL') with twice that covariance, in place of a prior.
//! 1. A pilot: sequential Monte Carlo with few particles ([`crate::smc`]). It says how far the posterior
//!    is from its prior, gives chains their starts and their reference, and sees modes that no chain
//!    would cross between. Where it takes two or three temperatures only, so that a mode of little mass
//!    is worth looking for, it is made again with four times as many particles.
//! 2. Chains: split HMC in antithetic pairs, about the prior where one step of the pilot was enough (its
//!    draws keep half of their weight or more), else about the Gaussian fitted to the pilot. Without a
//!    gradient there is no pilot, and a random walk.
//! 3. A judgement, on the network's output at up to 16 rows (or on up to 16 coordinates of a user's
//!    density): where split R-hat is above 1.02 (1.05 in more than ten dimensions), or the pilot is wider than the chains are within by a
//!    quarter (mean absolute deviations), or a particle lies far outside the range of all chains, chains
//!    did not go everywhere that there is.
//! 4. Then independence Metropolis from a mixture fitted to the pilot's clusters, which goes from mode to
//!    mode, judged in the same way; it must accept a tenth of its proposals, too, and may leave out one
//!    particle of the pilot in 256.
//! 5. Then sequential Monte Carlo again, other random numbers, as many particles as there would have
//!    been draws; trusted if its means agree with the pilot's within 5 standard errors and it descends
//!    from 50 draws of the prior or more.
//!
//! Why no more candidates than these: on five of the six target posteriors of the benchmark (`samplers`)
//! the one chosen so is within a factor of 1.7 of the best of all samplers, and a trial of each would
//! cost more than that. (On the sixth, eight neurons under the l1 prior, HMC with reflection is 2 to 3
//! times better.) Every phase has the object's seed; the state is the memory, as for
//! [`Sampler`]; neither lanes nor instruction set nor the splitting of the budget change a bit.

mod judge;
mod options;
mod read;
mod report;

pub use crate::object::Progress;
pub use options::{AutoError, AutoOptions};
pub use read::{Position, Recorded};
pub use report::{Choice, Report, Verdict};

use crate::error::refuse;
use crate::object::{Object, object, parts};
use crate::plain::plain;
use crate::problem::Problem;
use crate::reference::{Affine, affine_len};
use crate::sampler::{self, Method, Reference, Sampler, SamplerOptions};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa};
use crate::smc::{self, Smc, SmcOptions};
use crate::warmup::{self, Warmup, WarmupOptions};
use crate::workspace::WorkspaceError;
use judge::Probes;

/// R-hat above which chains do not agree, where w has few dimensions, in which a mixture is cheap, and
/// elsewhere (on J1, of 24, a run in twenty has 1.02 and no fault); with few draws 1 + 4/draws, which is
/// twice what they have when they agree.
const RHAT: [f64; 2] = [1.02, 1.05];
const FEW: usize = 10;
/// Temperatures up to which the pilot is made again, with so many times the particles.
const NEAR: u32 = 3;
const AGAIN: u32 = 4;
/// How much wider than a chain the pilot may be.
const SPREAD: f64 = 1.25;
/// The share of its proposals that a method of chains must accept.
const ACCEPTANCE: f64 = 0.1;
/// Standard errors by which two runs of particles may differ.
const APART: f64 = 5.0;
/// Draws of the prior that the particles must at least descend from.
const FAMILIES: u64 = 50;
/// Warm-up of chains that start from the prior, in warm-ups of chains that start from a pilot.
const LONGER: u32 = 10;

/// How much wider than the frame that a warm-up found the reference is, in sds: the tails are in its reach.
const WIDER: f64 = 1.5;

/// Words of the cursor.
const CURSOR: usize = 6;
const PHASE: usize = 0;
const CHOICE: usize = 1;
const VERDICT: usize = 2;
const STAGES: usize = 3;
const STRAYS: usize = 4;
const SPENT: usize = 5;

/// Phases.
const WARMUP: u64 = 0;
const PILOT: u64 = 1;
const CHAINS: u64 = 2;
const PARTICLES: u64 = 3;
const DONE: u64 = 4;

/// Numbers: overlap, R-hat, spread, disagreement.
const SCALARS: usize = 4;

plain! {
    /// The options, and the sizes of the parts.
    struct Shape {
        options: AutoOptions,
        warmup: usize,
        frame: usize,
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
        if !problem.has_gradient() {
            let main = Sampler::size(&options.chains::<T>(Choice::RandomWalk), problem)?;
            return Ok(Self { options, warmup: 0, frame: 0, pilot: 0, main, scratch: 0 });
        }
        let (mut warmup, mut frame) = (0, 0);
        if problem.own().is_some() {
            warmup = Warmup::size(&options.warm_up(), problem)?;
            frame = affine_len(problem.dim()).ok_or(WorkspaceError::Overflow)?;
        }
        let prior = Sampler::size(&options.chains::<T>(Choice::SplitPrior), problem)?;
        let fitted = Sampler::size(&options.chains::<T>(Choice::SplitFitted), problem)?;
        let mixture = Sampler::size(&options.chains::<T>(Choice::Mixture), problem)?;
        let many = options.many::<T>()?;
        Ok(Self {
            options,
            warmup,
            frame,
            pilot: Smc::size(&options.more::<T>()?, problem)?,
            main: prior.max(fitted).max(mixture).max(Smc::size(&many, problem)?),
            scratch: (many.particles.max(options.more::<T>()?.particles) as usize)
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

impl AutoOptions {
    fn warm_up(&self) -> WarmupOptions {
        WarmupOptions { seed: self.seed, ..Default::default() }
    }

    fn few<T: Real>(&self) -> SmcOptions<T> {
        SmcOptions {
            particles: self.pilot,
            lanes: self.lanes,
            seed: self.seed,
            ..Default::default()
        }
    }

    /// The pilot again, with more particles.
    fn more<T: Real>(&self) -> Result<SmcOptions<T>, AutoError> {
        let particles = self.pilot.checked_mul(AGAIN).ok_or(AutoError::Pilot)?;
        Ok(SmcOptions { particles, ..self.few() })
    }

    /// As the pilot, with other random numbers.
    fn many<T: Real>(&self) -> Result<SmcOptions<T>, AutoError> {
        let particles = self.particles().ok_or(AutoError::Draws)?;
        let seed = self.seed ^ 0x7365_636F_6E64_7275;
        Ok(SmcOptions { particles, seed, ..self.few() })
    }

    fn chains<T: Real>(&self, choice: Choice) -> SamplerOptions<T> {
        let (method, reference, warmup) = match choice {
            Choice::SplitFitted => (Method::SplitHmc, Reference::Gaussian, self.warmup),
            Choice::Mixture => (Method::Independence, Reference::Mixture, self.warmup),
            Choice::RandomWalk => {
                (Method::RandomWalk, Reference::Prior, self.warmup.saturating_mul(LONGER))
            }
            _ => (Method::SplitHmc, Reference::Prior, self.warmup),
        };
        SamplerOptions {
            method: method.into(),
            reference: reference.into(),
            antithetic: true.into(),
            chains: self.chains,
            lanes: self.lanes,
            warmup: warmup.min(u32::MAX.saturating_sub(self.draws)),
            draws: self.draws,
            stored: self.draws,
            seed: self.seed,
            ..Default::default()
        }
    }
}

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    /// Advances by about `budget` row-gradient visits, as [`Smc::step`] and [`Sampler::step`] do. A
    /// change of phase begins the budget anew and judges or fits besides: at most four in a run.
    pub fn step(&mut self, problem: &Problem<'_, T>, budget: u64) -> Result<Progress, AutoError> {
        refuse(Shape::new(&self.shape.options, problem)? != self.shape, AutoError::OtherProblem)?;
        loop {
            let phase = self.word(PHASE);
            if phase == WARMUP {
                if self.warm(problem, budget)? == Progress::Running {
                    return Ok(Progress::Running);
                }
                continue;
            }
            // What is over still knows its problem from another.
            let budget = if phase < DONE { budget } else { 0 };
            // The frame is lent beside the other parts.
            let frame = core::mem::take(&mut self.parts.frame);
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
            let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa)?;
            if warmup.step(problem, budget)? == Progress::Running {
                return Ok(Progress::Running);
            }
            let found = warmup.frame().ok_or(AutoError::NotAnAuto)?;
            self.parts.frame.iter_mut().zip(found).for_each(|(f, x)| *f = *x);
            let spent = warmup.evaluations();
            self.set(SPENT, spent);
            Affine::widen(self.parts.frame, problem.dim(), T::lit(WIDER));
        }
        if !problem.has_gradient() {
            self.begin_chains(problem, Choice::RandomWalk)?;
            return Ok(Progress::Done);
        }
        let options = self.shape.options.few();
        let frame = core::mem::take(&mut self.parts.frame);
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
        let progress = if phase == PILOT {
            Smc::<T>::open(self.parts.pilot, self.isa)?.step(problem, budget)?
        } else if self.choice() == Choice::Particles {
            Smc::<T>::open(self.parts.main, self.isa)?.step(problem, budget)?
        } else {
            Sampler::<T>::open(self.parts.main, self.isa)?.step(problem, budget)?
        };
        if progress == Progress::Running || phase >= DONE {
            return Ok(Some(progress));
        }
        let spent = self.word(SPENT).saturating_add(self.running());
        self.set(SPENT, spent);
        match phase {
            PILOT => self.judge_pilot(problem)?,
            CHAINS => self.judge_chains(problem)?,
            _ => self.judge_particles(problem)?,
        }
        Ok(None)
    }

    fn judge_pilot(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let pilot = Smc::<T>::open(self.parts.pilot, self.isa)?;
        let (stages, particles) = (pilot.position().stages, pilot.options().particles);
        let overlap = pilot.stage(0).filter(|_| stages == 1).map(|s| s.ess);
        let again = self.shape.options.more::<T>()?;
        if (2..=NEAR).contains(&stages) && particles < again.particles {
            Smc::init(&mut *self.parts.pilot, &again, self.isa, problem)?;
            return Ok(());
        }
        self.set(STAGES, stages as u64);
        self.note([overlap.unwrap_or(T::NAN), T::NAN, T::NAN, T::NAN]);
        let choice = if stages <= 1 { Choice::SplitPrior } else { Choice::SplitFitted };
        self.begin_chains(problem, choice)
    }

    fn begin_chains(&mut self, problem: &Problem<'_, T>, choice: Choice) -> Result<(), AutoError> {
        let options = self.shape.options.chains::<T>(choice);
        let (isa, main) = (self.isa, &mut *self.parts.main);
        if choice == Choice::RandomWalk {
            Sampler::init(main, &options, isa, problem)?;
        } else {
            let pilot = Smc::<T>::open(self.parts.pilot, isa)?;
            let cloud = pilot.cloud().ok_or(AutoError::NotAnAuto)?;
            Sampler::init_from(main, &options, isa, problem, &cloud)?;
        }
        self.set(CHOICE, choice as u64);
        self.set(PHASE, CHAINS);
        Ok(())
    }

    fn judge_chains(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let probes = Probes::new(problem, self.parts.scratch);
        let piloted = !self.parts.pilot.is_empty();
        let (judged, moving) = {
            let chains = Sampler::<T>::open(self.parts.main, self.isa)?;
            let pilot = piloted.then(|| Smc::<T>::open(self.parts.pilot, self.isa)).transpose()?;
            let accepted = judge::acceptance(&chains) >= T::lit(ACCEPTANCE);
            (judge::chains(&probes, &chains, pilot.as_ref()), accepted)
        };
        let [overlap, _, _, apart] = self.noted();
        let spread = if piloted { judged.spread } else { T::NAN };
        self.note([overlap, judged.rhat, spread, apart]);
        self.set(STRAYS, judged.strays as u64);
        // What proposes everywhere may leave out the few that stand where next to no mass is.
        let strays = if self.choice() == Choice::Mixture { self.piloted() / 256 } else { 0 };
        let everywhere = judged.spread <= T::lit(SPREAD) && judged.strays <= strays;
        let [low, high] = RHAT;
        let limit = if problem.dim() <= FEW { low } else { high };
        let few = T::ONE + T::lit(4.0) / T::of_u32(self.shape.options.draws);
        let mixed = judged.rhat <= T::lit(limit).max(few) && everywhere && moving;
        if mixed || !piloted {
            let verdict = if mixed { Verdict::Mixed } else { Verdict::Unreliable };
            self.end(verdict);
            return Ok(());
        }
        if self.choice() != Choice::Mixture {
            return self.begin_chains(problem, Choice::Mixture);
        }
        let many = self.shape.options.many::<T>()?;
        Smc::init(self.parts.main, &many, self.isa, problem)?;
        self.set(CHOICE, Choice::Particles as u64);
        self.set(PHASE, PARTICLES);
        Ok(())
    }

    fn judge_particles(&mut self, problem: &Problem<'_, T>) -> Result<(), AutoError> {
        let (work, scratch) = self
            .parts
            .scratch
            .split_at_mut_checked(judge::scratch(problem))
            .ok_or(AutoError::NotAnAuto)?;
        let probes = Probes::new(problem, work);
        let (apart, families) = {
            let pilot = Smc::<T>::open(self.parts.pilot, self.isa)?;
            let many = Smc::<T>::open(self.parts.main, self.isa)?;
            let families = many.evidence().map_or(0, |e| e.families);
            (judge::agreement(&probes, &pilot, &many, scratch), families)
        };
        let [overlap, rhat, spread, _] = self.noted();
        self.note([overlap, rhat, spread, apart]);
        let sound = apart <= T::lit(APART) && families >= FAMILIES;
        let verdict = if sound { Verdict::Modes } else { Verdict::Unreliable };
        self.end(verdict);
        Ok(())
    }

    fn end(&mut self, verdict: Verdict) {
        self.set(VERDICT, verdict as u64);
        self.set(PHASE, DONE);
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
            Warmup::init(&mut *parts.warmup, &options.warm_up(), isa, problem)?;
        }
        parts.scalars.fill(T::NAN);
        Ok(Self { isa, shape, parts })
    }
}

impl<T: Real> Auto<'_, T> {
    fn choice(&self) -> Choice {
        Choice::from_code(self.word(CHOICE) as i32).unwrap_or(Choice::Undecided)
    }

    fn noted(&self) -> [T; SCALARS] {
        (&*self.parts.scalars).try_into().unwrap_or([T::NAN; SCALARS])
    }

    fn note(&mut self, numbers: [T; SCALARS]) {
        self.parts.scalars.iter_mut().zip(numbers).for_each(|(s, x)| *s = x);
    }
}
