//! The JSON of a fit.

use super::Asked;
use crate::json::Json;
use lcc_model::lcc_core::estimator::greedy_bayes::Form;
use lcc_model::lcc_core::prior::PriorKind;
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
        json.number("rmse", e.rmse);
        json.number("log_likelihood", e.log_likelihood);
        json.number("coverage", e.coverage);
        json.number("width", e.width);
        if let Some((_, covered)) = e.above_zero {
            json.number("coverage_above_zero", covered);
        }
        if with_crps {
            json.number("crps", e.crps);
        }
        return;
    };
    for (key, value) in [
        ("accuracy", s.accuracy),
        ("log_loss", -s.log_likelihood),
        ("log_likelihood", s.log_likelihood),
        ("brier", s.brier),
        ("ranked", s.ranked),
        ("calibration_error", s.calibration),
        ("coverage", s.coverage),
        ("set_size", s.set_size),
        ("entropy", s.entropy),
        ("mutual_information", s.mutual_information),
    ] {
        json.number(key, value);
    }
    match e.noise {
        None => json.null("noise"),
        Some(noise) => json.object("noise", |json| {
            json.size("n", noise.n);
            json.number("auroc_entropy", noise.auroc_entropy);
            json.number("auroc_mutual_information", noise.auroc_mutual);
            json.number("top", noise.top);
            json.number("point_top", noise.point_top);
        }),
    }
}

/// The member "test", with the standard errors where they are known: null where nothing was tested.
pub(crate) fn test(json: &mut Json, e: Option<&Evaluation>, judged: Option<&Judgement>) {
    let Some(e) = e else { return json.null("test") };
    json.object("test", |json| {
        json.size("n", e.n);
        evaluation(json, e, true);
        if let Some(j) = judged {
            let s = j.summary(0);
            let (first, error) = if j.classes {
                ("accuracy_error", s.error[0])
            } else {
                ("rmse_error", s.rmse_error)
            };
            json.with_digits(JUDGED, |json| {
                json.number(first, error);
                json.number("log_likelihood_error", s.error[1]);
                json.number(if j.classes { "brier_error" } else { "crps_error" }, s.error[2]);
                if !j.classes {
                    json.number("coverage_error", s.error[3]);
                    json.number("width_error", s.error[4]);
                }
            });
        }
    });
}

/// What a method and a baseline both have.
fn scores(json: &mut Json, classes: bool, s: &Summary) {
    let (name, value, error) =
        if classes { ("accuracy", s.mean[0], s.error[0]) } else { ("rmse", s.rmse, s.rmse_error) };
    json.size("n", s.n);
    json.number(name, value);
    json.number(&format!("{name}_error"), error);
    json.number("log_likelihood", s.mean[1]);
    json.number("log_likelihood_error", s.error[1]);
}

fn folds(json: &mut Json, j: &Judgement, folds: usize, repeats: usize) {
    let s = j.summary(0);
    json.with_digits(JUDGED, |json| {
        json.object("cv", |json| {
            json.size("folds", folds);
            json.size("repeats", repeats);
            scores(json, j.classes, &s);
            if j.classes {
                let (calibration, coverage) = j.of_parts();
                json.number("brier", s.mean[2]);
                json.number("brier_error", s.error[2]);
                json.number("calibration_error", calibration);
                json.number("coverage", coverage);
            } else {
                for (key, k) in [("crps", 2), ("coverage", 3), ("width", 4)] {
                    json.number(key, s.mean[k]);
                    json.number(&format!("{key}_error"), s.error[k]);
                }
            }
            json.number("seconds", j.seconds);
        });
    });
}

fn baselines(json: &mut Json, j: &Judgement) {
    json.with_digits(JUDGED, |json| {
        json.list("baselines", |json| {
            for (name, _, s) in j.baselines() {
                json.item(|json| {
                    json.text("name", name);
                    scores(json, j.classes, &s);
                });
            }
        });
    });
}

