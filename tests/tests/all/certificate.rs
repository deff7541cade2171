//! Certificates that need no draws, against the reference values; statuses and verdicts.

use lcc_core::activation::Activation;
use lcc_core::certificate::{
    Certificate, CertificateError, Certificates, Conclusion, Estimate, Facts, Kind, Probes, Status,
    formulas, largest_of_weighted, moments, weighted_scratch,
};
use lcc_core::certificate::{precision, precision_scratch};
use lcc_core::coupling::{Channel, Conditional, Coupling, Sides, Triangular};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Signs;
use lcc_core::linalg::lower_len;
use lcc_core::prior::Prior;
use lcc_core::problem::{Problem, ProblemError};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_tests::numeric::{close, largest_eigenvalue};
use lcc_tests::problem::{Problem as Made, finite_hessian};
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

/// |a - b| <= 2e-12 |b|.
fn same(a: f64, b: &Value, what: &str) {
    let b = number(b);
    assert!((a - b).abs() <= 2e-12 * b.abs(), "{what}: {a} against {b}");
}

fn list(v: &Value) -> &Vec<Value> {
    v.as_array().expect("a list")
}

fn size(v: &Value) -> usize {
    v.as_u64().expect("a count") as usize
}

fn truth(v: &Value) -> bool {
    v.as_bool().expect("a truth value")
}

fn activation(v: &Value) -> Activation {
    Activation::from_name(v.as_str().expect("a name")).expect("an activation")
}

/// Every certificate of a problem.
fn all(problem: &Problem<'_, f64>) -> Certificates<f64> {
    let mut scratch = vec![f64::NAN; Certificates::scratch(problem).unwrap()];
    Certificates::of(problem, &mut scratch).unwrap()
}

fn of(all: &Certificates<f64>, kind: Kind) -> Certificate<f64> {
    *all.find(kind).unwrap_or_else(|| panic!("{kind:?} is missing"))
}

/// lambda_max(X' diag(rho) X).
fn weighted(inputs: Inputs<'_, f64>, rho: &[f64]) -> f64 {
    let mut scratch = vec![f64::NAN; weighted_scratch(inputs.n(), inputs.d()).unwrap()];
    largest_of_weighted(inputs, rho, &mut scratch).unwrap()
}

