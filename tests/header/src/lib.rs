//! The header and the single-precision twins, made from the C ABI's sources.
//!
//! Each section of the header is one source file (or its two twins) passed through cbindgen alone,
//! so that a type and its functions stand together and the header reads from top to bottom.

mod core;
mod layout;

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The header's sections: a title, files under `ffi/src`, and files under `ffi/src/f64` with their
/// twins.
const SECTIONS: &[(&str, &[&str], &[&str])] = &[
    ("Versions and capabilities", &["version", "layout"], &[]),
    ("Statuses", &["status"], &[]),
    ("Names and activations", &["names"], &["activation"]),
    ("Data", &[], &["data"]),
    ("Problems: what is sampled", &["problem"], &["problem"]),
    ("Draws and their diagnostics", &[], &["draws"]),
    ("Samplers", &["sampler"], &["sampler"]),
    ("Sequential Monte Carlo", &["smc", "recorded"], &["smc", "particles"]),
    ("Parallel tempering", &[], &["tempering"]),
    ("The sampler that chooses for itself", &["auto"], &["auto"]),
    ("The coupling", &[], &["coupling"]),
    ("Certificates: is p(xi) log-concave?", &["certificate"], &["certificate"]),
    ("Quantities of the theory", &[], &["theory"]),
    ("The network regressor", &["network"], &["network", "diagnosis"]),
    ("Greedy Bayes", &["greedy_bayes"], &["greedy_bayes"]),
    ("Greedy least squares", &["relaxed"], &["relaxed"]),
    ("Models and predictions", &["model"], &["prediction"]),
    ("Learning from a stream", &["stream"], &["stream"]),
    ("Prequential Greedy Bayes", &["prequential"], &["forecast", "prequential"]),
];

/// The workspace's root.
fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    tests.and_then(Path::parent).expect("this package lies in tests/header")
}

/// Every generated file with its text.
pub fn generate() -> Vec<(PathBuf, String)> {
    let sources = root().join("ffi/src");
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for entry in std::fs::read_dir(sources.join("f64")).expect("ffi/src/f64") {
        let path = entry.expect("entry").path();
        let text = std::fs::read_to_string(&path).expect("source");
        files.push((sources.join("f32").join(path.file_name().expect("name")), single(&text)));
    }
    files.sort();
    files.push((root().join("include/lcc.h"), header(&files)));
    files
}

/// The single-precision twin of a double-precision source.
fn single(text: &str) -> String {
    let text = text.replace("f64", "f32").replace("double", "float");
    format!("// Generated from ../f64 by `cargo run -p lcc-header`: do not edit.\n{text}")
}

fn section(sources: &[PathBuf]) -> String {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        style: cbindgen::Style::Type,
        no_includes: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        line_length: 100,
        tab_width: 4,
        ..Default::default()
    };
    config.sort_by = cbindgen::SortKey::None;
    config.function.sort_by = Some(cbindgen::SortKey::None);
    config.constant.sort_by = Some(cbindgen::SortKey::None);
    config.enumeration.prefix_with_name = false;
    // No function names the statuses: they travel as int32_t.
    config.export.include = vec!["lcc_status".to_string()];
    config.function.args = cbindgen::Layout::Auto;
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in sources {
        builder = builder.with_src(source);
    }
    let mut out = Vec::new();
    builder.generate().expect("cbindgen reads the sources").write(&mut out);
    let text = String::from_utf8(out).expect("UTF-8");
    plain_enum(text.trim())
}

/// The statuses as a plain enum, which C and C++ read alike: no signature names its type.
fn plain_enum(text: &str) -> String {
    let Some((head, rest)) = text.split_once("enum lcc_status\n") else {
        return text.to_string();
    };
    let (_, body) = rest.split_once(" {\n").expect("the enum's brace");
    let (values, tail) = body.split_once("\n};").expect("the enum's end");
    let (_, functions) = tail.rsplit_once("#endif").expect("the typedef of its type");
    let (_, functions) = functions.split_once('\n').expect("the end of its line");
    format!("{head}enum lcc_status {{\n{values}\n}};\n{}", functions.trim_end_matches('\n'))
}

fn header(twins: &[(PathBuf, String)]) -> String {
    let version: Vec<u32> =
        env!("CARGO_PKG_VERSION").split('.').map(|p| p.parse().expect("number")).collect();
    let [major, minor, patch] = version[..] else { panic!("version is major.minor.patch") };
    let mut out = std::fs::read_to_string(root().join("ffi/header.h")).expect("ffi/header.h");
    write!(
        out,
        "#ifndef LCC_H\n#define LCC_H\n\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n\
         /** This header's version. */\n#define LCC_VERSION \"{major}.{minor}.{patch}\"\n\
         #define LCC_VERSION_MAJOR {major}\n#define LCC_VERSION_MINOR {minor}\n#define LCC_VERSION_PATCH {patch}\n\
         /** major * 1000000 + minor * 1000 + patch */\n#define LCC_VERSION_NUMBER {}\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
        major * 1_000_000 + minor * 1_000 + patch
    )
    .expect("string");
    // cbindgen reads files: the twins as they will be, not as they lie on disk.
    let scratch = std::env::temp_dir().join(format!("lcc-header-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("temporary folder");
    for &(title, plain, twin) in SECTIONS {
        let source = |name: &str| {
            let path = root().join(format!("ffi/src/{name}.rs"));
            let text = std::fs::read_to_string(&path).expect("source");
            let copy = scratch.join(name.replace('/', "-") + ".rs");
            std::fs::write(&copy, core::inline(&text, root())).expect("write");
            copy
        };
        let mut sources: Vec<PathBuf> = plain.iter().map(|name| source(name)).collect();
        for name in twin {
            sources.push(source(&format!("f64/{name}")));
            let file = format!("{name}.rs");
            let text = twins.iter().find(|(p, _)| p.ends_with(&file)).map(|(_, t)| t);
            let copy = scratch.join(format!("f32-{file}"));
            let text = core::inline(text.expect("each f64 file has a twin"), root());
            std::fs::write(&copy, text).expect("write");
            sources.push(copy);
        }
        let bar = "=".repeat(96);
        write!(out, "\n/* {bar}\n * {title}\n * {bar} */\n\n{}\n", section(&sources))
            .expect("string");
    }
    std::fs::remove_dir_all(&scratch).ok();
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n");
    out.push_str(&layout::asserts());
    out.push_str("\n#endif /* LCC_H */\n");
    out
}
