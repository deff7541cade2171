//! Where p(xi) may fail to be log-concave: at xi between modes, which draws do not visit.
//!
//! On a line of w the law given xi is a density of one variable tilted by exp(tau s): its variance is had by
//! quadrature, for every tau. With one coordinate of w that is the whole problem; with more it is a start,
//! from which the eigenvalue is climbed by the draws ([`climb`]).

use super::draws::WeightDraws;
use super::eigenvalue::pull;
use crate::coupling::{Channel, signals};
use crate::density::Extent;
use crate::likelihood::Likelihood;
use crate::linalg::one::dot;
use crate::pieces::{cut, pieces, total};
use crate::prior::Prior;
use crate::problem::Problem;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Portable, Vector, blocks, blocks_mut};
use crate::special::scalar::exp;

/// Points of w on a line.
pub(super) const GRID: usize = 513;

/// Of these every fourth is tried as a mode, and then the ones beside the best.
const COARSE: usize = 4;

/// Weights below exp(-30) of the mode's are left out.
const NEGLIGIBLE: f64 = -30.0;

/// A line from + s along, |along| = 1, and on it the mode and the further tilt at which the variance along
/// it, times |A along|^2, is largest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<T> {
    pub(super) value: T,
    at: T,
    beyond: T,
}

/// The numbers of scratch that [`on_line`] and [`start`] take; `None` if that overflows.
pub(super) fn seek_scratch<T: Real>(problem: &Problem<'_, T>) -> Option<usize> {
    total([problem.dim(), problem.dim(), Extent::scratch(problem.likelihood())])
}

/// A point, a gradient, the likelihood's scratch.
fn parts<'s, T: Real>(problem: &Problem<'_, T>, scratch: &'s mut [T]) -> Option<[&'s mut [T]; 3]> {
    let (dim, rest) = (problem.dim(), Extent::scratch(problem.likelihood()));
    cut(scratch, [dim, dim, rest]).map(|(parts, _)| parts)
}

/// |v|.
fn length<T: Real>(v: &[T]) -> T {
    dot(v, v).sqrt()
}

/// Makes |v| = 1; false of a zero.
pub(super) fn normalise<T: Real>(v: &mut [T]) -> bool {
    let norm = length(v);
    v.iter_mut().for_each(|v| *v = *v / norm);
    norm > T::ZERO && norm.is_finite()
}

/// A direction in which A is longest, by the power method from `v`; false if A v is 0. `z` holds
/// [`Channel::len`] numbers.
pub(super) fn longest<T: Real, C: Channel<T>>(channel: &C, v: &mut [T], z: &mut [T]) -> bool {
    for _ in 0..20 {
        if !normalise(v) {
            return false;
        }
        through(channel, v, z);
        pull(channel, z, v);
    }
    normalise(v)
}

/// z = A v.
fn through<T: Real, C: Channel<T>>(channel: &C, v: &[T], z: &mut [T]) {
    if let Some((v, z)) = blocks::<T, 1>(v).zip(blocks_mut::<T, 1>(z)) {
        signals(Portable, channel, v, z, |signal, z| *z = signal.array());
    }
}

/// The ends of the line that matter: of the ball's section, or as far as the prior and psi'' reach.
fn ends<T: Real>(problem: &Problem<'_, T>, from: &[T], along: &[T]) -> Option<[T; 2]> {
    let d = problem.d();
    match problem.prior() {
        Prior::Gaussian { sd } => {
            let data = problem.data()?;
            let mut squares = T::ZERO;
            for i in 0..data.n() {
                for along in pieces(along, d) {
                    let terms = along.iter().enumerate();
                    let u = terms.fold(T::ZERO, |sum, (j, a)| sum + data.inputs.at(i, j) * *a);
                    squares += u * u;
                }
            }
            let rms = (squares / T::of_usize(data.n())).sqrt();
            let [near, far, features] = [8.0, 32.0, 8.0].map(T::lit);
            let reach = (near * sd).max((features / rms).min(far * sd));
            let middle = -dot(from, along);
            Some([middle - reach, middle + reach])
        }
        Prior::L1Ball { radius } => {
            // As its density has it: a draw may be on the boundary.
            let limit = radius * (T::ONE + T::of_usize(d) * T::EPSILON);
            let inside = |s: T| {
                pieces(from, d).zip(pieces(along, d)).all(|(from, along)| {
                    let terms = from.iter().zip(along);
                    terms.fold(T::ZERO, |sum, (f, a)| sum + (*f + s * *a).abs()) <= limit
                })
            };
            if !inside(T::ZERO) {
                return None;
            }
            let end = |sign: T| {
                // |along|_1 >= |along| = 1: by 2 R some neuron has left.
                let most = T::lit(2.0) * radius * T::of_usize(problem.neurons());
                let (mut low, mut high) = (T::ZERO, most);
                for _ in 0..60 {
                    let middle = T::HALF * (low + high);
                    if inside(sign * middle) { low = middle } else { high = middle }
                }
                sign * low
            };
            Some([end(-T::ONE), end(T::ONE)])
        }
    }
}

