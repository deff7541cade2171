//! Small linear algebra, statistics and comparisons.

use lcc_core::coupling::{Channel, Coupling, Triangular, factor_len};
use lcc_core::random::{Purpose, Stream};
use nalgebra::DMatrix;

/// A standard normal.
pub fn normal(stream: &mut Stream) -> f64 {
    stream.normal()
}

/// Mean and variance, with denominator n - 1.
pub fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// Mean of independent values, and its standard error.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let (mean, variance) = mean_and_variance(values);
    (mean, (variance / values.len() as f64).sqrt())
}

/// One stream a lane.
pub fn streams<const N: usize>(seed: u64) -> [Stream; N] {
    std::array::from_fn(|k| Stream::new(seed, k as u64, Purpose::Gibbs))
}

/// The same xi in each of 8 lanes, flat.
pub fn broadcast(xi: &[f64]) -> Vec<f64> {
    xi.iter().flat_map(|x| [*x; 8]).collect()
}

/// One lane.
pub fn blocks1(x: &[f64]) -> Vec<[f64; 1]> {
    x.iter().map(|x| [*x]).collect()
}

/// One lane's values.
pub fn flat1(x: &[[f64; 1]]) -> Vec<f64> {
    x.iter().map(|x| x[0]).collect()
}

/// |a - b| <= tolerance (1 + |b|), entry by entry.
pub fn close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}[{k}]: {a} against {b}");
    }
}

/// The largest eigenvalue of a symmetric matrix.
pub fn largest_eigenvalue(matrix: &[f64], k: usize) -> f64 {
    DMatrix::from_row_slice(k, k, matrix).symmetric_eigenvalues().max()
}

/// v with R'v = t for packed upper R; coordinates with a zero pivot get 0.
pub fn forward(r: &[f64], d: usize, t: &[f64]) -> Vec<f64> {
    let row = |i: usize| &r[i * (2 * d - i + 1) / 2..][..d - i];
    let mut rest = t.to_vec();
    let mut v = vec![0.0; d];
    for i in 0..d {
        if row(i)[0].abs() > 1e-12 {
            v[i] = rest[i] / row(i)[0];
        }
        for (x, r) in rest[i..].iter_mut().zip(row(i)) {
            *x -= r * v[i];
        }
    }
    v
}

/// The triangular factor of a coupling, in fresh memory.
pub fn factorise<'a>(
    coupling: &Coupling<'_, f64>,
    memory: &'a mut Vec<f64>,
) -> Triangular<'a, f64> {
    let d = coupling.d();
    memory.resize(factor_len(d, coupling.classes()).unwrap(), f64::NAN);
    Triangular::factorise(coupling, memory, &mut vec![0.0; d]).unwrap()
}
