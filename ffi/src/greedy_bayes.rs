//! Batch Greedy Bayes, whatever its precision.

use crate::object::lcc_progress;
use lcc_core::estimator::greedy_bayes::GreedyBayes;
use lcc_core::simd::AnyLanes;

codes! {
    i32 LCC_GREEDY_TILT = 0, "The tilt alone, linear in the neuron.";
    i32 LCC_GREEDY_QUADRATIC = 1, "The square of the loss too.";
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
