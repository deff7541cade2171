//! Handles: the caller's memory behind a head that says what the object is, how far it is and where its draws lie.

use crate::object::lcc_progress;
use crate::raw;
use crate::status::lcc_status::{self, *};
use lcc_core::checkpoint::Kind;
use lcc_core::scalar::Real;
use lcc_core::simd::Isa;
use lcc_core::workspace::ALIGN;

/// The bytes of the head before the note: magic, the bytes behind it, the object's kind and precision, whether wide
/// instructions are to be left alone and, of what was not restored, the bytes of the object's own head.
pub(crate) const HEAD: usize = 32;
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
    pub(crate) dim: u64,
    /// Of the problem that they are draws of.
    pub(crate) fingerprint: u64,
    pub(crate) chains: u32,
    /// Columns after those of w; 0 where the object records none.
    pub(crate) traces: u32,
}

const NOTE: usize = size_of::<Note>();
const _: () = assert!(HEAD.is_multiple_of(ALIGN) && NOTE.is_multiple_of(ALIGN));

/// The type of a handle in C: what is in its memory, and what the core makes of that.
pub(crate) trait Object {
    const KIND: Kind;
    /// The bytes of the object that say what it was made as.
    const HEAD: usize;
    type Real: Real;
    type Core<'a>;
    fn open<'a>(memory: &'a mut [u8], isa: Isa) -> Result<Self::Core<'a>, lcc_status>;
    fn note(core: &mut Self::Core<'_>) -> Note;
}

/// A switch of the options.
pub(crate) fn switch(value: u32) -> Result<bool, lcc_status> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(LCC_ERROR_SWITCH),
    }
}

/// The instruction set that an object uses.
pub(crate) fn isa(portable: bool) -> Isa {
    if portable { Isa::Portable } else { Isa::detect() }
}

/// The bytes of a handle around an object.
pub(crate) fn size(object: usize) -> Result<usize, lcc_status> {
    object.checked_add(HEAD + NOTE).ok_or(LCC_ERROR_OVERFLOW)
}

/// A handle's memory, whatever its kind.
pub(crate) struct Block<'a> {
    pub(crate) kind: Kind,
    pub(crate) bits: u32,
    /// Note and object.
    pub(crate) state: &'a mut [u8],
    portable: bool,
    head: usize,
}

impl<'a> Block<'a> {
    /// Takes over a state, note and object, of an object that was made alike.
    pub(crate) fn resume(self, kind: Kind, bits: u32, state: &[u8]) -> Result<(), lcc_status> {
        raw::refuse(self.head == 0, LCC_ERROR_HANDLE)?;
        raw::refuse((kind, bits) != (self.kind, self.bits), LCC_ERROR_IMAGE_KIND)?;
        let head = NOTE..NOTE.saturating_add(self.head);
        let alike =
            state.len() == self.state.len() && state.get(head.clone()) == self.state.get(head);
        raw::refuse(!alike, LCC_ERROR_IMAGE_SHAPE)?;
        self.state.iter_mut().zip(state).for_each(|(o, s)| *o = *s);
        Ok(())
    }

    /// The note, and the object.
    pub(crate) fn split(self) -> Result<(&'a mut Note, &'a mut [u8]), lcc_status> {
        let (note, object) = self.state.split_at_mut_checked(NOTE).ok_or(LCC_ERROR_HANDLE)?;
        // SAFETY: as many bytes, aligned by the assertion above; any bytes are a note.
        Ok((unsafe { &mut *note.as_mut_ptr().cast::<Note>() }, object))
    }
}

/// The first word of an object, never 0, and its third: its bytes.
fn word(state: &mut [u8], index: usize) -> Option<&mut [u8; 8]> {
    state.get_mut(NOTE..)?.as_chunks_mut().0.get_mut(index)
}

