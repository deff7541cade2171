//! Compensated sums, of numbers or lane by lane, for where the precision is not enough.

use crate::scalar::Real;
use crate::simd::Vector;
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

/// Eight sums, the first of every eighth term from the first on, and so forth, in registers of N: unlike the terms of one
/// sum they do not wait for each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight<V>([Sum<V>; 8]);

impl<V: Copy + Add<Output = V> + Sub<Output = V>> Eight<V> {
    #[inline(always)]
    pub(crate) fn new(zero: V) -> Self {
        Self([Sum::new(zero); 8])
    }

    /// Adds N terms, the first of which has this number; N divides 8 and the number.
    #[inline(always)]
    pub(crate) fn add<const N: usize>(&mut self, first: usize, x: V) {
        let place = first.checked_div(N).unwrap_or(0) % 8_usize.checked_div(N).unwrap_or(1).max(1);
        if let Some(sum) = self.0.get_mut(place) {
            sum.add(x);
        }
    }

    /// The sum of the eight, in their order.
    #[inline(always)]
    pub(crate) fn value<T: Real, const N: usize>(&self) -> T
    where
        V: Vector<T, N>,
    {
        let mut all = [Sum::ZERO; 8];
        let lanes = self.0.iter().map(|sum| (sum.high.array(), sum.low.array()));
        let lanes = lanes.flat_map(|(high, low)| high.into_iter().zip(low));
        all.iter_mut().zip(lanes).for_each(|(sum, (high, low))| *sum = Sum { high, low });
        total(&all)
    }
}

/// The sum of eight sums, in their order.
#[inline(never)]
pub(crate) fn total<T: Real>(sums: &[Sum<T>; 8]) -> T {
    let mut all = Sum::ZERO;
    for sum in sums {
        all.add(sum.high);
        all.low += sum.low;
    }
    all.value()
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
