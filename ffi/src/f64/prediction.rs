//! Predictions

use crate::f64::data::{dataset, inputs, lcc_data_f64};
use crate::model;
use crate::predicted::{self, *};
use crate::prelude::*;
use lcc_core::data::Inputs;
use lcc_core::posterior::Image;
use lcc_core::predict::{ClassEvaluation, Evaluation, NetworkPredictor, Prediction, Thinned};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;

/// The predictive law of one row in four numbers, in the target's units.
pub type lcc_prediction_f64 = Prediction<f64>;

/// How one target fared under the predictive law of its row.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_score_f64 {
    /// Log density of the predictive mixture at the target, of counts and classes the log probability: larger
    /// is better.
    pub log_density: f64,
    /// Probability integral transform: P(Y <= y). Uniform over rows if the predictions are calibrated; of counts
    /// and classes P(Y <= y) - u exp(log_density) is, with a u that is.
    pub pit: f64,
    /// Continuous ranked probability score, in the target's units: smaller is better. NaN of classes.
    pub crps: f64,
}

/// The scores of a whole test set.
pub type lcc_evaluation_f64 = Evaluation<f64>;

/// What the uncertainty of y at one row is made of; the squares add up to that of lcc_prediction_f64.sd. Of classes
/// that of the code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_spread_f64 {
    /// The sd that would stay if the network were known: noise.
    pub aleatoric: f64,
    /// The sd of what the network says: more data make it smaller.
    pub epistemic: f64,
}

/// What the probabilities of the classes at one row say. Logarithms are natural.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_class_facts_f64 {
    /// The entropy of the class.
    pub entropy: f64,
    /// The mutual information of class and draw: the part of the entropy that more data make smaller.
    pub mutual_information: f64,
    /// The largest probability.
    pub top: f64,
}

/// The scores of the classes of a whole test set.
pub type lcc_class_evaluation_f64 = ClassEvaluation<f64>;

/// What thinning changes (lcc_model_thin_f64): differences between the probabilities that the thin model predicts and
/// those of the whole one.
pub type lcc_thinned_f64 = Thinned<f64>;

/// The values of scratch: the predictor's own and what walking over rows needs.
fn scratch_of(image: &Image<'_>) -> [usize; 2] {
    [Predictor::<f64>::buffer_len(image), Predictor::<f64>::rows_scratch_len(image)]
}

/// The same of any network, in every build: as many for one that both can read.
fn scratch_of_any(image: &Image<'_>) -> [usize; 2] {
    type Any<'a> = NetworkPredictor<'a, f64>;
    [Any::buffer_len(image), Any::rows_scratch_len(image)]
}

/// The values of scratch that thinning needs.
fn scratch_to_thin(image: &Image<'_>) -> [usize; 2] {
    type Any<'a> = NetworkPredictor<'a, f64>;
    [Any::buffer_len(image), Any::thin_scratch_len(image)]
}

