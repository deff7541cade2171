//! The logarithm: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2), and
//! ln(1 + f) = 2 artanh(f / (2 + f)) by a minimax polynomial, arranged as in fdlibm's `e_log.c`.

use super::{LN_2_HIGH, LN_2_LOW, pick, poly};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::SQRT_2;

/// For positive normal x: (k, f).
#[inline(always)]
fn reduced<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let (m, e) = x.split_exponent();
    let small = m.lt(s.lit(SQRT_2));
    let f = m * s.one().select(small, s.lit(0.5)) - s.one();
    (e + s.zero().select(small, s.one()), f)
}

/// k ln 2 + ln(1 + f) + low, for f in [sqrt(1/2) - 1, sqrt(2) - 1].
#[inline(always)]
fn joined<T: Real, const N: usize, S: Simd<T, N>>(s: S, k: S::V, f: S::V, low: S::V) -> S::V {
    assembled(s, k, f, f / (f + s.lit(2.0)), low)
}

/// As [`joined`], given t = f / (f + 2).
#[inline(always)]
fn assembled<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    k: S::V,
    f: S::V,
    t: S::V,
    low: S::V,
) -> S::V {
    let z = t * t;
    // (ln(1 + f) - 2 t) / (t z).
    let q = if T::BITS == 32 {
        poly(s, z, [0.666667729571, 0.399778753343, 0.298641496424])
    } else {
        poly(
            s,
            z,
            [
                0.6666666666666722,
                0.39999999999480046,
                0.2857142872988841,
                0.2222219971533221,
                0.1818351027325531,
                0.15315329464070893,
                0.14783981668220952,
            ],
        )
    };
    let half = s.lit(0.5) * f * f;
    let tail = t * (half + z * q) + (k * s.lit(pick::<T>(LN_2_LOW)) + low);
    k * s.lit(pick::<T>(LN_2_HIGH)) - ((half - tail) - f)
}

/// ln x for positive normal x; nothing is promised elsewhere.
#[inline(always)]
pub(super) fn ln_normal<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (k, f) = reduced(s, x);
    joined(s, k, f, s.zero())
}

/// ln x. Minus infinity at 0, NaN below, infinite at infinity; right for subnormal x too.
///
/// Error: at most 0.9 ulp (`f32`), 0.8 ulp (`f64`).
#[inline(always)]
pub fn ln<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    // Subnormal numbers are lifted by 2^bits, which the exponent gives back.
    let bits = f64::from(T::BITS);
    let tiny = x.lt(s.splat(T::MIN_POSITIVE));
    let lift = s.lit(pick::<T>([4_294_967_296.0, 1.8446744073709552e+19]));
    let (k, f) = reduced(s, x * lift.select(tiny, s.one()));
    let y = joined(s, k - s.lit(bits).select(tiny, s.zero()), f, s.zero());
    guarded(s, x, y)
}

/// y = ln x where x is positive and finite, else the limit or NaN.
#[inline(always)]
fn guarded<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V, y: S::V) -> S::V {
    let y = y.select(x.lt(s.splat(T::INFINITY)), x);
    let low = s.splat(T::NAN).select(x.lt(s.zero()), s.splat(-T::INFINITY));
    low.select(x.le(s.zero()), y)
}

/// ln(1 + x), with full relative accuracy near 0. Minus infinity at -1, NaN below.
///
/// Error: at most 0.9 ulp (`f32`), 0.8 ulp (`f64`).
#[inline(always)]
pub fn ln_1p<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let u = s.one() + x;
    guarded(s, u, ln_sum(s, u, x))
}

/// asinh x; |x| above 1e18 counts as that.
///
/// Error: at most 1.7 ulp (`f32`), 1.2 ulp (`f64`).
#[inline(always)]
pub fn asinh<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    // The square stays in range; what is no number stays none.
    let a = s.lit(1e18).min(x.abs());
    let square = a * a;
    ln_1p_positive(s, a + square / (s.one() + (s.one() + square).sqrt())).copysign(x)
}

/// What rounding lost in u = 1 + x (two-sum).
#[inline(always)]
fn lost<T: Real, const N: usize, S: Simd<T, N>>(s: S, u: S::V, x: S::V) -> S::V {
    let from_x = u - s.one();
    (s.one() - (u - from_x)) + (x - from_x)
}

/// ln(1 + x) where u = 1 + x rounded, positive and finite.
#[inline(always)]
fn ln_sum<T: Real, const N: usize, S: Simd<T, N>>(s: S, u: S::V, x: S::V) -> S::V {
    let (k, f) = reduced(s, u);
    joined(s, k, f, lost(s, u, x) / u)
}

/// (ln(1 + x), 1 / (1 + x)) for x from -1/2 to a quarter of the largest number, by one division.
///
/// Error: ln(1 + x) at most 1.3 ulp (`f32`), 1 ulp (`f64`); inverse at most 3, 2.5 ulp.
#[inline(always)]
pub fn ln_1p_and_inverse<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let u = s.one() + x;
    let (k, f) = reduced(s, u);
    // u = 2^k m: 1 / m and f / (f + 2) from the inverse of m (f + 2).
    let (m, sum) = (s.one() + f, f + s.lit(2.0));
    let both = s.one() / (m * sum);
    // With 0 x a NaN stays one.
    let inverse = (-k).exp2i() * (sum * both) + s.zero() * x;
    (assembled(s, k, f, f * (m * both), lost(s, u, x) * inverse), inverse)
}

/// ln(1 + x) for finite x >= 0.
#[inline(always)]
pub(super) fn ln_1p_positive<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    ln_sum(s, s.one() + x, x)
}

/// ln(1 + x) for x in [0, 1]: 2 artanh(x / (2 + x)), without a reduction.
#[inline(always)]
pub(super) fn ln_1p_unit<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let t = x / (x + s.lit(2.0));
    // Below, z q does nothing to x, and its powers would be subnormal numbers, on which CPUs are slow.
    let large = s.lit(1e-9).max(t);
    let z = large * large;
    let q = if T::BITS == 32 {
        poly(s, z, [0.666666753964, 0.399988941024, 0.286164912572, 0.214315195556, 0.242875944738])
    } else {
        poly(
            s,
            z,
            [
                0.6666666666666634,
                0.4000000000014681,
                0.285714285489463,
                0.22222223911123837,
                0.18181745754156992,
                0.1538652477003525,
                0.13301395580641473,
                0.1210300200929378,
                0.08352657164740869,
                0.1699674491643424,
            ],
        )
    };
    // 2 t = x - t x: the leading term is exact.
    x - t * (x - z * q)
}
