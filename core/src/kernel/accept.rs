//! Metropolis' rule, compiled once for all kernels.

use super::hmc::{Outcome, State};
use crate::random::{Stream, uniforms};
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;

/// Takes the proposal with probability min(1, exp(exponent)), one uniform a lane; returns what came of it.
pub(super) struct Accept<'c, T, const N: usize> {
    pub(super) streams: &'c mut [Stream; N],
    pub(super) state: State<'c, T, N>,
    /// The proposal, its gradient (empty where the state keeps none) and its value.
    pub(super) position: &'c [[T; N]],
    pub(super) gradient: &'c [[T; N]],
    pub(super) value: [T; N],
    pub(super) exponent: [T; N],
    /// An exponent outside, or NaN, is a divergence.
    pub(super) range: [T; 2],
    /// Takes it wherever there is no divergence.
    pub(super) unadjusted: bool,
    /// The energy of the state, and what it changes by where the proposal is taken.
    pub(super) energy: [T; N],
    pub(super) change: [T; N],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Accept<'_, T, N> {
    type Output = Outcome<T, N>;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Outcome<T, N> {
        let Self { streams, state, position, gradient, value, exponent, range, .. } = self;
        let (zero, exponent, [least, most]) = (s.zero(), s.load(&exponent), range);
        let (least, most) = (s.splat(least), s.splat(most));
        // A NaN fails both comparisons.
        let probability = special::called::exp(s, exponent.min(zero));
        let probability =
            probability.select(least.le(exponent), zero).select(exponent.le(most), zero);
        let sound = s.one().select(least.le(exponent), zero).select(exponent.le(most), zero);
        let bar = if self.unadjusted { sound } else { probability };
        let take = s.load(&uniforms(streams)).lt(bar);
        state.take(s, take, position, gradient, s.load(&value));
        let energy = s.load(&self.energy) + s.load(&self.change).select(take, zero);
        Outcome::new(s, probability, take, sound, energy)
    }
}
