//! What is done once a run has come to its draws: Stein's identities over them, and a look around for modes.

use super::{
    Auto, BEGUN, CAUSE, Cause, Choice, DONE, LAST_SIGHT, LOOK, MODES, OFF, PHASE, Progress,
    Recorded, SEEN, SHIFT, SIGHT, SPENT, STRETCH, VERDICT, Verdict, WARMUP, WIDER, stein,
};
use crate::likelihood::UserDensity;
use crate::linalg::one::dot;
use crate::pieces::cut;
use crate::problem::Problem;
use crate::warmup::{self, Look, Warmup};
use crate::{sampler, smc};
use core::mem::take;

/// The share of the draws beyond a mode, as seen from the frame's centre, beside its share of the mass (half of it lies
/// there), below which they have not been there: evidence bounds are known to a factor of a few.
const BEYOND: f64 = 0.05;
/// How far off draws of a mode are in each of its own coordinates at most: those sds are known to a factor, too.
const NEAR: f64 = 6.0;

/// Steps of an sd from draws, to see edges of the support.
const STEPS_OUT: u64 = 32;

/// How many draws are looked at.
fn looked_at(shape: Recorded) -> Option<usize> {
    Some(shape.chains.checked_mul(shape.draws)?.min(stein::DRAWS))
}

