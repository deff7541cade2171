//! One neuron against residuals: alpha sum_i r_i psi(x_i.w), the exponent of the Greedy Bayes posterior
//! (\[MB\] (2)), with the square that \[B\] keeps and a sign of the neuron as options.

use super::Likelihood;
use super::quadratic::{quadratic_pass, sum_signs};
use super::rows::{self, GROUP, InPlace, Tile};
use crate::activation::Activation;
use crate::data::{Dataset, Inputs};
use crate::density::Extent;
use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use crate::sum::Sum;

/// Groups of rows whose dot products are all taken before their activations, so that enough
/// independent work is in flight. No result depends on it.
pub(super) const GROUPS: usize = 4;

/// alpha sum_i r_i psi(x_i.w) - (quadratic/2) sum_i psi(x_i.w)^2, w in R^d.
///
/// The neuron enters as V psi where alpha holds the factor V. \[B\] writes
/// alpha = beta lambda and quadratic = beta lambda^2: the posterior exp(-(beta/2) sum (r_i - lambda
/// psi)^2). Where it is `signed`, it enters as +V psi or -V psi, each with prior 1/2, and the sign is
/// summed out: ln cosh(alpha sum_i r_i psi) in place of the tilt; given w the sign is + with log odds
/// 2 alpha sum_i r_i psi, its mean the hyperbolic tangent of half of that.
///
/// One evaluation costs n (4 d + 5) flops a chain and n activations; with the row order and the
/// sums of `likelihood::rows`. Rows that are contiguous are read in place; in any other layout, four
/// at a time are copied to the scratch first (4 d blocks). A square takes n (4 d + 11) flops, signed
/// n (6 d + 13) and d blocks of scratch more.
#[derive(Clone, Copy, Debug)]
pub struct GreedyTilt<'a, T> {
    /// The rows x_i with their residuals r_i.
    pub data: Dataset<'a, T>,
    /// The factor alpha, any finite number; negate it for a neuron that enters with a minus sign.
    pub alpha: T,
    /// psi.
    pub activation: Activation,
    /// The factor of the square, not negative; 0 for the tilt alone.
    pub quadratic: T,
    /// Whether the neuron may enter with either sign.
    pub signed: bool,
}

impl<'a, T: Real> GreedyTilt<'a, T> {
    /// The tilt alone.
    pub fn new(data: Dataset<'a, T>, alpha: T, activation: Activation) -> Self {
        Self { data, alpha, activation, quadratic: T::ZERO, signed: false }
    }

    /// Whether it is the tilt alone.
    pub fn is_plain(&self) -> bool {
        self.quadratic == T::ZERO && !self.signed
    }

    /// Blocks of scratch in which four rows are copied, and those for the gradient of the square.
    fn parts(&self) -> (usize, usize) {
        let d = self.data.d();
        let tile = if self.data.inputs.row(0).is_some() { 0 } else { d.saturating_mul(GROUP) };
        (tile, if self.signed && self.quadratic != T::ZERO { d } else { 0 })
    }
}

impl<T: Real> Extent for GreedyTilt<'_, T> {
    fn dim(&self) -> usize {
        self.data.d()
    }

    fn scratch(&self) -> usize {
        let (tile, of_square) = self.parts();
        tile.saturating_add(of_square)
    }

    fn rows(&self) -> usize {
        self.data.n()
    }
}

impl<T: Lanes<N>, const N: usize> Likelihood<T, N> for GreedyTilt<'_, T> {
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let d = self.data.d();
        let (tile, of_square) = self.parts();
        let (Some(w), Some(gradient), Some((tile, rest))) =
            (w.get(..d), gradient.get_mut(..d), scratch.split_at_mut_checked(tile))
        else {
            return [T::NAN; N];
        };
        let Some(of_square) = rest.get_mut(..of_square) else { return [T::NAN; N] };
        if self.quadratic != T::ZERO {
            return quadratic_pass(isa, self, w, gradient, of_square, tile);
        }
        let value = pass(isa, self, w, gradient, tile);
        if self.signed { sum_signs(isa, value, gradient) } else { value }
    }
}

