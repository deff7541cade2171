//! `lcc demo`: a fit of data that come with the program, for who has none at hand.

use super::fit::{self, Asked};
use crate::args::{Given, command, count, seed, switch, text};
use crate::draw::{Words, agreement};
use crate::files::Outputs;
use crate::tables;
use crate::terminal::{self, Done, Person, Stop, failed, outln, warn};
use clap::Command;
use lcc_model::fault::Fault;
use lcc_model::network::Fit;
use lcc_model::predict::{Predictions, predict};
use lcc_model::rows::{Picked, Rows};
use lcc_model::saved::attach;
use lcc_model::score::{Evaluation, LuckAt, evaluate, luck_at};
use lcc_model::splits;
use lcc_model::study::{Learned, Sources};
use lcc_model::table::{Reading, parse};
use std::path::Path;
use std::sync::Arc;

const CSV: &[u8] = include_bytes!("../../data/gas_turbine_nox.csv");
const SPLITS: &[u8] = include_bytes!("../../data/gas_turbine_nox.json");
const LEVEL: f64 = 0.9;
const NEURONS: u32 = 20;
const MOST: u32 = 1_000_000_000;

/// Its options, those of a fit among them.
pub(crate) fn options() -> Command {
    command("demo", "what lcc shows without arguments", "  lcc demo --out results --seed 2\n")
        .arg(text("out", "FOLDER", "where the results go [out]"))
        .arg(count("neurons", "M", "hidden units", (1, 1_000_000)))
        .arg(count("chains", "C", "as for lcc fit", (1, 4096)))
        .arg(count("warmup", "W", "as for lcc fit", (0, MOST)))
        .arg(count("draws", "N", "as for lcc fit", (1, MOST)))
        .arg(count("keep", "K", "as for lcc fit", (1, MOST)))
        .arg(seed())
        .arg(switch("quiet", "no progress bar"))
}

/// The same as flags of `lcc fit`.
fn asked_of(given: &Given, neurons: u32) -> Result<Asked, Stop> {
    let mut words = ["fit", "--data", "gas_turbine_nox.csv", "--output", "student-t", "--layers"]
        .map(String::from)
        .to_vec();
    words.extend([neurons.to_string(), "--seed".into(), given.seed().to_string()]);
    for name in ["chains", "warmup", "draws", "keep"] {
        if let Some(own) = given.count(name) {
            words.extend([format!("--{name}"), own.to_string()]);
        }
    }
    let matches = fit::options().try_get_matches_from(words);
    let matches = matches.map_err(|error| crate::args::explained("demo", &error))?;
    let mut asked = Asked::read(&Given(matches))?;
    asked.quiet = given.on("quiet");
    Ok(asked)
}

/// The data, which come with the program.
fn sources(person: &Person) -> Result<Sources, Fault> {
    let table = parse("gas_turbine_nox.csv", CSV, &Reading::default(), person)?;
    let (train, test) = splits::parse("gas_turbine_nox.json", SPLITS, 0, table.rows(), false)?;
    let target = table.column("y").unwrap_or(0);
    let table = Arc::new(table);
    let trains = Picked { table: table.clone(), rows: train };
    Ok(Sources { trains, tests: Some(Picked { table, rows: test }), stream: None, target })
}

fn announce(asked: &Asked, neurons: u32, train: &Rows, test: &Rows) {
    let s = &asked.request.settings.options;
    outln!(
        "LCC {} - a Bayesian neural network learns how much NOx a gas turbine emits,\n\
         from sensors that cost little, and says how sure it is of every prediction.\n",
        env!("CARGO_PKG_VERSION")
    );
    outln!(
        "  Data      {} hourly readings, {} sensors: {} rows to learn from, {} to test on\n            \
         (Kaya, Tufekci, Uzun 2019; UCI repository, doi:10.24432/C5WC95, CC BY 4.0)",
        train.n + test.n,
        train.d,
        train.n,
        test.n
    );
    outln!(
        "  Network   one hidden layer of {neurons} hidden units; which sensors matter, the noise and\n            \
         its tails are inferred with the weights"
    );
    outln!(
        "  Sampling  {} short chains of {} warm-up trajectories and {} draws, in single precision;\n            \
         seed {}\n",
        s.chains,
        s.warmup,
        s.draws,
        s.seed
    );
    terminal::flush();
}

/// The error of predicting the mean of the training rows everywhere.
fn rmse_of_mean(train: &Rows, test: &Rows) -> f64 {
    let mean = train.targets().iter().fold(0.0, |mean, y| mean + y / train.n as f64);
    let squares = test.targets().iter().fold(0.0, |sum, y| sum + (y - mean) * (y - mean));
    (squares / test.n as f64).sqrt()
}

