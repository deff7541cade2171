//! The posterior that a command is about: its options, and what they come to.

use crate::args::{Given, choice, delimiter, json, named, options, seed, text};
use crate::terminal::outln;
use clap::Arg;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::coupling::Sides;
use lcc_model::lcc_core::likelihood::Signs;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::network::widths;
use lcc_model::posterior::{ChainSettings, Form, Posterior, Sampler, sampler_names};
use lcc_model::rows::Rows;
use lcc_model::text::short;
use lcc_model::watch::Watch;

/// Above 0.
pub(crate) const ABOVE: (f64, f64) = (0.0, f64::INFINITY);
const MANY: (u32, u32) = (1, 1_000_000_000);

/// Of the data and the posterior.
pub(crate) fn posterior_options() -> Vec<Arg> {
    options! {
        text "data" "D.csv": "the rows";
        text "target" "NAME": "the target column [y]";
        + delimiter();
        text "posterior" "greedy|joint": "one hidden unit given residuals, or a whole network [greedy]";
        text "activation" "NAME": "see lcc --version [tanh]";
        text "prior" "gaussian|l1": "Gaussian, or uniform on the l1 ball [gaussian]";
        real(ABOVE) "scale" "S": "prior sd, or radius of the l1 ball [1]";
        real(ABOVE) "alpha" "A": "greedy: tilt; the residuals are the target [1/sqrt(n)]";
        count(1, 1_000_000) "neurons" "M": "joint: hidden units [8]";
        text "layers" "A,B,...": "joint: units of up to four hidden layers, in place of --neurons";
        real(ABOVE) "outer" "V": "joint: the outer weight [4]";
        real(ABOVE) "beta" "B": "joint: 1/noise variance [1]";
        text "signs" "alternating|positive": "joint: of the outer weights [alternating]";
    }
}

/// Of what draws from it: the help of --sampler, --coupling and --warmup is the command's.
pub(crate) fn chain_options(
    sampler: &'static str,
    coupling: &'static str,
    sizes: [&'static str; 3],
) -> Vec<Arg> {
    let [chains, warmup, draws] = sizes;
    options! {
        text "sampler" "NAME": sampler;
        + text("coupling", coupling, "of methods on the coupling variable xi [one-sided]");
        switch "reduced": "couples only beyond the Gaussian prior's own curvature";
        count(1, 4096) "chains" "C": chains;
        count(0, 1_000_000_000) "warmup" "W": warmup;
        count(MANY) "draws" "N": draws;
        + seed();
        text "precision" "f64|f32": "double or single precision [f64]";
        + json();
        switch "quiet": "no progress bar";
    }
}

/// The posterior.
pub(crate) fn posterior(given: &Given) -> Result<Posterior, Fault> {
    let usual = Posterior::default();
    let form = named(given, "posterior", &Form::NAMES, usual.form)?;
    let (others, of): (&[&str], &str) = match form {
        Form::Joint => (&["alpha"], "greedy"),
        _ => (&["neurons", "layers", "outer", "beta", "signs"], "joint"),
    };
    if let Some(flag) = others.iter().find(|flag| given.has(flag)) {
        return Err(Fault::usage(format!("--{flag} is of --posterior {of}")));
    }
    let layers = match given.text("layers") {
        None => usual.layers,
        Some(_) if given.has("neurons") => {
            return Err(Fault::usage("--layers has the units of all layers: leave --neurons out"));
        }
        Some(text) => widths(text)?,
    };
    if given.has("layers") && layers[0] == 0 {
        return Err(Fault::usage("--layers: a joint posterior has at least one layer"));
    }
    Ok(Posterior {
        form,
        layers,
        activation: choice!(given, "activation", Activation, usual.activation)?,
        prior: choice!(given, "prior", PriorKind, usual.prior)?,
        signs: choice!(given, "signs", Signs, usual.signs)?,
        scale: given.real("scale").unwrap_or(usual.scale),
        alpha: given.real("alpha"),
        neurons: given.count("neurons").unwrap_or(usual.neurons),
        outer: given.real("outer").unwrap_or(usual.outer),
        beta: given.real("beta").unwrap_or(usual.beta),
    })
}

/// What draws from it. `warmup` and `draws` are the command's.
pub(crate) fn chains(
    given: &Given,
    couplings: &[(&'static str, Option<Sides>)],
    warmup: u32,
    draws: u32,
) -> Result<ChainSettings, Fault> {
    Ok(ChainSettings {
        sampler: named(given, "sampler", &sampler_names(), Sampler::Auto)?,
        coupling: named(given, "coupling", couplings, Some(Sides::OneSided))?,
        double: named(given, "precision", &[("f64", true), ("f32", false)], true)?,
        reduced: given.on("reduced"),
        chains: given.count("chains").unwrap_or(8),
        warmup: given.count("warmup").unwrap_or(warmup),
        draws: given.count("draws").unwrap_or(draws),
        ess: 0,
        seed: given.seed(),
    })
}

/// The couplings by name.
pub(crate) const COUPLINGS: [(&str, Option<Sides>); 3] =
    [("one-sided", Some(Sides::OneSided)), ("two-sided", Some(Sides::TwoSided)), ("none", None)];

/// The rows, which fit the precision.
pub(crate) fn rows(
    given: &Given,
    path: &str,
    needed: bool,
    like: Option<&Rows>,
    s: &ChainSettings,
    watch: &dyn Watch,
) -> Result<Rows, Fault> {
    let target = given.text("target").unwrap_or("y");
    let rows = Rows::read(path, given.text("delimiter"), target, needed, watch)?;
    like.map_or(Ok(()), |other| rows.check_like(other))?;
    if !s.double {
        rows.fits_single()?;
    }
    Ok(rows)
}

/// A line that says which posterior of which data in which precision.
pub(crate) fn print(p: &Posterior, s: &ChainSettings, rows: &Rows) {
    outln!(
        "posterior   {}{}, {}, {} prior of scale {}; {} rows, {} inputs; {}",
        p.form.name(),
        if p.is_layered() { format!(" of {} units", p.units()) } else { String::new() },
        p.activation.name(),
        p.prior.name(),
        short(p.scale),
        rows.n,
        rows.d,
        s.precision()
    );
}
