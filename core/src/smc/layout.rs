//! The memory of a run: its parts, in order, and the numbers that say how large they are.

use super::{Ladder, SmcError, SmcOptions};
use crate::density::Extent;
use crate::kernel::hmc;
use crate::problem::Problem;
use crate::reference::{affine_len, whitened_scratch};
use crate::sampler::Reference;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// The words of the head.
pub(super) const HEAD: usize = 24;
/// The numbers of the options.
pub(super) const SETTINGS: usize = 4;
/// Numbers of the report of one temperature: itself, effective sample size, acceptance, step.
pub(super) const REPORT: usize = 4;
/// Columns of the record after those of w: log density, log likelihood.
pub(super) const EXTRA: usize = 2;
/// Where a run is: phase, stage, sweep, block, evaluations of each particle, families.
pub(super) const CURSOR: usize = 6;
/// The numbers of a run: see [`super::Smc`].
pub(super) const SCALARS: usize = 5;

const MAGIC: u64 = 0x4C43_4353_4D43_0001;

/// Everything that the sizes of the parts follow from, and the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: SmcOptions<T>,
    /// Rows n, columns d, neurons M, latent coordinates, scratch of the density as it is moved about.
    pub rows: usize,
    pub d: usize,
    pub neurons: usize,
    pub latent: usize,
    pub scratch: usize,
    /// Numbers in which the prior's propriety is checked.
    pub check: usize,
    pub fingerprint: u64,
}

impl<T: Real> Shape<T> {
    /// Of a run to be made. The fingerprint is left 0.
    pub(super) fn new(options: &SmcOptions<T>, problem: &Problem<'_, T>) -> Result<Self, SmcError> {
        options.check()?;
        if !problem.has_gradient() {
            return Err(SmcError::NoGradient);
        }
        let density = problem.density().ok_or(SmcError::OtherProblem)?;
        let map = if fitted(options) { whitened_scratch(density.dim()) } else { 0 };
        Ok(Self {
            options: *options,
            rows: density.rows(),
            d: problem.d(),
            neurons: problem.neurons(),
            latent: density.dim(),
            scratch: density.scratch().checked_add(map).ok_or(WorkspaceError::Overflow)?,
            check: problem.proper_scratch().ok_or(WorkspaceError::Overflow)?,
            fingerprint: 0,
        })
    }

    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }

    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }

    /// M d.
    pub(super) fn dim(&self) -> usize {
        self.d.saturating_mul(self.neurons)
    }

    /// Columns of the record.
    pub(super) fn columns(&self) -> usize {
        self.dim().saturating_add(EXTRA)
    }

    /// The head: first what identifies the object, then the sizes, then the options.
    pub(super) fn write(&self, head: &mut [u64; HEAD], bytes: usize) {
        let o = &self.options;
        let (ladder, _) = o.ladder.code();
        let words = [
            MAGIC,
            (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64,
            bytes as u64,
            self.fingerprint,
            self.rows as u64,
            self.d as u64,
            self.neurons as u64,
            self.latent as u64,
            self.scratch as u64,
            self.check as u64,
            o.particles as u64,
            o.lanes as u64,
            ladder,
            o.ladder.most() as u64,
            o.moves as u64,
            o.seed,
            o.adapt as u64,
            o.leapfrogs as u64,
            o.reference as u64,
        ];
        head.fill(0);
        head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
    }

    /// The shape that a head describes, and the bytes of its object; `None` if it is not one of ours
    /// in this precision.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize)> {
        let [magic, version, bytes, fingerprint, rows, d, neurons, latent, scratch, rest @ ..] =
            *head;
        let [check, particles, lanes, ladder, most, moves, seed, adapt, leapfrogs, reference, ..] =
            rest;
        let expected = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        if magic != MAGIC || version != expected {
            return None;
        }
        let size = |x: u64| usize::try_from(x).ok();
        let count = |x: u64| u32::try_from(x).ok();
        let [target_accept, total_time, jitter, number] = *settings;
        let options = SmcOptions {
            particles: count(particles)?,
            lanes: count(lanes)?,
            ladder: Ladder::from_code(ladder, number, count(most)?)?,
            moves: count(moves)?,
            reference: Reference::from_code(i32::try_from(reference).ok()?)?,
            seed,
            target_accept,
            adapt: adapt == 1,
            leapfrogs: count(leapfrogs)?,
            total_time,
            jitter,
        };
        options.check().ok()?;
        let shape = Self {
            options,
            rows: size(rows)?,
            d: size(d)?,
            neurons: size(neurons)?,
            latent: size(latent)?,
            scratch: size(scratch)?,
            check: size(check)?,
            fingerprint,
        };
        Some((shape, size(bytes)?))
    }
}

/// Whether the particles move about a fit.
fn fitted<T: Real>(options: &SmcOptions<T>) -> bool {
    options.reference == Reference::Gaussian
}

/// The options that are not integers, in the order that [`Shape::read`] expects.
pub(super) fn settings<T: Real>(o: &SmcOptions<T>) -> [T; SETTINGS] {
    let (_, number) = o.ladder.code();
    [o.target_accept, o.total_time, o.jitter, number]
}

/// The parts of a run. Particles stand in blocks of lanes, one after another: particle i is lane
/// i mod lanes of block i / lanes.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    /// [`Shape`].
    pub head: &'a mut [u64],
    /// The real options.
    pub settings: &'a mut [T],
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

/// Head and settings: what [`Shape::read`] needs, and the first parts of [`layout`].
pub(super) fn head<'a, T: Real>(
    carve: &mut impl Carve<'a>,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((carve.take(HEAD)?, carve.take(SETTINGS)?))
}

/// The parts of a run of a shape.
pub(super) fn layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, WorkspaceError> {
    let overflow = WorkspaceError::Overflow;
    let product = |a: usize, b: usize| a.checked_mul(b).ok_or(overflow);
    let particles = shape.particles();
    let latent = product(particles, shape.latent)?;
    let work = hmc::work_len(shape.latent, shape.scratch).ok_or(overflow)?;
    let work = product(work, shape.lanes())?.max(shape.check);
    let fit = if fitted(&shape.options) { affine_len(shape.latent) } else { Some(0) };
    let (head, settings) = head(carve)?;
    Ok(Parts {
        head,
        settings,
        cursor: carve.take(CURSOR)?,
        scalars: carve.take(SCALARS)?,
        report: carve.take(product(shape.options.ladder.most() as usize, REPORT)?)?,
        resampling: carve.take(4)?,
        streams: carve.take(product(particles, 4)?)?,
        positions: carve.take(latent)?,
        gradients: carve.take(latent)?,
        values: carve.take(particles)?,
        lane_values: carve.take(particles)?,
        weights: carve.take(particles)?,
        copies: carve.take(particles)?,
        origins: carve.take(particles)?,
        record: carve.take(product(particles, shape.columns())?)?,
        fit: carve.take(fit.ok_or(overflow)?)?,
        work: carve.take(work)?,
    })
}
