//! Inputs with long tails: incomes, counts, durations, or one cell of -9999. In units of their sd most rows would lie on
//! top of each other and a few far out; asinh((x - c) / u) is a line between the quartiles and a logarithm beyond.

use crate::data::Dataset;
use crate::diagnostics::median_of_sorted;
use crate::scalar::Real;
use crate::simd::{Portable, Simd, Vector};
use crate::special;
use crate::sum::Sum;

use super::standardise::moments;

/// Brings the quartiles of what is bent to those of the standard Gaussian: .6745 / asinh(1).
pub const BENT_UNIT: f64 = 0.765_271_117_866_079_2;
/// A column is bent if its fourth central moment is more than so many sd^4: 3 of a Gaussian, 9 of an exponential law.
const LONG_TAILS: f64 = 6.0;
/// And if a line in what is bent tells the target no worse, by more than so many nats, than a line in x.
const AHEAD: f64 = 2.0;
/// And if a line in x, beside lines in all others, does not tell the target by so many nats more: where it is a sum.
const AHEAD_OF_ALL: f64 = 10.0;
/// Of so many rows and columns at most, by so many passes.
const SEVERAL: usize = 500;
const MANY: usize = 64;
const SWEEPS: usize = 12;
/// The quartiles are those of so many rows, evenly spread.
const ROWS: usize = 255;

/// Sds beyond which an input that is not bent goes on as a logarithm: no row that trained tells of a line so far out, of which
/// an exponential may be taken. Rows that train lie there where one of a hundred or more is very unlike the others.
const FAR: f64 = 10.0;

/// Sds of an input with long tails, if it is a line, within which all rows that train are.
const WITHIN: f64 = 5.0;

/// How many of an input's units are a line: 10, all where it was not standardised and 10 need not be far, and where it
/// is bent.
#[inline(always)]
pub fn line_until<T: Real>(mean: T, sd: T) -> T {
    let raw = mean == T::ZERO && sd == T::ONE;
    if sd > T::ZERO && !raw { T::lit(FAR) } else { T::INFINITY }
}

/// x' of raw values x of an input: z = (x - mean) / sd, of which what is beyond [`line_until`] goes by asinh, or, where sd is
/// negative, [`BENT_UNIT`] asinh((x - mean) / -sd).
#[inline(always)]
pub(crate) fn in_units<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    x: S::V,
    mean: T,
    sd: T,
) -> S::V {
    if N > 1 && sd > T::ZERO {
        let (z, until) = ((x - s.splat(mean)) / s.splat(sd), line_until(mean, sd));
        if z.array().iter().all(|z| z.abs() <= until) {
            return z;
        }
    }
    // One by one: few inputs of a row are no line, and the code is there once.
    let mut all = x.array();
    for x in all.iter_mut() {
        *x = unit(*x, mean, sd);
    }
    s.load(&all)
}

/// [`in_units`] of one value.
#[inline(never)]
pub(crate) fn unit<T: Real>(x: T, mean: T, sd: T) -> T {
    let z = (x - mean) / sd.abs();
    let (from, size) = if sd > T::ZERO {
        let until = line_until(mean, sd);
        if z.abs() <= until {
            return z;
        }
        (until.copysign(z), T::ONE)
    } else {
        (T::ZERO, T::lit(BENT_UNIT))
    };
    let [y] = special::asinh(Portable, Portable.splat(z - from)).array();
    from + size * y
}

/// The quartiles of a column, of at most [`ROWS`] rows.
fn quartiles<T: Real>(n: usize, at: impl Fn(usize) -> T) -> [T; 3] {
    let mut values = [T::ZERO; ROWS];
    let count = n.min(ROWS);
    let Some(values) = values.get_mut(..count) else { return [T::ZERO; 3] };
    for (k, v) in values.iter_mut().enumerate() {
        *v = at(k.saturating_mul(n).checked_div(count).unwrap_or(0));
    }
    // By exchanges: a microcontroller has no room for a second list, nor for a better way.
    for k in 1..count {
        let (sorted, _) = values.split_at_mut_checked(k.saturating_add(1)).unwrap_or_default();
        let mut above: Option<&mut T> = None;
        for below in sorted.iter_mut().rev() {
            if let Some(above) = above.filter(|above| **above < *below) {
                core::mem::swap(above, below);
            }
            above = Some(below);
        }
    }
    let middle = count / 2;
    let (low, _) = values.split_at_checked(middle).unwrap_or_default();
    let (_, high) = values.split_at_checked(count.saturating_sub(middle)).unwrap_or_default();
    [low, values, high].map(|part| median_of_sorted(part))
}

