//! One chain in wide registers: eight units of a layer side by side, where many chains have eight chains.
//!
//! For what goes alone (ascents, fits, walks). The bits are those of one lane: each sum is that of one unit, one weight or one
//! output, in the order of `likelihood::rows`; only what stands beside it in a register differs. Weights are laid out anew
//! at each evaluation, units filled up to eights by zeros, and the gradient laid back at its end: 4 P copies beside
//! n (4 P + 11 units) flops.

use super::architecture::{Architecture, DEEPEST};
use super::output::GROUP;
use super::pass::{Observe, Pass, Point, Scratch, load};
use crate::activation::Activation;
use crate::likelihood::rows::{self, Tile};
use crate::pieces::{cut, nth, nth_mut, pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{LaneOp, Portable, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// Units side by side.
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

    /// Blocks of a group of eight units: a bias and the weights of each.
    fn stride(&self) -> usize {
        self.direct.saturating_add(self.below).saturating_add(1)
    }

    /// Numbers of the parts of a [`Level`]; `None` on overflow.
    fn sizes(&self) -> Option<[usize; 7]> {
        let blocks =
            |of: usize, each: usize| of.div_ceil(WIDTH).checked_mul(each)?.checked_mul(WIDTH);
        let weights = blocks(self.units, self.stride())?;
        let direct = blocks(self.units, self.direct.checked_add(1)?)?;
        let back = blocks(self.below, self.units)?;
        let values = blocks(self.units, GROUP)?;
        let tile = self.units.checked_mul(GROUP)?;
        Some([weights, direct, back, back, values, values, tile])
    }
}

/// Numbers that one chain in wide registers works in, beside the scratch of a pass; `None` on overflow.
pub(crate) fn room(architecture: &Architecture) -> Option<usize> {
    Plan::of(architecture)
        .iter()
        .try_fold(0_usize, |sum, plan| sum.checked_add(crate::pieces::total(plan.sizes()?)?))
}

/// A layer at work.
struct Level<'s, T> {
    plan: Plan,
    /// Group by group of eight units, [`Plan::stride`] blocks: biases, weights of the inputs, weights of the units below.
    weights: &'s mut [[T; WIDTH]],
    /// The gradients of the first two, likewise.
    direct: &'s mut [[T; WIDTH]],
    /// The weights of the units below with eight of those side by side, group by group a block a unit here; their gradients.
    back: &'s mut [[T; WIDTH]],
    under: &'s mut [[T; WIDTH]],
    /// psi, of the outputs themselves; psi', then what flows back.
    values: &'s mut [[[T; WIDTH]; GROUP]],
    slopes: &'s mut [[[T; WIDTH]; GROUP]],
    /// Unit by unit at four rows: psi, then what flows back.
    tile: &'s mut [[T; GROUP]],
}

impl<'s, T: Real> Level<'s, T> {
    /// From the front of the room; without parts where that is too short.
    fn cut(plan: Plan, room: &mut &'s mut [T]) -> Self {
        let parts = plan.sizes().and_then(|sizes| cut(core::mem::take(room), sizes));
        let (parts, rest) = parts.unwrap_or_default();
        *room = rest;
        let [weights, direct, back, under, values, slopes, tile] = parts;
        let [weights, direct, back, under] =
            [weights, direct, back, under].map(|x| x.as_chunks_mut().0);
        let [values, slopes] = [values, slopes].map(|x| x.as_chunks_mut().0.as_chunks_mut().0);
        let tile = tile.as_chunks_mut().0;
        Self { plan, weights, direct, back, under, values, slopes, tile }
    }

    /// Takes its weights out of the flat list.
    #[inline(always)]
    fn pack(&mut self, parameters: &[T]) {
        let Plan { units, direct, below, biases_at, direct_at, below_at } = self.plan;
        let list = |at: usize, width: usize, unit: usize| {
            let own = if unit < units { nth(parameters.get(at..)?, width, unit) } else { &[] };
            Some(own)
        };
        rows::clear(self.weights);
        for (g, piece) in pieces_mut(self.weights, self.plan.stride()).enumerate() {
            let Some((bias, rest)) = piece.split_first_mut() else { return };
            let Some((straight, under)) = rest.split_at_mut_checked(direct) else { return };
            for k in 0..WIDTH {
                let unit = g.wrapping_mul(WIDTH).wrapping_add(k);
                let one = list(biases_at, 1, unit).unwrap_or_default();
                let own = list(direct_at, direct, unit).unwrap_or_default();
                let from = list(below_at, below, unit).unwrap_or_default();
                let to = core::iter::once(&mut *bias).zip(one);
                let to = to.chain(straight.iter_mut().zip(own)).chain(under.iter_mut().zip(from));
                for (block, w) in to {
                    block.get_mut(k).into_iter().for_each(|x| *x = *w);
                }
            }
        }
        rows::clear(self.back);
        for (g, piece) in pieces_mut(self.back, units).enumerate() {
            for (unit, block) in piece.iter_mut().enumerate() {
                let own = list(below_at, below, unit).unwrap_or_default();
                let from = own.get(g.wrapping_mul(WIDTH)..).unwrap_or_default();
                block.iter_mut().zip(from).for_each(|(x, w)| *x = *w);
            }
        }
    }

