//! Learning from a stream: a fitted posterior that goes on learning, row by row, where the data drift.
//!
//! ```text
//! let bytes = StreamLearner::size(&options, &image)?;
//! let mut learner = StreamLearner::init(memory, &options, isa, &image)?;
//! for (row, y) in stream {
//!     let before = learner.predict(row, 0.9)?;    // one step ahead: mean, sd, interval
//!     let score = learner.observe(row, y)?;       // its log density and PIT; then it learns
//! }
//! let length = learner.write_model(Some(seed), bytes, scratch)?;
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

pub use object::{Compiled, StreamLearner, StreamScore};
pub use options::{StreamError, StreamOptions};
pub use window::{Window, WindowError};