#[test]
fn greedy_instances_have_their_values() {
    for case in list(&reference("certificates.json")["greedy_instances"]) {
        let (n, d) = (size(&case["n"]), size(&case["d"]));
        let (x, r, value) = (matrix(&case["X"]), numbers(&case["r"]), &case["value"]);
        let (alpha, sd) = (number(&case["alpha"]), number(&case["sigma0"]));
        let radius = number(&case["radius"]);
        let psi = activation(&case["activation"]);
        let c = psi.bounds::<f64>().curvature();
        let what = format!("{psi:?} n = {n} d = {d}");
        let inputs = Inputs::row_major(&x, n, d).unwrap();
        let data = Dataset::new(inputs, &r).unwrap();

        let gaussian = Problem::greedy(data, psi, Prior::gaussian(sd).unwrap(), alpha).unwrap();
        let mut scratch = vec![f64::NAN; Facts::scratch(&gaussian).unwrap()];
        let facts = Facts::of(&gaussian, &mut scratch).unwrap();
        same(facts.gram, &value["lambda_max_XtX"], &what);
        same(facts.y_inf, &value["r_inf"], &what);
        same(facts.y_l1, &value["r_l1"], &what);
        let found = all(&gaussian);
        let lemma2 = &value["lemma2"];
        for (kind, threshold) in [
            (Kind::Lemma2, "sigma0_sq_threshold"),
            (Kind::RhoTwoSided, "sharper_sigma0_sq_threshold_1_over_lambdamax_alpha_c_Xt_absR_X"),
            (Kind::RhoOneSided, "one_sided_sigma0_sq_threshold_1_over_lambdamax_Xt_rho_X"),
        ] {
            let own = of(&found, kind);
            same(sd * sd / own.value, &lemma2[threshold], &format!("{what} {kind:?}"));
            assert_eq!(own.status == Status::AlreadyLogConcave, own.value <= 1.0);
            assert_eq!((own.threshold, own.error), (1.0, 0.0));
        }
        assert_eq!(of(&found, Kind::Lemma2).holds(), truth(&lemma2["holds"]), "{what}");

        let ball = Problem::greedy(data, psi, Prior::l1_ball(radius).unwrap(), alpha).unwrap();
        let found = all(&ball);
        let (lemma4, b) = (&value["lemma4"], number(&value["lemma4"]["alpha_c_n_rinf"]));
        let own = of(&found, Kind::Lemma4Published);
        same(own.value, &lemma4["alpha_c_n_rinf"], &what);
        same(own.margin(), &lemma4["published_margin_d_minus"], &what);
        assert_eq!(own.holds(), truth(&lemma4["published_condition_d_gt_alpha_c_n_rinf"]));
        assert_eq!(own.status, Status::PublishedFalse);
        let own = of(&found, Kind::Lemma4);
        same(own.value, &lemma4["corrected_value_2_d_B_over_dp1_dp2"], &what);
        let holds = truth(&lemma4["corrected_condition_value_lt_1"]);
        assert_eq!(own.status == Status::Conditional, holds, "{what}");
        let two: Vec<f64> = r.iter().map(|r| alpha * c * r.abs()).collect();
        let bounds = psi.bounds::<f64>();
        let side = |r: f64| if r > 0.0 { r * bounds.plus } else { -r * bounds.minus };
        let one: Vec<f64> = r.iter().map(|r| alpha * side(*r)).collect();
        for (rho, name, kind) in [
            (two, "matrix_value_prior_cov", Kind::MatrixTwoSided),
            (one, "one_sided_matrix_value_prior_cov", Kind::MatrixOneSided),
        ] {
            let line = formulas::matrix(weighted(inputs, &rho), d, radius);
            same(line, &lemma4[name], &what);
            // Over what can be reached rho is no larger.
            assert!(of(&found, kind).value <= line * (1.0 + 1e-12), "{what} {kind:?}");
        }
        let own = of(&found, Kind::Trace);
        same(own.value, &value["unconditional"]["value_alpha_c_r1_R2_xmax2"], &what);
        let holds = truth(&value["unconditional"]["holds_lt_1"]);
        assert_eq!(own.status == Status::Proved, holds, "{what}");
        assert!(of(&found, Kind::Columns).value <= own.value * (1.0 + 1e-12), "{what}");
        let remark = &value["remark1"];
        same(formulas::remark1(b, d), &remark["value_20_B2_over_d"], &what);
        assert_eq!(formulas::remark1(b, d) < 1.0, truth(&remark["holds"]));
        if radius == 1.0 {
            same(of(&found, Kind::Remark1).value, &remark["value_20_B2_over_d"], &what);
        }
    }
}

#[test]
fn tables_of_the_conditions_have_their_values() {
    let file = reference("certificates.json");
    for row in list(&file["lemma4_table"]) {
        let (d, b) = (size(&row["d"]), number(&row["alpha_c_n_rinf"]));
        same(formulas::lemma4(b, d, 1.0), &row["corrected_value"], "lemma 4");
        same(formulas::remark1(b, d), &row["remark1_value"], "remark 1");
        assert_eq!(b < d as f64, truth(&row["lemma4_published_holds"]));
        assert_eq!(formulas::lemma4(b, d, 1.0) < 1.0, truth(&row["corrected_holds"]));
        // Remark 1 implies the corrected Lemma 4, as the documentation says.
        assert!(formulas::remark1(b, d) >= 1.0 || formulas::lemma4(b, d, 1.0) < 1.0);
    }
    for row in list(&file["slides_joint_table"]) {
        let (n, d, m) = (size(&row["n"]), size(&row["d"]), size(&row["M"]));
        let (v, c, beta) = (number(&row["V"]), number(&row["c"]), number(&row["beta"]));
        let rho = formulas::joint_rho(beta, c, v, m);
        same(rho, &row["rho"], "rho");
        let q = formulas::joint(rho, n, d, 1.0);
        let sharper = formulas::joint_sharper(rho, n, d, 1.0);
        close(&[1.0 - q], &[number(&row["value_1_minus"])], 2e-12, "joint");
        let expected = number(&row["sharper_value_1_minus_2_beta_c_V_n_d_over_M_dp1_dp2"]);
        close(&[1.0 - sharper], &[expected], 2e-12, "joint, sharper");
        assert_eq!(q < 1.0, truth(&row["holds"]));
        assert_eq!(q <= 0.5, truth(&row["hessian_at_least_rho_half"]));
        // [B]: beta c V <= 1/4 and n <= M d are enough for half the curvature.
        let quarter = truth(&row["beta_c_V_le_quarter"]) && n <= m * d;
        assert!(!quarter || q <= 0.5);
    }
    for row in list(&file["slides_greedy_table"]) {
        let (d, b) = (size(&row["d"]), number(&row["B_c_lambda_beta_n"]));
        same(formulas::slides_published(b, d), &row["slides_value_4B5_over_d"], "4 B^5/d");
        same(formulas::slides([b, b], d), &row["equals_16B5_over_d"], "16 B^5/d");
        let k = formulas::slides_order(b);
        same(k, &row["optimal_k"], "k");
        same(
            formulas::slides_at([b, b], d, k),
            &row["value_from_the_slides_own_factors"],
            "factors",
        );
        assert_eq!(k >= 1.0, truth(&row["k_at_least_1"]));
        same(formulas::remark1(b, d), &row["remark1_value_20B2_over_d"], "remark 1");
        let expected = &row["prior_covariance_value_2dB_over_dp1_dp2"];
        same(formulas::lemma4(b, d, 1.0), expected, "prior covariance");
        // At the least k the bound is least.
        for other in [0.5, 0.9, 1.1, 2.0] {
            let there = formulas::slides_at([b, b], d, k * other);
            assert!(there > formulas::slides_at([b, b], d, k));
        }
    }
}

