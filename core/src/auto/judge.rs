//! Whether the chains have been everywhere: R-hat, and their spread beside that of the pilot.
//!
//! Judged by [`PROBES`] functionals, evenly spread over the rows of the data: x.w of one neuron (psi may
//! be flat where the posterior lies, and its spread then hangs on few draws: on G4 the pilot looked up
//! to 1.5 times as wide as chains that mix), the output f(x; W) of several (weights may be permuted from
//! chain to chain; the output may not; so of several layers), of a network E(y). Of a user's density, coordinates.

use crate::density::Extent;
use crate::diagnostics::{self, Draws, Moment, rhat_from_moments};
use crate::likelihood::UserDensity;
use crate::output::Output;
use crate::problem::{Problem, Target};
use crate::sampler::{Column, Sampler};
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::smc::Smc;
use crate::sum::Sum;
use core::cell::Cell;

/// The functionals looked at, at most.
const PROBES: usize = 16;
/// The draws of each chain looked at, at most: evenly spread.
const THIN: usize = 256;

/// The acceptance below which a transition is next to certain to be refused.
const CERTAIN: f64 = 0.01;

/// The functionals of a problem.
pub(super) struct Probes<'p, 'd, T> {
    problem: &'p Problem<'d, T>,
    output: Option<Output<T>>,
    size: usize,
    /// Scratch of a network or of several layers, lent to each call.
    work: Cell<&'p mut [T]>,
}

/// Numbers of scratch that the functionals of a problem need.
pub(super) fn scratch<T: Real>(problem: &Problem<'_, T>) -> usize {
    match problem.likelihood() {
        Target::Network(network) => network.dim().saturating_add(network.scratch()),
        Target::Deep(deep) => deep.function_scratch(),
        _ => 0,
    }
}

impl<'p, 'd, T: AnyLanes> Probes<'p, 'd, T> {
    /// Takes [`scratch`] numbers off the front of `memory`, and hands back the rest.
    pub(super) fn new(
        problem: &'p Problem<'d, T>,
        memory: &'p mut [T],
    ) -> Option<(Self, &'p mut [T])> {
        let (work, rest) = memory.split_at_mut_checked(scratch(problem))?;
        let size = match problem.likelihood() {
            Target::Network(network) => network.rows(),
            Target::Deep(deep) => deep.rows(),
            _ => problem.data().map_or(problem.dim(), |data| data.n()),
        };
        Some((Self { problem, output: problem.output(), size, work: Cell::new(work) }, rest))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        match self.problem.likelihood() {
            Target::User(_) => self.size,
            _ => self.size.min(PROBES),
        }
    }

    /// Functional `k` of the weights w(j). (Compiled once, whatever they are read from.)
    fn at(&self, k: usize, w: &dyn Fn(usize) -> T) -> T {
        let row = k.saturating_mul(self.size).checked_div(self.count()).unwrap_or(0);
        if let Target::Network(network) = self.problem.likelihood() {
            let work = self.work.take();
            let mean = network.mean(row, w, work.as_chunks_mut().0);
            self.work.set(work);
            return mean;
        }
        if let Target::Deep(deep) = self.problem.likelihood() {
            let (inputs, work) = (deep.likelihood().data.inputs, self.work.take());
            let f = deep.function(&inputs, row, w, work.as_chunks_mut().0);
            self.work.set(work);
            return f;
        }
        // In these no tail comes of another coordinate.
        if let Target::User(UserDensity { uncentring: Some(map), .. }) = self.problem.likelihood() {
            return map.own(row, w);
        }
        match (self.output, self.problem.data()) {
            (Some(output), Some(data)) if output.neurons > 1 => output.at(&data.inputs, row, w),
            (_, Some(data)) => {
                let inputs = data.inputs;
                (0..inputs.d()).fold(T::ZERO, |sum, j| sum + inputs.at(row, j) * w(j))
            }
            _ => w(row),
        }
    }

