//! Rows with weights: a row of weight 2 is one that is there twice, whatever y is.

use crate::bnn::{image, run};
use lcc_core::activation::Activation;
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedOptions};
use lcc_core::estimator::{
    Bnn, BnnError, BnnMethod, BnnOptions, GreedyBayes, GreedyOptions, NetworkOptions,
    NetworkRegressor,
};
use lcc_core::likelihood::Signs;
use lcc_core::network::Output;
use lcc_core::posterior::{Image, Standardiser};
use lcc_core::prior::Prior;
use lcc_core::problem::{Problem, ProblemError};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{Isa, Lanes, usual_lanes};
use lcc_tests::posteriors::Aligned;

const ROWS: usize = 23;

/// Rows of two inputs with a target that the output can have, and whole weights, 0 among them.
struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
    weights: Vec<f64>,
}

impl Table {
    fn new(output: Output) -> Self {
        let mut stream = Stream::new(3, 0, Purpose::Predictive);
        let mut x: Vec<f64> = vec![];
        let (mut y, mut weights) = (vec![], vec![]);
        for i in 0..ROWS {
            let [a, b, e]: [f64; 3] = [stream.normal(), stream.normal(), stream.normal()];
            x.extend([a, 3.0 + 2.0 * b]);
            let signal = a - 0.5 * b + 0.5 * e;
            y.push(match output {
                Output::Bernoulli => f64::from(u8::from(signal > 0.0)),
                Output::Softmax | Output::Ordinal => (signal + 1.5).clamp(0.0, 2.0).floor(),
                Output::Poisson | Output::NegativeBinomial => signal.exp().round(),
                own if own.has_hurdle() && i % 4 == 0 => 0.0,
                own if own.is_log() => signal.exp(),
                _ => 10.0 + 4.0 * signal,
            });
            weights.push((i * i % 4) as f64 + f64::from(u8::from(i % 5 == 0)));
        }
        Self { x, y, weights }
    }

    fn weighted(&self) -> Dataset<'_, f64> {
        self.rows().weighted(&self.weights).unwrap()
    }

    fn rows(&self) -> Dataset<'_, f64> {
        let inputs = Inputs::row_major(&self.x, self.y.len(), 2).unwrap();
        Dataset::new(inputs, &self.y).unwrap()
    }

    /// Each row as often as its weight says.
    fn repeated(&self) -> Self {
        let (mut x, mut y) = (vec![], vec![]);
        for ((row, target), weight) in self.x.chunks(2).zip(&self.y).zip(&self.weights) {
            for _ in 0..*weight as usize {
                x.extend_from_slice(row);
                y.push(*target);
            }
        }
        Self { weights: vec![1.0; y.len()], x, y }
    }
}

/// The constants that would depend on the number of rows are given.
fn options(output: Output, widths: [u32; 4]) -> BnnOptions<f64> {
    BnnOptions {
        output: output.into(),
        widths,
        categories: 3,
        input_scale: 1.0,
        noise_rate: 0.01,
        tail: if output == Output::StudentT { 4.0 } else { 0.0 },
        lanes: usual_lanes(),
        ..Default::default()
    }
}

/// Value and gradient at a point; `room` blocks more than the density asks for.
fn evaluate<const N: usize>(
    options: &BnnOptions<f64>,
    data: Dataset<'_, f64>,
    room: usize,
) -> (f64, Vec<f64>)
where
    f64: Lanes<N>,
{
    let posterior = options.network(data).posterior::<N>();
    let (mut stream, dim) = (Stream::new(9, 0, Purpose::Start), posterior.dim());
    let at: Vec<[f64; N]> = (0..dim).map(|_| [0.5 * stream.normal::<f64>(); N]).collect();
    let mut gradient = vec![[0.0; N]; dim];
    let mut scratch = vec![[0.0; N]; posterior.scratch() + room];
    let [value, ..] = *posterior
        .value_and_gradient(Isa::detect(), &at, &mut gradient, &mut scratch)
        .first_chunk::<1>()
        .unwrap();
    (value, gradient.iter().map(|g| g[0]).collect())
}

fn close(what: &str, a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()), "{what}: {a} weighted, {b} repeated");
}

#[test]
fn the_density_is_that_of_rows_that_are_repeated() {
    for output in Output::ALL {
        let table = Table::new(output);
        let repeated = table.repeated();
        for widths in [[0; 4], [5, 0, 0, 0], [4, 3, 0, 0]] {
            let options = options(output, widths);
            let (value, gradient) = evaluate::<1>(&options, table.weighted(), 0);
            let (other, exact) = evaluate::<1>(&options, repeated.rows(), 0);
            close("value", value, other);
            gradient.iter().zip(exact).for_each(|(a, b)| close("gradient", *a, b));
            // In lanes, and alone in wide registers, the same bits.
            assert_eq!(evaluate::<1>(&options, table.weighted(), 4000), (value, gradient.clone()));
            if usual_lanes() == 8 {
                assert_eq!(evaluate::<8>(&options, table.weighted(), 0), (value, gradient));
            }
        }
    }
}

