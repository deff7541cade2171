//! Certificates: when is p(xi) log-concave?
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::certificate::{Certificates, Kind, Status};
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//!
//! let inputs = Inputs::row_major(&[0.5, -0.25, 1.0, 0.75], 2, 2)?;
//! let data = Dataset::new(inputs, &[0.3, -0.4])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 0.7)?;
//! let mut scratch = [0.0; 32];
//! let all = Certificates::of(&problem, &mut scratch)?;
//! assert_eq!(all.find(Kind::Lemma2).map(|c| c.status), Some(Status::AlreadyLogConcave));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! w | xi is log-concave for every xi, by the choice of rho (`coupling::rho`): proved. The law of xi itself
//! is log-concave where -I + A Cov\[w | xi\] A' <= 0 for every xi (\[MB\] (14)), A'A = X' diag(rho) X. The
//! certificates here are
//! sufficient conditions for it, each a [`Certificate`] with its value, threshold and [`Status`], as
//! printed where that is right and corrected where it is not:
//!
//! - **p(w) itself is log-concave** (then p(xi) is, for every coupling, by Prekopa's theorem, and the
//!   coupling is not needed): [`Kind::Lemma2`] of \[MB\] and the sharper [`Kind::RhoTwoSided`] and
//!   [`Kind::RhoOneSided`] under a Gaussian prior; [`Kind::OwnCurvature`] on the l1 ball.
//! - **proved**, on the l1 ball: |x_i.w| <= R max|x_ij| gives [`Kind::Trace`]. For a unit vector v,
//!   Var\[v'S X w\] <= R^2 |X'S v|_inf^2 <= R^2 max_j Q_jj, and with M neurons R^2 sum_m max_j
//!   (Q_m)_jj: [`Kind::Columns`], never the larger.
//! - **conditional** on (27) of \[MB\], Cov\[w | xi\] <= Cov\[w\], which is false as stated (a section of
//!   the ball through w_d = 0 is the longest, so squeezing w_d widens w_1) though no counterexample to the
//!   conditions is known: [`Kind::Lemma4`], [`Kind::MatrixTwoSided`], [`Kind::MatrixOneSided`],
//!   [`Kind::JointHessian`], [`Kind::JointHessianSharper`], [`Kind::BakryEmery`]; on other gaps: [`Kind::Remark1`],
//!   [`Kind::Slides`], [`Kind::Hoelder`].
//! - **false as published**, reported as such: [`Kind::Lemma4Published`], [`Kind::SlidesPublished`].
//! - **empirical**, at the xi that were visited ([`probe`], which looks for the worst): [`Kind::Eigenvalue`],
//!   and beside it [`Kind::Lemma3`]. They can refute log-concavity, never prove it.
//!
//! An improper posterior has no certificate: [`CertificateError::Problem`], as every sampler refuses it.
//!
//! [`Certificates`] evaluates them all, and its `Display` is the verdict. What is wrong in print, with
//! numbers: [`crate::docs::errata`]; what to do with a conclusion: [`crate::docs::choosing`].

mod curvature;
mod draws;
mod eigenvalue;
mod error;
mod facts;
pub mod formulas;
mod given;
mod kind;
mod lemma3;
mod list;
pub mod moments;
mod probe;
mod seek;
mod spectral;
mod status;
mod verdict;

pub use curvature::{precision, precision_scratch};
pub use draws::WeightDraws;
pub use eigenvalue::{Estimate, eigenvalue_scratch, largest_eigenvalue};
pub use error::CertificateError;
pub use facts::{CouplingFacts, Facts};
pub use given::{CHAINS, GivenOptions, draw_given, given_len, given_scratch};
pub use kind::Kind;
pub use lemma3::{lemma3, lemma3_scratch};
pub use list::{CAPACITY, Certificate, Certificates};
pub use probe::{ProbeOptions, Probes, Probing, probe, probe_size};
pub use spectral::{largest_of_weighted, weighted_scratch};
pub use status::{ERRORS, Status};
pub use verdict::Conclusion;
