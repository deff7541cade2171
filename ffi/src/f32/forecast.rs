// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.
//! Forecasts, and what they cost

use crate::f32::prediction::lcc_score_f32;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::estimator::prequential::Forecast;

/// The law of a target given the rows before it: Student-t, in the target's units.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_forecast_f32 {
    /// The location, f(x).
    pub location: f32,
    /// The scale.
    pub scale: f32,
    /// The degrees of freedom.
    pub nu: f32,
    /// The standard deviation.
    pub sd: f32,
    /// The lower end of the central interval.
    pub lower: f32,
    /// The upper end.
    pub upper: f32,
}

/// The losses of the forecasts so far, each made before its row was seen.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_losses_f32 {
    /// Rows.
    pub rows: u64,
    /// The sum of (y - f(x))^2, in the target's units.
    pub squared: f32,
    /// The sum of minus log densities, in nats: the description length of the targets.
    pub log: f32,
}

/// A level that an interval may have.
pub(crate) fn level_of(level: f32) -> Result<f32, lcc_status> {
    if level > 0.0 && level < 1.0 { Ok(level) } else { Err(lcc_status::LCC_ERROR_PROBABILITY) }
}

pub(crate) fn forecast(law: Forecast<f32>, level: f32) -> lcc_forecast_f32 {
    let p = law.prediction(level);
    let Forecast { location, scale, nu } = law;
    lcc_forecast_f32 { location, scale, nu, sd: p.sd, lower: p.lower, upper: p.upper }
}

/// How a target fared under a forecast: log density, probability integral transform, continuous ranked
/// probability score.
///
/// @param forecast  what lcc_prequential_forecast_f32 or lcc_prequential_last_f32 wrote
/// @param y         the target
/// @param score     out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_NOT_FINITE_Y, LCC_ERROR_NOT_FINITE_VALUE where it is no
///         forecast
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_forecast_score_f32(
    forecast: *const lcc_forecast_f32,
    y: f32,
    score: *mut lcc_score_f32,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let lcc_forecast_f32 { location, scale, nu, .. } = *unsafe { raw::reference(forecast)? };
        let sound = location.is_finite() && scale > 0.0 && scale.is_finite() && nu >= 1.0;
        if !sound {
            return Err(lcc_status::LCC_ERROR_NOT_FINITE_VALUE);
        }
        if !y.is_finite() {
            return Err(lcc_status::LCC_ERROR_NOT_FINITE_Y);
        }
        let law = Forecast { location, scale, nu };
        let value =
            lcc_score_f32 { log_density: law.log_density(y), pit: law.cdf(y), crps: law.crps(y) };
        // SAFETY: as above.
        unsafe { raw::write(score, value)? };
        Ok(lcc_status::LCC_OK)
    })
}
