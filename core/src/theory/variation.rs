//! The variation of a given network.

use crate::network::Architecture;
use crate::pieces::pieces;
use crate::scalar::Real;

/// sum_m |c_m| of f(x) = sum_m c_m psi(x.w_m): its V with |psi| <= 1, whatever the w_m.
pub fn outer<T: Real>(weights: &[T]) -> T {
    weights.iter().fold(T::ZERO, |sum, c| sum + c.abs())
}

/// sum_m |c_m| |w_m|_1^s: V where psi is homogeneous of degree s (ramps 1, squared ramps 2), or for s = 1
/// Lipschitz with psi(0) = 0, so that |w_m|_1 may be moved outside. `inner` holds w_m one after another,
/// d numbers each (with a bias as one input more, if there is one).
pub fn single_layer<T: Real>(outer: &[T], inner: &[T], d: usize, degree: u32) -> T {
    let mut sum = T::ZERO;
    for (c, w) in outer.iter().zip(pieces(inner, d)) {
        let norm = w.iter().fold(T::ZERO, |s, w| s + w.abs());
        sum += (0..degree).fold(c.abs(), |product, _| product * norm);
    }
    sum
}

/// One layer's weights: row k of `weights` (`inputs` numbers) are those of output k.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a, T> {
    /// Row by row.
    pub weights: &'a [T],
    /// Numbers of a row.
    pub inputs: usize,
}

impl<T> Layer<'_, T> {
    /// Its rows: those that are whole.
    fn rows(&self) -> usize {
        self.weights.len().checked_div(self.inputs).unwrap_or(0)
    }
}

/// V_L: the sum over all paths from an input to an output of the product of the |weights| on it, layers
/// from the input on (\[B\]: what bounds approximation and risk of a network of L hidden ramp layers and
/// L + 1 matrices). The path weights of the inputs are left in the front of `scratch`, which holds
/// twice the widest layer's inputs or outputs. 2 flops a weight. `None` where shapes do not fit together,
/// there are no layers or the scratch is short. Of an [`Architecture`]: [`network`].
pub fn paths<T: Real>(layers: &[Layer<'_, T>], scratch: &mut [T]) -> Option<T> {
    let mut walk = Walk::new(layers.last()?.rows(), scratch)?;
    for layer in layers.iter().rev() {
        walk.through(layer)?;
    }
    let total = walk.total();
    walk.finish();
    Some(total)
}

/// The sums of path weights of a network with biases, over all its outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathWeights<T> {
    /// V_L: over paths from an input.
    pub inputs: T,
    /// Over paths from a unit of the first hidden layer: what V_L is without the first matrix. 0 where
    /// there is no hidden layer.
    pub hidden: T,
    /// Over paths from an input or from a bias, each bias being the weight of an input that is always 1.
    pub with_biases: T,
}

/// V_L of a network whose parameters are given in the order of [`Architecture`], and what else its paths
/// sum to; inputs that act directly are paths of one weight. The path weights of the inputs are left in
/// the front of `scratch`, [`network_scratch`] numbers. 2 flops a weight. `None` where parameters are
/// missing or the scratch is short.
///
/// Under an activation that is homogeneous of degree 1 (ramps) all but `hidden` are the same for all
/// parameters that give the same function by scaling a unit's inputs up and its outputs down.
pub fn network<T: Real>(
    architecture: &Architecture,
    parameters: &[T],
    scratch: &mut [T],
) -> Option<PathWeights<T>> {
    let head = architecture.head(parameters)?;
    let (depth, inputs) = (architecture.depth(), architecture.inputs);
    let mut walk = Walk::new(architecture.outputs, scratch)?;
    let mut biases = walk.met(head.intercepts);
    let mut hidden = T::ZERO;
    if depth > 0 {
        walk.through(&Layer { weights: head.outer, inputs: architecture.last() })?;
    } else {
        walk.resize(inputs)?;
    }
    for l in (0..depth).rev() {
        let layer = architecture.layer(l)?;
        hidden = walk.total();
        biases += walk.met(parameters.get(layer.biases_at..)?);
        let weights = parameters.get(layer.weights_at..layer.biases_at)?;
        walk.through(&Layer { weights, inputs: layer.inputs })?;
    }
    for row in pieces(head.linear, inputs) {
        walk.now().iter_mut().zip(row).for_each(|(sum, w)| *sum += w.abs());
    }
    let total = walk.total();
    walk.finish();
    Some(PathWeights { inputs: total, hidden, with_biases: total + biases })
}

/// The numbers of scratch that [`network`] takes.
pub fn network_scratch(architecture: &Architecture) -> usize {
    let widest =
        architecture.layers().fold(architecture.inputs, |most, layer| most.max(layer.units));
    widest.max(architecture.outputs).saturating_mul(2)
}

/// A walk from the outputs down: the path weights of the units of one layer, and room for those below.
struct Walk<'a, T> {
    now: &'a mut [T],
    next: &'a mut [T],
    width: usize,
    swapped: bool,
}

impl<'a, T: Real> Walk<'a, T> {
    fn new(outputs: usize, scratch: &'a mut [T]) -> Option<Self> {
        let half = scratch.len() / 2;
        let (now, next) = scratch.split_at_mut_checked(half)?;
        now.get_mut(..outputs)?.fill(T::ONE);
        Some(Self { now, next, width: outputs, swapped: false })
    }

    /// From a layer's outputs to its inputs.
    fn through(&mut self, layer: &Layer<'_, T>) -> Option<()> {
        if layer.rows() != self.width || layer.inputs == 0 {
            return None;
        }
        let out = self.next.get_mut(..layer.inputs)?;
        out.fill(T::ZERO);
        for (weight, row) in self.now.iter().zip(pieces(layer.weights, layer.inputs)) {
            for (o, w) in out.iter_mut().zip(row) {
                *o += *weight * w.abs();
            }
        }
        self.width = layer.inputs;
        core::mem::swap(&mut self.now, &mut self.next);
        self.swapped = !self.swapped;
        Some(())
    }

    /// No paths yet, from so many inputs.
    fn resize(&mut self, inputs: usize) -> Option<()> {
        self.now.get_mut(..inputs)?.fill(T::ZERO);
        self.width = inputs;
        Some(())
    }

    fn now(&mut self) -> &mut [T] {
        self.now.get_mut(..self.width).unwrap_or(&mut [])
    }

    /// The paths from the biases of these units.
    fn met(&mut self, biases: &[T]) -> T {
        self.now().iter().zip(biases).fold(T::ZERO, |sum, (weight, b)| sum + *weight * b.abs())
    }

    fn total(&mut self) -> T {
        self.now().iter().fold(T::ZERO, |sum, x| sum + *x)
    }

    /// Leaves the path weights in the front.
    fn finish(self) {
        if self.swapped {
            let (front, back) = (self.next, self.now);
            front.iter_mut().zip(&*back).for_each(|(f, b)| *f = *b);
        }
    }
}