/// Three test rows spread over the file.
fn print_examples(test: &Rows, p: &Predictions) {
    outln!(
        "\n  Three of the test rows, NOx in mg/m3\n    \
         row    predicted    90 % interval       measured"
    );
    for i in [1, 3, 5].map(|k| k * test.n / 6) {
        let (y, low, high) = (test.targets()[i], p.lower[i], p.upper[i]);
        let inside = if (low..=high).contains(&y) { "inside" } else { "outside" };
        let (row, mean) = (test.origin[i] + 1, p.mean[i]);
        let high = format!("{high:.1}");
        outln!("    {row:<6} {mean:8.1}     {low:6.1} to {high:<6}   {y:8.1}   {inside}");
    }
}

fn print_report(
    l: &Learned,
    test: &Rows,
    p: &Predictions,
    e: &Evaluation,
    fit: &Fit,
    luck: &LuckAt,
) {
    let (mean, held) = (rmse_of_mean(&l.train, test), 100.0 * e.coverage);
    outln!("  On the test rows");
    outln!("    typical error (RMSE)     {:7.2} mg/m3   (predicting the mean: {mean:.2})", e.rmse);
    outln!(
        "    90 % intervals hold      {held:7.1} %       of the measurements; {:.1} mg/m3 wide on average",
        e.width
    );
    outln!(
        "    log score                {:7.3}         mean log predictive density, higher is better",
        e.log_likelihood
    );
    print_examples(test, p);
    let (rms, median) = (100.0 * luck.rms, 100.0 * luck.median);
    let rhat = match fit.rhat_max {
        rhat if rhat.is_nan() => "(too few draws for R-hat)".to_string(),
        rhat => format!("(R-hat {rhat:.2})"),
    };
    outln!(
        "\n  How much is luck\n    \
         another seed would move a prediction by {rms:.1} % of its uncertainty, half of them by\n    \
         less than {median:.1} %: a single chain stays in one of the many modes of the posterior\n    \
         {rhat}, and the prediction is the average over {} of them",
        fit.chains_used
    );
    outln!(
        "\n  Cost\n    {:.1} s on one core, {} gradients; {} bytes of workspace, no allocation\n    \
         inside the core; the model takes {} bytes",
        fit.seconds,
        fit.gradients,
        fit.workspace,
        fit.model.as_ref().map_or(0, Vec::len)
    );
}

/// Fits, predicts the test rows, and writes all three files or none.
pub(crate) fn run(given: Given) -> Done {
    let folder = given.text("out").unwrap_or("out");
    let neurons = given.count("neurons").unwrap_or(NEURONS);
    let mut asked = asked_of(&given, neurons)?;
    let person = Person::new(asked.quiet);
    let request = &mut asked.request;
    let mut l = sources(&person)?.learn(request, None, &person)?;
    request.settle(&mut l, &person)?;
    let Some(test) = l.test.clone() else { return Ok(()) };
    if !Path::new(folder).is_dir() {
        std::fs::create_dir(folder)
            .map_err(|_| failed(format!("{folder}: the folder cannot be made")))?;
    }
    let mut files = Outputs::beside([]);
    for name in ["predictions.csv", "model.lcc", "plot.svg"] {
        files.add(name, &format!("{folder}/{name}"))?;
    }
    announce(&asked, neurons, &l.train, &test);
    person.catch_interrupts();
    let mut fit = asked.request.run(&l, None, None, &person)?.fit;
    person.clear();
    let Some(plain) = fit.model.take() else {
        warn("stopped before there were draws to keep: nothing is written");
        return Err(Stop::Interrupted);
    };
    let model = attach(&plain, &l.columns)?;
    let p = predict(&model, &test, LEVEL)?;
    let e = evaluate(&p, test.targets());
    let luck = luck_at(&model, &test, asked.request.settings.options.keep as usize, &p)?;
    let (rmse, held, n) = (e.rmse, 100.0 * e.coverage, test.n);
    let words = Words {
        title: "NOx of a gas turbine: predicted against measured".into(),
        subtitle: format!(
            "{n} test rows: RMSE {rmse:.2} mg/m\u{b3}, 90 % intervals cover {held:.1} %"
        ),
        quantity: "NOx (mg/m\u{b3})",
    };
    files.put("predictions.csv", || tables::predictions(&p, None, &test, 0));
    files.put("model.lcc", || &model);
    files.put("plot.svg", || agreement(&words, &p, test.targets()));
    files.publish()?;
    fit.model = Some(model);
    print_report(&l, &test, &p, &e, &fit, &luck);
    outln!(
        "\n  Written\n    \
         {folder}/predictions.csv   mean, sd, interval and measured value of every test row\n    \
         {folder}/plot.svg          the same as a picture: open it in a browser\n    \
         {folder}/model.lcc         the model: lcc predict --model {folder}/model.lcc --data X.csv\n\
         \n  Your own data: lcc fit --help"
    );
    if fit.interrupted {
        warn("stopped early: these are the draws until then");
        return Err(Stop::Interrupted);
    }
    Ok(())
}
