//! Whether the gradient of a density of the user's own is its derivative, at the start: a factor or a sign that was forgotten
//! makes every trajectory wrong, and what follows says of it only that nothing mixes.

use super::{Auto, LIMIT, SPENT, WRONG};
use crate::likelihood::UserDensity;
use crate::pieces::cut;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::AnyLanes;
use crate::warmup::ascent::evaluate;

/// Points inside the support that are asked, out of so many draws, and directions at each.
const POINTS: u64 = 4;
const TRIALS: u64 = 12;
const DIRECTIONS: u64 = 3;
/// Steps of differences along a direction, and along a coordinate.
const STEPS: u64 = 3;
const CLOSER: u64 = 7;
/// Evaluations at most, but for a closer look.
const MOST: u64 = TRIALS + POINTS * DIRECTIONS * 2 * STEPS;
/// The share of a slope that asks for a closer look: rounding in a density that single precision computes is far less. One
/// coordinate of a thousand that has the wrong sign is .06.
const SHARE: f64 = 0.01;
/// The share of a derivative that is wrong: less leaves chains in order, which correct for it.
const WRONG_BY: f64 = 0.1;
/// Roundings of a sum of many terms, in epsilons of it.
const ROUNDED: f64 = 100.0;
/// What a run with a wrong gradient may yet take: its draws are for looking at.
const SHOWN: u64 = 30_000;
/// The stream of these points.
const AT_START: u64 = u64::MAX - 1;

impl<T: AnyLanes> Auto<'_, T> {
    /// Compares slopes along random directions with differences, at draws of N(0, scale^2 I) or the starts that were given: 76
    /// evaluations. Where most points have a wrong one coordinates are asked one by one, 14 evaluations each.
    pub(super) fn check_gradient(&mut self, user: UserDensity<'_, T>) -> Option<()> {
        let dim = user.dim;
        let closer = (dim as u64).saturating_mul(2 * CLOSER);
        if self.left() < MOST.saturating_add(closer) {
            return Some(());
        }
        let room = core::mem::take(&mut self.parts.stein);
        let ([x, gradient, direction, at], _) = cut(&mut *room, [dim; 4])?;
        let mut stream = Stream::new(self.shape.options.seed, AT_START, Purpose::Start);
        let (mut calls, mut inside, mut wrong) = (0, 0_u64, 0_u64);
        let mut worst = (T::lit(WRONG_BY), None);
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
                let mut along = |t: T| {
                    x.iter_mut()
                        .zip(&*at)
                        .zip(&*direction)
                        .for_each(|((x, at), d)| *x = *at + t * *d);
                    calls = calls.saturating_add(1);
                    user.density.evaluate(x, None)
                };
                differs |= apart(&mut along, T::ZERO, STEPS, own) > T::lit(SHARE);
            }
            wrong = wrong.saturating_add(differs as u64);
            if differs && wrong == 1 {
                for (k, g) in gradient.iter().enumerate() {
                    let from = at.get(k).copied()?;
                    x.iter_mut().zip(&*at).for_each(|(x, at)| *x = *at);
                    let mut value = |to| {
                        *x.get_mut(k)? = to;
                        user.density.evaluate(x, None)
                    };
                    let by = apart(&mut value, from, CLOSER, *g);
                    if by > worst.0 {
                        worst = (by, Some(k as u64));
                    }
                }
                calls = calls.saturating_add(closer);
            }
        }
        self.parts.stein = room;
        self.begin();
        self.set(SPENT, self.word(SPENT).saturating_add(calls));
        if let Some(k) = worst.1.filter(|_| wrong.saturating_mul(2) > inside) {
            self.set(WRONG, k.saturating_add(1));
            let most = self.word(SPENT).saturating_add(SHOWN);
            self.set(LIMIT, self.limit().min(most));
        }
        Some(())
    }
}

/// By what share of the larger a derivative at `at` differs from differences: the least over steps from an eighth on, each a quarter
/// of the last. Long ones may cross a kink, short ones drown in the rounding of single precision: where any agrees it is right.
/// Where the density is so large that a coordinate's part of it is lost in rounding, nothing can be said.
fn apart<T: Real>(value: &mut dyn FnMut(T) -> Option<T>, at: T, steps: u64, derivative: T) -> T {
    let mut step = T::lit(0.125) * at.abs().max(T::ONE);
    let mut least: Option<T> = None;
    for _ in 0..steps {
        let (up, down) = (at + step, at - step);
        let both = value(up).zip(value(down));
        if let Some((above, below)) = both.filter(|(a, b)| a.is_finite() && b.is_finite()) {
            let slope = (above - below) / (up - down);
            let lost = T::lit(ROUNDED) * T::EPSILON * (above.abs() + below.abs()) / (up - down);
            let off = ((derivative - slope).abs() - lost).max(T::ZERO);
            let share = if off > T::ZERO { off / derivative.abs().max(slope.abs()) } else { off };
            least = Some(least.map_or(share, |least| least.min(share)));
        }
        step = step * T::lit(0.25);
    }
    least.unwrap_or(T::ZERO)
}
