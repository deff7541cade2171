//! Sequential Monte Carlo over observations: online Bayes. Evidence and forecasts against quadrature and
//! against the ladder of temperatures.
//!
//! z = (mean over independent runs - exact) / (their standard deviation / sqrt(runs)). The estimate of each factor
//! of the evidence has a bias of order 1/particles, a tenth of a standard error here.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{LogDensity, Signs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::simd::Isa;
use lcc_core::smc::{Compiled, Ladder, Predicted, Smc, SmcError, SmcOptions};
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{Aligned, Numbers, joint_cases, particles};
use lcc_tests::quadrature::{moments, prior_rule};
use lcc_tests::tools::runs;
use lcc_tests::{number, reference};

fn options() -> SmcOptions<f64> {
    SmcOptions { ladder: Ladder::Rows.into(), ..Default::default() }
}

const X: [f64; 12] = [-1.0, 0.4, 0.8, -0.3, 0.1, 0.9, -0.6, 0.2, 0.5, -0.9, 1.0, 0.3];
const Y: [f64; 12] = [-1.2, 0.9, 0.7, -0.6, 0.4, 1.4, -0.4, 0.1, 0.8, -1.6, 0.9, 0.2];

/// A posterior given the first rows.
type Given<'a> = &'a dyn Fn(usize) -> Problem<'a, f64>;

