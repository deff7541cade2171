//! Samplers against exact expectations.
//!
//! Every posterior of the reference values is sampled by split HMC and by coupled Gibbs, in one of the
//! precisions. Chains are independent (streams and adaptation of their own), so the means of the
//! CHAINS chains of a run are replicates: z = (mean of chain means - exact) / (their standard
//! deviation / sqrt(CHAINS)) is Student-t with CHAINS - 1 degrees of freedom where chains are long.
//! Expectations: psi(x_q.w) (or f(x_q)) at each query point, each coordinate of w, and its square
//! about its exact mean (so, its variance).
//!
//! An activation that is never negative can make an expectation that of a rare event (squared ReLU at
//! a point where x.w > 0 with probability .0003). Chains that have not met it know nothing of their
//! error: where the exact sd is above RARE exact means, the standard error is at least that of as many
//! independent draws.
//!
//! With antithetic pairs the replicates are the CHAINS / 2 pairs, and R-hat is of one chain of each.
//!
//! Where chains from dispersed starts disagree (rank-normalised split R-hat of some expectation above
//! 1.05) there is nothing to test but that R-hat says so: such a run is left out, by this rule and
//! not by name.

use lcc_core::activation::Activation;
use lcc_core::diagnostics::{Draws, rhat};
use lcc_core::likelihood::LogDensity;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Column, Compiled, Method, Reference, Sampler, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_core::smc;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{
    Aligned, Case, Model, Numbers, greedy_cases, joint_cases, sample, sample_from_pilot,
};
use lcc_tests::tools::{by_turns, long, runs, thinned};

/// Replicates of every run.
const CHAINS: usize = 40;
/// R-hat above which a run does not count.
const RHAT: f64 = 1.05;
/// The largest Monte Carlo standard error of a mean, in posterior standard deviations.
fn precision() -> f64 {
    runs(0.03, 0.02)
}

/// Draws of a first run and of a second, of which this many are stored.
const SHORT: u32 = 500;
const LONG: u32 = 6000;
const STORED: u32 = 1000;

/// The same for methods whose draws are worth less.
fn longer() -> u32 {
    runs(30_000, 60_000)
}

/// A standard error, in posterior standard deviations, that is none.
const EXACT: f64 = 1e-6;

/// The sd, in means, above which an expectation of a non-negative quantity is that of a rare event.
const RARE: f64 = 10.0;

/// What is run.
#[derive(Clone, Copy)]
struct Setup {
    method: Method,
    inner: Method,
    reference: Reference,
    antithetic: bool,
    reduced: bool,
}

impl From<Method> for Setup {
    fn from(method: Method) -> Self {
        let (inner, reference) = (Method::SplitHmc, Reference::Prior);
        Self { method, inner, reference, antithetic: false, reduced: false }
    }
}

impl Setup {
    fn name(&self) -> String {
        let pairs = if self.antithetic { ", pairs" } else { "" };
        let reduced = if self.reduced { "reduced " } else { "" };
        let inner = if self.inner == Method::SplitHmc { "" } else { self.inner.name() };
        let (method, reference) = (self.method.name(), self.reference.name());
        format!("{reduced}{method} {inner} ({reference} reference{pairs})")
    }

    /// Independent replicates of a run.
    fn replicates(&self) -> usize {
        if self.antithetic { CHAINS / 2 } else { CHAINS }
    }
}

/// What one run says: largest R-hat, and (z, standard error in posterior sd) of each expectation.
struct Run {
    rhat: f64,
    scores: Vec<(f64, f64)>,
}

impl Run {
    /// The largest standard error of a mean.
    fn error(&self) -> f64 {
        self.scores.iter().map(|(_, e)| *e).fold(0.0, f64::max)
    }
}

/// The functionals of every stored draw: value [functional][chain][draw].
fn functionals<T: Compiled>(case: &Case, sampler: &Sampler<'_, T>) -> Vec<Vec<Vec<f64>>> {
    let dim = sampler.dim();
    let mut out = vec![vec![Vec::new(); CHAINS]; case.moments().len()];
    let (mut w, mut values) = (vec![0.0; dim], Vec::new());
    for row in sampler.record().chunks_exact(sampler.columns() * CHAINS) {
        for c in 0..CHAINS {
            for (j, w) in w.iter_mut().enumerate() {
                *w = row[j * CHAINS + c].to_f64();
            }
            case.functionals(&w, &mut values);
            for (out, value) in out.iter_mut().zip(&values) {
                out[c].push(*value);
            }
        }
    }
    out
}

