//! Hamiltonian Monte Carlo with specular reflection at the facets (Neal 2011, "MCMC using Hamiltonian
//! dynamics", section 5.5.1.5; Afshar and Domke 2015, "Reflection, refraction, and Hamiltonian Monte
//! Carlo").
//!
//! Leapfrog on the energy |p|^2/2 - v(w), p ~ N(0, I): half a kick by grad v, a drift, half a kick.
//! During a drift each w_m moves straight until it meets its ball's surface; there the facet is known
//! by the signs of w_m, its unit normal is n = sign(w_m)/sqrt(d), and p_m becomes p_m - 2 (p_m.n) n.
//! Reflections keep |p| and volume and undo themselves, so the map stays reversible, and the error of
//! the energy arises in the kicks alone: on the uniform law every trajectory is accepted.
//!
//! At most [`BOUNCES`] reflections of each w_m a drift; a trajectory that needs more is rejected. It
//! stays exact: the way back meets the same facets in the opposite order, so the set of (w, p) that need
//! more is mapped to itself, and staying there is a move that leaves every law invariant.
//!
//! Cost: `steps` values and gradients, and 5 M d flops for each step of Newton's method at a facet.
//! For densities on the ball that are steep enough for gradients and bounded enough for facets to matter;
//! otherwise split HMC.
//!
//! Order of draws of one transition, from each chain's own stream: M d normals for the momentum, a
//! uniform for the jitter of the step, a uniform for acceptance.

use super::{Body, Chains, Lent, Outcome, chord, decide, same};
use crate::dispatch::{blank, dispatched};
use crate::kernel::hmc::{DIVERGENCE, kick};
use crate::pieces::pieces_mut;
use crate::random::{normals, uniforms};
use crate::scalar::Real;
use crate::simd::{Lanes, Simd, Vector};
use crate::sum::Sum;

/// The most reflections of one ball in one drift.
pub const BOUNCES: usize = 64;

/// How far a transition goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory<T, const N: usize> {
    /// The time of one step for each chain, in units of [`Body::sd`].
    pub step: [T; N],
    /// Steps; 0 counts as 1.
    pub steps: u32,
    /// Each transition multiplies its step by a uniform number in (1 - jitter, 1 + jitter).
    pub jitter: T,
}

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition of reflected HMC ([`reflection`](super::reflection)): `steps` evaluations. An error
    /// of the energy above [`DIVERGENCE`] makes a chain stay and report divergence.
    pub fn reflect(&mut self, trajectory: &Trajectory<T, N>) -> Outcome<T, N> {
        let mut path = begin(self.isa, self.lend(), trajectory);
        let mut value = self.value_and_gradient();
        for _ in 1..trajectory.steps {
            path = middle(self.isa, self.lend(), path);
            value = self.value_and_gradient();
        }
        end(self.isa, self.lend(), path, value)
    }
}

/// What a trajectory carries from phase to phase.
#[derive(Clone, Copy, Debug)]
struct Path<T, const N: usize> {
    step: [T; N],
    /// |p|^2/2 at the start.
    kinetic: [T; N],
    /// The change of |p|^2/2 by kicks so far, as a sum and its lost digits.
    change: [T; N],
    lost: [T; N],
    /// 0, or the time that was left when a drift ran out of reflections.
    left: [T; N],
}

blank!(Path<T, N> { step, kinetic, change, lost, left });

/// A kick of every coordinate by time times the gradient.
#[inline(always)]
fn kick_all<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    time: S::V,
    gradient: &[[T; N]],
    momentum: &mut [[T; N]],
    change: &mut Sum<S::V>,
) {
    let half = s.splat(T::HALF);
    for (g, p) in gradient.iter().zip(momentum) {
        *p = kick(s.load(p), time * s.load(g), half, change).array();
    }
}

/// Every ball's drift; returns the most time that is left of one.
#[inline(always)]
fn drift<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    body: &Body<T>,
    time: S::V,
    position: &mut [[T; N]],
    momentum: &mut [[T; N]],
) -> S::V {
    let mut left = s.zero();
    for (w, p) in pieces_mut(position, body.d).zip(pieces_mut(momentum, body.d)) {
        left = drift_one(s, s.splat(body.radius), time, w, p).max(left);
    }
    left
}

