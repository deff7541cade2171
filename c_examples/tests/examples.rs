//! The small programs run to their end and say that all is well.

use std::ffi::c_int;

// Its functions are called from C only.
use lcc as _;

// build.rs compiles each program with this in place of `main`.
unsafe extern "C" {
    fn lcc_example_minimal() -> c_int;
    fn lcc_example_posterior() -> c_int;
    fn lcc_example_density() -> c_int;
    fn lcc_example_evidence() -> c_int;
    fn lcc_example_resume() -> c_int;
}

#[test]
fn minimal_fits_and_predicts_in_static_memory() {
    // SAFETY: a C main without arguments, called once.
    assert_eq!(unsafe { lcc_example_minimal() }, 0);
}

#[test]
fn posterior_reports_an_expectation() {
    // SAFETY: as above.
    assert_eq!(unsafe { lcc_example_posterior() }, 0);
}

#[test]
fn density_samples_a_callback() {
    // SAFETY: as above.
    assert_eq!(unsafe { lcc_example_density() }, 0);
}

#[test]
fn evidence_tells_two_activations_apart() {
    // SAFETY: as above.
    assert_eq!(unsafe { lcc_example_evidence() }, 0);
}

#[test]
fn resume_goes_on_to_the_bit() {
    // SAFETY: as above.
    assert_eq!(unsafe { lcc_example_resume() }, 0);
}
