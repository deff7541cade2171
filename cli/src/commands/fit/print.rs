//! What `lcc fit` says of a fit to a person.

use super::Asked;
use super::write::Known;
use crate::terminal::{out, outln};
use lcc_model::lcc_core::estimator::BnnMethod;
use lcc_model::lcc_core::network::Output;
use lcc_model::methods::{Ahead, Choice, Followed, Last};
use lcc_model::network::Fit;
use lcc_model::rows::Rows;
use lcc_model::score::{Evaluation, Judgement, LuckAt, Relevance, Summary, evaluate};
use lcc_model::study::{Curve, Learned, Method, Outcome, note_method, note_options};
use lcc_model::text::{general, short};

const INDENT: &str = "            ";
const MOST_INPUTS: usize = 8;
/// R-hat up to which chains cannot be distinguished.
const MIXED: f64 = 1.01;

/// Root mean square error. There is none where predictions have no mean.
pub(crate) fn rmse(rmse: f64) -> String {
    if rmse.is_nan() { "none (noise with tail 1 or less has no mean)".into() } else { short(rmse) }
}

/// Two lines, the first of which begins with `what`.
pub(crate) fn evaluation(what: &str, e: &Evaluation, level: f64) {
    let (n, percent) = (e.n, short(100.0 * level));
    let Some(s) = &e.classes else {
        outln!("{what}{n} rows: RMSE {}, mean log density {:.4}", rmse(e.rmse), e.log_likelihood);
        let (coverage, width) = (100.0 * e.coverage, short(e.width));
        outln!("{INDENT}{percent} % intervals hold {coverage:.1} % of them, mean width {width}");
        if let Some((count, covered)) = e.above_zero {
            outln!("{INDENT}and {:.1} % of the {count} above 0", 100.0 * covered);
        }
        return;
    };
    outln!(
        "{what}{n} rows: accuracy {:.2} %, log loss {:.4}, Brier score {:.4}, calibration error {:.3}",
        100.0 * s.accuracy,
        -s.log_likelihood,
        s.brier,
        s.calibration
    );
    let (coverage, size) = (100.0 * s.coverage, s.set_size);
    outln!("{INDENT}{percent} % sets hold {coverage:.1} % of the classes, {size:.2} classes a set");
    if let Some(noise) = e.noise {
        outln!(
            "noise       distinguished from these rows (AUROC) {:.3} by entropy, {:.3} by mutual information",
            noise.auroc_entropy,
            noise.auroc_mutual
        );
        out!("{INDENT}largest probability there {:.3}", noise.top);
        if !noise.point_top.is_nan() {
            out!(", of the point fit {:.3}", noise.point_top);
        }
        outln!("");
    }
}

/// Of the method or of training rows: a part of a line.
fn scores(s: &Summary, classes: bool) -> String {
    if classes {
        format!(
            "accuracy {:.2} +- {} %, log loss {:.4} +- {}",
            100.0 * s.mean[0],
            general(100.0 * s.error[0], 2),
            -s.mean[1],
            general(s.error[1], 2)
        )
    } else {
        format!(
            "RMSE {} +- {}, mean log density {:.4} +- {}",
            short(s.rmse),
            general(s.rmse_error, 2),
            s.mean[1],
            general(s.error[1], 2)
        )
    }
}

/// What anyone can have.
fn baselines(j: &Judgement) {
    for (k, (_, said, s)) in j.baselines().enumerate() {
        let begin = if k == 0 { "baselines   " } else { INDENT };
        if j.classes {
            let (accuracy, loss) = (100.0 * s.mean[0], -s.mean[1]);
            outln!("{begin}{said}: accuracy {accuracy:.2} %, log loss {loss:.4}");
        } else {
            outln!("{begin}{said}: RMSE {}, mean log density {:.4}", short(s.rmse), s.mean[1]);
        }
    }
}

