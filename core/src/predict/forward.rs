//! The networks of an image of any depth and number of outputs, evaluated at rows in raw units.

use super::mixture;
use super::network::TOGETHER;
use super::predictor::NetworkPredictor;
use crate::activation::Activation;
use crate::dispatch::dispatched;
use crate::network::Architecture;
use crate::object::compiled;
use crate::pieces::pieces_mut;
use crate::posterior::{Image, Shape, in_units};
use crate::scalar::Real;
use crate::simd::{AnyLanes, LaneOp, Lanes, Portable, Simd, Vector, WIDE, by_lanes};
use core::slice;

compiled! {
    NetworkPredictor: mixture::Compiled;
    fn evaluate_at(self, lanes: usize, x: &mut [Self], work: &mut [Self], out: &mut [Self]) -> ();
}

impl<T: AnyLanes> NetworkPredictor<'_, T> {
    fn evaluate_at(&self, lanes: usize, x: &mut [T], work: &mut [T], out: &mut [T]) {
        let Self { isa, image, shape, .. } = self;
        if lanes == 1 && !shape.linearised {
            let (x, work) = (x.as_chunks_mut().0, work.as_chunks_mut().0);
            let one = Alone(Rows { image, shape, x, work, out: out.as_chunks_mut().0 });
            if <T as Lanes<1>>::across(*isa, one).is_some() {
                return;
            }
        }
        by_lanes!(lanes, N => {
            let (x, work) = (x.as_chunks_mut::<N>().0, work.as_chunks_mut::<N>().0);
            let out = out.as_chunks_mut::<N>().0;
            if cfg!(feature = "modes") && shape.linearised {
                linearised(*isa, image, shape, x, work, out);
            } else {
                <T as Lanes<N>>::dispatch(*isa, Rows { image, shape, x, work, out });
            }
        });
    }
}

/// Blocks of work that a row takes: the units of two hidden layers, of all but the last; where linearised those of
/// all, twice, and of two.
pub(super) fn work_len(shape: &Shape) -> usize {
    let architecture = &shape.architecture;
    if shape.linearised {
        let widest = architecture.layers().fold(0, |most, layer| layer.units.max(most));
        return architecture.hidden().saturating_add(widest).saturating_mul(2);
    }
    let below = architecture.depth().saturating_sub(1);
    let widest = architecture.layers().take(below).fold(0, |most, layer| layer.units.max(most));
    widest.saturating_mul(2)
}

/// The outputs of every draw at N rows, in the network's units.
struct Rows<'s, T, const N: usize> {
    image: &'s Image<'s>,
    shape: &'s Shape,
    /// The inputs in raw units, column by column, which are standardised in place.
    x: &'s mut [[T; N]],
    /// [`work_len`] blocks.
    work: &'s mut [[T; N]],
    /// K blocks a draw.
    out: &'s mut [[T; N]],
}

impl<T: Real, const N: usize> Rows<'_, T, N> {
    /// Sums by s, and activations of G units at a time by a.
    #[inline(always)]
    fn by<const M: usize, const G: usize, S: Simd<T, N>, A: Simd<T, M>>(self, (s, a): (S, A)) {
        if !S::HERE || !A::HERE {
            return;
        }
        let Self { image, shape, x, work, out } = self;
        let Shape { architecture, activation, .. } = *shape;
        let Some(x) = x.get_mut(..architecture.inputs) else { return };
        standardise(s, image, x);
        let mut tile = [T::ZERO; TILE];
        for (draw, out) in pieces_mut(out, architecture.outputs).enumerate().take(image.draws()) {
            let own = (Draw { image, draw }, &mut tile);
            layers::<_, N, M, G, _, _>((s, a), own, &architecture, activation, x, &mut *work, out);
        }
    }
}

impl<T: Real, const N: usize> LaneOp<T, N> for Rows<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        self.by::<N, TOGETHER, _, _>((s, s));
    }
}

