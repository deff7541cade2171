//! What a model makes of its inputs: its function along one or two of them, the others as they are in rows of data (partial
//! dependence, Friedman 2001), with the spread of its draws; and how far predictions move when the values of one are dealt to
//! other rows.

use crate::columns::{Column, Columns};
use crate::fault::Fault;
use crate::predict::{Each, by_draw, predict, quantiles};
use crate::rows::Rows;
use crate::saved::image;
use crate::splits::order;

const MOST_POINTS: usize = 25;
const MOST_WORDS: usize = 12;
const SIDE: usize = 18;

/// A model and its columns.
pub struct Subject<'a> {
    model: &'a [u8],
    columns: &'a Columns,
    draws: usize,
    /// Functions shown: 1, or of more than two classes the first few.
    pub curves: usize,
    classes: bool,
}

/// Along one input, curve after curve.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Values, or categories from 0; none of an input whose range the model does not know.
    pub at: Vec<f64>,
    /// The mean over rows and draws.
    pub mean: Vec<f64>,
    /// The lower end of the central 90 % of the draws' means over rows.
    pub low: Vec<f64>,
    /// And the upper.
    pub high: Vec<f64>,
    /// The largest range of a mean.
    pub moves: f64,
    /// Deciles of numbers in the rows.
    pub deciles: [f64; 9],
}

/// Over two inputs, of the first curve; the second is the outer.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Values of the two.
    pub at: [Vec<f64>; 2],
    /// The mean.
    pub mean: Vec<f64>,
    /// The sd of the draws.
    pub sd: Vec<f64>,
}

/// Where an input is looked at: categories, or numbers from the least to the greatest that trained.
fn grid(c: &Column, most: usize) -> Vec<f64> {
    if c.is_words() {
        return (0..c.levels.len().min(MOST_WORDS).min(most)).map(|k| k as f64).collect();
    }
    let share = |i: usize| i as f64 / (most - 1) as f64;
    let value = |i: usize| c.least * (1.0 - share(i)) + c.greatest * share(i);
    if c.least < c.greatest { (0..most).map(value).collect() } else { Vec::new() }
}

fn mean_and_sd(v: &[f64]) -> (f64, f64) {
    let n = v.len() as f64;
    let mean = v.iter().fold(0.0, |mean, x| mean + x / n);
    (mean, v.iter().fold(0.0, |sum, x| sum + (x - mean) * (x - mean) / n).sqrt())
}

/// The number in that place of a sorted list.
fn at_share(sorted: &[f64], share: f64) -> f64 {
    sorted[(share * (sorted.len() - 1) as f64 + 0.5) as usize]
}

impl<'a> Subject<'a> {
    /// Of a model; of classes with so many curves at most.
    pub fn new(model: &'a [u8], columns: &'a Columns, most: usize) -> Result<Self, Fault> {
        let image = image(model)?;
        let classes = image.shape().classes();
        let curves = if classes > 2 { classes.min(most) } else { 1 };
        Ok(Self { model, columns, draws: image.draws(), curves, classes: classes > 0 })
    }

    /// The class that a curve is of: of two the second.
    pub fn class_of(&self, curve: usize) -> usize {
        if self.curves == 1 { 1 } else { curve }
    }

    /// The mean of y at each row under each draw, or the probabilities of the classes that have curves.
    pub fn function(&self, rows: &Rows, curves: usize) -> Result<Vec<f64>, Fault> {
        let classes = Each::Classes { first: self.class_of(0), count: curves };
        let what = if self.classes { classes } else { Each::Mean };
        by_draw(self.model, rows, what)
    }

    /// The log density of each row's y under each draw.
    pub fn densities(&self, rows: &Rows) -> Result<Vec<f64>, Fault> {
        by_draw(self.model, rows, Each::LogDensity)
    }

    /// Quantiles of the predictive law of each row.
    pub fn quantiles(&self, rows: &Rows, p: &[f64]) -> Result<Vec<f64>, Fault> {
        quantiles(self.model, rows, p)
    }

    /// The draws' means over rows that have these inputs at these values, of the first so many curves one after another.
    fn at_values(
        &self,
        rows: &Rows,
        set: &[(usize, f64)],
        curves: usize,
    ) -> Result<Vec<f64>, Fault> {
        let mut moved = rows.clone();
        for (input, value) in set {
            let (place, own) = (self.columns.place(*input), &self.columns.inputs[*input]);
            moved.x.chunks_exact_mut(rows.d).for_each(|x| own.put(*value, &mut x[place..]));
        }
        let all = self.function(&moved, curves)?;
        let mut means = vec![0.0; curves * self.draws];
        for row in all.chunks_exact(means.len()) {
            means.iter_mut().zip(row).for_each(|(mean, v)| *mean += v / rows.n as f64);
        }
        Ok(means)
    }

