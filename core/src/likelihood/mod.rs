//! Log likelihoods and their gradients for whole blocks of chains, in one pass over the data.

mod greedy;
mod joint;
mod line;
mod network;
mod quadratic;
mod rows;
mod user;

pub use greedy::GreedyTilt;
pub use joint::{Joint, Signs};
pub use line::PiecewiseQuadratic;
pub use network::{Network, NetworkFit, NetworkShape, Parts, PartsMut, Precision};
pub(crate) use quadratic::over_signs;
pub use user::{LogDensity, UserDensity};

use crate::scalar::Real;
use crate::simd::{Isa, Lanes};

/// A log likelihood (or any log tilt of a prior) of a parameter vector w, for N chains at once.
pub trait Likelihood<T: Real> {
    /// Coordinates of w.
    fn dim(&self) -> usize;

    /// Scratch that one evaluation needs, in blocks `[T; N]`.
    fn scratch(&self) -> usize;

    /// Rows of data that one evaluation reads: the unit of the step budget.
    fn rows(&self) -> usize;

    /// The log likelihood at `w` (returned, one value a chain) and its gradient (written over
    /// `gradient`). `w` and `gradient` hold [`dim`](Self::dim) blocks and `scratch` at least
    /// [`scratch`](Self::scratch); with fewer, NaN is returned and nothing is written.
    fn value_and_gradient<const N: usize>(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N]
    where
        T: Lanes<N>;

    /// The value alone, as [`value_and_gradient`](Self::value_and_gradient) gives it, bit for bit.
    /// `spare` holds [`dim`](Self::dim) blocks that may be overwritten.
    fn value<const N: usize>(
        &self,
        isa: Isa,
        w: &[[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N]
    where
        T: Lanes<N>,
    {
        self.value_and_gradient(isa, w, spare, scratch)
    }
}
