// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Predictions

use crate::f32::data::lcc_data_f32;
use crate::handle;
use crate::model;
use crate::prediction;
use crate::raw;
use crate::status::lcc_status;

/// The predictive law of one row in four numbers, in the target's units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_prediction_f32 {
    /// The mean.
    pub mean: f32,
    /// The standard deviation, noise included.
    pub sd: f32,
    /// The lower end of the central interval.
    pub lower: f32,
    /// Its upper end.
    pub upper: f32,
}

/// How one target fared under the predictive law of its row.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_score_f32 {
    /// Log density of the predictive mixture at the target: larger is better.
    pub log_density: f32,
    /// Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated.
    pub pit: f32,
    /// Continuous ranked probability score, in the target's units: smaller is better.
    pub crps: f32,
}

/// The scores of a whole test set.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_evaluation_f32 {
    /// Root mean square error of the predictive means.
    pub rmse: f32,
    /// Mean log density of the predictive mixture at the targets.
    pub log_likelihood: f32,
    /// The fraction of targets inside their central interval.
    pub coverage: f32,
    /// Mean width of the intervals.
    pub width: f32,
    /// Mean continuous ranked probability score; NaN where it was not asked for.
    pub crps: f32,
}

/// The bytes of scratch that the functions below need, at an address that is a multiple of 16. Grows
/// with the draws and the inputs, not with the rows.
///
/// @param model    the model
/// @param bytes    the bytes at model
/// @param scratch  out: bytes
/// @return LCC_OK, LCC_ERROR_OVERFLOW, or what is wrong with the model
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_scratch_f32(
    model: *const u8,
    bytes: usize,
    scratch: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let value = prediction::scratch::<f32>(&unsafe { model::open(model, bytes)? })?;
        // SAFETY: as above.
        unsafe { raw::write(scratch, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Mean, standard deviation and central interval at each row. About 2 K M (d + 1) flops and K M
/// activations a row, and some tens of evaluations of K Student-t tails for the interval.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs in the units of the training data; y may be NULL
/// @param level          the probability of the interval, e.g. .9
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: one prediction a row
/// @param len            the predictions that fit at out, at least n
/// @return LCC_OK, LCC_ERROR_INPUTS, LCC_ERROR_PROBABILITY, LCC_ERROR_CAPACITY, LCC_ERROR_MEMORY_SIZE,
///         LCC_ERROR_MEMORY_ALIGN, or what is wrong with model or rows
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_predict_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    level: f32,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut lcc_prediction_f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().inputs()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        if len < rows.n() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(lcc_status::LCC_ERROR_PROBABILITY);
        }
        // SAFETY: as above.
        let mut out = unsafe { raw::slice_mut(out, rows.n())? }.iter_mut();
        prediction::each(image, &rows, scratch, |_, mixture| {
            let (lower, upper) = mixture.central_interval(level);
            if let Some(p) = out.next() {
                *p = lcc_prediction_f32 { mean: mixture.mean(), sd: mixture.sd(), lower, upper };
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs; y may be NULL
/// @param p              probabilities inside (0, 1)
/// @param levels         how many
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: n * levels values
/// @param len            the values that fit at out
/// @return as lcc_model_predict_f32
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_quantile_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    p: *const f32,
    levels: usize,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, p, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().inputs()?,
                raw::slice(p, levels)?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        let needed = rows.n().checked_mul(levels).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        if levels == 0 || !p.iter().all(|p| *p > 0.0 && *p < 1.0) {
            return Err(lcc_status::LCC_ERROR_PROBABILITY);
        }
        // SAFETY: as above.
        let mut out = unsafe { raw::slice_mut(out, needed)? }.iter_mut();
        prediction::each(image, &rows, scratch, |_, mixture| {
            for (p, out) in p.iter().zip(&mut out) {
                *out = mixture.quantile(*p);
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// Scores of each row's target. CRPS takes some ten times as long as a prediction.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs and targets
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: one score a row
/// @param len            the scores that fit at out, at least n
/// @return as lcc_model_predict_f32
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_score_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut lcc_score_f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().dataset()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        if len < rows.n() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(out, rows.n())? };
        let mut targets = out.iter_mut().zip(rows.y());
        prediction::each(image, &rows.inputs, scratch, |_, mixture| {
            if let Some((out, &y)) = targets.next() {
                *out = lcc_score_f32 {
                    log_density: mixture.log_density(y),
                    pit: mixture.cdf(y),
                    crps: mixture.crps(y),
                };
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// The scores of a whole test set, by compensated sums over its rows in order.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs and targets
/// @param level          the probability of the intervals
/// @param crps           1: the CRPS too, which takes some ten times as long as the rest; 0: without
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param evaluation     out
/// @return as lcc_model_predict_f32; LCC_ERROR_SWITCH if crps is neither 0 nor 1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_evaluate_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    level: f32,
    crps: u32,
    scratch: *mut u8,
    scratch_bytes: usize,
    evaluation: *mut lcc_evaluation_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().dataset()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        raw::writable(evaluation)?;
        let e = prediction::evaluate(image, &rows, level, handle::switch(crps)?, scratch)?;
        let value = lcc_evaluation_f32 {
            rmse: e.rmse,
            log_likelihood: e.log_likelihood,
            coverage: e.coverage,
            width: e.width,
            crps: e.crps,
        };
        // SAFETY: as above.
        unsafe { raw::write(evaluation, value)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
/// leave-one-out estimates (PSIS-LOO).
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs and targets
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: n * K values
/// @param len            the values that fit at out
/// @return as lcc_model_predict_f32
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_log_likelihood_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().dataset()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        let needed = rows.n().checked_mul(image.draws()).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(out, needed)? };
        let mut out = out.chunks_exact_mut(image.draws().max(1));
        let mut targets = rows.y().iter();
        prediction::each(image, &rows.inputs, scratch, |_, mixture| {
            if let (Some(out), Some(&y)) = (out.next(), targets.next()) {
                mixture.log_densities(y, out);
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k.
/// Their spread is what is not known of the regression function; a band of it, a difference between
/// two rows or a probability of one being above another are read off them.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs; y may be NULL
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: n * K values
/// @param len            the values that fit at out
/// @return as lcc_model_predict_f32
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_function_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().inputs()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        let needed = rows.n().checked_mul(image.draws()).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(out, needed)? };
        let mut out = out.chunks_exact_mut(image.draws().max(1));
        prediction::each(image, &rows, scratch, |_, mixture| {
            if let Some(out) = out.next() {
                out.iter_mut().zip(mixture.locations()).for_each(|(o, f)| *o = *f);
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
///
/// @param model          the model
/// @param bytes          the bytes at model
/// @param rows           inputs; y may be NULL
/// @param seed           names the random numbers
/// @param each           draws for each row, at least 1
/// @param scratch        lcc_model_scratch_f32 bytes, aligned to 16
/// @param scratch_bytes  the bytes at scratch
/// @param out            out: n * each values
/// @param len            the values that fit at out
/// @return as lcc_model_predict_f32; LCC_ERROR_DRAWS if each is 0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_draw_f32(
    model: *const u8,
    bytes: usize,
    rows: *const lcc_data_f32,
    seed: u64,
    each: usize,
    scratch: *mut u8,
    scratch_bytes: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (image, rows, scratch) = unsafe {
            (
                model::open(model, bytes)?,
                raw::reference(rows)?.raw().inputs()?,
                raw::slice_mut(scratch, scratch_bytes)?,
            )
        };
        if each == 0 {
            return Err(lcc_status::LCC_ERROR_DRAWS);
        }
        let needed = rows.n().checked_mul(each).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let mut out = unsafe { raw::slice_mut(out, needed)? }.chunks_exact_mut(each);
        let mut stream = prediction::stream(seed);
        prediction::each(image, &rows, scratch, |_, mixture| {
            if let Some(out) = out.next() {
                out.iter_mut().for_each(|y| *y = mixture.draw(&mut stream));
            }
        })?;
        Ok(lcc_status::LCC_OK)
    })
}

/// The parameters of one draw in standardised units: w (M d, neuron by neuron), b (M), v (M), b0, c (d),
/// sigma, nu (infinite for Gaussian noise).
///
/// @param model  the model
/// @param bytes  the bytes at model
/// @param draw   which, below K
/// @param out    out: M (d + 2) + d + 3 values
/// @param len    the values that fit at out
/// @return LCC_OK, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY, or what is wrong with the model
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_parameters_f32(
    model: *const u8,
    bytes: usize,
    draw: usize,
    out: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let image = unsafe { model::open(model, bytes)? };
        if draw >= image.draws() {
            return Err(lcc_status::LCC_ERROR_INDEX);
        }
        let values = image.values::<f32>(draw);
        if len < values.len() {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let out = unsafe { raw::slice_mut(out, values.len())? };
        out.iter_mut().zip(values).for_each(|(o, v)| *o = v);
        Ok(lcc_status::LCC_OK)
    })
}

/// The units of a model: what lcc_model_parameters_f32 calls standardised is (x - mean) / sd, for each
/// input and for the target.
///
/// @param model  the model
/// @param bytes  the bytes at model
/// @param mean   out: d + 1 values, the inputs' first, then the target's
/// @param sd     out: d + 1 values, likewise
/// @param len    the values that fit at mean, and at sd
/// @return LCC_OK, LCC_ERROR_CAPACITY, or what is wrong with the model
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_model_units_f32(
    model: *const u8,
    bytes: usize,
    mean: *mut f32,
    sd: *mut f32,
    len: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let image = unsafe { model::open(model, bytes)? };
        let d = image.shape().inputs;
        let needed = d.checked_add(1).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
        if len < needed {
            return Err(lcc_status::LCC_ERROR_CAPACITY);
        }
        // SAFETY: as above.
        let (mean, sd) = unsafe { (raw::slice_mut(mean, needed)?, raw::slice_mut(sd, needed)?) };
        for (j, (mean, sd)) in mean.iter_mut().zip(sd).enumerate() {
            (*mean, *sd) = if j < d {
                (image.mean_x(j), image.sd_x(j))
            } else {
                (image.mean_y(), image.sd_y())
            };
        }
        Ok(lcc_status::LCC_OK)
    })
}
