//! Names

use crate::raw::{self, Outcome};
use crate::status::lcc_status;
use core::ffi::c_char;
use lcc_core::activation::Activation;
use lcc_core::sampler::Method;

/// tanh(z)
pub const LCC_ACTIVATION_TANH: i32 = 0;
/// 1 / (1 + exp(-z))
pub const LCC_ACTIVATION_LOGISTIC: i32 = 1;
/// log(1 + exp(z))
pub const LCC_ACTIVATION_SOFTPLUS: i32 = 2;
/// max(z, 0)^2 / 2
pub const LCC_ACTIVATION_SQUARED_RELU: i32 = 3;
/// erf(z)
pub const LCC_ACTIVATION_ERF: i32 = 4;
/// sin(z)
pub const LCC_ACTIVATION_SINE: i32 = 5;
/// exp(-z^2 / 2)
pub const LCC_ACTIVATION_GAUSSIAN_BUMP: i32 = 6;
/// z Phi(z), Phi the standard normal distribution function
pub const LCC_ACTIVATION_GELU: i32 = 7;
/// z / (1 + exp(-z))
pub const LCC_ACTIVATION_SILU: i32 = 8;
/// arctan(z)
pub const LCC_ACTIVATION_ARCTAN: i32 = 9;

/// HMC with exact rotations under the Gaussian reference.
pub const LCC_METHOD_SPLIT_HMC: i32 = 0;
/// xi given w, then w given xi: exact, and log-concave inside.
pub const LCC_METHOD_GIBBS: i32 = 1;
/// Langevin on the score of p(xi) with an inner chain: biased in its step and inner length.
pub const LCC_METHOD_XI_LANGEVIN: i32 = 2;
/// HMC by leapfrog steps of the whole log density: exact; split HMC is mostly the better.
pub const LCC_METHOD_HMC: i32 = 3;
/// Metropolis-adjusted Langevin, HMC of one step adapted to acceptance .574: exact, a cheap iteration.
pub const LCC_METHOD_MALA: i32 = 4;
/// Unadjusted Langevin: biased in its step.
pub const LCC_METHOD_LANGEVIN: i32 = 5;
/// Random-walk Metropolis, adapted to acceptance .234: exact, no gradients, slow in many dimensions.
pub const LCC_METHOD_RANDOM_WALK: i32 = 6;
/// Metropolis with proposals from the prior: exact, no gradients, for posteriors close to the prior.
pub const LCC_METHOD_INDEPENDENCE: i32 = 7;
/// From noise to data along the laws of the noised xi: biased in its levels and inner length.
pub const LCC_METHOD_REVERSE_DIFFUSION: i32 = 8;
/// Random lines through w in the l1 ball, needing the l1 prior as all below: exact, no gradients, no step
/// size; exact draws along lines for squared ReLU.
pub const LCC_METHOD_HIT_AND_RUN: i32 = 9;
/// The same along the coordinates, all of them in an iteration.
pub const LCC_METHOD_COORDINATE_HIT_AND_RUN: i32 = 10;
/// Metropolis with uniform steps in a Euclidean ball: exact, no gradients, for comparisons.
pub const LCC_METHOD_BALL_WALK: i32 = 11;
/// Metropolis with Gaussian steps in the metric of a barrier: exact, no gradients, for densities that
/// fill the l1 ball.
pub const LCC_METHOD_DIKIN: i32 = 12;
/// Metropolis-adjusted Langevin in the dual coordinates of the same barrier: exact.
pub const LCC_METHOD_MIRROR_LANGEVIN: i32 = 13;
/// HMC with reflection at the facets of the l1 ball: exact.
pub const LCC_METHOD_REFLECTION: i32 = 14;

/// The prior.
pub const LCC_REFERENCE_PRIOR: i32 = 0;
/// A Gaussian fitted to a pilot, of SMC to its own particles: for posteriors far from the prior.
pub const LCC_REFERENCE_GAUSSIAN: i32 = 1;
/// Student's t with 8 degrees of freedom about the same fit: independence Metropolis only.
pub const LCC_REFERENCE_STUDENT_T: i32 = 2;
/// A mixture of Student's t fitted to clusters of a pilot, which goes from mode to mode: independence
/// Metropolis only.
pub const LCC_REFERENCE_MIXTURE: i32 = 3;

/// The longest name.
const LONGEST: usize = 32;

/// Looks a C string up among names.
///
/// # Safety
/// `name`, if not NULL, is zero-terminated.
unsafe fn look_up(
    name: *const c_char,
    mut find: impl FnMut(&str) -> Option<i32>,
) -> Result<i32, lcc_status> {
    // SAFETY: a zero-terminated string has at least its zero.
    unsafe { raw::reference(name)? };
    let mut text = [0u8; LONGEST];
    let mut length = None;
    for (k, byte) in text.iter_mut().enumerate() {
        // SAFETY: no byte before this one was zero, so the string reaches here.
        *byte = unsafe { name.add(k).read() } as u8;
        if *byte == 0 {
            length = Some(k);
            break;
        }
    }
    length
        .and_then(|n| text.get(..n))
        .and_then(|t| core::str::from_utf8(t).ok())
        .and_then(&mut find)
        .ok_or(lcc_status::LCC_ERROR_NAME)
}

/// The code of an activation's name: tanh logistic softplus squared_relu erf sine gaussian_bump gelu
/// silu arctan.
///
/// @param name        zero-terminated
/// @param activation  out: an LCC_ACTIVATION_ code
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NAME
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_activation_from_name(
    name: *const c_char,
    activation: *mut i32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let code = unsafe { look_up(name, |t| Activation::from_name(t).map(|a| a as i32))? };
        // SAFETY: as above.
        unsafe { raw::write(activation, code)? };
        Outcome::Ok(lcc_status::LCC_OK)
    })
}

/// The name of an activation; NULL past the last, so that a loop from 0 lists them.
///
/// @param activation  an LCC_ACTIVATION_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_activation_name(activation: i32) -> *const c_char {
    Activation::from_code(activation).map_or(core::ptr::null(), |a| a.c_name().as_ptr().cast())
}

/// The code of a sampling method's name: split-hmc gibbs xi-langevin hmc mala langevin random-walk
/// independence reverse-diffusion hit-and-run coordinate-hit-and-run ball-walk dikin mirror-langevin
/// reflection.
///
/// @param name    zero-terminated
/// @param method  out: an LCC_METHOD_ code
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NAME
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_method_from_name(name: *const c_char, method: *mut i32) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let code = unsafe { look_up(name, |t| Method::from_name(t).map(|m| m as i32))? };
        // SAFETY: as above.
        unsafe { raw::write(method, code)? };
        Outcome::Ok(lcc_status::LCC_OK)
    })
}

/// The name of a sampling method; NULL past the last, so that a loop from 0 lists them.
///
/// @param method  an LCC_METHOD_ code
#[unsafe(no_mangle)]
pub extern "C" fn lcc_method_name(method: i32) -> *const c_char {
    Method::from_code(method).map_or(core::ptr::null(), |m| m.c_name().as_ptr().cast())
}
