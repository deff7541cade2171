//! Greedy least squares

use crate::f64::data::lcc_data_f64;
use crate::handle;
use crate::model;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::estimator::Status;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedOptions};

/// A fit by greedy least squares over the dictionary {+-V psi(x.w): |w|_1 <= radius}, in the caller's
/// memory: relaxed greedy, Frank-Wolfe or orthogonal matching pursuit. Each level seeks one neuron by
/// projected gradient ascent from several starts, and takes it into the fit.
pub struct lcc_relaxed_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_relaxed_f64 {
    const KIND: Kind = Kind::Relaxed;
    type Real = f64;
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

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open<'a>(relaxed: *const lcc_relaxed_f64) -> Result<RelaxedGreedy<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(relaxed)? };
    Ok(RelaxedGreedy::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_options_default_f64(
    options: *mut lcc_relaxed_options_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a fit takes, at an address that is a multiple of 16.
///
/// @param options  what to do
/// @param n        rows
/// @param d        columns
/// @param bytes    out
/// @return LCC_OK, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, or what is wrong with an option
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_size_f64(
    options: *const lcc_relaxed_options_f64,
    n: usize,
    d: usize,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let options = unsafe { raw::sized(options)? };
        let size = RelaxedGreedy::size(&options, n, d)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a fit at the start of a block of memory. Reads the data and keeps a copy in its own units.
///
/// @param memory   lcc_relaxed_size_f64 bytes, aligned to 16
/// @param bytes    the bytes at memory
/// @param options  what to do
/// @param data     rows and targets, in their own units
/// @param relaxed  out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, LCC_ERROR_CONSTANT_TARGET, or what is
///         wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_relaxed_options_f64,
    data: *const lcc_data_f64,
    relaxed: *mut *mut lcc_relaxed_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, data) =
            unsafe { (raw::sized(options)?, raw::reference(data)?.raw().dataset()?) };
        raw::writable(relaxed)?;
        let size = RelaxedGreedy::size(&options, data.n(), data.d())?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, relaxed, |block| {
                RelaxedGreedy::init(block, &options, handle::isa(portable), &data)
                    .map(|o| note::relaxed(&o))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Works until the budget is used up, or to the end. A unit of work (one step of a block of starts, or
/// the end of a level) is never split. Each call also reads the data once to know them again, so give it many times n.
///
/// @param relaxed the handle
/// @param data    its data, unchanged
/// @param budget  rows of data times starts to visit; any positive budget advances
/// @return LCC_RUNNING, LCC_DONE, LCC_ERROR_HANDLE, LCC_ERROR_DATA_CHANGED, or what is wrong with the data
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_step_f64(
    relaxed: *mut lcc_relaxed_f64,
    data: *const lcc_data_f64,
    budget: u64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut object, data) =
            unsafe { (open(relaxed)?, raw::reference(data)?.raw().dataset()?) };
        let status = object.step(&data, budget);
        let now = note::relaxed(&object);
        // SAFETY: as above.
        unsafe { handle::note(relaxed, now)? };
        Ok(match status? {
            Status::Running => lcc_status::LCC_RUNNING,
            Status::Done => lcc_status::LCC_DONE,
        })
    })
}

/// The fit after a level.
///
/// @param relaxed the handle
/// @param index   of the level, from 0
/// @param level   out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INDEX
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_report_f64(
    relaxed: *const lcc_relaxed_f64,
    index: usize,
    level: *mut lcc_relaxed_level_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let relaxed = unsafe { open(relaxed)? };
        let l = relaxed.level_report(index).ok_or(lcc_status::LCC_ERROR_INDEX)?;
        let value = lcc_relaxed_level_f64 {
            error: l.error,
            bound: l.bound,
            gap: l.gap,
            variation: l.variation,
        };
        // SAFETY: as above.
        unsafe { raw::write(level, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of the model at most, one draw of K (d + 2) + d + 3 values and a head, and those of the
/// scratch in which it is written.
///
/// @param relaxed  the handle
/// @param model    out: bytes of the model
/// @param scratch  out: bytes of scratch
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_model_size_f64(
    relaxed: *const lcc_relaxed_f64,
    model: *mut usize,
    scratch: *mut usize,
) -> i32 {
    raw::call(|| {
        raw::writable(model)?;
        raw::writable(scratch)?;
        // SAFETY: the header asks for valid pointers.
        let fit = unsafe { open(relaxed)? };
        let (bytes, own) = model::size::<f64, _>(fit.model_size(), fit.model_scratch())?;
        // SAFETY: as above.
        unsafe {
            raw::write(model, bytes)?;
            raw::write(scratch, own)?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Writes the model: an image of one draw that every lcc_model_ function reads, with the training error
/// as its noise. It may be asked for as soon as there is a level, and again later.
///
/// @param relaxed        the handle
/// @param scratch        bytes as lcc_relaxed_model_size_f64 says, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param model          out: bytes as lcc_relaxed_model_size_f64 says, of any alignment
/// @param bytes          the bytes at model
/// @param written        out: the model's own length
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_NOT_DONE, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_relaxed_write_model_f64(
    relaxed: *const lcc_relaxed_f64,
    scratch: *mut u8,
    scratch_bytes: usize,
    model: *mut u8,
    bytes: usize,
    written: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (relaxed, scratch, model) = unsafe {
            (open(relaxed)?, raw::slice_mut(scratch, scratch_bytes)?, raw::slice_mut(model, bytes)?)
        };
        raw::writable(written)?;
        let (most, values) = (relaxed.model_size(), relaxed.model_scratch());
        let write = |model: &mut [u8], scratch: &mut [f64]| relaxed.write_model(model, scratch);
        let value = model::write(most, values, scratch, model, write)?;
        // SAFETY: as above.
        unsafe { raw::write(written, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
