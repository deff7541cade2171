//! What chains, particles and tempered chains have recorded, whatever the precision.

use crate::sampler::{
    LCC_TRACE_ACCEPT, LCC_TRACE_DIVERGENT, LCC_TRACE_ENERGY, LCC_TRACE_LOG_DENSITY,
};
use crate::status::lcc_status;
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
        _ => Err(lcc_status::LCC_ERROR_INDEX),
    }
}

/// Draws as they are stored: draw by draw, column by column, chain by chain.
pub(crate) struct Recorded<'a, T> {
    pub(crate) values: &'a [T],
    pub(crate) draws: usize,
    pub(crate) chains: usize,
    /// The coordinates of w.
    pub(crate) dim: usize,
}

impl<T: Real> Recorded<'_, T> {
    /// A function of w for every draw, chain by chain.
    pub(crate) fn each(
        &self,
        out: &mut [T],
        function: impl Fn(&dyn Fn(usize) -> T) -> T,
    ) -> Result<(), lcc_status> {
        let Some(length) = self.values.len().checked_div(self.draws) else {
            return Err(lcc_status::LCC_ERROR_NOT_DONE);
        };
        for (c, out) in out.chunks_exact_mut(self.draws.max(1)).take(self.chains).enumerate() {
            for (o, draw) in out.iter_mut().zip(self.values.chunks_exact(length.max(1))) {
                *o = function(&|j| {
                    let at = j.wrapping_mul(self.chains).wrapping_add(c);
                    draw.get(at).copied().unwrap_or(T::NAN)
                });
            }
        }
        Ok(())
    }
}
