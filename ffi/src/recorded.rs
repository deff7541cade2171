//! What chains, particles and tempered chains have recorded, whatever the precision.

use crate::handle::Record;
use crate::prelude::*;
use crate::sampler::{
    LCC_TRACE_ACCEPT, LCC_TRACE_DIVERGENT, LCC_TRACE_ENERGY, LCC_TRACE_LOG_DENSITY,
};
use lcc_core::column::Column;
use lcc_core::scalar::Real;

/// The log likelihood of the draw: particles and tempered chains, which else record the log density alone.
pub const LCC_TRACE_LOG_LIKELIHOOD: i32 = 4;

pub(crate) fn trace(code: i32) -> Result<Column, lcc_status> {
    match code {
        LCC_TRACE_LOG_DENSITY => Ok(Column::LogDensity),
        LCC_TRACE_LOG_LIKELIHOOD => Ok(Column::LogLikelihood),
        LCC_TRACE_ACCEPT => Ok(Column::Acceptance),
        LCC_TRACE_ENERGY => Ok(Column::Energy),
        LCC_TRACE_DIVERGENT => Ok(Column::Divergent),
        _ => Err(LCC_ERROR_INDEX),
    }
}

/// Draws as they are stored: draw by draw, column by column, chain by chain.
pub(crate) struct Recorded<'a, T> {
    values: &'a [T],
    pub(crate) draws: usize,
    pub(crate) chains: usize,
    /// The coordinates of w.
    pub(crate) dim: usize,
    pub(crate) columns: usize,
    /// Of the problem that they are draws of.
    fingerprint: u64,
}

impl<'a, T: Real> Recorded<'a, T> {
    /// The record of an object, whose head may say anything.
    pub(crate) fn new(record: &Record, object: &'a [u8]) -> Result<Self, lcc_status> {
        let (words, broken) = ([record.at, record.draws, record.dim], LCC_ERROR_HANDLE);
        if words.iter().any(|w| usize::try_from(*w).is_err()) || record.traces == 0 {
            return Err(broken);
        }
        let [at, draws, dim] = words.map(|w| w as usize);
        let (chains, fingerprint) = (record.chains as usize, record.fingerprint);
        let columns = dim.checked_add(record.traces as usize).ok_or(broken)?;
        if draws == 0 {
            return Ok(Self { values: &[], draws, chains, dim, columns, fingerprint });
        }
        let count = draws.checked_mul(chains).and_then(|k| k.checked_mul(columns)).ok_or(broken)?;
        let bytes = count.checked_mul(size_of::<T>()).ok_or(broken)?;
        let values = object.get(at..).and_then(|rest| rest.get(..bytes)).ok_or(broken)?;
        // SAFETY: so many values lie there; any bytes are numbers, and alignment is checked.
        let values = unsafe { raw::slice(values.as_ptr().cast(), count)? };
        Ok(Self { values, draws, chains, dim, columns, fingerprint })
    }

    /// Refuses a problem that the draws are not of. Only its parameters are compared, in the upper half, where its data
    /// are other `rows`.
    pub(crate) fn check(&self, fingerprint: u64, rows: bool) -> Result<(), lcc_status> {
        let differs = fingerprint ^ self.fingerprint;
        raw::refuse(if rows { differs >> 32 } else { differs } != 0, LCC_ERROR_DATA_CHANGED)
    }

    /// The values from the first of a column on.
    pub(crate) fn column(&self, column: Column) -> Result<&'a [T], lcc_status> {
        // Before its draws an object need not know what it will record.
        let known = self.columns > self.dim.max(1);
        let index = match self.columns.wrapping_sub(self.dim) {
            4 => column.of_chains(self.dim),
            _ => column.of_particles(self.dim),
        };
        // A head that contradicts itself names columns that are not there.
        let index = index.filter(|index| *index < self.columns);
        match index {
            None if known => Err(LCC_ERROR_INDEX),
            Some(index) if self.draws > 0 => {
                let rest = self.values.get(index.wrapping_mul(self.chains)..);
                rest.ok_or(LCC_ERROR_INDEX)
            }
            _ => Err(LCC_ERROR_NOT_DONE),
        }
    }

    /// w of every draw, chain by chain.
    #[inline(always)]
    pub(crate) fn weights(&self) -> Result<impl Iterator<Item = Weights<'a, T>>, lcc_status> {
        let (values, chains) = (self.values, self.chains);
        let length = values.len().checked_div(self.draws).ok_or(LCC_ERROR_NOT_DONE)?;
        Ok((0..chains).flat_map(move |chain| {
            let draws = values.chunks_exact(length.max(1));
            draws.map(move |draw| Weights { draw, chains, chain })
        }))
    }
}

/// w of one draw of a chain.
pub(crate) struct Weights<'a, T> {
    draw: &'a [T],
    chains: usize,
    chain: usize,
}

impl<T: Real> Weights<'_, T> {
    #[inline(always)]
    pub(crate) fn at(&self, j: usize) -> T {
        let at = j.wrapping_mul(self.chains).wrapping_add(self.chain);
        self.draw.get(at).copied().unwrap_or(T::NAN)
    }
}
