//! What a Bayesian network is

use lcc_core::estimator::BnnOptions;

/// What a Bayesian network is asked to be and to do. The defaults need no tuning.
pub type lcc_bnn_options_f64 = BnnOptions<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_bnn_options_default_f64() -> (options: lcc_bnn_options_f64) {
        BnnOptions::default()
    }
}
