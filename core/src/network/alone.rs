//! One chain in wide registers: eight rows side by side, where many chains have eight chains.
//!
//! For what goes alone (ascents, fits, walks). The bits are those of one lane: each sum is that of one unit at one row, or of one
//! weight over the groups of four rows, in the order of `likelihood::rows`; only what stands beside it in a register differs.
//! Gradients of weights have the units below side by side, whose values are turned over (rows to units) for that, and are laid
//! out as the parameters at the end.

use super::architecture::{Architecture, DEEPEST};
use super::output::{Family, GROUP, LOCATED};
use super::pass::{Observe, Pass, Point, Scratch};
use crate::likelihood::rows::{self, Group, Tile};
use crate::pieces::{cut, nth, nth_mut, pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{LaneOp, Portable, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// Rows side by side: two groups.
const WIDTH: usize = 8;
/// Hidden layers and the outputs.
const LEVELS: usize = DEEPEST + 1;

/// A layer, the outputs among them: what feeds its units, and where their parameters lie in the flat list.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    units: usize,
    /// Inputs of the network that feed each unit, and units of the layer below.
    direct: usize,
    below: usize,
    biases_at: usize,
    direct_at: usize,
    below_at: usize,
}

impl Plan {
    /// Of every layer, from the inputs on; in front of them layers of no units, as many as there could be more.
    fn of(architecture: &Architecture) -> [Self; LEVELS] {
        let mut plans = [Self::default(); LEVELS];
        let [hidden @ .., head] = &mut plans;
        let none = hidden.len().saturating_sub(architecture.layers().count());
        let layers = architecture.layers().enumerate();
        for (plan, (l, layer)) in hidden.iter_mut().skip(none).zip(layers) {
            let (direct, below) = if l == 0 { (layer.inputs, 0) } else { (0, layer.inputs) };
            let (at, biases_at) = (layer.weights_at, layer.biases_at);
            let units = layer.units;
            *plan = Self { units, direct, below, biases_at, direct_at: at, below_at: at };
        }
        *head = Self {
            units: architecture.outputs,
            direct: if architecture.has_linear() { architecture.inputs } else { 0 },
            below: architecture.last(),
            biases_at: architecture.intercepts_at(),
            direct_at: architecture.linear_at(),
            below_at: architecture.outer_at(),
        };
        plans
    }

    /// Numbers of the parts of a [`Level`]; `None` on overflow.
    fn sizes(&self) -> Option<[usize; 5]> {
        let each = self.direct.checked_add(self.below)?.checked_add(1)?;
        let weights = self.units.checked_next_multiple_of(GROUP)?.checked_mul(each)?;
        let gradient = |of: usize| of.checked_next_multiple_of(WIDTH)?.checked_mul(self.units);
        let values = self.units.checked_next_multiple_of(WIDTH)?.checked_mul(WIDTH)?;
        Some([weights, gradient(self.direct)?, gradient(self.below)?, values, values])
    }
}

/// Numbers of the inputs of eight rows, an exposure among them.
fn inputs_len(architecture: &Architecture) -> Option<usize> {
    architecture.inputs.checked_add(1)?.checked_next_multiple_of(WIDTH)?.checked_mul(WIDTH)
}

/// Numbers that one chain in wide registers works in, beside the scratch of a pass; `None` on overflow.
pub(crate) fn room(architecture: &Architecture) -> Option<usize> {
    let inputs = inputs_len(architecture)?.checked_mul(2)?;
    Plan::of(architecture)
        .iter()
        .try_fold(inputs, |sum, plan| sum.checked_add(crate::pieces::total(plan.sizes()?)?))
}

/// A layer at work.
struct Level<'s, T> {
    plan: Plan,
    /// Four units side by side: biases, weights of the inputs, weights of the units below, group by group.
    weights: &'s mut [[T; GROUP]],
    /// The gradients of the weights of the inputs and of the units below, eight of these side by side: group by group a block
    /// a unit here.
    direct: &'s mut [[T; WIDTH]],
    under: &'s mut [[T; WIDTH]],
    /// Unit by unit at eight rows: psi, of the outputs themselves; psi', then what flows back. Zeros fill them up to eights.
    values: &'s mut [[T; WIDTH]],
    slopes: &'s mut [[T; WIDTH]],
}

