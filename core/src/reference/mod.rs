//! A Gaussian reference other than the prior's: coordinates in which a fitted law is N(0, I).
//!
//! A density log p(g) = -|g|^2/2 + v(g) and the map g = m + L z give log p(z) = -|z|^2/2 + u(z) with
//! u(z) = v(g) + (|z|^2 - |g|^2)/2, so every kernel ([`crate::kernel`]) works on z as it does on g: what
//! split HMC solves exactly is then N(m, LL'), what independence Metropolis proposes comes from there,
//! and the steps of the others are scaled by it.
//!
//! ```
//! use lcc_core::reference::{Affine, affine_len};
//! use lcc_core::simd::Isa;
//!
//! // m = (1, -1) and L = (2 0; 1 3), packed.
//! let numbers = [1.0, -1.0, 2.0, 1.0, 3.0_f64];
//! assert_eq!(affine_len(2), Some(numbers.len()));
//! let map = Affine::new(&numbers, 2).unwrap();
//! let mut g = [[0.0]; 2];
//! map.apply(Isa::detect(), &[[0.5], [1.0]], &mut g);
//! assert_eq!(g, [[2.0], [2.5]]);
//! let mut z = [0.0; 2];
//! map.solve(&[2.0, 2.5], &mut z);
//! assert_eq!(z, [0.5, 1.0]);
//! ```

mod change;
mod mixture;

pub(crate) use change::{enter, leave};
pub use mixture::{COMPONENTS, Mixture, mixture_len};
pub(crate) use mixture::{FREEDOM, component_len, ratio, student};

use crate::density::{Density, Extent};
use crate::dispatch::dispatched;
use crate::linalg::{lower_len, rows};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector};
use crate::special;
use crate::sum::Sum;
use core::fmt;

/// g = m + L z, L lower triangular with a positive diagonal. `Copy`; borrows its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Affine<'a, T> {
    mean: &'a [T],
    factor: &'a [T],
}

/// The numbers that [`Affine`] borrows for `dim` coordinates: dim + dim (dim + 1)/2. `None` if that
/// overflows.
pub fn affine_len(dim: usize) -> Option<usize> {
    lower_len(dim)?.checked_add(dim)
}

impl<'a, T: Real> Affine<'a, T> {
    /// Of [`affine_len`] numbers: m, then L packed row by row. `None` if there are too few.
    pub fn new(numbers: &'a [T], dim: usize) -> Option<Self> {
        let (mean, rest) = numbers.split_at_checked(dim)?;
        Some(Self { mean, factor: rest.get(..lower_len(dim)?)? })
    }

    /// m.
    pub fn mean(&self) -> &'a [T] {
        self.mean
    }

    /// z of g, one point: dim^2 flops. Both hold dim numbers; the shorter one decides.
    pub fn solve(&self, g: &[T], z: &mut [T]) {
        let mut factor = self.factor;
        for (i, (g, m)) in g.iter().zip(self.mean).enumerate() {
            let Some((row, rest)) = factor.split_at_checked(i.saturating_add(1)) else { return };
            factor = rest;
            let Some((done, left)) = z.split_at_mut_checked(i) else { return };
            let mut sum = Sum::ZERO;
            sum.add(*g - *m);
            done.iter().zip(row).for_each(|(z, l)| sum.add(-(*z * *l)));
            if let Some((z, diagonal)) = left.first_mut().zip(row.last()) {
                *z = sum.value() / *diagonal;
            }
        }
    }

    /// g of z, one point, as [`apply`](Self::apply): dim^2 flops.
    pub fn point(&self, z: &[T], g: &mut [T]) {
        for ((row, g), m) in rows(self.factor).zip(g).zip(self.mean) {
            *g = row.iter().zip(z).fold(*m, |sum, (l, z)| sum + *l * *z);
        }
    }

    /// The same map, of scale^2 times the covariance: `numbers` become those of m + scale L z.
    pub(crate) fn widen(numbers: &mut [T], dim: usize, scale: T) {
        numbers.iter_mut().skip(dim).for_each(|l| *l = *l * scale);
    }

    /// Whether all its numbers are finite and the diagonal of L is positive.
    pub fn is_sound(&self) -> bool {
        let positive = rows(self.factor).filter_map(<[T]>::last).all(|l| *l > T::ZERO);
        positive && self.numbers().all(|x| x.is_finite())
    }

    /// log det L.
    pub(crate) fn log_volume(&self) -> T {
        let mut sum = Sum::ZERO;
        rows(self.factor).filter_map(<[T]>::last).for_each(|l| sum.add(special::scalar::ln(*l)));
        sum.value()
    }

    /// A gradient in g becomes that in z, L' times it, in place: dim^2 flops.
    pub(crate) fn pull_back(&self, gradient: &mut [T]) {
        for (i, row) in rows(self.factor).enumerate() {
            let Some((above, left)) = gradient.split_at_mut_checked(i) else { return };
            let Some((own, diagonal)) = left.first_mut().zip(row.last()) else { return };
            above.iter_mut().zip(row).for_each(|(g, l)| *g += *l * *own);
            *own = *diagonal * *own;
        }
    }

    /// All its numbers, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = T> {
        self.mean.iter().chain(self.factor).copied()
    }

    /// g of z, lane by lane: dim^2 flops a lane. Row i as m_i + l_i0 z_0 + l_i1 z_1 + ..., in this
    /// order.
    pub fn apply<const N: usize>(&self, isa: Isa, z: &[[T; N]], g: &mut [[T; N]])
    where
        T: Lanes<N>,
    {
        apply(isa, *self, z, g);
    }
}

