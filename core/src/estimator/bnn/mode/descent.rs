//! The mode by stochastic gradients: steps as Robbins and Monro (1951) have them along gradients by minibatches, nothing else.
//!
//! Steps are in the weights where their prior is wider than 1, in units of its sd elsewhere: an intercept of sd 10 would have
//! a hundred times the curvature of all else. A stretch is steps on one density, whose lengths fall from its first one on.
//! Where scales and noise are known there is one. Where they are learnt the first has a quarter of all steps; then come short ones, each after an update
//! ([`super::path`]), up to three quarters; the last has the rest. A stretch that ends lower than it began by more than the
//! dimension has run away, as one whose gradient is not finite: draws of the posterior are half as far down. It begins anew
//! with a quarter of the step where nobody chose that, or is an error.

use super::super::BnnError;
use super::super::evidence::frozen;
use super::super::unit::start;
use super::path::WHOLE;
use super::{Chain, Outcome, terms};
use crate::pieces::cut;
use crate::random::Stream;
use crate::simd::{Lanes, blocks_mut};
use crate::special::scalar::{exp, ln, ln_1p};
use crate::warmup::VECTORS;

/// The exponent of the steps where none is given.
const DECAY: f64 = 0.75;
/// The first look at a stretch is after this part of it; this part of all steps is a short one.
const EARLY: f64 = 1.0 / 16.0;
const SHORT: u32 = 80;
/// What the step is multiplied by where it ran away, and the least that this comes to.
const QUARTER: f64 = 0.25;
const LEAST: f64 = 1e-8;

