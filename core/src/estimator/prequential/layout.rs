//! The memory of prequential Greedy Bayes: its parts, in order, and the numbers that their sizes
//! follow from.

use super::options::{PrequentialError, PrequentialOptions};
use crate::checkpoint::Kind;
use crate::data::{DataError, Dataset, Inputs};
use crate::density::Extent;
use crate::error::refuse;
use crate::kernel::hmc;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

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

/// The parts. Particles stand in blocks of lanes, one after another: particle i is lane i mod lanes of
/// block i / lanes.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    pub scalars: &'a mut [T],
    /// [`LEVEL`] numbers for each level.
    pub levels: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// The rows so far, the column of ones last.
    pub x: &'a mut [T],
    /// Level by level, the residuals that it sees at the rows so far.
    pub residuals: &'a mut [T],
    /// The streams of the resampling and of the draws of the model.
    pub own_streams: &'a mut [u32],
    /// Level by level, the stream of each particle's transitions.
    pub streams: &'a mut [u32],
    /// Level by level, block by block, coordinate by coordinate, lane by lane: latent coordinates, and w.
    pub positions: &'a mut [T],
    pub weights: &'a mut [T],
    /// Level by level, the log weight of each particle, and where signs are summed out the tilt
    /// alpha V sum r psi.
    pub logs: &'a mut [T],
    pub tilts: &'a mut [T],
    /// Draw by draw and level by level: a neuron of the average so far; level by level the particle
    /// that each draw takes of the posteriors at hand.
    pub draws: &'a mut [T],
    pub picks: &'a mut [u32],
    /// Of the level at hand: psi at the row, relative weights, gradients, values, acceptance, copies.
    pub psi: &'a mut [T],
    pub relative: &'a mut [T],
    pub gradients: &'a mut [T],
    pub values: &'a mut [T],
    pub acceptance: &'a mut [T],
    pub copies: &'a mut [u32],
    /// Scratch of one block of particles, and of the check.
    pub work: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Prequential;
    type Parts<'a> = Parts<'a, T>;
    type Error = PrequentialError;
    const BROKEN: PrequentialError = PrequentialError::NotALearner;

    fn possible(&self) -> bool {
        Self::new(&self.options, self.rows, self.d).is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, PrequentialError> {
        let overflow = WorkspaceError::Overflow;
        let (levels, particles, rows) = (self.levels(), self.particles(), self.rows);
        let columns = self.d.checked_add(self.options.intercept.on() as usize).ok_or(overflow)?;
        columns.checked_add(1).ok_or(overflow)?;
        let latent = self.latent();
        let all = product([levels, particles])?;
        let keep = self.options.keep as usize;
        let (scratch, check) = self.scratch()?;
        let work = hmc::work_len(latent, scratch).ok_or(overflow)?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            scalars: carve.take(SCALARS)?,
            levels: carve.take(product([levels, LEVEL])?)?,
            standards: carve.take(product([self.d.checked_add(1).ok_or(overflow)?, 2])?)?,
            x: carve.take(product([rows, columns])?)?,
            residuals: carve.take(product([rows, levels])?)?,
            own_streams: carve.take(8)?,
            streams: carve.take(product([all, 4])?)?,
            positions: carve.take(product([all, latent])?)?,
            weights: carve.take(product([all, columns])?)?,
            logs: carve.take(all)?,
            tilts: carve.take(if self.options.either_sign.on() { all } else { 0 })?,
            draws: carve.take(product([keep, levels, self.neuron()])?)?,
            picks: carve.take(product([levels, keep])?)?,
            psi: carve.take(particles)?,
            relative: carve.take(particles)?,
            gradients: carve.take(product([particles, latent])?)?,
            values: carve.take(particles)?,
            acceptance: carve.take(particles)?,
            copies: carve.take(particles)?,
            work: carve.take(product([work, self.lanes()])?.max(check))?,
        })
    }
}
