//! Step sizes by dual averaging.
//!
//! Each chain adapts alone: log e moves so that the mean probability of acceptance becomes the
//! target (Hoffman and Gelman 2014, "The No-U-Turn Sampler", section 3.2, after Nesterov), and a
//! weighted average of log e is kept for sampling. Both are capped: a rotation by more than about a
//! right angle gains nothing, and beyond it chains resonate, so where acceptance would allow a longer
//! step than the cap it stays at the cap.
//!
//! The state of one chain is three numbers, kept as three blocks `[T; N]`.

use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;

/// The numbers of one chain: see [`StepSize`].
pub const FIELDS: usize = 3;

/// The weight of errors in log e.
const GAMMA: f64 = 0.05;
/// Damps the first updates.
const OFFSET: u32 = 10;
/// Update m has weight m^-KAPPA in the average.
const KAPPA: f64 = 0.75;

/// What adaptation aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<T> {
    /// The mean probability of acceptance wanted, in (0, 1).
    pub acceptance: T,
    /// No step is longer, > 0. Also the first step, and what log e shrinks to.
    pub cap: T,
}

/// The step sizes of N chains, over the caller's memory.
#[derive(Debug)]
pub struct StepSize<'s, T, const N: usize> {
    state: &'s mut [[T; N]; FIELDS],
}

impl<'s, T: Lanes<N>, const N: usize> StepSize<'s, T, N> {
    /// Continues from stored numbers: the step in use, the average of its logarithm, the mean error.
    pub fn new(state: &'s mut [[T; N]; FIELDS]) -> Self {
        Self { state }
    }

    /// Before any update: the step is the cap.
    pub fn reset(&mut self, target: Target<T>) {
        *self.state = [[target.cap; N], [T::ZERO; N], [T::ZERO; N]];
    }

    /// The step in use.
    pub fn step(&self) -> [T; N] {
        let [step, _, _] = &*self.state;
        *step
    }

    /// Update `count` = 1, 2, ... with the probabilities of acceptance of one transition.
    pub fn update(&mut self, isa: Isa, target: Target<T>, count: u32, acceptance: &[T; N]) {
        T::dispatch(isa, Update { state: self.state, target, count, acceptance });
    }

    /// Ends adaptation, after at least one update: the step becomes the average.
    pub fn freeze(&mut self, isa: Isa, target: Target<T>) {
        T::dispatch(isa, Freeze { state: self.state, target });
    }
}

struct Update<'s, T, const N: usize> {
    state: &'s mut [[T; N]; FIELDS],
    target: Target<T>,
    count: u32,
    acceptance: &'s [T; N],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Update<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let [step, average, error] = self.state;
        let count = s.splat(T::of_u32(self.count.max(1)));
        let weight = s.one() / (count + s.splat(T::of_u32(OFFSET)));
        let miss = s.splat(self.target.acceptance) - s.load(self.acceptance);
        let mean = s.load(error) * (s.one() - weight) + weight * miss;
        *error = mean.array();

        let cap = special::ln(s, s.splat(self.target.cap));
        let log_step = (cap - mean * (count.sqrt() * s.lit(1.0 / GAMMA))).min(cap);
        let share = special::exp(s, -(special::ln(s, count) * s.lit(KAPPA)));
        *average = (s.load(average) * (s.one() - share) + log_step * share).array();
        *step = special::exp(s, log_step).min(s.splat(self.target.cap)).array();
    }
}

struct Freeze<'s, T, const N: usize> {
    state: &'s mut [[T; N]; FIELDS],
    target: Target<T>,
}

impl<T: Real, const N: usize> LaneOp<T, N> for Freeze<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let [step, average, _] = self.state;
        *step = special::exp(s, s.load(average)).min(s.splat(self.target.cap)).array();
    }
}