/// The error of the mean of `f` over chains, and its standard error.
fn score(chains: &[Vec<f64>], f: impl Fn(f64) -> f64, exact: f64) -> (f64, f64) {
    let means: Vec<f64> =
        chains.iter().map(|c| c.iter().map(|x| f(*x)).sum::<f64>() / c.len() as f64).collect();
    let (mean, error) = mean_and_error(&means);
    (mean - exact, error)
}

fn run<T: Compiled + smc::Compiled>(case: &Case, setup: Setup, draws: u32, seed: u64) -> Run {
    let Setup { method, inner, reference, antithetic, reduced } = setup;
    let numbers = Numbers::<T>::new(case);
    let options = SamplerOptions::<T> {
        method: method.into(),
        inner_method: inner.into(),
        reference: reference.into(),
        antithetic: antithetic.into(),
        reduced: reduced.into(),
        chains: CHAINS as u32,
        warmup: 500,
        draws,
        stored: draws.min(STORED),
        inner: 2,
        seed,
        ..Default::default()
    };
    let read = |sampler: &Sampler<'_, T>| {
        let acceptance = |c| sampler.moments(c, Column::Acceptance).expect("chain").mean.to_f64();
        let acceptance = (0..CHAINS).map(acceptance).sum::<f64>() / CHAINS as f64;
        let range = match if method.is_coupled() { inner } else { method } {
            // .234 and .574 are aimed at; near the prior the longest step accepts more.
            Method::RandomWalk | Method::BallWalk | Method::Dikin => 0.15..0.8,
            Method::Mala | Method::MirrorLangevin => 0.45..1.0,
            Method::HitAndRun | Method::CoordinateHitAndRun => 0.999..1.001,
            // Whatever the posterior's overlap with the prior.
            Method::Independence => 0.0..1.0,
            _ => 0.7..1.0,
        };
        assert!(range.contains(&acceptance), "{} {}: {acceptance}", case.id, setup.name());
        let mut worst = 0.0_f64;
        let mut scores = Vec::new();
        let moments = case.moments();
        for (e, (chains, (mean, variance))) in
            functionals(case, sampler).iter().zip(moments).enumerate()
        {
            let psi = case.activation == Activation::SquaredRelu && e < case.query_moments.len();
            let rare = psi && variance.sqrt() > RARE * mean;
            let flat: Vec<f64> = chains.iter().flatten().copied().collect();
            let view =
                Draws::chain_major(&flat, CHAINS, draws.min(STORED) as usize).expect("draws");
            let view = view.every(CHAINS / setup.replicates()).expect("chains");
            let chains: Vec<Vec<f64>> =
                chains.chunks(CHAINS / setup.replicates()).map(|c| c.concat()).collect();
            let mut scratch = vec![0.0; view.scratch_len()];
            worst = worst.max(rhat(&view, &mut scratch).expect("rhat"));
            let (miss, mut error) = score(&chains, |x| x, mean);
            if rare {
                error = error.max((variance / flat.len() as f64).sqrt());
            }
            // By symmetry a pair may leave no error but rounding, of the reference too.
            if error < EXACT * variance.sqrt() {
                assert!(miss.abs() < 10.0 * EXACT * variance.sqrt(), "{}: {miss}", case.id);
                continue;
            }
            // A pair that has met a rare event has met it twice, or once: no precision is asked for.
            let precision = if rare && antithetic { 0.0 } else { error / variance.sqrt() };
            scores.push((miss / error, precision));
            // A square is noisier: it counts for z, not for the precision reached.
            if e >= case.query_moments.len() {
                let (miss, error) = score(&chains, |x| (x - mean).powi(2), variance);
                scores.push((miss / error, 0.0));
            }
        }
        Run { rhat: worst, scores }
    };
    match reference {
        Reference::Prior => sample(&options, &numbers.problem(), read),
        _ => sample_from_pilot(&options, &numbers.problem(), read),
    }
}

/// Runs of one method in both precisions, by seeds from these on.
fn check(setup: impl Into<Setup>, cases: &[Case], [double, single]: [u64; 2]) {
    let setup = setup.into();
    assert_unit(&[
        mean_squares::<f64>(setup, cases, double),
        mean_squares::<f32>(setup, cases, single),
    ]);
}

/// The mean square z over all posteriors of some runs must be 1. (Where it is low so is its error.)
fn assert_unit(runs_of_cases: &[Vec<f64>]) {
    let (mean, error) = mean_and_error(&runs_of_cases.concat());
    println!("mean square z {mean:.3} +- {error:.3}");
    let range = 1.0 - 4.0 * error..1.0 + 3.0 * error;
    let near = (mean.sqrt() - 1.0).abs() < runs(0.35, 0.2);
    assert!(range.contains(&mean) && near, "{mean} +- {error}");
}

