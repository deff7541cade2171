//! Modes and Gaussians about them, against exact ones.

use crate::bnn::{data, image, run};
use crate::bnn_exact::{Case, generalised, softmax};
use lcc_core::checkpoint::{self, Kind};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::estimator::bnn::{Compiled, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::posterior::{Image, Standardiser};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::posteriors::Aligned;
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

fn laplaces(file: &str) -> Vec<Value> {
    reference(file)["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["laplace"].clone())
        .collect()
}

/// LL' of packed rows with reciprocals of the diagonal.
fn square(factor: &[f64], order: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| {
        let x = factor[i * (i + 1) / 2 + j];
        if i == j { 1.0 / x } else { x }
    };
    let entry = |i: usize, j: usize| (0..=i.min(j)).map(|k| at(i, k) * at(j, k)).sum();
    (0..order * order).map(|k| entry(k / order, k % order)).collect()
}

fn close(name: &str, what: &str, found: &[f64], exact: &[f64]) {
    assert_eq!(found.len(), exact.len());
    for (a, b) in found.iter().zip(exact) {
        assert!((a - b).abs() <= 1e-8 * (1.0 + b.abs()), "{name}: {what} {a}, not {b}");
    }
}

/// Mode, Hessian and evidence to 1e-8, in the parameters w = sigma z behind the intercepts.
fn check(cases: &[Case], laplaces: &[Value]) {
    assert_eq!(cases.len(), laplaces.len());
    for (case, exact) in cases.iter().zip(laplaces) {
        let options =
            BnnOptions { method: BnnMethod::Laplace.into(), draws: 2, keep: 2, ..case.options };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &case.data());
        let sigma = options.linear_scale;
        let outputs = options.family().outputs();
        let mode = network.mode(0).unwrap();
        let w: Vec<f64> = network.mode_coordinates()[outputs..].iter().map(|z| sigma * z).collect();
        close(&case.name, "mode", &w, &numbers(&exact["map"]));
        let order = network.coordinates();
        let h = square(network.mode_factor(), order);
        let behind = |k: usize| k / order >= outputs && k % order >= outputs;
        let own: Vec<f64> =
            (0..order * order).filter(|k| behind(*k)).map(|k| h[k] / (sigma * sigma)).collect();
        close(&case.name, "Hessian", &own, &matrix(&exact["hessian_of_minus_log_joint_at_map"]));
        close(
            &case.name,
            "evidence",
            &[mode.log_evidence],
            &[number(&exact["laplace_log_evidence"])],
        );
        assert!(mode.distance_squared < 1e-8, "{}: {mode:?}", case.name);
        println!("{} {} steps", case.name, mode.steps);
    }
}

#[test]
fn generalised_linear_models_have_their_exact_modes() {
    check(&generalised(), &laplaces("glm_posteriors.json"));
}

#[test]
fn softmax_models_have_their_exact_modes() {
    check(&softmax(), &laplaces("softmax_posteriors.json"));
}

#[test]
fn rows_with_weights_have_the_exact_modes() {
    let weighted = |cases: Vec<Case>| cases.into_iter().map(Case::weighted).collect::<Vec<_>>();
    check(&weighted(generalised()), &laplaces("glm_posteriors.json"));
    check(&weighted(softmax()), &laplaces("softmax_posteriors.json"));
}

pub(crate) fn model<T: Compiled>(network: &Bnn<'_, T>) -> Vec<u8> {
    image(network, false)
}

/// Rows of two inputs and a target.
pub(crate) fn table(n: usize, y: impl Fn(f64, f64, f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    let mut stream = Stream::new(5, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..2 * n).map(|_| stream.normal()).collect();
    let y = x.chunks(2).map(|r| y(r[0], r[1], stream.normal())).collect();
    (x, y)
}

/// Without hidden layers: indicators of all categories beside the intercept leave a direction open to the likelihood, whose maximum
/// has the categories' means; and a mixture of two laws apart is told as such, and not by the one law between that is a saddle.
#[test]
fn open_directions_and_saddles_are_no_obstacles() {
    let linear = |method: BnnMethod, output: Output| BnnOptions {
        method: method.into(),
        output: output.into(),
        widths: [0; 4],
        lanes: 1,
        chains: 1,
        ..BnnOptions::default()
    };
    let (_, noise) = table(60, |_, _, noise| noise);
    let x: Vec<f64> = (0..60).flat_map(|i| [0, 1, 2].map(|k| f64::from(i % 3 == k))).collect();
    let y: Vec<f64> = noise.iter().enumerate().map(|(i, e)| (i % 3) as f64 + 0.1 * e).collect();
    let rows = Dataset::new(Inputs::row_major(&x, 60, 3).unwrap(), &y).unwrap();
    let options =
        BnnOptions { draws: 1, keep: 1, ..linear(BnnMethod::MaximumLikelihood, Output::Gaussian) };
    let mut memory = Aligned::new(0);
    let bytes = model(&run(&mut memory, &options, &rows));
    for (k, row) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].iter().enumerate() {
        let mean = y.iter().skip(k).step_by(3).sum::<f64>() / 20.0;
        assert!((crate::bnn_linearised::outputs(&bytes, row)[0][0] - mean).abs() < 1e-9, "{k}");
    }
    let y: Vec<f64> = noise.iter().enumerate().map(|(i, e)| (i % 2) as f64 * 8.0 + e).collect();
    let rows = Dataset::new(Inputs::row_major(&x, 60, 3).unwrap(), &y).unwrap();
    let output = linear(BnnMethod::MaximumLikelihood, Output::Mixture);
    let options = BnnOptions { categories: 2, draws: 1, keep: 1, ..output };
    let mut memory = Aligned::new(0);
    let mode = run(&mut memory, &options, &rows).mode(0).unwrap();
    // Of one law of sd 4.1 it would be 60 times -2.83, of two of sd 1 it is 60 times -2.11.
    assert!(mode.log_joint > -140.0, "{mode:?}");
}

/// Above 1024 coordinates the ascent remembers its last steps in place of a matrix: no gradient is left either, and the memory
/// is less than that of a triangle.
#[test]
fn of_a_wide_network_the_mode_needs_no_matrix() {
    let rows = table(60, |a, b, noise| (2.0 * a).sin() + 0.5 * b + 0.1 * noise);
    let options = BnnOptions {
        method: BnnMethod::Map.into(),
        widths: [28, 34, 0, 0],
        output: Output::Gaussian.into(),
        scales: Scales::Known.into(),
        noise: 0.2,
        chains: 1,
        start_steps: 200,
        ..BnnOptions::default()
    };
    let rows = data(&rows);
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &rows);
    let (dim, mode) = (network.coordinates(), network.mode(0).unwrap());
    assert!(dim > 1024 && 8 * dim * (dim + 1) / 2 > 4 * Bnn::size(&options, 60, 2).unwrap());
    // In units of the sds of the targets, as the mode is.
    let mut units = [0.0; 4];
    let units = Standardiser::fit(&rows, &mut units).unwrap();
    let (mut x, mut y) = (vec![0.0; 120], vec![0.0; 60]);
    for i in 0..60 {
        units.row(&rows, i, &mut x[2 * i..2 * i + 2]);
        y[i] = units.target(rows.y()[i]);
    }
    let own = Dataset::new(Inputs::row_major(&x, 60, 2).unwrap(), &y).unwrap();
    let posterior = options.network(own).posterior::<1>();
    let at: Vec<[f64; 1]> = network.mode_coordinates().iter().map(|x| [*x]).collect();
    let (mut slopes, mut scratch) = (vec![[0.0]; dim], vec![[0.0]; posterior.scratch()]);
    posterior.value_and_gradient(Isa::detect(), &at, &mut slopes, &mut scratch);
    let squares: f64 = slopes.iter().zip(&at).map(|([g], [z])| (g - z).powi(2)).sum();
    let start: f64 = at.iter().map(|[z]| z * z).sum();
    println!("{dim} coordinates, {} steps: slope {:.1e}", mode.steps, squares.sqrt());
    assert!(mode.distance_squared < 1e-6 && squares.sqrt() < 1e-3 * start.sqrt(), "{mode:?}");
}

