//! What a user may choose, with the defaults, and what may go wrong.

use crate::posterior::StoreError;
use crate::predict::PredictError;
use crate::scalar::Real;
use crate::simd::{has_lanes, usual_lanes};
use crate::workspace::WorkspaceError;
use core::fmt;

/// The options of [`super::StreamLearner`]. Sds are those of the head in standardised units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamOptions<T> {
    /// What a row counts for after the next, inside (0, 1]: the head remembers about
    /// 1 / (1 - forgetting) rows. 1: all rows count the same, and nothing leaks.
    pub forgetting: T,
    /// The same of the noise.
    pub noise_forgetting: T,
    /// The rows that the noise of a draw as it was fitted counts for: at the start, and (with
    /// forgetting) for ever. Positive.
    pub noise_rows: T,
    /// The sd of the outer weights v about those fitted, for the noise as it was fitted: the prior at
    /// the start, to which the head leaks back. Positive.
    pub outer_sd: T,
    /// The same of the intercept b0.
    pub intercept_sd: T,
    /// The same of the linear part c.
    pub linear_sd: T,
    /// Whether draws are weighted by how well they have predicted, rather than equally.
    pub weighted: bool,
    /// What a row counts for in those weights after the next, inside \[0, 1\].
    pub weight_forgetting: T,
    /// Draws to learn with, at least 1: at most so many, evenly spread over those of the image.
    pub draws: u32,
    /// Draws that are updated together: 1 or 8. Changes speed and memory, never a number.
    pub lanes: u32,
}

impl<T: Real> StreamOptions<T> {
    /// Forgetting .98 of head and noise, 10 rows of noise, sds 1, 1 and .3, weights with forgetting .9, 64
    /// draws in 8 lanes.
    pub fn new() -> Self {
        Self {
            forgetting: T::lit(0.98),
            noise_forgetting: T::lit(0.98),
            noise_rows: T::lit(10.0),
            outer_sd: T::ONE,
            intercept_sd: T::ONE,
            linear_sd: T::lit(0.3),
            weighted: true,
            weight_forgetting: T::lit(0.9),
            draws: 64,
            lanes: usual_lanes(),
        }
    }

    /// The first option that is out of range.
    pub fn check(&self) -> Result<(), StreamError> {
        let share = |x: T| x > T::ZERO && x <= T::ONE;
        let positive = |x: T| x > T::ZERO && x.is_finite();
        let forget = self.weight_forgetting == T::ZERO || share(self.weight_forgetting);
        if !(share(self.forgetting) && share(self.noise_forgetting) && forget) {
            return Err(StreamError::Forgetting);
        }
        // Beyond these, squares leave the range of f32.
        let moderate = |x: T| positive(x) && x >= T::lit(1e-6) && x <= T::lit(1e6);
        if ![self.outer_sd, self.intercept_sd, self.linear_sd].into_iter().all(moderate) {
            return Err(StreamError::Sd);
        }
        if !(moderate(self.noise_rows)) {
            return Err(StreamError::NoiseRows);
        }
        if self.draws == 0 {
            return Err(StreamError::Draws);
        }
        if !has_lanes(self.lanes) {
            return Err(StreamError::Lanes);
        }
        Ok(())
    }
}

impl<T: Real> Default for StreamOptions<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a stream learner refused. Nothing has been learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// A forgetting is not inside (0, 1] (of the weights \[0, 1\]).
    Forgetting,
    /// An sd of the head is not between 1e-6 and 1e6.
    Sd,
    /// `noise_rows` is not between 1e-6 and 1e6.
    NoiseRows,
    /// `draws` is 0.
    Draws,
    /// `lanes` is not 1 or 8.
    Lanes,
    /// The memory is too small, misaligned, or its size overflows.
    Memory(WorkspaceError),
    /// The memory does not hold a stream learner of this version and precision.
    NotALearner,
    /// The image holds values beyond this precision.
    Image,
    /// The row has another number of columns than the model has inputs.
    Inputs,
    /// An input is not finite, or more than 1e9 sds from its mean.
    Input,
    /// The target is not finite, or more than 1e9 sds from its mean.
    Target,
    /// The level of the interval is not inside (0, 1).
    Level,
    /// A buffer is shorter than its size query says.
    TooShort,
    /// The model could not be stored.
    Store(StoreError),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forgetting => f.write_str("a forgetting is not inside (0, 1]"),
            Self::Sd => f.write_str("an sd of the head is not between 1e-6 and 1e6"),
            Self::NoiseRows => f.write_str("the rows of the noise are not between 1e-6 and 1e6"),
            Self::Draws => f.write_str("the number of draws is zero"),
            Self::Lanes => f.write_str("the number of lanes is not 1 or 8"),
            Self::Memory(e) => e.fmt(f),
            Self::NotALearner => {
                f.write_str("the memory holds no stream learner of this version and precision")
            }
            Self::Image => f.write_str("the image holds values beyond this precision"),
            Self::Inputs => f.write_str("the row has another number of columns than the model"),
            Self::Input => f.write_str("an input is not finite, or beyond 1e9 sds"),
            Self::Target => f.write_str("the target is not finite, or beyond 1e9 sds"),
            Self::Level => f.write_str("the level of an interval must lie inside (0, 1)"),
            Self::TooShort => f.write_str("a buffer is shorter than its size query says"),
            Self::Store(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for StreamError {}

impl From<WorkspaceError> for StreamError {
    fn from(e: WorkspaceError) -> Self {
        Self::Memory(e)
    }
}
impl From<StoreError> for StreamError {
    fn from(e: StoreError) -> Self {
        Self::Store(e)
    }
}
impl From<PredictError> for StreamError {
    fn from(e: PredictError) -> Self {
        match e {
            PredictError::Inputs => Self::Inputs,
            PredictError::TooShort => Self::TooShort,
            PredictError::NotFinite => Self::Input,
            PredictError::Level => Self::Level,
            PredictError::OutOfRange => Self::Image,
        }
    }
}
