//! y ~ Gamma of mean exp(o_1) and squared coefficient of variation v = exp(o_2) + floor^2: a network of ln E(y) and of ln v,
//! about the variance of ln y where it is small. Of ln y, with the shape k = 1/v, t = ln y - o_1 and Binet's function mu,
//!
//! ln p = ln(k)/2 - ln(2 pi)/2 - mu(k) - k (e^t - 1 - t),
//!
//! where nothing large cancels (McCullagh and Nelder 1989, chapters 8 and 10, for the two linear predictors).

use super::mean_variance::MeanVariance;
use super::{AtGroup, Family, Law, at, get, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Gamma;

/// The largest |ln v|: no amount is told to 1e-7 of itself. And the largest t: both for finite derivatives.
const WIDEST: f64 = 32.0;
const FURTHEST: f64 = 40.0;

/// ln v within its limits, and the share of exp(o_2) in v.
#[inline(always)]
fn spread<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    ready: &[[T; N]],
    o: &[AtGroup<T, N>],
    r: usize,
) -> [S::V; 2] {
    let (log, share) = special::ln_add_exp(s, get(s, o, 1, r), at(s, ready, 0));
    [s.lit(WIDEST).min(s.lit(-WIDEST).max(log)), share]
}

impl<T: Real> Law<T> for Gamma {
    fn outputs(self, _: &Family<T>) -> usize {
        2
    }
    fn valid(self, family: &Family<T>) -> bool {
        MeanVariance.valid(family)
    }
    fn ready_len(self, family: &Family<T>) -> usize {
        MeanVariance.ready_len(family)
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        nu: &[T; N],
        ready: &mut [[T; N]],
    ) {
        MeanVariance.prepare(s, family, own, nu, ready);
    }
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        _: &mut [[T; N]],
    ) -> S::V {
        let [log, share] = spread(s, ready, o, r);
        let shape = special::called::exp(s, -log);
        let t = s.splat(y) - get(s, o, 0, r);
        let m1 = special::called::exp_m1(s, s.lit(FURTHEST).min(t));
        let (mu, phi) = special::called::binet(s, shape);
        let away = m1 - t;
        set(o, 0, r, shape * m1);
        set(o, 1, r, share * (shape * (away + phi)));
        s.splat(-T::HALF) * log - mu - shape * away
    }
    #[inline(always)]
    fn normaliser<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        n: T,
        own: &mut [[T; N]],
    ) -> S::V {
        MeanVariance.normaliser(s, family, ready, n, own)
    }
    /// k, and that of ln k, k^2 psi'(k) - k.
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let [log, share] = spread(s, ready, o, r);
        let root = special::called::exp(s, s.splat(-T::HALF) * log);
        let shape = root * root;
        set(o, 0, r, root);
        let of_log = (shape * special::called::trigamma_m1(s, shape)).sqrt();
        set(o, 1, r, share * of_log);
    }
    /// Those of ln y.
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let [log, _] = spread(s, ready, o, r);
        let v = special::called::exp(s, log);
        let shape = s.one() / v;
        let (_, phi) = special::called::binet(s, shape);
        [get(s, o, 0, r) + phi, v * (s.one() + special::called::trigamma_m1(s, shape))]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite() && y > T::ZERO
    }
}
