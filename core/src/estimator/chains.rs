//! The state of a block of chains.

use crate::random::Stream;
use crate::scalar::Real;

/// Whether a chain is left out of a model by its log likelihood of a training row: where it is no number, or falls short of
/// `constant`, that of a model without inputs, by more than `below`; unless that is true of the best chain. A distance to
/// the best chain would choose the ones that overfit; and what is as good as the constant may be right: where inputs
/// say nothing, honest chains are within .15 of it, while others fit 30 rows by 5 nats a row more.
pub(crate) fn falls_short<T: Real>(own: T, best: T, constant: Option<T>, below: T) -> bool {
    let least = constant.map_or(-T::MAX, |constant| constant - below);
    let least = if best >= least { least } else { -T::MAX };
    best.is_finite() && !(own >= least)
}

/// What is drawn beside theta and the weights lambda_i.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyper<T, const N: usize> {
    /// The precision of the noise.
    pub beta: [T; N],
    /// The precision of the outer weights.
    pub tau_v: [T; N],
    /// The precision of the linear part.
    pub tau_c: [T; N],
    /// The degrees of freedom: one of [`crate::estimator::noise::TAILS`], or infinity.
    pub nu: [T; N],
}

impl<T: Real, const N: usize> Hyper<T, N> {
    /// beta = 1, tau_v = M, tau_c = 1, nu = 30 (infinity where the noise is Gaussian): the start of
    /// a chain.
    pub fn start(neurons: usize, gaussian: bool) -> Self {
        Self {
            beta: [T::ONE; N],
            tau_v: [T::of_usize(neurons); N],
            tau_c: [T::ONE; N],
            nu: [if gaussian { T::INFINITY } else { T::lit(30.0) }; N],
        }
    }
    /// Reads four blocks.
    pub(crate) fn load(stored: &[[T; N]; 4]) -> Self {
        let [beta, tau_v, tau_c, nu] = *stored;
        Self { beta, tau_v, tau_c, nu }
    }
    /// As [`load`](Self::load) reads.
    pub(crate) fn stored(&self) -> [[T; N]; 4] {
        [self.beta, self.tau_v, self.tau_c, self.nu]
    }
}

/// N chains: everything that a transition changes.
#[derive(Debug)]
pub struct Chains<'a, T, const N: usize> {
    /// theta, in the order of [`crate::estimator::model`].
    pub theta: &'a mut [[T; N]],
    /// lambda_i, one a row; 1 where the noise is Gaussian.
    pub weights: &'a mut [[T; N]],
    /// Scales and noise.
    pub hyper: Hyper<T, N>,
    /// Streams of [`crate::random::Purpose::Kernel`].
    pub kernel: [Stream; N],
    /// Streams of [`crate::random::Purpose::Gibbs`].
    pub gibbs: [Stream; N],
}

/// One chain's state as a plain list: theta (P), beta, tau_v, tau_c, nu, lambda (n).
pub fn state_len(coordinates: usize, rows: usize) -> usize {
    coordinates.saturating_add(4).saturating_add(rows)
}

impl<T: Real, const N: usize> Chains<'_, T, N> {
    fn cells(&mut self) -> impl Iterator<Item = &mut [T; N]> {
        let Hyper { beta, tau_v, tau_c, nu } = &mut self.hyper;
        self.theta.iter_mut().chain([beta, tau_v, tau_c, nu]).chain(self.weights.iter_mut())
    }

    /// Copies the state of one lane to `out` ([`state_len`] values); `false`, with nothing
    /// written, if the lane does not exist or the length differs.
    pub fn get_state(&mut self, lane: usize, out: &mut [T]) -> bool {
        if lane >= N || out.len() != state_len(self.theta.len(), self.weights.len()) {
            return false;
        }
        for (o, cell) in out.iter_mut().zip(self.cells()) {
            if let Some(x) = cell.get(lane) {
                *o = *x;
            }
        }
        true
    }

    /// Sets the state of one lane from `state`; `false`, with nothing changed, as in
    /// [`get_state`](Self::get_state).
    pub fn set_state(&mut self, lane: usize, state: &[T]) -> bool {
        if lane >= N || state.len() != state_len(self.theta.len(), self.weights.len()) {
            return false;
        }
        for (x, cell) in state.iter().zip(self.cells()) {
            if let Some(c) = cell.get_mut(lane) {
                *c = *x;
            }
        }
        true
    }
}
