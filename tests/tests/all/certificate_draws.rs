//! Estimates from draws of w | xi against quadrature, in Monte Carlo standard errors.

use lcc_core::activation::Activation;
use lcc_core::certificate::{
    CHAINS, CertificateError, Certificates, Conclusion, Estimate, GivenOptions, Kind, ProbeOptions,
    Probes, Status, WeightDraws, draw_given, eigenvalue_scratch, given_len, given_scratch,
    largest_eigenvalue, lemma3, lemma3_scratch, probe, probe_size,
};
use lcc_core::coupling::{Channel, Coupling, Sides, Triangular, factor_len};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Signs;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::simd::Isa;
use lcc_tests::numeric::{factorise, forward};
use lcc_tests::problem::Problem as Made;
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

fn list(v: &Value) -> &Vec<Value> {
    v.as_array().expect("a list")
}

fn size(v: &Value) -> usize {
    v.as_u64().expect("a count") as usize
}

fn psi(v: &Value) -> Activation {
    Activation::from_name(v.as_str().expect("a name")).expect("an activation")
}

/// 8 chains given xi, draw by draw.
fn given<C: Channel<f64>>(
    problem: &Problem<'_, f64>,
    channel: &C,
    xi: &[f64],
    which: u32,
    options: &GivenOptions,
) -> Vec<f64> {
    let mut draws = vec![f64::NAN; given_len(problem, options).unwrap()];
    let mut scratch = vec![f64::NAN; given_scratch(problem, channel.len()).unwrap()];
    let isa = Isa::detect();
    draw_given(isa, problem, channel, xi, which, options, &mut draws, &mut scratch).unwrap();
    draws
}

fn view<'a>(draws: &'a [f64], options: &GivenOptions, dim: usize) -> WeightDraws<'a, f64> {
    WeightDraws::new(draws, options.draws as usize, CHAINS, dim, dim).unwrap()
}

fn eigenvalue<C: Channel<f64>>(channel: &C, draws: &WeightDraws<'_, f64>) -> Estimate<f64> {
    let mut scratch = vec![f64::NAN; eigenvalue_scratch(channel.len(), channel.weights()).unwrap()];
    largest_eigenvalue(channel, draws, &mut scratch).unwrap()
}

fn bound<C: Channel<f64>>(
    problem: &Problem<'_, f64>,
    channel: &C,
    draws: &WeightDraws<'_, f64>,
) -> Estimate<f64> {
    let size = lemma3_scratch(channel.len(), channel.weights(), problem.neurons()).unwrap();
    lemma3(problem, channel, draws, &mut vec![f64::NAN; size]).unwrap()
}

/// The estimate is `exact` within 4.5 standard errors, and says so to a few percent. A direction that
/// is not quite the leading one may cost `loss` of it.
fn agrees(own: Estimate<f64>, exact: f64, loss: f64, what: &str) {
    assert!(own.error > 0.0 && own.error < 0.06 * exact, "{what}: {own:?} against {exact}");
    let slack = 4.5 * own.error;
    assert!(own.value < exact + slack, "{what}: {own:?} against {exact}");
    assert!(own.value > exact * (1.0 - loss) - slack, "{what}: {own:?} against {exact}");
}

const LONG: GivenOptions = GivenOptions { warmup: 200, draws: 1500, leapfrogs: 4, seed: 5 };

