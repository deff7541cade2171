//! Scores of held-out rows, with their standard errors over rows, beside those of baselines that anyone can have: the mean
//! of the target and linear regression; of counts their rate, of classes their shares.

use crate::predict::Predictions;
use crate::rows::Rows;
use crate::target::{Kind, Target};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Conjugate;
use lcc_core::simd::{Portable, Simd, Vector};
use lcc_core::special;

/// What is noted of a row: squared error, log density, CRPS, inside the interval, width of it. Of classes: 1 where the
/// largest probability was right, the log probability of the class, the Brier score.
pub type Scores = [f64; 5];

/// Of one way to predict, by rows of the file: sums over the times that a row was predicted.
#[derive(Clone, Debug)]
struct Sheet {
    name: &'static str,
    said: &'static str,
    sum: Vec<Scores>,
}

/// The method and its baselines.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Whether y is a class.
    pub classes: bool,
    /// How often each row was predicted.
    times: Vec<f64>,
    sheets: Vec<Sheet>,
    calibration: f64,
    coverage: f64,
    parts: f64,
    /// That the fits took.
    pub seconds: f64,
    /// Training rows of the last part.
    pub trained: usize,
    /// Whether predictions are kept, for [`luck`](Self::luck).
    pub keeps: bool,
    /// Of each row mean and sd, or the probabilities of the classes.
    said: Vec<Vec<f64>>,
}

/// Means over rows, and their standard errors: rows predicted more than once count once, by their mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Rows.
    pub n: usize,
    /// Of each score.
    pub mean: Scores,
    /// Its standard error.
    pub error: Scores,
    /// Not of classes.
    pub rmse: f64,
    /// Its standard error.
    pub rmse_error: f64,
}

fn gaussian(y: f64, mean: f64, variance: f64) -> f64 {
    let apart = y - mean;
    -0.5 * (apart * apart / variance + (std::f64::consts::TAU * variance).ln())
}

fn poisson(y: f64, mean: f64) -> f64 {
    let ln_gamma = |x: f64| special::ln_gamma(Portable, Portable.load(&[x])).array();
    let [rest] = ln_gamma(y + 1.0);
    match mean > 0.0 {
        true => y * mean.ln() - mean - rest,
        false if y > 0.0 => f64::NEG_INFINITY,
        false => 0.0,
    }
}

fn of_class(probability: &[f64], truth: usize) -> Scores {
    let (mut brier, mut top) = (0.0, 0);
    for (c, p) in probability.iter().enumerate() {
        let miss = p - if c == truth { 1.0 } else { 0.0 };
        top = if *p > probability[top] { c } else { top };
        brier += miss * miss;
    }
    let right = if top == truth { 1.0 } else { 0.0 };
    [right, probability[truth].max(1e-300).ln(), brier, 0.0, 0.0]
}

impl Judgement {
    /// One that keeps predictions too.
    pub fn keeping() -> Self {
        Self { keeps: true, ..Self::default() }
    }

    /// Whether anything was predicted.
    pub fn is_empty(&self) -> bool {
        self.sheets.is_empty()
    }

    /// The baselines: a name for programs and one for people.
    pub fn baselines(&self) -> impl Iterator<Item = (&'static str, &'static str, Summary)> {
        let own = self.sheets.iter().enumerate().skip(1);
        own.map(|(k, sheet)| (sheet.name, sheet.said, self.summary(k)))
    }

    /// Of classes: calibration error and coverage, means over parts.
    pub fn of_parts(&self) -> (f64, f64) {
        (self.calibration / self.parts, self.coverage / self.parts)
    }