/// The drift of one ball; returns the time left when its reflections are used up, 0 if they are not.
#[inline(always)]
fn drift_one<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    radius: S::V,
    time: S::V,
    w: &mut [[T; N]],
    p: &mut [[T; N]],
) -> S::V {
    let (zero, one) = (s.zero(), s.one());
    let share = s.splat(T::lit(2.0) / T::of_usize(w.len().max(1)));
    let mut left = time;
    for _ in 0..=BOUNCES {
        // The body is convex: a piece of a line whose end is inside meets no facet.
        let mut length = zero;
        for (w, p) in w.iter().zip(p.iter()) {
            length = length + (s.load(w) + left * s.load(p)).abs();
        }
        // A lane without time left has arrived.
        let length = length.select(zero.lt(left), zero);
        let free = length.le(radius);
        let arrives = one.select(free, zero);
        let all = same(&arrives.array(), &one.array());
        let hit = if all { left } else { chord::end(s, radius, w, p, one) };
        let time = left.select(free, hit.min(left));
        let mut outward = zero;
        for (w, p) in w.iter_mut().zip(p.iter()) {
            let (p, x) = (s.load(p), s.load(w) + time * s.load(p));
            outward = outward + p * one.copysign(x);
            *w = x.array();
        }
        if all {
            return zero;
        }
        let turn = zero.select(free, share * zero.max(outward));
        for (w, p) in w.iter().zip(p.iter_mut()) {
            *p = (s.load(p) - turn * one.copysign(s.load(w))).array();
        }
        left = zero.select(free, left - time);
        if same(&left.array(), &zero.array()) {
            return zero;
        }
    }
    left
}

dispatched!(
    /// Momenta, jitter, the first half kick and drift.
    fn begin(s: S, lent: Lent<'_, T, N>, trajectory: &Trajectory<T, N>) -> Path<T, N> {
        let Lent { body, streams, state, position, first: momentum, .. } = lent;
        let half = s.splat(T::HALF);
        normals(s, streams, momentum);
        let u = s.load(&uniforms(streams));
        let factor = s.one() + s.splat(trajectory.jitter) * (u + u - s.one());
        let step = s.load(&trajectory.step) * s.splat(body.sd()) * factor;
        let mut kinetic = s.zero();
        for p in momentum.iter() {
            let p = s.load(p);
            kinetic = kinetic + half * p * p;
        }
        let mut change = Sum::new(s.zero());
        kick_all(s, half * step, state.gradient, momentum, &mut change);
        position.iter_mut().zip(&*state.position).for_each(|(to, from)| *to = *from);
        let left = drift(s, &body, step, position, momentum);
        Path {
            step: step.array(),
            kinetic: kinetic.array(),
            change: change.high.array(),
            lost: change.low.array(),
            left: left.array(),
        }
    }
);

dispatched!(
    /// A whole kick and a drift.
    fn middle(s: S, lent: Lent<'_, T, N>, path: Path<T, N>) -> Path<T, N> {
        let Lent { body, position, first: momentum, second: gradient, .. } = lent;
        let step = s.load(&path.step);
        let mut change = Sum { high: s.load(&path.change), low: s.load(&path.lost) };
        kick_all(s, step, gradient, momentum, &mut change);
        let left = drift(s, &body, step, position, momentum).max(s.load(&path.left));
        Path { change: change.high.array(), lost: change.low.array(), left: left.array(), ..path }
    }
);

dispatched!(
    /// The last half kick, and acceptance.
    fn end(s: S, lent: Lent<'_, T, N>, path: Path<T, N>, value: [T; N]) -> Outcome<T, N> {
        let half_step = s.splat(T::HALF) * s.load(&path.step);
        let mut change = Sum { high: s.load(&path.change), low: s.load(&path.lost) };
        kick_all(s, half_step, lent.second, lent.first, &mut change);
        let gain = -change.value();
        // Beyond the bound the trajectory diverged; a NaN does not pass either.
        let rise = s.load(&value) - s.load(lent.state.value);
        let sound = (-s.lit(DIVERGENCE)).le(rise + gain);
        let gain = gain.select(sound, s.splat(T::NAN));
        let out = s.zero().lt(s.load(&path.left));
        let ratio = (-s.splat(T::INFINITY)).select(out, gain);
        let mut outcome = decide(s, lent, value, ratio);
        for (energy, kinetic) in outcome.energy.iter_mut().zip(path.kinetic) {
            *energy += kinetic;
        }
        outcome
    }
);
