//! What a fitted auto-encoder says of rows and of coordinates.

use super::options::VaeError;
use super::{Vae, in_range};
use crate::data::Inputs;
use crate::error::refuse;
use crate::network::Observed;
use crate::network::output::GROUP;
use crate::pieces::nth_mut;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::special::scalar::{exp, ln, softplus_and_derivative};
use crate::sum::Sum;

/// The bound of ln p(y), a row, in the data's units: of a Gaussian output a log density, of a Bernoulli one the
/// logarithm of a probability where y is 0 or the largest value, and of values between them a score that is no density. The
/// two are not comparable.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VaeBound<T> {
    /// The mean over the rows.
    pub bound: T,
    /// Its Monte Carlo standard error, of the draws at these rows. Not that of the choice of the rows.
    pub error: T,
    /// The mean over the rows of the KL divergence, which the bound has subtracted.
    pub kl: T,
}

/// Four rows in the networks' units.
pub(super) fn load<T: Real>(
    rows: &Inputs<'_, T>,
    at: [usize; GROUP],
    units: &[T],
    y: &mut [[T; GROUP]],
) {
    let Some((unit, means)) = units.split_last() else { return };
    for (j, (cells, mean)) in y.iter_mut().zip(means).enumerate() {
        for (cell, row) in cells.iter_mut().zip(at) {
            *cell = (rows.at(row, j) - *mean) / *unit;
        }
    }
}

/// Rows `first` to `first + 3`; past the end, the last.
fn four_from(first: usize, n: usize) -> [usize; GROUP] {
    core::array::from_fn(|r| first.saturating_add(r).min(n.saturating_sub(1)))
}

/// Writes values of four rows, side by side, to the rows from `first` on that are there.
fn store<T: Real>(
    out: &mut [T],
    first: usize,
    values: &[[T; GROUP]],
    map: impl Fn(usize, usize, T) -> T,
) {
    for r in 0..GROUP {
        let row = nth_mut(out, values.len(), first.saturating_add(r));
        for (j, (o, v)) in row.iter_mut().zip(values).enumerate() {
            *o = map(r, j, v.get(r).copied().unwrap_or(T::NAN));
        }
    }
}

