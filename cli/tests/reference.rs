//! `lcc sample` against exact expectations: a subset of the reference posteriors, in units of the Monte
//! Carlo standard errors that it prints. (The tests of the core take every case, by replicates.)

mod common;
use common::{Folder, Run};
use lcc_model::lcc_core::likelihood::Signs;
use lcc_model::lcc_core::prior::Prior;
use lcc_tests::posteriors::{Case, Model, greedy_cases, joint_cases};
use lcc_tests::{number, reference, tools};
use serde_json::Value;
use std::fmt::Write as _;

/// Draws of each of eight chains.
const DRAWS: usize = 2000;

/// Rows of d inputs, and a target if there is one, as CSV; digits enough to give the same numbers.
fn csv(d: usize, x: &[f64], y: Option<&[f64]>) -> String {
    let mut text = (0..d).map(|j| format!("x{j}")).collect::<Vec<_>>().join(",");
    text += if y.is_some() { ",y\n" } else { "\n" };
    for (i, row) in x.chunks_exact(d).enumerate() {
        let mut row: Vec<String> = row.iter().map(|v| format!("{v:?}")).collect();
        row.extend(y.map(|y| format!("{:?}", y[i])));
        writeln!(text, "{}", row.join(",")).expect("a string");
    }
    text
}

/// A run on a case, and its report.
fn run(case: &Case, sampler: &str, precision: &str) -> (Run, Value) {
    let tag = sampler.replace([' ', ':', ','], "_");
    let folder = Folder::new(&format!("reference_{}_{tag}_{precision}", case.id));
    folder.write("d.csv", csv(case.d, &case.x, Some(&case.y)));
    folder.write("q.csv", csv(case.d, &case.query, None));
    let (prior, scale) = match case.prior {
        Prior::Gaussian { sd } => ("gaussian", sd),
        Prior::L1Ball { radius } => ("l1", radius),
    };
    let model = match case.model {
        Model::Greedy(alpha) => format!("--alpha {alpha:?}"),
        Model::Joint(neurons, outer, beta, signs) => {
            let signs = if signs == Signs::Positive { "positive" } else { "alternating" };
            format!(
                "--posterior joint --neurons {neurons} --outer {outer:?} --beta {beta:?} --signs {signs}"
            )
        }
    };
    let draws = if sampler.starts_with("smc") { String::new() } else { format!("--draws {DRAWS}") };
    let run = folder
        .lcc(&format!(
            "sample --data d.csv --query q.csv --activation {} --prior {prior} --scale {scale:?} {model} \
             --sampler {sampler} --precision {precision} {draws} --quiet --json o.json",
            case.activation.name()
        ))
        .expect(0);
    (run, folder.json("o.json"))
}

/// (error, standard error, exact variance, exact mean) of every expectation.
fn misses(case: &Case, json: &Value) -> Vec<[f64; 4]> {
    let numbers = |field: &str| -> Vec<f64> {
        let values = json[field].as_array().expect("an array");
        values.iter().map(|v| v.as_f64().expect("a number")).collect()
    };
    let (estimates, errors) = (numbers("expectation"), numbers("mcse"));
    assert_eq!(estimates.len(), case.query_moments.len());
    let out = estimates.iter().zip(errors).zip(&case.query_moments);
    out.map(|((e, s), (mean, variance))| [e - mean, s, *variance, *mean]).collect()
}

/// R-hat (of particles there is none), whether there was a warning, and the [`misses`].
fn sample(case: &Case, sampler: &str, precision: &str) -> (f64, bool, Vec<[f64; 4]>) {
    let (run, json) = run(case, sampler, precision);
    let rhat = json["rhat_max"].as_f64().unwrap_or(f64::NAN);
    (rhat, run.err.contains("do not trust these numbers"), misses(case, &json))
}

/// Of case k: both in the long tier of the tests, by turns in the quick one.
fn precisions(k: usize) -> &'static [&'static str] {
    let both = &["f64", "f32"];
    tools::runs(&both[k % 2..][..1], both)
}

fn named(cases: Vec<Case>, id: &str) -> Case {
    cases.into_iter().find(|c| c.id == id).unwrap_or_else(|| panic!("no case {id}"))
}

#[test]
fn expectations_lie_within_their_standard_errors() {
    let mut cases = Vec::new();
    for d in 1..=3 {
        cases.extend(greedy_cases(d).into_iter().filter(|c| !c.query.is_empty()).step_by(4));
    }
    cases.extend(joint_cases().into_iter().step_by(2));
    let (mut squares, mut runs, mut warned) = (0.0, 0.0_f64, 0);
    for (k, case) in cases.iter().enumerate() {
        for sampler in
            ["auto", "split-hmc", "gibbs", "independence --reference student-t --antithetic"]
        {
            for precision in precisions(k) {
                let (rhat, warns, scores) = sample(case, sampler, precision);
                // Above 1.05 the program must not be believed, and must say so; of auto, which looks at
                // more than R-hat, never.
                let disagree = sampler != "auto" && rhat > 1.05;
                assert_eq!(warns, disagree, "{} {sampler} {precision}: R-hat {rhat}", case.id);
                if warns {
                    warned += 1;
                    continue;
                }
                let mut sum = 0.0;
                for [miss, error, variance, mean] in &scores {
                    // A rare event that chains have not met leaves no standard error: that of as many
                    // independent draws is the least.
                    let rare = variance.sqrt() > 10.0 * mean.abs();
                    let least = if rare { (variance / (8.0 * DRAWS as f64)).sqrt() } else { 0.0 };
                    let z = miss / error.max(least);
                    assert!(z.abs() < 5.0, "{} {sampler} {precision}: z = {z}", case.id);
                    sum += z * z / scores.len() as f64;
                }
                squares += sum;
                runs += 1.0;
            }
        }
    }
    let rms = (squares / runs).sqrt();
    println!("rms z {rms:.3} over {runs} runs of {} posteriors; {warned} warned", cases.len());
    // Some three independent expectations a run: an rms is good to 1 / sqrt(6 runs).
    assert!(
        runs > tools::runs(20.0, 40.0) && (rms - 1.0).abs() < 4.0 / (6.0 * runs).sqrt(),
        "rms z {rms}"
    );
}

