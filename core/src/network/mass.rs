//! The expected information, in the blocks of [`Blocks`]: what a mass matrix is made of.
//!
//! I = sum_i J_i' diag(I_kk) J_i + the prior's precision, where J_i is the Jacobian of row i's outputs and
//! I_kk the expected information of y about output k. Where there are several outputs, row i takes their sum
//! with the signs (-1)^|i & k| (Walsh functions), so that one pass backward serves them all: cross terms
//! cancel over the rows.

use super::blocks::{Blocks, WIDEST};
use super::jacobian::Jacobian;
use super::output::{AtGroup, GROUP};
use super::pass::{Forward, Point, Scratch, load};
use super::posterior::{Places, Posterior};
use crate::dispatch::dispatched;
use crate::likelihood::rows;
use crate::linalg::{cholesky, rank_four, rows_mut};
use crate::pieces::cut;
use crate::simd::{Isa, Lanes, Vector};
use crate::special;

/// The share of the mean over a layer's units in the information of each, and of that over the outputs' weights: a unit
/// that idles where it is taken would move with the prior's mass when it wakes.
const POOLED: [f64; 2] = [0.1, 0.3];
/// Of the information between the coordinates of a block of b, n rows keep n / (n + 8 b): a direction that few rows leave
/// open here they do not leave open a few steps on.
const ROWS: f64 = 8.0;

impl<T: Lanes<N>, const N: usize> Posterior<'_, T, N> {
    /// Cholesky factors of the information at g, the prior's included: of the blocks, one after another, as [`cholesky`]
    /// leaves them, written over `out`. `spare` holds four times as many as coordinates. `None`, with nothing of worth
    /// written, where a buffer is too short. n b flops a coordinate of a block of b, beside those of two evaluations.
    pub(crate) fn mass(
        &self,
        isa: Isa,
        g: &[[T; N]],
        blocks: Blocks,
        out: &mut [[T; N]],
        spare: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> Option<()> {
        let places = self.places();
        let g = g.get(..places.dim)?;
        let (parameters, scratch) = scratch.split_at_mut_checked(places.scales)?;
        let scratch = self.pass.cut(scratch)?;
        let out = out.get_mut(..blocks.packed()?)?;
        self.parameters(isa, g, parameters);
        let point = Point { parameters, own: g.get(places.own..)?, nu: self.nu };
        let jacobian = spare.as_chunks_mut().0.get_mut(..places.dim)?;
        products(isa, self, places, point, (blocks, &mut *out), jacobian, scratch);
        // products has left the information of the family's own coordinates in the first list.
        let (lists, _) = cut(spare, [places.dim; 4])?;
        factors(isa, self, (g, places), (blocks, out), lists);
        Some(())
    }
}

