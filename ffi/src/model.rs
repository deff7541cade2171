//! Models

use crate::prelude::*;
use lcc_core::posterior::Image;

/// What a model is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_model_info {
    /// The model's own length, which may be less than the bytes given.
    pub bytes: u64,
    /// Inputs d.
    pub inputs: u32,
    /// Neurons M.
    pub neurons: u32,
    /// Posterior draws K.
    pub draws: u32,
    /// Precision of the stored values: 32 or 64.
    pub precision: u32,
    /// An LCC_ACTIVATION_ code.
    pub activation: i32,
    /// Must be ignored.
    pub reserved: u32,
}

/// # Safety
/// NULL or `bytes` bytes that nobody writes during `'a`.
pub(crate) unsafe fn open<'a>(model: *const u8, bytes: usize) -> Result<Image<'a>, lcc_status> {
    // SAFETY: the caller's promise.
    Ok(Image::open_one_layer_unverified(unsafe { raw::slice(model, bytes)? })?)
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
        let image = Image::open_one_layer(raw::slice(model, bytes)?)?;
        let value = lcc_model_info {
            bytes: image.bytes().len() as u64,
            inputs: image.inputs() as u32,
            neurons: image.first_width() as u32,
            draws: image.draws() as u32,
            precision: image.precision(),
            activation: image.activation() as i32,
            reserved: 0,
        };
        raw::write_if(info, Some(value))?;
    }
}
