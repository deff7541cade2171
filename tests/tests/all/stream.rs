//! Learning from a stream: against closed forms and a plain filter, over a million rows in single
//! precision, on the drift of the gas turbine; the object.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{Kind, checkpoint, restore, sealed_size};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{self, NetworkOptions, NetworkRegressor, RegressorError, Status};
use lcc_core::posterior::{Image, Shape, Standardiser, Store, image_size};
use lcc_core::predict::Predictor;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::stream::{Compiled, StreamError, StreamLearner, StreamOptions, Window, WindowError};
use lcc_tests::datasets::Table;
use lcc_tests::posteriors::Aligned;

const D: usize = 3;
const M: usize = 4;
const P: usize = M + D + 1;

/// Uniform numbers in (-1, 1) and rough normals.
struct Noise(u64);
impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    }
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() / 2.0
    }
}

/// An image of some networks with d = 3 and M = 4; values exact in either precision.
fn image<T: Real>(draws: usize, nu: &[f64]) -> Vec<u8> {
    let mut noise = Noise(5);
    let mut next = || T::lit((noise.uniform() * 4096.0).round() / 2048.0);
    let shape = Shape { inputs: D, neurons: M, activation: Activation::Tanh };
    let means = [T::lit(1.0), T::lit(-2.0), T::lit(0.5)];
    let sds = [T::lit(2.0), T::lit(1.0), T::lit(0.5)];
    let units = Standardiser::new(&means, &sds, T::lit(3.0), T::lit(4.0)).unwrap();
    let mut bytes = vec![0; image_size::<T>(shape, draws).unwrap()];
    let mut store = Store::new(&mut bytes, shape, &units).unwrap();
    for k in 0..draws {
        let mut values: Vec<T> = (0..shape.draw_len().unwrap()).map(|_| next()).collect();
        let last = values.len() - 2;
        values[last] = T::lit(0.125 + k as f64 / 64.0);
        values[last + 1] = T::lit(nu[k % nu.len()]);
        store.push(&values).unwrap();
    }
    store.seal().unwrap().to_vec()
}

fn learner<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &StreamOptions<T>,
    bytes: &[u8],
) -> StreamLearner<'m, T> {
    let image = Image::open(bytes).unwrap();
    *memory = Aligned::new(StreamLearner::size(options, &image).unwrap());
    memory.bytes().fill(0xA5);
    StreamLearner::init(memory.bytes(), options, Isa::detect(), &image).unwrap()
}

/// A row in raw units and its target: a head that drifts over one of the image's hidden layers, more or
/// less, exact in single precision.
fn row(noise: &mut Noise, t: usize) -> ([f64; D], f64) {
    let f = |x: f64| f64::from(x as f32);
    let x =
        [f(1.0 + 2.0 * noise.normal()), f(-2.0 + noise.normal()), f(0.5 + 0.5 * noise.normal())];
    let drift = (t as f64 / 700.0).sin();
    let y = 3.0 + 4.0 * (drift * (x[0] - 1.0) / 2.0 - 0.5 * (x[1] + drift).tanh() + 0.7 * drift);
    (x, f(y + 0.6 * noise.normal()))
}

/// The features of draw k, in double precision.
fn features(image: &Image<'_>, k: usize, x: &[f64]) -> Vec<f64> {
    let values: Vec<f64> = image.values(k).collect();
    let x: Vec<f64> = x
        .iter()
        .enumerate()
        .map(|(j, x)| (x - image.mean_x::<f64>(j)) / image.sd_x::<f64>(j))
        .collect();
    let mut phi: Vec<f64> = (0..M)
        .map(|m| (values[M * D + m] + (0..D).map(|j| values[m * D + j] * x[j]).sum::<f64>()).tanh())
        .collect();
    phi.push(1.0);
    phi.extend(x);
    phi
}

/// The inverse of a symmetric positive matrix, by Gauss and Jordan.
fn inverse(a: &[[f64; P]; P]) -> [[f64; P]; P] {
    let mut a = *a;
    let mut b = [[0.0; P]; P];
    (0..P).for_each(|i| b[i][i] = 1.0);
    for i in 0..P {
        let pivot = a[i][i];
        for j in 0..P {
            a[i][j] /= pivot;
            b[i][j] /= pivot;
        }
        for r in 0..P {
            let factor = a[r][i];
            if r != i {
                for j in 0..P {
                    a[r][j] -= factor * a[i][j];
                    b[r][j] -= factor * b[i][j];
                }
            }
        }
    }
    b
}

