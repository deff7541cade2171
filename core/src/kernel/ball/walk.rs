//! The ball walk (Lovasz and Simonovits 1993, "Random walks in a convex body and an improved volume
//! algorithm"; Kannan, Lovasz and Simonovits 1997): w' uniform in the Euclidean ball of radius e about
//! w, taken with probability min(1, p(w')/p(w)), and never outside the body.
//!
//! Cost: one value. From a warm start on an isotropic body of dimension k it needs O*(k^2) steps with e
//! of the order of 1/sqrt(k); near a vertex of the l1 ball most proposals fall outside, and a chain may
//! stay there for long. For comparisons: hit-and-run moves farther for a few values more.
//!
//! Order of draws of one transition, from each chain's own stream: M d normals for the direction, a
//! uniform for the distance, a uniform for acceptance.

use super::{Chains, Lent, Outcome};
use crate::dispatch::dispatched;
use crate::random::{normals, uniforms};
use crate::simd::{Lanes, Vector};
use crate::special;

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition of the ball walk ([`walk`](super::walk)) with steps of up to `step` R. Uses no
    /// gradient.
    pub fn walk(&mut self, step: [T; N]) -> Outcome<T, N> {
        let ratio = propose(self.isa, self.lend(), step);
        self.settle(ratio)
    }
}

dispatched!(
    fn propose(s: S, lent: Lent<'_, T, N>, step: [T; N]) -> [T; N] {
        let Lent { body, streams, state, position: to, .. } = lent;
        normals(s, streams, to);
        let mut squares = s.zero();
        for z in to.iter() {
            let z = s.load(z);
            squares = squares + z * z;
        }
        // The distance in a ball of k dimensions is e u^(1/k).
        let u = s.load(&uniforms(streams));
        let root =
            special::called::exp(s, special::called::ln(s, u) / s.splat(T::of_usize(to.len())));
        let length = s.load(&step) * s.splat(body.radius) * root / squares.sqrt();
        for (w, to) in state.position.iter().zip(to.iter_mut()) {
            *to = (s.load(w) + length * s.load(to)).array();
        }
        let inside = s.zero().lt(body.contains(s, to));
        s.zero().select(inside, -s.splat(T::INFINITY)).array()
    }
);
