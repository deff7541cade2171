//! Draws from a posterior, or near it, in latent coordinates: where chains start, and what a reference
//! is fitted to.
//!
//! ```
//! use lcc_core::activation::Activation;
//! use lcc_core::data::{Dataset, Inputs};
//! use lcc_core::prior::Prior;
//! use lcc_core::problem::Problem;
//! use lcc_core::smc::{Progress, Smc, SmcOptions};
//! use lcc_core::simd::Isa;
//!
//! // p(w) ~ exp(2 tanh(w)) N(0, 1)
//! let data = Dataset::new(Inputs::row_major(&[1.0], 1, 1)?, &[1.0])?;
//! let problem = Problem::greedy(data, Activation::Tanh, Prior::gaussian(1.0)?, 2.0)?;
//! let options = SmcOptions { particles: 64, ..SmcOptions::default() };
//! let mut memory = vec![0_u128; Smc::size(&options, &problem)?.div_ceil(16)];
//! let memory = bytemuck::cast_slice_mut(&mut memory);
//! let mut smc = Smc::init(memory, &options, Isa::detect(), &problem)?;
//! while smc.step(&problem, 1_000_000)? == Progress::Running {}
//! let cloud = smc.cloud().unwrap();
//! assert_eq!((cloud.points(), cloud.dim()), (64, 1));
//! assert_eq!(cloud.fingerprint(), problem.fingerprint());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::linalg::one::cholesky;
use crate::linalg::{for_diagonal, lower_len};
use crate::scalar::Real;
use crate::sum::Sum;

/// The least weight of the identity in a shrunk correlation matrix.
const LEAST: f64 = 0.01;

/// Equally weighted points in latent coordinates, stored block by block of lanes: point i is lane
/// i mod lanes of block i / lanes. `Copy`; borrows them.
#[derive(Clone, Copy, Debug)]
pub struct Cloud<'a, T> {
    positions: &'a [T],
    points: usize,
    lanes: usize,
    dim: usize,
    fingerprint: u64,
}

