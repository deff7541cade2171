//! Programs in C on the C ABI: they return 0 or say which check failed.

use lcc_tests::tools::{root, run, run_c, run_sanitized};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lcc-tests-c");

#[test]
fn bad_input_is_refused_and_loses_nothing() {
    run_c(PROGRAM, "bad_input");
}

#[test]
fn densities_of_the_users_own_have_their_moments() {
    run_c(PROGRAM, "density");
}

/// The library as it is shipped, under the sanitizers: every program, with the golden bits.
#[test]
#[ignore = "long: builds the library with fat LTO"]
fn shipped_library_under_sanitizers() {
    let mut names = Vec::new();
    for file in std::fs::read_dir(root().join("tests/c")).expect("the sources") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "c") {
            names.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        let said = run_sanitized(&name);
        if name == "bits" {
            assert_eq!(said, include_str!("../golden/bits.txt"));
        }
    }
}

#[test]
fn the_coupling_has_its_exact_values() {
    run_c(PROGRAM, "coupling");
}

#[test]
fn theory_is_its_closed_forms() {
    run_c(PROGRAM, "theory");
}

#[test]
fn what_densities_of_the_users_own_need() {
    run_c(PROGRAM, "own");
}

#[test]
fn examples_run_to_their_end() {
    for name in ["density", "evidence", "minimal", "posterior", "resume"] {
        run_c(PROGRAM, &format!("example_{name}"));
    }
}

/// It says so, and leaves its model.
#[test]
fn the_soft_sensor_follows_what_drifts() {
    let model = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soft_sensor.lcc");
    let data = ["gas_turbine_nox.csv", "gas_turbine_nox_late.csv"]
        .map(|n| root().join("c_examples/data").join(n));
    let said = run(Command::new(PROGRAM).arg("example_soft_sensor").args(data).arg(&model));
    print!("{}", String::from_utf8_lossy(&said.stdout));
    let bytes = std::fs::read(&model).expect("the model");
    assert!(lcc_core::posterior::Image::open(&bytes).is_ok());
}
