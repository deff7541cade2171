//! Learning from a stream: a fitted posterior that goes on learning, row by row, where the data drift.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
//! use lcc_core::simd::Isa;
//! use lcc_core::stream::{StreamLearner, StreamOptions};
//! # let shape = Shape::one_layer(1, 1, Activation::Tanh);
//! # let mut buffer = [0.0_f64; 2];
//! # let units = Standardiser::identity(1, &mut buffer)?;
//! # let mut bytes = vec![0; image_size::<f64>(shape, 2)?];
//! # let mut store = Store::new(&mut bytes, shape, &units)?;
//! # store.push(&[1.0, 0.0, 2.0, 0.5, 0.0, 0.1, 5.0])?;
//! # let image = Image::open(store.seal().unwrap())?;
//!
//! // The image: 2 tanh(x) + 1/2. Since then the sensor has drifted to 2 tanh(x) - 3/2.
//! let options = StreamOptions { draws: 1, ..StreamOptions::default() };
//! let mut memory = vec![0_u128; StreamLearner::size(&options, &image)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut learner = StreamLearner::init(memory, &options, Isa::detect(), &image)?;
//! for t in 0..400 {
//!     let row = [(f64::from(t) * 0.7).sin()];
//!     let before = learner.predict(&row, 0.9)?; // one step ahead: mean, sd, interval
//!     let score = learner.observe(&row, 2.0 * row[0].tanh() - 1.5)?; // its log density; then it learns
//!     assert!(t < 100 || (before.mean - (2.0 * row[0].tanh() - 1.5)).abs() < 0.2);
//! }
//! let (bytes, scratch) = learner.model_size()?;
//! let (mut model, mut scratch) = (vec![0; bytes], vec![0.0; scratch]);
//! let length = learner.write_model(None, &mut model, &mut scratch)?;
//! assert_eq!(Image::open(&model[..length])?.draws(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every draw k of the image keeps its hidden layer, so that it is linear in its head h = (v, b0, c):
//! with phi = (psi(b_m + w_m.x'), 1, x'), in standardised units,
//!
//! y' = phi.h + e, e ~ t_nu(0, beta^-1/2), h | beta ~ N(m, V / beta), beta ~ Gamma(a, rate b).
//!
//! **Start**: m is the head of the draw, V = diag(sd_j^2) / sigma^2, a = rows / 2, b = a sigma^2 (sigma at
//! least 1e-6): sds and rows are options.
//!
//! **Prediction**: Student-t at phi.m with scale^2 (b/a)(1 + q), q = phi' V phi, and
//! 1 / (1/nu + 1/(2a)) degrees of freedom: exact for Gaussian noise (2a), and to first order the kurtosis
//! of noise with both tails. The law of the row is the mixture over the draws.
//!
//! **A row** counts with the conditional expectation of its precision under the t
//! (Lange, Little and Taylor 1989), lambda = (nu + 1)/(nu + z^2), where z = (y' - phi.m) over the
//! predictive scale, not the noise's, so that what is not known of the head makes no outlier (1 for
//! Gaussian noise; at least 1e-12). Given lambda the update is exact: with e = y' - phi.m and
//! S = 1/lambda + q, m += V phi e/S, V -= V phi phi' V/S, a += 1/2, b += e^2/(2 S).
//!
//! **Then it forgets** (stabilised forgetting: Kulhavy and Zarrop 1993): V grows by 1/forgetting and
//! (a, b) go by `noise_forgetting` towards their start. What the prior of the start has lost in the
//! precision of the head leaks back one coordinate a row, in turn: a row e_j with the target m_j of the
//! start and the precision (1 - forgetting^P) / V_jj of the start. So V never exceeds about
//! 1/forgetting^P times what it was at the start, however little the rows say (without the leak it grows
//! without bound, which is wind-up), and m returns to the fit where they say nothing. With forgetting 1
//! nothing leaks, and the result is Bayesian linear regression on phi.
//!
//! V is kept as U D U' and measured by Bierman's algorithm, which is why `f32` bears any number of rows.
//! Weights of the draws: log w_k <- f log w_k + ln p_k(y), so that the mixture follows what predicts well.
//!
//! **The other way**, dearer and without its assumptions: a [`Window`] of the last rows, and a
//! [`NetworkRegressor`](crate::estimator::NetworkRegressor) on it that
//! [starts from the draws](crate::estimator::NetworkRegressor::init_from) of the last model, some
//! transitions at a time.

mod factor;
mod head;
mod layout;
mod object;
mod options;
mod report;
mod window;

pub use object::{Compiled, StreamScore};
pub use options::{StreamError, StreamOptions};
pub use window::{Window, WindowError};

use crate::object::{Object, object};
use crate::scalar::Real;
use crate::simd::Isa;
use layout::{Parts, Shape};

object! {
    /// Draws that learn from a stream. See [the module](self).
    pub struct StreamLearner { shape: Shape<T>, options: StreamOptions<T>, error: StreamError }
}
