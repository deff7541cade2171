//! What is asked of a run: the posterior, what draws from it, the temperatures between; and the core's options that it
//! comes to.

use crate::engine::Number;
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::text::{general, real};
use lcc_core::activation::Activation;
use lcc_core::auto::AutoOptions;
use lcc_core::coupling::Sides;
use lcc_core::data::Dataset;
use lcc_core::likelihood::Signs;
use lcc_core::network::{DEEPEST, Deep, DeepPosterior};
use lcc_core::prior::{Prior, PriorKind};
use lcc_core::problem::Problem;
use lcc_core::sampler::{Method, Reference, SamplerOptions};
use lcc_core::smc::{Ladder, SmcOptions};
use lcc_core::tempering::TemperingOptions;

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampler {
    /// Whatever a short run of particles suggests.
    Auto,
    /// Chains of that method.
    Chains(Method),
    /// Particles.
    Smc,
    /// Tempered chains.
    Tempering,
}

impl Sampler {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Chains(method) => method.name(),
            Self::Smc => "smc",
            Self::Tempering => "tempering",
        }
    }
}

/// All of them by name.
pub fn sampler_names() -> Vec<(&'static str, Sampler)> {
    let chains = Method::ALL.into_iter().map(Sampler::Chains);
    let all = [Sampler::Auto].into_iter().chain(chains).chain([Sampler::Smc, Sampler::Tempering]);
    all.map(|sampler| (sampler.name(), sampler)).collect()
}

/// Of chains, and of what chooses them.
#[derive(Clone, Copy, Debug)]
pub struct ChainSettings {
    /// What draws.
    pub sampler: Sampler,
    /// The coupling of methods on xi; `None`: none.
    pub coupling: Option<Sides>,
    /// Couples only beyond the Gaussian prior's own curvature.
    pub reduced: bool,
    /// Chains; of what chooses for itself pairs of them.
    pub chains: u32,
    /// Iterations that adapt.
    pub warmup: u32,
    /// Draws of each chain.
    pub draws: u32,
    /// Effective draws that are enough for what chooses for itself; 0: all draws are made.
    pub ess: u32,
    /// Names the random numbers.
    pub seed: u64,
    /// Double precision.
    pub double: bool,
}

impl ChainSettings {
    /// The name of the coupling.
    pub fn coupling_name(&self) -> &'static str {
        self.coupling.map_or("none", Sides::name)
    }

    /// The name of the precision.
    pub fn precision(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }

    pub(super) fn options<T: Number>(&self) -> SamplerOptions<T> {
        let method = match self.sampler {
            Sampler::Chains(method) => method,
            _ => Method::SplitHmc,
        };
        SamplerOptions {
            method: method.into(),
            coupling: self.coupling.unwrap_or(Sides::OneSided).into(),
            reduced: self.reduced.into(),
            chains: self.chains,
            warmup: self.warmup,
            draws: self.draws,
            stored: self.draws,
            seed: self.seed,
            ..SamplerOptions::default()
        }
    }

    /// Of what chooses for itself.
    pub(super) fn chooser(&self, chains: u32) -> AutoOptions {
        let Self { warmup, draws, ess, seed, .. } = *self;
        AutoOptions { chains, warmup, draws, ess, seed, ..AutoOptions::default() }
    }
}

/// What methods on xi take; `None`: as the core has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inner {
    /// What draws w given xi.
    pub method: Option<Method>,
    /// Its transitions for each xi.
    pub transitions: Option<u32>,
    /// Every inner chain starts from the prior ...
    pub fresh: bool,
    /// ... and these of its transitions do not count.
    pub burn_in: Option<u32>,
    /// The step of Langevin methods.
    pub step: Option<f64>,
    /// Steps of a reverse diffusion.
    pub levels: Option<u32>,
    /// Its time.
    pub time: Option<f64>,
}

