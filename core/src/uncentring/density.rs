//! A density in the coordinates of a map.

use super::Uncentring;
use crate::likelihood::LogDensity;
use crate::pieces::cut;
use crate::scalar::Real;
use core::cell::Cell;

/// A density of the user's own in coordinates z: log p(x(z)) + log |dx / dz|.
pub struct Uncentred<'a, T> {
    density: &'a dyn LogDensity<T>,
    map: Uncentring<'a, T>,
    room: Cell<&'a mut [T]>,
}

/// Numbers of room that a density in z takes.
pub fn room(dim: usize, lanes: usize) -> Option<usize> {
    dim.checked_mul(2)?.checked_add(1)?.checked_mul(lanes)
}

impl<'a, T: Real> Uncentred<'a, T> {
    /// With [`room`] numbers, of which it takes what as many points as it is asked about at once need.
    pub fn new(density: &'a dyn LogDensity<T>, map: Uncentring<'a, T>, room: &'a mut [T]) -> Self {
        Self { density, map, room: Cell::new(room) }
    }

    /// From z over y to x, one lane for each of the `volumes`, log |dx / dz|.
    fn go(&self, z: &[T], y: &mut [T], x: &mut [T], volumes: &mut [T]) {
        let lanes = volumes.len();
        y.iter_mut().zip(z).for_each(|(y, z)| *y = *z);
        for (lane, volume) in volumes.iter_mut().enumerate() {
            *volume = self.map.unfold(y, lanes, lane);
        }
        x.iter_mut().zip(&*y).for_each(|(x, y)| *x = *y);
        for (lane, volume) in volumes.iter_mut().enumerate() {
            *volume += self.map.stretch(x, lanes, lane);
        }
    }

    fn one(&self, z: &[T], gradient: Option<&mut [T]>, room: &mut [T]) -> Option<T> {
        let ([x, y], _) = cut(room, [z.len(); 2])?;
        let mut volume = T::ZERO;
        self.go(z, y, x, core::slice::from_mut(&mut volume));
        let Some(gradient) = gradient else {
            return Some(self.density.evaluate(x, None)? + volume);
        };
        let value = self.density.evaluate(x, Some(&mut *gradient))?;
        self.map.pull_back(z, y, gradient, 1, 0);
        Some(value + volume)
    }

    fn many(
        &self,
        z: &[T],
        mut gradient: Option<&mut [T]>,
        values: &mut [T],
        room: &mut [T],
    ) -> Option<bool> {
        let lanes = values.len();
        let ([x, y, volumes], _) = cut(room, [z.len(), z.len(), lanes])?;
        self.go(z, y, x, volumes);
        if !self.density.evaluate_many(x, gradient.as_deref_mut(), values) {
            return Some(false);
        }
        for (lane, (value, volume)) in values.iter_mut().zip(volumes).enumerate() {
            *value += *volume;
            if let Some(gradient) = gradient.as_deref_mut() {
                self.map.pull_back(z, y, gradient, lanes, lane);
            }
        }
        Some(true)
    }
}

impl<T: Real> LogDensity<T> for Uncentred<'_, T> {
    fn evaluate(&self, z: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let room = self.room.take();
        let value = self.one(z, gradient, room);
        self.room.set(room);
        value
    }

    fn evaluate_many(&self, z: &[T], gradient: Option<&mut [T]>, values: &mut [T]) -> bool {
        let room = self.room.take();
        let done = self.many(z, gradient, values, room);
        self.room.set(room);
        done.unwrap_or(false)
    }
}
