//! What is computed for all particles of a level at once.

use crate::activation::Activation;
use crate::likelihood::over_signs;
use crate::pieces::pieces;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// E\[V s psi(x.w)\] at one row under weighted particles: weights exp(log - top), s the expected sign
/// tanh(tilt) where there is one. Sums run over the particles in order and are compensated. Leaves psi
/// where there is room. N (2 p + 10) flops and 2 N activations, p being the columns.
pub(super) struct Mean<'a, T, const N: usize> {
    pub activation: Activation,
    /// V.
    pub outer: T,
    pub x: &'a [T],
    /// Block by block, column by column.
    pub weights: &'a [[T; N]],
    pub logs: &'a [[T; N]],
    pub top: T,
    /// Empty where the neuron has no sign.
    pub tilts: &'a [[T; N]],
    /// Empty, or one block for each block of particles.
    pub psi: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Mean<'_, T, N> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> T {
        let Self { activation, outer, x, weights, logs, top, tilts, psi } = self;
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
}

/// x.w, column by column.
#[inline(always)]
fn output<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: &[T], w: &[[T; N]]) -> [T; N] {
    let mut u = s.zero();
    for (x, w) in x.iter().zip(w) {
        u = u + s.splat(*x) * s.load(w);
    }
    u.array()
}

/// psi(x.w) alone, of all particles.
pub(super) struct Outputs<'a, T, const N: usize> {
    pub activation: Activation,
    pub x: &'a [T],
    pub weights: &'a [[T; N]],
    pub psi: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Outputs<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        for (w, psi) in pieces(self.weights, self.x.len()).zip(self.psi.iter_mut()) {
            *psi = output(s, self.x, w);
        }
        self.activation.apply_value(s, self.psi);
    }
}

/// The log weights once the tilt of the row at hand has gone from one factor of psi to another:
/// log + l(tilt + to psi) - l(tilt + from psi) - half psi^2, l being the identity, or ln cosh where the
/// sign is summed out.
pub(super) struct Reweigh<'a, T, const N: usize> {
    pub from: T,
    pub to: T,
    /// Half the factor of the square where it is not in the weights yet, else 0.
    pub half: T,
    pub psi: &'a [[T; N]],
    pub logs: &'a [[T; N]],
    /// Empty where the neuron has no sign.
    pub tilts: &'a [[T; N]],
    pub out: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Reweigh<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { from, to, half, psi, logs, tilts, out } = self;
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
}

/// tilt + factor psi, in place.
pub(super) struct Add<'a, T, const N: usize> {
    pub factor: T,
    pub psi: &'a [[T; N]],
    pub tilts: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Add<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let factor = s.splat(self.factor);
        for (tilt, psi) in self.tilts.iter_mut().zip(self.psi) {
            *tilt = (s.load(tilt) + factor * s.load(psi)).array();
        }
    }
}
