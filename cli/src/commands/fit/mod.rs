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
use crate::files::{Outputs, chain_name, replace};
use crate::stop::{Done, Stop};
use crate::tables;
use crate::terminal::{Person, warn};
use lcc_model::network::Checkpoint;
use lcc_model::study::{Learned, Method, Outcome, Sources, fit_and_judge};
use lcc_model::watch::Watch;

/// The options that name them, but for draws.
const RESULTS: [&str; 8] = [
    "model",
    "c-array",
    "predictions",
    "plot",
    "log-lik",
    "stream-model",
    "json",
    "learning-curve",
];

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

fn write_draws(files: &mut Outputs, asked: &Asked, out: &Outcome) {
    let long = &asked.request.long;
    let run = tables::CmdStan {
        model: "lcc_network",
        algorithm: "hmc_gibbs",
        chains: out.chains.len(),
        warmup: long.warmup,
        seed: long.seed,
        digits: out.fit.digits,
        about: "# lp__ is the log likelihood of the training rows and f.1, f.2, ... are predictions at\n\
                # some of them, in standardised units; every chain has a mass matrix of its own\n",
        rest: "f",
        unit_masses: false,
    };
    for (k, chain) in out.chains.iter().enumerate() {
        files.put(&chain_name(k), || tables::chain(&run, k, chain));
    }
}

/// Fits, follows the stream, and writes all results or none.
pub(crate) fn run(given: Given) -> Done {
    let mut asked = Asked::read(&given)?;
    let person = Person::new(asked.quiet);
    let mut files = Outputs::beside(asked.reads().into_iter().chain(asked.checkpoint.as_deref()));
    let sources = Sources::read(&asked.request, &person)?;
    let mut learned = sources.learn(&mut asked.request, None, &person)?;
    // All before the run, so that a folder that is not there is found out at once.
    files.open(&given, &RESULTS)?;
    files.open_chains(&given, asked.request.long.chains)?;
    asked.request.traced = given.has("draws-csv");
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
    // Without its columns, as small as it may be: a device knows its rows.
    let path = given.text("c-array").unwrap_or("");
    files.put("c-array", || tables::c_array(path, &out.plain));
    write_draws(&mut files, &asked, &out);
    report::report(&asked, &learned, &out, files)?;
    warnings(&asked, &out)
}

/// The rows that results are shown of.
fn shown(learned: &Learned) -> (&lcc_model::rows::Rows, &'static str) {
    match &learned.test {
        Some(test) => (test, "test"),
        None => (&learned.train, "training"),
    }
}
