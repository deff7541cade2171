//! Sequential Monte Carlo against exact expectations and evidences, and as an object.
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
use lcc_core::checkpoint::{HEAD, Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::smc::{Column, Compiled, Ladder, Progress, Smc, SmcError, SmcOptions};
use lcc_core::workspace::WorkspaceError;
use lcc_tests::posteriors::{Aligned, Case, Numbers, greedy_cases, joint_cases};
use lcc_tests::{number, numbers, reference, shared};
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
    let mut smc = match options.ladder {
        Ladder::Given { .. } => {
            Smc::init_given(memory.bytes(), options, temperatures, isa, problem)
        }
        _ => Smc::init(memory.bytes(), options, isa, problem),
    }
    .expect("init");
    assert_eq!(smc.step(problem, u64::MAX), Ok(Progress::Done));
    f(&smc)
}

/// Mean and standard error of a mean of independent values.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
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

fn expectations<T: Compiled>(seed: u64) {
    let (mut squares, mut count, mut worst) = (0.0, 0.0_f64, 0.0_f64);
    let (mut evidence, mut claimed, mut stages) = (Vec::new(), Vec::new(), 0);
    for (k, (case, log_z)) in all_cases().into_iter().enumerate() {
        let numbers = Numbers::<T>::new(&case);
        let problem = numbers.problem();
        let moments = case.moments();
        let (mut runs, mut logs, mut variances) = (Vec::new(), Vec::new(), Vec::new());
        for r in 0..RUNS {
            let seed = seed + 1000 * k as u64 + r as u64;
            let options = SmcOptions::<T> { seed, ..Default::default() };
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
        // The adaptive ladder's estimate: consistent, within a few percent.
        let (mean, error) = mean_and_error(&logs);
        assert!((mean - log_z).abs() < 0.02 + 4.0 * error, "{}: {mean} {log_z}", case.id);
        evidence.push((mean - log_z) / error);
        let claimed_here = variances.iter().sum::<f64>() / RUNS as f64;
        claimed.push((claimed_here / (error * error * RUNS as f64)).sqrt());
    }
    let rms = (squares / count).sqrt();
    let rms_evidence = (evidence.iter().map(|z| z * z).sum::<f64>() / count).sqrt();
    claimed.sort_by(f64::total_cmp);
    let n = claimed.len();
    println!(
        "f{}: rms z {rms:.3}, largest {worst:.2}; evidence: rms z {rms_evidence:.3}; claimed / \
         found error {:.2} {:.2} {:.2} {:.2} {:.2}; {:.1} stages",
        T::BITS,
        claimed[0],
        claimed[n / 4],
        claimed[n / 2],
        claimed[3 * n / 4],
        claimed[n - 1],
        stages as f64 / (count * RUNS as f64),
    );
    assert!((0.9..1.1).contains(&rms), "rms z {rms}");
    // The error that a run claims for its evidence, against that found between runs (itself known to
    // 11 %).
    assert!((0.9..1.25).contains(&claimed[n / 2]));
    assert!(claimed[0] > 0.6 && claimed[n - 1] < 2.0, "{claimed:?}");
}

#[test]
fn expectations_in_double_precision() {
    expectations::<f64>(1_000_000);
}

#[test]
fn expectations_in_single_precision() {
    expectations::<f32>(2_000_000);
}

/// The mean of estimate / exact over runs on the ladder of another run.
fn evidence<T: Compiled>(seed: u64) {
    let (mut squares, mut count, mut spread) = (0.0, 0.0_f64, 0.0_f64);
    for (k, (case, log_z)) in all_cases().into_iter().enumerate() {
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
                    ladder: Ladder::Given { stages: ladder.len() as u32 },
                    adapt: false,
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
    assert!((0.8..1.25).contains(&rms), "rms z {rms}");
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

/// The rows of a file of comma-separated numbers, without its head.
fn table(name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(shared().join(name)).expect(name);
    let parse = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect();
    text.lines().skip(1).map(parse).collect()
}

/// G2: 100 observations, two coordinates, modes of mass .761 and .237 that no local sampler leaves,
/// and a third of .0017. Exact values by quadrature.
#[test]
fn a_posterior_of_several_modes() {
    let rows = table("peers/data/G2.csv");
    let x: Vec<f64> = rows.iter().flat_map(|r| r[..2].to_vec()).collect();
    let y: Vec<f64> = rows.iter().map(|r| r[2]).collect();
    let data = Dataset::new(Inputs::row_major(&x, 100, 2).unwrap(), &y).unwrap();
    let prior = Prior::Gaussian { sd: 2.0 };
    let problem = Problem::greedy(data, Activation::Tanh, prior, 1.0).unwrap();
    let results = std::fs::read_to_string(shared().join("peers/results.jsonl")).expect("results");
    let exact = results
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a result"))
        .find(|r| r["peer"] == "quadrature")
        .expect("a result by quadrature");
    let log_z = number(&exact["log_evidence"]);
    let estimate = numbers(&exact["estimate"]);
    let modes: Vec<([f64; 2], f64)> = exact["modes"]
        .as_array()
        .expect("modes")
        .iter()
        .map(|m| {
            let at = numbers(&m["at"]);
            ([at[0], at[1]], number(&m["mass_nearest"]))
        })
        .collect();

    let (mut logs, mut claimed, mut time, mut square) = (Vec::new(), 0.0, 0.0, 0.0);
    let mut masses = vec![Vec::new(); modes.len()];
    let mut means = vec![Vec::new(); estimate.len()];
    for seed in 1..=RUNS as u64 {
        let options = SmcOptions::<f64> { seed, ..Default::default() };
        let start = Instant::now();
        run(&options, &[], &problem, |smc| {
            time += start.elapsed().as_secs_f64();
            let evidence = smc.evidence().unwrap();
            logs.push(evidence.log);
            claimed += evidence.standard_error.powi(2) / RUNS as f64;
            let [w0, w1] = [0, 1].map(|j| smc.column(Column::Weight(j)).unwrap());
            let share = 1.0 / w0.len() as f64;
            let mut own = vec![0.0; modes.len()];
            for (w0, w1) in w0.iter().zip(w1) {
                let distance = |(at, _): &([f64; 2], f64)| (at[0] - w0).hypot(at[1] - w1);
                let nearest = (0..modes.len())
                    .min_by(|a, b| distance(&modes[*a]).total_cmp(&distance(&modes[*b])));
                own[nearest.unwrap()] += share;
            }
            masses.iter_mut().zip(own).for_each(|(m, x)| m.push(x));
            for (q, means) in means.iter_mut().enumerate() {
                let psi = |(w0, w1): (&f64, &f64)| (x[2 * q] * w0 + x[2 * q + 1] * w1).tanh();
                let mean = w0.iter().zip(w1).map(psi).sum::<f64>() * share;
                square += (mean - estimate[q]).powi(2) / (estimate.len() * RUNS) as f64;
                means.push(mean);
            }
            if seed == 1 {
                println!("{evidence:?}, {} evaluations", smc.evaluations());
                (0..).map_while(|k| smc.stage(k)).for_each(|s| println!("{s:?}"));
            }
        });
    }
    let (mean, error) = mean_and_error(&logs);
    let sd = error * (RUNS as f64).sqrt();
    println!(
        "log evidence {mean:.4} +- {error:.4} ({log_z:.4}), sd of a run {sd:.4}, claimed {:.4}; \
         rms error {:.4}; {:.2} ms a run",
        claimed.sqrt(),
        square.sqrt(),
        1e3 * time / RUNS as f64
    );
    assert!((mean - log_z).abs() < 4.0 * error);
    for ((_, exact), masses) in modes.iter().zip(&masses) {
        let (mean, error) = mean_and_error(masses);
        println!("mass {mean:.4} +- {error:.4} ({exact:.4})");
        assert!((mean - exact).abs() < 4.0 * error);
    }
    for (exact, means) in estimate.iter().zip(&means) {
        let (mean, error) = mean_and_error(means);
        assert!((mean - exact).abs() < 4.0 * error, "{mean} +- {error}, exact {exact}");
    }
    assert!(square.sqrt() < 0.05);
    assert!((0.7..1.6).contains(&(claimed.sqrt() / sd)));
}

const ROWS: usize = 13;

/// Data without pattern: rows of two columns and a target, in [-1, 1].
struct Raw<T> {
    x: Vec<T>,
    y: Vec<T>,
}

impl<T: Real> Raw<T> {
    fn new() -> Self {
        let mut state = 54321_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            T::lit((state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0)
        };
        let x = (0..ROWS * 2).map(|_| next()).collect();
        let y = (0..ROWS).map(|_| next()).collect();
        Self { x, y }
    }

    /// Both kinds of posterior under both priors.
    fn problems(&self) -> [Problem<'_, T>; 4] {
        let data = Dataset::new(Inputs::row_major(&self.x, ROWS, 2).unwrap(), &self.y).unwrap();
        let priors = [Prior::Gaussian { sd: T::lit(1.5) }, Prior::L1Ball { radius: T::lit(2.0) }];
        let greedy = |p| Problem::greedy(data, Activation::Tanh, p, T::lit(8.0)).unwrap();
        let joint = |p| {
            let (outer, beta, signs) = (T::lit(2.0), T::lit(3.0), Signs::Alternating);
            Problem::joint(data, Activation::Tanh, p, 3, outer, beta, signs).unwrap()
        };
        let [gaussian, l1] = priors;
        [greedy(gaussian), greedy(l1), joint(gaussian), joint(l1)]
    }
}

fn options<T: Real>() -> SmcOptions<T> {
    SmcOptions { particles: 40, lanes: 4, leapfrogs: 3, seed: 42, ..Default::default() }
}

const GIVEN: [f64; 4] = [0.125, 0.25, 0.625, 1.0];

/// Every kind of problem on every kind of ladder.
fn every<T: Compiled>(f: impl Fn(&SmcOptions<T>, &Problem<'_, T>)) {
    let ladders = [
        Ladder::Adaptive { ess: T::lit(0.6), most: 30 },
        Ladder::Even { stages: 3 },
        Ladder::Geometric { stages: 4, first: T::lit(0.05) },
        Ladder::Given { stages: 4 },
    ];
    let raw = Raw::<T>::new();
    for problem in raw.problems() {
        for ladder in ladders {
            f(&SmcOptions { ladder, ..options() }, &problem);
        }
    }
}

fn init<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &SmcOptions<T>,
    isa: Isa,
    problem: &Problem<'_, T>,
) -> Result<Smc<'m, T>, SmcError> {
    match options.ladder {
        Ladder::Given { .. } => {
            Smc::init_given(memory.bytes(), options, &GIVEN.map(T::lit), isa, problem)
        }
        _ => Smc::init(memory.bytes(), options, isa, problem),
    }
}

/// The bits of everything a run leaves behind.
fn outcome<T: Compiled>(smc: &Smc<'_, T>) -> Vec<u64> {
    let evidence = smc.evidence().expect("done");
    let stages = (0..).map_while(|k| smc.stage(k));
    let stages = stages.flat_map(|s| [s.temperature, s.ess, s.acceptance, s.step]);
    let values = smc.record().iter().copied().chain(stages);
    let mut out: Vec<u64> = values
        .chain([evidence.log, evidence.standard_error])
        .map(|x| x.to_f64().to_bits())
        .collect();
    out.push(evidence.families);
    out.extend(smc.origins().iter().map(|o| *o as u64));
    out
}

/// Runs in memory of the exact size, with budgets from `budget` in turn.
fn whole<T: Compiled>(
    options: &SmcOptions<T>,
    problem: &Problem<'_, T>,
    isa: Isa,
    mut budget: impl FnMut() -> u64,
) -> Vec<u64> {
    let mut memory = Aligned::new(Smc::size(options, problem).unwrap());
    let mut smc = init(&mut memory, options, isa, problem).unwrap();
    while smc.step(problem, budget()).unwrap() == Progress::Running {}
    assert_eq!(smc.step(problem, 1), Ok(Progress::Done));
    outcome(&smc)
}

#[test]
fn budgets_change_no_bit() {
    every::<f64>(|options, problem| {
        let straight = whole(options, problem, Isa::detect(), || u64::MAX);
        assert_eq!(whole(options, problem, Isa::detect(), || 1), straight);
        let mut k = 0_u64;
        let uneven = || {
            k = (k * 7 + 3) % 1009;
            k * 3
        };
        assert_eq!(whole(options, problem, Isa::detect(), uneven), straight);
    });
}

#[test]
fn lanes_and_instruction_sets_change_no_bit() {
    fn check<T: Compiled>(options: &SmcOptions<T>, problem: &Problem<'_, T>) {
        let four = whole(options, problem, Isa::detect(), || u64::MAX);
        for lanes in [1, 4, 8] {
            let options = SmcOptions { lanes, ..*options };
            for isa in Isa::all() {
                let found = whole(&options, problem, isa, || u64::MAX);
                assert_eq!(found, four, "{lanes} lanes, {}", isa.name());
            }
        }
    }
    every::<f64>(check);
    every::<f32>(check);
}

/// Stopped anywhere, moved or sealed, and gone on with.
#[test]
fn copies_and_checkpoints_go_on() {
    every::<f32>(|options, problem| {
        let straight = whole(options, problem, Isa::detect(), || u64::MAX);
        let size = Smc::size(options, problem).unwrap();
        for budget in [1, 300, 3000, 9000] {
            let mut first = Aligned::new(size);
            let mut smc = init(&mut first, options, Isa::detect(), problem).unwrap();
            assert_eq!(smc.step(problem, budget), Ok(Progress::Running));
            let mut second = Aligned::new(size);
            second.bytes().copy_from_slice(first.bytes());
            let mut sealed = vec![0; sealed_size(size).unwrap()];
            assert_eq!(checkpoint(first.bytes(), Kind::Smc, 32, &mut sealed), Ok(size + HEAD));
            first.bytes().fill(0xA5);
            let mut third = Aligned::new(size);
            assert_eq!(restore(&sealed, Kind::Smc, 32, third.bytes()), Ok(size));
            for memory in [&mut second, &mut third] {
                let mut smc = Smc::<f32>::open(memory.bytes(), Isa::Portable).unwrap();
                assert_eq!(smc.options(), options);
                while smc.step(problem, 777).unwrap() == Progress::Running {}
                assert_eq!(outcome(&smc), straight);
            }
        }
    });
}

/// What a run says of itself on the way, and the record against a direct evaluation.
#[test]
fn reports_are_those_of_the_run() {
    every::<f64>(|options, problem| {
        let mut memory = Aligned::new(Smc::size(options, problem).unwrap());
        let mut smc = init(&mut memory, options, Isa::detect(), problem).unwrap();
        assert_eq!(smc.step(problem, 0), Ok(Progress::Running));
        assert_eq!(smc.evaluations(), 0);
        let mut before = smc.position();
        assert_eq!((before.stages, before.temperature, before.done), (0, 0.0, false));
        while smc.step(problem, 200).unwrap() == Progress::Running {
            let now = smc.position();
            assert!(now.stages >= before.stages && now.temperature >= before.temperature);
            assert!(smc.record().is_empty() && smc.column(Column::LogDensity).is_none());
            assert_eq!(smc.evidence().is_some(), now.temperature == 1.0);
            before = now;
        }
        let position = smc.position();
        assert!(position.done && position.temperature == 1.0);
        let stages: Vec<_> = (0..).map_while(|k| smc.stage(k)).collect();
        assert_eq!(stages.len(), position.stages as usize);
        assert_eq!(smc.evaluations(), 1 + stages.len() as u64 * 2 * 3);
        let expected: Vec<f64> = match options.ladder {
            Ladder::Adaptive { ess, .. } => {
                assert!(stages.len() > 2);
                assert!(stages.is_sorted_by(|a, b| a.temperature < b.temperature));
                // Every step but the last one leaves the share wanted.
                for s in &stages[..stages.len() - 1] {
                    assert!(s.ess >= ess && s.ess < ess + 1e-3, "{s:?}");
                }
                stages.iter().map(|s| s.temperature).collect()
            }
            Ladder::Even { .. } => vec![1.0 / 3.0, 2.0 / 3.0, 1.0],
            Ladder::Geometric { .. } => {
                (0..4).map(|k| 0.05_f64.powf((3 - k) as f64 / 3.0)).collect()
            }
            Ladder::Given { .. } => GIVEN.to_vec(),
        };
        for (s, expected) in stages.iter().zip(&expected) {
            assert!((s.temperature - expected).abs() < 1e-14);
            assert!(s.ess > 0.0 && s.ess <= 1.0 && s.acceptance > 0.3 && s.acceptance <= 1.0);
            assert!(s.step > 0.0 && s.step <= options.total_time / 3.0);
        }
        let column = |c| smc.column(c).unwrap();
        let prior = match problem.prior() {
            Prior::Gaussian { .. } => None,
            Prior::L1Ball { radius } => {
                Some(-(2.0 * radius * radius).ln() * smc.dim() as f64 / 2.0)
            }
        };
        let draws = smc.draws(Column::Weight(1)).unwrap();
        for i in 0..40 {
            assert_eq!(draws.at(i, 0), column(Column::Weight(1))[i]);
            let log_prior = column(Column::LogDensity)[i] - column(Column::LogLikelihood)[i];
            let expected = prior.unwrap_or_else(|| {
                let w = (0..smc.dim()).map(|j| column(Column::Weight(j))[i]);
                w.map(|w| -w * w / 4.5 - 1.5_f64.ln() - 0.5 * std::f64::consts::TAU.ln()).sum()
            });
            assert!((log_prior - expected).abs() < 1e-12 * (1.0 + expected.abs()));
        }
        assert!(smc.column(Column::Weight(smc.dim())).is_none());
        let evidence = smc.evidence().unwrap();
        assert!(evidence.families > 1 && evidence.families <= 40);
        let mut origins = smc.origins().to_vec();
        origins.sort();
        origins.dedup();
        assert!(origins.len() as u64 <= evidence.families);
    });
}

#[test]
fn what_is_out_of_range_is_refused() {
    let raw = Raw::<f64>::new();
    let problems = raw.problems();
    let problem = problems[0];
    let o = |f: &dyn Fn(&mut SmcOptions<f64>)| {
        let mut options = options::<f64>();
        f(&mut options);
        Smc::size(&options, &problem).err()
    };
    assert_eq!(o(&|_| ()), None);
    assert_eq!(o(&|o| o.lanes = 2), Some(SmcError::Lanes));
    assert_eq!(o(&|o| o.particles = 0), Some(SmcError::Particles));
    assert_eq!(o(&|o| o.particles = 42), Some(SmcError::Particles));
    assert_eq!(o(&|o| (o.particles, o.lanes) = (1, 1)), Some(SmcError::Particles));
    assert_eq!(o(&|o| o.moves = 0), Some(SmcError::Moves));
    assert_eq!(o(&|o| o.leapfrogs = 0), Some(SmcError::Leapfrogs));
    for bad in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        let adaptive = Ladder::Adaptive { ess: bad, most: 9 };
        assert_eq!(o(&|o| o.ladder = adaptive), Some(SmcError::Ladder));
        assert_eq!(o(&|o| o.target_accept = bad), Some(SmcError::TargetAccept));
        let geometric = Ladder::Geometric { stages: 3, first: bad };
        assert!(bad == 1.0 || o(&|o| o.ladder = geometric) == Some(SmcError::Ladder));
        assert!(bad == 1.0 || o(&|o| o.total_time = bad) == Some(SmcError::TotalTime));
        assert!(bad == 0.0 || o(&|o| o.jitter = bad) == Some(SmcError::Jitter));
    }
    assert_eq!(o(&|o| o.ladder = Ladder::Even { stages: 0 }), Some(SmcError::Ladder));
    let huge = |o: &mut SmcOptions<f64>| o.ladder = Ladder::Even { stages: u32::MAX };
    assert!(usize::BITS > 32 || o(&huge) == Some(SmcError::Memory(WorkspaceError::Overflow)));

    // Temperatures: as many as said, increasing, the last one 1.
    let given = SmcOptions { ladder: Ladder::Given { stages: 3 }, ..options() };
    let mut memory = Aligned::new(Smc::size(&given, &problem).unwrap());
    let isa = Isa::detect();
    for (t, fine) in [
        (&[0.1, 0.5, 1.0][..], true),
        (&[0.5, 1.0], false),
        (&[0.5, 0.5, 1.0], false),
        (&[0.0, 0.5, 1.0], false),
        (&[0.1, 0.5, 0.9], false),
        (&[0.1, f64::NAN, 1.0], false),
        (&[0.1, 0.5, 1.1], false),
    ] {
        let made = Smc::init_given(memory.bytes(), &given, t, isa, &problem).err();
        assert_eq!(made, (!fine).then_some(SmcError::Temperatures), "{t:?}");
    }
    let made = Smc::init(memory.bytes(), &given, isa, &problem).err();
    assert_eq!(made, Some(SmcError::Temperatures));

    // A ladder that is too short, whenever it is asked.
    let short = SmcOptions { ladder: Ladder::Adaptive { ess: 0.9, most: 2 }, ..options() };
    let mut memory = Aligned::new(Smc::size(&short, &problem).unwrap());
    let mut smc = Smc::init(memory.bytes(), &short, isa, &problem).unwrap();
    assert_eq!(smc.step(&problem, u64::MAX), Err(SmcError::Stages));
    assert_eq!(smc.step(&problem, 1), Err(SmcError::Stages));
    assert_eq!(smc.position().stages, 2);

    // Other problems, other memory.
    let mut smc = Smc::init(memory.bytes(), &short, isa, &problem).unwrap();
    for (k, other) in problems.iter().enumerate() {
        let expected = if k == 0 { Ok(Progress::Running) } else { Err(SmcError::OtherProblem) };
        assert_eq!(smc.step(other, 1), expected);
    }
    let single = Smc::<f32>::open(memory.bytes(), isa).err();
    assert_eq!(single, Some(SmcError::NotAnSmc));
    let size = memory.bytes().len();
    let refused = |memory: &mut [u8]| Smc::<f64>::open(memory, isa).err();
    let too_small = SmcError::Memory(WorkspaceError::TooSmall);
    assert_eq!(refused(&mut memory.bytes()[..size - 16]), Some(too_small));
    assert_eq!(refused(Aligned::new(4096).bytes()), Some(SmcError::NotAnSmc));
    let made = Smc::init(&mut memory.bytes()[..size - 1], &short, isa, &problem).err();
    assert_eq!(made, Some(too_small));
    let made = Smc::init(&mut memory.bytes()[1..], &short, isa, &problem).err();
    assert_eq!(made, Some(SmcError::Memory(WorkspaceError::Misaligned)));
}

/// FNV-1a over the bits of every kind of run.
fn hash<T: Compiled>() -> u64 {
    let hash = std::cell::Cell::new(0xCBF2_9CE4_8422_2325_u64);
    every::<T>(|options, problem| {
        for word in whole(options, problem, Isa::detect(), || u64::MAX) {
            for byte in word.to_le_bytes() {
                hash.set((hash.get() ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3));
            }
        }
    });
    hash.get()
}

/// The same bits on every machine, in every build. A change here is a change of the specification.
#[test]
fn golden_bits() {
    let found = (hash::<f64>(), hash::<f32>());
    println!("{found:#018x?}");
    assert_eq!(found, GOLDEN);
}

const GOLDEN: (u64, u64) = (0x8DE6_E9AA_656C_1BFB, 0xC5E6_27E2_0CC9_B0CA);