fn apply(a: &[[f64; P]; P], x: &[f64]) -> Vec<f64> {
    a.iter().map(|r| r.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// V of draw k, from its factors.
fn covariance<T: Compiled>(learner: &StreamLearner<'_, T>, k: usize) -> [[f64; P]; P] {
    let packed: Vec<f64> = learner.covariance(k).unwrap().map(Real::to_f64).collect();
    let mut u = [[0.0; P]; P];
    let mut v = [[0.0; P]; P];
    for j in 0..P {
        let start = j * (j + 1) / 2;
        (0..j).for_each(|i| u[i][j] = packed[start + i]);
        u[j][j] = 1.0;
        let d = packed[start + j];
        assert!(d > 0.0 && d.is_finite(), "{d}");
        for a in 0..P {
            for b in 0..P {
                v[a][b] += u[a][j] * d * u[b][j];
            }
        }
    }
    v
}

fn variances<T: Compiled>(o: &StreamOptions<T>) -> [f64; P] {
    core::array::from_fn(|j| {
        let sd = match j {
            j if j < M => o.outer_sd,
            M => o.intercept_sd,
            _ => o.linear_sd,
        };
        sd.to_f64().powi(2)
    })
}

/// The filter as the documentation states it, on precision matrices.
struct Plain {
    precision: [[f64; P]; P],
    prior: [f64; P],
    mean: Vec<f64>,
    home: Vec<f64>,
    noise: [f64; 2],
    start: [f64; 2],
    nu: f64,
}

impl Plain {
    fn new(image: &Image<'_>, k: usize, o: &StreamOptions<f64>) -> Self {
        let values: Vec<f64> = image.values(k).collect();
        let home = values[M * (D + 1)..][..P].to_vec();
        let [sigma, nu] = *values.last_chunk::<2>().unwrap();
        let prior = variances(o).map(|v| sigma * sigma / v);
        let mut precision = [[0.0; P]; P];
        (0..P).for_each(|j| precision[j][j] = prior[j]);
        let start = [o.noise_rows / 2.0, o.noise_rows / 2.0 * sigma * sigma];
        Self { precision, prior, mean: home.clone(), home, noise: start, start, nu }
    }

    fn learn(&mut self, phi: &[f64], y: f64, t: usize, o: &StreamOptions<f64>) {
        let v_phi = apply(&inverse(&self.precision), phi);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (q, e) = (dot(phi, &v_phi), y - dot(phi, &self.mean));
        let z2 = e * e / (self.noise[1] / self.noise[0] * (1.0 + q));
        let weight = if self.nu.is_finite() { (self.nu + 1.0) / (self.nu + z2) } else { 1.0 };
        let s = 1.0 / weight + q;
        (0..P).for_each(|j| self.mean[j] += v_phi[j] * e / s);
        for i in 0..P {
            for j in 0..P {
                self.precision[i][j] =
                    o.forgetting * (self.precision[i][j] + weight * phi[i] * phi[j]);
            }
        }
        for (k, (x, more)) in self.noise.iter_mut().zip([0.5, e * e / (2.0 * s)]).enumerate() {
            let f = o.noise_forgetting;
            *x = f * (*x + more) + (1.0 - f) * self.start[k];
        }
        let j = t % P;
        let leak = (1.0 - o.forgetting.powi(P as i32)) * self.prior[j];
        self.precision[j][j] += leak;
        let v = inverse(&self.precision);
        let step = leak * (self.home[j] - self.mean[j]);
        (0..P).for_each(|i| self.mean[i] += v[i][j] * step);
    }

    fn compare<T: Compiled>(&self, learner: &StreamLearner<'_, T>, k: usize, tolerance: f64) {
        let v = inverse(&self.precision);
        let own = covariance(learner, k);
        let sd = |j: usize| v[j][j].sqrt();
        for (j, m) in learner.head(k).unwrap().enumerate() {
            // In sds of the posterior.
            let sigma = (self.noise[1] / self.noise[0]).sqrt();
            let error = (m.to_f64() - self.mean[j]).abs() / (sigma * sd(j));
            assert!(error < tolerance, "m {k} {j}: {error:e}");
            for i in 0..P {
                let error = (own[i][j] - v[i][j]).abs() / (sd(i) * sd(j));
                assert!(error < tolerance, "V {k} {i} {j}: {error:e}");
            }
        }
        let (a, b) = learner.noise(k).unwrap();
        assert!((a.to_f64() / self.noise[0] - 1.0).abs() < tolerance);
        assert!((b.to_f64() / self.noise[1] - 1.0).abs() < tolerance);
    }
}

fn against_plain<T: Compiled>(forgetting: f64, nu: &[f64], tolerance: f64) {
    let bytes = image::<T>(3, nu);
    let image = Image::open(&bytes).unwrap();
    let o = StreamOptions::<f64> {
        forgetting,
        noise_forgetting: forgetting,
        draws: 3,
        lanes: 4,
        ..Default::default()
    };
    let own = StreamOptions::<T> {
        forgetting: T::lit(forgetting),
        noise_forgetting: T::lit(forgetting),
        draws: 3,
        lanes: 4,
        ..Default::default()
    };
    let mut plain: Vec<Plain> = (0..3).map(|k| Plain::new(&image, k, &o)).collect();
    let mut memory = Aligned::new(0);
    let mut learner = learner(&mut memory, &own, &bytes);
    let mut noise = Noise(11);
    for t in 0..300 {
        let (x, y) = row(&mut noise, t);
        learner.learn(&x.map(T::lit), T::lit(y)).unwrap();
        for (k, p) in plain.iter_mut().enumerate() {
            p.learn(&features(&image, k, &x), (y - 3.0) / 4.0, t, &o);
            p.compare(&learner, k, tolerance);
        }
    }
    assert_eq!(learner.rows(), 300);
}

#[test]
fn follows_the_plain_filter() {
    for nu in [&[f64::INFINITY][..], &[3.0, 7.0, f64::INFINITY]] {
        for forgetting in [1.0, 0.98, 0.9] {
            against_plain::<f64>(forgetting, nu, 1e-10);
            // Covariances of condition 1e5 in single precision.
            against_plain::<f32>(forgetting, nu, 5e-3);
        }
    }
}

/// Without forgetting and with Gaussian noise: the posterior of Bayesian linear regression on the
/// features, all rows at once.
fn closed_form<T: Compiled>(tolerance: f64) {
    let bytes = image::<T>(2, &[f64::INFINITY]);
    let image = Image::open(&bytes).unwrap();
    let options =
        StreamOptions::<T> { forgetting: T::ONE, noise_forgetting: T::ONE, ..Default::default() };
    let mut memory = Aligned::new(0);
    let mut learner = learner(&mut memory, &options, &bytes);
    let mut noise = Noise(23);
    let rows: Vec<_> = (0..250).map(|t| row(&mut noise, t)).collect();
    for (x, y) in &rows {
        learner.observe(&x.map(T::lit), T::lit(*y)).unwrap();
    }
    for k in 0..2 {
        let values: Vec<f64> = image.values(k).collect();
        let (home, sigma) = (&values[M * (D + 1)..][..P], values[values.len() - 2]);
        let mut a = [[0.0; P]; P];
        let mut rhs = vec![0.0; P];
        let mut squares = 0.0;
        let prior = variances(&options);
        for j in 0..P {
            a[j][j] = sigma * sigma / prior[j];
            rhs[j] = a[j][j] * home[j];
            squares += a[j][j] * home[j] * home[j];
        }
        for (x, y) in &rows {
            let (phi, y) = (features(&image, k, x), (y - 3.0) / 4.0);
            squares += y * y;
            for i in 0..P {
                rhs[i] += phi[i] * y;
                (0..P).for_each(|j| a[i][j] += phi[i] * phi[j]);
            }
        }
        let v = inverse(&a);
        let mean = apply(&v, &rhs);
        let explained: f64 = mean.iter().zip(&rhs).map(|(m, r)| m * r).sum();
        let (shape, rate) = (5.0 + 125.0, 5.0 * sigma * sigma + (squares - explained) / 2.0);
        let plain = Plain {
            precision: a,
            prior: [0.0; P],
            mean,
            home: vec![],
            noise: [shape, rate],
            start: [0.0; 2],
            nu: f64::INFINITY,
        };
        plain.compare(&learner, k, tolerance);
        // Its prediction is the t of the textbook.
        let x = [0.3, -1.5, 0.9];
        let phi = features(&image, k, &x);
        let q: f64 = apply(&v, &phi).iter().zip(&phi).map(|(a, b)| a * b).sum();
        let location: f64 = phi.iter().zip(&plain.mean).map(|(a, b)| a * b).sum();
        let single = StreamOptions::<T> { draws: 1, ..options };
        if k == 0 {
            let mut other = Aligned::new(0);
            let mut one = self::learner(&mut other, &single, &bytes);
            for (x, y) in &rows {
                one.learn(&x.map(T::lit), T::lit(*y)).unwrap();
            }
            let law = one.predict(&x.map(T::lit), T::HALF).unwrap();
            let scale = 4.0 * (rate / shape * (1.0 + q)).sqrt();
            let sd = scale * (2.0 * shape / (2.0 * shape - 2.0)).sqrt();
            assert!((law.mean.to_f64() - 3.0 - 4.0 * location).abs() < tolerance * scale);
            assert!((law.sd.to_f64() / sd - 1.0).abs() < tolerance);
            assert!(law.lower < law.mean && law.mean < law.upper);
        }
    }
}

#[test]
fn without_forgetting_it_is_bayesian_linear_regression() {
    closed_form::<f64>(1e-10);
    closed_form::<f32>(2e-3);
}

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
        for lanes in [1, 4, 8] {
            for isa in Isa::all() {
                let o = StreamOptions::<T> { lanes, weighted, draws: 11, ..Default::default() };
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

/// A million rows with drift in single precision: double precision stands for the exact answer.
#[test]
fn a_million_rows_in_single_precision() {
    let (single, double) =
        (image::<f32>(4, &[4.5, f64::INFINITY]), image::<f64>(4, &[4.5, f64::INFINITY]));
    for forgetting in [0.98, 0.999] {
        let o = StreamOptions::<f32> {
            forgetting: forgetting as f32,
            noise_forgetting: forgetting as f32,
            weighted: false,
            lanes: 4,
            ..Default::default()
        };
        let exact = StreamOptions::<f64> {
            forgetting: f64::from(o.forgetting),
            noise_forgetting: f64::from(o.forgetting),
            linear_sd: f64::from(o.linear_sd),
            weighted: false,
            lanes: 4,
            ..Default::default()
        };
        let (mut a, mut b) = (Aligned::new(0), Aligned::new(0));
        let mut a = learner(&mut a, &o, &single);
        let mut b = learner(&mut b, &exact, &double);
        let mut noise = Noise(41);
        let (mut worst, mut worst_scale) = (0.0_f64, 0.0_f64);
        for t in 0..1_000_000 {
            let (x, y) = row(&mut noise, t);
            let x32 = x.map(|x| x as f32);
            if t % 1000 < 3 {
                let (p, q) = (a.predict(&x32, 0.9).unwrap(), b.predict(&x, 0.9).unwrap());
                worst = worst.max((f64::from(p.mean) - q.mean).abs() / q.sd);
                worst_scale = worst_scale.max((f64::from(p.sd) / q.sd - 1.0).abs());
            }
            a.learn(&x32, y as f32).unwrap();
            b.learn(&x, y).unwrap();
        }
        println!("{forgetting}: mean {worst:e} sds, sd {worst_scale:e}");
        // In units of the predictive sd.
        assert!(worst < 1e-3 && worst_scale < 1e-3, "{forgetting}: {worst:e} {worst_scale:e}");
        for k in 0..4 {
            let (v, w) = (covariance(&a, k), covariance(&b, k));
            for j in 0..P {
                assert!((v[j][j] / w[j][j] - 1.0).abs() < 1e-2, "{k} {j}");
            }
            let home: Vec<f32> = a.fitted_head(k).unwrap().collect();
            assert!(a.head(k).unwrap().zip(home).all(|(m, h)| (m - h).abs() < 10.0));
        }
    }
}

/// A constant row says nothing about all other directions: without the leak their variances would grow by
/// .95^-100000.
fn winds_up<T: Compiled>() {
    let bytes = image::<T>(2, &[f64::INFINITY, 7.0]);
    let options = StreamOptions::<T> { forgetting: T::lit(0.95), lanes: 4, ..Default::default() };
    let mut memory = Aligned::new(0);
    let mut learner = learner(&mut memory, &options, &bytes);
    let x = [0.3, -1.5, 0.9].map(T::lit);
    let prior = variances(&options);
    let image = Image::open(&bytes).unwrap();
    for t in 0..100_000 {
        learner.learn(&x, T::lit(5.0)).unwrap();
        if t % 997 != 0 {
            continue;
        }
        for k in 0..2 {
            let sigma: f64 = image.values::<f64>(k).nth_back(1).unwrap();
            let v = covariance(&learner, k);
            for j in 0..P {
                let most = prior[j] / (sigma * sigma) / 0.95_f64.powi(P as i32);
                assert!(v[j][j] > 0.0 && v[j][j] < most * 1.01, "{t} {k} {j}: {}", v[j][j] / most);
            }
            let home: Vec<T> = learner.fitted_head(k).unwrap().collect();
            for (m, h) in learner.head(k).unwrap().zip(home) {
                assert!((m - h).to_f64().abs() < 3.0);
            }
        }
    }
    // And the first other row finds a prediction in its senses.
    let law = learner.predict(&[5.0, 3.0, -2.0].map(T::lit), T::lit(0.9)).unwrap();
    assert!(law.mean.to_f64().abs() < 200.0 && law.sd.to_f64() < 200.0, "{law:?}");
}

#[test]
fn does_not_wind_up() {
    winds_up::<f64>();
    winds_up::<f32>();
}

#[test]
fn the_model_is_what_was_learnt() {
    let bytes = image::<f64>(5, &[7.0, f64::INFINITY]);
    let options = StreamOptions::<f64> { weighted: false, noise_rows: 200.0, ..Default::default() };
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

/// RMSE, coverage of 90 % intervals and mean log density, one step ahead.
fn prequential<T: Compiled>(learner: &mut StreamLearner<'_, T>, table: &Table) -> [f64; 3] {
    let mut out = [0.0; 3];
    let n = table.y.len() as f64;
    for (x, y) in table.x.chunks(table.inputs).zip(&table.y) {
        let x: Vec<T> = x.iter().map(|x| T::lit(*x)).collect();
        let y = T::lit(*y);
        let law = learner.predict(&x, T::lit(0.9)).unwrap();
        let score = learner.observe(&x, y).unwrap();
        out[0] += (law.mean - y).to_f64().powi(2) / n;
        out[1] += f64::from(u8::from(law.lower <= y && y <= law.upper)) / n;
        out[2] += score.log_density.to_f64() / n;
        assert!((0.0..=1.0).contains(&score.pit.to_f64()));
    }
    out[0] = out[0].sqrt();
    out
}

/// A network of ten neurons fitted to the gas turbine's first years.
fn fitted<T: estimator::Compiled>(table: &Table, chains: u32, keep: u32) -> Vec<u8> {
    let x: Vec<T> = table.x.iter().map(|x| T::lit(*x)).collect();
    let y: Vec<T> = table.y.iter().map(|y| T::lit(*y)).collect();
    let inputs = Inputs::row_major(&x, y.len(), table.inputs).unwrap();
    let data = Dataset::new(inputs, &y).unwrap();
    let options = NetworkOptions::<T> {
        neurons: 10,
        chains,
        warmup: 200,
        draws: 200,
        keep,
        start_steps: 500,
        ..Default::default()
    };
    let size = NetworkRegressor::size(&options, data.n(), data.d()).unwrap();
    let mut memory = Aligned::new(size);
    let mut fit = NetworkRegressor::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
    while fit.step(&data, u64::MAX).unwrap() == Status::Running {}
    let mut bytes = vec![0; fit.model_size().unwrap()];
    let length = fit.write_model(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

#[test]
fn follows_the_drift_of_the_gas_turbine() {
    let (early, late) = (Table::read("gas_turbine_nox"), Table::read("gas_turbine_nox_late"));
    let bytes = fitted::<f32>(&early, 4, 16);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let inputs = Inputs::row_major(&late.x, late.y.len(), late.inputs).unwrap();
    let data = Dataset::new(inputs, &late.y).unwrap();
    let frozen = predictor.evaluate(&data, 0.9, false, &mut scratch).unwrap();
    assert!(frozen.rmse > 10.0 && frozen.coverage < 0.7, "{frozen:?}");

    let single = StreamOptions::<f32>::default();
    let mut memory = Aligned::new(0);
    let scores = prequential(&mut learner(&mut memory, &single, &bytes), &late);
    println!("frozen {frozen:?}\nstreamed {scores:?}");
    assert!(scores[0] < 5.1 && scores[1] > 0.9 && scores[1] < 0.975, "{scores:?}");
    assert!(scores[2] > -2.85, "{scores:?}");
    // The same stream in double precision.
    let double = StreamOptions::<f64>::default();
    let mut memory = Aligned::new(0);
    let same = prequential(&mut learner(&mut memory, &double, &bytes), &late);
    assert!((same[0] - scores[0]).abs() < 0.01 && (same[2] - scores[2]).abs() < 0.005);

    // On a device: 8 and 16 draws, one lane.
    for draws in [8, 16] {
        let small = StreamOptions::<f32> { draws, lanes: 1, ..single };
        let size = StreamLearner::size(&small, &image).unwrap();
        assert!(size < 32 * 1024, "{size}");
        let mut memory = Aligned::new(0);
        let scores = prequential(&mut learner(&mut memory, &small, &bytes), &late);
        println!("{draws} draws, {size} bytes: {scores:?}");
        assert!(scores[0] < 5.5 && scores[1] > 0.88 && scores[1] < 0.97, "{scores:?}");
    }
}

#[test]
fn a_window_holds_the_last_rows() {
    assert_eq!(Window::<f32>::size(0, 2), Err(WindowError::Empty));
    assert_eq!(Window::<f32>::size(2, 0), Err(WindowError::Empty));
    assert!(Window::<f32>::size(usize::MAX / 2, 3).is_err());
    let size = Window::<f32>::size(5, 2).unwrap();
    let mut memory = Aligned::new(size);
    assert_eq!(Window::<f32>::open(memory.bytes()).unwrap_err(), WindowError::NotAWindow);
    Window::<f32>::init(memory.bytes(), 5, 2).unwrap();
    assert_eq!(Window::<f64>::open(memory.bytes()).unwrap_err(), WindowError::NotAWindow);
    for t in 0..23_u16 {
        // Moved between any two rows.
        let mut other = Aligned::new(size);
        other.bytes().copy_from_slice(memory.bytes());
        memory = other;
        let mut window = Window::<f32>::open(memory.bytes()).unwrap();
        assert_eq!(window.data().is_err(), t == 0);
        assert_eq!(window.push(&[1.0], 0.0), Err(WindowError::Columns));
        assert_eq!(window.push(&[1.0, f32::NAN], 0.0), Err(WindowError::Input));
        assert_eq!(window.push(&[1.0, 0.0], f32::INFINITY), Err(WindowError::Target));
        let x = f32::from(t);
        assert_eq!(window.push(&[x, -x], 2.0 * x), Ok(usize::from(t % 5)));
        assert_eq!((window.seen(), window.rows()), (u64::from(t) + 1, usize::from(t + 1).min(5)));
        let data = window.data().unwrap();
        let mut seen: Vec<u16> = data.y().iter().map(|y| (*y / 2.0) as u16).collect();
        for (i, y) in data.y().iter().enumerate() {
            assert_eq!((data.inputs.at(i, 0), data.inputs.at(i, 1)), (y / 2.0, -y / 2.0));
        }
        seen.sort_unstable();
        assert_eq!(seen, ((t + 1).saturating_sub(5)..=t).collect::<Vec<_>>());
    }
}

/// A window of later rows, refitted from the draws of the early model, and from random points.
#[test]
fn chains_go_on_from_the_draws_of_a_model() {
    let (early, late) = (Table::read("gas_turbine_nox"), Table::read("gas_turbine_nox_late"));
    let bytes = fitted::<f32>(&early, 4, 4);
    let image = Image::open(&bytes).unwrap();
    let d = late.inputs;
    let mut store = Aligned::new(Window::<f32>::size(300, d).unwrap());
    let mut window = Window::<f32>::init(store.bytes(), 300, d).unwrap();
    for (x, y) in late.x.chunks(d).zip(&late.y).take(500) {
        let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        window.push(&x, *y as f32).unwrap();
    }
    let data = window.data().unwrap();
    let inputs = Inputs::row_major(&late.x[500 * d..600 * d], 100, d).unwrap();
    let next = Dataset::new(inputs, &late.y[500..600]).unwrap();
    let score = |bytes: &[u8]| {
        let image = Image::open(bytes).unwrap();
        let mut buffer = vec![0.0; Predictor::<f64>::buffer_len(&image)];
        let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
        let mut scratch = vec![0.0; predictor.rows_scratch()];
        predictor.evaluate(&next, 0.9, false, &mut scratch).unwrap().rmse
    };
    let options = NetworkOptions::<f32> {
        neurons: 10,
        warmup: 20,
        draws: 30,
        keep: 5,
        starts: 0,
        drop: false,
        ..Default::default()
    };
    let fit = |options: &NetworkOptions<f32>, warm: bool, budget: u64| {
        let size = NetworkRegressor::size(options, data.n(), d).unwrap();
        let mut memory = Aligned::new(size);
        if warm {
            let made =
                NetworkRegressor::init_from(memory.bytes(), options, Isa::detect(), &data, &image);
            made.unwrap();
        } else {
            NetworkRegressor::init(memory.bytes(), options, Isa::detect(), &data).unwrap();
        }
        loop {
            let mut other = Aligned::new(size);
            other.bytes().copy_from_slice(memory.bytes());
            memory = other;
            let mut fit = NetworkRegressor::open(memory.bytes(), Isa::detect()).unwrap();
            if fit.step(&data, budget).unwrap() == Status::Done {
                let mut bytes = vec![0; fit.model_size().unwrap()];
                let length = fit.write_model(&mut bytes).unwrap();
                bytes.truncate(length);
                return bytes;
            }
        }
    };
    // Fifty iterations find the later rows, also with a search and lanes of another number, in any budgets.
    let warm = fit(&options, true, u64::MAX);
    let (frozen, refitted) = (score(&bytes), score(&warm));
    assert!(refitted < 0.5 * frozen, "{frozen} {refitted}");
    // Chain c starts from draw c K / C: with hardly a step, its hidden layer is still that draw's.
    let still = NetworkOptions {
        warmup: 0,
        draws: 1,
        keep: 1,
        leapfrogs: 1,
        first_step: 1e-7,
        largest_step: 1e-7,
        ..options
    };
    let one = fit(&still, true, u64::MAX);
    let one = Image::open(&one).unwrap();
    assert_eq!(one.draws(), 4);
    for c in 0..4 {
        let own = one.values::<f32>(c).zip(image.values::<f32>(c * image.draws() / 4));
        for (k, (a, b)) in own.take(10 * (d + 1)).enumerate() {
            assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{c} {k}: {a} {b}");
        }
    }
    // The search is skipped, and neither budgets nor lanes change a bit.
    let other = NetworkOptions { lanes: 1, starts: 3, ..options };
    assert_eq!(fit(&other, true, 20_000), warm);

    for (options, image) in [
        (NetworkOptions { neurons: 9, ..options }, &image),
        (NetworkOptions { activation: Activation::Erf, ..options }, &image),
        (NetworkOptions { standardise: false, ..options }, &image),
        (options, &Image::open(&self::image::<f32>(2, &[3.0])).unwrap()),
    ] {
        let mut memory = Aligned::new(NetworkRegressor::size(&options, data.n(), d).unwrap());
        let made =
            NetworkRegressor::init_from(memory.bytes(), &options, Isa::detect(), &data, image);
        assert_eq!(made.unwrap_err(), RegressorError::Image);
    }
}
