//! Langevin on the auxiliary variable is biased: the bias is seen, and goes to zero with the step h
//! and with the length of the inner chain.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Method, SamplerOptions};
use lcc_tests::bias::{self, Bias, CHAINS};
use lcc_tests::posteriors::{Case, greedy_cases};
use lcc_tests::tools::by_turns;

fn bias(case: &Case, change: impl FnOnce(&mut SamplerOptions<f64>)) -> Bias {
    bias::bias(case, 4000, |o| {
        o.method = Method::XiLangevin.into();
        change(o);
    })
}

/// Strongly informed, one mode: one case under each prior.
fn cases() -> Vec<Case> {
    let ids = ["d2-04-strong-tanh-l1", "d2-08-strong-tanh-gaussian"];
    let cases: Vec<Case> =
        greedy_cases(2).into_iter().filter(|c| ids.contains(&c.id.as_str())).collect();
    assert_eq!(cases.len(), ids.len());
    cases
}

#[test]
fn bias_falls_with_the_step() {
    for case in by_turns(cases(), 2, 0) {
        let at = |h| bias(&case, |o| (o.langevin_step, o.inner) = (h, 4));
        let [coarse, middle, fine] = [1.5, 0.5, 0.125].map(at);
        println!("{}: h = 1.5, .5, .125: {coarse:?} {middle:?} {fine:?}", case.id);
        assert!(coarse.is_seen() && middle.square < coarse.square / 4.0);
        assert!(fine.square < 3.0 * fine.error, "h = 1/8 is not within its Monte Carlo error");
    }
}

#[test]
fn bias_falls_with_a_warm_inner_chain() {
    for case in by_turns(cases(), 2, 1) {
        let with = |k| bias(&case, |o| (o.langevin_step, o.inner) = (0.5, k));
        let [one, four, sixteen] = [1, 4, 16].map(with);
        println!("{}: warm 1, 4, 16: {one:?} {four:?} {sixteen:?}", case.id);
        assert!(one.is_seen() && four.square < one.square && sixteen.square < four.square);
        assert!(sixteen.square < one.square / 2.0);
    }
}

#[test]
fn bias_falls_with_a_fresh_inner_chain() {
    for case in by_turns(cases(), 2, 0) {
        let with = |k| {
            bias(&case, |o| {
                (o.langevin_step, o.inner, o.fresh, o.burn_in) = (0.125, k, true.into(), k);
            })
        };
        let [one, four, sixteen] = [1, 4, 16].map(with);
        println!("{}: fresh 1, 4, 16: {one:?} {four:?} {sixteen:?}", case.id);
        assert!(one.is_seen() && four.square < one.square / 4.0);
        assert!(sixteen.square < four.square / 4.0);
    }
}

/// Unadjusted Langevin on a standard normal coordinate has variance 1 / (1 - h/4), whatever the law
/// says: the posterior of a vanishing tilt is its prior, N(0, sd^2 I).
#[test]
fn unadjusted_langevin_widens_as_its_step_says() {
    const SD: f64 = 1.5;
    let (x, y) = ([0.3, -0.7, 0.9, 0.1], [1.0, -1.0]);
    let data = Dataset::new(Inputs::row_major(&x, 2, 2).unwrap(), &y).unwrap();
    let prior = Prior::gaussian(SD).unwrap();
    let problem = Problem::greedy(data, Activation::Tanh, prior, 1e-12).unwrap();
    for h in [1.0, 0.5, 0.125] {
        let options = SamplerOptions::<f64> {
            method: Method::Langevin.into(),
            langevin_step: h,
            chains: CHAINS as u32,
            warmup: 200,
            draws: 20_000,
            stored: 0,
            ..Default::default()
        };
        let (mean, error) = bias::first_variance(&options, &problem, SD);
        let exact = 1.0 / (1.0 - h / 4.0);
        let z = (mean - exact) / error;
        println!("h {h}: variance {mean:.4}, exact {exact:.4}, z {z:.2}");
        assert!(z.abs() < 4.0, "h {h}: {mean} for {exact}");
        assert!(h < 0.5 || mean - 1.0 > 5.0 * error, "the bias is seen");
    }
}
