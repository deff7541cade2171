//! Hamiltonian Monte Carlo in a metric G(w) that varies with the position (Girolami and Calderhead 2011, "Riemann manifold
//! Langevin and Hamiltonian Monte Carlo methods"): on
//!
//! H(w, p) = -log p(w) + E(w, p),   E = ln det G(w)/2 + p'G(w)^-1 p/2,
//!
//! by the generalised leapfrog,
//!
//! P = p - (e/2) dH/dw (w, P),   w' = w + (e/2) (G(w)^-1 + G(w')^-1) P,   p' = P - (e/2) dH/dw (w', P).
//!
//! The first two are equations. Each is solved by substitution, from p and from w, at most [`ROUNDS`] times; and then from the
//! other end, with -e from p' and from w'. A step that does not come to rest, leaves the support or does not come back to P
//! and w is no move: the chain stays. What is left is a map that preserves volume and undoes itself (a fixed point may be
//! another root than the one it came from: whether it comes back is looked at, not assumed), and Metropolis' rule
//! on H makes it exact, to the tolerance of the substitutions. That is told in the metric's own lengths: a position near a
//! facet has fewer digits there than in itself.
//!
//! One transition in eight takes steps shorter by a uniform factor: where the equations of the usual step have no solution for
//! most momenta, chains that came by one of the few would stay for hundreds of transitions.
//!
//! A step costs one gradient of log p. Substitutions ask for the metric alone.
//!
//! Metrics: that of a barrier of the l1 ball ([`super::ball::riemannian`]), and the Fisher information of a generalised linear
//! model with its prior ([`fisher`]).
//!
//! Order of draws of one transition, from each chain's own stream: dim normals for the momentum, a uniform for the jitter of
//! the step, a uniform for acceptance.

pub mod fisher;

use super::accept::Accept;
use super::ball::reflection::Trajectory;
use super::hmc::{DIVERGENCE, Outcome, State};
use crate::dispatch::{blank, dispatched};
use crate::pieces::{cut, pieces, pieces_mut};
use crate::random::{Stream, normals, uniforms};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};

/// Substitutions for one equation at most.
pub const ROUNDS: u32 = 32;
/// Blocks for each coordinate that a step works in.
pub(crate) const SPARE: usize = 4;
/// Where a substitution rests: its change beside the vector or the metric's length, in roundings.
const RESTS: f64 = 64.0;
/// Roundings of a position that the equations for it leave.
const NOISE: f64 = 8.0;
/// The share of transitions with shorter steps.
const SHORT: f64 = 0.125;

/// A metric.
pub(crate) trait Geometry<T: Real, const N: usize>: Copy {
    /// z ~ N(0, I) becomes p ~ N(0, G(w)).
    fn draw<S: Simd<T, N>>(self, s: S, w: &[[T; N]], z: &mut [[T; N]], room: &mut [[T; N]]);
    /// E.
    fn energy<S: Simd<T, N>>(self, s: S, w: &[[T; N]], p: &[[T; N]], room: &mut [[T; N]]) -> S::V;
    /// Writes dE/dp = G^-1 p.
    fn velocity<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        room: &mut [[T; N]],
    );
    /// Writes dE/dw.
    fn force<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        room: &mut [[T; N]],
    );
    /// 1 where w lies in the support, else 0.
    fn contains<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V;
    /// Coordinates of each factor of the support, of `dim`.
    fn part(self, dim: usize) -> usize;
    /// A length over which the metric changes at w, of one factor.
    fn length<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V;
}

/// Where trajectories are.
pub(super) struct Place<'s, T, const N: usize> {
    pub(super) position: &'s mut [[T; N]],
    pub(super) momentum: &'s mut [[T; N]],
    /// Of log p at the position.
    pub(super) gradient: &'s [[T; N]],
    /// SPARE times as many blocks; P stands in the front between the halves of a step.
    pub(super) spare: &'s mut [[T; N]],
    /// The metric's.
    pub(super) room: &'s mut [[T; N]],
}

/// Which of the two.
#[derive(Clone, Copy, PartialEq)]
enum Equation {
    /// x = base - time dE/dw (known, x).
    Momentum,
    /// x = base + time G(x)^-1 known.
    Position,
}

