//! Samplers

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::handle;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::sampler::{Column, Progress, Sampler, SamplerOptions};

/// A sampler of a posterior, in the caller's memory.
pub struct lcc_sampler_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_sampler_f64 {
    const KIND: Kind = Kind::Sampler;
    type Real = f64;
}

/// What a sampler is asked to do.
pub type lcc_sampler_options_f64 = SamplerOptions<f64>;

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open<'a>(sampler: *const lcc_sampler_f64) -> Result<Sampler<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(sampler)? };
    Ok(Sampler::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_options_default_f64(
    options: *mut lcc_sampler_options_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a sampler takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param problem  what to sample
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_COUPLING, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_size_f64(
    options: *const lcc_sampler_options_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        let size = Sampler::size(&options, &problem)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a sampler at the start of a block of memory. Reads the data, and for a coupled method forms
/// rho and its d x d factor (3 n d^2 flops). Chains start at draws from the prior in the first step.
///
/// @param memory   lcc_sampler_size_f64 bytes, aligned to 16
/// @param bytes    the bytes at memory
/// @param options  what to do
/// @param problem  what to sample
/// @param data     its data
/// @param sampler  out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
///         LCC_ERROR_NO_COUPLING, LCC_ERROR_REDUCED, LCC_ERROR_NO_GRADIENT, LCC_ERROR_NO_PILOT,
///         LCC_ERROR_NEEDS_BALL, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_sampler_options_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    sampler: *mut *mut lcc_sampler_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        raw::writable(sampler)?;
        let size = Sampler::size(&options, &problem)?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, sampler, |block| {
                Sampler::init(block, &options, handle::isa(portable), &problem)
                    .map(|o| note::sampler(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
/// chains) is never split: a call overshoots by less than (leapfrogs + 1) * n * lanes
/// (hit-and-run: 65 * n * lanes for each of its lines, mostly 10). Each call also
/// reads the data once to know them again, so give it many times n.
///
/// @param sampler  the handle
/// @param problem  what it was made with
/// @param data     its data, unchanged
/// @param budget   rows of data times chains to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED,
///         LCC_ERROR_NOT_FINITE_VALUE (the density is not finite at a start), or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_step_f64(
    sampler: *mut lcc_sampler_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut object, problem) = unsafe { (open(sampler)?, problem::read(problem, data)?) };
        let status = object.step(&problem, budget);
        let now = note::sampler(&object);
        // SAFETY: as above.
        unsafe { handle::note(sampler, now)? };
        Ok(match status? {
            Progress::Running => lcc_status::LCC_RUNNING,
            Progress::Done => lcc_status::LCC_DONE,
        })
    })
}

/// Mean and variance of each coordinate of w over all draws of one chain so far, stored or not.
///
/// @param sampler   the handle
/// @param chain     which
/// @param mean      out: dim values
/// @param variance  out: dim values (denominator draws - 1; NaN below two draws)
/// @param dim       lcc_problem_dim_f64
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_moments_f64(
    sampler: *const lcc_sampler_f64,
    chain: usize,
    mean: *mut f64,
    variance: *mut f64,
    dim: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let sampler = unsafe { open(sampler)? };
        if dim < sampler.dim() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        if chain >= sampler.options().chains as usize {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        // SAFETY: as above.
        let (mean, variance) = unsafe {
            (raw::slice_mut(mean, sampler.dim())?, raw::slice_mut(variance, sampler.dim())?)
        };
        for (j, (m, v)) in mean.iter_mut().zip(variance).enumerate() {
            if let Some(moments) = sampler.moments(chain, Column::Weight(j)) {
                (*m, *v) = (moments.mean, moments.variance);
            }
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// R-hat of one coordinate from the means and variances of the chains, over every draw so far, stored
/// or not (Gelman and Rubin 1992: not split, not rank-normalised; blind to a drift that all chains
/// share). The check that is left where there is no memory for draws.
///
/// @param sampler     the handle
/// @param coordinate  of w
/// @param rhat        out: NaN for one chain
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
///         second draw
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_rhat_f64(
    sampler: *const lcc_sampler_f64,
    coordinate: usize,
    rhat: *mut f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let sampler = unsafe { open(sampler)? };
        if coordinate >= sampler.dim() {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        let value = crate::sampler::rhat(&sampler, coordinate)?;
        // SAFETY: as above.
        unsafe { raw::write(rhat, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The step size of one chain, in radians of the rotation under the reference.
///
/// @param sampler    the handle
/// @param chain      which
/// @param step_size  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_step_size_f64(
    sampler: *const lcc_sampler_f64,
    chain: usize,
    step_size: *mut f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let sampler = unsafe { open(sampler)? };
        let value = sampler.step_size(chain).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        // SAFETY: as above.
        unsafe { raw::write(step_size, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Puts chains together that ran apart, in threads, processes or machines: takes over the chains of parts
/// and becomes, in everything that it reports or goes on to draw, bit for bit the sampler that would have run
/// them all.
///
/// Parts are handles of the same data and options, chains, first_chain, lanes and portable apart, in the
/// order of their chains and without a gap. All stand at the same place, between iterations of all chains: at their
/// end, or where steps of a budget of 1, which never go past one, have brought them. What the sampler
/// held before does not matter: a part may as well be made from a whole, to go on with its share. Parts from other
/// processes come as checkpoints. Copies, no flops.
///
/// @param sampler   the handle: made as if to run all chains
/// @param parts    handles, none of them this one; unchanged
/// @param count    how many
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_PARTS
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_join_f64(
    sampler: *mut lcc_sampler_f64,
    parts: *const *const lcc_sampler_f64,
    count: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut whole, parts) = unsafe { (open(sampler)?, raw::slice(parts, count)?) };
        if parts.contains(&sampler.cast_const()) {
            return Err(lcc_status::LCC_ERROR_PARTS);
        }
        // SAFETY: as above; one part at a time.
        whole.join(parts.iter().map(|part| unsafe { open(*part) }))?;
        let now = note::sampler(&whole);
        // SAFETY: as above.
        unsafe { handle::note(sampler, now)? };
        Ok(lcc_status::LCC_OK)
    })
}
