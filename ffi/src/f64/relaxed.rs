//! Greedy least squares

use crate::f64::data::{dataset, lcc_data_f64};
use crate::handle::{self, handle, open};
use crate::model;
use crate::note;
use crate::raw;
use crate::status::lcc_status::*;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedOptions};

handle! {
    /// A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
    /// memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
    /// projected gradient ascent from several starts, and takes it into the fit.
    struct lcc_relaxed_f64: RelaxedGreedy<f64>, Relaxed, relaxed;
}

/// What a fit is asked to do.
pub type lcc_relaxed_options_f64 = RelaxedOptions<f64>;

/// A fit after one level, in the neurons' units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_relaxed_level_f64 {
    /// The mean squared error over the training rows.
    pub error: f64,
    /// V^2 sup psi^2 / k: what some average of k neurons comes to within of the best of the hull.
    pub bound: f64,
    /// Frank-Wolfe: the duality gap before this level, at least the excess over the best of the hull as
    /// far as the neuron found is the best of the dictionary. NaN for the other methods.
    pub gap: f64,
    /// V times the sum of the neurons' absolute factors: at most V in the hull.
    pub variation: f64,
}

abi! {
    /// Writes the defaults.
    fn lcc_relaxed_options_default_f64(options: *mut lcc_relaxed_options_f64) {
        raw::defaults(options)?;
    }

    /// The bytes that a fit takes, at an address that is a multiple of 16.
    fn lcc_relaxed_size_f64(
        options: *const lcc_relaxed_options_f64, n: usize, d: usize, bytes: *mut usize,
    ) {
        let options = raw::sized(options)?;
        let size = RelaxedGreedy::size(&options, n, d)?;
        raw::write(bytes, handle::size(size)?)?;
    }

    /// Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
    ///
    /// @return LCC_ERROR_CONSTANT_TARGET
    fn lcc_relaxed_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_relaxed_options_f64,
        data: *const lcc_data_f64, relaxed: *mut *mut lcc_relaxed_f64,
    ) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        raw::writable(relaxed)?;
        let size = RelaxedGreedy::size(&options, data.n(), data.d())?;
        let portable = options.portable.on();
        handle::build(memory, bytes, size, portable, relaxed, |block| {
            RelaxedGreedy::init(block, &options, handle::isa(portable), &data)
                .map(|o| note::relaxed(&o))
        })?;
    }

    /// Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
    /// the end of a level) is never split. Each call also reads the data once to know them again, so give it many times n.
    fn lcc_relaxed_step_f64(relaxed: *mut lcc_relaxed_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(relaxed, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// The fit after a level.
    fn lcc_relaxed_report_f64(
        relaxed: *const lcc_relaxed_f64, index: usize, level: *mut lcc_relaxed_level_f64,
    ) {
        let relaxed = open(relaxed)?;
        let l = relaxed.level_report(index).ok_or(LCC_ERROR_INDEX)?;
        let value = lcc_relaxed_level_f64 {
            error: l.error,
            bound: l.bound,
            gap: l.gap,
            variation: l.variation,
        };
        raw::write(level, value)?;
    }

    /// The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
    /// scratch in which it is written.
    fn lcc_relaxed_model_size_f64(
        relaxed: *const lcc_relaxed_f64, model: *mut usize, scratch: *mut usize,
    ) {
        let fit = open(relaxed)?;
        let sizes = model::size::<f64, _>(fit.model_size(), fit.model_scratch())?;
        raw::write_both(sizes, model, scratch)?;
    }

    /// Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
    /// as its noise. It may be asked for as soon as there is a level, and again later.
    ///
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_relaxed_write_model_f64(
        relaxed: *const lcc_relaxed_f64, scratch: *mut u8, scratch_bytes: usize, model: *mut u8,
        bytes: usize, written: *mut usize,
    ) {
        let (relaxed, scratch, model) = (
            open(relaxed)?,
            raw::slice_mut(scratch, scratch_bytes)?,
            raw::slice_mut(model, bytes)?,
        );
        raw::writable(written)?;
        let (most, values) = (relaxed.model_size(), relaxed.model_scratch());
        let write = |model: &mut [u8], scratch: &mut [f64]| relaxed.write_model(model, scratch);
        raw::write(written, model::write(most, values, scratch, model, write)?)?;
    }
}
