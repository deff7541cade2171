//! The quantities of the theory, each a pure function with its equation.
//!
//! V is the variation of a target or a network: f lies in the closure of the convex hull of
//! +-V psi(x.w), |w|_1 <= 1, |x_j| <= 1 throughout. d inputs, N observations, M neurons, L layers.
//! [`variation`] computes V of a given network and [`spectral`] bounds it for a given function;
//! [`bounds`] has what can be approximated and learnt with it, [`complexity`] the sizes of the class,
//! [`resolvability`] the choice of M and V, [`subnetwork`] M units that stand for all of a network's,
//! [`regret`] what a sequence of predictions costs and [`diffusion`] how long the sampler of the papers
//! takes.
//!
//! ```
//! use lcc_core::theory::bounds::{approximation, neurons_for};
//!
//! // A function of variation V = 3 is within V^2/M = .1 of a network of 90 neurons.
//! assert_eq!(neurons_for(3.0_f64, 0.1), 90);
//! assert_eq!(approximation(3.0_f64, 90), 0.1);
//! ```

pub mod bounds;
pub mod complexity;
pub mod diffusion;
pub mod regret;
pub mod resolvability;
pub mod spectral;
pub mod subnetwork;
pub mod variation;

use crate::scalar::Real;
use crate::special::scalar::{exp, ln};

/// log 2.
fn ln_2<T: Real>() -> T {
    T::lit(core::f64::consts::LN_2)
}

/// log(2 d) + L log 2.
fn log_size<T: Real>(d: usize, layers: u32) -> T {
    ln(T::lit(2.0) * T::of_usize(d)) + T::of_u32(layers) * ln_2::<T>()
}
