//! y from a mixture of K Gaussians: outputs are K logits, K means and K logarithms of variances, each
//! variance with the floor of the mean-variance family.

use super::mean_variance::{MeanVariance, component, component_information, ln_floor, variance};
use super::softmax::{exponentials, largest};
use super::{AtGroup, Family, HALF_LN_2_PI, Law, at, get, put};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// The most components.
pub const COMPONENTS: usize = 16;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Mixture;

/// The logits, the means and the logarithms of variances.
#[inline(always)]
fn split<'o, T: Real, const N: usize>(
    family: &Family<T>,
    o: &'o mut [AtGroup<T, N>],
) -> [&'o mut [AtGroup<T, N>]; 3] {
    let k = (family.categories as usize).min(COMPONENTS);
    let (logits, rest) = o.split_at_mut_checked(k).unwrap_or_default();
    let (means, logs) = rest.split_at_mut_checked(k).unwrap_or_default();
    [logits, means, logs]
}

impl<T: Real> Law<T> for Mixture {
    fn outputs(self, family: &Family<T>) -> usize {
        (family.categories as usize).saturating_mul(3)
    }
    fn valid(self, family: &Family<T>) -> bool {
        (1..=COMPONENTS).contains(&(family.categories as usize)) && MeanVariance.valid(family)
    }
    fn ready_len(self, _: &Family<T>) -> usize {
        1
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        _: &[[T; N]],
        _: &[T; N],
        ready: &mut [[T; N]],
    ) {
        put(ready, 0, ln_floor(s, family));
    }
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        _: &mut [[T; N]],
    ) -> S::V {
        let (y, floor) = (s.splat(y), at(s, ready, 0));
        let [logits, means, logs] = split(family, o);
        let top = largest(s, logits, r, s.splat(-T::INFINITY));
        // ln of weight times density, up to the sum of weights; relative to the largest weight, so that
        // large logits cost no digits.
        let mut joint = [[T::ZERO; N]; COMPONENTS];
        let mut peak = s.splat(-T::INFINITY);
        for (((logit, mean), log), joint) in
            logits.iter().zip(&mut *means).zip(&mut *logs).zip(&mut joint)
        {
            let (Some(logit), Some(mean), Some(log)) =
                (logit.get(r), mean.get_mut(r), log.get_mut(r))
            else {
                continue;
            };
            let [value, by_mean, by_log] = component(s, y, s.load(mean), s.load(log), floor);
            let value = (s.load(logit) - top) + value;
            peak = peak.max(value);
            *joint = value.array();
            *mean = by_mean.array();
            *log = by_log.array();
        }
        let weights = exponentials(s, logits, r, top, s.zero());
        let mut total = s.zero();
        for (joint, _) in joint.iter_mut().zip(&*logits) {
            let share = special::exp(s, s.load(joint) - peak);
            total = total + share;
            *joint = share.array();
        }
        let inverse = s.one() / (weights * total);
        let (of_weights, of_total) = (total * inverse, weights * inverse);
        for (((logit, mean), log), joint) in
            logits.iter_mut().zip(&mut *means).zip(&mut *logs).zip(&joint)
        {
            let (Some(logit), Some(mean), Some(log)) =
                (logit.get_mut(r), mean.get_mut(r), log.get_mut(r))
            else {
                continue;
            };
            let share = s.load(joint) * of_total;
            *logit = (share - s.load(logit) * of_weights).array();
            *mean = (share * s.load(mean)).array();
            *log = (share * s.load(log)).array();
        }
        peak + special::ln(s, total * of_weights)
    }
    #[inline(always)]
    fn normaliser<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        n: T,
        _: &mut [[T; N]],
    ) -> S::V {
        s.splat(n) * s.lit(-HALF_LN_2_PI)
    }
    /// That of a row whose component is known, p (1 - p), p/v and p/2 (d ln v/do)^2 for weight p and variance
    /// v: it bounds the information from above, and is it where components do not overlap. The information
    /// itself has no closed form.
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let floor = at(s, ready, 0);
        let [logits, means, logs] = split(family, o);
        let top = largest(s, logits, r, s.splat(-T::INFINITY));
        let inverse = s.one() / exponentials(s, logits, r, top, s.zero());
        for ((logit, mean), log) in logits.iter_mut().zip(means).zip(logs) {
            let (Some(logit), Some(mean), Some(log)) =
                (logit.get_mut(r), mean.get_mut(r), log.get_mut(r))
            else {
                continue;
            };
            let weight = s.load(logit) * inverse;
            let [by_mean, by_log] = component_information(s, s.load(log), floor);
            let root = weight.sqrt();
            *logit = (root * (s.one() - weight).sqrt()).array();
            *mean = (root * by_mean).array();
            *log = (root * by_log).array();
        }
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let k = (family.categories as usize).min(COMPONENTS);
        let floor = at(s, ready, 0);
        let logits = o.get(..k).unwrap_or(&[]);
        let top = largest(s, logits, r, s.splat(-T::INFINITY));
        let (mut weights, mut mean) = (s.zero(), s.zero());
        for j in 0..k {
            let weight = special::exp(s, get(s, o, j, r) - top);
            weights = weights + weight;
            mean = mean + weight * get(s, o, k.saturating_add(j), r);
        }
        let (mean, mut sum) = (mean / weights, s.zero());
        for j in 0..k {
            let weight = special::exp(s, get(s, o, j, r) - top);
            let off = get(s, o, k.saturating_add(j), r) - mean;
            let own = variance(s, get(s, o, k.saturating_mul(2).saturating_add(j), r), floor);
            sum = sum + weight * (own + off * off);
        }
        [mean, sum / weights]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite()
    }
}
