//! \[MB\] Lemma 3: under a Gaussian prior Cov\[w | xi\] <= E\[(I/sd^2 - Hess g(w))^-1 | xi\] (25), by
//! the inequality of Brascamp and Lieb, g(w) = log p(w | xi) - log p0(w).

use super::CertificateError;
use super::curvature::{precision, precision_scratch};
use super::draws::{Batches, WeightDraws};
use super::eigenvalue::{Estimate, pull};
use super::spectral::largest_singular;
use crate::coupling::Channel;
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::linalg::one::{cholesky, solve_lower};
use crate::pieces::{cut, pieces, pieces_mut, total};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::scalar::Real;
use crate::simd::blocks_mut;

/// The numbers of scratch that [`lemma3`] takes for k = [`Channel::len`] and w of `dim` coordinates in M
/// neurons. `None` if that overflows.
pub fn lemma3_scratch(k: usize, dim: usize, neurons: usize) -> Option<usize> {
    total(parts(k, dim, neurons)?)
}

/// A Cholesky factor; the sum; L^-1 A'; a direction; w and a vector beside it; the scratch of a Hessian.
fn parts(k: usize, dim: usize, neurons: usize) -> Option<[usize; 7]> {
    let (square, solved) = (k.checked_mul(k)?, k.checked_mul(dim)?);
    Some([lower_len(dim)?, square, solved, k, dim, dim, precision_scratch(dim, neurons)?])
}

/// The largest eigenvalue of A E\[(I/sd^2 - Hess g)^-1 | xi\] A' from draws of w | xi: below 1, the
/// Hessian of log p(xi) is negative definite at this xi. The average is over all draws, so its largest
/// eigenvalue errs upward, on the safe side. Twice, for each draw, a Hessian (`curvature`) and a Cholesky
/// factor, (M d)^3/3 flops, and k (M d)^2 + k^2 M d once. Gaussian prior only.
pub fn lemma3<T: Real, C: Channel<T>>(
    problem: &Problem<'_, T>,
    channel: &C,
    draws: &WeightDraws<'_, T>,
    scratch: &mut [T],
) -> Result<Estimate<T>, CertificateError> {
    if !matches!(problem.prior(), Prior::Gaussian { .. }) {
        return Err(CertificateError::NeedsGaussian);
    }
    let short = CertificateError::TooShort;
    let (k, dim) = (channel.len(), channel.weights());
    refuse(dim != draws.dim() || dim != problem.dim(), short)?;
    let sizes = parts(k, dim, problem.neurons()).ok_or(CertificateError::Overflow)?;
    let ([lower, sum, solved, direction, w, along, rest], _) = cut(scratch, sizes).ok_or(short)?;
    let lower = blocks_mut::<T, 1>(lower).ok_or(short)?;
    let whole = draws.whole();

    sum.fill(T::ZERO);
    for (t, c) in whole.each() {
        draws.copy(t, c, w);
        factor(problem, channel, w, lower, rest)?;
        // Row l of `solved`: L^-1 a_l, a_l the l-th row of A.
        for (l, row) in pieces_mut(solved, dim).enumerate() {
            direction.fill(T::ZERO);
            if let Some(x) = direction.get_mut(l) {
                *x = T::ONE;
            }
            pull(channel, direction, row);
            solve_lower(lower, blocks_mut::<T, 1>(row).ok_or(short)?);
        }
        for (l, out) in pieces_mut(sum, k).enumerate() {
            let row = solved.get(l.saturating_mul(dim)..).unwrap_or(&[]);
            for (out, other) in out.iter_mut().zip(pieces(solved, dim)) {
                *out += row.iter().zip(other).fold(T::ZERO, |s, (a, b)| s + *a * *b);
            }
        }
    }
    let count = T::of_usize(whole.count());
    sum.iter_mut().for_each(|x| *x = *x / count);
    // Symmetric and positive: its singular values are its eigenvalues.
    let square =
        largest_singular(sum, k, Some(&mut *direction)).ok_or(CertificateError::NotFinite)?;
    let value = square.sqrt();

    let mut batches = Batches::new(&whole);
    pull(channel, direction, along);
    for (t, c) in whole.each() {
        draws.copy(t, c, w);
        factor(problem, channel, w, lower, rest)?;
        w.iter_mut().zip(&*along).for_each(|(w, a)| *w = *a);
        solve_lower(lower, blocks_mut::<T, 1>(w).ok_or(short)?);
        batches.add(t, w.iter().fold(T::ZERO, |s, x| s + *x * *x));
    }
    let error = batches.error_squared().sqrt();
    Ok(Estimate { value, error, selection: value })
}

/// The Cholesky factor of the precision at w.
fn factor<T: Real, C: Channel<T>>(
    problem: &Problem<'_, T>,
    channel: &C,
    w: &[T],
    lower: &mut [[T; 1]],
    scratch: &mut [T],
) -> Result<(), CertificateError> {
    precision(problem, Some(channel), w, lower, scratch)?;
    cholesky(lower, problem.dim(), T::EPSILON);
    Ok(())
}
