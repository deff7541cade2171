//! `lcc sample`: draws from one posterior and reports expectations.

mod write;

use crate::args::{Given, choice, command, named, options};
use crate::commands::problem::{self, COUPLINGS, chain_options, posterior_options};
use crate::files::{Outputs, chain_name, refuse_read, replace};
use crate::terminal::{Done, Person, Stop, free_threads, refuse, usage, warn};
use clap::Command;
use lcc_model::fault::Fault;
use lcc_model::lcc_core::prior::PriorKind;
use lcc_model::lcc_core::sampler::{Method, Reference};
use lcc_model::lcc_core::tempering::TemperingOptions;
use lcc_model::network::Checkpoint;
use lcc_model::posterior::{
    Inner, SampleSettings, Sampled, Sampler, Temperatures, Wanted, certify_quick, sample,
};
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
    files.open(&given, "json model")?;
    files.open_chains(&given, s.chains.chains)?;
    person.catch_interrupts();
    let mut saving = asked.checkpoint.as_ref().map(|path| {
        let own = path.clone();
        Checkpoint::new(path, asked.resume, Box::new(move |bytes| replace(&own, bytes)))
    });
    let wanted = Wanted { draws: given.has("draws-csv"), model: given.has("model") };
    let out = sample(s, &rows, &queries, wanted, saving.as_mut(), &person)?;
    person.clear();
    let Some(out) = out else { return Err(Stop::Interrupted) };
    for (k, drawn) in out.drawn.iter().enumerate() {
        files.put(&chain_name(k), || write::chain(s, &out, k, drawn));
    }
    files.put("model", || out.model.as_deref().unwrap_or(&[]));
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

const EXAMPLES: &str = "  \
lcc sample --data residuals.csv --draws-csv chain
  lcc sample --data residuals.csv --sampler smc --seed 2
  lcc sample --data train.csv --posterior joint --sampler gibbs --model m.lcc
  lcc sample --data train.csv --posterior joint --layers 4,3 --prior l1 --sampler gibbs
";

const XI: &str =
    "gibbs, xi-langevin, xi-mala, reverse-diffusion (and diffusion-from-noise, its twin)";

/// The largest steps and times, which are allowed too.
const LANGEVIN_STEP: f64 = 2.0;
const DIFFUSION_TIME: f64 = 4.0;

/// Its options.
pub(crate) fn options() -> Command {
    command("sample", "draws from one posterior and reports expectations", EXAMPLES)
        .args(posterior_options())
        .args(chain_options(
            "see lcc --version; auto looks at the posterior with a short smc, chooses, and says why [auto]",
            "one-sided|two-sided|none",
            [
                "chains (smc: none; auto gives each an antithetic partner, which counts in expectations and is not written) [8]",
                "iterations that adapt [1000, tempering 500, auto 100]",
                "draws of each chain [1000]",
            ],
        ))
        .args(options! {
            count(2, 100_000_000) "particles" "N": "smc: they are the draws. Else those of the short smc that \
                finds the temperatures of tempering, or that a reference is fitted to [smc 1024, tempering 256, \
                chains 512]";
            text "ladder" "L": "smc and tempering: adaptive:SHARE (of the particles that a step leaves), even:K, \
                geometric:K:FIRST, or the temperatures, as .01,.1,1; smc: rows:SHARE lets the rows in one by \
                one, each predicted one step ahead; cooling:SD widens a Gaussian about w = 0 from SD of the \
                scale [adaptive:.5]";
            text "reference" "prior|gaussian|student-t|mixture": "what moves and proposals are about: the prior, \
                or a fit: of smc to its particles at each temperature (gaussian), of chains to a short run of \
                smc (student-t and mixture: independence) [prior]";
            count(1, 1_000_000_000) "ess" "N": "auto: ends once each expectation has so many effective draws, in \
                bulk and in tail, after --draws at the latest [all draws]";
            switch "antithetic": "every chain has a partner with negated normals, which counts in expectations \
                and is not written (auto: always)";
            count(1, 1_000_000) "moves" "M": "transitions between two temperatures (smc) or two swaps \
                (tempering) [smc 2, tempering 1]";
            count(1, 1024) "threads" "N": "of chains (not auto, smc, tempering), by blocks of 8 or 4: the same \
                bytes, twice the memory [all cores on a terminal, or 1]";
            text "query" "Q.csv": "points of the expectations [first 20 rows of D]";
            text "model" "M.lcc": "joint: the networks of all draws, with Gaussian noise of the sd beta^(-1/2), for lcc \
                predict, report and loo";
            text "draws-csv" "PREFIX": "PREFIX_1.csv, ...: one file a chain, in CmdStan's format";
            text "checkpoint" "FILE": "saves the state while running";
            switch "resume": "goes on from the checkpoint";
        })
        .next_help_heading(XI)
        .args(options! {
            text "inner-sampler" "NAME": "what draws w given xi; not one of themselves, nor langevin [split-hmc]";
            count(1, 1_000_000) "inner" "K": "its transitions for each xi (xi-mala: four times, K at least 2) \
                [1]";
            real(0.0, LANGEVIN_STEP + 1e-7) "langevin-step" "H": "xi-langevin, langevin: biased in H; xi-mala; \
                at most 2 [.25]";
            switch "fresh": "of all but gibbs: every inner chain starts from the prior, not where the last one \
                ended";
            count(0, 1_000_000) "burn-in" "K": "transitions of a fresh one that do not count [10]";
            count(1, 1000) "levels" "L": "reverse-diffusion: steps from noise to data [8]";
            real(0.0, DIFFUSION_TIME + 1e-7) "diffusion-time" "T": "reverse-diffusion: from xi at time T, at \
                most 4 [.7]";
        })
        .long_about(
            "R-hat and ESS are the worst over the expectations and, for the greedy posterior, over the weights (the weights \
             of a network have none to speak of: its hidden units may change places). smc and tempering are for posteriors \
             of several modes, and estimate the evidence; auto turns to particles by itself where chains disagree.",
        )
}

