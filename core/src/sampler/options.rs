//! What a sampler is asked to do.

use super::SamplerError;
use crate::coupling::Sides;
use crate::error::refuse;
use crate::kernel::adapt::Target;
use crate::plain::{Code, Plain, Switch, below, codes, plain, within};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use core::ffi::CStr;

codes! {
    /// How the posterior is sampled.
    pub enum Method: Method {
        /// Split Hamiltonian Monte Carlo on the posterior itself. Exact.
        SplitHmc = 0 "split-hmc",
        /// Coupled Gibbs: t | w, then w | t by split HMC. Exact for any number of inner transitions.
        CoupledGibbs = 1 "gibbs",
        /// Langevin on the coupling variable, its score from an inner chain (\[MB\], \[B\]). Biased in the
        /// step h and in the inner length.
        XiLangevin = 2 "xi-langevin",
        /// Hamiltonian Monte Carlo by leapfrog steps of the whole log density. Exact. Split HMC is the
        /// same with the prior solved exactly, and the better wherever the prior has a say.
        Hmc = 3 "hmc",
        /// The Metropolis-adjusted Langevin algorithm: HMC of one leapfrog step, adapted to acceptance
        /// .574. Exact. A cheap iteration, for densities whose steepness varies.
        Mala = 4 "mala",
        /// The unadjusted Langevin algorithm with step h ([`SamplerOptions::langevin_step`]). Biased: the
        /// variance of a standard normal coordinate becomes 1 / (1 - h/4).
        Langevin = 5 "langevin",
        /// Random-walk Metropolis, adapted to acceptance .234. Exact, without gradients; of the order of
        /// dim iterations for one of a gradient.
        RandomWalk = 6 "random-walk",
        /// Independence Metropolis with proposals from the reference. Exact, without gradients: for
        /// posteriors close to it.
        Independence = 7 "independence",
        /// Reverse diffusion along the laws of the noised coupling variable, from noise to data (\[MB\]
        /// III.C). Biased in the number of its levels and in the inner length.
        ReverseDiffusion = 8 "reverse-diffusion",
        /// Hit-and-run along random lines ([`crate::kernel::ball::hit_and_run`]), like the methods below on
        /// w itself and under the l1 prior only. Exact, without gradients and without a step size; a line
        /// costs one value and two projections of the data where the density is piecewise quadratic
        /// (squared ReLU, greedy), else some 5 to 10 values. The one to trust where scales are unknown or
        /// two modes are within sight of each other.
        HitAndRun = 9 "hit-and-run",
        /// The same along the coordinates: an iteration is a sweep of M d lines. Exact. Better than random
        /// lines per line where coordinates hardly depend on each other.
        CoordinateHitAndRun = 10 "coordinate-hit-and-run",
        /// The ball walk, adapted to acceptance .3. Exact, without gradients, one value an iteration; hit-and-
        /// run moves farther, and this is for comparisons.
        BallWalk = 11 "ball-walk",
        /// The Dikin walk in the metric of a barrier of the ball, adapted to acceptance .4. Exact, without
        /// gradients, one value an iteration and O(M d). For densities that fill the ball.
        Dikin = 12 "dikin",
        /// Metropolis-adjusted mirror Langevin in the dual coordinates of the same barrier, adapted to
        /// acceptance .574. Exact; one gradient an iteration. For densities that fill the ball and lean
        /// towards a facet.
        MirrorLangevin = 13 "mirror-langevin",
        /// HMC that reflects at the facets, `leapfrogs` gradients an iteration. Exact. Of the methods on w
        /// itself the best where the density has a peak inside or gradients to follow.
        Reflection = 14 "reflection",
        /// Reverse diffusion whose every iteration begins from noise, N(0, I), in place of the law of xi_(tau*)
        /// given the last draw: no draw knows the one before it but by the start of its inner chain. Biased in
        /// its start too, the less the longer tau* and the weaker the coupling.
        DiffusionFromNoise = 15 "diffusion-from-noise",
        /// Langevin on the coupling variable, adjusted by Metropolis' rule with p(xi')/p(xi) estimated from the
        /// inner chain and a penalty for the noise of the estimate, of variance chi^2 about
        /// h (coordinates of xi)/(2 inner) at most where p(xi) is log-concave: keep that below 1. No bias in the step h; one of
        /// higher order in chi^2, and that of an inner chain which has not reached its law.
        XiMala = 16 "xi-mala",
        /// HMC in the metric of the ball's barrier ([`crate::kernel::ball::riemannian`]), `leapfrogs` gradients an
        /// iteration. Exact. For comparisons: reflection and split HMC make more of a gradient.
        Riemannian = 17 "riemannian",
    }
}

