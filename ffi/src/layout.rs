//! Layouts

use crate::layouts;
use crate::prelude::*;
use core::ffi::c_char;

/// Whether a C string says what a name of ours does.
///
/// # Safety
/// `text`, not NULL, is zero-terminated.
unsafe fn says(text: *const c_char, name: &str) -> bool {
    // SAFETY: every byte before the k-th was equal to one of `name`, so not zero: the string reaches here.
    let byte = |k: usize| unsafe { text.add(k).read() } as u8;
    name.bytes().enumerate().all(|(k, b)| byte(k) == b) && byte(name.len()) == 0
}

abi! {
    /// Where a struct's members lie in this library: for hosts that mirror its structs in place of reading
    /// this header, to be asked once at load. Thread-safe.
    ///
    /// @param name    of a struct, e.g. "lcc_data_f64", zero-terminated
    /// @param member  of its member, e.g. "row_stride"; NULL: the struct itself
    /// @param offset  out: the member's, in bytes; 0 for the struct itself
    /// @param bytes   out: the size of the member or of the struct
    /// @return LCC_ERROR_NAME
    fn lcc_layout(
        name: *const c_char, member: *const c_char,
    ) -> (offset: usize, bytes: usize) {
        raw::reference(name)?;
        let known = layouts::all().find(|known| says(name, known.name)).ok_or(LCC_ERROR_NAME)?;
        if member.is_null() {
            (0, known.bytes)
        } else {
            let mut members = known.members.iter();
            let found = members.find(|known| says(member, known.name)).ok_or(LCC_ERROR_NAME)?;
            (found.offset, found.bytes)
        }
    }
}