/// The conjugate case: Laplace is the posterior, draws and evidence.
#[test]
fn of_a_gaussian_posterior_laplace_is_exact() {
    for case in reference("linear_regression.json")["cases"].as_array().unwrap() {
        let x = matrix(&case["X"]);
        let y = numbers(&case["y"]);
        let (d, draws) = (x.len() / y.len(), 4000);
        let options = BnnOptions {
            method: BnnMethod::Laplace.into(),
            widths: [0; 4],
            output: Output::Gaussian.into(),
            noise: number(&case["noise_variance"]).sqrt(),
            scales: Scales::Known.into(),
            linear_scale: number(&case["prior_variance"]).sqrt(),
            intercept_sd: 0.0,
            standardise: false.into(),
            draws,
            keep: draws,
            ..BnnOptions::default()
        };
        let rows = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &rows);
        let evidence = number(&case["log_evidence"]);
        close("conjugate", "evidence", &[network.mode(0).unwrap().log_evidence], &[evidence]);
        let (mean, cov) = (numbers(&case["posterior_mean"]), matrix(&case["posterior_cov"]));
        let bytes = model(&network);
        let image = Image::open(&bytes).unwrap();
        let w: Vec<Vec<f64>> =
            (0..draws as usize).map(|t| image.values::<f64>(t).skip(1).take(d).collect()).collect();
        let n = draws as f64;
        for i in 0..d {
            let m = w.iter().map(|w| w[i]).sum::<f64>() / n;
            let z = (m - mean[i]) / (cov[i * d + i] / n).sqrt();
            assert!(z.abs() < 4.0, "mean {i}: {z}");
            for j in 0..d {
                let c = w.iter().map(|w| (w[i] - mean[i]) * (w[j] - mean[j])).sum::<f64>() / n;
                let exact = cov[i * d + j];
                let se = ((cov[i * d + i] * cov[j * d + j] + exact * exact) / n).sqrt();
                assert!((c - exact).abs() < 4.0 * se, "cov {i} {j}: {c}, not {exact}");
            }
        }
    }
}