/// All that is asked.
pub(super) struct Asked {
    pub(super) settings: SampleSettings,
    pub(super) data: String,
    pub(super) query: Option<String>,
    pub(super) checkpoint: Option<String>,
    pub(super) resume: bool,
}

fn inner(given: &Given) -> Result<Inner, Fault> {
    let methods = Method::ALL.map(|m| (m.name(), Some(m)));
    Ok(Inner {
        method: named(given, "inner-sampler", &methods, None)?,
        transitions: given.count("inner"),
        fresh: given.on("fresh"),
        burn_in: given.count("burn-in"),
        step: given.real("langevin-step"),
        levels: given.count("levels"),
        time: given.real("diffusion-time"),
    })
}

impl Asked {
    /// Reads it, and refuses what makes no sense.
    pub(super) fn read(given: &Given) -> Result<Self, Stop> {
        const CHOOSES: &str = "auto judges chains: it needs 2, and 8 draws of each";
        let posterior = problem::posterior(given)?;
        let mut chains = problem::chains(given, &COUPLINGS, 0, 1000)?;
        let inner = inner(given)?;
        let reference = choice!(given, "reference", Reference, Reference::Prior)?;
        let mut reason = "asked for".to_string();
        if chains.sampler == Sampler::Auto && (chains.chains < 2 || chains.draws < 8) {
            chains.sampler = Sampler::Chains(Method::SplitHmc);
            reason = CHOOSES.into();
            warn(&format!("{CHOOSES}; split-hmc instead"));
        }
        let usual = match chains.sampler {
            Sampler::Auto => 100,
            Sampler::Tempering => TemperingOptions::<f64>::default().warmup,
            _ => 1000,
        };
        chains.warmup = given.count("warmup").unwrap_or(usual);
        chains.ess = given.count("ess").unwrap_or(0);
        let data = given.owned("data").ok_or_else(|| usage("sample: --data is missing"))?;
        let mut asked = Self {
            settings: SampleSettings {
                posterior,
                chains,
                reason,
                inner,
                particles: given.count("particles").unwrap_or(0),
                moves: given.count("moves").unwrap_or(0),
                reference,
                antithetic: given.on("antithetic"),
                ladder: Temperatures::default(),
                threads: given.count("threads"),
                free_threads: free_threads(),
            },
            data,
            query: given.owned("query"),
            checkpoint: given.owned("checkpoint"),
            resume: given.on("resume"),
        };
        asked.check(given)?;
        asked.check_inner(given)?;
        asked.climb(given)?;
        Ok(asked)
    }

    fn check(&self, given: &Given) -> Done {
        let (s, name) = (&self.settings.chains, self.settings.chains.sampler.name());
        refuse! { "sample": self.resume && self.checkpoint.is_none() => "--resume needs --checkpoint FILE"; }
        if let Some(path) = &self.checkpoint {
            let read = [Some(&self.data), self.query.as_ref()];
            refuse_read(path, &read.into_iter().flatten().collect::<Vec<_>>())?;
        }
        let coupled = matches!(s.sampler, Sampler::Chains(method) if method.is_coupled());
        let uncoupled = given.text("coupling") == Some("none");
        let (layered, prior) =
            (self.settings.posterior.is_layered(), self.settings.posterior.prior);
        refuse! { "sample":
            layered && coupled && name != Method::CoupledGibbs.name() =>
                "{name} couples one hidden layer; for several --layers take --sampler gibbs";
            layered && coupled && prior != PriorKind::L1Ball =>
                "several --layers have a coupling on the l1 ball only: --prior l1, or another --sampler";
            uncoupled && coupled => "{name} works on a coupling: --coupling one-sided or two-sided";
            s.ess > 0 && s.sampler != Sampler::Auto => "--ess is of auto, not of {name}";
            s.reduced && prior != PriorKind::Gaussian =>
                "--reduced needs --prior gaussian";
        }
        Ok(())
    }

