//! Inputs and target as numbers, taken from a table.

use crate::fault::Fault;
use crate::table::{Reading, Table, is_missing, read};
use crate::watch::Watch;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::estimator::BnnOptions;
use lcc_core::network::Output;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Rows of a table, from 0.
#[derive(Clone, Debug)]
pub struct Picked {
    /// The table.
    pub table: Arc<Table>,
    /// Which of its rows.
    pub rows: Vec<usize>,
}

impl Picked {
    /// All of them.
    pub fn all(table: &Arc<Table>) -> Self {
        Self { table: table.clone(), rows: (0..table.rows()).collect() }
    }

    /// Takes out the rows that miss a cell, but of the column `open`. How many.
    pub(crate) fn complete(&mut self, open: Option<usize>) -> usize {
        let (all, table) = (self.rows.len(), &self.table);
        let there = |row, c| open == Some(c) || !is_missing(table.cell(row, c));
        let whole = |row: &usize| (0..table.names.len()).all(|c| there(*row, c));
        self.rows.retain(whole);
        all - self.rows.len()
    }

    /// The group of each row, numbered from 0 in the order of their first rows; none where rows are in no groups.
    pub(crate) fn groups(&self) -> Vec<u32> {
        numbered(self.rows.iter().filter_map(|row| self.table.group(*row)))
    }

    /// The cells of a column.
    pub(crate) fn cells(&self, column: usize) -> impl DoubleEndedIterator<Item = (usize, &str)> {
        self.rows.iter().map(move |row| (*row, self.table.cell(*row, column)))
    }
}

/// Groups by numbers, from 0 in the order of their first rows.
pub(crate) fn numbered<G: Eq + Hash>(groups: impl Iterator<Item = G>) -> Vec<u32> {
    let mut known = HashMap::new();
    let number = |group| {
        let next = known.len() as u32;
        *known.entry(group).or_insert(next)
    };
    groups.map(number).collect()
}

/// Rows of numbers.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// How many.
    pub n: usize,
    /// Columns.
    pub d: usize,
    /// n x d, row after row.
    pub x: Vec<f64>,
    /// The targets, where they are known.
    pub y: Option<Vec<f64>>,
    /// How often each counts, where that is said.
    pub weights: Vec<f64>,
    /// The group of each, where they are in groups, numbered in the order of their first rows.
    pub groups: Vec<u32>,
    /// The row of the table, from 0.
    pub origin: Vec<usize>,
    /// The column of the table that each column comes from.
    pub source: Vec<usize>,
    /// Of each row, how many inputs are outside of what the model was fitted to, where that is known.
    pub outside: Option<Vec<u32>>,
    /// Where they come from.
    pub table: Arc<Table>,
    /// Its column of the target.
    pub target: Option<usize>,
}

/// The column of the target: there must be inputs beside it.
pub(crate) fn target_of(table: &Table, target: &str, needed: bool) -> Result<Option<usize>, Fault> {
    let column = table.column(target);
    if column.is_none() && needed {
        return Err(Fault::failed(table.no_column(target, "--target names the target")));
    }
    if column.is_some() && table.names.len() == 1 {
        let path = &table.path;
        return Err(Fault::failed(format!("{path}: no inputs beside the target \"{target}\"")));
    }
    Ok(column)
}

impl Rows {
    /// All rows of a table of numbers.
    pub fn take(table: &Arc<Table>, target: &str, needed: bool) -> Result<Self, Fault> {
        let column = target_of(table, target, needed)?;
        let source: Vec<usize> = (0..table.names.len()).filter(|k| Some(*k) != column).collect();
        let (n, d) = (table.rows(), source.len());
        let mut rows = Self {
            n,
            d,
            x: Vec::with_capacity(n * d),
            y: column.map(|_| Vec::with_capacity(n)),
            weights: Vec::new(),
            groups: Vec::new(),
            origin: (0..n).collect(),
            source,
            outside: None,
            table: table.clone(),
            target: column,
        };
        for row in 0..n {
            for k in 0..table.names.len() {
                let value = table.number(row, k)?;
                match rows.y.as_mut().filter(|_| Some(k) == column) {
                    Some(y) => y.push(value),
                    None => rows.x.push(value),
                }
            }
        }
        Ok(rows)
    }

