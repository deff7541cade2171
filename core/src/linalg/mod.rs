//! Small dense linear algebra, one system for each lane ([`orthogonalise_rows`] and [`rotate_in`]: one for all).
//!
//! Matrices are packed triangles of blocks `[T; N]`, row by row. A *lower* triangle of order p
//! holds (0,0), (1,0), (1,1), (2,0), ...; an *upper* one with q - p further columns (right-hand
//! sides) holds row j as its entries j..q. Every lane carries a system of its own; sums run over
//! matrix indices only, in the order stated, never across lanes.
//!
//! Too short a slice ends a function early: sizes are the caller's to get right
//! ([`lower_len`], [`upper_len`]).
//!
//! By hand: what nalgebra 0.35 factorises it owns, and without an allocator it owns sizes known at compile time only.
//! On the caller's slices a panic stays reachable in its triangular solves, and at opt-level s in its products too,
//! with every length checked before; they would take ten lines of [`certificate`](crate::certificate) away, for six to
//! eight crates and 13 s of a CPU in a build.
//!
//! ```
//! use lcc_core::linalg::{cholesky, solve_lower, solve_lower_transposed};
//! use lcc_core::simd::Portable;
//!
//! // (4 2; 2 5) x = (8, 12): L = (2 0; 1 2), kept with the reciprocals of its diagonal.
//! let mut a = [[4.0_f64], [2.0], [5.0]];
//! let mut x = [[8.0], [12.0]];
//! assert_eq!(cholesky(Portable, &mut a, 2, 0.0), [0.0]);
//! assert_eq!(a, [[0.5], [1.0], [0.5]]);
//! solve_lower(Portable, &a, &mut x);
//! solve_lower_transposed(Portable, &a, &mut x);
//! assert_eq!(x, [[1.0], [2.0]]);
//! ```

mod givens;
mod jacobi;

pub use givens::rotate_in;
pub use jacobi::orthogonalise_rows;

use crate::pieces::pieces_mut;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::sum::Sum;
use core::mem::take;

/// Blocks of a packed lower triangle of order p, or `None` on overflow: p (p + 1) / 2.
#[inline(never)]
pub fn lower_len(p: usize) -> Option<usize> {
    let (a, b) = if p.is_multiple_of(2) { (p / 2, p.checked_add(1)?) } else { (p, p / 2 + 1) };
    a.checked_mul(b)
}

/// The rows of a packed lower triangle: of 1, 2, 3, ... entries.
pub(crate) fn rows<T>(lower: &[T]) -> impl Iterator<Item = &[T]> {
    let (mut rest, mut length) = (lower, 0_usize);
    core::iter::from_fn(move || {
        length = length.saturating_add(1);
        let (row, next) = rest.split_at_checked(length)?;
        rest = next;
        Some(row)
    })
}

/// As [`rows`], to write to.
pub(crate) fn rows_mut<T>(lower: &mut [T]) -> impl Iterator<Item = &mut [T]> {
    let (mut rest, mut length) = (lower, 0_usize);
    core::iter::from_fn(move || {
        length = length.saturating_add(1);
        let (row, next) = take(&mut rest).split_at_mut_checked(length)?;
        rest = next;
        Some(row)
    })
}

/// A packed upper triangle of order d to d rows of d.
pub(crate) fn unpack<T: Real>(triangle: &[T], d: usize, rows: &mut [T]) {
    rows.fill(T::ZERO);
    let mut packed = triangle;
    for (i, row) in pieces_mut(rows, d).enumerate() {
        let own = row.get_mut(i..).unwrap_or(&mut []);
        let Some((entries, rest)) = packed.split_at_checked(own.len()) else { return };
        own.iter_mut().zip(entries).for_each(|(x, r)| *x = *r);
        packed = rest;
    }
}

/// Blocks of a packed upper triangle of order p with one right-hand side, or `None` on overflow:
/// p (p + 1) / 2 + p.
pub fn upper_len(p: usize) -> Option<usize> {
    lower_len(p)?.checked_add(p)
}