fn judged(j: &Judgement) {
    let s = j.summary(0);
    let two = |v: f64| general(v, 2);
    if j.classes {
        outln!(
            "{INDENT}standard errors: accuracy {} %, log loss {}, Brier score {}",
            two(100.0 * s.error[0]),
            two(s.error[1]),
            two(s.error[2])
        );
    } else {
        outln!(
            "{INDENT}standard errors: RMSE {}, mean log density {}, coverage {} %",
            two(s.rmse_error),
            two(s.error[1]),
            two(100.0 * s.error[3])
        );
    }
    baselines(j);
}

fn folds(j: &Judgement, folds: usize, repeats: usize, level: f64) {
    let s = j.summary(0);
    out!("folds       {repeats} x {folds}, {} rows: {}", s.n, scores(&s, j.classes));
    if j.classes {
        let (calibration, _) = j.of_parts();
        let error = general(s.error[2], 2);
        let brier = s.mean[2];
        outln!(",\n{INDENT}Brier score {brier:.4} +- {error}, calibration error {calibration:.3}");
    } else {
        outln!(
            "\n{INDENT}{} % intervals hold {:.1} +- {} % of them, mean width {}",
            short(100.0 * level),
            100.0 * s.mean[3],
            general(100.0 * s.error[3], 2),
            short(s.mean[4])
        );
    }
    baselines(j);
}

fn curve(c: &Curve, classes: bool) {
    for (k, (rows, s)) in c.points.iter().enumerate() {
        let begin = if k == 0 { "curve       " } else { INDENT };
        outln!("{begin}{rows:6} rows: {}", scores(s, classes));
    }
}

fn ahead(own: &Ahead, y: &[f64]) {
    evaluation("one ahead   ", &evaluate(&own.said, y), own.said.level);
    let Ahead { squared, log, best_squared, best_log, .. } = own;
    outln!(
        "losses      {} squared, {log:.2} nats; the best network in hindsight {}, {best_log:.2}: regret {}, {:.2}",
        short(*squared),
        short(*best_squared),
        short(squared - best_squared),
        log - best_log
    );
}

fn stream(run: &Followed, forgetting: f64) {
    evaluation("stream      one step ahead, ", &run.scores, run.before.level);
    evaluation("frozen      the same ", &run.frozen, run.before.level);
    let (draws, bytes, forgetting) = (run.draws, run.state, short(forgetting));
    let each = 1e6 * run.seconds / run.scores.n as f64;
    outln!("learning    {draws} draws, forgetting {forgetting}, {bytes} bytes, {each:.1} us a row");
}

fn choice(choice: &Choice) {
    for (i, c) in choice.all.iter().enumerate() {
        let begin = if i == 0 { "choice     " } else { "           " };
        let taken = if i == choice.best { ", taken" } else { "" };
        let (levels, outer) = (c.levels, short(c.outer));
        let (nats, probability) = (c.nats, c.probability);
        outln!(
            "{begin} {levels} levels, V = {outer}: {nats:.2} nats, probability {probability:.3}{taken}"
        );
    }
}

fn inputs(told: &Relevance, learned: &Learned) {
    if told.moves.is_empty() {
        return;
    }
    let what = match told.classes {
        true => "the probability of a class",
        false => "predictions, in sds of the target,",
    };
    outln!("inputs      distributed over other rows they move {what} by:");
    let one = |i: &usize| format!(" {} {:.2}", learned.columns.inputs[*i].name, told.moves[*i]);
    let order = told.largest();
    let some: Vec<String> = order.iter().take(MOST_INPUTS).map(one).collect();
    let more = if order.len() > MOST_INPUTS { ", ..." } else { "" };
    outln!("           {}{more}", some.join(","));
}

