//! The learner as an object: its bits, its model, what it refuses.

use super::{D, M, Noise, P, apply, covariance, features, image, image_about, learner, row};
use lcc_core::checkpoint::{Kind, checkpoint, restore, sealed_size};
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::simd::Isa;
use lcc_core::stream::{Compiled, StreamError, StreamLearner, StreamOptions};
use lcc_tests::posteriors::Aligned;

/// Everything that a stream leaves behind, as bits.
fn outcome<T: Compiled>(learner: &StreamLearner<'_, T>) -> Vec<u64> {
    let mut out = Vec::new();
    let mut push = |x: T| out.push(x.to_f64().to_bits());
    for k in 0..learner.draws() {
        learner.head(k).unwrap().for_each(&mut push);
        learner.covariance(k).unwrap().for_each(&mut push);
        push(learner.noise(k).unwrap().1);
    }
    learner.weights().iter().for_each(|w| push(*w));
    let (size, scratch) = learner.model_size().unwrap();
    for seed in [None, Some(9)] {
        let mut model = vec![0; size];
        let written = learner.write_model(seed, &mut model, &mut vec![T::ZERO; scratch]).unwrap();
        out.extend(model[..written].iter().map(|b| u64::from(*b)));
    }
    out
}

fn bits<T: Compiled>() {
    let bytes = image::<T>(13, &[3.0, 12.0, f64::INFINITY]);
    let image = Image::open(&bytes).unwrap();
    for weighted in [false, true] {
        let mut first: Option<Vec<u64>> = None;
        for lanes in [1, 8] {
            for isa in Isa::all() {
                let o = StreamOptions::<T> {
                    lanes,
                    weighted: weighted.into(),
                    draws: 11,
                    ..Default::default()
                };
                let size = StreamLearner::size(&o, &image).unwrap();
                let mut memory = Aligned::new(size);
                StreamLearner::init(memory.bytes(), &o, isa, &image).unwrap();
                let mut noise = Noise(3);
                let mut all = Vec::new();
                for t in 0..60 {
                    // Sealed and taken up again between any two rows.
                    let mut sealed = vec![0; sealed_size(size).unwrap()];
                    checkpoint(memory.bytes(), Kind::Stream, T::BITS, &mut sealed).unwrap();
                    let mut other = Aligned::new(size);
                    restore(&sealed, Kind::Stream, T::BITS, other.bytes()).unwrap();
                    memory = other;
                    let mut learner = StreamLearner::<T>::open(memory.bytes(), isa).unwrap();
                    assert_eq!((learner.draws(), learner.rows()), (11, t as u64));
                    let (x, y) = row(&mut noise, t);
                    let x = x.map(T::lit);
                    // What is asked between rows changes nothing.
                    let p = learner.predict(&x, T::lit(0.9)).unwrap();
                    let score = learner.observe(&x, T::lit(y)).unwrap();
                    let numbers = [p.mean, p.sd, p.lower, p.upper, score.log_density, score.pit];
                    all.extend(numbers.map(|x| x.to_f64().to_bits()));
                }
                let learner = StreamLearner::<T>::open(memory.bytes(), isa).unwrap();
                all.extend(outcome(&learner));
                match &first {
                    None => first = Some(all),
                    Some(first) => assert_eq!(&all, first, "{lanes} {isa:?}"),
                }
            }
        }
    }
    // And without a break, without predictions.
    let o = StreamOptions::<T> { draws: 11, ..Default::default() };
    let (mut a, mut b) = (Aligned::new(0), Aligned::new(0));
    let (mut a, mut b) = (learner(&mut a, &o, &bytes), learner(&mut b, &o, &bytes));
    let mut noise = Noise(3);
    for t in 0..60 {
        let (x, y) = row(&mut noise, t);
        let x = x.map(T::lit);
        a.learn(&x, T::lit(y)).unwrap();
        b.predict(&[T::ONE; D], T::HALF).unwrap();
        b.observe(&x, T::lit(y)).unwrap();
    }
    assert_eq!(outcome(&a), outcome(&b));
}

#[test]
fn lanes_instruction_sets_and_checkpoints_change_no_bit() {
    bits::<f64>();
    bits::<f32>();
}