/// One neuron: joint under both priors, and greedy.
fn each(f: &mut dyn FnMut(&str, Given<'_>)) {
    let data = |d: usize, rows: usize| {
        let inputs = Inputs::row_major(&X, rows, d).expect("inputs");
        Dataset::new(inputs, &Y[..rows]).expect("data")
    };
    let joint = |prior: Prior<f64>, d: usize, rows: usize| {
        let psi = Activation::Tanh;
        Problem::joint(data(d, rows), psi, prior, 1, 2.0, 1.5, Signs::Positive).expect("joint")
    };
    f("joint, Gaussian", &|rows| joint(Prior::Gaussian { sd: 1.5 }, 1, rows));
    f("joint, l1", &|rows| joint(Prior::L1Ball { radius: 2.0 }, 2, rows.min(6)));
    f("greedy", &|rows| {
        let prior = Prior::Gaussian { sd: 2.0 };
        Problem::greedy(data(1, rows), Activation::GaussianBump, prior, 0.8).expect("greedy")
    });
}

/// Every row's likelihood and output under the posterior given those before it.
#[test]
fn rows_are_predicted_as_by_quadrature() {
    let count = runs(16, 64);
    each(&mut |name, given| {
        let whole = given(12);
        let data = whole.data().expect("data");
        let rule = prior_rule(whole.prior(), &data.inputs, 24, false);
        let mut exact = Vec::new();
        for row in 0..data.n() {
            // E f = E f exp(l) / E exp(l), and with the row's own likelihood the ratio of two evidences.
            let (before, after) = (row.max(1), given(row + 1));
            let l: Vec<f64> = match row {
                0 => vec![0.0; rule.len()],
                _ => rule.iter().map(|(w, _)| value(&given(before), w)).collect(),
            };
            let top = l.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let f = whole.output().expect("an output");
            let (mut total, mut sum) = (0.0, 0.0);
            for ((w, p), l) in rule.iter().zip(&l) {
                total += p * (l - top).exp();
                sum += p * (l - top).exp() * f.at(&data.inputs, row, |j| w[j]);
            }
            let log = moments(after.likelihood(), &rule).log_integral;
            exact.push((log - (total.ln() + top), sum / total));
        }
        let all: Vec<Vec<Predicted<f64>>> = (0..count)
            .map(|seed| {
                let own = SmcOptions { particles: 512, seed, ..options() };
                particles(&own, &whole, |smc| {
                    let rows: Vec<_> =
                        (0..data.n()).map(|i| smc.predicted(i).expect("a row")).collect();
                    assert!(smc.predicted(data.n()).is_none());
                    // The losses add up to the evidence.
                    let sum: f64 = rows.iter().map(|r| r.log_likelihood).sum();
                    assert!(
                        (sum - smc.evidence().expect("evidence").log).abs()
                            < 1e-12 * data.n() as f64
                    );
                    rows
                })
            })
            .collect();
        for (i, (log, mean)) in exact.iter().enumerate() {
            let check = |what: &str, exact: f64, values: Vec<f64>| {
                let (m, e) = mean_and_error(&values);
                assert!(
                    (m - exact).abs() < 5.0 * e + 1e-9,
                    "{name} {i} {what}: {m} +- {e}, {exact}"
                );
                assert!(e < 0.03, "{name} {i} {what}: {e}");
            };
            check("log likelihood", *log, all.iter().map(|r| r[i].log_likelihood).collect());
            check("mean", *mean, all.iter().map(|r| r[i].mean).collect());
        }
    });
}

fn value(problem: &Problem<'_, f64>, w: &[f64]) -> f64 {
    lcc_tests::problem::at(problem.likelihood(), w).0
}

/// Networks of up to three neurons: the evidence is that of the reference values, and of the temperatures.
#[test]
fn the_losses_sum_to_the_evidence() {
    fn logs<T: Compiled + lcc_core::sampler::Compiled>(
        problem: &Problem<'_, T>,
        ladder: Ladder,
        count: u64,
    ) -> Vec<T> {
        let one = |seed| {
            let own = SmcOptions { ladder: ladder.into(), seed, ..Default::default() };
            particles(&own, problem, |smc| smc.evidence().expect("evidence").log)
        };
        (0..count).map(one).collect()
    }
    let file = reference("joint_posterior.json");
    let exact = file["cases"].as_array().expect("cases").iter();
    let exact: Vec<f64> = exact.map(|c| number(&c["result"]["log_Z"])).collect();
    let count = runs(8, 40);
    for (case, exact) in joint_cases().iter().zip(exact) {
        let numbers = Numbers::<f64>::new(case);
        let (mean, error) = mean_and_error(&logs(&numbers.problem(), Ladder::Rows, count));
        let (heat, heat_error) = mean_and_error(&logs(&numbers.problem(), Ladder::Adaptive, count));
        let id = &case.id;
        assert!((mean - exact).abs() < 5.0 * error + 2e-3, "{id}: {mean} +- {error}, {exact}");
        let both = error.hypot(heat_error);
        assert!((mean - heat).abs() < 5.0 * both + 4e-3, "{id}: {mean} {heat} +- {both}");
        assert!(error < 0.1, "{id}: {error}");
        let single = Numbers::<f32>::new(case);
        let single: Vec<f64> =
            logs(&single.problem(), Ladder::Rows, count).into_iter().map(f64::from).collect();
        let (single, single_error) = mean_and_error(&single);
        assert!((single - exact).abs() < 5.0 * single_error + 4e-3, "{id}: {single} {exact}");
    }
}

/// Lanes, budgets and moving the memory change no bit, and fewer particles move more often.
#[test]
fn any_budget_gives_the_same_bits() {
    each(&mut |name, given| {
        let problem = given(12);
        let bits = |own: &SmcOptions<f64>, budget: u64| {
            let size = Smc::size(own, &problem).expect("size");
            let mut memory = Aligned::new(size);
            let made = Smc::init(memory.bytes(), own, Isa::detect(), &problem);
            assert!(made.is_ok());
            let mut rows = 0;
            loop {
                let mut other = Aligned::new(size);
                other.bytes().copy_from_slice(memory.bytes());
                memory = other;
                let mut smc = Smc::open(memory.bytes(), Isa::detect()).expect("open");
                let now = smc.step(&problem, budget).expect("a step");
                let seen = (0..).take_while(|i| smc.predicted(*i).is_some()).count();
                assert!(seen >= rows, "{name}");
                rows = seen;
                if now == lcc_core::smc::Progress::Done {
                    let told = (0..rows).flat_map(|i| {
                        let f = smc.predicted(i).expect("a row");
                        [f.log_likelihood.to_bits(), f.mean.to_bits()]
                    });
                    let record = smc.record().iter().map(|v| v.to_bits());
                    return (told.chain(record).collect::<Vec<_>>(), smc.position().stages);
                }
            }
        };
        let own = SmcOptions { particles: 64, share: 0.9, ..options() };
        let (whole, stages) = bits(&own, u64::MAX);
        assert!(stages >= 2, "{name}: {stages}");
        for other in [
            bits(&own, 300),
            bits(&SmcOptions { lanes: 1, ..own }, u64::MAX),
            bits(&SmcOptions { portable: true.into(), ..own }, 5000),
        ] {
            assert!(other.0 == whole && other.1 == stages, "{name}");
        }
        assert!(bits(&SmcOptions { share: 0.99, ..own }, u64::MAX).1 > stages, "{name}");
    });
}

struct Bowl;
impl LogDensity<f64> for Bowl {
    fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Option<f64> {
        let gradient = gradient.into_iter().flatten();
        gradient.zip(x).for_each(|(g, x)| *g = -x);
        Some(-0.5 * x.iter().map(|x| x * x).sum::<f64>())
    }
}

#[test]
fn what_has_no_rows_is_refused() {
    let own = Problem::user(&Bowl, 2, 1.0, true).expect("a problem");
    assert_eq!(Smc::size(&options(), &own), Err(SmcError::Rows));
    each(&mut |_, given| {
        let problem = given(12);
        for share in [0.0, 1.0, f64::NAN] {
            let wrong = SmcOptions { share, ..options() };
            assert_eq!(Smc::size(&wrong, &problem), Err(SmcError::Ladder));
        }
        let few = SmcOptions { stages: 1, share: 0.9, ..options() };
        let mut memory = Aligned::new(Smc::size(&few, &problem).expect("size"));
        let mut smc = Smc::init(memory.bytes(), &few, Isa::detect(), &problem).expect("init");
        assert_eq!(smc.step(&problem, u64::MAX), Err(SmcError::Stages));
        let heat = SmcOptions { particles: 64, ..Default::default() };
        assert!(particles(&heat, &problem, |smc| smc.predicted(0).is_none()));
    });
}
