//! What a model says of the fit that made it: all of it a function of the data and of what decides the draws.

use super::{Method, Request};
use crate::methods::GreedySettings;
use crate::network::Fit;
use crate::rows::Rows;
use crate::text::general;
use lcc_core::estimator::relaxed::RelaxedMethod;

/// The name of how a unit enters.
pub fn update_name(update: RelaxedMethod) -> &'static str {
    match update {
        RelaxedMethod::Relaxed => "relaxed",
        RelaxedMethod::FrankWolfe => "frank-wolfe",
        RelaxedMethod::Orthogonal => "orthogonal",
    }
}

/// The method with its sizes, precision and seed.
pub fn note_method(r: &Request) -> String {
    let (s, l, name) = (&r.settings, &r.long, &r.method_name);
    let GreedySettings { levels, particles, update, .. } = &r.greedy;
    let text = match r.method {
        Method::Bnn if !s.method.samples() => {
            format!(
                "{name}: layers of {}; {} starts, {} draws of each",
                s.layers, s.chains, s.draws
            )
        }
        Method::Bnn => {
            let warmup = s.warmup.unwrap_or(0);
            let (layers, chains, draws) = (&s.layers, s.chains, s.draws);
            format!("{name}: layers of {layers}; {chains} chains of {warmup} + {draws} draws")
        }
        Method::Network => format!(
            "{name}: {} neurons, {} chains of {} + {} draws",
            l.neurons, l.chains, l.warmup, l.draws
        ),
        Method::Relaxed => format!("relaxed ({}): {levels} levels", update_name(*update)),
        _ => format!("{name}: {levels} levels of {particles} particles"),
    };
    format!("{text}, {}, seed {}", r.precision(), r.seed())
}

/// The options that the size of the work, or the clock, has settled: with them the bytes are the same.
pub fn note_options(r: &Request) -> String {
    let s = &r.settings;
    let leapfrogs = match s.method.samples() {
        true => format!(" --leapfrogs {}", s.leapfrogs),
        false => String::new(),
    };
    format!("--chains {} --start {}{leapfrogs}", s.chains, s.start)
}

/// Draws of each chain, side by side in the model; 0 where its draws are not of chains.
pub(super) fn kept(r: &Request, fit: &Fit) -> u32 {
    match r.method {
        _ if fit.interrupted => 0,
        Method::Network => r.long.keep.min(r.long.draws),
        Method::Bnn if r.settings.method.samples() => r.settings.keep.min(r.settings.draws),
        _ => 0,
    }
}

/// Lines of what, a tab and a value.
pub fn note_lines(r: &Request, fit: &Fit, train: &Rows) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text += &format!("{what}\t{value}\n");
    line("method", note_method(r));
    if r.is_bnn() {
        line("options", note_options(r));
        if let Some(members) = &r.settings.members {
            line("members", format!("--network {members}"));
        }
    }
    if fit.interrupted {
        line("stopped", "early: what was drawn until then".into());
    }
    let (n, d) = (train.n, train.d);
    line("trained on", format!("{n} rows of {d} inputs, checksum {:016x}", train.checksum()));
    if kept(r, fit) > 0 {
        let (used, dropped) = (fit.chains_used, fit.chains_dropped);
        let (accepted, divergent) = (fit.acceptance, fit.divergences);
        line(
            "chains",
            format!(
                "{used} used, {dropped} dropped, acceptance {accepted:.3}, {divergent} divergent draws"
            ),
        );
        if r.is_bnn() && !fit.luck.is_nan() {
            let [rms, median] = [fit.luck, fit.luck_median].map(|l| general(100.0 * l, 2));
            let what = "another seed would move a prediction by";
            line("luck", format!("{what} {rms} % of its uncertainty (median {median} %)"));
        }
        if !fit.rhat_max.is_nan() {
            line("R-hat", format!("{:.2} at most, of predictions", fit.rhat_max));
        }
    }
    if fit.gradients > 0 {
        line("gradients", fit.gradients.to_string());
    }
    line("fitted by", format!("lcc {}", env!("CARGO_PKG_VERSION")));
    text
}
