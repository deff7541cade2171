//! The posterior that a command is about, by its flags.

use crate::args::{Given, count, delimiter, json, real, seed, switch, text};
use crate::out::outln;
use crate::stop::Stop;
use crate::terminal::Person;
use clap::Arg;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::activation::Activation;
use lcc_model::lcc_core::coupling::Sides;
use lcc_model::lcc_core::likelihood::Signs;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::lcc_core::sampler::Method;
use lcc_model::names::choose;
use lcc_model::posterior::{Chooser, Posterior};
use lcc_model::rows::Rows;
use lcc_model::table::{self, Reading};
use lcc_model::text::short;
use std::sync::Arc;

const ABOVE: (f64, f64) = (0.0, f64::INFINITY);
const MOST: u32 = 1_000_000_000;
const PRIORS: [(&str, PriorKind); 2] =
    [("gaussian", PriorKind::Gaussian), ("l1", PriorKind::L1Ball)];

/// The options, with the default warm-up and draws of the command.
pub(super) fn options(couplings: &'static str, (warmup, draws): (u32, u32)) -> Vec<Arg> {
    let usual = |arg: Arg, what: &str, value: u32| arg.help(format!("{what} [{value}]"));
    vec![
        text("data", "D.csv", "the rows"),
        text("target", "NAME", "the target column [y]"),
        delimiter(),
        text(
            "posterior",
            "greedy|joint",
            "one hidden unit given residuals, or a whole network [greedy]",
        ),
        text("activation", "NAME", "see lcc --version [tanh]"),
        text("prior", "gaussian|l1", "Gaussian, or uniform on the l1 ball [gaussian]"),
        real("scale", "S", "prior sd, or radius of the l1 ball [1]", ABOVE),
        real("alpha", "A", "greedy: tilt; the residuals are the target [1/sqrt(n)]", ABOVE),
        count("neurons", "M", "joint [8]", (1, 1_000_000)),
        real("outer", "V", "joint [4]", ABOVE),
        real("beta", "B", "joint [1]", ABOVE),
        text("signs", "alternating|positive", "joint [alternating]"),
        text("sampler", "NAME", "what draws w: auto, or chains, see lcc --version [auto]"),
        text("coupling", couplings, "[one-sided]"),
        switch("reduced", "couples only beyond the Gaussian prior's own curvature"),
        count("chains", "C", "of the sampler [8]", (1, 4096)),
        usual(count("warmup", "W", "", (0, MOST)), "iterations that adapt", warmup),
        usual(count("draws", "N", "", (1, MOST)), "iterations that count", draws),
        seed(),
        text("precision", "f64|f32", "[f64]"),
        json(),
        switch("quiet", "no progress bar"),
    ]
}

/// What a name stands for.
pub(super) fn chosen<T: Copy>(
    given: &Given,
    option: &'static str,
    usual: &str,
    all: &[(&'static str, T)],
) -> Result<T, Fault> {
    choose(&format!("--{option}"), given.text(option).unwrap_or(usual), all)
}

/// A prior's name on the command line.
pub(super) fn prior_name(prior: PriorKind) -> &'static str {
    PRIORS.iter().find(|(_, own)| *own == prior).map_or("", |(name, _)| name)
}

/// The posterior that is asked for.
pub(super) fn read(
    given: &Given,
    coupling: Sides,
    (warmup, draws): (u32, u32),
) -> Result<Posterior, Stop> {
    let activations: Vec<_> = Activation::ALL.into_iter().map(|a| (a.name(), a)).collect();
    let auto = [("auto", Chooser::Auto)].into_iter();
    let samplers = Method::ALL.into_iter().map(|m| (m.name(), Chooser::Chains(m)));
    let samplers: Vec<_> = auto.chain(samplers).collect();
    let signs = [("alternating", Signs::Alternating), ("positive", Signs::Positive)];
    let real = |name: &str, usual: f64| given.real(name).unwrap_or(usual);
    let count = |name: &str, usual: u32| given.count(name).unwrap_or(usual);
    Ok(Posterior {
        joint: chosen(given, "posterior", "greedy", &[("greedy", false), ("joint", true)])?,
        activation: chosen(given, "activation", "tanh", &activations)?,
        prior: chosen(given, "prior", "gaussian", &PRIORS)?,
        scale: real("scale", 1.0),
        alpha: given.real("alpha"),
        neurons: count("neurons", 8),
        outer: real("outer", 4.0),
        beta: real("beta", 1.0),
        signs: chosen(given, "signs", "alternating", &signs)?,
        sampler: chosen(given, "sampler", "auto", &samplers)?,
        coupling,
        reduced: given.on("reduced"),
        chains: count("chains", 8),
        warmup: count("warmup", warmup),
        draws: count("draws", draws),
        seed: given.seed(),
        double: chosen(given, "precision", "f64", &[("f64", true), ("f32", false)])?,
    })
}

/// The rows of a file of numbers.
pub(super) fn rows(given: &Given, data: &str, person: &Person) -> Result<Rows, Fault> {
    let how = Reading { delimiter: given.text("delimiter"), ..Reading::default() };
    let table = Arc::new(table::read(data, &how, person)?);
    Rows::take(&table, given.text("target").unwrap_or("y"), true)
}

/// A line that says which posterior of which data in which precision.
pub(super) fn print(s: &Posterior, rows: &Rows) {
    let (posterior, prior) = (if s.joint { "joint" } else { "greedy" }, prior_name(s.prior));
    let (psi, scale) = (s.activation.name(), short(s.scale));
    let (n, d, precision) = (rows.n, rows.d, if s.double { "f64" } else { "f32" });
    outln!(
        "posterior   {posterior}, {psi}, {prior} prior of scale {scale}; {n} rows, {d} inputs; {precision}"
    );
}
