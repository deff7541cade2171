//! Greedy least squares: the minimiser in place of the mean.

use super::GreedySettings;
use crate::engine::{Copied, Memory, Number, Progress, Steps, in_precision, written};
use crate::fault::{Fault, at};
use crate::network::{Fit, Pace};
use crate::rows::Rows;
use crate::watch::Watch;
use lcc_core::data::Dataset;
use lcc_core::estimator::bnn::Status;
use lcc_core::estimator::relaxed::{RelaxedGreedy, RelaxedMethod, RelaxedOptions};
use lcc_core::prior::PriorKind;
use lcc_core::simd::Isa;

const DOING: &str = "relaxed";

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

struct Held<'d, T> {
    memory: Memory,
    data: Dataset<'d, T>,
}

impl<'d, T: Number> Held<'d, T> {
    fn make(options: &RelaxedOptions<T>, data: Dataset<'d, T>, doing: &str) -> Result<Self, Fault> {
        let size = RelaxedGreedy::size(options, data.n(), data.d()).map_err(at(doing))?;
        let mut memory = Memory::new(size);
        RelaxedGreedy::init(memory.bytes(), options, Isa::detect(), &data).map_err(at(doing))?;
        Ok(Self { memory, data })
    }
    fn open(&mut self) -> Result<RelaxedGreedy<'_, T>, Fault> {
        RelaxedGreedy::open(self.memory.bytes(), Isa::detect()).map_err(at(DOING))
    }
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

impl<T: Number> Steps for Held<'_, T> {
    fn step(&mut self, budget: u64) -> Result<bool, Fault> {
        let data = self.data;
        let status = self.open()?.step(&data, budget).map_err(at("fitting"))?;
        Ok(status == Status::Running)
    }
    fn progress(&mut self) -> Result<Progress, Fault> {
        let own = self.open()?;
        let (o, levels) = (own.options(), own.levels() as u64);
        let passes = (u64::from(o.steps) + 1).saturating_mul(o.starts.into());
        let gradients = levels.saturating_mul(passes);
        Ok(Progress { done: levels, total: o.levels.into(), gradients, warming: false })
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
    let mut held = Held::make(&options::<T>(s), copy.data()?, DOING)?;
    let mut pace = Pace::new(watch);
    let done = pace.drive(&mut held, |_| Ok(()))?;
    let mut fit = Fit {
        digits: T::DIGITS,
        rhat_max: f64::NAN,
        ess_bulk_min: f64::NAN,
        acceptance: f64::NAN,
        interrupted: !done,
        seconds: pace.seconds,
        gradients: pace.at.gradients,
        workspace: held.memory.size(),
        ..Fit::default()
    };
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
    let doing = "the best network in hindsight";
    let radius = match s.prior {
        PriorKind::L1Ball => s.scale,
        PriorKind::Gaussian => RelaxedOptions::<f64>::default().radius,
    };
    let update = RelaxedMethod::Orthogonal;
    let best = GreedySettings { update, levels: s.levels.min(4096), scale: radius, ..*s };
    let mut held = Held::make(&options::<T>(&best), data, doing)?;
    while held.step(1 << 24)? {}
    Ok(held.last(best.levels)?.error)
}
