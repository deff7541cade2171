//! Prequential Greedy Bayes, whatever its precision.

use crate::object::lcc_progress;
use lcc_core::estimator::prequential::Prequential;
use lcc_core::simd::AnyLanes;
use lcc_core::workspace::{Carve, Measure, WorkspaceError};

codes! {
    i32 LCC_AVERAGING_PRINTED = 0, "The mean of f_i over i = 1, ..., n: the posteriors before each row, as printed in the paper.";
    i32 LCC_AVERAGING_INCLUSIVE = 1, "Over i = 1, ..., n + 1: the posteriors given all rows too.";
    i32 LCC_AVERAGING_LAST = 2, "i = n + 1 alone: the posteriors given all rows, which is what foretells the next one.";
}

/// A unit of the work is a row; gradients are row visits.
pub(crate) fn progress<T: AnyLanes>(learner: &Prequential<'_, T>) -> lcc_progress {
    let p = learner.progress();
    lcc_progress {
        done: p.rows,
        total: p.of,
        draws: learner.options().keep as u64,
        gradients: p.visits,
        warming: !p.idle as u32,
        reserved: 0,
    }
}

/// The bytes of the scratch of a row.
pub(crate) fn row_scratch<T: AnyLanes>(
    learner: &Prequential<'_, T>,
) -> Result<usize, WorkspaceError> {
    let mut measure = Measure::new();
    let _: &mut [T] = measure.take(learner.row_scratch())?;
    Ok(measure.bytes())
}
