//! One block of chains at work.

use super::layout::{Parts, REPLICA, STATISTICS, Shape};
use crate::kernel::adapt::{FIELDS, StepSize};
use crate::kernel::hmc::{self, State, Trajectory, Work};
use crate::object::record::write;
use crate::pieces::{pieces, pieces_mut};
use crate::problem::Problem;
use crate::random::{Stream, normals_on, uniforms};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, part};
use crate::special;
use crate::sum::two_sum;
use crate::tempered::Tempered;

/// N chains and what they share.
pub(super) struct Block<'b, 'd, T, const N: usize> {
    isa: Isa,
    shape: &'b Shape<T>,
    problem: &'b Problem<'d, T>,
    /// Its number.
    index: usize,
    /// Iterations finished, warm-up included.
    iteration: u32,
    temperatures: &'b [T],
    /// Chain by chain: those of the rungs, and that of the swaps.
    streams: &'b mut [[u32; 4]],
    replicas: &'b mut [[T; N]],
    steps: &'b mut [[T; N]],
    statistics: &'b mut [[T; N]],
    restarts: &'b mut [u32],
    work: &'b mut [[T; N]],
}

/// One replica, from its blocks.
struct Replica<'s, T, const N: usize> {
    /// Value and gradient times the scale of the rung.
    state: State<'s, T, N>,
    /// 1 where it came from the prior's rung and has not been at lambda = 1 since, else 0.
    fresh: &'s mut [T; N],
}

impl<'s, T, const N: usize> Replica<'s, T, N> {
    /// That of a rung, of those of a block.
    fn of(blocks: &'s mut [[T; N]], latent: usize, rung: usize) -> Option<Self> {
        let length = latent.checked_mul(2)?.checked_add(REPLICA)?;
        let own = blocks.get_mut(rung.checked_mul(length)?..)?.get_mut(..length)?;
        let (position, rest) = own.split_at_mut_checked(latent)?;
        let (gradient, rest) = rest.split_at_mut_checked(latent)?;
        let [value, fresh] = rest else { return None };
        Some(Self { state: State { position, gradient, value }, fresh })
    }
}

/// Adds to a sum and its lost digits, lane by lane.
fn add<T: Real, const N: usize>(sum: &mut [T; N], lost: &mut [T; N], x: &[T; N]) {
    for ((sum, lost), x) in sum.iter_mut().zip(lost).zip(x) {
        let (next, e) = two_sum(*sum, *x);
        *sum = next;
        *lost += e;
    }
}

fn exp<T: Real, const N: usize>(x: [T; N]) -> [T; N] {
    x.map(special::scalar::exp)
}

impl<'b, 'd, T: Lanes<N>, const N: usize> Block<'b, 'd, T, N> {
    /// Block `index` in iteration `iteration`.
    pub(super) fn new(
        isa: Isa,
        shape: &'b Shape<T>,
        parts: &'b mut Parts<'_, T>,
        problem: &'b Problem<'d, T>,
        (index, iteration): (usize, u32),
    ) -> Option<Self> {
        let (temperatures, rungs) = (shape.temperatures(), shape.rungs());
        let own = rungs.checked_add(1)?.checked_mul(N)?;
        let start = own.checked_mul(index)?;
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        let first = index.checked_mul(N)?;
        Some(Self {
            isa,
            shape,
            problem,
            index,
            iteration,
            temperatures: parts.temperatures,
            streams: streams.get_mut(start..start.checked_add(own)?)?,
            replicas: part(parts.replicas, index, rungs.checked_mul(shape.replica())?)?,
            steps: part(parts.steps, index, temperatures.checked_mul(FIELDS)?)?,
            statistics: part(parts.statistics, index, temperatures.checked_mul(STATISTICS)?)?,
            restarts: parts.restarts.get_mut(first..first.checked_add(N)?)?,
            work: part(parts.work, 0, hmc::work_len(shape.problem.latent, shape.problem.scratch)?)?,
        })
    }

    /// The streams of one rung, or (K + 1) of the swaps.
    fn load(&self, rung: usize) -> [Stream; N] {
        let mut streams = [Stream::from_words([0; 4]); N];
        let chains = pieces(self.streams, self.shape.rungs().saturating_add(1));
        for (stream, words) in streams.iter_mut().zip(chains) {
            if let Some(words) = words.get(rung) {
                *stream = Stream::from_words(*words);
            }
        }
        streams
    }

    fn store(&mut self, rung: usize, streams: &[Stream; N]) {
        let chains = pieces_mut(self.streams, self.shape.rungs().saturating_add(1));
        for (stream, words) in streams.iter().zip(chains) {
            if let Some(words) = words.get_mut(rung) {
                *words = stream.words();
            }
        }
    }