/// All of a run.
#[derive(Clone, Debug)]
pub struct SampleSettings {
    /// Of what.
    pub posterior: Posterior,
    /// The chains.
    pub chains: ChainSettings,
    /// Why this sampler, unless it chooses for itself.
    pub reason: String,
    /// Of methods on xi.
    pub inner: Inner,
    /// Particles; 0: none.
    pub particles: u32,
    /// Transitions between two temperatures.
    pub moves: u32,
    /// What moves and proposals are about.
    pub reference: Reference,
    /// Every chain has a partner.
    pub antithetic: bool,
    /// Between the prior and the posterior.
    pub ladder: Temperatures,
    /// Threads that were asked for.
    pub threads: Option<u32>,
    /// Threads where nobody asked.
    pub free_threads: u32,
}

impl SampleSettings {
    pub(super) fn sampler_options<T: Number>(&self) -> SamplerOptions<T> {
        let mut o = self.chains.options::<T>();
        let inner = &self.inner;
        o.inner_method = inner.method.unwrap_or(Method::SplitHmc).into();
        o.fresh = inner.fresh.into();
        o.inner = inner.transitions.unwrap_or(o.inner);
        o.burn_in = inner.burn_in.unwrap_or(o.burn_in);
        o.levels = inner.levels.unwrap_or(o.levels);
        o.langevin_step = inner.step.map_or(o.langevin_step, T::lit);
        o.diffusion_time = inner.time.map_or(o.diffusion_time, T::lit);
        o.reference = self.reference.into();
        o.antithetic = self.antithetic.into();
        o.chains = if self.antithetic { 2 * self.chains.chains } else { self.chains.chains };
        o
    }

    /// Of particles, or of the short run of them before others, which is about the prior.
    pub(super) fn smc_options<T: Number>(&self) -> SmcOptions<T> {
        let usual = SmcOptions::default();
        let (itself, ladder) = (self.chains.sampler == Sampler::Smc, &self.ladder);
        SmcOptions {
            ladder: ladder.kind.into(),
            particles: self.particles,
            // Lanes that divide the particles: they change no number.
            lanes: if self.particles.is_multiple_of(8) { 8 } else { 1 },
            stages: ladder.stages,
            share: T::lit(ladder.share),
            first: T::lit(ladder.first),
            moves: if itself { self.moves } else { usual.moves },
            reference: if itself { self.reference } else { Reference::Prior }.into(),
            seed: self.chains.seed,
            ..usual
        }
    }

    pub(super) fn tempering_options<T: Number>(&self, temperatures: usize) -> TemperingOptions<T> {
        let ChainSettings { chains, warmup, draws, seed, .. } = self.chains;
        TemperingOptions {
            chains,
            temperatures: temperatures as u32,
            moves: self.moves,
            warmup,
            draws,
            stored: draws,
            seed,
            ..TemperingOptions::default()
        }
    }

    /// Everything that decides the draws, one line each: a checkpoint belongs to these.
    pub(super) fn describe(&self, rows: &Rows) -> String {
        let (p, c, inner) = (&self.posterior, &self.chains, &self.inner);
        let number = |v: f64| general(v, 17);
        let of = inner.method.map_or(String::new(), |method| format!(" of {}", method.name()));
        let mut out = format!(
            "precision {}\nposterior {}\nactivation {}\nprior {}\nscale {}\nalpha {}\nneurons {}\nouter {}\nbeta {}\n\
             signs {}\nsampler {}{of}\ncoupling {}{}\nchains {}{}\nwarmup {}\ndraws {}\nseed {}\nrows {}\ninputs {}\n",
            c.precision(),
            p.form.name(),
            p.activation.name(),
            p.prior.name(),
            number(p.scale),
            number(p.alpha.unwrap_or(0.0)),
            p.units(),
            number(p.outer),
            number(p.beta),
            p.signs.name(),
            c.sampler.name(),
            c.coupling_name(),
            if c.reduced { " reduced" } else { "" },
            if self.antithetic { "pairs " } else { "" },
            c.chains,
            c.warmup,
            c.draws,
            c.seed,
            rows.n,
            rows.d
        );
        if self.particles != 0 {
            out += &format!(
                "particles {}\nmoves {}\nladder {}\nreference {}\n",
                self.particles,
                self.moves,
                self.ladder.text.as_deref().unwrap_or("adaptive"),
                self.reference.name()
            );
        }
        if *inner != (Inner { method: inner.method, ..Inner::default() }) {
            let count = |v: Option<u32>| v.map_or("usual".to_string(), |v| v.to_string());
            out += &format!(
                "inner {}\nfresh {}\nburn-in {}\nstep {}\nlevels {}\ntime {}\n",
                count(inner.transitions),
                u8::from(inner.fresh),
                count(inner.burn_in),
                number(inner.step.unwrap_or(0.0)),
                count(inner.levels),
                number(inner.time.unwrap_or(0.0))
            );
        }
        out
    }
}

