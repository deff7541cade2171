//! Models

use crate::predicted;
use crate::prelude::*;
use lcc_core::posterior::Image;

/// What a model is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_model_info {
    /// The model's own length, which may be less than the bytes given.
    pub bytes: u64,
    /// How many of these bytes, at its end, are an attachment: whatever lcc_model_attach was given.
    pub attachment: u64,
    /// The columns d of a row: inputs, and behind them the exposure where there is one.
    pub inputs: u32,
    /// Units M of the first hidden layer.
    pub neurons: u32,
    /// Posterior draws K.
    pub draws: u32,
    /// Precision of the stored values: 32 or 64.
    pub precision: u32,
    /// An LCC_ACTIVATION_ code.
    pub activation: i32,
    /// An LCC_OUTPUT_ code.
    pub output: i32,
    /// Classes of y, or components of a mixture; 0 where y is a number.
    pub categories: u32,
    /// 1: softmax with the first class as reference.
    pub reference: u32,
    /// 1: the last column of a row is its exposure.
    pub exposure: u32,
    /// 1: inputs also act on the outputs directly.
    pub linear: u32,
    /// 1: the outputs of a draw w are f(w*) + J (w - w*), of a network linearised at w* (lcc_bnn_write_linearised_f64).
    pub linearised: u32,
    /// Units of the hidden layers; 0 from the first that is not there.
    pub widths: [u32; 4],
    /// Values of a draw: lcc_model_parameters_f64.
    pub values: u32,
    /// The temperature of the probabilities of classes, to single precision: lcc_model_temper. 1 where y is no class.
    pub temperature: f32,
    /// 0.
    pub reserved: u32,
}

/// # Safety
/// NULL or `bytes` bytes that nobody writes during `'a`.
pub(crate) unsafe fn open<'a>(model: *const u8, bytes: usize) -> Result<Image<'a>, lcc_status> {
    // SAFETY: the caller's promise.
    Ok(predicted::readable(unsafe { raw::slice(model, bytes)? })?)
}

/// The same of any network, in every build.
///
/// # Safety
/// As [`open`].
pub(crate) unsafe fn open_any<'a>(model: *const u8, bytes: usize) -> Result<Image<'a>, lcc_status> {
    // SAFETY: the caller's promise.
    Ok(Image::open_unverified(unsafe { raw::slice(model, bytes)? })?)
}

/// Memory for a model of at most so many bytes.
///
/// # Safety
/// NULL or `bytes` bytes that only this call uses during `'a`.
pub(crate) unsafe fn room<'a>(
    model: *mut u8,
    bytes: usize,
    most: usize,
) -> Result<&'a mut [u8], lcc_status> {
    // SAFETY: the caller's promise.
    let model = unsafe { raw::slice_mut(model, bytes)? };
    raw::refuse(bytes < most, LCC_ERROR_MEMORY_SIZE)?;
    Ok(model)
}

abi! {
    /// Verifies a model: a posterior image, which is read where it lies, in flash too, at any alignment, by
    /// code of either precision, on machines of either byte order. Reads every byte: the checksum, and
    /// that every value is in its range. The other functions check the head and the bounds only, so verify
    /// a model once when it arrives.
    ///
    /// @param model  the image; bytes beyond its own length are ignored
    /// @param info   out: what it is; may be NULL
    /// @return LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _SHAPE, _VALUE
    fn lcc_model_check(model: *const u8, bytes: usize, info: *mut lcc_model_info) {
        let image = Image::open(raw::slice(model, bytes)?)?;
        let shape = image.shape();
        let value = lcc_model_info {
            bytes: image.bytes().len() as u64,
            attachment: image.attachment().len() as u64,
            inputs: image.inputs() as u32,
            neurons: image.first_width() as u32,
            draws: image.draws() as u32,
            precision: image.precision(),
            activation: image.activation() as i32,
            output: shape.output as i32,
            categories: (shape.categories as usize).max(shape.classes()) as u32,
            reference: shape.reference as u32,
            exposure: shape.exposure as u32,
            linear: shape.architecture.linear as u32,
            linearised: shape.linearised as u32,
            widths: shape.architecture.widths,
            values: image.values::<f64>(0).len() as u32,
            temperature: image.temperature(),
            reserved: 0,
        };
        raw::write_if(info, Some(value))?;
    }

    /// Writes a copy of a model, of any kind, with bytes of yours at its end, under its checksum, in place of those
    /// that it has: how raw columns were encoded, say. They are the last lcc_model_info.attachment bytes of the
    /// model's own. The copy predicts as the model does.
    ///
    /// @param attachment  may be NULL where attachment_bytes is 0
    /// @param out         out: bytes + attachment_bytes are enough; apart from the model
    /// @param capacity    the bytes at out
    /// @return LCC_ERROR_MEMORY_SIZE, LCC_ERROR_OVERLAP
    fn lcc_model_attach(
        model: *const u8, bytes: usize, attachment: *const u8, attachment_bytes: usize, out: *mut u8,
        capacity: usize,
    ) -> (written: usize) {
        raw::apart(out, capacity.min(bytes.saturating_add(attachment_bytes)), model, bytes)?;
        let image = Image::open_unverified(raw::slice(model, bytes)?)?;
        let own = match attachment_bytes {
            0 => &[],
            _ => raw::slice(attachment, attachment_bytes)?,
        };
        image.attach(own, raw::slice_mut(out, capacity)?)?
    }

    /// Writes a copy of a model of classes whose probabilities are at a temperature t, in place of that which it has:
    /// P(c) is the mean of the draws' to the power 1/t, divided by the sum over the classes. 1 is the exact posterior
    /// predictive; lcc_temperature_f64 finds the t under which held-out rows score best. The parts of the
    /// uncertainty that speak of the draws stay those of t = 1.
    ///
    /// @param temperature  positive
    /// @param out          out: bytes are enough; apart from the model
    /// @param capacity     the bytes at out
    /// @return LCC_ERROR_OUTPUT, LCC_ERROR_NOT_FINITE_VALUE, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_OVERLAP
    fn lcc_model_temper(
        model: *const u8, bytes: usize, temperature: f64, out: *mut u8, capacity: usize,
    ) -> (written: usize) {
        raw::apart(out, capacity.min(bytes), model, bytes)?;
        let image = Image::open_unverified(raw::slice(model, bytes)?)?;
        raw::refuse(!image.shape().is_class(), LCC_ERROR_OUTPUT)?;
        let sound = temperature > 0.0 && temperature.is_finite();
        raw::refuse(!sound, LCC_ERROR_NOT_FINITE_VALUE)?;
        image.temper(temperature, raw::slice_mut(out, capacity)?)?
    }
}
