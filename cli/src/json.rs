//! Writes one JSON object, its members in the order in which they come and its numbers with as many digits as bring them
//! back exactly.

use lcc_model::text::general;

/// An object that is being written.
pub(crate) struct Json {
    text: String,
    /// Significant digits of numbers.
    pub(crate) digits: usize,
    depth: usize,
    first: bool,
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

impl Json {
    /// Opens the outermost object.
    pub(crate) fn new(digits: usize) -> Self {
        Self { text: "{".into(), digits, depth: 1, first: true }
    }

    /// Closes it: the whole text.
    pub(crate) fn end(mut self) -> Vec<u8> {
        self.close('}');
        self.text.push('\n');
        self.text.into_bytes()
    }

    fn line(&mut self) {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        self.text.push('\n');
        self.text += &"  ".repeat(self.depth);
    }

    fn key(&mut self, key: &str) {
        self.line();
        self.text += &format!("{}: ", quoted(key));
    }

    fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.depth += 1;
        self.first = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if !self.first {
            self.text.push('\n');
            self.text += &"  ".repeat(self.depth);
        }
        self.first = false;
        self.text.push(bracket);
    }

    /// An object inside.
    pub(crate) fn object(&mut self, key: &str, members: impl FnOnce(&mut Self)) {
        self.key(key);
        self.open('{');
        members(self);
        self.close('}');
    }

    /// A list of objects, each by a call of [`item`](Self::item).
    pub(crate) fn list(&mut self, key: &str, items: impl FnOnce(&mut Self)) {
        self.key(key);
        self.open('[');
        items(self);
        self.close(']');
    }

    /// One object of a list.
    pub(crate) fn item(&mut self, members: impl FnOnce(&mut Self)) {
        self.line();
        self.open('{');
        members(self);
        self.close('}');
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.text += &quoted(value);
    }

    pub(crate) fn count(&mut self, key: &str, value: u64) {
        self.key(key);
        self.text += &value.to_string();
    }

    pub(crate) fn size(&mut self, key: &str, value: usize) {
        self.count(key, value as u64);
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.key(key);
        self.text += "null";
    }

    /// A number that is not finite becomes null.
    pub(crate) fn number(&mut self, key: &str, value: f64) {
        self.key(key);
        self.text += &self.shown(value);
    }

    /// A list of numbers.
    pub(crate) fn numbers(&mut self, key: &str, values: &[f64]) {
        self.key(key);
        let all: Vec<String> = values.iter().map(|v| self.shown(*v)).collect();
        self.text += &format!("[{}]", all.join(", "));
    }

    fn shown(&self, value: f64) -> String {
        if value.is_finite() { general(value, self.digits) } else { "null".into() }
    }

    /// With other digits.
    pub(crate) fn with_digits(&mut self, digits: usize, members: impl FnOnce(&mut Self)) {
        let own = std::mem::replace(&mut self.digits, digits);
        members(self);
        self.digits = own;
    }
}