impl<'s, T: Real> Level<'s, T> {
    /// From the front of the room, zeroed; without parts where that is too short.
    fn cut(plan: Plan, room: &mut &'s mut [T]) -> Self {
        let parts = plan.sizes().and_then(|sizes| cut(core::mem::take(room), sizes));
        let (parts, rest) = parts.unwrap_or_default();
        *room = rest;
        let [weights, parts @ ..] = parts;
        weights.fill(T::ZERO);
        let [direct, under, values, slopes] = parts.map(|part| {
            part.fill(T::ZERO);
            part.as_chunks_mut().0
        });
        Self { plan, weights: weights.as_chunks_mut().0, direct, under, values, slopes }
    }

    /// Takes its weights out of the flat list.
    #[inline(always)]
    fn pack(&mut self, parameters: &[T]) {
        let Plan { units, direct, below, biases_at, direct_at, below_at } = self.plan;
        let stride = direct.saturating_add(below).saturating_add(1);
        let parts = [(biases_at, 1), (direct_at, direct), (below_at, below)];
        for unit in 0..units {
            let group = nth_mut(self.weights, stride, unit.wrapping_div(GROUP));
            let mut cells = group.iter_mut().filter_map(|block| block.get_mut(unit % GROUP));
            for (at, width) in parts {
                let own = nth(parameters.get(at..).unwrap_or(&[]), width, unit);
                own.iter().zip(&mut cells).for_each(|(w, cell)| *cell = *w);
            }
        }
    }

    /// The units' arguments at eight rows.
    #[inline(always)]
    fn sums<S: Simd<T, WIDTH>>(
        &mut self,
        s: S,
        parameters: &[T],
        [inputs, below]: [&[[T; WIDTH]]; 2],
    ) {
        let plan = &self.plan;
        let stride = plan.direct.saturating_add(plan.below).saturating_add(1);
        let values = self.values.get_mut(..plan.units).unwrap_or(&mut []);
        if let [value] = values {
            let from = |at: usize| parameters.get(at..).unwrap_or(&[]);
            let bias = from(plan.biases_at).first().map_or(s.zero(), |b| s.splat(*b));
            let direct = from(plan.direct_at).get(..plan.direct).unwrap_or(&[]);
            let under = from(plan.below_at).get(..plan.below).unwrap_or(&[]);
            *value = dot(s, below, under, dot(s, inputs, direct, bias)).array();
            return;
        }
        let mut groups = pieces(self.weights, stride);
        let mut values = values.chunks_mut(GROUP);
        while let (Some(one), Some(piece)) = (values.next(), groups.next()) {
            let Some((start, direct, under)) = split(s, piece, plan.direct) else { return };
            let second = if rows::in_pairs(s) { groups.next() } else { None };
            let Some(two) = second.and_then(|piece| split(s, piece, plan.direct)) else {
                let sums = rows::dots(s, inputs, Tile(direct), start);
                put(one, rows::dots(s, below, Tile(under), sums));
                continue;
            };
            let (start1, direct1, under1) = two;
            let tiles = [Tile(direct), Tile(direct1)];
            let sums = rows::dots_of_two(s, inputs, tiles, [start, start1]);
            let [a, b] = rows::dots_of_two(s, below, [Tile(under), Tile(under1)], sums);
            put(one, a);
            put(values.next().unwrap_or(&mut []), b);
        }
    }

    /// What flows back to the units below, from their psi' and the slopes here.
    #[inline(always)]
    fn flow_back<S: Simd<T, WIDTH>>(&self, s: S, parameters: &[T], slopes: &mut [[T; WIDTH]]) {
        let Plan { units, below, below_at, .. } = self.plan;
        let above = self.slopes.get(..units).unwrap_or(&[]);
        let slopes = slopes.get_mut(..below).unwrap_or(&mut []);
        for (j, slopes) in slopes.chunks_mut(GROUP).enumerate() {
            let at = below_at.wrapping_add(j.wrapping_mul(GROUP));
            let weights = Strided { list: parameters.get(at..).unwrap_or(&[]), width: below };
            let sums = rows::dots(s, above, weights, [s.zero(); GROUP]);
            for (slope, sum) in slopes.iter_mut().zip(sums) {
                *slope = (sum * s.load(slope)).array();
            }
        }
    }

