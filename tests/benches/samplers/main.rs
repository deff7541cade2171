//! Effective draws per second of every sampler, and of nuts-rs, on the target posteriors.
//!
//! `cargo bench -p lcc-tests --bench samplers -- [--targets G1;G3] [--only NAME;...] [--runs 40]
//! [--modes] [--rival PROGRAM] [--out FILE]`; PROGRAM is `nuts_rs_bench`, built from the rivals' folder with
//! `-C target-cpu=native`. Without it the rival is left out, and the output says so. With `--peers DIR
//! --python PYTHON`, DIR the rivals' folder, NumPyro and Stan run too where that Python has them; the time
//! in which they compile is left out, their variances are taken from the first contestant.
//!
//! Everything that a user waits for is timed, warm-up and pilots included, in CPU seconds of this
//! thread (of the rival's process: its own report of warm-up and sampling). Of each of `runs`
//! independent runs (other seeds) the means of the 20 functionals are kept. Replicate-based effective
//! draws of a run: posterior variance over the variance of these means, the least over the functionals.
//! Bulk effective draws (rank-normalised, as ArviZ's) are of the chains of one run, of one chain of each
//! antithetic pair. The largest |z| compares the grand means with those of the reference run.

mod rivals;

use cpu_time::ThreadTime;
use lcc_core::auto::{Auto, AutoOptions};
use lcc_core::coupling::Sides;
use lcc_core::diagnostics::{Draws, ess_bulk};
use lcc_core::problem::Problem;
use lcc_core::sampler::{Method, Progress, Reference, Sampler, SamplerOptions};
use lcc_core::simd::Isa;
use lcc_core::smc::{Column, Smc, SmcOptions};
use lcc_tests::posteriors::{Aligned, Case, Model, Numbers};
use lcc_tests::targets::{NAMES, QUERIES, target};
use rivals::{peer, rival};
use std::fmt::Write as _;
use std::path::Path;

/// The draws of one run: w of draw t of chain c.
struct Sample {
    seconds: f64,
    chains: usize,
    /// Whether chains 2 k and 2 k + 1 are a pair.
    pairs: bool,
    /// Chain by chain, draw by draw, coordinate by coordinate.
    draws: Vec<f64>,
    note: String,
}

/// What is kept of one run.
struct Run {
    seconds: f64,
    means: Vec<f64>,
    squares: Vec<f64>,
    bulk: f64,
}

fn reduce(case: &Case, sample: &Sample) -> Run {
    let dim = case.d * case.neurons();
    let count = sample.draws.len() / dim;
    let mut values: Vec<_> = (0..QUERIES).map(|_| Vec::with_capacity(count)).collect();
    let mut out = Vec::new();
    for w in sample.draws.chunks_exact(dim) {
        case.functionals(w, &mut out);
        values.iter_mut().zip(&out).for_each(|(v, x)| v.push(*x));
    }
    let mean = |v: &[f64], f: fn(f64) -> f64| v.iter().map(|x| f(*x)).sum::<f64>() / count as f64;
    let bulk = |v: &Vec<f64>| {
        // Lags are looked at as long as chains disagree: not of long chains that never agree.
        if count / sample.chains > 10_000 {
            return f64::NAN;
        }
        let view = Draws::chain_major(v, sample.chains, count / sample.chains).expect("draws");
        let view = if sample.pairs { view.every(2).expect("chains") } else { view };
        let ess = ess_bulk(&view, &mut vec![0.0; view.scratch_len()]).expect("ess");
        if ess.is_nan() { count as f64 } else { ess }
    };
    Run {
        seconds: sample.seconds,
        means: values.iter().map(|v| mean(v, |x| x)).collect(),
        squares: values.iter().map(|v| mean(v, |x| x * x)).collect(),
        bulk: values.iter().map(bulk).fold(f64::INFINITY, f64::min),
    }
}

/// What all runs of a contestant say.
struct Score {
    seconds: f64,
    means: Vec<f64>,
    errors: Vec<f64>,
    variances: Vec<f64>,
    replicate: f64,
    bulk: f64,
    rms: f64,
    note: String,
}

