//! The report as a page, which hosts write to a file or show.

mod classes;
mod html;
mod inputs;
mod numbers;
mod rows;
mod ticks;

pub use ticks::{DIGIT, longest, ticks, ticks_across};

use super::Report;
use crate::fault::Fault;
use crate::text::{checksum, general, short};
use html::{Page, number};
use lcc_core::network::Output;
use lcc_core::posterior::Image;

type Done = Result<(), Fault>;

const MOST_COLUMNS: usize = 60;
const MOST_WORDS: usize = 8;
/// What a fit noted of its chains, and not again where the model comes from.
const OF_CHAINS: [&str; 3] = ["chains", "luck", "R-hat"];
/// Bins of [`bins`].
pub const BINS: usize = 20;

/// What a page looks like, by its classes. Contrast of text on its ground: at least 6.3 in light, 8.5 in dark. Print is
/// light.
pub const STYLE: &str = include_str!("style.css");

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
    } else if output.is_counts() {
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

fn write_provenance(r: &Report, data: Option<(&str, &[u8])>, page: &mut Page) -> Done {
    let image = r.model.image()?;
    let shape = image.shape();
    let of_file = |path: &str, bytes: &[u8]| {
        format!("{path}, {} bytes, FNV-1a {:016x}", bytes.len(), checksum([bytes]))
    };
    let data = data.map(|(path, bytes)| of_file(path, bytes));
    page.section("Where this comes from", None);
    page.facts(|page| {
        page.fact("Model", &of_file(&r.model.path, &r.model.bytes));
        page.fact("Output", shape.output.name());
        page.fact("Units of hidden layers", &layers(&image));
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

/// The units of the hidden layers, as "20, 10" or "none".
pub fn layers(image: &Image<'_>) -> String {
    let widths = image.shape().architecture.widths;
    let own: Vec<String> = widths.iter().take_while(|w| **w > 0).map(u32::to_string).collect();
    if own.is_empty() { "none".into() } else { own.join(", ") }
}

/// A text in SVG or HTML, or in an attribute of either.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The shares of largest probabilities in bins from `least` to 1.
pub fn bins(top: &[f64], least: f64) -> [f64; BINS] {
    let mut share = [0.0; BINS];
    for p in top {
        let at = (p - least) / (1.0 - least) * BINS as f64;
        share[(at.max(0.0) as usize).min(BINS - 1)] += 1.0 / top.len() as f64;
    }
    share
}

impl Report {
    fn title(&self) -> String {
        format!("What was learnt of {}", self.columns.target.name)
    }

    /// All of it as one file of HTML, without scripts and without anything from elsewhere. `data` is what the rows are called,
    /// `bytes` those of their file, where it is named with its checksum.
    pub fn page(&self, data: Option<&str>, bytes: Option<&[u8]>) -> Result<String, Fault> {
        Ok(html::whole(&self.title(), &self.body(data, bytes)?))
    }

    /// What stands in its body, for a page that has [`STYLE`].
    pub fn body(&self, data: Option<&str>, bytes: Option<&[u8]>) -> Result<String, Fault> {
        let image = self.model.image()?;
        let mut page = Page::default();
        page.raw("<h1>");
        page.say(&self.title());
        page.raw("</h1>\n<p class=\"by\">");
        page.say(&format!("Model {}", self.model.path));
        if let Some(data) = data {
            let rows = self.rows.as_ref().map_or(0, |rows| rows.n);
            page.say(&format!(", evaluated by {rows} rows of {data}"));
        }
        page.raw("</p>\n<div class=\"lead\">\n");
        page.paragraph(&how_well(self));
        page.paragraph(&how_sure(self, image.draws(), image.shape().output));
        page.paragraph(&what_matters(self));
        page.raw("</div>\n");
        if self.judged {
            if self.classes {
                classes::write(self, &mut page);
            } else {
                numbers::write(self, &mut page)?;
            }
            rows::write_drift(self, &mut page);
            rows::write_outliers(self, &mut page);
        }
        inputs::write(self, &mut page)?;
        rows::write_draws(self, &mut page)?;
        write_columns(self, &mut page);
        write_provenance(self, data.zip(bytes), &mut page)?;
        Ok(page.0)
    }
}
