//! Log-concave coupling: samplers for the posteriors of neural networks, and
//! predictions with them. No allocation, no unsafe code, no panic, the same bits on every machine.
//!
//! The path of the data: bytes of the caller, views ([`data`]), densities ([`activation`],
//! [`likelihood`], [`prior`], [`coupling`]), kernels ([`kernel`]), samplers ([`sampler`], [`smc`],
//! [`tempering`], [`auto`]), estimators ([`estimator`]), posteriors ([`posterior`]), predictions
//! ([`predict`]). Each module knows only those before it. Beside the path: [`certificate`] and [`theory`].
//!
//! Where to begin: to learn from data and predict, [`estimator::NetworkRegressor`]; to sample one
//! posterior, [`problem::Problem`] and [`auto::Auto`]; to read, [`docs`], which explains the
//! coupling from nothing and walks through the papers, equation by equation, with their errata.
//!
//! \[MB\] is C. McDonald and A. R. Barron, "Log-Concave Coupling for Sampling Neural Net Posteriors"
//! (ISIT 2024); \[B\] is Barron's talk of the same title (IMS-NUS, May 2024).
#![no_std]
#![forbid(unsafe_code)]

pub mod activation;
pub mod auto;
pub mod certificate;
pub mod checkpoint;
pub mod checksum;
pub mod cloud;
mod cluster;
pub mod column;
pub mod coupling;
pub mod data;
pub mod density;
pub mod diagnostics;
mod dispatch;
#[cfg(any(doc, doctest))]
pub mod docs;
mod error;
pub mod estimator;
pub mod kernel;
pub mod lifted;
pub mod likelihood;
pub mod linalg;
#[cfg(feature = "nalgebra")]
pub mod matrices;
pub mod minibatch;
pub mod network;
mod object;
pub mod output;
mod pieces;
pub mod plain;
pub mod posterior;
pub mod predict;
pub mod prior;
pub mod problem;
pub mod random;
pub mod reference;
pub mod remarks;
pub mod sampler;
pub mod scalar;
pub mod simd;
pub mod smc;
pub mod special;
pub mod stream;
mod sum;
pub mod tempered;
pub mod tempering;
pub mod theory;
pub mod transform;
pub mod uncentring;
pub mod variational;
pub mod warmup;
pub mod workspace;
