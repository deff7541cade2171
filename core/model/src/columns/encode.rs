//! Rows as numbers, by columns that were learnt.

use super::learn::{look, refuse_missing};
use super::level::level_of;
use super::{Column, Columns};
use crate::fault::Fault;
use crate::rows::{Picked, Rows, target_of};
use crate::table::{Table, is_missing, shown, similar};
use crate::text::plural;
use crate::watch::Watch;

/// Of missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// They are refused.
    #[default]
    Refuse,
    /// They count for the mean.
    Mean,
    /// Their rows are left out.
    Drop,
}

/// Of which rows the target is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Targets {
    /// Of all.
    Needed,
    /// Of all or of none.
    #[default]
    AllOrNone,
    /// Of any: where it is missing, or a class that was not learnt, it is NaN.
    Any,
}

/// What is done with categories that the training rows do not have, and with missing values where none was missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// They are refused.
    #[default]
    Refuse,
    /// They count for the mean.
    Mean,
}

impl Columns {
    /// Rows as numbers, inputs found by their names, and how many are outside of the training data: a number beyond the
    /// least or greatest, a category that is not known (not an exposure: rates know no range). A target that is not needed
    /// and missing in all rows is not there.
    pub fn encode(
        &self,
        from: &Picked,
        target: &str,
        needed: Targets,
        (unknown, missing): (Unknown, Missing),
        watch: &dyn Watch,
    ) -> Result<Rows, Fault> {
        let table = &from.table;
        let column = target_of(table, target, needed == Targets::Needed)?;
        let columns = self.bind(table, column, watch)?;
        let (n, d) = (from.rows.len(), self.width());
        let known = column.filter(|c| needed == Targets::Needed || look(from, *c).missing < n);
        let widths = columns.iter().zip(&self.inputs);
        let mut rows = Rows {
            n,
            d,
            x: vec![0.0; n * d],
            y: known.map(|_| vec![0.0; n]),
            weights: Vec::new(),
            groups: Vec::new(),
            origin: from.rows.clone(),
            source: widths.flat_map(|(c, own)| std::iter::repeat_n(*c, own.width())).collect(),
            outside: Some(vec![0; n]),
            table: table.clone(),
            target: column,
        };
        for (i, row) in from.rows.iter().enumerate() {
            let x = &mut rows.x[i * d..(i + 1) * d];
            let (mut at, mut outside) = (0, 0);
            for (k, own) in self.inputs.iter().enumerate() {
                let end = at + own.width();
                if self.is_exposure(k) && is_missing(table.cell(*row, columns[k])) {
                    let then = ": an exposure has no mean that would do";
                    return Err(refuse_missing(table, *row, columns[k], then));
                }
                let out = own.cell(table, *row, columns[k], (unknown, missing), &mut x[at..end])?;
                outside += u32::from(out && !self.is_exposure(k));
                at = end;
            }
            if self.exposure && !(x[d - 1] > 0.0) {
                let what = "is no exposure: it must be above 0";
                return Err(table.refuse(*row, columns[self.inputs.len() - 1], what));
            }
            if let (Some(y), Some(column)) = (&mut rows.y, known) {
                let cell = table.cell(*row, column);
                let new = || self.target.is_words() && self.target.class_of(cell).is_none();
                y[i] = match needed == Targets::Any && (is_missing(cell) || new()) {
                    true => f64::NAN,
                    false => self.target.class_or_number(table, *row, column)?,
                };
            }
            if let Some(all) = &mut rows.outside {
                all[i] = outside;
            }
        }
        Ok(rows)
    }

    /// Whether a row has all inputs that the model cannot do without.
    pub(crate) fn can_predict(&self, table: &Table, row: usize) -> bool {
        let needed = self.inputs.iter().filter(|own| !own.indicator);
        let mut columns = needed.filter_map(|own| table.column(&own.name));
        columns.all(|column| !is_missing(table.cell(row, column)))
    }

