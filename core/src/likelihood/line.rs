//! Log densities that are piecewise quadratic along every line: squared ReLU against residuals.

use super::{GreedyTilt, Joint, Likelihood, UserDensity};
use crate::activation::Activation;
use crate::data::Inputs;
use crate::dispatch::dispatched;
use crate::network::{DeepPosterior, FreeNetwork};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};

/// The sizes k_i of the hinges of a [`PiecewiseQuadratic`] likelihood: a factor times each value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinges<'a, T> {
    /// The factor.
    pub factor: T,
    /// One value a hinge.
    pub values: &'a [T],
}

/// A likelihood that may know that it is piecewise quadratic along lines:
/// v(w + t u) = const + b t + c t^2/2 + sum_i k_i max(0, x_i + t z_i)^2/2, the hinges i = 1, ..., n.
/// A point on a line can then be drawn exactly ([`crate::kernel::ball::hit_and_run`]). By default it
/// knows nothing of the kind.
pub trait PiecewiseQuadratic<T: Real, const N: usize>: Likelihood<T, N> {
    /// k_i, where it is; `None` where it is not, or not known to be.
    fn hinges(&self) -> Option<Hinges<'_, T>> {
        None
    }

    /// x_i and z_i of the line through `w` along `u` (both [`dim`](crate::density::Extent::dim) blocks),
    /// written over `x` and `z` (n blocks each); returns b and c. Cost: that of two values, without
    /// activations.
    fn restrict(
        &self,
        _isa: Isa,
        _w: &[[T; N]],
        _u: &[[T; N]],
        _x: &mut [[T; N]],
        _z: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        [[T::ZERO; N]; 2]
    }
}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for Joint<'_, T> {}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for UserDensity<'_, T> {}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for FreeNetwork<'_, T> {}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for DeepPosterior<'_, T> {}

impl<'a, T: Real> GreedyTilt<'a, T> {
    /// alpha sum_i r_i max(0, x_i.w)^2/2: k_i = alpha r_i.
    pub fn hinges(&self) -> Option<Hinges<'a, T>> {
        (self.activation == Activation::SquaredRelu && self.is_plain())
            .then_some(Hinges { factor: self.alpha, values: self.data.y() })
    }
}

impl<T: Lanes<N>, const N: usize> PiecewiseQuadratic<T, N> for GreedyTilt<'_, T> {
    fn hinges(&self) -> Option<Hinges<'_, T>> {
        self.hinges()
    }

    fn restrict(
        &self,
        isa: Isa,
        w: &[[T; N]],
        u: &[[T; N]],
        x: &mut [[T; N]],
        z: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        project(isa, self.data.inputs, w, u, x, z);
        [[T::ZERO; N]; 2]
    }
}

dispatched!(
    /// x_i.w and x_i.u for every row, from column 0 upward.
    fn project(
        s: S,
        inputs: Inputs<'_, T>,
        w: &[[T; N]],
        u: &[[T; N]],
        x: &mut [[T; N]],
        z: &mut [[T; N]],
    ) {
        for (i, (x, z)) in x.iter_mut().zip(z).enumerate() {
            let (mut along_w, mut along_u) = (s.zero(), s.zero());
            for (j, (w, u)) in w.iter().zip(u).enumerate() {
                let entry = s.splat(inputs.at(i, j));
                along_w = along_w + entry * s.load(w);
                along_u = along_u + entry * s.load(u);
            }
            *x = along_w.array();
            *z = along_u.array();
        }
    }
);
