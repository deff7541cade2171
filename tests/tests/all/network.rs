//! The layers of a network, forward and backward, and the density of its posterior.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::likelihood::{Network, Precision};
use lcc_core::network::{
    Architecture, Family, Output, Pass, Point, Posterior, Scales, WeightPrior,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;

fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed, 0, Purpose::Predictive);
    (0..count).map(|_| stream.normal()).collect()
}

fn family(output: Output) -> Family<f64> {
    Family { output, noise_rate: 0.5, ..Family::of(output) }
}

/// One hidden layer and one output: the bits of the likelihood that the regressor samples.
#[test]
fn one_hidden_layer_has_the_bits_of_the_regressors_network() {
    let (n, d, neurons) = (23, 3, 5);
    let (x, y) = (numbers(n * d, 1), numbers(n, 2));
    let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
    let network = Network { data, activation: Activation::Tanh, neurons };
    let architecture =
        Architecture { inputs: d, widths: [neurons as u32, 0, 0, 0], outputs: 1, linear: true };
    let dim = architecture.dim();
    assert_eq!(dim, network.shape().dim());
    let theta: Vec<[f64; 8]> =
        numbers(dim * 8, 3).as_chunks::<8>().0.iter().map(|c| c.map(|v| 0.5 * v)).collect();
    let pass = Pass {
        data,
        rows: None,
        architecture,
        activation: Activation::Tanh,
        family: Family { noise: 1.0, ..family(Output::Gaussian) },
        offset: false,
    };
    for isa in Isa::all() {
        let (mut one, mut two) = (vec![[0.0; 8]; dim], vec![[0.0; 8]; dim]);
        let mut scratch = vec![[0.0; 8]; network.shape().scratch()];
        let precision = Precision { beta: [1.0; 8], weights: None };
        network.evaluate(isa, &theta, &precision, &mut one, None, &mut scratch);
        let mut scratch = vec![[0.0; 8]; pass.scratch()];
        let point = Point { parameters: &theta, own: &[], nu: [1.0; 8] };
        pass.evaluate(isa, point, &mut two, &mut [], &mut scratch);
        assert_eq!(one, two);
    }
}

/// Gradients of the whole density against central differences, for every depth, output and prior.
#[test]
fn gradients_are_those_of_differences() {
    let (n, d) = (11, 3);
    let x = numbers(n * d, 1);
    let all: [[u32; 4]; 5] = [[0; 4], [3, 0, 0, 0], [3, 2, 0, 0], [2, 3, 2, 0], [2, 2, 2, 3]];
    for output in Output::ALL {
        let family = family(output);
        let y: Vec<f64> = numbers(n, 2)
            .into_iter()
            .enumerate()
            .map(|(i, v)| if family.possible(0.5) { v } else { (i % 2) as f64 })
            .collect();
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        for widths in all {
            for scales in Scales::ALL {
                let outputs = family.outputs();
                let architecture =
                    Architecture { inputs: d, widths, outputs, linear: widths[1] == 0 };
                let activation = Activation::Softplus;
                let rows = [0, 3, 5, 3, 10, 7];
                let pass = Pass {
                    data,
                    rows: (scales == Scales::Layers).then_some(&rows),
                    architecture,
                    activation,
                    family,
                    offset: false,
                };
                let prior = WeightPrior {
                    scales,
                    input: 1.0,
                    bias: 0.7,
                    hidden: 1.2,
                    outer: 1.5,
                    linear: 0.8,
                    intercept: 2.0,
                };
                let density = Posterior { pass, prior, nu: [4.5], whole: false };
                let dim = density.dim();
                let g: Vec<[f64; 1]> = numbers(dim, 9).into_iter().map(|v| [0.4 * v]).collect();
                let mut scratch = vec![[0.0]; density.scratch()];
                let (mut gradient, mut spare) = (vec![[0.0]; dim], vec![[0.0]; dim]);
                let isa = Isa::Portable;
                density.value_and_gradient(isa, &g, &mut gradient, &mut scratch);
                for k in 0..dim {
                    let mut value = |h: f64| {
                        let mut at = g.clone();
                        at[k][0] += h;
                        density.value_and_gradient(isa, &at, &mut spare, &mut scratch)[0]
                    };
                    let h = 1e-4;
                    let slope: f64 = (8.0 * (value(h) - value(-h)) - value(2.0 * h)
                        + value(-2.0 * h))
                        / (12.0 * h);
                    assert!(
                        (slope - gradient[k][0]).abs() < 1e-8 * (1.0 + slope.abs()),
                        "{output:?} {widths:?} {scales:?} {k}: {slope} {}",
                        gradient[k][0]
                    );
                }
            }
        }
    }
}
