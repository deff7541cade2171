//! Diagnostics of the draws of one scalar quantity: rank-normalised split R-hat, effective sample
//! sizes, Monte Carlo standard errors, streaming moments, E-BFMI.
//!
//! A quantity is anything with one value a draw: a weight, or, more to the point, a prediction at a
//! row (the neurons of a network may be permuted and signs swapped from draw to draw; its output may
//! not). [`Draws`] views its values where they lie; the functions of this module take the view and a
//! scratch slice of [`scratch_len`] numbers, and follow ArviZ 0.23 (`arviz.rhat`, `arviz.ess`,
//! `arviz.mcse`), that is A. Vehtari, A. Gelman, D. Simpson, B. Carpenter and P.-C. Bürkner,
//! "Rank-normalization, folding, and localization: an improved R-hat" (Bayesian Analysis 16, 2021).
//! What has no value (fewer than 4 draws a chain, a NaN among the draws, R-hat of one chain, a ratio
//! 0/0) is NaN, as there.
//!
//! A [`Moment`] needs no stored draws.
//!
//! ```
//! use lcc_core::diagnostics::{Draws, ess_bulk, rhat};
//! use lcc_core::random::{Purpose, Stream};
//!
//! // Independent draws: R-hat near 1, ESS near their number.
//! let mut stream = Stream::new(1, 0, Purpose::Start);
//! let values: Vec<f64> = (0..4000).map(|_| stream.normal()).collect();
//! let draws = Draws::chain_major(&values, 4, 1000)?;
//! let mut scratch = vec![0.0; draws.scratch_len()];
//! assert!(rhat(&draws, &mut scratch)? < 1.01);
//! assert!((3000.0..5000.0).contains(&ess_bulk(&draws, &mut scratch)?));
//! # Ok::<(), lcc_core::diagnostics::DrawsError>(())
//! ```

mod convergence;
mod draws;
mod energy;
mod ess;
mod loo;
mod moments;
pub mod psis;
mod rank;
mod sum;

pub(crate) use convergence::mean_and_variance;
pub use convergence::{
    Summary, ess_bulk, ess_mean, ess_quantile, ess_sd, ess_tail, mcse_mean, mcse_sd, quantile,
    rhat, summary, tail_shape,
};
pub use draws::{Draws, DrawsError, pair_means, scratch_len};
pub use energy::e_bfmi;
pub use loo::{Loo, LooRow, loo, loo_difference, loo_row};
pub use moments::{Moment, mean, rhat_from_moments, update, variance};
pub(crate) use rank::{median_of_sorted, sort};
