//! \[B\]: its greedy condition, and what its joint coupling assumes.
//!
//! # 4 B^5/d should be 16 B^5/d
//!
//! *As printed:* 4 B^5/d < 1, B = c lambda beta n, makes p(xi) log-concave. *Wrong:* putting k = 2 B^2 into
//! the bound from which it comes, B d (2 k/(e d))^2 exp(4 B^2/k), gives 16 B^5/d.
//!
//! ```
//! use lcc_core::certificate::formulas;
//!
//! let (b, d): (f64, _) = (0.996022, 5);
//! assert!((formulas::slides_published(b, d) - 0.784_214_093_3).abs() < 1e-9); // "below 1"
//! let k = formulas::slides_order(b);
//! assert!((formulas::slides_at(b, d, k) - 3.136_856_373_1).abs() < 1e-9);
//! assert!((formulas::slides(b, d) - 3.136_856_373_1).abs() < 1e-9);
//! ```
//!
//! # Not for small B
//!
//! Hoelder's inequality needs an order k >= 1, that is B >= .7072 at k = 2 B^2. Below, the statement (rho
//! Var\[a.w | xi\] <= 4 B^5/d) cannot hold, a bound of fifth order of a variance of first: n = d = 1, x = 1,
//! psi = z^2/2, xi = 0, where the variance of w is the prior's, 1/3. The corrected certificate
//! ([`Kind::Slides`](crate::certificate::Kind::Slides)) does not apply there.
//!
//! ```
//! use lcc_core::certificate::{formulas, moments};
//!
//! let b = 0.1;
//! let variance = b * moments::variance::<f64>(1);
//! assert!((variance - 0.033_333_333_3).abs() < 1e-9);
//! assert!((formulas::slides_published(b, 1) - 4e-5).abs() < 1e-18); // said to be above it
//! assert!(formulas::slides(b, 1) < variance && formulas::slides_order(b) < 1.0);
//! ```
//!
//! # Stirling's formula is not an upper bound
//!
//! *As printed:* \[E_0 (v.w)^(2 k)\]^(1/k) <= |v|^2 (2 k/(e d))^2. *False for small k,* for (2 k)! > (2 k/e)^(2 k):
//! by 2.8 at d = 10, k = 1, and up to 3.69 for large d; for k = 5 it holds at d = 10. So even 16 B^5/d is
//! reported as conditional.
//!
//! ```
//! use lcc_core::certificate::moments;
//!
//! let exact = moments::coordinate::<f64>(10, 1); // k = 1, v along an axis
//! let printed: f64 = moments::stirling_bound(1.0, 10, 1);
//! assert!((exact - 0.015_151_515_2).abs() < 1e-9 && (printed - 0.005_413_411_3).abs() < 1e-9);
//! let fifth: f64 = moments::coordinate(10, 5);
//! assert!(fifth.powf(0.2) < moments::stirling_bound(1.0, 10, 5));
//! ```
//!
//! # What the joint coupling assumes
//!
//! c = max|y_i| + V bounds the residual only where |psi| <= 1, and rho = beta c V/M the curvature only where
//! |psi''| <= 1. Where the residual has no bound (softplus, squared ReLU, GELU or SiLU under a Gaussian prior)
//! there is no joint coupling at all, and a status says so. On the l1 ball every activation has one.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::coupling::rho::{JointScale, Range, RhoError, Sides, joint, joint_constant};
//! use lcc_core::likelihood::Signs;
//!
//! let signs = Signs::Alternating;
//! let scale = JointScale { beta: 1.0_f64, outer: 2.0, neurons: 4, signs };
//! let (psi, y, mut rho) = (Activation::Softplus, [0.3], [0.0]);
//! assert_eq!(joint_constant(&scale, &y, &psi.bounds()), Err(RhoError::NotUnit));
//! let line = |_| Range::of(psi, f64::INFINITY);
//! assert_eq!(joint(Sides::TwoSided, &scale, &y, line, &mut rho), Err(RhoError::Unbounded));
//! let ball = |_| Range::of(psi, 1.0); // |x_i.w| <= 1
//! assert_eq!(joint(Sides::TwoSided, &scale, &y, ball, &mut rho), Ok(()));
//! ```
//!
//! # And a rate that is conditional
//!
//! That relative entropy falls as exp(-t rho/2) is right where -Hess log p(xi) >= (rho/2) I, but \[B\]'s proof
//! of that rests on the same domination, (27) of \[MB\]:
//! [`Kind::BakryEmery`](crate::certificate::Kind::BakryEmery) is conditional. In it \[B\] drops a factor
//! d/(d + 1), on the safe side.
