//! What batch Greedy Bayes is asked to do.

use super::neurons::neurons;
use super::recursion::Form;
use crate::activation::Activation;
use crate::data::{DataError, Dataset};
use crate::error::{errors, refuse};
use crate::likelihood::GreedyTilt;
use crate::plain::{Code, CodeError, Plain, Reserved, Switch, below, plain, within};
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::{Prior, PriorKind};
use crate::problem::{Problem, ProblemError};
use crate::scalar::Real;
use crate::simd::usual_lanes;
use crate::smc::{SmcError, SmcOptions};
use crate::workspace::WorkspaceError;

errors! {
    /// Why batch Greedy Bayes was refused, or stopped.
    pub enum GreedyError {
        Levels = "the number of levels is zero or too large",
        Alpha = "alpha must be positive and finite",
        Beta = "beta must lie in (0, 1]",
        Outer = "the outer weight must be positive and finite",
        Ridge = "the ridge must be finite and not negative",
        Holdout = "the share held out must lie in [0, 1/2] and leave rows on both sides",
        Keep = "the draws of the model must be at least 1 and at most the particles",
        NotAnEstimator = "the memory holds no estimator of this kind and precision",
        OtherData = "the data are not those that the estimator was made for",
        NotDone = "the levels are not all there yet",
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

plain! {
    /// What a fit is asked to do. The defaults are a regressor's, for data that are standardised.
    #[repr(C)]
    pub struct GreedyOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32 = size_of::<Self>() as u32,
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation> = Activation::Tanh.into(),
        /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
        pub prior: Code<PriorKind> = PriorKind::Gaussian.into(),
        /// LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
        pub form: Code<Form> = Form::Quadratic.into(),
        /// Levels K, 1 to 65535. Default 60.
        pub levels: u32 = 60,
        /// Particles of each level, at least 2 and a multiple of lanes. Default 256.
        pub particles: u32 = 256,
        /// Transitions of every particle at each temperature, at least 1. Default 2.
        pub moves: u32 = 2,
        /// Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
        pub lanes: u32 = usual_lanes(),
        /// 1: a neuron may enter with either sign, which is summed out. Default 0.
        pub either_sign: Switch = false.into(),
        /// 1: standardise inputs and target. Default 1.
        pub standardise: Switch = true.into(),
        /// 1: add a column of ones, so that neurons have a bias. Default 1.
        pub intercept: Switch = true.into(),
        /// 1: weight the levels' means anew, by ridge regression. Default 1.
        pub refit: Switch = true.into(),
        /// Draws in the model, 1 to particles. Default 64.
        pub keep: u32 = 64,
        /// 1: a level's alpha is alpha times the mean square of y over that of y - f before it (at most 10^4
        /// times), so that the noise assumed falls with the noise left. Default 1.
        pub follow: Switch = true.into(),
        /// 1: plain loops, but AVX2 or NEON for 8 lanes. Changes speed, never a number. Default 0.
        pub portable: Switch = false.into(),
        /// Must be 0.
        pub reserved: Reserved = Reserved::default(),
        /// Names the random numbers. Default 1.
        pub seed: u64 = 1,
        /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
        pub scale: T = T::ONE,
        /// V, positive. Default 3.
        pub outer: T = T::lit(3.0),
        /// alpha, positive; alpha/beta is the precision of the noise assumed. Default 1.
        pub alpha: T = T::ONE,
        /// The share that each level takes of the fit, in (0, 1]. Default .05.
        pub beta: T = T::lit(0.05),
        /// The ridge's penalty as a share of the mean variance of the levels' means, not negative. Default
        /// .001.
        pub ridge: T = T::lit(1e-3),
        /// The share of the rows held out to choose the number of levels and the noise by, in [0, .5].
        /// Default .2.
        pub holdout: T = T::lit(0.2),
    }
}

neurons! {
    GreedyOptions, GreedyError;
    papers {
        follow: false.into(),
        standardise: false.into(),
        refit: false.into(),
        holdout: T::ZERO,
    }
    smc |_own| { stages: STAGES, }
}

impl<T: Real> GreedyOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), GreedyError> {
        refuse(!(self.ridge >= T::ZERO && self.ridge.is_finite()), GreedyError::Ridge)?;
        refuse(!(self.holdout >= T::ZERO && self.holdout <= T::HALF), GreedyError::Holdout)?;
        self.check_neurons(T::lit(MOST))
    }

    /// The rows of n that are held out.
    pub fn held_out(&self, n: usize) -> Result<usize, GreedyError> {
        let rows = (self.holdout * T::of_usize(n) + T::HALF).floor().to_usize();
        refuse(self.holdout > T::ZERO && (rows == 0 || rows >= n), GreedyError::Holdout)?;
        Ok(rows)
    }
}

/// The most temperatures of a level.
const STAGES: u32 = 200;

/// The most that alpha is multiplied by where it follows the fit.
pub(super) const MOST: f64 = 1e4;
