//! Gaussians fitted by the evidence lower bound, against the exact optima of `vi_optima.json`.

use crate::bnn::run;
use crate::bnn_exact::{Case, generalised, softmax};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Density;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_core::special::scalar::softplus_and_derivative;
use lcc_core::variational::{Covariance, Gaussian, ScaleMixture};
use lcc_tests::posteriors::Aligned;
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

pub(crate) fn cases(file: &str, key: &str) -> Vec<Value> {
    reference(file)[key].as_array().unwrap().clone()
}

/// Chains that each find an optimum: mean and sd of the parameters, the bound with its error.
pub(crate) fn fits(
    case: &Case,
    method: BnnMethod,
    chains: u32,
) -> Vec<(Vec<f64>, Vec<f64>, f64, f64)> {
    let options = BnnOptions {
        method: method.into(),
        chains,
        start_steps: 300,
        pairs: if case.options.pairs == 0 { 0 } else { 16 },
        draws: 1000,
        keep: 1,
        ..case.options
    };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &case.data());
    let (sigma, outputs) = (options.linear_scale, options.family().outputs());
    (0..chains as usize)
        .map(|c| {
            let (mean, sd) = network.law(c).unwrap();
            let own = |list: &[f64]| list[outputs..].iter().map(|z| sigma * z).collect();
            let mode = network.mode(c).unwrap();
            (own(mean), own(sd), mode.log_evidence, mode.error)
        })
        .collect()
}

/// Every chain is within 1 % of an sd of the exact mean, 1 % of the exact sd, and within 4 of its errors of the exact
/// bound; an optimiser that is not at the optimum is further, and a bound that is not one is above the evidence.
fn check(case: &Case, optimum: &Value, method: BnnMethod) -> f64 {
    let (mean, sd, elbo) =
        (numbers(&optimum["mean"]), numbers(&optimum["sd"]), number(&optimum["elbo"]));
    let mut worst = [0.0_f64; 3];
    for (means, sds, bound, error) in fits(case, method, 2) {
        for k in 0..mean.len() {
            worst[0] = worst[0].max((means[k] - mean[k]).abs() / sd[k]);
            worst[1] = worst[1].max((sds[k] / sd[k] - 1.0).abs());
        }
        // What is left of the fit's own distance is of second order in it.
        let z = ((bound - elbo).abs() - 2e-4).max(0.0) / error;
        worst[2] = worst[2].max(z);
        let above = bound - case.log_evidence;
        assert!(above < 1e-9 + 4.0 * error, "{}: a bound above {above}", case.name);
    }
    println!("{} {method:?} {worst:?}", case.name);
    assert!(worst[0] < 0.01 && worst[1] < 0.01 && worst[2] < 4.0, "{}: {worst:?}", case.name);
    worst[2]
}

#[test]
fn fits_reach_the_exact_optima() {
    let optima = cases("vi_optima.json", "cases");
    let mut checked = 0;
    for case in generalised().iter().chain(&softmax()) {
        let Some(optimum) = optima.iter().find(|o| o["id"] == case.name.as_str()) else { continue };
        check(case, &optimum["mean_field"], BnnMethod::Variational);
        // Without weights of its own it has the prior that all have.
        if let Some(full) = optimum.get("full_covariance") {
            check(case, full, BnnMethod::VariationalFull);
        }
        checked += 1;
    }
    assert_eq!(checked, optima.len());
}

