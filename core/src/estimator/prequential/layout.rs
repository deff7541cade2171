//! The memory of prequential Greedy Bayes: its parts, in order, and the numbers that their sizes
//! follow from.

use super::options::{PrequentialError, PrequentialOptions};
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::density::Extent;
use crate::estimator::greedy_bayes::Form;
use crate::kernel::hmc;
use crate::likelihood::GreedyTilt;
use crate::prior::Prior;
use crate::problem::Problem;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// The words of the head.
pub(super) const HEAD: usize = 24;
/// The numbers of the options.
pub(super) const SETTINGS: usize = 6;
/// Words of the cursor.
pub(super) const CURSOR: usize = 9;
/// Numbers of the whole: see [`super::Scalars`].
pub(super) const SCALARS: usize = 10;
/// Numbers of a level: log evidence and its lost digits, step, acceptance, resamplings, fit.
pub(super) const LEVEL: usize = 6;

const MAGIC: u64 = 0x4C43_4350_5251_0001;

/// Everything that the sizes of the parts follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: PrequentialOptions<T>,
    /// Rows that there is room for.
    pub rows: usize,
    pub d: usize,
}

impl<T: Real> Shape<T> {
    pub(super) fn levels(&self) -> usize {
        self.options.levels as usize
    }
    pub(super) fn particles(&self) -> usize {
        self.options.particles as usize
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    /// Columns as the neurons see them.
    pub(super) fn columns(&self) -> usize {
        self.options.columns(self.d)
    }
    pub(super) fn latent(&self) -> usize {
        self.options.prior.latent_dim(self.columns())
    }
    /// Numbers of a draw of one neuron: w and its expected sign.
    pub(super) fn neuron(&self) -> usize {
        self.columns().saturating_add(1)
    }

    /// The posterior of a level given rows and its residuals there.
    pub(super) fn problem<'a>(
        &self,
        data: Dataset<'a, T>,
    ) -> Result<Problem<'a, T>, PrequentialError> {
        let o = &self.options;
        let (quadratic, signed) = (o.quadratic(), o.signed);
        let tilt = GreedyTilt::new(data, o.alpha * o.outer, o.activation);
        Ok(Problem::greedy_tilt(GreedyTilt { quadratic, signed, ..tilt }, o.prior)?)
    }

    /// The blocks of scratch of its density and the numbers of its check.
    fn scratch(&self) -> Result<(usize, usize), PrequentialError> {
        let one = [T::ZERO];
        let data = Dataset::new(Inputs::new(&one, 1, self.columns(), 0, 0)?, &one)?;
        let problem = self.problem(data)?;
        let overflow = WorkspaceError::Overflow;
        let density = problem.density().ok_or(overflow)?;
        Ok((Extent::scratch(&density), problem.proper_scratch().ok_or(overflow)?))
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
            self.rows as u64,
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
            o.intercept as u64,
            o.keep as u64,
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
        [scale, o.outer, o.alpha, o.beta, o.ess, o.noise]
    }

    /// The shape that a head describes, and the bytes of its object.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize)> {
        let [magic, version, bytes, rows, d, activation, prior, rest @ ..] = *head;
        let [levels, form, signed, particles, moves, lanes, seed, intercept, keep, ..] = rest;
        let expected = (crate::checkpoint::STATE_VERSION as u64) << 32 | T::BITS as u64;
        if magic != MAGIC || version != expected {
            return None;
        }
        let [scale, outer, alpha, beta, ess, noise] = *settings;
        let size = |x: u64| usize::try_from(x).ok();
        let count = |x: u64| u32::try_from(x).ok();
        let code = |x: u64| i32::try_from(x).ok();
        let options = PrequentialOptions {
            activation: Activation::from_code(code(activation)?)?,
            prior: match prior {
                0 => Prior::Gaussian { sd: scale },
                1 => Prior::L1Ball { radius: scale },
                _ => return None,
            },
            outer,
            alpha,
            beta,
            levels: count(levels)?,
            form: Form::from_code(code(form)?)?,
            signed: signed == 1,
            particles: count(particles)?,
            moves: count(moves)?,
            ess,
            lanes: count(lanes)?,
            seed,
            intercept: intercept == 1,
            noise,
            keep: count(keep)?,
        };
        options.check().ok()?;
        Some((Self { options, rows: size(rows)?, d: size(d)? }, size(bytes)?))
    }
}

