//! Flows with unit mass: rotations that solve the quadratic part, and leapfrog.

use super::{Lent, Phases, Trajectory};
use crate::dispatch::blank;
use crate::random::{Stream, uniforms};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// What a trajectory carries from phase to phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<T, const N: usize> {
    step: [T; N],
    cosine: [T; N],
    sine: [T; N],
    /// The energy at the start.
    energy: [T; N],
    /// The change of the quadratic part so far, as a sum and its lost digits.
    change: [T; N],
    lost: [T; N],
}

blank!(Path<T, N> { step, cosine, sine, energy, change, lost });

/// The kick p += k and the change k.(p + k/2) of the kinetic energy.
#[inline(always)]
pub(in crate::kernel) fn kick<T: Real, const N: usize, V: Vector<T, N>>(
    p: V,
    k: V,
    half: V,
    change: &mut Sum<V>,
) -> V {
    change.add(k * (p + half * k));
    p + k
}

/// What moves positions, and what is left to the kicks.
pub(super) trait Motion: Copy {
    /// The force of a kick at g, of the gradient of v there.
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, g: V) -> V;
    /// (g, p) after one step; adds the change of the quadratic part to `change`.
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        change: &mut Sum<V>,
    ) -> (V, V);
}

/// One step: its time, its cosine and sine as an angle, and a half.
#[derive(Clone, Copy)]
pub(super) struct Turn<V> {
    step: V,
    cosine: V,
    sine: V,
    half: V,
}

/// [`super::Flow::Split`].
#[derive(Clone, Copy)]
pub(super) struct Rotation;

impl Motion for Rotation {
    #[inline(always)]
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, _: V) -> V {
        v
    }
    #[inline(always)]
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        _: &mut Sum<V>,
    ) -> (V, V) {
        (g * turn.cosine + p * turn.sine, p * turn.cosine - g * turn.sine)
    }
}

/// [`super::Flow::Leapfrog`].
#[derive(Clone, Copy)]
pub(super) struct Drift;

impl Motion for Drift {
    #[inline(always)]
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, g: V) -> V {
        v - g
    }
    #[inline(always)]
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        change: &mut Sum<V>,
    ) -> (V, V) {
        let move_by = turn.step * p;
        change.add(move_by * (g + turn.half * move_by));
        (g + move_by, p)
    }
}

/// The phases of either.
#[derive(Clone, Copy)]
pub(super) struct Unit<F>(pub(super) F);

impl<T: Real, F: Motion, const N: usize> Phases<T, N> for Unit<F> {
    type Path = Path<T, N>;
    const ANEW: bool = false;

    #[inline(always)]
    fn begin<S: Simd<T, N>>(
        self,
        s: S,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<'_, T, N>,
        lent: Lent<'_, T, N>,
    ) -> Path<T, N> {
        let u = s.load(&uniforms(streams));
        let (jitter, short) = (s.splat(trajectory.jitter), s.splat(trajectory.short));
        let usual = (u - short) / (s.one() - short);
        let usual = s.one() + jitter * (usual + usual - s.one());
        let cut = u / short;
        let factor = (cut * cut * cut).select(u.lt(short), usual);
        let step = s.load(&trajectory.step) * factor;
        let (sine, cosine) = special::sin_cos(s, step);
        let half = s.splat(T::HALF);
        let half_step = step * half;
        let turn = Turn { step, cosine, sine, half };
        let mut change = Sum::new(s.zero());
        let mut norm = Sum::new(s.zero());
        let start = lent.state.position.iter().zip(&*lent.state.gradient);
        let path = lent.position.iter_mut().zip(lent.momentum.iter_mut());
        for ((g0, v), (g, p)) in start.zip(path) {
            let (g0, p0) = (s.load(g0), s.load(p));
            norm.add(g0 * g0);
            norm.add(p0 * p0);
            let p1 = kick(p0, half_step * F::force(s.load(v), g0), half, &mut change);
            let (g1, p1) = F::advance(g0, p1, &turn, &mut change);
            *g = g1.array();
            *p = p1.array();
        }
        Path {
            step: step.array(),
            cosine: cosine.array(),
            sine: sine.array(),
            energy: (half * norm.value() - s.load(lent.state.value)).array(),
            change: change.high.array(),
            lost: change.low.array(),
        }
    }

    #[inline(always)]
    fn middle<S: Simd<T, N>>(self, s: S, path: Path<T, N>, lent: Lent<'_, T, N>) -> Path<T, N> {
        let step = s.load(&path.step);
        let (cosine, sine) = (s.load(&path.cosine), s.load(&path.sine));
        let half = s.splat(T::HALF);
        let turn = Turn { step, cosine, sine, half };
        let mut change = Sum { high: s.load(&path.change), low: s.load(&path.lost) };
        for ((g, p), v) in lent.position.iter_mut().zip(lent.momentum).zip(&*lent.gradient) {
            let g0 = s.load(g);
            let p1 = kick(s.load(p), step * F::force(s.load(v), g0), half, &mut change);
            let (g1, p1) = F::advance(g0, p1, &turn, &mut change);
            *g = g1.array();
            *p = p1.array();
        }
        Path { change: change.high.array(), lost: change.low.array(), ..path }
    }

    #[inline(always)]
    fn end<S: Simd<T, N>>(
        self,
        s: S,
        path: Path<T, N>,
        rise: S::V,
        lent: &mut Lent<'_, T, N>,
    ) -> [S::V; 2] {
        let half = s.splat(T::HALF);
        let half_step = s.load(&path.step) * half;
        let mut change = Sum { high: s.load(&path.change), low: s.load(&path.lost) };
        for ((g, p), v) in lent.position.iter().zip(&*lent.momentum).zip(&*lent.gradient) {
            kick(s.load(p), half_step * F::force(s.load(v), s.load(g)), half, &mut change);
        }
        [(change.high - rise) + change.low, s.load(&path.energy)]
    }
}
