//! What batch Greedy Bayes reports, and the model that it leaves.

use super::layout::REPORT;
use super::options::GreedyError;
use super::{DONE, EVALUATIONS, GreedyBayes, LEVEL, PHASE, USED};
use crate::error::refuse;
use crate::pieces::nth;
use crate::posterior::{OneLayer, Standardiser, Store};
use crate::simd::AnyLanes;
use crate::smc::Average;

/// How far an estimator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GreedyProgress {
    /// Levels done with ...
    pub levels: u32,
    /// ... of this many.
    pub of: u32,
    /// Evaluations of the likelihood that each particle of every level has cost so far.
    pub evaluations: u64,
    /// Whether the result is there.
    pub done: bool,
}

/// One level, in the neurons' units.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreedyLevel<T> {
    /// The log evidence of its posterior ...
    pub log_evidence: T,
    /// ... and its standard error.
    pub evidence_error: T,
    /// The mean acceptance at the last temperature.
    pub acceptance: T,
    /// Its alpha.
    pub alpha: T,
    /// The root mean square of y - f after it, over the rows that it saw ...
    pub rmse: T,
    /// ... and over those held out; NaN without.
    pub rmse_held_out: T,
    /// The weight of its mean in the result; 0 before the end, and where it is not used.
    pub coefficient: T,
    /// Draws of the prior that its particles descend from.
    pub families: u32,
    /// Temperatures.
    pub stages: u32,
}

