//! Scores of any network's predictions over many rows.

use super::classes::Calibration;
use super::counts::is_count;
use super::forward::Compiled;
use super::law::{Law, class};
use super::network::PredictError;
use super::predictor::NetworkPredictor;
use super::scores::Evaluation;
use crate::data::{Dataset, Inputs};
use crate::posterior::Shape;
use crate::random::Stream;
use crate::scalar::Real;
use crate::sum::Sum;

/// How well a posterior predicts the classes of test rows: means over the rows. Logarithms are natural.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassEvaluation<T> {
    /// The fraction of rows whose class has the largest probability.
    pub accuracy: T,
    /// Log probability of the class.
    pub log_likelihood: T,
    /// Brier score: the sum over classes of the squared distance of probability and indicator, in [0, 2].
    pub brier: T,
    /// Ranked probability score, in the order of the classes: for ordinal outputs.
    pub ranked: T,
    /// Calibration error: how far the top probability is from how often the top class is right, in 15 bins of it.
    pub calibration: T,
    /// The fraction of rows whose class lies in the prediction set of the level.
    pub coverage: T,
    /// Classes in the prediction sets.
    pub set_size: T,
    /// Entropy of the predictive probabilities.
    pub entropy: T,
    /// Mutual information of class and draw: the part of the entropy that more data could remove.
    pub mutual_information: T,
}

/// The scores that belong to the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scores<T> {
    /// Of real numbers, and of counts: there the log score is that of probabilities, and the CRPS is the ranked
    /// probability score.
    Numbers(Evaluation<T>),
    /// Of classes.
    Classes(ClassEvaluation<T>),
}

/// Whether the output can take the value y.
fn possible<T: Real>(shape: &Shape, y: T) -> bool {
    if shape.is_real() {
        return shape.family().possible(y);
    }
    is_count(y) && (!shape.is_class() || y < T::of_usize(shape.classes()))
}

/// Sums over rows of numbers.
struct Numbers<T> {
    squares: Sum<T>,
    logs: Sum<T>,
    widths: Sum<T>,
    crps: Sum<T>,
    inside: usize,
}

impl<T: Real> Numbers<T> {
    fn add(&mut self, y: T, mean: T, log: T, (lower, upper): (T, T), crps: T) {
        let error = mean - y;
        self.squares.add(error * error);
        self.logs.add(log);
        self.widths.add(upper - lower);
        self.crps.add(crps);
        if lower <= y && y <= upper {
            self.inside = self.inside.saturating_add(1);
        }
    }

    fn means(&self, count: T) -> Evaluation<T> {
        Evaluation {
            rmse: (self.squares.value() / count).sqrt(),
            log_likelihood: self.logs.value() / count,
            coverage: T::of_usize(self.inside) / count,
            width: self.widths.value() / count,
            crps: self.crps.value() / count,
        }
    }
}

