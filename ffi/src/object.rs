//! What every handle can do

use crate::handle;
use crate::raw;
use crate::sampler::lcc_progress;
use crate::status::lcc_status;
use core::ffi::c_void;
use lcc_core::checkpoint;

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

/// Builds a handle from a checkpoint, in as much memory as the one that was sealed: of the kind and precision of
/// that one, so a function of another type returns LCC_ERROR_HANDLE.
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
