//! What a report on a model says: what it predicts, how well, how calibrated, and by which inputs.

mod checks;
pub mod page;

pub use checks::{BINS, Calibration, Coverage};
pub use checks::{Blocks, Drift};
pub use checks::{Ranks, Spread, Weight};

use crate::columns::{Column, Columns};
use crate::fault::Fault;
use crate::predict::{Predictions, predict};
use crate::rows::Rows;
use crate::saved::{Asked, Saved};
use crate::score::{Effect, Evaluation, NoiseTrial, Relevance, Subject, Surface};
use crate::score::{evaluate, linear_error, relevance};
use crate::watch::Watch;
use lcc_core::posterior::BENT_UNIT;

/// How much is looked at.
const EFFECT_ROWS: usize = 100;
const SURFACE_ROWS: usize = 40;
const MOST_EFFECTS: usize = 12;
const MOST_CURVES: usize = 4;
/// An input matters about as much as the first, or hardly.
const AS_MUCH: f64 = 0.4;
const HARDLY: f64 = 0.05;

/// All of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model.
    pub model: Saved,
    /// Its columns; of a model that knows none, those of the rows, or x1, x2, ...
    pub columns: Columns,
    /// The rows, where there are any.
    pub rows: Option<Rows>,
    /// Whether their targets are known.
    pub judged: bool,
    /// Predictions of the rows.
    pub p: Predictions,
    /// And their scores.
    pub scores: Evaluation,
    /// Of classes what is said of noise.
    pub noise: Option<NoiseTrial>,
    /// How far each input moves the predictions; empty where no rows say it.
    pub relevance: Relevance,
    /// The rows that effects are averaged over: without rows one, of all means.
    pub some: Rows,
    /// The inputs, the one that matters most first.
    pub order: Vec<usize>,
    /// Of each input; empty of those that are not shown.
    pub effects: Vec<Effect>,
    /// How many are.
    pub shown: usize,
    /// Functions shown along an input: 1, or of more than two classes the first few.
    pub curves: usize,
    /// Of the first two inputs.
    pub surface: Option<Surface>,
    /// Whether y is a class.
    pub classes: bool,
}

/// Columns of a model that knows none: the names that the rows have, or x1, x2, ...; their ranges, or two sds about the means
/// that standardised them, or what of a bent column is as far.
fn unnamed(model: &Saved, target: Option<&str>, rows: Option<&Rows>) -> Result<Columns, Fault> {
    let image = model.image()?;
    let d = image.inputs();
    if let Some(rows) = rows.filter(|rows| rows.d != d) {
        let (path, own) = (&rows.table.path, rows.d);
        let what = format!("{path}: has {own} inputs, the model was fitted to {d}");
        return Err(Fault::failed(what));
    }
    let column = |k: usize| {
        let (mean, sd) = (image.mean_x::<f64>(k), image.sd_x::<f64>(k));
        // Two of its units, back in the column's own.
        let reach = if sd < 0.0 { -sd * (2.0 / BENT_UNIT).sinh() } else { 2.0 * sd };
        let mut c = Column {
            name: format!("x{}", k + 1),
            fill: vec![mean],
            least: mean - reach,
            greatest: mean + reach,
            ..Column::default()
        };
        if let Some(rows) = rows {
            c.name.clone_from(&rows.table.names[rows.source[k]]);
            (c.least, c.greatest) = (f64::INFINITY, -f64::INFINITY);
            for x in (0..rows.n).map(|i| rows.x[i * d + k]) {
                (c.least, c.greatest) = (c.least.min(x), c.greatest.max(x));
            }
        }
        c
    };
    let target = target.unwrap_or("y");
    Ok(Columns {
        inputs: (0..d).map(column).collect(),
        exposure: image.shape().exposure,
        target: Column { name: target.into(), ..Column::default() },
        ..Columns::default()
    })
}

impl Report {
    /// Of a model, and the rows to evaluate it by; without them of what the model alone says.
    pub fn of(
        model: Saved,
        asked: Option<&Asked<'_>>,
        level: f64,
        watch: &dyn Watch,
    ) -> Result<Self, Fault> {
        let rows = asked.map(|asked| model.rows(asked, watch)).transpose()?;
        Self::of_rows(model, asked.and_then(|a| a.target), rows, level)
    }

    /// The same by rows that were read and encoded by the model's columns.
    pub fn of_rows(
        model: Saved,
        target: Option<&str>,
        rows: Option<Rows>,
        level: f64,
    ) -> Result<Self, Fault> {
        let rows = rows.filter(|rows| rows.n > 0);
        let columns = match &model.columns {
            Some(own) => own.clone(),
            None => unnamed(&model, target, rows.as_ref())?,
        };
        let middle = || {
            let x = columns.middle();
            let source = vec![0; x.len()];
            Rows { n: 1, d: x.len(), x, origin: vec![0], source, ..Rows::default() }
        };
        let classes = model.image()?.shape().is_class();
        let mut r = Self {
            judged: rows.as_ref().is_some_and(|rows| rows.y.is_some()),
            some: rows.as_ref().map_or_else(middle, |rows| rows.spread(EFFECT_ROWS)),
            order: (0..columns.inputs.len()).collect(),
            effects: vec![Effect::default(); columns.inputs.len()],
            shown: columns.inputs.len().min(MOST_EFFECTS),
            p: Predictions { level, ..Predictions::default() },
            scores: Evaluation::default(),
            noise: None,
            relevance: Relevance::default(),
            curves: 1,
            surface: None,
            model,
            columns,
            rows,
            classes,
        };
        r.evaluate(level)?;
        r.look()?;
        Ok(r)
    }

