//! One Hamiltonian trajectory of each chain in lock-step, over theta, given scales and noise.
//!
//! With mass L L' the whitened momentum u = L^-1 p is N(0, I); leapfrog is
//! u -= (h/2) L^-1 grad U, theta += h L'^-1 u, u -= (h/2) L^-1 grad U (Neal 2011, 4.1).

use crate::estimator::chains::Chains;
use crate::estimator::model::{Model, Scratch};
use crate::linalg;
use crate::random::{self, Normals};
use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;

/// A factor of the mass matrix.
#[derive(Clone, Copy, Debug)]
pub enum Metric<'a, T, const N: usize> {
    /// L as [`linalg::cholesky`] leaves it.
    Dense(&'a [[T; N]]),
    /// 1 / sqrt(mass), one a coordinate.
    Diagonal(&'a [[T; N]]),
}

impl<T: Real, const N: usize> Metric<'_, T, N> {
    /// x <- L^-1 x.
    #[inline(always)]
    fn whiten<S: Simd<T, N>>(self, s: S, x: &mut [[T; N]]) {
        match self {
            Self::Dense(lower) => linalg::solve_lower(s, lower, x),
            Self::Diagonal(scale) => multiply(s, scale, x),
        }
    }
    /// x <- L'^-1 x.
    #[inline(always)]
    fn unwhiten<S: Simd<T, N>>(self, s: S, x: &mut [[T; N]]) {
        match self {
            Self::Dense(lower) => linalg::solve_lower_transposed(s, lower, x),
            Self::Diagonal(scale) => multiply(s, scale, x),
        }
    }
}

#[inline(always)]
fn multiply<T: Real, const N: usize, S: Simd<T, N>>(s: S, scale: &[[T; N]], x: &mut [[T; N]]) {
    for (x, a) in x.iter_mut().zip(scale) {
        *x = (s.load(x) * s.load(a)).array();
    }
}

/// How a trajectory is run.
#[derive(Clone, Copy, Debug)]
pub struct Trajectory<T, const N: usize> {
    /// The step size of each chain.
    pub step: [T; N],
    /// Each trajectory multiplies its step by a uniform number in (1 - jitter, 1 + jitter).
    pub jitter: T,
    /// The share of trajectories, in [0, 1), that multiply it by the cube of a uniform number in
    /// (0, 1) instead. They free a chain from where the curvature is far above the average that the
    /// mass matrix knows, and no step of the usual length is accepted.
    pub short: T,
    /// Leapfrog steps.
    pub leapfrogs: usize,
}

/// What a trajectory did, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Acceptance<T, const N: usize> {
    /// The Metropolis probability.
    pub probability: [T; N],
    /// Whether the proposal was taken.
    pub accepted: [bool; N],
    /// Whether the energy error exceeded 1000 or was not a number.
    pub divergent: [bool; N],
    /// U + |u|^2/2 at the start of the trajectory.
    pub energy: [T; N],
}

/// The energy error beyond which a trajectory counts as divergent, as in Stan.
const DIVERGENT: f64 = 1000.0;

