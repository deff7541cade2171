//! The ABI as one text, `tests/golden/abi.txt`: what a release declares, for later ones to be compared with.

/// The version, then what `lcc.h` and `lcc/f64.h` declare (`lcc/f32.h` is their twin), a line each and in their order:
/// constants with their values, structs with their members, functions with their arguments.
pub fn abi() -> String {
    let mut out = format!("{}\n", env!("CARGO_PKG_VERSION"));
    for (_, text) in &super::generate()[..2] {
        for line in declarations(text) {
            out += &line;
            out.push('\n');
        }
    }
    out
}

/// The declarations of a header, without comments, and with one space where there were several.
fn declarations(text: &str) -> Vec<String> {
    let mut code = String::new();
    for (i, part) in text.split("/*").enumerate() {
        code += if i == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) };
    }
    let (mut all, mut one) = (Vec::new(), String::new());
    for line in code.lines().map(str::trim) {
        if line.starts_with('#') {
            // A version is no promise, and a guard has no value.
            let words: Vec<_> = line.split_whitespace().collect();
            if words.len() > 2 && words[0] == "#define" && !words[1].starts_with("LCC_VERSION") {
                all.push(words.join(" "));
            }
            continue;
        }
        one.push(' ');
        one += line;
        let depth = one.matches('{').count() as i32 - one.matches('}').count() as i32;
        if line.ends_with(';') && depth == 0 {
            // A code that comes to an enumeration is one more line.
            let codes = one.trim().strip_prefix("enum ").and_then(|list| list.split_once('{'));
            let parts = codes.map_or(vec![&one[..]], |(_, list)| list.split([',', '}']).collect());
            let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
            all.extend(parts.into_iter().map(words).filter(|part| part.len() > 1));
            one.clear();
        }
        // `extern "C" {` and its end.
        if line == "extern \"C\" {" || line == "}" {
            one.clear();
        }
    }
    all
}

/// Up to its first number that is not 0, a version says what it is compatible with.
fn promise(version: &str) -> Vec<&str> {
    let parts: Vec<_> = version.split('.').collect();
    let zeros = parts.iter().take_while(|p| **p == "0").count();
    parts[..=zeros.min(parts.len() - 1)].to_vec()
}

/// What the ABI `now` lacks of the one of a release, `then`, though its version says that it is compatible: a sentence and
/// the lines. More declarations are none.
pub fn broken(then: &str, now: &str) -> Option<String> {
    let (before, after) = (then.lines().next()?, now.lines().next()?);
    let lines: std::collections::BTreeSet<_> = now.lines().collect();
    let gone: Vec<_> = then.lines().skip(1).filter(|line| !lines.contains(line)).collect();
    if gone.is_empty() || promise(before) != promise(after) {
        return None;
    }
    let number = if promise(before).len() == 1 { "major" } else { "minor" };
    Some(format!(
        "{after} promises the ABI of {before}, but these declarations are gone or changed: bump the {number} version in \
         Cargo.toml and LCC_ABI_VERSION, or restore\n{}",
        gone.join("\n")
    ))
}
