//! `lcc fit`: fits numbers, classes or counts; predicts what is to be shown, writes all files or none, and reports.

mod flags;
mod print;
mod write;

pub(crate) use flags::{Asked, method_names, options, reference};
pub(crate) use print::{evaluation as print_evaluation, rmse};
pub(crate) use write::test as write_test;

use crate::args::Given;
use crate::draw::{Line, Panel, Words, agreement, histogram, scores};
use crate::files::{Outputs, chain_name, replace};
use crate::tables;
use crate::terminal::{Done, Person, Stop, warn};
use lcc_model::network::Checkpoint;
use lcc_model::predict::{Predictions, log_likelihoods, predict};
use lcc_model::rows::Rows;
use lcc_model::score::{Evaluation, Judgement, LuckAt, NoiseTrial, evaluate, luck_at, relevance};
use lcc_model::study::{Curve, Learned, Method, Outcome, Sources, fit_and_judge};
use lcc_model::text::{general, short};
use lcc_model::watch::Watch;
use write::Known;

/// The options that name results, but for draws.
const RESULTS: &str = "model c-array predictions plot log-lik stream-model json learning-curve";

/// What a person should know of a fit that went well.
fn warnings(asked: &Asked, out: &Outcome) -> Done {
    const LIMIT: f64 = 1.05;
    let rhat = out.fit.rhat_max;
    if asked.request.method == Method::Network && rhat > LIMIT {
        warn(&format!(
            "the chains sit in different modes: R-hat {rhat:.3}, above {LIMIT}; the model averages over them: more \
             --chains cover more modes, --method bnn many"
        ));
    }
    if out.fit.interrupted {
        warn("stopped early: the model holds what was drawn until then");
        return Err(Stop::Interrupted);
    }
    if out.stream_stopped {
        let rows = out.followed.as_ref().map_or(0, |run| run.before.n);
        warn(&format!("stopped early: the stream was followed for {rows} rows"));
        return Err(Stop::Interrupted);
    }
    Ok(())
}

fn write_draws(files: &mut Outputs, asked: &Asked, out: &Outcome) {
    let long = &asked.request.long;
    let run = tables::CmdStan {
        model: "lcc_network",
        algorithm: "hmc_gibbs",
        chains: out.chains.len(),
        warmup: long.warmup,
        seed: long.seed,
        digits: out.fit.digits,
        about: "# lp__ is the log likelihood of the training rows and f.1, f.2, ... are predictions at\n\
                # some of them, in standardised units; every chain has a mass matrix of its own\n",
        rest: "f",
        unit_masses: false,
    };
    for (k, chain) in out.chains.iter().enumerate() {
        files.put(&chain_name(k), || tables::chain(&run, k, chain));
    }
}

/// Fits, follows the stream, and writes all results or none.
pub(crate) fn run(given: Given) -> Done {
    let mut asked = Asked::read(&given)?;
    let person = Person::new(asked.quiet);
    let mut files = Outputs::beside(asked.reads().into_iter().chain(asked.checkpoint.as_deref()));
    let sources = Sources::read(&asked.request, &person)?;
    let mut learned = sources.learn(&mut asked.request, None, &person)?;
    // All before the run, so that a folder that is not there is found out at once.
    files.open(&given, RESULTS)?;
    files.open_chains(&given, asked.request.long.chains)?;
    asked.request.traced = given.has("draws-csv");
    person.catch_interrupts();
    let mut saving = asked.checkpoint.as_ref().map(|path| {
        let own = path.clone();
        Checkpoint::new(path, asked.resume, Box::new(move |bytes| replace(&own, bytes)))
    });
    let request = &mut asked.request;
    let out = fit_and_judge(request, &sources, &mut learned, saving.as_mut(), &person)?;
    person.clear();
    let Some(out) = out else {
        person.say("stopped before there were draws to keep: nothing is written");
        return Err(Stop::Interrupted);
    };
    // Without its columns, as small as it may be: a device knows its rows.
    let path = given.text("c-array").unwrap_or("");
    files.put("c-array", || tables::c_array(path, &out.plain));
    write_draws(&mut files, &asked, &out);
    report(&asked, &learned, &out, files)?;
    warnings(&asked, &out)
}

/// The rows that results are shown of.
fn shown(learned: &Learned) -> (&lcc_model::rows::Rows, &'static str) {
    match &learned.test {
        Some(test) => (test, "test"),
        None => (&learned.train, "training"),
    }
}

/// The figure of rows of numbers.
fn plot(asked: &Asked, rows: &Rows, p: &Predictions, scores: &Evaluation, kind: &str) -> String {
    let (target, level) = (&asked.request.target, short(100.0 * asked.request.interval));
    let (n, rmse, coverage) = (p.n, general(scores.rmse, 4), 100.0 * scores.coverage);
    let words = Words {
        title: format!("{target}: predicted against measured"),
        subtitle: format!(
            "{n} {kind} rows: RMSE {rmse}, {level} % intervals cover {coverage:.1} %"
        ),
        quantity: target,
    };
    agreement(&words, p, rows.targets())
}

