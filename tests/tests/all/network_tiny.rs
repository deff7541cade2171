//! The tiny posteriors of deep networks and mixture densities in `tests/reference`.

use crate::bnn_exact::moments_of;
use crate::network_problem::{Of, draw_of};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::LogDensity;
use lcc_core::network::{
    Architecture, Family, FreeNetwork, Output, Pass, Point, Scales, WeightPrior,
};
use lcc_core::problem::Problem;
use lcc_core::simd::{Isa, Portable};
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

/// A network whose parameters are c + A theta, theta ~ N(0, sigma0^2 I): some of them fixed, some equal.
struct Tied<'a> {
    pass: Pass<'a, f64>,
    constant: Vec<f64>,
    /// (parameter, coordinate, factor).
    ties: Vec<(usize, usize, f64)>,
    sigma: f64,
}

impl Tied<'_> {
    fn parameters(&self, theta: &[f64]) -> Vec<[f64; 1]> {
        let mut out: Vec<[f64; 1]> = self.constant.iter().map(|c| [*c]).collect();
        for (p, k, factor) in &self.ties {
            out[*p][0] += factor * theta[*k];
        }
        out
    }
}

impl LogDensity<f64> for Tied<'_> {
    fn evaluate(&self, theta: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let parameters = self.parameters(theta);
        let mut slopes = vec![[0.0]; parameters.len()];
        let mut scratch = vec![[0.0]; self.pass.scratch()];
        let point = Point { parameters: &parameters, own: &[], nu: [1.0] };
        let [mut value] =
            self.pass.evaluate(Isa::Portable, point, &mut slopes, &mut [], &mut scratch);
        let scale = self.sigma * (2.0 * std::f64::consts::PI).sqrt();
        for t in theta {
            value -= 0.5 * (t / self.sigma).powi(2) + scale.ln();
        }
        if let Some(gradient) = gradient {
            for (g, t) in gradient.iter_mut().zip(theta) {
                *g = -t / (self.sigma * self.sigma);
            }
            for (p, k, factor) in &self.ties {
                gradient[*k] += factor * slopes[*p][0];
            }
        }
        Some(value)
    }
}

/// psi(u) of a number.
fn psi(activation: Activation, u: f64) -> f64 {
    let out = &mut [[u]];
    activation.apply_value(Portable, out);
    out[0][0]
}

fn normal(y: f64, mean: f64, sd: f64) -> f64 {
    (-0.5 * ((y - mean) / sd).powi(2)).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
}

/// A tiny posterior of `tests/reference` over the parameters that it lists.
pub(crate) struct Tiny {
    pub name: String,
    pub log_evidence: f64,
    x: Vec<f64>,
    y: Vec<f64>,
    architecture: Architecture,
    activation: Activation,
    family: Family<f64>,
    constant: Vec<f64>,
    ties: Vec<(usize, usize, f64)>,
    sigma: f64,
    pub exact: Vec<Option<f64>>,
    of: Box<dyn Fn(&[f64]) -> Vec<f64>>,
}

impl Tiny {
    fn data(&self) -> Dataset<'_, f64> {
        let rows = Inputs::row_major(&self.x, self.y.len(), self.architecture.inputs).unwrap();
        Dataset::new(rows, &self.y).unwrap()
    }

    fn tied(&self) -> Tied<'_> {
        let Self { architecture, activation, family, sigma, .. } = *self;
        let pass = Pass {
            data: self.data(),
            rows: None,
            architecture,
            activation,
            family,
            exposure: false,
        };
        Tied { pass, constant: self.constant.clone(), ties: self.ties.clone(), sigma }
    }

    /// The network whose other parameters are 0, where those are all that it needs.
    pub(crate) fn free(&self) -> Option<FreeNetwork<'_, f64>> {
        let mine = |first: usize| self.ties.iter().any(|(p, ..)| *p == first);
        let (a, sigma) = (&self.architecture, self.sigma);
        let intercept = if mine(a.intercepts_at()) { sigma } else { 0.0 };
        let free = self.constant.iter().all(|c| *c == 0.0) && a.outputs == 1;
        let prior = WeightPrior {
            scales: Scales::Known,
            input: sigma,
            bias: 0.0,
            hidden: sigma,
            outer: sigma,
            linear: 0.0,
            intercept,
        };
        let (data, activation, family) = (self.data(), self.activation, self.family);
        let architecture = self.architecture;
        let network =
            FreeNetwork { data, architecture, activation, family, exposure: false, prior, nu: 0.0 };
        free.then_some(network)
    }

    /// The functions of a draw of that network.
    pub(crate) fn at(&self, draw: &[f64]) -> Vec<f64> {
        (self.of)(&self.ties.iter().map(|(p, ..)| draw[*p]).collect::<Vec<_>>())
    }
}