#[test]
fn moments_of_the_ball_have_their_values() {
    let file = reference("l1_ball_moments.json");
    for row in list(&file["table"]) {
        let d = size(&row["d"]);
        let var: f64 = moments::variance(d);
        same(var, &row["exact_var_wj"], "variance");
        same(moments::published_variance(d), &row["paper_value"], "published");
        same(var / moments::published_variance::<f64>(d), &row["exact_over_paper"], "ratio");
        let mean: f64 = moments::mean_abs(d);
        same(mean, &row["mean_abs_wj"], "mean of |w|");
        same(var - mean * mean, &row["exact_var_abs_wj"], "variance of |w|");
        same(moments::coordinate(d, 2), &row["E_wj4"], "fourth");
        if d > 1 {
            // (w_1 + w_2)^4 = w_1^4 + 6 w_1^2 w_2^2 + w_2^4 in expectation.
            let mut v = vec![0.0; d];
            (v[0], v[1]) = (1.0, 1.0);
            let both = moments::linear(&v, 2, &mut [0.0; 3]);
            let cross = (both - 2.0 * moments::coordinate::<f64>(d, 2)) / 6.0;
            close(&[cross], &[number(&row["E_wj2_wk2"])], 1e-14, "cross");
        }
        let claimed = var <= 1.0 / (d * d) as f64;
        assert_eq!(claimed, truth(&row["bound_1_over_d2_used_in_lemma4_holds"]));
    }
    for row in list(&file["linear_functionals"]) {
        let v = numbers(&row["v"]);
        let norm: f64 = v.iter().map(|v| v * v).sum();
        let ks = list(&row["k"]);
        for (q, k) in ks.iter().enumerate() {
            let k = size(k) as u32;
            let moment = moments::linear(&v, k, &mut vec![f64::NAN; k as usize + 1]);
            same(moment, &row["E_v_dot_w_2k"][q], "linear");
            let bound = moments::linear_bound(norm, v.len(), k);
            same(bound, &row["slides_bound_2k_factorial"][q], "its bound");
        }
    }
    for row in list(&file["slides_stirling_step"]["rows"]) {
        let (d, k) = (size(&row["d"]), size(&row["k"]) as u32);
        let exact = moments::coordinate::<f64>(d, k);
        let root = formulas::hoelder(exact, k as f64);
        same(root, &row["exact_for_coordinate_direction"], "root");
        let bound = moments::stirling_bound(1.0, d, k);
        same(bound, &row["slides_bound"], "Stirling");
        assert_eq!(root <= bound, truth(&row["bound_holds"]));
    }
    assert!(moments::linear(&[1.0, 2.0], 3, &mut [0.0_f64; 3]).is_nan());
}

