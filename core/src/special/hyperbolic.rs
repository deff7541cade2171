//! The hyperbolic tangent and its relatives.
//!
//! From powers of two or exponentials of -|x|, so that nothing overflows and the derivatives keep
//! their relative accuracy in both tails, where 1 - t^2 and l (1 - l) would lose it.

use super::exp::exp_difference;
use super::log::ln_1p_unit;
use super::{LN_2_HIGH, LN_2_LOW, pick, poly};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::{LN_2, LOG2_E};

/// tanh x: the first of [`tanh_and_derivative`], bit for bit.
#[inline(always)]
pub fn tanh<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    tanh_and_derivative(s, x).0
}

/// (t, 1 - t^2) for t = tanh x. With 2|x| = k ln 2 + 2 r, |r| <= ln(2)/4, s = 2^-k and T = tanh r
/// by a minimax polynomial,
///
/// |t| = ((1 - s) + T (1 + s)) / D, 1 - t^2 = 4 s (1 - T^2) / D^2, D = (1 + s) + T (1 - s),
///
/// by one division. A tenth fewer operations than from exp(-2|x|), whose polynomial has to be twice
/// as long. The derivative reaches 0 only where s does (|x| > 44 for `f32`, 354 for `f64`).
///
/// Error: value at most 3 ulp (`f32`), 2.2 ulp (`f64`); derivative at most
/// 5.3, 3.7 ulp while it is above four times the smallest normal number.
#[inline(always)]
pub fn tanh_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    // In this order a NaN passes.
    let a = s.lit(0.5 * f64::from(T::BIAS) * LN_2).min(x.abs());
    let k = s.round(a * s.lit(-2.0 * LOG2_E));
    let r = (a + k * s.lit(0.5 * pick::<T>(LN_2_HIGH))) + k * s.lit(0.5 * pick::<T>(LN_2_LOW));
    let square = r * r;
    // (tanh r - r) / r^3.
    let p = if T::BITS == 32 {
        poly(s, square, [-0.33333322756583034, 0.13331188012666334, -0.05272814792900167])
    } else {
        poly(
            s,
            square,
            [
                -0.3333333333333249,
                0.13333333332786065,
                -0.0539682527857302,
                0.021869370974436426,
                -0.008857316998533468,
                0.0034449346067444027,
            ],
        )
    };
    let t = r + (r * square) * p;
    let scale = k.exp2i();
    let (less, more) = (s.one() - scale, s.one() + scale);
    let inverse = s.one() / (more + t * less);
    let value = (less + t * more) * inverse;
    let slope = (scale * s.lit(4.0)) * (s.one() - t * t) * (inverse * inverse);
    (value.copysign(x), slope)
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
    let e = exp_difference(s, -x.abs(), s.zero());
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
    let e = exp_difference(s, -x.abs(), s.zero());
    s.zero().max(x) + ln_1p_unit(s, e)
}

/// ([`softplus`] x, its derivative [`logistic`] x), bit for bit, from one exponential.
#[inline(always)]
pub fn softplus_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let e = exp_difference(s, -x.abs(), s.zero());
    (s.zero().max(x) + ln_1p_unit(s, e), sides(s, x, e).0)
}

/// (ln(e^a + e^b), e^a / (e^a + e^b)), where one of them may be minus infinity. One exponential.
///
/// Error: the logarithm at most .6 epsilon (1 + |ln|) beside that of max(a, b); the share as [`logistic`] of
/// a - b rounded.
#[inline(always)]
pub fn ln_add_exp<T: Real, const N: usize, S: Simd<T, N>>(s: S, a: S::V, b: S::V) -> (S::V, S::V) {
    let x = a - b;
    let e = exp_difference(s, -x.abs(), s.zero());
    (a.max(b) + ln_1p_unit(s, e), sides(s, x, e).0)
}