fn curve(json: &mut Json, c: &Curve, classes: bool) {
    json.with_digits(JUDGED, |json| {
        json.list("learning_curve", |json| {
            for (rows, s) in &c.points {
                json.item(|json| {
                    json.size("rows", *rows);
                    scores(json, classes, s);
                });
            }
        });
    });
}

fn stream(json: &mut Json, forgetting: f64, run: &Followed) {
    json.object("stream", |json| {
        json.size("n", run.scores.n);
        evaluation(json, &run.scores, false);
        json.object("frozen", |json| evaluation(json, &run.frozen, false));
        json.number("forgetting", forgetting);
        json.size("draws", run.draws);
        json.size("bytes_state", run.state);
        json.number("seconds", run.seconds);
    });
}

fn ahead(json: &mut Json, own: &Ahead, y: &[f64]) {
    let e = evaluate(&own.said, y);
    json.object("prequential", |json| {
        json.size("n", e.n);
        evaluation(json, &e, true);
        json.number("squared_loss", own.squared);
        json.number("log_loss", own.log);
        json.number("best_squared_loss", own.best_squared);
        json.number("best_log_loss", own.best_log);
        json.number("squared_regret", own.squared - own.best_squared);
        json.number("log_regret", own.log - own.best_log);
    });
}

fn of_network(json: &mut Json, asked: &Asked, out: &Outcome, luck: LuckAt) {
    let (fit, method) = (&out.fit, asked.request.settings.method);
    let mut all: Vec<(&str, f64)> = Vec::new();
    if method.climbs() {
        all.push(("log_joint", fit.log_joint));
        all.push(("log_evidence", fit.log_evidence));
        all.push(("ascent_steps", fit.steps));
    }
    if method.fits() {
        all.push(("log_evidence_error", fit.error));
    } else if method.climbs() {
        all.push(("distance_to_mode", fit.distance));
    }
    if method.walks() {
        all.push(("tempered_at", fit.tempered_at));
        all.push(("step", fit.steps));
        all.push(("variance_of_change", fit.variance));
        all.push(("skewness_of_change", fit.skewness));
        all.push(("kurtosis_of_change", fit.kurtosis));
    }
    all.push(("luck", fit.luck));
    all.push(("luck_median", fit.luck_median));
    all.push(("luck_test", luck.rms));
    all.push(("luck_test_median", luck.median));
    all.extend(fit.temperature.map(|t| ("temperature", t)));
    all.into_iter().for_each(|(key, value)| json.number(key, value));
}

fn greedy_parameters(json: &mut Json, g: &GreedySettings, method: Method) {
    json.count("levels", g.levels.into());
    let relaxed = method == Method::Relaxed;
    if !relaxed {
        json.count("particles", g.particles.into());
    }
    json.text("activation", g.activation.name());
    if relaxed {
        json.text("update", lcc_model::study::update_name(g.update));
        json.number("scale", g.scale);
        json.number("outer", g.outer);
        return json.count("as_printed", g.as_printed.into());
    }
    json.text("prior", if g.prior == PriorKind::L1Ball { "l1" } else { "gaussian" });
    json.number("scale", g.scale);
    json.number("outer", g.outer);
    json.number("alpha", g.alpha);
    json.number("beta", g.beta);
    json.text("form", if g.form == Form::Tilt { "tilt" } else { "quadratic" });
    json.count("either_sign", g.either_sign.into());
    json.count("as_printed", g.as_printed.into());
    if method == Method::Greedy {
        json.count("refit", (!g.no_refit).into());
        json.number("holdout", g.holdout);
    }
}

