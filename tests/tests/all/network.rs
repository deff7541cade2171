//! The layers of a network, forward and backward, and the density of its posterior.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::likelihood::{Network, Precision};
use lcc_core::network::{
    Architecture, Family, Output, Pass, Point, Posterior, Scales, WeightPrior,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{AnyLanes, Isa};
use lcc_tests::{matrix, number, numbers as listed, reference};
use serde_json::Value;

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
        exposure: false,
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

/// Value and gradients of one chain with room for wide registers, as bits.
fn chain<T: AnyLanes>(
    isa: Isa,
    (x, y): (&[f64], &[f64]),
    (widths, output): ([u32; 4], Output),
    (inputs, columns, exposure): (usize, bool, bool),
    rows: Option<&[u32]>,
) -> Vec<u64> {
    let of = |list: &[f64]| list.iter().map(|v| T::lit(*v)).collect::<Vec<T>>();
    let (x, y) = (of(x), of(y));
    let (n, d) = (y.len(), inputs + exposure as usize);
    let (by_row, by_column) = if columns { (1, n) } else { (d, 1) };
    let data = Dataset::new(Inputs::new(&x, n, d, by_row, by_column).unwrap(), &y).unwrap();
    let family = Family::<T>::of(output);
    let architecture =
        Architecture { inputs, widths, outputs: family.outputs(), linear: n % 2 > 0 };
    let activation = Activation::Softplus;
    let pass = Pass { data, rows, architecture, activation, family, exposure };
    let draw = |count: usize, seed| -> Vec<[T; 1]> {
        numbers(count, seed).iter().map(|v| [T::lit(0.4 * v)]).collect()
    };
    let (parameters, coordinates) = (draw(architecture.dim(), 3), draw(family.coordinates(), 4));
    let (mut gradient, mut own) = (parameters.clone(), coordinates.clone());
    let mut scratch = vec![[T::lit(f64::NAN)]; pass.scratch() + (1 << 14)];
    let point = Point { parameters: &parameters, own: &coordinates, nu: [T::lit(3.5)] };
    let value = pass.evaluate(isa, point, &mut gradient, &mut own, &mut scratch);
    let all = gradient.iter().chain(&own).chain([&value]);
    all.map(|[v]| {
        assert!(v.is_finite());
        v.to_f64().to_bits()
    })
    .collect()
}

/// One chain goes eight rows wide where there is room and registers: the bits are those of a lane, of every output,
/// depth and layout, whatever is left of eights.
#[test]
fn a_chain_in_wide_registers_has_the_bits_of_a_lane() {
    let shapes = [(1, 1), (4, 8), (7, 9), (11, 3), (16, 2), (21, 17)];
    let all = [[0; 4], [1, 0, 0, 0], [20, 0, 0, 0], [9, 2, 0, 0], [2, 3, 8, 17]];
    let some = [0, 3, 2, 3, 0];
    for (k, (n, inputs)) in shapes.into_iter().enumerate() {
        for output in Output::ALL {
            let counts = matches!(output, Output::Poisson | Output::NegativeBinomial);
            let exposure = counts && k % 2 == 0;
            let x = numbers(n * (inputs + exposure as usize), 1);
            let x: Vec<_> = x.iter().map(|v| if exposure { v.abs() } else { *v }).collect();
            let real = Family::<f64>::of(output).possible(0.5);
            let y = numbers(n, 2).into_iter().enumerate();
            let y: Vec<_> = y.map(|(i, v)| if real { v } else { (i % 2) as f64 }).collect();
            for (l, widths) in all.into_iter().enumerate() {
                let (layers, layout) = ((widths, output), (inputs, (k + l) % 2 > 0, exposure));
                let rows = (l % 2 > 0 && n > 3).then_some(&some[..]);
                let double = |isa| chain::<f64>(isa, (&x, &y), layers, layout, rows);
                let single = |isa| chain::<f32>(isa, (&x, &y), layers, layout, rows);
                let lane = (double(Isa::Portable), single(Isa::Portable));
                for isa in Isa::all().filter(|isa| !matches!(isa, Isa::Portable)) {
                    let own = (double(isa), single(isa));
                    assert_eq!(own, lane, "{} {n} {inputs} {widths:?} {output:?}", isa.name());
                }
            }
        }
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
                    exposure: false,
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
                let density = Posterior { pass, prior, nu: [4.5], whole: false, weight: 1.0 };
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

/// Value and gradient of a whole network on rows, one lane.
fn evaluate(
    case: &Value,
    (x, y): (&[f64], &[f64]),
    family: Family<f64>,
    theta: &[f64],
) -> (f64, Vec<f64>) {
    let sizes: Vec<usize> = listed(&case["sizes"]).iter().map(|s| *s as usize).collect();
    let (inputs, outputs) = (sizes[0], sizes[sizes.len() - 1]);
    let mut widths = [0; 4];
    for (w, size) in widths.iter_mut().zip(&sizes[1..sizes.len() - 1]) {
        *w = *size as u32;
    }
    let architecture = Architecture { inputs, widths, outputs, linear: false };
    assert_eq!((architecture.dim(), family.outputs()), (theta.len(), outputs));
    let data = Dataset::new(Inputs::row_major(x, y.len(), inputs).unwrap(), y).unwrap();
    let activation = Activation::from_name(case["activation"].as_str().unwrap()).unwrap();
    let pass = Pass { data, rows: None, architecture, activation, family, exposure: false };
    let parameters: Vec<[f64; 1]> = theta.iter().map(|t| [*t]).collect();
    let mut gradient = vec![[f64::NAN]; theta.len()];
    let mut scratch = vec![[f64::NAN]; pass.scratch()];
    let point = Point { parameters: &parameters, own: &[], nu: [1.0] };
    let [value] = pass.evaluate(Isa::detect(), point, &mut gradient, &mut [], &mut scratch);
    (value, gradient.into_iter().map(|[g]| g).collect())
}

/// To 1e-12 of the larger of the number and the largest of its list.
fn same(got: &[f64], want: &[f64], what: &Value) {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1.0_f64, |m, w| m.max(w.abs()));
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= 1e-12 * scale, "{got} against {want}: {what}");
    }
}

