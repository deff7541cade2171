//! Where a density of the user's own ends: at edges of its support, in tails, or nowhere. Asked of the chains of the warm-up.
//!
//! Edges at coordinate planes, as scales without a transform have: the chain with the least (the largest) value of a coordinate
//! goes an sd further. Where that is outside of the support, the edge is between, and if it stands at the same value where three
//! other chains are, it is a plane. A call for each coordinate and side, and sixty for an edge.
//!
//! Tails: from ten to 10^13 sds out along a coordinate, from several chains. Where it falls no faster than
//! x^-4.5 chains would go out and come back too slowly, and take an inverse hyperbolic sine; no faster than 1/x, as under a flat
//! prior for what the data do not tell, there is no finite mass, nor where along rays from the mean it falls no faster than
//! 1/r^dim. Four calls a coordinate, and as many rays. Nor where it is flat along a combination of coordinates, as the sum of
//! two of which the data tell only the difference: found by two gradients a coordinate.
//!
//! Necks: where widths are known to hang on a coordinate ([`crate::uncentring`]), and the density in coordinates without funnel
//! stays as high as it is until widths are next to nothing, there is no finite mass either: a flat prior for the logarithm of a
//! scale that may be 0. Rounding ends such a neck, so that chains see a law with an end.

use super::{ANEW, Auto, IMPROPER, MAPS, SPENT, USUAL};
use crate::likelihood::UserDensity;
use crate::linalg::{
    for_diagonal, lower_len,
    one::{cholesky, dot, solve_lower, solve_lower_transposed},
    rows, rows_mut,
};
use crate::pieces::cut;
use crate::problem::Problem;
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::special::scalar::{exp, ln};
use crate::uncentring::{Uncentring, add_edge, add_tails};
use crate::warmup::ascent::evaluate;
use crate::warmup::{self, Warmup};
use crate::{sampler, smc};
use core::mem::take;

/// Halvings of the way to an edge at most, and how near it must be known, in units of the sd and of itself.
const HALVINGS: usize = 100;
const NEAR: f64 = 4.0;
/// Other chains that must see it, within this of an sd.
const WITNESSES: usize = 3;
const WITHIN: f64 = 1e-3;

/// The least distance at which tails are asked, in sds, and how many times ten times as far: a prior may be a million times as wide
/// as the first frame, and proper.
const FIRST: f64 = 10.0;
const SCALES: usize = 12;
/// The same along a combination of coordinates, which rounding knows less far; rounds of inverse iteration.
const COMBINED: usize = 8;
const ROUNDS: usize = 3;
/// The power of a tail that is long; and how much faster than without an end.
const LONG: f64 = 4.5;
/// Nats below the middle of a law at which nothing of it is left, whatever its tails, and beside twice what these may fall there.
const NO_MASS: f64 = 100.0;
const FASTER: f64 = 0.05;
/// Nats that the density rises by on the way where it has no end.
const ENDLESS: f64 = 1e9;
/// How deep into a neck it is asked, as a share of the logarithm of a rounding error: a law is known to some of them. How much lower
/// the density may be there; chains from which it is asked.
const DEPTH: f64 = 0.55;
const NEVER_SEEN: f64 = 10.0;
const SEERS: usize = 8;
/// Rays from the mean through chains.
const RAYS: usize = 4;

/// Calls of a coordinate at most: two edges and tails, and a neck.
const EACH: u64 =
    (2 * (HALVINGS + 1 + 2 * WITNESSES + WITNESSES * (SCALES + 2)) + 3 * SEERS) as u64;

/// How often coordinates are stretched: far edges are seen once near ones are gone.
const MOST: u64 = 2;

/// A density, and what it is asked with.
struct Asked<'a, 'd, T> {
    user: UserDensity<'d, T>,
    x: &'a mut [T],
    gradient: &'a mut [T],
    calls: u64,
}

impl<T: Real> Asked<'_, '_, T> {
    /// log p at the point at hand.
    fn value(&mut self) -> Option<T> {
        evaluate(&self.user, self.x, self.gradient, &mut self.calls)
    }

