//! Greedy least squares: the minimiser in place of the mean.

use super::GreedySettings;
use crate::engine::{Copied, Memory, Number, Progress, Steps, held, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::data::Dataset;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedMethod, RelaxedOptions};
use lcc_core::prior::PriorKind;
use lcc_core::simd::Isa;

/// The last level, in the units of the hidden units.
#[derive(Clone, Copy, Debug, Default)]
pub struct Last {
    /// The mean squared error.
    pub error: f64,
    /// What some average of so many units is within of the best of the hull.
    pub bound: f64,
    /// The duality gap.
    pub gap: f64,
    /// The variation of the fit.
    pub variation: f64,
}

held!(RelaxedGreedy, RelaxedOptions, "relaxed", own => {
    let (o, levels) = (own.options(), own.levels() as u64);
    let passes = (u64::from(o.steps) + 1).saturating_mul(o.starts.into());
    let gradients = levels.saturating_mul(passes);
    Progress { done: levels, total: o.levels.into(), gradients, warming: false }
});

impl<T: Number> Held<'_, T> {
    fn last(&mut self, levels: u32) -> Result<Last, Fault> {
        let level = self.open()?.level_report(levels as usize - 1);
        let level = level.ok_or_else(|| Fault::failed("relaxed: the last level is not there"))?;
        Ok(Last {
            error: level.error.to_f64(),
            bound: level.bound.to_f64(),
            gap: level.gap.to_f64(),
            variation: level.variation.to_f64(),
        })
    }
}

fn options<T: Number>(s: &GreedySettings) -> RelaxedOptions<T> {
    RelaxedOptions {
        method: s.update.into(),
        activation: s.activation.into(),
        levels: s.levels,
        seed: s.seed,
        outer: T::lit(s.outer),
        radius: T::lit(s.scale),
        standardise: (!s.as_printed).into(),
        intercept: (!s.as_printed).into(),
        ..RelaxedOptions::default()
    }
}

/// Fits; the last level beside it.
pub fn fit_relaxed(
    s: &GreedySettings,
    rows: &Rows,
    watch: &dyn Watch,
) -> Result<(Fit, Last), Fault> {
    in_precision!(s.double, T => fit_in::<T>(s, rows, watch))
}

fn fit_in<T: Number>(
    s: &GreedySettings,
    rows: &Rows,
    watch: &dyn Watch,
) -> Result<(Fit, Last), Fault> {
    let copy = Copied::<T>::of(rows);
    let mut held = Held::make(&options::<T>(s), copy.data()?)?;
    let mut pace = Pace::new(watch);
    let done = pace.drive(&mut held, |_| Ok(()))?;
    let mut fit = Fit::without_chains(T::DIGITS, &pace, held.memory.size(), done);
    fit.acceptance = f64::NAN;
    let mut last = Last::default();
    if done {
        last = held.last(s.levels)?;
        let own = held.open()?;
        let mut scratch = vec![T::ZERO; own.model_scratch()];
        fit.model = Some(written(own.model_size(), |image| own.write_model(image, &mut scratch))?);
        fit.levels_used = s.levels as usize;
    }
    Ok((fit, last))
}

/// The mean squared error of the best network in hindsight: as many units of the same dictionary, fitted to all rows by
/// orthogonal matching pursuit.
pub(super) fn hindsight<T: Number>(s: &GreedySettings, data: Dataset<'_, T>) -> Result<f64, Fault> {
    let radius = match s.prior {
        PriorKind::L1Ball => s.scale,
        PriorKind::Gaussian => RelaxedOptions::<f64>::default().radius,
    };
    let update = RelaxedMethod::Orthogonal;
    let best = GreedySettings { update, levels: s.levels.min(4096), scale: radius, ..*s };
    let mut held = Held::make(&options::<T>(&best), data)?;
    while held.step(1 << 24)? {}
    Ok(held.last(best.levels)?.error)
}
