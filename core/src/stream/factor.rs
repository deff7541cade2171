//! The covariance of a head as V = U D U', U unit upper triangular, D positive: measured by Bierman's
//! algorithm (G. J. Bierman, "Measurement updating using the U-D factorization", Automatica 12, 1976),
//! which neither subtracts nor takes roots of what may be negative, so that V stays positive in any
//! precision.
//!
//! Packed by columns: column j is u_0j, ..., u_{j-1,j}, d_j; P (P + 1) / 2 values in all.

use crate::linalg::dot;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::mem::take;

/// f = U' phi, and phi' V phi = sum_j d_j f_j^2 from j = 0 upward. P^2 + 2 P flops.
#[inline(always)]
pub(super) fn project<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut factor: &[[T; N]],
    phi: &[[T; N]],
    f: &mut [[T; N]],
) -> S::V {
    let mut sum = s.zero();
    for (j, (own, f)) in phi.iter().zip(f).enumerate() {
        let Some((column, rest)) = factor.split_at_checked(j + 1) else {
            return sum;
        };
        factor = rest;
        if let Some((d, u)) = column.split_last() {
            let value = s.load(own) + dot(s, u, phi);
            *f = value.array();
            sum = sum + s.load(d) * (value * value);
        }
    }
    sum
}

/// V <- V - V phi phi' V / S for a row phi of the given precision p (S = 1/p + phi' V phi), with
/// f = U' phi, the first `from` entries of which are zero. Leaves V phi in `gain` (P blocks) and
/// returns 1/S. 2 P^2 flops, P divisions.
#[inline(always)]
pub(super) fn measure<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut factor: &mut [[T; N]],
    f: &[[T; N]],
    from: usize,
    precision: S::V,
    gain: &mut [[T; N]],
) -> S::V {
    let (mut alpha, mut inverse) = (s.one() / precision, precision);
    gain.iter_mut().for_each(|g| *g = [T::ZERO; N]);
    for (j, f) in f.iter().enumerate() {
        let Some((column, rest)) = take(&mut factor).split_at_mut_checked(j + 1) else {
            return inverse;
        };
        factor = rest;
        let (Some((d, u)), Some((before, [own, ..]))) =
            (column.split_last_mut(), gain.split_at_mut_checked(j))
        else {
            return inverse;
        };
        if j < from {
            continue;
        }
        let (f, old) = (s.load(f), s.load(d));
        let g = f * old;
        let next = alpha + f * g;
        let next_inverse = s.one() / next;
        *d = (old * (alpha * next_inverse)).array();
        let slope = -(f * inverse);
        for (u, b) in u.iter_mut().zip(before) {
            let (old, gain) = (s.load(u), s.load(b));
            *u = (old + gain * slope).array();
            *b = (gain + old * g).array();
        }
        *own = g.array();
        (alpha, inverse) = (next, next_inverse);
    }
    inverse
}

/// V <- scale V. P flops.
#[inline(always)]
pub(super) fn scale<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut factor: &mut [[T; N]],
    order: usize,
    by: S::V,
) {
    for j in 0..order {
        let Some((column, rest)) = take(&mut factor).split_at_mut_checked(j + 1) else {
            return;
        };
        factor = rest;
        if let Some(d) = column.last_mut() {
            *d = (s.load(d) * by).array();
        }
    }
}

/// f = U' e_k: zero before k, one there, then row k of U.
#[inline(always)]
pub(super) fn project_unit<T: Real, const N: usize>(
    mut factor: &[[T; N]],
    k: usize,
    f: &mut [[T; N]],
) {
    for (j, f) in f.iter_mut().enumerate() {
        let Some((column, rest)) = factor.split_at_checked(j + 1) else {
            return;
        };
        factor = rest;
        *f = match j.cmp(&k) {
            core::cmp::Ordering::Less => [T::ZERO; N],
            core::cmp::Ordering::Equal => [T::ONE; N],
            core::cmp::Ordering::Greater => column.get(k).copied().unwrap_or([T::ZERO; N]),
        };
    }
}
