//! Compiles the programs of `c/`, each with its `main` under a name of its own, and lists them for `src/bin/c.rs`.

use std::path::{Path, PathBuf};
use std::{env, fs};

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
    for file in files {
        let name = file.file_stem().and_then(|n| n.to_str()).expect("a name");
        compile(&here, &file, name);
        declared += &format!("    fn lcc_test_{name}() -> std::ffi::c_int;\n");
        listed += &format!("    (\"{name}\", lcc_test_{name}),\n");
    }
    let table = format!(
        "unsafe extern \"C\" {{\n{declared}}}\n\n/// Name and `main` of each.\n\
         const PROGRAMS: &[(&str, unsafe extern \"C\" fn() -> std::ffi::c_int)] = &[\n{listed}];\n"
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
