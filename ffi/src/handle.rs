//! Handles: the caller's memory behind a head that says what the object is, how far it is and where its draws lie.

use crate::object::lcc_progress;
use crate::raw;
use crate::status::lcc_status;
use lcc_core::checkpoint::Kind;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::workspace::ALIGN;

/// The bytes of the head before the note: magic, the bytes behind it, the object's kind and precision, whether wide
/// instructions are to be left alone.
const HEAD: usize = 32;
const MAGIC: u64 = u64::from_le_bytes(*b"LCCHANDL");

/// What a function that knows no kinds can say of an object: the words between the head and the object, sealed with
/// it, written whenever a call has changed the object. Multiples of [`ALIGN`], so that the object is aligned.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Note {
    pub(crate) progress: lcc_progress,
    pub(crate) record: Record,
}

/// Draws as they lie: draw by draw, column by column, chain by chain; the first columns are those of w.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Record {
    /// The address of the first; in a head the bytes from the object to it. 0 without draws.
    pub(crate) at: u64,
    pub(crate) draws: u64,
    pub(crate) chains: u64,
    pub(crate) dim: u64,
    /// 0 where the object records none.
    pub(crate) columns: u64,
}

const NOTE: usize = size_of::<Note>();
const _: () = assert!(HEAD.is_multiple_of(ALIGN) && NOTE.is_multiple_of(ALIGN));

/// The type of a handle in C: what is in its memory.
pub(crate) trait Object {
    const KIND: Kind;
    type Real: Real;
}

/// What the core makes of such a handle's memory.
pub(crate) trait Opens: Object {
    type Core<'a>;
    fn open<'a>(memory: &'a mut [u8], isa: Isa) -> Result<Self::Core<'a>, lcc_status>;
    fn note(core: &mut Self::Core<'_>) -> Note;
}

/// Types of handles: the core's type, its kind, and the function of [`crate::note`] that says where it is.
macro_rules! handle {
    ($($(#[$about:meta])* struct $name:ident: $core:ident<$real:ty>, $kind:ident, $note:ident;)+) => {
        $($(#[$about])*
        pub struct $name {
            _private: [u8; 0],
        }

        impl $crate::handle::Object for $name {
            const KIND: lcc_core::checkpoint::Kind = lcc_core::checkpoint::Kind::$kind;
            type Real = $real;
        }

        impl $crate::handle::Opens for $name {
            type Core<'a> = $core<'a, $real>;

            fn open<'a>(
                memory: &'a mut [u8],
                isa: lcc_core::simd::Isa,
            ) -> Result<$core<'a, $real>, $crate::status::lcc_status> {
                Ok($core::open(memory, isa)?)
            }

            fn note(core: &mut $core<'_, $real>) -> $crate::handle::Note {
                $crate::note::$note(core)
            }
        })+
    };
}
pub(crate) use handle;

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
    object.checked_add(HEAD + NOTE).ok_or(lcc_status::LCC_ERROR_OVERFLOW)
}

/// A handle's memory, whatever its kind.
pub(crate) struct Block<'a> {
    pub(crate) kind: Kind,
    pub(crate) bits: u32,
    /// Note and object.
    pub(crate) state: &'a mut [u8],
    portable: bool,
}

impl<'a> Block<'a> {
    /// The note, and the object.
    pub(crate) fn split(self) -> Result<(&'a mut Note, &'a mut [u8]), lcc_status> {
        let (note, object) =
            self.state.split_at_mut_checked(NOTE).ok_or(lcc_status::LCC_ERROR_HANDLE)?;
        // SAFETY: as many bytes, aligned by the assertion above; any bytes are a note.
        Ok((unsafe { &mut *note.as_mut_ptr().cast::<Note>() }, object))
    }
}

/// Builds a state, note and object, of `size` bytes in a block of the caller's; the head is written last, so that a
/// block in which that failed is no handle.
///
/// # Safety
/// NULL or `bytes` writable bytes.
pub(crate) unsafe fn build_any<E: Into<lcc_status>>(
    memory: *mut u8,
    bytes: usize,
    state: usize,
    (kind, bits): (Kind, u32),
    portable: bool,
    init: impl FnOnce(&mut [u8]) -> Result<(), E>,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { raw::slice_mut(memory, bytes)? };
    if !(memory as usize).is_multiple_of(ALIGN) {
        return Err(lcc_status::LCC_ERROR_MEMORY_ALIGN);
    }
    let small = lcc_status::LCC_ERROR_MEMORY_SIZE;
    let (head, rest) = block.split_at_mut_checked(HEAD).ok_or(small)?;
    let rest = rest.get_mut(..state).ok_or(small)?;
    head.fill(0);
    // A checkpoint copies the whole state: what the caller had here before does not get into it.
    rest.fill(0);
    init(rest).map_err(Into::into)?;
    let name = (kind as u64) << 32 | bits as u64;
    let words = [MAGIC, state as u64, name, portable as u64].map(u64::to_ne_bytes);
    head.iter_mut().zip(words.as_flattened()).for_each(|(h, b)| *h = *b);
    Ok(())
}

