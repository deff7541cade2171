//! One exact transition: a trajectory, then the conditional draws. It leaves the posterior of
//! theta, lambda, beta, nu, tau_v and tau_c invariant for any fixed mass and step size.

use crate::density::{Density, Extent};
use crate::estimator::chains::{Chains, Hyper};
use crate::estimator::gibbs;
use crate::estimator::model::{Model, Scratch};
use crate::kernel::hmc::{self, Outcome, State, Trajectory, Work};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};
use crate::tempered::scale;

/// log p(theta | lambda, beta, tau_v, tau_c), which is -U: the law that a trajectory moves in, relative to
/// no reference ([`hmc::Flow::Mass`]).
#[derive(Clone, Copy, Debug)]
pub struct Theta<'a, T, const N: usize> {
    /// The model.
    pub model: &'a Model<'a, T>,
    /// Scales and noise.
    pub hyper: &'a Hyper<T, N>,
    /// lambda_i; 1 if absent.
    pub weights: Option<&'a [[T; N]]>,
}

impl<T: Real, const N: usize> Extent for Theta<'_, T, N> {
    fn dim(&self) -> usize {
        self.model.coordinates()
    }

    /// The network's parameters, and the scratch of its likelihood.
    fn scratch(&self) -> usize {
        self.dim().saturating_add(self.model.shape().scratch())
    }

    fn rows(&self) -> usize {
        self.model.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Density<T, N> for Theta<'_, T, N> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        theta: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let Some((parameters, rest)) = scratch.split_at_mut_checked(self.dim()) else {
            return [T::NAN; N];
        };
        let Self { model, hyper, weights } = *self;
        let (u, _) = model.potential(isa, hyper, weights, theta, gradient, parameters, rest);
        scale(isa, -T::ONE, gradient);
        u.map(|u| -u)
    }
}

/// One trajectory of each chain in lock-step, over theta: `run.steps` + 1 passes over the data, each with
/// one solve by L and one by L' (P^2 flops each with a dense mass). Inlined: the flow is known where it is called,
/// and the others are not linked.
#[inline(always)]
pub fn trajectory<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    run: &Trajectory<'_, T, N>,
    scratch: &mut Scratch<'_, T, N>,
) -> Outcome<T, N> {
    let Chains { theta, weights, hyper, kernel, .. } = chains;
    let Scratch { proposal, gradient, momentum, velocity, rows, .. } = scratch;
    // lambda = 1 needs no loads.
    let weights = if model.gaussian { None } else { Some(&**weights) };
    let density = Theta { model, hyper, weights };
    let mut state = State { position: theta, gradient: velocity, value: &mut [T::ZERO; N] };
    let mut work = Work::of([proposal, momentum, gradient], rows);
    hmc::evaluate(isa, &density, &mut state, work.scratch());
    hmc::transition(isa, &density, kernel, run, &mut state, &mut work)
}

/// Moves each chain once; the data may differ from call to call. Passes over the data:
/// `run.steps` + 3. The residuals at the new state are left in `scratch`
/// ([`noise::log_likelihood`](crate::estimator::noise), [`prediction`]).
#[inline(always)]
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    model: &Model<'_, T>,
    chains: &mut Chains<'_, T, N>,
    run: &Trajectory<'_, T, N>,
    scratch: &mut Scratch<'_, T, N>,
) -> Outcome<T, N> {
    let outcome = trajectory(isa, model, chains, run, scratch);
    gibbs::sweep(isa, model, chains, scratch);
    outcome
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
