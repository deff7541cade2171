//! What LCC is made of and given out as: the crates that it links, its own crate as others will build it, and its version.

use lcc_tests::tools::{have, long, root, run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const LICENSES: [&str; 6] =
    ["MIT", "Apache-2.0", "BSD-3-Clause", "BSD-2-Clause", "Zlib", "Unlicense"];

fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root());
    command
}

/// The crates that the library links or is built with, by name: version, licence and where from.
fn closure() -> BTreeMap<String, Vec<(String, String, String)>> {
    let line = "tree -p lcc-ffi -e normal,build --target all --prefix none --no-dedupe --locked";
    let tree = run(cargo().args(line.split(' ')).args(["--format", "{p}"]));
    let linked: BTreeSet<String> = String::from_utf8_lossy(&tree.stdout)
        .lines()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let out = run(cargo().args(["metadata", "--format-version", "1", "--locked"]));
    let all: Value = serde_json::from_slice(&out.stdout).expect("metadata");
    let text = |value: &Value| value.as_str().unwrap_or("none").to_string();
    let mut named = BTreeMap::<_, Vec<_>>::new();
    for p in all["packages"].as_array().unwrap() {
        let (name, version) = (text(&p["name"]), text(&p["version"]));
        if linked.contains(&format!("{name} v{version}")) && !name.starts_with("lcc-") {
            let facts = (version, text(&p["license"]), text(&p["source"]));
            named.entry(name).or_default().push(facts);
        }
    }
    named
}

/// Every crate stands in ARCHITECTURE.md with its reason, once, under a licence that lets anyone link it.
#[test]
fn dependencies_are_those_that_are_accounted_for() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let table = page.split_once("| crate | why | brings |").expect("the table").1;
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut told = BTreeSet::new();
    for row in rows {
        let [_, name, why, brings, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        assert!(why.trim().len() > 10, "{name} has no reason");
        told.insert(name.trim().to_string());
        let words =
            brings.split([',', ';', ' ']).filter(|w| !["", "to", "build", "and"].contains(w));
        told.extend(words.map(str::to_string));
    }
    let linked = closure();
    assert_eq!(told, linked.keys().cloned().collect());
    for (name, versions) in linked {
        let [(_, license, source)] = &versions[..] else { panic!("{name} twice: {versions:?}") };
        assert!(source.starts_with("registry+"), "{name} is from {source}");
        // Of "A OR B" one will do.
        let free =
            license.split(" OR ").flat_map(|l| l.split('/')).any(|l| LICENSES.contains(&l.trim()));
        assert!(free, "{name} is under {license}");
    }
}

/// The crates as the registry would have them, with licences, a page and what finds them; in the long tier they build by
/// themselves.
#[test]
fn the_crates_are_packages() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    // Together, for they depend on one another.
    run(cargo()
        .args(["package", "-p", "lcc-core", "-p", "lcc-hooks", "-p", "lcc-model", "-p", "lcc-cli"])
        .args(["--offline", "--allow-dirty"])
        .args(if long() { &[][..] } else { &["--no-verify"] })
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"));
    let version = env!("CARGO_PKG_VERSION");
    for (name, root, page) in [
        ("lcc-core", "src/lib.rs", true),
        ("lcc-hooks", "src/lib.rs", false),
        ("lcc-model", "src/lib.rs", true),
        ("lcc-cli", "src/main.rs", true),
    ] {
        let archive = target.join(format!("package/{name}-{version}.crate"));
        let out = run(Command::new("tar").arg("tzf").arg(&archive));
        let list = String::from_utf8(out.stdout).expect("names");
        for file in ["LICENSE-MIT", "LICENSE-APACHE", root] {
            assert!(list.contains(&format!("{name}-{version}/{file}\n")), "{name} without {file}");
        }
        let manifest = format!("{name}-{version}/Cargo.toml");
        let out = run(Command::new("tar").arg("xzOf").arg(&archive).arg(manifest));
        let manifest = String::from_utf8(out.stdout).expect("TOML");
        let fields = ["description = ", "license = ", "keywords = [", "categories = ["];
        for field in fields.into_iter().chain(page.then_some("readme = \"")) {
            assert!(manifest.lines().any(|line| line.starts_with(field)), "{name}: no {field}");
        }
    }
}

/// One number everywhere: that of Cargo.toml.
#[test]
fn the_version_is_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect(path);
    for line in
        read("Cargo.toml").lines().filter(|line| line.starts_with("lcc-") && line.contains("path"))
    {
        assert!(line.contains(&format!("version = \"{version}\"")), "Cargo.toml: {line}");
    }
    let julia = read("ffi/julia/Project.toml");
    assert!(julia.contains(&format!("\nversion = \"{version}\"\n")), "{julia}");
    let minor = version.rsplit_once('.').expect("three numbers").0;
    for words in [format!("find_package(lcc {minor} "), format!("`liblcc.so.{minor}`")] {
        assert!(read("ffi/docs/c.md").contains(&words), "ffi/docs/c.md has no {words}");
    }
    let names = read("ffi/julia/src/library.jl");
    assert!(names.contains(&format!("\"liblcc.so.{minor}\"")), "ffi/julia/src/library.jl");
    for path in ["docs/install.md", "ffi/julia/README.md", "c_examples/firmware/README.md"] {
        let page = read(path);
        let mut files =
            page.split("lcc-").skip(1).filter(|rest| rest.starts_with(char::is_numeric));
        assert!(files.all(|rest| rest.starts_with(version)), "{path} has files of another version");
    }
    let changes = read("CHANGELOG.md");
    let release = changes.lines().filter(|line| line.starts_with("## [")).nth(1).unwrap_or("");
    assert!(release.starts_with(&format!("## [{version}] - 20")), "CHANGELOG.md: {release}");
}

/// Every package of a release is installed in a clean folder without Rust, and used.
#[test]
#[ignore = "long: builds a release of the last commit"]
fn a_release_is_installed_and_used() {
    let name = "a_release_is_installed_and_used";
    if !have("bash", name) || !have("git", name) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release");
    _ = std::fs::remove_dir_all(&folder);
    run(Command::new(root().join(".ci/release")).arg(&folder));
    let out = run(Command::new(root().join("tests/install")).arg(&folder));
    println!("{}", String::from_utf8_lossy(&out.stdout));
}

/// The oldest Rust that is promised is the one that all tests are built with.
#[test]
fn the_oldest_rust_is_the_one_that_tests() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let promised = manifest.split_once("rust-version = \"").expect("a version").1;
    let promised = promised.split('"').next().unwrap();
    let out = run(Command::new("rustc").arg("--version").current_dir(root()));
    let said = String::from_utf8(out.stdout).expect("a version");
    if !said.starts_with(&format!("rustc {promised}.")) {
        let text = format!("the_oldest_rust_is_the_one_that_tests: this is {said}, not {promised}");
        assert!(std::env::var_os("LCC_REQUIRE_ALL").is_none(), "{text}");
        println!("SKIPPED: {text}");
    }
}