    /// Puts its gradient into the flat list.
    #[inline(always)]
    fn unpack(&self, out: &mut [T]) {
        let Plan { units, direct, below, biases_at, direct_at, below_at } = self.plan;
        for (g, piece) in pieces(self.direct, direct.saturating_add(1)).enumerate() {
            let Some((bias, straight)) = piece.split_first() else { return };
            let first = g.wrapping_mul(WIDTH);
            for (k, bias) in bias.iter().enumerate().take(units.wrapping_sub(first)) {
                let unit = first.wrapping_add(k);
                if let Some(out) = out.get_mut(biases_at.wrapping_add(unit)) {
                    *out = *bias;
                }
                let own = out.get_mut(direct_at..).unwrap_or_default();
                for (out, block) in nth_mut(own, direct, unit).iter_mut().zip(straight) {
                    block.get(k).into_iter().for_each(|x| *out = *x);
                }
            }
        }
        for (g, piece) in pieces(self.under, units).enumerate() {
            for (unit, block) in piece.iter().enumerate() {
                let own = nth_mut(out.get_mut(below_at..).unwrap_or_default(), below, unit);
                let own = own.get_mut(g.wrapping_mul(WIDTH)..).unwrap_or_default();
                own.iter_mut().zip(block).for_each(|(out, x)| *out = *x);
            }
        }
    }
}

/// Blocks of eight units at four rows, unit by unit.
#[inline(always)]
fn spread<T: Real>(blocks: &[[[T; WIDTH]; GROUP]], tile: &mut [[T; GROUP]]) {
    for (cells, [a, b, c, d]) in tile.chunks_mut(WIDTH).zip(blocks) {
        for ((((cell, a), b), c), d) in cells.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *cell = [*a, *b, *c, *d];
        }
    }
}

/// The other way round.
#[inline(always)]
fn gather<T: Real>(tile: &[[T; GROUP]], blocks: &mut [[[T; WIDTH]; GROUP]]) {
    for (cells, [a, b, c, d]) in tile.chunks(WIDTH).zip(blocks) {
        for (((([x0, x1, x2, x3], a), b), c), d) in cells.iter().zip(a).zip(b).zip(c).zip(d) {
            (*a, *b, *c, *d) = (*x0, *x1, *x2, *x3);
        }
    }
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
        let Scratch { tile, outputs, ready, .. } = scratch;
        let Point { parameters, own: coordinates, nu } = point;
        let (family, activation) = (&pass.family, pass.activation);
        family.prepare(Portable, coordinates, &nu, ready);
        rows::clear(own);
        let mut levels = Plan::of(&pass.architecture).map(|plan| Level::cut(plan, &mut room));
        for level in &mut levels {
            level.pack(parameters.as_flattened());
            rows::clear(level.direct);
            rows::clear(level.under);
        }
        let mut sum = Sum::new(Portable.zero());
        let n = pass.count();
        for first in (0..n).step_by(GROUP) {
            let y = pass.load(first, tile);
            let y = y.get(..n.wrapping_sub(first).min(GROUP)).unwrap_or(&[]);
            let Some((inputs, exposure)) = tile.split_at_checked(pass.architecture.inputs) else {
                return T::NAN;
            };
            let [hidden @ .., head] = &mut levels;
            let mut single = Single::new(&head.plan, parameters.as_flattened(), inputs);
            let mut below: &[[T; GROUP]] = &[];
            let mut above = hidden.iter().filter(|level| level.plan.units > 0).count();
            for level in hidden.iter_mut().filter(|level| level.plan.units > 0) {
                above = above.wrapping_sub(1);
                let top = single.as_mut().filter(|_| above == 0);
                units(s, level, inputs, below, activation, top);
                below = level.tile;
            }
            match (single, &mut *head.tile) {
                (Some(Single { sums, .. }), [out]) => *out = sums,
                _ => {
                    sums(s, head, inputs, below);
                    spread(head.values, head.tile);
                }
            }
            let shift = exposure.first().filter(|_| pass.exposure);
            for (out, sums) in outputs.iter_mut().zip(&*head.tile) {
                for (r, (out, x)) in out.iter_mut().zip(sums).enumerate() {
                    let exposed = shift.and_then(|x| x.get(r));
                    *out = [exposed.map_or(*x, |e| *x + special::scalar::ln(*e))];
                }
            }
            let [term] = Portable.outline(Observe { family, ready, y, outputs, own });
            sum.add(Portable.load(&[term]));
            for (cells, slopes) in head.tile.iter_mut().zip(&*outputs) {
                for (x, [slope]) in cells.iter_mut().zip(slopes) {
                    *x = *slope;
                }
            }
            gather(head.tile, head.slopes);
            back(s, &mut levels, inputs);
        }
        levels.iter().for_each(|level| level.unpack(gradient));
        let [value] =
            (sum.value() + family.normaliser(Portable, ready, T::of_usize(n), own)).array();
        value
    }
}