dispatched! {
    /// sum J'J in the parameters' units, by blocks; over the first of the lists of `jacobian` 1, and at the family's own
    /// coordinates their information.
    fn products(
        s: S, posterior: &Posterior<'_, T, N>, places: Places, point: Point<'_, T, N>,
        to: (Blocks, &mut [[T; N]]), jacobian: &mut [AtGroup<T, N>], scratch: Scratch<'_, T, N>,
    ) {
        let Scratch { tile, values, slopes, outputs, ready, .. } = scratch;
        let Posterior { pass: net, prior, .. } = posterior;
        let Point { parameters, own, nu } = point;
        let (family, architecture) = (&net.family, &net.architecture);
        let (blocks, out) = to;
        family.prepare(s, own, &nu, ready);
        rows::clear(out);
        rows::clear(jacobian.as_flattened_mut());
        let (n, stack) = (net.count(), &net.stack());
        let mut of_block = [[[T::ZERO; N]; GROUP]; WIDEST];
        for first in (0..n).step_by(GROUP) {
            net.load(first, tile);
            let (values, slopes, outputs) = (&mut *values, &mut *slopes, &mut *outputs);
            s.outline(Forward { net: stack, parameters, tile, values, slopes, outputs });
            family.information(s, ready, n.wrapping_sub(first), outputs);
            net.weigh(s, first, outputs);
            for (k, o) in outputs.iter_mut().enumerate() {
                for (r, o) in o.iter_mut().enumerate() {
                    if (first.wrapping_add(r) & k).count_ones() % 2 == 1 {
                        *o = (-s.load(o)).array();
                    }
                }
            }
            let Some((by_parameter, by_log)) = jacobian.split_at_mut_checked(places.scales) else {
                return;
            };
            let out_of = &mut *by_parameter;
            s.outline(Jacobian { net, parameters, tile, values, slopes, outputs, out: out_of });
            for group in prior.groups(architecture) {
                let Some(by_log) = group.sampled.and_then(|k| by_log.get_mut(k)) else { continue };
                let [mut a, mut b, mut c, mut d] = [s.zero(); GROUP];
                for (j, p) in group.members(by_parameter).zip(group.members(parameters)) {
                    let (p, [j0, j1, j2, j3]) = (s.load(p), load(s, j));
                    (a, b, c, d) = (a + p * j0, b + p * j1, c + p * j2, d + p * j3);
                }
                rows::store(by_log, [a, b, c, d]);
            }
            for (block, lower) in blocks.cut(out) {
                block.gather(jacobian, &mut of_block);
                rank_four(s, lower, of_block.get(..block.len).unwrap_or(&[]));
            }
        }
        let (list, _) = jacobian.as_flattened_mut().split_at_mut_checked(places.dim).unwrap_or_default();
        list.iter_mut().for_each(|one| *one = [T::ONE; N]);
        let by_own = list.get_mut(places.own..).unwrap_or(&mut []);
        family.own_information(s, ready, net.total(), by_own);
    }

    /// The blocks in the coordinates' units, with the prior's information, factored.
    fn factors(
        s: S, posterior: &Posterior<'_, T, N>, at: (&[[T; N]], Places),
        to: (Blocks, &mut [[T; N]]), lists: [&mut [[T; N]]; 4],
    ) {
        let Posterior { pass: net, prior, .. } = posterior;
        let architecture = &net.architecture;
        let ((g, places), (blocks, out), [added, units, diagonal, mean]) = (at, to, lists);
        units.iter_mut().for_each(|one| *one = [T::ONE; N]);
        let logs = g.get(places.scales..).unwrap_or(&[]);
        for group in prior.groups(architecture) {
            let mut scale = s.splat(group.scale);
            if let Some(log) = group.sampled.and_then(|k| logs.get(k)) {
                scale = scale * special::called::exp(s, s.load(log));
            }
            for unit in group.members_mut(units) {
                *unit = scale.array();
            }
        }
        let mut own = [[T::ZERO; N]; WIDEST];
        for (block, lower) in blocks.cut(out) {
            block.gather(units, &mut own);
            for (row, a) in rows_mut(lower).zip(&own) {
                for (x, b) in row.iter_mut().zip(&own) {
                    *x = (s.load(x) * (s.load(a) * s.load(b))).array();
                }
            }
            for (x, row) in own.iter_mut().zip(rows_mut(lower)) {
                *x = row.last().copied().unwrap_or([T::ZERO; N]);
            }
            block.scatter(&own, diagonal);
        }

        let [of_units, of_outputs] = POOLED;
        let outer = architecture.outer_at()..architecture.intercepts_at();
        let mut sum = s.zero();
        for x in diagonal.get(outer.clone()).unwrap_or(&[]) {
            sum = sum + s.load(x);
        }
        let share = s.splat(T::lit(of_outputs) / T::of_usize(outer.len().max(1))) * sum;
        for x in added.get_mut(outer).unwrap_or(&mut []) {
            *x = (s.load(x) + share).array();
        }
        for (l, layer) in architecture.layers().enumerate() {
            rows::clear(mean);
            let share = s.splat(T::lit(of_units) / T::of_usize(layer.units));
            for adds in [false, true] {
                for (block, lower) in blocks.cut(out) {
                    let Some((of, before)) = block.layer else { continue };
                    if of != l {
                        continue;
                    }
                    let mean = mean.get_mut(before..).unwrap_or(&mut []);
                    for (x, m) in lower.iter_mut().zip(mean) {
                        if adds {
                            *x = (s.load(x) + share * s.load(m)).array();
                        } else {
                            *m = (s.load(m) + s.load(x)).array();
                        }
                    }
                }
            }
        }
        let n = net.total();
        for (block, lower) in blocks.cut(out) {
            let kept = s.splat(n / (n + T::lit(ROWS) * T::of_usize(block.len)));
            block.gather(added, &mut own);
            for (row, own) in rows_mut(lower).zip(&own) {
                let Some((diagonal, between)) = row.split_last_mut() else { return };
                *diagonal = (s.load(diagonal) + s.load(own)).array();
                for x in between {
                    *x = (s.load(x) * kept).array();
                }
            }
            cholesky(s, lower, block.len, T::EPSILON);
        }
    }
}
