//! Cholesky factors, row by row. Of each row the part up to its diagonal is looked at; what is above is 0.

use super::is_one;
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln, ln_1p, tanh};
use crate::sum::Sum;

/// Row i up to its diagonal, the diagonal apart.
fn row<T>(y: &[T], i: usize) -> Option<(&T, &[T])> {
    y.get(..=i)?.split_last()
}

/// 1/cosh x and log(1 - tanh(x)^2).
fn sech<T: Real>(x: T) -> (T, T) {
    let two = T::lit(2.0);
    let e = exp(-x.abs());
    let square = e * e;
    (two * e / (T::ONE + square), two * (T::lit(core::f64::consts::LN_2) - x.abs() - ln_1p(square)))
}

/// L_ij = tanh(x_ij) s_ij with s_ij^2 = 1 - sum_(k<j) L_ik^2, the product of what the partial correlations before j
/// leave.
pub(super) fn correlation<T: Real>(x: &[T], y: &mut [T], size: usize) -> T {
    let mut coordinates = x.iter();
    let mut log_jacobian = T::ZERO;
    for (i, row) in pieces_mut(y, size).enumerate() {
        row.fill(T::ZERO);
        let (mut left, mut log_left) = (T::ONE, T::ZERO);
        let Some((diagonal, below)) = row.get_mut(..=i).and_then(<[T]>::split_last_mut) else {
            return T::NAN;
        };
        for (y, x) in below.iter_mut().zip(&mut coordinates) {
            let (sech, log_slope) = sech(*x);
            *y = tanh(*x) * left;
            log_jacobian += log_slope + T::HALF * log_left;
            left = left * sech;
            log_left += log_slope;
        }
        *diagonal = left;
    }
    log_jacobian
}

pub(super) fn correlation_back<T: Real>(x: &[T], y: &[T], dy: &[T], dx: &mut [T], size: usize) {
    let (mut x, mut dx) = (x, dx);
    for (i, (y, dy)) in pieces(y, size).zip(pieces(dy, size)).enumerate() {
        let (Some((diagonal, below)), Some((d_diagonal, d_below))) = (row(y, i), row(dy, i)) else {
            return;
        };
        let Some((own, rest)) = x.split_at_checked(i) else { return };
        let Some((d_own, d_rest)) = core::mem::take(&mut dx).split_at_mut_checked(i) else {
            return;
        };
        (x, dx) = (rest, d_rest);
        // s_(j+1)^2, and s^2 times the derivative by s^2 of all from there on.
        let mut left = *diagonal * *diagonal;
        let mut pull = T::HALF * *diagonal * *d_diagonal;
        let elements = below.iter().zip(d_below).zip(own.iter().zip(d_own));
        for ((y, dy), (x, dx)) in elements.rev() {
            left += *y * *y;
            let (sech, _) = sech(*x);
            *dx = *dy * left.sqrt() * sech * sech - T::lit(2.0) * tanh(*x) * (pull + T::ONE);
            pull += T::HALF * (*y * *dy + T::ONE);
        }
    }
}

pub(super) fn correlation_free<T: Real>(y: &[T], x: &mut [T], size: usize) {
    let mut x = x;
    for (i, y) in pieces(y, size).enumerate() {
        let Some((diagonal, below)) = row(y, i) else { return };
        let Some((own, rest)) = core::mem::take(&mut x).split_at_mut_checked(i) else { return };
        x = rest;
        let mut left = *diagonal * *diagonal;
        for (y, x) in below.iter().zip(own).rev() {
            // artanh(y/s), s^2 = y^2 + what is left behind it.
            let r = left.sqrt();
            left += *y * *y;
            *x = ln((y.abs() + left.sqrt()) / r).copysign(*y);
        }
    }
}

/// Whether it is a lower triangle with a positive diagonal, of a correlation matrix with rows of norm 1.
pub(super) fn is_factor<T: Real>(y: &[T], size: usize, correlation: bool) -> bool {
    pieces(y, size).enumerate().all(|(i, whole)| {
        let squares = Sum::of(whole.iter().map(|y| *y * *y));
        row(whole, i).is_some_and(|(diagonal, _)| *diagonal > T::ZERO)
            && whole.iter().skip(i).skip(1).all(|y| *y == T::ZERO)
            && (!correlation || is_one(squares))
    })
}

pub(super) fn covariance<T: Real>(x: &[T], y: &mut [T], size: usize) -> T {
    let mut coordinates = x.iter();
    let mut log_jacobian = T::ZERO;
    for (i, row) in pieces_mut(y, size).enumerate() {
        row.fill(T::ZERO);
        for (j, y) in row.iter_mut().take(i.wrapping_add(1)).enumerate() {
            let Some(x) = coordinates.next() else { return T::NAN };
            *y = if j < i { *x } else { exp(*x) };
            log_jacobian += if j < i { T::ZERO } else { *x };
        }
    }
    log_jacobian
}

pub(super) fn covariance_back<T: Real>(y: &[T], dy: &[T], dx: &mut [T], size: usize) {
    let mut coordinates = dx.iter_mut();
    for (i, (y, dy)) in pieces(y, size).zip(pieces(dy, size)).enumerate() {
        for (j, (y, dy)) in y.iter().zip(dy).take(i.wrapping_add(1)).enumerate() {
            let Some(dx) = coordinates.next() else { return };
            *dx = if j < i { *dy } else { *dy * *y + T::ONE };
        }
    }
}

pub(super) fn covariance_free<T: Real>(y: &[T], x: &mut [T], size: usize) {
    let mut coordinates = x.iter_mut();
    for (i, y) in pieces(y, size).enumerate() {
        for ((j, y), x) in y.iter().take(i.wrapping_add(1)).enumerate().zip(&mut coordinates) {
            *x = if j < i { *y } else { ln(*y) };
        }
    }
}
