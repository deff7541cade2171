//! What a person should know of the cells before they are taken at their word.

use super::{Column, Columns};
use crate::rows::Picked;
use crate::table::{lists, shown, why_no_numbers};
use crate::text::{plural, real, unsigned};
use crate::watch::Watch;

const FEW: usize = 10;
const TOTALS: [&str; 10] = [
    "total",
    "totals",
    "grand total",
    "sum",
    "average",
    "mean",
    "summe",
    "gesamt",
    "suma",
    "totaal",
];

/// Whether a cell names a row of totals.
pub(super) fn is_total(cell: &str) -> bool {
    let cell = cell.trim_end_matches([':', ' ']);
    TOTALS.iter().any(|own| cell.eq_ignore_ascii_case(own))
}

/// As 20240131.
fn is_packed_date(cell: &str) -> bool {
    let part = |from: usize, to: usize| cell.get(from..to).and_then(unsigned).unwrap_or(0);
    let (year, month, day) = (part(0, 4), part(4, 6), part(6, 8));
    cell.len() == 8
        && (1900..2100).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
}

/// As 00123, where months and hours have two digits, or with more digits than a double holds: how it looks.
fn as_code(cell: &str) -> Option<&'static str> {
    unsigned(cell)?;
    match cell.len() {
        16.. => Some("have more than 15 digits"),
        4.. if cell.starts_with('0') => Some("begin with 0"),
        _ => None,
    }
}

impl Columns {
    /// Says what looks like a mistake; not that columns are categories which `categorical` lists.
    pub(crate) fn doubt(&self, from: &Picked, categorical: Option<&str>, watch: &dyn Watch) {
        let table = &from.table;
        let say = |k: usize, what: &str| watch.say(&table.refuse_column(k, what).to_string());
        for own in self.inputs.iter().chain([&self.target]) {
            let Some(k) = table.column(&own.name) else { continue };
            let same =
                |(a, b): &(&String, &String)| a.len() > 1 && a.to_lowercase() == b.to_lowercase();
            let pairs = own.levels.iter().enumerate();
            let pairs = pairs.flat_map(|(i, a)| own.levels[i + 1..].iter().map(move |b| (a, b)));
            for (a, b) in pairs.filter(same).take(3) {
                let (a, b) = (shown(a), shown(b));
                say(k, &format!(": \"{a}\" and \"{b}\" are two categories: are they one?"));
            }
            let asked = lists(categorical, &own.name);
            if let Some(why) = why_no_numbers(&own.levels).filter(|_| !asked) {
                let level = shown(&own.levels[0]);
                say(k, &format!(": is read as categories, because \"{level}\" {why}"));
            }
            let cells = || from.cells(k).map(|(_, cell)| cell).filter(|cell| !cell.is_empty());
            if !own.is_words() && cells().all(is_packed_date) {
                let what = " looks like dates: as a number a month ends in a jump: days since the first tell more";
                say(k, what);
            } else if let Some(look) = cells().find_map(as_code).filter(|_| !own.is_words()) {
                let name = &own.name;
                let what = format!(
                    " has numbers that {look}, as codes do: --categorical {name}, --id {name} or --drop {name}?"
                );
                say(k, &what);
            } else if own.has_range() && own.least == own.greatest {
                say(
                    k,
                    ": all training rows have the same value, which teaches nothing (--drop leaves it out)",
                );
            }
        }
        // A word of other rows too is a category like others.
        let alone =
            |k: &usize, word: &str| from.cells(*k).filter(|(_, own)| *own == word).count() == 1;
        let total = |row: &usize, k: &usize| {
            let cell = table.cell(*row, *k);
            is_total(cell) && alone(k, cell)
        };
        if let Some(row) = from.rows.iter().max().copied()
            && let Some(k) = (0..table.names.len()).find(|k| total(&row, k))
        {
            let what = "in the last row: is it one of totals? then leave it out";
            watch.say(&table.refuse(row, k, what).to_string());
        } else if let Some(row) = self.row_of_sums(from) {
            let what = "has the sums of all other rows: is it one of totals? then leave it out";
            watch.say(&format!("{} {what}", table.at_row(row)));
        }
        let n = from.rows.len();
        if n < FEW {
            watch.say(&format!("{}: {n} training row{} can tell little", table.path, plural(n)));
        }
    }

    /// The last row, if each of its numbers is the sum of those above.
    fn row_of_sums(&self, from: &Picked) -> Option<usize> {
        let last = from.rows.iter().max().copied().filter(|_| from.rows.len() > 3)?;
        let numbers = self.inputs.iter().chain([&self.target]).filter(|own| !own.is_words());
        let is_sum = |own: &Column| {
            let k = from.table.column(&own.name)?;
            let (mut sum, mut size, mut most) = (0.0, 0.0, 0.0_f64);
            for (_, cell) in from.cells(k).filter(|(row, _)| *row != last) {
                let value = real(cell).unwrap_or(0.0);
                (sum, size, most) = (sum + value, size + value.abs(), most.max(value.abs()));
            }
            let total = real(from.table.cell(last, k))?;
            Some(total.abs() > most && (sum - total).abs() < 1e-4 * size)
        };
        let sums: Vec<_> = numbers.map(|own| is_sum(own).unwrap_or(false)).collect();
        (sums.len() > 1 && sums.into_iter().all(|is| is)).then_some(last)
    }
}
