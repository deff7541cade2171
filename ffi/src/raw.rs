//! From raw pointers to references and back: every check that C's callers cannot be trusted with,
//! once.

use crate::status::lcc_status::{self, *};
use lcc_core::scalar::Real;
use lcc_core::workspace::{Carve, Measure, Memory};

/// What a function body returns: a non-negative outcome or an error.
pub(crate) type Outcome = Result<lcc_status, lcc_status>;

/// The body of an ABI function: its outcome as C sees it.
#[inline(always)]
pub(crate) fn call(body: impl FnOnce() -> Outcome) -> i32 {
    match body() {
        Ok(status) | Err(status) => status as i32,
    }
}

/// A pointer that must not be NULL and must be aligned for its type.
fn check<T>(p: *const T) -> Result<(), lcc_status> {
    refuse(p.is_null(), LCC_ERROR_NULL)?;
    refuse(!p.is_aligned(), LCC_ERROR_MISALIGNED)
}

/// # Safety
/// If it is neither NULL nor misaligned, `p` points to a T that nobody writes during `'a`.
pub(crate) unsafe fn reference<'a, T>(p: *const T) -> Result<&'a T, lcc_status> {
    check(p)?;
    // SAFETY: checked above; the rest is the caller's promise.
    Ok(unsafe { &*p })
}

/// # Safety
/// If it is neither NULL nor misaligned, `p` may be written as a T.
pub(crate) unsafe fn write<T>(p: *mut T, value: T) -> Result<(), lcc_status> {
    check(p)?;
    // SAFETY: as above.
    unsafe { p.write(value) };
    Ok(())
}

/// Writes an output that may be NULL, where there is something to write.
///
/// # Safety
/// If it is neither NULL nor misaligned, `p` may be written as a T.
pub(crate) unsafe fn write_if<T>(p: *mut T, value: Option<T>) -> Result<(), lcc_status> {
    match value {
        // SAFETY: the caller's promise.
        Some(value) if !p.is_null() => unsafe { write(p, value) },
        _ => Ok(()),
    }
}

/// The outputs of a function, all of them [`writable`].
pub(crate) trait Outputs<V> {
    /// # Safety
    /// They are, or NULL or misaligned.
    unsafe fn write(self, value: V) -> Outcome;
}

impl<S: Into<lcc_status>> Outputs<S> for () {
    unsafe fn write(self, status: S) -> Outcome {
        Ok(status.into())
    }
}

impl<A> Outputs<A> for (*mut A,) {
    unsafe fn write(self, value: A) -> Outcome {
        // SAFETY: the caller's promise.
        unsafe { write(self.0, value)? };
        Ok(LCC_OK)
    }
}

impl<A, B> Outputs<(A, B)> for (*mut A, *mut B) {
    unsafe fn write(self, (a, b): (A, B)) -> Outcome {
        // SAFETY: the caller's promise.
        unsafe { write(self.0, a).and_then(|()| write(self.1, b))? };
        Ok(LCC_OK)
    }
}

/// Checks an output before any work is done for it.
pub(crate) fn writable<T>(p: *mut T) -> Result<(), lcc_status> {
    check(p)
}

/// An error where something is so.
pub(crate) fn refuse(so: bool, error: lcc_status) -> Result<(), lcc_status> {
    if so { Err(error) } else { Ok(()) }
}

/// Refuses what is written to overlap what it is made from.
pub(crate) fn apart(
    to: *const u8,
    bytes: usize,
    from: *const u8,
    length: usize,
) -> Result<(), lcc_status> {
    let (to, from) = (to.addr(), from.addr());
    let overlap = to < from.saturating_add(length) && from < to.saturating_add(bytes);
    refuse(overlap, LCC_ERROR_OVERLAP)
}

/// A length that a slice of T can have.
fn bounded<T>(len: usize) -> Result<(), lcc_status> {
    refuse(times(len, size_of::<T>())? > isize::MAX as usize, LCC_ERROR_OVERFLOW)
}

/// # Safety
/// If it is neither NULL nor misaligned, `p` points to `len` values that nobody writes during `'a`.
pub(crate) unsafe fn slice<'a, T>(p: *const T, len: usize) -> Result<&'a [T], lcc_status> {
    check(p)?;
    bounded::<T>(len)?;
    // SAFETY: checked above; the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(p, len) })
}

