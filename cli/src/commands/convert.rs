//! `lcc convert`: a model as C source, JSON or ONNX, and with fewer draws.

use crate::args::{Given, command, options, text, word};
use crate::files::Outputs;
use crate::json::Json;
use crate::tables::c_array;
use crate::terminal::{Done, Person, Stop, failed, usage};
use clap::Command;
use lcc_model::columns::{Missing, Unknown};
use lcc_model::convert::Parts;
use lcc_model::lcc_core::network::Output;
use lcc_model::lcc_core::posterior::{BENT_UNIT, line_until};
use lcc_model::predict::thin;
use lcc_model::saved::{Asked, Saved};
use lcc_model::text::{choose, general};
use lcc_model::watch::Watch;

#[derive(Clone, Copy)]
enum Form {
    C,
    Json,
    Onnx,
    Model,
}

const LONG: &str = "\
JSON: output, activation, temperature; inputs[], the columns of a row, with what each is, the
mean and sd that standardise it and what a missing cell counts for; target, with mean and sd; and
draws[], each of layers[] (weights, unit by unit, and biases), then the outputs' weights, output
by output, intercepts, and direct weights on the inputs (none: empty). Of one draw
  z = (x - mean)/sd      of every input but an exposure
  z = bent asinh(z)      of an input with that number
  z = +-(line + asinh(|z| - line))   of an input with that number, where |z| is above it
  a = psi(weights z + biases), then psi(weights a + biases), layer by layer
  o = intercepts + weights a + direct z
psi is the activation: lcc.h says of which formula. Then y is, by output,
  student-t, gaussian    target.mean + target.sd (o + sigma t_nu), nu null: Gaussian
  mean-variance          the same of o1 in place of o, variance exp(o2) + floor^2,
                         floor of the target
  mixture                of K parts: softmax(o1..oK), means, logarithms of variances
  log-normal             exp of mean-variance, in units of the target its sd is 4 at most, and
                         3 target.sd
  gamma                  Gamma of mean exp(target.mean + o1), variance mean^2 (exp(o2) + floor^2)
  hurdle-...             0 with 1/(1 + exp(o1)), else one of the last two by o2, o3
  poisson, negative-binomial     of mean exp(o) times the exposure (and size)
  bernoulli              1 with 1/(1 + exp(-o))
  softmax                softmax(o); where reference is 1 the first class has o = 0
  ordinal                at most class k with 1/(1 + exp(o - thresholds[k]))
The law is the mean over draws; of classes to the power 1/temperature, divided by its sum.

ONNX: x (rows by columns, as in JSON inputs[]) to mean, or of classes to probabilities, in the
model's own precision; some runtimes lack softplus, erf and arctan in double (fit with --precision
f32). Not of mixture, ordinal, log-normal, gamma and those with a hurdle.

Fewer draws: bytes and time of a prediction fall with --draws. Those draws are kept whose mean
predictive distribution is nearest to that of all draws. The nearness is measured at rows of
--data, of which 256 are used; else at 256 random rows, with inputs independent and normal by the
model's means and sds. Rows like those to be predicted are best; where the model fits its training
rows almost exactly, rows that were not in training.";

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc convert m.lcc --to json -o m.json\n  lcc convert m.lcc --to onnx -o m.onnx\n  \
                    lcc convert m.lcc --draws 32 --data new.csv -o small.lcc\n";
    command("convert", "a model as C source, JSON or ONNX, or with fewer draws", examples)
        .arg(word("MODEL", "the file"))
        .args(options! {
            text "to" "c|json|onnx|lcc": "C source without its columns (lcc fit --c-array), every number of every draw, the \
                graph (opset 13) of the mean of the posterior predictive law, or a model [lcc with --draws]";
            count(1, u32::MAX) "draws" "K": "keep K draws, which predict most nearly as all do";
            text "data" "X.csv": "rows at which the draws are chosen [random ones]";
            + text("o", "OUT", "the file (- for standard output)").long(None).short('o');
        })
        .long_about(LONG)
}

fn write_input(json: &mut Json, p: &Parts, k: usize) {
    let input = p.input(k);
    let is = match input.word {
        _ if k >= p.inputs => "exposure",
        Some(_) => "1 where it is this word, else 0",
        None if input.missing => "1 where it is missing, else 0",
        None => "number",
    };
    json.put("name", input.column.map_or_else(|| p.name(k), |c| c.name.clone()));
    if let Some(word) = input.word {
        json.put("word", word);
    }
    json.put("is", is);
    json.put("mean", p.mean[k]);
    json.put("sd", p.sd[k].abs());
    if p.sd[k] < 0.0 {
        json.put("bent", BENT_UNIT);
    }
    let line = line_until(p.mean[k], p.sd[k]);
    if k < p.inputs && line.is_finite() {
        json.put("line", line);
    }
    if input.column.is_some() {
        json.put("missing", input.fill);
    }
}

