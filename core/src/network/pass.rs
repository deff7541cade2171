//! Forward and backward through the layers, four rows at a time, for N chains at once.
//!
//! Sums run in the order of `likelihood::rows`; where units feed units, a dot product adds its terms from
//! the first unit upward, starting from the bias, and what flows back to a unit adds those of the units
//! above it in their order. With one hidden layer and one output these are the bits of
//! [`Network`](crate::likelihood::Network).

use super::alone::Alone;
use super::architecture::{Architecture, Layer};
use super::output::{AtGroup, Family, GROUP};
use crate::activation::Activation;
use crate::data::Dataset;
use crate::dispatch::dispatched;
use crate::likelihood::rows::{self, Tile};
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// The log likelihood of a network: rows, layers, and what its outputs mean.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'a, T> {
    /// The rows with their targets. Where `exposure`, the last column is not an input of the layers.
    pub data: Dataset<'a, T>,
    /// Which rows are taken, by number and as often as they are named; all in their order if absent.
    pub rows: Option<&'a [u32]>,
    /// The layers.
    pub architecture: Architecture,
    /// psi.
    pub activation: Activation,
    /// What y is given the outputs.
    pub family: Family<T>,
    /// Whether the logarithm of the last column of the data, an exposure, is added to every output.
    pub exposure: bool,
}

/// Where a network stands: its parameters in the order of [`Architecture`], the coordinates of its output
/// family, and the degrees of freedom of its noise where it has some.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a, T, const N: usize> {
    /// [`Architecture::dim`] blocks.
    pub parameters: &'a [[T; N]],
    /// [`Family::coordinates`] blocks.
    pub own: &'a [[T; N]],
    /// nu, one a chain.
    pub nu: [T; N],
}

/// What the layers are, whatever their rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    pub(super) architecture: Architecture,
    pub(super) activation: Activation,
    pub(super) exposure: bool,
}

/// The scratch of a pass, by use.
pub(super) struct Scratch<'a, T, const N: usize> {
    /// Four rows, column by column: the layers' inputs.
    pub(super) tile: &'a mut [[T; GROUP]],
    /// psi and psi' of every unit.
    pub(super) values: &'a mut [AtGroup<T, N>],
    pub(super) slopes: &'a mut [AtGroup<T, N>],
    pub(super) outputs: &'a mut [AtGroup<T, N>],
    /// What the family has prepared.
    pub(super) ready: &'a mut [[T; N]],
    /// Of one row that has a weight, the derivatives by the family's coordinates.
    pub(super) by_row: &'a mut [[T; N]],
}

