//! What the kernels sample: a log density relative to N(0, I), for N chains at once.
//!
//! Every target is expressed in latent coordinates g whose reference law is N(0, I):
//! log p(g) = -|g|^2/2 + `value(g)` + const. A Gaussian prior is a scaling of g and the uniform law
//! on the l1 ball a copula lift of it ([`crate::prior`]), so one engine serves both.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::density::{Density, Extent};
//! use lcc_core::lifted::Lifted;
//! use lcc_core::likelihood::GreedyTilt;
//! use lcc_core::prior::Prior;
//! use lcc_core::simd::Isa;
//!
//! // exp(tanh(w)) under N(0, 2^2), w = 2 g.
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let tilt = GreedyTilt::new(data, 1.0, Activation::Tanh);
//! let density = Lifted::new(&tilt, Prior::gaussian(2.0)?, 1, 1)?;
//! let (mut gradient, mut scratch) = ([[0.0_f64]], vec![[0.0]; density.scratch()]);
//! let [value] = density.value_and_gradient(Isa::detect(), &[[0.5]], &mut gradient, &mut scratch);
//! let t = 1.0_f64.tanh();
//! assert!((value - t).abs() < 1e-15);
//! assert!((gradient[0][0] - 2.0 * (1.0 - t * t)).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::simd::Isa;

/// What one evaluation takes, of a [`Density`] or of a [`crate::likelihood::Likelihood`], in whatever
/// precision and lanes.
pub trait Extent {
    /// Coordinates.
    fn dim(&self) -> usize;

    /// Scratch that one evaluation needs, in blocks `[T; N]`.
    fn scratch(&self) -> usize;

    /// Rows of data that one evaluation reads: the unit of the step budget.
    fn rows(&self) -> usize;
}

/// A log density relative to N(0, I). The kernels take it as `&dyn`: one indirect call for a block of
/// chains and a pass over the data, and one compiled kernel for all densities.
pub trait Density<T, const N: usize>: Extent {
    /// log p(g) + |g|^2/2 (one value a chain) and its gradient with respect to g (written over
    /// `gradient`). `g` and `gradient` hold [`dim`](Extent::dim) blocks and `scratch` at least
    /// [`scratch`](Extent::scratch); with fewer, NaN is returned and nothing is written.
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N];

    /// The value alone, as [`value_and_gradient`](Self::value_and_gradient) gives it, bit for bit.
    /// `spare` holds [`dim`](Extent::dim) blocks that may be overwritten.
    fn value(
        &self,
        isa: Isa,
        g: &[[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        self.value_and_gradient(isa, g, spare, scratch)
    }
}
