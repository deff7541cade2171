//! Points with the gradients of log p there.

use super::{FIELDS, MANY, Term};
use crate::pieces::{cut, nth, pieces_mut, total};
use crate::scalar::Real;
use crate::special::scalar::exp;

/// Points that a map is learnt from, at most.
pub const POINTS: usize = 256;

/// Numbers beside a candidate: its gain, and the share of its gradient that it explains.
pub(super) const BESIDE: usize = 2;

/// Points with the gradients of log p there, and scratch.
pub struct Samples<'s, T> {
    /// A point and its gradient, for [`put`](Self::put) to take in.
    pub point: &'s mut [T],
    /// See `point`.
    pub gradient: &'s mut [T],
    /// All of them, coordinate by coordinate.
    pub(super) x: &'s mut [T],
    pub(super) g: &'s mut [T],
    /// e and the weights of a regression, what it leaves, logarithms of squares.
    pub(super) columns: [&'s mut [T]; 4],
    pub(super) centres: &'s mut [T],
    pub(super) states: &'s mut [T],
    pub(super) candidates: &'s mut [T],
    pub(super) count: usize,
    /// Only laws that are exact are taken.
    pub(super) exact: bool,
}

/// Numbers of room that learning from `count` points takes.
pub fn learning(dim: usize, count: usize) -> Option<usize> {
    let each = count.checked_mul(2)?.checked_add(4 + FIELDS + BESIDE)?;
    total([dim.checked_mul(each)?, count.checked_mul(4)?])
}

impl<'s, T: Real> Samples<'s, T> {
    /// Of `count` points, in [`learning`] numbers; `None` if there are fewer.
    pub fn new(room: &'s mut [T], dim: usize, count: usize) -> Option<Self> {
        let all = dim.checked_mul(count)?;
        let wide = dim.checked_mul(FIELDS + BESIDE)?;
        let (columns, rest) = cut(room, [count; 4])?;
        let sizes = [all, all, dim, dim, wide, dim, dim];
        let ([x, g, centres, states, candidates, point, gradient], _) = cut(rest, sizes)?;
        Some(Self {
            x,
            g,
            columns,
            centres,
            states,
            candidates,
            point,
            gradient,
            count,
            exact: false,
        })
    }

    /// How many points there are to be.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes in the point at hand, with its gradient, as the `k`-th.
    pub fn put(&mut self, k: usize) {
        let Self { x, g, point, gradient, count, .. } = self;
        let all = pieces_mut(x, *count).zip(pieces_mut(g, *count));
        for ((x, g), (point, gradient)) in all.zip(point.iter().zip(&**gradient)) {
            if let Some((x, g)) = x.get_mut(k).zip(g.get_mut(k)) {
                (*x, *g) = (*point, *gradient);
            }
        }
    }

    /// Repeats the first `kept` points until there are all.
    pub fn fill_up(&mut self, kept: usize) {
        let count = self.count;
        for column in pieces_mut(self.x, count).chain(pieces_mut(self.g, count)) {
            let Some((known, rest)) = column.split_at_mut_checked(kept) else { return };
            rest.iter_mut().zip(known.iter().cycle()).for_each(|(to, x)| *to = *x);
        }
    }

    /// Coordinate `j`, its gradients, its centre.
    pub(super) fn own(&self, j: usize) -> (&[T], &[T], T) {
        let centre = self.centres.get(j).copied().unwrap_or(T::ZERO);
        (nth(self.x, self.count, j), nth(self.g, self.count, j), centre)
    }

    pub(super) fn dim(&self) -> usize {
        self.centres.len()
    }

    /// The coordinates, but for those left out, that have, or whose squares have, the largest correlations with column `which`,
    /// largest first.
    pub(super) fn like<const K: usize>(
        &self,
        which: usize,
        squared: bool,
        out: impl Fn(usize) -> bool,
    ) -> [Option<usize>; K] {
        let mut best = [(T::ZERO, None); K];
        let Some(column) = self.columns.get(which) else { return [None; K] };
        let count = T::of_usize(self.count);
        let mean = column.iter().fold(T::ZERO, |sum, c| sum + *c) / count;
        for of in (0..self.dim()).filter(|j| !out(*j)) {
            let term = Term { of, squared };
            let (x, _, centre) = self.own(of);
            let (mut both, mut sum, mut square) = (T::ZERO, T::ZERO, T::ZERO);
            for (c, x) in column.iter().zip(x) {
                let x = term.at(*x - centre);
                both += (*c - mean) * x;
                sum += x;
                square += x * x;
            }
            let square = square - sum * (sum / count);
            let mut next = (both.abs() / square.sqrt(), Some(of));
            for slot in &mut best {
                if next.0 > slot.0 {
                    core::mem::swap(slot, &mut next);
                }
            }
        }
        best.map(|(_, j)| j)
    }

    /// The column of e for these widths.
    pub(super) fn grow(&mut self, widths: &[(usize, T); MANY]) {
        let Self { x, centres, columns: [e, ..], count, .. } = self;
        e.fill(T::ZERO);
        for (k, rate) in widths {
            let Some(k) = k.checked_sub(1) else { continue };
            let centre = centres.get(k).copied().unwrap_or(T::ZERO);
            e.iter_mut().zip(nth(x, *count, k)).for_each(|(e, x)| *e += *rate * (*x - centre));
        }
        let most = T::lit(60.0);
        e.iter_mut().for_each(|e| *e = exp((*e).min(most).max(-most)));
    }
}
