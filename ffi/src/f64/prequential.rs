//! Prequential Greedy Bayes

use crate::f64::data::{dataset, lcc_data_f64};
use crate::f64::forecast::{self, lcc_forecast_f64, lcc_losses_f64};
use crate::model;
use crate::prelude::*;
use lcc_core::estimator::prequential::{
    Averaging, Prequential, PrequentialLevel, PrequentialOptions,
};

handle! {
    /// A learner by prequential Greedy Bayes, in the caller's memory: row by row, each predicted before it is
    /// seen.
    ///
    /// Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
    /// beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
    /// are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
    /// for the price of a few K. f_{i,K}(x_i) predicts y_i, in a Student-t law that learns its scale from the
    /// errors. The online form of the papers; as a regressor lcc_network predicts better.
    struct lcc_prequential_f64: Prequential<f64>, Prequential, prequential;
}

/// What a learner is asked to do. The defaults are a regressor's, for data that are standardised.
pub type lcc_prequential_options_f64 = PrequentialOptions<f64>;

/// One level, after the rows so far.
pub type lcc_prequential_level_f64 = PrequentialLevel<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_prequential_options_default_f64() -> (options: lcc_prequential_options_f64) {
        PrequentialOptions::default()
    }

    /// The bytes that a learner takes.
    ///
    /// @param rows  rows that there is to be room for
    fn lcc_prequential_size_f64(
        options: *const lcc_prequential_options_f64, rows: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(Prequential::size(&raw::sized(options)?, rows, d)?)?
    }

    /// Builds a learner that has seen no row, at the start of a block of memory.
    ///
    /// @param rows   rows that there is to be room for
    /// @param units  data of d columns, whose means and sds standardise every row; NULL takes rows as they are
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_prequential_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_prequential_options_f64, rows: usize,
        d: usize, units: *const lcc_data_f64,
    ) -> (prequential: *mut lcc_prequential_f64) {
        let options = raw::sized(options)?;
        let units = if units.is_null() { None } else { Some(dataset(units)?) };
        raw::refuse(units.is_some_and(|u| u.d() != d), LCC_ERROR_INPUTS)?;
        let size = Prequential::size(&options, rows, d)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Prequential::init(block, &options, isa, rows, d, units.as_ref())
        })?
    }

    /// The bytes of the scratch of a row.
    fn lcc_prequential_scratch_f64(prequential: *const lcc_prequential_f64) -> (bytes: usize) {
        raw::scratch_size::<f64, _>([open(prequential)?.row_scratch()])?
    }

    /// The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
    ///
    /// @param x        the inputs, in raw units
    /// @param d        as many as the learner has
    /// @param level    the probability of the interval, e.g. .9
    /// @param scratch  lcc_prequential_scratch_f64 bytes
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE while a row is being learnt
    fn lcc_prequential_forecast_f64(
        prequential: *const lcc_prequential_f64, x: *const f64, d: usize, level: f64,
        scratch: *mut u8, scratch_bytes: usize,
    ) -> (forecast: lcc_forecast_f64) {
        let (learner, x) = (open(prequential)?, raw::slice(x, d)?);
        raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
        let level = raw::probability(level)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [learner.row_scratch()])?;
        forecast::of(learner.forecast(x, scratch)?, level)
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
        let x = raw::slice(x, d)?;
        handle::step(prequential, |learner| {
            raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
            Ok(learner.observe(x, y)?)
        })?
    }

    /// Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
    /// of particles, the outputs or the resampling of a level's particles) is never split.
    ///
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
    fn lcc_prequential_step_f64(prequential: *mut lcc_prequential_f64, budget: u64) {
        handle::step(prequential, |o| Ok(o.step(budget)?))?
    }

    /// The law that predicted the last row.
    ///
    /// @param level  the probability of the interval
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row
    fn lcc_prequential_last_f64(
        prequential: *const lcc_prequential_f64, level: f64,
    ) -> (forecast: lcc_forecast_f64) {
        let (learner, level) = (open(prequential)?, raw::probability(level)?);
        forecast::of(learner.last_forecast().ok_or(LCC_ERROR_NOT_DONE)?, level)
    }

    /// The losses so far.
    fn lcc_prequential_losses_f64(
        prequential: *const lcc_prequential_f64,
    ) -> (losses: lcc_losses_f64) {
        open(prequential)?.losses()
    }

    /// A level, after the rows so far. Reads the weights of its particles.
    fn lcc_prequential_report_f64(
        prequential: *const lcc_prequential_f64, index: usize,
    ) -> (level: lcc_prequential_level_f64) {
        open(prequential)?.level_report(index).ok_or(LCC_ERROR_INDEX)?
    }

    /// E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
    ///
    /// @param x        the inputs, in raw units
    /// @param d        as many as the learner has
    /// @param scratch  lcc_prequential_scratch_f64 bytes
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_prequential_expectation_f64(
        prequential: *const lcc_prequential_f64, index: usize, x: *const f64, d: usize,
        scratch: *mut u8, scratch_bytes: usize,
    ) -> (mean: f64) {
        let (learner, x) = (open(prequential)?, raw::slice(x, d)?);
        raw::refuse(learner.inputs() != d, LCC_ERROR_INPUTS)?;
        raw::refuse(index >= learner.options().levels as usize, LCC_ERROR_INDEX)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [learner.row_scratch()])?;
        learner.expectation(index, x, scratch)?
    }

    /// The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
    /// which it is written.
    fn lcc_prequential_model_size_f64(
        prequential: *const lcc_prequential_f64,
    ) -> (model: usize, scratch: usize) {
        let fit = open(prequential)?;
        (fit.model_size()?, raw::scratch_size::<f64, _>([fit.model_scratch()])?)
    }

    /// Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
    /// at one time i; the mean over the draws is the mean of f_i over the times asked for.
    ///
    /// @param averaging  an LCC_AVERAGING_ code
    /// @return LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE
    fn lcc_prequential_write_model_f64(
        prequential: *const lcc_prequential_f64, averaging: i32, scratch: *mut u8,
        scratch_bytes: usize, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let fit = open(prequential)?;
        let averaging = Averaging::from_code(averaging).ok_or(LCC_ERROR_AVERAGING)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [fit.model_scratch()])?;
        let model = model::room(model, bytes, fit.model_size()?)?;
        fit.write_model(averaging, model, scratch)?
    }
}
