//! The diagonal of the expected information, by coordinate: what a mass matrix is made of.
//!
//! I = sum_i J_i' diag(I_kk) J_i + the prior's precision, where J_i is the Jacobian of row i's outputs and
//! I_kk the expected information of y about output k. Where there are several outputs, row i takes their sum
//! with the signs (-1)^|i & k| (Walsh functions), so that one pass backward serves them all: cross terms
//! cancel over the rows.

use super::architecture::Layer;
use super::output::{AtGroup, GROUP};
use super::pass::{FlowBack, Forward, Pass, Point, load, of_layer};
use super::posterior::{Places, Posterior};
use crate::dispatch::dispatched;
use crate::likelihood::rows;
use crate::pieces::pieces_mut;
use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;

/// The share of a group's mean in each of its entries: a unit that idles where the information is taken
/// would move with the prior's mass when it wakes.
const POOLED: f64 = 0.1;

/// The derivatives of a weighted sum of outputs by every parameter, row by row; `slopes` become what flows
/// back to the units.
pub(super) struct Jacobian<'s, 'a, T, const N: usize> {
    pub(super) net: &'s Pass<'a, T>,
    pub(super) parameters: &'s [[T; N]],
    pub(super) tile: &'s [[T; GROUP]],
    pub(super) values: &'s [AtGroup<T, N>],
    pub(super) slopes: &'s mut [AtGroup<T, N>],
    /// The weights.
    pub(super) outputs: &'s [AtGroup<T, N>],
    pub(super) out: &'s mut [AtGroup<T, N>],
}

/// out = a x, x the same in every lane.
#[inline(always)]
fn by_inputs<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    [a0, a1, a2, a3]: [S::V; GROUP],
    tile: &[[T; GROUP]],
    out: &mut [AtGroup<T, N>],
) {
    for (out, [x0, x1, x2, x3]) in out.iter_mut().zip(tile) {
        let x = [s.splat(*x0), s.splat(*x1), s.splat(*x2), s.splat(*x3)];
        let [x0, x1, x2, x3] = x;
        rows::store(out, [a0 * x0, a1 * x1, a2 * x2, a3 * x3]);
    }
}

/// out = a x.
#[inline(always)]
fn by_units<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    [a0, a1, a2, a3]: [S::V; GROUP],
    values: &[AtGroup<T, N>],
    out: &mut [AtGroup<T, N>],
) {
    for (out, x) in out.iter_mut().zip(values) {
        let [x0, x1, x2, x3] = load(s, x);
        rows::store(out, [a0 * x0, a1 * x1, a2 * x2, a3 * x3]);
    }
}

impl<T: Real, const N: usize> LaneOp<T, N> for Jacobian<'_, '_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { net, parameters, tile, values, slopes, outputs, out } = self;
        let architecture = &net.architecture;
        let (Some(tile), Some(head)) =
            (tile.get(..architecture.inputs), architecture.head(parameters))
        else {
            return;
        };
        let last = architecture.last();
        let top = architecture.hidden().wrapping_sub(last);
        let Some((out, rest)) = out.split_at_mut_checked(architecture.outer_at()) else { return };
        let Some((outer, rest)) = rest.split_at_mut_checked(head.outer.len()) else { return };
        let Some((intercepts, linear)) = rest.split_at_mut_checked(outputs.len()) else { return };
        let below = values.get(top..).unwrap_or(&[]);
        for (k, (a, out)) in outputs.iter().zip(intercepts).enumerate() {
            *out = *a;
            let a = load(s, a);
            by_inputs(s, a, tile, crate::pieces::nth_mut(linear, tile.len(), k));
            by_units(s, a, below, crate::pieces::nth_mut(outer, last, k));
        }
        let upper = slopes.get_mut(top..).unwrap_or(&mut []);
        s.outline(FlowBack { weights: head.outer, above: outputs, slopes: upper });
        let mut end = architecture.hidden();
        for l in (0..architecture.depth()).rev() {
            let Some(layer) = architecture.layer(l) else { return };
            let Layer { inputs, units, weights_at, .. } = layer;
            let start = end.wrapping_sub(units);
            let Some((lower, own)) = slopes.split_at_mut_checked(start) else { return };
            let own = own.get(..units).unwrap_or(&[]);
            let Some(rest) = out.get_mut(weights_at..) else { return };
            let (weights, biases) =
                rest.split_at_mut_checked(units.saturating_mul(inputs)).unwrap_or_default();
            let under = values.get(start.wrapping_sub(inputs)..start).unwrap_or(&[]);
            for ((out, bias), a) in pieces_mut(weights, inputs).zip(biases).zip(own) {
                *bias = *a;
                let a = load(s, a);
                if l == 0 {
                    by_inputs(s, a, tile, out);
                } else {
                    by_units(s, a, under, out);
                }
            }
            if l > 0 {
                let Some((weights, _)) = of_layer(parameters, &layer) else { return };
                let from = start.wrapping_sub(inputs);
                let slopes = lower.get_mut(from..).unwrap_or(&mut []);
                s.outline(FlowBack { weights, above: own, slopes });
            }
            end = start;
        }
    }
}

