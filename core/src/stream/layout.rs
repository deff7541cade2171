//! The memory of a stream learner: its parts, in order, and the numbers that their sizes follow from.

use super::options::{StreamError, StreamOptions};
use crate::activation::Activation;
use crate::likelihood::NetworkShape;
use crate::linalg::lower_len;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Words of the cursor: rows learnt, and the coordinate that leaks next.
pub(super) const ROWS: usize = 0;
pub(super) const COORDINATE: usize = 1;
const CURSOR: usize = 2;
/// a of the noise, the same at the start, and the share that leaks.
pub(super) const COMMON: usize = 3;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: StreamOptions<T>,
        pub inputs: usize,
        pub neurons: usize,
        /// Those that learn.
        pub draws: usize,
        pub activation: Activation,
    }
}

impl<T: Real> Shape<T> {
    pub(super) fn network(&self) -> NetworkShape {
        NetworkShape { inputs: self.inputs, neurons: self.neurons }
    }
    /// P: v, b0, c.
    pub(super) fn order(&self) -> usize {
        self.neurons.saturating_add(self.inputs).saturating_add(1)
    }
    /// w and b.
    pub(super) fn hidden(&self) -> usize {
        self.network().outer_at()
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    pub(super) fn blocks(&self) -> usize {
        self.draws.div_ceil(self.lanes().max(1))
    }
    /// The prior variance of coordinate j of the head, over that of the noise as it was fitted.
    pub(super) fn variance(&self, j: usize) -> T {
        let o = &self.options;
        let sd = match j.cmp(&self.neurons) {
            core::cmp::Ordering::Less => o.outer_sd,
            core::cmp::Ordering::Equal => o.intercept_sd,
            core::cmp::Ordering::Greater => o.linear_sd,
        };
        sd * sd
    }
}

parts! {
    /// The parts. Blocks of draws follow one another; in each, values are lane-major.
    pub(super) struct Parts of shape: Shape<T> as Stream;
    broken: StreamError::NotALearner;
    possible: {
        let some = shape.inputs > 0 && shape.neurons > 0 && shape.draws > 0;
        some && shape.options.check().is_ok()
    };
    with {
        let overflow = WorkspaceError::Overflow;
        let order = shape.order();
        let all = product([shape.blocks(), shape.lanes()])?;
        let packed = lower_len(order).ok_or(overflow)?;
        let heads = product([all, order])?;
    }
    cursor: [u64] = CURSOR,
    common: [T] = COMMON,
    /// Means and sds of the inputs, mean and sd of the target.
    standards: [T] = product([shape.inputs.checked_add(1).ok_or(overflow)?, 2])?,
    /// w and b.
    hidden: [T] = product([all, shape.hidden()])?,
    /// (v, b0, c): now, and as it was fitted.
    mean: [T] = heads,
    home: [T] = heads,
    /// V of each draw ([`super::factor`]).
    factor: [T] = product([all, packed])?,
    /// b of the noise: now, and at the start; the degrees of freedom.
    rate: [T] = all,
    rate_home: [T] = all,
    nu: [T] = all,
    /// The logarithms of the weights up to a constant, and the weights.
    log_weight: [T] = all,
    weight: [T] = all,
    /// The law of the last row, by [`super::head::Evaluate`].
    projected: [T] = heads,
    centre: [T] = all,
    excess: [T] = all,
    location: [T] = all,
    scale: [T] = all,
    freedom: [T] = all,
    log_norm: [T] = all,
    /// Working memory.
    row: [T] = shape.inputs,
    work: [T] = product([shape.lanes(), order])?,
    logs: [T] = all,
}