/// One row, whose sums go one by one and whose units eight lanes wide: the weights stay where they lie.
struct Alone<'s, T>(Rows<'s, T, 1>);

impl<T: Real, const M: usize> LaneOp<T, M> for Alone<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, M>>(self, s: S) {
        self.0.by::<M, { TOGETHER * 8 }, _, _>((Portable, s));
    }
}

/// One of the draws.
#[derive(Clone, Copy)]
struct Draw<'a> {
    image: &'a Image<'a>,
    draw: usize,
}

impl Draw<'_> {
    /// As many numbers from `from` on as there are places.
    #[inline(always)]
    fn read<T: Real>(self, from: usize, places: &mut [T]) {
        self.image.copy(self.draw, from, places);
    }
}

/// Weights that are read at once.
const TILE: usize = if WIDE { 128 } else { 16 };

/// The outputs of a draw at rows that are standardised.
///
/// Order of each sum: the bias, then over the units below; for an output b0, c_j x_j over j, then v_m a_m
/// over the units m of the last layer. With one hidden layer and one output these are the bits of
/// [`Predictor`](super::Predictor).
#[inline(always)]
fn layers<T: Real, const N: usize, const M: usize, const G: usize, S: Simd<T, N>, A: Simd<T, M>>(
    (s, a): (S, A),
    (of, tile): (Draw<'_>, &mut [T; TILE]),
    architecture: &Architecture,
    activation: Activation,
    x: &[[T; N]],
    work: &mut [[T; N]],
    out: &mut [[T; N]],
) {
    let half = work.len() / 2;
    let (mut from, mut to) = work.split_at_mut(half);
    direct(s, (of, tile), architecture, x, out);
    let mut below: &[[T; N]] = x;
    for (l, layer) in architecture.layers().enumerate() {
        let last = l.saturating_add(1) == architecture.depth();
        for first in (0..layer.units).step_by(G) {
            let mut group = [[T::ZERO; N]; G];
            let left = layer.units.saturating_sub(first).min(G);
            let Some(z) = group.get_mut(..left) else { break };
            start(s, (of, tile), layer.biases_at.saturating_add(first), z);
            let own = first.saturating_mul(layer.inputs).saturating_add(layer.weights_at);
            s.outline(Dots { of, tile, at: own, below, sums: z });
            let registers = group.as_flattened_mut().as_chunks_mut::<M>().0;
            let all = left.saturating_mul(N).div_ceil(M);
            activation.apply_value(a, registers.get_mut(..all).unwrap_or_default());
            let Some(z) = group.get(..left) else { break };
            if last {
                let outer = architecture.outer_at().saturating_add(first);
                for (k, out) in out.iter_mut().enumerate() {
                    let at = outer.saturating_add(k.saturating_mul(layer.units));
                    s.outline(Dots { of, tile, at, below: z, sums: slice::from_mut(out) });
                }
            } else if let Some(to) = to.get_mut(first..) {
                to.iter_mut().zip(z.iter()).for_each(|(t, z)| *t = *z);
            }
        }
        if !last {
            core::mem::swap(&mut from, &mut to);
            below = from.get(..layer.units).unwrap_or(&[]);
        }
    }
}

/// sums_u = b_u, the numbers from `at` on.
#[inline(always)]
fn start<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    (of, tile): (Draw<'_>, &mut [T; TILE]),
    at: usize,
    sums: &mut [[T; N]],
) {
    for (piece, sums) in sums.chunks_mut(TILE).enumerate() {
        let places = tile.get_mut(..sums.len()).unwrap_or(&mut []);
        of.read(at.saturating_add(piece.saturating_mul(TILE)), places);
        for (sum, b) in sums.iter_mut().zip(&*places) {
            *sum = s.splat(*b).array();
        }
    }
}

/// sums_u += w_u . below, the weights of one after those of another from `at` on. Compiled once a kernel.
struct Dots<'s, T, const N: usize> {
    of: Draw<'s>,
    tile: &'s mut [T; TILE],
    at: usize,
    below: &'s [[T; N]],
    sums: &'s mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for Dots<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) {
        let Self { of, tile, mut at, below, sums } = self;
        let (fours, rest) = if WIDE { sums.as_chunks_mut::<4>() } else { (&mut [][..], sums) };
        for sums in fours {
            let [mut a, mut b, mut c, mut d] = {
                let [a, b, c, d] = &*sums;
                [s.load(a), s.load(b), s.load(c), s.load(d)]
            };
            for (piece, x) in below.chunks(TILE / 4).enumerate() {
                let first = at.saturating_add(piece.saturating_mul(TILE / 4));
                // In one go where they lie side by side.
                let whole = x.len() == below.len();
                let lines = tile.get_mut(..x.len().saturating_mul(4)).unwrap_or(&mut []);
                if whole {
                    of.read(first, lines);
                } else {
                    for (u, line) in lines.chunks_exact_mut(x.len()).enumerate() {
                        of.read(first.saturating_add(u.saturating_mul(below.len())), line);
                    }
                }
                let (two, other) = lines.split_at(x.len().saturating_mul(2));
                let ((w0, w1), (w2, w3)) = (two.split_at(x.len()), other.split_at(x.len()));
                for ((((x, w0), w1), w2), w3) in x.iter().zip(w0).zip(w1).zip(w2).zip(w3) {
                    let x = s.load(x);
                    a = a + s.splat(*w0) * x;
                    b = b + s.splat(*w1) * x;
                    c = c + s.splat(*w2) * x;
                    d = d + s.splat(*w3) * x;
                }
            }
            *sums = [a.array(), b.array(), c.array(), d.array()];
            at = at.saturating_add(below.len().saturating_mul(4));
        }
        for out in rest {
            let mut sum = s.load(out);
            for (piece, x) in below.chunks(TILE).enumerate() {
                let line = tile.get_mut(..x.len()).unwrap_or(&mut []);
                of.read(at.saturating_add(piece.saturating_mul(TILE)), line);
                for (x, w) in x.iter().zip(&*line) {
                    sum = sum + s.splat(*w) * s.load(x);
                }
            }
            *out = sum.array();
            at = at.saturating_add(below.len());
        }
    }
}

