//! The search for one neuron: projected gradient ascent on the l1 ball, many starts in lock-step.

use crate::dispatch::dispatched;
use crate::simd::Vector;

/// Halvings of the interval in which the threshold of a projection lies: all the digits of a double.
const HALVINGS: u32 = 60;

dispatched! {
    /// The nearest point of {|w|_1 <= R} to each lane's w, in place: sign(w_j) max(|w_j| - t, 0) with the
    /// least t >= 0 that brings it inside, found by bisection (60 d additions; the upper end, so that the
    /// point is inside).
    pub(super) fn project(s: S, radius: T, w: &mut [[T; N]]) {
        let (zero, radius) = (s.zero(), s.splat(radius));
        let (mut size, mut largest) = (zero, zero);
        for w in w.iter() {
            let a = s.load(w).abs();
            size = size + a;
            largest = largest.max(a);
        }
        let (mut low, mut high) = (zero, largest);
        for _ in 0..HALVINGS {
            let t = s.splat(T::HALF) * (low + high);
            let mut left = zero;
            for w in w.iter() {
                left = left + (s.load(w).abs() - t).max(zero);
            }
            let inside = left.le(radius);
            high = t.select(inside, high);
            low = low.select(inside, t);
        }
        let t = zero.select(size.le(radius), high);
        for w in w {
            let x = s.load(w);
            *w = (x.abs() - t).max(zero).copysign(x).array();
        }
    }

    /// A trial point: w + step g/|g|, |g| the Euclidean norm.
    pub(super) fn propose(
        s: S, w: &[[T; N]], gradient: &[[T; N]], step: &[T; N], trial: &mut [[T; N]],
    ) {
        let mut squares = s.zero();
        for g in gradient {
            let g = s.load(g);
            squares = squares + g * g;
        }
        let factor = s.load(step) / squares.sqrt().max(s.splat(T::MIN_POSITIVE));
        for ((trial, w), g) in trial.iter_mut().zip(w).zip(gradient) {
            *trial = (s.load(w) + factor * s.load(g)).array();
        }
    }

    /// Takes trial points that are better, lane by lane: their steps grow by 1.5, the others halve.
    /// Points are value, w and gradient.
    pub(super) fn accept(
        s: S, best: (&mut [T; N], &mut [[T; N]], &mut [[T; N]]),
        trial: (&[T; N], &[[T; N]], &[[T; N]]), step: &mut [T; N], longest: T,
    ) {
        let ((value, w, gradient), (trial_value, trial, trial_gradient)) = (best, trial);
        let (old, new) = (s.load(value), s.load(trial_value));
        let better = old.lt(new);
        *value = new.select(better, old).array();
        let own = s.load(step);
        let grown = (own * s.lit(1.5)).min(s.splat(longest));
        *step = grown.select(better, own * s.splat(T::HALF)).array();
        let pairs = w.iter_mut().zip(trial).zip(gradient.iter_mut().zip(trial_gradient));
        for ((w, trial), (g, trial_gradient)) in pairs {
            *w = s.load(trial).select(better, s.load(w)).array();
            *g = s.load(trial_gradient).select(better, s.load(g)).array();
        }
    }
}
