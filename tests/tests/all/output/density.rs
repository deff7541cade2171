//! Values and derivatives: the definitions, exact values, rounding, far outputs.

use super::*;
use lcc_tests::{number, numbers, reference};

/// Values and derivatives against the definitions.
#[test]
fn densities_and_derivatives_are_those_of_the_definitions() {
    for row in rows() {
        for y in targets(&row) {
            assert!(row.family.output.is_log() || row.family.possible(y));
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
    let own = if y == ZERO { 0.0 } else { y.abs().min(1e4) };
    let size = row.o.iter().chain(&row.own).fold(own, |m, x| m.max(x.abs()));
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
