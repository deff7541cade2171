//! Eight lanes where no register holds them: on an x86-64 without AVX2, a RISC-V, a WebAssembly built without simd128.
//!
//! Objects refuse eight lanes there ([`has_lanes`](super::has_lanes)) and functions that choose take one, so nobody
//! gets here; but the compiler asks for code. Plain loops of every kernel would be a fifth of the library. These
//! lanes hold nothing and every number that they give is NaN; LCC's own kernels do not even begin
//! ([`HERE`](Simd::HERE)). So next to nothing is compiled, and a caller that did not ask learns of it by the refusal of
//! what is not finite.

use super::{LaneOp, Simd, Vector};
use crate::scalar::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Runs work over lanes that are not there.
#[inline(always)]
pub(super) fn run<T: Real, const N: usize, O: LaneOp<T, N>>(op: O) -> O::Output {
    op.run(Absent)
}

/// The token, and the registers that do not exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absent;

macro_rules! nothing {
    ($($trait:ident $method:ident),*) => {
        $(impl $trait for Absent {
            type Output = Self;
            #[inline(always)]
            fn $method(self, _: Self) -> Self {
                self
            }
        })*
    };
}
nothing!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Absent {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self
    }
}

impl<T: Real, const N: usize> Vector<T, N> for Absent {
    type Mask = ();

    #[inline(always)]
    fn array(self) -> [T; N] {
        [T::NAN; N]
    }
    #[inline(always)]
    fn max(self, _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn min(self, _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self
    }
    #[inline(always)]
    fn lt(self, _: Self) {}
    #[inline(always)]
    fn le(self, _: Self) {}
    #[inline(always)]
    fn select(self, (): (), _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn copysign(self, _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn exp2i(self) -> Self {
        self
    }
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        (self, self)
    }
}

impl<T: Real, const N: usize> Simd<T, N> for Absent {
    type V = Self;
    const WIDE: bool = false;
    const HERE: bool = false;

    #[inline(always)]
    fn splat(self, _: T) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, _: &[T; N]) -> Self {
        self
    }
    #[inline(always)]
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output {
        op.run(self)
    }
}
