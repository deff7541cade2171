//! Whether a model of numbers is calibrated: where measured values stand in their predictive distributions.

use super::Report;
use crate::fault::Fault;

/// Parts of a distribution that are as probable as each other.
pub const BINS: usize = 20;
/// The ends of wider intervals, beside the quantiles between the parts.
const WIDER: [f64; 4] = [0.005, 0.025, 0.975, 0.995];
const LEVELS: usize = BINS - 1 + WIDER.len();
const MOST_ROWS: usize = 1000;
/// Intervals, and the place of their lower end among the quantiles.
const INTERVALS: [(f64, usize); 5] = [(0.5, 6), (0.8, 3), (0.9, 2), (0.95, 1), (0.99, 0)];

/// Of the rows.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Rows that were looked at.
    pub n: usize,
    /// Shares of them in each part of their distribution.
    pub shares: [f64; BINS],
    /// Central intervals.
    pub intervals: Vec<Coverage>,
}

/// Of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// Its probability.
    pub level: f64,
    /// The share of rows inside.
    pub held: f64,
    /// Its mean width.
    pub width: f64,
}

/// A count spreads its row over all parts that its probability spans (Czado, Gneiting and Held 2009).
fn count(own: &[f64], y: f64, n: f64, shares: &mut [f64; BINS]) {
    let cuts = &own[WIDER.len() / 2..][..BINS - 1];
    let first = cuts.iter().filter(|q| **q < y).count();
    let last = cuts.iter().filter(|q| **q <= y).count();
    let part = 1.0 / (last - first + 1) as f64 / n;
    shares[first..=last].iter_mut().for_each(|share| *share += part);
}

impl Report {
    /// Of numbers and counts.
    pub fn calibration(&self) -> Result<Option<Calibration>, Fault> {
        let Some(some) = self.rows.as_ref().map(|rows| rows.spread(MOST_ROWS)) else {
            return Ok(None);
        };
        let between = (1..BINS).map(|k| k as f64 / BINS as f64);
        let p: Vec<f64> =
            WIDER[..2].iter().copied().chain(between).chain(WIDER[2..].iter().copied()).collect();
        let q = self.subject()?.quantiles(&some, &p)?;
        let (y, n) = (some.targets(), some.n as f64);
        let mut shares = [0.0; BINS];
        for (own, y) in q.chunks_exact(LEVELS).zip(y) {
            count(own, *y, n, &mut shares);
        }
        let interval = |(level, at): (f64, usize)| {
            let (mut held, mut sum) = (0.0, 0.0);
            for (own, y) in q.chunks_exact(LEVELS).zip(y) {
                let (low, high) = (own[at], own[LEVELS - 1 - at]);
                held += if *y >= low && *y <= high { 1.0 } else { 0.0 };
                sum += high - low;
            }
            Coverage { level, held: held / n, width: sum / n }
        };
        Ok(Some(Calibration { n: some.n, shares, intervals: INTERVALS.map(interval).to_vec() }))
    }
}
