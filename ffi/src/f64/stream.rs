//! Learning from a stream

use crate::f64::data::lcc_data_f64;
use crate::f64::prediction::lcc_prediction_f64;
use crate::handle::{self, handle, open};
use crate::model;
use crate::note;
use crate::raw;
use crate::status::lcc_status::{self, *};
use crate::stream::{self, lcc_stream_info};
use lcc_core::checkpoint::Kind;
use lcc_core::stream::{StreamLearner, StreamOptions, Window};

handle! {
    /// A model that goes on learning, row by row, where the data drift; in the caller's memory.
    ///
    /// Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
    /// Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
    /// forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
    /// little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
    /// rows. Usual order, for each row: lcc_stream_predict_f64 when the inputs are known,
    /// lcc_stream_observe_f64 when the target is.
    struct lcc_stream_f64: StreamLearner<f64>, Stream, stream;
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

abi! {
    /// Writes the defaults.
    fn lcc_stream_options_default_f64(options: *mut lcc_stream_options_f64) {
        raw::defaults(options)?;
    }

    /// The bytes that a learner takes, at an address that is a multiple of 16: the same on every machine.
    /// About K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
    fn lcc_stream_size_f64(
        options: *const lcc_stream_options_f64, model: *const u8, model_bytes: usize,
        bytes: *mut usize,
    ) {
        let options = raw::sized(options)?;
        let image = model::open(model, model_bytes)?;
        let size = StreamLearner::size(&options, &image)?;
        raw::write(bytes, handle::size(size)?)?;
    }

    /// Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
    ///
    /// @param model  the model, of either precision
    fn lcc_stream_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_stream_options_f64, model: *const u8,
        model_bytes: usize, stream: *mut *mut lcc_stream_f64,
    ) {
        let (options, image) = (raw::sized(options)?, model::open(model, model_bytes)?);
        raw::writable(stream)?;
        let size = StreamLearner::size(&options, &image)?;
        let portable = options.portable.on();
        handle::build(memory, bytes, size, portable, stream, |block| {
            StreamLearner::init(block, &options, handle::isa(portable), &image)
                .map(|o| note::stream(&o))
        })?;
    }

    /// Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
    /// activations a draw, and some tens of evaluations of Student-t tails for the interval.
    ///
    /// @param row    d inputs, one after another, in their own units
    /// @param level  the probability of the interval, e.g. .9
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds
    fn lcc_stream_predict_f64(
        stream: *mut lcc_stream_f64, row: *const f64, d: usize, level: f64,
        prediction: *mut lcc_prediction_f64,
    ) {
        let (mut stream, row) = (open(stream)?, raw::slice(row, d)?);
        raw::writable(prediction)?;
        let p = stream.predict(row, level)?;
        raw::write(
            prediction,
            lcc_prediction_f64 { mean: p.mean, sd: p.sd, lower: p.lower, upper: p.upper },
        )?;
    }

    /// Learns from a row, and says how its target fared under the prediction before. About
    /// 2 M (d + 1) + 6 P^2 flops and M activations a draw. A row that is refused changes nothing.
    ///
    /// @param row    d inputs, one after another, in their own units
    /// @param score  out; NULL saves the time that it takes
    /// @return LCC_ERROR_NOT_FINITE_X or _Y where a number is not finite or beyond 1e9 sds
    fn lcc_stream_observe_f64(
        stream: *mut lcc_stream_f64, row: *const f64, d: usize, y: f64,
        score: *mut lcc_stream_score_f64,
    ) {
        let (mut learner, row) = (open(stream)?, raw::slice(row, d)?);
        if score.is_null() {
            learner.learn(row, y)?;
        } else {
            raw::writable(score)?;
            let s = learner.observe(row, y)?;
            raw::write(score, lcc_stream_score_f64 { log_density: s.log_density, pit: s.pit })?;
        }
        let rows = learner.rows();
        handle::note(stream, note::rows(rows))?;
    }

    /// What a learner is, and how many rows it has learnt.
    fn lcc_stream_read_info_f64(stream: *const lcc_stream_f64, info: *mut lcc_stream_info) {
        raw::write(info, stream::info(&open(stream)?))?;
    }

    /// The weight of each draw; they add up to 1.
    ///
    /// @param out  out: one weight a draw
    fn lcc_stream_weights_f64(stream: *const lcc_stream_f64, out: *mut f64, len: usize) {
        let stream = open(stream)?;
        raw::refuse(len < stream.draws(), LCC_ERROR_CAPACITY)?;
        let count = stream.draws() as f64;
        let out = raw::slice_mut(out, stream.draws())?;
        out.iter_mut().zip(stream.weights()).for_each(|(o, w)| *o = *w / count);
    }

    /// The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
    /// which it is written.
    fn lcc_stream_model_size_f64(
        stream: *const lcc_stream_f64, model: *mut usize, scratch: *mut usize,
    ) {
        raw::write_both(stream::model_size(&open(stream)?)?, model, scratch)?;
    }

    /// Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
    /// that those of the model weigh the same.
    ///
    /// @param spread  1: each head and noise is drawn from its law, so that the model knows what is not known
    ///                of them; 0: their means, best where the mean is what is wanted
    /// @return LCC_ERROR_SWITCH
    fn lcc_stream_write_model_f64(
        stream: *const lcc_stream_f64, spread: u32, seed: u64, scratch: *mut u8,
        scratch_bytes: usize, model: *mut u8, bytes: usize, written: *mut usize,
    ) {
        let (stream, scratch, model) =
            (open(stream)?, raw::slice_mut(scratch, scratch_bytes)?, raw::slice_mut(model, bytes)?);
        raw::writable(written)?;
        let seed = handle::switch(spread)?.then_some(seed);
        raw::write(written, stream::write_model(&stream, seed, scratch, model)?)?;
    }
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
    let (memory, _) = unsafe { handle::memory(window)? };
    Ok(Window::open(memory)?)
}

abi! {
    /// The bytes that a window takes, at an address that is a multiple of 16.
    fn lcc_window_size_f64(capacity: usize, d: usize, bytes: *mut usize) {
        let size = Window::<f64>::size(capacity, d)?;
        raw::write(bytes, handle::size(size)?)?;
    }

    /// Builds an empty window at the start of a block of memory.
    fn lcc_window_init_f64(
        memory: *mut u8, bytes: usize, capacity: usize, d: usize, window: *mut *mut lcc_window_f64,
    ) {
        raw::writable(window)?;
        let size = Window::<f64>::size(capacity, d)?;
        handle::build(memory, bytes, size, false, window, |block| {
            Window::<f64>::init(block, capacity, d).map(|_| note::rows(0))
        })?;
    }

    /// Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
    ///
    /// @param row  d inputs, one after another
    fn lcc_window_push_f64(window: *mut lcc_window_f64, row: *const f64, d: usize, y: f64) {
        let (mut rows, row) = (open_window(window)?, raw::slice(row, d)?);
        rows.push(row, y)?;
        let count = rows.rows() as u64;
        handle::note(window, note::rows(count))?;
    }

    /// The rows that are there, in no particular order, where they lie: valid until the next push.
    ///
    /// @return LCC_ERROR_EMPTY before the first row
    fn lcc_window_data_f64(window: *const lcc_window_f64, data: *mut lcc_data_f64) {
        let window = open_window(window)?;
        let rows = window.data()?;
        let value = lcc_data_f64 {
            x: window.inputs().as_ptr(),
            y: rows.y().as_ptr(),
            n: rows.n(),
            d: rows.d(),
            row_stride: rows.d(),
            column_stride: 1,
        };
        raw::write(data, value)?;
    }
}
