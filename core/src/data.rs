//! Data where it lies: a strided view of X and y, checked once.
//!
//! ```
//! use lcc_core::data::{DataError, Dataset, Inputs};
//!
//! // Three rows of two columns, column by column: strides 1 and 3.
//! let inputs = Inputs::new(&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0], 3, 2, 1, 3)?;
//! assert_eq!((inputs.at(1, 0), inputs.at(1, 1)), (3.0, 4.0));
//! let refused = Dataset::new(inputs, &[0.5, f64::NAN, 1.0]);
//! assert_eq!(refused.unwrap_err(), DataError::NotFiniteY { row: 1 });
//! # Ok::<(), DataError>(())
//! ```

use crate::error::refuse;
use crate::scalar::Real;
use crate::sum::Sum;
use core::fmt;

/// The share of its spread that single precision may lose of a column.
const MOST_LOST: f64 = 1e-3;
/// The spreads of an input that single precision has numbers for, and those of a target, whose squares are summed.
const SPREAD_OF_INPUT: [f64; 2] = [1e-36, f64::INFINITY];
const SPREAD_OF_TARGET: [f64; 2] = [1e-15, 1e14];

/// Why data were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataError {
    /// n or d is zero.
    Empty,
    /// n, d and the strides reach past `usize`.
    Overflow,
    /// A slice is shorter than n, d and the strides say.
    TooShort,
    /// A NaN or an infinity in X: its row and column.
    NotFiniteX {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
    },
    /// A NaN or an infinity in y: its row.
    NotFiniteY {
        /// Row, from 0.
        row: usize,
    },
    /// A weight that is negative, a NaN or an infinity: its row.
    Weight {
        /// Row, from 0.
        row: usize,
    },
    /// The sum of the weights is zero or out of range.
    Weights,
    /// Rows have weights where each counts once.
    Weighted,
    /// A group that is not numbered from 0 in the order of its first row: that row.
    Group {
        /// Row, from 0.
        row: usize,
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the data have no rows or no columns"),
            Self::Overflow => f.write_str("rows, columns and strides reach past the address space"),
            Self::TooShort => {
                f.write_str("the data are shorter than rows, columns and strides say")
            }
            Self::NotFiniteX { row, column } => {
                write!(f, "X is not finite at row {row}, column {column}")
            }
            Self::NotFiniteY { row } => write!(f, "y is not finite at row {row}"),
            Self::Weight { row } => write!(f, "the weight is negative or not finite at row {row}"),
            Self::Weights => f.write_str("the sum of the weights is zero or out of range"),
            Self::Weighted => f.write_str("rows with weights are for networks by Bnn alone"),
            Self::Group { row } => {
                write!(
                    f,
                    "groups are numbered in the order of their first rows, and that of row {row} is not"
                )
            }
        }
    }
}

impl core::error::Error for DataError {}