impl<T: Real> Pass<'_, T> {
    /// Rows that one evaluation reads.
    pub fn count(&self) -> usize {
        self.rows.map_or(self.data.n(), <[u32]>::len)
    }

    /// Scratch of one evaluation, in blocks `[T; N]`: 4 d + 8 units + 4 outputs and a few.
    pub fn scratch(&self) -> usize {
        Self::scratch_of(&self.architecture, &self.family, self.columns())
    }

    /// The same, of rows of so many columns.
    pub fn scratch_of(architecture: &Architecture, family: &Family<T>, columns: usize) -> usize {
        let hidden = architecture.hidden().saturating_mul(2);
        let groups = hidden.saturating_add(architecture.outputs).saturating_add(columns);
        let of_family = family.ready_len().saturating_add(family.coordinates());
        groups.saturating_mul(GROUP).saturating_add(of_family)
    }

    fn columns(&self) -> usize {
        self.data.d()
    }

    /// Its layers.
    #[inline(always)]
    pub(super) fn stack(&self) -> Stack {
        let Self { architecture, activation, exposure, .. } = *self;
        Stack { architecture, activation, exposure }
    }

    pub(super) fn cut<'s, const N: usize>(
        &self,
        scratch: &'s mut [[T; N]],
    ) -> Option<Scratch<'s, T, N>> {
        let (ready, rest) = scratch.split_at_mut_checked(self.family.ready_len())?;
        let (by_row, rest) = rest.split_at_mut_checked(self.family.coordinates())?;
        let (tile, rest) = rest.split_at_mut_checked(self.columns().checked_mul(GROUP)?)?;
        let tile = tile.as_flattened_mut().as_chunks_mut().0.get_mut(..self.columns())?;
        let hidden = self.architecture.hidden();
        let (values, rest) = rest.as_chunks_mut().0.split_at_mut_checked(hidden)?;
        let (slopes, rest) = rest.split_at_mut_checked(hidden)?;
        let outputs = rest.get_mut(..self.architecture.outputs)?;
        Some(Scratch { tile, values, slopes, outputs, ready, by_row })
    }

    /// The number of row k of those taken; past the end, of the last.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> usize {
        let k = k.min(self.count().wrapping_sub(1));
        self.rows.map_or(k, |list| list.get(k).map_or(0, |row| *row as usize))
    }

    /// The sum of the weights of the rows taken: their number where there are none.
    pub(crate) fn total(&self) -> T {
        match (self.data.weights(), self.rows) {
            ([], _) => T::of_usize(self.count()),
            (_, None) => self.data.total(),
            (all, Some(rows)) => {
                let weight = |row: &u32| all.get(*row as usize).copied().unwrap_or(T::ZERO);
                Sum::of(rows.iter().map(weight))
            }
        }
    }

    /// The weights, if there are any, of R rows from `first` on of those taken; past the end, of the last.
    #[inline(always)]
    pub(crate) fn weights<const R: usize>(&self, first: usize) -> Option<[T; R]> {
        let (all, mut weights) = (self.data.weights(), [T::ZERO; R]);
        for (r, weight) in weights.iter_mut().enumerate().filter(|_| !all.is_empty()) {
            let own = all.get(self.row(first.wrapping_add(r)));
            *weight = own.copied().unwrap_or(T::ZERO);
        }
        (!all.is_empty()).then_some(weights)
    }

    /// What the information at four rows, whose square roots `roots` are, counts by their weights.
    #[inline(always)]
    pub(super) fn weigh<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        first: usize,
        roots: &mut [AtGroup<T, N>],
    ) {
        let Some(weights) = self.weights::<GROUP>(first) else { return };
        let factors = weights.map(|w| w.sqrt());
        for root in roots {
            for (x, factor) in root.iter_mut().zip(factors) {
                *x = (s.splat(factor) * s.load(x)).array();
            }
        }
    }

    /// Rows `first` to `first + 3` of those taken, side by side, and their targets; past the end, the
    /// last row.
    #[inline(always)]
    pub(super) fn load(&self, first: usize, tile: &mut [[T; GROUP]]) -> [T; GROUP] {
        let mut y = [T::ZERO; GROUP];
        if self.rows.is_none() {
            self.data.inputs.interleave(first, tile);
            let own = self.data.y().get(first..).unwrap_or(&[]);
            y.iter_mut().zip(own).for_each(|(y, own)| *y = *own);
            return y;
        }
        for (r, y) in y.iter_mut().enumerate() {
            let row = self.row(first.saturating_add(r));
            *y = self.data.y().get(row).copied().unwrap_or(T::ZERO);
            for (column, cells) in tile.iter_mut().enumerate() {
                if let Some(cell) = cells.get_mut(r) {
                    *cell = self.data.inputs.at(row, column);
                }
            }
        }
        y
    }

    /// ln p(y | x, point), normalised, and its gradients, written over `gradient` (as the parameters) and
    /// `own` (as the family's coordinates). NaN, with nothing written, where a buffer is too short.
    ///
    /// n (4 P + 11 units) flops a chain for P parameters, n activations a unit.
    pub fn evaluate<const N: usize>(
        &self,
        isa: Isa,
        point: Point<'_, T, N>,
        gradient: &mut [[T; N]],
        own: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N]
    where
        T: Lanes<N>,
    {
        let dim = self.architecture.dim();
        let (Some(_), Some(gradient)) = (point.parameters.get(..dim), gradient.get_mut(..dim))
        else {
            return [T::NAN; N];
        };
        if let Some(value) = self.alone(isa, point, &mut *gradient, &mut *own, &mut *scratch) {
            return [value; N];
        }
        let Some(scratch) = self.cut(scratch) else { return [T::NAN; N] };
        evaluate(isa, self, point, gradient, own, scratch)
    }

    /// The same of one chain in [wide registers](super::alone), where there are such and the scratch has the room.
    #[inline(always)]
    fn alone<const N: usize>(
        &self,
        isa: Isa,
        point: Point<'_, T, N>,
        gradient: &mut [[T; N]],
        own: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> Option<T>
    where
        T: Lanes<N>,
    {
        if N > 1 || scratch.len() <= self.scratch() {
            return None;
        }
        let (scratch, room) = scratch.as_flattened_mut().split_at_mut_checked(self.scratch())?;
        if room.len() < super::alone::room(&self.architecture)? {
            return None;
        }
        let Point { parameters, own: coordinates, nu } = point;
        let [parameters, coordinates] = [parameters, coordinates].map(|x| x.as_flattened());
        let point = Point {
            parameters: parameters.as_chunks().0,
            own: coordinates.as_chunks().0,
            nu: [*nu.first()?],
        };
        let (own, _) = own.as_flattened_mut().as_chunks_mut();
        let gradient = gradient.as_flattened_mut();
        let scratch = self.cut(scratch.as_chunks_mut().0)?;
        T::across(isa, Alone { pass: self, point, gradient, own, scratch, room })
    }

    /// Calls `use_it` with the number of the first row (of those taken), the rows that are there, and the
    /// outputs at four rows, group by group. Nothing happens where a buffer is too short.
    pub(crate) fn outputs<const N: usize>(
        &self,
        isa: Isa,
        parameters: &[[T; N]],
        scratch: &mut [[T; N]],
        groups: impl Iterator<Item = usize>,
        mut use_it: impl FnMut(usize, [T; GROUP], &[AtGroup<T, N>]),
    ) where
        T: Lanes<N>,
    {
        let Some(Scratch { tile, values, slopes, outputs, .. }) = self.cut(scratch) else { return };
        let net = &self.stack();
        for first in groups {
            let y = self.load(first, tile);
            T::dispatch(isa, Forward { net, parameters, tile, values, slopes, outputs });
            use_it(first, y, outputs);
        }
    }

    /// Mean and variance of y at a row (of those taken), given the point. Of a class: of whether it is the
    /// one observed there.
    pub(crate) fn moments<const N: usize>(
        &self,
        isa: Isa,
        point: Point<'_, T, N>,
        row: usize,
        scratch: &mut [[T; N]],
    ) -> [[T; N]; 2]
    where
        T: Lanes<N>,
    {
        let Some(Scratch { tile, values, slopes, outputs, ready, .. }) = self.cut(scratch) else {
            return [[T::NAN; N]; 2];
        };
        let [y, ..] = self.load(row, tile);
        let Point { parameters, own, nu } = point;
        let net = &self.stack();
        T::dispatch(isa, Forward { net, parameters, tile, values, slopes, outputs });
        moments(isa, &self.family, own, &nu, ready, y, outputs)
    }
}

