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
use super::log::{ln_1p_positive, ln_1p_unit};
use super::{pick, poly, square};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use core::f64::consts::{FRAC_2_SQRT_PI, SQRT_2};

/// h(0) = sqrt(2/pi).
const HAZARD_0: f64 = 0.797_884_560_802_865_4;

/// Beyond this g a(g) is its limit to the last place, and powers of g might overflow.
const FAR: [f64; 2] = [1.0e5, 1.0e10];

/// h(g) / h(0) - 1 for g >= 0.
#[inline(always)]
pub(super) fn excess<T: Real, const N: usize, S: Simd<T, N>>(s: S, g: S::V) -> S::V {
    let x = s.lit(pick::<T>(FAR)).min(g);
    let a = if T::BITS == 32 {
        poly(
            s,
            x,
            [
                0.797884558998,
                0.9954740318,
                0.567290374092,
                0.182852720719,
                0.0336689797422,
                0.0029529566817,
            ],
        ) / poly(
            s,
            x,
            [1.0, 1.07641404659, 0.556729575436, 0.166473163507, 0.0287438732871, 0.00235611853972],
        )
    } else {
        poly(
            s,
            x,
            [
                0.79788456080286537054,
                1.4942807100029337617,
                1.3504066714412955655,
                0.76936420665819580704,
                0.3049182695776847756,
                0.087765382123063947467,
                0.018604264613785858402,
                0.0028775616460634387204,
                0.00031262127947531321423,
                0.000021744796224697458939,
                7.4727144605144385981e-7,
            ],
        ) / poly(
            s,
            x,
            [
                1.0,
                1.7015756468194081966,
                1.4311741360414448113,
                0.77061618844552634994,
                0.2917059589742119538,
                0.080793094567288258733,
                0.01656734626873468395,
                0.0024880297122939713901,
                0.00026306219899413834607,
                0.000017825564963372562624,
                5.9623634953327839149e-7,
            ],
        )
    };
    g * a
}

/// The hazard of the half-normal distribution, sqrt(2/pi) exp(-g^2/2) / erfc(g / sqrt 2), for
/// g >= 0: sqrt(2/pi) at 0, g + 1/g in the tail. Its derivative is h (h - g).
///
/// Error: at most 5.7 ulp (`f32`), 4 ulp (`f64`).
#[inline(always)]
pub fn hazard<T: Real, const N: usize, S: Simd<T, N>>(s: S, g: S::V) -> S::V {
    s.lit(HAZARD_0) * (s.one() + excess(s, g))
}

/// The map of a standard normal g to a standard Laplace variable: l = sign(g) (-ln erfc(|g| /
/// sqrt 2)), and its derivative dl/dg = [`hazard`](|g|). Odd and increasing, with full relative
/// accuracy near 0, where l = g sqrt(2/pi), and in the tail, where l = g^2/2 + ln g + ...
///
/// Error: l at most 4.5 ulp (`f32`), 2.4 ulp (`f64`); derivative as [`hazard`].
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
    (bump, bump / (s.one() + excess(s, x * s.lit(SQRT_2))))
}

/// erfc x = 1 - erf x, with full relative accuracy in the upper tail, down to about a third of the
/// smallest normal number, then 0.
///
/// Error: at most 5.4 ulp (`f32`), 4.4 ulp (`f64`) while it is a normal number.
#[inline(always)]
pub fn erfc<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    let (_, c) = bump_and_erfc(s, x.abs());
    (s.lit(2.0) - c).select(x.lt(s.zero()), c)
}

/// erf x.
///
/// Error: at most 3.5 ulp (`f32`), 1.7 ulp (`f64`).
#[inline(always)]
pub fn erf<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    erf_and_derivative(s, x).0
}

/// (erf x, 2 / sqrt(pi) exp(-x^2)).
///
/// Error: value as [`erf`]; derivative at most 2.6 ulp (`f32`), 1.5 ulp (`f64`) while it is a
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
            [1.12837916563, -0.376126093387, 0.112828380265, -0.0267581541448, 0.00471992437441],
        )
    } else {
        poly(
            s,
            z,
            [
                1.1283791670955125696,
                -0.37612638903183476003,
                0.11283791670925559497,
                -0.026866170632953921806,
                0.0052239773740580170555,
                -0.00085482978420954598819,
                0.00012053339303057276527,
                -0.000014845952096946953597,
                1.4726893664544412477e-6,
            ],
        )
    };
    let y = (near * p).select(a.le(s.lit(0.5)), s.one() - c);
    (y.copysign(x), s.lit(FRAC_2_SQRT_PI) * bump)
}

/// ln erfc x: about -x^2 - ln(x sqrt(pi)) for large x.
///
/// Error: at most 5 ulp (`f32`), 2.9 ulp (`f64`).
#[inline(always)]
pub fn log_erfc<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
    log_erfc_and_derivative(s, x).0
}

/// (ln erfc x, its derivative -2 / sqrt(pi) exp(-x^2) / erfc x).
///
/// Error: value as [`log_erfc`]; derivative at most 6.1 ulp (`f32`), 4 ulp (`f64`)
/// while it is a normal number.
#[inline(always)]
pub fn log_erfc_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
) -> (S::V, S::V) {
    let a = x.abs();
    let v = excess(s, a * s.lit(SQRT_2));
    let tail = a * a + ln_1p_positive(s, v);
    let tail = tail.select(v.lt(s.splat(T::INFINITY)), v);
    // Below 0: ln(1 + erf |x|).
    let (e, bump) = erf_and_derivative(s, a);
    let below = x.lt(s.zero());
    let value = ln_1p_unit(s, e).select(below, -tail);
    let slope = (bump / (s.one() + e)).select(below, s.lit(FRAC_2_SQRT_PI) * (s.one() + v));
    (value, -slope)
}
