//! What is computed for all particles of a level at once.

use crate::activation::Activation;
use crate::dispatch::dispatched;
use crate::likelihood::over_signs;
use crate::pieces::pieces;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// x.w, column by column.
#[inline(always)]
fn output<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: &[T], w: &[[T; N]]) -> [T; N] {
    let mut u = s.zero();
    for (x, w) in x.iter().zip(w) {
        u = u + s.splat(*x) * s.load(w);
    }
    u.array()
}

dispatched! {
    /// E\[V s psi(x.w)\] at one row under weighted particles: weights exp(log - top), s the expected sign
    /// tanh(tilt) where there is one. Sums run over the particles in order and are compensated. Leaves psi
    /// where there is room. N (2 p + 10) flops and 2 N activations, p being the columns. `weights` block by
    /// block, column by column.
    pub(super) fn mean(
        s: S, activation: Activation, outer: T, x: &[T], weights: &[[T; N]],
        logs: &[[T; N]], top: T, tilts: &[[T; N]], psi: &mut [[T; N]],
    ) -> T {
        let (mut total, mut mean) = (Sum::ZERO, Sum::ZERO);
        let (mut tilts, mut psi) = (tilts.iter(), psi.iter_mut());
        let top = s.splat(top);
        for (w, log) in pieces(weights, x.len()).zip(logs) {
            let mut value = [output(s, x, w)];
            activation.apply_value(s, &mut value);
            let [value] = value;
            if let Some(psi) = psi.next() {
                *psi = value;
            }
            let weight = special::exp(s, s.load(log) - top);
            let mut term = weight * s.load(&value);
            if let Some(tilt) = tilts.next() {
                term = term * special::tanh(s, s.load(tilt));
            }
            for (w, t) in weight.array().into_iter().zip(term.array()) {
                total.add(w);
                mean.add(t);
            }
        }
        outer * (mean.value() / total.value())
    }

    /// psi(x.w) alone, of all particles.
    pub(super) fn outputs(
        s: S, activation: Activation, x: &[T], weights: &[[T; N]], psi: &mut [[T; N]],
    ) {
        for (w, psi) in pieces(weights, x.len()).zip(psi.iter_mut()) {
            *psi = output(s, x, w);
        }
        activation.apply_value(s, psi);
    }

    /// The log weights once the tilt of the row at hand has gone from one factor of psi to another:
    /// log + l(tilt + to psi) - l(tilt + from psi) - half psi^2, l being the identity, or ln cosh where the
    /// sign is summed out (`tilts` empty where there is none); `half` is half the factor of the square where it
    /// is not in the weights yet, else 0.
    pub(super) fn reweigh(
        s: S, from: T, to: T, half: T, psi: &[[T; N]], logs: &[[T; N]], tilts: &[[T; N]],
        out: &mut [[T; N]],
    ) {
        let mut tilts = tilts.iter();
        let (move_by, half) = (s.splat(to - from), s.splat(half));
        let (from, to) = (s.splat(from), s.splat(to));
        for ((psi, log), out) in psi.iter().zip(logs).zip(out) {
            let psi = s.load(psi);
            let change = match tilts.next() {
                Some(tilt) => {
                    let tilt = s.load(tilt);
                    over_signs(s, tilt + to * psi).0 - over_signs(s, tilt + from * psi).0
                }
                None => move_by * psi,
            };
            *out = (s.load(log) + (change - half * psi * psi)).array();
        }
    }

    /// tilt + factor psi, in place.
    pub(super) fn add(s: S, factor: T, psi: &[[T; N]], tilts: &mut [[T; N]]) {
        let factor = s.splat(factor);
        for (tilt, psi) in tilts.iter_mut().zip(psi) {
            *tilt = (s.load(tilt) + factor * s.load(psi)).array();
        }
    }
}
