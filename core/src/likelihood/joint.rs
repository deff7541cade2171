//! The joint posterior of M neurons with fixed outer weights (\[B\]).

use super::Likelihood;
use super::network::{self, Head, Task};
use super::rows::{GROUP, Group};
use crate::activation::Activation;
use crate::data::Dataset;
use crate::density::Extent;
use crate::plain::codes;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd};

codes! {
    /// The fixed signs s_m of the neurons.
    pub enum Signs {
        /// +1, -1, +1, ...
        Alternating = 0 "alternating",
        /// All +1.
        Positive = 1 "positive",
    }
}

impl Signs {
    /// Is s_m, m = 0, 1, ..., equal to -1?
    #[inline(always)]
    pub fn negative(self, m: usize) -> bool {
        match self {
            Self::Alternating => m % 2 == 1,
            Self::Positive => false,
        }
    }

    /// s_m.
    #[inline(always)]
    pub fn sign<T: Real>(self, m: usize) -> T {
        if self.negative(m) { -T::ONE } else { T::ONE }
    }
}

/// -(beta/2) sum_i (y_i - (V/M) sum_m s_m psi(x_i.w_m))^2 over w in R^{M d}, neuron by neuron: w_mj
/// is coordinate m d + j.
///
/// One evaluation costs n M (4 d + 11) flops a chain and n M activations, in the order of
/// `likelihood::rows`; f adds its neurons in order. Scratch: 4 d + 8 M blocks.
#[derive(Clone, Copy, Debug)]
pub struct Joint<'a, T> {
    /// The rows with their targets.
    pub data: Dataset<'a, T>,
    /// psi.
    pub activation: Activation,
    /// Neurons M, at least 1.
    pub neurons: usize,
    /// The total outer weight V.
    pub outer: T,
    /// The inverse temperature beta.
    pub beta: T,
    /// The signs s_m.
    pub signs: Signs,
}

impl<T: Real> Extent for Joint<'_, T> {
    fn dim(&self) -> usize {
        self.data.d().saturating_mul(self.neurons)
    }

    fn scratch(&self) -> usize {
        network::scratch(self.data.d(), self.neurons)
    }

    fn rows(&self) -> usize {
        self.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for Joint<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let dim = self.dim();
        let (Some(weights), Some(gradient), Some(scratch)) =
            (w.get(..dim), gradient.get_mut(..dim), scratch.get_mut(..self.scratch()))
        else {
            return [T::NAN; N];
        };
        let task = Task {
            data: self.data,
            activation: self.activation,
            weights,
            gradient,
            beta: [self.beta; N],
            lambda: &[],
            residuals: &mut [],
            scratch,
        };
        let head = FixedHead { outer: self.outer / T::of_usize(self.neurons), signs: self.signs };
        let mut value = task.run(isa, head);
        for v in &mut value {
            *v = -T::HALF * self.beta * *v;
        }
        value
    }
}

/// No biases, outer weights s_m V / M, nothing else.
struct FixedHead<T> {
    outer: T,
    signs: Signs,
}

impl<T: Real, const N: usize> Head<T, N> for FixedHead<T> {
    #[inline(always)]
    fn clear(&mut self) {}
    #[inline(always)]
    fn start<S: Simd<T, N>>(&self, s: S, _: impl Group<T>) -> [S::V; GROUP] {
        [s.zero(); GROUP]
    }
    #[inline(always)]
    fn neuron<S: Simd<T, N>>(&self, s: S, m: usize) -> (S::V, S::V) {
        let outer = if self.signs.negative(m) { -self.outer } else { self.outer };
        (s.zero(), s.splat(outer))
    }
    #[inline(always)]
    fn add_neuron<S: Simd<T, N>>(&mut self, _: S, _: usize, _: S::V, _: S::V) {}
    #[inline(always)]
    fn add_start<S: Simd<T, N>>(&mut self, _: S, _: impl Group<T>, _: [S::V; GROUP]) {}
}
