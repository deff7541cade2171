//! Leapfrog under a mass matrix.
//!
//! With mass L L' the whitened momentum u = L^-1 p is N(0, I); leapfrog is
//! u += (h/2) L^-1 grad log p, g += h L'^-1 u, u += (h/2) L^-1 grad log p (Neal 2011, 4.1).

use super::{Lent, Phases, Trajectory};
use crate::dispatch::blank;
use crate::linalg;
use crate::network::{Blocks, WIDEST};
use crate::random::{Stream, uniforms};
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};

/// A factor of the mass matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric<'a, T, const N: usize> {
    /// L as [`linalg::cholesky`] leaves it.
    Dense(&'a [[T; N]]),
    /// 1 / sqrt(mass), one a coordinate.
    Diagonal(&'a [[T; N]]),
    /// As `Dense`, block by block.
    Blocks(Blocks, &'a [[T; N]]),
}

impl<T: Real, const N: usize> Metric<'_, T, N> {
    /// x <- L^-1 x.
    #[inline(always)]
    fn whiten<S: Simd<T, N>>(self, s: S, x: &mut [[T; N]]) {
        match self {
            Self::Dense(lower) => linalg::solve_lower(s, lower, x),
            Self::Diagonal(scale) => multiply(s, scale, x),
            Self::Blocks(blocks, lower) => {
                s.outline(ByBlocks { blocks, lower, x, transposed: false })
            }
        }
    }
    /// x <- L'^-1 x.
    #[inline(always)]
    fn unwhiten<S: Simd<T, N>>(self, s: S, x: &mut [[T; N]]) {
        match self {
            Self::Dense(lower) => linalg::solve_lower_transposed(s, lower, x),
            Self::Diagonal(scale) => multiply(s, scale, x),
            Self::Blocks(blocks, lower) => {
                s.outline(ByBlocks { blocks, lower, x, transposed: true })
            }
        }
    }
    /// u += step L^-1 gradient; what the gradient held is spent.
    #[inline(always)]
    fn kick<S: Simd<T, N>>(self, s: S, step: S::V, gradient: &mut [[T; N]], u: &mut [[T; N]]) {
        self.whiten(s, gradient);
        add(s, step, gradient, u);
    }
    /// g += step L'^-1 u, in a spare list.
    #[inline(always)]
    fn drift<S: Simd<T, N>>(self, s: S, step: S::V, lent: Lent<'_, T, N>) {
        let spare = lent.state.gradient;
        spare.iter_mut().zip(lent.momentum).for_each(|(v, u)| *v = *u);
        self.unwhiten(s, spare);
        add(s, step, spare, lent.position);
    }
}

#[inline(always)]
fn multiply<T: Real, const N: usize, S: Simd<T, N>>(s: S, scale: &[[T; N]], x: &mut [[T; N]]) {
    for (x, a) in x.iter_mut().zip(scale) {
        *x = (s.load(x) * s.load(a)).array();
    }
}

/// x <- L^-1 x or L'^-1 x, block by block.
struct ByBlocks<'s, T, const N: usize> {
    blocks: Blocks,
    lower: &'s [[T; N]],
    x: &'s mut [[T; N]],
    transposed: bool,
}

impl<T: Real, const N: usize> LaneOp<T, N> for ByBlocks<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { blocks, mut lower, x, transposed } = self;
        let mut own = [[T::ZERO; N]; WIDEST];
        for block in blocks.iter() {
            let Some((triangle, rest)) = lower.split_at_checked(block.packed) else { return };
            lower = rest;
            block.gather(x, &mut own);
            let Some(own) = own.get_mut(..block.len) else { return };
            if transposed {
                linalg::solve_lower_transposed(s, triangle, own);
            } else {
                linalg::solve_lower(s, triangle, own);
            }
            block.scatter(own, x);
        }
    }
}

/// x += step v.
#[inline(always)]
fn add<T: Real, const N: usize, S: Simd<T, N>>(s: S, step: S::V, v: &[[T; N]], x: &mut [[T; N]]) {
    for (x, v) in x.iter_mut().zip(v) {
        *x = (s.load(x) + step * s.load(v)).array();
    }
}

/// |u|^2/2.
#[inline(always)]
fn kinetic<T: Real, const N: usize, S: Simd<T, N>>(s: S, momentum: &[[T; N]]) -> S::V {
    s.splat(T::HALF) * linalg::squared_norm(s, momentum)
}

/// What a trajectory carries from phase to phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<T, const N: usize> {
    step: [T; N],
    /// |u|^2/2 at the start.
    kinetic: [T; N],
}

blank!(Path<T, N> { step, kinetic });

impl<T: Real, const N: usize> Phases<T, N> for Metric<'_, T, N> {
    type Path = Path<T, N>;
    const ANEW: bool = true;

    #[inline(always)]
    fn begin<S: Simd<T, N>>(
        self,
        s: S,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<'_, T, N>,
        lent: Lent<'_, T, N>,
    ) -> Path<T, N> {
        let (choice, u) = (s.load(&uniforms(streams)), s.load(&uniforms(streams)));
        let usual = s.one() + s.splat(trajectory.jitter) * (u + u - s.one());
        let factor = (u * u * u).select(choice.lt(s.splat(trajectory.short)), usual);
        let step = s.load(&trajectory.step) * factor;
        let from = &*lent.state.position;
        lent.position.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        let kinetic = kinetic(s, lent.momentum);
        self.kick(s, s.splat(T::HALF) * step, lent.state.gradient, lent.momentum);
        self.drift(s, step, lent);
        Path { step: step.array(), kinetic: kinetic.array() }
    }

    #[inline(always)]
    fn middle<S: Simd<T, N>>(self, s: S, path: Path<T, N>, lent: Lent<'_, T, N>) -> Path<T, N> {
        let step = s.load(&path.step);
        self.kick(s, step, lent.gradient, lent.momentum);
        self.drift(s, step, lent);
        path
    }

    #[inline(always)]
    fn end<S: Simd<T, N>>(
        self,
        s: S,
        path: Path<T, N>,
        rise: S::V,
        lent: &mut Lent<'_, T, N>,
    ) -> [S::V; 2] {
        let half_step = s.splat(T::HALF) * s.load(&path.step);
        self.kick(s, half_step, lent.gradient, lent.momentum);
        let (before, after) = (s.load(&path.kinetic), kinetic(s, lent.momentum));
        // Differences of like terms first: each is small where the trajectory is accurate. A chain
        // that starts outside the support leaves it at the first end that is a number.
        let error = (after - before) - rise;
        let least = -s.splat(T::MAX);
        [least.select(error.le(least), error), before - s.load(lent.state.value)]
    }
}
