//! The variational auto-encoder: bounds and gradients against exact values, the linear one against probabilistic PCA,
//! the object, and digits.

use lcc_core::activation::Activation;
use lcc_core::checkpoint::{Kind, checkpoint, restore, sealed_size};
use lcc_core::data::Inputs;
use lcc_core::estimator::Status;
use lcc_core::estimator::vae::{Compiled, Vae, VaeError, VaeOptions};
use lcc_core::network::{Architecture, AutoEncoder, Observed};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_tests::datasets::Table;
use lcc_tests::posteriors::Aligned;
use lcc_tests::reference;
use nalgebra::DMatrix;
use serde_json::Value;

/// A list of lists, flat, row by row.
fn flat(v: &Value) -> Vec<f64> {
    v.as_array().map_or_else(
        || vec![v.as_f64().expect("a number")],
        |list| list.iter().flat_map(flat).collect(),
    )
}

fn close(a: f64, b: f64, most: f64) {
    assert!((a - b).abs() <= most * (1.0 + b.abs()), "{a} {b}");
}

/// Bound and gradient of all rows at given normals.
fn bound<T: Real>(nets: &AutoEncoder<T>, theta: &[T], x: &[T], normals: &[T]) -> (T, Vec<T>) {
    let rows = Inputs::row_major(x, x.len() / nets.columns(), nets.columns()).unwrap();
    let mut gradient = vec![T::NAN; nets.dim()];
    let mut scratch = vec![T::NAN; nets.scratch().unwrap()];
    let value = nets.bound(theta, &rows, normals, &mut gradient, &mut scratch).unwrap();
    (value, gradient)
}

/// The parameters of a linear auto-encoder, in the order of the networks.
fn linear(p: &Value, columns: usize) -> Vec<f64> {
    let logs = flat(&p["log_s2"]);
    let mut theta = flat(&p["c"]);
    theta.extend(logs.iter().map(|l| l / 2.0));
    theta.extend(flat(&p["V"]));
    theta.extend(vec![0.0; logs.len() * columns]);
    theta.extend(flat(&p["mu"]));
    theta.extend(flat(&p["W"]));
    theta.push(p["log_sigma2"].as_f64().unwrap() / 2.0);
    theta
}

#[test]
fn linear_bounds_and_gradients_are_exact() {
    let file = reference("vae_linear.json");
    let mut cases = 0;
    for case in file["linear_cases"].as_array().unwrap() {
        let size = |key: &str| case[key].as_u64().unwrap() as usize;
        let (columns, k) = (size("D"), size("k"));
        let (tanh, gaussian) = (Activation::Tanh, Observed::Gaussian);
        let nets = AutoEncoder::new((columns, k), [0; 4], tanh, gaussian, 0.0);
        for p in case["points"].as_array().unwrap() {
            let one = &p["one_draw"];
            let theta = linear(p, columns);
            let x = flat(&case["X"]);
            let (value, gradient) = bound(&nets, &theta, &x, &flat(&one["eps"]));
            let exact = &one["closed_form_kl"];
            close(value, exact["elbo"].as_f64().unwrap(), 1e-12);
            let g = &exact["gradient"];
            // By ln s_j and ln s, halves of what the file differentiates by.
            let twice = |v: &Value| flat(v).into_iter().map(|x| 2.0 * x).collect::<Vec<f64>>();
            let (above, below) = (2 * k + k * columns, 2 * k + 2 * k * columns);
            let mut expected = [flat(&g["c"]), twice(&g["log_s2"]), flat(&g["V"])].concat();
            assert_eq!(expected.len(), above);
            for (a, b) in gradient.iter().zip(&expected) {
                close(*a, *b, 1e-11);
            }
            expected = [flat(&g["mu"]), flat(&g["W"]), twice(&g["log_sigma2"])].concat();
            assert_eq!(expected.len(), gradient.len() - below);
            for (a, b) in gradient[below..].iter().zip(&expected) {
                close(*a, *b, 1e-11);
            }
            // Single precision is the same function.
            let narrow = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
            let nets = AutoEncoder::new((columns, k), [0; 4], tanh, gaussian, 0.0);
            let (single, _) =
                bound(&nets, &narrow(&theta), &narrow(&x), &narrow(&flat(&one["eps"])));
            close(single as f64, value, 3e-5);
            cases += 1;
        }
    }
    assert!(cases >= 10);
}

