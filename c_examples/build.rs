//! Compiles the command line's C, with the data of the demonstration inside.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// `static` bytes of a file as C source: a string literal would break C99's limit on its length.
fn c_array(name: &str, path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut source = format!("const unsigned char {name}[] = {{");
    for (i, byte) in bytes.iter().enumerate() {
        let separator = if i % 20 == 0 { "\n" } else { "" };
        let _ = write!(source, "{separator}{byte},");
    }
    let _ = write!(source, "\n}};\nconst size_t {name}_length = {};\n", bytes.len());
    source
}

/// Programs of one file.
const EXAMPLES: [&str; 5] = ["minimal", "posterior", "density", "evidence", "resume"];

/// C99 with every warning, against the header of this tree.
fn compiler(here: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build
        .std("c99")
        .flag_if_supported("-pedantic")
        .flag_if_supported("-Wconversion")
        // The same numbers with every compiler: no fused multiply-add.
        .flag_if_supported("-ffp-contract=off")
        .warnings(true)
        .extra_warnings(true)
        .include(here.join("../include"));
    build
}

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));

    let mut embedded = String::from("#include \"demo_data.h\"\n\n");
    for (name, file) in
        [("demo_csv", "gas_turbine_nox.csv"), ("demo_splits", "splits/gas_turbine_nox.json")]
    {
        let path = here.join("data").join(file);
        println!("cargo:rerun-if-changed={}", path.display());
        embedded.push_str(&c_array(name, &path));
    }
    let generated = out.join("demo_data.c");
    fs::write(&generated, embedded).expect("the output folder can be written");

    let sources = here.join("lcc");
    println!("cargo:rerun-if-changed={}", sources.display());
    println!("cargo:rerun-if-changed={}", here.join("../include").display());
    let mut files: Vec<PathBuf> = fs::read_dir(&sources)
        .expect("the sources are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        // Cargo's `main` is src/main.rs.
        .filter(|path| path.file_name().is_some_and(|f| f != "entry.c"))
        .collect();
    files.sort();
    compiler(&here).include(&sources).files(files).file(generated).compile("lcc_command_line");

    // The examples too, so that they are kept in order; tests/examples.rs runs them.
    for example in EXAMPLES {
        let file = here.join(example).with_extension("c");
        println!("cargo:rerun-if-changed={}", file.display());
        compiler(&here)
            .define("main", format!("lcc_example_{example}").as_str())
            .file(file)
            .compile(&format!("lcc_example_{example}"));
    }
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
        println!("cargo:rustc-link-lib=pthread");
    }
}