/// Rows x_i in R^d in any layout: x_ij = x[i * row_stride + j * column_stride].
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, T> {
    x: &'a [T],
    n: usize,
    d: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a, T: Real> Inputs<'a, T> {
    /// A view of n rows and d columns, both at least 1; strides in elements. Row-major C: (d, 1);
    /// column-major Julia or Fortran: (1, n). Reads every element once.
    pub fn new(
        x: &'a [T],
        n: usize,
        d: usize,
        row_stride: usize,
        column_stride: usize,
    ) -> Result<Self, DataError> {
        refuse(n == 0 || d == 0, DataError::Empty)?;
        let last = (n - 1)
            .checked_mul(row_stride)
            .zip((d - 1).checked_mul(column_stride))
            .and_then(|(r, c)| r.checked_add(c))
            .ok_or(DataError::Overflow)?;
        n.checked_mul(d).ok_or(DataError::Overflow)?;
        refuse(last >= x.len(), DataError::TooShort)?;
        let view = Self { x, n, d, row_stride, column_stride };
        // What lies on top of each other is looked at once: sizes are asked for of absurd n and d.
        let distinct = |count: usize, stride: usize| if stride == 0 { 1 } else { count };
        for row in 0..distinct(n, row_stride) {
            for column in 0..distinct(d, column_stride) {
                refuse(!view.at(row, column).is_finite(), DataError::NotFiniteX { row, column })?;
            }
        }
        Ok(view)
    }

    /// Rows one after another, as C arrays are.
    pub fn row_major(x: &'a [T], n: usize, d: usize) -> Result<Self, DataError> {
        Self::new(x, n, d, d, 1)
    }

    /// `count` columns from column `first` on; `None` where there are not so many, or `count` is 0.
    pub fn columns(self, first: usize, count: usize) -> Option<Self> {
        let inside = count > 0 && first.checked_add(count)? <= self.d;
        let x = self.x.get(first.checked_mul(self.column_stride)?..)?;
        inside.then_some(Self { x, d: count, ..self })
    }

    /// The number of rows.
    #[inline(always)]
    pub fn n(&self) -> usize {
        self.n
    }

    /// The number of columns.
    #[inline(always)]
    pub fn d(&self) -> usize {
        self.d
    }

    /// x_ij; zero out of range.
    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> T {
        let k =
            row.wrapping_mul(self.row_stride).wrapping_add(column.wrapping_mul(self.column_stride));
        self.x.get(k).copied().unwrap_or(T::ZERO)
    }

    /// Row i as a slice, where rows are contiguous.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Option<&'a [T]> {
        if self.column_stride != 1 {
            return None;
        }
        let start = row.checked_mul(self.row_stride)?;
        self.x.get(start..start.checked_add(self.d)?)
    }

    /// Rows `first` to `first + 3` as slices, where rows are contiguous; past the end, the last row.
    #[inline(always)]
    pub fn four_rows(&self, first: usize) -> Option<[&'a [T]; 4]> {
        let (stride, d) = (self.row_stride, self.d);
        if self.column_stride == 1 && stride >= d && self.n.wrapping_sub(first) >= 4 {
            // One comparison a row: kernels come here twice for every four rows.
            let rest = self.x.get(first.wrapping_mul(stride)..)?;
            let (a, rest) = rest.split_at_checked(stride)?;
            let (b, rest) = rest.split_at_checked(stride)?;
            let (c, rest) = rest.split_at_checked(stride)?;
            return Some([a.get(..d)?, b.get(..d)?, c.get(..d)?, rest.get(..d)?]);
        }
        self.last_rows(first)
    }

    /// As [`four_rows`](Self::four_rows), at the end of the data.
    #[cold]
    #[inline(never)]
    fn last_rows(&self, first: usize) -> Option<[&'a [T]; 4]> {
        let last = self.n.wrapping_sub(1);
        let row = |k: usize| self.row(first.saturating_add(k).min(last));
        Some([row(0)?, row(1)?, row(2)?, row(3)?])
    }

    /// Rows `first` to `first + 3` as [`four_rows`](Self::four_rows) reads them, in any layout: copied one after another to
    /// the front of `out`. Past the end, the last row. `None` if `out` holds fewer than 4 d numbers.
    #[inline(never)]
    pub(crate) fn four_copied<'t>(&self, first: usize, out: &'t mut [T]) -> Option<Inputs<'t, T>> {
        let out = out.get_mut(..self.d.checked_mul(4)?)?;
        for (r, out) in out.chunks_exact_mut(self.d.max(1)).enumerate() {
            self.copy_row(first.saturating_add(r).min(self.n.wrapping_sub(1)), out);
        }
        Some(Inputs { x: out, n: 4, d: self.d, row_stride: self.d, column_stride: 1 })
    }

    /// Copies row i to the front of `out`.
    #[inline(always)]
    pub fn copy_row(&self, row: usize, out: &mut [T]) {
        for (column, o) in out.iter_mut().take(self.d).enumerate() {
            *o = self.at(row, column);
        }
    }

    /// Copies R rows from `first` on side by side: `out[j]` = x_{first, j}, ..., x_{first + R - 1, j},
    /// for as many columns as `out` holds, at most d. Past the end, the last row.
    #[inline(never)]
    pub fn interleave<const R: usize>(&self, first: usize, out: &mut [[T; R]]) {
        let last = self.n.wrapping_sub(1);
        let whole = first.saturating_add(R) <= self.n;
        if self.row_stride == 1 && whole {
            for (column, o) in out.iter_mut().take(self.d).enumerate() {
                let k = column.wrapping_mul(self.column_stride).wrapping_add(first);
                if let Some(x) = self.x.get(k..).and_then(|x| x.first_chunk::<R>()) {
                    *o = *x;
                }
            }
            return;
        }
        for r in 0..R {
            let row = first.saturating_add(r).min(last);
            if let Some(x) = self.row(row) {
                for (o, x) in out.iter_mut().zip(x) {
                    if let Some(o) = o.get_mut(r) {
                        *o = *x;
                    }
                }
            } else {
                for (column, o) in out.iter_mut().take(self.d).enumerate() {
                    if let Some(o) = o.get_mut(r) {
                        *o = self.at(row, column);
                    }
                }
            }
        }
    }

    /// A hash (FNV-1a over the bits, row by row, what `last` gives of a row after it) by which a resumed object
    /// knows its rows.
    fn hash(&self, last: impl Fn(usize) -> Option<T>) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut feed = |v: T| {
            for b in bytemuck::bytes_of(&v) {
                hash = (hash ^ *b as u64).wrapping_mul(0x0000_0100_0000_01B3);
            }
        };
        for row in 0..self.n {
            (0..self.d).for_each(|column| feed(self.at(row, column)));
            last(row).map(&mut feed);
        }
        hash ^ (self.n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.d as u64
    }

    /// The hash of the rows alone.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.hash(|_| None)
    }

    /// max_ij |x_ij|: the reach of x.w on an l1 ball of radius 1.
    pub fn max_abs(&self) -> T {
        let mut max = T::ZERO;
        for row in 0..self.n {
            for column in 0..self.d {
                max = max.max(self.at(row, column).abs());
            }
        }
        max
    }
}

