//! Bayes by Backprop: its prior, its minibatches' weights and its optima, against exact ones.

use crate::bnn::run;
use crate::bnn_exact::generalised;
use crate::bnn_variational::{Glm, cases, fits, with};
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::network::Output;
use lcc_core::variational::{ScaleMixture, epoch_weight};
use lcc_tests::posteriors::Aligned;
use lcc_tests::{number, numbers};
use serde_json::Value;

#[test]
fn scale_mixtures_do_not_underflow() {
    for case in cases("scale_mixture_prior.json", "cases") {
        let prior = ScaleMixture {
            share: number(&case["pi"]),
            wide: number(&case["sigma1"]),
            narrow: number(&case["sigma2"]),
        };
        let exact =
            numbers(&case["log_density"]).into_iter().zip(case["gradient"].as_array().unwrap());
        for (point, (value, slopes)) in case["points"].as_array().unwrap().iter().zip(exact) {
            let (point, slopes) = (numbers(point), numbers(slopes));
            let own = point.iter().map(|w| prior.log_density(*w));
            let constant = 0.5 * point.len() as f64 * (2.0 * std::f64::consts::PI).ln();
            let sum = own.clone().map(|(own, _)| own).sum::<f64>() - constant;
            assert!(
                (sum - value).abs() < 1e-13 * (1.0 + value.abs()),
                "{point:?}: {sum}, not {value}"
            );
            for ((_, by_w), slope) in own.zip(slopes) {
                assert!((by_w - slope).abs() < 1e-12 * (1.0 + slope.abs()), "{by_w}, not {slope}");
            }
        }
    }
}

#[test]
fn minibatches_of_an_epoch_share_the_divergence() {
    for case in cases("minibatch_kl_weights.json", "cases") {
        let parts = number(&case["M"]) as usize;
        let first: f64 = epoch_weight(0, parts, true);
        assert!((first - number(&case["first"])).abs() < 1e-15);
        let last: f64 = epoch_weight(parts - 1, parts, true);
        assert!((last - number(&case["last"])).abs() <= 1e-14 * number(&case["last"]));
        let sum: f64 = (0..parts).map(|i| epoch_weight::<f64>(i, parts, true)).sum();
        assert!((sum - 1.0).abs() < 1e-14);
        if let Some(weights) = case.get("weights").filter(|w| !w.is_null()) {
            for (i, weight) in numbers(weights).into_iter().enumerate() {
                let own: f64 = epoch_weight(i, parts, true);
                assert!((own - weight).abs() < 1e-15 * (1.0 + weight));
            }
        }
        let even: f64 = (0..parts).map(|i| epoch_weight::<f64>(i, parts, false)).sum();
        assert!((even - 1.0).abs() < 1e-12);
        assert!(epoch_weight::<f32>(parts - 1, parts, true).is_finite());
    }
}

/// Under the mixture every chain comes to one of the local optima, and the model is that of the best bound.
#[test]
fn backprop_finds_local_optima_under_the_mixture() {
    for case in cases("vi_optima.json", "scale_mixture_cases") {
        let glm = Glm::new(&case);
        let prior = &case["prior"];
        let options = BnnOptions {
            method: BnnMethod::Backprop.into(),
            mixture: number(&prior["pi"]),
            wide: number(&prior["sigma1"]),
            narrow: number(&prior["sigma2"]),
            chains: 4,
            start_steps: 300,
            ascent_steps: 20_000,
            pairs: 16,
            draws: 2000,
            keep: 1,
            ..glm.options
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &glm.data());
        let optima = case["mean_field_local_optima_best_first"].as_array().unwrap();
        for c in 0..4 {
            let (mean, sd) = network.law(c).unwrap();
            let mode = network.mode(c).unwrap();
            let distance = |o: &Value| {
                let (m, s) = (numbers(&o["mean"]), numbers(&o["sd"]));
                let means = (0..m.len()).map(|k| (mean[k + 1] - m[k]).abs() / s[k]);
                let sds = (0..m.len()).map(|k| (sd[k + 1] / s[k] - 1.0).abs());
                means.chain(sds).fold(0.0, f64::max)
            };
            let nearest = optima.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            let z = (mode.log_evidence - number(&nearest["elbo"])) / mode.error;
            println!("{} {c}: {} z {z}", case["id"], distance(nearest));
            assert!(
                distance(nearest) < 0.02,
                "{}: {} {mean:?} {sd:?}",
                case["id"],
                distance(nearest)
            );
            assert!(z.abs() < 4.5, "{}: {mode:?}", case["id"]);
        }
    }
}

/// The conjugate model: means exact, sds those of each coordinate given the others, the bound with the closed divergence, by
/// whole batches; by the parts of an epoch, of either weights, within what they leave.
#[test]
fn backprop_of_the_conjugate_model() {
    let optima = cases("vi_optima.json", "cases");
    for case in generalised().iter().filter(|case| case.options.output == Output::Gaussian) {
        let Some(optimum) = optima.iter().find(|o| o["id"] == case.name.as_str()) else { continue };
        let exact = &optimum["mean_field"];
        let (means, sds) = (numbers(&exact["mean"]), numbers(&exact["sd"]));
        for (batch, halving, allowed) in [(0, false, 0.02), (1, false, 0.12), (1, true, 0.12)] {
            let options = BnnOptions {
                batch,
                halving: halving.into(),
                pairs: 2,
                ascent_steps: 20_000,
                ..case.options
            };
            let (mean, sd, bound, error) =
                fits(&with(case, options), BnnMethod::Backprop, 1).remove(0);
            if batch == 0 {
                let off = (bound - number(&exact["elbo"])).abs();
                assert!(off < 4.0 * error + 1e-3, "{}: bound {bound} +- {error}", case.name);
            }
            let worst = (0..means.len())
                .map(|k| ((mean[k] - means[k]).abs() / sds[k]).max((sd[k] / sds[k] - 1.0).abs()))
                .fold(0.0, f64::max);
            println!("{} {batch} {halving} {worst}", case.name);
            assert!(worst < allowed, "{}: {worst}", case.name);
        }
    }
}
