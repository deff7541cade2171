//! What sequential Monte Carlo is asked to do.

use super::SmcError;
use crate::kernel::hmc::Trajectory;
use crate::prior::Prior;
use crate::sampler::Reference;
use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector, has_lanes, usual_lanes};
use crate::special;

/// The gain of the step size's adaptation.
const GAIN: f64 = 2.0;

/// The temperatures lambda_1 < ... < lambda_K = 1 through which the likelihood is let in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ladder<T> {
    /// Each as large as leaves the effective sample size at `ess` of the particles, in (0, 1): the
    /// least work. The estimate of the evidence is consistent, its bias of order 1/particles.
    Adaptive {
        /// The share of the particles that a step may leave, in (0, 1).
        ess: T,
        /// The most temperatures, at least 1: memory is kept for their report. Needing more stops
        /// the run ([`SmcError::Stages`]).
        most: u32,
    },
    /// lambda_k = k / `stages`.
    Even {
        /// K, at least 1.
        stages: u32,
    },
    /// From lambda_1 = `first`, in (0, 1], to 1 by equal factors.
    Geometric {
        /// K, at least 1; with 1 `first` is not used.
        stages: u32,
        /// lambda_1.
        first: T,
    },
    /// By the caller, to [`Smc::init_given`](super::Smc::init_given).
    Given {
        /// K, at least 1.
        stages: u32,
    },
}

impl<T: Real> Ladder<T> {
    /// The temperatures that memory is kept for.
    pub fn most(&self) -> u32 {
        match *self {
            Self::Adaptive { most, .. } => most,
            Self::Even { stages } | Self::Geometric { stages, .. } | Self::Given { stages } => {
                stages
            }
        }
    }

    /// Its code and its own number, for the head of the memory.
    pub(super) fn code(&self) -> (u64, T) {
        match *self {
            Self::Adaptive { ess, .. } => (0, ess),
            Self::Even { .. } => (1, T::ZERO),
            Self::Geometric { first, .. } => (2, first),
            Self::Given { .. } => (3, T::ZERO),
        }
    }

    /// The ladder of a code.
    pub(super) fn from_code(code: u64, number: T, stages: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Adaptive { ess: number, most: stages }),
            1 => Some(Self::Even { stages }),
            2 => Some(Self::Geometric { stages, first: number }),
            3 => Some(Self::Given { stages }),
            _ => None,
        }
    }

    fn check(&self) -> bool {
        let own = match *self {
            Self::Adaptive { ess, .. } => ess > T::ZERO && ess < T::ONE,
            Self::Geometric { first, .. } => first > T::ZERO && first <= T::ONE,
            Self::Even { .. } | Self::Given { .. } => true,
        };
        own && self.most() > 0
    }

    /// lambda_k, k = 1, ..., K, of a ladder that follows from its own numbers.
    pub(super) fn temperature(&self, k: u32) -> T {
        match *self {
            Self::Even { stages } if k < stages => T::of_u32(k) / T::of_u32(stages),
            Self::Geometric { stages, first } if k < stages => {
                let left = T::of_u32(stages.saturating_sub(k));
                let share = left / T::of_u32(stages.saturating_sub(1).max(1));
                let log = special::ln(Portable, Portable.load(&[first]));
                let [power] = special::exp(Portable, log * Portable.splat(share)).array();
                power
            }
            _ => T::ONE,
        }
    }
}

