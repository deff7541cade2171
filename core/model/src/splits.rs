//! Which rows train and which test, from a file: `{"splits":[{"test":[rows],"train_500":[rows]}]}`.

use crate::fault::Fault;
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
