//! The rivals: other programs that sample the same posteriors, each in a process of its own.

use super::{Run, Sample, Score, score};
use lcc_core::activation::Activation;
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_tests::posteriors::{Case, Model};
use lcc_tests::targets::QUERIES;
use std::path::Path;
use std::process::Command;

/// One run of nuts-rs: 4 chains of 1000 + `draws` from dispersed starts.
pub(crate) fn rival(program: &Path, case: &Case, draws: u32, seed: u64) -> Sample {
    let (chains, warmup) = (4, 1000);
    let l1 = matches!(case.prior, Prior::L1Ball { .. });
    let scale = match case.prior {
        Prior::L1Ball { radius } => radius,
        Prior::Gaussian { sd } => sd,
    };
    let (strength, v) = match case.model {
        Model::Greedy(alpha) => (alpha, 0.0),
        Model::Joint(_, v, beta, _) => (beta, v),
    };
    let (d, m) = (case.d, case.neurons());
    let tanh = case.activation == Activation::Tanh;
    let flag = |b: bool| if b { 1.0 } else { 0.0 };
    let mut numbers = vec![
        flag(m > 1),
        flag(tanh),
        flag(l1),
        case.y.len() as f64,
        d as f64,
        m as f64,
        strength,
        scale,
        v,
        chains as f64,
        warmup as f64,
        draws as f64,
        seed as f64,
    ];
    numbers.extend(&case.x);
    numbers.extend(&case.y);
    // Draws from the prior in its coordinates: Laplace numbers and log of an exponential, or normals.
    let mut stream = Stream::new(seed, 0, Purpose::Start);
    for _ in 0..chains * m {
        for _ in 0..d {
            let sign = if stream.uniform::<f64>() < 0.5 { -1.0 } else { 1.0 };
            numbers.push(if l1 {
                sign * stream.exponential::<f64>()
            } else {
                scale * stream.normal::<f64>()
            });
        }
        if l1 {
            numbers.push(stream.exponential::<f64>().ln());
        }
    }
    let folder = std::env::temp_dir().join(format!("lcc-samplers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (problem, out) = (folder.join("problem.txt"), folder.join("draws.bin"));
    let text: Vec<String> = numbers.iter().map(|x| format!("{x:e}")).collect();
    std::fs::write(&problem, text.join("\n")).expect("problem");
    let output = Command::new(program).arg(&problem).arg(&out).arg("diag").output().expect("rival");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    let seconds = |key: &str| report[key].as_f64().expect("seconds");
    let bytes = std::fs::read(&out).expect("draws");
    let _ = std::fs::remove_dir_all(&folder);
    let raw: Vec<f64> =
        bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("8 bytes"))).collect();
    let draws = if l1 {
        raw.chunks_exact(d + 1)
            .flat_map(|z| {
                let sum = z[..d].iter().map(|x| x.abs()).sum::<f64>() + z[d].exp();
                z[..d].iter().map(move |x| scale * x / sum).collect::<Vec<_>>()
            })
            .collect()
    } else {
        raw
    };
    Sample {
        seconds: seconds("seconds") + seconds("warmup_seconds"),
        chains,
        pairs: false,
        draws,
        note: format!("{} gradients", report["grads"]),
    }
}

/// NumPyro or Stan by the rivals' script of that name; `None` where the Python given has no such module.
pub(crate) fn peer(
    (folder, python): (&Path, &str),
    (name, module): (&str, &str),
    target: &str,
    runs: u64,
    variances: &[f64],
) -> Option<Score> {
    let found = Command::new(python).args(["-c", &format!("import {module}")]).output();
    if !found.is_ok_and(|o| o.status.success()) {
        return None;
    }
    let mut note = String::new();
    let runs: Vec<Run> = (1..=runs)
        .map(|seed| {
            let script = folder.join(format!("run_{name}.py"));
            let output = Command::new(python)
                .args([script.to_str().expect("UTF-8"), target, "--seed", &seed.to_string()])
                .output()
                .expect("python");
            let text = String::from_utf8_lossy(&output.stdout);
            let line = text.lines().find(|line| line.starts_with('{'));
            let line =
                line.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
            let report: serde_json::Value = serde_json::from_str(line).expect("json");
            let number = |key: &str| report[key].as_f64().expect("a number");
            note = format!("{} gradients", report["grads"]);
            let estimates = report["estimate"].as_array().expect("estimates");
            let means: Vec<f64> = estimates.iter().map(|e| e.as_f64().expect("mean")).collect();
            Run {
                seconds: number("seconds") + number("warmup_seconds"),
                squares: means.iter().zip(variances).map(|(m, v)| v + m * m).collect(),
                means,
                bulk: number("min_bulk_ess"),
            }
        })
        .collect();
    let mut s = score(&runs, None, note);
    // The scatter of the means is not part of the posterior's variance.
    s.replicate = (0..QUERIES)
        .map(|q| variances[q] / (s.errors[q].powi(2) * runs.len() as f64))
        .fold(f64::INFINITY, f64::min);
    Some(s)
}