impl Method {
    /// Whether it runs on the coupling.
    pub fn is_coupled(self) -> bool {
        self.averages() || matches!(self, Self::CoupledGibbs)
    }

    /// Whether it is a reverse diffusion.
    pub fn diffuses(self) -> bool {
        matches!(self, Self::ReverseDiffusion | Self::DiffusionFromNoise)
    }

    /// Whether its xi stay from one iteration to the next.
    pub(super) fn keeps_xi(self) -> bool {
        matches!(self, Self::XiLangevin | Self::XiMala)
    }

    /// Whether its xi move by a mean of w over the inner transitions.
    pub fn averages(self) -> bool {
        self.diffuses() || self.keeps_xi()
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
                | Self::Riemannian
        )
    }

    /// Whether its draws have the posterior's law, whatever the step.
    pub fn is_exact(self) -> bool {
        !self.averages() && !matches!(self, Self::Langevin)
    }

    /// Whether it reads the member of [`SamplerOptions`] that has this name: of others hosts say that they would change nothing.
    /// Members that no list has are of all methods; those of the transitions may be an inner method's.
    pub fn reads(self, member: &str) -> bool {
        let xi = self.is_coupled();
        let hamiltonian = matches!(self, Self::SplitHmc | Self::Hmc);
        let mirrored = matches!(self, Self::Reflection | Self::Riemannian);
        match member {
            "coupling" | "reduced" | "inner" | "inner_method" => xi,
            "fresh" | "burn_in" => self.averages(),
            "levels" | "diffusion_time" => self.diffuses(),
            "langevin_step" => self.keeps_xi() || self == Self::Langevin,
            "leapfrogs" => xi || hamiltonian || mirrored,
            "short_steps" => xi || hamiltonian || self == Self::Mala,
            _ => true,
        }
    }

    /// What law its draws have, in a line.
    pub const fn law(self) -> &'static CStr {
        match self {
            Self::Langevin => {
                c"near the posterior, with a bias of the order of its step, which R-hat does not show; mala corrects it"
            }
            Self::DiffusionFromNoise => {
                c"not the posterior: it begins with noise that knows nothing of the data, and no number of levels mends that; \
                  reverse-diffusion begins with draws"
            }
            Self::XiLangevin => c"the posterior, but for a bias of the order of langevin_step; xi-mala has none",
            Self::XiMala => c"the posterior, but for what the inner chain's error leaves",
            Self::ReverseDiffusion => c"the posterior, but for a bias of the order of 1/levels",
            _ => c"the posterior",
        }
    }
}

codes! {
    /// What split HMC solves exactly, independence Metropolis proposes from, and the steps of the other
    /// methods are scaled by. A fitted reference needs a pilot: [`Sampler::init_from`](super::Sampler::init_from).
    /// Any of them leaves an exact method exact.
    pub enum Reference: Reference {
        /// The prior.
        Prior = 0 "prior",
        /// A Gaussian fitted to the pilot, with shrunk correlations ([`crate::cloud::Cloud::fit`]): for
        /// posteriors far from the prior. 2 dim^2 flops more an evaluation.
        Gaussian = 1 "gaussian",
        /// Student's t with 8 degrees of freedom about the same fit: for [`Method::Independence`] alone,
        /// whose proposals need the heavier tails.
        StudentT = 2 "student-t",
        /// A mixture of Student's t laws fitted to clusters of the pilot
        /// ([`crate::cloud::Cloud::fit_mixture`]): for [`Method::Independence`] alone, which then goes from
        /// mode to mode. For few dimensions: ten, say.
        Mixture = 3 "mixture",
    }
}