impl<T: Lanes<N>, const N: usize> Posterior<'_, T, N> {
    /// The information of every coordinate at g, the prior's included, written over `out` (as many blocks
    /// as coordinates). `spare` holds four times as many. `false`, with nothing of worth written, where a
    /// buffer is too short. Two evaluations' flops.
    pub(crate) fn information(
        &self,
        isa: Isa,
        g: &[[T; N]],
        out: &mut [[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> bool {
        let places = self.places();
        let (Some(g), Some(out)) = (g.get(..places.dim), out.get_mut(..places.dim)) else {
            return false;
        };
        let Some((parameters, scratch)) = scratch.split_at_mut_checked(places.scales) else {
            return false;
        };
        let Some(jacobian) = spare.as_chunks_mut().0.get_mut(..places.scales) else { return false };
        let Some(scratch) = self.pass.cut(scratch) else { return false };
        self.parameters(isa, g, parameters);
        let own = g.get(places.own..).unwrap_or(&[]);
        let point = Point { parameters, own, nu: self.nu };
        information(isa, self, (g, places), point, out, jacobian, scratch);
        true
    }
}

dispatched! {
    fn information(
        s: S, posterior: &Posterior<'_, T, N>, at: (&[[T; N]], Places), point: Point<'_, T, N>,
        out: &mut [[T; N]], jacobian: &mut [AtGroup<T, N>], scratch: super::pass::Scratch<'_, T, N>,
    ) {
        let super::pass::Scratch { tile, values, slopes, outputs, ready } = scratch;
        let Posterior { pass: net, prior, .. } = posterior;
        let (g, places) = at;
        let Point { parameters, own, nu } = point;
        let (family, architecture) = (&net.family, &net.architecture);
        family.prepare(s, own, &nu, ready);
        rows::clear(out);
        let (n, stack) = (net.count(), &net.stack());
        let Some((by_parameter, rest)) = out.split_at_mut_checked(places.scales) else { return };
        let Some((by_log, by_own)) = rest.split_at_mut_checked(places.own.wrapping_sub(places.scales))
        else {
            return;
        };
        for first in (0..n).step_by(GROUP) {
            net.load(first, tile);
            let (values, slopes, outputs) = (&mut *values, &mut *slopes, &mut *outputs);
            s.outline(Forward { net: stack, parameters, tile, values, slopes, outputs });
            family.information(s, ready, n.wrapping_sub(first), outputs);
            for (k, o) in outputs.iter_mut().enumerate() {
                for (r, o) in o.iter_mut().enumerate() {
                    if (first.wrapping_add(r) & k).count_ones() % 2 == 1 {
                        *o = (-s.load(o)).array();
                    }
                }
            }
            s.outline(Jacobian {
                net, parameters, tile, values, slopes, outputs, out: jacobian,
            });
            for (sum, j) in by_parameter.iter_mut().zip(&*jacobian) {
                let [a, b, c, d] = load(s, j);
                *sum = (s.load(sum) + rows::tree([a * a, b * b, c * c, d * d])).array();
            }
            for group in prior.groups(architecture) {
                let Some(sum) = group.sampled.and_then(|k| by_log.get_mut(k)) else { continue };
                let [mut a, mut b, mut c, mut d] = [s.zero(); GROUP];
                for (j, p) in group.members(jacobian).zip(group.members(parameters)) {
                    let (p, [j0, j1, j2, j3]) = (s.load(p), load(s, j));
                    (a, b, c, d) = (a + p * j0, b + p * j1, c + p * j2, d + p * j3);
                }
                *sum = (s.load(sum) + rows::tree([a * a, b * b, c * c, d * d])).array();
            }
        }
        let logs = g.get(places.scales..).unwrap_or(&[]);
        for group in prior.groups(architecture) {
            let mut scale = s.splat(group.scale);
            if let Some(log) = group.sampled.and_then(|k| logs.get(k)) {
                scale = scale * special::exp(s, s.load(log));
            }
            let mut sum = s.zero();
            for x in group.members_mut(by_parameter) {
                let own = scale * scale * s.load(x);
                sum = sum + own;
                *x = (own + s.one()).array();
            }
            if group.first < architecture.intercepts_at() {
                let share = s.splat(T::lit(POOLED) / T::of_usize(group.count)) * sum;
                for x in group.members_mut(by_parameter) {
                    *x = (s.load(x) + share).array();
                }
            }
        }
        for x in by_log {
            *x = (s.load(x) + s.one()).array();
        }
        family.own_information(s, ready, T::of_usize(n), by_own);
    }
}