/// The parts. Particles stand in blocks of lanes, one after another: particle i is lane i mod lanes of
/// block i / lanes.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub head: &'a mut [u64],
    pub settings: &'a mut [T],
    pub cursor: &'a mut [u64],
    pub scalars: &'a mut [T],
    /// [`LEVEL`] numbers for each level.
    pub levels: &'a mut [T],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// The rows so far, the column of ones last.
    pub x: &'a mut [T],
    /// Level by level, the residuals that it sees at the rows so far.
    pub residuals: &'a mut [T],
    /// The streams of the resampling and of the draws of the model.
    pub own_streams: &'a mut [u32],
    /// Level by level, the stream of each particle's transitions.
    pub streams: &'a mut [u32],
    /// Level by level, block by block, coordinate by coordinate, lane by lane: latent coordinates, and w.
    pub positions: &'a mut [T],
    pub weights: &'a mut [T],
    /// Level by level, the log weight of each particle, and where signs are summed out the tilt
    /// alpha V sum r psi.
    pub logs: &'a mut [T],
    pub tilts: &'a mut [T],
    /// Draw by draw and level by level: a neuron of the average so far; level by level the particle
    /// that each draw takes of the posteriors at hand.
    pub draws: &'a mut [T],
    pub picks: &'a mut [u32],
    /// Of the level at hand: psi at the row, relative weights, gradients, values, acceptance, copies.
    pub psi: &'a mut [T],
    pub relative: &'a mut [T],
    pub gradients: &'a mut [T],
    pub values: &'a mut [T],
    pub acceptance: &'a mut [T],
    pub copies: &'a mut [u32],
    /// Scratch of one block of particles, and of the check.
    pub work: &'a mut [T],
}

/// Head and settings: the first parts of [`layout`].
pub(super) fn head<'a, T: Real>(
    carve: &mut impl Carve<'a>,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((carve.take(HEAD)?, carve.take(SETTINGS)?))
}

/// The parts of a learner of a shape.
pub(super) fn layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, PrequentialError> {
    let overflow = WorkspaceError::Overflow;
    let product = |a: usize, b: usize| a.checked_mul(b).ok_or(overflow);
    let (levels, particles, rows) = (shape.levels(), shape.particles(), shape.rows);
    let columns = shape.d.checked_add(shape.options.intercept as usize).ok_or(overflow)?;
    columns.checked_add(1).ok_or(overflow)?;
    let latent = shape.latent();
    let all = product(levels, particles)?;
    let keep = shape.options.keep as usize;
    let (scratch, check) = shape.scratch()?;
    let work = hmc::work_len(latent, scratch).ok_or(overflow)?;
    let (head, settings) = head(carve)?;
    Ok(Parts {
        head,
        settings,
        cursor: carve.take(CURSOR)?,
        scalars: carve.take(SCALARS)?,
        levels: carve.take(product(levels, LEVEL)?)?,
        standards: carve.take(product(shape.d.checked_add(1).ok_or(overflow)?, 2)?)?,
        x: carve.take(product(rows, columns)?)?,
        residuals: carve.take(product(rows, levels)?)?,
        own_streams: carve.take(8)?,
        streams: carve.take(product(all, 4)?)?,
        positions: carve.take(product(all, latent)?)?,
        weights: carve.take(product(all, columns)?)?,
        logs: carve.take(all)?,
        tilts: carve.take(if shape.options.signed { all } else { 0 })?,
        draws: carve.take(product(product(keep, levels)?, shape.neuron())?)?,
        picks: carve.take(product(levels, keep)?)?,
        psi: carve.take(particles)?,
        relative: carve.take(particles)?,
        gradients: carve.take(product(particles, latent)?)?,
        values: carve.take(particles)?,
        acceptance: carve.take(particles)?,
        copies: carve.take(particles)?,
        work: carve.take(product(work, shape.lanes())?.max(check))?,
    })
}
