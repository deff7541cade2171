//! What a run of sequential Monte Carlo has found

use crate::f64::data::lcc_data_f64;
use crate::f64::draws::{lcc_draws_f64, view};
use crate::f64::problem::{self, lcc_problem_f64};
use crate::f64::sampler::{lcc_sampler_f64, lcc_sampler_options_f64};
use crate::f64::smc::lcc_smc_f64;
use crate::prelude::*;
use lcc_core::sampler::Sampler;
use lcc_core::smc::{Average, Evidence, Predicted, Stage};

/// The evidence: the integral of the likelihood over the normalised prior.
pub type lcc_evidence_f64 = Evidence<f64>;

/// One temperature.
pub type lcc_stage_f64 = Stage<f64>;

/// What a row was predicted to be.
pub type lcc_predicted_f64 = Predicted<f64>;

/// A mean over the particles.
pub type lcc_average_f64 = Average<f64>;

abi! {
    /// The evidence.
    ///
    /// @return LCC_ERROR_NOT_DONE before the last temperature
    fn lcc_smc_evidence_f64(smc: *const lcc_smc_f64) -> (evidence: lcc_evidence_f64) {
        open(smc)?.evidence().ok_or(LCC_ERROR_NOT_DONE)?
    }

    /// One of the temperatures done with.
    fn lcc_smc_stage_f64(smc: *const lcc_smc_f64, index: usize) -> (stage: lcc_stage_f64) {
        open(smc)?.stage(index).ok_or(LCC_ERROR_INDEX)?
    }

    /// A row of LCC_LADDER_ROWS, once it has been let in.
    ///
    /// @param row  from 0
    /// @return LCC_ERROR_INDEX before, and of other ladders
    fn lcc_smc_predicted_f64(smc: *const lcc_smc_f64, row: usize) -> (predicted: lcc_predicted_f64) {
        open(smc)?.predicted(row).ok_or(LCC_ERROR_INDEX)?
    }

    /// The mean of a quantity over the particles, with its error.
    ///
    /// @param values   one a particle, as lcc_read_draws_f64 or lcc_read_output_f64 view them
    /// @param scratch  as many values as there are particles
    /// @return LCC_ERROR_NOT_DONE, LCC_ERROR_PARTICLES (the values are of others)
    fn lcc_smc_average_f64(
        smc: *const lcc_smc_f64, values: *const lcc_draws_f64, scratch: *mut f64, len: usize,
    ) -> (average: lcc_average_f64) {
        let (smc, values) = (open(smc)?, view(values)?);
        raw::refuse(!smc.position().done, LCC_ERROR_NOT_DONE)?;
        let particles = smc.options().particles as usize;
        raw::refuse(values.chains() != particles, LCC_ERROR_PARTICLES)?;
        smc.average(&values, raw::slice_mut(scratch, len)?).ok_or(LCC_ERROR_MEMORY_SIZE)?
    }

    /// For each particle, the draw from the prior, from 0, that it descends from.
    ///
    /// @param origins  out: one a particle
    fn lcc_smc_origins_f64(smc: *const lcc_smc_f64, origins: *mut u32, len: usize) {
        raw::fill(origins, len, open(smc)?.origins().iter().copied())?;
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
    ) -> (sampler: *mut lcc_sampler_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let smc = open(smc)?;
        let pilot = smc.cloud().ok_or(LCC_ERROR_NOT_DONE)?;
        let size = Sampler::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Sampler::init_from(block, &options, isa, &problem, &pilot)
        })?
    }
}
