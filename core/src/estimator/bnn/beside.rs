//! Draws of a fit side by side in lanes: the bits are those of one by one.

use super::layout::Shape;
use super::unit::lane_scratch;
use super::variational::evaluate;
use crate::network::Posterior;
use crate::pieces::cut;
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, runs_eight};

/// Draws side by side at most.
pub(super) const BESIDE: usize = 8;
/// Eight lanes take as long as some four draws one by one.
const FEWEST: usize = 5;

/// Draws and what is found at them, lane-major: points, gradients, scratch.
pub(super) struct Beside<'s, T> {
    points: &'s mut [[T; BESIDE]],
    slopes: &'s mut [[T; BESIDE]],
    scratch: &'s mut [[T; BESIDE]],
}

/// Numbers of all three; `None` on overflow.
pub(super) fn len<T: Real>(shape: &Shape<T>) -> Option<usize> {
    crate::pieces::total(sizes(shape)?)
}

fn sizes<T: Real>(shape: &Shape<T>) -> Option<[usize; 3]> {
    let p = shape.places().dim.checked_mul(BESIDE)?;
    Some([p, p, lane_scratch(shape)?.checked_mul(BESIDE)?])
}

/// Lane `lane` of a list, one number after another.
fn of_lane<T>(list: &mut [[T; BESIDE]], lane: usize) -> impl Iterator<Item = &mut T> {
    list.iter_mut().filter_map(move |cell| cell.get_mut(lane))
}

impl<'s, T: AnyLanes> Beside<'s, T> {
    pub(super) fn cut(shape: &Shape<T>, room: &'s mut [T]) -> Option<Self> {
        let ([points, slopes, scratch], _) = cut(room, sizes(shape)?)?;
        let [points, slopes, scratch] = [points, slopes, scratch].map(|x| x.as_chunks_mut().0);
        Some(Self { points, slopes, scratch })
    }

    /// Takes a draw.
    pub(super) fn put(&mut self, lane: usize, point: &[T]) {
        of_lane(self.points, lane).zip(point).for_each(|(to, z)| *to = *z);
    }

    /// The gradient at one.
    pub(super) fn slope(&mut self, lane: usize, out: &mut [T]) {
        out.iter_mut().zip(of_lane(self.slopes, lane)).for_each(|(to, g)| *to = *g);
    }

    /// The values at the first `count`; `one` is the density of one lane, with a point, a gradient and scratch.
    pub(super) fn evaluate(
        &mut self,
        isa: Isa,
        shape: &Shape<T>,
        one: &Posterior<'_, T, 1>,
        count: usize,
        [point, gradient, scratch]: [&mut [T]; 3],
    ) -> [T; BESIDE] {
        let [nu] = one.nu;
        if count >= FEWEST && runs_eight(isa) {
            let Posterior { pass, prior, whole, weight, .. } = *one;
            let all = Posterior { pass, prior, nu: [nu; BESIDE], whole, weight };
            return evaluate(isa, shape, &all, self.points, self.slopes, self.scratch);
        }
        let mut values = [T::NAN; BESIDE];
        for (lane, value) in values.iter_mut().enumerate().take(count) {
            point.iter_mut().zip(of_lane(self.points, lane)).for_each(|(to, z)| *to = *z);
            let [point, gradient, scratch] =
                [&mut *point, &mut *gradient, &mut *scratch].map(|x| x.as_chunks_mut::<1>().0);
            [*value] = evaluate(isa, shape, one, point, gradient, scratch);
            of_lane(self.slopes, lane).zip(gradient).for_each(|(to, [g])| *to = *g);
        }
        values
    }
}