    /// All rows of a file of numbers.
    pub fn read(
        path: &str,
        delimiter: Option<&str>,
        target: &str,
        needed: bool,
        watch: &dyn Watch,
    ) -> Result<Self, Fault> {
        let table = read(path, &Reading { delimiter, ..Reading::default() }, watch)?;
        Self::take(&Arc::new(table), target, needed)
    }

    /// That the inputs are those of other rows, in their order.
    pub fn check_like(&self, other: &Self) -> Result<(), Fault> {
        let (path, its) = (&self.table.path, &other.table.path);
        if self.d != other.d {
            return Err(Fault::failed(format!(
                "{path}: has {} inputs, {its} has {}",
                self.d, other.d
            )));
        }
        for k in 0..self.d {
            let name = |rows: &Self| rows.table.names[rows.source[k]].clone();
            let (here, there) = (name(self), name(other));
            if here != there {
                return Err(Fault::failed(format!(
                    "{path}: input {} is \"{here}\", in {its} it is \"{there}\"",
                    k + 1
                )));
            }
        }
        Ok(())
    }

    /// The inputs of a row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.x[i * self.d..(i + 1) * self.d]
    }

    /// The targets; empty where they are not known.
    pub fn targets(&self) -> &[f64] {
        self.y.as_deref().unwrap_or(&[])
    }

    /// Which of the first `count` rows have a target that is known.
    pub fn known(&self, count: usize) -> Vec<usize> {
        (0..count).filter(|i| self.targets().get(*i).is_some_and(|y| !y.is_nan())).collect()
    }

    /// The rows listed, in that order.
    pub fn some(&self, places: &[usize]) -> Self {
        let y = self.y.as_ref();
        Self {
            n: places.len(),
            x: places.iter().flat_map(|i| self.row(*i)).copied().collect(),
            y: y.map(|y| places.iter().map(|i| y[*i]).collect()),
            weights: places.iter().filter_map(|i| self.weights.get(*i).copied()).collect(),
            groups: numbered(places.iter().filter_map(|i| self.groups.get(*i).copied())),
            origin: places.iter().map(|i| self.origin[*i]).collect(),
            source: self.source.clone(),
            outside: None,
            table: self.table.clone(),
            ..*self
        }
    }

    /// At most so many rows, spread over all of them.
    pub fn spread(&self, most: usize) -> Self {
        let count = self.n.min(most);
        let place = |i: usize| (i as f64 * self.n as f64 / count as f64) as usize;
        self.some(&(0..count).map(place).collect::<Vec<_>>())
    }

    /// The sd of the target about its mean: how far the mean errs.
    pub fn target_sd(&self) -> f64 {
        let (y, n) = (self.targets(), self.n as f64);
        let first = y.first().copied().unwrap_or(0.0);
        let mean = y.iter().fold(0.0, |mean, y| mean + (y - first) / n);
        y.iter().fold(0.0, |sum, y| sum + (y - first - mean) * (y - first - mean) / n).sqrt()
    }

    /// A checksum of the target, the inputs, row by row, and the weights, not of the file: its columns, line ends and quotes may
    /// be others.
    pub fn checksum(&self) -> u64 {
        self.targets().iter().chain(&self.x).chain(&self.weights).fold(
            0xcbf2_9ce4_8422_2325,
            |mark, value| {
                let mark = (mark ^ value.to_bits()).wrapping_mul(1_099_511_628_211);
                mark ^ (mark >> 29)
            },
        )
    }

    /// That every value fits single precision.
    pub fn fits_single(&self) -> Result<(), Fault> {
        let large = |v: &f64| v.abs() > f64::from(f32::MAX);
        let what = "is too large for single precision (use --precision f64)";
        for i in 0..self.n {
            if let Some(k) = self.row(i).iter().position(large) {
                return Err(self.table.refuse(self.origin[i], self.source[k], what));
            }
            let y = self.y.as_ref().map(|y| y[i]).filter(large);
            if let (Some(_), Some(target)) = (y, self.target) {
                return Err(self.table.refuse(self.origin[i], target, what));
            }
        }
        Ok(())
    }

    /// The column of the table, of an input or the target, that single precision would round too much
    /// ([`Dataset::rounded`]).
    pub(crate) fn needs_double(&self, output: Output) -> Option<usize> {
        let inputs = Inputs::row_major(&self.x, self.n, self.d).ok()?;
        let data = Dataset::new(inputs, self.y.as_deref()?).ok()?;
        let column = BnnOptions { output: output.into(), ..Default::default() }.rounded(&data)?;
        self.source.get(column).copied().or(self.target)
    }
}