/// One latent coordinate: the expectation over its normal by the trapezoidal rule.
#[test]
fn curved_bounds_and_gradients_are_exact_in_expectation() {
    let file = reference("vae_linear.json");
    for case in file["nonlinear_cases"].as_array().unwrap() {
        let (p, columns) = (&case["parameters"], case["D"].as_u64().unwrap() as usize);
        let (x, n) = (flat(&case["X"]), case["n"].as_u64().unwrap() as usize);
        let curved = case["decoder"].as_str().unwrap().starts_with("tanh");
        let widths = if curved { [columns as u32, 0, 0, 0] } else { [0; 4] };
        let nets = AutoEncoder {
            encoder: Architecture { inputs: columns, widths: [0; 4], outputs: 2, linear: false },
            decoder: Architecture { inputs: 1, widths, outputs: columns, linear: false },
            activation: Activation::Tanh,
            observed: if curved { Observed::Gaussian } else { Observed::Bernoulli },
            noise: 0.0,
        };
        let mut theta = [flat(&p["c"]), flat(&p["log_s2"]), flat(&p["V"])].concat();
        theta[1] /= 2.0;
        theta.extend(vec![0.0; columns]);
        let (a, c0) = (flat(&p["a"]), flat(&p["c0"]));
        let above = theta.len();
        if curved {
            theta.extend(flat(&p["b"]).iter().chain(&c0));
            for (j, a) in a.iter().enumerate() {
                theta.extend((0..columns).map(|i| if i == j { *a } else { 0.0 }));
            }
            theta.extend(vec![0.0; columns]);
            theta.push(p["log_sigma2"].as_f64().unwrap() / 2.0);
        } else {
            theta.extend(c0.iter().chain(&a));
        }
        let (mut value, mut gradient) = (0.0, vec![0.0; nets.dim()]);
        let step = 0.05;
        for t in -200..=200 {
            let eps = t as f64 * step;
            let weight = step * (-eps * eps / 2.0).exp() / std::f64::consts::TAU.sqrt();
            let (v, g) = bound(&nets, &theta, &x, &vec![eps; n]);
            value += weight * v;
            gradient.iter_mut().zip(g).for_each(|(sum, g)| *sum += weight * g);
        }
        close(value, case["elbo"].as_f64().unwrap(), 1e-10);
        let g = &case["gradient"];
        close(gradient[0], g["c"].as_f64().unwrap(), 1e-9);
        close(gradient[1], 2.0 * g["log_s2"].as_f64().unwrap(), 1e-9);
        let all = |at: usize, key: &str| {
            for (j, exact) in flat(&g[key]).into_iter().enumerate() {
                close(gradient[at + j], exact, 1e-9);
            }
        };
        all(2, "V");
        if curved {
            all(above, "b");
            all(above + columns, "c0");
            for (j, exact) in flat(&g["a"]).into_iter().enumerate() {
                close(gradient[above + (2 + j) * columns + j], exact, 1e-9);
            }
            let last = gradient[nets.dim() - 1];
            close(last, 2.0 * g["log_sigma2"].as_f64().unwrap(), 1e-9);
        } else {
            all(above, "c0");
            all(above + columns, "a");
        }
    }
}

/// Numbers in [-1, 1).
fn uniforms(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    }
}

/// n rows about a curve in D columns, in [0, 1].
fn curve(n: usize, columns: usize) -> Vec<f64> {
    let mut rows = uniforms(41);
    let mut x = Vec::new();
    for _ in 0..n {
        let t = 3.0 * rows();
        x.extend((0..columns).map(|j| {
            let j = j as f64;
            0.5 + 0.45 * ((1.0 + 0.3 * j) * t + j).sin() * 0.9 + 0.02 * rows()
        }));
    }
    x
}

