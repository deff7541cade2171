//! `lcc show`: what a model holds.

use crate::args::{Given, command, json, word};
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, out, outln, usage};
use clap::Command;
use lcc_model::columns::Column;
use lcc_model::lcc_core::network::Output;
use lcc_model::lcc_core::posterior::Image;
use lcc_model::report::page::layers;
use lcc_model::saved::Saved;
use lcc_model::text::{checksum, general, short};

/// Its options.
pub(crate) fn options() -> Command {
    command("show", "what a model holds", "  lcc show m.lcc --json -\n")
        .arg(word("MODEL", "the file"))
        .arg(json())
        .long_about(
            "What a model predicts and from which columns, with the range of the training data; its network, its draws \
             and the checksum (FNV-1a of 64 bits) of the file; and how it was fitted: method, options, seed, luck, R-hat, \
             and a checksum of the training rows, as numbers in their order.",
        )
}

fn kind(output: Output) -> &'static str {
    match output {
        own if own.is_class() => "classes",
        Output::Poisson | Output::NegativeBinomial => "counts",
        _ => "numbers",
    }
}

fn write_column(json: &mut Json, c: &Column) {
    json.put("name", &c.name);
    json.put("kind", if c.is_words() { "words" } else { "number" });
    if c.is_words() {
        json.list("words", &c.levels, |json, level| json.put("word", level));
    } else if c.has_range() {
        members!(json, c => least greatest);
    }
}

/// Lines of a note: what, and a value.
pub(crate) fn note(model: &Saved) -> impl Iterator<Item = (&str, &str)> {
    let note = model.columns.as_ref().and_then(|c| c.note.as_deref()).unwrap_or("");
    note.lines().map(|line| line.split_once('\t').unwrap_or((line, "")))
}

fn write_json(model: &Saved, image: &Image<'_>) -> Vec<u8> {
    let shape = image.shape();
    let mut json = Json::new(17);
    json.put("bytes", model.bytes.len());
    json.put("checksum", format!("{:016x}", checksum([model.bytes.as_slice()])));
    json.put("kind", kind(shape.output));
    json.put("output", shape.output.name());
    json.put("layers", layers(image));
    json.put("activation", image.activation().name());
    json.put("precision", image.precision());
    json.put("draws", image.draws());
    json.put("linearised", shape.linearised);
    json.put("values", image.values::<f64>(0).len());
    json.put("inputs", image.inputs());
    json.put("categories", usize::from(shape.categories).max(shape.classes()));
    json.put("temperature", f64::from(image.temperature::<f32>()));
    match &model.columns {
        None => json.null("columns"),
        Some(columns) => {
            json.object("target", |json| write_column(json, &columns.target));
            json.list("columns", columns.inputs.iter().enumerate(), |json, (k, c)| {
                write_column(json, c);
                json.put("may_be_missing", c.indicator);
                json.put("exposure", columns.is_exposure(k));
            });
        }
    }
    json.object("fit", |json| note(model).for_each(|(what, value)| json.put(what, value)));
    json.end()
}

fn words(c: &Column) -> String {
    let some: Vec<&str> = c.levels.iter().take(6).map(String::as_str).collect();
    format!("{}{}", some.join(", "), if c.levels.len() > 6 { ", ..." } else { "" })
}

fn print(model: &Saved, image: &Image<'_>) {
    let shape = image.shape();
    let sum = checksum([model.bytes.as_slice()]);
    outln!("model       {}: {} bytes, FNV-1a {sum:016x}", model.path, model.bytes.len());
    let target = model.columns.as_ref().map(|c| &c.target);
    let name = target.map_or("y", |t| &t.name);
    outln!("predicts    {name}: {}, by {}", kind(shape.output), shape.output.name());
    if let Some(target) = target.filter(|t| t.is_words()) {
        outln!("            {}", words(target));
    }
    outln!(
        "network     hidden layers of {}; {}, {} values, f{}",
        layers(image),
        image.activation().name(),
        image.values::<f64>(0).len(),
        image.precision()
    );
    let linear = if shape.linearised { ", of the network linearised at the mode" } else { "" };
    outln!("draws       {}{linear}", image.draws());
    if shape.is_class() {
        outln!("temperature {}", general(image.temperature::<f32>().into(), 4));
    }
    note(model).for_each(|(what, value)| outln!("{what:<11} {value}"));
    let Some(columns) = &model.columns else {
        outln!("inputs      {}, without names: as they come", image.inputs());
        return;
    };
    for (k, c) in columns.inputs.iter().enumerate() {
        let at = columns.place(k);
        let [centre, unit] = [image.mean_x::<f64>(at), image.sd_x(at)];
        out!("{}{:<20} ", if k == 0 { "inputs      " } else { "            " }, c.name);
        out!("{}", if c.indicator { "or missing: " } else { "" });
        if c.is_words() {
            outln!("{}", words(c));
        } else if c.has_range() {
            out!("{} to {}", short(c.least), short(c.greatest));
            // A line between its quartiles, a logarithm beyond.
            match unit < 0.0 {
                true => outln!(", as asinh((x - {}) / {})", general(centre, 4), general(-unit, 4)),
                false => outln!(""),
            }
        } else {
            outln!("a number");
        }
    }
}

/// Shows it.
pub(crate) fn run(given: Given) -> Done {
    let path = given.text("MODEL").ok_or_else(|| usage("show: a model is missing"))?;
    let model = Saved::open(path)?;
    let image = model.image()?;
    let mut files = Outputs::beside([path]);
    files.open(&given, "json")?;
    files.put("json", || write_json(&model, &image));
    if files.publish()? {
        print(&model, &image);
    }
    Ok(())
}
