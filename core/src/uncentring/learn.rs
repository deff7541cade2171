//! What hangs on what, from points and the gradients there.

use super::regress::{Fitted, gradients, squares};
use super::{Child, FIELDS, MANY, TERMS, Term, Uncentring};
use crate::pieces::{cut, nth, nth_mut, pieces, pieces_mut, total};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};

/// Points that it is learnt from, at most.
pub const POINTS: usize = 256;

/// Rates that are tried: of logarithms of sds, variances and precisions, as they stand in the precision of another.
const RATES: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
/// Coordinates that are tried as what a width, and what a mean, hangs on: those with the largest correlations.
const WIDTHS: usize = 2;
const MEANS: usize = 3;
/// What a second width must add to the log likelihood of a point, and what a mean must take off the squares left.
const SECOND: f64 = 0.1;
const HALVED: f64 = 0.5;
/// A law is taken where it explains half of a gradient and beats one of constant width by a tenth of a nat a point.
const EXPLAINED: f64 = 0.5;
const GAIN: f64 = 0.1;
/// One of constant width is taken where its mean is curved by this many of its sds over the points, and such a curve is as bad as a
/// width whose logarithm varies by so much of it.
const CURVED: f64 = 0.25;
const CURVE: f64 = 0.2;
/// The share of the squares that is left by a law that is exact, but for rounding, and the share of the points that may be missed.
const EXACT: f64 = 1e-6;
const MISSED: f64 = 0.05;
/// Different widths that all coordinates are asked about.
const SHARED: usize = 4;

/// How far into the neck of a funnel laws are learnt, in logarithms of e.
const DEPTH: f64 = 10.0;

/// Numbers beside a candidate: its gain, and the share of its gradient that it explains.
const BESIDE: usize = 2;
/// States of a coordinate.
const FREE: f64 = 0.0;
const ROOT: f64 = 1.0;
const CHILD: f64 = 2.0;

/// Points with the gradients of log p there, and scratch.
pub struct Samples<'s, T> {
    /// A point and its gradient, for [`put`](Self::put) to take in.
    pub point: &'s mut [T],
    /// See `point`.
    pub gradient: &'s mut [T],
    /// All of them, coordinate by coordinate.
    x: &'s mut [T],
    g: &'s mut [T],
    /// e and the weights of a regression, what it leaves, logarithms of squares.
    columns: [&'s mut [T]; 4],
    centres: &'s mut [T],
    states: &'s mut [T],
    candidates: &'s mut [T],
    count: usize,
    /// Only laws that are exact are taken.
    exact: bool,
}

/// Numbers of room that learning from `count` points takes.
pub fn learning(dim: usize, count: usize) -> Option<usize> {
    let each = count.checked_mul(2)?.checked_add(4 + FIELDS + BESIDE)?;
    total([dim.checked_mul(each)?, count.checked_mul(4)?])
}

impl<'s, T: Real> Samples<'s, T> {
    /// Of `count` points, in [`learning`] numbers; `None` if there are fewer.
    pub fn new(room: &'s mut [T], dim: usize, count: usize) -> Option<Self> {
        let all = dim.checked_mul(count)?;
        let wide = dim.checked_mul(FIELDS + BESIDE)?;
        let (columns, rest) = cut(room, [count; 4])?;
        let sizes = [all, all, dim, dim, wide, dim, dim];
        let ([x, g, centres, states, candidates, point, gradient], _) = cut(rest, sizes)?;
        Some(Self {
            x,
            g,
            columns,
            centres,
            states,
            candidates,
            point,
            gradient,
            count,
            exact: false,
        })
    }

    /// How many points there are to be.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes in the point at hand, with its gradient, as the `k`-th.
    pub fn put(&mut self, k: usize) {
        let Self { x, g, point, gradient, count, .. } = self;
        let all = pieces_mut(x, *count).zip(pieces_mut(g, *count));
        for ((x, g), (point, gradient)) in all.zip(point.iter().zip(&**gradient)) {
            if let Some((x, g)) = x.get_mut(k).zip(g.get_mut(k)) {
                (*x, *g) = (*point, *gradient);
            }
        }
    }

    /// Repeats the first `kept` points until there are all.
    pub fn fill_up(&mut self, kept: usize) {
        let count = self.count;
        for column in pieces_mut(self.x, count).chain(pieces_mut(self.g, count)) {
            let Some((known, rest)) = column.split_at_mut_checked(kept) else { return };
            rest.iter_mut().zip(known.iter().cycle()).for_each(|(to, x)| *to = *x);
        }
    }

