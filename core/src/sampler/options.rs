//! What a sampler is asked to do.

use super::SamplerError;
use crate::coupling::Sides;
use crate::kernel::adapt::Target;
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};

/// How the posterior is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Method {
    /// Split Hamiltonian Monte Carlo on the posterior itself. Exact.
    SplitHmc = 0,
    /// Coupled Gibbs: t | w, then w | t by split HMC. Exact for any number of inner transitions.
    CoupledGibbs = 1,
    /// Langevin on the coupling variable, its score from an inner chain (\[MB\], \[B\]). Biased in the
    /// step h and in the inner length.
    XiLangevin = 2,
    /// Hamiltonian Monte Carlo by leapfrog steps of the whole log density. Exact. Split HMC is the
    /// same with the prior solved exactly, and the better wherever the prior has a say.
    Hmc = 3,
    /// The Metropolis-adjusted Langevin algorithm: HMC of one leapfrog step, adapted to acceptance
    /// .574. Exact. A cheap iteration, for densities whose steepness varies.
    Mala = 4,
    /// The unadjusted Langevin algorithm with step h ([`SamplerOptions::langevin_step`]). Biased: the
    /// variance of a standard normal coordinate becomes 1 / (1 - h/4).
    Langevin = 5,
    /// Random-walk Metropolis, adapted to acceptance .234. Exact, without gradients; of the order of
    /// dim iterations for one of a gradient.
    RandomWalk = 6,
    /// Independence Metropolis with proposals from the reference. Exact, without gradients: for
    /// posteriors close to it.
    Independence = 7,
    /// Reverse diffusion along the laws of the noised coupling variable, from noise to data (\[MB\]
    /// III.C). Biased in the number of its levels and in the inner length.
    ReverseDiffusion = 8,
    /// Hit-and-run along random lines ([`crate::kernel::ball::hit_and_run`]), like the methods below on
    /// w itself and under the l1 prior only. Exact, without gradients and without a step size; a line
    /// costs one value and two projections of the data where the density is piecewise quadratic
    /// (squared ReLU, greedy), else some 5 to 10 values. The one to trust where scales are unknown or
    /// two modes are within sight of each other.
    HitAndRun = 9,
    /// The same along the coordinates: an iteration is a sweep of M d lines. Exact. Better than random
    /// lines per line where coordinates hardly depend on each other.
    CoordinateHitAndRun = 10,
    /// The ball walk, adapted to acceptance .3. Exact, without gradients, one value an iteration; hit-and-
    /// run moves farther, and this is for comparisons.
    BallWalk = 11,
    /// The Dikin walk in the metric of a barrier of the ball, adapted to acceptance .4. Exact, without
    /// gradients, one value an iteration and O(M d). For densities that fill the ball.
    Dikin = 12,
    /// Metropolis-adjusted mirror Langevin in the dual coordinates of the same barrier, adapted to
    /// acceptance .574. Exact; one gradient an iteration. For densities that fill the ball and lean
    /// towards a facet.
    MirrorLangevin = 13,
    /// HMC that reflects at the facets, `leapfrogs` gradients an iteration. Exact. Of the methods on w
    /// itself the best where the density has a peak inside or gradients to follow.
    Reflection = 14,
}

impl Method {
    /// Every method, in the order of the codes.
    pub const ALL: [Self; 15] = [
        Self::SplitHmc,
        Self::CoupledGibbs,
        Self::XiLangevin,
        Self::Hmc,
        Self::Mala,
        Self::Langevin,
        Self::RandomWalk,
        Self::Independence,
        Self::ReverseDiffusion,
        Self::HitAndRun,
        Self::CoordinateHitAndRun,
        Self::BallWalk,
        Self::Dikin,
        Self::MirrorLangevin,
        Self::Reflection,
    ];

