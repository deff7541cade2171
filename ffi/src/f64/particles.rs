//! What a run of sequential Monte Carlo has found

use crate::f64::data::lcc_data_f64;
use crate::f64::draws::lcc_draws_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::f64::sampler::{lcc_sampler_f64, lcc_sampler_options_f64};
use crate::f64::smc::lcc_smc_f64;
use crate::handle::{self, open};
use crate::note;
use crate::raw;
use crate::status::lcc_status::*;
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

abi! {
    /// The evidence.
    ///
    /// @return LCC_ERROR_NOT_DONE before the last temperature
    fn lcc_smc_evidence_f64(smc: *const lcc_smc_f64, evidence: *mut lcc_evidence_f64) {
        let smc = open(smc)?;
        let e = smc.evidence().ok_or(LCC_ERROR_NOT_DONE)?;
        let value =
            lcc_evidence_f64 { families: e.families, log: e.log, standard_error: e.standard_error };
        raw::write(evidence, value)?;
    }

    /// One of the temperatures done with.
    fn lcc_smc_stage_f64(smc: *const lcc_smc_f64, index: usize, stage: *mut lcc_stage_f64) {
        let smc = open(smc)?;
        let s = smc.stage(index).ok_or(LCC_ERROR_INDEX)?;
        let value = lcc_stage_f64 {
            temperature: s.temperature,
            ess: s.ess,
            acceptance: s.acceptance,
            step: s.step,
        };
        raw::write(stage, value)?;
    }

    /// The mean of a quantity over the particles, with its error.
    ///
    /// @param values   one a particle, as lcc_read_draws_f64 or lcc_read_output_f64 view them
    /// @param scratch  as many values as there are particles
    /// @return LCC_ERROR_NOT_DONE, LCC_ERROR_PARTICLES (the values are of others)
    fn lcc_smc_average_f64(
        smc: *const lcc_smc_f64, values: *const lcc_draws_f64, scratch: *mut f64, len: usize,
        average: *mut lcc_average_f64,
    ) {
        let (smc, values) = (open(smc)?, raw::reference(values)?.view()?);
        raw::writable(average)?;
        raw::refuse(!smc.position().done, LCC_ERROR_NOT_DONE)?;
        let particles = smc.options().particles as usize;
        raw::refuse(values.chains() != particles, LCC_ERROR_PARTICLES)?;
        let scratch = raw::slice_mut(scratch, len)?;
        let a = smc.average(&values, scratch).ok_or(LCC_ERROR_MEMORY_SIZE)?;
        let value = lcc_average_f64 {
            mean: a.mean,
            variance: a.variance,
            standard_error: a.standard_error,
        };
        raw::write(average, value)?;
    }

    /// For each particle, the draw from the prior, from 0, that it descends from.
    ///
    /// @param origins  out: one a particle
    fn lcc_smc_origins_f64(smc: *const lcc_smc_f64, origins: *mut u32, len: usize) {
        let smc = open(smc)?;
        raw::refuse(len < smc.origins().len(), LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(origins, smc.origins().len())?;
        out.iter_mut().zip(smc.origins()).for_each(|(o, x)| *o = *x);
    }

    /// As lcc_sampler_init_f64, with chains that start at particles of a finished run, and with a
    /// reference fitted to them where the options ask for one. The run's memory may go afterwards. Such
    /// chains need a warm-up for their step sizes only.
    ///
    /// @return as lcc_sampler_init_f64; LCC_ERROR_NOT_DONE (the run), LCC_ERROR_DATA_CHANGED (it was made with
    ///         another problem or other data)
    fn lcc_sampler_init_from_smc_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_sampler_options_f64,
        problem: *const lcc_problem_f64, data: *const lcc_data_f64, smc: *const lcc_smc_f64,
        sampler: *mut *mut lcc_sampler_f64,
    ) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let smc = open(smc)?;
        raw::writable(sampler)?;
        let pilot = smc.cloud().ok_or(LCC_ERROR_NOT_DONE)?;
        let size = Sampler::size(&options, &problem)?;
        let portable = options.portable.on();
        let isa = handle::isa(portable);
        handle::build(memory, bytes, size, portable, sampler, |block| {
            Sampler::init_from(block, &options, isa, &problem, &pilot).map(|o| note::sampler(&o))
        })?;
    }
}
