//! The memory of prequential Greedy Bayes: its parts, in order, and the numbers that their sizes
//! follow from.

use super::options::{PrequentialError, PrequentialOptions};
use crate::data::{DataError, Dataset, Inputs};
use crate::density::Extent;
use crate::error::refuse;
use crate::kernel::hmc;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Words of the cursor.
pub(super) const CURSOR: usize = 9;
/// Numbers of the whole: see [`super::Scalars`].
pub(super) const SCALARS: usize = 10;
/// Numbers of a level: log evidence and its lost digits, step, acceptance, resamplings, fit.
pub(super) const LEVEL: usize = 6;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: PrequentialOptions<T>,
        /// Rows that there is room for.
        pub rows: usize,
        pub d: usize,
    }
}

impl<T: Real> Shape<T> {
    /// Of a learner for at most so many rows of d inputs.
    pub(super) fn new(
        options: &PrequentialOptions<T>,
        rows: usize,
        d: usize,
    ) -> Result<Self, PrequentialError> {
        options.check()?;
        refuse(rows == 0 || d == 0, DataError::Empty)?;
        refuse(u32::try_from(rows).is_err(), WorkspaceError::Overflow)?;
        Ok(Self { options: *options, rows, d })
    }

    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    /// Columns as the neurons see them.
    pub(super) fn columns(&self) -> usize {
        self.options.columns(self.d)
    }
    pub(super) fn latent(&self) -> usize {
        self.options.prior().latent_dim(self.columns())
    }
    /// Numbers of a draw of one neuron: w and its expected sign.
    pub(super) fn neuron(&self) -> usize {
        self.columns().saturating_add(1)
    }

    /// The blocks of scratch of its density and the numbers of its check.
    fn scratch(&self) -> Result<(usize, usize), PrequentialError> {
        let one = [T::ZERO];
        let data = Dataset::new(Inputs::new(&one, 1, self.columns(), 0, 0)?, &one)?;
        let problem = self.options.problem(data, self.options.alpha)?;
        let overflow = WorkspaceError::Overflow;
        let density = problem.density().ok_or(overflow)?;
        Ok((Extent::scratch(&density), problem.proper_scratch().ok_or(overflow)?))
    }
}

parts! {
    /// The parts. Particles stand in blocks of lanes, one after another: particle i is lane i mod lanes of
    /// block i / lanes.
    pub(super) struct Parts of shape: Shape<T> as Prequential;
    broken: PrequentialError::NotALearner;
    possible: Shape::new(&shape.options, shape.rows, shape.d).is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let (levels, particles, rows) = (shape.levels(), shape.particles(), shape.rows);
        let columns = shape.d.checked_add(shape.options.intercept.on() as usize).ok_or(overflow)?;
        columns.checked_add(1).ok_or(overflow)?;
        let latent = shape.latent();
        let all = product([levels, particles])?;
        let keep = shape.options.keep as usize;
        let (scratch, check) = shape.scratch()?;
        let work = hmc::work_len(latent, scratch).ok_or(overflow)?;
    }
    cursor: [u64] = CURSOR,
    scalars: [T] = SCALARS,
    /// [`LEVEL`] numbers for each level.
    levels: [T] = product([levels, LEVEL])?,
    /// Means and sds of the inputs, mean and sd of the target.
    standards: [T] = product([shape.d.checked_add(1).ok_or(overflow)?, 2])?,
    /// The rows so far, the column of ones last.
    x: [T] = product([rows, columns])?,
    /// Level by level, the residuals that it sees at the rows so far.
    residuals: [T] = product([rows, levels])?,
    /// The streams of the resampling and of the draws of the model.
    own_streams: [u32] = 8,
    /// Level by level, the stream of each particle's transitions.
    streams: [u32] = product([all, 4])?,
    /// Level by level, block by block, coordinate by coordinate, lane by lane: latent coordinates, and w.
    positions: [T] = product([all, latent])?,
    weights: [T] = product([all, columns])?,
    /// Level by level, the log weight of each particle, and where signs are summed out the tilt
    /// alpha V sum r psi.
    logs: [T] = all,
    tilts: [T] = if shape.options.either_sign.on() { all } else { 0 },
    /// Draw by draw and level by level: a neuron of the average so far; level by level the particle
    /// that each draw takes of the posteriors at hand.
    draws: [T] = product([keep, levels, shape.neuron()])?,
    picks: [u32] = product([levels, keep])?,
    /// Of the level at hand: psi at the row, relative weights, gradients, values, acceptance, copies.
    psi: [T] = particles,
    relative: [T] = particles,
    gradients: [T] = product([particles, latent])?,
    values: [T] = particles,
    acceptance: [T] = particles,
    copies: [u32] = particles,
    /// Scratch of one block of particles, and of the check.
    work: [T] = product([work, shape.lanes()])?.max(check),
}