dispatched!(
    fn apply(s: S, map: Affine<'_, T>, z: &[[T; N]], g: &mut [[T; N]]) {
        let mut factor = map.factor;
        for (i, (g, m)) in g.iter_mut().zip(map.mean).enumerate() {
            let Some((row, rest)) = factor.split_at_checked(i.saturating_add(1)) else { return };
            factor = rest;
            let mut sum = s.splat(*m);
            for (l, z) in row.iter().zip(z) {
                sum = sum + s.splat(*l) * s.load(z);
            }
            *g = sum.array();
        }
    }
);

/// A density in the coordinates of a reference, or as it is. `Copy`, and cheap to build anew for each
/// call.
#[derive(Clone, Copy)]
pub struct Whitened<'a, T, const N: usize> {
    density: &'a dyn Density<T, N>,
    map: Option<Affine<'a, T>>,
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Whitened<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Whitened").field("map", &self.map).finish_non_exhaustive()
    }
}

impl<'a, T: Real, const N: usize> Whitened<'a, T, N> {
    /// `density` in the coordinates z of a map; as it is without one.
    pub fn new(density: &'a dyn Density<T, N>, map: Option<Affine<'a, T>>) -> Self {
        Self { density, map }
    }
}

/// The scratch of a [`Whitened`] density of `dim` coordinates beside its own, in blocks: g, and the
/// gradient there.
pub(crate) const fn whitened_scratch(dim: usize) -> usize {
    dim.saturating_mul(2)
}

impl<T: Real, const N: usize> Extent for Whitened<'_, T, N> {
    fn dim(&self) -> usize {
        self.density.dim()
    }

    fn scratch(&self) -> usize {
        let own = if self.map.is_some() { whitened_scratch(self.dim()) } else { 0 };
        self.density.scratch().saturating_add(own)
    }

    fn rows(&self) -> usize {
        self.density.rows()
    }
}

impl<T: Lanes<N>, const N: usize> Density<T, N> for Whitened<'_, T, N> {
    /// 2 dim^2 flops a lane beside those of the density.
    fn value_and_gradient(
        &self,
        isa: Isa,
        z: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let Some(map) = self.map else {
            return self.density.value_and_gradient(isa, z, gradient, scratch);
        };
        let dim = self.dim();
        let Some((g, scratch)) = scratch.split_at_mut_checked(dim) else { return [T::NAN; N] };
        let Some((at, scratch)) = scratch.split_at_mut_checked(dim) else { return [T::NAN; N] };
        let Some((z, gradient)) = z.get(..dim).zip(gradient.get_mut(..dim)) else {
            return [T::NAN; N];
        };
        map.apply(isa, z, g);
        let value = self.density.value_and_gradient(isa, g, at, scratch);
        pull_back(isa, map, z, g, at, gradient);
        correct(isa, z, g, value)
    }

    fn value(
        &self,
        isa: Isa,
        z: &[[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let Some(map) = self.map else {
            return self.density.value(isa, z, spare, scratch);
        };
        let dim = self.dim();
        let Some((g, scratch)) = scratch.split_at_mut_checked(dim) else { return [T::NAN; N] };
        let Some((_, scratch)) = scratch.split_at_mut_checked(dim) else { return [T::NAN; N] };
        let Some(z) = z.get(..dim) else { return [T::NAN; N] };
        map.apply(isa, z, g);
        let value = self.density.value(isa, g, spare, scratch);
        correct(isa, z, g, value)
    }
}

dispatched!(
    /// v(g) + (|z|^2 - |g|^2)/2, the squares as (z - g)(z + g), compensated: two large norms are not
    /// subtracted.
    pub(crate) fn correct(s: S, z: &[[T; N]], g: &[[T; N]], value: [T; N]) -> [T; N] {
        let half = s.splat(T::HALF);
        let mut sum = Sum::new(s.zero());
        for (z, g) in z.iter().zip(g) {
            let (z, g) = (s.load(z), s.load(g));
            sum.add(half * ((z - g) * (z + g)));
        }
        // Outside the support the value is -infinity, and stays.
        (s.load(&value) + sum.value()).array()
    }
);

dispatched!(
    /// The gradient of u: z + L'(grad v - g), row after row of L.
    fn pull_back(
        s: S,
        map: Affine<'_, T>,
        z: &[[T; N]],
        g: &[[T; N]],
        at: &[[T; N]],
        gradient: &mut [[T; N]],
    ) {
        gradient.iter_mut().zip(z).for_each(|(d, z)| *d = *z);
        let mut factor = map.factor;
        for (i, (g, at)) in g.iter().zip(at).enumerate() {
            let Some((row, rest)) = factor.split_at_checked(i.saturating_add(1)) else { return };
            factor = rest;
            let force = s.load(at) - s.load(g);
            for (l, d) in row.iter().zip(&mut *gradient) {
                *d = (s.load(d) + s.splat(*l) * force).array();
            }
        }
    }
);
