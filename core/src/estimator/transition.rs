//! One exact transition: a trajectory, then the conditional draws. It leaves the posterior of
//! theta, lambda, beta, nu, tau_v and tau_c invariant for any fixed mass and step size.

use crate::estimator::chains::Chains;
use crate::estimator::gibbs;
use crate::estimator::hmc::{self, Metric, Trajectory};
use crate::estimator::model::{Model, Scratch};
use crate::estimator::noise::LogLikelihood;
use crate::simd::{Isa, Lanes};

pub use crate::estimator::hmc::Acceptance as Outcome;

/// Moves each chain once; the data may differ from call to call. Passes over the data:
/// `run.leapfrogs` + 3. The residuals at the new state are left in `scratch`
/// ([`log_likelihood`], [`prediction`]).
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    metric: Metric<'_, T, N>,
    run: &Trajectory<T, N>,
    scratch: &mut Scratch<'_, T, N>,
) -> Outcome<T, N> {
    let outcome = hmc::trajectory(isa, model, chains, metric, run, scratch);
    gibbs::sweep(isa, model, chains, scratch);
    outcome
}

/// sum_i log p(y_i | theta, beta, nu) after a [`transition`], lambda integrated out.
pub fn log_likelihood<T: Lanes<N>, const N: usize>(
    isa: Isa,
    chains: &Chains<'_, T, N>,
    scratch: &Scratch<'_, T, N>,
) -> [T; N] {
    T::dispatch(isa, LogLikelihood { residuals: scratch.residuals, hyper: &chains.hyper })
}

/// f(x_i) = y_i - r_i after a [`transition`]; `None` past the last row.
pub fn prediction<T: Lanes<N>, const N: usize>(
    model: &Model<'_, T>,
    scratch: &Scratch<'_, T, N>,
    row: usize,
) -> Option<[T; N]> {
    let (r, y) = (scratch.residuals.get(row)?, model.data.y().get(row)?);
    Some(r.map(|r| *y - r))
}