/// The layers at four rows: psi and psi' of every unit, and the outputs.
pub(super) struct Forward<'s, T, const N: usize> {
    pub(super) net: &'s Stack,
    pub(super) parameters: &'s [[T; N]],
    pub(super) tile: &'s [[T; GROUP]],
    pub(super) values: &'s mut [AtGroup<T, N>],
    pub(super) slopes: &'s mut [AtGroup<T, N>],
    pub(super) outputs: &'s mut [AtGroup<T, N>],
}

/// start + w . below, at four rows.
#[inline(always)]
fn dots<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    w: &[[T; N]],
    below: &[AtGroup<T, N>],
    start: [S::V; GROUP],
) -> [S::V; GROUP] {
    let [mut a, mut b, mut c, mut d] = start;
    for (w, [x0, x1, x2, x3]) in w.iter().zip(below) {
        let w = s.load(w);
        a = a + w * s.load(x0);
        b = b + w * s.load(x1);
        c = c + w * s.load(x2);
        d = d + w * s.load(x3);
    }
    [a, b, c, d]
}

/// Four registers of a group.
#[inline(always)]
pub(super) fn load<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    group: &AtGroup<T, N>,
) -> [S::V; GROUP] {
    let [a, b, c, d] = group;
    [s.load(a), s.load(b), s.load(c), s.load(d)]
}