    fn note(&mut self, sheet: usize, row: usize, scores: Scores) {
        if let Some(own) = self.sheets.get_mut(sheet) {
            own.sum[row].iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
    }

    fn keep(&mut self, row: usize, said: &[f64]) {
        if let Some(own) = self.said.get_mut(row) {
            *own = said.to_vec();
        }
    }

    /// What another seed moves: of numbers in predictive sds, of classes in probability; the root of the mean square.
    pub fn luck(&self, other: &Self) -> f64 {
        let (mut squares, mut count) = (0.0, 0.0);
        for (a, b) in self.said.iter().zip(&other.said).filter(|(a, b)| a.len() == b.len()) {
            let width = if self.classes { a.len() } else { a.len().min(1) };
            for (x, y) in a.iter().zip(b).take(width) {
                let moved = (x - y) / if self.classes { 1.0 } else { a[1] };
                squares += 0.5 * moved * moved;
                count += 1.0;
            }
        }
        (squares / count).sqrt()
    }

    /// How far a log score is behind another of the same rows, and the standard error of that over rows.
    pub fn behind(&self, sheet: usize, best: &Self, best_sheet: usize) -> (f64, f64) {
        let log = |j: &Self, sheet: usize, row: usize| j.sheets[sheet].sum[row][1] / j.times[row];
        let both = (0..self.times.len()).filter(|r| self.times[*r] > 0.0 && best.times[*r] > 0.0);
        let apart = both.map(|row| log(best, best_sheet, row) - log(self, sheet, row));
        let apart: Vec<f64> = apart.collect();
        let n = apart.len() as f64;
        let mean = apart.iter().fold(0.0, |sum, a| sum + a) / n;
        let squares = apart.iter().fold(0.0, |sum, a| sum + (a - mean) * (a - mean));
        (mean, (squares / (n - 1.0) / n).sqrt())
    }

    fn begin(&mut self, rows: usize, target: &Target) {
        if !self.sheets.is_empty() {
            return;
        }
        let kind = target.kind;
        let names: &[(&str, &str)] = match kind {
            Kind::Numbers if target.output.has_hurdle() => {
                &[("mean", "zeros and a log-normal distribution")]
            }
            Kind::Numbers => &[("mean", "the mean of the target"), ("linear", "linear regression")],
            Kind::Classes => &[("shares", "the shares of the classes")],
            Kind::Counts => &[("rate", "the rate of all rows")],
        };
        let all = [("method", "")].into_iter().chain(names.iter().copied());
        self.sheets =
            all.map(|(name, said)| Sheet { name, said, sum: vec![[0.0; 5]; rows] }).collect();
        self.times = vec![0.0; rows];
        self.said = vec![Vec::new(); if self.keeps { rows } else { 0 }];
        self.classes = kind == Kind::Classes;
    }

    /// Takes the predictions of test rows, and makes those of the baselines from the training rows.
    pub fn add(
        &mut self,
        p: &Predictions,
        train: &Rows,
        test: &Rows,
        target: &Target,
        exposure: bool,
    ) {
        self.begin(test.table.rows(), target);
        test.origin.iter().for_each(|row| self.times[*row] += 1.0);
        self.parts += 1.0;
        if p.classes > 0 {
            return self.add_classes(p, train, test);
        }
        for (i, y) in test.targets().iter().enumerate() {
            let miss = y - p.mean[i];
            let inside = *y >= p.lower[i] && *y <= p.upper[i];
            let covered = if inside { 1.0 } else { 0.0 };
            let width = p.upper[i] - p.lower[i];
            self.note(
                0,
                test.origin[i],
                [miss * miss, p.log_density[i], p.crps[i], covered, width],
            );
            self.keep(test.origin[i], &[p.mean[i], p.sd[i]]);
        }
        self.add_simple(train, test, target, exposure);
        if self.sheets.len() > 2 {
            match linear(train, test) {
                None => self.sheets.truncate(2),
                Some(said) => {
                    for (i, (mean, variance)) in said.into_iter().enumerate() {
                        let y = test.targets()[i];
                        let log = gaussian(y, mean, variance);
                        self.note(2, test.origin[i], [(y - mean) * (y - mean), log, 0.0, 0.0, 0.0]);
                    }
                }
            }
        }
    }

    fn add_classes(&mut self, p: &Predictions, train: &Rows, test: &Rows) {
        let mut shares = vec![0.0; p.classes];
        train.targets().iter().for_each(|y| shares[*y as usize] += 1.0 / train.n as f64);
        for (i, y) in test.targets().iter().enumerate() {
            self.note(0, test.origin[i], of_class(p.row(i), *y as usize));
            self.keep(test.origin[i], p.row(i));
            self.note(1, test.origin[i], of_class(&shares, *y as usize));
        }
        if let Some(scored) = p.scored {
            self.calibration += scored.calibration;
            self.coverage += scored.coverage;
        }
    }

    /// The mean, or the rate where there is an exposure, which is the last input.
    fn add_simple(&mut self, train: &Rows, test: &Rows, target: &Target, exposure: bool) {
        let hurdle = target.output.has_hurdle().then(|| Hurdle::of(train));
        let exposed =
            |rows: &Rows, i: usize| if exposure { rows.x[(i + 1) * rows.d - 1] } else { 1.0 };
        let (y, n) = (train.targets(), train.n as f64);
        let (mut sum, mut all) = (0.0, 0.0);
        for (i, y) in y.iter().enumerate() {
            sum += y;
            all += exposed(train, i);
        }
        let mean = sum / all;
        let squares = y.iter().fold(0.0, |sum, y| sum + (y - mean) * (y - mean));
        for (i, y) in test.targets().iter().enumerate() {
            let said = mean * exposed(test, i);
            let log = match &hurdle {
                Some(own) => own.score(*y),
                None if target.kind == Kind::Counts => poisson(*y, said),
                None => gaussian(*y, said, squares / (n - 1.0) * (1.0 + 1.0 / n)),
            };
            self.note(1, test.origin[i], [(y - said) * (y - said), log, 0.0, 0.0, 0.0]);
        }
    }

    /// Of the method, 0, or a baseline.
    pub fn summary(&self, sheet: usize) -> Summary {
        let sum = &self.sheets[sheet].sum;
        let own = || sum.iter().zip(&self.times).filter(|(_, times)| **times > 0.0);
        let n = own().count();
        let count = n as f64;
        let mut s = Summary { n, ..Summary::default() };
        for k in 0..s.mean.len() {
            s.mean[k] = own().fold(0.0, |all, (sum, times)| all + sum[k] / times) / count;
            let apart = |sum: &Scores, times: &f64| sum[k] / times - s.mean[k];
            let squares =
                own().fold(0.0, |all, (sum, times)| all + apart(sum, times) * apart(sum, times));
            s.error[k] = (squares / (count - 1.0) / count).sqrt();
        }
        s.rmse = s.mean[0].sqrt();
        // By the derivative of the root.
        s.rmse_error = s.error[0] / (2.0 * s.rmse);
        s
    }
}

const RIDGE: f64 = 1e-9;
/// Columns beyond which it is not tried.
const MOST: usize = 4096;

/// Linear regression in closed form, by least squares: the core's conjugate regression on standardised inputs, of noise 1.
/// Its prior is no more than a ridge against columns that say the same.
struct Linear<'a> {
    centre: Vec<f64>,
    /// Reciprocal sds, 0 of a constant column.
    scale: Vec<f64>,
    level: f64,
    fit: Conjugate<'a, f64>,
}