/// sum_k a_k b_k over the shorter of the two: four partial sums, over k = 0, 4, 8, ... and so on,
/// joined as (0 + 1) + (2 + 3), then the last k mod 4 terms one by one.
#[inline(always)]
pub fn dot<T: Real, const N: usize, S: Simd<T, N>>(s: S, a: &[[T; N]], b: &[[T; N]]) -> S::V {
    let m = a.len().min(b.len());
    let (Some(a), Some(b)) = (a.get(..m), b.get(..m)) else {
        return s.zero();
    };
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let [mut s0, mut s1, mut s2, mut s3] = [s.zero(); 4];
    for ([a0, a1, a2, a3], [b0, b1, b2, b3]) in a4.iter().zip(b4) {
        s0 = s0 + s.load(a0) * s.load(b0);
        s1 = s1 + s.load(a1) * s.load(b1);
        s2 = s2 + s.load(a2) * s.load(b2);
        s3 = s3 + s.load(a3) * s.load(b3);
    }
    let mut sum = (s0 + s1) + (s2 + s3);
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum = sum + s.load(a) * s.load(b);
    }
    sum
}

/// sum_k a_k^2, compensated (Knuth's two-sum of every partial sum).
#[inline(always)]
pub fn squared_norm<T: Real, const N: usize, S: Simd<T, N>>(s: S, a: &[[T; N]]) -> S::V {
    let mut sum = Sum::new(s.zero());
    for a in a {
        let a = s.load(a);
        sum.add(a * a);
    }
    sum.value()
}

/// A += sum_k a_k a_k' for four vectors a_k given coordinate by coordinate (entry i holds the four
/// vectors' coordinate i); A a packed lower triangle. The four products are added first, left to
/// right, then to A. 4 p^2 flops.
#[inline(always)]
pub fn rank_four<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut lower: &mut [[T; N]],
    vectors: &[[[T; N]; 4]],
) {
    for (i, [a0, a1, a2, a3]) in vectors.iter().enumerate() {
        let Some((row, rest)) = take(&mut lower).split_at_mut_checked(i + 1) else {
            return;
        };
        lower = rest;
        let [a0, a1, a2, a3] = [s.load(a0), s.load(a1), s.load(a2), s.load(a3)];
        for (c, [b0, b1, b2, b3]) in row.iter_mut().zip(vectors) {
            let sum = a0 * s.load(b0) + a1 * s.load(b1) + a2 * s.load(b2) + a3 * s.load(b3);
            *c = (s.load(c) + sum).array();
        }
    }
}

/// [`rank_four`] of one chain, eight columns side by side: the same bits.
pub(crate) struct RankFour<'s, T> {
    pub lower: &'s mut [T],
    /// Coordinate by coordinate. Turned in their place, and back.
    pub vectors: &'s mut [[T; 4]],
}

/// Vector by vector, eight coordinates of each.
type Eight<T> = [[T; 8]; 4];

impl<T: Real> LaneOp<T, 8> for RankFour<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, 8>>(self, s: S) {
        let (count, (blocks, left)) = (self.vectors.len(), self.vectors.as_chunks_mut::<8>());
        let (flat, _) = blocks.as_flattened_mut().as_flattened_mut().as_chunks_mut::<8>();
        let (blocks, _) = flat.as_chunks_mut::<4>();
        let turn = |rows: &[[T; 4]], [a, b, c, d]: &mut Eight<T>| {
            for ((((row, a), b), c), d) in rows.iter().zip(a).zip(b).zip(c).zip(d) {
                [*a, *b, *c, *d] = *row;
            }
        };
        for block in &mut *blocks {
            let own = *block;
            turn(own.as_flattened().as_chunks().0, block);
        }
        let mut last = [[T::ZERO; 8]; 4];
        turn(left, &mut last);
        for (i, row) in rows_mut(self.lower).enumerate().take(count) {
            let [a0, a1, a2, a3] = blocks.get(i / 8).unwrap_or(&last);
            let own = |line: &[T; 8]| line.get(i % 8).copied().unwrap_or(T::ZERO);
            let (a0, a1, a2, a3) = (own(a0), own(a1), own(a2), own(a3));
            let (columns, rest) = row.as_chunks_mut::<8>();
            let [b0, b1, b2, b3] = blocks.get(columns.len()).unwrap_or(&last);
            for ((((c, b0), b1), b2), b3) in rest.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
                *c += a0 * *b0 + a1 * *b1 + a2 * *b2 + a3 * *b3;
            }
            let (a0, a1, a2, a3) = (s.splat(a0), s.splat(a1), s.splat(a2), s.splat(a3));
            for (c, [b0, b1, b2, b3]) in columns.iter_mut().zip(&*blocks) {
                let sum = a0 * s.load(b0) + a1 * s.load(b1) + a2 * s.load(b2) + a3 * s.load(b3);
                *c = (s.load(c) + sum).array();
            }
        }
        for block in blocks {
            let [a, b, c, d] = *block;
            let (rows, _) = block.as_flattened_mut().as_chunks_mut();
            for ((((row, a), b), c), d) in rows.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *row = [a, b, c, d];
            }
        }
    }
}

