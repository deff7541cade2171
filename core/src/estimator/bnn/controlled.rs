//! Control variates of chains of part of the rows: what is noisy is what minibatches leave of the loss beyond its second
//! order about one point (Baker, Fearnhead, Fox and Nemeth 2019; Quiroz, Kohn, Villani and Tran 2019).
//!
//! The point z0 is where scoring comes from the end of the start in [`ROUNDS`] at most: of a generalised linear model the mode.
//! g and Q are the gradient and minus the curvature (Gauss-Newton) by all rows there, g_b and Q_b by a minibatch, of the
//! tempered density. A proposal is z0 + sqrt(1 - e^2) (z - z0) + e N(0, Q^-1), which N(z0, Q^-1) leaves invariant, and is
//! accepted by the change of
//!
//! log p_b(z) - (g_b - g).d + d'Q_b d/2, d = z - z0,
//!
//! whose mean over minibatches is log p(z) + d'Qd/2, whatever Q is: the law is exact where the curvature is not, and only its
//! noise then larger. Where it is, the variance of a change falls as 1/(n b) at b of n rows: the larger the data, the fewer rows.

use super::BnnError;
use super::layout::Shape;
use super::method::BnnMethod;
use super::mode::{Outcome, spare};
use super::subsampled::{batch, take};
use crate::density::Density;
use crate::kernel::penalty::Penalty;
use crate::linalg::lower_len;
use crate::linalg::one::{cholesky, dot, solve_lower, solve_lower_transposed};
use crate::network::{Curvature, Posterior};
use crate::pieces::{cut, total};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes};

/// Steps of scoring, and the squared distance to the mode in posterior sds that ends them.
const ROUNDS: usize = 12;
const NEAR: f64 = 1e-6;

/// Whether chains have them.
pub(super) fn is<T: Real>(shape: &Shape<T>) -> bool {
    let o = &shape.options;
    let asked = o.method == BnnMethod::Penalty && o.penalty == Penalty::Controlled;
    asked && batch(shape).is_some()
}

fn sizes<T: Real>(shape: &Shape<T>) -> Option<[usize; 6]> {
    let p = shape.places().dim;
    Some([p, p, p, lower_len(p)?, lower_len(p)?, spare(shape)?])
}

/// Numbers of memory; `None` on overflow.
pub(super) fn len<T: Real>(shape: &Shape<T>) -> Option<usize> {
    if is(shape) { total(sizes(shape)?) } else { Some(0) }
}

/// z0, g, the factor of Q; room for a list, for Q_b and for factors of a curvature.
pub(super) struct Control<'s, T> {
    centre: &'s mut [[T; 1]],
    slope: &'s mut [[T; 1]],
    list: &'s mut [[T; 1]],
    factor: &'s mut [[T; 1]],
    block: &'s mut [[T; 1]],
    factors: &'s mut [[T; 1]],
}

impl<'s, T: Lanes<1>> Control<'s, T> {
    /// In memory of [`len`].
    pub(super) fn open(shape: &Shape<T>, memory: &'s mut [T]) -> Option<Self> {
        let ([centre, slope, list, factor, block, factors], _) =
            cut(memory.as_chunks_mut::<1>().0, sizes(shape)?)?;
        Some(Self { centre, slope, list, factor, block, factors })
    }

    /// Moves theta to z0 and expands there; the passes over the data.
    pub(super) fn expand(
        &mut self,
        isa: Isa,
        density: &Posterior<'_, T, 1>,
        theta: &mut [[T; 1]],
        scratch: &mut [[T; 1]],
    ) -> Outcome<u64> {
        let p = theta.len();
        let mut passes = 0_u64;
        for round in 1..=ROUNDS {
            passes = passes.saturating_add(3);
            let [value] = density.value_and_gradient(isa, theta, self.slope, scratch);
            let to = Curvature { range: 0..p, full: true, prior: true, out: self.factor };
            density.curvature(isa, theta, to, self.factors, scratch)?;
            if cholesky(self.factor, p, T::ZERO) != T::ZERO {
                return Some(Err(BnnError::Singular));
            }
            take(self.list, self.slope);
            solve_lower(self.factor, self.list);
            solve_lower_transposed(self.factor, self.list);
            let rise = dot(self.slope.as_flattened(), self.list.as_flattened());
            for ((c, z), [d]) in self.centre.iter_mut().zip(&*theta).zip(&*self.list) {
                *c = z.map(|z| z + *d);
            }
            let better = |[after]: [T; 1]| after > value;
            let more = rise > T::lit(NEAR) && round < ROUNDS;
            if !more || !better(density.value(isa, self.centre, self.list, scratch)) {
                break;
            }
            take(theta, self.centre);
        }
        take(self.centre, theta);
        Some(Ok(passes))
    }

    /// Makes of normals a proposal from theta.
    pub(super) fn propose(&self, e: T, theta: &[[T; 1]], normals: &mut [[T; 1]]) {
        solve_lower_transposed(self.factor, normals);
        let stays = (T::ONE - e * e).max(T::ZERO).sqrt();
        for (([z], [old]), [c]) in normals.iter_mut().zip(theta).zip(&*self.centre) {
            *z = *c + (stays * (*old - *c) + e * *z);
        }
    }

    /// What a minibatch leaves of the change of the loss from `before` to `after`. `gradient`: a list.
    pub(super) fn change(
        &mut self,
        isa: Isa,
        density: &Posterior<'_, T, 1>,
        [before, after]: [&[[T; 1]]; 2],
        gradient: &mut [[T; 1]],
        scratch: &mut [[T; 1]],
    ) -> Option<T> {
        density.value_and_gradient(isa, self.centre, gradient, scratch);
        let to = Curvature { range: 0..before.len(), full: true, prior: true, out: self.block };
        density.curvature(isa, self.centre, to, self.factors, scratch)?;
        let mut of = |z: &[[T; 1]]| {
            let [value] = density.value(isa, z, self.list, scratch);
            let (mut linear, mut square) = (T::ZERO, T::ZERO);
            let mut rest = self.block.as_flattened();
            for (i, ([z], [c])) in z.iter().zip(&*self.centre).enumerate() {
                let d = *z - *c;
                let (row, after) = rest.split_at_checked(i)?;
                let (diagonal, after) = after.split_first()?;
                rest = after;
                let ([own], [all]) = (*gradient.get(i)?, *self.slope.get(i)?);
                linear += (own - all) * d;
                let cross = dot(row, self.list.as_flattened());
                square += d * (cross + T::HALF * *diagonal * d);
                *self.list.get_mut(i)? = [d];
            }
            Some(value - linear + square)
        };
        Some(of(before)? - of(after)?)
    }
}
