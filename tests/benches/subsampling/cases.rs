//! Linear models of many rows, with their posterior moments: in closed form, or by importance sampling from the Gaussian at
//! the mode with all rows.

use lcc_core::data::{Dataset, Inputs};
use lcc_core::density::{Density, Extent};
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::{Bnn, BnnMethod, BnnOptions, Conjugate};
use lcc_core::linalg::{solve_lower, solve_lower_transposed};
use lcc_core::network::{Output, Posterior, Scales};
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{Isa, Portable};
use lcc_tests::posteriors::Aligned;

/// Inputs; coordinates are one more.
pub(crate) const INPUTS: usize = 10;
/// The noise of numbers.
const NOISE: f64 = 1.0;
/// Log odds of classes where inputs are 0: one in fifty.
const RARE: f64 = -4.0;
/// Blocks of eight draws of the importance sampler, four of them with four opposite ones: rows times draws.
const WORK: usize = 400_000_000;

/// A linear model, its rows, and what is known of its posterior.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) output: Output,
    pub(crate) n: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    /// Posterior means and sds of the parameters: the intercept, then the weights.
    pub(crate) mean: Vec<f64>,
    pub(crate) sd: Vec<f64>,
    /// The Gaussian at the mode.
    pub(crate) laplace: [Vec<f64>; 2],
    /// The standard error of these means in sds.
    pub(crate) error: f64,
}

impl Case {
    pub(crate) fn new(name: &'static str, output: Output, n: usize) -> Self {
        let mut stream = Stream::new(20, n as u64, Purpose::Predictive);
        let (mut x, mut y) = (Vec::with_capacity(n * INPUTS), Vec::with_capacity(n));
        for _ in 0..n {
            let shared: f64 = stream.normal();
            let mut sum = if output == Output::Gaussian { 0.5 } else { RARE };
            for j in 0..INPUTS {
                let own: f64 = stream.normal();
                let value = 0.5_f64.sqrt() * (shared + own);
                sum += value * if j % 2 == 0 { 0.4 } else { -0.3 };
                x.push(value);
            }
            y.push(match output {
                Output::Gaussian => sum + NOISE * stream.normal::<f64>(),
                _ => f64::from(u8::from(stream.uniform::<f64>() < 1.0 / (1.0 + (-sum).exp()))),
            });
        }
        let mut case = Self {
            name,
            output,
            n,
            x,
            y,
            mean: vec![],
            sd: vec![],
            laplace: [vec![], vec![]],
            error: 0.0,
        };
        match output {
            Output::Gaussian => case.solve(),
            _ => case.weigh(),
        }
        case
    }

    pub(crate) fn data(&self) -> Dataset<'_, f64> {
        Dataset::new(Inputs::row_major(&self.x, self.n, INPUTS).unwrap(), &self.y).unwrap()
    }

    /// The model: intercept and weights from N(0, 1).
    pub(crate) fn options(&self, method: BnnMethod) -> BnnOptions<f64> {
        BnnOptions {
            method: method.into(),
            widths: [0; 4],
            scales: Scales::Known.into(),
            linear_scale: 1.0,
            intercept_sd: 1.0,
            standardise: false.into(),
            output: self.output.into(),
            noise: NOISE,
            drop: false.into(),
            trace_rows: 0,
            ..BnnOptions::default()
        }
    }

    fn solve(&mut self) {
        let d = INPUTS + 1;
        let ones: Vec<f64> = self
            .x
            .chunks(INPUTS)
            .flat_map(|row| std::iter::once(1.0).chain(row.iter().copied()))
            .collect();
        let data = Dataset::new(Inputs::row_major(&ones, self.n, d).unwrap(), &self.y).unwrap();
        let mut memory = vec![0.0; Conjugate::<f64>::values(d).unwrap()];
        let mut exact = Conjugate::new(d, NOISE, 1.0, &mut memory).unwrap();
        exact.add(&data).unwrap();
        self.mean = vec![0.0; d];
        exact.mean(&mut self.mean).unwrap();
        let unit = |j| (0..d).map(|k| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
        let variance = |j| exact.covariance(&mut unit(j), &mut unit(j)).unwrap();
        self.sd = (0..d).map(|j| variance(j).sqrt()).collect();
        self.laplace = [self.mean.clone(), self.sd.clone()];
    }

    fn weigh(&mut self) {
        (self.laplace, self.mean, self.sd, self.error) = self.weighed();
    }

    /// The Gaussian at the mode, posterior means and sds, the standard error of the means in sds.
    fn weighed(&self) -> ([Vec<f64>; 2], Vec<f64>, Vec<f64>, f64) {
        let options = BnnOptions {
            chains: 1,
            draws: 1,
            keep: 1,
            lanes: 1,
            ..self.options(BnnMethod::Laplace)
        };
        let data = self.data();
        let mut memory = Aligned::new(Bnn::size(&options, self.n, INPUTS).unwrap());
        let mut fit = Bnn::init(memory.bytes(), &options, Isa::detect(), &data).unwrap();
        while fit.step(&data, u64::MAX).unwrap() == Status::Running {}
        let (mode, factor) = (fit.mode_coordinates(), fit.mode_factor().as_chunks::<1>().0);
        let p = mode.len();
        let sd = |j: usize| {
            let mut unit: Vec<[f64; 1]> = (0..p).map(|k| [f64::from(u8::from(j == k))]).collect();
            solve_lower(Portable, factor, &mut unit);
            unit.iter().map(|[u]| u * u).sum::<f64>().sqrt()
        };
        let laplace = [mode.to_vec(), (0..p).map(sd).collect::<Vec<f64>>()];
        // Coordinates are the parameters: all scales are 1.
        let density = Posterior { whole: true, ..options.network(data).posterior::<8>() };
        let (mut g, mut spare) = (vec![[0.0; 8]; p], vec![[0.0; 8]; p]);
        let mut scratch = vec![[0.0; 8]; density.scratch()];
        let mut stream = Stream::new(7, 0, Purpose::Predictive);
        let (mut sums, mut most) = (vec![[0.0; 3]; p + 1], None);
        for _ in 0..(WORK / self.n / 8).max(64) {
            let mut radius = [0.0; 8];
            for lane in 0..4 {
                let mut e: Vec<[f64; 1]> = (0..p).map(|_| [stream.normal()]).collect();
                radius[lane] = 0.5 * e.iter().map(|[e]| e * e).sum::<f64>();
                radius[lane + 4] = radius[lane];
                solve_lower_transposed(Portable, factor, &mut e);
                for (j, [e]) in e.iter().enumerate() {
                    (g[j][lane], g[j][lane + 4]) = (mode[j] + e, mode[j] - e);
                }
            }
            let values = density.value(Isa::detect(), &g, &mut spare, &mut scratch);
            for lane in 0..8 {
                let log = values[lane] + radius[lane];
                let w = (log - *most.get_or_insert(log)).exp();
                for (j, sums) in sums.iter_mut().enumerate() {
                    let z = if j < p { (g[j][lane] - mode[j]) / laplace[1][j] } else { 0.0 };
                    *sums =
                        [sums[0] + w, sums[1] + w * z, sums[2] + w * if j < p { z * z } else { w }];
                }
            }
        }
        let total = sums[p];
        let error = total[2].sqrt() / total[0];
        let (mut means, mut sds) = (vec![], vec![]);
        for (j, [w, z, square]) in sums.into_iter().take(p).enumerate() {
            let (mean, sd) = (z / w, laplace[1][j]);
            means.push(mode[j] + sd * mean);
            sds.push(sd * (square / w - mean * mean).sqrt());
        }
        (laplace, means, sds, error)
    }
}
