//! The output families: densities, derivatives, information, priors and moments, against exact values and a
//! plain twin written from the definitions.

use lcc_core::network::output::{self, GROUP};
use lcc_core::network::{Family, Output};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, Lanes};
use lcc_tests::quadrature::legendre;
use lcc_tests::{number, numbers, reference};
use std::f64::consts::PI;

/// One row: a family, its own coordinates, nu, and outputs.
#[derive(Clone, Debug)]
struct Row {
    family: Family<f64>,
    own: Vec<f64>,
    nu: f64,
    o: Vec<f64>,
}

/// ln p and its derivatives by outputs and own coordinates.
#[derive(Debug, PartialEq)]
struct Jet {
    value: f64,
    by_output: Vec<f64>,
    by_own: Vec<f64>,
}

/// The family in another precision.
fn cast<T: Real>(f: &Family<f64>) -> Family<T> {
    Family {
        output: f.output,
        categories: f.categories,
        reference: f.reference,
        noise: T::lit(f.noise),
        noise_shape: T::lit(f.noise_shape),
        noise_rate: T::lit(f.noise_rate),
        floor: T::lit(f.floor),
        size: T::lit(f.size),
    }
}

fn splat<T: Real, const N: usize>(x: &[f64]) -> Vec<[T; N]> {
    x.iter().map(|x| [T::lit(*x); N]).collect()
}

/// Rows of one family, chain and precision side by side: ln p of all and their derivatives, row by row.
fn group<T: Lanes<N>, const N: usize>(
    isa: Isa,
    family: &Family<T>,
    y: &[T],
    own: &[[T; N]],
    nu: [T; N],
    o: &mut [[[T; N]; GROUP]],
) -> ([T; N], Vec<[T; N]>) {
    let mut by_own = vec![[T::ZERO; N]; family.coordinates()];
    let mut ready = vec![[T::NAN; N]; family.ready_len()];
    let value = output::log_density(isa, family, y, own, &nu, o, &mut by_own, &mut ready);
    (value, by_own)
}

/// The core at one row.
fn core<T: Lanes<1>>(row: &Row, y: f64) -> Jet {
    let family = cast::<T>(&row.family);
    assert!(family.valid() && family.outputs() == row.o.len(), "{row:?}");
    let mut o: Vec<[[T; 1]; GROUP]> =
        row.o.iter().map(|o| [[T::lit(*o)], [T::NAN], [T::NAN], [T::NAN]]).collect();
    let own = splat(&row.own);
    let (value, by_own) =
        group::<T, 1>(Isa::Portable, &family, &[T::lit(y)], &own, [T::lit(row.nu)], &mut o);
    for o in &o {
        assert_eq!(o[1..], [[T::ZERO]; 3], "rows that are not there");
    }
    Jet {
        value: value[0].to_f64(),
        by_output: o.iter().map(|o| o[0][0].to_f64()).collect(),
        by_own: by_own.iter().map(|g| g[0].to_f64()).collect(),
    }
}

fn ln_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let top = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    top + terms.map(|t| libm::exp(t - top)).sum::<f64>().ln()
}

fn normal(y: f64, mean: f64, variance: f64) -> f64 {
    -0.5 * ((2.0 * PI * variance).ln() + (y - mean).powi(2) / variance)
}

