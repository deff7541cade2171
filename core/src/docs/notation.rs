//! Which symbol is which name, and where the sources clash.
//!
//! # Symbols
//!
//! | here and in the code's comments | \[MB\] | \[B\] | name in Rust |
//! |---|---|---|---|
//! | x_i, n rows of d inputs | x_i | x_i | [`Inputs`](crate::data::Inputs), [`Dataset`](crate::data::Dataset) |
//! | r_i, what one neuron is fitted to | r_i | r_i | the targets of the `Dataset` of [`Problem::greedy`](crate::problem::Problem::greedy) |
//! | y_i | y_i | y_i | the targets of [`Problem::joint`](crate::problem::Problem::joint) |
//! | psi | psi | psi | [`Activation`](crate::activation::Activation) |
//! | alpha, tilt of one neuron | alpha | beta lambda | [`GreedyTilt::alpha`](crate::likelihood::GreedyTilt::alpha) |
//! | kappa, factor of its square | none | beta lambda^2 | [`GreedyTilt::quadratic`](crate::likelihood::GreedyTilt::quadratic) |
//! | beta, share of a level in the fit | beta | see below | [`GreedyOptions::beta`](crate::estimator::GreedyOptions::beta) |
//! | beta, inverse temperature of the joint posterior | none | beta | [`Joint::beta`](crate::likelihood::Joint::beta) |
//! | V, outer weight | 1 | V | [`GreedyOptions::outer`](crate::estimator::GreedyOptions::outer), [`Joint::outer`](crate::likelihood::Joint::outer) |
//! | M neurons | none | M | [`Joint::neurons`](crate::likelihood::Joint::neurons) |
//! | s_m = +-1, sign of neuron m | none | all +1 | [`Signs`](crate::likelihood::Signs) |
//! | K levels of Greedy Bayes | K | none | [`GreedyOptions::levels`](crate::estimator::GreedyOptions::levels) |
//! | rho_i, precision of the coupling | alpha c abs(r_i) | rho | [`coupling::rho`](crate::coupling::rho) |
//! | `c_plus = sup psi''`, `c_minus = sup(-psi'')` | none | none | [`Bounds::plus`](crate::activation::Bounds::plus), [`Bounds::minus`](crate::activation::Bounds::minus) |
//! | `c = sup abs(psi'')` | c | 1 | [`Bounds::curvature`](crate::activation::Bounds::curvature) |
//! | xi | xi | xi / sqrt(rho) | [`Channel::draw`](crate::coupling::Channel::draw) |
//! | sd | sigma_0 | none | [`Prior::Gaussian`](crate::prior::Prior::Gaussian) |
//! | R, radius of the l1 ball | 1 | 1 | [`Prior::L1Ball`](crate::prior::Prior::L1Ball) |
//! | `Q = X' diag(rho) X` | | | [`Triangular`](crate::coupling::Triangular), its factor `R'R = Q` |
//! | B = alpha c n max abs(r_i) | | c lambda beta n | the argument `b` of [`certificate::formulas`](crate::certificate::formulas) |
//!
//! # Clashes
//!
//! - **alpha, beta, lambda.** \[B\] writes the loss of one neuron as (beta/2) sum (r_i - lambda psi)^2, so
//!   \[MB\]'s alpha is its beta lambda, and the weight beta V with which a level's neuron enters the fit is
//!   its lambda. The options of [`GreedyBayes`](crate::estimator::GreedyBayes) are \[MB\]'s; the noise precision that
//!   \[B\] calls beta is then alpha/beta.
//! - **c.** In \[MB\] sup abs(psi''). In \[B\]'s joint posterior max abs(y_i) + V, a bound of the residual,
//!   with abs(psi'') <= 1 assumed; in its greedy condition sup abs(psi'') again.
//! - **The scale of xi.** Ours is xi ~ N(sqrt(rho) x.w, 1), which allows rho_i = 0. \[B\]'s is xi ~
//!   N(x.w, 1/rho). [`to_signal_scale`](crate::coupling::to_signal_scale),
//!   [`from_signal_scale`](crate::coupling::from_signal_scale),
//!   [`log_scale`](crate::coupling::log_scale) and [`signal_score`](crate::coupling::signal_score)
//!   translate.
//! - **R** is the radius of the ball, and in [`Triangular`](crate::coupling::Triangular) a triangular
//!   factor; R-hat is a diagnostic. **rho** is a precision here, never a correlation.
//! - **sigma_0^2** of \[MB\] is a variance; the code takes the standard deviation `sd`.
//! - **V_1, V_L** of the theory ([`theory::variation`](crate::theory::variation)) is the variation of a
//!   function; V of a posterior is a fixed outer weight, at least that variation if the function is to lie
//!   in the hull.
//!
//! The first clash in numbers: \[B\]'s posterior exp(-(beta/2) (r - lambda psi)^2), less its constant, is
//! the tilt with alpha = beta lambda and kappa = beta lambda^2.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::likelihood::{GreedyTilt, Likelihood};
//! use lcc_core::simd::Isa;
//!
//! let (beta, lambda, r, x, w) = (3.0, 0.4, [1.5_f64], [0.8], 0.7);
//! let data = Dataset::new(Inputs::row_major(&x, 1, 1)?, &r)?;
//! let mut tilt = GreedyTilt::new(data, beta * lambda, Activation::Tanh);
//! tilt.quadratic = beta * lambda * lambda;
//! let [value] = tilt.value(Isa::detect(), &[[w]], &mut [[0.0]], &mut []);
//! let [psi, _, _] = Activation::Tanh.jet(x[0] * w);
//! let loss = |f: f64| -0.5 * beta * (r[0] - f) * (r[0] - f);
//! assert!((value - (loss(lambda * psi) - loss(0.0))).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In C
//!
//! The C interface (`include/lcc.h`) has the same words: `alpha`, `beta`, `outer`, `neurons`, `signs`,
//! `prior` with its `scale` (sd or radius), `activation`. On the command line they are `--alpha`, `--beta`,
//! `--outer`, `--neurons`, `--signs`, `--prior gaussian|l1 --scale`, `--activation`.
