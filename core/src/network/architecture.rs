//! Layers described once: sizes, and where each parameter lies in one flat list.

use crate::scalar::Real;

/// The most hidden layers.
pub const DEEPEST: usize = 4;

/// The sizes of a network of 0 to [`DEEPEST`] hidden layers:
///
/// a_0 = x, a_l = psi(W_l a_(l-1) + b_l), out_k = b0_k + c_k.x + V_k.a_L.
///
/// Its parameters lie in the order W_1 (unit by unit), b_1, ..., W_L, b_L, V (output by output), b0,
/// c (output by output). With one hidden layer and one output this is the order of
/// [`NetworkShape`](crate::likelihood::NetworkShape); with none the network is a generalised linear
/// model, and c its only weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Inputs d.
    pub inputs: usize,
    /// Units of the hidden layers, from the inputs on; the first 0 ends them.
    pub widths: [u32; DEEPEST],
    /// Outputs K.
    pub outputs: usize,
    /// Whether inputs also act directly, by c; they do where there is no hidden layer.
    pub linear: bool,
}

/// One hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Units of the layer below, or the network's inputs.
    pub inputs: usize,
    /// Its units.
    pub units: usize,
    /// Where W starts: `units` rows of `inputs`.
    pub weights_at: usize,
    /// Where b starts.
    pub biases_at: usize,
}

/// Hidden layers, from the inputs on.
#[derive(Clone, Debug)]
pub struct Layers {
    widths: core::array::IntoIter<u32, DEEPEST>,
    inputs: usize,
    at: usize,
}

impl Iterator for Layers {
    type Item = Layer;

    // Kernels ask four rows at a time: a chain of adapters is a function of its own where code is small.
    #[inline(always)]
    fn next(&mut self) -> Option<Layer> {
        let units = self.widths.next().filter(|units| *units > 0)? as usize;
        let inputs = core::mem::replace(&mut self.inputs, units);
        let weights_at = self.at;
        let biases_at = weights_at.saturating_add(units.saturating_mul(inputs));
        self.at = biases_at.saturating_add(units);
        Some(Layer { inputs, units, weights_at, biases_at })
    }
}

impl Architecture {
    /// Hidden layers L.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.widths.iter().position(|w| *w == 0).unwrap_or(DEEPEST)
    }

    /// The hidden layers, from the inputs on.
    #[inline(always)]
    pub fn layers(&self) -> Layers {
        Layers { widths: self.widths.into_iter(), inputs: self.inputs, at: 0 }
    }

    /// Hidden layer l, from 0.
    pub fn layer(&self, l: usize) -> Option<Layer> {
        self.layers().nth(l)
    }

    /// Units of all hidden layers.
    pub fn hidden(&self) -> usize {
        self.layers().fold(0, |sum, layer| sum.saturating_add(layer.units))
    }

    /// Units of the last hidden layer; 0 if there is none.
    pub fn last(&self) -> usize {
        self.top().0
    }

    /// Whether c is there.
    pub fn has_linear(&self) -> bool {
        self.linear || self.depth() == 0
    }

    /// Units of the last hidden layer, and where V starts.
    fn top(&self) -> (usize, usize) {
        let layers = self.layers();
        layers.fold((0, 0), |_, l| (l.units, l.biases_at.saturating_add(l.units)))
    }

    /// Where V starts: K rows of [`last`](Self::last).
    pub fn outer_at(&self) -> usize {
        self.top().1
    }

    /// Where the intercepts b0 start.
    pub fn intercepts_at(&self) -> usize {
        let (last, outer_at) = self.top();
        outer_at.saturating_add(self.outputs.saturating_mul(last))
    }

    /// Where c starts: K rows of d, or nothing.
    pub fn linear_at(&self) -> usize {
        self.intercepts_at().saturating_add(self.outputs)
    }

    /// All parameters, or `usize::MAX` if they reach past it.
    pub fn dim(&self) -> usize {
        let linear = if self.has_linear() { self.outputs.saturating_mul(self.inputs) } else { 0 };
        self.linear_at().saturating_add(linear)
    }

    /// Whether no width follows a 0, and the parameters are no more than a `u32` counts.
    pub fn valid(&self) -> bool {
        let ended = self.widths.iter().skip(self.depth()).all(|w| *w == 0);
        ended && self.dim() <= u32::MAX as usize
    }

    /// Names the parts of the output layer in a list of at least [`dim`](Self::dim) entries.
    #[inline(always)]
    pub fn head<'a, E>(&self, flat: &'a [E]) -> Option<Head<'a, E>> {
        let (last, outer_at) = self.top();
        let flat = flat.get(..self.dim())?.get(outer_at..)?;
        let (outer, rest) = flat.split_at_checked(self.outputs.checked_mul(last)?)?;
        let (intercepts, linear) = rest.split_at_checked(self.outputs)?;
        Some(Head { outer, intercepts, linear })
    }
}

/// The parameters of the output layer; E is a number or a block of chains.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a, E> {
    /// V: output by output.
    pub outer: &'a [E],
    /// b0.
    pub intercepts: &'a [E],
    /// c: output by output; empty where there is none.
    pub linear: &'a [E],
}

/// Flops of one evaluation of value and gradient at one row, activations apart: 4 a weight.
pub fn flops<T: Real>(architecture: &Architecture) -> T {
    T::lit(4.0) * T::of_usize(architecture.dim())
}
