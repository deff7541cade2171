//! Coordinates in which a hierarchy has no funnel and a banana no bend: a triangular map, learnt from gradients, that is exact
//! whatever was learnt.
//!
//! Of a hierarchy as people write it down, x_i ~ N(m, s^2) with s = exp(x_k) and m another coordinate, the width of x_i hangs
//! on x_k, and no linear frame fits the mouth and the neck of that funnel. Given the others, x_i is Gaussian or near it:
//!
//!   d log p / d x_i = -P (x_i - M / P),  P = a e + b,  M = (c + sum_q u_q x_q) e + (f + sum_q v_q x_q),
//!   e = exp(sum_k r_k x_k),
//!
//! a e from the level above and b from the data (all x less their centres). In z_i = (x_i - M / P) sqrt P it is
//! standard normal whatever x_k: non-centring where the data are weak, centring where they are strong, and between. The x_k
//! and x_q stay as they are, so the map is triangular, with log volume -1/2 sum log P.
//!
//! Where e is 1, x_q may be a square, (x_q - centre)^2: the mean of a banana. In its coordinates x_q may be Gaussian given others in
//! turn, which its own gradients say once x_i is straight. Such laws are of the next round; a map has those of all rounds.
//!
//! Coordinates whose support ends somewhere are logarithms or logits first ([`add_edge`]), those with tails as of a power inverse
//! hyperbolic sines ([`add_tails`]).
//!
//! [`learn`] finds P and M by regression of gradients on coordinates. That needs no draws of the posterior, only points about
//! it: the equation holds everywhere. Related: partial non-centring (Papaspiliopoulos, Roberts, Skold 2007), automatic
//! reparameterisation (Gorinova, Moore, Hoffman 2020).

mod density;
mod edges;
mod fit;
mod learn;
mod regress;
mod samples;

pub use density::{Uncentred, room};
pub use edges::{add_edge, add_tails};
pub use learn::{deepen, learn, refine};
pub use samples::{POINTS, Samples, learning};

use edges::{EDGES, Edges};

use crate::pieces::{nth, nth_mut, pieces};
use crate::scalar::Real;
use crate::special::scalar::{exp, ln};

/// Coordinates that a width may hang on, and terms of a mean.
const MANY: usize = 2;
const TERMS: usize = 4;

/// The numbers of a coordinate as they lie in memory: its [edges](add_edge), [a, b, c, f], pairs of k + 1 and r_k, triples of a
/// term (its coordinate or the square of that), u_q and v_q (0: none), the round, the centre.
pub const FIELDS: usize = EDGES + 6 + 2 * MANY + 3 * TERMS;

/// What a mean hangs on: a coordinate less its centre, or the square of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Term {
    of: usize,
    squared: bool,
}

impl Term {
    /// As it lies in memory; 0 is none.
    fn of_code(code: usize) -> Option<Self> {
        let code = code.checked_sub(1)?;
        Some(Self { of: code / 2, squared: code % 2 == 1 })
    }

    fn code(self) -> usize {
        self.of.wrapping_mul(2).wrapping_add(1 + usize::from(self.squared))
    }

    /// Where the coordinate less its centre is `x`.
    fn at<T: Real>(self, x: T) -> T {
        if self.squared { x * x } else { x }
    }

    fn slope<T: Real>(self, x: T) -> T {
        if self.squared { x + x } else { T::ONE }
    }
}

/// A coordinate's law given others; it hangs on none where a is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Child<T> {
    pub prior: T,
    pub data: T,
    pub prior_mean: T,
    pub data_mean: T,
    /// k + 1 (0: none) and r_k.
    pub widths: [(usize, T); MANY],
    /// With u_q and v_q.
    pub means: [(Option<Term>, T, T); TERMS],
    /// In which round it was learnt, from 1 on: in the coordinates of the rounds before.
    pub round: usize,
    pub centre: T,
}

impl<T: Real> Child<T> {
    fn read(numbers: &[T]) -> Option<Self> {
        let (_, numbers) = numbers.split_at_checked(EDGES)?;
        let ([prior, data, prior_mean, data_mean], rest) = numbers.split_first_chunk()?;
        let ([k, r, l, s], rest) = rest.split_first_chunk()?;
        let (terms, rest) = rest.as_chunks::<3>();
        let [round, centre] = *rest else { return None };
        let mut means = [(None, T::ZERO, T::ZERO); TERMS];
        for (to, [term, u, v]) in means.iter_mut().zip(terms) {
            *to = (Term::of_code(term.to_usize()), *u, *v);
        }
        Some(Self {
            prior: *prior,
            data: *data,
            prior_mean: *prior_mean,
            data_mean: *data_mean,
            widths: [(k.to_usize(), *r), (l.to_usize(), *s)],
            means,
            round: round.to_usize(),
            centre,
        })
    }

    /// As [`read`](Self::read); `None` where it hangs on no others.
    fn law(numbers: &[T]) -> Option<Self> {
        Self::read(numbers).filter(|child| child.prior > T::ZERO)
    }

