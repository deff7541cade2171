//! Gaussian regression in closed form: y_i = x_i.w + N(0, noise^2), w ~ N(0, scale^2 I), both given.
//!
//! With Lambda = X'X/noise^2 + I/scale^2 the posterior is N(m, Lambda^-1), Lambda m = X'y/noise^2, and
//!
//! log p(y) = -(1/2) (n log(2 pi noise^2) + s + log det Lambda + 2 d log scale),
//! s = |y|^2/noise^2 - m'Lambda m.
//!
//! An intercept is a column of ones, under the same prior. Rows are rotated one by one into the
//! triangular factor R of (X/noise, y/noise; I/scale, 0) ([`rotate_in`]): R'R = Lambda is never formed,
//! so that its condition number is not squared; R's last column is q, R m = q, and sqrt s its last
//! entry, a sum of squares that does not cancel. Memory O(d^2) however many rows there are.
//!
//! ```
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::estimator::Conjugate;
//!
//! // Two rows of one column, noise and prior of sd 1: Lambda = 1 + 4 + 1, m = (2 + 5)/6.
//! let data = Dataset::new(Inputs::row_major(&[2.0_f64, 1.0], 2, 1)?, &[1.0, 5.0])?;
//! let mut memory = vec![0.0; Conjugate::<f64>::values(1).unwrap()];
//! let mut fit = Conjugate::new(1, 1.0, 1.0, &mut memory)?;
//! fit.add(&data)?;
//! let (mean, variance) = fit.predict(&mut [3.0])?;
//! assert!((mean - 3.5).abs() < 1e-14 && (variance - 9.0 / 6.0).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::data::Dataset;
use crate::error::{errors, refuse};
use crate::linalg::{lower_len, rotate_in, solve_upper, upper_len};
use crate::scalar::Real;
use crate::simd::{Portable, blocks, blocks_mut};
use crate::special::scalar::ln;
use crate::sum::Sum;

errors! {
    /// Why a conjugate regression was refused.
    pub enum ConjugateError {
        Noise = "the noise must be positive and finite",
        Scale = "the prior's standard deviation must be positive and finite",
        Inputs = "there are no columns, or other than before",
        Weights = "rows with weights are for networks by Bnn alone",
        TooShort = "a buffer is shorter than its size function says",
        Overflow = "the size does not fit in memory",
        Other = "the memory holds no regression on so many columns",
        Changed = "noise, scale or rows are not those of the regression in the memory",
        NotFinite = "a value is not finite, or its square in units of the noise is not",
    }
}

/// Rows that are counted in a number of either precision.
const COUNTED: usize = 1 << 24;

/// log(2 pi).
const LN_TAU: f64 = 1.837_877_066_409_345_3;

/// The posterior of the weights given the rows seen so far; the factor lies in the caller's memory.
#[derive(Debug)]
pub struct Conjugate<'a, T> {
    factor: &'a mut [T],
    row: &'a mut [T],
    d: usize,
    rows: usize,
    noise: T,
    scale: T,
}

impl<'a, T: Real> Conjugate<'a, T> {
    /// The numbers of memory of d columns: (d + 1) (d + 4)/2. `None` if that overflows.
    pub fn values(d: usize) -> Option<usize> {
        let order = d.checked_add(1)?;
        lower_len(order)?.checked_add(order)
    }

    /// The prior: no rows yet. `noise` and `scale` are standard deviations, in units of y and of y per x.
    pub fn new(d: usize, noise: T, scale: T, memory: &'a mut [T]) -> Result<Self, ConjugateError> {
        let mut own = Self::cut(d, 0, noise, scale, memory)?;
        own.sign();
        own.factor.fill(T::ZERO);
        let mut at = 0_usize;
        for j in 0..d {
            if let Some(diagonal) = own.factor.get_mut(at) {
                *diagonal = T::ONE / scale;
            }
            at = at.saturating_add(own.width(j));
        }
        Ok(own)
    }

