//! Coupled Gibbs: xi | w, then `inner` transitions of split HMC that leave w | xi invariant (\[MB\];
//! the proximal sampler in the metric of the coupling). Exact for any number of inner transitions.
//!
//! xi is d-dimensional for each neuron: [`crate::coupling::Triangular`]. A unit of an iteration is one
//! inner transition; the first also draws xi and evaluates the new conditional density.

use super::SamplerError;
use super::block::Block;
use crate::simd::Lanes;

/// The first unit of a chain.
pub(super) fn start<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    block.start()
}

/// One inner transition.
pub(super) fn advance<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    let (inner, unit) = (block.shape.options.inner, block.unit);
    if unit == 0 {
        block.draw_xi()?;
    }
    let count = block.iteration.saturating_mul(inner).saturating_add(unit).saturating_add(1);
    block.conditional(|block, density| {
        if unit == 0 {
            block.evaluate(density)?;
        }
        block.transition(density, count, inner)
    })
}
