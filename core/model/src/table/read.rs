//! A file of cells, read and checked.

use super::decode::decode;
use super::lines::{
    DELIMITERS, End, Head, blank_line, delimiter_of, foreign_delimiter, is_empty, next_cell, row,
};
use super::{Table, shown};
use crate::fault::Fault;
use crate::text::{plural, unsigned};
use crate::watch::Watch;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};

/// What a file's looks do not decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// comma, semicolon, tab or bar, by name or itself; else the one that the first two lines suit.
    pub delimiter: Option<&'a str>,
    /// Names by commas of columns that are left out.
    pub drop: Option<&'a str>,
    /// Names by commas of the columns that stay.
    pub only: Option<&'a str>,
    /// Names by commas of columns that identify rows: their text is kept aside, and they are no columns of the table
    pub id: Option<&'a str>,
    /// Names by commas of columns whose cells are the same for all rows of a group: they are no columns of the table
    pub group: Option<&'a str>,
    /// unless they, or those that neither stay, are among these.
    pub beside: &'a [&'a str],
    /// A column to drop, or of groups, may not be there.
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
    let text = decode(path, bytes, !rows || like.before > 0, watch)?;
    check_size(path, text.len() as u64)?;
    let lines = like.extra.last().map(|(_, more)| (0, *more));
    let mut table = Table {
        path: path.into(),
        before: like.before,
        decimal: like.decimal,
        extra: lines.into_iter().collect(),
        ..Table::default()
    };
    let text = without_empty_end(&text);
    if text.is_empty() {
        return Err(Fault::failed(format!("{path}: the file is empty")));
    }
    let named = named(how)?;
    let head = if like.between > 0 {
        let (between, known) = (Some(like.between), Head { line: like.header, ..Head::default() });
        known.under(text.as_bytes(), 0, between)
    } else {
        Head::of(text.as_bytes(), named, true)
    };
    let head = head.unwrap_or_default();
    (table.between, table.header) = (head.between, head.line);
    let (names, mut rest) = (&text[head.start..head.rows], &text[head.rows..]);
    table.take_header(names)?;
    if !rows {
        return Ok(table);
    }
    if rest.is_empty() {
        return Err(Fault::failed(format!("{path}: no rows below the header")));
    }
    table.text.reserve(text.len());
    table.take_rows(names, &mut rest, head.above, watch)?;
    if head.guessed && table.names.len() == 1 {
        table.check_delimiter(names)?;
    }
    table.take_unnamed(watch)?;
    table.choose(how)?;
    table.take_copies(watch)?;
    table.take_decimals(head.guessed, watch)?;
    if like.before == 0 {
        table.take_marks(watch);
    } else {
        table.take_marks(&crate::watch::Silent);
    }
    Ok(table)
}

/// The delimiter that an option names.
pub(super) fn named(how: &Reading<'_>) -> Result<Option<u8>, Fault> {
    let Some(name) = how.delimiter else { return Ok(None) };
    let usage = || format!("--delimiter takes comma, semicolon, tab or bar, not \"{name}\"");
    delimiter_of(name).map(Some).ok_or_else(|| Fault::usage(usage()))
}

/// Without empty rows at the end, of which there may be any number; an empty last cell stays.
fn without_empty_end(text: &str) -> &str {
    let kept = text.trim_end_matches(|c: char| c.is_ascii() && is_empty(c as u8)).len();
    match text[kept..].find(['\n', '\r']) {
        _ if kept == 0 => "",
        Some(end) => &text[..kept + end],
        None => text,
    }
}

/// Said of quotes.
const QUOTES: &str = "the quotes do not match (a quote inside of quotes is written twice)";

/// Said of a header that looks like a title.
const ABOVE: &str = " (a title or comment above the row of names has to go)";

/// Rows that are refused together.
const FEW: usize = 3;

impl Table {
    fn take_header(&mut self, line: &str) -> Result<(), Fault> {
        let (mut rest, mut end) = (line, End::Cell);
        while end == End::Cell {
            let (place, mut name) = (self.names.len() + 1, String::new());
            end = next_cell(&mut rest, self.between, &mut name).ok_or_else(|| {
                let path = &self.path;
                Fault::failed(format!("{path}: header row, column {place}: {QUOTES}"))
            })?;
            self.names.push(name.trim().replace("\r\n", " ").replace(['\n', '\r'], " "));
            self.place.push(place);
        }
        Ok(())
    }

