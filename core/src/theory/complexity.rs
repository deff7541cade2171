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
    covering(gaussian_complexity(variation, d, layers), distance)
}

/// log N(e) <= 2 pi log 2 (C/e)^2 of any class of Gaussian complexity C: [`covering_network`]'s constant,
/// 4.36.
pub fn covering<T: Real>(complexity: T, distance: T) -> T {
    let ratio = complexity / distance;
    sharper::<T>() * (ratio * ratio)
}

/// The same as \[B\] has it: log N(e) <= 16 (C/e)^2.
pub fn covering_published<T: Real>(complexity: T, distance: T) -> T {
    let ratio = complexity / distance;
    T::lit(16.0) * (ratio * ratio)
}

/// min over e of e^2 + log N(e)/N with the bound of [`covering`]: 2 sqrt(2 pi log 2) C/sqrt N = 4.17
/// C/sqrt N, at e^2 half of it. Approximation by a cover, and what its size costs of N observations.
pub fn least_by_cover<T: Real>(complexity: T, observations: usize) -> T {
    T::lit(2.0) * sharper::<T>().sqrt() * complexity / T::of_usize(observations).sqrt()
}

/// The same as \[B\] has it, from [`covering_published`]: 8 C/sqrt N.
pub fn least_by_cover_published<T: Real>(complexity: T, observations: usize) -> T {
    T::lit(8.0) * complexity / T::of_usize(observations).sqrt()
}

/// min over e of (beta/2) e^2 + log N(e)/N = C sqrt(4 pi log 2 beta/N), with the bound of [`covering`]: the nats
/// an observation by which the Bayes mixture over a cover, uniform, exceeds the truth in mean relative entropy,
/// f in the class and noise of precision beta (Yang and Barron 1999). At beta = 2 it is [`least_by_cover`].
pub fn yang_barron<T: Real>(complexity: T, beta: T, observations: usize) -> T {
    complexity * (T::lit(2.0) * sharper::<T>() * beta / T::of_usize(observations)).sqrt()
}

/// min over e of (beta/2) e^2 + 2 log N(e)/N = C sqrt(8 pi log 2 beta/N): bounds the expected Renyi divergence
/// of order 1/2, -2 log of the affinity, an observation between the truth and the member of a cover that the
/// code of twice its nats chooses (Li and Barron 2000; the one that minimises beta/2 times the squared loss
/// plus that code). With noise of precision beta it is (beta/4) (f - g)^2 where f - g is constant.
pub fn renyi<T: Real>(complexity: T, beta: T, observations: usize) -> T {
    yang_barron(complexity, T::lit(2.0) * beta, observations)
}

/// 2 pi log 2.
fn sharper<T: Real>() -> T {
    T::lit(core::f64::consts::TAU) * ln_2::<T>()
}
