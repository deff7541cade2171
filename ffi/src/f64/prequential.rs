//! Prequential Greedy Bayes

use crate::f64::data::lcc_data_f64;
use crate::f64::forecast::{forecast, lcc_forecast_f64, lcc_losses_f64, level_of};
use crate::handle::{self, handle, open};
use crate::model;
use crate::note;
use crate::prequential;
use crate::raw;
use crate::status::lcc_status::*;
use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
use lcc_core::workspace::{Carve, Memory};

handle! {
    /// A learner by prequential Greedy Bayes, in the caller's memory: row by row, each foretold before it is
    /// seen.
    ///
    /// Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
    /// beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
    /// are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
    /// for the price of a few K. f_{i,K}(x_i) foretells y_i, in a Student-t law that learns its scale from the
    /// errors. The online form of the papers; as a regressor lcc_network predicts better.
    struct lcc_prequential_f64: Prequential<f64>, Prequential, prequential;
}

/// What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
pub type lcc_prequential_options_f64 = PrequentialOptions<f64>;

/// One level, after the rows so far.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_prequential_level_f64 {
    /// The log evidence of its posterior, log E_p0 exp(alpha V sum r psi).
    pub log_evidence: f64,
    /// The effective particles as a share of all.
    pub ess: f64,
    /// The mean acceptance when they last moved; NaN before.
    pub acceptance: f64,
    /// f_k at the last row, in the neurons' units.
    pub fit: f64,
    /// Times that they were resampled and moved.
    pub resamplings: u64,
}

