//! Samplers, whatever their precision.

use crate::status::lcc_status;
use lcc_core::coupling::Sides;
use lcc_core::diagnostics;
use lcc_core::sampler::{Column, Sampler};
use lcc_core::simd::AnyLanes;

codes! {
    i32 LCC_COUPLING_ONE_SIDED = 0, "rho by the sign of the residual: never larger than the two-sided, zero where no help is needed.";
    i32 LCC_COUPLING_TWO_SIDED = 1, "rho = alpha sup|psi''| |r_i|, as printed in the papers.";
    i32 LCC_TRACE_LOG_DENSITY = 0, "Log density of the draw: likelihood and normalised prior, the posterior's constant left out.";
    i32 LCC_TRACE_ACCEPT = 1, "The mean probability of acceptance of the iteration's transitions.";
    i32 LCC_TRACE_ENERGY = 2, "The energy of the iteration's last transition.";
    i32 LCC_TRACE_DIVERGENT = 3, "1 where a transition of the iteration diverged, else 0.";
}

pub(crate) fn sides(code: i32) -> Result<Sides, lcc_status> {
    Sides::from_code(code).ok_or(lcc_status::LCC_ERROR_COUPLING)
}

/// R-hat of a coordinate from its running moments; of one chain of each antithetic pair. In the middle of an iteration some chains are one
/// draw ahead: the variance of each is that of its own draws.
pub(crate) fn rhat<T: AnyLanes>(
    sampler: &Sampler<'_, T>,
    coordinate: usize,
) -> Result<T, lcc_status> {
    let draws = sampler.position().draws;
    if draws < 2 {
        return Err(lcc_status::LCC_ERROR_NOT_DONE);
    }
    let squares = T::of_u32(draws.saturating_sub(1));
    let step = if sampler.options().antithetic.on() { 2 } else { 1 };
    let chains = (0..sampler.options().chains as usize)
        .step_by(step)
        .filter_map(|chain| sampler.moments(chain, Column::Weight(coordinate)))
        .map(|m| [m.mean, T::ZERO, m.variance * squares, T::ZERO]);
    Ok(diagnostics::rhat_from_moments(draws.into(), chains))
}
