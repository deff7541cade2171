//! Predictions: Student-t laws and their mixtures against values to 17 digits, the networks of an
//! image against a plain evaluation, scores and draws against each other.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
use lcc_core::predict::{
    Compiled, Mixture, NetworkPredictor, PredictError, Prediction, Predictor, log_normalisers,
    student_t,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{Isa, Portable, Simd, Vector};
use lcc_tests::{number, numbers};
use serde_json::Value;

fn reference() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/predict.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// |a - b| in units of the precision's epsilon.
fn epsilons<T: Real>(a: T, b: f64) -> f64 {
    if a.to_f64() == b { 0.0 } else { (a.to_f64() - b).abs() / T::EPSILON.to_f64() }
}

/// Largest errors of the t laws: log density (in epsilons of max(1, its size)), probability
/// (epsilons), tail (relative).
fn laws<T: Real>() -> [f64; 3] {
    let mut worst = [0.0f64; 3];
    for row in reference()["laws"].as_array().unwrap() {
        let (nu, z) = (number(&row[0]), number(&row[1]));
        let (log_density, upper) = (number(&row[2]), number(&row[3]));
        let s = Portable;
        for sign in [1.0, -1.0] {
            // Both as this precision has them: the reference is shifted to first order.
            let (nu_t, z_t) = (T::lit(nu), T::lit(sign * z));
            let shift = z_t.to_f64().abs() - z;
            let slope = if nu.is_infinite() { -z } else { -(nu + 1.0) * z / (nu + z * z) };
            let log_density = log_density + slope * shift;
            let upper = upper - log_density.exp() * shift;
            if (nu_t.to_f64() - nu).abs() > 1e-12 {
                continue;
            }
            let (nu_v, z_v) = (s.load(&[nu_t]), s.load(&[z_t]));
            let norm = student_t::log_normaliser(s, nu_v);
            let [log] = student_t::log_density(s, z_v, nu_v, norm).array();
            let at = [z_v, nu_v, norm].map(|x| x.array());
            let [[[f], [below], [above]], _] = student_t::density_and_tails(s, [at; 2]);
            let (small, large) = if sign > 0.0 { (above, below) } else { (below, above) };
            let error = epsilons(log, log_density) / log_density.abs().max(1.0);
            assert!(error < 16.0, "ln f: nu {nu} z {z}: {log:?} {log_density} {error}");
            worst[0] = worst[0].max(error);
            assert!(epsilons(f, log_density.exp()) < 16.0, "f: nu {nu} z {z}: {f:?}");
            let error = epsilons(small, upper).max(epsilons(large, 1.0 - upper));
            assert!(error < 16.0, "tails: nu {nu} z {z}: {small:?} {upper} {error}");
            worst[1] = worst[1].max(error);
            if upper > 1e-30 {
                let error = (small.to_f64() / upper - 1.0).abs();
                assert!(
                    error < if T::BITS == 32 { 2e-5 } else { 1e-12 },
                    "tail: nu {nu} z {z}: {small:?} {upper:e} {error:e}"
                );
                worst[2] = worst[2].max(error);
            }
        }
    }
    worst
}

/// nu, and ln (Gamma((nu + 1)/2) / (Gamma(nu/2) sqrt(pi nu))) to 40 digits (mpmath).
const NORMALISERS: &[(f64, f64)] = &[
    (0.015625, -2.783319880565859),
    (0.125, -1.8136203325087403),
    (0.5, -1.3105329259115095),
    (1.0, -1.1447298858494002),
    (1.5, -1.0766502848318908),
    (3.0, -1.0008888496235098),
    (8.0, -0.9501086121502308),
    (20.0, -0.9314333403794015),
    (31.5, -0.9268737096657562),
    (32.0, -0.9267497631246404),
    (64.0, -0.922844624305485),
    (500.0, -0.919438532871341),
    (65536.0, -0.9189423479019382),
];

#[test]
fn normalisers_of_student_t_are_exact_to_three_epsilons() {
    fn check<T: Real>() {
        for &(nu, exact) in NORMALISERS {
            let [own] = student_t::log_normaliser(Portable, Portable.load(&[T::lit(nu)])).array();
            let error = epsilons(own, exact);
            println!("{nu} f{}: {error:.2}", T::BITS);
            assert!(error <= 3.0, "{nu}: {own:?} {exact}");
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn student_t_in_both_precisions() {
    println!("f32 {:?}", laws::<f32>());
    println!("f64 {:?}", laws::<f64>());
}

struct Parts<T> {
    location: Vec<T>,
    scale: Vec<T>,
    nu: Vec<T>,
    norm: Vec<T>,
}

impl<T: Compiled> Parts<T> {
    fn new(parts: impl Iterator<Item = [f64; 3]>) -> Self {
        let parts: Vec<_> = parts.collect();
        let column = |j: usize| parts.iter().map(|p| T::lit(p[j])).collect::<Vec<T>>();
        let nu = column(2);
        let mut norm = vec![T::ZERO; nu.len()];
        log_normalisers(&nu, &mut norm);
        Self { location: column(0), scale: column(1), nu, norm }
    }
    fn mixture(&self, isa: Isa) -> Mixture<'_, T> {
        Mixture::new(isa, &self.location, &self.scale, &self.nu, &self.norm).unwrap()
    }
}

fn mixtures<T: Compiled>() {
    let single = T::BITS == 32;
    let eps = T::EPSILON.to_f64();
    for (name, m) in reference()["mixtures"].as_object().unwrap() {
        let triples = m["parts"].as_array().unwrap().iter().map(numbers);
        let parts = Parts::<T>::new(triples.map(|p| [p[0], p[1], p[2]]));
        let mixture = parts.mixture(Isa::detect());
        let sd = number(&m["sd"]);
        let far = (mixture.mean().to_f64() - number(&m["mean"])).abs();
        assert!(far < 2.0 * eps * sd, "{name}: mean {far:e}");
        assert!(epsilons(mixture.sd(), sd) < 4.0 * sd, "{name}: sd");
        for row in m["points"].as_array().unwrap() {
            let row = numbers(row);
            let (x, lower, upper) = (T::lit(row[0]), row[2], row[3]);
            // The rounding of x itself, by the density.
            let f = row[1].exp();
            let input = f * (x.to_f64() - row[0]).abs() + f * sd * eps * 8.0;
            let t = mixture.tails(x);
            for (a, b) in [(t.lower, lower), (t.upper, upper)] {
                let far = (a.to_f64() - b).abs();
                assert!(far < 16.0 * eps + input, "{name} at {}: {far:e}", row[0]);
            }
            assert_eq!(mixture.cdf(x), t.lower);
            let far = (mixture.log_density(x).to_f64() - row[1]).abs();
            assert!(far < 40.0 * eps * row[1].abs().max(1.0), "{name} at {}: {far:e}", row[0]);
        }
        for (side, is_upper) in [("lower", false), ("upper", true)] {
            for (p, x) in numbers(&m["tails"]).into_iter().zip(numbers(&m[side])) {
                let q = mixture.tail_quantile(T::lit(p), is_upper);
                // What an error of the tail of 8 epsilon (relative and absolute) moves it by.
                let t = mixture.tails(T::lit(x));
                let slack = if p < 1e-5 {
                    2e-5 / T::lit(1e-7).to_f64() * if single { 1e-7 } else { 1e-15 }
                } else {
                    16.0 * eps
                };
                let allowed = slack * (p + 1.0 * (p >= 1e-5) as u8 as f64) / t.density.to_f64()
                    + 16.0 * eps * (x.abs() + sd);
                let far = (q.to_f64() - x).abs();
                assert!(far < allowed, "{name} {side} {p}: {q:?} {x} {far:e} {allowed:e}");
                // Both tails of one quantile function.
                if p == 0.3 && !is_upper {
                    assert_eq!(mixture.quantile(T::lit(p)), q);
                }
            }
        }
        let crps = if single { 2e-5 } else { 2e-7 };
        for row in m["crps"].as_array().unwrap() {
            let row = numbers(row);
            let score = mixture.crps(T::lit(row[0])).to_f64();
            let far = (score - row[1]).abs() / row[1];
            println!("{name} crps {far:e}");
            assert!(far < crps, "{name} at {}: {score} {} {far:e}", row[0], row[1]);
        }
    }
}

#[test]
fn mixtures_of_singles() {
    mixtures::<f32>();
}

#[test]
fn mixtures_of_doubles() {
    mixtures::<f64>();
}

/// A hundred components as a posterior has them.
fn hundred<T: Compiled>() -> Parts<T> {
    let nus = [3.0, 4.5, 7.0, 12.0, 30.0, 200.0, f64::INFINITY];
    Parts::new((0..100).map(|k| {
        let t = k as f64;
        [(t * 0.7).sin() * 0.8, 0.6 + 0.3 * (t * 1.3).cos(), nus[k % 7]]
    }))
}

fn quantiles<T: Compiled>() {
    let parts = hundred::<T>();
    let m = parts.mixture(Isa::detect());
    let mut last = -T::INFINITY;
    for i in 1..400 {
        let p = T::of_u32(i) / T::lit(400.0);
        let q = m.quantile(p);
        assert!(q > last, "{q:?} after {last:?}");
        last = q;
        assert!(epsilons(m.cdf(q), p.to_f64()) < 16.0);
    }
    let eps = T::EPSILON;
    assert_eq!(m.quantile(T::ZERO), -T::INFINITY);
    assert_eq!(m.quantile(T::ONE), T::INFINITY);
    for bad in [-eps, T::ONE + eps, T::NAN] {
        assert!(!m.quantile(bad).is_finite() && m.quantile(bad) != m.quantile(bad));
    }
    // Far out, where the tail falls as a power.
    for p in [1e-4, 1e-12, 1e-25].map(T::lit) {
        for upper in [false, true] {
            let q = m.tail_quantile(p, upper);
            let t = m.tails(q);
            let tail = if upper { t.upper } else { t.lower };
            assert!((tail / p - T::ONE).abs() < T::lit(1e-3), "{p:?}: {q:?} {tail:?}");
        }
    }
    let (low, high) = m.central_interval(T::lit(0.9));
    assert!(epsilons(m.cdf(high) - m.cdf(low), 0.9) < 16.0);
    // Components far apart: the density vanishes in between.
    let gap = Parts::<T>::new([[-1e4, 1.0, f64::INFINITY], [1e4, 1.0, f64::INFINITY]].into_iter());
    let m = gap.mixture(Isa::Portable);
    for p in [0.1, 0.49, 0.51, 0.9] {
        assert!(epsilons(m.cdf(m.quantile(T::lit(p))), p) < 32.0 / 1e-4 * 0.01, "{p}");
    }
    let middle = m.quantile(T::HALF);
    assert!(middle.abs() < T::lit(9996.0), "{middle:?}");
}

#[test]
fn quantiles_invert_the_distribution_function() {
    quantiles::<f32>();
    quantiles::<f64>();
}

#[test]
fn heavy_tails_are_said_so() {
    let m = |nu: f64| Parts::<f64>::new([[1.0, 1.0, nu], [2.0, 1.0, 5.0]].into_iter());
    assert_eq!(m(2.0).mixture(Isa::Portable).sd(), f64::INFINITY);
    assert_eq!(m(2.0).mixture(Isa::Portable).mean(), 1.5);
    assert!(m(1.0).mixture(Isa::Portable).mean().is_nan());
    assert_eq!(m(1.0).mixture(Isa::Portable).crps(0.0), f64::INFINITY);
    assert!(m(1.5).mixture(Isa::Portable).crps(0.0).is_finite());
}

fn same_bits<T: Compiled>() {
    let parts = hundred::<T>();
    let [a, b] = [Isa::detect(), Isa::Portable].map(|isa| {
        let m = parts.mixture(isa);
        let t = m.tails(T::lit(0.3));
        let (low, high) = m.central_interval(T::lit(0.9));
        let values = [t.density, t.lower, t.upper, low, high, m.crps(T::lit(0.1))];
        values.into_iter().chain([m.log_density(T::lit(-1.7))]).map(T::to_f64).collect::<Vec<_>>()
    });
    assert_eq!(a, b);
}

#[test]
fn instruction_sets_agree_bit_by_bit() {
    same_bits::<f32>();
    same_bits::<f64>();
}

/// Draws follow their own law: PIT uniform in mean, variance and 20 bins, and the mean CRPS and log
/// score of draws are those of the law, all within 4 standard errors.
#[test]
fn draws_follow_the_mixture() {
    let parts = hundred::<f64>();
    let m = parts.mixture(Isa::detect());
    let mut stream = Stream::new(11, 0, Purpose::Predictive);
    let n = 40_000;
    let mut bins = [0.0; 20];
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut distance = Vec::new();
    for i in 0..n {
        let y = m.draw(&mut stream);
        let u = m.cdf(y);
        bins[((u * 20.0) as usize).min(19)] += 1.0;
        sum += u - 0.5;
        squares += (u - 0.5).powi(2) - 1.0 / 12.0;
        if i < 4000 {
            // E CRPS(Y) under its own law is E|Y - Y'|/2; two draws estimate it without bias.
            distance.push(m.crps(y) - 0.5 * (m.draw(&mut stream) - m.draw(&mut stream)).abs());
        }
    }
    let nf = n as f64;
    let z = sum / (nf / 12.0).sqrt();
    assert!(z.abs() < 4.0, "mean {z}");
    let z = squares / (nf / 180.0).sqrt();
    assert!(z.abs() < 4.0, "variance {z}");
    let chi: f64 = bins.iter().map(|b| (b - nf / 20.0).powi(2) / (nf / 20.0)).sum();
    let z = (chi - 19.0) / 38f64.sqrt();
    assert!(z.abs() < 4.0, "chi squared {chi}");
    let k = distance.len() as f64;
    let mean = distance.iter().sum::<f64>() / k;
    let var = distance.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / k;
    let z = mean / (var / k).sqrt();
    assert!(z.abs() < 4.0, "crps {z}");
}

const D: usize = 3;
const M: usize = 11;
const K: usize = 13;

/// Values of draw k in the image's order, in double precision.
fn draw(k: usize) -> Vec<f64> {
    let len = M * D + 2 * M + D + 3;
    let mut v: Vec<f64> =
        (0..len).map(|i| ((k * 37 + i * 11) as f64).sin() as f32 as f64).collect();
    v[len - 2] = 0.25 + k as f64 / 16.0;
    v[len - 1] = [3.0, 4.5, 7.0, 12.0, f64::INFINITY][k % 5];
    v
}

const MEANS: [f64; D] = [1.0, -2.0, 0.5];
const SDS: [f64; D] = [2.0, 4.0, 0.125];

fn image<T: Real>(activation: Activation) -> Vec<u8> {
    let shape = Shape::one_layer(D, M, activation);
    let (means, sds) = (MEANS.map(T::lit), SDS.map(T::lit));
    let standardiser = Standardiser::new(&means, &sds, T::lit(10.0), T::lit(3.0)).unwrap();
    let mut bytes = vec![0; image_size::<T>(shape, K).unwrap() + 1];
    let mut store = Store::new(&mut bytes[1..], shape, &standardiser).unwrap();
    for k in 0..K {
        let values: Vec<T> = draw(k).into_iter().map(T::lit).collect();
        store.push(&values).unwrap();
    }
    store.seal().unwrap().to_vec()
}

/// The network of draw k at a raw row, plainly.
fn plain(k: usize, row: &[f64], psi: impl Fn(f64) -> f64) -> f64 {
    let v = draw(k);
    let x: Vec<f64> = (0..D).map(|j| (row[j] - MEANS[j]) / SDS[j]).collect();
    let dot = |w: &[f64]| w.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>();
    let (w, rest) = v.split_at(M * D);
    let (b, rest) = rest.split_at(M);
    let (outer, rest) = rest.split_at(M);
    let hidden: f64 = (0..M).map(|m| outer[m] * psi(b[m] + dot(&w[m * D..(m + 1) * D]))).sum();
    10.0 + 3.0 * (rest[0] + dot(&rest[1..1 + D]) + hidden)
}

fn rows(n: usize) -> Vec<f64> {
    (0..n * D).map(|i| MEANS[i % D] + SDS[i % D] * (i as f64 * 0.77).sin() * 2.0).collect()
}

fn networks<T: Compiled, U: Compiled>() {
    let single = T::BITS == 32 || U::BITS == 32;
    let cases: [(Activation, fn(f64) -> f64); 3] = [
        (Activation::Tanh, f64::tanh),
        (Activation::Logistic, |z| 1.0 / (1.0 + (-z).exp())),
        (Activation::Sine, f64::sin),
    ];
    for (activation, psi) in cases {
        let bytes = image::<T>(activation);
        let image = Image::open(&bytes).unwrap();
        let mut buffer = vec![U::ZERO; Predictor::<U>::buffer_len(&image)];
        let predictor = Predictor::<U>::new(Isa::detect(), image, &mut buffer).unwrap();
        let mut scratch = vec![U::ZERO; predictor.row_scratch()];
        let n = 19;
        let raw = rows(n);
        let x: Vec<U> = raw.iter().map(|v| U::lit(*v)).collect();
        let mut bulk = vec![U::ZERO; predictor.rows_scratch()];
        let mut seen = 0;
        let inputs = Inputs::row_major(&x, n, D).unwrap();
        predictor
            .for_each_row(&inputs, &mut bulk, |i, together| {
                assert_eq!(i, seen);
                seen += 1;
                let row = &x[i * D..(i + 1) * D];
                let alone = predictor.mixture(row, &mut scratch).unwrap();
                // One row alone or eight together: the same bits.
                assert_eq!(alone.mean(), together.mean());
                assert_eq!(alone.log_density(U::lit(9.0)), together.log_density(U::lit(9.0)));
                let exact: Vec<f64> =
                    (0..K).map(|k| plain(k, &raw[i * D..(i + 1) * D], psi)).collect();
                let mean = exact.iter().sum::<f64>() / K as f64;
                let far = (alone.mean().to_f64() - mean).abs();
                assert!(far < if single { 3e-5 } else { 3e-14 }, "{activation:?} {far:e}");
                // Component by component.
                let mut logs = vec![U::ZERO; K];
                let y = 11.0;
                alone.log_densities(U::lit(y), &mut logs);
                for k in 0..K {
                    let v = draw(k);
                    let (scale, nu) = (3.0 * v[v.len() - 2], v[v.len() - 1]);
                    let own = Parts::<f64>::new([[exact[k], scale, nu]].into_iter());
                    let expected = own.mixture(Isa::Portable).log_density(y);
                    let far = (logs[k].to_f64() - expected).abs();
                    assert!(far < if single { 1e-4 } else { 1e-12 }, "{k}: {far:e}");
                }
            })
            .unwrap();
        assert_eq!(seen, n);
    }
}

#[test]
fn networks_of_an_image_in_either_precision() {
    networks::<f32, f32>();
    networks::<f32, f64>();
    networks::<f64, f32>();
    networks::<f64, f64>();
}

#[test]
fn evaluation_sums_what_rows_say() {
    let bytes = image::<f64>(Activation::Tanh);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let mut one = vec![0.0; predictor.row_scratch()];
    let n = 21;
    let x = rows(n);
    let inputs = Inputs::row_major(&x, n, D).unwrap();
    // Two draws of the predictive law at each row; the first are the targets.
    let mut draws = vec![0.0; 2 * n];
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    predictor.draws(&inputs, &mut stream, &mut draws, &mut scratch).unwrap();
    let y: Vec<f64> = draws.iter().step_by(2).copied().collect();
    let data = Dataset::new(inputs, &y).unwrap();
    let e = predictor.evaluate(&data, 0.8, true, &mut scratch).unwrap();
    let mut pointwise = vec![0.0; n * K];
    predictor.log_likelihoods(&data, &mut pointwise, &mut scratch).unwrap();
    let mut again = Stream::new(5, 0, Purpose::Predictive);
    let (mut squares, mut logs, mut inside, mut widths, mut crps) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for i in 0..n {
        let row = &x[i * D..(i + 1) * D];
        let p = predictor.predict_row(row, 0.8, &mut one).unwrap();
        let m = predictor.mixture(row, &mut one).unwrap();
        let (lower, upper) = m.central_interval(0.8);
        assert_eq!(p, Prediction { mean: m.mean(), sd: m.sd(), lower, upper });
        assert_eq!([m.draw(&mut again), m.draw(&mut again)], draws[2 * i..2 * i + 2]);
        squares += (m.mean() - y[i]).powi(2);
        let own: Vec<f64> = pointwise[i * K..(i + 1) * K].to_vec();
        let mixed = (own.iter().map(|l| l.exp()).sum::<f64>() / K as f64).ln();
        assert!((mixed - m.log_density(y[i])).abs() < 1e-12);
        logs += mixed;
        inside += (lower <= y[i] && y[i] <= upper) as u8 as f64;
        widths += upper - lower;
        crps += m.crps(y[i]);
    }
    let nf = n as f64;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");
    close(e.rmse, (squares / nf).sqrt());
    close(e.log_likelihood, logs / nf);
    close(e.coverage, inside / nf);
    close(e.width, widths / nf);
    close(e.crps, crps / nf);
    assert!(predictor.evaluate(&data, 0.8, false, &mut scratch).unwrap().crps.is_nan());

    use PredictError::{Inputs as Columns, Level, NotFinite, TooShort};
    assert_eq!(predictor.predict_row(&x[..D], 1.0, &mut one), Err(Level));
    assert_eq!(predictor.predict_row(&x[..D], f64::NAN, &mut one), Err(Level));
    assert_eq!(predictor.predict_row(&x[..D - 1], 0.5, &mut one), Err(Columns));
    assert_eq!(predictor.predict_row(&[f64::NAN; D], 0.5, &mut one), Err(NotFinite));
    let short = one.len() - 1;
    assert_eq!(predictor.predict_row(&x[..D], 0.5, &mut one[..short]), Err(TooShort));
    let short = scratch.len() - 1;
    assert_eq!(predictor.evaluate(&data, 0.5, false, &mut scratch[..short]), Err(TooShort));
    assert_eq!(predictor.log_likelihoods(&data, &mut pointwise[1..], &mut scratch), Err(TooShort));
    let mut small = vec![0.0; 3 * K - 1];
    assert_eq!(Predictor::new(Isa::detect(), image, &mut small).err(), Some(TooShort));
    let narrow = lcc_core::data::Inputs::row_major(&x, n, D - 1).unwrap();
    assert_eq!(predictor.for_each_row(&narrow, &mut scratch, |_, _| ()), Err(Columns));
}

/// A scale beyond single precision is refused there.
#[test]
fn values_out_of_range_are_refused() {
    let shape = Shape::one_layer(1, 1, Activation::Tanh);
    let standardiser = Standardiser::new(&[0.0], &[1.0], 0.0, 1.0).unwrap();
    let mut bytes = vec![0; image_size::<f64>(shape, 1).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &standardiser).unwrap();
    store.push(&[0.0, 0.0, 0.0, 0.0, 0.0, 1e40, 3.0]).unwrap();
    let image = Image::open(store.seal().unwrap()).unwrap();
    let error = Predictor::<f32>::new(Isa::detect(), image, &mut [0.0; 3]).err();
    assert_eq!(error, Some(PredictError::OutOfRange));
    assert!(Predictor::<f64>::new(Isa::detect(), image, &mut [0.0; 3]).is_ok());
}

/// Rows so far out that squares of the prediction are none, by both predictors.
#[test]
fn predictions_beyond_the_precision_are_refused() {
    let shape = Shape::one_layer(1, 1, Activation::Tanh);
    let standardiser = Standardiser::new(&[0.0_f32], &[1.0], 0.0, 1.0).unwrap();
    let mut bytes = vec![0; image_size::<f32>(shape, 1).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &standardiser).unwrap();
    store.push(&[0.0, 0.0, 0.0, 0.0, 2.0, 0.1, 3.0]).unwrap();
    let image = Image::open(store.seal().unwrap()).unwrap();
    let (mut own, mut any) = ([0.0; 3], [0.0; 3]);
    let small = Predictor::<f32>::new(Isa::detect(), image, &mut own).unwrap();
    let large = NetworkPredictor::<f32>::new(Isa::detect(), image, &mut any).unwrap();
    let mut scratch = vec![0.0; small.row_scratch().max(large.row_scratch())];
    for x in [1e30, -1e17, f32::MAX] {
        assert_eq!(small.predict_row(&[x], 0.9, &mut scratch).err(), Some(PredictError::Reach));
        assert_eq!(large.law(&[x], &mut scratch).err(), Some(PredictError::Reach));
    }
    let near = small.predict_row(&[1e15], 0.9, &mut scratch).unwrap();
    assert!(near.sd > 0.0 && near.sd.is_finite(), "{near:?}");
}
