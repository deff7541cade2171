//! Laws of positive numbers, and of those that are 0 or positive, against sums and integrals of their definition.

use crate::output::logistic;
use crate::predict_classes::{DRAWS, each_law, image, near, outputs, rows, shape};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::network::Output;
use lcc_core::posterior::Image;
use lcc_core::predict::{
    Evaluation, Law, Mixture, NetworkCompiled, NetworkPredictor, Positive, PredictError, Scores,
    log_normalisers,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::quadrature::legendre;

const UNITS: [f64; 2] = [0.75, 0.5];
const FLOOR: f64 = 0.125;

/// (P above 0, mean and sd of ln y) of each draw.
fn parts(output: Output, o: &[Vec<f64>]) -> Vec<[f64; 3]> {
    let [mean, sd] = UNITS;
    let hurdle = (output == Output::HurdleLogNormal) as usize;
    let of = |o: &Vec<f64>| {
        let above = if hurdle > 0 { logistic(o[0]) } else { 1.0 };
        let spread = (o[hurdle + 1].exp() + FLOOR * FLOOR).sqrt();
        // No noise is wider than three sds of the logarithms.
        [above, mean + sd * o[hurdle], sd * spread.min(3.0)]
    };
    o.iter().map(of).collect()
}

fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The integral over y > 0, by rules in ln y.
fn over(f: impl Fn(f64) -> f64) -> f64 {
    let pieces = (-80..80).map(|k| f64::from(k) * 0.25);
    let points = pieces.flat_map(|a| legendre(12, a, a + 0.25));
    points.map(|(t, w)| w * t.exp() * f(t.exp())).sum()
}

fn laws<T: NetworkCompiled>() {
    let log = shape(Output::LogNormal, 2, [6, 3, 0, 0], 2);
    let hurdle = shape(Output::HurdleLogNormal, 2, [6, 3, 0, 0], 3);
    for shape in [log, hurdle] {
        let bytes = image::<T>(shape, FLOOR, UNITS, &[]);
        each_law::<T>(&bytes, 7, |row, law| {
            let parts = parts(shape.output, &outputs(&shape, row, &[]));
            let n = DRAWS as f64;
            let mean = |f: &dyn Fn(&[f64; 3]) -> f64| parts.iter().map(f).sum::<f64>() / n;
            let zero = mean(&|[p, ..]| 1.0 - p);
            let below = |y: f64| mean(&|[p, m, s]| 1.0 - p + p * normal_cdf((y.ln() - m) / s));
            let own = |y: f64, [p, m, s]: &[f64; 3]| {
                let z = (y.ln() - m) / s;
                p * (-0.5 * z * z).exp() / (std::f64::consts::TAU.sqrt() * s * y)
            };
            let first = |[p, m, s]: &[f64; 3]| p * (m + 0.5 * s * s).exp();
            let second = |[p, m, s]: &[f64; 3]| p * (2.0 * (m + s * s)).exp();
            let centre = mean(&first);
            let told = law.prediction(T::lit(0.8));
            near(told.mean, centre, "mean");
            near(told.sd, (mean(&second) - centre * centre).sqrt(), "sd");
            let [noise, unknown] = law.spread();
            near(noise, mean(&|p| second(p) - first(p).powi(2)).sqrt(), "noise");
            near(unknown, mean(&|p| (first(p) - centre).powi(2)).sqrt(), "of the network");
            for (end, p) in
                [(told.lower, 0.1), (told.upper, 0.9), (law.quantile(T::lit(0.97)), 0.97)]
            {
                let end = end.to_f64();
                if end > 0.0 {
                    near(T::lit(below(end)), p, "quantile");
                } else {
                    assert!(end == 0.0 && p <= zero + 1e-6, "{end} {p} {zero}");
                }
            }
            let (mut logs, mut means) = (vec![T::ZERO; DRAWS], vec![T::ZERO; DRAWS]);
            law.means(&mut means);
            for (m, p) in means.iter().zip(&parts) {
                near(*m, first(p), "mean of a draw");
            }
            for y in [0.4, 2.0, 9.0] {
                near(law.log_score(T::lit(y)), mean(&|p| own(y, p)).ln(), "log score");
                near(law.cdf(T::lit(y)), below(y), "cdf");
                near(law.pit(T::lit(y), T::HALF), below(y), "pit");
                law.log_scores(T::lit(y), &mut logs);
                for (log, p) in logs.iter().zip(&parts) {
                    near(*log, own(y, p).ln(), "log score of a draw");
                }
            }
            for y in [0.0, 0.4, 9.0] {
                let crps = over(|t| (below(t) - if t >= y { 1.0 } else { 0.0 }).powi(2));
                // Rules of the reference cut one piece at y.
                assert!((law.crps(T::lit(y)).to_f64() - crps).abs() < 2e-2 * (1.0 + crps), "{y}");
            }
            // From -1 to 0 there is nothing.
            near(law.crps(T::lit(-1.0)), 1.0 + law.crps(T::ZERO).to_f64(), "crps below");
            assert_eq!(law.log_score(T::lit(-0.5)), -T::INFINITY);
            assert_eq!(law.cdf(T::lit(-0.5)), T::ZERO);
            law.log_scores(T::ZERO, &mut logs);
            if zero == 0.0 {
                assert_eq!(law.log_score(T::ZERO), -T::INFINITY);
                assert!(logs.iter().all(|log| *log == -T::INFINITY));
                assert!(law.quantile(T::lit(1e-6)) > T::ZERO);
            } else {
                near(law.log_score(T::ZERO), zero.ln(), "log score of 0");
                near(law.cdf(T::ZERO), zero, "cdf of 0");
                near(law.pit(T::ZERO, T::lit(0.25)), 0.25 * zero, "pit of 0");
                assert_eq!(law.quantile(T::lit(0.9 * zero)), T::ZERO);
                for (log, [p, ..]) in logs.iter().zip(&parts) {
                    near(*log, (1.0 - p).ln(), "log score of 0 of a draw");
                }
            }
            assert!([-0.1, 1.1].iter().all(|p| law.quantile(T::lit(*p)).to_f64().is_nan()));
            let mut stream = Stream::new(5, 0, Purpose::Predictive);
            let count = 4000;
            let draws: Vec<f64> = (0..count).map(|_| law.draw(&mut stream).to_f64()).collect();
            let share = |of: &dyn Fn(f64) -> bool| {
                draws.iter().filter(|y| of(**y)).count() as f64 / f64::from(count)
            };
            let error = |p: f64| 5.0 * (p * (1.0 - p) / f64::from(count)).sqrt();
            assert!((share(&|y| y == 0.0) - zero).abs() <= error(zero));
            assert!((share(&|y| y <= 2.0) - below(2.0)).abs() <= error(below(2.0)));
        });
    }
}

#[test]
fn laws_of_positive_numbers_are_those_of_their_definition() {
    laws::<f64>();
    laws::<f32>();
}

/// A draw in a hundred that has any noise, as far from the training rows: the median does not mind, and no more do the
/// moments. Its noise counts for three times what that of the others does to the mean.
#[test]
fn moments_are_not_those_of_one_wide_draw() {
    let (location, nu) = ([1.0_f64; 100], [f64::INFINITY; 100]);
    let (mut scale, mut norm) = ([0.5; 100], [0.0; 100]);
    scale[31] = 4.0;
    log_normalisers(&nu, &mut norm);
    let logs = Mixture::new(Isa::detect(), &location, &scale, &nu, &norm).unwrap();
    let law = Positive::new(logs);
    let usual = 100.0 / (99.0 / 0.25 + 1.0 / 16.0);
    let widest = usual + 2.0 * 3.0_f64.ln();
    let mean = |v: f64| (1.0 + 0.5 * v).exp();
    let own = law.prediction(0.9);
    near(own.mean, 0.99 * mean(0.25) + 0.01 * mean(widest), "mean");
    let second = 0.99 * 0.5_f64.exp() + 0.01 * (2.0 * widest).exp();
    near(own.sd, (2.0_f64.exp() * second - own.mean * own.mean).sqrt(), "sd");
    assert!(own.mean < own.upper && own.sd < own.upper, "{own:?}");
    // The tail itself is there.
    assert!(1.0 - law.cdf((1.0_f64 + 8.0).exp()) > 0.01 * 0.02);
}

/// A draw by which there is almost surely nothing knows nothing of amounts: at e^20 it would be the mean.
#[test]
fn moments_are_not_those_of_an_amount_that_nothing_tells() {
    let (scale, nu) = ([0.5_f64; 100], [f64::INFINITY; 100]);
    let (mut location, mut odds, mut norm) = ([1.0; 100], [-1.0; 100], [0.0; 100]);
    (location[31], odds[31]) = (20.0, -12.0);
    log_normalisers(&nu, &mut norm);
    let logs = Mixture::new(Isa::detect(), &location, &scale, &nu, &norm).unwrap();
    let (zero, weight) = (&mut [0.0; 100], &mut [0.0; 100]);
    let law = Positive::new(logs).with_hurdle(&mut odds, zero, weight).unwrap();
    let [usual, rare] = [-1.0_f64, -12.0].map(|odds| 1.0 / (1.0 + (-odds).exp()));
    let share = 0.99 * usual + 0.01 * rare;
    let log = 1.125 + 0.01 * rare / share * 19.0;
    let mean = 0.99 * usual * 1.125_f64.exp() + 0.01 * rare * 3.0 * log.exp();
    let own = law.prediction(0.9);
    near(own.mean, mean, "mean");
    assert!(own.mean < own.upper && own.sd < own.upper, "{own:?}");
    // The tail itself is there.
    assert!(1.0 - law.cdf(19.0_f64.exp()) > 0.9 * 0.01 * rare);
}

/// The closed form of a single log-normal law (Baran and Lerch 2015).
#[test]
fn crps_of_one_log_normal_is_the_closed_form() {
    let shape = shape(Output::LogNormal, 2, [6, 3, 0, 0], 2);
    let bytes = image::<f64>(shape, FLOOR, UNITS, &[]);
    each_law::<f64>(&bytes, 5, |row, law| {
        let Law::Positive(law) = law else { panic!("another law") };
        let parts = parts(shape.output, &outputs(&shape, row, &[]));
        let n = DRAWS as f64;
        for y in [0.3_f64, 2.0, 20.0] {
            // E|Y - y| of each, and E|Y - Y'| of each pair by the difference of their distribution functions.
            let one = |[_, m, s]: &[f64; 3]| {
                let z = (y.ln() - m) / s;
                y * (2.0 * normal_cdf(z) - 1.0)
                    + (m + 0.5 * s * s).exp() * (1.0 - 2.0 * normal_cdf(z - s))
            };
            let away = parts.iter().map(one).sum::<f64>() / n;
            let f = |t: f64| {
                parts.iter().map(|[_, m, s]| normal_cdf((t.ln() - m) / s)).sum::<f64>() / n
            };
            let within = over(|t| f(t) * (1.0 - f(t)));
            assert!(
                (law.crps(y) - (away - within)).abs() < 1e-6 * (1.0 + away),
                "{} {}",
                law.crps(y),
                away - within
            );
        }
    });
}

/// The same in single precision, of laws whose furthest points have an e^x that it does not hold.
#[test]
fn crps_of_wide_laws_is_that_of_double_precision() {
    fn crps<T: NetworkCompiled>(location: f64, wide: f64) -> f64 {
        let scale: Vec<T> = (0..100).map(|k| T::lit(if k == 31 { wide } else { 0.5 })).collect();
        let (location, nu) = ([T::lit(location); 100], [T::INFINITY; 100]);
        let mut norm = [T::ZERO; 100];
        log_normalisers(&nu, &mut norm);
        let logs = Mixture::new(Isa::detect(), &location, &scale, &nu, &norm).unwrap();
        Positive::new(logs).crps(T::lit(2.0)).to_f64()
    }
    for k in 0..200 {
        let (location, wide) = (0.013 * f64::from(k), 1.0 + 0.015 * f64::from(k));
        let (single, double) = (crps::<f32>(location, wide), crps::<f64>(location, wide));
        assert!((single - double).abs() < 1e-3 * (1.0 + double), "{wide}: {single} {double}");
    }
}

/// Scores over rows; targets that no such number is are refused.
#[test]
fn rows_of_positive_numbers_are_scored() {
    let shape = shape(Output::HurdleLogNormal, 2, [3, 0, 0, 0], 3);
    let bytes = image::<f64>(shape, FLOOR, UNITS, &[]);
    let image = Image::open(&bytes).unwrap();
    let mut buffer = vec![0.0; NetworkPredictor::<f64>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let n = 40;
    let x = rows(&shape, n);
    let inputs = Inputs::row_major(&x, n, 2).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let mut y = vec![0.0; n];
    predictor
        .draws(&inputs, &mut Stream::new(9, 0, Purpose::Predictive), &mut y, &mut scratch)
        .unwrap();
    assert!(y.contains(&0.0) && y.iter().any(|y| *y > 0.0));
    let data = Dataset::new(inputs, &y).unwrap();
    let Scores::Numbers(told) = predictor.evaluate(&data, 0.8, true, &mut scratch).unwrap() else {
        panic!("scores of classes")
    };
    let mut want =
        Evaluation { rmse: 0.0, log_likelihood: 0.0, coverage: 0.0, width: 0.0, crps: 0.0 };
    predictor
        .for_each_row(&inputs, &mut scratch, |row, law| {
            let p = law.prediction(0.8);
            want.rmse += (p.mean - y[row]).powi(2);
            want.log_likelihood += law.log_score(y[row]);
            want.coverage += f64::from(u8::from(p.lower <= y[row] && y[row] <= p.upper));
            want.width += p.upper - p.lower;
            want.crps += law.crps(y[row]);
        })
        .unwrap();
    let count = n as f64;
    near(told.rmse, (want.rmse / count).sqrt(), "rmse");
    near(told.log_likelihood, want.log_likelihood / count, "log score");
    near(told.coverage, want.coverage / count, "coverage");
    near(told.width, want.width / count, "width");
    near(told.crps, want.crps / count, "crps");
    y[3] = -1.0;
    let data = Dataset::new(inputs, &y).unwrap();
    let refused = predictor.evaluate(&data, 0.8, true, &mut scratch);
    assert_eq!(refused, Err(PredictError::Target));
}
