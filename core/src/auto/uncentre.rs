//! Whether a density of the user's own has a funnel or a bend that coordinates can be had without. Laws that are exact are found at
//! once, from points about the first frame of the warm-up; others from particles of the pilot, or from draws.

use super::next::VARIES;
use super::{ANEW, Auto, BEGUN, MAPS, MODES, PHASE, PILOT, Recorded, SPENT, USUAL};
use crate::likelihood::UserDensity;
use crate::problem::Problem;
use crate::random::{Purpose, Stream};
use crate::reference::Affine;
use crate::smc::Smc;
use crate::uncentring::{POINTS, Samples, Uncentring, deepen, learn, refine};
use crate::warmup::Warmup;
use crate::warmup::ascent::evaluate;
use crate::{sampler, smc, warmup};
use core::mem::take;

/// How many times more of a map is learnt, edges and tails included.
const MOST: u64 = 4;
/// The stream of the points about the first frame.
const ABOUT: u64 = u64::MAX;

impl super::AutoOptions {
    /// Points that a map is learnt from.
    pub(super) fn learnt_from(&self) -> usize {
        POINTS.min(self.pilot as usize)
    }
}

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    /// Learns a map, or more of it, from the gradients at the draws or particles at hand. Where the logarithm of a new width
    /// varies by more than `least`, all begins again in its coordinates, and this says so.
    pub(super) fn uncentre(&mut self, problem: &Problem<'_, T>, least: T) -> Option<bool> {
        self.straighten(problem, least, None)
    }

    /// As [`uncentre`](Self::uncentre), from points about a frame, if the laws found there are exact.
    pub(super) fn foresee(&mut self, problem: &Problem<'_, T>) -> Option<bool> {
        let count = (self.shape.options.learnt_from() as u64).saturating_mul(2);
        if self.left().saturating_sub(self.running()) < count {
            return Some(false);
        }
        let frame = take(&mut self.parts.frame);
        let warmup = Warmup::<T>::open(self.parts.warmup, self.isa).ok();
        let known = warmup.map(|warmup| {
            frame.iter_mut().zip(warmup.frame_so_far()).for_each(|(to, x)| *to = *x);
        });
        let found = known.and_then(|()| self.straighten(problem, T::lit(VARIES), Some(&*frame)));
        self.parts.frame = frame;
        found
    }

    fn straighten(
        &mut self,
        problem: &Problem<'_, T>,
        least: T,
        frame: Option<&[T]>,
    ) -> Option<bool> {
        let open = self.word(BEGUN) == USUAL && self.word(MAPS) < MOST;
        let Some(user) = problem.own().filter(|_| open) else { return Some(false) };
        let (room, map) = (take(&mut self.parts.learning), take(&mut self.parts.draft));
        let varies = Samples::new(room, user.dim, self.shape.options.learnt_from()).and_then(
            |mut samples| {
                let sound = self.gather(user, &mut samples, frame)?;
                let varies = if sound {
                    learn(&mut samples, user.uncentring, frame.is_some(), map)
                } else {
                    T::ZERO
                };
                if varies > least {
                    self.deepen(user, &mut samples, map);
                }
                if let Some(known) = user.uncentring {
                    known.join(map);
                }
                Some(varies)
            },
        );
        (self.parts.learning, self.parts.draft) = (room, map);
        if !(varies? > least) {
            return Some(false);
        }
        // Modes that a funnel pretended are none.
        self.set(MODES, 0);
        self.set(MAPS, self.word(MAPS).saturating_add(1));
        self.forget(USUAL, ANEW);
        Some(true)
    }

    /// Points, about a frame or those at hand, and their gradients; false if at half of them or more the density has none.
    fn gather(
        &mut self,
        user: UserDensity<'_, T>,
        samples: &mut Samples<'_, T>,
        frame: Option<&[T]>,
    ) -> Option<bool> {
        let (count, mut kept, mut calls) = (samples.count(), 0_usize, 0);
        let mut stream = Stream::new(self.shape.options.seed, ABOUT, Purpose::Predictive);
        for k in 0..count {
            if let Some(frame) = frame {
                // A gradient is written later.
                samples.gradient.iter_mut().for_each(|w| *w = stream.normal());
                Affine::new(frame, user.dim)?.point(samples.gradient, samples.point);
            } else {
                self.point(k, count, samples.point)?;
                if let Some(map) = user.uncentring {
                    map.enter(samples.point);
                }
            }
            if evaluate(&user, samples.point, samples.gradient, &mut calls).is_some() {
                samples.put(kept);
                kept = kept.saturating_add(1);
            }
        }
        self.set(SPENT, self.word(SPENT).saturating_add(calls));
        samples.fill_up(kept);
        Some(kept > count / 2)
    }

    /// Learns the laws of the map again, with every other point moved into the necks of funnels.
    fn deepen(&mut self, user: UserDensity<'_, T>, samples: &mut Samples<'_, T>, map: &mut [T]) {
        let (count, mut calls) = (samples.count(), 0);
        if !Uncentring::new(map).funnels() {
            return;
        }
        for k in (0..count).step_by(2) {
            let share = T::of_usize(k) / T::of_usize(count);
            deepen(samples, Uncentring::new(map), k, share);
            if evaluate(&user, samples.point, samples.gradient, &mut calls).is_some() {
                samples.put(k);
            }
        }
        self.set(SPENT, self.word(SPENT).saturating_add(calls));
        refine(samples, map);
    }

    /// The particle of the pilot, or the draw, that is the `k`-th of `count`: they are spread evenly.
    fn point(&mut self, k: usize, count: usize, x: &mut [T]) -> Option<()> {
        if self.word(PHASE) != PILOT {
            return self.recorded()?.read(self.record(), (k, count), x);
        }
        let pilot = Smc::<T>::open(self.parts.pilot, self.isa).ok()?;
        Recorded::of_particles(&pilot).read(pilot.into_record(), (k, count), x)
    }
}
