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

use super::{Body, Outcome, State, Work, settle};
use crate::dispatch::dispatched;
use crate::likelihood::Likelihood;
use crate::random::{Stream, normals, uniforms};
use crate::simd::{Isa, Lanes, Vector};
use crate::special;

/// One transition of N chains with steps of up to `step` R. `state.value` must hold the density's value
/// at its position; `state.gradient` is not used. A density that is not a number makes a chain stay and
/// report divergence.
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Likelihood<T, N>,
    body: &Body<T>,
    streams: &mut [Stream; N],
    step: &[T; N],
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    let from = &*state.position;
    let to = &mut *work.position;
    let ratio = propose(isa, body, streams, step, from, to);
    settle(isa, density, streams, ratio, state, work)
}

dispatched!(
    fn propose(
        s: S,
        body: &'a Body<T>,
        streams: &'a mut [Stream; N],
        step: &'a [T; N],
        from: &'a [[T; N]],
        to: &'a mut [[T; N]],
    ) -> [T; N] {
        normals(s, streams, to);
        let mut squares = s.zero();
        for z in to.iter() {
            let z = s.load(z);
            squares = squares + z * z;
        }
        // The distance in a ball of k dimensions is e u^(1/k).
        let u = s.load(&uniforms(streams));
        let root = special::exp(s, special::ln(s, u) / s.splat(T::of_usize(to.len())));
        let length = s.load(step) * s.splat(body.radius) * root / squares.sqrt();
        for (w, to) in from.iter().zip(to.iter_mut()) {
            *to = (s.load(w) + length * s.load(to)).array();
        }
        let inside = s.zero().lt(body.contains(s, to));
        s.zero().select(inside, -s.splat(T::INFINITY)).array()
    }
);
