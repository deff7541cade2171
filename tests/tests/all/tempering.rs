//! Parallel tempering against exact expectations and evidences, and as an object.
//!
//! Every posterior of the reference values, both precisions, on the temperatures of a short run of
//! sequential Monte Carlo. Chains are independent, so their means are replicates: z = (mean of chain
//! means - exact) / (their standard deviation / sqrt(CHAINS)). No posterior is left out, however far
//! apart its modes. An expectation of psi >= 0 that is that of a rare event (sd above RARE means) has
//! at least the standard error of as many independent draws.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{HEAD, Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{LogDensity, Signs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::smc::{self, Smc, SmcOptions};
use lcc_core::tempering::{
    Column, Compiled, Progress, Tempering, TemperingError, TemperingOptions,
};
use lcc_core::workspace::WorkspaceError;
use lcc_tests::modes::Modes;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{Aligned, Case, Numbers, greedy_cases, joint_cases};
use lcc_tests::tools::{thinned, width};
use lcc_tests::{number, reference};
use std::time::Instant;

/// Replicates of every run.
const CHAINS: usize = 40;
/// The sd, in means, above which an expectation of a non-negative quantity is that of a rare event.
const RARE: f64 = 10.0;

/// The temperatures at which half of the particles are left.
fn ladder<T: smc::Compiled>(problem: &Problem<'_, T>) -> Vec<T> {
    let options = SmcOptions { particles: 256, ..Default::default() };
    let mut memory = Aligned::new(Smc::size(&options, problem).expect("size"));
    let mut smc = Smc::init(memory.bytes(), &options, Isa::detect(), problem).expect("init");
    assert_eq!(smc.step(problem, u64::MAX), Ok(Progress::Done));
    (0..).map_while(|k| smc.stage(k)).map(|s| s.temperature).collect()
}

fn all_cases() -> Vec<(Case, f64)> {
    let with_evidence = |cases: Vec<Case>, file: &str| -> Vec<(Case, f64)> {
        let file = reference(file);
        let exact = file["cases"].as_array().expect("cases").iter();
        cases.into_iter().zip(exact.map(|c| number(&c["result"]["log_Z"]))).collect()
    };
    let greedy = |d| with_evidence(greedy_cases(d), &format!("greedy_posterior_d{d}.json"));
    let joint = with_evidence(joint_cases(), "joint_posterior.json");
    (1..=3).flat_map(greedy).chain(joint).collect()
}

/// Means of every chain: [expectation][chain], the last ones those of the squares of w about their
/// exact means.
fn means<T: Compiled>(case: &Case, chains: &Tempering<'_, T>) -> Vec<Vec<f64>> {
    let moments = case.moments();
    let (queries, dim) = (case.query_moments.len(), chains.dim());
    let stored = chains.position().stored as f64;
    let mut out = vec![vec![0.0; CHAINS]; moments.len() + dim];
    let (mut w, mut values) = (vec![0.0; dim], Vec::new());
    for row in chains.record().chunks_exact((dim + 2) * CHAINS) {
        for c in 0..CHAINS {
            w.iter_mut().enumerate().for_each(|(j, w)| *w = row[j * CHAINS + c].to_f64());
            case.functionals(&w, &mut values);
            for j in 0..dim {
                values.push((w[j] - moments[queries + j].0).powi(2));
            }
            out.iter_mut().zip(&values).for_each(|(o, v)| o[c] += v / stored);
        }
    }
    out
}

