//! What a user may choose, with the defaults.

use crate::activation::Activation;
use crate::error::{errors, refuse};
use crate::plain::{Code, CodeError, Plain, Switch, below, codes, plain};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};

codes! {
    /// The mass matrix of the Hamiltonian trajectories.
    pub enum MassKind: Mass {
        /// One full matrix a chain: P (P + 1) values a chain of memory and P^2 multiply-adds a step, for
        /// P = M (d + 2) + 2 d + 2 coordinates.
        Dense = 0,
        /// Its diagonal only: 2 P values a chain. For microcontrollers and very wide inputs.
        Diagonal = 1,
    }
}

plain! {
    /// The prior's constants, in the units of the standardised data (see [`crate::estimator::model`]).
    pub struct NetworkPrior<T> {
        /// The scales s_j of the inputs and of the bias are half-Cauchy with this median.
        pub input_scale: T = T::ONE,
        /// The sd of the outer weights v is half-Cauchy with median this / sqrt(M).
        pub outer_scale: T = T::ONE,
        /// The sd of the linear part c is half-Cauchy with this median.
        pub linear_scale: T = T::ONE,
        /// The sd of the intercept b0.
        pub intercept_sd: T = T::lit(10.0),
        /// The noise's precision beta is Gamma with this shape ...
        pub noise_shape: T = T::HALF,
        /// ... and this rate.
        pub noise_rate: T = T::lit(5e-5),
    }
}

plain! {
    /// What a regressor is asked to do. The defaults need no tuning.
    #[repr(C)]
    pub struct NetworkOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// Neurons M, at least 1. Default 20: more where time allows.
        pub neurons: u32 = 20,
        /// Chains, at least 1. Default 4. More chains help more than longer ones.
        pub chains: u32 = 4,
        /// Chains that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
        /// Default 8 where the CPU has wide instructions, else 1.
        pub lanes: u32 = usual_lanes(),
        /// Iterations of each chain before its draws count. Default 500.
        pub warmup: u32 = 500,
        /// Iterations of each chain that count, at least 1. Default 500.
        pub draws: u32 = 500,
        /// Draws that each chain keeps for the model, evenly spread: 1 to draws. Default 25.
        pub keep: u32 = 25,
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// 1: Gaussian noise; 0: Student-t with sampled tail. Default 0.
        pub gaussian: Switch = false.into(),
        /// 1: standardise inputs and target (a copy of the data is kept in the memory); 0: the data are
        /// in units where the prior makes sense and are read in place. Default 1.
        pub standardise: Switch = true.into(),
        /// Random starts, each optimised, of which the best is taken; 0 starts at random. A heuristic
        /// outside the exact posterior. Default 3.
        pub starts: u32 = 3,
        /// Optimisation steps of each start. Default 1000.
        pub start_steps: u32 = 1000,
        /// 1: a chain is left out of the model if its log likelihood of the training data is not finite, or worse by more
        /// than drop_below than that of a model without inputs, N(0, 1) for the standardised target, unless all are. With
        /// standardise 0 it must only be finite. Outside the exact posterior. Default 1.
        pub drop: Switch = true.into(),
        /// Leapfrog steps of a trajectory, at least 1. Default 24.
        pub leapfrogs: u32 = 24,
        /// The same in the first half of the warm-up. Default 12.
        pub early_leapfrogs: u32 = 12,
        /// LCC_MASS_DENSE or LCC_MASS_DIAGONAL. Default: dense.
        pub mass: Code<MassKind> = MassKind::Dense.into(),
        /// How often the warm-up refreshes the mass matrix.
        pub mass_updates: u32 = 40,
        /// Training rows whose predictions are recorded at every draw, for diagnostics. Default 20.
        pub trace_rows: u32 = 20,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// The number of the first chain: chain k is chain first_chain + k of an object from 0 on, to the bit. For
        /// chains dealt to threads, processes or machines: lcc_network_join_f64. 0 where chains start from a model. Default 0.
        pub first_chain: u32 = 0,
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// Nats a row: how much worse than a model without inputs a chain may be, see drop. Default 1.
        pub drop_below: T = T::ONE,
        /// The acceptance that the step size is adapted to, inside (0, 1). Default .9.
        pub target_accept: T = T::lit(0.9),
        /// The step size of a trajectory is uniform within this share of the adapted one, in [0, 1);
        /// one trajectory in eight takes a shorter one. Default .3.
        pub jitter: T = T::lit(0.3),
        /// The step size before adaptation.
        pub first_step: T = T::lit(0.1),
        /// The largest step size.
        pub largest_step: T = T::ONE,
        /// Prior: the scales of inputs and biases are half-Cauchy with this median. Default 1.
        pub input_scale: T = T::ONE,
        /// Prior: the sd of the outer weights is half-Cauchy with median this / sqrt(M). Default 1.
        pub outer_scale: T = T::ONE,
        /// Prior: the sd of the linear part is half-Cauchy with this median. Default 1.
        pub linear_scale: T = T::ONE,
        /// Prior: the sd of the intercept. Default 10.
        pub intercept_sd: T = T::lit(10.0),
        /// Prior: the noise's precision is Gamma with this shape ... Default .5.
        pub noise_shape: T = T::HALF,
        /// ... and this rate. Default 5e-5.
        pub noise_rate: T = T::lit(5e-5),
    }
}

