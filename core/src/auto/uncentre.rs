//! Whether a density of the user's own has a funnel that coordinates can be had without.

use super::{ANEW, Auto, BEGUN, MAPS, MODES, PHASE, PILOT, SPENT, UNCENTRED, USUAL};
use crate::likelihood::UserDensity;
use crate::problem::Problem;
use crate::smc::Smc;
use crate::uncentring::{POINTS, Samples, Uncentring, deepen, learn, refine};
use crate::{sampler, smc, warmup};
use core::mem::take;

/// How many times more of a map is learnt.
const MOST: u64 = 3;

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
        let open = self.word(BEGUN) == USUAL && self.word(MAPS) < MOST;
        let Some(user) = problem.own().filter(|_| open) else { return Some(false) };
        let (room, map) = (take(&mut self.parts.learning), take(&mut self.parts.draft));
        let varies = Samples::new(room, user.dim, self.shape.options.learnt_from()).and_then(
            |mut samples| {
                let sound = self.gather(user, &mut samples)?;
                let varies =
                    if sound { learn(&mut samples, user.uncentring, map) } else { T::ZERO };
                if varies > least {
                    self.deepen(user, &mut samples, map);
                }
                Some(varies)
            },
        );
        let taken = varies.is_some_and(|varies| varies > least);
        if !taken {
            map.fill(T::ZERO);
            let before = user.uncentring.iter().flat_map(Uncentring::numbers);
            map.iter_mut().zip(before).for_each(|(m, x)| *m = x);
        }
        let known = Uncentring::new(map).count();
        (self.parts.learning, self.parts.draft) = (room, map);
        varies?;
        if !taken {
            return Some(false);
        }
        // Modes that a funnel pretended are none.
        self.set(MODES, 0);
        self.set(UNCENTRED, known as u64);
        self.set(MAPS, self.word(MAPS).saturating_add(1));
        self.forget(USUAL, ANEW);
        Some(true)
    }

    /// Points and their gradients; false if at half of them or more the density has none.
    fn gather(&mut self, user: UserDensity<'_, T>, samples: &mut Samples<'_, T>) -> Option<bool> {
        let (count, mut kept) = (samples.count(), 0_usize);
        for k in 0..count {
            self.point(k, count, samples.point)?;
            if let Some(map) = user.uncentring {
                map.enter(samples.point);
            }
            samples.gradient.fill(T::ZERO);
            let value = user.density.evaluate(samples.point, Some(samples.gradient));
            let sound = value.is_some_and(T::is_finite);
            if sound && samples.gradient.iter().all(|g| g.is_finite()) {
                samples.put(kept);
                kept = kept.saturating_add(1);
            }
        }
        self.set(SPENT, self.word(SPENT).saturating_add(count as u64));
        samples.fill_up(kept);
        Some(kept > count / 2)
    }

    /// Learns the laws of the map again, with every other point moved into the necks of funnels.
    fn deepen(&mut self, user: UserDensity<'_, T>, samples: &mut Samples<'_, T>, map: &mut [T]) {
        let count = samples.count();
        for k in (0..count).step_by(2) {
            let share = T::of_usize(k) / T::of_usize(count);
            deepen(samples, Uncentring::new(map), k, share);
            samples.gradient.fill(T::ZERO);
            let value = user.density.evaluate(samples.point, Some(samples.gradient));
            let sound = value.is_some_and(T::is_finite);
            if sound && samples.gradient.iter().all(|g| g.is_finite()) {
                samples.put(k);
            }
        }
        self.set(SPENT, self.word(SPENT).saturating_add((count / 2) as u64));
        refine(samples, map);
    }

    /// The particle of the pilot, or the draw, that is the `k`-th of `count`: they are spread evenly.
    fn point(&mut self, k: usize, count: usize, x: &mut [T]) -> Option<()> {
        let of = |total: usize| k.checked_mul(total)?.checked_div(count);
        let (record, start, stride) = if self.word(PHASE) == PILOT {
            let pilot = Smc::<T>::open(self.parts.pilot, self.isa).ok()?;
            let particles = pilot.options().particles as usize;
            (pilot.into_record(), of(particles)?, particles)
        } else {
            let shape = self.recorded()?;
            let (chains, at) = (shape.chains, of(shape.chains.checked_mul(shape.draws)?)?);
            let row = at.checked_div(chains)?.checked_mul(shape.columns)?;
            let chain = at.checked_rem(chains)?;
            (self.record(), row.checked_mul(chains)?.checked_add(chain)?, chains)
        };
        let own = record.get(start..)?.iter().step_by(stride.max(1));
        x.iter_mut().zip(own).for_each(|(x, w)| *x = *w);
        Some(())
    }
}
