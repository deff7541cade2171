//! What columns are, learnt from the training rows. All complaints about a table are made together.

use super::doubts::is_total;
use super::level::level_of;
use super::{Column, Columns, MOST_LEVELS};
use crate::fault::Fault;
use crate::rows::Picked;
use crate::table::{
    BEHIND, NO_NUMBER, Table, is_date, is_missing, is_numeric, lists, may_be_missing, names_years,
    shown, why_no_number, why_no_numbers,
};
use crate::text::real;

/// What there is to say beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish<'a> {
    /// Names, by commas, of columns that are words whatever they hold.
    pub categorical: Option<&'a str>,
    /// The name of the exposure's column.
    pub exposure: Option<&'a str>,
    /// The name of the column of the rows' weights, which is no input.
    pub weights: Option<&'a str>,
    /// The target names classes.
    pub classes: bool,
    /// These, by commas, from the lowest on.
    pub order: Option<&'a str>,
    /// Their order matters: words do not have one by themselves.
    pub ordinal: bool,
    /// Missing values of inputs count for the mean; else they are refused.
    pub missing_mean: bool,
}

/// What a column holds; rows of the table.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) numbers: usize,
    pub(super) words: usize,
    pub(super) missing: usize,
    first_word: usize,
    first_missing: usize,
}

pub(super) fn look(from: &Picked, column: usize) -> Contents {
    let mut found = Contents::default();
    for (row, cell) in from.cells(column).rev() {
        if is_missing(cell) {
            found.missing += 1;
            found.first_missing = row;
        } else if is_numeric(cell) {
            found.numbers += 1;
        } else {
            found.words += 1;
            found.first_word = row;
        }
    }
    found
}

pub(super) fn refuse_missing(table: &Table, row: usize, column: usize, then: &str) -> Fault {
    let what = match table.cell(row, column) {
        "" => "is empty",
        cell if is_numeric(cell) => "is not a finite number",
        _ => "is a missing value",
    };
    table.refuse(row, column, &format!("{what}{then}"))
}

impl Columns {
    /// Learns from rows whose target is in this column, if there is one.
    pub fn learn(from: &Picked, target: Option<usize>, wish: &Wish<'_>) -> Result<Self, Fault> {
        let table = &from.table;
        let mut wrong = check_names(table, target, wish);
        let exposure = wish.exposure.and_then(|name| table.column(name));
        check_units(from, wish)?;
        let weights = wish.weights.map(str::to_string);
        let mut columns = Self { exposure: exposure.is_some(), weights, ..Self::default() };
        let mut take = |learnt: Result<Column, Fault>| match learnt {
            Ok(column) => Some(column),
            Err(fault) => {
                wrong.push(fault);
                None
            }
        };
        let weights = wish.weights.and_then(|name| table.column(name));
        let others = [target, exposure, weights];
        for column in (0..table.names.len()).filter(|c| !others.contains(&Some(*c))) {
            let words = lists(wish.categorical, &table.names[column]);
            columns.inputs.extend(take(learn_input(from, column, words, wish.missing_mean)));
        }
        if let Some(column) = exposure {
            let learnt = learn_input(from, column, false, false).and_then(|own| {
                let name = wish.exposure.unwrap_or("");
                let what = format!("{}: the exposure \"{name}\" is not a number", table.path);
                if own.is_words() { Err(Fault::failed(what)) } else { Ok(own) }
            });
            columns.inputs.extend(take(learnt));
        }
        if let Some(column) = target {
            columns.target = take(learn_target(from, column, wish)).unwrap_or_default();
        }
        Fault::all(wrong)?;
        Ok(columns)
    }
}

fn is_word(cell: &str) -> bool {
    !is_missing(cell) && !is_numeric(cell)
}

/// How many more cells of the column are like one.
fn more(count: usize) -> String {
    match count - 1 {
        0 => String::new(),
        more => format!(", and {more} more of its column"),
    }
}

