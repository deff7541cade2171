//! The memory of greedy least squares: its parts, in order, and the numbers that their sizes follow from.

use super::options::{RelaxedError, RelaxedMethod, RelaxedOptions};
use crate::data::DataError;
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::prior::Prior;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Words of the cursor.
pub(super) const CURSOR: usize = 3;
/// Numbers of the report of a level: mean squared error, gap, variation.
pub(super) const REPORT: usize = 3;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: RelaxedOptions<T>,
        pub n: usize,
        pub d: usize,
        pub fingerprint: u64,
    }
}

impl<T: Real> Shape<T> {
    /// Of a fit to n rows of d inputs.
    pub(super) fn new(
        options: &RelaxedOptions<T>,
        n: usize,
        d: usize,
        fingerprint: u64,
    ) -> Result<Self, RelaxedError> {
        options.check()?;
        refuse(n == 0 || d == 0, DataError::Empty)?;
        Ok(Self { options: *options, n, d, fingerprint })
    }

    pub(super) fn columns(&self) -> usize {
        self.d.saturating_add(self.options.intercept.on() as usize)
    }
    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
}

parts! {
    /// The parts.
    pub(super) struct Parts of shape: Shape<T> as Relaxed;
    broken: RelaxedError::NotAFit;
    possible: Shape::new(&shape.options, shape.n, shape.d, shape.fingerprint).is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let o = &shape.options;
        let (n, levels) = (shape.n, shape.levels());
        let columns = shape.d.checked_add(o.intercept.on() as usize).ok_or(overflow)?;
        let (starts, lanes) = (o.starts as usize, o.lanes as usize);
        let packed = match o.method.value() {
            RelaxedMethod::Orthogonal => lower_len(levels).ok_or(overflow)?,
            _ => 0,
        };
        let ball = Prior::L1Ball { radius: o.radius };
        // A draw from the ball and its map, or the gradient of the square.
        let work = columns.checked_add(2).and_then(|k| k.checked_add(ball.scratch(columns)));
        let work = product([work.ok_or(overflow)?, lanes])?;
    }
    cursor: [u64] = CURSOR,
    standards: [T] = product([shape.d.checked_add(1).ok_or(overflow)?, 2])?,
    x: [T] = product([n, columns])?,
    y: [T] = n,
    fit: [T] = n,
    residuals: [T] = n,
    /// V psi of each neuron at every row.
    outputs: [T] = product([levels, n])?,
    /// w of each neuron, and its factor: f = sum of factors times V psi.
    weights: [T] = product([levels, columns])?,
    coefficients: [T] = levels,
    report: [T] = product([levels, REPORT])?,
    /// Of the orthogonal method: Gram matrix and factor, packed; products with y.
    gram: [T] = packed,
    factor: [T] = packed,
    products: [T] = levels,
    /// Of each block of starts: w, gradient; values and steps.
    points: [T] = product([starts, columns])?,
    gradients: [T] = product([starts, columns])?,
    values: [T] = starts,
    steps: [T] = starts,
    /// Of one block: trial point and gradient, and scratch.
    trial: [T] = product([columns, 2, lanes])?,
    work: [T] = work,
}
