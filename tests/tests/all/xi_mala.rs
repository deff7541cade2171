//! The adjusted Langevin on xi: exact in its step, and in the length of its inner chain as the theory of its penalty
//! says.
//!
//! In one dimension, squared ReLU on [-R, R], hit-and-run draws w given xi exactly and independently: what is left is the
//! noise of the ratio. The same algorithm is written once more here, on a grid, with and without its penalty.

use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::kernel::penalty::Penalty;
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::sampler::{Column, Compiled, Method, SamplerOptions};
use lcc_tests::bias;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::{greedy_cases, sample};
use lcc_tests::tools::{by_turns, runs};

const X: [f64; 3] = [1.0, -0.7, 0.5];
const R: [f64; 3] = [2.0, -1.0, 1.5];
const ALPHA: f64 = 1.0;
const RADIUS: f64 = 1.2;

/// ln p(w) up to a constant.
fn log_posterior(w: f64) -> f64 {
    let psi = |z: f64| 0.5 * z.max(0.0).powi(2);
    ALPHA * X.iter().zip(R).map(|(x, r)| r * psi(x * w)).sum::<f64>()
}

/// E w and Var w.
fn moments() -> (f64, f64) {
    const N: usize = 200_000;
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for i in 0..N {
        let w = RADIUS * ((2 * i + 1) as f64 / N as f64 - 1.0);
        let p = log_posterior(w).exp();
        mass += p;
        first += p * w;
        second += p * w * w;
    }
    (first / mass, second / mass - (first / mass).powi(2))
}

/// Errors of the mean and of the variance of w, in posterior sds and variances, each with its standard error; and the
/// acceptance.
fn errors<T: Compiled>(method: Method, h: f64, inner: u32, draws: u32) -> [(f64, f64); 3] {
    const CHAINS: usize = 64;
    let (x, r): (Vec<T>, Vec<T>) = X.iter().zip(R).map(|(x, r)| (T::lit(*x), T::lit(r))).unzip();
    let data = Dataset::new(Inputs::row_major(&x, 3, 1).unwrap(), &r).unwrap();
    let prior = Prior::L1Ball { radius: T::lit(RADIUS) };
    let problem = Problem::greedy(data, Activation::SquaredRelu, prior, T::lit(ALPHA)).unwrap();
    let options = SamplerOptions::<T> {
        method: method.into(),
        inner_method: Method::HitAndRun.into(),
        inner,
        langevin_step: T::lit(h),
        chains: CHAINS as u32,
        warmup: 100,
        draws,
        stored: 0,
        ..Default::default()
    };
    let (mean, variance) = moments();
    sample(&options, &problem, |sampler| {
        let of = |f: &dyn Fn(usize) -> f64| mean_and_error(&(0..CHAINS).map(f).collect::<Vec<_>>());
        let moments = |c, column| sampler.moments(c, column).expect("a chain");
        let weight = |c| moments(c, Column::Weight(0));
        [
            of(&|c| (weight(c).mean.to_f64() - mean) / variance.sqrt()),
            of(&|c| {
                let own = weight(c);
                (own.variance.to_f64() + (own.mean.to_f64() - mean).powi(2)) / variance - 1.0
            }),
            of(&|c| moments(c, Column::Acceptance).mean.to_f64()),
        ]
    })
}

/// The algorithm written once more: exact draws of w given xi from a table of quantiles, with or without the penalty.
/// Errors of the mean and of the variance as above.
fn twin(h: f64, inner: usize, penalty: bool, draws: usize) -> [(f64, f64); 2] {
    const CELLS: usize = 1000;
    const LEVELS: usize = 400;
    const RUNS: u64 = 20;
    let strength: f64 = ALPHA * X.iter().zip(R).map(|(x, r)| r.max(0.0) * x * x).sum::<f64>();
    let a = strength.sqrt();
    let w: Vec<f64> =
        (0..CELLS).map(|k| RADIUS * ((2 * k + 1) as f64 / CELLS as f64 - 1.0)).collect();
    // Quantile (k + 1/2)/CELLS of w given xi, at LEVELS values of xi.
    let edge = a * RADIUS + 6.0;
    let quantiles = |level: usize| -> Vec<f64> {
        let xi = edge * (2.0 * level as f64 / (LEVELS - 1) as f64 - 1.0);
        let p: Vec<f64> =
            w.iter().map(|w| (log_posterior(*w) - 0.5 * (xi - a * w).powi(2)).exp()).collect();
        let mass: f64 = p.iter().sum();
        let (mut below, mut cell) = (0.0, 0);
        let quantile = |k: usize| {
            let u = (k as f64 + 0.5) / CELLS as f64 * mass;
            while below + p[cell] < u && cell + 1 < CELLS {
                below += p[cell];
                cell += 1;
            }
            w[cell] + ((u - below) / p[cell] - 0.5) * 2.0 * RADIUS / CELLS as f64
        };
        (0..CELLS).map(quantile).collect()
    };
    let table: Vec<Vec<f64>> = (0..LEVELS).map(quantiles).collect();
    let (mean, variance) = moments();
    let mut runs = [Vec::new(), Vec::new()];
    for run in 0..RUNS {
        let mut stream = Stream::new(3, run, Purpose::Kernel);
        let draw = |xi: f64, stream: &mut Stream| {
            let at =
                ((xi / edge + 1.0) / 2.0 * (LEVELS - 1) as f64).clamp(0.0, LEVELS as f64 - 1.001);
            let (level, k) = (at as usize, (stream.uniform::<f64>() * CELLS as f64) as usize);
            let share = at - level as f64;
            (1.0 - share) * table[level][k] + share * table[level + 1][k]
        };
        // The mean of draws at xi and the last of them.
        let average = |xi: f64, stream: &mut Stream| {
            let all: Vec<f64> = (0..inner).map(|_| draw(xi, stream)).collect();
            (all.iter().sum::<f64>() / inner as f64, all[inner - 1])
        };
        // What belongs to one end of delta, and its variance.
        let end = |xi: f64, delta: f64, u: f64, stream: &mut Stream| {
            let weight = |_| (0.5 * delta * a * (draw(xi, stream) - u)).exp();
            let (mean, error) = mean_and_error(&(0..inner).map(weight).collect::<Vec<_>>());
            let noise = (error / mean).powi(2);
            (
                mean.ln()
                    + if penalty { 0.5 * noise } else { 0.0 }
                    + h / 8.0 * (a * u - xi).powi(2),
                noise,
            )
        };
        let mut xi = a * mean + stream.normal::<f64>();
        let mut sums = [0.0; 2];
        for t in 0..draws + 100 {
            let (u, here) = average(xi, &mut stream);
            let delta = 0.5 * h * (a * u - xi) + h.sqrt() * stream.normal::<f64>();
            let (total, noise) = end(xi, delta, u, &mut stream);
            let other = xi + delta;
            let (v, there) = average(other, &mut stream);
            let (back, more) = end(other, -delta, v, &mut stream);
            let variance = if penalty { noise + more } else { 0.0 };
            let probability =
                Penalty::Series.probability(back - total, variance, 2 * inner as u32 - 1, false);
            let take = stream.uniform::<f64>() < probability;
            let w = if take { there } else { here } - mean;
            xi = if take { other } else { xi };
            if t >= 100 {
                sums[0] += w;
                sums[1] += w * w;
            }
        }
        runs[0].push(sums[0] / draws as f64 / variance.sqrt());
        runs[1].push(sums[1] / draws as f64 / variance - 1.0);
    }
    runs.map(|r| mean_and_error(&r))
}