    /// Adds the gradients of the biases, which lie in `out`, and of the weights at up to eight rows, the lower units' values
    /// being what feeds those here.
    #[inline(always)]
    fn gradients<S: Simd<T, WIDTH>>(
        &mut self,
        s: S,
        out: &mut [T],
        lines: &[[[T; WIDTH]; WIDTH]],
        below: &[[T; WIDTH]],
        second: bool,
    ) {
        let slopes = self.slopes.get(..self.plan.units).unwrap_or(&[]);
        let biases = out.get_mut(self.plan.biases_at..).unwrap_or(&mut []);
        for (g, [a0, a1, a2, a3, b0, b1, b2, b3]) in biases.iter_mut().zip(slopes) {
            *g += rows::tree([*a0, *a1, *a2, *a3]);
            if second {
                *g += rows::tree([*b0, *b1, *b2, *b3]);
            }
        }
        for (g, lines) in pieces_mut(self.direct, slopes.len()).zip(lines) {
            accumulate(s, g, slopes, lines, second);
        }
        for (g, values) in pieces_mut(self.under, slopes.len()).zip(below.as_chunks().0) {
            accumulate(s, g, slopes, &turned(values), second);
        }
    }

    /// Puts the gradients of its weights into the flat list.
    #[inline(always)]
    fn unpack(&self, out: &mut [T]) {
        let Plan { units, direct, below, direct_at, below_at, .. } = self.plan;
        for (blocks, at, width) in
            [(&*self.direct, direct_at, direct), (&*self.under, below_at, below)]
        {
            let out = out.get_mut(at..).unwrap_or(&mut []);
            for (g, blocks) in pieces(blocks, units).enumerate() {
                for (unit, block) in blocks.iter().enumerate() {
                    let own = nth_mut(out, width, unit);
                    let own = own.get_mut(g.wrapping_mul(WIDTH)..).unwrap_or(&mut []);
                    own.iter_mut().zip(block).for_each(|(out, x)| *out = *x);
                }
            }
        }
    }
}

/// The gradients of the weights of eight units below, whose values lie row by row.
#[inline(always)]
fn accumulate<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    gradient: &mut [[T; WIDTH]],
    slopes: &[[T; WIDTH]],
    lines: &[[T; WIDTH]; WIDTH],
    second: bool,
) {
    let [a0, a1, a2, a3, b0, b1, b2, b3] = lines;
    let a = [s.load(a0), s.load(a1), s.load(a2), s.load(a3)];
    if second {
        let b = [s.load(b0), s.load(b1), s.load(b2), s.load(b3)];
        rows::accumulate_two(s, gradient, (First(slopes), a), (Second(slopes), b));
    } else {
        rows::accumulate(s, gradient, First(slopes), a);
    }
}

/// As many as there are of four registers to memory.
#[inline(always)]
fn put<T: Real, V: Vector<T, WIDTH>>(out: &mut [[T; WIDTH]], sums: [V; GROUP]) {
    out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum.array());
}

/// Four biases, and the weights of the inputs and of the units below.
#[inline(always)]
fn split<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    piece: &[[T; GROUP]],
    direct: usize,
) -> Option<([S::V; GROUP], &[[T; GROUP]], &[[T; GROUP]])> {
    let ([[a, b, c, d]], rest) = piece.split_first_chunk()?;
    let (direct, under) = rest.split_at_checked(direct)?;
    Some(([s.splat(*a), s.splat(*b), s.splat(*c), s.splat(*d)], direct, under))
}

/// start + w . values at eight rows.
#[inline(always)]
fn dot<T: Real, S: Simd<T, WIDTH>>(s: S, values: &[[T; WIDTH]], w: &[T], start: S::V) -> S::V {
    let mut sum = start;
    for (x, w) in values.iter().zip(w) {
        sum = sum + s.splat(*w) * s.load(x);
    }
    sum
}

/// Four neighbours of each row of weights; zeros past the end of the list.
#[derive(Clone, Copy)]
struct Strided<'a, T> {
    list: &'a [T],
    width: usize,
}

impl<T: Real> Group<T> for Strided<'_, T> {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = [T; GROUP]> {
        let mut rest = self.list;
        core::iter::from_fn(move || {
            let four = rows::filled(rest.get(..GROUP.min(rest.len()))?);
            rest = rest.get(self.width..).unwrap_or(&[]);
            Some(four)
        })
    }
}

/// The first four of eight rows.
#[derive(Clone, Copy)]
struct First<'a, T>(&'a [[T; WIDTH]]);

impl<T: Real> Group<T> for First<'_, T> {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = [T; GROUP]> {
        self.0.iter().map(|[a, b, c, d, ..]| [*a, *b, *c, *d])
    }
}

/// The last four.
#[derive(Clone, Copy)]
struct Second<'a, T>(&'a [[T; WIDTH]]);

