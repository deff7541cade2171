//! The error function and its relatives, all from one rational function.
//!
//! h(g) = sqrt(2/pi) exp(-g^2/2) / erfc(g / sqrt 2), the hazard of the half-normal distribution, is
//! smooth and grows from sqrt(2/pi) like g + 1/g. With h(g) / h(0) = 1 + g a(g), a a minimax
//! rational,
//!
//! - erfc x = exp(-x^2) / (1 + g a), g = sqrt(2) x,
//! - -ln erfc x = x^2 + ln(1 + g a), accurate near 0 as in the tail,
//!
//! and neither needs a branch.

use super::exp::exp_difference;
use super::log::ln_1p_positive;
use super::{pick, poly, square};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::FRAC_2_SQRT_PI;

/// h(0) = sqrt(2/pi).
const HAZARD_0: f64 = 0.7978845608028654;

/// Beyond this g a(g) is its limit to the last place, and powers of g might overflow.
const FAR: [f64; 2] = [1.0e5, 1.0e10];

/// P and Q of a(g) = P / Q, single precision. P / Q is scaled so that its first coefficients lose
/// next to nothing to rounding.
const SINGLE: ([f64; 6], [f64; 6]) = (
    [
        1.3980600833943382,
        1.7442780315,
        0.99401099917,
        0.32039608624,
        0.058995071524,
        0.0051741957131,
    ],
    [
        1.7522084712982178,
        1.8861018111,
        0.9755062783,
        0.29169568734,
        0.050365258272,
        0.0041284108647,
    ],
);

/// P and Q of a(g), double precision.
const DOUBLE: ([f64; 11], [f64; 11]) = (
    [
        1.5397765393221288,
        2.8836983361464084,
        2.606046805990441,
        1.4847372838176336,
        0.588438504730537,
        0.16937171490290895,
        0.03590295086650517,
        0.00555318667728473,
        0.0006033039558311317,
        4.1963623215667194e-5,
        1.4421021506889682e-6,
    ],
    [
        1.9298237050391602,
        3.283741019149436,
        2.7619137737717203,
        1.4871533879491015,
        0.562941074529615,
        0.15591642909942346,
        0.03197205755899628,
        0.004801458717626668,
        0.0005076636675186169,
        3.4400197822031884e-5,
        1.150631041135335e-6,
    ],
);

/// The same of x = g / sqrt 2, so that g a(g) = x P / Q: the product sqrt(2) x would cost an ulp.
const SINGLE_ERFC: ([f64; 6], [f64; 6]) = (
    [1.1491289138654717, 2.0275595808, 1.6340453367, 0.74486078779, 0.19396288692, 0.0240580685],
    [1.0183889865875244, 1.5502725178, 1.1339345363, 0.47951579815, 0.11708977595, 0.013573311617],
);

/// As [`SINGLE_ERFC`], double precision.
const DOUBLE_ERFC: ([f64; 11], [f64; 11]) = (
    [
        1.4191063240759731,
        3.7585649706175466,
        4.803628849738348,
        3.8703642996057637,
        2.1692934840026594,
        0.8830252272478682,
        0.2647142793853799,
        0.057903457262272355,
        0.008896381387256862,
        0.0008751151382602438,
        4.2530769466737846e-5,
    ],
    [
        1.2576502344764149,
        3.02639865454383,
        3.5998329755382072,
        2.7412143565178284,
        1.4674562708083405,
        0.5747898734961719,
        0.16668741535620907,
        0.03540139887557146,
        0.005293443779949751,
        0.0005072688097996494,
        2.3995417113404454e-5,
    ],
);

/// x P(x) / Q(x) for x >= 0.
#[inline(always)]
fn rational<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
    (p32, q32): ([f64; 6], [f64; 6]),
    (p64, q64): ([f64; 11], [f64; 11]),
) -> S::V {
    let y = s.lit(pick::<T>(FAR)).min(x);
    let a = if T::BITS == 32 {
        poly(s, y, p32) / poly(s, y, q32)
    } else {
        poly(s, y, p64) / poly(s, y, q64)
    };
    x * a
}

