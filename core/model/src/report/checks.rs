//! Whether a model of numbers is calibrated, whether what it misses drifts with the order of the rows, and what its draws say.

use super::Report;
use crate::convert::Parts;
use crate::fault::Fault;

/// Parts of a distribution that are as probable as each other.
pub const BINS: usize = 20;
/// The ends of wider intervals, beside the quantiles between the parts.
const WIDER: [f64; 4] = [0.005, 0.025, 0.975, 0.995];
const LEVELS: usize = BINS - 1 + WIDER.len();
const MOST_ROWS: usize = 1000;
/// Intervals, and the place of their lower end among the quantiles.
const INTERVALS: [(f64, usize); 5] = [(0.5, 6), (0.8, 3), (0.9, 2), (0.95, 1), (0.99, 0)];

/// Of the rows.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Rows that were looked at.
    pub n: usize,
    /// Shares of them in each part of their distribution.
    pub shares: [f64; BINS],
    /// Central intervals.
    pub intervals: Vec<Coverage>,
}

/// Of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// Its probability.
    pub level: f64,
    /// The share of rows inside.
    pub held: f64,
    /// Its mean width.
    pub width: f64,
}

/// A count spreads its row over all parts that its probability spans (Czado, Gneiting and Held 2009).
fn count(own: &[f64], y: f64, n: f64, shares: &mut [f64; BINS]) {
    let cuts = &own[WIDER.len() / 2..][..BINS - 1];
    let first = cuts.iter().filter(|q| **q < y).count();
    let last = cuts.iter().filter(|q| **q <= y).count();
    let part = 1.0 / (last - first + 1) as f64 / n;
    shares[first..=last].iter_mut().for_each(|share| *share += part);
}

impl Report {
    /// Of numbers and counts.
    pub fn calibration(&self) -> Result<Option<Calibration>, Fault> {
        let Some(some) = self.rows.as_ref().map(|rows| rows.spread(MOST_ROWS)) else {
            return Ok(None);
        };
        let between = (1..BINS).map(|k| k as f64 / BINS as f64);
        let p: Vec<f64> =
            WIDER[..2].iter().copied().chain(between).chain(WIDER[2..].iter().copied()).collect();
        let q = self.subject()?.quantiles(&some, &p)?;
        let (y, n) = (some.targets(), some.n as f64);
        let mut shares = [0.0; BINS];
        for (own, y) in q.chunks_exact(LEVELS).zip(y) {
            count(own, *y, n, &mut shares);
        }
        let interval = |(level, at): (f64, usize)| {
            let (mut held, mut sum) = (0.0, 0.0);
            for (own, y) in q.chunks_exact(LEVELS).zip(y) {
                let (low, high) = (own[at], own[LEVELS - 1 - at]);
                held += if *y >= low && *y <= high { 1.0 } else { 0.0 };
                sum += high - low;
            }
            Coverage { level, held: held / n, width: sum / n }
        };
        Ok(Some(Calibration { n: some.n, shares, intervals: INTERVALS.map(interval).to_vec() }))
    }
}

const RANKED_ROWS: usize = 500;
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
        let f = self.subject()?.function(&self.some, 1)?;
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
        let chains = self.columns.chains();
        let fits = (2..=MOST_CHAINS).contains(&chains) && chains * kept == draws;
        let Some(rows) = self.rows.as_ref().filter(|_| fits) else { return Ok(None) };
        let some = rows.spread(RANKED_ROWS);
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

const BLOCKS: usize = 20;
const FEWEST: usize = 40;

/// What is found.
#[derive(Clone, Debug, Default)]
pub struct Drift {
    /// The probability that rows in an order without meaning drift as far.
    pub chance: f64,
    /// The mean up to the row where the two differ most.
    pub before: f64,
    /// And after it.
    pub after: f64,
    /// That row of the file, from 0.
    pub turn: usize,
    /// For a figure.
    pub blocks: Blocks,
}

/// Means of blocks of rows.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The middle of each.
    pub at: Vec<f64>,
    /// What is missed on average.
    pub mean: Vec<f64>,
    /// What 19 of 20 means stay within where nothing changes.
    pub bound: Vec<f64>,
}

/// How probable a larger distance of a Brownian bridge from 0 is.
fn beyond(distance: f64) -> f64 {
    if distance < 0.2 {
        return 1.0; // to 1e-12; the series has not begun to converge
    }
    let term = |k: i32| {
        let k = f64::from(k);
        (-2.0 * k * k * distance * distance).exp() * if k % 2.0 == 1.0 { 2.0 } else { -2.0 }
    };
    (1..50).map(term).sum::<f64>().clamp(0.0, 1.0)
}

fn blocks(z: &[f64], sd: f64) -> Blocks {
    let n = z.len();
    let mut own = Blocks::default();
    for k in 0..BLOCKS {
        let (first, end) = (n * k / BLOCKS, n * (k + 1) / BLOCKS);
        let count = (end - first) as f64;
        own.at.push(0.5 * (first + end + 1) as f64);
        own.mean.push(z[first..end].iter().fold(0.0, |mean, z| mean + z / count));
        own.bound.push(1.96 * sd / count.sqrt());
    }
    own
}

impl Report {
    /// What a prediction missed: of a number in its sds; of a class whether it was wrong, less how probable that was.
    fn missed(&self, i: usize, y: f64) -> f64 {
        if !self.classes {
            return (y - self.p.mean[i]) / self.p.sd[i];
        }
        let wrong = if self.named(i) == y as usize { 0.0 } else { 1.0 };
        wrong - (1.0 - self.p.top[i])
    }

    /// The largest distance of the sums from a straight line, over sd sqrt(n): that of a Brownian bridge, where the order has
    /// no meaning (Ploberger and Kraemer 1992). `None` of few rows.
    pub fn drift(&self) -> Option<Drift> {
        let rows = self.rows.as_ref().filter(|rows| rows.n >= FEWEST)?;
        let z: Vec<f64> =
            rows.targets().iter().enumerate().map(|(i, y)| self.missed(i, *y)).collect();
        let n = z.len() as f64;
        let mean = z.iter().fold(0.0, |mean, z| mean + z / n);
        let sd = z.iter().fold(0.0, |sum, z| sum + (z - mean) * (z - mean) / n).sqrt();
        let (mut sum, mut most, mut turn) = (0.0_f64, 0.0_f64, 0);
        for (i, z) in z[..z.len() - 1].iter().enumerate() {
            sum += z - mean;
            if sum.abs() > most.abs() {
                (most, turn) = (sum, i + 1);
            }
        }
        let mut own = Drift { chance: 1.0, blocks: blocks(&z, sd), ..Drift::default() };
        if sd > 0.0 && turn > 0 {
            own.chance = beyond(most.abs() / (sd * n.sqrt()));
            own.before = mean + most / turn as f64;
            own.after = mean - most / (n - turn as f64);
            own.turn = rows.origin[turn - 1];
        }
        Some(own)
    }
}
