//! Log likelihoods and their gradients for whole blocks of chains, in one pass over the data.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::density::Extent;
//! use lcc_core::likelihood::{GreedyTilt, Likelihood};
//! use lcc_core::simd::Isa;
//!
//! // alpha sum_i r_i psi(x_i.w) for eight chains at once, and its gradient.
//! let data = Dataset::new(Inputs::row_major(&[1.0, 2.0], 2, 1)?, &[0.5, -1.0])?;
//! let tilt = GreedyTilt::new(data, 2.0, Activation::Tanh);
//! let w = [[0.0_f64, 0.5, -0.5, 1.0, 1.5, -1.0, 2.0, 0.1]];
//! let (mut gradient, mut scratch) = ([[0.0; 8]], vec![[0.0; 8]; tilt.scratch()]);
//! let value = tilt.value_and_gradient(Isa::detect(), &w, &mut gradient, &mut scratch);
//! for (v, w) in value.into_iter().zip(w[0]) {
//!     assert!((v - 2.0 * (0.5 * w.tanh() - (2.0 * w).tanh())).abs() < 1e-14);
//! }
//! assert_eq!(gradient[0][0], 2.0 * (0.5 - 2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod greedy;
mod joint;
mod line;
mod network;
mod quadratic;
pub(crate) mod rows;
mod user;

pub use check::DensityCheck;
pub use greedy::GreedyTilt;
pub use joint::{Joint, Signs};
pub use line::{Hinges, PiecewiseQuadratic};
pub use network::{Network, NetworkFit, NetworkShape, Parts, PartsMut, Precision};
pub(crate) use quadratic::over_signs;
pub use user::{LogDensity, UserDensity};

use crate::density::Extent;
use crate::simd::Isa;

/// A log likelihood (or any log tilt of a prior) of a parameter vector w, for N chains at once.
pub trait Likelihood<T, const N: usize>: Extent {
    /// The log likelihood at `w` (returned, one value a chain) and its gradient (written over
    /// `gradient`). `w` and `gradient` hold [`dim`](Extent::dim) blocks and `scratch` at least
    /// [`scratch`](Extent::scratch); with fewer, NaN is returned and nothing is written.
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N];

    /// The value alone, as [`value_and_gradient`](Self::value_and_gradient) gives it, bit for bit.
    /// `spare` holds [`dim`](Extent::dim) blocks that may be overwritten.
    fn value(
        &self,
        isa: Isa,
        w: &[[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        self.value_and_gradient(isa, w, spare, scratch)
    }
}
