//! What hangs on what, from points and the gradients there.

use super::fit::RATES;
use super::samples::{BESIDE, Samples};
use super::{Child, FIELDS, MANY, TERMS, Term, Uncentring};
use crate::pieces::{nth_mut, pieces};
use crate::scalar::Real;

/// A law is taken where it explains half of a gradient and beats one of constant width by a tenth of a nat a point.
const EXPLAINED: f64 = 0.5;
const GAIN: f64 = 0.1;
/// One of constant width is taken where its mean is curved by this many of its sds over the points, and such a curve is as bad as a
/// width whose logarithm varies by so much of it.
const CURVED: f64 = 0.25;
const CURVE: f64 = 0.2;
/// Different widths that all coordinates are asked about.
const SHARED: usize = 4;

/// How far into the neck of a funnel laws are learnt, in logarithms of e.
const DEPTH: f64 = 10.0;

/// States of a coordinate.
const FREE: f64 = 0.0;
const ROOT: f64 = 1.0;
const CHILD: f64 = 2.0;

impl<T: Real> Samples<'_, T> {
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
            child.on().for_each(|k| self.set(k, ROOT));
            self.set(i, CHILD);
        }
        free
    }
}

/// Learns a map from points and their gradients, in the coordinates of `known`, of which coordinates it takes none again: writes
/// [`FIELDS`] numbers a coordinate, of what is new, and returns by how much the logarithm of a new width varies at most (its sd
/// over the points), 0 where none is new. If `exact`, laws that hold but for rounding are taken alone. About `count dim (dim + 500)`
/// steps of a handful of flops.
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
        if samples.state(i) != T::lit(FREE) {
            continue;
        }
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
