//! One pass backward that gives the derivatives of a weighted sum of outputs by every parameter, row by row.

use super::architecture::Layer;
use super::output::{AtGroup, GROUP};
use super::pass::{FlowBack, Pass, load, of_layer};
use crate::likelihood::rows;
use crate::pieces::pieces_mut;
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd};

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