/// That the first row is not one of units or of names again: words above numbers, and no number.
fn check_units(from: &Picked, wish: &Wish<'_>) -> Result<(), Fault> {
    let (table, Some(first)) = (&from.table, from.rows.first().copied()) else { return Ok(()) };
    let alone = |column: &usize| {
        let others = || from.cells(*column).skip(1).map(|(_, cell)| cell);
        is_word(table.cell(first, *column))
            && others().any(is_numeric)
            && !others().any(is_word)
            && !lists(wish.categorical, &table.names[*column])
    };
    let mut columns = 0..table.names.len();
    if columns.clone().any(|k| is_numeric(table.cell(first, k))) || !columns.any(|k| alone(&k)) {
        return Ok(());
    }
    let what = "has words, the rows below have numbers: leave it out if it has units or names";
    Err(Fault::failed(format!("{} {what}", table.at_row(first))))
}

fn learn_input(from: &Picked, column: usize, words: bool, mean: bool) -> Result<Column, Fault> {
    let (table, has) = (&from.table, look(from, column));
    if has.numbers + has.words == 0 {
        let what = format!(" has no values: leave it out (--drop \"{}\")", table.names[column]);
        return Err(table.refuse_column(column, &what));
    }
    // What may be a missing value among numbers is not what is wrong with them.
    let wrong =
        |(_, cell): &(_, &str)| is_word(cell) && (has.numbers == 0 || !may_be_missing(cell));
    let row = from.cells(column).find(wrong).map_or(has.first_word, |(row, _)| row);
    let first = if has.words > 0 { table.cell(row, column) } else { "" };
    let why = why_no_number(first);
    // Seasons, as 2010-11 beside 2012-13, are no months.
    let dates = is_date(first) && !from.cells(column).any(|(_, cell)| names_years(cell));
    if has.words > 0 && !words && (has.numbers > 0 || dates) {
        let what = match why {
            _ if is_total(first) && has.words == 1 => {
                "stands among numbers: is its row one of totals? then leave it out".into()
            }
            NO_NUMBER => format!(
                "is not a number, as others of its column are{} (--categorical takes all as words)",
                more(has.words)
            ),
            _ => {
                let codes = if why == BEHIND { " (--categorical takes all as words)" } else { "" };
                why.replacen(": ", &(more(has.words) + ": "), 1) + codes
            }
        };
        return Err(table.refuse(row, column, &what));
    }
    if has.missing > 0 && !mean {
        let then = more(has.missing) + " (--missing mean or --missing drop takes such rows)";
        return Err(refuse_missing(table, has.first_missing, column, &then));
    }
    if !words && has.words == 0 {
        return Ok(Column { indicator: has.missing > 0, ..learn_mean(from, column)? });
    }
    let own = learn_levels(from, column, has.numbers + has.words)?;
    let count = own.levels.len();
    // A word that only the rows held out are without is as a number that is the same in all rows.
    let other = |row: usize| own.find(&level_of(table.cell(row, column))).is_err();
    if count == 1 && !(0..table.rows()).any(other) {
        let what = "is not a number, and a column of one word tells nothing: leave it out (--drop)";
        return Err(table.refuse(has.first_word, column, what));
    }
    if count > 20 && count > (has.numbers + has.words) / 2 {
        if let Some(why) = why_no_numbers(&own.levels).filter(|_| has.numbers == 0) {
            return Err(table.refuse(has.first_word, column, why));
        }
        let rows = from.rows.len();
        let what = format!(
            ": {count} different words in {rows} rows tell nothing: leave it out (--drop; --id keeps it beside predictions)"
        );
        return Err(table.refuse_column(column, &what));
    }
    Ok(Column { indicator: has.missing > 0, ..own })
}

