//! The JSON of a fit.

use super::Asked;
use crate::json::{Json, members};
use lcc_model::methods::{Ahead, Followed, GreedySettings};
use lcc_model::score::{Evaluation, Judgement, LuckAt, Relevance, Summary, evaluate};
use lcc_model::study::{Curve, Learned, Method, Outcome, Remark, note_options};

/// Logarithms differ in their last digit between machines, which the same bytes do not.
const JUDGED: usize = 6;

/// What is known of a fit beside its outcome.
pub(super) struct Known<'a> {
    pub(super) test: Option<&'a Evaluation>,
    pub(super) judged: &'a Judgement,
    pub(super) luck: LuckAt,
    pub(super) inputs: &'a Relevance,
    pub(super) remarks: &'a [Remark],
    pub(super) curve: Option<&'a Curve>,
}

fn evaluation(json: &mut Json, e: &Evaluation, with_crps: bool) {
    let Some(s) = &e.classes else {
        members!(json, e => rmse log_likelihood coverage width);
        if let Some((_, covered)) = e.above_zero {
            json.put("coverage_above_zero", covered);
        }
        if with_crps {
            json.put("crps", e.crps);
        }
        return;
    };
    json.put("accuracy", s.accuracy);
    json.put("log_loss", -s.log_likelihood);
    members!(json, s => log_likelihood brier ranked);
    json.put("calibration_error", s.calibration);
    members!(json, s => coverage set_size entropy mutual_information);
    match e.noise {
        None => json.null("noise"),
        Some(noise) => json.object("noise", |json| {
            members!(json, noise => n auroc_entropy);
            json.put("auroc_mutual_information", noise.auroc_mutual);
            members!(json, noise => top point_top);
        }),
    }
}

/// The member "test", with the standard errors where they are known: null where nothing was tested.
pub(crate) fn test(json: &mut Json, e: Option<&Evaluation>, judged: Option<&Judgement>) {
    let Some(e) = e else { return json.null("test") };
    json.object("test", |json| {
        json.put("n", e.n);
        evaluation(json, e, true);
        if let Some(j) = judged {
            let s = j.summary(0);
            let (first, error) = if j.classes {
                ("accuracy_error", s.error[0])
            } else {
                ("rmse_error", s.rmse_error)
            };
            json.with_digits(JUDGED, |json| {
                json.put(first, error);
                json.put("log_likelihood_error", s.error[1]);
                json.put(if j.classes { "brier_error" } else { "crps_error" }, s.error[2]);
                if !j.classes {
                    json.put("coverage_error", s.error[3]);
                    json.put("width_error", s.error[4]);
                }
            });
        }
    });
}

/// What a method and a baseline both have.
fn scores(json: &mut Json, classes: bool, s: &Summary) {
    let (name, value, error) =
        if classes { ("accuracy", s.mean[0], s.error[0]) } else { ("rmse", s.rmse, s.rmse_error) };
    json.put("n", s.n);
    json.put(name, value);
    json.put(&format!("{name}_error"), error);
    json.put("log_likelihood", s.mean[1]);
    json.put("log_likelihood_error", s.error[1]);
}

fn folds(json: &mut Json, j: &Judgement, folds: usize, repeats: usize) {
    let s = j.summary(0);
    json.with_digits(JUDGED, |json| {
        json.object("cv", |json| {
            json.put("folds", folds);
            json.put("repeats", repeats);
            scores(json, j.classes, &s);
            if j.classes {
                let (calibration, coverage) = j.of_parts();
                json.put("brier", s.mean[2]);
                json.put("brier_error", s.error[2]);
                json.put("calibration_error", calibration);
                json.put("coverage", coverage);
            } else {
                for (key, k) in [("crps", 2), ("coverage", 3), ("width", 4)] {
                    json.put(key, s.mean[k]);
                    json.put(&format!("{key}_error"), s.error[k]);
                }
            }
            json.put("seconds", j.seconds);
        });
    });
}

fn baselines(json: &mut Json, j: &Judgement) {
    json.with_digits(JUDGED, |json| {
        json.list("baselines", j.baselines(), |json, (name, _, s)| {
            json.put("name", name);
            scores(json, j.classes, &s);
        });
    });
}

fn curve(json: &mut Json, c: &Curve, classes: bool) {
    json.with_digits(JUDGED, |json| {
        json.list("learning_curve", &c.points, |json, (rows, s)| {
            json.put("rows", rows);
            scores(json, classes, s);
        });
    });
}

fn stream(json: &mut Json, forgetting: f64, run: &Followed) {
    json.object("stream", |json| {
        json.put("n", run.scores.n);
        evaluation(json, &run.scores, false);
        json.object("frozen", |json| evaluation(json, &run.frozen, false));
        json.put("forgetting", forgetting);
        json.put("draws", run.draws);
        json.put("bytes_state", run.state);
        json.put("seconds", run.seconds);
    });
}

fn ahead(json: &mut Json, own: &Ahead, y: &[f64]) {
    let e = evaluate(&own.said, y);
    json.object("prequential", |json| {
        json.put("n", e.n);
        evaluation(json, &e, true);
        json.put("squared_loss", own.squared);
        json.put("log_loss", own.log);
        json.put("best_squared_loss", own.best_squared);
        json.put("best_log_loss", own.best_log);
        json.put("squared_regret", own.squared - own.best_squared);
        json.put("log_regret", own.log - own.best_log);
    });
}