/// Whether an error is 0 within four of its standard errors, themselves small.
fn none((error, sd): (f64, f64)) -> bool {
    sd < runs(0.006, 0.003) && error.abs() < 4.0 * sd
}

/// The step is no bias where the noise of the ratio is small; without Metropolis' rule it is one.
#[test]
fn no_step_is_a_bias() {
    fn check<T: Compiled>(inner: u32) {
        let [mean, variance, acceptance] =
            errors::<T>(Method::XiMala, 1.0, inner, runs(5000, 20_000));
        println!("f{}, {inner}: {mean:?} {variance:?} {acceptance:?}", T::BITS);
        assert!(none(mean) && none(variance));
        assert!((0.8..0.95).contains(&acceptance.0));
    }
    let all: [fn(); 3] = [|| check::<f64>(4), || check::<f32>(4), || check::<f64>(8)];
    by_turns(all, 3, 0).for_each(|one| one());
    let [_, variance, _] = errors::<f64>(Method::XiLangevin, 1.0, 64, 8000);
    println!("unadjusted: {variance:?}");
    assert!(variance.0 > 10.0 * variance.1);
}

/// Too few draws for too long a step: chi^2 is often above 1, and the bias goes to 0 with their number only. It is that of
/// the algorithm written once more.
#[test]
fn few_draws_are_a_bias() {
    let mut last = f64::INFINITY;
    for (inner, draws) in [(2, 10_000), (8, 10_000), (32, 4000)].into_iter().take(runs(2, 3)) {
        let [mean, variance, _] = errors::<f64>(Method::XiMala, 2.0, inner, draws);
        println!("{inner}: {mean:?} {variance:?}");
        assert!(mean.0.abs() < last / 1.5);
        last = mean.0.abs() + 2.0 * mean.1;
        if inner == 2 {
            let own = twin(2.0, 2, true, runs(15_000, 60_000));
            println!("twin {own:?}");
            for ((a, b), (x, y)) in [mean, variance].into_iter().zip(own) {
                assert!((a - x).abs() < 4.0 * b.hypot(y) && a.abs() > 5.0 * b);
            }
        }
    }
    assert!(last < runs(0.02, 0.012));
}

/// Without a penalty, and without the bias of a logarithm, draws enough for the adjusted chain are too few.
#[test]
fn without_a_penalty_the_noise_is_a_bias() {
    let [without, with] =
        [false, true].map(|penalty| twin(1.0, 2, penalty, runs(60_000, 100_000))[0]);
    println!("{without:?} {with:?}");
    assert!(without.0.abs() > 5.0 * without.1 && with.0.abs() < without.0.abs() / 2.0);
}

/// Two dimensions, with split HMC inside: strongly informed posteriors under either prior.
#[test]
fn with_split_hmc_inside() {
    let strong = greedy_cases(2).into_iter().filter(|c| c.id.contains("strong-tanh"));
    for case in &strong.take(runs(1, 4)).collect::<Vec<_>>() {
        let at = |method: Method, fresh: bool| {
            bias::bias(case, 2000, |o| {
                o.method = method.into();
                (o.langevin_step, o.inner, o.fresh) = (1.5, 16, fresh.into());
                o.burn_in = 32;
            })
        };
        let unadjusted = at(Method::XiLangevin, false);
        assert!(unadjusted.is_seen());
        for fresh in by_turns([false, true], 2, 0) {
            let own = at(Method::XiMala, fresh);
            println!("{}, fresh {fresh}: {own:?}, unadjusted {unadjusted:?}", case.id);
            assert!(own.square < unadjusted.square / 10.0);
        }
    }
}
