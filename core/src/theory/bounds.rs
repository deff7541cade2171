//! What M neurons approximate, and what N observations teach.

use super::log_size;
use crate::scalar::Real;

/// V^2/M: some average of M neurons +-V psi(x.w_m), |psi| <= 1, has at most this mean squared distance
/// from a function of variation V, under any law of x (Maurey; Barron 1993; \[B\]).
pub fn approximation<T: Real>(variation: T, neurons: usize) -> T {
    variation * variation / T::of_usize(neurons)
}

/// The neurons that bring [`approximation`] to `error`: ceil(V^2/error), at least 1.
pub fn neurons_for<T: Real>(variation: T, error: T) -> usize {
    let exact = variation * variation / error;
    let below = exact.floor();
    let up = if exact > below { 1 } else { 0 };
    below.to_usize().saturating_add(up).max(1)
}

/// V sqrt((log 2d + L)/N): the order of the mean squared risk of learning a network of L hidden layers and
/// variation V from N observations (\[B\]; up to a factor that depends on the noise).
pub fn risk<T: Real>(variation: T, d: usize, layers: u32, observations: usize) -> T {
    let complexity = log_size::<T>(d, 0) + T::of_u32(layers);
    variation * (complexity / T::of_usize(observations)).sqrt()
}

/// V^2/M + (M log 2d + M L)/N: the mean squared risk of learning with M neurons from N observations, what
/// they approximate and what they cost (\[B\], its first kind; the noise variance is the unit of the second
/// term). Over real M it is least at M = V sqrt(N/(log 2d + L)), and 2 [`risk`] there.
pub fn risk_of_neurons<T: Real>(
    variation: T,
    neurons: usize,
    d: usize,
    layers: u32,
    observations: usize,
) -> T {
    let complexity = log_size::<T>(d, 0) + T::of_u32(layers);
    approximation(variation, neurons)
        + T::of_usize(neurons) * complexity / T::of_usize(observations)
}

/// The observations at which [`risk`] is `risk`: V^2 (log 2d + L)/risk^2.
pub fn observations_for<T: Real>(variation: T, d: usize, layers: u32, risk: T) -> T {
    let ratio = variation / risk;
    ratio * ratio * (log_size::<T>(d, 0) + T::of_u32(layers))
}