/// Substitutes into x until it rests; 1 in the lanes where it does.
#[inline(always)]
fn settle<T: Real, G: Geometry<T, N>, const N: usize, S: Simd<T, N>>(
    s: S,
    geometry: G,
    (equation, time): (Equation, S::V),
    [known, base]: [&[[T; N]]; 2],
    [x, fresh]: [&mut [[T; N]]; 2],
    room: &mut [[T; N]],
) -> S::V {
    let (one, half, part) = (s.one(), s.splat(T::HALF), geometry.part(x.len()));
    let mut resting = s.zero();
    for _ in 0..ROUNDS {
        let time = match equation {
            Equation::Momentum => {
                geometry.force(s, known, x, fresh, room);
                -time
            }
            Equation::Position => {
                geometry.velocity(s, x, known, fresh, room);
                time
            }
        };
        // What has come to rest stays: no lane depends on how many rounds another takes.
        let moving = resting.lt(half);
        let mut rests = one;
        let parts = pieces_mut(x, part).zip(pieces(base, part)).zip(pieces(fresh, part));
        for ((x, base), fresh) in parts {
            let (mut change, mut size) = (s.zero(), s.zero());
            for ((x, base), fresh) in x.iter_mut().zip(base).zip(fresh) {
                let (old, new) = (s.load(x), s.load(base) + time * s.load(fresh));
                change = change + (new - old).abs();
                size = size + new.abs();
                *x = new.select(moving, old).array();
            }
            let least = match equation {
                Equation::Momentum => s.lit(RESTS) * size,
                Equation::Position => s.lit(RESTS) * geometry.length(s, x) + s.lit(NOISE) * size,
            };
            rests = rests.select(change.le(s.splat(T::EPSILON) * least), s.zero());
        }
        resting = rests.max(resting);
        let mut left = 0_u32;
        for r in resting.array() {
            left |= u32::from(r < T::ONE);
        }
        if left == 0 {
            break;
        }
    }
    resting
}

/// 1 in the lanes where the solution a is b to half the digits.
#[inline(always)]
fn agrees<T: Real, G: Geometry<T, N>, const N: usize, S: Simd<T, N>>(
    s: S,
    geometry: G,
    equation: Equation,
    [a, b]: [&[[T; N]]; 2],
) -> S::V {
    let (part, mut agree) = (geometry.part(a.len()), s.one());
    let digits = s.splat(T::EPSILON.sqrt());
    let noise = s.splat(T::lit(4.0 * NOISE) * T::EPSILON);
    for (a, b) in pieces(a, part).zip(pieces(b, part)) {
        let (mut apart, mut size) = (s.zero(), s.zero());
        for (a, b) in a.iter().zip(b) {
            let b = s.load(b);
            apart = apart + (s.load(a) - b).abs();
            size = size + b.abs();
        }
        let most = match equation {
            Equation::Momentum => digits * size,
            Equation::Position => digits * geometry.length(s, b) + noise * size,
        };
        agree = agree.select(apart.le(most), s.zero());
    }
    agree
}

/// What a transition scales its step by, u uniform.
#[inline(always)]
pub(super) fn factor<T: Real, const N: usize, S: Simd<T, N>>(s: S, jitter: S::V, u: S::V) -> S::V {
    let (one, share) = (s.one(), s.lit(SHORT));
    let v = (u - share) / (one - share);
    (u / share).select(u.lt(share), one + jitter * (v + v - one))
}

/// out = a + time b.
#[inline(always)]
fn shift<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    out: &mut [[T; N]],
    a: &[[T; N]],
    time: S::V,
    b: &[[T; N]],
) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = (s.load(a) + time * s.load(b)).array();
    }
}