    /// Along an input.
    pub fn effect(&self, rows: &Rows, input: usize) -> Result<Effect, Fault> {
        let mut e =
            Effect { at: grid(&self.columns.inputs[input], MOST_POINTS), ..Effect::default() };
        let place = self.columns.place(input);
        let mut values: Vec<f64> = rows.x.iter().skip(place).step_by(rows.d).copied().collect();
        values.sort_by(f64::total_cmp);
        e.deciles = std::array::from_fn(|i| at_share(&values, (i + 1) as f64 / 10.0));
        let along = |value: &f64| self.at_values(rows, &[(input, *value)], self.curves);
        let mut all: Vec<Vec<f64>> = e.at.iter().map(along).collect::<Result<_, _>>()?;
        for curve in 0..self.curves {
            let (mut least, mut greatest) = (f64::INFINITY, -f64::INFINITY);
            for means in &mut all {
                let means = &mut means[curve * self.draws..(curve + 1) * self.draws];
                let (mean, _) = mean_and_sd(means);
                means.sort_by(f64::total_cmp);
                e.mean.push(mean);
                e.low.push(at_share(means, 0.05));
                e.high.push(at_share(means, 0.95));
                (least, greatest) = (least.min(mean), greatest.max(mean));
            }
            e.moves = if e.at.is_empty() { 0.0 } else { e.moves.max(greatest - least) };
        }
        Ok(e)
    }

    /// Over two inputs.
    pub fn surface(&self, rows: &Rows, across: usize, up: usize) -> Result<Surface, Fault> {
        let at = [across, up].map(|input| grid(&self.columns.inputs[input], SIDE));
        let mut f = Surface { at, ..Surface::default() };
        for y in &f.at[1] {
            for x in &f.at[0] {
                let means = self.at_values(rows, &[(across, *x), (up, *y)], 1)?;
                let (mean, sd) = mean_and_sd(&means);
                f.mean.push(mean);
                f.sd.push(sd);
            }
        }
        Ok(f)
    }
}

const MOST_ROWS: usize = 200;

/// Of each input.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// The root mean square over rows, in sds of the target; of classes in probability. Empty where nothing is known.
    pub moves: Vec<f64>,
    /// Standard errors over rows.
    pub errors: Vec<f64>,
    /// Whether y is a class.
    pub classes: bool,
}

impl Relevance {
    /// The inputs, the one that matters most first.
    pub fn largest(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by(|a, b| self.moves[*b].total_cmp(&self.moves[*a]).then(a.cmp(b)));
        order
    }
}

/// Probabilities, or means alone: intervals take a hundred times as long. So many numbers a row.
fn said(model: &[u8], columns: &Columns, rows: &Rows) -> Result<(Vec<f64>, usize), Fault> {
    let image = image(model)?;
    if image.shape().is_class() {
        let p = predict(model, rows, 0.9)?;
        return Ok((p.probability, p.classes));
    }
    let draws = image.draws();
    let all = Subject::new(model, columns, 1)?.function(rows, 1)?;
    let mean = |own: &[f64]| own.iter().fold(0.0, |mean, v| mean + v / draws as f64);
    Ok((all.chunks_exact(draws).map(mean).collect(), 1))
}

/// The root mean square over rows, and its standard error by the derivative of the root.
fn moved(a: &[f64], b: &[f64], width: usize, n: f64) -> (f64, f64) {
    // Of classes what one gains another loses.
    let count = n * if width > 1 { 2.0 } else { 1.0 };
    let (mut squares, mut fourths) = (0.0, 0.0);
    for (a, b) in a.chunks_exact(width).zip(b.chunks_exact(width)) {
        let square = a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b));
        squares += square;
        fourths += square * square;
    }
    let root = (squares / count).sqrt();
    // Of the mean of count / n per row.
    let error = ((fourths - squares * squares / n).max(0.0) / (n * (n - 1.0))).sqrt() * n / count;
    (root, if root > 0.0 { error / (2.0 * root) } else { 0.0 })
}

/// By some hundred of the rows, dealt by the seed; nothing where there are no two rows, or the target is constant.
pub fn relevance(
    model: &[u8],
    rows: &Rows,
    columns: &Columns,
    seed: u64,
) -> Result<Relevance, Fault> {
    let scale = rows.target_sd();
    let mut told = Relevance::default();
    if rows.n < 2 || !(scale > 0.0) {
        return Ok(told);
    }
    let some = rows.spread(MOST_ROWS);
    let order = order(seed, some.n);
    let (p, width) = said(model, columns, &some)?;
    told.classes = width > 1;
    let unit = if told.classes { 1.0 } else { scale };
    for input in &columns.inputs {
        let column = some.table.column(&input.name);
        let mut dealt = some.clone();
        for k in (0..some.d).filter(|k| Some(some.source[*k]) == column) {
            for (i, from) in order.iter().enumerate() {
                dealt.x[i * some.d + k] = some.x[from * some.d + k];
            }
        }
        let (q, _) = said(model, columns, &dealt)?;
        let (root, error) = moved(&p, &q, width, some.n as f64);
        told.moves.push(root / unit);
        told.errors.push(error / unit);
    }
    Ok(told)
}
