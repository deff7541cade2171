//! A posterior in latent coordinates: a likelihood of w under a prior that is a map from N(0, I).
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::lifted::Lifted;
//! use lcc_core::likelihood::GreedyTilt;
//! use lcc_core::prior::Prior;
//! use lcc_core::simd::Isa;
//!
//! let data = Dataset::new(Inputs::row_major(&[1.0, -1.0], 1, 2)?, &[1.0])?;
//! let tilt = GreedyTilt::new(data, 1.0, Activation::Tanh);
//! // Any point of R^(d+1) is a point of the l1 ball of radius 3.
//! let density = Lifted::new(&tilt, Prior::l1_ball(3.0)?, 2, 1)?;
//! let (mut w, mut scratch) = ([[0.0_f64]; 2], vec![[0.0]; density.map_scratch()]);
//! assert!(density.to_weights(Isa::detect(), &[[5.0], [-7.0], [0.1]], &mut w, &mut scratch));
//! assert!(w[0][0] > 0.0 && w[1][0] < 0.0 && w[0][0] - w[1][0] <= 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::error::errors;
use crate::likelihood::Likelihood;
use crate::prior::{Prior, map_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};

errors! {
    /// Why a posterior could not be formed.
    pub enum LiftedError {
        /// Or one of the two is zero.
        Dimension = "the likelihood's dimension is not d times the number of weight vectors",
    }
}

/// The posterior of M = `neurons` weight vectors in R^d, each under the same prior, as a [`Density`]:
/// log p(g) = -|g|^2/2 + likelihood(w(g)) + const. `Copy`, and cheap to build anew for each call.
#[derive(Clone, Copy, Debug)]
pub struct Lifted<'a, T, L> {
    likelihood: &'a L,
    prior: Prior<T>,
    d: usize,
    neurons: usize,
}

impl<'a, T: Real, L: Extent> Lifted<'a, T, L> {
    /// The likelihood's coordinates are those of w_1, ..., w_M one after another.
    pub fn new(
        likelihood: &'a L,
        prior: Prior<T>,
        d: usize,
        neurons: usize,
    ) -> Result<Self, LiftedError> {
        match d.checked_mul(neurons) {
            Some(dim) if dim > 0 && dim == likelihood.dim() => {
                Ok(Self { likelihood, prior, d, neurons })
            }
            _ => Err(LiftedError::Dimension),
        }
    }

    /// The likelihood of w.
    pub fn likelihood(&self) -> &'a L {
        self.likelihood
    }

    /// The prior of each vector.
    pub fn prior(&self) -> Prior<T> {
        self.prior
    }

    /// Coordinates of one vector.
    pub fn d(&self) -> usize {
        self.d
    }

    /// Weight vectors.
    pub fn neurons(&self) -> usize {
        self.neurons
    }

    /// Coordinates of w: d times the vectors.
    pub fn weights(&self) -> usize {
        self.d.saturating_mul(self.neurons)
    }

    /// Scratch of [`to_weights`](Self::to_weights), in blocks: those of the prior, M times.
    pub fn map_scratch(&self) -> usize {
        self.prior.scratch(self.d).saturating_mul(self.neurons)
    }

    /// w from g, for storing draws and predicting. `g` holds [`dim`](Extent::dim) blocks, `w`
    /// [`weights`](Self::weights) and `scratch` [`map_scratch`](Self::map_scratch); with fewer,
    /// nothing is written and `false` returned.
    pub fn to_weights<const N: usize>(
        &self,
        isa: Isa,
        g: &[[T; N]],
        w: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> bool
    where
        T: Lanes<N>,
    {
        let Some(((g, w), scratch)) = g
            .get(..self.dim())
            .zip(w.get_mut(..self.weights()))
            .zip(scratch.get_mut(..self.map_scratch()))
        else {
            return false;
        };
        map_on(isa, self.prior, self.d, g, w, scratch);
        true
    }
}

impl<T: Real, L: Extent> Lifted<'_, T, L> {
    /// The scratch in its parts: w, its gradient, the map's, the likelihood's. `None` if it is short.
    fn parts<'s, const N: usize>(
        &self,
        scratch: &'s mut [[T; N]],
    ) -> Option<[&'s mut [[T; N]]; 4]> {
        let scratch = scratch.get_mut(..Extent::scratch(self))?;
        let (w, scratch) = scratch.split_at_mut_checked(self.weights())?;
        let (gradient, scratch) = scratch.split_at_mut_checked(self.weights())?;
        let (derivatives, scratch) = scratch.split_at_mut_checked(self.map_scratch())?;
        Some([w, gradient, derivatives, scratch])
    }
}

impl<T: Real, L: Extent> Extent for Lifted<'_, T, L> {
    fn dim(&self) -> usize {
        self.prior.latent_dim(self.d).saturating_mul(self.neurons)
    }

    /// 2 M d (w and its gradient) + [`map_scratch`](Lifted::map_scratch) + the likelihood's.
    fn scratch(&self) -> usize {
        self.weights()
            .saturating_mul(2)
            .saturating_add(self.map_scratch())
            .saturating_add(self.likelihood.scratch())
    }

    fn rows(&self) -> usize {
        self.likelihood.rows()
    }
}

impl<T: Lanes<N>, L: Likelihood<T, N>, const N: usize> Density<T, N> for Lifted<'_, T, L> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let Some((g, gradient)) = g.get(..self.dim()).zip(gradient.get_mut(..self.dim())) else {
            return [T::NAN; N];
        };
        let Some([w, gradient_w, derivatives, scratch]) = self.parts(scratch) else {
            return [T::NAN; N];
        };
        let (prior, d) = (self.prior, self.d);
        map_on(isa, prior, d, g, w, derivatives);
        let value = self.likelihood.value_and_gradient(isa, w, gradient_w, scratch);
        pull_back(isa, prior, d, g, w, gradient_w, derivatives, gradient);
        value
    }

    fn value(&self, isa: Isa, g: &[[T; N]], _: &mut [[T; N]], scratch: &mut [[T; N]]) -> [T; N] {
        let Some(g) = g.get(..self.dim()) else { return [T::NAN; N] };
        let Some([w, spare, derivatives, scratch]) = self.parts(scratch) else {
            return [T::NAN; N];
        };
        map_on(isa, self.prior, self.d, g, w, derivatives);
        self.likelihood.value(isa, w, spare, scratch)
    }
}

dispatched!(
    /// [`Prior::pull_back`] as work to dispatch.
    pub(crate) fn pull_back(
        s: S,
        prior: Prior<T>,
        d: usize,
        g: &[[T; N]],
        w: &[[T; N]],
        gradient_w: &[[T; N]],
        scratch: &[[T; N]],
        gradient: &mut [[T; N]],
    ) {
        prior.pull_back(s, d, g, w, gradient_w, scratch, gradient);
    }
);