impl<'a, T: Real> Cloud<'a, T> {
    /// Of `points` points of `dim` coordinates; `fingerprint` is that of the problem they belong to.
    pub(crate) fn new(
        positions: &'a [T],
        points: usize,
        lanes: usize,
        dim: usize,
        fingerprint: u64,
    ) -> Self {
        Self { positions, points, lanes: lanes.max(1), dim, fingerprint }
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The coordinates of each.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The [fingerprint](crate::problem::Problem::fingerprint) of the problem they are draws of.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Coordinate `j` of point `i`; NaN if there is none.
    pub fn at(&self, i: usize, j: usize) -> T {
        let at = (i / self.lanes.max(1))
            .wrapping_mul(self.dim)
            .wrapping_add(j)
            .wrapping_mul(self.lanes)
            .wrapping_add(i % self.lanes.max(1));
        self.positions.get(at).copied().unwrap_or(T::NAN)
    }

    /// The coordinates of point `i`, in order.
    fn point(&self, i: usize) -> impl Iterator<Item = T> {
        let lanes = self.lanes.max(1);
        let start = (i / lanes).wrapping_mul(self.dim).wrapping_mul(lanes).wrapping_add(i % lanes);
        let from = self.positions.get(start..).unwrap_or_default();
        from.iter().step_by(lanes).take(self.dim).copied()
    }

    /// Coordinate `j` of all points, in order.
    fn column(&self, j: usize) -> impl Iterator<Item = T> {
        let start = j.wrapping_mul(self.lanes);
        let (lanes, block) = (self.lanes, self.dim.wrapping_mul(self.lanes).max(1));
        let own = move |block: &'a [T]| block.get(start..).unwrap_or_default().iter().take(lanes);
        self.positions.chunks_exact(block).flat_map(own).take(self.points).copied()
    }

    /// Fits a Gaussian: writes the mean and the packed Cholesky factor of the covariance, the numbers
    /// of [`Affine`](crate::reference::Affine), to `out`, which holds
    /// [`affine_len`](crate::reference::affine_len). Correlations are shrunk towards zero by the share
    /// sum Var(r_jk) / sum r_jk^2 over pairs of coordinates, with Var(r) = (1 - r^2)^2/(N - 1), at
    /// least 1 % and at most all (Schaefer and Strimmer 2005): few points in many dimensions still
    /// give a well-conditioned matrix. A coordinate that does not vary, or is no number, keeps the
    /// law of the prior, N(0, 1). N dim^2 + dim^3/3 flops. `false` if `out` is too short.
    pub fn fit(&self, out: &mut [T]) -> bool {
        let dim = self.dim;
        let Some((mean, rest)) = out.split_at_mut_checked(dim) else { return false };
        let Some(factor) = lower_len(dim).and_then(|k| rest.get_mut(..k)) else { return false };
        for (j, m) in mean.iter_mut().enumerate() {
            let first = self.at(0, j);
            let mut sum = Sum::ZERO;
            self.column(j).for_each(|x| sum.add(x - first));
            *m = first + sum.value() / T::of_usize(self.points);
        }
        self.covariance(mean, factor);
        shrink(factor, dim, self.points, mean);
        factorise(factor, dim);
        true
    }

    /// The packed covariance, point after point.
    fn covariance(&self, mean: &[T], out: &mut [T]) {
        out.fill(T::ZERO);
        let share = T::ONE / T::of_usize(self.points.saturating_sub(1).max(1));
        for i in 0..self.points {
            let mut rest = &mut *out;
            for ((j, m), x) in mean.iter().enumerate().zip(self.point(i)) {
                let taken = core::mem::take(&mut rest);
                let Some((row, next)) = taken.split_at_mut_checked(j.saturating_add(1)) else {
                    return;
                };
                rest = next;
                let x = share * (x - *m);
                for ((c, n), y) in row.iter_mut().zip(mean).zip(self.point(i)) {
                    *c += x * (y - *n);
                }
            }
        }
    }
}

/// A packed covariance becomes its lower Cholesky factor.
pub(crate) fn factorise<T: Real>(lower: &mut [T], dim: usize) {
    let (blocks, _) = lower.as_chunks_mut::<1>();
    cholesky(blocks, dim, T::lit(1e-6));
    // Reciprocals of the diagonal, as they are left, back to themselves.
    for_diagonal(lower, dim, |x, _| *x = T::ONE / *x);
}

/// Shrinks the correlations of a packed covariance; sets right what is no variance, and the mean there.
pub(crate) fn shrink<T: Real>(lower: &mut [T], dim: usize, points: usize, mean: &mut [T]) {
    let degrees = T::of_usize(points.saturating_sub(1).max(1));
    // Rows and columns that have no variance become those of the identity.
    let mut at = 0_usize;
    for j in 0..dim {
        let diagonal = at.saturating_add(j);
        let sound = lower.get(diagonal).is_some_and(|v| *v > T::MIN_POSITIVE && v.is_finite());
        if !sound {
            lower.iter_mut().skip(at).take(j).for_each(|c| *c = T::ZERO);
            if let Some(v) = lower.get_mut(diagonal) {
                *v = T::ONE;
            }
            if let Some(m) = mean.get_mut(j) {
                *m = T::ZERO;
            }
            let mut below = diagonal.saturating_add(j).saturating_add(1);
            for k in j.saturating_add(1)..dim {
                if let Some(c) = lower.get_mut(below) {
                    *c = T::ZERO;
                }
                below = below.saturating_add(k).saturating_add(1);
            }
        }
        at = diagonal.saturating_add(1);
    }
    let variance = |lower: &[T], j: usize| {
        let at = lower_len(j.saturating_add(1)).unwrap_or(usize::MAX).wrapping_sub(1);
        lower.get(at).copied().unwrap_or(T::ONE)
    };
    let (mut noise, mut signal) = (T::ZERO, T::ZERO);
    let entries = |lower: &mut [T], f: &mut dyn FnMut(&mut T, T)| {
        let mut at = 0_usize;
        for j in 0..dim {
            let v = variance(lower, j);
            for k in 0..j {
                let scale = (v * variance(lower, k)).sqrt();
                if let Some(c) = lower.get_mut(at) {
                    f(c, scale);
                }
                at = at.saturating_add(1);
            }
            at = at.saturating_add(1);
        }
    };
    entries(lower, &mut |c, scale| {
        let r = *c / scale;
        let left = T::ONE - r * r;
        noise += left * left / degrees;
        signal += r * r;
    });
    let share = if noise < signal { noise / signal } else { T::ONE };
    let keep = T::ONE - share.max(T::lit(LEAST));
    entries(lower, &mut |c, _| *c = *c * keep);
}
