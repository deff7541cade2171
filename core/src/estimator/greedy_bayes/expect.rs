//! Expectations over the particles of a level.

use crate::activation::Activation;
use crate::dispatch::dispatched;
use crate::pieces::pieces;
use crate::simd::Vector;
use crate::sum::Sum;

/// Rows whose activations are taken together. No result depends on it.
const ROWS: usize = 16;

dispatched! {
    hot:
    /// The mean over particles of V s psi(x.w), and its variance (denominator N), at each row. Sums run
    /// over the particles in order and are compensated, so lanes change no bit. N (2 p + 12) flops and N
    /// activations a row, p being the columns. `weights` column by column, particle by particle; of each
    /// particle the expected sign; x row by row.
    pub(super) fn expect(
        s: S, activation: Activation, outer: T, weights: &[T], signs: &[T], x: &[T], means: &mut [T],
        spreads: &mut [T],
    ) {
        let particles = signs.len();
        let count = T::of_usize(particles);
        let columns = weights.len().checked_div(particles).unwrap_or(0);
        let mut rest = x;
        for (means, spreads) in means.chunks_mut(ROWS).zip(spreads.chunks_mut(ROWS)) {
            let mut sums = [[Sum::ZERO; 2]; ROWS];
            for (b, signs) in signs.as_chunks::<N>().0.iter().enumerate() {
                let mut u = [[T::ZERO; N]; ROWS];
                let Some(u) = u.get_mut(..means.len()) else { return };
                for (j, column) in pieces(weights, particles).enumerate() {
                    let Some(w) = column.as_chunks::<N>().0.get(b) else { return };
                    let w = s.load(w);
                    for (u, x) in u.iter_mut().zip(pieces(rest, columns)) {
                        let Some(x) = x.get(j) else { return };
                        *u = (s.load(u) + s.splat(*x) * w).array();
                    }
                }
                activation.apply_value(s, u);
                let signs = s.load(signs);
                for (u, [sum, square]) in u.iter_mut().zip(&mut sums) {
                    *u = (signs * s.load(u)).array();
                    for psi in *u {
                        sum.add(psi);
                        square.add(psi * psi);
                    }
                }
            }
            for ((mean, spread), [sum, square]) in means.iter_mut().zip(spreads).zip(sums) {
                let own = sum.value() / count;
                *mean = outer * own;
                let variance = (square.value() / count - own * own).max(T::ZERO);
                *spread = outer * (outer * variance);
            }
            rest = rest.get(ROWS.saturating_mul(columns)..).unwrap_or(&[]);
        }
    }
}
