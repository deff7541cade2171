//! The headers are those that would be generated now, and say what the library was built with.

use lcc_tests::tools::{have, root, run};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn headers_are_fresh() {
    for (path, text) in lcc_header::generate() {
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(old == text, "{} is stale: run `cargo run -p lcc-header`", path.display());
    }
}

/// The table behind `lcc_layout` is written by hand: its members are checked by the compiler, that no
/// struct is missing here.
#[test]
fn every_struct_has_a_layout() {
    let mut structs = BTreeSet::new();
    for name in ["lcc.h", "lcc/f64.h", "lcc/f32.h"] {
        let text = std::fs::read_to_string(root().join("include").join(name)).expect("header");
        let ends = text.split("} lcc_").skip(1).filter_map(|rest| rest.split_once(';'));
        structs.extend(ends.map(|(name, _)| format!("lcc_{name}")));
    }
    assert!(structs.len() > 60, "{} structs", structs.len());
    let known: BTreeSet<String> = lcc::layouts::all().map(|l| l.name.to_string()).collect();
    assert_eq!(structs, known);
}

/// C and C++ lay every struct and member out as the library does, where pointers have 64 bits.
#[test]
#[cfg(target_pointer_width = "64")]
fn layouts_are_those_of_c() {
    let mut text = String::from("#include <lcc.h>\n");
    text.push_str("#ifdef __cplusplus\n#define CHECK(what) static_assert(what, #what)\n");
    text.push_str("#else\n#define CHECK(what) _Static_assert(what, #what)\n#endif\n");
    for lcc::layouts::Layout { name, bytes, members } in lcc::layouts::all() {
        writeln!(text, "CHECK(sizeof({name}) == {bytes});").expect("string");
        for member in *members {
            let (field, offset, bytes) = (member.name, member.offset, member.bytes);
            writeln!(text, "CHECK(offsetof({name}, {field}) == {offset});").expect("string");
            writeln!(text, "CHECK(sizeof((({name} *)0)->{field}) == {bytes});").expect("string");
        }
    }
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layouts.c");
    std::fs::write(&source, text).expect("write");
    for (compiler, flags) in [("cc", ["-x", "c", "-std=c11"]), ("c++", ["-x", "c++", "-std=c++17"])]
    {
        if have(compiler, "layouts_are_those_of_c") {
            let include = root().join("include");
            run(Command::new(compiler)
                .args(flags)
                .args(["-Werror", "-fsyntax-only", "-I"])
                .arg(include)
                .arg(&source));
        }
    }
}
