//! Constraints of vectors.

use super::is_one;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};
use crate::sum::Sum;

/// sqrt(i (i + 1)): the norm of 1, ..., 1, -i.
fn norm<T: Real>(i: usize) -> T {
    let i = T::of_usize(i);
    (i * (i + T::ONE)).sqrt()
}

/// The coordinates of the vector `z`, less its mean, along (1, ..., 1, -i, 0, ...)/norm, i = 1, ..., K - 1.
fn contrasts<T: Real>(z: impl Iterator<Item = T>, x: &mut [T]) {
    let mut sum = T::ZERO;
    let mut places = x.iter_mut();
    for (i, z) in z.enumerate() {
        if i > 0
            && let Some(x) = places.next()
        {
            *x = (sum - T::of_usize(i) * z) / norm(i);
        }
        sum += z;
    }
}

pub(super) fn simplex<T: Real>(x: &[T], y: &mut [T]) -> T {
    let size = y.len();
    // The zero-sum vector, from its end: what later contrasts add to all before them.
    let mut later = T::ZERO;
    for (i, y) in y.iter_mut().enumerate().rev() {
        let own = i.checked_sub(1).and_then(|k| x.get(k)).map_or(T::ZERO, |x| *x / norm(i));
        *y = later - T::of_usize(i) * own;
        later += own;
    }
    let top = y.iter().fold(-T::INFINITY, |top, z| z.max(top));
    let total = Sum::of(y.iter().map(|z| exp(*z - top)));
    let log_total = top + ln(total);
    // sum log y: that of z is 0.
    y.iter_mut().for_each(|y| *y = exp(*y - log_total));
    let k = T::of_usize(size);
    T::HALF * ln(k) - k * log_total
}

pub(super) fn simplex_back<T: Real>(y: &[T], dy: &[T], dx: &mut [T]) {
    let mean = Sum::of(y.iter().zip(dy).map(|(y, d)| *y * *d));
    let k = T::of_usize(y.len());
    contrasts(y.iter().zip(dy).map(|(y, d)| *y * (*d - mean) - k * *y), dx);
}

pub(super) fn is_simplex<T: Real>(y: &[T]) -> bool {
    y.iter().all(|y| *y > T::ZERO) && is_one(Sum::of(y.iter().copied()))
}

pub(super) fn simplex_free<T: Real>(y: &[T], x: &mut [T]) {
    contrasts(y.iter().map(|y| ln(*y)), x);
}

pub(super) fn ordered<T: Real>(x: &[T], y: &mut [T], positive: bool) -> T {
    let (mut at, mut log_jacobian) = (T::ZERO, T::ZERO);
    for (i, (x, y)) in x.iter().zip(y).enumerate() {
        if i > 0 || positive {
            at += exp(*x);
            log_jacobian += *x;
        } else {
            at = *x;
        }
        *y = at;
    }
    log_jacobian
}

pub(super) fn ordered_back<T: Real>(x: &[T], dy: &[T], dx: &mut [T], positive: bool) {
    let mut later = T::ZERO;
    for (i, ((x, dy), dx)) in x.iter().zip(dy).zip(dx).enumerate().rev() {
        later += *dy;
        *dx = if i > 0 || positive { later * exp(*x) + T::ONE } else { later };
    }
}

pub(super) fn is_ordered<T: Real>(y: &[T], positive: bool) -> bool {
    let above = y.first().is_none_or(|y| !positive || *y > T::ZERO);
    above && y.iter().zip(y.iter().skip(1)).all(|(a, b)| a < b)
}

pub(super) fn ordered_free<T: Real>(y: &[T], x: &mut [T], positive: bool) {
    let mut before = T::ZERO;
    for (i, (y, x)) in y.iter().zip(x).enumerate() {
        let step = *y - before;
        *x = if i > 0 || positive { ln(step) } else { step };
        before = *y;
    }
}

fn length<T: Real>(x: &[T]) -> T {
    Sum::of(x.iter().map(|x| *x * *x)).sqrt()
}

pub(super) fn unit<T: Real>(x: &[T], y: &mut [T]) -> T {
    let length = length(x);
    y.iter_mut().zip(x).for_each(|(y, x)| *y = *x / length);
    -T::HALF * length * length
}

pub(super) fn unit_back<T: Real>(x: &[T], y: &[T], dy: &[T], dx: &mut [T]) {
    let length = length(x);
    let along = Sum::of(y.iter().zip(dy).map(|(y, d)| *y * *d));
    for (((x, y), dy), dx) in x.iter().zip(y).zip(dy).zip(dx) {
        *dx = (*dy - along * *y) / length - *x;
    }
}

pub(super) fn is_unit<T: Real>(y: &[T]) -> bool {
    is_one(length(y))
}
