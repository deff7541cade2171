//! The normal distribution function and its inverse.

use super::erf::excess;
use super::exp::exp_difference;
use super::log::ln_normal;
use super::{pick, poly, poly_of, square};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// 1 / sqrt(2 pi).
const DENSITY_0: f64 = 0.398_942_280_401_432_7;

/// exp(-2.25^2): below it lies the tail of the inverse in double precision.
const TAIL: f64 = 0.006_329_715_427_485_747;

/// -Phi^{-1}(p) >= 0 for p in (0, 1/2]: the magnitude of a standard normal whose upper tail
/// probability is p.
///
/// With q = 1/2 - p and w = -ln(4 p (1 - p)) = -ln(1 - 4 q^2) (Giles, "Approximating the erfinv
/// function", 2010) the inverse is q times a smooth function of w, here a minimax rational. Double
/// precision uses it for p >= exp(-2.25^2) only, and below that a rational in sqrt(-ln p) (Wichura,
/// AS 241, 1988): the selects are on the argument and the coefficients, so that the lanes evaluate
/// one logarithm and one rational.
///
/// Full relative precision near p = 1/2, where the result is q sqrt(2 pi), and in the tail. p below
/// the smallest normal number counts as that; outside (0, 1/2] nothing else is promised.
///
/// Error: at most 5.8 ulp (`f32`), 3.4 ulp (`f64`) for p >= 2^-65.
#[inline(always)]
pub fn normal_from_half<T: Real, const N: usize, S: Simd<T, N>>(s: S, p: S::V) -> S::V {
    let p = s.splat(T::MIN_POSITIVE).max(p);
    let q = s.lit(0.5) - p;
    let four_pq = s.lit(4.0) * p * (s.one() - p);
    if T::BITS == 32 {
        let w = -ln_normal(s, four_pq);
        let top = poly(
            s,
            w,
            [
                2.50662817383,
                0.921153703743,
                0.193955902504,
                0.0277644169825,
                0.00268084889556,
                0.000166039621342,
                1.17838932615e-6,
            ],
        );
        let bottom = poly(
            s,
            w,
            [
                1.0,
                0.105686655278,
                0.0366813388371,
                0.00272291262798,
                0.000307845724718,
                6.74019873163e-6,
                1.0865356174e-8,
            ],
        );
        return q * (top / bottom);
    }
    let tail = p.lt(s.lit(TAIL));
    let w = -ln_normal(s, p.select(tail, four_pq));
    let v = (w.sqrt() - s.lit(2.25)).select(tail, w);
    let joined = |[outer, centre]: [f64; 2]| s.lit(outer).select(tail, s.lit(centre));
    // Beside the tail's coefficients those of the centre.
    let top = poly_of(
        s,
        v,
        [
            [2.4932089920736671326, 2.5066282746310004133],
            [5.8560875584802771024, 0.94124408205931826133],
            [5.6973472083798521992, 0.23843625379084305904],
            [2.994658770779422386, 0.041835843097416453003],
            [0.91739340138700712896, 0.0052786529707982669809],
            [0.16336980667521006654, 0.00048029485594028741123],
            [0.015870978093051932993, 0.000029150965174757374765],
            [0.00072586031379783321508, 9.1485042271950777914e-7],
            [0.000010982765213951088344, 0.0],
        ]
        .map(joined),
    );
    let bottom = poly_of(
        s,
        v,
        [
            [1.0, 1.0],
            [1.7079969490144073536, 0.1137026727119432306],
            [1.213754313010300245, 0.052322975761049479513],
            [0.45504797662652566734, 0.0041450662380808240227],
            [0.093860054680501988493, 0.00078290139069159444716],
            [0.010131080957343143592, 0.00003432545647487086983],
            [0.00049582248120655742343, 2.6622939534564332898e-6],
            [7.7658561127848168266e-6, 1.3794888120570788387e-8],
        ]
        .map(joined),
    );
    s.one().select(tail, q) * (top / bottom)
}

/// Phi^{-1}(p): the standard normal's quantile function. Infinite at 0 and 1, NaN outside [0, 1];
/// otherwise as [`normal_from_half`] of p or 1 - p, whichever is smaller.
#[inline(always)]
pub fn normal_quantile<T: Real, const N: usize, S: Simd<T, N>>(s: S, p: S::V) -> S::V {
    let upper = s.one() - p;
    let h = upper.min(p);
    let x = normal_from_half(s, h);
    let x = s.splat(T::INFINITY).select(h.le(s.zero()), x);
    let x = s.splat(T::NAN).select(h.lt(s.zero()), x);
    x.copysign(p - s.lit(0.5))
}

/// Phi(x) = erfc(-x / sqrt 2) / 2: the standard normal's distribution function, with full relative
/// accuracy in the lower tail.
///
/// Error: at most 5.6 ulp (`f32`), 3.7 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn normal_cdf<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    normal_cdf_and_density(s, x).0
}

/// (Phi(x), exp(-x^2/2) / sqrt(2 pi)).
///
/// Error: value as [`normal_cdf`]; density at most 2.2 ulp (`f32`), 1.9 ulp (`f64`) while it is
/// a normal number.
#[inline(always)]
pub fn normal_cdf_and_density<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let a = s.lit(pick::<T>([14.0, 40.0])).min(x.abs());
    let (high, low) = square(s, a);
    let bump = exp_difference(s, s.lit(-0.5) * high, s.lit(0.5) * low);
    let half = s.lit(0.5) * bump / (s.one() + excess(s, a));
    ((s.one() - half).select(s.zero().lt(x), half), s.lit(DENSITY_0) * bump)
}
