//! Sequential Monte Carlo

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::handle;
use crate::note;
use crate::raw;
use crate::smc::{LCC_LADDER_ADAPTIVE, ladder};
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::sampler::Reference;
use lcc_core::scalar::Real;
use lcc_core::smc::{Ladder, Progress, Smc, SmcOptions};

/// Particles that climb from the prior to the posterior, in the caller's memory.
pub struct lcc_smc_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_smc_f64 {
    const KIND: Kind = Kind::Smc;
    type Real = f64;
}

/// What a run of sequential Monte Carlo is asked to do.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_smc_options_f64 {
    /// sizeof(lcc_smc_options_f64), set by lcc_smc_options_default_f64.
    pub struct_size: u32,
    /// An LCC_LADDER_ code. Default: adaptive.
    pub ladder: i32,
    /// Particles, at least 2 and a multiple of the lanes. Default 1024.
    pub particles: u32,
    /// Particles that advance in lock-step: 1 or 8. Changes speed and memory, never a number.
    /// Default 8.
    pub lanes: u32,
    /// Temperatures, at least 1; of an adaptive ladder the most there is room for. Default 100.
    pub stages: u32,
    /// Transitions of every particle at each temperature, at least 1. Default 2.
    pub moves: u32,
    /// Evaluations of the gradient in one transition, at least 1. Default 2.
    pub leapfrogs: u32,
    /// 1 adapts the step size to target_accept, 0 leaves it at total_time / leapfrogs; 0, about the prior
    /// and on a ladder that is not adaptive, makes the estimate of the evidence unbiased. Default 1.
    pub adapt: u32,
    /// 1 does without the CPU's wide instructions. Changes speed, never a number. Default 0.
    pub portable: u32,
    /// An LCC_REFERENCE_ code: what the transitions solve exactly. LCC_REFERENCE_GAUSSIAN is fitted to the
    /// particles once a temperature: for posteriors far from the prior, with a bias of order 1/particles in
    /// the evidence. The others are refused. Default: the prior.
    pub reference: i32,
    /// Names the random numbers. Default 1.
    pub seed: u64,
    /// Adaptive ladder: the share of the particles that a step may leave, inside (0, 1). Default .5.
    pub share: f64,
    /// Geometric ladder: the first temperature, in (0, 1]. Default .01.
    pub first: f64,
    /// The mean probability of acceptance that the step size is adapted to, inside (0, 1).
    /// Default .85.
    pub target_accept: f64,
    /// The longest transition, in radians of the reference's rotation; in (0, 3]. Default 1.6.
    pub total_time: f64,
    /// Each transition scales its step by a uniform factor in 1 +- jitter; in [0, 1). Default .2.
    pub jitter: f64,
}

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

impl lcc_smc_options_f64 {
    fn read(&self) -> Result<SmcOptions<f64>, lcc_status> {
        Ok(SmcOptions {
            particles: self.particles,
            lanes: self.lanes,
            ladder: ladder(self.ladder, self.stages, self.share, self.first)?,
            moves: self.moves,
            reference: Reference::from_code(self.reference)
                .ok_or(lcc_status::LCC_ERROR_REFERENCE)?,
            seed: self.seed,
            target_accept: self.target_accept,
            adapt: handle::switch(self.adapt)?,
            leapfrogs: self.leapfrogs,
            total_time: self.total_time,
            jitter: self.jitter,
        })
    }
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
    raw::call(|| {
        let o = SmcOptions::<f64>::default();
        let value = lcc_smc_options_f64 {
            struct_size: size_of::<lcc_smc_options_f64>() as u32,
            ladder: LCC_LADDER_ADAPTIVE,
            particles: o.particles,
            lanes: o.lanes,
            stages: o.ladder.most(),
            moves: o.moves,
            leapfrogs: o.leapfrogs,
            adapt: o.adapt as u32,
            portable: 0,
            reference: o.reference as i32,
            seed: o.seed,
            share: match o.ladder {
                Ladder::Adaptive { ess, .. } => ess,
                _ => <f64 as Real>::HALF,
            },
            first: Real::lit(0.01),
            target_accept: o.target_accept,
            total_time: o.total_time,
            jitter: o.jitter,
        };
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(options, value)? };
        Ok(lcc_status::LCC_OK)
    })
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
        let size = Smc::size(&options.read()?, &problem)?;
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
    let (portable, options) = (handle::switch(options.portable)?, options.read()?);
    let size = Smc::size(&options, &problem)?;
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
