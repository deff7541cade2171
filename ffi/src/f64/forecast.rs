//! Forecasts, and what they cost

use crate::f64::prediction::lcc_score_f64;
use crate::prelude::*;
use lcc_core::estimator::prequential::{Forecast, Losses};

/// The law of a target given the rows before it: Student-t, in the target's units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_forecast_f64 {
    /// The location, f(x).
    pub location: f64,
    /// The scale.
    pub scale: f64,
    /// The degrees of freedom.
    pub nu: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The lower end of the central interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// The losses of the forecasts so far, each made before its row was seen.
pub type lcc_losses_f64 = Losses<f64>;

pub(crate) fn of(law: Forecast<f64>, level: f64) -> lcc_forecast_f64 {
    let p = law.prediction(level);
    let Forecast { location, scale, nu } = law;
    lcc_forecast_f64 { location, scale, nu, sd: p.sd, lower: p.lower, upper: p.upper }
}

abi! {
    /// How a target fared under a forecast: log density, probability integral transform, continuous ranked
    /// probability score.
    ///
    /// @param forecast  what lcc_prequential_forecast_f64 or lcc_prequential_last_f64 wrote
    /// @return LCC_ERROR_NOT_FINITE_VALUE where it is no forecast
    fn lcc_forecast_score_f64(
        forecast: *const lcc_forecast_f64, y: f64,
    ) -> (score: lcc_score_f64) {
        let lcc_forecast_f64 { location, scale, nu, .. } = *raw::reference(forecast)?;
        let sound = location.is_finite() && scale > 0.0 && scale.is_finite() && nu >= 1.0;
        raw::refuse(!sound, LCC_ERROR_NOT_FINITE_VALUE)?;
        raw::refuse(!y.is_finite(), LCC_ERROR_NOT_FINITE_Y)?;
        let law = Forecast { location, scale, nu };
        lcc_score_f64 { log_density: law.log_density(y), pit: law.cdf(y), crps: law.crps(y) }
    }
}