/// The maximum of the likelihood solves X'(y - p) = 0, whatever the prior.
#[test]
fn maxima_of_the_likelihood() {
    let table = table(60, |a, b, e| (a - b + 1.5 * e > 0.3) as i32 as f64);
    let options = BnnOptions {
        method: BnnMethod::MaximumLikelihood.into(),
        widths: [0; 4],
        output: Output::Bernoulli.into(),
        linear_scale: 0.1,
        standardise: false.into(),
        ..BnnOptions::default()
    };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &data(&table));
    let [b, u, v] = *network.mode_coordinates() else { panic!() };
    let mut sums = [0.0; 3];
    let mut value = 0.0;
    for (x, y) in table.0.chunks(2).zip(&table.1) {
        let o = b + u * x[0] + v * x[1];
        let r = y - 1.0 / (1.0 + (-o).exp());
        value += y * o - o.exp().ln_1p();
        for (s, x) in sums.iter_mut().zip([1.0, x[0], x[1]]) {
            *s += r * x;
        }
    }
    assert!(sums.iter().all(|s| s.abs() < 1e-12), "{sums:?}");
    let mode = network.mode(0).unwrap();
    assert!((mode.log_joint - value).abs() < 1e-12 && mode.log_evidence.is_nan());
    let bytes = model(&network);
    let draw: Vec<f64> = Image::open(&bytes).unwrap().values(0).take(3).collect();
    assert_eq!(draw, [b, u, v]);
    // Rows that an input separates but for two: there is a maximum; without those there is none.
    let mut rows = self::table(40, |a, _, _| (a > 0.0) as i32 as f64);
    for fine in [false, true] {
        // Two rows beside each other, in order or not.
        let away = if fine { -0.3 } else { 0.3 };
        rows.0[..4].copy_from_slice(&[away, 0.1, -away, 0.1]);
        rows.1[..2].copy_from_slice(&[1.0, 0.0]);
        let size = Bnn::size(&options, 40, 2).unwrap();
        let mut memory = Aligned::new(size);
        let rows = data(&rows);
        let mut network = Bnn::init(memory.bytes(), &options, Isa::detect(), &rows).unwrap();
        let end = network.step(&rows, u64::MAX);
        assert_eq!(end, if fine { Ok(Status::Done) } else { Err(BnnError::Separable) });
    }
}