plain! {
    /// What a sampler is asked to do.
    #[repr(C)]
    pub struct SamplerOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_METHOD_ code. Default: split-HMC.
        pub method: Code<Method> = Method::SplitHmc.into(),
        /// Methods on xi: LCC_COUPLING_ONE_SIDED or LCC_COUPLING_TWO_SIDED. Default: one-sided.
        pub coupling: Code<Sides> = Sides::OneSided.into(),
        /// Methods on xi: 1 couples only by the precision that the Gaussian prior's own curvature does not
        /// give. Refused under the l1 prior. Default 0.
        pub reduced: Switch = false.into(),
        /// An LCC_REFERENCE_ code: what split HMC solves exactly, independence proposes from, and the steps
        /// of the others are scaled by. A fitted one needs lcc_sampler_init_from_smc_f64. Default: the
        /// prior.
        pub reference: Code<Reference> = Reference::Prior.into(),
        /// 1 runs chains 2 k and 2 k + 1 on the same random numbers, normals negated. Each is as exact as
        /// alone; take R-hat and ESS from one chain of each pair (double chain_stride, halve chains),
        /// standard errors from the means of pairs (lcc_draws_pair_means_f64). Needs an even number of chains. Default 0.
        pub antithetic: Switch = false.into(),
        /// Chains, at least 1. Default 8.
        pub chains: u32 = 8,
        /// Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
        /// Default 8.
        pub lanes: u32 = usual_lanes(),
        /// Iterations of each chain that adapt its step size and are discarded. Default 1000.
        pub warmup: u32 = 1000,
        /// Iterations of each chain that count, at least 1. Default 1000.
        pub draws: u32 = 1000,
        /// How many of them are stored, evenly spread; 0 keeps moments only. Default 1000.
        pub stored: u32 = 1000,
        /// Split HMC, HMC, reflection and Riemannian HMC: evaluations of the gradient in one transition, at least 1. Default 4.
        pub leapfrogs: u32 = 4,
        /// Methods on xi: inner transitions for each xi, at least 1. Adjusted Langevin: for the mean and again for
        /// the ratio, at xi and at the proposal; 1 counts as 2, the fewest that tell a variance. Default 1.
        pub inner: u32 = 1,
        /// Langevin on xi, reverse diffusion: 1 starts every inner chain afresh from the prior, 0 where the
        /// last one ended. Default 0.
        pub fresh: Switch = false.into(),
        /// The same: transitions of a fresh inner chain before those that are averaged. Default 10.
        pub burn_in: u32 = 10,
        /// Reverse diffusion: steps from tau* to 0, at least 1. Default 8.
        pub levels: u32 = 8,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Methods on xi: the kernel of w given xi, the LCC_METHOD_ code of an exact method that is not on xi
        /// itself. Default: split HMC.
        pub inner_method: Code<Method> = Method::SplitHmc.into(),
        /// The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
        /// chains dealt to threads, processes or machines: lcc_sampler_join_f64. Even in
        /// antithetic pairs. Default 0.
        pub first_chain: u32 = 0,
        /// 1: the step size is not adapted but total_time all along, divided by leapfrogs where the method takes
        /// several; the warm-up only lets chains forget their starts. With jitter 0 MALA and the random walk are
        /// then those of a fixed eta: a step e is eta = e^2/2 of MALA, and the walk's sd. Default 0.
        pub fixed: Switch = false.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// Split HMC and HMC: the mean probability of acceptance that the step size is adapted to, inside
        /// (0, 1). Default .85.
        pub target_accept: T = T::lit(0.85),
        /// The longest transition, in radians of the rotation under the reference (reflection: in prior sds of
        /// a coordinate; Riemannian: in its metric); in (0, 3].
        /// Default 1.6.
        pub total_time: T = T::lit(1.6),
        /// Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
        pub jitter: T = T::lit(0.2),
        /// Split HMC, HMC and MALA: the share of transitions whose steps are shorter instead, by the cube of a uniform number, so
        /// that some fit wherever a chain may be; in [0, 1). 0: 1/8 on the l1 ball, else none. Default 0.
        pub short_steps: T = T::ZERO,
        /// Langevin: the step h, in (0, 2]. Default .25.
        pub langevin_step: T = T::lit(0.25),
        /// Reverse diffusion: tau*, in (0, 4]; it ends at a coupling e^(2 tau*) times as precise as that at
        /// which it begins. Default .7.
        pub diffusion_time: T = T::lit(0.7),
    }
}

