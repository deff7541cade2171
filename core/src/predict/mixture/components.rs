//! Sums over the components of a [`Mixture`], eight components side by side where that is faster.

use super::super::student_t;
use super::{Mixture, Tails};
use crate::dispatch::dispatched;
use crate::object::compiled;
use crate::scalar::Real;
use crate::simd::{AnyLanes, Simd, Vector, WIDE};
use crate::special;
use crate::sum::{Eight, Sum};

/// N components, the last ones padding of weight 0 where there are fewer.
#[derive(Clone, Copy)]
struct Chunk<T, const N: usize> {
    count: usize,
    location: [T; N],
    scale: [T; N],
    nu: [T; N],
    log_norm: [T; N],
    weight: [T; N],
}

/// A function of the components, eight at a time where that is faster.
macro_rules! over {
    ($mixture:expr, $f:ident($($arg:expr),*)) => {
        if WIDE && $mixture.isa.is_wide() {
            $f::<T, 8>($mixture.isa, $mixture, $($arg),*)
        } else {
            $f::<T, 1>($mixture.isa, $mixture, $($arg),*)
        }
    };
}

// What takes the time: compiled with this crate, however small the one that predicts is to be.
compiled! {
    Mixture: AnyLanes;
    fn tails_at(self, x: Self) -> Tails<Self>;
    fn log_densities_at(self, y: Self, out: &mut [Self]) -> Self;
    fn distance_to(self, y: Self) -> Self;
}

impl<T: AnyLanes> Mixture<'_, T> {
    fn tails_at(&self, x: T) -> Tails<T> {
        over!(self, tails(x))
    }

    fn log_densities_at(&self, y: T, out: &mut [T]) -> T {
        over!(self, log_densities(y, out))
    }

    /// E|Y - y|.
    fn distance_to(&self, y: T) -> T {
        over!(self, distance(y))
    }
}

/// N values from `first` on, ones beyond the end.
#[inline(always)]
fn padded<T: Real, const N: usize>(values: &[T], first: usize) -> [T; N] {
    let rest = values.get(first..).unwrap_or(&[]);
    if let Some(full) = rest.first_chunk::<N>() {
        return *full;
    }
    let mut out = [T::ONE; N];
    for (o, x) in out.iter_mut().zip(rest) {
        *o = *x;
    }
    out
}

impl<T: Real, const N: usize> Chunk<T, N> {
    /// The components from `first` on.
    #[inline(always)]
    fn of(mixture: &Mixture<'_, T>, first: usize) -> Self {
        let count = mixture.location.len().saturating_sub(first).min(N);
        let mut weight = padded(mixture.weight, first);
        weight.iter_mut().skip(count).for_each(|w| *w = T::ZERO);
        Self {
            count,
            location: padded(mixture.location, first),
            scale: padded(mixture.scale, first),
            nu: padded(mixture.nu, first),
            log_norm: padded(mixture.log_norm, first),
            weight,
        }
    }

    /// How far x is from each, in its scales.
    #[inline(always)]
    fn deviate<S: Simd<T, N>>(&self, s: S, x: T) -> S::V {
        (s.splat(x) - s.load(&self.location)) / s.load(&self.scale)
    }
}

/// Components whose laws are found at once: of two chunks, and of one lane one.
fn together<const N: usize>() -> usize {
    if N == 1 { 1 } else { N.saturating_mul(2) }
}

/// So many from `first` on, and of each its density in its scales and its tails at x.
#[inline(always)]
fn laws<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mixture: &Mixture<'_, T>,
    first: usize,
    x: T,
) -> ([Chunk<T, N>; 2], [student_t::At<T, N>; 2]) {
    let a = Chunk::<T, N>::of(mixture, first);
    let own = [a.deviate(s, x).array(), a.nu, a.log_norm];
    if N == 1 {
        return ([a, Chunk { count: 0, ..a }], student_t::density_and_tails(s, [own, own]));
    }
    let b = Chunk::<T, N>::of(mixture, first.saturating_add(N));
    let other = [b.deviate(s, x).array(), b.nu, b.log_norm];
    ([a, b], student_t::density_and_tails(s, [own, other]))
}

/// ln f_k(y) of the components of a chunk.
#[inline(always)]
fn logs<T: Real, const N: usize, S: Simd<T, N>>(s: S, c: &Chunk<T, N>, y: T) -> S::V {
    let log = student_t::log_density(s, c.deviate(s, y), s.load(&c.nu), s.load(&c.log_norm));
    log - special::ln(s, s.load(&c.scale))
}

dispatched! {
    hot:
    /// See [`Mixture::tails`].
    fn tails(s: S, mixture: &Mixture<'_, T>, x: T) -> Tails<T> {
        let [mut density, mut lower, mut upper] = [Eight::new(s.zero()); 3];
        for first in (0..mixture.components()).step_by(together::<N>()) {
            let (two, laws) = laws(s, mixture, first, x);
            for (k, (c, [f, below, above])) in two.iter().zip(laws).enumerate() {
                if c.count > 0 {
                    let (at, weight) = (first.saturating_add(k * N), s.load(&c.weight));
                    density.add::<N>(at, weight * (s.load(&f) / s.load(&c.scale)));
                    lower.add::<N>(at, weight * s.load(&below));
                    upper.add::<N>(at, weight * s.load(&above));
                }
            }
        }
        let count = mixture.count();
        Tails {
            density: density.value() / count,
            lower: lower.value() / count,
            upper: upper.value() / count,
        }
    }

    /// See [`Mixture::log_densities`].
    fn log_densities(s: S, mixture: &Mixture<'_, T>, y: T, out: &mut [T]) -> T {
        let (mut largest, mut sum) = (-T::INFINITY, Sum::ZERO);
        let mut out = out.iter_mut();
        // The largest, and then the sum relative to it.
        for relative in [false, true] {
            for first in (0..mixture.components()).step_by(N) {
                let c = Chunk::<T, N>::of(mixture, first);
                let log = logs(s, &c, y);
                let value = if relative { special::exp(s, log - s.splat(largest)) } else { log };
                let all = value.array().into_iter().zip(c.weight);
                for (value, weight) in all.take(c.count) {
                    if relative && weight > T::ZERO {
                        sum.add(weight * value);
                    } else if weight > T::ZERO {
                        largest = largest.max(value);
                    }
                    if let (false, Some(o)) = (relative, out.next()) {
                        *o = value;
                    }
                }
            }
            if !largest.is_finite() {
                return largest;
            }
        }
        largest + special::scalar::ln(sum.value() / mixture.count())
    }

    /// E|Y - y|.
    fn distance(s: S, mixture: &Mixture<'_, T>, y: T) -> T {
        let mut sum = Sum::ZERO;
        for first in (0..mixture.components()).step_by(together::<N>()) {
            let (two, laws) = laws(s, mixture, first, y);
            for (c, [f, below, above]) in two.iter().zip(laws) {
                let (scale, nu) = (s.load(&c.scale), s.load(&c.nu));
                let (z, f) = (c.deviate(s, y), s.load(&f));
                // (nu + z^2) / (nu - 1), 1 for the normal distribution.
                let finite = nu.lt(s.splat(T::INFINITY));
                let n = nu.select(finite, s.lit(2.0));
                let heavy = ((n + z * z) / (n - s.one())).select(finite, s.one());
                let away = z * (s.load(&below) - s.load(&above));
                let distance = (scale * (away + (f + f) * heavy)).array();
                let all = distance.into_iter().zip(c.weight).take(c.count);
                all.for_each(|(e, w)| sum.add(w * e));
            }
        }
        sum.value() / mixture.count()
    }
}
