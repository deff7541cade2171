//! `lcc report`: a page on what a model has learnt, how good it is, and where it comes from.

use super::predict::unknown_of;
use crate::args::{Given, command, delimiter, interval, text, unknown};
use crate::files::Outputs;
use crate::terminal::{Done, Person, usage};
use clap::Command;
use lcc_model::report::Report;
use lcc_model::saved::{Asked, Saved};
use lcc_model::table::read_bytes;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc report --model m.lcc --data test.csv -o report.html\n";
    command("report", "a page on what a model has learnt and how good it is", examples)
        .arg(text("model", "M.lcc", "the model"))
        .arg(text("data", "D.csv", "rows to evaluate it by; without, what the model alone says"))
        .arg(text("o", "R.html", "the page: one file, without scripts [report.html]").long(None).short('o'))
        .arg(text("target", "NAME", "the target column [the model's]"))
        .arg(interval())
        .arg(unknown())
        .arg(delimiter())
        .long_about(
            "What was learnt in three sentences; predicted against measured; calibration; which inputs matter, and what the \
             model makes of each; residuals, the rows it predicts worst; for classes their confusion, and how sure it is of \
             rows and of noise; the draws of each chain; what the fit noted in the model: options, seed, a checksum of the \
             training rows.\n\nThe training rows flatter it: give others (lcc fit --split, --test).",
        )
}

/// Writes the page.
pub(crate) fn run(given: Given) -> Done {
    let path = given.text("model").ok_or_else(|| usage("report: --model is missing"))?;
    let (data, unknown) = (given.text("data"), unknown_of(&given)?);
    let (delimiter, target) = (given.text("delimiter"), given.text("target"));
    let asked = data.map(|data| Asked { data, target, delimiter, unknown, ..Asked::default() });
    let mut files = Outputs::beside(data.into_iter().chain([path]));
    let model = Saved::open(path)?;
    let person = Person::new(true);
    let level = given.real("interval").unwrap_or(0.9);
    let report = Report::of(model, asked.as_ref(), level, &person)?;
    files.add("o", given.text("o").unwrap_or("report.html"))?;
    let own = data.filter(|path| *path != "-").map(read_bytes).transpose()?;
    let page = report.page(data, own.as_deref())?;
    files.put("o", || page);
    files.publish().map(drop)
}
