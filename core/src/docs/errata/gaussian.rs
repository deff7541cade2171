//! Gaussian prior: \[MB\] Lemmas 2 and 3.
//!
//! # Lemma 2 needs no coupling
//!
//! *As printed:* alpha c max|r_i| lambda_max(X'X) sd^2 <= 1 makes p(xi) log-concave. *True, and trivial:*
//! the same condition makes p(w) itself log-concave, for Hess log p(w) <= alpha c X' diag|r| X - I/sd^2, and
//! with the two-sided rho the two bounds vanish at the same sd. A law that is log-concave needs no coupling:
//! sample w. The function says so: its status is
//! [`AlreadyLogConcave`](crate::certificate::Status::AlreadyLogConcave).
//!
//! Beyond it the coupling does help. In the tabulated cases p(xi) stays log-concave up to 1.2 to 2.04 times
//! the largest sd^2 at which p(w) is, and up to 1.2 to 76 times that of Lemma 2. Where all rows and
//! residuals are equal, Lemma 2 is exactly the limit of p(w):
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::certificate::{Certificates, Kind, Status};
//! use lcc_core::coupling::{Conditional, Coupling, Triangular};
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::likelihood::{GreedyTilt, Likelihood};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::simd::Isa;
//!
//! // tanh, x = .665801 and r = 1.337984 four times, alpha = .9. By search and quadrature p(w) is
//! // log-concave up to sd^2 = .6083865212, p(xi) up to .8881681079.
//! let (x, r) = ([0.665801; 4], [1.337984; 4]);
//! let data = Dataset::new(Inputs::row_major(&x, 4, 1)?, &r)?;
//! let lemma2 = |variance: f64| {
//!     let prior = Prior::gaussian(variance.sqrt()).unwrap();
//!     let problem = Problem::greedy(data, Activation::Tanh, prior, 0.9).unwrap();
//!     let all = Certificates::of(&problem, &mut [0.0; 32]).unwrap();
//!     *all.find(Kind::Lemma2).unwrap()
//! };
//! assert_eq!(lemma2(0.608_386).status, Status::AlreadyLogConcave);
//! assert_eq!(lemma2(0.608_387).status, Status::NotSatisfied);
//!
//! // Beyond the limit, at w = -.989, p(w) is convex: its Hessian is 4 alpha r psi'' x^2 - 1/sd^2.
//! let [_, _, curvature] = Activation::Tanh.jet(0.665801 * -0.989002643337251);
//! let tilt = 4.0 * 0.9 * 1.337984 * curvature * 0.665801 * 0.665801;
//! let hessian = |variance: f64| tilt - 1.0 / variance;
//! assert!(hessian(0.608_386) < 0.0 && hessian(0.608_387) > 0.0);
//!
//! // p(xi) at its own limit: Q Var[w | xi] is 1 at the xi with X'S xi = -5.2906, and no larger anywhere.
//! let rho = [0.9 * 1.337984 * Activation::Tanh.bounds::<f64>().curvature(); 4];
//! let coupling = Coupling::greedy(data.inputs, &rho)?;
//! let (mut factor, mut row) = ([0.0], [0.0]);
//! let channel = Triangular::factorise(&coupling, &mut factor, &mut row)?;
//! let likelihood = GreedyTilt::new(data, 0.9, Activation::Tanh);
//! let eigenvalue = |tilt: f64| {
//!     let xi = [tilt / channel.factor()[0]];
//!     let given = Conditional::new(&likelihood, &channel, &xi).unwrap();
//!     let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
//!     for i in 0..4000 {
//!         let w = 0.005 * (i as f64 - 2000.0);
//!         let [log] = given.value(Isa::detect(), &[[w]], &mut [[0.0]], &mut []);
//!         let p = (log - 0.5 * w * w / 0.888_168_107_9).exp();
//!         mass += p;
//!         first += p * w;
//!         second += p * w * w;
//!     }
//!     channel.q(0, 0, 0) * (second - first * first / mass) / mass
//! };
//! assert!((eigenvalue(-5.290_622_036_6) - 1.0).abs() < 1e-9);
//! assert!((-40..=40).all(|t| eigenvalue(0.5 * f64::from(t)) < 1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # At equality there may be no posterior
//!
//! Squared ReLU grows as fast as the Gaussian prior falls. n = d = 1, x = r = 1, alpha = 1/2: Lemma 2 holds up
//! to sd^2 = 2, inclusive. But Z = 1/2 + (1/2)(1 - sd^2/2)^(-1/2) is 7.571067812 at sd^2 = 1.99 and infinite
//! at 2. *Corrected:* lambda_max(alpha X' diag(max(r_i, 0)) X) sd^2 < 1, strictly, is enough
//! ([`Problem::check_proper`](crate::problem::Problem::check_proper)); for one row x > 0 it is needed.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::certificate::formulas;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::{Problem, ProblemError};
//!
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let proper = |variance: f64| {
//!     let prior = Prior::gaussian(variance.sqrt()).unwrap();
//!     let problem = Problem::greedy(data, Activation::SquaredRelu, prior, 0.5).unwrap();
//!     problem.check_proper(&mut [0.0])
//! };
//! // lambda_max(X'X) = 1 and c = 1.
//! let lemma2 = |variance: f64| formulas::lemma2(0.5, 1.0, 1.0, 1.0, variance.sqrt());
//! assert!(lemma2(1.99) <= 1.0);
//! assert_eq!(proper(1.99), Ok(()));
//! assert!((lemma2(2.0) - 1.0).abs() < 1e-15); // the lemma's own threshold
//! assert_eq!(proper(2.001), Err(ProblemError::Improper));
//!
//! // Z by the midpoint rule: the tail is exp(-.00126 w^2).
//! let (variance, h) = (1.99, 0.01);
//! let mut z = 0.5; // w < 0, where psi is 0
//! for i in 0..15_000 {
//!     let w = h * (i as f64 + 0.5);
//!     let [psi, _, _] = Activation::SquaredRelu.jet(w);
//!     let log = 0.5 * psi - w * w / (2.0 * variance);
//!     z += h * log.exp() / (2.0 * std::f64::consts::PI * variance).sqrt();
//! }
//! assert!((z - 7.571_067_811_9).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Lemma 3: (20) is not definite
//!
//! *As printed:* at the threshold of Lemma 2, (20), an n x n matrix that bounds Hess log p(xi), is negative
//! definite. *Wrong:* it is A(...)A' with A of size n x d, so for n > d it has n - d zero eigenvalues, and is
//! semidefinite. (In those directions the true Hessian is -1: (20) replaces the -I of (14) by a matrix of
//! rank d, which throws them away.) With n = 5, d = 2, tanh, the eigenvalues at one w are -.88528,
//! -.66740 and three zeros. X must also have full column rank and every r_i be nonzero for its inverse
//! to exist, and strictness fails where psi'' is constant. *In its place:* the bound (25), which needs none
//! of that ([`lemma3`](crate::certificate::lemma3)), put into (14) as it stands. No function computes (20).
//!
//! ```
//! use lcc_core::coupling::{Coupling, hessian};
//! use lcc_core::data::Inputs;
//!
//! // n = 2, d = 1. Whatever Var[w | xi] is, the Hessian (14) is -1 in the direction that X'S does not
//! // see, here (2, -1): (20) has 0 there.
//! let coupling = Coupling::greedy(Inputs::row_major(&[0.5, 1.0], 2, 1)?, &[1.0, 1.0])?;
//! let mut h = [0.0; 4];
//! hessian(&coupling, &[0.3], &mut h, &mut [0.0])?;
//! assert!((h[0] * 2.0 - h[1] - -2.0_f64).abs() < 1e-15);
//! assert!((h[2] * 2.0 - h[3] - 1.0_f64).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