/// Builds a state, note and object, of `size` bytes in a block of the caller's. What refuses before it writes leaves
/// the block unchanged; a block in which it failed later is no handle, since its head is written last.
///
/// # Safety
/// NULL or `bytes` writable bytes.
pub(crate) unsafe fn build_any(
    memory: *mut u8,
    bytes: usize,
    state: usize,
    (kind, bits): (Kind, u32),
    [portable, own]: [u32; 2],
    init: impl FnOnce(&mut [u8]) -> Result<(), lcc_status>,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { raw::slice_mut(memory, bytes)? };
    raw::refuse(!memory.addr().is_multiple_of(ALIGN), LCC_ERROR_MEMORY_ALIGN)?;
    let (head, rest) = block.split_at_mut_checked(HEAD).ok_or(LCC_ERROR_MEMORY_SIZE)?;
    let rest = rest.get_mut(..state).ok_or(LCC_ERROR_MEMORY_SIZE)?;
    let before = word(rest, 0).map(core::mem::take);
    if let Err(why) = init(rest) {
        match word(rest, 0) {
            Some(now) if *now == [0; 8] => *now = before.unwrap_or_default(),
            _ => head.fill(0),
        }
        return Err(why);
    }
    // A checkpoint copies the whole state: what the caller had here before does not get into it. An object clears its
    // own bytes.
    let filled = word(rest, 2).map_or(0, |bytes| u64::from_ne_bytes(*bytes)) as usize;
    rest.get_mut(NOTE.saturating_add(filled)..).unwrap_or_default().fill(0);
    let name = (kind as u64) << 32 | bits as u64;
    let made = (own as u64) << 32 | portable as u64;
    let words = [MAGIC, state as u64, name, made].map(u64::to_ne_bytes);
    head.iter_mut().zip(words.as_flattened()).for_each(|(h, b)| *h = *b);
    Ok(())
}

/// The same of an object of a known type, of `object` bytes.
///
/// # Safety
/// The same.
pub(crate) unsafe fn build<H: Object, E: Into<lcc_status>>(
    memory: *mut u8,
    bytes: usize,
    object: usize,
    portable: bool,
    init: impl for<'a> FnOnce(&'a mut [u8], Isa) -> Result<H::Core<'a>, E>,
) -> Result<*mut H, lcc_status> {
    let name = (H::KIND, <H::Real as Real>::BITS);
    let state = object.checked_add(NOTE).ok_or(LCC_ERROR_OVERFLOW)?;
    let handle = memory.cast::<H>();
    let mut first = None;
    // SAFETY: the caller's promise.
    unsafe {
        build_any(memory, bytes, state, name, [portable as u32, H::HEAD as u32], |state| {
            let object = state.get_mut(NOTE..).ok_or(LCC_ERROR_MEMORY_SIZE)?;
            first = Some(H::note(&mut init(object, isa(portable)).map_err(Into::into)?));
            Ok(())
        })?;
        first.map_or(Ok(()), |first| note(handle, first))?;
    }
    Ok(handle)
}

/// Writes down where an object is now.
///
/// # Safety
/// As [`any`].
unsafe fn note<H: Object>(handle: *const H, mut now: Note) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let (note, object) = unsafe { any(handle.cast())? }.split()?;
    if now.record.draws > 0 {
        now.record.at = now.record.at.wrapping_sub(object.as_ptr().addr() as u64);
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
    raw::refuse(memory.is_null(), LCC_ERROR_NULL)?;
    raw::refuse(!memory.addr().is_multiple_of(ALIGN), LCC_ERROR_MISALIGNED)?;
    // SAFETY: every handle starts with its head.
    let [magic, state, name, made] = unsafe { memory.cast::<[u64; HEAD / 8]>().read() };
    let state = usize::try_from(state).ok().filter(|_| magic == MAGIC);
    let kind = Kind::from_code((name >> 32) as i32);
    let (state, kind) = state.zip(kind).ok_or(LCC_ERROR_HANDLE)?;
    // SAFETY: the state lies behind its head, as long as that says.
    let state = unsafe { raw::slice_mut(memory.add(HEAD), state)? };
    let head = (made >> 32) as usize;
    Ok(Block { kind, bits: name as u32, state, portable: made as u32 == 1, head })
}

/// An object of a known type.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn open<'a, H: Object>(handle: *const H) -> Result<H::Core<'a>, lcc_status> {
    // SAFETY: the caller's promise.
    let block = unsafe { any(handle.cast())? };
    let other = block.kind != H::KIND || block.bits != <H::Real as Real>::BITS;
    raw::refuse(other, LCC_ERROR_HANDLE)?;
    let isa = isa(block.portable);
    H::open(block.split()?.1, isa)
}

/// Has an object do something, and writes down where it is then, whatever came of it.
///
/// # Safety
/// As [`any`].
pub(crate) unsafe fn step<H: Object, S: Into<lcc_status>>(
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

/// Puts the parts of a run together that ran apart, which are other handles than that of the whole.
///
/// # Safety
/// As [`any`], of all handles.
pub(crate) unsafe fn join<H: Object, S: Into<lcc_status>>(
    whole: *mut H,
    parts: *const *const H,
    count: usize,
    join: impl FnOnce(&mut H::Core<'_>, &[*const H]) -> Result<S, lcc_status>,
) -> raw::Outcome {
    // SAFETY: the caller's promise.
    let parts = unsafe { raw::slice(parts, count)? };
    raw::refuse(parts.contains(&whole.cast_const()), LCC_ERROR_PARTS)?;
    // SAFETY: as above.
    unsafe { step(whole, |whole| join(whole, parts)) }
}
