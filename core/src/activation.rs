//! Activation functions psi with their derivatives and curvature bounds.
//!
//! [`Activation`] is the choice at run time, and each activation is also a type that implements
//! [`Psi`]. Kernels hand over whole blocks ([`Activation::apply`]): the choice is made once a block,
//! no inner loop branches, and the code of the eleven activations exists once for each precision, lane
//! count and instruction set. The bounds feed couplings and certificates: an
//! observation with residual r needs curvature sup psi'' where r > 0 and sup(-psi'') where r < 0
//! (the one-sided form of \[MB\] section II), over the values of x.w that can be reached.
//!
//! ```
//! use lcc_core::activation::Activation;
//!
//! assert_eq!(Activation::Tanh.jet(0.0_f64), [0.0, 1.0, 0.0]); // psi, psi', psi''
//! // sup |psi''|, the constant c of a coupling.
//! let c = Activation::Tanh.bounds::<f64>().curvature();
//! assert!((c - 4.0 / 27.0_f64.sqrt()).abs() < 1e-12);
//! ```

use crate::plain::codes;
use crate::scalar::Real;
use crate::simd::abreast::{Abreast, Both};
use crate::simd::{LaneOp, Portable, Simd, Vector, WIDE};
use crate::special;

codes! {
    /// An activation function, by its code in images and in C.
    pub enum Activation: Activation {
        /// tanh(z).
        Tanh = 0 "tanh",
        /// 1 / (1 + exp(-z)).
        Logistic = 1 "logistic",
        /// ln(1 + exp(z)).
        Softplus = 2 "softplus",
        /// max(z, 0)^2 / 2: half of what others call so, so that sup psi'' = 1. The outer weights of a
        /// function, and its variation V, are half as large where it is written in max(z, 0)^2.
        SquaredRelu = 3 "squared_relu",
        /// erf(z).
        Erf = 4 "erf",
        /// sin(z).
        Sine = 5 "sine",
        /// exp(-z^2 / 2).
        GaussianBump = 6 "gaussian_bump",
        /// z Phi(z), Phi the standard normal distribution function.
        Gelu = 7 "gelu",
        /// z / (1 + exp(-z)).
        Silu = 8 "silu",
        /// arctan(z).
        Arctan = 9 "arctan",
        /// max(z, 0). Its curvature has no bound ([`Activation::has_kink`]): no coupling, no certificate.
        Relu = 10 "relu",
    }
}

/// Runs an expression with `$p` standing for the [`Psi`] type of an activation.
macro_rules! with_activation {
    ($activation:expr, $p:ident => $body:expr) => {
        with_activation!(@arms $activation, $p, $body;
            Tanh, Logistic, Softplus, SquaredRelu, Erf, Sine, GaussianBump, Gelu, Silu, Arctan, Relu)
    };
    (@arms $activation:expr, $p:ident, $body:expr; $($name:ident),*) => {
        match $activation {
            $(Activation::$name => {
                type $p = $name;
                $body
            })*
        }
    };
}

/// What is known of an activation over a range of its argument. Correct to a few units in the last
/// place (they are computed, not rounded upward).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T> {
    /// sup psi''.
    pub plus: T,
    /// sup(-psi''): negative where psi is strictly convex throughout. A coupling clamps at 0.
    pub minus: T,
    /// sup |psi'|, or infinity.
    pub slope: T,
    /// sup |psi|, or infinity.
    pub value: T,
}

impl<T: Real> Bounds<T> {
    /// sup |psi''|.
    pub fn curvature(&self) -> T {
        self.plus.max(self.minus)
    }
}