fn learn_target(from: &Picked, column: usize, wish: &Wish<'_>) -> Result<Column, Fault> {
    let (table, has) = (&from.table, look(from, column));
    if has.missing > 0 {
        let then = more(has.missing) + " (--missing drop leaves such rows out)";
        return Err(refuse_missing(table, has.first_missing, column, &then));
    }
    if !wish.classes {
        if has.numbers == 0
            && has.words > 1
            && why_no_number(table.cell(has.first_word, column)) == NO_NUMBER
        {
            let what = ": its cells are words, and this fit is of numbers (--method bnn has classes, --output bernoulli or softmax)";
            return Err(table.refuse_column(column, what));
        }
        return learn_mean(from, column);
    }
    let own = learn_levels(from, column, has.numbers + has.words)?;
    if own.levels.len() < 2 {
        let class = own.levels.first().map_or("", |level| shown(level));
        let number = if real(class).is_some() {
            "; --output counts takes counts, regression numbers"
        } else {
            ""
        };
        let what = format!(": all rows are of one class, \"{class}\"{number}");
        return Err(table.refuse_column(column, &what));
    }
    if let Some(order) = wish.order {
        return in_order(own, order).map_err(|what| table.refuse_column(column, &what));
    }
    if wish.ordinal && own.levels.len() > 2 && own.levels.iter().any(|level| real(level).is_none())
    {
        let names = own.levels.join(",");
        let what = format!(
            ": --output ordinal needs the order of the classes, from the lowest on: --order \"{names}\", say"
        );
        return Err(table.refuse_column(column, &what));
    }
    Ok(own)
}

/// Classes in the order that names by commas give; what is wrong with that.
fn in_order(own: Column, order: &str) -> Result<Column, String> {
    let names: Vec<String> =
        order.split(',').map(|own| level_of(own.trim()).into_owned()).collect();
    if let Some(name) = own.levels.iter().find(|level| !names.contains(level)) {
        return Err(format!(": the class \"{}\" is not in --order", shown(name)));
    }
    if let Some(name) = names.iter().find(|name| !own.levels.contains(name)) {
        return Err(format!(": --order names \"{}\", of which no row is", shown(name)));
    }
    if names.len() > own.levels.len() {
        return Err(": --order names a class twice".into());
    }
    let share = |name: &String| own.find(name).map_or(0.0, |k| own.fill[k]);
    Ok(Column { fill: names.iter().map(share).collect(), levels: names, ..own })
}

/// Categories in their order, and the share of each.
fn learn_levels(from: &Picked, column: usize, present: usize) -> Result<Column, Fault> {
    let mut own = Column { name: from.table.names[column].clone(), ..Column::default() };
    for (row, cell) in from.cells(column).filter(|(_, cell)| !is_missing(cell)) {
        let text = level_of(cell);
        let at = match own.find(&text) {
            Ok(at) => at,
            Err(_) if own.levels.len() == MOST_LEVELS => {
                let what = "is one word more than a column may have, which is 256 (--drop; --id keeps it beside predictions)";
                return Err(from.table.refuse(row, column, what));
            }
            Err(at) => {
                own.levels.insert(at, text.into_owned());
                own.fill.insert(at, 0.0);
                at
            }
        };
        own.fill[at] += 1.0;
    }
    own.fill.iter_mut().for_each(|share| *share /= present as f64);
    Ok(own)
}

/// Of numbers.
fn learn_mean(from: &Picked, column: usize) -> Result<Column, Fault> {
    let mut own = Column { name: from.table.names[column].clone(), ..Column::default() };
    let (mut count, mut mean) = (0.0, 0.0);
    for (row, _) in from.cells(column).filter(|(_, cell)| !is_missing(cell)) {
        let value = from.table.number(row, column)?;
        count += 1.0;
        mean += value / count - mean / count;
        own.least = if count == 1.0 || value < own.least { value } else { own.least };
        own.greatest = if count == 1.0 || value > own.greatest { value } else { own.greatest };
    }
    own.fill.push(mean);
    Ok(own)
}

/// The names that are no input's.
fn check_names(table: &Table, target: Option<usize>, wish: &Wish<'_>) -> Vec<Fault> {
    let is_input = |name: &str| table.column(name).is_some_and(|c| Some(c) != target);
    let refuse = |name: &str, option: &str| {
        let path = &table.path;
        Fault::failed(format!("{path}: no input called \"{}\" ({option})", shown(name)))
    };
    let own = [(wish.exposure, "--exposure"), (wish.weights, "--weights")];
    let own = own.into_iter().filter_map(|(name, option)| Some((name?, option)));
    let own = own.filter(|(name, _)| !is_input(name));
    let mut wrong: Vec<_> = own.map(|(name, option)| refuse(name, option)).collect();
    let words = wish.categorical.into_iter().flat_map(|list| table.names_of(list));
    wrong.extend(words.filter(|name| !is_input(name)).map(|name| refuse(name, "--categorical")));
    wrong
}
