//! What batch Greedy Bayes is asked to do.

use super::recursion::Form;
use crate::activation::Activation;
use crate::data::DataError;
use crate::error::errors;
use crate::plain::{Code, CodeError, Plain, Reserved, Switch, plain};
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::{Prior, PriorKind};
use crate::problem::ProblemError;
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
        pub struct_size: u32,
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation>,
        /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
        pub prior: Code<PriorKind>,
        /// LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
        pub form: Code<Form>,
        /// Levels K, 1 to 65535. Default 60.
        pub levels: u32,
        /// Particles of each level, at least 2 and a multiple of lanes. Default 256.
        pub particles: u32,
        /// Transitions of every particle at each temperature, at least 1. Default 2.
        pub moves: u32,
        /// Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
        pub lanes: u32,
        /// 1: a neuron may enter with either sign, which is summed out. Default 0.
        pub either_sign: Switch,
        /// 1: standardise inputs and target. Default 1.
        pub standardise: Switch,
        /// 1: add a column of ones, so that neurons have a bias. Default 1.
        pub intercept: Switch,
        /// 1: weight the levels' means anew, by ridge regression. Default 1.
        pub refit: Switch,
        /// Draws in the model, 1 to particles. Default 64.
        pub keep: u32,
        /// 1: a level's alpha is alpha times the mean square of y over that of y - f before it (at most 10^4
        /// times), so that the noise assumed falls with the noise left. Default 1.
        pub follow: Switch,
        /// 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
        pub portable: Switch,
        /// Must be 0.
        pub reserved: Reserved,
        /// Names the random numbers. Default 1.
        pub seed: u64,
        /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
        pub scale: T,
        /// V, positive. Default 3.
        pub outer: T,
        /// alpha, positive; alpha/beta is the precision of the noise assumed. Default 1.
        pub alpha: T,
        /// The share that each level takes of the fit, in (0, 1]. Default .05.
        pub beta: T,
        /// The ridge's penalty as a share of the mean variance of the levels' means, not negative. Default
        /// .001.
        pub ridge: T,
        /// The share of the rows held out to choose the number of levels and the noise by, in [0, .5].
        /// Default .2.
        pub holdout: T,
    }
}

impl<T: Real> Default for GreedyOptions<T> {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            portable: false.into(),
            reserved: Reserved::default(),
            activation: Activation::Tanh.into(),
            prior: PriorKind::Gaussian.into(),
            scale: T::ONE,
            outer: T::lit(3.0),
            alpha: T::ONE,
            follow: true.into(),
            beta: T::lit(0.05),
            levels: 60,
            form: Form::Quadratic.into(),
            either_sign: false.into(),
            particles: 256,
            moves: 2,
            lanes: usual_lanes(),
            seed: 1,
            standardise: true.into(),
            intercept: true.into(),
            refit: true.into(),
            ridge: T::lit(1e-3),
            holdout: T::lit(0.2),
            keep: 64,
        }
    }
}

impl<T: Real> GreedyOptions<T> {
    /// The algorithm of \[MB\] for n rows: V = 1, alpha = beta = 1/sqrt n, the tilt alone, data as they
    /// are, all K levels at their shares, and every particle in the model.
    pub fn papers(n: usize, levels: u32, prior: Prior<T>) -> Self {
        let (kind, scale) = prior.kind();
        let root = T::ONE / T::of_usize(n.max(1)).sqrt();
        Self {
            prior: kind.into(),
            scale,
            outer: T::ONE,
            alpha: root,
            follow: false.into(),
            beta: root,
            levels,
            form: Form::Tilt.into(),
            standardise: false.into(),
            intercept: false.into(),
            refit: false.into(),
            holdout: T::ZERO,
            keep: 256,
            ..Self::default()
        }
    }

    /// The prior of each neuron's w.
    pub fn prior(&self) -> Prior<T> {
        Prior::of(self.prior.value(), self.scale)
    }

    /// The same with another.
    pub fn with_prior(self, prior: Prior<T>) -> Self {
        let (kind, scale) = prior.kind();
        Self { prior: kind.into(), scale, ..self }
    }

    /// The first option out of its range.
    pub fn check(&self) -> Result<(), GreedyError> {
        self.known()?;
        let positive = |x: T| x > T::ZERO && x.is_finite();
        let most = T::lit(MOST);
        if self.levels == 0 || self.levels > 65535 {
            return Err(GreedyError::Levels);
        }
        if !positive(self.alpha) || !positive(self.alpha * self.outer * most) {
            return Err(if positive(self.outer) { GreedyError::Alpha } else { GreedyError::Outer });
        }
        if !(self.beta > T::ZERO && self.beta <= T::ONE) {
            return Err(GreedyError::Beta);
        }
        if !(positive(self.outer) && (self.quadratic(self.alpha) * most).is_finite()) {
            return Err(GreedyError::Outer);
        }
        if !(self.ridge >= T::ZERO && self.ridge.is_finite()) {
            return Err(GreedyError::Ridge);
        }
        if !(self.holdout >= T::ZERO && self.holdout <= T::HALF) {
            return Err(GreedyError::Holdout);
        }
        if self.keep == 0 || self.keep > self.particles {
            return Err(GreedyError::Keep);
        }
        self.prior().checked().map_err(ProblemError::from)?;
        self.smc(0).check()?;
        Ok(())
    }

    /// The factor of the square at a level of this alpha: alpha beta V^2, or 0.
    pub fn quadratic(&self, alpha: T) -> T {
        match self.form.value() {
            Form::Tilt => T::ZERO,
            Form::Quadratic => alpha * self.beta * self.outer * self.outer,
        }
    }

    /// The particles of level k = 0, 1, ...: another seed for each.
    pub fn smc(&self, level: u32) -> SmcOptions<T> {
        SmcOptions {
            particles: self.particles,
            lanes: self.lanes,
            moves: self.moves,
            stages: STAGES,
            seed: self.seed.wrapping_add((level as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            ..SmcOptions::default()
        }
    }

    /// The columns of the inputs as the neurons see them.
    pub fn columns(&self, d: usize) -> usize {
        d.saturating_add(self.intercept.on() as usize)
    }

    /// The rows of n that are held out.
    pub fn held_out(&self, n: usize) -> Result<usize, GreedyError> {
        let rows = (self.holdout * T::of_usize(n) + T::HALF).floor().to_usize();
        if self.holdout > T::ZERO && (rows == 0 || rows >= n) {
            return Err(GreedyError::Holdout);
        }
        Ok(rows)
    }
}

/// The most temperatures of a level.
const STAGES: u32 = 200;

/// The most that alpha is multiplied by where it follows the fit.
pub(super) const MOST: f64 = 1e4;
