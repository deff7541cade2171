//! Compensated sums, for where single precision is not enough.

use crate::scalar::Real;

/// a + b = s + e exactly, s the rounded sum (Knuth, The Art of Computer Programming 2, 4.2.2,
/// theorem B).
#[inline(always)]
pub(crate) fn two_sum<T: Real>(a: T, b: T) -> (T, T) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// A sum as a rounded value and what rounding lost. Infinite terms leave a NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum<T> {
    high: T,
    low: T,
}

impl<T: Real> Sum<T> {
    pub(crate) const ZERO: Self = Self { high: T::ZERO, low: T::ZERO };

    #[inline(always)]
    pub(crate) fn add(&mut self, x: T) {
        let (high, lost) = two_sum(self.high, x);
        self.high = high;
        self.low += lost;
    }

    #[inline(always)]
    pub(crate) fn value(self) -> T {
        self.high + self.low
    }
}