impl<T: Real> SamplerOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), SamplerError> {
        use SamplerError as E;
        refuse(self.inner_method.get().is_none(), E::InnerMethod)?;
        self.known()?;
        let end = self.chains.checked_add(self.first_chain);
        refuse(self.chains == 0 || end.is_none_or(|end| end > u32::MAX - 8), E::Chains)?;
        refuse(
            self.antithetic.on() && !(self.chains | self.first_chain).is_multiple_of(2),
            E::Pairs,
        )?;
        let inner = self.inner_method.value();
        refuse(inner.is_coupled() || !inner.is_exact(), E::InnerMethod)?;
        let kernel = self.kernel();
        let heavy = matches!(self.reference.value(), Reference::StudentT | Reference::Mixture);
        refuse(heavy && kernel != Method::Independence, E::Reference)?;
        refuse(self.reference != Reference::Prior && kernel.needs_ball(), E::Reference)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.draws == 0 || self.draws.checked_add(self.warmup).is_none(), E::Draws)?;
        refuse(self.stored > self.draws, E::Stored)?;
        refuse(!below(self.target_accept, T::ONE), E::TargetAccept)?;
        refuse(self.leapfrogs == 0, E::Leapfrogs)?;
        refuse(!within(self.total_time, T::lit(3.0)), E::TotalTime)?;
        refuse(!(self.jitter >= T::ZERO && self.jitter < T::ONE), E::Jitter)?;
        refuse(!(self.short_steps >= T::ZERO && self.short_steps < T::ONE), E::ShortSteps)?;
        refuse(self.inner == 0 || self.inner.checked_add(self.burn_in).is_none(), E::Inner)?;
        refuse(!within(self.langevin_step, T::lit(2.0)), E::LangevinStep)?;
        // At most twice as many for each of two xi.
        let all =
            self.inner.checked_mul(4).and_then(|k| self.burn_in.checked_mul(2)?.checked_add(k));
        refuse(self.method() == Method::XiMala && all.is_none(), E::Inner)?;
        let transitions = self.inner.saturating_add(self.burn_in);
        let levels = self.levels.checked_add(1).and_then(|k| k.checked_mul(transitions));
        refuse(self.levels == 0 || levels.is_none(), E::Levels)?;
        refuse(!within(self.diffusion_time, T::lit(4.0)), E::DiffusionTime)
    }

    /// Its method.
    pub(super) fn method(&self) -> Method {
        self.method.value()
    }

    /// The method of the transitions: its own, or the inner one of a coupled method.
    pub(super) fn kernel(&self) -> Method {
        let method = self.method();
        if method.is_coupled() { self.inner_method.value() } else { method }
    }

    /// Evaluations of the density in one transition; hit-and-run counts its own.
    pub(super) fn evaluations(&self) -> u32 {
        match self.kernel() {
            Method::SplitHmc | Method::Hmc | Method::Reflection | Method::Riemannian => {
                self.leapfrogs
            }
            _ => 1,
        }
    }

    /// Whether its step size is adapted.
    pub(super) fn adapts(&self) -> bool {
        !self.fixed.on() && self.kernel() != Method::Langevin
    }

    /// What the step size adapts to; fixed, its cap.
    pub(super) fn adaptation(&self) -> Target<T> {
        let (acceptance, cap) = match self.kernel() {
            Method::RandomWalk | Method::BallWalk | Method::Dikin | Method::MirrorLangevin
                if self.fixed.on() =>
            {
                (self.target_accept, self.total_time)
            }
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
