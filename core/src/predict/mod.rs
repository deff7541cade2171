//! Predictions: the law of the target at new inputs, as a mixture over the posterior's draws.
//!
//! [`Predictor`] turns an image and a row in raw units into a [`Mixture`] of Student-t laws, which
//! gives mean, sd, quantiles, intervals and scores. [`evaluate`](Predictor::evaluate) sums the scores
//! over test rows.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
//! use lcc_core::predict::Predictor;
//! use lcc_core::simd::Isa;
//!
//! let shape = Shape::one_layer(1, 1, Activation::Tanh);
//! let mut buffer = [0.0_f64; 2];
//! let units = Standardiser::identity(1, &mut buffer)?;
//! let mut bytes = vec![0; image_size::<f64>(shape, 2)?];
//! let mut store = Store::new(&mut bytes, shape, &units)?;
//! // w, b, v, intercept, linear part, sigma, nu: 2 tanh(w x + b) + 1/2, with heavy tails.
//! store.push(&[1.0, 0.0, 2.0, 0.5, 0.0, 0.1, 5.0])?;
//! let image = Image::open(store.seal().unwrap())?;
//!
//! let mut buffer = vec![0.0_f64; Predictor::<f64>::buffer_len(&image)];
//! let predictor = Predictor::new(Isa::detect(), image, &mut buffer)?;
//! let mut scratch = vec![0.0; predictor.row_scratch()];
//! let p = predictor.predict_row(&[0.0], 0.9, &mut scratch)?;
//! assert!((p.mean - 0.5).abs() < 1e-14);
//! assert!((p.sd - 0.1 * (5.0 / 3.0_f64).sqrt()).abs() < 1e-14);
//! assert!((p.upper - p.mean - 0.1 * 2.015048372669157).abs() < 1e-6); // t_5
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`NetworkPredictor`] does so for a network of any depth and output: its [`Law`] at a row is a mixture of
//! densities, the mean of the draws' probabilities of [`Classes`], or a mixture of laws of [`Counts`]. What only
//! [`Predictor`] needs is apart from it, so that a small program links no more than that.

pub mod student_t;
mod temperature;

mod classes;
mod counts;
mod forward;
mod gammas;
mod law;
mod mixture;
mod network;
mod network_scores;
mod positive;
mod predictor;
mod saddle;
mod scores;
mod small;
mod thin;

pub use classes::{Calibration, Classes, auroc};
pub use counts::{Counts, MOST_OF_MEAN, ROUNDS};
pub use forward::Compiled as NetworkCompiled;
pub use gammas::Gammas;
pub use law::Law;
pub use mixture::{Mixture, Tails, log_normalisers};
pub use network::{Compiled, PredictError, Prediction, Predictor};
pub use network_scores::{ClassEvaluation, Scores};
pub use positive::{Amounts, Positive};
pub use predictor::NetworkPredictor;
pub use scores::Evaluation;
pub use temperature::temperature;
pub use thin::Thinned;

use crate::scalar::Real;
use crate::special;
use crate::sum::Sum;

/// The mean of some terms, in their order.
fn mean_of<T: Real>(terms: impl Iterator<Item = T>) -> T {
    let (mut sum, mut count) = (Sum::ZERO, 0_usize);
    for term in terms {
        sum.add(term);
        count = count.saturating_add(1);
    }
    sum.value() / T::of_usize(count)
}

/// The logarithm of the mean of the exponentials of some logarithms.
fn log_mean_exp<T: Real>(logs: impl Iterator<Item = T> + Clone) -> T {
    let largest = logs.clone().fold(-T::INFINITY, |most, log| log.max(most));
    if !largest.is_finite() {
        return largest;
    }
    largest + special::scalar::ln(mean_of(logs.map(|log| special::scalar::exp(log - largest))))
}