/// A hurdle's zeros have no logarithm.
fn is_number<T: Real>(y: T) -> bool {
    y.abs() < T::MAX * T::HALF
}

/// The share of the spread of the targets that a line in z, of mean 0 and sd 1, tells. `targets`: one number, or for each of
/// so many classes whether a row is of it.
fn told<T: Real>(y: &[T], classes: usize, z: &dyn Fn(usize) -> T) -> T {
    let rows = || y.iter().enumerate().filter(|(_, y)| is_number(**y));
    let count = T::of_usize(rows().count().max(1));
    let (mut by_line, mut all) = (Sum::ZERO, Sum::ZERO);
    for class in 0..classes.max(1) {
        let own = |y: T| match classes {
            0 => y,
            _ => T::of_usize((y == T::of_usize(class)) as usize),
        };
        let mean = Sum::of(rows().map(|(_, y)| own(*y))) / count;
        let with = Sum::of(rows().map(|(i, y)| z(i) * (own(*y) - mean))) / count;
        by_line.add(with * with);
        all.add(Sum::of(rows().map(|(_, y)| (own(*y) - mean) * (own(*y) - mean))) / count);
    }
    by_line.value() / all.value()
}

/// By how many nats a line in what is bent tells the targets worse than a line in input j, of this mean and sd.
/// Infinite where nothing can be bent.
fn behind<T: Real>(
    data: &Dataset<'_, T>,
    j: usize,
    [mean, sd]: [T; 2],
    [centre, width]: [T; 2],
    (y, classes): (&[T], usize),
) -> T {
    let at = |i: usize| data.inputs.at(i, j);
    let bent = |i: usize| unit(at(i), centre, width);
    let ((middle, spread), count) = (moments(data.n(), bent), T::of_usize(data.n()));
    if !(spread > T::ZERO) {
        return T::INFINITY;
    }
    let left = |told: T| special::scalar::ln((T::ONE - told).max(T::EPSILON));
    let line = left(told(y, classes, &|i| (at(i) - mean) / sd));
    let curve = left(told(y, classes, &|i| (bent(i) - middle) / spread));
    (curve - line) * count * T::HALF
}

/// The units of input j, of this mean and sd, if it has long tails and is a line: of such sds that all rows are well
/// within [`FAR`].
fn reaching<T: Real>(data: &Dataset<'_, T>, j: usize, [mean, sd]: [T; 2]) -> [T; 2] {
    let away = (0..data.n()).map(|i| (data.inputs.at(i, j) - mean).abs());
    [mean, away.fold(T::ZERO, T::max).max(sd * T::lit(WITHIN)) / T::lit(WITHIN)]
}

