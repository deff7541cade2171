//! The regressor over the shared data sets and their splits, beside the best rival.
//!
//!     cargo bench -p lcc-tests --bench regression -- [f32|f64] [NAME=VALUE ...] [SET ...]
//!
//! NAME: neurons chains lanes warmup draws keep seed starts steps leapfrogs early updates largest
//! first accept jitter gaussian diagonal drop splits. `greedy` in front of them: batch and prequential Greedy
//! Bayes instead of the network, their options being levels particles outer alpha beta scale splits (any of
//! the first six: prequential alone). `distance` in front: see `distance.rs`. SET: a data set, or `SET:500` for its 500-row training subset.

mod distance;
mod greedy;

use lcc_core::data::{Dataset, Inputs};
use lcc_core::diagnostics;
use lcc_core::estimator::{
    Compiled, MassKind, NetworkOptions, NetworkRegressor, Status, greedy_bayes, prequential,
};
use lcc_core::posterior::Image;
use lcc_core::predict::{self, Evaluation, Predictor};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_tests::datasets::{Memory, Split, Table};

/// RMSE and mean log density of the best of GP, MLP ensemble, random forest and NUTS.
const RIVALS: [(&str, f64, f64); 10] = [
    ("yacht", 0.357, -0.56),
    ("diabetes", 50.3, -5.36),
    ("nist_chwirut1", 3.21, -2.59),
    ("gas_turbine_nox", 4.80, -2.94),
    ("energy:500", 0.476, -0.68),
    ("concrete:500", 5.46, -3.10),
    ("airfoil:500", 2.40, -2.17),
    ("energy", 0.476, -0.68),
    ("concrete", 4.49, -2.93),
    ("airfoil", 1.65, -1.92),
];

struct Result {
    rmse: f64,
    log_density: f64,
    coverage: f64,
    width: f64,
    seconds: f64,
    acceptance: f64,
    divergences: usize,
    dropped: usize,
    rhat: f64,
    /// The longest run of draws with acceptance probability below .05.
    stuck: usize,
    /// The mean autocorrelation at lag 10 of a chain's predictions.
    lag: f64,
}

/// Of the probabilities below .05.
fn longest_run(x: impl Iterator<Item = f64>) -> usize {
    let (mut run, mut longest) = (0, 0);
    for p in x {
        run = if p < 0.05 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn autocorrelation(x: &[f64], lag: usize) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
    let pairs = x.iter().zip(&x[lag.min(x.len())..]);
    let product: f64 = pairs.map(|(a, b)| (a - mean) * (b - mean)).sum();
    product / variance.max(f64::MIN_POSITIVE) / x.len().saturating_sub(lag).max(1) as f64
}

/// Seconds of one core that this process has used, from the kernel's account (in hundredths).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("needs Linux");
    let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 1..].split_whitespace().collect();
    let ticks = |k: usize| fields[k].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}

fn numbers<T: Real>(v: &[f64]) -> Vec<T> {
    v.iter().map(|x| T::lit(*x)).collect()
}

