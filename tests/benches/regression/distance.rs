//! How far the network of many short chains is from a run of a hundred times its gradients, and whether the
//! same gradients spent otherwise come closer.
//!
//!     cargo bench -p lcc-tests --bench regression -- distance [reference] [parts=10] [only=RECIPE ...] [SET ...]
//!
//! Split 0 of each set, single precision. What a run said at the test rows is kept in `target/tmp/distance`, so
//! that a long table may be made in pieces, by several processes: remove the folder after a change of the core.
//! `reference` runs only that; `only` keeps the recipes whose names so
//! begin; `parts` below 10 makes a reference of fewer chains, `parts=0` none and no
//! table.

use super::{base, cpu_seconds, numbers};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::{Bnn, BnnOptions, Status};
use lcc_core::posterior::Image;
use lcc_core::predict::Predictor;
use lcc_core::simd::Isa;
use lcc_tests::datasets::{Memory, Split, Table};
use std::fmt::Write;
use std::path::PathBuf;

const SEEDS: u64 = 4;
/// The reference: so many times the chains, each of so many trajectories, of 240 steps.
const PARTS: u32 = 10;
const LONG: [u32; 2] = [280, 67];
/// Draws that each chain of the reference keeps.
const KEPT: u32 = 12;
const SETS: [&str; 4] = ["nist_chwirut1", "yacht", "energy:500", "diabetes"];

/// What a run says at the test rows.
struct Said {
    chains: f64,
    dropped: f64,
    divergent: f64,
    gradients: f64,
    seconds: f64,
    /// Of training rows, as reported.
    luck: [f64; 2],
    rows: Vec<Row>,
}

/// The predictive law at one row: E y, E y^2, ln p(y) at the row's target, and the variance of the chains' means
/// over their number.
type Row = [f64; 4];

impl Said {
    fn text(&self) -> String {
        let head = [self.chains, self.dropped, self.divergent, self.gradients, self.seconds];
        let mut text = String::new();
        for line in [&head[..], &self.luck[..]].into_iter().chain(self.rows.iter().map(|r| &r[..]))
        {
            let words: Vec<String> = line.iter().map(f64::to_string).collect();
            writeln!(text, "{}", words.join(" ")).unwrap();
        }
        text
    }

    fn of(text: &str) -> Self {
        let mut lines =
            text.lines().map(|l| l.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<f64>>());
        let (head, luck) = (lines.next().unwrap(), lines.next().unwrap());
        Self {
            chains: head[0],
            dropped: head[1],
            divergent: head[2],
            gradients: head[3],
            seconds: head[4],
            luck: [luck[0], luck[1]],
            rows: lines.map(|l| l.try_into().unwrap()).collect(),
        }
    }

    /// The law of several runs together, by their chains.
    fn mean<'a>(runs: impl IntoIterator<Item = &'a Self>) -> Vec<Row> {
        let runs: Vec<&Self> = runs.into_iter().collect();
        let all: f64 = runs.iter().map(|r| r.chains).sum();
        let over =
            |f: &dyn Fn(&Self) -> f64| runs.iter().map(|r| r.chains / all * f(r)).sum::<f64>();
        (0..runs[0].rows.len())
            .map(|i| {
                let density = over(&|r| r.rows[i][2].exp()).ln();
                let luck = over(&|r| r.chains / all * r.rows[i][3]);
                [over(&|r| r.rows[i][0]), over(&|r| r.rows[i][1]), density, luck]
            })
            .collect()
    }
}

fn sd(row: &Row) -> f64 {
    (row[1] - row[0] * row[0]).sqrt()
}

