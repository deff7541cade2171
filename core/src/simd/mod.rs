//! Lanes: blocks of chains in lock-step.
//!
//! N chains (1 or 8) advance together, their values laid out as `[T; N]`: one entry a chain.
//! Every operation below acts on each lane alone, none fuses or reduces, so the numbers of a chain
//! do not depend on how many chains run beside it, nor on the instruction set: [`Simd`] is
//! implemented by plain loops ([`Portable`]) and, where the CPU has it, by AVX2 or AVX-512, by NEON
//! or by WebAssembly's simd128.
//!
//! Generic code takes a token `s: S` with `S: Simd<T, N>`, loads `[T; N]` into registers
//! (`s.load(&x)`), computes with `+ - * /` and the methods of [`Vector`], and stores
//! (`v.array()`). Functions that take a token must be `#[inline(always)]`: they are compiled once
//! for each instruction set, inside [`Lanes::dispatch`].
//!
//! ```
//! use lcc_core::simd::{Isa, LaneOp, Lanes, Simd, Vector};
//!
//! /// The norm of the vector in each lane.
//! struct Norm<'a>(&'a [[f64; 8]]);
//! impl LaneOp<f64, 8> for Norm<'_> {
//!     type Output = [f64; 8];
//!     #[inline(always)]
//!     fn run<S: Simd<f64, 8>>(self, s: S) -> [f64; 8] {
//!         let mut sum = s.zero();
//!         for x in self.0 {
//!             let x = s.load(x);
//!             sum = sum + x * x;
//!         }
//!         sum.sqrt().array()
//!     }
//! }
//! let x = [
//!     [3.0, 5.0, 0.0, 0.6, 8.0, 7.0, 20.0, 0.0],
//!     [4.0, 12.0, 1.0, 0.8, 15.0, 24.0, 21.0, 2.0],
//! ];
//! let norms = [5.0, 13.0, 1.0, 1.0, 17.0, 25.0, 29.0, 2.0];
//! for isa in Isa::all() {
//!     assert_eq!(<f64 as Lanes<8>>::dispatch(isa, Norm(&x)), norms, "{}", isa.name());
//! }
//! ```

use crate::scalar::Real;
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

pub(crate) mod abreast;
mod absent;
#[cfg(not(target_arch = "x86_64"))]
mod quads;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod registers;
#[cfg(target_arch = "x86_64")]
mod x86;

/// The terms of an array of K from the last to the first, written out one by one: in a loop that stays a
/// loop (opt-level s), single precision would convert its coefficients from double as it goes.
macro_rules! descend {
    ($k:ident, $terms:expr, $i:ident, $term:pat => $body:block) => {
        descend!($k, $terms, $i, $term => $body,
            15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0)
    };
    ($k:ident, $terms:expr, $i:ident, $term:pat => $body:block, $($at:literal)*) => {
        const { assert!($k <= 16) };
        $(if let Some($term) = $terms.get($at) {
            let $i: usize = $at;
            $body
        })*
    };
}
pub(crate) use descend;

/// Registers that hold one value for each of N chains.
pub trait Vector<T: Real, const N: usize>:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The outcome of a comparison, lane by lane.
    type Mask: Copy;

    /// The lanes as an array.
    fn array(self) -> [T; N];
    /// Whether x is in some lane.
    #[inline(always)]
    fn holds(self, x: T) -> bool {
        self.array().contains(&x)
    }
    /// `self > other ? self : other`, lane by lane (the second if either is NaN).
    fn max(self, other: Self) -> Self;
    /// `self < other ? self : other`, lane by lane (the second if either is NaN).
    fn min(self, other: Self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// self < other.
    fn lt(self, other: Self) -> Self::Mask;
    /// self <= other.
    fn le(self, other: Self) -> Self::Mask;
    /// `mask ? self : other`, lane by lane.
    fn select(self, mask: Self::Mask, other: Self) -> Self;
    /// The magnitude of `self` with the sign of `sign` (of a zero too).
    fn copysign(self, sign: Self) -> Self;
    /// 2^k for an integral-valued k with 2^k a normal number.
    fn exp2i(self) -> Self;
    /// x = m 2^e with 1 <= m < 2, for positive normal x.
    fn split_exponent(self) -> (Self, Self);
}

