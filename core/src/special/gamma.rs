//! The logarithm of the gamma function, and of ratios of it.

use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// ln(2 pi) / 2.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// ln Gamma(x) for x > 0: Stirling's series, where small x is first raised by 8 steps of the recurrence.
/// Two logarithms and some 40 flops. Error: at most 4 epsilon (1 + |ln Gamma(x)|).
#[inline(always)]
pub fn ln_gamma<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let small = x.lt(s.lit(16.0));
    let mut product = x;
    for j in 1..8 {
        product = product * (x + s.splat(T::of_u32(j)));
    }
    let product = product.select(small, s.one());
    let w = (x + s.lit(8.0)).select(small, x);
    let (inverse, half) = (s.one() / w, s.lit(0.5));
    let q = inverse * inverse;
    let series = if T::BITS == 32 {
        s.horner(q, [1.0 / 12.0, -1.0 / 360.0])
    } else {
        s.horner(
            q,
            [
                1.0 / 12.0,
                -1.0 / 360.0,
                1.0 / 1260.0,
                -1.0 / 1680.0,
                1.0 / 1188.0,
                -691.0 / 360_360.0,
            ],
        )
    };
    let log = special::ln(s, w);
    ((w - half) * log - w) + (s.lit(HALF_LN_2_PI) + inverse * series) - special::ln(s, product)
}

/// ln c(nu), where c(nu) (1 + z^2/nu)^(-(nu+1)/2) is the density: nu > 0, or infinite for the
/// normal distribution.
///
/// c = R / sqrt(2 pi) with R = Gamma(x + 1/2) / (Gamma(x) sqrt x), x = nu/2. Fields's series (1966)
/// in 1/w^2, w = x - 1/4, of ln (Gamma(w + 3/4) / (Gamma(w + 1/4) sqrt w)), coefficients
/// 2 B_(2k+1)(1/4) / (2k (2k+1)); small x is raised by 8 steps of the recurrence first. About 40
/// flops and a logarithm. Error: at most 3 epsilon absolute.
#[inline(always)]
pub fn ln_student_t<T: Real, const N: usize, S: Simd<T, N>>(s: S, nu: S::V) -> S::V {
    let half = s.lit(0.5);
    let x = nu * half;
    let bound = s.lit(16.0);
    let small = x.lt(bound);
    let low = x.min(bound);
    let (mut num, mut den) = (s.one(), s.one());
    for j in 0..8 {
        let term = low + s.splat(T::of_u32(j));
        num = num * term;
        den = den * (term + half);
    }
    let steps = (num / den).select(small, s.one());
    let w = (x + s.lit(8.0)).select(small, x) - s.lit(0.25);
    let q = s.one() / (w * w);
    let series = if T::BITS == 32 {
        q * s.horner(q, [1.0 / 64.0, -5.0 / 2048.0, 61.0 / 49_152.0])
    } else {
        q * s.horner(
            q,
            [
                1.0 / 64.0,
                -5.0 / 2048.0,
                61.0 / 49_152.0,
                -1385.0 / 1_048_576.0,
                50_521.0 / 20_971_520.0,
                -0.006_712_389_489_421_491,
                0.026_524_197_443_253_956,
                -0.141_091_820_441_943_13,
            ],
        )
    };
    let finite = nu.lt(s.splat(T::INFINITY));
    let ratio = (steps * steps * (w / x)).select(finite, s.one());
    let log = half * special::ln(s, ratio) + series.select(finite, s.zero());
    log - s.lit(HALF_LN_2_PI)
}
