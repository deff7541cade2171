//! The normal distribution function and its inverse.

use super::erf::excess;
use super::exp::exp_difference;
use super::log::ln_normal;
use super::{pick, poly_either, square};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// 1 / sqrt(2 pi).
const DENSITY_0: f64 = 0.3989422804014327;

/// exp(-2.25^2): below it lies the tail of the inverse.
const TAIL: f64 = 0.006329715427485747;

/// -Phi^{-1}(p) >= 0 for p in (0, 1/2]: the magnitude of a standard normal whose upper tail
/// probability is p.
///
/// For p >= exp(-2.25^2), with q = 1/2 - p and w = -ln(4 p (1 - p)) = -ln(1 - 4 q^2), the inverse is
/// q times a smooth function of w (Giles, "Approximating the erfinv function", 2010); below, it is
/// a smooth function of sqrt(-ln p) (Wichura, AS 241, 1988). Both are minimax rationals here, and
/// the selects are on the argument and the coefficients: the lanes evaluate one logarithm, one
/// square root and one rational.
///
/// Full relative precision near p = 1/2, where the result is q sqrt(2 pi), and in the tail. p below
/// the smallest normal number counts as that; outside (0, 1/2] nothing else is promised.
///
/// Error: at most 4.5 ulp (`f32`), 4.3 ulp (`f64`, p >= 2^-92; growing to 2e-8 relative at the
/// smallest normal p).
#[inline(always)]
pub fn normal_from_half<T: Real, const N: usize, S: Simd<T, N>>(s: S, p: S::V) -> S::V {
    let p = s.splat(T::MIN_POSITIVE).max(p);
    let q = s.lit(0.5) - p;
    let tail = p.lt(s.lit(TAIL));
    let w = -ln_normal(s, p.select(tail, s.lit(4.0) * p * (s.one() - p)));
    let v = (w.sqrt() - s.lit(2.25)).select(tail, w);
    // Beside each of the tail's coefficients the centre's.
    let y = if T::BITS == 32 {
        let top = [
            [2.49320899516, 2.50662827546],
            [3.44730649204, 0.805378464624],
            [1.53241056299, 0.135207644526],
            [0.25997459276, 0.0144082727026],
            [0.0135906953245, 0.000816535094495],
        ];
        let bottom = [
            [1.0, 1.0],
            [0.741860168208, 0.0595001506305],
            [0.162359613151, 0.0253307632258],
            [0.00960841539031, 0.00097641263236],
            [0.0, 4.05721394091e-5],
        ];
        poly_either(s, v, tail, top) / poly_either(s, v, tail, bottom)
    } else {
        let top = [
            [2.4932089920736673, 2.5066282746310002],
            [5.856087558480277, 0.9412440820593183],
            [5.697347208379852, 0.23843625379084307],
            [2.9946587707794223, 0.041835843097416454],
            [0.9173934013870071, 0.005278652970798267],
            [0.16336980667521006, 0.00048029485594028743],
            [0.01587097809305193, 2.9150965174757375e-5],
            [0.0007258603137978333, 9.148504227195078e-7],
            [1.0982765213951088e-5, 0.0],
        ];
        let bottom = [
            [1.0, 1.0],
            [1.7079969490144074, 0.11370267271194323],
            [1.2137543130103003, 0.05232297576104948],
            [0.4550479766265257, 0.004145066238080824],
            [0.09386005468050199, 0.0007829013906915944],
            [0.010131080957343143, 3.432545647487087e-5],
            [0.0004958224812065574, 2.6622939534564333e-6],
            [7.765856112784816e-6, 1.3794888120570789e-8],
        ];
        poly_either(s, v, tail, top) / poly_either(s, v, tail, bottom)
    };
    s.one().select(tail, q) * y
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
/// Error: at most 5 ulp (`f32`), 4.3 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn normal_cdf<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    normal_cdf_and_density(s, x).0
}

/// (Phi(x), exp(-x^2/2) / sqrt(2 pi)).
///
/// Error: value as [`normal_cdf`]; density at most 2.1 ulp (`f32`), 2.1 ulp (`f64`) while it is
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
