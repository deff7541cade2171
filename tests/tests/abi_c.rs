//! Programs in C against the shared library: `tests/c/*.c` return 0 or say which check failed.

use lcc_tests::tools::{have, library, root, run};
use std::path::Path;
use std::process::Command;

fn c_program(name: &str) {
    if !have("cc", name) {
        return;
    }
    let library = library("release", "panic-proof");
    let folder = library.parent().expect("a library lies in a folder");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    run(Command::new("cc")
        .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-g"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-I"])
        .arg(root().join("include"))
        .arg("-o")
        .arg(&program)
        .arg(root().join("tests/c").join(name).with_extension("c"))
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .arg("-lm"));
    run(&mut Command::new(&program));
}

#[test]
fn bad_input_is_refused_and_loses_nothing() {
    c_program("bad_input");
}
