//! What [`fit`](crate::fit) is made of: the fit itself, and the short fits, of which some rows are held out, that choose the
//! noise of numbers and calibrate classes. The command line has the same recipe with fits of its own, by threads and a bar.

use crate::{Choice, Error, Model, Options, Real};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::Bnn;
use lcc_core::estimator::bnn::{NO_FOLD, Status};
use lcc_core::network::Output;
use lcc_core::predict::PredictError;
use lcc_core::simd::Isa;

/// Learns by exactly these options: no output is chosen, no probability calibrated.
pub fn fit_exactly<T: Real>(data: &Dataset<'_, T>, options: &Options<T>) -> Result<Model, Error> {
    let bytes = Bnn::size(options, data.n(), data.d()).map_err(Error::Fit)?;
    let mut memory = vec![0_u128; bytes.div_ceil(16)];
    let memory = bytemuck::cast_slice_mut(&mut memory);
    let mut network = Bnn::init(memory, options, Isa::detect(), data).map_err(Error::Fit)?;
    while network.step(data, u64::MAX).map_err(Error::Fit)? == Status::Running {}
    let mut image = vec![0; network.model_size().map_err(Error::Fit)?];
    let written = if network.linearises() {
        network.write_linearised(&mut image)
    } else {
        network.write_model(&mut image)
    };
    image.truncate(written.map_err(Error::Fit)?);
    let mut scratch = vec![T::ZERO; 2 * network.traced_predictions()];
    let luck = network.luck(&mut scratch).rms.to_f64();
    Ok(Model { image, luck: Some(luck).filter(|luck| luck.is_finite()) })
}