fn score(runs: &[Run], truth: Option<&[f64]>, note: String) -> Score {
    let count = runs.len() as f64;
    let average = |f: &dyn Fn(&Run) -> f64| runs.iter().map(f).sum::<f64>() / count;
    let mut s = Score {
        seconds: average(&|r| r.seconds),
        means: Vec::new(),
        errors: Vec::new(),
        variances: Vec::new(),
        replicate: f64::INFINITY,
        bulk: average(&|r| r.bulk),
        rms: 0.0,
        note,
    };
    for q in 0..QUERIES {
        let mean = average(&|r| r.means[q]);
        let variance = average(&|r| r.squares[q]) - mean * mean;
        let scatter = average(&|r| (r.means[q] - mean).powi(2)) * count / (count - 1.0);
        // Against the exact mean, where there is one: bias counts.
        if let Some(truth) = truth {
            s.rms = s.rms.max(average(&|r| (r.means[q] - truth[q]).powi(2)).sqrt());
        }
        s.means.push(mean);
        s.errors.push((scatter / count).sqrt());
        s.variances.push(variance);
        s.replicate = s.replicate.min(variance / scatter);
    }
    s
}

/// A way of sampling.
#[derive(Clone, Copy)]
enum Way {
    Chains(Chains),
    Particles { count: u32, reference: Reference, steps: u32 },
    Auto,
}

#[derive(Clone, Copy)]
struct Chains {
    method: Method,
    inner: Method,
    reduced: bool,
    reference: Reference,
    pairs: bool,
    piloted: bool,
    steps: u32,
    draws: u32,
}

/// Pairs of chains from the prior, and about it.
fn chains(method: Method) -> Chains {
    Chains {
        method,
        inner: Method::SplitHmc,
        reduced: false,
        reference: Reference::Prior,
        pairs: true,
        piloted: false,
        steps: 4,
        draws: 1000,
    }
}

/// The same from a pilot, and about a fit to it.
fn fitted(method: Method, reference: Reference) -> Chains {
    Chains { reference, piloted: true, ..chains(method) }
}

const CHAINS: u32 = 8;

/// Warm-up of chains from a pilot, and of others.
const SHORT: u32 = 100;
const LONG: u32 = 500;

fn options(way: Chains, seed: u64) -> SamplerOptions<f64> {
    SamplerOptions {
        method: way.method.into(),
        inner_method: way.inner.into(),
        reduced: way.reduced.into(),
        reference: way.reference.into(),
        antithetic: way.pairs.into(),
        leapfrogs: way.steps,
        coupling: Sides::OneSided.into(),
        chains: CHAINS,
        warmup: if way.piloted { SHORT } else { LONG },
        draws: way.draws,
        stored: way.draws,
        seed,
        ..Default::default()
    }
}

