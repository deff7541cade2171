//! Whether chains that see part of the rows pay.
//!
//! `cargo bench -p lcc-tests --bench subsampling -- [--rows 10000,100000,1000000] [--out FILE]` writes `subsampling.md` into
//! tests/results. First the biases of a case whose laws are known; then, of linear models of many rows, what an effective draw
//! costs by chains of all rows and of part of them, at the same temperature.

mod cases;

use cases::{Case, INPUTS};
use cpu_time::ThreadTime;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::Output;
use lcc_core::simd::{Isa, usual_lanes};
use lcc_tests::numeric::mean_and_variance;
use lcc_tests::posteriors::Aligned;
use lcc_tests::subsampled::{Mean, SD, batched_ratio, chain_means, penalised_ratio};
use lcc_tests::tools::root;
use std::fmt::Write as _;

/// Chains of a measurement: as many replicates.
const CHAINS: u32 = 16;

/// A way of sampling, with how often it goes over rows.
struct Way {
    name: &'static str,
    options: BnnOptions<f64>,
    /// Rows of one chain: before its draws, and of each draw.
    rows: [f64; 2],
}

/// `effort`: draws of chains of all rows, fewer where there are more.
fn ways(case: &Case, effort: u32) -> Vec<Way> {
    let n = case.n as f64;
    let of = |method| BnnOptions {
        chains: CHAINS,
        full: true.into(),
        batch: 256,
        start_steps: 300,
        ..case.options(method)
    };
    let start = 300.0 * 256.0;
    let kept = |draws: u32, options| BnnOptions { draws, keep: draws, ..options };
    let hmc = BnnOptions {
        lanes: usual_lanes(),
        leapfrogs: 4,
        warmup: 40,
        first_step: 0.5,
        target_accept: 0.8,
        ..of(BnnMethod::Hmc)
    };
    let walk = BnnOptions { leapfrogs: 8, warmup: 40, ..of(BnnMethod::Tempered) };
    let penalty = |batch: u32, minibatches: u32, step: f64, leapfrogs: u32| BnnOptions {
        batch,
        minibatches,
        step,
        leapfrogs,
        warmup: 40,
        ..of(BnnMethod::Penalty)
    };
    // chi^2 is n^2 |step|^2 / (b M) or so: a step at which it stays below 1 is short.
    let noise = if case.output == Output::Gaussian { 1.0 } else { 0.1 };
    let step = 0.7 * (1024.0_f64 * 8.0).sqrt() / (noise * n) / (INPUTS as f64).sqrt();
    let controlled = |minibatches| BnnOptions {
        penalty: Penalty::Controlled.into(),
        ..penalty(32, minibatches, 0.0, 1)
    };
    let mut out = vec![Way {
        name: "HMC",
        options: kept(effort, hmc),
        rows: [start + 40.0 * 7.0 * n, 6.0 * n],
    }];
    // What does not pay at few rows is not waited for at many.
    if case.n <= 10_000 {
        out.push(Way {
            name: "random walk",
            options: kept(effort, walk),
            rows: [start + 40.0 * 9.0 * n, 10.0 * n],
        });
    }
    if case.n <= 100_000 {
        out.push(Way {
            name: "penalty, 8 x 1024",
            options: kept(effort, penalty(1024, 8, step, 16)),
            rows: [start + 40.0 * 16.0 * 16384.0, 16.0 * 16384.0 + 2.0 * n],
        });
    }
    for minibatches in [2, 8] {
        let rows = f64::from(32 * minibatches);
        out.push(Way {
            name: if minibatches == 2 { "controlled, 2 x 32" } else { "controlled, 8 x 32" },
            options: kept(2000, controlled(minibatches)),
            // Values at both ends, gradient and curvature at the centre; a record takes one minibatch twice.
            rows: [start + 18.0 * n + 40.0 * 5.0 * rows, 5.0 * rows + 64.0],
        });
    }
    out
}

/// What was seen of one way.
struct Seen {
    /// Root mean squares over the coordinates: of errors of means in sds, of errors of sds as a share of them.
    errors: [f64; 2],
    /// Of one chain, the least over the coordinates.
    effective: f64,
    seconds: f64,
    acceptance: f64,
    variance: f64,
}

fn see(case: &Case, way: &Way) -> Seen {
    let (data, o) = (case.data(), &way.options);
    let mut memory = Aligned::new(Bnn::size(o, case.n, INPUTS).unwrap());
    let clock = ThreadTime::now();
    let mut fit = Bnn::init(memory.bytes(), o, Isa::detect(), &data).unwrap();
    while fit.step(&data, u64::MAX).unwrap() == Status::Running {}
    let seconds = clock.elapsed().as_secs_f64();
    let (p, chains, kept) = (INPUTS + 1, fit.chains(), fit.kept());
    let mut seen = Seen {
        errors: [0.0; 2],
        effective: f64::INFINITY,
        seconds,
        acceptance: (0..chains).map(|c| fit.acceptance(c)).sum::<f64>() / chains as f64,
        variance: fit.changes(0).map_or(f64::NAN, |c| c.variance),
    };
    for j in 0..p {
        let of = |c: usize| -> [f64; 2] {
            let z =
                (0..kept).map(|k| (fit.kept_draw(c, k).unwrap()[j] - case.mean[j]) / case.sd[j]);
            let (a, b) = z.fold((0.0, 0.0), |(a, b), z| (a + z, b + z * z));
            [a / kept as f64, b / kept as f64]
        };
        let all: Vec<[f64; 2]> = (0..chains).map(of).collect();
        let means: Vec<f64> = all.iter().map(|[m, _]| *m).collect();
        let (mean, variance) = mean_and_variance(&means);
        let square = all.iter().map(|[_, s]| s).sum::<f64>() / chains as f64;
        let sd = (square - mean * mean).sqrt();
        seen.errors[0] += mean * mean / p as f64;
        seen.errors[1] += (sd - 1.0) * (sd - 1.0) / p as f64;
        // About the exact mean: chains that have not moved count for none.
        let about = variance * (1.0 - 1.0 / chains as f64) + mean * mean;
        seen.effective = seen.effective.min(1.0 / about);
    }
    seen.errors = seen.errors.map(f64::sqrt);
    seen
}

