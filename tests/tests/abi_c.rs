//! Programs in C against the shared library: they return 0 or say which check failed.

use lcc_tests::tools::run_c;

#[test]
fn bad_input_is_refused_and_loses_nothing() {
    run_c("bad_input");
}

#[test]
fn densities_of_the_users_own_have_their_moments() {
    run_c("density");
}

#[test]
fn the_coupling_has_its_exact_values() {
    run_c("coupling");
}

#[test]
fn theory_is_its_closed_forms() {
    run_c("theory");
}
