//! The generalised Gauss-Newton matrix of a network's log density: sum_i J_i' I_i J_i + that of the prior, J_i the
//! Jacobian of row i's outputs by the coordinates and I_i the expected information of y about the outputs
//! (Schraudolph 2002). Positive definite under a prior; without hidden layers, with known scales and noise, the
//! matrix of Fisher scoring, and for Bernoulli, softmax, Poisson and Gaussian outputs minus the Hessian.
//!
//! I_i is diagonal but for classes, where it is sum_c p_c (e_c - p)(e_c - p)'. Each term is one factor vv', v = J'a
//! by one pass backward for the outputs weighted by a.

use super::jacobian::Jacobian;
use super::output::{AtGroup, GROUP, Output};
use super::pass::{Forward, Point, Scratch, load};
use super::posterior::{Places, Posterior};
use crate::likelihood::rows;
use crate::linalg::{RankFour, rank_four};
use crate::simd::{Isa, Lanes, Portable, Simd, Vector};
use crate::special::scalar::{exp, softplus_and_derivative};
use core::ops::Range;

/// Where a curvature goes: of coordinates in a range.
#[derive(Debug)]
pub(crate) struct Curvature<'s, T> {
    /// Which.
    pub range: Range<usize>,
    /// Whether all of it, a packed lower triangle, or its diagonal alone.
    pub full: bool,
    /// Whether the parameters have a prior: all but those whose scale is 0.
    pub prior: bool,
    /// As many blocks.
    pub out: &'s mut [[T; 1]],
}

/// Blocks of the factors at a group of rows: one list of coordinates, roots or probabilities of classes.
pub(crate) fn factor_len(coordinates: usize, categories: usize) -> Option<usize> {
    coordinates.checked_add(categories)?.checked_mul(GROUP)
}

impl<T: Lanes<1>> Posterior<'_, T, 1> {
    /// Minus the curvature at g, the likelihood's part times `weight`. `factors`: [`factor_len`] of the coordinates and of the outputs or categories,
    /// whichever are more; `scratch` as an evaluation. `None` where a buffer is short. For F factors a row
    /// n F (4 P + P^2) flops.
    pub(crate) fn curvature(
        &self,
        isa: Isa,
        g: &[[T; 1]],
        to: Curvature<'_, T>,
        factors: &mut [[T; 1]],
        scratch: &mut [[T; 1]],
    ) -> Option<()> {
        let places = self.places();
        let g = g.get(..places.dim)?;
        let (parameters, scratch) = scratch.split_at_mut_checked(places.scales)?;
        let (jacobian, roots) = factors.as_chunks_mut().0.split_at_mut_checked(places.dim)?;
        let scratch = self.pass.cut(scratch)?;
        self.parameters(isa, g, parameters);
        let own = g.get(places.own..)?;
        let point = Point { parameters, own, nu: self.nu };
        curvature(isa, self, (g, places), point, to, (jacobian, roots), scratch);
        Some(())
    }
}

