//! Packed lower triangles as symmetric matrices and as factors.

use crate::linalg::{lower_len, rows, rows_mut};
use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};

/// c I.
pub(crate) fn multiple<T: Real>(c: T, lower: &mut [T]) {
    for row in rows_mut(lower) {
        if let Some((diagonal, left)) = row.split_last_mut() {
            left.fill(T::ZERO);
            *diagonal = c;
        }
    }
}

/// Entry (r, c), c <= r, or its mirror image.
pub(crate) fn entry<T>(lower: &mut [T], r: usize, c: usize) -> Option<&mut T> {
    let at = lower_len(r.max(c))?.checked_add(r.min(c))?;
    lower.get_mut(at)
}

/// out = H v. Eight rows at a time: the sum of each is one chain of additions, and eight go side by side.
pub(super) fn product<T: Real>(h: &[T], v: &[T], out: &mut [T]) {
    const ROWS: usize = 8;
    out.fill(T::ZERO);
    let mut all = rows(h);
    for first in (0..out.len()).step_by(ROWS) {
        let block: [&[T]; ROWS] = core::array::from_fn(|_| all.next().unwrap_or_default());
        let mut own = [T::ZERO; ROWS];
        own.iter_mut().zip(v.iter().skip(first)).for_each(|(own, v)| *own = *v);
        let mut sums = [T::ZERO; ROWS];
        for ((sum, row), v_i) in sums.iter_mut().zip(block).zip(own) {
            *sum = row.last().map_or(T::ZERO, |diagonal| *diagonal * v_i);
        }
        // The columns before the block, where all its rows are there.
        let [.., last] = block;
        let done = if last.is_empty() { 0 } else { first };
        let [a, b, c, d, e, f, g, h] = block;
        let columns = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f).zip(g).zip(h);
        let columns = columns.map(|(((((((a, b), c), d), e), f), g), h)| [a, b, c, d, e, f, g, h]);
        for ((o, v), column) in out.iter_mut().zip(v).zip(columns).take(done) {
            for ((sum, v_i), h) in sums.iter_mut().zip(own).zip(column) {
                *o += *h * v_i;
                *sum += *h * *v;
            }
        }
        for (i, ((row, v_i), mut sum)) in block.iter().zip(own).zip(sums).enumerate() {
            let place = first.wrapping_add(i);
            let Some((above, left)) = out.split_at_mut_checked(place) else { break };
            let Some(to) = left.first_mut() else { break };
            for ((o, h), v) in above.iter_mut().zip(*row).zip(v).skip(done) {
                *o += *h * v_i;
                sum += *h * *v;
            }
            *to = sum;
        }
    }
}

/// H <- H + a aa' - b (ca' + ac').
pub(super) fn update<T: Real>(h: &mut [T], a: &[T], c: &[T], [first, second]: [T; 2]) {
    for ((row, a_i), c_i) in rows_mut(h).zip(a).zip(c) {
        for ((h, a_j), c_j) in row.iter_mut().zip(a).zip(c) {
            *h += first * (*a_i * *a_j) - second * (*c_i * *a_j + *a_i * *c_j);
        }
    }
}

/// S <- S + ww'.
pub(super) fn add_square<T: Real>(s: &mut [T], w: &[T]) {
    for (row, w_i) in rows_mut(s).zip(w) {
        row.iter_mut().zip(w).for_each(|(s, w_j)| *s += *w_i * *w_j);
    }
}

/// M <- L M, both lower triangular, of order `dim`.
pub(super) fn compose<T: Real>(l: &[T], m: &mut [T], dim: usize) {
    // The last row first: row i needs those of M above it.
    for i in (0..dim).rev() {
        let Some(start) = lower_len(i) else { return };
        let Some(((done, rest), left)) = m.split_at_mut_checked(start).zip(l.get(start..)) else {
            return;
        };
        let Some((own, left)) = rest.get_mut(..=i).zip(left.get(..=i)) else { return };
        let Some((diagonal, left)) = left.split_last() else { return };
        own.iter_mut().for_each(|x| *x = *diagonal * *x);
        for (row, factor) in rows(done).zip(left) {
            own.iter_mut().zip(row).for_each(|(x, m)| *x += *factor * *m);
        }
    }
}

/// x += c y, eight at a time where registers hold them: the same bits.
struct AddMultiple<'s, T> {
    x: &'s mut [T],
    c: T,
    y: &'s [T],
}

impl<T: Real> LaneOp<T, 8> for AddMultiple<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, 8>>(self, s: S) {
        let Self { x, c, y } = self;
        let (y, left) = y.get(..x.len()).unwrap_or(y).as_chunks();
        let (x, rest) = x.as_chunks_mut();
        let wide = s.splat(c);
        for (x, y) in x.iter_mut().zip(y) {
            *x = (s.load(x) + wide * s.load(y)).array();
        }
        rest.iter_mut().zip(left).for_each(|(x, y)| *x += c * *y);
    }
}

fn add_multiple<T: Lanes<1>>(isa: Isa, x: &mut [T], c: T, y: &[T]) {
    if T::across(isa, AddMultiple { x: &mut *x, c, y }).is_none() {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += c * *y);
    }
}

/// H^-1 in the place of H's factor L as [`crate::linalg::cholesky`] leaves it: M = L^-1, then M'M. `None` where the
/// triangle is short. 2/3 dim^3 flops.
pub(crate) fn invert<T: Lanes<1>>(isa: Isa, lower: &mut [T], dim: usize) -> Option<()> {
    for i in 0..dim {
        let (done, rest) = lower.split_at_mut_checked(lower_len(i)?)?;
        let (inverse, left) = rest.get_mut(..=i)?.split_last_mut()?;
        // Entry k counts for those before it, and is then that of M.
        for (k, row) in rows(done).enumerate() {
            let (own, before) = left.get_mut(..=k)?.split_last_mut()?;
            let (diagonal, row) = row.split_last()?;
            add_multiple(isa, before, *own, row);
            *own = *own * *diagonal;
        }
        left.iter_mut().for_each(|x| *x = -(*inverse * *x));
    }
    for i in 0..dim {
        let (_, rest) = lower.split_at_mut_checked(lower_len(i)?)?;
        let (row, mut below) = rest.split_at_mut_checked(i.checked_add(1)?)?;
        let diagonal = *row.last()?;
        row.iter_mut().for_each(|x| *x = diagonal * *x);
        for length in i.checked_add(2)?..=dim {
            let (next, after) = below.split_at_mut_checked(length)?;
            let factor = *next.get(i)?;
            add_multiple(isa, row, factor, next);
            below = after;
        }
    }
    Some(())
}
