//! The Bayesian network against exact posteriors: every generalised linear model and every softmax model of
//! `tests/reference`, by chains that started apart and are judged by their spread.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::simd::{Isa, usual_lanes};
use lcc_core::workspace::ALIGN;
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;
use std::ops::Range;

const CHAINS: u32 = 64;
const DRAWS: u32 = 60;

/// A posterior with known expectations.
pub(crate) struct Case {
    pub name: String,
    pub log_evidence: f64,
    /// Row-major, with the exposures.
    x: Vec<f64>,
    y: Vec<f64>,
    /// One a row, or none.
    weights: Vec<f64>,
    columns: usize,
    /// What the network is.
    pub options: BnnOptions<f64>,
    /// Of the parameters without intercepts, and what is exactly expected of each; nothing where no standard
    /// error could be told from draws.
    pub functions: Box<dyn Fn(&[f64]) -> Vec<f64>>,
    pub exact: Vec<Option<f64>>,
    /// Of classes: what is known of theta from the class at each query. The last functions are then the
    /// probabilities of the classes, query by query (of two of the second alone), and the entropies.
    pub mutual_information: Vec<f64>,
}

impl Case {
    fn new(case: &Value, options: BnnOptions<f64>) -> Self {
        let rows = rows_of(&case["X"]);
        let exposure = case.get("exposure").map(numbers);
        let mut x = vec![];
        for (i, row) in rows.iter().enumerate() {
            x.extend(row);
            x.extend(exposure.as_ref().map(|e| e[i]));
        }
        let (exact, functions) = moments_of(&case["posterior"]);
        Self {
            name: case["id"].as_str().unwrap().to_string(),
            log_evidence: number(&case["posterior"]["log_evidence"]),
            x,
            y: numbers(&case["y"]),
            weights: vec![],
            columns: rows[0].len() + exposure.is_some() as usize,
            options: BnnOptions {
                widths: [0; 4],
                scales: Scales::Known.into(),
                linear_scale: number(&case["sigma0"]),
                intercept_sd: 0.0,
                exposure: exposure.is_some().into(),
                standardise: false.into(),
                ..options
            },
            functions: Box::new(functions),
            exact: exact.into_iter().map(Some).collect(),
            mutual_information: case["prediction"]
                .get("mutual_information")
                .map_or(vec![], numbers),
        }
    }

    /// What is known of the case, and its rows, in single precision.
    pub(crate) fn narrow(&self) -> (BnnOptions<f32>, Vec<f32>, Vec<f32>) {
        let o = &self.options;
        let options = BnnOptions {
            output: o.output,
            widths: [0; 4],
            scales: o.scales,
            standardise: o.standardise,
            exposure: o.exposure,
            noise: o.noise as f32,
            size: o.size as f32,
            linear_scale: o.linear_scale as f32,
            intercept_sd: 0.0,
            keep: 1,
            ..BnnOptions::default()
        };
        let narrow = |list: &[f64]| list.iter().map(|v| *v as f32).collect();
        (options, narrow(&self.x), narrow(&self.y))
    }

    /// More functions.
    fn and(
        mut self,
        exact: impl IntoIterator<Item = Option<f64>>,
        more: impl Fn(&[f64]) -> Vec<f64> + 'static,
    ) -> Self {
        self.exact.extend(exact);
        let functions = self.functions;
        self.functions = Box::new(move |w| {
            let mut out = functions(w);
            out.extend(more(w));
            out
        });
        self
    }

    pub(crate) fn data(&self) -> Dataset<'_, f64> {
        let rows = Inputs::row_major(&self.x, self.y.len(), self.columns).unwrap();
        let data = Dataset::new(rows, &self.y).unwrap();
        if self.weights.is_empty() { data } else { data.weighted(&self.weights).unwrap() }
    }

    /// The same posterior: each row in three parts, of weights .3, 0 (with another target) and .7.
    pub(crate) fn weighted(mut self) -> Self {
        let rows = self.x.chunks(self.columns).zip(&self.y);
        let other = self.y.iter().cycle().skip(1);
        let parts = rows.zip(other).map(|((x, y), other)| ([x; 3].concat(), [*y, *other, *y]));
        let (x, y): (Vec<_>, Vec<_>) = parts.unzip();
        (self.x, self.y) = (x.concat(), y.concat());
        self.weights = [0.3, 0.0, 0.7].repeat(self.y.len() / 3);
        self
    }

    /// The functions of a draw of the network.
    pub(crate) fn at(&self, draw: &[f64]) -> Vec<f64> {
        let outputs = self.options.family().outputs();
        let inputs = self.options.architecture(self.columns).inputs;
        (self.functions)(&draw[outputs..outputs + outputs * inputs])
    }
}