#[test]
fn gradients_of_deep_networks_are_differences() {
    for observed in Observed::ALL {
        for (activation, widths, noise) in [
            (Activation::Tanh, [4, 3, 0, 0], 0.0),
            (Activation::Softplus, [5, 0, 0, 0], 0.3),
            (Activation::Logistic, [3, 2, 2, 4], 0.0),
        ] {
            let noise = if observed == Observed::Gaussian { noise } else { 0.0 };
            let nets = AutoEncoder::new((5, 2), widths, activation, observed, noise);
            let (x, mut draw) = (curve(7, 5), uniforms(7));
            let theta: Vec<f64> = (0..nets.dim()).map(|_| 0.7 * draw()).collect();
            let normals: Vec<f64> = (0..14).map(|_| 1.5 * draw()).collect();
            let (_, gradient) = bound(&nets, &theta, &x, &normals);
            for j in 0..nets.dim() {
                let at = |h: f64| {
                    let mut theta = theta.clone();
                    theta[j] += h;
                    bound(&nets, &theta, &x, &normals).0
                };
                // Of fourth order.
                let h = 1e-3;
                let difference =
                    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                assert!(
                    (difference - gradient[j]).abs() < 1e-7 * (1.0 + gradient[j].abs()),
                    "{observed:?} {activation:?} {j}: {difference} {}",
                    gradient[j]
                );
            }
        }
    }
}

fn fitted<'m, T: Compiled>(
    memory: &'m mut Aligned,
    options: &VaeOptions<T>,
    rows: &Inputs<'_, T>,
) -> Vae<'m, T> {
    *memory = Aligned::new(Vae::size(options, rows.n(), rows.d()).unwrap());
    let mut vae = Vae::init(memory.bytes(), options, Isa::detect(), rows).unwrap();
    while vae.step(rows, 1_000_000).unwrap() == Status::Running {}
    vae
}

/// Without hidden layers the bound reaches the likelihood of probabilistic PCA: W W' + s^2 I is its covariance, and W has
/// orthogonal columns, without which a diagonal encoder would pay.
#[test]
fn the_linear_one_is_probabilistic_pca() {
    let file = reference("vae_linear.json");
    for case in file["linear_cases"].as_array().unwrap() {
        let size = |key: &str| case[key].as_u64().unwrap() as usize;
        let (columns, k, n) = (size("D"), size("k"), size("n"));
        let (x, best) = (flat(&case["X"]), &case["maximum_likelihood"]);
        let rows = Inputs::row_major(&x, n, columns).unwrap();
        let options = VaeOptions {
            latent: k as u32,
            widths: [0; 4],
            steps: 40_000,
            rate: 0.01,
            ..VaeOptions::default()
        };
        let mut memory = Aligned::new(0);
        let vae = fitted(&mut memory, &options, &rows);
        let mut scratch = vec![0.0; vae.scratch()];
        let found = vae.bound(&rows, 20_000, 1, &mut scratch).unwrap();
        let exact = best["log_likelihood"].as_f64().unwrap() / n as f64;
        let gap = exact - found.bound;
        println!("{}: {exact} {found:?} gap {gap}", case["id"]);
        assert!(gap > -4.0 * found.error && gap < 0.005 + 4.0 * found.error, "{gap} {found:?}");
        // W by the decoder, which is linear.
        let corners: Vec<f64> =
            (0..=k).flat_map(|i| (0..k).map(move |j| if i == j + 1 { 1.0 } else { 0.0 })).collect();
        let corners = Inputs::row_major(&corners, k + 1, k).unwrap();
        let mut means = vec![0.0; (k + 1) * columns];
        vae.decode(&corners, &mut means, &mut scratch).unwrap();
        let (zero, w) = means.split_at(columns);
        let w: Vec<Vec<f64>> = w
            .chunks(columns)
            .map(|row| row.iter().zip(zero).map(|(a, b)| a - b).collect())
            .collect();
        let (wwt, sigma2) = (flat(&best["WWt"]), best["sigma2"].as_f64().unwrap());
        let trace: f64 = flat(&best["eigenvalues_of_sample_covariance"]).iter().sum();
        for i in 0..columns {
            close(zero[i], flat(&best["mu"])[i], 0.02);
            for j in 0..columns {
                let own: f64 = w.iter().map(|w| w[i] * w[j]).sum();
                assert!((own - wwt[i * columns + j]).abs() < 0.03 * trace, "{own}");
            }
        }
        assert!((vae.noise().powi(2) / sigma2 - 1.0).abs() < 0.1, "{} {sigma2}", vae.noise());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for (i, a) in w.iter().enumerate() {
            for b in &w[..i] {
                let angle = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
                assert!(angle.abs() < 0.1, "{angle}");
            }
        }
    }
}