    /// The power of r by which the density falls from ten sds on; infinite where it is more than `most`, or not finite, as beyond
    /// an edge, or far below what it is at r = 0: `go(x, r)` puts the point at hand so many sds out.
    fn falls(&mut self, most: T, scales: usize, go: &dyn Fn(&mut [T], T)) -> T {
        let (ten, mut distance) = (T::lit(10.0), T::lit(FIRST));
        let all = T::of_usize(scales) * ln(ten);
        go(self.x, T::ZERO);
        let here = self.value();
        go(self.x, distance);
        let Some(first) = self.value() else { return T::INFINITY };
        // What is so low is no tail, though it may not fall from there on: as where an exponential was clipped.
        let lowest = T::lit(NO_MASS) + T::lit(2.0) * most * ln(ten);
        // Nor can be seen of one what rounding takes.
        let rounded = first.abs() * T::EPSILON > T::lit(FASTER);
        if rounded || here.is_some_and(|here| here - first > lowest) {
            return T::INFINITY;
        }
        let (mut fallen, mut before) = (T::ZERO, T::ZERO);
        for _ in 0..scales {
            (distance, before) = (distance * ten, fallen);
            go(self.x, distance);
            fallen = first - self.value().unwrap_or(-T::INFINITY);
            if !(fallen <= most * all) {
                return T::INFINITY;
            }
        }
        // Of a slope no power tells the end: the law is wider than that, by far more than its sd so far.
        let last = (fallen - before).abs();
        let sloped = last > T::ONE && last > fallen.abs() * T::HALF && fallen > -T::lit(ENDLESS);
        if sloped { T::INFINITY } else { fallen / all }
    }

    /// Whether the point at hand is in the support where coordinate `j` is `at`.
    fn inside(&mut self, j: usize, at: T) -> bool {
        if let Some(x) = self.x.get_mut(j) {
            *x = at;
        }
        self.value().is_some()
    }

    /// Between `inside` and `outside`, the last value outside.
    fn edge(&mut self, j: usize, mut inside: T, mut outside: T, sd: T) -> T {
        for _ in 0..HALVINGS {
            let near = T::lit(NEAR) * T::EPSILON * (sd + outside.abs());
            if (inside - outside).abs() <= near {
                break;
            }
            let middle = T::HALF * (inside + outside);
            let to = if self.inside(j, middle) { &mut inside } else { &mut outside };
            *to = middle;
        }
        outside
    }

    /// The edge within `reach`, an sd with a sign, of the chain that is farthest there; `None` inside where there is none that is a
    /// coordinate plane. `all`: coordinate `j` of each chain.
    fn plane(
        &mut self,
        warmup: &Warmup<'_, T>,
        j: usize,
        all: &[T],
        reach: T,
    ) -> Option<Option<T>> {
        let side = if reach > T::ZERO { T::ONE } else { -T::ONE };
        let (mut first, mut farthest) = (0, -T::INFINITY);
        for (chain, own) in all.iter().enumerate() {
            if side * *own > farthest {
                (first, farthest) = (chain, side * *own);
            }
        }
        let (inside, sd) = (side * farthest, reach.abs());
        warmup.point(first, self.x)?;
        if !(sd > T::ZERO) || self.inside(j, inside + reach) {
            return Some(None);
        }
        let edge = self.edge(j, inside, inside + reach, sd);
        let within = T::lit(WITHIN) * reach;
        for witness in (0..all.len()).filter(|k| *k != first).take(WITNESSES) {
            warmup.point(witness, self.x)?;
            if !self.inside(j, edge - within) || self.inside(j, edge + within) {
                return Some(None);
            }
        }
        Some(Some(edge))
    }

