//! Whether what predictions miss changes with the order of the rows.

use super::Report;

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
