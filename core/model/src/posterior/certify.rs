//! Is the distribution of the coupling log-concave? Every certificate of the core, and a search for xi that refute it.

use super::drawn::Drawn;
use super::{Posterior, Sampled, in_precision};
use crate::engine::{Copied, Memory};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::certificate::{
    Certificates, Conclusion, Kind, ProbeOptions, Probes, Status, probe, probe_size,
};
use lcc_core::problem::Problem;
use lcc_core::simd::Isa;
use std::time::Instant;

/// One certificate.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which.
    pub kind: Kind,
    /// What it says.
    pub status: Status,
    /// What must be below the threshold; NaN where it does not apply.
    pub value: f64,
    /// The threshold.
    pub threshold: f64,
    /// The Monte Carlo standard error of an estimate.
    pub error: f64,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Certified {
    /// Those that there are.
    pub entries: Vec<Entry>,
    /// The strongest thing that they allow to be said.
    pub conclusion: Conclusion,
    /// What to do, in words.
    pub verdict: String,
    /// Searches that were made.
    pub probes: u32,
    /// Visited xi.
    pub visited: u32,
    /// Whether it was stopped.
    pub interrupted: bool,
    /// That it took.
    pub seconds: f64,
}

/// Certifies; with so many searches, each by so many draws of each inner chain.
pub fn certify(
    s: &Posterior,
    rows: &Rows,
    (probes, inner): (u32, u32),
    watch: &dyn Watch,
) -> Result<Certified, Fault> {
    s.check(rows)?;
    in_precision!(s.double, T => certify_in::<T>(s, rows, (probes, inner), watch))
}

/// Draw number `which` of `count` that are evenly spread over all draws of all chains; and one half as many further on, of
/// half as many chains further on.
fn pick<T: Sampled>(
    drawn: &mut Drawn<'_, T>,
    dim: usize,
    which: u32,
    count: u32,
) -> Result<[Vec<T>; 2], Fault> {
    let mut both = [Vec::with_capacity(dim), Vec::with_capacity(dim)];
    for j in 0..dim {
        let pair = drawn.coordinate(j, |chains, draws, value| {
            let draw = (draws as f64 * (f64::from(which) + 0.5) / f64::from(count)) as usize;
            let (chain, other) = (which as usize % chains, (draw + draws / 2) % draws);
            [value(chain, draw), value((which as usize + chains / 2) % chains, other)]
        })?;
        both.iter_mut().zip(pair).for_each(|(w, value)| w.push(value));
    }
    Ok(both)
}

/// Visits xi, a few at a time. What they show, and how many searches there were.
fn search<T: Sampled>(
    s: &Posterior,
    problem: &Problem<'_, T>,
    (count, inner): (u32, u32),
    watch: &dyn Watch,
) -> Result<(Option<Probes<T>>, u32), Fault> {
    let mut drawn = Drawn::new(s, problem, "the draws of w")?;
    if !drawn.run(watch)? {
        return Ok((None, 0));
    }
    let options = ProbeOptions {
        coupling: s.coupling.into(),
        reduced: s.reduced.into(),
        draws: inner,
        seed: s.seed,
        ..ProbeOptions::default()
    };
    let doing = "the probes";
    let mut memory = Memory::new(probe_size(problem, &options).map_err(at(doing))?);
    let mut all: Option<Probes<T>> = None;
    for which in 0..count {
        if watch.stopped() {
            return Ok((all, which));
        }
        let [w, other] = pick(&mut drawn, problem.dim(), which, count)?;
        let found =
            probe(Isa::detect(), problem, &options, &w, Some(&other), which, memory.bytes())
                .map_err(at(doing))?;
        all = Some(all.map_or(found, |all| all.with(&found)));
    }
    Ok((all, count))
}

fn certify_in<T: Sampled>(
    s: &Posterior,
    rows: &Rows,
    (probes, inner): (u32, u32),
    watch: &dyn Watch,
) -> Result<Certified, Fault> {
    let began = Instant::now();
    let copy = Copied::<T>::of(rows);
    let problem = s.problem(&copy)?;
    let doing = "the certificates";
    let scratch = Certificates::scratch(&problem).ok_or_else(|| Fault::failed("too many rows"))?;
    let mut all = Certificates::of(&problem, &mut vec![T::ZERO; scratch]).map_err(at(doing))?;
    let mut done = 0;
    // Without a coupling there is no xi to visit.
    if probes > 0 && all.coupling_error().is_none() {
        let found;
        (found, done) = search(s, &problem, (probes, inner), watch)?;
        if let Some(found) = found {
            all = all.with_probes(&found);
        }
    }
    let entry = |c: &lcc_core::certificate::Certificate<T>| Entry {
        kind: c.kind,
        status: c.status,
        value: c.value.to_f64(),
        threshold: c.threshold.to_f64(),
        error: c.error.to_f64(),
    };
    Ok(Certified {
        entries: all.iter().map(entry).collect(),
        conclusion: all.conclusion(),
        verdict: all.to_string(),
        probes: done,
        visited: all.probes(),
        interrupted: watch.stopped(),
        seconds: began.elapsed().as_secs_f64(),
    })
}
