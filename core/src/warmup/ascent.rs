//! One ascent: a quasi-Newton path uphill, and the best Gaussian along it.
//!
//! The mode is not what is wanted: under a hierarchy the density may grow without bound where next to no
//! mass is. So N(x, H) of every step that H takes to be near a mode is judged by its evidence bound
//! E log p + entropy, over antithetic draws that are the same for all steps, and the best is kept
//! (Pathfinder: Zhang, Carpenter, Gelman, Vehtari 2022). H is that of Broyden, Fletcher, Goldfarb and
//! Shanno, dense; what it calls settled is tried once more from a multiple of the identity, for in a narrow
//! valley H does not know the way that was never gone. Then the Hessian by differences of the gradient in
//! the coordinates of H, and a Newton step, for as long as the bound gains.
//!
//! Everything but the first step is the same in any coordinates A x + b, up to rounding.

use super::layout::VECTORS;
use super::limited;
use super::triangle::{compose, entry, multiple, product, update};
use crate::cloud::factorise;
use crate::likelihood::UserDensity;
use crate::linalg::one::{cholesky, dot, solve_lower, solve_lower_transposed};
use crate::linalg::{for_diagonal, lower_len, rows};
use crate::pieces::cut;
use crate::random::{Purpose, Stream};
use crate::reference::Affine;
use crate::scalar::{Real, pair};

/// Pairs of draws that a bound is the mean of.
const PAIRS: u32 = 4;
/// g'Hg below which an ascent has settled, and (a + b dim) below which it is near a mode.
const SETTLED: f64 = 0.02;
const NEAR: [f64; 2] = [20.0, 10.0];
/// Gain of log p below which a second settling ends an ascent; settlings at most.
const GAIN: f64 = 0.5;
const SETTLINGS: u64 = 8;
/// Evaluations of a line search at most, those after which any rise will do, and its conditions (Wolfe).
const TRIALS: u32 = 50;
const PATIENCE: u32 = 20;
const RISE: f64 = 1e-4;
const SLOPE: f64 = 0.9;
/// Half the distance of a difference of gradients, in units of H's root.
const DIFFERENCE: f64 = 0.1;
/// Gain of the bound below which a Hessian by differences is the last.
const REFINED: f64 = 0.1;
/// Draws tried for the start of a chain, each half as far out, and how much lower log p may be there than at
/// the mean (a + b dim).
const STARTS: u32 = 20;
const LOWER: [f64; 2] = [10.0, 5.0];

/// The numbers of an ascent that outlast a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<T> {
    /// log p at x, and where H last settled.
    pub value: T,
    pub since: T,
    /// The multiple of the identity that H begins from.
    pub scale: T,
    /// The bound of the best Gaussian; infinite: none is looked for.
    pub bound: T,
    /// Whether H has seen no step yet, and how often it settled.
    pub fresh: bool,
    pub settled: u64,
}

/// What an ascent works on.
pub(crate) struct Ascent<'s, 'd, T> {
    pub user: UserDensity<'d, T>,
    /// Of the draws that bounds are the mean of.
    pub seed: u64,
    pub index: u64,
    pub vectors: &'s mut [T],
    pub curvature: &'s mut [T],
    /// Whether H, which the curvature holds, is of [limited memory](limited). Then no Gaussian is judged.
    pub limited: bool,
    pub trial: &'s mut [T],
    pub best: &'s mut [T],
    /// Calls of the density.
    pub calls: &'s mut u64,
}

/// log p and its gradient; `None` where either is not finite.
pub(crate) fn evaluate<T: Real>(
    user: &UserDensity<'_, T>,
    x: &[T],
    gradient: &mut [T],
    calls: &mut u64,
) -> Option<T> {
    *calls = calls.saturating_add(1);
    gradient.fill(T::ZERO);
    let value = user.density.evaluate(x, Some(gradient))?;
    let sound = value.is_finite() && gradient.iter().all(|g| g.is_finite());
    sound.then_some(value)
}

/// How much wider than N(0, scale^2 I) some ascents start, in turn: for modes that draws of it do not see.
const WIDE: [f64; 2] = [10.0, 30.0];