/// A fit of the recipe: to these rows, by these options, from this share of all its work to that.
pub(crate) trait Fits<T, E>:
    FnMut(&Dataset<'_, T>, &Options<T>, [f64; 2]) -> Result<Model, E>
{
}
impl<T, E, F> Fits<T, E> for F where
    F: FnMut(&Dataset<'_, T>, &Options<T>, [f64; 2]) -> Result<Model, E>
{
}

/// Rows, one after the other, with their targets, and where they lie in the data.
type Part<T> = (Vec<T>, Vec<T>, Vec<usize>);

/// The weights of some rows; none where there are none.
fn weights<T: Real>(data: &Dataset<'_, T>, places: &[usize]) -> Vec<T> {
    places.iter().filter_map(|i| data.weights().get(*i).copied()).collect()
}

/// Rows that are dealt into folds; none where they are too few.
struct Dealt<'a, 'd, T> {
    data: &'a Dataset<'d, T>,
    fold: Vec<u32>,
    folds: u32,
}

impl<'a, 'd, T: Real> Dealt<'a, 'd, T> {
    fn of(data: &'a Dataset<'d, T>, options: &Options<T>) -> Self {
        let mut fold = vec![0; data.n()];
        let folds = options.folds(data, &mut fold);
        Self { data, fold, folds }
    }

    /// The rows of some folds.
    fn part(&self, is: impl Fn(u32) -> bool) -> Part<T> {
        let (data, own) = (self.data, |i: &usize| self.fold[*i] != NO_FOLD && is(self.fold[*i]));
        let places: Vec<usize> = (0..data.n()).filter(own).collect();
        let x = places.iter().flat_map(|i| (0..data.d()).map(|j| data.inputs.at(*i, j))).collect();
        (x, places.iter().map(|i| data.y()[*i]).collect(), places)
    }

    /// Fits to the rows of all folds but one, and what its rows have to say of that, fold after fold.
    fn each<E: From<Error>>(
        &self,
        options: &Options<T>,
        [from, to]: [f64; 2],
        fit: &mut impl Fits<T, E>,
        mut told: impl FnMut(&Model, Part<T>) -> Result<(), Error>,
    ) -> Result<(), E> {
        let share = |fold: u32| from + (to - from) * f64::from(fold) / f64::from(self.folds);
        for fold in 0..self.folds {
            let (x, y, places) = self.part(|f| f != fold);
            let inputs = Inputs::row_major(&x, y.len(), self.data.d()).map_err(Error::Data)?;
            let rest = Dataset::new(inputs, &y).map_err(Error::Data)?;
            let weights = weights(self.data, &places);
            let rest = if weights.is_empty() { Ok(rest) } else { rest.weighted(&weights) };
            let rest = rest.map_err(Error::Data)?;
            let model = fit(&rest, options, [share(fold), share(fold + 1)])?;
            told(&model, self.part(|f| f == fold))?;
        }
        Ok(())
    }
}

/// The options under which held-out rows score best: where y is positive, noise differs from row to row or comes from several
/// laws, those of an output for that, and of 32 inputs or more known scales where they tell more, by short fits whose rows were
/// held out. `None` where nothing was to choose: few rows, many zeros, which want a hurdle, or an output other than student-t,
/// which the options then keep.
pub fn choose<T: Real>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
) -> Result<(Options<T>, Option<Choice<T>>), Error> {
    choose_by(data, options, false, |rows, options, _| fit_exactly(rows, options))
}

/// The same by fits of your own; scales that are `named` stay.
pub(crate) fn choose_by<T: Real, E: From<Error>>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
    named: bool,
    mut fit: impl Fits<T, E>,
) -> Result<(Options<T>, Option<Choice<T>>), E> {
    let dealt = Dealt::of(data, options);
    let mut pilots: Vec<_> = (0..).map_while(|k| options.pilot(data, k)).collect();
    pilots.retain(|pilot| !named || pilot.scales == options.scales);
    if let [pilot] = &pilots[..] {
        return Ok((Options { output: pilot.output, ..*options }, None));
    }
    if dealt.folds == 0 {
        return Ok((*options, None));
    }
    let share = |k: usize| k as f64 / pilots.len() as f64;
    let mut scores = vec![T::NAN; pilots.len() * data.n()];
    for (k, own) in scores.chunks_mut(data.n()).enumerate() {
        dealt.each(&pilots[k], [share(k), share(k + 1)], &mut fit, |model, (x, y, places)| {
            match model.laws(&x, |row, law| own[places[row]] = law.log_score(y[row])) {
                Err(Error::Predict(PredictError::Reach | PredictError::NotFinite)) => Ok(()),
                told => told,
            }
        })?;
    }
    let (_, y, places) = dealt.part(|_| true);
    let each = scores.chunks(data.n()).flat_map(|own| places.iter().map(|i| own[*i]));
    let choice = Options::choose(&y, &each.collect::<Vec<_>>());
    let Options { output, scales, .. } = pilots[choice.candidate as usize];
    Ok((Options { output, scales, ..*options }, Some(choice)))
}

/// The temperature of the probabilities of classes, by short fits to half of the rows ([`Options::temperature`]).
/// `None` where the output is no class, or the rows are too few to tell.
pub fn temperature<T: Real>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
) -> Result<Option<f64>, Error> {
    temperature_by(data, options, |rows, options, _| fit_exactly(rows, options))
}

/// The same by fits of your own.
pub(crate) fn temperature_by<T: Real, E: From<Error>>(
    data: &Dataset<'_, T>,
    options: &Options<T>,
    mut fit: impl Fits<T, E>,
) -> Result<Option<f64>, E> {
    let output = options.output.value();
    if !output.is_class() {
        return Ok(None);
    }
    let dealt = Dealt::of(data, options);
    let pilot = options.pilot(data, 0).filter(|_| dealt.folds > 0);
    let Some(pilot) = pilot else { return Ok(None) };
    let classes = if output == Output::Bernoulli { 2 } else { options.categories as usize };
    let mut told = vec![0.0; data.n() * classes];
    dealt.each(&pilot, [0.0, 1.0], &mut fit, |model, (x, _, places)| {
        let own = model.probabilities(&x)?;
        for (place, row) in places.iter().zip(own.chunks(classes)) {
            let to = told[place * classes..].iter_mut();
            to.zip(row).for_each(|(to, p)| *to = p.to_f64());
        }
        Ok(())
    })?;
    let y: Vec<f64> = data.y().iter().map(|y| y.to_f64()).collect();
    Ok(Some(Options::temperature(&told, &y, classes).map_err(Error::Predict)?))
}
