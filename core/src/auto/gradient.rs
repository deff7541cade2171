//! Whether the gradient of a density of the user's own is its derivative, at the start: a factor or a sign that was forgotten
//! makes every trajectory wrong, and what follows says of it only that nothing mixes.

use super::{Auto, LIMIT, SPENT, WRONG};
use crate::likelihood::{DensityCheck, UserDensity, slope};
use crate::pieces::cut;
use crate::random::{Purpose, Stream};
use crate::simd::AnyLanes;
use crate::warmup::ascent::evaluate;

/// Points inside the support that are asked, out of so many draws, and directions at each.
const POINTS: u32 = 4;
const TRIALS: u64 = 12;
const DIRECTIONS: usize = 3;
/// Pairs of steps along a direction.
const PAIRS: u32 = 3;
/// Evaluations at most, but for a closer look.
const MOST: u64 = 84;
/// The share of a slope that asks for a closer look: rounding in a density that single precision computes is far less. One
/// coordinate of a thousand that has the wrong sign is .06.
const SHARE: f64 = 0.01;
/// The share of a derivative that is wrong: less leaves chains in order, which correct for it.
const WRONG_BY: f64 = 0.1;
/// What a run with a wrong gradient may yet take: its draws are for looking at.
const SHOWN: u64 = 30_000;
/// The stream of these points.
const AT_START: u64 = u64::MAX - 1;

impl<T: AnyLanes> Auto<'_, T> {
    /// Compares slopes along random directions with differences, at draws of N(0, scale^2 I) or the starts that were given: 76
    /// evaluations. Where most points have a wrong one coordinates are asked one by one, 18 evaluations each.
    pub(super) fn check_gradient(&mut self, user: UserDensity<'_, T>) -> Option<()> {
        let dim = user.dim;
        let closer = (dim as u64).saturating_mul(18).saturating_add(2);
        if self.left() < MOST.saturating_add(closer) {
            return Some(());
        }
        let room = core::mem::take(&mut self.parts.stein);
        let ([x, gradient, direction, at], _) = cut(&mut *room, [dim; 4])?;
        let mut stream = Stream::new(self.shape.options.seed, AT_START, Purpose::Start);
        let (mut calls, mut inside, mut wrong) = (0, 0_u32, 0_u32);
        let mut worst = DensityCheck::new();
        for trial in 0..TRIALS {
            if inside == POINTS {
                break;
            }
            at.iter_mut().for_each(|x| *x = user.scale * stream.normal());
            if let Some((start, _)) = user.start(trial) {
                at.iter_mut().zip(start).for_each(|(x, start)| *x = *start);
            }
            if evaluate(&user, at, gradient, &mut calls).is_none() {
                continue;
            }
            inside = inside.saturating_add(1);
            let mut differs = false;
            for _ in 0..DIRECTIONS {
                for (d, x) in direction.iter_mut().zip(&*at) {
                    *d = stream.normal::<T>() * x.abs().max(T::ONE);
                }
                let own =
                    gradient.iter().zip(&*direction).fold(T::ZERO, |sum, (g, d)| sum + *g * *d);
                let along = |t: T| {
                    x.iter_mut()
                        .zip(&*at)
                        .zip(&*direction)
                        .for_each(|((x, at), d)| *x = *at + t * *d);
                    calls = calls.saturating_add(1);
                    user.density.evaluate(x, None)
                };
                differs |= slope(along, T::ZERO, T::ONE, PAIRS).is_some_and(|(slope, error)| {
                    let most = T::lit(SHARE) * own.abs().max(slope.abs());
                    (own - slope).abs() > most + error
                });
            }
            wrong = wrong.saturating_add(differs as u32);
            if differs && wrong == 1 {
                worst.add(user.density, at, gradient);
                calls = calls.saturating_add(closer);
            }
        }
        self.parts.stein = room;
        self.begin();
        self.set(SPENT, self.word(SPENT).saturating_add(calls));
        if wrong.saturating_mul(2) > inside && worst.relative > T::lit(WRONG_BY) {
            self.set(WRONG, (worst.coordinate as u64).saturating_add(1));
            let most = self.word(SPENT).saturating_add(SHOWN);
            self.set(LIMIT, self.limit().min(most));
        }
        Some(())
    }
}