/// Replaces the packed lower triangle of A by L with L L' = A, the *reciprocals* of L's diagonal in
/// its place. Row by row (Cholesky-Banachiewicz), p^3 / 3 flops.
///
/// A pivot below `floor` times its diagonal entry of A is raised to that (and below the smallest
/// normal number, to it): L L' is then A plus a diagonal matrix. A mass matrix may be perturbed so;
/// a caller who may not passes 0 and looks for what `raised` counts, in each lane.
#[inline(always)]
pub fn cholesky<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    lower: &mut [[T; N]],
    p: usize,
    floor: T,
) -> [T; N] {
    let mut raised = s.zero();
    let mut start = 0_usize;
    for i in 0..p {
        // Rows 0..i are done and lie in `done`; row i follows.
        let Some((done, rest)) = lower.split_at_mut_checked(start) else {
            return [T::NAN; N];
        };
        let Some(row) = rest.get_mut(..=i) else {
            return [T::NAN; N];
        };
        start = start.saturating_add(row.len());
        let mut above: &[[T; N]] = done;
        for j in 0..i {
            let Some((other, next)) = above.split_at_checked(j + 1) else {
                return [T::NAN; N];
            };
            above = next;
            let (Some((inverse, other)), Some((left, right))) =
                (other.split_last(), row.split_at_mut_checked(j))
            else {
                return [T::NAN; N];
            };
            if let Some(entry) = right.first_mut() {
                *entry = ((s.load(entry) - dot(s, left, other)) * s.load(inverse)).array();
            }
        }
        if let Some((diagonal, left)) = row.split_last_mut() {
            let a = s.load(diagonal);
            let pivot = a - dot(s, left, left);
            let least = (s.splat(floor) * a).max(s.splat(T::MIN_POSITIVE));
            let short = pivot.lt(least);
            raised = raised + s.one().select(short, s.zero());
            *diagonal = (s.one() / least.select(short, pivot).sqrt()).array();
        }
    }
    raised.array()
}

/// Calls `f` with each diagonal entry of a packed lower triangle, and its row.
pub(crate) fn for_diagonal<T>(lower: &mut [T], dim: usize, mut f: impl FnMut(&mut T, usize)) {
    let mut at = 0_usize;
    for j in 0..dim {
        if let Some(x) = lower.get_mut(at) {
            f(x, j);
        }
        at = at.saturating_add(j).saturating_add(2);
    }
}

/// x <- L^-1 x, for L as [`cholesky`] leaves it. p^2 flops.
#[inline(always)]
pub fn solve_lower<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut lower: &[[T; N]],
    x: &mut [[T; N]],
) {
    for i in 0..x.len() {
        let Some((row, rest)) = lower.split_at_checked(i + 1) else {
            return;
        };
        lower = rest;
        if let (Some((inverse, row)), Some((known, [entry, ..]))) =
            (row.split_last(), x.split_at_mut_checked(i))
        {
            *entry = ((s.load(entry) - dot(s, row, known)) * s.load(inverse)).array();
        }
    }
}

/// x <- L'^-1 x, for L as [`cholesky`] leaves it. p^2 flops.
#[inline(always)]
pub fn solve_lower_transposed<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut lower: &[[T; N]],
    mut x: &mut [[T; N]],
) {
    while let Some((entry, rest)) = take(&mut x).split_last_mut() {
        let Some((above, row)) =
            lower.len().checked_sub(rest.len() + 1).and_then(|k| lower.split_at_checked(k))
        else {
            return;
        };
        lower = above;
        let Some((inverse, row)) = row.split_last() else {
            return;
        };
        let value = s.load(entry) * s.load(inverse);
        *entry = value.array();
        for (x, l) in rest.iter_mut().zip(row) {
            *x = (s.load(x) - s.load(l) * value).array();
        }
        x = rest;
    }
}

/// The above for one chain: each is one function to call, for the work between kernels.
pub(crate) mod one {
    use crate::scalar::Real;
    use crate::simd::Portable;

    /// [`cholesky`](super::cholesky); how many pivots were raised.
    #[inline(never)]
    pub(crate) fn cholesky<T: Real>(lower: &mut [[T; 1]], p: usize, floor: T) -> T {
        let [raised] = super::cholesky(Portable, lower, p, floor);
        raised
    }