/// How a model fares at the test rows.
fn scores<T: predict::Compiled>(model: &[u8], split: &Split) -> Evaluation<T> {
    let image = Image::open(model).unwrap();
    let mut buffer = vec![T::ZERO; Predictor::<T>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![T::ZERO; predictor.rows_scratch()];
    let (x, y) = (numbers(&split.test_x), numbers(&split.test_y));
    let test = Dataset::new(Inputs::row_major(&x, y.len(), split.inputs).unwrap(), &y).unwrap();
    predictor.evaluate(&test, T::lit(0.9), false, &mut scratch).unwrap()
}

fn fit<T: Compiled + predict::Compiled>(options: &NetworkOptions<T>, split: &Split) -> Result {
    let d = split.inputs;
    let (x, y) = (numbers::<T>(&split.train_x), numbers::<T>(&split.train_y));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
    let size = NetworkRegressor::size(options, y.len(), d).unwrap();
    let mut memory = Memory::new(size);
    let start = cpu_seconds();
    let mut regressor =
        NetworkRegressor::init(memory.bytes(), options, Isa::detect(), &data).unwrap();
    while regressor.step(&data, u64::MAX).unwrap() != Status::Done {}
    let seconds = cpu_seconds() - start;

    if std::env::var_os("CHAINS").is_some() {
        for c in 0..options.chains as usize {
            println!(
                "chain {c}: accept {:.3} divergent {} log likelihood {:.3} dropped {}",
                regressor.acceptance(c).to_f64(),
                regressor.divergences(c),
                regressor.mean_log_likelihood(c).to_f64(),
                regressor.dropped(c)
            );
        }
    }
    let mut model = vec![0; regressor.model_size().unwrap()];
    let length = regressor.write_model(&mut model).unwrap();
    let scores = scores::<T>(&model[..length], split);

    let chains = options.chains as usize;
    let mut work = vec![T::ZERO; diagnostics::scratch_len(chains, options.draws as usize).unwrap()];
    let accept = regressor.acceptance_trace().unwrap();
    let count = accept.draws();
    let probabilities = |c: usize| (0..count).map(move |t| accept.at(c, t).to_f64());
    let stuck = (0..chains).map(|c| longest_run(probabilities(c))).max().unwrap_or(0);
    let (mut rhat, mut lag) = (0.0_f64, 0.0);
    for k in 0..regressor.traced_predictions() {
        let draws = regressor.prediction_trace(k).unwrap();
        if let Ok(r) = diagnostics::rhat(&draws, &mut work) {
            rhat = rhat.max(r.to_f64());
        }
        for c in 0..chains {
            let f: Vec<f64> = (0..count).map(|t| draws.at(c, t).to_f64()).collect();
            let share = (chains * regressor.traced_predictions()) as f64;
            lag += autocorrelation(&f, 10) / share;
        }
    }
    Result {
        rmse: scores.rmse.to_f64(),
        log_density: scores.log_likelihood.to_f64(),
        coverage: scores.coverage.to_f64(),
        width: scores.width.to_f64(),
        seconds,
        acceptance: (0..chains).map(|c| regressor.acceptance(c).to_f64()).sum::<f64>()
            / chains as f64,
        divergences: (0..chains).map(|c| regressor.divergences(c)).sum(),
        dropped: (0..chains).filter(|c| regressor.dropped(*c)).count(),
        rhat,
        stuck,
        lag,
    }
}

fn run<T: Compiled + predict::Compiled>(arguments: &[String]) {
    let mut options = NetworkOptions::<T>::default();
    let mut splits = 5;
    let mut sets = Vec::new();
    for a in arguments {
        let Some((name, value)) = a.split_once('=') else {
            if a != "f32" && a != "f64" {
                sets.push(a.as_str());
            }
            continue;
        };
        let x: f64 = value.parse().unwrap_or_else(|e| panic!("{a}: {e}"));
        let k = x as u32;
        match name {
            "neurons" => options.neurons = k,
            "chains" => options.chains = k,
            "lanes" => options.lanes = k,
            "warmup" => options.warmup = k,
            "draws" => options.draws = k,
            "keep" => options.keep = k,
            "seed" => options.seed = k as u64,
            "starts" => options.starts = k,
            "steps" => options.start_steps = k,
            "leapfrogs" => options.leapfrogs = k,
            "early" => options.early_leapfrogs = k,
            "updates" => options.mass_updates = k,
            "largest" => options.largest_step = T::lit(x),
            "first" => options.first_step = T::lit(x),
            "accept" => options.target_accept = T::lit(x),
            "gaussian" => options.gaussian = (k != 0).into(),
            "drop" => options.drop = (k != 0).into(),
            "jitter" => options.jitter = T::lit(x),
            "diagonal" if k != 0 => options.mass = MassKind::Diagonal.into(),
            "splits" => splits = k as usize,
            _ => panic!("unknown option {name}"),
        }
    }
    if sets.is_empty() {
        sets = RIVALS.iter().take(7).map(|r| r.0).collect();
    }
    println!(
        "{:<17} {:>8} {:>8} {:>6} {:>8} {:>7} {:>7} {:>6} {:>4} {:>5} {:>5} {:>6}   rival",
        "set",
        "RMSE",
        "LL",
        "cover",
        "width",
        "seconds",
        "accept",
        "div",
        "drop",
        "rhat",
        "stuck",
        "lag 10"
    );
    for set in sets {
        let (name, small) = base(set);
        let table = Table::read(name);
        let results: Vec<Result> =
            (0..splits).map(|k| fit(&options, &table.split(k, small))).collect();
        let mean =
            |f: fn(&Result) -> f64| results.iter().map(f).sum::<f64>() / results.len() as f64;
        print!(
            "{set:<17} {:8.3} {:8.3} {:6.3} {:8.3} {:7.2} {:7.3} {:6} {:4} {:5.2} {:5} {:6.2}",
            mean(|r| r.rmse),
            mean(|r| r.log_density),
            mean(|r| r.coverage),
            mean(|r| r.width),
            mean(|r| r.seconds),
            mean(|r| r.acceptance),
            results.iter().map(|r| r.divergences).sum::<usize>(),
            results.iter().map(|r| r.dropped).sum::<usize>(),
            results.iter().map(|r| r.rhat).fold(0.0, f64::max),
            results.iter().map(|r| r.stuck).max().unwrap_or(0),
            mean(|r| r.lag),
        );
        match RIVALS.iter().find(|r| r.0 == set) {
            Some((_, rmse, ll)) => println!("   {rmse} / {ll}"),
            None => println!(),
        }
    }
}

/// The set without its suffix, and whether it has one.
fn base(set: &str) -> (&str, bool) {
    match set.strip_suffix(":500") {
        Some(name) => (name, true),
        None => (set, false),
    }
}

fn run_greedy<T: greedy_bayes::Compiled + prequential::Compiled>(arguments: &[String]) {
    let mut values = Vec::new();
    let mut sets = Vec::new();
    for a in arguments {
        match a.split_once('=') {
            Some((name, value)) => values.push((name.to_string(), value.parse().expect("number"))),
            None if !["f32", "f64", "greedy"].contains(&a.as_str()) => sets.push(a.as_str()),
            None => {}
        }
    }
    if sets.is_empty() {
        sets = RIVALS.iter().take(7).map(|r| r.0).collect();
    }
    let splits = values.iter().find(|v| v.0 == "splits").map_or(5, |v| v.1 as usize);
    println!(
        "| set | batch RMSE | LL | cover | seconds | prequential RMSE | LL | cover | seconds | \
         ahead RMSE | LL |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for set in sets {
        let (name, small) = base(set);
        greedy::line::<T>(set, &Table::read(name), splits, small, &values);
    }
}

fn main() {
    // Cargo adds a flag of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let double = arguments.iter().any(|a| a == "f64");
    if arguments.iter().any(|a| a == "distance") {
        distance::tables(&arguments);
    } else if arguments.iter().any(|a| a == "greedy") {
        if double { run_greedy::<f64>(&arguments) } else { run_greedy::<f32>(&arguments) }
    } else if double {
        run::<f64>(&arguments)
    } else {
        run::<f32>(&arguments)
    }
}