impl<T: Real, const N: usize> Place<'_, T, N> {
    /// P and w', and the way back from w'; `half` is e/2. 1 in the lanes where it is a move: the others stay at w.
    #[inline(always)]
    pub(super) fn depart<G: Geometry<T, N>, S: Simd<T, N>>(
        &mut self,
        s: S,
        geometry: G,
        half: S::V,
    ) -> S::V {
        let Self { position, momentum, gradient, spare, room } = self;
        let Some(([kick, base, next, fresh], _)) = cut(spare, [position.len(); SPARE]) else {
            return s.zero();
        };
        shift(s, base, momentum, half, gradient);
        kick.iter_mut().zip(&**momentum).for_each(|(x, p)| *x = *p);
        let equation = (Equation::Momentum, half);
        let mut sound =
            settle(s, geometry, equation, [position, base], [&mut *kick, &mut *fresh], room);
        geometry.velocity(s, position, kick, fresh, room);
        shift(s, base, position, half, fresh);
        next.iter_mut().zip(&**position).for_each(|(x, w)| *x = *w);
        let equation = (Equation::Position, half);
        sound =
            sound * settle(s, geometry, equation, [kick, base], [&mut *next, &mut *fresh], room);
        sound = sound * geometry.contains(s, next);
        // Back; p has served.
        geometry.velocity(s, next, kick, fresh, room);
        shift(s, base, next, -half, fresh);
        let back = &mut **momentum;
        back.iter_mut().zip(&*next).for_each(|(x, w)| *x = *w);
        let equation = (Equation::Position, -half);
        sound = sound * settle(s, geometry, equation, [kick, base], [&mut *back, fresh], room);
        sound = sound * agrees(s, geometry, Equation::Position, [back, position]);
        let moves = s.zero().lt(sound);
        for (w, next) in position.iter_mut().zip(&*next) {
            *w = s.load(next).select(moves, s.load(w)).array();
        }
        sound
    }

    /// p', and the way back to P, with the gradient at w'. 1 in the lanes where it is a move.
    #[inline(always)]
    pub(super) fn arrive<G: Geometry<T, N>, S: Simd<T, N>>(
        &mut self,
        s: S,
        geometry: G,
        half: S::V,
    ) -> S::V {
        let Self { position, momentum, gradient, spare, room } = self;
        let Some(([kick, base, back, fresh], _)) = cut(spare, [position.len(); SPARE]) else {
            return s.zero();
        };
        geometry.force(s, position, kick, fresh, room);
        shift(s, base, kick, half, gradient);
        shift(s, momentum, base, -half, fresh);
        shift(s, base, momentum, -half, gradient);
        back.iter_mut().zip(&**momentum).for_each(|(x, p)| *x = *p);
        let equation = (Equation::Momentum, -half);
        let sound = settle(s, geometry, equation, [position, base], [&mut *back, fresh], room);
        sound * agrees(s, geometry, Equation::Momentum, [back, kick])
    }
}

/// What a transition works in: three lists of dim blocks, SPARE dim more, and the metric's.
pub(crate) struct Work<'s, T, const N: usize> {
    pub position: &'s mut [[T; N]],
    pub momentum: &'s mut [[T; N]],
    pub gradient: &'s mut [[T; N]],
    pub spare: &'s mut [[T; N]],
    pub room: &'s mut [[T; N]],
}

impl<T, const N: usize> Work<'_, T, N> {
    fn reborrow(&mut self) -> Work<'_, T, N> {
        let Self { position, momentum, gradient, spare, room } = self;
        Work { position, momentum, gradient, spare, room }
    }
}

/// One transition: `steps` calls of `evaluate`, log p and its gradient. The state holds both at its position.
pub(crate) fn transition<T: Lanes<N>, G: Geometry<T, N>, const N: usize>(
    isa: Isa,
    geometry: G,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<T, N>,
    mut state: State<'_, T, N>,
    mut work: Work<'_, T, N>,
    evaluate: &mut dyn FnMut(&[[T; N]], &mut [[T; N]]) -> [T; N],
) -> Outcome<T, N> {
    let (from, lent) = (state.reborrow(), work.reborrow());
    let mut path = begin(isa, geometry, streams, trajectory, from, lent);
    let mut value = evaluate(work.position, work.gradient);
    for _ in 1..trajectory.steps {
        path = half_step(isa, geometry, path, false, work.reborrow());
        path = half_step(isa, geometry, path, true, work.reborrow());
        value = evaluate(work.position, work.gradient);
    }
    end(isa, geometry, path, value, streams, state, work)
}

