//! A file of any length, of which there is a block of rows at a time.

use super::decode::is_utf16;
use super::lines::{Head, is_empty, last_row};
use super::read::{name_of, named, parse_after, reason};
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
    head: Option<Head>,
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
        Ok(Self { source, path, text, head: None, left, ended: false, last: Table::default() })
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

    /// Whether its header has a column of that name.
    pub fn has(&mut self, how: &Reading<'_>, name: &str) -> Result<bool, Fault> {
        // The first row helps to guess the delimiter.
        let (named, mut want) = (named(how)?, 1);
        let first = loop {
            self.fill(want)?;
            match Head::of(&self.text, named, self.ended) {
                Some(head) if !is_utf16(&self.text) => break head.first,
                _ if self.ended => break self.text.len(),
                _ => want = 2 * self.text.len().max(2048),
            }
        };
        let bytes = &self.text[..first];
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
            if self.head.is_none() && !is_utf16(&self.text) {
                self.head = Head::of(&self.text, named(how)?, self.ended);
            }
            if let Some(head) = self.head {
                end = last_row(&self.text, &head);
            }
            if self.ended || end.is_some() {
                break;
            }
        }
        let head = self.head.unwrap_or_default();
        if self.ended {
            let rest = self.text.get(head.rows..).unwrap_or(&[]);
            if self.last.before > 0 && rest.iter().all(|c| is_empty(*c)) {
                return Ok(None);
            }
            end = Some(self.text.len());
        }
        let end = end.unwrap_or(self.text.len());
        let table = parse_after(&self.path, &self.text[..end], how, &self.last, true, watch)?;
        if table.rows == 0 {
            return Ok(None);
        }
        self.last.before += table.rows;
        self.last.extra.clone_from(&table.extra);
        let Table { between, decimal, header, .. } = table;
        (self.last.between, self.last.decimal, self.last.header) = (between, decimal, header);
        self.text.drain(head.rows..end);
        // The names are all that stays.
        self.text.drain(..head.start);
        self.head = Some(Head { start: 0, rows: head.rows - head.start, between, ..head });
        Ok(Some(table))
    }
}