#[test]
fn the_model_is_what_was_learnt() {
    let bytes = image::<f64>(5, &[7.0, f64::INFINITY]);
    let options =
        StreamOptions::<f64> { weighted: false.into(), noise_rows: 200.0, ..Default::default() };
    let mut memory = Aligned::new(0);
    let mut learner = learner(&mut memory, &options, &bytes);
    let (size, scratch) = learner.model_size().unwrap();
    let mut scratch = vec![0.0; scratch];
    let mut noise = Noise(8);
    for t in 0..400 {
        let (x, y) = row(&mut noise, t);
        if t % 50 == 0 {
            let mut model = vec![0; size];
            let written = learner.write_model(None, &mut model, &mut scratch).unwrap();
            let image = Image::open(&model[..written]).unwrap();
            let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
            let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
            let mut work = vec![0.0; predictor.row_scratch()];
            let still = predictor.mixture(&x, &mut work).unwrap();
            let law = learner.law(&x).unwrap();
            for (a, b) in still.locations().iter().zip(law.locations()) {
                assert!((a - b).abs() < 1e-11 * b.abs().max(1.0));
            }
            // The image knows the noise, the learner also what is not known of the head.
            assert!(still.sd() < law.sd());
        }
        learner.learn(&x, y).unwrap();
    }
    // Draws of the heads have the mean and the covariance of their law.
    let x = [0.3, -1.5, 0.9];
    let count = 4000;
    let image = Image::open(&bytes).unwrap();
    for k in [0, 3] {
        let phi = features(&image, k, &x);
        let dot = |h: &[f64]| h.iter().zip(&phi).map(|(h, p)| h * p).sum::<f64>();
        let (a, b) = learner.noise(k).unwrap();
        let centre = dot(&learner.head(k).unwrap().collect::<Vec<_>>());
        let v = apply(&covariance(&learner, k), &phi);
        // E 1/beta = b / (a - 1).
        let variance = dot(&v) * b / (a - 1.0);
        let (mut sum, mut squares, mut noises) = (0.0, 0.0, 0.0);
        for seed in 0..count {
            let mut model = vec![0; size];
            let written = learner.write_model(Some(seed), &mut model, &mut scratch).unwrap();
            let drawn = Image::open(&model[..written]).unwrap();
            let values: Vec<f64> = drawn.values(k).collect();
            let f = dot(&values[M * (D + 1)..][..P]) - centre;
            sum += f;
            squares += f * f;
            noises += values[values.len() - 2].powi(2);
        }
        let n = count as f64;
        assert!((sum / n).abs() < 4.0 * (variance / n).sqrt());
        assert!((squares / n / variance - 1.0).abs() < 4.0 * (2.1 / n).sqrt());
        assert!((noises / n / (b / (a - 1.0)) - 1.0).abs() < 4.0 * (1.0 / (a * n)).sqrt());
    }
}

#[test]
fn weights_follow_the_densities_and_the_model_resamples_by_them() {
    let bytes = image::<f64>(6, &[7.0]);
    let options = StreamOptions::<f64> { weight_forgetting: 0.8, ..Default::default() };
    let mut memory = Aligned::new(0);
    let mut learner = learner(&mut memory, &options, &bytes);
    let mut noise = Noise(77);
    let mut logs = [0.0; 6];
    for t in 0..40 {
        let (x, y) = row(&mut noise, t);
        let mut own = [0.0; 6];
        let law = learner.law(&x).unwrap();
        let mean = law.mean();
        let total = law.log_densities(y, &mut own);
        let old: Vec<f64> = learner.weights().to_vec();
        let weighted: f64 = old.iter().zip(own).map(|(w, l)| w * l.exp()).sum::<f64>() / 6.0;
        assert!((total - weighted.ln()).abs() < 1e-12);
        let law = learner.law(&x).unwrap();
        let centre: f64 = law.locations().iter().zip(&old).map(|(f, w)| w * f).sum::<f64>() / 6.0;
        assert!((mean - centre).abs() < 1e-12 * centre.abs().max(1.0));
        let score = learner.observe(&x, y).unwrap();
        assert!((score.log_density - total).abs() < 1e-12);
        logs.iter_mut().zip(own).for_each(|(l, new)| *l = 0.8 * *l + new);
        let largest = logs.iter().copied().fold(f64::MIN, f64::max);
        let all: f64 = logs.iter().map(|l| (l - largest).exp()).sum();
        for (w, l) in learner.weights().iter().zip(logs) {
            assert!((w - 6.0 * (l - largest).exp() / all).abs() < 1e-9);
        }
    }
    // Draws in the image, told apart by their hidden layers.
    let (size, scratch) = learner.model_size().unwrap();
    let (mut model, mut scratch) = (vec![0; size], vec![0.0; scratch]);
    let written = learner.write_model(Some(4), &mut model, &mut scratch).unwrap();
    let (old, new) = (Image::open(&bytes).unwrap(), Image::open(&model[..written]).unwrap());
    assert_eq!(new.draws(), 6);
    for (k, weight) in learner.weights().iter().enumerate() {
        let of = |i: &Image<'_>, k: usize| i.values::<f64>(k).next().unwrap();
        let copies = (0..6).filter(|j| of(&new, *j) == of(&old, k)).count() as f64;
        assert!((copies - weight).abs() < 1.0, "{k}: {copies} {weight}");
    }
}

