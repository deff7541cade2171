//! The conditions as formulas of a few numbers, as printed and as they should read.
//!
//! B = alpha c n |r|_inf, c = sup |psi''| (\[MB\]). In \[B\], whose alpha is beta lambda, c bounds the residual,
//! and |psi'|, |psi''| <= 1: its B = c lambda beta n is alpha n |r|_inf.

use super::moments;
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};
use crate::sum::Sum;

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

/// 4 B^5/d, below 1 in \[B\] as printed, B = alpha n |r|_inf, |psi'| and |psi''| <= 1.
pub fn slides_published<T: Real>(b: T, d: usize) -> T {
    T::lit(4.0) * fifth(b, d)
}

/// The two B of \[B\]'s condition for any psi, `strength` being alpha n |r|_inf: B1 = strength sup|psi''|, the
/// sum of the rho_i, and B2 = strength (sup|psi'| + sup|psi''|)/2, half of what the exponent of p(w | xi) is
/// bounded by. Both at most `strength` where psi' and psi'' are at most 1.
pub fn slides_constants<T: Real>(strength: T, slope: T, curvature: T) -> [T; 2] {
    [strength * curvature, strength * (slope + curvature) * T::HALF]
}

/// 16 B1 B2^4/d: [`slides_at`] at k = [`slides_order`], which must be at least 2. 16 B^5/d where both are B.
pub fn slides<T: Real>([b1, b2]: [T; 2], d: usize) -> T {
    let square = b2 * b2;
    T::lit(16.0) * b1 * (square * square) / T::of_usize(d)
}

/// k = 2 B2^2, the order of Hoelder's inequality at which \[B\]'s bound is least.
pub fn slides_order<T: Real>(b2: T) -> T {
    T::lit(2.0) * b2 * b2
}

/// \[B\]'s bound before k is chosen: B1 d (2 k/(e d))^2 exp(4 B2^2/k). Its exponent is (2 B2)^2/(2 (k - 1)), no
/// larger from k = 2 on.
pub fn slides_at<T: Real>([b1, b2]: [T; 2], d: usize, k: T) -> T {
    let d = T::of_usize(d);
    let ratio = T::lit(2.0) * k / (T::lit(core::f64::consts::E) * d);
    b1 * d * (ratio * ratio) * exp(T::lit(4.0) * b2 * b2 / k)
}

/// The right side of \[MB\] (29) where Gamma vanishes: the root of order l of `moment` = E_0 (v.w)^(2 l).
/// Printed with order 2 l, which does not scale like the variance on the left.
pub fn hoelder<T: Real>(moment: T, l: T) -> T {
    exp(ln(moment) / l)
}

/// \[B\]'s bound with nothing bounded further, and the integer order l >= 2 at which it is least: the largest
/// eigenvalue of Q in place of its trace, the moments of the l1 ball exact in place of Stirling's formula, and the
/// exponent (2 B2)^2/(2 (l - 1)): lambda_max(Q) R^2 (E w_1^(2 l))^(1/l) exp(2 B2^2/(l - 1)). Of all v of length 1,
/// E (v.w)^(2 l) is largest along an axis. 2 logarithms and an exponential for each order up to 4 B2^2 + 16.
pub fn hoelder_least<T: Real>(lambda_max_q: T, b2: T, d: usize, radius: T) -> (T, u32) {
    let (two, d) = (T::lit(2.0), T::of_usize(d));
    let square = b2 * b2;
    let orders = (T::lit(4.0) * square + T::lit(16.0)).min(T::lit(65536.0));
    // ln E w_1^(2 l), from l - 1 on.
    let [mut moment, mut least, mut at] = [T::ZERO, T::INFINITY, T::ONE];
    let mut l = T::ONE;
    while l <= orders {
        let even = two * l;
        moment += ln(even / (d + even)) + ln((even - T::ONE) / (d + even - T::ONE));
        let bound = moment / l + two * square / (l - T::ONE);
        if l > T::ONE && bound < least {
            (least, at) = (bound, l);
        }
        l += T::ONE;
    }
    (lambda_max_q * (radius * radius) * exp(least), at.to_usize() as u32)
}

/// Gamma_xi(s) = log E_0 exp(s g_xi(w)) of \[MB\], g_xi the exponent of p(w | xi) relative to the prior, from its
/// values at points of equal weight under the prior: draws of it, or a quadrature.
pub fn cumulant<T: Real>(values: &[T], s: T) -> T {
    let top = values.iter().fold(-T::INFINITY, |top, g| top.max(s * *g));
    let sum = Sum::of(values.iter().map(|g| exp(s * *g - top)));
    top + ln(sum / T::of_usize(values.len()))
}

/// The right side of \[MB\] (29), corrected: the root of order l of `moment` = E_0 (v.w)^(2 l), times
/// exp(((l - 1)/l) Gamma_xi(l/(l - 1)) - Gamma_xi(1)). By Hoelder's inequality Var\[v.w | xi\] is no larger, l > 1.
/// Where the exponent lies between -b and b the exponential is at most exp(b^2/(2 (l - 1))).
pub fn hoelder_given<T: Real>(moment: T, l: T, values: &[T]) -> T {
    let conjugate = l / (l - T::ONE);
    let log = cumulant(values, conjugate) / conjugate - cumulant(values, T::ONE);
    hoelder(moment, l) * exp(log)
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
