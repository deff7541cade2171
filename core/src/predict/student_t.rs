//! Student's t distribution, lane by lane: density and both tails, for any degrees of freedom.
//!
//! With x = nu/(nu + z^2) and y = 1 - x, and f the density, the incomplete beta integrals of the
//! distribution function (DLMF 8.17.22) become
//!
//! - P(T > z) = (z f(z) / nu) K(nu/2, 1/2; x), for large z,
//! - P(0 < T < z) = z f(z) K(1/2, nu/2; y), for small z,
//!
//! K being the continued fraction of the incomplete beta function. It is evaluated from its tail, a
//! fixed number of levels, so that every lane does the same work. For many degrees of freedom and
//! moderate z, where it converges slowly, z is mapped to a normal deviate (Hill, Algorithm 395, CACM
//! 13, 1970).

use crate::scalar::Real;
use crate::simd::abreast::{Abreast, Both};
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;
pub use crate::special::ln_student_t as log_normaliser;

/// The constant of this precision.
#[inline(always)]
fn pick<T: Real>(single: f64, double: f64) -> T {
    T::lit(if T::BITS == 32 { single } else { double })
}

/// ln f(z) for t with nu degrees of freedom (or normal), `log_norm` its [`log_normaliser`].
#[inline(always)]
pub fn log_density<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    z: S::V,
    nu: S::V,
    log_norm: S::V,
) -> S::V {
    let half = s.lit(0.5);
    let finite = nu.lt(s.splat(T::INFINITY));
    // An infinite nu takes the other branch; 1 keeps this one finite.
    let n = nu.select(finite, s.one());
    let heavy = half * (n + s.one()) * special::ln_1p(s, z * (z / n));
    log_norm - heavy.select(finite, half * (z * z))
}

/// The continued fraction of the incomplete beta function: I_x(a, b) = x^a (1-x)^b K / (a B(a, b)). Level by level from its
/// tail, as numerator over denominator, all in units of a + pairs, in which neither grows: divisions would wait for each other.
#[inline(always)]
fn fraction<T: Real, const N: usize, S: Simd<T, N>>(s: S, a: S::V, b: S::V, x: S::V) -> S::V {
    let pairs = if T::BITS == 32 { 8 } else { 20 };
    let one = s.one();
    let unit = one / (a + s.splat(T::of_u32(pairs)));
    let (ab, x) = (a + b, x * unit * unit);
    let (mut top, mut bottom) = (one, one);
    for k in (1..=pairs).rev() {
        let m = s.splat(T::of_u32(k));
        let place = (a + m + m) * unit;
        let odd = (a + m) * (ab + m) * x;
        let own = place * (place + unit) * top;
        (top, bottom) = (own - odd * bottom, own);
        let even = m * (b - m) * x;
        let own = place * (place - unit) * top;
        (top, bottom) = (own + even * bottom, own);
    }
    let own = (a + one) * unit * unit * top;
    own / (own - ab * x * bottom)
}

/// Hill's normal deviate of z, for a = nu - 1/2, three terms in 1/(48 a^2).
#[inline(always)]
fn normal_deviate<T: Real, const N: usize, S: Simd<T, N>>(s: S, z: S::V, nu: S::V) -> S::V {
    let a = nu - s.lit(0.5);
    let w2 = a * special::ln_1p(s, z * (z / nu));
    let r = s.one() / (s.lit(48.0) * a * a);
    let c1 = w2 + s.lit(3.0);
    let c2 = s.horner(w2, [-85.5, -24.0, -3.3, -0.4]);
    let c3 = s.horner(
        w2,
        [
            1_788_885.0 / 210.0,
            543_375.0 / 210.0,
            89_775.0 / 210.0,
            9801.0 / 210.0,
            788.0 / 210.0,
            64.0 / 210.0,
        ],
    );
    w2.sqrt() * (s.one() + r * (c1 + r * (c2 + r * c3)))
}

