//! What every draw of a posterior has in common.

use super::StoreError;
use super::header::{Layout, one_layer};
use super::image::image_size;
use crate::activation::Activation;
use crate::network::{Architecture, Family, Output};
use crate::scalar::Real;

/// What every draw of a posterior has in common: the network, and what its outputs mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The layers. Its inputs are the columns that the network sees: all but that of the exposure.
    pub architecture: Architecture,
    /// psi.
    pub activation: Activation,
    /// What y is, given the network's outputs.
    pub output: Output,
    /// Classes of a softmax or an ordinal output (at least 2), components of a mixture (at least 1); 0 of
    /// the others.
    pub categories: u16,
    /// Softmax: class 0 has the output 0, the others one each.
    pub reference: bool,
    /// Counts: the last column of a row, which no layer sees, multiplies the rate.
    pub exposure: bool,
    /// Whether the outputs of a draw w are not f(w) but f(w*) + J (w - w*), J the derivative by the parameters at w*,
    /// which lies beside the units ([`Image`](super::Image)).
    pub linearised: bool,
}

/// A network of one hidden layer, with a linear part and Student-t noise ([`Shape::one_layer`]): what its own
/// images are made of where nothing of the others is to be linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneLayer {
    /// d.
    pub inputs: usize,
    /// M.
    pub neurons: usize,
    /// psi.
    pub activation: Activation,
}

impl OneLayer {
    /// The values of one draw, as [`Shape::draw_len`].
    pub(crate) fn draw_len(&self) -> Option<usize> {
        one_layer(self.inputs, self.neurons).map(|(draw, _)| draw)
    }

    /// The bytes of an image of so many draws ([`image_size`]).
    pub(crate) fn size<T: Real>(&self, draws: usize) -> Result<usize, StoreError> {
        let layout = Layout::one_layer(self, T::BYTES).and_then(|l| l.holding(draws));
        layout.filter(|_| draws > 0).and_then(|l| l.total()).ok_or(StoreError::TooSmall)
    }
}

/// What the values of a draw behind the network's parameters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing.
    None,
    /// sigma and nu: a positive number, and one that may be infinite too.
    Noise,
    /// r, positive.
    Size,
    /// Thresholds, increasing.
    Thresholds,
}

impl Shape {
    /// A network of one hidden layer, with a linear part, and Student-t (or Gaussian: nu infinite) noise. With
    /// no neurons, or more than a `u32` counts, it is one that every use refuses.
    pub const fn one_layer(inputs: usize, neurons: usize, activation: Activation) -> Self {
        let possible = neurons > 0 && neurons as u64 <= u32::MAX as u64;
        let widths = [neurons as u32, 0, 0, 0];
        let outputs = possible as usize;
        Self {
            architecture: Architecture { inputs, widths, outputs, linear: true },
            activation,
            output: Output::StudentT,
            categories: 0,
            reference: false,
            exposure: false,
            linearised: false,
        }
    }

    /// The shape of an output family's network.
    pub fn of<T: Real>(
        architecture: Architecture,
        activation: Activation,
        family: &Family<T>,
        exposure: bool,
    ) -> Self {
        let (output, mut categories) = (family.output, 0);
        if has_categories(output) {
            // More than fit are none, which is refused.
            categories = u16::try_from(family.categories).unwrap_or(0);
        }
        let reference = output == Output::Softmax && family.reference;
        let linearised = false;
        Self { architecture, activation, output, categories, reference, exposure, linearised }
    }

    /// The output family, as far as the image tells: its hyper-parameters are the defaults.
    pub fn family<T: Real>(&self) -> Family<T> {
        let own = Family::of(self.output);
        let categories = self.categories as u32;
        let categories = if has_categories(self.output) { categories } else { own.categories };
        Family { categories, reference: self.reference, ..own }
    }

    /// The columns of a row that is predicted: those of the network, and the exposure behind them.
    pub fn inputs(&self) -> usize {
        self.architecture.inputs.saturating_add(self.exposure as usize)
    }

