//! `lcc predict`: predictions of new rows, and their scores where the target is known.

use crate::args::{Given, command, delimiter, id, interval, json, named, options, seed, unknown};
use crate::files::Outputs;
use crate::json::Json;
use crate::tables;
use crate::terminal::{Done, Person, Stop, outln, usage};
use clap::Command;
use lcc_model::columns::{Missing, Outside, Targets, Unknown};
use lcc_model::fault::Fault;
use lcc_model::predict::{Predictions, further, predict};
use lcc_model::rows::Rows;
use lcc_model::saved::{Asked, Saved};
use lcc_model::score::{Evaluation, NoiseTrial, evaluate};
use lcc_model::table::{Blocks, Reading, Table};
use lcc_model::text::{real, short};
use lcc_model::watch::Watch;

const MOST_QUANTILES: usize = 64;
const MOST_DRAWS: u32 = 10_000;
/// Rows whose target is not known are read, predicted and written in blocks of about so many bytes: any number of them
/// takes the same memory. Scores need all rows at once.
const BLOCK: usize = 1 << 18;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc predict --model m.lcc --data new.csv --predictions p.csv\n  \
                    lcc predict --model m.lcc --data new.csv --id device,serial\n  \
                    lcc predict --model m.lcc --data - --quantiles .05,.5,.95 --draws 100\n";
    command("predict", "predictions of new rows", examples)
        .args(options! {
            text "model" "M.lcc": "the model";
            text "data" "X.csv": "the rows";
            text "target" "NAME": "a column that is not an input; rows where it is known are scored [the \
                model's]";
            text "predictions" "P.csv": "mean,sd,lower,upper (and y); of classes as lcc fit has it; then \
                row, of X from 1, and extrapolates, how many inputs are outside of the range of the training \
                data [standard output]";
            + id();
            text "missing" "refuse|mean|drop": "missing inputs, where no training row missed that input: \
                refused by name; or the mean of their column; or their rows get empty predictions, so that \
                there are as many as rows, and no scores [refuse]";
            + unknown();
            + delimiter();
            + interval();
            text "quantiles" "P,...": "columns q_P: quantiles of the predictive distribution, of numbers and \
                counts";
            count(1, MOST_DRAWS) "draws" "N": "columns draw_1, draw_2, ...: draws of the target from it, by \
                --seed";
            + seed();
            + json();
            switch "quiet": "for scripts that give it everywhere: there is no progress bar";
        })
        .long_about(
            "Columns are found by the names that the model learnt, whatever their order; others are left out, which is \
             said. A model without names (a C array, or one of an older lcc) takes them as they come.\n\nHow far outside of \
             the training data a row is, sd says: inputs that are each within their range may be far from all training rows \
             where they go together, and no distance made of ranges, means and sds sees it.",
        )
}

/// Of --unknown.
pub(crate) fn unknown_of(given: &Given) -> Result<Unknown, Fault> {
    let all = [("refuse", Unknown::Refuse), ("mean", Unknown::Mean)];
    named(given, "unknown", &all, Unknown::Refuse)
}

/// Of --missing.
pub(crate) fn missing_of(given: &Given) -> Result<Missing, Fault> {
    let all = [("refuse", Missing::Refuse), ("mean", Missing::Mean), ("drop", Missing::Drop)];
    named(given, "missing", &all, Missing::Refuse)
}

struct Asking<'a> {
    rows: Asked<'a>,
    interval: f64,
    levels: Vec<f64>,
    draws: usize,
    seed: u64,
    names: Vec<String>,
}

/// What there is to say in the end.
#[derive(Default)]
struct Told {
    n: usize,
    d: usize,
    /// Rows without a prediction, and predicted rows whose target is missing where others have one.
    empty: usize,
    open: usize,
    digits: usize,
    outside: Outside,
    scores: Option<Evaluation>,
}

/// The probabilities of --quantiles.
fn levels(given: Option<&str>) -> Result<Vec<f64>, Stop> {
    let Some(text) = given else { return Ok(Vec::new()) };
    let own = |t: &str| real(t).filter(|p| *p > 0.0 && *p < 1.0);
    let levels: Option<Vec<f64>> = text.split(',').map(own).collect();
    let wrong = || {
        usage(format!(
            "--quantiles takes up to {MOST_QUANTILES} probabilities between 0 and 1, as .05,.5,.95, not \"{text}\""
        ))
    };
    levels.filter(|l| l.len() <= MOST_QUANTILES).ok_or_else(wrong)
}

/// Scores of rows whose target is known, and of a model of classes on noise.
fn score(model: &Saved, rows: &Rows, p: &Predictions) -> Result<Evaluation, Fault> {
    let mut scores = evaluate(p, rows.targets());
    if p.classes > 0 {
        scores.noise = Some(NoiseTrial::run(&model.bytes, None, rows, rows, p, 1)?.facts);
    }
    Ok(scores)
}