/// A point from which a chain may start: a draw of a Gaussian, nearer to its mean where the density is low,
/// and in the end the mean.
pub(super) fn scatter<T: Real>(
    user: &UserDensity<'_, T>,
    gaussian: &[T],
    stream: &mut Stream,
    vectors: &mut [T],
    calls: &mut u64,
    x: &mut [T],
) -> Option<()> {
    let dim = user.dim;
    let map = Affine::new(gaussian, dim)?;
    let mean = gaussian.get(..dim)?;
    let ([z, gradient], _) = cut(vectors, [dim; 2])?;
    z.iter_mut().for_each(|z| *z = stream.normal());
    let [a, b] = pair::<T>(LOWER);
    let least = evaluate(user, mean, gradient, calls)? - (a + b * T::of_usize(dim));
    for _ in 0..STARTS {
        map.point(z, x);
        if evaluate(user, x, gradient, calls).is_some_and(|v| v >= least) {
            return Some(());
        }
        z.iter_mut().for_each(|z| *z = T::HALF * *z);
    }
    x.iter_mut().zip(mean).for_each(|(x, m)| *x = *m);
    Some(())
}

impl<T: Real> Ascent<'_, '_, T> {
    pub(crate) fn evaluate(&mut self, which: usize) -> Option<T> {
        let Self { user, vectors, calls, .. } = self;
        let ([x, g, _, next, next_g, ..], _) = cut(vectors, [user.dim; VECTORS])?;
        let (x, g) = if which == 0 { (x, g) } else { (next, next_g) };
        evaluate(user, x, g, calls)
    }

    /// At the point that the user gave, or a draw of N(0, scale^2 I) about it (of none: 0) where the density is finite;
    /// `None` if there was none in a hundred. Of none every other one is wider, where half a hundred lets it, and each
    /// second of those opposite to the one before.
    pub(super) fn start(&mut self) -> Option<Numbers<T>> {
        let (dim, scale) = (self.user.dim, self.user.scale);
        let wide = self.user.starts.is_empty() && self.index % 2 == 1;
        let opposite = wide && self.index % 4 == 3;
        let own = self.index.wrapping_sub(if opposite { 2 } else { 0 });
        let mut stream = Stream::new(self.seed, own, Purpose::Start);
        for trial in 0..100 {
            let [near, far] = WIDE.map(T::lit);
            let times = if self.index % 8 < 4 { near } else { far };
            let reach = if wide && trial < 50 { times * scale } else { scale };
            let reach = if opposite { -reach } else { reach };
            let ([x, _, _, own, copy], _) = cut(self.vectors, [dim; 5])?;
            x.iter_mut().for_each(|x| *x = reach * stream.normal());
            if let Some((point, exact)) = self.user.start(self.index) {
                let about = if exact && trial == 0 { T::ZERO } else { T::ONE };
                copy.iter_mut().zip(point).for_each(|(x, p)| *x = *p);
                self.user.enter(copy, own);
                x.iter_mut().zip(own).for_each(|(x, p)| *x = about * *x + *p);
            }
            if let Some(value) = self.evaluate(0) {
                let scale = self.fresh()?;
                let (bound, fresh, settled) = (-T::INFINITY, true, 0);
                return Some(Numbers { value, since: value, scale, bound, fresh, settled });
            }
        }
        None
    }

    /// H as a multiple of the identity that makes the first step one of length one. Returns it.
    pub(crate) fn fresh(&mut self) -> Option<T> {
        let gradient = self.vectors.get(self.user.dim..)?.get(..self.user.dim)?;
        let length = dot(gradient, gradient).sqrt();
        let c = if length > T::ZERO { T::ONE / length } else { T::ONE };
        self.identity(c)?;
        Some(c)
    }

    /// H becomes c I.
    fn identity(&mut self, c: T) -> Option<()> {
        if self.limited {
            return limited::reset(self.curvature, self.user.dim, Some(c));
        }
        multiple(c, self.curvature);
        Some(())
    }

    /// The direction Hg, and g'Hg.
    pub(crate) fn slope(&mut self) -> Option<T> {
        let ([_, g, direction, ..], _) = cut(self.vectors, [self.user.dim; VECTORS])?;
        if self.limited {
            limited::product(self.curvature, g, direction)?;
        } else {
            product(self.curvature, g, direction);
        }
        Some(dot(g, direction))
    }

    /// One step; whether there is another.
    pub(super) fn step(&mut self, n: &mut Numbers<T>) -> Option<bool> {
        let dim = self.user.dim;
        let mut rise = self.slope()?;
        if !(rise > T::ZERO && rise.is_finite()) {
            let more = !n.fresh;
            // A step may end at the mode to the last digit.
            if more && rise == T::ZERO && n.bound == -T::INFINITY {
                self.consider(n)?;
            }
            self.fresh()?;
            n.fresh = true;
            return Some(more);
        }
        let [a, b] = pair::<T>(NEAR);
        if !n.fresh && rise < a + b * T::of_usize(dim) {
            self.consider(n)?;
        }
        if !n.fresh && rise < T::lit(SETTLED) {
            let little = n.value - n.since < T::lit(GAIN);
            if (n.settled > 0 && little) || n.settled >= SETTLINGS {
                return Some(false);
            }
            n.settled = n.settled.saturating_add(1);
            n.since = n.value;
            self.identity(n.scale)?;
            n.fresh = true;
            rise = self.slope()?;
        }
        let Some([value, _]) = self.search(n.value, rise, T::ONE)? else {
            let more = !n.fresh;
            self.fresh()?;
            n.fresh = true;
            return Some(more);
        };
        n.value = value;
        self.learn(n)?;
        Some(true)
    }

