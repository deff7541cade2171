//! The memory of batch Greedy Bayes: its parts, in order, and the numbers that their sizes follow from.

use super::options::{GreedyError, GreedyOptions};
use crate::checkpoint::Kind;
use crate::data::{DataError, Dataset, Inputs};
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::smc::Smc;
use crate::workspace::{Carve, WorkspaceError};

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

/// The parts.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    pub scalars: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// Row i of the copy is row order[i] of the data: first those that the levels see.
    pub order: &'a mut [u32],
    /// The copy: row by row, the column of ones last.
    pub x: &'a mut [T],
    pub y: &'a mut [T],
    /// f after the levels so far at every row, and its residuals.
    pub fit: &'a mut [T],
    pub residuals: &'a mut [T],
    /// Of each level, at every row: the mean of V s psi and its variance over the particles.
    pub means: &'a mut [T],
    pub spreads: &'a mut [T],
    /// Of each level, column by column, particle by particle: w.
    pub weights: &'a mut [T],
    /// Of each level, the expected sign of each particle; 1 where there is none.
    pub signs: &'a mut [T],
    /// Of each level, the draw of the prior that each particle descends from.
    pub origins: &'a mut [u32],
    /// [`REPORT`] numbers for each level.
    pub report: &'a mut [T],
    /// The weight of each level in the result.
    pub coefficients: &'a mut [T],
    /// The Gram matrix of the levels' means and its factor, packed; four vectors.
    pub gram: &'a mut [T],
    pub factor: &'a mut [T],
    pub vectors: &'a mut [T],
    /// Scratch of one block of particles: w and a gradient.
    pub block: &'a mut [T],
    /// The particles of the level at hand.
    pub smc: &'a mut [u8],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::GreedyBayes;
    type Parts<'a> = Parts<'a, T>;
    type Error = GreedyError;
    const BROKEN: GreedyError = GreedyError::NotAnEstimator;

    fn possible(&self) -> bool {
        Self::new(&self.options, self.n, self.d, self.fingerprint).is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, GreedyError> {
        let overflow = WorkspaceError::Overflow;
        let (n, levels, particles) = (self.n, self.levels(), self.particles());
        let columns = self.d.checked_add(self.options.intercept.on() as usize).ok_or(overflow)?;
        let own = product([levels, particles])?;
        let packed = lower_len(levels).ok_or(overflow)?;
        let smc = self.smc()?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            scalars: carve.take(SCALARS)?,
            standards: carve.take(product([self.d.checked_add(1).ok_or(overflow)?, 2])?)?,
            order: carve.take(n)?,
            x: carve.take(product([n, columns])?)?,
            y: carve.take(n)?,
            fit: carve.take(n)?,
            residuals: carve.take(n)?,
            means: carve.take(product([levels, n])?)?,
            spreads: carve.take(product([levels, n])?)?,
            weights: carve.take(product([own, columns])?)?,
            signs: carve.take(own)?,
            origins: carve.take(own)?,
            report: carve.take(product([levels, REPORT])?)?,
            coefficients: carve.take(levels)?,
            gram: carve.take(packed)?,
            factor: carve.take(packed)?,
            vectors: carve.take(product([levels, 4])?)?,
            block: carve.take(product([columns, 2, self.options.lanes as usize])?)?,
            smc: carve.take(smc)?,
        })
    }
}