    /// The coordinates that it hangs on.
    fn on(&self) -> impl Iterator<Item = usize> {
        let widths = self.widths.into_iter().filter_map(|(k, _)| k.checked_sub(1));
        widths.chain(self.terms().map(|(term, ..)| term.of))
    }

    fn terms(&self) -> impl Iterator<Item = (Term, T, T)> {
        self.means.into_iter().filter_map(|(term, u, v)| Some((term?, u, v)))
    }

    /// Whether its width hangs on something.
    fn funnels(&self) -> bool {
        self.widths.iter().any(|(k, _)| *k > 0)
    }

    fn write(&self, numbers: &mut [T]) {
        let [(k, r), (l, s)] = self.widths;
        let Self { prior, data, prior_mean, data_mean, centre, .. } = *self;
        let [k, l, round] = [k, l, self.round].map(T::of_usize);
        let first = [prior, data, prior_mean, data_mean, k, r, l, s];
        let code = |term: Option<Term>| T::of_usize(term.map_or(0, Term::code));
        let terms = self.means.into_iter().flat_map(|(term, u, v)| [code(term), u, v]);
        let all = first.into_iter().chain(terms).chain([round, centre]);
        numbers.iter_mut().skip(EDGES).zip(all).for_each(|(to, x)| *to = x);
    }
}

/// The law of a coordinate where the others are: its mean and sd, e, P, and how the mean and log sd grow with the exponent.
struct Local<T> {
    mean: T,
    sd: T,
    growth: T,
    precision: T,
    mean_slope: T,
    sd_slope: T,
}

/// The map. `Copy`; borrows its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Uncentring<'a, T> {
    numbers: &'a [T],
    rounds: usize,
}

impl<'a, T: Real> Uncentring<'a, T> {
    /// Of [`FIELDS`] numbers a coordinate.
    pub fn new(numbers: &'a [T]) -> Self {
        let laws = pieces(numbers, FIELDS).filter_map(Child::law);
        Self { numbers, rounds: laws.fold(0, |last, child| last.max(child.round)) }
    }

    /// Coordinates that hang on others.
    pub fn count(&self) -> usize {
        self.children().count()
    }

    /// Whether a width hangs on something: means alone may.
    pub(crate) fn funnels(&self) -> bool {
        self.children().any(|(_, child)| child.funnels())
    }

    /// The rate at which the logarithm of a precision grows with coordinate `k`, if one hangs on it and it hangs on none itself.
    pub(crate) fn rate(&self, k: usize) -> Option<T> {
        if Child::law(nth(self.numbers, FIELDS, k)).is_some() {
            return None;
        }
        let mut widths = self.children().flat_map(|(_, child)| child.widths);
        widths.find(|(on, _)| *on == k.saturating_add(1)).map(|(_, rate)| rate)
    }

    /// [`FIELDS`] a coordinate.
    pub fn numbers(&self) -> impl Iterator<Item = T> {
        self.numbers.iter().copied()
    }

    fn children(&self) -> impl Iterator<Item = (usize, Child<T>)> {
        pieces(self.numbers, FIELDS).enumerate().filter_map(|(i, own)| Some((i, Child::law(own)?)))
    }

    /// Those of one round.
    fn learnt(&self, round: usize) -> impl Iterator<Item = (usize, Child<T>)> {
        self.children().filter(move |(_, child)| child.round == round)
    }

    /// Coordinates with edges, and with tails.
    pub fn stretched(&self) -> [usize; 2] {
        let tails = self.edges().filter(|(_, own)| matches!(own, Edges::Tails(..))).count();
        [self.edges().count().saturating_sub(tails), tails]
    }

    fn edges(&self) -> impl Iterator<Item = (usize, Edges<T>)> {
        pieces(self.numbers, FIELDS).enumerate().filter_map(|(i, own)| Some((i, Edges::read(own)?)))
    }

    /// Writes the edges and the laws of this map into another that has neither for those coordinates.
    pub(crate) fn join(&self, map: &mut [T]) {
        for (i, own) in pieces(self.numbers, FIELDS).enumerate() {
            let to = nth_mut(map, FIELDS, i);
            if Edges::read(own).is_some() {
                to.iter_mut().zip(own).take(EDGES).for_each(|(to, x)| *to = *x);
            }
            if let Some(child) = Child::law(own) {
                child.write(to);
            }
        }
    }

    fn centre(&self, k: usize) -> T {
        nth(self.numbers, FIELDS, k).last().copied().unwrap_or(T::ZERO)
    }