impl<T: Real> NetworkOptions<T> {
    /// The prior's constants.
    pub fn prior(&self) -> NetworkPrior<T> {
        NetworkPrior {
            input_scale: self.input_scale,
            outer_scale: self.outer_scale,
            linear_scale: self.linear_scale,
            intercept_sd: self.intercept_sd,
            noise_shape: self.noise_shape,
            noise_rate: self.noise_rate,
        }
    }

    /// Every value within its range.
    pub fn check(&self) -> Result<(), OptionsError> {
        use OptionsError as E;
        self.known()?;
        let positive = |x: T| below(x, T::INFINITY);
        refuse(self.neurons == 0, E::Neurons)?;
        let last = self.first_chain.checked_add(self.chains);
        refuse(self.chains == 0 || last.is_none(), E::Chains)?;
        refuse(!has_lanes(self.lanes), E::Lanes)?;
        refuse(self.draws == 0, E::Draws)?;
        refuse(self.keep == 0 || self.keep > self.draws, E::Keep)?;
        refuse(self.starts > 0 && self.start_steps == 0, E::Starts)?;
        refuse(self.leapfrogs == 0 || self.early_leapfrogs == 0, E::Leapfrogs)?;
        let jitter = self.jitter >= T::ZERO && self.jitter < T::ONE;
        let steps = positive(self.first_step) && positive(self.largest_step);
        refuse(!below(self.target_accept, T::ONE), E::TargetAccept)?;
        refuse(!(jitter && steps), E::StepSize)?;
        refuse(!(self.drop_below >= T::ZERO), E::Drop)?;
        let constants = [
            self.input_scale,
            self.outer_scale,
            self.linear_scale,
            self.intercept_sd,
            self.noise_shape,
            self.noise_rate,
        ];
        refuse(!constants.into_iter().all(positive), E::Prior)
    }
}

errors! {
    /// Which option is out of range.
    pub enum OptionsError {
        Neurons = "the number of neurons is zero",
        Chains = "the number of chains is zero or too large",
        Lanes = "the number of lanes is not 1 or 8, or is 8 on a CPU without AVX2 or NEON",
        Draws = "the number of draws is zero",
        Keep = "the draws kept are not between 1 and all of them",
        Starts = "a start without optimisation steps",
        Leapfrogs = "a trajectory without leapfrog steps",
        TargetAccept = "the target acceptance does not lie between 0 and 1",
        StepSize = "jitter or a step size is out of range",
        Drop = "the distance at which chains are dropped is negative",
        Prior = "a constant of the prior is not positive and finite",
    }
    from {
        Code(CodeError),
    }
}