    /// The name on the command line: `"split-hmc"`, `"gibbs"`, `"xi-langevin"`, `"hmc"`, `"mala"`,
    /// `"langevin"`, `"random-walk"`, `"independence"`, `"reverse-diffusion"`,
    /// `"hit-and-run"`, `"coordinate-hit-and-run"`, `"ball-walk"`, `"dikin"`, `"mirror-langevin"` or
    /// `"reflection"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SplitHmc => "split-hmc",
            Self::CoupledGibbs => "gibbs",
            Self::XiLangevin => "xi-langevin",
            Self::Hmc => "hmc",
            Self::Mala => "mala",
            Self::Langevin => "langevin",
            Self::RandomWalk => "random-walk",
            Self::Independence => "independence",
            Self::ReverseDiffusion => "reverse-diffusion",
            Self::HitAndRun => "hit-and-run",
            Self::CoordinateHitAndRun => "coordinate-hit-and-run",
            Self::BallWalk => "ball-walk",
            Self::Dikin => "dikin",
            Self::MirrorLangevin => "mirror-langevin",
            Self::Reflection => "reflection",
        }
    }

    /// The method of a name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// The method of a code; `None` if there is none.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|m| *m as i32 == code)
    }

    /// Whether it runs on the coupling.
    pub fn is_coupled(self) -> bool {
        matches!(self, Self::CoupledGibbs | Self::XiLangevin | Self::ReverseDiffusion)
    }

    /// Whether it needs the gradient of the log density.
    pub fn needs_gradient(self) -> bool {
        !matches!(
            self,
            Self::RandomWalk
                | Self::Independence
                | Self::HitAndRun
                | Self::CoordinateHitAndRun
                | Self::BallWalk
                | Self::Dikin
        )
    }

    /// Whether it works on w itself in a product of l1 balls, and needs the l1 prior.
    pub fn needs_ball(self) -> bool {
        matches!(
            self,
            Self::HitAndRun
                | Self::CoordinateHitAndRun
                | Self::BallWalk
                | Self::Dikin
                | Self::MirrorLangevin
                | Self::Reflection
        )
    }

    /// Whether its draws have the posterior's law, whatever the step.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::XiLangevin | Self::Langevin | Self::ReverseDiffusion)
    }
}

/// What split HMC solves exactly, independence Metropolis proposes from, and the steps of the other
/// methods are scaled by. A fitted reference needs a pilot: [`Sampler::init_from`](super::Sampler::init_from).
/// Any of them leaves an exact method exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Reference {
    /// The prior.
    Prior = 0,
    /// A Gaussian fitted to the pilot, with shrunk correlations ([`crate::cloud::Cloud::fit`]): for
    /// posteriors far from the prior. 2 dim^2 flops more an evaluation.
    Gaussian = 1,
    /// Student's t with 8 degrees of freedom about the same fit: for [`Method::Independence`] alone,
    /// whose proposals need the heavier tails.
    StudentT = 2,
    /// A mixture of Student's t laws fitted to clusters of the pilot
    /// ([`crate::cloud::Cloud::fit_mixture`]): for [`Method::Independence`] alone, which then goes from
    /// mode to mode. For few dimensions: ten, say.
    Mixture = 3,
}

impl Reference {
    /// Every reference, in the order of the codes.
    pub const ALL: [Self; 4] = [Self::Prior, Self::Gaussian, Self::StudentT, Self::Mixture];

    /// The name on the command line: `"prior"`, `"gaussian"`, `"student-t"` or `"mixture"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prior => "prior",
            Self::Gaussian => "gaussian",
            Self::StudentT => "student-t",
            Self::Mixture => "mixture",
        }
    }

    /// The reference of a name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }

    /// The reference of a code; `None` if there is none.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|r| *r as i32 == code)
    }
}

