//! y ~ Poisson(e^o).
//!
//! ln p = -y (e^d - 1 - d) - ln(2 pi y)/2 - mu(y) with d = o - ln y and mu Binet's function: nothing large
//! cancels, so that counts of a million keep their digits in single precision (Loader 2000).

use super::{AtGroup, Family, HALF_LN_2_PI, Law, furthest, get, set, whole};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Poisson;

/// ln y and mu(y), for a count y > 0.
#[inline(always)]
pub(super) fn of_count<T: Real, const N: usize, S: Simd<T, N>>(s: S, y: T) -> [S::V; 2] {
    [special::ln(s, s.splat(y)), s.splat(special::binet_of_count(y))]
}

impl<T: Real> Law<T> for Poisson {
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
        let rate = get(s, o, 0, r);
        let limit = s.splat(furthest::<T>());
        if y > T::ZERO {
            let ([log, mu], count) = (of_count(s, y), s.splat(y));
            let d = rate - log;
            let m1 = special::exp_m1(s, limit.min(d));
            set(o, 0, r, -(count * m1));
            -(count * (m1 - d)) - (s.splat(T::HALF) * log + (mu + s.lit(HALF_LN_2_PI)))
        } else {
            let value = -special::exp(s, limit.min(rate));
            set(o, 0, r, value);
            value
        }
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
        let rate = s.splat(furthest::<T>()).min(get(s, o, 0, r));
        set(o, 0, r, special::exp(s, s.splat(T::HALF) * rate));
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let mean = special::exp(s, get(s, o, 0, r));
        [mean, mean]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        whole(y)
    }
}
