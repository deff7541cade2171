//! Langevin on the auxiliary variable (\[MB\], \[B\]):
//!
//! xi <- xi + (h/2) (A E[w | xi] - xi) + sqrt(h) N(0, I),
//!
//! the expectation being the average over the `inner` transitions of a chain on w | xi, warm (from
//! where the last one ended) or fresh (from a draw of the prior, after `burn_in` transitions). The
//! draw that counts is that chain's last state, before xi moves on. Biased in h, and in the inner
//! length: the average is not the expectation (its noise adds to the temperature) and the inner
//! chain has not quite reached its law.
//!
//! xi is d-dimensional for each neuron ([`crate::coupling::Triangular`]); in t = R'xi the step reads
//! t + (h/2) (Q E[w | t] - t) + sqrt(h) N(0, Q). A unit of an iteration is one inner transition; the
//! first also evaluates the new conditional density, the last moves xi after the draw is recorded.

use super::SamplerError;
use super::block::Block;
use super::options::SamplerOptions;
use crate::simd::Lanes;

/// Transitions of an iteration that are not averaged.
pub(super) fn burn_in<T>(options: &SamplerOptions<T>) -> u32 {
    if options.fresh.on() { options.burn_in } else { 0 }
}

/// Units of an iteration.
pub(super) fn units<T>(options: &SamplerOptions<T>) -> u32 {
    burn_in(options).saturating_add(options.inner)
}

/// The first unit of a chain: w from the prior, xi | w.
pub(super) fn start<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    block.start()?;
    block.draw_xi()
}

/// One inner transition.
pub(super) fn advance<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    let options = &block.shape.options;
    let (units, unit, burn_in) = (units(options), block.unit, burn_in(options));
    if unit == 0 {
        block.mean.fill([T::ZERO; N]);
        if options.fresh.on() {
            block.draw_latent()?;
        }
    }
    let share = T::ONE / T::of_u32(options.inner.max(1));
    let count = block.iteration.saturating_mul(units).saturating_add(unit).saturating_add(1);
    block.conditional(|block, density| {
        if unit == 0 {
            block.evaluate(density)?;
        }
        block.transition(density, count, units)
    })?;
    if unit >= burn_in {
        block.average(share)?;
    }
    Ok(())
}

/// Moves xi, after the draw has been recorded.
pub(super) fn finish<T: Lanes<N>, const N: usize>(
    block: &mut Block<'_, '_, T, N>,
) -> Result<(), SamplerError> {
    let h = block.shape.options.langevin_step;
    let (half, root) = (T::HALF * h, h.sqrt());
    block.move_xi(|xi, score, z| *xi += half * score + root * z)
}
