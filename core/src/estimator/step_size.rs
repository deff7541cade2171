//! The step size of each chain, by dual averaging (Hoffman and Gelman 2014, 3.2).

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
    /// The averaged shortfall of the acceptance.
    shortfall: [T; N],
}

/// gamma, t_0 and kappa of the paper.
const GAMMA: f64 = 0.05;
const OFFSET: f64 = 10.0;
const KAPPA: f64 = 0.75;

impl<T: Real, const N: usize> StepSize<T, N> {
    /// From a first step size.
    pub fn new(log_first: T) -> Self {
        Self { log_step: [log_first; N], log_average: [log_first; N], shortfall: [T::ZERO; N] }
    }
    pub(crate) fn load(stored: &[[T; N]; 3]) -> Self {
        let [log_step, log_average, shortfall] = *stored;
        Self { log_step, log_average, shortfall }
    }
    pub(crate) fn stored(&self) -> [[T; N]; 3] {
        [self.log_step, self.log_average, self.shortfall]
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

    /// Learns from the acceptance probability of iteration `t` = 1, 2, ... Both the step and its
    /// average stay at or below exp(`log_largest`): on an easy target the trajectory's length
    /// `leapfrogs` * step, not the acceptance, is what limits it.
    pub fn learn(
        &mut self,
        isa: Isa,
        t: usize,
        probability: &[T; N],
        target: T,
        log_first: T,
        log_largest: T,
    ) {
        let op = Learn { state: self, t, probability, target, log_first, log_largest };
        T::dispatch(isa, op);
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

struct Learn<'a, T, const N: usize> {
    state: &'a mut StepSize<T, N>,
    t: usize,
    probability: &'a [T; N],
    target: T,
    log_first: T,
    log_largest: T,
}

impl<T: Real, const N: usize> LaneOp<T, N> for Learn<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { state, t, probability, target, log_first, log_largest } = self;
        let count = T::of_usize(t.max(1));
        let share = s.splat(T::ONE / (count + T::lit(OFFSET)));
        let shortfall = s.load(&state.shortfall);
        let missing = s.splat(target) - s.load(probability);
        let shortfall = shortfall + share * (missing - shortfall);
        let pull = s.splat(count.sqrt() / T::lit(GAMMA));
        // mu = log(10 first), as in the paper.
        let mu = s.splat(log_first + T::lit(core::f64::consts::LN_10));
        let cap = s.splat(log_largest);
        let log_step = (mu - pull * shortfall).min(cap);
        // t^-kappa.
        let weight = special::exp(s, s.lit(-KAPPA) * special::ln(s, s.splat(count)));
        let average = s.load(&state.log_average);
        let average = (average + weight * (log_step - average)).min(cap);
        state.shortfall = shortfall.array();
        state.log_step = log_step.array();
        state.log_average = average.array();
    }
}
