//! What a run of sequential Monte Carlo has found

use crate::f64::data::lcc_data_f64;
use crate::f64::draws::lcc_draws_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::f64::sampler::{lcc_sampler_f64, lcc_sampler_options_f64};
use crate::f64::smc::{lcc_smc_f64, open};
use crate::handle;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::sampler::Sampler;

/// The evidence: the integral of the likelihood over the normalised prior.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_evidence_f64 {
    /// Draws from the prior that have descendants among the particles. With a handful left the errors
    /// say little: more particles, or more temperatures.
    pub families: u64,
    /// Its logarithm.
    pub log: f64,
    /// The standard error of that, from the same run, by families (Chan and Lai 2013).
    pub standard_error: f64,
}

/// One temperature.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_stage_f64 {
    /// lambda.
    pub temperature: f64,
    /// The effective sample size of the weights that led here, as a share of the particles.
    pub ess: f64,
    /// The mean probability of acceptance of the transitions made here.
    pub acceptance: f64,
    /// The step size of the last of them, in radians of the reference's rotation.
    pub step: f64,
}

/// A mean over the particles.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_average_f64 {
    /// The mean.
    pub mean: f64,
    /// The variance of the quantity.
    pub variance: f64,
    /// The standard error of the mean. Particles that descend from one draw from the prior count as
    /// dependent, so it is high rather than low.
    pub standard_error: f64,
}

/// The evidence.
///
/// @param smc       the handle
/// @param evidence  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE before the last temperature
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_evidence_f64(
    smc: *const lcc_smc_f64,
    evidence: *mut lcc_evidence_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let smc = unsafe { open(smc)? };
        let e = smc.evidence().ok_or(lcc_status::LCC_ERROR_NOT_DONE)?;
        let value =
            lcc_evidence_f64 { families: e.families, log: e.log, standard_error: e.standard_error };
        // SAFETY: as above.
        unsafe { raw::write(evidence, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// One of the temperatures done with.
///
/// @param smc    the handle
/// @param index  from 0
/// @param stage  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_stage_f64(
    smc: *const lcc_smc_f64,
    index: usize,
    stage: *mut lcc_stage_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let smc = unsafe { open(smc)? };
        let s = smc.stage(index).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        let value = lcc_stage_f64 {
            temperature: s.temperature,
            ess: s.ess,
            acceptance: s.acceptance,
            step: s.step,
        };
        // SAFETY: as above.
        unsafe { raw::write(stage, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The mean of a quantity over the particles, with its error.
///
/// @param smc      the handle
/// @param values   one a particle, as lcc_smc_draws_f64 or lcc_smc_output_f64 view them
/// @param scratch  as many values as there are particles
/// @param len      the values at scratch
/// @param average  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_PARTICLES (the values are of others), or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_average_f64(
    smc: *const lcc_smc_f64,
    values: *const lcc_draws_f64,
    scratch: *mut f64,
    len: usize,
    average: *mut lcc_average_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (smc, values) = unsafe { (open(smc)?, raw::reference(values)?.view()?) };
        raw::writable(average)?;
        if !smc.position().done {
            return Err(lcc_status::LCC_ERROR_NOT_DONE);
        }
        let particles = smc.options().particles as usize;
        if values.chains() != particles {
            return Err(lcc_status::LCC_ERROR_PARTICLES);
        }
        // SAFETY: as above.
        let scratch = unsafe { raw::slice_mut(scratch, len)? };
        let a = smc.average(&values, scratch).ok_or(lcc_status::LCC_ERROR_MEMORY_SIZE)?;
        let value = lcc_average_f64 {
            mean: a.mean,
            variance: a.variance,
            standard_error: a.standard_error,
        };
        // SAFETY: as above.
        unsafe { raw::write(average, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// For each particle, the draw from the prior, from 0, that it descends from.
///
/// @param smc      the handle
/// @param origins  out: one a particle
/// @param len      the values at origins
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_smc_origins_f64(
    smc: *const lcc_smc_f64,
    origins: *mut u32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let smc = unsafe { open(smc)? };
        if len < smc.origins().len() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(origins, smc.origins().len())? };
        out.iter_mut().zip(smc.origins()).for_each(|(o, x)| *o = *x);
        Ok(lcc_status::LCC_OK)
    })
}

/// As lcc_sampler_init_f64, with chains that start at particles of a finished run, and with a
/// reference fitted to them where the options ask for one. The run's memory may go afterwards. Such
/// chains need a warm-up for their step sizes only.
///
/// @param memory   lcc_sampler_size_f64 bytes, aligned to 16
/// @param bytes    the bytes at memory
/// @param options  what to do
/// @param problem  what to sample: what the run was made with
/// @param data     its data
/// @param smc      the run
/// @param sampler  out: the handle, which is memory itself
/// @return as lcc_sampler_init_f64; LCC_ERROR_NOT_DONE (the run), LCC_ERROR_DATA_CHANGED (it was
///         made with another problem or other data)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_sampler_init_from_smc_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_sampler_options_f64,
    problem: *const lcc_problem_f64,
    data: *const lcc_data_f64,
    smc: *const lcc_smc_f64,
    sampler: *mut *mut lcc_sampler_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, problem) = unsafe { (raw::sized(options)?, problem::read(problem, data)?) };
        // SAFETY: as above.
        let smc = unsafe { open(smc)? };
        raw::writable(sampler)?;
        let pilot = smc.cloud().ok_or(lcc_status::LCC_ERROR_NOT_DONE)?;
        let size = Sampler::size(&options, &problem)?;
        let portable = options.portable.on();
        let isa = handle::isa(portable);
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, sampler, |block| {
                Sampler::init_from(block, &options, isa, &problem, &pilot)
                    .map(|o| note::sampler(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}
