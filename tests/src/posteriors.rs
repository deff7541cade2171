//! The posteriors of the reference values, and samplers run on them.

use crate::{matrix, number, numbers, reference};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::sampler::{Compiled, Progress, Sampler, SamplerOptions};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::smc::{self, Smc, SmcOptions};
use serde_json::Value;

/// Memory for an object: bytes at an address that is a multiple of 16.
pub struct Aligned {
    words: Vec<u128>,
    size: usize,
}

impl Aligned {
    /// `size` bytes of zeros.
    pub fn new(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(16)], size }
    }

    /// The bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        let size = self.size;
        bytemuck::cast_slice_mut(&mut self.words).split_at_mut(size).0
    }
}

/// The kind of a posterior and its own parameters.
#[derive(Clone, Debug)]
pub enum Model {
    /// alpha.
    Greedy(f64),
    /// M, V, beta, signs.
    Joint(usize, f64, f64, Signs),
}

/// One posterior with its exact expectations.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in the reference values.
    pub id: String,
    /// "weak", "strong", "bimodal", ...; "joint" for the joint posterior.
    pub regime: String,
    /// Coordinates of one weight vector.
    pub d: usize,
    /// n d numbers, row by row.
    pub x: Vec<f64>,
    /// n residuals or targets.
    pub y: Vec<f64>,
    /// psi.
    pub activation: Activation,
    /// Its kind and scale.
    pub prior: Prior<f64>,
    /// The likelihood.
    pub model: Model,
    /// Query points, row by row.
    pub query: Vec<f64>,
    /// Posterior mean and variance of psi(x_q.w), or of f(x_q), at each query point.
    pub query_moments: Vec<(f64, f64)>,
    /// Posterior mean and variance of each coordinate of w.
    pub weight_moments: Vec<(f64, f64)>,
}

impl Case {
    /// M.
    pub fn neurons(&self) -> usize {
        match self.model {
            Model::Greedy(_) => 1,
            Model::Joint(m, ..) => m,
        }
    }

    /// psi(x_q.w) or f(x_q) at every query point, then w itself.
    pub fn functionals(&self, w: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for q in self.query.chunks_exact(self.d) {
            let psi = |w: &[f64]| {
                let u = w.iter().zip(q).map(|(w, q)| w * q).sum::<f64>();
                self.activation.jet(u)[0]
            };
            out.push(match self.model {
                Model::Greedy(_) => psi(w),
                Model::Joint(m, outer, _, signs) => {
                    let sum = w.chunks_exact(self.d).enumerate();
                    sum.map(|(k, w)| signs.sign::<f64>(k) * psi(w)).sum::<f64>() * outer / m as f64
                }
            });
        }
        out.extend_from_slice(w);
    }

    /// The exact moments of [`functionals`](Self::functionals).
    pub fn moments(&self) -> Vec<(f64, f64)> {
        self.query_moments.iter().chain(&self.weight_moments).copied().collect()
    }
}

/// The greedy posteriors of d = 1, 2 or 3.
pub fn greedy_cases(d: usize) -> Vec<Case> {
    let file = reference(&format!("greedy_posterior_d{d}.json"));
    file["cases"].as_array().expect("cases").iter().map(greedy_case).collect()
}

fn moments(mean: &Value, variance: &[f64]) -> Vec<(f64, f64)> {
    numbers(mean).into_iter().zip(variance.iter().copied()).collect()
}

fn greedy_case(c: &Value) -> Case {
    let d = c["d"].as_u64().expect("d") as usize;
    let result = &c["result"];
    let diagonal: Vec<f64> = matrix(&result["cov"]).into_iter().step_by(d + 1).collect();
    let present = !c["query"].is_null();
    Case {
        id: c["id"].as_str().expect("id").into(),
        regime: c["regime"].as_str().expect("regime").into(),
        d,
        x: matrix(&c["X"]),
        y: numbers(&c["r"]),
        activation: activation(c),
        prior: prior(&c["prior"]),
        model: Model::Greedy(number(&c["alpha"])),
        query: if present { matrix(&c["query"]) } else { Vec::new() },
        query_moments: if present {
            moments(&result["E_psi_query"], &numbers(&result["Var_psi_query"]))
        } else {
            Vec::new()
        },
        weight_moments: moments(&result["mean"], &diagonal),
    }
}

/// The joint posteriors.
pub fn joint_cases() -> Vec<Case> {
    let file = reference("joint_posterior.json");
    file["cases"].as_array().expect("cases").iter().map(joint_case).collect()
}

