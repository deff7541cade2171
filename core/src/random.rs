//! Random streams: who draws what, and in which order.
//!
//! A [`Stream`] is a xorshift generator (Marsaglia 2003, 128 bits) whose state is its last four
//! outputs, so it is kept in four words of the caller's memory. Each chain owns streams of its own,
//! seeded by hashing (seed, chain, purpose) with a mixer unrelated to the generator: a chain draws
//! the same numbers whatever runs beside it, and no two chains share a sequence (two of k streams
//! meet within L draws each with probability about k^2 L / 2^128).
//!
//! Order of draws, which is part of the specification:
//! - a uniform takes one word (`f32`) or two, low first (`f64`);
//! - a normal likewise, always one uniform: the top bit is the sign, the others the tail
//!   probability, inverted lane-wise;
//! - a vector of normals is drawn in the order of its coordinates, each lane from its own stream;
//! - rejection (gamma draws) happens on one lane's stream and cannot disturb another's.
//!
//! ```
//! use lcc_core::random::{Purpose, Stream};
//!
//! let mut stream = Stream::new(42, 0, Purpose::Kernel);
//! let mut beside = Stream::new(42, 1, Purpose::Kernel); // another chain
//! assert_ne!(stream.word(), beside.word());
//! // Its state is four words, wherever they are kept.
//! let mut again = Stream::from_words(stream.words());
//! assert_eq!(stream.normal::<f64>(), again.normal::<f64>());
//! ```

use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Portable, Simd, Vector};
use crate::special;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;

/// What a stream is drawn for: one stream each, so that adding draws for one purpose leaves the
/// others as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Starting points.
    Start = 1,
    /// Transitions: momenta, jitter, acceptance.
    Kernel = 2,
    /// Auxiliary and hyper-parameters drawn between transitions.
    Gibbs = 3,
    /// Draws from the prior and the posterior predictive.
    Predictive = 4,
    /// Which rows a minibatch has.
    Rows = 5,
}

/// A xorshift generator in four words. One that is [mirrored](Self::mirrored) gives the same uniforms
/// and the negatives of the same normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream([u32; 4], bool);

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl Stream {
    /// The stream of one chain for one purpose.
    pub fn new(seed: u64, chain: u64, purpose: Purpose) -> Self {
        let a = mix(mix(mix(seed) ^ chain) ^ purpose as u64);
        let b = mix(a);
        // Never all zero, the one state that a xorshift cannot leave.
        Self([a as u32 | 1, (a >> 32) as u32, b as u32, (b >> 32) as u32], false)
    }

    /// Continues from stored words; all zero (no valid state) is taken as the generator's own
    /// replacement for it.
    #[inline(always)]
    pub fn from_words(words: [u32; 4]) -> Self {
        Self(words, false)
    }

    /// The same stream with or without its normals negated: the second of an antithetic pair. The words
    /// do not tell.
    #[inline(always)]
    pub fn mirrored(self, mirrored: bool) -> Self {
        Self(self.0, mirrored)
    }

    /// Whether its normals are negated.
    #[inline(always)]
    pub fn is_mirrored(&self) -> bool {
        self.1
    }

    /// The words to store.
    #[inline(always)]
    pub fn words(self) -> [u32; 4] {
        self.0
    }

    /// The next 32 bits.
    #[inline(always)]
    pub fn word(&mut self) -> u32 {
        let [_, y, z, w] = self.0;
        let mut seed = [0; 16];
        for (bytes, word) in seed.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
        let next = XorShiftRng::from_seed(seed).next_u32();
        self.0 = [y, z, w, next];
        next
    }

    /// A uniform number below `bound`; 0 where that is 0. One word, and again with probability below
    /// bound / 2^32 (Lemire 2019).
    #[inline(never)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let least = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        loop {
            let product = self.word() as u64 * bound as u64;
            if product as u32 >= least {
                return (product >> 32) as u32;
            }
        }
    }

    /// A uniform number in (0, 1).
    #[inline(always)]
    pub fn uniform<T: Real>(&mut self) -> T {
        T::uniform(&mut || self.word())
    }

    /// What makes a normal: its tail probability, and its sign as 1 or -1.
    #[inline(always)]
    fn tail_and_sign<T: Real>(&mut self) -> (T, T) {
        let (half, negative) = T::half_uniform(&mut || self.word());
        (half, if negative != self.1 { -T::ONE } else { T::ONE })
    }

    /// A standard normal.
    #[inline(never)]
    pub fn normal<T: Real>(&mut self) -> T {
        let mut out = [[T::ZERO]];
        normals(Portable, core::array::from_mut(self), &mut out);
        let [[z]] = out;
        z
    }

    /// A standard exponential.
    #[inline(never)]
    pub fn exponential<T: Real>(&mut self) -> T {
        -special::scalar::ln(self.uniform::<T>())
    }

    /// A Gamma(shape, rate 1) number, shape > 0: Marsaglia and Tsang (2000), by rejection (about 1.05
    /// normals and uniforms each); below shape 1 by their boost of shape + 1.
    pub fn gamma<T: Real>(&mut self, shape: T) -> T {
        if shape < T::ONE {
            let g = self.gamma_above_one(shape + T::ONE);
            let u: T = self.uniform();
            return g * special::scalar::exp(special::scalar::ln(u) / shape);
        }
        self.gamma_above_one(shape)
    }

    fn gamma_above_one<T: Real>(&mut self, shape: T) -> T {
        let d = shape - T::lit(1.0 / 3.0);
        let c = T::lit(1.0 / 3.0) / d.sqrt();
        // Each round accepts with probability above .95: the bound is never reached.
        for _ in 0..256 {
            let x: T = self.normal();
            let t = T::ONE + c * x;
            let u: T = self.uniform();
            if t > T::ZERO {
                let v = t * t * t;
                let (ln_u, ln_v) = (special::scalar::ln(u), special::scalar::ln(v));
                if ln_u < T::HALF * x * x + d * (T::ONE - v + ln_v) {
                    return d * v;
                }
            }
        }
        d
    }
}

