//! Parallel tempering

use crate::f64::data::lcc_data_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use lcc_core::tempering::{Rung, Tempering, TemperingOptions};

handle! {
    /// Chains of replicas between the prior and the posterior, in the caller's memory.
    struct lcc_tempering_f64: Tempering<f64>, Tempering, tempering;
}

/// What parallel tempering is asked to do.
pub type lcc_tempering_options_f64 = TemperingOptions<f64>;

/// One temperature of one chain, over the draws so far.
pub type lcc_rung_f64 = Rung<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_tempering_options_default_f64() -> (options: lcc_tempering_options_f64) {
        TemperingOptions::default()
    }

    /// The bytes that tempering takes.
    ///
    /// @return LCC_ERROR_NO_GRADIENT
    fn lcc_tempering_size_f64(
        options: *const lcc_tempering_options_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        handle::size(Tempering::size(&raw::sized(options)?, &problem::read(problem, data)?)?)?
    }

    /// Builds the chains at the start of a block of memory. Replicas start at draws from the prior in the
    /// first step. Temperatures at which SMC keeps half of its particles serve well (lcc_smc_stage_f64).
    ///
    /// @param temperatures  increasing, above 0, the last one 1; they are copied
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_TEMPERATURES, LCC_ERROR_NO_GRADIENT
    fn lcc_tempering_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_tempering_options_f64,
        temperatures: *const f64, count: usize, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (tempering: *mut lcc_tempering_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let temperatures = raw::slice(temperatures, count)?;
        let size = Tempering::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Tempering::init(block, &options, temperatures, isa, &problem)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one rung of a block of chains) is
    /// never split.
    ///
    /// @return LCC_ERROR_START (the likelihood is not finite at a draw from the prior)
    fn lcc_tempering_step_f64(
        tempering: *mut lcc_tempering_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64, budget: u64,
    ) {
        handle::step(tempering, |o| Ok(o.step(&problem::read(problem, data)?, budget)?))?
    }

    /// One temperature of one chain.
    ///
    /// @param index  from 0, the lowest above the prior
    fn lcc_tempering_rung_f64(
        tempering: *const lcc_tempering_f64, chain: usize, index: usize,
    ) -> (rung: lcc_rung_f64) {
        open(tempering)?.rung(chain, index).ok_or(LCC_ERROR_INDEX)?
    }

    /// The log evidence by stepping stones, from the draws of one chain so far. Chains are independent:
    /// their scatter is its error.
    ///
    /// @param log_evidence  out: log of the integral of the likelihood over the normalised prior
    /// @return LCC_ERROR_NOT_DONE before the first draw
    fn lcc_tempering_log_evidence_f64(
        tempering: *const lcc_tempering_f64, chain: usize,
    ) -> (log_evidence: f64) {
        let tempering = open(tempering)?;
        raw::refuse(chain >= tempering.options().chains as usize, LCC_ERROR_INDEX)?;
        tempering.log_evidence(chain).ok_or(LCC_ERROR_NOT_DONE)?
    }

    /// How often, among its draws, a chain has received at temperature 1 a replica that had been drawn from
    /// the prior: between such arrivals it forgets all.
    fn lcc_tempering_restarts_f64(
        tempering: *const lcc_tempering_f64, chain: usize,
    ) -> (restarts: u32) {
        open(tempering)?.restarts(chain).ok_or(LCC_ERROR_INDEX)?
    }
}
