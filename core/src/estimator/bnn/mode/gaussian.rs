//! The Gaussian about a mode: its curvature's factor, draws, and the network to first order.

use super::super::BnnError;
use super::super::evidence::learn;
use super::super::method::BnnMethod;
use super::{Chain, Outcome};
use crate::linalg::one::{cholesky, solve_lower_transposed};
use crate::linalg::{for_diagonal, lower_len};
use crate::network::Posterior;
use crate::pieces::cut;
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{Lanes, blocks};
use crate::special::scalar::{exp, ln};
use crate::warmup::VECTORS;

impl<T: Lanes<1>> Chain<'_, '_, T> {
    /// The Gaussian about the mode: the curvature becomes its factor, or its diagonal, and log p(y) is noted.
    pub(super) fn approximate(&mut self) -> Outcome<()> {
        let o = &self.shape.options;
        let full = o.method != BnnMethod::LaplaceDiagonal;
        if self.frozen {
            // By the matrix here: the last steps went on from where it was learnt.
            self.invert(false)?;
            let ([x, _, _, _, variances, ..], _) =
                cut(self.vectors, [self.shape.places().dim; VECTORS])?;
            learn(&self.posterior, x, variances, self.occam);
            self.frozen = false;
        }
        let range = self.shape.curved();
        let (whole, count) = (range.len() == self.dim(), range.len());
        if o.is_linear() {
            self.exact(range, full)?;
        } else {
            self.gauss_newton(range, full)?;
        }
        let mut half_log = T::ZERO;
        let mut definite = true;
        if full {
            let raised = cholesky(self.curvature.as_chunks_mut::<1>().0, count, T::ZERO);
            definite = raised == T::ZERO;
            for_diagonal(self.curvature, count, |inverse, _| half_log -= ln(*inverse));
        } else {
            for h in self.curvature.iter().take(count) {
                definite = definite && *h > T::MIN_POSITIVE;
                half_log += T::HALF * ln(*h);
            }
        }
        if !(definite && half_log.is_finite()) {
            return Some(Err(BnnError::Singular));
        }
        let [_, _, evidence, _, joint, ..] = &mut *self.mode;
        *evidence = if whole { *joint - half_log } else { T::NAN };
        Some(Ok(()))
    }

    /// A draw of that Gaussian, added to the mode.
    pub(super) fn spread(&mut self, stream: &mut Stream, theta: &mut [T]) -> Option<()> {
        let (range, full) =
            (self.shape.curved(), self.shape.options.method != BnnMethod::LaplaceDiagonal);
        let ([_, _, z, ..], _) = cut(self.vectors, [self.dim(); VECTORS])?;
        let z = z.get_mut(..range.len())?;
        z.iter_mut().for_each(|z| *z = stream.normal());
        if full {
            let factor = self.curvature.get(..lower_len(range.len())?)?;
            solve_lower_transposed(factor.as_chunks::<1>().0, z.as_chunks_mut::<1>().0);
        } else {
            z.iter_mut().zip(&*self.curvature).for_each(|(z, h)| *z = *z / h.sqrt());
        }
        theta.get_mut(range)?.iter_mut().zip(z).for_each(|(t, z)| *t += *z);
        Some(())
    }
}

/// The parameters w = s z at `theta` to first order about those at `mode`, s* (z + z* (ln s - ln s*)), written over `out`.
pub(super) fn tangent<T: Real>(
    posterior: &Posterior<'_, T, 1>,
    mode: &[T],
    theta: &[T],
    out: &mut [T],
) -> Option<()> {
    let architecture = &posterior.pass.architecture;
    let scales = posterior.places().scales;
    for group in posterior.prior.groups(architecture) {
        let (mut scale, mut change) = (group.scale, T::ZERO);
        if let Some(k) = group.sampled.and_then(|k| k.checked_add(scales)) {
            scale = scale * exp(*mode.get(k)?);
            change = *theta.get(k)? - *mode.get(k)?;
        }
        let (out, _) = out.as_chunks_mut::<1>();
        let (theta, mode) = (blocks::<T, 1>(theta)?, blocks::<T, 1>(mode)?);
        let from = group.members(theta).zip(group.members(mode));
        for ([w], ([z], [z0])) in group.members_mut(out).zip(from) {
            *w = scale * (*z + *z0 * change);
        }
    }
    Some(())
}