    /// Coordinate `j`, its gradients, its centre.
    fn own(&self, j: usize) -> (&[T], &[T], T) {
        let centre = self.centres.get(j).copied().unwrap_or(T::ZERO);
        (nth(self.x, self.count, j), nth(self.g, self.count, j), centre)
    }

    fn dim(&self) -> usize {
        self.centres.len()
    }

    /// The coordinates, but for those left out, that have, or whose squares have, the largest correlations with column `which`,
    /// largest first.
    fn like<const K: usize>(
        &self,
        which: usize,
        squared: bool,
        out: impl Fn(usize) -> bool,
    ) -> [Option<usize>; K] {
        let mut best = [(T::ZERO, None); K];
        let Some(column) = self.columns.get(which) else { return [None; K] };
        let count = T::of_usize(self.count);
        let mean = column.iter().fold(T::ZERO, |sum, c| sum + *c) / count;
        for of in (0..self.dim()).filter(|j| !out(*j)) {
            let term = Term { of, squared };
            let (x, _, centre) = self.own(of);
            let (mut both, mut sum, mut square) = (T::ZERO, T::ZERO, T::ZERO);
            for (c, x) in column.iter().zip(x) {
                let x = term.at(*x - centre);
                both += (*c - mean) * x;
                sum += x;
                square += x * x;
            }
            let square = square - sum * (sum / count);
            let mut next = (both.abs() / square.sqrt(), Some(of));
            for slot in &mut best {
                if next.0 > slot.0 {
                    core::mem::swap(slot, &mut next);
                }
            }
        }
        best.map(|(_, j)| j)
    }

    /// The column of e for these widths.
    fn grow(&mut self, widths: &[(usize, T); MANY]) {
        let Self { x, centres, columns: [e, ..], count, .. } = self;
        e.fill(T::ZERO);
        for (k, rate) in widths {
            let Some(k) = k.checked_sub(1) else { continue };
            let centre = centres.get(k).copied().unwrap_or(T::ZERO);
            e.iter_mut().zip(nth(x, *count, k)).for_each(|(e, x)| *e += *rate * (*x - centre));
        }
        let most = T::lit(60.0);
        e.iter_mut().for_each(|e| *e = exp((*e).min(most).max(-most)));
    }

    /// The log likelihood a point of the squares of gradient `i` with these widths.
    fn likelihood(&mut self, i: usize, widths: &[(usize, T); MANY]) -> T {
        self.grow(widths);
        squares(nth(self.g, self.count, i), self.columns[0]).2
    }

