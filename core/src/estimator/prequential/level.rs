//! The particles of a level at work.

use super::lanes::{add, mean, outputs, reweigh};
use super::layout::{LEVEL, Parts, Shape};
use super::{
    AT, BLOCK, BRIDGES, COUNT, ENTERED, IDLE, MOST_BRIDGES, MOVE, OUTPUTS, PHASE, Prequential,
    PrequentialError, SWEEP, TAKE, VISITS,
};
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::error::refuse;
use crate::estimator::Status;
use crate::estimator::greedy_bayes::{Form, recursion};
use crate::kernel::hmc::{self, State, Work};
use crate::likelihood::{GreedyTilt, Likelihood};
use crate::pieces::{nth, nth_mut};
use crate::predict;
use crate::prior::Prior;
use crate::problem::Problem;
use crate::random::{Purpose, Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Lanes, blocks, blocks_mut, part};
use crate::smc::resample;
use crate::smc::weights::{Sums, Weighing, farthest};
use crate::special;
use crate::sum::{Sum, two_sum};
use crate::workspace::WorkspaceError;

const BROKEN: PrequentialError = PrequentialError::NotALearner;

impl<T: predict::Compiled> Prequential<'_, T> {
    /// The particles of every level at their beginning: draws from the prior.
    pub(super) fn draw<const N: usize>(&mut self) -> Result<(), PrequentialError>
    where
        T: Lanes<N>,
    {
        let (levels, particles) = (self.shape.levels(), self.shape.particles());
        let (latent, isa) = (self.shape.latent(), self.isa);
        for level in 0..levels {
            let seed = self.shape.options.smc(level as u32).seed;
            for block in 0..particles / N {
                let mut streams = [Stream::from_words([0; 4]); N];
                for (lane, stream) in streams.iter_mut().enumerate() {
                    let particle = block.wrapping_mul(N).wrapping_add(lane) as u64;
                    *stream = Stream::new(seed, particle, Purpose::Start);
                }
                let own = level.wrapping_mul(particles / N).wrapping_add(block);
                let out = part::<T, N>(self.parts.positions, own, latent).ok_or(BROKEN)?;
                normals_on(isa, &mut streams, out);
                self.map_weights::<N>(level, block, 1)?;
            }
        }
        Ok(())
    }

    /// E\[V s psi(x.w)\] of a level at a row in the neurons' units.
    pub(super) fn mean_of<const N: usize>(&self, level: usize, x: &[T]) -> Option<T>
    where
        T: Lanes<N>,
    {
        let (particles, columns) = (self.shape.particles(), self.shape.columns());
        let logs = nth(self.parts.logs, particles, level);
        let weights = nth(self.parts.weights, particles.checked_mul(columns)?, level);
        let (psi, outer) = (self.shape.options.activation.value(), self.shape.options.outer);
        let (weights, tilts) = (blocks(weights)?, nth(self.parts.tilts, particles, level));
        let (x, tilts) = (x.get(..columns)?, blocks(tilts)?);
        let top = top(logs);
        Some(mean::<T, N>(self.isa, psi, outer, x, weights, blocks(logs)?, top, tilts, &mut []))
    }

    pub(super) fn run<const N: usize>(&mut self, budget: u64) -> Result<Status, PrequentialError>
    where
        T: Lanes<N>,
    {
        let particles = self.shape.particles() as u64;
        let mut spent = 0_u64;
        loop {
            let phase = self.word(PHASE);
            if phase == IDLE {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let rows = self.word(COUNT).saturating_add(1);
            let (next, visits) = match phase {
                OUTPUTS => (self.outputs::<N>()?, particles),
                TAKE => (self.take::<N>()?, particles),
                MOVE => {
                    let evaluations = self.transition::<N>()?;
                    let visits = rows.saturating_mul(evaluations).saturating_mul(N as u64);
                    (self.after_block::<N>()?, visits)
                }
                _ => return Err(BROKEN),
            };
            self.set(PHASE, next);
            self.set(VISITS, self.word(VISITS).saturating_add(visits));
            spent = spent.saturating_add(visits);
        }
    }

    fn level(&self) -> usize {
        self.word(AT) as usize
    }

    /// The level's mean at the row, its fit there and its draws for the average.
    fn outputs<const N: usize>(&mut self) -> Result<u64, PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level) = (self.shape, self.isa, self.level());
        let (particles, columns) = (shape.particles(), shape.columns());
        let row = self.word(COUNT) as usize;
        let Parts { x, weights, logs, tilts, psi, levels, .. } = &mut self.parts;
        let logs = nth(logs, particles, level);
        let (activation, outer) = (shape.options.activation.value(), shape.options.outer);
        let mean = mean::<T, N>(
            isa,
            activation,
            outer,
            nth(x, columns, row),
            blocks(nth(weights, particles.saturating_mul(columns), level)).ok_or(BROKEN)?,
            blocks(logs).ok_or(BROKEN)?,
            top(logs),
            blocks(nth(tilts, particles, level)).ok_or(BROKEN)?,
            blocks_mut(psi).ok_or(BROKEN)?,
        );
        let before = level.checked_sub(1).and_then(|k| nth(levels, LEVEL, k).last()).copied();
        let mut fit = [before.unwrap_or(T::ZERO)];
        recursion::advance(shape.options.beta, &mut fit, &[mean]);
        let [fit] = fit;
        if let Some(slot) = nth_mut(levels, LEVEL, level).last_mut() {
            *slot = fit;
        }
        self.fill_reservoir::<N>(level)?;
        self.store_residual(T::ONE);
        self.check_proper(level)?;
        self.set(ENTERED, 0);
        self.set(BRIDGES, 0);
        self.set_lambda(T::ZERO);
        Ok(TAKE)
    }

    fn set_lambda(&mut self, lambda: T) {
        let mut scalars = self.scalars();
        scalars.lambda = lambda;
        self.set_scalars(scalars);
    }

    /// The row's tilt of psi in full.
    fn factor(&self) -> T {
        let o = &self.shape.options;
        o.alpha * o.outer * self.residual(self.level())
    }

    /// Lets in as much of the row as the weights bear. Where that is not all of it, or leaves too few
    /// particles, they are resampled and have to move.
    fn take<const N: usize>(&mut self) -> Result<u64, PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level) = (self.shape, self.isa, self.level());
        let particles = shape.particles();
        let (lambda, ess) = (self.scalars().lambda, shape.options.ess);
        let (factor, entered) = (self.factor(), self.word(ENTERED) > 0);
        let half =
            if entered { T::ZERO } else { T::HALF * shape.options.quadratic(shape.options.alpha) };
        let Parts { logs, tilts, psi, relative, values, .. } = &mut self.parts;
        let own = nth_mut(logs, particles, level);
        let own_tilts = nth_mut(tilts, particles, level);
        let psi = blocks::<T, N>(psi).ok_or(BROKEN)?;
        // The new log weights at a part of the row, in `values`, and their sums.
        let mut weigh = |part: T| -> Option<(T, Sums<T>)> {
            let (from, to, out) = (lambda * factor, part * factor, blocks_mut::<T, N>(values)?);
            reweigh(isa, from, to, half, psi, blocks(own)?, blocks(own_tilts)?, out);
            let (logs, room) = (blocks::<T, N>(values)?, blocks_mut::<T, N>(relative)?);
            let mut weighing = Weighing::new(isa, logs, room);
            let sums = weighing.weigh(T::ONE);
            Some((weighing.top, sums))
        };
        let (mut at, mut sums) = (T::ONE, weigh(T::ONE).ok_or(BROKEN)?);
        if sums.1.effective() >= ess {
            own.iter_mut().zip(values.iter()).for_each(|(l, v)| *l = *v);
            if let Some(tilts) = blocks_mut::<T, N>(own_tilts) {
                add(isa, factor, psi, tilts);
            }
            return self.next_level::<N>();
        }
        let floor = ess * ess;
        if !(sums.1.effective() >= floor) {
            at = lambda
                + farthest(T::ONE - lambda, |step| {
                    weigh(lambda + step).is_some_and(|(_, sums)| sums.effective() >= floor)
                });
            sums = weigh(at).ok_or(BROKEN)?;
        }
        let bridges = self.word(BRIDGES).saturating_add(1);
        refuse(bridges > MOST_BRIDGES, PrequentialError::Bridges)?;
        self.set(BRIDGES, bridges);
        self.resample::<N>(level, sums)?;
        self.set_lambda(at);
        self.set(ENTERED, 1);
        self.set(BLOCK, 0);
        self.set(SWEEP, 0);
        self.store_residual(at);
        Ok(MOVE)
    }

    /// A part of the level's residual at the row, for the density.
    fn store_residual(&mut self, part: T) {
        let (rows, row, level) = (self.shape.rows, self.word(COUNT) as usize, self.level());
        let r = self.residual(level);
        if let Some(slot) = nth_mut(self.parts.residuals, rows, level).get_mut(row) {
            *slot = part * r;
        }
    }

    /// Whether the posterior given the rows so far, that at hand included, has a finite integral, where
    /// that is in question ([`Problem::check_proper`]).
    fn check_proper(&mut self, level: usize) -> Result<(), PrequentialError> {
        let (shape, rows) = (self.shape, self.word(COUNT) as usize);
        let o = &shape.options;
        let bounded = o.activation != Activation::SquaredRelu || o.form != Form::Tilt;
        if bounded || matches!(o.prior(), Prior::L1Ball { .. }) {
            return Ok(());
        }
        let Parts { x, residuals, work, .. } = &mut self.parts;
        let problem = problem(&shape, x, residuals, level, rows.saturating_add(1))?;
        Ok(problem.check_proper(work)?)
    }

    /// Copies of the particles by the weights in `relative`, all of the same weight from then on.
    fn resample<const N: usize>(
        &mut self,
        level: usize,
        (top, sums): (T, Sums<T>),
    ) -> Result<(), PrequentialError> {
        let (particles, latent) = (self.shape.particles(), self.shape.latent());
        let Parts { levels, logs, own_streams, relative, copies, positions, .. } = &mut self.parts;
        let [log, lost, _, _, resamplings, _] = nth_mut(levels, LEVEL, level) else {
            return Err(BROKEN);
        };
        for term in [sums.log_mean(), top] {
            let (sum, e) = two_sum(*log, term);
            *log = sum;
            *lost += e;
        }
        *resamplings += T::ONE;
        nth_mut(logs, particles, level).fill(T::ZERO);
        let words = own_streams.first_chunk_mut::<4>().ok_or(BROKEN)?;
        let mut stream = Stream::from_words(*words);
        resample::count(relative, sums.sum, stream.uniform(), copies);
        *words = stream.words();
        let own = nth_mut(positions, particles.saturating_mul(latent), level);
        let own = blocks_mut::<T, N>(own).ok_or(BROKEN)?;
        resample::spread(copies, |from, to| resample::copy_lane(own, latent, from, to));
        Ok(())
    }

    /// One transition of a block at the posterior given the rows and the part of the last one that is let
    /// in; before the first, the density there. Returns the evaluations.
    fn transition<const N: usize>(&mut self) -> Result<u64, PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, isa, level) = (self.shape, self.isa, self.level());
        let (particles, latent) = (shape.particles(), shape.latent());
        let (index, rows) =
            (self.word(BLOCK) as usize, self.word(COUNT).saturating_add(1) as usize);
        let options = shape.options.smc(level as u32);
        let first = self.word(SWEEP) == 0;
        let own = level.wrapping_mul(particles / N).wrapping_add(index);
        let parts = &mut self.parts;
        let problem = problem(&shape, parts.x, parts.residuals, level, rows)?;
        let density = problem.density().ok_or(BROKEN)?;
        let [_, _, step, ..] = *nth(parts.levels, LEVEL, level) else { return Err(BROKEN) };
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        let streams = nth_mut(streams, N, own);
        let mut state = State {
            position: part(parts.positions, own, latent).ok_or(BROKEN)?,
            gradient: part(parts.gradients, index, latent).ok_or(BROKEN)?,
            value: block(parts.values, index).ok_or(BROKEN)?,
        };
        let work = &mut *parts.work;
        let room = work.len() / N;
        let mut work = Work::new(part(work, 0, room).ok_or(BROKEN)?, latent).ok_or(BROKEN)?;
        if first {
            hmc::evaluate(isa, &density, &mut state, work.scratch());
        }
        let trajectory = options.trajectory(shape.options.prior(), step);
        let mut own = [Stream::from_words([0; 4]); N];
        own.iter_mut().zip(&*streams).for_each(|(s, w)| *s = Stream::from_words(*w));
        let outcome = hmc::transition(isa, &density, &mut own, &trajectory, &mut state, &mut work);
        streams.iter_mut().zip(own).for_each(|(w, s)| *w = s.words());
        *block(parts.acceptance, index).ok_or(BROKEN)? = outcome.acceptance;
        Ok((options.leapfrogs as u64).saturating_add(first as u64))
    }

    /// The next block, sweep or phase; the step size follows the acceptance of a sweep.
    fn after_block<const N: usize>(&mut self) -> Result<u64, PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, level, index) = (self.shape, self.level(), self.word(BLOCK));
        let particles = shape.particles();
        let sweep = self.word(SWEEP).wrapping_add(1);
        let last = sweep >= shape.options.moves as u64;
        if last {
            self.map_weights::<N>(level, index as usize, self.word(COUNT) as usize)?;
        }
        let next = index.wrapping_add(1);
        if (next as usize) < particles / N {
            self.set(BLOCK, next);
            return Ok(MOVE);
        }
        self.set(BLOCK, 0);
        let mean = Sum::of(self.parts.acceptance.iter().copied()) / T::of_usize(particles);
        let options = shape.options.smc(level as u32);
        if let [_, _, step, acceptance, ..] = nth_mut(self.parts.levels, LEVEL, level) {
            *step = options.adapted(*step, mean);
            *acceptance = mean;
        }
        if !last {
            self.set(SWEEP, sweep);
            return Ok(MOVE);
        }
        self.outputs_again::<N>(level)?;
        Ok(TAKE)
    }

    /// w of a block of particles, and where signs are summed out the tilt of `rows` rows.
    fn map_weights<const N: usize>(
        &mut self,
        level: usize,
        index: usize,
        rows: usize,
    ) -> Result<(), PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, isa) = (self.shape, self.isa);
        let (particles, latent, columns) = (shape.particles(), shape.latent(), shape.columns());
        let own = level.wrapping_mul(particles / N).wrapping_add(index);
        let Parts { x, residuals, positions, weights, tilts, work, .. } = &mut self.parts;
        let problem = problem(&shape, x, residuals, level, rows.max(1))?;
        let density = problem.density().ok_or(BROKEN)?;
        let position = part::<T, N>(positions, own, latent).ok_or(BROKEN)?;
        let w = part::<T, N>(weights, own, columns).ok_or(BROKEN)?;
        let room = work.len() / N;
        let work = part::<T, N>(work, 0, room).ok_or(BROKEN)?;
        if !density.to_weights(isa, position, w, work) {
            return Err(BROKEN);
        }
        if shape.options.either_sign.on() && rows > 0 {
            let (spare, scratch) = work.split_at_mut_checked(columns).ok_or(BROKEN)?;
            let rows = Dataset::new(
                Inputs::row_major(x, rows, columns)?,
                nth(residuals, shape.rows, level).get(..rows).ok_or(BROKEN)?,
            )?;
            let o = &shape.options;
            let tilt = GreedyTilt::new(rows, o.alpha * o.outer, o.activation.value());
            *block(tilts, own).ok_or(BROKEN)? = tilt.value(isa, w, spare, scratch);
        }
        Ok(())
    }

    /// psi at the row, once the particles have moved.
    fn outputs_again<const N: usize>(&mut self, level: usize) -> Result<(), PrequentialError>
    where
        T: Lanes<N>,
    {
        let (particles, columns) = (self.shape.particles(), self.shape.columns());
        let (row, isa) = (self.word(COUNT) as usize, self.isa);
        let Parts { x, weights, psi, .. } = &mut self.parts;
        let weights = nth(weights, particles.saturating_mul(columns), level);
        let weights = blocks::<T, N>(weights).ok_or(BROKEN)?;
        let psi = blocks_mut(psi).ok_or(BROKEN)?;
        outputs(isa, self.shape.options.activation.value(), nth(x, columns, row), weights, psi);
        Ok(())
    }

    /// The row is in: what each draw of the model takes of the level, and on to the next.
    fn next_level<const N: usize>(&mut self) -> Result<u64, PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, level) = (self.shape, self.level());
        self.store_residual(T::ONE);
        // Of the last weighing: the weights at the whole row.
        let keep = shape.options.keep as usize;
        let Parts { relative, picks, .. } = &mut self.parts;
        let mut picks = nth_mut(picks, keep, level).iter_mut();
        systematic(relative, keep, |particle| {
            if let Some(pick) = picks.next() {
                *pick = particle as u32;
            }
        });
        let next = level.saturating_add(1);
        if next < shape.levels() {
            self.set(AT, next as u64);
            return Ok(OUTPUTS);
        }
        self.close()?;
        Ok(IDLE)
    }

    /// Replaces the draws of the average that are due by draws of the level's posterior at hand.
    fn fill_reservoir<const N: usize>(&mut self, level: usize) -> Result<(), PrequentialError>
    where
        T: Lanes<N>,
    {
        let (shape, isa) = (self.shape, self.isa);
        let (particles, columns) = (shape.particles(), shape.columns());
        let (levels, keep) = (shape.levels(), shape.options.keep as usize);
        let is_due = self.due();
        let due = || (0..keep).filter(|j| is_due(*j));
        let (count, mut due) = (due().count(), due());
        if count == 0 {
            return Ok(());
        }
        let Parts { weights, logs, tilts, relative, draws, .. } = &mut self.parts;
        let logs = blocks::<T, N>(nth(logs, particles, level)).ok_or(BROKEN)?;
        let mut weighing = Weighing::new(isa, logs, blocks_mut::<T, N>(relative).ok_or(BROKEN)?);
        weighing.weigh(T::ONE);
        let weights = nth(weights, particles.saturating_mul(columns), level);
        let weights = blocks::<T, N>(weights).ok_or(BROKEN)?;
        let tilts = nth(tilts, particles, level);
        systematic(relative, count, |particle| {
            let Some(slot) = due.next() else { return };
            let own = slot.wrapping_mul(levels).wrapping_add(level);
            let block = nth(weights, columns, particle / N);
            let w = block.iter().map(|w| w.get(particle % N).copied().unwrap_or(T::ZERO));
            let sign = tilts.get(particle).map_or(T::ONE, |t| sign(*t));
            let out = nth_mut(draws, columns.saturating_add(1), own);
            out.iter_mut().zip(w.chain([sign])).for_each(|(o, x)| *o = x);
        });
        Ok(())
    }
}