/// Two modes that chains started in either do not leave: R-hat and the warning say so.
#[test]
fn modes_that_do_not_mix_are_reported() {
    for (d, id, sampler) in [
        (1, "d1-16-activation-sine-gaussian", "split-hmc"),
        (1, "d1-16-activation-sine-gaussian", "gibbs"),
        (1, "d1-09-bimodal-tanh-l1", "gibbs"),
        (2, "d2-10-bimodal-tanh-l1", "split-hmc"),
    ] {
        let (rhat, warns, _) = sample(&named(greedy_cases(d), id), sampler, "f64");
        assert!(rhat > 1.05 && warns, "{id} {sampler}: R-hat {rhat}");
    }
}

/// The same modes without a flag: `auto` sees them, leaves the chains, and has their weights.
#[test]
fn modes_are_found_without_a_flag() {
    let mut squares = Vec::new();
    for (d, id) in [
        (1, "d1-09-bimodal-tanh-l1"),
        (1, "d1-16-activation-sine-gaussian"),
        (2, "d2-10-bimodal-tanh-l1"),
    ] {
        let case = named(greedy_cases(d), id);
        for precision in ["f64", "f32"] {
            let (run, json) = run(&case, "auto", precision);
            assert!(!run.err.contains("do not trust"), "{id}: {}", run.err);
            assert!(matches!(json["sampler"].as_str(), Some("independence" | "smc")), "{json}");
            let reason = json["sampler_reason"].as_str().expect("a reason");
            assert!(reason.contains("because chains") && !reason.contains("WARNING"), "{reason}");
            let scores = misses(&case, &json);
            let mut sum = 0.0;
            for [miss, error, variance, _] in &scores {
                assert!(miss.abs() < 0.1 * variance.sqrt(), "{id} {precision}: off by {miss}");
                let z = miss / error;
                assert!(z.abs() < 5.0, "{id} {precision}: z = {z}");
                sum += z * z / scores.len() as f64;
            }
            squares.push(sum);
        }
    }
    let runs = squares.len() as f64;
    let rms = (squares.iter().sum::<f64>() / runs).sqrt();
    println!("rms z {rms:.3} over {runs} runs");
    assert!((rms - 1.0).abs() < 4.0 / (2.0 * runs).sqrt(), "rms z {rms}");
}

/// The same modes by particles and by tempered chains: their weights and the evidence, on ladders found
/// and given.
#[test]
fn modes_and_evidence_are_those_of_quadrature() {
    let (mut expectations, mut evidence) = (Vec::new(), Vec::new());
    let cases = [
        (1, "d1-09-bimodal-tanh-l1"),
        (1, "d1-11-bimodal-tanh-gaussian"),
        (1, "d1-16-activation-sine-gaussian"),
        (2, "d2-10-bimodal-tanh-l1"),
    ];
    for (k, (d, id)) in cases.into_iter().enumerate() {
        let file = reference(&format!("greedy_posterior_d{d}.json"));
        let exact = file["cases"].as_array().expect("cases").iter().find(|c| c["id"] == id);
        let log_z = number(&exact.expect("the case")["result"]["log_Z"]);
        let case = named(greedy_cases(d), id);
        for sampler in [
            "smc",
            "smc --reference gaussian",
            "smc --ladder geometric:6:.02 --particles 2000",
            "tempering --chains 32",
            "tempering --chains 32 --ladder .05,.2,.5,1",
        ] {
            for precision in precisions(k) {
                let what = format!("{id} {sampler} {precision}");
                let (_, json) = run(&case, sampler, precision);
                let ladder = json["ladder"].as_array().expect("temperatures");
                assert_eq!(ladder.last().and_then(Value::as_f64), Some(1.0), "{what}");
                let estimate = number(&json["log_evidence"]) - log_z;
                let error = number(&json["log_evidence_standard_error"]);
                assert!(error < 0.25, "{what}: {error}");
                let z = estimate / error;
                assert!(z.abs() < 5.0, "{what}: log evidence off by {estimate}, z = {z}");
                evidence.push(z * z);
                let mut sum = 0.0;
                let scores = misses(&case, &json);
                for [miss, error, ..] in &scores {
                    let z = miss / error;
                    assert!(z.abs() < 5.0, "{what}: z = {z}");
                    sum += z * z / scores.len() as f64;
                }
                expectations.push(sum);
            }
        }
    }
    for (what, squares) in [("expectations", expectations), ("evidence", evidence)] {
        let runs = squares.len() as f64;
        let rms = (squares.iter().sum::<f64>() / runs).sqrt();
        println!("{what}: rms z {rms:.3} over {runs} runs");
        // One independent number a run, at least.
        assert!((rms - 1.0).abs() < 4.0 / (2.0 * runs).sqrt(), "{what}: rms z {rms}");
    }
}
