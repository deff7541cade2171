//! Greedy Bayes row by row, each predicted before it is seen; and levels and V chosen by description length, the prequential
//! log loss of each candidate.

use super::GreedySettings;
use super::greedy::shared;
use super::relaxed::hindsight;
use crate::engine::{Copied, Memory, Number, Progress, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace};
use crate::predict::Predictions;
use crate::rows::Rows;
use crate::text::real;
use crate::watch::Watch;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::prequential::{Averaging, Prequential, PrequentialOptions};
use lcc_core::simd::Isa;
use lcc_core::theory::regret::gaussian_log_loss;
use lcc_core::theory::resolvability::model_probabilities;

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

const MOST: usize = 64;

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Levels.
    pub levels: u32,
    /// V.
    pub outer: f64,
    /// What the targets take, each predicted from those before it.
    pub nats: f64,
    /// Of the candidate, all being as likely beforehand.
    pub probability: f64,
}

/// All of them; none where nothing is to be chosen.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// In the order of the lists.
    pub all: Vec<Candidate>,
    /// The one that is taken.
    pub best: usize,
}

/// The numbers of a list, or one number where there is none.
fn list(option: &str, text: Option<&str>, own: f64) -> Result<Vec<f64>, Fault> {
    let Some(text) = text else { return Ok(vec![own]) };
    let numbers: Option<Vec<f64>> = text.split(',').map(|t| real(t).filter(|v| *v > 0.0)).collect();
    let wrong = || format!("{option}: \"{text}\" is no list of at most {MOST} numbers above 0");
    numbers.filter(|n| n.len() <= MOST).ok_or_else(|| Fault::usage(wrong()))
}

impl Choice {
    /// The candidates of two lists of numbers.
    pub fn parse(
        levels: Option<&str>,
        outers: Option<&str>,
        s: &GreedySettings,
    ) -> Result<Self, Fault> {
        if levels.is_none() && outers.is_none() {
            return Ok(Self::default());
        }
        let levels = list("--choose-levels", levels, s.levels.into())?;
        let outers = list("--choose-outer", outers, s.outer)?;
        if levels.len() * outers.len() > MOST {
            return Err(Fault::usage(format!("fit: more than {MOST} candidates to choose from")));
        }
        if levels.iter().any(|k| *k > 65535.0 || k.floor() != *k) {
            let what = "--choose-levels: levels are whole numbers up to 65535";
            return Err(Fault::usage(what));
        }
        let one = |k: &f64, v: &f64| Candidate {
            levels: *k as u32,
            outer: *v,
            nats: 0.0,
            probability: 0.0,
        };
        let all = levels.iter().flat_map(|k| outers.iter().map(move |v| one(k, v))).collect();
        Ok(Self { all, best: 0 })
    }

    /// Runs every candidate over the rows in their order, and puts the best one's values into the settings. Whether it was
    /// stopped.
    pub(crate) fn run(
        &mut self,
        s: &mut GreedySettings,
        rows: &Rows,
        watch: &dyn Watch,
    ) -> Result<bool, Fault> {
        for candidate in &mut self.all {
            let own = GreedySettings { levels: candidate.levels, outer: candidate.outer, ..*s };
            let (fit, ahead) = fit_prequential(&own, Averaging::Last, 0.9, rows, watch)?;
            candidate.nats = ahead.log;
            if fit.interrupted {
                return Ok(true);
            }
        }
        if self.all.is_empty() {
            return Ok(false);
        }
        let mut evidence: Vec<f64> = self.all.iter().map(|c| -c.nats).collect();
        let best = model_probabilities(&mut evidence);
        self.best =
            best.ok_or_else(|| Fault::failed("choosing: no candidate has a finite loss"))?;
        self.all.iter_mut().zip(evidence).for_each(|(c, p)| c.probability = p);
        (s.levels, s.outer) = (self.all[self.best].levels, self.all[self.best].outer);
        Ok(false)
    }
}