/// # Safety
/// If it is neither NULL nor misaligned, `p` points to `len` values that only this call uses
/// during `'a`.
pub(crate) unsafe fn slice_mut<'a, T>(p: *mut T, len: usize) -> Result<&'a mut [T], lcc_status> {
    check(p)?;
    bounded::<T>(len)?;
    // SAFETY: checked above; the rest is the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts_mut(p, len) })
}

/// The `needed` values of an output array that has room for `len`.
///
/// # Safety
/// As [`slice_mut`].
pub(crate) unsafe fn array<'a, T>(
    p: *mut T,
    len: usize,
    needed: usize,
) -> Result<&'a mut [T], lcc_status> {
    refuse(len < needed, LCC_ERROR_CAPACITY)?;
    // SAFETY: the caller's promise.
    unsafe { slice_mut(p, needed) }
}

/// Fills an output array that has room for `len` values.
///
/// # Safety
/// As [`slice_mut`].
pub(crate) unsafe fn fill<T>(
    p: *mut T,
    len: usize,
    values: impl ExactSizeIterator<Item = T>,
) -> Result<(), lcc_status> {
    // SAFETY: the caller's promise.
    let out = unsafe { array(p, len, values.len())? };
    out.iter_mut().zip(values).for_each(|(o, v)| *o = v);
    Ok(())
}

/// The bytes of scratch that is cut into parts of so many values.
pub(crate) fn scratch_size<T: Real, const K: usize>(
    parts: [usize; K],
) -> Result<usize, lcc_status> {
    let mut measure = Measure::new();
    for values in parts {
        measure.take::<T>(values)?;
    }
    Ok(measure.bytes())
}

/// Those parts.
///
/// # Safety
/// As [`slice_mut`].
pub(crate) unsafe fn scratch<'a, T: Real, const K: usize>(
    p: *mut u8,
    bytes: usize,
    parts: [usize; K],
) -> Result<[&'a mut [T]; K], lcc_status> {
    // SAFETY: the caller's promise.
    let mut memory = Memory::new(unsafe { slice_mut(p, bytes)? })?;
    let mut cut = parts.map(|_| Default::default());
    for (part, values) in cut.iter_mut().zip(parts) {
        *part = memory.take(values)?;
    }
    Ok(cut)
}

/// A struct that starts with its own size, from a caller that may be older or newer than this
/// library: read only when the size covers what this version knows.
///
/// # Safety
/// If not NULL, `p` points to a `u32` and to as many bytes as that says.
pub(crate) unsafe fn sized<T: Copy>(p: *const T) -> Result<T, lcc_status> {
    check(p)?;
    // SAFETY: every such struct is repr(C) and starts with the u32.
    let size = unsafe { p.cast::<u32>().read() };
    refuse((size as usize) < size_of::<T>(), LCC_ERROR_STRUCT_SIZE)?;
    // SAFETY: the caller says that these bytes are there.
    Ok(unsafe { p.read() })
}

/// The elements that n rows of d columns span.
pub(crate) fn span(
    n: usize,
    d: usize,
    row_stride: usize,
    column_stride: usize,
) -> Result<usize, lcc_status> {
    let (n, d) = n.checked_sub(1).zip(d.checked_sub(1)).ok_or(LCC_ERROR_EMPTY)?;
    n.checked_mul(row_stride)
        .zip(d.checked_mul(column_stride))
        .and_then(|(r, c)| r.checked_add(c)?.checked_add(1))
        .ok_or(LCC_ERROR_OVERFLOW)
}

/// A product of sizes.
pub(crate) fn times(a: usize, b: usize) -> Result<usize, lcc_status> {
    a.checked_mul(b).ok_or(LCC_ERROR_OVERFLOW)
}

/// A probability that is neither 0 nor 1.
pub(crate) fn probability<T: Real>(p: T) -> Result<T, lcc_status> {
    if p > T::ZERO && p < T::ONE { Ok(p) } else { Err(LCC_ERROR_PROBABILITY) }
}