    /// Goes on in memory that has seen `rows` rows with the same options: [`ConjugateError::Changed`] of others, of the
    /// scale where d is 2 or more, of the rows where it is 3.
    pub fn resume(
        d: usize,
        rows: usize,
        noise: T,
        scale: T,
        memory: &'a mut [T],
    ) -> Result<Self, ConjugateError> {
        let own = Self::cut(d, rows, noise, scale, memory)?;
        refuse(own.row.first() != Some(&-T::INFINITY), ConjugateError::Other)?;
        let noted = own.row.iter().zip(own.notes()).all(|(noted, own)| *noted == own);
        refuse(!noted, ConjugateError::Changed)?;
        Ok(own)
    }

    /// Goes on with the noise, the scale and the rows of the memory, as far as it has room for them.
    pub fn open(d: usize, memory: &'a mut [T]) -> Result<Self, ConjugateError> {
        let mut own = Self::cut(d, 0, T::ONE, T::ONE, memory)?;
        refuse(own.row.first() != Some(&-T::INFINITY), ConjugateError::Other)?;
        let note = |k: usize, or: T| own.row.get(k).copied().unwrap_or(or);
        let (noise, scale, rows) = (note(1, T::ONE), note(2, T::ONE), note(3, T::ZERO));
        (own.noise, own.scale, own.rows) = (noise, scale, rows.to_usize());
        Ok(own)
    }

    /// What lies in the row between calls, as far as it reaches: what no entry of a factor is, and what it was made with.
    fn notes(&self) -> [T; 4] {
        let rows = if self.rows < COUNTED { T::of_usize(self.rows) } else { T::INFINITY };
        [-T::INFINITY, self.noise, self.scale, rows]
    }

    /// Writes them down.
    fn sign(&mut self) {
        let notes = self.notes();
        self.row.iter_mut().zip(notes).for_each(|(to, note)| *to = note);
    }

    /// The memory, whatever is in it.
    fn cut(
        d: usize,
        rows: usize,
        noise: T,
        scale: T,
        memory: &'a mut [T],
    ) -> Result<Self, ConjugateError> {
        let positive = |x: T| x > T::ZERO && x.is_finite();
        refuse(!positive(noise), ConjugateError::Noise)?;
        refuse(!positive(scale), ConjugateError::Scale)?;
        refuse(d == 0, ConjugateError::Inputs)?;
        let size = Self::values(d).ok_or(ConjugateError::Overflow)?;
        let memory = memory.get_mut(..size).ok_or(ConjugateError::TooShort)?;
        let order = d.saturating_add(1);
        let (factor, row) = memory
            .split_at_mut_checked(size.saturating_sub(order))
            .ok_or(ConjugateError::TooShort)?;
        Ok(Self { factor, row, d, rows, noise, scale })
    }

    /// Entries of row j of the factor with its right-hand side.
    fn width(&self, j: usize) -> usize {
        self.d.saturating_add(1).saturating_sub(j)
    }

    /// d.
    pub fn d(&self) -> usize {
        self.d
    }

    /// Rows seen.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The noise.
    pub fn noise(&self) -> T {
        self.noise
    }

    /// Rows more, in their order: 3 d^2 flops each. Those that are refused change nothing.
    pub fn add(&mut self, data: &Dataset<'_, T>) -> Result<(), ConjugateError> {
        refuse(data.d() != self.d, ConjugateError::Inputs)?;
        data.unweighted().map_err(|_| ConjugateError::Weights)?;
        let sound = |x: T| {
            let x = x / self.noise;
            (x * x).is_finite()
        };
        let all = |i: usize| (0..self.d).all(|j| sound(data.inputs.at(i, j)));
        let all = (0..data.n()).all(all) && data.y().iter().all(|y| sound(*y));
        refuse(!all, ConjugateError::NotFinite)?;
        for (i, y) in data.y().iter().enumerate() {
            data.inputs.copy_row(i, self.row);
            if let Some(last) = self.row.last_mut() {
                *last = *y;
            }
            self.row.iter_mut().for_each(|x| *x = *x / self.noise);
            rotate_in(self.factor, self.row);
        }
        self.rows = self.rows.saturating_add(data.n());
        self.sign();
        Ok(())
    }

    /// R and q, row by row: a packed upper triangle of order d with one right-hand side
    /// ([`crate::linalg`]). R'R = Lambda, the posterior's precision.
    pub fn factor(&self) -> &[T] {
        upper_len(self.d).and_then(|len| self.factor.get(..len)).unwrap_or(&[])
    }