/// What else is wanted of the draws than what they come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Themselves.
    pub draws: bool,
    /// Their networks as a model: joint.
    pub model: bool,
}

/// Of how many hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One, given residuals, which are the target.
    Greedy,
    /// All of a network, with fixed outer weights.
    Joint,
}

impl Form {
    /// Both, by name.
    pub const NAMES: [(&'static str, Self); 2] = [("greedy", Self::Greedy), ("joint", Self::Joint)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// All that is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Posterior {
    /// Greedy or joint.
    pub form: Form,
    /// The activation.
    pub activation: Activation,
    /// The prior of each weight vector ...
    pub prior: PriorKind,
    /// ... and its sd or radius.
    pub scale: f64,
    /// Greedy: the tilt; `None`: 1/sqrt(n).
    pub alpha: Option<f64>,
    /// Joint: hidden units.
    pub neurons: u32,
    /// Joint: those of several hidden layers in their place; zeros: one layer.
    pub layers: [u32; DEEPEST],
    /// Joint: the outer weight V.
    pub outer: f64,
    /// Joint: the precision of the noise.
    pub beta: f64,
    /// Joint: the signs of the outer weights.
    pub signs: Signs,
}

impl Default for Posterior {
    fn default() -> Self {
        Self {
            form: Form::Greedy,
            activation: Activation::Tanh,
            prior: PriorKind::Gaussian,
            scale: 1.0,
            alpha: None,
            neurons: 8,
            layers: [0; DEEPEST],
            outer: 4.0,
            beta: 1.0,
            signs: Signs::Alternating,
        }
    }
}

impl Posterior {
    /// Whether it is of several hidden layers.
    pub fn is_layered(&self) -> bool {
        self.layers.iter().any(|units| *units > 0)
    }

    /// The hidden units: 8, or of layers 4-3.
    pub fn units(&self) -> String {
        let layers: Vec<String> =
            self.layers.iter().filter(|units| **units > 0).map(u32::to_string).collect();
        if layers.is_empty() { self.neurons.to_string() } else { layers.join("-") }
    }

    pub(super) fn of<'d, T: Number>(&self, data: Dataset<'d, T>) -> Result<Problem<'d, T>, Fault> {
        let prior = Prior::of(self.prior, T::lit(self.scale));
        let problem = match self.form {
            Form::Greedy => {
                let usual = || T::ONE / T::of_usize(data.n()).sqrt();
                let alpha = self.alpha.map_or_else(usual, T::lit);
                Problem::greedy(data, self.activation, prior, alpha)
            }
            Form::Joint if self.is_layered() => {
                let (widths, activation, signs) = (self.layers, self.activation, self.signs);
                let (outer, beta) = (T::lit(self.outer), T::lit(self.beta));
                let deep = Deep { data, activation, widths, outer, beta, signs };
                DeepPosterior::new(deep, prior).and_then(Problem::deep)
            }
            Form::Joint => {
                let (outer, beta) = (T::lit(self.outer), T::lit(self.beta));
                let neurons = self.neurons as usize;
                Problem::joint(data, self.activation, prior, neurons, outer, beta, self.signs)
            }
        };
        problem.map_err(at("the posterior"))
    }
}

