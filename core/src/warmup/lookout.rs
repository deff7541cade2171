//! A look around, once something has been sampled in the frame: ascents from far out, in opposite pairs, as those of the
//! warm-up itself, but in the posterior's own scale. Modes that no start saw leave no trace in draws, in their gradients or in
//! the agreement of chains.
//!
//! The mode that an ascent settles in has an evidence bound, a lower bound of the logarithm of its mass (up to a constant).
//! Beside the mass of what was sampled that is a share; what is below [`SHARE`] is left out. Whether draws have been there
//! is for the caller to say, who has them.

use super::ascent::{Ascent, Numbers, scatter};
use super::{BEFORE, CALLS, DONE, DONE_SO_FAR, FLAGS, INDEX, PHASE, Parts, Warmup, own_seed};
use crate::likelihood::{LogDensity, UserDensity};
use crate::pieces::{cut, nth_mut};
use crate::random::{Purpose, Stream};
use crate::reference::Affine;
use crate::scalar::Real;
use crate::simd::Lanes;
use crate::special::scalar::exp;
use core::cell::RefCell;

/// Phases behind those of the warm-up: the next ascent, its steps, all done.
const NEXT: u64 = DONE + 1;
const CLIMB: u64 = DONE + 2;
const OVER: u64 = DONE + 3;

/// Ascents, pairs by turns from thirty sds out and from three hundred, of what has one mode and of what has several; and steps
/// of each at most.
pub(crate) const ASCENTS: [u64; 2] = [4, 32];
const STEPS: u64 = 200;
/// The share of the mass that a mode must have to be told.
const SHARE: f64 = 0.01;
/// Evidence bounds whose mean a share is by.
const CONFIRMATIONS: u64 = 8;
/// What bounds leave out for each coordinate.
const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
/// The number where the largest bound known stands.
const KNOWN: usize = 6;

/// What a look around has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look<T> {
    /// The budget is used up.
    Running,
    /// An ascent ended in a mode of this share of the mass that is known; in [`Warmup::sight`] it stands.
    Sight(T),
    /// There is nothing more to see.
    Over,
}

/// The density in the frame.
struct Framed<'a, 'd, T> {
    user: UserDensity<'d, T>,
    frame: Affine<'a, T>,
    x: RefCell<&'a mut [T]>,
}

impl<T: Real> LogDensity<T> for Framed<'_, '_, T> {
    fn evaluate(&self, w: &[T], gradient: Option<&mut [T]>) -> Option<T> {
        let mut x = self.x.try_borrow_mut().ok()?;
        self.frame.point(w, &mut x);
        let gradient = gradient?;
        let value = self.user.density.evaluate(&x, Some(&mut *gradient))?;
        self.frame.pull_back(gradient);
        Some(value)
    }
}

