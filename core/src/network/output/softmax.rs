//! y in {0, ..., K - 1}, P(k) proportional to e^(o_k). Symmetric with K outputs, or with K - 1 outputs, those
//! of the classes behind a reference class 0 whose own is fixed at 0: two models, as their priors differ.

use super::{AtGroup, Family, Law, get, whole};
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Softmax;

/// The largest output of row r, and of `start`.
#[inline(always)]
pub(super) fn largest<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    o: &[AtGroup<T, N>],
    r: usize,
    start: S::V,
) -> S::V {
    let mut top = start;
    for o in o {
        if let Some(o) = o.get(r) {
            top = top.max(s.load(o));
        }
    }
    top
}

/// The outputs of row r become exp(o - top); the sum of `start` and of them.
#[inline(always)]
pub(super) fn exponentials<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    o: &mut [AtGroup<T, N>],
    r: usize,
    top: S::V,
    start: S::V,
) -> S::V {
    let mut sum = start;
    for o in o {
        if let Some(o) = o.get_mut(r) {
            let e = special::exp(s, s.load(o) - top);
            sum = sum + e;
            *o = e.array();
        }
    }
    sum
}

/// [`largest`] and [`exponentials`], the reference class counted where there is one.
#[inline(always)]
fn normalised<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    family: &Family<T>,
    o: &mut [AtGroup<T, N>],
    r: usize,
) -> [S::V; 2] {
    if family.reference {
        let top = largest(s, o, r, s.zero());
        [top, exponentials(s, o, r, top, special::exp(s, -top))]
    } else {
        let top = largest(s, o, r, s.splat(-T::INFINITY));
        [top, exponentials(s, o, r, top, s.zero())]
    }
}

impl<T: Real> Law<T> for Softmax {
    fn outputs(self, family: &Family<T>) -> usize {
        (family.categories as usize).saturating_sub(family.reference as usize)
    }
    fn valid(self, family: &Family<T>) -> bool {
        family.categories >= 2
    }
    #[inline(always)]
    fn row<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        _: &[[T; N]],
        (y, r): (T, usize),
        o: &mut [AtGroup<T, N>],
        _: &mut [[T; N]],
    ) -> S::V {
        // The output of class y: none of the reference class.
        let own = y.to_usize().wrapping_sub(family.reference as usize);
        let logit = get(s, o, own, r);
        let [top, sum] = normalised(s, family, o, r);
        let less = -(s.one() / sum);
        for (k, o) in o.iter_mut().enumerate() {
            if let Some(o) = o.get_mut(r) {
                let hit = if k == own { s.one() } else { s.zero() };
                *o = (hit + s.load(o) * less).array();
            }
        }
        (logit - top) - special::ln(s, sum)
    }
    #[inline(always)]
    fn information<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        _: &[[T; N]],
        r: usize,
        o: &mut [AtGroup<T, N>],
    ) {
        let [_, sum] = normalised(s, family, o, r);
        let inverse = s.one() / sum;
        for o in o {
            if let Some(o) = o.get_mut(r) {
                let p = s.load(o) * inverse;
                *o = (p * (s.one() - p)).sqrt().array();
            }
        }
    }
    #[inline(always)]
    fn moments<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        family: &Family<T>,
        _: &[[T; N]],
        (y, r): (T, usize),
        o: &[AtGroup<T, N>],
    ) -> [S::V; 2] {
        let start = if family.reference { s.zero() } else { s.splat(-T::INFINITY) };
        let top = largest(s, o, r, start);
        let (mut chosen, mut others) = (s.zero(), s.zero());
        // Apart, so that p and 1 - p keep their digits.
        let own = y.to_usize();
        for k in 0..family.categories as usize {
            let at = k.wrapping_sub(family.reference as usize);
            let e = special::exp(s, get(s, o, at, r) - top);
            if k == own {
                chosen = e;
            } else {
                others = others + e;
            }
        }
        let inverse = s.one() / (chosen + others);
        let (p, q) = (chosen * inverse, others * inverse);
        [p, p * q]
    }
    fn possible(self, family: &Family<T>, y: T) -> bool {
        whole(y) && y < T::of_u32(family.categories)
    }
}