/// Units, curvature, evidence: by a method without randomness.
#[test]
fn the_mode_and_its_evidence_are_those_of_rows_that_are_repeated() {
    for output in Output::ALL {
        // A mixture has no one mode, and the curvature of an ordinal output is not what Laplace's method takes of it.
        if output == Output::Mixture {
            continue;
        }
        let table = Table::new(output);
        let repeated = table.repeated();
        let of = |data: &Dataset<'_, f64>| {
            let method = BnnMethod::Laplace.into();
            let options = BnnOptions { method, draws: 1, keep: 1, ..options(output, [0; 4]) };
            let mut memory = Aligned::new(0);
            let network = run(&mut memory, &options, data);
            let mode = network.mode(0).unwrap();
            (mode.log_joint, mode.log_evidence, network.mode_coordinates().to_vec())
        };
        let (joint, evidence, mode) = of(&table.weighted());
        let (other_joint, other_evidence, other) = of(&repeated.rows());
        let near = |what: &str, a: f64, b: f64| {
            assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{output:?}, {what}: {a}, not {b}");
        };
        near("log density at the mode", joint, other_joint);
        near("log evidence", evidence, other_evidence);
        mode.iter().zip(&other).for_each(|(a, b)| near("mode", *a, *b));
    }
}

/// Chains with degrees of freedom that are sampled, as long as rounding has not taken them apart; and a target that is beyond
/// single precision changes nothing in a row of weight 0.
#[test]
fn chains_are_those_of_rows_that_are_repeated() {
    let mut table = Table::new(Output::StudentT);
    let outlier = table.weights.iter().position(|w| *w == 2.0).unwrap();
    table.y[outlier] += 60.0;
    let repeated = table.repeated();
    let own = BnnOptions {
        tail: 0.0,
        chains: 8,
        start_steps: 20,
        warmup: 3,
        draws: 4,
        keep: 4,
        leapfrogs: 3,
        ..options(Output::StudentT, [3, 0, 0, 0])
    };
    let of = |data: &Dataset<'_, f64>| -> Vec<Vec<f64>> {
        let mut memory = Aligned::new(0);
        let bytes = image(&run(&mut memory, &own, data), false);
        let image = Image::open(&bytes).unwrap();
        (0..image.draws()).map(|k| image.values::<f64>(k).collect()).collect()
    };
    let (weighted, exact) = (of(&table.weighted()), of(&repeated.rows()));
    assert_eq!(weighted.len(), exact.len());
    for (a, b) in weighted.iter().zip(&exact) {
        assert_eq!(a.last(), b.last(), "nu");
        a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-5 * (1.0 + b.abs())));
    }
    let some: std::collections::BTreeSet<_> =
        exact.iter().map(|d| d.last().unwrap().to_bits()).collect();
    assert!(some.len() > 2, "draws of nu: {some:?}");

    let single = |fill: f32| {
        let mut y: Vec<f32> = table.y.iter().map(|y| *y as f32).collect();
        let weights: Vec<f32> = table.weights.iter().map(|w| *w as f32).collect();
        let x: Vec<f32> = table.x.iter().map(|x| *x as f32).collect();
        y.iter_mut().zip(&weights).filter(|(_, w)| **w == 0.0).for_each(|(y, _)| *y = fill);
        let data = Dataset::new(Inputs::row_major(&x, y.len(), 2).unwrap(), &y).unwrap();
        let own = BnnOptions::<f32> {
            chains: 3,
            start_steps: 20,
            warmup: 3,
            draws: 4,
            leapfrogs: 3,
            widths: [3, 0, 0, 0],
            ..Default::default()
        };
        let mut memory = Aligned::new(0);
        image(&run(&mut memory, &own, &data.weighted(&weights).unwrap()), false)
    };
    assert_eq!(single(1e37), single(0.0));
}

