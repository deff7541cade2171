//! Riemannian Hamiltonian Monte Carlo ([`crate::kernel::riemannian`] has the steps) in the metric of the barrier of
//! `kernel/ball/barrier.rs`, G = its Hessian: steps shrink towards the facets, and how the body is stretched does not matter.
//!
//! It is exact, and slow: the metric knows the body, not the density. Split HMC on the copula lift, or among the kernels on w
//! itself [`reflection`](super::reflection), make far more effective draws of a gradient.

use super::barrier::{self, metric, spread};
use super::reflection::Trajectory;
use super::{Body, Chains, Outcome};
use crate::kernel::riemannian::{self, Geometry, Work};
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Lanes, Simd};

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
        let mut sum = s.zero();
        for (w, p) in pieces(w, self.d).zip(pieces(p, self.d)) {
            sum = sum + barrier::energy(s, s.splat(self.radius), w, p);
        }
        sum
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
        let lists = pieces(w, self.d).zip(pieces(p, self.d)).zip(pieces_mut(out, self.d));
        for ((w, p), out) in lists {
            barrier::velocity(s, s.splat(self.radius), w, p, out);
        }
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
        let lists = pieces(w, self.d).zip(pieces(p, self.d)).zip(pieces_mut(out, self.d));
        for ((w, p), out) in lists {
            barrier::force(s, s.splat(self.radius), w, p, out);
        }
    }
    #[inline(always)]
    fn contains<S: Simd<T, N>>(self, s: S, w: &[[T; N]]) -> S::V {
        Body::contains(&self, s, w)
    }
}

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition ([`riemannian`](super::riemannian)): `steps` evaluations, the step in units of the metric. The lines of
    /// the [`Work`](super::Work) hold 4 dim blocks; with fewer every chain stays.
    pub fn riemannian(&mut self, trajectory: &Trajectory<T, N>) -> Outcome<T, N> {
        let Self { isa, density, body, streams, state, work } = self;
        let super::Work { position, first, second, scratch, lines } = work;
        let (isa, density) = (*isa, *density);
        let lent =
            Work { position, momentum: first, gradient: second, spare: lines, room: &mut [] };
        let mut evaluate = |w: &[[T; N]], gradient: &mut [[T; N]]| {
            density.value_and_gradient(isa, w, gradient, scratch)
        };
        let state = state.reborrow();
        riemannian::transition(isa, *body, streams, trajectory, state, lent, &mut evaluate)
    }
}
