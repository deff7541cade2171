//! Time of one gradient of the likelihood kernels, beside a plain loop and hand-vectorised C.
//!
//! `cargo bench -p lcc-tests --bench kernels -- [--out FILE]`. The C, `grad_limit.c`, is built with gcc -O3
//! -march=native -ffast-math on the fly, and left out where there is no gcc. Microseconds per chain-gradient: the least of many
//! short runs, all contestants in turn, so that a busy machine hurts none more than the others.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::{GreedyTilt, Joint, Likelihood, Network, Precision, Signs};
use lcc_core::simd::{AnyLanes, Isa, Lanes};
use lcc_tests::posteriors::Model;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Rounds in which every contestant has its turn.
const ROUNDS: usize = 250;
/// The length of a turn, in seconds.
const TURN: f64 = 8e-5;

/// One target posterior, in one precision.
struct Target<T> {
    x: Vec<T>,
    y: Vec<T>,
    n: usize,
    d: usize,
    activation: Activation,
    alpha: f64,
    joint: Option<(usize, f64, f64)>,
}

impl<T: AnyLanes> Target<T> {
    fn read(name: &str) -> Self {
        let case = lcc_tests::targets::target(name);
        let lower = |v: &[f64]| v.iter().map(|x| T::lit(*x)).collect();
        let (alpha, joint) = match case.model {
            Model::Greedy(alpha) => (alpha, None),
            Model::Joint(m, outer, beta, _) => (1.0, Some((m, outer, beta))),
        };
        let (x, y) = (lower(&case.x), lower(&case.y));
        Self { x, y, n: case.y.len(), d: case.d, activation: case.activation, alpha, joint }
    }

    fn data(&self) -> Dataset<'_, T> {
        Dataset::new(Inputs::row_major(&self.x, self.n, self.d).unwrap(), &self.y).unwrap()
    }
}

/// A contestant: a name, how many chains one call serves, and the call.
struct Contestant<'a> {
    name: String,
    chains: usize,
    call: Box<dyn FnMut() + 'a>,
    best: f64,
}

fn contestant<'a>(name: String, chains: usize, call: impl FnMut() + 'a) -> Contestant<'a> {
    Contestant { name, chains, call: Box::new(call), best: f64::INFINITY }
}

/// Takes turns; leaves the least microseconds per chain-gradient in each.
fn race(contestants: &mut [Contestant]) {
    let repeats: Vec<usize> = contestants
        .iter_mut()
        .map(|c| {
            (c.call)();
            let start = Instant::now();
            (c.call)();
            (TURN / start.elapsed().as_secs_f64().max(1e-8)) as usize + 1
        })
        .collect();
    for _ in 0..ROUNDS {
        for (c, repeats) in contestants.iter_mut().zip(&repeats) {
            let start = Instant::now();
            for _ in 0..*repeats {
                (c.call)();
            }
            let us = start.elapsed().as_secs_f64() * 1e6;
            c.best = c.best.min(us / (*repeats * c.chains) as f64);
        }
    }
}

fn start<T: AnyLanes, const N: usize>(dim: usize) -> Vec<[T; N]> {
    (0..dim)
        .map(|k| std::array::from_fn(|l| T::lit((k as f64 + 1.0 + l as f64).sin() * 0.3)))
        .collect()
}

fn title<T: AnyLanes>(isa: Isa, n: usize) -> String {
    format!("f{} {} x{n}", T::BITS, isa.name())
}

fn kernel<'a, T, const N: usize>(target: &'a Target<T>, isa: Isa) -> Contestant<'a>
where
    T: AnyLanes + Lanes<N>,
{
    let (data, activation) = (target.data(), target.activation);
    let name = title::<T>(isa, N);
    if let Some((neurons, outer, beta)) = target.joint {
        let (outer, beta) = (T::lit(outer), T::lit(beta));
        let joint = Joint { data, activation, neurons, outer, beta, signs: Signs::Alternating };
        return call::<T, N>(name, joint, isa);
    }
    call::<T, N>(name, GreedyTilt::new(data, T::lit(target.alpha), activation), isa)
}

