//! What prequential Greedy Bayes is asked to do.

use crate::activation::Activation;
use crate::data::DataError;
use crate::error::errors;
use crate::estimator::greedy_bayes::Form;
use crate::plain::{Code, CodeError, Plain, Switch, codes, plain};
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::{Prior, PriorKind};
use crate::problem::ProblemError;
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
        Bridges = "a row is too far from what the rows before it foretell",
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
        Printed = 0,
        /// i = 1, ..., n + 1: the posteriors given all rows too.
        Inclusive = 1,
        /// i = n + 1 alone: the posteriors given all rows, which is what foretells the next one.
        Last = 2,
    }
}

plain! {
    /// What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
    #[repr(C)]
    pub struct PrequentialOptions<T> {
        /// The bytes of this struct, as the defaults have it.
        pub struct_size: u32,
        /// An LCC_ACTIVATION_ code. Default: tanh.
        pub activation: Code<Activation>,
        /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
        pub prior: Code<PriorKind>,
        /// LCC_GREEDY_TILT or LCC_GREEDY_QUADRATIC. Default: quadratic.
        pub form: Code<Form>,
        /// Levels K, 1 to 65535. Default 16.
        pub levels: u32,
        /// Particles of each level, at least 2 and a multiple of lanes. Default 256.
        pub particles: u32,
        /// Transitions of every particle each time that they are resampled, at least 1. Default 2.
        pub moves: u32,
        /// Particles that advance in lock-step: 1 or 8. Changes speed, never a number. Default 8.
        pub lanes: u32,
        /// 1: a neuron may enter with either sign, which is summed out. Default 0.
        pub either_sign: Switch,
        /// 1: add a column of ones, so that neurons have a bias. Default 1.
        pub intercept: Switch,
        /// Draws in the model, 1 to particles. Default 64.
        pub keep: u32,
        /// 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
        pub portable: Switch,
        /// Names the random numbers. Default 1.
        pub seed: u64,
        /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
        pub scale: T,
        /// V, positive. Default 3.
        pub outer: T,
        /// alpha, positive. Default .3.
        pub alpha: T,
        /// The share that each level takes of the fit, in (0, 1]. Default .1.
        pub beta: T,
        /// The effective particles, as a share of all, below which they are resampled and moved; in (0, 1).
        /// Default .5.
        pub ess: T,
        /// A guess of the sd of the errors, in the neurons' units, worth four rows. Positive. Default 1.
        pub noise: T,
    }
}

impl<T: Real> Default for PrequentialOptions<T> {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            portable: false.into(),
            activation: Activation::Tanh.into(),
            prior: PriorKind::Gaussian.into(),
            scale: T::ONE,
            outer: T::lit(3.0),
            alpha: T::lit(0.3),
            beta: T::lit(0.1),
            levels: 16,
            form: Form::Quadratic.into(),
            either_sign: false.into(),
            particles: 256,
            moves: 2,
            ess: T::HALF,
            lanes: usual_lanes(),
            seed: 1,
            intercept: true.into(),
            noise: T::ONE,
            keep: 64,
        }
    }
}

impl<T: Real> PrequentialOptions<T> {
    /// The algorithm of \[MB\] for n rows: V = 1, alpha = beta = 1/sqrt n, the tilt alone, inputs as
    /// they are, every particle in the model.
    pub fn papers(n: usize, levels: u32, prior: Prior<T>) -> Self {
        let (kind, scale) = prior.kind();
        let root = T::ONE / T::of_usize(n.max(1)).sqrt();
        Self {
            prior: kind.into(),
            scale,
            outer: T::ONE,
            alpha: root,
            beta: root,
            levels,
            form: Form::Tilt.into(),
            intercept: false.into(),
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
    pub fn check(&self) -> Result<(), PrequentialError> {
        self.known()?;
        let positive = |x: T| x > T::ZERO && x.is_finite();
        if self.levels == 0 || self.levels > 65535 {
            return Err(PrequentialError::Levels);
        }
        if !positive(self.outer) {
            return Err(PrequentialError::Outer);
        }
        if !positive(self.alpha) || !positive(self.alpha * self.outer) {
            return Err(PrequentialError::Alpha);
        }
        if !(self.beta > T::ZERO && self.beta <= T::ONE) {
            return Err(PrequentialError::Beta);
        }
        if !self.quadratic().is_finite() {
            return Err(PrequentialError::Outer);
        }
        if !(self.ess > T::ZERO && self.ess < T::ONE) {
            return Err(PrequentialError::Ess);
        }
        if !(positive(self.noise) && positive(self.noise * self.noise)) {
            return Err(PrequentialError::Noise);
        }
        if self.keep == 0 || self.keep > self.particles {
            return Err(PrequentialError::Keep);
        }
        self.prior().checked().map_err(ProblemError::from)?;
        self.smc(0).check()?;
        Ok(())
    }

    /// The factor of the square: alpha beta V^2, or 0.
    pub fn quadratic(&self) -> T {
        match self.form.value() {
            Form::Tilt => T::ZERO,
            Form::Quadratic => self.alpha * self.beta * self.outer * self.outer,
        }
    }

    /// How the particles of level k = 0, 1, ... move: another seed for each.
    pub(super) fn smc(&self, level: u32) -> SmcOptions<T> {
        SmcOptions {
            particles: self.particles,
            lanes: self.lanes,
            moves: self.moves,
            share: self.ess,
            stages: 1,
            seed: self.seed.wrapping_add((level as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            ..SmcOptions::default()
        }
    }

    /// The columns of the inputs as the neurons see them.
    pub fn columns(&self, d: usize) -> usize {
        d.saturating_add(self.intercept.on() as usize)
    }
}