    /// That one column is what the file has.
    fn check_delimiter(&self, names: &str) -> Result<(), Fault> {
        let refuse = |what: &str| Err(Fault::failed(format!("{}: {what}", self.path)));
        if self.names[0].bytes().filter(|c| is_empty(*c) && *c != b' ').count() > 0 {
            return refuse("whole lines stand in quotes: take the outer quotes off");
        }
        match foreign_delimiter(names) {
            Some(own) if foreign_delimiter(self.cell(0, 0)) == Some(own) => refuse(&format!(
                "cells seem to be separated by {own}: write the file with commas, semicolons, tabs or bars (|)"
            )),
            _ => Ok(()),
        }
    }

    /// Takes the second of columns of one name out, if it is a copy of the first.
    fn take_copies(&mut self, watch: &dyn Watch) -> Result<(), Fault> {
        let (mut wrong, mut kept) = (Vec::new(), Vec::new());
        for k in 0..self.names.len() {
            let name = &self.names[k];
            let first = kept.iter().copied().find(|own| self.names[*own] == *name);
            let Some(first) = first else {
                kept.push(k);
                continue;
            };
            let (path, places) = (&self.path, (self.place[first], self.place[k]));
            let both = format!("{path}: columns {} and {} are both called", places.0, places.1);
            let name = shown(name);
            if (0..self.rows).all(|row| self.cell(row, k) == self.cell(row, first)) {
                if self.before == 0 {
                    watch.say(&format!("{both} \"{name}\" and hold the same, one left out"));
                }
            } else {
                wrong.push(Fault::failed(format!(
                    "{both} \"{name}\": rename one of them (--drop \"{name}\" leaves both out)"
                )));
            }
        }
        Fault::all(wrong)?;
        if kept.len() < self.names.len() {
            self.keep(&kept);
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
            // An index of rows, of which some may have been left out or moved.
            let mut seen = HashSet::new();
            let numbers =
                k == 0 && cells().all(|cell| unsigned(cell).is_some_and(|own| seen.insert(own)));
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

    /// The rows; what is none is left out, and said.
    fn take_rows(
        &mut self,
        names: &str,
        rest: &mut &str,
        above: usize,
        watch: &dyn Watch,
    ) -> Result<(), Fault> {
        let breaks = |from: &str, to: &str| {
            let own = from[..from.len() - to.len()].trim_end_matches(['\r', '\n']);
            1 + own.bytes().filter(|c| *c == b'\n').count()
        };
        let mut line = self.header + breaks(names, "");
        let more = self.extra.last().map_or(0, |(_, more)| *more);
        line += self.before + more;
        let (mut none, mut broken) = ((above, 1), (0, String::new()));
        let (mut wrong, mut more_wrong) = (Vec::new(), 0);
        while !rest.is_empty() {
            let begin = *rest;
            self.extra_lines(line - (self.header + self.before + self.rows + 1));
            let blank = blank_line(rest.as_bytes(), self.between).filter(|_| self.names.len() > 1);
            let row = match blank {
                Some(bytes) => {
                    *rest = &rest[bytes..];
                    Ok(false)
                }
                None => self.take_row(rest),
            };
            let inside = breaks(begin, rest);
            match row {
                Ok(true) if inside > 1 => {
                    let at = if broken.0 == 0 { self.at_row(self.rows - 1) } else { broken.1 };
                    broken = (broken.0 + 1, at);
                }
                Ok(true) => {}
                Ok(false) => {
                    none = (none.0 + 1, if none.0 == 0 { line } else { none.1 });
                }
                Err((fault, end)) => {
                    if wrong.len() < FEW {
                        wrong.push(fault)
                    } else {
                        more_wrong += 1
                    }
                    self.rows += 1;
                    self.cells.resize(self.rows * self.names.len(), (0, 0));
                    if end {
                        break;
                    }
                }
            }
            line += inside;
        }
        if wrong.len() + more_wrong + 1 >= self.rows && wrong.len() > 1 {
            more_wrong += wrong.len() - 1;
            wrong.truncate(1);
        }
        if more_wrong > 0 {
            let (path, s) = (&self.path, plural(more_wrong));
            wrong.push(Fault::failed(format!("{path}: {more_wrong} more row{s} like these")));
        }
        Fault::all(wrong)?;
        self.extra_lines(line - (self.header + self.before + self.rows + 1));
        if self.rows + self.before == 0 {
            return Err(Fault::failed(format!("{}: no rows below the header", self.path)));
        }
        let path = &self.path;
        if none.0 > 0 {
            let what = "no row (blank, a comment or the header again), left out";
            let more = match none.0 - 1 {
                0 => String::new(),
                more => format!(", and so {} {more} more", if more == 1 { "is" } else { "are" }),
            };
            watch.say(&format!("{path}: line {} is {what}{more}", none.1));
        }
        if broken.0 > 0 {
            let more = match broken.0 - 1 {
                0 => String::new(),
                more => format!(", and so {} {more} more", if more == 1 { "has" } else { "have" }),
            };
            watch.say(&format!("{} has a line break in a cell{more}", broken.1));
        }
        Ok(())
    }

    /// That there are so many lines more than rows from here on.
    fn extra_lines(&mut self, more: usize) {
        if self.extra.last().map_or(0, |(_, own)| *own) != more {
            self.extra.push((self.rows, more));
        }
    }

    /// "FILE: row R (line L)" of a row from 0.
    pub(crate) fn at_row(&self, row: usize) -> String {
        let last = self.extra.partition_point(|(first, _)| *first <= row);
        let more = last.checked_sub(1).map_or(0, |k| self.extra[k].1);
        let number = self.before + row + 1;
        format!("{}: row {number} (line {})", self.path, number + self.header + more)
    }

    /// Cuts a row off. Whether it is one: the names again and a comment are none. Else what is wrong, and whether nothing
    /// can be read behind it.
    fn take_row(&mut self, rest: &mut &str) -> Result<bool, (Fault, bool)> {
        let (columns, begin, mut end) = (self.names.len(), *rest, End::Cell);
        let (mut found, mut filled) = (0, 0);
        while end == End::Cell {
            let start = self.text.len();
            let Some(next) = next_cell(rest, self.between, &mut self.text) else {
                let at = self.at_row(self.rows);
                let place = found + 1;
                return Err((Fault::failed(format!("{at}, column {place}: {QUOTES}")), true));
            };
            (end, found) = (next, found + 1);
            filled = if self.text.len() > start { found } else { filled };
            if found <= columns {
                self.cells.push((start as u32, self.text.len() as u32));
            }
        }
        // Behind the last cell some programs write delimiters, in all lines or some.
        let named = self.names.iter().rposition(|name| !name.is_empty()).map_or(0, |k| k + 1);
        if found < named || filled > columns {
            if begin.starts_with('#') {
                self.cells.truncate(self.rows * columns);
                return Ok(false);
            }
            let (decimals, first) = (self.between == b',' && found == 2 * columns, self.rows == 0);
            let hint = match () {
                () if decimals => {
                    " (beside decimal commas cells are separated by semicolons or tabs)"
                }
                () if first && self.before == 0 && found == columns + 1 => {
                    ": is the name of the first column missing in the header?"
                }
                () if found > columns && (first && self.before == 0 || columns == 1) => ABOVE,
                () if DELIMITERS.into_iter().any(|own| row(begin.as_bytes(), own).0 == columns) => {
                    ": names and cells must be separated by the same"
                }
                () if found > columns => ": quote cells that hold what separates cells",
                () => ": complete the row or leave it out",
            };
            let at = self.at_row(self.rows);
            return Err((
                Fault::failed(format!(
                    "{at} has {found} cell{}, the header has {columns}{hint}",
                    plural(found)
                )),
                false,
            ));
        }
        let own = self.rows * columns;
        self.cells.resize(own + columns, (0, 0));
        if columns > 1 && (0..columns).all(|k| self.at(own + k) == self.names[k]) {
            self.cells.truncate(own);
            return Ok(false);
        }
        self.rows += 1;
        Ok(true)
    }
}