/// The options of sequential Monte Carlo. [`Default`] holds real values, all in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmcOptions<T> {
    /// Particles, at least 2 and a multiple of the lanes. Default 1024.
    pub particles: u32,
    /// Particles that advance in lock-step: 1 or 8. Changes no number. Default 8.
    pub lanes: u32,
    /// The temperatures. Default: adaptive, half of the particles, at most 100.
    pub ladder: Ladder<T>,
    /// Transitions of every particle at each temperature, at least 1. Default 2.
    pub moves: u32,
    /// What the transitions of split HMC solve exactly. Default: the prior.
    ///
    /// [`Reference::Gaussian`] is fitted once a temperature, to the resampled particles that are then moved
    /// ([`Cloud::fit`](crate::cloud::Cloud::fit)), and serves all of them: about a posterior far from the prior
    /// steps are longer, at N dim^2 flops a temperature and 2 dim^2 an evaluation more. With `leapfrogs` 1 it gave
    /// 1.6 times the effective draws a second on a near-Gaussian greedy posterior of 10 inputs, and up to 20
    /// times the effective draws where coordinates are tied; near the prior, under the l1 prior and with several
    /// modes the prior was as good or better. That the fit depends on
    /// the particles it moves leaves a bias of order 1/particles in the evidence and in the means, as
    /// adaptation does, even on a fixed ladder without adaptation. For an evidence without bias and particles
    /// about a fit, make two runs: a fitted one, then one about the prior on its temperatures
    /// ([`Ladder::Given`], `adapt` false). A fit is as narrow as its particles: where a ladder takes steps that
    /// leave only a few of them, the prior is the safer reference.
    ///
    /// [`Reference::StudentT`] and [`Reference::Mixture`] are refused ([`SmcError::Reference`]).
    pub reference: Reference,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// The mean probability of acceptance that adaptation aims at, in (0, 1). Default .85.
    pub target_accept: T,
    /// Whether the step size adapts. It follows the acceptance of the transitions before, which
    /// leaves a bias of order 1/particles in the evidence; without, on a ladder that is not adaptive and
    /// about the prior, the estimate of the evidence is unbiased. Default true.
    pub adapt: bool,
    /// Steps of one transition, at least 1: its evaluations of the density. Default 2: more, shorter
    /// transitions adapt sooner, and what a particle does not travel resampling makes up for.
    pub leapfrogs: u32,
    /// The first and longest transition, in radians of the reference's rotation: the step starts at
    /// `total_time / leapfrogs` and is never longer. In (0, 3]. Default 1.6.
    pub total_time: T,
    /// Each transition multiplies its step by a uniform number in (1 - jitter, 1 + jitter); in
    /// [0, 1). Default .2.
    pub jitter: T,
}

impl<T: Real> Default for SmcOptions<T> {
    fn default() -> Self {
        Self {
            particles: 1024,
            lanes: usual_lanes(),
            ladder: Ladder::Adaptive { ess: T::HALF, most: 100 },
            moves: 2,
            reference: Reference::Prior,
            seed: 1,
            target_accept: T::lit(0.85),
            adapt: true,
            leapfrogs: 2,
            total_time: T::lit(1.6),
            jitter: T::lit(0.2),
        }
    }
}

impl<T: Real> SmcOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SmcError> {
        if !has_lanes(self.lanes) {
            return Err(SmcError::Lanes);
        }
        if self.particles < 2 || !self.particles.is_multiple_of(self.lanes) {
            return Err(SmcError::Particles);
        }
        if !self.ladder.check() {
            return Err(SmcError::Ladder);
        }
        if self.moves == 0 {
            return Err(SmcError::Moves);
        }
        if !matches!(self.reference, Reference::Prior | Reference::Gaussian) {
            return Err(SmcError::Reference);
        }
        if !(self.target_accept > T::ZERO && self.target_accept < T::ONE) {
            return Err(SmcError::TargetAccept);
        }
        if self.leapfrogs == 0 {
            return Err(SmcError::Leapfrogs);
        }
        if !(self.total_time > T::ZERO && self.total_time <= T::lit(3.0)) {
            return Err(SmcError::TotalTime);
        }
        if !(self.jitter >= T::ZERO && self.jitter < T::ONE) {
            return Err(SmcError::Jitter);
        }
        Ok(())
    }

    /// A particle's transition, with a step of that length.
    pub(crate) fn trajectory<const N: usize>(&self, prior: Prior<T>, step: T) -> Trajectory<T, N> {
        Trajectory {
            jitter: self.jitter,
            short: prior.short_share(),
            ..Trajectory::split([step; N], self.leapfrogs)
        }
    }

    /// The step after a sweep with that mean acceptance.
    pub(crate) fn adapted(&self, step: T, acceptance: T) -> T {
        let log = T::lit(GAIN) * (acceptance - self.target_accept);
        let [factor] = special::exp(Portable, Portable.load(&[log])).array();
        (step * factor).min(self.step_cap())
    }

    /// The longest step of a trajectory.
    pub(crate) fn step_cap(&self) -> T {
        self.total_time / T::of_u32(self.leapfrogs.max(1))
    }
}
