//! Greedy Bayes row by row, each predicted before it is seen.

use super::GreedySettings;
use super::greedy::shared;
use super::relaxed::hindsight;
use crate::engine::{Copied, Memory, Number, Progress, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace};
use crate::predict::Predictions;
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
use lcc_core::simd::Isa;
use lcc_core::theory::regret::gaussian_log_loss;

const DOING: &str = "prequential";

/// What the predictions one step ahead came to.
#[derive(Clone, Debug, Default)]
pub struct Ahead {
    /// Of every row, from those before it; scored.
    pub said: Predictions,
    /// The cumulative losses: squared,
    pub squared: f64,
    /// and minus log density.
    pub log: f64,
    /// Those of the best network in hindsight,
    pub best_squared: f64,
    /// the log loss under the Gaussian noise that suits it best.
    pub best_log: f64,
}

/// Fits.
pub fn fit_prequential(
    s: &GreedySettings,
    averaging: Averaging,
    interval: f64,
    rows: &Rows,
    watch: &dyn Watch,
) -> Result<(Fit, Ahead), Fault> {
    in_precision!(s.double, T => fit_in::<T>(s, averaging, interval, rows, watch))
}

fn progress<T: Number>(own: &Prequential<'_, T>) -> Progress {
    let p = own.progress();
    Progress { done: p.rows, total: p.of, gradients: p.visits, warming: false }
}

fn fit_in<T: Number>(
    s: &GreedySettings,
    averaging: Averaging,
    level: f64,
    rows: &Rows,
    watch: &dyn Watch,
) -> Result<(Fit, Ahead), Fault> {
    let copy = Copied::<T>::of(rows);
    let data = copy.data()?;
    let options = shared!(PrequentialOptions, s { intercept: (!s.as_printed).into() });
    let size = Prequential::size(&options, rows.n, rows.d).map_err(at(DOING))?;
    let mut memory = Memory::new(size);
    let units = (!s.as_printed).then_some(&data);
    let made = Prequential::init(memory.bytes(), &options, Isa::detect(), rows.n, rows.d, units);
    let mut own = made.map_err(at(DOING))?;
    let said = Predictions { level, digits: T::DIGITS, ..Predictions::default() };
    let mut ahead = Ahead { said, ..Ahead::default() };
    let mut pace = Pace::new(watch);
    pace.at = progress(&own);
    let doing = "fitting";
    for i in 0..rows.n {
        if watch.stopped() {
            break;
        }
        let y = copy.y()[i];
        own.observe(copy.row(i), y).map_err(at(doing))?;
        while pace.piece(|budget| {
            let status = own.step(budget).map_err(at(doing))?;
            Ok((status == Status::Running, progress(&own)))
        })? {}
        let law = own.last_forecast().ok_or_else(|| Fault::failed("fitting: no forecast"))?;
        let (p, out) = (law.prediction(T::lit(level)), &mut ahead.said);
        out.mean.push(law.location.to_f64());
        out.sd.push(p.sd.to_f64());
        out.lower.push(p.lower.to_f64());
        out.upper.push(p.upper.to_f64());
        out.log_density.push(law.log_density(y).to_f64());
        out.crps.push(law.crps(y).to_f64());
        out.n += 1;
    }
    let mut fit = Fit::without_chains(T::DIGITS, &pace, size, ahead.said.n == rows.n);
    if ahead.said.n == 0 {
        return Ok((fit, ahead));
    }
    let losses = own.losses();
    (ahead.squared, ahead.log) = (losses.squared.to_f64(), losses.log.to_f64());
    let seen = data.rows(0, ahead.said.n).unwrap_or(data);
    let error = hindsight(s, seen)?;
    let n = ahead.said.n as f64;
    let own_y = || copy.y().iter().take(ahead.said.n).map(|y| y.to_f64());
    let mean = own_y().fold(0.0, |mean, y| mean + y / n);
    let variance = own_y().fold(0.0, |sum, y| sum + (y - mean) * (y - mean) / n);
    // The level's error is in units of the target's variance, where it was standardised.
    ahead.best_squared = error * if s.as_printed { 1.0 } else { variance } * n;
    ahead.best_log = gaussian_log_loss(ahead.best_squared, ahead.said.n);
    let mut scratch = vec![T::ZERO; own.model_scratch()];
    let model = written(own.model_size(), |image| own.write_model(averaging, image, &mut scratch))?;
    fit.model = Some(model);
    let levels = (0..s.levels as usize).filter_map(|k| own.level_report(k));
    let moved: Vec<f64> =
        levels.filter(|l| l.resamplings > 0).map(|l| l.acceptance.to_f64()).collect();
    fit.levels_used = s.levels as usize;
    fit.acceptance = moved.iter().sum::<f64>() / moved.len() as f64;
    Ok((fit, ahead))
}
