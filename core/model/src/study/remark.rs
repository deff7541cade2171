//! What a person should know of the training rows before a network takes them at their word.

use crate::engine::Copied;
use crate::fault::{Fault, at};
use crate::rows::Rows;
use crate::text::short;
use crate::watch::Watch;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::remarks::{Found, Remark as Kind};

const MOST: usize = 16;

/// One finding.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The column that it is about.
    pub column: Option<String>,
    /// A value of it.
    pub value: f64,
    /// Rows that it is about.
    pub rows: u64,
    /// The sentence.
    pub said: &'static str,
}

/// Finds and says them.
pub(super) fn remarks(train: &Rows, real: bool, watch: &dyn Watch) -> Result<Vec<Remark>, Fault> {
    let copy = Copied::<f64>::of(train);
    let data = copy.data()?;
    let (mut scratch, mut all) = (vec![0.0; 2 * train.n], Vec::new());
    let mut tell = |found: Found<f64>, target: bool| {
        let Some(kind) = Kind::from_code(found.remark).filter(|_| all.len() < MOST) else { return };
        let (n, rows, value, said) = (train.n, found.rows, short(found.value), kind.name());
        let column = match kind {
            Kind::Wide => None,
            _ if target => train.target,
            Kind::Repeated => train.target,
            _ => Some(train.source[found.column as usize]),
        };
        let column = column.map(|c| train.table.names[c].clone());
        let name = column.as_deref().unwrap_or("");
        watch.say(&match kind {
            Kind::Wide => format!("there are {said} ({}, {n})", train.d),
            Kind::Repeated => format!("{name} {said} ({value} in {rows} of {n})"),
            Kind::Counts => format!("column {name} {said} (--drop {name})"),
            Kind::Far => format!("column {name} {said} ({rows} of {n} rows, {value} the farthest)"),
        });
        all.push(Remark { column, value: found.value, rows, said });
    };
    lcc_core::remarks::remarks(&data, real, &mut scratch, |found| tell(found, false));
    if real {
        // The target as if it were an input: mistakes and codes decide its scale too.
        let own = Inputs::row_major(train.targets(), train.n, 1).map_err(at("the target"))?;
        let own = Dataset::new(own, train.targets()).map_err(at("the target"))?;
        let mut scratch = vec![0.0; 2 * train.n];
        lcc_core::remarks::remarks(&own, false, &mut scratch, |found| tell(found, true));
    }
    Ok(all)
}