/// Predictions, and scores of those rows whose target is known.
fn predicted(
    asking: &Asking<'_>,
    model: &Saved,
    rows: &Rows,
    told: &mut Told,
) -> Result<Predictions, Fault> {
    let known = rows.known(rows.n);
    let said = predict(&model.bytes, &rows.some(&known), asking.interval)?;
    told.scores = Some(score(model, &rows.some(&known), &said)?);
    told.open = rows.n - known.len();
    match told.open {
        0 => Ok(said),
        _ => predict(&model.bytes, &Rows { y: None, ..rows.clone() }, asking.interval),
    }
}

/// The rows of one table, predicted and written.
fn block(
    asking: &Asking<'_>,
    model: &Saved,
    table: Table,
    files: &mut Outputs,
    told: &mut Told,
    person: &Person,
) -> Done {
    let mut rows = model.encode(&asking.rows, table, &mut told.outside, person)?;
    let known = rows.targets().iter().any(|y| !y.is_nan());
    if !known && rows.y.take().is_some() {
        told.open = rows.n;
    }
    let mut p = match known {
        true => predicted(asking, model, &rows, told)?,
        false => predict(&model.bytes, &rows, asking.interval)?,
    };
    if !asking.names.is_empty() {
        if p.classes > 0 {
            let what = "predict: --quantiles and --draws are of numbers, the model is of classes";
            return Err(usage(what));
        }
        if rows.n > 0 {
            p.more = further(&model.bytes, &rows, &asking.levels, asking.draws, asking.seed)?;
        }
        p.more_names.clone_from(&asking.names);
    }
    told.n += rows.n;
    told.empty += rows.table.rows() - rows.n;
    (told.d, told.digits) = (rows.d, p.digits.max(told.digits));
    let target = model.columns.as_ref().map(|c| &c.target);
    files.put("predictions", || tables::predictions(&p, target, &rows, rows.table.rows()));
    Ok(())
}

/// Predicts.
pub(crate) fn run(given: Given) -> Done {
    let path = given.text("model").ok_or_else(|| usage("predict: --model is missing"))?;
    let data = given.text("data").ok_or_else(|| usage("predict: --data is missing"))?;
    let delimiter = given.text("delimiter");
    let unknown = unknown_of(&given)?;
    let missing = missing_of(&given)?;
    let (target, needed) = (given.text("target"), Targets::Any);
    let rows = Asked { data, target, delimiter, needed, unknown, missing };
    let levels = levels(given.text("quantiles"))?;
    let draws = given.count("draws").unwrap_or(0) as usize;
    let quantiles = given.text("quantiles").into_iter().flat_map(|q| q.split(','));
    let names = quantiles.map(|q| format!("q_{q}"));
    let names = names.chain((1..=draws).map(|k| format!("draw_{k}"))).collect();
    let interval = given.real("interval").unwrap_or(0.9);
    let asking = Asking { rows, interval, levels, draws, seed: given.seed(), names };

    let model = Saved::open(path)?;
    let mut files = Outputs::beside([data, path]);
    files.open(&given, "predictions json")?;
    if !files.has("predictions") && files.is_free() {
        files.add("predictions", "-")?;
    }
    let person = Person::new(true);
    let mut told = Told::default();
    let inputs = model.columns.iter().flat_map(|c| &c.inputs).map(|c| c.name.as_str());
    let beside: Vec<&str> = inputs.chain([model.target(&asking.rows)]).collect();
    let how = Reading { delimiter, id: given.text("id"), beside: &beside, ..Reading::default() };
    let mut source = Blocks::open(data)?;
    let whole = source.has(&how, model.target(&asking.rows))?;
    let bytes = if whole { usize::MAX } else { BLOCK };
    while let Some(table) = source.next(&how, bytes, &person)? {
        block(&asking, &model, table, &mut files, &mut told, &person)?;
    }
    if let Some(columns) = &model.columns {
        told.outside.say(columns, &source.path, &person);
    }
    let all = told.n + told.empty;
    for (count, what) in [
        (told.empty, "miss an input: their predictions are left empty"),
        (
            told.open,
            "have no target, or a class that was not learnt: they are predicted and not scored",
        ),
    ] {
        if count > 0 {
            person.say(&format!("{}: {count} of {all} rows {what}", source.path));
        }
    }
    files.put("json", || {
        let mut json = Json::new(told.digits);
        json.put("n", told.n);
        json.put("d", told.d);
        json.put("interval", asking.interval);
        if told.empty > 0 {
            json.put("empty_rows", told.empty);
        }
        if told.outside.of > 0 {
            json.put("extrapolated_rows", told.outside.rows);
        }
        super::fit::write_test(&mut json, told.scores.as_ref(), None);
        json.end()
    });
    let free = files.publish()?;
    if let Some(scores) = told.scores.filter(|_| free) {
        if scores.classes.is_some() {
            super::fit::print_evaluation("", &scores, asking.interval);
        } else {
            outln!(
                "{} rows: RMSE {}, mean log density {:.4}, {} % intervals hold {:.1} %, mean width {}",
                scores.n,
                super::fit::rmse(scores.rmse),
                scores.log_likelihood,
                short(100.0 * asking.interval),
                100.0 * scores.coverage,
                short(scores.width)
            );
        }
    }
    Ok(())
}
