//! What is climbed, and its curvature by differences.

use super::super::evidence::{Occam, frozen};
use crate::density::Density;
use crate::likelihood::LogDensity;
use crate::linalg::lower_len;
use crate::network::{Point, Posterior};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, blocks};
use crate::warmup::triangle::entry;
use core::cell::RefCell;
use core::ops::Range;

/// Half the longest distance of a difference of gradients, in sds: the fifth root of the rounding.
const DIFFERENCE: [f64; 2] = [0.04, 7e-4];

/// What is climbed: log p(g), or the log likelihood alone.
pub(super) struct Climbed<'a, 'd, T> {
    pub posterior: &'a Posterior<'d, T, 1>,
    pub prior: bool,
    pub occam: Occam<'a, T>,
    /// Whether scales and noise stay where they are.
    pub frozen: bool,
    pub isa: Isa,
    pub scratch: RefCell<&'a mut [[T; 1]]>,
}

impl<T: Lanes<1>> LogDensity<T> for Climbed<'_, '_, T> {
    fn evaluate(&self, x: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let (posterior, isa) = (self.posterior, self.isa);
        let mut scratch = self.scratch.try_borrow_mut().ok()?;
        let (g, gradient) = (blocks::<T, 1>(x)?, gradient?.as_chunks_mut::<1>().0);
        if self.prior {
            let [value] = posterior.value_and_gradient(isa, g, gradient, &mut scratch);
            let gradient = gradient.as_flattened_mut();
            if self.frozen {
                frozen(posterior)
                    .for_each(|k| gradient.get_mut(k).into_iter().for_each(|g| *g = T::ZERO));
                return Some(value);
            }
            return Some(value + self.occam.add(posterior, x, gradient));
        }
        let places = posterior.places();
        let (parameters, scratch) = scratch.split_at_mut_checked(places.scales)?;
        posterior.parameters(isa, g, parameters);
        let (rest, by_own) = gradient.split_at_mut_checked(places.own)?;
        let point = Point { parameters, own: g.get(places.own..)?, nu: posterior.nu };
        let [mut value] = posterior.pass.evaluate(isa, point, rest, by_own, scratch);
        value = posterior.weight * value;
        let slopes = rest.iter_mut().chain(by_own);
        slopes.flatten().for_each(|slope| *slope = posterior.weight * *slope);
        for group in posterior.prior.groups(&posterior.pass.architecture) {
            for ([slope], [z]) in group.members_mut(rest).zip(group.members(g)) {
                *slope = *slope * group.scale;
                // What is kept at 0 is kept there.
                if group.scale == T::ZERO {
                    *slope = -*z;
                    value -= T::HALF * *z * *z;
                }
            }
        }
        Some(value)
    }
}

/// Minus the curvature of a density at x by differences of its gradient, in a range of coordinates, packed, or its
/// diagonal; exact to their rounding. `sds`: about the sd of each. Room: a point and a gradient. Four evaluations a
/// coordinate.
pub(super) fn differences<T: Real>(
    density: &dyn LogDensity<T>,
    (x, sds): (&[T], &[T]),
    (range, full): (Range<usize>, bool),
    out: &mut [T],
    [at, gradient]: [&mut [T]; 2],
) -> Option<()> {
    let [single, double] = DIFFERENCE;
    let unit = T::lit(if T::BITS == 32 { single } else { double });
    let count = range.len();
    let out = out.get_mut(..if full { lower_len(count)? } else { count })?;
    out.fill(T::ZERO);
    for j in 0..count {
        let place = range.start.checked_add(j)?;
        let h = unit * *sds.get(place)?;
        // (8 (g(h) - g(-h)) - (g(2h) - g(-2h))) / 12 h.
        let (two, eight) = (T::lit(2.0), T::lit(8.0));
        for (times, weight) in [(T::ONE, -eight), (-T::ONE, eight), (two, T::ONE), (-two, -T::ONE)]
        {
            at.iter_mut().zip(x).for_each(|(a, x)| *a = *x);
            *at.get_mut(place)? += times * h;
            density.evaluate(at, Some(&mut *gradient))?;
            let weight = weight / (T::lit(12.0) * h);
            for (q, g) in gradient.get(range.clone())?.iter().enumerate() {
                if full {
                    // Each entry off the diagonal is met twice: the mean of both.
                    let share = if q == j { T::ONE } else { T::HALF };
                    *entry(out, q, j)? += share * weight * *g;
                } else if q == j {
                    *out.get_mut(j)? += weight * *g;
                }
            }
        }
    }
    Some(())
}