    /// m, the mean and mode: d numbers. d^2 flops.
    pub fn mean(&self, out: &mut [T]) -> Result<(), ConjugateError> {
        let out = out.get_mut(..self.d).ok_or(ConjugateError::TooShort)?;
        out.fill(T::ZERO);
        self.draw(out)
    }

    /// A draw of the posterior from d standard normals, in their place. d^2 flops.
    pub fn draw(&self, normals: &mut [T]) -> Result<(), ConjugateError> {
        let z = normals.get_mut(..self.d).ok_or(ConjugateError::TooShort)?;
        let z = blocks_mut::<T, 1>(z).ok_or(ConjugateError::TooShort)?;
        let factor = blocks::<T, 1>(self.factor()).ok_or(ConjugateError::TooShort)?;
        solve_upper(Portable, factor, z);
        Ok(())
    }

    /// x <- R'^-1 x; calls `with` each entry and its q.
    fn whiten(&self, x: &mut [T], mut with: impl FnMut(T, T)) -> Result<(), ConjugateError> {
        let mut rest_x = x.get_mut(..self.d).ok_or(ConjugateError::TooShort)?;
        let mut rows = self.factor();
        while let Some((first, others)) = core::mem::take(&mut rest_x).split_first_mut() {
            // Row j: its diagonal, the entries beyond, q.
            let Some(([diagonal, row @ .., q], below)) =
                rows.split_at_checked(others.len().saturating_add(2))
            else {
                return Err(ConjugateError::TooShort);
            };
            let u = *first / *diagonal;
            *first = u;
            others.iter_mut().zip(row).for_each(|(x, r)| *x -= *r * u);
            with(u, *q);
            (rest_x, rows) = (others, below);
        }
        Ok(())
    }

    /// Mean x.m and variance x'Lambda^-1 x of f(x) = x.w; that of a new y is noise^2 more. `x` is used
    /// up. d^2 flops.
    pub fn predict(&self, x: &mut [T]) -> Result<(T, T), ConjugateError> {
        let (mut mean, mut variance) = (T::ZERO, T::ZERO);
        self.whiten(x, |u, q| {
            mean += u * q;
            variance += u * u;
        })?;
        Ok((mean, variance))
    }

    /// The covariance a'Lambda^-1 b of f(a) and f(b). Both are used up. 2 d^2 flops.
    pub fn covariance(&self, a: &mut [T], b: &mut [T]) -> Result<T, ConjugateError> {
        self.whiten(a, |_, _| {})?;
        self.whiten(b, |_, _| {})?;
        Ok(a.iter().zip(b).take(self.d).fold(T::ZERO, |sum, (a, b)| sum + *a * *b))
    }

    /// log det R = (1/2) log det Lambda.
    fn log_det(&self) -> T {
        let (mut sum, mut at) = (Sum::ZERO, 0_usize);
        for j in 0..self.d {
            sum.add(self.factor.get(at).map_or(T::NAN, |diagonal| ln(*diagonal)));
            at = at.saturating_add(self.width(j));
        }
        sum.value()
    }

    /// n log(2 pi noise^2) + s: minus twice the log likelihood at the mean, and |m|^2/scale^2.
    fn misfit(&self) -> T {
        let root = self.factor.last().copied().unwrap_or(T::NAN);
        let two = T::lit(2.0);
        T::of_usize(self.rows) * (T::lit(LN_TAU) + two * ln(self.noise)) + root * root
    }

    /// log p(y) of the rows seen. d logarithms.
    pub fn log_evidence(&self) -> T {
        let prior = T::of_usize(self.d) * ln(self.scale);
        -(T::HALF * self.misfit() + self.log_det() + prior)
    }

    /// H, the posterior's entropy in nats: (d/2) log(2 pi e) - (1/2) log det Lambda.
    pub fn entropy(&self) -> T {
        T::HALF * T::of_usize(self.d) * (T::lit(LN_TAU) + T::ONE) - self.log_det()
    }

    /// E L over the posterior of the loss L(w) = -log p(y, w), prior and constants included. It is
    /// -log p(y) + H, identically: what a sampler's mean loss is checked against (\[K\]).
    pub fn expected_loss(&self) -> T {
        let d = T::of_usize(self.d);
        let prior = T::HALF * T::lit(LN_TAU) + ln(self.scale);
        T::HALF * (self.misfit() + d) + d * prior
    }
}
