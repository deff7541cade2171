//! The part of a coupling that a Gaussian prior does not make superfluous.
//!
//! With log p0(w) = -|w|^2/(2 sd^2) the Hessian of log p(w) is at most Q - I/sd^2, Q = X' diag(rho) X. A
//! coupling of precision P makes w | xi log-concave where Q - I/sd^2 - P <= 0: P = Q does, and so does
//! the positive part P = (Q - I/sd^2)_+, the smallest in trace, which leaves -(Q - I/sd^2)_-.

use super::CouplingError;
use crate::error::refuse;
use crate::linalg::{lower_len, orthogonalise_rows, rotate_in, unpack};
use crate::pieces::pieces_mut;
use crate::scalar::Real;

/// The numbers of scratch in which a coupling is reduced: d^2. `None` if that overflows.
pub fn reduced_scratch(d: usize) -> Option<usize> {
    d.checked_mul(d)
}

/// Replaces the packed upper triangle of R by that of the factor of (R'R - I/sd^2)_+.
///
/// R'R has the eigenpairs (sigma_j^2, v_j) of the rows sigma_j v_j' that rotating the rows of R to
/// orthogonality leaves; the rows (sigma_j^2 - 1/sd^2)_+^(1/2) v_j', those that are not zero, are
/// rotated into a triangle again. Concave up to d epsilon sigma_max^2, the rounding of Q itself.
pub(super) fn reduce<T: Real>(
    triangle: &mut [T],
    d: usize,
    sd: T,
    scratch: &mut [T],
) -> Result<(), CouplingError> {
    refuse(!(sd > T::ZERO && sd.is_finite()), CouplingError::Prior)?;
    let length = lower_len(d).ok_or(CouplingError::Shape)?;
    let triangle = triangle.get_mut(..length).ok_or(CouplingError::Shape)?;
    let rows = reduced_scratch(d).and_then(|k| scratch.get_mut(..k)).ok_or(CouplingError::Shape)?;
    // The largest entry taken out: no square overflows.
    let largest = triangle.iter().fold(T::ZERO, |max, r| max.max(r.abs()));
    if largest == T::ZERO {
        return Ok(());
    }
    unpack(triangle, d, rows);
    rows.iter_mut().for_each(|r| *r = *r / largest);
    refuse(!orthogonalise_rows(rows, d), CouplingError::Overflow)?;
    triangle.fill(T::ZERO);
    let covered = T::ONE / sd / largest;
    for row in pieces_mut(rows, d) {
        let sigma = row.iter().fold(T::ZERO, |sum, x| sum + *x * *x).sqrt();
        if sigma > covered {
            let scale = ((sigma - covered) * (sigma + covered)).sqrt() / sigma * largest;
            row.iter_mut().for_each(|x| *x = scale * *x);
            rotate_in(triangle, row);
        }
    }
    Ok(())
}
