//! The memory of batch Greedy Bayes: its parts, in order, and the numbers that their sizes follow from.

use super::options::{GreedyError, GreedyOptions};
use super::recursion::Form;
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::likelihood::GreedyTilt;
use crate::linalg::lower_len;
use crate::prior::Prior;
use crate::problem::Problem;
use crate::scalar::Real;
use crate::smc::Smc;
use crate::workspace::{Carve, WorkspaceError};

/// The words of the head.
pub(super) const HEAD: usize = 24;
/// The numbers of the options.
pub(super) const SETTINGS: usize = 6;
/// Phase, level, place within it, evaluations, levels used.
pub(super) const CURSOR: usize = 5;
/// Numbers of the report of a level.
pub(super) const REPORT: usize = 8;
/// Intercept, noise, alpha of the level at hand.
pub(super) const SCALARS: usize = 3;

const MAGIC: u64 = 0x4C43_4347_5242_0001;

/// Everything that the sizes of the parts follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: GreedyOptions<T>,
    pub n: usize,
    pub d: usize,
    pub fingerprint: u64,
}

impl<T: Real> Shape<T> {
    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }
    /// Columns as the neurons see them.
    pub(super) fn columns(&self) -> usize {
        self.options.columns(self.d)
    }
    /// Rows that the levels see: the first of the copy.
    pub(super) fn fitted(&self) -> usize {
        self.n.saturating_sub(self.options.held_out(self.n).unwrap_or(0))
    }

    /// The tilt of one level, of its own alpha.
    pub(super) fn tilt<'a>(&self, data: Dataset<'a, T>, alpha: T) -> GreedyTilt<'a, T> {
        let o = &self.options;
        let (quadratic, signed) = (o.quadratic(alpha), o.signed);
        GreedyTilt { quadratic, signed, ..GreedyTilt::new(data, alpha * o.outer, o.activation) }
    }

    /// The bytes of a level's particles: those of a problem of the same shape whose rows are not
    /// contiguous, which take no less.
    fn smc(&self) -> Result<usize, GreedyError> {
        let one = [T::ZERO];
        let inputs = Inputs::new(&one, 1, self.columns(), 0, 0)?;
        let tilt = self.tilt(Dataset::new(inputs, &one)?, self.options.alpha);
        let problem = Problem::greedy_tilt(tilt, self.options.prior)?;
        Ok(Smc::size(&self.options.smc(0), &problem)?)
    }

    pub(super) fn write(&self, head: &mut [u64], bytes: usize) {
        let o = &self.options;
        let prior = match o.prior {
            Prior::Gaussian { .. } => 0,
            Prior::L1Ball { .. } => 1,
        };
        let words = [
            MAGIC,
            (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64,
            bytes as u64,
            self.fingerprint,
            self.n as u64,
            self.d as u64,
            o.activation as i32 as u64,
            prior,
            o.levels as u64,
            o.form as i32 as u64,
            o.signed as u64,
            o.particles as u64,
            o.moves as u64,
            o.lanes as u64,
            o.seed,
            o.standardise as u64,
            o.intercept as u64,
            o.refit as u64,
            o.keep as u64,
            o.follow as u64,
        ];
        head.fill(0);
        head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
    }

    /// The options that are not integers, as [`read`](Self::read) expects them.
    pub(super) fn settings(&self) -> [T; SETTINGS] {
        let o = &self.options;
        let scale = match o.prior {
            Prior::Gaussian { sd } => sd,
            Prior::L1Ball { radius } => radius,
        };
        [scale, o.outer, o.alpha, o.beta, o.ridge, o.holdout]
    }

    /// The shape that a head describes, and the bytes of its object.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize)> {
        let [magic, version, bytes, fingerprint, n, d, activation, prior, rest @ ..] = *head;
        let [levels, form, signed, particles, moves, lanes, seed, rest @ ..] = rest;
        let [standardise, intercept, refit, keep, follow, ..] = rest;
        let expected = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        if magic != MAGIC || version != expected {
            return None;
        }
        let [scale, outer, alpha, beta, ridge, holdout] = *settings;
        let size = |x: u64| usize::try_from(x).ok();
        let count = |x: u64| u32::try_from(x).ok();
        let code = |x: u64| i32::try_from(x).ok();
        let options = GreedyOptions {
            activation: Activation::from_code(code(activation)?)?,
            prior: match prior {
                0 => Prior::Gaussian { sd: scale },
                1 => Prior::L1Ball { radius: scale },
                _ => return None,
            },
            outer,
            alpha,
            follow: follow == 1,
            beta,
            levels: count(levels)?,
            form: Form::from_code(code(form)?)?,
            signed: signed == 1,
            particles: count(particles)?,
            moves: count(moves)?,
            lanes: count(lanes)?,
            seed,
            standardise: standardise == 1,
            intercept: intercept == 1,
            refit: refit == 1,
            ridge,
            holdout,
            keep: count(keep)?,
        };
        options.check().ok()?;
        Some((Self { options, n: size(n)?, d: size(d)?, fingerprint }, size(bytes)?))
    }
}

