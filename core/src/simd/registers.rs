//! Eight lanes in the registers of a CPU: what its instruction sets share. Each says by pulp's safe operations what its
//! [`Registers`] do; a [`Pair`] is twice as long; [`Wide`] makes lanes of what is long enough.

use super::{LaneOp, Simd, Vector};
use crate::scalar::Real;
use bytemuck::{Pod, cast};
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// An instruction set's operations on a register of T.
pub(super) trait Registers<T: Real>: Copy + Debug {
    /// A register.
    type V: Pod + Debug;
    /// The outcome of a comparison.
    type Mask: Copy;
    /// How many there are.
    const COUNT: usize;
    /// The bits of a mantissa.
    const MANTISSA: u32;

    fn splat(self, x: T) -> Self::V;
    /// Of the bits those that T has, from the lowest.
    fn splat_bits(self, bits: u64) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn lt(self, a: Self::V, b: Self::V) -> Self::Mask;
    fn le(self, a: Self::V, b: Self::V) -> Self::Mask;
    fn select(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V;
    fn sqrt(self, a: Self::V) -> Self::V;
    /// The bits moved up by the length of a mantissa.
    fn up(self, a: Self::V) -> Self::V;
    /// The bits moved down by the length of a mantissa.
    fn down(self, a: Self::V) -> Self::V;
    /// Calls a function that is compiled for these registers.
    fn vectorize<A>(self, f: impl FnOnce() -> A) -> A;
    /// As [`Simd::outline`].
    #[inline(always)]
    fn outline<O: LaneOp<T, 8>>(self, op: O) -> O::Output {
        self.vectorize(
            #[inline(always)]
            || op.run(Wide(self)),
        )
    }
}

/// [`Registers`] of T by the names that pulp gives them. What it does not name alike: the larger and the smaller of two,
/// where its own mean something else for zeros and NaN, and moving bits; and whatever else is not as usual.
macro_rules! registers {
    ($token:ident, f32, $($rest:tt)*) => {
        registers!(@ $token, f32, f32s, m32s, u32, 23, splat_f32s, splat_u32s, select_u32s, sqrt_f32s,
            [add add_f32s, sub sub_f32s, mul mul_f32s, div div_f32s], [lt less_than_f32s, le less_than_or_equal_f32s],
            [and and_u32s, or or_u32s], $($rest)*);
    };
    ($token:ident, f64, $($rest:tt)*) => {
        registers!(@ $token, f64, f64s, m64s, u64, 52, splat_f64s, splat_u64s, select_u64s, sqrt_f64s,
            [add add_f64s, sub sub_f64s, mul mul_f64s, div div_f64s], [lt less_than_f64s, le less_than_or_equal_f64s],
            [and and_u64s, or or_u64s], $($rest)*);
    };
    (@ $token:ident, $t:ident, $v:ident, $mask:ident, $bits:ident, $mantissa:literal, $splat:ident, $splat_bits:ident,
     $select:ident, $sqrt:ident, [$($f:ident $of:ident),*], [$($compare:ident $than:ident),*],
     [$($bitwise:ident $on:ident),*], $max:expr, $min:expr, $up:expr, $down:expr $(, $extra:item)*) => {
        impl Registers<$t> for $token {
            type V = <$token as pulp::Simd>::$v;
            type Mask = <$token as pulp::Simd>::$mask;
            const COUNT: usize = <$token as pulp::Simd>::REGISTER_COUNT;
            const MANTISSA: u32 = $mantissa;

            #[inline(always)]
            fn splat(self, x: $t) -> Self::V {
                pulp::Simd::$splat(self, x)
            }
            #[inline(always)]
            fn splat_bits(self, bits: u64) -> Self::V {
                cast(pulp::Simd::$splat_bits(self, bits as $bits))
            }
            $(#[inline(always)]
            fn $f(self, a: Self::V, b: Self::V) -> Self::V {
                pulp::Simd::$of(self, a, b)
            })*
            $(#[inline(always)]
            fn $compare(self, a: Self::V, b: Self::V) -> Self::Mask {
                pulp::Simd::$than(self, a, b)
            })*
            $(#[inline(always)]
            fn $bitwise(self, a: Self::V, b: Self::V) -> Self::V {
                cast(pulp::Simd::$on(self, cast(a), cast(b)))
            })*
            #[inline(always)]
            fn max(self, a: Self::V, b: Self::V) -> Self::V {
                $max(self, a, b)
            }
            #[inline(always)]
            fn min(self, a: Self::V, b: Self::V) -> Self::V {
                $min(self, a, b)
            }
            #[inline(always)]
            fn select(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V {
                // On the bits: pulp's selects of floats are not inlined.
                cast(pulp::Simd::$select(self, mask, cast(a), cast(b)))
            }
            #[inline(always)]
            fn sqrt(self, a: Self::V) -> Self::V {
                pulp::Simd::$sqrt(self, a)
            }
            #[inline(always)]
            fn up(self, a: Self::V) -> Self::V {
                cast($up(self, cast(a)))
            }
            #[inline(always)]
            fn down(self, a: Self::V) -> Self::V {
                cast($down(self, cast(a)))
            }
            #[inline(always)]
            fn vectorize<A>(self, f: impl FnOnce() -> A) -> A {
                pulp::Simd::vectorize(self, f)
            }
            $($extra)*
        }
    };
}
pub(super) use registers;

/// Two registers as one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<R>(pub(super) R);

macro_rules! twice {
    ($($f:ident -> $out:ident),*) => {
        $(#[inline(always)]
        fn $f(self, [a, b]: [R::V; 2], [c, d]: [R::V; 2]) -> Self::$out {
            [self.0.$f(a, c), self.0.$f(b, d)]
        })*
    };
    ($($f:ident),*) => {
        $(#[inline(always)]
        fn $f(self, [a, b]: [R::V; 2]) -> [R::V; 2] {
            [self.0.$f(a), self.0.$f(b)]
        })*
    };
}

impl<T: Real, R: Registers<T>> Registers<T> for Pair<R> {
    type V = [R::V; 2];
    type Mask = [R::Mask; 2];
    const COUNT: usize = R::COUNT / 2;
    const MANTISSA: u32 = R::MANTISSA;

    twice!(add -> V, sub -> V, mul -> V, div -> V, max -> V, min -> V, and -> V, or -> V, lt -> Mask, le -> Mask);
    twice!(sqrt, up, down);
    #[inline(always)]
    fn splat(self, x: T) -> [R::V; 2] {
        [self.0.splat(x); 2]
    }
    #[inline(always)]
    fn splat_bits(self, bits: u64) -> [R::V; 2] {
        [self.0.splat_bits(bits); 2]
    }
    #[inline(always)]
    fn select(self, [m, n]: [R::Mask; 2], [a, b]: [R::V; 2], [c, d]: [R::V; 2]) -> [R::V; 2] {
        [self.0.select(m, a, c), self.0.select(n, b, d)]
    }
    #[inline(always)]
    fn vectorize<A>(self, f: impl FnOnce() -> A) -> A {
        self.0.vectorize(f)
    }
}

/// The token of eight lanes in R.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<R>(pub(super) R);

/// Eight lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight<T: Real, R: Registers<T>>(R::V, R);

impl<T: Real, R: Registers<T>> Eight<T, R> {
    const SIGN: u64 = 1 << (T::BITS - 1);

    #[inline(always)]
    fn with(self, v: R::V) -> Self {
        Self(v, self.1)
    }
    #[inline(always)]
    fn masked(self, bits: u64) -> Self {
        self.with(self.1.and(self.0, self.1.splat_bits(bits)))
    }
    #[inline(always)]
    fn or_bits(self, other: Self) -> Self {
        self.with(self.1.or(self.0, other.0))
    }
}

impl<T: Real, R: Registers<T>> Simd<T, 8> for Wide<R> {
    type V = Eight<T, R>;
    const WIDE: bool = R::COUNT >= 16;

    #[inline(always)]
    fn splat(self, x: T) -> Self::V {
        Eight(self.0.splat(x), self.0)
    }
    #[inline(always)]
    fn load(self, x: &[T; 8]) -> Self::V {
        Eight(cast(*x), self.0)
    }
    #[inline(always)]
    fn outline<O: LaneOp<T, 8>>(self, op: O) -> O::Output {
        self.0.outline(op)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {
        $(impl<T: Real, R: Registers<T>> $trait for Eight<T, R> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(self.1.$method(self.0, other.0))
            }
        })*
    };
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl<T: Real, R: Registers<T>> Neg for Eight<T, R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // The compiler's sign flip.
        self * Wide(self.1).splat(-T::ONE)
    }
}