/// The options of a sampler. [`Default`] holds real values, all in use: a zero is a zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerOptions<T> {
    /// How. Default: split HMC.
    pub method: Method,
    /// Coupled methods: the kernel of w given xi, any exact method that is not coupled itself. Default:
    /// split HMC.
    pub inner_method: Method,
    /// The coupling of the coupled methods ([`Method::is_coupled`]). Default: one-sided.
    pub coupling: Sides,
    /// Coupled methods: couple only by the precision that the prior's own curvature does not give
    /// ([`Triangular::factorise_reduced`](crate::coupling::Triangular::factorise_reduced)). As
    /// log-concave inside, and each xi lets w move further; Gaussian prior only. Default false.
    pub reduced: bool,
    /// The reference. Default: the prior.
    pub reference: Reference,
    /// Chains in antithetic pairs: chain 2 k + 1 draws the random numbers of chain 2 k with every normal
    /// negated. Each chain is as exact as alone; the mean of a pair knows functions that are nearly odd
    /// about the centre of the reference far better than two chains do. The number of chains must be
    /// even; the chains of a pair depend on each other, so R-hat and ESS are of one chain of each, and
    /// standard errors of means of pairs ([`crate::diagnostics::pair_means`]). Default false.
    pub antithetic: bool,
    /// Chains, at least 1. Default 8.
    pub chains: u32,
    /// The number of the first of them: chain k draws what chain `first_chain` + k of a sampler from 0 on
    /// draws. For chains dealt to threads, processes or machines ([`Sampler::join`](super::Sampler::join));
    /// even in antithetic pairs. Default 0.
    pub first_chain: u32,
    /// Chains that advance in lock-step: 1 or 8. Changes no number. The last block is filled up
    /// with chains whose draws are discarded. Default 8.
    pub lanes: u32,
    /// Iterations that adapt step sizes and are discarded. Default 1000.
    pub warmup: u32,
    /// Iterations that count, at least 1. Default 1000.
    pub draws: u32,
    /// How many of them are stored, evenly spread, at most `draws`: the k-th draw (from 1) is stored
    /// where floor(k stored/draws) grows. 0 keeps moments only. Default 1000.
    pub stored: u32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// The mean probability of acceptance that split HMC and HMC adapt their steps to, in (0, 1).
    /// Default .85.
    pub target_accept: T,
    /// Steps of one transition of split HMC, HMC and reflection, at least 1: its evaluations of the density.
    /// Default 4.
    pub leapfrogs: u32,
    /// The longest transition, in radians of the reference's rotation (reflection: in prior sds of a
    /// coordinate): caps the step at `total_time / leapfrogs`. In (0, 3]; near pi chains on a Gaussian resonate. Default 1.6.
    pub total_time: T,
    /// Each transition multiplies its step by a uniform number in (1 - jitter, 1 + jitter); in
    /// [0, 1). Default .2.
    pub jitter: T,
    /// Coupled methods: inner transitions for each t (reverse diffusion: for each level), at least 1.
    /// Default 1.
    pub inner: u32,
    /// Langevin methods: h, in (0, 2]. Default .25.
    pub langevin_step: T,
    /// Langevin on xi, reverse diffusion: every inner chain starts afresh from the prior, instead of
    /// where the last one ended. Default false.
    pub fresh: bool,
    /// The same: transitions of a fresh inner chain before those that are averaged. Default 10.
    pub burn_in: u32,
    /// Reverse diffusion: steps from tau* to 0, at least 1. Default 8.
    pub levels: u32,
    /// Reverse diffusion: tau*, in (0, 4]: it ends at a coupling e^(2 tau*) times as precise as that of
    /// the other methods, where it begins. Default .7, about twice the signal.
    pub diffusion_time: T,
}

impl<T: Real> Default for SamplerOptions<T> {
    fn default() -> Self {
        Self {
            method: Method::SplitHmc,
            inner_method: Method::SplitHmc,
            coupling: Sides::OneSided,
            reduced: false,
            reference: Reference::Prior,
            antithetic: false,
            chains: 8,
            first_chain: 0,
            lanes: usual_lanes(),
            warmup: 1000,
            draws: 1000,
            stored: 1000,
            seed: 1,
            target_accept: T::lit(0.85),
            leapfrogs: 4,
            total_time: T::lit(1.6),
            jitter: T::lit(0.2),
            inner: 1,
            langevin_step: T::lit(0.25),
            fresh: false,
            burn_in: 10,
            levels: 8,
            diffusion_time: T::lit(0.7),
        }
    }
}

