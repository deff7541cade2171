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

/// What a member may be.
pub(crate) trait Value {
    /// Its text, numbers with so many digits.
    fn shown(&self, digits: usize) -> String;
}

macro_rules! values {
    ($($kind:ty: $own:ident, $digits:ident => $shown:expr;)+) => {
        $(impl Value for $kind {
            fn shown(&self, $digits: usize) -> String {
                let $own = self;
                $shown
            }
        })+
    };
}

values! {
    u32: own, _digits => own.to_string();
    u64: own, _digits => own.to_string();
    usize: own, _digits => own.to_string();
    bool: own, _digits => u8::from(*own).to_string();
    str: own, _digits => quoted(own);
    String: own, _digits => quoted(own);
    Vec<f64>: own, digits => own[..].shown(digits);
    [f64]: own, digits => {
        let all: Vec<String> = own.iter().map(|v| v.shown(digits)).collect();
        format!("[{}]", all.join(", "))
    };
    // What is not finite is null.
    f64: own, digits => if own.is_finite() { general(*own, digits) } else { "null".into() };
}

impl<V: Value + ?Sized> Value for &V {
    fn shown(&self, digits: usize) -> String {
        (*self).shown(digits)
    }
}

/// Members called as the fields that they are.
macro_rules! members {
    ($json:ident, $own:expr => $($field:ident)+) => {{
        $($json.put(stringify!($field), &$own.$field);)+
    }};
}
pub(crate) use members;

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

    /// A list of objects, one for each of these.
    pub(crate) fn list<I>(
        &mut self,
        key: &str,
        all: impl IntoIterator<Item = I>,
        mut members: impl FnMut(&mut Self, I),
    ) {
        self.key(key);
        self.open('[');
        for own in all {
            self.line();
            self.open('{');
            members(self, own);
            self.close('}');
        }
        self.close(']');
    }

    /// A member that is no object.
    pub(crate) fn put(&mut self, key: &str, value: impl Value) {
        self.key(key);
        self.text += &value.shown(self.digits);
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.put(key, f64::NAN);
    }

    /// With other digits.
    pub(crate) fn with_digits(&mut self, digits: usize, members: impl FnOnce(&mut Self)) {
        let own = std::mem::replace(&mut self.digits, digits);
        members(self);
        self.digits = own;
    }
}
