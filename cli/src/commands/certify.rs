//! `lcc certify`: what is proved of a posterior's log-concavity.

use super::problem::{self, COUPLINGS, chain_options, posterior_options};
use crate::args::{Given, command, options};
use crate::files::Outputs;
use crate::json::{Json, members};
use crate::terminal::{Done, Person, Stop, out, outln, refuse, usage, warn};
use clap::Command;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::posterior::{Certified, Posterior, ProbeSettings, Sampler, certify};
use lcc_model::rows::Rows;
use lcc_model::text::general;

/// Columns of the verdict.
const COLUMNS: usize = 78;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc certify --data residuals.csv --prior l1 --scale 3\n";
    command("certify", "what is proved of a posterior's log-concavity", examples)
        .args(posterior_options())
        .args(chain_options(
            "what draws the w that the xi are drawn from: auto, or chains [auto]",
            "one-sided|two-sided",
            ["chains of it [8]", "iterations that adapt [100]", "draws of each chain [200]"],
        ))
        .args(options! {
            count(0, 1_000_000) "probes" "K": "searches for a xi where p(xi) is not log-concave, each from \
                two draws: the largest eigenvalue of S X Cov[w|xi] X' S and the bound of Lemma 3, estimated \
                at a few xi; 0: none [8]";
            count(4, 1_000_000) "inner" "N": "draws of each of the 8 chains given one xi [250]";
        })
        .long_about(
            "Every certificate with its value, threshold and status: already-log-concave, proved, conditional, empirical, \
             not-log-concave, not-satisfied, inconclusive, published-false or not-applicable; and the verdict, what to do, \
             in words.",
        )
}

fn check(s: &ProbeSettings) -> Done {
    let (chains, sampler) = (&s.chains, s.chains.sampler);
    let (name, particles) = (sampler.name(), matches!(sampler, Sampler::Smc | Sampler::Tempering));
    let odd = chains.chains < 4 || !chains.chains.is_multiple_of(2) || chains.draws < 8;
    refuse! { "certify":
        particles => "--sampler auto or chains: {name} has none";
        s.probes > 0 && sampler == Sampler::Auto && odd =>
            "auto takes an even number of --chains, at least 4, and at least 8 --draws; or another --sampler";
    }
    Ok(())
}

/// The one that decides, as an object of a command's JSON.
pub(crate) fn write_object(json: &mut Json, key: &str, r: &Certified) {
    json.object(key, |json| {
        match r.deciding() {
            None => ["name", "value", "threshold", "status"].into_iter().for_each(|k| json.null(k)),
            Some(own) => {
                json.put("name", own.kind.name());
                json.put("value", own.value);
                json.put("threshold", own.threshold);
                json.put("status", own.status.name());
            }
        }
        json.put("conclusion", r.conclusion.name());
        json.put("verdict", &r.verdict);
    });
}

fn write(p: &Posterior, s: &ProbeSettings, rows: &Rows, r: &Certified) -> Vec<u8> {
    let mut json = Json::new(r.digits);
    json.put("posterior", p.form.name());
    json.put("activation", p.activation.name());
    json.put("prior", p.prior.name());
    json.put("scale", p.scale);
    json.put("precision", s.chains.precision());
    members!(json, rows => n d);
    json.put("coupling", s.chains.coupling_name());
    members!(json, r => probes visited);
    json.put("seed", s.chains.seed);
    json.put("seconds", r.seconds);
    json.put("conclusion", r.conclusion.name());
    json.put("verdict", &r.verdict);
    json.list("certificates", &r.list, |json, own| {
        json.put("name", own.kind.name());
        json.put("equation", own.kind.equation());
        members!(json, own => value threshold);
        json.put("margin", own.threshold - own.value);
        json.put("mcse", own.error);
        json.put("status", own.status.name());
        json.put("assumption", own.kind.assumption());
    });
    json.end()
}

/// A paragraph, broken at blanks.
fn print_wrapped(mut text: &str) {
    while !text.is_empty() {
        let mut end = text.len();
        if end > COLUMNS {
            let head: usize = text.chars().take(COLUMNS).map(char::len_utf8).sum();
            let room = text[head..].starts_with(' ').then_some(head);
            end = room.or_else(|| text[..head].rfind(' ').filter(|at| *at > 0)).unwrap_or(head);
        }
        outln!("{}", &text[..end]);
        text = &text[end..];
        text = text.strip_prefix(' ').unwrap_or(text);
    }
}

fn print(p: &Posterior, s: &ProbeSettings, rows: &Rows, r: &Certified) {
    problem::print(p, &s.chains, rows);
    outln!("\n  {:<24} {:>12} {:>10}  status", "certificate", "value", "threshold");
    for own in &r.list {
        let value = if own.value.is_finite() { general(own.value, 6) } else { "-".into() };
        let threshold = general(own.threshold, 4);
        out!("  {:<24} {value:>12} {threshold:>10}  {}", own.kind.name(), own.status.name());
        if own.error > 0.0 {
            out!(" (+- {})", general(own.error, 2));
        }
        outln!("\n      {}", own.kind.equation());
    }
    outln!("");
    print_wrapped(&r.verdict);
}

/// Evaluates, and writes all results or none.
pub(crate) fn run(given: Given) -> Done {
    let posterior = problem::posterior(&given)?;
    let s = ProbeSettings {
        chains: problem::chains(&given, &COUPLINGS[..2], 100, 200)?,
        probes: given.count("probes").unwrap_or(8),
        inner: given.count("inner").unwrap_or(250),
    };
    let data = given.text("data").ok_or_else(|| usage("certify: --data is missing"))?;
    check(&s)?;
    let gaussian = posterior.prior == PriorKind::Gaussian;
    refuse! { "certify":
        s.chains.reduced && !gaussian => "--reduced needs --prior gaussian";
        posterior.is_layered() => "--layers: certificates are of one hidden layer; lcc sample samples several";
    }
    let person = Person::new(given.on("quiet"));
    let mut files = Outputs::beside([data]);
    let rows = problem::rows(&given, data, true, None, &s.chains, &person)?;
    files.open(&given, "json")?;
    person.catch_interrupts();
    let out = certify(&posterior, &s, &rows, &person)?;
    person.clear();
    files.put("json", || write(&posterior, &s, &rows, &out));
    if files.publish()? {
        print(&posterior, &s, &rows, &out);
    }
    if out.interrupted {
        warn(&format!("stopped after {} of {} probes", out.probes, s.probes));
        return Err(Stop::Interrupted);
    }
    Ok(())
}
