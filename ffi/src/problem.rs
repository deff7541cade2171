//! Problems, whatever their precision.

use lcc_core::prior::{Prior, PriorKind};

codes! {
    i32 LCC_POSTERIOR_GREEDY = 0, "One neuron against residuals.";
    i32 LCC_POSTERIOR_JOINT = 1, "M neurons with fixed outer weights; with one the slides' greedy posterior, the square of the loss kept.";
    i32 LCC_POSTERIOR_USER = 2, "A density of your own, by callback.";
    i32 LCC_POSTERIOR_NETWORK = 3, "A network of any depth, output and prior, every parameter free.";
    i32 LCC_POSTERIOR_LAYERS = 4, "Several hidden layers with fixed outer weights: those of network->widths.";
    i32 LCC_PRIOR_GAUSSIAN = 0, "N(0, scale^2 I).";
    i32 LCC_PRIOR_L1_BALL = 1, "Uniform on {|w|_1 <= scale}.";
    i32 LCC_SIGNS_ALTERNATING = 0, "s_m = +1, -1, +1, ...";
    i32 LCC_SIGNS_POSITIVE = 1, "s_m = +1.";
}

/// A prior from its code and scale; `None` for a code that is none.
pub(crate) fn prior<T: Copy>(code: i32, scale: T) -> Option<Prior<T>> {
    PriorKind::from_code(code).map(|kind| Prior::of(kind, scale))
}