/// ln p(y | o) from the definition.
fn twin(Row { family: f, own, nu, o }: &Row, y: f64) -> f64 {
    let ln_precision = || own.first().copied().unwrap_or(-2.0 * f.noise.ln());
    let variance = |log: f64| libm::exp(log) + f.floor * f.floor;
    match f.output {
        Output::StudentT => {
            let beta = libm::exp(ln_precision());
            let constant = libm::lgamma((nu + 1.0) / 2.0) - libm::lgamma(nu / 2.0);
            constant + 0.5 * (beta / (nu * PI)).ln()
                - 0.5 * (nu + 1.0) * libm::log1p(beta * (y - o[0]).powi(2) / nu)
        }
        Output::Gaussian => normal(y, o[0], libm::exp(-ln_precision())),
        Output::MeanVariance => normal(y, o[0], variance(o[1])),
        Output::Mixture => {
            let k = f.categories as usize;
            let joint = (0..k).map(|j| o[j] + normal(y, o[k + j], variance(o[2 * k + j])));
            ln_sum(joint) - ln_sum(o[..k].iter().copied())
        }
        Output::Bernoulli => -libm::log1p(libm::exp(if y > 0.0 { -o[0] } else { o[0] })),
        Output::Softmax => {
            let mut logits = o.clone();
            if f.reference {
                logits.insert(0, 0.0);
            }
            logits[y as usize] - ln_sum(logits.iter().copied())
        }
        Output::Poisson => y * o[0] - libm::exp(o[0]) - libm::lgamma(y + 1.0),
        Output::NegativeBinomial => {
            let (r, m) = (own.first().map_or(f.size, |log| libm::exp(*log)), libm::exp(o[0]));
            libm::lgamma(y + r) - libm::lgamma(r) - libm::lgamma(y + 1.0)
                + r * (r / (r + m)).ln()
                + y * (m / (r + m)).ln()
        }
        Output::Ordinal => {
            let t = thresholds(own);
            let below = |k: usize| t.get(k).map_or(1.0, |t| logistic(t - o[0]));
            let k = y as usize;
            (below(k) - k.checked_sub(1).map_or(0.0, below)).ln()
        }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Thresholds from the first and the logarithms of the gaps.
fn thresholds(own: &[f64]) -> Vec<f64> {
    let gap = |j: usize| if j == 0 { own[0] } else { libm::exp(own[j]) };
    (0..own.len()).scan(0.0, |t, j| Some(*t + gap(j)).inspect(|sum| *t = *sum)).collect()
}

/// The density of the own coordinates' prior, from the definition: of ln beta, of ln r, of thresholds.
fn prior_twin(f: &Family<f64>, own: &[f64]) -> f64 {
    match f.output {
        _ if own.is_empty() => 0.0,
        Output::StudentT | Output::Gaussian => {
            // beta ~ Gamma, times d beta / d ln beta.
            let (a, b) = (f.noise_shape, f.noise_rate);
            a * b.ln() - libm::lgamma(a) + a * own[0] - b * libm::exp(own[0])
        }
        Output::NegativeBinomial => {
            // 1/sqrt(r) is half-Cauchy; |d r^(-1/2) / d ln r| = r^(-1/2) / 2.
            let tau = libm::exp(-0.5 * own[0]);
            (2.0 / PI / (1.0 + tau * tau) * 0.5 * tau).ln()
        }
        Output::Ordinal => {
            // Uniform probabilities at output 0, times |d thresholds / d own|.
            let slopes = thresholds(own).into_iter().map(|t| (logistic(t) * logistic(-t)).ln());
            libm::lgamma(f64::from(f.categories))
                + slopes.sum::<f64>()
                + own[1..].iter().sum::<f64>()
        }
        _ => 0.0,
    }
}

/// What y can be: all real numbers, or counts below a bound.
fn range(f: &Family<f64>) -> Option<usize> {
    match f.output {
        Output::Bernoulli => Some(2),
        Output::Softmax | Output::Ordinal => Some(f.categories as usize),
        Output::Poisson | Output::NegativeBinomial => Some(400),
        _ => None,
    }
}

/// Rows of every family at ordinary places, some of them random.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut stream = Stream::new(3, 0, Purpose::Predictive);
    for output in Output::ALL {
        let usual = Family::of(output);
        let families = match output {
            Output::StudentT | Output::Gaussian => {
                vec![
                    Family { noise: 0.7, ..usual },
                    Family { noise_shape: 1.5, noise_rate: 0.4, ..usual },
                    usual,
                ]
            }
            Output::MeanVariance => {
                vec![usual, Family { floor: 0.0, ..usual }, Family { floor: 0.5, ..usual }]
            }
            Output::Mixture => (1..6)
                .flat_map(|categories| {
                    [0.0, 0.3].map(|floor| Family { categories, floor, ..usual })
                })
                .collect(),
            Output::Softmax => (2..6)
                .flat_map(|categories| {
                    [false, true].map(|reference| Family { categories, reference, ..usual })
                })
                .collect(),
            Output::NegativeBinomial => vec![usual, Family { size: 2.5, ..usual }],
            Output::Ordinal => (2..6).map(|categories| Family { categories, ..usual }).collect(),
            _ => vec![usual],
        };
        for family in families {
            for nu in [3.0, 12.0] {
                let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| stream.normal()).collect() };
                let (own, mut o) = (draw(family.coordinates()), draw(family.outputs()));
                if output == Output::Ordinal && nu > 3.0 {
                    o = vec![0.0];
                }
                rows.push(Row { family, own, nu, o });
            }
        }
    }
    rows
}

/// Values of y to try at a row.
fn targets(row: &Row) -> Vec<f64> {
    match range(&row.family) {
        Some(n) => (0..n.min(30)).map(|y| y as f64).collect(),
        None => vec![-4.0, -0.7, 0.0, 0.3, 6.0],
    }
}

/// The derivative at h = 0, to O(h^4).
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - f(2.0 * h) + f(-2.0 * h)) / (12.0 * h)
}

fn moved(list: &[f64], k: usize, h: f64) -> Vec<f64> {
    let mut list = list.to_vec();
    list[k] += h;
    list
}

