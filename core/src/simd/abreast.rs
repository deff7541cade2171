//! Two vectors side by side, operation by operation, so that the latency of one hides behind the other: for long chains
//! of operations on one number after another.

use super::{LaneOp, Simd, Vector};
use crate::scalar::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The token of two vectors of S side by side. What it loads is in both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abreast<S>(pub(crate) S);

/// Two vectors side by side. As one array they are the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Both<V>(pub(crate) V, pub(crate) V);

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {
        $(impl<V: $trait<Output = V>> $trait for Both<V> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        })*
    };
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl<V: Neg<Output = V>> Neg for Both<V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

macro_rules! of_one {
    ($($f:ident),*) => {
        $(#[inline(always)]
        fn $f(self) -> Self {
            Self(self.0.$f(), self.1.$f())
        })*
    };
}
macro_rules! of_two {
    ($($f:ident -> $out:ty, $make:expr);*) => {
        $(#[inline(always)]
        fn $f(self, other: Self) -> $out {
            $make(self.0.$f(other.0), self.1.$f(other.1))
        })*
    };
}

impl<T: Real, V: Vector<T, N>, const N: usize> Vector<T, N> for Both<V> {
    type Mask = Both<V::Mask>;

    #[inline(always)]
    fn array(self) -> [T; N] {
        self.0.array()
    }
    #[inline(always)]
    fn holds(self, x: T) -> bool {
        self.0.holds(x) | self.1.holds(x)
    }
    of_one!(abs, sqrt, exp2i);
    of_two!(max -> Self, Self; min -> Self, Self; copysign -> Self, Self; lt -> Self::Mask, Both; le -> Self::Mask, Both);
    #[inline(always)]
    fn select(self, mask: Self::Mask, other: Self) -> Self {
        Self(self.0.select(mask.0, other.0), self.1.select(mask.1, other.1))
    }
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        let ((m, e), (n, f)) = (self.0.split_exponent(), self.1.split_exponent());
        (Self(m, n), Self(e, f))
    }
}

impl<T: Real, S: Simd<T, N>, const N: usize> Simd<T, N> for Abreast<S> {
    type V = Both<S::V>;
    const WIDE: bool = S::WIDE;
    const ALONE: bool = false;

    #[inline(always)]
    fn splat(self, x: T) -> Self::V {
        Both(self.0.splat(x), self.0.splat(x))
    }
    #[inline(always)]
    fn load(self, x: &[T; N]) -> Self::V {
        Both(self.0.load(x), self.0.load(x))
    }
    #[inline(always)]
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output {
        self.0.outline(op)
    }
}
