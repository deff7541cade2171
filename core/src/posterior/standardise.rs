//! Means and standard deviations of the data, by which users keep their units.

use crate::data::{Dataset, Inputs};
use crate::error::{errors, refuse};
use crate::pieces::pieces_mut;
use crate::scalar::Real;
use crate::sum::Sum;

use super::bend::unit;

errors! {
    /// Why data could not be standardised.
    pub enum StandardiseError {
        TooShort = "a buffer is shorter than the number of inputs",
        ConstantTarget = "the target is constant",
        OutOfRange = "a mean or standard deviation is out of range of this precision",
    }
}

/// The maps between raw and standardised units: x' = (x - mean_x) / sd_x, and the same for the target. Where sd_x is
/// negative the input is bent: x' = [`BENT_UNIT`](super::BENT_UNIT) asinh((x - mean_x) / |sd_x|). Its numbers lie in the
/// caller's memory.
#[derive(Clone, Copy, Debug)]
pub struct Standardiser<'a, T> {
    means: &'a [T],
    sds: &'a [T],
    mean_y: T,
    sd_y: T,
}

/// Mean and standard deviation (divisor n) of n numbers. Two passes, compensated; in units of a
/// power of two near the largest value, so that squares neither overflow nor vanish.
pub(crate) fn moments<T: Real>(n: usize, at: impl Fn(usize) -> T) -> (T, T) {
    weighted_moments(n, at, &[])
}

/// The same of numbers that count as often as their weights say, if there are any.
fn weighted_moments<T: Real>(n: usize, at: impl Fn(usize) -> T, weights: &[T]) -> (T, T) {
    let counts = |i: &usize| weights.get(*i).is_none_or(|w| *w > T::ZERO);
    let largest = (0..n).filter(counts).fold(T::ZERO, |largest, i| largest.max(at(i).abs()));
    if largest < T::MIN_POSITIVE {
        return (T::ZERO, T::ZERO);
    }
    // Halved once more: the sum of a deviation's two terms stays in range.
    let unit = largest.split_exponent().1;
    let up = T::exp2i((unit * T::HALF).floor());
    let up_rest = T::exp2i(unit - (unit * T::HALF).floor());
    let scaled = |i: usize| at(i) / up / up_rest;
    // In units of the largest, so that their products stay in range.
    let heaviest = weights.iter().fold(T::ZERO, |most, w| most.max(*w));
    let weight = |i: usize| weights.get(i).map_or(T::ONE, |w| *w / heaviest);
    // Of a row of weight 0 nothing is known, not even that it is in range.
    let scaled = |i: usize| if counts(&i) { scaled(i) } else { T::ZERO };
    let count = match weights {
        [] => T::of_usize(n),
        _ => Sum::of((0..n).map(weight)),
    };

    let first = Sum::of((0..n).map(|i| weight(i) * scaled(i))) / count;
    // The rounding of the mean is itself averaged away.
    let shift = Sum::of((0..n).map(|i| weight(i) * (scaled(i) - first))) / count;
    let mean = first + shift;
    let away = |i: usize| (scaled(i) - first) - shift;
    let squares = Sum::of((0..n).map(|i| weight(i) * (away(i) * away(i)))) / count;
    let mut there = (0..n).filter(|i| weight(*i) > T::ZERO);
    let start = there.next().map_or(T::ZERO, &at);
    if there.all(|i| at(i) == start) {
        return (start, T::ZERO);
    }
    (mean * up * up_rest, squares.sqrt() * up * up_rest)
}

/// Mean and sd of input j, or of a target's values with their weights as column d: one function for all.
fn column<T: Real>(data: &Dataset<'_, T>, (target, weights): (&[T], &[T]), j: usize) -> (T, T) {
    let inputs = j < data.d();
    let (n, weights) = if inputs { (data.n(), data.weights()) } else { (target.len(), weights) };
    let at = |i| {
        if inputs { data.inputs.at(i, j) } else { target.get(i).copied().unwrap_or(T::ZERO) }
    };
    weighted_moments(n, at, weights)
}

/// The largest number whose squares sums of predictions hold: 2^-12 of the root of the largest there is.
pub(crate) fn reach<T: Real>() -> T {
    T::MAX.sqrt() * T::exp2i(T::lit(-12.0))
}

/// Whether predictions of a target with this mean and sd have squares: noise of a thousandth of the sd, 16 sds on each side.
fn has_squares<T: Real>(mean: T, sd: T) -> bool {
    let (far, near) = (reach::<T>(), T::MIN_POSITIVE.sqrt() * T::exp2i(T::lit(12.0)));
    sd >= near && mean.abs().max(T::lit(16.0) * sd) <= far
}

