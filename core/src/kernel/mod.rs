//! Transitions of a block of chains, in lock-step.
//!
//! A kernel leaves a [`crate::density::Density`] invariant, or ([`ball`]) a likelihood of w itself on
//! its prior's support. It knows neither data nor priors, keeps
//! its state in the caller's memory, and draws from the chain's own stream only, so that a chain
//! does not depend on the chains beside it.

pub mod adapt;
pub mod ball;
pub mod hmc;
pub mod metropolis;
