//! Exact draws from exp(piecewise quadratic) on a chord.
//!
//! Along a line v(t) = b t + c t^2/2 + sum_i k_i max(0, x_i + z_i t)^2/2 has a continuous slope, and a
//! curvature that jumps at the breaks t_i = -x_i/z_i. From the low end of the chord, value, slope and
//! curvature are carried from break to break, with compensation, so no coefficient of t^2 is ever formed
//! from large ones that cancel.
//!
//! Each piece is split at its maximum or minimum. On a monotone part of length l, at distance r from its
//! high end, v = v_high - G r + c r^2/2 with G >= 0; an exponential above it is
//! - concave (c < 0): the tangent at r = 2/(G + sqrt(G^2 - 4 c)), the best for the tail of a Gaussian
//!   (Robert 1995, "Simulation of truncated normal variables"), or at l/2 if that is less;
//! - convex: the chord, of slope -(G - c l/2).
//!
//! A part is drawn by the mass under its exponential, a point from the exponential, and the point is
//! taken with probability exp(v - exponential): at least .76 on concave parts, .5 on convex ones. That
//! is exact in one way for concave, straight and convex pieces, and needs neither erfc (whose
//! differences cancel on short pieces) nor Dawson's integral. After [`ROUNDS`] refusals (probability
//! below 2^-64) a chain stays where it is, which is exact too: the probability does not depend on where
//! on the line it is.

use crate::dispatch::dispatched;
use crate::likelihood::Hinges;
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;
use crate::sum::Sum;
use core::iter::once;

/// Draws before a chain gives up.
const ROUNDS: usize = 64;

dispatched!(
    /// Finds breaks and jumps. Before, `breaks` and `jumps` hold x_i and z_i; after, t_i and the jump of the
    /// curvature there, not sorted, 0 outside the chord. Returns slope and curvature at the low end.
    pub(super) fn breaks(
        s: S,
        hinges: Hinges<'_, T>,
        low: [T; N],
        high: [T; N],
        rest: [[T; N]; 2],
        breaks: &mut [[T; N]],
        jumps: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        let [b, c] = rest;
        let (low, high, zero, one) = (s.load(&low), s.load(&high), s.zero(), s.one());
        let mut slope = Sum { high: s.load(&b), low: zero };
        let mut curvature = Sum { high: s.load(&c), low: zero };
        slope.add(s.load(&c) * low);
        for ((x, z), value) in breaks.iter_mut().zip(jumps).zip(hinges.values) {
            let k = s.splat(hinges.factor * *value);
            let (x0, z0) = (s.load(x), s.load(z));
            // A NaN (0/0) goes to the low end, where its jump is 0.
            let t = (-x0 / z0).max(low).min(high);
            let (bend, rises) = (k * z0 * z0, zero.lt(z0));
            let begun = t.le(low);
            // 1 where the hinge is on at the low end.
            let on = one.select(begun, zero).select(rises, zero.select(begun, one));
            curvature.add(on * bend);
            slope.add(on * (k * z0 * (x0 + z0 * low)));
            *x = t.array();
            *z = zero.select(begun, bend.select(rises, -bend)).array();
        }
        [slope.value().array(), curvature.value().array()]
    }
);

/// Sorts the breaks of each lane, upward, with their jumps: a heap sort.
pub(super) fn sort<T: Real, const N: usize>(breaks: &mut [[T; N]], jumps: &mut [[T; N]]) {
    for lane in 0..N {
        let mut heap = Heap { breaks: &mut *breaks, jumps: &mut *jumps, lane };
        let count = heap.breaks.len();
        for root in (0..count / 2).rev() {
            heap.sift(root, count);
        }
        for end in (1..count).rev() {
            heap.swap(0, end);
            heap.sift(0, end);
        }
    }
}

/// One lane's breaks as a heap, the largest first.
struct Heap<'s, T, const N: usize> {
    breaks: &'s mut [[T; N]],
    jumps: &'s mut [[T; N]],
    lane: usize,
}

impl<T: Real, const N: usize> Heap<'_, T, N> {
    fn key(&self, k: usize) -> T {
        self.breaks.get(k).and_then(|b| b.get(self.lane)).copied().unwrap_or(T::ZERO)
    }

    fn swap(&mut self, a: usize, b: usize) {
        for column in [&mut *self.breaks, &mut *self.jumps] {
            let at = |column: &[[T; N]], k: usize| column.get(k)?.get(self.lane).copied();
            let (Some(x), Some(y)) = (at(column, a), at(column, b)) else { return };
            for (k, value) in [(a, y), (b, x)] {
                if let Some(entry) = column.get_mut(k).and_then(|c| c.get_mut(self.lane)) {
                    *entry = value;
                }
            }
        }
    }

    fn sift(&mut self, mut root: usize, end: usize) {
        loop {
            let mut child = root.saturating_mul(2).saturating_add(1);
            if child >= end {
                return;
            }
            let next = child.saturating_add(1);
            if next < end && self.key(child) < self.key(next) {
                child = next;
            }
            if self.key(root) < self.key(child) {
                self.swap(root, child);
                root = child;
            } else {
                return;
            }
        }
    }
}