/// Draws have the moments of the linear model, and the encoder says where they came from.
#[test]
fn draws_are_those_of_the_model() {
    let x = curve(60, 3);
    let rows = Inputs::row_major(&x, 60, 3).unwrap();
    let options = VaeOptions { latent: 1, widths: [0; 4], steps: 4000, ..VaeOptions::default() };
    let mut memory = Aligned::new(0);
    let vae = fitted(&mut memory, &options, &rows);
    let (n, mut scratch) = (40_000, vec![0.0; vae.scratch()]);
    let (mut z, mut y) = (vec![0.0; n], vec![0.0; 3 * n]);
    vae.sample(5, &mut z, &mut y, &mut scratch).unwrap();
    let mut ends = [0.0; 6];
    let corners = Inputs::row_major(&[0.0, 1.0], 2, 1).unwrap();
    vae.decode(&corners, &mut ends, &mut scratch).unwrap();
    for j in 0..3 {
        let variance = (ends[3 + j] - ends[j]).powi(2) + vae.noise().powi(2);
        let mean = y.chunks(3).map(|y| y[j]).sum::<f64>() / n as f64;
        let spread = y.chunks(3).map(|y| (y[j] - ends[j]).powi(2)).sum::<f64>() / n as f64;
        assert!((mean - ends[j]).abs() < 4.0 * (variance / n as f64).sqrt());
        assert!((spread / variance - 1.0).abs() < 4.0 * (2.0 / n as f64).sqrt());
    }
    // The posterior of z, averaged over its own draws, is the prior: E m = 0, E (m^2 + s^2) = 1.
    let drawn = Inputs::row_major(&y, n, 3).unwrap();
    let (mut means, mut sds) = (vec![0.0; n], vec![0.0; n]);
    vae.encode(&drawn, &mut means, &mut sds, &mut scratch).unwrap();
    let second: f64 = means.iter().zip(&sds).map(|(m, s)| m * m + s * s).sum::<f64>() / n as f64;
    let off: f64 = means.iter().zip(&z).map(|(m, z)| (m - z).powi(2)).sum::<f64>() / n as f64;
    let var: f64 = sds.iter().map(|s| s * s).sum::<f64>() / n as f64;
    assert!((second - 1.0).abs() < 0.03, "{second}");
    assert!((off / var - 1.0).abs() < 0.1, "{off} {var}");
}