impl<T: AnyLanes> Vae<'_, T> {
    /// The numbers of scratch of each function below.
    pub fn scratch(&self) -> usize {
        self.nets().scratch().unwrap_or(usize::MAX)
    }

    /// The sd of the noise in the data's units; 0 where the output is Bernoulli.
    pub fn noise(&self) -> T {
        match self.shape.options.observed.value() {
            Observed::Gaussian => self.nets().noise_at(self.parameters()) * self.unit(),
            Observed::Bernoulli => T::ZERO,
        }
    }

    /// Columns D of the rows.
    pub fn columns(&self) -> usize {
        self.shape.columns
    }

    /// Coordinates k.
    pub fn latent(&self) -> usize {
        self.shape.options.latent as usize
    }

    /// Writes the mean and the sd of z given each row, n k numbers each, row by row. 2 n P flops.
    pub fn encode(
        &self,
        rows: &Inputs<'_, T>,
        means: &mut [T],
        sds: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), VaeError> {
        refuse(rows.d() != self.columns(), VaeError::Columns)?;
        let (nets, k) = (self.nets(), self.latent());
        let length = rows.n().checked_mul(k).ok_or(VaeError::TooShort)?;
        let means = means.get_mut(..length).ok_or(VaeError::TooShort)?;
        let sds = sds.get_mut(..length).ok_or(VaeError::TooShort)?;
        let mut four = nets.rows(scratch).ok_or(VaeError::TooShort)?;
        for first in (0..rows.n()).step_by(GROUP) {
            load(rows, four_from(first, rows.n()), self.parts.units, four.y);
            nets.encode(self.parameters(), &mut four);
            let (mean, log) = four.code.split_at_checked(k).unwrap_or_default();
            store(means, first, mean, |_, _, v| v);
            store(sds, first, log, |_, _, v| exp(v));
        }
        Ok(())
    }

    /// Writes the mean of y given each z (n rows of k coordinates), n D numbers, row by row. 2 n P flops.
    pub fn decode(
        &self,
        z: &Inputs<'_, T>,
        out: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), VaeError> {
        refuse(z.d() != self.latent(), VaeError::Columns)?;
        let nets = self.nets();
        let length = z.n().checked_mul(self.columns()).ok_or(VaeError::TooShort)?;
        let out = out.get_mut(..length).ok_or(VaeError::TooShort)?;
        let mut four = nets.rows(scratch).ok_or(VaeError::TooShort)?;
        for first in (0..z.n()).step_by(GROUP) {
            z.interleave(first, four.z);
            nets.decode(self.parameters(), &mut four);
            store(out, first, four.outputs, |_, j, v| self.mean(j, v));
        }
        Ok(())
    }

    /// The mean of column j at an output of the decoder.
    fn mean(&self, j: usize, output: T) -> T {
        match self.shape.options.observed.value() {
            Observed::Bernoulli => self.unit() * softplus_and_derivative(output).1,
            Observed::Gaussian => {
                self.parts.units.get(j).copied().unwrap_or(T::NAN) + self.unit() * output
            }
        }
    }

    /// Writes draws of (z, y): z ~ N(0, I), then y given z, noise included; as many as `z` has room for, k numbers and D
    /// each. Draw i comes from the stream (seed, i, [`Purpose::Predictive`]): z, then y, in the order of their columns.
    pub fn sample(
        &self,
        seed: u64,
        z: &mut [T],
        y: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), VaeError> {
        let (nets, k, columns) = (self.nets(), self.latent(), self.columns());
        let n = z.len().checked_div(k).unwrap_or(0);
        let length = n.checked_mul(columns).ok_or(VaeError::TooShort)?;
        let y = y.get_mut(..length).ok_or(VaeError::TooShort)?;
        let mut four = nets.rows(scratch).ok_or(VaeError::TooShort)?;
        let (noise, unit) = (self.noise(), self.unit());
        for first in (0..n).step_by(GROUP) {
            let mut streams: [Stream; GROUP] = core::array::from_fn(|r| {
                Stream::new(seed, first.saturating_add(r) as u64, Purpose::Predictive)
            });
            normals(&mut streams, four.z);
            store(z, first, four.z, |_, _, v| v);
            nets.decode(self.parameters(), &mut four);
            for (j, cells) in four.outputs.iter_mut().enumerate() {
                for (cell, stream) in cells.iter_mut().zip(&mut streams) {
                    let mean = self.mean(j, *cell);
                    *cell = match self.shape.options.observed.value() {
                        Observed::Gaussian => mean + noise * stream.normal::<T>(),
                        Observed::Bernoulli if stream.uniform::<T>() * unit < mean => unit,
                        Observed::Bernoulli => T::ZERO,
                    };
                }
            }
            store(y, first, four.outputs, |_, _, v| v);
        }
        Ok(())
    }

    /// The bound of ln p(y) at rows, by `draws` (two or more) of z a row. Row i draws from the stream (seed, i,
    /// [`Purpose::Predictive`]). n (2 + 2 draws) P flops.
    pub fn bound(
        &self,
        rows: &Inputs<'_, T>,
        draws: u32,
        seed: u64,
        scratch: &mut [T],
    ) -> Result<VaeBound<T>, VaeError> {
        refuse(rows.d() != self.columns(), VaeError::Columns)?;
        refuse(draws < 2, VaeError::Draws)?;
        in_range(&self.shape.options, rows)?;
        let (nets, n) = (self.nets(), rows.n());
        let mut four = nets.rows(scratch).ok_or(VaeError::TooShort)?;
        let (parameters, count) = (self.parameters(), T::of_u32(draws));
        let noise = nets.noise_at(parameters);
        let (mut sum, mut kls, mut squares) = (Sum::ZERO, Sum::ZERO, Sum::ZERO);
        for first in (0..n).step_by(GROUP) {
            load(rows, four_from(first, n), self.parts.units, four.y);
            nets.encode(parameters, &mut four);
            let kl = nets.kl(&four);
            let mut streams: [Stream; GROUP] = core::array::from_fn(|r| {
                Stream::new(seed, first.saturating_add(r) as u64, Purpose::Predictive)
            });
            // Mean, and sum of squares about it (Welford 1962).
            let (mut mean, mut about) = ([T::ZERO; GROUP], [T::ZERO; GROUP]);
            for t in 0..draws {
                normals(&mut streams, four.normals);
                nets.place(&mut four);
                nets.decode(parameters, &mut four);
                let [value, _] = nets.compare(noise, &mut four);
                for ((mean, about), value) in mean.iter_mut().zip(&mut about).zip(value) {
                    let away = value - *mean;
                    *mean += away / T::of_u32(t.saturating_add(1));
                    *about += away * (value - *mean);
                }
            }
            let there = n.saturating_sub(first).min(GROUP);
            for ((mean, about), kl) in mean.iter().zip(about).zip(kl).take(there) {
                sum.add(*mean);
                kls.add(kl);
                squares.add(about / (count * (count - T::ONE)));
            }
        }
        let n = T::of_usize(n);
        let kl = kls.value() / n;
        let log_unit = match self.shape.options.observed.value() {
            Observed::Gaussian => T::of_usize(self.columns()) * ln(self.unit()),
            Observed::Bernoulli => T::ZERO,
        };
        let bound = sum.value() / n - kl - log_unit;
        Ok(VaeBound { bound, error: squares.value().sqrt() / n, kl })
    }
}

/// A normal for each coordinate of four rows, each row from its own stream.
fn normals<T: Real>(streams: &mut [Stream; GROUP], out: &mut [[T; GROUP]]) {
    for cells in out {
        for (cell, stream) in cells.iter_mut().zip(&mut *streams) {
            *cell = stream.normal();
        }
    }
}
