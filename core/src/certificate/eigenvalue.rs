//! The largest eigenvalue of S X Cov\[w | xi\] X' S from draws of w | xi: below 1 for every xi, p(xi) is
//! log-concave (\[MB\] (14)).
//!
//! The largest eigenvalue of a sample's covariance is biased upward, for its direction follows the
//! noise. So the direction is taken from one half of the draws and the variance along it from the other:
//! an unbiased estimate of a variance that the eigenvalue is not below. It can refute log-concavity, not
//! prove it.

use super::CertificateError;
use super::draws::{Batches, WeightDraws};
use super::spectral::largest_singular;
use crate::coupling::{Channel, signals};
use crate::error::refuse;
use crate::linalg::{lower_len, rotate_in, unpack};
use crate::pieces::{cut, pieces, pieces_mut, total};
use crate::scalar::Real;
use crate::simd::{Portable, Vector, blocks, blocks_mut};

/// An estimate from draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate<T> {
    /// The estimate.
    pub value: T,
    /// Its Monte Carlo standard error, by means of batches.
    pub error: T,
    /// Where the choice between several estimates is made by: a number independent of `value`, so that
    /// the chosen one is not biased by the choice; `value` itself where that bias is on the safe side.
    pub selection: T,
}

/// The numbers of scratch that [`largest_eigenvalue`] takes for a channel of k = [`Channel::len`] rows
/// and w of `dim` coordinates: about 3 k^2/2. `None` if that overflows.
pub fn eigenvalue_scratch(k: usize, dim: usize) -> Option<usize> {
    total(parts(k, dim)?)
}

/// Rows; their triangle; A w; a direction; the mean of w, and w.
fn parts(k: usize, dim: usize) -> Option<[usize; 6]> {
    Some([k.checked_mul(k)?, lower_len(k)?, k, k, dim, dim])
}

/// The variance of v'A w, v the leading direction of A w in one half of the draws, over the other half;
/// `selection` is the eigenvalue of the first half. A' A = X' diag(rho) X, so that the eigenvalues are
/// those of S X Cov X' S: use a [`Triangular`](crate::coupling::Triangular) channel, k = M d. Greedy and
/// joint, any coupling, reduced ones too. k (dim + 3 k) flops a draw of the first half and dim of the
/// second, then about 30 k^3.
pub fn largest_eigenvalue<T: Real, C: Channel<T>>(
    channel: &C,
    draws: &WeightDraws<'_, T>,
    scratch: &mut [T],
) -> Result<Estimate<T>, CertificateError> {
    leading(channel, draws, scratch).map(|(estimate, _)| estimate)
}

/// The same, and A'v beside it.
pub(super) fn leading<'s, T: Real, C: Channel<T>>(
    channel: &C,
    draws: &WeightDraws<'_, T>,
    scratch: &'s mut [T],
) -> Result<(Estimate<T>, &'s [T]), CertificateError> {
    let short = CertificateError::TooShort;
    let (k, dim) = (channel.len(), channel.weights());
    refuse(dim != draws.dim(), short)?;
    let sizes = parts(k, dim).ok_or(CertificateError::Overflow)?;
    let ([rows, triangle, z, direction, mean, w], _) = cut(scratch, sizes).ok_or(short)?;
    let [first, second] = draws.halves();
    refuse(first.count() < 2 || second.count() < 2, CertificateError::TooFew)?;

    // The first half: the triangular factor of the scatter of A w, and its leading direction.
    mean.fill(T::ZERO);
    for (t, c) in first.each() {
        mean.iter_mut().zip(draws.w(t, c)).for_each(|(m, w)| *m += w);
    }
    let count = T::of_usize(first.count());
    mean.iter_mut().for_each(|m| *m = *m / count);
    triangle.fill(T::ZERO);
    for (t, c) in first.each() {
        draws.copy(t, c, w);
        w.iter_mut().zip(&*mean).for_each(|(w, m)| *w -= *m);
        let (w, z) = blocks::<T, 1>(w).zip(blocks_mut::<T, 1>(z)).ok_or(short)?;
        signals(Portable, channel, w, z, |signal, z| *z = signal.array());
        rotate_in(triangle, z.as_flattened_mut());
    }
    unpack(triangle, k, rows);
    let scatter = largest_singular(rows, k, Some(direction)).ok_or(CertificateError::NotFinite)?;
    let selection = scatter / (count - T::ONE);

    // The second half: the variance along A'v, about an origin near its mean.
    let along = w;
    pull(channel, direction, along);
    let project = |t: usize, c: usize| {
        let terms = along.iter().zip(draws.w(t, c)).zip(&*mean);
        terms.fold(T::ZERO, |sum, ((a, w), m)| sum + *a * (w - *m))
    };
    let start = second.draws.start;
    let mut centre = Batches::new(&second);
    for (t, c) in second.each() {
        centre.add(t.saturating_sub(start), project(t, c));
    }
    let middle = centre.mean();
    let mut squares = Batches::new(&second);
    for (t, c) in second.each() {
        let deviation = project(t, c) - middle;
        squares.add(t.saturating_sub(start), deviation * deviation);
    }
    // The scatter about the sample's mean lacks the variance of that mean.
    let value = squares.mean() + centre.error_squared();
    let error = squares.error_squared().sqrt();
    if value.is_finite() && selection.is_finite() {
        Ok((Estimate { value, error, selection }, along))
    } else if centre.error_squared().is_finite() {
        Err(CertificateError::NotFinite)
    } else {
        Err(CertificateError::TooFew)
    }
}

/// w = A'v.
pub(super) fn pull<T: Real, C: Channel<T>>(channel: &C, v: &[T], w: &mut [T]) {
    let (d, neurons) = (channel.d(), channel.neurons());
    w.fill(T::ZERO);
    for (i, v) in pieces(v, neurons).enumerate() {
        for (m, (v, w)) in v.iter().zip(pieces_mut(w, d)).enumerate() {
            let (weight, first, entries) = channel.row(i, m);
            let factor = weight * *v;
            w.iter_mut().skip(first).zip(entries).for_each(|(w, a)| *w += factor * a);
        }
    }
}
