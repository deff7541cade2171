//! A model with its columns, as a file holds it.

use crate::columns::{Columns, Missing, Outside, Targets, Unknown};
use crate::fault::{Fault, at};
use crate::rows::{Picked, Rows};
use crate::table::{Reading, Table, read, read_bytes};
use crate::target::check;
use crate::watch::Watch;
use lcc_core::posterior::Image;
use std::sync::Arc;

/// A model, its columns where it has them, and what messages call it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file.
    pub path: String,
    /// Its bytes, which were checked.
    pub bytes: Vec<u8>,
    /// What its columns are.
    pub columns: Option<Columns>,
}

/// What the model's file leaves open of the rows it is to predict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The file.
    pub data: &'a str,
    /// The target; else the one of the training rows, or y.
    pub target: Option<&'a str>,
    /// What stands between cells.
    pub delimiter: Option<&'a str>,
    /// Whether it must be there.
    pub needed: Targets,
    /// Of categories that the model does not know.
    pub unknown: Unknown,
    /// Of missing values, beside those of inputs that some training row missed.
    pub missing: Missing,
}

impl Saved {
    /// Of a file.
    pub fn open(path: &str) -> Result<Self, Fault> {
        Self::from_bytes(path, read_bytes(path)?)
    }

    /// Of its bytes; `path` only names them.
    pub fn from_bytes(path: &str, bytes: Vec<u8>) -> Result<Self, Fault> {
        let image = Image::open(&bytes).map_err(at(path))?;
        let own = image.attachment();
        let columns = (!own.is_empty()).then(|| Columns::from_bytes(own, path)).transpose()?;
        Ok(Self { path: path.into(), bytes, columns })
    }

    /// What it holds.
    pub fn image(&self) -> Result<Image<'_>, Fault> {
        image(&self.bytes)
    }

    /// The bytes of the model without its columns.
    pub fn bare(&self) -> Result<Vec<u8>, Fault> {
        let mut bare = vec![0; self.bytes.len()];
        let length = self.image()?.attach(&[], &mut bare).map_err(at(&self.path))?;
        bare.truncate(length);
        Ok(bare)
    }

    /// The target's column.
    pub fn target<'a>(&'a self, asked: &Asked<'a>) -> &'a str {
        let own = self.columns.as_ref().map(|c| c.target.name.as_str());
        asked.target.or(own).unwrap_or("y")
    }

    /// Makes rows of numbers of a table; those outside are counted.
    pub fn encode(
        &self,
        asked: &Asked<'_>,
        table: Table,
        outside: &mut Outside,
        watch: &dyn Watch,
    ) -> Result<Rows, Fault> {
        let (target, table) = (self.target(asked), Arc::new(table));
        let Some(columns) = &self.columns else {
            if table.before == 0 {
                let path = &table.path;
                watch.say(&format!(
                    "{path}: the model does not know its columns, so that these are taken in their order"
                ));
            }
            return Rows::take(&table, target, asked.needed == Targets::Needed);
        };
        let mut all = Picked::all(&table);
        if asked.missing == Missing::Drop {
            all.rows.retain(|row| columns.can_predict(&table, *row));
        }
        let how = (asked.unknown, asked.missing);
        let rows = columns.encode(&all, target, asked.needed, how, watch)?;
        outside.add(columns, &rows);
        if let Err(fault) = check(self.image()?.shape().output, &rows) {
            watch.say(&format!("{fault}; its log score is -inf"));
        }
        Ok(rows)
    }

    /// The rows of a file.
    pub fn rows(&self, asked: &Asked<'_>, watch: &dyn Watch) -> Result<Rows, Fault> {
        let how = Reading { delimiter: asked.delimiter, ..Reading::default() };
        let table = read(asked.data, &how, watch)?;
        let (path, mut outside) = (table.path.clone(), Outside::default());
        let rows = self.encode(asked, table, &mut outside, watch)?;
        if let Some(columns) = &self.columns {
            outside.say(columns, &path, watch);
        }
        Ok(rows)
    }
}

/// The image in bytes that were checked.
pub(crate) fn image(bytes: &[u8]) -> Result<Image<'_>, Fault> {
    Image::open_unverified(bytes).map_err(at("the model"))
}

/// A model with its columns attached.
pub fn attach(bytes: &[u8], columns: &Columns) -> Result<Vec<u8>, Fault> {
    let own = columns.to_bytes()?;
    let mut both = vec![0; bytes.len() + own.len()];
    let length = image(bytes)?.attach(&own, &mut both).map_err(at("the model"))?;
    both.truncate(length);
    Ok(both)
}
