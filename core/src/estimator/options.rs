//! What a user may choose, with the defaults.

use crate::activation::Activation;
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use core::fmt;

/// The mass matrix of the Hamiltonian trajectories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum MassKind {
    /// One full matrix a chain: P (P + 1) values a chain of memory and P^2 multiply-adds a step, for
    /// P = M (d + 2) + 2 d + 2 coordinates.
    Dense = 0,
    /// Its diagonal only: 2 P values a chain. For microcontrollers and very wide inputs.
    Diagonal = 1,
}

impl MassKind {
    /// The kind of a code.
    pub fn from_code(code: i32) -> Option<Self> {
        [Self::Dense, Self::Diagonal].into_iter().find(|m| *m as i32 == code)
    }
}

/// The prior's constants, in the units of the standardised data (see [`crate::estimator::model`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkPrior<T> {
    /// The scales s_j of the inputs and of the bias are half-Cauchy with this median.
    pub input_scale: T,
    /// The sd of the outer weights v is half-Cauchy with median this / sqrt(M).
    pub outer_scale: T,
    /// The sd of the linear part c is half-Cauchy with this median.
    pub linear_scale: T,
    /// The sd of the intercept b0.
    pub intercept_sd: T,
    /// The noise's precision beta is Gamma with this shape ...
    pub noise_shape: T,
    /// ... and this rate.
    pub noise_rate: T,
}

impl<T: Real> NetworkPrior<T> {
    /// 1, 1, 1, 10, .5, 5e-5.
    pub fn new() -> Self {
        Self {
            input_scale: T::ONE,
            outer_scale: T::ONE,
            linear_scale: T::ONE,
            intercept_sd: T::lit(10.0),
            noise_shape: T::HALF,
            noise_rate: T::lit(5e-5),
        }
    }
}