#[test]
fn eigenvalues_and_bounds_given_xi_have_their_values() {
    for case in list(&reference("coupling_d2_n3.json")["cases"]) {
        let (x, r) = (matrix(&case["X"]), numbers(&case["r"]));
        let data = Dataset::new(Inputs::row_major(&x, 3, 2).unwrap(), &r).unwrap();
        let prior = match case["prior"]["kind"].as_str().unwrap() {
            "gaussian" => Prior::gaussian(number(&case["prior"]["sigma0"])).unwrap(),
            _ => Prior::l1_ball(number(&case["prior"]["radius"])).unwrap(),
        };
        let activation = psi(&case["activation"]);
        let problem = Problem::greedy(data, activation, prior, number(&case["alpha"])).unwrap();
        for variant in list(&case["variants"]) {
            let rho = numbers(&variant["rho"]);
            let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
            let mut memory = Vec::new();
            let triangular = factorise(&coupling, &mut memory);
            for (k, point) in list(&variant["points"]).iter().enumerate().take(2) {
                let what = format!("{} {} point {k}", case["id"], variant["variant"]);
                let exact = 1.0 + number(&point["hessian_largest_eigenvalue"]);
                if exact < 1e-9 {
                    continue;
                }
                let draws = given(&problem, &coupling, &numbers(&point["xi"]), k as u32, &LONG);
                let draws = view(&draws, &LONG, 2);
                agrees(eigenvalue(&triangular, &draws), exact, 0.02, &what);
                // In n dimensions the same number.
                let (a, b) = (eigenvalue(&coupling, &draws), eigenvalue(&triangular, &draws));
                assert!((a.value - b.value).abs() < 1e-9, "{what}");
                if let Some(expected) = point.get("brascamp_lieb_bound_25").filter(|b| !b.is_null())
                {
                    // The 2 x 2 matrix of the bound, its largest eigenvalue in the channel's metric.
                    let m = matrix(expected);
                    let mut full = vec![0.0; 9];
                    for i in 0..3 {
                        for j in 0..3 {
                            let scale = (rho[i] * rho[j]).sqrt();
                            for a in 0..2 {
                                for b in 0..2 {
                                    full[i * 3 + j] +=
                                        scale * x[i * 2 + a] * m[a * 2 + b] * x[j * 2 + b];
                                }
                            }
                        }
                    }
                    let exact = lcc_tests::numeric::largest_eigenvalue(&full, 3);
                    let own = bound(&problem, &triangular, &draws.thinned(150));
                    agrees(own, exact, 0.0, &format!("{what}, bound"));
                } else if matches!(prior, Prior::L1Ball { .. }) {
                    let size = lemma3_scratch(2, 2, 1).unwrap();
                    let refused = lemma3(&problem, &triangular, &draws, &mut vec![0.0; size]);
                    assert_eq!(refused, Err(CertificateError::NeedsGaussian));
                }
            }
        }
    }
}

#[test]
fn joint_eigenvalues_given_xi_have_their_values() {
    for case in list(&reference("joint_posterior.json")["cases"]) {
        let (n, d, m) = (size(&case["n"]), size(&case["d"]), size(&case["M"]));
        let (x, y) = (matrix(&case["X"]), numbers(&case["y"]));
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &y).unwrap();
        let prior = Prior::l1_ball(number(&case["prior"]["radius"])).unwrap();
        let signs = if numbers(&case["signs"]).iter().all(|s| *s > 0.0) {
            Signs::Positive
        } else {
            Signs::Alternating
        };
        let (outer, beta) = (number(&case["V"]), number(&case["beta"]));
        let activation = psi(&case["activation"]);
        let problem = Problem::joint(data, activation, prior, m, outer, beta, signs).unwrap();
        let rho = vec![number(&case["rho"]); n];
        let coupling = Coupling::joint(data.inputs, &rho, m, signs).unwrap();
        let mut memory = Vec::new();
        let triangular = factorise(&coupling, &mut memory);
        for (k, point) in list(&case["coupling_points"]).iter().enumerate().take(2) {
            let what = format!("{} point {k}", case["id"]);
            let exact = 1.0 + number(&point["hessian_log_p_xi_largest_eigenvalue"]) / rho[0];
            // From the scaling xi ~ N(x.w, 1/rho).
            let xi: Vec<f64> = matrix(&point["xi"]).iter().map(|xi| xi * rho[0].sqrt()).collect();
            let draws = given(&problem, &coupling, &xi, k as u32, &LONG);
            agrees(eigenvalue(&triangular, &view(&draws, &LONG, m * d)), exact, 0.03, &what);
        }
    }
}

