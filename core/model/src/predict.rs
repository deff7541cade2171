//! What a model says of rows, in its own precision.

use crate::Error;
use crate::engine::{Copied, Number, in_precision};
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::saved::image;
use lcc_core::data::Inputs;
use lcc_core::posterior::Image;
use lcc_core::predict::{
    ClassEvaluation, Law, NetworkCompiled, NetworkPredictor, PredictError, Thinned,
};
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::special::scalar::exp;

/// The scores of the classes of rows.
pub type ClassScores = ClassEvaluation<f64>;

/// Predictions of rows, row after row.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// Rows.
    pub n: usize,
    /// 9 or 17: significant digits that bring the numbers back exactly.
    pub digits: usize,
    /// The probability of the intervals.
    pub level: f64,
    /// Of numbers and counts: the mean ...
    pub mean: Vec<f64>,
    /// ... the standard deviation ...
    pub sd: Vec<f64>,
    /// ... the lower end of the interval ...
    pub lower: Vec<f64>,
    /// ... and its upper end.
    pub upper: Vec<f64>,
    /// The log density of each measured value; empty where none are known.
    pub log_density: Vec<f64>,
    /// Its continuous ranked probability score.
    pub crps: Vec<f64>,
    /// Further columns, a row of them for each.
    pub more: Vec<f64>,
    /// What they are called.
    pub more_names: Vec<String>,
    /// Classes; 0: y is a number. Else none of the above, and
    pub classes: usize,
    /// the probabilities, so many a row,
    pub probability: Vec<f64>,
    /// the entropy of the class, in nats,
    pub entropy: Vec<f64>,
    /// the mutual information of class and draw,
    pub mutual: Vec<f64>,
    /// the largest probability,
    pub top: Vec<f64>,
    /// and the scores where the classes are known.
    pub scored: Option<ClassScores>,
}

impl Predictions {
    /// Of the rows listed, which are of numbers: the law, and the log density where that is there.
    pub fn some(&self, places: &[usize]) -> Self {
        let of = |all: &Vec<f64>| places.iter().filter_map(|i| all.get(*i).copied()).collect();
        Self {
            n: places.len(),
            digits: self.digits,
            level: self.level,
            mean: of(&self.mean),
            sd: of(&self.sd),
            lower: of(&self.lower),
            upper: of(&self.upper),
            log_density: of(&self.log_density),
            crps: of(&self.crps),
            ..Self::default()
        }
    }

    /// The probabilities of a row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.probability[i * self.classes..(i + 1) * self.classes]
    }
}

/// That the rows are such as the model was fitted to.
fn check(image: &Image<'_>, rows: &Rows) -> Result<(), Fault> {
    let (own, d) = (image.inputs(), rows.d);
    if own != d {
        let path = &rows.table.path;
        let what = format!("{path}: has {d} inputs, the model was fitted to {own}");
        return Err(Fault::failed(what));
    }
    if image.precision() == 32 { rows.fits_single() } else { Ok(()) }
}

fn is_double(image: &Image<'_>) -> bool {
    image.precision() == 64
}

