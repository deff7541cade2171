//! What the chains of a regressor say about themselves

use crate::f64::draws::lcc_draws_f64;
use crate::f64::network::lcc_network_f64;
use crate::handle::open;
use crate::network;
use crate::raw;
use crate::status::lcc_status::*;
use lcc_core::diagnostics;

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

abi! {
    /// The bytes of scratch that lcc_network_diagnose_f64 needs.
    fn lcc_network_diagnose_scratch_f64(network: *const lcc_network_f64, bytes: *mut usize) {
        raw::write(bytes, network::report_scratch(&open(network)?)?)?;
    }

    /// What the chains say about themselves, by the draws made so far.
    ///
    /// @param scratch  lcc_network_diagnose_scratch_f64 bytes, aligned to 16
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_diagnose_f64(
        network: *const lcc_network_f64, scratch: *mut u8, bytes: usize,
        diagnosis: *mut lcc_network_diagnosis_f64,
    ) {
        let (network, scratch) = (open(network)?, raw::slice_mut(scratch, bytes)?);
        raw::writable(diagnosis)?;
        let r = network::report(&network, scratch)?;
        let value = lcc_network_diagnosis_f64 {
            rhat_max: r.rhat_max,
            ess_bulk_min: r.ess_bulk_min,
            ess_tail_min: r.ess_tail_min,
            acceptance: r.acceptance,
            e_bfmi_min: r.e_bfmi_min,
            divergences: r.divergences,
            gradients: r.gradients,
            chains_used: r.chains_used,
            chains_dropped: r.chains_dropped,
        };
        raw::write(diagnosis, value)?;
    }

    /// What one chain has done: which of them was left out of the model, and why.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_diagnose_chain_f64(
        network: *const lcc_network_f64, chain: usize, out: *mut lcc_network_chain_f64,
    ) {
        let network = open(network)?;
        raw::refuse(chain >= network.options().chains as usize, LCC_ERROR_INDEX)?;
        let energy = network::trace(&network, network::LCC_NETWORK_TRACE_ENERGY, 0)?;
        let value = lcc_network_chain_f64 {
            log_likelihood: network.mean_log_likelihood(chain),
            acceptance: network.acceptance(chain),
            e_bfmi: diagnostics::e_bfmi(&energy, chain),
            divergences: network.divergences(chain) as u64,
            dropped: network.dropped(chain) as u32,
            reserved: 0,
        };
        raw::write(out, value)?;
    }

    /// One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
    /// next step.
    ///
    /// @param quantity  an LCC_NETWORK_TRACE_ code
    /// @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_network_trace_f64(
        network: *const lcc_network_f64, quantity: i32, index: usize, draws: *mut lcc_draws_f64,
    ) {
        let network = open(network)?;
        let view = network::trace(&network, quantity, index)?;
        raw::write(draws, lcc_draws_f64::of(&view))?;
    }
}
