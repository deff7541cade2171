//! What prequential Greedy Bayes reports, and the model that it leaves.

use super::layout::LEVEL;
use super::level::{sign, top};
use super::options::{Averaging, PrequentialError};
use super::{COUNT, Compiled, IDLE, PHASE, Prequential, VISITS, in_units};
use crate::error::refuse;
use crate::estimator::greedy_bayes::recursion;
use crate::pieces::nth;
use crate::posterior::{OneLayer, Standardiser, Store};
use crate::predict::{self, Mixture, Prediction, log_normalisers};
use crate::simd::Isa;
use crate::special;
use crate::sum::Sum;

/// The shape of the Gamma prior of the errors' precision.
const PRIOR: f64 = 2.0;

/// The law of a row's target given the rows before it: Student-t about f_{i,K}(x), in the target's units.
/// Its scale and degrees of freedom are those of the posterior predictive of i.i.d. N(0, s^2) errors,
/// s^-2 ~ Gamma(2, rate 2 noise^2), given the errors one step ahead so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast<T> {
    /// f_{i,K}(x).
    pub location: T,
    /// The scale.
    pub scale: T,
    /// The degrees of freedom, the rows so far and four more.
    pub nu: T,
}

impl<T: predict::Compiled> Forecast<T> {
    fn with<R>(&self, f: impl FnOnce(Mixture<'_, T>) -> R) -> Option<R> {
        let mut norm = [T::ZERO];
        log_normalisers(&[self.nu], &mut norm);
        let (location, scale, nu) = ([self.location], [self.scale], [self.nu]);
        Mixture::new(Isa::Portable, &location, &scale, &nu, &norm).map(f)
    }

    /// ln of its density at y.
    pub fn log_density(&self, y: T) -> T {
        self.with(|m| m.log_density(y)).unwrap_or(T::NAN)
    }

    /// P(Y <= y).
    pub fn cdf(&self, y: T) -> T {
        self.with(|m| m.cdf(y)).unwrap_or(T::NAN)
    }

    /// The continuous ranked probability score of y, in its units.
    pub fn crps(&self, y: T) -> T {
        self.with(|m| m.crps(y)).unwrap_or(T::NAN)
    }

    /// Mean, sd and the interval that leaves (1 - level)/2 on each side;
    /// NaN where the level is outside (0, 1).
    pub fn prediction(&self, level: T) -> Prediction<T> {
        let nan = Prediction { mean: T::NAN, sd: T::NAN, lower: T::NAN, upper: T::NAN };
        Prediction { mean: self.location, ..self.with(|m| m.prediction(level)).unwrap_or(nan) }
    }
}

/// The losses of the forecasts so far, each made before its row was seen.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses<T> {
    /// Rows.
    pub rows: u64,
    /// The sum of (y_i - f_{i,K}(x_i))^2, in the target's units.
    pub squared: T,
    /// The sum of minus log densities, in nats: the prequential description length of the targets.
    pub log: T,
}

/// How far a learner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrequentialProgress {
    /// Rows done with ...
    pub rows: u64,
    /// ... of those that there is room for.
    pub of: u64,
    /// Row visits so far: rows times particles, one for each evaluation of a likelihood or a neuron.
    pub visits: u64,
    /// Whether it is done with the last row and takes another.
    pub idle: bool,
}

/// One level, after the rows so far.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrequentialLevel<T> {
    /// The log evidence of its posterior, log E_p0 exp(alpha V sum r psi).
    pub log_evidence: T,
    /// The effective particles as a share of all.
    pub ess: T,
    /// The mean acceptance when they last moved; NaN before.
    pub acceptance: T,
    /// f_k at the last row, in the neurons' units.
    pub fit: T,
    /// Times that they were resampled and moved.
    pub resamplings: u64,
}