dispatched!(
    /// Draws t from exp(v) on the chord. `weights` holds 2 blocks a piece: 2 (n + 1). Returns t, and 1 where
    /// it was drawn, else 0.
    pub(super) fn draw(
        s: S,
        streams: &mut [Stream; N],
        low: [T; N],
        high: [T; N],
        start: [[T; N]; 2],
        breaks: &[[T; N]],
        jumps: &[[T; N]],
        weights: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        let (zero, one) = (s.zero(), s.one());
        let flat = [T::ZERO; N];
        let [slope, curvature] = start;
        let begin = Walk {
            at: s.load(&low),
            value: Sum::new(zero),
            slope: Sum { high: s.load(&slope), low: zero },
            curvature: Sum { high: s.load(&curvature), low: zero },
        };

        // The highest point, to which every weight is relative.
        let (mut walk, mut top) = (begin, zero);
        let pieces = || breaks.iter().zip(jumps).chain(once((&high, &flat)));
        for (t, jump) in pieces() {
            let [left, right] = parts(s, &walk, s.load(t));
            top = top.max(left.height).max(right.height);
            advance(s, &mut walk, s.load(t), s.load(jump));
        }

        let (mut walk, mut total) = (begin, zero);
        for ((t, jump), [first, second]) in pieces().zip(weights.as_chunks_mut::<2>().0) {
            for (part, out) in parts(s, &walk, s.load(t)).iter().zip([first, second]) {
                let own = weight(s, part, top);
                total = total + own;
                *out = own.array();
            }
            advance(s, &mut walk, s.load(t), s.load(jump));
        }

        let (mut drawn, mut done) = ([T::ZERO; N], [T::ZERO; N]);
        for _ in 0..ROUNDS {
            // A lane that has its point draws no more numbers.
            let (mut u, mut along, mut accept) = ([T::HALF; N], [T::HALF; N], [T::HALF; N]);
            let lanes = streams.iter_mut().zip(&done);
            for ((stream, done), (u, (along, accept))) in
                lanes.zip(u.iter_mut().zip(along.iter_mut().zip(&mut accept)))
            {
                if *done <= T::ZERO {
                    (*u, *along, *accept) = (stream.uniform(), stream.uniform(), stream.uniform());
                }
            }
            let target = s.load(&u) * total;
            let nowhere = Part {
                origin: zero,
                side: zero,
                length: zero,
                height: zero,
                fall: zero,
                bend: zero,
            };
            let (mut walk, mut sum, mut chosen) = (begin, zero, nowhere);
            for ((t, jump), [a, b]) in pieces().zip(weights.as_chunks::<2>().0) {
                let [left, right] = parts(s, &walk, s.load(t));
                // The last part of positive weight that begins at or below the target.
                for (part, weight) in [(left, s.load(a)), (right, s.load(b))] {
                    let here = sum.le(target.select(zero.lt(weight), -one));
                    chosen = Part {
                        origin: part.origin.select(here, chosen.origin),
                        side: part.side.select(here, chosen.side),
                        length: part.length.select(here, chosen.length),
                        height: part.height.select(here, chosen.height),
                        fall: part.fall.select(here, chosen.fall),
                        bend: part.bend.select(here, chosen.bend),
                    };
                    sum = sum + weight;
                }
                advance(s, &mut walk, s.load(t), s.load(jump));
            }
            let (r, probability) = propose(s, &chosen, s.load(&along));
            let taken = s.load(&accept).lt(probability);
            // Only parts of positive length are ever chosen.
            let taken = one.select(taken, zero).select(zero.lt(chosen.length), zero);
            let fresh = s.load(&done).le(zero);
            let t = chosen.origin + chosen.side * r;
            let new = zero.lt(taken.select(fresh, zero));
            drawn = t.select(new, s.load(&drawn)).array();
            done = one.select(new, s.load(&done)).array();
            if super::same(&done, &one.array()) {
                break;
            }
        }
        [drawn, done]
    }
);

