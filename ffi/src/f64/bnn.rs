//! Bayesian networks of any depth and output

use crate::bnn::*;
use crate::f64::bnn_options::lcc_bnn_options_f64;
use crate::f64::data::{dataset, lcc_data_f64, weighted};
use crate::f64::diagnosis::worst;
use crate::f64::draws::lcc_draws_f64;
use crate::model;
use crate::prelude::*;
use lcc_core::data::Dataset;
use lcc_core::diagnostics::{self, Draws};
use lcc_core::estimator::bnn::{BnnChanges, BnnChoice, BnnMode};
use lcc_core::estimator::{Bnn, BnnError, BnnOptions};

handle! {
    /// A Bayesian network, in the caller's memory: up to four hidden layers or none, and y a real number, a
    /// class or a count.
    ///
    /// Many short chains, one block of lanes after the other in the same memory: a start by optimisation
    /// (Adam), a short warm-up, a few long trajectories of Hamiltonian Monte Carlo, of which some draws are
    /// kept. No chain moves between the modes of such a posterior; what a prediction owes to the seed falls
    /// with the number of chains. Scales of the weights and the noise are sampled.
    struct lcc_bnn_f64: Bnn<f64>, Bnn, bnn;
}

/// A network at its beginning.
///
/// # Safety
/// NULL or `bytes` writable bytes.
unsafe fn begin(
    memory: *mut u8,
    bytes: usize,
    options: lcc_bnn_options_f64,
    data: Dataset<'_, f64>,
) -> Result<*mut lcc_bnn_f64, lcc_status> {
    let size = Bnn::size(&options, data.n(), data.d())?;
    // SAFETY: the caller's promise.
    unsafe {
        handle::build(memory, bytes, size, options.portable.on(), |block, isa| {
            Bnn::init(block, &options, isa, &data)
        })
    }
}

/// Deals rows, in groups or none.
///
/// # Safety
/// What the header says of each.
unsafe fn deal(
    options: *const lcc_bnn_options_f64,
    data: *const lcc_data_f64,
    (weights, groups): (*const f64, *const u32),
    (dealt, len): (*mut u32, usize),
) -> Result<u32, lcc_status> {
    // SAFETY: the caller's promise.
    unsafe {
        let (options, data) = (raw::sized(options)?, weighted(data, weights)?);
        options.check().map_err(BnnError::from)?;
        let grouped = !groups.is_null();
        let data = if grouped { data.grouped(raw::slice(groups, data.n())?)? } else { data };
        Ok(options.folds(&data, raw::array(dealt, len, data.n())?))
    }
}

/// What the chains that are at their end say about themselves. Predictions are judged, not weights.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_bnn_diagnosis_f64 {
    /// The largest R-hat of the predictions at the traced training rows. Above 1.01 the chains sit in
    /// different modes: the model is their ensemble, and luck_rms is what to look at. NaN below four draws.
    pub rhat_max: f64,
    /// The smallest bulk effective sample size of them. NaN below four draws.
    pub ess_bulk_min: f64,
    /// The mean probability of acceptance.
    pub acceptance: f64,
    /// What another seed would change in the predictions at the traced rows, in units of their predictive
    /// sd: root mean square. NaN below two chains in the model.
    pub luck_rms: f64,
    /// The same, the median over the rows.
    pub luck_median: f64,
    /// Draws from trajectories that diverged.
    pub divergences: u64,
    /// Evaluations of the gradient, summed over chains.
    pub gradients: u64,
    /// Coordinates that are sampled: parameters, scales, noise.
    pub coordinates: u64,
    /// Chains in the model.
    pub chains_used: u32,
    /// Chains left out of it.
    pub chains_dropped: u32,
}

/// What an ascent came to.
pub type lcc_bnn_mode_f64 = BnnMode<f64>;

/// What a chain of part of the rows aimed at, and how noisy its changes of the loss were.
pub type lcc_bnn_changes_f64 = BnnChanges<f64>;

