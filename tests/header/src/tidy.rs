//! cbindgen's text in fewer lines: a comment that fits on its line is one, a prototype fills its lines.

use std::fmt::Write;

/// The columns of a line.
const WIDTH: usize = 110;

/// A comment and the line that it is about.
struct Item {
    indent: usize,
    comment: Vec<String>,
    line: String,
}

fn items(text: &str) -> Vec<Item> {
    let mut lines = text.lines();
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let mut item = Item { indent, comment: Vec::new(), line: line.trim().to_string() };
        if item.line == "/**" {
            let inner = lines.by_ref().map(str::trim).take_while(|line| *line != "*/");
            let inner = inner.map(|line| line.strip_prefix("* ").unwrap_or(&line[1..]).to_string());
            item.comment = inner.collect();
            item.line = lines.next().expect("a comment is about something").trim().to_string();
        }
        out.push(item);
    }
    out
}

/// Words on lines of at most `width` columns, the later ones behind `indent`.
fn fill(start: &str, indent: &str, words: &[&str], width: usize) -> String {
    let mut out = String::new();
    let mut line = start.to_string();
    for (k, word) in words.iter().enumerate() {
        if k > 0 && line.len() + 1 + word.len() > width {
            writeln!(out, "{}", line.trim_end()).expect("string");
            line = indent.to_string();
        } else if k > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    out + &line
}

/// A prototype, or a member or value as it is.
fn declaration(item: &Item, width: usize) -> String {
    let pad = " ".repeat(item.indent);
    let open = item.line.find('(').filter(|_| item.line.ends_with(");") && item.indent == 0);
    match open.map(|at| item.line.split_at(at + 1)) {
        Some((head, arguments)) if !head.starts_with("typedef") => {
            let arguments: Vec<&str> = arguments.split_inclusive(", ").map(str::trim).collect();
            fill(head, &" ".repeat(head.len()), &arguments, width)
        }
        _ => format!("{pad}{}", item.line),
    }
}

/// A section of a header.
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::new();
    let items = items(text);
    for (k, item) in items.iter().enumerate() {
        let pad = " ".repeat(item.indent);
        // Between the values of one list no line is left empty.
        let list = |other: Option<&Item>| other.is_some_and(|i| i.line.starts_with("#define"));
        if item.line.is_empty()
            && list(items.get(k + 1))
            && list(k.checked_sub(1).map(|k| &items[k]))
        {
            continue;
        }
        let line = declaration(item, WIDTH);
        let member = item.indent > 0 || item.line.starts_with("#define");
        match &item.comment[..] {
            [] => {}
            _ if member => {
                let words: Vec<&str> = item.comment.iter().flat_map(|l| l.split(' ')).collect();
                let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
                let one = format!("{line} /**< {} */", words.join(" "));
                if one.len() <= WIDTH {
                    writeln!(out, "{one}").expect("string");
                    continue;
                }
                let text = fill(&format!("{pad}/** "), &format!("{pad} *  "), &words, WIDTH - 3);
                writeln!(out, "{text} */").expect("string");
            }
            lines => {
                let text = lines.join("\n *  ").replace("\n *  \n", "\n *\n");
                writeln!(out, "{pad}/** {text} */").expect("string");
            }
        }
        writeln!(out, "{line}").expect("string");
    }
    out
}

/// A section without its prose, in single precision.
pub(crate) fn single(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some((code, comment)) = rest.split_once("/*") {
        bare.push_str(code);
        rest = comment.split_once("*/").expect("a comment ends").1;
    }
    bare.push_str(rest);
    let mut out = String::new();
    let mut open = String::new();
    for line in bare.replace("f64", "f32").replace("double", "float").lines().map(str::trim) {
        // A declaration to its end on one line; the members of a struct on as few as they fill.
        match open.is_empty() {
            false => open.push(' '),
            true if line.is_empty() => continue,
            true => {}
        }
        open.push_str(line);
        let inside = open.contains('{') && !open.contains('}');
        if line.starts_with('#') || (line.ends_with(';') && !inside) {
            let words: Vec<&str> = match open.contains('{') {
                true => open.split_inclusive([';', '{']).map(str::trim).collect(),
                false => vec![&open],
            };
            writeln!(out, "{}", fill("", "    ", &words, WIDTH)).expect("string");
            open.clear();
        }
    }
    out
}
