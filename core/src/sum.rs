//! Compensated sums, of numbers or lane by lane, for where the precision is not enough.

use crate::scalar::Real;
use core::ops::{Add, Sub};

/// a + b = s + e exactly, s the rounded sum (Knuth, The Art of Computer Programming 2, 4.2.2,
/// theorem B).
#[inline(always)]
pub(crate) fn two_sum<V: Copy + Add<Output = V> + Sub<Output = V>>(a: V, b: V) -> (V, V) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// A sum as a rounded value and what rounding lost (Ogita, Rump and Oishi 2005, Sum2): as if computed in
/// twice the precision and rounded once, unless the terms cancel to epsilon^2 of their size. Infinite
/// terms leave a NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum<V> {
    pub(crate) high: V,
    pub(crate) low: V,
}

impl<T: Real> Sum<T> {
    pub(crate) const ZERO: Self = Self { high: T::ZERO, low: T::ZERO };

    /// The sum of some terms, in their order.
    #[inline(always)]
    pub(crate) fn of(terms: impl Iterator<Item = T>) -> T {
        let mut sum = Self::ZERO;
        terms.for_each(|x| sum.add(x));
        sum.value()
    }
}

impl<V: Copy + Add<Output = V> + Sub<Output = V>> Sum<V> {
    #[inline(always)]
    pub(crate) fn new(zero: V) -> Self {
        Self { high: zero, low: zero }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, x: V) {
        let (high, lost) = two_sum(self.high, x);
        self.high = high;
        self.low = self.low + lost;
    }

    #[inline(always)]
    pub(crate) fn value(self) -> V {
        self.high + self.low
    }
}
