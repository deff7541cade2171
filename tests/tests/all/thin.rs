//! Fewer draws of a model: exact where some draws say what all do, the loss recomputed from public predictions, and held
//! against subsets at random.

use crate::predict_classes::{shape, values};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::network::Output;
use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
use lcc_core::predict::{Law, NetworkCompiled, NetworkPredictor, PredictError, Thinned};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;

const LEVELS: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// An image of these draws, the inputs in units of their own, an exposure as it comes.
fn image_of<T: Real>(shape: Shape, draws: &[Vec<f64>]) -> Vec<u8> {
    let seen = shape.architecture.inputs;
    let own = |j: usize| if j < seen { (0.5 - j as f64, 1.0 + j as f64 / 2.0) } else { (0.0, 1.0) };
    let narrow = |v: f64| T::lit(v);
    let (means, sds): (Vec<T>, Vec<T>) =
        (0..shape.inputs()).map(own).map(|(m, s)| (narrow(m), narrow(s))).unzip();
    of_units(shape, &means, &sds, draws)
}

fn of_units<T: Real>(shape: Shape, means: &[T], sds: &[T], draws: &[Vec<f64>]) -> Vec<u8> {
    let units = Standardiser::new(means, sds, T::ZERO, T::ONE).unwrap();
    let mut bytes = vec![0; image_size::<T>(shape, draws.len()).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &units).unwrap();
    for draw in draws {
        let draw: Vec<T> = draw.iter().map(|v| T::lit(*v)).collect();
        store.push(&draw).unwrap();
    }
    store.seal().unwrap().to_vec()
}

fn thin_by<T: NetworkCompiled>(
    isa: Isa,
    bytes: &[u8],
    draws: usize,
    rows: Option<&Inputs<'_, T>>,
) -> Result<(Vec<u8>, Thinned<T>), PredictError> {
    let image = Image::open(bytes).unwrap();
    let mut buffer = vec![T::ZERO; NetworkPredictor::<T>::buffer_len(&image)];
    let predictor = NetworkPredictor::<T>::new(isa, image, &mut buffer).unwrap();
    let mut scratch = vec![T::NAN; NetworkPredictor::<T>::thin_scratch_len(&image)];
    let mut out = vec![7; bytes.len()];
    let (length, thinned) = predictor.thin(draws, rows, &mut out, &mut scratch)?;
    out.truncate(length);
    Ok((out, thinned))
}

fn thin<T: NetworkCompiled>(
    bytes: &[u8],
    draws: usize,
    rows: Option<&Inputs<'_, T>>,
) -> (Vec<u8>, Thinned<T>) {
    thin_by(Isa::detect(), bytes, draws, rows).unwrap()
}

/// One of each output that has laws of its own, with what a draw ends with.
fn outputs() -> Vec<(Shape, Vec<f64>)> {
    let softmax = Shape { categories: 3, ..shape(Output::Softmax, 2, [3, 0, 0, 0], 3) };
    let mixture = Shape { categories: 2, ..shape(Output::Mixture, 2, [2, 2, 0, 0], 6) };
    let counts = Shape { exposure: true, ..shape(Output::NegativeBinomial, 2, [3, 0, 0, 0], 1) };
    vec![
        (shape(Output::StudentT, 2, [3, 0, 0, 0], 1), vec![0.3, 5.0]),
        (softmax, vec![]),
        (shape(Output::Bernoulli, 2, [3, 0, 0, 0], 1), vec![]),
        (mixture, vec![]),
        (counts, vec![2.5]),
        (shape(Output::HurdleLogNormal, 2, [3, 0, 0, 0], 3), vec![]),
        (shape(Output::HurdleGamma, 2, [3, 0, 0, 0], 3), vec![]),
    ]
}

/// Draws of which the first values are exact in single precision.
fn different(shape: &Shape, tail: &[f64], count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|k| values(shape, k, tail)).collect()
}

