//! Which rows train and which test: from a file, `{"splits":[{"test":[rows],"train_500":[rows]}]}`, or dealt by a seed, in an
//! order of SplitMix64 (Steele, Lea and Flood 2014).

use crate::fault::Fault;
use crate::rows::Picked;
use crate::table::read_bytes;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    splits: Vec<Split>,
}

#[derive(Deserialize)]
struct Split {
    test: Option<Vec<usize>>,
    train_500: Option<Vec<usize>>,
}

/// Marks each row of the list: all are below n, and none stands twice or is marked.
fn mark(at: &str, name: &str, list: &[usize], marks: &mut [bool]) -> Result<(), Fault> {
    for row in list {
        let n = marks.len();
        let refuse = |what: String| Fault::failed(format!("{at}, \"{name}\": row {row}{what}"));
        let own = marks.get_mut(*row);
        let own = own.ok_or_else(|| refuse(format!(", but the data have {n} rows (from 0)")))?;
        if std::mem::replace(own, true) {
            return Err(refuse(" is listed twice".into()));
        }
    }
    Ok(())
}

/// Split k (from 0) of a table of n rows: training rows and test rows. Those that train are `train_500` where `subset` is
/// set, else all that do not test.
pub fn read(
    path: &str,
    k: usize,
    n: usize,
    subset: bool,
) -> Result<(Vec<usize>, Vec<usize>), Fault> {
    parse(path, &read_bytes(path)?, k, n, subset)
}

/// The same of the bytes of such a file.
pub fn parse(
    path: &str,
    bytes: &[u8],
    k: usize,
    n: usize,
    subset: bool,
) -> Result<(Vec<usize>, Vec<usize>), Fault> {
    let file: File = serde_json::from_slice(bytes)
        .map_err(|e| Fault::failed(format!("{path}: line {}: {}", e.line(), plain(&e))))?;
    let (at, count) = (format!("{path}: split {k}"), file.splits.len());
    let missing = || Fault::failed(format!("{path}: no split {k}: it holds {count} (from 0)"));
    let split = file.splits.into_iter().nth(k).ok_or_else(missing)?;
    let absent = |name: &str| Fault::failed(format!("{at} has no \"{name}\""));
    let test = split.test.ok_or_else(|| absent("test"))?;
    let mut marks = vec![false; n];
    mark(&at, "test", &test, &mut marks)?;
    let train = if subset {
        let train = split.train_500.ok_or_else(|| absent("train_500"))?;
        mark(&at, "train_500", &train, &mut marks)?;
        train
    } else {
        (0..n).filter(|row| !marks[*row]).collect()
    };
    let empty = if test.is_empty() { Some("test") } else { None };
    match empty.or(train.is_empty().then_some("train")) {
        Some(what) => Err(Fault::failed(format!("{at} leaves no row to {what}"))),
        None => Ok((train, test)),
    }
}

/// The message without the place, which stands before it.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.contains("expected usize") {
        return "a row number from 0 is expected".into();
    }
    text.split(" at line ").next().unwrap_or("").to_string()
}

/// The places of rows that are held out together, those of a group, and of each before the next: in an order of the seed's; where
/// a column of classes is given, one class after the other (of a group that of its first row), so that whoever deals along it
/// deals each class alike.
pub(crate) fn dealt(rows: &Picked, classes: Option<usize>, seed: u64) -> Vec<Vec<usize>> {
    let (count, groups) = (rows.rows.len(), rows.groups());
    let mut all: Vec<Vec<usize>> = Vec::new();
    for place in 0..count {
        let own = groups.get(place).map_or(place, |group| *group as usize);
        all.resize_with(all.len().max(own + 1), Vec::new);
        all[own].push(place);
    }
    let mut dealt: Vec<_> =
        order(seed, all.len()).into_iter().map(|k| std::mem::take(&mut all[k])).collect();
    if let Some(column) = classes {
        dealt.sort_by_key(|places| rows.table.cell(rows.rows[places[0]], column));
    }
    dealt
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

/// Fold k of K along an order: every K-th row or group tests, the others train.
pub(crate) fn cut(
    rows: &Picked,
    order: &[Vec<usize>],
    fold: usize,
    folds: usize,
) -> Result<(Picked, Picked), Fault> {
    let mut tests = vec![false; rows.rows.len()];
    order.iter().skip(fold).step_by(folds).flatten().for_each(|place| tests[*place] = true);
    part(rows, &tests)
}

/// A share of the rows tests, to half a group, at least one, and at least one trains.
pub(crate) fn share(
    rows: &Picked,
    classes: Option<usize>,
    share: f64,
    seed: u64,
) -> Result<(Picked, Picked), Fault> {
    let mut tests = vec![false; rows.rows.len()];
    let (mut before, mut tested) = (0, 0);
    for places in dealt(rows, classes, seed) {
        before += places.len();
        let due = (before as f64 * share + 0.5) as usize;
        if due >= tested + places.len().div_ceil(2) {
            tested += places.len();
            places.into_iter().for_each(|place| tests[place] = true);
        }
    }
    part(rows, &tests)
}

/// Its state.
pub(crate) struct Dealer(pub(crate) u64);

impl Dealer {
    /// The next number in [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
    }
}

/// 0 to count - 1 in a random order (Fisher and Yates 1938).
pub(crate) fn order(seed: u64, count: usize) -> Vec<usize> {
    let mut dealer = Dealer(seed);
    let mut order: Vec<usize> = (0..count).collect();
    for i in (2..=count).rev() {
        let other = (dealer.uniform() * i as f64) as usize;
        order.swap(i - 1, other);
    }
    order
}
