//! The weights of one step of the ladder, and how long a step may be.
//!
//! From temperature lambda to lambda + delta a particle of log likelihood l has the log weight
//! delta l. Weights are kept relative to the largest, exp(delta (l - max l)). Their sums run over the
//! particles in order and are compensated, so neither lanes nor instruction set change a bit.

use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use crate::special;
use crate::sum::Sum;

/// Halvings in search of a step short enough.
const HALVINGS: u32 = 64;
/// Bisections between it and its double: to .1 % of the step.
const BISECTIONS: u32 = 10;

/// The log likelihoods of all particles and room for their weights, as blocks of N particles.
pub(crate) struct Weighing<'a, T, const N: usize> {
    pub isa: Isa,
    pub logs: &'a [[T; N]],
    /// The largest of the logs.
    pub top: T,
    pub weights: &'a mut [[T; N]],
}

/// Sums of the weights and of their squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<T> {
    pub sum: T,
    squares: T,
    count: T,
}

impl<T: Real> Sums<T> {
    /// The effective sample size (sum w)^2 / sum w^2 as a share of the particles.
    pub(crate) fn effective(&self) -> T {
        self.sum / self.count * (self.sum / self.squares)
    }

    /// The logarithm of the mean weight, still relative to the largest.
    pub(crate) fn log_mean(&self) -> T {
        special::scalar::ln(self.sum / self.count)
    }
}

dispatched!(
    /// [`Weighing::weigh`] as work to dispatch.
    fn weigh(s: S, logs: &[[T; N]], top: T, delta: T, weights: &mut [[T; N]]) {
        let (top, delta) = (s.splat(top), s.splat(delta));
        for (w, l) in weights.iter_mut().zip(logs) {
            *w = special::exp(s, delta * (s.load(l) - top)).array();
        }
    }
);

impl<'a, T: Lanes<N>, const N: usize> Weighing<'a, T, N> {
    /// Of log likelihoods below infinity.
    pub(crate) fn new(isa: Isa, logs: &'a [[T; N]], weights: &'a mut [[T; N]]) -> Self {
        let top = logs.as_flattened().iter().fold(-T::INFINITY, |top, l| top.max(*l));
        Self { isa, logs, top, weights }
    }

    /// The weights of a step.
    // A function to call: a search for the next temperature asks from three places.
    #[inline(never)]
    pub(crate) fn weigh(&mut self, delta: T) -> Sums<T> {
        weigh(self.isa, self.logs, self.top, delta, self.weights);
        let (mut sum, mut squares) = (Sum::ZERO, Sum::ZERO);
        let weights = self.weights.as_flattened();
        for w in weights {
            sum.add(*w);
            squares.add(*w * *w);
        }
        Sums { sum: sum.value(), squares: squares.value(), count: T::of_usize(weights.len()) }
    }

    /// The next temperature: 1 if that leaves `target` of the particles, else the farthest that
    /// does, to .1 % of the step from below.
    pub(crate) fn next(&mut self, lambda: T, target: T) -> T {
        let room = T::ONE - lambda;
        if self.weigh(room).effective() >= target {
            return T::ONE;
        }
        lambda + farthest(room, |step| self.weigh(step).effective() >= target)
    }
}

/// The farthest step below `room` that is sound, to .1 % of it from below: by bisection, for the effective
/// sample size falls as the step grows. Where none is sound, the shortest that was tried.
pub(crate) fn farthest<T: Real>(room: T, mut sound: impl FnMut(T) -> bool) -> T {
    let (mut low, mut high) = (T::ZERO, room);
    for _ in 0..HALVINGS {
        let trial = high * T::HALF;
        if sound(trial) {
            low = trial;
            break;
        }
        high = trial;
    }
    for _ in 0..BISECTIONS {
        let trial = (low + high) * T::HALF;
        if sound(trial) {
            low = trial;
        } else {
            high = trial;
        }
    }
    if low > T::ZERO { low } else { high }
}

/// The relative variance of the estimate of the evidence, from one run, and the families: sum over the families of
/// (share of the weights - 1/N)^2, a family being the particles that descend from one draw of the
/// prior (Chan and Lai 2013, "A general theory of particle filters in hidden Markov models and some
/// applications"; Lee and Whiteley 2018). `shares` is scratch of one number a particle.
///
/// Systematic resampling rounds the number of copies instead of drawing it; the rounding enlarges
/// families as a noise of variance f (1 - f) would, f being the fraction rounded, though its errors
/// cancel between neighbours. So the estimate is high, by at most 1/(4 N) a stage.
pub(crate) fn relative_variance<T: Real>(
    weights: &[T],
    sum: T,
    origins: &[u32],
    shares: &mut [T],
) -> (T, u64) {
    shares.fill(T::ZERO);
    for (w, origin) in weights.iter().zip(origins) {
        if let Some(share) = shares.get_mut(*origin as usize) {
            *share += *w;
        }
    }
    let even = T::ONE / T::of_usize(weights.len());
    let mut variance = Sum::ZERO;
    let mut families = 0_u64;
    for share in shares {
        families = families.saturating_add((*share > T::ZERO) as u64);
        let miss = *share / sum - even;
        variance.add(miss * miss);
    }
    (variance.value(), families)
}