impl<T: Real, R: Registers<T>> Vector<T, 8> for Eight<T, R> {
    type Mask = R::Mask;

    #[inline(always)]
    fn array(self) -> [T; 8] {
        cast(self.0)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(self.1.max(self.0, other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(self.1.min(self.0, other.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // On the bits, as pulp's absolute values and negations are not inlined.
        self.masked(!Self::SIGN)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.with(self.1.sqrt(self.0))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> R::Mask {
        self.1.lt(self.0, other.0)
    }
    #[inline(always)]
    fn le(self, other: Self) -> R::Mask {
        self.1.le(self.0, other.0)
    }
    #[inline(always)]
    fn select(self, mask: R::Mask, other: Self) -> Self {
        self.with(self.1.select(mask, self.0, other.0))
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        self.masked(!Self::SIGN).or_bits(sign.masked(Self::SIGN))
    }
    #[inline(always)]
    fn exp2i(self) -> Self {
        let r = Wide(self.1).splat(T::ROUND + T::lit(T::BIAS as f64));
        self.with(self.1.up((self + r).0))
    }
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        // The exponent bits become the low bits of 2^mantissa: subtracting that leaves them as a number.
        let (s, base) = (Wide(self.1), T::ONE / T::EPSILON);
        let e = self.with(self.1.down(self.0)).or_bits(s.splat(base));
        let m = self.masked((1 << R::MANTISSA) - 1).or_bits(s.splat(T::ONE));
        (m, e - s.splat(base) - s.splat(T::lit(T::BIAS as f64)))
    }
}