impl<T: Compiled> NetworkPredictor<'_, T> {
    /// Scores the predictions of every row against its target: intervals or sets of the given level; `crps` asks
    /// for that score of numbers too, which takes ten times as long as the rest. Compensated sums over the rows in
    /// order. `scratch`: [`rows_scratch`](Self::rows_scratch) numbers. [`PredictError::Target`] where a target is no
    /// value of the output.
    pub fn evaluate(
        &self,
        data: &Dataset<'_, T>,
        level: T,
        crps: bool,
        scratch: &mut [T],
    ) -> Result<Scores<T>, PredictError> {
        if self.shape.is_class() {
            return self.evaluate_classes(data, level, scratch).map(Scores::Classes);
        }
        self.scorable(data, level)?;
        let zero = Sum::ZERO;
        let mut numbers =
            Numbers { squares: zero, logs: zero, widths: zero, crps: zero, inside: 0 };
        self.for_each_row(&data.inputs, scratch, |row, law| {
            let y = data.y().get(row).copied().unwrap_or(T::NAN);
            let score = if crps { law.crps(y) } else { T::NAN };
            match law {
                Law::Real(law) => {
                    let interval = law.central_interval(level);
                    numbers.add(y, law.mean(), law.log_density(y), interval, score);
                }
                Law::Positive(law) => {
                    let interval = law.central_interval(level);
                    numbers.add(y, law.mean(), law.log_score(y), interval, score);
                }
                Law::Counts(law) => {
                    let interval = law.central_interval(level);
                    numbers.add(y, law.mean(), law.log_mass(y), interval, score);
                }
                Law::Classes(_) => {}
            }
        })?;
        Ok(Scores::Numbers(numbers.means(T::of_usize(data.n()))))
    }

    /// [`evaluate`](Self::evaluate) of an output that is a class, which links no other law; [`PredictError::Network`]
    /// of others.
    pub fn evaluate_classes(
        &self,
        data: &Dataset<'_, T>,
        level: T,
        scratch: &mut [T],
    ) -> Result<ClassEvaluation<T>, PredictError> {
        self.scorable(data, level)?;
        let mut calibration = Calibration::default();
        let (mut right, mut covered, mut members) = (0_usize, 0_usize, 0_usize);
        let [mut logs, mut brier, mut ranked, mut entropy, mut information] = [Sum::ZERO; 5];
        self.for_each_class(&data.inputs, scratch, |row, law| {
            let y = data.y().get(row).copied().unwrap_or(T::NAN);
            let Some(c) = class(y, &law) else { return };
            let (top, p) = law.top();
            calibration.add(p, top == c);
            right = right.saturating_add((top == c) as usize);
            let size = law.visit(level, |k| {
                covered = covered.saturating_add((k == c) as usize);
            });
            members = members.saturating_add(size);
            logs.add(law.log_score(c));
            brier.add(law.brier(c));
            ranked.add(law.ranked(c));
            entropy.add(law.entropy());
            information.add(law.mutual_information());
        })?;
        let count = T::of_usize(data.n());
        let share = |k: usize| T::of_usize(k) / count;
        Ok(ClassEvaluation {
            accuracy: share(right),
            log_likelihood: logs.value() / count,
            brier: brier.value() / count,
            ranked: ranked.value() / count,
            calibration: calibration.error(),
            coverage: share(covered),
            set_size: share(members),
            entropy: entropy.value() / count,
            mutual_information: information.value() / count,
        })
    }

    /// Whether data can be scored at a level.
    fn scorable(&self, data: &Dataset<'_, T>, level: T) -> Result<(), PredictError> {
        if !(level > T::ZERO && level < T::ONE) {
            return Err(PredictError::Level);
        }
        let all = data.y().iter().all(|y| possible(&self.shape, *y));
        if all { Ok(()) } else { Err(PredictError::Target) }
    }

    /// ln p(y_i | draw k) into out[i K + k]: the input of leave-one-out estimates. `out` holds nK
    /// numbers; `scratch`: [`rows_scratch`](Self::rows_scratch).
    pub fn log_likelihoods(
        &self,
        data: &Dataset<'_, T>,
        out: &mut [T],
        scratch: &mut [T],
    ) -> Result<(), PredictError> {
        let k = self.image.draws();
        let needed = data.n().checked_mul(k).ok_or(PredictError::TooShort)?;
        let mut out =
            out.get_mut(..needed).ok_or(PredictError::TooShort)?.chunks_exact_mut(k.max(1));
        self.for_each_row(&data.inputs, scratch, |row, law| {
            let y = data.y().get(row).copied().unwrap_or(T::NAN);
            if let Some(out) = out.next() {
                law.log_scores(y, out);
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
        self.for_each_row(inputs, scratch, |_, law| {
            if let Some(out) = out.next() {
                out.iter_mut().for_each(|y| *y = law.draw(stream));
            }
        })
    }
}