    /// The widths that the squares of gradient `i` hang on, the first and perhaps a second.
    fn widths(&mut self, i: usize) -> Option<[(usize, T); MANY]> {
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
    fn weigh(&mut self, (a, b): (T, T)) {
        let [e, weights, ..] = &mut self.columns;
        for (w, e) in weights.iter_mut().zip(&**e) {
            *w = T::ONE / (a * *e + b).max(T::MIN_POSITIVE).sqrt();
        }
    }

    /// The regression of gradient `i` with these widths, whose column and weights are at hand, and with these means.
    fn regress(&self, i: usize, widths: &[(usize, T); MANY], means: &[Term]) -> Option<Fitted<T>> {
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
    fn fit(&mut self, i: usize, widths: &[(usize, T); MANY]) -> Option<(Child<T>, T, T)> {
        let funnels = widths[0].0 > 0;
        self.grow(widths);
        let (a, b, _) = squares(nth(self.g, self.count, i), self.columns[0]);
        self.weigh((a, b));
        let count = T::of_usize(self.count);
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
        let (whole, child) = (self.whole(i), best.child);
        let explained = T::ONE - best.left / whole;
        let floor = T::lit(EXACT) * whole;
        let mut gain = T::ZERO;
        let [e, weights, ..] = &mut self.columns;
        if funnels {
            // The same with a constant width.
            gain = weights.iter().fold(T::ZERO, |sum, w| sum + ln(*w)) / count;
            e.fill(T::ONE);
            weights.fill(T::ONE);
            let constant = self.regress(i, widths, &means)?.left;
            if !(constant > T::lit(EXACT) * self.whole(i)) {
                return None;
            }
            gain += T::HALF * (ln(constant) - ln(best.left.max(T::MIN_POSITIVE)));
        } else {
            // The same with a straight mean.
            let mut straight: heapless::Vec<Term, TERMS> = heapless::Vec::new();
            for term in means.iter().map(|term| Term { squared: false, ..*term }) {
                if !straight.contains(&term) {
                    straight.push(term).ok()?;
                }
            }
            let left = self.regress(i, widths, &straight)?.left;
            gain += T::HALF * (ln(left.max(floor)) - ln(best.left.max(floor)));
        }
        (child.prior > T::ZERO).then_some((child, gain, explained))
    }

    /// The sum of the squares of gradient `i` in sds, with the weights at hand.
    fn whole(&self, i: usize) -> T {
        let (_, g, _) = self.own(i);
        let scaled = g.iter().zip(&*self.columns[1]).map(|(g, w)| *g * *w);
        scaled.fold(T::ZERO, |sum, x| sum + x * x)
    }

    /// The sd of the logarithm of the width of a coordinate over the points.
    fn spread(&mut self, child: &Child<T>) -> T {
        self.grow(&child.widths);
        let e = &*self.columns[0];
        let log = |e: &T| T::HALF * ln(child.prior * *e + child.data);
        let count = T::of_usize(self.count);
        let mean = e.iter().fold(T::ZERO, |sum, e| sum + log(e)) / count;
        let square = |e| (log(e) - mean) * (log(e) - mean);
        (e.iter().fold(T::ZERO, |sum, e| sum + square(e)) / count).sqrt()
    }

    /// The sd of what squares add to the mean over the points, beside a straight line, in sds of the coordinate: the largest.
    fn curve(&mut self, child: &Child<T>) -> T {
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
    fn holds(&mut self, i: usize, child: &Child<T>) -> bool {
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

    fn state(&self, k: usize) -> T {
        self.states.get(k).copied().unwrap_or(T::NAN)
    }

    fn set(&mut self, k: usize, state: f64) {
        if let Some(slot) = self.states.get_mut(k) {
            *slot = T::lit(state);
        }
    }

    /// Makes the law of coordinate `i` with these widths its candidate, where it gains more than the one before.
    fn try_widths(&mut self, i: usize, widths: &[(usize, T); MANY]) {
        let on_itself = widths.iter().any(|(k, _)| *k == i.saturating_add(1));
        if self.state(i) != T::lit(FREE) || on_itself {
            return;
        }
        let Some((child, gain, explained)) = self.fit(i, widths) else { return };
        let straight = !child.funnels() && !(self.curve(&child) > T::lit(CURVED));
        if straight || self.exact && !self.holds(i, &child) {
            return;
        }
        let to = nth_mut(self.candidates, FIELDS + BESIDE, i);
        if let Some((own, [known, share])) = to.split_last_chunk_mut()
            && gain > *known
        {
            child.write(own);
            (*known, *share) = (gain, explained);
        }
    }

    /// Takes a law, unless what it hangs on hangs on others, or others hang on it.
    fn take(&mut self, i: usize, child: &Child<T>, map: &mut [T]) -> bool {
        let free =
            self.state(i) == T::lit(FREE) && child.on().all(|k| self.state(k) < T::lit(CHILD));
        if free {
            child.write(nth_mut(map, FIELDS, i));
            self.mark(i, child);
        }
        free
    }

    /// Notes that coordinate `i` hangs on others.
    fn mark(&mut self, i: usize, child: &Child<T>) {
        child.on().for_each(|k| self.set(k, ROOT));
        self.set(i, CHILD);
    }
}

/// Learns a map from points and their gradients, in the coordinates of `known`, of which coordinates it takes none again: writes
/// [`FIELDS`] numbers a coordinate, of what is new, and returns by how much the logarithm of a new width varies at most (its sd
/// over the points), 0 where none is new. If `exact`, laws that hold but for rounding are taken alone. About `count dim (dim + 500)` steps of a handful of flops.
pub fn learn<T: Real>(
    samples: &mut Samples<'_, T>,
    known: Option<Uncentring<'_, T>>,
    exact: bool,
    map: &mut [T],
) -> T {
    samples.exact = exact;
    let dim = samples.dim();
    let count = T::of_usize(samples.count);
    for j in 0..dim {
        let (x, ..) = samples.own(j);
        let first = x.first().copied().unwrap_or(T::ZERO);
        let mean = first + x.iter().fold(T::ZERO, |sum, x| sum + (*x - first)) / count;
        if let Some(centre) = samples.centres.get_mut(j) {
            *centre = known.map_or(mean, |known| known.centre(j));
        }
    }
    map.fill(T::ZERO);
    samples.states.fill(T::ZERO);
    samples.candidates.fill(T::ZERO);
    // In the coordinates at hand nothing hangs on what others hung on.
    for (i, _) in known.iter().flat_map(Uncentring::children) {
        samples.set(i, CHILD);
    }
    for i in 0..dim {
        samples.try_widths(i, &[(0, T::ZERO); MANY]);
        let Some(found) = samples.widths(i) else { continue };
        // Squares say on what, gradients say how, and whether a second is one.
        for last in 0..1 + usize::from(found[1].0 > 0) {
            let mut widths = [(0, T::ZERO); MANY];
            widths.iter_mut().zip(found).take(1 + last).for_each(|(to, width)| *to = width);
            for rate in RATES.map(T::lit) {
                widths[last].1 = rate;
                samples.try_widths(i, &widths);
            }
        }
    }
    // Where one coordinate's width hangs on another, that of its like does, however little its own gradients say so.
    let mut shared: heapless::Vec<[(usize, T); MANY], SHARED> = heapless::Vec::new();
    while let Some((_, child)) = best(samples.candidates, &shared) {
        for i in (0..dim).filter(|_| child.funnels()) {
            samples.try_widths(i, &child.widths);
        }
        if shared.push(child.widths).is_err() {
            break;
        }
    }
    let mut most = T::ZERO;
    let round = known.map_or(0, |known| known.rounds).saturating_add(1);
    // The best first: what others hang on is then what explains most.
    while let Some((i, child)) = best(samples.candidates, &[]) {
        nth_mut(samples.candidates, FIELDS + BESIDE, i).fill(T::ZERO);
        if samples.take(i, &Child { round, ..child }, map) {
            most = most.max(samples.spread(&child));
            most = most.max(T::lit(CURVE) * samples.curve(&child));
        }
    }
    for (j, centre) in samples.centres.iter().enumerate() {
        if let Some(last) = nth_mut(map, FIELDS, j).last_mut() {
            *last = *centre;
        }
    }
    most
}

/// The `k`-th point at hand moved into the neck of the funnels of a map, the further the larger `share` is: what widths hang
/// on goes where they shrink, and all keep their places in them.
pub fn deepen<T: Real>(samples: &mut Samples<'_, T>, map: Uncentring<'_, T>, k: usize, share: T) {
    for (x, column) in samples.point.iter_mut().zip(pieces(samples.x, samples.count)) {
        *x = column.get(k).copied().unwrap_or(T::NAN);
    }
    map.enter(samples.point);
    samples.states.fill(T::ZERO);
    for (k, rate) in map.children().flat_map(|(_, child)| child.widths) {
        // Once each, however many hang on it.
        if let Some(k) = k.checked_sub(1).filter(|k| samples.state(*k) == T::lit(FREE)) {
            samples.set(k, ROOT);
            if let Some(x) = samples.point.get_mut(k) {
                *x += share * T::lit(DEPTH) / rate;
            }
        }
    }
    map.leave(samples.point, 1, 0);
}

/// The laws of a map again, from points of which some are in the necks: there they are all prior, and that must be right.
pub fn refine<T: Real>(samples: &mut Samples<'_, T>, map: &mut [T]) {
    for i in 0..samples.dim() {
        let own = nth_mut(map, FIELDS, i);
        let Some(known) = Child::law(own) else { continue };
        let mut means: heapless::Vec<Term, TERMS> = heapless::Vec::new();
        for (term, ..) in known.terms() {
            // There is room for all of them.
            let _ = means.push(term);
        }
        samples.grow(&known.widths);
        samples.weigh((known.prior, known.data));
        let found = samples.regress(i, &known.widths, &means).map(|found| found.child);
        if let Some(child) = found.filter(|child| child.prior > T::ZERO) {
            Child { round: known.round, ..child }.write(own);
        }
    }
}

/// The candidate of the largest gain of those that are strong enough and have other widths than these.
fn best<T: Real>(candidates: &[T], but: &[[(usize, T); MANY]]) -> Option<(usize, Child<T>)> {
    let mut best = None;
    let mut top = T::lit(GAIN);
    for (i, own) in pieces(candidates, FIELDS + BESIDE).enumerate() {
        let (child, [gain, explained]) = own.split_last_chunk()?;
        let child = Child::read(child)?;
        if *gain > top && *explained > T::lit(EXPLAINED) && !but.contains(&child.widths) {
            (top, best) = (*gain, Some((i, child)));
        }
    }
    best
}
