//! Sequential Monte Carlo

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::handle;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::smc::{Progress, Smc, SmcOptions};

/// Particles that climb from the prior to the posterior, in the caller's memory.
pub struct lcc_smc_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_smc_f64 {
    const KIND: Kind = Kind::Smc;
    type Real = f64;
}

/// What a run of sequential Monte Carlo is asked to do.
pub type lcc_smc_options_f64 = SmcOptions<f64>;

/// Where a run is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_climb_f64 {
    /// Evaluations of the gradient so far, summed over particles.
    pub gradients: u64,
    /// Temperatures done with.
    pub stages: u32,
    /// 1 once the particles are draws from the posterior.
    pub done: u32,
    /// The last temperature that particles were resampled at, 0 before the first, 1 at the end.
    pub temperature: f64,
}

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
pub(crate) unsafe fn open<'a>(smc: *const lcc_smc_f64) -> Result<Smc<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(smc)? };
    Ok(Smc::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_options_default_f64(options: *mut lcc_smc_options_f64) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a run takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param problem  what to sample
/// @param data     its data
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_size_f64(
    options: *const lcc_smc_options_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        let size = Smc::size(&options, &problem)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// # Safety
/// As lcc_smc_init_given_f64; without temperatures as lcc_smc_init_f64.
unsafe fn init(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_smc_options_f64,
    temperatures: Option<&[f64]>,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    smc: *mut *mut lcc_smc_f64,
) -> Result<lcc_status, lcc_status> {
    // SAFETY: the caller's promise.
    let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
    raw::writable(smc)?;
    let size = Smc::size(&options, &problem)?;
    let portable = options.portable.on();
    let isa = handle::isa(portable);
    // SAFETY: as above.
    unsafe {
        handle::build(memory, bytes, size, portable, smc, |block| match temperatures {
            Some(given) => {
                Smc::init_given(block, &options, given, isa, &problem).map(|o| note::smc(&o))
            }
            None => Smc::init(block, &options, isa, &problem).map(|o| note::smc(&o)),
        })?;
    }
    Ok(lcc_status::LCC_OK)
}

/// Builds a run at the start of a block of memory. Particles are drawn from the prior in the first
/// step.
///
/// @param memory   lcc_smc_size_f64 bytes, aligned to 16
/// @param bytes    the bytes at memory
/// @param options  what to do; a ladder that is given needs lcc_smc_init_given_f64
/// @param problem  what to sample
/// @param data     its data
/// @param smc      out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_IMPROPER,
///         LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_smc_options_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    smc: *mut *mut lcc_smc_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { init(memory, bytes, options, None, problem, data, smc) })
}

/// As lcc_smc_init_f64, on temperatures of your own: options.ladder is LCC_LADDER_GIVEN and
/// options.stages their number. They are copied.
///
/// @param memory        lcc_smc_size_f64 bytes, aligned to 16
/// @param bytes         the bytes at memory
/// @param options       what to do
/// @param temperatures  increasing, above 0, the last one 1
/// @param count         how many
/// @param problem       what to sample
/// @param data          its data
/// @param smc           out: the handle, which is memory itself
/// @return as lcc_smc_init_f64
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_init_given_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_smc_options_f64,
    temperatures: *const f64,
    count: usize,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    smc: *mut *mut lcc_smc_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        unsafe {
            let given = raw::slice(temperatures, count)?;
            init(memory, bytes, options, Some(given), problem, data, smc)
        }
    })
}

/// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
/// particles, or a resampling of all) is never split. Each call also reads the data once to know them
/// again, so give it many times n.
///
/// @param smc      the handle
/// @param problem  what it was made with
/// @param data     its data, unchanged
/// @param budget   rows of data times particles to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, LCC_ERROR_START (the
///         likelihood is not finite at a draw from the prior, or none lies in its support),
///         LCC_ERROR_STAGES, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_step_f64(
    smc: *mut lcc_smc_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut object, problem) = unsafe { (open(smc)?, problem::read(problem, data)?) };
        let status = object.step(&problem, budget);
        let now = note::smc(&object);
        // SAFETY: as above.
        unsafe { handle::note(smc, now)? };
        Ok(match status? {
            Progress::Running => lcc_status::LCC_RUNNING,
            Progress::Done => lcc_status::LCC_DONE,
        })
    })
}

/// Where a run is: lcc_read_progress, and the temperature.
///
/// @param smc    the handle
/// @param climb  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_climb_f64(
    smc: *const lcc_smc_f64,
    climb: *mut lcc_climb_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let smc = unsafe { open(smc)? };
        let p = smc.position();
        let value = lcc_climb_f64 {
            gradients: smc.evaluations().saturating_mul(smc.options().particles as u64),
            stages: p.stages,
            done: p.done as u32,
            temperature: p.temperature,
        };
        // SAFETY: as above.
        unsafe { raw::write(climb, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
