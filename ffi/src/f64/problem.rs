//! Problems

use crate::f64::data::lcc_data_f64;
use crate::problem::{Raw, scratch_of};
use crate::raw;
use crate::status::lcc_status;
use lcc_core::problem::Problem;

/// A posterior to sample. Its data are handed in beside it.
///
/// Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
/// Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
/// p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_problem_f64 {
    /// sizeof(lcc_problem_f64), set by lcc_problem_default_f64.
    pub struct_size: u32,
    /// LCC_POSTERIOR_GREEDY or LCC_POSTERIOR_JOINT. Default: greedy.
    pub posterior: i32,
    /// An LCC_ACTIVATION_ code. Default: tanh.
    pub activation: i32,
    /// LCC_PRIOR_GAUSSIAN or LCC_PRIOR_L1_BALL. Default: Gaussian.
    pub prior: i32,
    /// Joint: LCC_SIGNS_ALTERNATING (+ - + - ...) or LCC_SIGNS_POSITIVE. Default: alternating.
    pub signs: i32,
    /// Joint: the neurons M, at least 1. Default 8.
    pub neurons: u32,
    /// The prior's sd, or the radius of the l1 ball: positive. Default 1.
    pub scale: f64,
    /// Greedy: alpha, positive. Default 1/sqrt(n).
    pub alpha: f64,
    /// Joint: the outer weight V, positive. Default 4.
    pub outer: f64,
    /// Joint: the noise's precision beta, positive. Default 1.
    pub beta: f64,
}

/// The fields of a problem.
pub(crate) fn raw(p: &lcc_problem_f64) -> Raw<f64> {
    Raw {
        posterior: p.posterior,
        activation: p.activation,
        prior: p.prior,
        signs: p.signs,
        neurons: p.neurons,
        scale: p.scale,
        alpha: p.alpha,
        outer: p.outer,
        beta: p.beta,
    }
}

/// # Safety
/// Valid or NULL pointers, unwritten during `'a`.
pub(crate) unsafe fn read<'a>(
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
) -> Result<Problem<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let p = unsafe { raw::sized(problem)? };
    // SAFETY: as above.
    let data = unsafe { raw::reference(data)?.raw().dataset()? };
    self::raw(&p).build(data)
}

/// Writes the defaults: a greedy posterior with tanh under N(0, I), alpha = 1/sqrt(n).
///
/// @param problem  out
/// @param n        the rows of the data that will go with it, at least 1
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_default_f64(problem: *mut lcc_problem_f64, n: usize) -> i32 {
    raw::call(|| {
        let r = Raw::<f64>::new(n)?;
        let value = lcc_problem_f64 {
            struct_size: size_of::<lcc_problem_f64>() as u32,
            posterior: r.posterior,
            activation: r.activation,
            prior: r.prior,
            signs: r.signs,
            neurons: r.neurons,
            scale: r.scale,
            alpha: r.alpha,
            outer: r.outer,
            beta: r.beta,
        };
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(problem, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The coordinates of w: d (greedy) or M d (joint; w_1 first).
///
/// @param problem  the posterior
/// @param data     its data
/// @param dim      out
/// @return LCC_OK, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_dim_f64(
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    dim: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = unsafe { read(problem, data)? }.dim();
        // SAFETY: as above.
        unsafe { raw::write(dim, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of scratch that lcc_problem_log_density_f64 needs.
///
/// @param problem  the posterior
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_scratch_f64(
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = scratch_of(&unsafe { read(problem, data)? })?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// log p(w) up to the posterior's own constant (the prior is normalised) and its gradient: what the
/// samplers see, and a density for any other program. 4 n dim flops and n activations (n M for the
/// joint posterior). Outside the l1 ball the density is -infinity and the gradient that of the
/// likelihood alone.
///
/// @param problem      the posterior
/// @param data         its data
/// @param w            dim values
/// @param scratch      lcc_problem_scratch_f64 bytes, aligned to 16
/// @param bytes        the bytes at scratch
/// @param log_density  out
/// @param gradient     out: dim values
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_log_density_f64(
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    w: *const f64,
    scratch: *mut u8,
    bytes: usize,
    log_density: *mut f64,
    gradient: *mut f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let problem = unsafe { read(problem, data)? };
        let dim = problem.dim();
        raw::writable(log_density)?;
        // SAFETY: as above.
        let (w, gradient, scratch) = unsafe {
            (raw::slice(w, dim)?, raw::slice_mut(gradient, dim)?, raw::slice_mut(scratch, bytes)?)
        };
        let value = crate::problem::log_density(&problem, w, gradient, scratch)?;
        // SAFETY: as above.
        unsafe { raw::write(log_density, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