/// Sds of the case of known laws, by exact transitions and by chains.
fn biases(out: &mut String) {
    let case = Mean::of_quantiles();
    let lambda = 1.0 / (SD * SD) + lcc_tests::subsampled::BATCH as f64;
    let centre = case.y.iter().sum::<f64>() / 4.0 / lambda;
    let mut line = |name: &str, options: BnnOptions<f64>, exact: f64| {
        let options = BnnOptions { chains: 200, warmup: 40, ..options };
        let moments = |w: &[f64]| vec![(w[0] - centre) * (w[0] - centre) * lambda];
        let means = chain_means(&options, &case.data(), moments);
        let list: Vec<f64> = means.iter().map(|m| m[0]).collect();
        let (mean, error) = lcc_tests::numeric::mean_and_error(&list);
        let (sd, error) = (mean.sqrt(), 0.5 * error / mean.sqrt());
        let away = (sd - exact.sqrt()) / error;
        writeln!(out, "| {name} | {:.3} | {sd:.3} ± {error:.3} | {away:.1} |", exact.sqrt())
            .unwrap();
    };
    line("tempered, all rows", Mean::options(BnnMethod::Tempered), 1.0);
    for minibatches in [1, 4, 16] {
        let options = BnnOptions { minibatches, ..Mean::options(BnnMethod::Batched) };
        line(&format!("batched, M = {minibatches}"), options, batched_ratio(minibatches));
    }
    for (minibatches, rule) in
        [(4, Penalty::Estimated), (16, Penalty::Estimated), (4, Penalty::Series)]
    {
        let penalty = rule.into();
        let options = BnnOptions { minibatches, penalty, ..Mean::options(BnnMethod::Penalty) };
        let exact = penalised_ratio(rule, minibatches);
        let name = format!("{rule:?}").to_lowercase();
        line(&format!("penalty, {name}, M = {minibatches}"), options, exact);
    }
    let options = BnnOptions {
        penalty: Penalty::Controlled.into(),
        minibatches: 4,
        step: 0.0,
        ..Mean::options(BnnMethod::Penalty)
    };
    line("penalty, controlled, M = 4", options, 1.0);
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|k| args.get(k + 1));
    let rows = value("--rows").map_or("10000,100000,1000000", String::as_str);
    let to = root().join("tests/results/subsampling.md");
    let to = value("--out").map_or(to, std::path::PathBuf::from);
    let (mut first, mut second) = (String::new(), String::new());
    biases(&mut first);
    eprint!("{first}");
    for n in rows.split(',').map(|n| n.parse::<usize>().expect("rows")) {
        let effort = (20_000_000 / n as u32).clamp(20, 400);
        for (name, output) in [("numbers", Output::Gaussian), ("rare classes", Output::Bernoulli)] {
            let case = Case::new(name, output, n);
            let rms = |f: &dyn Fn(usize) -> f64| {
                ((0..=INPUTS).map(|j| f(j).powi(2)).sum::<f64>() / (INPUTS as f64 + 1.0)).sqrt()
            };
            let mean = rms(&|j| (case.laplace[0][j] - case.mean[j]) / case.sd[j]);
            let sd = rms(&|j| case.laplace[1][j] / case.sd[j] - 1.0);
            writeln!(
                second,
                "| {} | {n} | none: the Gaussian at the mode | {mean:.3} | {sd:.3} | | | | | | | |",
                case.name
            )
            .unwrap();
            for way in ways(&case, effort) {
                let seen = see(&case, &way);
                let [start, each] = way.rows;
                let draws = f64::from(way.options.draws);
                let chains = f64::from(CHAINS);
                let line = format!(
                    "| {} | {n} | {} | {:.3} | {:.3} | {:.2} | {} | {start:.1e} | {:.1e} | {:.0} | {:.1} | {:.3} |",
                    case.name,
                    way.name,
                    seen.errors[0],
                    seen.errors[1],
                    seen.acceptance,
                    if seen.variance.is_nan() {
                        String::new()
                    } else {
                        format!("{:.4}", seen.variance)
                    },
                    each * draws / seen.effective,
                    chains * seen.effective,
                    seen.seconds,
                    1e3 * seen.seconds / (chains * seen.effective),
                );
                eprintln!("{line} reference {:.4}", case.error);
                writeln!(second, "{line}").unwrap();
            }
        }
    }
    let head = include_str!("head.md");
    let text = head.replace("BIASES\n", &first).replace("PRICES\n", &second);
    std::fs::write(&to, text).expect("the page");
    eprintln!("wrote {}", to.display());
}
