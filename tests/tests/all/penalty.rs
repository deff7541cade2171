//! Acceptance by noisy changes of the loss, against `penalty_acceptance.json`, `subsampled.json` and closed forms.

use lcc_core::kernel::penalty::{Noisy, Penalty};
use lcc_tests::numeric::close;
use lcc_tests::quadrature::legendre;
use lcc_tests::subsampled::chi_square;
use lcc_tests::{matrix, number, numbers, reference};
use serde_json::Value;

pub(super) fn list<'v>(file: &'v Value, key: &str) -> &'v [Value] {
    file[key].as_array().unwrap()
}

/// What is known of the variance s^2 of the mean change, and what is done about it.
#[derive(Clone, Copy)]
enum Noise {
    Ignored,
    Known,
    /// chi^2 from so many minibatches.
    From(u32, Penalty),
}

/// A rule of quadrature on [0, 1].
struct Rules {
    unit: Vec<(f64, f64)>,
}

impl Rules {
    fn new() -> Self {
        Self { unit: legendre(100, 0.0, 1.0) }
    }

    /// The mean of the probability of acceptance over changes from N(change, s^2), where the estimate of s^2 is given.
    fn over_changes(
        &self,
        rule: Penalty,
        [change, s]: [f64; 2],
        [variance, m]: [f64; 2],
        barker: bool,
    ) -> f64 {
        let p = |x: f64| rule.probability(x, variance, m as u32, barker);
        // Metropolis' rule has its kink where change and penalty are 0.
        let kink = if barker { change } else { p(0.0).ln() };
        let ends =
            [change - 9.0 * s, kink.clamp(change - 9.0 * s, change + 9.0 * s), change + 9.0 * s];
        ends.windows(2)
            .flat_map(|e| {
                self.unit.iter().map(move |(x, w)| (e[0] + (e[1] - e[0]) * x, w * (e[1] - e[0])))
            })
            .map(|(x, w)| {
                let z = (x - change) / s;
                w * p(x) * (-0.5 * z * z).exp() / (s * (2.0 * std::f64::consts::PI).sqrt())
            })
            .sum()
    }

    /// The same over chi^2 ~ s^2 chi-square_{M-1}/(M - 1) too.
    fn acceptance(&self, noise: Noise, change: f64, s: f64, barker: bool) -> f64 {
        match noise {
            Noise::Ignored => {
                self.over_changes(Penalty::Estimated, [change, s], [0.0, 2.0], barker)
            }
            Noise::Known => self.over_changes(Penalty::Known, [change, s], [s * s, 2.0], barker),
            Noise::From(m, rule) => {
                let of = |(variance, w): (f64, f64)| {
                    let known = [s * s * variance, m as f64];
                    w * self.over_changes(rule, [change, s], known, barker)
                };
                chi_square(&self.unit, m).map(of).sum()
            }
        }
    }
}

/// delta, chi^2 and the three rules on given losses, and the series beside the u that it is of.
#[test]
fn penalties_are_those_of_the_formulas() {
    let file = reference("penalty_acceptance.json");
    for case in list(&file, "cases") {
        let (before, after) = (numbers(&case["losses_current"]), numbers(&case["losses_proposed"]));
        let m = before.len() as u32;
        let noisy = Noisy::of(after.iter().zip(&before).map(|(a, b)| a - b));
        let p = |rule: Penalty, v| rule.probability(noisy.change, v, m, false);
        close(
            &[
                noisy.change,
                noisy.variance,
                p(Penalty::Estimated, noisy.variance),
                p(Penalty::Estimated, 0.0),
                p(Penalty::Series, noisy.variance),
            ],
            &["delta", "chi2", "accept_penalty", "accept_naive", "accept_three_term_series"]
                .map(|key| number(&case[key])),
            1e-11,
            "a case",
        );
        let barker = Penalty::Known.probability(noisy.change, noisy.variance, m, true);
        let total = noisy.change + 0.5 * noisy.variance;
        assert!((barker - 1.0 / (1.0 + total.exp())).abs() < 1e-14);
    }
    for case in list(&reference("subsampled.json"), "unknown_variance_penalty") {
        let (m, chi2) = (number(&case["M"]) as u32, number(&case["chi2"]));
        for (rule, key) in [(Penalty::Series, "u_three_terms"), (Penalty::Estimated, "u_one_term")]
        {
            let u = -rule.probability(0.0, chi2, m, false).ln();
            assert!((u - number(&case[key])).abs() < 1e-12 * (1.0 + u), "{key}: {u}");
        }
    }
    // Not a number, and a loss that has none: stay; a loss without end ahead: stay, and behind: go.
    for (change, expected) in
        [(f64::NAN, 0.0), (-f64::INFINITY, 0.0), (f64::INFINITY, 0.0), (-800.0, 1.0)]
    {
        for barker in [false, true] {
            assert_eq!(Penalty::Known.probability(change, 0.0, 1, barker), expected);
        }
    }
}

