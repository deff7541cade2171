//! Sums of products, so that single precision suffices for long chains.

use crate::scalar::Real;
use crate::sum::Sum;

/// Adds sum_i a_i b_i over the shorter length. Order: blocks of 256 products; in a block, eight
/// partial sums over the products of equal index mod 8, added as
/// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)); blocks added to the compensated sum in order; the last
/// products (fewer than 8) as one more block, in order.
pub(super) fn add_dot<T: Real>(sum: &mut Sum<T>, a: &[T], b: &[T]) {
    let n = a.len().min(b.len());
    let (Some(a), Some(b)) = (a.get(..n), b.get(..n)) else { return };
    let (a, a_tail) = a.as_chunks::<8>();
    let (b, b_tail) = b.as_chunks::<8>();
    for (a, b) in a.chunks(32).zip(b.chunks(32)) {
        let mut s = [T::ZERO; 8];
        for (a, b) in a.iter().zip(b) {
            for (s, (x, y)) in s.iter_mut().zip(a.iter().zip(b)) {
                *s += *x * *y;
            }
        }
        let [s0, s1, s2, s3, s4, s5, s6, s7] = s;
        sum.add(((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)));
    }
    let mut tail = T::ZERO;
    for (x, y) in a_tail.iter().zip(b_tail) {
        tail += *x * *y;
    }
    sum.add(tail);
}
