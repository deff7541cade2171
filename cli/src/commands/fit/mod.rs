//! `lcc fit`: fits numbers, classes or counts.

mod flags;
mod options;
mod print;
mod report;
mod write;

pub(crate) use flags::{Asked, method_names, reference};
pub(crate) use options::options;
pub(crate) use print::evaluation as print_evaluation;
pub(crate) use write::test as write_test;

use crate::args::Given;
use crate::files::{Handle, Outputs, replace, same};
use crate::stop::{Done, Stop, usage};
use crate::tables;
use crate::terminal::{Person, warn};
use lcc_model::network::Checkpoint;
use lcc_model::study::{Held, Learned, Method, Outcome, Sources, fit_and_judge};
use lcc_model::watch::Watch;

/// The results that are asked for.
#[derive(Default)]
struct To {
    model: Option<Handle>,
    c_array: Option<Handle>,
    predictions: Option<Handle>,
    plot: Option<Handle>,
    log_lik: Option<Handle>,
    stream_model: Option<Handle>,
    json: Option<Handle>,
    curve: Option<Handle>,
    draws: Vec<Handle>,
}

pub(crate) fn protect(files: &mut Outputs, asked: &Asked) {
    files.protect(Some(&asked.request.data));
    match &asked.request.held {
        Held::File(path) | Held::Split(path, ..) => files.protect(Some(path)),
        _ => {}
    }
    files.protect(asked.request.stream.as_deref());
    files.protect(asked.checkpoint.as_deref());
}

/// All before the run, so that a folder that is not there is found out at once.
fn open(files: &mut Outputs, given: &Given, asked: &Asked) -> Result<To, Stop> {
    let mut to = To {
        model: files.add(given.text("model"))?,
        c_array: files.add(given.text("c-array"))?,
        predictions: files.add(given.text("predictions"))?,
        plot: files.add(given.text("plot"))?,
        log_lik: files.add(given.text("log-lik"))?,
        stream_model: files.add(given.text("stream-model"))?,
        json: files.add(given.text("json"))?,
        curve: files.add(given.text("learning-curve"))?,
        draws: Vec::new(),
    };
    if let Some(prefix) = given.text("draws-csv") {
        for chain in 1..=asked.request.long.chains {
            to.draws.extend(files.add(Some(&format!("{prefix}_{chain}.csv")))?);
        }
    }
    Ok(to)
}

/// What a person should know of a fit that went well.
fn warnings(asked: &Asked, out: &Outcome) -> Done {
    const LIMIT: f64 = 1.05;
    let rhat = out.fit.rhat_max;
    if asked.request.method == Method::Network && rhat > LIMIT {
        warn(&format!(
            "the chains sit in different modes: R-hat {rhat:.3}, above {LIMIT}; the model averages over them: more \
             --chains cover more modes, --method bnn many"
        ));
    }
    if out.fit.interrupted {
        warn("stopped early: the model holds what was drawn until then");
        return Err(Stop::Interrupted);
    }
    if out.stream_stopped {
        let rows = out.followed.as_ref().map_or(0, |run| run.before.n);
        warn(&format!("stopped early: the stream was followed for {rows} rows"));
        return Err(Stop::Interrupted);
    }
    Ok(())
}

fn write_draws(files: &mut Outputs, to: &To, asked: &Asked, out: &Outcome) {
    let long = &asked.request.long;
    let run = tables::CmdStan {
        model: "lcc_network",
        algorithm: "hmc_gibbs",
        chains: out.chains.len(),
        warmup: long.warmup,
        seed: long.seed,
        digits: out.fit.digits,
    };
    for (k, (chain, to)) in out.chains.iter().zip(&to.draws).enumerate() {
        files.write(*to, tables::chain(&run, k, chain).as_bytes());
    }
}

/// Fits, follows the stream, and writes all results or none.
pub(crate) fn run(given: Given) -> Done {
    let mut asked = Asked::read(&given)?;
    let person = Person::new(asked.quiet);
    let mut files = Outputs::default();
    protect(&mut files, &asked);
    let sources = Sources::read(&asked.request, &person)?;
    let mut learned = sources.learn(&mut asked.request, None, &person)?;
    let to = open(&mut files, &given, &asked)?;
    asked.request.traced = !to.draws.is_empty();
    person.catch_interrupts();
    let mut saving = asked.checkpoint.as_ref().map(|path| {
        let own = path.clone();
        Checkpoint::new(path, asked.resume, Box::new(move |bytes| replace(&own, bytes)))
    });
    let request = &mut asked.request;
    let out = fit_and_judge(request, &sources, &mut learned, saving.as_mut(), &person)?;
    person.clear();
    let Some(out) = out else {
        person.say("stopped before there were draws to keep: nothing is written");
        return Err(Stop::Interrupted);
    };
    if let (Some(to), Some(path)) = (to.c_array, given.text("c-array")) {
        // Without its columns, as small as it may be: a device knows its rows.
        files.write(to, tables::c_array(path, &out.plain).as_bytes());
    }
    write_draws(&mut files, &to, &asked, &out);
    report::report(&asked, &learned, &out, &to, files)?;
    warnings(&asked, &out)
}

/// That the checkpoint is none of the files that are read.
fn check_checkpoint(asked: &Asked) -> Done {
    let Some(path) = asked.checkpoint.as_deref() else { return Ok(()) };
    let held = match &asked.request.held {
        Held::File(path) | Held::Split(path, ..) => Some(path.as_str()),
        _ => None,
    };
    let read = [Some(asked.request.data.as_str()), held, asked.request.stream.as_deref()];
    if read.into_iter().flatten().any(|input| same(input, path)) {
        return Err(usage(format!("{path}: is read by this command and will not be overwritten")));
    }
    Ok(())
}

/// The rows that results are shown of.
fn shown(learned: &Learned) -> (&lcc_model::rows::Rows, &'static str) {
    match &learned.test {
        Some(test) => (test, "test"),
        None => (&learned.train, "training"),
    }
}
