//! Short fits to all rows but those of a fold, by which the core decides what noise numbers have, and at which temperature
//! classes are predicted.

use super::run::fit;
use super::{Fit, Pilot, Settings};
use crate::engine::{Copied, Number, in_precision};
use crate::fault::{Fault, at};
use crate::predict::{log_scores, predict};
use crate::rows::Rows;
use crate::saved::image;
use crate::target::Target;
use crate::watch::{Part, Watch};
use lcc_core::estimator::BnnOptions;
use lcc_core::estimator::bnn::NO_FOLD;
use lcc_core::network::Output;
use web_time::Instant;

/// Rows dealt into folds; none where they are too few.
struct Deal {
    fold: Vec<u32>,
    folds: u32,
}

impl Deal {
    fn make(settings: &Settings, rows: &Rows) -> Result<Self, Fault> {
        fn of<T: Number>(settings: &Settings, rows: &Rows) -> Result<Deal, Fault> {
            let (options, copy) = (settings.options::<T>()?, Copied::<T>::of(rows));
            options.check().map_err(at("the folds"))?;
            let mut fold = vec![0; rows.n];
            let folds = options.folds(&copy.data()?, &mut fold);
            Ok(Deal { fold, folds })
        }
        in_precision!(settings.double, T => of::<T>(settings, rows))
    }

    /// Where the rows of a fold lie, or all others that take part.
    fn places(&self, fold: u32, held: bool) -> Vec<usize> {
        let own = |i: &usize| self.fold[*i] != NO_FOLD && (self.fold[*i] == fold) == held;
        (0..self.fold.len()).filter(own).collect()
    }

    /// Fits a candidate to the rows of the other folds of each, and calls `told` with the model, the fold's rows and where
    /// these lie. Whether the run was stopped.
    fn each(
        &self,
        settings: &Settings,
        rows: &Rows,
        candidate: usize,
        watch: &dyn Watch,
        mut told: impl FnMut(&[u8], &Rows, &[usize]) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        let share = |fold: u32| f64::from(fold) / f64::from(self.folds);
        let pilot = Pilot { candidate, y: rows.targets().into() };
        for fold in 0..self.folds {
            let part = Part::of(watch, share(fold), share(fold + 1));
            let mut own = Settings { pilot: Some(pilot.clone()), ..settings.clone() };
            let rest = rows.some(&self.places(fold, false));
            own.settle(&rest)?;
            let fit = fit(&mut own, &rest, None, None, &part)?;
            let Some(model) = fit.model.filter(|_| !fit.interrupted) else { return Ok(true) };
            let places = self.places(fold, true);
            told(&model, &rows.some(&places), &places)?;
        }
        Ok(false)
    }
}

/// The outputs that are tried.
fn candidates(settings: &Settings, rows: &Rows) -> Result<Vec<Output>, Fault> {
    in_precision!(settings.double, T => {
        let options = settings.options::<T>()?;
        let copy = Copied::<T>::of(rows);
        Ok((0..).map_while(|k| options.pilot(copy.y(), k)).map(|o| o.output.value()).collect())
    })
}

/// Chooses the output of real numbers, by settings that are not settled yet; leaves it where rows are too few. Whether the
/// run was stopped.
pub fn choose_output(
    settings: &mut Settings,
    rows: &Rows,
    target: &mut Target,
    watch: &dyn Watch,
) -> Result<bool, Fault> {
    settings.clone().settle(rows)?;
    let deal = Deal::make(settings, rows)?;
    let outputs = candidates(settings, rows)?;
    if let [only] = outputs[..] {
        (settings.output, target.output) = (only, only);
    }
    if deal.folds == 0 || outputs.len() < 2 {
        return Ok(watch.stopped());
    }
    let dealt: Vec<usize> = (0..rows.n).filter(|i| deal.fold[*i] != NO_FOLD).collect();
    let mut scores = Vec::with_capacity(outputs.len() * dealt.len());
    for k in 0..outputs.len() {
        let share = |k: usize| k as f64 / outputs.len() as f64;
        let part = Part::of(watch, share(k), share(k + 1));
        let mut own = vec![0.0; rows.n];
        let stopped = deal.each(settings, rows, k, &part, |model, held, places| {
            let told = log_scores(model, held)?;
            places.iter().zip(told).for_each(|(place, score)| own[*place] = score);
            Ok(())
        })?;
        if stopped {
            return Ok(true);
        }
        scores.extend(dealt.iter().map(|i| own[*i]));
    }
    let y = rows.y.as_deref().unwrap_or(&[]);
    let y: Vec<f64> = dealt.iter().filter_map(|i| y.get(*i).copied()).collect();
    let choice = BnnOptions::choose(&y, &scores);
    settings.output = outputs[choice.candidate as usize];
    (target.output, target.ahead, target.error) = (settings.output, choice.ahead, choice.error);
    Ok(watch.stopped())
}

/// Predicts the rows of each fold, and puts the temperature under which they score best into the model. Leaves the model
/// unchanged where rows are too few or the run is stopped.
pub fn calibrate(
    settings: &Settings,
    rows: &Rows,
    fit: &mut Fit,
    watch: &dyn Watch,
) -> Result<(), Fault> {
    let began = Instant::now();
    let Some(model) = fit.model.as_ref().filter(|_| !fit.interrupted) else { return Ok(()) };
    let deal = Deal::make(settings, rows)?;
    if deal.folds > 0 {
        let classes =
            if settings.output == Output::Bernoulli { 2 } else { settings.categories } as usize;
        let mut all = vec![0.0; rows.n * classes];
        let stopped = deal.each(settings, rows, 0, watch, |model, held, places| {
            let said = predict(model, held, 0.9)?;
            for (i, place) in places.iter().enumerate() {
                all[place * classes..(place + 1) * classes].copy_from_slice(said.row(i));
            }
            Ok(())
        })?;
        if stopped {
            watch.say(
                "stopped before the probabilities were calibrated: they are those of temperature 1",
            );
        } else {
            let told = lcc_core::predict::temperature(&all, rows.targets(), classes);
            let temperature = told.map_err(at("the temperature"))?;
            let mut copy = vec![0; model.len()];
            let length = image(model)?.temper(temperature, &mut copy).map_err(at("the model"))?;
            copy.truncate(length);
            (fit.model, fit.temperature) = (Some(copy), Some(temperature));
        }
    }
    fit.seconds += began.elapsed().as_secs_f64();
    Ok(())
}

/// The share of the time that a fit of settled settings takes before it is calibrated: about what the core has of folds and
/// chains, for it is the pace of a bar.
pub fn pilot_share(s: &Settings) -> f64 {
    let [chains, start, draws, leapfrogs] =
        [s.chains, s.start, s.draws, s.leapfrogs].map(f64::from);
    let warmup = f64::from(s.warmup.unwrap_or(0));
    let threads = f64::from(s.threads.unwrap_or(s.free_threads).max(1));
    let fit = chains / threads * (start + (warmup + draws) * leapfrogs);
    let pilot = chains.min(24.0) * (start + (warmup.min(10.0) + draws) * leapfrogs);
    fit / (fit + pilot)
}