impl<T: Real> Group<T> for Second<'_, T> {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = [T; GROUP]> {
        self.0.iter().map(|[.., a, b, c, d]| [*a, *b, *c, *d])
    }
}

/// Rows to columns.
#[inline(always)]
fn turned<T: Real>(lines: &[[T; WIDTH]; WIDTH]) -> [[T; WIDTH]; WIDTH] {
    let [a, b, c, d, e, f, g, h] = lines;
    let columns = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f).zip(g).zip(h);
    let mut out = [[T::ZERO; WIDTH]; WIDTH];
    for (out, (((((((a, b), c), d), e), f), g), h)) in out.iter_mut().zip(columns) {
        *out = [*a, *b, *c, *d, *e, *f, *g, *h];
    }
    out
}

/// Eight rows from `first` on of those taken, eight columns after eight, and their targets; past the end, the last row.
#[inline(always)]
fn load<T: Real>(
    pass: &Pass<'_, T>,
    first: usize,
    lines: &mut [[[T; WIDTH]; WIDTH]],
) -> [T; WIDTH] {
    let mut y = [T::ZERO; WIDTH];
    for (r, y) in y.iter_mut().enumerate() {
        let row = pass.row(first.wrapping_add(r));
        *y = pass.data.y().get(row).copied().unwrap_or(T::ZERO);
        let mut cells = lines.iter_mut().filter_map(|lines| lines.get_mut(r));
        if let Some(x) = pass.data.inputs.row(row) {
            let (whole, rest) = x.as_chunks();
            whole.iter().zip(&mut cells).for_each(|(x, cells)| *cells = *x);
            let cells = cells.next().into_iter().flatten();
            cells.zip(rest).for_each(|(cell, x)| *cell = *x);
        } else {
            let columns = 0..pass.data.d();
            cells.flatten().zip(columns).for_each(|(cell, j)| *cell = pass.data.inputs.at(row, j));
        }
    }
    y
}

/// The terms of up to eight rows where the density is one of y - o, 0 past `count`, and what flows back, by `misses`, o - y:
/// as of one row of target 0 for eight chains, what counts being y - o, which is 0 - (o - y) to the bit.
#[inline(always)]
fn densities<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    family: &Family<T>,
    (spread, misses, count): (&[[T; WIDTH]], [T; WIDTH], usize),
    weights: Option<&[T; WIDTH]>,
    slopes: &mut [T; WIDTH],
    own: &mut [[T; 1]],
) -> [T; WIDTH] {
    let o = &mut [[misses; GROUP]];
    let by_own = &mut [[T::ZERO; WIDTH]];
    let mut all = family.group(s, spread, &[T::ZERO], o, by_own).array();
    let ([[derivatives, ..]], [by_own]) = (&mut *o, &mut *by_own);
    if let Some(weights) = weights {
        for list in [&mut all, &mut *derivatives, &mut *by_own] {
            // 0 times a density of 0 is no number, and such a row is as none.
            let weigh = |x: T, w: T| if w > T::ZERO { w * x } else { T::ZERO };
            list.iter_mut().zip(weights).for_each(|(x, w)| *x = weigh(*x, *w));
        }
    }
    let mut terms = [T::ZERO; WIDTH];
    terms.iter_mut().zip(all).take(count).for_each(|(x, term)| *x = term);
    slopes.fill(T::ZERO);
    slopes.iter_mut().zip(derivatives).take(count).for_each(|(slope, x)| *slope = *x);
    if let [[own]] = own {
        by_own.iter().take(count).for_each(|x| *own += *x);
    }
    terms
}

/// Value and gradients of one chain, as [`Pass::evaluate`] has them.
pub(super) struct Alone<'s, 'd, T> {
    pub(super) pass: &'s Pass<'d, T>,
    pub(super) point: Point<'s, T, 1>,
    pub(super) gradient: &'s mut [T],
    pub(super) own: &'s mut [[T; 1]],
    pub(super) scratch: Scratch<'s, T, 1>,
    /// [`room`] numbers, and not fewer.
    pub(super) room: &'s mut [T],
}

