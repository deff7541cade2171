//! What a greedy likelihood has beyond the tilt: the square of \[B\], and a sign that is summed out.

use super::GreedyTilt;
use super::greedy::{Block, GROUPS};
use super::rows::{self, GROUP, InPlace};
use crate::data::Dataset;
use crate::dispatch::dispatched;
use crate::scalar::Real;
use crate::simd::{Simd, Vector};
use crate::special;
use crate::sum::Sum;

/// ln cosh a and its derivative tanh a: the sum over a sign s = +-1 of prior 1/2 of exp(s a).
#[inline(always)]
pub(crate) fn over_signs<T: Real, const N: usize, S: Simd<T, N>>(s: S, a: S::V) -> (S::V, S::V) {
    let size = a.abs();
    let rest = special::softplus(s, s.lit(-2.0) * size);
    (size + (rest - s.lit(core::f64::consts::LN_2)), special::tanh(s, a))
}

dispatched!(
    /// The value and gradient of a tilt with its sign summed out, in place.
    pub(super) fn sum_signs(s: S, value: [T; N], gradient: &mut [[T; N]]) -> [T; N] {
        let (value, sign) = over_signs(s, s.load(&value));
        for g in gradient {
            *g = (sign * s.load(g)).array();
        }
        value.array()
    }
);

dispatched!(
    hot:
    /// One pass over the data, the square included. `of_square` is as long as the gradient where the sign is
    /// summed out, else empty: the gradient of the square.
    pub(super) fn quadratic_pass(
        s: S,
        tilt: &GreedyTilt<'_, T>,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        of_square: &mut [[T; N]],
        tile: &mut [[T; N]],
    ) -> [T; N] {
        let GreedyTilt { data: Dataset { inputs, .. }, alpha, quadratic, activation, .. } = *tilt;
        let signed = !of_square.is_empty();
        let mut own = Accumulators {
            alpha: s.splat(alpha),
            quadratic: s.splat(quadratic),
            half: s.splat(T::HALF * quadratic),
            gradient,
            of_square,
            sum: Sum::new(s.zero()),
            squares: Sum::new(s.zero()),
        };
        rows::clear(own.gradient);
        rows::clear(own.of_square);
        let block = &mut Block::new();
        let tile = tile.as_flattened_mut();
        let in_place = inputs.row(0).is_some();
        let step = if in_place { GROUP * GROUPS } else { GROUP };
        for (k, r) in tilt.data.y().chunks(step).enumerate() {
            // Where four rows are not contiguous, those of their copy.
            let mut of = (inputs, k.wrapping_mul(step));
            if !in_place {
                let Some(copy) = inputs.four_copied(of.1, tile) else { return [T::NAN; N] };
                of = (copy, 0);
            }
            let (inputs, first) = of;
            let groups = || r.chunks(GROUP).zip((first..).step_by(GROUP));
            let count = r.len().div_ceil(GROUP);
            let (Some(u), Some(slope)) = (block.u.get_mut(..count), block.slope.get_mut(..count))
            else {
                return [T::NAN; N];
            };
            for ((_, first), u) in groups().zip(&mut *u) {
                let Some(rows) = InPlace::new(&inputs, first) else { return [T::NAN; N] };
                rows::store(u, rows::dots(s, w, rows, [s.zero(); GROUP]));
            }
            activation.apply(s, u.as_flattened_mut(), slope.as_flattened_mut());
            for ((r, first), (u, slope)) in groups().zip(u.iter().zip(&*slope)) {
                let Some(rows) = InPlace::new(&inputs, first) else { return [T::NAN; N] };
                own.add(s, rows, u, slope, r, signed);
            }
        }
        own.finish(s, signed)
    }
);

/// Sums over the data.
struct Accumulators<'a, T, V, const N: usize> {
    alpha: V,
    quadratic: V,
    half: V,
    gradient: &'a mut [[T; N]],
    of_square: &'a mut [[T; N]],
    sum: Sum<V>,
    squares: Sum<V>,
}

impl<T: Real, V: Vector<T, N>, const N: usize> Accumulators<'_, T, V, N> {
    /// A group of rows.
    #[inline(always)]
    fn add<S: Simd<T, N, V = V>>(
        &mut self,
        s: S,
        rows: InPlace<'_, T>,
        u: &[[T; N]; GROUP],
        slope: &[[T; N]; GROUP],
        r: &[T],
        signed: bool,
    ) {
        let ones = [T::ONE; GROUP];
        let present = rows::filled(ones.get(..r.len()).unwrap_or(&ones));
        let (mut terms, mut squares) = ([s.zero(); GROUP], [s.zero(); GROUP]);
        let (mut a, mut b) = ([s.zero(); GROUP], [s.zero(); GROUP]);
        let places = terms.iter_mut().zip(&mut squares).zip(a.iter_mut().zip(&mut b));
        let values = u.iter().zip(slope).zip(rows::filled(r).into_iter().zip(present));
        for (((term, square), (a, b)), ((u, slope), (r, present))) in places.zip(values) {
            // Rows that fill up the last group count for nothing.
            let (r, present) = (s.splat(r), s.splat(present));
            let (psi, slope) = (s.load(u), s.load(slope));
            if signed {
                *term = r * psi;
                *square = present * (psi * psi);
                *a = r * slope;
                *b = present * (psi * slope);
            } else {
                let tilt = self.alpha * r;
                *term = (tilt - present * (self.half * psi)) * psi;
                *a = (tilt - present * (self.quadratic * psi)) * slope;
            }
        }
        self.sum.add(rows::tree(terms));
        if signed {
            self.squares.add(rows::tree(squares));
        }
        // One loop for both: the code of either is long.
        let mut both = [(&mut *self.gradient, a), (&mut *self.of_square, b)];
        for (to, a) in both.iter_mut().take(1 + signed as usize) {
            rows::accumulate(s, to, rows, *a);
        }
    }

    /// The value; the gradient is completed.
    #[inline(always)]
    fn finish<S: Simd<T, N, V = V>>(self, s: S, signed: bool) -> [T; N] {
        if !signed {
            return self.sum.value().array();
        }
        let (value, sign) = over_signs(s, self.alpha * self.sum.value());
        let tilt = self.alpha * sign;
        for (g, square) in self.gradient.iter_mut().zip(&*self.of_square) {
            *g = (tilt * s.load(g) - self.quadratic * s.load(square)).array();
        }
        (value - self.half * self.squares.value()).array()
    }
}