/// Adjusted skewness and kurtosis as R's e1071 has them (type 2), of a list small enough to do by hand.
#[test]
fn shapes_of_changes_are_those_of_the_formulas() {
    let noisy = Noisy::of([-1.0_f64, 0.0, 0.0, 5.0]);
    // Mean 1; sums of powers 22, 48 (-8 - 1 - 1 + 64 = 54), 16 + 1 + 1 + 256.
    let [second, third, fourth] = [22.0_f64 / 4.0, 54.0 / 4.0, 274.0 / 4.0];
    let skewness = third / second.powf(1.5) * 12.0_f64.sqrt() / 2.0;
    let kurtosis = 3.0 / 2.0 * (5.0 * (fourth / (second * second) - 3.0) + 6.0);
    close(&[noisy.change, noisy.variance], &[1.0, 22.0 / 12.0], 1e-14, "mean");
    close(&[noisy.skewness, noisy.kurtosis], &[skewness, kurtosis], 1e-13, "shape");
    let back = Noisy::of([1.0_f64, 0.0, 0.0, -5.0]);
    assert_eq!((back.change, back.skewness), (-noisy.change, noisy.skewness));
    // Equal changes: those bits, and no noise.
    let equal = Noisy::of([0.1_f64; 7]);
    assert!(equal.change == 0.1 && equal.variance == 0.0 && equal.skewness.is_nan());
    assert_eq!(Noisy::of([0.3_f32]).variance, 0.0);
    assert!(
        Noisy::of([1.0_f64, 2.0]).skewness.is_nan()
            && Noisy::of([1.0_f64, 2.0, 4.0]).kurtosis.is_nan()
    );
}

/// The mean acceptance and how far it is from detailed balance, by quadrature of the library's rule: none where the
/// variance is known, by Barker's rule too, and as much as tabulated where it is estimated.
#[test]
fn detailed_balance_is_exact_where_the_variance_is_known_and_off_as_tabulated_elsewhere() {
    let rules = Rules::new();
    let file = reference("penalty_acceptance.json");
    for case in list(&file, "mean_acceptance_table") {
        let (change, s) = (number(&case["Delta"]), number(&case["sigma"]));
        let balance = |noise, barker| {
            let [there, back] = [change, -change].map(|x| rules.acceptance(noise, x, s, barker));
            (there / back).ln() + change
        };
        let close = |found: f64, key: &Value| {
            assert!((found - number(key)).abs() < 1e-9, "{change} {s}: {found}, not {key}");
        };
        close(
            rules.acceptance(Noise::Known, change, s, false),
            &case["mean_acceptance_known_sigma"],
        );
        for barker in [false, true] {
            assert!(balance(Noise::Known, barker).abs() < 1e-10, "{change} {s} {barker}");
        }
        assert!(change == 0.0 || balance(Noise::Ignored, false).abs() > 0.05 * s * s);
        for of in list(case, "est") {
            let m = number(&of["M"]) as u32;
            for (rule, key) in [(Penalty::Estimated, "chi2"), (Penalty::Series, "series")] {
                let noise = Noise::From(m, rule);
                let own = |what| &of[format!("{what}_{key}")];
                close(rules.acceptance(noise, change, s, false), own("mean_acceptance"));
                close(balance(noise, false), own("detailed_balance_log_ratio_error"));
            }
        }
    }
}