#[test]
fn the_true_threshold_of_p_xi_is_where_the_eigenvalue_is_one() {
    for case in list(&reference("true_thresholds.json")["gaussian_prior"]) {
        let (n, d) = (size(&case["n"]), size(&case["d"]));
        let (x, r, alpha) = (matrix(&case["X"]), numbers(&case["r"]), number(&case["alpha"]));
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &r).unwrap();
        for (sides, name) in [(Sides::TwoSided, "two_sided"), (Sides::OneSided, "one_sided")] {
            let Some(variant) = case.get(name) else { continue };
            let limit = &variant["p_xi_log_concave_up_to_sigma0_sq"];
            if !limit.is_number() {
                continue;
            }
            let tilt = numbers(&variant["critical_tilt_s_Xt_sqrt_rho_xi"]);
            for factor in [1.0, 0.2] {
                let prior = Prior::gaussian((factor * number(limit)).sqrt()).unwrap();
                let activation = psi(&case["activation"]);
                let problem = Problem::greedy(data, activation, prior, alpha).unwrap();
                let mut rho = vec![0.0; n];
                problem.rho(sides, &mut rho).unwrap();
                let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
                let mut memory = Vec::new();
                let triangular = factorise(&coupling, &mut memory);
                let xi = forward(triangular.factor(), d, &tilt);
                let draws = given(&problem, &triangular, &xi, 0, &LONG);
                let own = eigenvalue(&triangular, &view(&draws, &LONG, d));
                let what = format!("{activation:?} d = {d} {name}");
                if factor == 1.0 {
                    agrees(own, 1.0, 0.02, &what);
                } else {
                    assert!(own.value + 3.0 * own.error < 1.0, "{what}: {own:?}");
                }
            }
        }
    }
}

#[test]
fn lemma_4_as_printed_is_refuted_by_draws() {
    for row in list(&reference("counterexamples.json")["lemma4"]["cases"]) {
        let Some(activation) = Activation::from_name(row["activation"].as_str().unwrap()) else {
            continue;
        };
        let d = size(&row["d"]);
        let sup = number(&row["sup_over_xi_largest_eigenvalue_of_Cov"]);
        let (x, r) = (vec![1.0; d * d], vec![number(&row["r_i_each"]); d]);
        let data = Dataset::new(Inputs::row_major(&x, d, d).unwrap(), &r).unwrap();
        let (ball, alpha) = (Prior::l1_ball(1.0).unwrap(), number(&row["alpha"]));
        let problem = Problem::greedy(data, activation, ball, alpha).unwrap();
        // The sup of |psi''| over the line, as printed: over what is reached it may be smaller.
        let c = number(&row["c"]);
        let rho: Vec<f64> = r.iter().map(|r| alpha * c * r.abs()).collect();
        let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
        let xi = vec![number(&row["xi_i_each"]); d];
        let mut factor = vec![0.0; factor_len(d, 1).unwrap()];
        let channel = Triangular::factorise(&coupling, &mut factor, &mut vec![0.0; d]).unwrap();
        let draws = given(&problem, &coupling, &xi, 0, &LONG);
        let own = eigenvalue(&channel, &view(&draws, &LONG, d));
        agrees(own, sup, 0.02, &format!("{activation:?} d = {d}"));
        if sup > 1.2 {
            assert!(own.value - 3.0 * own.error > 1.0, "{activation:?} d = {d}: {own:?}");
        }
        // A verdict with it: the condition that is printed holds, and p(xi) is not log-concave.
        let mut scratch = vec![0.0; Certificates::scratch(&problem).unwrap()];
        let all = Certificates::of(&problem, &mut scratch).unwrap();
        assert!(all.find(Kind::Lemma4Published).unwrap().holds());
        if sup > 1.2 {
            let all = all.with_probes(&Probes::one(own, None));
            assert_eq!(all.conclusion(), Conclusion::NotLogConcave);
        }
    }
}

#[test]
fn covariances_are_not_dominated_by_the_priors() {
    let file = &reference("counterexamples.json")["conjecture1"];
    for row in list(&file["cases"]).iter().chain([&file["full_rank"]]) {
        let (n, d) = (size(&row["n"]), size(&row["d"]));
        let (x, r) = (matrix(&row["X"]), numbers(&row["r"]));
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &r).unwrap();
        let (ball, alpha) = (Prior::l1_ball(1.0).unwrap(), number(&row["alpha"]));
        let activation = psi(&row["activation"]);
        let problem = Problem::greedy(data, activation, ball, alpha).unwrap();
        let c = activation.bounds::<f64>().curvature();
        let rho: Vec<f64> = r.iter().map(|r| alpha * c * r.abs()).collect();
        let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
        let draws = given(&problem, &coupling, &numbers(&row["xi"]), 0, &LONG);
        let draws = view(&draws, &LONG, d);
        // A channel that looks at w_1 alone: the one entry 1 of a triangle.
        let mut only = vec![0.0; factor_len(d, 1).unwrap()];
        only[0] = 1.0;
        let first = Triangular::from_factor(d, 1, Signs::Positive, 1, &only).unwrap();
        let own = eigenvalue(&first, &draws);
        agrees(own, number(&row["Var_w1_given_xi"]), 0.0, &format!("{activation:?} d = {d}"));
        assert!(number(&row["Var_w1_given_xi"]) > number(&row["Var_w1_prior"]));
    }
}