fn call<'a, T, const N: usize>(
    name: String,
    likelihood: impl Likelihood<T, N> + 'a,
    isa: Isa,
) -> Contestant<'a>
where
    T: AnyLanes + Lanes<N>,
{
    let w = start::<T, N>(likelihood.dim());
    let mut gradient = w.clone();
    let mut scratch = vec![[T::ZERO; N]; likelihood.scratch()];
    contestant(name, N, move || {
        let w = std::hint::black_box(&w);
        let value = likelihood.value_and_gradient(isa, w, &mut gradient, &mut scratch);
        std::hint::black_box((value, &gradient));
    })
}

/// The network of the regressor, M neurons with a free head, on the same rows.
fn network<'a, T, const N: usize>(target: &'a Target<T>, neurons: usize, isa: Isa) -> Contestant<'a>
where
    T: AnyLanes + Lanes<N>,
{
    let network = Network { data: target.data(), activation: target.activation, neurons };
    let shape = network.shape();
    let theta = start::<T, N>(shape.dim());
    let mut gradient = theta.clone();
    let mut scratch = vec![[T::ZERO; N]; shape.scratch()];
    let weights = vec![[T::ONE; N]; target.n];
    contestant(title::<T>(isa, N), N, move || {
        let precision = Precision { beta: [T::ONE; N], weights: Some(&weights) };
        let theta = std::hint::black_box(&theta);
        let fit = network.evaluate(isa, theta, &precision, &mut gradient, None, &mut scratch);
        std::hint::black_box((fit.log_likelihood, &gradient));
    })
}

/// One chain, one row after another, the platform's tanh.
fn plain(target: &Target<f64>) -> Contestant<'_> {
    let tanh = target.activation == Activation::Tanh;
    let (m, outer) = target.joint.map_or((1, 1.0), |(m, v, _)| (m, v / m as f64));
    let joint = target.joint.is_some();
    let d = target.d;
    let w: Vec<f64> = start::<f64, 1>(m * d).into_iter().flatten().collect();
    let mut g = vec![0.0; m * d];
    let mut slopes = vec![0.0; m];
    contestant("plain loop, f64".into(), 1, move || {
        let w = std::hint::black_box(&w);
        g.fill(0.0);
        let mut value = 0.0;
        for (x, y) in target.x.chunks_exact(d).zip(&target.y) {
            let mut f = 0.0;
            for (k, (w, slope)) in w.chunks_exact(d).zip(&mut slopes).enumerate() {
                let u: f64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
                let (p, q) = if tanh {
                    let t = u.tanh();
                    (t, 1.0 - t * t)
                } else {
                    (0.5 * u.max(0.0).powi(2), u.max(0.0))
                };
                let sign = if k % 2 == 1 { -outer } else { outer };
                f += sign * p;
                *slope = sign * q;
            }
            let a = if joint { y - f } else { target.alpha * y };
            value += a * f;
            for (g, slope) in g.chunks_exact_mut(d).zip(&slopes) {
                for (g, x) in g.iter_mut().zip(x) {
                    *g += a * slope * x;
                }
            }
        }
        std::hint::black_box((value, &g));
    })
}

/// The C program, built; its path.
fn build_c() -> Option<PathBuf> {
    let out = std::env::temp_dir().join(format!("grad_limit-{}", std::process::id()));
    let built = Command::new("gcc")
        .args(["-O3", "-march=native", "-ffast-math", "-o"])
        .arg(&out)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/grad_limit.c"))
        .arg("-lm")
        .status();
    built.is_ok_and(|s| s.success()).then_some(out)
}