    /// Whether the neck towards which coordinate `k` grows by `reach` for a logarithm of widths has no end, where one of several
    /// chains stands.
    fn neck(&mut self, warmup: &Warmup<'_, T>, k: usize, reach: T) -> Option<bool> {
        let depth = -(T::lit(DEPTH) * ln(T::EPSILON));
        let (third, faster) = (T::lit(1.0 / 3.0), T::lit(FASTER) * ln(T::lit(3.0)));
        let chains = warmup.options().chains as usize;
        // From the chain that is farthest from it.
        let mut farthest = T::INFINITY;
        for chain in 0..chains {
            farthest = farthest.min(warmup.coordinate(chain, k)? / reach);
        }
        for chain in 0..SEERS.min(chains) {
            let mut logs = [T::NAN; 3];
            for (log, share) in logs.iter_mut().zip([None, Some(third), Some(T::ONE)]) {
                warmup.point(chain, self.x)?;
                if let Some((x, share)) = self.x.get_mut(k).zip(share) {
                    *x = (farthest + share * depth) * reach;
                }
                *log = self.value().unwrap_or(-T::INFINITY);
            }
            let [here, on_the_way, there] = logs;
            let seen = |log: T| here - log <= T::lit(NEVER_SEEN);
            if on_the_way - there <= faster && seen(on_the_way) && seen(there) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the density does not fall along a combination of coordinates from a chain at `from`. The combination, in units of
    /// `units`, is written to `along`: what is nearest to a null vector of the differences of the gradient, which one that nothing
    /// hangs on is for steps of any length. `false` without room for their squares.
    fn flat(
        &mut self,
        from: &[T],
        units: &[T],
        [along, spare]: [&mut [T]; 2],
        room: &mut [T],
    ) -> bool {
        let dim = from.len();
        let Some(squares) = lower_len(dim).and_then(|length| room.get_mut(..length)) else {
            return false;
        };
        squares.fill(T::ZERO);
        for j in 0..dim {
            spare.fill(T::ZERO);
            for side in [T::ONE, -T::ONE] {
                self.x.iter_mut().zip(from).for_each(|(x, from)| *x = *from);
                if let (Some(x), Some(unit)) = (self.x.get_mut(j), units.get(j)) {
                    *x += side * *unit;
                }
                if self.value().is_none() {
                    return false;
                }
                let all = spare.iter_mut().zip(&*self.gradient).zip(units);
                all.for_each(|((s, g), unit)| *s += side * *g * *unit);
            }
            for (row, (k, own)) in rows_mut(squares).zip(spare.iter().enumerate()) {
                let both = row.iter_mut().zip(&*spare).take(k.saturating_add(1));
                both.for_each(|(to, other)| *to += *own * *other);
            }
        }
        let mut trace = T::ZERO;
        for_diagonal(squares, dim, |x, _| trace += *x);
        for_diagonal(squares, dim, |x, _| *x += T::EPSILON * trace);
        let (blocks, _) = squares.as_chunks_mut::<1>();
        cholesky(blocks, dim, T::EPSILON);
        along.fill(T::ONE);
        for _ in 0..ROUNDS {
            let (x, _) = along.as_chunks_mut::<1>();
            solve_lower(blocks, x);
            solve_lower_transposed(blocks, x);
            let largest = along.iter().fold(T::ZERO, |most, d| most.max(d.abs()));
            if !(largest > T::ZERO && largest.is_finite()) {
                return false;
            }
            along.iter_mut().for_each(|d| *d = *d / largest);
        }
        let widest =
            along.iter().zip(units).fold(T::ZERO, |most, (d, u)| most.max((*d * *u).abs()));
        let unit = self.user.scale / widest;
        let along = &*along;
        let most = T::lit(1.0 + FASTER);
        [unit, -unit].into_iter().all(|unit| {
            let power = self.falls(most, COMBINED, &|x: &mut [T], r| {
                for ((x, from), (d, u)) in x.iter_mut().zip(from).zip(along.iter().zip(units)) {
                    *x = *from + r * (unit * (*d * *u));
                }
            });
            power <= most
        })
    }

    /// The power of the tail of coordinate `j` from `centre` on, in steps of `reach`: the largest that several chains see, infinite
    /// where it is not long.
    fn tail(&mut self, warmup: &Warmup<'_, T>, j: usize, centre: T, reach: T) -> Option<T> {
        let mut power = T::ZERO;
        for chain in (0..warmup.options().chains as usize).take(WITNESSES) {
            warmup.point(chain, self.x)?;
            let own = self.falls(T::lit(LONG), SCALES, &|x: &mut [T], r| {
                if let Some(x) = x.get_mut(j) {
                    *x = centre + reach * r;
                }
            });
            power = power.max(own);
            if !(power <= T::lit(LONG)) {
                break;
            }
        }
        Some(power)
    }
}

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    /// Looks for edges, tails and mass without end. Where there is something to stretch all begins again in coordinates that need
    /// none, and this says so.
    pub(super) fn ends(&mut self, problem: &Problem<'_, T>) -> Option<bool> {
        let Some(user) = problem.own() else { return Some(false) };
        let price = (user.dim as u64).saturating_add(1).saturating_mul(EACH);
        if self.left().saturating_sub(self.running()) < price {
            return Some(false);
        }
        let (room, map) = (take(&mut self.parts.learning), take(&mut self.parts.draft));
        map.fill(T::ZERO);
        let warmup = Warmup::open(self.parts.warmup, self.isa).ok();
        let found = warmup.and_then(|warmup| find(user, &warmup, room, map));
        let [edges, tails] = Uncentring::new(map).stretched();
        (self.parts.learning, self.parts.draft) = (room, map);
        let found = found?;
        self.set(SPENT, self.word(SPENT).saturating_add(found.calls));
        if let Some(along) = found.endless {
            self.set(IMPROPER, along.map_or(u64::MAX, |j| (j as u64).saturating_add(1)));
            return Some(false);
        }
        // What others hang on stays as it is.
        let open = user.uncentring.is_none_or(|known| known.count() == 0);
        let stretch = edges.saturating_add(tails) > 0 && open && self.word(MAPS) < MOST;
        if stretch && self.may_begin_anew() {
            if let Some(known) = user.uncentring {
                known.join(self.parts.draft);
            }
            self.set(MAPS, self.word(MAPS).saturating_add(1));
            self.forget(USUAL, ANEW);
            return Some(true);
        }
        Some(false)
    }
}

impl<T: AnyLanes> Auto<'_, T> {
    /// A coordinate along which the density rises from a start on without end, if there is one: chains would run off along it.
    pub(super) fn rises(&mut self, user: UserDensity<'_, T>) -> Option<Option<u64>> {
        let dim = user.dim;
        if self.left() < (dim as u64).saturating_mul(2).saturating_add(1) {
            return Some(None);
        }
        let room = take(&mut self.parts.stein);
        let ([x], _) = cut(&mut *room, [dim])?;
        let start = user.start(0).map(|(start, _)| start);
        let begin = |k: usize| start.and_then(|start| start.get(k)).copied().unwrap_or(T::ZERO);
        x.iter_mut().enumerate().for_each(|(k, x)| *x = begin(k));
        let far = user.scale * exp(T::of_usize(SCALES) * ln(T::lit(10.0)));
        let value = |x: &[T]| user.density.evaluate(x, None).filter(|value| value.is_finite());
        let (mut calls, mut rising) = (1_u64, None);
        if let Some(here) = value(x) {
            rising = (0..dim).find(|k| {
                let mut rises = |side: T| {
                    x.get_mut(*k).into_iter().for_each(|x| *x = begin(*k) + side);
                    calls = calls.saturating_add(1);
                    value(x).is_some_and(|there| there - here > T::lit(ENDLESS))
                };
                let either = rises(far) || rises(-far);
                x.get_mut(*k).into_iter().for_each(|x| *x = begin(*k));
                either
            });
        }
        self.parts.stein = room;
        self.begin();
        self.set(SPENT, self.word(SPENT).saturating_add(calls));
        Some(rising.map(|k| k as u64))
    }
}