dispatched!(
    hot:
    /// One pass over the data.
    fn pass(
        s: S,
        tilt: &GreedyTilt<'_, T>,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let GreedyTilt { data: Dataset { inputs, .. }, alpha, activation, .. } = *tilt;
        let residuals = tilt.data.y();
        let d = inputs.d();
        let Stage { block, near_w, near_gradient } = &mut Stage::new();
        let near = size_of::<[T; N]>() >= WIDE_BYTES && d <= NEAR;
        let out = gradient;
        let (w, gradient) = if near {
            near_w.iter_mut().zip(w).for_each(|(near, w)| *near = *w);
            let Some(near) = near_w.get(..d).zip(near_gradient.get_mut(..d)) else {
                return [T::NAN; N];
            };
            near
        } else {
            rows::clear(out);
            (w, &mut *out)
        };
        let mut sum = Sum::new(s.zero());
        let mut first = 0_usize;
        if inputs.four_rows(0).is_some() {
            for r in residuals.chunks(GROUP * GROUPS) {
                let groups = r.len().div_ceil(GROUP);
                block.fill(s, activation, &inputs, first, groups, w);
                block.pull_back(s, &inputs, first, r, gradient, &mut sum);
                first = first.wrapping_add(r.len());
            }
        } else {
            let (tile, _) = scratch.as_flattened_mut().as_chunks_mut::<GROUP>();
            let Some(tile) = tile.get_mut(..d) else { return [T::NAN; N] };
            for r in residuals.chunks(GROUP) {
                let rows = block.fill_one(s, activation, &inputs, first, w, tile);
                let ([u, ..], [slope, ..]) = (&block.u, &block.slope);
                rows::accumulate(s, gradient, rows, weighed(s, u, slope, r, &mut sum));
                first = first.wrapping_add(GROUP);
            }
        }
        let alpha = s.splat(alpha);
        for g in gradient {
            *g = (alpha * s.load(g)).array();
        }
        if near {
            out.iter_mut().zip(&*near_gradient).for_each(|(out, near)| *out = *near);
        }
        (alpha * sum.value()).array()
    }
);

/// The most columns for which w and the gradient are copied to the stage.
const NEAR: usize = 16;

/// The least block of lanes, in bytes, for which that pays.
const WIDE_BYTES: usize = 32;

/// What the pass goes over again and again. Aligned: the caller's memory is to 16 bytes, and a
/// register that straddles two cache lines costs two accesses (8 % on wide registers). In one piece
/// of at most 4096 bytes: a load that agrees with an earlier store in its last twelve bits waits for
/// it (40 %).
#[repr(align(64))]
struct Stage<T, const N: usize> {
    block: Block<T, N>,
    near_w: [[T; N]; NEAR],
    near_gradient: [[T; N]; NEAR],
}

impl<T: Real, const N: usize> Stage<T, N> {
    #[inline(always)]
    fn new() -> Self {
        let columns = [[T::ZERO; N]; NEAR];
        Self { block: Block::new(), near_w: columns, near_gradient: columns }
    }
}

/// x.w, then psi, and psi' of a few groups of rows.
pub(super) struct Block<T, const N: usize> {
    pub(super) u: [[[T; N]; GROUP]; GROUPS],
    pub(super) slope: [[[T; N]; GROUP]; GROUPS],
}

