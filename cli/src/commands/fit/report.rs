//! Predicts what is to be shown, writes all files or none, and reports.

use super::write::{self, Known};
use super::{Asked, print, shown};
use crate::draw::{Line, Panel, Words, agreement, histogram, scores};
use crate::files::Outputs;
use crate::stop::Done;
use crate::tables;
use lcc_model::predict::{Predictions, log_likelihoods, predict};
use lcc_model::rows::Rows;
use lcc_model::score::{Evaluation, Judgement, LuckAt, NoiseTrial, evaluate, luck_at, relevance};
use lcc_model::study::{Curve, Learned, Outcome};
use lcc_model::text::{general, short};

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
            luck = luck_at(model, rows, r.settings.keep as usize, &p)?;
        }
        judged.add(&p, &learned.train, rows, &learned.target, learned.columns.exposure);
    }
    let inputs = relevance(model, &learned.train, &learned.columns, r.seed())?;
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
        None => plot(asked, shown_rows, shown_p, shown_scores, kind),
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
