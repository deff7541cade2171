//! Rows dealt by a seed into training and test rows.

use crate::fault::Fault;
use crate::random::order;
use crate::rows::Picked;

/// The places of the rows in an order of the seed's; where a column of classes is given, one class after the other, so that
/// whoever deals along it deals each class alike.
pub(crate) fn dealt(rows: &Picked, classes: Option<usize>, seed: u64) -> Vec<usize> {
    let mut places = order(seed, rows.rows.len());
    if let Some(column) = classes {
        places.sort_by_key(|place| rows.table.cell(rows.rows[*place], column));
    }
    places
}

/// Rows in the order of the file, tests where they are marked.
fn part(rows: &Picked, tests: &[bool]) -> Result<(Picked, Picked), Fault> {
    let of = |tests_too: bool| {
        let own = rows.rows.iter().zip(tests).filter(|(_, test)| **test == tests_too);
        Picked { table: rows.table.clone(), rows: own.map(|(row, _)| *row).collect() }
    };
    let (train, test) = (of(false), of(true));
    if train.rows.is_empty() || test.rows.is_empty() {
        let (path, count) = (&rows.table.path, rows.rows.len());
        return Err(Fault::failed(format!(
            "{path}: {count} row{} are too few to train and to test",
            crate::text::plural(count)
        )));
    }
    Ok((train, test))
}

/// Fold k of K along an order: every K-th row tests, the others train.
pub(crate) fn cut(
    rows: &Picked,
    order: &[usize],
    fold: usize,
    folds: usize,
) -> Result<(Picked, Picked), Fault> {
    let mut tests = vec![false; rows.rows.len()];
    order.iter().skip(fold).step_by(folds).for_each(|place| tests[*place] = true);
    part(rows, &tests)
}

/// A share of the rows tests, at least one, and at least one trains.
pub(crate) fn share(
    rows: &Picked,
    classes: Option<usize>,
    share: f64,
    seed: u64,
) -> Result<(Picked, Picked), Fault> {
    let mut tests = vec![false; rows.rows.len()];
    let mut due = 0;
    for (i, place) in dealt(rows, classes, seed).into_iter().enumerate() {
        let next = ((i + 1) as f64 * share + 0.5) as usize;
        tests[place] = next > due;
        due = next;
    }
    part(rows, &tests)
}
