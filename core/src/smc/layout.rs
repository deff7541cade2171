//! The memory of a run: its parts, in order, and the numbers that say how large they are.

use super::{SmcError, SmcOptions};
use crate::checkpoint::Kind;
use crate::error::refuse;
use crate::kernel::hmc;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::problem::{Problem, Sizes};
use crate::reference::{affine_len, whitened_scratch};
use crate::sampler::Reference;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// Numbers of the report of one temperature: itself, effective sample size, acceptance, step.
pub(super) const REPORT: usize = 4;
/// Columns of the record after those of w: log density, log likelihood.
pub(super) const EXTRA: usize = 2;
/// Where a run is: phase, stage, sweep, block, evaluations of each particle, families.
pub(super) const CURSOR: usize = 6;
/// The numbers of a run: see [`super::Smc`].
pub(super) const SCALARS: usize = 5;

plain! {
    /// Everything that the sizes of the parts follow from, and the options.
    pub(super) struct Shape<T> {
        pub options: SmcOptions<T>,
        pub problem: Sizes,
    }
}

impl<T: Real> Shape<T> {
    /// Of an object to be made. For its size alone, the fingerprint may be any.
    pub(super) fn new(
        options: &SmcOptions<T>,
        problem: &Problem<'_, T>,
        fingerprint: u64,
    ) -> Result<Self, SmcError> {
        options.check()?;
        refuse(!problem.has_gradient(), SmcError::NoGradient)?;
        let mut sizes = problem.sizes(fingerprint)?;
        if fitted(options) {
            sizes.scratch = sizes.scratch.saturating_add(whitened_scratch(sizes.latent));
        }
        Ok(Self { options: *options, problem: sizes })
    }

    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }

    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }

    /// Columns of the record.
    pub(super) fn columns(&self) -> usize {
        self.problem.dim().saturating_add(EXTRA)
    }
}

/// Whether the particles move about a fit.
fn fitted<T: Real>(options: &SmcOptions<T>) -> bool {
    options.reference == Reference::Gaussian
}

/// The parts of a run. Particles stand in blocks of lanes, one after another: particle i is lane
/// i mod lanes of block i / lanes.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    pub scalars: &'a mut [T],
    /// [`REPORT`] numbers for each temperature; of a fixed ladder the temperatures from the start.
    pub report: &'a mut [T],
    /// The stream of the resampling.
    pub resampling: &'a mut [u32],
    /// The stream of each particle's transitions.
    pub streams: &'a mut [u32],
    /// Block by block, coordinate by coordinate, lane by lane.
    pub positions: &'a mut [T],
    pub gradients: &'a mut [T],
    /// The log likelihood of each particle times the scale of [`super::Smc`]; likewise the gradients.
    pub values: &'a mut [T],
    /// Between temperatures the log likelihoods, in a sweep the probabilities of acceptance.
    pub lane_values: &'a mut [T],
    /// Weights relative to the largest.
    pub weights: &'a mut [T],
    /// How many copies of each particle resampling keeps.
    pub copies: &'a mut [u32],
    /// The particle of the prior's sample that each descends from.
    pub origins: &'a mut [u32],
    /// At the end: column by column, particle by particle.
    pub record: &'a mut [T],
    /// The reference of the temperature at hand ([`crate::reference::Affine`]); empty if it is the prior.
    pub fit: &'a mut [T],
    /// Scratch, shared by the blocks.
    pub work: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Smc;
    type Parts<'a> = Parts<'a, T>;
    type Error = SmcError;
    const BROKEN: SmcError = SmcError::NotAnSmc;

    fn possible(&self) -> bool {
        self.options.check().is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, SmcError> {
        let overflow = WorkspaceError::Overflow;
        let particles = self.particles();
        let latent = product([particles, self.problem.latent])?;
        let work = hmc::work_len(self.problem.latent, self.problem.scratch).ok_or(overflow)?;
        let fit = if fitted(&self.options) { affine_len(self.problem.latent) } else { Some(0) };
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            scalars: carve.take(SCALARS)?,
            report: carve.take(product([self.options.stages as usize, REPORT])?)?,
            resampling: carve.take(4)?,
            streams: carve.take(product([particles, 4])?)?,
            positions: carve.take(latent)?,
            gradients: carve.take(latent)?,
            values: carve.take(particles)?,
            lane_values: carve.take(particles)?,
            weights: carve.take(particles)?,
            copies: carve.take(particles)?,
            origins: carve.take(particles)?,
            record: carve.take(product([particles, self.columns()])?)?,
            fit: carve.take(fit.ok_or(overflow)?)?,
            work: carve.take(product([work, self.lanes()])?.max(self.problem.check))?,
        })
    }
}