/// The worst place of a line: n M d flops for each of [`GRID`] points, and about 10^5 exponentials. `None`
/// where A along is 0, where `from` is not within the prior, or where the numbers overflow.
pub(super) fn on_line<T: Lanes<1>, C: Channel<T>>(
    isa: Isa,
    problem: &Problem<'_, T>,
    channel: &C,
    from: &[T],
    along: &[T],
    grid: &mut [T],
    z: &mut [T],
    scratch: &mut [T],
) -> Option<Spot<T>> {
    let [point, spare, rest] = parts(problem, scratch)?;
    through(channel, along, z);
    let q = dot(z, z);
    let [low, high] = ends(problem, from, along)?;
    let h = (high - low) / T::of_usize(GRID);
    if !(q > T::ZERO && h > T::ZERO && h.is_finite()) {
        return None;
    }
    let at = |k: usize| low + h * (T::of_usize(k) + T::HALF);
    for (k, log) in grid.iter_mut().enumerate() {
        let s = at(k);
        point.iter_mut().zip(from.iter().zip(along)).for_each(|(p, (f, a))| *p = *f + s * *a);
        let square = length(point);
        let [value] = problem.likelihood().value(
            isa,
            blocks::<T, 1>(point)?,
            blocks_mut::<T, 1>(spare)?,
            blocks_mut::<T, 1>(rest)?,
        );
        *log = match problem.prior() {
            Prior::Gaussian { sd } => value - T::HALF * (square / sd) * (square / sd),
            Prior::L1Ball { .. } => value,
        };
    }
    if grid.iter().any(|log| !log.is_finite()) {
        return None;
    }
    let last = GRID - 1;
    let try_at = |k: usize, beyond: T| Spot {
        value: q * variance(grid, k, h, q, beyond),
        at: at(k),
        beyond,
    };
    let better = |a: Spot<T>, b: Spot<T>| if b.value > a.value { b } else { a };
    let mut best = (try_at(0, T::ZERO), 0);
    for k in (0..GRID).step_by(COARSE) {
        let spot = try_at(k, T::ZERO);
        if spot.value > best.0.value {
            best = (spot, k);
        }
    }
    let (mut spot, middle) = best;
    for k in middle.saturating_sub(COARSE)..=middle.saturating_add(COARSE).min(last) {
        spot = better(spot, try_at(k, T::ZERO));
    }
    // Tilts that push the mode against an end.
    for power in 0..6 {
        let beyond = T::of_u32(1 << power) / (high - low);
        spot = better(better(spot, try_at(0, -beyond)), try_at(last, beyond));
    }
    Some(spot).filter(|spot| spot.value.is_finite())
}

/// The variance of s given the tilt at which point k is the mode, and `beyond` more.
fn variance<T: Real>(grid: &[T], k: usize, h: T, q: T, beyond: T) -> T {
    let value = |j: usize| grid.get(j).copied().unwrap_or(T::ZERO);
    let (before, after) = (k.saturating_sub(1), k.saturating_add(1).min(GRID - 1));
    let slope = (value(after) - value(before)) / (h * T::of_usize(after.saturating_sub(before)));
    let (here, least) = (value(k), T::lit(NEGLIGIBLE));
    let [mut mass, mut first, mut second] = [T::ONE, T::ZERO, T::ZERO];
    let mut add = |j: usize, log: T| {
        let delta = h * (T::of_usize(j) - T::of_usize(k));
        let log = log - here - (slope - beyond) * delta - T::HALF * q * delta * delta;
        let weight = exp(log);
        mass += weight;
        first += weight * delta;
        second += weight * delta * delta;
        log > least
    };
    // Log-concave: beyond what is negligible all is.
    let _ = grid.iter().enumerate().skip(k.saturating_add(1)).all(|(j, log)| add(j, *log));
    let _ = grid.iter().enumerate().take(k).rev().all(|(j, log)| add(j, *log));
    let mean = first / mass;
    second / mass - mean * mean
}

