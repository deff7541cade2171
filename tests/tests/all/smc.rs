//! Sequential Monte Carlo against exact expectations and evidences.
//!
//! Expectations: every posterior of the reference values, both precisions, RUNS independent runs
//! each; z = (mean over runs - exact) / (their standard deviation / sqrt(RUNS)). Modes far apart are
//! no exception here. An expectation of psi >= 0 that is that of a rare event (sd above RARE means)
//! has at least the standard error of as many independent draws: runs that have not met the event
//! know nothing of their error.
//!
//! Evidence: on a ladder fixed beforehand (that of another run) and without adaptation the mean of
//! estimate / exact is 1.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::LogDensity;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::Reference;
use lcc_core::simd::Isa;
use lcc_core::smc::{Column, Compiled, Ladder, Progress, Smc, SmcError, SmcOptions};
use lcc_tests::modes::Modes;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{Aligned, Case, Numbers, greedy_cases, joint_cases};
use lcc_tests::tools::{thinned, width};
use lcc_tests::{number, reference};
use std::time::Instant;

/// Runs of every posterior.
const RUNS: usize = 40;
/// The sd, in means, above which an expectation of a non-negative quantity is that of a rare event.
const RARE: f64 = 10.0;

/// One run to its end.
fn run<T: Compiled, R>(
    options: &SmcOptions<T>,
    temperatures: &[T],
    problem: &Problem<'_, T>,
    f: impl FnOnce(&Smc<'_, T>) -> R,
) -> R {
    let mut memory = Aligned::new(Smc::size(options, problem).expect("size"));
    let isa = Isa::detect();
    let mut smc = match options.ladder.value() {
        Ladder::Given => Smc::init_given(memory.bytes(), options, temperatures, isa, problem),
        _ => Smc::init(memory.bytes(), options, isa, problem),
    }
    .expect("init");
    assert_eq!(smc.step(problem, u64::MAX), Ok(Progress::Done));
    f(&smc)
}

/// A third of the widest first Gaussian of sd .1, .03, ... prior scales that the cooling takes.
fn first<T: Compiled>(options: &SmcOptions<T>, problem: &Problem<'_, T>) -> T {
    for k in [3.0, 10.0, 30.0, 100.0, 300.0] {
        let wide = SmcOptions { first: T::lit(0.3 / k), ..*options };
        let mut memory = Aligned::new(Smc::size(&wide, problem).expect("size"));
        let mut smc = Smc::init(memory.bytes(), &wide, Isa::detect(), problem).expect("init");
        match smc.step(problem, u64::MAX) {
            Err(SmcError::First) => continue,
            done => assert_eq!(done, Ok(Progress::Done)),
        }
        return T::lit(0.1 / k);
    }
    panic!("no first Gaussian is narrow enough")
}

/// The temperatures of a run.
fn temperatures<T: Compiled>(smc: &Smc<'_, T>) -> Vec<T> {
    (0..).map_while(|k| smc.stage(k)).map(|s| s.temperature).collect()
}

/// The cases of a file, and the logarithms of their evidence.
fn with_evidence(cases: Vec<Case>, file: &str) -> Vec<(Case, f64)> {
    let file = reference(file);
    let exact = file["cases"].as_array().expect("cases").iter();
    cases.into_iter().zip(exact.map(|c| number(&c["result"]["log_Z"]))).collect()
}

fn all_cases() -> Vec<(Case, f64)> {
    let greedy = |d| with_evidence(greedy_cases(d), &format!("greedy_posterior_d{d}.json"));
    let joint = with_evidence(joint_cases(), "joint_posterior.json");
    (1..=3).flat_map(greedy).chain(joint).collect()
}

/// Means over the particles of every functional and of the squares of w about their exact means.
fn means<T: Compiled>(case: &Case, smc: &Smc<'_, T>) -> Vec<f64> {
    let moments = case.moments();
    let (queries, dim) = (case.query_moments.len(), smc.dim());
    let columns: Vec<&[T]> = (0..dim).map(|j| smc.column(Column::Weight(j)).unwrap()).collect();
    let count = columns[0].len();
    let mut sums = vec![0.0; moments.len() + dim];
    let (mut w, mut values) = (vec![0.0; dim], Vec::new());
    for i in 0..count {
        w.iter_mut().zip(&columns).for_each(|(w, c)| *w = c[i].to_f64());
        case.functionals(&w, &mut values);
        for j in 0..dim {
            values.push((w[j] - moments[queries + j].0).powi(2));
        }
        sums.iter_mut().zip(&values).for_each(|(s, v)| *s += v);
    }
    sums.into_iter().map(|s| s / count as f64).collect()
}

fn expectations<T: Compiled>(seed: u64, reference: Reference, ladder: Ladder) {
    let (mut squares, mut count, mut worst) = (0.0, 0.0_f64, 0.0_f64);
    let (mut evidence, mut claimed, mut stages) = (Vec::new(), Vec::new(), 0);
    // Cooling takes many temperatures, and moves at each: a fifth of the cases.
    let every = if ladder == Ladder::Cooling { 5 } else { 1 };
    for (k, (case, log_z)) in thinned(all_cases(), seed / 1_000_000).step_by(every) {
        // Many modes, far ones among them, that narrow Gaussians do not see.
        if ladder == Ladder::Cooling && case.activation == Activation::Sine {
            continue;
        }
        let numbers = Numbers::<T>::new(&case);
        let problem = numbers.problem();
        let moments = case.moments();
        let mut options = SmcOptions::<T> {
            reference: reference.into(),
            ladder: ladder.into(),
            ..Default::default()
        };
        if ladder == Ladder::Cooling {
            options.moves = 16;
            options.first = first(&options, &problem);
        }
        let (mut runs, mut logs, mut variances) = (Vec::new(), Vec::new(), Vec::new());
        for r in 0..RUNS {
            let seed = seed + 1000 * k as u64 + r as u64;
            let options = SmcOptions { seed, ..options };
            run(&options, &[], &problem, |smc| {
                runs.push(means(&case, smc));
                let evidence = smc.evidence().expect("evidence");
                logs.push(evidence.log.to_f64());
                variances.push(evidence.standard_error.to_f64().powi(2));
                stages += smc.position().stages;
                let last = smc.stage(smc.position().stages as usize - 1).unwrap();
                assert_eq!(last.temperature, T::ONE);
                assert!(last.acceptance.to_f64() > 0.4, "{}: {last:?}", case.id);
            });
        }
        let exact = moments
            .iter()
            .map(|m| m.0)
            .chain(case.weight_moments.iter().map(|m| m.1))
            .collect::<Vec<_>>();
        let mut own = 0.0;
        for (e, exact) in exact.iter().enumerate() {
            let values: Vec<f64> = runs.iter().map(|r| r[e]).collect();
            let (mean, mut error) = mean_and_error(&values);
            let psi = case.activation == Activation::SquaredRelu && e < case.query_moments.len();
            if psi && moments[e].1.sqrt() > RARE * moments[e].0 {
                error = error.max((moments[e].1 / (1024 * RUNS) as f64).sqrt());
            }
            let z = (mean - exact) / error;
            assert!(z.abs() < 5.0, "{} expectation {e}: z = {z}", case.id);
            worst = worst.max(z.abs());
            own += z * z / runs[0].len() as f64;
        }
        squares += own;
        count += 1.0;
        // The adaptive ladder's estimate: consistent, within a few percent; of cooling to .2 % of its logarithm.
        let (mean, error) = mean_and_error(&logs);
        let bias = if every > 1 { 0.002 * log_z.abs() } else { 0.0 };
        assert!((mean - log_z).abs() < bias.max(0.02) + 4.0 * error, "{}: {mean} {log_z}", case.id);
        evidence.push((mean - log_z) / error);
        let claimed_here = variances.iter().sum::<f64>() / RUNS as f64;
        claimed.push((claimed_here / (error * error * RUNS as f64)).sqrt());
    }
    let rms = (squares / count).sqrt();
    let rms_evidence = (evidence.iter().map(|z| z * z).sum::<f64>() / count).sqrt();
    claimed.sort_by(f64::total_cmp);
    let n = claimed.len();
    println!(
        "f{}, {}: rms z {rms:.3}, largest {worst:.2}; evidence: rms z {rms_evidence:.3}; claimed / \
         found error {:.2} {:.2} {:.2} {:.2} {:.2}; {:.1} stages",
        T::BITS,
        reference.name(),
        claimed[0],
        claimed[n / 4],
        claimed[n / 2],
        claimed[3 * n / 4],
        claimed[n - 1],
        stages as f64 / (count * RUNS as f64),
    );
    let (width, most) = if every > 1 { (0.35, 1.75) } else { (width(0.1), 1.25) };
    assert!((rms - 1.0).abs() < width, "rms z {rms}");
    // The error that a run claims for its evidence, against that found between runs (itself known to
    // 11 %). It counts the rounding of copies as a noise, 1/(4 N) a stage at most: much, of many small steps.
    assert!((0.9..most).contains(&claimed[n / 2]));
    assert!(claimed[0] > 0.6 && claimed[n - 1] < 2.0, "{claimed:?}");
}

#[test]
fn expectations_in_double_precision() {
    expectations::<f64>(1_000_000, Reference::Prior, Ladder::Adaptive);
}

#[test]
fn expectations_in_single_precision() {
    expectations::<f32>(2_000_000, Reference::Prior, Ladder::Adaptive);
}

/// About Gaussians fitted to the particles: the same expectations, two modes included.
#[test]
fn expectations_about_fits_in_double_precision() {
    expectations::<f64>(5_000_000, Reference::Gaussian, Ladder::Adaptive);
}

#[test]
fn expectations_about_fits_in_single_precision() {
    expectations::<f32>(6_000_000, Reference::Gaussian, Ladder::Adaptive);
}

/// From a Gaussian so narrow that the likelihood hardly varies over it.
#[test]
fn expectations_by_cooling() {
    expectations::<f32>(8_000_000, Reference::Prior, Ladder::Cooling);
}

/// The mean of estimate / exact over runs on the ladder of another run.
fn evidence<T: Compiled>(seed: u64) {
    let (mut squares, mut count, mut spread) = (0.0, 0.0_f64, 0.0_f64);
    for (k, (case, log_z)) in thinned(all_cases(), seed / 1_000_000) {
        let numbers = Numbers::<T>::new(&case);
        let problem = numbers.problem();
        let seed = seed + 1000 * k as u64;
        let pilot = SmcOptions::<T> { seed, ..Default::default() };
        let (ladder, step) = run(&pilot, &[], &problem, |smc| {
            let last = smc.stage(smc.position().stages as usize - 1).unwrap();
            (temperatures(smc), last.step)
        });
        let ratios: Vec<f64> = (1..=RUNS as u64)
            .map(|r| {
                let options = SmcOptions::<T> {
                    seed: seed + r,
                    ladder: Ladder::Given.into(),
                    stages: ladder.len() as u32,
                    adapt: false.into(),
                    total_time: step * T::of_u32(pilot.leapfrogs),
                    ..Default::default()
                };
                run(&options, &ladder, &problem, |smc| {
                    assert_eq!(temperatures(smc), ladder);
                    (smc.evidence().unwrap().log.to_f64() - log_z).exp()
                })
            })
            .collect();
        let (mean, error) = mean_and_error(&ratios);
        let z = (mean - 1.0) / error;
        assert!(z.abs() < 4.0, "{}: {mean} +- {error}", case.id);
        squares += z * z;
        count += 1.0;
        spread = spread.max(error * (RUNS as f64).sqrt());
    }
    let rms = (squares / count).sqrt();
    println!("f{}: rms z {rms:.3}; largest relative sd of a run {spread:.3}", T::BITS);
    assert!((rms - 1.0).abs() < width(0.2), "rms z {rms}");
    assert!(spread < 0.5);
}

#[test]
fn evidence_is_unbiased_in_double_precision() {
    evidence::<f64>(3_000_000);
}

#[test]
fn evidence_is_unbiased_in_single_precision() {
    evidence::<f32>(4_000_000);
}

/// Modes that no local sampler leaves.
#[test]
fn a_posterior_of_several_modes() {
    several_modes(Reference::Prior);
}

#[test]
fn a_posterior_of_several_modes_about_fits() {
    several_modes(Reference::Gaussian);
}

fn several_modes(reference: Reference) {
    let exact = Modes::load();
    let problem = exact.problem();
    let (mut logs, mut claimed, mut time, mut square) = (Vec::new(), 0.0, 0.0, 0.0);
    let (mut masses, mut means) = (Vec::new(), Vec::new());
    for seed in 1..=RUNS as u64 {
        let options = SmcOptions::<f64> { seed, reference: reference.into(), ..Default::default() };
        let start = Instant::now();
        run(&options, &[], &problem, |smc| {
            time += start.elapsed().as_secs_f64();
            let evidence = smc.evidence().unwrap();
            logs.push(evidence.log);
            claimed += evidence.standard_error.powi(2) / RUNS as f64;
            let [w0, w1] = [0, 1].map(|j| smc.column(Column::Weight(j)).unwrap());
            let draws: Vec<[f64; 2]> = w0.iter().zip(w1).map(|(a, b)| [*a, *b]).collect();
            let (own_masses, own_means) = exact.means(&draws);
            for (mean, exact) in own_means.iter().zip(&exact.estimate) {
                square += (mean - exact).powi(2) / (own_means.len() * RUNS) as f64;
            }
            masses.push(own_masses);
            means.push(own_means);
            if seed == 1 {
                println!("{evidence:?}, {} evaluations", smc.evaluations());
                (0..).map_while(|k| smc.stage(k)).for_each(|s| println!("{s:?}"));
            }
        });
    }
    let (mean, error) = mean_and_error(&logs);
    let sd = error * (RUNS as f64).sqrt();
    println!(
        "log evidence {mean:.4} +- {error:.4} ({:.4}), sd of a run {sd:.4}, claimed {:.4}; rms \
         error {:.4}; {:.2} ms a run",
        exact.log_z,
        claimed.sqrt(),
        square.sqrt(),
        1e3 * time / RUNS as f64
    );
    assert!((mean - exact.log_z).abs() < 4.0 * error);
    for (k, (_, mass)) in exact.modes.iter().enumerate() {
        let (mean, error) = mean_and_error(&column(&masses, k));
        println!("mass {mean:.4} +- {error:.4} ({mass:.4})");
        assert!((mean - mass).abs() < 4.0 * error);
    }
    for (q, exact) in exact.estimate.iter().enumerate() {
        let (mean, error) = mean_and_error(&column(&means, q));
        assert!((mean - exact).abs() < 4.0 * error, "{mean} +- {error}, exact {exact}");
    }
    assert!(square.sqrt() < 0.04);
    assert!((0.7..1.6).contains(&(claimed.sqrt() / sd)));
}

/// x_1 ~ N(0, 1), each further coordinate within TIE of the one before: far from any product of laws.
struct Walk;

const TIE: f64 = 0.05;
const LENGTH: usize = 6;

impl LogDensity<f64> for Walk {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let steps = x.windows(2).map(|x| (x[1] - x[0]) / TIE);
        let value = -0.5 * (x[0] * x[0] + steps.clone().map(|s| s * s).sum::<f64>());
        if let Some(gradient) = gradient {
            gradient.fill(0.0);
            gradient[0] = -x[0];
            for (j, step) in steps.enumerate() {
                gradient[j] += step / TIE;
                gradient[j + 1] -= step / TIE;
            }
        }
        Some(value)
    }
}

