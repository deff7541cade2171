//! Energies: the fraction of missing information, and divergent transitions.

use super::draws::{Draws, is_nan};
use super::moments::{self, Moment};
use crate::scalar::Real;
use crate::sum::{Sum, two_sum};

/// The energy error above which a transition counts as divergent (the value of Stan).
pub const DIVERGENCE_LIMIT: f64 = 1000.0;

/// Whether a trajectory with this error H(end) - H(start) diverged: above [`DIVERGENCE_LIMIT`], or
/// not a number.
#[inline]
pub fn diverges<T: Real>(energy_error: T) -> bool {
    energy_error > T::lit(DIVERGENCE_LIMIT) || is_nan(energy_error)
}

/// E-BFMI of one chain of stored energies E_t (the Hamiltonian right after the momentum is drawn):
/// sum_t (E_t - E_(t-1))^2 / sum_t (E_t - mean)^2 (M. Betancourt, arXiv:1604.00695, eq. 26;
/// `arviz.bfmi`). Values below 0.3 say that momenta drawn afresh hardly move the energy. Two passes;
/// NaN for fewer than two draws, a chain out of range, a constant chain, energies not finite.
pub fn e_bfmi<T: Real>(energies: &Draws<'_, T>, chain: usize) -> T {
    if chain >= energies.chains() {
        return T::NAN;
    }
    let first = energies.at(chain, 0);
    let mut sum = Sum::ZERO;
    energies.chain(chain).for_each(|e| sum.add(e - first));
    let mean = sum.value() / T::of_usize(energies.draws());
    let (mut moves, mut spread) = (Sum::ZERO, Sum::ZERO);
    let mut previous = first;
    for e in energies.chain(chain) {
        let (step, deviation) = (e - previous, (e - first) - mean);
        moves.add(step * step);
        spread.add(deviation * deviation);
        previous = e;
    }
    moves.value() / spread.value()
}

/// The numbers of an [`Energy`] kept in the caller's memory.
pub const ENERGY_WORDS: usize = 11;

/// The energies of one chain as they come: E-BFMI and the count of divergent transitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<T> {
    count: u64,
    divergent: u64,
    previous: T,
    moment: Moment<T>,
    moves: T,
    moves_low: T,
}

impl<T: Real> Default for Energy<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real> Energy<T> {
    /// Before the first transition.
    pub fn new() -> Self {
        Self {
            count: 0,
            divergent: 0,
            previous: T::ZERO,
            moment: moments::empty(),
            moves: T::ZERO,
            moves_low: T::ZERO,
        }
    }

    /// One transition: the Hamiltonian right after the momentum was drawn, and the error
    /// H(end) - H(start) of its trajectory. An energy that is not finite turns E-BFMI into NaN.
    #[inline]
    pub fn push(&mut self, energy: T, error: T) {
        if self.count > 0 {
            let step = energy - self.previous;
            let (moves, lost) = two_sum(self.moves, step * step);
            self.moves = moves;
            self.moves_low += lost;
        }
        self.previous = energy;
        moments::update(&mut self.count, &mut self.moment, energy);
        if diverges(error) {
            self.divergent = self.divergent.saturating_add(1);
        }
    }

    /// The transitions seen.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Those that diverged.
    pub fn divergent(&self) -> u64 {
        self.divergent
    }

    /// The mean energy; 0 before the first transition.
    pub fn mean(&self) -> T {
        moments::mean(&self.moment)
    }

    /// The variance of the energy; NaN before the second transition.
    pub fn variance(&self) -> T {
        moments::variance(self.count, &self.moment)
    }

    /// As [`e_bfmi`], up to rounding.
    pub fn e_bfmi(&self) -> T {
        let [_, _, m2, _] = self.moment;
        (self.moves + self.moves_low) / m2
    }

    /// All of it as numbers; [`Energy::from_words`] gives it back, bit for bit, while counts stay
    /// below 2^40.
    pub fn words(&self) -> [T; ENERGY_WORDS] {
        let [mean, mean_low, m2, m2_low] = self.moment;
        let [count_high, count_low] = count_words(self.count);
        let [divergent_high, divergent_low] = count_words(self.divergent);
        [
            count_high,
            count_low,
            divergent_high,
            divergent_low,
            self.previous,
            mean,
            mean_low,
            m2,
            m2_low,
            self.moves,
            self.moves_low,
        ]
    }

    /// What [`Energy::words`] wrote. Zeros are an [`Energy::new`].
    pub fn from_words(words: &[T; ENERGY_WORDS]) -> Self {
        let [
            count_high,
            count_low,
            divergent_high,
            divergent_low,
            previous,
            mean,
            mean_low,
            m2,
            m2_low,
            moves,
            moves_low,
        ] = *words;
        Self {
            count: count_of(count_high, count_low),
            divergent: count_of(divergent_high, divergent_low),
            previous,
            moment: [mean, mean_low, m2, m2_low],
            moves,
            moves_low,
        }
    }
}

/// A count below 2^40 as multiples of 2^20 and the rest: exact in single precision too.
fn count_words<T: Real>(count: u64) -> [T; 2] {
    let count = count.min((1 << 40) - 1);
    [T::of_u32((count >> 20) as u32), T::of_u32((count & 0xF_FFFF) as u32)]
}

fn count_of<T: Real>(high: T, low: T) -> u64 {
    ((high.to_usize() as u64 & 0xF_FFFF) << 20) | (low.to_usize() as u64 & 0xF_FFFF)
}
