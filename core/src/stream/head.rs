//! One block of draws, each in its lane: the head's prediction of a row, and what the row teaches it.

use super::factor::{measure, project, project_unit, scale};
use crate::activation::Activation;
use crate::linalg::dot;
use crate::pieces::pieces;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};

/// The prediction of one block: features, their projection, and the law of the row.
#[derive(Debug)]
pub(super) struct Evaluate<'a, T, const N: usize> {
    pub activation: Activation,
    pub neurons: usize,
    /// The row, standardised.
    pub x: &'a [T],
    /// Mean and sd of the target.
    pub units: (T, T),
    /// w (neuron by neuron), then b.
    pub hidden: &'a [[T; N]],
    pub mean: &'a [[T; N]],
    pub factor: &'a [[T; N]],
    /// a and b of the noise.
    pub shape: T,
    pub rate: &'a [T; N],
    /// phi = (psi, 1, x): working memory.
    pub features: &'a mut [[T; N]],
    /// U' phi.
    pub projected: &'a mut [[T; N]],
    /// phi.m and phi' V phi.
    pub centre: &'a mut [T; N],
    pub excess: &'a mut [T; N],
    /// In the target's units.
    pub location: &'a mut [T; N],
    pub scale: &'a mut [T; N],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Evaluate<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        if !S::HERE {
            return;
        }
        let Self { activation, neurons, x, units, hidden, mean, factor, features, .. } = self;
        let weights = neurons.saturating_mul(x.len());
        let (Some((weights, biases)), Some((psi, affine))) =
            (hidden.split_at_checked(weights), features.split_at_mut_checked(neurons))
        else {
            return;
        };
        for ((z, w), b) in psi.iter_mut().zip(pieces(weights, x.len())).zip(biases) {
            let mut sum = s.load(b);
            for (w, x) in w.iter().zip(x) {
                sum = sum + s.load(w) * s.splat(*x);
            }
            *z = sum.array();
        }
        activation.apply_value(s, psi);
        for (phi, x) in affine.iter_mut().zip(core::iter::once(&T::ONE).chain(x)) {
            *phi = [*x; N];
        }
        let excess = project(s, factor, features, self.projected);
        let centre = dot(s, mean, features);
        let variance = s.load(self.rate) / s.splat(self.shape) * (s.one() + excess);
        *self.centre = centre.array();
        *self.excess = excess.array();
        *self.location = (s.splat(units.0) + s.splat(units.1) * centre).array();
        *self.scale = (s.splat(units.1) * variance.sqrt()).array();
    }
}

/// How a block forgets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forget<T> {
    /// 1 / forgetting of the head.
    pub growth: T,
    /// Forgetting of the noise.
    pub noise: T,
    /// The share 1 - forgetting^P of the prior that leaks back once in P rows; 0: none.
    pub leak: T,
    /// The coordinate whose turn it is, and its prior variance over that of the noise, times the latter.
    pub coordinate: usize,
    pub variance: T,
}

/// What a row teaches one block, after [`Evaluate`] of the same row; then it forgets.
#[derive(Debug)]
pub(super) struct Learn<'a, T, const N: usize> {
    /// The target, standardised.
    pub y: T,
    pub forget: Forget<T>,
    pub mean: &'a mut [[T; N]],
    /// The head as it was fitted.
    pub home: &'a [[T; N]],
    pub factor: &'a mut [[T; N]],
    /// a of the noise, b, and both at the start.
    pub shape: T,
    pub rate: &'a mut [T; N],
    pub shape_home: T,
    pub rate_home: &'a [T; N],
    pub nu: &'a [T; N],
    /// As [`Evaluate`] leaves them; the first is overwritten.
    pub projected: &'a mut [[T; N]],
    pub centre: &'a [T; N],
    pub excess: &'a [T; N],
    /// V phi: working memory.
    pub gain: &'a mut [[T; N]],
}

/// No row counts for less than this: keeps 1 / lambda finite.
const LEAST_WEIGHT: f64 = 1e-12;

impl<T: Real, const N: usize> LaneOp<T, N> for Learn<'_, T, N> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        if !S::HERE {
            return;
        }
        let Self { forget, mean, home, factor, projected, gain, .. } = self;
        let one = s.one();
        let order = mean.len();
        let error = s.splat(self.y) - s.load(self.centre);
        let excess = s.load(self.excess);
        let rate = s.load(self.rate);

        // lambda = (nu + 1) / (nu + z^2).
        let z = error / (rate / s.splat(self.shape) * (one + excess)).sqrt();
        let nu = s.load(self.nu);
        let finite = nu.lt(s.splat(T::INFINITY));
        let n = nu.select(finite, one);
        let weight = ((n + one) / (n + z * z)).max(s.lit(LEAST_WEIGHT)).select(finite, one);
        let inverse = measure(s, factor, projected, 0, weight, gain);
        let step = error * inverse;
        for (m, g) in mean.iter_mut().zip(gain.iter()) {
            *m = (s.load(m) + s.load(g) * step).array();
        }
        let half = s.splat(T::HALF);
        let learnt = rate + half * (error * step);
        let kept = s.splat(forget.noise);
        let rate_home = s.load(self.rate_home);
        *self.rate = (kept * learnt + (one - kept) * rate_home).array();

        scale(s, factor, order, s.splat(forget.growth));
        let (Some(m), Some(h)) = (mean.get(forget.coordinate), home.get(forget.coordinate)) else {
            return;
        };
        if forget.leak > T::ZERO {
            // A row e_j with the target h_j and the precision that the prior has lost.
            let noise = rate_home / s.splat(self.shape_home);
            let precision = noise * s.splat(forget.leak / forget.variance);
            let error = s.load(h) - s.load(m);
            project_unit(factor, forget.coordinate, projected);
            let inverse = measure(s, factor, projected, forget.coordinate, precision, gain);
            let step = error * inverse;
            for (m, g) in mean.iter_mut().zip(gain.iter()) {
                *m = (s.load(m) + s.load(g) * step).array();
            }
        }
    }
}
