//! G2: a greedy posterior of 100 observations and two coordinates, with modes of mass .761 and .237
//! that no local sampler leaves and a third of .0017; exact values by quadrature.

use crate::targets::target;
use crate::{number, numbers, reference};
use lcc_core::activation::Activation;
use lcc_core::data::{Dataset, Inputs};
use lcc_core::prior::Prior;
use lcc_core::problem::Problem;

/// The posterior and its exact values.
#[derive(Clone, Debug)]
pub struct Modes {
    x: Vec<f64>,
    y: Vec<f64>,
    /// The log evidence.
    pub log_z: f64,
    /// E tanh(x_q.w) at the first rows of the data.
    pub estimate: Vec<f64>,
    /// Where the modes are, and the mass of what is nearest to each.
    pub modes: Vec<([f64; 2], f64)>,
}

impl Modes {
    /// Read from its files.
    pub fn load() -> Self {
        let (exact, target) = (reference("g2.json"), target("G2"));
        let modes = exact["modes"].as_array().expect("modes").iter();
        Self {
            x: target.x,
            y: target.y,
            log_z: number(&exact["log_evidence"]),
            estimate: numbers(&exact["estimate"]),
            modes: modes
                .map(|m| {
                    let at = numbers(&m["at"]);
                    ([at[0], at[1]], number(&m["mass_nearest"]))
                })
                .collect(),
        }
    }

    /// The posterior.
    pub fn problem(&self) -> Problem<'_, f64> {
        let inputs = Inputs::row_major(&self.x, self.y.len(), 2).expect("inputs");
        let data = Dataset::new(inputs, &self.y).expect("data");
        let prior = Prior::Gaussian { sd: 2.0 };
        Problem::greedy(data, Activation::Tanh, prior, 1.0).expect("a posterior")
    }

    /// Of draws of w, the share nearest to each mode and the means of tanh(x_q.w).
    pub fn means(&self, draws: &[[f64; 2]]) -> (Vec<f64>, Vec<f64>) {
        let share = 1.0 / draws.len() as f64;
        let mut masses = vec![0.0; self.modes.len()];
        let mut means = vec![0.0; self.estimate.len()];
        for w in draws {
            let distance = |k: &usize| {
                let (at, _) = self.modes[*k];
                (at[0] - w[0]).hypot(at[1] - w[1])
            };
            let nearest = (0..masses.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            masses[nearest.expect("a mode")] += share;
            for (mean, x) in means.iter_mut().zip(self.x.chunks_exact(2)) {
                *mean += share * (x[0] * w[0] + x[1] * w[1]).tanh();
            }
        }
        (masses, means)
    }
}