/// Block `index` of one number a particle.
fn block<T: Real, const N: usize>(flat: &mut [T], index: usize) -> Option<&mut [T; N]> {
    part(flat, index, 1)?.first_mut()
}

/// The expected sign of a neuron of a tilt.
pub(super) fn sign<T: Real>(tilt: T) -> T {
    special::scalar::tanh(tilt)
}

/// The largest of the log weights.
pub(super) fn top<T: Real>(logs: &[T]) -> T {
    logs.iter().fold(-T::INFINITY, |top, l| top.max(*l))
}

/// `count` particles by their weights, in order: those at (j + 1/2)/count of the sum, j = 0, 1, ...
/// Deterministic, so that the draws of a model add no noise of their own.
fn systematic<T: Real>(weights: &[T], count: usize, mut take: impl FnMut(usize)) {
    let unit = Sum::of(weights.iter().copied()) / T::of_usize(count);
    let mut sum = Sum::ZERO;
    let mut taken = 0_usize;
    let last = weights.iter().rposition(|w| *w > T::ZERO).unwrap_or(0);
    for (particle, w) in weights.iter().enumerate() {
        sum.add(*w);
        while taken < count
            && ((T::of_usize(taken) + T::HALF) * unit < sum.value() || particle == last)
        {
            take(particle);
            taken = taken.saturating_add(1);
        }
    }
}

/// The posterior of a level given the first `rows` rows.
fn problem<'p, T: AnyLanes>(
    shape: &Shape<T>,
    x: &'p [T],
    residuals: &'p [T],
    level: usize,
    rows: usize,
) -> Result<Problem<'p, T>, PrequentialError> {
    let residuals =
        nth(residuals, shape.rows, level).get(..rows).ok_or(WorkspaceError::TooSmall)?;
    let data = Dataset::new(Inputs::row_major(x, rows, shape.columns())?, residuals)?;
    Ok(shape.options.problem(data, shape.options.alpha)?)
}
