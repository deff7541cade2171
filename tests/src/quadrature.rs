//! Expectations by quadrature over the priors of one or a few neurons.

use lcc_core::data::Inputs;
use lcc_core::likelihood::Likelihood;
use lcc_core::prior::Prior;
use lcc_core::simd::Isa;

/// Gauss-Legendre nodes and weights on [a, b].
pub fn legendre(count: usize, a: f64, b: f64) -> Vec<(f64, f64)> {
    let n = count as f64;
    (0..count)
        .map(|k| {
            let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (mut p, mut before) = (1.0, 0.0);
                for j in 1..=count {
                    let j = j as f64;
                    (p, before) = (((2.0 * j - 1.0) * x * p - (j - 1.0) * before) / j, p);
                }
                slope = n * (x * p - before) / (x * x - 1.0);
                let step = p / slope;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            let weight = 2.0 / ((1.0 - x * x) * slope * slope);
            (a + (b - a) * (x + 1.0) / 2.0, weight * (b - a) / 2.0)
        })
        .collect()
}

/// A rule for the expectation under the prior of one neuron in 1 or 2 dimensions: points and weights.
/// The l1 ball is cut into cones at the axes and, for an activation with a kink at 0, where some
/// x_i.w = 0, so that every piece is smooth.
pub fn prior_rule(
    prior: Prior<f64>,
    inputs: &Inputs<'_, f64>,
    order: usize,
    kinks: bool,
) -> Vec<(Vec<f64>, f64)> {
    let mut rule = Vec::new();
    match (prior, inputs.d()) {
        (Prior::Gaussian { sd }, 2) => {
            let h = 0.075;
            let steps = 120;
            let weight = |k: i32| {
                (-0.5 * (f64::from(k) * h).powi(2)).exp() * h / (2.0 * std::f64::consts::PI).sqrt()
            };
            for a in -steps..=steps {
                for b in -steps..=steps {
                    let w = vec![sd * h * f64::from(a), sd * h * f64::from(b)];
                    rule.push((w, weight(a) * weight(b)));
                }
            }
        }
        (Prior::Gaussian { sd }, 1) => {
            let h = 0.02;
            for k in -450..=450 {
                let z = f64::from(k) * h;
                let p = (-0.5 * z * z).exp() * h / (2.0 * std::f64::consts::PI).sqrt();
                rule.push((vec![sd * z], p));
            }
        }
        (Prior::L1Ball { radius }, 1) => {
            for (low, high) in [(-radius, 0.0), (0.0, radius)] {
                for (x, p) in legendre(order, low, high) {
                    rule.push((vec![x], p / (2.0 * radius)));
                }
            }
        }
        (Prior::L1Ball { radius }, 2) => {
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                // w = r (sx t, sy (1 - t)); x.w = 0 at t = -b / (a - b), a = x_1 sx, b = x_2 sy.
                let mut cuts = vec![0.0, 1.0];
                for i in (0..inputs.n()).filter(|_| kinks) {
                    let (a, b) = (inputs.at(i, 0) * sx, inputs.at(i, 1) * sy);
                    let t = -b / (a - b);
                    if t > 0.0 && t < 1.0 {
                        cuts.push(t);
                    }
                }
                cuts.sort_by(f64::total_cmp);
                for pair in cuts.windows(2) {
                    for (t, pt) in legendre(order, pair[0], pair[1]) {
                        for (r, pr) in legendre(order, 0.0, radius) {
                            let p = pt * pr * r / (2.0 * radius * radius);
                            rule.push((vec![sx * r * t, sy * r * (1.0 - t)], p));
                        }
                    }
                }
            }
        }
        other => panic!("no rule for {other:?}"),
    }
    rule
}

/// The product rule for M neurons.
pub fn product(one: &[(Vec<f64>, f64)], neurons: usize) -> Vec<(Vec<f64>, f64)> {
    (0..neurons).fold(vec![(Vec::new(), 1.0)], |all, _| {
        let mut next = Vec::with_capacity(all.len() * one.len());
        for (w, p) in &all {
            for (v, q) in one {
                next.push(([&w[..], &v[..]].concat(), p * q));
            }
        }
        next
    })
}

/// log of the integral of exp(likelihood) under the rule, and mean and covariance of w.
pub struct Moments {
    /// Of exp(likelihood) under the prior.
    pub log_integral: f64,
    /// E w.
    pub mean: Vec<f64>,
    /// Cov w, row by row.
    pub covariance: Vec<f64>,
}

/// Moments of w under the prior (the rule) tilted by the likelihood.
pub fn moments(likelihood: &dyn Likelihood<f64, 8>, rule: &[(Vec<f64>, f64)]) -> Moments {
    let dim = likelihood.dim();
    let mut values = Vec::with_capacity(rule.len());
    let mut gradient = vec![[0.0; 8]; dim];
    let mut scratch = vec![[0.0; 8]; likelihood.scratch()];
    for chunk in rule.chunks(8) {
        let w: Vec<[f64; 8]> =
            (0..dim).map(|j| std::array::from_fn(|k| chunk[k.min(chunk.len() - 1)].0[j])).collect();
        let v = likelihood.value_and_gradient(Isa::detect(), &w, &mut gradient, &mut scratch);
        values.extend_from_slice(&v[..chunk.len()]);
    }
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut total, mut mean, mut second) = (0.0, vec![0.0; dim], vec![0.0; dim * dim]);
    for ((w, p), v) in rule.iter().zip(&values) {
        let p = p * (v - largest).exp();
        total += p;
        for j in 0..dim {
            mean[j] += p * w[j];
            for k in 0..dim {
                second[j * dim + k] += p * w[j] * w[k];
            }
        }
    }
    mean.iter_mut().for_each(|m| *m /= total);
    let covariance =
        (0..dim * dim).map(|jk| second[jk] / total - mean[jk / dim] * mean[jk % dim]).collect();
    Moments { log_integral: total.ln() + largest, mean, covariance }
}