    /// A point along the direction that fulfils the conditions of Wolfe, by bisection from a length on; its value and
    /// length, `None` if log p rises nowhere.
    pub(crate) fn search(&mut self, value: T, rise: T, first: T) -> Option<Option<[T; 2]>> {
        let dim = self.user.dim;
        let (mut length, mut low, mut high) = (first, T::ZERO, T::INFINITY);
        let mut found = None;
        for trial in 0..TRIALS {
            let ([x, _, direction, next, ..], _) = cut(self.vectors, [dim; VECTORS])?;
            for ((n, x), p) in next.iter_mut().zip(&*x).zip(&*direction) {
                *n = *x + length * *p;
            }
            let reached = self.evaluate(3).filter(|v| *v >= value + T::lit(RISE) * length * rise);
            let reached = reached.map(|v| [v, length]);
            found = reached;
            let ([_, _, direction, _, gradient, ..], _) = cut(self.vectors, [dim; VECTORS])?;
            match reached {
                None => high = length,
                Some(_) if dot(gradient, direction) > T::lit(SLOPE) * rise => low = length,
                Some(_) => return Some(reached),
            }
            if found.is_some() && trial > PATIENCE {
                return Some(found);
            }
            let four = T::lit(4.0);
            length = if high < T::INFINITY { T::HALF * (low + high) } else { four * length };
        }
        Some(found)
    }

    /// Takes a step into H, and goes there.
    pub(crate) fn learn(&mut self, n: &mut Numbers<T>) -> Option<()> {
        let h = &mut *self.curvature;
        let ([x, g, _, next, next_g, s, y, hy], _) = cut(self.vectors, [self.user.dim; VECTORS])?;
        for ((s, x), next) in s.iter_mut().zip(&mut *x).zip(&*next) {
            *s = *next - *x;
            *x = *next;
        }
        for ((y, g), next) in y.iter_mut().zip(&mut *g).zip(&*next_g) {
            *y = *g - *next;
            *g = *next;
        }
        let (sy, yy) = (dot(s, y), dot(y, y));
        if !(sy > T::ZERO && yy > T::ZERO && (sy / yy).is_finite()) {
            return Some(());
        }
        let fresh = core::mem::replace(&mut n.fresh, false);
        if fresh {
            n.scale = sy / yy;
        }
        if self.limited {
            return limited::learn(h, s, y, sy);
        }
        if fresh {
            multiple(n.scale, h);
        }
        product(h, y, hy);
        let factor = (T::ONE + dot(hy, y) / sy) / sy;
        update(h, s, hy, [factor, T::ONE / sy]);
        Some(())
    }

    /// Judges N(x, H), and keeps it if it is the best.
    fn consider(&mut self, n: &mut Numbers<T>) -> Option<()> {
        if n.bound == T::INFINITY {
            return Some(());
        }
        let dim = self.user.dim;
        let x = self.vectors.get(..dim)?;
        let (mean, factor) = self.trial.split_at_mut_checked(dim)?;
        mean.iter_mut().zip(x).for_each(|(m, x)| *m = *x);
        factor.iter_mut().zip(&*self.curvature).for_each(|(f, h)| *f = *h);
        if cholesky(factor.as_chunks_mut::<1>().0, dim, T::ZERO) == T::ZERO {
            for_diagonal(factor, dim, |x, _| *x = T::ONE / *x);
            self.judge(&mut n.bound)?;
        }
        Some(())
    }

    /// The evidence bound of the trial, up to a constant; it becomes the best if it is better.
    fn judge(&mut self, bound: &mut T) -> Option<()> {
        if let Some(own) = self.bound(self.seed)?.filter(|own| *own > *bound) {
            *bound = own;
            self.best.iter_mut().zip(&*self.trial).for_each(|(b, t)| *b = *t);
        }
        Some(())
    }

    /// The evidence bound of the best by so many times the draws; nothing where the density of one is not finite.
    pub(super) fn confirm(&mut self, times: u64) -> Option<Option<T>> {
        self.trial.iter_mut().zip(&*self.best).for_each(|(t, b)| *t = *b);
        let mut sum = T::ZERO;
        for k in 0..times {
            match self.bound(self.seed.wrapping_add(k).wrapping_add(1))? {
                Some(own) => sum += own,
                None => return Some(None),
            }
        }
        Some(Some(sum / T::of_usize(usize::try_from(times).ok()?)))
    }

