// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Problems

use crate::f32::data::lcc_data_f32;
use crate::handle;
use crate::problem::{LCC_POSTERIOR_USER, Raw, scratch_of};
use crate::raw;
use crate::status::lcc_status;
use core::ffi::{c_int, c_void};
use lcc_core::likelihood::LogDensity;
use lcc_core::problem::Problem;

/// log p(x) of your own, up to a constant: writes it to logp and, unless grad is NULL, its gradient to
/// grad (n values). Returns 0, or anything else where x is outside the support. Called for one chain at a
/// time, from the thread that calls the sampler; x, grad and logp are valid during the call only. The same
/// x must give the same bits wherever resumed or repeated runs are to agree: compile it with
/// -ffp-contract=off.
pub type lcc_density_f32 = Option<
    unsafe extern "C" fn(
        n: usize,
        x: *const f32,
        grad: *mut f32,
        logp: *mut f32,
        ctx: *mut c_void,
    ) -> c_int,
>;

/// A posterior to sample. Its data are handed in beside it.
///
/// Greedy: p(w) ~ exp(alpha sum_i y_i psi(x_i.w)) p0(w), w in R^d, the y_i being residuals.
/// Joint:  p(w_1..w_M) ~ exp(-(beta/2) sum_i (y_i - (outer/M) sum_m s_m psi(x_i.w_m))^2) prod p0(w_m).
/// p0 is N(0, scale^2 I), or uniform on the l1 ball of radius scale.
/// User:   p(x) by the callback, x in R^dim; no data (NULL), no prior. Chains start from N(0, scale^2 I),
/// which is also what split HMC solves exactly and what independence Metropolis proposes: make scale
/// about as large as the law is wide.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_problem_f32 {
    /// sizeof(lcc_problem_f32), set by lcc_problem_default_f32.
    pub struct_size: u32,
    /// LCC_POSTERIOR_GREEDY, LCC_POSTERIOR_JOINT or LCC_POSTERIOR_USER. Default: greedy.
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
    pub scale: f32,
    /// Greedy: alpha, positive. Default 1/sqrt(n).
    pub alpha: f32,
    /// Joint: the outer weight V, positive. Default 4.
    pub outer: f32,
    /// Joint: the noise's precision beta, positive. Default 1.
    pub beta: f32,
    /// User: the log density. Default NULL.
    pub density: lcc_density_f32,
    /// User: handed to the density. Default NULL.
    pub context: *mut c_void,
    /// User: the coordinates of x, at least 1. Default 0.
    pub dim: usize,
    /// User: 1 where the density writes gradients; 0 where it does not (grad is then always NULL), and
    /// random walk and independence are the methods. Default 1.
    pub gradient: u32,
    /// Must be 0.
    pub reserved: u32,
}

impl LogDensity<f32> for lcc_problem_f32 {
    fn evaluate(&self, x: &[f32], gradient: Option<&mut [f32]>) -> Option<f32> {
        let density = self.density?;
        let mut value = f32::NAN;
        let gradient = gradient.map_or(core::ptr::null_mut(), |g| g.as_mut_ptr());
        // SAFETY: x and gradient hold as many values as the callback is told.
        let status =
            unsafe { density(x.len(), x.as_ptr(), gradient, &raw mut value, self.context) };
        (status == 0).then_some(value)
    }
}

/// The fields of a problem.
pub(crate) fn raw(p: &lcc_problem_f32) -> Raw<f32> {
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
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
) -> Result<Problem<'a, f32>, lcc_status> {
    // SAFETY: the caller's promise.
    let p = unsafe { raw::sized(problem)? };
    if p.posterior == LCC_POSTERIOR_USER {
        if p.density.is_none() {
            return Err(lcc_status::LCC_ERROR_NULL);
        }
        if p.reserved != 0 {
            return Err(lcc_status::LCC_ERROR_SWITCH);
        }
        let gradient = handle::switch(p.gradient)?;
        // SAFETY: as above; its size was checked.
        let density = unsafe { raw::reference(problem)? };
        return Ok(Problem::user(density, p.dim, p.scale, gradient)?);
    }
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
pub unsafe extern "C" fn lcc_problem_default_f32(problem: *mut lcc_problem_f32, n: usize) -> i32 {
    raw::call(|| {
        let r = Raw::<f32>::new(n)?;
        let value = lcc_problem_f32 {
            struct_size: size_of::<lcc_problem_f32>() as u32,
            posterior: r.posterior,
            activation: r.activation,
            prior: r.prior,
            signs: r.signs,
            neurons: r.neurons,
            scale: r.scale,
            alpha: r.alpha,
            outer: r.outer,
            beta: r.beta,
            density: None,
            context: core::ptr::null_mut(),
            dim: 0,
            gradient: 1,
            reserved: 0,
        };
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(problem, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The coordinates of w: d (greedy), M d (joint; w_1 first) or dim (user).
///
/// @param problem  the posterior
/// @param data     its data
/// @param dim      out
/// @return LCC_OK, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_dim_f32(
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
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

/// The bytes of scratch that lcc_problem_log_density_f32 needs.
///
/// @param problem  the posterior
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_scratch_f32(
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
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
/// @param scratch      lcc_problem_scratch_f32 bytes, aligned to 16
/// @param bytes        the bytes at scratch
/// @param log_density  out
/// @param gradient     out: dim values
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_log_density_f32(
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    w: *const f32,
    scratch: *mut u8,
    bytes: usize,
    log_density: *mut f32,
    gradient: *mut f32,
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

/// The bytes of scratch that lcc_problem_draw_prior_f32 needs.
///
/// @param problem  the posterior
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_prior_scratch_f32(
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = crate::problem::prior_scratch(&unsafe { read(problem, data)? })?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Independent draws of w from the prior p0: out[k * dim + j] is coordinate j of draw k. One seed names
/// one sequence, so that more draws begin with the same ones.
///
/// @param problem  the posterior
/// @param data     its data, for their columns
/// @param seed     names the random numbers
/// @param draws    how many, at least 1
/// @param scratch  lcc_problem_prior_scratch_f32 bytes, aligned to 16
/// @param bytes    the bytes at scratch
/// @param out      out: draws * dim values
/// @param len      the values that fit at out
/// @return LCC_OK, LCC_ERROR_DRAWS, LCC_ERROR_CAPACITY, LCC_ERROR_OVERFLOW, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_MEMORY_ALIGN, or what is wrong with problem or data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_problem_draw_prior_f32(
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    seed: u64,
    draws: usize,
    scratch: *mut u8,
    bytes: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let problem = unsafe { read(problem, data)? };
        if draws == 0 {
            return Err(lcc_status::LCC_ERROR_DRAWS);
        }
        let needed = draws.checked_mul(problem.dim()).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let (out, scratch) =
            unsafe { (raw::slice_mut(out, needed)?, raw::slice_mut(scratch, bytes)?) };
        crate::problem::draw_prior(&problem, seed, scratch, out)?;
        Ok(lcc_status::LCC_OK)
    })
}
