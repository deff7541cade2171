//! Moments of the uniform law on the solid l1 ball, against those that are printed.
//!
//! (|w_1|, ..., |w_d|, R - |w|_1)/R is Dirichlet(1, ..., 1) with d + 1 parameters, the signs are
//! independent. All for radius 1: multiply a moment of order 2 k by R^(2 k).

use crate::scalar::Real;

/// Var w_j = 2/((d + 1)(d + 2)): \[B\] has it, \[MB\] (proof of Lemma 4) has [`published_variance`].
pub fn variance<T: Real>(d: usize) -> T {
    let d = T::of_usize(d);
    T::lit(2.0) / ((d + T::ONE) * (d + T::lit(2.0)))
}

/// d/((d + 1)^2 (d + 2)), printed for the variance of w_j in \[MB\]: it is that of |w_j|, too small by
/// the factor 2 (d + 1)/d.
pub fn published_variance<T: Real>(d: usize) -> T {
    let d = T::of_usize(d);
    let next = d + T::ONE;
    d / (next * next * (d + T::lit(2.0)))
}

/// E |w_j| = 1/(d + 1).
pub fn mean_abs<T: Real>(d: usize) -> T {
    T::ONE / (T::of_usize(d) + T::ONE)
}

/// (2 k)! d!/(d + 2 k)! = E w_j^(2 k). 2 k divisions.
pub fn coordinate<T: Real>(d: usize, k: u32) -> T {
    let d = T::of_usize(d);
    let mut product = T::ONE;
    for i in 1..=k.saturating_mul(2) {
        let i = T::of_u32(i);
        product = product * (i / (d + i));
    }
    product
}

/// E (v.w)^(2 k) = (2 k)! d!/(d + 2 k)! h_k(v_1^2, ..., v_d^2), h_k the complete homogeneous symmetric
/// polynomial, d the length of `v`. `scratch` holds at least k + 1 numbers, else NaN. 2 d k flops.
pub fn linear<T: Real>(v: &[T], k: u32, scratch: &mut [T]) -> T {
    let Some(h) = scratch.get_mut(..(k as usize).saturating_add(1)) else { return T::NAN };
    h.fill(T::ZERO);
    if let Some(first) = h.first_mut() {
        *first = T::ONE;
    }
    for v in v {
        // h_k(.., v) = h_k(..) + v^2 h_(k-1)(.., v).
        let square = *v * *v;
        let mut lower = T::ONE;
        for h in h.iter_mut().skip(1) {
            *h += square * lower;
            lower = *h;
        }
    }
    let polynomial = h.last().copied().unwrap_or(T::NAN);
    coordinate::<T>(v.len(), k) * polynomial
}

/// |v|^(2 k) (2 k)! d!/(d + 2 k)!, an upper bound of [`linear`] in \[B\]; equal for one direction of the
/// axes.
pub fn linear_bound<T: Real>(norm_squared: T, d: usize, k: u32) -> T {
    (0..k).fold(coordinate::<T>(d, k), |bound, _| bound * norm_squared)
}

/// |v|^2 (2 k/(e d))^2, to which \[B\] bounds the k-th root of [`linear_bound`] by Stirling's formula.
/// False for small k: k = 1, d = 10 has .00541 in place of .01515.
pub fn stirling_bound<T: Real>(norm_squared: T, d: usize, k: u32) -> T {
    let ratio = T::of_u32(k) * T::lit(2.0) / (T::lit(core::f64::consts::E) * T::of_usize(d));
    norm_squared * (ratio * ratio)
}
