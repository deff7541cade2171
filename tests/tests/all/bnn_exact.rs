//! The Bayesian network against exact posteriors: every generalised linear model and every softmax model of
//! `tests/reference`, by chains that started apart and are judged by their spread.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::simd::{Isa, usual_lanes};
use lcc_core::workspace::ALIGN;
use lcc_tests::{number, numbers, reference};
use serde_json::Value;

const CHAINS: u32 = 64;
const DRAWS: u32 = 60;

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// The means of each chain of functions of its kept draws (network's parameters without intercepts).
fn chain_means(
    case: &Value,
    options: BnnOptions<f64>,
    functions: &dyn Fn(&[f64]) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let rows = matrix(&case["X"]);
    let y = numbers(&case["y"]);
    let (n, d) = (rows.len(), rows[0].len());
    let exposure = case.get("exposure").map(numbers);
    let mut x = vec![];
    for (i, row) in rows.iter().enumerate() {
        x.extend(row);
        x.extend(exposure.as_ref().map(|e| e[i]));
    }
    let columns = d + exposure.is_some() as usize;
    let options = BnnOptions {
        widths: [0; 4],
        scales: Scales::Known.into(),
        linear_scale: number(&case["sigma0"]),
        intercept_sd: 0.0,
        exposure: exposure.is_some().into(),
        standardise: false.into(),
        drop: false.into(),
        chains: CHAINS,
        lanes: usual_lanes(),
        start_steps: 60,
        warmup: 30,
        draws: DRAWS,
        keep: DRAWS,
        leapfrogs: 12,
        first_step: 0.3,
        target_accept: 0.9,
        seed: 11,
        ..options
    };
    let data = Dataset::new(Inputs::row_major(&x, n, columns).unwrap(), &y).unwrap();
    let size = Bnn::size(&options, n, columns).unwrap();
    let mut memory = vec![0_u8; size + ALIGN];
    let at = memory.as_ptr().align_offset(ALIGN);
    let mut bnn = Bnn::init(&mut memory[at..at + size], &options, Isa::detect(), &data).unwrap();
    while bnn.step(&data, u64::MAX).unwrap() != Status::Done {}
    let outputs = options.family().outputs();
    (0..CHAINS as usize)
        .map(|chain| {
            let mut sums = vec![];
            for k in 0..DRAWS as usize {
                let draw = bnn.kept_draw(chain, k).unwrap();
                let values = functions(&draw[outputs..outputs + outputs * d]);
                sums.resize(values.len(), 0.0);
                sums.iter_mut().zip(values).for_each(|(s, v)| *s += v / DRAWS as f64);
            }
            sums
        })
        .collect()
}

/// (mean of the chains - exact) in standard errors of that mean.
fn z(means: &[Vec<f64>], exact: &[f64]) -> Vec<f64> {
    let count = means.len() as f64;
    assert_eq!(means[0].len(), exact.len());
    (0..exact.len())
        .map(|j| {
            let mean = means.iter().map(|m| m[j]).sum::<f64>() / count;
            let spread = means.iter().map(|m| (m[j] - mean).powi(2)).sum::<f64>();
            (mean - exact[j]) / (spread / (count - 1.0) / count).sqrt()
        })
        .collect()
}

fn judge(all: &[(String, Vec<f64>)]) {
    let (mut squares, mut count) = (0.0, 0.0);
    for (name, z) in all {
        for (j, z) in z.iter().enumerate() {
            assert!(z.abs() < 5.0, "{name}: expectation {j} is {z} standard errors off");
            squares += z * z;
            count += 1.0;
        }
    }
    // Some 300 values, not independent: the expectations of a case come from the same draws.
    let rms = f64::sqrt(squares / count);
    assert!((0.85..1.15).contains(&rms), "the z values have a root mean square of {rms}");
}