/// `count` steps of half length `half` from (position, momentum) of the work, which become their end; 1 in the lanes where each
/// was a move.
fn leap<T: Lanes<N>, G: Geometry<T, N>, const N: usize>(
    isa: Isa,
    geometry: G,
    (half, count): ([T; N], u32),
    mut work: Work<'_, T, N>,
    evaluate: &mut dyn FnMut(&[[T; N]], &mut [[T; N]]) -> [T; N],
) -> [T; N] {
    let energy = [T::ZERO; N];
    let mut path = Path { half, energy, sound: [T::ONE; N] };
    evaluate(work.position, work.gradient);
    for _ in 0..count {
        for first in [true, false] {
            path = half_step(isa, geometry, path, first, work.reborrow());
            if first {
                evaluate(work.position, work.gradient);
            }
        }
    }
    path.sound
}

/// What a trajectory carries from phase to phase.
#[derive(Clone, Copy, Debug)]
struct Path<T, const N: usize> {
    /// e/2.
    half: [T; N],
    /// E at the start.
    energy: [T; N],
    /// 1, or 0 once a step was no move.
    sound: [T; N],
}

blank!(Path<T, N> { half, energy, sound });

dispatched!(
    /// Momenta, jitter, and the first step up to its gradient.
    fn begin<G: Geometry<T, N>>(
        s: S,
        geometry: G,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<T, N>,
        state: State<'_, T, N>,
        work: Work<'_, T, N>,
    ) -> Path<T, N> {
        let Work { position, momentum, spare, room, .. } = work;
        normals(s, streams, momentum);
        let u = s.load(&uniforms(streams));
        let factor = factor(s, s.splat(trajectory.jitter), u);
        let half = s.splat(T::HALF) * s.load(&trajectory.step) * factor;
        position.iter_mut().zip(&*state.position).for_each(|(to, from)| *to = *from);
        geometry.draw(s, position, momentum, room);
        let energy = geometry.energy(s, position, momentum, room);
        let mut place = Place { position, momentum, gradient: state.gradient, spare, room };
        let sound = place.depart(s, geometry, half);
        Path { half: half.array(), energy: energy.array(), sound: sound.array() }
    }
);

dispatched!(
    /// A step up to its gradient, or its end.
    fn half_step<G: Geometry<T, N>>(
        s: S,
        geometry: G,
        path: Path<T, N>,
        first: bool,
        work: Work<'_, T, N>,
    ) -> Path<T, N> {
        let Work { position, momentum, gradient, spare, room } = work;
        let half = s.load(&path.half);
        let mut place = Place { position, momentum, gradient, spare, room };
        let sound =
            if first { place.depart(s, geometry, half) } else { place.arrive(s, geometry, half) };
        Path { sound: (s.load(&path.sound) * sound).array(), ..path }
    }
);

dispatched!(
    /// The end of the last step, and Metropolis' rule. What was no move stays; so does what lost more energy than DIVERGENCE,
    /// which is told.
    fn end<G: Geometry<T, N>>(
        s: S,
        geometry: G,
        path: Path<T, N>,
        value: [T; N],
        streams: &mut [Stream; N],
        state: State<'_, T, N>,
        work: Work<'_, T, N>,
    ) -> Outcome<T, N> {
        let Work { position, momentum, gradient, spare, room } = work;
        let half = s.load(&path.half);
        let mut place = Place { position, momentum, gradient, spare, room };
        let sound = s.load(&path.sound) * place.arrive(s, geometry, half);
        let energy = geometry.energy(s, place.position, place.momentum, place.room);
        let rise = (s.load(&value) - s.load(state.value)) + (s.load(&path.energy) - energy);
        // A NaN does not pass either.
        let bounded = (-s.lit(DIVERGENCE)).le(rise);
        let exponent = rise.select(bounded, s.splat(T::NAN));
        let exponent = exponent.select(s.zero().lt(sound), -s.splat(T::INFINITY));
        let before = s.load(&path.energy) - s.load(state.value);
        let outcome = s.outline(Accept {
            streams,
            state,
            position: place.position,
            gradient: place.gradient,
            value,
            exponent: exponent.array(),
            range: [-T::INFINITY, T::INFINITY],
            unadjusted: false,
            energy: [T::ZERO; N],
            change: [T::ZERO; N],
        });
        Outcome { energy: before.array(), ..outcome }
    }
);