/// A network of two layers, of every kind of prior's scales.
pub(crate) fn deep(output: Output, scales: Scales) -> BnnOptions<f64> {
    BnnOptions {
        method: BnnMethod::Laplace.into(),
        widths: [3, 2, 0, 0],
        output: output.into(),
        categories: 3,
        scales: scales.into(),
        chains: 1,
        start_steps: 300,
        draws: 3,
        keep: 3,
        ..BnnOptions::default()
    }
}

/// The diagonal of the inverse of the leading block, by Gauss-Jordan.
fn variances(h: &[f64], p: usize, order: usize) -> Vec<f64> {
    let mut a: Vec<Vec<f64>> = (0..order)
        .map(|r| {
            let unit = (0..order).map(|c| (c == r) as i32 as f64);
            h[r * p..][..order].iter().copied().chain(unit).collect()
        })
        .collect();
    for r in 0..order {
        let pivot = a[r][r];
        a[r].iter_mut().for_each(|x| *x /= pivot);
        let own = a[r].clone();
        for (_, row) in a.iter_mut().enumerate().filter(|(q, _)| *q != r) {
            let factor = row[r];
            row.iter_mut().zip(&own).for_each(|(x, o)| *x -= factor * o);
        }
    }
    (0..order).map(|r| a[r][order + r]).collect()
}