/// The figure of classes: the point fit above, where there is one, and the posterior.
fn noise_plot(asked: &Asked, p: &Predictions, trial: &NoiseTrial, kind: &str) -> String {
    let mut panels = Vec::new();
    if let Some([rows, noise]) = &trial.point {
        panels.push(Panel { name: "Point fit", rows: &rows.top, noise: &noise.top });
    }
    panels.push(Panel { name: "Posterior", rows: &p.top, noise: &trial.said.top });
    let (n, target) = (p.n, &asked.request.target);
    let scored = p.scored.map_or((f64::NAN, f64::NAN), |s| (100.0 * s.accuracy, s.calibration));
    let subtitle =
        format!("{n} {kind} rows: accuracy {:.1} %, calibration error {:.3}", scored.0, scored.1);
    let title = format!("{target}: how sure of its class");
    histogram(&title, &subtitle, kind, p.classes, &panels)
}

/// The last point of a curve is known already.
fn whole_curve(out: &Outcome, learned: &Learned, judged: &Judgement) -> Option<Curve> {
    let mut curve = out.curve.clone()?;
    let (rows, own) = match out.crossed.is_empty() {
        true => (learned.train.n, judged),
        false => (out.crossed.trained, &out.crossed),
    };
    curve.points.push((rows, own.summary(0)));
    Some(curve)
}

fn curve_plot(asked: &Asked, curve: &Curve, classes: bool) -> String {
    let line = |(rows, own): &(usize, _)| Line {
        name: format!("{rows} rows"),
        baseline: false,
        scores: *own,
    };
    let lines: Vec<Line> = curve.points.iter().map(line).collect();
    scores(&asked.request.target, "scores by the training rows", classes, &lines)
}

/// See the module.
pub(super) fn report(asked: &Asked, learned: &Learned, out: &Outcome, mut files: Outputs) -> Done {
    let (r, fit) = (&asked.request, &out.fit);
    let model = fit.model.as_deref().unwrap_or(&[]);
    let ((rows, mut kind), tested) = (shown(learned), learned.test.is_some());
    let p = predict(model, rows, r.interval)?;
    let mut scores = evaluate(&p, rows.targets());
    let mut trial = None;
    if p.classes > 0 {
        let point = fit.point.as_deref();
        let own = NoiseTrial::run(model, point, &learned.train, rows, &p, r.seed())?;
        scores.noise = Some(own.facts);
        trial = Some(own);
    }
    let mut luck = LuckAt { rms: f64::NAN, median: f64::NAN };
    let mut judged = Judgement::default();
    if tested {
        if r.is_bnn() {
            luck = luck_at(model, rows, r.settings.options.keep as usize, &p)?;
        }
        judged.add(&p, &learned.train, rows, &learned.target, learned.columns.exposure);
    }
    let inputs = relevance(model, &learned.train, &learned.columns, r.seed())?;
    if r.folds > 0 && files.has("predictions") && out.followed.is_none() {
        warn(
            "--predictions are of the training rows by the fit to all of them, not of folds that were held out",
        );
    }
    // What is written and drawn: the stream's where there is one.
    let (mut shown_p, mut shown_rows, mut shown_scores) = (&p, rows, &scores);
    if let (Some(run), Some(stream)) = (&out.followed, &learned.stream) {
        (shown_p, shown_rows, shown_scores, kind) = (&run.before, stream, &run.scores, "streamed");
    }
    files.put("model", || model);
    files.put("stream-model", || out.followed.as_ref().map_or(model, |run| &run.model));
    files.put("predictions", || {
        // Where nothing tests, a row's forecast is worth more than its fit.
        let ahead = out.ahead.as_ref().filter(|_| !tested && out.followed.is_none());
        let own = ahead.map_or(shown_p, |ahead| &ahead.said);
        let target = Some(&learned.columns.target);
        tables::predictions(own, target, shown_rows, 0)
    });
    files.put("plot", || match &trial {
        Some(trial) => noise_plot(asked, &p, trial, kind),
        None => {
            let known = shown_rows.known(shown_p.n);
            let (p, rows) = (shown_p.some(&known), shown_rows.some(&known));
            plot(asked, &rows, &p, shown_scores, kind)
        }
    });
    if files.has("log-lik") {
        let (values, digits) = log_likelihoods(model, &learned.train)?;
        files.put("log-lik", || tables::log_likelihood(&values, digits, learned.train.n));
    }
    let curve = whole_curve(out, learned, &judged);
    if let Some(curve) = &curve {
        let classes = judged.classes || out.crossed.classes;
        files.put("learning-curve", || curve_plot(asked, curve, classes));
    }
    let known = Known {
        test: Some(&scores).filter(|_| tested),
        judged: &judged,
        luck,
        inputs: &inputs,
        remarks: &learned.remarks,
        curve: curve.as_ref(),
    };
    files.put("json", || write::fit(asked, learned, out, &known));
    if files.publish()? {
        print::report(asked, learned, out, &known, &scores);
    }
    Ok(())
}