/// What was found: whether there is no finite mass, perhaps along a coordinate, and the calls that it took.
struct Found {
    endless: Option<Option<usize>>,
    calls: u64,
}

/// Writes edges that are coordinate planes, and tails, into a map.
fn find<T: Real>(
    user: UserDensity<'_, T>,
    warmup: &Warmup<'_, T>,
    room: &mut [T],
    map: &mut [T],
) -> Option<Found> {
    let dim = user.dim;
    let chains = warmup.options().chains as usize;
    let ([x, gradient, from, along, spare, units, all], rest) =
        cut(room, [dim, dim, dim, dim, dim, dim, chains])?;
    let mut asked = Asked { user, x, gradient, calls: 0 };
    let (mean, factor) = warmup.frame_so_far().split_at_checked(dim)?;
    // Of what is un-centred all was asked before. Deep in a neck its coordinates move nothing, which is no tail.
    let asked_before = user.uncentring.is_some_and(|known| known.count() > 0);
    for (j, row) in rows(factor).enumerate().filter(|_| !asked_before) {
        let sd = dot(row, row).sqrt();
        for (chain, own) in all.iter_mut().enumerate() {
            *own = warmup.coordinate(chain, j)?;
        }
        let mut bounded = false;
        for (above, reach) in [(false, -sd), (true, sd)] {
            if let Some(edge) = asked.plane(warmup, j, all, reach)? {
                add_edge(map, j, above, edge);
                bounded = true;
            }
        }
        // A mean hangs on the farthest.
        let centre = median(all)?;
        let mut long = false;
        // A frame that chains have not learnt may be far too narrow.
        let reach = sd.max(user.scale);
        for reach in [-reach, reach] {
            let power = asked.tail(warmup, j, centre, reach)?;
            if power <= T::lit(1.0 + FASTER) {
                return Some(Found { endless: Some(Some(j)), calls: asked.calls });
            }
            long |= power <= T::lit(LONG);
        }
        if long && !bounded {
            all.iter_mut().for_each(|x| *x = (*x - centre).abs());
            let scale = median(all)?;
            if scale > T::ZERO {
                add_tails(map, j, centre, scale);
            }
        }
    }
    for k in 0..dim {
        // Precisions grow as widths shrink, by their squares.
        let Some(rate) = user.uncentring.and_then(|known| known.rate(k)) else { continue };
        if asked.neck(warmup, k, T::lit(2.0) / rate)? {
            return Some(Found { endless: Some(Some(k)), calls: asked.calls });
        }
    }
    if !asked_before && dim > 1 {
        // Chains may have run far off along it.
        let mut nearest = (0, T::INFINITY);
        for chain in 0..chains {
            warmup.point(chain, from)?;
            let far = from.iter().fold(T::ZERO, |most, x| most.max(x.abs()));
            if far < nearest.1 {
                nearest = (chain, far);
            }
        }
        warmup.point(nearest.0, from)?;
        for (unit, row) in units.iter_mut().zip(rows(factor)) {
            *unit = dot(row, row).sqrt().min(user.scale);
        }
        if asked.flat(from, units, [&mut *along, spare], rest) {
            let largest = along.iter().position(|d| d.abs() == T::ONE);
            return Some(Found { endless: Some(largest), calls: asked.calls });
        }
    }
    let (most, mut endless) = (T::of_usize(dim) + T::lit(FASTER), true);
    for chain in (0..chains).take(RAYS) {
        if !endless {
            break;
        }
        warmup.point(chain, from)?;
        let power = asked.falls(most, SCALES, &|x: &mut [T], r| {
            for ((x, from), m) in x.iter_mut().zip(&*from).zip(mean) {
                *x = *m + r * (*from - *m);
            }
        });
        endless = power <= most;
    }
    Some(Found { endless: endless.then_some(None), calls: asked.calls })
}

/// The one of these in the middle.
fn median<T: Real>(all: &[T]) -> Option<T> {
    let half = all.len() / 2;
    let count = |less: &dyn Fn(T) -> bool| all.iter().filter(|x| less(**x)).count();
    all.iter().copied().find(|m| count(&|x| x < *m) <= half && count(&|x| x <= *m) > half)
}
