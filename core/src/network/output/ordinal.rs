//! y in {0, ..., K - 1} in order: P(y <= k) = 1 / (1 + exp(o - t_k)) with thresholds t_0 < ... < t_(K-2).
//!
//! Its coordinates are t_0 and the logarithms of the gaps t_j - t_(j-1). The prior lets the probabilities of
//! the classes at o = 0 be uniform on the simplex (Dirichlet(1, ..., 1); Betancourt, "Ordinal regression",
//! 2019): p(t) = (K - 1)! prod l(t_j) (1 - l(t_j)), l the logistic function.

use super::{AtGroup, Family, Law, add, at, get, put, set, whole};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Ordinal;

/// Blocks of `ready` a threshold: t, the gap below it, ln(1 - e^-gap), gap / (e^gap - 1); no gap below t_0.
const BLOCKS: usize = 4;

/// Quantity q of threshold j.
#[inline(always)]
fn of<T: Real, const N: usize, S: Simd<T, N>>(s: S, ready: &[[T; N]], j: usize, q: usize) -> S::V {
    at(s, ready, j.saturating_mul(BLOCKS).saturating_add(q))
}

/// l(t_k - o) and 1 - l(t_k - o), each to its own digits; 1 and 0 above the last class.
#[inline(always)]
fn below<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    ready: &[[T; N]],
    thresholds: usize,
    k: usize,
    o: S::V,
) -> [S::V; 2] {
    if k >= thresholds {
        return [s.one(), s.zero()];
    }
    let x = of(s, ready, k, 0) - o;
    [special::logistic(s, x), special::logistic(s, -x)]
}

/// P(k), from whichever tails are smaller.
#[inline(always)]
fn share<T: Real, const N: usize, S: Simd<T, N>>(
    [low, low_rest]: [S::V; 2],
    [high, high_rest]: [S::V; 2],
    s: S,
) -> S::V {
    (high - low).select(high.lt(s.splat(T::HALF)), low_rest - high_rest)
}

