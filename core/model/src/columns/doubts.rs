//! What a person should know of the cells before they are taken at their word.

use super::Columns;
use crate::rows::Picked;
use crate::table::shown;
use crate::text::{plural, unsigned};
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

/// As 20240131.
fn is_packed_date(cell: &str) -> bool {
    let part = |from: usize, to: usize| cell.get(from..to).and_then(unsigned).unwrap_or(0);
    let (year, month, day) = (part(0, 4), part(4, 6), part(6, 8));
    cell.len() == 8
        && (1900..2100).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
}

/// As 00123: months and hours have two digits.
fn is_code(cell: &str) -> bool {
    cell.len() > 3 && cell.starts_with('0') && unsigned(cell).is_some()
}

impl Columns {
    /// Says what looks like a mistake.
    pub(crate) fn doubt(&self, from: &Picked, watch: &dyn Watch) {
        let table = &from.table;
        let say = |k: usize, what: &str| watch.say(&table.refuse_column(k, what).to_string());
        for own in self.inputs.iter().chain([&self.target]) {
            let Some(k) = table.column(&own.name) else { continue };
            let same =
                |(a, b): &(&String, &String)| a.len() > 1 && a.to_lowercase() == b.to_lowercase();
            let pairs = own.levels.iter().enumerate();
            let mut pairs =
                pairs.flat_map(|(i, a)| own.levels[i + 1..].iter().map(move |b| (a, b)));
            if let Some((a, b)) = pairs.find(same) {
                let (a, b) = (shown(a), shown(b));
                say(k, &format!(": \"{a}\" and \"{b}\" are two categories: are they one?"));
            }
            let cells = || from.cells(k).map(|(_, cell)| cell).filter(|cell| !cell.is_empty());
            if !own.is_words() && cells().all(is_packed_date) {
                let what = " looks like dates: as a number a month ends in a jump: days since the first tell more";
                say(k, what);
            } else if !own.is_words() && cells().any(is_code) {
                let name = &own.name;
                let what = format!(
                    " has numbers that begin with 0, as codes do: --categorical {name}, --id {name} or --drop {name}?"
                );
                say(k, &what);
            }
        }
        // A word of other rows too is a category like others.
        let alone =
            |k: &usize, word: &str| from.cells(*k).filter(|(_, own)| *own == word).count() == 1;
        let total = |row: &usize, k: &usize| {
            let cell = table.cell(*row, *k);
            TOTALS.iter().any(|own| cell.eq_ignore_ascii_case(own)) && alone(k, cell)
        };
        if let Some(row) = from.rows.iter().max().copied()
            && let Some(k) = (0..table.names.len()).find(|k| total(&row, k))
        {
            let what = "in the last row: is it one of totals? then leave it out";
            watch.say(&table.refuse(row, k, what).to_string());
        }
        let n = from.rows.len();
        if n < FEW {
            watch.say(&format!("{}: {n} training row{} can tell little", table.path, plural(n)));
        }
    }
}
