//! Networks as problems: every run and kernel against the exact posteriors of `tests/reference`.
//!
//! Particles and tempered chains go from mode to mode and are asked for everything; a chain of a kernel does
//! not, and is asked where there is one mode or what all modes say alike.

use crate::bnn_exact::{Case, generalised, judge_within, mean, softmax, z};
use crate::network_tiny::{deep, each};
use lcc_core::auto::{Auto, AutoOptions, Progress as Chosen, Verdict};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::Extent;
use lcc_core::estimator::BnnOptions;
use lcc_core::network::{FreeNetwork, Output, Scales};
use lcc_core::problem::Problem;
use lcc_core::sampler::{Method, Progress as Sampled, Sampler, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_core::smc::{Progress, Smc, SmcOptions};
use lcc_core::tempering::{Tempering, TemperingOptions};
use lcc_tests::posteriors::Aligned;

/// A function of a draw's coordinates.
pub(crate) type Of<'f> = &'f dyn Fn(&[f64]) -> Vec<f64>;

/// The means of a function over a record of rows `[column][chain]`, chain by chain.
fn means(record: &[f64], [columns, chains, dim]: [usize; 3], of: Of<'_>) -> Vec<Vec<f64>> {
    let draws = record.len() / columns / chains;
    let own = |c: usize| {
        mean((0..draws).map(|t| {
            let row = &record[t * columns * chains..];
            of(&(0..dim).map(|j| row[j * chains + c]).collect::<Vec<_>>())
        }))
    };
    (0..chains).map(own).collect()
}

/// Means over the particles of some runs, and of each the evidence in its own standard errors.
fn particles(
    problem: &Problem<'_, f64>,
    (runs, particles, moves): (u64, u32, u32),
    log_evidence: f64,
    of: Of<'_>,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let run = |seed| {
        let options = SmcOptions { particles, moves, seed, ..Default::default() };
        let mut memory = Aligned::new(Smc::size(&options, problem).unwrap());
        let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), problem).unwrap();
        assert_eq!(smc.step(problem, u64::MAX), Ok(Progress::Done));
        let evidence = smc.evidence().unwrap();
        let shape = [smc.dim() + 2, particles as usize, smc.dim()];
        let all = means(smc.record(), shape, of);
        let error = (evidence.log - log_evidence) / evidence.standard_error;
        (mean(all.into_iter()), error)
    };
    (1..=runs).map(run).unzip()
}

/// Means over the chains of some runs of parallel tempering.
fn tempered(problem: &Problem<'_, f64>, runs: u64, draws: u32, of: Of<'_>) -> Vec<Vec<f64>> {
    let ladder = [0.02, 0.07, 0.2, 0.5, 1.0];
    let run = |seed| {
        let options = TemperingOptions { draws, stored: draws, seed, ..Default::default() };
        let size = Tempering::size(&options, problem).unwrap();
        let mut memory = Aligned::new(size);
        let isa = Isa::detect();
        let mut run = Tempering::init(memory.bytes(), &options, &ladder, isa, problem).unwrap();
        assert_eq!(run.step(problem, u64::MAX), Ok(Progress::Done));
        means(run.record(), [run.dim() + 2, options.chains as usize, run.dim()], of)
    };
    (1..=runs).flat_map(run).collect()
}

/// Means of chains of a kernel.
fn chains(problem: &Problem<'_, f64>, options: &SamplerOptions<f64>, of: Of<'_>) -> Vec<Vec<f64>> {
    let mut memory = Aligned::new(Sampler::size(options, problem).unwrap());
    let mut sampler = Sampler::init(memory.bytes(), options, Isa::detect(), problem).unwrap();
    assert_eq!(sampler.step(problem, u64::MAX), Ok(Sampled::Done));
    let shape = [sampler.columns(), options.chains as usize, problem.dim()];
    means(sampler.record(), shape, of)
}

/// Those of expectations, which are not independent: many come from the same draws.
fn judge(all: &[(String, Vec<f64>)]) {
    for (name, z) in all {
        let worst = z.iter().fold(0.0, |worst: f64, z| worst.max(z.abs()));
        println!("{name}: {} expectations, the worst {worst:.2} standard errors off", z.len());
    }
    judge_within(0.8..1.2, all);
}

/// The errors of the evidences: none of them unlikely.
fn judge_evidence(what: &str, errors: &[f64]) {
    let rms = (errors.iter().map(|z| z * z).sum::<f64>() / errors.len() as f64).sqrt();
    println!("{what}: {} evidences, root mean square {rms:.3} of the errors told", errors.len());
    assert!(errors.iter().all(|z| z.abs() < 4.0), "{what}: {errors:?}");
    assert!((0.7..1.3).contains(&rms), "{what}: {rms}");
}

fn problem_of(case: &Case) -> (Problem<'_, f64>, FreeNetwork<'_, f64>) {
    let network = case.options.network(case.data());
    (Problem::network(network).unwrap(), network)
}

