//! What the kernels share: four rows of data at a time, against the lanes of N chains.
//!
//! The order of every sum, the same for each lane count, instruction set and layout of X:
//! - a dot product adds its terms from column 0 upward, starting from the bias (or from 0);
//! - rows are taken in groups of four; the last group is filled up with copies of the last row that
//!   carry weight 0;
//! - a gradient takes one addition a group, of (a_0 x_0 + a_1 x_1) + (a_2 x_2 + a_3 x_3);
//! - a sum over the data takes one compensated addition a group, of the same tree of four.

use crate::data::Inputs;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};

/// Rows in a group: four accumulators and their operands fit the registers of SSE2 and AVX2.
pub(crate) const GROUP: usize = 4;

/// A group of rows, column by column.
pub(crate) trait Group<T: Real>: Copy {
    /// x_0j, x_1j, x_2j, x_3j for j = 0, 1, ...
    fn columns(self) -> impl Iterator<Item = [T; GROUP]>;
}

/// Rows read where they lie.
#[derive(Clone, Copy)]
pub(crate) struct InPlace<'a, T>([&'a [T]; GROUP]);

impl<'a, T: Real> InPlace<'a, T> {
    /// Rows `first` to `first + 3`, if rows are contiguous; past the end, the last row.
    #[inline(always)]
    pub(crate) fn new(inputs: &Inputs<'a, T>, first: usize) -> Option<Self> {
        inputs.four_rows(first).map(Self)
    }
}

impl<T: Real> Group<T> for InPlace<'_, T> {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = [T; GROUP]> {
        let [a, b, c, d] = self.0;
        a.iter().zip(b).zip(c).zip(d).map(|(((a, b), c), d)| [*a, *b, *c, *d])
    }
}

/// Rows copied side by side: one [T; 4] a column.
#[derive(Clone, Copy)]
pub(crate) struct Tile<'a, T>(pub(crate) &'a [[T; GROUP]]);

impl<T: Real> Group<T> for Tile<'_, T> {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = [T; GROUP]> {
        self.0.iter().copied()
    }
}

/// start_r + x_r . w for the four rows: 8 d flops a lane.
#[inline(always)]
pub(crate) fn dots<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    w: &[[T; N]],
    rows: impl Group<T>,
    [mut a, mut b, mut c, mut d]: [S::V; GROUP],
) -> [S::V; GROUP] {
    for (w, [x0, x1, x2, x3]) in w.iter().zip(rows.columns()) {
        let w = s.load(w);
        a = a + s.splat(x0) * w;
        b = b + s.splat(x1) * w;
        c = c + s.splat(x2) * w;
        d = d + s.splat(x3) * w;
    }
    [a, b, c, d]
}

/// [`dots`] of two groups at once: each w_j is loaded once for eight rows.
#[inline(always)]
pub(crate) fn dots_of_two<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    w: &[[T; N]],
    [first, second]: [impl Group<T>; 2],
    [a, b]: [[S::V; GROUP]; 2],
) -> [[S::V; GROUP]; 2] {
    // Written out: an array that a loop goes over is kept in memory where code is small.
    let [mut a0, mut a1, mut a2, mut a3] = a;
    let [mut b0, mut b1, mut b2, mut b3] = b;
    for ((w, [x0, x1, x2, x3]), [y0, y1, y2, y3]) in
        w.iter().zip(first.columns()).zip(second.columns())
    {
        let w = s.load(w);
        a0 = a0 + s.splat(x0) * w;
        a1 = a1 + s.splat(x1) * w;
        a2 = a2 + s.splat(x2) * w;
        a3 = a3 + s.splat(x3) * w;
        b0 = b0 + s.splat(y0) * w;
        b1 = b1 + s.splat(y1) * w;
        b2 = b2 + s.splat(y2) * w;
        b3 = b3 + s.splat(y3) * w;
    }
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}

/// Whether two units at a time are faster than one: of several short numbers in one register. Of eight doubles in one they are
/// slower by a tenth, and one number at a time is for where code is to be small.
#[inline(always)]
pub(crate) const fn in_pairs<T: Real, const N: usize, S: Simd<T, N>>(_: S) -> bool {
    N > 1 && S::WIDE && T::BITS == 32
}

