//! What a Bayesian network is

use crate::status::lcc_status::*;
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::network::Output;

/// What a Bayesian network is asked to be and to do. The defaults need no tuning.
pub type lcc_bnn_options_f64 = BnnOptions<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_bnn_options_default_f64() -> (options: lcc_bnn_options_f64) {
        BnnOptions::default()
    }

    /// Writes the defaults that suit a method and an output, with hidden layers (1) or without (0): units, activation,
    /// scales, draws and steps, alike in every host. LCC_INFERENCE_CHAINS has those of lcc_bnn_options_default_f64.
    ///
    /// @param method  an LCC_INFERENCE_ code
    /// @param output  an LCC_OUTPUT_ code
    /// @return LCC_ERROR_METHOD, LCC_ERROR_OUTPUT: codes that are none; LCC_ERROR_SWITCH (hidden)
    fn lcc_bnn_options_for_f64(
        method: i32, output: i32, hidden: i32,
    ) -> (options: lcc_bnn_options_f64) {
        let method = BnnMethod::from_code(method).ok_or(LCC_ERROR_METHOD)?;
        let output = Output::from_code(output).ok_or(LCC_ERROR_OUTPUT)?;
        BnnOptions::of(method, output, crate::handle::switch(hidden as u32)?)
    }
}