/// Inputs with a target (or a residual) for each row, and a weight and a group where there are any.
#[derive(Clone, Copy, Debug)]
pub struct Dataset<'a, T> {
    /// The rows.
    pub inputs: Inputs<'a, T>,
    y: &'a [T],
    weights: &'a [T],
    groups: &'a [u32],
}

impl<'a, T: Real> Dataset<'a, T> {
    /// n finite targets beside n rows.
    pub fn new(inputs: Inputs<'a, T>, y: &'a [T]) -> Result<Self, DataError> {
        let y = y.get(..inputs.n).ok_or(DataError::TooShort)?;
        match y.iter().position(|v| !v.is_finite()) {
            Some(row) => Err(DataError::NotFiniteY { row }),
            None => Ok(Self { inputs, y, weights: &[], groups: &[] }),
        }
    }

    /// The same with n weights, by which the log likelihood of each row is multiplied: a row of weight 2 counts as if it were
    /// there twice, one of weight 0 not at all. Of networks: [`Bnn`](crate::estimator::Bnn) and
    /// [`FreeNetwork`](crate::network::FreeNetwork); other estimators and posteriors refuse weights, scores count each row once.
    pub fn weighted(self, weights: &'a [T]) -> Result<Self, DataError> {
        let weights = weights.get(..self.n()).ok_or(DataError::TooShort)?;
        let bad = |w: &T| !(*w >= T::ZERO && w.is_finite());
        if let Some(row) = weights.iter().position(bad) {
            return Err(DataError::Weight { row });
        }
        let this = Self { weights, ..self };
        let total = this.total();
        refuse(!(total >= T::MIN_POSITIVE && total.is_finite()), DataError::Weights)?;
        Ok(this)
    }

    /// The same with n groups, as of the rows of one person: one is held out as a whole where rows are held out to
    /// [choose and to calibrate](crate::estimator::BnnOptions::folds). Numbered from 0 in the order of their first rows.
    pub fn grouped(self, groups: &'a [u32]) -> Result<Self, DataError> {
        let groups = groups.get(..self.n()).ok_or(DataError::TooShort)?;
        let mut count = 0;
        for (row, group) in groups.iter().enumerate() {
            refuse(*group > count, DataError::Group { row })?;
            count = count.max(group.saturating_add(1));
        }
        Ok(Self { groups, ..self })
    }

    /// The number of rows.
    #[inline(always)]
    pub fn n(&self) -> usize {
        self.inputs.n
    }

