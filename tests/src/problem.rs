//! Made-up regression data, and derivatives by differences.

use crate::numeric::{blocks1, flat1, normal, streams};
use lcc_core::data::{Dataset, Inputs};
use lcc_core::likelihood::Likelihood;
use lcc_core::prior::Prior;
use lcc_core::random::{Purpose, Stream};
use lcc_core::simd::{Isa, Portable};

/// n rows of d normals, and n targets.
#[derive(Debug)]
pub struct Problem {
    /// Rows.
    pub n: usize,
    /// Columns.
    pub d: usize,
    /// Row by row.
    pub x: Vec<f64>,
    /// Targets of variance 2.25.
    pub y: Vec<f64>,
}

impl Problem {
    /// Reproducible from the seed.
    pub fn new(seed: u64, n: usize, d: usize) -> Self {
        let mut stream = Stream::new(seed, 0, Purpose::Predictive);
        let x = (0..n * d).map(|_| normal(&mut stream)).collect();
        let y = (0..n).map(|_| 1.5 * normal(&mut stream)).collect();
        Self { n, d, x, y }
    }
    /// The rows as a view.
    pub fn inputs(&self) -> Inputs<'_, f64> {
        Inputs::row_major(&self.x, self.n, self.d).unwrap()
    }
    /// Rows and targets.
    pub fn data(&self) -> Dataset<'_, f64> {
        Dataset::new(self.inputs(), &self.y).unwrap()
    }
    /// Points of w: draws from the prior.
    pub fn points(&self, prior: Prior<f64>, neurons: usize, count: usize) -> Vec<Vec<f64>> {
        let latent = prior.latent_dim(self.d) * neurons;
        let mut streams = streams::<1>(77);
        let mut g = vec![[0.0]; latent];
        let mut scratch = vec![[0.0]; prior.scratch(self.d) * neurons];
        (0..count)
            .map(|_| {
                let mut w = vec![[0.0]; self.d * neurons];
                prior.draw(Portable, self.d, &mut streams, &mut g, &mut w, &mut scratch);
                flat1(&w)
            })
            .collect()
    }
}

/// Value and gradient at one point.
pub fn at(likelihood: &dyn Likelihood<f64, 1>, w: &[f64]) -> (f64, Vec<f64>) {
    let w = blocks1(w);
    let mut gradient = vec![[0.0]; w.len()];
    let mut scratch = vec![[0.0]; likelihood.scratch()];
    let [value] = likelihood.value_and_gradient(Isa::detect(), &w, &mut gradient, &mut scratch);
    (value, flat1(&gradient))
}

/// The Hessian by central differences of the gradient.
pub fn finite_hessian(likelihood: &dyn Likelihood<f64, 1>, w: &[f64]) -> Vec<f64> {
    let (k, h) = (w.len(), 1e-5);
    let mut out = vec![0.0; k * k];
    for j in 0..k {
        let mut moved = w.to_vec();
        moved[j] = w[j] + h;
        let (_, up) = at(likelihood, &moved);
        moved[j] = w[j] - h;
        let (_, down) = at(likelihood, &moved);
        for l in 0..k {
            // Symmetrised: each entry gets half of both.
            let entry = (up[l] - down[l]) / (4.0 * h);
            out[j * k + l] += entry;
            out[l * k + j] += entry;
        }
    }
    out
}