/// Many short chains: none finds all modes, so that what a person should know is what the seed decides.
fn luck(fit: &Fit, test: LuckAt) {
    let two = |v: f64| general(100.0 * v, 2);
    let tested = !test.rms.is_nan();
    let (rms, median) = if tested { (test.rms, test.median) } else { (fit.luck, fit.luck_median) };
    if rms.is_nan() {
        outln!("luck        not known: of one chain, or of predictions without bound");
    } else {
        let (rms, median) = (two(rms), two(median));
        outln!(
            "luck        another seed would move a prediction by {rms} % of its uncertainty (median {median} %)"
        );
        if tested {
            let (rms, median) = (two(fit.luck), two(fit.luck_median));
            outln!("{INDENT}at the test rows, by {rms} % (median {median} %) at training rows");
        } else {
            outln!("{INDENT}at training rows; far from them it may be more");
        }
    }
    if let Some(t) = fit.temperature {
        let what = match t {
            _ if (t.ln()).abs() < 0.1 => "well calibrated",
            _ if t < 1.0 => "too cautious",
            _ => "too sure",
        };
        outln!("calibration temperature {t:.2}, by held-out rows: the model alone is {what}");
    }
    let (used, dropped) = (fit.chains_used, fit.chains_dropped);
    let (accepted, divergent) = (fit.acceptance, fit.divergences);
    outln!(
        "chains      {used} used, {dropped} dropped, acceptance {accepted:.3}, {divergent} divergent draws"
    );
    if !fit.rhat_max.is_nan() {
        let bounded = fit.rhat_max.is_finite();
        let rhat = if bounded { format!("{:.2}", fit.rhat_max) } else { "without bound".into() };
        let what = match fit.rhat_max <= MIXED {
            true => "the chains agree".into(),
            false => format!(
                "chains stay in their modes and the model averages over them; what\n{INDENT}longer ones would change, the \
                 luck does not say"
            ),
        };
        outln!("{INDENT}R-hat {rhat}: {what}");
    }
}

/// Chains of part of the rows: what distribution they aim at in this run, and whether their noise allows it.
fn noise(method: BnnMethod, fit: &Fit) {
    let wider =
        if fit.tempered_at > 1.0 { ", wider than the posterior" } else { ", the posterior" };
    let (t, step) = (general(fit.tempered_at, 4), general(fit.steps, 3));
    outln!("tempered    at T = {t}: likelihood^(1/T) times prior{wider}; steps of {step}");
    if !fit.variance.is_nan() {
        outln!(
            "noise       of the change of the loss: variance {}, skewness {}, excess kurtosis {}",
            general(fit.variance, 3),
            general(fit.skewness, 2),
            general(fit.kurtosis, 2)
        );
        if fit.variance > fit.variance_limit {
            let limit = general(fit.variance_limit, 2);
            outln!(
                "{INDENT}too much: chi^2 above {limit}; larger or more minibatches, or shorter steps"
            );
        }
    }
    if matches!(method, BnnMethod::Sgld | BnnMethod::Batched) {
        outln!("{INDENT}biased; by how much, a run of --method tempered beside it shows");
    }
}

/// Where no chains were run.
fn mode(asked: &Asked, fit: &Fit) {
    let s = &asked.request.settings;
    let members = format!("members     {} used, {} dropped", fit.chains_used, fit.chains_dropped);
    let (joint, evidence, steps) = (short(fit.log_joint), short(fit.log_evidence), fit.steps);
    if !s.method().climbs() {
        outln!("{members}");
    } else if s.method().fits() {
        if s.method() == BnnMethod::Swag {
            outln!("{members}; of the best");
        }
        let error = general(fit.error, 2);
        outln!(
            "bound       log evidence above {evidence} +- {error}, log density {joint} at the mean, {steps:.0} steps"
        );
    } else if fit.log_evidence.is_nan() {
        outln!("mode        log density {joint}, {steps:.0} steps");
    } else {
        outln!(
            "mode        log density {joint}, Laplace's log evidence {evidence}, {steps:.0} steps"
        );
    }
    if s.method().climbs() && fit.distance > 0.03 {
        let distance = general(fit.distance, 2);
        outln!(
            "{INDENT}not reached: some {distance} posterior standard deviations away; more --ascent, or --start"
        );
    }
    if s.linearises() {
        outln!(
            "{INDENT}predicts by the network linearised at the mode; by networks of draws: --sampled"
        );
    } else if s.options.linearises() {
        outln!("{INDENT}a Gaussian in weights: its draws may predict worse than map or last-layer");
    }
    if let Some(t) = fit.temperature {
        outln!("calibration temperature {t:.2}, by held-out rows");
    }
}