fn joint_case(c: &Value) -> Case {
    let d = c["d"].as_u64().expect("d") as usize;
    let m = c["M"].as_u64().expect("M") as usize;
    let signs = numbers(&c["signs"]);
    let signs = [Signs::Positive, Signs::Alternating]
        .into_iter()
        .find(|s| (0..m).all(|k| s.sign::<f64>(k) == signs[k]))
        .expect("signs are alternating or positive");
    let result = &c["result"];
    let diagonal: Vec<f64> = matrix(&result["Cov_w"]).into_iter().step_by(m * d + 1).collect();
    let means = matrix(&result["E_w"]);
    Case {
        id: c["id"].as_str().expect("id").into(),
        regime: "joint".into(),
        d,
        x: matrix(&c["X"]),
        y: numbers(&c["y"]),
        activation: activation(c),
        prior: prior(&c["prior"]),
        model: Model::Joint(m, number(&c["V"]), number(&c["beta"]), signs),
        query: matrix(&c["query"]),
        query_moments: moments(&result["E_f_query"], &numbers(&result["Var_f_query"])),
        weight_moments: means.into_iter().zip(diagonal).collect(),
    }
}

fn activation(c: &Value) -> Activation {
    Activation::from_name(c["activation"].as_str().expect("activation"))
        .expect("a known activation")
}

fn prior(p: &Value) -> Prior<f64> {
    match p["kind"].as_str() {
        Some("l1") => Prior::L1Ball { radius: number(&p["radius"]) },
        _ => Prior::Gaussian { sd: number(&p["sigma0"]) },
    }
}

/// The numbers of a case in one precision.
#[derive(Clone, Debug)]
pub struct Numbers<T> {
    x: Vec<T>,
    y: Vec<T>,
    case: Case,
}

impl<T: Real> Numbers<T> {
    /// Rounded from the reference.
    pub fn new(case: &Case) -> Self {
        let round = |v: &[f64]| v.iter().map(|x| T::lit(*x)).collect();
        Self { x: round(&case.x), y: round(&case.y), case: case.clone() }
    }

    /// The posterior.
    pub fn problem(&self) -> Problem<'_, T> {
        let case = &self.case;
        let inputs = Inputs::row_major(&self.x, self.y.len(), case.d).expect("inputs");
        let data = Dataset::new(inputs, &self.y).expect("data");
        let prior = match case.prior {
            Prior::Gaussian { sd } => Prior::Gaussian { sd: T::lit(sd) },
            Prior::L1Ball { radius } => Prior::L1Ball { radius: T::lit(radius) },
        };
        match case.model {
            Model::Greedy(alpha) => Problem::greedy(data, case.activation, prior, T::lit(alpha)),
            Model::Joint(m, outer, beta, signs) => {
                let (outer, beta) = (T::lit(outer), T::lit(beta));
                Problem::joint(data, case.activation, prior, m, outer, beta, signs)
            }
        }
        .expect("a posterior")
    }
}

/// Runs sequential Monte Carlo to its end in memory of its own and hands it to `f`.
pub fn particles<T: Compiled + smc::Compiled, R>(
    options: &SmcOptions<T>,
    problem: &Problem<'_, T>,
    f: impl FnOnce(&Smc<'_, T>) -> R,
) -> R {
    let mut memory = Aligned::new(Smc::size(options, problem).expect("size"));
    let mut run = Smc::init(memory.bytes(), options, Isa::detect(), problem).expect("init");
    assert_eq!(run.step(problem, u64::MAX), Ok(Progress::Done));
    f(&run)
}

/// As [`sample`], with chains that start from a pilot of 256 particles with the same seed.
pub fn sample_from_pilot<T: Compiled + smc::Compiled, R>(
    options: &SamplerOptions<T>,
    problem: &Problem<'_, T>,
    f: impl FnOnce(&Sampler<'_, T>) -> R,
) -> R {
    let pilot = SmcOptions { particles: 256, seed: options.seed, ..Default::default() };
    particles(&pilot, problem, |pilot| {
        let mut memory = Aligned::new(Sampler::size(options, problem).expect("size"));
        let cloud = pilot.cloud().expect("particles");
        let isa = Isa::detect();
        let mut sampler =
            Sampler::init_from(memory.bytes(), options, isa, problem, &cloud).expect("init");
        assert_eq!(sampler.step(problem, u64::MAX), Ok(Progress::Done));
        f(&sampler)
    })
}

/// Runs a sampler to its end in memory of its own and hands it to `f`.
pub fn sample<T: Compiled, R>(
    options: &SamplerOptions<T>,
    problem: &Problem<'_, T>,
    f: impl FnOnce(&Sampler<'_, T>) -> R,
) -> R {
    let mut memory = Aligned::new(Sampler::size(options, problem).expect("size"));
    let mut sampler = Sampler::init(memory.bytes(), options, Isa::detect(), problem).expect("init");
    assert_eq!(sampler.step(problem, u64::MAX), Ok(Progress::Done));
    f(&sampler)
}
