//! A file of cells, read and checked.

use super::decode::decode;
use super::lines::{delimiter_of, foreign_delimiter, guess_delimiter, next_cell, next_line};
use super::{Table, shown};
use crate::fault::Fault;
use crate::text::{plural, real, unsigned};
use crate::watch::Watch;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};

/// What a file's looks do not decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// comma, semicolon or tab, by name or itself; else the one that the first two lines suit.
    pub delimiter: Option<&'a str>,
    /// Names by commas of columns that are left out.
    pub drop: Option<&'a str>,
    /// Names by commas of the columns that stay.
    pub only: Option<&'a str>,
    /// Names by commas of columns that identify rows: their text is kept aside, and they are no columns of the table
    pub id: Option<&'a str>,
    /// unless they, or those that neither stay, are among these.
    pub beside: &'a [&'a str],
    /// A column to drop may not be there.
    pub absent: bool,
}

/// The reason of an error of the system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or("").to_string()
}

/// The bytes of a file, or of standard input for "-".
pub fn read_bytes(path: &str) -> Result<Vec<u8>, Fault> {
    let failed = |what: &str, why: String| Fault::failed(format!("{path}: {what}: {why}"));
    let mut bytes = Vec::new();
    if path == "-" {
        let got = io::stdin().lock().read_to_end(&mut bytes);
        return got.map(|_| bytes).map_err(|e| failed("reading failed", reason(&e)));
    }
    let mut file = File::open(path).map_err(|e| failed("cannot be read", reason(&e)))?;
    let whole = file.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
    file.read_to_end(&mut bytes).map_err(|e| failed("reading failed", reason(&e)))?;
    if (bytes.len() as u64) < whole {
        return Err(failed("reading failed", "it became shorter meanwhile".into()));
    }
    Ok(bytes)
}

/// A file by its name, or standard input for "-".
pub fn read(path: &str, how: &Reading<'_>, watch: &dyn Watch) -> Result<Table, Fault> {
    let bytes = read_bytes(path)?;
    parse(name_of(path), &bytes, how, watch)
}

/// What messages call it.
pub(crate) fn name_of(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

/// A file from memory; `path` only names the source.
pub fn parse(
    path: &str,
    bytes: &[u8],
    how: &Reading<'_>,
    watch: &dyn Watch,
) -> Result<Table, Fault> {
    parse_after(path, bytes, how, &Table::default(), true, watch)
}

/// Refuses a file of more bytes than a table has.
pub fn check_size(path: &str, bytes: u64) -> Result<(), Fault> {
    // Cells are found by 32 bits, twice over: those that are rewritten lie behind the others.
    if bytes > 1 << 31 {
        return Err(Fault::failed(format!("{path}: too large: 2 GB at most are read at once")));
    }
    Ok(())
}

/// The same of rows that come after those of `like`, whose delimiter and decimals hold; without rows the names alone.
pub(super) fn parse_after(
    path: &str,
    bytes: &[u8],
    how: &Reading<'_>,
    like: &Table,
    rows: bool,
    watch: &dyn Watch,
) -> Result<Table, Fault> {
    let mut text = decode(path, bytes, !rows || like.before > 0, watch)?;
    if !text.contains('\n') {
        // The lines of old spreadsheets.
        text = Cow::Owned(text.replace('\r', "\n"));
    }
    check_size(path, text.len() as u64)?;
    let mut table = Table {
        path: path.into(),
        before: like.before,
        between: like.between,
        decimal: like.decimal,
        ..Table::default()
    };
    let mut rest = Some(without_blank_end(&text));
    let mut named = 0;
    let header = header_line(&mut table, &mut rest, &mut named);
    let header = header.ok_or_else(|| Fault::failed(format!("{path}: the file is empty")))?;
    if let Some(name) = how.delimiter {
        let usage = || format!("--delimiter takes comma, semicolon or tab, not \"{name}\"");
        named = delimiter_of(name).ok_or_else(|| Fault::usage(usage()))?;
    }
    let guessed = table.between == 0 && named == 0;
    if table.between == 0 {
        table.between = if guessed { guess_delimiter(header, rest) } else { named };
    }
    table.take_header(header)?;
    if !rows {
        return Ok(table);
    }
    if rest.is_none() {
        return Err(Fault::failed(format!("{path}: no rows below the header")));
    }
    table.text.reserve(text.len());
    while let Some(line) = next_line(&mut rest) {
        table.take_row(line)?;
    }
    if guessed && table.names.len() == 1 {
        let seems = foreign_delimiter(header);
        if let Some(foreign) = seems.filter(|_| foreign_delimiter(table.cell(0, 0)) == seems) {
            let what = "cells seem to be separated by";
            let mend = "write the file with commas, semicolons or tabs";
            return Err(Fault::failed(format!("{path}: {what} {foreign}: {mend}")));
        }
    }
    table.take_unnamed(watch)?;
    table.choose(how)?;
    table.take_decimals(guessed, watch)?;
    if like.before == 0 {
        table.take_marks(watch);
    } else {
        table.take_marks(&crate::watch::Silent);
    }
    Ok(table)
}

/// What a row without a value is made of: spreadsheets write such rows below a table.
pub(super) fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\r' | b'\n' | b',' | b';')
}

