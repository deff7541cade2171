//! Writes the single-precision twin of `src/f64`: the same text, in which `f64` is `f32`.

use std::fmt::Write;
use std::path::Path;

/// The single-precision twin of a double-precision source.
fn single(text: &str) -> String {
    text.replace("f64", "f32").replace("double precision", "float precision")
}

fn main() {
    let folder = Path::new("src/f64");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the sources")
        .map(|entry| entry.expect("a source").file_name().into_string().expect("UTF-8"))
        .filter(|name| name.ends_with(".rs") && name != "mod.rs")
        .collect();
    names.sort();
    let mut twin = String::new();
    for name in names {
        let text = std::fs::read_to_string(folder.join(&name)).expect("a source");
        let module = name.trim_end_matches(".rs");
        writeln!(twin, "pub mod {module} {{\n{}}}", single(&text)).expect("string");
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo runs this");
    std::fs::write(Path::new(&out).join("f32.rs"), twin).expect("the twin can be written");
}