impl Linear<'_> {
    fn standardised(&self, x: &[f64]) -> Vec<f64> {
        let own = x.iter().zip(&self.centre).zip(&self.scale);
        own.map(|((x, centre), scale)| (x - centre) * scale).collect()
    }

    /// The mean at x, and how far out it is: z' (Z'Z)^-1 z.
    fn predict(&self, x: &[f64]) -> (f64, f64) {
        let said = self.fit.predict(&mut self.standardised(x));
        said.map_or((f64::NAN, 0.0), |(mean, out)| (self.level + mean, out))
    }
}

/// The mean and variance of the predictive Gaussian of each test row, the variance of the noise being that of the
/// residuals, at their degrees of freedom; `None` where there are none. Time n d^2 + d^3.
fn linear(train: &Rows, test: &Rows) -> Option<Vec<(f64, f64)>> {
    let (d, n) = (train.d, train.n as f64);
    let mut memory = vec![0.0; Conjugate::<f64>::values(d).filter(|_| d < MOST)?];
    let fit = Conjugate::new(d, 1.0, 1.0 / (RIDGE * n).sqrt(), &mut memory).ok()?;
    let (mut centre, mut scale) = (Vec::with_capacity(d), Vec::with_capacity(d));
    for k in 0..d {
        let column = || (0..train.n).map(|i| train.x[i * d + k]);
        let first = train.x[k];
        let mean = column().fold(first, |mean, x| mean + (x - first) / n);
        let squares = column().fold(0.0, |sum, x| sum + (x - mean) * (x - mean) / n);
        centre.push(mean);
        scale.push(if squares > 0.0 { 1.0 / squares.sqrt() } else { 0.0 });
    }
    let y = train.targets();
    let level = y.iter().fold(0.0, |level, y| level + y / n);
    let mut own = Linear { centre, scale, level, fit };
    for i in 0..train.n {
        let z = own.standardised(train.row(i));
        let target = [y[i] - level];
        let row = Dataset::new(Inputs::row_major(&z, 1, d).ok()?, &target).ok()?;
        own.fit.add(&row).ok()?;
    }
    let (mut squares, mut freedom) = (0.0, n - 1.0);
    for i in 0..train.n {
        let (mean, out) = own.predict(train.row(i));
        squares += (y[i] - mean) * (y[i] - mean);
        freedom -= out;
    }
    let known = freedom > 0.5 && squares > 0.0;
    let at = |i: usize| {
        let (mean, out) = own.predict(test.row(i));
        (mean, squares / freedom * (1.0 + 1.0 / n + out))
    };
    known.then(|| (0..test.n).map(at).collect())
}