/// Other units of input j, of this mean and sd, where it has long tails: its median, and minus half the distance of its quartiles,
/// of which [`in_units`] makes bent units; or, if it tells more as a line, its mean, and a longer sd. `y`: the targets in the
/// network's units; `classes`: how many classes they are, 0 of numbers. Some twenty passes over the column, and one for each class.
#[inline(never)]
pub(crate) fn bend<T: Real>(
    data: &Dataset<'_, T>,
    j: usize,
    [mean, sd]: [T; 2],
    y: &[T],
    classes: usize,
) -> Option<[T; 2]> {
    let n = data.n();
    let at = |i: usize| data.inputs.at(i, j);
    let line = |i: usize| (at(i) - mean) / sd;
    let fourth = Sum::of((0..n).map(|i| (line(i) * line(i)) * (line(i) * line(i))));
    let (low, high) = (0..n).map(at).fold((mean, mean), |(low, high), x| (low.min(x), high.max(x)));
    // Of two values nothing can be bent.
    let two = (0..n).map(at).all(|x| x == low || x == high);
    if !(fourth > T::lit(LONG_TAILS) * T::of_usize(n)) || two {
        return None;
    }
    let [first, centre, third] = quartiles(n, at);
    let mut half = (third - first) * T::HALF;
    if !(half >= T::MIN_POSITIVE) {
        half = Sum::of((0..n).map(|i| (at(i) - centre).abs())) / T::of_usize(n);
    }
    if !(half >= T::MIN_POSITIVE && half.is_finite() && centre.is_finite()) {
        return None;
    }
    let (own, units) = ([centre, -half], [mean, sd]);
    let bent = behind(data, j, units, own, (y, classes)) <= T::lit(AHEAD);
    Some(if bent { own } else { reaching(data, j, units) })
}

/// The units of input j, which by itself asks for those of `own`: bent, unless numbers y are told better, by [`AHEAD_OF_ALL`] nats,
/// by a line in it beside lines in the others, as by one that is bent beside these (Frisch and Waugh 1933: what the others leave of
/// y, of the line and of what is bent). `means`: places of the inputs. Of a few hundred rows at most, [`SWEEPS`] passes over
/// all columns (Gauss-Seidel); `scratch`: three values for each, some rows' at least.
#[inline(never)]
pub(crate) fn bend_beside<T: Real>(
    data: &Dataset<'_, T>,
    j: usize,
    [mean, sd]: [T; 2],
    own: [T; 2],
    (means, y): (&[T], &[T]),
    scratch: &mut [T],
) -> [T; 2] {
    let ([centre, width], at) = (own, |i: usize, j: usize| data.inputs.at(i, j));
    let (left, _) = scratch.as_chunks_mut::<3>();
    let several = left.len().min(SEVERAL);
    if means.len() < 2 || means.len() > MANY || several == 0 {
        return own;
    }
    let step = data.n().div_ceil(several);
    let every = |i: usize| i.checked_rem(step) == Some(0);
    let known = y.iter().enumerate().filter(|(i, y)| every(*i) && is_number(**y));
    let rows = || known.clone().map(|(i, _)| i);
    for (left, (i, y)) in left.iter_mut().zip(known.clone()) {
        *left = [*y, (at(i, j) - mean) / sd, unit(at(i, j), centre, width)];
    }
    let count = T::of_usize(rows().count());
    for _ in 0..SWEEPS {
        // Behind the others the intercept.
        for k in (0..=means.len()).filter(|k| *k != j) {
            let z = |i: usize| means.get(k).map_or(T::ONE, |mean| at(i, k) - *mean);
            let (mut with, mut all) = ([Sum::ZERO; 3], Sum::ZERO);
            for (left, i) in left.iter().zip(rows()) {
                let z = z(i);
                with.iter_mut().zip(left).for_each(|(sum, x)| sum.add(z * *x));
                all.add(z * z);
            }
            let slopes = with.map(|sum| sum.value() / all.value());
            if slopes.iter().all(|slope| slope.is_finite()) {
                for (left, i) in left.iter_mut().zip(rows()) {
                    left.iter_mut().zip(slopes).for_each(|(x, slope)| *x -= slope * z(i));
                }
            }
        }
    }
    let of = |a: usize, b: usize| {
        let at = |left: &[T; 3], k: usize| left.get(k).copied().unwrap_or(T::ZERO);
        Sum::of(left.iter().zip(rows()).map(|(left, _)| at(left, a) * at(left, b)))
    };
    let lost = |k: usize| {
        let told = of(0, k) * of(0, k) / (of(0, 0) * of(k, k));
        special::scalar::ln((T::ONE - told).max(T::EPSILON))
    };
    let ahead = (lost(2) - lost(1)) * count * T::HALF;
    match ahead > T::lit(AHEAD_OF_ALL) {
        true => reaching(data, j, [mean, sd]),
        false => own,
    }
}
