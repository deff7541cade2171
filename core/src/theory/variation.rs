//! The variation of a given network.

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
/// there are no layers or the scratch is short.
pub fn paths<T: Real>(layers: &[Layer<'_, T>], scratch: &mut [T]) -> Option<T> {
    let half = scratch.len() / 2;
    let (mut now, mut next) = scratch.split_at_mut_checked(half)?;
    let last = layers.last()?;
    now.get_mut(..last.rows())?.fill(T::ONE);
    let mut width = last.rows();
    let mut swapped = false;
    for layer in layers.iter().rev() {
        if layer.rows() != width || layer.inputs == 0 {
            return None;
        }
        let out = next.get_mut(..layer.inputs)?;
        out.fill(T::ZERO);
        for (weight, row) in now.iter().zip(pieces(layer.weights, layer.inputs)) {
            for (o, w) in out.iter_mut().zip(row) {
                *o += *weight * w.abs();
            }
        }
        width = layer.inputs;
        core::mem::swap(&mut now, &mut next);
        swapped = !swapped;
    }
    let total = now.get(..width)?.iter().fold(T::ZERO, |sum, x| sum + *x);
    if swapped {
        // The result lies in the second half.
        let (front, back) = (next, now);
        front.iter_mut().zip(&*back).for_each(|(f, b)| *f = *b);
    }
    Some(total)
}
