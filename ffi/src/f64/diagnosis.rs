//! What the chains of a regressor say about themselves

use crate::f64::draws::lcc_draws_f64;
use crate::f64::network::lcc_network_f64;
use crate::network::*;
use crate::note;
use crate::prelude::*;
use lcc_core::diagnostics::{self, Draws, DrawsError};
use lcc_core::estimator::NetworkRegressor;

/// What the chains say about themselves. Predictions are judged, not weights: neurons may be permuted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_network_diagnosis_f64 {
    /// The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
    /// different modes: the model is their ensemble, and that is no convergence.
    pub rhat_max: f64,
    /// The smallest bulk effective sample size of them.
    pub ess_bulk_min: f64,
    /// The smallest tail effective sample size of them.
    pub ess_tail_min: f64,
    /// The mean probability of acceptance.
    pub acceptance: f64,
    /// The smallest E-BFMI of a chain: below .3 is bad.
    pub e_bfmi_min: f64,
    /// Transitions of the draws that diverged.
    pub divergences: u64,
    /// Passes over the data, summed over chains.
    pub gradients: u64,
    /// Chains in the model.
    pub chains_used: u32,
    /// Chains left out of it.
    pub chains_dropped: u32,
}

/// One chain of a regressor, by its draws so far.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_network_chain_f64 {
    /// The mean log likelihood of a training row, in standardised units: what chains are dropped by.
    pub log_likelihood: f64,
    /// The mean probability of acceptance.
    pub acceptance: f64,
    /// E-BFMI: below .3 is bad.
    pub e_bfmi: f64,
    /// Transitions of the draws that diverged.
    pub divergences: u64,
    /// 1: left out of the model; 0: in it.
    pub dropped: u32,
    /// Must be ignored.
    pub reserved: u32,
}

/// A recorded quantity.
fn trace<'a>(
    network: &'a NetworkRegressor<'_, f64>,
    quantity: i32,
    index: usize,
) -> Result<Draws<'a, f64>, lcc_status> {
    raw::refuse(network.progress().draws == 0, LCC_ERROR_NOT_DONE)?;
    let draws = match (quantity, index) {
        (LCC_NETWORK_TRACE_LOG_LIKELIHOOD, 0) => network.log_likelihood_trace(),
        (LCC_NETWORK_TRACE_ACCEPT, 0) => network.acceptance_trace(),
        (LCC_NETWORK_TRACE_DIVERGENT, 0) => network.divergence_trace(),
        (LCC_NETWORK_TRACE_ENERGY, 0) => network.energy_trace(),
        (LCC_NETWORK_TRACE_PREDICTION, k) if k < network.traced_predictions() => {
            network.prediction_trace(k)
        }
        _ => return Err(LCC_ERROR_INDEX),
    };
    Ok(draws?)
}

/// The values of scratch of a summary.
fn scratch_of(network: &NetworkRegressor<'_, f64>) -> Result<[usize; 1], lcc_status> {
    let (chains, draws) = (network.options().chains, network.options().draws);
    let values = diagnostics::scratch_len(chains as usize, draws as usize);
    Ok([values.ok_or(LCC_ERROR_OVERFLOW)?])
}

/// The smaller of two numbers; the other where one is NaN.
fn least(a: f64, b: f64) -> f64 {
    if b < a || !(a <= f64::INFINITY) { b } else { a }
}

/// The largest R-hat of predictions, and their smallest effective sample sizes of the bulk and of the tails.
pub(crate) fn worst<'a>(
    predictions: impl Iterator<Item = Result<Draws<'a, f64>, DrawsError>>,
    scratch: &mut [f64],
) -> Result<[f64; 3], lcc_status> {
    let [mut rhat, mut bulk, mut tail] = [f64::NAN; 3];
    for prediction in predictions {
        let s = diagnostics::summary(&prediction?, scratch)?;
        rhat = -least(-rhat, -s.rhat);
        bulk = least(bulk, s.ess_bulk);
        tail = least(tail, s.ess_tail);
    }
    Ok([rhat, bulk, tail])
}

abi! {
    /// The bytes of scratch that lcc_network_diagnose_f64 needs.
    fn lcc_network_diagnose_scratch_f64(network: *const lcc_network_f64) -> (bytes: usize) {
        raw::scratch_size::<f64, _>(scratch_of(&open(network)?)?)?
    }

    /// What the chains say about themselves, by the draws made so far.
    ///
    /// @param scratch  lcc_network_diagnose_scratch_f64 bytes
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_diagnose_f64(
        network: *const lcc_network_f64, scratch: *mut u8, bytes: usize,
    ) -> (diagnosis: lcc_network_diagnosis_f64) {
        let network = open(network)?;
        let [scratch] = raw::scratch(scratch, bytes, scratch_of(&network)?)?;
        let energy = trace(&network, LCC_NETWORK_TRACE_ENERGY, 0)?;
        let chains = network.options().chains;
        let predictions = (0..network.traced_predictions()).map(|k| network.prediction_trace(k));
        let [rhat_max, ess_bulk_min, ess_tail_min] = worst(predictions, scratch)?;
        let mut out = lcc_network_diagnosis_f64 {
            rhat_max,
            ess_bulk_min,
            ess_tail_min,
            acceptance: 0.0,
            e_bfmi_min: f64::NAN,
            divergences: 0,
            gradients: note::network(&network).progress.gradients,
            chains_used: 0,
            chains_dropped: 0,
        };
        for c in 0..chains as usize {
            out.e_bfmi_min = least(out.e_bfmi_min, diagnostics::e_bfmi(&energy, c));
            out.acceptance += network.acceptance(c) / chains as f64;
            out.divergences = out.divergences.saturating_add(network.divergences(c) as u64);
            out.chains_dropped = out.chains_dropped.saturating_add(network.dropped(c) as u32);
        }
        out.chains_used = chains.saturating_sub(out.chains_dropped);
        out
    }

    /// What one chain has done: which of them was left out of the model, and why.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_diagnose_chain_f64(
        network: *const lcc_network_f64, chain: usize,
    ) -> (out: lcc_network_chain_f64) {
        let network = open(network)?;
        raw::refuse(chain >= network.options().chains as usize, LCC_ERROR_INDEX)?;
        let energy = trace(&network, LCC_NETWORK_TRACE_ENERGY, 0)?;
        lcc_network_chain_f64 {
            log_likelihood: network.mean_log_likelihood(chain),
            acceptance: network.acceptance(chain),
            e_bfmi: diagnostics::e_bfmi(&energy, chain),
            divergences: network.divergences(chain) as u64,
            dropped: network.dropped(chain) as u32,
            reserved: 0,
        }
    }

    /// One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
    /// next step.
    ///
    /// @param quantity  an LCC_NETWORK_TRACE_ code
    /// @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_trace_f64(
        network: *const lcc_network_f64, quantity: i32, index: usize,
    ) -> (draws: lcc_draws_f64) {
        lcc_draws_f64::of(&trace(&open(network)?, quantity, index)?)
    }
}