#[test]
fn statements_that_fail_fail_by_the_stated_numbers() {
    let file = reference("counterexamples.json");
    for row in list(&file["lemma4"]["cases"]) {
        let (d, b) = (size(&row["d"]), number(&row["alpha_c_n_rinf"]));
        // As printed the condition holds in every case.
        assert!(b < d as f64 && truth(&row["lemma4_published_holds"]));
        let prior = formulas::lemma4(b, d, 1.0);
        if let Some(value) = row.get("exact_prior_value_2dB_over_dp1_dp2") {
            same(prior, value, "prior covariance");
        }
        if row["activation"] == "quadratic" {
            // The tilt vanishes: the prior's value is the eigenvalue at xi = 0.
            close(&[prior], &[number(&row["eigenvalue_at_xi_0"])], 1e-13, "eigenvalue");
            assert!(prior > 1.0);
        }
    }
    for row in list(&file["hoelder_29"]["cases"]) {
        let (v, l) = (number(&row["v"]), number(&row["ell"]));
        let moment = v.powf(2.0 * l) / (2.0 * l + 1.0);
        let (printed, right) = (formulas::hoelder(moment, 2.0 * l), formulas::hoelder(moment, l));
        same(printed, &row["rhs_29_as_printed"], "printed");
        same(right, &row["rhs_with_exponent_1_over_ell"], "right");
        let variance = number(&row["Var_v_w_at_xi_0"]);
        assert_eq!(variance <= printed, truth(&row["printed_bound_holds"]));
        assert_eq!(variance <= right, truth(&row["corrected_bound_holds"]));
    }
    for row in list(&file["slides_greedy_bound_small_B"]["cases"]) {
        let b = number(&row["B_c_lambda_beta_n"]);
        let actual = b * moments::variance::<f64>(1);
        same(actual, &row["actual_rho_Var_at_xi_0_psi_quadratic_x_1"], "actual");
        same(formulas::slides_published(b, 1), &row["slides_claimed_upper_bound_4B5_over_d"], "4");
        same(formulas::slides([b, b], 1), &row["with_factor_16"], "16");
        assert_eq!(actual > formulas::slides_published(b, 1), truth(&row["bound_violated"]));
        assert_eq!(actual > formulas::slides([b, b], 1), truth(&row["bound_with_16_violated"]));
        // There the order of Hoelder's inequality is below 1, and the certificate does not apply.
        assert!(formulas::slides_order(b) < 1.0);
    }
    // Squared ReLU at and beyond its threshold: no posterior, and no certificate below it is false.
    let (x, r) = ([1.0], [1.0]);
    let data = Dataset::new(Inputs::row_major(&x, 1, 1).unwrap(), &r).unwrap();
    for row in list(&file["squared_relu_gaussian_prior_improper"]["cases"]) {
        let sd = number(&row["sigma0_sq"]).sqrt();
        let prior = Prior::gaussian(sd).unwrap();
        let problem = Problem::greedy(data, Activation::SquaredRelu, prior, 0.5).unwrap();
        let own = of(&all(&problem), Kind::Lemma2);
        close(&[own.value], &[0.5 * sd * sd], 1e-14, "lemma 2");
        assert_eq!(own.status, Status::AlreadyLogConcave);
        assert!(problem.check_proper(&mut [0.0]).is_ok());
        let z = 0.5 + 0.5 / (1.0 - own.value).sqrt();
        close(&[z], &[number(&row["Z_exact"])], 1e-9, "Z");
    }
    let prior = Prior::gaussian(2.0_f64.sqrt() * (1.0 + 1e-12)).unwrap();
    let problem = Problem::greedy(data, Activation::SquaredRelu, prior, 0.5).unwrap();
    assert!(problem.check_proper(&mut [0.0]).is_err());
    let mut scratch = vec![0.0; Certificates::scratch(&problem).unwrap()];
    let improper = CertificateError::Problem(ProblemError::Improper);
    assert_eq!(Certificates::of(&problem, &mut scratch), Err(improper));
}

/// The largest eigenvalue of Hess log p(w), and with a channel of log p(w | xi).
fn hessian_largest<C: Channel<f64>>(
    problem: &Problem<'_, f64>,
    channel: Option<&C>,
    w: &[f64],
) -> (Vec<f64>, f64) {
    let dim = problem.dim();
    let mut lower = vec![[f64::NAN]; lower_len(dim).unwrap()];
    let mut scratch = vec![f64::NAN; precision_scratch(dim, problem.neurons()).unwrap()];
    precision(problem, channel, w, &mut lower, &mut scratch).unwrap();
    let mut full = vec![0.0; dim * dim];
    let mut k = 0;
    for i in 0..dim {
        for j in 0..=i {
            full[i * dim + j] = -lower[k][0];
            full[j * dim + i] = -lower[k][0];
            k += 1;
        }
    }
    let largest = largest_eigenvalue(&full, dim);
    (full, largest)
}

