//! Runs the program of `c/`, or the example, whose name it is given, on the library as this build has it: what `lcc_tests::tools::run_c`
//! starts, so that the tests of the C ABI need no other build.

use lcc_tests as _;
use std::ffi::{CString, c_char, c_int};

/// (C's `main` without parameters may be called with them: every C runtime does.)
type Main = unsafe extern "C" fn(argc: c_int, argv: *const *const c_char) -> c_int;

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

fn main() {
    let arguments: Vec<CString> =
        std::env::args().skip(1).map(|a| CString::new(a).expect("no NUL")).collect();
    let name = arguments.first().and_then(|a| a.to_str().ok()).unwrap_or_default();
    let (_, program) = PROGRAMS.iter().find(|p| p.0 == name).unwrap_or_else(|| panic!("no {name}"));
    let mut argv: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
    let argc = c_int::try_from(argv.len()).expect("few arguments");
    argv.push(std::ptr::null());
    // SAFETY: argv holds argc strings and a null pointer, as C's main gets them; they live until the process ends.
    std::process::exit(unsafe { program(argc, argv.as_ptr()) });
}
