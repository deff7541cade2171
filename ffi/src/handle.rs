//! Handles: the caller's memory behind a head that says how long the object is.

use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::{self, Kind};
use lcc_core::simd::Isa;
use lcc_core::workspace::ALIGN;

/// The bytes of the head: magic, the object's bytes, whether wide instructions are to be left alone,
/// zero. A multiple of [`ALIGN`], so that the object behind it is aligned.
const HEAD: usize = 32;
const MAGIC: u64 = u64::from_le_bytes(*b"LCCHANDL");
const _: () = assert!(HEAD.is_multiple_of(ALIGN));

/// A switch of the options.
pub(crate) fn switch(value: u32) -> Result<bool, lcc_status> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(lcc_status::LCC_ERROR_SWITCH),
    }
}

/// The instruction set that an object uses.
pub(crate) fn isa(portable: bool) -> Isa {
    if portable { Isa::Portable } else { Isa::detect() }
}

/// The bytes of a handle around an object.
pub(crate) fn size(object: usize) -> Result<usize, lcc_status> {
    object.checked_add(HEAD).ok_or(lcc_status::LCC_ERROR_OVERFLOW)
}

fn write_head(head: &mut [u8], object: usize, portable: bool) {
    let words = [MAGIC, object as u64, portable as u64, 0].map(u64::to_ne_bytes);
    head.iter_mut().zip(words.as_flattened()).for_each(|(h, b)| *h = *b);
}

/// Builds an object of `size` bytes in a block of the caller's; the head is written last, so that a
/// block in which that failed is no handle.
///
/// # Safety
/// NULL or `bytes` writable bytes.
pub(crate) unsafe fn build<R, E: Into<lcc_status>>(
    memory: *mut u8,
    bytes: usize,
    object: usize,
    portable: bool,
    init: impl FnOnce(&mut [u8]) -> Result<R, E>,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { raw::slice_mut(memory, bytes)? };
    if !(memory as usize).is_multiple_of(ALIGN) {
        return Err(lcc_status::LCC_ERROR_MEMORY_ALIGN);
    }
    let small = lcc_status::LCC_ERROR_MEMORY_SIZE;
    let (head, rest) = block.split_at_mut_checked(HEAD).ok_or(small)?;
    let rest = rest.get_mut(..object).ok_or(small)?;
    head.fill(0);
    // A checkpoint copies the whole object: what the caller had here before does not get into it.
    rest.fill(0);
    init(rest).map_err(Into::into)?;
    write_head(head, object, portable);
    Ok(())
}

/// An object's memory and its instruction set.
///
/// # Safety
/// NULL, or memory in which a handle was built and that nobody else uses during `'a`.
pub(crate) unsafe fn open<'a, H>(handle: *const H) -> Result<(&'a mut [u8], Isa), lcc_status> {
    let memory = handle.cast::<u8>().cast_mut();
    if memory.is_null() {
        return Err(lcc_status::LCC_ERROR_NULL);
    }
    if !(memory as usize).is_multiple_of(ALIGN) {
        return Err(lcc_status::LCC_ERROR_MISALIGNED);
    }
    // SAFETY: every handle starts with its head.
    let [magic, object, portable, _] = unsafe { memory.cast::<[u64; HEAD / 8]>().read() };
    let object = usize::try_from(object).ok().filter(|_| magic == MAGIC);
    let object = object.ok_or(lcc_status::LCC_ERROR_HANDLE)?;
    // SAFETY: the object lies behind its head, as long as that says.
    let object = unsafe { raw::slice_mut(memory.add(HEAD), object)? };
    Ok((object, isa(portable == 1)))
}

/// The bytes of a checkpoint.
///
/// # Safety
/// As [`open`].
pub(crate) unsafe fn checkpoint_size<H>(handle: *const H) -> Result<usize, lcc_status> {
    // SAFETY: the caller's promise.
    let (object, _) = unsafe { open(handle)? };
    checkpoint::sealed_size(object.len()).ok_or(lcc_status::LCC_ERROR_OVERFLOW)
}

/// Seals a copy of an object.
///
/// # Safety
/// As [`open`]; `out` is NULL or `bytes` writable bytes.
pub(crate) unsafe fn checkpoint<H>(
    handle: *const H,
    kind: Kind,
    bits: u32,
    out: *mut u8,
    bytes: usize,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let ((object, _), out) = unsafe { (open(handle)?, raw::slice_mut(out, bytes)?) };
    checkpoint::checkpoint(object, kind, bits, out)?;
    Ok(())
}

/// Builds a handle from a checkpoint.
///
/// # Safety
/// NULL or valid pointers with the lengths given.
pub(crate) unsafe fn restore(
    memory: *mut u8,
    bytes: usize,
    kind: Kind,
    bits: u32,
    sealed: *const u8,
    sealed_bytes: usize,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let sealed = unsafe { raw::slice(sealed, sealed_bytes)? };
    let object = checkpoint::state_size(sealed)?;
    // SAFETY: as above.
    unsafe {
        build(memory, bytes, object, false, |rest| {
            checkpoint::restore(sealed, kind, bits, rest).map_err(lcc_status::from)
        })
    }
}