/// Which candidate the held-out rows speak for: lcc_bnn_choose_f64.
pub type lcc_bnn_choice_f64 = BnnChoice<f64>;

/// A recorded quantity.
fn trace<'a>(
    network: &'a Bnn<'_, f64>,
    quantity: i32,
    index: usize,
) -> Result<Draws<'a, f64>, lcc_status> {
    raw::refuse(network.finished() == 0, LCC_ERROR_NOT_DONE)?;
    let draws = match (quantity, index) {
        (LCC_BNN_TRACE_LOG_LIKELIHOOD, 0) => network.log_likelihood_trace(),
        (LCC_BNN_TRACE_ACCEPT, 0) => network.acceptance_trace(),
        (LCC_BNN_TRACE_DIVERGENT, 0) => network.divergence_trace(),
        (LCC_BNN_TRACE_ENERGY, 0) => network.energy_trace(),
        (LCC_BNN_TRACE_PREDICTION, k) if k < network.traced_predictions() => {
            network.prediction_trace(k)
        }
        _ => return Err(LCC_ERROR_INDEX),
    };
    Ok(draws?)
}

/// The values of scratch of a diagnosis: of a summary, or of what luck was.
fn scratch_of(network: &Bnn<'_, f64>) -> Result<[usize; 1], lcc_status> {
    let summary = diagnostics::scratch_len(network.chains(), network.options().draws as usize);
    let luck = raw::times(network.traced_predictions(), 2)?;
    Ok([summary.ok_or(LCC_ERROR_OVERFLOW)?.max(luck)])
}

