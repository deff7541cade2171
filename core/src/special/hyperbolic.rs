//! The hyperbolic tangent and its relatives, from one exponential of a non-positive argument each.
//!
//! With e = exp(-|x|) nothing overflows, and the derivatives keep their relative accuracy in both
//! tails, where 1 - t^2 and l (1 - l) would lose it.

use super::exp::exp_and_m1;
use super::log::ln_1p_unit;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// tanh x.
///
/// Error: at most 2.7 ulp (`f32`), 2.5 ulp (`f64`).
#[inline(always)]
pub fn tanh<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (_, m1) = exp_and_m1(s, x.abs() * s.lit(-2.0));
    (-m1 / (s.lit(2.0) + m1)).copysign(x)
}

/// (t, 1 - t^2) for t = tanh x: with e = exp(-2|x|), t = (1 - e) / (1 + e) and the derivative is
/// 4 e / (1 + e)^2. The derivative reaches 0 only where e does (|x| > 44 for `f32`, 354 for
/// `f64`). One exponential, one division.
///
/// Error: value at most 3.1 ulp (`f32`), 2.1 ulp (`f64`); derivative at most
/// 5.2, 3.8 ulp while it is a normal number.
#[inline(always)]
pub fn tanh_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let (e, m1) = exp_and_m1(s, x.abs() * s.lit(-2.0));
    let r = s.one() / (s.one() + e);
    let t = (-m1 * r).copysign(x);
    let r2 = r + r;
    (t, e * r2 * r2)
}

/// 1 / (1 + e^-x).
///
/// Error: at most 2.4 ulp (`f32`), 1.8 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn logistic<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (e, _) = exp_and_m1(s, -x.abs());
    s.one().select(s.zero().le(x), e) / (s.one() + e)
}

/// (l, l (1 - l)) for l = [`logistic`] x: the derivative is e / (1 + e)^2 with e = exp(-|x|).
///
/// Error: value at most 3.1 ulp (`f32`), 2 ulp (`f64`); derivative at most
/// 5.1, 3.7 ulp; both while they are normal numbers.
#[inline(always)]
pub fn logistic_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let (e, _) = exp_and_m1(s, -x.abs());
    let r = s.one() / (s.one() + e);
    let er = e * r;
    (r.select(s.zero().le(x), er), er * r)
}

/// ln(1 + e^x).
///
/// Error: at most 2.1 ulp (`f32`), 1.7 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn softplus<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (e, _) = exp_and_m1(s, -x.abs());
    s.zero().max(x) + ln_1p_unit(s, e)
}

/// ([`softplus`] x, its derivative [`logistic`] x), from one exponential; bits and errors of the
/// value as there, of the derivative as the value of [`logistic_and_derivative`].
#[inline(always)]
pub fn softplus_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let (e, _) = exp_and_m1(s, -x.abs());
    let r = s.one() / (s.one() + e);
    (s.zero().max(x) + ln_1p_unit(s, e), r.select(s.zero().le(x), e * r))
}