impl Activation {
    /// z_k becomes psi(z_k), and slopes_k (as many as there are of both) psi'(z_k).
    #[inline(always)]
    pub fn apply<T: Real, const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        z: &mut [[T; N]],
        slopes: &mut [[T; N]],
    ) {
        s.outline(Apply { activation: self, z, slopes });
    }

    /// z_k becomes psi(z_k), the same bits as by [`apply`](Self::apply), of which there is one copy a kernel.
    #[inline(always)]
    pub fn apply_value<T: Real, const N: usize, S: Simd<T, N>>(self, s: S, z: &mut [[T; N]]) {
        const TOGETHER: usize = if WIDE { 8 } else { 1 };
        for z in z.chunks_mut(TOGETHER) {
            let slopes = &mut [[T::ZERO; N]; TOGETHER];
            s.outline(Apply { activation: self, z, slopes });
        }
    }

    /// psi(z), lane by lane.
    #[inline(always)]
    pub fn value<T: Real, const N: usize, S: Simd<T, N>>(self, s: S, z: S::V) -> S::V {
        with_activation!(self, P => P::value(s, z))
    }

    /// (psi(z), psi'(z)), lane by lane.
    #[inline(always)]
    pub fn value_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        z: S::V,
    ) -> (S::V, S::V) {
        with_activation!(self, P => P::value_and_derivative(s, z))
    }

    /// psi''(z), lane by lane; 0 at the kinks of the squared ReLU's slope and of the ReLU.
    #[inline(always)]
    pub fn second_derivative<T: Real, const N: usize, S: Simd<T, N>>(self, s: S, z: S::V) -> S::V {
        with_activation!(self, P => P::second_derivative(s, z))
    }

    /// psi(z), psi'(z) and psi''(z) of one number.
    #[inline(never)]
    pub fn jet<T: Real>(self, z: T) -> [T; 3] {
        let [curve] = self.second_derivative(Portable, Portable.load(&[z])).array();
        let (value, slope) = (&mut [[z]], &mut [[T::ZERO]]);
        self.apply(Portable, value, slope);
        let ([[value]], [[slope]]) = (*value, *slope);
        [value, slope, curve]
    }

    /// Whether psi' jumps, so that psi'' has no bound: true of the ReLU. Such a posterior has no coupling
    /// and no certificate.
    pub fn has_kink(self) -> bool {
        self == Self::Relu
    }

    /// Bounds over the whole line.
    pub fn bounds<T: Real>(self) -> Bounds<T> {
        let of = |plus: f64, minus: f64, slope: f64, value: f64| Bounds {
            plus: T::lit(plus),
            minus: T::lit(minus),
            slope: T::lit(slope),
            value: T::lit(value),
        };
        let inf = f64::INFINITY;
        match self {
            // 4 / (3 sqrt 3), and an eighth of it for the logistic.
            Self::Tanh => of(TANH_CURVE, TANH_CURVE, 1.0, 1.0),
            Self::Logistic => of(TANH_CURVE / 8.0, TANH_CURVE / 8.0, 0.25, 1.0),
            Self::Softplus => of(0.25, 0.0, 1.0, inf),
            Self::SquaredRelu => of(1.0, 0.0, inf, inf),
            // sqrt(8 / (pi e)); slope 2 / sqrt(pi).
            Self::Erf => of(0.967_882_898_076_573_4, 0.967_882_898_076_573_4, ERF_SLOPE, 1.0),
            Self::Sine => of(1.0, 1.0, 1.0, 1.0),
            // 2 exp(-3/2); slope exp(-1/2).
            Self::GaussianBump => of(0.446_260_320_296_859_64, 1.0, 0.606_530_659_712_633_4, 1.0),
            // sqrt(2/pi), exp(-2) of it; slope Phi(sqrt 2) + sqrt 2 phi(sqrt 2).
            Self::Gelu => of(2.0 * NORMAL, 0.107_981_933_026_376_1, 1.128_904_145_185_154_8, inf),
            Self::Silu => of(0.5, 0.036_914_373_199_893_19, 1.099_839_320_128_867, inf),
            // 3 sqrt 3 / 8; value pi/2.
            Self::Arctan => {
                of(0.649_519_052_838_329, 0.649_519_052_838_329, 1.0, core::f64::consts::FRAC_PI_2)
            }
            // psi'' is a unit mass at 0.
            Self::Relu => of(inf, 0.0, 1.0, inf),
        }
    }

    /// Bounds over |z| <= reach (reach >= 0; infinite for the whole line): exact, because each
    /// supremum lies at 0, at a known stationary point, or at the ends.
    pub fn bounds_within<T: Real>(self, reach: T) -> Bounds<T> {
        if !reach.is_finite() {
            return self.bounds();
        }
        let all = self.bounds::<T>();
        let [value, slope, curve] = self.jet(reach);
        // A supremum reached at `at` on the whole line, and at the ends of any shorter range.
        let up_to = |at: f64, there: T, here: T| if reach < T::lit(at) { here } else { there };
        let curvature = |at: f64| up_to(at, all.plus, curve.abs());
        match self {
            // psi'' odd, its one extremum on the positive side at `at`.
            Self::Tanh => odd(curvature(0.658_478_948_462_408_3), all.slope, value),
            Self::Logistic => odd(curvature(1.316_957_896_924_816_8), all.slope, value),
            Self::Erf => odd(curvature(core::f64::consts::FRAC_1_SQRT_2), all.slope, value),
            Self::Arctan => odd(curvature(0.577_350_269_189_625_8), all.slope, value),
            Self::Sine => {
                let at = core::f64::consts::FRAC_PI_2;
                odd(curvature(at), all.slope, up_to(at, all.value, value))
            }
            // psi'' even and falling away from 0.
            Self::Softplus => Bounds { plus: all.plus, minus: -curve, slope, value },
            Self::SquaredRelu => Bounds { plus: all.plus, minus: all.minus, slope, value },
            Self::Relu => Bounds { value, ..all },
            // psi'' even: -1 at 0, rising to sqrt 3; |psi'| rises to 1.
            Self::GaussianBump => Bounds {
                plus: up_to(1.732_050_807_568_877_2, all.plus, curve),
                minus: all.minus,
                slope: up_to(1.0, all.slope, slope.abs()),
                value: all.value,
            },
            // psi'' even, falling from 0 to its minimum; psi' rises to the zero of psi''.
            Self::Gelu => Bounds {
                plus: all.plus,
                minus: up_to(2.0, all.minus, -curve),
                slope: up_to(core::f64::consts::SQRT_2, all.slope, slope),
                value,
            },
            Self::Silu => Bounds {
                plus: all.plus,
                minus: up_to(3.435_840_993_535_110_6, all.minus, -curve),
                slope: up_to(2.399_357_280_515_467_7, all.slope, slope),
                value,
            },
        }
    }
}