impl<T: Real> Law<T> for Ordinal {
    fn outputs(self, _: &Family<T>) -> usize {
        1
    }
    fn valid(self, family: &Family<T>) -> bool {
        family.categories >= 2
    }
    fn coordinates(self, family: &Family<T>) -> usize {
        (family.categories as usize).saturating_sub(1)
    }
    fn tail_len(self, family: &Family<T>) -> usize {
        Law::<T>::coordinates(self, family)
    }
    fn ready_len(self, family: &Family<T>) -> usize {
        Law::<T>::coordinates(self, family).saturating_mul(BLOCKS)
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        own: &[[T; N]],
        _: &[T; N],
        ready: &mut [[T; N]],
    ) {
        let mut threshold = s.zero();
        for (j, (own, ready)) in own.iter().zip(ready.as_chunks_mut::<BLOCKS>().0).enumerate() {
            let own = s.load(own);
            // Within what has a logarithm, and a logarithm of its own.
            let (least, most) = (s.splat(T::MIN_POSITIVE), s.lit(1e30));
            let gap = if j == 0 { own } else { most.min(least.max(special::called::exp(s, own))) };
            threshold = threshold + gap;
            put(ready, 0, threshold);
            put(ready, 1, gap);
            // 1 - e^-gap; e^gap - 1 is that times e^gap.
            let part = -special::called::exp_m1(s, -gap);
            put(ready, 2, special::called::ln(s, part));
            put(ready, 3, gap * special::called::exp(s, -gap) / part);
        }
    }
    /// With a = t_y - o and b = t_(y-1) - o: p = (1 - e^(b - a)) l(a) l(-b).
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
    ) -> S::V {
        let (class, output) = (y.to_usize(), get(s, o, 0, r));
        let thresholds = Law::<T>::coordinates(self, family);
        let (mut value, mut slope) = (s.zero(), s.zero());
        // By t_y, and by it and t_(y-1) together.
        let (mut by_upper, mut by_both) = (s.zero(), s.zero());
        if class < thresholds {
            let (log, share) = special::softplus_and_derivative(s, output - of(s, ready, class, 0));
            (value, slope, by_upper) = (value - log, slope - share, share);
            by_both = by_both + share;
        }
        if let Some(lower) = class.checked_sub(1) {
            let (log, share) = special::softplus_and_derivative(s, of(s, ready, lower, 0) - output);
            (value, slope, by_both) = (value - log, slope + share, by_both - share);
            if class < thresholds {
                value = value + of(s, ready, class, 2);
                let gap = of(s, ready, class, 1);
                add(s, own, class, gap * by_upper + of(s, ready, class, 3));
            }
        } else {
            add(s, own, 0, by_upper);
        }
        for j in 0..class {
            let rate = if j == 0 { s.one() } else { of(s, ready, j, 1) };
            add(s, own, j, rate * by_both);
        }
        set(o, 0, r, slope);
        value
    }
    /// (1 - sum p_k^3) / 3.
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let output = get(s, o, 0, r);
        let thresholds = Law::<T>::coordinates(self, family);
        let (mut last, mut sum) = ([s.zero(), s.one()], s.zero());
        for k in 0..=thresholds {
            let next = below(s, ready, thresholds, k, output);
            let p = share(last, next, s);
            // p - p^3 in place of p^3: what is left of 1 keeps its digits.
            sum = sum + p * (s.one() - p) * (s.one() + p);
            last = next;
        }
        set(o, 0, r, (s.lit(1.0 / 3.0) * s.zero().max(sum)).sqrt());
    }
    /// That of rows with output 0, where the prior puts the thresholds.
    #[inline(always)]
    fn own_information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        let thresholds = Law::<T>::coordinates(self, family);
        for (i, out) in out.iter_mut().enumerate().take(thresholds) {
            // The change of every l(t_k) with coordinate i, and of the classes between them.
            let rate = if i == 0 { s.one() } else { of(s, ready, i, 1) };
            let (mut last, mut before) = ([s.zero(), s.one()], s.zero());
            let (mut sum, mut prior) = (s.zero(), s.zero());
            for k in 0..=thresholds {
                let next = below(s, ready, thresholds, k, s.zero());
                let [low, rest] = next;
                let density = low * rest;
                let change = if k >= i { rate * density } else { s.zero() };
                let p = s.splat(T::MIN_POSITIVE).max(share(last, next, s));
                let step = change - before;
                sum = sum + step * step / p;
                prior = prior + change * rate;
                (last, before) = (next, change);
            }
            let gap = if i == 0 { s.zero() } else { s.one() };
            *out = (s.splat(n) * sum + (prior + prior + gap)).array();
        }
    }
    #[inline(always)]
    fn prior<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        let two = s.lit(2.0);
        let mut value = special::called::ln_gamma(s, s.splat(T::of_u32(family.categories)));
        // The derivatives by all thresholds from j on.
        let mut slope = s.zero();
        for (j, own) in own.iter().enumerate().rev() {
            let threshold = of(s, ready, j, 0);
            let (log, share) = special::softplus_and_derivative(s, threshold);
            value = value + (threshold - two * log);
            slope = slope + (s.one() - two * share);
            if j == 0 {
                add(s, gradient, 0, slope);
            } else {
                value = value + s.load(own);
                add(s, gradient, j, of(s, ready, j, 1) * slope + s.one());
            }
        }
        value
    }
    /// The thresholds.
    fn tail(self, _: &Family<T>, _: T, tail: &mut [T]) {
        let mut threshold = T::ZERO;
        for (j, x) in tail.iter_mut().enumerate() {
            threshold += if j == 0 { *x } else { special::scalar::exp(*x) };
            *x = threshold;
        }
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let (class, output) = (y.to_usize(), get(s, o, 0, r));
        let thresholds = Law::<T>::coordinates(self, family);
        let lower = match class.checked_sub(1) {
            Some(k) => below(s, ready, thresholds, k, output),
            None => [s.zero(), s.one()],
        };
        let [high, rest] = below(s, ready, thresholds, class, output);
        let p = share(lower, [high, rest], s);
        let [low, _] = lower;
        [p, p * (low + rest)]
    }
    fn possible(self, family: &Family<T>, y: T) -> bool {
        whole(y) && y < T::of_u32(family.categories)
    }
}
