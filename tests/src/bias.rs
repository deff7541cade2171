//! The bias of the samplers that have one.
//!
//! Bias: mean over chains minus exact expectation, in posterior standard deviations; its square is
//! averaged over the expectations of a case (psi(x_q.w), w, and the squares of w about their exact
//! means), less the square of its Monte Carlo error.

use crate::numeric::{mean_and_error, mean_and_variance};
use crate::posteriors::{Case, Numbers, sample};
use lcc_core::problem::Problem;
use lcc_core::sampler::{Column, SamplerOptions};

/// Chains of a measurement: as many replicates.
pub const CHAINS: usize = 64;

/// Mean squared bias, and the mean squared Monte Carlo error that it was freed of.
#[derive(Clone, Copy, Debug)]
pub struct Bias {
    /// Freed of the error.
    pub square: f64,
    /// The squared error of the mean bias.
    pub error: f64,
}

/// The bias of a run of `draws` draws of [`CHAINS`] chains; every draw is stored.
pub fn bias(case: &Case, draws: u32, change: impl FnOnce(&mut SamplerOptions<f64>)) -> Bias {
    let numbers = Numbers::<f64>::new(case);
    let mut options = SamplerOptions::<f64> {
        chains: CHAINS as u32,
        warmup: 500,
        draws,
        stored: draws,
        seed: 11,
        ..Default::default()
    };
    change(&mut options);
    sample(&options, &numbers.problem(), |sampler| {
        let moments = case.moments();
        let queries = case.query_moments.len();
        let count = moments.len() + case.d;
        let mut means = vec![[0.0; CHAINS]; count];
        let (mut w, mut values) = (vec![0.0; case.d], Vec::new());
        let rows = options.stored as f64;
        for row in sampler.record().chunks_exact(sampler.columns() * CHAINS) {
            for c in 0..CHAINS {
                w.iter_mut().enumerate().for_each(|(j, w)| *w = row[j * CHAINS + c]);
                case.functionals(&w, &mut values);
                for ((mean, (exact, variance)), x) in means.iter_mut().zip(&moments).zip(&values) {
                    mean[c] += (x - exact) / variance.sqrt() / rows;
                }
                for (j, mean) in means.iter_mut().skip(moments.len()).enumerate() {
                    let (exact, variance) = moments[queries + j];
                    mean[c] += ((w[j] - exact).powi(2) / variance - 1.0) / rows;
                }
            }
        }
        let (mut square, mut error) = (0.0, 0.0);
        for chains in &means {
            let (mean, variance) = mean_and_variance(chains);
            let e = variance / CHAINS as f64;
            square += (mean * mean - e) / count as f64;
            error += e / count as f64;
        }
        Bias { square, error }
    })
}

/// The variance of the first coordinate in units of `sd` squared: the mean over the chains of a run of
/// [`CHAINS`], and its standard error.
pub fn first_variance(
    options: &SamplerOptions<f64>,
    problem: &Problem<'_, f64>,
    sd: f64,
) -> (f64, f64) {
    let variances: Vec<f64> = sample(options, problem, |sampler| {
        let variance = |c| sampler.moments(c, Column::Weight(0)).expect("a chain").variance;
        (0..CHAINS).map(|c| variance(c) / (sd * sd)).collect()
    });
    mean_and_error(&variances)
}

impl Bias {
    /// Above five Monte Carlo standard errors.
    pub fn is_seen(self) -> bool {
        self.square > 25.0 * self.error
    }
}