fn exact<T: NetworkCompiled>() {
    for (shape, tail) in outputs() {
        // Far apart: of draws on a line exchanges end where some are two of one and none of another.
        let mut stream = Stream::new(5, 0, Purpose::Predictive);
        let network = shape.draw_len().unwrap() - tail.len();
        let groups: Vec<Vec<f64>> = (0..5)
            .map(|_| (0..network).map(|_| stream.normal()).chain(tail.iter().copied()).collect())
            .collect();
        let draws: Vec<_> = (0..30).map(|k| groups[k * 7 % 5].clone()).collect();
        let bytes = image_of::<T>(shape, &draws);
        let (small, lost) = thin::<T>(&bytes, 5, None);
        let image = Image::open(&small).unwrap();
        assert_eq!(image.shape(), shape);
        let kept: Vec<Vec<f64>> = (0..5).map(|k| image.values::<f64>(k).collect()).collect();
        for group in &groups {
            let own: Vec<f64> = group.iter().map(|v| T::lit(*v).to_f64()).collect();
            assert_eq!(kept.iter().filter(|k| **k == own).count(), 1, "{:?}", shape.output);
        }
        let rounding = T::lit(64.0) * T::EPSILON;
        assert!(
            lost.largest <= rounding && lost.rms <= lost.largest,
            "{:?} {lost:?}",
            shape.output
        );
    }
}

#[test]
fn one_of_each_group_of_equal_draws_loses_nothing() {
    exact::<f64>();
    exact::<f32>();
}

#[test]
fn all_draws_are_the_same_bytes() {
    for (shape, tail) in outputs() {
        let bytes = image_of::<f64>(shape, &different(&shape, &tail, 9));
        let mut noted = vec![0; bytes.len() + 5];
        Image::open(&bytes).unwrap().attach(b"words", &mut noted).unwrap();
        for bytes in [bytes, noted] {
            let (same, lost) = thin::<f64>(&bytes, 9, None);
            assert_eq!(same, bytes);
            assert_eq!((lost.rms, lost.largest), (0.0, 0.0));
            let (small, lost) = thin::<f64>(&bytes, 4, None);
            let (own, image) = (Image::open(&bytes).unwrap(), Image::open(&small).unwrap());
            assert_eq!((image.attachment(), image.draws()), (own.attachment(), 4));
            assert!(lost.rms > 1e-4);
            // In their order.
            let all: Vec<Vec<f64>> = (0..9).map(|k| own.values(k).collect()).collect();
            let place = |k| all.iter().position(|d| d.iter().copied().eq(image.values::<f64>(k)));
            let places: Vec<_> = (0..4).map(|k| place(k).unwrap()).collect();
            assert!(places.is_sorted(), "{places:?}");
            for isa in Isa::all() {
                assert_eq!(thin_by::<f64>(isa, &bytes, 4, None), Ok((small.clone(), lost)));
            }
        }
    }
}

fn laws(bytes: &[u8], rows: &Inputs<'_, f64>, each: &mut dyn FnMut(usize, Law<'_, f64>)) {
    let image = Image::open(bytes).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    predictor.for_each_row(rows, &mut scratch, each).unwrap();
}

/// The differences of the probabilities of two models at quantiles of the first.
fn differences(whole: &[u8], thin: &[u8], rows: &Inputs<'_, f64>, levels: &[f64]) -> Vec<f64> {
    let mut points = Vec::new();
    laws(whole, rows, &mut |_, law| {
        points.push(match law {
            Law::Classes(law) => law.probabilities().iter().map(|p| (0.0, *p)).collect(),
            law => {
                let at = levels.iter().map(|p| law.quantile(*p));
                at.map(|y| (y, law.cdf(y))).collect::<Vec<_>>()
            }
        });
    });
    let mut out = Vec::new();
    laws(thin, rows, &mut |row, law| match law {
        Law::Classes(law) => {
            out.extend(law.probabilities().iter().zip(&points[row]).map(|(p, (_, q))| p - q));
        }
        law => out.extend(points[row].iter().map(|(y, p)| law.cdf(*y) - p)),
    });
    out
}