/// Microseconds per gradient of the fastest fused C variant in double, and in single precision.
fn run_c(program: &Path, target: &Target<f64>) -> Option<[f64; 2]> {
    let activation = if target.activation == Activation::Tanh { "tanh" } else { "srelu" };
    let mut csv = String::from("x,y\n");
    for (x, y) in target.x.chunks_exact(target.d).zip(&target.y) {
        x.iter().for_each(|x| csv.push_str(&format!("{x:?},")));
        let _ = writeln!(csv, "{y:?}");
    }
    let data = program.with_extension("csv");
    std::fs::write(&data, csv).ok()?;
    let out = Command::new(program)
        .arg(&data)
        .args([target.n.to_string(), target.d.to_string(), activation.into()])
        .arg(target.alpha.to_string())
        .output();
    std::fs::remove_file(&data).ok()?;
    let out = out.ok()?;
    let report: Value = serde_json::from_slice(&out.stdout).ok()?;
    let us = |key: &str| report[key]["ns"].as_f64().map(|ns| ns / 1e3);
    Some([us("fused")?.min(us("fused_fast")?), us("fused32")?])
}

/// A precision in each lane count and instruction set.
fn all<'a, T: AnyLanes>(target: &'a Target<T>, into: &mut Vec<Contestant<'a>>) {
    for isa in Isa::all() {
        into.push(kernel::<T, 8>(target, isa));
    }
    into.push(kernel::<T, 1>(target, Isa::Portable));
}

fn main() {
    let mut out = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/results/kernels.md"));
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--out" => out = value.into(),
            _ => panic!("unknown option {arg}"),
        }
    }
    let program = build_c();
    let mut report = String::from(
        "# Kernels: microseconds per chain-gradient\n\n\
         `cargo bench -p lcc-tests --bench kernels -- [--out FILE]`\n\n\
         Least of many short runs, the contestants in turn. C: the fastest fused variant of \
         `grad_limit.c`, gcc -O3 -march=native -ffast-math, run before, amid and after. xN: N chains \
         in lock-step. The last column is the time of the C in the same precision over ours: above 1, \
         ours is the faster.\n",
    );
    let head = "\n| | us | C / ours |\n|---|---:|---:|";
    for name in ["G1", "G3", "G4", "G5", "J1"] {
        let double = Target::<f64>::read(name);
        let single = Target::<f32>::read(name);
        let mut contestants = vec![plain(&double)];
        all(&double, &mut contestants);
        all(&single, &mut contestants);
        let mut c = [f64::INFINITY; 2];
        for round in 0..3 {
            if let Some(program) = program.as_ref().filter(|_| double.joint.is_none()) {
                let us = run_c(program, &double).expect("the C program ran");
                c = [c[0].min(us[0]), c[1].min(us[1])];
            }
            if round < 2 {
                race(&mut contestants);
            }
        }
        let (n, d, psi) = (double.n, double.d, double.activation.name());
        let _ = writeln!(report, "\n## {name}: n = {n}, d = {d}, {psi}\n{head}");
        if c[0].is_finite() {
            let _ = writeln!(report, "| C fused, f64 | {:.3} | |", c[0]);
            let _ = writeln!(report, "| C fused, f32 | {:.3} | |", c[1]);
        }
        for contestant in &contestants {
            let c = if contestant.name.starts_with("f32") { c[1] } else { c[0] };
            let ratio =
                if c.is_finite() { format!("{:.2}", c / contestant.best) } else { "".into() };
            let _ = writeln!(report, "| {} | {:.3} | {ratio} |", contestant.name, contestant.best);
        }
        if name == "G4" {
            let _ = writeln!(
                report,
                "\n### The network on the same rows: M = 20, weights and free head\n{head}"
            );
            let mut nets = vec![];
            for isa in Isa::all() {
                nets.push(network::<f64, 8>(&double, 20, isa));
                nets.push(network::<f32, 8>(&single, 20, isa));
            }
            race(&mut nets);
            for net in nets {
                let _ = writeln!(report, "| {} | {:.3} | |", net.name, net.best);
            }
        }
    }
    if let Some(program) = program {
        let _ = std::fs::remove_file(program);
    }
    print!("{report}");
    std::fs::create_dir_all(out.parent().unwrap()).unwrap();
    std::fs::write(out, report).unwrap();
}
