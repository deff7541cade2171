//! Numbers as people write them: 1,234 and 1 234, $ and %, full-width digits. A column of them is read as numbers if every
//! cell agrees, and that is said.

use super::{Table, is_missing, shown};
use crate::text::real;
use crate::watch::Watch;

const MONEY: [char; 4] = ['$', '\u{20ac}', '\u{a3}', '\u{a5}'];

/// A cell in plain digits, and what was taken off: the sign of a currency or of percent, which all cells of a column share.
fn plain(cell: &str) -> Option<(String, Option<char>)> {
    let narrow = |c: char| match c {
        '\u{ff10}'..='\u{ff19}' => char::from_digit(c as u32 - 0xff10, 10).unwrap_or(c),
        '\u{ff0e}' => '.',
        '\u{ff0c}' => ',',
        '\u{ff0d}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        c => c,
    };
    let text: String = cell.chars().map(narrow).collect();
    let (sign, mut body) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim()),
        None => ("", text.trim()),
    };
    let mut mark = None;
    let money = |c: &char| MONEY.contains(c);
    if let Some(c) = body.chars().next().filter(money) {
        (mark, body) = (Some(c), body[c.len_utf8()..].trim_start());
    } else if let Some(c) = body.chars().last().filter(|c| *c == '%' || money(c)) {
        (mark, body) = (Some(c), body[..body.len() - c.len_utf8()].trim_end());
    }
    let (whole, rest) = body.split_at(body.find(['.', 'e', 'E']).unwrap_or(body.len()));
    let grouped = whole.contains([',', ' ', '\'']);
    let digits = if grouped { ungrouped(whole)? } else { whole.to_string() };
    let plain = format!("{sign}{digits}{rest}");
    real(&plain).map(|_| (plain, mark))
}

/// Digits in groups of three behind the first, between which is one and the same character.
fn ungrouped(whole: &str) -> Option<String> {
    let between = whole.chars().find(|c| !c.is_ascii_digit())?;
    let mut groups = whole.split(between);
    let first = groups.next().filter(|g| (1..=3).contains(&g.len()))?;
    let digits = |g: &str| g.bytes().all(|c| c.is_ascii_digit());
    let mut out = first.to_string();
    for group in groups {
        (group.len() == 3 && digits(group)).then(|| out.push_str(group))?;
    }
    digits(first).then_some(out)
}

impl Table {
    /// Reads columns of such numbers as numbers.
    pub(super) fn take_marks(&mut self, watch: &dyn Watch) {
        for column in 0..self.names.len() {
            if let Some(edits) = self.marked(column) {
                let (k, to) = &edits[0];
                let (path, place, name) = (&self.path, self.place[column], &self.names[column]);
                let from = shown(self.at(*k));
                watch.say(&format!(
                    "{path}: column {place} ({name}): \"{from}\" is read as {to}, and so are all of its cells"
                ));
                self.rewrite(edits);
            }
        }
    }

    /// The cells of a column to be rewritten, if all are numbers and some are not plain ones.
    fn marked(&self, column: usize) -> Option<Vec<(usize, String)>> {
        let mut edits = Vec::new();
        let mut own = None;
        for row in 0..self.rows {
            let cell = self.cell(row, column);
            if is_missing(cell) {
                continue;
            }
            let (text, mark) = match real(cell) {
                Some(_) => (cell.to_string(), None),
                None => plain(cell)?,
            };
            // Percent and plain numbers are of different units.
            if *own.get_or_insert(mark) != mark {
                return None;
            }
            if text != cell {
                edits.push((row * self.names.len() + column, text));
            }
        }
        (!edits.is_empty()).then_some(edits)
    }
}
