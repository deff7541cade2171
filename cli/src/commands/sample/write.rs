//! What `lcc sample` writes: JSON, words, and draws as CmdStan writes them.

use super::problem;
use crate::commands::certify;
use crate::json::Json;
use crate::out::{out, outln};
use crate::tables::{self, CmdStan};
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
    json.text("posterior", s.posterior.form.name());
    json.text("sampler", r.sampler);
    json.text("sampler_reason", &r.reason);
    json.text("precision", s.chains.precision());
    json.size("n", rows.n);
    json.size("d", rows.d);
    json.size("chains", r.chains);
    json.size("draws", r.draws);
    json.count("seed", s.chains.seed);
    json.number("seconds_warmup", r.seconds_warmup);
    json.number("seconds_sampling", r.seconds_sampling);
    json.count("gradients", r.gradients);
    json.number("acceptance", r.acceptance);
    json.count("divergences", r.divergences);
    json.number("rhat_max", r.rhat_max);
    json.number("ess_bulk_min", r.ess_bulk_min);
    json.number("ess_tail_min", r.ess_tail_min);
    json.numbers("expectation", &r.expectation);
    json.numbers("mcse", &r.mcse);
    json.numbers("variance", &r.variance);
    json.numbers("mean", &r.mean);
    json.number("log_evidence", r.log_evidence);
    json.number("log_evidence_standard_error", r.log_evidence_error);
    match s.chains.sampler {
        Sampler::Smc => json.count("families", r.families.unwrap_or(0)),
        Sampler::Tempering => {
            json.count("restarts_min", r.restarts.into());
            json.number("swap_min", r.swap);
        }
        _ => {}
    }
    if !r.ladder.is_empty() {
        json.numbers("ladder", &r.ladder);
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
        json.number("log_loss", sum.log);
        json.number("mean_log_loss", sum.log / n);
        if let Some(best) = online.best {
            json.number("squared_loss", sum.squared);
            json.number("mean_squared_loss", sum.squared / n);
            json.number("best_squared_loss", best);
            json.number("mean_squared_regret", (sum.squared - best) / n);
            json.number("regret_order", sum.order);
        }
        json.numbers("log_likelihood", &online.log_likelihood);
        json.numbers("mean", &online.mean);
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
