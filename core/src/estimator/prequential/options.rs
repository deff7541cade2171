//! What prequential Greedy Bayes is asked to do.

use crate::activation::Activation;
use crate::data::{DataError, Dataset};
use crate::error::{errors, refuse};
use crate::estimator::greedy_bayes::{Form, neurons};
use crate::likelihood::GreedyTilt;
use crate::plain::{Code, CodeError, Plain, Switch, below, codes, plain, within};
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::{Prior, PriorKind};
use crate::problem::{Problem, ProblemError};
use crate::scalar::Real;
use crate::simd::usual_lanes;
use crate::smc::{SmcError, SmcOptions};
use crate::workspace::WorkspaceError;

errors! {
    /// Why prequential Greedy Bayes was refused, or stopped.
    pub enum PrequentialError {
        Levels = "the number of levels is zero or too large",
        Alpha = "alpha must be positive and finite",
        Beta = "beta must lie in (0, 1]",
        Outer = "the outer weight must be positive and finite",
        Ess = "the share of particles must lie in (0, 1)",
        Noise = "the noise must be positive and finite",
        Keep = "the draws of the model must be at least 1 and at most the particles",
        NotALearner = "the memory holds no learner of this kind and precision",
        Full = "there is room for no further row",
        Busy = "the row before is not done with",
        Target = "the target is not finite, or beyond 1e7 in the units of the learner",
        Bridges = "a row is too far from what the rows before it predict",
        TooShort = "a slice is shorter than its size query says",
    }
    from {
        Code(CodeError),
        Smc(SmcError),
        Problem(ProblemError),
        Memory(WorkspaceError),
        Standardise(StandardiseError),
        Data(DataError),
        Store(StoreError),
    }
}

codes! {
    /// Which posteriors a model averages over: f_K(x) = mean over i of f_{i,K}(x) (\[MB\] (33)).
    pub enum Averaging: Averaging {
        /// i = 1, ..., n, as printed: those before each row. The last row enters none of them.
        Printed = 0 "printed",
        /// i = 1, ..., n + 1: the posteriors given all rows too.
        Inclusive = 1 "inclusive",
        /// i = n + 1 alone: the posteriors given all rows, which is what predicts the next one.
        Last = 2 "last",
    }
}

plain! {
    /// What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
    #[repr(C)]
    pub struct PrequentialOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
        pub prior: Code<PriorKind> = PriorKind::Gaussian.into(),
        /// LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
        pub form: Code<Form> = Form::Quadratic.into(),
        /// Levels K, 1 to 65535. Default 16.
        pub levels: u32 = 16,
        /// Particles of each level, at least 2 and a multiple of lanes. Default 256.
        pub particles: u32 = 256,
        /// Transitions of every particle each time that they are resampled, at least 1. Default 2.
        pub moves: u32 = 2,
        /// Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
        pub lanes: u32 = usual_lanes(),
        /// 1: a neuron may enter with either sign, which is summed out. Default 0.
        pub either_sign: Switch = false.into(),
        /// 1: add a column of ones, so that neurons have a bias. Default 1.
        pub intercept: Switch = true.into(),
        /// Draws in the model, 1 to particles. Default 64.
        pub keep: u32 = 64,
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
        pub scale: T = T::ONE,
        /// V, positive. Default 3.
        pub outer: T = T::lit(3.0),
        /// alpha, positive. Default .3.
        pub alpha: T = T::lit(0.3),
        /// The share that each level takes of the fit, in (0, 1]. Default .1.
        pub beta: T = T::lit(0.1),
        /// The effective particles, as a share of all, below which they are resampled and moved; in (0, 1).
        /// Default .5.
        pub ess: T = T::HALF,
        /// A guess of the sd of the errors, in the neurons' units, worth four rows. Positive. Default 1.
        pub noise: T = T::ONE,
    }
}

neurons! {
    PrequentialOptions, PrequentialError;
    papers {}
    smc |own| {
        share: own.ess,
        stages: 1,
    }
}

impl<T: Real> PrequentialOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), PrequentialError> {
        refuse(!below(self.ess, T::ONE), PrequentialError::Ess)?;
        let noise = self.noise > T::ZERO && below(self.noise * self.noise, T::INFINITY);
        refuse(!noise, PrequentialError::Noise)?;
        self.check_neurons(T::ONE)
    }
}