fn run(options: &BnnOptions<f32>, split: &Split) -> Said {
    let d = split.inputs;
    let (x, y) = (numbers::<f32>(&split.train_x), numbers::<f32>(&split.train_y));
    let data = Dataset::new(Inputs::row_major(&x, y.len(), d).unwrap(), &y).unwrap();
    let mut memory = Memory::new(Bnn::size(options, y.len(), d).unwrap());
    let start = cpu_seconds();
    let mut fit = Bnn::init(memory.bytes(), options, Isa::detect(), &data).unwrap();
    while fit.step(&data, u64::MAX).unwrap() != Status::Done {}
    let seconds = cpu_seconds() - start;
    let mut scratch = vec![0.0; 2 * fit.traced_predictions()];
    let luck = fit.luck(&mut scratch);
    let dropped = fit.chains_dropped();
    let chains = fit.chains() - dropped;
    let mut model = vec![0; fit.model_size().unwrap()];
    let length = fit.write_model(&mut model).unwrap();

    let image = Image::open(&model[..length]).unwrap();
    let mut buffer = vec![0.0; Predictor::<f32>::buffer_len(&image)];
    let predictor = Predictor::new(Isa::detect(), image, &mut buffer).unwrap();
    let mut scratch = vec![0.0; predictor.rows_scratch()];
    let test = numbers::<f32>(&split.test_x);
    let inputs = Inputs::row_major(&test, split.test_y.len(), d).unwrap();
    let mut rows = Vec::new();
    predictor
        .for_each_row(&inputs, &mut scratch, |i, law| {
            let (mean, sd) = (law.mean() as f64, law.sd() as f64);
            let own = law.locations().chunks(options.keep as usize);
            let away =
                own.map(|m| m.iter().map(|x| *x as f64).sum::<f64>() / m.len() as f64 - mean);
            let spread: f64 = away.map(|x| x * x).sum();
            let luck = spread / (chains as f64 - 1.0) / chains as f64;
            let density = law.log_density(split.test_y[i] as f32) as f64;
            rows.push([mean, sd * sd + mean * mean, density, luck]);
        })
        .unwrap();
    Said {
        chains: chains as f64,
        dropped: dropped as f64,
        divergent: fit.divergences() as f64,
        gradients: fit.gradients() as f64,
        seconds,
        luck: [luck.rms as f64, luck.median as f64],
        rows,
    }
}

/// A run, made now or before.
fn said(set: &str, name: &str, seed: u64, options: &BnnOptions<f32>, split: &Split) -> Said {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("distance");
    std::fs::create_dir_all(&folder).unwrap();
    let file = format!("{set}-{name}-{seed}").replace([' ', ':', '/'], "_");
    let path = folder.join(file);
    if let Ok(text) = std::fs::read_to_string(&path) {
        return Said::of(&text);
    }
    let made = run(&BnnOptions { seed, ..*options }, split);
    std::fs::write(&path, made.text()).unwrap();
    made
}

/// Parts of the reference: other chains of one run.
fn reference(set: &str, split: &Split, parts: u32) -> Vec<Said> {
    let chains = BnnOptions::<f32>::default().chains_for(split.train_y.len(), split.inputs);
    (0..parts)
        .map(|part| {
            let options = BnnOptions {
                chains,
                first_chain: part * chains,
                warmup: LONG[0],
                draws: LONG[1],
                leapfrogs: 240,
                keep: KEPT,
                ..BnnOptions::default()
            };
            // Of a seed that no other run has.
            said(set, &format!("reference part {part}"), 1000, &options, split)
        })
        .collect()
}

/// Gradients of a chain.
fn length(o: &BnnOptions<f32>) -> u64 {
    o.start_steps as u64 + (o.warmup + o.draws) as u64 * (o.leapfrogs as u64 + 1)
}

