//! The memory of a run: its parts, in order, and the numbers that say how large they are.

use super::{Ladder, SmcError, SmcOptions};
use crate::error::refuse;
use crate::kernel::hmc;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::problem::{Problem, Sizes};
use crate::reference::{affine_len, whitened_scratch};
use crate::sampler::Reference;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Numbers of the report of one temperature: itself, effective sample size, acceptance, step.
pub(super) const REPORT: usize = 4;
/// Numbers of a row that is predicted.
pub(super) const PREDICTED: usize = 2;
/// Columns of the record after those of w: log density, log likelihood.
pub(super) const EXTRA: usize = 2;
/// Where a run is: phase, stage, sweep, block, evaluations of each particle, families,
/// rows let in.
pub(super) const CURSOR: usize = 7;
/// The numbers of a run: see [`super::Smc`].
pub(super) const SCALARS: usize = 7;

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
        let own = matches!(options.ladder.value(), Ladder::Rows | Ladder::Cooling);
        refuse(own && problem.data().is_none(), SmcError::Rows)?;
        let mut sizes = problem.sizes(fingerprint)?;
        if fitted(options) {
            sizes.scratch = sizes.scratch.saturating_add(whitened_scratch(sizes.latent));
        }
        Ok(Self { options: *options, problem: sizes })
    }

    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }

    /// Whether the ladder is of rows.
    pub(super) fn by_rows(&self) -> bool {
        self.options.ladder == Ladder::Rows
    }

    /// Whether it is one of Gaussian cooling.
    pub(super) fn cools(&self) -> bool {
        self.options.ladder == Ladder::Cooling
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

parts! {
    /// The parts of a run. Particles stand in blocks of lanes, one after another: particle i is lane
    /// i mod lanes of block i / lanes.
    pub(super) struct Parts of shape: Shape<T> as Smc;
    broken: SmcError::NotAnSmc;
    possible: shape.options.check().is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let particles = shape.particles();
        let latent = product([particles, shape.problem.latent])?;
        let work = hmc::work_len(shape.problem.latent, shape.problem.scratch).ok_or(overflow)?;
        let fit = if fitted(&shape.options) { affine_len(shape.problem.latent) } else { Some(0) };
    }
    cursor: [u64] = CURSOR,
    scalars: [T] = SCALARS,
    /// [`REPORT`] numbers for each temperature; of a fixed ladder the temperatures from the start.
    report: [T] = product([shape.options.stages as usize, REPORT])?,
    /// By observations, of each row: the log of the mean likelihood under those before it, and its output.
    predicted: [T] = if shape.by_rows() { product([shape.problem.rows, PREDICTED])? } else { 0 },
    /// The stream of the resampling.
    resampling: [u32] = 4,
    /// The stream of each particle's transitions.
    streams: [u32] = product([particles, 4])?,
    /// Block by block, coordinate by coordinate, lane by lane.
    positions: [T] = latent,
    gradients: [T] = latent,
    /// The log likelihood of each particle times the scale of [`super::Smc`]; likewise the gradients.
    values: [T] = particles,
    /// Between temperatures the log likelihoods, in a sweep the probabilities of acceptance.
    lane_values: [T] = particles,
    /// Weights relative to the largest.
    weights: [T] = particles,
    /// How many copies of each particle resampling keeps.
    copies: [u32] = particles,
    /// The particle of the prior's sample that each descends from.
    origins: [u32] = particles,
    /// At the end: column by column, particle by particle.
    record: [T] = product([particles, shape.columns()])?,
    /// The reference of the temperature at hand ([`crate::reference::Affine`]); empty if it is the prior.
    fit: [T] = fit.ok_or(overflow)?,
    /// Scratch, shared by the blocks.
    work: [T] = product([work, shape.lanes()])?.max(shape.problem.check),
}
