//! What chains record of their draws, and where they are.

use crate::diagnostics::Draws;
use crate::pieces::pieces_mut;
use crate::scalar::Real;

/// Words of the cursor of chains: iterations that all blocks have finished, the block at work, its unit that is
/// next, evaluations that each chain has made. Unit 0 is the start of a block, before the first iteration only.
pub(crate) const ITERATION: usize = 0;
pub(crate) const BLOCK: usize = 1;
pub(crate) const UNIT: usize = 2;
pub(crate) const EVALUATIONS: usize = 3;
pub(crate) const CURSOR: usize = 4;

/// Iteration, block and unit after these: units, then blocks, then iterations.
pub(crate) fn next([iteration, block, unit]: [u64; 3], blocks: usize, units: u64) -> [u64; 3] {
    let next = |k: u64| k.wrapping_add(1);
    if next(unit) < units {
        [iteration, block, next(unit)]
    } else if next(block) < blocks as u64 {
        [iteration, next(block), 0]
    } else {
        [next(iteration), 0, 0]
    }
}

/// Where chains are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Iterations that every chain has finished, warm-up included.
    pub iterations: u32,
    /// Iterations of the warm-up.
    pub warmup: u32,
    /// Draws that every chain has made.
    pub draws: u32,
    /// Iterations in all: warm-up and draws.
    pub total: u32,
    /// Draws of each chain that are stored.
    pub stored: usize,
}

impl Position {
    /// Whether step sizes still adapt.
    pub fn warming_up(&self) -> bool {
        self.iterations < self.warmup
    }
}

/// Chains in blocks of lanes, and a record that lies draw by draw, column by column, chain by chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub chains: usize,
    pub lanes: usize,
    pub columns: usize,
    pub warmup: u32,
    pub draws: u32,
    /// At most: of the first `done` draws floor(done stored/draws).
    pub stored: u32,
}

impl Record {
    fn stored_of(&self, done: u32) -> usize {
        let product = (done as u64).wrapping_mul(self.stored as u64);
        (product / (self.draws as u64).max(1)) as usize
    }

    /// Numbers of one row.
    fn width(&self) -> usize {
        self.columns.saturating_mul(self.chains)
    }

    /// After so many iterations of all chains.
    pub(crate) fn position(&self, iterations: u64) -> Position {
        let total = self.warmup.saturating_add(self.draws);
        let iterations = u32::try_from(iterations).unwrap_or(total);
        let draws = iterations.saturating_sub(self.warmup);
        let stored = self.stored_of(draws);
        Position { iterations, warmup: self.warmup, draws, total, stored }
    }

    /// Block and lane of a chain; `None` if there is no such chain.
    pub(crate) fn place(&self, chain: usize) -> Option<(usize, usize)> {
        let place = (chain.checked_div(self.lanes)?, chain.checked_rem(self.lanes)?);
        (chain < self.chains).then_some(place)
    }

    /// Draws that the chains of a block have made: blocks before the one that is next are one ahead.
    pub(crate) fn made(&self, at: &Position, block: usize, next: u64) -> u32 {
        let ahead = (block as u64) < next && !at.warming_up();
        at.draws.saturating_add(ahead as u32)
    }

    /// The row of draw 0, 1, ...; `None` if it is not stored.
    pub(crate) fn row<'r, T>(&self, record: &'r mut [T], draw: u32) -> Option<&'r mut [T]> {
        let before = self.stored_of(draw);
        let stored = self.stored_of(draw.saturating_add(1)) > before;
        record.chunks_exact_mut(self.width().max(1)).nth(before).filter(|_| stored)
    }

    /// The rows there are.
    pub(crate) fn rows<'r, T>(&self, record: &'r [T], at: &Position) -> &'r [T] {
        record.get(..self.width().saturating_mul(at.stored)).unwrap_or(&[])
    }

    /// One column of them, all chains; `None` before there are any.
    pub(crate) fn draws<'r, T: Real>(
        &self,
        record: &'r [T],
        at: &Position,
        column: usize,
    ) -> Option<Draws<'r, T>> {
        let offset = column.checked_mul(self.chains)?;
        let stride = self.columns.checked_mul(self.chains)?;
        Draws::new(record, self.chains, at.stored, offset, 1, stride).ok()
    }
}

/// Writes the draws of the chains of block `index`, column by column, into a row of all chains. Surplus lanes
/// go nowhere.
pub(crate) fn write<'w, T: Real, const N: usize>(
    row: &mut [T],
    chains: usize,
    index: usize,
    draws: impl Iterator<Item = &'w [T; N]>,
) {
    let own = index.wrapping_mul(N)..chains.min(index.wrapping_add(1).wrapping_mul(N));
    for (column, draw) in pieces_mut(row, chains).zip(draws) {
        if let Some(column) = column.get_mut(own.clone()) {
            column.iter_mut().zip(draw).for_each(|(c, x)| *c = *x);
        }
    }
}
