//! What a Bayesian network tells: progress, traces, luck, kept draws, the model.

use super::layout::TRACED;
use super::mode::MODE;
use super::{BLOCK, Bnn, BnnError, BnnMethod, PASSES, TICK};
use crate::diagnostics::{Draws, DrawsError, median_of_sorted, sort};
use crate::error::refuse;
use crate::estimator::chains::falls_short;
use crate::pieces::{cut, nth};
use crate::posterior::{self, Standardiser, Store, StoreError};
use crate::simd::AnyLanes;
use crate::sum::Sum;

/// ln(2 pi) / 2.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// How much of a prediction is luck: what another seed would change, in units of the predictive sd.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck<T> {
    /// sqrt(mean over the traced rows of the variance of the chains' mean / mean of the predictive variance).
    pub rms: T,
    /// The median over the traced rows of sd(chain means) / sqrt(chains) / predictive sd.
    pub median: T,
}

/// What an ascent came to; or a fit by the evidence lower bound, or swag: that bound in place of Laplace's evidence, an
/// average over the draws, log_joint at the mean of q, and no distance (NaN).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BnnMode<T> {
    /// log p(y, z) at the mode, of the coordinates z in which the weights' prior is N(0, I), y in its own units; of
    /// a maximum of the likelihood log p(y). Where scales or the noise are learnt it is less by about half of the logarithm of
    /// det H, which their evidence has too: what the ascents climb, and are chosen by.
    pub log_joint: T,
    /// Laplace's log evidence log p(y, z) + (dim/2) log 2 pi - (1/2) log det H; NaN where H is not of all
    /// coordinates.
    pub log_evidence: T,
    /// g'H^-1 g before the last step: the square of the distance to the mode in posterior sds, as H then was. Above
    /// 1e-3 the ascent has not reached it.
    pub distance_squared: T,
    /// Steps of the ascent.
    pub steps: T,
    /// The Monte Carlo standard error of log_evidence: 0, but of a bound.
    pub error: T,
}

/// What a chain of part of the rows aimed at, and how noisy its changes of the loss were.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BnnChanges<T> {
    /// T: the law is prior times likelihood^(1/T).
    pub temperature: T,
    /// The step of the draws, of sgld the first.
    pub step: T,
    /// The mean over the steps of the variance of the mean change of the loss: penalty's chi^2, or what it is known to be.
    /// Where it is above 1, or estimated and above a quarter of the minibatches, penalties are wrong. NaN where one
    /// minibatch does not tell, or where no minibatch is compared.
    pub variance: T,
    /// The mean over the steps of the skewness of the changes, times the sign of their mean; 0 of normal ones, which
    /// penalties are for. NaN of fewer than three minibatches.
    pub skewness: T,
    /// The mean over the steps of their excess kurtosis; 0 of normal ones. NaN of fewer than four.
    pub kurtosis: T,
}

