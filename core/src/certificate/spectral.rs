//! Largest eigenvalues, by singular values: of X' diag(rho) X without forming it, and of symmetric
//! matrices that are not too negative.

use super::CertificateError;
use crate::coupling::{Channel, Coupling, Triangular};
use crate::data::Inputs;
use crate::linalg::{lower_len, orthogonalise_rows, unpack};
use crate::pieces::{cut, pieces, pieces_mut, total};
use crate::scalar::Real;

/// The numbers of scratch that [`largest_of_weighted`] takes: about d min(n, d) + d^2/2. `None` if that
/// overflows.
pub fn weighted_scratch(n: usize, d: usize) -> Option<usize> {
    total(parts(n, d)?)
}

/// Rows; their triangle; a row.
fn parts(n: usize, d: usize) -> Option<[usize; 3]> {
    Some([d.checked_mul(n.min(d))?, lower_len(d)?, d])
}

/// lambda_max(X' diag(rho) X), rho_i >= 0: the square of the largest singular value of diag(sqrt rho) X,
/// to a few units in the last place. 3 n d^2 flops to make it square where n > d, then about 30 m^2 d, m =
/// min(n, d).
pub fn largest_of_weighted<T: Real>(
    inputs: Inputs<'_, T>,
    rho: &[T],
    scratch: &mut [T],
) -> Result<T, CertificateError> {
    let (n, d) = (inputs.n(), inputs.d());
    let sizes = parts(n, d).ok_or(CertificateError::Overflow)?;
    let ([rows, factor, row], _) = cut(scratch, sizes).ok_or(CertificateError::TooShort)?;
    let coupling = Coupling::greedy(inputs, rho)?;
    if n < d {
        for (i, row) in pieces_mut(rows, d).enumerate() {
            let (root, _, entries) = coupling.row(i, 0);
            row.iter_mut().zip(entries).for_each(|(r, x)| *r = root * x);
        }
    } else {
        let triangle = Triangular::factorise(&coupling, factor, row)?;
        unpack(triangle.factor(), d, rows);
    }
    largest_singular(rows, d, None).ok_or(CertificateError::NotFinite)
}

/// The square of the largest singular value of rows of d numbers, which are used up, and its right
/// singular vector of length 1 (of the first axis where all is zero). `None` if it is not finite.
pub(super) fn largest_singular<T: Real>(
    rows: &mut [T],
    d: usize,
    vector: Option<&mut [T]>,
) -> Option<T> {
    let largest = rows.iter().fold(T::ZERO, |max, r| max.max(r.abs()));
    let sound = rows.iter().all(|r| r.is_finite());
    if !sound {
        return None;
    }
    let mut best = (T::ZERO, 0_usize);
    if largest > T::ZERO {
        // No square overflows.
        rows.iter_mut().for_each(|r| *r = *r / largest);
        if !orthogonalise_rows(rows, d) {
            return None;
        }
        for (i, row) in pieces(rows, d).enumerate() {
            let square = row.iter().fold(T::ZERO, |sum, x| sum + *x * *x);
            if square > best.0 {
                best = (square, i);
            }
        }
    }
    if let Some(vector) = vector {
        let norm = best.0.sqrt();
        vector.fill(T::ZERO);
        if norm > T::ZERO {
            if let Some(row) = pieces(rows, d).nth(best.1) {
                vector.iter_mut().zip(row).for_each(|(v, x)| *v = *x / norm);
            }
        } else if let Some(first) = vector.first_mut() {
            *first = T::ONE;
        }
    }
    Some(best.0 * largest * largest).filter(|x| x.is_finite())
}

/// The largest eigenvalue of a symmetric matrix (d rows of d, used up), right up to its rounding
/// d epsilon |A|, which is returned beside it. By the singular values of A + t I, t = max_j sum_k |a_jk|.
/// `None` if it is not finite.
pub(super) fn largest_symmetric<T: Real>(rows: &mut [T], d: usize) -> Option<(T, T)> {
    let mut shift = T::ZERO;
    for row in pieces(rows, d) {
        shift = shift.max(row.iter().fold(T::ZERO, |sum, x| sum + x.abs()));
    }
    for (j, row) in pieces_mut(rows, d).enumerate() {
        if let Some(x) = row.get_mut(j) {
            *x += shift;
        }
    }
    let square = largest_singular(rows, d, None)?;
    Some((square.sqrt() - shift, T::of_usize(d.saturating_add(8)) * T::EPSILON * shift))
}