/// g += the tree of products at four rows.
#[inline(always)]
fn add_products<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    g: &mut [T; N],
    [a0, a1, a2, a3]: [S::V; GROUP],
    [x0, x1, x2, x3]: [S::V; GROUP],
) {
    *g = (s.load(g) + rows::tree([a0 * x0, a1 * x1, a2 * x2, a3 * x3])).array();
}

/// The gradients of units fed by the inputs, one after another, given what flows back to each.
#[inline(always)]
fn add_tile<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    gradient: &mut [[T; N]],
    tile: &[[T; GROUP]],
    above: &[AtGroup<T, N>],
) {
    let mut units = pieces_mut(gradient, tile.len()).zip(above);
    while let Some((g, a)) = units.next() {
        let second = if rows::in_pairs(s) { units.next() } else { None };
        let a = load(s, a);
        match second {
            Some((h, b)) => rows::accumulate_pair(s, [g, h], Tile(tile), [a, load(s, b)]),
            None => rows::accumulate(s, g, Tile(tile), a),
        }
    }
}

/// The weights and biases of a layer in a flat list.
#[inline(always)]
pub(super) fn of_layer<'p, E>(flat: &'p [E], layer: &Layer) -> Option<(&'p [E], &'p [E])> {
    let own = flat.get(layer.weights_at..)?;
    let (weights, rest) = own.split_at_checked(layer.units.checked_mul(layer.inputs)?)?;
    Some((weights, rest.get(..layer.units)?))
}

impl<T: Real, const N: usize> LaneOp<T, N> for Forward<'_, T, N> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { net, parameters, tile, mut values, mut slopes, outputs } = self;
        let architecture = &net.architecture;
        let Some((tile, exposure)) = tile.split_at_checked(architecture.inputs) else { return };
        let mut below: &[AtGroup<T, N>] = &[];
        for (l, layer) in architecture.layers().enumerate() {
            let Some((weights, biases)) = of_layer(parameters, &layer) else { return };
            let lists = (core::mem::take(&mut values), core::mem::take(&mut slopes));
            let (Some((own, rest)), Some((own_slopes, other))) = (
                lists.0.split_at_mut_checked(layer.units),
                lists.1.split_at_mut_checked(layer.units),
            ) else {
                return;
            };
            (values, slopes) = (rest, other);
            let mut units = pieces(weights, layer.inputs).zip(biases).zip(&mut *own);
            while let Some(((w, b), out)) = units.next() {
                let bias = s.load(b);
                let second = if l == 0 && rows::in_pairs(s) { units.next() } else { None };
                if let Some(((w1, b1), out1)) = second {
                    let starts = [bias, s.load(b1)];
                    let [sums, sums1] = rows::dots_of_pair(s, [w, w1], Tile(tile), starts);
                    rows::store(out, sums);
                    rows::store(out1, sums1);
                    continue;
                }
                let sums = if l == 0 {
                    rows::dots(s, w, Tile(tile), [bias; GROUP])
                } else {
                    dots(s, w, below, [bias; GROUP])
                };
                rows::store(out, sums);
            }
            net.activation.apply(s, own.as_flattened_mut(), own_slopes.as_flattened_mut());
            below = own;
        }
        let Some(head) = architecture.head(parameters) else { return };
        let shift = |f: [S::V; GROUP]| {
            let (true, Some([x0, x1, x2, x3])) = (net.exposure, exposure.first()) else { return f };
            let [a, b, c, d] = f;
            let (x0, x1) =
                (special::called::ln(s, s.splat(*x0)), special::called::ln(s, s.splat(*x1)));
            let (x2, x3) =
                (special::called::ln(s, s.splat(*x2)), special::called::ln(s, s.splat(*x3)));
            [a + x0, b + x1, c + x2, d + x3]
        };
        let of = |list, size: usize, k: usize| crate::pieces::nth(list, size, k);
        let mut units = outputs.iter_mut().zip(head.intercepts).enumerate();
        while let Some((k, (out, b0))) = units.next() {
            let (linear, outer) = (of(head.linear, tile.len(), k), of(head.outer, below.len(), k));
            let second = if rows::in_pairs(s) { units.next() } else { None };
            if let Some((m, (out1, b1))) = second {
                let both = [linear, of(head.linear, tile.len(), m)];
                let [f, f1] = rows::dots_of_pair(s, both, Tile(tile), [s.load(b0), s.load(b1)]);
                rows::store(out, shift(dots(s, outer, below, f)));
                rows::store(out1, shift(dots(s, of(head.outer, below.len(), m), below, f1)));
                continue;
            }
            let f = rows::dots(s, linear, Tile(tile), [s.load(b0); GROUP]);
            rows::store(out, shift(dots(s, outer, below, f)));
        }
    }
}

