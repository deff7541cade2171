//! The index of resolvability: approximation against description length (\[B\]; Barron and Cover 1991).

use super::bounds::approximation;
use super::ln;
use crate::scalar::Real;

/// min_k (a_k + L_k/(beta N)) and the k that attains it (the first of equals): a_k the squared distance
/// of candidate k, L_k its description length in nats, summable as exp(-L_k) over the candidates. `None`
/// if there are no pairs or no finite one.
pub fn index<T: Real>(
    distances: &[T],
    nats: &[T],
    beta: T,
    observations: usize,
) -> Option<(usize, T)> {
    let weight = T::ONE / (beta * T::of_usize(observations));
    let mut best = None;
    for (k, (a, l)) in distances.iter().zip(nats).enumerate() {
        let value = *a + weight * *l;
        if value.is_finite() && best.is_none_or(|(_, least)| value < least) {
            best = Some((k, value));
        }
    }
    best
}

/// The index over M = 1..=`most` neurons with a_M = V^2/M and L_M = M `nats`: M, and the bound
/// V^2/M + M nats/(beta N), whose minimum over real M is 2 V sqrt(nats/(beta N)). `None` where
/// `most` is 0. O(1): the best of the two integers about V sqrt(beta N/nats).
pub fn neurons<T: Real>(
    variation: T,
    nats: T,
    beta: T,
    observations: usize,
    most: usize,
) -> Option<(usize, T)> {
    let n = beta * T::of_usize(observations);
    let centre = (variation * (n / nats).sqrt()).floor().to_usize();
    let bound = |m: usize| approximation(variation, m) + T::of_usize(m) * nats / n;
    let low = centre.min(most).max(1);
    let high = centre.saturating_add(1).min(most).max(1);
    let best = if bound(high) < bound(low) { high } else { low };
    (most > 0).then(|| (best, bound(best)))
}

/// Nats of one inner weight vector of the l1 ball on the grid of m signed steps of 1/m along the d axes or
/// none: m log(2 d + 1).
pub fn grid_nats<T: Real>(d: usize, steps: usize) -> T {
    T::of_usize(steps) * ln(T::lit(2.0) * T::of_usize(d) + T::ONE)
}

/// The posterior probabilities of models of equal prior probability from their log evidences, in place:
/// exp(l_k - max) over their sum. NaN and -infinity count as impossible. Returns the index of the likeliest; `None`
/// without a finite one, or where one is +infinity.
pub fn model_probabilities<T: Real>(log_evidence: &mut [T]) -> Option<usize> {
    if log_evidence.contains(&T::INFINITY) {
        return None;
    }
    let mut best: Option<(usize, T)> = None;
    for (k, l) in log_evidence.iter().enumerate() {
        if l.is_finite() && best.is_none_or(|(_, most)| *l > most) {
            best = Some((k, *l));
        }
    }
    let (at, most) = best?;
    let mut sum = T::ZERO;
    for l in log_evidence.iter_mut() {
        *l = if l.is_finite() { super::exp(*l - most) } else { T::ZERO };
        sum += *l;
    }
    log_evidence.iter_mut().for_each(|l| *l = *l / sum);
    Some(at)
}