impl<'d, T: Lanes<1>> Chain<'_, 'd, T> {
    /// Step t by these rows, all of them where there are none; whether there is another. What is known of the chain: the
    /// density where the stretch began, the factor of its first step, that step, steps of it done, and all of them.
    pub(super) fn descend(&mut self, words: [u32; 4], t: u64, rows: &'d [u32]) -> Outcome<bool> {
        let (o, dim) = (&self.shape.options, self.dim());
        let t = u32::try_from(t).ok()?;
        if t == 0 {
            let x = self.vectors.get_mut(..dim)?;
            x.fill(T::ZERO);
            if !o.is_linear() {
                start(self.isa, &self.posterior, &mut [Stream::from_words(words)], blocks_mut(x)?);
            }
            let phase = if self.frozen { T::ZERO } else { T::lit(2.0) };
            *self.path = [T::ZERO, T::ZERO, phase, T::ZERO, T::ONE];
            *self.mode = [T::NAN, T::INFINITY, T::ONE, T::ZERO, T::ZERO, T::ZERO, T::ZERO];
            if !self.begin(o.warmup / 4, o.warmup)? {
                return Some(Err(BnnError::Start));
            }
        }
        if !rows.is_empty() {
            self.posterior.weight = T::of_usize(self.shape.n) / T::of_usize(rows.len());
            self.posterior.pass.rows = Some(rows);
        }
        let finite = self.climb(|ascent| Some(ascent.evaluate(0)))?.is_some();
        (self.posterior.pass.rows, self.posterior.weight) = (None, T::ONE);
        let done = if finite { self.advance()? } else { T::ONE };
        let [began, _, factor, _, _, _, length] = *self.mode;
        let chosen = o.rate > T::ZERO;
        let looks = done == length || !chosen && done == (T::lit(EARLY) * length).floor();
        let mut sound = finite;
        if finite && looks {
            let value = self.climb(|ascent| Some(ascent.evaluate(0)))?;
            sound = value.is_some_and(|value| value >= began - T::of_usize(dim));
        }
        let left = o.warmup.saturating_sub(t).saturating_sub(1);
        let mut short = o.warmup / SHORT;
        if !sound {
            if chosen || left == 0 || factor < T::lit(LEAST) {
                return Some(Err(BnnError::Diverged));
            }
            let ([x, _, _, first, ..], _) = cut(self.vectors, [dim; VECTORS])?;
            x.iter_mut().zip(first).for_each(|(x, first)| *x = *first);
            let [_, _, factor, ..] = &mut *self.mode;
            *factor = T::lit(QUARTER) * *factor;
            short = o.warmup / 4;
        } else if done < length {
            return Some(Ok(true));
        } else {
            let [_, _, phase, ..] = *self.path;
            if phase <= T::ONE {
                self.weigh(left <= o.warmup / 2, left <= o.warmup / 4)?;
            }
            if phase > T::ONE || left == 0 {
                return Some(self.end(t)?.map(|()| false));
            }
        }
        Some(if self.begin(short, left)? { Ok(true) } else { Err(BnnError::Start) })
    }

    /// Begins a stretch where the ascent stands, of so many steps at least 1 where scales or noise are still learnt, else of all
    /// that are left; whether the density is finite there.
    fn begin(&mut self, short: u32, left: u32) -> Option<bool> {
        let (o, dim) = (&self.shape.options, self.dim());
        let Some(value) = self.climb(|ascent| Some(ascent.evaluate(0)))? else {
            return Some(false);
        };
        let mut step = o.rate * exp(-(self.exponent() * ln(o.delay)));
        step = step / T::of_usize(self.shape.n);
        if step == T::ZERO {
            self.gauss_newton(0..dim, false)?;
        }
        let ([x, _, average, first, units, ..], _) = cut(self.vectors, [dim; VECTORS])?;
        units.fill(T::ONE);
        let scales = self.posterior.places().scales;
        for group in self.posterior.prior.groups(&self.posterior.pass.architecture) {
            let log = group.sampled.and_then(|k| x.get(k.checked_add(scales)?)).copied();
            let scale = group.scale * exp(log.unwrap_or(T::ZERO));
            let unit = T::ONE / (scale * scale).max(T::ONE);
            group.members_mut(units).for_each(|own| *own = unit);
        }
        if self.frozen {
            frozen(&self.posterior).try_for_each(|k| units.get_mut(k).map(|own| *own = T::ZERO))?;
        }
        if step == T::ZERO {
            let terms = units.iter().zip(&*self.curvature);
            let trace = terms.fold(T::ZERO, |sum, (unit, h)| sum + *unit * *h);
            let [_, _, factor, ..] = *self.mode;
            step = T::HALF * factor / trace.max(T::MIN_POSITIVE);
        }
        first.iter_mut().zip(&*x).for_each(|(first, x)| *first = *x);
        average.fill(T::ZERO);
        let [_, _, phase, ..] = *self.path;
        let length = if phase > T::ONE { left } else { short.max(1).min(left) };
        let [began, _, _, _, first, done, all] = &mut *self.mode;
        (*began, *first, *done, *all) = (value, step, T::ZERO, T::of_u32(length));
        Some(true)
    }

    /// The exponent of the steps.
    fn exponent(&self) -> T {
        let own = self.shape.options.decay;
        if own > T::ZERO { own } else { T::lit(DECAY) }
    }

    /// A step along the gradient; the last of a stretch goes to the average of its later half. Steps of it done.
    fn advance(&mut self) -> Option<T> {
        let (o, exponent) = (&self.shape.options, self.exponent());
        let [_, _, _, _, first, done, length] = &mut *self.mode;
        let step = *first * exp(-(exponent * ln_1p(*done / o.delay)));
        let count = *done + T::ONE - (T::HALF * *length).floor();
        *done += T::ONE;
        let last = done == length && o.average.on();
        let dim = self.shape.places().dim;
        let ([x, gradient, average, _, units, ..], _) = cut(self.vectors, [dim; VECTORS])?;
        let slopes = gradient.iter().zip(units);
        for ((x, (slope, unit)), average) in x.iter_mut().zip(slopes).zip(average) {
            *x += step * (*unit * *slope);
            if count > T::ZERO {
                *average += (*x - *average) / count;
            }
            if last {
                *x = *average;
            }
        }
        Some(*done)
    }

    /// What the ascent came to: the density there, and how far the mode is where the matrix is small.
    fn end(&mut self, t: u32) -> Outcome<()> {
        let Some(value) = self.climb(|ascent| Some(ascent.evaluate(0)))? else {
            return Some(Err(BnnError::Start));
        };
        let likelihood = !self.has_prior();
        if likelihood && self.separates()? {
            return Some(Err(BnnError::Separable));
        }
        let size = terms(&self.posterior.pass.family).saturating_mul(self.dim());
        let mut far = T::NAN;
        if likelihood || size <= WHOLE {
            // Of a likelihood of fewer rows than weights no point is its maximum.
            far = match self.scoring(false, true)? {
                Some(far) => far.max(T::ZERO),
                None if likelihood => return Some(Err(BnnError::Singular)),
                None => far,
            };
        }
        let steps = T::of_u32(t.saturating_add(1));
        *self.mode = [value, far, T::NAN, steps, T::ONE, T::ZERO, T::ONE];
        Some(Ok(()))
    }
}