/// What it knows of a draw.
pub(crate) fn draw_of(network: &FreeNetwork<'_, f64>, z: &[f64]) -> Vec<f64> {
    let mut work = vec![[0.0]; network.dim() + network.architecture.dim()];
    let mut out = vec![0.0; network.draw_len()];
    network.draw(|k| z[k], &mut work, &mut out).unwrap();
    out
}

/// -sum p ln p; of one p that of p and 1 - p.
fn entropy(p: &[f64]) -> f64 {
    let two = [p[0], 1.0 - p[0]];
    let p = if p.len() == 1 { &two } else { p };
    -p.iter().map(|p| p * p.ln()).sum::<f64>()
}

/// Mutual information, the entropy of the mean less the mean entropy, is no mean: its error by the jackknife.
fn information(case: &Case, runs: &[Vec<f64>]) -> Vec<f64> {
    let (queries, all) = (case.mutual_information.len(), case.exact.len());
    let classes = if case.options.output == Output::Bernoulli { 1 } else { 3 };
    let first = all - queries * (classes + 1);
    let mut errors = vec![];
    for (q, exact) in case.mutual_information.iter().enumerate() {
        let own = first + q * classes..first + (q + 1) * classes;
        if case.exact[own.clone()].iter().any(Option::is_none) {
            continue;
        }
        let of = |m: &[f64]| entropy(&m[own.clone()]) - m[all - queries + q];
        let count = runs.len() as f64;
        let left: Vec<f64> = (0..runs.len())
            .map(|k| [&runs[..k], &runs[k + 1..]].concat())
            .map(|rest| of(&mean(rest.into_iter())))
            .collect();
        let centre = left.iter().sum::<f64>() / count;
        let spread = left.iter().map(|x| (x - centre).powi(2)).sum::<f64>();
        let whole = of(&mean(runs.iter().cloned()));
        let value = count * whole - (count - 1.0) * centre;
        errors.push((value - exact) / (spread * (count - 1.0) / count).sqrt());
    }
    errors
}

/// Evidence, moments, predictions and mutual information of every generalised linear model, by particles.
#[test]
fn evidence_of_linear_models() {
    let (mut evidences, mut all, mut informations) = (vec![], vec![], vec![]);
    for case in generalised().iter().chain(&softmax()) {
        let (problem, network) = problem_of(case);
        let of = |z: &[f64]| case.at(&draw_of(&network, z));
        let (runs, errors) = particles(&problem, (12, 512, 3), case.log_evidence, &of);
        evidences.extend(errors);
        all.push((case.name.clone(), z(&runs, &case.exact)));
        informations.push((case.name.clone(), information(case, &runs)));
    }
    judge_evidence("linear models", &evidences);
    judge(&all);
    judge(&informations);
}

/// y = c x + noise where the scale of c is half-Cauchy and the noise unknown: the evidence and the expectations of
/// c, c^2, ln sigma are sums over a grid of the two logarithms.
#[test]
fn sampled_scales_and_noise() {
    let (x, y) = ([-1.2, -0.7, 0.1, 0.4, 0.9, 1.6], [-0.8, -0.1, 0.3, 0.1, 0.9, 1.1]);
    let data = Dataset::new(Inputs::row_major(&x, 6, 1).unwrap(), &y).unwrap();
    let options = BnnOptions {
        widths: [0; 4],
        output: Output::Gaussian.into(),
        scales: Scales::Layers.into(),
        linear_scale: 0.8,
        intercept_sd: 0.0,
        noise_shape: 0.5,
        noise_rate: 5e-3,
        ..Default::default()
    };
    let network = options.network(data);
    let problem = Problem::network(network).unwrap();
    // Intercept, c, its scale, the noise.
    assert_eq!(problem.dim(), 4);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (xx, xy, yy) = (dot(&x, &x), dot(&x, &y), dot(&y, &y));
    let (step, mut total, mut sums) = (0.05, 0.0, [0.0; 3]);
    for i in -600..600 {
        let l = step * f64::from(i);
        let variance = (0.8 * l.exp()).powi(2);
        for j in -400..300 {
            let b = step * f64::from(j);
            let noise = (-b).exp();
            let precision = xx / noise + 1.0 / variance;
            let (mean, fit) = (xy / noise / precision, xy * xy / noise / precision);
            let mut log = -(l.exp() + (-l).exp()).ln() - (std::f64::consts::FRAC_PI_2).ln();
            // Gamma(1/2) = sqrt(pi).
            log += 0.5 * (b + 5e-3_f64.ln() - std::f64::consts::PI.ln()) - 5e-3 * b.exp();
            log -= 3.0 * (2.0 * std::f64::consts::PI * noise).ln();
            log -= 0.5 * ((variance * precision).ln() + (yy - fit) / noise);
            let p = log.exp() * step * step;
            total += p;
            let values = [mean, mean * mean + 1.0 / precision, -0.5 * b];
            sums.iter_mut().zip(values).for_each(|(s, v)| *s += p * v);
        }
    }
    let exact: Vec<_> = sums.iter().map(|s| Some(s / total)).collect();
    let of = |z: &[f64]| {
        let draw = draw_of(&network, z);
        vec![draw[1], draw[1] * draw[1], draw[2].ln()]
    };
    let (runs, errors) = particles(&problem, (32, 1024, 4), total.ln(), &of);
    judge_evidence("scales and noise", &errors);
    let own = z(&runs, &exact);
    println!("scales and noise: {own:.2?}");
    assert!(own.iter().all(|z| z.abs() < 5.0));
}

