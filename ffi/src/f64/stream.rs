//! Learning from a stream

use crate::f64::data::lcc_data_f64;
use crate::f64::prediction::lcc_prediction_f64;
use crate::model;
use crate::note;
use crate::prelude::*;
use crate::stream::lcc_stream_info;
use lcc_core::checkpoint::Kind;
use lcc_core::simd::Isa;
use lcc_core::stream::{StreamLearner, StreamOptions, StreamScore, Window};

handle! {
    /// A model that goes on learning, row by row, where the data drift; in the caller's memory.
    ///
    /// Every draw keeps its hidden layer and learns its head (outer weights, intercept, linear part) by
    /// Bayesian recursive least squares with forgetting, and its noise by a Gamma with forgetting. What is
    /// forgotten leaks back towards the model as it was fitted, so that nothing grows without bound however
    /// little the rows say. Covariances are kept factored (Bierman): single precision bears any number of
    /// rows. Usual order, for each row: lcc_stream_predict_f64 when the inputs are known,
    /// lcc_stream_observe_f64 when the target is. It begins with a prior of the heads that is wide enough for any
    /// drift, and so unsure; handed the training rows first, it begins with what they say.
    struct lcc_stream_f64: StreamLearner<f64>, Stream, stream;
}

/// How a stream is learnt from. Sds are those of the head in standardised units.
pub type lcc_stream_options_f64 = StreamOptions<f64>;

/// How a target fared under the prediction of its row, made before.
pub type lcc_stream_score_f64 = StreamScore<f64>;

abi! {
    /// Writes the defaults.
    fn lcc_stream_options_default_f64() -> (options: lcc_stream_options_f64) {
        StreamOptions::default()
    }

    /// The bytes that a learner takes: the same on every machine. About
    /// K (M (d + 1) + P (P + 7) / 2 + 11) values, P = M + d + 1, K rounded up to the lanes.
    ///
    /// @param model  of one hidden layer, with inputs on the output directly (the defaults) and Student-t or Gaussian noise
    /// @return LCC_ERROR_STREAM_MODEL
    fn lcc_stream_size_f64(
        options: *const lcc_stream_options_f64, model: *const u8, model_bytes: usize,
    ) -> (bytes: usize) {
        let options = raw::sized(options)?;
        handle::size(StreamLearner::size(&options, &model::open(model, model_bytes)?)?)?
    }

    /// Builds a learner at the start of a block of memory. The model is copied: it is not needed afterwards.
    ///
    /// @param model  the model, of either precision
    fn lcc_stream_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_stream_options_f64, model: *const u8,
        model_bytes: usize,
    ) -> (stream: *mut lcc_stream_f64) {
        let (options, image) = (raw::sized(options)?, model::open(model, model_bytes)?);
        let size = StreamLearner::size(&options, &image)?;
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            StreamLearner::init(block, &options, isa, &image)
        })?
    }

    /// Predicts a row before its target is known; learns nothing. About 2 M (d + 1) + 2 P^2 flops and M
    /// activations a draw, and some tens of evaluations of Student-t tails for the interval.
    ///
    /// @param row    d inputs, one after another, in their own units
    /// @param level  the probability of the interval, e.g. .9
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_NOT_FINITE_X where an input is not finite or beyond 1e9 sds
    fn lcc_stream_predict_f64(
        stream: *mut lcc_stream_f64, row: *const f64, d: usize, level: f64,
    ) -> (prediction: lcc_prediction_f64) {
        open(stream)?.predict(raw::slice(row, d)?, level)?
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
        let row = raw::slice(row, d)?;
        handle::step(stream, |learner| {
            if score.is_null() {
                return Ok(learner.learn(row, y)?);
            }
            raw::writable(score)?;
            raw::write(score, learner.observe(row, y)?)
        })?
    }

    /// What a learner is, and how many rows it has learnt.
    fn lcc_stream_read_info_f64(stream: *const lcc_stream_f64) -> (info: lcc_stream_info) {
        let learner = open(stream)?;
        let (inputs, head) = (learner.inputs(), learner.head_len());
        lcc_stream_info {
            rows: learner.rows(),
            inputs: inputs as u32,
            neurons: head.saturating_sub(inputs).saturating_sub(1) as u32,
            draws: learner.draws() as u32,
            weighted: learner.options().weighted.on() as u32,
        }
    }

    /// The weight of each draw; they add up to 1.
    ///
    /// @param out  out: one weight a draw
    fn lcc_stream_weights_f64(stream: *const lcc_stream_f64, out: *mut f64, len: usize) {
        let learner = open(stream)?;
        let count = learner.draws() as f64;
        raw::fill(out, len, learner.weights().iter().map(|w| *w / count))?;
    }

    /// The bytes of the model, K draws of M (d + 2) + d + 3 values and a head, and those of the scratch in
    /// which it is written.
    fn lcc_stream_model_size_f64(
        stream: *const lcc_stream_f64,
    ) -> (model: usize, scratch: usize) {
        let (bytes, values) = open(stream)?.model_size()?;
        (bytes, raw::scratch_size::<f64, _>([values])?)
    }

    /// Writes the model as it is now, which every lcc_model_ function reads. Weighted draws are resampled, so
    /// that those of the model weigh the same.
    ///
    /// @param spread  1: each head and noise is drawn from its law, so that the model knows what is not known
    ///                of them; 0: their means, best where the mean is what is wanted
    /// @return LCC_ERROR_SWITCH
    fn lcc_stream_write_model_f64(
        stream: *const lcc_stream_f64, spread: u32, seed: u64, scratch: *mut u8,
        scratch_bytes: usize, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let learner = open(stream)?;
        let seed = handle::switch(spread)?.then_some(seed);
        let (most, values) = learner.model_size()?;
        let [scratch] = raw::scratch(scratch, scratch_bytes, [values])?;
        learner.write_model(seed, model::room(model, bytes, most)?, scratch)?
    }
}