fn relaxed(last: &Last, levels: usize) {
    outln!(
        "fit         mean squared error {} in units of the hidden units; some average of {levels} of them is within {} of \
         the best of the hull; variation {}",
        short(last.error),
        short(last.bound),
        short(last.variation)
    );
}

fn chains(fit: &Fit) {
    outln!(
        "chains      R-hat of the predictions {:.3}, ESS {:.0}, acceptance {:.3}; {} used, {} dropped,\n{INDENT}{} \
         divergent draws",
        fit.rhat_max,
        fit.ess_bulk_min,
        fit.acceptance,
        fit.chains_used,
        fit.chains_dropped,
        fit.divergences
    );
}

/// As how many rows weighted ones count, which their scale decides.
fn weights(train: &Rows) {
    let total: f64 = train.weights.iter().sum();
    if total > 0.0 {
        let mean = general(total / train.n as f64, 3);
        outln!(
            "{INDENT}by their weights as if they were {} rows; where the scale of weights says nothing,",
            general(total, 6)
        );
        outln!("{INDENT}divide them by their mean, {mean}");
    }
}

/// All of it; `shown` are the scores of test rows, or of training rows.
pub(super) fn report(
    asked: &Asked,
    learned: &Learned,
    out: &Outcome,
    known: &Known<'_>,
    shown: &Evaluation,
) {
    let (r, fit, train) = (&asked.request, &out.fit, &learned.train);
    let method = r.settings.method();
    outln!("method      {}", note_method(r));
    if r.is_bnn() {
        outln!("target      {}", learned.target.describe(&learned.columns));
        outln!("aims at     {}", method.law().to_string_lossy());
        let o = &r.settings.options;
        if method != BnnMethod::Hmc && o.output == Output::StudentT && o.tail == 0.0 {
            outln!(
                "{INDENT}noise of 30 degrees of freedom: this method does not learn them (--network tail=K)"
            );
        }
    }
    outln!("trained on  {} rows of {} inputs", train.n, train.d);
    weights(train);
    if known.test.is_some() {
        evaluation("test        ", shown, r.interval);
        judged(known.judged);
    } else if out.crossed.is_empty() && out.ahead.is_none() && out.followed.is_none() {
        evaluation("fitted      ", shown, r.interval);
        outln!(
            "{INDENT}these rows trained, test rows are predicted less well: --cv 5 or --test-share .2\n{INDENT}shows how \
             much"
        );
    }
    if !out.crossed.is_empty() {
        folds(&out.crossed, r.folds, r.repeats, r.interval);
    }
    if let Some(c) = known.curve {
        curve(c, out.crossed.classes || known.judged.classes);
    }
    if let Some(own) = &out.ahead {
        ahead(own, train.targets());
    }
    if let Some(run) = &out.followed {
        stream(run, r.following.forgetting);
    }
    choice(&r.choice);
    inputs(known.inputs, learned);
    match r.method {
        Method::Bnn if method.walks() => {
            noise(method, fit);
            luck(fit, known.luck);
        }
        Method::Bnn if method == BnnMethod::Hmc => luck(fit, known.luck),
        Method::Bnn => mode(asked, fit),
        Method::Relaxed => relaxed(&out.last.unwrap_or_default(), fit.levels_used),
        Method::Network => chains(fit),
        _ => {
            let (used, accepted) = (fit.levels_used, fit.acceptance);
            outln!("levels      {used} used, of mean acceptance {accepted:.3}");
        }
    }
    if let Some(time) = r.time {
        let (time, options) = (short(time), note_options(r));
        outln!("time        of {time} s; the same bytes without --time: {options}");
    }
    let (gradients, bytes) = (fit.gradients, fit.workspace);
    let model = fit.model.as_ref().map_or(0, Vec::len);
    let seconds = fit.seconds;
    outln!(
        "cost        {seconds:.1} s, {gradients} gradients, {bytes} bytes of workspace, model of {model} bytes"
    );
}