/// At the modes of networks the gradient by the weights is 0, and H is sum_i J_i' I_i J_i and the prior's and what
/// the determinant's slope changes by, J by differences of the outputs, I in closed form.
#[test]
fn networks_have_modes_and_gauss_newton_matrices() {
    let real = table(30, |a, b, e| (2.0 * a).sin() + b + 0.2 * e);
    let class = table(30, |a, b, e| ((a > 0.3) as i32 + (b + 0.3 * e > 0.5) as i32) as f64);
    for (output, scales, rows) in [
        (Output::Gaussian, Scales::Known, &real),
        (Output::Softmax, Scales::Known, &class),
        (Output::Softmax, Scales::Inputs, &class),
        (Output::Gaussian, Scales::Layers, &real),
    ] {
        let known = output == Output::Gaussian;
        let options = BnnOptions {
            standardise: false.into(),
            noise: if known { 0.4 } else { 0.0 },
            ..deep(output, scales)
        };
        let mut memory = Aligned::new(0);
        let rows = data(rows);
        let options = options.decided(rows.n(), rows.d());
        let network = run(&mut memory, &options, &rows);
        let (z, p) = (network.mode_coordinates().to_vec(), network.coordinates());
        let free = options.network(rows);
        let posterior = free.posterior::<1>();
        let mut scratch = vec![[0.0]; 10_000];
        let mut gradient = vec![[0.0]; p];
        let at: Vec<[f64; 1]> = z.iter().map(|z| [*z]).collect();
        posterior.value_and_gradient(Isa::detect(), &at, &mut gradient, &mut scratch);
        let by_weights = gradient.iter().zip(&z).take(options.architecture(2).dim());
        let furthest = by_weights.map(|(g, z)| (g[0] - z).abs()).fold(0.0, f64::max);
        println!("{output:?} {scales:?} {:?} gradient {furthest:e}", network.mode(0).unwrap());
        assert!(
            furthest < 1e-3 && network.mode(0).unwrap().distance_squared < 1e-10,
            "{output:?} {scales:?}: {furthest}"
        );

        // The outputs of a plain network.
        let architecture = options.architecture(2);
        let k = architecture.outputs;
        let outputs = |z: &[f64], x: &[f64]| {
            let at: Vec<[f64; 1]> = z.iter().map(|z| [*z]).collect();
            let mut w = vec![[0.0]; architecture.dim()];
            posterior.parameters(Isa::detect(), &at, &mut w);
            let w = w.as_flattened();
            let mut below = x.to_vec();
            for layer in architecture.layers() {
                below = (0..layer.units)
                    .map(|u| {
                        let own = &w[layer.weights_at + u * layer.inputs..][..layer.inputs];
                        let sum: f64 = own.iter().zip(&below).map(|(w, x)| w * x).sum();
                        (sum + w[layer.biases_at + u]).tanh()
                    })
                    .collect();
            }
            let outer = &w[architecture.outer_at()..];
            let linear = &w[architecture.linear_at()..];
            (0..k)
                .map(|o| {
                    let v = &outer[o * below.len()..][..below.len()];
                    let c = &linear[o * 2..][..2];
                    let sum: f64 = v.iter().zip(&below).map(|(v, a)| v * a).sum();
                    let direct: f64 = c.iter().zip(x).map(|(c, x)| c * x).sum();
                    sum + direct + w[architecture.intercepts_at() + o]
                })
                .collect::<Vec<f64>>()
        };
        let mut h = vec![0.0; p * p];
        for i in 0..rows.n() {
            let x = [rows.inputs.at(i, 0), rows.inputs.at(i, 1)];
            let j: Vec<Vec<f64>> = (0..p)
                .map(|c| {
                    let moved = |by: f64| {
                        let mut z = z.clone();
                        z[c] += by;
                        outputs(&z, &x)
                    };
                    let (up, down) = (moved(1e-5), moved(-1e-5));
                    up.iter().zip(&down).map(|(u, d)| (u - d) / 2e-5).collect()
                })
                .collect();
            let o = outputs(&z, &x);
            let sum: f64 = o.iter().map(|o| o.exp()).sum();
            let information = |a: usize, b: usize| match output {
                Output::Gaussian => 1.0 / 0.16,
                _ => {
                    let (p, q) = (o[a].exp() / sum, o[b].exp() / sum);
                    if a == b { p * (1.0 - p) } else { -p * q }
                }
            };
            for (r, row) in h.chunks_mut(p).enumerate() {
                for (c, h) in row.iter_mut().enumerate() {
                    for a in 0..k {
                        for b in 0..k {
                            *h += j[r][a] * information(a, b) * j[c][b];
                        }
                    }
                }
            }
        }
        for c in 0..p {
            // The prior of a parameter's z, and of a scale's logarithm.
            let own = if c < architecture.dim() { 1.0 } else { z[c].cosh().powi(-2) };
            h[c * p + c] += own;
        }
        let known = variances(&h, p, architecture.dim());
        for group in options.prior().groups(&architecture) {
            let Some(at) = group.sampled.map(|k| architecture.dim() + k) else { continue };
            let members = (0..group.count).map(|k| group.first + k * group.stride);
            let gamma: f64 = members.map(|j| 1.0 - known[j]).sum();
            h[at * p + at] += 2.0 * gamma * (1.0 - gamma / group.count as f64);
        }
        let found = square(network.mode_factor(), p);
        let largest = h.iter().fold(0.0_f64, |m, h| m.max(h.abs()));
        for (f, h) in found.iter().zip(&h) {
            assert!((f - h).abs() < 1e-7 * largest, "{output:?} {scales:?}: {f}, not {h}");
        }
        // The diagonal alone.
        let mut memory = Aligned::new(0);
        let options = BnnOptions { method: BnnMethod::LaplaceDiagonal.into(), ..options };
        let network = run(&mut memory, &options, &rows);
        for (c, f) in network.mode_factor().iter().take(p).enumerate() {
            assert!((f - h[c * p + c]).abs() < 1e-7 * largest);
        }
        let half: f64 = (0..p).map(|c| h[c * p + c].ln() / 2.0).sum();
        let mode = network.mode(0).unwrap();
        let constant = 0.5 * p as f64 * (2.0 * std::f64::consts::PI).ln();
        // Where scales are learnt log_joint is less by their share of the determinant.
        let known = scales == Scales::Known;
        let joint = mode.log_evidence - constant + half;
        assert!(if known { (joint - mode.log_joint).abs() < 1e-6 } else { joint > mode.log_joint });
    }
}