/// Means and sds of d inputs, in the front of a buffer.
fn halves<T>(buffer: &mut [T], d: usize) -> Result<(&mut [T], &mut [T]), StandardiseError> {
    let (means, rest) = buffer.split_at_mut_checked(d).ok_or(StandardiseError::TooShort)?;
    Ok((means, rest.get_mut(..d).ok_or(StandardiseError::TooShort)?))
}

/// Gives the first columns, one for each entry of `sds`, the root mean square of their sds where they look like one
/// unit: all have the same least value, and half of those that vary, or more, the same largest. A column that varies
/// hardly, as a pixel at the edge, is then not blown up. Whether they do.
pub(crate) fn share_scale<T: Real>(inputs: &Inputs<'_, T>, sds: &mut [T]) -> bool {
    let range = |j: usize| {
        let all = (0..inputs.n()).map(|i| inputs.at(i, j));
        all.fold((T::INFINITY, -T::INFINITY), |(low, high), x| (x.min(low), x.max(high)))
    };
    let (mut least, mut largest) = (None, -T::INFINITY);
    let (mut varying, mut full, mut squares) = (0_usize, 0_usize, Sum::ZERO);
    for (j, sd) in sds.iter().enumerate() {
        let (low, high) = range(j);
        if low != *least.get_or_insert(low) {
            return false;
        }
        if high > low {
            varying = varying.saturating_add(1);
            squares.add(*sd * *sd);
            full = if high > largest { 0 } else { full };
            largest = largest.max(high);
            full = full.saturating_add((high == largest) as usize);
        }
    }
    let alike = varying > 1 && full >= varying.saturating_sub(full);
    if alike {
        sds.fill((squares.value() / T::of_usize(varying)).sqrt());
    }
    alike
}

impl<'a, T: Real> Standardiser<'a, T> {
    /// The means and standard deviations (divisor n, or the sum of the weights) of the data, in `buffer` (2d numbers: means,
    /// then standard deviations). A constant column carries no information and gets sd 1, so that
    /// it becomes zero; so does one whose spread underflows. Accurate to a few units in the last
    /// place of mean and sd where the mean is at most 1/epsilon sds: compensated sums in two passes,
    /// about 20 flops an element.
    pub fn fit(data: &Dataset<'_, T>, buffer: &'a mut [T]) -> Result<Self, StandardiseError> {
        Self::fit_some(data.d(), Some(data), data.d(), (data.y(), data.weights()), buffer)
    }

    /// [`fit`](Self::fit) of the first `columns` inputs, and of the target's values, with their weights, where there are any;
    /// the rest, and all without data, has mean 0 and sd 1.
    fn fit_some(
        d: usize,
        data: Option<&Dataset<'_, T>>,
        columns: usize,
        target: (&[T], &[T]),
        buffer: &'a mut [T],
    ) -> Result<Self, StandardiseError> {
        let (means, sds) = halves(buffer, d)?;
        means.fill(T::ZERO);
        sds.fill(T::ONE);
        let (mut mean_y, mut sd_y) = (T::ZERO, T::ONE);
        if let Some(data) = data {
            for (j, (m, s)) in means.iter_mut().zip(sds.iter_mut()).enumerate().take(columns) {
                let (mean, sd) = column(data, target, j);
                (*m, *s) = (mean, if sd < T::MIN_POSITIVE { T::ONE } else { sd });
            }
            if !target.0.is_empty() {
                (mean_y, sd_y) = column(data, target, d);
            }
        }
        if sd_y < T::MIN_POSITIVE {
            return Err(StandardiseError::ConstantTarget);
        }
        Self::new(means, sds, mean_y, sd_y)
    }

    /// From given numbers: d means and d sds of the inputs, mean and sd of the target, all finite; the target's sd
    /// positive, the inputs' not 0, and negative where they are bent.
    pub fn new(means: &'a [T], sds: &'a [T], mean_y: T, sd_y: T) -> Result<Self, StandardiseError> {
        if means.len() != sds.len() {
            return Err(StandardiseError::TooShort);
        }
        let some = |s: &T| *s != T::ZERO && s.is_finite();
        let fine = means.iter().all(|m| m.is_finite()) && sds.iter().all(some);
        if !(fine && mean_y.is_finite() && some(&sd_y) && sd_y > T::ZERO) {
            return Err(StandardiseError::OutOfRange);
        }
        Ok(Self { means, sds, mean_y, sd_y })
    }

    /// Means 0 and sds 1 for d inputs, in `buffer` (2d numbers): for models fitted in raw units.
    pub fn identity(d: usize, buffer: &'a mut [T]) -> Result<Self, StandardiseError> {
        Self::fit_some(d, None, 0, (&[], &[]), buffer)
    }

