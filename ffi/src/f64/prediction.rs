//! Predictions

use crate::f64::data::lcc_data_f64;
use crate::handle;
use crate::model;
use crate::prediction;
use crate::raw;
use crate::status::lcc_status::*;

/// The predictive law of one row in four numbers, in the target's units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_prediction_f64 {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, noise included.
    pub sd: f64,
    /// The lower end of the central interval.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
}

/// How one target fared under the predictive law of its row.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_score_f64 {
    /// Log density of the predictive mixture at the target: larger is better.
    pub log_density: f64,
    /// Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
    pub pit: f64,
    /// Continuous ranked probability score, in the target's units: smaller is better.
    pub crps: f64,
}

/// The scores of a whole test set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_evaluation_f64 {
    /// Root mean square error of the predictive means.
    pub rmse: f64,
    /// Mean log density of the predictive mixture at the targets.
    pub log_likelihood: f64,
    /// The fraction of targets inside their central interval.
    pub coverage: f64,
    /// Mean width of the intervals.
    pub width: f64,
    /// Mean continuous ranked probability score; NaN where it was not asked for.
    pub crps: f64,
}

abi! {
    /// The bytes of scratch that the functions below need, at an address that is a multiple of 16. Grows
    /// with the draws and the inputs, not with the rows.
    fn lcc_model_scratch_f64(model: *const u8, bytes: usize, scratch: *mut usize) {
        raw::write(scratch, prediction::scratch::<f64>(&model::open(model, bytes)?)?)?;
    }

    /// Mean, standard deviation and central interval at each row. About 2 K M (d + 1) flops and K M
    /// activations a row, and some tens of evaluations of K Student-t tails for the interval.
    ///
    /// @param rows     inputs in the units of the training data; y may be NULL
    /// @param level    the probability of the interval, e.g. .9
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: one prediction a row
    /// @return LCC_ERROR_PROBABILITY
    fn lcc_model_predict_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, level: f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut lcc_prediction_f64, len: usize,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().inputs()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        raw::refuse(len < rows.n(), LCC_ERROR_CAPACITY)?;
        raw::refuse(!(level > 0.0 && level < 1.0), LCC_ERROR_PROBABILITY)?;
        let mut out = raw::slice_mut(out, rows.n())?.iter_mut();
        prediction::each(image, &rows, scratch, |_, mixture| {
            let (lower, upper) = mixture.central_interval(level);
            if let Some(p) = out.next() {
                *p = lcc_prediction_f64 { mean: mixture.mean(), sd: mixture.sd(), lower, upper };
            }
        })?;
    }

    /// Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
    ///
    /// @param rows     inputs; y may be NULL
    /// @param p        probabilities inside (0, 1)
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: n * levels values
    /// @return as lcc_model_predict_f64
    fn lcc_model_quantile_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, p: *const f64, levels: usize,
        scratch: *mut u8, scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows, p, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().inputs()?,
            raw::slice(p, levels)?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        let needed = rows.n().checked_mul(levels).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        raw::refuse(levels == 0 || !p.iter().all(|p| *p > 0.0 && *p < 1.0), LCC_ERROR_PROBABILITY)?;
        let mut out = raw::slice_mut(out, needed)?.iter_mut();
        prediction::each(image, &rows, scratch, |_, mixture| {
            for (p, out) in p.iter().zip(&mut out) {
                *out = mixture.quantile(*p);
            }
        })?;
    }

    /// Scores of each row's target. CRPS takes some ten times as long as a prediction.
    ///
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: one score a row
    /// @return as lcc_model_predict_f64
    fn lcc_model_score_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut lcc_score_f64, len: usize,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().dataset()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        raw::refuse(len < rows.n(), LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(out, rows.n())?;
        let mut targets = out.iter_mut().zip(rows.y());
        prediction::each(image, &rows.inputs, scratch, |_, mixture| {
            if let Some((out, &y)) = targets.next() {
                *out = lcc_score_f64 {
                    log_density: mixture.log_density(y),
                    pit: mixture.cdf(y),
                    crps: mixture.crps(y),
                };
            }
        })?;
    }

    /// The scores of a whole test set, by compensated sums over its rows in order.
    ///
    /// @param level    the probability of the intervals
    /// @param crps     1: the CRPS too, which takes some ten times as long as the rest; 0: without
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @return as lcc_model_predict_f64; LCC_ERROR_SWITCH if crps is neither 0 nor 1
    fn lcc_model_evaluate_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, level: f64, crps: u32,
        scratch: *mut u8, scratch_bytes: usize, evaluation: *mut lcc_evaluation_f64,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().dataset()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        raw::writable(evaluation)?;
        let e = prediction::evaluate(image, &rows, level, handle::switch(crps)?, scratch)?;
        let value = lcc_evaluation_f64 {
            rmse: e.rmse,
            log_likelihood: e.log_likelihood,
            coverage: e.coverage,
            width: e.width,
            crps: e.crps,
        };
        raw::write(evaluation, value)?;
    }

    /// The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
    /// leave-one-out estimates (PSIS-LOO).
    ///
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: n * K values
    /// @return as lcc_model_predict_f64
    fn lcc_model_log_likelihood_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().dataset()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        let needed = rows.n().checked_mul(image.draws()).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(out, needed)?;
        let mut out = out.chunks_exact_mut(image.draws().max(1));
        let mut targets = rows.y().iter();
        prediction::each(image, &rows.inputs, scratch, |_, mixture| {
            if let (Some(out), Some(&y)) = (out.next(), targets.next()) {
                mixture.log_densities(y, out);
            }
        })?;
    }

    /// f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k.
    /// Their spread is what is not known of the regression function; a band of it, a difference between
    /// two rows or a probability of one being above another are read off them.
    ///
    /// @param rows     inputs; y may be NULL
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: n * K values
    /// @return as lcc_model_predict_f64
    fn lcc_model_function_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().inputs()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        let needed = rows.n().checked_mul(image.draws()).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(out, needed)?;
        let mut out = out.chunks_exact_mut(image.draws().max(1));
        prediction::each(image, &rows, scratch, |_, mixture| {
            if let Some(out) = out.next() {
                out.iter_mut().zip(mixture.locations()).for_each(|(o, f)| *o = *f);
            }
        })?;
    }

    /// Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
    ///
    /// @param rows     inputs; y may be NULL
    /// @param each     draws for each row, at least 1
    /// @param scratch  lcc_model_scratch_f64 bytes, aligned to 16
    /// @param out      out: n * each values
    /// @return as lcc_model_predict_f64; LCC_ERROR_DRAWS if each is 0
    fn lcc_model_draw_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, seed: u64, each: usize,
        scratch: *mut u8, scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows, scratch) = (
            model::open(model, bytes)?,
            raw::reference(rows)?.raw().inputs()?,
            raw::slice_mut(scratch, scratch_bytes)?,
        );
        raw::refuse(each == 0, LCC_ERROR_DRAWS)?;
        let needed = rows.n().checked_mul(each).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let mut out = raw::slice_mut(out, needed)?.chunks_exact_mut(each);
        let mut stream = prediction::stream(seed);
        prediction::each(image, &rows, scratch, |_, mixture| {
            if let Some(out) = out.next() {
                out.iter_mut().for_each(|y| *y = mixture.draw(&mut stream));
            }
        })?;
    }

    /// The parameters of one draw in standardised units: w (M d, neuron by neuron), b (M), v (M), b0, c (d),
    /// sigma, nu (infinite for Gaussian noise).
    ///
    /// @param draw  which, below K
    /// @param out   out: M (d + 2) + d + 3 values
    fn lcc_model_parameters_f64(
        model: *const u8, bytes: usize, draw: usize, out: *mut f64, len: usize,
    ) {
        let image = model::open(model, bytes)?;
        raw::refuse(draw >= image.draws(), LCC_ERROR_INDEX)?;
        let values = image.values::<f64>(draw);
        raw::refuse(len < values.len(), LCC_ERROR_CAPACITY)?;
        let out = raw::slice_mut(out, values.len())?;
        out.iter_mut().zip(values).for_each(|(o, v)| *o = v);
    }

    /// The units of a model: what lcc_model_parameters_f64 calls standardised is (x - mean) / sd, for each
    /// input and for the target.
    ///
    /// @param mean  out: d + 1 values, the inputs' first, then the target's
    /// @param sd    out: d + 1 values, likewise
    /// @param len   the values that fit at mean, and at sd
    fn lcc_model_units_f64(
        model: *const u8, bytes: usize, mean: *mut f64, sd: *mut f64, len: usize,
    ) {
        let image = model::open(model, bytes)?;
        let d = image.shape().inputs;
        let needed = d.checked_add(1).ok_or(LCC_ERROR_OVERFLOW)?;
        raw::refuse(len < needed, LCC_ERROR_CAPACITY)?;
        let (mean, sd) = (raw::slice_mut(mean, needed)?, raw::slice_mut(sd, needed)?);
        for (j, (mean, sd)) in mean.iter_mut().zip(sd).enumerate() {
            (*mean, *sd) = if j < d {
                (image.mean_x(j), image.sd_x(j))
            } else {
                (image.mean_y(), image.sd_y())
            };
        }
    }
}
