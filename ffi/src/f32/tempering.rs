// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Parallel tempering

use crate::f32::data::lcc_data_f32;
use crate::f32::draws::lcc_draws_f32;
use crate::f32::problem::{self, lcc_problem_f32};
use crate::f32::sampler;
use crate::handle;
use crate::raw;
use crate::recorded::{self, Recorded};
use crate::sampler::lcc_progress;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::scalar::Real;
use lcc_core::tempering::{Column, Progress, Tempering, TemperingOptions};

/// Chains of replicas between the prior and the posterior, in the caller's memory.
pub struct lcc_tempering_f32 {
    _private: [u8; 0],
}

/// What parallel tempering is asked to do.
pub type lcc_tempering_options_f32 = TemperingOptions<f32>;

/// One temperature of one chain, over the draws so far.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_rung_f32 {
    /// lambda.
    pub temperature: f32,
    /// The mean probability of acceptance of the transitions; NaN before there are any.
    pub acceptance: f32,
    /// The mean probability of a swap with the rung below; NaN before any was proposed.
    pub swap: f32,
    /// The step size, in radians of the prior's rotation.
    pub step: f32,
}

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open<'a>(tempering: *const lcc_tempering_f32) -> Result<Tempering<'a, f32>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(tempering)? };
    Ok(Tempering::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_options_default_f32(
    options: *mut lcc_tempering_options_f32,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that tempering takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param problem  what to sample
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_size_f32(
    options: *const lcc_tempering_options_f32,
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        let size = Tempering::size(&options, &problem)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds the chains at the start of a block of memory. Replicas start at draws from the prior in the
/// first step. Temperatures at which SMC keeps half of its particles serve well (lcc_smc_stage_f32).
///
/// @param memory        lcc_tempering_size_f32 bytes, aligned to 16
/// @param bytes         the bytes at memory
/// @param options       what to do
/// @param temperatures  increasing, above 0, the last one 1; they are copied
/// @param count         how many: options.temperatures
/// @param problem       what to sample
/// @param data          its data
/// @param tempering     out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
///         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_init_f32(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_tempering_options_f32,
    temperatures: *const f32,
    count: usize,
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    tempering: *mut *mut lcc_tempering_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        raw::writable(tempering)?;
        // SAFETY: as above.
        let temperatures = unsafe { raw::slice(temperatures, count)? };
        let size = Tempering::size(&options, &problem)?;
        let portable = options.portable.on();
        let isa = handle::isa(portable);
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, |block| {
                Tempering::init(block, &options, temperatures, isa, &problem).map(|_| ())
            })?;
            raw::write(tempering, memory.cast())?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Works until the budget is used up, or to the end. A unit of work (one rung of a block of chains) is
/// never split. Each call also reads the data once to know them again, so give it many times n.
///
/// @param tempering  the handle
/// @param problem    what it was made with
/// @param data       its data, unchanged
/// @param budget     rows of data times chains to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
///         likelihood is not finite at a draw from the prior), or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_step_f32(
    tempering: *mut lcc_tempering_f32,
    problem: *const lcc_problem_f32,
    data: *const lcc_data_f32,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut tempering, problem) = unsafe { (open(tempering)?, problem::read(problem, data)?) };
        Ok(match tempering.step(&problem, budget)? {
            Progress::Running => lcc_status::LCC_RUNNING,
            Progress::Done => lcc_status::LCC_DONE,
        })
    })
}

/// Where the chains are. A unit of their work is one iteration of every chain.
///
/// @param tempering  the handle
/// @param progress   out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_progress_f32(
    tempering: *const lcc_tempering_f32,
    progress: *mut lcc_progress,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let tempering = unsafe { open(tempering)? };
        let p = tempering.position();
        let value = lcc_progress {
            done: p.iterations as u64,
            total: p.total as u64,
            draws: p.draws as u64,
            gradients: tempering.evaluations().saturating_mul(tempering.options().chains as u64),
            warming: p.warming_up() as u32,
            reserved: 0,
        };
        // SAFETY: as above.
        unsafe { raw::write(progress, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// # Safety
/// As the functions below.
unsafe fn column(
    tempering: *const lcc_tempering_f32,
    column: Column,
    out: *mut lcc_draws_f32,
) -> Result<lcc_status, lcc_status> {
    // SAFETY: the caller's promise.
    let tempering = unsafe { open(tempering)? };
    column.of_particles(tempering.dim()).ok_or(lcc_status::LCC_ERROR_INDEX)?;
    let draws = tempering.draws(column).ok_or(lcc_status::LCC_ERROR_NOT_DONE)?;
    // SAFETY: as above.
    unsafe { raw::write(out, lcc_draws_f32::of(&draws))? };
    Ok(lcc_status::LCC_OK)
}

/// The stored draws of one coordinate of w at temperature 1 so far: a view into the memory, valid until
/// the next step.
///
/// @param tempering   the handle
/// @param coordinate  below lcc_problem_dim_f32 (neuron m's coordinate j is m * d + j)
/// @param draws       out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_draws_f32(
    tempering: *const lcc_tempering_f32,
    coordinate: usize,
    draws: *mut lcc_draws_f32,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { column(tempering, Column::Weight(coordinate), draws) })
}

