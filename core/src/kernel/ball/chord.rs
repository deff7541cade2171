//! Where a line leaves the l1 ball.

use super::{Body, norm, same};
use crate::pieces::pieces;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};

/// The largest t >= 0 with |w + sign t u|_1 <= R for a point of one ball (0 for a point that rounding
/// left outside); infinite where u = 0.
///
/// f(t) = |w + t u|_1 - R is convex and piecewise linear with at most d breaks. Newton's method from
/// t_0 = (R + |w|_1)/|u|_1, where f >= 0, comes down monotonically and passes a break with each step:
/// at most d + 2 steps of 5 d flops, mostly 3 or 4.
#[inline(always)]
pub(super) fn end<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    u: &[[T; N]],
    sign: S::V,
) -> S::V {
    s.load(&s.outline(End { radius: radius.array(), w, u, sign: sign.array() }))
}

/// [`end`], compiled once for all who ask.
struct End<'a, T, const N: usize> {
    radius: [T; N],
    w: &'a [[T; N]],
    u: &'a [[T; N]],
    sign: [T; N],
}

impl<T: Real, const N: usize> LaneOp<T, N> for End<'_, T, N> {
    type Output = [T; N];

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        find_end(s, s.load(&self.radius), self.w, self.u, s.load(&self.sign)).array()
    }
}

#[inline(always)]
fn find_end<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    w: &[[T; N]],
    u: &[[T; N]],
    sign: S::V,
) -> S::V {
    let speed = norm(s, u);
    let moves = s.zero().lt(speed);
    let mut t = ((radius + norm(s, w)) / speed).select(moves, s.zero());
    for _ in 0..w.len().saturating_add(2) {
        let (mut length, mut slope) = (s.zero(), s.zero());
        for (w, u) in w.iter().zip(u) {
            let u = sign * s.load(u);
            let x = s.load(w) + t * u;
            length = length + x.abs();
            slope = slope + u * s.one().copysign(x);
        }
        // Downward only, and only from outside: a lane that is there stays.
        let next = t - (length - radius) / slope;
        let next = next.select(radius.lt(length), t).select(s.zero().lt(slope), t).min(t);
        let resting = same(&next.array(), &t.array());
        t = next;
        if resting {
            break;
        }
    }
    s.zero().max(t).select(moves, s.splat(T::INFINITY))
}

/// The ends (low, high), low <= 0 <= high, of the chord {t : w + t u in the body}.
#[inline(always)]
pub(super) fn ends<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    body: &Body<T>,
    w: &[[T; N]],
    u: &[[T; N]],
) -> (S::V, S::V) {
    let radius = s.splat(body.radius);
    let (mut low, mut high) = (s.splat(T::INFINITY), s.splat(T::INFINITY));
    for (w, u) in pieces(w, body.d).zip(pieces(u, body.d)) {
        low = end(s, radius, w, u, -s.one()).min(low);
        high = end(s, radius, w, u, s.one()).min(high);
    }
    (-low, high)
}
