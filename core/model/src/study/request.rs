//! What a fit of a file is asked; its rows, read from their files, and what their columns are, learnt from those that train.

use super::{Others, Remark};
use crate::columns::{Columns, Missing, Targets, Unknown, Wish};
use crate::fault::Fault;
use crate::methods::{Choice, GreedySettings, StreamSettings};
use crate::network::Settings;
use crate::rows::{Picked, Rows, target_of};
use crate::splits;
use crate::table::{Reading, Table, name_of, parse, read_bytes};
use crate::target::{Kind, Target};
use crate::text::short;
use crate::watch::Watch;
use lcc_core::estimator::prequential::Averaging;
use lcc_core::estimator::{BnnMethod, NetworkOptions};
use lcc_core::network::Output;
use std::collections::HashSet;
use std::sync::Arc;
use web_time::Instant;

/// The method, of which [`Settings::method`] says more where it is the network's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The network of any depth and output.
    Bnn,
    /// One layer by a few long chains.
    Network,
    /// Greedy Bayes.
    Greedy,
    /// Its online form.
    Prequential,
    /// Greedy least squares.
    Relaxed,
}

/// Which rows are held out.
#[derive(Clone, Debug, Default)]
pub enum Held {
    /// None.
    #[default]
    None,
    /// Those of a file.
    File(String),
    /// Those of a split in a file, and whether its subset of training rows is taken.
    Split(String, usize, bool),
    /// A share by the seed.
    Share(f64),
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file of the rows.
    pub data: String,
    /// The target's column.
    pub target: String,
    /// Test rows.
    pub held: Held,
    /// Folds of cross-validation; 0: none.
    pub folds: usize,
    /// How often, by other folds.
    pub repeats: usize,
    /// The share of the training rows that train.
    pub trained_share: f64,
    /// Whether scores after fewer training rows are asked for.
    pub curve: bool,
    /// Rows to follow one by one.
    pub stream: Option<String>,
    /// How.
    pub following: StreamSettings,
    /// Columns of words.
    pub categorical: Option<String>,
    /// The exposure's column.
    pub exposure: Option<String>,
    /// The column of how often each row counts.
    pub weights: Option<String>,
    /// What y is.
    pub output: Option<String>,
    /// Its classes, from the lowest on, by commas.
    pub order: Option<String>,
    /// Components of a mixture; 0: not given.
    pub components: u32,
    /// Between cells.
    pub delimiter: Option<String>,
    /// Columns left out.
    pub drop: Option<String>,
    /// Columns that stay.
    pub only: Option<String>,
    /// Columns that identify rows.
    pub id: Option<String>,
    /// Columns whose cells are the same for all rows of a group, which is held out as a whole.
    pub group: Option<String>,
    /// Of missing values.
    pub missing: Missing,
    /// Of unknown categories.
    pub unknown: Unknown,
    /// Seconds.
    pub time: Option<f64>,
    /// When it began.
    pub began: Instant,
    /// Whether trajectories and starts are not to be shortened.
    pub whole: bool,
    /// Whether the precision was asked for.
    pub precision_given: bool,
    /// The probability of the intervals.
    pub interval: f64,
    /// No temperature for classes.
    pub no_calibration: bool,
    /// The method's name.
    pub method_name: String,
    /// And the method.
    pub method: Method,
    /// Of the network.
    pub settings: Settings,
    /// Of few long chains.
    pub long: NetworkOptions<f64>,
    /// Of greedy methods.
    pub greedy: GreedySettings,
    /// Levels and V to choose from.
    pub choice: Choice,
    /// Of the prequential form.
    pub averaging: Averaging,
    /// The record of the chains is asked for.
    pub traced: bool,
    /// What runs other methods than the network's, and streams: [`Others::ALL`].
    pub others: Option<Others>,
}

impl Request {
    /// A fit of the column y of a file by a method of the network, where nobody says otherwise.
    pub fn of(data: &str, method: BnnMethod) -> Self {
        Self {
            data: data.into(),
            target: "y".into(),
            held: Held::None,
            folds: 0,
            repeats: 1,
            trained_share: 1.0,
            curve: false,
            stream: None,
            following: StreamSettings::default(),
            categorical: None,
            exposure: None,
            weights: None,
            output: None,
            order: None,
            components: 0,
            delimiter: None,
            drop: None,
            only: None,
            id: None,
            group: None,
            missing: Missing::Refuse,
            unknown: Unknown::Refuse,
            time: None,
            began: Instant::now(),
            whole: false,
            precision_given: false,
            interval: 0.9,
            no_calibration: false,
            method_name: method.name().into(),
            method: Method::Bnn,
            settings: Settings::of(method),
            long: NetworkOptions::default(),
            greedy: GreedySettings::default(),
            choice: Choice::default(),
            averaging: Averaging::Last,
            traced: false,
            others: None,
        }
    }

