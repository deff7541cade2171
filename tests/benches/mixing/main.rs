//! How long xi takes to mix, beside what the theory says of it: Langevin on xi, and coupled Gibbs, from
//! \[B\]'s start xi ~ N(0, I/rho).
//!
//! `cargo bench -p lcc-tests --bench mixing -- [--chains 2048] [--only WORDS] [--out FOLDER]` writes
//! `mixing.md` and `mixing.svg` into tests/results. What is measured, and how, is said in the table's
//! head (`report.rs`).
//!
//! The chains run on R w + Z, R'R = X' diag(rho) X ([`lcc_core::coupling::Triangular`]). Its law, both
//! samplers and the start are those of the n-dimensional xi projected on the range of the signals; what
//! is left of xi is noise, which no data touch and which relaxes as fast as noise does.

mod chains;
mod exact;
mod report;
mod settings;

use chains::{Ensemble, Way};
use exact::{Exact, Memory};
use settings::{Setting, settings};

/// The Kolmogorov distance within which a law counts as reached.
const NEAR: f64 = 0.06;

/// The times for which the diffusion is run, and the iterations of coupled Gibbs.
const TIME: f64 = 20.0;
const SWEEPS: usize = 50;

/// What was seen of one sampler.
pub(crate) struct Seen {
    /// The first time from which on both statistics are near their laws; none if they are not at the end.
    mixed: Option<f64>,
    /// Integrated autocorrelation time at stationarity; none where that was not reached.
    memory: Option<Memory>,
    /// The larger of the two distances at the start and at the end.
    start: f64,
    end: f64,
}

/// What was seen of one posterior.
pub(crate) struct Row {
    setting: Setting,
    /// E|A w|^2/2, which bounds the relative entropy of the start.
    entropy: f64,
    langevin: Seen,
    gibbs: Seen,
}

/// Runs one sampler from \[B\]'s start, then from the exact law where that can be drawn, else on from where it is.
fn see(setting: &Setting, exact: &Exact, way: Way, count: usize) -> Seen {
    let (unit, steps) = match way {
        Way::Langevin { h, .. } => (h, (TIME / h).round() as usize),
        Way::Gibbs { .. } => (1.0, SWEEPS),
    };
    let mut chains = Ensemble::new(setting, exact, way, count);
    let distance = |chains: &Ensemble| {
        let statistics = exact.statistics.iter();
        statistics.map(|s| s.distance(&chains.values(s))).fold(0.0, f64::max)
    };
    let mut distances = vec![distance(&chains)];
    for _ in 0..steps {
        chains.step();
        distances.push(distance(&chains));
    }
    let last_far = distances.iter().rposition(|d| *d > NEAR);
    let mixed = match last_far {
        None => Some(0.0),
        Some(k) if k + 1 < distances.len() => Some((k + 1) as f64 * unit),
        Some(_) => None,
    };
    let stationary = match exact.draws(setting, count) {
        Some(w) => {
            chains.place(&w);
            true
        }
        None => mixed.is_some(),
    };
    let memory = stationary.then(|| {
        let mut series: Vec<Vec<Vec<f64>>> = vec![Vec::new(); exact.statistics.len()];
        for _ in 0..steps {
            series.iter_mut().zip(&exact.statistics).for_each(|(v, s)| v.push(chains.values(s)));
            chains.step();
        }
        let each = series.iter().zip(&exact.statistics).map(|(v, s)| s.memory(v));
        let longest = each.max_by(|a, b| a.time.total_cmp(&b.time)).expect("statistics");
        Memory { time: longest.time * unit, ..longest }
    });
    let (start, end) = (distances[0], distances[distances.len() - 1]);
    Seen { mixed, memory, start, end }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.get(args.iter().position(|a| a == name)? + 1).cloned();
    let chains = value("--chains").map_or(2048, |v| v.parse().expect("a number"));
    let only = value("--only").unwrap_or_default();
    let out = value("--out").map_or(lcc_tests::tools::root().join("tests/results"), Into::into);
    let mut rows = Vec::new();
    for setting in settings().into_iter().filter(|s| s.name().contains(&only)) {
        let exact = Exact::new(&setting);
        let langevin = see(&setting, &exact, Way::Langevin { h: 0.25, inner: 4 }, chains);
        let gibbs = see(&setting, &exact, Way::Gibbs { inner: 4 }, chains);
        let row = Row { setting, entropy: exact.entropy, langevin, gibbs };
        println!("{}", report::line(&row));
        rows.push(row);
    }
    if only.is_empty() {
        std::fs::write(out.join("mixing.md"), report::table(&rows, chains)).expect("the table");
        std::fs::write(out.join("mixing.svg"), report::figure(&rows)).expect("the figure");
    }
}