/// The same of an object of a known type, whose handle is then written.
///
/// # Safety
/// The same; `handle` is NULL or may be written.
pub(crate) unsafe fn build<H: Object, E: Into<lcc_status>>(
    memory: *mut u8,
    bytes: usize,
    object: usize,
    portable: bool,
    handle: *mut *mut H,
    init: impl FnOnce(&mut [u8]) -> Result<Note, E>,
) -> Result<(), lcc_status> {
    let name = (H::KIND, <H::Real as Real>::BITS);
    let state = object.checked_add(NOTE).ok_or(lcc_status::LCC_ERROR_OVERFLOW)?;
    let mut first = None;
    // SAFETY: the caller's promise.
    unsafe {
        build_any(memory, bytes, state, name, portable, |state| {
            let object = state.get_mut(NOTE..).ok_or(lcc_status::LCC_ERROR_MEMORY_SIZE)?;
            first = Some(init(object).map_err(Into::into)?);
            Ok::<(), lcc_status>(())
        })?;
        let handle_of = memory.cast::<H>();
        first.map_or(Ok(()), |first| note(handle_of, first))?;
        raw::write(handle, handle_of)
    }
}

/// Writes down where an object is now.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn note<H: Object>(handle: *const H, mut now: Note) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let (note, object) = unsafe { any(handle.cast())? }.split()?;
    if now.record.draws > 0 {
        now.record.at = now.record.at.wrapping_sub(object.as_ptr() as u64);
    }
    *note = now;
    Ok(())
}

/// What is at a handle, whatever its kind.
///
/// # Safety
/// NULL, or memory in which a handle was built and that nobody else uses during `'a`.
pub(crate) unsafe fn any<'a>(memory: *const u8) -> Result<Block<'a>, lcc_status> {
    let memory = memory.cast_mut();
    if memory.is_null() {
        return Err(lcc_status::LCC_ERROR_NULL);
    }
    if !(memory as usize).is_multiple_of(ALIGN) {
        return Err(lcc_status::LCC_ERROR_MISALIGNED);
    }
    // SAFETY: every handle starts with its head.
    let [magic, state, name, portable] = unsafe { memory.cast::<[u64; HEAD / 8]>().read() };
    let state = usize::try_from(state).ok().filter(|_| magic == MAGIC);
    let kind = Kind::from_code((name >> 32) as i32);
    let (state, kind) = state.zip(kind).ok_or(lcc_status::LCC_ERROR_HANDLE)?;
    // SAFETY: the state lies behind its head, as long as that says.
    let state = unsafe { raw::slice_mut(memory.add(HEAD), state)? };
    Ok(Block { kind, bits: name as u32, state, portable: portable == 1 })
}

/// The memory of an object of a known type, and its instruction set.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn memory<'a, H: Object>(
    handle: *const H,
) -> Result<(&'a mut [u8], Isa), lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { any(handle.cast())? };
    if block.kind != H::KIND || block.bits != <H::Real as Real>::BITS {
        return Err(lcc_status::LCC_ERROR_HANDLE);
    }
    let isa = isa(block.portable);
    Ok((block.split()?.1, isa))
}

/// An object of a known type.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn open<'a, H: Opens>(handle: *const H) -> Result<H::Core<'a>, lcc_status> {
    // SAFETY: the caller's promise.
    let (memory, isa) = unsafe { memory(handle)? };
    H::open(memory, isa)
}

/// Has an object do something, and writes down where it is then, whatever came of it.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn step<H: Opens, S: Into<lcc_status>>(
    handle: *mut H,
    step: impl FnOnce(&mut H::Core<'_>) -> Result<S, lcc_status>,
) -> raw::Outcome {
    // SAFETY: the caller's promise.
    let mut object = unsafe { open(handle)? };
    let status = step(&mut object);
    let now = H::note(&mut object);
    // SAFETY: as above.
    unsafe { note(handle, now)? };
    status.map(Into::into)
}
