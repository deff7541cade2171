//! Draws of w as an estimate reads them, in two halves and in batches.

use super::CertificateError;
use crate::error::refuse;
use crate::scalar::Real;
use core::ops::Range;

/// Draws of w from several chains: coordinate j of draw t of chain c is
/// `values[(t columns + j) chains + c]`, j below `dim`. A sampler's record is laid out so, and what
/// [`draw_given`](super::draw_given) writes.
#[derive(Clone, Copy, Debug)]
pub struct WeightDraws<'a, T> {
    values: &'a [T],
    draws: usize,
    chains: usize,
    columns: usize,
    dim: usize,
}

impl<'a, T: Real> WeightDraws<'a, T> {
    /// `draws` of each of `chains`, in `columns` >= `dim` columns. Refused: fewer than 4 draws of a
    /// chain, and slices that are too short.
    pub fn new(
        values: &'a [T],
        draws: usize,
        chains: usize,
        columns: usize,
        dim: usize,
    ) -> Result<Self, CertificateError> {
        refuse(draws < 4 || chains == 0 || dim == 0 || columns < dim, CertificateError::TooFew)?;
        let size = draws
            .checked_mul(columns)
            .and_then(|k| k.checked_mul(chains))
            .ok_or(CertificateError::Overflow)?;
        let values = values.get(..size).ok_or(CertificateError::TooShort)?;
        Ok(Self { values, draws, chains, columns, dim })
    }

    /// At most `most` draws of each chain (no fewer than 4), evenly spread from the first on.
    pub fn thinned(self, most: usize) -> Self {
        let most = most.clamp(4, self.draws.max(4));
        let stride = (self.draws / most).max(1);
        let draws = most.min(self.draws);
        Self { draws, columns: self.columns.saturating_mul(stride), ..self }
    }

    /// Coordinates of w.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The coordinates of draw t of chain c; none out of range.
    pub(super) fn w(&self, t: usize, c: usize) -> impl Iterator<Item = T> + Clone + use<'_, 'a, T> {
        let start = t.wrapping_mul(self.columns).wrapping_mul(self.chains);
        let row = self.values.get(start..).unwrap_or(&[]);
        let chains = self.chains.max(1);
        row.iter().skip(c).step_by(chains).take(self.dim).copied()
    }

    /// Copies draw t of chain c to `out`.
    pub(super) fn copy(&self, t: usize, c: usize, out: &mut [T]) {
        out.iter_mut().zip(self.w(t, c)).for_each(|(o, w)| *o = w);
    }

    /// Everything.
    pub(super) fn whole(&self) -> Part {
        Part { chains: 0..self.chains, draws: 0..self.draws }
    }

    /// The two halves: of the chains (which are independent) where there are two or more, else of the
    /// one chain's draws.
    pub(super) fn halves(&self) -> [Part; 2] {
        let Part { chains, draws } = self.whole();
        if self.chains > 1 {
            let middle = self.chains / 2;
            [
                Part { chains: 0..middle, draws: draws.clone() },
                Part { chains: middle..chains.end, draws },
            ]
        } else {
            let middle = self.draws / 2;
            [
                Part { chains: chains.clone(), draws: 0..middle },
                Part { chains, draws: middle..draws.end },
            ]
        }
    }
}

/// Some of the draws.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) chains: Range<usize>,
    pub(super) draws: Range<usize>,
}

impl Part {
    /// (t, c) of each draw, chain by chain.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let draws = self.draws.clone();
        self.chains.clone().flat_map(move |c| draws.clone().map(move |t| (t, c)))
    }

    /// How many.
    pub(super) fn count(&self) -> usize {
        self.chains.len().saturating_mul(self.draws.len())
    }
}

/// The mean of a number over draws and its standard error, by means of batches of consecutive draws of
/// one chain: about 32 in all, at least one a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batches<T> {
    length: usize,
    in_batch: usize,
    sum: T,
    /// Number of batches, sum of their means less the first one, and of the squares of that.
    count: usize,
    origin: T,
    means: T,
    squares: T,
}

impl<T: Real> Batches<T> {
    /// For the draws of a part.
    pub(super) fn new(part: &Part) -> Self {
        let chains = part.chains.len().max(1);
        let each = 32_usize.div_ceil(chains);
        // No batch shorter than two draws.
        let each = each.min(part.draws.len() / 2).max(1);
        let length = (part.draws.len() / each).max(1);
        let zero = T::ZERO;
        Self { length, in_batch: 0, sum: zero, count: 0, origin: zero, means: zero, squares: zero }
    }

    /// The next number, of draw number `at` of its chain's; what is left of a chain after its last whole
    /// batch does not count.
    pub(super) fn add(&mut self, at: usize, x: T) {
        if at == 0 {
            (self.sum, self.in_batch) = (T::ZERO, 0);
        }
        self.sum += x;
        self.in_batch = self.in_batch.saturating_add(1);
        if self.in_batch < self.length {
            return;
        }
        let mean = self.sum / T::of_usize(self.length);
        (self.sum, self.in_batch) = (T::ZERO, 0);
        if self.count == 0 {
            self.origin = mean;
        }
        let shifted = mean - self.origin;
        self.means += shifted;
        self.squares += shifted * shifted;
        self.count = self.count.saturating_add(1);
    }

    /// The mean of the batches.
    pub(super) fn mean(&self) -> T {
        self.origin + self.means / T::of_usize(self.count)
    }

    /// The square of its standard error; NaN from one batch.
    pub(super) fn error_squared(&self) -> T {
        if self.count < 2 {
            return T::NAN;
        }
        let count = T::of_usize(self.count);
        let scatter = (self.squares - self.means * self.means / count).max(T::ZERO);
        scatter / ((count - T::ONE) * count)
    }
}
