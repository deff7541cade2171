//! y = o + beta^-1/2 t_nu, beta as of the Gaussian; nu comes from outside, one a chain.

use super::gaussian::{Gaussian, precision, precision_prior};
use super::{AtGroup, Family, Law, add, at, get, put, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct StudentT;

impl<T: Real> Law<T> for StudentT {
    fn outputs(self, _: &Family<T>) -> usize {
        1
    }
    fn coordinates(self, family: &Family<T>) -> usize {
        Gaussian.coordinates(family)
    }
    fn extent(self, family: &Family<T>) -> [T; 2] {
        Gaussian.extent(family)
    }
    fn tail_len(self, _: &Family<T>) -> usize {
        2
    }
    fn valid(self, family: &Family<T>) -> bool {
        Gaussian.valid(family)
    }
    /// beta, ln beta, nu, beta/nu, (nu + 1)/2.
    fn ready_len(self, _: &Family<T>) -> usize {
        5
    }
    #[inline(always)]
    fn prepare<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        own: &[[T; N]],
        nu: &[T; N],
        ready: &mut [[T; N]],
    ) {
        let [beta, log] = precision(s, family, own);
        let nu = s.load(nu);
        put(ready, 0, beta);
        put(ready, 1, log);
        put(ready, 2, nu);
        put(ready, 3, beta / nu);
        put(ready, 4, s.splat(T::HALF) * (nu + s.one()));
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
        let (rate, power) = (at(s, ready, 3), at(s, ready, 4));
        let residual = s.splat(y) - get(s, o, 0, r);
        let pull = rate * residual;
        let q = s.splat(T::MAX * T::lit(0.25)).min(pull * residual);
        let (log, share) = special::ln_1p_and_inverse(s, q);
        let weight = power * share;
        set(o, 0, r, (weight + weight) * pull);
        add(s, own, 0, -(weight * q));
        -(power * log)
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
        let constant = special::ln_student_t(s, at(s, ready, 2));
        s.splat(n) * (half * at(s, ready, 1) + constant)
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
        let nu = at(s, ready, 2);
        let share = (nu + s.one()) / (nu + s.lit(3.0));
        set(o, 0, r, (at(s, ready, 0) * share).sqrt());
    }
    #[inline(always)]
    fn own_information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        let (nu, half) = (at(s, ready, 2), s.splat(T::HALF));
        put(out, 0, half * (s.splat(n) * nu / (nu + s.lit(3.0)) + s.one()));
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
    fn tail(self, family: &Family<T>, nu: T, tail: &mut [T]) {
        Gaussian.tail(family, nu, tail);
        tail.iter_mut().skip(1).take(1).for_each(|o| *o = nu);
    }
    /// Where nu is 2 or less there is no variance: that of nu = 3.
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let nu = at(s, ready, 2).max(s.lit(3.0));
        [get(s, o, 0, r), nu / ((nu - s.lit(2.0)) * at(s, ready, 0))]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite()
    }
}
