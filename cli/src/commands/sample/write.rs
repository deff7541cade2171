//! What `lcc sample` writes: JSON, words, and draws as CmdStan writes them.

use super::problem;
use crate::commands::certify;
use crate::json::{Json, members};
use crate::tables::{self, CmdStan};
use crate::terminal::{out, outln};
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::posterior::{
    Certified, Drawn, Form, Online, Posterior, SampleSettings, Sampled, Sampler,
};
use lcc_model::rows::Rows;
use lcc_model::text::{fixed, general, short};

/// One chain in CmdStan's format.
pub(super) fn chain(s: &SampleSettings, r: &Sampled, k: usize, drawn: &Drawn) -> String {
    let run = CmdStan {
        model: if s.posterior.form == Form::Joint { "lcc_joint" } else { "lcc_greedy" },
        algorithm: r.sampler,
        chains: s.chains.chains as usize,
        warmup: s.chains.warmup,
        seed: s.chains.seed,
        digits: r.digits,
        about: "# masses are of coordinates that the reference (the prior or a fit) has whitened\n",
        rest: "w",
        unit_masses: s.posterior.prior == PriorKind::Gaussian,
    };
    tables::chain(&run, k, drawn)
}

/// All of it.
pub(super) fn json(s: &SampleSettings, r: &Sampled, rows: &Rows, certified: &Certified) -> Vec<u8> {
    let mut json = Json::new(r.digits);
    json.put("posterior", s.posterior.form.name());
    json.put("sampler", r.sampler);
    json.put("sampler_reason", &r.reason);
    json.put("precision", s.chains.precision());
    members!(json, rows => n d);
    members!(json, r => chains draws);
    json.put("seed", s.chains.seed);
    members!(json, r => seconds_warmup seconds_sampling gradients acceptance divergences);
    members!(json, r => rhat_max ess_bulk_min ess_tail_min expectation mcse variance mean log_evidence);
    json.put("log_evidence_standard_error", r.log_evidence_error);
    match s.chains.sampler {
        Sampler::Smc => json.put("families", r.families.unwrap_or(0)),
        Sampler::Tempering => {
            json.put("restarts_min", r.restarts);
            json.put("swap_min", r.swap);
        }
        _ => {}
    }
    if !r.ladder.is_empty() {
        json.put("ladder", &r.ladder);
    }
    if let Some(online) = &r.online {
        write_online(&mut json, &s.posterior, online, rows);
    }
    certify::write_object(&mut json, "certificate", certified);
    json.end()
}

fn write_online(json: &mut Json, posterior: &Posterior, online: &Online, rows: &Rows) {
    let (sum, n) = (online.losses(posterior, rows), online.mean.len() as f64);
    json.object("online", |json| {
        json.put("log_loss", sum.log);
        json.put("mean_log_loss", sum.log / n);
        if let Some(best) = online.best {
            json.put("squared_loss", sum.squared);
            json.put("mean_squared_loss", sum.squared / n);
            json.put("best_squared_loss", best);
            json.put("mean_squared_regret", (sum.squared - best) / n);
            json.put("regret_order", sum.order);
        }
        members!(json, online => log_likelihood mean);
    });
}

fn print_online(posterior: &Posterior, online: &Online, rows: &Rows) {
    let (sum, n) = (online.losses(posterior, rows), online.mean.len() as f64);
    outln!("online      {} nats a row, each predicted one step ahead", fixed(sum.log / n, 4));
    if let Some(best) = online.best {
        outln!(
            "            mean squared loss {}, of the best network in hindsight {}: regret {}, of the order V sqrt(log d/N) \
             = {}",
            short(sum.squared / n),
            short(best / n),
            general((sum.squared - best) / n, 3),
            general(sum.order, 3)
        );
    }
}

/// The costs and diagnostics of chains, particles or tempered chains.
fn print_run(s: &SampleSettings, r: &Sampled) {
    let (acceptance, stages) = (fixed(r.acceptance, 3), r.ladder.len());
    outln!("sampler     {} ({})", r.sampler, r.reason);
    match r.families {
        Some(families) => {
            outln!(
                "draws       {} particles of {families} families, seed {}",
                r.draws,
                s.chains.seed
            );
        }
        None if s.chains.ess > 0 => outln!(
            "draws       {} chains of {}, for {} effective draws of each expectation, seed {}",
            r.chains,
            r.draws,
            s.chains.ess,
            s.chains.seed
        ),
        None => outln!(
            "draws       {} chains of {} after {} of warm-up, seed {}",
            r.chains,
            r.draws,
            s.chains.warmup,
            s.chains.seed
        ),
    }
    if s.chains.sampler == Sampler::Smc {
        outln!("acceptance  {acceptance} at the last of {stages} temperatures");
    } else if r.families.is_none() {
        if s.chains.sampler == Sampler::Tempering {
            outln!(
                "acceptance  {acceptance}, of swaps between {stages} temperatures {} at least; {} restarts of every chain",
                fixed(r.swap, 3),
                r.restarts
            );
        } else {
            outln!("acceptance  {acceptance}, {} divergences", r.divergences);
        }
        if let Sampler::Chains(method) = s.chains.sampler
            && !method.is_exact()
        {
            outln!("law         {}", method.law().to_str().unwrap_or(""));
        }
        outln!(
            "R-hat       {} at worst; ESS {} (bulk), {} (tail) at least",
            fixed(r.rhat_max, 4),
            fixed(r.ess_bulk_min, 0),
            fixed(r.ess_tail_min, 0)
        );
    }
    if r.log_evidence.is_finite() {
        let error = fixed(r.log_evidence_error, 4);
        outln!("evidence    log {:.4} +- {error}", r.log_evidence);
    }
}

/// The same in words.
pub(super) fn print(s: &SampleSettings, r: &Sampled, rows: &Rows) {
    let joint = s.posterior.form == Form::Joint;
    problem::print(&s.posterior, &s.chains, rows);
    print_run(s, r);
    if let Some(online) = &r.online {
        print_online(&s.posterior, online, rows);
    }
    outln!(
        "cost        {} gradients, {:.2} s of warm-up, {:.2} s of sampling\n",
        r.gradients,
        r.seconds_warmup,
        r.seconds_sampling
    );
    out!(
        "{} at the queries\n  row          mean         mcse\n",
        if joint { "f(x)" } else { "psi(x.w)" }
    );
    let line = |k: usize, a: f64, b: f64| {
        outln!("  {:3}  {:>12}  {:>11}", k + 1, fixed(a, 6), fixed(b, 6));
    };
    for (k, (mean, error)) in r.expectation.iter().zip(&r.mcse).enumerate() {
        line(k, *mean, *error);
    }
    if !joint {
        out!("\nweights\n    j          mean           sd\n");
        for (k, (mean, variance)) in r.mean.iter().zip(&r.variance).enumerate() {
            line(k, *mean, variance.sqrt());
        }
    }
}
