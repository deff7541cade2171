//! Layouts

use crate::raw::{self, Outcome};
use crate::status::lcc_status;
use crate::{layouts, layouts::Layout};
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

/// Where a struct's members lie in this library: for hosts that mirror its structs in place of reading
/// this header, to be asked once at load. Thread-safe.
///
/// @param name    of a struct, e.g. "lcc_data_f64", zero-terminated
/// @param member  of its member, e.g. "row_stride"; NULL: the struct itself
/// @param offset  out: the member's, in bytes; 0 for the struct itself
/// @param bytes   out: the size of the member or of the struct
/// @return LCC_OK, LCC_ERROR_NULL, LCC_ERROR_MISALIGNED, LCC_ERROR_NAME
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lcc_layout(
    name: *const c_char,
    member: *const c_char,
    offset: *mut usize,
    bytes: *mut usize,
) -> i32 {
    raw::call(|| {
        // SAFETY: a zero-terminated string has at least its zero.
        unsafe { raw::reference(name)? };
        raw::writable(offset)?;
        raw::writable(bytes)?;
        // SAFETY: the header asks for a zero-terminated string.
        let found = layouts::all().find(|known| unsafe { says(name, known.name) });
        let Layout { bytes: size, members, .. } = found.ok_or(lcc_status::LCC_ERROR_NAME)?;
        let (place, size) = if member.is_null() {
            (0, *size)
        } else {
            // SAFETY: as above.
            let found = members.iter().find(|known| unsafe { says(member, known.name) });
            found.map(|m| (m.offset, m.bytes)).ok_or(lcc_status::LCC_ERROR_NAME)?
        };
        // SAFETY: the header asks for valid pointers.
        unsafe { raw::write(offset, place)? };
        // SAFETY: as above.
        unsafe { raw::write(bytes, size)? };
        Outcome::Ok(lcc_status::LCC_OK)
    })
}
