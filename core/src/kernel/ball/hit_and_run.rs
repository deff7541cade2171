//! Hit-and-run: a line through w, and a new point on its chord (Smith 1984; Lovasz 1999, "Hit-and-run
//! mixes fast"; Lovasz and Vempala 2006 for log-concave densities). No gradient, no step size, nothing
//! to adapt, nothing rejected.
//!
//! [`Direction::Random`]: one line along N(0, I); O*(k^2) to O*(k^3) transitions from a warm start in k
//! dimensions. [`Direction::Coordinates`]: a sweep of M d lines, coordinate after coordinate in their
//! order (a Gibbs sampler): each line leaves the law invariant, so the sweep does. It moves far where
//! coordinates hardly depend on each other.
//!
//! The point on the chord:
//! - where the density is piecewise quadratic along lines
//!   ([`PiecewiseQuadratic`](crate::likelihood::PiecewiseQuadratic): squared ReLU against residuals, and
//!   given xi), an exact independent draw (`kernel/ball/line.rs`): two values' worth of projections, a sort
//!   of n breaks and some 100 flops a break, then one value;
//! - else a slice (Neal 2003, "Slice sampling", section 4): a level under exp(v(w)), then uniform points
//!   of the chord until one is above it, each refused point becoming the new end of the chord on its
//!   side. One value a point; about 2 + log2(chord / width of the slice) of them. It is exact and
//!   moves as far as an exact draw from one slice can; Metropolis with a uniform point of the chord costs
//!   one value, but is accepted with probability width/chord only. After [`ROUNDS`] points a chain stays:
//!   exact, as any number of refusals is as probable from the new point as from the old.
//!
//! Order of draws of one line, from each chain's own stream: M d normals (random directions); for a
//! slice a uniform for its level and one for each point; for an exact draw three uniforms for each point
//! proposed. A chain that has its point draws no more.

use super::{Body, Chains, Outcome, chord, line};
use crate::dispatch::dispatched;
use crate::likelihood::Hinges;
use crate::pieces::cut;
use crate::random::{Stream, normals_on, uniforms};
use crate::scalar::Real;
use crate::simd::{Lanes, Vector};
use crate::special;

/// Points of a slice before a chain gives up.
pub const ROUNDS: usize = 64;

/// Which lines a transition takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// One line along N(0, I).
    Random,
    /// A line along each coordinate, in their order.
    Coordinates,
}

/// What a transition did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run<T, const N: usize> {
    /// As of the other kernels; the probability of acceptance is the share of lines on which a point was
    /// found.
    pub outcome: Outcome<T, N>,
    /// Values of the density that each chain needed.
    pub evaluations: [u32; N],
}

