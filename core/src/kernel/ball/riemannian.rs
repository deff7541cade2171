//! Riemannian Hamiltonian Monte Carlo ([`crate::kernel::riemannian`] has the steps) in the metric of the barrier of
//! `kernel/ball/barrier.rs`, G = its Hessian: steps shrink towards the facets, and how the body is stretched does not matter.
//!
//! It is exact, and slow: the metric knows the body, not the density. Split HMC on the copula lift, or among the kernels on w
//! itself [`reflection`](super::reflection), make far more effective draws of a gradient. Chains take the steps one by one, in
//! code that is there once; the density they ask together.
//!
//! No move ends within [`SHELL`] roundings of R from a facet: there steps are shorter than what a coordinate is rounded to.

use super::barrier::{self, metric, spread};
use super::reflection::Trajectory;
use super::{Body, Chains, Outcome, decide_on, norm};
use crate::kernel::hmc::DIVERGENCE;
use crate::kernel::riemannian::{Geometry, Place, SPARE, factor};
use crate::pieces::{cut, pieces, pieces_mut};
use crate::random::{normals_on, uniforms};
use crate::scalar::Real;
use crate::simd::{LaneOp, Lanes, Portable, Simd, Vector};

/// How near a facet a move may end, in roundings of R.
pub const SHELL: f64 = 64.0;

/// Numbers for each coordinate that one chain works in.
pub(crate) const ALONE: usize = SPARE + 3;

/// What is asked of the barrier at one w and p.
enum Ask<'a, T, const N: usize> {
    Energy,
    Velocity(&'a mut [[T; N]]),
    Force(&'a mut [[T; N]]),
}

/// Compiled once for all who ask.
struct Asked<'a, T, const N: usize> {
    body: Body<T>,
    w: &'a [[T; N]],
    p: &'a [[T; N]],
    ask: Ask<'a, T, N>,
}

impl<T: Real, const N: usize> LaneOp<T, N> for Asked<'_, T, N> {
    type Output = [T; N];
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        let Self { body: Body { radius, d, .. }, w, p, ask } = self;
        let (radius, lists) = (s.splat(radius), pieces(w, d).zip(pieces(p, d)));
        let mut sum = s.zero();
        match ask {
            Ask::Energy => {
                for (w, p) in lists {
                    sum = sum + barrier::energy(s, radius, w, p);
                }
            }
            Ask::Velocity(out) => {
                for ((w, p), out) in lists.zip(pieces_mut(out, d)) {
                    barrier::velocity(s, radius, w, p, out);
                }
            }
            Ask::Force(out) => {
                for ((w, p), out) in lists.zip(pieces_mut(out, d)) {
                    barrier::force(s, radius, w, p, out);
                }
            }
        }
        sum.array()
    }
}

impl<T: Real, const N: usize> Geometry<T, N> for Body<T> {
    #[inline(always)]
    fn draw<S: Simd<T, N>>(self, s: S, w: &[[T; N]], z: &mut [[T; N]], _: &mut [[T; N]]) {
        for (w, z) in pieces(w, self.d).zip(pieces_mut(z, self.d)) {
            let here = metric(s, s.splat(self.radius), w);
            spread::<false, T, N, S>(s, &here, w, z);
        }
    }
    #[inline(always)]
    fn energy<S: Simd<T, N>>(self, s: S, w: &[[T; N]], p: &[[T; N]], _: &mut [[T; N]]) -> S::V {
        s.load(&s.outline(Asked { body: self, w, p, ask: Ask::Energy }))
    }
    #[inline(always)]
    fn velocity<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        _: &mut [[T; N]],
    ) {
        s.outline(Asked { body: self, w, p, ask: Ask::Velocity(out) });
    }
    #[inline(always)]
    fn force<S: Simd<T, N>>(
        self,
        s: S,
        w: &[[T; N]],
        p: &[[T; N]],
        out: &mut [[T; N]],
        _: &mut [[T; N]],
    ) {
        s.outline(Asked { body: self, w, p, ask: Ask::Force(out) });
    }
    #[inline(always)]
    fn contains<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V {
        let shell = T::lit(SHELL) * T::EPSILON * self.radius;
        let mut inside = s.one();
        for w in pieces(w, self.d) {
            let deep = s.splat(shell).le(self.length(s, w));
            inside = inside.select(deep, s.zero());
        }
        inside
    }
    #[inline(always)]
    fn part(self, _: usize) -> usize {
        self.d
    }
    #[inline(always)]
    fn length<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V {
        s.splat(self.radius) - norm(s, w)
    }
}

/// Where a trajectory is.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Begin,
    Middle,
    End,
}

/// What one chain carries.
#[derive(Clone, Copy)]
struct Path<T> {
    /// e/2.
    half: T,
    /// E at the start less that at the end.
    fall: T,
    /// Whether every step was a move.
    sound: bool,
}

