// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! What the chains of a regressor say about themselves

use crate::f32::draws::lcc_draws_f32;
use crate::f32::network::{lcc_network_f32, open};
use crate::network;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::diagnostics;

/// What the chains say about themselves. Predictions are judged, not weights: neurons may be permuted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_network_diagnosis_f32 {
    /// The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
    /// different modes: the model is their ensemble, and that is no convergence.
    pub rhat_max: f32,
    /// The smallest bulk effective sample size of them.
    pub ess_bulk_min: f32,
    /// The smallest tail effective sample size of them.
    pub ess_tail_min: f32,
    /// The mean probability of acceptance.
    pub acceptance: f32,
    /// The smallest E-BFMI of a chain: below .3 is bad.
    pub e_bfmi_min: f32,
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
pub struct lcc_network_chain_f32 {
    /// The mean log likelihood of a training row, in standardised units: what chains are dropped by.
    pub log_likelihood: f32,
    /// The mean probability of acceptance.
    pub acceptance: f32,
    /// E-BFMI: below .3 is bad.
    pub e_bfmi: f32,
    /// Transitions of the draws that diverged.
    pub divergences: u64,
    /// 1: left out of the model; 0: in it.
    pub dropped: u32,
    /// Must be ignored.
    pub reserved: u32,
}

/// The bytes of scratch that lcc_network_diagnose_f32 needs.
///
/// @param network  the handle
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_diagnose_scratch_f32(
    network: *const lcc_network_f32,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = network::report_scratch(&unsafe { open(network)? })?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// What the chains say about themselves, by the draws made so far.
///
/// @param network  the handle
/// @param scratch  lcc_network_diagnose_scratch_f32 bytes, aligned to 16
/// @param bytes    the bytes at scratch
/// @param diagnosis   out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_diagnose_f32(
    network: *const lcc_network_f32,
    scratch: *mut u8,
    bytes: usize,
    diagnosis: *mut lcc_network_diagnosis_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (network, scratch) = unsafe { (open(network)?, raw::slice_mut(scratch, bytes)?) };
        raw::writable(diagnosis)?;
        let r = network::report(&network, scratch)?;
        let value = lcc_network_diagnosis_f32 {
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
        // SAFETY: as above.
        unsafe { raw::write(diagnosis, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// What one chain has done: which of them was left out of the model, and why.
///
/// @param network  the handle
/// @param chain    which
/// @param out      out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_diagnose_chain_f32(
    network: *const lcc_network_f32,
    chain: usize,
    out: *mut lcc_network_chain_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let network = unsafe { open(network)? };
        if chain >= network.options().chains as usize {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        let energy = network::trace(&network, network::LCC_NETWORK_TRACE_ENERGY, 0)?;
        let value = lcc_network_chain_f32 {
            log_likelihood: network.mean_log_likelihood(chain),
            acceptance: network.acceptance(chain),
            e_bfmi: diagnostics::e_bfmi(&energy, chain),
            divergences: network.divergences(chain) as u64,
            dropped: network.dropped(chain) as u32,
            reserved: 0,
        };
        // SAFETY: as above.
        unsafe { raw::write(out, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// One recorded quantity at every draw so far, a view into the regressor's memory, valid until the
/// next step.
///
/// @param network   the handle
/// @param quantity  an LCC_NETWORK_TRACE_ code
/// @param index     for LCC_NETWORK_TRACE_PREDICTION: which of the traced training rows, else 0
/// @param draws     out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_network_trace_f32(
    network: *const lcc_network_f32,
    quantity: i32,
    index: usize,
    draws: *mut lcc_draws_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let network = unsafe { open(network)? };
        let view = network::trace(&network, quantity, index)?;
        // SAFETY: as above.
        unsafe { raw::write(draws, lcc_draws_f32::of(&view))? };
        Ok(lcc_status::LCC_OK)
    })
}