/// The mean square z at each of the posteriors that R-hat admits.
fn mean_squares<T: Compiled + smc::Compiled>(setup: Setup, cases: &[Case], seed: u64) -> Vec<f64> {
    let Setup { method, reference, .. } = setup;
    let (mut squares, mut left_out) = (Vec::new(), Vec::new());
    // The variance of Student's t with CHAINS - 1 degrees of freedom is not 1.
    let freedom = setup.replicates() as f64 - 1.0;
    let usual = freedom / (freedom - 2.0);
    // In the long tier each case in one of the precisions; else every second in single precision too.
    let half = |k: usize| match (long(), T::BITS) {
        (true, bits) => k.is_multiple_of(2) == (bits == 64),
        (false, bits) => bits == 64 || k.is_multiple_of(2),
    };
    let taken: Vec<(usize, &Case)> = thinned(cases, seed / 100).filter(|(k, _)| half(*k)).collect();
    let available = taken.len() as f64;
    for (k, case) in taken {
        // A run that is not precise enough, or whose chains disagree, is made longer once.
        let mut run = run::<T>(case, setup, SHORT, seed + k as u64);
        if run.rhat > RHAT || run.error() > precision() {
            let cheap = matches!(
                method,
                Method::Mala
                    | Method::RandomWalk
                    | Method::Independence
                    | Method::HitAndRun
                    | Method::BallWalk
                    | Method::Dikin
                    | Method::MirrorLangevin
            );
            let draws = if cheap { longer() } else { LONG };
            run = self::run::<T>(case, setup, draws, seed + k as u64);
        }
        // Independence far from the prior hardly moves, and its errors are not normal.
        let stuck = method == Method::Independence && run.error() >= precision();
        let precise = run.error() < precision() || run.rhat > 1.01 || stuck;
        assert!(precise, "{}: {}", case.id, run.error());
        if run.rhat > RHAT || stuck {
            left_out.push(format!("{} ({:.2})", case.id, run.rhat));
            assert!(case.regime != "weak" || stuck, "{}: R-hat {}", case.id, run.rhat);
            continue;
        }
        for (e, (z, _)) in run.scores.iter().enumerate() {
            assert!(z.abs() < 5.0, "{} {} expectation {e}: z = {z}", case.id, setup.name());
        }
        // Expectations of one case are correlated: each case counts once, with its mean square.
        let sum = run.scores.iter().map(|(z, _)| z * z).sum::<f64>();
        squares.push(sum / run.scores.len() as f64 / usual);
    }
    let count = squares.len() as f64;
    println!(
        "{} f{}: mean square z {:.3} over {count} posteriors; left out by R-hat: {left_out:?}",
        setup.name(),
        T::BITS,
        squares.iter().sum::<f64>() / count
    );
    let far = method == Method::Independence && reference == Reference::Prior;
    let least = if far { runs(0.4, 0.6) } else { runs(0.6, 0.8) };
    assert!(count > least * available, "{left_out:?}");
    squares
}

fn all_cases() -> Vec<Case> {
    (1..=3).flat_map(greedy_cases).chain(joint_cases()).collect()
}

#[test]
fn split_hmc() {
    check(Method::SplitHmc, &all_cases(), [100, 200]);
}

#[test]
fn hmc() {
    check(Method::Hmc, &all_cases(), [500, 600]);
}

#[test]
fn mala() {
    check(Method::Mala, &all_cases(), [700, 800]);
}

/// Without modes that no start may lie in (those of the sine under a Gaussian prior lie side by side
/// without end): what no chain has seen R-hat cannot show.
fn cases_of_one_mode() -> Vec<Case> {
    let one_mode = |c: &Case| c.regime != "bimodal" && c.activation != Activation::Sine;
    all_cases().into_iter().filter(one_mode).collect()
}

/// A walk does not find the modes that no start lies in.
#[test]
fn random_walk() {
    let cases = cases_of_one_mode();
    check(Method::RandomWalk, &cases, [900, 1000]);
}

#[test]
fn independence_from_the_prior() {
    check(Method::Independence, &all_cases(), [1100, 1200]);
}

