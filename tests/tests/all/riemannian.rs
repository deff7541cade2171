//! Riemannian HMC of regressions: steps against `riemannian.json`, draws against `logistic_regression.json`. That of the l1
//! ball is tested beside its other kernels (`ball`).

use lcc_core::data::{Dataset, Inputs};
use lcc_core::kernel::ball::reflection::Trajectory;
use lcc_core::kernel::hmc::State;
use lcc_core::kernel::riemannian::fisher::{Regression, work_len};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::Isa;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::tools::runs;
use lcc_tests::{matrix, number, numbers, reference};

fn blocks(list: &[f64]) -> Vec<[f64; 1]> {
    list.iter().map(|x| [*x]).collect()
}

fn close(what: &str, found: &[[f64; 1]], exact: &[f64], tolerance: f64) {
    let size = exact.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (a, b) in found.iter().zip(exact) {
        assert!((a[0] - b).abs() < tolerance * size, "{what}: {} beside {b}", a[0]);
    }
}

/// One step and ten of every regression; steps that do not come back are told.
#[test]
fn steps_are_exact_and_those_that_do_not_reverse_are_told() {
    let file = reference("riemannian.json");
    let (mut told, mut ten) = (0, 0);
    for case in file["cases"].as_array().unwrap() {
        let family = case["family"].as_str().unwrap();
        if family == "network" {
            continue;
        }
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let d = x.len() / y.len();
        let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
        let sd = number(&case["sigma0"]);
        let model = Regression { data, counts: family == "poisson_log", sd };
        let mut work = vec![[f64::NAN]; work_len(d).unwrap()];
        for point in case["points"].as_array().unwrap() {
            let (theta, p) = (numbers(&point["theta"]), numbers(&point["p"]));
            let mut leap = |step: f64, count| {
                let (mut theta, mut p) = (blocks(&theta), blocks(&p));
                let at = [&mut theta[..], &mut p[..]];
                let [sound] = model.leap(Isa::detect(), ([step], count), at, &mut work);
                (sound, theta, p)
            };
            let mut gradient = vec![[0.0]; d];
            model.evaluate(Isa::detect(), &blocks(&theta), &mut gradient);
            close("gradient", &gradient, &numbers(&point["grad_log_joint"]), 1e-13);
            let id = case["id"].as_str().unwrap();
            let step = &point["step"];
            let (sound, theta_new, p_new) = leap(number(&step["eps"]), 1);
            assert_eq!(sound, 1.0, "{id}");
            close(id, &theta_new, &numbers(&step["theta_new"]), 1e-11);
            close(id, &p_new, &numbers(&step["p_new"]), 1e-11);
            if let Some(step) = point.get("ten_steps") {
                let (sound, theta, p) = leap(number(&step["eps"]), 10);
                assert_eq!(sound, 1.0, "{id}");
                close(id, &theta, &numbers(&step["theta"]), 1e-10);
                close(id, &p, &numbers(&step["p"]), 1e-10);
                ten += 1;
            }
            if let Some(step) = point.get("larger_step_that_fails") {
                assert_eq!(leap(number(&step["eps"]), 1).0, 0.0, "{id}");
                told += 1;
            }
        }
    }
    assert_eq!((told, ten), (2, 6));
}

/// The mean and the covariance of the weights, with steps so long that some do not reverse.
#[test]
fn logistic_regression_is_exact() {
    const CHAINS: usize = 40;
    let draws = runs(500, 1500);
    let mut squares = Vec::new();
    for (c, case) in
        reference("logistic_regression.json")["cases"].as_array().unwrap().iter().enumerate()
    {
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let d = x.len() / y.len();
        let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
        let model = Regression { data, counts: false, sd: number(&case["sigma0"]) };
        let (mean, cov) = (numbers(&case["result"]["mean"]), matrix(&case["result"]["cov"]));
        let mut means = vec![vec![0.0; CHAINS]; 2 * d];
        let mut work = vec![[f64::NAN; 8]; work_len(d).unwrap()];
        for first in (0..CHAINS).step_by(8) {
            let mut streams: [Stream; 8] = std::array::from_fn(|k| {
                Stream::new(91, (100 * c + first + k) as u64, Purpose::Kernel)
            });
            let (mut position, mut gradient) = (vec![[0.0; 8]; d], vec![[0.0; 8]; d]);
            let mut value = model.evaluate(Isa::detect(), &position, &mut gradient);
            let trajectory = Trajectory { step: [0.25; 8], steps: 6, jitter: 0.5 };
            for t in 0..draws + 50 {
                let state =
                    State { position: &mut position, gradient: &mut gradient, value: &mut value };
                let at = (&mut streams, &trajectory, state, &mut work[..]);
                model.transition(Isa::detect(), at.0, at.1, at.2, at.3);
                for (j, w) in position.iter().enumerate().filter(|_| t >= 50) {
                    for (k, w) in w.iter().enumerate() {
                        means[j][first + k] += w / draws as f64;
                        means[d + j][first + k] += (w - mean[j]).powi(2) / draws as f64;
                    }
                }
            }
        }
        let exact = mean.iter().copied().chain((0..d).map(|j| cov[j * d + j]));
        for (k, (means, exact)) in means.iter().zip(exact).enumerate() {
            let (mean, error) = mean_and_error(means);
            let z = (mean - exact) / error;
            assert!(z.abs() < 4.5, "case {c}, functional {k}: {mean}, not {exact}: z = {z}");
            squares.push(z * z);
        }
    }
    // Of Student's t with 39 degrees of freedom.
    let rms = (squares.iter().sum::<f64>() / squares.len() as f64 / (39.0 / 37.0)).sqrt();
    println!("rms z {rms:.3} over {}", squares.len());
    assert!((rms - 1.0).abs() < 3.0 / (2.0 * squares.len() as f64).sqrt(), "rms z {rms}");
}
