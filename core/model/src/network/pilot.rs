//! The recipe of [`fit`](crate::fit) for settings: the short fits run as all fits of settings do, and may be stopped.

use super::run::run;
use super::{Fit, Settings};
use crate::engine::{Copied, Number, in_precision};
use crate::fault::{Fault, at};
use crate::recipe::{Fits, choose_by, temperature_by};
use crate::rows::Rows;
use crate::target::Target;
use crate::watch::{Part, Watch};
use crate::{Error, Model};
use lcc_core::scalar::Real;
use web_time::Instant;

/// Why there is no result: `None` where it was stopped.
type Halt = Option<Fault>;

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Some(at("the short fits")(error))
    }
}

/// A short fit, for which its few chains are no work for all threads.
fn short<'a, T: Number>(settings: &'a Settings, watch: &'a dyn Watch) -> impl Fits<T, Halt> + 'a {
    move |rows, options, [from, to]| {
        let fit = run(
            settings,
            &mut { *options },
            *rows,
            true,
            (None, None),
            &Part::of(watch, from, to),
        )?;
        let image = fit.model.filter(|_| !fit.interrupted).ok_or(None)?;
        Ok(Model { image, luck: None })
    }
}

/// Chooses the output of real numbers, and whether the scales of many inputs are known, by settings that are not settled yet;
/// leaves both where rows are too few. Whether the run was stopped.
pub fn choose_output(
    settings: &mut Settings,
    rows: &Rows,
    target: &mut Target,
    watch: &dyn Watch,
) -> Result<bool, Fault> {
    settings.clone().settle(rows)?;
    in_precision!(settings.double, T => {
        let (copy, options) = (Copied::<T>::of(rows), settings.options::<T>()?);
        match choose_by(&copy.data()?, &options, settings.names_scales(), short(settings, watch)) {
            Err(halt) => return halt.map_or(Ok(true), Err),
            Ok((own, choice)) => {
                (settings.options.output, target.output) = (own.output, own.output.value());
                target.known = own.scales != options.scales;
                if target.known {
                    settings.take_known_scales();
                }
                if let Some(choice) = choice {
                    (target.ahead, target.error) = (choice.ahead.to_f64(), choice.error.to_f64());
                }
            }
        }
    });
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
    let Some(image) = fit.model.clone().filter(|_| !fit.interrupted) else { return Ok(()) };
    let found = in_precision!(settings.double, T => {
        let (copy, options) = (Copied::<T>::of(rows), settings.options::<T>()?);
        temperature_by(&copy.data()?, &options, short(settings, watch))
    });
    match found {
        Ok(None) => {}
        Ok(Some(temperature)) => {
            let own = Model { image, luck: None }.tempered(temperature).map_err(at("the model"))?;
            (fit.model, fit.temperature) = (Some(own.image), Some(temperature));
        }
        Err(None) => watch.say(
            "stopped before the probabilities were calibrated: they are those of temperature 1",
        ),
        Err(Some(fault)) => return Err(fault),
    }
    fit.seconds += began.elapsed().as_secs_f64();
    Ok(())
}

/// The share of the time that a fit of settled settings takes before it is calibrated: about what the core has of folds and
/// chains, for it is the pace of a bar.
pub fn pilot_share(s: &Settings) -> f64 {
    let o = &s.options;
    let [chains, start, warmup, draws, leapfrogs] =
        [o.chains, o.start_steps, o.warmup, o.draws, o.leapfrogs].map(f64::from);
    let threads = f64::from(s.threads.unwrap_or(s.free_threads).max(1));
    let fit = chains / threads * (start + (warmup + draws) * leapfrogs);
    let pilot = chains.min(24.0) * (start + (warmup.min(10.0) + draws) * leapfrogs);
    fit / (fit + pilot)
}
