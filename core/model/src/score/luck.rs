//! What another seed would change of predictions.

use crate::fault::Fault;
use crate::predict::{Each, Predictions, by_draw};
use crate::rows::Rows;
use crate::saved::image;

/// In predictive sds; NaN where it is not known.
#[derive(Clone, Copy, Debug)]
pub struct LuckAt {
    /// Root mean square over rows.
    pub rms: f64,
    /// Median of rows.
    pub median: f64,
}

/// Rows whose draws are in memory together.
const TOGETHER: usize = 256;

/// The variance of the mean over chains, of one row: `keep` numbers of each chain side by side.
fn square(values: &[f64], keep: usize) -> f64 {
    let (count, chains) = (values.len() as f64, (values.len() / keep) as f64);
    let centre = values.iter().fold(0.0, |sum, v| sum + v / count);
    let away = |own: &[f64]| own.iter().fold(0.0, |sum, v| sum + (v - centre) / keep as f64);
    let squares = values.chunks_exact(keep).fold(0.0, |sum, own| sum + away(own) * away(own));
    squares / (chains - 1.0) / chains
}

/// Of a model whose draws are some chains', `keep` of each side by side, at the rows that were predicted: by the spread of
/// the chains' means. Held-out rows are moved more than training rows. Of classes: of the probability of each row's own, but
/// for what the temperature of a calibration adds, which chains share. NaN of fewer than two chains.
pub fn luck_at(model: &[u8], rows: &Rows, keep: usize, p: &Predictions) -> Result<LuckAt, Fault> {
    let image = image(model)?;
    let unknown = LuckAt { rms: f64::NAN, median: f64::NAN };
    if p.n == 0 || keep == 0 || image.draws() < 2 * keep {
        return Ok(unknown);
    }
    let (single, used) = (image.precision() == 32, image.draws() / keep * keep);
    let mut squares = Vec::with_capacity(p.n);
    let places: Vec<usize> = (0..rows.n).collect();
    for piece in places.chunks(TOGETHER) {
        let own = rows.some(piece);
        let what = if p.classes > 0 { Each::LogDensity } else { Each::Mean };
        let mut values = by_draw(model, &own, own.targets(), what, false)?;
        if p.classes > 0 {
            let narrow = |v: f64| if single { f64::from(v as f32) } else { v };
            values.iter_mut().for_each(|v| *v = narrow(v.exp()));
        }
        squares.extend(values.chunks_exact(image.draws()).map(|own| square(&own[..used], keep)));
    }
    let (mut between, mut within) = (0.0, 0.0);
    for (i, square) in squares.iter_mut().enumerate() {
        let variance = if p.classes > 0 {
            let own = p.row(i)[rows.targets()[i] as usize];
            (own * (1.0 - own)).max(0.0)
        } else {
            p.sd[i] * p.sd[i]
        };
        between += *square;
        within += variance;
        *square = if variance > 0.0 { *square / variance } else { 0.0 };
    }
    squares.sort_by(f64::total_cmp);
    let median = (squares[(p.n - 1) / 2].sqrt() + squares[p.n / 2].sqrt()) / 2.0;
    Ok(LuckAt { rms: (between / within).sqrt(), median })
}
