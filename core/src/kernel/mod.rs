//! Transitions of a block of chains, in lock-step.
//!
//! A kernel leaves a [`crate::density::Density`] invariant, or ([`ball`]) a likelihood of w itself on
//! its prior's support. It knows neither data nor priors, keeps
//! its state in the caller's memory, and draws from the chain's own stream only, so that a chain
//! does not depend on the chains beside it.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::density::Extent;
//! use lcc_core::kernel::hmc::{State, Trajectory, Work, evaluate, transition, work_len};
//! use lcc_core::lifted::Lifted;
//! use lcc_core::likelihood::GreedyTilt;
//! use lcc_core::prior::Prior;
//! use lcc_core::random::{Purpose, Stream};
//! use lcc_core::simd::Isa;
//!
//! // Nothing to explain, r = 0: the rotation that splits off the Gaussian prior is exact.
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[0.0])?;
//! let tilt = GreedyTilt::new(data, 1.0, Activation::Tanh);
//! let density = Lifted::new(&tilt, Prior::gaussian(1.0)?, 1, 1)?;
//! let (mut position, mut gradient, mut value) = ([[0.3_f64]], [[0.0]], [0.0]);
//! let mut state =
//!     State { position: &mut position, gradient: &mut gradient, value: &mut value };
//! let mut memory = vec![[0.0]; work_len(1, density.scratch()).unwrap()];
//! let mut work = Work::new(&mut memory, 1).unwrap();
//! evaluate(Isa::detect(), &density, &mut state, work.scratch());
//! let mut streams = [Stream::new(1, 0, Purpose::Kernel)];
//! let trajectory = Trajectory::split([0.5], 3);
//! let outcome =
//!     transition(Isa::detect(), &density, &mut streams, &trajectory, &mut state, &mut work);
//! assert!(outcome.acceptance[0] > 1.0 - 1e-14 && outcome.accepted[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
pub mod adapt;
pub mod ball;
pub mod hmc;
pub mod metropolis;
pub mod penalty;
pub mod riemannian;