/// Where coordinates are tied to each other, no step about the prior is both short enough for the ties
/// and long enough to get anywhere: particles stay near the few draws of the prior they descend from,
/// and the variances come out as .6. About fits they are right but for a bias of order 1/particles, here
/// .07.
#[test]
fn fits_follow_tied_coordinates() {
    let problem = Problem::user(&Walk, LENGTH, 1.0, true).unwrap();
    let free = (LENGTH - 1) as f64;
    let log_z = 0.5 * LENGTH as f64 * std::f64::consts::TAU.ln() + free * TIE.ln();
    let exact = [0.0, 1.0, 1.0 + free * TIE * TIE, 1.0];
    let errors = [Reference::Prior, Reference::Gaussian].map(|reference| {
        let (mut all, mut logs, start) = (Vec::new(), Vec::new(), Instant::now());
        for seed in 1..=RUNS as u64 {
            let options =
                SmcOptions::<f64> { seed, reference: reference.into(), ..Default::default() };
            run(&options, &[], &problem, |smc| {
                let x = |j| smc.column(Column::Weight(j)).unwrap();
                let (first, last) = (x(0), x(LENGTH - 1));
                let mean = |f: &dyn Fn(f64, f64) -> f64| {
                    let pairs = first.iter().zip(last);
                    pairs.map(|(a, b)| f(*a, *b)).sum::<f64>() / first.len() as f64
                };
                let squares = [mean(&|a, _| a * a), mean(&|_, b| b * b), mean(&|a, b| a * b)];
                all.push([vec![mean(&|a, _| a)], squares.to_vec()].concat());
                logs.push(smc.evidence().unwrap().log);
            });
        }
        let (mean, error) = mean_and_error(&logs);
        println!(
            "{}: log evidence {mean:.3} +- {error:.3} ({log_z:.3}), {:.1} ms a run",
            reference.name(),
            1e3 * start.elapsed().as_secs_f64() / RUNS as f64
        );
        if reference == Reference::Gaussian {
            // An adaptive ladder: to a few percent.
            assert!((mean - log_z).abs() < 0.02 + 4.0 * error);
        }
        exact.iter().enumerate().fold(0.0_f64, |worst, (k, exact)| {
            let values = column(&all, k);
            let (mean, error) = mean_and_error(&values);
            println!("  {mean:.4} +- {error:.4} ({exact:.4})");
            assert!(reference == Reference::Prior || (mean - exact).abs() < 0.05 + 4.0 * error);
            let square: f64 = values.iter().map(|v| (v - exact).powi(2)).sum();
            worst.max((square / RUNS as f64).sqrt())
        })
    });
    println!("root mean square errors of a run {errors:.3?}");
    assert!(errors[0] > 3.0 * errors[1], "{errors:?}");
}