fn pilot<R>(
    problem: &Problem<'_, f64>,
    options: SmcOptions<f64>,
    f: impl FnOnce(&Smc<'_, f64>) -> R,
) -> R {
    let mut memory = Aligned::new(Smc::size(&options, problem).expect("size"));
    let mut run = Smc::init(memory.bytes(), &options, Isa::detect(), problem).expect("init");
    assert_eq!(run.step(problem, u64::MAX), Ok(Progress::Done));
    f(&run)
}

/// Chain by chain, draw by draw, coordinate by coordinate.
fn of_chains(sampler: &Sampler<'_, f64>) -> Vec<f64> {
    let chains = sampler.options().chains as usize;
    let mut draws = Vec::new();
    for c in 0..chains {
        for row in sampler.record().chunks_exact(sampler.columns() * chains) {
            draws.extend((0..sampler.dim()).map(|j| row[j * chains + c]));
        }
    }
    draws
}

/// Particle by particle, coordinate by coordinate.
fn of_particles(smc: &Smc<'_, f64>) -> Vec<f64> {
    let column = |j| smc.column(Column::Weight(j)).expect("a column");
    let columns: Vec<&[f64]> = (0..smc.dim()).map(column).collect();
    let count = smc.options().particles as usize;
    (0..count).flat_map(|i| columns.iter().map(move |c| c[i])).collect()
}

fn sample(problem: &Problem<'_, f64>, way: Way, seed: u64) -> Sample {
    let start = ThreadTime::now();
    match way {
        Way::Chains(way) => {
            let options = options(way, seed);
            let mut memory = Vec::new();
            let isa = Isa::detect();
            let mut run = |cloud: Option<&Smc<'_, f64>>| {
                memory.push(Aligned::new(Sampler::size(&options, problem).expect("size")));
                let bytes = memory[0].bytes();
                let mut sampler = match cloud {
                    Some(smc) => {
                        let cloud = smc.cloud().expect("particles");
                        Sampler::init_from(bytes, &options, isa, problem, &cloud)
                    }
                    None => Sampler::init(bytes, &options, isa, problem),
                }
                .expect("init");
                assert_eq!(sampler.step(problem, u64::MAX), Ok(Progress::Done));
                let seconds = start.elapsed().as_secs_f64();
                let chains = CHAINS as usize;
                let draws = of_chains(&sampler);
                let accept = sampler.moments(0, lcc_core::sampler::Column::Acceptance);
                let note = format!("acceptance {:.2}", accept.expect("chain").mean);
                Sample { seconds, chains, pairs: way.pairs, draws, note }
            };
            if way.piloted {
                let options = SmcOptions { particles: 256, seed, ..Default::default() };
                pilot(problem, options, |smc| run(Some(smc)))
            } else {
                run(None)
            }
        }
        Way::Particles { count, reference, steps } => {
            let (particles, leapfrogs) = (count, steps);
            let options = SmcOptions {
                particles,
                reference: reference.into(),
                leapfrogs,
                seed,
                ..Default::default()
            };
            pilot(problem, options, |smc| {
                let seconds = start.elapsed().as_secs_f64();
                let stages = smc.position().stages;
                let accept = smc.stage(stages as usize - 1).expect("a stage").acceptance;
                let note = format!("{stages} stages, acceptance {accept:.2}");
                // Bulk ESS says nothing of particles.
                Sample { seconds, chains: 1, pairs: false, draws: of_particles(smc), note }
            })
        }
        Way::Auto => {
            let options = AutoOptions { seed, ..Default::default() };
            let mut memory = Aligned::new(Auto::<f64>::size(&options, problem).expect("size"));
            let isa = Isa::detect();
            let mut auto = Auto::init(memory.bytes(), &options, isa, problem).expect("init");
            assert_eq!(auto.step(problem, u64::MAX), Ok(Progress::Done));
            let seconds = start.elapsed().as_secs_f64();
            let note = auto.report().to_string();
            let chains = options.chains as usize;
            match auto.particles() {
                Some(smc) => {
                    Sample { seconds, chains: 1, pairs: false, draws: of_particles(&smc), note }
                }
                None => {
                    let draws = of_chains(&auto.chains().expect("chains"));
                    Sample { seconds, chains, pairs: true, draws, note }
                }
            }
        }
    }
}

fn ways() -> Vec<(&'static str, Way)> {
    use Method::*;
    let split = fitted(SplitHmc, Reference::Gaussian);
    let gibbs = chains(CoupledGibbs);
    let chains = [
        ("split-hmc, one by one", Chains { pairs: false, ..chains(SplitHmc) }),
        ("split-hmc", chains(SplitHmc)),
        ("split-hmc, pilot", Chains { piloted: true, ..chains(SplitHmc) }),
        ("split-hmc, fitted", split),
        ("split-hmc, fitted, 2 steps", Chains { steps: 2, ..split }),
        ("split-hmc, fitted, 1 step", Chains { steps: 1, ..split }),
        ("independence", chains(Independence)),
        ("independence, fitted", fitted(Independence, Reference::StudentT)),
        ("independence, mixture", fitted(Independence, Reference::Mixture)),
        ("hmc, fitted", fitted(Hmc, Reference::Gaussian)),
        ("mala, fitted", fitted(Mala, Reference::Gaussian)),
        ("random-walk, fitted", fitted(RandomWalk, Reference::Gaussian)),
        ("gibbs, one by one", Chains { pairs: false, ..gibbs }),
        ("gibbs", gibbs),
        ("gibbs, reduced", Chains { reduced: true, ..gibbs }),
        ("gibbs, fitted", fitted(CoupledGibbs, Reference::Gaussian)),
        ("gibbs of hit-and-run", Chains { inner: HitAndRun, ..gibbs }),
        ("xi-langevin", chains(XiLangevin)),
        ("xi-langevin, reduced", Chains { reduced: true, ..chains(XiLangevin) }),
        ("reverse-diffusion", chains(ReverseDiffusion)),
        ("hit-and-run", chains(HitAndRun)),
        ("coordinate-hit-and-run", chains(CoordinateHitAndRun)),
        ("dikin", chains(Dikin)),
        ("mirror-langevin", chains(MirrorLangevin)),
        ("reflection", chains(Reflection)),
        ("riemannian", chains(Riemannian)),
        ("reflection, pilot", Chains { piloted: true, ..chains(Reflection) }),
    ];
    let smc = |count, reference| Way::Particles { count, reference, steps: 2 };
    let particles = [
        ("smc 256", smc(256, Reference::Prior)),
        ("smc 1024", smc(1024, Reference::Prior)),
        ("smc 1024, fitted", smc(1024, Reference::Gaussian)),
        ("smc 8192", smc(8192, Reference::Prior)),
    ];
    let chains = chains.map(|(name, way)| (name, Way::Chains(way)));
    [("auto", Way::Auto)].into_iter().chain(chains).chain(particles).collect()
}

