//! Certificates: whether the law of the coupling is log-concave.

use super::held::Held;
use super::settings::{About, Posterior};
use super::settings::{ChainSettings, Sampler};
use crate::engine::{Copied, Memory, Number, in_precision};
use crate::fault::{Fault, at};
use crate::network::Pace;
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::certificate::{
    Certificates, Conclusion, Kind, ProbeOptions, Probes, Status, probe, probe_size,
};
use lcc_core::coupling::Sides;
use lcc_core::simd::Isa;
use web_time::Instant;

const DRAWS: &str = "the draws of w";

/// How the xi of a posterior are visited.
#[derive(Clone, Copy, Debug)]
pub struct ProbeSettings {
    /// What draws the w that they are drawn from.
    pub chains: ChainSettings,
    /// How often.
    pub probes: u32,
    /// Draws of each chain given one xi.
    pub inner: u32,
}

/// One certificate.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which.
    pub kind: Kind,
    /// What it says.
    pub status: Status,
    /// The number that must be below the threshold.
    pub value: f64,
    /// The threshold.
    pub threshold: f64,
    /// The Monte Carlo standard error of an estimate.
    pub error: f64,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Certified {
    /// Significant digits of the precision.
    pub digits: usize,
    /// The certificates.
    pub list: Vec<Entry>,
    /// What they allow to be said.
    pub conclusion: Conclusion,
    /// In words.
    pub verdict: String,
    /// Searches that were made.
    pub probes: u32,
    /// Visited xi.
    pub visited: u32,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// What it took.
    pub seconds: f64,
}

impl Certified {
    /// The one that decides.
    pub fn deciding(&self) -> Option<&Entry> {
        let status = match self.conclusion {
            Conclusion::AlreadyLogConcave => Status::AlreadyLogConcave,
            Conclusion::Proved => Status::Proved,
            Conclusion::Conditional => Status::Conditional,
            Conclusion::Empirical => Status::Empirical,
            Conclusion::NotLogConcave => Status::NotLogConcave,
            Conclusion::Unknown => Status::NotSatisfied,
        };
        let own = self.list.iter().filter(|entry| entry.status == status);
        let ratio = |entry: &Entry| entry.value / entry.threshold;
        own.reduce(|best, entry| if ratio(entry) < ratio(best) { entry } else { best })
    }
}

/// Evaluates all certificates, with visits of xi where they are asked for.
pub fn certify(
    posterior: &Posterior,
    s: &ProbeSettings,
    rows: &Rows,
    watch: &dyn Watch,
) -> Result<Certified, Fault> {
    in_precision!(s.chains.double, T => {
        let copy = Copied::<T>::of(rows);
        certify_in(&About { posterior: *posterior, data: copy.data()? }, s, watch)
    })
}

/// Those that need no draws, where they cost no more than a few seconds; elsewhere none, and the verdict says so.
pub fn certify_quick(
    posterior: &Posterior,
    chains: &ChainSettings,
    rows: &Rows,
    watch: &dyn Watch,
) -> Certified {
    let least = rows.n.min(rows.d) as f64;
    let s = ProbeSettings { chains: *chains, probes: 0, inner: 0 };
    // Singular values of a larger matrix take minutes.
    let quick = least * least * rows.d as f64 <= 3e7;
    let quick = quick && !posterior.is_layered();
    let own = if quick { certify(posterior, &s, rows, watch).map_err(Some) } else { Err(None) };
    own.unwrap_or_else(|fault| {
        if let Some(fault) = fault {
            watch.say(&fault.to_string());
        }
        Certified {
            digits: 0,
            list: Vec::new(),
            conclusion: Conclusion::Unknown,
            verdict: match posterior.is_layered() {
                true => "Certificates are of one hidden layer.".into(),
                false => format!("Not evaluated for {} inputs: ask lcc certify.", rows.d),
            },
            probes: 0,
            visited: 0,
            interrupted: false,
            seconds: 0.0,
        }
    })
}