fn expectations<T: Compiled + smc::Compiled>(seed: u64) {
    let (mut squares, mut count, mut worst, mut evidence) = (0.0, 0.0_f64, 0.0_f64, 0.0);
    for (k, (case, log_z)) in thinned(all_cases(), seed / 100) {
        let numbers = Numbers::<T>::new(&case);
        let problem = numbers.problem();
        let temperatures = ladder(&problem);
        let options = TemperingOptions::<T> {
            chains: CHAINS as u32,
            temperatures: temperatures.len() as u32,
            warmup: 200,
            draws: 2000,
            stored: 1000,
            seed: seed + k as u64,
            ..Default::default()
        };
        let mut memory = Aligned::new(Tempering::size(&options, &problem).expect("size"));
        let (memory, isa) = (memory.bytes(), Isa::detect());
        let mut chains =
            Tempering::init(memory, &options, &temperatures, isa, &problem).expect("init");
        assert_eq!(chains.step(&problem, u64::MAX), Ok(Progress::Done));
        let moments = case.moments();
        let exact: Vec<f64> =
            moments.iter().map(|m| m.0).chain(case.weight_moments.iter().map(|m| m.1)).collect();
        let means = means(&case, &chains);
        let mut own = 0.0;
        for (e, (means, exact)) in means.iter().zip(&exact).enumerate() {
            let (mean, mut error) = mean_and_error(means);
            let psi = case.activation == Activation::SquaredRelu && e < case.query_moments.len();
            if psi && moments[e].1.sqrt() > RARE * moments[e].0 {
                error = error.max((moments[e].1 / (1000 * CHAINS) as f64).sqrt());
            }
            let z = (mean - exact) / error;
            assert!(z.abs() < 5.0, "{} expectation {e}: z = {z}", case.id);
            worst = worst.max(z.abs());
            own += z * z;
        }
        squares += own / exact.len() as f64;
        count += 1.0;
        let logs: Vec<f64> =
            (0..CHAINS).map(|c| chains.log_evidence(c).expect("evidence").to_f64()).collect();
        let (mean, error) = mean_and_error(&logs);
        let variance = error * error * CHAINS as f64;
        // The logarithm of an unbiased mean is low by half its relative variance.
        let z = (mean + 0.5 * variance - log_z) / error;
        assert!(z.abs() < 5.0, "{}: log evidence {mean} +- {error}, exact {log_z}", case.id);
        evidence += z * z;
        for c in 0..CHAINS {
            assert!(chains.restarts(c).unwrap() > 50, "{}: {:?}", case.id, chains.restarts(c));
        }
    }
    let (rms, evidence) = ((squares / count).sqrt(), (evidence / count).sqrt());
    println!("f{}: rms z {rms:.3}, largest {worst:.2}; evidence: rms z {evidence:.3}", T::BITS);
    assert!((rms - 1.0).abs() < width(0.1), "rms z {rms}");
    assert!((evidence - 1.0).abs() < width(0.2), "evidence: rms z {evidence}");
}

#[test]
fn expectations_in_double_precision() {
    expectations::<f64>(100);
}

#[test]
fn expectations_in_single_precision() {
    expectations::<f32>(200);
}

/// Modes that no local sampler leaves.
#[test]
fn a_posterior_of_several_modes() {
    let exact = Modes::load();
    let problem = exact.problem();
    let temperatures = ladder(&problem);
    let options = TemperingOptions::<f64> {
        chains: CHAINS as u32,
        temperatures: temperatures.len() as u32,
        warmup: 200,
        draws: 1000,
        ..Default::default()
    };
    let mut memory = Aligned::new(Tempering::size(&options, &problem).expect("size"));
    let (memory, isa) = (memory.bytes(), Isa::detect());
    let mut chains = Tempering::init(memory, &options, &temperatures, isa, &problem).expect("init");
    let start = Instant::now();
    assert_eq!(chains.step(&problem, u64::MAX), Ok(Progress::Done));
    let time = start.elapsed().as_secs_f64() / CHAINS as f64;
    let [w0, w1] = [0, 1].map(|j| chains.draws(Column::Weight(j)).unwrap());
    let (mut masses, mut means, mut square) = (Vec::new(), Vec::new(), 0.0);
    for c in 0..CHAINS {
        let draws: Vec<[f64; 2]> = (0..1000).map(|t| [w0.at(c, t), w1.at(c, t)]).collect();
        let (own_masses, own_means) = exact.means(&draws);
        for (mean, exact) in own_means.iter().zip(&exact.estimate) {
            square += (mean - exact).powi(2) / (own_means.len() * CHAINS) as f64;
        }
        masses.push(own_masses);
        means.push(own_means);
    }
    let logs: Vec<f64> = (0..CHAINS).map(|c| chains.log_evidence(c).unwrap()).collect();
    let (log, error) = mean_and_error(&logs);
    println!(
        "log evidence {log:.4} +- {error:.4} ({:.4}); rms error of a chain {:.4}; {:.2} ms a chain; \
         {} restarts",
        exact.log_z,
        f64::sqrt(square),
        1e3 * time,
        chains.restarts(0).unwrap()
    );
    (0..temperatures.len()).for_each(|k| println!("{:?}", chains.rung(0, k).unwrap()));
    assert!((log - exact.log_z).abs() < 4.0 * error + 0.5 * error.powi(2) * CHAINS as f64);
    for (k, (_, mass)) in exact.modes.iter().enumerate() {
        let (mean, error) = mean_and_error(&column(&masses, k));
        println!("mass {mean:.4} +- {error:.4} ({mass:.4})");
        assert!((mean - mass).abs() < 4.0 * error);
    }
    for (q, exact) in exact.estimate.iter().enumerate() {
        let (mean, error) = mean_and_error(&column(&means, q));
        assert!((mean - exact).abs() < 4.0 * error, "{mean} +- {error}, exact {exact}");
    }
    assert!(f64::sqrt(square) < 0.1);
}