/// What options spend the same gradients on, each in as many runs as there are seeds, of that share of the chains.
fn recipes(chains: u32) -> Vec<(&'static str, BnnOptions<f32>)> {
    let o = BnnOptions::<f32> { chains, ..BnnOptions::default() };
    let mut list = vec![
        ("the default so", o),
        ("20 + 3, twice the chains", BnnOptions { warmup: 20, draws: 3, ..o }),
        ("86 + 13, half the chains", BnnOptions { warmup: 86, draws: 13, ..o }),
        ("180 + 27, a quarter", BnnOptions { warmup: 180, draws: 27, ..o }),
        ("30 leapfrogs, 80 + 12", BnnOptions { leapfrogs: 30, warmup: 80, draws: 12, ..o }),
        ("120 leapfrogs, 20 + 3", BnnOptions { leapfrogs: 120, warmup: 20, draws: 3, ..o }),
        ("120, 40 + 6, half the chains", BnnOptions { leapfrogs: 120, ..o }),
        ("no Adam", BnnOptions { start_steps: 0, ..o }),
        ("3000 steps of Adam", BnnOptions { start_steps: 3000, ..o }),
        ("acceptance .95", BnnOptions { target_accept: 0.95, ..o }),
        ("acceptance .6", BnnOptions { target_accept: 0.6, ..o }),
        ("31 + 15", BnnOptions { warmup: 31, draws: 15, ..o }),
        ("43 + 3", BnnOptions { warmup: 43, draws: 3, ..o }),
        ("no jitter", BnnOptions { jitter: 0.0, ..o }),
        ("jitter .6", BnnOptions { jitter: 0.6, ..o }),
        ("keep 6", BnnOptions { keep: 6, ..o }),
    ];
    let work = length(&o) as f64 * chains as f64 / SEEDS as f64;
    for (_, other) in &mut list {
        // In blocks of eight: what runs in a block's empty lanes is not counted.
        other.chains = (work / length(other) as f64 / 8.0).round() as u32 * 8;
    }
    list
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    let middle = x.len() / 2;
    if x.len() % 2 == 1 { x[middle] } else { (x[middle - 1] + x[middle]) / 2.0 }
}

/// The rms and the median over rows of |mean - reference| / sd of the reference.
fn distance(rows: &[Row], reference: &[Row]) -> [f64; 2] {
    let away: Vec<f64> =
        rows.iter().zip(reference).map(|(a, b)| (a[0] - b[0]).abs() / sd(b)).collect();
    [(away.iter().map(|x| x * x).sum::<f64>() / away.len() as f64).sqrt(), median(away)]
}

fn score(rows: &[Row]) -> f64 {
    rows.iter().map(|r| r[2]).sum::<f64>() / rows.len() as f64
}

fn rmse(rows: &[Row], y: &[f64]) -> f64 {
    (rows.iter().zip(y).map(|(r, y)| (r[0] - y).powi(2)).sum::<f64>() / y.len() as f64).sqrt()
}

/// The rms over rows of the sd between seeds of the mean, over the predictive sd.
fn luck(runs: &[Said]) -> f64 {
    let count = runs.len() as f64;
    let (mut between, mut within) = (0.0, 0.0);
    for i in 0..runs[0].rows.len() {
        let mean = runs.iter().map(|r| r.rows[i][0]).sum::<f64>() / count;
        between += runs.iter().map(|r| (r.rows[i][0] - mean).powi(2)).sum::<f64>() / (count - 1.0);
        within += runs.iter().map(|r| sd(&r.rows[i]).powi(2)).sum::<f64>() / count;
    }
    (between / within).sqrt()
}

/// The same as the chains of one run tell it: of test rows.
fn told(runs: &[Said]) -> f64 {
    let rows = || runs.iter().flat_map(|r| &r.rows);
    (rows().map(|r| r[3]).sum::<f64>() / rows().map(|r| sd(r).powi(2)).sum::<f64>()).sqrt()
}