/// Whole chains over a few states, each proposing every other: transition probabilities with normal noise.
#[test]
fn transitions_with_normal_noise_are_those_of_the_table() {
    let rules = Rules::new();
    let mut checked = 0;
    for case in list(&reference("subsampled.json"), "penalty_gaussian") {
        let (losses, sigma) = (numbers(&case["U"]), matrix(&case["sigma"]));
        let count = losses.len();
        for method in list(case, "methods") {
            let name = method["method"].as_str().unwrap();
            let noise = match name {
                "penalty, sigma known" => Noise::Known,
                "no penalty" => Noise::Ignored,
                "penalty, chi^2 from M=4, chi2" => Noise::From(4, Penalty::Estimated),
                "penalty, chi^2 from M=4, series" => Noise::From(4, Penalty::Series),
                "penalty, chi^2 from M=16, chi2" => Noise::From(16, Penalty::Estimated),
                "penalty, chi^2 from M=16, series" => Noise::From(16, Penalty::Series),
                _ => continue,
            };
            let exact = matrix(&method["transition"]);
            for (i, j) in (0..count * count).map(|k| (k / count, k % count)).filter(|(i, j)| i != j)
            {
                let s = sigma[i * count + j];
                let p = rules.acceptance(noise, losses[j] - losses[i], s, false);
                let (found, exact) = (p / (count - 1) as f64, exact[i * count + j]);
                assert!((found - exact).abs() < 1e-8, "{name} {i} {j}: {found}, not {exact}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 18);
}

/// The same with the noise that minibatches make, by every combination of them.
#[test]
fn transitions_by_minibatches_are_those_of_the_table() {
    for case in list(&reference("subsampled.json"), "penalty_minibatch") {
        let of = |key: &str| number(&case[key]);
        let [n, b, m] = ["n", "b", "M"].map(|key| of(key) as usize);
        let (states, losses) = (numbers(&case["states"]), matrix(&case["losses_by_state_and_row"]));
        let batches: Vec<u32> =
            (0..1_u32 << n).filter(|set| set.count_ones() as usize == b).collect();
        let loss = |state: usize, set: u32| {
            let prior = (states[state] / of("sigma0")).powi(2) / 2.0;
            let rows = (0..n).filter(|row| set >> row & 1 == 1);
            prior + of("gamma") * rows.map(|row| losses[state * n + row]).sum::<f64>()
        };
        let count = states.len();
        let combinations = batches.len().pow(m as u32);
        for (i, j) in (0..count * count).map(|k| (k / count, k % count)).filter(|(i, j)| i != j) {
            let changes: Vec<f64> =
                batches.iter().map(|set| loss(j, *set) - loss(i, *set)).collect();
            let mean = changes.iter().sum::<f64>() / changes.len() as f64;
            let square = |x: &f64| (x - mean) * (x - mean);
            let variance = changes.iter().map(square).sum::<f64>() / (changes.len() * m) as f64;
            let mut sums = [0.0; 3];
            for mut k in 0..combinations {
                let noisy = Noisy::of((0..m).map(|_| {
                    let one = changes[k % batches.len()];
                    k /= batches.len();
                    one
                }));
                let all = [
                    (Penalty::Estimated, noisy.variance),
                    (Penalty::Estimated, 0.0),
                    (Penalty::Known, variance),
                ];
                for (sum, (rule, variance)) in sums.iter_mut().zip(all) {
                    *sum += rule.probability(noisy.change, variance, m as u32, false);
                }
            }
            for (sum, method) in sums.iter().zip(list(case, "methods")) {
                let found = sum / (combinations * (count - 1)) as f64;
                let exact = matrix(&method["transition"])[i * count + j];
                assert!(
                    (found - exact).abs() < 1e-12,
                    "{} {}: {found}, not {exact}",
                    case["id"],
                    method["method"]
                );
            }
        }
    }
}
