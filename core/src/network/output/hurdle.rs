//! y = 0 with probability 1 / (1 + exp(o_1)), else ln y ~ N(o_2, exp(o_3) + floor^2): a hurdle and what lies beyond it
//! (Mullahy 1986). The least number stands for the logarithm of 0.

use super::mean_variance::{component, component_information, ln_floor, variance};
use super::{AtGroup, Family, HALF_LN_2_PI, Law, at, get, put, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct HurdleLogNormal;

impl<T: Real> Law<T> for HurdleLogNormal {
    fn outputs(self, _: &Family<T>) -> usize {
        3
    }
    fn valid(self, family: &Family<T>) -> bool {
        family.floor >= T::ZERO && family.floor.is_finite()
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
        _: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        _: &mut [[T; N]],
    ) -> S::V {
        // ln P(0) = -ln(1 + e^o), and ln P(above 0) is o more.
        let logit = get(s, o, 0, r);
        let (log, p) = special::softplus_and_derivative(s, logit);
        let (mean, own) = (get(s, o, 1, r), get(s, o, 2, r));
        if y <= -T::MAX {
            set(o, 0, r, -p);
            set(o, 1, r, s.zero());
            set(o, 2, r, s.zero());
            // NaN where they are.
            let value = (-log).select(mean.le(mean), mean);
            return value.select(own.le(own), own);
        }
        let [value, by_mean, by_log] = component(s, s.splat(y), mean, own, at(s, ready, 0));
        set(o, 0, r, s.one() - p);
        set(o, 1, r, by_mean);
        set(o, 2, r, by_log);
        value + (logit - log) - s.lit(HALF_LN_2_PI)
    }
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let (p, slope) = special::logistic_and_derivative(s, get(s, o, 0, r));
        let [mean, log] = component_information(s, get(s, o, 2, r), at(s, ready, 0));
        let share = p.sqrt();
        set(o, 0, r, slope.sqrt());
        set(o, 1, r, share * mean);
        set(o, 2, r, share * log);
    }
    /// Those of ln y, a 0 counted as one of the mean of all logarithms.
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let (p, spread) = special::logistic_and_derivative(s, get(s, o, 0, r));
        let (mean, within) = (get(s, o, 1, r), variance(s, get(s, o, 2, r), at(s, ready, 0)));
        [p * mean, p * within + spread * (mean * mean)]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite() && y >= T::ZERO
    }
}