/// Standard normals for a block of chains: coordinate by coordinate, each lane from its own stream,
/// one uniform each.
#[inline(always)]
pub fn normals<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    streams: &mut [Stream; N],
    out: &mut [[T; N]],
) {
    s.outline(Normals { streams, out });
}

/// [`normals`] on an instruction set.
#[inline(always)]
pub(crate) fn normals_on<T: Lanes<N>, const N: usize>(
    isa: Isa,
    streams: &mut [Stream; N],
    out: &mut [[T; N]],
) {
    if let [stream] = streams.as_mut_slice() {
        let out = out.as_flattened_mut();
        if T::across(isa, OfOne { stream, out }).is_some() {
            return;
        }
    }
    T::dispatch(isa, Normals { streams, out });
}

/// Normals of one stream side by side.
const WIDTH: usize = 8;

/// [`normals`] of one stream in wide registers, eight of its numbers beside each other: the same bits.
struct OfOne<'a, T> {
    stream: &'a mut Stream,
    out: &'a mut [T],
}

impl<T: Real> LaneOp<T, WIDTH> for OfOne<'_, T> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, WIDTH>>(self, s: S) {
        if !S::HERE {
            return;
        }
        for cells in self.out.chunks_mut(WIDTH) {
            let draws = (0..cells.len()).map(|_| self.stream.tail_and_sign());
            let z: [T; WIDTH] = inverted(s, draws);
            cells.iter_mut().zip(z).for_each(|(cell, z)| *cell = z);
        }
    }
}

/// [`normals`], compiled once for all who ask: each kernel does once a transition.
struct Normals<'a, T, const N: usize> {
    streams: &'a mut [Stream; N],
    out: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Normals<'_, T, N> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        if !S::HERE {
            return;
        }
        for z in self.out {
            *z = inverted(s, self.streams.iter_mut().map(Stream::tail_and_sign));
        }
    }
}

/// The normals of tail probabilities and signs side by side, as many as there are.
#[inline(always)]
fn inverted<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    draws: impl Iterator<Item = (T, T)>,
) -> [T; N] {
    let (mut tail, mut sign) = ([T::HALF; N], [T::ONE; N]);
    for ((p, sign), draw) in tail.iter_mut().zip(&mut sign).zip(draws) {
        (*p, *sign) = draw;
    }
    special::normal_from_half(s, s.load(&tail)).copysign(s.load(&sign)).array()
}

/// One uniform in (0, 1) for each chain.
// A function to call: kernels do so once or twice a transition.
#[inline(never)]
pub fn uniforms<T: Real, const N: usize>(streams: &mut [Stream; N]) -> [T; N] {
    let mut out = [T::HALF; N];
    for (u, stream) in out.iter_mut().zip(streams) {
        *u = stream.uniform();
    }
    out
}
