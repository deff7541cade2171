//! What the draws of a model say of themselves: their spread, their chains, and the weights of the inputs under them.

use super::Report;
use crate::convert::Parts;
use crate::fault::Fault;

const MOST_ROWS: usize = 500;
const MOST_CHAINS: usize = 128;

/// Of the function over the draws.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// How many draws.
    pub draws: usize,
    /// Rows it is a mean over.
    pub rows: usize,
    /// Root mean square; of one draw nothing is known.
    pub spread: f64,
    /// How far the means of the draws' halves are apart, half: the Monte Carlo error of the mean of all.
    pub error: f64,
}

/// Each chain's draws by their ranks among all (Vehtari et al. 2021).
#[derive(Clone, Debug)]
pub struct Ranks {
    /// Draws of a chain.
    pub kept: usize,
    /// Rows whose density it is by.
    pub rows: usize,
    /// Of each draw, between 0 and 1.
    pub rank: Vec<f64>,
}

/// The root mean square of an input's weights into the first layer, over draws.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// Median.
    pub middle: f64,
    /// The lower end of 90 %.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Report {
    /// Over the rows that effects are averaged over.
    pub fn spread(&self) -> Result<Spread, Fault> {
        let draws = self.model.image()?.draws();
        let (half, n) = (draws / 2, self.some.n as f64);
        let f = self.subject()?.function(&self.some, 0)?;
        let (mut apart, mut spread) = (0.0, 0.0);
        for own in f.chunks_exact(draws).filter(|_| half > 0) {
            let share = |v: &f64| v / half as f64;
            let first = own[..half].iter().map(share).fold(0.0, |sum, v| sum + v);
            let second = own[draws - half..].iter().rev().map(share).fold(0.0, |sum, v| sum + v);
            let away = |v: &f64| v - 0.5 * (first + second);
            let squares = own.iter().fold(0.0, |sum, v| sum + away(v) * away(v) / draws as f64);
            apart += 0.25 * (first - second) * (first - second) / n;
            spread += squares / n;
        }
        Ok(Spread { draws, rows: self.some.n, spread: spread.sqrt(), error: apart.sqrt() })
    }

    /// Of two chains or more.
    pub fn ranks(&self) -> Result<Option<Ranks>, Fault> {
        let (draws, kept) = (self.model.image()?.draws(), self.columns.kept as usize);
        let chains = draws.checked_div(kept).unwrap_or(0);
        let fits = (2..=MOST_CHAINS).contains(&chains) && chains * kept == draws;
        let Some(rows) = self.rows.as_ref().filter(|_| fits) else { return Ok(None) };
        let some = rows.spread(MOST_ROWS);
        let mut value = vec![0.0; draws];
        for row in self.subject()?.densities(&some)?.chunks_exact(draws) {
            value.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
        }
        let mut order: Vec<usize> = (0..draws).collect();
        order.sort_by(|a, b| value[*a].total_cmp(&value[*b]));
        let mut rank = vec![0.0; draws];
        for (below, draw) in order.into_iter().enumerate() {
            rank[draw] = (below as f64 + 0.5) / draws as f64;
        }
        Ok(Some(Ranks { kept, rows: some.n, rank }))
    }

    /// The size of an input's weights into the first layer, with the posterior's spread of it: of the first inputs.
    pub fn weights(&self, count: usize) -> Result<Vec<Weight>, Fault> {
        let parts = Parts::of(self.model.clone())?;
        let first = parts.layer(0);
        // Without hidden layers the outputs' direct weights, behind their intercepts.
        let (begin, units) = match parts.depth {
            0 => (first.end(), parts.outputs),
            _ => (first.at, first.units),
        };
        let size = |draw: &[f64], columns: std::ops::Range<usize>| {
            let rows = draw[begin..].chunks_exact(parts.inputs).take(units);
            let own = rows.flat_map(|row| &row[columns.clone()]);
            (own.fold(0.0, |sum, w| sum + w * w) / units.max(1) as f64).sqrt()
        };
        let weigh = |input: &usize| {
            let place = self.columns.place(*input).min(parts.inputs);
            let end = (place + self.columns.inputs[*input].width()).min(parts.inputs);
            let mut all: Vec<f64> = parts.draws.iter().map(|draw| size(draw, place..end)).collect();
            all.sort_by(f64::total_cmp);
            let at = |share: f64| all[(share * (all.len() - 1) as f64 + 0.5) as usize];
            Weight { middle: all[all.len() / 2], low: at(0.05), high: at(0.95) }
        };
        Ok(self.order.iter().take(count).map(weigh).collect())
    }
}