/// What is done with a predictor, its scratch beside it.
pub(crate) fn with<T: NetworkCompiled, R>(
    image: Image<'_>,
    call: impl FnOnce(&NetworkPredictor<'_, T>, &mut [T]) -> Result<R, PredictError>,
) -> Result<R, PredictError> {
    let mut buffer = vec![T::ZERO; NetworkPredictor::<T>::buffer_len(&image)];
    let predictor = NetworkPredictor::new(Isa::detect(), image, &mut buffer)?;
    let mut scratch = vec![T::ZERO; predictor.rows_scratch()];
    call(&predictor, &mut scratch)
}

/// The same expression in a model's precision; of rows so far out that single does not hold what is predicted, in double.
macro_rules! in_reach {
    ($image:expr, $t:ident => $call:expr) => {
        match in_precision!(is_double($image), $t => $call) {
            Err(Error::Predict(PredictError::Reach)) => in_precision!(true, $t => $call),
            told => told,
        }
        .map_err(at("prediction"))
    };
}

/// Calls `each` with every row's law.
fn laws<T: Number>(
    image: Image<'_>,
    rows: &Copied<T>,
    each: &mut dyn FnMut(usize, Law<'_, T>),
) -> Result<(), Error> {
    let inputs = rows.inputs()?;
    with(image, |p, scratch| p.for_each_row(&inputs, scratch, each)).map_err(Error::Predict)
}

/// Predicts every row, and scores them where the target is known.
pub fn predict(model: &[u8], rows: &Rows, level: f64) -> Result<Predictions, Fault> {
    let image = image(model)?;
    check(&image, rows)?;
    let classes = image.shape().is_class();
    let count = if classes { image.shape().classes() } else { 0 };
    let p = Predictions { n: rows.n, level, classes: count, ..Predictions::default() };
    if rows.n == 0 {
        return Ok(p);
    }
    in_reach!(&image, T => match classes {
        true => classify::<T>(image, rows, p.clone()),
        false => numbers::<T>(image, rows, p.clone()),
    })
}

fn numbers<T: Number>(
    image: Image<'_>,
    rows: &Rows,
    mut p: Predictions,
) -> Result<Predictions, Error> {
    let own = Copied::<T>::of(rows);
    p.digits = T::DIGITS;
    let level = T::lit(p.level);
    laws(image, &own, &mut |row, law| {
        let said = law.prediction(level);
        p.mean.push(said.mean.to_f64());
        p.sd.push(said.sd.to_f64());
        p.lower.push(said.lower.to_f64());
        p.upper.push(said.upper.to_f64());
        if let Some(y) = own.y().get(row) {
            p.log_density.push(law.log_score(*y).to_f64());
            p.crps.push(law.crps(*y).to_f64());
        }
    })?;
    Ok(p)
}

fn classify<T: Number>(
    image: Image<'_>,
    rows: &Rows,
    mut p: Predictions,
) -> Result<Predictions, Error> {
    let own = Copied::<T>::of(rows);
    let inputs = own.inputs()?;
    p.digits = T::DIGITS;
    with::<T, _>(image, |predictor, scratch| {
        predictor.for_each_class(&inputs, scratch, |_, law| {
            p.probability.extend(law.probabilities().iter().map(|p| p.to_f64()));
            p.entropy.push(law.entropy().to_f64());
            p.mutual.push(law.mutual_information().to_f64());
            p.top.push(law.top().1.to_f64());
        })
    })
    .map_err(Error::Predict)?;
    if rows.y.is_some() {
        let (data, level) = (own.data()?, T::lit(p.level));
        let scored = with(image, |predictor, s| predictor.evaluate_classes(&data, level, s));
        let e = scored.map_err(Error::Predict)?;
        p.scored = Some(ClassEvaluation {
            accuracy: e.accuracy.to_f64(),
            log_likelihood: e.log_likelihood.to_f64(),
            brier: e.brier.to_f64(),
            ranked: e.ranked.to_f64(),
            calibration: e.calibration.to_f64(),
            coverage: e.coverage.to_f64(),
            set_size: e.set_size.to_f64(),
            entropy: e.entropy.to_f64(),
            mutual_information: e.mutual_information.to_f64(),
        });
    }
    Ok(p)
}

/// The bytes of a model of some of the draws, and what is lost: [`NetworkPredictor::thin`].
pub(crate) fn fewer<T: NetworkCompiled>(
    image: Image<'_>,
    draws: usize,
    rows: Option<&Inputs<'_, T>>,
) -> Result<(Vec<u8>, Thinned<T>), PredictError> {
    let mut out = vec![0; image.bytes().len()];
    let (length, thinned) = with::<T, _>(image, |predictor, _| {
        let mut scratch = vec![T::ZERO; NetworkPredictor::<T>::thin_scratch_len(&image)];
        predictor.thin(draws, rows, &mut out, &mut scratch)
    })?;
    out.truncate(length);
    Ok((out, thinned))
}

/// A model of so many of the draws, those that together predict most nearly as all do at rows, or without rows where the
/// model's inputs may lie; and what is lost.
pub fn thin(
    model: &[u8],
    draws: usize,
    rows: Option<&Rows>,
) -> Result<(Vec<u8>, Thinned<f64>), Fault> {
    let image = image(model)?;
    rows.map_or(Ok(()), |rows| check(&image, rows))?;
    in_precision!(is_double(&image), T => {
        let own = rows.map(Copied::<T>::of);
        let inputs = own.as_ref().map(Copied::inputs).transpose()?;
        let (bytes, t) = fewer(image, draws, inputs.as_ref()).map_err(at("the model"))?;
        Ok((bytes, Thinned { rms: t.rms.to_f64(), largest: t.largest.to_f64() }))
    })
}

/// What is asked of each row under each draw.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Each {
    /// The log density of its target.
    LogDensity,
    /// The probability of its target, a class.
    Probability,
    /// The probabilities of so many classes, from `first` on.
    Classes { first: usize, count: usize },
    /// The mean of y.
    Mean,
}

/// One number for each row and draw, row by row, of several classes one after another, in the model's precision.
pub(crate) fn by_draw(model: &[u8], rows: &Rows, what: Each) -> Result<Vec<f64>, Fault> {
    fn own<T: Number>(image: Image<'_>, own: &Copied<T>, what: Each) -> Result<Vec<f64>, Error> {
        let mut values = vec![T::ZERO; image.draws()];
        let mut out = Vec::new();
        laws(image, own, &mut |row, law| {
            let classes = match what {
                Each::Classes { first, count } => first..first + count,
                _ => 0..1,
            };
            for class in classes {
                match what {
                    Each::Mean => law.means(&mut values),
                    Each::Classes { .. } => law.log_scores(T::of_usize(class), &mut values),
                    _ => law.log_scores(own.y()[row], &mut values),
                }
                let logs = matches!(what, Each::Probability | Each::Classes { .. });
                out.extend(values.iter().map(|v| if logs { exp(*v) } else { *v }.to_f64()));
            }
        })?;
        Ok(out)
    }
    let image = image(model)?;
    check(&image, rows)?;
    in_reach!(&image, T => own::<T>(image, &Copied::of(rows), what))
}

/// Quantiles of the predictive law of each row.
pub(crate) fn quantiles(model: &[u8], rows: &Rows, p: &[f64]) -> Result<Vec<f64>, Fault> {
    let mut out = Vec::with_capacity(rows.n * p.len());
    laws::<f64>(image(model)?, &Copied::of(rows), &mut |_, law| {
        out.extend(p.iter().map(|p| law.quantile(*p)));
    })
    .map_err(at("prediction"))?;
    Ok(out)
}

/// Quantiles, and draws of the target, of each row: further columns. A row's draws are those of its number in the file,
/// however the rows are cut into blocks.
pub fn further(
    model: &[u8],
    rows: &Rows,
    levels: &[f64],
    draws: usize,
    seed: u64,
) -> Result<Vec<f64>, Fault> {
    let mut out = Vec::with_capacity(rows.n * (levels.len() + draws));
    laws::<f64>(image(model)?, &Copied::of(rows), &mut |i, law| {
        out.extend(levels.iter().map(|p| law.quantile(*p)));
        let number = (rows.table.before + rows.origin[i]) as u64;
        let own = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number));
        let mut stream = Stream::new(own, 0, Purpose::Predictive);
        out.extend((0..draws).map(|_| law.draw(&mut stream)));
    })
    .map_err(at("prediction"))?;
    Ok(out)
}

/// The log likelihood of each row's target under each draw, row by row, in the model's precision; the digits of it.
pub fn log_likelihoods(model: &[u8], rows: &Rows) -> Result<(Vec<f64>, usize), Fault> {
    let digits = if is_double(&image(model)?) { 17 } else { 9 };
    Ok((by_draw(model, rows, Each::LogDensity)?, digits))
}