/// h(g) / h(0) - 1 for g >= 0.
#[inline(always)]
pub(super) fn excess<T: Real, const N: usize, S: Simd<T, N>>(s: S, g: S::V) -> S::V {
    rational(s, g, SINGLE, DOUBLE)
}

/// h(g) / h(0) - 1 at g = sqrt(2) x, x >= 0.
#[inline(always)]
fn excess_erfc<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    rational(s, x, SINGLE_ERFC, DOUBLE_ERFC)
}

/// The hazard of the half-normal distribution, sqrt(2/pi) exp(-g^2/2) / erfc(g / sqrt 2), for
/// g >= 0: sqrt(2/pi) at 0, g + 1/g in the tail. Its derivative is h (h - g).
///
/// Error: at most 6.3 ulp (`f32`), 4.5 ulp (`f64`).
#[inline(always)]
pub fn hazard<T: Real, const N: usize, S: Simd<T, N>>(s: S, g: S::V) -> S::V {
    s.lit(HAZARD_0) * (s.one() + excess(s, g))
}

/// The map of a standard normal g to a standard Laplace variable: l = sign(g) (-ln erfc(|g| /
/// sqrt 2)), and its derivative dl/dg = [`hazard`](|g|). Odd and increasing, with full relative
/// accuracy near 0, where l = g sqrt(2/pi), and in the tail, where l = g^2/2 + ln g + ...
///
/// Error: l at most 3.4 ulp (`f32`), 2.4 ulp (`f64`); derivative as [`hazard`].
#[inline(always)]
pub fn laplace_from_normal<T: Real, const N: usize, S: Simd<T, N>>(s: S, g: S::V) -> (S::V, S::V) {
    let a = g.abs();
    let v = excess(s, a);
    let l = s.lit(0.5) * a * a + ln_1p_positive(s, v);
    // An infinite g would meet infinity - infinity in the logarithm.
    let l = l.select(v.lt(s.splat(T::INFINITY)), v);
    (l.copysign(g), s.lit(HAZARD_0) * (s.one() + v))
}

/// (exp(-x^2), erfc x) for x >= 0.
#[inline(always)]
fn bump_and_erfc<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let x = s.lit(pick::<T>([13.0, 30.0])).min(x);
    let (high, low) = square(s, x);
    let bump = exp_difference(s, -high, low);
    (bump, bump / (s.one() + excess_erfc(s, x)))
}

/// erfc x = 1 - erf x, with full relative accuracy in the upper tail, down to about 0.7 of the
/// smallest normal number, then 0.
///
/// Error: at most 5 ulp (`f32`), 3.3 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn erfc<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (_, c) = bump_and_erfc(s, x.abs());
    (s.lit(2.0) - c).select(x.lt(s.zero()), c)
}

/// erf x.
///
/// Error: at most 1.9 ulp (`f32`), 1.8 ulp (`f64`).
#[inline(always)]
pub fn erf<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    erf_and_derivative(s, x).0
}

/// (erf x, 2 / sqrt(pi) exp(-x^2)).
///
/// Error: value as [`erf`]; derivative at most 2.5 ulp (`f32`), 1.7 ulp (`f64`) while it is a
/// normal number.
#[inline(always)]
pub fn erf_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    let a = x.abs();
    let (bump, c) = bump_and_erfc(s, a);
    let near = s.lit(0.5).min(a);
    let z = near * near;
    let p = if T::BITS == 32 {
        poly(
            s,
            z,
            [0.12837916563, -0.376126093387, 0.112828380265, -0.0267581541448, 0.00471992437441],
        )
    } else {
        poly(
            s,
            z,
            [
                0.12837916709551256,
                -0.37612638903183476,
                0.1128379167092556,
                -0.02686617063295392,
                0.005223977374058017,
                -0.000854829784209546,
                0.00012053339303057276,
                -1.4845952096946953e-5,
                1.4726893664544413e-6,
            ],
        )
    };
    // (erf x - x) / x: the leading x is exact.
    let y = (near + near * p).select(a.le(s.lit(0.5)), s.one() - c);
    (y.copysign(x), s.lit(FRAC_2_SQRT_PI) * bump)
}