/// The parts.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub head: &'a mut [u64],
    pub settings: &'a mut [T],
    pub cursor: &'a mut [u64],
    pub scalars: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// Row i of the copy is row order[i] of the data: first those that the levels see.
    pub order: &'a mut [u32],
    /// The copy: row by row, the column of ones last.
    pub x: &'a mut [T],
    pub y: &'a mut [T],
    /// f after the levels so far at every row, and its residuals.
    pub fit: &'a mut [T],
    pub residuals: &'a mut [T],
    /// Of each level, at every row: the mean of V s psi and its variance over the particles.
    pub means: &'a mut [T],
    pub spreads: &'a mut [T],
    /// Of each level, column by column, particle by particle: w.
    pub weights: &'a mut [T],
    /// Of each level, the expected sign of each particle; 1 where there is none.
    pub signs: &'a mut [T],
    /// Of each level, the draw of the prior that each particle descends from.
    pub origins: &'a mut [u32],
    /// [`REPORT`] numbers for each level.
    pub report: &'a mut [T],
    /// The weight of each level in the result.
    pub coefficients: &'a mut [T],
    /// The Gram matrix of the levels' means and its factor, packed; four vectors.
    pub gram: &'a mut [T],
    pub factor: &'a mut [T],
    pub vectors: &'a mut [T],
    /// Scratch of one block of particles: w and a gradient.
    pub block: &'a mut [T],
    /// The particles of the level at hand.
    pub smc: &'a mut [u8],
}

/// Head and settings: the first parts of [`layout`].
pub(super) fn head<'a, T: Real>(
    carve: &mut impl Carve<'a>,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((carve.take(HEAD)?, carve.take(SETTINGS)?))
}

/// The parts of an estimator of a shape.
pub(super) fn layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, GreedyError> {
    let overflow = WorkspaceError::Overflow;
    let product = |a: usize, b: usize| a.checked_mul(b).ok_or(overflow);
    let (n, levels, particles) = (shape.n, shape.levels(), shape.particles());
    let columns = shape.d.checked_add(shape.options.intercept as usize).ok_or(overflow)?;
    let own = product(levels, particles)?;
    let packed = lower_len(levels).ok_or(overflow)?;
    let smc = shape.smc()?;
    let (head, settings) = head(carve)?;
    Ok(Parts {
        head,
        settings,
        cursor: carve.take(CURSOR)?,
        scalars: carve.take(SCALARS)?,
        standards: carve.take(product(shape.d.checked_add(1).ok_or(overflow)?, 2)?)?,
        order: carve.take(n)?,
        x: carve.take(product(n, columns)?)?,
        y: carve.take(n)?,
        fit: carve.take(n)?,
        residuals: carve.take(n)?,
        means: carve.take(product(levels, n)?)?,
        spreads: carve.take(product(levels, n)?)?,
        weights: carve.take(product(own, columns)?)?,
        signs: carve.take(own)?,
        origins: carve.take(own)?,
        report: carve.take(product(levels, REPORT)?)?,
        coefficients: carve.take(levels)?,
        gram: carve.take(packed)?,
        factor: carve.take(packed)?,
        vectors: carve.take(product(levels, 4)?)?,
        block: carve.take(product(product(columns, 2)?, shape.options.lanes as usize)?)?,
        smc: carve.take(smc)?,
    })
}
