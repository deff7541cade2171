//! Runs the program of `c/` whose name it is given, on the library as this build has it: what `lcc_tests::tools::run_c`
//! starts, so that the tests of the C ABI need no other build.

use lcc_tests as _;

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (_, program) = PROGRAMS.iter().find(|p| p.0 == name).unwrap_or_else(|| panic!("no {name}"));
    // SAFETY: a C main without arguments, called once.
    std::process::exit(unsafe { program() });
}