/// z, nu and its [`log_normaliser`] in the lanes of a vector.
pub type At<T, const N: usize> = [[T; N]; 3];

/// Density, P(T <= z) and P(T > z) of t with nu degrees of freedom (at least 1/2, or infinite for
/// the normal distribution), of two vectors, side by side where registers are many. Of one lane: of the first alone, zeros
/// for the second.
///
/// Error: 16 epsilon absolute in both probabilities; relative in the smaller one, 2e-5 (`f32`) or
/// 1e-12 (`f64`) down to 1e-30. Some 10 divisions a lane.
#[inline(always)]
pub fn density_and_tails<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    at: [At<T, N>; 2],
) -> [At<T, N>; 2] {
    s.outline(Tails(at))
}

/// Of one or two vectors; compiled once a kernel's instruction set.
struct Tails<T, const N: usize>([At<T, N>; 2]);

impl<T: Real, const N: usize> LaneOp<T, N> for Tails<T, N> {
    type Output = [At<T, N>; 2];
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [At<T, N>; 2] {
        if N == 1 || !S::WIDE {
            let mut laws = [[[T::ZERO; N]; 3]; 2];
            for (law, [z, nu, norm]) in laws.iter_mut().zip(self.0).take(N) {
                let [f, lower, upper] = tails(s, s.load(&z), s.load(&nu), s.load(&norm));
                *law = [f.array(), lower.array(), upper.array()];
            }
            return laws;
        }
        let Self([[z, nu, norm], [z1, nu1, norm1]]) = self;
        let (z, nu) = (Both(s.load(&z), s.load(&z1)), Both(s.load(&nu), s.load(&nu1)));
        let norm = Both(s.load(&norm), s.load(&norm1));
        let [Both(f, f1), Both(lower, lower1), Both(upper, upper1)] =
            tails(Abreast(s), z, nu, norm);
        let first = [f.array(), lower.array(), upper.array()];
        [first, [f1.array(), lower1.array(), upper1.array()]]
    }
}

#[inline(always)]
fn tails<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    z: S::V,
    nu: S::V,
    log_norm: S::V,
) -> [S::V; 3] {
    let (zero, one, half) = (s.zero(), s.one(), s.lit(0.5));
    let density = special::exp(s, log_density(s, z, nu, log_norm));
    // Beyond this nothing is left of the tail, and z^2 would overflow.
    let u = z.abs().min(s.splat(pick(1e18, 1e150)));
    let u2 = u * u;

    let finite = nu.lt(s.splat(T::INFINITY));
    // By Hill's deviate where nu is large and z moderate; z itself where nu is infinite.
    let many = s.splat(pick::<T>(12.0, 100.0));
    let moderate = (u2 * many).lt(s.lit(16.0) * nu);
    let normal = zero.select(many.le(nu), one);
    let other = normal.select(moderate, one).select(finite, zero);
    let normal = other.lt(half);
    let mut upper = zero;
    if other.holds(T::ONE) {
        let n = nu.select(finite, one);
        let near = (u2 * (n + s.lit(4.0))).lt(s.lit(9.0) * n);
        let (x, y) = (n / (n + u2), u2 / (n + u2));
        let (a, b) = (half.select(near, n * half), (n * half).select(near, half));
        let k = fraction(s, a, b, y.select(near, x));
        let zf = u * density;
        upper = (half - zf * k).select(near, zf * k / n);
    }
    if other.holds(T::ZERO) {
        let n = nu.max(s.lit(2.0)).select(finite, s.lit(2.0));
        let hill = normal_deviate(s, u, n).select(finite, u);
        upper = special::normal_cdf(s, -hill).select(normal, upper);
    }
    let lower = one - upper;
    let negative = z.lt(zero);
    let (lower, upper) = (upper.select(negative, lower), lower.select(negative, upper));
    [density, lower, upper]
}