/// An instruction set for N lanes of T: the token that makes and loads its registers.
pub trait Simd<T: Real, const N: usize>: Copy + Debug {
    /// The register type.
    type V: Vector<T, N>;

    /// Whether eight accumulators fit the registers beside their operands, or four. Decides how work
    /// is scheduled, never a result.
    const WIDE: bool;

    /// Whether there are such registers. Where not, a kernel is its first line: it returns.
    const HERE: bool = true;

    /// Whether [`array`](Vector::array) is all that a register holds.
    const ALONE: bool = true;

    /// The same value in every lane.
    fn splat(self, x: T) -> Self::V;
    /// One value for each lane.
    fn load(self, x: &[T; N]) -> Self::V;
    /// Runs work as a function of its own, compiled once for this instruction set: for what several
    /// kernels share and is too long to copy into each.
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output;
    /// A literal in every lane.
    #[inline(always)]
    fn lit(self, x: f64) -> Self::V {
        self.splat(T::lit(x))
    }
    /// 0 in every lane.
    #[inline(always)]
    fn zero(self) -> Self::V {
        self.splat(T::ZERO)
    }
    /// 1 in every lane.
    #[inline(always)]
    fn one(self) -> Self::V {
        self.splat(T::ONE)
    }
    /// The nearest integer, ties to even, for |x| < 2^(mantissa bits - 1).
    #[inline(always)]
    fn round(self, x: Self::V) -> Self::V {
        let r = self.splat(T::ROUND);
        (x + r) - r
    }
    /// `c[0] + c[1] x + c[2] x^2 + ...`, by Horner's rule from the last coefficient.
    #[inline(always)]
    fn horner<const K: usize>(self, x: Self::V, c: [f64; K]) -> Self::V {
        let mut sum = self.zero();
        descend!(K, c, i, term => {
            let term = self.lit(*term);
            sum = if i + 1 < K { sum * x + term } else { term };
        });
        sum
    }
}

/// Plain loops over the lanes: the specification of every other instruction set, and what runs one lane.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// The registers of [`Portable`].
#[derive(Clone, Copy, Debug)]
pub struct Array<T, const N: usize>([T; N]);

// One lane, as a rule, is written out: at opt-level s its loop would stay a loop.
impl<T: Real, const N: usize> Array<T, N> {
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        if let ([a], [b]) = (self.0.as_mut_slice(), other.0.as_slice()) {
            *a = f(*a, *b);
            return self;
        }
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        self
    }
    #[inline(always)]
    fn map(mut self, f: impl Fn(T) -> T) -> Self {
        if let [a] = self.0.as_mut_slice() {
            *a = f(*a);
            return self;
        }
        for a in self.0.iter_mut() {
            *a = f(*a);
        }
        self
    }
    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(&T, &T) -> bool) -> [bool; N] {
        let mut out = [false; N];
        if let ([o], [a], [b]) = (out.as_mut_slice(), self.0.as_slice(), other.0.as_slice()) {
            *o = f(a, b);
            return out;
        }
        for ((o, a), b) in out.iter_mut().zip(&self.0).zip(&other.0) {
            *o = f(a, b);
        }
        out
    }
}

impl<T: Real, const N: usize> Add for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}
impl<T: Real, const N: usize> Sub for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}
impl<T: Real, const N: usize> Mul for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}
impl<T: Real, const N: usize> Div for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}
impl<T: Real, const N: usize> Neg for Array<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

impl<T: Real, const N: usize> Vector<T, N> for Array<T, N> {
    type Mask = [bool; N];

    #[inline(always)]
    fn array(self) -> [T; N] {
        self.0
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, T::max)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, T::min)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(T::abs)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(T::sqrt)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        self.compare(other, |a, b| a < b)
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        self.compare(other, |a, b| a <= b)
    }
    #[inline(always)]
    fn select(mut self, mask: Self::Mask, other: Self) -> Self {
        if let ([a], [b], [m]) = (self.0.as_mut_slice(), other.0.as_slice(), mask.as_slice()) {
            *a = if *m { *a } else { *b };
            return self;
        }
        for ((a, b), m) in self.0.iter_mut().zip(other.0).zip(mask) {
            *a = if m { *a } else { b };
        }
        self
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        self.zip(sign, T::copysign)
    }
    #[inline(always)]
    fn exp2i(self) -> Self {
        self.map(T::exp2i)
    }
    #[inline(always)]
    fn split_exponent(self) -> (Self, Self) {
        (self.map(|x| x.split_exponent().0), self.map(|x| x.split_exponent().1))
    }
}

