//! Predictions: the law of the target at new inputs, as a mixture over the posterior's draws.
//!
//! [`Predictor`] turns an image and a row in raw units into a [`Mixture`] of Student-t laws, which
//! gives mean, sd, quantiles, intervals and scores. [`evaluate`](Predictor::evaluate) sums the scores
//! over test rows.

pub mod student_t;

mod mixture;
mod network;
mod scores;

pub use mixture::{Mixture, Tails, log_normalisers};
pub use network::{PredictError, Prediction, Predictor};
pub use scores::Evaluation;