fn parameters(json: &mut Json, asked: &Asked) {
    use lcc_model::lcc_core::estimator::prequential::Averaging;
    let r = &asked.request;
    json.object("parameters", |json| {
        json.text("target", &r.target);
        let mut keep = r.settings.keep;
        match r.method {
            Method::Bnn => {
                let s = &r.settings;
                json.text("layers", &s.layers);
                json.text("output", s.output.name());
                json.count("start", s.start.into());
                json.count("leapfrogs", s.leapfrogs.into());
                json.count("chains", s.chains.into());
                json.count("warmup", s.warmup.unwrap_or(0).into());
                json.count("draws", s.draws.into());
            }
            Method::Network => {
                let l = &r.long;
                json.count("neurons", l.neurons.into());
                json.count("chains", l.chains.into());
                json.count("warmup", l.warmup.into());
                json.count("draws", l.draws.into());
                keep = l.keep;
            }
            method => {
                greedy_parameters(json, &r.greedy, method);
                if method == Method::Prequential {
                    json.text(
                        "averaging",
                        match r.averaging {
                            Averaging::Printed => "printed",
                            Averaging::Inclusive => "inclusive",
                            Averaging::Last => "last",
                        },
                    );
                }
                keep = r.greedy.keep;
            }
        }
        json.count("keep", keep.into());
        json.count("seed", r.seed());
        json.text("precision", r.precision());
        json.number("interval", r.interval);
    });
}

fn inputs(json: &mut Json, told: &Relevance, learned: &Learned) {
    if told.moves.is_empty() {
        return;
    }
    json.list("inputs", |json| {
        for i in told.largest() {
            json.item(|json| {
                json.text("name", &learned.columns.inputs[i].name);
                json.number("moves", told.moves[i]);
            });
        }
    });
}

/// All of it.
pub(super) fn fit(asked: &Asked, learned: &Learned, out: &Outcome, known: &Known<'_>) -> Vec<u8> {
    let (r, fit) = (&asked.request, &out.fit);
    let mut json = Json::new(fit.digits);
    json.text("method", &r.method_name);
    if r.is_bnn() {
        json.text("law", &r.settings.method.law().to_string_lossy());
    }
    json.size("n", learned.train.n);
    json.size("d", learned.train.d);
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
    json.number("rhat_max", fit.rhat_max);
    json.number("ess_bulk_min", fit.ess_bulk_min);
    json.number("acceptance", fit.acceptance);
    if let Some(own) = &out.ahead {
        ahead(&mut json, own, learned.train.targets());
    }
    if let Some(last) = out.last {
        json.object("relaxed", |json| {
            json.number("error", last.error);
            json.number("bound", last.bound);
            json.number("gap", last.gap);
            json.number("variation", last.variation);
        });
    }
    if !r.choice.all.is_empty() {
        json.list("choice", |json| {
            for c in &r.choice.all {
                json.item(|json| {
                    json.count("levels", c.levels.into());
                    json.number("outer", c.outer);
                    json.number("description_length", c.nats);
                    json.number("probability", c.probability);
                });
            }
        });
    }
    if r.is_bnn() {
        of_network(&mut json, asked, out, known.luck);
    }
    if matches!(r.method, Method::Bnn | Method::Network) {
        json.count("divergences", fit.divergences);
        json.size("chains_used", fit.chains_used);
        json.size("chains_dropped", fit.chains_dropped);
    } else {
        json.size("levels_used", fit.levels_used);
    }
    json.count("gradients", fit.gradients);
    json.number("seconds", fit.seconds);
    json.size("bytes_workspace", fit.workspace);
    json.size("bytes_model", fit.model.as_ref().map_or(0, Vec::len));
    if let Some(time) = r.time {
        json.object("time", |json| {
            json.number("limit", time);
            json.text("options", &note_options(r));
        });
    }
    json.list("remarks", |json| {
        for own in known.remarks {
            json.item(|json| {
                if let Some(column) = &own.column {
                    json.text("column", column);
                    json.number("value", own.value);
                }
                json.count("rows", own.rows);
                json.text("remark", own.said);
            });
        }
    });
    parameters(&mut json, asked);
    json.end()
}
