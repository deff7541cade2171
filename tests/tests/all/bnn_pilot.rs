//! Short fits before the fit: how rows are dealt, which candidate is read from log scores, and that noise is chosen as the
//! data were made.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::NO_FOLD;
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::network::Output;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::usual_lanes;
use lcc_tests::tools::runs;

fn options(output: Output) -> BnnOptions<f64> {
    BnnOptions { output: output.into(), ..BnnOptions::default() }
}

fn dealt(options: &BnnOptions<f64>, y: &[f64]) -> (u32, Vec<u32>) {
    let x = vec![0.0; y.len()];
    let data = Dataset::new(Inputs::row_major(&x, y.len(), 1).unwrap(), y).unwrap();
    let mut folds = vec![7; y.len()];
    let count = options.folds(&data, &mut folds);
    (count, folds)
}

/// How many rows of each fold there are in a stretch.
fn sizes(folds: &[u32], count: u32) -> Vec<usize> {
    (0..count).map(|k| folds.iter().filter(|f| **f == k).count()).collect()
}

#[test]
fn rows_are_dealt_evenly_and_at_random() {
    let numbers = |n: usize| (0..n).map(|i| i as f64).collect::<Vec<_>>();
    let own = options(Output::StudentT);
    assert_eq!(dealt(&own, &numbers(39)).0, 0);
    for (n, count) in [(40, 4), (199, 4), (200, 2), (1000, 2)] {
        let (folds, all) = dealt(&own, &numbers(n));
        assert_eq!(folds, count, "{n}");
        for part in all.chunks_exact(count as usize) {
            assert_eq!(sizes(part, count), vec![1; count as usize]);
        }
        let other = BnnOptions { seed: 2, ..own };
        assert_ne!(dealt(&other, &numbers(n)).1, all);
    }
    // Of many rows a sample takes part, everywhere alike.
    let (folds, all) = dealt(&own, &numbers(10_000));
    assert_eq!(folds, 2);
    assert_eq!(all.iter().filter(|f| **f != NO_FOLD).count(), 1000);
    assert_eq!(sizes(&all, 2), [500, 500]);
    for part in all.chunks_exact(2500) {
        let some = part.iter().filter(|f| **f != NO_FOLD).count();
        // Hypergeometric, of variance 1000/4 * 3/4 * .9.
        assert!((some as f64 - 250.0).abs() < 5.0 * 13.0, "{some}");
    }
    // Classes each by itself, a rare one too, however they lie.
    let y: Vec<f64> = (0..400).map(|i| if i % 50 == 7 { 2.0 } else { (i / 200) as f64 }).collect();
    let classes = BnnOptions { categories: 3, ..options(Output::Softmax) };
    let (folds, all) = dealt(&classes, &y);
    assert_eq!(folds, 2);
    for class in 0..3 {
        let own: Vec<u32> = (0..400).filter(|i| y[*i] == class as f64).map(|i| all[i]).collect();
        assert_eq!(sizes(&own, 2), vec![own.len() / 2; 2]);
    }
    // The rows without one fold would have one value.
    let mut y = vec![0.0; 100];
    y[31] = 1.0;
    assert_eq!(dealt(&own, &y).0, 0);
}