/// The error of linear regression on these rows, each predicted by a fit to all others; `None` where there is none. By one
/// fit (Allen 1974): with p parameters and the noise s^2 its variances s^2 (1 + h) sum to s^2 (n + p), its squared residuals
/// to s^2 (n - p), and a residual without its own row is that with it over 1 - h.
pub(crate) fn linear_error(rows: &Rows) -> Option<f64> {
    let (said, n) = (linear(rows, rows)?, rows.n as f64);
    let residuals = || rows.targets().iter().zip(&said).map(|(y, (mean, v))| (y - mean, *v));
    let twice = residuals().fold(0.0, |sum, (r, v)| sum + (v + r * r));
    let squares = residuals().fold(0.0, |sum, (r, v)| {
        let error = r / (2.0 - 2.0 * n * v / twice);
        sum + error * error
    });
    Some((squares / n).sqrt())
}

/// The distribution of a hurdle without inputs: the share of zeros, and a log-normal distribution of the rest.
struct Hurdle {
    zero: f64,
    mean: f64,
    variance: f64,
}

impl Hurdle {
    /// Of the training rows.
    fn of(train: &Rows) -> Self {
        let logs = || train.targets().iter().filter(|y| **y > 0.0).map(|y| y.ln());
        let n = logs().count() as f64;
        let mean = logs().fold(0.0, |sum, log| sum + log) / n;
        let share = |log: f64| (log - mean) * (log - mean) / (n - 1.0) * (1.0 + 1.0 / n);
        let variance = logs().fold(0.0, |sum, log| sum + share(log));
        Self { zero: 1.0 - n / train.n as f64, mean, variance }
    }

    /// The log density of a number, of 0 the log probability.
    fn score(&self, y: f64) -> f64 {
        if y > 0.0 {
            (-self.zero).ln_1p() + gaussian(y.ln(), self.mean, self.variance) - y.ln()
        } else {
            self.zero.ln()
        }
    }
}
