//! Systematic resampling, in place.
//!
//! One uniform u for all particles (Carpenter, Clifford, Fearnhead 1999): with x_i = N w_i / sum w,
//! particle i gets as many copies as there are points u, u + 1, ... in the i-th of the intervals of
//! lengths x_1, x_2, ... laid end to end: floor(x_i) or one more, x_i on average. Particles with
//! copies stay where they are; those without are overwritten, in order, by the surplus copies, in
//! order.

use crate::scalar::Real;
use crate::sum::two_sum;

/// The number of copies of every particle; they add up to the number of particles. `weights` are not
/// negative, `sum` is theirs.
// A function to call, for every lane count and whoever resamples.
#[inline(never)]
pub(crate) fn count<T: Real>(weights: &[T], sum: T, u: T, copies: &mut [u32]) {
    let total = weights.len();
    let scale = T::of_usize(total) / sum;
    let mut left = total;
    // The next point, from the start of this particle's interval: a sum and its lost digits.
    let (mut next, mut lost) = (u, T::ZERO);
    for (w, copies) in weights.iter().zip(copies.iter_mut()) {
        let (rest, e) = two_sum(next, -(scale * *w));
        let past = rest + (lost + e);
        // Points at next, next + 1, ... below the end of the interval.
        let own = if past < T::ZERO { (-past).floor().to_usize().saturating_add(1) } else { 0 };
        let own = own.min(left);
        left = left.saturating_sub(own);
        *copies = u32::try_from(own).unwrap_or(u32::MAX);
        let (after, e_after) = two_sum(rest, T::of_usize(own));
        next = after;
        lost += e + e_after;
    }
    // Rounding may have left a point beyond the last interval.
    let last = copies.iter_mut().rev().find(|c| **c > 0);
    if let Some(copies) = last {
        *copies = copies.saturating_add(u32::try_from(left).unwrap_or(0));
    }
}

/// Calls `copy(from, to)` for every particle that is overwritten, and leaves 0 or 1 in `copies`.
pub(crate) fn spread(copies: &mut [u32], mut copy: impl FnMut(usize, usize)) {
    let mut from = 0_usize;
    for to in 0..copies.len() {
        if copies.get(to).is_none_or(|c| *c > 0) {
            continue;
        }
        while copies.get(from).is_some_and(|c| *c < 2) {
            from = from.wrapping_add(1);
        }
        let Some(surplus) = copies.get_mut(from) else { return };
        *surplus = surplus.wrapping_sub(1);
        copy(from, to);
    }
}

/// Copies particle `from` over particle `to`: `len` numbers of each, in blocks of N particles.
pub(crate) fn copy_lane<P: Copy, const N: usize>(
    blocks: &mut [[P; N]],
    len: usize,
    from: usize,
    to: usize,
) {
    let start = |particle: usize| (particle / N).wrapping_mul(len);
    let (source, target) = (start(from), start(to));
    for j in 0..len {
        let x = blocks.get(source.wrapping_add(j)).and_then(|b| b.get(from % N)).copied();
        let slot = blocks.get_mut(target.wrapping_add(j)).and_then(|b| b.get_mut(to % N));
        if let Some((slot, x)) = slot.zip(x) {
            *slot = x;
        }
    }
}