/// The units' arguments at four rows.
#[inline(always)]
fn sums<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    level: &mut Level<'_, T>,
    inputs: &[[T; GROUP]],
    below: &[[T; GROUP]],
) {
    let stride = level.plan.stride();
    for (piece, out) in pieces(level.weights, stride).zip(&mut *level.values) {
        rows::store(out, arguments(s, piece, level.plan.direct, [inputs, below]));
    }
}

/// The same of eight units.
#[inline(always)]
fn arguments<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    weights: &[[T; WIDTH]],
    direct: usize,
    [inputs, below]: [&[[T; GROUP]]; 2],
) -> [S::V; GROUP] {
    let Some(([bias], w)) = weights.split_first_chunk() else { return [s.zero(); GROUP] };
    let (direct, under) = w.split_at_checked(direct).unwrap_or_default();
    let start = rows::dots(s, direct, Tile(inputs), [s.load(bias); GROUP]);
    rows::dots(s, under, Tile(below), start)
}

/// A hidden layer's units at four rows, eight after eight; what they add to an only output, while the next are at work.
#[inline(always)]
fn units<T: Real, S: Simd<T, WIDTH>>(
    s: S,
    level: &mut Level<'_, T>,
    inputs: &[[T; GROUP]],
    below: &[[T; GROUP]],
    activation: Activation,
    mut output: Option<&mut Single<'_, T>>,
) {
    let Level { plan, weights, values, slopes, tile, .. } = level;
    let lists = pieces(weights, plan.stride()).zip(tile.chunks_mut(WIDTH));
    for ((piece, cells), (value, slope)) in lists.zip(values.iter_mut().zip(&mut **slopes)) {
        rows::store(value, arguments(s, piece, plan.direct, [inputs, below]));
        activation.apply(s, value, slope);
        spread(core::slice::from_ref(value), cells);
        if let Some(output) = &mut output {
            output.add(cells);
        }
    }
}

/// The output where there is one: its sums at four rows side by side, as far as they are.
struct Single<'s, T> {
    sums: [T; GROUP],
    /// The weights of the units that have not been added.
    left: core::slice::Iter<'s, T>,
}

impl<'s, T: Real> Single<'s, T> {
    /// With what the inputs add.
    #[inline(always)]
    fn new(head: &Plan, parameters: &'s [T], inputs: &[[T; GROUP]]) -> Option<Self> {
        let of = |at: usize, count: usize| parameters.get(at..)?.get(..count);
        let ([bias], direct) = (of(head.biases_at, head.units)?, of(head.direct_at, head.direct)?)
        else {
            return None;
        };
        let left = of(head.below_at, head.below)?.iter();
        let mut this = Self { sums: [*bias; GROUP], left: direct.iter() };
        this.add(inputs);
        this.left = left;
        Some(this)
    }

    #[inline(always)]
    fn add(&mut self, below: &[[T; GROUP]]) {
        let [mut a, mut b, mut c, mut d] = self.sums;
        for ([x0, x1, x2, x3], w) in below.iter().zip(&mut self.left) {
            a += *x0 * *w;
            b += *x1 * *w;
            c += *x2 * *w;
            d += *x3 * *w;
        }
        self.sums = [a, b, c, d];
    }
}

/// What flows back from the top layer's slopes to the gradients of all.
#[inline(always)]
fn back<T: Real, S: Simd<T, WIDTH>>(s: S, mut levels: &mut [Level<'_, T>], inputs: &[[T; GROUP]]) {
    while let Some((above, lower)) = levels.split_last_mut() {
        let Level { plan, direct, under, slopes, back, tile, .. } = above;
        for (piece, a) in pieces_mut(direct, plan.direct.saturating_add(1)).zip(&**slopes) {
            let Some(([bias], g)) = piece.split_first_chunk_mut() else { return };
            let a = load(s, a);
            *bias = (s.load(bias) + rows::tree(a)).array();
            rows::accumulate(s, g, Tile(inputs), a);
        }
        let Some(next) = lower.last_mut() else { return };
        for (g, value) in pieces_mut(under, plan.units).zip(&*next.values) {
            rows::accumulate(s, g, Tile(tile), load(s, value));
        }
        for (w, slope) in pieces(back, plan.units).zip(&mut *next.slopes) {
            let mut terms = w.iter().zip(tile.iter());
            let Some((w, [a0, a1, a2, a3])) = terms.next() else { return };
            let w = s.load(w);
            let (mut a0, mut a1) = (s.splat(*a0) * w, s.splat(*a1) * w);
            let (mut a2, mut a3) = (s.splat(*a2) * w, s.splat(*a3) * w);
            for (w, [b0, b1, b2, b3]) in terms {
                let w = s.load(w);
                a0 = a0 + s.splat(*b0) * w;
                a1 = a1 + s.splat(*b1) * w;
                a2 = a2 + s.splat(*b2) * w;
                a3 = a3 + s.splat(*b3) * w;
            }
            let [s0, s1, s2, s3] = load(s, slope);
            rows::store(slope, [a0 * s0, a1 * s1, a2 * s2, a3 * s3]);
        }
        spread(next.slopes, next.tile);
        levels = lower;
    }
}
