//! Batch Greedy Bayes, whatever its precision.

use crate::problem::{LCC_PRIOR_GAUSSIAN, LCC_PRIOR_L1_BALL};
use crate::sampler::lcc_progress;
use crate::status::lcc_status;
use lcc_core::estimator::greedy_bayes::GreedyBayes;
use lcc_core::prior::Prior;
use lcc_core::simd::AnyLanes;
use lcc_core::workspace::{Carve, Measure, Memory};

/// The tilt alone, linear in the neuron.
pub const LCC_GREEDY_TILT: i32 = 0;
/// The square of the loss too.
pub const LCC_GREEDY_QUADRATIC: i32 = 1;

/// A prior from its code and scale.
pub(crate) fn prior<T>(code: i32, scale: T) -> Result<Prior<T>, lcc_status> {
    match code {
        LCC_PRIOR_GAUSSIAN => Ok(Prior::Gaussian { sd: scale }),
        LCC_PRIOR_L1_BALL => Ok(Prior::L1Ball { radius: scale }),
        _ => Err(lcc_status::LCC_ERROR_PRIOR),
    }
}

/// The code and scale of a prior.
pub(crate) fn prior_code<T>(prior: Prior<T>) -> (i32, T) {
    match prior {
        Prior::Gaussian { sd } => (LCC_PRIOR_GAUSSIAN, sd),
        Prior::L1Ball { radius } => (LCC_PRIOR_L1_BALL, radius),
    }
}

pub(crate) fn progress<T: AnyLanes>(fit: &GreedyBayes<'_, T>) -> lcc_progress {
    let p = fit.progress();
    lcc_progress {
        done: p.levels as u64,
        total: p.of as u64,
        draws: if p.done { fit.options().keep as u64 } else { 0 },
        gradients: p.evaluations.saturating_mul(fit.options().particles as u64),
        warming: 0,
        reserved: 0,
    }
}

/// The bytes of the model and of the scratch in which it is written.
pub(crate) fn model_size<T: AnyLanes>(
    fit: &GreedyBayes<'_, T>,
) -> Result<(usize, usize), lcc_status> {
    let mut measure = Measure::new();
    let _: &mut [T] = measure.take(fit.model_scratch())?;
    Ok((fit.model_size()?, measure.bytes()))
}

pub(crate) fn write_model<T: AnyLanes>(
    fit: &GreedyBayes<'_, T>,
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
