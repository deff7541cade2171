//! What every handle can do

use crate::prelude::*;
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
    /// Draws that every chain has made, of lcc_bnn every chain that is at its end.
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
        Kind::Bnn => [c"lcc_bnn_f32", c"lcc_bnn_f64"],
        Kind::Warmup => [c"lcc_warmup_f32", c"lcc_warmup_f64"],
        Kind::Vae => [c"lcc_vae_f32", c"lcc_vae_f64"],
    };
    if block.bits == 32 { single.as_ptr() } else { double.as_ptr() }
}

abi! {
    /// Where an object is.
    fn lcc_read_progress(handle: *const c_void) -> (progress: lcc_progress) {
        handle::any(handle.cast())?.split()?.0.progress
    }

    /// The bytes of a checkpoint.
    fn lcc_checkpoint_size(handle: *const c_void) -> (bytes: usize) {
        let block = handle::any(handle.cast())?;
        checkpoint::sealed_size(block.state.len()).ok_or(LCC_ERROR_OVERFLOW)?
    }

    /// Seals a copy of an object, with a checksum: lcc_restore makes a handle of it, which goes on with the bits
    /// that running on would have given. For this version of LCC and machines of this byte order.
    ///
    /// @param checkpoint  out: lcc_checkpoint_size bytes, of any alignment, apart from the handle
    /// @return LCC_ERROR_OVERLAP
    fn lcc_checkpoint(handle: *const c_void, checkpoint: *mut u8, bytes: usize) {
        let block = handle::any(handle.cast())?;
        raw::apart(checkpoint, bytes, handle.cast(), block.state.len().saturating_add(handle::HEAD))?;
        let out = raw::slice_mut(checkpoint, bytes)?;
        checkpoint::checkpoint(block.state, block.kind, block.bits, out)?;
    }

    /// Builds a handle from a checkpoint, in as much memory as the one that was sealed: of the type of that one
    /// (lcc_read_type), so that functions of another type return LCC_ERROR_HANDLE.
    ///
    /// @param memory  aligned to 16, apart from the checkpoint; the handle, once this returns LCC_OK
    /// @return LCC_ERROR_IMAGE_TRUNCATED, _MAGIC, _NEWER, _CORRUPT, _KIND (of a machine of the other byte
    ///         order), LCC_ERROR_OVERLAP
    fn lcc_restore(memory: *mut c_void, bytes: usize, checkpoint: *const u8, length: usize) {
        let sealed = checkpoint::unseal(raw::slice(checkpoint, length)?)?;
        let name = (sealed.kind, sealed.bits);
        let size = sealed.state.len().saturating_add(handle::HEAD);
        raw::apart(memory.cast(), size, checkpoint, length)?;
        handle::build_any(memory.cast(), bytes, sealed.state.len(), name, [0; 2], |state| {
            state.iter_mut().zip(sealed.state).for_each(|(o, s)| *o = *s);
            Ok(())
        })?;
    }

    /// Goes on from a checkpoint: a handle that an _init_ function made takes over what was sealed, if that was made
    /// with the same options, for as many rows and columns. (lcc_restore takes whatever was sealed: this is for
    /// whoever knows what it should be.) Take a step of budget 0 next: it compares the data, and where the object is
    /// is written down anew, for of a forged checkpoint lcc_read_progress might say anything.
    ///
    /// @param handle  not of lcc_restore; on an error unchanged; apart from the checkpoint
    /// @return as lcc_restore; LCC_ERROR_IMAGE_SHAPE (what was sealed was made otherwise)
    fn lcc_resume(handle: *mut c_void, checkpoint: *const u8, length: usize) {
        let sealed = checkpoint::unseal(raw::slice(checkpoint, length)?)?;
        let block = handle::any(handle.cast::<u8>().cast_const())?;
        raw::apart(handle.cast(), block.state.len().saturating_add(handle::HEAD), checkpoint, length)?;
        block.resume(sealed.kind, sealed.bits, sealed.state)?;
    }
}
