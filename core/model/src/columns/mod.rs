//! What the columns of a table are: numbers, or words. A word becomes a column of 0 and 1 for each category of its column
//! (of two, one column: 1 for the second), a missing value the mean of its column and 1 in a column of its own. All of it
//! is learnt from the training rows, goes with the model, and is held against the rows that are predicted.

mod bytes;
mod doubts;
mod encode;
mod learn;
mod level;
mod outside;

use crate::rows::Rows;

pub use encode::{Missing, Targets, Unknown};
pub use learn::Wish;
pub use level::level_order;
pub use outside::Outside;

/// More categories than this are no kinds of anything.
const MOST_LEVELS: usize = 256;

/// One column.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its categories, sorted: numbers by value, then words by their bytes; of a target in the order that was given. None:
    /// numbers.
    pub levels: Vec<String>,
    /// What a missing value counts for: the mean, or the share of each category.
    pub fill: Vec<f64>,
    /// Of numbers the least; above `greatest` where a model does not know it.
    pub least: f64,
    /// And the greatest.
    pub greatest: f64,
    /// One column more is 1 where the value is missing.
    pub indicator: bool,
}

impl Column {
    /// Whether it holds words.
    pub fn is_words(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether its range is known.
    pub fn has_range(&self) -> bool {
        !self.is_words() && self.least <= self.greatest
    }

    /// Columns of the values themselves.
    fn values(&self) -> usize {
        if self.levels.len() > 2 { self.levels.len() } else { 1 }
    }

    /// All the columns it becomes.
    pub(crate) fn width(&self) -> usize {
        self.values() + usize::from(self.indicator)
    }

    /// Puts a number, or the number of a category, into its columns.
    pub(crate) fn put(&self, value: f64, x: &mut [f64]) {
        x[..self.width()].fill(0.0);
        if self.levels.len() > 2 {
            x[value as usize] = 1.0;
        } else {
            x[0] = value;
        }
    }

    /// What stands in the columns of its values where there is none.
    fn average(&self) -> &[f64] {
        if self.levels.len() == 2 { &self.fill[1..] } else { &self.fill }
    }
}

/// The inputs and the target.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The inputs, in the order of the network.
    pub inputs: Vec<Column>,
    /// Whether the last input is an exposure.
    pub exposure: bool,
    /// The target: with categories a class, and y is which one, from 0.
    pub target: Column,
    /// How the model came about: lines of what, tab, value.
    pub note: Option<String>,
    /// Draws of a chain, side by side in the model; 0: not of chains.
    pub kept: u32,
    /// While they are learnt, the column of weights, which is no input.
    pub(crate) weights: Option<String>,
}

impl Columns {
    /// The columns that the inputs become.
    pub fn width(&self) -> usize {
        self.inputs.iter().map(Column::width).sum()
    }

    /// The first of the columns that an input becomes.
    pub fn place(&self, input: usize) -> usize {
        self.inputs[..input].iter().map(Column::width).sum()
    }

    /// The row of all means.
    pub fn middle(&self) -> Vec<f64> {
        let mut x = Vec::with_capacity(self.width());
        for column in &self.inputs {
            let end = x.len() + column.width();
            x.extend_from_slice(column.average());
            x.resize(end, 0.0);
        }
        x
    }

    /// Lines of what the fit noted: what, and a value.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        let note = self.note.as_deref().unwrap_or("");
        note.lines().map(|line| line.split_once('\t').unwrap_or((line, "")))
    }

    /// Whether the fit noted that it was trained on these rows; `None` where it noted none.
    pub fn trained_on(&self, rows: &Rows) -> Option<bool> {
        let sum = format!("{:016x}", rows.checksum());
        let noted = self.notes().find(|(what, _)| *what == "trained on");
        noted.map(|(_, value)| value.contains(&sum))
    }

    /// Chains that the note tells of; 0 where it does not. A model of some of their draws has the note of all.
    pub fn chains(&self) -> usize {
        let mut chains = self.notes().filter(|(what, _)| *what == "chains");
        let told = chains.find_map(|(_, value)| value.split(' ').next()?.parse().ok());
        told.unwrap_or(0)
    }

    /// Whether an input is the exposure.
    pub fn is_exposure(&self, input: usize) -> bool {
        self.exposure && input + 1 == self.inputs.len()
    }
}
