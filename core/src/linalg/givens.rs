//! A row more under a triangular factor, by Givens rotations.

use crate::scalar::Real;

/// One row more under R, a packed upper triangle of order `v.len()`: rotates it to zero, R'R grows by
/// v v'. `v` is used up. 3 d^2 flops.
pub fn rotate_in<T: Real>(r: &mut [T], v: &mut [T]) {
    let (mut rest, mut v) = (r, v);
    while let Some((row, below)) = core::mem::take(&mut rest).split_at_mut_checked(v.len()) {
        let Some((vj, tail)) = core::mem::take(&mut v).split_first_mut() else {
            return;
        };
        if let Some((diagonal, row)) = row.split_first_mut()
            && *vj != T::ZERO
        {
            // The larger taken out: no square overflows or vanishes.
            let larger = diagonal.abs().max(vj.abs());
            let (p, q) = (*diagonal / larger, *vj / larger);
            let root = (p * p + q * q).sqrt();
            let (c, s) = (p / root, q / root);
            *diagonal = larger * root;
            for (r, v) in row.iter_mut().zip(tail.iter_mut()) {
                let (old, new) = (*r, *v);
                *r = c * old + s * new;
                *v = c * new - s * old;
            }
        }
        (rest, v) = (below, tail);
    }
}
