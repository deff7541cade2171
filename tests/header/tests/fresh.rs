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

/// Nothing that the last release declared has gone or changed while the version says that it is compatible.
#[test]
fn the_abi_of_the_last_release_is_kept() {
    let path = root().join("tests/golden/abi.txt");
    let released = std::fs::read_to_string(path).expect("the ABI of the last release");
    assert!(released.lines().count() > 500, "{} declarations", released.lines().count());
    let broken = lcc_header::broken(&released, &lcc_header::abi());
    assert!(broken.is_none(), "{}", broken.unwrap_or_default());
}

/// A function, a member of a struct, a constant: each alone is found missing; more of them are not, nor is another minor.
#[test]
fn a_broken_abi_is_found() {
    let now = lcc_header::abi();
    let lines: Vec<_> = now.lines().collect();
    let one = |what: &str| *lines.iter().find(|l| l.contains(what)).expect("a declaration");
    let (function, layout, code) =
        (one("lcc_bnn_init_f64("), one("} lcc_data_f64;"), one("LCC_ERROR_NULL = "));
    let mut longer = layout.to_string();
    longer.insert_str(layout.find('}').expect("a struct"), "double more; ");
    for (line, other) in
        [(function, ""), (layout, &longer), (code, &format!("{code}1")), (function, "void f(int);")]
    {
        let changed = now.replace(&format!("\n{line}\n"), &format!("\n{other}\n"));
        let said = lcc_header::broken(&now, &changed).expect("it is broken");
        assert!(said.contains("bump the minor version") && said.ends_with(line), "{said}");
        assert_eq!(lcc_header::broken(&now, &changed.replacen("0.", "1.", 1)), None);
    }
    assert_eq!(lcc_header::broken(&now, &format!("{now}void lcc_more(void);\n")), None);
}
