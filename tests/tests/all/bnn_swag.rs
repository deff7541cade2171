//! SWAG against what the iterates of its ascent have: means and products of every pair of them, propagated exactly over
//! all minibatches.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::bnn::{BnnOptionsError, Status};
use lcc_core::estimator::{Bnn, BnnError, BnnMethod, BnnOptions};
use lcc_core::network::{Output, Scales};
use lcc_core::simd::Isa;
use lcc_tests::numeric::mean_and_error;
use lcc_tests::posteriors::Aligned;
use lcc_tests::tools::runs;

const X: [[f64; 2]; 5] = [[1.0, 0.2], [-0.6, 1.1], [0.3, -0.9], [1.4, 0.8], [-0.2, 0.5]];
const Y: [f64; 5] = [0.9, -1.3, 0.4, 1.9, -0.3];
const SD: f64 = 1.5;
const NOISE: f64 = 0.8;
const BATCH: usize = 2;
const STEP: f64 = 0.03;
const STEPS: usize = 80;
const RANK: usize = 3;

type Matrix = [[f64; 2]; 2];

fn of(f: impl Fn(usize, usize) -> f64) -> Matrix {
    [[f(0, 0), f(0, 1)], [f(1, 0), f(1, 1)]]
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    of(|i, j| a[i][0] * b[0][j] + a[i][1] * b[1][j])
}

fn apply(a: &Matrix, x: &[f64; 2]) -> [f64; 2] {
    [0, 1].map(|i| a[i][0] * x[0] + a[i][1] * x[1])
}

/// z' = M z + c of every minibatch.
fn steps() -> Vec<(Matrix, [f64; 2])> {
    let weight = Y.len() as f64 / BATCH as f64 / (NOISE * NOISE);
    let mut out = vec![];
    for first in 0..Y.len() {
        for second in 0..first {
            let phi = |row: usize, j: usize| SD * X[row][j];
            let sum = |f: &dyn Fn(usize) -> f64| f(first) + f(second);
            let a = of(|i, j| weight * sum(&|r| phi(r, i) * phi(r, j)) + (i == j) as u8 as f64);
            let c = [0, 1].map(|j| STEP * weight * sum(&|r| phi(r, j) * Y[r]));
            out.push((of(|i, j| (i == j) as u8 as f64 - STEP * a[i][j]), c));
        }
    }
    out
}

/// The mean of the law, its variances and its covariance, in expectation.
fn exact() -> ([f64; 2], Matrix) {
    let all = steps();
    let share = 1.0 / all.len() as f64;
    let m = of(|i, j| share * all.iter().map(|(m, _)| m[i][j]).sum::<f64>());
    let c = [0, 1].map(|i| share * all.iter().map(|(_, c)| c[i]).sum::<f64>());
    // E z_t and E z_t z_t'.
    let mut means = vec![[0.0; 2]];
    let mut squares = vec![[[0.0; 2]; 2]];
    for t in 0..STEPS {
        let (mean, square) = (means[t], squares[t]);
        means.push([0, 1].map(|i| apply(&m, &mean)[i] + c[i]));
        let mut next = [[0.0; 2]; 2];
        for (m, c) in &all {
            let moved = apply(m, &mean);
            let turned = of(|i, j| m[j][i]);
            let inner = times(&times(m, &square), &turned);
            for i in 0..2 {
                for j in 0..2 {
                    next[i][j] +=
                        share * (inner[i][j] + moved[i] * c[j] + c[i] * moved[j] + c[i] * c[j]);
                }
            }
        }
        squares.push(next);
    }
    let half = STEPS / 2;
    let tail: Vec<usize> = (half + 1..=STEPS).collect();
    let count = tail.len() as f64;
    // E z_s z_t' for s <= t: minibatches are independent.
    let pair = |s: usize, t: usize| {
        let mut product = squares[s];
        for _ in s..t {
            product =
                of(|i, j| product[i][0] * m[j][0] + product[i][1] * m[j][1] + means[s][i] * c[j]);
        }
        product
    };
    let any = |s: usize, t: usize| {
        if s <= t {
            return pair(s, t);
        }
        let p = pair(t, s);
        of(|i, j| p[j][i])
    };
    let average = |f: &dyn Fn(usize) -> Matrix| {
        let list: Vec<Matrix> = tail.iter().map(|t| f(*t)).collect();
        of(|i, j| list.iter().map(|p| p[i][j]).sum::<f64>() / count)
    };
    let mean = [0, 1].map(|i| tail.iter().map(|t| means[*t][i]).sum::<f64>() / count);
    let whole = average(&|s| average(&|t| any(s, t)));
    let second = average(&|t| squares[t]);
    let mut law = of(|i, j| if i == j { 0.5 * (second[i][i] - whole[i][i]) } else { 0.0 });
    for k in 0..tail.len() {
        if (k + 1) * RANK / tail.len() > k * RANK / tail.len() {
            let t = tail[k];
            let with = average(&|s| any(t, s));
            for i in 0..2 {
                for j in 0..2 {
                    let from = squares[t][i][j] - with[i][j] - with[j][i] + whole[i][j];
                    law[i][j] += 0.5 * from / (RANK as f64 - 1.0);
                }
            }
        }
    }
    (mean, law)
}

