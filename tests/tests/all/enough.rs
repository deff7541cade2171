//! Runs of `auto` that end when they have enough, or may take no more: effective draws, gradients, being told to stop.

use lcc_core::auto::{Auto, AutoError, AutoOptions, Cause, Progress, Verdict};
use lcc_core::column::Column;
use lcc_core::diagnostics::{ess_bulk, ess_tail};
use lcc_core::likelihood::LogDensity;
use lcc_core::problem::Problem;
use lcc_core::simd::Isa;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{Aligned, Numbers, greedy_cases};
use lcc_tests::tools::runs;
use std::cell::Cell;

/// x_0 is the logarithm of a draw of Gamma(3, 1), x_1 ~ N(x_0, .5^2), and three more have sds 1, 10 and .001. Counts its calls.
#[derive(Default)]
struct Skewed(Cell<u64>);

const SDS: [f64; 3] = [1.0, 10.0, 1e-3];
/// Mean and variance of x_0: digamma and trigamma of 3.
const MEAN: f64 = 0.922_784_335_098_467;
const VARIANCE: f64 = 0.394_934_066_848_226;

impl LogDensity<f64> for Skewed {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        self.0.set(self.0.get() + 1);
        let beyond = (x[1] - x[0]) / 0.25;
        let mut value = 3.0 * x[0] - x[0].exp() - 0.125 * beyond * beyond;
        value -= x[2..].iter().zip(SDS).map(|(x, sd)| 0.5 * (x / sd).powi(2)).sum::<f64>();
        if let Some(gradient) = gradient {
            gradient[0] = 3.0 - x[0].exp() + beyond;
            gradient[1] = -beyond;
            gradient.iter_mut().zip(x).skip(2).zip(SDS).for_each(|((g, x), sd)| *g = -x / sd / sd);
        }
        Some(value)
    }
}

/// Two Gaussians of sd 1, 9 apart, in two coordinates: chains stay where they are.
struct Apart;

impl LogDensity<f64> for Apart {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let logs = [0.0, 9.0].map(|m: f64| -0.5 * ((x[0] - m).powi(2) + x[1] * x[1]));
        let top = logs[0].max(logs[1]);
        let [a, b] = logs.map(|l| (l - top).exp());
        if let Some(gradient) = gradient {
            gradient.copy_from_slice(&[(9.0 * b) / (a + b) - x[0], -x[1]]);
        }
        Some(top + (a + b).ln())
    }
}

