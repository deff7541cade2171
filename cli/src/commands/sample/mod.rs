//! `lcc sample`: draws from one posterior and reports expectations.

mod asked;
mod write;

pub(crate) use asked::options;

use super::problem;
use crate::args::Given;
use crate::files::{Outputs, chain_name, replace};
use crate::stop::{Done, Stop};
use crate::terminal::{Person, warn};
use asked::Asked;
use lcc_model::network::Checkpoint;
use lcc_model::posterior::{Sampled, certify_quick, sample};
use lcc_model::text::{fixed, short};

const DEFAULT_QUERIES: usize = 20;
const FEW_FAMILIES: u64 = 10;

/// What a person should know of a run that went well.
fn warnings(asked: &Asked, out: &Sampled) -> Done {
    const LIMIT: f64 = 1.05;
    let smc = asked.settings.chains.sampler == lcc_model::posterior::Sampler::Smc;
    if let Some(families) = out.families.filter(|f| smc && *f < FEW_FAMILIES) {
        warn(&format!(
            "the particles descend from {families} draws of the prior: too few to trust these numbers; take more \
             --particles"
        ));
    }
    if out.unreliable {
        warn("nothing mixes on this posterior: do not trust these numbers");
    } else if out.rhat_max > LIMIT {
        warn(&format!(
            "the chains disagree: R-hat {}, above {}; do not trust these numbers: more --warmup and --draws may help, or \
             --sampler auto, smc or tempering, which cross between modes",
            fixed(out.rhat_max, 3),
            short(LIMIT)
        ));
    }
    if out.interrupted {
        let (made, all) = (out.draws, asked.settings.chains.draws);
        warn(&format!("stopped after {made} of {all} draws"));
        return Err(Stop::Interrupted);
    }
    Ok(())
}

/// Draws, and writes all results or none.
pub(crate) fn run(given: Given) -> Done {
    let asked = Asked::read(&given)?;
    let s = &asked.settings;
    let person = Person::new(given.on("quiet"));
    let own = [Some(&asked.data), asked.query.as_ref(), asked.checkpoint.as_ref()];
    let mut files = Outputs::beside(own.into_iter().flatten().map(String::as_str));
    let rows = problem::rows(&given, &asked.data, true, None, &s.chains, &person)?;
    let queries = match &asked.query {
        Some(path) => problem::rows(&given, path, false, Some(&rows), &s.chains, &person)?,
        None => rows.some(&(0..rows.n.min(DEFAULT_QUERIES)).collect::<Vec<_>>()),
    };
    files.open(&given, &["json"])?;
    files.open_chains(&given, s.chains.chains)?;
    person.catch_interrupts();
    let mut saving = asked.checkpoint.as_ref().map(|path| {
        let own = path.clone();
        Checkpoint::new(path, asked.resume, Box::new(move |bytes| replace(&own, bytes)))
    });
    let out = sample(s, &rows, &queries, given.has("draws-csv"), saving.as_mut(), &person)?;
    person.clear();
    let Some(out) = out else { return Err(Stop::Interrupted) };
    for (k, drawn) in out.drawn.iter().enumerate() {
        files.put(&chain_name(k), || write::chain(s, &out, k, drawn));
    }
    files.put("json", || {
        // What is proved of the posterior that is sampled, apart from the draws.
        let certified = certify_quick(&s.posterior, &s.chains, &rows, &person);
        write::json(s, &out, &rows, &certified)
    });
    if files.publish()? {
        write::print(s, &out, &rows);
    }
    warnings(&asked, &out)
}
