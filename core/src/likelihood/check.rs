//! The gradient of a density of one's own against finite differences.

use super::LogDensity;
use crate::scalar::Real;

/// What was seen at some points.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityCheck<T> {
    /// Points.
    pub points: usize,
    /// Points outside the support, or with a value or a gradient that is no number.
    pub outside: usize,
    /// The first of them; `points` where there is none.
    pub first_outside: usize,
    /// Points at which the value beside a gradient was not the value alone, bit for bit.
    pub unequal: usize,
    /// Coordinates, over all points, at which the gradient is wrong: `relative` above the cube root of epsilon.
    pub wrong: usize,
    /// Coordinates, over all points, next to which there was no support to take differences in.
    pub unchecked: usize,
    /// The point of what follows, that with the largest `relative`.
    pub point: usize,
    /// The coordinate there.
    pub coordinate: usize,
    /// What the density wrote.
    pub gradient: T,
    /// The finite difference.
    pub difference: T,
    /// How far that may be off.
    pub error: T,
    /// By how much more they differ than that, over the larger of the two: 1 where one is missing, 2
    /// where the sign is wrong.
    pub relative: T,
}

impl<T: Real> DensityCheck<T> {
    /// Before the first point.
    pub fn new() -> Self {
        Self {
            points: 0,
            outside: 0,
            first_outside: 0,
            unequal: 0,
            wrong: 0,
            unchecked: 0,
            point: 0,
            coordinate: 0,
            gradient: T::NAN,
            difference: T::NAN,
            error: T::NAN,
            relative: T::ZERO,
        }
    }

    /// One more point. `gradient` holds as many numbers as `x`, and is left with the density's; `x` is moved and put
    /// back. Cost: at most 18 calls a coordinate.
    pub fn add(&mut self, density: &dyn LogDensity<T>, x: &mut [T], gradient: &mut [T]) {
        let point = self.points;
        self.points = point.saturating_add(1);
        let value = density.evaluate(x, Some(gradient));
        let finite = |value: &T| value.is_finite() && gradient.iter().all(|g| g.is_finite());
        let inside = value.filter(finite);
        if inside.is_none() {
            self.outside = self.outside.saturating_add(1);
        } else if self.first_outside == point {
            self.first_outside = self.points;
        }
        let Some(value) = inside else { return };
        let alone = density.evaluate(x, None);
        let unequal = !alone.is_some_and(|alone| alone.same(&value));
        self.unequal = self.unequal.saturating_add(unequal as usize);
        for (coordinate, gradient) in gradient.iter().copied().enumerate() {
            let Some((difference, error)) = slope(density, x, coordinate) else {
                self.unchecked = self.unchecked.saturating_add(1);
                continue;
            };
            let excess = ((gradient - difference).abs() - error).max(T::ZERO);
            let size = difference.abs().max(gradient.abs());
            let relative = if excess > T::ZERO { excess / size } else { T::ZERO };
            // 2^-17 and 2^-7.
            let most = if T::BITS == 64 { T::exp2i(T::lit(-17.0)) } else { T::exp2i(T::lit(-7.0)) };
            self.wrong = self.wrong.saturating_add((relative > most) as usize);
            if !(relative <= self.relative) || self.gradient.partial_cmp(&self.gradient).is_none() {
                let now =
                    Self { point, coordinate, gradient, difference, error, relative, ..*self };
                *self = now;
            }
        }
    }
}

impl<T: Real> Default for DensityCheck<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The slope along a coordinate and how far it may be off: central differences of steps smaller and smaller, each two
/// neighbours extrapolated to zero (Richardson), of which that with the least sign of error counts. `None` outside the
/// support on one side at every step.
fn slope<T: Real>(density: &dyn LogDensity<T>, x: &mut [T], coordinate: usize) -> Option<(T, T)> {
    let at = x.get(coordinate).copied()?;
    let mut value = |moved: T| {
        if let Some(x) = x.get_mut(coordinate) {
            *x = moved;
        }
        let value = density.evaluate(x, None).filter(|v| v.is_finite());
        if let Some(x) = x.get_mut(coordinate) {
            *x = at;
        }
        value
    };
    let mut best: Option<(T, T)> = None;
    let mut before: Option<(T, T)> = None;
    // From 2^-3 (2^-2) of the coordinate's size on, each a quarter of the last.
    let mut step = at.abs().max(T::ONE) * if T::BITS == 64 { T::lit(0.125) } else { T::lit(0.25) };
    for _ in 0..9 {
        let (up, down) = (at + step, at - step);
        let both = value(up).zip(value(down));
        let now = both.map(|(above, below)| {
            // What was really stepped.
            let width = up - down;
            let noise = T::lit(16.0) * T::EPSILON * above.abs().max(below.abs()) / width;
            ((above - below) / width, noise)
        });
        if let (Some((fine, noise)), Some((coarse, _))) = (now, before) {
            let bend = (fine - coarse) / T::lit(15.0);
            let (slope, error) = (fine + bend, bend.abs() + noise);
            if best.is_none_or(|(_, least)| error < least) {
                best = Some((slope, error));
            }
        }
        before = now;
        step = step * T::lit(0.25);
    }
    best
}
