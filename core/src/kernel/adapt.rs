//! Step sizes that follow acceptance, each chain's alone: one interface, two rules.
//!
//! [`StepSize::Dual`] is dual averaging: log e moves so that the mean probability of acceptance becomes
//! the target (Hoffman and Gelman 2014, "The No-U-Turn Sampler", section 3.2, after Nesterov), and a
//! weighted average of log e is kept for sampling. Both are capped: a rotation by more than about a
//! right angle gains nothing, and beyond it chains resonate, so where acceptance would allow a longer
//! step than the cap it stays at the cap.
//!
//! [`StepSize::Decaying`] is stochastic approximation (Robbins and Monro 1951) of log e, averaged
//! (Polyak and Juditsky 1992). Dual averaging halves or doubles the step at every rejection however long
//! it has run: where some places accept only short steps, it adapts to the place, reaches its target
//! that way, and leaves an average step that does not. Gains that fall to nothing do not follow
//! the chain around. The cap holds for each step; on an easy target the trajectory's length, not the
//! acceptance, is what limits it.

use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use crate::special::{self, scalar};

/// The numbers of one chain under [`StepSize::Dual`].
pub const FIELDS: usize = 3;

/// The weight of errors in log e under dual averaging.
const GAMMA: f64 = 0.05;
/// Damps its first updates.
const OFFSET: u32 = 10;
/// Update m moves a decaying log e by m^-GAIN (probability - target) ...
const GAIN: f64 = 0.6;
/// ... and after a restart by (m + AFTER)^-GAIN of it.
const AFTER: u32 = 5;
/// Update m has weight m^-KAPPA in the average: a window of some m^KAPPA updates.
const KAPPA: f64 = 0.75;

/// What adaptation aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<T> {
    /// The mean probability of acceptance wanted, in (0, 1).
    pub acceptance: T,
    /// No step is longer, > 0. Also what log e shrinks to under dual averaging.
    pub cap: T,
}

/// The step sizes of N chains, over the caller's memory.
#[derive(Debug)]
pub enum StepSize<'s, T, const N: usize> {
    /// The step in use, the average of its logarithm, the mean error.
    Dual(&'s mut [[T; N]; FIELDS]),
    /// Robbins, Monro, Polyak and Juditsky's.
    Decaying {
        /// The logarithm of the step in use, and its average.
        state: &'s mut [[T; N]; 2],
        /// Whether updates count from a [`restart`](StepSize::restart): their gains begin smaller.
        restarted: bool,
    },
}

impl<T: Lanes<N>, const N: usize> StepSize<'_, T, N> {
    /// Before any update.
    #[inline(always)]
    pub fn reset(&mut self, _: Isa, first: T) {
        match self {
            Self::Dual(state) => **state = [[first; N], [T::ZERO; N], [T::ZERO; N]],
            Self::Decaying { state, .. } => **state = [[scalar::ln(first); N]; 2],
        }
    }

    /// Begins anew from the step in use.
    #[inline(always)]
    pub fn restart(&mut self) {
        match self {
            Self::Dual([_, average, error]) => (*average, *error) = ([T::ZERO; N], [T::ZERO; N]),
            Self::Decaying { state: [log, average], .. } => *average = *log,
        }
    }

    /// The step in use.
    #[inline(always)]
    pub fn step(&self, isa: Isa) -> [T; N] {
        match self {
            Self::Dual([step, _, _]) => *step,
            Self::Decaying { state: [log, _], .. } => exp(isa, log),
        }
    }

    /// Update `count` = 1, 2, ... since the first or since a [`restart`](Self::restart), with the
    /// probabilities of acceptance of one transition.
    #[inline(always)]
    pub fn update(&mut self, isa: Isa, target: Target<T>, count: u32, acceptance: &[T; N]) {
        match self {
            Self::Dual(state) => dual(isa, state, target, count, acceptance),
            Self::Decaying { state, restarted } => {
                let gains = if *restarted { count.saturating_add(AFTER) } else { count };
                decaying(isa, state, target, [gains, count], acceptance);
            }
        }
    }

    /// Ends adaptation, after at least one update: the step becomes the average.
    #[inline(always)]
    pub fn freeze(&mut self, isa: Isa, target: Target<T>) {
        match self {
            Self::Dual(state) => freeze(isa, state, target),
            Self::Decaying { state: [log, average], .. } => *log = *average,
        }
    }
}

/// count^exponent.
fn power<T: Real>(count: T, exponent: f64) -> T {
    scalar::exp(T::lit(exponent) * scalar::ln(count))
}

dispatched!(
    fn exp(s: S, x: &[T; N]) -> [T; N] {
        special::called::exp(s, s.load(x)).array()
    }
);

dispatched!(
    fn dual(
        s: S,
        state: &mut [[T; N]; FIELDS],
        target: Target<T>,
        count: u32,
        acceptance: &[T; N],
    ) {
        let [step, average, error] = state;
        let number = T::of_u32(count.max(1));
        let count = s.splat(number);
        let weight = s.one() / (count + s.splat(T::of_u32(OFFSET)));
        let miss = s.splat(target.acceptance) - s.load(acceptance);
        let mean = s.load(error) * (s.one() - weight) + weight * miss;
        *error = mean.array();

        let cap = s.splat(scalar::ln(target.cap));
        let log_step = (cap - mean * (count.sqrt() * s.lit(1.0 / GAMMA))).min(cap);
        let share = s.splat(power(number, -KAPPA));
        *average = (s.load(average) * (s.one() - share) + log_step * share).array();
        *step = special::called::exp(s, log_step).min(s.splat(target.cap)).array();
    }
);

dispatched!(
    fn freeze(s: S, state: &mut [[T; N]; FIELDS], target: Target<T>) {
        let [step, average, _] = state;
        *step = special::called::exp(s, s.load(average)).min(s.splat(target.cap)).array();
    }
);

dispatched!(
    fn decaying(
        s: S,
        state: &mut [[T; N]; 2],
        target: Target<T>,
        counts: [u32; 2],
        acceptance: &[T; N],
    ) {
        let [log, average] = state;
        let [gains, count] = counts.map(T::of_u32);
        let excess = s.load(acceptance) - s.splat(target.acceptance);
        let cap = s.splat(scalar::ln(target.cap));
        let step = (s.load(log) + s.splat(power(gains, -GAIN)) * excess).min(cap);
        let share = s.splat(power(count, -KAPPA));
        *log = step.array();
        let old = s.load(average);
        *average = (old + share * (step - old)).array();
    }
);
