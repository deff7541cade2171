//! Levels and V chosen by description length: the prequential log loss of each candidate.

use super::{GreedySettings, fit_prequential};
use crate::fault::Fault;
use crate::rows::Rows;
use crate::text::real;
use crate::watch::Watch;
use lcc_core::estimator::prequential::Averaging;
use lcc_core::theory::resolvability::model_probabilities;

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
