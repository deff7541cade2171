//! The recursion of batch Greedy Bayes, without its expectations (\[MB\] section II, \[B\]):
//!
//! r_k = y - (1 - beta) f_{k-1},  f_k = (1 - beta) f_{k-1} + beta E_{p_k}\[V s psi(x.w)\],  f_0 = 0,
//!
//! p_k(w, s) ~ exp(alpha V s sum_i r_ik psi(x_i.w)) p0(w), with the square of \[B\] in addition
//! exp(-(alpha beta V^2/2) sum_i psi(x_i.w)^2): the posterior exp(-(tau/2) sum_i (r_ik - beta V s
//! psi)^2) of noise precision tau = alpha/beta.

use crate::plain::codes;
use crate::scalar::Real;
use crate::sum::Sum;

codes! {
    /// What the posterior of a level keeps of the squared loss.
    pub enum Form: Form {
        /// The tilt alone, linear in the neuron (\[MB\]).
        Tilt = 0 "tilt",
        /// The square too (\[B\]).
        Quadratic = 1 "quadratic",
    }
}

/// The residuals that the next neuron sees, y - (1 - beta) f, over the shortest of the slices. 3 flops
/// a row.
pub fn residuals<T: Real>(beta: T, y: &[T], f: &[T], out: &mut [T]) {
    let keep = T::ONE - beta;
    for (r, (y, f)) in out.iter_mut().zip(y.iter().zip(f)) {
        *r = *y - keep * *f;
    }
}

/// f <- (1 - beta) f + beta e, e the level's expectations E\[V s psi(x.w)\] at the same points. 4 flops
/// a point.
pub fn advance<T: Real>(beta: T, f: &mut [T], expectations: &[T]) {
    let keep = T::ONE - beta;
    for (f, e) in f.iter_mut().zip(expectations) {
        *f = keep * *f + beta * *e;
    }
}

/// The share of level k = 0, 1, ... in f after `levels` of them, beta (1 - beta)^(levels - 1 - k).
/// 0 beyond.
pub fn share<T: Real>(beta: T, k: usize, levels: usize) -> T {
    let keep = T::ONE - beta;
    (k.saturating_add(1)..levels).fold(if k < levels { beta } else { T::ZERO }, |c, _| keep * c)
}

/// sum (y - f)^2, compensated.
pub(in crate::estimator) fn squared_error<T: Real>(y: &[T], f: &[T]) -> T {
    Sum::of(y.iter().zip(f).map(|(y, f)| (*y - *f) * (*y - *f)))
}
