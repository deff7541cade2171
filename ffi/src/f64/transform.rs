//! Parameters with constraints

use crate::prelude::*;
use crate::{text, transform};
use core::ffi::c_char;
use lcc_core::transform::{Constraint, Parameter, TransformError};

/// A parameter of a density of one's own: a scalar, vector or matrix under a constraint, or several one after another.
/// A list of them maps coordinates x in R^n, where samplers live, to the elements y, parameter after parameter;
/// matrices row by row. The definitions are Stan's (Reference Manual, "Constraint Transforms").
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_parameter_f64 {
    /// Its name, for lcc_parameters_name_f64; may be NULL.
    pub name: *const c_char,
    /// An LCC_CONSTRAINT_ code.
    pub constraint: i32,
    /// K: elements of a vector, rows of a matrix; of free, bounded and affine ones that many scalars.
    pub size: u32,
    /// How many of these, one after another: 1 of a lone one.
    pub count: usize,
    /// The lower bound; affine: the offset.
    pub lower: f64,
    /// The upper bound; affine: the multiplier, positive.
    pub upper: f64,
}

type Read<'a> = Result<Parameter<'a, f64>, lcc_status>;

/// # Safety
/// NULL or so many parameters, unwritten during `'a`.
unsafe fn list<'a>(
    parameters: *const lcc_parameter_f64,
    count: usize,
) -> Result<impl Iterator<Item = Read<'a>> + Clone, lcc_status> {
    raw::refuse(count == 0, LCC_ERROR_EMPTY)?;
    // SAFETY: the caller's promise.
    let all = unsafe { raw::slice(parameters, count)? };
    Ok(all.iter().map(|p| {
        Ok(Parameter {
            // SAFETY: as above.
            name: unsafe { transform::name(p.name) },
            constraint: Constraint::from_code(p.constraint).ok_or(LCC_ERROR_CONSTRAINT)?,
            size: p.size as usize,
            count: p.count,
            lower: p.lower,
            upper: p.upper,
        })
    }))
}

/// The first values of a slice, which then begins behind them.
fn front<'a>(slice: &mut &'a [f64], length: usize) -> Result<&'a [f64], TransformError> {
    let (front, rest) = slice.split_at_checked(length).ok_or(TransformError::Length)?;
    *slice = rest;
    Ok(front)
}

/// The same of one to write to.
fn front_mut<'a>(
    slice: &mut &'a mut [f64],
    length: usize,
) -> Result<&'a mut [f64], TransformError> {
    let whole = core::mem::take(slice);
    let (front, rest) = whole.split_at_mut_checked(length).ok_or(TransformError::Length)?;
    *slice = rest;
    Ok(front)
}

abi! {
    /// The coordinates of x and the elements of y.
    ///
    /// @return LCC_ERROR_CONSTRAINT, as all that follow
    fn lcc_parameters_dims_f64(
        parameters: *const lcc_parameter_f64, count: usize,
    ) -> (coordinates: usize, elements: usize) {
        transform::dims(list(parameters, count)?)?
    }

    /// y of x, and log |det dy/dx|: what to add to log p(y) for a density of x. It is -infinity, and p(y) is not to be
    /// asked for, where y overflows or rounding puts it on the edge of its constraint (exp(-800) is 0). Some 30 flops an
    /// element.
    ///
    /// @param x    as many coordinates as there are
    /// @param y    out: the elements
    /// @param len  the elements that fit there
    fn lcc_parameters_constrain_f64(
        parameters: *const lcc_parameter_f64, count: usize, x: *const f64, y: *mut f64, len: usize,
    ) -> (log_jacobian: f64) {
        let list = list(parameters, count)?;
        let (n, k) = transform::dims(list.clone())?;
        let parts = (raw::slice(x, n)?, raw::array(y, len, k)?);
        let mut log_jacobian = 0.0;
        transform::each(list, parts, |p, x, y, (n, k)| {
            log_jacobian += p.constrain(front(x, n)?, front_mut(y, k)?)?;
            Ok(())
        })?;
        log_jacobian
    }

    /// The gradient by x of log p(y(x)) + log |det dy/dx|.
    ///
    /// @param x    as many coordinates as there are
    /// @param y    what lcc_parameters_constrain_f64 made of x
    /// @param dy   the gradient of log p by y, each element by itself
    /// @param dx   out: the gradient by x
    /// @param len  the coordinates that fit there
    fn lcc_parameters_pull_back_f64(
        parameters: *const lcc_parameter_f64, count: usize, x: *const f64, y: *const f64,
        dy: *const f64, dx: *mut f64, len: usize,
    ) {
        let list = list(parameters, count)?;
        let (n, k) = transform::dims(list.clone())?;
        let from = (raw::slice(x, n)?, (raw::slice(y, k)?, raw::slice(dy, k)?));
        let mut dx = raw::array(dx, len, n)?;
        transform::each(list, from, |p, x, (y, dy), (n, k)| {
            p.pull_back(front(x, n)?, front(y, k)?, front(dy, k)?, front_mut(&mut dx, n)?)
        })?;
    }

    /// x of y: where chains are to start. Sums and norms of y may be off by the root of epsilon; of a unit vector
    /// x is y.
    ///
    /// @param y    as many elements as there are
    /// @param x    out: the coordinates
    /// @param len  the coordinates that fit there
    /// @return LCC_ERROR_SUPPORT where y does not satisfy its constraints
    fn lcc_parameters_unconstrain_f64(
        parameters: *const lcc_parameter_f64, count: usize, y: *const f64, x: *mut f64, len: usize,
    ) {
        let list = list(parameters, count)?;
        let (n, k) = transform::dims(list.clone())?;
        let (x, y) = (raw::array(x, len, n)?, raw::slice(y, k)?);
        transform::each(list.clone(), (y, ()), |p, y, (), (_, k)| p.supports(front(y, k)?))?;
        transform::each(list, (y, x), |p, y, x, (n, k)| {
            p.unconstrain(front(y, k)?, front_mut(x, n)?)
        })?;
    }

    /// The name of an element of y, zero-terminated, indices from 1: sigma, theta[2], L[2,1]; of several theta[3,2],
    /// element 2 of the third.
    ///
    /// @param text    out: the name; nothing where it does not fit
    /// @param length  out: its bytes without the zero
    fn lcc_parameters_name_f64(
        parameters: *const lcc_parameter_f64, count: usize, element: usize, text: *mut c_char,
        bytes: usize,
    ) -> (length: usize) {
        let (mut list, mut left) = (list(parameters, count)?, element);
        let (parameter, index) = loop {
            let parameter = list.next().ok_or(LCC_ERROR_INDEX)??;
            parameter.check()?;
            match left.checked_sub(parameter.dims().1) {
                Some(rest) => left = rest,
                None => break (parameter, left),
            }
        };
        text::write(&parameter.element(index), text, bytes)?
    }
}