    /// The number of columns.
    #[inline(always)]
    pub fn d(&self) -> usize {
        self.inputs.d
    }

    /// The targets, n of them.
    #[inline(always)]
    pub fn y(&self) -> &'a [T] {
        self.y
    }

    /// The weights, n of them, or none where each row counts once.
    #[inline(always)]
    pub fn weights(&self) -> &'a [T] {
        self.weights
    }

    /// The groups, n of them, or none where each row is one.
    pub fn groups(&self) -> &'a [u32] {
        self.groups
    }

    /// The same with the weights of other data of as many rows.
    pub(crate) fn weighted_as(self, other: &Dataset<'a, T>) -> Self {
        Self { weights: other.weights, ..self }
    }

    /// Target and weight of every row.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (T, T)> + use<'a, T> {
        let weights = self.weights.iter().copied().chain(core::iter::repeat(T::ONE));
        self.y.iter().copied().zip(weights)
    }

    /// Refuses weights.
    pub(crate) fn unweighted(&self) -> Result<(), DataError> {
        refuse(!self.weights.is_empty(), DataError::Weighted)
    }

    /// The sum of the weights: n where there are none.
    pub fn total(&self) -> T {
        match self.weights {
            [] => T::of_usize(self.n()),
            all => Sum::of(all.iter().copied()),
        }
    }

    /// `count` rows from row `first` on, without groups; `None` where there are not so many, or `count` is 0.
    pub fn rows(&self, first: usize, count: usize) -> Option<Self> {
        let of = first..first.checked_add(count)?;
        let y = self.y.get(of.clone())?;
        let weights = self.weights.get(of).unwrap_or(&[]);
        let x = self.inputs.x.get(first.checked_mul(self.inputs.row_stride)?..)?;
        let inputs = Inputs { x, n: count, ..self.inputs };
        (count > 0).then_some(Self { inputs, y, weights, groups: &[] })
    }

    /// Whether these are n rows of d inputs of this [`fingerprint`](Self::fingerprint).
    pub(crate) fn is(&self, n: usize, d: usize, fingerprint: u64) -> bool {
        (self.n(), self.d()) == (n, d) && self.fingerprint() == fingerprint
    }

    /// A hash (FNV-1a over the bits, row by row, target last) by which a resumed object knows its data; with that of the
    /// weights, where there are any, on top.
    pub fn fingerprint(&self) -> u64 {
        let rows = self.inputs.hash(|row| self.y.get(row).copied());
        match self.weights {
            [] => rows,
            x => {
                let list = Inputs { x, n: self.n(), d: 1, row_stride: 1, column_stride: 1 };
                rows.rotate_left(1) ^ list.fingerprint()
            }
        }
    }

    /// The first column whose values single precision would round by more than a thousandth of their spread, or cannot hold;
    /// d for the target, whose squares have to fit too. `None`: single precision serves. Two passes a column.
    pub fn rounded(&self) -> Option<usize> {
        let (n, d) = (self.n(), self.d());
        (0..=d).find(|k| {
            let value = |i: usize| {
                let target = || self.y.get(i).copied().unwrap_or(T::ZERO);
                if *k < d { self.inputs.at(i, *k).to_f64() } else { target().to_f64() }
            };
            let (first, count) = (value(0), n as f64);
            // About the first, which is as large as what they have in common.
            let mean = (0..n).fold(0.0, |mean, i| mean + (value(i) - first) / count);
            let (mut spread, mut lost, mut extent) = (0.0, 0.0, 0.0_f64);
            for i in 0..n {
                let (own, apart) = (value(i), value(i) - first - mean);
                let error = own - f64::from(own as f32);
                spread += apart * apart;
                lost += error * error;
                extent = extent.max(apart.abs());
            }
            let (spread, lost) = (Real::sqrt(spread / count), Real::sqrt(lost / count));
            // Squares may be none where differences are there.
            let [least, most] = if *k < d { SPREAD_OF_INPUT } else { SPREAD_OF_TARGET };
            let held = extent >= least && spread < most && lost <= MOST_LOST * spread;
            !lost.is_finite() || (extent > 0.0 && !held)
        })
    }
}
