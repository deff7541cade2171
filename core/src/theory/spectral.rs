//! V of a function from its Fourier spectrum (Barron 1993; Klusowski and Barron 2018).
//!
//! f(x) = int exp(i w.x) F(w) dw has variation at most a constant times int |w|_1^s |F(w)| dw with respect to
//! sigmoids (s = 1), ramps (s = 2) and squared ramps (s = 3) over |x_j| <= 1.

use super::variation;
use crate::scalar::Real;

/// sum_k |a_k| |w_k|_1^s of f(x) = sum_k a_k cos(w_k.x + b_k): its spectral norm of order s. `frequencies`
/// holds the w_k one after another, d numbers each; what has no partner does not count.
pub fn of_cosines<T: Real>(amplitudes: &[T], frequencies: &[T], d: usize, order: u32) -> T {
    variation::single_layer(amplitudes, frequencies, d, order)
}

/// The spectral norm of order 1 of the bump exp(-|x|^2/(2 h^2)): E |w|_1 of w ~ N(0, I/h^2),
/// (d/h) sqrt(2/pi).
pub fn of_bump<T: Real>(d: usize, width: T) -> T {
    let root = T::lit(core::f64::consts::FRAC_2_SQRT_PI) * T::lit(core::f64::consts::FRAC_1_SQRT_2);
    T::of_usize(d) / width * root
}

/// 2 C: the variation with respect to unit steps (limits of sigmoids) over |x_j| <= 1 of a function less
/// its value at 0, where C is its spectral norm of order 1 (Barron 1993, theorem 1, whose constant for
/// the distance is (2 C)^2/M).
pub fn variation_of_sigmoids<T: Real>(spectral_norm: T) -> T {
    T::lit(2.0) * spectral_norm
}