    /// In which precision.
    pub fn is_double(&self) -> bool {
        match self.method {
            Method::Bnn | Method::Network => self.settings.double,
            _ => self.greedy.double,
        }
    }

    /// The name of that.
    pub fn precision(&self) -> &'static str {
        if self.is_double() { "f64" } else { "f32" }
    }

    /// In double precision, where single would lose data and nobody asked for it.
    pub(super) fn set_double(&mut self) {
        (self.settings.double, self.greedy.double) = (true, true);
    }

    /// Names the random numbers.
    pub fn seed(&self) -> u64 {
        self.settings.options.seed
    }
}

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
    fn wish(&self, target: &Target) -> Wish<'_> {
        Wish {
            order: self.order.as_deref(),
            ordinal: target.output == Output::Ordinal,
            classes: target.kind == Kind::Classes,
            categorical: self.categorical.as_deref(),
            exposure: self.exposure.as_deref(),
            weights: self.weights.as_deref(),
            missing_mean: self.missing == Missing::Mean,
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
        let others = self.exposure.iter().chain(&self.weights).map(String::as_str);
        let own: Vec<&str> = own.into_iter().chain(others).collect();
        let how = Reading {
            delimiter: self.delimiter.as_deref(),
            drop: self.drop.as_deref(),
            only: self.only.as_deref(),
            id: self.id.as_deref(),
            group: self.group.as_deref(),
            beside: &own,
            absent: beside,
        };
        let table = Arc::new(parse(name_of(path), bytes, &how, watch)?);
        let Err(fault) = target_of(&table, &self.target, true) else { return Ok(table) };
        // What else is wrong with it is said at once.
        let mut wrong = vec![fault];
        if table.column(&self.target).is_none() && !beside && self.missing != Missing::Drop {
            wrong.extend(
                Columns::learn(&Picked::all(&table), None, &self.wish(&Target::default())).err(),
            );
        }
        Fault::all(wrong).map(|()| table)
    }

    /// All rows of a table but those that miss cells, where that is wanted; of the column `open` they may.
    fn complete(
        &self,
        mut rows: Picked,
        open: Option<usize>,
        watch: &dyn Watch,
    ) -> Result<Picked, Fault> {
        let all = rows.rows.len();
        let dropped = if self.missing == Missing::Drop { rows.complete(open) } else { 0 };
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

    /// The training rows with a weight, and these weights: all rows, and none, where weights are not asked for.
    fn weighted(&self, trains: &Picked) -> Result<(Picked, Vec<f64>), Fault> {
        let (mut own, mut weights) = (trains.clone(), Vec::new());
        let table = &trains.table;
        let Some(column) = self.weights.as_deref().and_then(|name| table.column(name)) else {
            return Ok((own, weights));
        };
        if self.method != Method::Bnn {
            let what = format!("fit: --weights is not for --method {}", self.method_name);
            return Err(Fault::usage(what));
        }
        own.rows.clear();
        for row in &trains.rows {
            let weight = table.number(*row, column)?;
            if weight < 0.0 {
                return Err(table.refuse(*row, column, "is no weight: it must be 0 or more"));
            }
            if weight > 0.0 {
                own.rows.push(*row);
                weights.push(weight);
            }
        }
        if own.rows.is_empty() {
            return Err(table.refuse_column(column, ": no training row has a weight above 0"));
        }
        Ok((own, weights))
    }

    /// Says where rows that are held out share what identifies them with rows that train.
    fn doubt_groups(&self, trains: &Picked, kind: Kind, watch: &dyn Watch) {
        let calibrated = kind == Kind::Classes && !self.no_calibration;
        let held = self.folds > 0 || matches!(self.held, Held::Share(_)) || calibrated;
        let Some(names) = self.id.as_deref().filter(|_| held && self.group.is_none()) else {
            return;
        };
        let table = &trains.table;
        let all = trains.rows.iter().map(|row| table.identity(*row).collect::<Vec<_>>());
        let (rows, count) = (trains.rows.len(), all.collect::<HashSet<_>>().len());
        if 2 * rows >= 3 * count && count > 1 {
            watch.say(&format!(
                "{}: {rows} rows are of {count} different {names}: where new rows will be of others, --group {names} holds out \
                 those of each together",
                table.path
            ));
        }
    }

    /// What y is, of the method that has more than real numbers for it; the number of classes apart.
    pub(super) fn target_of(&self, trains: &Picked, column: usize) -> Result<Target, Fault> {
        if self.method != Method::Bnn {
            return Ok(Target::default());
        }
        let (output, exposure) = (self.output.as_deref(), self.exposure.as_deref());
        let target = Target::choose(output, exposure, trains, column)?;
        if self.order.is_some() && target.kind != Kind::Classes {
            return Err(Fault::usage("fit: --order is of classes (--output ordinal, or classes)"));
        }
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
        let own = |path: &str, open: bool| -> Result<Picked, Fault> {
            let table = request.table(path, &read_bytes(path)?, true, watch)?;
            let open = table.column(&request.target).filter(|_| open);
            request.complete(Picked::all(&table), open, watch)
        };
        let target = table.column(&request.target).unwrap_or(0);
        let stream = request.stream.as_deref().map(|path| own(path, true)).transpose()?;
        let complete = |rows| request.complete(rows, None, watch);
        let all = || complete(Picked::all(&table));
        let (trains, tests) = match &request.held {
            Held::None => (all()?, None),
            Held::File(path) => {
                let tests = own(path, false)?;
                (all()?, Some(tests))
            }
            Held::Split(path, k, subset) => {
                let (train, test) = splits::read(path, *k, table.rows(), *subset)?;
                let of = |rows| complete(Picked { table: table.clone(), rows });
                let tests = of(test)?;
                (of(train)?, Some(tests))
            }
            Held::Share(share) => {
                // Of what trains and tests: the target's kind follows from all.
                let all = all()?;
                let kind = request.target_of(&all, target)?.kind;
                let classes = (kind == Kind::Classes).then_some(target);
                let (train, test) = splits::share(&all, classes, *share, request.seed())?;
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
        let (trains, weights) = request.weighted(&self.trains)?;
        let mut target = match known {
            Some(known) => *known,
            None => request.target_of(&trains, self.target)?,
        };
        let wish = request.wish(&target);
        let columns = Columns::learn(&trains, Some(self.target), &wish)?;
        target.settle(&columns)?;
        let encode = |request: &Request, rows: &Picked, needed: Targets| {
            let mean = known.is_some() || request.missing == Missing::Mean;
            let unknown = if known.is_some() { Unknown::Mean } else { request.unknown };
            let missing = if mean { Missing::Mean } else { Missing::Refuse };
            let rows = columns.encode(rows, &request.target, needed, (unknown, missing), watch);
            // Of a fold the rows that train may lack a class.
            let rows = rows.map_err(|fault| match known {
                Some(_) => Fault::failed(format!(
                    "{fault}; the rows of the other folds have none: join rare classes, or leave their rows out"
                )),
                None => fault,
            })?;
            target.check(&rows)?;
            if !request.is_double() {
                rows.fits_single()?;
            }
            Ok::<_, Fault>(rows)
        };
        let train =
            Rows { weights, groups: trains.groups(), ..encode(request, &trains, Targets::Needed)? };
        if known.is_none() {
            let own = &columns.target;
            if target.kind == Kind::Numbers && own.least == own.greatest {
                let what = format!(
                    ": all training rows have the value {}: there is nothing to predict",
                    short(own.least)
                );
                return Err(trains.table.refuse_column(self.target, &what));
            }
            columns.doubt(&trains, request.categorical.as_deref(), watch);
            request.doubt_groups(&trains, target.kind, watch);
            settle_precision(request, &train, target.output, watch);
        }
        let of = |rows: &Option<Picked>, needed| {
            rows.as_ref().map(|rows| encode(request, rows, needed)).transpose()
        };
        let test = of(&self.tests, Targets::Needed)?;
        let stream = of(&self.stream, Targets::Any)?;
        if let Some(own) = stream.as_ref().filter(|own| own.y.is_none()) {
            let what = "no row of the stream has a target: lcc predict predicts such rows";
            return Err(Fault::failed(format!("{}: {what}", own.table.path)));
        }
        let s = &mut request.settings;
        (s.options.output, s.options.exposure) = (target.output.into(), columns.exposure.into());
        let own = match target.kind {
            Kind::Classes => columns.target.levels.len() as u32,
            _ => request.components,
        };
        if own > 0 {
            s.give("categories", own);
        }
        Ok(Learned { columns, target, train, test, stream, remarks: Vec::new() })
    }
}

/// Double precision, where single would round away what the columns say; a word about it either way.
fn settle_precision(request: &mut Request, train: &Rows, output: Output, watch: &dyn Watch) {
    let Some(column) = train.needs_double(output).filter(|_| !request.is_double()) else { return };
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
