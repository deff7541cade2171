//! A case of chains of part of the rows whose laws are known: y ~ N(theta, 1), and what minibatches make of it.

use crate::posteriors::Aligned;
use crate::quadrature::legendre;
use crate::tools::runs;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::{Output, Scales};
use lcc_core::simd::Isa;

/// One parameter theta ~ N(0, 2^2), y ~ N(theta, 1), 64 rows of sample variance 1, minibatches of 16.
pub struct Mean {
    /// The targets.
    pub y: Vec<f64>,
    /// A column of ones.
    pub x: Vec<f64>,
}

/// The prior's sd.
pub const SD: f64 = 2.0;
/// Rows.
pub const ROWS: usize = 64;
/// Rows of a minibatch.
pub const BATCH: usize = 16;
/// The step in units of theta.
pub const STEP: f64 = 0.35;

impl Mean {
    /// Normal quantiles about .3.
    pub fn of_quantiles() -> Self {
        let quantile = |p: f64| {
            let (mut low, mut high) = (-9.0, 9.0);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                let below = 0.5 * libm::erfc(-middle / std::f64::consts::SQRT_2);
                if below < p { low = middle } else { high = middle }
            }
            low
        };
        let mut y: Vec<f64> = (0..ROWS).map(|i| quantile((i as f64 + 0.5) / ROWS as f64)).collect();
        let variance = y.iter().map(|y| y * y).sum::<f64>() / (ROWS - 1) as f64;
        y.iter_mut().for_each(|y| *y = 0.3 + *y / variance.sqrt());
        Self { y, x: vec![1.0; ROWS] }
    }

    /// Its rows.
    pub fn data(&self) -> Dataset<'_, f64> {
        Dataset::new(Inputs::row_major(&self.x, ROWS, 1).unwrap(), &self.y).unwrap()
    }

    /// Chains of it, by fixed steps.
    pub fn options(method: BnnMethod) -> BnnOptions<f64> {
        BnnOptions {
            method: method.into(),
            widths: [0; 4],
            scales: Scales::Known.into(),
            linear_scale: SD,
            intercept_sd: 0.0,
            standardise: false.into(),
            output: Output::Gaussian.into(),
            noise: 1.0,
            chains: 32,
            lanes: 1,
            drop: false.into(),
            start_steps: 0,
            warmup: 10,
            leapfrogs: 8,
            draws: runs(150, 400),
            keep: runs(150, 400),
            trace_rows: 0,
            batch: BATCH as u32,
            step: STEP / SD,
            seed: 5,
            ..BnnOptions::default()
        }
    }
}

/// For each chain the means of functions of its draws, w being what the linear part has.
pub fn chain_means(
    options: &BnnOptions<f64>,
    data: &Dataset<'_, f64>,
    functions: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut memory = Aligned::new(Bnn::size(options, data.n(), data.d()).unwrap());
    let mut network = Bnn::init(memory.bytes(), options, Isa::detect(), data).unwrap();
    while network.step(data, u64::MAX).unwrap() == Status::Running {}
    (0..network.chains())
        .map(|c| {
            let mut sums = vec![];
            for k in 0..network.kept() {
                let values = functions(&network.kept_draw(c, k).unwrap()[1..=data.d()]);
                sums.resize(values.len(), 0.0);
                sums.iter_mut().zip(values).for_each(|(s, v)| *s += v / network.kept() as f64);
            }
            sums
        })
        .collect()
}

/// The variance of the stationary law of a walk with noisy changes, in units of the tempered one: transitions between
/// places of a grid, the noise normal with the variance that minibatches without replacement have.
pub fn stationary_ratio(accepts: impl Fn(f64, f64) -> f64) -> f64 {
    let lambda = 1.0 / (SD * SD) + BATCH as f64;
    let width = 0.02;
    let places: Vec<f64> = (-110..=110).map(|k| k as f64 * width).collect();
    let count = places.len();
    // Of a sum of 16 of 64 rows.
    let spread = (BATCH as f64 * (1.0 - BATCH as f64 / ROWS as f64)).sqrt();
    let mut transition = vec![0.0; count * count];
    for (i, from) in places.iter().enumerate() {
        let mut stays = 1.0;
        for (j, to) in places.iter().enumerate().filter(|(j, _)| *j != i) {
            let by = to - from;
            let proposed = width * (-0.5 * (by / STEP).powi(2)).exp()
                / (STEP * (2.0 * std::f64::consts::PI).sqrt());
            let change = 0.5 * lambda * (to * to - from * from);
            let p =
                if proposed < 1e-12 { 0.0 } else { proposed * accepts(change, by.abs() * spread) };
            transition[i * count + j] = p;
            stays -= p;
        }
        transition[i * count + i] = stays;
    }
    let mut law = vec![1.0 / count as f64; count];
    for _ in 0..400 {
        let mut next = vec![0.0; count];
        for (p, row) in law.iter().zip(transition.chunks(count)) {
            next.iter_mut().zip(row).for_each(|(n, t)| *n += p * t);
        }
        law = next;
    }
    let square = law.iter().zip(&places).map(|(p, x)| p * x * x).sum::<f64>();
    square * lambda
}

/// E min(1, e^-(delta + u)), delta ~ N(change, s^2).
pub fn metropolis(change: f64, s: f64, u: f64) -> f64 {
    let cdf = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    let total = change + u;
    cdf(-total / s) + (0.5 * s * s - total).exp() * cdf(total / s - s)
}

/// Chi-square_{M-1}/(M - 1), with weights: over its root, by a rule on [0, 1].
pub fn chi_square(unit: &[(f64, f64)], m: u32) -> impl Iterator<Item = (f64, f64)> + '_ {
    let k = m as f64 - 1.0;
    let constant = -libm::lgamma(0.5 * k) - (0.5 * k - 1.0) * 2.0_f64.ln();
    let (low, high) = ((k.sqrt() - 7.0).max(0.0), k.sqrt() + 7.0);
    unit.iter().map(move |(x, w)| {
        let r = low + (high - low) * x;
        let density = (constant + (k - 1.0) * r.ln() - 0.5 * r * r).exp();
        (r * r / k, w * (high - low) * density)
    })
}

/// [`stationary_ratio`] without a penalty, by the mean change of so many minibatches.
pub fn batched_ratio(m: u32) -> f64 {
    stationary_ratio(|change, s| metropolis(change, s / f64::from(m).sqrt(), 0.0))
}

/// The same with an estimated penalty.
pub fn penalised_ratio(rule: Penalty, m: u32) -> f64 {
    let chi: Vec<(f64, f64)> = chi_square(&legendre(100, 0.0, 1.0), m).collect();
    stationary_ratio(|change, s| {
        let s = s / f64::from(m).sqrt();
        let of = |(v, w): &(f64, f64)| {
            let (v, m) = (v * s * s, f64::from(m));
            let more = v * v / (4.0 * (m + 1.0)) + v * v * v / (3.0 * (m + 1.0) * (m + 3.0));
            let u = if rule == Penalty::Series { 0.5 * v + more } else { 0.5 * v };
            w * metropolis(change, s, u)
        };
        chi.iter().map(of).sum()
    })
}
