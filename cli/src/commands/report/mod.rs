//! `lcc report`: a page on what a model has learnt, how good it is, and where it comes from.

mod classes;
mod inputs;
mod numbers;
mod page;
mod rows;

use super::predict::unknown_of;
use crate::args::{Given, command, delimiter, interval, text, unknown};
use crate::files::Outputs;
use crate::terminal::{Done, Person, usage};
use clap::Command;
use lcc_model::lcc_core::network::Output;
use lcc_model::report::Report;
use lcc_model::saved::{Asked, Saved};
use lcc_model::table::read_bytes;
use lcc_model::text::{checksum, general, short};
use page::{Page, number};

const MOST_COLUMNS: usize = 60;
const MOST_WORDS: usize = 8;
/// What a fit noted of its chains, and not again where the model comes from.
const OF_CHAINS: [&str; 3] = ["chains", "luck", "R-hat"];

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

/// A sentence on whether these rows are those that trained.
fn trained(r: &Report) -> &'static str {
    if r.is_training() {
        "These are the training rows of the model: others are predicted less well."
    } else {
        "If some of these rows trained the model, others are predicted less well."
    }
}

fn target_sd(r: &Report) -> f64 {
    r.rows.as_ref().map_or(0.0, |rows| rows.target_sd())
}

/// Rows of a table: what the fit noted in the model of its chains, or all else.
fn write_note(r: &Report, page: &mut Page, chains: bool) {
    for (what, value) in r.note().filter(|(what, _)| OF_CHAINS.contains(what) == chains) {
        let mut letters = what.chars();
        let first = letters.next().map_or(' ', |c| c.to_ascii_uppercase());
        page.fact(&format!("{first}{}", letters.as_str()), value);
    }
}

fn how_well(r: &Report) -> String {
    let (target, n) = (&r.columns.target.name, r.p.n);
    if !r.judged {
        let inputs = r.columns.inputs.len();
        return format!(
            "It predicts {target} from {inputs} inputs; how well is not known here, as no rows with measured values were \
             given."
        );
    }
    if let Some(scores) = &r.scores.classes {
        return format!(
            "It names the right {target} in {:.1} % of {n} rows.",
            100.0 * scores.accuracy
        );
    }
    let (error, sd) = (number(r.scores.rmse), number(target_sd(r)));
    format!(
        "It predicts {target} of {n} rows with a typical error of {error}, where their mean alone would err by {sd}."
    )
}

fn how_sure(r: &Report, draws: usize, output: Output) -> String {
    if !r.judged {
        return match draws {
            1 => "It is one network, which does not say how unsure it is of its function.".into(),
            _ => format!(
                "It is the average of {draws} networks, whose spread is the width of the bands below."
            ),
        };
    }
    let kind = if r.classes { "sets" } else { "intervals" };
    let held = r.scores.classes.as_ref().map_or(r.scores.coverage, |s| s.coverage);
    let level = r.p.level;
    let error = (level * (1.0 - level) / r.p.n.max(1) as f64).sqrt();
    let said = if held < level - 2.0 * error {
        "fewer than promised: it is too sure of itself here."
    } else if held <= level + 2.0 * error {
        "as promised."
    } else if r.classes {
        "more than promised, as sets of whole classes tend to."
    } else if matches!(output, Output::Poisson | Output::NegativeBinomial) {
        "more than promised, as intervals of whole numbers tend to."
    } else {
        "more than promised: it is more cautious than these rows ask for."
    };
    format!("Its {} % {kind} hold {:.1} % of them, {said}", short(100.0 * level), 100.0 * held)
}

/// Names of the inputs that matter about as much as the first, at most three.
fn what_matters(r: &Report) -> String {
    let ((most, idle), count) = (r.leaders(), r.order.len());
    let mut said = String::new();
    for (k, input) in r.order[..most].iter().enumerate() {
        said += if k == 0 {
            ""
        } else if k + 1 < most {
            ", "
        } else {
            " and "
        };
        said += &r.columns.inputs[*input].name;
    }
    said += if most == 1 { " moves it most" } else { " move it most" };
    if idle > 0 {
        let s = if idle == 1 { "s" } else { "" };
        said += &format!("; {idle} of its {count} inputs hardly matter{s}");
    }
    said + "."
}

