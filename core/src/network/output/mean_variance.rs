//! y ~ N(o_1, exp(o_2) + floor^2): a network of the mean and of the logarithm of the variance.
//!
//! Log-normal laws are the same of ln y. The floor keeps the density bounded where the mean meets y.

use super::{AtGroup, Family, HALF_LN_2_PI, Law, Output, at, get, put, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct MeanVariance;
pub(super) use MeanVariance as LogNormal;

/// ln of the variance's floor: minus infinity where there is none.
#[inline(always)]
pub(super) fn ln_floor<T: Real, const N: usize, S: Simd<T, N>>(s: S, family: &Family<T>) -> S::V {
    let log = special::called::ln(s, s.splat(family.floor));
    log + log
}

/// ln N(y; mean, v) + ln(2 pi)/2 with v = exp(log) + exp(floor), and its derivatives by mean and log. All
/// three are finite wherever mean and log are.
#[inline(always)]
pub(super) fn component<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    y: S::V,
    mean: S::V,
    log: S::V,
    floor: S::V,
) -> [S::V; 3] {
    let half = s.splat(T::HALF);
    let (log, share) = special::ln_add_exp(s, log, floor);
    let inverse = inverse_sd(s, log);
    let furthest = s.splat(half_of_range::<T>());
    let z = furthest.min((-furthest).max((y - mean) * inverse));
    let q = z * z;
    let most = s.splat(T::MAX);
    let slope = most.min((-most).max(z * inverse));
    [-half * (log + q), slope, half * (q - s.one()) * share]
}

/// exp(-log / 2), finite.
#[inline(always)]
fn inverse_sd<T: Real, const N: usize, S: Simd<T, N>>(s: S, log: S::V) -> S::V {
    s.splat(T::MAX).min(special::exp(s, s.splat(-T::HALF) * log))
}

/// Twice the square of it is still a number.
#[inline(always)]
fn half_of_range<T: Real>() -> T {
    T::lit(if T::BITS == 32 { 9.0e18 } else { 9.0e153 })
}

/// exp(log) + exp(floor).
#[inline(always)]
pub(super) fn variance<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    log: S::V,
    floor: S::V,
) -> S::V {
    special::exp(s, log) + special::exp(s, floor)
}

/// The square roots of the expected information of mean and log.
#[inline(always)]
pub(super) fn component_information<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    log: S::V,
    floor: S::V,
) -> [S::V; 2] {
    let (log, share) = special::ln_add_exp(s, log, floor);
    [inverse_sd(s, log), s.lit(core::f64::consts::FRAC_1_SQRT_2) * share]
}

impl<T: Real> Law<T> for MeanVariance {
    fn outputs(self, _: &Family<T>) -> usize {
        2
    }
    fn valid(self, family: &Family<T>) -> bool {
        family.floor >= T::ZERO && family.floor.is_finite()
    }
    fn ready_len(self, _: &Family<T>) -> usize {
        1
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        _: &[[T; N]],
        _: &[T; N],
        ready: &mut [[T; N]],
    ) {
        put(ready, 0, ln_floor(s, family));
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
        let (mean, log) = (get(s, o, 0, r), get(s, o, 1, r));
        let [value, by_mean, by_log] = component(s, s.splat(y), mean, log, at(s, ready, 0));
        set(o, 0, r, by_mean);
        set(o, 1, r, by_log);
        value
    }
    #[inline(always)]
    fn normaliser<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        n: T,
        _: &mut [[T; N]],
    ) -> S::V {
        s.splat(n) * s.lit(-HALF_LN_2_PI)
    }
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let [mean, log] = component_information(s, get(s, o, 1, r), at(s, ready, 0));
        set(o, 0, r, mean);
        set(o, 1, r, log);
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        [get(s, o, 0, r), variance(s, get(s, o, 1, r), at(s, ready, 0))]
    }
    fn possible(self, family: &Family<T>, y: T) -> bool {
        y.is_finite() && (family.output == Output::MeanVariance || y > T::ZERO)
    }
}
