//! How well a model of classes tells rows from noise.

use crate::fault::Fault;
use crate::predict::{Predictions, predict};
use crate::random::Dealer;
use crate::rows::Rows;

/// What a model says of rows of noise.
#[derive(Clone, Copy, Debug)]
pub struct NoiseFacts {
    /// Rows of noise.
    pub n: usize,
    /// The area under the ROC curve of noise against rows, by the entropy of the class.
    pub auroc_entropy: f64,
    /// By the mutual information of class and draw.
    pub auroc_mutual: f64,
    /// Mean largest probability.
    pub top: f64,
    /// The point fit's; NaN without one.
    pub point_top: f64,
}

/// Rows of noise and what is said of them.
#[derive(Clone, Debug)]
pub struct NoiseTrial {
    /// Of the noise.
    pub said: Predictions,
    /// A point fit's, of the rows and of the noise.
    pub point: Option<[Predictions; 2]>,
    /// What it comes to.
    pub facts: NoiseFacts,
}

/// Rows that are uniform in the range that each column of `range` has.
fn noise(range: &Rows, count: usize, seed: u64) -> Rows {
    let mut dealer = Dealer(seed);
    let ends = |k: usize| {
        let own = (0..range.n).map(|i| range.x[i * range.d + k]);
        own.fold((f64::INFINITY, -f64::INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let ends: Vec<(f64, f64)> = (0..range.d).map(ends).collect();
    let mut x = Vec::with_capacity(count * range.d);
    for _ in 0..count {
        for (low, high) in &ends {
            let u = dealer.uniform();
            x.push(low * (1.0 - u) + high * u);
        }
    }
    let table = range.table.clone();
    let (origin, source) = (vec![0; count], vec![0; range.d]);
    Rows {
        n: count,
        d: range.d,
        x,
        y: None,
        origin,
        source,
        outside: None,
        table,
        target: range.target,
    }
}

/// The probability that a row of noise has the larger value, of equals half.
fn auroc(rows: &[f64], noise: &[f64]) -> f64 {
    let mut sorted = rows.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins = |x: &f64| {
        let below = sorted.partition_point(|own| own < x);
        let not_above = sorted.partition_point(|own| own <= x);
        0.5 * (below + not_above) as f64
    };
    let sum: f64 = noise.iter().fold(0.0, |sum, x| sum + wins(x));
    sum / (rows.len() as f64 * noise.len() as f64)
}

fn mean_top(p: &Predictions) -> f64 {
    p.top.iter().fold(0.0, |sum, top| sum + top) / p.n as f64
}

impl NoiseTrial {
    /// A model, and a point fit where there is one, on as many rows of noise in the range of `range` as were predicted.
    pub fn run(
        model: &[u8],
        point: Option<&[u8]>,
        range: &Rows,
        rows: &Rows,
        p: &Predictions,
        seed: u64,
    ) -> Result<Self, Fault> {
        let noise = noise(range, p.n, seed);
        let said = predict(model, &noise, p.level)?;
        let both = |m: &[u8]| Ok([predict(m, rows, p.level)?, predict(m, &noise, p.level)?]);
        let point = point.map(both).transpose()?;
        let facts = NoiseFacts {
            n: said.n,
            auroc_entropy: auroc(&p.entropy, &said.entropy),
            auroc_mutual: auroc(&p.mutual, &said.mutual),
            top: mean_top(&said),
            point_top: point.as_ref().map_or(f64::NAN, |[_, noise]| mean_top(noise)),
        };
        Ok(Self { said, point, facts })
    }
}
