//! The Metropolis-adjusted Langevin on xi: what it does at xi, at the proposal xi', and between them.
//!
//! It asks for p(xi')/p(xi) = E\[p(xi'|w)/p(xi|w) | xi\], an expectation over the inner chain. Taken to the middle of
//! the way from either end, over m draws each, it is an estimate that changes its sign with the direction and keeps
//! its variance, which is what the penalty ([`crate::kernel::penalty`]) asks for. With delta = xi' - xi, u the mean of
//! w over m other draws at xi and s = A u - xi the score that the proposal was made by, everything that belongs to
//! one end is
//!
//! T = log mean exp(delta'A(w - u)/2) + chi^2/2 + (h/8) |s|^2,
//!
//! chi^2 the relative variance of that mean and chi^2/2 the bias of its logarithm: half of the squares of the
//! distances cancel, and the logarithm of Metropolis' ratio is T(xi, delta) - T(xi', -delta), of variance the sum of
//! the two chi^2.
//!
//! Noise of the scores does no harm: u at xi and u' at xi' are part of the state and of the proposal, whose densities
//! given xi and xi' cancel. The draw that counts is the last of those that u' (where xi' was taken) or u are of, which
//! is independent of the noise of the ratio.

use super::block::Block;
use crate::coupling;
use crate::kernel::penalty::Penalty;
use crate::simd::Lanes;
use crate::special::scalar::{exp, ln};

/// Sums of the weights and of their squares, T and chi^2 of xi.
const TALLY: usize = 4;

/// Blocks that it keeps beside xi and the mean: the other xi, the draws at both, the tally.
pub(super) fn kept_len(xi: usize, latent: usize) -> usize {
    xi.saturating_add(latent.saturating_mul(2)).saturating_add(TALLY)
}

/// Those blocks.
struct Kept<'c, T, const N: usize> {
    other: &'c mut [[T; N]],
    draws: [&'c mut [[T; N]]; 2],
    tally: &'c mut [[T; N]; TALLY],
}

/// Exchanges two xi.
fn swap<X>(a: &mut [X], b: &mut [X]) {
    a.iter_mut().zip(b).for_each(|(a, b)| core::mem::swap(a, b));
}

