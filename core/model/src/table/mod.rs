//! Tables of text: cells by row and named column, as a CSV file has them.
//!
//! Between cells stands a comma, a semicolon, a tab or a bar; beside the others than commas numbers may have a decimal comma.
//! What was guessed is said. Every refusal names file, row, line and column.

mod blocks;
mod cell;
mod decode;
mod lines;
mod marks;
mod read;
mod tidy;

pub use blocks::Blocks;
pub use cell::{
    BEHIND, NO_NUMBER, is_date, is_missing, is_numeric, lists, may_be_missing, names_years,
    why_no_number, why_no_numbers,
};
pub(crate) use read::name_of;
pub use read::{Reading, check_size, parse, read, read_bytes};

use crate::fault::Fault;

/// The part of a cell that a message shows.
const SHOWN: usize = 40;

/// Cells as text, without blanks and quotes around them.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The file, for messages.
    pub path: String,
    /// The columns.
    pub names: Vec<String>,
    /// Which column of the file each is, from 1.
    pub place: Vec<usize>,
    /// The line that the header stands in, from 1.
    pub header: usize,
    /// Rows of the file that came before these.
    pub before: usize,
    rows: usize,
    /// From which of these rows on there are so many lines more than rows: line breaks in cells, and lines that are no rows.
    extra: Vec<(usize, usize)>,
    /// What stands between cells; 0: not known yet.
    between: u8,
    /// A point or comma in numbers; 0 where none has shown it.
    decimal: u8,
    text: String,
    /// Where each cell lies in the text, row after row.
    cells: Vec<(u32, u32)>,
    /// The names of columns that identify rows.
    pub ids: Vec<String>,
    /// And where their cells lie, row after row.
    identities: Vec<(u32, u32)>,
    /// Of each row the number of its group, where rows are in groups.
    groups: Vec<u32>,
}

impl Table {
    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// Row and column from 0.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.at(row * self.names.len() + column)
    }

    /// A cell by its place among all.
    fn at(&self, k: usize) -> &str {
        self.span(self.cells[k]).trim()
    }

    fn span(&self, (start, end): (u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// What identifies a row, as the file has it.
    pub fn identity(&self, row: usize) -> impl Iterator<Item = &str> {
        let count = self.ids.len();
        self.identities[row * count..(row + 1) * count].iter().map(|own| self.span(*own))
    }

    /// The group of a row, where rows are in groups.
    pub fn group(&self, row: usize) -> Option<u32> {
        self.groups.get(row).copied()
    }

    /// The cell as a finite number.
    pub fn number(&self, row: usize, column: usize) -> Result<f64, Fault> {
        cell::finite(self.cell(row, column)).map_err(|what| self.refuse(row, column, what))
    }

    /// "FILE: row R (line L), column C (NAME): "CELL" " and what is wrong with it.
    pub fn refuse(&self, row: usize, column: usize, what: &str) -> Fault {
        let cell = self.cell(row, column);
        let shown = if cell.is_empty() { String::new() } else { format!("\"{}\" ", shown(cell)) };
        let (at, place, name) = (self.at_row(row), self.place[column], &self.names[column]);
        Fault::failed(format!("{at}, column {place} ({name}): {shown}{what}"))
    }

    /// "FILE: column C (NAME)" and what is wrong with it.
    pub(crate) fn refuse_column(&self, column: usize, what: &str) -> Fault {
        let (place, name) = (self.place[column], &self.names[column]);
        Fault::failed(format!("{}: column {place} ({name}){what}", self.path))
    }

    /// Replaces some cells, in their order.
    fn rewrite(&mut self, edits: Vec<(usize, String)>) {
        for (k, new) in edits {
            let start = self.text.len();
            self.text.push_str(&new);
            self.cells[k] = (start as u32, self.text.len() as u32);
        }
    }
}

/// The beginning of a text, cut between characters and before a line break.
pub(crate) fn shown(text: &str) -> &str {
    let text = text.lines().next().unwrap_or("");
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|e| *e <= SHOWN);
    &text[..end.last().unwrap_or(0)]
}

/// The most similar of some names, if one is similar enough to be meant.
pub fn similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |other: &str| {
        let other: Vec<char> = other.chars().flat_map(char::to_lowercase).collect();
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, c) in name.chars().flat_map(char::to_lowercase).enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, o) in other.iter().enumerate() {
                let changed = corner + usize::from(*o != c);
                corner = row[j + 1];
                row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
            }
        }
        row[other.len()]
    };
    // A name of one or two letters is like every other.
    let letters = name.chars().count();
    let near = if letters < 3 { 0 } else { 1 + letters / 4 };
    let all = names.into_iter().map(|other| (distance(other), other));
    all.min_by_key(|(d, _)| *d).filter(|(d, _)| *d <= near).map(|(_, other)| other)
}