fn resumes<T: Compiled>() {
    let x: Vec<T> = curve(37, 3).into_iter().map(T::lit).collect();
    let rows = Inputs::row_major(&x, 37, 3).unwrap();
    for observed in Observed::ALL {
        for batch in [0, 9, 37] {
            let options = VaeOptions {
                observed: observed.into(),
                widths: [4, 0, 0, 0],
                steps: 60,
                batch,
                ..VaeOptions::default()
            };
            let mut memory = Aligned::new(0);
            let whole = fitted(&mut memory, &options, &rows);
            let bytes = Vae::size(&options, 37, 3).unwrap();
            let mut other = Aligned::new(bytes);
            let mut vae = Vae::init(other.bytes(), &options, Isa::Portable, &rows).unwrap();
            let mut sealed = vec![0; sealed_size(bytes).unwrap()];
            let mut steps = 0;
            while vae.step(&rows, 1).unwrap() == Status::Running {
                // Asked in between, it goes on as before.
                let mut scratch = vec![T::ZERO; vae.scratch()];
                vae.bound(&rows, 2, 3, &mut scratch).unwrap();
                steps += 1;
                assert_eq!(vae.steps().0, steps);
                checkpoint(other.bytes(), Kind::Vae, T::BITS, &mut sealed).unwrap();
                other = Aligned::new(bytes);
                restore(&sealed, Kind::Vae, T::BITS, other.bytes()).unwrap();
                vae = Vae::open(other.bytes(), Isa::detect()).unwrap();
            }
            assert_eq!(vae.parameters(), whole.parameters());
            // Rows in any layout.
            let turned: Vec<T> = (0..3)
                .flat_map(|j| (0..37).map(move |i| (i, j)))
                .map(|(i, j)| x[3 * i + j])
                .collect();
            let columns = Inputs::new(&turned, 37, 3, 1, 37).unwrap();
            let mut memory = Aligned::new(0);
            assert_eq!(fitted(&mut memory, &options, &columns).parameters(), whole.parameters());
        }
    }
}

#[test]
fn a_fit_is_the_same_however_it_is_split() {
    resumes::<f32>();
    resumes::<f64>();
}

#[test]
fn bad_options_and_rows_are_refused() {
    let x = curve(8, 2);
    let rows = Inputs::row_major(&x, 8, 2).unwrap();
    let good = VaeOptions::<f64>::default();
    let size = |o: &VaeOptions<f64>| Vae::size(o, 8, 2).map(|_| ());
    assert_eq!(size(&good), Ok(()));
    for (options, error) in [
        (VaeOptions { latent: 0, ..good }, VaeError::Layers),
        (VaeOptions { widths: [3, 0, 3, 0], ..good }, VaeError::Layers),
        (VaeOptions { widths: [u32::MAX; 4], ..good }, VaeError::Layers),
        (VaeOptions { steps: 0, ..good }, VaeError::Steps),
        (VaeOptions { rate: f64::NAN, ..good }, VaeError::Rate),
        (VaeOptions { noise: -1.0, ..good }, VaeError::Noise),
        (VaeOptions { noise: 1.0, observed: Observed::Bernoulli.into(), ..good }, VaeError::Noise),
        (VaeOptions { batch: 9, ..good }, VaeError::Batch),
        (VaeOptions { largest: 0.0, ..good }, VaeError::Largest),
    ] {
        assert_eq!(size(&options), Err(error), "{options:?}");
    }
    let mut memory = Aligned::new(Vae::size(&good, 8, 2).unwrap());
    let mut init = |o: &VaeOptions<f64>, x: &[f64]| {
        let rows = Inputs::row_major(x, 8, 2).unwrap();
        Vae::init(memory.bytes(), o, Isa::Portable, &rows).map(|_| ())
    };
    assert_eq!(init(&good, &[3.0; 16]), Err(VaeError::Constant));
    let counts = VaeOptions { observed: Observed::Bernoulli.into(), ..good };
    let mut over = x.clone();
    over[5] = 1.001;
    assert_eq!(init(&counts, &over), Err(VaeError::Value));
    assert_eq!(init(&counts, &x), Ok(()));
    let mut memory = Aligned::new(0);
    let mut vae = fitted(&mut memory, &VaeOptions { steps: 3, ..good }, &rows);
    let other = Inputs::row_major(&over, 8, 2).unwrap();
    assert_eq!(vae.step(&other, 1), Err(VaeError::OtherData));
}