fn rows_of(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// The means of each chain of functions of its kept draws.
fn chain_means(case: &Case) -> Vec<Vec<f64>> {
    let options = BnnOptions {
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
        ..case.options
    };
    let data = case.data();
    let size = Bnn::size(&options, data.n(), data.d()).unwrap();
    let mut memory = vec![0_u8; size + ALIGN];
    let at = memory.as_ptr().align_offset(ALIGN);
    let mut bnn = Bnn::init(&mut memory[at..at + size], &options, Isa::detect(), &data).unwrap();
    while bnn.step(&data, u64::MAX).unwrap() != Status::Done {}
    let draws = |chain| (0..DRAWS as usize).map(move |k| (chain, k));
    (0..CHAINS as usize)
        .map(|chain| mean(draws(chain).map(|(c, k)| case.at(bnn.kept_draw(c, k).unwrap()))))
        .collect()
}

/// Their mean.
pub(crate) fn mean(lists: impl ExactSizeIterator<Item = Vec<f64>>) -> Vec<f64> {
    let share = 1.0 / lists.len() as f64;
    let mut sums = vec![];
    for list in lists {
        sums.resize(list.len(), 0.0);
        sums.iter_mut().zip(list).for_each(|(s, v)| *s += v * share);
    }
    sums
}

/// (mean of the chains - exact) in standard errors of that mean.
pub(crate) fn z(means: &[Vec<f64>], exact: &[Option<f64>]) -> Vec<f64> {
    let count = means.len() as f64;
    assert_eq!(means[0].len(), exact.len());
    let known = exact.iter().enumerate().filter_map(|(j, exact)| Some((j, (*exact)?)));
    known
        .map(|(j, exact)| {
            let mean = means.iter().map(|m| m[j]).sum::<f64>() / count;
            let spread = means.iter().map(|m| (m[j] - mean).powi(2)).sum::<f64>();
            // The exact values have errors of their own: 5e-9 and less, 1e-6 in four dimensions.
            let known = 1e-7 * (1.0 + exact.abs());
            (mean - exact) / (spread / (count - 1.0) / count + known * known).sqrt()
        })
        .collect()
}

fn judge(all: &[(String, Vec<f64>)]) {
    judge_within(0.85..1.15, all);
}

/// None of them beyond 5, and their root mean square within the range.
pub(crate) fn judge_within(range: Range<f64>, all: &[(String, Vec<f64>)]) {
    let (mut squares, mut count) = (0.0, 0.0);
    for (name, z) in all {
        for (j, z) in z.iter().enumerate() {
            assert!(z.abs() < 5.0, "{name}: expectation {j} is {z} standard errors off");
            squares += z * z;
            count += 1.0;
        }
    }
    let rms = f64::sqrt(squares / count);
    println!("{count} z values, root mean square {rms:.3}");
    assert!(range.contains(&rms), "the z values have a root mean square of {rms}");
}

/// mean, variance and covariances of theta, exact where `case` has them.
pub(crate) fn moments_of(result: &Value) -> (Vec<f64>, impl Fn(&[f64]) -> Vec<f64> + use<>) {
    let mean = numbers(&result["mean"]);
    let mut exact = mean.clone();
    exact.extend(matrix(&result["cov"]));
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

/// Every generalised linear model.
pub(crate) fn generalised() -> Vec<Case> {
    let file = reference("glm_posteriors.json");
    let of = |case: &Value| {
        let own = |key: &str| case.get(key).map_or(0.0, number);
        let output = match case["family"].as_str().unwrap() {
            "bernoulli_logit" => Output::Bernoulli,
            "poisson_log" => Output::Poisson,
            "gaussian" => Output::Gaussian,
            _ => Output::NegativeBinomial,
        };
        let (noise, size) = (own("noise_sd"), own("size_r"));
        let options = BnnOptions { output: output.into(), noise, size, ..Default::default() };
        let prediction = &case["prediction"];
        let query = rows_of(&prediction["query"]);
        let exact = numbers(match output {
            Output::Bernoulli => &prediction["predictive_probability"],
            Output::Gaussian => &prediction["eta_mean"],
            _ => &prediction["mean_of_rate"],
        });
        let made = Case::new(case, options).and(exact.into_iter().map(Some), move |w| {
            let mean = |x: &Vec<f64>| match output {
                Output::Bernoulli => 1.0 / (1.0 + (-dot(x, w)).exp()),
                Output::Gaussian => dot(x, w),
                _ => dot(x, w).exp(),
            };
            query.iter().map(mean).collect()
        });
        if output != Output::Bernoulli {
            return made;
        }
        let (query, entropies) = (rows_of(&prediction["query"]), &prediction["expected_entropy"]);
        made.and(numbers(entropies).into_iter().map(Some), move |w| {
            // ln(1 + e^t) - t / (1 + e^-t), t >= 0.
            let of = |t: f64| (-t).exp().ln_1p() + t / (1.0 + t.exp());
            query.iter().map(|x| of(dot(x, w).abs())).collect()
        })
    };
    file["cases"].as_array().unwrap().iter().map(of).collect()
}

/// Every softmax model.
pub(crate) fn softmax() -> Vec<Case> {
    let file = reference("softmax_posteriors.json");
    let of = |case: &Value| {
        let is_reference = case["parametrisation"] == "reference";
        let options = BnnOptions {
            output: Output::Softmax.into(),
            categories: 3,
            reference: is_reference.into(),
            ..Default::default()
        };
        let prediction = &case["prediction"];
        let query = rows_of(&prediction["query"]);
        // The mean of a probability whose sd is many times as large is made by one draw in a thousand: its
        // standard error cannot be told from the chains.
        let spread = matrix(&prediction["variance_of_class_probabilities"]);
        let probabilities = matrix(&prediction["class_probabilities"]).into_iter().zip(spread);
        let told = probabilities.map(|(p, variance)| (variance < 25.0 * p * p).then_some(p));
        let entropies = numbers(&prediction["expected_entropy"]).into_iter().map(Some);
        Case::new(case, options).and(told.chain(entropies), move |w| {
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
            probabilities.extend(entropies);
            probabilities
        })
    };
    file["cases"].as_array().unwrap().iter().map(of).collect()
}

fn check(cases: &[Case]) {
    let of = |case: &Case| (case.name.clone(), z(&chain_means(case), &case.exact));
    judge(&cases.iter().map(of).collect::<Vec<_>>());
}

#[test]
fn generalised_linear_models() {
    check(&generalised());
}

#[test]
fn softmax_models() {
    check(&softmax());
}

#[test]
fn rows_with_weights() {
    let all = generalised().into_iter().chain(softmax()).step_by(2);
    check(&all.map(Case::weighted).collect::<Vec<_>>());
}
