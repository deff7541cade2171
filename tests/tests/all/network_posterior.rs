//! The posterior of a network of free parameters: its value and gradient, and SMC, parallel
//! tempering and `auto` on it.
//!
//! Given the inner weight and bias of one neuron (and the noise's sd) y is Gaussian, so exact expectations
//! and the evidence are sums over a grid of these two (or three) coordinates with the head integrated out.

use lcc_core::activation::Activation;
use lcc_core::auto::{Auto, AutoOptions, Progress as Done, Verdict};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::estimator::{Hyper, Model, NetworkPrior};
use lcc_core::likelihood::Likelihood;
use lcc_core::network::{Architecture, Family, FreeNetwork, Output, Scales, WeightPrior};
use lcc_core::problem::{Problem, ProblemError};
use lcc_core::simd::Isa;
use lcc_core::smc::{Progress, Smc, SmcOptions};
use lcc_core::tempering::{Tempering, TemperingOptions};
use lcc_tests::numeric::{mean_and_error, mean_and_variance};
use lcc_tests::posteriors::Aligned;

const X: [f64; 5] = [-1.5, -0.6, 0.1, 0.8, 1.7];
const Y: [f64; 5] = [-0.9, -0.7, 0.3, 0.8, 0.6];
/// Where f is looked at.
const AT: [f64; 2] = [0.5, -2.0];
/// Standard errors.
const LIMIT: f64 = 5.0;

/// The sds of the normal laws, and of the noise; or, where it is free, the law Gamma(2, 0.2) of its precision.
#[derive(Clone, Copy)]
struct Laws {
    inner: f64,
    outer: f64,
    intercept: f64,
    linear: f64,
    noise: f64,
    free: bool,
}

const SHAPE: f64 = 2.0;
const RATE: f64 = 0.2;

fn laws(free: bool) -> Laws {
    Laws { inner: 1.5, outer: 1.0, intercept: 0.7, linear: 0.4, noise: 0.3, free }
}

/// The log density of ln beta.
fn log_prior(l: f64) -> f64 {
    // Gamma(2) = 1.
    SHAPE * RATE.ln() + SHAPE * l - RATE * l.exp()
}

fn network(neurons: u32, s: &Laws) -> FreeNetwork<'static, f64> {
    let data = Dataset::new(Inputs::row_major(&X, 5, 1).unwrap(), &Y).unwrap();
    let widths = [neurons, 0, 0, 0];
    let noise = if s.free { 0.0 } else { s.noise };
    let family =
        Family { noise, noise_shape: SHAPE, noise_rate: RATE, ..Family::of(Output::Gaussian) };
    let prior = WeightPrior {
        scales: Scales::Known,
        input: s.inner,
        bias: s.inner,
        hidden: 1.0,
        outer: s.outer * f64::from(neurons).sqrt(),
        linear: s.linear,
        intercept: s.intercept,
    };
    FreeNetwork {
        data,
        architecture: Architecture { inputs: 1, widths, outputs: 1, linear: true },
        activation: Activation::Tanh,
        family,
        exposure: false,
        prior,
        nu: 0.0,
    }
}

fn problem(neurons: u32, free: bool) -> Problem<'static, f64> {
    Problem::network(network(neurons, &laws(free))).unwrap()
}

/// The network at z, and ln beta where it is free.
fn draw(neurons: u32, s: &Laws, z: &[f64]) -> Vec<f64> {
    let network = network(neurons, s);
    let mut work = vec![[0.0]; network.dim() + network.scratch()];
    let mut out = vec![0.0; network.draw_len()];
    network.draw(|k| z[k], &mut work, &mut out).unwrap();
    let sigma = out[out.len() - 2];
    out.truncate(network.architecture.dim());
    out.extend(s.free.then_some(-2.0 * sigma.ln()));
    out
}

