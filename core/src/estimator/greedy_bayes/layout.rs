//! The memory of batch Greedy Bayes: its parts, in order, and the numbers that their sizes follow from.

use super::options::{GreedyError, GreedyOptions};
use crate::data::{DataError, Dataset, Inputs};
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::smc::Smc;
use crate::workspace::WorkspaceError;

/// Phase, level, place within it, evaluations, levels used.
pub(super) const CURSOR: usize = 5;
/// Numbers of the report of a level.
pub(super) const REPORT: usize = 8;
/// Intercept, noise, alpha of the level at hand.
pub(super) const SCALARS: usize = 3;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: GreedyOptions<T>,
        pub n: usize,
        pub d: usize,
        pub fingerprint: u64,
    }
}

impl<T: Real> Shape<T> {
    /// Of an estimator for n rows of d inputs.
    pub(super) fn new(
        options: &GreedyOptions<T>,
        n: usize,
        d: usize,
        fingerprint: u64,
    ) -> Result<Self, GreedyError> {
        options.check()?;
        refuse(n == 0 || d == 0, DataError::Empty)?;
        refuse(u32::try_from(n).is_err(), WorkspaceError::Overflow)?;
        options.held_out(n)?;
        Ok(Self { options: *options, n, d, fingerprint })
    }

    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }
    /// Columns as the neurons see them.
    pub(super) fn columns(&self) -> usize {
        self.options.columns(self.d)
    }
    /// Rows that the levels see: the first of the copy.
    pub(super) fn fitted(&self) -> usize {
        self.n.saturating_sub(self.options.held_out(self.n).unwrap_or(0))
    }

    /// The bytes of a level's particles: those of a problem of the same shape whose rows are not
    /// contiguous, which take no less.
    fn smc(&self) -> Result<usize, GreedyError> {
        let one = [T::ZERO];
        let inputs = Inputs::new(&one, 1, self.columns(), 0, 0)?;
        let problem = self.options.problem(Dataset::new(inputs, &one)?, self.options.alpha)?;
        Ok(Smc::size(&self.options.smc(0), &problem)?)
    }
}

parts! {
    /// The parts.
    pub(super) struct Parts of shape: Shape<T> as GreedyBayes;
    broken: GreedyError::NotAnEstimator;
    possible: Shape::new(&shape.options, shape.n, shape.d, shape.fingerprint).is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let (n, levels, particles) = (shape.n, shape.levels(), shape.particles());
        let columns = shape.d.checked_add(shape.options.intercept.on() as usize).ok_or(overflow)?;
        let own = product([levels, particles])?;
        let packed = lower_len(levels).ok_or(overflow)?;
        let smc = shape.smc()?;
    }
    cursor: [u64] = CURSOR,
    scalars: [T] = SCALARS,
    /// Means and sds of the inputs, mean and sd of the target.
    standards: [T] = product([shape.d.checked_add(1).ok_or(overflow)?, 2])?,
    /// Row i of the copy is row order[i] of the data: first those that the levels see.
    order: [u32] = n,
    /// The copy: row by row, the column of ones last.
    x: [T] = product([n, columns])?,
    y: [T] = n,
    /// f after the levels so far at every row, and its residuals.
    fit: [T] = n,
    residuals: [T] = n,
    /// Of each level, at every row: the mean of V s psi and its variance over the particles.
    means: [T] = product([levels, n])?,
    spreads: [T] = product([levels, n])?,
    /// Of each level, column by column, particle by particle: w.
    weights: [T] = product([own, columns])?,
    /// Of each level, the expected sign of each particle; 1 where there is none.
    signs: [T] = own,
    /// Of each level, the draw of the prior that each particle descends from.
    origins: [u32] = own,
    /// [`REPORT`] numbers for each level.
    report: [T] = product([levels, REPORT])?,
    /// The weight of each level in the result.
    coefficients: [T] = levels,
    /// The Gram matrix of the levels' means and its factor, packed; four vectors.
    gram: [T] = packed,
    factor: [T] = packed,
    vectors: [T] = product([levels, 4])?,
    /// Scratch of one block of particles: w and a gradient.
    block: [T] = product([columns, 2, shape.options.lanes as usize])?,
    /// The particles of the level at hand.
    smc: [u8] = smc,
}
