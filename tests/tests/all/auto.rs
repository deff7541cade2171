//! `auto` without a flag: right on every posterior that there is an exact answer for.
//!
//! Every posterior of the reference values, RUNS independent runs each, whatever was chosen in each;
//! z = (mean over runs - exact) / (their standard deviation / sqrt(RUNS)) is Student-t with RUNS - 1
//! degrees of freedom. Expectations of rare events (see `sampler_exact`) have at least the standard
//! error of as many independent draws.

use lcc_core::activation::Activation;
use lcc_core::auto::{Auto, AutoError, AutoOptions, Choice, Progress, Report, Verdict};
use lcc_core::checkpoint::{Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{LogDensity, Signs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler;
use lcc_core::simd::Isa;
use lcc_core::smc;
use lcc_core::warmup;
use lcc_core::workspace::WorkspaceError;
use lcc_tests::modes::Modes;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{Aligned, Case, Model, Numbers, greedy_cases, joint_cases};
use lcc_tests::tools::{by_turns, width};

/// Runs of every posterior, from which one z of each expectation comes: errors of .02 posterior sds or
/// less. (A run's own bias, of its start and of the choice that its draws decide, is .2 of its standard
/// error at worst, on d2-31: 400 runs show it, 16 do not.)
const RUNS: usize = 16;
/// What 5 standard deviations of a normal are of Student's t with RUNS - 1 degrees of freedom.
const LIMIT: f64 = 8.27;
/// The sd, in means, above which an expectation of a non-negative quantity is that of a rare event.
const RARE: f64 = 10.0;

/// The draws of a run, w by w.
fn draws<T: smc::Compiled + sampler::Compiled + warmup::Compiled>(
    auto: &mut Auto<'_, T>,
) -> Vec<Vec<f64>> {
    if let Some(smc) = auto.particles() {
        let count = smc.options().particles as usize;
        let w = |i: usize| (0..smc.dim()).map(|j| smc.record()[j * count + i].to_f64()).collect();
        return (0..count).map(w).collect();
    }
    let chains = auto.chains().expect("chains");
    let count = chains.options().chains as usize;
    let dim = chains.dim();
    let mut all = Vec::new();
    for row in chains.record().chunks_exact(chains.columns() * count) {
        all.extend((0..count).map(|c| (0..dim).map(|j| row[j * count + c].to_f64()).collect()));
    }
    all
}

fn run<T: smc::Compiled + sampler::Compiled + warmup::Compiled, R>(
    options: &AutoOptions,
    problem: &Problem<'_, T>,
    f: impl FnOnce(&mut Auto<'_, T>) -> R,
) -> R {
    let mut memory = Aligned::new(Auto::<T>::size(options, problem).expect("size"));
    let mut auto = Auto::init(memory.bytes(), options, Isa::detect(), problem).expect("init");
    assert_eq!(auto.step(problem, u64::MAX), Ok(Progress::Done));
    f(&mut auto)
}

/// x_0^2 exp(-x_0 - x_1^2/2), outside of whose support the formula has a logarithm of a negative number.
struct Gamma {
    plain: bool,
}

impl LogDensity<f64> for Gamma {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        if x[0] <= 0.0 && !self.plain {
            return None;
        }
        if let Some(gradient) = gradient {
            gradient.copy_from_slice(&[2.0 / x[0] - 1.0, -x[1]]);
        }
        Some(2.0 * x[0].ln() - x[0] - x[1] * x[1] / 2.0)
    }
}

/// NaN is outside of the support: the same draws, to the bit, as of a density that says so.
#[test]
fn nan_is_outside_of_the_support() {
    let of = |plain| {
        let density = Gamma { plain };
        let problem = Problem::user(&density, 2, 1.0, true).unwrap();
        let start = [2.0, 0.0];
        [problem, problem.starting(&start)].map(|problem| {
            run(&AutoOptions::default(), &problem, |auto| (auto.report().choice, draws(auto)))
        })
    };
    let (plain, said) = (of(true), of(false));
    assert!(plain == said);
    for (_, draws) in &plain {
        let mean = draws.iter().map(|w| w[0]).sum::<f64>() / draws.len() as f64;
        println!("mean {mean:.3} of {}", draws.len());
        assert!((mean - 3.0).abs() < 0.2, "{mean}");
    }
}

fn all_cases() -> Vec<Case> {
    (1..=3).flat_map(greedy_cases).chain(joint_cases()).collect()
}

/// The root mean square z in one precision.
fn check<T: smc::Compiled + sampler::Compiled + warmup::Compiled>(seed: u64) -> f64 {
    let (mut squares, mut count, mut took_over, mut warned) = (0.0, 0.0_f64, 0, 0);
    for (k, case) in all_cases().iter().enumerate() {
        let numbers = Numbers::<T>::new(case);
        let problem = numbers.problem();
        let moments = case.moments();
        let mut means = vec![Vec::new(); moments.len()];
        for r in 0..RUNS {
            let seed = seed + 1000 * k as u64 + r as u64;
            let options = AutoOptions { chains: 8, draws: 500, seed, ..Default::default() };
            run(&options, &problem, |auto| {
                let report = auto.report();
                took_over += (report.choice == Choice::Particles) as usize;
                warned += (report.verdict == Verdict::Unreliable) as usize;
                let mut values = Vec::new();
                let mut sums = vec![0.0; moments.len()];
                let draws = draws(auto);
                for w in &draws {
                    case.functionals(w, &mut values);
                    sums.iter_mut().zip(&values).for_each(|(s, v)| *s += v);
                }
                let own = means.iter_mut().zip(&sums);
                own.for_each(|(m, s)| m.push(s / draws.len() as f64));
            });
        }
        let mut own = Vec::new();
        for (e, (means, (exact, variance))) in means.iter().zip(&moments).enumerate() {
            let (mean, mut error) = mean_and_error(means);
            let psi = case.activation == Activation::SquaredRelu && e < case.query_moments.len();
            let rare = psi && variance.sqrt() > RARE * exact;
            if rare {
                error = error.max((variance / (4000 * RUNS) as f64).sqrt());
            }
            // By symmetry a pair may leave no error but rounding.
            if error < 1e-6 * variance.sqrt() {
                assert!((mean - exact).abs() < 1e-5 * variance.sqrt(), "{}: {mean}", case.id);
                continue;
            }
            let z = (mean - exact) / error;
            assert!(z.abs() < LIMIT, "{} expectation {e}: z = {z}", case.id);
            let precise = error < 0.02 * variance.sqrt();
            assert!(precise || rare, "{} expectation {e}: {error}", case.id);
            own.push(z * z);
        }
        squares += own.iter().sum::<f64>() / own.len() as f64;
        count += 1.0;
    }
    let freedom = RUNS as f64 - 1.0;
    let rms = (squares / count / (freedom / (freedom - 2.0))).sqrt();
    println!(
        "auto f{}: rms z {rms:.3} over {count} posteriors; particles took over in {took_over}, warnings in {warned} of {} runs",
        T::BITS,
        count * RUNS as f64
    );
    assert!(warned * 50 < RUNS * count as usize, "{warned} warnings");
    rms
}

#[test]
fn right_on_every_posterior() {
    let all: [fn() -> f64; 4] = [
        || check::<f64>(10_000_000),
        || check::<f32>(20_000_000),
        || check::<f64>(11_000_000),
        || check::<f32>(21_000_000),
    ];
    let squares: Vec<f64> = by_turns(all, 4, 0).map(|rms| rms().powi(2)).collect();
    let rms = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
    assert!((rms - 1.0).abs() < width(0.1), "rms z {rms}");
}

/// G2: modes of mass .761 and .237 that no chain leaves.
#[test]
fn modes_are_seen_and_weighed() {
    let modes = Modes::load();
    let problem = modes.problem();
    let mut mixtures = 0;
    for seed in 1..=20 {
        let options = AutoOptions { seed, ..Default::default() };
        run(&options, &problem, |auto| {
            let report = auto.report();
            mixtures += (report.choice == Choice::Mixture) as usize;
            let seen = matches!(report.choice, Choice::Mixture | Choice::Particles);
            assert!(seen && report.verdict != Verdict::Unreliable, "seed {seed}: {report}");
            let evidence = report.evidence.expect("evidence");
            assert!((evidence.log - modes.log_z).abs() < 5.0 * evidence.standard_error);
            let w: Vec<[f64; 2]> = draws(auto).iter().map(|w| [w[0], w[1]]).collect();
            let (masses, _) = modes.means(&w);
            for (mass, (_, exact)) in masses.iter().zip(&modes.modes) {
                // 16000 draws of an effective 4000 or more: .0067 is a standard error.
                assert!((mass - exact).abs() < 0.035, "seed {seed}: {mass} {exact}");
            }
        });
    }
    assert!(mixtures > 10, "{mixtures} of 20");
}

/// Two modes in twenty dimensions, as wide as the thirtieth part of where ascents begin: chains cannot cross.
#[derive(Debug)]
struct FarApart;

impl LogDensity<f64> for FarApart {
    fn evaluate(&self, w: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        // An equal mixture of N(+-10 e_1, I).
        let rest: f64 = w[1..].iter().map(|w| 0.5 * w * w).sum();
        let (a, b) = (-0.5 * (w[0] - 10.0).powi(2), -0.5 * (w[0] + 10.0).powi(2));
        let top = a.max(b);
        let (p, q) = ((a - top).exp(), (b - top).exp());
        if let Some(gradient) = gradient {
            gradient.iter_mut().zip(w).for_each(|(g, w)| *g = -w);
            gradient[0] = (p * (10.0 - w[0]) - q * (10.0 + w[0])) / (p + q);
        }
        Some(top + (p + q).ln() - rest)
    }
}

#[test]
fn what_chains_do_not_mix_is_right_or_warned_of() {
    let problem = Problem::user(&FarApart, 20, 30.0, true).expect("a problem");
    for seed in 1..=10 {
        let options = AutoOptions { chains: 4, seed, draws: 100, ..Default::default() };
        run(&options, &problem, |auto| {
            let report = auto.report();
            println!("{report} {:?}", report.evidence);
            let draws = draws(auto);
            let right = draws.iter().filter(|w| w[0] > 0.0).count() as f64 / draws.len() as f64;
            // 400 particles of an effective 72 families or so: .06 is a standard error.
            let fair = (right - 0.5).abs() < 0.25;
            assert!(fair || report.verdict == Verdict::Unreliable, "seed {seed}: {right} {report}");
        });
    }
}

/// An autoregression without a gradient.
#[derive(Debug)]
struct Walked;

impl LogDensity<f64> for Walked {
    fn evaluate(&self, w: &[f64], _: Option<&mut [f64]>) -> Option<f64> {
        let [a, b] = w else { return None };
        Some(-0.5 * (a * a + (b - 0.5 * a) * (b - 0.5 * a) / 0.75))
    }
}

#[test]
fn without_a_gradient_it_walks() {
    let problem = Problem::user(&Walked, 2, 1.0, false).expect("a problem");
    let options = AutoOptions { draws: 4000, ..Default::default() };
    run(&options, &problem, |auto| {
        let report = auto.report();
        assert_eq!((report.choice, report.verdict), (Choice::RandomWalk, Verdict::Mixed));
        assert!(auto.pilot().is_none() && report.evidence.is_none());
        let draws = draws(auto);
        let n = draws.len() as f64;
        let mean = |f: fn(&[f64]) -> f64| draws.iter().map(|w| f(w)).sum::<f64>() / n;
        // 64 000 draws of a walk: about 5000 effective ones.
        assert!((mean(|w| w[0] * w[1]) - 0.5).abs() < 0.08);
        assert!((mean(|w| w[1] * w[1]) - 1.0).abs() < 0.1);
    });
}

/// Independent normals of sds 1, 2, ... without a gradient; or modes too far apart for a walk.
#[derive(Debug)]
struct Scattered(bool);

impl LogDensity<f64> for Scattered {
    fn evaluate(&self, w: &[f64], _: Option<&mut [f64]>) -> Option<f64> {
        let all = w.iter().enumerate().map(|(k, x)| (x / (k + 1) as f64).powi(2)).sum::<f64>();
        let away = |c: f64| -0.5 * w.iter().map(|x| (x - c) * (x - c)).sum::<f64>();
        Some(if self.0 { away(-20.0).max(away(20.0)) } else { -0.5 * all })
    }
}

/// The default of hosts of interpreted callbacks, in one to ten dimensions; and what no walk can do is warned of.
#[test]
fn without_a_gradient_it_walks_until_it_has_enough() {
    let options = AutoOptions { ess: 400, ..Default::default() };
    for dim in [1, 2, 5, 10] {
        let problem = Problem::user(&Scattered(false), dim, 1.0, false).expect("a problem");
        run(&options, &problem, |auto| {
            let report = auto.report();
            let found = (report.choice, report.verdict);
            assert_eq!(found, (Choice::RandomWalk, Verdict::Mixed), "{dim} {report}");
            let draws = draws(auto);
            for k in 0..dim {
                let square = draws.iter().map(|w| w[k] * w[k]).sum::<f64>() / draws.len() as f64;
                let ratio = square / (k + 1).pow(2) as f64;
                // The sd of the square of a normal number is sqrt(2).
                assert!((ratio - 1.0).abs() < 5.0 * (2.0 / 400.0_f64).sqrt(), "{dim} {k} {ratio}");
            }
        });
    }
    let problem = Problem::user(&Scattered(true), 2, 30.0, false).expect("a problem");
    run(&options, &problem, |auto| {
        assert_eq!(auto.report().verdict, Verdict::Unreliable, "{}", auto.report());
    });
}

/// A row of zeros, as data in zeros and ones have: its functional is the same number in every draw, which says
/// nothing against the chains.
#[test]
fn a_row_of_zeros_is_no_reason_to_distrust_chains() {
    let x = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let y = [0.5, 0.1, -0.3, 0.4];
    let data = Dataset::new(Inputs::row_major(&x, 4, 2).unwrap(), &y).unwrap();
    for activation in [Activation::Tanh, Activation::Logistic] {
        let prior = Prior::gaussian(1.0).unwrap();
        let problem = Problem::greedy(data, activation, prior, 1.0).unwrap();
        run(&AutoOptions::default(), &problem, |auto| {
            let report = auto.report();
            assert_eq!(
                (report.choice, report.verdict),
                (Choice::SplitPrior, Verdict::Mixed),
                "{report}"
            );
        });
    }
}

/// Several modes in nine dimensions: J1's data and fewer neurons.
fn stubborn() -> Case {
    let mut case = lcc_tests::targets::target("J1");
    case.model = Model::Joint(3, 4.0, 8.0, Signs::Alternating);
    case
}

fn whole(
    options: &AutoOptions,
    problem: &Problem<'_, f64>,
    isa: Isa,
    budget: u64,
) -> (Vec<u64>, Report<f64>) {
    let mut memory = Aligned::new(Auto::<f64>::size(options, problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), options, isa, problem).unwrap();
    while auto.step(problem, budget).unwrap() == Progress::Running {}
    assert_eq!(auto.step(problem, 1), Ok(Progress::Done));
    let bits = draws(&mut auto).iter().flatten().map(|x| x.to_bits()).collect();
    (bits, auto.report())
}

/// Chains about the prior, about a fit, from a mixture, and particles.
fn four_problems() -> [(Numbers<f64>, Choice); 4] {
    let cases = greedy_cases(2);
    let find = |id: &str| Numbers::new(cases.iter().find(|c| c.id.contains(id)).expect("a case"));
    [
        (find("d2-01-weak-tanh-l1"), Choice::SplitPrior),
        (find("strong60-tanh-gaussian"), Choice::SplitFitted),
        (find("bimodal-tanh-gaussian"), Choice::Mixture),
        (Numbers::new(&stubborn()), Choice::Particles),
    ]
}

#[test]
fn budgets_lanes_and_instruction_sets_change_no_bit() {
    for (numbers, choice) in four_problems() {
        let problem = numbers.problem();
        let options = AutoOptions { chains: 8, pilot: 256, draws: 100, ..Default::default() };
        let (straight, report) = whole(&options, &problem, Isa::detect(), u64::MAX);
        println!("{report}");
        assert_eq!(report.choice, choice, "{report}");
        for isa in Isa::all() {
            for (lanes, budget) in [(1, 7777), (8, 777)] {
                let options = AutoOptions { lanes, ..options };
                let (found, _) = whole(&options, &problem, isa, budget);
                assert!(found == straight, "{lanes} lanes, {}", isa.name());
            }
        }
    }
}

#[test]
fn copies_and_checkpoints_go_on() {
    for (numbers, _) in four_problems() {
        let problem = numbers.problem();
        let options = AutoOptions { chains: 8, pilot: 256, draws: 100, ..Default::default() };
        let (straight, report) = whole(&options, &problem, Isa::detect(), u64::MAX);
        let size = Auto::<f64>::size(&options, &problem).unwrap();
        for steps in [1, 3, 9, 27] {
            let mut first = Aligned::new(size);
            let mut auto = Auto::init(first.bytes(), &options, Isa::detect(), &problem).unwrap();
            for _ in 0..steps {
                auto.step(&problem, 20_000).unwrap();
            }
            let mut sealed = vec![0; sealed_size(size).unwrap()];
            checkpoint(first.bytes(), Kind::Auto, 64, &mut sealed).unwrap();
            let mut second = Aligned::new(size);
            restore(&sealed, Kind::Auto, 64, second.bytes()).unwrap();
            let mut auto = Auto::<f64>::open(second.bytes(), Isa::Portable).unwrap();
            assert_eq!(auto.options(), &options);
            while auto.step(&problem, 5000).unwrap() == Progress::Running {}
            let found: Vec<u64> = draws(&mut auto).iter().flatten().map(|x| x.to_bits()).collect();
            assert!(found == straight);
            assert_eq!(auto.report().to_string(), report.to_string());
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let [(numbers, _), (other, _), ..] = four_problems();
    let (problem, other) = (numbers.problem(), other.problem());
    let good = AutoOptions { draws: 40, ..Default::default() };
    let refused = |options: AutoOptions| Auto::<f64>::size(&options, &problem).unwrap_err();
    assert_eq!(refused(AutoOptions { chains: 2, ..good }), AutoError::Chains);
    assert_eq!(refused(AutoOptions { chains: 5, ..good }), AutoError::Chains);
    assert_eq!(refused(AutoOptions { lanes: 3, ..good }), AutoError::Lanes);
    assert_eq!(refused(AutoOptions { pilot: 63, ..good }), AutoError::Pilot);
    assert_eq!(refused(AutoOptions { pilot: 65, ..good }), AutoError::Pilot);
    assert_eq!(refused(AutoOptions { draws: 7, ..good }), AutoError::Draws);
    assert_eq!(refused(AutoOptions { draws: u32::MAX, ..good }), AutoError::Draws);
    let size = Auto::<f64>::size(&good, &problem).unwrap();
    let mut memory = Aligned::new(size);
    let isa = Isa::detect();
    let short = memory.bytes().get_mut(..size - 1).unwrap();
    let small = AutoError::Memory(WorkspaceError::TooSmall);
    assert_eq!(Auto::<f64>::init(short, &good, isa, &problem).unwrap_err(), small);
    assert_eq!(Auto::<f64>::open(memory.bytes(), isa).unwrap_err(), AutoError::NotAnAuto);
    let mut auto = Auto::init(memory.bytes(), &good, isa, &problem).unwrap();
    assert_eq!(auto.step(&other, 1), Err(AutoError::OtherProblem));
    assert_eq!(auto.report().choice, Choice::Undecided);
    assert!(auto.chains().is_none() && auto.particles().is_none());
    assert_eq!(auto.step(&problem, u64::MAX), Ok(Progress::Done));
    let wrong = AutoError::NotAnAuto;
    assert_eq!(Auto::<f32>::open(memory.bytes(), isa).unwrap_err(), wrong);
}
