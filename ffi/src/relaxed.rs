//! Greedy least squares, whatever its precision.

use crate::sampler::lcc_progress;
use crate::status::lcc_status;
use lcc_core::estimator::relaxed::RelaxedGreedy;
use lcc_core::simd::AnyLanes;
use lcc_core::workspace::{Carve, Measure, Memory};

/// Relaxed greedy (Jones, Barron).
pub const LCC_RELAXED_GREEDY: i32 = 0;
/// Frank-Wolfe.
pub const LCC_RELAXED_FRANK_WOLFE: i32 = 1;
/// Orthogonal matching pursuit.
pub const LCC_RELAXED_ORTHOGONAL: i32 = 2;

pub(crate) fn progress<T: AnyLanes>(fit: &RelaxedGreedy<'_, T>) -> lcc_progress {
    let (options, levels) = (fit.options(), fit.levels() as u64);
    let passes = (options.steps as u64).saturating_add(1).saturating_mul(options.starts as u64);
    lcc_progress {
        done: levels,
        total: options.levels as u64,
        draws: (levels > 0) as u64,
        gradients: levels.saturating_mul(passes),
        warming: 0,
        reserved: 0,
    }
}

/// The bytes of the model and of the scratch in which it is written.
pub(crate) fn model_size<T: AnyLanes>(
    fit: &RelaxedGreedy<'_, T>,
) -> Result<(usize, usize), lcc_status> {
    let mut measure = Measure::new();
    let _: &mut [T] = measure.take(fit.model_scratch())?;
    Ok((fit.model_size()?, measure.bytes()))
}

pub(crate) fn write_model<T: AnyLanes>(
    fit: &RelaxedGreedy<'_, T>,
    scratch: &mut [u8],
    model: &mut [u8],
) -> Result<usize, lcc_status> {
    let (bytes, _) = model_size(fit)?;
    let scratch = Memory::new(scratch)?.take(fit.model_scratch())?;
    if model.len() < bytes {
        return Err(lcc_status::LCC_ERROR_MEMORY_SIZE);
    }
    Ok(fit.write_model(model, scratch)?)
}