/// mean, variance and covariances of theta, exact where `case` has them.
fn moments(case: &Value) -> (Vec<f64>, impl Fn(&[f64]) -> Vec<f64> + use<>) {
    let mean = numbers(&case["posterior"]["mean"]);
    let cov = matrix(&case["posterior"]["cov"]);
    let mut exact = mean.clone();
    exact.extend(cov.concat());
    let functions = move |w: &[f64]| {
        let away: Vec<f64> = w.iter().zip(&mean).map(|(w, m)| w - m).collect();
        let mut out = w.to_vec();
        out.extend(away.iter().flat_map(|a| away.iter().map(move |b| a * b)));
        out
    };
    (exact, functions)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn generalised_linear_models() {
    let mut all = vec![];
    for case in reference("glm_posteriors.json")["cases"].as_array().unwrap() {
        let name = case["id"].as_str().unwrap().to_string();
        let own = |key: &str| case.get(key).map_or(0.0, number);
        let output = match case["family"].as_str().unwrap() {
            "bernoulli_logit" => Output::Bernoulli,
            "poisson_log" => Output::Poisson,
            "gaussian" => Output::Gaussian,
            _ => Output::NegativeBinomial,
        };
        let options = BnnOptions {
            output: output.into(),
            noise: own("noise_sd"),
            size: own("size_r"),
            ..Default::default()
        };
        let (mut exact, functions) = moments(case);
        let prediction = &case["prediction"];
        let query = matrix(&prediction["query"]);
        exact.extend(match output {
            Output::Bernoulli => numbers(&prediction["predictive_probability"]),
            Output::Gaussian => numbers(&prediction["eta_mean"]),
            _ => numbers(&prediction["mean_of_rate"]),
        });
        let means = chain_means(case, options, &|w| {
            let mut out = functions(w);
            out.extend(query.iter().map(|x| match output {
                Output::Bernoulli => 1.0 / (1.0 + (-dot(x, w)).exp()),
                Output::Gaussian => dot(x, w),
                _ => dot(x, w).exp(),
            }));
            out
        });
        all.push((name, z(&means, &exact)));
    }
    judge(&all);
}

#[test]
fn softmax_models() {
    let mut all = vec![];
    for case in reference("softmax_posteriors.json")["cases"].as_array().unwrap() {
        let name = case["id"].as_str().unwrap().to_string();
        let is_reference = case["parametrisation"] == "reference";
        let options = BnnOptions {
            output: Output::Softmax.into(),
            categories: 3,
            reference: is_reference.into(),
            ..Default::default()
        };
        let (mut exact, functions) = moments(case);
        let query = matrix(&case["prediction"]["query"]);
        exact.extend(matrix(&case["prediction"]["class_probabilities"]).concat());
        exact.extend(numbers(&case["prediction"]["expected_entropy"]));
        let means = chain_means(case, options, &|w| {
            let mut out = functions(w);
            let (mut probabilities, mut entropies) = (vec![], vec![]);
            for x in &query {
                let mut p: Vec<f64> = w.chunks(x.len()).map(|w| dot(x, w).exp()).collect();
                if is_reference {
                    p.insert(0, 1.0);
                }
                let sum: f64 = p.iter().sum();
                p.iter_mut().for_each(|p| *p /= sum);
                entropies.push(-p.iter().map(|p| p * p.max(1e-300).ln()).sum::<f64>());
                probabilities.extend(p);
            }
            out.extend(probabilities);
            out.extend(entropies);
            out
        });
        // The mean of a probability whose sd is many times as large is made by one draw in a thousand: its
        // standard error cannot be told from the chains.
        let spread = matrix(&case["prediction"]["variance_of_class_probabilities"]).concat();
        let first = exact.len() - spread.len() - query.len();
        let told = |j: usize| {
            let variance = j.checked_sub(first).and_then(|j| spread.get(j));
            variance.is_none_or(|v| *v < 25.0 * exact[j] * exact[j])
        };
        let z = z(&means, &exact);
        let z = z.into_iter().enumerate().filter(|(j, _)| told(*j)).map(|(_, z)| z).collect();
        all.push((name, z));
    }
    judge(&all);
}