abi! {
    /// The chains that a network has on n rows of d columns: as the options say, or where those say 0, as
    /// many as make chains * n * (2 P + 22 units) = 5.5e7 for P parameters, in sixteens, from 24 to 288. To be
    /// asked where chains are dealt out: each part has to be told its own.
    fn lcc_bnn_chains_f64(
        options: *const lcc_bnn_options_f64, n: usize, d: usize,
    ) -> (chains: u32) {
        let options = raw::sized(options)?;
        options.check().map_err(BnnError::from)?;
        raw::refuse(n == 0 || d == 0, LCC_ERROR_EMPTY)?;
        options.chains_for(n, d)
    }

    /// The bytes that a network takes: some 9 P + 8 units values a lane for P coordinates, every kept draw,
    /// and the standardised data.
    fn lcc_bnn_size_f64(
        options: *const lcc_bnn_options_f64, n: usize, d: usize,
    ) -> (bytes: usize) {
        handle::size(Bnn::size(&raw::sized(options)?, n, d)?)?
    }

    /// Builds a network at the start of a block of memory. Reads the data.
    ///
    /// @return LCC_ERROR_TARGET where a target is no value that the output can have or an exposure is not
    ///         positive, LCC_ERROR_CONSTANT_TARGET
    fn lcc_bnn_init_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_bnn_options_f64,
        data: *const lcc_data_f64,
    ) -> (network: *mut lcc_bnn_f64) {
        begin(memory, bytes, raw::sized(options)?, dataset(data)?)?
    }

    /// The same of rows with weights, by which the log likelihood of each is multiplied: a row of weight 2 counts as if it were
    /// there twice, one of weight 0 not at all. Means and sds of the data are weighted too; priors, chains and minibatches that
    /// depend on the number of rows take it as it is.
    ///
    /// @param weights  n of them, 0 or more and not all 0; NULL: each row counts once
    /// @return also LCC_ERROR_WEIGHTS
    fn lcc_bnn_init_weighted_f64(
        memory: *mut u8, bytes: usize, options: *const lcc_bnn_options_f64,
        data: *const lcc_data_f64, weights: *const f64,
    ) -> (network: *mut lcc_bnn_f64) {
        begin(memory, bytes, raw::sized(options)?, weighted(data, weights)?)?
    }

    /// The precision that a fit wants, and has by `lcc fit`: 64 bits where its method climbs to a mode or fits a distribution, or
    /// where 32 would round the values of a column by more than a thousandth of their spread, or a count is 2^24 or more.
    ///
    /// @param column  out: the first such column of X, d for the target; SIZE_MAX where there is none. May be NULL
    /// @param bits    out: 32 or 64
    fn lcc_bnn_precision_f64(
        options: *const lcc_bnn_options_f64, data: *const lcc_data_f64, column: *mut usize,
    ) -> (bits: u32) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        options.check().map_err(BnnError::from)?;
        let rounded = options.rounded(&data);
        raw::write_if(column, Some(rounded.unwrap_or(usize::MAX)))?;
        if rounded.is_some() || options.method.value().climbs() { 64 } else { 32 }
    }

    /// Deals rows into folds for short fits before the fit: at random by the seed and evenly along their order, of classes
    /// each class by itself. 2 folds, or 4 of fewer than 200 real numbers, of which at most 1000 take part; 0 of fewer than
    /// 40 rows, which tell nothing, and where the rows of all folds but one have one target.
    ///
    /// @param dealt  out: each row's fold, from 0, or LCC_NO_FOLD where it takes no part
    /// @param len    at least the rows of the data
    /// @return LCC_ERROR_CAPACITY
    fn lcc_bnn_folds_f64(
        options: *const lcc_bnn_options_f64, data: *const lcc_data_f64, dealt: *mut u32, len: usize,
    ) -> (folds: u32) {
        deal(options, data, (core::ptr::null(), core::ptr::null()), (dealt, len))?
    }

    /// The same of rows in groups, as those of one person: the rows of a group are in one fold, of which there are 0 where there are
    /// fewer than 4 groups, and 2 of fewer than 8.
    ///
    /// @param groups  n of them, numbered from 0 in the order of their first rows; NULL: each row is one
    /// @return also LCC_ERROR_INDEX for groups that are numbered otherwise
    fn lcc_bnn_folds_grouped_f64(
        options: *const lcc_bnn_options_f64, data: *const lcc_data_f64, groups: *const u32, dealt: *mut u32, len: usize,
    ) -> (folds: u32) {
        deal(options, data, (core::ptr::null(), groups), (dealt, len))?
    }

    /// The same of rows with weights, as lcc_bnn_init_weighted_f64 has them: rows of weight 0 take no part, and where rows stand for
    /// several, by weights of 1.5 and more on average, there are 0 folds, for what such a row says is not told by others.
    ///
    /// @param weights  n of them; NULL: all are 1
    /// @param groups   as before, or NULL
    /// @return also LCC_ERROR_WEIGHTS
    fn lcc_bnn_folds_weighted_f64(
        options: *const lcc_bnn_options_f64, data: *const lcc_data_f64, weights: *const f64, groups: *const u32,
        dealt: *mut u32, len: usize,
    ) -> (folds: u32) {
        deal(options, data, (weights, groups), (dealt, len))?
    }

    /// The options of short fits, of at most 8 chains, of classes 24. Where y is a real number with student-t noise that is learnt,
    /// the candidates are student-t, log-normal where every y is positive (gamma where the logarithms have a skewness below -.5), or negative binomial where all are whole,
    /// 0 is among them and their mean is 100 at most, mean-variance and last a mixture of `categories`:
    /// fit each to the rows of all folds but one, write down the log_density of lcc_model_score_f64 of the rows of that, and ask
    /// lcc_bnn_choose_f64. With 32 inputs or more that have scales each stands there once more, with scales that are known: of the
    /// one that is chosen take output and scales. Where no y is negative and a fifth or more is 0, the only candidate is hurdle-log-normal or hurdle-gamma likewise, and
    /// nothing to choose. Every other output has itself alone, and so have shorter chains (leapfrogs below 60, a start below
    /// 300 steps, a warm-up below 10), which would tell candidates apart by how far each has come. Of classes the
    /// probabilities of the folds' rows are what lcc_bnn_temperature_f64 is for.
    ///
    /// @param candidate  from 0
    /// @param pilot      out: the options
    /// @return LCC_ERROR_INDEX past the last candidate
    fn lcc_bnn_pilot_f64(
        options: *const lcc_bnn_options_f64, data: *const lcc_data_f64, candidate: usize,
    ) -> (pilot: lcc_bnn_options_f64) {
        let (options, data) = (raw::sized(options)?, dataset(data)?);
        options.check().map_err(BnnError::from)?;
        options.pilot(&data, candidate).ok_or(LCC_ERROR_INDEX)?
    }

    /// Each candidate takes the place of the one chosen before it where the log scores put it ahead by more than two standard
    /// errors of the difference and .05 nats a row, of another output log-normal, gamma or negative binomial by .1, the last of more than two by .25. These are considered only where
    /// student-t is no more than 1.5 nats a row ahead of the better law without inputs, Gaussian or log-normal. One with a score that is not
    /// finite (a row that it could not tell) is out; where all are, the choice is the first.
    ///
    /// @param y           the targets of the rows
    /// @param rows        at least 2
    /// @param scores      candidates * rows log scores, candidate after candidate, of each the same rows in the order of y
    /// @param candidates  at least 1
    fn lcc_bnn_choose_f64(
        y: *const f64, rows: usize, scores: *const f64, candidates: usize,
    ) -> (choice: lcc_bnn_choice_f64) {
        raw::refuse(candidates == 0 || rows < 2, LCC_ERROR_EMPTY)?;
        BnnOptions::choose(raw::slice(y, rows)?, raw::slice(scores, raw::times(candidates, rows)?)?)
    }

    /// The temperature for lcc_model_temper of a model of all rows, by predictions of the folds: that by lcc_temperature_f64, above 1
    /// its square root, as those come from half of the rows, and by how much they are too sure falls as one over the rows.
    ///
    /// @param probabilities  rows * classes values in [0, 1], row after row: lcc_model_classes_f64
    /// @param classes        at least 2
    /// @param targets        rows classes
    /// @return LCC_ERROR_EMPTY, LCC_ERROR_OVERFLOW, LCC_ERROR_TARGET, LCC_ERROR_PROBABILITY
    fn lcc_bnn_temperature_f64(
        probabilities: *const f64, rows: usize, classes: usize, targets: *const f64,
    ) -> (temperature: f64) {
        raw::refuse(rows == 0 || classes < 2, LCC_ERROR_EMPTY)?;
        let all = raw::slice(probabilities, raw::times(rows, classes)?)?;
        BnnOptions::temperature(all, raw::slice(targets, rows)?, classes)?
    }

    /// Works until the budget is used up, or to the end. The budget is in row visits, rows times lanes for
    /// each pass of a block over the data. A unit of work (one optimisation step or one trajectory of a block
    /// of chains) is never split: a call overshoots by less than (leapfrogs + 5) * n * lanes. A visit costs
    /// about 4 P flops and one activation for each unit. Of other methods than chains a unit is a step of the start
    /// or of the ascent, or a draw, of tempered, batched, sgld and penalty `leapfrogs` steps; those with a curvature H
    /// take n (P^2 + 4 P) flops an output and P^3/3.
    ///
    /// @return LCC_ERROR_SEPARABLE, LCC_ERROR_SINGULAR, LCC_ERROR_START, LCC_ERROR_DIVERGED: of the methods that climb
    fn lcc_bnn_step_f64(network: *mut lcc_bnn_f64, data: *const lcc_data_f64, budget: u64) {
        handle::step(network, |o| Ok(o.step(&dataset(data)?, budget)?))?
    }

    /// The same of a network made by lcc_bnn_init_weighted_f64, with its weights.
    fn lcc_bnn_step_weighted_f64(
        network: *mut lcc_bnn_f64, data: *const lcc_data_f64, weights: *const f64, budget: u64,
    ) {
        handle::step(network, |o| Ok(o.step(&weighted(data, weights)?, budget)?))?
    }

    /// Puts chains together that ran apart, as lcc_sampler_join_f64 does those of a sampler: bit for bit the
    /// network that has run them itself. Which chains its model leaves out is then decided from all of
    /// them. All parts are at their end, and none has chains beyond those of the whole. They begin with its first chain,
    /// or with the first that it has not finished (of a block at work all of it counts as not finished); where they end
    /// before its last they end with a block of its lanes, and it goes on from there, by lcc_bnn_step_f64 or by more parts.
    ///
    /// @param network  the handle: made as if to run all chains
    /// @param parts    handles, none of them this one; unchanged
    /// @return LCC_ERROR_PARTS
    fn lcc_bnn_join_f64(
        network: *mut lcc_bnn_f64, parts: *const *const lcc_bnn_f64, count: usize,
    ) {
        handle::join(network, parts, count, |whole, parts| {
            whole.join(parts.iter().map(|part| open(*part)))
        })?
    }

    /// The bytes of the model at most: chains * keep draws, and a head.
    fn lcc_bnn_model_size_f64(network: *const lcc_bnn_f64) -> (bytes: usize) {
        open(network)?.model_size()?
    }

    /// Writes the model (a posterior image): the kept draws of the chains that are at their end and in use,
    /// with the units of the data. It may be asked for as soon as there is one such chain, and again later. Of laplace and
    /// laplace-diagonal with hidden layers lcc_bnn_write_linearised_f64 writes the better one.
    ///
    /// @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_bnn_write_model_f64(
        network: *const lcc_bnn_f64, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let network = open(network)?;
        network.write_model(model::room(model, bytes, network.model_size()?)?)?
    }

    /// lcc_bnn_write_model_f64 of laplace and laplace-diagonal with hidden layers, of the network linearised at the mode: the
    /// outputs of a draw are f(z*) + J (z - z*), z* the mode and J the derivative there, in the coordinates in which the
    /// Gaussian is. Draws far from the mode then predict no worse than the Gaussian is. It is the model that the command line and
    /// the other hosts take. A prediction costs about three times as much. What cannot evaluate such a model refuses
    /// it: libraries before it, those for microcontrollers, and all that take one hidden layer only.
    ///
    /// @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
    /// @return LCC_ERROR_NOT_DONE, LCC_ERROR_METHOD of others, whose model is lcc_bnn_write_model_f64's
    fn lcc_bnn_write_linearised_f64(
        network: *const lcc_bnn_f64, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let network = open(network)?;
        raw::refuse(!network.linearises(), LCC_ERROR_METHOD)?;
        network.write_linearised(model::room(model, bytes, network.model_size()?)?)?
    }

    /// Writes the end point of the start (Adam) of the chain for which the log density of the posterior was
    /// largest, as a model of one draw: what a point fit of the same network would predict, to be held
    /// against the posterior. Of student-t noise nu, where it is sampled, is still that of the start, 30.
    ///
    /// @param model  out: lcc_bnn_model_size_f64 bytes, of any alignment
    /// @return LCC_ERROR_NOT_DONE before the first start is over
    fn lcc_bnn_write_point_f64(
        network: *const lcc_bnn_f64, model: *mut u8, bytes: usize,
    ) -> (written: usize) {
        let network = open(network)?;
        network.write_point(model::room(model, bytes, network.model_size()?)?)?
    }

    /// The bytes of scratch that lcc_bnn_diagnose_f64 needs.
    fn lcc_bnn_diagnose_scratch_f64(network: *const lcc_bnn_f64) -> (bytes: usize) {
        raw::scratch_size::<f64, _>(scratch_of(&open(network)?)?)?
    }

    /// What the chains that are at their end say about themselves.
    ///
    /// @param scratch  lcc_bnn_diagnose_scratch_f64 bytes
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_bnn_diagnose_f64(
        network: *const lcc_bnn_f64, scratch: *mut u8, bytes: usize,
    ) -> (diagnosis: lcc_bnn_diagnosis_f64) {
        let network = open(network)?;
        let [scratch] = raw::scratch(scratch, bytes, scratch_of(&network)?)?;
        let finished = network.finished();
        raw::refuse(finished == 0, LCC_ERROR_NOT_DONE)?;
        let predictions = (0..network.traced_predictions()).map(|k| network.prediction_trace(k));
        let [rhat_max, ess_bulk_min, _] = worst(predictions, scratch)?;
        let luck = network.luck(scratch);
        let accepted = (0..finished).map(|c| network.acceptance(c)).fold(0.0, |sum, a| sum + a);
        let dropped = network.chains_dropped();
        lcc_bnn_diagnosis_f64 {
            rhat_max,
            ess_bulk_min,
            acceptance: accepted / finished as f64,
            luck_rms: luck.rms,
            luck_median: luck.median,
            divergences: network.divergences(),
            gradients: network.gradients(),
            coordinates: network.coordinates() as u64,
            chains_used: finished.saturating_sub(dropped) as u32,
            chains_dropped: dropped as u32,
        }
    }

    /// The means and the sds of the Gaussian that a chain at its end fitted by the evidence lower bound, of the
    /// diagnosis' coordinates: those of the weights first, in which their prior is N(0, 1). |mean| / sd is the
    /// signal-to-noise ratio of a weight.
    ///
    /// @param mean   out: as many numbers as coordinates
    /// @param sd     out: as many
    /// @param count  the numbers that each has room for
    /// @return LCC_ERROR_METHOD of other methods, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX, LCC_ERROR_CAPACITY
    fn lcc_bnn_law_f64(
        network: *const lcc_bnn_f64, chain: usize, mean: *mut f64, sd: *mut f64, count: usize,
    ) {
        let network = open(network)?;
        raw::refuse(chain >= network.chains(), LCC_ERROR_INDEX)?;
        raw::refuse(chain >= network.finished(), LCC_ERROR_NOT_DONE)?;
        let (means, sds) = network.law(chain).ok_or(LCC_ERROR_METHOD)?;
        let (mean, sd) = (raw::array(mean, count, means.len())?, raw::array(sd, count, sds.len())?);
        mean.copy_from_slice(means);
        sd.copy_from_slice(sds);
    }

    /// What the ascent of a chain that is at its end came to, and Laplace's evidence; or the bound of the evidence of
    /// a fit and its error: of the methods that climb or fit.
    ///
    /// @return LCC_ERROR_METHOD of others, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX
    fn lcc_bnn_report_f64(
        network: *const lcc_bnn_f64, chain: usize,
    ) -> (mode: lcc_bnn_mode_f64) {
        let network = open(network)?;
        raw::refuse(chain >= network.chains(), LCC_ERROR_INDEX)?;
        raw::refuse(chain >= network.finished(), LCC_ERROR_NOT_DONE)?;
        network.mode(chain).ok_or(LCC_ERROR_METHOD)?
    }

    /// At what temperature and by which step a chain that is at its end drew, and the variance and the shape of its changes
    /// of the loss: of tempered, batched, sgld and penalty. Of many chains a mean over them says more.
    ///
    /// @return LCC_ERROR_METHOD of others, LCC_ERROR_NOT_DONE, LCC_ERROR_INDEX
    fn lcc_bnn_noise_f64(
        network: *const lcc_bnn_f64, chain: usize,
    ) -> (changes: lcc_bnn_changes_f64) {
        let network = open(network)?;
        raw::refuse(chain >= network.chains(), LCC_ERROR_INDEX)?;
        raw::refuse(chain >= network.finished(), LCC_ERROR_NOT_DONE)?;
        network.changes(chain).ok_or(LCC_ERROR_METHOD)?
    }

    /// One recorded quantity at every draw of the chains that are at their end, a view into the network's
    /// memory, valid until the next step.
    ///
    /// @param quantity  an LCC_BNN_TRACE_ code
    /// @param index     for LCC_BNN_TRACE_PREDICTION: which of the traced training rows, else 0
    /// @return LCC_ERROR_NOT_DONE
    fn lcc_bnn_trace_f64(
        network: *const lcc_bnn_f64, quantity: i32, index: usize,
    ) -> (draws: lcc_draws_f64) {
        lcc_draws_f64::of(&trace(&open(network)?, quantity, index)?)
    }
}