impl<T: Real> Default for NetworkPrior<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The options of [`crate::estimator::NetworkRegressor`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkOptions<T> {
    /// M, 1 or more.
    pub neurons: u32,
    /// Chains, 1 or more.
    pub chains: u32,
    /// The number of the first of them: chain k is chain `first_chain` + k of a regressor from 0 on. For
    /// chains dealt to threads, processes or machines
    /// ([`NetworkRegressor::join`](super::NetworkRegressor::join)); 0 where chains start from a model.
    pub first_chain: u32,
    /// Chains that advance together: 1 or 8. Changes speed and memory, never a number.
    pub lanes: u32,
    /// Iterations of each chain before its draws count.
    pub warmup: u32,
    /// Iterations of each chain that count, 1 or more.
    pub draws: u32,
    /// Draws that each chain keeps for the model, evenly spread over `draws`: 1 to `draws`.
    pub keep: u32,
    /// Same seed, same bits.
    pub seed: u64,
    /// psi.
    pub activation: Activation,
    /// Gaussian noise instead of Student-t.
    pub gaussian: bool,
    /// Standardise inputs and target (a copy of the data is kept in the workspace). Without it, the
    /// data are read in place and taken to be in units where the prior makes sense.
    pub standardise: bool,
    /// Random starts from which the best is taken, each optimised by Adam; 0: start from a random
    /// point. A heuristic outside the exact posterior.
    pub starts: u32,
    /// Adam steps of each start.
    pub start_steps: u32,
    /// Leave out of the model chains whose training log likelihood per row falls short of the best
    /// chain's by more than `drop_below`. A heuristic outside the exact posterior.
    pub drop: bool,
    /// Nats per row.
    pub drop_below: T,
    /// Leapfrog steps of a trajectory, 1 or more.
    pub leapfrogs: u32,
    /// The same in the first half of the warm-up.
    pub early_leapfrogs: u32,
    /// The acceptance that the step size is adapted to, inside (0, 1). Chains go on drifting to where
    /// the curvature is larger, so that the draws accept less: .68 to .87 on seven data sets.
    pub target_accept: T,
    /// The step size of a trajectory is uniform within this share of the adapted one: [0, 1). One
    /// trajectory in eight takes a shorter one ([`crate::kernel::hmc::Trajectory::short`]).
    pub jitter: T,
    /// The step size before adaptation, in units of the posterior's sd.
    pub first_step: T,
    /// The largest step size.
    pub largest_step: T,
    /// The mass matrix.
    pub mass: MassKind,
    /// How often the warm-up refreshes the mass matrix, over its first 60 %.
    pub mass_updates: u32,
    /// Training rows (evenly spread, at most n) whose predictions are recorded at every draw, for
    /// the diagnostics of convergence.
    pub trace_rows: u32,
    /// The prior.
    pub prior: NetworkPrior<T>,
}

impl<T: Real> NetworkOptions<T> {
    /// M = 20, 4 chains, 500 + 500 iterations, 25 kept a chain, tanh, Student-t noise.
    pub fn new() -> Self {
        Self {
            neurons: 20,
            chains: 4,
            first_chain: 0,
            lanes: usual_lanes(),
            warmup: 500,
            draws: 500,
            keep: 25,
            seed: 1,
            activation: Activation::Tanh,
            gaussian: false,
            standardise: true,
            starts: 3,
            start_steps: 1000,
            drop: true,
            drop_below: T::ONE,
            leapfrogs: 24,
            early_leapfrogs: 12,
            target_accept: T::lit(0.9),
            jitter: T::lit(0.3),
            first_step: T::lit(0.1),
            largest_step: T::ONE,
            mass: MassKind::Dense,
            mass_updates: 40,
            trace_rows: 20,
            prior: NetworkPrior::new(),
        }
    }

    /// Every value within its range.
    pub fn check(&self) -> Result<(), OptionsError> {
        let positive = |x: T| x > T::ZERO && x.is_finite();
        let p = &self.prior;
        if self.neurons == 0 {
            return Err(OptionsError::Neurons);
        }
        if self.chains == 0 || self.first_chain.checked_add(self.chains).is_none() {
            return Err(OptionsError::Chains);
        }
        if !has_lanes(self.lanes) {
            return Err(OptionsError::Lanes);
        }
        if self.draws == 0 {
            return Err(OptionsError::Draws);
        }
        if self.keep == 0 || self.keep > self.draws {
            return Err(OptionsError::Keep);
        }
        if self.starts > 0 && self.start_steps == 0 {
            return Err(OptionsError::Starts);
        }
        if self.leapfrogs == 0 || self.early_leapfrogs == 0 {
            return Err(OptionsError::Leapfrogs);
        }
        let inside = self.target_accept > T::ZERO && self.target_accept < T::ONE;
        let jitter = self.jitter >= T::ZERO && self.jitter < T::ONE;
        let steps = positive(self.first_step) && positive(self.largest_step);
        if !(inside && jitter && steps) {
            return Err(OptionsError::StepSize);
        }
        if !(self.drop_below >= T::ZERO) {
            return Err(OptionsError::Drop);
        }
        let constants = [
            p.input_scale,
            p.outer_scale,
            p.linear_scale,
            p.intercept_sd,
            p.noise_shape,
            p.noise_rate,
        ];
        if !constants.into_iter().all(positive) {
            return Err(OptionsError::Prior);
        }
        Ok(())
    }
}

impl<T: Real> Default for NetworkOptions<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Which option is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionsError {
    /// `neurons` is 0.
    Neurons,
    /// `chains` is 0, or chains pass 2^32 - 1 by `first_chain`.
    Chains,
    /// `lanes` is not 1 or 8.
    Lanes,
    /// `draws` is 0.
    Draws,
    /// `keep` is not between 1 and `draws`.
    Keep,
    /// `start_steps` is 0 with `starts` above 0.
    Starts,
    /// `leapfrogs` or `early_leapfrogs` is 0.
    Leapfrogs,
    /// `target_accept`, `jitter`, `first_step` or `largest_step` is out of range.
    StepSize,
    /// `drop_below` is negative or NaN.
    Drop,
    /// A constant of the prior is not positive and finite.
    Prior,
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Neurons => "the number of neurons is zero",
            Self::Chains => "the number of chains is zero or too large",
            Self::Lanes => "the number of lanes is not 1 or 8",
            Self::Draws => "the number of draws is zero",
            Self::Keep => "the draws kept are not between 1 and all of them",
            Self::Starts => "a start without optimisation steps",
            Self::Leapfrogs => "a trajectory without leapfrog steps",
            Self::StepSize => "target acceptance, jitter or a step size is out of range",
            Self::Drop => "the distance at which chains are dropped is negative",
            Self::Prior => "a constant of the prior is not positive and finite",
        })
    }
}

impl core::error::Error for OptionsError {}
