//! Short fits before the fit: how rows are dealt, which candidate is read from log scores, and that noise is chosen as the
//! data were made.

use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::estimator::bnn::NO_FOLD;
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
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

/// All rows of a group are in one fold; of single rows groups change nothing.
#[test]
fn groups_are_dealt_as_a_whole() {
    let deal = |o: &BnnOptions<f64>, y: &[f64], groups: &[u32]| {
        let x = vec![0.0; y.len()];
        let data = Dataset::new(Inputs::row_major(&x, y.len(), 1).unwrap(), y).unwrap();
        let mut folds = vec![7; y.len()];
        let count = o.folds(&data.grouped(groups).unwrap(), &mut folds);
        (count, folds)
    };
    let own = options(Output::StudentT);
    let numbers: Vec<f64> = (0..400).map(f64::from).collect();
    let single: Vec<u32> = (0..400).collect();
    assert_eq!(deal(&own, &numbers, &single), dealt(&own, &numbers));
    // 40 groups of 1 to 19 rows, which lie apart.
    let size = |g: u32| 1 + 2 * (g % 10);
    let mut groups: Vec<u32> =
        (0..20).flat_map(|t| (0..40).filter(move |g| t < size(*g))).collect();
    groups.truncate(400);
    assert_eq!(groups.len(), 400);
    let y: Vec<f64> = groups.iter().map(|g| f64::from(*g > 9)).collect();
    let classes = options(Output::Bernoulli);
    for (own, y, folds) in [(&own, &numbers, 2), (&classes, &y, 2)] {
        let (count, all) = deal(own, y, &groups);
        assert_eq!(count, folds);
        let of: Vec<u32> = (0..40).map(|g| all[g]).collect();
        assert!(groups.iter().zip(&all).all(|(g, fold)| *fold == of[*g as usize]));
        assert_eq!(sizes(&of, folds), [20, 20]);
    }
    let first: Vec<u32> = deal(&classes, &y, &groups).1[..10].to_vec();
    assert_eq!(sizes(&first, 2), [5, 5]);
    // Of many rows as many groups as make a thousand.
    let (n, count) = (8000, 800);
    let numbers: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let ten: Vec<u32> = (0..n).map(|i| (i / 10) as u32).collect();
    let (folds, all) = deal(&own, &numbers, &ten);
    assert_eq!((folds, sizes(&all, 2)), (2, vec![500, 500]));
    assert!(
        all.chunks(10).all(|own| own.iter().all(|fold| *fold == own[0])) && count == all.len() / 10
    );
    // Few groups.
    let few = |count: u32| (0..100).map(|i| (i * count) / 100).collect::<Vec<_>>();
    let numbers = &numbers[..100];
    assert_eq!([3, 4, 7, 8].map(|g| deal(&own, numbers, &few(g)).0), [0, 2, 2, 4]);
    // Rows that stand for several are not told by others.
    let alone = rows(numbers);
    let of = |weight: f64| {
        let weights = vec![weight; 100];
        own.folds(&alone.weighted(&weights).unwrap(), &mut [0; 100])
    };
    assert_eq!([of(0.01), of(1.4), of(1.6)], [4, 4, 0]);
    // Rows that are copies of others are no matter in one group.
    let twice: Vec<f64> = (0..100).map(|i| f64::from(i / 2)).collect();
    let pairs: Vec<u32> = (0..100).map(|i| i / 2).collect();
    let (alone, mut folds) = (rows(&twice), vec![0; 100]);
    assert_eq!(own.folds(&alone, &mut folds), 0);
    assert_eq!(own.folds(&alone.grouped(&pairs).unwrap(), &mut folds), 4);
    // Numbered in the order of their first rows, and one for each row.
    let data = rows(&SIGNED);
    let bad = |groups: &[u32]| data.grouped(groups).map(|_| ()).unwrap_err();
    assert_eq!(bad(&[0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0]), DataError::Group { row: 2 });
    assert_eq!(bad(&[1; 11]), DataError::Group { row: 0 });
    assert_eq!(bad(&[u32::MAX; 11]), DataError::Group { row: 0 });
    assert_eq!(bad(&[0; 10]), DataError::TooShort);
}