/// The part of each lane's chord that is left, whether a point was found, and whether the density was a
/// number anywhere.
#[derive(Clone, Copy)]
struct Span<T, const N: usize> {
    low: [T; N],
    high: [T; N],
    found: [bool; N],
    finite: [bool; N],
}

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition of [`hit_and_run`](super::hit_and_run). Uses no gradient; a chain reports divergence
    /// where the density is a number nowhere on the chord.
    pub fn hit_and_run(&mut self, direction: Direction) -> Run<T, N> {
        let lines = match direction {
            Direction::Random => 1,
            Direction::Coordinates => self.body.dim(),
        };
        let share = T::ONE / T::of_usize(lines.max(1));
        let (mut evaluations, mut acceptance) = ([0_u32; N], [T::ZERO; N]);
        let (mut accepted, mut divergent) = ([false; N], [false; N]);
        for line in 0..lines {
            match direction {
                Direction::Random => normals_on(self.isa, self.streams, self.work.first),
                Direction::Coordinates => {
                    for (j, u) in self.work.first.iter_mut().enumerate() {
                        *u = [if j == line { T::ONE } else { T::ZERO }; N];
                    }
                }
            }
            let [low, high] = ends(self.isa, &self.body, self.state.position, self.work.first);
            let mut span = Span { low, high, found: [false; N], finite: [false; N] };
            let density = self.density;
            if density.hinges().is_some_and(|hinges| self.draw_on(hinges, &mut span)) {
                evaluations.iter_mut().for_each(|e| *e = e.saturating_add(1));
            } else {
                self.slice(&mut span, &mut evaluations);
            }
            let lanes = acceptance.iter_mut().zip(&mut accepted).zip(&mut divergent);
            for (((a, moved), bad), (found, finite)) in
                lanes.zip(span.found.iter().zip(span.finite))
            {
                *a += if *found { share } else { T::ZERO };
                *moved |= *found;
                *bad |= !*found && !finite;
            }
        }
        let energy = self.state.value.map(|v| -v);
        let outcome = Outcome { acceptance, accepted, divergent, energy };
        Run { outcome, evaluations }
    }

    /// A slice: see the file's head.
    fn slice(&mut self, span: &mut Span<T, N>, evaluations: &mut [u32; N]) {
        let level = draw_level(self.isa, self.streams, *self.state.value);
        let (mut t, mut values) = ([T::ZERO; N], *self.state.value);
        for _ in 0..ROUNDS {
            for (lane, stream) in self.streams.iter_mut().enumerate() {
                if let (Some(false), Some(t), Some(low), Some(high)) =
                    (span.found.get(lane), t.get_mut(lane), span.low.get(lane), span.high.get(lane))
                {
                    *t = *low + stream.uniform::<T>() * (*high - *low);
                }
            }
            let inside = self.move_to(t);
            let value = self.value();
            let ends = span.low.iter_mut().zip(&mut span.high);
            let flags = span.found.iter_mut().zip(&mut span.finite);
            let lanes = ends.zip(flags).zip(evaluations.iter_mut().zip(&mut values));
            for ((((low, high), (found, finite)), (count, kept)), ((t, inside), (value, level))) in
                lanes.zip(t.iter().zip(inside).zip(value.iter().zip(level)))
            {
                if *found {
                    continue;
                }
                *count = count.saturating_add(1);
                *finite |= *value <= T::INFINITY;
                if inside > T::ZERO && *value >= level {
                    *found = true;
                    *kept = *value;
                } else if *t < T::ZERO {
                    *low = *t;
                } else {
                    *high = *t;
                }
            }
            if span.found.iter().all(|f| *f) {
                break;
            }
        }
        keep(&span.found, self.work.position, self.state.position);
        *self.state.value = values;
    }

    /// An exact draw; `false` where the memory for the breaks is missing.
    fn draw_on(&mut self, hinges: Hinges<'_, T>, span: &mut Span<T, N>) -> bool {
        let (isa, count) = (self.isa, hinges.values.len());
        let sizes = [count, count, count.saturating_add(1).saturating_mul(2)];
        let Some(([breaks, jumps, weights], _)) = cut(self.work.lines, sizes) else { return false };
        let (w, u) = (&*self.state.position, &*self.work.first);
        let rest = self.density.restrict(isa, w, u, breaks, jumps);
        let start = line::breaks(isa, hinges, span.low, span.high, rest, breaks, jumps);
        line::sort(breaks, jumps);
        let (streams, Span { low, high, .. }) = (&mut *self.streams, *span);
        let [t, done] = line::draw(isa, streams, low, high, start, breaks, jumps, weights);
        let inside = self.move_to(t);
        let value = self.value();
        let flags = span.found.iter_mut().zip(&mut span.finite);
        let kept = self.state.value.iter_mut().zip(value);
        for (((found, finite), (kept, value)), (done, inside)) in
            flags.zip(kept).zip(done.into_iter().zip(inside))
        {
            *finite = value <= T::INFINITY;
            if done > T::ZERO && inside > T::ZERO && value.is_finite() {
                *found = true;
                *kept = value;
            }
        }
        keep(&span.found, self.work.position, self.state.position);
        true
    }

    /// Proposes w + t u; 1 where it lies in the body.
    fn move_to(&mut self, t: [T; N]) -> [T; N] {
        let (w, u) = (&*self.state.position, &*self.work.first);
        move_along(self.isa, &self.body, t, w, u, self.work.position)
    }
}

/// Moves the lanes that have found a point.
#[inline(never)]
fn keep<T: Real, const N: usize>(found: &[bool; N], from: &[[T; N]], to: &mut [[T; N]]) {
    for (to, from) in to.iter_mut().zip(from) {
        for ((to, from), found) in to.iter_mut().zip(from).zip(found) {
            if *found {
                *to = *from;
            }
        }
    }
}

dispatched!(
    /// [`chord::ends`] as work to dispatch.
    fn ends(s: S, body: &Body<T>, w: &[[T; N]], u: &[[T; N]]) -> [[T; N]; 2] {
        let (low, high) = chord::ends(s, body, w, u);
        [low.array(), high.array()]
    }
);

dispatched!(
    /// v + log U: the level of a slice.
    fn draw_level(s: S, streams: &mut [Stream; N], value: [T; N]) -> [T; N] {
        let u = s.load(&uniforms(streams));
        (s.load(&value) + special::called::ln(s, u)).array()
    }
);

dispatched!(
    /// w + t u into `to`; 1 where it lies in the body.
    fn move_along(
        s: S,
        body: &Body<T>,
        t: [T; N],
        w: &[[T; N]],
        u: &[[T; N]],
        to: &mut [[T; N]],
    ) -> [T; N] {
        let t = s.load(&t);
        for ((w, u), to) in w.iter().zip(u).zip(to.iter_mut()) {
            *to = (s.load(w) + t * s.load(u)).array();
        }
        body.contains(s, to).array()
    }
);
