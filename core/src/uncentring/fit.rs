//! The law of one coordinate, by regressions of its gradients, and what it is worth.

use super::regress::{Fitted, gradients, squares};
use super::samples::Samples;
use super::{Child, MANY, TERMS, Term};
use crate::pieces::nth;
use crate::scalar::Real;
use crate::special::scalar::ln;

/// Rates that are tried: of logarithms of sds, variances and precisions, as they stand in the precision of another.
pub(super) const RATES: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
/// Coordinates that are tried as what a width, and what a mean, hangs on: those with the largest correlations.
const WIDTHS: usize = 2;
const MEANS: usize = 3;
/// What a second width must add to the log likelihood of a point, and what a mean must take off the squares left.
const SECOND: f64 = 0.1;
const HALVED: f64 = 0.5;
/// The share of the squares that is left by a law that is exact, but for rounding, and the share of the points that may be missed.
const EXACT: f64 = 1e-6;
const MISSED: f64 = 0.05;

impl<T: Real> Samples<'_, T> {
    /// The log likelihood a point of the squares of gradient `i` with these widths.
    fn likelihood(&mut self, i: usize, widths: &[(usize, T); MANY]) -> T {
        self.grow(widths);
        squares(nth(self.g, self.count, i), self.columns[0]).2
    }

    /// The widths that the squares of gradient `i` hang on, the first and perhaps a second.
    pub(super) fn widths(&mut self, i: usize) -> Option<[(usize, T); MANY]> {
        let none = (0, T::ZERO);
        let mut found = [none; MANY];
        let mut best = -T::INFINITY;
        for second in [false, true] {
            let mut next = found;
            if second {
                self.grow(&found);
                let (a, b, _) = squares(nth(self.g, self.count, i), self.columns[0]);
                self.columns[0].iter_mut().for_each(|e| *e = a * *e + b);
            } else {
                self.columns[0].fill(T::ONE);
            }
            let [e, _, _, logs] = &mut self.columns;
            for ((log, g), law) in logs.iter_mut().zip(nth(self.g, self.count, i)).zip(&**e) {
                *log = ln((*g * (*g / *law)).max(T::MIN_POSITIVE));
            }
            let first = found[0].0.checked_sub(1).unwrap_or(i);
            let least = if second { best + T::lit(SECOND) } else { best };
            let mut top = least;
            let out = |j: usize| j == i || j == first;
            for k in self.like::<WIDTHS>(3, false, out).into_iter().flatten() {
                for rate in RATES.map(T::lit) {
                    let mut trial = found;
                    trial[second as usize] = (k.saturating_add(1), rate);
                    let likelihood = self.likelihood(i, &trial);
                    if likelihood > top {
                        (top, next) = (likelihood, trial);
                    }
                }
            }
            (found, best) = (next, top);
        }
        (found[0].0 > 0).then_some(found)
    }

    /// Weights for the widths at hand, 1 / sd of a law of gradient `i`.
    pub(super) fn weigh(&mut self, (a, b): (T, T)) {
        let [e, weights, ..] = &mut self.columns;
        for (w, e) in weights.iter_mut().zip(&**e) {
            *w = T::ONE / (a * *e + b).max(T::MIN_POSITIVE).sqrt();
        }
    }

    /// The regression of gradient `i` with these widths, whose column and weights are at hand, and with these means.
    pub(super) fn regress(
        &self,
        i: usize,
        widths: &[(usize, T); MANY],
        means: &[Term],
    ) -> Option<Fitted<T>> {
        let none = Term { of: i, squared: false };
        let mut all: [(Term, &[T], T); TERMS] = [(none, &[], T::ZERO); TERMS];
        for (to, term) in all.iter_mut().zip(means) {
            let (x, _, centre) = self.own(term.of);
            *to = (*term, x, centre);
        }
        let (x, g, centre) = self.own(i);
        let [e, weights, ..] = &self.columns;
        let mut found = gradients((x, centre), g, (e, weights), all.get(..means.len())?)?;
        found.child.widths = *widths;
        Some(found)
    }

    /// What is left of gradient `i`, less its law, times e and the weights: what a mean would explain.
    fn leave(&mut self, i: usize, child: &Child<T>) {
        let Self { x, g, columns: [e, weights, left, _], centres, count, .. } = self;
        let rows = nth(g, *count, i).iter().zip(nth(x, *count, i)).zip(&**e).zip(&**weights);
        for (t, (left, (((g, own), e), w))) in left.iter_mut().zip(rows).enumerate() {
            let (mut c, mut f) = (child.prior_mean, child.data_mean);
            for (term, u, v) in child.terms() {
                let centre = centres.get(term.of).copied().unwrap_or(T::ZERO);
                let x = nth(x, *count, term.of).get(t).copied().unwrap_or(T::ZERO) - centre;
                let x = term.at(x);
                (c, f) = (c + u * x, f + v * x);
            }
            let law = (c * *e + f) - (child.prior * *e + child.data) * (*own - child.centre);
            *left = (*g - law) * (*w * *w * *e);
        }
    }

    /// Adds to a mean the coordinate that takes most off the squares left, or such a coordinate and its square, if that is enough.
    fn add(
        &mut self,
        i: usize,
        widths: &[(usize, T); MANY],
        known: &mut (heapless::Vec<Term, TERMS>, Fitted<T>),
        squared: bool,
    ) -> Option<bool> {
        let (means, best) = known;
        let mut next = None;
        for again in [false, true].into_iter().take(if squared || widths[0].0 > 0 { 2 } else { 1 })
        {
            self.leave(i, &best.child);
            // A gradient is like nothing that its law hangs on, but coordinates are like the squares that they hang on; and few
            // points in the neck of a funnel may outweigh all others.
            let centre = self.own(i).2;
            let x = nth(self.x, self.count, i);
            let [e, _, left, _] = &mut self.columns;
            match (again, squared) {
                (false, _) => {}
                (true, true) => left.iter_mut().zip(x).for_each(|(to, x)| *to = *x - centre),
                (true, false) => left.iter_mut().zip(&**e).for_each(|(to, e)| *to = *to / *e),
            }
            let out = |j: usize| {
                j == i
                    || widths.iter().any(|(k, _)| *k == j.saturating_add(1))
                    || means.contains(&Term { of: j, squared })
            };
            for of in self.like::<MEANS>(2, squared, out).into_iter().flatten() {
                let mut with = means.clone();
                for squared in [false, true].into_iter().take(1 + usize::from(squared)) {
                    let term = Term { of, squared };
                    if !with.contains(&term) {
                        with.push(term).ok()?;
                    }
                }
                let trial = self.regress(i, widths, &with)?;
                let least = next
                    .as_ref()
                    .map_or(T::lit(HALVED) * best.left, |(_, f): &(_, Fitted<T>)| f.left);
                if trial.left < least {
                    next = Some((with, trial));
                }
            }
        }
        let found = next.is_some();
        next.into_iter().for_each(|next| *known = next);
        Some(found)
    }

    /// The law of coordinate `i` with these widths, its gain and the share explained. Without widths its mean has squares.
    pub(super) fn fit(
        &mut self,
        i: usize,
        widths: &[(usize, T); MANY],
    ) -> Option<(Child<T>, T, T)> {
        let funnels = widths[0].0 > 0;
        self.grow(widths);
        let (a, b, _) = squares(nth(self.g, self.count, i), self.columns[0]);
        self.weigh((a, b));
        let exact = T::lit(EXACT) * self.whole(i);
        let mut known = (heapless::Vec::new(), self.regress(i, widths, &[])?);
        for squared in [true, false].into_iter().skip(usize::from(funnels)) {
            let room = TERMS.saturating_sub(usize::from(squared));
            while known.0.len() < room
                && known.1.left > exact
                && self.add(i, widths, &mut known, squared)?
            {}
            if squared && known.0.is_empty() {
                return None;
            }
        }
        let (means, mut best) = known;
        // Once more by the law that this found: squares say less of it than the gradients do.
        if best.child.prior > T::ZERO {
            self.weigh((best.child.prior, best.child.data));
            best = self.regress(i, widths, &means)?;
        }
        let explained = T::ONE - best.left / self.whole(i);
        let gain = if funnels {
            self.gain_of_widths(i, widths, &means, best.left)?
        } else {
            self.gain_of_squares(i, widths, &means, best.left)?
        };
        (best.child.prior > T::ZERO).then_some((best.child, gain, explained))
    }

    /// What a law that leaves so much gains beside the same with a constant width, in nats a point; `None` where that is exact.
    fn gain_of_widths(
        &mut self,
        i: usize,
        widths: &[(usize, T); MANY],
        means: &[Term],
        left: T,
    ) -> Option<T> {
        let [e, weights, ..] = &mut self.columns;
        let logs = weights.iter().fold(T::ZERO, |sum, w| sum + ln(*w)) / T::of_usize(self.count);
        e.fill(T::ONE);
        weights.fill(T::ONE);
        let constant = self.regress(i, widths, means)?.left;
        let gain = logs + T::HALF * (ln(constant) - ln(left.max(T::MIN_POSITIVE)));
        (constant > T::lit(EXACT) * self.whole(i)).then_some(gain)
    }

    /// The same beside a straight mean.
    fn gain_of_squares(
        &self,
        i: usize,
        widths: &[(usize, T); MANY],
        means: &[Term],
        left: T,
    ) -> Option<T> {
        let mut straight: heapless::Vec<Term, TERMS> = heapless::Vec::new();
        for term in means.iter().map(|term| Term { squared: false, ..*term }) {
            if !straight.contains(&term) {
                straight.push(term).ok()?;
            }
        }
        let floor = T::lit(EXACT) * self.whole(i);
        let line = self.regress(i, widths, &straight)?.left;
        Some(T::HALF * (ln(line.max(floor)) - ln(left.max(floor))))
    }

    /// The sum of the squares of gradient `i` in sds, with the weights at hand.
    fn whole(&self, i: usize) -> T {
        let (_, g, _) = self.own(i);
        let scaled = g.iter().zip(&*self.columns[1]).map(|(g, w)| *g * *w);
        scaled.fold(T::ZERO, |sum, x| sum + x * x)
    }

    /// The sd of the logarithm of the width of a coordinate over the points.
    pub(super) fn spread(&mut self, child: &Child<T>) -> T {
        self.grow(&child.widths);
        let e = &*self.columns[0];
        let log = |e: &T| T::HALF * ln(child.prior * *e + child.data);
        let count = T::of_usize(self.count);
        let mean = e.iter().fold(T::ZERO, |sum, e| sum + log(e)) / count;
        let square = |e| (log(e) - mean) * (log(e) - mean);
        (e.iter().fold(T::ZERO, |sum, e| sum + square(e)) / count).sqrt()
    }

    /// The sd of what squares add to the mean over the points, beside a straight line, in sds of the coordinate: the largest.
    pub(super) fn curve(&mut self, child: &Child<T>) -> T {
        self.grow(&child.widths);
        let (e, count) = (&*self.columns[0], T::of_usize(self.count));
        let mut most = T::ZERO;
        for (term, u, v) in child.terms().filter(|(term, ..)| term.squared) {
            let (x, _, centre) = self.own(term.of);
            // Of a line through what it adds: sums of 1, x, x^2, y, x y, y^2.
            let (mut x1, mut x2, mut y1, mut xy, mut y2) =
                (T::ZERO, T::ZERO, T::ZERO, T::ZERO, T::ZERO);
            for (x, e) in x.iter().zip(e) {
                let x = *x - centre;
                let y = (u * *e + v) / (child.prior * *e + child.data).sqrt() * (x * x);
                (x1, x2) = (x1 + x, x2 + x * x);
                (y1, xy, y2) = (y1 + y, xy + x * y, y2 + y * y);
            }
            let [xx, xy, yy] = [(x1, x1, x2), (x1, y1, xy), (y1, y1, y2)]
                .map(|(a, b, both)| both / count - (a / count) * (b / count));
            most = most.max((yy - xy * (xy / xx)).max(T::ZERO).sqrt());
        }
        most
    }

    /// Whether the law of coordinate `i` is exact at all but a few points: a sum of squares may be that of one of them.
    pub(super) fn holds(&mut self, i: usize, child: &Child<T>) -> bool {
        self.grow(&child.widths);
        self.columns[1].fill(T::ONE);
        self.leave(i, child);
        let (_, g, _) = self.own(i);
        let [e, _, left, _] = &self.columns;
        let missed = left.iter().zip(&**e).zip(g).filter(|((left, e), g)| {
            let left = **left / **e;
            !(left * left <= T::lit(EXACT) * (**g * **g))
        });
        T::of_usize(missed.count()) <= T::lit(MISSED) * T::of_usize(self.count)
    }
}