/// Without pairs bound and gradient are integrals, without an error: what is left is the ascent's own distance.
#[test]
fn integrals_in_the_place_of_draws_find_the_exact_optima() {
    let optima = cases("vi_optima.json", "cases");
    let mut checked = 0;
    for case in generalised() {
        let Some(optimum) = optima.iter().find(|o| o["id"] == case.name.as_str()) else { continue };
        let options = BnnOptions { pairs: 0, ascent_steps: 1000, ..case.options };
        let own = with(&case, options);
        let laws = [
            ("mean_field", BnnMethod::Variational),
            ("full_covariance", BnnMethod::VariationalFull),
        ];
        for (key, method) in laws {
            let Some(exact) = optimum.get(key) else { continue };
            let (mean, sd) = (numbers(&exact["mean"]), numbers(&exact["sd"]));
            for (means, sds, bound, error) in fits(&own, method, 1) {
                let apart = |k: usize| {
                    ((means[k] - mean[k]) / sd[k]).abs().max((sds[k] / sd[k] - 1.0).abs())
                };
                let worst = (0..mean.len()).map(apart).fold(0.0, f64::max);
                let short = bound - number(&exact["elbo"]);
                println!("{} {method:?}: {worst:e}, bound {short:e}", case.name);
                assert!(worst < 1e-9 && short.abs() < 1e-11 && error == 0.0, "{}", case.name);
            }
            checked += 1;
        }
    }
    assert!(checked >= 12, "{checked}");
}

/// Where the posterior is Gaussian, all Gaussians have the evidence as their bound, at every draw alike, and as many
/// columns as coordinates are all Gaussians too; one column is between that and none.
#[test]
fn of_a_gaussian_posterior_the_bound_is_the_evidence() {
    for case in generalised().iter().filter(|case| case.options.output == Output::Gaussian) {
        let exact = case.log_evidence;
        for (_, _, bound, error) in fits(case, BnnMethod::VariationalFull, 2) {
            println!("{} {} {error}", case.name, bound - exact);
            assert!((bound - exact).abs() < 1e-9 && error < 1e-9, "{}: {bound} {error}", case.name);
        }
        let of = |rank| {
            let options = BnnOptions { rank, ..case.options };
            fits(&with(case, options), BnnMethod::VariationalLowRank, 1)[0].2
        };
        let none = fits(case, BnnMethod::Variational, 1)[0].2;
        let dim = case.options.architecture(case.data().d()).dim() as u32;
        let (one, all) = (of(1), of(dim));
        println!("{} none {} one {} all {}", case.name, none - exact, one - exact, all - exact);
        assert!((all - exact).abs() < 1e-9 && one < exact + 1e-3 && none < one + 1e-2);
        if case.name.contains("-d2") {
            // A diagonal and one column are every covariance of two.
            assert!((one - exact).abs() < 1e-9, "{}: {one}", case.name);
        }
    }
}

/// The same case with other options.
pub(crate) fn with(case: &Case, options: BnnOptions<f64>) -> Case {
    let mut own = generalised().into_iter().find(|other| other.name == case.name).unwrap();
    own.options = options;
    own
}

/// A generalised linear model of a JSON case, in the coordinates w themselves.
pub(crate) struct Glm {
    x: Vec<f64>,
    y: Vec<f64>,
    pub(crate) options: BnnOptions<f64>,
}

impl Glm {
    pub(crate) fn new(case: &Value) -> Self {
        let output = match case["family"].as_str().unwrap() {
            "bernoulli_logit" => Output::Bernoulli,
            "poisson_log" => Output::Poisson,
            "gaussian" => Output::Gaussian,
            other => panic!("{other}"),
        };
        let options = BnnOptions {
            widths: [0; 4],
            scales: Scales::Known.into(),
            intercept_sd: 0.0,
            standardise: false.into(),
            output: output.into(),
            noise: case.get("noise_sd").map_or(1.0, number),
            ..BnnOptions::default()
        };
        Self { x: matrix(&case["X"]), y: numbers(&case["y"]), options }
    }

    pub(crate) fn data(&self) -> Dataset<'_, f64> {
        let n = self.y.len();
        Dataset::new(Inputs::row_major(&self.x, n, self.x.len() / n).unwrap(), &self.y).unwrap()
    }
}

