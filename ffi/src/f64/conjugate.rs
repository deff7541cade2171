//! Gaussian regression in closed form

use crate::f64::data::{self, lcc_data_f64};
use crate::prelude::*;
use lcc_core::estimator::Conjugate;

/// The regression that lies in an array.
///
/// # Safety
/// As [`raw::slice_mut`].
unsafe fn open<'a>(
    d: usize,
    state: *mut f64,
    len: usize,
) -> Result<Conjugate<'a, f64>, lcc_status> {
    // SAFETY: the caller's promise.
    Ok(Conjugate::open(d, unsafe { raw::slice_mut(state, len)? })?)
}

/// Numbers that are to be handed out, unless one is none.
fn finite((a, b): (f64, f64)) -> Result<(f64, f64), lcc_status> {
    raw::refuse(!(a.is_finite() && b.is_finite()), LCC_ERROR_NOT_FINITE_VALUE)?;
    Ok((a, b))
}

abi! {
    /// The values of the array that holds a regression on d columns: (d + 1) (d + 4) / 2, whatever the rows. It knows its
    /// d and its noise, with 2 columns its scale and with 3 its rows (up to 2^24): a function that is given others returns
    /// LCC_ERROR_HANDLE (d, or nothing was started there) or LCC_ERROR_DATA_CHANGED. Below 3 columns nobody checks the rows
    /// that lcc_conjugate_evidence_f64 is given, and with 1 the scale.
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
    /// @return LCC_ERROR_NOISE, LCC_ERROR_SCALE, LCC_ERROR_INPUTS (d = 0), LCC_ERROR_OVERFLOW
    fn lcc_conjugate_start_f64(d: usize, noise: f64, scale: f64, state: *mut f64, len: usize) {
        Conjugate::new(d, noise, scale, raw::slice_mut(state, len)?).map(|_| ())?
    }

    /// Takes rows in; they need not be kept. 3 d^2 flops each, by Givens rotations.
    ///
    /// @param noise  as at the start
    /// @return LCC_ERROR_NOISE, LCC_ERROR_NOT_FINITE_VALUE (the square of a value in units of the noise); the state is
    ///         unchanged then
    fn lcc_conjugate_add_f64(
        data: *const lcc_data_f64, noise: f64, state: *mut f64, len: usize,
    ) {
        let data = data::dataset(data)?;
        raw::refuse(!(noise > 0.0 && noise.is_finite()), LCC_ERROR_NOISE)?;
        let mut fit = open(data.d(), state, len)?;
        raw::refuse(fit.noise() != noise, LCC_ERROR_DATA_CHANGED)?;
        fit.add(&data)?
    }

    /// The posterior mean of the weights, which is their mode.
    ///
    /// @param mean  out: d values
    /// @return LCC_ERROR_NOT_FINITE_VALUE (a value of the mean: they are written all the same)
    fn lcc_conjugate_mean_f64(d: usize, state: *mut f64, len: usize, mean: *mut f64) {
        let mean = raw::slice_mut(mean, d)?;
        open(d, state, len)?.mean(mean)?;
        raw::refuse(!mean.iter().all(|x| x.is_finite()), LCC_ERROR_NOT_FINITE_VALUE)?;
    }

    /// The law of f(x) = x.w: normal. That of a new y has noise^2 more variance.
    ///
    /// @param x         d values, used up
    /// @param mean      out: of f
    /// @param variance  out: of f
    /// @return LCC_ERROR_NOT_FINITE_X, LCC_ERROR_NOT_FINITE_VALUE (of mean or variance)
    fn lcc_conjugate_predict_f64(
        d: usize, state: *mut f64, len: usize, x: *mut f64,
    ) -> (mean: f64, variance: f64) {
        let (fit, x) = (open(d, state, len)?, raw::slice_mut(x, d)?);
        raw::refuse(!x.iter().all(|x| x.is_finite()), LCC_ERROR_NOT_FINITE_X)?;
        finite(fit.predict(x)?)?
    }

    /// log p(y) of the rows taken in, and the entropy H of the posterior. The mean of -log p(y, w) over the
    /// posterior is H - log p(y).
    ///
    /// @param rows     how many they were
    /// @param noise    as at the start
    /// @param scale    as at the start
    /// @param log_evidence  out: nats
    /// @param entropy  out: nats
    /// @return LCC_ERROR_NOISE, LCC_ERROR_SCALE, LCC_ERROR_NOT_FINITE_VALUE (of one of them)
    fn lcc_conjugate_evidence_f64(
        d: usize, rows: usize, noise: f64, scale: f64, state: *mut f64, len: usize,
    ) -> (log_evidence: f64, entropy: f64) {
        let fit = Conjugate::resume(d, rows, noise, scale, raw::slice_mut(state, len)?)?;
        finite((fit.log_evidence(), fit.entropy()))?
    }
}
