//! The conditions as formulas of a few numbers, as printed and as they should read.
//!
//! B = alpha c n |r|_inf (\[MB\]; in \[B\], whose alpha is beta lambda, B = c lambda beta n), c = sup |psi''|.

use super::moments;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};

/// alpha c |r|_inf lambda_max(X'X) sd^2, at most 1 in \[MB\] Lemma 2. There p(w) itself is log-concave
/// already: Hess log p(w) <= X' diag(alpha |r_i| c) X - I/sd^2.
pub fn lemma2<T: Real>(alpha: T, c: T, r_inf: T, lambda_max: T, sd: T) -> T {
    alpha * c * r_inf * lambda_max * (sd * sd)
}

/// lambda_max(Q) sd^2, Q = X' diag(rho) X, at most 1 where the curvature of the Gaussian prior outweighs
/// the coupling's: p(w) is log-concave. For a joint posterior lambda_max is the largest over the classes
/// of neurons, for the rank-one part of the Hessian is negative.
pub fn rho<T: Real>(lambda_max_q: T, sd: T) -> T {
    lambda_max_q * (sd * sd)
}

/// 2 d B R^2/((d + 1)(d + 2)), below 1 in the corrected Lemma 4 (|x_ij| <= 1).
pub fn lemma4<T: Real>(b: T, d: usize, radius: T) -> T {
    T::lit(2.0) * T::of_usize(d) * b * (radius * radius)
        / ((T::of_usize(d) + T::ONE) * (T::of_usize(d) + T::lit(2.0)))
}

/// lambda_max(Q) times the prior's variance of a coordinate: what Lemma 4 bounds.
pub fn matrix<T: Real>(lambda_max_q: T, d: usize, radius: T) -> T {
    moments::variance::<T>(d) * (radius * radius) * lambda_max_q
}

/// (sum rho_i) R^2 max|x_ij|^2, below 1: |x_i.w| <= R max|x_ij| bounds each variance and so the trace of
/// S X Cov\[w | xi\] X' S. Two-sided, greedy: sum rho_i = alpha c |r|_1.
pub fn trace<T: Real>(rho_sum: T, radius: T, x_max: T) -> T {
    rho_sum * (radius * radius) * (x_max * x_max)
}

/// 20 B^2/d, below 1 in \[MB\] Remark 1.
pub fn remark1<T: Real>(b: T, d: usize) -> T {
    T::lit(20.0) * b * b / T::of_usize(d)
}

/// B^5/d.
fn fifth<T: Real>(b: T, d: usize) -> T {
    let square = b * b;
    square * square * b / T::of_usize(d)
}

/// 4 B^5/d, below 1 in \[B\] as printed.
pub fn slides_published<T: Real>(b: T, d: usize) -> T {
    T::lit(4.0) * fifth(b, d)
}

/// 16 B^5/d: [`slides_at`] at k = [`slides_order`], which must be at least 1.
pub fn slides<T: Real>(b: T, d: usize) -> T {
    T::lit(16.0) * fifth(b, d)
}

/// k = 2 B^2, the order of Hoelder's inequality at which \[B\]'s bound is least.
pub fn slides_order<T: Real>(b: T) -> T {
    T::lit(2.0) * b * b
}

/// \[B\]'s bound before k is chosen: B d (2 k/(e d))^2 exp(4 B^2/k).
pub fn slides_at<T: Real>(b: T, d: usize, k: T) -> T {
    let d = T::of_usize(d);
    let ratio = T::lit(2.0) * k / (T::lit(core::f64::consts::E) * d);
    b * d * (ratio * ratio) * exp(T::lit(4.0) * b * b / k)
}

/// The right side of \[MB\] (29) where Gamma vanishes: the root of order l of `moment` = E_0 (v.w)^(2 l).
/// Printed with order 2 l, which does not scale like the variance on the left.
pub fn hoelder<T: Real>(moment: T, l: T) -> T {
    exp(ln(moment) / l)
}

/// rho = beta c V/M, c = max|y_i| + V: \[B\]'s coupling of M neurons (|psi| <= 1, |psi''| <= 1).
pub fn joint_rho<T: Real>(beta: T, c: T, outer: T, neurons: usize) -> T {
    beta * c * outer / T::of_usize(neurons)
}

/// q = 2 beta c V n R^2/(M (d + 2)): \[B\]'s -Hess log p(xi) >= rho (1 - q).
pub fn joint<T: Real>(rho: T, n: usize, d: usize, radius: T) -> T {
    T::lit(2.0) * rho * T::of_usize(n) * (radius * radius) / (T::of_usize(d) + T::lit(2.0))
}

/// q d/(d + 1): the same with nothing dropped.
pub fn joint_sharper<T: Real>(rho: T, n: usize, d: usize, radius: T) -> T {
    joint(rho, n, d, radius) * T::of_usize(d) / (T::of_usize(d) + T::ONE)
}
