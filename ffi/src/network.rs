//! The regressor, whatever its precision.

use crate::object::lcc_progress;
use crate::status::lcc_status;
use lcc_core::diagnostics::{self, Draws};
use lcc_core::estimator::{NetworkRegressor, Stage};
use lcc_core::simd::AnyLanes;
use lcc_core::workspace::{Carve, Measure, Memory, WorkspaceError};

codes! {
    i32 LCC_MASS_DENSE = 0, "A full mass matrix a chain.";
    i32 LCC_MASS_DIAGONAL = 1, "Its diagonal only: for microcontrollers and very wide inputs.";
    i32 LCC_NETWORK_TRACE_LOG_LIKELIHOOD = 0, "The log likelihood of the training data, in standardised units.";
    i32 LCC_NETWORK_TRACE_ACCEPT = 1, "The probability of acceptance.";
    i32 LCC_NETWORK_TRACE_DIVERGENT = 2, "1 where the trajectory diverged, else 0.";
    i32 LCC_NETWORK_TRACE_ENERGY = 3, "The energy at the start of the trajectory.";
    i32 LCC_NETWORK_TRACE_PREDICTION = 4, "f at a traced training row, in standardised units.";
}

/// [`crate::f64::network::lcc_network_diagnosis_f64`] in either precision.
pub(crate) struct Diagnosis<T> {
    pub(crate) rhat_max: T,
    pub(crate) ess_bulk_min: T,
    pub(crate) ess_tail_min: T,
    pub(crate) acceptance: T,
    pub(crate) e_bfmi_min: T,
    pub(crate) divergences: u64,
    pub(crate) gradients: u64,
    pub(crate) chains_used: u32,
    pub(crate) chains_dropped: u32,
}

pub(crate) fn progress<T: AnyLanes>(network: &NetworkRegressor<'_, T>) -> lcc_progress {
    let p = network.progress();
    lcc_progress {
        done: p.passes,
        total: p.passes_in_all,
        draws: p.draws as u64,
        gradients: p.passes.saturating_mul(network.options().chains as u64),
        warming: matches!(p.stage, Stage::Search | Stage::Warmup) as u32,
        reserved: 0,
    }
}

pub(crate) fn trace<'a, T: AnyLanes>(
    network: &'a NetworkRegressor<'_, T>,
    quantity: i32,
    index: usize,
) -> Result<Draws<'a, T>, lcc_status> {
    if network.progress().draws == 0 {
        return Err(lcc_status::LCC_ERROR_NOT_DONE);
    }
    let draws = match (quantity, index) {
        (LCC_NETWORK_TRACE_LOG_LIKELIHOOD, 0) => network.log_likelihood_trace(),
        (LCC_NETWORK_TRACE_ACCEPT, 0) => network.acceptance_trace(),
        (LCC_NETWORK_TRACE_DIVERGENT, 0) => network.divergence_trace(),
        (LCC_NETWORK_TRACE_ENERGY, 0) => network.energy_trace(),
        (LCC_NETWORK_TRACE_PREDICTION, k) if k < network.traced_predictions() => {
            network.prediction_trace(k)
        }
        _ => return Err(lcc_status::LCC_ERROR_INDEX),
    };
    Ok(draws?)
}

fn scratch<'a, T: AnyLanes>(
    carve: &mut impl Carve<'a>,
    network: &NetworkRegressor<'_, T>,
) -> Result<&'a mut [T], WorkspaceError> {
    let options = network.options();
    let draws = (options.chains as usize, options.draws as usize);
    carve.take(diagnostics::scratch_len(draws.0, draws.1).ok_or(WorkspaceError::Overflow)?)
}

pub(crate) fn report_scratch<T: AnyLanes>(
    network: &NetworkRegressor<'_, T>,
) -> Result<usize, lcc_status> {
    let mut measure = Measure::new();
    scratch(&mut measure, network)?;
    Ok(measure.bytes())
}

pub(crate) fn report<T: AnyLanes>(
    network: &NetworkRegressor<'_, T>,
    memory: &mut [u8],
) -> Result<Diagnosis<T>, lcc_status> {
    let scratch = scratch(&mut Memory::new(memory)?, network)?;
    let energy = trace(network, LCC_NETWORK_TRACE_ENERGY, 0)?;
    let nan = T::NAN;
    let mut out = Diagnosis {
        rhat_max: nan,
        ess_bulk_min: nan,
        ess_tail_min: nan,
        acceptance: T::ZERO,
        e_bfmi_min: nan,
        divergences: 0,
        gradients: progress(network).gradients,
        chains_used: 0,
        chains_dropped: 0,
    };
    for k in 0..network.traced_predictions() {
        let s = diagnostics::summary(&network.prediction_trace(k)?, scratch)?;
        out.rhat_max = -least(-out.rhat_max, -s.rhat);
        out.ess_bulk_min = least(out.ess_bulk_min, s.ess_bulk);
        out.ess_tail_min = least(out.ess_tail_min, s.ess_tail);
    }
    let chains = network.options().chains;
    for c in 0..chains as usize {
        out.e_bfmi_min = least(out.e_bfmi_min, diagnostics::e_bfmi(&energy, c));
        out.acceptance += network.acceptance(c) / T::of_u32(chains);
        out.divergences = out.divergences.saturating_add(network.divergences(c) as u64);
        if network.dropped(c) {
            out.chains_dropped = out.chains_dropped.saturating_add(1);
        } else {
            out.chains_used = out.chains_used.saturating_add(1);
        }
    }
    Ok(out)
}

/// Bytes of the image and of the scratch of so many prior draws.
pub(crate) fn prior_size<T: AnyLanes>(
    network: &NetworkRegressor<'_, T>,
    draws: usize,
) -> Result<(usize, usize), lcc_status> {
    if draws == 0 {
        return Err(lcc_status::LCC_ERROR_DRAWS);
    }
    let (bytes, values) = network.prior_size(draws)?;
    let mut measure = Measure::new();
    let _: &mut [T] = measure.take(values)?;
    Ok((bytes, measure.bytes()))
}

pub(crate) fn write_prior<T: AnyLanes>(
    network: &NetworkRegressor<'_, T>,
    seed: u64,
    draws: usize,
    scratch: &mut [u8],
    model: &mut [u8],
) -> Result<usize, lcc_status> {
    let (bytes, _) = prior_size(network, draws)?;
    let (_, values) = network.prior_size(draws)?;
    let scratch = Memory::new(scratch)?.take(values)?;
    if model.len() < bytes {
        return Err(lcc_status::LCC_ERROR_MEMORY_SIZE);
    }
    Ok(network.write_prior(seed, draws, scratch, model)?)
}

/// The smaller of two numbers; the other where one is NaN.
fn least<T: AnyLanes>(a: T, b: T) -> T {
    if b < a || !(a <= T::INFINITY) { b } else { a }
}