#[test]
fn the_matrix_of_lemma_3_has_rank_d() {
    // One w: the average is that of one point, and the number is exact.
    let file = &reference("counterexamples.json")["lemma3_rank"];
    let (n, d) = (size(&file["n"]), size(&file["d"]));
    let (x, r) = (matrix(&file["X"]), numbers(&file["r"]));
    let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &r).unwrap();
    let prior = Prior::gaussian(number(&file["sigma0_sq"]).sqrt()).unwrap();
    let alpha = number(&file["alpha"]);
    let problem = Problem::greedy(data, psi(&file["activation"]), prior, alpha).unwrap();
    let mut rho = vec![0.0; n];
    problem.rho(Sides::TwoSided, &mut rho).unwrap();
    let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
    let w = numbers(&file["w"]);
    let values: Vec<f64> = (0..4).flat_map(|_| w.clone()).collect();
    let draws = WeightDraws::new(&values, 4, 1, d, d).unwrap();
    // (20) is the bound less a projection of rank d: its eigenvalues are those of the bound less 1, the
    // largest that is not 0 by rounding being -.667.
    let eigenvalues = numbers(&file["eigenvalues_of_20_integrand_at_w"]);
    let largest = eigenvalues[d - 1];
    assert!(largest < -0.1 && eigenvalues[d..].iter().all(|e| e.abs() < 1e-12));
    let mut memory = Vec::new();
    let triangular = factorise(&coupling, &mut memory);
    let own = bound(&problem, &triangular, &draws);
    assert!((own.value - 1.0 - largest).abs() < 1e-12, "{own:?}");
    assert_eq!(own.error, 0.0);
    // Through the n-dimensional channel the same, beside n - d zeros.
    let own = bound(&problem, &coupling, &draws);
    assert!((own.value - 1.0 - largest).abs() < 1e-12, "{own:?}");
}

#[test]
fn standard_errors_are_what_they_say() {
    let file = reference("coupling_d2_n3.json");
    let case = &list(&file["cases"])[0];
    let (x, r) = (matrix(&case["X"]), numbers(&case["r"]));
    let data = Dataset::new(Inputs::row_major(&x, 3, 2).unwrap(), &r).unwrap();
    let prior = Prior::gaussian(number(&case["prior"]["sigma0"])).unwrap();
    let problem =
        Problem::greedy(data, psi(&case["activation"]), prior, number(&case["alpha"])).unwrap();
    let variant = &case["variants"][0];
    let rho = numbers(&variant["rho"]);
    let coupling = Coupling::greedy(data.inputs, &rho).unwrap();
    let mut memory = Vec::new();
    let triangular = factorise(&coupling, &mut memory);
    let point = &variant["points"][1];
    let exact = 1.0 + number(&point["hessian_largest_eigenvalue"]);
    let options = GivenOptions { draws: 200, ..LONG };
    let runs = 120;
    let (mut sum, mut squares) = (0.0, 0.0);
    for k in 0..runs {
        let draws = given(&problem, &coupling, &numbers(&point["xi"]), k, &options);
        let own = eigenvalue(&triangular, &view(&draws, &options, 2));
        let z = (own.value - exact) / own.error;
        sum += z;
        squares += z * z;
    }
    let runs = runs as f64;
    // The mean is allowed what a direction from 800 draws loses.
    assert!((sum / runs).abs() < 0.45, "mean {}", sum / runs);
    let rms = (squares / runs).sqrt();
    assert!((0.85..1.25).contains(&rms), "root mean square {rms}");
}

/// Probes of a problem at visited xi, w from the prior.
fn probes(problem: &Problem<'_, f64>, options: &ProbeOptions, w: &[Vec<f64>]) -> Probes<f64> {
    let bytes = probe_size(problem, options).unwrap();
    let mut memory = vec![0_u128; bytes.div_ceil(16)];
    let memory: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
    let mut visit = |k: usize| {
        let other = w.get(k + 1).map(Vec::as_slice);
        probe(Isa::detect(), problem, options, &w[k], other, k as u32, memory).unwrap()
    };
    let first = visit(0);
    (1..w.len()).fold(first, |all, k| all.with(&visit(k)))
}

