//! The memory of greedy least squares: its parts, in order, and the numbers that their sizes follow from.

use super::options::{RelaxedError, RelaxedMethod, RelaxedOptions};
use crate::checkpoint::Kind;
use crate::data::DataError;
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::prior::Prior;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

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

/// The parts.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    pub standards: &'a mut [T],
    pub x: &'a mut [T],
    pub y: &'a mut [T],
    pub fit: &'a mut [T],
    pub residuals: &'a mut [T],
    /// V psi of each neuron at every row.
    pub outputs: &'a mut [T],
    /// w of each neuron, and its factor: f = sum of factors times V psi.
    pub weights: &'a mut [T],
    pub coefficients: &'a mut [T],
    pub report: &'a mut [T],
    /// Of the orthogonal method: Gram matrix and factor, packed; products with y.
    pub gram: &'a mut [T],
    pub factor: &'a mut [T],
    pub products: &'a mut [T],
    /// Of each block of starts: w, gradient; values and steps.
    pub points: &'a mut [T],
    pub gradients: &'a mut [T],
    pub values: &'a mut [T],
    pub steps: &'a mut [T],
    /// Of one block: trial point and gradient, and scratch.
    pub trial: &'a mut [T],
    pub work: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Relaxed;
    type Parts<'a> = Parts<'a, T>;
    type Error = RelaxedError;
    const BROKEN: RelaxedError = RelaxedError::NotAFit;

    fn possible(&self) -> bool {
        Self::new(&self.options, self.n, self.d, self.fingerprint).is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, RelaxedError> {
        let overflow = WorkspaceError::Overflow;
        let o = &self.options;
        let (n, levels) = (self.n, self.levels());
        let columns = self.d.checked_add(o.intercept.on() as usize).ok_or(overflow)?;
        let (starts, lanes) = (o.starts as usize, o.lanes as usize);
        let packed = match o.method.value() {
            RelaxedMethod::Orthogonal => lower_len(levels).ok_or(overflow)?,
            _ => 0,
        };
        let ball = Prior::L1Ball { radius: o.radius };
        // A draw from the ball and its map, or the gradient of the square.
        let work = columns.checked_add(2).and_then(|k| k.checked_add(ball.scratch(columns)));
        let work = product([work.ok_or(overflow)?, lanes])?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            standards: carve.take(product([self.d.checked_add(1).ok_or(overflow)?, 2])?)?,
            x: carve.take(product([n, columns])?)?,
            y: carve.take(n)?,
            fit: carve.take(n)?,
            residuals: carve.take(n)?,
            outputs: carve.take(product([levels, n])?)?,
            weights: carve.take(product([levels, columns])?)?,
            coefficients: carve.take(levels)?,
            report: carve.take(product([levels, REPORT])?)?,
            gram: carve.take(packed)?,
            factor: carve.take(packed)?,
            products: carve.take(levels)?,
            points: carve.take(product([starts, columns])?)?,
            gradients: carve.take(product([starts, columns])?)?,
            values: carve.take(starts)?,
            steps: carve.take(starts)?,
            trial: carve.take(product([columns, 2, lanes])?)?,
            work: carve.take(work)?,
        })
    }
}
