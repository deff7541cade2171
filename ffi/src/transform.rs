//! Parameters with constraints

use crate::prelude::*;
use core::ffi::c_char;
use lcc_core::scalar::Real;
use lcc_core::transform::{Parameter, TransformError};

codes! {
    i32 LCC_CONSTRAINT_FREE = 0, "y = x.";
    i32 LCC_CONSTRAINT_LOWER = 1, "y > lower: y = lower + exp(x).";
    i32 LCC_CONSTRAINT_UPPER = 2, "y < upper: y = upper - exp(x).";
    i32 LCC_CONSTRAINT_INTERVAL = 3, "lower < y < upper: y = lower + (upper - lower) logistic(x).";
    i32 LCC_CONSTRAINT_AFFINE = 4, "y = lower + upper x: offset and multiplier.";
    i32 LCC_CONSTRAINT_SIMPLEX = 5, "K positive numbers of sum 1, by K - 1 isometric log ratios.";
    i32 LCC_CONSTRAINT_ORDERED = 6, "K increasing numbers: y_1 = x_1, y_k = y_(k-1) + exp(x_k).";
    i32 LCC_CONSTRAINT_POSITIVE_ORDERED = 7, "K increasing positive numbers: y_1 = exp(x_1), then likewise.";
    i32 LCC_CONSTRAINT_UNIT_VECTOR = 8, "K numbers of norm 1: y = x/|x|, and -|x|^2/2 for the Jacobian.";
    i32 LCC_CONSTRAINT_CHOLESKY_CORR = 9, "The K x K Cholesky factor of a correlation matrix, by partial correlations tanh(x).";
    i32 LCC_CONSTRAINT_CHOLESKY_COV = 10, "The K x K Cholesky factor of a covariance matrix: exp(x) on the diagonal.";
}

/// A zero-terminated name; none where it is NULL.
///
/// # Safety
/// NULL, or UTF-8 up to a zero, unwritten during `'a`.
pub(crate) unsafe fn name<'a>(name: *const c_char) -> &'a str {
    if name.is_null() {
        return "";
    }
    let (name, mut length) = (name.cast::<u8>(), 0_usize);
    // SAFETY: the caller's promise. Volatile: else the compiler asks the C library for strlen.
    unsafe {
        while name.add(length).read_volatile() != 0 {
            length = length.wrapping_add(1);
        }
        core::str::from_utf8_unchecked(core::slice::from_raw_parts(name, length))
    }
}

/// Coordinates and elements of a list.
pub(crate) fn dims<'a, T: Real>(
    list: impl Iterator<Item = Result<Parameter<'a, T>, lcc_status>>,
) -> Result<(usize, usize), lcc_status> {
    let mut total = (0_usize, 0_usize);
    for parameter in list {
        let parameter = parameter?;
        parameter.check()?;
        let (x, y) = parameter.dims();
        let sum = total.0.checked_add(x).zip(total.1.checked_add(y));
        total = sum.ok_or(LCC_ERROR_OVERFLOW)?;
    }
    Ok(total)
}

/// A list cut into one part of x and one of y a parameter.
pub(crate) fn each<'a, T: Real, X, Y>(
    list: impl Iterator<Item = Result<Parameter<'a, T>, lcc_status>>,
    (mut x, mut y): (X, Y),
    mut f: impl FnMut(Parameter<'a, T>, &mut X, &mut Y, (usize, usize)) -> Result<(), TransformError>,
) -> Result<(), lcc_status> {
    for parameter in list {
        let parameter = parameter?;
        f(parameter, &mut x, &mut y, parameter.dims())?;
    }
    Ok(())
}
