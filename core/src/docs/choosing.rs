//! Which posterior, sampler and certificate, when.
//!
//! # Which posterior
//!
//! | you have | take | function |
//! |---|---|---|
//! | data, and want predictions with their uncertainty | the network with its scales and noise sampled too | [`NetworkRegressor`](crate::estimator::NetworkRegressor), `lcc fit` |
//! | the same, by the papers' algorithm | Greedy Bayes, one neuron after another | [`GreedyBayes`](crate::estimator::GreedyBayes), `lcc fit --method greedy` |
//! | rows that come one by one, each to be foretold before it is seen | prequential Greedy Bayes | [`Prequential`](crate::estimator::prequential::Prequential) |
//! | the same, without a posterior | greedy least squares, with the bound V^2/M beside its error | [`RelaxedGreedy`](crate::estimator::relaxed::RelaxedGreedy) |
//! | residuals, and a question about one neuron | the greedy posterior | [`Problem::greedy`](crate::problem::Problem::greedy), `lcc sample` |
//! | M neurons with outer weights +-V/M | the joint posterior of \[B\] | [`Problem::joint`](crate::problem::Problem::joint), `lcc sample --posterior joint` |
//! | a log density of your own | chains or particles on it | [`Problem::user`](crate::problem::Problem::user) |
//!
//! Greedy Bayes is there because it is what the papers analyse: K posteriors of one neuron each, every
//! one of them small enough for certificates and exact checks. As a regressor it is behind the network,
//! which fits all neurons together and learns scales, relevance and noise; take it to study the
//! algorithm, or where a fit must be explained level by level.
//!
//! # Which sampler
//!
//! [`Auto`](crate::auto::Auto) decides by a pilot run and says why. By hand:
//!
//! - **split HMC** ([`Method::SplitHmc`](crate::sampler::Method::SplitHmc)) on w itself for one mode, from
//!   near the prior to far from it (with a fitted [`Reference`](crate::sampler::Reference));
//! - **particles** ([`Smc`](crate::smc::Smc)) where there may be several modes, and for the evidence;
//!   [`Tempering`](crate::tempering::Tempering) for long runs on such posteriors;
//! - **independence** with a mixture
//!   ([`Method::Independence`](crate::sampler::Method::Independence)) for several modes in few dimensions;
//! - **coupled Gibbs** ([`Method::CoupledGibbs`](crate::sampler::Method::CoupledGibbs)) where the
//!   guarantee is wanted: every law that an inner kernel sees is log-concave, whatever the posterior.
//!   Exact. It costs: effective draws a second are .09 to .37 of split HMC's on four target posteriors
//!   (`tests/results/samplers.md`);
//! - **Langevin on xi**, **reverse diffusion** to study the papers' own samplers: biased in their steps.
//! - Under the l1 prior, **reflection** ([`Method::Reflection`](crate::sampler::Method::Reflection)) beside
//!   split HMC; hit-and-run and the ball walk need no gradient.
//!
//! The coupling does not by itself cross between modes: xi is drawn close to sqrt(rho) x.w of the mode
//! where w is. Where p(xi) is not certified log-concave, compare with particles.
//!
//! # Which certificate
//!
//! [`Certificates::of`](crate::certificate::Certificates::of) evaluates all that apply, and its
//! [`conclusion`](crate::certificate::Certificates::conclusion) is the strongest that may be said:
//!
//! | conclusion | what it rests on | what to do |
//! |---|---|---|
//! | already log-concave | Lemma 2 or its sharper forms (Gaussian prior), the curvature on the ball | sample w, without a coupling |
//! | proved | trace and column bounds (l1 prior) | the coupling has one mode to find; or sample w, and compare |
//! | conditional | corrected Lemma 4, Remark 1, the conditions of \[B\] | the same, checked by particles |
//! | empirical | estimates at visited xi ([`probe`](crate::certificate::probe)) | the same; no proof |
//! | not log-concave | an estimate that refutes it | particles, tempering |
//! | unknown | nothing holds | particles, or `auto` |
//!
//! The statements that are false in print are evaluated too, and marked
//! ([`Status::PublishedFalse`](crate::certificate::Status::PublishedFalse)); they never count. On the
//! command line: `lcc certify`.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::certificate::{Certificates, Conclusion};
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//!
//! let x = [
//!     0.429881, 0.538226, -0.330117, 0.319151, 0.098682, 0.228321, 0.836594, -0.73934, 0.9806,
//!     -0.372639, -0.957965, 0.396772,
//! ];
//! let r = [0.36089, -0.171477, 0.119368, -0.95883, -0.451747, -0.67101];
//! let data = Dataset::new(Inputs::row_major(&x, 6, 2)?, &r)?;
//! let conclude = |prior: Prior<f64>, alpha: f64| {
//!     let problem = Problem::greedy(data, Activation::Tanh, prior, alpha).unwrap();
//!     let mut scratch = vec![0.0; Certificates::scratch(&problem).unwrap()];
//!     Certificates::of(&problem, &mut scratch).unwrap().conclusion()
//! };
//! // Under N(0, sd^2 I) Lemma 2 holds up to sd^2 = .957, its sharper form up to 1.364.
//! assert_eq!(conclude(Prior::gaussian(1.36_f64.sqrt())?, 0.4), Conclusion::AlreadyLogConcave);
//! assert_eq!(conclude(Prior::gaussian(1.37_f64.sqrt())?, 0.4), Conclusion::Unknown);
//! // On the l1 ball the stronger the tilt, the less is known.
//! let ball = Prior::l1_ball(1.0)?;
//! assert_eq!(conclude(ball, 0.4), Conclusion::Proved);
//! assert_eq!(conclude(ball, 2.0), Conclusion::Conditional);
//! assert_eq!(conclude(ball, 4.0), Conclusion::Unknown);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
