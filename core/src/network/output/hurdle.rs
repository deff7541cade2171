//! y = 0 with probability 1 / (1 + exp(o_1)), else log-normal, ln y ~ N(o_2, exp(o_3) + floor^2), or Gamma: a hurdle and what
//! lies beyond it (Mullahy 1986). The least number stands for the logarithm of 0.

use super::bernoulli::Bernoulli;
use super::gamma::Gamma;
use super::mean_variance::MeanVariance;
use super::{AtGroup, Family, GROUP, HALF_LN_2_PI, Information, Law, Moments, Rows, get, set};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// Output k of row r as the first row of a group.
#[inline(always)]
fn alone<T: Real, const N: usize>(o: &[AtGroup<T, N>], k: usize, r: usize) -> AtGroup<T, N> {
    let mut group = [[T::ZERO; N]; GROUP];
    if let (Some(to), Some(from)) = (group.first_mut(), o.get(k).and_then(|o| o.get(r))) {
        *to = *from;
    }
    group
}

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Hurdle<L>(L);

#[allow(non_upper_case_globals)]
pub(super) const HurdleLogNormal: Hurdle<MeanVariance> = Hurdle(MeanVariance);
#[allow(non_upper_case_globals)]
pub(super) const HurdleGamma: Hurdle<Gamma> = Hurdle(Gamma);

// By the code of the two laws that it is made of, which is there already.
impl<T: Real, L: Law<T>> Law<T> for Hurdle<L> {
    fn outputs(self, _: &Family<T>) -> usize {
        3
    }
    fn valid(self, family: &Family<T>) -> bool {
        self.0.valid(family)
    }
    fn ready_len(self, family: &Family<T>) -> usize {
        self.0.ready_len(family)
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
        self.0.prepare(s, family, own, nu, ready);
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
        let above = y > -T::MAX;
        let logit = get(s, o, 0, r);
        // ln P(0) = -ln(1 + e^o), and ln P(above 0) is o more.
        let (log, p) = special::softplus_and_derivative(s, logit);
        if !above {
            // The rest says nothing, but that it is no number.
            let (mean, own) = (get(s, o, 1, r), get(s, o, 2, r));
            set(o, 0, r, -p);
            set(o, 1, r, s.zero());
            set(o, 2, r, s.zero());
            let value = (-log).select(mean.le(mean), mean);
            return value.select(own.le(own), own);
        }
        set(o, 0, r, s.one() - p);
        let mut rest = [alone(o, 1, r), alone(o, 2, r)];
        let (law, rows, own) = (self.0, (&[y][..], 0), &mut []);
        let [value, ..] = s.outline(Rows { law, family, ready, rows, o: &mut rest, own });
        set(o, 1, r, get(s, &rest, 0, 0));
        set(o, 2, r, get(s, &rest, 1, 0));
        s.load(&value) + (logit - log) - s.lit(HALF_LN_2_PI)
    }
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let mut odds = [alone(o, 0, r)];
        let mut rest = [alone(o, 1, r), alone(o, 2, r)];
        let [p, _] = above(s, family, ready, o, r);
        let (law, rows) = (Bernoulli, 1);
        s.outline(Information { law, family, ready, rows, o: &mut odds });
        let law = self.0;
        s.outline(Information { law, family, ready, rows, o: &mut rest });
        set(o, 0, r, get(s, &odds, 0, 0));
        for k in 0..2 {
            set(o, k + 1, r, p.sqrt() * get(s, &rest, k, 0));
        }
    }
    /// Those of ln y, a 0 counted as one of the mean of all logarithms.
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        ready: &[[T; N]],
        (_, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let [p, spread] = above(s, family, ready, o, r);
        let rest = &[alone(o, 1, r), alone(o, 2, r)];
        let (law, at) = (self.0, (T::ZERO, 0));
        let [mean, within] = s.outline(Moments { law, family, ready, at, o: rest });
        let (mean, within) = (s.load(&mean), s.load(&within));
        [p * mean, p * within + spread * (mean * mean)]
    }
    fn possible(self, _: &Family<T>, y: T) -> bool {
        y.is_finite() && y >= T::ZERO
    }
}

/// P(above 0) at row r, and that times P(0).
#[inline(always)]
fn above<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    family: &Family<T>,
    ready: &[[T; N]],
    o: &[AtGroup<T, N>],
    r: usize,
) -> [S::V; 2] {
    let (law, at) = (Bernoulli, (T::ONE, 0));
    s.outline(Moments { law, family, ready, at, o: &[alone(o, 0, r)] }).map(|x| s.load(&x))
}