#[test]
fn probes_agree_with_what_is_proved() {
    let made = Made::new(4, 12, 3);
    let options = ProbeOptions::default();
    for neurons in [1, 4] {
        for reduced in [false, true] {
            let options = ProbeOptions { reduced: reduced.into(), ..options };
            // Narrow enough that p(w) is log-concave: every estimate must be below 1.
            let prior = Prior::gaussian(0.15).unwrap();
            let signs = Signs::Alternating;
            let problem = if neurons == 1 {
                Problem::greedy(made.data(), Activation::Tanh, prior, 0.5).unwrap()
            } else {
                Problem::joint(made.data(), Activation::Tanh, prior, neurons, 2.0, 0.5, signs)
                    .unwrap()
            };
            let mut scratch = vec![0.0; Certificates::scratch(&problem).unwrap()];
            let all = Certificates::of(&problem, &mut scratch).unwrap();
            assert_eq!(all.conclusion(), Conclusion::AlreadyLogConcave);
            let found = probes(&problem, &options, &made.points(prior, neurons, 3));
            // Each draw, the origin, and what is found from them.
            assert!(found.count >= 4 && found.count <= 16, "{found:?}");
            let all = all.with_probes(&found);
            for kind in [Kind::Eigenvalue, Kind::Lemma3] {
                let own = all.find(kind).unwrap();
                assert_eq!(own.status, Status::Empirical, "{neurons} {kind:?} {own:?}");
                if reduced {
                    // Nothing is left to couple.
                    assert_eq!(own.value, 0.0);
                }
            }
            // The bound is one: no variance is above it.
            let bound = found.lemma3.unwrap();
            assert!(found.eigenvalue.value <= bound.value + 4.0 * found.eigenvalue.error);
            let words = format!("at the worst of {} visited xi", found.count);
            assert!(all.to_string().contains(&words), "{all}");
        }
    }
    let ball = Prior::l1_ball(1.0).unwrap();
    let problem = Problem::greedy(made.data(), Activation::Tanh, ball, 0.5).unwrap();
    let points = made.points(ball, 1, 2);
    let found = probes(&problem, &options, &points);
    assert!(found.lemma3.is_none() && found.eigenvalue.value > 0.0);
    let reduced = ProbeOptions { reduced: true.into(), ..options };
    let mut memory = vec![0_u128; probe_size(&problem, &reduced).unwrap().div_ceil(16)];
    let memory: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
    assert!(probe(Isa::detect(), &problem, &reduced, &points[0], None, 0, memory).is_err());
    let short = &mut memory[..16];
    assert!(probe(Isa::detect(), &problem, &options, &points[0], None, 0, short).is_err());
}

#[test]
fn probes_have_the_same_bits_on_every_instruction_set() {
    let made = Made::new(4, 11, 3);
    let prior = Prior::gaussian(0.8).unwrap();
    let problem = Problem::greedy(made.data(), Activation::Tanh, prior, 0.5).unwrap();
    let options = ProbeOptions { warmup: 30, draws: 20, ..ProbeOptions::default() };
    let mut memory = vec![0_u128; probe_size(&problem, &options).unwrap().div_ceil(16)];
    let memory: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
    let w = &made.points(prior, 1, 1)[0];
    let mut found = Isa::all().map(|isa| {
        let one = probe(isa, &problem, &options, w, None, 3, memory).unwrap();
        let bound = one.lemma3.unwrap();
        [one.eigenvalue, bound].map(|e| [e.value, e.error, e.selection].map(f64::to_bits))
    });
    let first = found.next().unwrap();
    assert!(found.all(|other| other == first));
    // Another number, another xi.
    let other = probe(Isa::Portable, &problem, &options, w, None, 4, memory).unwrap();
    assert_ne!(other.eigenvalue.value.to_bits(), first[0][0]);
}

#[test]
fn views_are_checked() {
    let values = [0.0; 48];
    assert!(WeightDraws::new(&values, 3, 4, 2, 2).is_err());
    assert!(WeightDraws::new(&values, 4, 4, 2, 3).is_err());
    assert!(WeightDraws::new(&values, 4, 0, 2, 2).is_err());
    assert!(WeightDraws::new(&values, 7, 4, 2, 2).is_err());
    assert!(WeightDraws::new(&values, usize::MAX, 4, 2, 2).is_err());
    assert!(WeightDraws::new(&values, 6, 4, 2, 2).is_ok());
}