/// Reparameterised gradients in both forms, of diagonal and full covariances, of both priors, of minibatches and with
/// any weight of the divergence, against those of 50 digits.
#[test]
fn gradients_of_the_bound_are_exact() {
    let mut checked = 0;
    for case in cases("vi_optima.json", "draws") {
        if case["scale"] != "softplus" {
            continue;
        }
        let glm = Glm::new(&case);
        let d = glm.data().d();
        let full = case["covariance"] == "full";
        let covariance = if full { Covariance::Full } else { Covariance::MeanField };
        let q = Gaussian { dim: d, covariance };
        let mut parameters = numbers(&case["mu"]);
        parameters.extend(numbers(&case["rho"]));
        if full {
            parameters.extend(numbers(&case["off_diagonal_row_major"]));
        }
        assert_eq!(parameters.len(), q.len().unwrap());
        let mut shared = vec![0.0; 2 * d];
        let q = q.law(&parameters, &mut shared).unwrap();
        let prior = &case["prior"];
        for draw in case["draws"].as_array().unwrap() {
            let eps = numbers(&draw["eps"]);
            let rows: Vec<u32> = numbers(&draw["rows"]).iter().map(|r| *r as u32).collect();
            let (weight, scale) = (number(&draw["kl_weight"]), number(&draw["likelihood_scale"]));
            let mut z = vec![0.0; d];
            q.draw(&eps, &mut z).unwrap();
            let close = |what: &str, found: &[f64], exact: &[f64]| {
                for (a, b) in found.iter().zip(exact) {
                    let name = &case["id"];
                    assert!((a - b).abs() < 1e-11 * (1.0 + b.abs()), "{name} {what}: {a}, not {b}");
                }
            };
            close("w", &z, &numbers(&draw["w"]));
            // The likelihood alone: the density relative to N(0, I).
            let free = glm.options.network(glm.data());
            let mut posterior = free.posterior::<1>();
            posterior.pass.rows = Some(&rows);
            posterior.weight = scale;
            let mut g = vec![[0.0]; d + 1];
            g.iter_mut().skip(1).zip(&z).for_each(|(g, z)| *g = [*z]);
            let mut gradient = vec![[0.0]; d + 1];
            let mut scratch = vec![[0.0]; 10_000];
            let [value] =
                posterior.value_and_gradient(Isa::detect(), &g, &mut gradient, &mut scratch);
            let mut log_prior = 0.0;
            let slope: Vec<f64> = (0..d)
                .map(|k| {
                    let (own, by_w) = match prior["kind"].as_str().unwrap() {
                        "gaussian" => {
                            let s = number(&prior["sigma0"]);
                            (-0.5 * (z[k] / s).powi(2) - s.ln(), -z[k] / (s * s))
                        }
                        _ => ScaleMixture {
                            share: number(&prior["pi"]),
                            wide: number(&prior["sigma1"]),
                            narrow: number(&prior["sigma2"]),
                        }
                        .log_density(z[k]),
                    };
                    log_prior += own;
                    gradient[k + 1][0] + weight * by_w
                })
                .collect();
            let mut score = vec![0.0; d];
            let log_q = q.score(&eps, &mut score, &mut []).unwrap();
            close("value", &[weight * (log_q - log_prior) - value], &[number(&draw["value"])]);
            for (key, path) in [("gradient", false), ("path_gradient", true)] {
                let mut out = vec![0.0; parameters.len()];
                let own: Vec<f64> =
                    (0..d).map(|k| slope[k] + if path { weight * score[k] } else { 0.0 }).collect();
                q.pull_back(&eps, &own, -1.0, &mut out).unwrap();
                if !path {
                    q.add_entropy(-weight, &mut out).unwrap();
                }
                close(key, &out[..d], &numbers(&draw[key]["mu"]));
                close(key, &out[d..2 * d], &numbers(&draw[key]["rho"]));
                if full {
                    close(key, &out[2 * d..], &numbers(&draw[key]["off_diagonal"]));
                }
            }
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

/// The path form is the derivative of log p(z(e)) - log q(z(e)), q held fixed where it is evaluated, for all families:
/// by differences with the same normals; and what is called log q is.
#[test]
fn path_gradients_are_differences_with_common_normals() {
    let (d, mut stream) = (4, Stream::new(2, 0, Purpose::Start));
    for covariance in [Covariance::MeanField, Covariance::Full, Covariance::LowRank(2)] {
        let q = Gaussian { dim: d, covariance };
        let len = q.len().unwrap();
        let mut parameters = vec![0.0; len];
        q.begin(&mut stream, &mut parameters).unwrap();
        parameters.iter_mut().for_each(|x| *x += 0.3 * stream.normal::<f64>());
        let normals: Vec<f64> = (0..q.normals().unwrap()).map(|_| stream.normal()).collect();
        let (mut room, mut shared) = (vec![0.0; q.scratch().unwrap()], vec![0.0; 2 * d]);
        let law = q.law(&parameters, &mut shared).unwrap();
        let (mut z, mut mean, mut score) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
        law.draw(&normals, &mut z).unwrap();
        law.draw(&vec![0.0; normals.len()], &mut mean).unwrap();
        let log_q = law.score(&normals, &mut score, &mut room).unwrap();
        // x.z takes of each normal what S'x says.
        let mut shares = vec![0.0; normals.len()];
        law.project(&score, &mut shares).unwrap();
        let taken: f64 = shares.iter().zip(&normals).map(|(a, e)| a * e).sum();
        let moved: f64 = (0..d).map(|k| score[k] * (z[k] - mean[k])).sum();
        assert!((taken - moved).abs() < 1e-12, "{covariance:?}");
        // S by unit normals, and SS'.
        let columns: Vec<Vec<f64>> = (0..normals.len())
            .map(|k| {
                let mut unit = vec![0.0; normals.len()];
                unit[k] = 1.0;
                let mut out = vec![0.0; d];
                law.draw(&unit, &mut out).unwrap();
                out.iter().zip(&mean).map(|(o, m)| o - m).collect()
            })
            .collect();
        let mut s: Vec<f64> =
            (0..d * d).map(|k| columns.iter().map(|c| c[k / d] * c[k % d]).sum::<f64>()).collect();
        let mut sds = vec![0.0; d];
        law.sds(&mut sds).unwrap();
        for (k, sd) in sds.iter().enumerate() {
            assert!((sd * sd - s[k * d + k]).abs() < 1e-13);
        }
        // SS' score = z - m, and elimination's pivots for its determinant.
        let mut by_score = 0.0;
        for i in 0..d {
            let sum: f64 = (0..d).map(|j| s[i * d + j] * score[j]).sum();
            assert!((sum - (z[i] - mean[i])).abs() < 1e-12, "{covariance:?}");
            by_score += score[i] * (z[i] - mean[i]);
        }
        let mut log_det = 0.0;
        for p in 0..d {
            log_det += s[p * d + p].ln();
            for i in p + 1..d {
                let f = s[i * d + p] / s[p * d + p];
                for j in p..d {
                    s[i * d + j] -= f * s[p * d + j];
                }
            }
        }
        assert!((log_q + 0.5 * (by_score + log_det)).abs() < 1e-12, "{covariance:?}");
        // f(z) = sum sin(z_k (k + 1)) + a'z at z(e) by differences.
        let f = |z: &[f64]| -> f64 {
            z.iter().enumerate().map(|(k, z)| (z * (k as f64 + 1.0)).sin()).sum::<f64>()
                + z.iter().zip(&score).map(|(z, s)| z * s).sum::<f64>()
        };
        let slope: Vec<f64> =
            (0..d).map(|k| (z[k] * (k as f64 + 1.0)).cos() * (k as f64 + 1.0) + score[k]).collect();
        let mut gradient = vec![0.0; len];
        law.pull_back(&normals, &slope, 1.0, &mut gradient).unwrap();
        for k in 0..len {
            let at = |by: f64| {
                let mut own = parameters.clone();
                own[k] += by;
                let (mut z, mut shared) = (vec![0.0; d], vec![0.0; 2 * d]);
                q.law(&own, &mut shared).unwrap().draw(&normals, &mut z).unwrap();
                f(&z)
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((slope - gradient[k]).abs() < 1e-8, "{covariance:?} {k}: {slope}");
        }
        // What a prior N(0, I) of c + u w has in the bound: -E|c + u w|^2/2.
        let (c, u) = ([0.3, -1.0, 0.5, 2.0], [0.5, 2.0, 1.0, 0.1]);
        let closed = |own: &[f64]| {
            let (mut mean, mut sds, mut shared) = (vec![0.0; d], vec![0.0; d], vec![0.0; 2 * d]);
            let law = q.law(own, &mut shared).unwrap();
            law.draw(&vec![0.0; normals.len()], &mut mean).unwrap();
            law.sds(&mut sds).unwrap();
            let square = |k: usize| (c[k] + u[k] * mean[k]).powi(2) + (u[k] * sds[k]).powi(2);
            -0.5 * (0..d).map(square).sum::<f64>()
        };
        gradient.fill(0.0);
        law.add_prior([&c, &u], 0.7, &mut gradient).unwrap();
        for k in 0..len {
            let at = |by: f64| {
                let mut own = parameters.clone();
                own[k] += by;
                closed(&own)
            };
            let slope = 0.7 * (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - gradient[k]).abs() < 1e-8, "{covariance:?} {k}: {slope}");
        }
    }
}

/// What Blundell et al. print, f_w + f_mu and f_w e/(1 + e^-rho) + f_rho, is the collapsed form to rounding.
#[test]
fn the_printed_form_collapses() {
    let mut stream = Stream::new(9, 0, Purpose::Start);
    for _ in 0..100 {
        let (mu, rho, e, g): (f64, f64, f64, f64) =
            (stream.normal(), 2.0 * stream.normal::<f64>(), stream.normal(), stream.normal());
        let (sigma, t) = softplus_and_derivative(rho);
        // f = log q(w) - log P(w) P(D|w), whose density's gradient is g.
        let u = (mu + sigma * e - mu) / sigma;
        let f_w = -u / sigma - g;
        let by_mu = f_w + u / sigma;
        let by_rho = f_w * e * t + (u * u - 1.0) / sigma * t;
        let q = Gaussian { dim: 1, covariance: Covariance::MeanField };
        let (mut out, mut shared, at) = ([0.0; 2], [0.0; 2], [mu, rho]);
        let q = q.law(&at, &mut shared).unwrap();
        q.pull_back(&[e], &[g], -1.0, &mut out).unwrap();
        q.add_entropy(-1.0, &mut out).unwrap();
        let size = 1.0 + (e / sigma).abs() + e * e / sigma;
        assert!((out[0] - by_mu).abs() < 1e-13 * size, "{out:?} {by_mu}");
        assert!((out[1] - by_rho).abs() < 1e-13 * size, "{out:?} {by_rho}");
    }
}

fn table(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..3 * n).map(|_| stream.normal()).collect();
    let y = x.chunks(3).map(|r| 2.0 * r[0] - r[1] + 0.5 * stream.normal::<f64>()).collect();
    (x, y)
}

/// Doubly stochastic fits by minibatches come to where those of all rows do; draws are of the law that is told; weights
/// of little signal are pruned from the draws, and those alone.
#[test]
fn minibatches_draws_and_pruning() {
    let (x, y) = table(200);
    let data = Dataset::new(Inputs::row_major(&x, 200, 3).unwrap(), &y).unwrap();
    let options = BnnOptions {
        method: BnnMethod::Variational.into(),
        widths: [0; 4],
        output: Output::Gaussian.into(),
        noise: 0.2,
        scales: Scales::Known.into(),
        chains: 1,
        draws: 4000,
        keep: 4000,
        ..BnnOptions::default()
    };
    let (mut first, mut second) = (Aligned::new(0), Aligned::new(0));
    let whole = run(&mut first, &options, &data);
    let part = run(&mut second, &BnnOptions { batch: 20, ..options }, &data);
    let ((mean, sd), (m, s)) = (whole.law(0).unwrap(), part.law(0).unwrap());
    for k in 0..mean.len() {
        // 2500 averaged steps, each of whose gradients has about (n/b)^(1/2) the posterior's sd: .1 of an sd.
        println!("{k}: {} {}", (m[k] - mean[k]) / sd[k], s[k] / sd[k]);
        assert!((m[k] - mean[k]).abs() < 0.4 * sd[k] && (s[k] / sd[k] - 1.0).abs() < 0.15);
    }
    // Draws, in z: the intercept, three weights of scale 1, in standardised units.
    for k in 0..4 {
        let scale = if k == 0 { options.intercept_sd } else { 1.0 };
        let z: Vec<f64> = (0..4000).map(|t| whole.kept_draw(0, t).unwrap()[k] / scale).collect();
        let average = z.iter().sum::<f64>() / 4000.0;
        let square = z.iter().map(|z| (z - mean[k]).powi(2)).sum::<f64>() / 4000.0;
        assert!(((average - mean[k]) / sd[k] * 4000_f64.sqrt()).abs() < 4.0);
        assert!((square / (sd[k] * sd[k]) - 1.0).abs() < 4.0 * (2.0 / 4000_f64).sqrt());
    }
    let ratio: Vec<f64> = mean.iter().zip(sd).map(|(m, s)| m.abs() / s).collect();
    let options = BnnOptions { prune: 4.0, draws: 5, keep: 5, ..options };
    assert!(ratio.iter().any(|r| *r < 4.0) && ratio.iter().any(|r| *r > 4.0), "{ratio:?}");
    let pruned = run(&mut second, &options, &data);
    for t in 0..5 {
        for (k, w) in pruned.kept_draw(0, t).unwrap().iter().take(4).enumerate() {
            assert_eq!(*w == 0.0, ratio[k] < 4.0, "{k}: {w}");
        }
    }
}

/// Draws side by side in lanes are those of one by one, to the bit: few, a block of eight and more, of one that is not full.
#[test]
fn draws_side_by_side_are_those_of_one_by_one() {
    let (x, y) = table(50);
    let data = Dataset::new(Inputs::row_major(&x, 50, 3).unwrap(), &y).unwrap();
    for method in [BnnMethod::Variational, BnnMethod::VariationalFull, BnnMethod::Backprop] {
        for pairs in [2, 4, 7] {
            let options = BnnOptions {
                method: method.into(),
                widths: [3, 2, 0, 0],
                chains: 1,
                start_steps: 50,
                ascent_steps: 100,
                batch: 20,
                draws: 3,
                keep: 3,
                mixture: 0.5,
                pairs,
                ..BnnOptions::default()
            };
            let law = |isa: Isa| {
                let mut memory = Aligned::new(Bnn::size(&options, 50, 3).unwrap());
                let mut network = Bnn::init(memory.bytes(), &options, isa, &data).unwrap();
                while network.step(&data, 1000).unwrap() == Status::Running {}
                let (mean, sd) = network.law(0).unwrap();
                mean.iter().chain(sd).map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            assert!(law(Isa::detect()) == law(Isa::Portable), "{method:?} {pairs}");
        }
    }
}

/// Single precision comes to the same optima, to its rounding.
#[test]
fn single_precision_finds_the_optima() {
    let optima = cases("vi_optima.json", "cases");
    for case in generalised().iter().filter(|case| case.options.output == Output::Poisson) {
        let Some(optimum) = optima.iter().find(|o| o["id"] == case.name.as_str()) else { continue };
        let (options, x, y) = case.narrow();
        let options = BnnOptions { method: BnnMethod::Variational.into(), draws: 200, ..options };
        let (n, d) = (case.data().n(), case.data().d());
        let rows = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &rows);
        let (mean, sd) = network.law(0).unwrap();
        let exact = &optimum["mean_field"];
        let both = numbers(&exact["mean"]).into_iter().zip(numbers(&exact["sd"]));
        for (k, (m, s)) in both.enumerate() {
            let sigma = case.options.linear_scale;
            assert!((mean[k + 1] as f64 * sigma - m).abs() < 0.02 * s, "{} {k}", case.name);
            assert!((sd[k + 1] as f64 * sigma / s - 1.0).abs() < 0.02, "{} {k}", case.name);
        }
    }
}
