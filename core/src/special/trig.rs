//! Sine, cosine and the inverse tangent.

use super::{pick, poly};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::{FRAC_1_PI, FRAC_PI_2, FRAC_PI_4};

/// pi/2 in parts (Cody and Waite): the products of all but the last with k are exact for
/// |k| <= 2^13 (11-bit parts, `f32`) or 2^20 (33-bit parts, fdlibm's `e_rem_pio2.c`, `f64`).
const PARTS: [[f64; 2]; 4] = [
    [1.5703125, 1.5707963267341256],
    [0.0004837512969970703, 6.077100506303966e-11],
    [7.549533620476723e-8, 2.0222662487111665e-21],
    [2.5633440682570896e-12, 8.4784276603689e-32],
];

/// (sin x, cos x).
///
/// Range: |x| <= 12,800 (`f32`) or 1.6e6 (`f64`). Beyond it the result drifts off like that of an
/// argument a few ulp away, further out it means nothing, but is in [-1, 1] or NaN. NaN at
/// infinity.
///
/// Error: at most 1.6 ulp (`f32`), 1.4 ulp (`f64`) for |x| <= 1,000, near the multiples of
/// pi/2 too.
#[inline(always)]
pub fn sin_cos<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let k = s.round(x * s.lit(2.0 * FRAC_1_PI));
    let [a, b, c, d] = PARTS;
    let r = ((x - k * s.lit(pick::<T>(a))) - k * s.lit(pick::<T>(b))) - k * s.lit(pick::<T>(c));
    let r = r - k * s.lit(pick::<T>(d));
    // |r| is at most a little above pi/4. Beyond the range the reduction fails: hold r where the
    // polynomials are bounded by 1.
    let edge = s.lit(0.8);
    let r = (-edge).max(edge.min(r));
    let z = r * r;
    // (sin r / r - 1) / z and (cos r - 1 + z/2) / z^2.
    let (p, q) = if T::BITS == 32 {
        (
            poly(s, z, [-0.166666555162, 0.00833220474644, -0.000195201740704]),
            poly(s, z, [0.0416666523155, -0.00138875928066, 2.44609531954e-5]),
        )
    } else {
        (
            poly(
                s,
                z,
                [
                    -0.16666666666666638,
                    0.008333333333323775,
                    -0.00019841269830704833,
                    2.7557313959235033e-6,
                    -2.5050795077490648e-8,
                    1.5898724750144098e-10,
                ],
            ),
            poly(
                s,
                z,
                [
                    0.04166666666666666,
                    -0.0013888888888883364,
                    2.4801587294868694e-5,
                    -2.7557315812359496e-7,
                    2.0875910423977678e-9,
                    -1.1368827726728213e-11,
                ],
            ),
        )
    };
    let sin = r + r * z * p;
    let cos = s.one() - (s.lit(0.5) * z - z * z * q);
    // k modulo 4, as -2, -1, 0, 1 or 2: odd swaps the two; the sine turns its sign for -2, -1 and 2,
    // the cosine for -2, 1 and 2.
    let turn = k - s.lit(4.0) * s.round(k * s.lit(0.25));
    let size = turn.abs();
    let odd = s.lit(0.5).lt(size * (s.lit(2.0) - size));
    let (a, b) = (cos.select(odd, sin), sin.select(odd, cos));
    let sin_turns = ((turn + s.lit(0.5)) * (s.lit(1.5) - turn)).lt(s.zero());
    let cos_turns = ((turn + s.lit(1.5)) * (s.lit(0.5) - turn)).lt(s.zero());
    ((-a).select(sin_turns, a), (-b).select(cos_turns, b))
}

/// sin x: the first of [`sin_cos`].
#[inline(always)]
pub fn sin<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    sin_cos(s, x).0
}

/// cos x: the second of [`sin_cos`].
#[inline(always)]
pub fn cos<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    sin_cos(s, x).1
}

/// The inverse tangent, in [-pi/2, pi/2]: the argument is turned by pi/4 or pi/2 into
/// [-tan(pi/8), tan(pi/8)] (Cephes' `atan.c`), with one division in all.
///
/// Error: at most 1.9 ulp (`f32`), 1.4 ulp (`f64`).
#[inline(always)]
pub fn arctan<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let a = s.splat(T::MAX).min(x.abs());
    // tan(pi/8) and tan(3 pi/8).
    let near = a.le(s.lit(0.414_213_562_373_095));
    let far = s.lit(2.414213562373095).lt(a);
    let top = a.select(near, (-s.one()).select(far, a - s.one()));
    let bottom = s.one().select(near, a.select(far, a + s.one()));
    let y = top / bottom;
    let z = y * y;
    // (arctan y / y - 1) / z.
    let q = if T::BITS == 32 {
        poly(
            s,
            z,
            [-0.333333182661, 0.199986216982, -0.142459412694, 0.106094756123, -0.0611394546268],
        )
    } else {
        poly(
            s,
            z,
            [
                -0.3333333333333328,
                0.19999999999973667,
                -0.14285714281937256,
                0.11111110860534028,
                -0.09090899758560664,
                0.07692092792616342,
                -0.06663446570812846,
                0.05850213505838952,
                -0.05049135832901518,
                0.03830033137238968,
                -0.018152049187613584,
            ],
        )
    };
    // pi/4 or pi/2, and what they lose to rounding.
    let end = s.lit(FRAC_PI_2).select(far, s.lit(FRAC_PI_4));
    let end_low = s
        .lit(pick::<T>([-4.3711390001862426e-8, 6.123233995736766e-17]))
        .select(far, s.lit(pick::<T>([-2.1855695000931213e-8, 3.061616997868383e-17])));
    let (base, low) = (s.zero().select(near, end), s.zero().select(near, end_low));
    (base + (y + (low + y * z * q))).copysign(x)
}