/// What the derivatives by the outputs at four rows add to the gradient; `slopes` become what flows back
/// to the units.
pub(super) struct Backward<'s, T, const N: usize> {
    pub(super) net: &'s Stack,
    pub(super) parameters: &'s [[T; N]],
    pub(super) tile: &'s [[T; GROUP]],
    pub(super) values: &'s [AtGroup<T, N>],
    pub(super) slopes: &'s mut [AtGroup<T, N>],
    pub(super) outputs: &'s [AtGroup<T, N>],
    pub(super) gradient: &'s mut [[T; N]],
}

/// slopes_j *= sum_m w_mj above_m, the rows of w being as far apart as there are slopes.
pub(super) struct FlowBack<'s, T, const N: usize> {
    pub(super) weights: &'s [[T; N]],
    pub(super) above: &'s [AtGroup<T, N>],
    pub(super) slopes: &'s mut [AtGroup<T, N>],
}

impl<T: Real, const N: usize> LaneOp<T, N> for FlowBack<'_, T, N> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { weights, above, slopes } = self;
        let width = slopes.len().max(1);
        for (j, slope) in slopes.iter_mut().enumerate() {
            let mut column = weights.get(j..).unwrap_or(&[]).iter().step_by(width).zip(above);
            let Some((w, a)) = column.next() else { return };
            let (w, [mut a0, mut a1, mut a2, mut a3]) = (s.load(w), load(s, a));
            (a0, a1, a2, a3) = (a0 * w, a1 * w, a2 * w, a3 * w);
            for (w, a) in column {
                let (w, [b0, b1, b2, b3]) = (s.load(w), load(s, a));
                a0 = a0 + b0 * w;
                a1 = a1 + b1 * w;
                a2 = a2 + b2 * w;
                a3 = a3 + b3 * w;
            }
            let [s0, s1, s2, s3] = load(s, slope);
            rows::store(slope, [a0 * s0, a1 * s1, a2 * s2, a3 * s3]);
        }
    }
}

