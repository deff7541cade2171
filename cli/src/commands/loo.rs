//! `lcc loo`: how well a model would predict each training row without it.

use crate::args::{Given, command, delimiter, json, options, unknown};
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, Person, outln, usage};
use clap::Command;
use lcc_model::columns::Targets;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::diagnostics::LooRow;
use lcc_model::saved::{Asked, Saved};
use lcc_model::score::{LooOf, difference, leave_one_out};
use lcc_model::text::general;
use lcc_model::watch::Watch;

const DIGITS: usize = 9;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc loo --model m.lcc --than other.lcc --data train.csv\n";
    command("loo", "how well a model would predict each training row without it", examples)
        .args(options! {
            text "model" "M.lcc": "the model";
            text "data" "D.csv": "the training rows: each is predicted as if held out, by Pareto-smoothed \
                importance sampling (PSIS-LOO), and WAIC";
            text "than" "N.lcc": "another model of the same rows: the difference, M less N";
            text "target" "NAME": "the target column [the model's]";
            text "rows" "P.csv": "elpd,mcse,k,lpd,p_waic of each row under M";
            + unknown();
            + delimiter();
            + json();
        })
        .long_about(
            "elpd is the log predictive density of the rows, larger is better; p the effective number of parameters. \
             Where k is above the limit the row moves the posterior too much for its elpd to be relied on: keep more draws \
             (--keep), or hold rows out (lcc fit --split). Of classes it is of the posterior itself, before the \
             calibration of its probabilities.",
        )
}

fn estimate(asked: &Asked<'_>, path: &str) -> Result<LooOf, Fault> {
    let model = Saved::open(path)?;
    let rows = model.rows(asked, &Person::new(true))?;
    if let Some(columns) = &model.columns {
        let person = Person::new(true);
        if columns.notes().any(|(what, _)| what == "weights") {
            person.say(&format!(
                "{path}: was fitted to rows with weights, of which this knows nothing: do not trust it"
            ));
        } else if columns.trained_on(&rows) == Some(false) {
            person.say(&format!(
                "{path}: was fitted to other rows than those of {}: only of its own are these the scores without each",
                asked.data
            ));
        }
    }
    let temperature: f64 = model.image()?.temperature();
    if temperature != 1.0 {
        Person::new(true).say(&format!(
            "{path}: of the posterior at temperature 1; lcc predict has its probabilities at {temperature:.2}"
        ));
    }
    leave_one_out(&model.bytes, &rows)
}

fn write_model(json: &mut Json, path: &str, own: &LooOf) {
    let t = &own.total;
    json.put("model", path);
    json.put("draws", own.draws);
    members!(json, t => elpd elpd_error mcse p p_error elpd_waic elpd_waic_error p_waic p_waic_error);
    members!(json, t => k_max k_limit bad);
}

fn print_model(path: &str, own: &LooOf) {
    let (t, draws) = (&own.total, own.draws);
    outln!(
        "{path}: {} rows, {draws} draws: elpd {:.2} +- {:.2}, {:.2} effective parameters (WAIC {:.2} +- {:.2}, {:.2})",
        t.rows,
        t.elpd,
        t.elpd_error,
        t.p,
        t.elpd_waic,
        t.elpd_waic_error,
        t.p_waic
    );
    outln!(
        "  Pareto k at most {:.2}, above its limit {:.2} at {} of {} rows; Monte Carlo error {:.2}",
        t.k_max,
        t.k_limit,
        t.bad,
        t.rows,
        t.mcse
    );
}

/// Estimates it.
pub(crate) fn run(given: Given) -> Done {
    let model = given.text("model").ok_or_else(|| usage("loo: --model is missing"))?;
    let data = given.text("data").ok_or_else(|| usage("loo: --data is missing"))?;
    let asked = Asked {
        data,
        target: given.text("target"),
        delimiter: given.text("delimiter"),
        needed: Targets::Needed,
        unknown: super::predict::unknown_of(&given)?,
        ..Asked::default()
    };
    let paths: Vec<&str> = [Some(model), given.text("than")].into_iter().flatten().collect();
    let mut files = Outputs::beside(paths.iter().copied().chain([data]));
    let all = paths.iter().map(|path| estimate(&asked, path)).collect::<Result<Vec<_>, _>>()?;
    let apart = all.get(1).map(|other| difference(&all[0], other));
    files.open(&given, "rows json")?;
    files.put("rows", || {
        let numbers =
            |r: &LooRow<f64>| [r.elpd, r.mcse, r.k, r.lpd, r.p_waic].map(|v| general(v, DIGITS));
        let lines = all[0].rows.iter().map(|r| numbers(r).join(",") + "\n");
        format!("elpd,mcse,k,lpd,p_waic\n{}", lines.collect::<String>())
    });
    files.put("json", || {
        let mut json = Json::new(DIGITS);
        json.put("n", all[0].total.rows);
        let each = paths.iter().zip(&all);
        json.list("models", each, |json, (path, own)| write_model(json, path, own));
        if let Some((difference, error)) = apart {
            json.put("difference", difference);
            json.put("difference_error", error);
        }
        json.end()
    });
    if files.publish()? {
        paths.iter().zip(&all).for_each(|(path, own)| print_model(path, own));
        if let (Some((difference, error)), [a, b, ..]) = (apart, paths.as_slice()) {
            outln!("elpd of {a} less that of {b}: {difference:.2} +- {error:.2}");
        }
    }
    Ok(())
}