/// Whether a way is one of this posterior: some are of one prior only.
fn applies(problem: &Problem<'_, f64>, way: Way) -> bool {
    match way {
        Way::Chains(way) => Sampler::size(&options(way, 1), problem).is_ok(),
        _ => true,
    }
}

/// Means of tanh(x_q.w) of a greedy posterior of two coordinates under a Gaussian prior, by the
/// trapezoidal rule on a grid of 401 x 401 points out to five prior standard deviations.
fn exact(case: &Case) -> Vec<f64> {
    let (Model::Greedy(alpha), lcc_core::prior::Prior::Gaussian { sd }) = (&case.model, case.prior)
    else {
        panic!("a greedy posterior under a Gaussian prior")
    };
    let axis = |k: i32| 5.0 * sd * f64::from(k) / 200.0;
    let mut points = Vec::new();
    for a in -200..=200 {
        for b in -200..=200 {
            let w = [axis(a), axis(b)];
            let rows = case.x.chunks_exact(2).zip(&case.y);
            let fit: f64 = rows.map(|(x, y)| y * (x[0] * w[0] + x[1] * w[1]).tanh()).sum();
            points.push((alpha * fit - 0.5 * (w[0] * w[0] + w[1] * w[1]) / (sd * sd), w));
        }
    }
    let top = points.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    let (mut sums, mut total, mut values) = (vec![0.0; QUERIES], 0.0, Vec::new());
    for (log, w) in points {
        let weight = (log - top).exp();
        case.functionals(&w, &mut values);
        sums.iter_mut().zip(&values).for_each(|(s, v)| *s += weight * v);
        total += weight;
    }
    sums.into_iter().map(|s| s / total).collect()
}

/// G2, at its alpha and at three times that: how long until every mean is right to about 1 %, and what
/// nuts-rs has reached after 4 x 50 000 draws.
fn modes(program: Option<&Path>, runs: u64) -> String {
    let mut table = String::from(
        "\nG2, several modes: root mean square error of the worst mean\n\n| alpha | sampler | ms a run | rms error | |\n|---|---|---|---|---|\n",
    );
    for times in [1.0, 3.0] {
        let mut case = target("G2");
        let Model::Greedy(alpha) = case.model else { continue };
        case.model = Model::Greedy(times * alpha);
        let truth = exact(&case);
        let numbers = Numbers::<f64>::new(&case);
        let problem = numbers.problem();
        let mut line = |name: &str, s: Score| {
            let _ = writeln!(
                table,
                "| {} | {name} | {:.1} | {:.4} | {} |",
                times * alpha,
                1e3 * s.seconds,
                s.rms,
                s.note
            );
        };
        if let Some(program) = program {
            line(
                "nuts-rs",
                contest(&case, runs, Some(&truth), |seed| rival(program, &case, 50_000, seed)),
            );
        }
        for particles in [1024, 8192, 24_576] {
            for reference in [Reference::Prior, Reference::Gaussian] {
                let way = Way::Particles { count: particles, reference, steps: 2 };
                let one = |seed| sample(&problem, way, seed);
                let fitted = if reference == Reference::Prior { "" } else { ", fitted" };
                let name = format!("smc {particles}{fitted}");
                line(&name, contest(&case, runs, Some(&truth), one));
            }
        }
        let way = Chains { draws: 4000, ..fitted(Method::Independence, Reference::Mixture) };
        let one = |seed| sample(&problem, Way::Chains(way), seed);
        line("independence, mixture, 4000 draws", contest(&case, runs, Some(&truth), one));
        line("auto", contest(&case, runs, Some(&truth), |seed| sample(&problem, Way::Auto, seed)));
    }
    table
}

