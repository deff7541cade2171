//! Batch Greedy Bayes, whatever its precision.

use crate::object::lcc_progress;
use lcc_core::estimator::greedy_bayes::GreedyBayes;
use lcc_core::simd::AnyLanes;

/// The tilt alone, linear in the neuron.
pub const LCC_GREEDY_TILT: i32 = 0;
/// The square of the loss too.
pub const LCC_GREEDY_QUADRATIC: i32 = 1;

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
