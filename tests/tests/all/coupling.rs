//! The coupling against exact values, by quadrature.

use lcc_core::activation::Activation;
use lcc_core::coupling::rho::{self, JointScale, Range};
use lcc_core::coupling::{
    Conditional, Coupling, Sides, from_signal_scale, hessian, log_scale, score, signal_score,
    to_signal_scale,
};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{GreedyTilt, Joint, Signs};
use lcc_core::prior::Prior;
use lcc_core::simd::Isa;
use lcc_tests::numeric::{
    blocks1, broadcast, close, factorise, flat1, forward, largest_eigenvalue,
};
use lcc_tests::quadrature::{moments, prior_rule, product};
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

fn prior_of(v: &Value) -> Prior<f64> {
    match v["kind"].as_str().unwrap() {
        "gaussian" => Prior::gaussian(number(&v["sigma0"])).unwrap(),
        "l1" => Prior::l1_ball(number(&v["radius"])).unwrap(),
        other => panic!("{other}"),
    }
}

/// X'S xi for one neuron.
fn statistic(coupling: &Coupling<'_, f64>, xi: &[f64]) -> Vec<f64> {
    let inputs = coupling.inputs();
    (0..inputs.d())
        .map(|j| (0..inputs.n()).map(|i| coupling.rho(i, 0).sqrt() * inputs.at(i, j) * xi[i]).sum())
        .collect()
}

// ---- exact values ----

#[test]
fn greedy_coupling_matches_the_exact_values() {
    let file = reference("coupling_d2_n3.json");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let id = case["id"].as_str().unwrap();
        let (x, r) = (matrix(&case["X"]), numbers(&case["r"]));
        let inputs = Inputs::row_major(&x, 3, 2).unwrap();
        let activation = Activation::from_name(case["activation"].as_str().unwrap()).unwrap();
        let alpha = number(&case["alpha"]);
        let prior = prior_of(&case["prior"]);
        let rule = prior_rule(prior, &inputs, 26, true);
        let tilt = GreedyTilt::new(Dataset::new(inputs, &r).unwrap(), alpha, activation);
        let log_z = moments(&tilt, &rule).log_integral;
        for variant in case["variants"].as_array().unwrap() {
            let name = variant["variant"].as_str().unwrap();
            let sides = if name.starts_with("two") { Sides::TwoSided } else { Sides::OneSided };
            let what = format!("{id} {sides:?}");
            close(&[log_z], &[number(&variant["log_Z"])], 1e-11, &what);

            let mut rho = [0.0; 3];
            let line = Range::of(activation, f64::INFINITY);
            rho::greedy(sides, alpha, &r, |_| line, &mut rho).unwrap();
            close(&rho, &numbers(&variant["rho"]), 1e-14, &what);
            let mut reached = [0.0; 3];
            rho::greedy(
                sides,
                alpha,
                &r,
                Range::reachable(activation, prior, inputs),
                &mut reached,
            )
            .unwrap();
            assert!(reached.iter().zip(&rho).all(|(a, b)| a <= b), "{what}");

            let coupling = Coupling::greedy(inputs, &rho).unwrap();
            let mut memory = Vec::new();
            let triangular = factorise(&coupling, &mut memory);
            for point in variant["points"].as_array().unwrap() {
                let xi = numbers(&point["xi"]);
                let (mean, covariance) =
                    (numbers(&point["E_w_given_xi"]), matrix(&point["Cov_w_given_xi"]));
                // The formulas, given the reference's own moments.
                let mut out = vec![[0.0]; 3];
                let isa = Isa::detect();
                score(isa, &coupling, &blocks1(&xi), &blocks1(&mean), &mut out).unwrap();
                close(&flat1(&out), &numbers(&point["score"]), 1e-12, &what);
                let mut h = [0.0; 9];
                hessian(&coupling, &covariance, &mut h, &mut [0.0; 2]).unwrap();
                close(&h, &matrix(&point["hessian"]), 1e-12, &what);
                let top = number(&point["hessian_largest_eigenvalue"]);
                close(&[largest_eigenvalue(&h, 3)], &[top], 1e-11, &what);

                // The conditional law, integrated here.
                let flat = broadcast(&xi);
                let conditional = Conditional::new(&tilt, &coupling, &flat).unwrap();
                let exact = moments(&conditional, &rule);
                close(&exact.mean, &mean, 1e-10, &what);
                close(&exact.covariance, &covariance, 1e-10, &what);
                let constant = 1.5 * (2.0 * std::f64::consts::PI).ln();
                let log_p = exact.log_integral - log_z - constant;
                close(&[log_p], &[number(&point["log_p"])], 1e-10, &what);

                // In d dimensions the same law of w.
                let v = forward(triangular.factor(), 2, &statistic(&coupling, &xi));
                let flat = broadcast(&v);
                let conditional = Conditional::new(&tilt, &triangular, &flat).unwrap();
                let same = moments(&conditional, &rule);
                close(&same.mean, &mean, 1e-10, &what);
                close(&same.covariance, &covariance, 1e-10, &what);
            }
        }
    }
}

