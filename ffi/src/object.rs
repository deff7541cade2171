//! What every handle can do

use crate::handle;
use crate::raw;
use crate::status::lcc_status;
use core::ffi::{c_char, c_void};
use lcc_core::checkpoint::{self, Kind};

/// Where an object is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct lcc_progress {
    /// Units of work done ...
    pub done: u64,
    /// ... of this many; 0 where there is no end, and of an adaptive ladder the most there is room for until it is climbed.
    pub total: u64,
    /// Draws that every chain has made.
    pub draws: u64,
    /// Evaluations of the gradient so far, summed over chains.
    pub gradients: u64,
    /// 1 before the first draw: starting and adapting.
    pub warming: u32,
    /// Must be ignored.
    pub reserved: u32,
}

/// The type of a handle, e.g. "lcc_network_f64": of what came from a checkpoint, say. NULL where there is none.
/// Static storage.
///
/// @param handle  any
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_read_type(handle: *const c_void) -> *const c_char {
    // SAFETY: the header asks for a valid pointer.
    let Ok(block) = (unsafe { handle::any(handle.cast()) }) else {
        return core::ptr::null();
    };
    let [single, double] = match block.kind {
        Kind::Sampler => [c"lcc_sampler_f32", c"lcc_sampler_f64"],
        Kind::GreedyBayes => [c"lcc_greedy_f32", c"lcc_greedy_f64"],
        Kind::Network => [c"lcc_network_f32", c"lcc_network_f64"],
        Kind::Smc => [c"lcc_smc_f32", c"lcc_smc_f64"],
        Kind::Tempering => [c"lcc_tempering_f32", c"lcc_tempering_f64"],
        Kind::Auto => [c"lcc_auto_f32", c"lcc_auto_f64"],
        Kind::Prequential => [c"lcc_prequential_f32", c"lcc_prequential_f64"],
        Kind::Relaxed => [c"lcc_relaxed_f32", c"lcc_relaxed_f64"],
        Kind::Stream => [c"lcc_stream_f32", c"lcc_stream_f64"],
        Kind::Window => [c"lcc_window_f32", c"lcc_window_f64"],
    };
    if block.bits == 32 { single.as_ptr() } else { double.as_ptr() }
}

/// Where an object is.
///
/// @param handle    any
/// @param progress  out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_read_progress(
    handle: *const c_void,
    progress: *mut lcc_progress,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (note, _) = unsafe { handle::any(handle.cast())? }.split()?;
        // SAFETY: as above.
        unsafe { raw::write(progress, note.progress)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// The bytes of a checkpoint.
///
/// @param handle  any
/// @param bytes   out
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_OVERFLOW
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_checkpoint_size(handle: *const c_void, bytes: *mut usize) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let block = unsafe { handle::any(handle.cast())? };
        let size = checkpoint::sealed_size(block.state.len());
        // SAFETY: as above.
        unsafe { raw::write(bytes, size.ok_or(lcc_status::LCC_ERROR_OVERFLOW)?)? };
        Ok(lcc_status::LCC_OK)
    })
}

/// Seals a copy of an object, with a checksum: lcc_restore makes a handle of it, which goes on with the bits
/// that running on would have given. For this version of LCC and machines of this byte order.
///
/// @param handle      any
/// @param checkpoint  out: lcc_checkpoint_size bytes, of any alignment
/// @param bytes       the bytes at checkpoint
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_HANDLE, LCC_ERROR_MEMORY_SIZE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_checkpoint(
    handle: *const c_void,
    checkpoint: *mut u8,
    bytes: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let (block, out) =
            unsafe { (handle::any(handle.cast())?, raw::slice_mut(checkpoint, bytes)?) };
        checkpoint::checkpoint(block.state, block.kind, block.bits, out)?;
        Ok(lcc_status::LCC_OK)
    })
}

/// Builds a handle from a checkpoint, in as much memory as the one that was sealed: of the type of that one
/// (lcc_read_type), so that functions of another type return LCC_ERROR_HANDLE.
///
/// @param memory      aligned to 16; the handle, once this returns LCC_OK
/// @param bytes       the bytes at memory
/// @param checkpoint  what lcc_checkpoint wrote
/// @param length      its bytes
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MEMORY_SIZE, LCC_ERROR_MEMORY_ALIGN,
///         LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _KIND (of a machine of the other byte order)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_restore(
    memory: *mut c_void,
    bytes: usize,
    checkpoint: *const u8,
    length: usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: the header asks for valid pointers.
        let sealed = checkpoint::unseal(unsafe { raw::slice(checkpoint, length)? })?;
        let name = (sealed.kind, sealed.bits);
        // SAFETY: as above.
        unsafe {
            handle::build_any(memory.cast(), bytes, sealed.state.len(), name, false, |state| {
                state.iter_mut().zip(sealed.state).for_each(|(o, s)| *o = *s);
                Ok::<(), lcc_status>(())
            })?;
        }
        Ok(lcc_status::LCC_OK)
    })
}
