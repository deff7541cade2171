//! Reverse diffusion is biased: in closed form where the posterior is Gaussian, and elsewhere it goes
//! to zero as the levels grow, by the order that the theory says, and as the inner chain forgets its
//! start.

use lcc_core::activation::Activation;
use lcc_core::coupling::Sides;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Method, SamplerOptions};
use lcc_tests::bias::{self, Bias, CHAINS};
use lcc_tests::posteriors::{Case, greedy_cases};
use lcc_tests::tools::by_turns;

/// The variance of w, in units of the exact one, that the iteration has in the limit of many inner
/// transitions where w ~ N(0, v / q), q the precision of the coupling: every step is linear.
fn variance(v: f64, levels: u32, time: f64) -> f64 {
    let (slope, fresh) = linear(v, levels, time, 1.0);
    fresh / (1.0 - slope * slope) / v
}

/// The same from xi ~ N(0, 1), which knows no w.
fn variance_from_noise(v: f64, levels: u32, time: f64) -> f64 {
    let (_, fresh) = linear(v, levels, time, 0.0);
    fresh / v
}

/// The last draw's factor in the next one, and the variance beside it.
fn linear(v: f64, levels: u32, time: f64, known: f64) -> (f64, f64) {
    let h = time / levels as f64;
    let (keep, share) = ((-h).exp(), 1.0 - (-2.0 * h).exp());
    // xi = slope u + noise of this variance, u = sqrt(q) w.
    let (mut slope, mut noise, mut a) = (known, 1.0, 1.0);
    let mean = |a: f64| a / (1.0 / v + a * a);
    for level in 1..=levels {
        let next = (h * level as f64).exp();
        let factor = keep + share * next * mean(a);
        (slope, noise, a) = (factor * slope, factor * factor * noise + share, next);
    }
    let factor = mean(a);
    let fresh = factor * factor * noise + 1.0 / (1.0 / v + a * a);
    (factor * slope, fresh)
}

/// Two rows that cancel: the posterior is its prior, but a two-sided coupling does not see that.
#[test]
fn the_bias_of_a_gaussian_is_the_one_in_closed_form() {
    const SD: f64 = 1.5;
    let (x, y) = ([1.0, 1.0], [0.5, -0.5]);
    let data = Dataset::new(Inputs::row_major(&x, 2, 1).unwrap(), &y).unwrap();
    let prior = Prior::gaussian(SD).unwrap();
    let problem = Problem::greedy(data, Activation::Tanh, prior, 1.0).unwrap();
    let mut rho = [0.0; 2];
    problem.rho(Sides::TwoSided, &mut rho).unwrap();
    let v = (rho[0] + rho[1]) * SD * SD;
    assert!(v > 1.0);
    let (given, noise) = (Method::ReverseDiffusion, Method::DiffusionFromNoise);
    let settings = [
        (given, 1, 0.7),
        (given, 2, 0.7),
        (given, 4, 0.7),
        (given, 3, 1.4),
        (noise, 1, 0.7),
        (noise, 4, 0.7),
        (noise, 8, 2.0),
    ];
    for (method, levels, time) in by_turns(settings, 3, 0) {
        let of = if method == noise { variance_from_noise } else { variance };
        let options = SamplerOptions::<f64> {
            method: method.into(),
            coupling: Sides::TwoSided.into(),
            levels,
            diffusion_time: time,
            inner: 16,
            chains: CHAINS as u32,
            warmup: 200,
            draws: 1500,
            stored: 0,
            ..Default::default()
        };
        let (mean, error) = bias::first_variance(&options, &problem, SD);
        let exact = of(v, levels, time);
        println!(
            "{method:?} {levels} levels, tau* {time}: {mean:.4} +- {error:.4}, theory {exact:.4}"
        );
        assert!(1.0 - mean > 10.0 * error, "the bias is not seen");
        // 16 transitions are not infinitely many: what they put back of the missing variance.
        assert!((mean - exact).abs() < 4.0 * error + 0.1 * (1.0 - exact));
    }
}

fn bias(case: &Case, draws: u32, change: impl FnOnce(&mut SamplerOptions<f64>)) -> Bias {
    bias::bias(case, draws, |o| {
        o.method = Method::ReverseDiffusion.into();
        change(o);
    })
}

/// Strongly informed, one mode, in one and two dimensions.
fn cases() -> Vec<Case> {
    let ids = ["d1-08-strong-tanh-gaussian", "d2-04-strong-tanh-l1", "d2-08-strong-tanh-gaussian"];
    let all = [1, 2].into_iter().flat_map(greedy_cases);
    let cases: Vec<Case> = all.filter(|c| ids.contains(&c.id.as_str())).collect();
    assert_eq!(cases.len(), ids.len());
    cases
}

/// Of order 1/levels: its square falls towards a quarter.
#[test]
fn bias_falls_with_the_levels() {
    for case in by_turns(cases(), 3, 0) {
        let with = |levels, inner| bias(&case, 4000, |o| (o.levels, o.inner) = (levels, inner));
        let runs = [1, 2, 4].map(|levels| with(levels, 8));
        println!("{}: 1, 2, 4 levels: {runs:?}", case.id);
        for pair in runs.windows(2) {
            let ratio = pair[0].square / pair[1].square;
            assert!(pair[1].is_seen() && (2.0..6.0).contains(&ratio), "{ratio}");
        }
        // One transition that forgets is nearly the exact bridge; the mean of many is not.
        let one = with(2, 1);
        println!("{}: 2 levels of one inner transition: {one:?}", case.id);
        assert!(one.square < runs[1].square / 4.0);
    }
}

#[test]
fn many_levels_leave_no_bias() {
    for case in by_turns(cases(), 3, 1) {
        let run = bias(&case, 1000, |o| (o.levels, o.inner) = (48, 2));
        println!("{}: 48 levels: {run:?}", case.id);
        assert!(run.square < 3.0 * run.error, "48 levels are not within their error");
    }
}

#[test]
fn bias_falls_with_a_fresh_inner_chain() {
    for case in by_turns(cases(), 3, 2) {
        let with = |k| {
            bias(&case, 1000, |o| {
                (o.levels, o.inner, o.fresh, o.burn_in) = (4, k, true.into(), k);
            })
        };
        let [one, four, sixteen] = [1, 4, 16].map(with);
        println!("{}: fresh 1, 4, 16: {one:?} {four:?} {sixteen:?}", case.id);
        assert!(one.is_seen() && four.square < one.square / 2.0);
        assert!(sixteen.square < four.square / 8.0);
    }
}
