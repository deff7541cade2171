//! Energies: the fraction of missing information.

use super::draws::Draws;
use crate::scalar::Real;
use crate::sum::Sum;

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
