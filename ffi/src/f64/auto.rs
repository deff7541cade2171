//! The sampler that chooses for itself

use crate::f64::data::lcc_data_f64;
use crate::f64::draws::{lcc_draws_f64, view};
use crate::f64::particles::lcc_average_f64;
use crate::f64::problem::{self, lcc_problem_f64};
use crate::prelude::*;
use crate::text;
use core::ffi::c_char;
use lcc_core::auto::{Auto, AutoOptions};
use lcc_core::smc::Evidence;

handle! {
    /// A pilot of particles, and what it leads to, in the caller's memory.
    struct lcc_auto_f64: Auto<f64>, Auto, auto;
}

/// What a run is asked to do.
pub type lcc_auto_options_f64 = AutoOptions;

/// What a run found, chose, and thinks of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_choice_f64 {
    /// An LCC_CHOICE_ code.
    pub choice: u32,
    /// An LCC_VERDICT_ code.
    pub verdict: u32,
    /// Temperatures between the prior and the posterior; 0 without a pilot.
    pub stages: u32,
    /// Particles of the pilot far outside the range of all chains, at most over the functionals.
    pub strays: u32,
    /// Particles of the largest run.
    pub particles: u32,
    /// Of a density of your own where the draws are not to be trusted: the coordinate (from 0) that the gradients at the draws
    /// contradict, or else that of the largest R-hat; UINT32_MAX: none.
    pub coordinate: u32,
    /// Coordinates of a density of your own that were un-centred: given others they are Gaussian or near it.
    pub uncentred: u32,
    /// An LCC_CAUSE_ code: why the draws are not to be trusted.
    pub cause: u32,
    /// Draws of the prior that these descend from.
    pub families: u64,
    /// The effective sample size of the prior's draws as a share; NaN where one step from the prior to
    /// the posterior was too far (below a half).
    pub overlap: f64,
    /// The largest split R-hat of the chains; NaN before they are done.
    pub rhat: f64,
    /// The largest ratio of the pilot's spread to that within a chain; NaN before that.
    pub spread: f64,
    /// The largest difference between two runs of particles, in standard errors; NaN without a second.
    pub disagreement: f64,
    /// By how many of its sds the gradients say that the mean of a coordinate is off, at most; NaN but for a
    /// density of your own, once it is done.
    pub shift: f64,
    /// By what share they say that a variance is off, at most.
    pub stretch: f64,
    /// The least effective sample size of the functionals, in bulk and in tail, of one chain of each pair; NaN where none
    /// was asked for (`ess` of the options), or before it is known.
    pub effective: f64,
    /// The logarithm of the evidence, by the largest run of particles; NaN without one.
    pub log_evidence: f64,
    /// Its standard error.
    pub log_evidence_error: f64,
}

abi! {
    /// Writes the defaults.
    fn lcc_auto_options_default_f64() -> (options: lcc_auto_options_f64) {
        AutoOptions::default()
    }

    /// The bytes that a run takes.
    fn lcc_auto_size_f64(
        options: *const lcc_auto_options_f64, problem: *const lcc_problem_f64,
        data: *const lcc_data_f64,
    ) -> (bytes: usize) {
        handle::size(Auto::size(&raw::sized(options)?, &problem::read(problem, data)?)?)?
    }

    /// Builds a run at the start of a block of memory. Reads the data.
    ///
    /// @return LCC_ERROR_IMPROPER
    fn lcc_auto_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_auto_options_f64,
        problem: *const lcc_problem_f64, data: *const lcc_data_f64,
    ) -> (run: *mut lcc_auto_f64) {
        let (options, problem) = (raw::sized(options)?, problem::read(problem, data)?);
        let size = Auto::size(&options, &problem)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Auto::init(block, &options, isa, &problem)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work is never split, and a change of
    /// phase (at most four in a run) begins the budget anew.
    ///
    /// @return LCC_ERROR_START, LCC_ERROR_STAGES (more than 100 temperatures away from the prior), LCC_ERROR_STOPPED (no
    ///         gradients are left, and there are no draws), LCC_ERROR_GRADIENT (of a density of your own, by differences, where
    ///         nothing can be sampled with it), LCC_ERROR_IMPROPER (it rises without end along a coordinate)
    fn lcc_auto_step_f64(
        run: *mut lcc_auto_f64, problem: *const lcc_problem_f64, data: *const lcc_data_f64,
        budget: u64,
    ) {
        handle::step(run, |o| Ok(o.step(&problem::read(problem, data)?, budget)?))?
    }

    /// Ends the run as soon as it may: once all particles or chains have made the transition at hand, the next steps judge and check
    /// the draws that there are, at 256 gradients more at most. Before there are eight of each chain they return LCC_ERROR_STOPPED.
    fn lcc_auto_stop_f64(run: *mut lcc_auto_f64) {
        handle::step(run, |o| Ok(o.stop()))?
    }

    /// What was found and chosen so far.
    fn lcc_auto_report_f64(run: *const lcc_auto_f64) -> (report: lcc_choice_f64) {
        let r = open(run)?.report();
        let none = Evidence { families: 0, log: f64::NAN, standard_error: f64::NAN };
        let evidence = r.evidence.unwrap_or(none);
        lcc_choice_f64 {
            choice: r.choice as u32,
            verdict: r.verdict as u32,
            stages: r.stages,
            strays: r.strays,
            particles: r.particles,
            coordinate: r.suspect().and_then(|c| u32::try_from(c).ok()).unwrap_or(u32::MAX),
            uncentred: r.uncentred,
            cause: r.cause as u32,
            families: evidence.families,
            overlap: r.overlap,
            rhat: r.rhat,
            spread: r.spread,
            disagreement: r.disagreement,
            shift: r.shift,
            stretch: r.stretch,
            effective: r.effective,
            log_evidence: evidence.log,
            log_evidence_error: evidence.standard_error,
        }
    }

    /// The report in one sentence: what was chosen, why, and a warning where the draws are not to be
    /// trusted.
    ///
    /// @param text  out: zero-terminated; 512 bytes are enough
    fn lcc_auto_explain_f64(
        run: *const lcc_auto_f64, text: *mut c_char, bytes: usize,
    ) -> (length: usize) {
        text::write(&open(run)?.report(), text, bytes)?
    }

    /// The mean of a quantity over the draws, with its error: from the means of antithetic pairs, or from
    /// the families of particles.
    ///
    /// @param values   one a draw, as lcc_read_draws_f64 or lcc_read_output_f64 view them
    /// @param scratch  twice as many values as there are draws in all
    /// @return LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE (or the values are of other draws)
    fn lcc_auto_average_f64(
        run: *const lcc_auto_f64, values: *const lcc_draws_f64, scratch: *mut f64, len: usize,
    ) -> (average: lcc_average_f64) {
        let (mut run, values) = (open(run)?, view(values)?);
        run.recorded().ok_or(LCC_ERROR_NOT_DONE)?;
        run.average(&values, raw::slice_mut(scratch, len)?).ok_or(LCC_ERROR_MEMORY_SIZE)?
    }

    /// The step size that a chain has adapted to.
    ///
    /// @param chain  below the options' chains
    /// @return LCC_ERROR_NOT_DONE (or particles took over)
    fn lcc_auto_step_size_f64(run: *const lcc_auto_f64, chain: usize) -> (step: f64) {
        let mut run = open(run)?;
        let chains = run.chains().ok_or(LCC_ERROR_NOT_DONE)?;
        chains.step_size(chain).ok_or(LCC_ERROR_INDEX)?
    }
}