#[test]
fn candidates_are_those_of_learnt_student_t_noise() {
    let of = |o: &BnnOptions<f64>, y: &[f64]| -> Vec<Output> {
        (0..).map_while(|k| o.pilot(y, k)).map(|p| p.output.value()).collect()
    };
    let outputs = |o: &BnnOptions<f64>| of(o, &[1.0, -1.0]);
    let all = [Output::StudentT, Output::MeanVariance, Output::Mixture];
    assert_eq!(outputs(&options(Output::StudentT)), all);
    for output in [Output::Gaussian, Output::MeanVariance, Output::Bernoulli, Output::Poisson] {
        assert_eq!(outputs(&options(output)), [output]);
    }
    let known = BnnOptions { tail: 4.0, ..options(Output::StudentT) };
    assert_eq!(outputs(&known), [Output::StudentT]);
    assert_eq!(outputs(&BnnOptions { noise: 0.1, tail: 0.0, ..known }), [Output::StudentT]);
    // No longer than the fit itself, and chains whatever that is.
    let ascent =
        BnnOptions { method: BnnMethod::Map.into(), lanes: 1, ..options(Output::StudentT) };
    let short = BnnOptions { chains: 3, warmup: 18, draws: 4, ..options(Output::StudentT) };
    assert_eq!(outputs(&BnnOptions { warmup: 15, ..short }), [Output::StudentT]);
    for (own, chains, warmup, draws) in [(ascent, 8, 16, 6), (short, 3, 16, 4)] {
        let pilot = own.pilot(&[1.0, -1.0], 1).unwrap();
        assert_eq!(
            (pilot.chains, pilot.warmup, pilot.draws, pilot.keep),
            (chains, warmup, draws, draws)
        );
        assert_eq!((pilot.method.value(), pilot.lanes), (BnnMethod::Hmc, usual_lanes()));
        assert!(pilot.check().is_ok());
    }
}

/// Positive numbers may be log-normal; where a fifth is 0, and ten are positive, there is a hurdle, however short the chains.
#[test]
fn candidates_are_those_of_the_sign_of_the_numbers() {
    let own = options(Output::StudentT);
    let of = |o: &BnnOptions<f64>, y: &[f64]| -> Vec<Output> {
        (0..).map_while(|k| o.pilot(y, k)).map(|p| p.output.value()).collect()
    };
    let real = [Output::StudentT, Output::MeanVariance, Output::Mixture];
    let positive = [Output::StudentT, Output::LogNormal, Output::MeanVariance, Output::Mixture];
    let zeros = |n: usize, zeros: usize| -> Vec<f64> {
        (0..n).map(|i| if i < zeros { 0.0 } else { 1.0 + i as f64 }).collect()
    };
    assert_eq!(of(&own, &zeros(40, 0)), positive);
    assert_eq!(of(&own, &zeros(40, 1)), real);
    assert_eq!(of(&own, &zeros(40, 7)), real);
    assert_eq!(of(&own, &zeros(40, 8)), [Output::HurdleLogNormal]);
    assert_eq!(of(&own, &zeros(40, 30)), [Output::HurdleLogNormal]);
    assert_eq!(of(&own, &zeros(40, 31)), real);
    let choices: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
    assert_eq!(of(&own, &choices), real);
    let mut signed = zeros(40, 20);
    signed[30] = -1.0;
    assert_eq!(of(&own, &signed), real);
    let short = BnnOptions { warmup: 9, ..own };
    assert_eq!(of(&short, &zeros(40, 0)), [Output::StudentT]);
    assert_eq!(of(&short, &zeros(40, 8)), [Output::HurdleLogNormal]);
    assert_eq!(of(&options(Output::Gaussian), &zeros(40, 8)), [Output::Gaussian]);
}

