//! Running other programs from tests, and saying loudly what could not run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The workspace's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is inside the workspace")
}

/// Whether the program can be started. If not: in CI (`LCC_REQUIRE_ALL` set) a failure, elsewhere a
/// line that names what is skipped and why.
pub fn have(program: &str, what: &str) -> bool {
    if Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()) {
        return true;
    }
    assert!(
        std::env::var_os("LCC_REQUIRE_ALL").is_none(),
        "{program} is missing: cannot run {what}"
    );
    eprintln!("SKIPPED {what}: {program} is not installed");
    false
}

/// Runs a command to its end; panics with its output unless it succeeds.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Builds the static library with a profile and a feature, and returns where it is.
pub fn archive(profile: &str, feature: &str) -> PathBuf {
    let target = root().join("target/shared").join(feature);
    run(Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["rustc", "-p", "lcc-ffi", "--lib", "--profile", profile, "--features", feature])
        .args(["--crate-type", "staticlib", "--target-dir"])
        .arg(&target));
    target.join(profile).join("liblcc.a")
}

/// The shared library made from it, as `ffi/CMakeLists.txt` does: all that `lcc_*` reaches, and nothing undefined,
/// which with `panic-proof` is the proof that no panic is reachable.
pub fn library(profile: &str, feature: &str) -> PathBuf {
    let archive = archive(profile, feature);
    let shared = archive.with_extension("so");
    let modified = |path: &Path| path.metadata().and_then(|data| data.modified());
    if modified(&shared).is_ok_and(|then| modified(&archive).is_ok_and(|now| now <= then)) {
        return shared;
    }
    // Made aside and moved into place: other tests may be loading it.
    let folder = archive.parent().expect("a library lies in a folder");
    let mine = format!("{}-{:?}", std::process::id(), std::thread::current().id());
    let exports = folder.join(format!("exports-{mine}"));
    std::fs::write(&exports, "{ global: lcc_*; local: *; };\n").expect("the folder can be written");
    let made = folder.join(format!("liblcc-{mine}.so"));
    run(Command::new("cc")
        .args(["-shared", "-Wl,--gc-sections", "-Wl,-z,defs", "-Wl,--whole-archive"])
        .arg(&archive)
        .arg("-Wl,--no-whole-archive")
        .arg(format!("-Wl,--version-script={}", exports.display()))
        .arg("-o")
        .arg(&made));
    std::fs::rename(&made, &shared).expect("the folder can be written");
    std::fs::remove_file(&exports).expect("the folder can be written");
    shared
}

/// Compiles `tests/c/NAME.c` against the shared library, with the address and undefined-behaviour
/// sanitizers, runs it and returns what it printed; `None` where there is no C compiler.
pub fn run_c(name: &str) -> Option<String> {
    if !have("cc", &format!("tests/c/{name}.c")) {
        return None;
    }
    let library = library("dist", "panic-proof");
    let folder = library.parent().expect("a library lies in a folder");
    let program = root().join("target/shared").join(name);
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
    let output = run(&mut Command::new(&program));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
