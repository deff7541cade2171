//! The path of scales and noise that are learnt, where they are not climbed in: MacKay's updates, the weights' mode found
//! anew after each, and Laplace's evidence, which is how they are judged ([`evidence`](super::super::evidence) has the formulas).

use super::super::evidence::{learn, update};
use super::{Chain, terms};
use crate::density::Density;
use crate::linalg::one::{cholesky, solve_lower_transposed};
use crate::linalg::{for_diagonal, lower_len};
use crate::pieces::cut;
use crate::simd::{Lanes, blocks};
use crate::special::scalar::ln;
use crate::warmup::triangle::{invert, multiple};
use crate::warmup::{VECTORS, limited};

/// Where scales and noise are at their evidence: the steps from one update of them to the next, at most, and their gain,
/// twice, below which the weights' mode is near enough; updates at most, how far below the best the evidence may fall, and
/// the change of a logarithm below which they end. Coordinates times terms of a row's information (one, or one a class) up to
/// which the matrix is the whole one, else its diagonal.
pub(super) const ROUND: u32 = 60;
pub(super) const RISES: f64 = 0.02;
const ROUNDS: [f64; 2] = [30.0, 45.0];
const SHORTEST: f64 = 0.2;
const DEEP: f64 = 60.0;
const CHANGED: f64 = 1e-3;
pub(in crate::estimator::bnn) const WHOLE: usize = 1024;
/// Of the path: the best evidence so far, updates, 0 where they are whether it rises or not, 1 where it rises and 2 where they
/// are over, steps since the last, the share of the longest steps.
pub(in crate::estimator::bnn) const PATH: usize = 5;

impl<T: Lanes<1>> Chain<'_, '_, T> {
    /// The curvature at x becomes H^-1, `spread` a draw of N(0, H^-1) of the weights; minus half of the logarithm of their
    /// determinant. Their variances go to the vectors.
    pub(super) fn invert(&mut self, spread: bool) -> Option<T> {
        let (dim, scales) = (self.dim(), self.posterior.places().scales);
        let terms = terms(&self.posterior.pass.family);
        let full = terms.saturating_mul(dim) <= WHOLE;
        self.gauss_newton(0..dim, full)?;
        if full {
            self.decouple()?;
        }
        let mut half_log = T::ZERO;
        let ([_, _, _, _, variances, draw, ..], _) = cut(self.vectors, [dim; VECTORS])?;
        draw.iter_mut().for_each(|z| *z = T::ZERO);
        let draw = draw.get_mut(..scales)?;
        if spread {
            draw.iter_mut().for_each(|z| *z = self.stream.normal());
        }
        if full {
            let floor = T::of_usize(dim) * T::EPSILON;
            cholesky(self.curvature.as_chunks_mut::<1>().0, dim, floor);
            let own = self.curvature.get_mut(..lower_len(scales)?)?;
            for_diagonal(own, scales, |inverse, _| half_log += ln(*inverse));
            let weights = own.as_chunks::<1>().0;
            solve_lower_transposed(weights, draw.as_chunks_mut::<1>().0);
            invert(self.isa, self.curvature, dim)?;
            for_diagonal(self.curvature, dim, |h, j| {
                variances.get_mut(j).into_iter().for_each(|variance| *variance = *h);
            });
        } else {
            for (v, h) in variances.iter_mut().zip(&*self.curvature) {
                *v = T::ONE / h.max(T::MIN_POSITIVE);
            }
            for (v, z) in variances.iter().zip(draw) {
                half_log += T::HALF * ln(*v);
                *z = *z * v.sqrt();
            }
            if self.shape.is_limited() {
                limited::reset(self.curvature, dim, None)?;
                self.curvature.iter_mut().zip(&*variances).for_each(|(h, v)| *h = *v);
                return Some(half_log);
            }
            multiple(T::ONE, self.curvature);
            for_diagonal(self.curvature, dim, |h, j| {
                *h = variances.get(j).copied().unwrap_or(T::ONE)
            });
        }
        Some(half_log)
    }