fn column(rows: &[Vec<f64>], k: usize) -> Vec<f64> {
    rows.iter().map(|row| row[k]).collect()
}

const ROWS: usize = 13;
const LADDER: [f64; 3] = [0.25, 0.5, 1.0];

/// Data without pattern: rows of two columns and a target, in [-1, 1].
struct Raw<T> {
    x: Vec<T>,
    y: Vec<T>,
}

impl<T: Real> Raw<T> {
    fn new() -> Self {
        let mut state = 98765_u64;
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
        let greedy = |p| Problem::greedy(data, Activation::Tanh, p, T::lit(4.0)).unwrap();
        let joint = |p| {
            let (outer, beta, signs) = (T::lit(2.0), T::lit(3.0), Signs::Alternating);
            Problem::joint(data, Activation::Tanh, p, 3, outer, beta, signs).unwrap()
        };
        let [gaussian, l1] = priors;
        [greedy(gaussian), greedy(l1), joint(gaussian), joint(l1)]
    }
}

/// A short run that goes through everything: warm-up, thinning, a block that is not full.
fn options<T: Real>() -> TemperingOptions<T> {
    TemperingOptions {
        chains: 9,
        lanes: 8,
        temperatures: 3,
        moves: 2,
        warmup: 15,
        draws: 25,
        stored: 10,
        seed: 42,
        ..Default::default()
    }
}

fn init<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &TemperingOptions<T>,
    isa: Isa,
    problem: &Problem<'_, T>,
) -> Tempering<'m, T> {
    Tempering::init(memory.bytes(), options, &LADDER.map(T::lit), isa, problem).unwrap()
}

/// The bits of everything that a run leaves behind.
fn outcome<T: Compiled>(chains: &Tempering<'_, T>) -> Vec<u64> {
    let mut out: Vec<u64> = chains.record().iter().map(|x| x.to_f64().to_bits()).collect();
    for c in 0..chains.options().chains as usize {
        for k in 0..3 {
            let r = chains.rung(c, k).unwrap();
            out.extend([r.acceptance, r.swap, r.step].map(|x| x.to_f64().to_bits()));
        }
        out.push(chains.log_evidence(c).unwrap().to_f64().to_bits());
        out.push(chains.restarts(c).unwrap() as u64);
    }
    out
}

fn whole<T: Compiled>(
    options: &TemperingOptions<T>,
    problem: &Problem<'_, T>,
    isa: Isa,
    mut budget: impl FnMut() -> u64,
) -> Vec<u64> {
    let mut memory = Aligned::new(Tempering::size(options, problem).unwrap());
    let mut chains = init(&mut memory, options, isa, problem);
    while chains.step(problem, budget()).unwrap() == Progress::Running {}
    assert_eq!(chains.step(problem, 1), Ok(Progress::Done));
    outcome(&chains)
}

