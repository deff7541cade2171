//! Sequential Monte Carlo

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use lcc_core::smc::{Smc, SmcOptions};

handle! {
    /// Particles that climb from the prior to the posterior, in the caller's memory.
    struct lcc_smc_f64: Smc<f64>, Smc, smc;
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

abi! {
    /// Writes the defaults.
    fn lcc_smc_options_default_f64() -> (options: lcc_smc_options_f64) {
        SmcOptions::default()
    }

    /// The bytes that a run takes.
    ///
    /// @return LCC_ERROR_NO_GRADIENT
    fn lcc_smc_size_f64(
        options: *const lcc_smc_options_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        handle::size(Smc::size(&raw::sized(options)?, &problem::read(problem, data)?)?)?
    }

    /// Builds a run at the start of a block of memory. Particles are drawn from the prior in the first
    /// step.
    ///
    /// @param options  what to do; a ladder that is given needs lcc_smc_init_given_f64
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT
    fn lcc_smc_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_smc_options_f64,
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (smc: *mut lcc_smc_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let size = Smc::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Smc::init(block, &options, isa, &problem)
        })?
    }

    /// As lcc_smc_init_f64, on temperatures of your own: options.ladder is LCC_LADDER_GIVEN and
    /// options.stages their number. They are copied.
    ///
    /// @param temperatures  increasing, above 0, the last one 1
    /// @return as lcc_smc_init_f64
    fn lcc_smc_init_given_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_smc_options_f64,
        temperatures: *const f64, count: usize, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (smc: *mut lcc_smc_f64) {
        let given = raw::slice(temperatures, count)?;
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let size = Smc::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Smc::init_given(block, &options, given, isa, &problem)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
    /// particles, or a resampling of all) is never split.
    ///
    /// @return LCC_ERROR_START (the likelihood is not finite at a draw from the prior, or none lies in its
    ///         support), LCC_ERROR_STAGES
    fn lcc_smc_step_f64(
        smc: *mut lcc_smc_f64, problem: *const lcc_problem_f64, data: *const lcc_data_f64,
        budget: u64,
    ) {
        handle::step(smc, |o| Ok(o.step(&problem::read(problem, data)?, budget)?))?
    }

    /// Where a run is: lcc_read_progress, and the temperature.
    fn lcc_smc_climb_f64(smc: *const lcc_smc_f64) -> (climb: lcc_climb_f64) {
        let smc = open(smc)?;
        let p = smc.position();
        lcc_climb_f64 {
            gradients: smc.evaluations().saturating_mul(smc.options().particles as u64),
            stages: p.stages,
            done: p.done as u32,
            temperature: p.temperature,
        }
    }
}