impl<T: Lanes<N>, const N: usize> Block<'_, '_, T, N> {
    /// The blocks, lent while `f` works.
    fn with_kept<R>(
        &mut self,
        f: impl FnOnce(&mut Self, &mut Kept<'_, T, N>) -> Option<R>,
    ) -> Option<R> {
        let kept = core::mem::take(&mut self.kept);
        let (tally, rest) = kept.split_at_mut_checked(TALLY)?;
        let (other, rest) = rest.split_at_mut_checked(self.xi.len())?;
        let (here, there) = rest.split_at_mut_checked(self.state.position.len())?;
        let result =
            f(self, &mut Kept { other, draws: [here, there], tally: tally.try_into().ok()? });
        self.kept = kept;
        result
    }

    /// After the draws that the mean is of: keeps the last one and, at xi itself, proposes.
    pub(super) fn propose(&mut self, end: usize) -> Option<()> {
        let h = self.shared.shape.options.langevin_step;
        let (half, root) = (T::HALF * h, h.sqrt());
        self.with_kept(|block, kept| {
            let position = block.state.position.iter();
            kept.draws.get_mut(end)?.iter_mut().zip(position).for_each(|(kept, x)| *kept = *x);
            let [sum, squares, ..] = kept.tally;
            (*sum, *squares) = ([T::ZERO; N], [T::ZERO; N]);
            if end > 0 {
                return Some(());
            }
            kept.other.iter_mut().zip(&*block.xi).for_each(|(other, xi)| *other = *xi);
            block.move_xi(|xi, score, z| *xi += half * score + root * z)?;
            swap(kept.other, block.xi);
            Some(())
        })
    }

    /// Adds the weight exp(delta'A(w - u)/2) of the chains' positions.
    pub(super) fn weigh(&mut self) -> Option<()> {
        self.with_kept(|block, kept| {
            let (channel, shared) = (block.channel()?, block.shared);
            let (w, rest) = shared.weights(block.state.position, block.work)?;
            for (w, mean) in w.iter_mut().zip(&*block.mean) {
                w.iter_mut().zip(mean).for_each(|(w, m)| *w -= *m);
            }
            let moved = rest.get_mut(..block.xi.len())?;
            coupling::score(shared.isa, &channel, block.xi, w, moved).ok()?;
            let mut exponent = [T::ZERO; N];
            for ((xi, other), moved) in block.xi.iter().zip(&*kept.other).zip(&*moved) {
                for (((sum, xi), other), moved) in exponent.iter_mut().zip(xi).zip(other).zip(moved)
                {
                    *sum += T::HALF * (*other - *xi) * (*moved + *xi);
                }
            }
            let [sum, squares, ..] = kept.tally;
            for ((sum, square), x) in sum.iter_mut().zip(squares).zip(exponent) {
                let weight = exp(x);
                *sum += weight;
                *square += weight * weight;
            }
            Some(())
        })
    }

    /// After the weights: goes from xi to the proposal, and from there decides. The acceptance of the iteration is
    /// that of the proposal.
    pub(super) fn turn(&mut self, end: usize) -> Option<()> {
        let h = self.shared.shape.options.langevin_step;
        let inner = self.shared.shape.options.averaged();
        let count = T::of_u32(inner);
        self.with_kept(|block, kept| {
            let channel = block.channel()?;
            let score = block.work.get_mut(..block.xi.len())?;
            coupling::score(block.shared.isa, &channel, block.xi, block.mean, score).ok()?;
            let mut square = [T::ZERO; N];
            for score in score {
                square.iter_mut().zip(score).for_each(|(sum, s)| *sum += *s * *s);
            }
            let [sums, squares, here, noise] = &mut *kept.tally;
            let mut probability = [T::ZERO; N];
            let lanes = sums.iter().zip(squares).zip(square).zip(here).zip(noise);
            for (((((sum, squares), score), here), noise), p) in lanes.zip(&mut probability) {
                let mean = *sum / count;
                let variance =
                    (*squares / count / (mean * mean) - T::ONE) / (count - T::ONE).max(T::ONE);
                let total = ln(mean) + T::HALF * variance + h / T::lit(8.0) * score;
                if end == 0 {
                    (*here, *noise) = (total, variance);
                } else {
                    let draws = inner.saturating_mul(2).saturating_sub(1);
                    let (change, variance) = (total - *here, variance + *noise);
                    *p = Penalty::Series.probability(change, variance, draws, false);
                }
            }
            if end == 0 {
                swap(kept.other, block.xi);
                return Some(());
            }
            let [_, _, streams] = &mut block.streams;
            let mut take = [false; N];
            for ((take, p), stream) in take.iter_mut().zip(probability).zip(streams) {
                *take = stream.uniform::<T>() < p;
            }
            for (xi, other) in block.xi.iter_mut().zip(&*kept.other) {
                for ((xi, other), take) in xi.iter_mut().zip(other).zip(take) {
                    *xi = if take { *xi } else { *other };
                }
            }
            let [here, there] = &kept.draws;
            let draws = here.iter().zip(there.iter());
            for (position, (here, there)) in block.state.position.iter_mut().zip(draws) {
                for (k, (x, take)) in position.iter_mut().zip(take).enumerate() {
                    let draw = if take { there } else { here };
                    *x = draw.get(k).copied().unwrap_or(T::NAN);
                }
            }
            let [acceptance, ..] = &mut *block.summary;
            *acceptance = probability;
            Some(())
        })?;
        if end == 0 {
            return Some(());
        }
        // The density at the draw, for the record.
        self.conditional(&mut |block, law| block.evaluate(law))?;
        self.evaluations.iter_mut().for_each(|e| *e = e.saturating_add(1));
        Some(())
    }
}
