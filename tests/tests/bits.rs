//! Same seed, same bits: on every instruction set, in C as in Rust, unoptimised as optimised. The
//! hashes are golden: a change that moves one of them changes everybody's numbers.

use lcc_core::simd::Isa;
use lcc_tests::bits;
use lcc_tests::tools::{root, run, run_c};
use std::process::Command;

const GOLDEN: &[&str] = &[
    "64 split-hmc 4653e79aa8027b02",
    "64 gibbs 82a8a975f741775b",
    "64 xi-langevin da520ec0d7b4b406",
    "64 hmc ed01f184fda1a33c",
    "64 mala 91ca9e05cf69223d",
    "64 langevin da1ca87ed37a58ff",
    "64 random-walk fdd0878ef532f91b",
    "64 independence ecf64329008be222",
    "64 reverse-diffusion 8967b8e2f30c5019",
    "64 hit-and-run 2245fd75fb68d33a",
    "64 coordinate-hit-and-run 4947108b06668192",
    "64 ball-walk 35a12cf2c2f3ca2a",
    "64 dikin 26f4c88607136809",
    "64 mirror-langevin 8be0a70d015f3eba",
    "64 reflection 0eac791c88192b7a",
    "64 smc d1792c3cc7a65f78",
    "64 tempering c0664a365352c1f2",
    "64 auto 6a56b978fcaacd28",
    "64 network 4cd9bd480f1a42eb",
    "64 greedy e4a344377c4ad030",
    "64 prequential 86b7a277686c688e",
    "32 split-hmc 55fb730d5bafc7d5",
    "32 gibbs 7e5d743c54d28f01",
    "32 xi-langevin 6d338f55a524ff6f",
    "32 hmc 501916d1a6ed4f24",
    "32 mala 3906c86ab9a70cc6",
    "32 langevin dad0eef5c36a89cc",
    "32 random-walk 5d5f945a79166b48",
    "32 independence a440a9685f9bc0b4",
    "32 reverse-diffusion 3aa599ae1208305c",
    "32 hit-and-run b789e49b91d289bc",
    "32 coordinate-hit-and-run c51805f8ae54f8b6",
    "32 ball-walk 12e6513c1479c037",
    "32 dikin 12609fe31103b50b",
    "32 mirror-langevin ef7811b692f44dfd",
    "32 reflection 7dd3f841ec29bb54",
    "32 smc 65ea5a68b292522a",
    "32 tempering 07044ea19934320f",
    "32 auto 16a6c7763542e14d",
    "32 network 8605896e005797a4",
    "32 greedy 651c8d1826d594ee",
    "32 prequential 6057f2fce6c21aaf",
];

#[test]
fn golden_on_every_instruction_set() {
    for isa in Isa::all() {
        assert_eq!(bits::all(isa), GOLDEN, "{}", isa.name());
    }
}

#[test]
fn c_draws_the_same_bits() {
    let Some(output) = run_c("bits") else { return };
    assert_eq!(output.lines().collect::<Vec<_>>(), GOLDEN);
}

/// The same test, in a build without optimisation.
#[test]
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
