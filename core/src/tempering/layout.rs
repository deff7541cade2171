//! The memory of parallel tempering: its parts, in order, and the numbers that say how large they
//! are.

use super::{TemperingError, TemperingOptions};
use crate::error::refuse;
use crate::kernel::{adapt, hmc};
use crate::object::record::{CURSOR, Record};
use crate::object::{parts, product};
use crate::plain::plain;
use crate::problem::{Problem, Sizes};
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Columns of the record after those of w: log density, log likelihood.
pub(super) const EXTRA: usize = 2;
/// Blocks of a replica besides position and gradient: value, whether it last came from the prior.
pub(super) const REPLICA: usize = 2;
/// Blocks of the statistics of one temperature: acceptance and swaps with the rung below
/// (compensated sums), and the stone below (largest exponent, compensated sum).
pub(super) const STATISTICS: usize = 7;

plain! {
    /// Everything that the sizes of the parts follow from, and the options.
    pub(super) struct Shape<T> {
        pub options: TemperingOptions<T>,
        pub problem: Sizes,
    }
}

impl<T: Real> Shape<T> {
    /// Of an object to be made. For its size alone, the fingerprint may be any.
    pub(super) fn new(
        options: &TemperingOptions<T>,
        problem: &Problem<'_, T>,
        fingerprint: u64,
    ) -> Result<Self, TemperingError> {
        options.check()?;
        refuse(!problem.has_gradient(), TemperingError::NoGradient)?;
        Ok(Self { options: *options, problem: problem.sizes(fingerprint)? })
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

    /// Columns of the record.
    pub(super) fn columns(&self) -> usize {
        self.problem.dim().saturating_add(EXTRA)
    }

    /// Blocks of one replica: position, gradient, value, origin.
    pub(super) fn replica(&self) -> usize {
        self.problem.latent.saturating_mul(2).saturating_add(REPLICA)
    }

    /// What its chains record.
    pub(super) fn record(&self) -> Record {
        let o = &self.options;
        Record {
            chains: self.chains(),
            lanes: self.lanes(),
            columns: self.columns(),
            warmup: o.warmup,
            draws: o.draws,
            stored: o.stored,
        }
    }
}

parts! {
    /// The parts. Blocks of chains follow one another; in each, rung by rung, values are lane-major.
    pub(super) struct Parts of shape: Shape<T> as Tempering;
    broken: TemperingError::NotATempering;
    possible: shape.options.check().is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let padded = product([shape.blocks(), shape.lanes()])?;
        let (temperatures, rungs) = (shape.temperatures(), shape.rungs());
        let work = hmc::work_len(shape.problem.latent, shape.problem.scratch).ok_or(overflow)?;
        let stored = shape.options.stored as usize;
    }
    cursor: [u64] = CURSOR,
    /// lambda_1, ..., lambda_K.
    temperatures: [T] = temperatures,
    /// For each chain, rung by rung the streams of starts and of transitions (of the prior's rung
    /// both serve its draws), and one of swaps.
    streams: [u32] = product([padded, rungs.checked_add(1).ok_or(overflow)?, 4])?,
    /// [`adapt::FIELDS`] blocks for each temperature.
    steps: [T] = product([padded, temperatures, adapt::FIELDS])?,
    /// [`Shape::replica`] blocks for each rung.
    replicas: [T] = product([padded, rungs, shape.replica()])?,
    /// [`STATISTICS`] blocks for each temperature.
    statistics: [T] = product([padded, temperatures, STATISTICS])?,
    /// For each chain (padding included) the arrivals at lambda = 1 of replicas from the prior.
    restarts: [u32] = padded,
    /// Stored draws: draw by draw, column by column, chain by chain (without the padding).
    record: [T] = product([stored, shape.columns(), shape.chains()])?,
    /// Scratch, shared by the blocks.
    work: [T] = product([work, shape.lanes()])?.max(shape.problem.check),
}
