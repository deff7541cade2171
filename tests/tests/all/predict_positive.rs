//! Laws of positive numbers, and of those that are 0 or positive, against sums and integrals of their definition.

use crate::output::logistic;
use crate::predict_classes::{DRAWS, each_law, image, near, outputs, rows, shape};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::network::Output;
use lcc_core::posterior::Image;
use lcc_core::predict::{
    Amounts, Evaluation, Gammas, Law, Mixture, NetworkCompiled, NetworkPredictor, Positive,
    PredictError, Scores, log_normalisers,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::quadrature::legendre;

const UNITS: [f64; 2] = [0.75, 0.5];
const FLOOR: f64 = 0.125;

/// The law of one draw: P above 0, and of the amount ln y's mean and sd, or ln of its mean and its shape.
struct Own {
    above: f64,
    place: f64,
    form: f64,
    gamma: bool,
    /// The variance of an amount in squares of its mean, as moments have it.
    noise: f64,
    /// The largest mean of an amount in moments.
    highest: f64,
    /// P(amount <= e^a) at the ends a of the pieces.
    below: Vec<f64>,
}

/// The pieces' length in ln y, and how many there are on each side of 0.
const PIECE: f64 = 0.25;
const PIECES: i32 = 80;

impl Own {
    fn new(above: f64, place: f64, form: f64, gamma: bool) -> Self {
        let noise = if gamma { 1.0 / form } else { (form * form).exp_m1() };
        let mut own =
            Self { above, place, form, gamma, noise, highest: f64::INFINITY, below: vec![] };
        let first = PIECE * f64::from(-PIECES);
        // Far below its mean a Gamma number has the distribution function (k y/m)^k / Gamma(k + 1).
        let mut sum = if gamma { own.of_log(first) / form } else { 0.0 };
        for k in -PIECES..PIECES {
            own.below.push(sum);
            let a = PIECE * f64::from(k);
            sum += own.mass(a, a + PIECE);
        }
        own
    }

    /// The density of ln y of an amount.
    fn of_log(&self, log: f64) -> f64 {
        let (t, k) = (log - self.place, self.form);
        if self.gamma {
            return (k * k.ln() - libm::lgamma(k) + k * (t - t.exp())).exp();
        }
        (-0.5 * (t / k).powi(2)).exp() / (std::f64::consts::TAU.sqrt() * k)
    }

    fn mass(&self, a: f64, b: f64) -> f64 {
        legendre(12, a, b).into_iter().map(|(log, w)| w * self.of_log(log)).sum()
    }

    /// P(Y <= y).
    fn cdf(&self, y: f64) -> f64 {
        let k = (y.ln() / PIECE).floor();
        let below = self.below[(k as i32 + PIECES) as usize] + self.mass(k * PIECE, y.ln());
        1.0 - self.above + self.above * below
    }

    fn density(&self, y: f64) -> f64 {
        self.above * self.of_log(y.ln()) / y
    }

    /// E(Y), and E(Y^2).
    fn moments(&self) -> [f64; 2] {
        let (m, k) = (self.place, self.form);
        let mean = if self.gamma { m.exp() } else { (m + 0.5 * k * k).exp() };
        let mean = mean.min(self.highest);
        [self.above * mean, self.above * mean * mean * (1.0 + self.noise)]
    }
}

/// The law of each draw.
fn parts(output: Output, o: &[Vec<f64>]) -> Vec<Own> {
    let [mean, sd] = UNITS;
    let hurdle = usize::from(output.has_hurdle());
    let of = |o: &Vec<f64>| {
        let above = if hurdle > 0 { logistic(o[0]) } else { 1.0 };
        let (place, spread) = (mean + sd * o[hurdle], (o[hurdle + 1].exp() + FLOOR * FLOOR).sqrt());
        if output.is_gamma() {
            return Own::new(above, place, (sd * spread).powi(-2), true);
        }
        // No noise is wider than three sds of the logarithms.
        Own::new(above, place, sd * spread.min(3.0), false)
    };
    let mut all: Vec<Own> = o.iter().map(of).collect();
    if output.is_gamma() {
        // No noise counts for more than nine times the usual.
        let usual = all.len() as f64 / all.iter().map(|own| 1.0 / own.noise).sum::<f64>();
        all.iter_mut().for_each(|own| own.noise = own.noise.min(9.0 * usual));
    }
    // And no mean for more than three times the usual.
    let above: f64 = all.iter().map(|own| own.above).sum();
    let log = |own: &Own| own.above * (own.moments()[0] / own.above).ln();
    let highest = 3.0 * (all.iter().map(log).sum::<f64>() / above).exp();
    all.iter_mut().for_each(|own| own.highest = highest);
    all
}

fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The integral over y > 0, by rules in ln y.
fn over(f: impl Fn(f64) -> f64) -> f64 {
    let pieces = (-PIECES..PIECES).map(|k| f64::from(k) * PIECE);
    let points = pieces.flat_map(|a| legendre(12, a, a + PIECE));
    points.map(|(t, w)| w * t.exp() * f(t.exp())).sum()
}

fn laws<T: NetworkCompiled>() {
    let log = [Output::LogNormal, Output::Gamma].map(|own| shape(own, 2, [6, 3, 0, 0], 2));
    let hurdle = [Output::HurdleLogNormal, Output::HurdleGamma];
    let hurdle = hurdle.map(|own| shape(own, 2, [6, 3, 0, 0], 3));
    for shape in log.into_iter().chain(hurdle) {
        let bytes = image::<T>(shape, FLOOR, UNITS, &[]);
        each_law::<T>(&bytes, 7, |row, law| {
            let parts = parts(shape.output, &outputs(&shape, row, &[]));
            let n = DRAWS as f64;
            let mean = |f: &dyn Fn(&Own) -> f64| parts.iter().map(f).sum::<f64>() / n;
            let zero = mean(&|own| 1.0 - own.above);
            let below = |y: f64| mean(&|own| own.cdf(y));
            let first = |own: &Own| own.moments()[0];
            let second = |own: &Own| own.moments()[1];
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
                near(law.log_score(T::lit(y)), mean(&|own| own.density(y)).ln(), "log score");
                near(law.cdf(T::lit(y)), below(y), "cdf");
                near(law.pit(T::lit(y), T::HALF), below(y), "pit");
                law.log_scores(T::lit(y), &mut logs);
                for (log, p) in logs.iter().zip(&parts) {
                    near(*log, p.density(y).ln(), "log score of a draw");
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
                for (log, own) in logs.iter().zip(&parts) {
                    near(*log, (1.0 - own.above).ln(), "log score of 0 of a draw");
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
    let law = Positive::new(Amounts::LogNormal(logs));
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
    let law = Positive::new(Amounts::LogNormal(logs)).with_hurdle(&mut odds, zero, weight).unwrap();
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
            let one = |own: &Own| {
                let (m, s) = (own.place, own.form);
                let z = (y.ln() - m) / s;
                y * (2.0 * normal_cdf(z) - 1.0)
                    + (m + 0.5 * s * s).exp() * (1.0 - 2.0 * normal_cdf(z - s))
            };
            let away = parts.iter().map(one).sum::<f64>() / n;
            let f = |t: f64| {
                parts.iter().map(|own| normal_cdf((t.ln() - own.place) / own.form)).sum::<f64>() / n
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
        Positive::new(Amounts::LogNormal(logs)).crps(T::lit(2.0)).to_f64()
    }
    for k in 0..200 {
        let (location, wide) = (0.013 * f64::from(k), 1.0 + 0.015 * f64::from(k));
        let (single, double) = (crps::<f32>(location, wide), crps::<f64>(location, wide));
        assert!((single - double).abs() < 1e-3 * (1.0 + double), "{wide}: {single} {double}");
    }
}

/// (shape, ln(y/mean), P(Y <= y), P(Y > y), CRPS at y in units of the mean) by mpmath to 40 digits: the power series, the
/// continued fraction and the form of large shapes, far out and near the mean.
#[rustfmt::skip]
const GAMMA: &[(f64, f64, f64, f64, f64)] = &[
    (0.0625, -40.0, 0.071337745991592274, 0.92866225400840773, 0.07757792770157593),
    (0.0625, -3.0, 0.72035393910973961, 0.27964606089026039, 0.095306136159712934),
    (0.0625, 0.0, 0.8659272665797068, 0.1340727334202932, 0.71041246701190649),
    (0.0625, 2.5, 0.97813449143153037, 0.021865508568469633, 10.720057734178037),
    (0.5, -6.0, 0.039707928148868244, 0.96029207185113176, 0.36103273195753799),
    (0.5, -0.5, 0.56390292361497106, 0.43609707638502894, 0.23076982071253592),
    (0.5, 0.25, 0.7428480832969163, 0.2571519167030837, 0.4528861496669918),
    (0.5, 2.0, 0.99343780832740866, 0.0065621916725913411, 5.7764168321420898),
    (1.0, -3.0, 0.048568007099546593, 0.95143199290045341, 0.45265105416877076),
    (1.0, 0.125, 0.67798219922855733, 0.32201780077144267, 0.27718405460971166),
    (1.0, 1.5, 0.98868571361954038, 0.011314286380459623, 3.0043176430989841),
    (3.0, -2.0, 0.0082522744678555019, 0.9917477255321445, 0.552758288680029),
    (3.0, 0.0, 0.57680991887315648, 0.42319008112684352, 0.13558361531077549),
    (3.0, 1.0, 0.98781518902790832, 0.012184810972091683, 1.4158502958137756),
    (20.0, -0.75, 0.0018432944265911814, 0.99815670557340882, 0.40239807575478464),
    (20.0, 0.0625, 0.63933549569556623, 0.36066450430443377, 0.06332503548812189),
    (20.0, 0.5, 0.9939680545358049, 0.0060319454641950979, 0.52459932321137077),
    (300.0, -0.25, 1.7566989672137962e-5, 0.99998243301032786, 0.18863965826024277),
    (300.0, 0.03125, 0.71338328533856452, 0.28661671466143548, 0.020703829865919068),
    (300.0, 0.125, 0.98713178764222171, 0.012868212357778293, 0.10115761725740758),
    (5000.0, -0.0625, 6.2374382878691275e-6, 0.99999376256171213, 0.05260832642970986),
    (5000.0, -0.0078125, 0.29219222754153816, 0.70780777245846184, 0.0049463289495976521),
    (5000.0, 0.015625, 0.86702699498962148, 0.13297300501037852, 0.0096902948744070328),
    (5000.0, 0.046875, 0.99958911657700357, 0.00041088342299642532, 0.040015486167572283),
    (100000.0, -0.0078125, 0.0068265715081190585, 0.99317342849188094, 0.0060119230220140962),
    (100000.0, 0.001953125, 0.73200472831779235, 0.26799527168220765, 0.0012077661696360769),
];

#[test]
fn gamma_laws_meet_the_exact_values() {
    fn check<T: NetworkCompiled>(tolerance: f64) {
        for &(shape, log, lower, upper, crps) in GAMMA {
            let (own, mean) = ([T::lit(shape)], [T::lit(0.25)]);
            let rest = [lcc_core::special::scalar::binet(own[0])];
            let law = Gammas::new(&mean, &own, &rest).unwrap();
            let x = T::lit(log + 0.25);
            // What rounding of ln y moves the tails by.
            let at = law.tails(x);
            let slack = at.density.to_f64() * 2.0 * T::EPSILON.to_f64() * (0.25 + log.abs());
            for (got, want) in [(at.lower, lower), (at.upper, upper)] {
                let (off, least) = ((got.to_f64() - want).abs(), want.min(1.0 - want));
                // Of large shapes the form is that to 1e-8.
                let tolerance = if shape > 3e3 { tolerance.max(1e-7) } else { tolerance };
                let relative = tolerance * (want + 16.0 * least * (1.0 + shape * log.abs()));
                assert!(off <= relative + slack, "{shape} {log}: {got:?} for {want}");
            }
            for (p, upper) in [(lower, false), (upper, true)] {
                if p > 1e-30 && p < 0.6 {
                    let found = law.tail_quantile(T::lit(p), upper).to_f64();
                    let back = law.tails(T::lit(found));
                    let back = if upper { back.upper } else { back.lower }.to_f64();
                    assert!(
                        (back / p - 1.0).abs() < 4e4 * tolerance * (1.0 + shape),
                        "{shape} {log}: {back} {p}"
                    );
                }
            }
            let law = Positive::new(Amounts::Gamma(law));
            let unit = 0.25_f64.exp();
            let got = law.crps(T::lit(unit * log.exp())).to_f64() / unit;
            assert!(
                (got - crps).abs() <= 40.0 * tolerance.max(1e-8) * (1.0 + crps),
                "{shape} {log}: {got} for {crps}"
            );
        }
    }
    check::<f64>(1e-14);
    check::<f32>(1e-6);
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
