//! The networks of an image of any depth and number of outputs, evaluated at rows in raw units.

use super::mixture;
use super::network::TOGETHER;
use super::predictor::NetworkPredictor;
use crate::activation::Activation;
use crate::dispatch::dispatched;
use crate::network::Architecture;
use crate::object::compiled;
use crate::posterior::{Image, Shape, in_units};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Simd, Vector, by_lanes};

compiled! {
    NetworkPredictor: mixture::Compiled;
    fn evaluate_at(self, lanes: usize, x: &mut [Self], work: &mut [Self], out: &mut [Self]) -> ();
}

impl<T: AnyLanes> NetworkPredictor<'_, T> {
    fn evaluate_at(&self, lanes: usize, x: &mut [T], work: &mut [T], out: &mut [T]) {
        by_lanes!(lanes, N => {
            let (x, work) = (x.as_chunks_mut::<N>().0, work.as_chunks_mut::<N>().0);
            let out = out.as_chunks_mut::<N>().0;
            if cfg!(feature = "modes") && self.shape.linearised {
                linearised(self.isa, &self.image, &self.shape, x, work, out);
            } else {
                outputs(self.isa, &self.image, self.shape.architecture, self.shape.activation, x, work, out);
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

dispatched! {
    hot:
    /// The outputs of every draw at N rows, in the network's units. `x`: the inputs in raw units, column by
    /// column, which are standardised in place; `work`: [`work_len`]; `out`: K blocks a draw.
    ///
    /// Order of each sum: the bias, then over the units below; for an output b0, c_j x_j over j, then v_m a_m
    /// over the units m of the last layer. With one hidden layer and one output these are the bits of
    /// [`Predictor`](super::Predictor).
    fn outputs(
        s: S,
        image: &Image<'_>,
        architecture: Architecture,
        activation: Activation,
        x: &mut [[T; N]],
        work: &mut [[T; N]],
        out: &mut [[T; N]],
    ) {
        let Some(x) = x.get_mut(..architecture.inputs) else { return };
        standardise(s, image, x);
        let half = work.len() / 2;
        let (mut from, mut to) = work.split_at_mut(half);
        let depth = architecture.depth();
        let mut places = out.chunks_exact_mut(architecture.outputs.max(1));
        for draw in 0..image.draws() {
            let Some(out) = places.next() else { return };
            direct(s, image, draw, &architecture, x, out);
            let mut below: &[[T; N]] = x;
            for (l, layer) in architecture.layers().enumerate() {
                let mut weights = image.part::<T>(draw, layer.weights_at, layer.units.saturating_mul(layer.inputs));
                let mut biases = image.part::<T>(draw, layer.biases_at, layer.units);
                let last = l.saturating_add(1) == depth;
                let mut first = 0_usize;
                while first < layer.units {
                    let mut group = [[T::ZERO; N]; TOGETHER];
                    let left = layer.units.saturating_sub(first);
                    let Some(z) = group.get_mut(..left.min(TOGETHER)) else { break };
                    for (z, b) in z.iter_mut().zip(biases.by_ref()) {
                        let mut sum = s.splat(b);
                        for (x, w) in below.iter().zip(weights.by_ref()) {
                            sum = sum + s.splat(w) * s.load(x);
                        }
                        *z = sum.array();
                    }
                    activation.apply_value(s, z);
                    if last {
                        head(s, image, draw, &architecture, first, z, out);
                    } else if let Some(to) = to.get_mut(first..) {
                        to.iter_mut().zip(z.iter()).for_each(|(t, z)| *t = *z);
                    }
                    first = first.saturating_add(TOGETHER);
                }
                if !last {
                    core::mem::swap(&mut from, &mut to);
                    below = from.get(..layer.units).unwrap_or(&[]);
                }
            }
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
        for draw in 0..image.draws() {
            let Some(out) = places.next() else { return };
            direct(s, image, draw, &architecture, x, out);
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
    image: &Image<'_>,
    draw: usize,
    architecture: &Architecture,
    x: &[[T; N]],
    out: &mut [[T; N]],
) {
    let columns = if architecture.has_linear() { x.len() } else { 0 };
    let mut intercepts = image.part::<T>(draw, architecture.intercepts_at(), out.len());
    let mut linear =
        image.part::<T>(draw, architecture.linear_at(), out.len().saturating_mul(columns));
    for out in out {
        let mut sum = s.splat(intercepts.next().unwrap_or(T::NAN));
        for (x, c) in x.iter().take(columns).zip(linear.by_ref()) {
            sum = sum + s.splat(c) * s.load(x);
        }
        *out = sum.array();
    }
}

/// out_k += v_km a_m for some units m of the last layer, from `first` on.
#[inline(always)]
fn head<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    image: &Image<'_>,
    draw: usize,
    architecture: &Architecture,
    first: usize,
    units: &[[T; N]],
    out: &mut [[T; N]],
) {
    let mut at = architecture.outer_at().saturating_add(first);
    for out in out {
        let mut sum = s.load(out);
        for (v, a) in image.part::<T>(draw, at, units.len()).zip(units) {
            sum = sum + s.splat(v) * s.load(a);
        }
        *out = sum.array();
        at = at.saturating_add(architecture.last());
    }
}