/// A posterior and its rows. (A problem of the core may borrow a function that is not for other threads.)
#[derive(Clone, Copy)]
pub(super) struct About<'d, T> {
    pub(super) posterior: Posterior,
    pub(super) data: Dataset<'d, T>,
}

impl<'d, T: Number> About<'d, T> {
    pub(super) fn problem(&self) -> Result<Problem<'d, T>, Fault> {
        self.posterior.of(self.data)
    }
}

const MOST: u32 = 1000;

/// A ladder: adaptive, by rows, cooling, even, geometric, or given.
#[derive(Clone, Debug)]
pub struct Temperatures {
    /// How they are found.
    pub kind: Ladder,
    /// How many, at most.
    pub stages: u32,
    /// Adaptive and rows: the share of the particles that a step leaves.
    pub share: f64,
    /// Geometric: the first; cooling: the first sd.
    pub first: f64,
    /// Those given.
    pub given: Vec<f64>,
    /// As it was written.
    pub text: Option<String>,
}

impl Default for Temperatures {
    fn default() -> Self {
        let SmcOptions { share, first, .. } = SmcOptions::<f64>::default();
        let (kind, given, text) = (Ladder::Adaptive, Vec::new(), None);
        Self { kind, stages: MOST, share, first, given, text }
    }
}

/// NAME:NUMBER of a ladder with one number.
fn number(rest: Option<&str>, usual: f64, fits: impl Fn(f64) -> bool) -> Option<f64> {
    match rest {
        None => Some(usual),
        Some(text) => real(text).filter(|v| fits(*v)),
    }
}

fn count(text: &str) -> Option<u32> {
    let whole = |v: &f64| (1.0..=f64::from(MOST)).contains(v) && v.floor() == *v;
    real(text).filter(whole).map(|v| v as u32)
}

/// Increasing in single precision too, and up to 1.
fn list(text: &str) -> Option<Vec<f64>> {
    let given = text.split(',').map(real).collect::<Option<Vec<f64>>>()?;
    let mut last = 0.0_f32;
    let climbs = given.iter().all(|t| {
        let more = *t as f32 > last;
        last = *t as f32;
        more
    });
    (climbs && given.len() <= MOST as usize && given.last() == Some(&1.0)).then_some(given)
}

impl Temperatures {
    fn read(text: &str) -> Option<Self> {
        let mut own = Self { text: Some(text.into()), ..Self::default() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let share = |v: f64| v > 0.0 && v < 1.0;
        match (name, rest) {
            ("adaptive", _) => own.share = number(rest, own.share, share)?,
            ("rows", _) => {
                (own.kind, own.share) = (Ladder::Rows, number(rest, own.share, share)?);
            }
            ("cooling", _) => {
                let first = number(rest, own.first, |v| v > 0.0 && v <= 1.0)?;
                (own.kind, own.first) = (Ladder::Cooling, first);
            }
            ("even", Some(rest)) => (own.kind, own.stages) = (Ladder::Even, count(rest)?),
            ("geometric", Some(rest)) => {
                let (stages, first) = rest.split_once(':')?;
                (own.kind, own.stages) = (Ladder::Geometric, count(stages)?);
                own.first = real(first).filter(|v| share(*v))?;
            }
            _ => {
                own.given = list(text)?;
                (own.kind, own.stages) = (Ladder::Given, own.given.len() as u32);
            }
        }
        Some(own)
    }

    /// adaptive\[:SHARE\], rows\[:SHARE\], cooling\[:SD\], even:K, geometric:K:FIRST, or temperatures separated by commas.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text.len() > 2000 {
            return Err(Fault::usage("--ladder: longer than 2000 characters"));
        }
        Self::read(text).ok_or_else(|| {
            Fault::usage(format!(
                "--ladder: \"{text}\" is none of adaptive, adaptive:SHARE, rows, rows:SHARE, even:K, geometric:K:FIRST \
                 with at most {MOST} temperatures, and no increasing list of temperatures above 0 that ends in 1"
            ))
        })
    }
}