/// Numbers, more than ten.
const SIGNED: [f64; 11] = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0, 5.0, -5.0, 6.0];

/// Classes are calibrated by what fitted them: a method that is no chain by itself, maximum likelihood not at all; and never by
/// rows whose copies trained.
#[test]
fn classes_are_told_by_the_method_that_fits_them() {
    let y: Vec<f64> = (0..60).map(|i| f64::from(i % 3 > 0)).collect();
    let own = BnnOptions { method: BnnMethod::Map.into(), lanes: 1, ..options(Output::Bernoulli) };
    let data = rows(&y);
    assert!(own.pilot(&data, 0) == Some(own) && own.pilot(&data, 1).is_none());
    let x: Vec<f64> = (0..60).map(f64::from).collect();
    let copied: Vec<f64> = (0..60).map(|i| f64::from(i % 20)).collect();
    let label: Vec<f64> = copied.iter().map(|x| f64::from(*x > 6.0)).collect();
    let mut folds = vec![0; 60];
    let mut dealt = |o: &BnnOptions<f64>, x: &[f64]| {
        let data = Dataset::new(Inputs::row_major(x, 60, 1).unwrap(), &label).unwrap();
        o.folds(&data, &mut folds)
    };
    let likelihood = BnnOptions { method: BnnMethod::MaximumLikelihood.into(), ..own };
    assert_eq!([dealt(&own, &x), dealt(&likelihood, &x), dealt(&own, &copied)], [2, 0, 0]);
}

/// Targets beside one input.
fn rows(y: &[f64]) -> Dataset<'_, f64> {
    Dataset::new(Inputs::row_major(y, y.len(), 1).unwrap(), y).unwrap()
}

/// With many inputs all come once more, with scales that are known; not where those are named, or where there is no choice.
#[test]
fn many_inputs_have_candidates_with_known_scales() {
    let of = |own: &BnnOptions<f64>, d: usize| -> Vec<(Output, Scales)> {
        let x = vec![1.0; SIGNED.len() * d];
        let data = Dataset::new(Inputs::row_major(&x, SIGNED.len(), d).unwrap(), &SIGNED).unwrap();
        let all = (0..).map_while(|k| own.pilot(&data, k));
        all.map(|p| (p.output.value(), p.scales.value())).collect()
    };
    let own = options(Output::StudentT);
    let once = [Output::StudentT, Output::MeanVariance, Output::Mixture];
    let twice: Vec<_> = [Scales::Inputs, Scales::Known]
        .into_iter()
        .flat_map(|scales| once.map(|output| (output, scales)))
        .collect();
    assert_eq!(of(&own, 32), twice);
    assert_eq!(of(&own, 31), twice[..3]);
    let layers = BnnOptions { scales: Scales::Layers.into(), ..own };
    assert!(of(&layers, 32) == once.map(|output| (output, Scales::Layers)));
    assert_eq!(of(&BnnOptions { widths: [0; 4], ..own }, 32), twice[..3]);
    assert_eq!(of(&options(Output::Gaussian), 32), [(Output::Gaussian, Scales::Inputs)]);
}

#[test]
fn candidates_are_those_of_learnt_student_t_noise() {
    let of = |o: &BnnOptions<f64>, y: &[f64]| -> Vec<Output> {
        let data = rows(y);
        (0..).map_while(|k| o.pilot(&data, k)).map(|p| p.output.value()).collect()
    };
    let outputs = |o: &BnnOptions<f64>| of(o, &SIGNED);
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
        let pilot = own.pilot(&rows(&SIGNED), 1).unwrap();
        assert_eq!(
            (pilot.chains, pilot.warmup, pilot.draws, pilot.keep),
            (chains, warmup, draws, draws)
        );
        assert_eq!((pilot.method.value(), pilot.lanes), (BnnMethod::Hmc, usual_lanes()));
        assert!(pilot.check().is_ok());
    }
}

