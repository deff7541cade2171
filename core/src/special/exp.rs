//! The exponential: e^x = 2^k e^r with |r| <= ln(2)/2, the exponential of r by a minimax
//! polynomial.

use super::{LN_2_HIGH, LN_2_LOW, pick, poly};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::{LN_2, LOG2_E};

/// x - less = k ln 2 + r: (k, e^r - 1).
#[inline(always)]
fn reduced<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V, less: S::V) -> (S::V, S::V) {
    let k = s.round((x - less) * s.lit(LOG2_E));
    let r = ((x - k * s.lit(pick::<T>(LN_2_HIGH))) - less) - k * s.lit(pick::<T>(LN_2_LOW));
    // (e^r - 1 - r) / r^2.
    let q = if T::BITS == 32 {
        poly(
            s,
            r,
            [0.500000006118, 0.166665434456, 0.0416662852445, 0.00836654279197, 0.00139462347363],
        )
    } else {
        poly(
            s,
            r,
            [
                0.5000000000000006,
                0.16666666666666685,
                0.041666666666575064,
                0.00833333333331477,
                0.0013888888932013421,
                0.0001984126990243403,
                2.480150481059267e-5,
                2.755722860678257e-6,
                2.7626201277678533e-7,
                2.5114240164282043e-8,
            ],
        )
    };
    (k, r + r * r * q)
}

/// The argument below which the exponential is 0: there k is -BIAS, and 2^k comes out as 0.
#[inline(always)]
fn lowest<T: Real>() -> f64 {
    -f64::from(T::BIAS) * LN_2
}

/// e^(x - less) for x <= 0 and a small part `less` kept apart from it.
#[inline(always)]
pub(super) fn exp_difference<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
    less: S::V,
) -> S::V {
    let (k, p) = reduced(s, s.lit(lowest::<T>()).max(x), less);
    let scale = k.exp2i();
    scale + scale * p
}

/// e^x. Infinite above the range; below it the result passes through the subnormal numbers down to
/// about 0.7 of the smallest normal number, then is 0.
///
/// Error: at most 1.1 ulp (`f32`), 0.9 ulp (`f64`) where the result is a normal number.
#[inline(always)]
pub fn exp<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let x = s.lit(lowest::<T>()).max(x);
    let (k, p) = reduced(s, s.lit(f64::from(T::BIAS) * LN_2 + 2.0).min(x), s.zero());
    // 2^k as 2^k' (1 + (k - k')), as k may be one or more above the largest exponent.
    let within = s.lit(f64::from(T::BIAS)).min(k);
    let scale = within.exp2i();
    (scale + scale * p) * (s.one() + (k - within))
}

/// e^x - 1, with full relative accuracy near 0.
///
/// Error: at most 1.9 ulp (`f32`), 1.7 ulp (`f64`).
#[inline(always)]
pub fn exp_m1<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let x = s.lit(lowest::<T>()).max(x);
    let (k, p) = reduced(s, s.lit(f64::from(T::BIAS) * LN_2 + 2.0).min(x), s.zero());
    let within = s.lit(f64::from(T::BIAS)).min(k);
    let scale = within.exp2i();
    let m1 = scale * p + (scale - s.one());
    // Beyond the largest exponent the 1 is below the last place.
    m1 * (s.one() + (k - within))
}
