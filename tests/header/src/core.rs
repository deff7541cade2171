//! The structs of the core that are C's: their text, taken from there.

use std::fmt::Write;
use std::path::Path;

/// The functions of `abi! { ... }`, the types of `handle! { ... }` and the statuses of `table! { ... }` as cbindgen
/// can read them.
pub(crate) fn functions(text: &str) -> String {
    let mut out = String::new();
    let (mut inside, mut statuses) = (false, false);
    for line in text.lines() {
        match line {
            "abi! {" | "handle! {" => inside = true,
            "table! {" => {
                statuses = true;
                out.push_str("/// What a function returns, as an int32_t: 0 done, positive an outcome, negative an error.\n");
                out.push_str("#[repr(i32)]\npub enum lcc_status {\n");
            }
            "}" if inside => inside = false,
            "}" => {
                statuses = false;
                out.push_str("}\n");
            }
            _ if statuses => {
                let (value, sentence) = line.split_once(", \"").expect("a value and a sentence");
                writeln!(out, "/// {}\n{value},", sentence.trim_end_matches("\";")).expect("string");
            }
            _ if inside => {
                let line = line.strip_prefix("    ").unwrap_or(line);
                if let Some((name, _)) = line.split_once(':').filter(|_| line.starts_with("struct ")) {
                    writeln!(out, "pub {name} {{ _private: [u8; 0] }}").expect("string");
                    continue;
                }
                let frame = "#[unsafe(no_mangle)]\npub unsafe extern \"C\" ";
                let frame = if line.starts_with("fn ") { frame } else { "" };
                let head = line.starts_with("fn ") || !line.starts_with(' ');
                match line.strip_suffix(") {").filter(|_| head) {
                    Some(line) => writeln!(out, "{frame}{line}) -> i32 {{").expect("string"),
                    None => writeln!(out, "{frame}{line}").expect("string"),
                }
            }
            _ => writeln!(out, "{line}").expect("string"),
        }
    }
    out
}

/// The sources of the core, one after the other.
fn sources(folder: &Path, out: &mut String) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("core/src")
        .map(|entry| entry.expect("entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, out);
        } else {
            out.push_str(&std::fs::read_to_string(path).expect("source"));
        }
    }
}

/// A source of the C ABI with each `pub type lcc_... = ...;`, an alias of a struct of the core, replaced by that
/// struct as cbindgen can read it, under the alias's own documentation.
pub(crate) fn inline(text: &str, root: &Path) -> String {
    let mut core = String::new();
    sources(&root.join("core/src"), &mut core);
    let mut out = String::new();
    for line in text.lines() {
        match line.strip_prefix("pub type lcc_").and_then(|alias| member_list(alias, &core)) {
            Some(own) => out.push_str(&own),
            None => writeln!(out, "{line}").expect("string"),
        }
    }
    out
}

/// The struct that an alias without its prefix stands for; `None` if it is none of the core's.
fn member_list(alias: &str, core: &str) -> Option<String> {
    let (name, of) = alias.split_once(" = ")?;
    let of = of.trim_end_matches([';', '>']);
    let (of, real) = of.split_once('<').unwrap_or((of, "f64"));
    let start = [format!("pub struct {of}<T> {{\n"), format!("pub struct {of} {{\n")];
    let (_, body) = start.iter().find_map(|s| core.split_once(s))?;
    let (body, _) = body.split_once("\n    }\n")?;
    let body = plain(body, real).replace("f64", real);
    Some(format!("#[repr(C)]\npub struct lcc_{name} {{\n{body}}}\n"))
}

/// Members in the types of C, and docs without rustdoc's links.
fn plain(text: &str, real: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim_start();
        if line.starts_with("///") {
            writeln!(out, "{}", line.replace("[`", "").replace("`]", "").replace('`', ""))
                .expect("string");
            continue;
        }
        let member = line.strip_prefix("pub ").and_then(|l| l.split_once(": "));
        match member {
            Some((name, of)) => {
                let of = match of.trim_end_matches(',') {
                    "T" => real,
                    "Switch" | "Reserved" => "u32",
                    code if code.starts_with("Code<") => "i32",
                    of => of,
                };
                writeln!(out, "pub {name}: {of},").expect("string");
            }
            None => writeln!(out, "{line}").expect("string"),
        }
    }
    out
}