    /// The evidence bound of the trial by the draws of a seed.
    fn bound(&mut self, seed: u64) -> Option<Option<T>> {
        let Self { user, vectors, trial, calls, .. } = self;
        let dim = user.dim;
        let map = Affine::new(trial, dim)?;
        let mut stream = Stream::new(seed, self.index, Purpose::Predictive);
        let ([.., at, gradient, z, _, _], _) = cut(vectors, [dim; VECTORS])?;
        let mut sum = T::ZERO;
        for _ in 0..PAIRS {
            z.iter_mut().for_each(|z| *z = stream.normal());
            for _ in 0..2 {
                map.point(z, at);
                let Some(value) = evaluate(user, at, gradient, calls) else { return Some(None) };
                sum += value + T::HALF * dot(z, z);
                z.iter_mut().for_each(|z| *z = -*z);
            }
        }
        Some(Some(sum / T::of_u32(2 * PAIRS) + map.log_volume()))
    }

    /// Ends an ascent that found no Gaussian: with the one at hand.
    pub(super) fn settle(&mut self, n: &Numbers<T>) -> Option<()> {
        if n.bound > -T::INFINITY {
            return Some(());
        }
        let dim = self.user.dim;
        let (mean, factor) = self.best.split_at_mut_checked(dim)?;
        mean.iter_mut().zip(&*self.vectors).for_each(|(m, x)| *m = *x);
        factor.iter_mut().zip(&*self.curvature).for_each(|(f, h)| *f = *h);
        factorise(factor, dim);
        Some(())
    }

    /// The best Gaussian with the Hessian by differences at its mean, 2 dim evaluations, and a Newton step;
    /// whether another would be worth it.
    pub(super) fn refine(&mut self, bound: &mut T) -> Option<bool> {
        let dim = self.user.dim;
        let before = *bound;
        let (mean, factor) = self.best.split_at_checked(dim)?;
        let map = Affine::new(self.best, dim)?;
        let ([_, gradient, direction, at, own, ..], _) = cut(self.vectors, [dim; VECTORS])?;
        let hessian = &mut *self.curvature;
        hessian.fill(T::ZERO);
        let h = T::lit(DIFFERENCE);
        for j in 0..dim {
            for h in [-h, h] {
                for ((at, m), row) in at.iter_mut().zip(mean).zip(rows(factor)) {
                    *at = *m + h * row.get(j).copied().unwrap_or(T::ZERO);
                }
                if evaluate(&self.user, at, own, self.calls).is_none() {
                    return Some(false);
                }
                map.pull_back(own);
                for (q, g) in own.iter().enumerate() {
                    // Each entry off the diagonal is met twice: the mean of both.
                    let share = if q == j { T::ONE } else { T::HALF };
                    *entry(hessian, q, j)? -= share * *g / (h + h);
                }
            }
        }
        let value = evaluate(&self.user, mean, gradient, self.calls);
        let (blocks, _) = hessian.as_chunks_mut::<1>();
        let (Some(value), true) = (value, cholesky(blocks, dim, T::ZERO) == T::ZERO) else {
            return Some(false);
        };
        // The Newton step.
        map.pull_back(gradient);
        let (step, _) = gradient.as_chunks_mut::<1>();
        solve_lower(blocks, step);
        solve_lower_transposed(blocks, step);
        map.point(gradient, at);
        let higher = evaluate(&self.user, at, own, self.calls).is_some_and(|v| v >= value);
        let (to, inverse) = self.trial.split_at_mut_checked(dim)?;
        let from = if higher { &*at } else { mean };
        to.iter_mut().zip(from).for_each(|(t, x)| *t = *x);
        // L A^-1 L' = (L M)(L M)', M M' = A^-1.
        for j in 0..dim {
            direction.fill(T::ZERO);
            *direction.get_mut(j)? = T::ONE;
            let (column, _) = direction.as_chunks_mut::<1>();
            solve_lower(blocks, column);
            solve_lower_transposed(blocks, column);
            for (i, x) in direction.iter().enumerate().skip(j) {
                *entry(inverse, i, j)? = *x;
            }
        }
        let inverse = inverse.get_mut(..lower_len(dim)?)?;
        if cholesky(inverse.as_chunks_mut::<1>().0, dim, T::ZERO) != T::ZERO {
            return Some(false);
        }
        for_diagonal(inverse, dim, |x, _| *x = T::ONE / *x);
        compose(factor, inverse, dim);
        self.judge(bound)?;
        Some(*bound - before > T::lit(REFINED))
    }
}
