//! Compiles the programs of `c/` and the examples that need nothing but LCC, each with its `main` under a name of its own,
//! and lists them for `src/bin/c.rs`.

use std::path::{Path, PathBuf};
use std::{env, fs};

const EXAMPLES: [&str; 6] =
    ["density", "evidence", "minimal", "posterior", "resume", "soft_sensor"];

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    println!("cargo:rerun-if-changed=c");
    println!("cargo:rerun-if-changed=../include");
    let files = fs::read_dir(here.join("c")).expect("the sources are there");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let (mut declared, mut listed) = (String::new(), String::new());
    let stem = |file: &Path| file.file_stem().and_then(|n| n.to_str()).expect("a name").to_string();
    let mut programs: Vec<_> = files.into_iter().map(|file| (stem(&file), file)).collect();
    for example in EXAMPLES {
        let file = here.join("../c_examples").join(example).with_extension("c");
        println!("cargo:rerun-if-changed={}", file.display());
        programs.push((format!("example_{example}"), file));
    }
    for (name, file) in programs {
        compile(&here, &file, &name);
        declared +=
            &format!("    fn lcc_test_{name}(argc: c_int, argv: *const *const c_char) -> c_int;\n");
        listed += &format!("    (\"{name}\", lcc_test_{name}),\n");
    }
    let table = format!(
        "unsafe extern \"C\" {{\n{declared}}}\n\n/// Name and `main` of each.\n\
         const PROGRAMS: &[(&str, Main)] = &[\n{listed}];\n"
    );
    fs::write(out.join("programs.rs"), table).expect("the output folder can be written");
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
    }
}

fn compile(here: &Path, file: &Path, name: &str) {
    cc::Build::new()
        .std("c99")
        // The same numbers with every compiler: no fused multiply-add.
        .flag_if_supported("-ffp-contract=off")
        .include(here.join("../include"))
        .define("main", format!("lcc_test_{name}").as_str())
        .file(file)
        .compile(&format!("lcc_test_{name}"));
}
