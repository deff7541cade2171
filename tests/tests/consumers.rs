//! Projects that use an installed LCC: pkg-config, CMake, Make, C++, and whatever else lies in `consumers`.

use lcc_tests::tools::{archive, have, root};
use std::process::Command;

/// Those that every change is tried with: each way to find and to link the library, and each language.
const MAIN: [&str; 8] = ["abi", "cmake", "cpp", "julia", "make", "pkgconfig", "python", "symbols"];

/// Builds and runs them against what is installed: every one by default.
fn consume(names: &[&str]) {
    if !have("bash", "tests/consumers/run") || !have("cmake", "tests/consumers/run") {
        return;
    }
    // The command line that the workspace's tests are built with, beside this test; without one the projects build it.
    let own = std::env::current_exe().expect("a path");
    let command_line = own.ancestors().nth(2).map(|target| target.join("lcc"));
    let output = Command::new("bash")
        .envs(command_line.filter(|path| path.is_file()).map(|path| ("LCC", path)))
        .arg(root().join("tests/consumers/run"))
        .arg("--static")
        .arg(archive("dist", "panic-proof"))
        .args(names)
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    eprintln!("{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    let projects = std::fs::read_dir(root().join("tests/consumers"))
        .expect("the folder")
        .filter(|entry| entry.as_ref().is_ok_and(|e| e.path().join("run").is_file()))
        .count();
    let verdicts = said.lines().filter(|l| l.ends_with(": passed") || l.contains(": skipped: "));
    let expected = if names.is_empty() { projects } else { names.len() };
    assert_eq!(verdicts.count(), expected, "{said}");
}

#[test]
#[ignore = "long: builds the library with fat LTO"]
fn main_consumers_build_and_run_against_what_is_installed() {
    consume(&MAIN);
}

#[test]
#[ignore = "long: builds the library with fat LTO, and twenty projects on it"]
fn every_consumer_builds_and_runs_against_what_is_installed() {
    consume(&[]);
}