/// Given the layers below the output's weights have a Gaussian posterior, about their own mode.
#[test]
fn the_last_layer_is_exact_for_gaussian_noise() {
    let rows = table(40, |a, b, e| (2.0 * a).sin() + b + 0.2 * e);
    let rows = data(&rows);
    let (draws, noise) = (4000, 0.3);
    let options = BnnOptions {
        method: BnnMethod::LastLayer.into(),
        widths: [3, 0, 0, 0],
        standardise: false.into(),
        draws,
        keep: draws,
        noise,
        intercept_sd: 2.0,
        ..deep(Output::Gaussian, Scales::Known)
    };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &rows);
    assert!(network.mode(0).unwrap().log_evidence.is_nan());
    let bytes = model(&network);
    let image = Image::open(&bytes).unwrap();
    let all: Vec<Vec<f64>> =
        (0..draws as usize).map(|t| image.values::<f64>(t).collect()).collect();
    // w (3 of 2), b (3), then v (3), b0, c (2).
    let hidden = &all[0][..9];
    assert!(all.iter().all(|draw| draw[..9] == *hidden));
    let feature = |i: usize| {
        let x = [rows.inputs.at(i, 0), rows.inputs.at(i, 1)];
        let unit =
            |u: usize| (hidden[2 * u] * x[0] + hidden[2 * u + 1] * x[1] + hidden[6 + u]).tanh();
        [unit(0), unit(1), unit(2), 1.0, x[0], x[1]]
    };
    let prior = [3.0, 3.0, 3.0, 0.25, 1.0, 1.0];
    // Moments of A^-1 by Gauss-Jordan.
    let mut a = [[0.0; 13]; 6];
    for i in 0..rows.n() {
        let phi = feature(i);
        for r in 0..6 {
            for c in 0..6 {
                a[r][c] += phi[r] * phi[c] / (noise * noise);
            }
            a[r][12] += phi[r] * rows.y()[i] / (noise * noise);
        }
    }
    for r in 0..6 {
        a[r][r] += prior[r];
        a[r][6 + r] = 1.0;
    }
    for r in 0..6 {
        let pivot = a[r][r];
        a[r].iter_mut().for_each(|x| *x /= pivot);
        let own = a[r];
        for (q, row) in a.iter_mut().enumerate().filter(|(q, _)| *q != r) {
            let factor = row[r];
            let _ = q;
            row.iter_mut().zip(own).for_each(|(x, o)| *x -= factor * o);
        }
    }
    let n = draws as f64;
    for (r, row) in a.iter().enumerate() {
        let (mean, variance) = (row[12], row[6 + r]);
        let z = (all.iter().map(|w| w[9 + r]).sum::<f64>() / n - mean) / (variance / n).sqrt();
        let squares: f64 = all.iter().map(|w| (w[9 + r] - mean).powi(2) / variance).sum();
        let chi = (squares - n) / (2.0 * n).sqrt();
        assert!(z.abs() < 4.0 && chi.abs() < 4.0, "{r}: {z} {chi}");
    }
}

