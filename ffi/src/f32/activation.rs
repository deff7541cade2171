// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Activations

use crate::raw;
use crate::status::lcc_status;
use lcc_core::activation::Activation;

/// psi(z), psi'(z) and psi''(z), by the arithmetic of the samplers: the same bits on every machine.
/// psi and psi' of NaN are NaN; psi'' of squared ReLU at 0 is 0.
///
/// @param activation  an LCC_ACTIVATION_ code
/// @param z           where
/// @param jet         out: three values
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_ACTIVATION
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_activation_jet_f32(activation: i32, z: f32, jet: *mut f32) -> i32 {
    raw::call(|| {
        let activation =
            Activation::from_code(activation).ok_or(lcc_status::LCC_ERROR_ACTIVATION)?;
        // SAFETY: the header asks for valid pointers.
        let out = unsafe { raw::slice_mut(jet, 3)? };
        out.iter_mut().zip(activation.jet(z)).for_each(|(o, v)| *o = v);
        Ok(lcc_status::LCC_OK)
    })
}
