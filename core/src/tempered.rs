//! A density at a temperature: its log likelihood times lambda.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::density::{Density, Extent};
//! use lcc_core::lifted::Lifted;
//! use lcc_core::likelihood::GreedyTilt;
//! use lcc_core::prior::Prior;
//! use lcc_core::simd::Isa;
//! use lcc_core::tempered::Tempered;
//!
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let tilt = GreedyTilt::new(data, 1.0, Activation::Tanh);
//! let density = Lifted::new(&tilt, Prior::gaussian(2.0)?, 1, 1)?;
//! let half = Tempered::new(&density, 0.5);
//! let (mut gradient, mut scratch) = ([[0.0_f64]], vec![[0.0]; half.scratch()]);
//! let [whole] = density.value_and_gradient(Isa::detect(), &[[0.5]], &mut gradient, &mut scratch);
//! let [value] = half.value_and_gradient(Isa::detect(), &[[0.5]], &mut gradient, &mut scratch);
//! assert_eq!(value, 0.5 * whole);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use core::fmt;

/// log p(g) = -|g|^2/2 + lambda v(g) + const, v being the value of another density: the reference
/// N(0, I) at lambda = 0, that density at 1. `Copy`, and cheap to build anew for each call.
#[derive(Clone, Copy)]
pub struct Tempered<'a, T, const N: usize> {
    density: &'a dyn Density<T, N>,
    lambda: T,
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Tempered<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tempered").field("lambda", &self.lambda).finish_non_exhaustive()
    }
}

impl<'a, T: Real, const N: usize> Tempered<'a, T, N> {
    /// `density` at the inverse temperature `lambda`.
    pub fn new(density: &'a dyn Density<T, N>, lambda: T) -> Self {
        Self { density, lambda }
    }

    /// The inverse temperature.
    pub fn lambda(&self) -> T {
        self.lambda
    }
}

impl<T: Real, const N: usize> Extent for Tempered<'_, T, N> {
    fn dim(&self) -> usize {
        self.density.dim()
    }

    fn scratch(&self) -> usize {
        self.density.scratch()
    }

    fn rows(&self) -> usize {
        self.density.rows()
    }
}

impl<T: Lanes<N>, const N: usize> Density<T, N> for Tempered<'_, T, N> {
    /// Those of the density times lambda: [`dim`](Extent::dim) + 1 flops more. At lambda = 1 the
    /// same bits.
    fn value_and_gradient(
        &self,
        isa: Isa,
        g: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let mut value = self.density.value_and_gradient(isa, g, gradient, scratch);
        let gradient = gradient.get_mut(..self.dim()).unwrap_or_default();
        scale(isa, self.lambda, core::slice::from_mut(&mut value));
        scale(isa, self.lambda, gradient);
        value
    }
}

/// Whether temperatures increase from above 0 to 1.
pub(crate) fn climbs<T: Real>(temperatures: &[T]) -> bool {
    let mut last = T::ZERO;
    temperatures.iter().all(|t| *t > core::mem::replace(&mut last, *t)) && last == T::ONE
}

dispatched!(
    /// x <- factor x.
    pub(crate) fn scale(s: S, factor: T, x: &mut [[T; N]]) {
        let factor = s.splat(factor);
        for x in x {
            *x = (factor * s.load(x)).array();
        }
    }
);
