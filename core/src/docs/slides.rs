//! \[B\], topic by topic: the function of each statement.
//!
//! The slides number no equations; they are cited by topic, and by title where it is known. **E**: see
//! [`errata`](super::errata).
//!
//! # One neuron, the square kept
//!
//! \[B\] keeps the term of the squared loss that \[MB\] drops: p(w) ~ exp(-(beta/2) sum_i (r_i - lambda
//! psi(x_i.w))^2) p0(w).
//!
//! | statement | function |
//! |---|---|
//! | the posterior | [`Problem::greedy_tilt`](crate::problem::Problem::greedy_tilt) of a [`GreedyTilt`](crate::likelihood::GreedyTilt) with alpha = beta lambda, quadratic = beta lambda^2 |
//! | rho_i = beta lambda `sup abs(psi'')` (abs(r_i) + lambda sup abs(psi)) | [`rho::greedy_quadratic`](crate::coupling::rho::greedy_quadratic), two-sided; one-sided never larger |
//! | the variance 2/((d + 1)(d + 2)) of w_j, uniform on the l1 ball (right, where \[MB\] errs) | [`moments::variance`](crate::certificate::moments::variance) |
//! | E (v.w)^(2 k), and its bound by norms | [`moments::linear`](crate::certificate::moments::linear), [`moments::linear_bound`](crate::certificate::moments::linear_bound) |
//! | the same by Stirling's formula **E** | [`moments::stirling_bound`](crate::certificate::moments::stirling_bound) |
//! | the bound B d (2 k/(e d))^2 exp(4 B^2/k) before k is chosen | [`formulas::slides_at`](crate::certificate::formulas::slides_at), at k = [`formulas::slides_order`](crate::certificate::formulas::slides_order) |
//! | 4 B^5/d < 1 **E** | [`formulas::slides_published`](crate::certificate::formulas::slides_published); corrected, [`formulas::slides`](crate::certificate::formulas::slides) |
//!
//! Both forms have levels of their own in Greedy Bayes, [`Form`](crate::estimator::greedy_bayes::Form).
//!
//! # M neurons: "Log Concave Coupling", "Marginal Density and Score"
//!
//! | statement | function |
//! |---|---|
//! | f(x) = (V/M) sum_m psi(x.w_m), p(w) ~ exp(-(beta/2) sum_i (y_i - f(x_i))^2) prod p0(w_m) | [`Problem::joint`](crate::problem::Problem::joint), with signs s_m besides |
//! | rho = beta c V/M, c = max abs(y_i) + V | [`rho::joint_constant`](crate::coupling::rho::joint_constant), [`formulas::joint_rho`](crate::certificate::formulas::joint_rho); row by row and one-sided, [`rho::joint`](crate::coupling::rho::joint) |
//! | xi_im ~ N(x_i.w_m, 1/rho) | [`Coupling::joint`](crate::coupling::Coupling::joint), then [`to_signal_scale`](crate::coupling::to_signal_scale) |
//! | the score rho (E(x_i.w_m given xi) - xi_im); the slide has its negative, the gradient of log 1/p | [`signal_score`](crate::coupling::signal_score) |
//! | -Hess log p(xi) >= rho (1 - 2 beta c V n/(M (d + 2))) | [`formulas::joint`](crate::certificate::formulas::joint), [`Kind::JointHessian`](crate::certificate::Kind::JointHessian): conditional on (27) of \[MB\]; with the factor d/(d + 1) that was dropped, [`Kind::JointHessianSharper`](crate::certificate::Kind::JointHessianSharper) |
//! | at least rho/2 there | [`Kind::BakryEmery`](crate::certificate::Kind::BakryEmery) |
//! | relative entropy falls as exp(-t rho/2), in times 2 M/(beta c V) | [`diffusion::relative_entropy`](crate::theory::diffusion::relative_entropy), [`diffusion::time_scale`](crate::theory::diffusion::time_scale), [`diffusion::time_for`](crate::theory::diffusion::time_for) |
//!
//! An exact case: M = 2, d = 1, n = 4, tanh, l1 radius 1, V = 2, rho = 1/8 (reference values by
//! quadrature). Given xi = 0 in \[B\]'s scale, E w_m = .02561...; the score follows.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::certificate::formulas;
//! use lcc_core::coupling::rho::{JointScale, joint_constant};
//! use lcc_core::coupling::{Coupling, signal_score};
//! use lcc_core::data::Inputs;
//! use lcc_core::likelihood::Signs;
//! use lcc_core::simd::Isa;
//!
//! let x = [0.306527, 0.86624, -0.250654, -0.449903];
//! let y = [1.298105, 1.258925, -1.037785, -1.645551];
//! let (beta, outer, neurons, signs) = (0.034288369577054334, 2.0, 2, Signs::Positive);
//! let scale = JointScale { beta, outer, neurons, signs };
//! let rho = joint_constant(&scale, &y, &Activation::Tanh.bounds())?;
//! assert!((rho - 0.125_f64).abs() < 1e-15);
//!
//! let rows = [rho; 4];
//! let coupling = Coupling::joint(Inputs::row_major(&x, 4, 1)?, &rows, neurons, signs)?;
//! let mut score = [[0.0]; 8];
//! let mean = [[0.025612393513496864]; 2];
//! signal_score(Isa::detect(), &coupling, &[[0.0]; 8], &mean, &mut score)?;
//! assert!((score[0][0] - 0.000_981_361_268_3).abs() < 1e-13);
//! assert!((score[6][0] - -0.001_440_386_584_9).abs() < 1e-13);
//!
//! // 1 - 2 beta c V n/(M (d + 2)): at least 2/3 of rho, and the true Hessian has .954 of it.
//! let q: f64 = formulas::joint(rho, 4, 1, 1.0);
//! assert!((1.0 - q - 2.0 / 3.0).abs() < 1e-14);
//! assert!(0.119_298_180_1 / rho > 1.0 - q);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same score by differences of log p(xi), n = d = M = 1, prior uniform on \[-1, 1\]:
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::coupling::rho::{JointScale, joint_constant};
//! use lcc_core::coupling::{Conditional, Coupling, from_signal_scale, signal_score};
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::density::Extent;
//! use lcc_core::likelihood::{Joint, Likelihood, Signs};
//! use lcc_core::simd::Isa;
//!
//! let (isa, signs, psi) = (Isa::detect(), Signs::Positive, Activation::Tanh);
//! let data = Dataset::new(Inputs::row_major(&[0.8], 1, 1)?, &[1.2])?;
//! let (beta, outer, neurons) = (0.7, 1.5, 1);
//! let joint = Joint { data, activation: psi, neurons, outer, beta, signs };
//! let scale = JointScale { beta, outer, neurons, signs };
//! let rho = [joint_constant(&scale, data.y(), &psi.bounds())?];
//! let coupling = Coupling::joint(data.inputs, &rho, neurons, signs)?;
//! // log p(xi) and E[w | xi] at xi of [B]'s scale.
//! let law = |xi: f64| {
//!     let mut xi = [[xi]];
//!     from_signal_scale(&coupling, &mut xi).unwrap();
//!     let given = Conditional::new(&joint, &coupling, xi.as_flattened()).unwrap();
//!     let mut scratch = vec![[0.0]; given.scratch()];
//!     let (mut mass, mut mean) = (0.0, 0.0);
//!     for i in 0..4000 {
//!         let w = (i as f64 + 0.5) / 2000.0 - 1.0;
//!         let [log] = given.value(isa, &[[w]], &mut [[0.0]], &mut scratch);
//!         mass += log.exp();
//!         mean += log.exp() * w;
//!     }
//!     (mass.ln(), mean / mass)
//! };
//! let (xi, h) = (1.4, 1e-3);
//! let ((low, _), (_, mean), (high, _)) = (law(xi - h), law(xi), law(xi + h));
//! let difference = (high - low) / (2.0 * h);
//! let mut score = [[0.0]];
//! signal_score(isa, &coupling, &[[xi]], &[[mean]], &mut score)?;
//! assert!((score[0][0] - difference).abs() < 1e-6);
//! assert!(difference < -1.0); // towards the data
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What networks approximate, and what data teach
//!
//! | statement | function |
//! |---|---|
//! | approximation: V^2/M | [`bounds::approximation`](crate::theory::bounds::approximation), its inverse [`bounds::neurons_for`](crate::theory::bounds::neurons_for) |
//! | risk: V sqrt((log 2d + L)/N) | [`bounds::risk`](crate::theory::bounds::risk), its inverse [`bounds::observations_for`](crate::theory::bounds::observations_for) |
//! | Gaussian complexity: V sqrt(2 log 2d + 2 L log 2) | [`complexity::gaussian_complexity`](crate::theory::complexity::gaussian_complexity) |
//! | covering numbers | [`complexity::covering_hull`](crate::theory::complexity::covering_hull), [`complexity::covering_network`](crate::theory::complexity::covering_network) |
//! | V_L, the variation of a network of L layers by its paths | [`variation::paths`](crate::theory::variation::paths); one layer, [`variation::single_layer`](crate::theory::variation::single_layer) |
//! | V_1 of a function by its spectrum | [`spectral::of_cosines`](crate::theory::spectral::of_cosines), [`spectral::variation_of_sigmoids`](crate::theory::spectral::variation_of_sigmoids) |
//! | index of resolvability | [`resolvability::index`](crate::theory::resolvability::index), [`resolvability::neurons`](crate::theory::resolvability::neurons) |
//! | cumulative loss and regret of predictions made one step ahead | [`regret::squared_loss`](crate::theory::regret::squared_loss), [`regret::log_loss`](crate::theory::regret::log_loss), [`regret::bayes_regret`](crate::theory::regret::bayes_regret), [`regret::mean_squared_regret`](crate::theory::regret::mean_squared_regret) |
//! | the greedy minimiser in place of the mean (Jones, Barron) | [`RelaxedGreedy`](crate::estimator::relaxed::RelaxedGreedy) |
//!
//! ```
//! use lcc_core::theory::{bounds, resolvability};
//!
//! // A target of variation 3: nine neurons for a mean squared distance of 1, 900 for .01.
//! assert_eq!(bounds::approximation(3.0, 9), 1.0);
//! assert_eq!(bounds::neurons_for(3.0, 1.0), 9);
//! // Each neuron costs 20 nats, N = 500 rows, beta = 1: the sum V^2/M + 20 M/500 is least at M = 15.
//! let (m, index) = resolvability::neurons(3.0_f64, 20.0, 1.0, 500, 100).unwrap();
//! assert_eq!(m, 15);
//! assert!((index - (9.0 / 15.0 + 15.0 * 20.0 / 500.0)).abs() < 1e-12);
//! ```