    /// Whether y is a real number, in whose units the network may be standardised.
    pub fn is_real(&self) -> bool {
        self.family::<f32>().is_real()
    }

    /// Whether y is a class, 0 or above.
    pub fn is_class(&self) -> bool {
        self.output.is_class()
    }

    /// Classes of y where it is one, else 0.
    pub fn classes(&self) -> usize {
        match self.output as i32 {
            4 => 2,
            5 | 8 => self.categories as usize,
            _ => 0,
        }
    }

    /// Components that the law of y has for each draw: 1, or those of a mixture.
    pub(crate) fn components(&self) -> usize {
        if self.output == Output::Mixture { self.categories as usize } else { 1 }
    }

    /// What a draw ends with.
    pub(crate) fn tail(&self) -> Tail {
        match self.output as i32 {
            0 | 1 => Tail::Noise,
            7 => Tail::Size,
            8 => Tail::Thresholds,
            _ => Tail::None,
        }
    }

    /// What a draw ends with, and how many values that is.
    pub(super) fn ending(&self) -> (Tail, usize) {
        (self.tail(), self.tail_len())
    }

    /// Values of a draw behind the network's parameters.
    pub(crate) fn tail_len(&self) -> usize {
        self.family::<f32>().tail_len()
    }

    /// Parameters of the point about which the network is linearised.
    pub(crate) fn point_len(&self) -> usize {
        if self.linearised { self.architecture.dim() } else { 0 }
    }

    /// Whether the noise has a floor of its own.
    pub(crate) fn has_floor(&self) -> bool {
        matches!(self.output, Output::MeanVariance | Output::Mixture) || self.output.is_log()
    }

    /// The outputs that the family asks of the network; `None` if the parts contradict each other.
    pub(super) fn outputs(&self) -> Option<usize> {
        let family = self.family::<f32>();
        let counts = self.output.is_counts();
        let fitting = (has_categories(self.output) || self.categories == 0)
            && (self.output == Output::Softmax || !self.reference)
            && (counts || !self.exposure);
        (fitting && family.valid()).then(|| family.outputs())
    }

    /// The values of one draw: the network's parameters in the order of [`Architecture`], then what the family
    /// adds: sigma and nu (student-t, gaussian), r (negative binomial), thresholds (ordinal), nothing (the
    /// others). `None` if the count overflows, d is zero, a width follows a 0, or output and network do not fit.
    pub fn draw_len(&self) -> Option<usize> {
        let a = &self.architecture;
        let ended = a.widths.iter().skip(a.depth()).all(|w| *w == 0);
        if a.inputs == 0 || !ended || a.outputs == 0 || self.outputs()? != a.outputs {
            return None;
        }
        a.dim().checked_add(self.tail_len())
    }

    /// M where this is the network of [`one_layer`](Self::one_layer), with Student-t or Gaussian noise.
    pub fn neurons(&self) -> Option<usize> {
        let [neurons, ..] = self.architecture.widths;
        let own = Self::one_layer(self.architecture.inputs, neurons as usize, self.activation);
        let alike = *self == own || *self == Self { output: Output::Gaussian, ..own };
        (alike && own.architecture.outputs > 0).then_some(neurons as usize)
    }

    /// Whether it is the network of [`one_layer`](Self::one_layer), with Student-t noise.
    pub(crate) fn is_one_layer(&self) -> bool {
        self.neurons().is_some() && self.output == Output::StudentT
    }

    /// The bytes of an image of so many draws ([`image_size`]).
    pub(crate) fn size<T: Real>(self, draws: usize) -> Result<usize, StoreError> {
        image_size::<T>(self, draws).map_err(|_| StoreError::TooSmall)
    }
}

/// Whether the output has classes or components by number.
fn has_categories(output: Output) -> bool {
    matches!(output as i32, 3 | 5 | 8)
}
