//! Greedy Bayes

use crate::f64::data::{dataset, lcc_data_f64};
use crate::model;
use crate::prelude::*;
use lcc_core::estimator::greedy_bayes::{GreedyBayes, GreedyLevel, GreedyOptions};

handle! {
    /// A fit by batch Greedy Bayes, in the caller's memory.
    ///
    /// Levels k = 1, ..., K: residuals r = y - (1 - beta) f_{k-1}; particles from the posterior of one neuron
    /// of the dictionary +-V psi given all of them, p(w) ~ exp(alpha V sum_i r_i psi(x_i.w)) p0(w), by
    /// sequential Monte Carlo; f_k = (1 - beta) f_{k-1} + beta E[V s psi(x.w)]. The particles of all levels
    /// make the model. The algorithm of the papers; as a regressor lcc_network predicts better.
    struct lcc_greedy_f64: GreedyBayes<f64>, GreedyBayes, greedy;
}

/// What a fit is asked to do. The defaults are a regressor's, for data that are standardised.
pub type lcc_greedy_options_f64 = GreedyOptions<f64>;

/// One level of a fit, in the neurons' units.
pub type lcc_greedy_level_f64 = GreedyLevel<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_greedy_options_default_f64() -> (options: lcc_greedy_options_f64) {
        GreedyOptions::default()
    }

    /// The bytes that a fit takes.
    fn lcc_greedy_size_f64(
        options: *const lcc_greedy_options_f64, n: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(GreedyBayes::size(&raw::sized(options)?, n, d)?)?
    }

    /// Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_greedy_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_greedy_options_f64,
        data: *const lcc_data_f64,
    ) -> (greedy: *mut lcc_greedy_f64) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        let size = GreedyBayes::size(&options, data.n(), data.d())?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            GreedyBayes::init(block, &options, isa, &data)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
    /// particles, the outputs of all particles at 64 rows, the choice of the levels at the end) is never
    /// split.
    ///
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
    fn lcc_greedy_step_f64(greedy: *mut lcc_greedy_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(greedy, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// A level that is done with.
    fn lcc_greedy_report_f64(
        greedy: *const lcc_greedy_f64, index: usize,
    ) -> (level: lcc_greedy_level_f64) {
        open(greedy)?.level_report(index).ok_or(LCC_ERROR_INDEX)?
    }

    /// What a fit came to: the levels used, the first so many, and the sd of the noise in standardised units.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_greedy_result_f64(greedy: *const lcc_greedy_f64) -> (levels: u32, noise: f64) {
        let greedy = open(greedy)?;
        raw::refuse(!greedy.progress().done, LCC_ERROR_NOT_DONE)?;
        (greedy.used() as u32, greedy.noise())
    }

    /// The bytes of the model at most, keep draws of K (d + 2) + d + 3 values and a head, and those of the
    /// scratch in which it is written.
    fn lcc_greedy_model_size_f64(
        greedy: *const lcc_greedy_f64,
    ) -> (model: usize, scratch: usize) {
        let fit = open(greedy)?;
        (fit.model_size()?, raw::scratch_size::<f64, _>([fit.model_scratch()])?)
    }

    /// Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every
    /// level used; the mean over the draws is the fit.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_greedy_write_model_f64(
        greedy: *const lcc_greedy_f64, scratch: *mut u8, scratch_bytes: usize, model: *mut u8,
        bytes: usize,
    ) -> (written: usize) {
        let fit = open(greedy)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [fit.model_scratch()])?;
        fit.write_model(model::room(model, bytes, fit.model_size()?)?, scratch)?
    }
}
