//! Constraints of one number.

use super::{Constraint, Parameter};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln, ln_1p};

/// logistic(-|x|) and log logistic(-|x|) + log logistic(|x|).
fn smaller<T: Real>(x: T) -> (T, T) {
    let e = exp(-x.abs());
    (e / (T::ONE + e), -x.abs() - T::lit(2.0) * ln_1p(e))
}

pub(super) fn constrain<T: Real>(p: &Parameter<'_, T>, x: &[T], y: &mut [T]) -> T {
    let mut log_jacobian = T::ZERO;
    for (x, y) in x.iter().zip(y) {
        let log_slope;
        (*y, log_slope) = match p.constraint {
            Constraint::Lower => (p.lower + exp(*x), *x),
            Constraint::Upper => (p.upper - exp(*x), *x),
            Constraint::Interval => {
                // From the nearer end, so that neither is reached by rounding before it must.
                let (width, (share, log_slope)) = (p.upper - p.lower, smaller(*x));
                let end = width * share;
                let y = if *x < T::ZERO { p.lower + end } else { p.upper - end };
                (y, ln(width) + log_slope)
            }
            Constraint::Affine => (p.lower + p.upper * *x, ln(p.upper)),
            _ => (*x, T::ZERO),
        };
        log_jacobian += log_slope;
    }
    log_jacobian
}

pub(super) fn pull_back<T: Real>(p: &Parameter<'_, T>, x: &[T], dy: &[T], dx: &mut [T]) {
    for ((x, dy), dx) in x.iter().zip(dy).zip(dx) {
        *dx = match p.constraint {
            Constraint::Lower => exp(*x) * *dy + T::ONE,
            Constraint::Upper => T::ONE - exp(*x) * *dy,
            Constraint::Interval => {
                let (share, _) = smaller(*x);
                let rest = T::ONE - share;
                let towards_zero = (rest - share).copysign(-*x);
                (p.upper - p.lower) * share * rest * *dy + towards_zero
            }
            Constraint::Affine => p.upper * *dy,
            _ => *dy,
        };
    }
}

pub(super) fn supports<T: Real>(p: &Parameter<'_, T>, y: &[T]) -> bool {
    y.iter().all(|y| match p.constraint {
        Constraint::Lower => *y > p.lower,
        Constraint::Upper => *y < p.upper,
        Constraint::Interval => *y > p.lower && *y < p.upper,
        _ => true,
    })
}

pub(super) fn unconstrain<T: Real>(p: &Parameter<'_, T>, y: &[T], x: &mut [T]) {
    for (y, x) in y.iter().zip(x) {
        let (above, below) = (*y - p.lower, p.upper - *y);
        *x = match p.constraint {
            Constraint::Lower => ln(above),
            Constraint::Upper => ln(below),
            Constraint::Interval => ln(above) - ln(below),
            Constraint::Affine => above / p.upper,
            _ => *y,
        };
    }
}
