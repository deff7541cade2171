//! A file of any length, of which there is a block of rows at a time.

use super::decode::is_utf16;
use super::read::{is_blank, name_of, parse_after, reason};
use super::{Reading, Table};
use crate::fault::Fault;
use crate::watch::{Silent, Watch};
use std::fs::File;
use std::io::{self, Read};

/// The header, and what is read but not yet given.
pub struct Blocks {
    source: Box<dyn Read>,
    /// What messages call it.
    pub path: String,
    text: Vec<u8>,
    header: usize,
    /// Of a file whose length is known, what is yet to come.
    left: u64,
    ended: bool,
    last: Table,
}

impl Blocks {
    /// Of a file, or of standard input for "-".
    pub fn open(path: &str) -> Result<Self, Fault> {
        let failed =
            |e: io::Error| Fault::failed(format!("{path}: cannot be read: {}", reason(&e)));
        let (source, left): (Box<dyn Read>, u64) = if path == "-" {
            (Box::new(io::stdin()), 0)
        } else {
            let file = File::open(path).map_err(failed)?;
            let left = file.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
            (Box::new(file), left)
        };
        let (path, text) = (name_of(path).to_string(), Vec::new());
        Ok(Self { source, path, text, header: 0, left, ended: false, last: Table::default() })
    }

    /// Reads until so many bytes are there, or all that are left.
    fn fill(&mut self, bytes: usize) -> Result<(), Fault> {
        while self.text.len() < bytes && !self.ended {
            let want = (bytes - self.text.len()).min(1 << 20) as u64;
            let got = self.source.by_ref().take(want).read_to_end(&mut self.text);
            let failed = |why: &str| Fault::failed(format!("{}: reading failed: {why}", self.path));
            let got = got.map_err(|e| failed(&reason(&e)))? as u64;
            self.left = self.left.saturating_sub(got);
            self.ended = got < want;
            if self.ended && self.left > 0 {
                return Err(failed("it became shorter meanwhile"));
            }
        }
        Ok(())
    }

    /// Behind the line that begins there.
    fn line_end(&self, at: usize) -> Option<usize> {
        let end = self.text.get(at..)?.iter().position(|c| *c == b'\n')?;
        Some(at + end + 1)
    }

    /// The bytes of the header's lines, one or, with the delimiter's, two.
    fn header_length(&self) -> Option<usize> {
        let mark = if self.text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let end = self.line_end(0)?;
        let line = self.text[mark..end].trim_ascii_end();
        if line.len() == 5 && line.starts_with(b"sep=") { self.line_end(end) } else { Some(end) }
    }

    /// Behind the first line after the header that is not blank.
    fn first_row(&self) -> Option<usize> {
        let mut at = self.header_length()?;
        loop {
            let end = self.line_end(at)?;
            if !self.text[at..end].iter().all(|c| is_blank(*c)) {
                return Some(end);
            }
            at = end;
        }
    }

    /// The end of the last line that is not blank, if there is one after the header. Blank lines wait for what comes: at
    /// the end of the file they are none.
    fn last_row(&self, begin: usize) -> Option<usize> {
        let whole = self.text.iter().rposition(|c| *c == b'\n')? + 1;
        let rows = self.text.get(begin..whole)?;
        let last = begin + rows.iter().rposition(|c| !is_blank(*c))?;
        self.line_end(last)
    }

    /// Whether its header has a column of that name.
    pub fn has(&mut self, how: &Reading<'_>, name: &str) -> Result<bool, Fault> {
        // The first row helps to guess the delimiter.
        let row = loop {
            self.fill(self.text.len() + 1)?;
            if is_utf16(&self.text) {
                self.fill(usize::MAX)?;
            }
            match self.first_row() {
                Some(row) if !is_utf16(&self.text) => break row,
                _ if self.ended => break self.text.len(),
                _ => self.fill(self.text.len() + 4096)?,
            }
        };
        let bytes = &self.text[..row];
        let names = parse_after(&self.path, bytes, how, &Table::default(), false, &Silent)?;
        Ok(names.column(name).is_some())
    }

    /// The next rows, in about so many bytes and at least one; `None` behind the last.
    pub fn next(
        &mut self,
        how: &Reading<'_>,
        bytes: usize,
        watch: &dyn Watch,
    ) -> Result<Option<Table>, Fault> {
        let mut end = None;
        loop {
            self.fill(self.text.len().saturating_add(bytes))?;
            if self.header == 0 && !is_utf16(&self.text) {
                self.header = self.header_length().unwrap_or(0);
            }
            if self.header > 0 {
                end = self.last_row(self.header);
            }
            if self.ended || end.is_some() {
                break;
            }
        }
        if self.ended {
            let rest = self.text.get(self.header..).unwrap_or(&[]);
            if self.last.before > 0 && rest.iter().all(|c| is_blank(*c)) {
                return Ok(None);
            }
            end = Some(self.text.len());
        }
        let end = end.unwrap_or(self.text.len());
        let table = parse_after(&self.path, &self.text[..end], how, &self.last, true, watch)?;
        self.last.before += table.rows;
        (self.last.between, self.last.decimal) = (table.between, table.decimal);
        self.text.drain(self.header.min(end)..end);
        if self.header == 0 {
            // All of it was one block.
            self.text.clear();
        }
        Ok(Some(table))
    }
}
