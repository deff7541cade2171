//! Ensembles of the ends of starts, and dropout at one: to the bit what chains begin from.

use crate::bnn::{data, run};
use crate::bnn_modes::{deep, model, table};
use lcc_core::estimator::{BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::posterior::Image;
use lcc_core::simd::has_lanes;
use lcc_tests::posteriors::Aligned;

/// An ensemble's members are where chains of the same numbers end their starts, to the bit, with any lanes; without hidden
/// layers that is the one mode.
#[test]
fn an_ensemble_is_of_the_ends_of_its_starts() {
    let rows = table(30, |a, b, e| a * b + 0.2 * e);
    let rows = data(&rows);
    let options = BnnOptions {
        method: BnnMethod::Ensemble.into(),
        chains: 3,
        lanes: 1,
        start_steps: 300,
        drop: false.into(),
        ..deep(Output::StudentT, Scales::Inputs)
    };
    let mut memory = Aligned::new(0);
    let bytes = model(&run(&mut memory, &options, &rows));
    let image = Image::open(&bytes).unwrap();
    assert_eq!(image.draws(), 3);
    for chain in 0..3 {
        let start = BnnOptions {
            method: BnnMethod::Hmc.into(),
            chains: 1,
            first_chain: chain,
            warmup: 0,
            draws: 1,
            keep: 1,
            leapfrogs: 1,
            ..options
        };
        let network = run(&mut memory, &start, &rows);
        let mut point = vec![0; network.model_size().unwrap()];
        network.write_point(&mut point).unwrap();
        let end = Image::open(&point).unwrap();
        assert!(image.values::<f64>(chain as usize).eq(end.values::<f64>(0)), "{chain}");
    }
    if has_lanes(8) {
        assert!(model(&run(&mut memory, &BnnOptions { lanes: 8, ..options }, &rows)) == bytes);
    }
    let linear = BnnOptions { widths: [0; 4], scales: Scales::Known.into(), noise: 0.3, ..options };
    let linear = BnnOptions { start_steps: 5000, ..linear };
    let member = run(&mut memory, &linear, &rows).kept_draw(2, 0).unwrap().to_vec();
    let map = BnnOptions { method: BnnMethod::Map.into(), ..linear };
    let network = run(&mut memory, &map, &rows);
    let mode = network.kept_draw(0, 0).unwrap();
    assert!(mode.iter().any(|w| w.abs() > 0.1));
    assert!(member.iter().zip(mode).all(|(a, b)| (a - b).abs() < 1e-6), "{member:?} {mode:?}");
}

/// Where y is a class an ensemble's scales are known, unless others are asked for.
#[test]
fn an_ensemble_of_classes_has_known_scales() {
    let rows = table(30, |a, b, _| (a * b > 0.0) as i32 as f64);
    let rows = data(&rows);
    let own = |scales: Scales, outer_scale| {
        let method = BnnMethod::Ensemble.into();
        let options = deep(Output::Bernoulli, Scales::Inputs);
        model(&run(
            &mut Aligned::new(0),
            &BnnOptions { method, scales: scales.into(), outer_scale, ..options },
            &rows,
        ))
    };
    assert!(own(Scales::Inputs, 1.0) == own(Scales::Known, 10.0));
    assert!(own(Scales::Known, 1.0) != own(Scales::Known, 10.0));
    assert!(own(Scales::Layers, 1.0) != own(Scales::Known, 10.0));
}

/// Units are left out at the rate that was said, whole, and the others make up for them; at a rate of nothing it is the end of
/// a start to the bit.
#[test]
fn dropout_leaves_out_units() {
    let rows = table(30, |a, b, e| a * b + 0.2 * e);
    let rows = data(&rows);
    let (rate, draws) = (0.25, 2000);
    let options = BnnOptions {
        method: BnnMethod::Dropout.into(),
        lanes: 1,
        draws,
        keep: draws,
        dropout: rate,
        ..deep(Output::StudentT, Scales::Inputs)
    };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &rows);
    let mut point = vec![0; network.model_size().unwrap()];
    network.write_point(&mut point).unwrap();
    let whole: Vec<f64> = Image::open(&point).unwrap().values(0).collect();
    let architecture = options.architecture(2);
    let second = architecture.layer(1).unwrap();
    // What each unit of the layers of 3 and 2 sends up.
    let mut out: Vec<Vec<usize>> =
        (0..3).map(|u| (0..2).map(|m| second.weights_at + 3 * m + u).collect()).collect();
    out.extend((0..2).map(|u| vec![architecture.outer_at() + u]));
    let mut left_out = [0.0; 5];
    for t in 0..draws as usize {
        let draw = network.kept_draw(0, t).unwrap();
        let mut expected = whole.clone();
        for (unit, count) in out.iter().zip(&mut left_out) {
            let gone = draw[unit[0]] == 0.0;
            *count += gone as i32 as f64;
            for k in unit {
                expected[*k] *= if gone { 0.0 } else { 1.0 / (1.0 - rate) };
            }
        }
        let close = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= 1e-12 * b.abs();
        assert!(draw.iter().zip(&expected).all(close), "{draw:?} {expected:?}");
    }
    let n = draws as f64;
    for count in left_out {
        let z = (count - rate * n) / (n * rate * (1.0 - rate)).sqrt();
        assert!(z.abs() < 4.0, "{count} of {n}");
    }
    let never = BnnOptions { dropout: 1e-300, draws: 1, keep: 1, chains: 1, ..options };
    let mut memory = Aligned::new(0);
    let draw = run(&mut memory, &never, &rows).kept_draw(0, 0).unwrap().to_vec();
    let sampled = BnnOptions { method: BnnMethod::Hmc.into(), warmup: 0, leapfrogs: 1, ..never };
    let network = run(&mut memory, &sampled, &rows);
    network.write_point(&mut point).unwrap();
    let end: Vec<f64> = Image::open(&point).unwrap().values(0).collect();
    assert_eq!(draw, end);
    if has_lanes(8) {
        let options = BnnOptions { draws: 5, keep: 5, chains: 3, ..options };
        let narrow = model(&run(&mut memory, &options, &rows));
        let wide = BnnOptions { lanes: 8, ..options };
        assert!(model(&run(&mut memory, &wide, &rows)) == narrow);
    }
}
