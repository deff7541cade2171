//! Methods that work on the posterior itself: one transition of their kernel ([`crate::kernel`]) an
//! iteration.

use super::SamplerError;
use super::block::Block;
use crate::simd::Lanes;

/// The first unit of a chain.
pub(super) fn start<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    block.start()
}

/// One iteration.
pub(super) fn advance<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    let count = block.iteration.saturating_add(1);
    block.on_posterior(|block, posterior| block.transition(posterior, count, 1))
}
