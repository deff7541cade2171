//! The hyperbolic tangent and its relatives, from one exponential of a non-positive argument each.
//!
//! With e = exp(-|x|) nothing overflows, and the derivatives keep their relative accuracy in both
//! tails, where 1 - t^2 and l (1 - l) would lose it.

use super::exp::exp_and_m1;
use super::log::ln_1p_unit;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// tanh x: the first of [`tanh_and_derivative`], bit for bit.
#[inline(always)]
pub fn tanh<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    tanh_and_derivative(s, x).0
}

/// (t, 1 - t^2) for t = tanh x: with e = exp(-2|x|), |t| = (1 - e) / (1 + e) and the derivative is
/// 4 e / (1 + e)^2 = e (1 + |t|)^2. It reaches 0 only where e does (|x| > 44 for `f32`, 354 for
/// `f64`). One exponential, one division.
///
/// Error: value at most 2.3 ulp (`f32`), 2.3 ulp (`f64`); derivative at most
/// 4.8, 3.4 ulp while it is above four times the smallest normal number.
#[inline(always)]
pub fn tanh_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let (e, m1) = exp_and_m1(s, x.abs() * s.lit(-2.0));
    let t = -m1 / (s.one() + e);
    let u = s.one() + t;
    (t.copysign(x), e * u * u)
}

/// 1 / (1 + e^-x): the first of [`logistic_and_derivative`], bit for bit.
#[inline(always)]
pub fn logistic<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    logistic_and_derivative(s, x).0
}

/// (l, l (1 - l)) for l = 1 / (1 + e^-x). With e = exp(-|x|), the smaller of l and 1 - l is
/// e / (1 + e). One exponential, one division.
///
/// Error: value at most 2.3 ulp (`f32`), 1.8 ulp (`f64`); derivative at most
/// 3.3, 2.1 ulp; both while they are normal numbers.
#[inline(always)]
pub fn logistic_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let (e, _) = exp_and_m1(s, -x.abs());
    sides(s, x, e)
}

/// The logistic function and its derivative from e = exp(-|x|).
#[inline(always)]
fn sides<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V, e: S::V) -> (S::V, S::V) {
    let lower = e / (s.one() + e);
    let upper = s.one() - lower;
    (upper.select(s.zero().le(x), lower), upper * lower)
}

/// ln(1 + e^x).
///
/// Error: at most 2 ulp (`f32`), 1.8 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn softplus<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (e, _) = exp_and_m1(s, -x.abs());
    s.zero().max(x) + ln_1p_unit(s, e)
}

/// ([`softplus`] x, its derivative [`logistic`] x), bit for bit, from one exponential.
#[inline(always)]
pub fn softplus_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let (e, _) = exp_and_m1(s, -x.abs());
    (s.zero().max(x) + ln_1p_unit(s, e), sides(s, x, e).0)
}