    /// `at(k)`: coordinate k.
    fn local(&self, child: &Child<T>, at: impl Fn(usize) -> T) -> Local<T> {
        let limit = T::lit(if T::BITS == 32 { 80.0 } else { 600.0 });
        let mut exponent = T::ZERO;
        for (k, rate) in child.widths {
            if let Some(k) = k.checked_sub(1) {
                exponent += rate * (at(k) - self.centre(k));
            }
        }
        let growth = exp(exponent.min(limit).max(-limit));
        let (mut prior_mean, mut data_mean) = (child.prior_mean, child.data_mean);
        for (term, prior, data) in child.terms() {
            let x = term.at(at(term.of) - self.centre(term.of));
            prior_mean += prior * x;
            data_mean += data * x;
        }
        let own = child.prior * growth;
        let precision = own + child.data;
        let mean = (prior_mean * growth + data_mean) / precision;
        let mean_slope = (prior_mean * growth - mean * own) / precision;
        let sd = T::ONE / precision.sqrt();
        let sd_slope = -(T::HALF * (own / precision));
        Local { mean: mean + child.centre, sd, growth, precision, mean_slope, sd_slope }
    }

    /// From z to x in its place, of lane `lane` of `lanes`: coordinate i at `i * lanes + lane`. Returns log |dx / dz|.
    pub fn leave(&self, x: &mut [T], lanes: usize, lane: usize) -> T {
        self.unfold(x, lanes, lane) + self.stretch(x, lanes, lane)
    }

    /// From z to x but for edges and tails: what others hang on first, which was learnt last.
    fn unfold(&self, x: &mut [T], lanes: usize, lane: usize) -> T {
        let mut precisions = T::ZERO;
        for round in (1..=self.rounds).rev() {
            for (i, child) in self.learnt(round) {
                let local = self.local(&child, reader(x, lanes, lane));
                precisions += ln(local.precision);
                if let Some(x) = x.get_mut(place(i, lanes, lane)) {
                    *x = local.mean + local.sd * *x;
                }
            }
        }
        -(T::HALF * precisions)
    }

    /// The rest of the way.
    fn stretch(&self, x: &mut [T], lanes: usize, lane: usize) -> T {
        let mut volume = T::ZERO;
        for (i, edges) in self.edges() {
            if let Some(x) = x.get_mut(place(i, lanes, lane)) {
                let stretched = edges.leave(*x);
                volume += stretched.log;
                *x = stretched.x;
            }
        }
        volume
    }

    /// From x to z in its place.
    pub fn enter(&self, x: &mut [T]) {
        for (i, edges) in self.edges() {
            if let Some(x) = x.get_mut(i) {
                *x = edges.enter(*x);
            }
        }
        for round in 1..=self.rounds {
            for (i, child) in self.learnt(round) {
                let local = self.local(&child, reader(x, 1, 0));
                if let Some(x) = x.get_mut(i) {
                    *x = (*x - local.mean) / local.sd;
                }
            }
        }
    }

    /// Coordinate `i` of z, where x has `at`.
    pub fn own(&self, i: usize, at: impl Fn(usize) -> T) -> T {
        let child = Child::law(nth(self.numbers, FIELDS, i));
        let at = |k: usize| {
            Edges::read(nth(self.numbers, FIELDS, k)).map_or(at(k), |edges| edges.enter(at(k)))
        };
        child.map_or(at(i), |child| {
            let local = self.local(&child, &at);
            (at(i) - local.mean) / local.sd
        })
    }

    /// From the gradient of log p(x) to that of log p(x(z)) + log |dx / dz|, in its place. `z`, and `y` on the way from it to x
    /// ([`unfold`](Self::unfold)): as `gradient` lies.
    fn pull_back(&self, z: &[T], y: &[T], gradient: &mut [T], lanes: usize, lane: usize) {
        let (z, at) = (reader(z, lanes, lane), reader(y, lanes, lane));
        let add = |gradient: &mut [T], k: usize, change: T| {
            if let Some(g) = gradient.get_mut(place(k, lanes, lane)) {
                *g += change;
            }
        };
        for (i, edges) in self.edges() {
            if let Some(g) = gradient.get_mut(place(i, lanes, lane)) {
                let stretched = edges.leave(at(i));
                *g = *g * stretched.slope + stretched.growth;
            }
        }
        for round in 1..=self.rounds {
            for (i, child) in self.learnt(round) {
                let local = self.local(&child, &at);
                let Some(own) = gradient.get_mut(place(i, lanes, lane)) else { return };
                let g = *own;
                *own = g * local.sd;
                let change = g * (local.mean_slope + (local.sd * z(i)) * local.sd_slope);
                for (k, rate) in child.widths {
                    if let Some(k) = k.checked_sub(1) {
                        add(gradient, k, rate * (change + local.sd_slope));
                    }
                }
                for (term, prior, data) in child.terms() {
                    let mean = g * ((prior * local.growth + data) / local.precision);
                    let slope = term.slope(at(term.of) - self.centre(term.of));
                    add(gradient, term.of, mean * slope);
                }
            }
        }
    }
}

fn place(i: usize, lanes: usize, lane: usize) -> usize {
    i.wrapping_mul(lanes).wrapping_add(lane)
}

fn reader<T: Real>(x: &[T], lanes: usize, lane: usize) -> impl Fn(usize) -> T {
    move |k| x.get(place(k, lanes, lane)).copied().unwrap_or(T::NAN)
}