fn write_columns(r: &Report, page: &mut Page) {
    page.section("Columns", None);
    page.table(&["Input", "Kind", "Least in training", "Mean", "Greatest"], |page| {
        for (k, c) in r.columns.inputs.iter().enumerate().take(MOST_COLUMNS) {
            let kind = match () {
                () if r.columns.is_exposure(k) => "exposure",
                () if c.is_words() => "categories",
                () => "number",
            };
            let kind = format!("{kind}{}", if c.indicator { ", may be missing" } else { "" });
            if !c.is_words() {
                let known = |value: f64| if c.has_range() { number(value) } else { String::new() };
                page.row(&[
                    c.name.clone(),
                    kind,
                    known(c.least),
                    number(c.fill[0]),
                    known(c.greatest),
                ]);
                continue;
            }
            let words: Vec<String> =
                c.levels.iter().take(MOST_WORDS).map(|w| w.chars().take(40).collect()).collect();
            page.raw("<tr><td>");
            page.say(&c.name);
            page.raw("</td><td>");
            page.say(&kind);
            page.raw("</td><td colspan=\"3\">");
            page.say(&words.join(", "));
            page.raw(if c.levels.len() > MOST_WORDS {
                ", ...</td></tr>\n"
            } else {
                "</td></tr>\n"
            });
        }
    });
    if r.columns.inputs.len() > MOST_COLUMNS {
        page.note(&format!("and {} more.", r.columns.inputs.len() - MOST_COLUMNS));
    }
}

fn write_provenance(r: &Report, data: Option<&str>, page: &mut Page) -> Done {
    let image = r.model.image()?;
    let shape = image.shape();
    let of_file = |path: &str, bytes: &[u8]| {
        format!("{path}, {} bytes, FNV-1a {:016x}", bytes.len(), checksum([bytes]))
    };
    let data = data.filter(|path| *path != "-");
    let data = data.map(|path| read_bytes(path).map(|bytes| of_file(path, &bytes))).transpose()?;
    page.section("Where this comes from", None);
    page.facts(|page| {
        page.fact("Model", &of_file(&r.model.path, &r.model.bytes));
        page.fact("Output", shape.output.name());
        page.fact("Units of hidden layers", &super::show::layers(&image));
        page.fact("Activation", image.activation().name());
        page.fact("Precision", &format!("{} bits", image.precision()));
        if shape.linearised {
            page.fact("Draws", "of the network linearised at the mode");
        }
        if r.classes {
            let temperature = general(image.temperature::<f32>().into(), 4);
            page.fact("Temperature of probabilities", &temperature);
        }
        let cost = image.values::<f64>(0).len() as f64 * image.draws() as f64;
        page.fact("Cost of a prediction", &format!("some {} multiplications", general(cost, 3)));
        if let Some(data) = &data {
            page.fact("Data", data);
        }
        write_note(r, page, false);
        page.fact("Written by", &format!("lcc {}", env!("CARGO_PKG_VERSION")));
    });
    Ok(())
}

fn write(r: &Report, data: Option<&str>) -> Result<String, crate::terminal::Stop> {
    let image = r.model.image()?;
    let mut page = Page::new(&format!("What was learnt of {}", r.columns.target.name));
    page.raw("<p class=\"by\">");
    page.say(&format!("Model {}", r.model.path));
    if let Some(data) = data {
        let rows = r.rows.as_ref().map_or(0, |rows| rows.n);
        page.say(&format!(", evaluated by {rows} rows of {data}"));
    }
    page.raw("</p>\n<div class=\"lead\">\n");
    page.paragraph(&how_well(r));
    page.paragraph(&how_sure(r, image.draws(), image.shape().output));
    page.paragraph(&what_matters(r));
    page.raw("</div>\n");
    if r.judged {
        if r.classes {
            classes::write(r, &mut page);
        } else {
            numbers::write(r, &mut page)?;
        }
        rows::write_drift(r, &mut page);
        rows::write_outliers(r, &mut page);
    }
    inputs::write(r, &mut page)?;
    rows::write_draws(r, &mut page)?;
    write_columns(r, &mut page);
    write_provenance(r, data, &mut page)?;
    Ok(page.end())
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
    let page = write(&report, data)?;
    files.put("o", || page);
    files.publish().map(drop)
}
