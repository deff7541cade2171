//! The memory of a stream learner: its parts, in order, and the numbers that their sizes follow from.

use super::options::{StreamError, StreamOptions};
use crate::activation::Activation;
use crate::checkpoint::Kind;
use crate::likelihood::NetworkShape;
use crate::linalg::lower_len;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

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

/// The parts. Blocks of draws follow one another; in each, values are lane-major.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    pub common: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// w and b.
    pub hidden: &'a mut [T],
    /// (v, b0, c): now, and as it was fitted.
    pub mean: &'a mut [T],
    pub home: &'a mut [T],
    /// V of each draw ([`super::factor`]).
    pub factor: &'a mut [T],
    /// b of the noise: now, and at the start; the degrees of freedom.
    pub rate: &'a mut [T],
    pub rate_home: &'a mut [T],
    pub nu: &'a mut [T],
    /// The logarithms of the weights up to a constant, and the weights.
    pub log_weight: &'a mut [T],
    pub weight: &'a mut [T],
    /// The law of the last row, by [`super::head::Evaluate`].
    pub projected: &'a mut [T],
    pub centre: &'a mut [T],
    pub excess: &'a mut [T],
    pub location: &'a mut [T],
    pub scale: &'a mut [T],
    pub freedom: &'a mut [T],
    pub log_norm: &'a mut [T],
    /// Working memory.
    pub row: &'a mut [T],
    pub work: &'a mut [T],
    pub logs: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Stream;
    type Parts<'a> = Parts<'a, T>;
    type Error = StreamError;
    const BROKEN: StreamError = StreamError::NotALearner;

    fn possible(&self) -> bool {
        let some = self.inputs > 0 && self.neurons > 0 && self.draws > 0;
        some && self.options.check().is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, StreamError> {
        let overflow = WorkspaceError::Overflow;
        let order = self.order();
        let all = product([self.blocks(), self.lanes()])?;
        let packed = lower_len(order).ok_or(overflow)?;
        let heads = product([all, order])?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            common: carve.take(COMMON)?,
            standards: carve.take(product([self.inputs.checked_add(1).ok_or(overflow)?, 2])?)?,
            hidden: carve.take(product([all, self.hidden()])?)?,
            mean: carve.take(heads)?,
            home: carve.take(heads)?,
            factor: carve.take(product([all, packed])?)?,
            rate: carve.take(all)?,
            rate_home: carve.take(all)?,
            nu: carve.take(all)?,
            log_weight: carve.take(all)?,
            weight: carve.take(all)?,
            projected: carve.take(heads)?,
            centre: carve.take(all)?,
            excess: carve.take(all)?,
            location: carve.take(all)?,
            scale: carve.take(all)?,
            freedom: carve.take(all)?,
            log_norm: carve.take(all)?,
            row: carve.take(self.inputs)?,
            work: carve.take(product([self.lanes(), order])?)?,
            logs: carve.take(all)?,
        })
    }
}