/// The run over, by steps of `budget`; what ended it, and what `f` reads.
fn run<R>(
    options: &AutoOptions,
    problem: &Problem<'_, f64>,
    budget: u64,
    f: impl FnOnce(&mut Auto<'_, f64>) -> R,
) -> (Result<Progress, AutoError>, R) {
    let mut memory = Aligned::new(Auto::<f64>::size(options, problem).unwrap());
    let mut auto = Auto::init(memory.bytes(), options, Isa::detect(), problem).unwrap();
    let mut done = Ok(Progress::Running);
    while done == Ok(Progress::Running) {
        done = auto.step(problem, budget);
    }
    (done, f(&mut auto))
}

fn bits(auto: &mut Auto<'_, f64>) -> Vec<u64> {
    auto.record().iter().map(|x| x.to_bits()).collect()
}

/// The least effective size in bulk and tail of one chain of each pair.
fn effective(auto: &mut Auto<'_, f64>) -> f64 {
    let dim = auto.recorded().unwrap().dim;
    let own = |j| {
        let draws = auto.draws(Column::Weight(j)).unwrap().every(2).unwrap();
        let mut scratch = vec![0.0; draws.scratch_len()];
        ess_bulk(&draws, &mut scratch).unwrap().min(ess_tail(&draws, &mut scratch).unwrap())
    };
    (0..dim).map(own).fold(f64::INFINITY, f64::min)
}

/// As many as were asked for, at a small part of the price, and right: means over runs in their standard errors.
#[test]
fn chains_end_with_the_effective_draws_that_were_asked_for() {
    let density = Skewed::default();
    let problem = Problem::user(&density, 5, 1.0, true).unwrap();
    let exact = [MEAN, MEAN, 0.0, 0.0, 0.0];
    let mut means = vec![Vec::new(); 5];
    let (mut shorter, mut squares) = (0, Vec::new());
    for seed in 1..=runs(16, 64) {
        let options = AutoOptions { ess: 400, seed, ..AutoOptions::default() };
        let (done, (report, found, draws)) = run(&options, &problem, u64::MAX, |auto| {
            for (j, means) in means.iter_mut().enumerate() {
                let w = auto.draws(Column::Weight(j)).unwrap();
                let all = (0..w.chains()).flat_map(|c| (0..w.draws()).map(move |t| (c, t)));
                let all: Vec<f64> = all.map(|(c, t)| w.at(c, t)).collect();
                means.push(all.iter().sum::<f64>() / all.len() as f64);
                if j == 0 {
                    squares.push(all.iter().map(|x| x * x).sum::<f64>() / all.len() as f64);
                }
            }
            (auto.report(), effective(auto), auto.recorded().unwrap().draws)
        });
        assert_eq!((done, report.verdict), (Ok(Progress::Done), Verdict::Mixed), "{report}");
        assert_eq!((report.effective, report.cause), (found, Cause::None));
        assert!(found >= 400.0, "{found}");
        assert!(!report.stopped && !report.to_string().contains("asked for"), "{report}");
        shorter += (draws < 1000) as usize;
    }
    for (j, (means, exact)) in
        means.iter().zip(exact).chain([(&squares, VARIANCE + MEAN * MEAN)]).enumerate()
    {
        let (mean, error) = mean_and_error(means);
        println!("{j}: {mean} +- {error}");
        assert!((mean - exact).abs() < 5.0 * error, "{j}: {mean} +- {error}");
    }
    assert!(shorter >= runs(14, 56), "{shorter}");
    println!("{} evaluations a run", density.0.get() / runs(16, 64));
    assert!(density.0.get() / runs(16, 64) < 30_000);
}

/// Functionals that are no coordinates, too.
#[test]
fn posteriors_of_neurons_end_when_they_have_enough() {
    let cases = greedy_cases(2);
    let numbers = Numbers::new(cases.iter().find(|c| c.id.contains("strong60-tanh")).unwrap());
    let problem = numbers.problem();
    let options = AutoOptions { ess: 300, ..AutoOptions::default() };
    let (_, (report, draws)) =
        run(&options, &problem, 7777, |auto| (auto.report(), auto.recorded().unwrap().draws));
    assert_eq!(report.verdict, Verdict::Mixed, "{report}");
    assert!(report.effective >= 300.0 && draws < 500, "{draws}: {report}");
}

/// All is counted, a limit is never passed, and what ends a run says so.
#[test]
fn a_run_takes_no_more_gradients_than_it_may() {
    let mut seen = [0; 3];
    for max_gradients in [1, 200, 1500, 4000, 8000, 12_000, 20_000, 40_000, 80_000, 200_000] {
        for seed in 1..=runs(2, 16) {
            let density = Skewed::default();
            let problem = Problem::user(&density, 5, 1.0, true).unwrap();
            let options = AutoOptions { max_gradients, seed, ..AutoOptions::default() };
            let (done, (evaluations, report, draws)) = run(&options, &problem, 777, |auto| {
                let draws = auto.recorded().map_or(0, |r| r.draws);
                (auto.position().evaluations, auto.report(), draws)
            });
            assert_eq!(evaluations, density.0.get(), "{max_gradients}");
            assert!(evaluations <= max_gradients, "{evaluations} of {max_gradients}");
            match done {
                Err(e) => {
                    assert_eq!((e, draws < 8), (AutoError::Gradients, true));
                    seen[0] += 1;
                }
                Ok(_) if report.stopped => {
                    assert!(draws < 1000 || report.verdict == Verdict::Unreliable, "{report}");
                    assert!(report.to_string().ends_with("stopped early."), "{report}");
                    seen[1] += 1;
                }
                Ok(_) => {
                    assert_eq!((draws, report.verdict), (1000, Verdict::Mixed), "{report}");
                    seen[2] += 1;
                }
            }
        }
    }
    println!("refused, early, whole: {seen:?}");
    assert!(seen.iter().all(|k| *k > 0), "{seen:?}");
}

/// What chains cannot mix is told within the limit.
#[test]
fn what_does_not_mix_is_said_within_the_limit() {
    let problem = Problem::user(&Apart, 2, 1.0, true).unwrap();
    for seed in 1..=runs(2, 8) {
        let options = AutoOptions { max_gradients: 60_000, seed, ..AutoOptions::default() };
        let (_, (report, evaluations)) =
            run(&options, &problem, u64::MAX, |auto| (auto.report(), auto.position().evaluations));
        println!("{report}");
        assert_eq!(report.verdict, Verdict::Unreliable, "{report}");
        assert!(report.cause != Cause::None && report.stopped && evaluations <= 60_000, "{report}");
    }
}

/// Told to stop, a run judges what it has, at 256 gradients more; before there is anything it says so.
#[test]
fn a_run_can_be_told_to_stop() {
    let mut seen = [0; 2];
    for steps in [1, 10, 20, 30, 40, 50] {
        let density = Skewed::default();
        let problem = Problem::user(&density, 5, 1.0, true).unwrap();
        let options = AutoOptions::default();
        let mut memory = Aligned::new(Auto::<f64>::size(&options, &problem).unwrap());
        let mut auto = Auto::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        for _ in 0..steps {
            assert_eq!(auto.step(&problem, 1000), Ok(Progress::Running));
        }
        let before = density.0.get();
        auto.stop();
        let done = auto.step(&problem, u64::MAX);
        let taken = density.0.get() - before;
        // The iteration or sweep at hand is ended, too.
        assert!(taken <= 256 + 2048 * 2, "{taken}");
        assert!(done == Ok(Progress::Done) || done == Err(AutoError::Gradients), "{done:?}");
        if done.is_ok() {
            let report = auto.report();
            println!("{report}");
            assert!(report.stopped && auto.recorded().unwrap().draws >= 8, "{report}");
            assert!(report.verdict != Verdict::Open && report.shift.is_finite(), "{report}");
        }
        seen[done.is_ok() as usize] += 1;
    }
    assert!(seen.iter().all(|k| *k > 0), "{seen:?}");
}

#[test]
fn budgets_and_lanes_change_no_bit() {
    let density = Skewed::default();
    let problem = Problem::user(&density, 5, 1.0, true).unwrap();
    for (ess, max_gradients) in [(300, 0), (0, 40_000), (2500, 90_000)] {
        let options = AutoOptions { ess, max_gradients, ..AutoOptions::default() };
        let (_, straight) = run(&options, &problem, u64::MAX, bits);
        assert!(!straight.is_empty());
        for (lanes, budget) in [(1, 777), (8, 1), (8, 5000)] {
            let options = AutoOptions { lanes, ..options };
            let (_, found) = run(&options, &problem, budget, bits);
            assert!(found == straight, "{ess}, {max_gradients}: {lanes} lanes, {budget}");
        }
    }
}
