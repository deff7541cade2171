//! The two precisions: `f32` and `f64`.
//!
//! [`Real`] holds what generic code needs of a number. Nothing in it depends on the platform:
//! `+ - * /` and `sqrt` are correctly rounded everywhere, and the functions that are not (`exp`,
//! `ln`, ...) live in [`crate::special`], so that every machine computes the same bits.
//!
//! ```
//! use lcc_core::scalar::Real;
//!
//! fn norm<T: Real>(x: T, y: T) -> T {
//!     (x * x + y * y).sqrt()
//! }
//! assert_eq!((norm(3.0_f32, 4.0), norm(3.0_f64, 4.0)), (5.0, 5.0));
//! ```

use crate::plain::Plain;
use bytemuck::Pod;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A floating-point number: `f32` or `f64`.
pub trait Real:
    Pod
    + Plain
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 1/2.
    const HALF: Self;
    /// The distance from 1 to the next larger number (2^-23 or 2^-52).
    const EPSILON: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// A quiet NaN.
    const NAN: Self;
    /// 1.5 * 2^(mantissa bits): adding and subtracting it rounds to the nearest integer (ties to
    /// even) while |x| < 2^(mantissa bits - 1).
    const ROUND: Self;
    /// The exponent's bias: 127 or 1023.
    const BIAS: i32;
    /// The bytes of one number.
    const BYTES: usize;
    /// 32 or 64: names the precision in images and checkpoints.
    const BITS: u32;

    /// The number nearest to a literal. For constants only: single-precision code never computes in
    /// double precision, and the compiler folds the conversion away.
    fn lit(x: f64) -> Self;
    /// The number nearest to an unsigned count.
    fn of_u32(k: u32) -> Self;
    /// The number nearest to a count.
    fn of_usize(k: usize) -> Self;
    /// For reports: exact for both precisions.
    fn to_f64(self) -> f64;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The largest integer not above x.
    fn floor(self) -> Self;
    /// x as an index: 0 for NaN and negatives, saturating above.
    fn to_usize(self) -> usize;
    /// The larger of two numbers; the second if either is NaN.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    /// The smaller of two numbers; the second if either is NaN.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    /// 2^k for an integral-valued k with 2^k a normal number.
    fn exp2i(k: Self) -> Self;
    /// x = m 2^e with 1 <= m < 2, for positive normal x: (m, e as a number).
    fn split_exponent(self) -> (Self, Self);
    /// The magnitude of `self` with the sign of `sign` (of a zero too).
    fn copysign(self, sign: Self) -> Self;
    /// A number in (0, 1/2] from the low 31 (or 63) bits and a sign from the top bit, the bits being
    /// one `next_u32` (or `next_u64`): (k + 1/2) 2^-32 (or 2^-64), rounded once. Relative precision
    /// is full down to the smallest value, so normals have their tails.
    fn half_uniform(next_u32: &mut impl FnMut() -> u32) -> (Self, bool);
    /// A uniform number in (0, 1): (k + 1/2) 2^-23 from the top 23 bits of one `u32` for `f32`,
    /// (k + 1/2) 2^-52 from the top 52 bits of two (low word first) for `f64`; exact.
    fn uniform(next_u32: &mut impl FnMut() -> u32) -> Self;
    /// Little-endian bytes to a number; `None` unless the slice holds exactly one.
    fn from_le(bytes: &[u8]) -> Option<Self>;
    /// Writes little-endian bytes; `false` (nothing written) unless the slice holds exactly one.
    fn write_le(self, bytes: &mut [u8]) -> bool;
}

macro_rules! real {
    ($t:ident, $mantissa:literal, $bias:literal, $bits:literal, $round:literal, $sqrt:path, $floor:path, $word:path) => {
        impl Real for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const EPSILON: Self = $t::EPSILON;
            const MAX: Self = $t::MAX;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            const INFINITY: Self = $t::INFINITY;
            const NAN: Self = $t::NAN;
            const ROUND: Self = $round;
            const BIAS: i32 = $bias;
            const BYTES: usize = $bits / 8;
            const BITS: u32 = $bits;

            #[inline(always)]
            fn lit(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn of_u32(k: u32) -> Self {
                k as $t
            }
            #[inline(always)]
            fn of_usize(k: usize) -> Self {
                k as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                $floor(self)
            }
            #[inline(always)]
            fn to_usize(self) -> usize {
                self as usize
            }
            #[inline(always)]
            fn exp2i(k: Self) -> Self {
                $t::from_bits((k + ($round + $bias as $t)).to_bits() << $mantissa)
            }
            #[inline(always)]
            fn split_exponent(self) -> (Self, Self) {
                let bits = self.to_bits();
                let e = (bits >> $mantissa) as i32 - $bias;
                let m = $t::from_bits((bits & ((1 << $mantissa) - 1)) | (1.0 as $t).to_bits());
                (m, e as $t)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, sign)
            }
            #[inline(always)]
            fn half_uniform(next_u32: &mut impl FnMut() -> u32) -> (Self, bool) {
                // 2 (k mod 2^31) + 1 fits in the word: the only rounding is the conversion's.
                let k = $word(next_u32);
                let odd = (k << 1) | 1;
                (odd as $t * $t::exp2i(-($bits as $t) - 1.0), k >> ($bits - 1) == 1)
            }
            #[inline(always)]
            fn uniform(next_u32: &mut impl FnMut() -> u32) -> Self {
                (($word(next_u32) >> ($bits - $mantissa)) as $t + 0.5) * Self::EPSILON
            }
            #[inline(always)]
            fn from_le(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map($t::from_le_bytes)
            }
            #[inline(always)]
            fn write_le(self, bytes: &mut [u8]) -> bool {
                let own = self.to_le_bytes();
                if bytes.len() != own.len() {
                    return false;
                }
                bytes.iter_mut().zip(own).for_each(|(b, x)| *b = x);
                true
            }
        }
    };
}

/// Two literals. (By `map` they would be converted when the program runs: doubles in the path of singles.)
#[inline(always)]
pub(crate) fn pair<T: Real>([a, b]: [f64; 2]) -> [T; 2] {
    [T::lit(a), T::lit(b)]
}

#[inline(always)]
fn one_word(next_u32: &mut impl FnMut() -> u32) -> u32 {
    next_u32()
}

/// Two words to one, the first drawn being the low one (as `next_u64` of the generator does).
#[inline(always)]
fn two_words(next_u32: &mut impl FnMut() -> u32) -> u64 {
    let low = next_u32() as u64;
    low | ((next_u32() as u64) << 32)
}

#[cfg(feature = "sqrtf-hook")]
use lcc_hooks::sqrtf;
#[cfg(not(feature = "sqrtf-hook"))]
use libm::sqrtf;

real!(f32, 23, 127, 32, 12_582_912.0, sqrtf, libm::floorf, one_word);
real!(f64, 52, 1023, 64, 6_755_399_441_055_744.0, libm::sqrt, libm::floor, two_words);