/// Chains that start from one pilot share its errors until they have mixed.
#[test]
fn fitted_references() {
    let fitted = |method: Method, reference| Setup { reference, ..method.into() };
    let split = fitted(Method::SplitHmc, Reference::Gaussian);
    let heavy = fitted(Method::Independence, Reference::StudentT);
    let light = fitted(Method::Independence, Reference::Gaussian);
    let cases = cases_of_one_mode();
    // Squared ReLU has heavier tails than a Gaussian's proposals.
    let thin: Vec<Case> =
        cases.iter().filter(|c| c.activation != Activation::SquaredRelu).cloned().collect();
    assert_unit(&[
        mean_squares::<f64>(split, &cases, 1300),
        mean_squares::<f32>(split, &cases, 1400),
        mean_squares::<f64>(heavy, &cases, 1500),
        mean_squares::<f32>(heavy, &cases, 1600),
        mean_squares::<f64>(light, &thin, 1700),
    ]);
}

/// Of every posterior, several modes or one: the proposals go between them.
#[test]
fn mixtures() {
    let setup = |antithetic| Setup {
        reference: Reference::Mixture,
        antithetic,
        ..Method::Independence.into()
    };
    // A mode of the sine holds .006 of the mass: some pilots do not know it.
    let known = |c: &Case| c.activation != Activation::Sine;
    let cases: Vec<Case> = all_cases().into_iter().filter(known).collect();
    assert_unit(&[
        mean_squares::<f64>(setup(false), &cases, 2300),
        mean_squares::<f32>(setup(false), &cases, 2400),
        mean_squares::<f64>(setup(true), &cases, 2500),
    ]);
}

/// The kernels on the l1 ball, on all cases under that prior; those without long jumps not on the bimodal ones, and in single
/// precision (`ball` tests all in both).
#[test]
fn methods_on_the_l1_ball() {
    let ball = |c: &Case| matches!(c.prior, Prior::L1Ball { .. });
    let all: Vec<Case> = all_cases().into_iter().filter(ball).collect();
    let one_mode: Vec<Case> = cases_of_one_mode().into_iter().filter(ball).collect();
    let squares: Vec<Vec<f64>> = by_turns(ball_methods().enumerate(), 2, 0)
        .map(|(k, method)| match method {
            Method::HitAndRun | Method::CoordinateHitAndRun => {
                mean_squares::<f64>(method.into(), &all, 4000 + 200 * k as u64)
            }
            _ => mean_squares::<f32>(method.into(), &one_mode, 4100 + 200 * k as u64),
        })
        .collect();
    assert_unit(&squares);
}

/// But Riemannian HMC, a hundred times as slow: `ball` tests its kernel, and this the method, where there is one weight.
fn ball_methods() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|m| m.needs_ball() && *m != Method::Riemannian)
}

#[test]
fn riemannian_of_one_weight() {
    let one = |c: &Case| matches!(c.prior, Prior::L1Ball { .. }) && c.d == 1;
    let cases: Vec<Case> = cases_of_one_mode().into_iter().filter(one).collect();
    for (k, case) in cases.iter().enumerate().step_by(4) {
        let run = run::<f64>(case, Method::Riemannian.into(), SHORT, 6900 + k as u64);
        for (e, (z, _)) in run.scores.iter().enumerate() {
            assert!(z.abs() < 4.5, "{} expectation {e}: z = {z}", case.id);
        }
    }
}

/// The same as inner kernels of coupled Gibbs.
#[test]
fn inner_methods_on_the_l1_ball() {
    let ball = |c: &Case| matches!(c.prior, Prior::L1Ball { .. });
    let cases: Vec<Case> = cases_of_one_mode().into_iter().filter(ball).collect();
    let mut squares = Vec::new();
    for (k, inner) in by_turns(ball_methods().enumerate(), 2, 1) {
        let setup = Setup { inner, ..Method::CoupledGibbs.into() };
        squares.push(mean_squares::<f64>(setup, &cases, 6000 + 200 * k as u64));
    }
    assert_unit(&squares);
}

#[test]
fn antithetic_pairs() {
    let pairs = |method: Method, reference| Setup { reference, antithetic: true, ..method.into() };
    let split = pairs(Method::SplitHmc, Reference::Prior);
    let fitted = pairs(Method::SplitHmc, Reference::Gaussian);
    let heavy = pairs(Method::Independence, Reference::StudentT);
    let gibbs = pairs(Method::CoupledGibbs, Reference::Prior);
    let mala = pairs(Method::Mala, Reference::Gaussian);
    let cases = cases_of_one_mode();
    assert_unit(&[
        mean_squares::<f64>(split, &all_cases(), 1800),
        mean_squares::<f32>(fitted, &cases, 1900),
        mean_squares::<f64>(heavy, &cases, 2000),
        mean_squares::<f64>(gibbs, &cases, 2100),
        mean_squares::<f64>(mala, &cases, 2200),
    ]);
}

#[test]
fn coupled_gibbs() {
    check(Method::CoupledGibbs, &all_cases(), [300, 400]);
}