    /// Functional `k` where it is a coordinate: the draws of one chain in `pairs`, from the first on.
    fn coordinate<'s>(
        &self,
        sampler: &'s Sampler<'_, T>,
        k: usize,
        (first, pairs): (usize, usize),
    ) -> Option<Draws<'s, T>> {
        let Target::User(_) = self.problem.likelihood() else { return None };
        let chains = sampler.options().chains as usize;
        let stored = sampler.position().stored;
        let row = sampler.columns().checked_mul(chains)?;
        let own = chains.checked_div(pairs)?;
        let first = k.checked_mul(chains)?.checked_add(first)?;
        Draws::new(sampler.record(), own, stored, first, pairs, row).ok()
    }

    /// Functional `k` of every particle.
    fn of_particles<'s>(&'s self, smc: &'s Smc<'_, T>, k: usize) -> impl Iterator<Item = T> + 's {
        let particles = smc.options().particles as usize;
        let record = smc.record();
        (0..particles).map(move |i| {
            let w = |j: usize| {
                record.get(j.wrapping_mul(particles).wrapping_add(i)).copied().unwrap_or(T::NAN)
            };
            self.at(k, &w)
        })
    }

    /// Functional `k` of the draws of a chain: `count` of them from draw `from`, one in `step`.
    fn of_chain<'s>(
        &'s self,
        sampler: &'s Sampler<'_, T>,
        k: usize,
        chain: usize,
        (from, count, step): (usize, usize, usize),
    ) -> impl Iterator<Item = T> + 's {
        let chains = sampler.options().chains as usize;
        let row = sampler.columns().wrapping_mul(chains);
        let record = sampler.record();
        (0..count).map(move |t| {
            let start =
                t.wrapping_mul(step).wrapping_add(from).wrapping_mul(row).wrapping_add(chain);
            let w = |j: usize| {
                let at = j.wrapping_mul(chains).wrapping_add(start);
                record.get(at).copied().unwrap_or(T::NAN)
            };
            self.at(k, &w)
        })
    }
}

fn average<T: Real>(values: impl Iterator<Item = T>) -> T {
    let (mut sum, mut count) = (Sum::ZERO, 0_usize);
    for x in values {
        sum.add(x);
        count = count.saturating_add(1);
    }
    sum.value() / T::of_usize(count)
}

/// What the chains look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judgement<T> {
    /// The largest split R-hat, of one chain of each pair (of a user's density of the other, too), and the functional of
    /// that.
    pub rhat: T,
    pub slowest: usize,
    /// The largest ratio of the spread of the pilot to the mean spread within a chain.
    pub spread: T,
    /// The most particles of the pilot that lie outside the range of all chains by more than two of its
    /// spreads. (Next to none do where chains mix: 256 particles against 4000 draws.)
    pub strays: u32,
    /// The largest share that these would add to the variance within a chain, if they stood where mass is.
    pub weight: T,
    /// Whether earlier chains have been outside of that range, by as much.
    pub left: bool,
}

/// The mean probability of acceptance.
pub(super) fn acceptance<T: Real>(sampler: &Sampler<'_, T>) -> T {
    let chains = 0..sampler.options().chains as usize;
    average(chains.filter_map(|c| sampler.moments(c, Column::Acceptance)).map(|m| m.mean))
}

/// The share of the transitions that were next to certain to be refused. Of chains whose steps fit everywhere that they have
/// been it is 0: at the mouth of a funnel they are some, however well the chains agree that there is nothing beyond.
pub(super) fn refused<T: Real>(sampler: &Sampler<'_, T>) -> T {
    let all = sampler.draws(Column::Acceptance).map(|draws| {
        let (count, chains) = (draws.draws(), draws.chains());
        let all = (0..count).flat_map(|t| (0..chains).map(move |chain| draws.at(chain, t)));
        average(all.map(|a| if a < T::lit(CERTAIN) { T::ONE } else { T::ZERO }))
    });
    all.unwrap_or(T::ZERO)
}