    fn evaluate(&mut self, level: f64) -> Result<(), Fault> {
        let (Some(rows), bytes) = (&self.rows, &self.model.bytes) else { return Ok(()) };
        self.p = predict(bytes, rows, level)?;
        if self.judged {
            self.scores = evaluate(&self.p, rows.targets());
            if self.classes {
                self.noise = Some(NoiseTrial::run(bytes, None, rows, rows, &self.p, 1)?);
            }
            self.relevance = relevance(bytes, rows, &self.columns, 1)?;
        }
        Ok(())
    }

    fn sort(&mut self) {
        let weights: Vec<f64> = (0..self.order.len()).map(|k| self.weight(k)).collect();
        // Stable: of equals the first in the table.
        self.order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    }

    /// Along the inputs that matter, which are found by their effects where no rows say it.
    fn look(&mut self) -> Result<(), Fault> {
        let known = !self.relevance.moves.is_empty();
        if known {
            self.sort();
        }
        let subject = Subject::new(&self.model.bytes, &self.columns, MOST_CURVES)?;
        self.curves = subject.curves;
        let count = if known { self.shown } else { self.order.len() };
        for input in &self.order[..count] {
            self.effects[*input] = subject.effect(&self.some, *input)?;
        }
        if !known {
            self.sort();
        }
        if let [first, second, ..] = self.order[..] {
            let subject = Subject::new(&self.model.bytes, &self.columns, MOST_CURVES)?;
            self.surface = Some(subject.surface(&self.some.spread(SURFACE_ROWS), first, second)?);
        }
        Ok(())
    }

    fn subject(&self) -> Result<Subject<'_>, Fault> {
        Subject::new(&self.model.bytes, &self.columns, MOST_CURVES)
    }

    /// How much an input matters: how far predictions move where rows say it, else how far their mean goes.
    fn weight(&self, input: usize) -> f64 {
        self.relevance.moves.get(input).copied().unwrap_or(self.effects[input].moves)
    }

    /// How many inputs matter about as much as the first, at most three; and how many hardly do.
    pub fn leaders(&self) -> (usize, usize) {
        let weights: Vec<f64> = self.order.iter().map(|input| self.weight(*input)).collect();
        let Some(first) = weights.first() else { return (0, 0) };
        let most = weights.iter().take(3).skip(1).take_while(|w| **w > AS_MUCH * first).count();
        (1 + most, weights.iter().skip(1).filter(|w| **w < HARDLY * first).count())
    }

    /// The measured values.
    pub fn targets(&self) -> &[f64] {
        self.rows.as_ref().map_or(&[], |rows| rows.targets())
    }

    /// The class's word, or its number.
    pub fn class(&self, c: usize) -> String {
        self.columns.target.levels.get(c).map_or_else(|| c.to_string(), String::clone)
    }

    /// The class of a row that is most probable.
    pub fn named(&self, row: usize) -> usize {
        let own = self.p.row(row);
        (1..own.len()).fold(0, |top, c| if own[c] > own[top] { c } else { top })
    }

    /// Rows of each class, by the class that was most probable: class after class.
    pub fn confusion(&self) -> Vec<f64> {
        let classes = self.p.classes;
        let mut times = vec![0.0; classes * classes];
        for (i, y) in self.targets().iter().enumerate() {
            times[*y as usize * classes + self.named(i)] += 1.0;
        }
        times
    }

    /// How probable what was measured is: the log density of a number, the log probability of a class.
    fn density(&self, row: usize) -> f64 {
        if !self.classes {
            return self.p.log_density[row];
        }
        self.p.row(row)[self.targets()[row] as usize].max(1e-300).ln()
    }

    /// The rows that are least probable, and their densities.
    pub fn outliers(&self, most: usize) -> Vec<(usize, f64)> {
        let mut all: Vec<(usize, f64)> = (0..self.p.n).map(|i| (i, self.density(i))).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all.truncate(most);
        all
    }

    /// The error of linear regression, each row predicted by the others.
    pub fn linear_error(&self) -> Option<f64> {
        linear_error(self.rows.as_ref()?)
    }

    /// Lines of what the fit noted: what, and a value.
    pub fn note(&self) -> impl Iterator<Item = (&str, &str)> {
        self.columns.notes()
    }

    /// Whether these are the rows that trained the model.
    pub fn is_training(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| self.columns.trained_on(rows) == Some(true))
    }
}
