//! Wide registers for 8 lanes, through pulp's safe intrinsics. AVX2: one 256-bit register (f32) or two
//! (f64). AVX-512: one 512-bit (f64).

use super::{LaneOp, Simd, Vector};
use bytemuck::cast;
use core::ops::{Add, Div, Mul, Neg, Sub};
use pulp::Simd as _;
use pulp::x86::{V3, V3_256b, V4};

/// The token of a lane count, and its registers.
macro_rules! registers {
    ($wide:literal, $($narrow:ident)?, $base:ident, $token:ident, $vector:ident, $t:ident, $n:literal, $simd:ident, $raw:ty, $bits:ident,
     $mask:ty, [$add:ident, $sub:ident, $mul:ident, $div:ident, $max:ident, $min:ident, $lt:ident,
     $le:ident, $select:ident, $sqrt:ident, $splat:ident, $splat_bits:ident,
     $and:ident, $or:ident], $mantissa:literal, $shl:expr, $shr:expr) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $token(pub(super) $base);

        #[derive(Clone, Copy, Debug)]
        pub(super) struct $vector($raw, $base);

        impl $vector {
            #[inline(always)]
            fn with(self, raw: $raw) -> Self {
                Self(raw, self.1)
            }
            #[inline(always)]
            fn masked(self, bits: $bits) -> Self {
                let s = $simd(self.1);
                self.with(cast(s.$and(cast(self.0), s.$splat_bits(bits))))
            }
            #[inline(always)]
            fn or_bits(self, other: Self) -> Self {
                self.with(cast($simd(self.1).$or(cast(self.0), cast(other.0))))
            }
        }

        impl Simd<$t, $n> for $token {
            type V = $vector;
            const WIDE: bool = $wide;
            #[inline(always)]
            fn splat(self, x: $t) -> $vector {
                $vector($simd(self.0).$splat(x), self.0)
            }
            #[inline(always)]
            fn load(self, x: &[$t; $n]) -> $vector {
                $vector(cast(*x), self.0)
            }
            #[inline(always)]
            fn outline<O: LaneOp<$t, $n>>(self, op: O) -> O::Output {
                $(if !O::HOT {
                    return $narrow(*self.0).outline(op);
                })?
                self.0.vectorize(
                    #[inline(always)]
                    || op.run(self),
                )
            }
        }

        registers!(@op $vector, $simd, Add, add, $add);
        registers!(@op $vector, $simd, Sub, sub, $sub);
        registers!(@op $vector, $simd, Mul, mul, $mul);
        registers!(@op $vector, $simd, Div, div, $div);
        impl Neg for $vector {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // The compiler's sign flip.
                self * $token(self.1).splat(-1.0)
            }
        }

        impl Vector<$t, $n> for $vector {
            type Mask = $mask;
            #[inline(always)]
            fn array(self) -> [$t; $n] {
                cast(self.0)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.with($simd(self.1).$max(self.0, other.0))
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.with($simd(self.1).$min(self.0, other.0))
            }
            #[inline(always)]
            fn abs(self) -> Self {
                // On the bits, as pulp's absolute values and negations are not inlined.
                self.masked(!(1 << ($bits::BITS - 1)))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.with($simd(self.1).$sqrt(self.0))
            }
            #[inline(always)]
            fn lt(self, other: Self) -> $mask {
                $simd(self.1).$lt(self.0, other.0)
            }
            #[inline(always)]
            fn le(self, other: Self) -> $mask {
                $simd(self.1).$le(self.0, other.0)
            }
            #[inline(always)]
            fn select(self, mask: $mask, other: Self) -> Self {
                // On the bits: pulp's selects of floats are not inlined.
                self.with(cast($simd(self.1).$select(mask, cast(self.0), cast(other.0))))
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                self.masked(!SIGN).or_bits(sign.masked(SIGN))
            }
            #[inline(always)]
            fn exp2i(self) -> Self {
                let r = $token(self.1).splat(<$t as crate::scalar::Real>::ROUND + <$t as crate::scalar::Real>::BIAS as $t);
                self.with(cast($shl(self.1, cast((self + r).0))))
            }
            #[inline(always)]
            fn split_exponent(self) -> (Self, Self) {
                // The exponent bits become the low bits of 2^mantissa: subtracting that leaves them
                // as a number.
                const LOW: $bits = (1 << $mantissa) - 1;
                let s = $token(self.1);
                let base = ((1 as $bits) << $mantissa) as $t;
                let e = self.with(cast($shr(self.1, cast(self.0)))).or_bits(s.splat(base));
                let m = self.masked(LOW).or_bits(s.splat(1.0));
                (m, e - s.splat(base) - s.splat(<$t as crate::scalar::Real>::BIAS as $t))
            }
        }
    };
    (@op $vector:ident, $simd:ident, $trait:ident, $method:ident, $f:ident) => {
        impl $trait for $vector {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with($simd(self.1).$f(self.0, other.0))
            }
        }
    };
}

