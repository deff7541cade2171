//! The firmware of `c_examples/firmware`: built for every bare target, run in an emulator, with the bits of
//! this computer.

use lcc_tests::tools::{archive, have, long, root};
use std::path::Path;
use std::process::Command;

/// What every machine must report of every program.
const PROGRAMS: [&str; 7] = ["predict", "fit", "classify", "drift", "sample", "powerloss", "bits"];

#[test]
#[ignore = "long: builds for five machines, which are emulated"]
fn every_machine_draws_the_same_bits_within_its_limits() {
    if !have("bash", "c_examples/firmware/run") || !have("make", "c_examples/firmware/run") {
        return;
    }
    let json = Path::new(env!("CARGO_TARGET_TMPDIR")).join("firmware.json");
    // Its own folder for builds: cargo holds a lock on the one of this test.
    let output = Command::new("bash")
        .arg(root().join("c_examples/firmware/run"))
        .arg("--json")
        .arg(&json)
        .args(if long() { &[][..] } else { &["--brief"] })
        .arg("--wide")
        .arg(archive("dist", "panic-proof"))
        .env("CARGO_TARGET_DIR", root().join("target"))
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    eprintln!("{said}{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{said}");
    let text = std::fs::read_to_string(&json).expect("the report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let machines = report.as_object().expect("machines");
    assert!(machines.contains_key("host"), "{machines:?}");
    let skipped = said.lines().filter(|line| line.starts_with("SKIPPED")).count();
    // In the long tier the host twice: with one lane, as the firmware, and with blocks.
    assert_eq!(machines.len() + skipped, if long() { 6 } else { 5 }, "{said}");
    for (name, programs) in machines {
        let brief = !long() && name != "host" && name != "thumbv7em-none-eabihf";
        for program in PROGRAMS.into_iter().filter(|p| !brief || *p != "powerloss") {
            // Without an FPU some are short ones, of which the host has the hash too.
            let short = format!("{program}-short");
            let key = if programs[program].is_object() { program } else { short.as_str() };
            let hash = programs[key]["hash"].as_str();
            assert!(hash.is_some_and(|h| !h.is_empty()), "{name} {program}");
            assert_eq!(hash, report["host"][key]["hash"].as_str(), "{name} {program}");
            let measured = programs[key].as_object().expect("measurements");
            for (what, number) in measured.iter().filter(|(what, _)| what.starts_with("instr")) {
                assert!(number.as_u64() > Some(0), "{name} {program} {what}");
            }
        }
    }
}