dispatched! {
    /// The same where the networks are linearised: with a and psi' the units of the network at w* and their
    /// derivatives, t_l = psi'_l (W_l a_(l-1) + b_l - z*_l + W*_l t_(l-1)), t_0 = 0, and the output is
    /// b0 + c.x + V a + V* t. Where only the last layer differs from w* these are the outputs of the network itself,
    /// up to rounding.
    fn linearised(
        s: S,
        image: &Image<'_>,
        shape: &Shape,
        x: &mut [[T; N]],
        work: &mut [[T; N]],
        out: &mut [[T; N]],
    ) {
        let (architecture, activation) = (shape.architecture, shape.activation);
        let Some(x) = x.get_mut(..architecture.inputs) else { return };
        standardise(s, image, x);
        let hidden = architecture.hidden();
        let (Some((units, rest)), x) = (work.split_at_mut_checked(hidden), &*x) else { return };
        let Some((slopes, rest)) = rest.split_at_mut_checked(hidden) else { return };
        let half = rest.len() / 2;
        let (mut from, mut to) = rest.split_at_mut(half);
        // z* = W* a + b* of every layer, then its value and derivative.
        let mut done = 0_usize;
        for (l, layer) in architecture.layers().enumerate() {
            let Some((before, own)) = units.split_at_mut_checked(done) else { return };
            let below = below_of(l, x, before, layer.inputs);
            let count = layer.units.saturating_mul(layer.inputs);
            let mut weights = image.point::<T>(shape, layer.weights_at, count);
            let biases = image.point::<T>(shape, layer.biases_at, layer.units);
            let slopes = slopes.get_mut(done..).unwrap_or_default();
            let own = own.get_mut(..layer.units).unwrap_or_default();
            for (a, b) in own.iter_mut().zip(biases) {
                let mut sum = s.splat(b);
                for (x, w) in below.iter().zip(weights.by_ref()) {
                    sum = sum + s.splat(w) * s.load(x);
                }
                *a = sum.array();
            }
            activation.apply(s, own, slopes);
            done = done.saturating_add(layer.units);
        }
        let units = &*units;
        let mut places = out.chunks_exact_mut(architecture.outputs.max(1));
        let mut tile = [T::ZERO; TILE];
        for draw in 0..image.draws() {
            let Some(out) = places.next() else { return };
            direct(s, (Draw { image, draw }, &mut tile), &architecture, x, out);
            let mut done = 0_usize;
            for (l, layer) in architecture.layers().enumerate() {
                let before = units.get(..done).unwrap_or(&[]);
                let below = below_of(l, x, before, layer.inputs);
                let count = layer.units.saturating_mul(layer.inputs);
                let mut weights = image
                    .part::<T>(draw, layer.weights_at, count)
                    .zip(image.point::<T>(shape, layer.weights_at, count));
                let biases = image
                    .part::<T>(draw, layer.biases_at, layer.units)
                    .zip(image.point::<T>(shape, layer.biases_at, layer.units));
                let slopes = slopes.get(done..).unwrap_or(&[]);
                for ((t, slope), (b, b0)) in to.iter_mut().zip(slopes).zip(biases) {
                    let mut sum = s.splat(b - b0);
                    // The first layer's inputs do not move.
                    for (j, (x, (w, w0))) in below.iter().zip(weights.by_ref()).enumerate() {
                        sum = sum + s.splat(w - w0) * s.load(x);
                        if let Some(moved) = from.get(j).filter(|_| l > 0) {
                            sum = sum + s.splat(w0) * s.load(moved);
                        }
                    }
                    *t = (s.load(slope) * sum).array();
                }
                core::mem::swap(&mut from, &mut to);
                done = done.saturating_add(layer.units);
            }
            let last = architecture.last();
            let top = units.get(hidden.saturating_sub(last)..).unwrap_or(&[]);
            let mut at = architecture.outer_at();
            for out in out {
                let mut sum = s.load(out);
                let outer = image.part::<T>(draw, at, last).zip(image.point::<T>(shape, at, last));
                for ((v, v0), (a, t)) in outer.zip(top.iter().zip(&*from)) {
                    sum = sum + s.splat(v) * s.load(a) + s.splat(v0) * s.load(t);
                }
                *out = sum.array();
                at = at.saturating_add(last);
            }
        }
    }
}

/// What layer l stands on: the inputs, or the last units of those below.
#[inline(always)]
fn below_of<'a, T, const N: usize>(
    l: usize,
    x: &'a [[T; N]],
    before: &'a [[T; N]],
    inputs: usize,
) -> &'a [[T; N]] {
    let own = if l == 0 { x } else { before };
    own.get(own.len().saturating_sub(inputs)..).unwrap_or(&[])
}

/// The inputs in the network's units.
#[inline(always)]
fn standardise<T: Real, const N: usize, S: Simd<T, N>>(s: S, image: &Image<'_>, x: &mut [[T; N]]) {
    for (j, x) in x.iter_mut().enumerate() {
        *x = in_units(s, s.load(x), image.mean_x(j), image.sd_x(j)).array();
    }
}

/// out_k = b0_k + c_k.x.
#[inline(always)]
fn direct<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    (of, tile): (Draw<'_>, &mut [T; TILE]),
    architecture: &Architecture,
    x: &[[T; N]],
    out: &mut [[T; N]],
) {
    start(s, (of, tile), architecture.intercepts_at(), out);
    if architecture.has_linear() {
        s.outline(Dots { of, tile, at: architecture.linear_at(), below: x, sums: out });
    }
}
