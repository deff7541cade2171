//! What is done once a run has come to its draws: Stein's identities over them, and a look around for modes.

use super::{
    Auto, BEGUN, CAUSE, Cause, Choice, DONE, LOOK, MODES, OFF, PHASE, Progress, Recorded, SEEN,
    SHIFT, SIGHT, SPENT, STRETCH, VERDICT, Verdict, WARMUP, WIDER, stein,
};
use crate::likelihood::UserDensity;
use crate::linalg::one::dot;
use crate::pieces::cut;
use crate::problem::Problem;
use crate::warmup::{self, Look, Warmup};
use crate::{sampler, smc};

/// The share of the draws beyond a mode, as seen from the frame's centre, beside its share of the mass (half of it lies
/// there), below which they have not been there: evidence bounds are known to a factor of a few.
const BEYOND: f64 = 0.05;

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
        let room = core::mem::take(&mut self.parts.stein);
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
            // Of what is trusted, once: where chains have left a mode at which they began there is next to no mass.
            let trusted = self.word(VERDICT) != Verdict::Unreliable as u64;
            let look = trusted && self.word(BEGUN) != SIGHT;
            self.set(PHASE, if look { LOOK } else { DONE });
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
        let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa).ok()?;
        let left = all.saturating_sub(warmup.price());
        if left == 0 {
            self.set(PHASE, DONE);
            return Some(None);
        }
        let before = warmup.evaluations();
        let look = warmup.look(user, evidence, budget.min(left))?;
        let spent = warmup.evaluations().saturating_sub(before);
        let at = self.parts.stein.iter_mut().zip(warmup.sight()?.mean());
        at.for_each(|(to, w)| *to = *w);
        self.set(SPENT, self.word(SPENT).saturating_add(spent));
        let share = match look {
            Look::Running => return Some(Some(Progress::Running)),
            Look::Sight(share) => share,
            Look::Over => {
                self.set(PHASE, DONE);
                return Some(None);
            }
        };
        if self.has_been_there(user, share)? {
            return Some(None);
        }
        if !self.may_begin_anew() {
            self.doubt(Cause::Mode);
            self.set(PHASE, DONE);
            return Some(None);
        }
        let mut warmup = Warmup::<T>::open(self.parts.warmup, self.isa).ok()?;
        let all = warmup.evaluations();
        warmup.take_in(user)?;
        self.set(SPENT, self.word(SPENT).saturating_sub(all));
        self.forget(SIGHT, WARMUP);
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

    /// Whether draws lie beyond the mode at the front of the room, in coordinates of the warm-up's frame, as a mode of this
    /// share of the mass would have them.
    fn has_been_there(&mut self, user: UserDensity<'_, T>, share: T) -> Option<bool> {
        let shape = self.recorded()?;
        let (dim, count) = (shape.dim, looked_at(shape)?);
        let room = core::mem::take(&mut self.parts.stein);
        let ([mode, x, w], _) = cut(&mut *room, [dim; 3])?;
        let length = dot(mode, mode);
        let mut beyond = 0_usize;
        for seen in 0..count {
            shape.read(self.record(), (seen, count), x)?;
            user.enter(x, w);
            beyond = beyond.saturating_add((T::lit(WIDER) * dot(mode, w) >= length) as usize);
        }
        self.parts.stein = room;
        let least = T::lit(BEYOND) * (share / (T::ONE + share));
        Some(T::of_usize(beyond) >= least * T::of_usize(count))
    }
}
