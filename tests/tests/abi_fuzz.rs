//! Hostile bytes: `tests/fuzz` for a short while, on the inputs that are kept and on new ones.

use lcc_tests::tools::{root, run};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Runs `tests/fuzz/run` in a folder of that name; it tells of each target how many inputs it was given.
fn fuzz(name: &str, arguments: &[&str]) -> String {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = run(Command::new("bash")
        .arg(root().join("tests/fuzz/run"))
        .arg("--build")
        .arg(build)
        .args(arguments)
        .env_remove("CARGO_TARGET_DIR"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether clang has its fuzzer's runtime, which some systems have in a package of its own; else as
/// [`have`](lcc_tests::tools::have).
fn have_fuzzer(what: &str) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join(format!("{what}.c"));
    std::fs::write(&source, "int LLVMFuzzerTestOneInput(void) { return 0; }\n").expect("written");
    let made = Command::new("clang")
        .arg("-fsanitize=fuzzer,address,undefined")
        .arg(&source)
        .arg("-o")
        .arg(folder.join(what))
        .output();
    if made.is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(std::env::var_os("LCC_REQUIRE_ALL").is_none(), "clang with its fuzzer is missing");
    eprintln!("SKIPPED {what}: clang with its fuzzer is not installed");
    false
}

/// What once failed does no more, of every target, and some new inputs do not fail.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
#[ignore = "long: builds the library instrumented"]
fn hostile_bytes() {
    if !have_fuzzer("hostile_bytes") {
        return;
    }
    let said = fuzz("fuzz", &["--seconds", "4"]);
    println!("{said}");
    let count = |line: &str| line.rsplit(' ').next().and_then(|n| n.parse::<u64>().ok());
    let counts: Vec<u64> = said.lines().filter_map(count).collect();
    assert_eq!(counts.len(), 5, "{said}");
    assert!(counts.iter().all(|n| *n > 100), "{said}");
}

/// A function of the header that no harness calls is one that nobody fuzzes.
#[test]
fn every_function_is_fuzzed() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect(name);
    let names = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|w| w.starts_with("lcc_")).map(str::to_string).collect()
    };
    let mut called = BTreeSet::new();
    for file in std::fs::read_dir(root().join("tests/fuzz")).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "c" || e == "inc") {
            called.extend(names(&std::fs::read_to_string(&path).expect("text")));
        }
    }
    let header = ["include/lcc.h", "include/lcc/f64.h"].map(read).concat();
    // Declarations start their line with the type, and what they are of is behind the name.
    let declared = header.lines().filter(|l| !l.starts_with([' ', '/', '*', '#', '}']));
    let functions = declared.filter_map(|line| {
        let (before, _) = line.split_once('(')?;
        let name = before.rsplit([' ', '*']).next()?;
        name.starts_with("lcc_").then(|| name.trim_end_matches("_f64").to_string())
    });
    let (known, missing): (Vec<_>, Vec<_>) = functions.partition(|name| called.contains(name));
    assert!(known.len() > 150, "{}", known.len());
    // They say what the library is.
    let constant = ["lcc_version", "lcc_version_number", "lcc_abi_version", "lcc_capabilities"];
    let missing: Vec<_> =
        missing.iter().filter(|name| !constant.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