#[test]
fn refuses_what_it_must_and_learns_nothing_from_it() {
    let bytes = image::<f32>(3, &[7.0]);
    let image = Image::open(&bytes).unwrap();
    let good = StreamOptions::<f32>::default();
    for (options, error) in [
        (StreamOptions { forgetting: 0.0, ..good }, StreamError::Forgetting),
        (StreamOptions { forgetting: 1.01, ..good }, StreamError::Forgetting),
        (StreamOptions { forgetting: f32::NAN, ..good }, StreamError::Forgetting),
        (StreamOptions { noise_forgetting: -0.1, ..good }, StreamError::Forgetting),
        (StreamOptions { weight_forgetting: 1.5, ..good }, StreamError::Forgetting),
        (StreamOptions { noise_rows: 0.0, ..good }, StreamError::NoiseRows),
        (StreamOptions { outer_sd: 0.0, ..good }, StreamError::Sd),
        (StreamOptions { intercept_sd: f32::INFINITY, ..good }, StreamError::Sd),
        (StreamOptions { linear_sd: f32::NAN, ..good }, StreamError::Sd),
        (StreamOptions { draws: 0, ..good }, StreamError::Draws),
        (StreamOptions { lanes: 2, ..good }, StreamError::Lanes),
    ] {
        assert_eq!(StreamLearner::size(&options, &image), Err(error));
        assert!(!error.to_string().is_empty());
    }
    let size = StreamLearner::size(&good, &image).unwrap();
    let mut memory = Aligned::new(size);
    let isa = Isa::detect();
    assert!(StreamLearner::init(&mut memory.bytes()[..size - 1], &good, isa, &image).is_err());
    assert!(StreamLearner::init(&mut memory.bytes()[1..], &good, isa, &image).is_err());
    let opened = StreamLearner::<f32>::open(memory.bytes(), isa);
    assert_eq!(opened.unwrap_err(), StreamError::NotALearner);
    // Single precision rounds what differs by an sd off, double does not.
    let far = image_about::<f64>(1e8, 3, &[7.0]);
    let far = Image::open(&far).unwrap();
    let made = StreamLearner::<f32>::init(memory.bytes(), &good, isa, &far);
    assert_eq!(made.unwrap_err(), StreamError::Image);
    let (own, mut other) = (StreamOptions::<f64>::default(), Aligned::new(2 * size));
    assert!(StreamLearner::init(other.bytes(), &own, isa, &far).is_ok());
    let mut learner = StreamLearner::init(memory.bytes(), &good, isa, &image).unwrap();
    let x = [0.5, 1.0, 0.25];
    learner.learn(&x, 2.0).unwrap();
    let before = outcome(&learner);
    for (x, y, error) in [
        (&x[..2], 1.0, StreamError::Inputs),
        (&[0.0; 4][..], 1.0, StreamError::Inputs),
        (&[0.0, f32::NAN, 0.0][..], 1.0, StreamError::Input),
        (&[0.0, f32::INFINITY, 0.0][..], 1.0, StreamError::Input),
        (&[0.0, 0.0, -1e10][..], 1.0, StreamError::Input),
        (&x[..], f32::NAN, StreamError::Target),
        (&x[..], f32::NEG_INFINITY, StreamError::Target),
        (&x[..], 1e12, StreamError::Target),
    ] {
        assert_eq!(learner.learn(x, y).unwrap_err(), error);
        assert_eq!(learner.observe(x, y).unwrap_err(), error);
    }
    assert_eq!(learner.predict(&x, 1.0).unwrap_err(), StreamError::Level);
    assert_eq!(learner.predict(&x, f32::NAN).unwrap_err(), StreamError::Level);
    assert_eq!(outcome(&learner), before);
    assert_eq!(learner.rows(), 1);
    let (size, length) = learner.model_size().unwrap();
    let (mut model, mut scratch) = (vec![0; size], vec![0.0; length]);
    assert!(learner.write_model(None, &mut model[..60], &mut scratch).is_err());
    let short = learner.write_model(None, &mut model, &mut scratch[1..]);
    assert_eq!(short.unwrap_err(), StreamError::TooShort);
    assert!(learner.head(3).is_none() && learner.noise(3).is_none());
    // The furthest rows that are let in break nothing.
    for t in 0..200 {
        let far = if t % 2 == 0 { 0.9e9 } else { -0.9e9 };
        learner.learn(&[far, -far, 0.4 * far], 3.0 * far).unwrap();
        learner.learn(&x, 2.0).unwrap();
    }
    let law = learner.predict(&x, 0.9).unwrap();
    assert!(law.mean.is_finite() && law.sd.is_finite() && law.lower < law.upper, "{law:?}");
    assert!(learner.write_model(Some(1), &mut model, &mut scratch).is_ok());
    // Rows as before are found back.
    for _ in 0..3000 {
        learner.learn(&x, 2.0).unwrap();
    }
    let law = learner.predict(&x, 0.9).unwrap();
    assert!((law.mean - 2.0).abs() < 0.5 && law.sd < 10.0, "{law:?}");
}