#[test]
fn joint_coupling_matches_the_exact_values() {
    let file = reference("joint_posterior.json");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let what = case["id"].as_str().unwrap();
        let size = |key: &str| case[key].as_u64().unwrap() as usize;
        let (n, d, neurons) = (size("n"), size("d"), size("M"));
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let inputs = Inputs::row_major(&x, n, d).unwrap();
        let activation = Activation::from_name(case["activation"].as_str().unwrap()).unwrap();
        let signs = numbers(&case["signs"]);
        let kind = if signs[1] < 0.0 { Signs::Alternating } else { Signs::Positive };
        assert!(signs.iter().enumerate().all(|(m, s)| *s == kind.sign::<f64>(m)));
        let (beta, outer) = (number(&case["beta"]), number(&case["V"]));
        let scale = JointScale { beta, outer, neurons, signs: kind };
        let constant = rho::joint_constant(&scale, &y, &activation.bounds()).unwrap();
        close(&[constant], &[number(&case["rho"])], 1e-14, what);
        let rho = vec![constant; n];
        let coupling = Coupling::joint(inputs, &rho, neurons, kind).unwrap();

        let data = Dataset::new(inputs, &y).unwrap();
        let inner = Joint { data, activation, neurons, outer, beta, signs: kind };
        let order = if d == 2 { 16 } else { 40 };
        let rule = product(&prior_rule(prior_of(&case["prior"]), &inputs, order, false), neurons);
        let log_z = moments(&inner, &rule).log_integral;
        let result = &case["result"];
        close(&[log_z], &[number(&result["log_Z"])], 1e-9, what);
        for point in case["coupling_points"].as_array().unwrap() {
            let isa = Isa::detect();
            let signal = blocks1(&matrix(&point["xi"]));
            // The file has one E w_m for each neuron.
            let mean = blocks1(&matrix(&point["E_wm_given_xi"]));
            let expected = matrix(&point["score"]);
            let mut out = vec![[0.0]; n * neurons];
            signal_score(isa, &coupling, &signal, &mean, &mut out).unwrap();
            close(&flat1(&out), &expected, 1e-12, what);

            let mut xi = signal.clone();
            from_signal_scale(&coupling, &mut xi).unwrap();
            let mut own = vec![[0.0]; n * neurons];
            score(isa, &coupling, &xi, &mean, &mut own).unwrap();
            from_signal_scale(&coupling, &mut own).unwrap();
            close(&flat1(&own), &expected, 1e-12, what);

            let flat = broadcast(&flat1(&xi));
            let exact = moments(&Conditional::new(&inner, &coupling, &flat).unwrap(), &rule);
            close(&exact.mean, &flat1(&mean), 1e-9, what);
            let log_p = exact.log_integral
                - log_z
                - 0.5 * (n * neurons) as f64 * (2.0 * std::f64::consts::PI).ln()
                + log_scale(&coupling);
            close(&[log_p], &[number(&point["log_p_xi"])], 1e-9, what);
            let k = n * neurons;
            let mut h = vec![0.0; k * k];
            hessian(&coupling, &exact.covariance, &mut h, &mut vec![0.0; d * neurons]).unwrap();
            let top = constant * largest_eigenvalue(&h, k);
            close(&[top], &[number(&point["hessian_log_p_xi_largest_eigenvalue"])], 1e-8, what);

            to_signal_scale(&coupling, &mut xi).unwrap();
            close(&flat1(&xi), &flat1(&signal), 1e-15, what);
        }
    }
}
