//! `lcc certify`: is the distribution of the coupling log-concave?

use super::posterior::{self, chosen};
use crate::args::{Given, command, count};
use crate::files::Outputs;
use crate::json::Json;
use crate::out::{out, outln};
use crate::stop::{Done, Stop, usage};
use crate::terminal::{Person, warn};
use clap::Command;
use lcc_model::lcc_core::coupling::Sides;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::posterior::{Certified, Chooser, Entry, Posterior, certify};
use lcc_model::rows::Rows;
use lcc_model::text::general;

const COLUMNS: usize = 78;

/// Its options.
pub(crate) fn options() -> Command {
    let examples = "  lcc certify --data residuals.csv --prior l1 --scale 3\n";
    command("certify", "what is proved of a posterior's log-concavity", examples)
        .args(posterior::options("one-sided|two-sided", (100, 200)))
        .arg(count(
            "probes",
            "K",
            "searches for a xi where p(xi) is not log-concave, each from two draws: the largest eigenvalue of S X Cov[w|xi] \
             X' S and the bound of Lemma 3, estimated at a few xi; 0: none [8]",
            (0, 1_000_000),
        ))
        .arg(count(
            "inner",
            "N",
            "draws of each of the 8 chains given one xi [250]",
            (4, 1_000_000),
        ))
        .long_about(
            "Every certificate with its value, threshold and status: already-log-concave, proved, conditional, empirical, \
             not-log-concave, not-satisfied, inconclusive, published-false or not-applicable; and what follows, and what to \
             do, in words.",
        )
}

/// What the single options cannot say.
fn check(s: &Posterior, probes: u32) -> Done {
    let auto = s.sampler == Chooser::Auto;
    if probes > 0 && auto && (s.chains < 4 || !s.chains.is_multiple_of(2) || s.draws < 8) {
        return Err(usage(
            "certify: auto takes an even number of --chains, at least 4, and at least 8 --draws; or another --sampler",
        ));
    }
    if s.reduced && s.prior != PriorKind::Gaussian {
        return Err(usage("certify: --reduced needs --prior gaussian"));
    }
    Ok(())
}

fn write_json(s: &Posterior, rows: &Rows, r: &Certified) -> Vec<u8> {
    let mut json = Json::new(if s.double { 17 } else { 9 });
    json.text("posterior", if s.joint { "joint" } else { "greedy" });
    json.text("activation", s.activation.name());
    json.text("prior", posterior::prior_name(s.prior));
    json.number("scale", s.scale);
    json.text("precision", if s.double { "f64" } else { "f32" });
    json.size("n", rows.n);
    json.size("d", rows.d);
    json.text("coupling", if s.coupling == Sides::OneSided { "one-sided" } else { "two-sided" });
    json.count("probes", r.probes.into());
    json.count("visited", r.visited.into());
    json.count("seed", s.seed);
    json.number("seconds", r.seconds);
    json.text("conclusion", r.conclusion.name());
    json.text("verdict", &r.verdict);
    json.list("certificates", |json| {
        for c in &r.entries {
            json.item(|json| {
                json.text("name", c.kind.name());
                json.text("equation", c.kind.equation());
                json.number("value", c.value);
                json.number("threshold", c.threshold);
                json.number("margin", c.threshold - c.value);
                json.number("mcse", c.error);
                json.text("status", c.status.name());
                json.text("assumption", c.kind.assumption());
            });
        }
    });
    json.end()
}

/// A paragraph, broken at blanks.
fn wrapped(text: &str) {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + 1 + word.len() > COLUMNS {
            outln!("{line}");
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    outln!("{line}");
}

fn print(s: &Posterior, rows: &Rows, r: &Certified) {
    posterior::print(s, rows);
    outln!("\n  {:<24} {:>12} {:>10}  status", "certificate", "value", "threshold");
    for Entry { kind, status, value, threshold, error } in &r.entries {
        let value = if value.is_finite() { general(*value, 6) } else { "-".into() };
        let (name, threshold) = (kind.name(), general(*threshold, 4));
        out!("  {name:<24} {value:>12} {threshold:>10}  {}", status.name());
        if *error > 0.0 {
            out!(" (+- {})", general(*error, 2));
        }
        outln!("\n      {}", kind.equation());
    }
    outln!("");
    wrapped(&r.verdict);
}

/// Certifies.
pub(crate) fn run(given: Given) -> Done {
    let sides = [("one-sided", Sides::OneSided), ("two-sided", Sides::TwoSided)];
    let coupling = chosen(&given, "coupling", "one-sided", &sides)?;
    if let Some(sampler) = given.text("sampler").filter(|s| ["smc", "tempering"].contains(s)) {
        return Err(usage(format!("certify: --sampler auto or chains: {sampler} has none")));
    }
    let s = posterior::read(&given, coupling, (100, 200))?;
    let data = given.text("data").ok_or_else(|| usage("certify: --data is missing"))?;
    let probes = given.count("probes").unwrap_or(8);
    check(&s, probes)?;
    let person = Person::new(given.on("quiet"));
    let mut files = Outputs::default();
    files.protect(Some(data));
    let rows = posterior::rows(&given, data, &person)?;
    let json = files.add(given.text("json"))?;
    person.catch_interrupts();
    let result = certify(&s, &rows, (probes, given.count("inner").unwrap_or(250)), &person);
    person.clear();
    let result = result?;
    if let Some(to) = json {
        files.write(to, &write_json(&s, &rows, &result));
    }
    let standard = files.has_standard();
    files.publish()?;
    if !standard {
        print(&s, &rows, &result);
    }
    if result.interrupted {
        warn(&format!("stopped after {} of {probes} probes", result.probes));
        return Err(Stop::Interrupted);
    }
    Ok(())
}
