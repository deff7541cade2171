//! The step size of each chain, by stochastic approximation (Robbins and Monro 1951) of its logarithm,
//! averaged (Polyak and Juditsky 1992).
//!
//! Dual averaging (Hoffman and Gelman 2014) halves or doubles the step at every rejection however long
//! it has run: where some places accept only short steps, it adapts to the place, reaches its target
//! that way, and leaves an average step that does not. Gains that fall to nothing do not follow
//! the chain around.

use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;

/// The adaptation of N chains; each alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize<T, const N: usize> {
    /// log of the step size in use.
    log_step: [T; N],
    /// log of the averaged step size.
    log_average: [T; N],
}

/// The t-th iteration moves the log step by t^-GAIN (probability - target), t counted from [`AFTER`]
/// after a restart, ...
const GAIN: f64 = 0.6;
const AFTER: usize = 6;
/// ... and the average towards it by the share t^-SHARE: a window of some t^SHARE iterations.
const SHARE: f64 = 0.75;

impl<T: Real, const N: usize> StepSize<T, N> {
    /// From a first step size.
    pub fn new(log_first: T) -> Self {
        Self { log_step: [log_first; N], log_average: [log_first; N] }
    }
    pub(crate) fn load(stored: &[[T; N]; 2]) -> Self {
        let [log_step, log_average] = *stored;
        Self { log_step, log_average }
    }
    pub(crate) fn stored(&self) -> [[T; N]; 2] {
        [self.log_step, self.log_average]
    }
    /// Begins anew from the step size in use, to learn from t = 0 again.
    pub fn restart(&mut self) {
        self.log_average = self.log_step;
    }
    /// Ends the adaptation: the averaged step size is used from here on.
    pub fn freeze(&mut self) {
        self.log_step = self.log_average;
    }
}

impl<T: Lanes<N>, const N: usize> StepSize<T, N> {
    /// The step size in use.
    pub fn step(&self, isa: Isa) -> [T; N] {
        T::dispatch(isa, Exp { x: &self.log_step })
    }

    /// Learns from the acceptance probability of iteration `t` = 0, 1, ... since the first or since a
    /// [`restart`](Self::restart), after which gains begin smaller. The step stays at or below exp(`log_largest`): on an easy target the trajectory's length `leapfrogs` * step, not the
    /// acceptance, is what limits it.
    pub fn learn(
        &mut self,
        isa: Isa,
        t: usize,
        restarted: bool,
        probability: &[T; N],
        target: T,
        log_largest: T,
    ) {
        let counts = [t.saturating_add(if restarted { AFTER } else { 1 }), t.saturating_add(1)];
        T::dispatch(isa, Learn { state: self, counts, probability, target, log_largest });
    }
}

struct Exp<'a, T, const N: usize> {
    x: &'a [T; N],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Exp<'_, T, N> {
    type Output = [T; N];
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        special::exp(s, s.load(self.x)).array()
    }
}

/// count^exponent.
#[inline(always)]
fn power<T: Real, const N: usize, S: Simd<T, N>>(s: S, count: usize, exponent: f64) -> S::V {
    special::exp(s, s.lit(exponent) * special::ln(s, s.splat(T::of_usize(count))))
}

struct Learn<'a, T, const N: usize> {
    state: &'a mut StepSize<T, N>,
    counts: [usize; 2],
    probability: &'a [T; N],
    target: T,
    log_largest: T,
}

impl<T: Real, const N: usize> LaneOp<T, N> for Learn<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { state, counts: [steps, averages], probability, target, log_largest } = self;
        let excess = s.load(probability) - s.splat(target);
        let gain = power(s, steps, -GAIN);
        let log_step = (s.load(&state.log_step) + gain * excess).min(s.splat(log_largest));
        let share = power(s, averages, -SHARE);
        let average = s.load(&state.log_average);
        state.log_step = log_step.array();
        state.log_average = (average + share * (log_step - average)).array();
    }
}