    /// lambda of a rung.
    fn temperature(&self, rung: usize) -> T {
        let below = rung.checked_sub(1);
        below.and_then(|k| self.temperatures.get(k)).copied().unwrap_or(T::ZERO)
    }

    /// The factor of a rung's values and gradients: lambda, and 1 at the prior.
    fn scale(&self, rung: usize) -> T {
        if rung == 0 { T::ONE } else { self.temperature(rung) }
    }

    /// The statistics of the temperature of rung k = 1, ..., K.
    fn statistics(&mut self, rung: usize) -> Option<&mut [[T; N]; STATISTICS]> {
        self.statistics.as_chunks_mut::<STATISTICS>().0.get_mut(rung.checked_sub(1)?)
    }

    /// Every replica from the prior, and the longest steps. Returns whether every density is finite or zero.
    pub(super) fn start(&mut self) -> Option<bool> {
        let target = self.shape.options.adaptation();
        for steps in self.steps.as_chunks_mut::<FIELDS>().0 {
            StepSize::Dual(steps).reset(self.isa, target.cap);
        }
        let mut sound = true;
        for rung in 0..self.shape.rungs() {
            sound &= self.draw(rung)?;
        }
        Some(sound)
    }

    /// A draw from the prior for the replica of a rung, at the rung's scale.
    fn draw(&mut self, rung: usize) -> Option<bool> {
        let (isa, latent) = (self.isa, self.shape.problem.latent);
        let posterior = self.problem.density()?;
        let density = Tempered::new(&posterior, self.scale(rung));
        let mut streams = self.load(rung);
        let Replica { mut state, fresh } = Replica::of(self.replicas, latent, rung)?;
        normals_on(isa, &mut streams, state.position);
        hmc::evaluate(isa, &density, &mut state, Work::new(self.work, latent)?.scratch());
        *fresh = [if rung == 0 { T::ONE } else { T::ZERO }; N];
        // At -infinity, outside the support, it stays until it is swapped down to the prior.
        let sound = state.value.iter().all(|v| *v < T::INFINITY);
        self.store(rung, &streams);
        Some(sound)
    }

    /// One iteration of one rung: a new draw at the prior, else the transitions. Returns what
    /// [`start`](Self::start) does.
    pub(super) fn advance(&mut self, rung: usize) -> Option<bool> {
        let Some(below) = rung.checked_sub(1) else { return self.draw(0) };
        let (isa, options, latent) = (self.isa, &self.shape.options, self.shape.problem.latent);
        let warming_up = self.iteration < options.warmup;
        let posterior = self.problem.density()?;
        let density = Tempered::new(&posterior, self.temperature(rung));
        let mut streams = self.load(rung);
        let mut state = Replica::of(self.replicas, latent, rung)?.state;
        let mut work = Work::new(self.work, latent)?;
        let mut steps = StepSize::Dual(self.steps.as_chunks_mut::<FIELDS>().0.get_mut(below)?);
        let statistics = self.statistics.as_chunks_mut::<STATISTICS>().0.get_mut(below);
        let [acceptance, lost, ..] = statistics?;
        let share = T::ONE / T::of_u32(options.moves.max(1));
        for m in 0..options.moves {
            let trajectory = Trajectory {
                jitter: options.jitter,
                short: self.problem.prior().short_share(),
                ..Trajectory::split(steps.step(isa), options.leapfrogs)
            };
            let outcome =
                hmc::transition(isa, &density, &mut streams, &trajectory, &mut state, &mut work);
            if warming_up {
                let before = self.iteration.saturating_mul(options.moves).saturating_add(m);
                let count = before.saturating_add(1);
                steps.update(isa, options.adaptation(), count, &outcome.acceptance);
            } else {
                add(acceptance, lost, &outcome.acceptance.map(|a| share * a));
            }
        }
        self.store(rung, &streams);
        Some(true)
    }

    /// The log likelihoods of a rung's replica.
    fn likelihoods(&mut self, rung: usize) -> Option<[T; N]> {
        let scale = self.scale(rung);
        let replica = Replica::of(self.replicas, self.shape.problem.latent, rung)?;
        Some(replica.state.value.map(|v| v / scale))
    }

