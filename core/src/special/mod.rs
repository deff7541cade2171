//! Special functions, lane by lane.
//!
//! Every function below takes a token of [`crate::simd`] and registers, acts on each lane alone,
//! and is branch-free: pieces are joined by selects. Only `+ - * /`, `sqrt` and exact bit
//! operations are used, so every instruction set and lane count gives the same bits. One source
//! serves both precisions; the length of a polynomial is chosen by `T::BITS`, a compile-time
//! constant, and single precision never computes in double.
//!
//! Stated errors are in ulp: units in the last place of the exact result, the largest found on
//! the test's points (`tests/tests/special.rs` holds every function to its bound).
//!
//! NaN in, NaN out, unless stated otherwise.
//!
//! ```
//! use lcc_core::simd::{Portable, Simd, Vector};
//! use lcc_core::special::{exp, normal_cdf};
//!
//! // Two lanes; the same bits on every machine.
//! let [a, b] = exp(Portable, Portable.load(&[0.0_f64, 1.0])).array();
//! assert!(a == 1.0 && (b / core::f64::consts::E - 1.0).abs() < 2.0 * f64::EPSILON);
//! let [half] = normal_cdf(Portable, Portable.load(&[0.0_f64])).array();
//! assert_eq!(half, 0.5);
//! ```

mod erf;
mod exp;
mod gamma;
mod hyperbolic;
mod log;
mod normal;
mod trig;

pub use erf::{erf, erf_and_derivative, erfc, hazard, laplace_from_normal};
pub use exp::{exp, exp_m1};
pub use gamma::{binet, binet_of_count, ln_gamma, ln_student_t, trigamma_m1};
pub use hyperbolic::{
    ln_add_exp, logistic, logistic_and_derivative, softplus, softplus_and_derivative, tanh,
    tanh_and_derivative,
};
pub use log::{asinh, ln, ln_1p, ln_1p_and_inverse};
pub use normal::{normal_cdf, normal_cdf_and_density, normal_from_half, normal_quantile};
pub use trig::{arctan, cos, sin, sin_cos};

use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector, descend};

/// Functions of one number, with the bits of the lanes. Each is one function to call, for the work between
/// kernels.
pub mod scalar {
    use super::*;

    macro_rules! scalar {
        ($($name:ident),*) => {
            $(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), "()) of one number.")]
                #[inline(never)]
                pub fn $name<T: Real>(x: T) -> T {
                    let [y] = super::$name(Portable, Portable.load(&[x])).array();
                    y
                }
            )*
        };
    }
    scalar!(exp, exp_m1, ln, ln_1p, normal_cdf, normal_quantile, softplus, tanh);

    /// The first of [`binet`](super::binet()) of one number.
    #[inline(never)]
    pub fn binet<T: Real>(x: T) -> T {
        // The same bits by a tenth of the work.
        if x >= T::lit(8.0) {
            return super::gamma::binet_of_large(x);
        }
        let [y] = super::binet(Portable, Portable.load(&[x])).0.array();
        y
    }

    /// [`softplus_and_derivative`](super::softplus_and_derivative()) of one number.
    #[inline(never)]
    pub fn softplus_and_derivative<T: Real>(x: T) -> (T, T) {
        let (y, slope) = super::softplus_and_derivative(Portable, Portable.load(&[x]));
        let ([y], [slope]) = (y.array(), slope.array());
        (y, slope)
    }
}

/// The same functions, each compiled once for an instruction set and called: for kernels that spend little of a run in
/// them, where their bodies would be a tenth of the library.
pub(crate) mod called {
    use crate::scalar::Real;
    use crate::simd::{LaneOp, Simd, Vector};

    macro_rules! called {
        ($($name:ident),*) => {
            $(
                #[inline(always)]
                pub(crate) fn $name<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> S::V {
                    struct Op<T, const N: usize>([T; N]);
                    impl<T: Real, const N: usize> LaneOp<T, N> for Op<T, N> {
                        type Output = [T; N];
                        #[inline(always)]
                        fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
                            super::$name(s, s.load(&self.0)).array()
                        }
                    }
                    const { assert!(S::ALONE) };
                    s.load(&s.outline(Op(x.array())))
                }
            )*
        };
    }
    called!(exp, exp_m1, ln, ln_1p, ln_gamma, trigamma_m1);

    /// [`binet`](super::binet()), called.
    #[inline(always)]
    pub(crate) fn binet<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
        struct Op<T, const N: usize>([T; N]);
        impl<T: Real, const N: usize> LaneOp<T, N> for Op<T, N> {
            type Output = [[T; N]; 2];
            #[inline(always)]
            fn run<S: Simd<T, N>>(self, s: S) -> [[T; N]; 2] {
                let (mu, phi) = super::binet(s, s.load(&self.0));
                [mu.array(), phi.array()]
            }
        }
        const { assert!(S::ALONE) };
        let [mu, phi] = s.outline(Op(x.array()));
        (s.load(&mu), s.load(&phi))
    }
}

/// The natural logarithm of 2 in two parts: k * high is exact for every exponent k.
const LN_2_HIGH: [f64; 2] = [0.693145751953125, f64::from_bits(0x3FE6_2E42_FEE0_0000)];
const LN_2_LOW: [f64; 2] = [1.4286068203094173e-6, 1.9082149292705877e-10];

/// The constant of this precision.
#[inline(always)]
fn pick<T: Real>(c: [f64; 2]) -> f64 {
    let [single, double] = c;
    if T::BITS == 32 { single } else { double }
}

// No closures below or in the functions: a closure is compiled for the baseline instruction set, and
// the AVX2 operations inside it stay calls.

/// c[0] + c[1] x + ..., as even(x^2) + x odd(x^2), two chains of Horner's rule that run side by
/// side: about half the latency of one.
#[inline(always)]
fn poly<T: Real, const N: usize, S: Simd<T, N>, const K: usize>(
    s: S,
    x: S::V,
    c: [f64; K],
) -> S::V {
    let x2 = x * x;
    let (mut older, mut newer) = (s.zero(), s.zero());
    descend!(K, c, i, term => {
        let term = s.lit(*term);
        // The first term of each chain has nothing to add to.
        let next = if i + 2 < K { older * x2 + term } else { term };
        (older, newer) = (newer, next);
    });
    if K < 2 { newer } else { newer + x * older }
}

/// As [`poly`], of the first coefficient of each pair where the mask holds, else of the second.
#[inline(always)]
fn poly_either<T: Real, const N: usize, S: Simd<T, N>, const K: usize>(
    s: S,
    x: S::V,
    mask: <S::V as Vector<T, N>>::Mask,
    c: [[f64; 2]; K],
) -> S::V {
    let x2 = x * x;
    let (mut older, mut newer) = (s.zero(), s.zero());
    descend!(K, c, i, pair => {
        let [first, second] = pair;
        let term = s.lit(*first).select(mask, s.lit(*second));
        let next = if i + 2 < K { older * x2 + term } else { term };
        (older, newer) = (newer, next);
    });
    newer + x * older
}

/// x^2 = high + low, high exactly and low to the last place, for |x| <= 15 (`f32`) or 40
/// (`f64`).
#[inline(always)]
fn square<T: Real, const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> (S::V, S::V) {
    // Few enough bits that the square is exact.
    let step = pick::<T>([64.0, 65_536.0]);
    let short = s.round(x * s.lit(step)) * s.lit(1.0 / step);
    (short * short, (x - short) * (x + short))
}
