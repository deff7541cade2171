//! Chains, or particles, taken from the coordinates of a density to those of a reference and back.
//!
//! What a kernel of [`crate::kernel::hmc`] carries from one transition to the next, a position with its
//! value and its gradient, follows the map exactly: no evaluation of the density is spent, and the
//! numbers change by rounding only, in the value by about one unit in the last place of |g|^2/2.

use super::{Affine, correct, pull_back};
use crate::dispatch::dispatched;
use crate::simd::{Isa, Lanes, Vector};

/// From g, v(g) and grad v(g) to z, u(z) and grad u(z), with the names of [`super`]: 2 dim^2 flops a
/// lane. `spare` holds 2 dim blocks; with fewer nothing changes.
pub(crate) fn enter<T: Lanes<N>, const N: usize>(
    isa: Isa,
    map: Affine<'_, T>,
    position: &mut [[T; N]],
    gradient: &mut [[T; N]],
    value: &mut [T; N],
    spare: &mut [[T; N]],
) {
    let Some((z, d)) = halves(spare, position.len()) else { return };
    let (g, at) = (position, gradient);
    solve(isa, map, g, z);
    pull_back(isa, map, z, g, at, d);
    *value = correct(isa, z, g, *value);
    g.iter_mut().zip(z).for_each(|(g, z)| *g = *z);
    at.iter_mut().zip(d).for_each(|(at, d)| *at = *d);
}

/// The way back: 2 dim^2 flops a lane.
pub(crate) fn leave<T: Lanes<N>, const N: usize>(
    isa: Isa,
    map: Affine<'_, T>,
    position: &mut [[T; N]],
    gradient: &mut [[T; N]],
    value: &mut [T; N],
    spare: &mut [[T; N]],
) {
    let Some((g, y)) = halves(spare, position.len()) else { return };
    let (z, d) = (position, gradient);
    map.apply(isa, z, g);
    push(isa, map, z, d, g, y);
    *value = correct(isa, g, z, *value);
    z.iter_mut().zip(g).for_each(|(z, g)| *z = *g);
    d.iter_mut().zip(y).for_each(|(d, y)| *d = *y);
}

type Halves<'s, T, const N: usize> = (&'s mut [[T; N]], &'s mut [[T; N]]);

fn halves<T, const N: usize>(spare: &mut [[T; N]], dim: usize) -> Option<Halves<'_, T, N>> {
    let (first, rest) = spare.split_at_mut_checked(dim)?;
    Some((first, rest.get_mut(..dim)?))
}

dispatched!(
    /// z = L^-1 (g - m), forward.
    fn solve(s: S, map: Affine<'_, T>, g: &[[T; N]], z: &mut [[T; N]]) {
        let mut factor = map.factor;
        for (i, (g, m)) in g.iter().zip(map.mean).enumerate() {
            let Some((row, rest)) = factor.split_at_checked(i.saturating_add(1)) else { return };
            factor = rest;
            let Some((done, left)) = z.split_at_mut_checked(i) else { return };
            let mut sum = s.load(g) - s.splat(*m);
            for (l, z) in row.iter().zip(done) {
                sum = sum - s.splat(*l) * s.load(z);
            }
            if let Some((z, diagonal)) = left.first_mut().zip(row.last()) {
                *z = (sum / s.splat(*diagonal)).array();
            }
        }
    }
);

dispatched!(
    /// grad v = L'^-1 (grad u - z) + g, backward.
    fn push(s: S, map: Affine<'_, T>, z: &[[T; N]], d: &[[T; N]], g: &[[T; N]], y: &mut [[T; N]]) {
        for (y, (d, z)) in y.iter_mut().zip(d.iter().zip(z)) {
            *y = (s.load(d) - s.load(z)).array();
        }
        let mut factor = map.factor;
        for i in (0..y.len()).rev() {
            // Row i is the last of those that are left.
            let start = factor.len().saturating_sub(i.saturating_add(1));
            let Some((rest, row)) = factor.split_at_checked(start) else { return };
            factor = rest;
            let Some((above, own)) = y.split_at_mut_checked(i) else { return };
            let Some((y, diagonal)) = own.first_mut().zip(row.last()) else { return };
            let x = s.load(y) / s.splat(*diagonal);
            *y = x.array();
            for (y, l) in above.iter_mut().zip(row) {
                *y = (s.load(y) - s.splat(*l) * x).array();
            }
        }
        for (y, g) in y.iter_mut().zip(g) {
            *y = (s.load(y) + s.load(g)).array();
        }
    }
);
