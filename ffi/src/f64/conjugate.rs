//! Gaussian regression in closed form

use crate::f64::data::{self, lcc_data_f64};
use crate::prelude::*;
use lcc_core::estimator::Conjugate;

/// The regression that lies in an array. Where only its factor is asked for the scales are any.
///
/// # Safety
/// As [`raw::slice_mut`].
unsafe fn open<'a>(
    d: usize,
    (rows, noise, scale): (usize, f64, f64),
    state: *mut f64,
    len: usize,
) -> Result<Conjugate<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    Ok(Conjugate::resume(d, rows, noise, scale, unsafe { raw::slice_mut(state, len)? })?)
}

/// Any.
const FACTOR: (usize, f64, f64) = (0, 1.0, 1.0);

abi! {
    /// The values of the array that holds a regression on d columns: (d + 1) (d + 4) / 2, whatever the rows.
    ///
    /// @return LCC_ERROR_OVERFLOW
    fn lcc_conjugate_values_f64(d: usize) -> (values: usize) {
        Conjugate::<f64>::values(d).ok_or(LCC_ERROR_OVERFLOW)?
    }

    /// Starts y_i = x_i.w + N(0, noise^2), w ~ N(0, scale^2 I), in an array of lcc_conjugate_values_f64 values. An
    /// intercept is a column of ones.
    ///
    /// @param noise  sd of the noise, in units of y
    /// @param scale  sd of every weight
    /// @return LCC_ERROR_NOISE, LCC_ERROR_SCALE, LCC_ERROR_INPUTS (d = 0)
    fn lcc_conjugate_start_f64(d: usize, noise: f64, scale: f64, state: *mut f64, len: usize) {
        Conjugate::new(d, noise, scale, raw::slice_mut(state, len)?).map(|_| ())?
    }

    /// Takes rows in; they need not be kept. 3 d^2 flops each, by Givens rotations.
    ///
    /// @param noise  as at the start
    /// @return LCC_ERROR_NOISE
    fn lcc_conjugate_add_f64(
        data: *const lcc_data_f64, noise: f64, state: *mut f64, len: usize,
    ) {
        let data = data::dataset(data)?;
        open(data.d(), (0, noise, 1.0), state, len)?.add(&data)?
    }

    /// The posterior mean of the weights, which is their mode.
    ///
    /// @param mean  out: d values
    fn lcc_conjugate_mean_f64(d: usize, state: *mut f64, len: usize, mean: *mut f64) {
        open(d, FACTOR, state, len)?.mean(raw::slice_mut(mean, d)?)?
    }

    /// The law of f(x) = x.w: normal. That of a new y has noise^2 more variance.
    ///
    /// @param x         d values, used up
    /// @param mean      out: of f
    /// @param variance  out: of f
    fn lcc_conjugate_predict_f64(
        d: usize, state: *mut f64, len: usize, x: *mut f64,
    ) -> (mean: f64, variance: f64) {
        open(d, FACTOR, state, len)?.predict(raw::slice_mut(x, d)?)?
    }

    /// log p(y) of the rows taken in, and the entropy H of the posterior. The mean of -log p(y, w) over the
    /// posterior is H - log p(y).
    ///
    /// @param rows     how many they were
    /// @param noise    as at the start
    /// @param scale    as at the start
    /// @param log_evidence  out: nats
    /// @param entropy  out: nats
    /// @return LCC_ERROR_NOISE, LCC_ERROR_SCALE
    fn lcc_conjugate_evidence_f64(
        d: usize, rows: usize, noise: f64, scale: f64, state: *mut f64, len: usize,
    ) -> (log_evidence: f64, entropy: f64) {
        let fit = open(d, (rows, noise, scale), state, len)?;
        (fit.log_evidence(), fit.entropy())
    }
}