    /// Refuses what the sampler would pass over.
    fn check_inner(&self, given: &Given) -> Done {
        const MEMBERS: [(&str, &str); 7] = [
            ("inner-sampler", "inner_method"),
            ("inner", "inner"),
            ("fresh", "fresh"),
            ("burn-in", "burn_in"),
            ("langevin-step", "langevin_step"),
            ("levels", "levels"),
            ("diffusion-time", "diffusion_time"),
        ];
        let (inner, name) = (&self.settings.inner, given.text("sampler").unwrap_or("auto"));
        let method = match self.settings.chains.sampler {
            Sampler::Chains(method) => Some(method),
            _ => None,
        };
        for (flag, member) in MEMBERS.into_iter().filter(|(flag, _)| given.has(flag)) {
            let of: Vec<_> =
                Method::ALL.into_iter().filter(|m| m.reads(member)).map(Method::name).collect();
            let of = of.join(", ");
            refuse! { "sample": !method.is_some_and(|m| m.reads(member)) =>
            "--{flag} is not of {name}, but of {of}"; }
        }
        let beyond = |value: Option<f64>, most: f64| value.is_some_and(|v| v > most);
        refuse! { "sample":
            inner.burn_in.is_some() && !inner.fresh => "--burn-in is of inner chains that start --fresh";
            beyond(inner.step, LANGEVIN_STEP) || beyond(inner.time, DIFFUSION_TIME) =>
                "--langevin-step must be at most 2, --diffusion-time at most 4";
        }
        Ok(())
    }

    /// Fills in what smc and tempering run on, and refuses it to the others.
    fn climb(&mut self, given: &Given) -> Done {
        let (s, name) = (&mut self.settings, given.text("sampler").unwrap_or("auto"));
        let (sampler, ladder) = (s.chains.sampler, given.text("ladder"));
        let (smc, tempers) = (sampler == Sampler::Smc, sampler == Sampler::Tempering);
        let (chains, climbs) = (matches!(sampler, Sampler::Chains(_)), smc || tempers);
        let (reference, about_prior) = (s.reference.name(), s.reference == Reference::Prior);
        let fitted = !matches!(s.reference, Reference::Prior | Reference::Gaussian);
        let begins = |word: &str| ladder.is_some_and(|given| given.starts_with(word));
        refuse! { "sample":
            s.threads.is_some_and(|threads| threads > 1) && !chains =>
                "--threads is of samplers that run chains apart, not of {name}: name one by --sampler";
            (given.has("reference") || s.antithetic) && !chains && !smc =>
                "--reference and --antithetic are not of {name}";
            smc && fitted => "smc moves about --reference prior or gaussian, not {reference}";
            smc && s.antithetic => "--antithetic is of chains, not of smc";
            smc && ["chains", "warmup", "draws"].iter().any(|flag| given.has(flag)) =>
                "smc has no chains: its --particles are the draws, without --chains, --warmup and --draws";
            !climbs && (ladder.is_some() || s.moves != 0) =>
                "--ladder and --moves are of smc and tempering, not of {name}";
            !climbs && s.particles != 0 && about_prior =>
                "--particles are of smc and tempering, and of chains with a fitted --reference, not of {name}";
            tempers && begins("rows") => "--ladder rows is of smc: chains are tempered, not predicted";
            tempers && begins("cooling") => "--ladder cooling is of smc: chains are tempered";
        }
        if !climbs {
            if !about_prior {
                // What the reference is fitted to.
                s.particles = if s.particles == 0 { 512 } else { s.particles };
                s.moves = 2;
            }
            return Ok(());
        }
        let or = |own: u32, of_smc: u32, other: u32| match own {
            0 if smc => of_smc,
            0 => other,
            own => own,
        };
        (s.particles, s.moves) = (or(s.particles, 1024, 256), or(s.moves, 2, 1));
        if smc {
            // The particles are reported as the draws of one chain.
            (s.chains.chains, s.chains.warmup, s.chains.draws) = (1, 0, s.particles);
        }
        s.ladder = ladder.map_or(Ok(Temperatures::default()), Temperatures::parse)?;
        Ok(())
    }
}
