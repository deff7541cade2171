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
    [7.549533620476723e-08, 2.0222662487111665e-21],
    [2.5633440682570896e-12, 8.4784276603689e-32],
];

/// (sin x, cos x).
///
/// Range: |x| <= 12,800 (`f32`) or 1.6e6 (`f64`). Beyond it the result drifts off like that of an
/// argument a few ulp away, further out it means nothing, but never leaves [-1, 1]. NaN at
/// infinity.
///
/// Error: at most 1.7 ulp (`f32`), 1.1 ulp (`f64`) for |x| <= 1,000, near the multiples of
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
                    -0.16666666666666639188,
                    0.008333333333323774948,
                    -0.00019841269830704833692,
                    2.7557313959235032031e-6,
                    -2.5050795077490648538e-8,
                    1.5898724750144097551e-10,
                ],
            ),
            poly(
                s,
                z,
                [
                    0.041666666666666656863,
                    -0.0013888888888883364275,
                    0.000024801587294868693612,
                    -2.7557315812359495176e-7,
                    2.0875910423977679507e-9,
                    -1.1368827726728213079e-11,
                ],
            ),
        )
    };
    let sin = r + r * z * p;
    let cos = s.one() - (s.lit(0.5) * z - z * z * q);
    // k modulo 4 in [-2, 2]: odd swaps the two; the sines of 2 and -1 turn, and so the cosines of
    // -2, 2, -1 after the swap.
    let turn = k - s.lit(4.0) * s.round(k * s.lit(0.25));
    let size = turn.abs();
    let one = s.one();
    let odd_sin = cos.select(one.le(size), sin);
    let odd_cos = sin.select(one.le(size), cos);
    let half = s.lit(1.5).lt(size);
    let (sin_own, cos_own) = (sin.select(half, odd_sin), cos.select(half, odd_cos));
    let sin_turned = turn.lt(s.lit(-0.5));
    let y_sin = (-sin_own).select(sin_turned, sin_own);
    // |turn| = 2 turns both: sin by the line above only for -2, so here for +2.
    let y_sin = (-y_sin).select(s.lit(1.5).lt(turn), y_sin);
    let cos_turned = s.lit(0.5).lt(turn);
    let y_cos = (-cos_own).select(cos_turned, cos_own);
    let y_cos = (-y_cos).select(turn.lt(s.lit(-1.5)), y_cos);
    (y_sin, y_cos)
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
/// Error: at most 2 ulp (`f32`), 0.8 ulp (`f64`).
#[inline(always)]
pub fn arctan<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    // tan(pi/8) and tan(3 pi/8).
    let a = s.splat(T::MAX).min(x.abs());
    let near = a.le(s.lit(0.414_213_562_373_095_05));
    let far = s.lit(2.414_213_562_373_095).lt(a);
    let top = a.select(near, (-s.one()).select(far, a - s.one()));
    let bottom = s.one().select(near, a.select(far, a + s.one()));
    let base = |mid: f64, end: f64| s.zero().select(near, s.lit(end).select(far, s.lit(mid)));
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
                -0.33333333333333282072,
                0.19999999999973667676,
                -0.14285714281937255097,
                0.1111111086053402845,
                -0.090908997585606644082,
                0.076920927926163428722,
                -0.066634465708128462434,
                0.058502135058389520278,
                -0.050491358329015182658,
                0.038300331372389679014,
                -0.018152049187613583003,
            ],
        )
    };
    // What pi/4 and pi/2 lose to rounding.
    let [mid_low, end_low] = [
        pick::<T>([-2.1855695000931214e-8, 3.0616169978683829e-17]),
        pick::<T>([-4.3711390001862428e-8, 6.1232339957367659e-17]),
    ];
    let low = base(mid_low, end_low) + y * z * q;
    (base(FRAC_PI_4, FRAC_PI_2) + (y + low)).copysign(x)
}