/// Has `each` say something of every row's law in so many values, row after row.
///
/// # Safety
/// Scratch and output as [`raw::slice_mut`] has them.
unsafe fn table<O>(
    image: Image<'_>,
    rows: &Inputs<'_, f64>,
    (scratch, bytes): (*mut u8, usize),
    (out, len, values): (*mut O, usize, usize),
    mut each: impl FnMut(usize, Law<'_, f64>, &mut [O]),
) -> Result<(), lcc_status> {
    let needed = raw::times(rows.n(), values)?;
    // SAFETY: the caller's promise.
    let mut out = unsafe { raw::array(out, len, needed)? }.chunks_exact_mut(values.max(1));
    // SAFETY: the same.
    unsafe {
        laws(image, rows, scratch, bytes, &mut |row, law| {
            if let Some(out) = out.next() {
                each(row, law, out);
            }
        })
    }
}

/// Calls `each` with every row's law.
///
/// # Safety
/// Scratch as [`raw::slice_mut`] has it.
#[inline(never)]
unsafe fn laws(
    image: Image<'_>,
    rows: &Inputs<'_, f64>,
    scratch: *mut u8,
    bytes: usize,
    each: &mut dyn FnMut(usize, Law<'_, f64>),
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let [own, scratch] = unsafe { raw::scratch(scratch, bytes, scratch_of(&image))? };
    Ok(Predictor::new(Isa::detect(), image, own)?.for_each_row(rows, scratch, each)?)
}

abi! {
    /// The bytes of scratch that the functions below need. Grows with the draws and the inputs, not with the
    /// rows. Rows are inputs in the units of the training data; where their targets are not scored y may be NULL.
    fn lcc_model_scratch_f64(model: *const u8, bytes: usize) -> (scratch: usize) {
        raw::scratch_size::<f64, _>(scratch_of_any(&model::open_any(model, bytes)?))?
    }

    /// Mean, standard deviation and central interval at each row. Of classes those of the code: of a Bernoulli
    /// output the mean is P(1); lcc_model_classes_f64 has the probabilities. Intervals of counts and codes run from
    /// one to the other, both inside. About 2 K M (d + 1) flops and K M
    /// activations a row, and some tens of evaluations of K Student-t tails for the interval.
    ///
    /// @param level  the probability of the interval, e.g. .9
    /// @param out    out: one prediction a row
    /// @return LCC_ERROR_PROBABILITY
    fn lcc_model_predict_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, level: f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut lcc_prediction_f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, inputs(rows)?);
        let level = raw::probability(level)?;
        table(image, &rows, (scratch, scratch_bytes), (out, len, 1), |_, law, out| {
            out.fill(law.prediction(level));
        })?;
    }

    /// The temperature for lcc_model_temper under which the probabilities of held-out rows score best, by a model
    /// that is as the one to be calibrated; of folds lcc_bnn_temperature_f64. Clean labels ask for less than 1, noise that the
    /// model does not know for more; few rows move it little from 1 (Guo et al. 2017, with a prior).
    ///
    /// @param probabilities  rows * classes values in [0, 1], row after row, of which each sums to 1 within .05:
    ///                       lcc_model_classes_f64
    /// @param classes        at least 2
    /// @param targets        rows classes
    /// @return LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_TARGET, LCC_ERROR_PROBABILITY
    fn lcc_temperature_f64(
        probabilities: *const f64, rows: usize, classes: usize, targets: *const f64,
    ) -> (temperature: f64) {
        raw::refuse(rows == 0 || classes < 2, LCC_ERROR_EMPTY)?;
        let all = raw::slice(probabilities, raw::times(rows, classes)?)?;
        lcc_core::predict::temperature(all, raw::slice(targets, rows)?, classes)?
    }

    /// Quantiles of the predictive law at each row: out[i * levels + k] is the p[k]-quantile at row i.
    ///
    /// @param p    probabilities inside (0, 1)
    /// @param out  out: n * levels values
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_EMPTY (no levels)
    fn lcc_model_quantile_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, p: *const f64, levels: usize,
        scratch: *mut u8, scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows, p) =
            (model::open(model, bytes)?, inputs(rows)?, raw::slice(p, levels)?);
        raw::refuse(levels == 0, LCC_ERROR_EMPTY)?;
        p.iter().try_for_each(|p| raw::probability(*p).map(|_| ()))?;
        table(image, &rows, (scratch, scratch_bytes), (out, len, levels), |_, law, out| {
            out.iter_mut().zip(p).for_each(|(o, p)| *o = law.quantile(*p));
        })?;
    }

    /// Scores of each row's target. CRPS takes some ten times as long as a prediction.
    ///
    /// @param out  out: one score a row
    fn lcc_model_score_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut lcc_score_f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, dataset(rows)?);
        table(image, &rows.inputs, (scratch, scratch_bytes), (out, len, 1), |row, law, out| {
            let y = rows.y().get(row).copied().unwrap_or(f64::NAN);
            let (log_density, pit) = (law.log_score(y), law.cdf(y));
            out.fill(lcc_score_f64 { log_density, pit, crps: law.crps(y) });
        })?;
    }

    /// The scores of a whole test set, by compensated sums over its rows in order.
    ///
    /// @param level  the probability of the intervals
    /// @param crps   1: the CRPS too, which takes some ten times as long as the rest; 0: without
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_SWITCH if crps is neither 0 nor 1, LCC_ERROR_OUTPUT where y is a
    ///         class, LCC_ERROR_TARGET where a target is no value of the output
    fn lcc_model_evaluate_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, level: f64, crps: u32,
        scratch: *mut u8, scratch_bytes: usize,
    ) -> (evaluation: lcc_evaluation_f64) {
        let (image, rows) = (model::open(model, bytes)?, dataset(rows)?);
        let crps = handle::switch(crps)?;
        let [own, scratch] = raw::scratch(scratch, scratch_bytes, scratch_of(&image))?;
        let predictor = Predictor::new(Isa::detect(), image, own)?;
        predicted::of_numbers(predictor.evaluate(&rows, level, crps, scratch)?)?
    }

    /// The log density of each target under each draw, out[i * K + k] for row i and draw k: the input of
    /// leave-one-out estimates (PSIS-LOO). Of classes before the temperature, which is that of their average.
    ///
    /// @param out  out: n * K values
    fn lcc_model_log_likelihood_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, dataset(rows)?);
        let out = (out, len, image.draws());
        table(image, &rows.inputs, (scratch, scratch_bytes), out, |row, law, out| {
            law.log_scores(rows.y().get(row).copied().unwrap_or(f64::NAN), out);
        })?;
    }

    /// f(x) of each draw without its noise, in the target's units: out[i * K + k] for row i and draw k. Of other
    /// outputs than one with noise added, the mean of y: of counts with the exposure, of classes that of the code.
    /// Their spread is what is not known of the regression function; a band of it, a difference between
    /// two rows or a probability of one being above another are read off them.
    ///
    /// @param out  out: n * K values
    fn lcc_model_function_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, inputs(rows)?);
        let out = (out, len, image.draws());
        table(image, &rows, (scratch, scratch_bytes), out, |_, law, out| {
            law.means(out);
        })?;
    }

    /// Draws of y from the posterior predictive law: out[i * each + k] is draw k at row i.
    ///
    /// @param each  draws for each row, at least 1
    /// @param out   out: n * each values
    /// @return LCC_ERROR_DRAWS if each is 0
    fn lcc_model_draw_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, seed: u64, each: usize,
        scratch: *mut u8, scratch_bytes: usize, out: *mut f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, inputs(rows)?);
        raw::refuse(each == 0, LCC_ERROR_DRAWS)?;
        let mut stream = Stream::new(seed, 0, Purpose::Predictive);
        table(image, &rows, (scratch, scratch_bytes), (out, len, each), |_, law, out| {
            out.iter_mut().for_each(|y| *y = law.draw(&mut stream));
        })?;
    }

    /// What the uncertainty at each row is made of.
    ///
    /// @param out  out: one a row
    fn lcc_model_spread_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut lcc_spread_f64, len: usize,
    ) {
        let (image, rows) = (model::open(model, bytes)?, inputs(rows)?);
        table(image, &rows, (scratch, scratch_bytes), (out, len, 1), |_, law, out| {
            let [aleatoric, epistemic] = law.spread();
            out.fill(lcc_spread_f64 { aleatoric, epistemic });
        })?;
    }

    /// The probabilities of the classes at each row, averaged over the draws, out[i * C + c] for row i and
    /// class c, and what is to be said of them.
    ///
    /// @param out        out: n * C values
    /// @param facts      out: one a row; may be NULL
    /// @param facts_len  as many as fit there
    /// @return LCC_ERROR_OUTPUT where y is no class
    fn lcc_model_classes_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut f64, len: usize, facts: *mut lcc_class_facts_f64,
        facts_len: usize,
    ) {
        let (image, rows) = (model::open_any(model, bytes)?, inputs(rows)?);
        let classes = image.shape().classes();
        raw::refuse(classes == 0, LCC_ERROR_OUTPUT)?;
        let mut facts = match facts.is_null() {
            true => Default::default(),
            false => raw::array(facts, facts_len, rows.n())?.iter_mut(),
        };
        let mut out = raw::array(out, len, raw::times(rows.n(), classes)?)?.iter_mut();
        let [own, scratch] = raw::scratch(scratch, scratch_bytes, scratch_of_any(&image))?;
        NetworkPredictor::new(Isa::detect(), image, own)?.for_each_class(&rows, scratch, |_, law| {
            law.probabilities().iter().zip(out.by_ref()).for_each(|(p, o)| *o = *p);
            if let Some(facts) = facts.next() {
                let (entropy, (_, top)) = (law.entropy(), law.top());
                let mutual_information = law.mutual_information();
                *facts = lcc_class_facts_f64 { entropy, mutual_information, top };
            }
        })?;
    }

    /// The scores of the classes of a whole test set, by compensated sums over its rows in order.
    ///
    /// @param level  the probability of the sets of classes that coverage and set_size are of
    /// @return LCC_ERROR_PROBABILITY, LCC_ERROR_OUTPUT where y is no class, LCC_ERROR_TARGET where a target is none
    fn lcc_model_evaluate_classes_f64(
        model: *const u8, bytes: usize, rows: *const lcc_data_f64, level: f64, scratch: *mut u8,
        scratch_bytes: usize,
    ) -> (evaluation: lcc_class_evaluation_f64) {
        let (image, rows) = (model::open_any(model, bytes)?, dataset(rows)?);
        raw::refuse(image.shape().classes() == 0, LCC_ERROR_OUTPUT)?;
        let [own, scratch] = raw::scratch(scratch, scratch_bytes, scratch_of_any(&image))?;
        NetworkPredictor::new(Isa::detect(), image, own)?.evaluate_classes(&rows, level, scratch)?
    }

    /// The bytes of scratch that lcc_model_thin_f64 needs: grows with the square of the draws.
    fn lcc_model_thin_scratch_f64(model: *const u8, bytes: usize) -> (scratch: usize) {
        raw::scratch_size::<f64, _>(scratch_to_thin(&model::open_any(model, bytes)?))?
    }

    /// Writes a model of some of the draws, for devices and services where a model of all is too large or too slow: bytes
    /// and time of a prediction fall with the draws. Those draws are chosen whose mean predictive distribution is nearest
    /// to that of all; they keep their order, and an attachment, units and temperature stay.
    ///
    /// @param draws     how many, at least 1
    /// @param rows      rows as they will be predicted, of which at most 256 are used, spread at random; y may be NULL.
    ///                  NULL: rows are drawn, with inputs independent and normal by the model's means and sds
    /// @param out       out: bytes are enough; apart from the model
    /// @param capacity  the bytes at out
    /// @return LCC_ERROR_DRAWS if draws is 0 or more than the model has, LCC_ERROR_INPUTS, LCC_ERROR_MEMORY_SIZE,
    ///         LCC_ERROR_OVERLAP
    fn lcc_model_thin_f64(
        model: *const u8, bytes: usize, draws: usize, rows: *const lcc_data_f64, scratch: *mut u8,
        scratch_bytes: usize, out: *mut u8, capacity: usize,
    ) -> (written: usize, thinned: lcc_thinned_f64) {
        raw::apart(out, capacity.min(bytes), model, bytes)?;
        let image = model::open_any(model, bytes)?;
        let rows = if rows.is_null() { None } else { Some(inputs(rows)?) };
        let [own, scratch] = raw::scratch(scratch, scratch_bytes, scratch_to_thin(&image))?;
        let out = raw::slice_mut(out, capacity)?;
        NetworkPredictor::new(Isa::detect(), image, own)?.thin(draws, rows.as_ref(), out, scratch)?
    }

    /// The parameters of one draw in standardised units. One hidden layer and one output: w (M d, neuron by
    /// neuron), b (M), v (M), b0, c (d), sigma, nu (infinite for Gaussian noise). In general, layer by layer the
    /// weights, unit by unit, and the biases; output by output the weights of the last layer; the intercepts;
    /// output by output the direct part; then what the output has: sigma, nu (student-t, gaussian), r (negative
    /// binomial), thresholds (ordinal). Of a linearised model (lcc_bnn_write_linearised_f64) they are no parameters of a network, but
    /// where its derivative is followed to.
    ///
    /// @param draw  which, below K
    /// @param out   out: lcc_model_info.values values
    fn lcc_model_parameters_f64(
        model: *const u8, bytes: usize, draw: usize, out: *mut f64, len: usize,
    ) {
        let image = model::open(model, bytes)?;
        raw::refuse(draw >= image.draws(), LCC_ERROR_INDEX)?;
        raw::fill(out, len, image.values(draw))?;
    }

    /// The units of a model: what lcc_model_parameters_f64 calls standardised is (x - mean) / sd, for each
    /// input and for the target; where sd is negative the input is bent, .76527 asinh((x - mean) / -sd), and where
    /// z = (x - mean) / sd lies beyond 10, as of rows very unlike the training data, it is +-(10 + asinh(|z| - 10)) (unless
    /// mean is 0 and sd 1).
    ///
    /// @param mean  out: d + 1 values, the inputs' first, then the target's
    /// @param sd    out: d + 1 values, likewise
    /// @param len   the values that fit at mean, and at sd
    fn lcc_model_units_f64(
        model: *const u8, bytes: usize, mean: *mut f64, sd: *mut f64, len: usize,
    ) {
        let image = model::open(model, bytes)?;
        let d = image.inputs();
        let needed = d.checked_add(1).ok_or(LCC_ERROR_OVERFLOW)?;
        let (mean, sd) = (raw::array(mean, len, needed)?, raw::array(sd, len, needed)?);
        for (j, (mean, sd)) in mean.iter_mut().zip(sd).enumerate() {
            (*mean, *sd) = if j < d {
                (image.mean_x(j), image.sd_x(j))
            } else {
                (image.mean_y(), image.sd_y())
            };
        }
    }
}