/// The noise of a regression on as many columns of chance as a quarter of the rows: what is left, by the rows less the effective
/// number of parameters. And scales: columns that do nothing are as good as left out.
#[test]
fn noise_and_scales_are_at_the_evidence_and_not_at_the_joint_mode() {
    let (n, d) = (80, 20);
    let mut stream = Stream::new(6, 0, Purpose::Predictive);
    let x: Vec<f64> = (0..n * d).map(|_| stream.normal()).collect();
    let y: Vec<f64> = x.chunks(d).map(|r| 2.0 * r[0] + stream.normal::<f64>()).collect();
    let rows = (x, y);
    let rows = data(&rows);
    let options = BnnOptions {
        method: BnnMethod::Map.into(),
        widths: [0; 4],
        output: Output::Gaussian.into(),
        standardise: false.into(),
        ..BnnOptions::default()
    };
    let mut memory = Aligned::new(0);
    let network = run(&mut memory, &options, &rows);
    let z = network.mode_coordinates();
    // Intercept, weights, ln of their scale, ln of the precision.
    let (s, beta) = (z[d + 1].exp(), z[d + 2].exp());
    let w: Vec<f64> = std::iter::once(10.0 * z[0]).chain(z[1..=d].iter().map(|z| s * z)).collect();
    // gamma by the matrix at hand.
    let p = d + 1;
    let sd = |j: usize| if j == 0 { 10.0 } else { s };
    let column = |i: usize, j: usize| if j == 0 { 1.0 } else { rows.inputs.at(i, j - 1) };
    let mut h = vec![0.0; p * p];
    let mut rss = 0.0;
    for i in 0..n {
        let o: f64 = (0..p).map(|j| column(i, j) * w[j]).sum();
        rss += (rows.y()[i] - o).powi(2);
        for r in 0..p {
            for c in 0..p {
                h[r * p + c] += beta * sd(r) * column(i, r) * sd(c) * column(i, c);
            }
        }
    }
    (0..p).for_each(|j| h[j * p + j] += 1.0);
    let known: Vec<f64> = variances(&h, p, p).iter().map(|v| 1.0 - v).collect();
    let all: f64 = known.iter().sum();
    // The slopes of the evidence, with the priors Gamma(.5, 5e-5) and half-Cauchy.
    let noise = (n as f64 - all) / 2.0 - beta * rss / 2.0 + 0.5 - 5e-5 * beta;
    let squares: f64 = z[1..=d].iter().map(|z| z * z).sum();
    let scale = squares - known[1..].iter().sum::<f64>() - z[d + 1].tanh();
    println!("gamma {all}, sd {}, scale {s}: slopes {noise:e}, {scale:e}", beta.powf(-0.5));
    assert!(noise.abs() < 0.02 && scale.abs() < 0.02, "{noise} {scale}");
    assert!(all > 10.0 && (beta.powf(-0.5) - 1.0).abs() < 0.2, "{all} {beta}");
}

/// The matrix of numbers is the whole one up to 1024 coordinates, however many classes there would be.
#[test]
fn numbers_have_no_classes() {
    let table = table(40, |a, b, noise| a * a - b + 0.1 * noise);
    let mode = |categories| {
        let options = BnnOptions {
            categories,
            method: BnnMethod::Map.into(),
            widths: [8, 0, 0, 0],
            chains: 1,
            start_steps: 100,
            ascent_steps: 200,
            ..BnnOptions::default()
        };
        let mut memory = Aligned::new(0);
        run(&mut memory, &options, &data(&table)).mode_coordinates().to_vec()
    };
    assert_eq!(mode(2), mode(400));
}