    /// [`solve_lower`](super::solve_lower).
    #[inline(never)]
    pub(crate) fn solve_lower<T: Real>(lower: &[[T; 1]], x: &mut [[T; 1]]) {
        super::solve_lower(Portable, lower, x);
    }

    /// [`solve_lower_transposed`](super::solve_lower_transposed).
    #[inline(never)]
    pub(crate) fn solve_lower_transposed<T: Real>(lower: &[[T; 1]], x: &mut [[T; 1]]) {
        super::solve_lower_transposed(Portable, lower, x);
    }

    /// a.b, in order.
    pub(crate) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
        a.iter().zip(b).fold(T::ZERO, |sum, (a, b)| sum + *a * *b)
    }
}

/// Rows that [`append_rows`] takes at once.
pub const ROWS: usize = 8;

/// Appends [`ROWS`] rows to a least-squares problem in triangular form: R (order p, positive
/// diagonal, one right-hand side) becomes the R of the QR factorisation of R over the rows, and the
/// rows are overwritten. `rows` holds their p + 1 columns; absent rows are zero.
///
/// Householder reflections of (r_jj, the eight entries of column j), v = x + |x| e_1 (no
/// cancellation as r_jj > 0), the row negated afterwards so that the diagonal stays positive. Sums
/// over the rows as ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)). About 16 p^2 flops an eight rows; R'R
/// is never formed, so the condition number is not squared (Golub and Van Loan, 5.2).
#[inline(always)]
pub fn append_rows<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut upper: &mut [[T; N]],
    rows: &mut [[[T; N]; ROWS]],
) {
    let mut columns = rows;
    while columns.len() > 1 {
        let Some((row, rest)) = take(&mut upper).split_at_mut_checked(columns.len()) else {
            return;
        };
        upper = rest;
        let (Some((pivot, row)), Some((column, others))) =
            (row.split_first_mut(), take(&mut columns).split_first_mut())
        else {
            return;
        };
        let [x0, x1, x2, x3, x4, x5, x6, x7] = load_rows(s, column);
        let r = s.load(pivot);
        let norm = (r * r
            + (((x0 * x0 + x1 * x1) + (x2 * x2 + x3 * x3))
                + ((x4 * x4 + x5 * x5) + (x6 * x6 + x7 * x7))))
            .sqrt();
        let inverse = s.one() / norm;
        let c = s.one() / (r + norm);
        *pivot = norm.array();
        for (y, column) in row.iter_mut().zip(others.iter_mut()) {
            let [y0, y1, y2, y3, y4, y5, y6, y7] = load_rows(s, column);
            let old = s.load(y);
            let new = (r * old
                + (((x0 * y0 + x1 * y1) + (x2 * y2 + x3 * y3))
                    + ((x4 * y4 + x5 * y5) + (x6 * y6 + x7 * y7))))
                * inverse;
            *y = new.array();
            let t = (old + new) * c;
            *column = [
                (y0 - t * x0).array(),
                (y1 - t * x1).array(),
                (y2 - t * x2).array(),
                (y3 - t * x3).array(),
                (y4 - t * x4).array(),
                (y5 - t * x5).array(),
                (y6 - t * x6).array(),
                (y7 - t * x7).array(),
            ];
        }
        columns = others;
    }
}

#[inline(always)]
fn load_rows<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    column: &[[T; N]; ROWS],
) -> [S::V; ROWS] {
    let mut out = [s.zero(); ROWS];
    for (v, x) in out.iter_mut().zip(column) {
        *v = s.load(x);
    }
    out
}

/// x <- R^-1 (q + x), where q is the right-hand side stored with R: with x = 0 the least-squares
/// solution, with x standard normal a draw from N(R^-1 q, (R'R)^-1). p^2 flops.
#[inline(always)]
pub fn solve_upper<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    mut upper: &[[T; N]],
    x: &mut [[T; N]],
) {
    let p = x.len();
    for i in (0..p).rev() {
        // Row i: its diagonal, the entries i + 1..p, the right-hand side.
        let Some((above, row)) = upper
            .len()
            .checked_sub((p - i).saturating_add(1))
            .and_then(|k| upper.split_at_checked(k))
        else {
            return;
        };
        upper = above;
        let Some((_, [entry, known @ ..])) = x.split_at_mut_checked(i) else {
            return;
        };
        if let [diagonal, row @ .., q] = row {
            let rest = s.load(q) + s.load(entry) - dot(s, row, known);
            *entry = (rest / s.load(diagonal)).array();
        }
    }
}
