//! Leave-one-out

use crate::f64::draws::lcc_draws_f64;
use crate::prelude::*;
use lcc_core::diagnostics::{self, Draws, Loo, LooRow};

/// What the draws say of one row. NaN where a log likelihood is not finite.
pub type lcc_loo_row_f64 = LooRow<f64>;

/// All rows together: sums, each with its standard error over rows.
pub type lcc_loo_f64 = Loo<f64>;

abi! {
    /// Leave-one-out predictive densities by Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry
    /// 2024), and WAIC, from the log likelihood of each row under each draw: of a density of one's own as the caller
    /// computed it, of a network from lcc_model_log_likelihood_f64. The relative effective size of the draws is that of
    /// the likelihood over its chains; of fewer than 4 draws a chain as of independent ones. A sort a row, and some 30
    /// logarithms for each of its min(S/5, 3 sqrt S) largest weights.
    ///
    /// @param log_likelihood  that of the first row
    /// @param rows            at least 1
    /// @param row_stride      elements from one row to the next
    /// @param scratch         lcc_draws_scratch_f64 bytes, aligned as the draws
    /// @param out             out: one a row
    fn lcc_loo_estimate_f64(
        log_likelihood: *const lcc_draws_f64, rows: usize, row_stride: usize, scratch: *mut u8,
        bytes: usize, out: *mut lcc_loo_row_f64, len: usize,
    ) -> (report: lcc_loo_f64) {
        let first = *raw::reference(log_likelihood)?;
        let lcc_draws_f64 { data, chains, draws, chain_stride, draw_stride } = first;
        let own = raw::span(chains, draws, chain_stride, draw_stride)?;
        let last = raw::times(rows.checked_sub(1).ok_or(LCC_ERROR_EMPTY)?, row_stride)?;
        let data = raw::slice(data, last.checked_add(own).ok_or(LCC_ERROR_OVERFLOW)?)?;
        let (size, out) = (raw::times(chains, draws)?, raw::array(out, len, rows)?);
        let scratch = raw::slice_mut(scratch.cast::<f64>(), bytes / size_of::<f64>())?;
        for (i, out) in out.iter_mut().enumerate() {
            let at = i.wrapping_mul(row_stride);
            let row = Draws::new(data, chains, draws, at, chain_stride, draw_stride)?;
            *out = diagnostics::loo_row(&row, scratch)?;
        }
        diagnostics::loo(out, size)
    }

    /// By how much the expected log predictive density of model a is larger than that of b, from the same rows in the
    /// same order, and the standard error of that: |difference| below some 4, or below twice its error, decides nothing.
    ///
    /// @param rows            of each
    /// @param standard_error  out: NaN of one row
    fn lcc_loo_compare_f64(
        a: *const lcc_loo_row_f64, b: *const lcc_loo_row_f64, rows: usize,
    ) -> (difference: f64, standard_error: f64) {
        raw::refuse(rows == 0, LCC_ERROR_EMPTY)?;
        diagnostics::loo_difference(raw::slice(a, rows)?, raw::slice(b, rows)?)
    }
}
