//! What `lcc sample` takes.

use crate::args::{command, count, real, switch, text};
use crate::commands::problem::{chain_options, posterior_options};
use clap::{Arg, Command};

const EXAMPLES: &str = "  \
lcc sample --data residuals.csv --draws-csv chain
  lcc sample --data residuals.csv --sampler smc --seed 2
";

const XI: &str =
    "gibbs, xi-langevin, xi-mala, reverse-diffusion (and diffusion-from-noise, its twin)";

/// The largest steps and times, which are allowed too.
pub(super) const LANGEVIN_STEP: f64 = 2.0;
pub(super) const DIFFUSION_TIME: f64 = 4.0;

fn climbing() -> Vec<Arg> {
    vec![
        count(
            "particles",
            "N",
            "smc: they are the draws. Else those of the short smc that finds the temperatures of tempering, or that a reference is fitted to [smc 1024, tempering 256, chains 512]",
            (2, 100_000_000),
        ),
        text(
            "ladder",
            "L",
            "smc and tempering: adaptive:SHARE (of the particles that a step leaves), even:K, geometric:K:FIRST, or the temperatures, as .01,.1,1; smc: rows:SHARE lets the rows in one by one, each predicted one step ahead; cooling:SD widens a Gaussian about w = 0 from SD of the scale [adaptive:.5]",
        ),
        text(
            "reference",
            "prior|gaussian|student-t|mixture",
            "what moves and proposals are about: the prior, or a fit: of smc to its particles at each temperature (gaussian), of chains to a short run of smc (student-t and mixture: independence) [prior]",
        ),
        count(
            "ess",
            "N",
            "auto: ends once each expectation has so many effective draws, in bulk and in tail, after --draws at the latest [all draws]",
            (1, 1_000_000_000),
        ),
        switch(
            "antithetic",
            "every chain has a partner with negated normals, which counts in expectations and is not written (auto: always)",
        ),
        count(
            "moves",
            "M",
            "transitions between two temperatures (smc) or two swaps (tempering) [smc 2, tempering 1]",
            (1, 1_000_000),
        ),
        count(
            "threads",
            "N",
            "of chains (not auto, smc, tempering), by blocks of 8 or 4: the same bytes, twice the memory [all cores on a terminal, or 1]",
            (1, 1024),
        ),
    ]
}

fn results() -> Vec<Arg> {
    vec![
        text("query", "Q.csv", "points of the expectations [first 20 rows of D]"),
        text("draws-csv", "PREFIX", "PREFIX_1.csv, ...: one file a chain, in CmdStan's format"),
        text("checkpoint", "FILE", "saves the state while running"),
        switch("resume", "goes on from the checkpoint"),
    ]
}

fn coupled() -> Vec<Arg> {
    let all = vec![
        text(
            "inner-sampler",
            "NAME",
            "what draws w given xi; not one of themselves, nor langevin [split-hmc]",
        ),
        count(
            "inner",
            "K",
            "its transitions for each xi (xi-mala: four times, K at least 2) [1]",
            (1, 1_000_000),
        ),
        real(
            "langevin-step",
            "H",
            "xi-langevin, langevin: biased in H; xi-mala; at most 2 [.25]",
            (0.0, LANGEVIN_STEP + 1e-7),
        ),
        switch(
            "fresh",
            "of all but gibbs: every inner chain starts from the prior, not where the last one ended",
        ),
        count("burn-in", "K", "transitions of a fresh one that do not count [10]", (0, 1_000_000)),
        count("levels", "L", "reverse-diffusion: steps from noise to data [8]", (1, 1000)),
        real(
            "diffusion-time",
            "T",
            "reverse-diffusion: from xi at time T, at most 4 [.7]",
            (0.0, DIFFUSION_TIME + 1e-7),
        ),
    ];
    all.into_iter().map(|arg| arg.help_heading(XI)).collect()
}

/// Its options.
pub(crate) fn options() -> Command {
    command("sample", "draws from one posterior and reports expectations", EXAMPLES)
        .args(posterior_options())
        .args(chain_options(
            "see lcc --version; auto looks at the posterior with a short smc, chooses, and says why [auto]",
            "one-sided|two-sided|none",
            [
                "chains (smc: none; auto gives each an antithetic partner, which counts in expectations and is not written) [8]",
                "iterations that adapt [1000, auto 100]",
                "draws of each chain [1000]",
            ],
        ))
        .args(climbing())
        .args(results())
        .args(coupled())
        .long_about(
            "R-hat and ESS are the worst over the expectations and, for the greedy posterior, over the weights (the weights \
             of a network have none to speak of: its hidden units may change places). smc and tempering are for posteriors \
             of several modes, and estimate the evidence; auto turns to particles by itself where chains disagree.",
        )
}
