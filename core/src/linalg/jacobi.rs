//! A singular value decomposition in place, by one-sided Jacobi rotations.

use crate::pieces::pieces_mut;
use crate::scalar::Real;
use core::mem::take;

/// More sweeps than any matrix has been seen to take: convergence is quadratic at the end.
const SWEEPS: usize = 40;

/// Rotates the rows of a square matrix until they are orthogonal to each other: R becomes W R with W
/// orthogonal, so R'R stays what it was, and row j ends as sigma_j v_j', a singular value of R times
/// its right singular vector; sigma_j^2 and v_j are the eigenpairs of R'R, found without forming it and
/// so without squaring the condition number (Hestenes 1958; Demmel and Veselic 1992: every sigma_j to
/// a few units of its own last place where the columns are scaled well).
///
/// `rows` holds d rows of d numbers none of which is much larger than 1: squares are summed. Sweeps
/// over the pairs (0, 1), (0, 2), ..., (d - 2, d - 1), sums from the first column to the last, until no
/// two rows have a cosine above d epsilon: 4 d^3 flops a sweep, of which there are 5 to 10. Rows smaller
/// than the square root of the least number count as zero. `false` if it did not converge in 40 sweeps
/// (a number is not finite).
pub fn orthogonalise_rows<T: Real>(rows: &mut [T], d: usize) -> bool {
    let cosine = T::EPSILON * T::of_usize(d);
    (0..SWEEPS).any(|_| !sweep(rows, d, cosine))
}

/// One sweep; whether some pair had to be rotated.
fn sweep<T: Real>(rows: &mut [T], d: usize, cosine: T) -> bool {
    let (mut rest, mut rotated) = (rows, false);
    while let Some((first, below)) = take(&mut rest).split_at_mut_checked(d.max(1)) {
        for second in pieces_mut(&mut *below, d) {
            rotated |= rotate(first, second, cosine);
        }
        rest = below;
    }
    rotated
}

/// Makes two rows orthogonal; whether they were not.
fn rotate<T: Real>(first: &mut [T], second: &mut [T], cosine: T) -> bool {
    let (mut a, mut b, mut c) = (T::ZERO, T::ZERO, T::ZERO);
    for (x, y) in first.iter().zip(&*second) {
        a += *x * *x;
        b += *y * *y;
        c += *x * *y;
    }
    let least = T::MIN_POSITIVE / T::EPSILON;
    if a < least || b < least || c.abs() <= cosine * (a.sqrt() * b.sqrt()) {
        return false;
    }
    // The smaller angle of the two that do it (Rutishauser 1966).
    let cotangent = (b - a) / (c + c);
    let size = cotangent.abs();
    // Where the square would not fit, nor count.
    let root = if size * T::EPSILON < T::ONE { (T::ONE + size * size).sqrt() } else { size };
    let tangent = T::ONE / (size + root);
    let tangent = if cotangent < T::ZERO { -tangent } else { tangent };
    let cos = T::ONE / (T::ONE + tangent * tangent).sqrt();
    let sin = cos * tangent;
    for (x, y) in first.iter_mut().zip(second) {
        let (old, new) = (*x, *y);
        *x = cos * old - sin * new;
        *y = sin * old + cos * new;
    }
    true
}
