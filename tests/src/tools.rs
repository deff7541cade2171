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

/// Whether this is the long tier of the tests (`LCC_LONG` set, as `.ci/run` does): whole tests belong to it by
/// `#[ignore = "long: ..."]`, sizes of samples by [`runs`].
pub fn long() -> bool {
    std::env::var_os("LCC_LONG").is_some()
}

/// A number of replicates, draws or cases: in the quick tier as many as still find a wrong sampler.
pub fn runs<T>(quick: T, long: T) -> T {
    if self::long() { long } else { quick }
}

/// Of many cases the quick tier takes every third: with the seeds that they have in the long tier, and as precisely. A
/// sampler that is wrong is wrong on several of them.
const THINNING: usize = 3;

/// The cases of this tier with their numbers among all; `first` (of any size) says which third it is.
pub fn thinned<C>(
    cases: impl IntoIterator<Item = C>,
    first: u64,
) -> impl Iterator<Item = (usize, C)> {
    let step = runs(THINNING, 1);
    cases.into_iter().enumerate().skip(first as usize % step).step_by(step)
}

/// Of cases that are tested each by itself the quick tier takes one in `of`, at the seeds and sizes of the long tier: those
/// whose turn it is by `LCC_TURN`, which `.ci/run` counts up with the commits, so that some runs see all. `shift` lets
/// families of cases begin at different ones.
pub fn by_turns<C>(
    cases: impl IntoIterator<Item = C>,
    of: usize,
    shift: usize,
) -> impl Iterator<Item = C> {
    let turn =
        std::env::var("LCC_TURN").ok().map_or(0, |n| n.parse().expect("LCC_TURN is a number"));
    let (first, step) = runs(((turn % of + shift) % of, of), (0, 1));
    cases.into_iter().skip(first).step_by(step)
}

/// How far from 1 a root mean square z over [`thinned`] cases may be that may be off by `long` over all of them: there
/// two standard errors, with seeds at which that holds; here 3.5 over a third of the cases. Where means are good to .02
/// posterior sd, that still is a mean error of .02 sd, and of a single expectation one of .1.
pub fn width(long: f64) -> f64 {
    runs(3.5, 1.0) * long
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

/// Runs `tests/c/NAME.c`, or the example `example_NAME`, which `src/bin/c.rs` holds, at the root, and returns what it printed. `program` is that file's:
/// `env!("CARGO_BIN_EXE_lcc-tests-c")` in a test.
pub fn run_c(program: &str, name: &str) -> String {
    let output = run(Command::new(program).arg(name).current_dir(root()));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compiles `tests/c/NAME.c` against the library as it is shipped, with the address and undefined-behaviour
/// sanitizers, runs it and returns what it printed.
pub fn run_sanitized(name: &str) -> String {
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
    String::from_utf8_lossy(&output.stdout).into_owned()
}
