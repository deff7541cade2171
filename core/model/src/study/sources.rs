//! The rows of a fit: read from their files, and what their columns are, learnt from the training rows.

use super::{Held, Method, Remark, Request};
use crate::columns::{Columns, Missing, Targets, Unknown, Wish};
use crate::fault::Fault;
use crate::folds;
use crate::rows::{Picked, Rows, target_of};
use crate::splits;
use crate::table::{Reading, Table, name_of, parse, read_bytes};
use crate::target::{Kind, Target};
use crate::text::short;
use crate::watch::Watch;
use lcc_core::network::Output;
use std::sync::Arc;

/// The tables, and which rows train and which test.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Rows that train.
    pub trains: Picked,
    /// Rows that test, of the same file or of their own.
    pub tests: Option<Picked>,
    /// Rows to follow.
    pub stream: Option<Picked>,
    /// The column of the target.
    pub target: usize,
}

/// Rows as numbers, and what their columns are.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The columns.
    pub columns: Columns,
    /// What the target is.
    pub target: Target,
    /// Rows that train.
    pub train: Rows,
    /// Rows that test.
    pub test: Option<Rows>,
    /// Rows to follow.
    pub stream: Option<Rows>,
    /// What a person should know of the training rows.
    pub remarks: Vec<Remark>,
}

impl Request {
    fn wish(&self, classes: bool) -> Wish<'_> {
        Wish {
            categorical: self.categorical.as_deref(),
            exposure: self.exposure.as_deref(),
            missing_mean: self.missing == Missing::Mean,
            classes,
        }
    }

    /// A table by the bytes of its file; one beside the data may lack what is dropped.
    fn table(
        &self,
        path: &str,
        bytes: &[u8],
        beside: bool,
        watch: &dyn Watch,
    ) -> Result<Arc<Table>, Fault> {
        let own = [self.target.as_str()];
        let own: Vec<&str> = own.into_iter().chain(self.exposure.as_deref()).collect();
        let how = Reading {
            delimiter: self.delimiter.as_deref(),
            drop: self.drop.as_deref(),
            only: self.only.as_deref(),
            id: self.id.as_deref(),
            beside: &own,
            absent: beside,
        };
        let table = Arc::new(parse(name_of(path), bytes, &how, watch)?);
        let Err(fault) = target_of(&table, &self.target, true) else { return Ok(table) };
        // What else is wrong with it is said at once.
        let mut wrong = vec![fault];
        if table.column(&self.target).is_none() && !beside && self.missing != Missing::Drop {
            wrong.extend(Columns::learn(&Picked::all(&table), None, &self.wish(false)).err());
        }
        Fault::all(wrong).map(|()| table)
    }

    /// All rows of a table but those that miss cells, where that is wanted.
    fn complete(&self, mut rows: Picked, watch: &dyn Watch) -> Result<Picked, Fault> {
        let all = rows.rows.len();
        let dropped = if self.missing == Missing::Drop { rows.complete() } else { 0 };
        let path = &rows.table.path;
        if dropped > 0 {
            watch.say(&format!("{path}: {dropped} of {all} rows miss cells and are left out"));
        }
        if rows.rows.is_empty() {
            Err(Fault::failed(format!("{path}: no row is left")))
        } else {
            Ok(rows)
        }
    }

    /// What y is, of the method that has more than real numbers for it; the number of classes apart.
    pub(super) fn target_of(&self, trains: &Picked, column: usize) -> Result<Target, Fault> {
        if self.method != Method::Bnn {
            return Ok(Target::default());
        }
        let (output, exposure) = (self.output.as_deref(), self.exposure.as_deref());
        let target = Target::choose(output, exposure, trains, column)?;
        if self.components > 0 && target.output != Output::Mixture {
            return Err(Fault::usage("fit: --components is of --output mixture"));
        }
        if self.stream.is_some() && target.kind != Kind::Numbers {
            let what = "fit: --stream is for a target of numbers (--output regression)";
            return Err(Fault::usage(what));
        }
        Ok(target)
    }
}

impl Sources {
    /// Reads all files, and says which rows train and which test.
    pub fn read(request: &Request, watch: &dyn Watch) -> Result<Self, Fault> {
        Self::of(request, &read_bytes(&request.data)?, watch)
    }

