//! The law of a mixture of counts, all of which are small: every probability at once, where a search for a quantile would
//! sum the tails of each draw ten times.

use super::saddle::Component;
use crate::scalar::Real;
use crate::special::scalar::exp;
use crate::sum::Sum;

/// The counts that are held, from 0 on.
const HELD: usize = 128;
/// Where ln P(Y = 0) is above, a draw's probabilities are taken from there on, else from its mean on: no more rounding is
/// carried along than a few epsilon.
const NEAR: f64 = -16.0;

/// P(Y = 0), ..., P(Y = 127), and what is beyond.
pub(super) struct Small<T> {
    mass: [T; HELD],
    beyond: T,
}

impl<T: Real> Small<T> {
    /// `None` unless the mean of every draw is among those counts. About two divisions for each count that a draw's law
    /// holds.
    pub(super) fn new(draws: impl Iterator<Item = Component<T>> + Clone) -> Option<Self> {
        let (mut mass, mut beyond, mut count) = ([T::ZERO; HELD], Sum::ZERO, T::ZERO);
        if !draws.clone().all(|draw| draw.rate >= T::ZERO && draw.rate < T::of_usize(HELD - 1)) {
            return None;
        }
        for draw in draws {
            count += T::ONE;
            let (mut start, mut log) = (0, draw.log_mass(T::ZERO));
            if !(log > T::lit(NEAR)) {
                start = draw.rate.to_usize();
                log = draw.log_mass(T::of_usize(start));
            }
            let own = exp(log);
            let (below, from) = mass.split_at_mut_checked(start)?;
            let (mut term, mut y) = (own, T::of_usize(start));
            for p in from {
                *p += term;
                term = term * draw.ratio(y);
                y += T::ONE;
                if y > draw.rate && term < T::EPSILON * T::EPSILON {
                    term = T::ZERO;
                    break;
                }
            }
            if term > T::ZERO {
                beyond.add(draw.tails(T::of_usize(HELD - 1)).1);
            }
            (term, y) = (own, T::of_usize(start));
            for p in below.iter_mut().rev() {
                y -= T::ONE;
                term = term / draw.ratio(y);
                *p += term;
                if term < T::EPSILON * T::EPSILON {
                    break;
                }
            }
        }
        mass.iter_mut().for_each(|p| *p = *p / count);
        Some(Self { mass, beyond: beyond.value() / count })
    }

    /// Whether P(Y > 127) is at most `rare`.
    pub(super) fn is_whole(&self, rare: T) -> bool {
        self.beyond <= rare
    }

    /// The least y with P(Y <= y) >= p; `None` where it is not among them.
    pub(super) fn lower(&self, p: T) -> Option<T> {
        let mut sum = Sum::ZERO;
        let at = self.mass.iter().position(|own| {
            sum.add(*own);
            sum.value() >= p
        });
        at.map(T::of_usize)
    }

    /// The least y with P(Y > y) <= p; `None` where it is not among them.
    pub(super) fn upper(&self, p: T) -> Option<T> {
        let mut sum = Sum::ZERO;
        sum.add(self.beyond);
        if !(self.beyond <= p) {
            return None;
        }
        let last = self.mass.iter().rposition(|own| {
            sum.add(*own);
            sum.value() > p
        });
        Some(last.map_or(T::ZERO, T::of_usize))
    }

    /// The sum of F (1 - F).
    pub(super) fn within(&self) -> T {
        let (mut sum, mut below) = (Sum::ZERO, Sum::ZERO);
        for own in &self.mass {
            below.add(*own);
            let p = below.value();
            sum.add((p * (T::ONE - p)).max(T::ZERO));
        }
        sum.value()
    }

    /// E (y - Y)+ of a count y up to 128; `None` of one beyond.
    pub(super) fn short_of(&self, y: T) -> Option<T> {
        let own = self.mass.get(..y.to_usize())?;
        Some(Sum::of(own.iter().enumerate().map(|(k, p)| *p * (y - T::of_usize(k)))))
    }
}