/// What is recorded beside each stored draw: a view as lcc_tempering_draws_f32 gives.
///
/// @param tempering  the handle
/// @param trace      LCC_TRACE_LOG_DENSITY or LCC_TRACE_LOG_LIKELIHOOD
/// @param draws      out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_trace_f32(
    tempering: *const lcc_tempering_f32,
    trace: i32,
    draws: *mut lcc_draws_f32,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { column(tempering, recorded::trace(trace)?, draws) })
}

/// The network's output at one row for every stored draw: psi(x_q.w) (greedy) or f(x_q; W) (joint).
///
/// @param tempering  the handle
/// @param problem    what it was made with
/// @param queries    rows with the inputs of the data; y may be NULL
/// @param row        which of them
/// @param out        out: draw t of chain c at out[c * draws + t], draws being those stored so far
/// @param len        the values at out, at least chains * draws
/// @param draws      out: a view of them, ready for lcc_draws_summarise_f32
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_INPUTS,
///         LCC_ERROR_CAPACITY, LCC_ERROR_NOT_DONE, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_output_f32(
    tempering: *const lcc_tempering_f32,
    problem: *const lcc_problem_f32,
    queries: *const lcc_data_f32,
    row: usize,
    out: *mut f32,
    len: usize,
    draws: *mut lcc_draws_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        unsafe {
            let tempering = open(tempering)?;
            let recorded = Recorded {
                values: tempering.record(),
                draws: tempering.position().stored,
                chains: tempering.options().chains as usize,
                dim: tempering.dim(),
            };
            sampler::output(&recorded, problem, queries, row, out, len, draws)
        }
    })
}

/// One temperature of one chain.
///
/// @param tempering  the handle
/// @param chain      which
/// @param index      from 0, the lowest above the prior
/// @param rung       out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_rung_f32(
    tempering: *const lcc_tempering_f32,
    chain: usize,
    index: usize,
    rung: *mut lcc_rung_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let tempering = unsafe { open(tempering)? };
        let r = tempering.rung(chain, index).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        let value = lcc_rung_f32 {
            temperature: r.temperature,
            acceptance: r.acceptance,
            swap: r.swap,
            step: r.step,
        };
        // SAFETY: as above.
        unsafe { raw::write(rung, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The log evidence by stepping stones, from the draws of one chain so far. Chains are independent:
/// their scatter is its error.
///
/// @param tempering     the handle
/// @param chain         which
/// @param log_evidence  out: log of the integral of the likelihood over the normalised prior
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX, LCC_ERROR_NOT_DONE before the
///         first draw
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_log_evidence_f32(
    tempering: *const lcc_tempering_f32,
    chain: usize,
    log_evidence: *mut f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let tempering = unsafe { open(tempering)? };
        if chain >= tempering.options().chains as usize {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        let value = tempering.log_evidence(chain).ok_or(lcc_status::LCC_ERROR_NOT_DONE)?;
        // SAFETY: as above.
        unsafe { raw::write(log_evidence, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// How often, among its draws, a chain has received at temperature 1 a replica that had been drawn from
/// the prior: between such arrivals it forgets all.
///
/// @param tempering  the handle
/// @param chain      which
/// @param restarts   out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_restarts_f32(
    tempering: *const lcc_tempering_f32,
    chain: usize,
    restarts: *mut u32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let tempering = unsafe { open(tempering)? };
        let value = tempering.restarts(chain).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        // SAFETY: as above.
        unsafe { raw::write(restarts, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of a checkpoint.
///
/// @param tempering  the handle
/// @param bytes      out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_checkpoint_size_f32(
    tempering: *const lcc_tempering_f32,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(bytes, handle::checkpoint_size(tempering)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Seals a copy of the chains, as lcc_sampler_checkpoint_f32 does of a sampler.
///
/// @param tempering   the handle
/// @param checkpoint  out: lcc_tempering_checkpoint_size_f32 bytes, of any alignment
/// @param bytes       the bytes at checkpoint
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_checkpoint_f32(
    tempering: *const lcc_tempering_f32,
    checkpoint: *mut u8,
    bytes: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        unsafe {
            open(tempering)?;
            let bits = <f32 as Real>::BITS;
            handle::checkpoint(tempering, Kind::Tempering, bits, checkpoint, bytes)?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds the chains from a checkpoint, in as much memory as those that were sealed.
///
/// @param memory            aligned to 16
/// @param bytes             the bytes at memory
/// @param checkpoint        what lcc_tempering_checkpoint_f32 wrote
/// @param checkpoint_bytes  its bytes
/// @param tempering         out: the handle
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMAGE_TRUNCATED, _MAGIC,
///         _NEWER, _CORRUPT, _KIND
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_tempering_restore_f32(
    memory: *mut u8,
    bytes: usize,
    checkpoint: *const u8,
    checkpoint_bytes: usize,
    tempering: *mut *mut lcc_tempering_f32,
) -> i32 {
    raw::call(|| {
        raw::writable(tempering)?;
        // SAFETY: the header asks for valid pointers.
        unsafe {
            let bits = <f32 as Real>::BITS;
            handle::restore(memory, bytes, Kind::Tempering, bits, checkpoint, checkpoint_bytes)?;
            open(memory.cast::<lcc_tempering_f32>())?;
            raw::write(tempering, memory.cast())?;
        }
        Ok(lcc_status::LCC_OK)
    })
}
