//! Same seed, same bits: on every instruction set, in C as in Rust, unoptimised as optimised. The
//! hashes are golden: a change that moves one of them changes everybody's numbers.

use lcc_core::simd::Isa;
use lcc_tests::bits;
use lcc_tests::tools::{root, run, run_c};
use std::process::Command;

/// Shared with the firmware, which draws the same on every board (`c_examples/firmware/run`).
const GOLDEN: &str = include_str!("../golden/bits.txt");

fn golden() -> Vec<&'static str> {
    GOLDEN.lines().collect()
}

#[test]
fn golden_on_every_instruction_set() {
    for isa in Isa::all() {
        assert_eq!(bits::all(isa), golden(), "{}", isa.name());
    }
}

#[test]
fn c_draws_the_same_bits() {
    let output = run_c(env!("CARGO_BIN_EXE_lcc-tests-c"), "bits");
    assert_eq!(output.lines().collect::<Vec<_>>(), golden());
}

/// The same test, in a build without optimisation.
#[test]
#[ignore = "long: builds everything without optimisation"]
fn unoptimised_code_draws_the_same_bits() {
    if cfg!(debug_assertions) && std::env::var_os("LCC_UNOPTIMISED").is_some() {
        return;
    }
    let output = run(Command::new(env!("CARGO"))
        .current_dir(root())
        .env("LCC_UNOPTIMISED", "1")
        .args(["test", "-p", "lcc-tests", "--test", "bits", "--profile", "opt0"])
        .args(["--target-dir"])
        .arg(root().join("target/opt0"))
        .args(["--", "golden_on_every_instruction_set"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1 passed"), "{text}");
}