/// Two 256-bit registers as one, with the operations used above.
#[derive(Clone, Copy, Debug)]
struct Pair(V3);

macro_rules! pair {
    ($($f:ident: $in:ident -> $out:ident),*) => {
        $(#[inline(always)]
        fn $f(self, a: [pulp::$in; 2], b: [pulp::$in; 2]) -> [pulp::$out; 2] {
            let s = V3_256b(self.0);
            let ([a0, a1], [b0, b1]) = (a, b);
            [s.$f(a0, b0), s.$f(a1, b1)]
        })*
    };
}

impl Pair {
    pair!(add_f64s: f64x4 -> f64x4, sub_f64s: f64x4 -> f64x4, mul_f64s: f64x4 -> f64x4,
        div_f64s: f64x4 -> f64x4, max_f64s: f64x4 -> f64x4, min_f64s: f64x4 -> f64x4,
        less_than_f64s: f64x4 -> m64x4, less_than_or_equal_f64s: f64x4 -> m64x4,
        and_u64s: u64x4 -> u64x4, or_u64s: u64x4 -> u64x4);
    #[inline(always)]
    fn select_u64s(
        self,
        m: [pulp::m64x4; 2],
        a: [pulp::u64x4; 2],
        b: [pulp::u64x4; 2],
    ) -> [pulp::u64x4; 2] {
        let s = V3_256b(self.0);
        let ([m0, m1], [a0, a1], [b0, b1]) = (m, a, b);
        [s.select_u64s(m0, a0, b0), s.select_u64s(m1, a1, b1)]
    }
    #[inline(always)]
    fn sqrt_f64s(self, [a, b]: [pulp::f64x4; 2]) -> [pulp::f64x4; 2] {
        [V3_256b(self.0).sqrt_f64s(a), V3_256b(self.0).sqrt_f64s(b)]
    }
    #[inline(always)]
    fn splat_f64s(self, x: f64) -> [pulp::f64x4; 2] {
        [V3_256b(self.0).splat_f64s(x); 2]
    }
    #[inline(always)]
    fn splat_u64s(self, x: u64) -> [pulp::u64x4; 2] {
        [V3_256b(self.0).splat_u64s(x); 2]
    }
}

registers!(
    true,
    ,
    V3,
    F32x8,
    V32x8,
    f32,
    8,
    V3_256b,
    pulp::f32x8,
    u32,
    pulp::m32x8,
    [
        add_f32s,
        sub_f32s,
        mul_f32s,
        div_f32s,
        max_f32s,
        min_f32s,
        less_than_f32s,
        less_than_or_equal_f32s,
        select_u32s,
        sqrt_f32s,
        splat_f32s,
        splat_u32s,
        and_u32s,
        or_u32s
    ],
    23,
    |v3: V3, x| v3.shl_const_u32x8::<23>(x),
    |v3: V3, x| v3.shr_const_u32x8::<23>(x)
);
registers!(
    false,
    ,
    V3,
    F64x8,
    V64x8,
    f64,
    8,
    Pair,
    [pulp::f64x4; 2],
    u64,
    [pulp::m64x4; 2],
    [
        add_f64s,
        sub_f64s,
        mul_f64s,
        div_f64s,
        max_f64s,
        min_f64s,
        less_than_f64s,
        less_than_or_equal_f64s,
        select_u64s,
        sqrt_f64s,
        splat_f64s,
        splat_u64s,
        and_u64s,
        or_u64s
    ],
    52,
    |v3: V3, [a, b]: [pulp::u64x4; 2]| [v3.shl_const_u64x4::<52>(a), v3.shl_const_u64x4::<52>(b)],
    |v3: V3, [a, b]: [pulp::u64x4; 2]| [v3.shr_const_u64x4::<52>(a), v3.shr_const_u64x4::<52>(b)]
);

/// The token of the native width.
#[inline(always)]
fn native(v4: V4) -> V4 {
    v4
}

registers!(
    true,
    F64x8,
    V4,
    F64x8Wide,
    V64x8Wide,
    f64,
    8,
    native,
    pulp::f64x8,
    u64,
    pulp::b8,
    [
        add_f64s,
        sub_f64s,
        mul_f64s,
        div_f64s,
        max_f64s,
        min_f64s,
        less_than_f64s,
        less_than_or_equal_f64s,
        select_u64s,
        sqrt_f64s,
        splat_f64s,
        splat_u64s,
        and_u64s,
        or_u64s
    ],
    52,
    |v4: V4, x| v4.shl_const_u64x8::<52>(x),
    |v4: V4, x| v4.shr_const_u64x8::<52>(x)
);