/// The xi at which w given xi has its mode at the spot (but for its tilt beyond): A'xi = A'A w - grad log p(w).
/// For a triangular A with the shape of [`Triangular`](crate::coupling::Triangular); `None` where that overflows.
pub(super) fn start<T: Lanes<1>, C: Channel<T>>(
    isa: Isa,
    problem: &Problem<'_, T>,
    channel: &C,
    line: (&[T], &[T]),
    spot: &Spot<T>,
    xi: &mut [T],
    scratch: &mut [T],
) -> Option<()> {
    let [point, gradient, rest] = parts(problem, scratch)?;
    let (from, along) = line;
    point.iter_mut().zip(from.iter().zip(along)).for_each(|(p, (f, a))| *p = *f + spot.at * *a);
    let _ = problem.likelihood().value_and_gradient(
        isa,
        blocks::<T, 1>(point)?,
        blocks_mut::<T, 1>(gradient)?,
        blocks_mut::<T, 1>(rest)?,
    );
    if let Prior::Gaussian { sd } = problem.prior() {
        gradient.iter_mut().zip(&*point).for_each(|(g, p)| *g -= *p / (sd * sd));
    }
    gradient.iter_mut().zip(along).for_each(|(g, a)| *g -= spot.beyond * *a);
    // With t = A'A w - g the tilt is A'(xi - A w) = -g: forward substitution, and A w added.
    through(channel, point, xi);
    let neurons = channel.neurons();
    let d = channel.d();
    for m in 0..neurons {
        let mut largest = T::ZERO;
        for i in 0..d {
            let (weight, _, mut entries) = channel.row(i, m);
            largest = largest.max((weight * entries.next().unwrap_or(T::ZERO)).abs());
        }
        for i in 0..d {
            let (weight, first, entries) = channel.row(i, m);
            let mut entries = entries.map(|a| weight * a);
            let own = m.saturating_mul(d).saturating_add(first);
            let (pivot, below) = gradient.get_mut(own..)?.split_first_mut()?;
            let diagonal = entries.next().unwrap_or(T::ZERO);
            if diagonal.abs() <= T::EPSILON * largest {
                continue;
            }
            let step = *pivot / diagonal;
            below.iter_mut().zip(entries).for_each(|(g, a)| *g -= step * a);
            if let Some(xi) = xi.get_mut(i.saturating_mul(neurons).saturating_add(m)) {
                *xi -= step;
            }
        }
    }
    xi.iter().all(|xi| xi.is_finite()).then_some(())
}

/// The numbers of scratch that [`climb`] takes; `None` if that overflows.
pub(super) fn climb_scratch(k: usize, dim: usize) -> Option<usize> {
    total([dim, dim, k])
}

/// From draws of w given xi moves xi to where, by the same draws with other weights, the variance of
/// `leading`.w is larger; false where it is nowhere by a hundredth. The derivative of that variance by xi is
/// A E\[(leading.(w - m))^2 (w - m)\]. About 20 dim flops a draw.
pub(super) fn climb<T: Real, C: Channel<T>>(
    channel: &C,
    draws: &WeightDraws<'_, T>,
    leading: &[T],
    xi: &mut [T],
    scratch: &mut [T],
) -> bool {
    let (k, dim) = (channel.len(), channel.weights());
    let Some(([mean, slope, z], _)) = cut(scratch, [dim, dim, k]) else { return false };
    let whole = draws.whole();
    let count = T::of_usize(whole.count());
    mean.fill(T::ZERO);
    for (t, c) in whole.each() {
        mean.iter_mut().zip(draws.w(t, c)).for_each(|(m, w)| *m += w / count);
    }
    let along = |v: &[T], mean: &[T], t: usize, c: usize| {
        let terms = v.iter().zip(draws.w(t, c)).zip(mean);
        terms.fold(T::ZERO, |sum, ((v, w), m)| sum + *v * (w - *m))
    };
    slope.fill(T::ZERO);
    for (t, c) in whole.each() {
        let y = along(leading, mean, t, c);
        slope
            .iter_mut()
            .zip(draws.w(t, c).zip(&*mean))
            .for_each(|(s, (w, m))| *s += y * y * (w - *m));
    }
    through(channel, slope, z);
    if !normalise(z) {
        return false;
    }
    pull(channel, z, slope);
    // The variance with weights exp(step slope.(w - m)); none where few draws carry them.
    let reweighted = |step: T| {
        let [mut sum, mut squared, mut first, mut second] = [T::ZERO; 4];
        for (t, c) in whole.each() {
            let weight = exp(step * along(slope, mean, t, c));
            let y = along(leading, mean, t, c);
            sum += weight;
            squared += weight * weight;
            first += weight * y;
            second += weight * y * y;
        }
        let effective = sum * sum / squared;
        let centre = first / sum;
        (effective > T::lit(0.2) * count).then(|| second / sum - centre * centre)
    };
    let Some(mut best) = reweighted(T::ZERO) else { return false };
    best = T::lit(1.01) * best;
    let mut taken = T::ZERO;
    for step in [0.125, 0.25, 0.5, 1.0, 2.0, 4.0] {
        let step = T::lit(step);
        if let Some(variance) = reweighted(step)
            && variance > best
        {
            (best, taken) = (variance, step);
        }
    }
    xi.iter_mut().zip(&*z).for_each(|(xi, z)| *xi += taken * *z);
    taken > T::ZERO
}
