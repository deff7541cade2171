//! The Dikin walk: w' = w + e H(w)^-1/2 z, z ~ N(0, I), in the metric of a barrier's Hessian H (the
//! Gaussian form of Kannan and Narayanan 2012, "Random walks on polytopes and an affine interior point
//! method for linear programming"; Narayanan 2016 for self-concordant barriers), taken with probability
//! min(1, p(w') q(w | w') / (p(w) q(w' | w))), where
//! log q(w' | w) = log det H(w) / 2 - |w' - w|^2_H(w) / (2 e^2) + const; never outside.
//!
//! The barrier is that of the lifted polytope (`kernel/ball/barrier.rs`): diagonal plus rank one, so a
//! transition costs O(M d) beside one value. Its steps shrink towards the facets, hence few proposals
//! fall outside, and it does not matter how the body is stretched: O*(k nu) steps from a warm start for
//! the uniform law, nu = M (2 d + 1) the barrier's parameter. On a density far narrower than the body
//! the metric knows nothing of it: prefer a kernel with gradients there.
//!
//! Order of draws of one transition, from each chain's own stream: M d normals, a uniform for
//! acceptance.

use super::barrier::{Form, axis, metric, spread};
use super::{Chains, Lent, Outcome};
use crate::dispatch::dispatched;
use crate::pieces::{pieces, pieces_mut};
use crate::random::normals;
use crate::simd::{Lanes, Vector};

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// One transition of the Dikin walk ([`dikin`](super::dikin)) with e = `step`. Uses no gradient.
    pub fn dikin(&mut self, step: [T; N]) -> Outcome<T, N> {
        let ratio = propose(self.isa, self.lend(), step);
        self.settle(ratio)
    }
}

dispatched!(
    fn propose(s: S, lent: Lent<'_, T, N>, step: [T; N]) -> [T; N] {
        let Lent { body, streams, state, position: to, .. } = lent;
        let (radius, half, step) = (s.splat(body.radius), s.splat(T::HALF), s.load(&step));
        normals(s, streams, to);
        let mut ratio = s.zero();
        for (w, to) in pieces(state.position, body.d).zip(pieces_mut(to, body.d)) {
            let here = metric(s, radius, w);
            let forward = spread::<true, T, N, S>(s, &here, w, to);
            for (w, to) in w.iter().zip(to.iter_mut()) {
                *to = (s.load(w) + step * s.load(to)).array();
            }
            let there = metric(s, radius, to);
            let mut form = Form::new(s.zero());
            for (w, to) in w.iter().zip(to.iter()) {
                let to = s.load(to);
                form.add(&axis(s, &there, to), (to - s.load(w)) / step);
            }
            let backward = form.value(&there);
            ratio = ratio + half * ((there.log_det - here.log_det) + (forward - backward));
        }
        let inside = s.zero().lt(body.contains(s, to));
        ratio.select(inside, -s.splat(T::INFINITY)).array()
    }
);