fn near(got: f64, want: f64, tolerance: f64, what: impl std::fmt::Debug) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{got} against {want}: {what:?}");
}

/// Values and derivatives against the definitions.
#[test]
fn densities_and_derivatives_are_those_of_the_definitions() {
    for row in rows() {
        for y in targets(&row) {
            assert!(row.family.possible(y));
            let jet = core::<f64>(&row, y);
            near(jet.value, twin(&row, y), 2e-13, (&row, y));
            for (k, got) in jet.by_output.iter().enumerate() {
                let want = slope(|h| twin(&Row { o: moved(&row.o, k, h), ..row.clone() }, y));
                near(*got, want, 1e-9, (&row, y, k));
            }
            for (k, got) in jet.by_own.iter().enumerate() {
                let want = slope(|h| twin(&Row { own: moved(&row.own, k, h), ..row.clone() }, y));
                near(*got, want, 1e-9, (&row, y, k));
            }
        }
    }
}

/// In single precision as in double at the same numbers, to rounding.
fn single_is_near(row: &Row, y: f64) {
    let round = |x: &[f64]| x.iter().map(|x| f64::from(*x as f32)).collect::<Vec<_>>();
    let family = Family {
        floor: f64::from(row.family.floor as f32),
        noise: f64::from(row.family.noise as f32),
        size: f64::from(row.family.size as f32),
        ..row.family
    };
    let row = Row { family, own: round(&row.own), nu: row.nu, o: round(&row.o) };
    let y = f64::from(y as f32);
    let (got, want) = (core::<f32>(&row, y), core::<f64>(&row, y));
    // Relative rounding in an exponential grows with its argument; y and its mean cancel.
    let size = row.o.iter().chain(&row.own).fold(y.abs().min(1e4), |m, x| m.max(x.abs()));
    let tolerance = 16.0 * f64::from(f32::EPSILON) * (1.0 + size);
    near(got.value, want.value, tolerance, ("value", &row, y));
    let pairs = got.by_output.iter().zip(&want.by_output);
    for (got, want) in pairs.chain(got.by_own.iter().zip(&want.by_own)) {
        near(*got, *want, tolerance, ("slope", &row, y));
    }
}

#[test]
fn single_precision_is_within_its_rounding() {
    for row in rows() {
        for y in targets(&row) {
            single_is_near(&row, y);
        }
    }
}

/// (mean, log variance), to 50 digits.
#[test]
fn mean_variance_meets_the_exact_values() {
    for case in reference("mixture_density.json")["heteroscedastic"].as_array().unwrap() {
        let at = |name: &str| number(&case[name]);
        let family = Family { floor: 0.0, ..Family::of(Output::MeanVariance) };
        let o = vec![at("mean"), at("log_variance")];
        let row = Row { family, own: vec![], nu: 1.0, o };
        let y = at("y");
        let jet = core::<f64>(&row, y);
        let exact = ["log_likelihood", "d_mean", "d_log_variance"].map(at);
        for (got, want) in [jet.value, jet.by_output[0], jet.by_output[1]].into_iter().zip(exact) {
            assert!((got - want).abs() <= 1e-12 * want.abs(), "{got} against {want}: {row:?} {y}");
        }
        single_is_near(&row, y);
    }
}

/// Mixtures, to 50 digits: relative to the number itself, and for a difference of weights to its terms.
#[test]
fn mixtures_meet_the_exact_values() {
    for case in reference("mixture_density.json")["mixture"].as_array().unwrap() {
        let list = |name: &str| numbers(&case[name]);
        let categories = number(&case["K"]) as u32;
        let k = categories as usize;
        let family = Family { floor: 0.0, categories, ..Family::of(Output::Mixture) };
        let logs = list("log_sd").into_iter().map(|t| 2.0 * t).collect();
        let o = [list("logits"), list("means"), logs].concat();
        let row = Row { family, own: vec![], nu: 1.0, o };
        let y = number(&case["y"]);
        let jet = core::<f64>(&row, y);
        let value = number(&case["log_likelihood"]);
        assert!((jet.value - value).abs() <= 1e-12 * value.abs(), "{} {value}", jet.value);
        let exact = [list("d_logits"), list("d_means"), list("d_log_variance")].concat();
        for (j, (got, want)) in jet.by_output.iter().zip(exact).enumerate() {
            let floor = if j < k { 4.0 * f64::EPSILON } else { 0.0 };
            assert!((got - want).abs() <= 1e-12 * want.abs() + floor, "{got} {want}: {row:?} {j}");
        }
        let mut o: Vec<[[f64; 1]; GROUP]> = row.o.iter().map(|o| [[*o]; GROUP]).collect();
        let moments = moments(&row, y, &mut o);
        near(moments[0], number(&case["mixture_mean"]), 1e-14, &row);
        near(moments[1], number(&case["mixture_variance"]), 1e-13, &row);
        single_is_near(&row, y);
    }
}

