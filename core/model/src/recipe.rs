//! What [`fit`](crate::fit) is made of: the fit itself, and the short fits, of which some rows are held out, that choose the
//! noise of numbers and calibrate classes.

use crate::{Choice, Error, Model, Options, Real};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Bnn;
use lcc_core::estimator::bnn::{NO_FOLD, Status};
use lcc_core::network::Output;
use lcc_core::predict::{self, PredictError};
use lcc_core::simd::Isa;

/// Learns by exactly these options: no output is chosen, no probability calibrated.
pub fn fit_exactly<T: Real>(data: &Dataset<'_, T>, options: &Options<T>) -> Result<Model, Error> {
    let bytes = Bnn::size(options, data.n(), data.d()).map_err(Error::Fit)?;
    let mut memory = vec![0_u128; bytes.div_ceil(16)];
    let memory = bytemuck::cast_slice_mut(&mut memory);
    let mut network = Bnn::init(memory, options, Isa::detect(), data).map_err(Error::Fit)?;
    while network.step(data, u64::MAX).map_err(Error::Fit)? == Status::Running {}
    let mut image = vec![0; network.model_size().map_err(Error::Fit)?];
    let written = if network.linearises() && options.widths[0] > 0 {
        network.write_linearised(&mut image)
    } else {
        network.write_model(&mut image)
    };
    image.truncate(written.map_err(Error::Fit)?);
    let mut scratch = vec![T::ZERO; 2 * network.traced_predictions()];
    let luck = network.luck(&mut scratch).rms.to_f64();
    Ok(Model { image, luck: Some(luck).filter(|luck| luck.is_finite()) })
}

/// Rows, one after the other, with their targets, and where they lie in the data.
type Part<T> = (Vec<T>, Vec<T>, Vec<usize>);

/// The rows of some folds.
fn part<T: Real>(data: &Dataset<'_, T>, dealt: &[u32], is: impl Fn(u32) -> bool) -> Part<T> {
    let own = |i: &usize| dealt[*i] != NO_FOLD && is(dealt[*i]);
    let places: Vec<usize> = (0..data.n()).filter(own).collect();
    let x = places.iter().flat_map(|i| (0..data.d()).map(|j| data.inputs.at(*i, j))).collect();
    (x, places.iter().map(|i| data.y()[*i]).collect(), places)
}

/// Fits to the rows of all folds but one, and what its rows have to say of that, fold after fold.
fn by_folds<T: Real>(
    data: &Dataset<'_, T>,
    (dealt, folds): (&[u32], u32),
    options: &Options<T>,
    mut told: impl FnMut(&Model, Part<T>) -> Result<(), Error>,
) -> Result<(), Error> {
    for fold in 0..folds {
        let (x, y, _) = part(data, dealt, |f| f != fold);
        let inputs = Inputs::row_major(&x, y.len(), data.d()).map_err(Error::Data)?;
        let rest = Dataset::new(inputs, &y).map_err(Error::Data)?;
        told(&fit_exactly(&rest, options)?, part(data, dealt, |f| f == fold))?;
    }
    Ok(())
}

/// The options under which held-out rows score best: where y is positive, noise differs from row to row or comes from several
/// laws, those of an output for that, by short fits whose rows were held out. `None` where nothing was to choose: few rows,
/// many zeros, which want a hurdle, or an output other than student-t, which the options then keep.
pub fn choose<T: Real>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
) -> Result<(Options<T>, Option<Choice<T>>), Error> {
    let mut dealt = vec![0; data.n()];
    let folds = options.folds(data, &mut dealt);
    let pilots: Vec<_> = (0..).map_while(|k| options.pilot(data.y(), k)).collect();
    if let [pilot] = &pilots[..] {
        return Ok((Options { output: pilot.output, ..*options }, None));
    }
    if folds == 0 {
        return Ok((*options, None));
    }
    let mut scores = vec![T::NAN; pilots.len() * data.n()];
    for (pilot, own) in pilots.iter().zip(scores.chunks_mut(data.n())) {
        by_folds(data, (&dealt, folds), pilot, |model, (x, y, places)| {
            match model.laws(&x, |row, law| own[places[row]] = law.log_score(y[row])) {
                Ok(()) | Err(Error::Predict(PredictError::Reach)) => Ok(()),
                Err(error) => Err(error),
            }
        })?;
    }
    let (_, y, places) = part(data, &dealt, |_| true);
    let each = scores.chunks(data.n()).flat_map(|own| places.iter().map(|i| own[*i]));
    let choice = Options::choose(&y, &each.collect::<Vec<_>>());
    let output = pilots[choice.candidate as usize].output;
    Ok((Options { output, ..*options }, Some(choice)))
}

/// The temperature under which the probabilities of held-out classes score best, by short fits ([`predict::temperature`]).
/// `None` where the output is no class, or the rows are too few to tell.
pub fn temperature<T: Real>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
) -> Result<Option<f64>, Error> {
    let mut dealt = vec![0; data.n()];
    let output = options.output.value();
    let folds = if output.is_class() { options.folds(data, &mut dealt) } else { 0 };
    let Some(pilot) = options.pilot(data.y(), 0).filter(|_| folds > 0) else { return Ok(None) };
    let classes = if output == Output::Bernoulli { 2 } else { options.categories as usize };
    let mut told = vec![0.0; data.n() * classes];
    by_folds(data, (&dealt, folds), &pilot, |model, (x, _, places)| {
        let own = model.probabilities(&x)?;
        for (place, row) in places.iter().zip(own.chunks(classes)) {
            let to = told[place * classes..].iter_mut();
            to.zip(row).for_each(|(to, p)| *to = p.to_f64());
        }
        Ok(())
    })?;
    let y: Vec<f64> = data.y().iter().map(|y| y.to_f64()).collect();
    predict::temperature(&told, &y, classes).map(Some).map_err(Error::Predict)
}
