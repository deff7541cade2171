//! Problems, whatever their precision.

use crate::status::lcc_status;
use lcc_core::activation::Activation;
use lcc_core::data::Dataset;
use lcc_core::density::Extent;
use lcc_core::likelihood::Likelihood;
use lcc_core::likelihood::Signs;
use lcc_core::output::Output;
use lcc_core::prior::{Prior, PriorKind};
use lcc_core::problem::Problem;
use lcc_core::random::{Purpose, Stream};
use lcc_core::scalar::Real;
use lcc_core::simd::{AnyLanes, Isa, Portable};
use lcc_core::workspace::{Carve, Measure, Memory, WorkspaceError};

codes! {
    i32 LCC_POSTERIOR_GREEDY = 0, "One neuron against residuals.";
    i32 LCC_POSTERIOR_JOINT = 1, "M neurons with fixed outer weights.";
    i32 LCC_POSTERIOR_USER = 2, "A density of your own, by callback.";
    i32 LCC_PRIOR_GAUSSIAN = 0, "N(0, scale^2 I).";
    i32 LCC_PRIOR_L1_BALL = 1, "Uniform on {|w|_1 <= scale}.";
    i32 LCC_SIGNS_ALTERNATING = 0, "s_m = +1, -1, +1, ...";
    i32 LCC_SIGNS_POSITIVE = 1, "s_m = +1.";
}

/// A prior from its code and scale; `None` for a code that is none.
pub(crate) fn prior<T: Copy>(code: i32, scale: T) -> Option<Prior<T>> {
    PriorKind::from_code(code).map(|kind| Prior::of(kind, scale))
}

/// A problem's fields as C gives them.
pub(crate) struct Raw<T> {
    pub(crate) posterior: i32,
    pub(crate) activation: i32,
    pub(crate) prior: i32,
    pub(crate) signs: i32,
    pub(crate) neurons: u32,
    pub(crate) scale: T,
    pub(crate) alpha: T,
    pub(crate) outer: T,
    pub(crate) beta: T,
}

impl<T: Real> Raw<T> {
    pub(crate) fn new(n: usize) -> Result<Self, lcc_status> {
        if n == 0 {
            return Err(lcc_status::LCC_ERROR_EMPTY);
        }
        Ok(Self {
            posterior: LCC_POSTERIOR_GREEDY,
            activation: Activation::Tanh as i32,
            prior: LCC_PRIOR_GAUSSIAN,
            signs: LCC_SIGNS_ALTERNATING,
            neurons: 8,
            scale: T::ONE,
            alpha: T::ONE / T::of_usize(n).sqrt(),
            outer: T::lit(4.0),
            beta: T::ONE,
        })
    }

    pub(crate) fn build<'a>(&self, data: Dataset<'a, T>) -> Result<Problem<'a, T>, lcc_status> {
        let activation =
            Activation::from_code(self.activation).ok_or(lcc_status::LCC_ERROR_ACTIVATION)?;
        let prior = prior(self.prior, self.scale).ok_or(lcc_status::LCC_ERROR_PRIOR)?;
        Ok(match self.posterior {
            LCC_POSTERIOR_GREEDY => Problem::greedy(data, activation, prior, self.alpha)?,
            LCC_POSTERIOR_JOINT => {
                let signs = match self.signs {
                    LCC_SIGNS_ALTERNATING => Signs::Alternating,
                    LCC_SIGNS_POSITIVE => Signs::Positive,
                    _ => return Err(lcc_status::LCC_ERROR_SIGNS),
                };
                let neurons = self.neurons as usize;
                Problem::joint(data, activation, prior, neurons, self.outer, self.beta, signs)?
            }
            _ => return Err(lcc_status::LCC_ERROR_POSTERIOR),
        })
    }
}

/// Scratch of [`log_density`]: the likelihood's blocks of one lane.
pub(crate) fn scratch_layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    problem: &Problem<'_, T>,
) -> Result<&'a mut [T], WorkspaceError> {
    carve.take(problem.likelihood().scratch())
}