fn contest(
    case: &Case,
    runs: u64,
    truth: Option<&[f64]>,
    mut one: impl FnMut(u64) -> Sample,
) -> Score {
    let mut note = String::new();
    let runs: Vec<Run> = (0..runs)
        .map(|seed| {
            let sample = one(1 + seed);
            note.clone_from(&sample.note);
            reduce(case, &sample)
        })
        .collect();
    score(&runs, truth, note)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1).cloned()
    };
    let list =
        |name: &str| value(name).map(|v| v.split(';').map(str::to_owned).collect::<Vec<_>>());
    let targets = list("--targets").unwrap_or_else(|| NAMES.map(str::to_owned).to_vec());
    let only = list("--only");
    let runs: u64 = value("--runs").map_or(40, |v| v.parse().expect("a number"));
    let program = value("--rival").map(std::path::PathBuf::from);
    let folder = value("--peers").map(std::path::PathBuf::from);
    let python = value("--python").unwrap_or("python3".into());
    let mut table = String::new();
    if args.iter().any(|a| a == "--modes") {
        print!("{}", modes(program.as_deref(), runs));
        return;
    }
    for name in &targets {
        let case = target(name);
        let numbers = Numbers::<f64>::new(&case);
        let problem = numbers.problem();
        let exact = (name == "G2").then(|| lcc_tests::modes::Modes::load().estimate);
        let truth = exact.as_deref();
        let mut scores: Vec<(String, Score)> = Vec::new();
        match &program {
            Some(program) => {
                let program = program.as_path();
                let s = contest(&case, runs, truth, |seed| rival(program, &case, 1000, seed));
                scores.push(("nuts-rs".into(), s));
            }
            None => println!("{name}: nuts-rs LEFT OUT, no --rival given"),
        }
        for (way, kind) in ways() {
            if only.as_ref().is_some_and(|only| !only.iter().any(|o| o == way)) {
                continue;
            }
            if !applies(&problem, kind) {
                continue;
            }
            let s = contest(&case, runs, truth, |seed| sample(&problem, kind, seed));
            scores.push((way.into(), s));
        }
        let variances = scores.first().map(|(_, s)| s.variances.clone());
        for (peer_name, module) in [("numpyro", "numpyro"), ("stan", "stan")] {
            let peers = folder.as_deref().zip(variances.as_deref());
            let s = peers.and_then(|(folder, variances)| {
                peer((folder, &python), (peer_name, module), name, runs, variances)
            });
            match s {
                Some(s) => scores.push((peer_name.into(), s)),
                None => println!("{name}: {peer_name} LEFT OUT, not installed or no --peers given"),
            }
        }
        let base = scores.first().map_or(1.0, |(_, s)| s.replicate / s.seconds);
        let _ = writeln!(
            table,
            "\n{name}\n\n| sampler | ms a run | ESS/s replicate | to the first | ESS/s bulk | rms error | largest z | |"
        );
        let _ = writeln!(table, "|---|---|---|---|---|---|---|---|");
        for (way, s) in &scores {
            let (_, first) = &scores[0];
            let z = |q: usize| {
                let error = s.errors[q].hypot(first.errors[q]);
                ((s.means[q] - first.means[q]) / error).abs()
            };
            let z = (0..QUERIES).map(z).fold(0.0, f64::max);
            let _ = writeln!(
                table,
                "| {way} | {:.3} | {:.0} | {:.2} | {:.0} | {:.4} | {z:.1} | {} |",
                1e3 * s.seconds,
                s.replicate / s.seconds,
                s.replicate / s.seconds / base,
                s.bulk / s.seconds,
                s.rms,
                s.note
            );
        }
        print!("{table}");
        if let Some(path) = value("--out") {
            let mut file =
                std::fs::OpenOptions::new().create(true).append(true).open(path).expect("out");
            std::io::Write::write_all(&mut file, table.as_bytes()).expect("out");
        }
        table.clear();
    }
}
