//! Learning from a stream

use crate::f64::data::lcc_data_f64;
use crate::f64::prediction::lcc_prediction_f64;
use crate::handle;
use crate::model;
use crate::note;
use crate::raw;
use crate::status::lcc_status;
use crate::stream::{self, lcc_stream_info};
use lcc_core::checkpoint::Kind;
use lcc_core::stream::{StreamLearner, StreamOptions, Window};

/// A model that goes on learning, row by row, where the data drift; in the caller's memory.
///
/// Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
/// Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
/// forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
/// little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
/// rows. Usual order, for each row: lcc_stream_predict_f64 when the inputs are known,
/// lcc_stream_observe_f64 when the target is.
pub struct lcc_stream_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_stream_f64 {
    const KIND: Kind = Kind::Stream;
    type Real = f64;
}

/// How a stream is learnt from. Sds are those of the head in standardised units.
pub type lcc_stream_options_f64 = StreamOptions<f64>;

/// How a target fared under the prediction of its row, made before.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_stream_score_f64 {
    /// Log density of the predictive mixture at the target: larger is better.
    pub log_density: f64,
    /// Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
    pub pit: f64,
}

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open<'a>(stream: *const lcc_stream_f64) -> Result<StreamLearner<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { handle::open(stream)? };
    Ok(StreamLearner::open(memory, isa)?)
}

/// Writes the defaults.
///
/// @param options  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_options_default_f64(
    options: *mut lcc_stream_options_f64,
) -> i32 {
    // SAFETY: the header asks for valid pointers.
    raw::call(|| unsafe { raw::defaults(options) })
}

