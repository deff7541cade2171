//! Numbers as people write them: 1,234, 1 234 and 1.234.567, $ and %, (5) and 5- for -5, '5', full-width digits, and - where none is. A
//! column of them is read as numbers if every cell agrees, and that is said.

use super::cell::may_be_missing;
use super::tidy::exchanged;
use super::{Table, is_missing, is_numeric, shown};
use crate::text::real;
use crate::watch::Watch;
use std::collections::BTreeSet;

/// Quotes that are none of CSV.
const QUOTES: [(&str, &str); 3] = [("'", "'"), ("\u{201c}", "\u{201d}"), ("=\"", "\"")];
const MONEY: [char; 4] = ['$', '\u{20ac}', '\u{a3}', '\u{a5}'];

/// A cell in plain digits, and what was taken off: the sign of a currency or of percent, which all cells of a column share.
pub(super) fn plain(cell: &str) -> Option<(String, Option<char>)> {
    let narrow = |c: char| match c {
        '\u{ff10}'..='\u{ff19}' => char::from_digit(c as u32 - 0xff10, 10).unwrap_or(c),
        '\u{ff0e}' => '.',
        '\u{ff0c}' => ',',
        '\u{ff0d}' | '\u{2212}' => '-',
        '\u{2019}' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        c => c,
    };
    let text: String = cell.chars().map(narrow).collect();
    let mut body = text.trim();
    let inside = |(open, close): &(&str, &str)| cell.strip_prefix(open)?.strip_suffix(close);
    if let Some(own) = QUOTES.iter().find_map(inside) {
        body = own.trim();
    }
    let mut minus = false;
    let mut take_sign = |body: &mut &str| {
        if let Some(rest) = body.strip_prefix('-').filter(|_| !minus) {
            (minus, *body) = (true, rest.trim());
        }
    };
    take_sign(&mut body);
    // What is owed, as accountants write it.
    if let Some(inside) = body.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let (own, mark) = plain(inside).filter(|(own, _)| !own.starts_with('-') && !minus)?;
        return Some((format!("-{own}"), mark));
    }
    let mut mark = None;
    let money = |c: &char| MONEY.contains(c);
    if let Some(c) = body.chars().next().filter(money) {
        (mark, body) = (Some(c), body[c.len_utf8()..].trim_start());
    } else if let Some(c) = body.chars().last().filter(|c| *c == '%' || money(c)) {
        (mark, body) = (Some(c), body[..body.len() - c.len_utf8()].trim_end());
    }
    take_sign(&mut body);
    if let Some(rest) = body.strip_suffix('-').filter(|_| !minus) {
        (minus, body) = (true, rest.trim());
    }
    let sign = if minus { "-" } else { "" };
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
    let first = groups.next().filter(|g| (1..=3).contains(&g.len()) && !g.starts_with('0'))?;
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
            let Some(edits) = self.marked(column) else { continue };
            let (path, place, name) = (&self.path, self.place[column], &self.names[column]);
            if let Some((k, to)) = edits.iter().find(|own| !own.1.is_empty()) {
                let from = shown(self.at(*k));
                watch.say(&format!(
                    "{path}: column {place} ({name}): \"{from}\" is read as {to}, and so are all of its cells"
                ));
            }
            let gaps = edits.iter().filter(|own| own.1.is_empty());
            let gaps: BTreeSet<_> = gaps.map(|(k, _)| format!("\"{}\"", self.at(*k))).collect();
            if !gaps.is_empty() {
                let one = gaps.len() == 1;
                let are =
                    if one { "is read as a missing value" } else { "are read as missing values" };
                let all = Vec::from_iter(gaps).join(", ");
                watch.say(&format!("{path}: column {place} ({name}): {all} among numbers {are}"));
            }
            self.rewrite(edits);
        }
    }

    /// The cells of a column to be rewritten, if all are numbers and some are not plain ones.
    fn marked(&self, column: usize) -> Option<Vec<(usize, String)>> {
        let mut edits = Vec::new();
        let (mut own, mut numbers) = (None, false);
        // Two points are none of decimals, and so is no other of the column.
        let two = |cell: &str| cell.matches('.').count() > 1 && exchanged(cell).is_some();
        let grouped = (0..self.rows).any(|row| two(self.cell(row, column)));
        for row in 0..self.rows {
            let cell = self.cell(row, column);
            if is_missing(cell) {
                continue;
            }
            if may_be_missing(cell) {
                edits.push((row * self.names.len() + column, String::new()));
                continue;
            }
            let (text, mark) = match real(cell) {
                _ if grouped && cell.contains('.') => plain(&exchanged(cell)?)?,
                Some(_) => (cell.to_string(), None),
                None if is_numeric(cell) => continue,
                None => plain(cell)?,
            };
            numbers = true;
            // Percent and plain numbers are of different units.
            if *own.get_or_insert(mark) != mark {
                return None;
            }
            if text != cell {
                edits.push((row * self.names.len() + column, text));
            }
        }
        (numbers && !edits.is_empty()).then_some(edits)
    }
}