impl<T: Real, const N: usize> LaneOp<T, N> for Backward<'_, T, N> {
    type Output = ();
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { net, parameters, tile, values, slopes, outputs, gradient } = self;
        let architecture = &net.architecture;
        let (Some(tile), Some(head)) =
            (tile.get(..architecture.inputs), architecture.head(parameters))
        else {
            return;
        };
        let (last, outer_at) = (architecture.last(), architecture.outer_at());
        let top = architecture.hidden().wrapping_sub(last);
        let Some((gradient, head_gradient)) = gradient.split_at_mut_checked(outer_at) else {
            return;
        };
        let Some((g_outer, rest)) = head_gradient.split_at_mut_checked(head.outer.len()) else {
            return;
        };
        let Some((g_intercepts, g_linear)) = rest.split_at_mut_checked(outputs.len()) else {
            return;
        };
        let below = values.get(top..).unwrap_or(&[]);
        for (k, (a, g)) in outputs.iter().zip(g_intercepts).enumerate() {
            let a = load(s, a);
            *g = (s.load(g) + rows::tree(a)).array();
            let outer = crate::pieces::nth_mut(g_outer, last, k);
            for (g, value) in outer.iter_mut().zip(below) {
                add_products(s, g, a, load(s, value));
            }
        }
        add_tile(s, g_linear, tile, outputs);
        let upper = slopes.get_mut(top..).unwrap_or(&mut []);
        s.outline(FlowBack { weights: head.outer, above: outputs, slopes: upper });
        let mut end = architecture.hidden();
        for l in (0..architecture.depth()).rev() {
            let Some(layer) = architecture.layer(l) else { return };
            let start = end.wrapping_sub(layer.units);
            let Some((lower, own)) = slopes.split_at_mut_checked(start) else { return };
            let own = own.get(..layer.units).unwrap_or(&[]);
            let Some(g) = gradient.get_mut(layer.weights_at..) else { return };
            let (g_weights, g_biases) = g
                .split_at_mut_checked(layer.units.saturating_mul(layer.inputs))
                .unwrap_or_default();
            let under = values.get(start.wrapping_sub(layer.inputs)..start).unwrap_or(&[]);
            for (g_bias, a) in g_biases.iter_mut().zip(own) {
                *g_bias = (s.load(g_bias) + rows::tree(load(s, a))).array();
            }
            if l == 0 {
                add_tile(s, g_weights, tile, own);
            } else {
                for (g, a) in pieces_mut(g_weights, layer.inputs).zip(own) {
                    let a = load(s, a);
                    for (g, value) in g.iter_mut().zip(under) {
                        add_products(s, g, a, load(s, value));
                    }
                }
                let Some((weights, _)) = of_layer(parameters, &layer) else { return };
                let from = start.wrapping_sub(layer.inputs);
                let slopes = lower.get_mut(from..).unwrap_or(&mut []);
                s.outline(FlowBack { weights, above: own, slopes });
            }
            end = start;
        }
    }
}

/// The family's part of a group.
pub(super) struct Observe<'s, T, const N: usize> {
    pub(super) family: &'s Family<T>,
    pub(super) ready: &'s [[T; N]],
    pub(super) y: &'s [T],
    /// As many, or none.
    pub(super) weights: &'s [T],
    pub(super) outputs: &'s mut [AtGroup<T, N>],
    pub(super) own: &'s mut [[T; N]],
    pub(super) by_row: &'s mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Observe<'_, T, N> {
    type Output = [T; N];

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        let Self { family, ready, y, weights, outputs, own, by_row } = self;
        family.weighted_group(s, ready, (y, weights), outputs, own, by_row).array()
    }
}

dispatched! {
    fn moments(
        s: S, family: &Family<T>, own: &[[T; N]], nu: &[T; N], ready: &mut [[T; N]], y: T,
        outputs: &[AtGroup<T, N>],
    ) -> [[T; N]; 2] {
        family.prepare(s, own, nu, ready);
        let [mean, variance] = family.moments(s, ready, (y, 0), outputs);
        [mean.array(), variance.array()]
    }
}

dispatched! {
    hot:
    fn evaluate(
        s: S, net: &Pass<'_, T>, point: Point<'_, T, N>, gradient: &mut [[T; N]],
        own: &mut [[T; N]], scratch: Scratch<'_, T, N>,
    ) -> [T; N] {
        let Scratch { tile, values, slopes, outputs, ready, by_row } = scratch;
        let Point { parameters, own: coordinates, nu } = point;
        net.family.prepare(s, coordinates, &nu, ready);
        rows::clear(gradient);
        rows::clear(own);
        let mut sum = Sum::new(s.zero());
        let (n, stack) = (net.count(), &net.stack());
        for first in (0..n).step_by(GROUP) {
            let y = net.load(first, tile);
            let y = y.get(..n.wrapping_sub(first).min(GROUP)).unwrap_or(&[]);
            let (values, slopes, outputs) = (&mut *values, &mut *slopes, &mut *outputs);
            s.outline(Forward { net: stack, parameters, tile, values, slopes, outputs });
            let family = &net.family;
            let weights = net.weights::<GROUP>(first);
            let weights = weights.as_slice().as_flattened();
            let by_row = &mut *by_row;
            let term = s.outline(Observe { family, ready, y, weights, outputs, own, by_row });
            sum.add(s.load(&term));
            s.outline(Backward { net: stack, parameters, tile, values, slopes, outputs, gradient });
        }
        (sum.value() + net.family.normaliser(s, ready, net.total(), own)).array()
    }
}
