//! Greedy Bayes

use crate::f64::data::{dataset, lcc_data_f64};
use crate::handle::{self, handle, open};
use crate::model;
use crate::note;
use crate::raw;
use crate::status::lcc_status::*;
use lcc_core::estimator::greedy_bayes::{GreedyBayes, GreedyOptions};

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
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_greedy_level_f64 {
    /// The log evidence of its posterior ...
    pub log_evidence: f64,
    /// ... and its standard error.
    pub evidence_error: f64,
    /// The mean acceptance at the last temperature.
    pub acceptance: f64,
    /// Its alpha.
    pub alpha: f64,
    /// The root mean square of y - f after it, over the rows that it saw ...
    pub rmse: f64,
    /// ... and over those held out; NaN without.
    pub rmse_held_out: f64,
    /// The weight of its mean in the result; 0 before the end, and where it is not used.
    pub coefficient: f64,
    /// Draws of the prior that its particles descend from.
    pub families: u32,
    /// Temperatures.
    pub stages: u32,
}

abi! {
    /// Writes the defaults.
    fn lcc_greedy_options_default_f64(options: *mut lcc_greedy_options_f64) {
        raw::defaults(options)?;
    }

    /// The bytes that a fit takes, at an address that is a multiple of 16.
    fn lcc_greedy_size_f64(
        options: *const lcc_greedy_options_f64, n: usize, d: usize, bytes: *mut usize,
    ) {
        let options = raw::sized(options)?;
        let size = GreedyBayes::size(&options, n, d)?;
        raw::write(bytes, handle::size(size)?)?;
    }

    /// Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_greedy_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_greedy_options_f64,
        data: *const lcc_data_f64, greedy: *mut *mut lcc_greedy_f64,
    ) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        raw::writable(greedy)?;
        let size = GreedyBayes::size(&options, data.n(), data.d())?;
        let portable = options.portable.on();
        handle::build(memory, bytes, size, portable, greedy, |block| {
            GreedyBayes::init(block, &options, handle::isa(portable), &data)
                .map(|o| note::greedy(&o))
        })?;
    }

    /// Works until the budget is used up, or to the end. A unit of work (one transition of a block of
    /// particles, the outputs of all particles at 64 rows, the choice of the levels at the end) is never
    /// split. Each call also reads the data once to know them again, so give it many times n.
    ///
    /// @return LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
    fn lcc_greedy_step_f64(greedy: *mut lcc_greedy_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(greedy, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// A level that is done with.
    fn lcc_greedy_report_f64(
        greedy: *const lcc_greedy_f64, index: usize, level: *mut lcc_greedy_level_f64,
    ) {
        let greedy = open(greedy)?;
        let l = greedy.level_report(index).ok_or(LCC_ERROR_INDEX)?;
        let value = lcc_greedy_level_f64 {
            log_evidence: l.log_evidence,
            evidence_error: l.evidence_error,
            acceptance: l.acceptance,
            alpha: l.alpha,
            rmse: l.rmse,
            rmse_held_out: l.rmse_held_out,
            coefficient: greedy.coefficients().get(index).copied().unwrap_or(0.0),
            families: l.families,
            stages: l.stages,
        };
        raw::write(level, value)?;
    }

    /// What a fit came to: the levels used, the first so many, and the sd of the noise in standardised units.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_greedy_result_f64(greedy: *const lcc_greedy_f64, levels: *mut u32, noise: *mut f64) {
        let greedy = open(greedy)?;
        raw::writable(levels).and(raw::writable(noise))?;
        raw::refuse(!greedy.progress().done, LCC_ERROR_NOT_DONE)?;
        raw::write_both((greedy.used() as u32, greedy.noise()), levels, noise)?;
    }

    /// The bytes of the model at most, keep draws of K (d + 2) + d + 3 values and a head, and those of the
    /// scratch in which it is written.
    fn lcc_greedy_model_size_f64(
        greedy: *const lcc_greedy_f64, model: *mut usize, scratch: *mut usize,
    ) {
        let fit = open(greedy)?;
        let sizes = model::size::<f64, _>(fit.model_size(), fit.model_scratch())?;
        raw::write_both(sizes, model, scratch)?;
    }

    /// Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every
    /// level used; the mean over the draws is the fit.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_greedy_write_model_f64(
        greedy: *const lcc_greedy_f64, scratch: *mut u8, scratch_bytes: usize, model: *mut u8,
        bytes: usize, written: *mut usize,
    ) {
        let (greedy, scratch, model) =
            (open(greedy)?, raw::slice_mut(scratch, scratch_bytes)?, raw::slice_mut(model, bytes)?);
        raw::writable(written)?;
        let (most, values) = (greedy.model_size(), greedy.model_scratch());
        let write = |model: &mut [u8], scratch: &mut [f64]| greedy.write_model(model, scratch);
        raw::write(written, model::write(most, values, scratch, model, write)?)?;
    }
}
