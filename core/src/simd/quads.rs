//! Eight lanes in 128-bit registers, two of f32 or four of f64, where a build is for CPUs that all have them: NEON on
//! AArch64, and WebAssembly's simd128 if the build enables it.

/// The lanes of `Quad`, by how it moves bits.
#[allow(unused_macros)]
macro_rules! quads {
    ($up32:expr, $down32:expr, $up64:expr, $down64:expr) => {
        use super::registers::{Pair, Registers, registers};
        use super::{LaneOp, absent};
        use crate::scalar::Real;
        use bytemuck::cast;

        registers!(Quad, f32, larger::<f32, _>, smaller::<f32, _>, $up32, $down32);
        registers!(Quad, f64, larger::<f64, _>, smaller::<f64, _>, $up64, $down64);

        // The CPU's own treat zeros and NaN in another way than `Vector::max` and `min`.
        #[inline(always)]
        fn larger<T: Real, R: Registers<T>>(s: R, a: R::V, b: R::V) -> R::V {
            s.select(s.lt(b, a), a, b)
        }
        #[inline(always)]
        fn smaller<T: Real, R: Registers<T>>(s: R, a: R::V, b: R::V) -> R::V {
            s.select(s.lt(a, b), a, b)
        }

        /// Runs eight lanes of f32. The token is always there: no code asks for it when it runs.
        #[inline(never)]
        pub(super) fn f32x8<O: LaneOp<f32, 8>>(op: O) -> O::Output {
            match Quad::try_new() {
                Some(quad) => Pair(quad).outline(op),
                None => absent::run(op),
            }
        }
        /// Runs eight lanes of f64.
        #[inline(never)]
        pub(super) fn f64x8<O: LaneOp<f64, 8>>(op: O) -> O::Output {
            match Quad::try_new() {
                Some(quad) => Pair(Pair(quad)).outline(op),
                None => absent::run(op),
            }
        }
    };
}

cfg_select! {
    all(target_arch = "aarch64", target_feature = "neon") => {
        use pulp::aarch64::Neon as Quad;
        pub(super) const NAME: Option<&str> = Some("neon");
        quads!(
            |s: Self, x| s.shl_const_u32x4::<23>(x),
            |s: Self, x| s.shr_const_u32x4::<23>(x),
            |s: Self, x| s.shl_const_u64x2::<52>(x),
            |s: Self, x| s.shr_const_u64x2::<52>(x)
        );
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        use core::arch::wasm32::v128;
        use pulp::wasm::Simd128 as Quad;
        pub(super) const NAME: Option<&str> = Some("simd128");
        quads!(
            |s: Self, x: v128| s.simd128.i32x4_shl(x, 23),
            |s: Self, x: v128| s.simd128.u32x4_shr(x, 23),
            |s: Self, x: v128| s.simd128.i64x2_shl(x, 52),
            |s: Self, x: v128| s.simd128.u64x2_shr(x, 52)
        );
    }
    _ => {
        pub(super) const NAME: Option<&str> = None;
        pub(super) use super::absent::{run as f32x8, run as f64x8};
    }
}
