//! What the laws of xi are, by quadrature over w or from particles: p(xi) is the law of A w, smoothed by N(0, I).

use crate::settings::Setting;
use lcc_core::coupling::{Coupling, Triangular};
use lcc_core::density::Extent;
use lcc_core::likelihood::Likelihood;
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_core::smc::{Column, SmcOptions};
use lcc_tests::posteriors::particles;
use lcc_tests::quadrature::prior_rule;

/// Particles of the reference.
const PARTICLES: u32 = 8192;

/// u.xi with its law.
pub(crate) struct Statistic {
    /// u, of length 1.
    pub(crate) direction: Vec<f64>,
    mean: f64,
    variance: f64,
    /// The distribution function at low, low + step, ...
    low: f64,
    step: f64,
    law: Vec<f64>,
}

/// What is known of a posterior.
pub(crate) struct Exact {
    /// R, row by row from the diagonal on.
    pub(crate) factor: Vec<f64>,
    /// u.xi along E xi, and along the largest variance of A w.
    pub(crate) statistics: Vec<Statistic>,
    /// E|A w|^2/2: at least the relative entropy of N(0, I) to p(xi), which is a mixture of N(A w, I).
    pub(crate) entropy: f64,
    /// Points w with their probabilities.
    points: Vec<(Vec<f64>, f64)>,
}

impl Exact {
    pub(crate) fn new(setting: &Setting) -> Self {
        let problem = setting.numbers.problem();
        let (d, neurons) = (problem.d(), problem.neurons());
        let coupling = problem.coupling(&setting.rho).expect("a coupling");
        let mut factor = vec![0.0; setting.triangle()];
        factorise(&coupling, &mut factor);
        let points = match setting.case.prior {
            Prior::Gaussian { .. } => by_quadrature(setting),
            Prior::L1Ball { .. } => by_particles(setting),
        };
        let signal = |w: &[f64]| {
            let mut out = vec![0.0; d * neurons];
            let mut rows = factor.as_slice();
            for i in 0..d {
                let (row, rest) = rows.split_at(d - i);
                rows = rest;
                for m in 0..neurons {
                    let w = &w[m * d + i..(m + 1) * d];
                    out[i * neurons + m] = row.iter().zip(w).map(|(r, w)| r * w).sum();
                }
            }
            out
        };
        // The directions need no more than a part of the points.
        let every = (points.len() / 4096).max(1);
        let part: Vec<_> = points.iter().step_by(every).map(|(w, p)| (signal(w), *p)).collect();
        let total: f64 = part.iter().map(|(_, p)| p).sum();
        let mut mean = vec![0.0; d * neurons];
        for (s, p) in &part {
            mean.iter_mut().zip(s).for_each(|(m, s)| *m += p / total * s);
        }
        let mut top: Vec<f64> = (0..mean.len()).map(|k| 1.0 + (k % 7) as f64).collect();
        for _ in 0..40 {
            unit(&mut top);
            let mut next = vec![0.0; top.len()];
            for (s, p) in &part {
                let along: f64 = s.iter().zip(&mean).zip(&top).map(|((s, m), t)| (s - m) * t).sum();
                for ((next, s), m) in next.iter_mut().zip(s).zip(&mean) {
                    *next += p * along * (s - m);
                }
            }
            top = next;
        }
        let mut entropy = 0.0;
        let mut along = [Vec::new(), Vec::new()];
        let mut directions = [mean, top];
        directions.iter_mut().for_each(|u| unit(u));
        for (w, p) in &points {
            let s = signal(w);
            entropy += 0.5 * p * s.iter().map(|s| s * s).sum::<f64>();
            for (along, u) in along.iter_mut().zip(&directions) {
                along.push((s.iter().zip(u).map(|(s, u)| s * u).sum::<f64>(), *p));
            }
        }
        let statistics = directions.into_iter().zip(&along).map(|(u, a)| Statistic::new(u, a));
        Self { statistics: statistics.collect(), entropy, points, factor }
    }

    /// As many draws of w from the exact law; none where it is not known by quadrature.
    pub(crate) fn draws(&self, setting: &Setting, count: usize) -> Option<Vec<Vec<f64>>> {
        let Prior::Gaussian { .. } = setting.case.prior else { return None };
        let mut stream = Stream::new(5, 0, Purpose::Predictive);
        Some(
            (0..count)
                .map(|_| {
                    let mut left: f64 = stream.uniform();
                    let mut points = self.points.iter();
                    let at = points.find(|(_, p)| {
                        left -= p;
                        left < 0.0
                    });
                    at.unwrap_or(&self.points[0]).0.clone()
                })
                .collect(),
        )
    }
}

fn factorise(coupling: &Coupling<'_, f64>, factor: &mut [f64]) {
    let mut scratch = vec![0.0; coupling.inputs().d()];
    Triangular::factorise(coupling, factor, &mut scratch).expect("a factor");
}

