//! What batch Greedy Bayes is asked to do.

use super::recursion::Form;
use crate::activation::Activation;
use crate::data::DataError;
use crate::posterior::{StandardiseError, StoreError};
use crate::prior::Prior;
use crate::problem::ProblemError;
use crate::scalar::Real;
use crate::simd::usual_lanes;
use crate::smc::{Ladder, SmcError, SmcOptions};
use crate::workspace::WorkspaceError;
use core::fmt;

/// Why batch Greedy Bayes was refused, or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyError {
    /// There are no levels, or more than 65535.
    Levels,
    /// alpha is not positive and finite.
    Alpha,
    /// beta is not in (0, 1].
    Beta,
    /// V is not positive and finite.
    Outer,
    /// The ridge is negative or not finite.
    Ridge,
    /// The share held out is not in [0, 1/2], or leaves no row on one side.
    Holdout,
    /// The draws of the model are none, or more than the particles.
    Keep,
    /// The particles' options are refused, or their run stopped.
    Smc(SmcError),
    /// The posterior of a level was refused.
    Problem(ProblemError),
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The data cannot be standardised.
    Standardise(StandardiseError),
    /// The data are refused, or overflow when standardised.
    Data(DataError),
    /// The memory does not hold an estimator of this precision and version.
    NotAnEstimator,
    /// The data are not those that it was made for.
    OtherData,
    /// The levels are not all there yet.
    NotDone,
    /// The model could not be stored.
    Store(StoreError),
}

impl fmt::Display for GreedyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Levels => "the number of levels is zero or too large",
            Self::Alpha => "alpha must be positive and finite",
            Self::Beta => "beta must lie in (0, 1]",
            Self::Outer => "the outer weight must be positive and finite",
            Self::Ridge => "the ridge must be finite and not negative",
            Self::Holdout => "the share held out must lie in [0, 1/2] and leave rows on both sides",
            Self::Keep => "the draws of the model must be at least 1 and at most the particles",
            Self::Smc(e) => return e.fmt(f),
            Self::Problem(e) => return e.fmt(f),
            Self::Memory(e) => return e.fmt(f),
            Self::Standardise(e) => return e.fmt(f),
            Self::Data(e) => return e.fmt(f),
            Self::NotAnEstimator => "the memory holds no estimator of this kind and precision",
            Self::OtherData => "the data are not those that the estimator was made for",
            Self::NotDone => "the levels are not all there yet",
            Self::Store(e) => return e.fmt(f),
        })
    }
}

impl core::error::Error for GreedyError {}

macro_rules! from {
    ($($variant:ident($error:ident)),*) => {
        $(impl From<$error> for GreedyError {
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

/// The options of batch Greedy Bayes. [`Default`] holds real values, all in use: a regressor for
/// standardised data. [`papers`](Self::papers) gives the algorithm of the papers as it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreedyOptions<T> {
    /// psi. Default tanh.
    pub activation: Activation,
    /// The prior of each neuron's w. Default N(0, I).
    pub prior: Prior<T>,
    /// V, the outer weight of the dictionary +-V psi: positive. Default 3.
    pub outer: T,
    /// alpha of the level's tilt alpha V sum r psi: positive. alpha/beta is the precision of the noise
    /// that the quadratic form assumes. Default 1.
    pub alpha: T,
    /// Whether alpha follows the fit: that of a level is alpha times the mean square of y over that of
    /// y - f of the levels before it (rows that the levels see; at most 10^4 alpha), so that the noise
    /// assumed falls with the noise left. Default true.
    pub follow: bool,
    /// The share that each level takes of the fit, in (0, 1]. Default .05.
    pub beta: T,
    /// K, the levels: 1 to 65535. Default 60.
    pub levels: u32,
    /// Whether the square of the loss is kept. Default quadratic.
    pub form: Form,
    /// Whether a neuron may enter as +V psi or -V psi, its sign summed out. An odd psi under a
    /// symmetric prior needs no sign. Default false.
    pub signed: bool,
    /// Particles of each level's posterior, at least 2 and a multiple of the lanes. Default 256.
    pub particles: u32,
    /// Transitions of every particle at each temperature, at least 1. Default 2.
    pub moves: u32,
    /// Particles that advance in lock-step: 1 or 8. Changes no number. Default 8.
    pub lanes: u32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// Whether inputs and target are standardised (a copy is kept). Default true.
    pub standardise: bool,
    /// Whether a column of ones is added to the inputs, so that neurons have a bias under the same
    /// prior. Default true.
    pub intercept: bool,
    /// Whether the levels' means are weighted anew by ridge regression, with an intercept, in place of
    /// the shares beta (1 - beta)^(K - k). Default true.
    pub refit: bool,
    /// The ridge's penalty, as a share of the mean variance of the levels' means: not negative. Default
    /// .001.
    pub ridge: T,
    /// The share of the rows held out, in [0, 1/2]: no level sees them. The levels that are used, the
    /// first so many, are those that predict them best, and the noise is what they leave. 0 takes all
    /// levels, and the noise from the training rows. Default .2.
    pub holdout: T,
    /// Draws in the model, 1 to the particles. Default 64.
    pub keep: u32,
}

impl<T: Real> Default for GreedyOptions<T> {
    fn default() -> Self {
        Self {
            activation: Activation::Tanh,
            prior: Prior::Gaussian { sd: T::ONE },
            outer: T::lit(3.0),
            alpha: T::ONE,
            follow: true,
            beta: T::lit(0.05),
            levels: 60,
            form: Form::Quadratic,
            signed: false,
            particles: 256,
            moves: 2,
            lanes: usual_lanes(),
            seed: 1,
            standardise: true,
            intercept: true,
            refit: true,
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
        let root = T::ONE / T::of_usize(n.max(1)).sqrt();
        Self {
            prior,
            outer: T::ONE,
            alpha: root,
            follow: false,
            beta: root,
            levels,
            form: Form::Tilt,
            standardise: false,
            intercept: false,
            refit: false,
            holdout: T::ZERO,
            keep: 256,
            ..Self::default()
        }
    }

    /// The first option out of its range.
    pub fn check(&self) -> Result<(), GreedyError> {
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
        self.prior.checked().map_err(ProblemError::from)?;
        self.smc(0).check()?;
        Ok(())
    }

    /// The factor of the square at a level of this alpha: alpha beta V^2, or 0.
    pub fn quadratic(&self, alpha: T) -> T {
        match self.form {
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
            ladder: Ladder::Adaptive { ess: T::HALF, most: STAGES },
            seed: self.seed.wrapping_add((level as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            ..SmcOptions::default()
        }
    }

    /// The columns of the inputs as the neurons see them.
    pub fn columns(&self, d: usize) -> usize {
        d.saturating_add(self.intercept as usize)
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