/// Budgets, copies and parts that ran apart: the same bits. And the best chain's mode is the model.
#[test]
fn no_budget_copy_or_join_changes_a_bit() {
    let rows = table(30, |a, b, e| a * b + 0.2 * e);
    let rows = data(&rows);
    for method in BnnMethod::ALL.into_iter().skip(1) {
        let linear = method == BnnMethod::MaximumLikelihood;
        // Of which all chains are the model.
        let all = matches!(method, BnnMethod::Swag | BnnMethod::Ensemble);
        let options = BnnOptions {
            method: method.into(),
            widths: [if linear { 0 } else { 3 }, 0, 0, 0],
            chains: 3,
            lanes: 1,
            batch: if method == BnnMethod::Swag { 5 } else { 0 },
            start_steps: 30,
            ascent_steps: 60,
            ..deep(Output::StudentT, Scales::Inputs)
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &rows);
        let whole = model(&network);
        let fits = network.law(0).is_some();
        let merit = |c| {
            let mode = network.mode(c).filter(|_| !all);
            mode.map(|mode| if fits { mode.log_evidence } else { mode.log_joint })
        };
        let best = (0..3).filter_map(merit).fold(f64::NEG_INFINITY, f64::max);
        let first = (0..3).find(|c| merit(*c).is_some_and(|own| own == best));
        if let Some(chain) = first {
            let image = Image::open(&whole).unwrap();
            let draw: Vec<f64> = image.values(0).collect();
            assert_eq!(network.kept_draw(chain, 0).unwrap(), draw, "{method:?}");
            assert!((0..3).all(|c| network.dropped(c) == (merit(c).unwrap() < best)));
        }
        // In steps of one unit, moved and sealed on the way.
        let size = Bnn::size(&options, rows.n(), rows.d()).unwrap();
        let mut here = Aligned::new(size);
        Bnn::init(here.bytes(), &options, Isa::detect(), &rows).unwrap();
        let mut steps = 0;
        while Bnn::<f64>::open(here.bytes(), Isa::detect()).unwrap().step(&rows, 1).unwrap()
            == Status::Running
        {
            steps += 1;
            if steps % 17 == 0 {
                let mut sealed = vec![0; checkpoint::sealed_size(size).unwrap()];
                checkpoint::checkpoint(here.bytes(), Kind::Bnn, 64, &mut sealed).unwrap();
                here = Aligned::new(size);
                checkpoint::restore(&sealed, Kind::Bnn, 64, here.bytes()).unwrap();
            }
        }
        let network = Bnn::<f64>::open(here.bytes(), Isa::detect()).unwrap();
        assert!(model(&network) == whole, "{method:?}");
        // Parts.
        let (mut first, mut second) = (Aligned::new(0), Aligned::new(0));
        let a = run(&mut first, &BnnOptions { chains: 2, ..options }, &rows);
        let b = run(&mut second, &BnnOptions { chains: 1, first_chain: 2, ..options }, &rows);
        let mut joined = Aligned::new(size);
        let mut joined = Bnn::init(joined.bytes(), &options, Isa::detect(), &rows).unwrap();
        joined.join([&a, &b].into_iter().map(Ok::<_, BnnError>)).unwrap();
        assert_eq!(joined.law(2), b.law(0));
        assert!(model(&joined) == whole, "{method:?}: joined");
        assert_eq!(joined.gradients(), Bnn::<f64>::gradients(&network), "{method:?}");
        assert_eq!((0..3).map(|c| joined.mode(c)).collect::<Vec<_>>().len(), 3);
        // A block that is one byte short.
        let mut short = Aligned::new(size);
        let cut = &mut short.bytes()[..size - 1];
        assert!(Bnn::init(cut, &options, Isa::detect(), &rows).is_err());
    }
}

/// Single precision comes to the same modes, to its rounding.
#[test]
fn single_precision_finds_the_modes() {
    for (case, exact) in generalised().iter().zip(laplaces("glm_posteriors.json")) {
        let (options, x, y) = case.narrow();
        let options = BnnOptions { method: BnnMethod::Laplace.into(), draws: 1, ..options };
        let (n, d) = (case.data().n(), case.data().d());
        let rows = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &rows);
        let evidence = number(&exact["laplace_log_evidence"]);
        let found = network.mode(0).unwrap().log_evidence as f64;
        assert!((found - evidence).abs() < 2e-4 * (1.0 + evidence.abs()), "{}: {found}", case.name);
        let sigma = options.linear_scale;
        let outputs = options.family().outputs();
        for (z, w) in network.mode_coordinates()[outputs..].iter().zip(numbers(&exact["map"])) {
            assert!(((z * sigma) as f64 - w).abs() < 2e-3 * (1.0 + w.abs()), "{}", case.name);
        }
    }
}

/// Data without noise have no largest evidence: the fit ends at the best that single precision holds.
#[test]
fn data_without_noise_have_modes() {
    let n = 24;
    let side = |i: usize| i as f32 / n as f32 - 0.5;
    let x: Vec<f32> = (0..n).flat_map(|i| [side(i), side(i * 7 % n)]).collect();
    let y: Vec<f32> = x.as_chunks().0.iter().map(|[a, b]| a * a - b / 2.0).collect();
    let rows = Dataset::new(Inputs::row_major(&x, n, 2).unwrap(), &y).unwrap();
    for method in [BnnMethod::Map, BnnMethod::LaplaceDiagonal] {
        let options = BnnOptions::<f32> {
            widths: [3, 2, 0, 0],
            method: method.into(),
            chains: 4,
            start_steps: 30,
            draws: 1,
            keep: 1,
            ..Default::default()
        };
        let mut memory = Aligned::new(0);
        let network = run(&mut memory, &options, &rows);
        assert!(network.mode_coordinates().iter().all(|z| z.is_finite()));
        let laplace = method == BnnMethod::LaplaceDiagonal;
        assert_eq!(network.mode(0).unwrap().log_evidence.is_finite(), laplace);
    }
}
