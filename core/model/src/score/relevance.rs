//! Which inputs matter: how far predictions move when the values of one are dealt to other rows.

use super::Subject;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::predict::predict;
use crate::random::order;
use crate::rows::Rows;
use crate::saved::image;

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
    let all = Subject::new(model, columns, 1)?.function(rows, 0)?;
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
