//! Scores of predictions over many rows.

use super::network::{Compiled, PredictError, Predictor};
use crate::data::{Dataset, Inputs};
use crate::random::Stream;
use crate::sum::Sum;

/// How well a posterior predicts test rows, everything in the target's units.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<T> {
    /// Root mean square error of the predictive means.
    pub rmse: T,
    /// Mean log density of the predictive mixture at the targets.
    pub log_likelihood: T,
    /// The fraction of targets inside their central interval.
    pub coverage: T,
    /// Mean width of the intervals.
    pub width: T,
    /// Mean continuous ranked probability score; NaN where it was not asked for.
    pub crps: T,
}

impl<T: Compiled> Predictor<'_, T> {
    /// Scores the predictions of every row against its target: intervals of the given level;
    /// `crps` asks for that score too, which takes ten times as long as the rest. Compensated sums
    /// over the rows in order. `scratch`: [`rows_scratch`](Self::rows_scratch) numbers.
    pub fn evaluate(
        &self,
        data: &Dataset<'_, T>,
        level: T,
        crps: bool,
        scratch: &mut [T],
    ) -> Result<Evaluation<T>, PredictError> {
        if !(level > T::ZERO && level < T::ONE) {
            return Err(PredictError::Level);
        }
        let (mut squares, mut logs, mut inside) = (Sum::ZERO, Sum::ZERO, 0_usize);
        let (mut widths, mut scores) = (Sum::ZERO, Sum::ZERO);
        self.for_each_row(&data.inputs, scratch, |row, mixture| {
            let y = data.y().get(row).copied().unwrap_or(T::NAN);
            let error = mixture.mean() - y;
            squares.add(error * error);
            logs.add(mixture.log_density(y));
            let (lower, upper) = mixture.central_interval(level);
            widths.add(upper - lower);
            if lower <= y && y <= upper {
                inside = inside.saturating_add(1);
            }
            scores.add(if crps { mixture.crps(y) } else { T::NAN });
        })?;
        let count = T::of_usize(data.n());
        Ok(Evaluation {
            rmse: (squares.value() / count).sqrt(),
            log_likelihood: logs.value() / count,
            coverage: T::of_usize(inside) / count,
            width: widths.value() / count,
            crps: scores.value() / count,
        })
    }

    /// ln p(y_i | draw k) into out[i K + k]: the input of leave-one-out estimates. `out` holds nK
    /// numbers; `scratch`: [`rows_scratch`](Self::rows_scratch).
    pub fn log_likelihoods(
        &self,
        data: &Dataset<'_, T>,
        out: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), PredictError> {
        let k = self.image().draws();
        let needed = data.n().checked_mul(k).ok_or(PredictError::TooShort)?;
        let mut out =
            out.get_mut(..needed).ok_or(PredictError::TooShort)?.chunks_exact_mut(k.max(1));
        self.for_each_row(&data.inputs, scratch, |row, mixture| {
            let y = data.y().get(row).copied().unwrap_or(T::NAN);
            if let Some(out) = out.next() {
                mixture.log_densities(y, out);
            }
        })
    }

    /// Draws of y from the posterior predictive: `out` holds some number m of draws for each of the n
    /// rows (length nm), row after row, all from one stream in that order.
    /// `scratch`: [`rows_scratch`](Self::rows_scratch).
    pub fn draws(
        &self,
        inputs: &Inputs<'_, T>,
        stream: &mut Stream,
        out: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), PredictError> {
        let each = out.len().checked_div(inputs.n()).unwrap_or(0);
        let mut out = out.chunks_exact_mut(each.max(1));
        self.for_each_row(inputs, scratch, |_, mixture| {
            if let Some(out) = out.next() {
                out.iter_mut().for_each(|y| *y = mixture.draw(stream));
            }
        })
    }
}