fn rms(all: &[f64]) -> f64 {
    (all.iter().map(|v| v * v).sum::<f64>() / all.len() as f64).sqrt()
}

#[test]
fn the_loss_is_that_of_predictions() {
    let x: Vec<f64> = (0..120).map(|i| 1.0 + (i as f64 * 0.77).sin() * 0.9).collect();
    for (shape, tail) in outputs() {
        let d = shape.inputs();
        let rows = Inputs::row_major(&x, 40, d).unwrap();
        let mut bytes = image_of::<f64>(shape, &different(&shape, &tail, 12));
        let mut hot = bytes.clone();
        if Image::open(&bytes).unwrap().temper(0.4, &mut hot).is_ok() {
            bytes = hot;
        }
        let (small, lost) = thin(&bytes, 3, Some(&rows));
        let away = differences(&bytes, &small, &rows, &LEVELS);
        let largest = away.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(largest > 0.01, "nothing to tell");
        let said = format!("{:?}: {lost:?}, {} {largest}", shape.output, rms(&away));
        assert!((lost.rms - rms(&away)).abs() < 1e-12, "{said}");
        assert!((lost.largest - largest).abs() < 1e-12, "{said}");
        let temperature = Image::open(&small).unwrap().temperature::<f64>();
        assert_eq!(temperature, if shape.is_class() { 0.4 } else { 1.0 });
    }
}

/// The best of all 495 subsets of 4 of 12 draws is found but for a tenth, at the levels' own weights.
#[test]
fn it_is_nearly_the_best_of_all_subsets() {
    let (shape, tail) = (shape(Output::StudentT, 2, [3, 0, 0, 0], 1), vec![0.3, 5.0]);
    let draws = different(&shape, &tail, 12);
    let bytes = image_of::<f64>(shape, &draws);
    let x: Vec<f64> = (0..60).map(|i| (i as f64 * 0.77).sin() * 2.0).collect();
    let rows = Inputs::row_major(&x, 30, 2).unwrap();
    let weighted = |small: &[u8]| {
        let away = differences(&bytes, small, &rows, &LEVELS);
        let weights = LEVELS.iter().cycle().map(|p| 1.0 / (p * (1.0 - p)).sqrt());
        rms(&away.iter().zip(weights).map(|(a, w)| a * w).collect::<Vec<_>>())
    };
    let own = weighted(&thin(&bytes, 4, Some(&rows)).0);
    let image = Image::open(&bytes).unwrap();
    let mut out = vec![0; bytes.len()];
    let mut all: Vec<f64> = (0_u32..1 << 12)
        .filter(|set| set.count_ones() == 4)
        .map(|set| {
            let length = image.keep(&|k| set >> k & 1 == 1, &mut out).unwrap();
            weighted(&out[..length])
        })
        .collect();
    all.sort_by(f64::total_cmp);
    assert_eq!(all.len(), 495);
    assert!(own >= all[0] * (1.0 - 1e-9) && own <= 1.1 * all[0], "{own} of {:?}", &all[..5]);
    assert!(all[247] > 2.0 * own, "any subset would do");
}