/// f = v psi(sum_k u_k psi(w_k . x)) + b: v is known or free, b is 0 or free.
pub(crate) fn deep() -> Vec<Tiny> {
    let file = reference("deep_posteriors.json");
    let of = |case: &Value| {
        let names: Vec<&str> =
            case["parameters"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
        let (x, query) = (matrix(&case["X"]), matrix(&case["query"]));
        let y = numbers(&case["y"]);
        let inputs = x.len() / y.len();
        let units = names.iter().filter(|p| p.starts_with('u')).count();
        let second = units * inputs + units;
        let outer = second + units + 1;
        let mut firsts = [0..second, second..outer];
        let place = |name: &&str| match &name[..1] {
            "w" => firsts[0].next().unwrap(),
            "u" => firsts[1].next().unwrap(),
            "v" => outer,
            _ => outer + 1,
        };
        let places: Vec<usize> = names.iter().map(place).collect();
        let ties = places.iter().enumerate().map(|(k, p)| (*p, k, 1.0)).collect();
        let mut constant = vec![0.0; outer + 2];
        constant[outer] = case.get("v_fixed_at").filter(|v| !v.is_null()).map_or(0.0, number);
        let activation = Activation::from_name(case["activation"].as_str().unwrap()).unwrap();
        let gaussian = case["likelihood"] == "gaussian";
        let noise = if gaussian { number(&case["noise_sd"]) } else { 0.0 };
        let output = if gaussian { Output::Gaussian } else { Output::Bernoulli };
        let result = &case["result"];
        let (moments, functions) = moments_of(result);
        let (means, variances) = (numbers(&result["E_f_query"]), numbers(&result["Var_f_query"]));
        let predictive = if gaussian {
            numbers(&result["predictive_density_at_y_query"])
        } else {
            numbers(&result["predictive_probability_query"])
        };
        // Polynomials of degree 7 and 14 have means that no draw of thousands tells.
        let told = activation != Activation::SquaredRelu;
        let exact = moments.into_iter().chain(predictive).map(Some);
        let of_f = means.iter().chain(&variances).map(|e| told.then_some(*e));
        let exact: Vec<Option<f64>> = exact.chain(of_f).collect();
        let y_query = if gaussian { numbers(&case["y_query"]) } else { vec![0.0; means.len()] };
        let v_known = constant[outer];
        let of = move |theta: &[f64]| {
            let mut all = vec![0.0; outer + 2];
            all[outer] = v_known;
            places.iter().zip(theta).for_each(|(p, t)| all[*p] = *t);
            let f = |x: &[f64]| {
                let below = (0..units).map(|k| {
                    let w = &all[k * inputs..(k + 1) * inputs];
                    psi(activation, w.iter().zip(x).map(|(w, x)| w * x).sum())
                });
                let u = below.enumerate().map(|(k, a)| all[second + k] * a).sum();
                all[outer] * psi(activation, u) + all[outer + 1]
            };
            let f: Vec<f64> = query.chunks(inputs).map(f).collect();
            let mut out = functions(theta);
            out.extend(f.iter().zip(&y_query).map(|(f, y)| match output {
                Output::Gaussian => normal(*y, *f, noise),
                _ => 1.0 / (1.0 + (-f).exp()),
            }));
            out.extend(&f);
            out.extend(f.iter().zip(&means).map(|(f, m)| (f - m) * (f - m)));
            out
        };
        Tiny {
            name: case["id"].as_str().unwrap().to_string(),
            log_evidence: number(&result["log_evidence"]),
            x,
            y,
            architecture: Architecture {
                inputs,
                widths: [units as u32, 1, 0, 0],
                outputs: 1,
                linear: false,
            },
            activation,
            family: Family { noise, ..Family::of(output) },
            constant,
            ties,
            sigma: number(&case["sigma0"]),
            exact,
            of: Box::new(of),
        }
    };
    file["posteriors"].as_array().unwrap().iter().map(of).collect()
}

/// One Gaussian of free variance, or two.
fn densities() -> Vec<Tiny> {
    let file = reference("mixture_density.json");
    let of = |case: &Value| {
        let model = case["model"].as_str().unwrap();
        let two = model.starts_with("mixture");
        let sd = case.get("component_sd").map_or(1.0, number);
        let outputs = if two { 6 } else { 2 };
        // Without a hidden layer: intercepts, then slopes. Of one hidden unit: w, b, v of each output, intercepts.
        let tanh = model.starts_with("tanh");
        let mut constant = vec![0.0; if tanh { 6 } else { 2 * outputs }];
        if two {
            constant[4..6].fill(2.0 * sd.ln());
        }
        let ties = match case["id"].as_str().unwrap() {
            "01" => vec![(2, 0, 1.0), (1, 1, 1.0)],
            "02" => vec![(2, 0, 1.0), (1, 1, 1.0), (3, 2, 1.0)],
            "03" => vec![(0, 0, 1.0), (2, 1, 1.0), (5, 2, 1.0)],
            "04" => vec![(2, 0, 1.0), (3, 1, 1.0), (0, 2, 1.0)],
            "05" => vec![(2, 0, 1.0), (3, 1, 1.0), (6, 2, 1.0)],
            _ => {
                (constant[2], constant[3]) = (1.0, -1.0);
                vec![(0, 0, 1.0), (6, 1, 1.0), (4, 2, 2.0), (5, 2, 2.0)]
            }
        };
        let result = &case["result"];
        let (query, y_query) = (numbers(&case["x_query"]), numbers(&case["y_query"]));
        let (moments, functions) = moments_of(result);
        let means = numbers(&result["predictive_mean"]);
        let mut exact = moments;
        exact.extend(&means);
        exact.extend(numbers(&result["aleatoric_variance"]));
        exact.extend(numbers(&result["epistemic_variance"]));
        exact.extend(numbers(&result["predictive_density_at_y_query"]));
        let (base, own) = (constant.clone(), ties.clone());
        let of = move |theta: &[f64]| {
            let mut all = base.clone();
            own.iter().for_each(|(p, k, factor)| all[*p] += factor * theta[*k]);
            // Weights, means and variances of the components.
            let parts = |x: f64| -> Vec<[f64; 3]> {
                if tanh {
                    return vec![[1.0, all[2] * (all[0] * x).tanh(), all[5].exp()]];
                }
                let o = |k: usize| all[k] + all[outputs + k] * x;
                if !two {
                    return vec![[1.0, o(0), o(1).exp()]];
                }
                let p = 1.0 / (1.0 + (o(1) - o(0)).exp());
                vec![[p, o(2), o(4).exp()], [1.0 - p, o(3), o(5).exp()]]
            };
            let mut out = functions(theta);
            let parts: Vec<_> = query.iter().map(|x| parts(*x)).collect();
            let mean = |p: &Vec<[f64; 3]>| p.iter().map(|[p, m, _]| p * m).sum::<f64>();
            out.extend(parts.iter().map(mean));
            out.extend(parts.iter().map(|all| {
                let centre = mean(all);
                all.iter().map(|[p, m, v]| p * (v + (m - centre).powi(2))).sum::<f64>()
            }));
            out.extend(parts.iter().zip(&means).map(|(p, m)| (mean(p) - m).powi(2)));
            out.extend(parts.iter().zip(&y_query).map(|(all, y)| {
                all.iter().map(|[p, m, v]| p * normal(*y, *m, v.sqrt())).sum::<f64>()
            }));
            out
        };
        let output = if two { Output::Mixture } else { Output::MeanVariance };
        Tiny {
            name: model.to_string(),
            log_evidence: number(&result["log_evidence"]),
            x: numbers(&case["x"]),
            y: numbers(&case["y"]),
            architecture: Architecture {
                inputs: 1,
                widths: [tanh as u32, 0, 0, 0],
                outputs,
                linear: false,
            },
            activation: Activation::Tanh,
            family: Family { floor: 0.0, ..Family::of(output) },
            constant,
            ties,
            sigma: number(&case["sigma0"]),
            exact: exact.into_iter().map(Some).collect(),
            of: Box::new(of),
        }
    };
    file["posteriors"].as_array().unwrap().iter().map(of).collect()
}

/// Calls `run` with every tiny posterior: as a network where it is one, else as a density made of its pass.
pub(crate) fn each(mut run: impl FnMut(&Tiny, &Problem<'_, f64>, Of<'_>)) {
    let mut networks = 0;
    for tiny in deep().iter().chain(&densities()) {
        if let Some(network) = tiny.free() {
            let problem = Problem::network(network).unwrap();
            run(tiny, &problem, &|z| tiny.at(&draw_of(&network, z)));
            networks += 1;
        } else {
            let (tied, coordinates) = (tiny.tied(), tiny.ties.iter().map(|(_, k, _)| k + 1).max());
            let problem = Problem::user(&tied, coordinates.unwrap(), tiny.sigma, true).unwrap();
            run(tiny, &problem, &tiny.of);
        }
    }
    assert_eq!(networks, 6);
}