    /// Judges x, where the weights are at their mode, by Laplace's evidence of scales and noise, and updates those: at
    /// first whether it rises or not, after a draw of the weights; then from the best on, while it rises, by steps that are
    /// halved where it does not; in the end it goes back to the best, for good. `late`: steps become few; `end`: none are left.
    /// The curvature becomes H^-1.
    pub(super) fn weigh(&mut self, late: bool, end: bool) -> Option<()> {
        let linear = self.shape.options.is_linear();
        let [_, _, phase, ..] = *self.path;
        let half_log = self.invert(phase == T::ZERO && !linear)?;
        let evidence = self.slopes()? + half_log;
        let [best, rounds, phase, since, length] = &mut *self.path;
        *since = T::ZERO;
        let rises = *rounds == T::ZERO || evidence > *best + T::lit(RISES) * *phase;
        if rises {
            let ([x, _, _, _, variances, ..], _) =
                cut(self.vectors, [self.shape.places().dim; VECTORS])?;
            *best = evidence;
            self.best.iter_mut().zip(&*x).for_each(|(b, x)| *b = *x);
            learn(&self.posterior, x, variances, self.occam);
        }
        *rounds += T::ONE;
        let deep = !(evidence >= *best - T::lit(DEEP));
        let [first, all] = ROUNDS.map(T::lit);
        let mut back = false;
        if *phase == T::ZERO {
            if deep || late || *rounds >= first || self.update(T::ONE)? < T::lit(CHANGED) {
                let [.., phase, _, _] = &mut *self.path;
                (*phase, back) = (T::ONE, true);
            }
        } else {
            if !rises {
                (*length, back) = (T::HALF * *length, true);
            }
            if *length < T::lit(SHORTEST) || *rounds >= all {
                *phase = T::lit(2.0);
            }
        }
        let [_, _, phase, _, length] = &mut *self.path;
        if end {
            *phase = T::lit(2.0);
        }
        let (done, length) = (*phase > T::ONE, *length);
        if back || done {
            self.back()?;
        }
        let [_, _, phase, ..] = &mut *self.path;
        if *phase == T::ONE && self.update(length)? < T::lit(CHANGED) {
            let [_, _, phase, ..] = &mut *self.path;
            *phase = T::lit(2.0);
            self.recall()?;
        }
        Some(())
    }

    /// x becomes the best point.
    fn recall(&mut self) -> Option<()> {
        let x = self.vectors.get_mut(..self.best.len())?;
        x.iter_mut().zip(&*self.best).for_each(|(x, b)| *x = *b);
        Some(())
    }

    /// To the best point, with its H^-1 and gradient.
    pub(super) fn back(&mut self) -> Option<()> {
        self.recall()?;
        self.invert(false)?;
        self.slopes()?;
        Some(())
    }

    /// The log density of all coordinates at x, and its gradient.
    fn slopes(&mut self) -> Option<T> {
        let ([x, gradient, ..], _) = cut(self.vectors, [self.shape.places().dim; VECTORS])?;
        let scratch = self.scratch.as_chunks_mut::<1>().0;
        let (point, slopes) = (blocks::<T, 1>(x)?, gradient.as_chunks_mut::<1>().0);
        let [value] = self.posterior.value_and_gradient(self.isa, point, slopes, scratch);
        self.passes = self.passes.saturating_add(1);
        Some(value)
    }

    /// An update of scales and noise at x, by a share of the longest steps. The longest that it took.
    fn update(&mut self, share: T) -> Option<T> {
        let dim = self.dim();
        let ([x, gradient, _, _, variances, draw, ..], _) = cut(self.vectors, [dim; VECTORS])?;
        Some(update(&self.posterior, x, (gradient, variances), draw, share))
    }
}
