//! What a regressor tells: progress, traces, kept draws, the model.

use super::layout::{LOG_STEP, SCALARS, TRACED};
use super::{NetworkRegressor, PASSES, Progress, RegressorError, Stage, TICK, mass_frozen};
use crate::diagnostics::{Draws, DrawsError};
use crate::error::refuse;
use crate::estimator::chains::{falls_short, state_len};
use crate::estimator::prior_draw::write_prior_draws;
use crate::network::{Family, Output};
use crate::pieces::nth;
use crate::posterior::{OneLayer, Standardiser, Store};
use crate::random::{Purpose, Stream};
use crate::simd::AnyLanes;
use crate::special;
use crate::sum::Sum;
use crate::workspace::WorkspaceError;

impl<T: AnyLanes> NetworkRegressor<'_, T> {
    /// n.
    pub fn rows(&self) -> usize {
        self.shape.n
    }
    /// d.
    pub fn inputs(&self) -> usize {
        self.shape.d
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let (tick, passes) = (self.word(TICK), self.passes());
        let o = &self.shape.options;
        let (search, warmup) = (self.shape.search_units(), o.warmup as u64);
        let stage = if tick < search {
            Stage::Search
        } else if tick < search + warmup {
            Stage::Warmup
        } else if tick < self.shape.units() {
            Stage::Draws
        } else {
            Stage::Done
        };
        let early = (o.warmup / 2) as u64;
        let rest = warmup - early + o.draws as u64;
        let in_all = search
            + (o.mass_updates as u64).clamp(1, mass_frozen(o))
            + early * (o.early_leapfrogs as u64 + 3)
            + rest * (o.leapfrogs as u64 + 3);
        let draws = tick.saturating_sub(search + warmup).min(o.draws as u64) as usize;
        Progress { stage, passes, passes_in_all: in_all, draws }
    }

    /// Draw t of chain c: its row of the trace.
    fn traced(&self, chain: usize, t: usize) -> Option<&[T]> {
        if t >= self.progress().draws || chain >= self.shape.chains() {
            return None;
        }
        let columns = self.shape.columns();
        let k = t.checked_mul(self.shape.chains())?.checked_add(chain)?;
        Some(nth(self.parts.trace, columns, k))
    }
    fn column(&self, chain: usize, column: usize) -> impl Iterator<Item = T> + '_ {
        (0..self.progress().draws)
            .filter_map(move |t| self.traced(chain, t).and_then(|r| r.get(column).copied()))
    }
    fn trace(&self, column: usize) -> Result<Draws<'_, T>, DrawsError> {
        let (chains, columns) = (self.shape.chains(), self.shape.columns());
        let stride = chains.checked_mul(columns).ok_or(DrawsError::Overflow)?;
        Draws::new(self.parts.trace, chains, self.progress().draws, column, columns, stride)
    }

    /// The log likelihood of the training data (standardised, lambda integrated out) at the draws
    /// made so far by all chains.
    pub fn log_likelihood_trace(&self) -> Result<Draws<'_, T>, DrawsError> {
        self.trace(0)
    }
    /// The Metropolis probabilities.
    pub fn acceptance_trace(&self) -> Result<Draws<'_, T>, DrawsError> {
        self.trace(1)
    }
    /// 1 where the trajectory diverged.
    pub fn divergence_trace(&self) -> Result<Draws<'_, T>, DrawsError> {
        self.trace(2)
    }
    /// U plus kinetic energy at the start of each trajectory, for E-BFMI.
    pub fn energy_trace(&self) -> Result<Draws<'_, T>, DrawsError> {
        self.trace(3)
    }
    /// How many training rows have their predictions traced.
    pub fn traced_predictions(&self) -> usize {
        self.shape.traced_rows()
    }
    /// f (standardised) at the k-th traced row.
    pub fn prediction_trace(&self, k: usize) -> Result<Draws<'_, T>, DrawsError> {
        if k >= self.shape.traced_rows() {
            return Err(DrawsError::Empty);
        }
        self.trace(TRACED.saturating_add(k))
    }

    fn mean(&self, chain: usize, column: usize) -> T {
        let mut count = 0;
        let sum = Sum::of(self.column(chain, column).inspect(|_| count += 1));
        sum / T::of_usize(count)
    }
    /// The mean Metropolis probability of a chain's draws; NaN before the first.
    pub fn acceptance(&self, chain: usize) -> T {
        self.mean(chain, 1)
    }
    /// How many of a chain's draws came from divergent trajectories.
    pub fn divergences(&self, chain: usize) -> usize {
        self.column(chain, 2).filter(|x| *x > T::ZERO).count()
    }
    /// The step size of a chain's trajectories, in units of its mass matrix: the one adapted to once the
    /// warm-up is over. `None` if there is no such chain.
    pub fn step_size(&self, chain: usize) -> Option<T> {
        let lanes = self.shape.lanes();
        let (block, lane) = (chain.checked_div(lanes)?, chain.checked_rem(lanes)?);
        let at = block.checked_mul(SCALARS)?.checked_add(LOG_STEP)?.checked_mul(lanes)?;
        let log_step = *self.parts.scalars.get(at.checked_add(lane)?)?;
        let step = special::scalar::exp(log_step);
        (chain < self.shape.chains()).then_some(step)
    }
    /// Gradient evaluations and other passes over the data, of each chain.
    pub fn passes(&self) -> u64 {
        self.word(PASSES)
    }
    /// The mean over a chain's draws of the training log likelihood per row (standardised).
    pub fn mean_log_likelihood(&self, chain: usize) -> T {
        self.mean(chain, 0) / T::of_usize(self.shape.n)
    }
    /// Whether a chain is left out of the model, by the draws so far.
    pub fn dropped(&self, chain: usize) -> bool {
        let o = &self.shape.options;
        if !o.drop.on() {
            return false;
        }
        let best = (0..self.shape.chains())
            .map(|c| self.mean_log_likelihood(c))
            .fold(-T::INFINITY, |best, x| x.max(best));
        let constant = Family::of(Output::StudentT).constant(o.standardise.on());
        falls_short(self.mean_log_likelihood(chain), best, constant, o.drop_below)
    }

    /// Draws that each chain has kept so far.
    pub fn kept(&self) -> usize {
        let o = &self.shape.options;
        (self.progress().draws as u64 * o.keep as u64 / (o.draws as u64).max(1)) as usize
    }
    /// A kept draw: w (M d, neuron by neuron), b (M), v (M), b0, c (d), sigma, nu, in standardised
    /// units. `None` out of range.
    pub fn kept_draw(&self, chain: usize, k: usize) -> Option<&[T]> {
        if k >= self.kept() || chain >= self.shape.chains() {
            return None;
        }
        let own = chain.checked_mul(self.shape.options.keep as usize)?.checked_add(k)?;
        Some(nth(self.parts.kept, self.shape.draw_len(), own))
    }

    fn image_shape(&self) -> OneLayer {
        let o = &self.shape.options;
        OneLayer {
            inputs: self.shape.d,
            neurons: o.neurons as usize,
            activation: o.activation.value(),
        }
    }

    /// The units of the kept draws.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, RegressorError> {
        Ok(Standardiser::load(self.parts.standards, self.shape.d)?)
    }

    /// The bytes that [`write_model`](Self::write_model) needs at most.
    pub fn model_size(&self) -> Result<usize, RegressorError> {
        let draws = self.shape.chains().saturating_mul(self.shape.options.keep as usize);
        Ok(self.image_shape().size::<T>(draws)?)
    }

    /// Writes the draws kept so far by the chains that are not dropped, chain by chain, as a
    /// [`Image`](crate::posterior::Image) to the front of `bytes`, and returns its length.
    pub fn write_model(&self, bytes: &mut [u8]) -> Result<usize, RegressorError> {
        let kept = self.kept();
        refuse(kept == 0, RegressorError::NoDraws)?;
        let mut store = Store::one_layer(bytes, self.image_shape(), &self.standardiser()?)?;
        for chain in (0..self.shape.chains()).filter(|c| !self.dropped(*c)) {
            for draw in (0..kept).filter_map(|k| self.kept_draw(chain, k)) {
                store.push(draw)?;
            }
        }
        Ok(store.seal().ok_or(RegressorError::NoDraws)?.len())
    }

    /// What [`write_prior`](Self::write_prior) of so many draws needs: bytes of the image, values of
    /// scratch.
    pub fn prior_size(&self, draws: usize) -> Result<(usize, usize), RegressorError> {
        let bytes = self.image_shape().size::<T>(draws.max(1))?;
        let state = state_len(self.shape.coordinates(), 0);
        let scratch = state.checked_add(self.shape.draw_len()).ok_or(WorkspaceError::Overflow)?;
        Ok((bytes, scratch))
    }

    /// Writes draws from the prior as a [`Image`](crate::posterior::Image) to the front of `bytes`, and returns its
    /// length: its predictions are the prior predictive in the units of the data. Draws come from the
    /// seed's own stream `Predictive`; sizes by [`prior_size`](Self::prior_size).
    pub fn write_prior(
        &self,
        seed: u64,
        draws: usize,
        scratch: &mut [T],
        bytes: &mut [u8],
    ) -> Result<usize, RegressorError> {
        let (size, values) = self.prior_size(draws)?;
        let small = WorkspaceError::TooSmall;
        let bytes = bytes.get_mut(..size).ok_or(small)?;
        let (state, draw) = scratch
            .get_mut(..values)
            .and_then(|s| s.split_at_mut_checked(state_len(self.shape.coordinates(), 0)))
            .ok_or(small)?;
        let options = &self.shape.options;
        let mut store = Store::one_layer(bytes, self.image_shape(), &self.standardiser()?)?;
        let mut stream = Stream::new(seed, 0, Purpose::Predictive);
        let (prior, gaussian) = (&options.prior(), options.gaussian.on());
        write_prior_draws(&mut store, draws, prior, gaussian, &mut stream, state, draw)?;
        Ok(store.seal().ok_or(RegressorError::NoDraws)?.len())
    }
}
