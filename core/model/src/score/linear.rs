//! Linear regression in closed form, by least squares: the core's conjugate regression on standardised inputs, of noise 1.
//! Its prior is no more than a ridge against columns that say the same.

use crate::rows::Rows;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Conjugate;

const RIDGE: f64 = 1e-9;
/// Columns beyond which it is not tried.
const MOST: usize = 4096;

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
pub(super) fn linear(train: &Rows, test: &Rows) -> Option<Vec<(f64, f64)>> {
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
