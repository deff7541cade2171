//! Order: sorting, quantiles, normal scores of ranks.

use super::draws::is_nan;
use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, Vector, by_lanes, usual_lanes};
use crate::special::normal_from_half;

/// Sorts `x` (no NaN in it), with `spare` (at least as long) beside it: eights by a network, then
/// merging, about n log2(n / 8) comparisons, none of them a branch to guess. `core`'s sorts may panic
/// on an order that is none, which the compiler cannot rule out for floating-point numbers; this one
/// cannot.
pub(crate) fn sort<T: Real>(x: &mut [T], spare: &mut [T]) {
    let n = x.len();
    let Some(spare) = spare.get_mut(..n) else { return };
    let (eights, rest) = x.as_chunks_mut::<8>();
    eights.iter_mut().for_each(sort_eight);
    // The last ones, fewer than 8, are sorted behind padding that goes nowhere.
    let mut last = [T::INFINITY; 8];
    last.iter_mut().zip(rest.iter()).for_each(|(l, r)| *l = *r);
    sort_eight(&mut last);
    rest.iter_mut().zip(last).for_each(|(r, l)| *r = l);

    let (mut from, mut to) = (x, spare);
    let mut width = 8usize;
    let mut swapped = false;
    while width < n {
        let both = width.saturating_mul(2);
        // Not zipped: that divides by the size.
        let mut pieces = to.chunks_mut(both.max(1));
        for from in from.chunks(both.max(1)) {
            let Some(to) = pieces.next() else { break };
            match from.split_at_checked(width) {
                Some((a, b)) => merge(a, b, to),
                None => copy(from, to),
            }
        }
        (from, to) = (to, from);
        swapped = !swapped;
        width = both;
    }
    if swapped {
        copy(from, to);
    }
}

fn copy<T: Real>(from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t = *f);
}

/// The network of 19 comparisons (Knuth, The Art of Computer Programming 3, 5.3.4).
#[inline]
fn sort_eight<T: Real>(x: &mut [T; 8]) {
    let order = |a: &mut T, b: &mut T| {
        let (x, y) = (*a, *b);
        let swap = y < x;
        *a = if swap { y } else { x };
        *b = if swap { x } else { y };
    };
    let [a, b, c, d, e, f, g, h] = x;
    order(a, c);
    order(b, d);
    order(e, g);
    order(f, h);
    order(a, e);
    order(b, f);
    order(c, g);
    order(d, h);
    order(a, b);
    order(c, d);
    order(e, f);
    order(g, h);
    order(c, e);
    order(d, f);
    order(b, e);
    order(d, g);
    order(b, c);
    order(d, e);
    order(f, g);
}

/// Two sorted slices into one as long as both.
#[inline]
fn merge<T: Real>(a: &[T], b: &[T], to: &mut [T]) {
    if a.len() == b.len() {
        return merge_equal(a, b, to);
    }
    let (mut i, mut j) = (0usize, 0usize);
    let mut places = to.iter_mut();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let Some(place) = places.next() else { return };
        let second = y < x;
        *place = if second { *y } else { *x };
        i = i.wrapping_add(!second as usize);
        j = j.wrapping_add(second as usize);
    }
    let rest = a.iter().skip(i).chain(b.iter().skip(j));
    places.zip(rest).for_each(|(place, x)| *place = *x);
}

/// As [`merge`], for equal lengths: from both ends at once, two chains of loads and comparisons that
/// run side by side. Neither can run out before they meet.
#[inline]
fn merge_equal<T: Real>(a: &[T], b: &[T], to: &mut [T]) {
    let Some((front, back)) = to.split_at_mut_checked(a.len()) else { return };
    let (mut i, mut j) = (0usize, 0usize);
    let (mut k, mut l) = (a.len().wrapping_sub(1), b.len().wrapping_sub(1));
    for (low, high) in front.iter_mut().zip(back.iter_mut().rev()) {
        let (Some(x), Some(y), Some(v), Some(w)) = (a.get(i), b.get(j), a.get(k), b.get(l)) else {
            return;
        };
        let second = y < x;
        *low = if second { *y } else { *x };
        i = i.wrapping_add(!second as usize);
        j = j.wrapping_add(second as usize);
        let first = w < v;
        *high = if first { *v } else { *w };
        k = k.wrapping_sub(first as usize);
        l = l.wrapping_sub(!first as usize);
    }
}

