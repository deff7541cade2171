//! The papers' Greedy Bayes, in one batch.

use crate::engine::{Copied, Memory, Number, Progress, Steps, held, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::activation::Activation;
use lcc_core::data::Dataset;
use lcc_core::estimator::greedy_bayes::Form;
use lcc_core::estimator::prequential::PrequentialOptions;
use lcc_core::estimator::relaxed::{RelaxedMethod, RelaxedOptions};
use lcc_core::estimator::{GreedyBayes, GreedyOptions, bnn::Status};
use lcc_core::prior::PriorKind;
use lcc_core::simd::Isa;

/// What greedy methods are asked; 0 where the core is to choose.
#[derive(Clone, Copy, Debug)]
pub struct GreedySettings {
    /// Hidden units that are fitted one after another.
    pub levels: u32,
    /// Particles of each.
    pub particles: u32,
    /// Draws in the model.
    pub keep: u32,
    /// Names the random numbers.
    pub seed: u64,
    /// The activation.
    pub activation: Activation,
    /// The prior of a unit's weights,
    pub prior: PriorKind,
    /// and its scale.
    pub scale: f64,
    /// With the square of the loss, or without.
    pub form: Form,
    /// V of the dictionary.
    pub outer: f64,
    /// The tilt.
    pub alpha: f64,
    /// The share that a level takes of the fit.
    pub beta: f64,
    /// The share of the rows that choose the levels.
    pub holdout: f64,
    /// Units of either sign.
    pub either_sign: bool,
    /// Levels keep their shares.
    pub no_refit: bool,
    /// Data unchanged, no bias, one alpha; alpha and beta 1/sqrt(n) unless given.
    pub as_printed: bool,
    /// Of greedy least squares, how a unit enters.
    pub update: RelaxedMethod,
    /// Double precision.
    pub double: bool,
}

impl Default for GreedySettings {
    fn default() -> Self {
        let o = GreedyOptions::<f64>::default();
        Self {
            levels: 0,
            particles: o.particles,
            keep: o.keep,
            seed: o.seed,
            activation: Activation::Tanh,
            prior: PriorKind::Gaussian,
            scale: 0.0,
            form: Form::Quadratic,
            outer: 0.0,
            alpha: 0.0,
            beta: 0.0,
            holdout: o.holdout,
            either_sign: false,
            no_refit: false,
            as_printed: false,
            update: RelaxedMethod::Relaxed,
            double: false,
        }
    }
}

fn or(own: f64, usual: f64) -> f64 {
    if own == 0.0 { usual } else { own }
}

impl GreedySettings {
    /// Fills in what has other values in the prequential form.
    pub fn complete(&mut self, prequential: bool) {
        let (batch, online) =
            (GreedyOptions::<f64>::default(), PrequentialOptions::<f64>::default());
        if self.levels == 0 {
            self.levels = if prequential { online.levels } else { batch.levels };
        }
        self.scale = or(self.scale, batch.scale);
        self.outer = or(self.outer, batch.outer);
        if !self.as_printed {
            let (alpha, beta) =
                if prequential { (online.alpha, online.beta) } else { (batch.alpha, batch.beta) };
            self.alpha = or(self.alpha, alpha);
            self.beta = or(self.beta, beta);
        }
    }

    /// The same of greedy least squares.
    pub fn complete_relaxed(&mut self) {
        let o = RelaxedOptions::<f64>::default();
        self.levels = if self.levels == 0 { o.levels } else { self.levels };
        self.scale = or(self.scale, o.radius);
        self.outer = or(self.outer, o.outer);
    }

    /// What is left to be known with the rows.
    pub fn complete_rows(&mut self, n: usize) {
        let root = 1.0 / (n as f64).sqrt();
        self.alpha = or(self.alpha, root);
        self.beta = or(self.beta, root);
    }
}

/// What the options of both forms have.
macro_rules! shared {
    ($options:ident, $s:ident { $($name:ident: $value:expr),* $(,)? }) => {
        $options::<T> {
            levels: $s.levels,
            particles: $s.particles,
            keep: $s.keep,
            seed: $s.seed,
            activation: $s.activation.into(),
            prior: $s.prior.into(),
            form: $s.form.into(),
            scale: T::lit($s.scale),
            outer: T::lit($s.outer),
            alpha: T::lit($s.alpha),
            beta: T::lit($s.beta),
            either_sign: $s.either_sign.into(),
            $($name: $value,)*
            ..$options::<T>::default()
        }
    };
}
pub(super) use shared;

held!(GreedyBayes, GreedyOptions, "greedy", own => {
    let p = own.progress();
    let gradients = p.evaluations.saturating_mul(u64::from(own.options().particles));
    Progress { done: p.levels.into(), total: p.of.into(), gradients, warming: false }
});

/// Fits.
pub fn fit_greedy(s: &GreedySettings, rows: &Rows, watch: &dyn Watch) -> Result<Fit, Fault> {
    in_precision!(s.double, T => fit_in::<T>(s, rows, watch))
}

fn fit_in<T: Number>(s: &GreedySettings, rows: &Rows, watch: &dyn Watch) -> Result<Fit, Fault> {
    let copy = Copied::<T>::of(rows);
    let modern = (!s.as_printed).into();
    let options = shared!(
        GreedyOptions,
        s {
            holdout: T::lit(s.holdout),
            standardise: modern,
            intercept: modern,
            follow: modern,
            refit: (!s.no_refit).into(),
        }
    );
    let mut held = Held::make(&options, copy.data()?)?;
    let mut pace = Pace::new(watch);
    let done = pace.drive(&mut held, |_| Ok(()))?;
    let mut fit = Fit::without_chains(T::DIGITS, &pace, held.memory.size(), done);
    if done {
        let own = held.open()?;
        let mut scratch = vec![T::ZERO; own.model_scratch()];
        fit.model = Some(written(own.model_size(), |image| own.write_model(image, &mut scratch))?);
        fit.levels_used = own.used();
        let each = (0..s.levels as usize).filter_map(|k| own.level_report(k));
        let sum = each.fold(0.0, |sum, level| sum + level.acceptance.to_f64());
        fit.acceptance = sum / f64::from(s.levels);
    }
    Ok(fit)
}
