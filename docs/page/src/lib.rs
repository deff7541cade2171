//! What the page runs in its worker: `lcc fit` and `lcc report` over bytes in place of files. Everything is decided in
//! lcc-model, so that the bytes of a model are those of the command line.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

#[cfg(feature = "bits")]
mod golden;
#[cfg(feature = "bits")]
use golden as posteriors;

use lcc_model::Method;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::sampler::SamplerOptions;
use lcc_model::lcc_core::simd::Isa;
use lcc_model::report::Report;
use lcc_model::saved::Saved;
use lcc_model::study::{Held, Request, Sources, fit_and_judge};
use lcc_model::table::{Reading, Table, check_size, parse};
use lcc_model::watch::{Silent, Watch};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    // Of worker.js.
    fn say(text: &str);
    fn progress(share: f64, what: &str);
    fn stopped() -> bool;
}

/// Who looks at the page.
struct Reader;

impl Watch for Reader {
    fn say(&self, text: &str) {
        say(text);
    }
    fn progress(&self, share: f64, what: &str) {
        progress(share, what);
    }
    fn stopped(&self) -> bool {
        stopped()
    }
}

fn sentences(fault: Fault) -> String {
    fault.to_string()
}

/// The instructions that chains run on here, and how many advance in lock-step.
#[wasm_bindgen]
pub fn lanes() -> String {
    format!("{}, blocks of {} chains", Isa::detect().name(), SamplerOptions::<f64>::default().lanes)
}

/// Every line of `tests/golden/bits.txt` as it is drawn here.
#[cfg(feature = "bits")]
#[wasm_bindgen]
pub fn bits() -> Vec<String> {
    golden::all(Isa::detect())
}

/// The methods of the network, by their names for `--method`.
#[wasm_bindgen]
pub fn methods() -> Vec<String> {
    Method::ALL.iter().map(|own| own.name().to_string()).collect()
}

/// Refuses a file that is too large, before it is read.
#[wasm_bindgen]
pub fn size(name: &str, bytes: f64) -> Result<(), String> {
    check_size(name, bytes as u64).map_err(sentences)
}

/// What a table has. `name` is the file's, for messages.
#[wasm_bindgen]
pub fn columns(name: &str, bytes: &[u8]) -> Result<Columns, String> {
    parse(name, bytes, &Reading::default(), &Silent).map(Columns).map_err(sentences)
}

/// A table's columns.
#[wasm_bindgen]
pub struct Columns(Table);

#[wasm_bindgen]
impl Columns {
    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.0.names.clone()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }
}

/// A model, and the report on it.
#[wasm_bindgen]
pub struct Fitted {
    report: Report,
    rows: String,
    command: String,
    stopped: bool,
}

/// Fits a table. `drop` names the columns that are left out, by commas; `share` of its rows are held out as test rows; 0: none. `None` where the fit was stopped before there was
/// a model.
#[wasm_bindgen]
pub fn fit(
    name: &str,
    bytes: &[u8],
    target: &str,
    drop: &str,
    method: &str,
    share: f64,
    seed: u64,
) -> Result<Option<Fitted>, String> {
    let method = Method::from_name(method).ok_or("no such method")?;
    let mut request = Request { target: target.into(), ..Request::of(name, method) };
    request.settings.options.seed = seed;
    request.drop = Some(drop.to_string()).filter(|drop| !drop.is_empty());
    request.held = if share > 0.0 { Held::Share(share) } else { Held::None };
    let model = format!("{}.lcc", name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    let command = command(&request, share, &model);
    fitted(request, bytes, model, command).map_err(sentences)
}

fn fitted(
    mut request: Request,
    bytes: &[u8],
    model: String,
    command: String,
) -> Result<Option<Fitted>, Fault> {
    let sources = Sources::of(&request, bytes, &Reader)?;
    let mut learned = sources.learn(&mut request, None, &Reader)?;
    let Some(out) = fit_and_judge(&mut request, &sources, &mut learned, None, &Reader)? else {
        return Ok(None);
    };
    let saved = Saved::from_bytes(&model, out.fit.model.unwrap_or_default())?;
    let (rows, kind) = match learned.test {
        Some(test) => (test, "test rows"),
        None => (learned.train, "training rows"),
    };
    let report = Report::of_rows(saved, Some(&request.target), Some(rows), request.interval)?;
    let rows = format!("the {kind} of {}", request.data);
    Ok(Some(Fitted { report, rows, command, stopped: out.fit.interrupted }))
}

/// The command that makes the same bytes.
fn command(request: &Request, share: f64, model: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let word = |text: &str| match !text.is_empty() && text.chars().all(bare) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    };
    let (data, target) = (word(&request.data), word(&request.target));
    let (method, seed) = (&request.method_name, request.seed());
    let drop = request.drop.as_ref().map_or(String::new(), |own| format!(" --drop {}", word(own)));
    let held = if share > 0.0 { format!(" --test-share {share}") } else { String::new() };
    let model = word(model);
    format!(
        "lcc fit --data {data} --target {target}{drop} --method {method} --seed {seed}{held} --model {model}"
    )
}

#[wasm_bindgen]
impl Fitted {
    /// The model's file.
    pub fn model(&self) -> Vec<u8> {
        self.report.model.bytes.clone()
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.report.model.path.clone()
    }

    /// The report, for a page that has its style.
    pub fn body(&self) -> Result<String, String> {
        self.report.body(Some(&self.rows), None).map_err(sentences)
    }

    /// The report, as `lcc report` writes it.
    pub fn page(&self) -> Result<String, String> {
        self.report.page(Some(&self.rows), None).map_err(sentences)
    }

    /// The command of the same model.
    pub fn command(&self) -> String {
        self.command.clone()
    }

    /// Whether the fit was stopped, so that the model holds what was drawn until then.
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}
