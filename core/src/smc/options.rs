//! What sequential Monte Carlo is asked to do.

use super::SmcError;
use crate::error::refuse;
use crate::kernel::hmc::Trajectory;
use crate::plain::{Code, Plain, Switch, below, codes, plain, within};
use crate::prior::Prior;
use crate::sampler::Reference;
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use crate::special::scalar::{exp, ln};

/// The gain of the step size's adaptation.
const GAIN: f64 = 2.0;

codes! {
    /// The temperatures lambda_1 < ... < lambda_K = 1 through which the likelihood is let in, K being
    /// [`SmcOptions::stages`].
    pub enum Ladder: Ladder {
        /// Each as large as leaves the effective sample size at [`SmcOptions::share`] of the particles: the least
        /// work. The estimate of the evidence is consistent, its bias of order 1/particles. Needing more than K
        /// stops the run ([`SmcError::Stages`]).
        Adaptive = 0,
        /// lambda_k = k / K.
        Even = 1,
        /// From lambda_1 = [`SmcOptions::first`] to 1 by equal factors; with K = 1 it is not used.
        Geometric = 2,
        /// By the caller, to [`Smc::init_given`](super::Smc::init_given).
        Given = 3,
        /// By observations: the rows are let in one after another, each predicted from those before it
        /// ([`Smc::predicted`](super::Smc::predicted)), and whenever they leave fewer effective particles than
        /// [`SmcOptions::share`] these are resampled and moved at the posterior given the rows so far (iterated
        /// batch importance sampling: Chopin 2002). Of a greedy or a joint posterior; the "temperature" of a stage
        /// is the share of the rows let in, and needing more than K stages stops the run. Moves cost
        /// as many row visits as there are rows so far. A row is not divided: one that hardly any particle
        /// explains leaves few families ([`Evidence::families`](super::Evidence)), and only the temperatures help.
        Rows = 4,
        /// Gaussian cooling (Cousins and Vempala 2018): particles start at w ~ N(0, s^2 I), s being
        /// [`SmcOptions::first`] of the prior's sd or radius, weighed by prior and likelihood, and
        /// exp(-(1 - lambda) |w|^2/(2 s^2)) is let go by steps as of an adaptive ladder, lambda = 0 the first; refused
        /// where that leaves less than the share. Of a greedy or a joint posterior. For likelihoods that hardly vary near
        /// w = 0 but at large w so much that draws from the prior meet few good places. Where it rises steeply from 0 it takes moves: at 1024 particles two of them left a log evidence
        /// of 32 nats .4 low, six .1. Modes far from 0 beyond a valley are not seen in time: a sine's were missed.
        Cooling = 5,
    }
}

plain! {
    /// What a run of sequential Monte Carlo is asked to do. The defaults are real values, all in use.
    #[repr(C)]
    pub struct SmcOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_LADDER_ code. Default: adaptive.
        pub ladder: Code<Ladder> = Ladder::Adaptive.into(),
        /// Particles, at least 2 and a multiple of the lanes. Default 1024.
        pub particles: u32 = 1024,
        /// Particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
        /// Default 8.
        pub lanes: u32 = usual_lanes(),
        /// Temperatures, at least 1; of an adaptive ladder the most there is room for. Default 100.
        pub stages: u32 = 100,
        /// Transitions of every particle at each temperature, at least 1. Default 2.
        pub moves: u32 = 2,
        /// Evaluations of the gradient in one transition, at least 1. Default 2: more, shorter transitions adapt
        /// sooner, and what a particle does not travel resampling makes up for.
        pub leapfrogs: u32 = 2,
        /// 1 adapts the step size to target_accept, 0 leaves it at total_time / leapfrogs; 0, about the prior
        /// and on a ladder that is not adaptive, makes the estimate of the evidence unbiased: adaptation leaves a
        /// bias of order 1/particles. Of cooling an adapted step starts at `first` times that. Default 1.
        pub adapt: Switch = true.into(),
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// An LCC_REFERENCE_ code: what the transitions solve exactly. The Gaussian is fitted once a temperature, to
        /// the resampled particles that are then moved, and serves all of them: about a posterior far from the
        /// prior steps are longer, at N dim^2 flops a temperature and 2 dim^2 an evaluation more. With leapfrogs 1
        /// it gave 1.6 times the effective draws a second on a near-Gaussian greedy posterior of 10 inputs, and up
        /// to 20 times the effective draws where coordinates are tied; near the prior, under the l1 prior and with
        /// several modes the prior was as good or better. That the fit depends on the particles it moves leaves a
        /// bias of order 1/particles in the evidence and in the means, as adaptation does, even on a fixed ladder.
        /// For an evidence without bias and particles about a fit, make two runs: a fitted one, then one about the
        /// prior on its temperatures, given, with adapt 0. A fit is as narrow as its particles: where a ladder takes
        /// steps that leave only a few of them, the prior is the safer reference. The other references are
        /// refused. Default: the prior.
        pub reference: Code<Reference> = Reference::Prior.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// Adaptive ladder, rows and cooling: the share of the particles that a step may leave, inside (0, 1). Default .5.
        pub share: T = T::HALF,
        /// Geometric ladder: the first temperature; cooling: the first sd, in units of the prior's sd or radius. In (0, 1];
        /// cooling: at least 3e-8 in double, 7e-4 in single precision. Default .01.
        pub first: T = T::lit(0.01),
        /// The mean probability of acceptance that the step size is adapted to, inside (0, 1).
        /// Default .85.
        pub target_accept: T = T::lit(0.85),
        /// The first and longest transition, in radians of the reference's rotation: the step starts at
        /// total_time / leapfrogs and is never longer. In (0, 3]. Default 1.6.
        pub total_time: T = T::lit(1.6),
        /// Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
        pub jitter: T = T::lit(0.2),
    }
}