    /// Takes the stones of this iteration and proposes to swap every other pair of neighbours: those
    /// above the rungs of the iteration's parity.
    pub(super) fn swap(&mut self) -> Option<()> {
        let temperatures = self.shape.temperatures();
        let swaps = self.shape.rungs();
        let mut streams = self.load(swaps);
        let counts = self.iteration >= self.shape.options.warmup;
        for lower in 0..temperatures {
            let upper = lower.saturating_add(1);
            let below = self.likelihoods(lower)?;
            let delta = self.temperature(upper) - self.temperature(lower);
            if counts {
                let stone = below.map(|l| delta * l);
                let [_, _, _, _, top, sum, lost] = self.statistics(upper)?;
                take_stone(top, sum, lost, &stone);
            }
            if lower & 1 != self.iteration as usize & 1 {
                continue;
            }
            let above = self.likelihoods(upper)?;
            let mut exponent = below;
            for (e, above) in exponent.iter_mut().zip(above) {
                *e = T::ZERO.min(delta * (*e - above));
            }
            // Not a number where neither lies in the support.
            let probability = exp(exponent).map(|p| p.max(T::ZERO));
            let u = uniforms::<T, N>(&mut streams);
            let mut take = [false; N];
            take.iter_mut().zip(u.iter().zip(&probability)).for_each(|(t, (u, p))| *t = u < p);
            self.exchange(lower, &take)?;
            if counts {
                let [_, _, swapped, lost, ..] = self.statistics(upper)?;
                add(swapped, lost, &probability);
            }
        }
        self.store(swaps, &streams);
        self.arrive(counts)
    }

    /// Exchanges the replicas of rung `lower` and of the next where `take` holds.
    fn exchange(&mut self, lower: usize, take: &[bool; N]) -> Option<()> {
        let upper = lower.checked_add(1)?;
        let down = self.scale(lower) / self.scale(upper);
        let up = self.scale(upper) / self.scale(lower);
        let (length, latent) = (self.shape.replica(), self.shape.problem.latent);
        let (a, b) = self.replicas.split_at_mut_checked(upper.checked_mul(length)?)?;
        let (a, b) = (Replica::of(a, latent, lower)?, Replica::of(b, latent, 0)?);
        let plain = |a: &mut [T; N], b: &mut [T; N]| {
            for ((a, b), take) in a.iter_mut().zip(b).zip(take) {
                if *take {
                    core::mem::swap(a, b);
                }
            }
        };
        let scaled = |a: &mut [T; N], b: &mut [T; N]| {
            for ((a, b), take) in a.iter_mut().zip(b).zip(take) {
                if *take {
                    (*a, *b) = (down * *b, up * *a);
                }
            }
        };
        a.state.position.iter_mut().zip(b.state.position).for_each(|(a, b)| plain(a, b));
        plain(a.fresh, b.fresh);
        a.state.gradient.iter_mut().zip(b.state.gradient).for_each(|(a, b)| scaled(a, b));
        scaled(a.state.value, b.state.value);
        Some(())
    }

    /// Counts the replicas that have come all the way from the prior to lambda = 1.
    fn arrive(&mut self, counts: bool) -> Option<()> {
        let (top, latent) = (self.shape.temperatures(), self.shape.problem.latent);
        let fresh = Replica::of(self.replicas, latent, top)?.fresh;
        for (fresh, restarts) in fresh.iter_mut().zip(&mut *self.restarts) {
            if *fresh > T::ZERO && counts {
                *restarts = restarts.saturating_add(1);
            }
            *fresh = T::ZERO;
        }
        Some(())
    }

    /// Ends the warm-up of the step sizes.
    pub(super) fn freeze(&mut self) {
        let target = self.shape.options.adaptation();
        for steps in self.steps.as_chunks_mut::<FIELDS>().0 {
            StepSize::Dual(steps).freeze(self.isa, target);
        }
    }

    /// Writes w at lambda = 1, its log density and its log likelihood into a row of the record.
    pub(super) fn record(&mut self, row: &mut [T]) -> Option<()> {
        let (top, latent) = (self.shape.temperatures(), self.shape.problem.latent);
        let likelihood = self.likelihoods(top)?;
        let position = Replica::of(self.replicas, latent, top)?.state.position;
        let (w, density) = self.problem.draw(self.isa, position, &likelihood, self.work)?;
        write(row, self.shape.chains(), self.index, w.iter().chain([&density, &likelihood]));
        Some(())
    }
}

/// Adds exp(x) to a sum that is kept relative to exp(top), lane by lane; an empty sum has the
/// least finite top.
fn take_stone<T: Real, const N: usize>(
    top: &mut [T; N],
    sum: &mut [T; N],
    lost: &mut [T; N],
    x: &[T; N],
) {
    let mut highest = *top;
    highest.iter_mut().zip(x).for_each(|(h, x)| *h = h.max(*x));
    let (mut shrink, mut term) = (*top, *x);
    shrink.iter_mut().zip(&highest).for_each(|(t, h)| *t -= *h);
    term.iter_mut().zip(&highest).for_each(|(x, h)| *x -= *h);
    let (shrink, term) = (exp(shrink), exp(term));
    for ((sum, lost), factor) in sum.iter_mut().zip(&mut *lost).zip(shrink) {
        *sum = *sum * factor;
        *lost = *lost * factor;
    }
    add(sum, lost, &term);
    *top = highest;
}
