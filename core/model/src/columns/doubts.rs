//! What a person should know of the cells before they are taken at their word.

use super::Columns;
use crate::rows::Picked;
use crate::table::{lists, shown, why_no_numbers};
use crate::text::unsigned;
use crate::watch::Watch;

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
            let mut cells = from.cells(k).map(|(_, cell)| cell);
            if let Some(look) = cells.find_map(as_code).filter(|_| !own.is_words()) {
                let name = &own.name;
                let what = format!(
                    " has numbers that {look}, as codes do: --categorical {name}, --id {name} or --drop {name}?"
                );
                say(k, &what);
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
        }
    }
}
