//! What greedy least squares is asked to do.

use crate::activation::Activation;
use crate::data::DataError;
use crate::posterior::{StandardiseError, StoreError};
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use crate::workspace::WorkspaceError;
use core::fmt;

/// How a neuron is chosen, and how it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum RelaxedMethod {
    /// Relaxed greedy (Jones 1992, Barron 1993): the g that brings (1 - b) f + b g nearest to y at
    /// b = 2/(k + 1), then the best b in \[0, 1\].
    Relaxed = 0,
    /// Frank-Wolfe: the g of the dictionary that is most correlated with y - f, then the best b in
    /// \[0, 1\].
    FrankWolfe = 1,
    /// Orthogonal matching pursuit: the same g, then least squares on all neurons so far. Its weights
    /// leave the hull of the dictionary.
    Orthogonal = 2,
}

impl RelaxedMethod {
    /// The method of a code.
    pub fn from_code(code: i32) -> Option<Self> {
        [Self::Relaxed, Self::FrankWolfe, Self::Orthogonal].into_iter().find(|m| *m as i32 == code)
    }
}

/// Why greedy least squares was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelaxedError {
    /// There are no levels, or more than 4096.
    Levels,
    /// V is not positive and finite.
    Outer,
    /// The radius is not positive and finite.
    Radius,
    /// There are no starts, or they are no multiple of the lanes.
    Starts,
    /// Lanes are neither 1, 4 nor 8.
    Lanes,
    /// There are no steps of ascent.
    Steps,
    /// The memory was refused.
    Memory(WorkspaceError),
    /// The data cannot be standardised.
    Standardise(StandardiseError),
    /// The data are refused, or overflow when standardised.
    Data(DataError),
    /// The memory does not hold a fit of this kind, precision and version.
    NotAFit,
    /// The data are not those that it was made for.
    OtherData,
    /// No level is there yet.
    NotDone,
    /// The model could not be stored.
    Store(StoreError),
}

impl fmt::Display for RelaxedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Levels => "the number of levels is zero or too large",
            Self::Outer => "the outer weight must be positive and finite",
            Self::Radius => "the radius must be positive and finite",
            Self::Starts => "the starts must be at least 1 and a multiple of the lanes",
            Self::Lanes => "lanes must be 1 or 8",
            Self::Steps => "an ascent needs at least one step",
            Self::Memory(e) => return e.fmt(f),
            Self::Standardise(e) => return e.fmt(f),
            Self::Data(e) => return e.fmt(f),
            Self::NotAFit => "the memory holds no fit of this kind and precision",
            Self::OtherData => "the data are not those that the fit was made for",
            Self::NotDone => "no level is there yet",
            Self::Store(e) => return e.fmt(f),
        })
    }
}

impl core::error::Error for RelaxedError {}

macro_rules! from {
    ($($variant:ident($error:ident)),*) => {
        $(impl From<$error> for RelaxedError {
            fn from(e: $error) -> Self {
                Self::$variant(e)
            }
        })*
    };
}
from!(Memory(WorkspaceError), Standardise(StandardiseError), Data(DataError), Store(StoreError));

/// The options of greedy least squares. [`Default`] holds real values, all in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelaxedOptions<T> {
    /// How neurons are chosen and enter. Default relaxed.
    pub method: RelaxedMethod,
    /// psi. Default tanh.
    pub activation: Activation,
    /// V of the dictionary +-V psi(x.w): positive. Default 5.
    pub outer: T,
    /// R of the dictionary's |w|_1 <= R: positive. Default 5.
    pub radius: T,
    /// K, the levels: 1 to 4096. Default 40.
    pub levels: u32,
    /// Starts of the search for each neuron, a multiple of the lanes. Default 16.
    pub starts: u32,
    /// Steps of ascent from each start: fixed, so that the cost is known. Default 60.
    pub steps: u32,
    /// Starts that advance in lock-step: 1 or 8. Changes no number. Default 8.
    pub lanes: u32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// Whether inputs and target are standardised. Default true.
    pub standardise: bool,
    /// Whether a column of ones is added to the inputs. Default true.
    pub intercept: bool,
}

impl<T: Real> Default for RelaxedOptions<T> {
    fn default() -> Self {
        Self {
            method: RelaxedMethod::Relaxed,
            activation: Activation::Tanh,
            outer: T::lit(5.0),
            radius: T::lit(5.0),
            levels: 40,
            starts: 16,
            steps: 60,
            lanes: usual_lanes(),
            seed: 1,
            standardise: true,
            intercept: true,
        }
    }
}

impl<T: Real> RelaxedOptions<T> {
    /// The first option out of its range.
    pub fn check(&self) -> Result<(), RelaxedError> {
        let positive = |x: T| x > T::ZERO && x.is_finite();
        if self.levels == 0 || self.levels > 4096 {
            return Err(RelaxedError::Levels);
        }
        if !positive(self.outer) {
            return Err(RelaxedError::Outer);
        }
        if !positive(self.radius) {
            return Err(RelaxedError::Radius);
        }
        if !has_lanes(self.lanes) {
            return Err(RelaxedError::Lanes);
        }
        if self.starts == 0 || !self.starts.is_multiple_of(self.lanes) {
            return Err(RelaxedError::Starts);
        }
        if self.steps == 0 { Err(RelaxedError::Steps) } else { Ok(()) }
    }
}
