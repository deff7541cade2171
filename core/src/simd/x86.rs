//! Eight lanes on an x86-64. AVX2: one 256-bit register (f32) or two (f64). AVX-512: one of 512 bits (f64).

use super::LaneOp;
use super::registers::{Pair, Registers, Wide, registers};
use bytemuck::cast;
use pulp::Simd as _;
use pulp::x86::{V3, V3_256b, V4};

/// Eight of f32 in AVX2.
#[inline(always)]
pub(super) fn f32x8(v3: V3) -> Wide<V3_256b> {
    Wide(V3_256b(v3))
}

/// Eight of f64 in AVX2.
#[inline(always)]
pub(super) fn f64x8(v3: V3) -> Wide<Pair<V3_256b>> {
    Wide(Pair(V3_256b(v3)))
}

registers!(
    V3_256b,
    f32,
    V3_256b::max_f32s,
    V3_256b::min_f32s,
    |s: Self, x| s.0.shl_const_u32x8::<23>(x),
    |s: Self, x| s.0.shr_const_u32x8::<23>(x)
);
registers!(
    V3_256b,
    f64,
    V3_256b::max_f64s,
    V3_256b::min_f64s,
    |s: Self, x| s.0.shl_const_u64x4::<52>(x),
    |s: Self, x| s.0.shr_const_u64x4::<52>(x)
);
registers!(
    V4,
    f64,
    V4::max_f64s,
    V4::min_f64s,
    |s: Self, x| s.shl_const_u64x8::<52>(x),
    |s: Self, x| s.shr_const_u64x8::<52>(x),
    #[inline(always)]
    fn outline<O: LaneOp<f64, 8>>(self, op: O) -> O::Output {
        if !O::HOT {
            return f64x8(*self).0.outline(op);
        }
        self.vectorize(
            #[inline(always)]
            || op.run(Wide(self)),
        )
    }
);