/// A posterior that was fitted: thinned at some rows, compared at others, with subsets at random.
#[test]
fn it_is_better_than_subsets_at_random() {
    let x: Vec<f64> = (0..50).map(|i| i as f64 / 8.0).collect();
    let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| x.sin() + 0.3 * (i as f64).sin()).collect();
    let options = lcc_model::Options { chains: 24, keep: 6, draws: 6, ..Default::default() };
    let data = Dataset::new(Inputs::row_major(&x, 50, 1).unwrap(), &y).unwrap();
    let model = lcc_model::fit_exactly(&data, &options).unwrap();
    let image = model.image().unwrap();
    let new: Vec<f64> = (0..90).map(|i| -1.0 + i as f64 / 11.0).collect();
    let rows = Inputs::row_major(&new, 90, 1).unwrap();
    let levels = [0.03, 0.1, 0.4, 0.6, 0.9, 0.97];
    let mut out = vec![0; model.bytes().len()];
    for draws in [8, 24] {
        let mut random = |seed| {
            let (mut stream, mut set) =
                (Stream::new(seed, 0, Purpose::Rows), vec![false; image.draws()]);
            while set.iter().filter(|s| **s).count() < draws {
                set[stream.below(image.draws() as u32) as usize] = true;
            }
            let length = image.keep(&|k| set[k], &mut out).unwrap();
            rms(&differences(model.bytes(), &out[..length], &rows, &levels))
        };
        let usual = rms(&(0..20).map(&mut random).collect::<Vec<_>>());
        for data in [&[][..], &x] {
            let (small, _) = model.thinned(draws, data).unwrap();
            assert_eq!(small.image().unwrap().draws(), draws);
            let own = rms(&differences(model.bytes(), small.bytes(), &rows, &levels));
            assert!(own < 0.5 * usual, "{draws} draws: {own} beside {usual}");
        }
    }
}

/// Where the image tells that an input is 0 or 1, rows have no other values: draws that differ between them alone are alike.
#[test]
fn rows_without_data_are_such_as_the_image_tells() {
    use lcc_core::activation::Activation;
    let own = shape(Output::StudentT, 1, [1, 0, 0, 0], 1);
    let own = Shape { activation: Activation::GaussianBump, ..own };
    // w, b, v, intercept, linear, sigma, nu: a narrow bump at the middle of the two values, or none.
    let lost = |mean: f64, sd: f64, at: f64| {
        let draw = |height| vec![10.0, -10.0 * at, height, 0.0, 0.0, 0.3, 5.0];
        let draws: Vec<_> = (0..8).map(|k| draw(if k % 2 == 0 { 3.0 } else { 0.0 })).collect();
        thin::<f64>(&of_units(own, &[mean], &[sd], &draws), 1, None).1.largest
    };
    let spread = (0.3_f64 * 0.7).sqrt();
    assert!(lost(0.3, spread, 0.2 / spread) < 1e-12);
    assert!(lost(0.3, 1.1 * spread, 0.2 / (1.1 * spread)) > 0.1);
    // Of a bent input the units that the network sees are normal: some rows lie at 2, none at 20.
    assert!(
        [2.0, -2.0].iter().all(|at| lost(2.0, -3.0, *at) > 0.1) && lost(2.0, -3.0, 20.0) < 1e-12
    );
}

#[test]
fn what_is_refused_writes_nothing() {
    let (shape, tail) = &outputs()[0];
    let bytes = image_of::<f64>(*shape, &different(shape, tail, 6));
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let need = NetworkPredictor::<f64>::thin_scratch_len(&image);
    let (mut scratch, mut out) = (vec![0.0; need], vec![7; bytes.len()]);
    let wide = Inputs::row_major(&[0.5; 6], 2, 3).unwrap();
    assert_eq!(predictor.thin(0, None, &mut out, &mut scratch), Err(PredictError::Draws));
    assert_eq!(predictor.thin(7, None, &mut out, &mut scratch), Err(PredictError::Draws));
    assert_eq!(predictor.thin(2, Some(&wide), &mut out, &mut scratch), Err(PredictError::Inputs));
    assert_eq!(predictor.thin(2, None, &mut out, &mut scratch[1..]), Err(PredictError::TooShort));
    let length = predictor.thin(2, None, &mut out, &mut scratch).unwrap().0;
    out.fill(7);
    let short = predictor.thin(2, None, &mut out[..length - 1], &mut scratch);
    assert_eq!(short, Err(PredictError::TooShort));
    assert!(out.iter().all(|b| *b == 7));
    assert!(image.keep(&|_| false, &mut out).is_err());
}
