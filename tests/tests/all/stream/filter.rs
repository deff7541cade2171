//! The recursion: against a plain filter, closed forms, and double precision over a million rows.

use super::{D, M, Noise, P, apply, covariance, features, image, inverse, learner, row, variances};
use lcc_core::posterior::Image;
use lcc_core::stream::{Compiled, StreamLearner, StreamOptions};
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::runs;

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
            *x = f * (*x + more) + (1.0 - f) * self.start[k] / 3.0;
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
        lanes: 8,
        ..Default::default()
    };
    let own = StreamOptions::<T> {
        forgetting: T::lit(forgetting),
        noise_forgetting: T::lit(forgetting),
        draws: 3,
        lanes: 8,
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

/// A million rows with drift in single precision: double precision stands for the exact answer.
#[test]
fn a_million_rows_in_single_precision() {
    let (single, double) =
        (image::<f32>(4, &[4.5, f64::INFINITY]), image::<f64>(4, &[4.5, f64::INFINITY]));
    for forgetting in [0.98, 0.999] {
        let o = StreamOptions::<f32> {
            forgetting: forgetting as f32,
            noise_forgetting: forgetting as f32,
            weighted: false.into(),
            lanes: 8,
            ..Default::default()
        };
        let exact = StreamOptions::<f64> {
            forgetting: f64::from(o.forgetting),
            noise_forgetting: f64::from(o.forgetting),
            linear_sd: f64::from(o.linear_sd),
            weighted: false.into(),
            lanes: 8,
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

/// Ten million rows, a day of them at 116 a second: the factors of V, updated at every row, against a factorisation from
/// the rows themselves, those that still count, by a learner that starts there. (.999^100,000 = e^-100; the scale of a t
/// forgets half as fast. The leak goes around once in P rows.)
fn does_not_drift<T: Compiled>(tolerance: f64) {
    let (rows, recent) = (runs(1_000_000, 10_000_000), 100_000);
    assert_eq!((rows - recent) % P, 0);
    let bytes = image::<T>(4, &[4.5, f64::INFINITY]);
    let o = StreamOptions {
        forgetting: T::lit(0.999),
        noise_forgetting: T::lit(0.999),
        weighted: false.into(),
        lanes: 8,
        ..Default::default()
    };
    let (mut a, mut b) = (Aligned::new(0), Aligned::new(0));
    let (mut long, mut fresh) = (learner(&mut a, &o, &bytes), learner(&mut b, &o, &bytes));
    let mut noise = Noise(43);
    for t in 0..rows {
        let (x, y) = row(&mut noise, t);
        let (x, y) = (x.map(T::lit), T::lit(y));
        long.learn(&x, y).unwrap();
        if t >= rows - recent {
            fresh.learn(&x, y).unwrap();
        }
    }
    let mut worst = 0.0_f64;
    for k in 0..4 {
        let (v, w) = (covariance(&long, k), covariance(&fresh, k));
        let size = |i: usize, j: usize| (w[i][i] * w[j][j]).sqrt();
        for i in 0..P {
            for j in 0..P {
                worst = worst.max((v[i][j] - w[i][j]).abs() / size(i, j));
            }
        }
        for (j, (m, n)) in long.head(k).unwrap().zip(fresh.head(k).unwrap()).enumerate() {
            worst = worst.max((m.to_f64() - n.to_f64()).abs() / size(j, j).sqrt());
        }
    }
    println!("f{}: {worst:e} after {rows} rows", T::BITS);
    assert!(worst < tolerance, "{worst:e}");
}

#[test]
fn factors_do_not_drift_in_ten_million_rows() {
    does_not_drift::<f64>(1e-12);
    does_not_drift::<f32>(2e-4);
}

/// A constant row says nothing about all other directions: without the leak their variances would grow by
/// .95^-100000.
fn winds_up<T: Compiled>() {
    let bytes = image::<T>(2, &[f64::INFINITY, 7.0]);
    let options = StreamOptions::<T> { forgetting: T::lit(0.95), lanes: 8, ..Default::default() };
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
