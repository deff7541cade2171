//! When a run has enough: effective draws that were asked for, gradients that it may take.

use super::judge::{self, Probes};
use super::{Auto, AutoOptions, CHAINS, EFFECTIVE, LIMIT, NEXT, PHASE, SPENT, STOPPED, TOLD};
use crate::problem::Problem;
use crate::sampler::{Sampler, Until};
use crate::simd::AnyLanes;

/// Draws of each chain in the first round at least: what is judged needs halves.
const FIRST: u64 = 32;
/// Effective draws up to which a pilot is not made again.
const MANY: u32 = 2000;
/// Gradients up to which it is not, either.
const SCARCE: u64 = 200_000;
/// Draws of each chain that can be judged.
const LEAST: usize = 8;
/// How many more draws a round asks for than the effective sizes so far say, and by what factor it grows at most.
const RESERVE: f64 = 1.1;
const GROWS: u64 = 3;
/// The share of a limit that may be used up before what is not mixed begins anew: what follows takes as much again, and more.
const ANEW_BEFORE: u64 = 3;
/// The share of a limit that is kept for the check of the draws.
const KEPT: u64 = 10;
/// Gradients that a run which is told to stop may yet take, to check its draws.
const LAST: u64 = 256;

impl AutoOptions {
    /// Whether so little is asked for that a pilot need not be made again, for modes of little mass do not matter.
    pub(super) fn asks_for_few(&self) -> bool {
        (1..=MANY).contains(&self.ess) || (1..=SCARCE).contains(&self.max_gradients)
    }
}

impl<T: AnyLanes> Auto<'_, T> {
    /// Ends the run as soon as it may, with the draws that there are: once all particles or chains have made the transition at hand,
    /// they are judged and checked, at 256 gradients more at most. Before there are eight of each chain the next step is refused
    /// ([`Gradients`](super::AutoError::Gradients)).
    pub fn stop(&mut self) {
        let spent = self.word(SPENT).saturating_add(self.running());
        self.set(LIMIT, self.limit().min(spent.saturating_add(LAST)));
        self.set(STOPPED, TOLD);
    }

    pub(super) fn limit(&self) -> u64 {
        match self.word(LIMIT) {
            0 => u64::MAX,
            limit => limit,
        }
    }

    /// The gradients that may yet be made, but for those of the phase at hand.
    pub(super) fn left(&self) -> u64 {
        self.limit().saturating_sub(self.word(SPENT))
    }

    /// Whether a run that has come to nothing may begin anew.
    pub(super) fn may_begin_anew(&self) -> bool {
        self.word(SPENT) <= self.limit() / ANEW_BEFORE
    }

    /// Evaluations that each particle or chain of the phase at hand may make.
    pub(super) fn each(&self, of: u32) -> u64 {
        let kept = match self.word(PHASE) {
            CHAINS if self.word(STOPPED) == TOLD => LAST,
            CHAINS => self.limit() / KEPT,
            _ => 0,
        };
        self.left().saturating_sub(kept).checked_div(of as u64).unwrap_or(0)
    }

    /// Where the round at hand of the chains ends.
    pub(super) fn until(&mut self) -> Option<Until> {
        let options = *self.chains()?.options();
        let iteration = match self.word(NEXT) {
            _ if self.shape.options.ess == 0 => u64::MAX,
            // Of draws some are not stored.
            next => {
                let made = next.saturating_mul(options.draws as u64);
                let made = made.div_ceil((options.stored as u64).max(1));
                made.saturating_add(options.warmup as u64)
            }
        };
        Some(Until { iteration, evaluations: self.each(options.chains) })
    }

    /// The draws of the first round of chains.
    pub(super) fn first_round(&mut self) {
        let options = &self.shape.options;
        let pairs = (options.chains / 2).max(1);
        let next = (options.ess.div_ceil(pairs) as u64).max(FIRST);
        self.set(NEXT, next);
    }

    /// Whether chains end at a round and may make more draws, and whether they have made all.
    pub(super) fn at_a_round(&mut self) -> Option<(bool, bool)> {
        let ends = self.until()?.iteration;
        let at = Sampler::<T>::open(self.parts.main, self.isa).ok()?.position();
        let over = at.iterations >= at.total;
        Some((!over && at.iterations as u64 >= ends, over))
    }

    /// Whether there are draws to judge.
    pub(super) fn has_draws(&mut self) -> Option<bool> {
        let at = Sampler::<T>::open(self.parts.main, self.isa).ok()?.position();
        Some(at.stored >= LEAST)
    }

    /// Whether chains lack draws and a round of more has begun.
    pub(super) fn lacks(&mut self, problem: &Problem<'_, T>) -> Option<bool> {
        let asked = T::of_u32(self.shape.options.ess);
        let (more, _) = self.at_a_round()?;
        let (probes, scratch) = Probes::new(problem, self.parts.scratch)?;
        let chains = Sampler::<T>::open(self.parts.main, self.isa).ok()?;
        let stored = T::of_usize(chains.position().stored);
        let effective = judge::effective(&probes, &chains, scratch)?;
        self.note(EFFECTIVE, effective);
        let lacks = more && !(effective >= asked) && !self.is_doomed();
        if lacks {
            let wanted = (stored * T::lit(RESERVE) * asked / effective).floor();
            self.next_round(wanted.to_usize() as u64);
        }
        Some(lacks)
    }

    /// A round that ends with so many draws of each chain, or about.
    pub(super) fn next_round(&mut self, draws: u64) {
        let now = self.word(NEXT);
        let least = now.saturating_add(now / 4);
        self.set(NEXT, draws.max(least).min(now.saturating_mul(GROWS)));
    }
}