/// One trajectory and its accept step: `leapfrogs` + 1 passes over the data, each with one solve
/// by L and one by L' (P^2 flops each with a dense mass). Draws of each lane: P normals, two uniforms
/// for the step, one for the acceptance.
pub fn trajectory<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    metric: Metric<'_, T, N>,
    run: &Trajectory<T, N>,
    scratch: &mut Scratch<'_, T, N>,
) -> Acceptance<T, N> {
    let Chains { theta, weights, hyper, kernel, .. } = chains;
    let Scratch { proposal, gradient, momentum, velocity, parameters, rows, .. } = scratch;
    // lambda = 1 needs no loads.
    let lambda = if model.gaussian { None } else { Some(&**weights) };

    T::dispatch(isa, Normals { streams: kernel, out: momentum });
    let (choice, u) = (random::uniforms::<T, N>(kernel), random::uniforms::<T, N>(kernel));
    let (mut step, mut half) = (run.step, run.step);
    for (((h, half), choice), u) in step.iter_mut().zip(&mut half).zip(choice).zip(u) {
        let usual = T::ONE + run.jitter * (u + u - T::ONE);
        *h = *h * if choice < run.short { u * u * u } else { usual };
        *half = T::HALF * *h;
    }

    proposal.iter_mut().zip(theta.iter()).for_each(|(p, t)| *p = *t);
    let (start, _) = model.potential(isa, hyper, lambda, proposal, gradient, parameters, rows);
    let kinetic = T::dispatch(isa, HalfNorm { momentum });
    T::dispatch(isa, Kick { metric, step: half, gradient, whitened: velocity, momentum });
    let mut end = start;
    for k in 0..run.leapfrogs {
        T::dispatch(isa, Drift { metric, step, momentum, velocity, position: proposal });
        (end, _) = model.potential(isa, hyper, lambda, proposal, gradient, parameters, rows);
        let step = if k + 1 == run.leapfrogs { half } else { step };
        T::dispatch(isa, Kick { metric, step, gradient, whitened: velocity, momentum });
    }
    let kinetic_end = T::dispatch(isa, HalfNorm { momentum });
    let uniform = random::uniforms::<T, N>(kernel);
    T::dispatch(
        isa,
        Accept { start, end, kinetic, kinetic_end, uniform, position: theta, proposal },
    )
}

struct HalfNorm<'a, T, const N: usize> {
    momentum: &'a [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for HalfNorm<'_, T, N> {
    type Output = [T; N];
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        (s.splat(T::HALF) * linalg::squared_norm(s, self.momentum)).array()
    }
}

struct Kick<'a, T, const N: usize> {
    metric: Metric<'a, T, N>,
    step: [T; N],
    gradient: &'a [[T; N]],
    whitened: &'a mut [[T; N]],
    momentum: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Kick<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { metric, step, gradient, whitened, momentum } = self;
        whitened.iter_mut().zip(gradient).for_each(|(w, g)| *w = *g);
        metric.whiten(s, whitened);
        let step = s.load(&step);
        for (u, w) in momentum.iter_mut().zip(whitened) {
            *u = (s.load(u) - step * s.load(w)).array();
        }
    }
}

struct Drift<'a, T, const N: usize> {
    metric: Metric<'a, T, N>,
    step: [T; N],
    momentum: &'a [[T; N]],
    velocity: &'a mut [[T; N]],
    position: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Drift<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { metric, step, momentum, velocity, position } = self;
        velocity.iter_mut().zip(momentum).for_each(|(v, u)| *v = *u);
        metric.unwhiten(s, velocity);
        let step = s.load(&step);
        for (x, v) in position.iter_mut().zip(velocity) {
            *x = (s.load(x) + step * s.load(v)).array();
        }
    }
}

struct Accept<'a, T, const N: usize> {
    start: [T; N],
    end: [T; N],
    kinetic: [T; N],
    kinetic_end: [T; N],
    uniform: [T; N],
    position: &'a mut [[T; N]],
    proposal: &'a [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Accept<'_, T, N> {
    type Output = Acceptance<T, N>;
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Acceptance<T, N> {
        let Self { start, end, kinetic, kinetic_end, uniform, position, proposal } = self;
        let (u0, u1) = (s.load(&start), s.load(&end));
        let (k0, k1) = (s.load(&kinetic), s.load(&kinetic_end));
        // Differences of like terms first: each is small where the trajectory is accurate.
        let error = (u0 - u1) + (k0 - k1);
        // NaN compares false and counts as minus infinity.
        let least = s.lit(-DIVERGENT);
        let known = least.le(error);
        let bounded = error.select(known, least).min(s.zero());
        let probability = special::exp(s, bounded).select(known, s.zero());
        let taken = s.load(&uniform).lt(probability);
        for (x, y) in position.iter_mut().zip(proposal) {
            *x = s.load(y).select(taken, s.load(x)).array();
        }
        let flag = |x: [T; N]| x.map(|x| x > T::ZERO);
        Acceptance {
            probability: probability.array(),
            accepted: flag(s.one().select(taken, s.zero()).array()),
            divergent: flag(s.zero().select(known, s.one()).array()),
            energy: (u0 + k0).array(),
        }
    }
}
