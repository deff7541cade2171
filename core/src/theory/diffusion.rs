//! The Langevin diffusion d xi = (1/2) grad log p(xi) dt + dB where -Hess log p(xi) >= (rho/2) I:
//! relative entropy falls at the rate of Bakry and Emery (\[B\]).
//!
//! **Two scalings.** \[B\] has xi_im ~ N(x_i.w_m, 1/rho), and so have the functions here that take rho; the
//! samplers have \[MB\]'s sqrt(rho) times that, xi_im ~ N(sqrt(rho) x_i.w_m, 1). A diffusion with drift (1/2)
//! grad log p in one is such a diffusion in the other with [`unit_time`] in place of time: what takes 2/rho there
//! takes 2 here, whatever rho.
//!
//! **A factor in print.** \[MB\] IV calls a density strongly c-log-concave and then has alpha/2 for the rate.
//! With drift (1/2) grad log p and -Hess log p >= c I it is c: D(t) <= D(0) exp(-c t), attained by Gaussians.

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

/// 2 M/(beta c V) = 2/rho: the time in which relative entropy falls by a factor e, in \[B\]'s scaling; in that
/// of the samplers 2 ([`unit_time`]).
pub fn time_scale<T: Real>(beta: T, c: T, outer: T, neurons: usize) -> T {
    T::lit(2.0) * T::of_usize(neurons) / (beta * c * outer)
}

/// rho t: time t of \[B\]'s scaling, xi ~ N(x.w, 1/rho), in that of \[MB\] and of the samplers, where the noise
/// has variance 1.
pub fn unit_time<T: Real>(rho: T, time: T) -> T {
    rho * time
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