    /// [`fit`](Self::fit) to data of d columns, or the [`identity`](Self::identity) without them, with all of
    /// its numbers in the front of `record`: d means, d sds, then mean and sd of the target, 2 (d + 1) in all. A target
    /// whose predictions would have no squares in this precision is [`StandardiseError::OutOfRange`].
    pub fn store(
        d: usize,
        data: Option<&Dataset<'_, T>>,
        record: &'a mut [T],
    ) -> Result<Self, StandardiseError> {
        let target = data.map_or((&[][..], &[][..]), |data| (data.y(), data.weights()));
        Self::store_some(d, data, d, target, record)
    }

    /// As [`store`](Self::store), of the first `columns` inputs, and of the target's values, with their weights, where there
    /// are any.
    pub(crate) fn store_some(
        d: usize,
        data: Option<&Dataset<'_, T>>,
        columns: usize,
        target: (&[T], &[T]),
        record: &'a mut [T],
    ) -> Result<Self, StandardiseError> {
        let (inputs, rest) =
            record.split_at_mut_checked(d.saturating_mul(2)).ok_or(StandardiseError::TooShort)?;
        let [mean_y, sd_y, ..] = rest else { return Err(StandardiseError::TooShort) };
        let this = Self::fit_some(d, data, columns, target, inputs)?;
        if !has_squares(this.mean_y, this.sd_y) {
            return Err(StandardiseError::OutOfRange);
        }
        (*mean_y, *sd_y) = (this.mean_y, this.sd_y);
        Ok(this)
    }

    /// Whether [`store`](Self::store) will refuse a target's values, with their weights: before anything is written.
    pub(crate) fn check(
        data: Option<&Dataset<'_, T>>,
        target: (&[T], &[T]),
    ) -> Result<(), StandardiseError> {
        let Some(data) = data.filter(|_| !target.0.is_empty()) else { return Ok(()) };
        let (mean, sd) = column(data, target, data.d());
        refuse(sd < T::MIN_POSITIVE, StandardiseError::ConstantTarget)?;
        refuse(!has_squares(mean, sd), StandardiseError::OutOfRange)
    }

    /// What [`store`](Self::store) left in `record`, for d inputs.
    pub fn load(record: &'a [T], d: usize) -> Result<Self, StandardiseError> {
        let short = StandardiseError::TooShort;
        let (means, rest) = record.split_at_checked(d).ok_or(short)?;
        let (sds, rest) = rest.split_at_checked(d).ok_or(short)?;
        let [mean_y, sd_y, ..] = *rest else { return Err(short) };
        Self::new(means, sds, mean_y, sd_y)
    }

    /// d.
    pub fn inputs(&self) -> usize {
        self.means.len()
    }
    /// The means of the inputs.
    pub fn means(&self) -> &'a [T] {
        self.means
    }
    /// The standard deviations of the inputs, negative where they are bent.
    pub fn sds(&self) -> &'a [T] {
        self.sds
    }
    /// The mean of the target.
    pub fn mean_y(&self) -> T {
        self.mean_y
    }
    /// The standard deviation of the target.
    pub fn sd_y(&self) -> T {
        self.sd_y
    }

    /// x' of one raw value of input j; zero out of range.
    #[inline(always)]
    pub fn input(&self, j: usize, x: T) -> T {
        match (self.means.get(j), self.sds.get(j)) {
            (Some(&m), Some(&s)) => unit(x, m, s),
            _ => T::ZERO,
        }
    }
    /// Standardises row i of the data into the front of `out`.
    pub fn row(&self, data: &Dataset<'_, T>, i: usize, out: &mut [T]) {
        for (j, o) in out.iter_mut().take(self.means.len()).enumerate() {
            *o = self.input(j, data.inputs.at(i, j));
        }
    }
    /// Standardises rows of the data in a given order: x row by row, with ones in the columns behind the
    /// inputs, and y.
    pub(crate) fn copy(
        &self,
        data: &Dataset<'_, T>,
        order: impl Iterator<Item = usize>,
        columns: usize,
        x: &mut [T],
        y: &mut [T],
    ) {
        for ((row, y), i) in pieces_mut(x, columns).zip(y).zip(order) {
            row.fill(T::ONE);
            self.row(data, i, row);
            *y = self.target(data.y().get(i).copied().unwrap_or(T::ZERO));
        }
    }
    /// y' = (y - mean_y) / sd_y.
    #[inline(always)]
    pub fn target(&self, y: T) -> T {
        (y - self.mean_y) / self.sd_y
    }
    /// y = mean_y + sd_y y'.
    #[inline(always)]
    pub fn raw_target(&self, y: T) -> T {
        self.mean_y + self.sd_y * y
    }
}
