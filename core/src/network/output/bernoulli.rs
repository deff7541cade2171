//! y in {0, 1} with P(1) = 1 / (1 + exp(-o)).

use super::{AtGroup, Family, Law, get, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Bernoulli;

impl<T: Real> Law<T> for Bernoulli {
    fn outputs(self, _: &Family<T>) -> usize {
        1
    }
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        _: &mut [[T; N]],
    ) -> S::V {
        // ln p = y o - ln(1 + e^o).
        let (y, logit) = (s.splat(y), get(s, o, 0, r));
        let (log, p) = special::softplus_and_derivative(s, logit);
        set(o, 0, r, y - p);
        y * logit - log
    }
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let (_, slope) = special::logistic_and_derivative(s, get(s, o, 0, r));
        set(o, 0, r, slope.sqrt());
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        (y, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let logit = get(s, o, 0, r);
        let (p, variance) =
            special::logistic_and_derivative(s, if y > T::ZERO { logit } else { -logit });
        [p, variance]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y == T::ZERO || y == T::ONE
    }
}
