//! Prequential Greedy Bayes

use crate::f64::data::lcc_data_f64;
use crate::f64::forecast::{forecast, lcc_forecast_f64, lcc_losses_f64, level_of};
use crate::handle;
use crate::model;
use crate::note;
use crate::prequential;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::estimator::Status;
use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
use lcc_core::workspace::{Carve, Memory};

/// A learner by prequential Greedy Bayes, in the caller's memory: row by row, each foretold before it is
/// seen.
///
/// Level k after i - 1 rows: p(w) ~ exp(alpha V sum_{j<i} r_{j,k-1} psi(x_j.w)) p0(w), f_{i,k} = (1 -
/// beta) f_{i,k-1} + beta E[V psi(x.w)], r_{i,k} = y_i - (1 - beta) f_{i,k}(x_i). Particles of every level
/// are weighted by each row, and resampled and moved where the weights leave too few: all n K posteriors
/// for the price of a few K. f_{i,K}(x_i) foretells y_i, in a Student-t law that learns its scale from the
/// errors. The online form of the papers; as a regressor lcc_network predicts better.
pub struct lcc_prequential_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_prequential_f64 {
    const KIND: Kind = Kind::Prequential;
    type Real = f64;
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

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open<'a>(
    prequential: *const lcc_prequential_f64,
) -> Result<Prequential<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(prequential)? };
    Ok(Prequential::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_options_default_f64(
    options: *mut lcc_prequential_options_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a learner takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param rows     rows that there is to be room for
/// @param d        columns
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_size_f64(
    options: *const lcc_prequential_options_f64,
    rows: usize,
    d: usize,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let options = unsafe { raw::sized(options)? };
        let size = Prequential::size(&options, rows, d)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a learner that has seen no row, at the start of a block of memory.
///
/// @param memory       lcc_prequential_size_f64 bytes, aligned to 16
/// @param bytes        the bytes at memory
/// @param options      what to do
/// @param rows         rows that there is to be room for
/// @param d            columns
/// @param units        data of d columns, whose means and sds standardise every row; NULL takes rows as
///                     they are
/// @param prequential  out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET,
///         LCC_ERROR_INPUTS, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_prequential_options_f64,
    rows: usize,
    d: usize,
    units: *const lcc_data_f64,
    prequential: *mut *mut lcc_prequential_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let options = unsafe { raw::sized(options)? };
        raw::writable(prequential)?;
        let units = if units.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { raw::reference(units)?.raw().dataset()? })
        };
        if units.is_some_and(|u| u.d() != d) {
            return Err(lcc_status::LCC_ERROR_INPUTS);
        }
        let size = Prequential::size(&options, rows, d)?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, prequential, |block| {
                let isa = handle::isa(portable);
                Prequential::init(block, &options, isa, rows, d, units.as_ref())
                    .map(|o| note::prequential(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of the scratch of a row.
///
/// @param prequential  the handle
/// @param bytes        out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_scratch_f64(
    prequential: *const lcc_prequential_f64,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = prequential::row_scratch(&unsafe { open(prequential)? })?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The law of the target at a row given those before it. K N (2 d + 12) flops and 2 K N activations.
///
/// @param prequential    the handle
/// @param x              the inputs, in raw units
/// @param d              as many as the learner has
/// @param level          the probability of the interval, e.g. .9
/// @param scratch        lcc_prequential_scratch_f64 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param forecast       out
/// @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE
///         while a row is being learnt, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_forecast_f64(
    prequential: *const lcc_prequential_f64,
    x: *const f64,
    d: usize,
    level: f64,
    scratch: *mut u8,
    scratch_bytes: usize,
    forecast: *mut lcc_forecast_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (learner, x, scratch) = unsafe {
            (open(prequential)?, raw::slice(x, d)?, raw::slice_mut(scratch, scratch_bytes)?)
        };
        raw::writable(forecast)?;
        if learner.inputs() != d {
            return Err(lcc_status::LCC_ERROR_INPUTS);
        }
        let level = level_of(level)?;
        let scratch = Memory::new(scratch)?.take(learner.row_scratch())?;
        let value = self::forecast(learner.forecast(x, scratch)?, level);
        // SAFETY: as above.
        unsafe { raw::write(forecast, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Takes a row; lcc_prequential_step_f64 then does the work. A row that is refused leaves the learner as it
/// was.
///
/// @param prequential  the handle
/// @param x            the inputs, in raw units
/// @param d            as many as the learner has
/// @param y            the target
/// @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_CAPACITY
///         where there is no room for it, LCC_ERROR_NOT_DONE while the row before is being learnt
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_observe_f64(
    prequential: *mut lcc_prequential_f64,
    x: *const f64,
    d: usize,
    y: f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut learner, x) = unsafe { (open(prequential)?, raw::slice(x, d)?) };
        if learner.inputs() != d {
            return Err(lcc_status::LCC_ERROR_INPUTS);
        }
        let status = learner.observe(x, y);
        let now = note::prequential(&learner);
        // SAFETY: as above.
        unsafe { handle::note(prequential, now)? };
        status?;
        Ok(lcc_status::LCC_OK)
    })
}

/// Works until the budget is used up, or to the end of the row. A unit of work (one transition of a block
/// of particles, the outputs or the resampling of a level's particles) is never split.
///
/// @param prequential  the handle
/// @param budget       rows of data times particles to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_IMPROPER, LCC_ERROR_STAGES
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_step_f64(
    prequential: *mut lcc_prequential_f64,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let mut learner = unsafe { open(prequential)? };
        let status = learner.step(budget);
        let now = note::prequential(&learner);
        // SAFETY: as above.
        unsafe { handle::note(prequential, now)? };
        Ok(match status? {
            Status::Running => lcc_status::LCC_RUNNING,
            Status::Done => lcc_status::LCC_DONE,
        })
    })
}

/// The law that foretold the last row.
///
/// @param prequential  the handle
/// @param level        the probability of the interval
/// @param forecast     out
/// @return LCC_OK, LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_DONE before the first row
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_last_f64(
    prequential: *const lcc_prequential_f64,
    level: f64,
    forecast: *mut lcc_forecast_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let learner = unsafe { open(prequential)? };
        let level = level_of(level)?;
        let law = learner.last_forecast().ok_or(lcc_status::LCC_ERROR_NOT_DONE)?;
        // SAFETY: as above.
        unsafe { raw::write(forecast, self::forecast(law, level))? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The losses so far.
///
/// @param prequential  the handle
/// @param losses       out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_losses_f64(
    prequential: *const lcc_prequential_f64,
    losses: *mut lcc_losses_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let l = unsafe { open(prequential)? }.losses();
        let value = lcc_losses_f64 { rows: l.rows, squared: l.squared, log: l.log };
        // SAFETY: as above.
        unsafe { raw::write(losses, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// A level, after the rows so far. Reads the weights of its particles.
///
/// @param prequential  the handle
/// @param index        of the level, from 0
/// @param level        out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_report_f64(
    prequential: *const lcc_prequential_f64,
    index: usize,
    level: *mut lcc_prequential_level_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let learner = unsafe { open(prequential)? };
        let l = learner.level_report(index).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        let value = lcc_prequential_level_f64 {
            log_evidence: l.log_evidence,
            ess: l.ess,
            acceptance: l.acceptance,
            fit: l.fit,
            resamplings: l.resamplings,
        };
        // SAFETY: as above.
        unsafe { raw::write(level, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// E[V s psi(x.w)] under the posterior of a level given the rows so far, in the neurons' units.
///
/// @param prequential    the handle
/// @param index          of the level, from 0
/// @param x              the inputs, in raw units
/// @param d              as many as the learner has
/// @param scratch        lcc_prequential_scratch_f64 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param mean           out
/// @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_DONE,
///         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_expectation_f64(
    prequential: *const lcc_prequential_f64,
    index: usize,
    x: *const f64,
    d: usize,
    scratch: *mut u8,
    scratch_bytes: usize,
    mean: *mut f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (learner, x, scratch) = unsafe {
            (open(prequential)?, raw::slice(x, d)?, raw::slice_mut(scratch, scratch_bytes)?)
        };
        if learner.inputs() != d {
            return Err(lcc_status::LCC_ERROR_INPUTS);
        }
        if index >= learner.options().levels as usize {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        let scratch = Memory::new(scratch)?.take(learner.row_scratch())?;
        let value = learner.expectation(index, x, scratch)?;
        // SAFETY: as above.
        unsafe { raw::write(mean, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of the model, keep draws of K (d + 2) + d + 3 values and a head, and those of the scratch in
/// which it is written.
///
/// @param prequential   the handle
/// @param model        out: bytes of the model
/// @param scratch      out: bytes of scratch
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_model_size_f64(
    prequential: *const lcc_prequential_f64,
    model: *mut usize,
    scratch: *mut usize,
) -> i32 {
    raw::call(|| {
        raw::writable(model)?;
        raw::writable(scratch)?;
        // SAFETY: the header asks for valid pointers.
        let fit = unsafe { open(prequential)? };
        let (bytes, own) = model::size::<f64, _>(fit.model_size(), fit.model_scratch())?;
        // SAFETY: as above.
        unsafe {
            raw::write(model, bytes)?;
            raw::write(scratch, own)?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Writes the model: an image that every lcc_model_ function reads. A draw holds one particle of every level
/// at one time i; the mean over the draws is the mean of f_i over the times asked for.
///
/// @param prequential         the handle
/// @param averaging      an LCC_AVERAGING_ code
/// @param scratch        bytes as lcc_prequential_model_size_f64 says, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param model          out: bytes as lcc_prequential_model_size_f64 says, of any alignment
/// @param bytes          the bytes at model
/// @param written        out: the model's own length
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_AVERAGING, LCC_ERROR_NOT_DONE,
///         LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_prequential_write_model_f64(
    prequential: *const lcc_prequential_f64,
    averaging: i32,
    scratch: *mut u8,
    scratch_bytes: usize,
    model: *mut u8,
    bytes: usize,
    written: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (learner, scratch, model) = unsafe {
            (
                open(prequential)?,
                raw::slice_mut(scratch, scratch_bytes)?,
                raw::slice_mut(model, bytes)?,
            )
        };
        raw::writable(written)?;
        let averaging = Averaging::from_code(averaging).ok_or(lcc_status::LCC_ERROR_AVERAGING)?;
        let (most, values) = (learner.model_size(), learner.model_scratch());
        let write =
            |model: &mut [u8], scratch: &mut [f64]| learner.write_model(averaging, model, scratch);
        let value = model::write(most, values, scratch, model, write)?;
        // SAFETY: as above.
        unsafe { raw::write(written, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