impl<T: smc::Compiled + sampler::Compiled + warmup::Compiled> Auto<'_, T> {
    /// Stein's identities over the draws: a gradient a draw.
    pub(super) fn check(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Option<Option<Progress>> {
        let shape = self.recorded()?;
        let most = usize::try_from(self.left()).unwrap_or(usize::MAX);
        let (dim, count) = (shape.dim, looked_at(shape)?.min(most));
        if count == 0 {
            self.set(PHASE, DONE);
            return Some(None);
        }
        let user = problem.own()?;
        let frame = user.frame?;
        let room = take(&mut self.parts.stein);
        let mut spent = 0_u64;
        let done = loop {
            let seen = usize::try_from(self.word(SEEN)).ok()?;
            if seen >= count || spent >= budget {
                break seen >= count;
            }
            let (x, rest) = room.split_at_mut_checked(dim)?;
            shape.read(self.record(), (seen, count), x)?;
            let (gradient, rest) = rest.split_at_mut_checked(dim)?;
            gradient.fill(T::ZERO);
            let w = rest.get_mut(..dim)?;
            user.enter(x, w);
            user.density.evaluate(x, Some(gradient));
            frame.pull_back(gradient);
            x.iter_mut().zip(&*w).for_each(|(x, w)| *x = *w);
            stein::add(room, dim)?;
            self.set(SEEN, (seen as u64).wrapping_add(1));
            spent = spent.saturating_add(1);
        };
        if done {
            let found = stein::finding(room, dim, count)?;
            self.note(SHIFT, found.shift);
            self.note(STRETCH, found.stretch);
            // Two runs of particles may be wrong alike, and so may chains that propose from one Gaussian.
            let alike = self.word(VERDICT) == Verdict::Modes as u64
                || (self.choice() == Choice::Mixture && self.word(MODES) == 0);
            self.set(SPENT, self.word(SPENT).saturating_add(count as u64));
            let doubtful = found.coordinate.is_some() || !found.confirmed && alike;
            let before = self.word(VERDICT) == Verdict::Unreliable as u64;
            if (doubtful || before) && self.is_at_an_edge(user, room, shape)? {
                // The identities lack a term there, and say nothing; what else is wrong comes of it.
                if alike || before {
                    self.doubt(Cause::Edge);
                }
            } else if doubtful {
                let coordinate = found.coordinate.map_or(0, |k| (k as u64).saturating_add(1));
                self.set(OFF, coordinate);
                if !before {
                    self.doubt(Cause::Gradients);
                }
            }
            let trusted = self.word(VERDICT) != Verdict::Unreliable as u64;
            self.set(PHASE, if trusted { LOOK } else { DONE });
        }
        self.parts.stein = room;
        Some(if done { None } else { Some(Progress::Running) })
    }

    /// The [look around](warmup::Look). Where it sees a mode that no draw has been to, all begins again with chains there.
    pub(super) fn look(
        &mut self,
        problem: &Problem<'_, T>,
        budget: u64,
    ) -> Option<Option<Progress>> {
        let user = problem.own()?;
        let evidence = self.mass()?;
        let all = self.left();
        // Where there are two modes there may be a third.
        let several = self.word(MODES) == 1 || self.word(BEGUN) >= SIGHT;
        let [few, many] = warmup::ASCENTS;
        let ascents = if several { many } else { few };
        let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa).ok()?;
        let left = all.saturating_sub(warmup.price());
        if left == 0 {
            self.set(PHASE, DONE);
            return Some(None);
        }
        let before = warmup.evaluations();
        let look = warmup.look(user, evidence, ascents, budget.min(left))?;
        let spent = warmup.evaluations().saturating_sub(before);
        self.set(SPENT, self.word(SPENT).saturating_add(spent));
        let share = match look {
            Look::Running => return Some(Some(Progress::Running)),
            Look::Sight(share) => share,
            Look::Over => {
                self.set(PHASE, DONE);
                return Some(None);
            }
        };
        let [beyond, near] = self.has_been_there(user, share)?;
        if beyond && (near || !several) {
            return Some(None);
        }
        let begun = self.word(BEGUN);
        if begun == LAST_SIGHT || !self.may_begin_anew() {
            // What is narrow in a wide mode looks like one where nothing has been.
            if !beyond {
                self.doubt(Cause::Mode);
                self.set(PHASE, DONE);
            }
            return Some(None);
        }
        let next = if begun < SIGHT { SIGHT } else { begun.saturating_add(1) };
        let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa).ok()?;
        let all = warmup.evaluations();
        warmup.take_in(user, 1_usize.wrapping_shl(next.saturating_sub(SIGHT) as u32))?;
        self.set(SPENT, self.word(SPENT).saturating_sub(all));
        self.forget(next, WARMUP);
        Some(None)
    }

    /// Whether the support ends within an sd of many draws.
    fn is_at_an_edge(
        &mut self,
        user: UserDensity<'_, T>,
        room: &mut [T],
        shape: Recorded,
    ) -> Option<bool> {
        if self.left() < STEPS_OUT {
            return Some(false);
        }
        let ([x, gradient, w], _) = cut(room, [shape.dim; 3])?;
        let (count, frame) = (usize::try_from(STEPS_OUT).ok()?, user.frame?);
        let mut outside = 0_usize;
        for k in 0..count {
            shape.read(self.record(), (k, count), x)?;
            user.enter(x, w);
            let side = if k % 2 == 0 { T::ONE } else { -T::ONE };
            if let Some(w) = w.get_mut((k / 2).checked_rem(shape.dim)?) {
                *w += side;
            }
            frame.point(w, x);
            gradient.fill(T::ZERO);
            let value = user.density.evaluate(x, Some(gradient));
            outside = outside.saturating_add(!value.is_some_and(T::is_finite) as usize);
        }
        self.set(SPENT, self.word(SPENT).saturating_add(STEPS_OUT));
        Some(outside.saturating_mul(8) >= count)
    }

    /// Trusts the draws no longer.
    fn doubt(&mut self, cause: Cause) {
        self.set(CAUSE, cause as u64);
        self.set(VERDICT, Verdict::Unreliable as u64);
    }

    /// Whether draws lie beyond the mode that the look around is at, as seen from the frame's centre, and within [`NEAR`] of its sds
    /// of it, as a mode of this share of the mass would have them.
    fn has_been_there(&mut self, user: UserDensity<'_, T>, share: T) -> Option<[bool; 2]> {
        let shape = self.recorded()?;
        let (dim, count) = (shape.dim, looked_at(shape)?);
        let (room, memory) = (take(&mut self.parts.stein), take(&mut self.parts.warmup));
        let ([x, w], _) = cut(&mut *room, [dim; 2])?;
        let warmup = Warmup::<T>::open(&mut *memory, self.isa).ok()?;
        let sight = warmup.sight()?;
        let (mode, length) = (sight.mean(), dot(sight.mean(), sight.mean()));
        let mut found = [0_usize; 2];
        for seen in 0..count {
            shape.read(self.record(), (seen, count), x)?;
            user.enter(x, w);
            w.iter_mut().for_each(|w| *w = T::lit(WIDER) * *w);
            sight.solve(w, x);
            let near = x.iter().all(|z| z.abs() <= T::lit(NEAR));
            let is = [dot(mode, w) >= length, near];
            found
                .iter_mut()
                .zip(is)
                .for_each(|(found, is)| *found = found.saturating_add(usize::from(is)));
        }
        (self.parts.stein, self.parts.warmup) = (room, memory);
        let least = T::lit(BEYOND) * (share / (T::ONE + share)) * T::of_usize(count);
        Some(found.map(|found| T::of_usize(found) >= least))
    }
}
