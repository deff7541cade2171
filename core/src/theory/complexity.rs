//! Sizes of the class of networks of variation V: Gaussian complexity and covering numbers.

use super::{ln, ln_2, log_size};
use crate::scalar::Real;

/// V sqrt(2 log 2d + 2 L log 2): bounds E sup_f (1/sqrt N) sum_i g_i f(x_i), g ~ N(0, I), over networks of
/// path variation V and L hidden layers with inputs |x_ij| <= 1 (\[B\]). L = 0 is the linear class
/// |w|_1 <= V, where it is V E max_j |g_j| <= V sqrt(2 log 2d).
pub fn gaussian_complexity<T: Real>(variation: T, d: usize, layers: u32) -> T {
    variation * (T::lit(2.0) * log_size::<T>(d, layers)).sqrt()
}

/// log N(e) <= ceil(V^2/e^2) log K: the nats that cover the convex hull of K points of norm at most V to
/// distance e in mean square, by averages of ceil(V^2/e^2) of them (Maurey; Barron 1993). The hull of
/// +-V x_j has K = 2 d.
pub fn covering_hull<T: Real>(variation: T, points: usize, distance: T) -> T {
    let exact = variation * variation / (distance * distance);
    let below = exact.floor();
    let count = if exact > below { below + T::ONE } else { below };
    // In this order what is no number stays none.
    T::ONE.max(count) * ln(T::of_usize(points))
}

/// log N(e) <= 4 pi log 2 (V/e)^2 (log 2d + L log 2): the same for networks of L hidden layers from their
/// [`gaussian_complexity`] G, by the inequalities of Sudakov and Fernique (E max >= (e/sqrt 2) E max of
/// independent normals) and E max of N independent normals >= sqrt(log N/(pi log 2)):
/// log N <= 2 pi log 2 G^2/e^2.
pub fn covering_network<T: Real>(variation: T, d: usize, layers: u32, distance: T) -> T {
    let ratio = gaussian_complexity(variation, d, layers) / distance;
    T::lit(core::f64::consts::TAU) * ln_2::<T>() * (ratio * ratio)
}