fn curvature<T: Lanes<1>>(
    isa: Isa,
    posterior: &Posterior<'_, T, 1>,
    at: (&[[T; 1]], Places),
    point: Point<'_, T, 1>,
    to: Curvature<'_, T>,
    factors: (&mut [AtGroup<T, 1>], &mut [AtGroup<T, 1>]),
    scratch: Scratch<'_, T, 1>,
) {
    let s = Portable;
    let Scratch { tile, values, slopes, outputs, ready, .. } = scratch;
    let (net, prior) = (&posterior.pass, &posterior.prior);
    let (family, architecture) = (&net.family, &net.architecture);
    let ((g, places), (jacobian, roots)) = (at, factors);
    let Point { parameters, own, nu } = point;
    let Curvature { range, full, prior: proper, out } = to;
    family.prepare(s, own, &nu, ready);
    rows::clear(out);
    rows::clear(jacobian.as_flattened_mut());
    let classes = family.output == Output::Softmax;
    let count = if classes { family.categories as usize } else { outputs.len() };
    let (n, stack) = (net.count(), &net.stack());
    for first in (0..n).step_by(GROUP) {
        net.load(first, tile);
        let rows = n.wrapping_sub(first).min(GROUP);
        for c in 0..count {
            let (values, slopes, outputs) = (&mut *values, &mut *slopes, &mut *outputs);
            s.outline(Forward { net: stack, parameters, tile, values, slopes, outputs });
            if c == 0 {
                for (k, root) in roots.iter_mut().take(count).enumerate().filter(|_| classes) {
                    *root = [[T::ZERO; 1]; GROUP];
                    for (r, root) in root.iter_mut().enumerate().take(rows) {
                        let [p, _] = family.moments(s, ready, (T::of_usize(k), r), outputs);
                        *root = p.array();
                    }
                }
                if !classes {
                    family.information(s, ready, rows, outputs);
                    roots.iter_mut().zip(&*outputs).for_each(|(root, o)| *root = *o);
                }
            }
            // The weights a of the outputs.
            let Some(own_root) = roots.get(c).copied() else { return };
            for (k, o) in outputs.iter_mut().enumerate() {
                let class = k.wrapping_add((classes && family.reference) as usize);
                let Some(root) = roots.get(class) else { return };
                for ((o, p), own) in o.iter_mut().zip(root).zip(&own_root) {
                    let (p, own) = (s.load(p), s.load(own));
                    let hit = if class == c { s.one() } else { s.zero() };
                    let weight = if classes { own.sqrt() * (hit - p) } else { own * hit };
                    *o = weight.array();
                }
            }
            net.weigh(s, first, outputs);
            s.outline(Jacobian { net, parameters, tile, values, slopes, outputs, out: jacobian });
            for group in prior.groups(architecture) {
                let mut scale = s.splat(group.scale);
                let sampled = group.sampled.and_then(|k| places.scales.checked_add(k));
                if let Some((log, place)) = sampled.and_then(|k| Some((g.get(k)?, k))) {
                    scale = scale * s.load(&log.map(exp));
                    let mut sums = [s.zero(); GROUP];
                    for (j, p) in group.members(jacobian).zip(group.members(parameters)) {
                        let p = s.load(p);
                        for (sum, j) in sums.iter_mut().zip(load(s, j)) {
                            *sum = *sum + p * j;
                        }
                    }
                    let Some(by_log) = jacobian.get_mut(place) else { return };
                    rows::store(by_log, sums);
                }
                for j in group.members_mut(jacobian) {
                    rows::store(j, load(s, j).map(|j| scale * j));
                }
            }
            let Some(v) = jacobian.get_mut(range.clone()) else { return };
            if full {
                let lower = out.as_flattened_mut();
                let (vectors, _) = v.as_flattened_mut().as_flattened_mut().as_chunks_mut();
                if T::across(isa, RankFour { lower, vectors }).is_none() {
                    rank_four(s, out, v);
                }
            } else {
                for (sum, v) in out.iter_mut().zip(v) {
                    let [a, b, c, d] = load(s, v);
                    *sum = (s.load(sum) + rows::tree([a * a, b * b, c * c, d * d])).array();
                }
            }
        }
    }
    if cfg!(feature = "modes") && posterior.weight != T::ONE {
        let weight = s.splat(posterior.weight);
        out.iter_mut().for_each(|x| *x = (weight * s.load(x)).array());
    }
    // The prior's, over the list of coordinates.
    let Some(list) = jacobian.as_flattened_mut().get_mut(..places.dim) else { return };
    let flat = |scale: T| if proper || scale == T::ZERO { T::ONE } else { T::ZERO };
    for group in prior.groups(architecture) {
        group.members_mut(list).for_each(|x| *x = [flat(group.scale); 1]);
        // 1 / cosh^2.
        let sampled = group.sampled.and_then(|k| places.scales.checked_add(k));
        if let Some((log, x)) = sampled.and_then(|k| Some((g.get(k)?, list.get_mut(k)?))) {
            let [log] = *log;
            let (_, tail) = softplus_and_derivative(log + log);
            *x = [T::lit(4.0) * tail * (T::ONE - tail)];
        }
    }
    let Some(own) = list.get_mut(places.own..) else { return };
    family.own_information(s, ready, posterior.weight * net.total(), own);
    let mut at = 0_usize;
    for (j, x) in list.get(range).unwrap_or(&[]).iter().enumerate() {
        if let Some(o) = out.get_mut(at) {
            *o = (s.load(o) + s.load(x)).array();
        }
        at = at.saturating_add(if full { j.saturating_add(2) } else { 1 });
    }
}