impl<T: AnyLanes> GreedyBayes<'_, T> {
    /// Where it is.
    pub fn progress(&self) -> GreedyProgress {
        GreedyProgress {
            levels: self.word(LEVEL) as u32,
            of: self.shape.options.levels,
            evaluations: self.word(EVALUATIONS),
            done: self.word(PHASE) >= DONE,
        }
    }

    /// Levels that are done with.
    fn levels(&self) -> usize {
        self.level().min(self.shape.levels())
    }

    /// Level k = 0, 1, ... of those done with; `None` beyond.
    pub fn level_report(&self, k: usize) -> Option<GreedyLevel<T>> {
        if k >= self.levels() {
            return None;
        }
        let own = nth(self.parts.report, REPORT, k).first_chunk::<REPORT>()?;
        let [
            log_evidence,
            evidence_error,
            families,
            stages,
            acceptance,
            alpha,
            rmse,
            rmse_held_out,
        ] = *own;
        Some(GreedyLevel {
            log_evidence,
            evidence_error,
            acceptance,
            alpha,
            rmse,
            rmse_held_out,
            coefficient: self.coefficients().get(k).copied().unwrap_or(T::ZERO),
            families: families.to_usize() as u32,
            stages: stages.to_usize() as u32,
        })
    }

    /// The levels in the result, the first so many; 0 before it is there.
    pub fn used(&self) -> usize {
        self.word(USED) as usize
    }

    /// The intercept of the result, in units of the neurons; 0 where the levels are not re-fitted.
    pub fn intercept(&self) -> T {
        self.parts.scalars.first().copied().unwrap_or(T::NAN)
    }

    /// The sd of the noise, in units of the neurons.
    pub fn noise(&self) -> T {
        self.parts.scalars.get(1).copied().unwrap_or(T::NAN)
    }

    /// The weight of each level's mean in the result, 0 for those not used.
    pub fn coefficients(&self) -> &[T] {
        self.parts.coefficients
    }

    /// Which row of the data row i of the estimator's own copy is: first those that the levels saw,
    /// then those held out.
    pub fn order(&self) -> &[u32] {
        self.parts.order
    }

    /// f after the levels so far, at the rows in [`order`](Self::order), in the neurons' units.
    pub fn fit(&self) -> &[T] {
        self.parts.fit
    }

    /// The residuals of the level at hand, or of the last, in the same order: y - (1 - beta) f of the
    /// levels before it.
    pub fn residuals(&self) -> &[T] {
        self.parts.residuals
    }

    /// E\[V s psi(x.w)\] of level k at the same rows; empty for levels not done with.
    pub fn expectations(&self, k: usize) -> &[T] {
        if k < self.levels() { nth(self.parts.means, self.shape.n, k) } else { &[] }
    }

    /// The particles of level k, as they lie: column by column (the inputs', then that of ones), in
    /// each one value a particle.
    pub fn particles(&self, k: usize) -> &[T] {
        let size = self.shape.particles().saturating_mul(self.shape.columns());
        if k < self.levels() { nth(self.parts.weights, size, k) } else { &[] }
    }

    /// The expected sign of each particle of level k given its w: 1 where the neuron has no sign.
    pub fn signs(&self, k: usize) -> &[T] {
        if k < self.levels() { nth(self.parts.signs, self.shape.particles(), k) } else { &[] }
    }

    /// The mean over the particles of level k of a quantity of one value each, with its error by
    /// families ([`Average`]). `scratch` holds one number a particle. `None` for levels not done with,
    /// or where values or scratch are too few.
    pub fn average(&self, k: usize, values: &[T], scratch: &mut [T]) -> Option<Average<T>> {
        let particles = self.shape.particles();
        let origins = nth(self.parts.origins, particles, k);
        let values = values.get(..particles)?;
        let sums = scratch.get_mut(..particles)?;
        if k >= self.levels() {
            return None;
        }
        Average::of(values.iter().copied(), origins, sums)
    }

    /// The units of the neurons.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, GreedyError> {
        Ok(Standardiser::load(self.parts.standards, self.shape.d)?)
    }

    fn image_shape(&self, levels: usize) -> OneLayer {
        let activation = self.shape.options.activation.value();
        OneLayer { inputs: self.shape.d, neurons: levels, activation }
    }

    /// Values of one draw of the model at most: the scratch of [`write_model`](Self::write_model).
    pub fn model_scratch(&self) -> usize {
        self.image_shape(self.shape.levels()).draw_len().unwrap_or(usize::MAX)
    }

    /// The bytes that [`write_model`](Self::write_model) needs at most.
    pub fn model_size(&self) -> Result<usize, GreedyError> {
        let keep = self.shape.options.keep as usize;
        Ok(self.image_shape(self.shape.levels()).size::<T>(keep)?)
    }

    /// Writes the result as a [`Image`](crate::posterior::Image) to the front of `bytes`, and returns its length.
    ///
    /// Draw j of J is a network of one particle of every level used, number floor(j N/J) of each: the
    /// levels are independent given their residuals, so any pairing will do. Its outer weights are the
    /// level's coefficient times V times the particle's expected sign, its noise is Gaussian. The mean
    /// over the draws is the fit (with J = N exactly), their spread that of the levels' posteriors.
    pub fn write_model(&self, bytes: &mut [u8], scratch: &mut [T]) -> Result<usize, GreedyError> {
        refuse(!self.progress().done, GreedyError::NotDone)?;
        let (o, particles, d) = (&self.shape.options, self.shape.particles(), self.shape.d);
        let mut store =
            Store::one_layer(bytes, self.image_shape(self.used()), &self.standardiser()?)?;
        for j in 0..o.keep as u64 {
            let own = j.saturating_mul(particles as u64).checked_div(o.keep as u64).unwrap_or(0);
            let own = own as usize;
            let one = |all: &[T]| all.get(own).copied().unwrap_or(T::ZERO);
            let weight = |k: usize, column: usize| match column {
                c if c < d || o.intercept.on() => one(nth(self.particles(k), particles, c)),
                _ => T::ZERO,
            };
            let outer = |k: usize| {
                let c = self.coefficients().get(k).copied().unwrap_or(T::ZERO);
                c * o.outer * one(self.signs(k))
            };
            let noise = [self.noise(), T::INFINITY];
            store.push_neurons(&weight, &outer, self.intercept(), noise, scratch)?;
        }
        Ok(store.seal().ok_or(GreedyError::NotDone)?.len())
    }
}
