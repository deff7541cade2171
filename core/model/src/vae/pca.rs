//! Probabilistic PCA in closed form (Tipping and Bishop 1999): what a linear auto-encoder comes to.

use crate::rows::Rows;

const SWEEPS: usize = 40;

/// What it comes to.
#[derive(Clone, Copy, Debug)]
pub struct Pca {
    /// The mean log density of a training row ...
    pub train: f64,
    /// ... and of a held-out row; NaN without any.
    pub test: f64,
    /// The sd of the noise.
    pub noise: f64,
}

/// A covariance: its eigenvalues by size, and the eigenvectors, one after another.
struct Spectrum {
    mean: Vec<f64>,
    values: Vec<f64>,
    vectors: Vec<Vec<f64>>,
}

/// The rotation of planes p and q of rows that are `stride` numbers apart, `next` from one number to the next.
fn rotate(a: &mut [f64], (p, q): (usize, usize), (stride, next): (usize, usize), [c, s]: [f64; 2]) {
    for k in 0..a.len() / stride.max(next) {
        let (at_p, at_q) = (k * next + p * stride, k * next + q * stride);
        let (x, y) = (a[at_p], a[at_q]);
        a[at_p] = c * x - s * y;
        a[at_q] = s * x + c * y;
    }
}

/// Jacobi's rotations: the eigenvalues of the symmetric `a` are on its diagonal then; the eigenvectors, columns.
fn diagonalise(a: &mut [f64], d: usize) -> Vec<f64> {
    let mut v = vec![0.0; d * d];
    (0..d).for_each(|k| v[k * (d + 1)] = 1.0);
    for _ in 0..SWEEPS {
        let (mut off, mut trace) = (0.0, 0.0);
        for p in 0..d {
            trace += a[p * (d + 1)].abs();
            off = (0..p).fold(off, |off, q| off + a[p * d + q].abs());
        }
        if off <= 1e-15 * trace {
            break;
        }
        for (p, q) in (0..d).flat_map(|p| (p + 1..d).map(move |q| (p, q))) {
            let apq = a[p * d + q];
            if apq == 0.0 {
                continue;
            }
            let ratio = (a[q * (d + 1)] - a[p * (d + 1)]) / (2.0 * apq);
            let sign = if ratio < 0.0 { -1.0 } else { 1.0 };
            let t = sign / (ratio.abs() + ratio.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let by = [c, t * c];
            rotate(a, (p, q), (1, d), by);
            rotate(&mut v, (p, q), (1, d), by);
            rotate(a, (p, q), (d, 1), by);
        }
    }
    v
}

impl Spectrum {
    fn of(rows: &Rows) -> Self {
        let (n, d) = (rows.n as f64, rows.d);
        let (mut mean, mut a) = (vec![0.0; d], vec![0.0; d * d]);
        for x in rows.x.chunks_exact(d) {
            mean.iter_mut().zip(x).for_each(|(mean, x)| *mean += x / n);
        }
        for x in rows.x.chunks_exact(d) {
            for j in 0..d {
                for l in 0..d {
                    a[j * d + l] += (x[j] - mean[j]) * (x[l] - mean[l]) / n;
                }
            }
        }
        let v = diagonalise(&mut a, d);
        let mut order: Vec<usize> = (0..d).collect();
        // Stable, so that the order of equal ones is that of the columns.
        order.sort_by(|i, j| a[j * (d + 1)].total_cmp(&a[i * (d + 1)]));
        let values = order.iter().map(|i| a[i * (d + 1)]).collect();
        let vectors = order.iter().map(|i| (0..d).map(|j| v[j * d + i]).collect()).collect();
        Self { mean, values, vectors }
    }

    /// The mean log density of rows under the k largest eigenvalues and that noise beside.
    fn density(&self, rows: &Rows, k: usize, noise: f64) -> f64 {
        let d = rows.d;
        let log_det =
            self.values[..k].iter().fold((d - k) as f64 * noise.ln(), |sum, v| sum + v.ln());
        let mut sum = 0.0;
        for x in rows.x.chunks_exact(d) {
            let away = |j: usize| x[j] - self.mean[j];
            let mut square = (0..d).fold(0.0, |sum, j| sum + away(j) * away(j) / noise);
            for (value, vector) in self.values.iter().zip(&self.vectors).take(k) {
                let along = (0..d).fold(0.0, |sum, j| sum + vector[j] * away(j));
                square += along * along * (1.0 / value - 1.0 / noise);
            }
            sum -= 0.5 * (d as f64 * std::f64::consts::TAU.ln() + log_det + square);
        }
        sum / rows.n as f64
    }
}

/// With k coordinates, fewer than columns.
pub fn pca(train: &Rows, test: Option<&Rows>, k: usize) -> Pca {
    let own = Spectrum::of(train);
    let rest = (train.d - k) as f64;
    let noise = own.values[k..].iter().fold(0.0, |sum, v| sum + v / rest);
    Pca {
        train: own.density(train, k, noise),
        test: test.map_or(f64::NAN, |test| own.density(test, k, noise)),
        noise: noise.sqrt(),
    }
}