/// Of a draw (w, b, v, b0, c, ln beta): f at the points, its square, |w| and |b| in sds, ln beta.
fn functionals(z: &[f64], s: &Laws) -> Vec<f64> {
    let own = draw(1, s, z);
    let f = |x: f64| own[2] * (own[0] * x + own[1]).tanh() + own[3] + own[4] * x;
    let squares = [own[0] / s.inner, own[1] / s.inner].map(|z| z * z);
    let mut all = vec![f(AT[0]), f(AT[1]), f(AT[0]).powi(2), squares[0], squares[1]];
    all.extend(own.get(5));
    all
}

/// The logarithm of the evidence, and the expectations of the functionals.
fn exact(s: &Laws) -> (f64, Vec<f64>) {
    let grid = |h: f64, to: f64| {
        let k = (to / h) as i32;
        (-k..=k).map(move |k| {
            let z = f64::from(k) * h;
            (z, h * (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt())
        })
    };
    // ln beta and its weight.
    let noises: Vec<(f64, f64)> = if s.free {
        (-60..=35).map(|k| 0.125 * f64::from(k)).map(|l| (l, 0.125 * log_prior(l).exp())).collect()
    } else {
        vec![(-2.0 * s.noise.ln(), 1.0)]
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
                let variance = (-z).exp();
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
    for (neurons, free) in [(1, false), (3, true)] {
        let (problem, s) = (problem(neurons, free), laws(free));
        let (likelihood, neurons) = (problem.likelihood(), neurons as usize);
        let dim = likelihood.dim();
        assert_eq!(dim, 3 * neurons + 2 + usize::from(free));
        let mut scratch = vec![[f64::NAN; 8]; likelihood.scratch()];
        let mut gradient = vec![[f64::NAN; 8]; dim];
        let mut z: Vec<[f64; 8]> = (0..dim)
            .map(|k| std::array::from_fn(|lane| ((3 * k + 5 * lane) % 7) as f64 * 0.4 - 1.1))
            .collect();
        let value = likelihood.value_and_gradient(Isa::detect(), &z, &mut gradient, &mut scratch);
        for lane in 0..8 {
            let z: Vec<f64> = z.iter().map(|z| z[lane]).collect();
            let own = draw(neurons as u32, &s, &z);
            let half_ln = 0.5 * (2.0 * std::f64::consts::PI).ln();
            let (mut sigma, mut sum) = (s.noise, 0.0);
            if free {
                // Its coordinate is (l - m) / s, relative to N(0, 1).
                let l = own[dim - 1];
                let mut other = z.clone();
                other[dim - 1] += 1.0;
                let unit = draw(neurons as u32, &s, &other)[dim - 1] - l;
                sigma = (-0.5 * l).exp();
                sum = log_prior(l) + unit.ln() + 0.5 * z[dim - 1].powi(2) + half_ln;
            }
            for (x, y) in X.into_iter().zip(Y) {
                let mut f = s.intercept * z[3 * neurons] + s.linear * z[3 * neurons + 1] * x;
                for m in 0..neurons {
                    let u = s.inner * (z[m] * x + z[neurons + m]);
                    f += s.outer * z[2 * neurons + m] * u.tanh();
                }
                sum -= 0.5 * ((y - f) / sigma).powi(2);
                sum -= sigma.ln() + half_ln;
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
    let (problem, s) = (problem(2, false), laws(false));
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

/// Means of the functionals over a record of rows `[column][chain]`, of which the first columns are z.
fn means(record: &[f64], columns: usize, chains: usize, dim: usize, s: &Laws) -> Vec<f64> {
    let share = columns as f64 / record.len() as f64;
    let mut sums = vec![0.0; if dim > 5 { 6 } else { 5 }];
    for row in record.chunks_exact(columns * chains) {
        for c in 0..chains {
            let z: Vec<f64> = (0..dim).map(|j| row[j * chains + c]).collect();
            sums.iter_mut().zip(functionals(&z, s)).for_each(|(sum, f)| *sum += share * f);
        }
    }
    sums
}

#[test]
fn particles_against_quadrature() {
    for free in [false, true] {
        let (problem, s) = (problem(1, free), laws(free));
        let (log_z, exact) = exact(&s);
        let (mut runs, mut ratios, mut claimed) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..24 {
            let options = SmcOptions { particles: 2048, moves: 4, seed, ..Default::default() };
            let mut memory = Aligned::new(Smc::size(&options, &problem).unwrap());
            let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
            assert_eq!(smc.step(&problem, u64::MAX), Ok(Progress::Done));
            let evidence = smc.evidence().unwrap();
            ratios.push((evidence.log - log_z).exp());
            claimed.push(evidence.standard_error.powi(2));
            runs.push(means(smc.record(), smc.dim() + 2, 2048, smc.dim(), &s));
        }
        check(&format!("smc, free {free}"), &runs, &exact);
        let (ratio, error) = mean_and_error(&ratios);
        let (_, variance) = mean_and_variance(&ratios);
        let claimed = claimed.iter().sum::<f64>() / 24.0;
        println!("evidence {log_z:.4}: ratio {ratio:.4} +- {error:.4}, {variance:.5} {claimed:.5}");
        assert!((ratio - 1.0).abs() < LIMIT * error && error < 0.05);
        assert!((0.3..3.0).contains(&(claimed / variance)));
    }
}

/// Ladders that swap the wrong way, or swap without scaling the gradients that they carry, miss the means; a
/// stone taken at the wrong rung misses the evidence.
#[test]
fn tempering_against_quadrature() {
    let ladder = [0.01, 0.04, 0.12, 0.35, 1.0];
    for free in [false, true] {
        let (problem, s) = (problem(1, free), laws(free));
        let (log_z, exact) = exact(&s);
        let (mut runs, mut ratios) = (Vec::new(), Vec::new());
        for seed in 0..12 {
            let options =
                TemperingOptions { draws: 2000, stored: 2000, seed, ..Default::default() };
            let mut memory = Aligned::new(Tempering::size(&options, &problem).unwrap());
            let mut run =
                Tempering::init(memory.bytes(), &options, &ladder, Isa::detect(), &problem)
                    .unwrap();
            assert_eq!(run.step(&problem, u64::MAX), Ok(Progress::Done));
            runs.push(means(run.record(), run.dim() + 2, 8, run.dim(), &s));
            ratios.extend((0..8).map(|c| (run.log_evidence(c).unwrap() - log_z).exp()));
        }
        check(&format!("tempering, free {free}"), &runs, &exact);
        let (ratio, error) = mean_and_error(&ratios);
        println!("evidence {log_z:.4}: ratio {ratio:.4} +- {error:.4}");
        assert!((ratio - 1.0).abs() < LIMIT * error && error < 0.02);
    }
}

#[test]
fn auto_against_quadrature() {
    let (problem, s) = (problem(1, true), laws(true));
    let (_, exact) = exact(&s);
    let mut runs = Vec::new();
    for seed in 0..12 {
        let options = AutoOptions { chains: 8, draws: 500, seed, ..Default::default() };
        let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
        let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        assert_eq!(auto.step(&problem, u64::MAX), Ok(Done::Done));
        let report = auto.report();
        assert_ne!(report.verdict, Verdict::Unreliable);
        println!("auto, seed {seed}: {:?}, {:?}", report.choice, report.verdict);
        let shape = auto.recorded().unwrap();
        runs.push(means(auto.record(), shape.columns, shape.chains, shape.dim, &s));
    }
    check("auto", &runs, &exact);
}

/// Of a draw the network is what its functionals say.
#[test]
fn the_draw_of_a_network() {
    let s = laws(true);
    let network = network(1, &s);
    let z = [0.3, -1.1, 0.8, 0.5, -0.7, 1.3];
    let mut work = vec![[f64::NAN]; network.dim() + network.scratch()];
    let mut out = [f64::NAN; 7];
    assert_eq!(network.draw_len(), out.len());
    network.draw(|k| z[k], &mut work, &mut out).unwrap();
    let parameters =
        [s.inner * z[0], s.inner * z[1], s.outer * z[2], s.intercept * z[3], s.linear * z[4]];
    assert!(out.iter().zip(parameters).all(|(a, b)| (a - b).abs() < 1e-15));
    // About a sd above where the prior has it.
    let above = -2.0 * out[5].ln() - (SHAPE / RATE).ln();
    assert!((0.5..1.5).contains(&above) && out[6] == f64::INFINITY);
    for (row, x) in X.into_iter().enumerate() {
        let f = parameters[3] + parameters[4] * x;
        let f = f + parameters[2] * (parameters[0] * x + parameters[1]).tanh();
        assert!((network.mean(row, |k| z[k], &mut work) - f).abs() < 1e-14);
    }
    assert!(network.draw(|k| z[k], &mut work[..10], &mut out).is_none());
    assert!(network.mean(0, |k| z[k], &mut work[..10]).is_nan());
}

#[test]
fn refused() {
    use ProblemError as E;
    type Change = fn(&mut FreeNetwork<'static, f64>);
    let cases: [(E, Change); 18] = [
        (E::Layers, |n| n.architecture.widths = [1, 0, 1, 0]),
        (E::Layers, |n| n.architecture.widths = [u32::MAX; 4]),
        (E::Layers, |n| n.architecture.widths = [1 << 20, 1 << 20, 0, 0]),
        (E::Layers, |n| n.architecture.inputs = 0),
        (E::Layers, |n| n.architecture.inputs = 2),
        (E::Layers, |n| n.architecture.inputs = usize::MAX),
        (E::Layers, |n| n.architecture.outputs = 2),
        (E::Layers, |n| n.architecture.outputs = usize::MAX),
        (E::Layers, |n| n.exposure = true),
        (E::Layers, |n| n.family = Family { categories: 1, ..Family::of(Output::Softmax) }),
        (E::Layers, |n| n.family = Family { categories: u32::MAX, ..Family::of(Output::Ordinal) }),
        (E::Constant, |n| n.family = Family::of(Output::StudentT)),
        (E::Constant, |n| n.family.noise = -1.0),
        (E::Constant, |n| n.family.noise_rate = 0.0),
        (E::Constant, |n| n.prior.input = f64::NAN),
        (E::Constant, |n| n.prior.intercept = f64::INFINITY),
        (E::Target, |n| n.family = Family::of(Output::Bernoulli)),
        (E::Target, |n| n.family = Family::of(Output::Poisson)),
    ];
    for (k, (error, change)) in cases.into_iter().enumerate() {
        let mut network = network(1, &laws(false));
        change(&mut network);
        assert_eq!(Problem::network(network).err(), Some(error), "{k}");
    }
    // An exposure is positive, and no input.
    let counts = [0.0, 2.0, 1.0, 0.0, 3.0];
    let x = [1.0, 2.0, 0.5, 0.1, 1.0, 1.0, -1.0, 3.0, 2.0, -0.5];
    let exposed = |columns: usize| {
        let data = Dataset::new(Inputs::new(&x, 5, 2, 2, 1).unwrap(), &counts).unwrap();
        let architecture =
            Architecture { inputs: columns, ..network(1, &laws(false)).architecture };
        let family = Family::of(Output::Poisson);
        FreeNetwork { data, architecture, family, exposure: true, ..network(1, &laws(false)) }
    };
    assert_eq!(Problem::network(exposed(1)).err(), Some(E::Target));
    assert_eq!(Problem::network(exposed(2)).err(), Some(E::Layers));
    // A resumed object knows its network again.
    let changes: [Change; 8] = [
        |_| (),
        |n| n.architecture.widths[0] = 2,
        |n| n.architecture.linear = false,
        |n| n.activation = Activation::Relu,
        |n| n.family.noise = 0.25,
        |n| n.family = Family { noise: 0.3, ..Family::of(Output::StudentT) },
        |n| n.prior.scales = Scales::Layers,
        |n| n.prior.linear = 0.5,
    ];
    let prints: Vec<u64> = changes
        .iter()
        .map(|change| {
            let mut network = FreeNetwork { nu: 4.0, ..network(1, &laws(false)) };
            change(&mut network);
            Problem::network(network).unwrap().fingerprint()
        })
        .collect();
    for (k, print) in prints.iter().enumerate() {
        assert!(!prints[..k].contains(print), "{k}");
    }
}
