//! The predictive laws of networks of any depth, of classes and of real numbers with their own variance: against a
//! plain network, closed forms, and each other.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::BnnOptions;
use lcc_core::network::{Architecture, Output};
use lcc_core::posterior::{Image, Shape, Standardiser, Store, StoreError, image_size};
use lcc_core::predict::{
    Calibration, Classes, Evaluation, Law, NetworkCompiled, NetworkPredictor, PredictError,
    Predictor, Scores, auroc, temperature,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;

/// The outputs of a draw at standardised inputs, plainly, with tanh.
pub(crate) fn plain(a: &Architecture, values: &[f64], x: &[f64]) -> Vec<f64> {
    let (mut below, mut rest) = (x.to_vec(), values);
    let mut take = |n: usize| {
        let (own, left) = rest.split_at(n);
        rest = left;
        own.to_vec()
    };
    let dot = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
    for units in a.widths.into_iter().map(|w| w as usize).take_while(|w| *w > 0) {
        let weights = take(units * below.len());
        let biases = take(units);
        let rows = weights.chunks(below.len()).zip(biases);
        below = rows.map(|(w, b)| (b + dot(w, &below)).tanh()).collect();
    }
    let hidden = a.widths[0] > 0;
    let outer = take(if hidden { a.outputs * below.len() } else { 0 });
    let intercepts = take(a.outputs);
    let linear = take(if a.linear || !hidden { a.outputs * x.len() } else { 0 });
    (0..a.outputs)
        .map(|k| {
            let own = outer.chunks(below.len().max(1)).nth(k).map_or(0.0, |v| dot(v, &below));
            let direct = linear.chunks(x.len()).nth(k).map_or(0.0, |c| dot(c, x));
            own + intercepts[k] + direct
        })
        .collect()
}

pub(crate) fn shape(output: Output, inputs: usize, widths: [u32; 4], outputs: usize) -> Shape {
    Shape {
        architecture: Architecture { inputs, widths, outputs, linear: true },
        activation: Activation::Tanh,
        output,
        categories: 0,
        reference: false,
        exposure: false,
        linearised: false,
    }
}

pub(crate) const DRAWS: usize = 7;

/// Draw k: parameters of some size, exact in single precision, then the tail.
pub(crate) fn values(shape: &Shape, k: usize, tail: &[f64]) -> Vec<f64> {
    let network = shape.draw_len().unwrap() - tail.len();
    let own = (0..network).map(|i| (((k * 37 + i * 11) as f64).sin() * 0.75) as f32 as f64);
    own.chain(tail.iter().copied()).collect()
}

/// The mean and sd of column j; an exposure is as it comes.
pub(crate) fn unit(shape: &Shape, j: usize) -> (f64, f64) {
    if j < shape.architecture.inputs { (j as f64 - 0.5, 1.0 + j as f64 / 2.0) } else { (0.0, 1.0) }
}

pub(crate) fn image<T: Real>(shape: Shape, floor: f64, y: [f64; 2], tail: &[f64]) -> Vec<u8> {
    let columns = 0..shape.inputs();
    let (means, sds): (Vec<T>, Vec<T>) =
        columns.map(|j| unit(&shape, j)).map(|(m, s)| (T::lit(m), T::lit(s))).unzip();
    let units = Standardiser::new(&means, &sds, T::lit(y[0]), T::lit(y[1])).unwrap();
    let mut bytes = vec![0; image_size::<T>(shape, DRAWS).unwrap()];
    let mut store = Store::with_floor(&mut bytes, shape, &units, T::lit(floor)).unwrap();
    for k in 0..DRAWS {
        let draw: Vec<T> = values(&shape, k, tail).into_iter().map(T::lit).collect();
        store.push(&draw).unwrap();
    }
    store.seal().unwrap().to_vec()
}

pub(crate) fn rows(shape: &Shape, n: usize) -> Vec<f64> {
    let d = shape.inputs();
    (0..n * d)
        .map(|i| {
            let (mean, sd) = unit(shape, i % d);
            let z = (i as f64 * 0.77).sin() * 1.5;
            // Exposures are positive.
            let exposed = i % d >= shape.architecture.inputs;
            (if exposed { 1.0 + z.abs() } else { mean + sd * z }) as f32 as f64
        })
        .collect()
}

/// Outputs of every draw at a raw row, plainly.
pub(crate) fn outputs(shape: &Shape, row: &[f64], tail: &[f64]) -> Vec<Vec<f64>> {
    let x: Vec<f64> = (0..shape.architecture.inputs)
        .map(|j| (row[j] - unit(shape, j).0) / unit(shape, j).1)
        .collect();
    (0..DRAWS).map(|k| plain(&shape.architecture, &values(shape, k, tail), &x)).collect()
}

/// Calls `check` with every row's law, its number, and its raw inputs; alone it is the same law as among others.
pub(crate) fn each_law<T: NetworkCompiled>(
    bytes: &[u8],
    n: usize,
    mut check: impl FnMut(&[f64], Law<'_, T>),
) {
    let image = Image::open(bytes).unwrap();
    let shape = image.shape();
    let mut buffer = vec![T::ZERO; NetworkPredictor::<T>::buffer_len(&image)];
    let predictor = NetworkPredictor::<T>::new(Isa::detect(), image, &mut buffer).unwrap();
    let raw = rows(&shape, n);
    let x: Vec<T> = raw.iter().map(|v| T::lit(*v)).collect();
    let d = shape.inputs();
    let inputs = Inputs::row_major(&x, n, d).unwrap();
    let mut scratch = vec![T::ZERO; predictor.rows_scratch()];
    let mut one = vec![T::ZERO; predictor.row_scratch()];
    let mut seen = 0;
    predictor
        .for_each_row(&inputs, &mut scratch, |i, law| {
            assert_eq!(i, seen);
            seen += 1;
            let alone = predictor.law(&x[i * d..(i + 1) * d], &mut one).unwrap();
            assert_eq!(alone.log_score(T::ONE), law.log_score(T::ONE));
            check(&raw[i * d..(i + 1) * d], law);
        })
        .unwrap();
    assert_eq!(seen, n);
    // Buffers that are too short.
    let short = one.len() - 1;
    let error = predictor.law(&x[..d], &mut one[..short]).err();
    assert_eq!(error, Some(PredictError::TooShort));
    let short = scratch.len() - 1;
    let error = predictor.for_each_row(&inputs, &mut scratch[..short], |_, _| ()).err();
    assert_eq!(error, Some(PredictError::TooShort));
    assert_eq!(predictor.law(&x[..d - 1], &mut one).err(), Some(PredictError::Inputs));
    let error = predictor.law(&vec![T::NAN; d], &mut one).err();
    assert_eq!(error, Some(PredictError::NotFinite));
}

pub(crate) fn near<T: Real>(a: T, b: f64, what: &str) {
    let most = if T::BITS == 32 { 2e-5 } else { 2e-13 };
    let far = (a.to_f64() - b).abs() / b.abs().max(1.0);
    assert!(far < most, "{what}: {a:?} {b:e} {far:e}");
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let sum: f64 = logits.iter().map(|o| o.exp()).sum();
    logits.iter().map(|o| o.exp() / sum).collect()
}

fn class_shapes() -> Vec<Shape> {
    let softmax = shape(Output::Softmax, 2, [5, 3, 0, 0], 3);
    vec![
        shape(Output::Bernoulli, 3, [9, 0, 0, 0], 1),
        shape(Output::Bernoulli, 2, [0; 4], 1),
        Shape { categories: 3, ..softmax },
        Shape { categories: 4, reference: true, ..softmax },
        Shape { categories: 3, ..shape(Output::Softmax, 2, [17, 2, 9, 3], 3) },
    ]
}

fn probabilities(shape: &Shape, o: &[f64]) -> Vec<f64> {
    if shape.output == Output::Bernoulli {
        let p = 1.0 / (1.0 + (-o[0]).exp());
        return vec![1.0 - p, p];
    }
    let fixed = shape.reference.then_some(0.0);
    softmax(&fixed.into_iter().chain(o.iter().copied()).collect::<Vec<_>>())
}

fn entropy(p: &[f64]) -> f64 {
    p.iter().map(|p| -p * p.ln()).sum()
}

fn classes<T: NetworkCompiled>() {
    for shape in class_shapes() {
        let bytes = image::<T>(shape, 0.0, [0.0, 1.0], &[]);
        each_law::<T>(&bytes, 19, |row, law| {
            let Law::Classes(law) = law else { panic!("another law") };
            let own: Vec<Vec<f64>> =
                outputs(&shape, row, &[]).iter().map(|o| probabilities(&shape, o)).collect();
            let of = |c: usize| own.iter().map(|p| p[c]).sum::<f64>() / DRAWS as f64;
            let mean: Vec<f64> = (0..shape.classes()).map(of).collect();
            assert_eq!(law.classes(), mean.len());
            let expected = own.iter().map(|p| entropy(p)).sum::<f64>() / DRAWS as f64;
            near(law.entropy(), entropy(&mean), "entropy");
            near(law.expected_entropy(), expected, "expected entropy");
            near(law.mutual_information(), entropy(&mean) - expected, "information");
            assert!(law.mutual_information() >= T::ZERO);
            let mut below = 0.0;
            for (c, p) in mean.iter().enumerate() {
                near(law.probabilities()[c], *p, "probability");
                near(law.log_score(c), p.ln(), "log score");
                for (k, own) in own.iter().enumerate() {
                    near(law.log_probabilities(k)[c], own[c].ln(), "log probability");
                }
                let brier: f64 =
                    mean.iter().enumerate().map(|(k, p)| (p - (k == c) as u8 as f64).powi(2)).sum();
                near(law.brier(c), brier, "brier");
                let mut sum = 0.0;
                let ranked: f64 = (0..mean.len() - 1)
                    .map(|k| {
                        sum += mean[k];
                        (sum - (c <= k) as u8 as f64).powi(2)
                    })
                    .sum();
                near(law.ranked(c), ranked, "ranked");
                near(law.pit(c, T::lit(0.25)), below + 0.25 * p, "pit");
                below += p;
            }
            let (top, p) = law.top();
            let best = mean.iter().cloned().fold(0.0, f64::max);
            near(p, best, "top");
            assert!(mean[top] > best - 1e-5);
            for level in [0.1, 0.5, 0.75, 0.9, 0.99, 1.0] {
                let mut set = vec![99; mean.len()];
                let size = law.set(T::lit(level), &mut set);
                let sum: f64 = set[..size].iter().map(|c| mean[*c as usize]).sum();
                let less: f64 = set[..size - 1].iter().map(|c| mean[*c as usize]).sum();
                assert!(sum >= level - 1e-5 && less < level, "{level} {set:?} {mean:?}");
                let falls = set[..size].windows(2).all(|w| {
                    law.probabilities()[w[0] as usize] >= law.probabilities()[w[1] as usize]
                });
                assert!(falls);
            }
        });
    }
}

#[test]
fn classes_against_plain_networks() {
    classes::<f64>();
    classes::<f32>();
}

/// Two draws, 1/2 + e and 1/2 - e: I = (1/2) sum of (1 -+ 2e) ln(1 -+ 2e) = 2 e^2 + (4/3) e^4 + ...
#[test]
fn tiny_information_keeps_its_digits() {
    for e in [0.25_f64, 1e-2, 1e-4, 1e-6, 1e-8] {
        let log = [(0.5 + e).ln(), (0.5 - e).ln(), (0.5 - e).ln(), (0.5 + e).ln()];
        let mut means = [0.0; 4];
        let law = Classes::<f64>::new(&log, &mut means, 1.0).unwrap();
        let far = 2.0 * e;
        let exact = if far > 0.1 {
            ((1.0 + far) * (1.0 + far).ln() + (1.0 - far) * (1.0 - far).ln()) / 2.0
        } else {
            // (sum of far^(2n) / (2n (2n - 1))) by its first terms.
            (1..6).map(|n| far.powi(2 * n) / f64::from(2 * n * (2 * n - 1))).sum()
        };
        // The digits of the probabilities are those of e over epsilon.
        let digits = 4.0 * f64::EPSILON / e + 1e-12;
        let information = law.mutual_information();
        assert!((information / exact - 1.0).abs() < 4.0 * digits, "{e} {information:e} {exact:e}");
        let sum = law.expected_entropy() + information;
        assert!((law.entropy() - sum).abs() < 1e-15);
    }
    // Draws that agree share nothing; probabilities beyond the precision keep their logarithm.
    let log = [-1e-30_f32, -200.0, -1e-30, -210.0];
    let mut means = [0.0; 4];
    let law = Classes::new(&log, &mut means, 1.0).unwrap();
    assert_eq!(law.mutual_information(), 0.0);
    let exact = -200.0 + (0.5 * (1.0 + (-10f32).exp())).ln();
    assert!((law.log_score(1) - exact).abs() < 1e-4);
    assert!(Classes::<f64>::new(&[], &mut [0.0; 2], 1.0).is_none());
    assert!(Classes::<f64>::new(&[0.0], &mut [], 1.0).is_none());
}

#[test]
fn auroc_and_calibration_by_hand() {
    assert_eq!(auroc(&[1.0, 2.0], &[2.0, 3.0]), 0.875);
    assert_eq!(auroc::<f64>(&[1.0; 5], &[1.0; 3]), 0.5);
    assert_eq!(auroc(&[0.0_f32, 1.0], &[-1.0, -2.0]), 0.0);
    assert_eq!(auroc(&[0.0, f64::NAN], &[1.0]), 0.5);
    assert!(auroc::<f64>(&[], &[1.0]).is_nan());
    let mut c = Calibration::<f64>::default();
    assert!(c.error().is_nan());
    // A bin has its upper end: 0.6 = 9/15 shares one with .55, .61 does not.
    for (p, right) in [(0.55, true), (0.6, false), (0.61, true), (1.0, true)] {
        c.add(p, right);
    }
    let exact = ((0.55f64 + 0.6 - 1.0).abs() + 0.39) / 4.0;
    assert!((c.error() - exact).abs() < 1e-15, "{}", c.error());
}

/// One hidden layer and Student-t noise: the bits of the smaller predictor.
#[test]
fn one_hidden_layer_has_the_bits_of_its_own_predictor() {
    fn bits<T: NetworkCompiled + lcc_core::predict::Compiled>() {
        let shape = Shape::one_layer(3, 11, Activation::Tanh);
        let bytes = image::<T>(shape, 0.0, [10.0, 3.0], &[0.25, 4.5]);
        let image = Image::open(&bytes).unwrap();
        let mut buffer = vec![T::ZERO; Predictor::<T>::buffer_len(&image)];
        let own = Predictor::<T>::new(Isa::detect(), image, &mut buffer).unwrap();
        let mut scratch = vec![T::ZERO; own.row_scratch()];
        each_law::<T>(&bytes, 19, |row, law| {
            let Law::Real(law) = law else { panic!("another law") };
            let row: Vec<T> = row.iter().map(|v| T::lit(*v)).collect();
            let alone = own.mixture(&row, &mut scratch).unwrap();
            assert_eq!(law.locations(), alone.locations());
            let y = T::lit(9.0);
            assert_eq!((law.sd(), law.log_density(y)), (alone.sd(), alone.log_density(y)));
            assert_eq!(law.central_interval(T::HALF), alone.central_interval(T::HALF));
        });
        // Its scores are those of any network's.
        let mut buffer = vec![T::ZERO; NetworkPredictor::<T>::buffer_len(&image)];
        let any = NetworkPredictor::<T>::new(Isa::detect(), image, &mut buffer).unwrap();
        let n = 13;
        let x: Vec<T> = rows(&shape, n).into_iter().map(T::lit).collect();
        let inputs = Inputs::row_major(&x, n, 3).unwrap();
        let mut big = vec![T::ZERO; any.rows_scratch()];
        let [mut a, mut b] = [vec![T::ZERO; 2 * n], vec![T::ZERO; 2 * n]];
        let stream = || Stream::new(3, 0, Purpose::Predictive);
        any.draws(&inputs, &mut stream(), &mut a, &mut big).unwrap();
        own.draws(&inputs, &mut stream(), &mut b, &mut big).unwrap();
        assert_eq!(a, b);
        let data = Dataset::new(inputs, &a[..n]).unwrap();
        let scores = any.evaluate(&data, T::lit(0.8), true, &mut big).unwrap();
        let expected: Evaluation<T> = own.evaluate(&data, T::lit(0.8), true, &mut big).unwrap();
        assert_eq!(scores, Scores::Numbers(expected));
        let classes = any.evaluate_classes(&data, T::lit(0.8), &mut big);
        assert_eq!(classes, Err(PredictError::Network));
        let [mut a, mut b] = [vec![T::ZERO; DRAWS * n], vec![T::ZERO; DRAWS * n]];
        any.log_likelihoods(&data, &mut a, &mut big).unwrap();
        own.log_likelihoods(&data, &mut b, &mut big).unwrap();
        for (a, b) in a.iter().zip(&b) {
            near(*a, b.to_f64(), "log likelihood");
        }
    }
    bits::<f64>();
    bits::<f32>();
}

/// A variance that no row spoke of may be anything under the prior: it is none beyond the precision, and the row is told.
#[test]
fn no_noise_is_wider_than_a_thousand_sds() {
    fn real<T: NetworkCompiled>() {
        let shape = shape(Output::MeanVariance, 2, [0; 4], 2);
        let (means, sds) = ([T::ZERO; 2], [T::ONE; 2]);
        let units = Standardiser::new(&means, &sds, T::ZERO, T::lit(3.0)).unwrap();
        for (log, sd) in [(2.0, 3.0 * 1.0_f64.exp()), (14.0, 3000.0), (200.0, 3000.0)] {
            let mut bytes = vec![0; image_size::<T>(shape, 1).unwrap()];
            let mut store = Store::with_floor(&mut bytes, shape, &units, T::ZERO).unwrap();
            store.push(&[0.0, log, 0.0, 0.0, 0.0, 0.0].map(T::lit)).unwrap();
            let image = Image::open(store.seal().unwrap()).unwrap();
            let mut buffer = vec![T::ZERO; NetworkPredictor::<T>::buffer_len(&image)];
            let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
            let mut scratch = vec![T::ZERO; predictor.row_scratch()];
            let law = predictor.law(&[T::ONE; 2], &mut scratch).unwrap();
            near(law.prediction(T::HALF).sd, sd, "sd");
        }
    }
    real::<f64>();
    real::<f32>();
}

/// Components that differ in mean, variance and weight at every row, and the split of the variance.
#[test]
fn variances_of_rows_and_mixtures_against_plain_networks() {
    fn real<T: NetworkCompiled>() {
        let (mean_y, sd_y, floor) = (10.0, 3.0, 0.125);
        let mixture = Shape { categories: 3, ..shape(Output::Mixture, 2, [4, 3, 0, 0], 9) };
        for shape in [shape(Output::MeanVariance, 2, [6, 3, 0, 0], 2), mixture] {
            let bytes = image::<T>(shape, floor, [mean_y, sd_y], &[]);
            each_law::<T>(&bytes, 11, |row, law| {
                let Law::Real(law) = law else { panic!("another law") };
                let k = (shape.categories as usize).max(1);
                // (weight, mean, variance) of each draw's components, in raw units.
                let parts: Vec<Vec<[f64; 3]>> = outputs(&shape, row, &[])
                    .iter()
                    .map(|o| {
                        let (w, o) =
                            if k > 1 { (softmax(&o[..k]), &o[k..]) } else { (vec![1.0], &o[..]) };
                        let of = |c: usize| {
                            let variance = sd_y * sd_y * (o[k + c].exp() + floor * floor);
                            [w[c], mean_y + sd_y * o[c], variance]
                        };
                        (0..k).map(of).collect()
                    })
                    .collect();
                let n = DRAWS as f64;
                let draw_mean = |p: &Vec<[f64; 3]>| p.iter().map(|[w, m, _]| w * m).sum::<f64>();
                let mean = parts.iter().map(draw_mean).sum::<f64>() / n;
                let within = |p: &Vec<[f64; 3]>| {
                    let m = draw_mean(p);
                    p.iter().map(|[w, c, v]| w * (v + (c - m) * (c - m))).sum::<f64>()
                };
                let aleatoric = parts.iter().map(within).sum::<f64>() / n;
                let epistemic =
                    parts.iter().map(|p| (draw_mean(p) - mean).powi(2)).sum::<f64>() / n;
                near(law.mean(), mean, "mean");
                near(law.aleatoric(), aleatoric, "aleatoric");
                near(law.epistemic(), epistemic, "epistemic");
                near(law.sd(), (aleatoric + epistemic).sqrt(), "sd");
                let y = 11.0;
                let density = |p: &Vec<[f64; 3]>| {
                    let normal = |[w, m, v]: &[f64; 3]| {
                        w * (-(y - m) * (y - m) / (2.0 * v)).exp()
                            / (core::f64::consts::TAU * v).sqrt()
                    };
                    p.iter().map(normal).sum::<f64>()
                };
                let whole = parts.iter().map(density).sum::<f64>() / n;
                near(law.log_density(T::lit(y)), whole.ln(), "log density");
                let mut logs = vec![T::ZERO; DRAWS];
                Law::Real(law).log_scores(T::lit(y), &mut logs);
                for (log, p) in logs.iter().zip(&parts) {
                    near(*log, density(p).ln(), "log density of a draw");
                }
            });
        }
    }
    real::<f64>();
    real::<f32>();
}

#[test]
fn evaluation_of_classes_sums_what_rows_say() {
    let shape = class_shapes()[3];
    let bytes = image::<f64>(shape, 0.0, [0.0, 1.0], &[]);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let n = 200;
    let x = rows(&shape, n);
    let inputs = Inputs::row_major(&x, n, 2).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let mut y = vec![0.0; n];
    let mut stream = Stream::new(9, 0, Purpose::Predictive);
    predictor.draws(&inputs, &mut stream, &mut y, &mut scratch).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    let Scores::Classes(e) = predictor.evaluate(&data, 0.8, false, &mut scratch).unwrap() else {
        panic!("scores of numbers")
    };
    let mut sums = [0.0; 8];
    let mut bins = [[0.0; 3]; 15];
    let mut logs = vec![0.0; n * DRAWS];
    predictor.log_likelihoods(&data, &mut logs, &mut scratch).unwrap();
    each_law::<f64>(&bytes, n, |row, law| {
        let i = (0..n).find(|i| x[2 * i..2 * i + 2] == *row).unwrap();
        let mut own = [0.0; DRAWS];
        law.log_scores(y[i], &mut own);
        assert_eq!(own[..], logs[i * DRAWS..(i + 1) * DRAWS]);
        assert_eq!(law.log_score(0.5), -f64::INFINITY);
        let Law::Classes(law) = law else { panic!("another law") };
        let c = y[i] as usize;
        let (top, p) = law.top();
        let mut set = [0; 4];
        let size = law.set(0.8, &mut set);
        let scores = [
            (top == c) as u8 as f64,
            law.log_score(c),
            law.brier(c),
            law.ranked(c),
            set[..size].contains(&(c as u32)) as u8 as f64,
            size as f64,
            law.entropy(),
            law.mutual_information(),
        ];
        sums.iter_mut().zip(scores).for_each(|(s, x)| *s += x / n as f64);
        let bin = &mut bins[((p * 15.0).ceil() as usize - 1).min(14)];
        bin[0] += p;
        bin[1] += (top == c) as u8 as f64;
    });
    let error = bins.iter().map(|[p, right, _]| (p - right).abs()).sum::<f64>() / n as f64;
    let [accuracy, log, brier, ranked, coverage, size, entropy, information] = sums;
    for (a, b) in [
        (e.accuracy, accuracy),
        (e.log_likelihood, log),
        (e.brier, brier),
        (e.ranked, ranked),
        (e.calibration, error),
        (e.coverage, coverage),
        (e.set_size, size),
        (e.entropy, entropy),
        (e.mutual_information, information),
    ] {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    // Classes drawn from the law have its log score on average, and its sets their level.
    let z = (log + entropy) / (entropy / (n as f64).sqrt());
    assert!(z.abs() < 4.0, "{z}");
    assert!(coverage > 0.8 - 4.0 * (0.16 / n as f64).sqrt());
    for bad in [-1.0, 0.5, 4.0] {
        let mut y = y.clone();
        y[3] = bad;
        let data = Dataset::new(data.inputs, &y).unwrap();
        let error = predictor.evaluate(&data, 0.8, false, &mut scratch).err();
        assert_eq!(error, Some(PredictError::Target));
    }
    assert_eq!(
        predictor.evaluate(&data, 1.0, false, &mut scratch).err(),
        Some(PredictError::Level)
    );
}

/// At a temperature t the probabilities are the mean's to the power 1/t; what is said of the draws stays.
#[test]
fn a_temperature_is_a_power_of_the_mean() {
    let draws = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]];
    let log: Vec<f64> = draws.iter().flatten().map(|p: &f64| p.ln()).collect();
    let mean: Vec<f64> = (0..3).map(|c| (draws[0][c] + draws[1][c]) / 2.0).collect();
    let (mut own, mut plain) = ([0.0; 6], [0.0; 6]);
    let plain = Classes::new(&log, &mut plain, 1.0).unwrap();
    for t in [0.25, 0.6, 1.0, 3.0] {
        let law = Classes::new(&log, &mut own, t).unwrap();
        let powers: Vec<f64> = mean.iter().map(|p| p.powf(1.0 / t)).collect();
        let exact: Vec<f64> = powers.iter().map(|p| p / powers.iter().sum::<f64>()).collect();
        for (c, exact) in exact.iter().enumerate() {
            assert!((law.probabilities()[c] - exact).abs() < 1e-15, "{t} {c}");
            assert!((law.log_score(c) - exact.ln()).abs() < 2e-15, "{t} {c}");
        }
        let entropy = -exact.iter().map(|p| p * p.ln()).sum::<f64>();
        assert!((law.entropy() - entropy).abs() < 1e-15);
        let of_draws = |law: &Classes<'_, f64>| [law.mutual_information(), law.expected_entropy()];
        let (here, there) = (of_draws(&law), of_draws(&plain));
        assert!(here.iter().zip(there).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}

/// An image at a temperature is the image but for its one value, predicts so, and goes back.
#[test]
fn images_of_classes_take_a_temperature() {
    fn of<T: NetworkCompiled>() {
        let mut softmax = shape(Output::Softmax, 2, [3, 0, 0, 0], 3);
        softmax.categories = 3;
        let bytes = image::<T>(softmax, 0.0, [0.0, 1.0], &[]);
        let (mut cold, mut back) = (vec![7; bytes.len() + 5], vec![7; bytes.len()]);
        let own = Image::open(&bytes).unwrap();
        assert_eq!(own.temperature::<f64>(), 1.0);
        assert_eq!(own.temper(0.5, &mut cold), Ok(bytes.len()));
        let tempered = Image::open(&cold).unwrap();
        assert_eq!((tempered.temperature::<f64>(), tempered.shape()), (0.5, own.shape()));
        let mut all = Vec::new();
        each_law::<T>(&bytes, 5, |_, law| {
            let Law::Classes(law) = law else { panic!("another law") };
            all.push(law.probabilities().iter().map(|p| (*p).to_f64()).collect::<Vec<_>>());
        });
        let mut rows = all.iter();
        each_law::<T>(&cold, 5, |_, law| {
            let Law::Classes(law) = law else { panic!("another law") };
            let plain = rows.next().unwrap();
            let sum: f64 = plain.iter().map(|p| p * p).sum();
            for (p, q) in law.probabilities().iter().zip(plain) {
                assert!(((*p).to_f64() - q * q / sum).abs() < 20.0 * T::EPSILON.to_f64());
            }
        });
        assert_eq!(tempered.temper(1.0, &mut back), Ok(bytes.len()));
        assert_eq!(back, bytes);
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
            let refused = own.temper(wrong, &mut back);
            assert!(refused == Err(StoreError::Units) || (wrong == 1e-320 && T::BYTES == 8));
        }
        assert_eq!(own.temper(0.5, &mut back[1..]), Err(StoreError::TooSmall));
        let real =
            image::<T>(Shape::one_layer(1, 1, Activation::Tanh), 0.0, [1.0, 2.0], &[0.5, 5.0]);
        let refused = Image::open(&real).unwrap().temper(0.5, &mut cold);
        assert_eq!(refused, Err(StoreError::Units));
    }
    of::<f64>();
    of::<f32>();
}

/// The best temperature, by its definition on a fine grid; and of 4000 rows that were drawn at one.
#[test]
fn the_temperature_of_held_out_rows() {
    fn found<T: NetworkCompiled>(rows: usize, truth: f64) -> (f64, f64) {
        let mut stream = Stream::new(5, 0, Purpose::Predictive);
        let (mut told, mut targets) = (Vec::<T>::new(), Vec::<T>::new());
        for _ in 0..rows {
            let logits: Vec<f64> = (0..3).map(|_| 1.5 * stream.normal::<f64>()).collect();
            let soft = |t: f64| {
                let e: Vec<f64> = logits.iter().map(|l| (l / t).exp()).collect();
                let sum: f64 = e.iter().sum();
                e.into_iter().map(|p| p / sum).collect::<Vec<_>>()
            };
            let (p, u) = (soft(truth), stream.uniform::<f64>());
            let y = (u > p[0]) as usize + (u > p[0] + p[1]) as usize;
            told.extend(soft(1.0).into_iter().map(T::lit));
            targets.push(T::of_usize(y));
        }
        let score = |u: f64| {
            let power = (-u).exp();
            let each = told.chunks(3).zip(&targets).map(|(p, y)| {
                let powers = [0, 1, 2].map(|c: usize| p[c].to_f64().powf(power));
                (powers[(*y).to_usize()] / powers.iter().sum::<f64>()).ln()
            });
            each.sum::<f64>() - u * u / (2.0 * 0.5 * 0.5)
        };
        let grid = (-300..=300).map(|k| f64::from(k) / 100.0);
        let best = grid.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap();
        let found = temperature(&told, &targets, 3).unwrap().to_f64();
        assert!((found.ln() - best).abs() < 0.011, "{found} {best}");
        let of_all = BnnOptions::temperature(&told, &targets, 3).unwrap().to_f64();
        assert!((of_all.ln() - found.ln().min(0.5 * found.ln())).abs() < 1e-6, "{found} {of_all}");
        let h = 0.01;
        let curvature =
            (2.0 * score(found.ln()) - score(found.ln() - h) - score(found.ln() + h)) / (h * h);
        (found, curvature.recip().sqrt())
    }
    for truth in [0.4, 1.0, 1.8] {
        let (t, error) = found::<f64>(4000, truth);
        assert!((t / truth).ln().abs() < 3.5 * error, "{truth}: {t} +- {error}");
        found::<f32>(200, truth);
    }
    found::<f64>(1, 1.0);
    let wrong = |p: [f64; 4], y: [f64; 2]| temperature(&p, &y, 2).unwrap_err();
    assert_eq!(wrong([0.5; 4], [0.0, 2.0]), PredictError::Target);
    assert_eq!(wrong([0.5; 4], [0.0, 0.5]), PredictError::Target);
    assert_eq!(wrong([0.5, 0.5, 1.5, 0.0], [0.0, 1.0]), PredictError::Probability);
    assert_eq!(wrong([0.5, 0.5, f64::NAN, 0.0], [0.0, 1.0]), PredictError::Probability);
    assert_eq!(temperature::<f64>(&[0.5; 4], &[0.0], 2), Err(PredictError::TooShort));
    assert_eq!(temperature::<f64>(&[], &[], 2), Err(PredictError::TooShort));
}