/// The mean of the chains' E-BFMI ([`diagnostics::e_bfmi`]): 1 where each transition draws the energy anew, and below .6 in
/// a funnel, down whose neck the energy has to grow little by little. (Of one chain alone it is far from exact.)
pub(super) fn energy<T: Real>(sampler: &Sampler<'_, T>) -> T {
    let all = sampler.draws(Column::Energy);
    all.map_or(T::ONE, |d| average((0..d.chains()).map(|chain| diagnostics::e_bfmi(&d, chain))))
}

/// The least effective sample size of the functionals, in bulk and in tail, of one chain of each pair: NaN where one has none.
/// `scratch`: as many numbers as draws are stored, and half as many for what is no coordinate.
pub(super) fn effective<T: AnyLanes>(
    probes: &Probes<'_, '_, T>,
    sampler: &Sampler<'_, T>,
    scratch: &mut [T],
) -> Option<T> {
    let (stored, chains) = (sampler.position().stored, sampler.options().chains as usize);
    let pairs = if sampler.options().antithetic.on() { 2 } else { 1 };
    let mut least = T::INFINITY;
    for k in 0..probes.count() {
        let mut both = |draws: &Draws<'_, T>, room: &mut [T]| {
            for ess in [diagnostics::ess_bulk(draws, room), diagnostics::ess_tail(draws, room)] {
                let ess = ess.unwrap_or(T::NAN);
                // NaN where one is, whatever comes after it.
                least = if ess >= least || !(least <= T::INFINITY) { least } else { ess };
            }
        };
        if let Some(draws) = probes.coordinate(sampler, k, (0, pairs)) {
            both(&draws, scratch);
            continue;
        }
        let own = chains.checked_div(pairs)?;
        let (values, room) = scratch.split_at_mut_checked(own.checked_mul(stored)?)?;
        let all = (0..chains).step_by(pairs);
        let all = all.flat_map(|chain| probes.of_chain(sampler, k, chain, (0, stored, 1)));
        values.iter_mut().zip(all).for_each(|(v, x)| *v = x);
        both(&Draws::chain_major(values, own, stored).ok()?, room);
    }
    Some(least)
}

