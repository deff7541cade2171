//! Rows that have inputs outside of the training data, of one table or of the blocks of one.

use super::Columns;
use crate::rows::Rows;
use crate::text::{general, plural, real};
use crate::watch::Watch;

/// How many there are.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// Rows that have any.
    pub rows: usize,
    /// Of so many.
    pub of: usize,
    /// Rows outside of each input that is a number.
    inputs: Vec<usize>,
}

impl Outside {
    /// Adds those of the rows.
    pub fn add(&mut self, columns: &Columns, data: &Rows) {
        self.inputs.resize(columns.inputs.len(), 0);
        self.of += data.n;
        let rows = data.outside.iter().flatten().filter(|count| **count > 0).count();
        self.rows += rows;
        if rows == 0 {
            return;
        }
        for (own, count) in
            columns.inputs.iter().zip(&mut self.inputs).filter(|(c, _)| c.has_range())
        {
            let Some(column) = data.table.column(&own.name) else { continue };
            let values = data.origin.iter().filter_map(|row| real(data.table.cell(*row, column)));
            *count += values.filter(|v| *v < own.least || *v > own.greatest).count();
        }
    }

    /// Says in one line how many there are, and whose they are most often; nothing where there is none.
    pub fn say(&self, columns: &Columns, path: &str, watch: &dyn Watch) {
        let Self { rows, of, .. } = self;
        if *rows == 0 {
            return;
        }
        let most = self.inputs.iter().copied().max().unwrap_or(0);
        let who = self.inputs.iter().position(|count| *count == most && most > 0);
        watch.say(&match who {
            Some(k) => {
                let own = &columns.inputs[k];
                let ends = |digits| (general(own.least, digits), general(own.greatest, digits));
                // Times in seconds may be alike in six digits.
                let (least, greatest) = if ends(6).0 == ends(6).1 { ends(13) } else { ends(6) };
                format!(
                    "{path}: {rows} of {of} rows lie outside the training data, most often in \"{}\" ({most} row{}; \
                     {least} to {greatest} trained): there the model extrapolates",
                    own.name,
                    plural(most)
                )
            }
            None => {
                format!("{path}: {rows} of {of} rows have categories that are not in the training data")
            }
        });
    }
}
