//! Expectations over the particles of a level.

use crate::activation::Activation;
use crate::pieces::pieces;
use crate::simd::{Vector, lane_fns};
use crate::sum::Sum;

/// Rows whose activations are taken together. No result depends on it.
const ROWS: usize = 16;

lane_fns! {
    /// The mean over particles of V s psi(x.w), and its variance (denominator N), at each row. Sums run
    /// over the particles in order and are compensated, so lanes change no bit. N (2 p + 12) flops and N
    /// activations a row, p being the columns. `weights` column by column, particle by particle; of each
    /// particle the expected sign; `at` entry (row, column) of the inputs.
    pub(super) fn expect<F: Fn(usize, usize) -> T>(
        s, activation: Activation, outer: T, weights: &[T], signs: &[T], at: F, means: &mut [T],
        spreads: &mut [T],
    ) {
        let particles = signs.len();
        let count = T::of_usize(particles);
        let mut first = 0_usize;
        for (means, spreads) in means.chunks_mut(ROWS).zip(spreads.chunks_mut(ROWS)) {
            let mut sums = [[Sum::ZERO; 2]; ROWS];
            for (b, signs) in signs.as_chunks::<N>().0.iter().enumerate() {
                let mut u = [[T::ZERO; N]; ROWS];
                let Some(u) = u.get_mut(..means.len()) else { return };
                for (j, column) in pieces(weights, particles).enumerate() {
                    let Some(w) = column.as_chunks::<N>().0.get(b) else { return };
                    let w = s.load(w);
                    for (i, u) in u.iter_mut().enumerate() {
                        let x = s.splat(at(first.wrapping_add(i), j));
                        *u = (s.load(u) + x * w).array();
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
            first = first.wrapping_add(ROWS);
        }
    }
}
