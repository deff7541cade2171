//! Hands the arguments to the command line, which is written in C (`lcc/`).

use std::ffi::{CString, OsString, c_char, c_int};
use std::ptr;

// Its `lcc_*` functions are called from C only.
use lcc as _;

unsafe extern "C" {
    fn lcc_main(argc: c_int, argv: *mut *mut c_char) -> c_int;
}

/// The argument's bytes as the system gave them. (Elsewhere than on Unix: UTF-8.)
fn bytes(argument: OsString) -> Vec<u8> {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStringExt::into_vec(argument)
    }
    #[cfg(not(unix))]
    {
        argument.to_string_lossy().into_owned().into_bytes()
    }
}

fn main() {
    let arguments: Vec<*mut c_char> = std::env::args_os()
        .map(|argument| CString::new(bytes(argument)).unwrap_or_default().into_raw())
        .collect();
    let argc = c_int::try_from(arguments.len()).unwrap_or(0);
    let mut argv = arguments;
    argv.push(ptr::null_mut());
    // SAFETY: argv holds argc NUL-terminated strings and a null pointer, as C's main gets them;
    // they live until the process ends.
    let code = unsafe { lcc_main(argc, argv.as_mut_ptr()) };
    std::process::exit(code);
}
