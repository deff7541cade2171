//! Leave-one-out of the training rows, by Pareto-smoothed importance sampling, and WAIC.

use crate::engine::{Number, in_precision};
use crate::fault::{Fault, at};
use crate::predict::{Each, by_draw};
use crate::rows::Rows;
use crate::saved::image;
use lcc_core::diagnostics::{self, Draws, Loo, LooRow};

/// One model, and what leaving rows out comes to.
#[derive(Clone, Debug)]
pub struct LooOf {
    /// Its draws.
    pub draws: usize,
    /// One a row.
    pub rows: Vec<LooRow<f64>>,
    /// All rows together.
    pub total: Loo<f64>,
}

/// Of the rows that trained a model.
pub fn leave_one_out(model: &[u8], rows: &Rows) -> Result<LooOf, Fault> {
    let (draws, double) = (image(model)?.draws(), image(model)?.precision() == 64);
    let values = by_draw(model, rows, rows.targets(), Each::LogDensity, false)?;
    in_precision!(double, T => of::<T>(&values, draws))
}

fn of<T: Number>(values: &[f64], draws: usize) -> Result<LooOf, Fault> {
    let doing = "leave-one-out";
    let size = diagnostics::scratch_len(1, draws);
    let mut scratch = vec![T::ZERO; size.ok_or_else(|| Fault::failed("too many draws"))?];
    let mut own = Vec::new();
    for row in values.chunks_exact(draws) {
        // As the model holds them: those of all chains, one after the other.
        let row: Vec<T> = row.iter().map(|v| T::lit(*v)).collect();
        let row = Draws::chain_major(&row, 1, draws).map_err(at(doing))?;
        own.push(diagnostics::loo_row(&row, &mut scratch).map_err(at(doing))?);
    }
    let t = diagnostics::loo(&own, draws);
    let wide = |r: &LooRow<T>| LooRow {
        elpd: r.elpd.to_f64(),
        mcse: r.mcse.to_f64(),
        k: r.k.to_f64(),
        lpd: r.lpd.to_f64(),
        p_waic: r.p_waic.to_f64(),
    };
    let total = Loo {
        rows: t.rows,
        bad: t.bad,
        k_limit: t.k_limit.to_f64(),
        k_max: t.k_max.to_f64(),
        elpd: t.elpd.to_f64(),
        elpd_error: t.elpd_error.to_f64(),
        mcse: t.mcse.to_f64(),
        p: t.p.to_f64(),
        p_error: t.p_error.to_f64(),
        elpd_waic: t.elpd_waic.to_f64(),
        elpd_waic_error: t.elpd_waic_error.to_f64(),
        p_waic: t.p_waic.to_f64(),
        p_waic_error: t.p_waic_error.to_f64(),
    };
    Ok(LooOf { draws, rows: own.iter().map(wide).collect(), total })
}

/// By how much the elpd of one model is larger than that of another of the same rows, and the standard error of that.
pub fn difference(a: &LooOf, b: &LooOf) -> (f64, f64) {
    diagnostics::loo_difference(&a.rows, &b.rows)
}