#[test]
fn another_candidate_is_chosen_if_it_is_surely_better() {
    let choose = |scores: &[f64]| BnnOptions::choose(&[1.0, 2.0, 3.0, 4.0], scores);
    let first = [0.0, 0.0, 0.0, 0.0];
    // 5 nats ahead with an error of sqrt(4/3 * 5) = 2.58, then 6.
    let (near, far) = ([2.75, -0.25, 1.75, 0.75], [3.0, 0.0, 2.0, 1.0]);
    let choice = choose(&[first, near].concat());
    assert_eq!((choice.candidate, choice.rows, choice.ahead, choice.error), (0, 4, 0.0, 0.0));
    let choice = choose(&[first, far].concat());
    assert_eq!((choice.candidate, choice.ahead), (1, 6.0));
    assert!((choice.error - (4.0_f64 / 3.0 * 5.0).sqrt()).abs() < 1e-14);
    // A third has to be a quarter of a nat a row ahead of the second, or of the first where that was not taken.
    assert_eq!(choose(&[first, far, far.map(|s| s + 0.24)].concat()).candidate, 1);
    assert_eq!(choose(&[first, far, far.map(|s| s + 0.26)].concat()).candidate, 2);
    assert_eq!(choose(&[first, near, far].concat()).candidate, 2);
    // Sure, but of next to nothing.
    assert_eq!(choose(&[first, [0.04, 0.041, 0.04, 0.04]].concat()).candidate, 0);
    assert_eq!(choose(&[first, [0.06, 0.061, 0.06, 0.06]].concat()).candidate, 1);
    // Of four the second is log-normal, and none where the first is more than 1.5 nats a row ahead of the constant.
    let constant = -0.5 * (std::f64::consts::TAU * std::f64::consts::E * 1.25).ln();
    for (ahead, wanted) in [(1.4, 1), (1.6, 2)] {
        let first = [constant + ahead; 4];
        let fourth = first.map(|s| s - 1.0);
        let [second, third] = [1.0, 0.5].map(|better| {
            let mut scores = first.map(|s| s + better);
            scores[0] += 0.01;
            scores
        });
        assert_eq!(choose(&[first, second, third, fourth].concat()).candidate, wanted);
    }
    // Scores that are none.
    assert_eq!(choose(&[first, [9.0, f64::NAN, 9.0, 9.0]].concat()).candidate, 0);
    assert_eq!(choose(&[first, [9.0, -f64::INFINITY, 9.0, 9.0]].concat()).candidate, 0);
    assert_eq!(choose(&[[0.0, f64::NAN, 0.0, 0.0], first].concat()).candidate, 1);
    assert_eq!(choose(&first).candidate, 0);
}

/// 120 rows of two inputs, and noise that is the same everywhere, grows, puts rows on one of two branches, or multiplies.
fn made(kind: usize, seed: u64) -> (Vec<f32>, Vec<f32>) {
    let mut stream = Stream::new(seed, 0, Purpose::Predictive);
    let mut x = Vec::new();
    let y = (0..120).map(|_| {
        let row: [f32; 2] = [stream.normal(), stream.normal()];
        x.extend(row);
        let (mean, noise, side) =
            (row[0] + 0.5 * row[1], stream.normal::<f32>(), stream.below(2) as f32);
        mean + match kind {
            0 => 0.3 * noise,
            1 => 0.5 * row[0].exp() * noise,
            2 => 8.0 * side + 0.3 * noise,
            _ => 0.5 * noise,
        }
    });
    let y = y.map(|y| if kind > 2 { y.exp() } else { y }).collect();
    (x, y)
}

/// A wrong choice needs scores that are more than two standard errors off: constant noise is taken for something else in
/// one of twenty or so, the others, which are many errors away, never.
#[test]
fn noise_is_chosen_as_it_was_made() {
    let wanted = [Output::StudentT, Output::MeanVariance, Output::Mixture, Output::LogNormal];
    for (kind, wanted) in wanted.into_iter().enumerate() {
        let seeds = runs(2, 8);
        let right = (1..=seeds).filter(|seed| {
            let (x, y) = made(kind, *seed);
            let data = Dataset::new(Inputs::row_major(&x, 120, 2).unwrap(), &y).unwrap();
            let base = BnnOptions { seed: *seed, leapfrogs: 60, ..BnnOptions::default() };
            let (own, choice) = lcc_model::choose(&data, &base).unwrap();
            let choice = choice.unwrap();
            assert_eq!(choice.rows, 120);
            assert_eq!(choice.ahead > 0.0, own.output != Output::StudentT);
            own.output == wanted
        });
        let (right, most) = (right.count() as u64, if kind == 0 { seeds / 4 } else { 0 });
        assert!(right + most >= seeds, "{kind}: {right} of {seeds}");
    }
}