fn column(rows: &[Vec<f64>], k: usize) -> Vec<f64> {
    rows.iter().map(|row| row[k]).collect()
}

/// A posterior that next to has no integral: of squared ReLU, half of a Gaussian on each side of 0,
/// Z = ((1 - alpha)^(-1/2) + (1 - alpha/5)^(-1/2)) / 2. A step of the ladder that the effective sample size allows has weights
/// without a variance there.
#[test]
fn weights_have_a_variance_where_the_posterior_is_nearly_improper() {
    let (x, r, alpha) = ([1.0, -1.0], [1.0, 0.2], 0.8_f64);
    let data = Dataset::new(Inputs::row_major(&x, 2, 1).unwrap(), &r).unwrap();
    let prior = Prior::Gaussian { sd: 1.0 };
    let problem = Problem::greedy(data, Activation::SquaredRelu, prior, alpha).unwrap();
    let [wide, narrow] = [1.0 - alpha, 1.0 - 0.2 * alpha];
    let whole = 0.5 * (wide.powf(-0.5) + narrow.powf(-0.5));
    let square = 0.5 * (wide.powf(-1.5) + narrow.powf(-1.5)) / whole;
    let (mut z, mut squares) = (vec![], vec![]);
    for seed in 1..=40 {
        let options = SmcOptions { particles: 1024, seed, ..SmcOptions::default() };
        run(&options, &[], &problem, |smc| {
            let own = smc.evidence().unwrap();
            z.push((own.log - whole.ln()) / own.standard_error);
            let w = smc.column(Column::Weight(0)).unwrap();
            squares.push(w.iter().map(|w| w * w).sum::<f64>() / w.len() as f64);
        });
    }
    let rms = (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64).sqrt();
    let (mean, _) = mean_and_error(&z);
    let (second, error) = mean_and_error(&squares);
    println!("evidence: z {mean:.2}, rms {rms:.2}; E w^2 {second:.3} +- {error:.3} of {square:.3}");
    assert!(rms < 1.5 && mean.abs() < 0.8, "{mean} {rms}");
    assert!((second - square).abs() < 5.0 * error, "{second} {error} {square}");
}