    /// The same of data in memory, which the request's path only names.
    pub fn of(request: &Request, bytes: &[u8], watch: &dyn Watch) -> Result<Self, Fault> {
        let table = request.table(&request.data, bytes, false, watch)?;
        let own = |path: &str| -> Result<Picked, Fault> {
            let table = request.table(path, &read_bytes(path)?, true, watch)?;
            request.complete(Picked::all(&table), watch)
        };
        let target = table.column(&request.target).unwrap_or(0);
        let stream = request.stream.as_deref().map(own).transpose()?;
        let all = || request.complete(Picked::all(&table), watch);
        let (trains, tests) = match &request.held {
            Held::None => (all()?, None),
            Held::File(path) => {
                let tests = own(path)?;
                (all()?, Some(tests))
            }
            Held::Split(path, k, subset) => {
                let (train, test) = splits::read(path, *k, table.rows(), *subset)?;
                let of = |rows| request.complete(Picked { table: table.clone(), rows }, watch);
                let tests = of(test)?;
                (of(train)?, Some(tests))
            }
            Held::Share(share) => {
                // Of what trains and tests: the target's kind follows from all.
                let all = all()?;
                let kind = request.target_of(&all, target)?.kind;
                let classes = (kind == Kind::Classes).then_some(target);
                let (train, test) = folds::share(&all, classes, *share, request.seed())?;
                (train, Some(test))
            }
        };
        Ok(Self { trains, tests, stream, target })
    }

    /// Learns what the columns are, encodes all rows, and settles what of the request depends on them. What y is follows
    /// from the training rows, unless it is known.
    pub fn learn(
        &self,
        request: &mut Request,
        known: Option<&Target>,
        watch: &dyn Watch,
    ) -> Result<Learned, Fault> {
        let mut target = match known {
            Some(known) => *known,
            None => request.target_of(&self.trains, self.target)?,
        };
        let wish = request.wish(target.kind == Kind::Classes);
        let columns = Columns::learn(&self.trains, Some(self.target), &wish)?;
        target.settle(&columns)?;
        let encode = |request: &Request, rows: &Picked| {
            let mean = known.is_some() || request.missing == Missing::Mean;
            let unknown = if known.is_some() { Unknown::Mean } else { request.unknown };
            let missing = if mean { Missing::Mean } else { Missing::Refuse };
            let rows = columns.encode(
                rows,
                &request.target,
                Targets::Needed,
                (unknown, missing),
                watch,
            )?;
            target.check(&rows)?;
            if !request.is_double() {
                rows.fits_single()?;
            }
            Ok::<_, Fault>(rows)
        };
        let train = encode(request, &self.trains)?;
        if known.is_none() {
            let own = &columns.target;
            if target.kind == Kind::Numbers && own.least == own.greatest {
                let what = format!(
                    ": all training rows have the value {}: there is nothing to predict",
                    short(own.least)
                );
                return Err(self.trains.table.refuse_column(self.target, &what));
            }
            columns.doubt(&self.trains, watch);
            settle_precision(request, &train, watch);
        }
        let test = self.tests.as_ref().map(|rows| encode(request, rows)).transpose()?;
        let stream = self.stream.as_ref().map(|rows| encode(request, rows)).transpose()?;
        let s = &mut request.settings;
        (s.output, s.exposure) = (target.output, columns.exposure);
        s.categories = match target.kind {
            Kind::Classes => columns.target.levels.len() as u32,
            _ => request.components,
        };
        Ok(Learned { columns, target, train, test, stream, remarks: Vec::new() })
    }
}

/// Double precision, where single would round away what the columns say; a word about it either way.
fn settle_precision(request: &mut Request, train: &Rows, watch: &dyn Watch) {
    let Some(column) = train.needs_double().filter(|_| !request.is_double()) else { return };
    let given = request.precision_given;
    let then = if given {
        "; leave --precision f32 out"
    } else {
        ": the fit is in double (--precision f64)"
    };
    let what = format!(": single precision does not hold what its values differ by{then}");
    watch.say(&train.table.refuse_column(column, &what).to_string());
    if !given {
        request.set_double();
    }
}
