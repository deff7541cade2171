//! Estimators: from data to a posterior, without tuning by hand.
//!
//! [`NetworkRegressor`] samples the joint posterior of a network with one hidden layer, with its
//! scales and its noise: [`model`] states it, [`crate::kernel::hmc`] and [`gibbs`] draw from it,
//! [`mod@transition`] is one exact step of both, and [`start`] and [`mass`] are the warm-up around it.
//!
//! [`GreedyBayes`] is the papers' algorithm level by level, [`mod@relaxed`] its counterpart with the
//! minimiser in place of the mean, [`mod@prequential`] its online form, one row after another. [`Conjugate`] is Gaussian
//! regression in closed form. [`Vae`] learns coordinates of rows that have no target.

pub mod bnn;
pub mod chains;
pub mod conjugate;
pub mod gibbs;
pub mod greedy_bayes;
pub mod mass;
pub mod model;
pub mod noise;
pub mod options;
pub mod prequential;
pub mod prior_draw;
pub mod regressor;
pub mod relaxed;
pub mod start;
pub mod transition;
pub mod vae;

pub use bnn::{Bnn, BnnError, BnnMethod, BnnOptions};
pub use chains::{Chains, Hyper};
pub use conjugate::{Conjugate, ConjugateError};
pub use greedy_bayes::{GreedyBayes, GreedyError, GreedyOptions};
pub use model::Model;
pub use options::{MassKind, NetworkOptions, NetworkPrior, OptionsError};
pub use prequential::{Prequential, PrequentialError, PrequentialOptions};
pub use prior_draw::{draw_prior, write_prior_draws};
pub use regressor::{Compiled, NetworkRegressor, Progress, RegressorError, Stage, Status};
pub use transition::transition;
pub use vae::{Vae, VaeBound, VaeError, VaeOptions};