fn unit(u: &mut [f64]) {
    let norm = u.iter().map(|u| u * u).sum::<f64>().sqrt();
    u.iter_mut().for_each(|u| *u /= norm);
}

/// The points of a rule that carry all but 1e-9 of the posterior.
fn by_quadrature(setting: &Setting) -> Vec<(Vec<f64>, f64)> {
    let problem = setting.numbers.problem();
    let inputs = problem.data().expect("data").inputs;
    let rule = prior_rule(setting.case.prior, &inputs, 0, false);
    let likelihood = problem.likelihood();
    let (mut gradient, mut scratch) =
        (vec![[0.0; 8]; problem.dim()], vec![[0.0; 8]; likelihood.scratch()]);
    let mut values = Vec::with_capacity(rule.len());
    for chunk in rule.chunks(8) {
        let w: Vec<[f64; 8]> = (0..problem.dim())
            .map(|j| std::array::from_fn(|k| chunk[k.min(chunk.len() - 1)].0[j]))
            .collect();
        let v = likelihood.value_and_gradient(Isa::detect(), &w, &mut gradient, &mut scratch);
        values.extend_from_slice(&v[..chunk.len()]);
    }
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut points: Vec<_> =
        rule.into_iter().zip(values).map(|((w, p), v)| (w, p * (v - largest).exp())).collect();
    let total: f64 = points.iter().map(|(_, p)| p).sum();
    points.iter_mut().for_each(|(_, p)| *p /= total);
    points.retain(|(_, p)| *p > 1e-14);
    points
}

fn by_particles(setting: &Setting) -> Vec<(Vec<f64>, f64)> {
    let problem = setting.numbers.problem();
    let options = SmcOptions { particles: PARTICLES, moves: 4, seed: 3, ..Default::default() };
    particles(&options, &problem, |run| {
        let column = |j| run.column(Column::Weight(j)).expect("a column");
        let columns: Vec<&[f64]> = (0..run.dim()).map(column).collect();
        let share = 1.0 / f64::from(PARTICLES);
        (0..PARTICLES as usize).map(|k| (columns.iter().map(|c| c[k]).collect(), share)).collect()
    })
}

impl Statistic {
    /// Of the law of u.A w.
    fn new(direction: Vec<f64>, along: &[(f64, f64)]) -> Self {
        let mean = along.iter().map(|(a, p)| a * p).sum::<f64>();
        let variance = 1.0 + along.iter().map(|(a, p)| p * (a - mean).powi(2)).sum::<f64>();
        let fold = |f: fn(f64, f64) -> f64, start| along.iter().fold(start, |m, (a, _)| f(m, *a));
        let (low, high) =
            (fold(f64::min, f64::INFINITY) - 5.0, fold(f64::max, -f64::INFINITY) + 5.0);
        let cells = 800;
        let step = (high - low) / f64::from(cells);
        let below = |s: f64| {
            let normal = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
            along.iter().map(|(a, p)| p * normal(s - a)).sum::<f64>()
        };
        let law = (0..=cells).map(|k| below(low + step * f64::from(k))).collect();
        Self { direction, mean, variance, low, step, law }
    }

    fn cdf(&self, s: f64) -> f64 {
        let at = ((s - self.low) / self.step).clamp(0.0, self.law.len() as f64 - 1.0);
        let cell = (at as usize).min(self.law.len() - 2);
        self.law[cell] + (at - cell as f64) * (self.law[cell + 1] - self.law[cell])
    }

    /// Kolmogorov's distance of the empirical law of the values.
    pub(crate) fn distance(&self, values: &[f64]) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        sorted.iter().enumerate().fold(0.0, |far: f64, (k, s)| {
            let f = self.cdf(*s);
            far.max((k as f64 + 1.0) / n - f).max(f - k as f64 / n)
        })
    }

    /// 1 + 2 times the sum of the autocorrelations about the exact mean and variance, of values step by step
    /// of many chains: up to the first below .05, or those up to half the run.
    pub(crate) fn memory(&self, series: &[Vec<f64>]) -> Memory {
        let mut time = 1.0;
        for lag in 1..=series.len() / 2 {
            let (mut total, mut count) = (0.0, 0.0);
            for (now, later) in series.iter().zip(&series[lag..]) {
                for (a, b) in now.iter().zip(later) {
                    total += (a - self.mean) * (b - self.mean);
                    count += 1.0;
                }
            }
            let correlation = total / (count * self.variance);
            if correlation < 0.05 {
                return Memory { time, whole: true };
            }
            time += 2.0 * correlation;
        }
        Memory { time, whole: false }
    }
}

/// An integrated autocorrelation time: all of it, or the part that the run was long enough to see.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) time: f64,
    pub(crate) whole: bool,
}
