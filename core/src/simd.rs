//! Lanes: blocks of chains in lock-step.
//!
//! N chains (1 or 8) advance together, their values laid out as `[T; N]`: one entry a chain.
//! Every operation below acts on each lane alone, none fuses or reduces, so the numbers of a chain
//! do not depend on how many chains run beside it, nor on the instruction set: [`Simd`] is
//! implemented by plain loops ([`Portable`]) and, where the CPU has it, by AVX2 or AVX-512.
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

    /// Whether what can be done one lane after another had better be, as these lanes are for the rare case that
    /// the CPU has no registers for them, and their code had better be small. Decides no result either.
    const RARE: bool = false;

    /// The same value in every lane.
    fn splat(self, x: T) -> Self::V;
    /// One value for each lane.
    fn load(self, x: &[T; N]) -> Self::V;
    /// Runs work as a function of its own, compiled once for this instruction set: for what several
    /// kernels share and is too long to copy into each.
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output;
    /// A function of the lanes' values, with K results.
    #[inline(always)]
    fn lanewise<F: Lanewise<T, K>, const K: usize>(self, x: Self::V) -> [Self::V; K] {
        F::of(self, x)
    }
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

/// A function of one number, with K results, lane by lane.
pub trait Lanewise<T: Real, const K: usize> {
    /// Its results at x. Implementations must be `#[inline(always)]`.
    fn of<const N: usize, S: Simd<T, N>>(s: S, x: S::V) -> [S::V; K];
}

/// Plain loops over the lanes: the specification of every other instruction set, and the only one
/// where there is no other.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// [`Simd::RARE`] of N lanes of plain loops: on an x86-64 no CPU of the last ten years runs them.
#[inline(always)]
const fn is_rare<const N: usize>() -> bool {
    cfg!(target_arch = "x86_64") && N > 1
}

/// The registers of [`Portable`].
#[derive(Clone, Copy, Debug)]
pub struct Array<T, const N: usize>([T; N]);

impl<T: Real, const N: usize> Array<T, N> {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        Self(each_lane(&self.0, &other.0, &[(); N], T::ZERO, |a, b, ()| f(a, b)))
    }
    #[inline(always)]
    fn map(self, f: impl Fn(T) -> T) -> Self {
        Self(each_lane(&self.0, &[(); N], &[(); N], T::ZERO, |a, (), ()| f(a)))
    }
    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(&T, &T) -> bool) -> [bool; N] {
        each_lane(&self.0, &other.0, &[(); N], false, |a, b, ()| f(&a, &b))
    }
}

/// f(a, b, c) of each lane; where lanes are rare, by a function to call.
#[inline(always)]
fn each_lane<A: Copy, B: Copy, C: Copy, R: Copy, const N: usize>(
    a: &[A; N],
    b: &[B; N],
    c: &[C; N],
    unset: R,
    f: impl Fn(A, B, C) -> R,
) -> [R; N] {
    #[inline(always)]
    fn inlined<A: Copy, B: Copy, C: Copy, R: Copy, const N: usize>(
        a: &[A; N],
        b: &[B; N],
        c: &[C; N],
        unset: R,
        f: impl Fn(A, B, C) -> R,
    ) -> [R; N] {
        let mut out = [unset; N];
        for (((out, a), b), c) in out.iter_mut().zip(a).zip(b).zip(c) {
            *out = f(*a, *b, *c);
        }
        out
    }
    #[inline(never)]
    fn called<A: Copy, B: Copy, C: Copy, R: Copy, const N: usize>(
        a: &[A; N],
        b: &[B; N],
        c: &[C; N],
        unset: R,
        f: impl Fn(A, B, C) -> R,
    ) -> [R; N] {
        inlined(a, b, c, unset, f)
    }
    if is_rare::<N>() { called(a, b, c, unset, f) } else { inlined(a, b, c, unset, f) }
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
    fn select(self, mask: Self::Mask, other: Self) -> Self {
        Self(each_lane(&self.0, &other.0, &mask, T::ZERO, |a, b, m| if m { a } else { b }))
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
    const RARE: bool = is_rare::<N>();

    #[inline(always)]
    fn splat(self, x: T) -> Self::V {
        #[inline(never)]
        fn called<T: Real, const N: usize>(x: T) -> [T; N] {
            [x; N]
        }
        Array(if is_rare::<N>() { called(x) } else { [x; N] })
    }
    #[inline(always)]
    fn load(self, x: &[T; N]) -> Self::V {
        Array(*x)
    }
    #[inline(always)]
    fn outline<O: LaneOp<T, N>>(self, op: O) -> O::Output {
        portable(op)
    }
    #[inline(always)]
    fn lanewise<F: Lanewise<T, K>, const K: usize>(self, x: Self::V) -> [Self::V; K] {
        #[inline(never)]
        fn one_by_one<T: Real, F: Lanewise<T, K>, const N: usize, const K: usize>(
            x: &[T; N],
        ) -> [Array<T, N>; K] {
            let mut out = [Array([T::ZERO; N]); K];
            for (lane, x) in x.iter().enumerate() {
                let results = F::of(Portable, Array([*x]));
                for (out, Array([y])) in out.iter_mut().zip(results) {
                    out.0.iter_mut().skip(lane).take(1).for_each(|out| *out = y);
                }
            }
            out
        }
        if is_rare::<N>() { one_by_one::<T, F, N, K>(&x.0) } else { F::of(self, x) }
    }
}

/// Work over N lanes, compiled once for each instruction set.
pub trait LaneOp<T: Real, const N: usize> {
    /// What it returns.
    type Output;
    /// Does it. Implementations must be `#[inline(always)]`.
    fn run<S: Simd<T, N>>(self, s: S) -> Self::Output;
}

/// Which instruction set runs the lanes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Isa {
    /// Plain loops; on x86-64 the compiler's SSE2.
    Portable,
    /// 256-bit AVX2, without fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// AVX-512 for 8 lanes of f64, AVX2 for everything narrower.
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
}