/// (ln r or none, y, o, ln p, its derivatives by o and by ln r), by mpmath to 60 digits. Terms of ln p as it
/// is defined reach 1e9 here.
#[rustfmt::skip]
const COUNTS: &[(Option<f64>, f64, f64, f64, f64, f64)] = &[
    (None, 1000000.0, 13.8155, -7.8267496306287985, 10.557908538881765, 0.0),
    (None, 1000000.0, 13.8, -127.49588720459796, 15390.888770964315, 0.0),
    (None, 1000000.0, 10.0, -2837544.8504529763, 977973.5342051933, 0.0),
    (None, 16777215.0, 16.635, -11.612905037861161, 8927.696352189068, 0.0),
    (None, 0.0, -800.0, -0.0, -0.0, 0.0),
    (None, 3.0, -800.0, -2401.791759469228, 3.0, 0.0),
    (None, 7.0, 2.0, -1.9142174599960646, -0.38905609893065024, 0.0),
    (None, 8.0, 2.0, -1.9936590016759004, 0.6109439010693498, 0.0),
    (None, 0.0, 5.0, -148.4131591025766, -148.4131591025766, 0.0),
    (None, 1.0, -3.0, -3.049787068367864, 0.950212931632136, 0.0),
    (Some(0.0), 1000000.0, 14.0, -14.831529204912128, -0.1684711408078402, 0.5611970321451905),
    (Some(0.0), 1000000.0, 13.0, -15.260329112767241, 1.2603265582278724, 0.13239790431099882),
    (Some(11.5), 1000000.0, 13.8, -19.884987074962154, 1402.4633574605675, -9.414016332259846),
    (Some(18.0), 10.0, 2.0, -2.4934686962444657, 2.6109436072463548, 2.423830097763642e-08),
    (Some(18.0), 1000000.0, 13.8155, -7.834306378471717, 10.399525646146092, 0.007499930023461504),
    (Some(18.0), 0.0, 2.0, -7.389055683166322, -7.389055267402025, -4.157642971676387e-07),
    (Some(-4.5), 1000000.0, 12.0, -18.40727724800256, 0.05714703332447656, 0.9192418940605595),
    (Some(-4.5), 3.0, -2.0, -5.84734349489794, 0.2173082517847417, 0.7705536299564565),
    (Some(0.5), 5.0, 800.0, -1316.9036725319306, -1.6487212707001282, -1313.7830761838397),
    (Some(0.5), 5.0, -800.0, -4001.2510166071784, 5.0, -2.2791415297875175),
    (Some(0.5), 0.0, 800.0, -1318.1526559247525, -1.6487212707001282, -1316.5039346540523),
    (Some(0.5), 0.0, -800.0, 0.0, -0.0, 0.0),
    (Some(1.0), 1.0, 0.0, -1.1647952402514237, 0.0, 0.14846644726679917),
    (Some(2.0), 7.0, 2.0, -2.247765218307437, -0.19452804946532512, 0.24891882570287938),
    (Some(2.0), 8.0, 2.0, -2.3538860160362622, 0.3054719505346749, 0.2624379925007475),
    (Some(30.0), 4.0, 1.0, -1.8963356588071012, 1.2817181715406287, 1.1028887547332957e-13),
    (Some(30.0), 40.0, 60.0, -320594237444645.2, -10686474581523.463, -309907762864171.4),
    (Some(-20.0), 1.0, 0.0, -20.000000043284228, 0.0, 0.9999999587769276),
    (Some(0.001), 1000000.0, -700.0, -700000999.985601, 1000000.0, -999985.5945195507),
];