impl<T: Real> SmcOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SmcError> {
        use SmcError as E;
        self.known()?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.particles < 2 || !self.particles.is_multiple_of(self.lanes), E::Particles)?;
        let own = match self.ladder.value() {
            Ladder::Adaptive | Ladder::Rows => below(self.share, T::ONE),
            Ladder::Geometric => within(self.first, T::ONE),
            // A step of 1 - lambda by a quarter of first^2 is one of lambda too.
            Ladder::Cooling => {
                let steps = self.first * self.first >= T::EPSILON * T::lit(4.0);
                below(self.share, T::ONE) && within(self.first, T::ONE) && steps
            }
            Ladder::Even | Ladder::Given => true,
        };
        refuse(!own || self.stages == 0, E::Ladder)?;
        refuse(self.moves == 0, E::Moves)?;
        refuse(
            !matches!(self.reference.value(), Reference::Prior | Reference::Gaussian),
            E::Reference,
        )?;
        refuse(!below(self.target_accept, T::ONE), E::TargetAccept)?;
        refuse(self.leapfrogs == 0, E::Leapfrogs)?;
        refuse(!within(self.total_time, T::lit(3.0)), E::TotalTime)?;
        refuse(!(self.jitter >= T::ZERO && self.jitter < T::ONE), E::Jitter)
    }

    /// lambda_k, k = 1, ..., K, of a ladder that follows from its own numbers.
    pub(super) fn temperature(&self, k: u32) -> T {
        let left = T::of_u32(self.stages.saturating_sub(k));
        match self.ladder.value() {
            _ if k >= self.stages => T::ONE,
            Ladder::Even => T::of_u32(k) / T::of_u32(self.stages),
            Ladder::Geometric => {
                let share = left / T::of_u32(self.stages.saturating_sub(1).max(1));
                exp(ln(self.first) * share)
            }
            _ => T::ONE,
        }
    }

    /// A particle's transition, with a step of that length.
    pub(crate) fn trajectory<const N: usize>(
        &self,
        prior: Prior<T>,
        step: T,
    ) -> Trajectory<'static, T, N> {
        Trajectory {
            jitter: self.jitter,
            short: prior.short_share(),
            ..Trajectory::split([step; N], self.leapfrogs)
        }
    }

    /// The step after a sweep with that mean acceptance.
    pub(crate) fn adapted(&self, step: T, acceptance: T) -> T {
        let log = T::lit(GAIN) * (acceptance - self.target_accept);
        (step * exp(log)).min(self.step_cap())
    }

    /// The longest step of a trajectory.
    pub(crate) fn step_cap(&self) -> T {
        self.total_time / T::of_u32(self.leapfrogs.max(1))
    }
}
