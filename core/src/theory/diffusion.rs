//! The Langevin diffusion d xi = (1/2) grad log p(xi) dt + dB where -Hess log p(xi) >= (rho/2) I:
//! relative entropy falls at the rate of Bakry and Emery (\[B\]).

use super::{exp, ln};
use crate::scalar::Real;

/// D(t) <= D(0) exp(-t rho/2): relative entropy to p(xi) after time t, in nats, rho/2 being a lower bound
/// of -Hess log p(xi) (certificate [`BakryEmery`](crate::certificate::Kind::BakryEmery)).
pub fn relative_entropy<T: Real>(start: T, rho: T, time: T) -> T {
    start * exp(-(time * rho * T::HALF))
}

/// Half the square root of twice the relative entropy bounds the distance in total variation (Pinsker):
/// sqrt(D/2), at most 1.
pub fn total_variation<T: Real>(relative_entropy: T) -> T {
    (relative_entropy * T::HALF).sqrt().min(T::ONE)
}

/// 2 M/(beta c V) = 2/rho: the time in which relative entropy falls by a factor e (\[B\]).
pub fn time_scale<T: Real>(beta: T, c: T, outer: T, neurons: usize) -> T {
    T::lit(2.0) * T::of_usize(neurons) / (beta * c * outer)
}

/// (2/rho) log(D(0)/D): the time that brings relative entropy from `start` to `end`; 0 if it is there.
pub fn time_for<T: Real>(start: T, end: T, rho: T) -> T {
    T::ZERO.max(T::lit(2.0) / rho * ln(start / end))
}

/// (1/2) log(1 + 1/(alpha c)): the time tau* of the noising diffusion up to which the laws of xi_tau are
/// to be passed (\[MB\] III.C), alpha c the largest rho_i.
pub fn reverse_start<T: Real>(rho_max: T) -> T {
    T::HALF * ln(T::ONE + T::ONE / rho_max)
}
