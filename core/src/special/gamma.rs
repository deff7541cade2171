//! The logarithm of the gamma function, and of ratios of it.

use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector};
use crate::special;

/// ln(2 pi) / 2.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
/// e^-8.
const EXP_M8: f64 = 3.354_626_279_025_118_5e-4;

/// ln Gamma(x) for x > 0: [`binet`] and a logarithm. Error: at most 9 epsilon (1 + |ln Gamma(x)|).
#[inline(always)]
pub fn ln_gamma<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (mu, _) = binet(s, x);
    ((x - s.lit(0.5)) * special::ln(s, x) - x) + (s.lit(HALF_LN_2_PI) + mu)
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

/// mu(x) x of [`binet`] from q = 1/x^2, x >= 8: Stirling's series.
#[inline(always)]
fn stirling<T: Real, const N: usize, S: Simd<T, N>>(s: S, q: S::V) -> S::V {
    if T::BITS == 32 {
        s.horner(q, [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0])
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
                1.0 / 156.0,
                -3617.0 / 122_400.0,
            ],
        )
    }
}

/// Binet's function and what goes with it, for x > 0: mu(x) = ln Gamma(x) - (x - 1/2) ln x + x - ln(2 pi)/2
/// and phi(x) = psi(x) - ln x, psi the digamma function. They are what is left of ln Gamma and psi behind
/// their leading terms, mu = 1/(12 x) - ..., phi = -1/(2 x) - ..., with full relative accuracy for large
/// x, where the functions themselves have lost it.
///
/// ln x! = (x + 1/2) ln x - x + ln(2 pi)/2 + mu(x) is the form of Loader, "Fast and accurate computation of
/// binomial probabilities" (2000). Stirling's series, where small x is first raised by 8 steps of the
/// recurrence. Two logarithms, three divisions and some 70 flops.
///
/// Error: mu at most 12 (`f32`), 10 (`f64`) epsilon (1 + |mu|), phi 7, 5 epsilon (1 + |phi|); from 16 on both
/// at most 2 epsilon relative.
#[inline(always)]
pub fn binet<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let small = x.lt(s.lit(8.0));
    // Rising product and its derivative; 1 and 0 where x is large.
    let low = s.lit(8.0).min(x);
    let (mut product, mut slope) = (low, s.one());
    for j in 1..8 {
        let term = low + s.splat(T::of_u32(j));
        slope = slope * term + product;
        product = product * term;
    }
    let w = (x + s.lit(8.0)).select(small, x);
    let (inverse, half) = (s.one() / w, s.lit(0.5));
    let q = inverse * inverse;
    // -w^2 mu'(w).
    let derivative = if T::BITS == 32 {
        s.horner(q, [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0])
    } else {
        s.horner(
            q,
            [
                1.0 / 12.0,
                -1.0 / 120.0,
                1.0 / 252.0,
                -1.0 / 240.0,
                1.0 / 132.0,
                -691.0 / 32_760.0,
                1.0 / 12.0,
                -3617.0 / 8160.0,
            ],
        )
    };
    let (mu, phi) = (inverse * stirling(s, q), -(half * inverse) - q * derivative);
    // mu(x) - mu(w) = ln((w/e)^8 / product) + (x - 1/2) ln(w/x).
    let (w2, ratio) = (w * w, w / low);
    let w4 = w2 * w2;
    let log = special::ln(s, ratio);
    let steps = (w4 / product) * (w4 * s.lit(EXP_M8));
    let below = special::ln(s, steps) + (low - half) * log;
    let lower = log - slope / product;
    (mu + below.select(small, s.zero()), phi + lower.select(small, s.zero()))
}

/// x psi'(x) - 1 for x > 0, psi' the trigamma function, 1/(2 x) + ... for large x: x^2 psi'(x) - x is the information that a
/// Gamma number has of ln x, its shape. Its asymptotic series, where small x is first raised by 8 steps of the recurrence.
/// Nine divisions and some 60 flops.
///
/// Error: at most 20 epsilon of itself, 1 from 16 on.
#[inline(always)]
pub fn trigamma_m1<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (bound, eight, half, one) = (s.lit(16.0), s.lit(8.0), s.lit(0.5), s.one());
    let small = x.lt(bound);
    let low = bound.min(x);
    let w = (x + eight).select(small, x);
    let inverse = one / w;
    let q = inverse * inverse;
    let series = if T::BITS == 32 {
        s.horner(q, [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0])
    } else {
        s.horner(
            q,
            [
                1.0 / 6.0,
                -1.0 / 30.0,
                1.0 / 42.0,
                -1.0 / 30.0,
                5.0 / 66.0,
                -691.0 / 2730.0,
                7.0 / 6.0,
                -3617.0 / 510.0,
            ],
        )
    };
    // w psi'(w) - 1.
    let rest = half * inverse + q * series;
    let mut sum = s.zero();
    for j in (0..8).rev() {
        let term = one / (low + s.splat(T::of_u32(j)));
        sum = sum + term * term;
    }
    // x/w - 1 = -8/w.
    let below = low * (sum + inverse * rest) - eight * inverse;
    below.select(small, rest)
}

/// mu(k) of [`binet`] for an integer k >= 1, by a table and, from 16 on, the series: no logarithm.
///
/// Error: at most 2 epsilon relative.
#[inline(always)]
pub fn binet_of_count<T: Real>(k: T) -> T {
    match k.to_usize() {
        1 => T::lit(0.081_061_466_795_327_258),
        2 => T::lit(0.041_340_695_955_409_294),
        3 => T::lit(0.027_677_925_684_998_339),
        4 => T::lit(0.020_790_672_103_765_093),
        5 => T::lit(0.016_644_691_189_821_192),
        6 => T::lit(0.013_876_128_823_070_748),
        7 => T::lit(0.011_896_709_945_891_770),
        8 => T::lit(0.010_411_265_261_972_096),
        9 => T::lit(0.009_255_462_182_712_732_9),
        10 => T::lit(0.008_330_563_433_362_871_3),
        11 => T::lit(0.007_573_675_487_951_840_8),
        12 => T::lit(0.006_942_840_107_209_529_9),
        13 => T::lit(0.006_408_994_188_004_207_1),
        14 => T::lit(0.005_951_370_112_758_847_7),
        15 => T::lit(0.005_554_733_551_962_801_4),
        _ => binet_of_large(k),
    }
}

/// mu(x) of [`binet`] for x >= 8.
#[inline(always)]
pub(super) fn binet_of_large<T: Real>(x: T) -> T {
    let inverse = T::ONE / x;
    let [series] = stirling(Portable, Portable.load(&[inverse * inverse])).array();
    inverse * series
}