impl Isa {
    /// The best that this CPU has. The first call reads CPUID and caches it; nothing else in LCC is
    /// kept outside the caller's memory.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(v4) = pulp::x86::V4::try_new() {
            return Isa::Avx512(v4);
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

    /// Every instruction set of this CPU, the plainest first: all give the same bits.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Some(Self::detect()).filter(|best| !matches!(best.name(), "portable" | "avx2"));
        [Some(Isa::Portable), Isa::avx2(), best].into_iter().flatten()
    }

    /// Whether lanes cost less together than one after another.
    pub fn is_wide(self) -> bool {
        !matches!(self, Isa::Portable)
    }

    /// `"portable"`, `"avx2"` or `"avx512"`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
        }
    }
}

/// Whether blocks of 8 chains are compiled in: the feature `wide`.
pub const WIDE: bool = cfg!(feature = "wide");

/// The largest lane count of this build: 8, or 1 without the feature `wide`.
pub const WIDEST: u32 = if WIDE { 8 } else { 1 };

/// The lanes of options that do not say: 1 on an x86-64 without AVX2, where wider blocks gain nothing.
pub fn usual_lanes() -> u32 {
    if cfg!(target_arch = "x86_64") && WIDE && !Isa::detect().is_wide() { 1 } else { WIDEST }
}

/// Whether this build runs blocks of so many chains: 1, and with the feature `wide` 8.
pub fn has_lanes(lanes: u32) -> bool {
    lanes == 1 || lanes == WIDEST
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
}

/// A precision with every lane count: what objects that choose theirs at run time ask for.
pub trait AnyLanes: Lanes<1> + Lanes<8> {}
impl<T: Lanes<1> + Lanes<8>> AnyLanes for T {}

#[inline(never)]
fn portable<T: Real, const N: usize, O: LaneOp<T, N>>(op: O) -> O::Output {
    op.run(Portable)
}

/// On each instruction set, the registers that hold N lanes.
macro_rules! lanes {
    ($t:ident, $n:literal $(, $isa:ident($v:ident) => $token:expr)*) => {
        impl Lanes<$n> for $t {
            #[inline]
            fn dispatch<O: LaneOp<Self, $n>>(isa: Isa, op: O) -> O::Output {
                match isa {
                    $(#[cfg(target_arch = "x86_64")]
                    Isa::$isa($v) => $token.outline(op),)*
                    #[allow(unreachable_patterns)]
                    _ => portable(op),
                }
            }
        }
    };
}

// One lane has nothing to gain from wide registers.
lanes!(f32, 1);
lanes!(f64, 1);
lanes!(f32, 8, Avx2(v3) => x86::F32x8(v3), Avx512(v4) => x86::F32x8(*v4));
lanes!(f64, 8, Avx2(v3) => x86::F64x8(v3), Avx512(v4) => x86::F64x8Wide(v4));

/// A flat slice of lane-major values as blocks of N; `None` unless N divides its length.
#[inline(always)]
pub fn blocks<T: Real, const N: usize>(flat: &[T]) -> Option<&[[T; N]]> {
    match flat.as_chunks::<N>() {
        (blocks, []) => Some(blocks),
        _ => None,
    }
}

/// Blocks of N lanes as lanes alone.
#[inline(always)]
pub(crate) fn lanes_mut<T: Real, const N: usize>(blocks: &mut [[T; N]]) -> &mut [[T; 1]] {
    blocks.as_flattened_mut().as_chunks_mut::<1>().0
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
