//! The headers, made from the C ABI's sources.
//!
//! Each section of a header is one source file (or two) passed through cbindgen alone, so that a type
//! and its functions stand together and the header reads from top to bottom.

mod abi;
mod core;
mod tidy;

pub use abi::{abi, broken};

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A title and files under `ffi/src`.
type Section = (&'static str, &'static [&'static str]);

/// `lcc.h`: what has no precision.
const PLAIN: &[Section] = &[
    ("Versions and capabilities", &["version", "layout"]),
    ("Statuses", &["status"]),
    ("Objects: what every handle can do", &["object"]),
    ("Names", &["names"]),
    ("Problems", &["problem"]),
    ("Parameters with constraints", &["transform"]),
    ("Samplers", &["sampler"]),
    ("Sequential Monte Carlo", &["smc", "recorded"]),
    ("The sampler that chooses for itself", &["auto"]),
    ("Certificates", &["certificate"]),
    ("The network regressor", &["network"]),
    ("The Bayesian network", &["bnn"]),
    ("Greedy Bayes", &["greedy_bayes"]),
    ("Greedy least squares", &["relaxed"]),
    ("The variational auto-encoder", &["vae"]),
    ("Models", &["model"]),
    ("Learning from a stream", &["stream"]),
    ("Prequential Greedy Bayes", &["prequential"]),
];

/// `lcc/f64.h`, and without its prose `lcc/f32.h`.
const TYPED: &[Section] = &[
    ("Activations", &["f64/activation"]),
    ("Data", &["f64/data"]),
    ("What a Bayesian network is", &["f64/bnn_options"]),
    ("Problems: what is sampled", &["f64/problem"]),
    ("Draws and their diagnostics", &["f64/draws"]),
    ("Leave-one-out", &["f64/loo"]),
    ("Parameters with constraints", &["f64/transform"]),
    ("Gradients of one's own", &["f64/check"]),
    ("The draws of a handle", &["f64/record"]),
    ("Samplers", &["f64/sampler"]),
    ("Sequential Monte Carlo", &["f64/smc", "f64/particles"]),
    ("Parallel tempering", &["f64/tempering"]),
    ("Where and how wide a density of one's own is", &["f64/warmup"]),
    ("The sampler that chooses for itself", &["f64/auto"]),
    ("The coupling", &["f64/coupling"]),
    ("Certificates: is p(xi) log-concave?", &["f64/certificate"]),
    ("Quantities of the theory: NaN of numbers below 0", &["f64/theory"]),
    ("Gaussian regression in closed form", &["f64/conjugate"]),
    ("The network regressor", &["f64/network", "f64/diagnosis"]),
    ("The Bayesian network", &["f64/bnn"]),
    ("Greedy Bayes", &["f64/greedy_bayes"]),
    ("Greedy least squares", &["f64/relaxed"]),
    ("The variational auto-encoder", &["f64/vae"]),
    ("Models and predictions", &["f64/prediction"]),
    ("Learning from a stream", &["f64/stream"]),
    ("Prequential Greedy Bayes", &["f64/forecast", "f64/prequential"]),
];

/// The workspace's root.
fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    tests.and_then(Path::parent).expect("this package lies in tests/header")
}

/// Every header with its text.
pub fn generate() -> Vec<(PathBuf, String)> {
    let include = root().join("include");
    let head = std::fs::read_to_string(root().join("ffi/header.h")).expect("ffi/header.h");
    let about = "/* The manual of what is in double precision. Part of <lcc.h>, made with it: do not edit. */\n";
    let twin = "/* lcc/f64.h in single precision: that is its manual. Part of <lcc.h>, made with it: do not edit. */\n";
    let typed = sections(TYPED);
    let before = format!("\n{STANDARD}\n{}", versions());
    let after = "\n#include \"lcc/f64.h\"\n#include \"lcc/f32.h\"\n";
    let own = "\n#include \"../lcc.h\"\n";
    vec![
        (include.join("lcc.h"), file("LCC_H", &head, &before, &sections(PLAIN), after)),
        (include.join("lcc/f64.h"), file("LCC_F64_H", about, own, &typed, "")),
        (include.join("lcc/f32.h"), file("LCC_F32_H", twin, own, &tidy::single(&typed), "")),
    ]
}

const STANDARD: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n";

fn file(guard: &str, head: &str, before: &str, body: &str, after: &str) -> String {
    format!(
        "{head}#ifndef {guard}\n#define {guard}\n{before}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{body}\n\
         #ifdef __cplusplus\n}}\n#endif\n{after}\n#endif /* {guard} */\n"
    )
}

fn versions() -> String {
    let version: Vec<u32> =
        env!("CARGO_PKG_VERSION").split('.').map(|p| p.parse().expect("number")).collect();
    let [major, minor, patch] = version[..] else { panic!("version is major.minor.patch") };
    format!(
        "/** This header's version. */\n#define LCC_VERSION \"{major}.{minor}.{patch}\"\n\
         #define LCC_VERSION_MAJOR {major}\n#define LCC_VERSION_MINOR {minor}\n#define LCC_VERSION_PATCH {patch}\n\
         #define LCC_VERSION_NUMBER {} /**< major * 1000000 + minor * 1000 + patch */\n",
        major * 1_000_000 + minor * 1_000 + patch
    )
}

fn sections(list: &[Section]) -> String {
    let mut out = String::new();
    for (title, files) in list {
        let bar = "=".repeat(96usize.saturating_sub(title.len()));
        let text = tidy::tidy(&section(files));
        write!(out, "\n/* ==== {title} {bar} */\n\n{text}").expect("string");
    }
    out
}

fn section(files: &[&str]) -> String {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        style: cbindgen::Style::Type,
        no_includes: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        line_length: usize::MAX,
        tab_width: 4,
        ..Default::default()
    };
    config.sort_by = cbindgen::SortKey::None;
    config.function.sort_by = Some(cbindgen::SortKey::None);
    config.constant.sort_by = Some(cbindgen::SortKey::None);
    config.enumeration.prefix_with_name = false;
    // No function of its own file names them; the statuses travel as int32_t.
    config.export.include = ["lcc_status", "lcc_stream_info"].map(String::from).to_vec();
    config.function.args = cbindgen::Layout::Horizontal;
    let mut builder = cbindgen::Builder::new().with_config(config);
    // cbindgen reads files: the sources with the structs of the core in them.
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let scratch = std::env::temp_dir().join(format!("lcc-header-{process}-{thread:?}"));
    std::fs::create_dir_all(&scratch).expect("temporary folder");
    for name in files {
        let text = std::fs::read_to_string(root().join(format!("ffi/src/{name}.rs")));
        let copy = scratch.join(name.replace('/', "-") + ".rs");
        std::fs::write(&copy, core::inline(&core::unfold(&text.expect("source")), root()))
            .expect("write");
        builder = builder.with_src(copy);
    }
    let mut out = Vec::new();
    builder.generate().expect("cbindgen reads the sources").write(&mut out);
    std::fs::remove_dir_all(&scratch).ok();
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
