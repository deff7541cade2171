//! What the text of one cell is.

use super::marks::plain;
use super::tidy::decides;
use crate::text::real;

const MISSING: [&str; 22] = [
    "1.#qnan", "1.#ind", "-1.#ind", "nan", "na", "null", "n/a", "#n/a", "#na", "<na>", "#div/0!",
    "#ref!", "#value!", "#num!", "#name?", "#null!", "#nv", "#bezug!", "#wert!", "#zahl!",
    "#valeur!", "#nombre!",
];

/// What stands for no value: nothing, ?, NA, N/A, NaN, null, or an error of a spreadsheet.
pub fn is_missing(cell: &str) -> bool {
    matches!(cell, "" | "?") || MISSING.iter().any(|own| cell.eq_ignore_ascii_case(own))
}

/// What stands for no value among numbers, and may be a category among words.
pub fn may_be_missing(cell: &str) -> bool {
    const NAMES: [&str; 10] =
        ["none", "missing", "n.a.", "n.a", "nil", "nat", "(null)", "\\N", "undefined", "unknown"];
    let marks = |c: char| matches!(c, '-' | '.' | '*' | '\u{2013}' | '\u{2014}');
    cell.chars().all(marks) || NAMES.iter().any(|own| cell.eq_ignore_ascii_case(own))
}

fn names_non_finite(cell: &str) -> bool {
    let cell = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    ["nan", "inf", "infinity", "na", "null"].iter().any(|n| cell.eq_ignore_ascii_case(n))
}

/// What is a number, or would be one.
pub fn is_numeric(cell: &str) -> bool {
    real(cell).is_some() || names_non_finite(cell)
}

/// What is wrong with the cell as a finite number, or the number.
pub(super) fn finite(cell: &str) -> Result<f64, &'static str> {
    if cell.is_empty() {
        return Err("is empty");
    }
    if names_non_finite(cell) {
        return Err("is not a finite number");
    }
    match real(cell) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err("is too large for a number"),
        None => Err(why_no_number(cell)),
    }
}

/// Said of what is like nothing else.
pub const NO_NUMBER: &str = "is not a number";
/// Said of a number with text behind it.
pub const BEHIND: &str =
    "has text behind its number: leave numbers alone, with units in the name of the column";

/// What stands behind a number at the front of a cell: its unit, if it is one.
fn behind(cell: &str) -> Option<&str> {
    let tail = cell.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.,' ".contains(c));
    let digits = tail.contains(|c: char| c.is_ascii_digit());
    ((1..cell.len()).contains(&tail.len()) && !digits).then_some(tail)
}

/// Why categories look like numbers that are written in a way that is not read, and what to do; `None` of words. Texts
/// behind numbers that differ, as in 1st and 2nd, are no unit.
pub fn why_no_numbers(levels: &[String]) -> Option<&'static str> {
    let why = |level: &String| Some(why_no_number(level)).filter(|own| *own != NO_NUMBER);
    let first = levels.first()?;
    let alike = |level: &String| behind(level) == behind(first);
    let like_numbers = levels.iter().all(|level| real(level).is_none() && why(level).is_some());
    why(first).filter(|own| like_numbers && (*own != BEHIND || levels.iter().all(alike)))
}

/// Why a cell is no number, and what to do.
pub fn why_no_number(cell: &str) -> &'static str {
    match cell {
        _ if is_date(cell) => {
            "is a date, which is no number: make numbers of it that can matter, as days since the first, or leave its \
             column out (--categorical takes all as words)"
        }
        _ if decides(cell, ',') => {
            "has a comma: write decimals with a point and thousands with nothing between, or separate cells by semicolons"
        }
        _ if plain(cell).is_some() => {
            "is written otherwise than other numbers of its column: write all alike, with % or a currency or without"
        }
        _ if cell.starts_with(['<', '>', '\u{2264}', '\u{2265}']) => {
            "is a limit, which is no number: write a number, or leave the cell empty"
        }
        _ if behind(cell).is_some() => BEHIND,
        _ => NO_NUMBER,
    }
}

const MONTHS: &str =
    "january february march april may june july august september october november december";

/// A day beside the name of a month, as 31 Jan 2024, Jan-24 or January 31, 2024.
fn names_month(cell: &str) -> bool {
    let parts: Vec<&str> =
        cell.split([' ', '-', '/', ',', '.']).filter(|p| !p.is_empty()).collect();
    let month = |part: &&str| {
        let own = part.to_ascii_lowercase();
        own.len() > 2 && MONTHS.split(' ').any(|month| month.starts_with(&own))
    };
    let others: Vec<_> = parts.iter().filter(|part| !month(part)).collect();
    let number = |part: &&&str| part.len() <= 4 && part.bytes().all(|c| c.is_ascii_digit());
    parts.len() == others.len() + 1 && (1..=2).contains(&others.len()) && others.iter().all(number)
}

/// A date or a time of day in digits, as 2024-01-31, 31.1.2024 8:30, 1/31/24 or 08:30:00, or with the name of a month.
pub fn is_date(cell: &str) -> bool {
    if names_month(cell) {
        return true;
    }
    let digits = |at: usize, most: usize| {
        cell.bytes().skip(at).take(most).take_while(u8::is_ascii_digit).count()
    };
    let byte = |at: usize| cell.as_bytes().get(at).copied();
    let first = digits(0, 4);
    let Some(between) = byte(first).filter(|c| first > 0 && b"-/.:".contains(c)) else {
        return false;
    };
    let second = digits(first + 1, 2);
    if second == 0 {
        return false;
    }
    let at = first + 1 + second;
    if between == b':' {
        return first <= 2 && matches!(byte(at), None | Some(b':' | b' '));
    }
    match byte(at) {
        None => between == b'-' && first == 4 && !names_years(cell),
        Some(c) if c == between => {
            let third = digits(at + 1, 4);
            third > 0 && matches!(byte(at + 1 + third), None | Some(b' ' | b'T'))
        }
        Some(_) => false,
    }
}

/// Two years, as 1960-64: no month has that number.
pub fn names_years(cell: &str) -> bool {
    let Some((first, second)) = cell.split_once('-') else { return false };
    let digits =
        |text: &str, count| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    digits(first, 4) && digits(second, 2) && !("01"..="12").contains(&second)
}

/// Whether a list, by commas, has the name.
pub fn lists(list: Option<&str>, name: &str) -> bool {
    list.is_some_and(|list| {
        // Names may hold commas themselves.
        list.match_indices(name).any(|(at, _)| {
            let end = at + name.len();
            (at == 0 || list.as_bytes()[at - 1] == b',')
                && (end == list.len() || list.as_bytes()[end] == b',')
        })
    })
}