/// The mean log density of test rows under probabilistic PCA of the training rows.
fn pca(train: &[f64], test: &[f64], d: usize, k: usize) -> f64 {
    let n = (train.len() / d) as f64;
    let mean: Vec<f64> = (0..d).map(|j| train.chunks(d).map(|r| r[j]).sum::<f64>() / n).collect();
    let cov = |i: usize, j: usize| {
        train.chunks(d).map(|r| (r[i] - mean[i]) * (r[j] - mean[j])).sum::<f64>() / n
    };
    let eigen = DMatrix::from_fn(d, d, cov).symmetric_eigen();
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by(|i, j| eigen.eigenvalues[*j].total_cmp(&eigen.eigenvalues[*i]));
    let values: Vec<f64> = order.iter().map(|i| eigen.eigenvalues[*i]).collect();
    let noise = values[k..].iter().sum::<f64>() / (d - k) as f64;
    let log_det: f64 =
        values[..k].iter().map(|v| v.ln()).sum::<f64>() + (d - k) as f64 * noise.ln();
    let mut sum = 0.0;
    for row in test.chunks(d) {
        let away: Vec<f64> = row.iter().zip(&mean).map(|(y, m)| y - m).collect();
        let mut square = away.iter().map(|a| a * a).sum::<f64>() / noise;
        for (value, i) in values.iter().zip(&order).take(k) {
            let vector = eigen.eigenvectors.column(*i);
            let along: f64 = vector.iter().zip(&away).map(|(v, a)| v * a).sum();
            square += along * along * (1.0 / value - 1.0 / noise);
        }
        sum -= 0.5 * (d as f64 * std::f64::consts::TAU.ln() + log_det + square);
    }
    sum / (test.len() / d) as f64
}

/// Grey values of digits, 800 rows and 200 held out. With a Gaussian output the bound is one of a log density
/// and stands beside probabilistic PCA's, which is exact; with a Bernoulli output it is of another measure, and stands
/// beside that of the same model without hidden layers.
#[test]
#[ignore = "long: some minutes without optimisation"]
fn digits_are_told_better_than_by_pca() {
    let table = Table::read("digits_1000");
    let d = table.inputs;
    assert_eq!(d, 64);
    let (train, test): (Vec<_>, Vec<_>) =
        table.x.chunks(d).map(<[f64]>::to_vec).enumerate().partition(|(i, _)| i % 5 > 0);
    let list =
        |rows: Vec<(usize, Vec<f64>)>| rows.into_iter().flat_map(|r| r.1).collect::<Vec<f64>>();
    let (train, test) = (list(train), list(test));
    let rows = Inputs::row_major(&train, 800, d).unwrap();
    let held = Inputs::row_major(&test, 200, d).unwrap();
    let fit = |observed: Observed, latent: u32, widths: [u32; 4]| {
        let options = VaeOptions {
            observed: observed.into(),
            latent,
            widths,
            batch: 32,
            steps: 8000,
            largest: 16.0,
            ..VaeOptions::default()
        };
        let mut memory = Aligned::new(0);
        let vae = fitted(&mut memory, &options, &rows);
        let mut scratch = vec![0.0; vae.scratch()];
        let found = vae.bound(&held, 100, 1, &mut scratch).unwrap();
        println!("{observed:?} k = {latent} {widths:?}: {found:?}, noise {}", vae.noise());
        found
    };
    for k in [2, 8] {
        let exact = pca(&train, &test, d, k as usize);
        println!("probabilistic PCA, k = {k}: {exact}");
        let (flat, curved) = ([0; 4], [32, 0, 0, 0]);
        let found = fit(Observed::Gaussian, k, curved);
        assert!(found.bound - 4.0 * found.error > exact, "{found:?} {exact}");
        // The linear one comes near to what it cannot pass on the training rows.
        let linear = fit(Observed::Gaussian, k, flat);
        assert!((linear.bound - exact).abs() < 0.5, "{linear:?} {exact}");
        let (found, linear) =
            (fit(Observed::Bernoulli, k, curved), fit(Observed::Bernoulli, k, flat));
        assert!(found.bound - 4.0 * (found.error + linear.error) > linear.bound, "{linear:?}");
    }
}