/// The p quantile of sorted numbers, type 7 of Hyndman and Fan (1996), by the very operations of
/// `scipy.stats.mstats.mquantiles(alphap=1, betap=1)`: an indicator x <= quantile then takes the same
/// draws. NaN unless 0 <= p <= 1 and there is a number.
pub(super) fn quantile_of_sorted<T: Real>(sorted: &[T], p: T) -> T {
    let n = T::of_usize(sorted.len());
    if !(p >= T::ZERO && p <= T::ONE) {
        return T::NAN;
    }
    let Some((first, rest)) = sorted.split_first() else { return T::NAN };
    if rest.is_empty() {
        return *first;
    }
    let place = n * p + (T::ONE - p);
    let k = place.max(T::ONE).min(n - T::ONE).floor();
    let gamma = (place - k).max(T::ZERO).min(T::ONE);
    // x[k - 1] and x[k] are elements k - 1 of `sorted` and of `rest`.
    let below = k.to_usize().saturating_sub(1);
    match (sorted.get(below), rest.get(below)) {
        (Some(a), Some(b)) => {
            let q = (T::ONE - gamma) * *a + gamma * *b;
            // Between neighbouring numbers (in single precision not rare) rounding must not reach
            // the upper one.
            if gamma < T::ONE && a < b && q >= *b { *a } else { q }
        }
        _ => T::NAN,
    }
}

/// The median of sorted numbers: the middle one or the mean of the two.
pub(crate) fn median_of_sorted<T: Real>(sorted: &[T]) -> T {
    let n = sorted.len();
    match (sorted.get(n.saturating_sub(1) / 2), sorted.get(n / 2)) {
        (Some(a), Some(b)) if n.is_multiple_of(2) => (*a + *b) * T::HALF,
        (Some(a), _) => *a,
        _ => T::NAN,
    }
}

/// Replaces every x_i by the normal quantile of (r_i - 3/8) / (S + 1/4), r_i its rank among the S
/// numbers of `sorted`, the mean rank where there are ties. Ranks of the upper half are mirrored, so
/// that scores are symmetric and as precise in the upper tail as in the lower.
///
/// Cost: a binary search (two where there are ties) and a normal quantile for each number.
pub(super) fn normal_scores<T: AnyLanes>(x: &mut [T], sorted: &[T]) {
    by_lanes!(usual_lanes(), N => scores::<T, N>(x, sorted));
}

fn scores<T: Lanes<N>, const N: usize>(x: &mut [T], sorted: &[T]) {
    let (blocks, rest) = x.as_chunks_mut::<N>();
    for block in blocks {
        score(block, sorted);
    }
    let mut last = [T::ZERO; N];
    last.iter_mut().zip(rest.iter()).for_each(|(l, r)| *l = *r);
    score(&mut last, sorted);
    rest.iter_mut().zip(last).for_each(|(r, l)| *r = l);
}

/// The scores of N numbers, side by side as lanes are.
fn score<T: Lanes<N>, const N: usize>(x: &mut [T; N], sorted: &[T]) {
    let size = sorted.len();
    let ends = size.wrapping_mul(2).wrapping_add(2);
    let scale = T::of_usize(size.wrapping_mul(2)) + T::HALF;
    let mut sign = [T::ONE; N];
    for (x, sign) in x.iter_mut().zip(&mut sign) {
        let below = sorted.partition_point(|y| *y < *x);
        let ties = sorted.get(below..).map_or(0, |rest| match rest.get(1) {
            Some(next) if next <= x => rest.partition_point(|y| *y <= *x),
            _ => 1,
        });
        // below + 1 to below + ties, on average.
        let twice_rank = below.wrapping_mul(2).wrapping_add(ties).wrapping_add(1);
        let mirrored = ends.wrapping_sub(twice_rank);
        if twice_rank < mirrored {
            *sign = -T::ONE;
        }
        *x = (T::of_usize(twice_rank.min(mirrored)) - T::lit(0.75)) / scale;
    }
    *x = quantiles(Isa::detect(), x, &sign);
}

dispatched!(
    /// The normal quantiles of p in (0, 1/2], with signs.
    fn quantiles(s: S, p: &[T; N], sign: &[T; N]) -> [T; N] {
        normal_from_half(s, s.load(p)).copysign(s.load(sign)).array()
    }
);

/// Whether a number of a slice is NaN.
pub(super) fn any_nan<T: Real>(x: &[T]) -> bool {
    x.iter().any(|x| is_nan(*x))
}