#[test]
fn reduced_coupled_gibbs() {
    let reduced = Setup { reduced: true, ..Method::CoupledGibbs.into() };
    let gaussian = |c: &Case| matches!(c.prior, Prior::Gaussian { .. });
    let cases: Vec<Case> = all_cases().into_iter().filter(gaussian).collect();
    check(reduced, &cases, [2600, 2700]);
}

/// The log density -a |x|^2/2.
struct Narrowed(f64);

impl LogDensity<f64> for Narrowed {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        for (g, x) in gradient.into_iter().flatten().zip(x) {
            *g = -self.0 * x;
        }
        Some(-self.0 / 2.0 * x.iter().map(|x| x * x).sum::<f64>())
    }
}

/// The energy |g|^2/2 + |p|^2/2 - v(g) of a Gaussian posterior in d dimensions, momenta drawn afresh, is half a chi^2 of 2 d
/// degrees of freedom, less (d/2) ln(2 pi), for v is relative to the reference's normalised density: variance d too.
#[test]
fn energies_are_those_of_the_target() {
    const DIM: usize = 4;
    let density = Narrowed(3.0);
    let problem = Problem::user(&density, DIM, 1.0, true).unwrap();
    for method in [Method::SplitHmc, Method::Hmc] {
        let options = SamplerOptions {
            method: method.into(),
            chains: CHAINS as u32,
            lanes: 8,
            warmup: 200,
            draws: 20_000,
            stored: 2000,
            ..Default::default()
        };
        let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
        let mut s = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        s.step(&problem, u64::MAX).unwrap();
        let draws = s.draws(Column::Energy).unwrap();
        let constant = DIM as f64 / 2.0 * (2.0 * std::f64::consts::PI).ln();
        let of = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let mean = |c| (0..2000).map(|t| f(draws.at(c, t) + constant)).sum::<f64>() / 2000.0;
            (0..CHAINS).map(mean).collect()
        };
        for (what, means) in
            [("mean", of(&|e| e)), ("variance", of(&|e| (e - DIM as f64) * (e - DIM as f64)))]
        {
            let (mean, error) = mean_and_error(&means);
            let z = (mean - DIM as f64) / error;
            println!("{} {what}: {mean:.4} +- {error:.4}", method.name());
            assert!(z.abs() < 4.0 && error < 0.05, "{} {what}: {mean} +- {error}", method.name());
        }
    }
}

/// Without momenta the energy |g|^2/2 - v(g) is that of the draw it stands beside, moved or not.
#[test]
fn energies_without_momenta_are_those_of_the_draws() {
    const DIM: usize = 4;
    let density = Narrowed(3.0);
    let problem = Problem::user(&density, DIM, 1.0, true).unwrap();
    for method in [Method::RandomWalk, Method::Independence] {
        let options = SamplerOptions { method: method.into(), warmup: 20, ..Default::default() };
        let mut memory = Aligned::new(Sampler::size(&options, &problem).unwrap());
        let mut s = Sampler::init(memory.bytes(), &options, Isa::detect(), &problem).unwrap();
        s.step(&problem, u64::MAX).unwrap();
        let (energy, log_p) =
            (s.draws(Column::Energy).unwrap(), s.draws(Column::LogDensity).unwrap());
        let constant = DIM as f64 / 2.0 * (2.0 * std::f64::consts::PI).ln();
        let mut moves = 0;
        for c in 0..8 {
            for t in 1..1000 {
                let error = energy.at(c, t) + constant + log_p.at(c, t);
                assert!(error.abs() < 1e-10, "{} chain {c}, draw {t}: {error}", method.name());
                moves += u32::from(log_p.at(c, t) != log_p.at(c, t - 1));
            }
        }
        assert!((800..7200).contains(&moves), "{}: {moves} of 7992 moved", method.name());
    }
}

/// Far apart modes: no local sampler crosses, starts are dispersed, and R-hat has to say so.
#[test]
fn rhat_signals_modes_that_do_not_mix() {
    for mut case in greedy_cases(1) {
        let Model::Greedy(alpha) = case.model else { continue };
        if case.regime != "bimodal" || case.weight_moments[0].1 < 2.0 {
            continue;
        }
        case.model = Model::Greedy(8.0 * alpha);
        for method in [Method::SplitHmc, Method::CoupledGibbs] {
            let run = run::<f64>(&case, method.into(), 500, 7);
            println!("{} {}: R-hat {:.2}", case.id, method.name(), run.rhat);
            assert!(run.rhat > RHAT, "{} {}: R-hat {}", case.id, method.name(), run.rhat);
        }
    }
}
