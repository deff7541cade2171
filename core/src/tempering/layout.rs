//! The memory of parallel tempering: its parts, in order, and the numbers that say how large they
//! are.

use super::{TemperingError, TemperingOptions};
use crate::density::Extent;
use crate::kernel::{adapt, hmc};
use crate::problem::Problem;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// The words of the head.
pub(super) const HEAD: usize = 24;
/// The numbers of the options.
pub(super) const SETTINGS: usize = 3;
/// Where a run is: phase, iteration, block, unit, evaluations of each chain.
pub(super) const CURSOR: usize = 5;
/// Columns of the record after those of w: log density, log likelihood.
pub(super) const EXTRA: usize = 2;
/// Blocks of a replica besides position and gradient: value, whether it last came from the prior.
pub(super) const REPLICA: usize = 2;
/// Blocks of the statistics of one temperature: acceptance and swaps with the rung below
/// (compensated sums), and the stone below (largest exponent, compensated sum).
pub(super) const STATISTICS: usize = 7;

const MAGIC: u64 = 0x4C43_4354_454D_5052;

/// Everything that the sizes of the parts follow from, and the options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: TemperingOptions<T>,
    /// Rows n, columns d, neurons M, latent coordinates, scratch of the density.
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
    /// Of an object to be made. The fingerprint is left 0.
    pub(super) fn new(
        options: &TemperingOptions<T>,
        problem: &Problem<'_, T>,
    ) -> Result<Self, TemperingError> {
        options.check()?;
        if !problem.has_gradient() {
            return Err(TemperingError::NoGradient);
        }
        let density = problem.density().ok_or(TemperingError::OtherProblem)?;
        Ok(Self {
            options: *options,
            rows: density.rows(),
            d: problem.d(),
            neurons: problem.neurons(),
            latent: density.dim(),
            scratch: density.scratch(),
            check: problem.proper_scratch().ok_or(WorkspaceError::Overflow)?,
            fingerprint: 0,
        })
    }

    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }

    pub(super) fn chains(&self) -> usize {
        self.options.chains as usize
    }

    /// K.
    pub(super) fn temperatures(&self) -> usize {
        self.options.temperatures as usize
    }

    /// The prior and the temperatures.
    pub(super) fn rungs(&self) -> usize {
        self.temperatures().saturating_add(1)
    }

    /// Blocks of lanes, the last one filled up.
    pub(super) fn blocks(&self) -> usize {
        self.chains().div_ceil(self.lanes().max(1))
    }

    /// M d.
    pub(super) fn dim(&self) -> usize {
        self.d.saturating_mul(self.neurons)
    }

    /// Columns of the record.
    pub(super) fn columns(&self) -> usize {
        self.dim().saturating_add(EXTRA)
    }

    /// Blocks of one replica: position, gradient, value, origin.
    pub(super) fn replica(&self) -> usize {
        self.latent.saturating_mul(2).saturating_add(REPLICA)
    }

    /// Draws stored of the first `done`: floor(done stored/draws).
    pub(super) fn stored_of(&self, done: u32) -> usize {
        let product = (done as u64).wrapping_mul(self.options.stored as u64);
        (product / (self.options.draws as u64).max(1)) as usize
    }

    /// The head: first what identifies the object, then the sizes, then the options.
    pub(super) fn write(&self, head: &mut [u64; HEAD], bytes: usize) {
        let o = &self.options;
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
            o.chains as u64,
            o.lanes as u64,
            o.temperatures as u64,
            o.moves as u64,
            o.warmup as u64,
            o.draws as u64,
            o.stored as u64,
            o.seed,
            o.leapfrogs as u64,
        ];
        head.fill(0);
        head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
    }

    /// The shape that a head describes, and the bytes of its object; `None` if it is not one of ours
    /// in this precision.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize)> {
        let [magic, version, bytes, fingerprint, rows, d, neurons, latent, scratch, rest @ ..] =
            *head;
        let [check, chains, lanes, temperatures, moves, warmup, draws, stored, seed, rest @ ..] =
            rest;
        let [leapfrogs, ..] = rest;
        let expected = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        if magic != MAGIC || version != expected {
            return None;
        }
        let size = |x: u64| usize::try_from(x).ok();
        let count = |x: u64| u32::try_from(x).ok();
        let [target_accept, total_time, jitter] = *settings;
        let options = TemperingOptions {
            chains: count(chains)?,
            lanes: count(lanes)?,
            temperatures: count(temperatures)?,
            moves: count(moves)?,
            warmup: count(warmup)?,
            draws: count(draws)?,
            stored: count(stored)?,
            seed,
            target_accept,
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

/// The options that are not integers, in the order that [`Shape::read`] expects.
pub(super) fn settings<T: Real>(o: &TemperingOptions<T>) -> [T; SETTINGS] {
    [o.target_accept, o.total_time, o.jitter]
}

/// The parts. Blocks of chains follow one another; in each, rung by rung, values are lane-major.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    /// [`Shape`].
    pub head: &'a mut [u64],
    /// The real options.
    pub settings: &'a mut [T],
    pub cursor: &'a mut [u64],
    /// lambda_1, ..., lambda_K.
    pub temperatures: &'a mut [T],
    /// For each chain, rung by rung the streams of starts and of transitions (of the prior's rung
    /// both serve its draws), and one of swaps.
    pub streams: &'a mut [u32],
    /// [`adapt::FIELDS`] blocks for each temperature.
    pub steps: &'a mut [T],
    /// [`Shape::replica`] blocks for each rung.
    pub replicas: &'a mut [T],
    /// [`STATISTICS`] blocks for each temperature.
    pub statistics: &'a mut [T],
    /// For each chain (padding included) the arrivals at lambda = 1 of replicas from the prior.
    pub restarts: &'a mut [u32],
    /// Stored draws: draw by draw, column by column, chain by chain (without the padding).
    pub record: &'a mut [T],
    /// Scratch, shared by the blocks.
    pub work: &'a mut [T],
}

/// Head and settings: what [`Shape::read`] needs, and the first parts of [`layout`].
pub(super) fn head<'a, T: Real>(
    carve: &mut impl Carve<'a>,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((carve.take(HEAD)?, carve.take(SETTINGS)?))
}

/// The parts of an object of a shape.
pub(super) fn layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, WorkspaceError> {
    let overflow = WorkspaceError::Overflow;
    let product = |factors: &[usize]| {
        factors.iter().try_fold(1_usize, |p, f| p.checked_mul(*f)).ok_or(overflow)
    };
    let padded = product(&[shape.blocks(), shape.lanes()])?;
    let (temperatures, rungs) = (shape.temperatures(), shape.rungs());
    let work = hmc::work_len(shape.latent, shape.scratch).ok_or(overflow)?;
    let work = product(&[work, shape.lanes()])?.max(shape.check);
    let (head, settings) = head(carve)?;
    Ok(Parts {
        head,
        settings,
        cursor: carve.take(CURSOR)?,
        temperatures: carve.take(temperatures)?,
        streams: carve.take(product(&[padded, rungs.checked_add(1).ok_or(overflow)?, 4])?)?,
        steps: carve.take(product(&[padded, temperatures, adapt::FIELDS])?)?,
        replicas: carve.take(product(&[padded, rungs, shape.replica()])?)?,
        statistics: carve.take(product(&[padded, temperatures, STATISTICS])?)?,
        restarts: carve.take(padded)?,
        record: carve.take(product(&[
            shape.options.stored as usize,
            shape.columns(),
            shape.chains(),
        ])?)?,
        work: carve.take(work)?,
    })
}