impl<T: predict::Compiled> Prequential<'_, T> {
    /// The inputs of a row.
    pub fn inputs(&self) -> usize {
        self.shape.d
    }

    /// Rows done with.
    pub fn rows(&self) -> usize {
        self.word(COUNT) as usize
    }

    /// Where it is.
    pub fn progress(&self) -> PrequentialProgress {
        PrequentialProgress {
            rows: self.word(COUNT),
            of: self.shape.rows as u64,
            visits: self.word(VISITS),
            idle: self.word(PHASE) == IDLE,
        }
    }

    /// The losses so far.
    pub fn losses(&self) -> Losses<T> {
        let s = self.scalars();
        Losses { rows: self.word(COUNT), squared: s.squares.value(), log: s.log.value() }
    }

    /// Level k = 0, 1, ...; `None` beyond.
    pub fn level_report(&self, k: usize) -> Option<PrequentialLevel<T>> {
        let [log, lost, _, acceptance, resamplings, fit] =
            *nth(self.parts.levels, LEVEL, k).first_chunk::<LEVEL>()?;
        let logs = nth(self.parts.logs, self.shape.particles(), k);
        let top = top(logs);
        let (mut sum, mut squares) = (Sum::ZERO, Sum::ZERO);
        for l in logs {
            let w = special::scalar::exp(*l - top);
            sum.add(w);
            squares.add(w * w);
        }
        let (sum, count) = (sum.value(), T::of_usize(logs.len()));
        let log_mean = special::scalar::ln(sum / count);
        Some(PrequentialLevel {
            log_evidence: log + (lost + (top + log_mean)),
            ess: sum / count * (sum / squares.value()),
            acceptance,
            fit,
            resamplings: resamplings.to_usize() as u64,
        })
    }

    /// The residuals r_{j,k} that level k + 1 sees, k = 0, 1, ..., at the rows so far, in the neurons'
    /// units.
    pub fn residuals(&self, k: usize) -> &[T] {
        nth(self.parts.residuals, self.shape.rows, k).get(..self.rows()).unwrap_or(&[])
    }

    /// The units of the neurons.
    pub fn standardiser(&self) -> Result<Standardiser<'_, T>, PrequentialError> {
        Ok(Standardiser::load(self.parts.standards, self.shape.d)?)
    }

    /// The law about a fit in the neurons' units.
    pub(super) fn law(&self, fit: T) -> Result<Forecast<T>, PrequentialError> {
        let units = self.standardiser()?;
        let rate = self.scalars().rate.value();
        let rows = T::of_usize(self.rows());
        let shape = T::lit(PRIOR) + T::HALF * rows;
        Ok(Forecast {
            location: units.raw_target(fit),
            scale: units.sd_y() * (rate / shape).sqrt(),
            nu: shape + shape,
        })
    }

    /// The law that predicted the last row, degrees of freedom included; `None` before the first.
    pub fn last_forecast(&self) -> Option<Forecast<T>> {
        let s = self.scalars();
        let rows = self.rows().checked_sub(1)?;
        let nu = T::lit(2.0 * PRIOR) + T::of_usize(rows);
        Some(Forecast { location: s.location, scale: s.scale, nu })
    }

    /// The scratch of [`forecast`](Self::forecast) and [`expectation`](Self::expectation): one row.
    pub fn row_scratch(&self) -> usize {
        self.shape.columns()
    }

    /// The row in the neurons' units, in the front of the scratch.
    fn row<'s>(&self, x: &[T], scratch: &'s mut [T]) -> Result<&'s [T], PrequentialError> {
        self.idle()?;
        let units = self.standardiser()?;
        self.check(&units, x)?;
        let row = scratch.get_mut(..self.shape.columns()).ok_or(PrequentialError::TooShort)?;
        Ok(in_units(&units, x, row))
    }

    fn image_shape(&self) -> OneLayer {
        let activation = self.shape.options.activation.value();
        OneLayer { inputs: self.shape.d, neurons: self.shape.levels(), activation }
    }

    /// Values of one draw of the model: the scratch of [`write_model`](Self::write_model).
    pub fn model_scratch(&self) -> usize {
        self.image_shape().draw_len().unwrap_or(usize::MAX)
    }

    /// The bytes that [`write_model`](Self::write_model) needs.
    pub fn model_size(&self) -> Result<usize, PrequentialError> {
        Ok(self.image_shape().size::<T>(self.shape.options.keep as usize)?)
    }

    /// Of neuron k of draw j: entry c of w, or behind the last its expected sign.
    fn entry(&self, averaging: Averaging, j: usize, k: usize, c: usize) -> T {
        let (columns, lanes) = (self.shape.columns(), self.shape.lanes().max(1));
        let last = match averaging {
            Averaging::Printed => self.rows() == 0,
            Averaging::Inclusive => self.due()(j),
            Averaging::Last => true,
        };
        let value = if !last {
            let own = j.saturating_mul(self.shape.levels()).saturating_add(k);
            nth(self.parts.draws, self.shape.neuron(), own).get(c).copied()
        } else {
            let (particles, keep) = (self.shape.particles(), self.shape.options.keep as usize);
            let pick = nth(self.parts.picks, keep, k).get(j).copied().unwrap_or(0) as usize;
            if c < columns {
                let weights = nth(self.parts.weights, particles.saturating_mul(columns), k);
                let block = nth(weights, columns.saturating_mul(lanes), pick / lanes);
                nth(block, lanes, c).get(pick % lanes).copied()
            } else {
                let tilt = nth(self.parts.tilts, particles, k).get(pick);
                Some(tilt.map_or(T::ONE, |t| sign(*t)))
            }
        };
        value.unwrap_or(T::ZERO)
    }

    /// Writes f_K as a [`Image`](crate::posterior::Image) to the front of `bytes`, and returns its length: `keep`
    /// networks of K neurons, one drawn from each level at one i, so that their mean is f_K (33) with
    /// the Monte Carlo error of so many draws and their spread that of the posteriors and of i. Outer
    /// weights are the levels' shares times V times the neuron's expected sign, the noise is that of
    /// [`Forecast`].
    pub fn write_model(
        &self,
        averaging: Averaging,
        bytes: &mut [u8],
        scratch: &mut [T],
    ) -> Result<usize, PrequentialError> {
        self.idle()?;
        refuse(scratch.len() < self.model_scratch(), PrequentialError::TooShort)?;
        let (o, levels) = (&self.shape.options, self.shape.levels());
        let columns = self.shape.columns();
        let units = self.standardiser()?;
        let law = self.law(T::ZERO)?;
        let noise = [law.scale / units.sd_y(), law.nu];
        let mut store = Store::one_layer(bytes, self.image_shape(), &units)?;
        for j in 0..o.keep as usize {
            let w = |k: usize, c: usize| match c {
                c if c < columns => self.entry(averaging, j, k, c),
                _ => T::ZERO,
            };
            let outer = |k: usize| {
                let sign = self.entry(averaging, j, k, columns);
                recursion::share(o.beta, k, levels) * o.outer * sign
            };
            store.push_neurons(&w, &outer, T::ZERO, noise, scratch)?;
        }
        Ok(store.seal().ok_or(PrequentialError::NotALearner)?.len())
    }
}

impl<T: Compiled> Prequential<'_, T> {
    /// The law of the target at x, d inputs in raw units, given the rows so far: K N (2 d + 12) flops and
    /// 2 K N activations. `scratch` holds [`row_scratch`](Self::row_scratch) numbers.
    pub fn forecast(&self, x: &[T], scratch: &mut [T]) -> Result<Forecast<T>, PrequentialError> {
        let row = self.row(x, scratch)?;
        let mut fit = [T::ZERO];
        for k in 0..self.shape.levels() {
            let mean = T::mean(self, k, row).ok_or(PrequentialError::NotALearner)?;
            recursion::advance(self.shape.options.beta, &mut fit, &[mean]);
        }
        let [fit] = fit;
        self.law(fit)
    }

    /// E\[V s psi(x.w)\] under the posterior of level k = 0, 1, ... given the rows so far, in the neurons'
    /// units.
    pub fn expectation(&self, k: usize, x: &[T], scratch: &mut [T]) -> Result<T, PrequentialError> {
        let row = self.row(x, scratch)?;
        T::mean(self, k, row).ok_or(PrequentialError::TooShort)
    }
}
