//! One auxiliary variable for each observation: xi_im = sqrt(rho_i) x_i.w_m + Z_im (\[MB\] (4), \[B\]).

use super::{Channel, CouplingError};
use crate::data::Inputs;
use crate::error::refuse;
use crate::likelihood::Signs;
use crate::scalar::Real;

/// The n-dimensional coupling of M neurons. rho_i = 0 is allowed: that xi_i is then noise.
#[derive(Clone, Copy, Debug)]
pub struct Coupling<'a, T> {
    inputs: Inputs<'a, T>,
    rho: &'a [T],
    signs: Signs,
    neurons: usize,
}

impl<'a, T: Real> Coupling<'a, T> {
    /// One neuron: `rho` holds n non-negative values.
    pub fn greedy(inputs: Inputs<'a, T>, rho: &'a [T]) -> Result<Self, CouplingError> {
        Self::checked(inputs, rho, 1, Signs::Positive, 1)
    }

    /// M neurons with outer signs s_m. `rho` holds n values for all neurons, or 2n: the first n for
    /// those with s_m = +1, then n for the others ([`rho::joint`](super::rho::joint)).
    pub fn joint(
        inputs: Inputs<'a, T>,
        rho: &'a [T],
        neurons: usize,
        signs: Signs,
    ) -> Result<Self, CouplingError> {
        let two = inputs.n().checked_mul(2).ok_or(CouplingError::Shape)?;
        let classes = if rho.len() >= two { 2 } else { 1 };
        Self::checked(inputs, rho, neurons, signs, classes)
    }

    fn checked(
        inputs: Inputs<'a, T>,
        rho: &'a [T],
        neurons: usize,
        signs: Signs,
        classes: usize,
    ) -> Result<Self, CouplingError> {
        let count = inputs.n().checked_mul(classes).ok_or(CouplingError::Shape)?;
        let rho = rho.get(..count).ok_or(CouplingError::Shape)?;
        let widest = inputs.n().max(inputs.d());
        refuse(neurons == 0 || widest.checked_mul(neurons).is_none(), CouplingError::Shape)?;
        refuse(rho.iter().any(|r| !(*r >= T::ZERO && r.is_finite())), CouplingError::Rho)?;
        Ok(Self { inputs, rho, signs, neurons })
    }

    /// The rows x_i.
    pub fn inputs(&self) -> Inputs<'a, T> {
        self.inputs
    }

    /// The signs of the neurons.
    pub fn signs(&self) -> Signs {
        self.signs
    }

    /// 1, or 2 where rho depends on the sign of the neuron.
    pub fn classes(&self) -> usize {
        if self.rho.len() > self.inputs.n() { 2 } else { 1 }
    }

    /// rho of observation i in a class (0: s_m = +1); 0 out of range.
    #[inline(always)]
    pub fn rho_of_class(&self, i: usize, class: usize) -> T {
        let k = class.wrapping_mul(self.inputs.n()).wrapping_add(i);
        self.rho.get(k).copied().unwrap_or(T::ZERO)
    }

    /// rho of observation i for neuron m.
    #[inline(always)]
    pub fn rho(&self, i: usize, m: usize) -> T {
        self.rho_of_class(i, class(self.signs, self.classes(), m))
    }
}

/// The class of neuron m: 1 if there are two and its sign is negative.
#[inline(always)]
pub(super) fn class(signs: Signs, classes: usize, m: usize) -> usize {
    (classes == 2 && signs.negative(m)) as usize
}

impl<T: Real> Channel<T> for Coupling<'_, T> {
    #[inline(always)]
    fn d(&self) -> usize {
        self.inputs.d()
    }
    #[inline(always)]
    fn neurons(&self) -> usize {
        self.neurons
    }
    #[inline(always)]
    fn observations(&self) -> usize {
        self.inputs.n()
    }
    #[inline(always)]
    fn data_rows(&self) -> usize {
        self.inputs.n()
    }
    #[inline(always)]
    fn row(&self, i: usize, m: usize) -> (T, usize, impl Iterator<Item = T>) {
        let inputs = self.inputs;
        (self.rho(i, m).sqrt(), 0, (0..inputs.d()).map(move |j| inputs.at(i, j)))
    }
}