pub(crate) fn scratch_of<T: Real>(problem: &Problem<'_, T>) -> Result<usize, lcc_status> {
    let mut measure = Measure::new();
    scratch_layout(&mut measure, problem)?;
    Ok(measure.bytes())
}

pub(crate) fn log_density<T: AnyLanes>(
    problem: &Problem<'_, T>,
    w: &[T],
    gradient: &mut [T],
    scratch: &mut [u8],
) -> Result<T, lcc_status> {
    let scratch = scratch_layout(&mut Memory::new(scratch)?, problem)?;
    let (w, _) = w.as_chunks::<1>();
    let (gradient, _) = gradient.as_chunks_mut::<1>();
    let (scratch, _) = scratch.as_chunks_mut::<1>();
    let [value] = problem.likelihood().value_and_gradient(Isa::detect(), w, gradient, scratch);
    Ok(add_prior(problem, value, w, gradient))
}

/// The likelihood's value and gradient with the prior's added.
pub(crate) fn add_prior<T: Real>(
    problem: &Problem<'_, T>,
    value: T,
    w: &[[T; 1]],
    gradient: &mut [[T; 1]],
) -> T {
    let prior = problem.prior();
    let [log_prior] = prior.log_density(Portable, problem.d(), w);
    if let Prior::Gaussian { sd } = prior {
        for ([g], [w]) in gradient.iter_mut().zip(w) {
            *g -= *w / (sd * sd);
        }
    }
    value + log_prior
}

/// Scratch of [`draw_prior`]: the latent coordinates of one vector, and what mapping them leaves.
fn prior_layout<'a, T: Real>(
    carve: &mut impl Carve<'a>,
    problem: &Problem<'_, T>,
) -> Result<(&'a mut [T], &'a mut [T]), WorkspaceError> {
    let (prior, d) = (problem.prior(), problem.d());
    let latent = carve.take(prior.latent_dim(d))?;
    Ok((latent, carve.take(prior.scratch(d))?))
}

pub(crate) fn prior_scratch<T: Real>(problem: &Problem<'_, T>) -> Result<usize, lcc_status> {
    let mut measure = Measure::new();
    prior_layout(&mut measure, problem)?;
    Ok(measure.bytes())
}

/// Fills `out` with vectors of d coordinates from the prior, one after another from one stream.
pub(crate) fn draw_prior<T: Real>(
    problem: &Problem<'_, T>,
    seed: u64,
    scratch: &mut [u8],
    out: &mut [T],
) -> Result<(), lcc_status> {
    let (latent, scratch) = prior_layout(&mut Memory::new(scratch)?, problem)?;
    let (latent, _) = latent.as_chunks_mut::<1>();
    let (scratch, _) = scratch.as_chunks_mut::<1>();
    let (out, _) = out.as_chunks_mut::<1>();
    let (prior, d) = (problem.prior(), problem.d());
    let mut stream = [Stream::new(seed, 0, Purpose::Predictive)];
    for w in out.chunks_exact_mut(d.max(1)) {
        prior.draw(Portable, d, &mut stream, latent, w, scratch);
    }
    Ok(())
}

impl<T: Real> Raw<T> {
    /// The network's output under this problem.
    pub(crate) fn output(&self) -> Result<Output<T>, lcc_status> {
        let activation =
            Activation::from_code(self.activation).ok_or(lcc_status::LCC_ERROR_ACTIVATION)?;
        let (neurons, factor) = match self.posterior {
            LCC_POSTERIOR_GREEDY => (1, T::ONE),
            LCC_POSTERIOR_JOINT => (self.neurons as usize, self.outer / T::of_u32(self.neurons)),
            _ => return Err(lcc_status::LCC_ERROR_POSTERIOR),
        };
        let signs = match (self.posterior, self.signs) {
            (LCC_POSTERIOR_GREEDY, _) | (_, LCC_SIGNS_POSITIVE) => Signs::Positive,
            (_, LCC_SIGNS_ALTERNATING) => Signs::Alternating,
            _ => return Err(lcc_status::LCC_ERROR_SIGNS),
        };
        Ok(Output { activation, neurons, signs, factor })
    }
}