/// [`dots`] of two units: each x_rj is spread over the lanes once for both.
#[inline(always)]
pub(crate) fn dots_of_pair<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    [v, w]: [&[[T; N]]; 2],
    rows: impl Group<T>,
    [a, b]: [S::V; 2],
) -> [[S::V; GROUP]; 2] {
    let ([mut a0, mut a1, mut a2, mut a3], [mut b0, mut b1, mut b2, mut b3]) =
        ([a; GROUP], [b; GROUP]);
    for ((v, w), [x0, x1, x2, x3]) in v.iter().zip(w).zip(rows.columns()) {
        let (v, w) = (s.load(v), s.load(w));
        let (x0, x1, x2, x3) = (s.splat(x0), s.splat(x1), s.splat(x2), s.splat(x3));
        a0 = a0 + x0 * v;
        a1 = a1 + x1 * v;
        a2 = a2 + x2 * v;
        a3 = a3 + x3 * v;
        b0 = b0 + x0 * w;
        b1 = b1 + x1 * w;
        b2 = b2 + x2 * w;
        b3 = b3 + x3 * w;
    }
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}

/// [`accumulate`] of two units, likewise.
#[inline(always)]
pub(crate) fn accumulate_pair<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    [g, h]: [&mut [[T; N]]; 2],
    rows: impl Group<T>,
    [a, b]: [[S::V; GROUP]; 2],
) {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    for ((g, h), [x0, x1, x2, x3]) in g.iter_mut().zip(h).zip(rows.columns()) {
        let (x0, x1, x2, x3) = (s.splat(x0), s.splat(x1), s.splat(x2), s.splat(x3));
        *g = (s.load(g) + tree([a0 * x0, a1 * x1, a2 * x2, a3 * x3])).array();
        *h = (s.load(h) + tree([b0 * x0, b1 * x1, b2 * x2, b3 * x3])).array();
    }
}

/// [`accumulate`] of one group and then another: each gradient_j is loaded and stored once for eight
/// rows.
#[inline(always)]
pub(crate) fn accumulate_two<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    gradient: &mut [[T; N]],
    (first, a): (impl Group<T>, [S::V; GROUP]),
    (second, b): (impl Group<T>, [S::V; GROUP]),
) {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    for ((g, [x0, x1, x2, x3]), [y0, y1, y2, y3]) in
        gradient.iter_mut().zip(first.columns()).zip(second.columns())
    {
        let x = [a0 * s.splat(x0), a1 * s.splat(x1), a2 * s.splat(x2), a3 * s.splat(x3)];
        let y = [b0 * s.splat(y0), b1 * s.splat(y1), b2 * s.splat(y2), b3 * s.splat(y3)];
        *g = ((s.load(g) + tree(x)) + tree(y)).array();
    }
}

/// gradient_j += sum_r a_r x_rj over the four rows: 8 d flops a lane.
#[inline(always)]
pub(crate) fn accumulate<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    gradient: &mut [[T; N]],
    rows: impl Group<T>,
    a: [S::V; GROUP],
) {
    let [a0, a1, a2, a3] = a;
    for (g, [x0, x1, x2, x3]) in gradient.iter_mut().zip(rows.columns()) {
        let terms = [a0 * s.splat(x0), a1 * s.splat(x1), a2 * s.splat(x2), a3 * s.splat(x3)];
        *g = (s.load(g) + tree(terms)).array();
    }
}

/// Four registers to memory. (`array::map` would be compiled as a function of its own, without the
/// instruction set of its caller.)
#[inline(always)]
pub(crate) fn store<T: Real, const N: usize, V: Vector<T, N>>(
    out: &mut [[T; N]; GROUP],
    [a, b, c, d]: [V; GROUP],
) {
    *out = [a.array(), b.array(), c.array(), d.array()];
}

/// (a_0 + a_1) + (a_2 + a_3).
#[inline(always)]
pub(crate) fn tree<V: core::ops::Add<Output = V>>([a0, a1, a2, a3]: [V; GROUP]) -> V {
    (a0 + a1) + (a2 + a3)
}

/// Four values; past the end of the data, zeros.
#[inline(always)]
pub(crate) fn filled<T: Real>(values: &[T]) -> [T; GROUP] {
    // All but the last group are whole, and stay in registers.
    if let Some(whole) = values.first_chunk() {
        return *whole;
    }
    let mut out = [T::ZERO; GROUP];
    for (o, v) in out.iter_mut().zip(values) {
        *o = *v;
    }
    out
}

/// Zeroes blocks.
#[inline(always)]
pub(crate) fn clear<T: Real, const N: usize>(blocks: &mut [[T; N]]) {
    for b in blocks {
        *b = [T::ZERO; N];
    }
}
