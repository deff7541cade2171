//! What prequential Greedy Bayes is asked to do.

use crate::activation::Activation;
use crate::data::DataError;
use crate::estimator::greedy_bayes::Form;
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::Prior;
use crate::problem::ProblemError;
use crate::scalar::Real;
use crate::simd::usual_lanes;
use crate::smc::{Ladder, SmcError, SmcOptions};
use crate::workspace::WorkspaceError;
use core::fmt;

/// Why prequential Greedy Bayes was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrequentialError {
    /// There are no levels, or more than 65535.
    Levels,
    /// alpha is not positive and finite.
    Alpha,
    /// beta is not in (0, 1].
    Beta,
    /// V is not positive and finite.
    Outer,
    /// The share of particles is not in (0, 1).
    Ess,
    /// The sd of the noise is not positive and finite.
    Noise,
    /// The draws of the model are none, or more than the particles.
    Keep,
    /// The particles' options are refused.
    Smc(SmcError),
    /// The posterior of a level was refused: it may be improper with the row at hand.
    Problem(ProblemError),
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The data given for the units cannot be standardised.
    Standardise(StandardiseError),
    /// A row has other inputs, or is not finite.
    Data(DataError),
    /// The memory does not hold a learner of this precision and version.
    NotALearner,
    /// There is room for no further row.
    Full,
    /// The row before is not done with: go on with [`step`](super::Prequential::step).
    Busy,
    /// A row needs more than 1000 steps between the posteriors before and after it.
    Bridges,
    /// A slice is shorter than its size query says.
    TooShort,
    /// The model could not be stored.
    Store(StoreError),
}

impl fmt::Display for PrequentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Levels => "the number of levels is zero or too large",
            Self::Alpha => "alpha must be positive and finite",
            Self::Beta => "beta must lie in (0, 1]",
            Self::Outer => "the outer weight must be positive and finite",
            Self::Ess => "the share of particles must lie in (0, 1)",
            Self::Noise => "the noise must be positive and finite",
            Self::Keep => "the draws of the model must be at least 1 and at most the particles",
            Self::Smc(e) => return e.fmt(f),
            Self::Problem(e) => return e.fmt(f),
            Self::Memory(e) => return e.fmt(f),
            Self::Standardise(e) => return e.fmt(f),
            Self::Data(e) => return e.fmt(f),
            Self::NotALearner => "the memory holds no learner of this kind and precision",
            Self::Full => "there is room for no further row",
            Self::Busy => "the row before is not done with",
            Self::Bridges => "a row is too far from what the rows before it foretell",
            Self::TooShort => "a slice is shorter than its size query says",
            Self::Store(e) => return e.fmt(f),
        })
    }
}

impl core::error::Error for PrequentialError {}

macro_rules! from {
    ($($variant:ident($error:ident)),*) => {
        $(impl From<$error> for PrequentialError {
            fn from(e: $error) -> Self {
                Self::$variant(e)
            }
        })*
    };
}
from!(
    Smc(SmcError),
    Problem(ProblemError),
    Memory(WorkspaceError),
    Standardise(StandardiseError),
    Data(DataError),
    Store(StoreError)
);

/// Which posteriors a model averages over: f_K(x) = mean over i of f_{i,K}(x) (\[MB\] (33)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Averaging {
    /// i = 1, ..., n, as printed: those before each row. The last row enters none of them.
    Printed = 0,
    /// i = 1, ..., n + 1: the posteriors given all rows too.
    Inclusive = 1,
    /// i = n + 1 alone: the posteriors given all rows, which is what foretells the next one.
    Last = 2,
}

impl Averaging {
    /// The averaging of a code.
    pub fn from_code(code: i32) -> Option<Self> {
        [Self::Printed, Self::Inclusive, Self::Last].into_iter().find(|a| *a as i32 == code)
    }
}

/// The options of prequential Greedy Bayes. [`Default`] holds real values, all in use: a regressor for
/// standardised data. [`papers`](Self::papers) gives the algorithm of \[MB\] as it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrequentialOptions<T> {
    /// psi. Default tanh.
    pub activation: Activation,
    /// The prior of each neuron's w. Default N(0, I).
    pub prior: Prior<T>,
    /// V, the outer weight of the dictionary +-V psi: positive. Default 3.
    pub outer: T,
    /// alpha of the tilt alpha V sum r psi: positive. Default .3.
    pub alpha: T,
    /// The share that each level takes of the fit, in (0, 1]. Default .1.
    pub beta: T,
    /// K, the levels: 1 to 65535. Default 16.
    pub levels: u32,
    /// Whether the square of the loss is kept. Default quadratic.
    pub form: Form,
    /// Whether a neuron may enter as +V psi or -V psi, its sign summed out. An odd psi under a
    /// symmetric prior needs no sign. Default false.
    pub signed: bool,
    /// Particles of each level's posterior, at least 2 and a multiple of the lanes. Default 256.
    pub particles: u32,
    /// Transitions of every particle each time that they are resampled, at least 1. Default 2.
    pub moves: u32,
    /// The effective particles, as a share of all, below which they are resampled and moved; in
    /// (0, 1). Default 1/2.
    pub ess: T,
    /// Particles that advance in lock-step: 1 or 8. Changes no number. Default 8.
    pub lanes: u32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// Whether a column of ones is added to the inputs, so that neurons have a bias under the same
    /// prior. Default true.
    pub intercept: bool,
    /// A guess of the sd of the one-step-ahead errors, worth four rows: the predictive law starts there.
    /// In the units of the neurons; positive. Default 1.
    pub noise: T,
    /// Draws in the model, 1 to the particles. Default 64.
    pub keep: u32,
}

impl<T: Real> Default for PrequentialOptions<T> {
    fn default() -> Self {
        Self {
            activation: Activation::Tanh,
            prior: Prior::Gaussian { sd: T::ONE },
            outer: T::lit(3.0),
            alpha: T::lit(0.3),
            beta: T::lit(0.1),
            levels: 16,
            form: Form::Quadratic,
            signed: false,
            particles: 256,
            moves: 2,
            ess: T::HALF,
            lanes: usual_lanes(),
            seed: 1,
            intercept: true,
            noise: T::ONE,
            keep: 64,
        }
    }
}

impl<T: Real> PrequentialOptions<T> {
    /// The algorithm of \[MB\] for n rows: V = 1, alpha = beta = 1/sqrt n, the tilt alone, inputs as
    /// they are, every particle in the model.
    pub fn papers(n: usize, levels: u32, prior: Prior<T>) -> Self {
        let root = T::ONE / T::of_usize(n.max(1)).sqrt();
        Self {
            prior,
            outer: T::ONE,
            alpha: root,
            beta: root,
            levels,
            form: Form::Tilt,
            intercept: false,
            keep: 256,
            ..Self::default()
        }
    }

    /// The first option out of its range.
    pub fn check(&self) -> Result<(), PrequentialError> {
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
        self.prior.checked().map_err(ProblemError::from)?;
        self.smc(0).check()?;
        Ok(())
    }

    /// The factor of the square: alpha beta V^2, or 0.
    pub fn quadratic(&self) -> T {
        match self.form {
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
            ladder: Ladder::Adaptive { ess: self.ess, most: 1 },
            seed: self.seed.wrapping_add((level as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            ..SmcOptions::default()
        }
    }

    /// The columns of the inputs as the neurons see them.
    pub fn columns(&self, d: usize) -> usize {
        d.saturating_add(self.intercept as usize)
    }
}
