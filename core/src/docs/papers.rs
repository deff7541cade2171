//! \[MB\], in its order: the function of each equation.
//!
//! What has an erratum is marked **E** and goes on in [`errata`](super::errata). Numbers in brackets are
//! \[MB\]'s.
//!
//! # The posterior and its coupling: Section II, (2) to (14)
//!
//! | equation | statement | function |
//! |---|---|---|
//! | (2) | p(w) ~ exp(alpha sum_i r_i psi(x_i.w)) p0(w) | [`Problem::greedy`](crate::problem::Problem::greedy), its exponent [`GreedyTilt`](crate::likelihood::GreedyTilt) |
//! | p0 | N(0, sd^2 I), or uniform on the l1 ball | [`Prior`](crate::prior::Prior), [`Prior::log_density`](crate::prior::Prior::log_density) |
//! | Z of (2) | the integral of exp(...) over the normalised prior | [`Smc::evidence`](crate::smc::Smc::evidence), an estimate |
//! | r_i = y_i - (1 - beta) f_i | what the next neuron sees | [`recursion::residuals`](crate::estimator::greedy_bayes::recursion::residuals) |
//! | `c = sup abs(psi'')` | the constant of the coupling | [`Activation::bounds`](crate::activation::Activation::bounds), over what is reached [`bounds_within`](crate::activation::Activation::bounds_within) |
//! | rho_i = alpha c abs(r_i) | the precision of the coupling | [`rho::greedy`](crate::coupling::rho::greedy), two-sided as printed or one-sided ([`Sides`](crate::coupling::Sides)) |
//! | (4) | xi_i ~ N(sqrt(rho_i) x_i.w, 1) given w | [`Coupling::greedy`](crate::coupling::Coupling::greedy), drawn by [`Channel::draw`](crate::coupling::Channel::draw) |
//! | (6), (7) | p(w given xi) ~ exp(g(w) + sum_i sqrt(rho_i) xi_i x_i.w) p0(w), g the exponent of (2) less (1/2) sum rho_i (x_i.w)^2 | [`Conditional`](crate::coupling::Conditional), the square kept whole |
//! | (10) | its Hessian, negative for every xi | [`certificate::precision`](crate::certificate::precision), minus it at a given w |
//! | (13) | grad log p(xi) = -xi + S X E(w given xi) | [`score`](crate::coupling::score) |
//! | (14) | Hess log p(xi) = -I + S X Cov(w given xi) `X' S` | [`hessian`](crate::coupling::hessian); its largest eigenvalue from draws, [`largest_eigenvalue`](crate::certificate::largest_eigenvalue) |
//!
//! Two things are added. *One-sided*: where r_i > 0 only sup psi'' is needed, where r_i < 0 only
//! sup(-psi''); the coupling is never stronger, and vanishes for softplus and squared ReLU where
//! residuals are negative. *In d dimensions*: xi enters only through X'S xi, so the triangular factor R of
//! Q = X' diag(rho) X gives the same law of w from d numbers
//! ([`Triangular`](crate::coupling::Triangular)), and under a Gaussian prior the part of Q that exceeds
//! I/sd^2 is enough ([`Triangular::factorise_reduced`](crate::coupling::Triangular::factorise_reduced)).
//!
//! (4) to (14) in one dimension, n = 1, uniform prior on \[-1, 1\]: log p(xi) is the logarithm of an
//! integral of (7), and its derivatives by differences are (13) and (14).
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::coupling::rho::{self, Range, Sides};
//! use lcc_core::coupling::{Conditional, Coupling, hessian, score};
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::likelihood::{GreedyTilt, Likelihood};
//! use lcc_core::simd::Isa;
//!
//! let (alpha, isa) = (0.5, Isa::detect());
//! let data = Dataset::new(Inputs::row_major(&[0.9], 1, 1)?, &[4.0])?;
//! let tilt = GreedyTilt::new(data, alpha, Activation::Tanh); // (2)
//! let mut rho = [0.0];
//! let all = |_| Range::of(Activation::Tanh, f64::INFINITY);
//! rho::greedy(Sides::TwoSided, alpha, data.y(), all, &mut rho)?;
//! assert!((rho[0] - 0.5 * 4.0 * 0.769_800_358_9).abs() < 1e-9); // alpha |r| c
//! let coupling = Coupling::greedy(data.inputs, &rho)?; // (4)
//!
//! // log p(xi) up to a constant, E[w | xi] and Var[w | xi].
//! let law = |xi: f64| {
//!     let xi = [xi];
//!     let given = Conditional::new(&tilt, &coupling, &xi).unwrap(); // (7)
//!     let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
//!     for i in 0..4000 {
//!         let w = (i as f64 + 0.5) / 2000.0 - 1.0;
//!         let [log] = given.value(isa, &[[w]], &mut [[0.0]], &mut []);
//!         let p = log.exp();
//!         mass += p;
//!         first += p * w;
//!         second += p * w * w;
//!     }
//!     let mean = first / mass;
//!     (mass.ln(), mean, second / mass - mean * mean)
//! };
//!
//! let (xi, h) = (0.7, 1e-3);
//! let ((low, ..), (here, mean, variance), (high, ..)) = (law(xi - h), law(xi), law(xi + h));
//! let mut slope = [[0.0]];
//! score(isa, &coupling, &[[xi]], &[[mean]], &mut slope)?; // (13)
//! assert!((slope[0][0] - (high - low) / (2.0 * h)).abs() < 1e-7);
//! let mut curvature = [0.0];
//! hessian(&coupling, &[variance], &mut curvature, &mut [0.0])?; // (14)
//! assert!((curvature[0] - (high - 2.0 * here + low) / (h * h)).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When p(xi) is log-concave: Lemmas 1 to 4, (20) to (29)
//!
//! | statement | as printed | function |
//! |---|---|---|
//! | Lemma 1 | Gaussian prior: Cov(w given xi) <= sd^2 I, so that the Hessian (14) is at most -I + `sd^2 S X X' S` | the eigenvalue condition that follows, [`formulas::rho`](crate::certificate::formulas::rho), [`Kind::RhoTwoSided`](crate::certificate::Kind::RhoTwoSided) |
//! | Lemma 2 **E** | alpha c max abs(r_i) `lambda_max(X'X) sd^2` <= 1 | [`formulas::lemma2`](crate::certificate::formulas::lemma2), [`Kind::Lemma2`](crate::certificate::Kind::Lemma2) |
//! | Lemma 3, (20) **E** | the same bound sharper, as an n x n matrix | none: it has rank at most d; (25) is what is computed |
//! | (25) | Cov(w given xi) <= E((I/sd^2 - Hess g)^-1 given xi) | [`lemma3`](crate::certificate::lemma3), [`Kind::Lemma3`](crate::certificate::Kind::Lemma3), from draws |
//! | (27), a conjecture **E** | uniform prior on the l1 ball: Cov(w given xi) <= Cov(w) | the right side, [`moments::variance`](crate::certificate::moments::variance); both sides only by example ([`errata`](super::errata)) |
//! | proof of Lemma 4 **E** | the variance of w_j | [`moments::published_variance`](crate::certificate::moments::published_variance) as printed, [`moments::variance`](crate::certificate::moments::variance) |
//! | Lemma 4 **E** | alpha c n max abs(r_i) < d | [`Kind::Lemma4Published`](crate::certificate::Kind::Lemma4Published) as printed, [`formulas::lemma4`](crate::certificate::formulas::lemma4) and [`Kind::Lemma4`](crate::certificate::Kind::Lemma4) corrected |
//! | (29) **E** | Var(v.w given xi) by Hoelder's inequality | [`formulas::hoelder`](crate::certificate::formulas::hoelder), its factor without the exponential of Gamma |
//! | Remark 1 **E** | 20 (alpha c n max abs(r_i))^2 / d < 1 | [`formulas::remark1`](crate::certificate::formulas::remark1), [`Kind::Remark1`](crate::certificate::Kind::Remark1) |
//!
//! Added, with proofs: [`Kind::Trace`](crate::certificate::Kind::Trace) and the never larger
//! [`Kind::Columns`](crate::certificate::Kind::Columns) on the l1 ball, without a conjecture;
//! [`Kind::RhoOneSided`](crate::certificate::Kind::RhoOneSided) and
//! [`Kind::OwnCurvature`](crate::certificate::Kind::OwnCurvature). Sharper on the same conjecture:
//! [`Kind::MatrixTwoSided`](crate::certificate::Kind::MatrixTwoSided),
//! [`Kind::MatrixOneSided`](crate::certificate::Kind::MatrixOneSided). All at once, with a verdict in
//! words: [`Certificates`](crate::certificate::Certificates).
//!
//! **Section III.C**, reverse diffusion: the same score along the laws of a noised xi, from noise to data,
//! [`Method::ReverseDiffusion`](crate::sampler::Method::ReverseDiffusion); the time up to which the inner
//! law is certified, tau* = (1/2) log(1 + 1/(alpha c)),
//! [`diffusion::reverse_start`](crate::theory::diffusion::reverse_start).
//!
//! ```
//! use lcc_core::theory::diffusion::reverse_start;
//!
//! // alpha c = 1: a signal-to-noise ratio of 1/(e^(2 tau) - 1) has fallen to 1 at tau = (log 2)/2.
//! let tau: f64 = reverse_start(1.0);
//! assert!((tau - 0.346_573_590_3).abs() < 1e-10);
//! assert!((((2.0 * tau).exp() - 1.0).recip() - 1.0).abs() < 1e-12);
//! ```
//!
//! # Sampling
//!
//! - Langevin on xi with the score (13), its expectation from an inner chain:
//!   [`Method::XiLangevin`](crate::sampler::Method::XiLangevin). Biased in its step and in the inner
//!   length. The exact alternative, xi given w and w given xi in turn, is
//!   [`Method::CoupledGibbs`](crate::sampler::Method::CoupledGibbs).
//! - Section IV, kernels for w given xi on the l1 ball: [`kernel::ball`](crate::kernel::ball): hit-and-run, ball walk,
//!   Dikin walk, mirror Langevin, reflection; chosen by
//!   [`SamplerOptions::inner_method`](crate::sampler::SamplerOptions::inner_method). The fastest that was
//!   measured is split HMC on a map of the ball to a Gaussian ([`Prior`](crate::prior::Prior),
//!   [`kernel::hmc`](crate::kernel::hmc)), the default.
//!
//! # Greedy Bayes: (30) to (33)
//!
//! | equation | statement | function |
//! |---|---|---|
//! | (30) | p_(i,k)(w) ~ exp(alpha sum over j < i of r_(j,k-1) psi(x_j.w)) p0(w) | [`Prequential`](crate::estimator::prequential::Prequential), all n K of them by particles |
//! | (31) | f_(i,k) = (1 - beta) f_(i,k-1) + beta E psi(x.w) under p_(i,k) | [`recursion::advance`](crate::estimator::greedy_bayes::recursion::advance) |
//! | (32) | r_(i,k) = y_i - (1 - beta) f_(i,k)(x_i) | [`recursion::residuals`](crate::estimator::greedy_bayes::recursion::residuals) |
//! | (33) **E** | f_K = the mean over i of f_(i,K) | [`Prequential::write_model`](crate::estimator::prequential::Prequential::write_model), [`Averaging::Printed`](crate::estimator::prequential::Averaging::Printed) or with observation n, [`Averaging::Inclusive`](crate::estimator::prequential::Averaging::Inclusive) |
//! | y_i foretold by f_(i,K)(x_i), and what that costs | cumulative losses | [`Prequential::forecast`](crate::estimator::prequential::Prequential::forecast), [`Prequential::losses`](crate::estimator::prequential::Prequential::losses) |
//! | the share of level k in f_K | beta (1 - beta)^(K - k) | [`recursion::share`](crate::estimator::greedy_bayes::recursion::share) |
//!
//! *Batch* Greedy Bayes, K posteriors each given all n rows, is
//! [`GreedyBayes`](crate::estimator::GreedyBayes), with
//! [`GreedyOptions::papers`](crate::estimator::GreedyOptions::papers) for the algorithm as printed. The
//! recursion with exact expectations, tanh under N(0, 1), six rows, alpha = .8, beta = .5 (reference
//! values, batch):
//!
//! ```
//! use lcc_core::estimator::greedy_bayes::recursion::{advance, residuals, share};
//!
//! let (beta, y) = (0.5, [-2.979282, 3.046346]); // two of the six rows
//! let mut f = [0.0_f64; 2];
//! let mut r = [0.0; 2];
//! residuals(beta, &y, &f, &mut r);
//! assert_eq!(r, y); // level 1 sees the targets
//! // E psi(x_i.w) of levels 1 and 2, by quadrature.
//! for level in [
//!     [-0.7392355671318472, 0.936682533745192],
//!     [-0.7278098338798307, 0.9300252471625672],
//! ] {
//!     advance(beta, &mut f, &level);
//!     residuals(beta, &y, &f, &mut r);
//! }
//! assert!((f[0] - -0.5487138087228771).abs() < 1e-15);
//! assert!((r[1] - 2.6967543714912097).abs() < 1e-15);
//! assert_eq!([share(beta, 0, 2), share(beta, 1, 2)], [0.25, 0.5]); // the rest is f_0 = 0
//! ```