impl<T: Real, const N: usize> Simd<T, N> for Portable {
    type V = Array<T, N>;
    const WIDE: bool = N == 1;

    #[inline(always)]
    fn splat(self, x: T) -> Self::V {
        // A repeated zero is no loop.
        Array([T::ZERO; N]).map(|_| x)
    }
    #[inline(always)]
    fn load(self, x: &[T; N]) -> Self::V {
        Array(*x)
    }
    #[inline(always)]
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output {
        portable(op)
    }
}

/// Work over N lanes, compiled once for each instruction set.
pub trait LaneOp<T: Real, const N: usize> {
    /// What it returns.
    type Output;
    /// Whether most of a run's time may go here: then it is compiled for AVX-512 too. Where a CPU has that, everything
    /// else runs on AVX2, as short a time and once less in the library.
    const HOT: bool = false;
    /// Does it. Implementations must be `#[inline(always)]`.
    fn run<S: Simd<T, N>>(self, s: S) -> Self::Output;
}

/// Which instruction set runs the lanes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Isa {
    /// Plain loops, of one lane only: 8 take the registers that the CPU has all the same.
    Portable,
    /// 256-bit AVX2, without fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// AVX-512 for 8 lanes of f64 where it is [worth it](LaneOp::HOT), AVX2 for everything else.
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    /// 128-bit registers that every CPU of the build's target has: NEON on AArch64, simd128 of a WebAssembly that is built
    /// with it.
    #[cfg(not(target_arch = "x86_64"))]
    #[non_exhaustive]
    Quads,
}

/// AVX2, if this CPU has it. A function to call: what asks is a branch of every kernel, taken by none.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn detect_v3() -> Option<pulp::x86::V3> {
    pulp::x86::V3::try_new()
}

impl Isa {
    /// The best that this CPU has. On an x86-64 the first call reads CPUID and caches it; nothing else in LCC is
    /// kept outside the caller's memory.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(v4) = pulp::x86::V4::try_new() {
            return Isa::Avx512(v4);
        }
        #[cfg(not(target_arch = "x86_64"))]
        if quads::NAME.is_some() {
            return Isa::Quads;
        }
        Isa::avx2().unwrap_or(Isa::Portable)
    }

    /// AVX2, if this CPU has it.
    #[inline]
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return pulp::x86::V3::try_new().map(Isa::Avx2);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The token of AVX2 where the CPU has it, for plain loops too.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn v3(self) -> Option<pulp::x86::V3> {
        match self {
            Isa::Portable => detect_v3(),
            Isa::Avx2(v3) => Some(v3),
            Isa::Avx512(v4) => Some(*v4),
        }
    }

    /// Every instruction set of this CPU, the plainest first: all give the same bits.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Some(Self::detect()).filter(|best| !matches!(best.name(), "portable" | "avx2"));
        [Some(Isa::Portable), Isa::avx2(), best].into_iter().flatten()
    }

    /// Whether lanes cost less together than one after another.
    pub fn is_wide(self) -> bool {
        !matches!(self, Isa::Portable)
    }

    /// `"portable"`, `"avx2"`, `"avx512"`, `"neon"` or `"simd128"`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Quads => quads::NAME.unwrap_or("portable"),
        }
    }
}

/// Whether blocks of 8 chains are compiled in: the feature `wide`.
pub const WIDE: bool = cfg!(feature = "wide");

/// The largest lane count of this build: 8, or 1 without the feature `wide`.
pub const WIDEST: u32 = if WIDE { 8 } else { 1 };

/// The lanes of options that do not say: the most that run here.
pub fn usual_lanes() -> u32 {
    if has_lanes(WIDEST) { WIDEST } else { 1 }
}

/// Whether blocks of so many chains run here: 1, and with the feature `wide` 8, where a CPU has registers for them: an
/// x86-64 with AVX2, every AArch64, a WebAssembly that is built with simd128.
pub fn has_lanes(lanes: u32) -> bool {
    lanes == 1 || (lanes == 8 && runs_eight(Isa::detect()))
}

