//! Greedy Bayes: \[MB\] (30) to (33), and \[B\]'s coupling of one neuron.
//!
//! # (33) never uses observation n
//!
//! *As printed:* f_K is the mean over i = 1..n of f_(i,K), whose posteriors (30) condition on the residuals
//! j < i. *Incomplete:* so r_n enters nothing. In all eight cases of the reference values (n = 6, K = 3) the
//! estimate changes by exactly 0 when y_n is raised by 5. *Offered besides:* i = 1..n + 1, which uses it,
//! and i = n + 1 alone; and batch Greedy Bayes ([`GreedyBayes`](crate::estimator::GreedyBayes)), in which every level
//! conditions on all n: the two estimates differ by up to .27 there. (The mean over i <= n is what a
//! statement about *one-step-ahead* predictions needs: each f_(i,K) predicts y_i without having seen it.)
//! [`Averaging`](crate::estimator::prequential::Averaging) has both, of
//! [`Prequential`](crate::estimator::prequential::Prequential), which meets all n K posteriors on one pass.
//!
//! ```
//! use lcc_core::estimator::Status;
//! use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
//! use lcc_core::posterior::Image;
//! use lcc_core::predict::Predictor;
//! use lcc_core::prior::Prior;
//! use lcc_core::simd::Isa;
//!
//! let x = [-0.481633, 0.952536, -0.508198, 0.305867, 0.665433, -0.040988];
//! let y = [-2.979282, 3.046346, -2.595907, 2.524532, 3.272749, -0.68908];
//! let options = PrequentialOptions {
//!     alpha: 0.8,
//!     beta: 0.5,
//!     ..PrequentialOptions::papers(6, 3, Prior::gaussian(1.0_f64)?)
//! };
//! // f_K at a new row, with y_n moved by `more`.
//! let estimate = |averaging: Averaging, more: f64| -> f64 {
//!     let mut memory = vec![0_u128; Prequential::size(&options, 6, 1).unwrap().div_ceil(16)];
//!     let memory = bytemuck::cast_slice_mut(&mut memory);
//!     let isa = Isa::detect();
//!     let mut learner = Prequential::init(memory, &options, isa, 6, 1, None).unwrap();
//!     for (i, (x, y)) in x.iter().zip(y).enumerate() {
//!         learner.observe(&[*x], if i == 5 { y + more } else { y }).unwrap();
//!         while learner.step(1_000_000).unwrap() == Status::Running {}
//!     }
//!     let mut model = vec![0; learner.model_size().unwrap()];
//!     let mut scratch = vec![0.0; learner.model_scratch()];
//!     let length = learner.write_model(averaging, &mut model, &mut scratch).unwrap();
//!     let image = Image::open(&model[..length]).unwrap();
//!     let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
//!     let predictor = Predictor::new(isa, image, &mut buffer).unwrap();
//!     let mut scratch = vec![0.0; predictor.row_scratch()];
//!     predictor.predict_row(&[-0.726021], 0.9, &mut scratch).unwrap().mean
//! };
//! let printed = estimate(Averaging::Printed, 0.0);
//! assert!((printed - -0.531_494_1).abs() < 0.1); // by quadrature; 256 draws
//! assert_eq!(printed, estimate(Averaging::Printed, 5.0)); // to the last bit
//! assert_ne!(estimate(Averaging::Inclusive, 0.0), estimate(Averaging::Inclusive, 5.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The factor (1 - beta) belongs to the residual
//!
//! Not an error, but easily read over: (32) has r_(i,k) = y_i - (1 - beta) f_(i,k)(x_i), the residual that
//! the *next* neuron sees, not y_i - f_(i,k)(x_i). The latter would change the estimates of the reference
//! values by up to .0072.
//!
//! ```
//! use lcc_core::estimator::greedy_bayes::recursion::residuals;
//!
//! let mut r = [0.0];
//! residuals(0.5, &[-2.979282], &[-0.3696177835659236], &mut r); // a row of level 1, exact f_1
//! assert!((r[0] - -2.794473108217038_f64).abs() < 1e-15);
//! ```
//!
//! # The tilt is not the loss
//!
//! \[MB\] drop the term -(beta/2) lambda^2 sum psi^2 of the squared loss (alpha = beta lambda), \[B\] keeps it.
//! Both are offered ([`Form`](crate::estimator::greedy_bayes::Form)) and differ: without it a neuron is
//! rewarded for its size without limit. As a regressor the quadratic form is the default.
//!
//! # A beta that \[B\]'s exponent drops
//!
//! *Printed right:* rho = c lambda beta. *Dropped:* the same beta in the exponent of the line after it; the
//! coupling that follows is rho_i = beta lambda sup|psi''| (|r_i| + lambda sup|psi|), for the log posterior is
//! beta times the loss, and so is its curvature. What the factor is worth: tanh, r = 3, lambda = 1, beta = 4,
//! at z = x.w = -.5:
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::coupling::rho::{Range, Sides, greedy_quadratic};
//!
//! let (beta, lambda, r, psi) = (4.0, 1.0, 3.0, Activation::Tanh);
//! let range = |_| Range::of(psi, f64::INFINITY);
//! let mut rho = [0.0];
//! let (alpha, kappa) = (beta * lambda, beta * lambda * lambda);
//! greedy_quadratic(Sides::TwoSided, alpha, kappa, &[r], range, &mut rho)?;
//! let without = lambda * psi.bounds::<f64>().curvature() * (r + lambda);
//! assert!((rho[0] - beta * without).abs() < 1e-12);
//! assert!((rho[0] - 12.316_805_742_7).abs() < 1e-9 && (without - 3.079_201_435_7).abs() < 1e-9);
//!
//! // The second derivative of alpha r psi(z) - (kappa/2) psi(z)^2.
//! let [value, slope, curve] = psi.jet(-0.5);
//! let convex = (alpha * r - kappa * value) * curve - kappa * slope * slope;
//! assert!(convex > 7.0 && convex > without && convex < rho[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