abi! {
    /// Writes the defaults.
    fn lcc_prequential_options_default_f64(options: *mut lcc_prequential_options_f64) {
        raw::defaults(options)?;
    }

    /// The bytes that a learner takes, at an address that is a multiple of 16.
    ///
    /// @param rows  rows that there is to be room for
    fn lcc_prequential_size_f64(
        options: *const lcc_prequential_options_f64, rows: usize, d: usize, bytes: *mut usize,
    ) {
        let options = raw::sized(options)?;
        let size = Prequential::size(&options, rows, d)?;
        raw::write(bytes, handle::size(size)?)?;
    }

    /// Builds a learner that has seen no row, at the start of a block of memory.
    ///
    /// @param rows   rows that there is to be room for
    /// @param units  data of d columns, whose means and sds standardise every row; NULL takes rows as they are
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_prequential_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_prequential_options_f64, rows: usize,
        d: usize, units: *const lcc_data_f64, prequential: *mut *mut lcc_prequential_f64,
    ) {
        let options = raw::sized(options)?;
        raw::writable(prequential)?;
        let units =
            if units.is_null() { None } else { Some(raw::reference(units)?.raw().dataset()?) };
        raw::refuse(units.is_some_and(|u| u.d() != d), LCC_ERROR_INPUTS)?;
        let size = Prequential::size(&options, rows, d)?;
        let portable = options.portable.on();
        handle::build(memory, bytes, size, portable, prequential, |block| {
            let isa = handle::isa(portable);
            Prequential::init(block, &options, isa, rows, d, units.as_ref())
                .map(|o| note::prequential(&o))
        })?;
    }

    /// The bytes of the scratch of a row.
    fn lcc_prequential_scratch_f64(prequential: *const lcc_prequential_f64, bytes: *mut usize) {
        raw::write(bytes, prequential::row_scratch(&open(prequential)?)?)?;
    }

    /// The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
    ///
    /// @param x        the inputs, in raw units
    /// @param d        as many as the learner has
    /// @param level    the probability of the interval, e.g. .9
    /// @param scratch  lcc_prequential_scratch_f64 bytes, aligned to 16
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE while a row is being learnt
    fn lcc_prequential_forecast_f64(
        prequential: *const lcc_prequential_f64, x: *const f64, d: usize, level: f64,
        scratch: *mut u8, scratch_bytes: usize, forecast: *mut lcc_forecast_f64,
    ) {
        let (learner, x, scratch) =
            (open(prequential)?, raw::slice(x, d)?, raw::slice_mut(scratch, scratch_bytes)?);
        raw::writable(forecast)?;
        raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
        let level = level_of(level)?;
        let scratch = Memory::new(scratch)?.take(learner.row_scratch())?;
        raw::write(forecast, self::forecast(learner.forecast(x, scratch)?, level))?;
    }

    /// Takes a row; lcc_prequential_step_f64 then does the work. A row that is refused leaves the learner as it
    /// was.
    ///
    /// @param x  the inputs, in raw units
    /// @param d  as many as the learner has
    /// @return LCC_ERROR_CAPACITY where there is no room for it, LCC_ERROR_NOT_DONE while the row before is
    ///         being learnt
    fn lcc_prequential_observe_f64(
        prequential: *mut lcc_prequential_f64, x: *const f64, d: usize, y: f64,
    ) {
        let (mut learner, x) = (open(prequential)?, raw::slice(x, d)?);
        raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
        let status = learner.observe(x, y);
        let now = note::prequential(&learner);
        handle::note(prequential, now)?;
        status?;
    }

    /// Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
    /// of particles, the outputs or the resampling of a level's particles) is never split.
    ///
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
    fn lcc_prequential_step_f64(prequential: *mut lcc_prequential_f64, budget: u64) {
        handle::step(prequential, |o| Ok(o.step(budget)?))?
    }

    /// The law that foretold the last row.
    ///
    /// @param level  the probability of the interval
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row
    fn lcc_prequential_last_f64(
        prequential: *const lcc_prequential_f64, level: f64, forecast: *mut lcc_forecast_f64,
    ) {
        let learner = open(prequential)?;
        let level = level_of(level)?;
        let law = learner.last_forecast().ok_or(LCC_ERROR_NOT_DONE)?;
        raw::write(forecast, self::forecast(law, level))?;
    }

    /// The losses so far.
    fn lcc_prequential_losses_f64(
        prequential: *const lcc_prequential_f64, losses: *mut lcc_losses_f64,
    ) {
        let l = open(prequential)?.losses();
        raw::write(losses, lcc_losses_f64 { rows: l.rows, squared: l.squared, log: l.log })?;
    }

    /// A level, after the rows so far. Reads the weights of its particles.
    fn lcc_prequential_report_f64(
        prequential: *const lcc_prequential_f64, index: usize,
        level: *mut lcc_prequential_level_f64,
    ) {
        let learner = open(prequential)?;
        let l = learner.level_report(index).ok_or(LCC_ERROR_INDEX)?;
        let value = lcc_prequential_level_f64 {
            log_evidence: l.log_evidence,
            ess: l.ess,
            acceptance: l.acceptance,
            fit: l.fit,
            resamplings: l.resamplings,
        };
        raw::write(level, value)?;
    }

    /// E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
    ///
    /// @param x        the inputs, in raw units
    /// @param d        as many as the learner has
    /// @param scratch  lcc_prequential_scratch_f64 bytes, aligned to 16
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_prequential_expectation_f64(
        prequential: *const lcc_prequential_f64, index: usize, x: *const f64, d: usize,
        scratch: *mut u8, scratch_bytes: usize, mean: *mut f64,
    ) {
        let (learner, x, scratch) =
            (open(prequential)?, raw::slice(x, d)?, raw::slice_mut(scratch, scratch_bytes)?);
        raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
        raw::refuse(index >= learner.options().levels as usize, LCC_ERROR_INDEX)?;
        let scratch = Memory::new(scratch)?.take(learner.row_scratch())?;
        raw::write(mean, learner.expectation(index, x, scratch)?)?;
    }

    /// The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
    /// which it is written.
    fn lcc_prequential_model_size_f64(
        prequential: *const lcc_prequential_f64, model: *mut usize, scratch: *mut usize,
    ) {
        let fit = open(prequential)?;
        let sizes = model::size::<f64, _>(fit.model_size(), fit.model_scratch())?;
        raw::write_both(sizes, model, scratch)?;
    }

    /// Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
    /// at one time i; the mean over the draws is the mean of f_i over the times asked for.
    ///
    /// @param averaging  an LCC_AVERAGING_ code
    /// @return LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE
    fn lcc_prequential_write_model_f64(
        prequential: *const lcc_prequential_f64, averaging: i32, scratch: *mut u8,
        scratch_bytes: usize, model: *mut u8, bytes: usize, written: *mut usize,
    ) {
        let (learner, scratch, model) = (
            open(prequential)?,
            raw::slice_mut(scratch, scratch_bytes)?,
            raw::slice_mut(model, bytes)?,
        );
        raw::writable(written)?;
        let averaging = Averaging::from_code(averaging).ok_or(LCC_ERROR_AVERAGING)?;
        let (most, values) = (learner.model_size(), learner.model_scratch());
        let write =
            |model: &mut [u8], scratch: &mut [f64]| learner.write_model(averaging, model, scratch);
        raw::write(written, model::write(most, values, scratch, model, write)?)?;
    }
}