fn certify_in<T: Number>(
    about: &About<'_, T>,
    s: &ProbeSettings,
    watch: &dyn Watch,
) -> Result<Certified, Fault> {
    let (began, doing, problem) = (Instant::now(), "the certificates", about.problem()?);
    let size = Certificates::scratch(&problem);
    let mut scratch = vec![T::ZERO; size.ok_or_else(|| Fault::failed("the run is too large"))?];
    let mut all = Certificates::of(&problem, &mut scratch).map_err(at(doing))?;
    let (mut probes, mut interrupted) = (0, false);
    // Without a coupling there is no xi to visit.
    if s.probes > 0 && all.coupling_error().is_none() {
        let mut drawn = draw(about, s, watch)?;
        if !watch.stopped() {
            let found = visit(about, s, &mut drawn, &mut probes, watch)?;
            all = found.map_or(all.clone(), |found| all.with_probes(&found));
        }
        interrupted = watch.stopped();
    }
    let entry = |c: &lcc_core::certificate::Certificate<T>| Entry {
        kind: c.kind,
        status: c.status,
        value: c.value.to_f64(),
        threshold: c.threshold.to_f64(),
        error: c.error.to_f64(),
    };
    Ok(Certified {
        digits: T::DIGITS,
        list: all.iter().map(entry).collect(),
        conclusion: all.conclusion(),
        verdict: all.to_string(),
        probes,
        visited: all.probes(),
        interrupted,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Draws of w, enough of them or until it is stopped.
fn draw<'d, T: Number>(
    about: &About<'d, T>,
    s: &ProbeSettings,
    watch: &dyn Watch,
) -> Result<Held<'d, T>, Fault> {
    let chains = &s.chains;
    let mut held = match chains.sampler {
        Sampler::Auto => Held::chooser(*about, &chains.chooser(chains.chains), DRAWS)?,
        _ => Held::chains(*about, &chains.options(), None, DRAWS)?,
    };
    held.doing = DRAWS;
    Pace::new(watch).drive(&mut held, |_| Ok(()))?;
    Ok(held)
}

/// Draw number `which` of `count` that are evenly spread over all draws of all chains, and another half as many further on,
/// of half as many chains further on.
fn pick<T: Number>(
    held: &mut Held<'_, T>,
    which: u32,
    count: u32,
) -> Result<(Vec<T>, Vec<T>), Fault> {
    held.with_record(|r| {
        let draw = (r.draws as f64 * (f64::from(which) + 0.5) / f64::from(count)) as usize;
        let other = (draw + r.draws / 2) % r.draws;
        let chain = which as usize % r.chains;
        let its_chain = (which as usize + r.chains / 2) % r.chains;
        let w = |chain, draw| (0..r.dim).map(|j| r.at(j, chain, draw)).collect();
        Ok((w(chain, draw), w(its_chain, other)))
    })
}

/// Visits xi, a few at a time.
fn visit<T: Number>(
    about: &About<'_, T>,
    s: &ProbeSettings,
    held: &mut Held<'_, T>,
    probes: &mut u32,
    watch: &dyn Watch,
) -> Result<Option<Probes<T>>, Fault> {
    let (doing, problem) = ("the probes", about.problem()?);
    let options = ProbeOptions {
        coupling: s.chains.coupling.unwrap_or(Sides::OneSided).into(),
        reduced: s.chains.reduced.into(),
        draws: s.inner,
        seed: s.chains.seed,
        ..ProbeOptions::default()
    };
    let mut memory = Memory::try_new(probe_size(&problem, &options).map_err(at(doing))?, doing)?;
    let mut found: Option<Probes<T>> = None;
    while *probes < s.probes && !watch.stopped() {
        let (w, other) = pick(held, *probes, s.probes)?;
        let own =
            probe(Isa::detect(), &problem, &options, &w, Some(&other), *probes, memory.bytes())
                .map_err(at(doing))?;
        found = Some(found.map_or(own, |before| before.with(&own)));
        *probes += 1;
    }
    Ok(found)
}
