//! Scores of rows that were predicted, and of what another seed, leaving a row out and noise would change.

use crate::engine::{Number, in_precision};
use crate::fault::{Fault, at};
use crate::predict::{ClassScores, Each, Predictions, by_draw, predict};
use crate::rows::Rows;
use crate::saved::image;
use crate::splits::Dealer;
use lcc_core::diagnostics::{self, Draws, Loo, LooRow};

/// Means over rows.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Rows.
    pub n: usize,
    /// Root mean square error.
    pub rmse: f64,
    /// Mean log density, of classes log probability.
    pub log_likelihood: f64,
    /// Share of measured values inside their interval.
    pub coverage: f64,
    /// Mean width of the intervals.
    pub width: f64,
    /// Mean continuous ranked probability score.
    pub crps: f64,
    /// Rows above 0 where a fifth or more is 0, none below, and not all are whole; and the share of them inside their
    /// interval.
    pub above_zero: Option<(usize, f64)>,
    /// Of classes, where of the above only the logarithm is there.
    pub classes: Option<ClassScores>,
    /// What a model of classes says of rows of noise.
    pub noise: Option<NoiseFacts>,
}

/// Of numbers that are often 0 what the intervals hold of those above it.
fn above_zero(p: &Predictions, y: &[f64]) -> Option<(usize, f64)> {
    let zeros = y.iter().filter(|y| **y == 0.0).count();
    let positive = y.iter().filter(|y| **y > 0.0).count();
    let whole = y.iter().all(|y| y.floor() == *y);
    let inside = |i: &usize| y[*i] > 0.0 && y[*i] >= p.lower[*i] && y[*i] <= p.upper[*i];
    let covered = (0..y.len()).filter(inside).count();
    let often = !whole && zeros + positive == y.len() && 5 * zeros >= y.len() && positive > 0;
    often.then(|| (positive, covered as f64 / positive as f64))
}