/// Value, slope and curvature, carried along the line.
#[derive(Clone, Copy)]
struct Walk<V> {
    at: V,
    value: Sum<V>,
    slope: Sum<V>,
    curvature: Sum<V>,
}

/// A monotone part of a piece: from its high end `origin` to `origin + side length`.
#[derive(Clone, Copy)]
struct Part<V> {
    origin: V,
    side: V,
    length: V,
    /// v and -dv/dr at the high end, d^2v/dr^2.
    height: V,
    fall: V,
    bend: V,
}

/// The exponential above a part: exp(height + lift - rate r), touching it at `touch` if concave.
#[derive(Clone, Copy)]
struct Envelope<V> {
    lift: V,
    rate: V,
    touch: V,
}

/// The two monotone parts of the piece from where the walk is to `end`; one may be empty.
#[inline(always)]
fn parts<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    walk: &Walk<S::V>,
    end: S::V,
) -> [Part<S::V>; 2] {
    let (zero, one, half) = (s.zero(), s.one(), s.splat(T::HALF));
    let (value, slope, bend) = (walk.value.value(), walk.slope.value(), walk.curvature.value());
    let length = (end - walk.at).max(zero);
    // The extremum; of a straight piece an end, and of a flat one (NaN) the beginning.
    let turn = (-slope / bend).max(zero).min(length);
    let summit = value + turn * (slope + half * bend * turn);
    let last = value + length * (slope + half * bend * length);
    let there = slope + bend * turn;
    let concave = bend.lt(zero);
    let rest = length - turn;
    // Concave: both fall away from the extremum. Convex: both fall towards it.
    let left = Part {
        origin: (walk.at + turn).select(concave, walk.at),
        side: (-one).select(concave, one),
        length: turn,
        height: summit.select(concave, value),
        fall: there.select(concave, -slope).max(zero),
        bend,
    };
    let right = Part {
        origin: (walk.at + turn).select(concave, end),
        side: one.select(concave, -one),
        length: rest,
        height: summit.select(concave, last),
        fall: (-there).select(concave, slope + bend * length).max(zero),
        bend,
    };
    [left, right]
}

/// Moves to `end`, where the curvature jumps.
#[inline(always)]
fn advance<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    walk: &mut Walk<S::V>,
    end: S::V,
    jump: S::V,
) {
    let length = (end - walk.at).max(s.zero());
    let change = walk.curvature.value() * length;
    walk.value.add(length * (walk.slope.value() + s.splat(T::HALF) * change));
    walk.slope.add(change);
    walk.curvature.add(jump);
    walk.at = end;
}

#[inline(always)]
fn envelope<T: Real, const N: usize, S: Simd<T, N>>(s: S, part: &Part<S::V>) -> Envelope<S::V> {
    let (zero, half, two) = (s.zero(), s.splat(T::HALF), s.lit(2.0));
    let concave = part.bend.lt(zero);
    let sharp = zero.max(-part.bend);
    let root = (part.fall * part.fall + s.lit(4.0) * sharp).sqrt();
    let touch = (two / (root + part.fall)).min(half * part.length);
    let chord = zero.max(part.fall - half * part.bend * part.length);
    Envelope {
        lift: (half * sharp * touch * touch).select(concave, zero),
        rate: (part.fall + sharp * touch).select(concave, chord),
        touch,
    }
}

/// The mass under the envelope, relative to exp(top).
#[inline(always)]
fn weight<T: Real, const N: usize, S: Simd<T, N>>(s: S, part: &Part<S::V>, top: S::V) -> S::V {
    let envelope = envelope(s, part);
    let y = envelope.rate * part.length;
    let share = (-special::called::exp_m1(s, -y) / y).select(s.zero().lt(y), s.one());
    let weight = special::called::exp(s, part.height - top + envelope.lift) * share * part.length;
    weight.select(s.zero().lt(part.length), s.zero())
}

/// A point from the envelope by the inverse of its distribution function, and the probability to take
/// it.
#[inline(always)]
fn propose<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    part: &Part<S::V>,
    u: S::V,
) -> (S::V, S::V) {
    let (zero, half) = (s.zero(), s.splat(T::HALF));
    let envelope = envelope(s, part);
    let y = envelope.rate * part.length;
    let inverse = -special::called::ln_1p(s, u * special::called::exp_m1(s, -y)) / envelope.rate;
    let r = inverse.select(zero.lt(y), u * part.length).min(part.length);
    let away = r - envelope.touch;
    let gap = (half * part.bend * away * away)
        .select(part.bend.lt(zero), -half * part.bend * r * (part.length - r));
    (r, special::called::exp(s, gap.min(zero)))
}