impl<T: Lanes<1>> Warmup<'_, T> {
    /// Goes on looking, once the warm-up is done; `None` where the memory is none. `evidence`: the logarithm of the mass of
    /// what was sampled; `ascents` of [`ASCENTS`]. A step of an ascent is begun while the budget is not used up.
    pub(crate) fn look(
        &mut self,
        user: UserDensity<'_, T>,
        evidence: T,
        ascents: u64,
        budget: u64,
    ) -> Option<Look<T>> {
        let before = self.word(CALLS);
        loop {
            let (phase, index) = (self.word(PHASE), self.word(INDEX));
            match phase {
                DONE => {
                    let dim = self.shape.dim();
                    let top = evidence - T::of_usize(dim) * T::lit(HALF_LN_2_PI);
                    let top = self.parts.bounds.iter().fold(top, |top, b| top.max(*b));
                    let volume = Affine::new(self.parts.frame, dim)?.log_volume();
                    self.note(KNOWN, top - volume);
                    self.turn(NEXT, 0);
                }
                NEXT if index >= ascents => self.set(PHASE, OVER),
                OVER => return Some(Look::Over),
                _ => {}
            }
            if self.word(PHASE) == OVER {
                continue;
            }
            if self.word(CALLS).wrapping_sub(before) >= budget {
                return Some(Look::Running);
            }
            if let Some(share) = self.climb(user)? {
                return Some(Look::Sight(share));
            }
        }
    }

    /// Of the chains one in 2 `first`, a power of 2, go over to what the last ascent ended in, and the rounds begin again: those of
    /// other powers stay where they are.
    pub(crate) fn take_in(&mut self, user: UserDensity<'_, T>, first: usize) -> Option<()> {
        let (dim, chains) = (self.shape.dim(), self.shape.chains());
        let (seed, mut calls) = (own_seed(!self.shape.options.seed), self.word(CALLS));
        let Parts { vectors, best, frame, sums, positions, .. } = &mut self.parts;
        let ([x], _) = cut(sums, [dim])?;
        let density = &Framed { user, frame: Affine::new(frame, dim)?, x: RefCell::new(x) };
        let user = UserDensity { density, scale: T::ONE, frame: None, starts: &[], ..user };
        let mask = first.saturating_mul(2).saturating_sub(1);
        for chain in (0..chains).filter(|chain| chain & mask == first) {
            let mut stream = Stream::new(seed, chain as u64, Purpose::Gibbs);
            let own = nth_mut(positions, dim, chain);
            scatter(&user, best, &mut stream, vectors, &mut calls, own)?;
        }
        self.set(CALLS, calls);
        self.begin_round(0);
        Some(())
    }

    /// What the last ascent ended in, as [`Affine`] has a Gaussian, in coordinates of the frame.
    pub(crate) fn sight(&self) -> Option<Affine<'_, T>> {
        Affine::new(self.parts.best, self.shape.dim())
    }

    /// The start or a step of an ascent; a share where it is at its end and is worth telling.
    fn climb(&mut self, user: UserDensity<'_, T>) -> Option<Option<T>> {
        let (phase, k, done) = (self.word(PHASE), self.word(INDEX), self.word(DONE_SO_FAR));
        let (flags, mut calls, known) = (self.word(FLAGS), self.word(CALLS), self.number(KNOWN));
        if phase != CLIMB {
            self.set(BEFORE, calls);
        }
        let lost = self.is_lost();
        let [value, since, scale, bound] = [0, 1, 2, 3].map(|k| self.number(k));
        let (fresh, settled) = (flags & 1 == 1, flags >> 1);
        let mut numbers = Numbers { value, since, scale, bound, fresh, settled };
        let dim = self.shape.dim();
        // Ascents five and seven start thirty scales out, opposite to each other.
        let (pair, index) = (k / 2, 5 + k % 2 * 2);
        let seed = own_seed(!self.shape.options.seed).wrapping_add(pair);
        let Parts { vectors, curvature, trial, best, frame, sums, .. } = &mut self.parts;
        let ([x], _) = cut(sums, [dim])?;
        let density = &Framed { user, frame: Affine::new(frame, dim)?, x: RefCell::new(x) };
        let scale = T::lit(if pair % 2 == 0 { 1.0 } else { 10.0 });
        let user = UserDensity { density, scale, frame: None, starts: &[], ..user };
        let mut ascent = Ascent {
            user,
            seed,
            index,
            vectors,
            curvature,
            limited: false,
            trial,
            best,
            calls: &mut calls,
        };
        let (mut more, mut share) = (true, None);
        if phase == CLIMB {
            more = ascent.step(&mut numbers)?;
            if !more {
                // Of the mode itself, not of what there was on the way: that may be a Gaussian beside another one.
                numbers.bound = -T::INFINITY;
                ascent.settle(&numbers)?;
                share = ascent.confirm(CONFIRMATIONS)?.map(|bound| exp(bound - known));
            }
            more = more && !lost && done.saturating_add(1) < STEPS;
        } else {
            match ascent.start() {
                Some(n) => numbers = Numbers { bound: T::INFINITY, ..n },
                None => more = false,
            }
        }
        let Numbers { value, since, scale, bound, fresh, settled } = numbers;
        let own = [value, since, scale, bound];
        self.parts.scalars.iter_mut().zip(own).for_each(|(s, x)| *s = x);
        self.set(FLAGS, settled << 1 | fresh as u64);
        self.set(CALLS, calls);
        if more {
            self.set(PHASE, CLIMB);
            self.set(DONE_SO_FAR, done.saturating_add((phase == CLIMB) as u64));
        } else {
            self.turn(NEXT, k.saturating_add(1));
        }
        Some(share.filter(|share| *share > T::lit(SHARE)))
    }
}
