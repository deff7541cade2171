//! Sentences into the caller's memory.

use crate::prelude::*;
use core::ffi::c_char;
use core::fmt::{self, Write};

/// Text into bytes, and the bytes it takes whether or not there is room.
struct Text<'a> {
    out: &'a mut [u8],
    length: usize,
}

impl Write for Text<'_> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes() {
            if let Some(slot) = self.out.get_mut(self.length) {
                *slot = byte;
            }
            self.length = self.length.saturating_add(1);
        }
        Ok(())
    }
}

fn fill(what: &dyn fmt::Display, out: &mut [u8]) -> Result<usize, lcc_status> {
    let mut text = Text { out, length: 0 };
    write!(text, "{what}\0").map_err(|_| LCC_ERROR_CAPACITY)?;
    Ok(text.length)
}

/// Writes a sentence, zero-terminated, and returns its length without the zero. Where there is no room
/// for all of it, nothing is written.
///
/// # Safety
/// As [`raw::slice_mut`].
pub(crate) unsafe fn write(
    what: &dyn fmt::Display,
    text: *mut c_char,
    bytes: usize,
) -> Result<usize, lcc_status> {
    // SAFETY: the caller's promise.
    let text = unsafe { raw::slice_mut(text.cast::<u8>(), bytes)? };
    raw::refuse(fill(what, &mut [])? > bytes, LCC_ERROR_CAPACITY)?;
    Ok(fill(what, text)?.saturating_sub(1))
}