/// Positive numbers may be log-normal or Gamma; where a fifth is 0, and ten are positive, there is a hurdle, however short the chains.
#[test]
fn candidates_are_those_of_the_sign_of_the_numbers() {
    let own = options(Output::StudentT);
    let of = |o: &BnnOptions<f64>, y: &[f64]| -> Vec<Output> {
        let data = rows(y);
        (0..).map_while(|k| o.pilot(&data, k)).map(|p| p.output.value()).collect()
    };
    let real = [Output::StudentT, Output::MeanVariance, Output::Mixture];
    let [positive, near_zero] = [Output::LogNormal, Output::Gamma]
        .map(|own| [Output::StudentT, own, Output::MeanVariance, Output::Mixture]);
    let zeros = |n: usize, zeros: usize| -> Vec<f64> {
        (0..n).map(|i| if i < zeros { 0.0 } else { 1.0 + i as f64 }).collect()
    };
    let away: Vec<f64> = zeros(40, 0).iter().map(|y| 20.0 + y).collect();
    assert_eq!(of(&own, &away), positive);
    // The logarithms of a uniform law, of shares and the like, have a long tail to the left.
    assert_eq!(of(&own, &zeros(40, 0)), near_zero);
    // Whole numbers from 0 on may be counts, not those with a large mean, or with others among them.
    let [student_t, _, ..] = real;
    let counts = [student_t, Output::NegativeBinomial, real[1], real[2]];
    for none in [1, 7] {
        let y = zeros(40, none);
        assert_eq!(of(&own, &y), counts);
        let some = |change: &dyn Fn(f64) -> f64| y.iter().map(|y| change(*y)).collect::<Vec<_>>();
        assert_eq!(of(&own, &some(&|y| 9.0 * y)), real);
        assert_eq!(of(&own, &some(&|y| 0.5 * y)), real);
        assert_eq!(of(&own, &some(&|y| y - 1.0)), real);
    }
    let few: Vec<f64> = (0..40).map(|i| f64::from(i * i % 7)).collect();
    assert_eq!(of(&own, &few), counts[..2]);
    assert_eq!(of(&own, &zeros(40, 8)), [Output::HurdleGamma]);
    assert_eq!(of(&own, &zeros(40, 30)), [Output::HurdleLogNormal]);
    assert_eq!(of(&own, &zeros(40, 31)), counts);
    let choices: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
    assert_eq!(of(&own, &choices), [Output::StudentT]);
    // Ten values have no density, eleven may.
    let values = |k: usize| (0..44).map(|i| (i % k) as f64 - 3.0).collect::<Vec<_>>();
    assert_eq!(of(&own, &values(10)), [Output::StudentT]);
    assert_eq!(of(&own, &values(11)), real);
    // But for zeros that are most of them, which a hurdle takes.
    let rare: Vec<f64> =
        (0..60).map(|i| if i % 4 == 0 { 1.0 + (i % 3) as f64 } else { 0.0 }).collect();
    assert_eq!(of(&own, &rare), [Output::HurdleLogNormal]);
    let mut signed = zeros(40, 20);
    signed[30] = -1.0;
    assert_eq!(of(&own, &signed), real);
    let short = BnnOptions { warmup: 9, ..own };
    assert_eq!(of(&short, &zeros(40, 0)), [Output::StudentT]);
    assert_eq!(of(&short, &zeros(40, 8)), [Output::HurdleGamma]);
    assert_eq!(of(&options(Output::Gaussian), &zeros(40, 8)), [Output::Gaussian]);
}

