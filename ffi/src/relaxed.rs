//! Greedy least squares, whatever its precision.

use crate::object::lcc_progress;
use lcc_core::estimator::relaxed::RelaxedGreedy;
use lcc_core::simd::AnyLanes;

codes! {
    i32 LCC_RELAXED_GREEDY = 0, "Relaxed greedy (Jones, Barron).";
    i32 LCC_RELAXED_FRANK_WOLFE = 1, "Frank-Wolfe.";
    i32 LCC_RELAXED_ORTHOGONAL = 2, "Orthogonal matching pursuit.";
}

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
