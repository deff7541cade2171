//! Calibration by ranks.
//!
//! If (theta_0, y) is drawn from the joint law and theta_1, ..., theta_L are drawn so that, given y,
//! all L + 1 are exchangeable, the rank of t(theta_0) among t(theta_0), ..., t(theta_L) is uniform on
//! 0, ..., L for every function t (of theta and y), ties broken at random. So are ranks among L fresh
//! draws of (theta, y) if theta_1 alone has the right law: Geweke (2004), Cook, Gelman and Rubin (2006),
//! Talts et al. (2018).
//!
//! Exchangeable draws of a chain that need not have converged are those of Besag and Clifford (1989):
//! from theta_0 run the *reversed* kernel k steps to a hub, and from the hub L independent chains of k
//! steps of the kernel. A kernel with detailed balance is its own reverse; that of a sequence of such
//! kernels is the sequence backwards.

use crate::tools::runs;
use lcc_core::random::{Purpose, Stream};

/// L: the lanes of one block.
pub const LANES: usize = 8;

/// The least p-value that a correct sampler may have. The tests of calibration look at some 1600
/// statistics, so that all of them pass with probability above 1 - 2e-4 (before the seeds were fixed;
/// now always). With 4000 replicates a statistic fails whose shares of ranks are off by a tenth; with the
/// 1000 of the quick tier, if by a fifth.
pub const LEAST: f64 = 1e-7;

/// The replicates of this tier, of as many in the long one: the first quarter.
pub fn replicates(long: u64) -> u64 {
    runs(long / 4, long)
}

/// Ranks of several statistics over many replicates.
#[derive(Clone, Debug)]
pub struct Ranks {
    what: String,
    names: Vec<String>,
    counts: Vec<[u32; LANES + 1]>,
    tolerance: f64,
    ties: Stream,
}

impl Ranks {
    /// No ranks yet. `what` heads the report; values whose relative difference is within `tolerance`
    /// are ties.
    pub fn new(what: &str, names: &[String], tolerance: f64) -> Self {
        Self {
            what: what.into(),
            names: names.to_vec(),
            counts: vec![[0; LANES + 1]; names.len()],
            tolerance,
            ties: Stream::new(0x7135, 0, Purpose::Predictive),
        }
    }

    /// One replicate: every statistic of one draw, and of the others.
    pub fn add(&mut self, one: &[f64], others: &[Vec<f64>]) {
        assert_eq!(others.len(), LANES);
        for (k, (x, counts)) in one.iter().zip(&mut self.counts).enumerate() {
            let (mut below, mut equal) = (0, 0);
            for other in others {
                assert!(!x.is_nan() && !other[k].is_nan(), "{}: {}", self.what, self.names[k]);
                let tie = (other[k] - x).abs() <= self.tolerance * x.abs();
                equal += usize::from(tie);
                below += usize::from(!tie && other[k] < *x);
            }
            let u: f64 = self.ties.uniform();
            let tie = ((u * (equal + 1) as f64) as usize).min(equal);
            counts[below + tie] += 1;
        }
    }

    /// The probability of a chi-square statistic of the counts as large as this one, had they been
    /// uniform, for each statistic.
    pub fn p_values(&self) -> Vec<f64> {
        self.counts.iter().map(p_value).collect()
    }

    /// The smallest p-value and whose it is.
    pub fn worst(&self) -> (f64, &str) {
        let all = self.p_values().into_iter().zip(&self.names);
        let (p, name) = all.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a statistic");
        (p, name)
    }

    /// Prints the smallest p-value; with those of `verbose` also the counts of every statistic.
    pub fn report(&self, verbose: bool) {
        let (p, name) = self.worst();
        println!("{:58} {:3} statistics, least p {p:8.1e} ({name})", self.what, self.names.len());
        for ((name, counts), p) in self.names.iter().zip(&self.counts).zip(self.p_values()) {
            if verbose {
                println!("    {name:12} {p:8.1e} {counts:?}");
            }
        }
    }

    /// Every statistic is uniform.
    pub fn check(&self) {
        self.check_above(LEAST);
    }

    /// The same where fewer statistics, and with them fewer replicates, allow another least p-value.
    pub fn check_above(&self, least: f64) {
        let (p, _) = self.worst();
        self.report(p < least);
        assert!(p >= least, "{} is not calibrated", self.what);
    }

    /// Some statistic is not: what a wrong sampler must show, by far.
    pub fn check_detected(&self) {
        let (p, _) = self.worst();
        self.report(p > LEAST * LEAST);
        assert!(p <= LEAST * LEAST, "{} went unnoticed", self.what);
    }
}

/// The upper tail of chi-square at the statistic of counts that should be equal: with 8 degrees of
/// freedom exp(-x/2) sum_{k < 4} (x/2)^k / k!.
fn p_value(counts: &[u32; LANES + 1]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    let half =
        counts.iter().map(|c| (f64::from(*c) - expected).powi(2)).sum::<f64>() / expected / 2.0;
    (-half).exp() * (1.0 + half * (1.0 + half / 2.0 * (1.0 + half / 3.0)))
}