/// Whether eight lanes are compiled in and run on this instruction set.
pub(crate) fn runs_eight(isa: Isa) -> bool {
    WIDE && isa.is_wide()
}

/// `$body` with the constant `$n` set to the number of lanes: 1, or 8 where they are compiled in.
macro_rules! by_lanes {
    ($lanes:expr, $n:ident => $body:expr) => {
        match $lanes {
            8 if $crate::simd::WIDE => {
                const $n: usize = 8;
                $body
            }
            _ => {
                const $n: usize = 1;
                $body
            }
        }
    };
}
pub(crate) use by_lanes;

/// A precision that can run N lanes: implemented for `f32` and `f64` with N = 1 and 8.
pub trait Lanes<const N: usize>: Real {
    /// Runs the work on the given instruction set. One call that is not inlined, so give it a
    /// whole kernel.
    fn dispatch<O: LaneOp<Self, N>>(isa: Isa, op: O) -> O::Output;

    /// Runs work of one chain that goes eight lanes wide in some direction of its own; not done where N is not 1, and where
    /// plain loops over eight would be no faster.
    #[inline(always)]
    fn across<O: LaneOp<Self, 8>>(_: Isa, _: O) -> Option<O::Output> {
        None
    }
}

/// A precision with every lane count: what objects that choose theirs at run time ask for.
pub trait AnyLanes: Lanes<1> + Lanes<8> {}
impl<T: Lanes<1> + Lanes<8>> AnyLanes for T {}

#[inline(never)]
fn portable<T: Real, const N: usize, O: LaneOp<T, N>>(op: O) -> O::Output {
    op.run(Portable)
}

/// What holds the lanes: of one plain variables, as it has nothing to gain from wide registers; of eight the registers of
/// the CPU, or where it has none [`absent`] ones.
macro_rules! lanes {
    ($t:ident, $eight:ident $(, $avx512:expr)?) => {
        impl Lanes<1> for $t {
            #[inline]
            fn dispatch<O: LaneOp<Self, 1>>(_: Isa, op: O) -> O::Output {
                portable(op)
            }
            #[inline(always)]
            fn across<O: LaneOp<Self, 8>>(isa: Isa, op: O) -> Option<O::Output> {
                (WIDE && isa.is_wide()).then(|| <Self as Lanes<8>>::dispatch(isa, op))
            }
        }
        #[cfg(target_arch = "x86_64")]
        impl Lanes<8> for $t {
            #[inline(never)]
            fn dispatch<O: LaneOp<Self, 8>>(isa: Isa, op: O) -> O::Output {
                $(if let Isa::Avx512(v4) = isa {
                    return $avx512(v4).outline(op);
                })?
                match isa.v3() {
                    Some(v3) => x86::$eight(v3).outline(op),
                    None => absent::run(op),
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        impl Lanes<8> for $t {
            #[inline]
            fn dispatch<O: LaneOp<Self, 8>>(_: Isa, op: O) -> O::Output {
                quads::$eight(op)
            }
        }
    };
}

lanes!(f32, f32x8);
lanes!(f64, f64x8, registers::Wide);

/// A flat slice of lane-major values as blocks of N; `None` unless N divides its length.
#[inline(always)]
pub fn blocks<T: Real, const N: usize>(flat: &[T]) -> Option<&[[T; N]]> {
    match flat.as_chunks::<N>() {
        (blocks, []) => Some(blocks),
        _ => None,
    }
}

/// As [`blocks`], to write to.
#[inline(always)]
pub fn blocks_mut<T: Real, const N: usize>(flat: &mut [T]) -> Option<&mut [[T; N]]> {
    match flat.as_chunks_mut::<N>() {
        (blocks, []) => Some(blocks),
        _ => None,
    }
}

/// Block `index` of parts of `length` blocks `[T; N]` each.
#[inline]
pub(crate) fn part<T: Real, const N: usize>(
    flat: &mut [T],
    index: usize,
    length: usize,
) -> Option<&mut [[T; N]]> {
    let size = length.checked_mul(N)?;
    let start = index.checked_mul(size)?;
    blocks_mut(flat.get_mut(start..start.checked_add(size)?)?)
}