/// In one dimension with tanh, x and r at random: how much farther than p(w), in sd^2, p(xi) stays log-concave, which it is
/// as long as Q Var[w | xi] <= 1 at every xi. The errata have these numbers.
#[test]
fn the_coupling_reaches_beyond_the_law_of_w() {
    let mut stream = Stream::new(1, 0, Purpose::Start);
    let curvature = Activation::Tanh.bounds::<f64>().curvature();
    let mut ratios: Vec<f64> = (0..40)
        .map(|_| {
            let n = 2 + stream.below(7) as usize;
            let rows: Vec<[f64; 2]> = (0..n).map(|_| [stream.normal(), stream.normal()]).collect();
            let tilt = |k: usize, w: f64| -> f64 {
                let of = |[x, r]: &[f64; 2]| r * x.powi(k as i32) * Activation::Tanh.jet(x * w)[k];
                rows.iter().map(of).sum()
            };
            let grid = |reach: f64, m: usize| {
                (0..=m).map(move |k| reach * (2.0 * k as f64 / m as f64 - 1.0))
            };
            let convex = grid(15.0, 3000).map(|w| tilt(2, w)).fold(0.0, f64::max);
            let q: f64 = rows.iter().map(|[x, r]| curvature * r.abs() * x * x).sum();
            // The largest Q Var[w | xi] at prior variance s.
            let worst = |s: f64| {
                let laws: Vec<(f64, f64)> = grid(7.0 * s.sqrt(), 600)
                    .map(|w| (w, tilt(0, w) - 0.5 * (1.0 / s + q) * w * w))
                    .collect();
                grid(3.0 * (q + 1.0 / s) * s.sqrt() + 3.0, 100)
                    .map(|t| {
                        let top = laws.iter().map(|(w, v)| v + t * w).fold(f64::MIN, f64::max);
                        let mut sums = [0.0; 3];
                        for (w, v) in &laws {
                            let p = (v + t * w - top).exp();
                            for (k, sum) in sums.iter_mut().enumerate() {
                                *sum += p * w.powi(k as i32);
                            }
                        }
                        q * (sums[2] / sums[0] - (sums[1] / sums[0]).powi(2))
                    })
                    .fold(0.0, f64::max)
            };
            let limit = 1.0 / convex;
            let (mut low, mut high) = (0.5 * limit, 1.5 * limit);
            while worst(high) < 1.0 && high < 100.0 * limit {
                high *= 1.5;
            }
            for _ in 0..12 {
                let middle = (low * high).sqrt();
                *(if worst(middle) < 1.0 { &mut low } else { &mut high }) = middle;
            }
            low / limit
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("{ratios:.2?}");
    for (k, promised) in [(0, 1.17), (20, 2.33), (39, 5.43)] {
        assert!((ratios[k] - promised).abs() < 0.01, "{ratios:?}");
    }
}

#[test]
fn true_thresholds_are_where_they_are_said_to_be() {
    let file = reference("true_thresholds.json");
    for case in list(&file["gaussian_prior"]) {
        let (n, d) = (size(&case["n"]), size(&case["d"]));
        let (x, r, alpha) = (matrix(&case["X"]), numbers(&case["r"]), number(&case["alpha"]));
        let psi = activation(&case["activation"]);
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &r).unwrap();
        let at = |variance: f64| {
            Problem::greedy(data, psi, Prior::gaussian(variance.sqrt()).unwrap(), alpha).unwrap()
        };
        let lemma2 = number(&case["lemma2_sigma0_sq"]);
        let own = of(&all(&at(1.0)), Kind::Lemma2);
        same(1.0 / own.value, &case["lemma2_sigma0_sq"], "lemma 2");
        let limit = number(&case["p_w_log_concave_up_to_sigma0_sq"]);
        let w = numbers(&case["p_w_critical_w"]);
        let none = None::<&Triangular<'_, f64>>;
        // At the limit of p(w) the Hessian at the critical w is singular.
        let (_, largest) = hessian_largest(&at(limit), none, &w);
        assert!((largest * limit).abs() < 1e-7, "{psi:?}: {largest}");
        let (_, largest) = hessian_largest(&at(lemma2), none, &w);
        let expected =
            number(&case["largest_eigenvalue_of_hessian_of_log_p_w_at_lemma2_threshold"]);
        close(&[largest], &[expected], 1e-7, "at the threshold of lemma 2");
        // Every condition that says so holds below the limit only.
        for kind in [Kind::Lemma2, Kind::RhoTwoSided, Kind::RhoOneSided] {
            let threshold = 1.0 / of(&all(&at(1.0)), kind).value;
            assert!(threshold <= limit * (1.0 + 1e-9), "{psi:?} {kind:?}");
            assert!(threshold >= lemma2 * (1.0 - 1e-12), "{psi:?} {kind:?}");
            let below = of(&all(&at(threshold * 0.999)), kind).status;
            let above = of(&all(&at(threshold * 1.001)), kind).status;
            assert_eq!((below, above), (Status::AlreadyLogConcave, Status::NotSatisfied));
        }
    }
    for case in list(&file["l1_prior"]) {
        let (n, d) = (size(&case["n"]), size(&case["d"]));
        let (x, r) = (matrix(&case["X"]), numbers(&case["r"]));
        let psi = activation(&case["activation"]);
        let data = Dataset::new(Inputs::row_major(&x, n, d).unwrap(), &r).unwrap();
        let ball = Prior::l1_ball(1.0).unwrap();
        let at = |alpha: f64| all(&Problem::greedy(data, psi, ball, alpha).unwrap());
        let ones = at(1.0);
        let published = d as f64 / of(&ones, Kind::Lemma4Published).value;
        same(published, &case["lemma4_published_alpha"], "lemma 4 as printed");
        let corrected = 1.0 / of(&ones, Kind::Lemma4).value;
        same(corrected, &case["lemma4_corrected_alpha"], "lemma 4 corrected");
        let truth = &case["p_xi_log_concave_up_to_alpha"];
        if truth == "inf" {
            // log p(w) is concave on the ball for every alpha, and the certificate sees it.
            let own = of(&at(1e6), Kind::OwnCurvature);
            assert_eq!((own.value, own.status), (0.0, Status::AlreadyLogConcave));
        } else {
            assert_eq!(of(&ones, Kind::OwnCurvature).status, Status::NotSatisfied);
            if !truth.is_null() {
                // What is proved lies below the truth, and so does what is conditional.
                for kind in [Kind::Trace, Kind::Columns, Kind::Lemma4, Kind::MatrixTwoSided] {
                    assert!(
                        1.0 / of(&ones, kind).value <= number(truth) * (1.0 + 1e-9),
                        "{kind:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn precisions_are_minus_the_hessian() {
    for (neurons, psi) in [(1, Activation::Tanh), (1, Activation::Gelu), (3, Activation::Erf)] {
        let made = Made::new(5, 9, 2);
        let sd = 1.3;
        let prior = Prior::gaussian(sd).unwrap();
        let problem = if neurons == 1 {
            Problem::greedy(made.data(), psi, prior, 0.7).unwrap()
        } else {
            let signs = Signs::Alternating;
            Problem::joint(made.data(), psi, prior, neurons, 2.0, 0.8, signs).unwrap()
        };
        let mut rho = vec![0.0; 9 * problem.rho_classes(Sides::OneSided)];
        problem.rho(Sides::OneSided, &mut rho).unwrap();
        let coupling = problem.coupling(&rho).unwrap();
        let mut memory = Vec::new();
        let triangular = lcc_tests::numeric::factorise(&coupling, &mut memory);
        let xi = vec![0.0; coupling.len()];
        let given = Conditional::new(problem.likelihood(), &coupling, &xi).unwrap();
        for w in made.points(prior, neurons, 5) {
            let dim = w.len();
            let diagonal = |full: &mut Vec<f64>| {
                (0..dim).for_each(|j| full[j * dim + j] -= 1.0 / (sd * sd));
            };
            let none = None::<&Coupling<'_, f64>>;
            let (own, _) = hessian_largest(&problem, none, &w);
            let mut expected = finite_hessian(problem.likelihood(), &w);
            diagonal(&mut expected);
            close(&own, &expected, 1e-7, "bare");
            let mut expected = finite_hessian(&given, &w);
            diagonal(&mut expected);
            let (own, _) = hessian_largest(&problem, Some(&coupling), &w);
            close(&own, &expected, 1e-7, "coupled");
            let (also, largest) = hessian_largest(&problem, Some(&triangular), &w);
            close(&also, &own, 1e-12, "triangular");
            assert!(largest < 0.0);
        }
    }
}

#[test]
fn largest_eigenvalues_of_any_shape() {
    for (n, d) in [(1, 1), (3, 7), (7, 7), (40, 5), (2, 30)] {
        let made = Made::new(n as u64, n, d);
        let rho: Vec<f64> = (0..n).map(|i| (i % 3) as f64 * 0.7).collect();
        let mut gram = vec![0.0; d * d];
        for i in 0..n {
            for j in 0..d {
                for k in 0..d {
                    gram[j * d + k] += rho[i] * made.x[i * d + j] * made.x[i * d + k];
                }
            }
        }
        let expected = largest_eigenvalue(&gram, d);
        close(&[weighted(made.inputs(), &rho)], &[expected], 1e-13, "largest");
        // Scales that would overflow if squared.
        let x: Vec<f64> = made.x.iter().map(|x| x * 1e140).collect();
        let scaled = weighted(Inputs::row_major(&x, n, d).unwrap(), &rho);
        close(&[scaled / 1e280], &[expected], 1e-12, "scaled");
    }
}

/// A probe with a given eigenvalue.
fn probes(value: f64, error: f64) -> Probes<f64> {
    let eigenvalue = Estimate { value, error, selection: value };
    Probes::one(eigenvalue, None)
}

#[test]
fn verdicts_say_what_is_proved_and_what_is_not() {
    let made = Made::new(1, 30, 4);
    let greedy = |prior: Prior<f64>, alpha: f64| {
        Problem::greedy(made.data(), Activation::Tanh, prior, alpha).unwrap()
    };
    let narrow = all(&greedy(Prior::gaussian(0.05).unwrap(), 0.5));
    assert_eq!(narrow.conclusion(), Conclusion::AlreadyLogConcave);
    let text = narrow.to_string();
    assert!(text.starts_with("Proved: the posterior p(w) itself is log-concave"), "{text}");
    assert!(text.contains("would hold up to a prior sd of 0."), "{text}");
    assert!(text.ends_with("any of the exact chains will do."), "{text}");

    let wide = all(&greedy(Prior::gaussian(2.0).unwrap(), 0.5));
    assert_eq!(wide.conclusion(), Conclusion::Unknown);
    assert!(wide.to_string().contains("No sufficient condition holds"), "{wide}");
    for (value, error, conclusion, words) in [
        (0.6, 0.02, Conclusion::Empirical, "proves nothing of other xi"),
        (1.5, 0.02, Conclusion::NotLogConcave, "p(xi) is not log-concave"),
        (1.02, 0.02, Conclusion::Unknown, "too close to 1 to tell"),
        (0.98, 0.02, Conclusion::Unknown, "too close to 1 to tell"),
        (0.5, f64::NAN, Conclusion::Unknown, "too close to 1 to tell"),
    ] {
        let with = wide.clone().with_probes(&probes(value, error));
        assert_eq!(with.conclusion(), conclusion, "{value}");
        let text = with.to_string();
        assert!(text.contains(words) && text.contains("one visited xi"), "{text}");
        assert_eq!(with.clone().with_probes(&probes(value, error)).len(), with.len());
    }
    let refuted = wide.with_probes(&probes(1.5, 0.02)).to_string();
    assert!(refuted.contains("sequential Monte Carlo or tempering"), "{refuted}");

    let small = all(&greedy(Prior::l1_ball(0.05).unwrap(), 0.1));
    assert_eq!(small.conclusion(), Conclusion::Proved);
    assert!(small.to_string().contains("without further assumptions"), "{small}");

    // Between what is proved and what is conditional.
    let conditional = (1..200)
        .map(|k| all(&greedy(Prior::l1_ball(0.02 * k as f64).unwrap(), 0.2)))
        .find(|all| all.conclusion() == Conclusion::Conditional)
        .expect("a radius between");
    let text = conditional.to_string();
    assert!(text.starts_with("Nothing is proved of p(xi)"), "{text}");
    assert!(text.contains("([MB] (27)), which is false as a general statement"), "{text}");
    let refuted = conditional.with_probes(&probes(1.3, 0.05));
    assert_eq!(refuted.conclusion(), Conclusion::NotLogConcave);
    assert!(refuted.to_string().starts_with("An assumption fails here"), "{refuted}");

    // A published condition that holds and is false is named.
    let x: Vec<f64> = vec![1.0; 30 * 30];
    let r = vec![29.7 / 30.0; 30];
    let data = Dataset::new(Inputs::row_major(&x, 30, 30).unwrap(), &r).unwrap();
    let ball = Prior::l1_ball(1.0).unwrap();
    let false_claim = all(&Problem::greedy(data, Activation::SquaredRelu, ball, 1.0).unwrap());
    assert_eq!(false_claim.conclusion(), Conclusion::Unknown);
    let text = false_claim.to_string();
    assert!(text.contains("lemma-4-published"), "{text}");
    assert!(text.contains("the statement printed with it is false"), "{text}");

    // No coupling: a residual without bound.
    let joint = |psi: Activation, prior: Prior<f64>| {
        let signs = Signs::Alternating;
        all(&Problem::joint(made.data(), psi, prior, 4, 2.0, 0.01, signs).unwrap())
    };
    let unbounded = joint(Activation::Softplus, Prior::gaussian(1.0).unwrap());
    assert!(unbounded.to_string().starts_with("There is no coupling"), "{unbounded}");
    assert_eq!(of(&unbounded, Kind::RhoOneSided).status, Status::NotApplicable);
    let bounded = joint(Activation::Tanh, Prior::gaussian(0.1).unwrap());
    assert_eq!(bounded.conclusion(), Conclusion::AlreadyLogConcave);
    let ball = joint(Activation::Tanh, Prior::l1_ball(0.3).unwrap());
    for kind in [Kind::JointHessian, Kind::JointHessianSharper, Kind::BakryEmery] {
        assert!(of(&ball, kind).value.is_finite());
    }
    let other = joint(Activation::Arctan, Prior::l1_ball(20.0).unwrap());
    assert_eq!(of(&other, Kind::JointHessian).status, Status::NotApplicable);
}

#[test]
fn single_precision_agrees() {
    let made = Made::new(3, 25, 6);
    let x: Vec<f32> = made.x.iter().map(|x| *x as f32).collect();
    let y: Vec<f32> = made.y.iter().map(|y| *y as f32).collect();
    for ball in [false, true] {
        let prior = if ball { Prior::L1Ball { radius: 0.7 } } else { Prior::Gaussian { sd: 0.3 } };
        let wide = Problem::greedy(made.data(), Activation::Tanh, prior, 0.4).unwrap();
        let prior = if ball { Prior::L1Ball { radius: 0.7 } } else { Prior::Gaussian { sd: 0.3 } };
        let data = Dataset::new(Inputs::row_major(&x, 25, 6).unwrap(), &y).unwrap();
        let narrow = Problem::<f32>::greedy(data, Activation::Tanh, prior, 0.4).unwrap();
        let mut scratch = vec![f32::NAN; Certificates::scratch(&narrow).unwrap()];
        let narrow = Certificates::of(&narrow, &mut scratch).unwrap();
        let wide = all(&wide);
        assert_eq!(narrow.len(), wide.len());
        for (a, b) in narrow.iter().zip(wide.iter()) {
            assert_eq!((a.kind, a.status), (b.kind, b.status));
            if b.value.is_finite() {
                close(&[a.value.to_f64()], &[b.value], 2e-5, b.kind.name());
            }
        }
    }
}

#[test]
fn names_and_refusals() {
    for (k, kind) in Kind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, k);
        assert!(!kind.equation().is_empty() && !kind.name().contains(' '));
        assert_eq!(Kind::ALL.iter().filter(|other| other.name() == kind.name()).count(), 1);
    }
    for (k, status) in Status::ALL.into_iter().enumerate() {
        assert_eq!(status as usize, k);
    }
    let made = Made::new(1, 5, 2);
    let problem =
        Problem::greedy(made.data(), Activation::Tanh, Prior::gaussian(1.0).unwrap(), 1.0).unwrap();
    let needed = Certificates::scratch(&problem).unwrap();
    assert!(Certificates::of(&problem, &mut vec![0.0; needed - 1]).is_err());
}