    /// The table's column of each input, and a word about those that are none.
    fn bind(
        &self,
        table: &Table,
        target: Option<usize>,
        watch: &dyn Watch,
    ) -> Result<Vec<usize>, Fault> {
        let find = |own: &Column| table.column(&own.name).filter(|c| Some(*c) != target);
        let absent = self.inputs.iter().filter(|own| find(own).is_none());
        let absent: Vec<&str> = absent.map(|own| own.name.as_str()).collect();
        if !absent.is_empty() {
            let are = if absent.len() == 1 { "is an input" } else { "are inputs" };
            let list = listed(&absent);
            let path = &table.path;
            let near = similar(absent[0], table.names.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; is \"{near}\" meant?"));
            return Err(Fault::failed(format!(
                "{path}: no column called {list}, which {are} of the model{near}"
            )));
        }
        let columns: Vec<usize> = self.inputs.iter().filter_map(find).collect();
        let others = (0..table.names.len()).filter(|c| Some(*c) != target);
        let own: std::collections::HashSet<usize> = columns.iter().copied().collect();
        let extra: Vec<&str> = others
            .filter(|c| !own.contains(c))
            .map(|c| table.names[c].as_str())
            .filter(|name| self.weights.as_deref() != Some(*name))
            .collect();
        if !extra.is_empty() && table.before == 0 {
            let (count, are) = (extra.len(), if extra.len() == 1 { "is" } else { "are" });
            watch.say(&format!(
                "{}: {count} column{} {are} no inputs of the model, left out: {}",
                table.path,
                plural(count),
                listed(&extra)
            ));
        }
        Ok(columns)
    }
}

/// Names for people, which end in dots where there are too many.
fn listed(names: &[&str]) -> String {
    let mut text = String::new();
    for name in names {
        if text.len() + name.len() > 390 {
            return text + " ...";
        }
        text += &format!("{}\"{name}\"", if text.is_empty() { "" } else { ", " });
    }
    text
}

impl Column {
    /// One cell of an input into its columns, which are zero; whether it is outside.
    fn cell(
        &self,
        table: &Table,
        row: usize,
        column: usize,
        (unknown, rule): (Unknown, Missing),
        out: &mut [f64],
    ) -> Result<bool, Fault> {
        let (cell, count) = (table.cell(row, column), self.values());
        let missing = is_missing(cell);
        if self.indicator {
            out[count] = f64::from(u8::from(missing));
        } else if missing && unknown == Unknown::Refuse && rule != Missing::Mean {
            let then = ", and no training row missed it there (--unknown mean takes the average; lcc predict --missing drop leaves the prediction empty)";
            return Err(refuse_missing(table, row, column, then));
        }
        if !missing && !self.is_words() {
            out[0] = table.number(row, column)?;
            return Ok(self.has_range() && (out[0] < self.least || out[0] > self.greatest));
        }
        let level = if missing { None } else { self.find(&level_of(cell)).ok() };
        if !missing && level.is_none() && unknown == Unknown::Refuse {
            return Err(self.refuse_level(
                table,
                row,
                column,
                " (--unknown mean takes the average)",
            ));
        }
        match level {
            None => out[..count].copy_from_slice(&self.average()[..count]),
            Some(k) if self.levels.len() == 2 => out[0] = k as f64,
            Some(k) => out[k] = 1.0,
        }
        Ok(!missing && level.is_none())
    }

    fn class_or_number(&self, table: &Table, row: usize, column: usize) -> Result<f64, Fault> {
        let cell = table.cell(row, column);
        if is_missing(cell) {
            return Err(refuse_missing(table, row, column, ""));
        }
        if !self.is_words() {
            return table.number(row, column);
        }
        let found = self.class_of(cell).map(|k| k as f64);
        found.ok_or_else(|| self.refuse_level(table, row, column, ""))
    }

    fn refuse_level(&self, table: &Table, row: usize, column: usize, then: &str) -> Fault {
        let mut what = "is not among the words that were learnt:".to_string();
        let mut some = 0;
        for level in &self.levels {
            some += 1;
            let comma = if some < self.levels.len() { "," } else { "" };
            what += &format!(" \"{}\"{comma}", shown(level));
            if what.len() >= 400 {
                break;
            }
        }
        let more = if some < self.levels.len() { " ..." } else { "" };
        table.refuse(row, column, &format!("{what}{more}{then}"))
    }
}