/// Scores predictions whose targets were known. Targets behind them, to which an interrupted run did not come, do not count.
pub fn evaluate(p: &Predictions, y: &[f64]) -> Evaluation {
    let (n, y) = (p.n as f64, y.get(..p.n).unwrap_or(y));
    if let Some(scored) = p.scored {
        let log_likelihood = scored.log_likelihood;
        return Evaluation { n: p.n, log_likelihood, classes: p.scored, ..Evaluation::default() };
    }
    let (mut squares, mut densities, mut widths, mut crps, mut hits) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for i in 0..p.n {
        let residual = y[i] - p.mean[i];
        squares += residual * residual;
        densities += p.log_density[i];
        crps += p.crps.get(i).copied().unwrap_or(0.0);
        widths += p.upper[i] - p.lower[i];
        hits += if y[i] >= p.lower[i] && y[i] <= p.upper[i] { 1.0 } else { 0.0 };
    }
    Evaluation {
        above_zero: above_zero(p, y),
        n: p.n,
        rmse: (squares / n).sqrt(),
        log_likelihood: densities / n,
        coverage: hits / n,
        width: widths / n,
        crps: crps / n,
        ..Evaluation::default()
    }
}

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
    let used = image.draws() / keep * keep;
    let mut squares = Vec::with_capacity(p.n);
    let places: Vec<usize> = (0..rows.n).collect();
    for piece in places.chunks(TOGETHER) {
        let own = rows.some(piece);
        let what = if p.classes > 0 { Each::Probability } else { Each::Mean };
        let values = by_draw(model, &own, what)?;
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

/// One model, and what leaving rows out comes to.
#[derive(Clone, Debug)]
pub struct LooOf {
    /// Its draws.
    pub draws: usize,
    /// One a row.
    pub rows: Vec<LooRow<f64>>,
    /// All rows together.
    pub total: Loo<f64>,
}

/// Of the rows that trained a model.
pub fn leave_one_out(model: &[u8], rows: &Rows) -> Result<LooOf, Fault> {
    let (draws, double) = (image(model)?.draws(), image(model)?.precision() == 64);
    let values = by_draw(model, rows, Each::LogDensity)?;
    in_precision!(double, T => of::<T>(&values, draws))
}

fn of<T: Number>(values: &[f64], draws: usize) -> Result<LooOf, Fault> {
    let doing = "leave-one-out";
    let size = diagnostics::scratch_len(1, draws);
    let mut scratch = vec![T::ZERO; size.ok_or_else(|| Fault::failed("too many draws"))?];
    let mut own = Vec::new();
    for row in values.chunks_exact(draws) {
        // As the model holds them: those of all chains, one after the other.
        let row: Vec<T> = row.iter().map(|v| T::lit(*v)).collect();
        let row = Draws::chain_major(&row, 1, draws).map_err(at(doing))?;
        own.push(diagnostics::loo_row(&row, &mut scratch).map_err(at(doing))?);
    }
    let t = diagnostics::loo(&own, draws);
    let wide = |r: &LooRow<T>| LooRow {
        elpd: r.elpd.to_f64(),
        mcse: r.mcse.to_f64(),
        k: r.k.to_f64(),
        lpd: r.lpd.to_f64(),
        p_waic: r.p_waic.to_f64(),
    };
    let total = Loo {
        rows: t.rows,
        bad: t.bad,
        k_limit: t.k_limit.to_f64(),
        k_max: t.k_max.to_f64(),
        elpd: t.elpd.to_f64(),
        elpd_error: t.elpd_error.to_f64(),
        mcse: t.mcse.to_f64(),
        p: t.p.to_f64(),
        p_error: t.p_error.to_f64(),
        elpd_waic: t.elpd_waic.to_f64(),
        elpd_waic_error: t.elpd_waic_error.to_f64(),
        p_waic: t.p_waic.to_f64(),
        p_waic_error: t.p_waic_error.to_f64(),
    };
    Ok(LooOf { draws, rows: own.iter().map(wide).collect(), total })
}

/// By how much the elpd of one model is larger than that of another of the same rows, and the standard error of that.
pub fn difference(a: &LooOf, b: &LooOf) -> (f64, f64) {
    diagnostics::loo_difference(&a.rows, &b.rows)
}

/// What a model says of rows of noise.
#[derive(Clone, Copy, Debug)]
pub struct NoiseFacts {
    /// Rows of noise.
    pub n: usize,
    /// The area under the ROC curve of noise against rows, by the entropy of the class.
    pub auroc_entropy: f64,
    /// By the mutual information of class and draw.
    pub auroc_mutual: f64,
    /// Mean largest probability.
    pub top: f64,
    /// The point fit's; NaN without one.
    pub point_top: f64,
}

/// Rows of noise and what is said of them.
#[derive(Clone, Debug)]
pub struct NoiseTrial {
    /// Of the noise.
    pub said: Predictions,
    /// A point fit's, of the rows and of the noise.
    pub point: Option<[Predictions; 2]>,
    /// What it comes to.
    pub facts: NoiseFacts,
}

/// Rows that are uniform in the range that each column of `range` has.
fn noise(range: &Rows, count: usize, seed: u64) -> Rows {
    let mut dealer = Dealer(seed);
    let ends = |k: usize| {
        let own = (0..range.n).map(|i| range.x[i * range.d + k]);
        own.fold((f64::INFINITY, -f64::INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let ends: Vec<(f64, f64)> = (0..range.d).map(ends).collect();
    let mut x = Vec::with_capacity(count * range.d);
    for _ in 0..count {
        for (low, high) in &ends {
            let u = dealer.uniform();
            x.push(low * (1.0 - u) + high * u);
        }
    }
    let table = range.table.clone();
    let (origin, source) = (vec![0; count], vec![0; range.d]);
    Rows {
        n: count,
        d: range.d,
        x,
        y: None,
        weights: Vec::new(),
        groups: Vec::new(),
        origin,
        source,
        outside: None,
        table,
        target: range.target,
    }
}

/// The probability that a row of noise has the larger value, of equals half.
fn auroc(rows: &[f64], noise: &[f64]) -> f64 {
    let mut sorted = rows.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins = |x: &f64| {
        let below = sorted.partition_point(|own| own < x);
        let not_above = sorted.partition_point(|own| own <= x);
        0.5 * (below + not_above) as f64
    };
    let sum: f64 = noise.iter().fold(0.0, |sum, x| sum + wins(x));
    sum / (rows.len() as f64 * noise.len() as f64)
}

fn mean_top(p: &Predictions) -> f64 {
    p.top.iter().fold(0.0, |sum, top| sum + top) / p.n as f64
}

impl NoiseTrial {
    /// A model, and a point fit where there is one, on as many rows of noise in the range of `range` as were predicted.
    pub fn run(
        model: &[u8],
        point: Option<&[u8]>,
        range: &Rows,
        rows: &Rows,
        p: &Predictions,
        seed: u64,
    ) -> Result<Self, Fault> {
        let noise = noise(range, p.n, seed);
        let said = predict(model, &noise, p.level)?;
        let both = |m: &[u8]| -> Result<_, Fault> {
            Ok([predict(m, rows, p.level)?, predict(m, &noise, p.level)?])
        };
        let point = point.map(both).transpose()?;
        let facts = NoiseFacts {
            n: said.n,
            auroc_entropy: auroc(&p.entropy, &said.entropy),
            auroc_mutual: auroc(&p.mutual, &said.mutual),
            top: mean_top(&said),
            point_top: point.as_ref().map_or(f64::NAN, |[_, noise]| mean_top(noise)),
        };
        Ok(Self { said, point, facts })
    }
}