/// The bytes that a learner takes, at an address that is a multiple of 16: the same on every machine.
/// About K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
///
/// @param options      how to learn
/// @param model        the model
/// @param model_bytes  the bytes at model
/// @param bytes        out
/// @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with an option or the model
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_size_f64(
    options: *const lcc_stream_options_f64,
    model: *const u8,
    model_bytes: usize,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let options = unsafe { raw::sized(options)? };
        // SAFETY: as above.
        let image = unsafe { model::open(model, model_bytes)? };
        let size = StreamLearner::size(&options, &image)?;
        // SAFETY: as above.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
///
/// @param memory       lcc_stream_size_f64 bytes, aligned to 16
/// @param bytes        the bytes at memory
/// @param options      how to learn
/// @param model        the model, of either precision
/// @param model_bytes  the bytes at model
/// @param stream       out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN, or what is wrong with an argument
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_init_f64(
    memory: *mut u8,
    bytes: usize,
    options: *const lcc_stream_options_f64,
    model: *const u8,
    model_bytes: usize,
    stream: *mut *mut lcc_stream_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (options, image) = unsafe { (raw::sized(options)?, model::open(model, model_bytes)?) };
        raw::writable(stream)?;
        let size = StreamLearner::size(&options, &image)?;
        let portable = options.portable.on();
        // SAFETY: as above.
        unsafe {
            handle::build(memory, bytes, size, portable, stream, |block| {
                StreamLearner::init(block, &options, handle::isa(portable), &image)
                    .map(|o| note::rows(o.rows()))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
/// activations a draw, and some tens of evaluations of Student-t tails for the interval.
///
/// @param stream      the handle
/// @param row         d inputs, one after another, in their own units
/// @param d           how many
/// @param level       the probability of the interval, e.g. .9
/// @param prediction  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY,
///         LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_predict_f64(
    stream: *mut lcc_stream_f64,
    row: *const f64,
    d: usize,
    level: f64,
    prediction: *mut lcc_prediction_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut stream, row) = unsafe { (open(stream)?, raw::slice(row, d)?) };
        raw::writable(prediction)?;
        let p = stream.predict(row, level)?;
        let value = lcc_prediction_f64 { mean: p.mean, sd: p.sd, lower: p.lower, upper: p.upper };
        // SAFETY: as above.
        unsafe { raw::write(prediction, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Learns from a row, and says how its target fared under the prediction before. About
/// 2 M (d + 1) + 6 P^2 flops and M activations a draw. A row that is refused changes nothing.
///
/// @param stream  the handle
/// @param row     d inputs, one after another, in their own units
/// @param d       how many
/// @param y       the target
/// @param score   out; NULL saves the time that it takes
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y where
///         a number is not finite or beyond 1e9 sds
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_observe_f64(
    stream: *mut lcc_stream_f64,
    row: *const f64,
    d: usize,
    y: f64,
    score: *mut lcc_stream_score_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut learner, row) = unsafe { (open(stream)?, raw::slice(row, d)?) };
        if score.is_null() {
            learner.learn(row, y)?;
        } else {
            raw::writable(score)?;
            let s = learner.observe(row, y)?;
            let value = lcc_stream_score_f64 { log_density: s.log_density, pit: s.pit };
            // SAFETY: as above.
            unsafe { raw::write(score, value)? };
        }
        let rows = learner.rows();
        // SAFETY: as above.
        unsafe { handle::note(stream, note::rows(rows))? };
        Ok(lcc_status::LCC_OK)
    })
}

/// What a learner is, and how many rows it has learnt.
///
/// @param stream  the handle
/// @param info    out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_read_info_f64(
    stream: *const lcc_stream_f64,
    info: *mut lcc_stream_info,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = stream::info(&unsafe { open(stream)? });
        // SAFETY: as above.
        unsafe { raw::write(info, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The weight of each draw; they add up to 1.
///
/// @param stream  the handle
/// @param out     out: one weight a draw
/// @param len     the values that fit at out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_CAPACITY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_weights_f64(
    stream: *const lcc_stream_f64,
    out: *mut f64,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let stream = unsafe { open(stream)? };
        if len < stream.draws() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        let count = stream.draws() as f64;
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(out, stream.draws())? };
        out.iter_mut().zip(stream.weights()).for_each(|(o, w)| *o = *w / count);
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
/// which it is written.
///
/// @param stream   the handle
/// @param model    out: bytes of the model
/// @param scratch  out: bytes of scratch
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_model_size_f64(
    stream: *const lcc_stream_f64,
    model: *mut usize,
    scratch: *mut usize,
) -> i32 {
    raw::call(|| {
        raw::writable(model)?;
        raw::writable(scratch)?;
        // SAFETY: the header asks for valid pointers.
        let (bytes, own) = stream::model_size(&unsafe { open(stream)? })?;
        // SAFETY: as above.
        unsafe {
            raw::write(model, bytes)?;
            raw::write(scratch, own)?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
/// that those of the model weigh the same.
///
/// @param stream         the handle
/// @param spread         1: each head and noise is drawn from its law, so that the model knows what is not
///                       known of them; 0: their means, best where the mean is what is wanted
/// @param seed           names the random numbers
/// @param scratch        bytes as lcc_stream_model_size_f64 says, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param model          out: bytes as lcc_stream_model_size_f64 says, of any alignment
/// @param bytes          the bytes at model
/// @param written        out: the model's own length
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_SWITCH, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_stream_write_model_f64(
    stream: *const lcc_stream_f64,
    spread: u32,
    seed: u64,
    scratch: *mut u8,
    scratch_bytes: usize,
    model: *mut u8,
    bytes: usize,
    written: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (stream, scratch, model) = unsafe {
            (open(stream)?, raw::slice_mut(scratch, scratch_bytes)?, raw::slice_mut(model, bytes)?)
        };
        raw::writable(written)?;
        let seed = handle::switch(spread)?.then_some(seed);
        let value = stream::write_model(&stream, seed, scratch, model)?;
        // SAFETY: as above.
        unsafe { raw::write(written, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The last rows of a stream, in the caller's memory: appended until it is full, then the oldest is
/// replaced.
pub struct lcc_window_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_window_f64 {
    const KIND: Kind = Kind::Window;
    type Real = f64;
}

/// # Safety
/// NULL or a handle of this type that nobody else uses during `'a`.
unsafe fn open_window<'a>(window: *const lcc_window_f64) -> Result<Window<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, _) = unsafe { handle::open(window)? };
    Ok(Window::open(memory)?)
}

/// The bytes that a window takes, at an address that is a multiple of 16.
///
/// @param capacity  rows
/// @param d         columns
/// @param bytes     out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_window_size_f64(capacity: usize, d: usize, bytes: *mut usize) -> i32 {
    raw::call(|| {
        let size = Window::<f64>::size(capacity, d)?;
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(bytes, handle::size(size)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds an empty window at the start of a block of memory.
///
/// @param memory    lcc_window_size_f64 bytes, aligned to 16
/// @param bytes     the bytes at memory
/// @param capacity  rows
/// @param d         columns
/// @param window    out: the handle, which is memory itself
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_EMPTY, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_window_init_f64(
    memory: *mut u8,
    bytes: usize,
    capacity: usize,
    d: usize,
    window: *mut *mut lcc_window_f64,
) -> i32 {
    raw::call(|| {
        raw::writable(window)?;
        let size = Window::<f64>::size(capacity, d)?;
        // SAFETY: the header asks for valid pointers.
        unsafe {
            handle::build(memory, bytes, size, false, window, |block| {
                Window::<f64>::init(block, capacity, d).map(|_| note::rows(0))
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}

/// Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
///
/// @param window  the handle
/// @param row     d inputs, one after another
/// @param d       how many
/// @param y       the target
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_INPUTS, LCC_ERROR_NOT_FINITE_X or _Y
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_window_push_f64(
    window: *mut lcc_window_f64,
    row: *const f64,
    d: usize,
    y: f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (mut rows, row) = unsafe { (open_window(window)?, raw::slice(row, d)?) };
        rows.push(row, y)?;
        let count = rows.rows() as u64;
        // SAFETY: as above.
        unsafe { handle::note(window, note::rows(count))? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The rows that are there, in no particular order, where they lie: valid until the next push.
///
/// @param window  the handle
/// @param data    out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_EMPTY before the first row
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_window_data_f64(
    window: *const lcc_window_f64,
    data: *mut lcc_data_f64,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let window = unsafe { open_window(window)? };
        let rows = window.data()?;
        let value = lcc_data_f64 {
            x: window.inputs().as_ptr(),
            y: rows.y().as_ptr(),
            n: rows.n(),
            d: rows.d(),
            row_stride: rows.d(),
            column_stride: 1,
        };
        // SAFETY: as above.
        unsafe { raw::write(data, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