impl<T: Real, const N: usize> Block<T, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let zeros = [[[T::ZERO; N]; GROUP]; GROUPS];
        Self { u: zeros, slope: zeros }
    }

    /// psi and psi' of the groups from row `first` on, read in place.
    #[inline(always)]
    pub(super) fn fill<S: Simd<T, N>>(
        &mut self,
        s: S,
        activation: Activation,
        inputs: &Inputs<'_, T>,
        first: usize,
        groups: usize,
        w: &[[T; N]],
    ) {
        self.project(s, inputs, first, groups, w);
        let Some(u) = self.u.get_mut(..groups) else { return };
        activation.apply(s, u.as_flattened_mut(), self.slope.as_flattened_mut());
    }

    /// psi and psi' of one group, in the first place, through a tile.
    #[inline(always)]
    pub(super) fn fill_one<'t, S: Simd<T, N>>(
        &mut self,
        s: S,
        activation: Activation,
        inputs: &Inputs<'_, T>,
        first: usize,
        w: &[[T; N]],
        tile: &'t mut [[T; GROUP]],
    ) -> Tile<'t, T> {
        inputs.interleave(first, tile);
        let ([u, ..], [slope, ..]) = (&mut self.u, &mut self.slope);
        rows::store(u, rows::dots(s, w, Tile(tile), [s.zero(); GROUP]));
        activation.apply(s, u, slope);
        Tile(tile)
    }

    /// u = x.w of the groups from row `first` on; two at a time where their sums fit the registers.
    #[inline(always)]
    fn project<S: Simd<T, N>>(
        &mut self,
        s: S,
        inputs: &Inputs<'_, T>,
        first: usize,
        groups: usize,
        w: &[[T; N]],
    ) {
        let mut k = first;
        let Some(u) = self.u.get_mut(..groups) else { return };
        let even = if S::WIDE { groups & !1 } else { 0 };
        let Some((pairs, rest)) = u.split_at_mut_checked(even) else { return };
        let (pairs, _) = pairs.as_chunks_mut::<2>();
        for [u, v] in pairs {
            let second = InPlace::new(inputs, k.wrapping_add(GROUP));
            let (Some(a), Some(b)) = (InPlace::new(inputs, k), second) else { return };
            let [dots, more] = rows::dots_of_two(s, w, [a, b], [[s.zero(); rows::GROUP]; 2]);
            rows::store(u, dots);
            rows::store(v, more);
            k = k.wrapping_add(2 * GROUP);
        }
        for u in rest {
            let Some(rows) = InPlace::new(inputs, k) else { return };
            rows::store(u, rows::dots(s, w, rows, [s.zero(); GROUP]));
            k = k.wrapping_add(GROUP);
        }
    }

    /// Adds r psi to the sum and r psi' x to the gradient, group by group.
    #[inline(always)]
    fn pull_back<S: Simd<T, N>>(
        &self,
        s: S,
        inputs: &Inputs<'_, T>,
        first: usize,
        r: &[T],
        gradient: &mut [[T; N]],
        sum: &mut Sum<S::V>,
    ) {
        let mut k = first;
        let mut r = r.chunks(GROUP);
        let mut groups = self.u.iter().zip(&self.slope);
        while let (Some(r0), Some((u, slope))) = (r.next(), groups.next()) {
            let Some(rows) = InPlace::new(inputs, k) else { return };
            let a = weighed(s, u, slope, r0, sum);
            k = k.wrapping_add(GROUP);
            let second = if S::WIDE { r.next().zip(groups.next()) } else { None };
            if let Some((r1, (u, slope))) = second {
                let Some(more) = InPlace::new(inputs, k) else { return };
                let b = weighed(s, u, slope, r1, sum);
                rows::accumulate_two(s, gradient, (rows, a), (more, b));
                k = k.wrapping_add(GROUP);
            } else {
                rows::accumulate(s, gradient, rows, a);
            }
        }
    }
}

/// r psi', having added r psi to the sum. A group filled up has residuals 0 there.
#[inline(always)]
fn weighed<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    values: &[[T; N]; GROUP],
    slopes: &[[T; N]; GROUP],
    r: &[T],
    sum: &mut Sum<S::V>,
) -> [S::V; GROUP] {
    let [r0, r1, r2, r3] = rows::filled(r);
    let [r0, r1, r2, r3] = [s.splat(r0), s.splat(r1), s.splat(r2), s.splat(r3)];
    let ([v0, v1, v2, v3], [s0, s1, s2, s3]) = (values, slopes);
    sum.add(rows::tree([r0 * s.load(v0), r1 * s.load(v1), r2 * s.load(v2), r3 * s.load(v3)]));
    [r0 * s.load(s0), r1 * s.load(s1), r2 * s.load(s2), r3 * s.load(s3)]
}
