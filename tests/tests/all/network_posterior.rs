//! The posterior of a network of free parameters: its value and gradient, and SMC and `auto` on it.
//!
//! Given the inner weight and bias of one neuron (and the noise's sd) y is Gaussian, so exact expectations
//! and the evidence are sums over a grid of these two (or three) coordinates with the head integrated out.

use lcc_core::activation::Activation;
use lcc_core::auto::{Auto, AutoOptions, Progress as Done, Verdict};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::estimator::{Hyper, Model, NetworkPrior};
use lcc_core::likelihood::{Likelihood, NetworkScales};
use lcc_core::problem::{Problem, ProblemError};
use lcc_core::simd::Isa;
use lcc_core::smc::{Progress, Smc, SmcOptions};
use lcc_tests::numeric::{mean_and_error, mean_and_variance};
use lcc_tests::posteriors::Aligned;

const X: [f64; 5] = [-1.5, -0.6, 0.1, 0.8, 1.7];
const Y: [f64; 5] = [-0.9, -0.7, 0.3, 0.8, 0.6];
/// Where f is looked at.
const AT: [f64; 2] = [0.5, -2.0];
/// Standard errors.
const LIMIT: f64 = 5.0;

fn scales(noise_spread: f64) -> NetworkScales<f64> {
    NetworkScales { inner: 1.5, outer: 1.0, intercept: 0.7, linear: 0.4, noise: 0.3, noise_spread }
}

fn problem(neurons: usize, noise_spread: f64) -> Problem<'static, f64> {
    let data = Dataset::new(Inputs::row_major(&X, 5, 1).unwrap(), &Y).unwrap();
    Problem::network(data, Activation::Tanh, neurons, scales(noise_spread)).unwrap()
}

/// Of a draw z = (w, b, v, b0, c, noise): f at the points, its square, |w| and |b|, the noise.
fn functionals(z: &[f64], s: &NetworkScales<f64>) -> Vec<f64> {
    let f = |x: f64| {
        let psi = (s.inner * z[0] * x + s.inner * z[1]).tanh();
        s.outer * z[2] * psi + s.intercept * z[3] + s.linear * z[4] * x
    };
    let mut all = vec![f(AT[0]), f(AT[1]), f(AT[0]).powi(2), z[0] * z[0], z[1] * z[1]];
    all.extend(z.get(5));
    all
}

/// The logarithm of the evidence, and the expectations of the functionals.
fn exact(s: &NetworkScales<f64>) -> (f64, Vec<f64>) {
    let grid = |h: f64, to: f64| {
        let k = (to / h) as i32;
        (-k..=k).map(move |k| {
            let z = f64::from(k) * h;
            (z, h * (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt())
        })
    };
    let noises: Vec<(f64, f64)> = match s.noise_spread {
        0.0 => vec![(0.0, 1.0)],
        _ => grid(0.25, 6.0).collect(),
    };
    let (mut total, mut sums) = (0.0, vec![0.0; if noises.len() > 1 { 6 } else { 5 }]);
    for (w, pw) in grid(0.125, 6.5) {
        for (b, pb) in grid(0.125, 6.5) {
            let features = |x: f64| {
                let psi = (s.inner * (w * x + b)).tanh();
                [s.outer * psi, s.intercept, s.linear * x]
            };
            let dot = |a: f64, b: f64| -> f64 {
                features(a).iter().zip(features(b)).map(|(a, b)| a * b).sum()
            };
            for &(z, pz) in &noises {
                let variance = (s.noise * (s.noise_spread * z).exp()).powi(2);
                // The Cholesky factor of the covariance of y, with y and the covariances of f behind it.
                let mut rows = [[0.0; 8]; 5];
                for (i, x) in X.into_iter().enumerate() {
                    for (j, other) in X.into_iter().enumerate() {
                        rows[i][j] = dot(x, other) + if i == j { variance } else { 0.0 };
                    }
                    rows[i][5] = Y[i];
                    rows[i][6] = dot(x, AT[0]);
                    rows[i][7] = dot(x, AT[1]);
                }
                let mut log = -2.5 * (2.0 * std::f64::consts::PI).ln();
                for i in 0..5 {
                    log -= 0.5 * rows[i][i].ln();
                    let root = rows[i][i].sqrt();
                    rows[i].iter_mut().skip(i).for_each(|x| *x /= root);
                    for j in i + 1..5 {
                        let share = rows[i][j];
                        for k in j..8 {
                            rows[j][k] -= share * rows[i][k];
                        }
                    }
                }
                let along =
                    |a: usize, b: usize| (0..5).map(|i| rows[i][a] * rows[i][b]).sum::<f64>();
                log -= 0.5 * along(5, 5);
                let p = pw * pb * pz * log.exp();
                let (f0, f1) = (along(5, 6), along(5, 7));
                let square = f0 * f0 + dot(AT[0], AT[0]) - along(6, 6);
                total += p;
                let values = [f0, f1, square, w * w, b * b, z];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += p * value);
            }
        }
    }
    (total.ln(), sums.iter().map(|sum| sum / total).collect())
}