/// Judges chains, beside a pilot if there was one. `scratch`: as many numbers as draws are stored, of a user's
/// density: what it is like nobody knows, and R-hat is that of ranks and of distances from the median, too. `reach`: of
/// each coordinate of such a density, the range in which all chains have been so far, which this takes in.
pub(super) fn chains<T: AnyLanes>(
    probes: &Probes<'_, '_, T>,
    sampler: &Sampler<'_, T>,
    pilot: Option<&Smc<'_, T>>,
    scratch: &mut [T],
    reach: &mut [T],
) -> Judgement<T> {
    let stored = sampler.position().stored;
    let half = stored / 2;
    let step = half.div_ceil(THIN / 2).max(1);
    let count = half / step;
    let pairs = if sampler.options().antithetic.on() { 2 } else { 1 };
    let chains = sampler.options().chains as usize;
    // A visit to another mode may be one chain's alone: of a user's density the second chains of pairs are asked, too.
    let own = matches!(probes.problem.likelihood(), Target::User(_));
    let sets = if own { pairs } else { 1 };
    let (mut rhat, mut spread, mut strays, mut left) = (T::ZERO, T::ONE, 0, false);
    let (mut weight, mut slowest) = (T::ZERO, 0);
    let (reach, _) = reach.as_chunks_mut::<2>();
    for k in 0..probes.count() {
        let before = rhat;
        for first in 0..sets {
            let halves = (first..chains).step_by(pairs).flat_map(|chain| {
                [0, half].into_iter().map(move |from| (chain, (from, count, step)))
            });
            let moments = halves.clone().map(|(chain, range)| {
                let values = || probes.of_chain(sampler, k, chain, range);
                let mean = average(values());
                let mut sum = Sum::ZERO;
                values().for_each(|x| sum.add((x - mean) * (x - mean)));
                let moment: Moment<T> = [mean, T::ZERO, sum.value(), T::ZERO];
                moment
            });
            // Not 0/0, where a functional does not vary: that of a row of zeros, for one.
            let one = moments.clone().next();
            let constant = one.is_some_and(|[_, _, squares, _]| squares == T::ZERO)
                && moments.clone().all(|m| Some(m) == one);
            if !constant {
                rhat = worse(rhat, rhat_from_moments(count as u64, moments));
                if let Some(draws) = probes.coordinate(sampler, k, (first, pairs)) {
                    rhat = worse(rhat, diagnostics::rhat(&draws, scratch).unwrap_or(T::NAN));
                }
            }
        }
        if rhat > before {
            slowest = k;
        }
        if let Some(pilot) = pilot {
            let step = stored.div_ceil(THIN).max(1);
            let values = |chain| probes.of_chain(sampler, k, chain, (0, stored / step, step));
            let within = average((0..chains).map(|chain| {
                let mean = average(values(chain));
                average(values(chain).map(|x| (x - mean).abs()))
            }));
            let own = average(probes.of_particles(pilot, k));
            let wide = average(probes.of_particles(pilot, k).map(|x| (x - own).abs()));
            // Both 0: a functional that does not vary.
            if wide > T::ZERO {
                spread = worse(spread, wide / within);
            }
            let (low, high) = (0..chains)
                .flat_map(values)
                .fold((T::INFINITY, -T::INFINITY), |(l, h), x| (x.min(l), x.max(h)));
            let (bottom, top) = (low, high);
            let (low, high) = (low - (wide + wide), high + (wide + wide));
            if let Some([least, most]) = reach.get_mut(k) {
                left |= *least < low || *most > high;
                (*least, *most) = (least.min(bottom), most.max(top));
            }
            let out = || probes.of_particles(pilot, k).filter(|x| *x < low || *x > high);
            let count = out().count();
            strays = strays.max(count);
            if count > 0 {
                let variance = average((0..chains).map(|chain| {
                    let mean = average(values(chain));
                    average(values(chain).map(|x| (x - mean) * (x - mean)))
                }));
                let mass = T::of_usize(count) / T::of_u32(pilot.options().particles);
                let far = average(out().map(|x| (x - own) * (x - own)));
                weight = worse(weight, mass * far / variance);
            }
        }
    }
    let strays = u32::try_from(strays).unwrap_or(u32::MAX);
    Judgement { rhat, slowest, spread, strays, weight, left }
}

/// The larger; an infinite one for what is no number.
fn worse<T: Real>(a: T, b: T) -> T {
    if b <= a {
        a
    } else if b > a {
        b
    } else {
        T::INFINITY
    }
}

/// The largest difference of the means of two independent runs, in standard errors: root of
/// sum over families (sum over the family (value - mean)/N)^2, which is on the large side.
/// `scratch` holds as many numbers as the larger run has particles.
pub(super) fn agreement<T: AnyLanes>(
    probes: &Probes<'_, '_, T>,
    a: &Smc<'_, T>,
    b: &Smc<'_, T>,
    scratch: &mut [T],
) -> T {
    let mut worst = T::ZERO;
    for k in 0..probes.count() {
        let mut estimate = |smc: &Smc<'_, T>| {
            let mean = average(probes.of_particles(smc, k));
            scratch.fill(T::ZERO);
            for (x, origin) in probes.of_particles(smc, k).zip(smc.origins()) {
                if let Some(sum) = scratch.get_mut(*origin as usize) {
                    *sum += x - mean;
                }
            }
            let count = T::of_u32(smc.options().particles);
            let mut variance = Sum::ZERO;
            scratch.iter().for_each(|x| variance.add(*x / count * (*x / count)));
            (mean, variance.value())
        };
        let ((m, v), (n, u)) = (estimate(a), estimate(b));
        let error = (v + u).sqrt();
        if (m - n).abs() > T::ZERO {
            worst = worse(worst, (m - n).abs() / error);
        }
    }
    worst
}