/// Bounds where psi'' is odd.
fn odd<T>(curvature: T, slope: T, value: T) -> Bounds<T>
where
    T: Real,
{
    Bounds { plus: curvature, minus: curvature, slope, value }
}

/// sup |tanh''| = 4 / (3 sqrt 3).
const TANH_CURVE: f64 = 0.769_800_358_919_501;
/// 2 / sqrt(pi).
const ERF_SLOPE: f64 = core::f64::consts::FRAC_2_SQRT_PI;
/// 1 / sqrt(2 pi).
const NORMAL: f64 = 0.398_942_280_401_432_7;

struct Apply<'a, T, const N: usize> {
    activation: Activation,
    z: &'a mut [[T; N]],
    slopes: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Apply<'_, T, N> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        if !S::HERE {
            return;
        }
        let Self { activation, z, slopes } = self;
        if !WIDE {
            // Small code: one loop that holds all activations instead of a loop for each.
            for (z, slope) in z.iter_mut().zip(slopes) {
                let (p, q) = activation.value_and_derivative(s, s.load(z));
                *z = p.array();
                *slope = q.array();
            }
            return;
        }
        // The usual one, and the others in less code.
        let (z, slopes) = match activation {
            Activation::Tanh => tanh_abreast(s, z, slopes),
            _ => (z, slopes),
        };
        with_activation!(activation, P => for (z, slope) in z.iter_mut().zip(slopes) {
            let (p, q) = P::value_and_derivative(s, s.load(z));
            *z = p.array();
            *slope = q.array();
        });
    }
}

/// [`Tanh`] of as many as go by fours, or by twos where registers are few; returns the others. A quarter faster than one
/// by one.
#[inline(always)]
fn tanh_abreast<'a, T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    z: &'a mut [[T; N]],
    slopes: &'a mut [[T; N]],
) -> (&'a mut [[T; N]], &'a mut [[T; N]]) {
    let both = z.len().min(slopes.len());
    let ((z, _), (slopes, _)) = (z.split_at_mut(both), slopes.split_at_mut(both));
    if N == 1 {
        return (z, slopes);
    }
    if !S::WIDE {
        let ((z, rest), (slopes, others)) = (z.as_chunks_mut(), slopes.as_chunks_mut());
        for ([a, b], [p, q]) in z.iter_mut().zip(slopes) {
            let pair = Both(s.load(a), s.load(b));
            let (Both(x, y), Both(u, v)) = special::tanh_and_derivative(Abreast(s), pair);
            (*a, *b) = (x.array(), y.array());
            (*p, *q) = (u.array(), v.array());
        }
        return (rest, others);
    }
    let ((z, rest), (slopes, others)) = (z.as_chunks_mut(), slopes.as_chunks_mut());
    for ([a, b, c, d], slopes) in z.iter_mut().zip(slopes) {
        let four = Both(Both(s.load(a), s.load(b)), Both(s.load(c), s.load(d)));
        let (values, derivatives) = special::tanh_and_derivative(Abreast(Abreast(s)), four);
        let Both(Both(x0, x1), Both(x2, x3)) = values;
        (*a, *b, *c, *d) = (x0.array(), x1.array(), x2.array(), x3.array());
        let Both(Both(u0, u1), Both(u2, u3)) = derivatives;
        *slopes = [u0.array(), u1.array(), u2.array(), u3.array()];
    }
    (rest, others)
}

