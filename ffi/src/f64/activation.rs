//! Activations

use crate::prelude::*;
use lcc_core::activation::Activation;

abi! {
    /// psi(z), psi'(z) and psi''(z), by the arithmetic of the samplers: the same bits on every machine.
    /// psi and psi' of NaN are NaN; psi'' of squared ReLU at 0 is 0, and of ReLU everywhere.
    ///
    /// @param activation  an LCC_ACTIVATION_ code
    /// @param z           where
    /// @param jet         out: three values
    /// @return LCC_ERROR_ACTIVATION
    fn lcc_activation_jet_f64(activation: i32, z: f64, jet: *mut f64) {
        let activation = Activation::from_code(activation).ok_or(LCC_ERROR_ACTIVATION)?;
        raw::fill(jet, 3, activation.jet(z).into_iter())?;
    }
}
