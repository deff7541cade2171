//! Greedy least squares

use crate::f64::data::{dataset, lcc_data_f64};
use crate::model;
use crate::prelude::*;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedLevel, RelaxedOptions};

handle! {
    /// A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
    /// memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
    /// projected gradient ascent from several starts, and takes it into the fit.
    struct lcc_relaxed_f64: RelaxedGreedy<f64>, Relaxed, relaxed;
}

/// What a fit is asked to do.
pub type lcc_relaxed_options_f64 = RelaxedOptions<f64>;

/// A fit after one level, in the neurons' units.
pub type lcc_relaxed_level_f64 = RelaxedLevel<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_relaxed_options_default_f64() -> (options: lcc_relaxed_options_f64) {
        RelaxedOptions::default()
    }

    /// The bytes that a fit takes.
    fn lcc_relaxed_size_f64(
        options: *const lcc_relaxed_options_f64, n: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(RelaxedGreedy::size(&raw::sized(options)?, n, d)?)?
    }

    /// Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_relaxed_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_relaxed_options_f64,
        data: *const lcc_data_f64,
    ) -> (relaxed: *mut lcc_relaxed_f64) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        let size = RelaxedGreedy::size(&options, data.n(), data.d())?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            RelaxedGreedy::init(block, &options, isa, &data)
        })?
    }

    /// Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
    /// the end of a level) is never split.
    fn lcc_relaxed_step_f64(relaxed: *mut lcc_relaxed_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(relaxed, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// The fit after a level.
    fn lcc_relaxed_report_f64(
        relaxed: *const lcc_relaxed_f64, index: usize,
    ) -> (level: lcc_relaxed_level_f64) {
        open(relaxed)?.level_report(index).ok_or(LCC_ERROR_INDEX)?
    }

    /// The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
    /// scratch in which it is written.
    fn lcc_relaxed_model_size_f64(
        relaxed: *const lcc_relaxed_f64,
    ) -> (model: usize, scratch: usize) {
        let fit = open(relaxed)?;
        (fit.model_size()?, raw::scratch_size::<f64, _>([fit.model_scratch()])?)
    }

    /// Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
    /// as its noise. It may be asked for as soon as there is a level, and again later.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_relaxed_write_model_f64(
        relaxed: *const lcc_relaxed_f64, scratch: *mut u8, scratch_bytes: usize, model: *mut u8,
        bytes: usize,
    ) -> (written: usize) {
        let fit = open(relaxed)?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [fit.model_scratch()])?;
        fit.write_model(model::room(model, bytes, fit.model_size()?)?, scratch)?
    }
}
