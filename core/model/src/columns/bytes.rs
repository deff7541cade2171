//! Columns as bytes, little-endian:
//!
//! u16 version, u16 1 where the last input is an exposure, u32 inputs; each input, then the target:
//! u16 length of the name, the name; u8 indicator; u16 categories; without categories the mean, f64, and from version 2 on
//! the least and the greatest, f64; else for each category u16 length, the text, f64 its share.
//! Version 3, which has a note: u32 draws of a chain, u16 length, the text. Version 4, of a target whose classes have an
//! order that was given: as 3, the text empty where there is no note.

use super::{Column, Columns, MOST_LEVELS, level_order};
use crate::fault::Fault;
use std::cmp::Ordering;

const VERSION: u16 = 4;
/// The first whose classes may have an order of their own.
const ORDERED: u16 = 4;
/// The range of a column where a model of version 1 does not tell it.
const UNKNOWN: (f64, f64) = (0.0, -1.0);

fn put_text(out: &mut Vec<u8>, text: &str) -> Result<(), Fault> {
    let long = "a name or word of the data is too long for a model";
    let length = u16::try_from(text.len()).map_err(|_| Fault::failed(long))?;
    out.extend(length.to_le_bytes());
    out.extend(text.as_bytes());
    Ok(())
}

fn put_column(out: &mut Vec<u8>, c: &Column) -> Result<(), Fault> {
    put_text(out, &c.name)?;
    out.push(u8::from(c.indicator));
    out.extend((c.levels.len() as u16).to_le_bytes());
    for (level, share) in c.levels.iter().zip(&c.fill) {
        put_text(out, level)?;
        out.extend(share.to_le_bytes());
    }
    if !c.is_words() {
        let mean = c.fill.first().copied().unwrap_or(0.0);
        out.extend([mean, c.least, c.greatest].into_iter().flat_map(f64::to_le_bytes));
    }
    Ok(())
}

/// Bytes being read; `None` from the first that cannot be.
struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (own, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*own)
    }
    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }
    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
    fn real(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes).filter(|v| v.is_finite())
    }
    fn text(&mut self) -> Option<String> {
        let length = self.u16()? as usize;
        let (own, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        if own.is_empty() || own.contains(&0) {
            return None;
        }
        // Models of before may hold names that were no UTF-8.
        Some(String::from_utf8_lossy(own).into_owned())
    }
    fn column(&mut self, ranges: bool, ordered: bool) -> Option<Column> {
        let mut c = Column { name: self.text()?, ..Column::default() };
        let [indicator] = self.take()?;
        let levels = self.u16()? as usize;
        if indicator > 1 || levels > MOST_LEVELS {
            return None;
        }
        c.indicator = indicator == 1;
        if levels == 0 {
            c.fill.push(self.real()?);
            (c.least, c.greatest) = if ranges { (self.real()?, self.real()?) } else { UNKNOWN };
            return (c.least <= c.greatest || (c.least, c.greatest) == UNKNOWN).then_some(c);
        }
        for _ in 0..levels {
            let level = self.text()?;
            let before = c.levels.last();
            let sorted = before.is_none_or(|last| level_order(last, &level) == Ordering::Less);
            if if ordered { c.levels.contains(&level) } else { !sorted } {
                return None;
            }
            c.levels.push(level);
            c.fill.push(self.real()?);
        }
        Some(c)
    }
    fn columns(&mut self, version: u16) -> Option<Columns> {
        let (exposure, count) = (self.u16()?, self.u32()? as usize);
        // An input takes 14 bytes at least.
        if version == 0 || exposure > 1 || count == 0 || count > self.0.len() / 14 {
            return None;
        }
        let ranges = version > 1;
        let inputs = (0..count).map(|_| self.column(ranges, false)).collect::<Option<Vec<_>>>()?;
        let target = self.column(ranges, version >= ORDERED)?;
        let mut columns = Columns { inputs, exposure: exposure == 1, target, ..Columns::default() };
        let last = columns.inputs.last()?;
        if columns.exposure && (last.is_words() || last.indicator) {
            return None;
        }
        if version > 2 {
            columns.kept = self.u32()?;
            let none = version >= ORDERED && self.0 == [0, 0];
            if none {
                self.0 = &[];
            } else {
                columns.note = Some(self.text()?);
            }
        }
        self.0.is_empty().then_some(columns)
    }
}

impl Columns {
    /// The bytes that go with a model.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let version = match self.note {
            _ if self.target.has_order() => VERSION,
            Some(_) => 3,
            None => 2,
        };
        let mut out = version.to_le_bytes().to_vec();
        out.extend(u16::from(self.exposure).to_le_bytes());
        out.extend((self.inputs.len() as u32).to_le_bytes());
        for column in self.inputs.iter().chain([&self.target]) {
            put_column(&mut out, column)?;
        }
        if version > 2 {
            out.extend(self.kept.to_le_bytes());
            put_text(&mut out, self.note.as_deref().unwrap_or(""))?;
        }
        Ok(out)
    }

    /// Back, from whatever bytes there are.
    pub(crate) fn from_bytes(bytes: &[u8], path: &str) -> Result<Self, Fault> {
        let mut source = Source(bytes);
        let version = source.u16();
        if version.is_some_and(|version| version > VERSION) {
            return Err(Fault::failed(format!("{path}: its columns were written by a newer lcc")));
        }
        let read = version.and_then(|version| source.columns(version));
        let damaged = || format!("{path}: its columns cannot be read: the file is damaged");
        read.ok_or_else(|| Fault::failed(damaged()))
    }
}