fn options() -> BnnOptions<f64> {
    BnnOptions {
        method: BnnMethod::Swag.into(),
        widths: [0; 4],
        scales: Scales::Known.into(),
        linear_scale: SD,
        intercept_sd: 0.0,
        standardise: false.into(),
        output: Output::Gaussian.into(),
        noise: NOISE,
        chains: runs(4000, 40000),
        drop: false.into(),
        start_steps: 0,
        ascent_steps: STEPS as u32,
        draws: 3,
        keep: 3,
        trace_rows: 0,
        batch: BATCH as u32,
        rank: RANK as u32,
        step: STEP,
        seed: 11,
        ..BnnOptions::default()
    }
}

fn check(what: &str, found: &[f64], exact: f64) {
    let (mean, error) = mean_and_error(found);
    println!("{what}: {mean:.5} +- {error:.5}, exact {exact:.5}");
    assert!((mean - exact).abs() < 4.0 * error, "{what}: {mean} +- {error}, not {exact}");
}

/// Means and variances that each chain tells, and its draws' products, in expectation over chains; of which none is the best
/// one alone. The law is narrower than the posterior, as its line says it may be.
#[test]
fn the_law_is_that_of_the_iterates() {
    let x: Vec<f64> = X.concat();
    let data = Dataset::new(Inputs::row_major(&x, Y.len(), 2).unwrap(), &Y).unwrap();
    let options = options();
    let mut memory = Aligned::new(Bnn::size(&options, Y.len(), 2).unwrap());
    let mut network = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
    while network.step(&data, 999_999).unwrap() == Status::Running {}
    let (mean, law) = exact();
    let chains = network.chains();
    assert_eq!(network.chains_dropped(), 0);
    let over = |f: &dyn Fn(usize) -> f64| (0..chains).map(f).collect::<Vec<f64>>();
    // Coordinate 0 is the intercept, which is kept at 0.
    let told = |c: usize| network.law(c).unwrap();
    for j in 0..2 {
        check("mean", &over(&|c| told(c).0[j + 1]), mean[j]);
        check("variance", &over(&|c| told(c).1[j + 1] * told(c).1[j + 1]), law[j][j]);
        for i in 0..=j {
            let product = |c: usize| {
                let from = |k: usize, j: usize| {
                    network.kept_draw(c, k).unwrap()[j + 1] / SD - told(c).0[j + 1]
                };
                (0..3).map(|k| from(k, i) * from(k, j)).sum::<f64>() / 3.0
            };
            check("covariance of draws", &over(&product), law[i][j]);
        }
    }
    // 1/A_jj of the posterior: step and batch make the law.
    let a = 1.0 + X.iter().map(|x| (SD * x[0] / NOISE).powi(2)).sum::<f64>();
    assert!(law[0][0] < 0.7 / a, "{} {}", law[0][0], 1.0 / a);
}

/// Without noise there is no law; a step that is too long is said to be.
#[test]
fn what_swag_refuses() {
    let x: Vec<f64> = X.concat();
    let data = Dataset::new(Inputs::row_major(&x, Y.len(), 2).unwrap(), &Y).unwrap();
    let options = BnnOptions { chains: 1, ..options() };
    for (batch, rank, expected) in [
        (5, 3, BnnOptionsError::Batch),
        (2, 1, BnnOptionsError::Pairs),
        (2, 41, BnnOptionsError::Pairs),
    ] {
        let own = BnnOptions { batch, rank, ..options };
        assert_eq!(Bnn::size(&own, Y.len(), 2), Err(BnnError::Options(expected)));
    }
    let half = BnnOptions { batch: 0, ..options };
    assert!(Bnn::size(&half, Y.len(), 2).is_ok());
    assert_eq!(Bnn::size(&half, 1, 2), Err(BnnError::Options(BnnOptionsError::Batch)));
    // As many columns as there may be, of the usual number of steps.
    let most = BnnOptions { batch: 2, rank: 64, ascent_steps: 0, ..options };
    assert!(Bnn::size(&most, Y.len(), 2).is_ok());
    let own = BnnOptions { step: 50.0, ascent_steps: 5000, ..options };
    let mut memory = Aligned::new(Bnn::size(&own, Y.len(), 2).unwrap());
    let mut network = Bnn::init(memory.bytes(), &own, Isa::detect(), &data).unwrap();
    let ended = loop {
        match network.step(&data, 1) {
            Ok(Status::Running) => {}
            other => break other,
        }
    };
    assert_eq!(ended, Err(BnnError::Options(BnnOptionsError::StepSize)));
}