/// Without blank lines at the end, of which there may be any number; an empty last cell stays.
fn without_blank_end(text: &str) -> &str {
    let kept = text.trim_end_matches(|c: char| c.is_ascii() && is_blank(c as u8)).len();
    match text[kept..].find('\n') {
        _ if kept == 0 => "",
        Some(end) => &text[..kept + end],
        None => text,
    }
}

/// The header, which may come after a line that names the delimiter, as spreadsheets write.
fn header_line<'a>(
    table: &mut Table,
    rest: &mut Option<&'a str>,
    named: &mut u8,
) -> Option<&'a str> {
    let line = next_line(rest)?;
    table.header = 1;
    match line.strip_prefix("sep=").map(str::as_bytes) {
        Some([own]) => {
            *named = *own;
            table.header = 2;
            next_line(rest)
        }
        _ => Some(line),
    }
}

/// Said of a header that looks like a title.
const ABOVE: &str = " (a title or comment above the row of names has to go)";

impl Table {
    fn take_header(&mut self, line: &str) -> Result<(), Fault> {
        let (mut rest, mut seen) = (Some(line), HashMap::new());
        while rest.is_some() {
            let (place, mut name) = (self.names.len() + 1, String::new());
            let refuse = |what: String| Fault::failed(format!("{}: header row{what}", self.path));
            next_cell(&mut rest, self.between, &mut name)
                .ok_or_else(|| refuse(format!(", column {place}: the quotes do not match")))?;
            name = name.trim().to_string();
            let first = if name.is_empty() { None } else { seen.insert(name.clone(), place) };
            if let Some(first) = first {
                return Err(refuse(format!(
                    ": columns {first} and {place} are both called \"{}\": rename one of them",
                    shown(&name)
                )));
            }
            self.names.push(name);
            self.place.push(place);
        }
        Ok(())
    }

    /// Takes out columns without a name that hold nothing, or number the rows, as spreadsheets and data frames write them.
    fn take_unnamed(&mut self, watch: &dyn Watch) -> Result<(), Fault> {
        let unnamed = |k: &usize| self.names[*k].is_empty();
        if !(0..self.names.len()).any(|k| unnamed(&k)) {
            return Ok(());
        }
        if (1..self.names.len()).all(|k| unnamed(&k)) && self.names.len() > 2 {
            return Err(Fault::failed(format!("{}: header row{ABOVE}", self.path)));
        }
        for k in (0..self.names.len()).filter(unnamed) {
            let cells = || (0..self.rows).map(|row| self.cell(row, k));
            let steps = cells().map(real).zip(cells().skip(1).map(real));
            let numbers = k == 0
                && cells().all(|cell| unsigned(cell).is_some())
                && steps.into_iter().all(|(a, b)| a.zip(b).is_some_and(|(a, b)| b == a + 1.0));
            if !numbers && !cells().all(str::is_empty) {
                let what = "has no name: give it one";
                let place = self.place[k];
                return Err(Fault::failed(format!(
                    "{}: header row, column {place} {what}",
                    self.path
                )));
            }
            if self.before == 0 {
                let what = if numbers { "numbers the rows" } else { "is empty" };
                let place = self.place[k];
                watch.say(&format!(
                    "{}: column {place} has no name and {what}, left out",
                    self.path
                ));
            }
        }
        self.keep(&(0..self.names.len()).filter(|k| !unnamed(k)).collect::<Vec<_>>());
        Ok(())
    }

    fn take_row(&mut self, line: &str) -> Result<(), Fault> {
        let columns = self.names.len();
        let number = self.before + self.rows + 1;
        let at = format_args!("{}: row {number} (line {})", self.path, number + self.header);
        let blank = line.bytes().all(|c| b" \t\r".contains(&c));
        let mut rest = Some(line);
        let mut found = 0;
        while rest.is_some() {
            let start = self.text.len();
            if next_cell(&mut rest, self.between, &mut self.text).is_none() {
                let place = found + 1;
                let what = "the quotes do not match (a cell may not hold a line break)";
                return Err(Fault::failed(format!("{at}, column {place}: {what}")));
            }
            if found < columns {
                self.cells.push((start as u32, self.text.len() as u32));
            }
            found += 1;
        }
        if found != columns {
            let decimals = self.between == b',' && found == 2 * columns;
            let found = if blank { 0 } else { found };
            let decimal = " (beside decimal commas cells are separated by semicolons or tabs)";
            let hint = match () {
                () if decimals => decimal,
                () if number == 1 && found > columns => ABOVE,
                () => "",
            };
            return Err(Fault::failed(format!(
                "{at} has {found} cell{}, the header has {columns}{hint}",
                plural(found)
            )));
        }
        let own = self.rows * columns;
        if columns > 1 && (0..columns).all(|k| self.at(own + k) == self.names[k]) {
            return Err(Fault::failed(format!("{at} repeats the header: leave it out")));
        }
        self.rows += 1;
        Ok(())
    }
}