/// One line: of runs that are each whole, means over them; of parts of one run, that run.
fn line(name: &str, runs: &[Said], whole: bool, reference: &[Row], y: &[f64]) {
    let count = runs.len() as f64;
    let all = Said::mean(runs);
    let laws: Vec<&[Row]> =
        if whole { runs.iter().map(|r| &r.rows[..]).collect() } else { vec![&all] };
    let mean = |f: &dyn Fn(&[Row]) -> f64| {
        laws.iter().map(|rows| f(rows)).sum::<f64>() / laws.len() as f64
    };
    let sum = |f: fn(&Said) -> f64| runs.iter().map(f).sum::<f64>();
    let share = if whole { 1.0 } else { count.sqrt() };
    let wide = laws.iter().flat_map(|rows| rows.iter().zip(reference));
    println!(
        "| {name} | {:.0} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.4} | {:.3} | {:.0} | {:.0} |",
        (sum(|r| r.chains) + sum(|r| r.dropped)) / if whole { count } else { 1.0 },
        mean(&|rows| distance(rows, reference)[0].powi(2)).sqrt(),
        mean(&|rows| distance(rows, reference)[1]),
        luck(runs) / share,
        told(runs) / share,
        sum(|r| r.luck[0]) / count / share,
        median(wide.map(|(a, b)| sd(a) / sd(b)).collect()),
        mean(&|rows| rmse(rows, y)),
        mean(&|rows| score(rows)),
        sum(|r| r.dropped),
        sum(|r| r.divergent),
    );
}

fn table(set: &str, only: &[&str], parts: u32) {
    let (name, small) = base(set);
    let split = Table::read(name).split(0, small);
    let (n, d) = (split.train_y.len(), split.inputs);
    let default = BnnOptions::<f32>::default();
    let chains = default.chains_for(n, d);
    let wanted = |name: &str| only.is_empty() || only.iter().any(|o| name.starts_with(o));
    let fits = |name: &str, options: &BnnOptions<f32>| -> Vec<Said> {
        (1..=SEEDS).map(|seed| said(set, name, seed, options, &split)).collect()
    };
    let own = wanted("default").then(|| fits("default", &default));
    let others: Vec<_> = recipes(chains)
        .into_iter()
        .filter(|(name, _)| wanted(name))
        .map(|(name, options)| (name, fits(name, &options)))
        .collect();
    if parts < 2 {
        return;
    }
    let parts = reference(set, &split, parts);
    let whole = Said::mean(&parts);
    // Of the mean of two, half of what they differ by.
    let half = |k: usize| Said::mean(parts.iter().skip(k).step_by(2));
    let halves = distance(&half(0), &half(1)).map(|x| x / 2.0);
    let sum = |f: fn(&Said) -> f64| parts.iter().map(f).sum::<f64>();
    let work = length(&default) as f64 * chains as f64;
    println!(
        "\n## {set}\n\n{n} rows, {d} inputs, {} test rows. Reference: {:.0} chains ({:.0} dropped, {:.0} \
         divergent draws), {:.0} times the gradients; its own error {:.3} rms, {:.3} median; RMSE {:.4}, \
         log score {:.3}.\n",
        whole.len(),
        sum(|r| r.chains) + sum(|r| r.dropped),
        sum(|r| r.dropped),
        sum(|r| r.divergent),
        sum(|r| r.gradients) / work,
        halves[0],
        halves[1],
        rmse(&whole, &split.test_y),
        score(&whole)
    );
    println!(
        "| recipe | chains | distance rms | median | luck | told, test | told, train | sd ratio | RMSE | log score | \
         dropped | divergent |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    if let Some(own) = own {
        line("default", &own, true, &whole, &split.test_y);
        line("four of them", &own, false, &whole, &split.test_y);
    }
    for (name, runs) in &others {
        line(name, runs, false, &whole, &split.test_y);
    }
}

pub(super) fn tables(arguments: &[String]) {
    let words = arguments.iter().map(String::as_str).filter(|a| *a != "distance");
    let (named, mut sets): (Vec<&str>, Vec<&str>) =
        words.filter(|a| *a != "reference").partition(|a| a.contains('='));
    if sets.is_empty() {
        sets = SETS.to_vec();
    }
    let parts = named.iter().find_map(|a| a.strip_prefix("parts="));
    let parts = parts.map_or(PARTS, |x| x.parse().expect("a number of parts"));
    let only: Vec<&str> = named.iter().filter_map(|a| a.strip_prefix("only=")).collect();
    for set in sets {
        if arguments.iter().any(|a| a == "reference") {
            let (name, small) = base(set);
            let split = Table::read(name).split(0, small);
            reference(set, &split, parts);
        } else {
            table(set, &only, parts);
        }
    }
}