/// An activation as a type, for kernels compiled once for each. All functions act lane by lane,
/// pass NaN on, and are accurate to a few units in the last place ([`crate::special`]).
pub trait Psi: Copy + 'static {
    /// psi(z): the same bits as the first of [`value_and_derivative`](Self::value_and_derivative).
    #[inline(always)]
    fn value<T: Real, const N: usize, S: Simd<T, N>>(s: S, z: S::V) -> S::V {
        Self::value_and_derivative(s, z).0
    }
    /// (psi(z), psi'(z)).
    fn value_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, z: S::V) -> (S::V, S::V);
    /// psi''(z).
    fn second_derivative<T: Real, const N: usize, S: Simd<T, N>>(s: S, z: S::V) -> S::V;
}

/// Each activation as a type: (psi, psi') at z, and psi''.
macro_rules! activations {
    ($($name:ident: |$s:ident, $z:ident| $pair:expr, $curve:expr;)+) => {$(
        #[doc = concat!("[`Activation::", stringify!($name), "`] as a type.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Psi for $name {
            #[inline(always)]
            fn value_and_derivative<T: Real, const N: usize, S: Simd<T, N>>(
                $s: S,
                $z: S::V,
            ) -> (S::V, S::V) {
                $pair
            }
            #[inline(always)]
            fn second_derivative<T: Real, const N: usize, S: Simd<T, N>>($s: S, $z: S::V) -> S::V {
                $curve
            }
        }
    )+};
}

activations! {
    Tanh: |s, z| special::tanh_and_derivative(s, z), {
        let (t, slope) = special::tanh_and_derivative(s, z);
        s.lit(-2.0) * t * slope
    };
    Logistic: |s, z| special::logistic_and_derivative(s, z), {
        let (_, slope) = special::logistic_and_derivative(s, z);
        -(slope * special::tanh(s, s.splat(T::HALF) * z))
    };
    Softplus: |s, z| special::softplus_and_derivative(s, z),
        special::logistic_and_derivative(s, z).1;
    SquaredRelu: |s, z| {
        // In this order a NaN passes.
        let m = s.zero().max(z);
        (s.splat(T::HALF) * m * m, m)
    }, s.one().select(s.zero().lt(z), s.zero());
    Erf: |s, z| special::erf_and_derivative(s, z),
        s.lit(-2.0) * z * special::erf_and_derivative(s, z).1;
    Sine: |s, z| special::sin_cos(s, z), -special::sin(s, z);
    GaussianBump: |s, z| {
        let p = special::exp(s, s.splat(-T::HALF) * z * z);
        (p, -z * p)
    }, (z - s.one()) * (z + s.one()) * special::exp(s, s.splat(-T::HALF) * z * z);
    Gelu: |s, z| {
        let (p, density) = special::normal_cdf_and_density(s, z);
        (z * p, p + z * density)
    }, special::normal_cdf_and_density(s, z).1 * (s.lit(2.0) - z * z);
    Silu: |s, z| {
        let (p, slope) = special::logistic_and_derivative(s, z);
        (z * p, p + z * slope)
    }, {
        let (_, slope) = special::logistic_and_derivative(s, z);
        slope * (s.lit(2.0) - z * special::tanh(s, s.splat(T::HALF) * z))
    };
    Arctan: |s, z| (special::arctan(s, z), s.one() / (s.one() + z * z)), {
        let slope = s.one() / (s.one() + z * z);
        s.lit(-2.0) * z * slope * slope
    };
    Relu: |s, z| {
        // As above a NaN passes, into both.
        let m = s.zero().max(z);
        (m, s.one().select(s.zero().lt(z), m))
    }, {
        let _ = z;
        s.zero()
    };
}