#[test]
fn value_and_gradient() {
    for (neurons, spread) in [(1, 0.0), (3, 0.5)] {
        let problem = problem(neurons, spread);
        let (likelihood, s) = (problem.likelihood(), scales(spread));
        let dim = likelihood.dim();
        assert_eq!(dim, 3 * neurons + 2 + usize::from(spread > 0.0));
        let mut scratch = vec![[f64::NAN; 8]; likelihood.scratch()];
        let mut gradient = vec![[f64::NAN; 8]; dim];
        let mut z: Vec<[f64; 8]> = (0..dim)
            .map(|k| std::array::from_fn(|lane| ((3 * k + 5 * lane) % 7) as f64 * 0.4 - 1.1))
            .collect();
        let value = likelihood.value_and_gradient(Isa::detect(), &z, &mut gradient, &mut scratch);
        for lane in 0..8 {
            let z = |k: usize| z[k][lane];
            let sigma = s.noise * if spread > 0.0 { (spread * z(dim - 1)).exp() } else { 1.0 };
            let mut sum = 0.0;
            for (x, y) in X.into_iter().zip(Y) {
                let mut f = s.intercept * z(3 * neurons) + s.linear * z(3 * neurons + 1) * x;
                for m in 0..neurons {
                    let u = s.inner * (z(m) * x + z(neurons + m));
                    f += s.outer * z(2 * neurons + m) * u.tanh();
                }
                sum -= 0.5 * ((y - f) / sigma).powi(2);
                sum -= sigma.ln() + 0.5 * (2.0 * std::f64::consts::PI).ln();
            }
            assert!((value[lane] - sum).abs() < 1e-11 * sum.abs(), "{} {sum}", value[lane]);
        }
        let (h, mut spare) = (1e-5, gradient.clone());
        for k in 0..dim {
            let mut at = |move_by: f64| {
                z[k].iter_mut().for_each(|z| *z += move_by);
                likelihood.value(Isa::Portable, &z, &mut spare, &mut scratch)
            };
            let (up, down) = (at(h), at(-2.0 * h));
            at(h);
            for lane in 0..8 {
                let slope = (up[lane] - down[lane]) / (2.0 * h);
                let error = (gradient[k][lane] - slope).abs();
                assert!(error < 1e-6 * (1.0 + slope.abs()), "{k} {slope}");
            }
        }
    }
}

/// Up to a constant it is the law from which the regressor draws theta, its scales being given.
#[test]
fn the_regressors_law() {
    let (problem, s) = (problem(2, 0.0), scales(0.0));
    let model = Model {
        data: Dataset::new(Inputs::row_major(&X, 5, 1).unwrap(), &Y).unwrap(),
        activation: Activation::Tanh,
        neurons: 2,
        gaussian: true,
        prior: NetworkPrior { intercept_sd: s.intercept, ..NetworkPrior::default() },
    };
    let hyper = Hyper {
        beta: [1.0 / (s.noise * s.noise)],
        tau_v: [1.0 / (s.outer * s.outer)],
        tau_c: [1.0 / (s.linear * s.linear)],
        nu: [f64::INFINITY],
    };
    let mut constant = None;
    for shift in 0..6 {
        let z: Vec<[f64; 1]> =
            (0..8).map(|k| [((5 * k + 3 * shift) % 9) as f64 * 0.3 - 1.0]).collect();
        let mut gradient = vec![[0.0]; 10];
        let mut scratch = vec![[0.0]; 100];
        let likelihood = problem.likelihood();
        let [value] = likelihood.value_and_gradient(Isa::detect(), &z, &mut gradient, &mut scratch);
        let log_p = value - 0.5 * z.iter().map(|[z]| z * z).sum::<f64>();
        let mut theta = z.clone();
        theta[4..6].iter_mut().for_each(|[v]| *v *= s.outer);
        theta[6][0] *= s.intercept;
        theta[7][0] *= s.linear;
        theta.extend([[s.inner.ln()]; 2]);
        let mut parameters = vec![[0.0]; 10];
        let ([u], _) = model.potential(
            Isa::detect(),
            &hyper,
            None,
            &theta,
            &mut gradient,
            &mut parameters,
            &mut scratch,
        );
        let difference = log_p + u;
        assert!((difference - *constant.get_or_insert(difference)).abs() < 1e-9 * u.abs());
    }
}