impl<T: Real> SamplerOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SamplerError> {
        let below = |x: T, limit: T| x > T::ZERO && x < limit;
        let within = |x: T, limit: T| x > T::ZERO && x <= limit;
        let end = self.chains.checked_add(self.first_chain);
        if self.chains == 0 || end.is_none_or(|end| end > u32::MAX - 8) {
            return Err(SamplerError::Chains);
        }
        if self.antithetic && !(self.chains | self.first_chain).is_multiple_of(2) {
            return Err(SamplerError::Pairs);
        }
        if self.inner_method.is_coupled() || !self.inner_method.is_exact() {
            return Err(SamplerError::InnerMethod);
        }
        let kernel = self.kernel();
        let heavy = matches!(self.reference, Reference::StudentT | Reference::Mixture);
        if heavy && kernel != Method::Independence {
            return Err(SamplerError::Reference);
        }
        if self.reference != Reference::Prior && kernel.needs_ball() {
            return Err(SamplerError::Reference);
        }
        if !has_lanes(self.lanes) {
            return Err(SamplerError::Lanes);
        }
        if self.draws == 0 || self.draws.checked_add(self.warmup).is_none() {
            return Err(SamplerError::Draws);
        }
        if self.stored > self.draws {
            return Err(SamplerError::Stored);
        }
        if !below(self.target_accept, T::ONE) {
            return Err(SamplerError::TargetAccept);
        }
        if self.leapfrogs == 0 {
            return Err(SamplerError::Leapfrogs);
        }
        if !within(self.total_time, T::lit(3.0)) {
            return Err(SamplerError::TotalTime);
        }
        if !(self.jitter >= T::ZERO && self.jitter < T::ONE) {
            return Err(SamplerError::Jitter);
        }
        if self.inner == 0 || self.inner.checked_add(self.burn_in).is_none() {
            return Err(SamplerError::Inner);
        }
        if !within(self.langevin_step, T::lit(2.0)) {
            return Err(SamplerError::LangevinStep);
        }
        let transitions = self.inner.saturating_add(self.burn_in);
        let levels = self.levels.checked_add(1).and_then(|k| k.checked_mul(transitions));
        if self.levels == 0 || levels.is_none() {
            return Err(SamplerError::Levels);
        }
        if !within(self.diffusion_time, T::lit(4.0)) {
            return Err(SamplerError::DiffusionTime);
        }
        Ok(())
    }

    /// The method of the transitions: its own, or the inner one of a coupled method.
    pub(super) fn kernel(&self) -> Method {
        if self.method.is_coupled() { self.inner_method } else { self.method }
    }

    /// Evaluations of the density in one transition; hit-and-run counts its own.
    pub(super) fn evaluations(&self) -> u32 {
        match self.kernel() {
            Method::SplitHmc | Method::Hmc | Method::Reflection => self.leapfrogs,
            _ => 1,
        }
    }

    /// What the step size adapts to.
    pub(super) fn adaptation(&self) -> Target<T> {
        let (acceptance, cap) = match self.kernel() {
            // Roberts and Rosenthal 1998; Roberts, Gelman and Gilks 1997. A walk of three prior sds
            // goes as far as there is to go.
            Method::Mala => (T::lit(0.574), self.total_time),
            Method::RandomWalk => (T::lit(0.234), T::lit(3.0)),
            // In radii of the ball.
            Method::BallWalk => (T::lit(0.3), T::ONE),
            // In units of the barrier's metric, whose unit ball lies inside the body.
            Method::Dikin => (T::lit(0.4), T::lit(3.0)),
            Method::MirrorLangevin => (T::lit(0.574), T::lit(2.0)),
            // A step of its own.
            Method::Langevin => (self.target_accept, self.langevin_step.sqrt()),
            _ => (self.target_accept, self.total_time / T::of_u32(self.leapfrogs.max(1))),
        };
        Target { acceptance, cap }
    }
}