/// Where an input is the target in many rows, no density of the others is judged by those; two whole numbers may be equal by chance.
#[test]
fn there_is_no_choice_where_an_input_is_often_the_target() {
    let y: Vec<f64> = (0..60).map(|i| ((1.7 * f64::from(i)).sin() * 30.0).round() / 4.0).collect();
    let own = options(Output::StudentT);
    let count = |x: &[f64]| {
        let data = Dataset::new(Inputs::row_major(x, y.len(), 1).unwrap(), &y).unwrap();
        (0..).map_while(|k| own.pilot(&data, k)).count()
    };
    let cut = |every: usize| -> Vec<f64> {
        let away = |i: usize| if i.is_multiple_of(every) { 0.0 } else { 1.1 + 0.01 * i as f64 };
        y.iter().enumerate().map(|(i, y)| y + away(i)).collect()
    };
    assert_eq!([3, 5, 20].map(|every| count(&cut(every))), [1, 1, 3]);
    // All of it, marks that agree in a third of the rows, which are few values, and a value that both have again and again.
    let marks: Vec<f64> = y.iter().map(|y| (y / 4.0).round()).collect();
    let other: Vec<f64> = (0..60).map(|i| if i % 3 == 0 { marks[i] } else { -marks[i] }).collect();
    let heap: Vec<f64> = (0..60).map(|i| if i % 4 == 0 { 1.0 } else { y[i] }).collect();
    for (x, y, count) in [(&y, &y, 3), (&other, &marks, 1), (&vec![1.0; 60], &heap, 3)] {
        let data = Dataset::new(Inputs::row_major(x, 60, 1).unwrap(), y).unwrap();
        assert_eq!((0..).map_while(|k| own.pilot(&data, k)).count(), count);
    }
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
    // Of six the last three are the same with other scales: of the same output .05 are enough, of a mixture .25 are not less.
    let three = |best: usize| {
        let own = |k: usize| if k == best { far } else { first };
        [own(0), own(1), own(2)].concat()
    };
    assert_eq!(choose(&[three(9), three(0)].concat()).candidate, 3);
    assert_eq!(choose(&[three(9), three(1)].concat()).candidate, 4);
    assert_eq!(choose(&[three(1), three(1)].concat()).candidate, 1);
    let little = far.map(|s| s + 0.06);
    assert_eq!(choose(&[three(2), [first, first, little].concat()].concat()).candidate, 5);
    assert_eq!(choose(&[three(1), [first, first, little].concat()].concat()).candidate, 1);
    // Of few counts the second is negative binomial, in one list and in two, and needs a tenth.
    let counts = |scores: &[f64]| BnnOptions::choose(&[0.0, 1.0, 2.0, 1.0], scores).candidate;
    let low = [-5.0; 4];
    let [some, more] =
        [0.06, 0.12].map(|ahead| [-5.0 + ahead, -5.0 + ahead, -5.0 + ahead, -4.999 + ahead]);
    assert_eq!([counts(&[low, some].concat()), counts(&[low, more].concat())], [0, 1]);
    assert_eq!(counts(&[low, more, low, more.map(|s| s + 0.06)].concat()), 3);
    // Scores that are none.
    assert_eq!(choose(&[first, [9.0, f64::NAN, 9.0, 9.0]].concat()).candidate, 0);
    assert_eq!(choose(&[first, [9.0, -f64::INFINITY, 9.0, 9.0]].concat()).candidate, 0);
    assert_eq!(choose(&[[0.0, f64::NAN, 0.0, 0.0], first].concat()).candidate, 1);
    assert_eq!(choose(&first).candidate, 0);
}

/// 120 rows of two inputs, and noise that is the same everywhere, grows, puts rows on one of two branches, or multiplies,
/// log-normal or Gamma of shape 1/2.
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
            4 => (2.0 * stream.gamma(0.5_f32)).ln(),
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
    let wanted =
        [Output::StudentT, Output::MeanVariance, Output::Mixture, Output::LogNormal, Output::Gamma];
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

/// Scales that are known are chosen for a spectrum, whose 40 channels rise and fall together while the difference of two bands is
/// the target, and not for 40 inputs of which one tells it.
#[test]
fn scales_of_many_inputs_are_chosen_as_they_were_made() {
    let (n, d) = (160, 40);
    for (spectra, wanted) in [(true, Scales::Known), (false, Scales::Inputs)] {
        let mut stream = Stream::new(3, 0, Purpose::Predictive);
        let (mut x, mut y): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let [light, one, other, noise]: [f32; 4] = std::array::from_fn(|_| stream.normal());
            for j in 0..d {
                let band = |at: f32| (-0.5 * ((j as f32 - at) / 4.0).powi(2)).exp();
                let channel = 3.0 * light + 0.3 * (one * band(14.0) + other * band(24.0));
                x.push(if spectra { channel } else { stream.normal() });
            }
            let told = if spectra { one - other } else { 2.0 * x[x.len() - d] };
            y.push(told.tanh() + 0.1 * noise);
        }
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let (own, choice) = lcc_model::choose(&data, &BnnOptions::default()).unwrap();
        assert_eq!(own.scales, wanted, "{choice:?}");
    }
}