/// Networks of two and three hidden layers with all activations: loss and its gradient, to 50 digits.
#[test]
fn deep_networks_meet_the_exact_gradients() {
    let mut count = 0;
    for case in reference("deep_posteriors.json")["networks"].as_array().unwrap() {
        let points = case["points"].as_array().unwrap();
        let (x, y): (Vec<_>, Vec<_>) =
            points.iter().map(|p| (listed(&p["x"]), listed(&p["y"]))).unzip();
        // Two outputs with losses of their own are no family.
        if y[0].len() > 1 {
            continue;
        }
        let family = Family { noise: 1.0, ..Family::of(Output::Gaussian) };
        let theta = listed(&case["theta"]);
        let (value, gradient) = evaluate(case, (&x.concat(), &y.concat()), family, &theta);
        let half_ln = 0.5 * (2.0 * std::f64::consts::PI).ln();
        let loss = -value - y.len() as f64 * half_ln;
        same(&[loss], &[number(&case["loss"])], &case["id"]);
        let of_loss: Vec<f64> = gradient.iter().map(|g| -g).collect();
        same(&of_loss, &listed(&case["loss_gradient"]), &case["id"]);
        count += 1;
    }
    assert_eq!(count, 12);
}

/// Back-propagation through mean-variance and mixture outputs, to 50 digits. Where the file has ln sd, half of
/// ln v, the output's weights are doubled.
#[test]
fn networks_of_laws_meet_the_exact_gradients() {
    for case in reference("mixture_density.json")["networks"].as_array().unwrap() {
        let (x, y) = (matrix(&case["X"]), listed(&case["y"]));
        let mut theta = listed(&case["theta"]);
        let mut gradient = listed(&case["gradient_of_total_log_likelihood"]);
        let what = case["output"].as_str().unwrap();
        let sizes = listed(&case["sizes"]);
        let (units, outputs) = (sizes[sizes.len() - 2] as usize, sizes[sizes.len() - 1] as usize);
        let family = if what.starts_with("mixture") {
            let k = outputs / 3;
            let (biases, weights) = (theta.len() - k, theta.len() - outputs - k * units);
            let of_logs = (weights..theta.len() - outputs).chain(biases..theta.len());
            for j in of_logs {
                theta[j] *= 2.0;
                gradient[j] /= 2.0;
            }
            Family { categories: k as u32, floor: 0.0, ..Family::of(Output::Mixture) }
        } else {
            assert!(what.starts_with("heteroscedastic"));
            Family { floor: 0.0, ..Family::of(Output::MeanVariance) }
        };
        let (value, got) = evaluate(case, (&x, &y), family, &theta);
        let total = listed(&case["log_likelihood"]).iter().sum::<f64>();
        same(&[value], &[total], &case["output"]);
        same(&got, &gradient, &case["output"]);
    }
}
