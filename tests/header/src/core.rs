//! The sources of the C ABI as cbindgen can read them: macros unfolded, structs of the core in place of their aliases.

use std::fmt::Write;
use std::path::Path;

/// A source of the C ABI with its macros unfolded, as cbindgen can read it: functions, handles, statuses, codes.
pub(crate) fn unfold(text: &str) -> String {
    let mut out = String::new();
    let mut of = "";
    for line in text.lines() {
        let inner = line.strip_prefix("    ").unwrap_or(line);
        let (head, about) = inner.split_once(", \"").unwrap_or((inner, ""));
        let about = about.trim_end_matches("\";");
        let unfolded = match (of, line) {
            ("", "abi! {" | "numbers! {" | "handle! {" | "codes! {") => {
                of = line;
                continue;
            }
            ("", "table! {") => {
                of = line;
                "/// What a function returns, as an int32_t: 0 done, positive an outcome, negative an error.\n\
                 #[repr(i32)]\npub enum lcc_status {"
                    .to_string()
            }
            ("table! {", "}") => {
                of = "";
                "}".to_string()
            }
            ("", _) => line.to_string(),
            (_, "}") => {
                of = "";
                continue;
            }
            ("table! {", _) => format!("/// {about}\n{head},"),
            ("codes! {", _) => {
                let (real, rest) = head.split_once(' ').expect("a type");
                let (name, value) = rest.split_once(" = ").expect("a value");
                format!("/// {about}\npub const {name}: {real} = {value};")
            }
            ("handle! {", _) if inner.starts_with("struct ") => {
                let (name, _) = inner.split_once(':').expect("the core's type");
                format!("pub {name} {{ _private: [u8; 0] }}")
            }
            _ => function(inner),
        };
        writeln!(out, "{unfolded}").expect("string");
    }
    out
}

/// A line of `abi!` or `numbers!`: functions get their frame, and outputs become pointers behind the arguments.
fn function(line: &str) -> String {
    let start = line.starts_with("fn ");
    let frame = if start { "#[unsafe(no_mangle)]\npub unsafe extern \"C\" " } else { "" };
    if !start && !line.starts_with(')') {
        return line.to_string();
    }
    if let Some((head, _core)) = line.split_once(" = ") {
        return format!("{frame}{head} {{}}");
    }
    let Some(head) = line.strip_suffix(") {") else {
        return format!("{frame}{line}");
    };
    let (head, outputs) = head.split_once(") -> (").unwrap_or((head, ""));
    let outputs: Vec<String> = outputs
        .split(", ")
        .filter_map(|output| output.split_once(": "))
        .map(|(name, of)| format!("{name}: *mut {of}"))
        .collect();
    let comma = if outputs.is_empty() || !start || head.ends_with('(') { "" } else { ", " };
    format!("{frame}{head}{comma}{}) -> i32 {{", outputs.join(", "))
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
    let of = of.rsplit("::").next()?;
    let start = [format!("pub struct {of}<T> {{\n"), format!("pub struct {of} {{\n")];
    let (_, body) = start.iter().find_map(|s| core.split_once(s))?;
    let end = body.lines().position(|line| line.trim() == "}")?;
    let body: Vec<&str> = body.lines().take(end).collect();
    let body = plain(&body.join("\n"), real).replace("f64", real);
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
                let of = of.split_once(" = ").map_or(of, |(of, _)| of);
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