/// The last rows of a stream, in the caller's memory: appended until it is full, then the oldest is
/// replaced.
pub struct lcc_window_f64 {
    _private: [u8; 0],
}

impl handle::Object for lcc_window_f64 {
    const KIND: Kind = Kind::Window;
    const HEAD: usize = Window::<f64>::HEAD;
    type Real = f64;
    type Core<'a> = Window<'a, f64>;

    fn open<'a>(memory: &'a mut [u8], _: Isa) -> Result<Window<'a, f64>, lcc_status> {
        Ok(Window::open(memory)?)
    }

    fn note(window: &mut Window<'_, f64>) -> handle::Note {
        note::rows(window.rows() as u64)
    }
}

abi! {
    /// The bytes that a window takes.
    fn lcc_window_size_f64(capacity: usize, d: usize) -> (bytes: usize) {
        handle::size(Window::<f64>::size(capacity, d)?)?
    }

    /// Builds an empty window at the start of a block of memory.
    fn lcc_window_init_f64(
        memory: *mut u8, bytes: usize, capacity: usize, d: usize,
    ) -> (window: *mut lcc_window_f64) {
        let size = Window::<f64>::size(capacity, d)?;
        handle::build(memory, bytes, size, false, |block, _| Window::init(block, capacity, d))?
    }

    /// Appends a row, or replaces the oldest where the window is full. A row that is refused changes nothing.
    ///
    /// @param row  d inputs, one after another
    fn lcc_window_push_f64(window: *mut lcc_window_f64, row: *const f64, d: usize, y: f64) {
        let row = raw::slice(row, d)?;
        handle::step(window, |rows| Ok(rows.push(row, y).map(|_| ())?))?
    }

    /// The rows that are there, in no particular order, where they lie: valid until the next push.
    ///
    /// @return LCC_ERROR_EMPTY before the first row
    fn lcc_window_data_f64(window: *const lcc_window_f64) -> (data: lcc_data_f64) {
        let window = open(window)?;
        let rows = window.data()?;
        lcc_data_f64 {
            x: window.inputs().as_ptr(),
            y: rows.y().as_ptr(),
            n: rows.n(),
            d: rows.d(),
            row_stride: rows.d(),
            column_stride: 1,
        }
    }
}