/// z of the means over runs, all of them within the limit and precise.
fn check(what: &str, runs: &[Vec<f64>], exact: &[f64]) {
    for (k, exact) in exact.iter().enumerate() {
        let values: Vec<f64> = runs.iter().map(|run| run[k]).collect();
        let (mean, error) = mean_and_error(&values);
        let z = (mean - exact) / error;
        println!("{what}, expectation {k}: {mean:.4} +- {error:.4}, exact {exact:.4}, z {z:.2}");
        assert!(z.abs() < LIMIT && error < 0.05 * (1.0 + exact.abs()), "{what}, expectation {k}");
    }
}

#[test]
fn particles_against_quadrature() {
    for spread in [0.0, 0.25] {
        let (problem, s) = (problem(1, spread), scales(spread));
        let (log_z, means) = exact(&s);
        let (mut runs, mut ratios, mut claimed) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..24 {
            let options = SmcOptions { particles: 2048, moves: 4, seed, ..Default::default() };
            let mut memory = Aligned::new(Smc::size(&options, &problem).unwrap());
            let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
            assert_eq!(smc.step(&problem, u64::MAX), Ok(Progress::Done));
            let evidence = smc.evidence().unwrap();
            ratios.push((evidence.log - log_z).exp());
            claimed.push(evidence.standard_error.powi(2));
            let mut sums = vec![0.0; means.len()];
            for i in 0..2048 {
                let z: Vec<f64> = (0..smc.dim()).map(|j| smc.record()[j * 2048 + i]).collect();
                sums.iter_mut().zip(functionals(&z, &s)).for_each(|(sum, f)| *sum += f / 2048.0);
            }
            runs.push(sums);
        }
        check(&format!("smc, spread {spread}"), &runs, &means);
        let (ratio, error) = mean_and_error(&ratios);
        let (_, variance) = mean_and_variance(&ratios);
        let claimed = claimed.iter().sum::<f64>() / 24.0;
        println!("evidence {log_z:.4}: ratio {ratio:.4} +- {error:.4}, {variance:.5} {claimed:.5}");
        assert!((ratio - 1.0).abs() < LIMIT * error && error < 0.05);
        assert!((0.3..3.0).contains(&(claimed / variance)));
    }
}

#[test]
fn auto_against_quadrature() {
    let (problem, s) = (problem(1, 0.25), scales(0.25));
    let (_, means) = exact(&s);
    let mut runs = Vec::new();
    for seed in 0..12 {
        let options = AutoOptions { chains: 8, draws: 500, seed, ..Default::default() };
        let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
        let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        assert_eq!(auto.step(&problem, u64::MAX), Ok(Done::Done));
        let report = auto.report();
        assert_ne!(report.verdict, Verdict::Unreliable);
        println!("auto, seed {seed}: {:?}, {:?}", report.choice, report.verdict);
        let mut draws: Vec<Vec<f64>> = Vec::new();
        if let Some(smc) = auto.particles() {
            let count = smc.options().particles as usize;
            let z = |i: usize| (0..smc.dim()).map(|j| smc.record()[j * count + i]).collect();
            draws.extend((0..count).map(z));
        } else {
            let chains = auto.chains().unwrap();
            let (count, dim) = (chains.options().chains as usize, chains.dim());
            for row in chains.record().chunks_exact(chains.columns() * count) {
                draws.extend((0..count).map(|c| (0..dim).map(|j| row[j * count + c]).collect()));
            }
        }
        let mut sums = vec![0.0; means.len()];
        for z in &draws {
            let share = 1.0 / draws.len() as f64;
            sums.iter_mut().zip(functionals(z, &s)).for_each(|(sum, f)| *sum += share * f);
        }
        runs.push(sums);
    }
    check("auto", &runs, &means);
}

#[test]
fn refused() {
    let data = Dataset::new(Inputs::row_major(&X, 5, 1).unwrap(), &Y).unwrap();
    let network = |neurons, scales| Problem::network(data, Activation::Tanh, neurons, scales).err();
    assert_eq!(network(0, scales(0.0)), Some(ProblemError::Neurons));
    assert!(network(usize::MAX / 8, scales(0.0)).is_some());
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(network(1, scales(bad)).is_some());
        assert!(network(1, NetworkScales { inner: bad, ..scales(0.0) }).is_some());
        assert!(network(1, NetworkScales { noise: bad, ..scales(0.0) }).is_some());
    }
    assert!(problem(1, 0.0).fingerprint() != problem(1, 0.5).fingerprint());
    assert!(problem(1, 0.5).fingerprint() != problem(2, 0.5).fingerprint());
}
