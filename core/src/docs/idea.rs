//! What log-concave coupling is, from nothing.
//!
//! One neuron psi(x.w) is to be fitted to residuals r_i at rows x_i. Its posterior, p(w) ~
//! exp(alpha sum_i r_i psi(x_i.w)) p0(w), may have several modes, for r_i psi is concave on one side of
//! the line and convex on the other. Chains that move w by small steps may stay in one of them.
//!
//! Add to each row a noisy copy of its signal,
//!
//! ```text
//! xi_i = sqrt(rho_i) x_i.w + Z_i,    Z_i ~ N(0, 1) independent.
//! ```
//!
//! Given xi, the log density of w has -(1/2) sum_i rho_i (x_i.w)^2 more than before. Where rho_i is at
//! least alpha r_i psi'' everywhere, that outweighs all that is convex: **p(w | xi) is log-concave, for
//! every xi**. It has one mode, and the usual kernels are known to mix on such laws. So p(w) is a mixture
//! of easy laws, with the law p(xi) of xi as its weights.
//!
//! It remains to draw xi. Its score is known as soon as w | xi can be sampled,
//! grad log p(xi) = -xi + S X E\[w | xi\], S = diag(sqrt rho_i), and its Hessian is
//! -I + S X Cov\[w | xi\] X' S. If that is negative everywhere, p(xi) is log-concave as well, both steps
//! are easy, and the multimodal law has been taken apart into two unimodal ones. **When that is so is the
//! question of the papers' lemmas**, and of [`crate::certificate`].
//!
//! # In one dimension
//!
//! One row x = 1, r = -4, psi the bump exp(-z^2/2), alpha = 1, prior N(0, 1): p(w) has two modes, at w =
//! +-sqrt(2 log 4), for the bump pushes w away from 0. Coupled, log p(w | xi) is concave at every w and xi;
//! what is left of the two modes is in xi.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::coupling::rho::{self, Range, Sides};
//!
//! let (psi, alpha, r) = (Activation::GaussianBump, 1.0, [-4.0]);
//! let mut rho = [0.0];
//! rho::greedy(Sides::OneSided, alpha, &r, |_| Range::of(psi, f64::INFINITY), &mut rho)?;
//! assert!((rho[0] - 4.0).abs() < 1e-12); // alpha |r| sup(-psi''), at the bump's top
//!
//! let mut convex_somewhere = false;
//! for i in -500..=500 {
//!     let w = 0.01 * f64::from(i);
//!     let [_, _, curvature] = psi.jet(w);
//!     let of_log_p = alpha * r[0] * curvature - 1.0; // the prior's: -1
//!     convex_somewhere |= of_log_p > 0.0;
//!     assert!(of_log_p - rho[0] < 0.0); // given xi, whatever xi is
//! }
//! assert!(convex_somewhere); // p(w) is not log-concave
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In code: the posterior is a [`Problem`](crate::problem::Problem), the coupling a
//! [`Coupling`](crate::coupling::Coupling) (n numbers xi) or
//! [`Triangular`](crate::coupling::Triangular) (d numbers do, for xi enters only through X'S xi), the law
//! of w | xi a [`Conditional`](crate::coupling::Conditional), and the samplers that use them
//! [`Method::CoupledGibbs`](crate::sampler::Method::CoupledGibbs),
//! [`Method::XiLangevin`](crate::sampler::Method::XiLangevin) and
//! [`Method::ReverseDiffusion`](crate::sampler::Method::ReverseDiffusion). What the coupling does not do is
//! said in [`choosing`](super::choosing): in particular it does not by itself cross between modes that
//! remain in p(xi).