/// Counts up to the largest, Poisson limits and far outputs keep their digits, in single precision too.
#[test]
fn counts_keep_their_digits() {
    fn check<T: Lanes<1>>() {
        for &(log, y, o, value, by_output, by_own) in COUNTS {
            let output = if log.is_some() { Output::NegativeBinomial } else { Output::Poisson };
            let own = log.into_iter().collect();
            let row = Row { family: Family::of(output), own, nu: 1.0, o: vec![o] };
            let jet = core::<T>(&row, y);
            // The outputs' own rounding, and that of ln y and ln r, moves ln p along its slopes.
            let eps = T::EPSILON.to_f64();
            let size = 1.0 + o.abs() + log.map_or(0.0, f64::abs);
            let curvature = libm::exp(o.min(30.0)).min(y.max(1.0));
            let slack = eps * size * (by_output.abs() + by_own.abs() + eps * size * curvature);
            let off = (jet.value - value).abs();
            println!("f{} {row:?} {y}: {off:.2e} of {value:.3e}", T::BITS);
            assert!(off <= 4.0 * slack + 24.0 * eps * (1.0 + value.abs()), "{row:?} {y}: {jet:?}");
            for (got, want) in jet.by_output.iter().chain(&jet.by_own).zip([by_output, by_own]) {
                let off = (got - want).abs();
                let slack = 4.0 * eps * size * (want.abs() + curvature);
                assert!(off <= slack + 24.0 * eps, "{row:?} {y}: {got} {want}");
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// Outputs far out give finite values and derivatives, in both precisions, of every family.
#[test]
fn far_outputs_stay_finite() {
    fn check<T: Lanes<1>>() {
        for row in rows() {
            let floors = [0.0, 1e-3].map(|floor| Family { floor, ..row.family });
            for family in floors {
                for far in [-800.0, -100.0, 100.0, 800.0] {
                    for k in 0..row.o.len() {
                        for y in targets(&row) {
                            // At the other outputs, and where y meets the mean.
                            for meets in [false, true] {
                                let mut o =
                                    if meets { vec![y; row.o.len()] } else { row.o.clone() };
                                o[k] = far;
                                let row = Row { family, o, ..row.clone() };
                                let jet = core::<T>(&row, y);
                                let mut all = jet.by_output.iter().chain(&jet.by_own);
                                assert!(
                                    jet.value.is_finite() && all.all(|g| g.is_finite()),
                                    "f{} {row:?} {y}: {jet:?}",
                                    T::BITS
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// A NaN among the outputs is never taken for a number.
#[test]
fn nan_stays_nan() {
    for row in rows() {
        for k in 0..row.o.len() {
            for y in targets(&row).into_iter().take(3) {
                let jet = core::<f64>(&Row { o: moved(&row.o, k, f64::NAN), ..row.clone() }, y);
                assert!(jet.value.is_nan(), "{row:?} {y} {k}: {jet:?}");
            }
        }
    }
}

/// Points and weights over y, real or counted.
fn over_y(row: &Row) -> Vec<(f64, f64)> {
    match range(&row.family) {
        Some(n) => (0..n).map(|y| (y as f64, 1.0)).collect(),
        // y = sinh t reaches far enough for the tails of t_3.
        None => (0..120)
            .flat_map(|j| legendre(12, -12.0 + 0.2 * f64::from(j), -11.8 + 0.2 * f64::from(j)))
            .map(|(t, w)| (t.sinh(), w * t.cosh()))
            .collect(),
    }
}

fn moments(row: &Row, y: f64, o: &mut [[[f64; 1]; GROUP]]) -> [f64; 2] {
    let own = splat(&row.own);
    let mut ready = vec![[f64::NAN]; row.family.ready_len()];
    let isa = Isa::Portable;
    output::moments(isa, &row.family, y, 0, &own, &[row.nu], o, &mut ready).map(|[m]| m)
}

/// Densities integrate to 1; moments, scores and information are those of the density.
#[test]
fn information_and_moments_are_those_of_the_density() {
    for row in rows() {
        let family = &row.family;
        let (outputs, coordinates) = (family.outputs(), family.coordinates());
        let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
        let mut scores = vec![[0.0_f64; 2]; outputs + coordinates];
        for (y, weight) in over_y(&row) {
            let jet = core::<f64>(&row, y);
            let p = weight * libm::exp(jet.value);
            total += p;
            mean += p * y;
            square += p * y * y;
            for (sum, g) in scores.iter_mut().zip(jet.by_output.iter().chain(&jet.by_own)) {
                sum[0] += p * g;
                sum[1] += p * g * g;
            }
        }
        near(total, 1.0, 1e-9, &row);
        let mut o: Vec<[[f64; 1]; GROUP]> = row.o.iter().map(|o| [[*o]; GROUP]).collect();
        let is_class =
            matches!(family.output, Output::Bernoulli | Output::Softmax | Output::Ordinal);
        for y in targets(&row) {
            let [m, v] = moments(&row, y, &mut o);
            let p = libm::exp(core::<f64>(&row, y).value);
            let exact = if is_class { [p, p * (1.0 - p)] } else { [mean, square - mean * mean] };
            // The variance of t_3 has a fat tail beyond the rule's end.
            near(m, exact[0], 1e-7, &row);
            near(v, exact[1], if family.output == Output::StudentT { 1e-3 } else { 1e-7 }, &row);
        }
        let own = splat(&row.own);
        let mut ready = vec![[f64::NAN]; family.ready_len()];
        let mut of_own = |n: f64| {
            let mut out = vec![[0.0]; coordinates];
            let (nu, mut o) = ([row.nu], o.clone());
            output::information(
                Isa::Portable,
                family,
                1,
                n,
                &own,
                &nu,
                &mut o,
                &mut out,
                &mut ready,
            );
            (o, out)
        };
        let ((o, one), (_, none)) = (of_own(1.0), of_own(0.0));
        for (k, sum) in scores.iter().enumerate() {
            near(sum[0], 0.0, 1e-6, ("mean score", &row, k));
            let information = match k.checked_sub(outputs) {
                None => {
                    assert_eq!(o[k][1..], [[0.0]; 3]);
                    o[k][0][0].powi(2)
                }
                Some(j) => one[j][0] - none[j][0],
            };
            // That of thresholds is taken at output 0.
            if k >= outputs && family.output == Output::Ordinal && row.o[0] != 0.0 {
                continue;
            }
            let bounds = family.output == Output::Mixture
                || k >= outputs && family.output == Output::NegativeBinomial;
            if bounds {
                assert!(information >= sum[1] - 1e-9, "{information} {} {row:?} {k}", sum[1]);
            } else {
                near(information, sum[1], 1e-6, ("information", &row, k));
            }
        }
    }
}

/// Where the bounds are reached: components far apart, and rows of large mean.
#[test]
fn bounds_of_the_information_are_reached() {
    let family = Family { floor: 0.1, ..Family::of(Output::Mixture) };
    let o = vec![0.3, -0.4, -30.0, 30.0, 0.5, -1.0];
    let row = Row { family, own: vec![], nu: 1.0, o };
    let mut o: Vec<[[f64; 1]; GROUP]> = row.o.iter().map(|o| [[*o]; GROUP]).collect();
    let mut ready = vec![[f64::NAN]; family.ready_len()];
    output::information(Isa::Portable, &family, 1, 1.0, &[], &[1.0], &mut o, &mut [], &mut ready);
    let rule = (0..400).flat_map(|j| {
        let start = -40.0 + 0.2 * f64::from(j);
        legendre(12, start, start + 0.2)
    });
    let mut sums = [0.0; 6];
    for (y, weight) in rule {
        let jet = core::<f64>(&row, y);
        let p = weight * libm::exp(jet.value);
        sums.iter_mut().zip(&jet.by_output).for_each(|(sum, g)| *sum += p * g * g);
    }
    for (o, sum) in o.iter().zip(sums) {
        near(o[0][0].powi(2), sum, 1e-9, &row);
    }
    // ln r: r^2 psi'(r) - r, which a mean of e^8 nearly reaches where r is not small.
    for log in [-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0] {
        let family = Family::of(Output::NegativeBinomial);
        let row = Row { family, own: vec![log], nu: 1.0, o: vec![8.0] };
        let mut out = [[[0.0]], [[0.0]]];
        for (n, out) in out.iter_mut().enumerate() {
            let mut ready = vec![[f64::NAN]; family.ready_len()];
            let (n, own) = (n as f64, [[log]]);
            let isa = Isa::Portable;
            output::information(isa, &family, 0, n, &own, &[1.0], &mut [], out, &mut ready);
        }
        let information = out[1][0][0] - out[0][0][0];
        let (r, far) = (libm::exp(log), libm::exp(log) + 1000.0);
        let trigamma = (0..1000).map(|j| (r + f64::from(j)).powi(-2)).sum::<f64>()
            + 1.0 / far
            + 0.5 / (far * far)
            + 1.0 / (6.0 * far.powi(3));
        let bound = r * r * trigamma - r;
        assert!((information / bound - 1.0).abs() < 0.05, "{log}: {information} {bound}");
        if (0.0..4.0).contains(&log) {
            let most = (libm::exp(8.0) * 30.0) as usize;
            let exact: f64 = (0..most)
                .map(|y| {
                    let jet = core::<f64>(&row, y as f64);
                    libm::exp(jet.value) * jet.by_own[0] * jet.by_own[0]
                })
                .sum();
            println!("ln r = {log}: {information} {bound} {exact}");
            assert!(bound >= exact && exact > 0.97 * bound, "{log} {information} {exact}");
        }
    }
}

fn log_prior(family: &Family<f64>, own: &[f64]) -> (f64, Vec<f64>) {
    let mut by_own = vec![[0.0]; own.len()];
    let mut ready = vec![[f64::NAN]; family.ready_len()];
    let [value] =
        output::log_prior(Isa::Portable, family, &splat(own), &[5.0], &mut by_own, &mut ready);
    (value, by_own.iter().map(|g| g[0]).collect())
}

/// Priors of own coordinates are densities, with their derivatives, and the curvature at their modes is what
/// the information counts for them.
#[test]
fn priors_are_densities() {
    for row in rows() {
        let Row { family, own, .. } = &row;
        let (value, by_own) = log_prior(family, own);
        near(value, prior_twin(family, own), 1e-13, &row);
        if own.is_empty() {
            continue;
        }
        for (k, got) in by_own.iter().enumerate() {
            near(*got, slope(|h| prior_twin(family, &moved(own, k, h))), 1e-9, &row);
        }
        let density = |own: &[f64]| libm::exp(log_prior(family, own).0);
        let total: f64 = match own.len() {
            1 => (0..8000).map(|j| 0.05 * density(&[-200.0 + 0.05 * f64::from(j)])).sum(),
            2 => (0..400)
                .flat_map(|j| (0..240).map(move |k| (f64::from(j), f64::from(k))))
                .map(|(j, k)| 0.04 * density(&[-40.0 + 0.2 * j, -40.0 + 0.2 * k]))
                .sum(),
            _ => 1.0,
        };
        near(total, 1.0, 1e-9, &row);
        if family.output != Output::Ordinal && family.noise_shape != 0.5 {
            continue;
        }
        let mut mode = own.clone();
        for _ in 0..2000 {
            let (_, slopes) = log_prior(family, &mode);
            mode.iter_mut().zip(slopes).for_each(|(x, slope)| *x += 0.4 * slope);
        }
        let mut out = vec![[0.0]; own.len()];
        let mut ready = vec![[f64::NAN]; family.ready_len()];
        let (isa, at) = (Isa::Portable, splat(&mode));
        output::information(isa, family, 0, 0.0, &at, &[5.0], &mut [], &mut out, &mut ready);
        for (k, [curvature]) in out.into_iter().enumerate() {
            let want = -slope(|h| log_prior(family, &moved(&mode, k, h)).1[k]);
            near(curvature, want, 1e-9, &row);
        }
    }
}

/// Families meet where they are one law.
#[test]
fn families_meet_in_their_limits() {
    let row = |family: Family<f64>, own: &[f64], o: &[f64]| Row {
        family,
        own: own.to_vec(),
        nu: 1e12,
        o: o.to_vec(),
    };
    let usual = |output| Family::of(output);
    let pairs = [
        (
            row(Family { reference: true, ..usual(Output::Softmax) }, &[], &[0.8]),
            row(usual(Output::Bernoulli), &[], &[0.8]),
            vec![0.0, 1.0],
        ),
        (
            row(usual(Output::NegativeBinomial), &[30.0], &[1.3]),
            row(usual(Output::Poisson), &[], &[1.3]),
            vec![0.0, 1.0, 5.0, 40.0],
        ),
        (
            row(usual(Output::StudentT), &[0.4], &[1.3]),
            row(usual(Output::Gaussian), &[0.4], &[1.3]),
            vec![-1.0, 1.5],
        ),
        (
            row(usual(Output::MeanVariance), &[], &[1.3, -0.4]),
            row(
                Family { noise: (0.67032004603564_f64 + 1e-6).sqrt(), ..usual(Output::Gaussian) },
                &[],
                &[1.3],
            ),
            vec![-1.0, 1.5],
        ),
    ];
    for (a, b, targets) in pairs {
        for y in targets {
            let (a, b) = (core::<f64>(&a, y), core::<f64>(&b, y));
            near(a.value, b.value, 1e-9, y);
            near(a.by_output[0], b.by_output[0], 1e-9, y);
        }
    }
    // One component is the mean-variance law; equal components are one.
    for k in 1..=3_usize {
        let family = Family { categories: k as u32, ..usual(Output::Mixture) };
        let o = [vec![0.4; k], vec![1.3; k], vec![-0.4; k]].concat();
        let (a, b) = (row(family, &[], &o), row(usual(Output::MeanVariance), &[], &[1.3, -0.4]));
        near(core::<f64>(&a, 0.7).value, core::<f64>(&b, 0.7).value, 1e-14, k);
    }
}

/// Four rows are the sum of each, and lanes and instruction sets do not change a bit.
#[test]
fn every_machine_the_same() {
    fn check<T: AnyLanes>() {
        for (index, row) in rows().into_iter().enumerate() {
            let family = cast::<T>(&row.family);
            let targets: Vec<T> = targets(&row).into_iter().map(T::lit).collect();
            let mut stream = Stream::new(7, index as u64, Purpose::Predictive);
            let mut draw = || T::lit(3.0 * stream.normal::<f64>());
            let own: Vec<[T; 8]> =
                row.own.iter().map(|_| std::array::from_fn(|_| draw())).collect();
            let o: Vec<[[T; 8]; GROUP]> = row
                .o
                .iter()
                .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| draw())))
                .collect();
            let nu = std::array::from_fn(|k| T::of_usize(3 + k));
            for count in 1..=GROUP {
                let y: Vec<T> = (0..count).map(|r| targets[(index + r) % targets.len()]).collect();
                let mut first = o.clone();
                let base = group::<T, 8>(Isa::Portable, &family, &y, &own, nu, &mut first);
                for isa in Isa::all() {
                    let mut again = o.clone();
                    assert_eq!(base, group::<T, 8>(isa, &family, &y, &own, nu, &mut again));
                    assert_eq!(first, again);
                    for lane in 0..8 {
                        let own: Vec<[T; 1]> = own.iter().map(|x| [x[lane]]).collect();
                        let mut one: Vec<[[T; 1]; GROUP]> =
                            o.iter().map(|o| o.map(|x| [x[lane]])).collect();
                        let (value, by_own) =
                            group::<T, 1>(isa, &family, &y, &own, [nu[lane]], &mut one);
                        assert_eq!(value, [base.0[lane]]);
                        assert!(by_own.iter().zip(&base.1).all(|(a, b)| a[0] == b[lane]));
                        for (a, b) in one.iter().zip(&first) {
                            assert!(a.iter().zip(b).all(|(a, b)| a[0] == b[lane]));
                        }
                    }
                }
                let mut sum = T::ZERO;
                for (r, y) in y.iter().enumerate() {
                    let mut alone: Vec<[[T; 8]; GROUP]> = o.iter().map(|o| [o[r]; GROUP]).collect();
                    let (value, _) =
                        group::<T, 8>(Isa::Portable, &family, &[*y], &own, nu, &mut alone);
                    sum += value[0];
                    assert!(alone.iter().zip(&first).all(|(a, b)| a[0] == b[r]));
                }
                let scale = 16.0 * T::EPSILON.to_f64() * (1.0 + sum.to_f64().abs());
                assert!((sum - base.0[0]).to_f64().abs() <= 4.0 * scale, "{row:?}");
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// Targets that a family cannot give, and fields that it cannot have.
#[test]
fn what_is_impossible_is_refused() {
    let no = [f64::NAN, f64::INFINITY, -f64::INFINITY];
    for output in Output::ALL {
        let family = Family::<f64> { categories: 3, ..Family::of(output) };
        assert!(family.valid() && no.iter().all(|y| !family.possible(*y)), "{output:?}");
        assert_eq!(family.is_real(), family.possible(-0.5), "{output:?}");
    }
    for output in [Output::Softmax, Output::Ordinal] {
        let classes = Family::<f64> { categories: 3, ..Family::of(output) };
        assert!([0.0, 1.0, 2.0].iter().all(|y| classes.possible(*y)));
        assert!([-1.0, 3.0, 0.5].iter().all(|y| !classes.possible(*y)));
    }
    for output in [Output::Poisson, Output::NegativeBinomial] {
        let (single, double) = (Family::<f32>::of(output), Family::<f64>::of(output));
        assert!([-1.0, 0.5, 1e300].iter().all(|y| !double.possible(*y)));
        assert!(single.possible(16_777_215.0) && !single.possible(16_777_216.0));
        assert!(double.possible(16_777_216.0) && !double.possible(9_007_199_254_740_992.0));
    }
    let of = Family::<f64>::of;
    let refused = [
        Family { categories: 1, ..of(Output::Softmax) },
        Family { categories: 1, ..of(Output::Ordinal) },
        Family { categories: 0, ..of(Output::Mixture) },
        Family { categories: 17, ..of(Output::Mixture) },
        Family { floor: -1.0, ..of(Output::Mixture) },
        Family { floor: f64::NAN, ..of(Output::MeanVariance) },
        Family { size: -1.0, ..of(Output::NegativeBinomial) },
        Family { size: f64::INFINITY, ..of(Output::NegativeBinomial) },
        Family { noise: f64::NAN, ..of(Output::Gaussian) },
        Family { noise_shape: 0.0, ..of(Output::StudentT) },
        Family { noise_rate: f64::NAN, ..of(Output::StudentT) },
    ];
    assert!(refused.iter().all(|family| !family.valid()));
}

/// What a draw keeps of the own coordinates.
#[test]
fn tails_are_what_the_law_is_made_of() {
    for row in rows() {
        let mut tail = row.own.clone();
        tail.resize(row.family.tail_len(), f64::NAN);
        row.family.tail(row.nu, &mut tail);
        let sd = row.own.first().map_or(row.family.noise, |log| libm::exp(-0.5 * log));
        let size = row.own.first().map_or(row.family.size, |log| libm::exp(*log));
        let want = match row.family.output {
            Output::StudentT => vec![sd, row.nu],
            Output::Gaussian => vec![sd, f64::INFINITY],
            Output::NegativeBinomial => vec![size],
            Output::Ordinal => thresholds(&row.own),
            _ => vec![],
        };
        assert_eq!(tail.len(), want.len());
        let same = tail.iter().zip(&want).all(|(a, b)| a == b || (a / b - 1.0).abs() < 1e-15 * 4.0);
        assert!(same, "{tail:?} {want:?}");
    }
}
