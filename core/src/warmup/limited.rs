//! H of limited memory: a diagonal, and the last steps with what the gradient fell by along them, from which Hg is made
//! without H (Nocedal 1980). For ascents in so many coordinates that H is slow to read.

use crate::linalg::one::dot;
use crate::pieces::{cut, nth, nth_mut};
use crate::scalar::Real;

/// Steps that are remembered.
const STEPS: usize = 30;
/// Numbers beside them: how many there are, and the place of the next.
const STATE: usize = 2;

/// Numbers that it takes; `None` on overflow.
pub(crate) fn len(dim: usize) -> Option<usize> {
    dim.checked_add(1)?.checked_mul(2 * STEPS)?.checked_add(dim)?.checked_add(STATE)
}

/// The parts.
struct Memory<'s, T> {
    diagonal: &'s mut [T],
    state: &'s mut [T],
    /// 1 / s'y of each step, and what the first pass over them leaves for the second.
    inverses: &'s mut [T],
    shares: &'s mut [T],
    steps: &'s mut [T],
    falls: &'s mut [T],
}

impl<'s, T: Real> Memory<'s, T> {
    fn of(h: &'s mut [T], dim: usize) -> Option<Self> {
        let all = dim.checked_mul(STEPS)?;
        let ([diagonal, state, inverses, shares, steps, falls], _) =
            cut(h, [dim, STATE, STEPS, STEPS, all, all])?;
        Some(Self { diagonal, state, inverses, shares, steps, falls })
    }

    /// How many steps there are, and the place of the next.
    fn state(&self) -> (usize, usize) {
        match *self.state {
            [count, next] => (count.to_usize().min(STEPS), next.to_usize() % STEPS),
            _ => (0, 0),
        }
    }
}

/// H becomes its diagonal: of one value or, without, the first `dim` numbers as they are.
pub(crate) fn reset<T: Real>(h: &mut [T], dim: usize, value: Option<T>) -> Option<()> {
    let memory = Memory::of(h, dim)?;
    memory.state.fill(T::ZERO);
    value.into_iter().for_each(|value| memory.diagonal.fill(value));
    Some(())
}

/// out = H v, the diagonal scaled by the newest step. 8 flops a coordinate and step.
pub(crate) fn product<T: Real>(h: &mut [T], v: &[T], out: &mut [T]) -> Option<()> {
    let dim = v.len();
    let memory = Memory::of(h, dim)?;
    let (count, next) = memory.state();
    let Memory { diagonal, inverses, shares, steps, falls, .. } = memory;
    let place = |back: usize| next.wrapping_add(STEPS).wrapping_sub(back) % STEPS;
    let add = |out: &mut [T], c: T, list: &[T]| {
        out.iter_mut().zip(list).for_each(|(o, x)| *o += c * *x);
    };
    out.iter_mut().zip(v).for_each(|(o, v)| *o = *v);
    for k in (1..=count).map(place) {
        let share = shares.get_mut(k)?;
        *share = *inverses.get(k)? * dot(nth(steps, dim, k), out);
        add(out, -*share, nth(falls, dim, k));
    }
    let mut scale = T::ONE;
    if count > 0 {
        let newest = nth(falls, dim, place(1));
        let square = newest.iter().zip(&*diagonal).fold(T::ZERO, |sum, (y, d)| sum + *y * *y * *d);
        scale = T::ONE / (*inverses.get(place(1))? * square);
    }
    out.iter_mut().zip(&*diagonal).for_each(|(o, d)| *o = scale * *d * *o);
    for k in (1..=count).rev().map(place) {
        let share = *shares.get(k)? - *inverses.get(k)? * dot(nth(falls, dim, k), out);
        add(out, share, nth(steps, dim, k));
    }
    Some(())
}

/// Takes in a step s along which the gradient fell by y, s'y > 0, in the place of the oldest if there are as many.
pub(crate) fn learn<T: Real>(h: &mut [T], s: &[T], y: &[T], sy: T) -> Option<()> {
    let dim = s.len();
    let memory = Memory::of(h, dim)?;
    let (count, next) = memory.state();
    *memory.inverses.get_mut(next)? = T::ONE / sy;
    for (list, new) in [(memory.steps, s), (memory.falls, y)] {
        nth_mut(list, dim, next).iter_mut().zip(new).for_each(|(to, x)| *to = *x);
    }
    let now = [count.saturating_add(1).min(STEPS), next.saturating_add(1) % STEPS];
    memory.state.iter_mut().zip(now).for_each(|(to, x)| *to = T::of_usize(x));
    Some(())
}
