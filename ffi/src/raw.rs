//! From raw pointers to references and back: every check that C's callers cannot be trusted with,
//! once.

use crate::status::lcc_status;
use lcc_core::data::{DataError, Dataset, Inputs};
use lcc_core::scalar::Real;

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
    if p.is_null() {
        return Err(lcc_status::LCC_ERROR_NULL);
    }
    if !p.is_aligned() {
        return Err(lcc_status::LCC_ERROR_MISALIGNED);
    }
    Ok(())
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

/// Writes two outputs, or neither.
///
/// # Safety
/// As [`write`].
pub(crate) unsafe fn write_both<A, B>(
    values: (A, B),
    a: *mut A,
    b: *mut B,
) -> Result<(), lcc_status> {
    check(b)?;
    // SAFETY: the caller's promise.
    unsafe { write(a, values.0).and_then(|()| write(b, values.1)) }
}

/// Writes the defaults of options.
///
/// # Safety
/// As [`write`].
pub(crate) unsafe fn defaults<T: Default>(p: *mut T) -> Outcome {
    // SAFETY: the caller's promise.
    unsafe { write(p, T::default())? };
    Ok(lcc_status::LCC_OK)
}

/// Checks an output before any work is done for it.
pub(crate) fn writable<T>(p: *mut T) -> Result<(), lcc_status> {
    check(p)
}

/// An error where something is so.
pub(crate) fn refuse(so: bool, error: lcc_status) -> Result<(), lcc_status> {
    if so { Err(error) } else { Ok(()) }
}

/// A length that a slice of T can have.
fn bounded<T>(len: usize) -> Result<(), lcc_status> {
    match len.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(lcc_status::LCC_ERROR_OVERFLOW),
    }
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

/// A struct that starts with its own size, from a caller that may be older or newer than this
/// library: read only when the size covers what this version knows.
///
/// # Safety
/// If not NULL, `p` points to a `u32` and to as many bytes as that says.
pub(crate) unsafe fn sized<T: Copy>(p: *const T) -> Result<T, lcc_status> {
    check(p)?;
    // SAFETY: every such struct is repr(C) and starts with the u32.
    let size = unsafe { p.cast::<u32>().read() };
    if (size as usize) < size_of::<T>() {
        return Err(lcc_status::LCC_ERROR_STRUCT_SIZE);
    }
    // SAFETY: the caller says that these bytes are there.
    Ok(unsafe { p.read() })
}

/// A strided matrix in C's hands.
#[derive(Clone, Copy)]
pub(crate) struct RawData<T> {
    pub(crate) x: *const T,
    pub(crate) y: *const T,
    pub(crate) n: usize,
    pub(crate) d: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl<T: Real> RawData<T> {
    /// The elements that `x` spans.
    pub(crate) fn span(&self) -> Result<usize, lcc_status> {
        if self.n == 0 || self.d == 0 {
            return Err(lcc_status::LCC_ERROR_EMPTY);
        }
        (self.n - 1)
            .checked_mul(self.row_stride)
            .zip((self.d - 1).checked_mul(self.column_stride))
            .and_then(|(r, c)| r.checked_add(c)?.checked_add(1))
            .ok_or(lcc_status::LCC_ERROR_OVERFLOW)
    }

    /// The checks of a view, on slices.
    pub(crate) fn check(&self, x: &[T], y: Option<&[T]>) -> Result<(), DataError> {
        let inputs = Inputs::new(x, self.n, self.d, self.row_stride, self.column_stride)?;
        match y {
            Some(y) => Dataset::new(inputs, y).map(|_| ()),
            None => Ok(()),
        }
    }

    /// # Safety
    /// `x` spans what n, d and the strides say, unwritten during `'a`.
    pub(crate) unsafe fn inputs<'a>(self) -> Result<Inputs<'a, T>, lcc_status> {
        // SAFETY: the caller's promise.
        let x = unsafe { slice(self.x, self.span()?)? };
        Ok(Inputs::new(x, self.n, self.d, self.row_stride, self.column_stride)?)
    }

    /// # Safety
    /// As [`inputs`](Self::inputs); `y` has n values.
    pub(crate) unsafe fn dataset<'a>(self) -> Result<Dataset<'a, T>, lcc_status> {
        // SAFETY: the caller's promise.
        let inputs = unsafe { self.inputs()? };
        // SAFETY: the caller's promise.
        let y = unsafe { slice(self.y, self.n)? };
        Ok(Dataset::new(inputs, y)?)
    }
}
