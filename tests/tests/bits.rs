//! Same seed, same bits: on every instruction set, in C as in Rust, unoptimised as optimised. The
//! hashes are golden: a change that moves one of them changes everybody's numbers.

use lcc_core::simd::{Isa, usual_lanes};
use lcc_tests::bits;
use lcc_tests::tools::{have, root, run, run_c};
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
        println!("{}, {} by default", isa.name(), usual_lanes());
    }
}

#[test]
fn c_draws_the_same_bits() {
    let output = run_c(env!("CARGO_BIN_EXE_lcc-tests-c"), "bits");
    assert_eq!(output.lines().collect::<Vec<_>>(), golden());
}

/// The same test, on an x86-64 that has no AVX2: eight lanes are refused there, and options default to one.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[ignore = "long: needs an emulator, qemu-x86_64"]
fn a_cpu_without_avx2_draws_the_same_bits() {
    if !have("qemu-x86_64", "an x86-64 without AVX2") {
        return;
    }
    let output = run(Command::new("qemu-x86_64")
        .args(["-cpu", "Nehalem"])
        .arg(std::env::current_exe().expect("path"))
        .args(["--exact", "golden_on_every_instruction_set", "--show-output"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1 passed") && text.contains("portable, 1 by default"), "{text}");
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
