//! The Metropolis-adjusted mirror Langevin algorithm (Srinivasan, Wibisono and Wilson 2024, "Fast
//! sampling from constrained spaces using the Metropolis-adjusted mirror Langevin algorithm"; the
//! Euler step is that of Zhang, Peyre, Fadili and Pereyra 2020).
//!
//! The mirror map grad phi is that of the barrier of `kernel/ball/barrier.rs`. A step is one of Langevin
//! in the dual coordinates y = grad phi(w),
//! y' = y + (e^2/2) grad v(w) + e H(w)^1/2 z, z ~ N(0, I), w' = (grad phi)^-1(y'),
//! which never leaves the ball. The proposal has the density
//! q(w' | w) = N(y'; y + (e^2/2) grad v(w), e^2 H(w)) det H(w'), the last factor the Jacobian of the
//! mirror map, and w' is taken with probability min(1, p(w') q(w | w') / (p(w) q(w' | w))).
//!
//! Cost: one value and gradient, and O(M d). It is invariant under the body's shape, and moves along
//! gradients; on densities that the body hardly bounds it is preconditioned Langevin with a metric that
//! does not know the density, and split HMC is the better kernel.
//!
//! Order of draws of one transition, from each chain's own stream: M d normals, a uniform for
//! acceptance.

use super::barrier::{Axis, Metric, axis, invert, metric, spread, whitened};
use super::{Chains, Lent, Outcome, decide};
use crate::dispatch::dispatched;
use crate::pieces::{pieces, pieces_mut};
use crate::random::normals;
use crate::scalar::Real;
use crate::simd::{Lanes, Simd, Vector};

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition of mirror Langevin ([`mirror`](super::mirror)) with e = `step`, in the paper
    /// e^2 = 2 h.
    pub fn mirror(&mut self, step: [T; N]) -> Outcome<T, N> {
        let forward = propose(self.isa, self.lend(), step);
        let value = self.value_and_gradient();
        finish(self.isa, self.lend(), step, forward, value)
    }
}

dispatched!(
    /// Writes w'; returns -log q(w' | w), up to what does not depend on (w, w') and log det H(w').
    fn propose(s: S, lent: Lent<'_, T, N>, step: [T; N]) -> [T; N] {
        let Lent { body, streams, state, position: to, .. } = lent;
        let (radius, half, step) = (s.splat(body.radius), s.splat(T::HALF), s.load(&step));
        let drift = half * step * step;
        normals(s, streams, to);
        let mut forward = s.zero();
        let points = pieces(state.position, body.d).zip(pieces(state.gradient, body.d));
        for ((w, slope), to) in points.zip(pieces_mut(to, body.d)) {
            let here = metric(s, radius, w);
            forward = forward + half * (spread::<false, T, N, S>(s, &here, w, to) + here.log_det);
            for ((w, slope), to) in w.iter().zip(slope).zip(to.iter_mut()) {
                let y = axis(s, &here, s.load(w)).gradient;
                *to = (y + drift * s.load(slope) + step * s.load(to)).array();
            }
            invert(s, radius, to);
        }
        forward.array()
    }
);

dispatched!(
    /// Adds the way back to what [`propose`] returned, and decides.
    fn finish(
        s: S,
        lent: Lent<'_, T, N>,
        step: [T; N],
        forward: [T; N],
        value: [T; N],
    ) -> Outcome<T, N> {
        let (body, from, to) = (lent.body, &*lent.state.position, &*lent.position);
        let (radius, half, step) = (s.splat(body.radius), s.splat(T::HALF), s.load(&step));
        let pull = half * step;
        let mut ratio = s.load(&forward);
        let ends = pieces(to, body.d).zip(pieces(lent.second, body.d));
        for (from, (to, slope)) in pieces(from, body.d).zip(ends) {
            let (here, there) = (metric(s, radius, from), metric(s, radius, to));
            let back = Back { here, there, step, pull, from, to, slope };
            // log q(w | w') and the Jacobian det H(w') of the way there.
            ratio = ratio + (here.log_det - there.log_det);
            ratio = ratio - half * (back.dual_square(s) + there.log_det);
        }
        let inside = s.zero().lt(body.contains(s, to));
        let ratio = ratio.select(inside, -s.splat(T::INFINITY));
        decide(s, lent, value, ratio)
    }
);

/// The way back from `to`: what `from` is of the noise there, in each coordinate.
struct Back<'a, V, T, const N: usize> {
    here: Metric<V>,
    there: Metric<V>,
    step: V,
    pull: V,
    from: &'a [[T; N]],
    to: &'a [[T; N]],
    slope: &'a [[T; N]],
}

impl<V: Vector<T, N>, T: Real, const N: usize> Back<'_, V, T, N> {
    // Loops, not iterators over closures: those would be functions of the baseline instruction set.

    /// The axis and the noise x of one coordinate.
    #[inline(always)]
    fn at<S: Simd<T, N, V = V>>(
        &self,
        s: S,
        from: &[T; N],
        to: &[T; N],
        slope: &[T; N],
    ) -> (Axis<V>, V) {
        let axis_to = axis(s, &self.there, s.load(to));
        let back = axis(s, &self.here, s.load(from)).gradient - axis_to.gradient;
        (axis_to, back / self.step - self.pull * s.load(slope))
    }

    /// x'H^-1 x as the square of B'x, which near a facet keeps the places that the difference of Sherman
    /// and Morrison loses.
    #[inline(always)]
    fn dual_square<S: Simd<T, N, V = V>>(&self, s: S) -> V {
        let Metric { gamma, root, .. } = self.there;
        let (mut dot, mut square) = (s.zero(), s.zero());
        for (from, (to, slope)) in self.from.iter().zip(self.to.iter().zip(self.slope)) {
            let (axis, x) = self.at(s, from, to, slope);
            let (x, q) = whitened(&axis, x);
            dot = dot + q * x;
        }
        let pull = gamma / (root * (root + s.one())) * dot;
        for (from, (to, slope)) in self.from.iter().zip(self.to.iter().zip(self.slope)) {
            let (axis, x) = self.at(s, from, to, slope);
            let (x, q) = whitened(&axis, x);
            let rest = x - pull * q;
            square = square + rest * rest;
        }
        square
    }
}