/// One chain up to its next gradient, or to the end. The momentum is N(0, I) at the beginning, P between the halves of a step.
// A function to call: once for all lanes and instruction sets.
#[inline(never)]
fn advance<T: Real>(body: Body<T>, phase: Phase, path: &mut Path<T>, mut place: Place<'_, T, 1>) {
    let s = Portable;
    let half = s.splat(path.half);
    let mut sound = s.one();
    if phase == Phase::Begin {
        body.draw(s, place.position, place.momentum, place.room);
    } else {
        place.spare.iter_mut().zip(&*place.momentum).for_each(|(kick, p)| *kick = *p);
        sound = place.arrive(s, body, half);
    }
    if phase != Phase::Middle {
        let [energy] = body.energy(s, place.position, place.momentum, place.room).array();
        path.fall = if phase == Phase::Begin { energy } else { path.fall - energy };
    }
    if phase != Phase::End {
        sound = sound * place.depart(s, body, half);
        place.momentum.iter_mut().zip(&*place.spare).for_each(|(p, kick)| *p = *kick);
    }
    let [sound] = sound.array();
    path.sound &= sound == T::ONE;
}

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition ([`riemannian`](super::riemannian)): `steps` evaluations, the step in units of the metric. The lines of
    /// the [`Work`](super::Work) hold 7 dim blocks; with fewer every chain stays.
    pub fn riemannian(&mut self, trajectory: &Trajectory<T, N>) -> Outcome<T, N> {
        let isa = self.isa;
        normals_on(isa, self.streams, self.work.first);
        let mut paths = [Path { half: T::ZERO, fall: T::ZERO, sound: true }; N];
        let uniforms: [T; N] = uniforms(self.streams);
        for ((path, u), step) in paths.iter_mut().zip(uniforms).zip(trajectory.step) {
            let (jitter, u) = (Portable.splat(trajectory.jitter), Portable.splat(u));
            let [factor] = factor::<T, 1, Portable>(Portable, jitter, u).array();
            path.half = T::HALF * step * factor;
        }
        self.work.position.iter_mut().zip(&*self.state.position).for_each(|(to, w)| *to = *w);
        self.work.second.iter_mut().zip(&*self.state.gradient).for_each(|(to, g)| *to = *g);
        self.each(Phase::Begin, &mut paths);
        let starts = paths;
        let mut value = self.value_and_gradient();
        for _ in 1..trajectory.steps {
            self.each(Phase::Middle, &mut paths);
            value = self.value_and_gradient();
        }
        self.each(Phase::End, &mut paths);
        let before = *self.state.value;
        let mut ratio = [-T::INFINITY; N];
        let values = value.iter().zip(&before);
        for ((ratio, path), (value, before)) in ratio.iter_mut().zip(&paths).zip(values) {
            // A NaN is no bounded rise.
            let bounded = T::lit(-DIVERGENCE) <= (*value - *before) + path.fall;
            if path.sound {
                *ratio = if bounded { path.fall } else { T::NAN };
            }
        }
        let mut outcome = decide_on(isa, self.lend(), value, ratio);
        let energies = outcome.energy.iter_mut().zip(&starts).zip(&before);
        energies.for_each(|((energy, start), before)| *energy = start.fall - *before);
        outcome
    }

    /// [`advance`] for each chain.
    fn each(&mut self, phase: Phase, paths: &mut [Path<T>; N]) {
        let super::Work { position, first, second, lines, .. } = &mut self.work;
        let dim = self.body.dim();
        let all = lines.as_flattened_mut().as_chunks_mut::<1>().0;
        let sizes = [dim, dim, dim, dim.saturating_mul(SPARE)];
        for (lane, path) in paths.iter_mut().enumerate() {
            let Some(([w, p, g, spare], _)) = cut(all, sizes) else {
                path.sound = false;
                continue;
            };
            take(w, position, lane);
            take(p, first, lane);
            take(g, second, lane);
            let place =
                Place { position: &mut *w, momentum: &mut *p, gradient: g, spare, room: &mut [] };
            advance(self.body, phase, path, place);
            put(w, position, lane);
            put(p, first, lane);
        }
    }
}

/// One lane of a list.
fn take<T: Real, const N: usize>(own: &mut [[T; 1]], list: &[[T; N]], lane: usize) {
    for ([own], list) in own.iter_mut().zip(list) {
        *own = list.get(lane).copied().unwrap_or(T::NAN);
    }
}

/// Back to its place.
fn put<T: Real, const N: usize>(own: &[[T; 1]], list: &mut [[T; N]], lane: usize) {
    for ([own], list) in own.iter().zip(list) {
        list.get_mut(lane).into_iter().for_each(|of| *of = *own);
    }
}