#[test]
fn budgets_lanes_and_instruction_sets_change_no_bit() {
    fn check<T: Compiled>() {
        for problem in Raw::<T>::new().problems() {
            let options = options();
            let straight = whole(&options, &problem, Isa::detect(), || u64::MAX);
            assert_eq!(whole(&options, &problem, Isa::detect(), || 1), straight);
            let mut k = 0_u64;
            let uneven = || {
                k = (k * 7 + 3) % 1009;
                k * 3
            };
            assert_eq!(whole(&options, &problem, Isa::detect(), uneven), straight);
            for lanes in [1, 8] {
                let options = TemperingOptions { lanes, ..options };
                for isa in Isa::all() {
                    let found = whole(&options, &problem, isa, || u64::MAX);
                    assert_eq!(found, straight, "{lanes} lanes, {}", isa.name());
                }
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// Stopped anywhere, moved or sealed, and gone on with.
#[test]
fn copies_and_checkpoints_go_on() {
    for problem in Raw::<f32>::new().problems() {
        let options = options();
        let straight = whole(&options, &problem, Isa::detect(), || u64::MAX);
        let size = Tempering::size(&options, &problem).unwrap();
        for budget in [1, 300, 3000, 9000] {
            let mut first = Aligned::new(size);
            let mut chains = init(&mut first, &options, Isa::detect(), &problem);
            assert_eq!(chains.step(&problem, budget), Ok(Progress::Running));
            let mut second = Aligned::new(size);
            second.bytes().copy_from_slice(first.bytes());
            let mut sealed = vec![0; sealed_size(size).unwrap()];
            let kind = Kind::Tempering;
            assert_eq!(checkpoint(first.bytes(), kind, 32, &mut sealed), Ok(size + HEAD));
            first.bytes().fill(0xA5);
            let mut third = Aligned::new(size);
            assert_eq!(restore(&sealed, kind, 32, third.bytes()), Ok(size));
            for memory in [&mut second, &mut third] {
                let mut chains = Tempering::<f32>::open(memory.bytes(), Isa::Portable).unwrap();
                assert_eq!(chains.options(), &options);
                while chains.step(&problem, 777).unwrap() == Progress::Running {}
                assert_eq!(outcome(&chains), straight);
            }
        }
    }
}

#[test]
fn chains_do_not_depend_on_their_number() {
    for problem in Raw::<f64>::new().problems() {
        let sampled = |chains| {
            let options = TemperingOptions { chains, ..options() };
            let mut memory = Aligned::new(Tempering::size(&options, &problem).unwrap());
            let mut chains = init(&mut memory, &options, Isa::detect(), &problem);
            chains.step(&problem, u64::MAX).unwrap();
            let draws = chains.draws(Column::Weight(1)).unwrap();
            (0..10).map(|t| draws.at(2, t).to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(sampled(3), sampled(6));
    }
}

/// In the middle of a run and at its end: means are means, and the record is that of the density.
#[test]
fn reports_are_those_of_the_run() {
    for problem in Raw::<f64>::new().problems() {
        let options = TemperingOptions { draws: 300, stored: 300, ..options::<f64>() };
        let mut memory = Aligned::new(Tempering::size(&options, &problem).unwrap());
        let mut chains = init(&mut memory, &options, Isa::detect(), &problem);
        assert_eq!(chains.step(&problem, 0), Ok(Progress::Running));
        assert_eq!(chains.evaluations(), 0);
        assert!(chains.log_evidence(0).is_none() && chains.record().is_empty());
        let mut calls = 0;
        while chains.step(&problem, 3001).unwrap() == Progress::Running {
            calls += 1;
            let position = chains.position();
            for (c, k) in (0..9).flat_map(|c| (0..3).map(move |k| (c, k))) {
                let rung = chains.rung(c, k).unwrap();
                if position.draws > 1 {
                    for mean in [rung.acceptance, rung.swap] {
                        assert!(mean > 0.0 && mean <= 1.0 + 1e-12, "{rung:?}");
                    }
                }
            }
        }
        // Starts; then in each iteration a draw from the prior and two transitions of three steps.
        assert_eq!(chains.evaluations(), 4 + 315 * (1 + 3 * 2 * 3));
        assert!(calls > 10);
        for c in 0..9 {
            assert!(chains.log_evidence(c).unwrap().is_finite());
            assert!(chains.restarts(c).unwrap() > 5 && chains.restarts(c).unwrap() <= 150);
            for k in 0..3 {
                let rung = chains.rung(c, k).unwrap();
                assert_eq!(rung.temperature, LADDER[k]);
                assert!(rung.acceptance > 0.6 && rung.swap > 0.2, "{rung:?}");
                assert!(rung.step > 0.0 && rung.step <= options.total_time / 3.0);
            }
        }
        let column = |c| chains.draws(c).unwrap();
        for (c, t) in [(0, 0), (8, 299), (2, 77)] {
            let log_prior =
                column(Column::LogDensity).at(c, t) - column(Column::LogLikelihood).at(c, t);
            let expected = match problem.prior() {
                Prior::Gaussian { .. } => (0..chains.dim())
                    .map(|j| column(Column::Weight(j)).at(c, t))
                    .map(|w| -w * w / 4.5 - 1.5_f64.ln() - 0.5 * std::f64::consts::TAU.ln())
                    .sum(),
                Prior::L1Ball { radius } => {
                    -(2.0 * radius * radius).ln() * chains.dim() as f64 / 2.0
                }
            };
            assert!((log_prior - expected).abs() < 1e-12 * (1.0 + expected.abs()));
        }
        assert!(chains.draws(Column::Weight(chains.dim())).is_none());
        assert!(chains.rung(9, 0).is_none() && chains.rung(0, 3).is_none());
        assert!(chains.restarts(9).is_none() && chains.log_evidence(9).is_none());
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let raw = Raw::<f64>::new();
    let problems = raw.problems();
    let problem = problems[0];
    let o = |f: &dyn Fn(&mut TemperingOptions<f64>)| {
        let mut options = options::<f64>();
        f(&mut options);
        Tempering::size(&options, &problem).err()
    };
    assert_eq!(o(&|_| ()), None);
    assert_eq!(o(&|o| o.chains = 0), Some(TemperingError::Chains));
    assert_eq!(o(&|o| o.lanes = 2), Some(TemperingError::Lanes));
    assert_eq!(o(&|o| o.temperatures = 0), Some(TemperingError::Temperatures));
    assert_eq!(o(&|o| o.draws = 0), Some(TemperingError::Draws));
    assert_eq!(o(&|o| o.warmup = u32::MAX), Some(TemperingError::Draws));
    assert_eq!(o(&|o| o.stored = 26), Some(TemperingError::Stored));
    assert_eq!(o(&|o| o.moves = 0), Some(TemperingError::Moves));
    assert_eq!(o(&|o| o.leapfrogs = 0), Some(TemperingError::Leapfrogs));
    for bad in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(o(&|o| o.target_accept = bad), Some(TemperingError::TargetAccept));
        assert!(bad == 1.0 || o(&|o| o.total_time = bad) == Some(TemperingError::TotalTime));
        assert!(bad == 0.0 || o(&|o| o.jitter = bad) == Some(TemperingError::Jitter));
    }
    let options = options::<f64>();
    let size = Tempering::size(&options, &problem).unwrap();
    let mut memory = Aligned::new(size);
    let isa = Isa::detect();
    for (t, fine) in [
        (&[0.1, 0.5, 1.0][..], true),
        (&[0.5, 1.0], false),
        (&[0.5, 0.5, 1.0], false),
        (&[0.0, 0.5, 1.0], false),
        (&[0.1, 0.5, 0.9], false),
        (&[0.1, f64::NAN, 1.0], false),
    ] {
        let made = Tempering::init(memory.bytes(), &options, t, isa, &problem).err();
        assert_eq!(made, (!fine).then_some(TemperingError::Temperatures), "{t:?}");
    }
    let mut chains = init(&mut memory, &options, isa, &problem);
    for (k, other) in problems.iter().enumerate() {
        let fine = k == 0;
        let expected = if fine { Ok(Progress::Running) } else { Err(TemperingError::OtherProblem) };
        assert_eq!(chains.step(other, 1), expected);
    }
    let broken = Some(TemperingError::NotATempering);
    assert_eq!(Tempering::<f32>::open(memory.bytes(), isa).err(), broken);
    assert_eq!(Tempering::<f64>::open(Aligned::new(4096).bytes(), isa).err(), broken);
    let too_small = Some(TemperingError::Memory(WorkspaceError::TooSmall));
    let short = &mut memory.bytes()[..size - 16];
    assert_eq!(Tempering::<f64>::open(short, isa).err(), too_small);
    let made = Tempering::init(&mut memory.bytes()[..size - 1], &options, &LADDER, isa, &problem);
    assert_eq!(made.err(), too_small);
}

/// N(0, 1) cut to x > 0, without its normaliser.
struct Half;

impl LogDensity<f64> for Half {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        if let Some(gradient) = gradient {
            gradient[0] = -x[0];
        }
        (x[0] > 0.0).then_some(-0.5 * x[0] * x[0])
    }
}

/// A density of the user's own: replicas that start outside its support leave by the prior.
#[test]
fn densities_of_the_user() {
    let problem = Problem::user(&Half, 1, 3.0, true).unwrap();
    let options = TemperingOptions::<f64> { chains: CHAINS as u32, ..options() };
    let options = TemperingOptions { warmup: 200, draws: 2000, stored: 2000, ..options };
    let mut memory = Aligned::new(Tempering::size(&options, &problem).unwrap());
    let mut chains = init(&mut memory, &options, Isa::detect(), &problem);
    assert_eq!(chains.step(&problem, u64::MAX), Ok(Progress::Done));
    let draws = chains.draws(Column::Weight(0)).unwrap();
    let means: Vec<f64> =
        (0..CHAINS).map(|c| (0..2000).map(|t| draws.at(c, t)).sum::<f64>() / 2000.0).collect();
    let logs: Vec<f64> = (0..CHAINS).map(|c| chains.log_evidence(c).unwrap()).collect();
    let exact = [0.5 * std::f64::consts::FRAC_PI_2.ln(), std::f64::consts::FRAC_2_PI.sqrt()];
    for (values, exact) in [logs, means].iter().zip(exact) {
        let (mean, error) = mean_and_error(values);
        assert!((mean - exact).abs() < 4.0 * error && error < 0.02, "{mean} {error} {exact}");
    }
    let rungs = (0..CHAINS).flat_map(|c| (0..3).map(move |k| (c, k)));
    assert!(rungs.map(|(c, k)| chains.rung(c, k).unwrap()).all(|r| r.swap > 0.2 && r.swap <= 1.0));
    let without = Problem::user(&Half, 1, 3.0, false).unwrap();
    assert_eq!(Tempering::size(&options, &without).err(), Some(TemperingError::NoGradient));
}

/// FNV-1a over the bits of a run of every problem.
fn hash<T: Compiled>() -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let options = TemperingOptions { chains: 5, ..options() };
    for problem in Raw::<T>::new().problems() {
        for word in whole(&options, &problem, Isa::detect(), || u64::MAX) {
            for byte in word.to_le_bytes() {
                hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }
    }
    hash
}

/// The same bits on every machine, in every build. A change here is a change of the specification.
#[test]
fn golden_bits() {
    let found = (hash::<f64>(), hash::<f32>());
    println!("{found:#018x?}");
    assert_eq!(found, GOLDEN);
}

const GOLDEN: (u64, u64) = (0x6125_670D_9214_DB2D, 0x9F01_66DC_9C60_CB46);
