//! The C library as it is shipped: its header, its symbols, and the proof that it cannot panic.

use lcc_tests::tools::{have, library, root, run};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most bytes of the library, stripped: a hundredth above what it has (55 kB are two units at a time, a fifth of the time
/// of wide networks; 57 kB: hierarchies un-centred, in both precisions; 37 kB: masses of networks in blocks, which with momenta
/// that persist are half of a fit's time; 18 kB: models of fewer draws; 77 kB: posteriors of several layers, and Gibbs over
/// them; 37 kB: predictions of one row, and tails of two components at a time; 20 kB: rows in groups, draws that know their problem,
/// and what refuses before it writes; 41 kB: Gamma outputs, their kernels and predictive laws).
const LARGEST: u64 = 3_206_000;

const HEADERS: [&str; 3] = ["lcc.h", "lcc/f64.h", "lcc/f32.h"];

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The names that a library defines and exports.
fn exported(library: &Path) -> BTreeSet<String> {
    let out = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let text = String::from_utf8(out.stdout).expect("names");
    text.lines().filter_map(|l| l.split_whitespace().last()).map(str::to_string).collect()
}

#[test]
fn header_compiles_as_c_and_cpp_without_warnings() {
    let include = root().join("include");
    let source = scratch("header.c");
    // Each may be the first one that a program includes.
    for header in HEADERS {
        let text = format!("#include <{header}>\nint main(void) {{ return LCC_OK; }}\n");
        std::fs::write(&source, text).expect("write");
        for (compiler, language, standard) in
            [("cc", "c", "-std=c99"), ("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++17")]
        {
            if have(compiler, "header_compiles_as_c_and_cpp_without_warnings") {
                run(Command::new(compiler)
                    .args([
                        "-x",
                        language,
                        standard,
                        "-pedantic",
                        "-Wall",
                        "-Wextra",
                        "-Wconversion",
                    ])
                    .args(["-Werror", "-fsyntax-only", "-I"])
                    .arg(&include)
                    .arg(&source));
            }
        }
    }
}

/// The panic handler of the proof build calls a symbol that nobody defines: the library links only
/// if the optimiser removed every path to it. (At opt-level s: every program of `c_examples/firmware`.)
#[test]
#[ignore = "long: builds the library with fat LTO"]
fn no_panic_is_reachable() {
    if !have("nm", "no_panic_is_reachable") {
        return;
    }
    let names = exported(&library("dist", "panic-proof"));
    assert!(names.contains("lcc_version"), "the proof looked at the wrong library");
}

/// No pointer is made of a number, and none is taken for one but by its address: what Miri's strict provenance asks, as far
/// as the compiler sees it. (Its lints are not in a stable compiler but by RUSTC_BOOTSTRAP.)
#[test]
#[ignore = "long: checks the library once more"]
fn pointers_keep_their_provenance() {
    run(Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["check", "-p", "lcc-ffi", "--lib", "--target-dir", "target/provenance"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env(
            "RUSTFLAGS",
            "-Zcrate-attr=feature(strict_provenance_lints) -Dfuzzy_provenance_casts -Dlossy_provenance_casts",
        ));
}

/// Without symbols.
#[test]
#[ignore = "long: builds the library with fat LTO"]
fn library_is_small() {
    if !have("strip", "library_is_small") {
        return;
    }
    let stripped = scratch("stripped.so");
    run(Command::new("strip").arg("-o").arg(&stripped).arg(library("dist", "panic-proof")));
    let bytes = std::fs::metadata(&stripped).expect("it was written").len();
    assert!(bytes <= LARGEST, "{bytes} bytes");
}

#[test]
#[ignore = "long: builds the library with fat LTO"]
fn exported_symbols_are_those_of_the_header() {
    if !have("nm", "exported_symbols_are_those_of_the_header") {
        return;
    }
    let header: String = HEADERS
        .map(|name| std::fs::read_to_string(root().join("include").join(name)).expect("header"))
        .concat();
    let mut declared = BTreeSet::new();
    for line in header.lines().filter(|l| !l.trim_start().starts_with(['*', '/', '#'])) {
        for (at, _) in line.match_indices("lcc_") {
            let rest = &line[at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let before = line[..at].chars().next_back().unwrap_or(' ');
            if rest[end..].starts_with('(') && !before.is_alphanumeric() && before != '_' {
                declared.insert(rest[..end].to_string());
            }
        }
    }
    assert_eq!(exported(&library("dist", "panic-proof")), declared);
}