fn of_network(json: &mut Json, asked: &Asked, out: &Outcome, luck: LuckAt) {
    let (fit, method) = (&out.fit, asked.request.settings.method());
    if method.climbs() {
        members!(json, fit => log_joint log_evidence);
        json.put("ascent_steps", fit.steps);
    }
    if method.fits() {
        json.put("log_evidence_error", fit.error);
    } else if method.climbs() {
        json.put("distance_to_mode", fit.distance);
    }
    if method.walks() {
        json.put("tempered_at", fit.tempered_at);
        json.put("step", fit.steps);
        json.put("variance_of_change", fit.variance);
        json.put("skewness_of_change", fit.skewness);
        json.put("kurtosis_of_change", fit.kurtosis);
    }
    members!(json, fit => luck luck_median);
    json.put("luck_test", luck.rms);
    json.put("luck_test_median", luck.median);
    if let Some(temperature) = fit.temperature {
        json.put("temperature", temperature);
    }
}

fn greedy_parameters(json: &mut Json, g: &GreedySettings, method: Method) {
    json.put("levels", g.levels);
    let relaxed = method == Method::Relaxed;
    if !relaxed {
        json.put("particles", g.particles);
    }
    json.put("activation", g.activation.name());
    if relaxed {
        json.put("update", g.update.name());
        return members!(json, g => scale outer as_printed);
    }
    json.put("prior", g.prior.name());
    members!(json, g => scale outer alpha beta);
    json.put("form", g.form.name());
    members!(json, g => either_sign as_printed);
    if method == Method::Greedy {
        json.put("refit", !g.no_refit);
        json.put("holdout", g.holdout);
    }
}

fn parameters(json: &mut Json, asked: &Asked) {
    let r = &asked.request;
    json.object("parameters", |json| {
        json.put("target", &r.target);
        let mut keep = r.settings.options.keep;
        match r.method {
            Method::Bnn => {
                let o = &r.settings.options;
                json.put("layers", &r.settings.layers);
                json.put("output", o.output.value().name());
                json.put("start", o.start_steps);
                members!(json, o => leapfrogs chains warmup draws);
            }
            Method::Network => {
                let l = &r.long;
                members!(json, l => neurons chains warmup draws);
                keep = l.keep;
            }
            method => {
                greedy_parameters(json, &r.greedy, method);
                if method == Method::Prequential {
                    json.put("averaging", r.averaging.name());
                }
                keep = r.greedy.keep;
            }
        }
        json.put("keep", keep);
        json.put("seed", r.seed());
        json.put("precision", r.precision());
        json.put("interval", r.interval);
    });
}

fn inputs(json: &mut Json, told: &Relevance, learned: &Learned) {
    if told.moves.is_empty() {
        return;
    }
    json.list("inputs", told.largest(), |json, i| {
        json.put("name", &learned.columns.inputs[i].name);
        json.put("moves", told.moves[i]);
    });
}

/// All of it.
pub(super) fn fit(asked: &Asked, learned: &Learned, out: &Outcome, known: &Known<'_>) -> Vec<u8> {
    let (r, fit) = (&asked.request, &out.fit);
    let mut json = Json::new(fit.digits);
    json.put("method", &r.method_name);
    if r.is_bnn() {
        json.put("law", &*r.settings.method().law().to_string_lossy());
    }
    members!(json, learned.train => n d);
    test(&mut json, known.test, Some(known.judged).filter(|j| !j.is_empty()));
    if !out.crossed.is_empty() {
        folds(&mut json, &out.crossed, r.folds, r.repeats);
    }
    let own = if out.crossed.is_empty() { known.judged } else { &out.crossed };
    if !own.is_empty() {
        baselines(&mut json, own);
    }
    if let Some(c) = known.curve {
        curve(&mut json, c, own.classes);
    }
    inputs(&mut json, known.inputs, learned);
    if let Some(run) = &out.followed {
        stream(&mut json, r.following.forgetting, run);
    }
    members!(json, fit => rhat_max ess_bulk_min acceptance);
    if let Some(own) = &out.ahead {
        ahead(&mut json, own, learned.train.targets());
    }
    if let Some(last) = out.last {
        json.object("relaxed", |json| members!(json, last => error bound gap variation));
    }
    if !r.choice.all.is_empty() {
        json.list("choice", &r.choice.all, |json, c| {
            members!(json, c => levels outer);
            json.put("description_length", c.nats);
            json.put("probability", c.probability);
        });
    }
    if r.is_bnn() {
        of_network(&mut json, asked, out, known.luck);
    }
    if matches!(r.method, Method::Bnn | Method::Network) {
        members!(json, fit => divergences chains_used chains_dropped);
    } else {
        members!(json, fit => levels_used);
    }
    members!(json, fit => gradients seconds);
    json.put("bytes_workspace", fit.workspace);
    json.put("bytes_model", fit.model.as_ref().map_or(0, Vec::len));
    if let Some(time) = r.time {
        json.object("time", |json| {
            json.put("limit", time);
            json.put("options", note_options(r));
        });
    }
    json.list("remarks", known.remarks, |json, own| {
        if let Some(column) = &own.column {
            json.put("column", column);
            json.put("value", own.value);
        }
        json.put("rows", own.rows);
        json.put("remark", own.said);
    });
    parameters(&mut json, asked);
    json.end()
}
