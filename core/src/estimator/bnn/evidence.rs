//! Scales and noise of a mode: where their evidence is largest, not where the joint density is.
//!
//! At a joint mode a scale that is learnt does not regularise and the noise is too small: given the weights w = s z the
//! density of k of them falls with s as e^(-|w|^2/2s^2) alone, for each z counts as if it were known. Integrated out by
//! Laplace's method they leave -1/2 ln det(I + S J'IJ S), J'IJ the Gauss-Newton matrix by the weights, S their scales
//! (MacKay 1992, A practical Bayesian framework for backpropagation networks). His update sets, the weights fixed, each scale
//! to where |w|^2/s^2 is the effective number of its parameters gamma = k - tr (its block of H^-1) and the slope of its prior,
//! and the precision beta to where the joint slope is half of all gammas. It leaves out how J changes with the
//! weights, so that its fixed points are those of the evidence without hidden layers only: with them the evidence falls on
//! the way there, and the best point of the way is what counts.
//!
//! A Gaussian about the mode has, for scales and noise, the curvature of - sum over the groups of k/2 ln(1 + a s^2 beta) too,
//! the determinant if each group had one eigenvalue, the a such that k a s^2 beta/(1 + a s^2 beta) is the group's gamma.

use crate::network::{Group, Output, Posterior};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln, softplus_and_derivative};
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

/// The ln a by the diagonal of H^-1 at g.
pub(super) fn learn<T: Real, const N: usize>(
    posterior: &Posterior<'_, T, N>,
    g: &[T],
    variances: &[T],
    logs: &mut [T],
) {
    for (Own { group, count, rest, .. }, log) in groups(posterior, g).zip(logs) {
        let known = group.members(variances).fold(T::ZERO, |sum, v| sum + (T::ONE - *v));
        let least = T::EPSILON.sqrt() * count;
        let known = known.max(least).min(count - least);
        *log = ln(known / (count - known)) - rest;
    }
}

/// The coordinates that are not climbed in but updated: ln s, and ln beta.
pub(super) fn frozen<T: Real, const N: usize>(
    posterior: &Posterior<'_, T, N>,
) -> impl Iterator<Item = usize> + use<T, N> {
    let places = posterior.places();
    (places.scales..places.own).chain(precision(posterior))
}

/// The longest step of an ln s and of ln beta, and the halvings by which a step is found.
const LONGEST: [f64; 2] = [0.5, 0.7];
const HALVINGS: u32 = 40;

/// MacKay's update at a mode of the weights, these fixed: of each scale to where |w|^2/s^2 is the effective number of
/// its parameters and its prior's slope, of beta to where the slope of the joint density is half of all of them; no step is
/// longer than a share of [`LONGEST`]. Adds `draw` to the weights first, which keeps a saddle from being taken for a mode. The longest
/// step.
pub(super) fn update<T: Real, const N: usize>(
    posterior: &Posterior<'_, T, N>,
    g: &mut [T],
    (gradient, variances): (&[T], &[T]),
    draw: &[T],
    share: T,
) -> T {
    let [longest, noisiest] = LONGEST.map(|x| share * T::lit(x));
    let scales = posterior.places().scales;
    let (mut all, mut changed) = (T::ZERO, T::ZERO);
    for group in posterior.prior.groups(&posterior.pass.architecture) {
        let known = group.members(variances).fold(T::ZERO, |sum, v| sum + (T::ONE - *v));
        all += known;
        let at = group.sampled.and_then(|k| k.checked_add(scales));
        let log = at.and_then(|at| g.get(at).copied());
        let square = group.members(g).fold(T::ZERO, |sum, z| sum + *z * *z);
        for (z, d) in group.members_mut(g).zip(group.members(draw)) {
            *z += *d;
        }
        let (Some(log), Some(at)) = (log, at) else { continue };
        let (mut low, mut high) = (-longest, longest);
        for _ in 0..HALVINGS {
            let middle = T::HALF * (low + high);
            let squared = exp(-(middle + middle));
            let prior = exp(-T::lit(2.0) * (log + middle));
            let prior = (T::ONE - prior) / (T::ONE + prior);
            if square * squared - known - prior > T::ZERO {
                low = middle;
            } else {
                high = middle;
            }
        }
        let step = T::HALF * (low + high);
        changed = changed.max(step.abs());
        if let Some(place) = g.get_mut(at) {
            *place += step;
        }
        let shrink = exp(-step);
        group.members_mut(g).for_each(|z| *z = *z * shrink);
    }
    if let Some(at) = precision(posterior)
        && let Some((place, slope)) = g.get_mut(at).zip(gradient.get(at))
    {
        let half = T::HALF * posterior.pass.total() + posterior.pass.family.noise_shape;
        let (wanted, found) = (half - T::HALF * all, half - *slope);
        let ratio = wanted.max(T::HALF) / found.max(T::MIN_POSITIVE);
        let step = ln(ratio).max(-noisiest).min(noisiest);
        changed = changed.max(step.abs());
        *place += step;
    }
    changed
}
