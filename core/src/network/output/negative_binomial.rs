//! y ~ negative binomial of mean m = e^o and size r, variance m + m^2/r; r known or with the coordinate ln r.
//!
//! With z = r + y, w the smaller of y/z and r/z, x = +-ln(m/y) (+ where y < r) and mu Binet's function,
//!
//! ln p = -z [ln(1 + w (e^x - 1)) - w x] + mu(z) - mu(r) - mu(y) + ln(r/z)/2 - ln(2 pi y)/2,
//!
//! which loses no digits at large counts, nor at large r, where the law becomes Poisson's. Of an unknown r the
//! coefficient of variation of the rates, 1/sqrt(r), has the prior of every scale, half-Cauchy(1), times exp(-1/(18 r)): ln r has the
//! density sech(ln(r)/2) exp(-1/(18 r)) / (2 pi .781...). Without that factor means have none where nearly all counts are 0: n
//! of them bound m by exp(1/(n r)) alone.

use super::poisson::of_count;
use super::{AtGroup, Family, HALF_LN_2_PI, Law, add, at, furthest, get, put, set, whole};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct NegativeBinomial;

/// 1/(2 3^2): coefficients of variation of some more than 3 are unlikely.
const CUT: f64 = 1.0 / 18.0;
/// ln(pi e^CUT erfc(sqrt(CUT))): of the prior of ln r.
const LN_WHOLE: f64 = 0.897_669_316_185_671;

impl<T: Real> Law<T> for NegativeBinomial {
    fn outputs(self, _: &Family<T>) -> usize {
        1
    }
    fn extent(self, _: &Family<T>) -> [T; 2] {
        [T::ONE, T::lit(2.5)]
    }
    fn coordinates(self, family: &Family<T>) -> usize {
        (family.size <= T::ZERO) as usize
    }
    fn tail_len(self, _: &Family<T>) -> usize {
        1
    }
    /// r, ln r, mu(r), phi(r).
    fn ready_len(self, _: &Family<T>) -> usize {
        4
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
        let (size, log) = match own.first() {
            Some(log) => (special::called::exp(s, s.load(log)), s.load(log)),
            None => (s.splat(family.size), special::called::ln(s, s.splat(family.size))),
        };
        let (mu, phi) = special::called::binet(s, size);
        put(ready, 0, size);
        put(ready, 1, log);
        put(ready, 2, mu);
        put(ready, 3, phi);
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
        let (mean, half) = (get(s, o, 0, r), s.splat(T::HALF));
        let (size, log) = (at(s, ready, 0), at(s, ready, 1));
        if !(y > T::ZERO) {
            // ln p = -r ln(1 + m/r).
            let (softplus, share) = special::softplus_and_derivative(s, mean - log);
            let (value, slope) = (-(size * softplus), -(size * share));
            set(o, 0, r, slope);
            add(s, own, 0, value - slope);
            return value;
        }
        let ([log_y, mu_y], count) = (of_count(s, y), s.splat(y));
        let z = size + count;
        let inverse = s.one() / z;
        let few = count.lt(size);
        let d = mean - log_y;
        let (x, w) = (d.select(few, -d), count.min(size) * inverse);
        // Beyond the limit ln(1 + w (e^x - 1)) is ln w + x.
        let within = s.splat(furthest::<T>()).min(x);
        let m1 = special::exp_m1(s, within);
        let (log_mean, share) = special::ln_1p_and_inverse(s, w * m1);
        let log_mean = log_mean + (x - within);
        // ln p by o, of magnitude r y / z |e^x - 1| / (1 + w (e^x - 1)).
        let pull = size * (count * inverse) * (m1 * share);
        let slope = (-pull).select(few, pull);
        set(o, 0, r, slope);
        let (mu, phi) = special::called::binet(s, z);
        // ln((r + m) / (r + y)).
        let grown = log_mean + s.zero().select(few, d);
        add(s, own, 0, size * ((phi - at(s, ready, 3)) - grown) - slope);
        let level = (mu - at(s, ready, 2)) - (mu_y + s.lit(HALF_LN_2_PI));
        let fraction = half * (special::ln(s, size * inverse) - log_y);
        (level + fraction) - z * (log_mean - w * x)
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
        // m r / (r + m).
        let (size, log) = (at(s, ready, 0), at(s, ready, 1));
        let share = special::logistic(s, get(s, o, 0, r) - log);
        set(o, 0, r, (size * share).sqrt());
    }
    /// That of rows of large mean, r^2 psi'(r) - r, to 5 % by (2 + 3 r)/(2 + 6 r): more than any row has. The prior's is r/(1 + r)^2 +
    /// 1/(18 r).
    #[inline(always)]
    fn own_information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        ready: &[[T; N]],
        n: T,
        out: &mut [[T; N]],
    ) {
        let size = at(s, ready, 0);
        let (two, three, grown) = (s.lit(2.0), s.lit(3.0) * size, s.one() + size);
        let row = (two + three) / (two + (three + three));
        let prior = size / (grown * grown) + s.lit(CUT) / size;
        put(out, 0, s.splat(n) * row + prior);
    }
    #[inline(always)]
    fn prior<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        _: &Family<T>,
        own: &[[T; N]],
        ready: &[[T; N]],
        gradient: &mut [[T; N]],
    ) -> S::V {
        let Some(log) = own.first() else { return s.zero() };
        let (log, half) = (s.load(log), s.splat(T::HALF));
        let (softplus, share) = special::softplus_and_derivative(s, log);
        let cut = s.lit(CUT) / at(s, ready, 0);
        add(s, gradient, 0, (half - share) + cut);
        ((half * log - softplus) - s.lit(LN_WHOLE)) - cut
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
        let mean = special::exp(s, get(s, o, 0, r));
        [mean, mean + mean * mean / at(s, ready, 0)]
    }
    fn tail(self, family: &Family<T>, _: T, tail: &mut [T]) {
        if let [size, ..] = tail {
            let unknown = Law::<T>::coordinates(self, family) > 0;
            *size = if unknown { special::scalar::exp(*size) } else { family.size };
        }
    }
    fn valid(self, family: &Family<T>) -> bool {
        family.size >= T::ZERO && family.size.is_finite()
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        whole(y)
    }
}