fn write_draw(json: &mut Json, p: &Parts, draw: &[f64]) {
    json.list("layers", (0..p.depth).map(|l| p.layer(l)), |json, l| {
        json.put("weights", &draw[l.at..l.biases()]);
        json.put("biases", &draw[l.biases()..l.end()]);
    });
    let last = p.layer(p.depth);
    json.put("weights", &draw[last.at..last.biases()]);
    json.put("intercepts", &draw[last.biases()..last.end()]);
    let (direct, tail) = draw[last.end()..].split_at(p.outputs * p.direct());
    json.put("direct", direct);
    match p.shape.output {
        Output::Ordinal => json.put("thresholds", &tail[..p.tail()]),
        _ if p.tail() > 0 => {
            json.put(if p.tail() == 2 { "sigma" } else { "size" }, tail[0]);
            if p.tail() == 2 {
                json.put("nu", tail[1]);
            }
        }
        _ => {}
    }
}

fn to_json(p: &Parts) -> Vec<u8> {
    let (d, class) = (p.shape.inputs(), p.shape.is_class());
    let mut json = Json::new(if p.precision == 32 { 9 } else { 17 });
    json.put("output", p.shape.output.name());
    json.put("activation", p.shape.activation.name());
    json.put("outputs", p.outputs);
    json.put("reference", p.shape.reference);
    json.put("temperature", if class { p.sd[d] } else { 1.0 });
    json.list("inputs", 0..p.shape.inputs(), |json, k| write_input(json, p, k));
    json.object("target", |json| {
        let target = p.columns.as_ref().map(|c| &c.target);
        json.put("name", target.map_or("y", |t| &t.name));
        json.put("mean", p.mean[d]);
        json.put("sd", if class { 1.0 } else { p.sd[d] });
        if p.floor > 0.0 {
            json.put("floor", p.floor);
        }
        if let Some(target) = target.filter(|t| t.is_words()) {
            json.list("classes", &target.levels, |json, level| json.put("word", level));
        }
    });
    json.list("draws", &p.draws, |json, draw| write_draw(json, p, draw));
    json.end()
}

/// The model of so many of its draws; what is lost is said.
fn thinned(given: &Given, model: Saved, draws: usize) -> Result<Saved, Stop> {
    let (person, path, all) = (Person::new(true), &model.path, model.image()?.draws());
    if draws > all {
        return Err(failed(format!("--draws {draws}: {path} has {all} draws")));
    }
    let data = given.text("data");
    let (missing, unknown) = (Missing::Drop, Unknown::Mean);
    let asked = |data| Asked { data, missing, unknown, ..Asked::default() };
    let rows = data.map(|data| model.rows(&asked(data), &person)).transpose()?;
    let (bytes, lost) = thin(&model.bytes, draws, rows.as_ref())?;
    let [rms, largest] = [lost.rms, lost.largest].map(|p| general(p, 2));
    let at = data
        .map_or("at random rows (--data takes yours)".into(), |data| format!("at rows of {data}"));
    person.say(&format!(
        "{path}: {draws} of {all} draws kept: predicted probabilities differ by {rms} (root mean square), at most by {largest}, {at}"
    ));
    Ok(Saved { bytes, ..model })
}

/// Converts.
pub(crate) fn run(given: Given) -> Done {
    let draws = given.count("draws").map(|draws| draws as usize);
    let (model, to, out) = (given.text("MODEL"), given.text("to"), given.text("o"));
    let to = to.or(draws.map(|_| "lcc"));
    let (Some(model), Some(to), Some(out)) = (model, to, out) else {
        let all = [(model, "a model"), (to, "--to"), (out, "-o")];
        let missing: Vec<&str> =
            all.iter().filter(|(given, _)| given.is_none()).map(|(_, name)| *name).collect();
        return Err(usage(format!("convert: {} is missing", missing[0])));
    };
    if draws.is_none() && given.has("data") {
        return Err(usage("convert: --data chooses draws: --draws is missing"));
    }
    let forms = [("c", Form::C), ("json", Form::Json), ("onnx", Form::Onnx), ("lcc", Form::Model)];
    let form = choose("--to", to, &forms)?;
    let mut files = Outputs::beside([model].into_iter().chain(given.text("data")));
    let mut saved = Saved::open(model)?;
    let linearised = saved.image()?.shape().linearised;
    if linearised && matches!(form, Form::Json | Form::Onnx) {
        let form = if matches!(form, Form::Json) { "JSON of networks" } else { "ONNX" };
        return Err(failed(format!(
            "{model}: its draws are of a network that is linearised at the mode, which {form} does not express: fit it \
             with --sampled"
        )));
    }
    if let Some(draws) = draws {
        saved = thinned(&given, saved, draws)?;
    }
    let bytes = match form {
        Form::C => c_array(out, &saved.bare()?).into_bytes(),
        Form::Json => to_json(&Parts::of(saved)?),
        Form::Onnx => Parts::of(saved)?.to_onnx()?,
        Form::Model => saved.bytes,
    };
    files.add("o", out)?;
    files.put("o", || bytes);
    files.publish().map(drop)
}