/// Evidence and all expectations of deep networks and mixture densities, their modes among them, by particles.
#[test]
fn particles_of_deep_networks_and_densities() {
    let (mut evidences, mut all) = (vec![], vec![]);
    each(|tiny, problem, of| {
        let (runs, errors) = particles(problem, (12, 512, 3), tiny.log_evidence, of);
        evidences.extend(errors);
        all.push((tiny.name.clone(), z(&runs, &tiny.exact)));
    });
    judge_evidence("deep networks and densities", &evidences);
    judge(&all);
}

/// The same expectations by parallel tempering.
#[test]
fn tempering_of_deep_networks_and_densities() {
    let mut all = vec![];
    each(|tiny, problem, of| {
        let runs = tempered(problem, 3, 300, of);
        all.push((tiny.name.clone(), z(&runs, &tiny.exact)));
    });
    judge(&all);
}

/// And by chains of split HMC, where modes differ by a symmetry alone. In 04-gelu they do not: chains stay in
/// the one that they fall into from their starts, and its E w is 7.7 standard errors off.
#[test]
fn chains_of_deep_networks_and_densities() {
    let mut all = vec![];
    each(|tiny, problem, of| {
        if tiny.name.starts_with("04-gelu") {
            return;
        }
        let options = SamplerOptions {
            method: Method::SplitHmc.into(),
            chains: 48,
            warmup: 200,
            draws: 300,
            stored: 300,
            ..Default::default()
        };
        all.push((tiny.name.clone(), z(&chains(problem, &options, of), &tiny.exact)));
    });
    judge(&all);
}

/// Every kernel by its name, with a step that is adapted and with a fixed one.
#[test]
fn every_kernel() {
    let cases = softmax();
    let case = &cases[6];
    let (problem, network) = problem_of(case);
    let of = |z: &[f64]| case.at(&draw_of(&network, z));
    let mut all = vec![];
    for (method, step, draws) in [
        (Method::Hmc, 1.2, 300),
        (Method::SplitHmc, 1.2, 300),
        (Method::Mala, 0.5, 800),
        (Method::RandomWalk, 0.5, 2500),
    ] {
        for fixed in [false, true] {
            let default = SamplerOptions::<f64>::default();
            let options = SamplerOptions {
                method: method.into(),
                fixed: fixed.into(),
                total_time: if fixed { step } else { default.total_time },
                jitter: if fixed { 0.0 } else { default.jitter },
                chains: 48,
                warmup: 400,
                draws,
                stored: draws,
                ..default
            };
            let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
            let isa = Isa::detect();
            let mut sampler = Sampler::init(memory.bytes(), &options, isa, &problem).unwrap();
            assert_eq!(sampler.step(&problem, u64::MAX), Ok(Sampled::Done));
            if fixed {
                let leapfrogs = match method {
                    Method::Hmc | Method::SplitHmc => f64::from(options.leapfrogs),
                    _ => 1.0,
                };
                assert!((0..48).all(|c| sampler.step_size(c) == Some(step / leapfrogs)));
            }
            let shape = [sampler.columns(), 48, problem.dim()];
            let own = z(&means(sampler.record(), shape, &of), &case.exact);
            all.push((format!("{method:?}, fixed {fixed}"), own));
        }
    }
    judge(&all);
}

/// What chooses for itself, on a network of classes and on one of several modes.
#[test]
fn the_choice() {
    let tiny = deep().into_iter().find(|t| t.name.starts_with("07-tanh")).unwrap();
    let network = tiny.free().unwrap();
    let classes = &softmax()[6];
    let (of_classes, softmax) = problem_of(classes);
    let modes = Problem::network(network).unwrap();
    let of_modes = |z: &[f64]| tiny.at(&draw_of(&network, z));
    let of_draws = |z: &[f64]| classes.at(&draw_of(&softmax, z));
    let mut all = vec![];
    for (name, problem, of, exact) in [
        (&classes.name, &of_classes, &of_draws as Of<'_>, &classes.exact),
        (&tiny.name, &modes, &of_modes, &tiny.exact),
    ] {
        let mut runs = vec![];
        for seed in 0..12 {
            let options = AutoOptions { chains: 8, draws: 500, seed, ..Default::default() };
            let mut memory = Aligned::new(Auto::<f64>::size(&options, problem).unwrap());
            let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), problem).unwrap();
            assert_eq!(auto.step(problem, u64::MAX), Ok(Chosen::Done));
            let report = auto.report();
            println!("{name}, seed {seed}: {:?}, {:?}", report.choice, report.verdict);
            assert_ne!(report.verdict, Verdict::Unreliable);
            let shape = auto.recorded().unwrap();
            let own = means(auto.record(), [shape.columns, shape.chains, shape.dim], of);
            runs.push(mean(own.into_iter()));
        }
        all.push((name.clone(), z(&runs, exact)));
    }
    judge(&all);
}