impl<T: AnyLanes> Bnn<'_, T> {
    /// What a finished chain of tempered, batched, sgld or penalty aimed at; `None` of other methods, and out of range.
    pub fn changes(&self, chain: usize) -> Option<BnnChanges<T>> {
        let o = &self.shape.options;
        if chain >= self.finished() || !o.method.value().walks() {
            return None;
        }
        let told = nth(self.parts.modes, MODE, chain).first_chunk::<MODE>()?;
        let [step, count, shaped, variance, skewness, kurtosis, ..] = *told;
        let known = |x: T, is: bool| if is { x } else { T::NAN };
        let single = o.minibatches == 1 && o.method != BnnMethod::Penalty;
        Some(BnnChanges {
            temperature: super::subsampled::temperature(&self.shape),
            step,
            variance: known(variance, count > T::ZERO && !single),
            skewness: known(skewness, shaped > T::ZERO),
            kurtosis: known(kurtosis, shaped > T::ZERO),
        })
    }

    /// What the ascent of a finished chain came to; `None` of methods that do not climb, and out of range.
    pub fn mode(&self, chain: usize) -> Option<BnnMode<T>> {
        if chain >= self.finished() || !self.shape.options.method.value().climbs() {
            return None;
        }
        let mut error = T::ZERO;
        let [mut value, mut distance_squared, mut log_evidence, steps, ..] =
            *nth(self.parts.modes, MODE, chain).first_chunk::<MODE>()?;
        let o = &self.shape.options;
        let units = *self.parts.standards.last()?;
        if o.method.value().fits() {
            // The bound, the sum of squares about it, and the density at the mean.
            let draws = T::of_u32(o.draws);
            error = (distance_squared / (draws - T::ONE) / draws).sqrt();
            (value, log_evidence, distance_squared) = (log_evidence, value - units, T::NAN);
        }
        let constant = match o.method.value() {
            BnnMethod::MaximumLikelihood => T::ZERO,
            _ => T::of_usize(self.coordinates()) * T::lit(HALF_LN_2_PI),
        };
        let log_joint = value - constant - units;
        Some(BnnMode { log_joint, log_evidence, distance_squared, steps, error })
    }

    /// The mode of the chain that climbed last, in the coordinates that are sampled; empty of other methods.
    pub fn mode_coordinates(&self) -> &[T] {
        self.parts.vectors.get(..self.coordinates()).unwrap_or(&[])
    }

    /// The means and the sds of the coordinates under the Gaussian that a finished chain fitted by the evidence lower
    /// bound, or to its iterates; `None` of other methods, and out of range.
    pub fn law(&self, chain: usize) -> Option<(&[T], &[T])> {
        let own = if chain < self.finished() { self.coordinates() } else { 0 };
        let law = nth(self.parts.laws, own.saturating_mul(2), chain);
        law.split_at_checked(own).filter(|(mean, _)| !mean.is_empty())
    }

    /// The Gaussian about it: L of H = LL', packed row by row with the reciprocals of the diagonal, or the
    /// diagonal of H, of the coordinates that it is about. Means nothing before the chain's first draw.
    pub fn mode_factor(&self) -> &[T] {
        self.parts.curvature
    }

    /// n.
    pub fn rows(&self) -> usize {
        self.shape.n
    }
    /// Columns of the data.
    pub fn columns(&self) -> usize {
        self.shape.d
    }
    /// Chains, also where the options leave their number open.
    pub fn chains(&self) -> usize {
        self.shape.chains()
    }
    /// Coordinates of the posterior.
    pub fn coordinates(&self) -> usize {
        self.shape.places().dim
    }
    /// Chains that are at their end.
    pub fn finished(&self) -> usize {
        let done = (self.word(BLOCK) as usize).saturating_mul(self.shape.lanes());
        done.min(self.chains())
    }
    /// Units of work done and in all: steps of starts and trajectories of blocks of chains.
    pub fn units(&self) -> (u64, u64) {
        let block = self.shape.units();
        let done = self.word(BLOCK).saturating_mul(block).saturating_add(self.word(TICK));
        (done, block.saturating_mul(self.shape.blocks() as u64))
    }
    /// Passes over the data made so far, and in all but for one of each renewal of a mass, of all blocks of
    /// chains together; of other methods than chains about as many.
    pub fn passes(&self) -> (u64, u64) {
        let o = &self.shape.options;
        if o.method.value().walks() {
            let block = o.start_steps as u64 + super::subsampled::passes(&self.shape);
            return (self.word(PASSES), block.saturating_mul(self.shape.blocks() as u64));
        }
        if o.method != BnnMethod::Hmc {
            // Two a pair of normals where a law is fitted, or as many as an integral has points.
            let more = match o.method.value() {
                method if !method.fits() || method == BnnMethod::Swag => 1,
                _ if o.pairs == 0 => super::expectation::NODES as u64,
                _ => o.pairs as u64 * 2,
            };
            let block = self.shape.units() + o.warmup as u64 * (more - 1);
            return (self.word(PASSES), block.saturating_mul(self.shape.blocks() as u64));
        }
        let trajectories = o.warmup as u64 + o.draws as u64;
        let block = o.start_steps as u64
            + trajectories * (o.leapfrogs as u64 + 2)
            + o.draws as u64
            + o.warmup as u64 * 2;
        (self.word(PASSES), block.saturating_mul(self.shape.blocks() as u64))
    }
    /// Draws of the finished chains that came from divergent trajectories.
    pub fn divergences(&self) -> u64 {
        let of = |c| self.cells(c, 2).filter(|flag| *flag > T::ZERO).count() as u64;
        (0..self.finished()).map(of).fold(0, u64::saturating_add)
    }
    /// Evaluations of the gradient so far, summed over chains.
    pub fn gradients(&self) -> u64 {
        let of_all_blocks = self.word(PASSES).saturating_mul(self.chains() as u64);
        of_all_blocks.checked_div(self.shape.blocks() as u64).unwrap_or(0)
    }

    /// Draw t of chain c: its row of the trace.
    fn traced(&self, chain: usize, t: usize) -> Option<&[T]> {
        if t >= self.shape.options.draws as usize || chain >= self.finished() {
            return None;
        }
        let k = t.checked_mul(self.chains())?.checked_add(chain)?;
        Some(nth(self.parts.trace, self.shape.columns(), k))
    }
    fn cells(&self, chain: usize, column: usize) -> impl Iterator<Item = T> + '_ {
        (0..self.shape.options.draws as usize)
            .filter_map(move |t| self.traced(chain, t).and_then(|row| row.get(column).copied()))
    }
    fn trace(&self, column: usize) -> Result<Draws<'_, T>, DrawsError> {
        let (chains, columns) = (self.chains(), self.shape.columns());
        let stride = chains.checked_mul(columns).ok_or(DrawsError::Overflow)?;
        let draws = self.shape.options.draws as usize;
        Draws::new(self.parts.trace, self.finished(), draws, column, columns, stride)
    }
    /// The log likelihood of the training data at the draws of the finished chains.
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
    /// The energies at the starts of the trajectories.
    pub fn energy_trace(&self) -> Result<Draws<'_, T>, DrawsError> {
        self.trace(3)
    }
    /// How many training rows have their predictions traced.
    pub fn traced_predictions(&self) -> usize {
        self.shape.traced_rows()
    }
    /// E(y) at the k-th traced row (of a class: the probability of the one observed there), in standardised
    /// units.
    pub fn prediction_trace(&self, k: usize) -> Result<Draws<'_, T>, DrawsError> {
        refuse(k >= self.shape.traced_rows(), DrawsError::Empty)?;
        self.trace(TRACED.saturating_add(k.saturating_mul(2)))
    }

    fn mean(&self, chain: usize, column: usize) -> T {
        let mut count = 0;
        let sum = Sum::of(self.cells(chain, column).inspect(|_| count += 1));
        sum / T::of_usize(count)
    }
    /// The mean Metropolis probability of a chain's draws; NaN before they are made.
    pub fn acceptance(&self, chain: usize) -> T {
        self.mean(chain, 1)
    }
    /// The mean over a chain's draws of the training log likelihood per row, or per unit of weight.
    pub fn mean_log_likelihood(&self, chain: usize) -> T {
        self.mean(chain, 0) / self.shape.total
    }
    /// What chains are chosen by: the log likelihood per row, or where each climbed the density at its mode.
    fn merit(&self, chain: usize) -> T {
        match nth(self.parts.modes, MODE, chain) {
            [value, ..] if self.shape.options.method.value().chooses() => *value,
            _ => self.mean_log_likelihood(chain),
        }
    }
    fn best(&self) -> T {
        (0..self.finished()).map(|c| self.merit(c)).fold(-T::INFINITY, |best, x| x.max(best))
    }
    /// Whether a chain is left out of the model, by the chains finished so far.
    pub fn dropped(&self, chain: usize) -> bool {
        self.falls_short(chain, self.best())
    }
    fn falls_short(&self, chain: usize, best: T) -> bool {
        let (o, own) = (&self.shape.options, self.merit(chain));
        if o.method.value().chooses() {
            return own < best;
        }
        // A tempered posterior may fit less well than the constant.
        let constant = o.family().constant(o.standardise > 0);
        let constant = constant.filter(|_| !o.method.value().walks());
        o.drop.on() && falls_short(own, best, constant, o.drop_below)
    }
    /// How many finished chains are left out.
    pub fn chains_dropped(&self) -> usize {
        let best = self.best();
        (0..self.finished()).filter(|c| self.falls_short(*c, best)).count()
    }

    /// What another seed would change, by the spread of the chains that are not dropped. NaN with fewer
    /// than two, or without traced rows. `scratch`: twice
    /// [`traced_predictions`](Self::traced_predictions) numbers; NaN with fewer.
    pub fn luck(&self, scratch: &mut [T]) -> Luck<T> {
        let nothing = Luck { rms: T::NAN, median: T::NAN };
        let rows = self.shape.traced_rows();
        let Some(([ratios, spare], _)) = cut(scratch, [rows; 2]) else { return nothing };
        let best = self.best();
        let used = |c: &usize| !self.falls_short(*c, best);
        let chains = (0..self.finished()).filter(used).count();
        if chains < 2 || rows == 0 {
            return nothing;
        }
        let count = T::of_usize(chains);
        let (mut between, mut within) = (Sum::ZERO, Sum::ZERO);
        for (k, ratio) in ratios.iter_mut().enumerate() {
            let column = TRACED.saturating_add(k.saturating_mul(2));
            let own = || (0..self.finished()).filter(used);
            let centre = Sum::of(own().map(|c| self.mean(c, column))) / count;
            let square = |x: T| (x - centre) * (x - centre);
            let spread = Sum::of(own().map(|c| square(self.mean(c, column))));
            let luck = spread / (count - T::ONE) / count;
            let draws = T::of_u32(self.shape.options.draws) * count;
            let cells = |column| own().flat_map(move |c| self.cells(c, column));
            let epistemic = Sum::of(cells(column).map(square)) / draws;
            let variance = epistemic + Sum::of(cells(column.saturating_add(1))) / draws;
            between.add(luck);
            within.add(variance);
            *ratio = (luck / variance).sqrt();
        }
        sort(ratios, spare);
        let rms = (between.value() / within.value()).sqrt();
        Luck { rms, median: median_of_sorted(ratios) }
    }

    /// Draws that every chain keeps.
    pub fn kept(&self) -> usize {
        self.shape.options.keep as usize
    }
    /// A kept draw of a finished chain: the network's parameters in the order of
    /// [`Architecture`](crate::network::Architecture), then those of the output family, in standardised
    /// units. Of a Gaussian about a mode, without hidden layers, to first order in the coordinates: of weights that are a scale times
    /// a coordinate the Gaussian knows the product, neither by itself. `None` out of range.
    pub fn kept_draw(&self, chain: usize, k: usize) -> Option<&[T]> {
        if k >= self.kept() || chain >= self.finished() {
            return None;
        }
        let own = chain.checked_mul(self.kept())?.checked_add(k)?;
        let o = &self.shape.options;
        let first_order = o.is_linear() && o.method.value().spreads();
        let draws: &[T] = if first_order { self.parts.tangents } else { self.parts.kept };
        Some(nth(draws, self.shape.draw_len(), own))
    }

    fn image_shape(&self) -> posterior::Shape {
        let o = &self.shape.options;
        let exposed = o.exposure.on();
        posterior::Shape::of(self.shape.architecture(), o.activation.value(), &o.family(), exposed)
    }

    /// The units of the kept draws.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, BnnError> {
        Ok(Standardiser::load(self.parts.standards, self.shape.d)?)
    }

    /// The bytes that [`write_model`](Self::write_model), or of a Gaussian about a mode
    /// [`write_linearised`](Self::write_linearised), needs at most.
    pub fn model_size(&self) -> Result<usize, BnnError> {
        let draws = self.chains().saturating_mul(self.kept());
        let linearised = self.shape.options.method.value().spreads();
        Ok(posterior::Shape { linearised, ..self.image_shape() }.size::<T>(draws)?)
    }

    /// Whether [`write_linearised`](Self::write_linearised) writes the better model ([`BnnOptions::linearises`](super::BnnOptions::linearises)).
    pub fn linearises(&self) -> bool {
        self.shape.options.linearises()
    }

    /// [`write_model`](Self::write_model) of laplace, laplace-diagonal and last-layer, of the network that is linearised
    /// at the mode (Immer, Korzepa and Bauer 2021): the outputs of a draw are f(z*) + J (z - z*), z the coordinates in
    /// which the Gaussian is, so that with H the generalised Gauss-Newton matrix this is the posterior of a generalised
    /// linear model. Of last-layer, and without hidden layers, it predicts as `write_model` does.
    /// [`BnnError::NoDraws`] of other methods.
    pub fn write_linearised(&self, bytes: &mut [u8]) -> Result<usize, BnnError> {
        let o = &self.shape.options;
        refuse(self.finished() == 0 || !o.method.value().spreads(), BnnError::NoDraws)?;
        let shape = posterior::Shape { linearised: true, ..self.image_shape() };
        let floor = if shape.has_floor() { o.family().floor } else { T::ZERO };
        let length = self.shape.architecture().dim();
        let (_, mode) = self.parts.point.split_first().ok_or(BnnError::NotANetwork)?;
        let mode = mode.get(..length).ok_or(BnnError::NotANetwork)?;
        let mut store = Store::with_point(bytes, shape, &self.standardiser()?, floor, mode)?;
        let best = self.best();
        for chain in (0..self.finished()).filter(|c| !self.falls_short(*c, best)) {
            for k in 0..self.kept() {
                let own = chain.saturating_mul(self.kept()).saturating_add(k);
                store.push(nth(self.parts.tangents, self.shape.draw_len(), own))?;
            }
        }
        Ok(store.seal().ok_or(BnnError::NoDraws)?.len())
    }

    fn store<'b>(&self, bytes: &'b mut [u8]) -> Result<Store<'b, T>, BnnError> {
        let (shape, units) = (self.image_shape(), self.standardiser()?);
        let floor = if shape.has_floor() { self.shape.options.family().floor } else { T::ZERO };
        Ok(Store::with_floor(bytes, shape, &units, floor)?)
    }

    /// The log density at the best end of a start.
    pub(super) fn point_value(&self) -> T {
        self.parts.point.first().copied().unwrap_or(-T::INFINITY)
    }

    /// Writes the point that the best start of a chain came to, by the posterior's log density in the coordinates
    /// that are sampled, as an image of one draw: what optimisation without Bayes would predict by. Its nu, where
    /// sampled, is that of the start, 30. Returns its length, at most [`model_size`](Self::model_size).
    pub fn write_point(&self, bytes: &mut [u8]) -> Result<usize, BnnError> {
        let (value, draw) = self.parts.point.split_first().ok_or(BnnError::NotANetwork)?;
        refuse(!(*value > -T::INFINITY), BnnError::NoDraws)?;
        let mut store = self.store(bytes)?;
        store.push(draw)?;
        Ok(store.seal().ok_or(BnnError::NoDraws)?.len())
    }

    /// Writes the kept draws of the finished chains that are not dropped, chain by chain, as a
    /// [`Image`](crate::posterior::Image) to the front of `bytes`, and returns its length.
    pub fn write_model(&self, bytes: &mut [u8]) -> Result<usize, BnnError> {
        refuse(self.finished() == 0, BnnError::NoDraws)?;
        let mut store = self.store(bytes)?;
        let (best, batched) = (self.best(), self.shape.options.batch > 0);
        for chain in (0..self.finished()).filter(|c| !self.falls_short(*c, best)) {
            for draw in (0..self.kept()).filter_map(|k| self.kept_draw(chain, k)) {
                store.push(draw).map_err(|error| match error {
                    StoreError::Value if batched => BnnError::Diverged,
                    error => error.into(),
                })?;
            }
        }
        Ok(store.seal().ok_or(BnnError::NoDraws)?.len())
    }
}
