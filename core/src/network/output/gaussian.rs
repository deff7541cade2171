//! y ~ N(o, 1/beta), beta known or with a coordinate ln beta.

use super::{AtGroup, Family, HALF_LN_2_PI, Law, add, at, get, put, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Gaussian;

/// beta and ln beta, of the coordinate or of the known noise.
#[inline(always)]
pub(super) fn precision<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    family: &Family<T>,
    own: &[[T; N]],
) -> [S::V; 2] {
    let log = match own.first() {
        Some(own) => s.load(own),
        None => {
            let log = special::called::ln(s, s.splat(family.noise));
            -(log + log)
        }
    };
    [special::called::exp(s, log), log]
}

/// ln of the Gamma density of beta, as a density of ln beta; adds its derivative.
#[inline(always)]
pub(super) fn precision_prior<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    family: &Family<T>,
    own: &[[T; N]],
    beta: S::V,
    gradient: &mut [[T; N]],
) -> S::V {
    let Some(log) = own.first() else { return s.zero() };
    let (shape, rate) = (s.splat(family.noise_shape), s.splat(family.noise_rate));
    add(s, gradient, 0, shape - rate * beta);
    let constant = shape * special::called::ln(s, rate) - special::called::ln_gamma(s, shape);
    constant + shape * s.load(log) - rate * beta
}

impl<T: Real> Law<T> for Gaussian {
    fn outputs(self, _: &Family<T>) -> usize {
        1
    }
    fn coordinates(self, family: &Family<T>) -> usize {
        (family.noise <= T::ZERO) as usize
    }
    /// Of the logarithm of a Gamma(a, b) number: digamma(a) - ln b and the root of trigamma(a), to two terms.
    fn extent(self, family: &Family<T>) -> [T; 2] {
        let (a, half) = (family.noise_shape, T::HALF / family.noise_shape);
        [special::scalar::ln(a / family.noise_rate) - half, ((T::ONE + half) / a).sqrt()]
    }
    fn tail_len(self, _: &Family<T>) -> usize {
        2
    }
    fn ready_len(self, _: &Family<T>) -> usize {
        2
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        _: &[T; N],
        ready: &mut [[T; N]],
    ) {
        let [beta, log] = precision(s, family, own);
        put(ready, 0, beta);
        put(ready, 1, log);
    }
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        own: &mut [[T; N]],
    ) -> S::V {
        let residual = s.splat(y) - get(s, o, 0, r);
        let slope = at(s, ready, 0) * residual;
        set(o, 0, r, slope);
        let value = s.splat(-T::HALF) * (slope * residual);
        add(s, own, 0, value);
        value
    }
    #[inline(always)]
    fn normaliser<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        n: T,
        own: &mut [[T; N]],
    ) -> S::V {
        let half = s.splat(T::HALF);
        add(s, own, 0, s.splat(n) * half);
        s.splat(n) * (half * at(s, ready, 1) - s.lit(HALF_LN_2_PI))
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
        set(o, 0, r, at(s, ready, 0).sqrt());
    }
    #[inline(always)]
    fn own_information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        _: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        put(out, 0, s.splat(T::HALF) * (s.splat(n) + s.one()));
    }
    #[inline(always)]
    fn prior<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        precision_prior(s, family, own, at(s, ready, 0), gradient)
    }
    fn tail(self, family: &Family<T>, _: T, tail: &mut [T]) {
        if let [sigma, nu, ..] = tail {
            let unknown = Law::<T>::coordinates(self, family) > 0;
            *sigma = if unknown { special::scalar::exp(-(T::HALF * *sigma)) } else { family.noise };
            *nu = T::INFINITY;
        }
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        [get(s, o, 0, r), s.one() / at(s, ready, 0)]
    }
    fn valid(self, family: &Family<T>) -> bool {
        let known = family.noise >= T::ZERO && family.noise.is_finite();
        known && family.noise_shape > T::ZERO && family.noise_rate > T::ZERO
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite()
    }
}