#[test]
fn units_are_weighted_and_rows_of_weight_zero_are_not_there() {
    let table = Table::new(Output::Gaussian);
    let repeated = table.repeated();
    let mut spoilt = Table::new(Output::Gaussian);
    let gone = spoilt.weights.iter().position(|w| *w == 0.0).unwrap();
    spoilt.y[gone] = 1e9;
    spoilt.x[2 * gone] = -9999.0;
    let [mut a, mut b, mut c] = [[0.0; 4]; 3];
    let weighted = Standardiser::fit(&table.weighted(), &mut a).unwrap();
    let exact = Standardiser::fit(&repeated.rows(), &mut b).unwrap();
    let without = Standardiser::fit(&spoilt.weighted(), &mut c).unwrap();
    for j in 0..2 {
        close("mean", weighted.means()[j], exact.means()[j]);
        close("sd", weighted.sds()[j], exact.sds()[j]);
        close("sd without a row", without.sds()[j], exact.sds()[j]);
    }
    close("mean of y", without.mean_y(), exact.mean_y());
    close("sd of y", without.sd_y(), exact.sd_y());
}

/// Weights of 1 are none.
#[test]
fn weights_of_one_change_no_bit() {
    for output in [Output::StudentT, Output::Softmax, Output::HurdleLogNormal] {
        let table = Table::new(output);
        let ones = vec![1.0; ROWS];
        let short = BnnOptions {
            chains: 3,
            start_steps: 15,
            warmup: 4,
            draws: 3,
            keep: 2,
            leapfrogs: 4,
            batch: 7,
            ..options(output, [4, 3, 0, 0])
        };
        let of = |data: &Dataset<'_, f64>| {
            let mut memory = Aligned::new(0);
            image(&run(&mut memory, &short, data), false)
        };
        assert_eq!(of(&table.rows()), of(&table.rows().weighted(&ones).unwrap()), "{output:?}");
    }
}

#[test]
fn what_is_no_weight_is_refused_and_other_weights_are_other_data() {
    let table = Table::new(Output::Gaussian);
    let refused = |row: usize, weight: f64| {
        let mut weights = vec![1.0; ROWS];
        weights[row] = weight;
        table.rows().weighted(&weights).err()
    };
    assert_eq!(refused(4, -1.0), Some(DataError::Weight { row: 4 }));
    assert_eq!(refused(0, f64::NAN), Some(DataError::Weight { row: 0 }));
    assert_eq!(refused(22, f64::INFINITY), Some(DataError::Weight { row: 22 }));
    assert_eq!(table.rows().weighted(&[0.0; ROWS]).err(), Some(DataError::Weights));
    assert_eq!(table.rows().weighted(&[1e308; ROWS]).err(), Some(DataError::Weights));
    assert_eq!(table.rows().weighted(&[1.0; ROWS - 1]).err(), Some(DataError::TooShort));

    let short = BnnOptions { chains: 1, lanes: 1, ..options(Output::Gaussian, [2, 0, 0, 0]) };
    let mut memory = vec![0_u64; Bnn::size(&short, ROWS, 2).unwrap().div_ceil(8) + 8];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
    let at = bytes.as_ptr().align_offset(lcc_core::workspace::ALIGN);
    let data = table.weighted();
    let mut network = Bnn::init(&mut bytes[at..], &short, Isa::detect(), &data).unwrap();
    assert!(network.step(&data, 1).is_ok());
    assert_eq!(network.step(&table.rows(), 1), Err(BnnError::OtherData));
    let mut others = table.weights.clone();
    others[3] += 1.0;
    let other = table.rows().weighted(&others).unwrap();
    assert_eq!(network.step(&other, 1), Err(BnnError::OtherData));
    assert!(network.step(&data, 1).is_ok());
}

/// Whoever does not look at weights refuses them.
#[test]
fn elsewhere_weights_are_refused() {
    let table = Table::new(Output::Gaussian);
    let data = table.weighted();
    let mut memory = vec![0_u8; 1 << 20];
    let refused = Some("rows with weights are for networks by Bnn alone".to_string());
    let said = |error: Option<&dyn std::fmt::Display>| error.map(|e| e.to_string());
    let isa = Isa::detect();
    let regressor = NetworkRegressor::init(&mut memory, &NetworkOptions::default(), isa, &data);
    assert_eq!(said(regressor.err().as_ref().map(|e| e as _)), refused);
    let greedy = GreedyBayes::init(&mut memory, &GreedyOptions::default(), isa, &data);
    assert_eq!(said(greedy.err().as_ref().map(|e| e as _)), refused);
    let relaxed = RelaxedGreedy::init(&mut memory, &RelaxedOptions::default(), isa, &data);
    assert_eq!(said(relaxed.err().as_ref().map(|e| e as _)), refused);
    let prior = Prior::Gaussian { sd: 1.0 };
    let problem = Problem::greedy(data, Activation::Tanh, prior, 1.0);
    assert_eq!(problem.err(), Some(ProblemError::Weights));
    let joint = Problem::joint(data, Activation::Tanh, prior, 2, 1.0, 1.0, Signs::Positive);
    assert_eq!(joint.err(), Some(ProblemError::Weights));
}