impl<T: Real> LaneOp<T, WIDTH> for Alone<'_, '_, T> {
    type Output = T;
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, WIDTH>>(self, s: S) -> T {
        if !S::HERE {
            return T::NAN;
        }
        let Self { pass, point, gradient, own, scratch, mut room } = self;
        let Scratch { outputs, ready, by_row, .. } = scratch;
        let Point { parameters, own: coordinates, nu } = point;
        let (parameters, family) = (parameters.as_flattened(), &pass.family);
        let architecture = &pass.architecture;
        family.prepare(Portable, coordinates, &nu, ready);
        rows::clear(own);
        gradient.fill(T::ZERO);
        let mut levels = Plan::of(architecture).map(|plan| Level::cut(plan, &mut room));
        levels.iter_mut().for_each(|level| level.pack(parameters));
        let Some((tile, rest)) =
            inputs_len(architecture).and_then(|len| room.split_at_mut_checked(len))
        else {
            return T::NAN;
        };
        let lines = rest.as_chunks_mut().0.as_chunks_mut::<WIDTH>().0;
        let tile = tile.as_chunks_mut().0;
        rows::clear(lines.as_flattened_mut());
        let located = family.is_located() && !pass.exposure;
        let mut spread = [[T::ZERO; WIDTH]; LOCATED];
        spread.iter_mut().zip(&*ready).for_each(|(x, [own])| *x = [*own; WIDTH]);
        let mut sum = Sum::new(Portable.zero());
        let n = pass.count();
        for first in (0..n).step_by(WIDTH) {
            let y = load(pass, first, lines);
            for (tile, lines) in tile.as_chunks_mut().0.iter_mut().zip(&*lines) {
                *tile = turned(lines);
            }
            let Some((inputs, exposure)) = tile.split_at_checked(architecture.inputs) else {
                return T::NAN;
            };
            let [hidden @ .., head] = &mut levels;
            let mut below: &[[T; WIDTH]] = &[];
            for level in hidden.iter_mut().filter(|level| level.plan.units > 0) {
                level.sums(s, parameters, [inputs, below]);
                let Level { plan, values, slopes, .. } = level;
                let of = ..plan.units;
                let (Some(values), Some(slopes)) = (values.get_mut(of), slopes.get_mut(of)) else {
                    return T::NAN;
                };
                pass.activation.apply(s, values, slopes);
                below = values;
            }
            head.sums(s, parameters, [inputs, below]);
            let exposure = exposure.first().filter(|_| pass.exposure);
            let here = y.get(..n.wrapping_sub(first).min(WIDTH)).unwrap_or(&[]);
            let weights = pass.weights::<WIDTH>(first);
            if let ([out, ..], [slopes, ..], true) = (&*head.values, &mut *head.slopes, located) {
                let misses = (s.load(out) - s.load(&y)).array();
                let of = (&spread[..], misses, here.len());
                let terms = densities(s, family, of, weights.as_ref(), slopes, own);
                let there = terms.as_chunks().0.iter().take(here.len().div_ceil(GROUP));
                for [t0, t1, t2, t3] in there {
                    sum.add(Portable.load(&[rows::tree([*t0, *t1, *t2, *t3])]));
                }
            } else {
                for (half, y) in here.chunks(GROUP).enumerate() {
                    let at = half.wrapping_mul(GROUP);
                    for (out, sums) in outputs.iter_mut().zip(&*head.values) {
                        let sums = sums.iter().enumerate().skip(at);
                        for (out, (r, x)) in out.iter_mut().zip(sums) {
                            let exposed = exposure.and_then(|x| x.get(r));
                            *out = [exposed.map_or(*x, |e| *x + special::scalar::ln(*e))];
                        }
                    }
                    let weights = weights.as_slice().as_flattened().get(at..).unwrap_or(&[]);
                    let observe = Observe { family, ready, y, weights, outputs, own, by_row };
                    let [term] = Portable.outline(observe);
                    sum.add(Portable.load(&[term]));
                    for (slopes, out) in head.slopes.iter_mut().zip(&*outputs) {
                        for (slope, [x]) in slopes.iter_mut().skip(at).zip(out) {
                            *slope = *x;
                        }
                    }
                }
            }
            let second = here.len() > GROUP;
            let mut levels = &mut levels[..];
            while let Some((level, lower)) = levels.split_last_mut() {
                let below = lower.last_mut();
                let (values, slopes): (&[_], &mut [_]) = match below {
                    Some(below) => (&*below.values, &mut *below.slopes),
                    None => (&[], &mut []),
                };
                level.gradients(s, gradient, lines, values, second);
                level.flow_back(s, parameters, slopes);
                levels = lower;
            }
        }
        levels.iter().for_each(|level| level.unpack(gradient));
        let [value] = (sum.value() + family.normaliser(Portable, ready, pass.total(), own)).array();
        value
    }
}
