//! Scales and noise of a mode: where their evidence is largest, not where the joint density is.
//!
//! At a joint mode a scale that is learnt does not regularise and the noise is too small: given the weights w = s z the
//! density of k of them falls with s as e^(-|w|^2/2s^2) alone, for each z counts as if it were known. Integrated out by
//! Laplace's method they leave -1/2 ln det(I + S J'IJ S), J'IJ the Gauss-Newton matrix by the weights, S their scales
//! (MacKay 1992, A practical Bayesian framework for backpropagation networks). What is climbed has in its place
//!
//! - sum over the groups of k/2 ln(1 + a s^2 beta),
//!
//! the determinant if each group had one eigenvalue, beta the precision of the noise where that is sampled, else 1. The a
//! are such that k a s^2 beta/(1 + a s^2 beta), the group's effective number of parameters, is what the matrix says it is,
//! k - tr (its block of H^-1): then the slopes by ln s and ln beta are those of the evidence, |z|^2 - gamma and
//! (n - sum gamma)/2 - beta RSS/2, and so they are where the ascent ends. With all scales and the noise known nothing is added.

use crate::network::{Group, Output, Posterior};
use crate::scalar::Real;
use crate::special::scalar::{ln, softplus_and_derivative};
use crate::warmup::triangle::entry;

/// The sum above. One ln a for each group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occam<'a, T> {
    pub logs: &'a [T],
}

/// Whether there is anything that it moves.
pub(super) fn is_free<T: Real, const N: usize>(posterior: &Posterior<'_, T, N>) -> bool {
    let places = posterior.places();
    places.own > places.scales || precision(posterior).is_some()
}

/// The coordinate ln beta, if there is one.
pub(super) fn precision<T: Real, const N: usize>(posterior: &Posterior<'_, T, N>) -> Option<usize> {
    let noisy = matches!(posterior.pass.family.output, Output::Gaussian | Output::StudentT);
    let places = posterior.places();
    (noisy && places.dim > places.own).then_some(places.own)
}

impl<T: Real> Occam<'_, T> {
    /// Adds the sum's gradient; its value.
    pub(super) fn add<const N: usize>(
        &self,
        posterior: &Posterior<'_, T, N>,
        g: &[T],
        gradient: &mut [T],
    ) -> T {
        let beta = precision(posterior);
        let mut value = T::ZERO;
        for (Own { count, scale, rest, .. }, log) in groups(posterior, g).zip(self.logs) {
            let (soft, share) = softplus_and_derivative(*log + rest);
            value -= T::HALF * count * soft;
            for (at, weight) in [(scale, T::ONE), (beta, T::HALF)] {
                if let Some(slope) = at.and_then(|at| gradient.get_mut(at)) {
                    *slope -= weight * (count * share);
                }
            }
        }
        value
    }

    /// Adds minus the sum's curvature to a packed matrix of all coordinates, or to its diagonal.
    pub(super) fn curve<const N: usize>(
        &self,
        posterior: &Posterior<'_, T, N>,
        g: &[T],
        full: bool,
        out: &mut [T],
    ) {
        let beta = precision(posterior);
        for (Own { count, scale, rest, .. }, log) in groups(posterior, g).zip(self.logs) {
            let (_, share) = softplus_and_derivative(*log + rest);
            let all = count * share * (T::ONE - share);
            let both = scale.zip(beta).filter(|_| full);
            let terms = [(scale, scale, all + all), (beta, beta, T::HALF * all)];
            let cross = both.map(|(scale, beta)| (Some(scale), Some(beta), all));
            for (row, column, x) in terms.into_iter().chain(cross) {
                let Some((r, c)) = row.zip(column) else { continue };
                let at = if full { entry(out, r, c) } else { out.get_mut(r) };
                if let Some(h) = at {
                    *h += x;
                }
            }
        }
    }
}

/// A group: k, the place of its ln s, ln(s^2 beta).
struct Own<T> {
    group: Group<T>,
    count: T,
    scale: Option<usize>,
    rest: T,
}

fn groups<'a, T: Real, const N: usize>(
    posterior: &'a Posterior<'_, T, N>,
    g: &'a [T],
) -> impl Iterator<Item = Own<T>> + use<'a, T, N> {
    let scales = posterior.places().scales;
    let of = |at: Option<usize>| at.and_then(|k| g.get(k).copied()).unwrap_or(T::ZERO);
    let log_beta = of(precision(posterior));
    posterior.prior.groups(&posterior.pass.architecture).map(move |group| {
        let scale = group.sampled.and_then(|k| k.checked_add(scales));
        let rest = of(scale) + of(scale) + log_beta;
        Own { group, count: T::of_usize(group.count), scale, rest }
    })
}

/// The ln a by the diagonal of H^-1 at g; the largest change of an effective number of parameters.
pub(super) fn learn<T: Real, const N: usize>(
    posterior: &Posterior<'_, T, N>,
    g: &[T],
    variances: &[T],
    logs: &mut [T],
) -> T {
    let mut changed = T::ZERO;
    for (Own { group, count, rest, .. }, log) in groups(posterior, g).zip(logs) {
        let known = group.members(variances).fold(T::ZERO, |sum, v| sum + (T::ONE - *v));
        let least = T::EPSILON.sqrt() * count;
        let known = known.max(least).min(count - least);
        let (_, share) = softplus_and_derivative(*log + rest);
        changed = changed.max((known - count * share).abs());
        *log = ln(known / (count - known)) - rest;
    }
    changed
}
