//! The reverse conditional p(w | xi) as a likelihood: what makes the posterior log-concave.

use super::{Channel, CouplingError, dot};
use crate::density::Extent;
use crate::dispatch::dispatched;
use crate::error::refuse;
use crate::likelihood::{Hinges, Likelihood, PiecewiseQuadratic};
use crate::pieces::{pieces, pieces_mut};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Vector, blocks};
use crate::sum::Sum;

/// inner(w) - |xi - A w|^2 / 2: up to a constant log p(w | xi) - log p0(w) (\[MB\] (7)), and up to
/// (2 pi)^(-len/2) the joint density of (w, xi) relative to the prior.
///
/// xi is held flat, lane-major in the lane count of the call (block k is xi[k N .. (k + 1) N]): the
/// conditional of one lane count may only be evaluated with that one. Beside the inner likelihood an
/// evaluation costs 4 flops for each entry of A, and no scratch.
#[derive(Clone, Copy, Debug)]
pub struct Conditional<'a, T, L, C> {
    inner: &'a L,
    channel: &'a C,
    xi: &'a [T],
}

impl<'a, T: Real, L: Extent, C: Channel<T>> Conditional<'a, T, L, C> {
    /// The likelihood tilted by xi: `xi.as_flattened()` of [`Channel::len`] blocks.
    pub fn new(inner: &'a L, channel: &'a C, xi: &'a [T]) -> Result<Self, CouplingError> {
        refuse(inner.dim() != channel.weights() || xi.len() < channel.len(), CouplingError::Shape)?;
        Ok(Self { inner, channel, xi })
    }
}

impl<T: Real, L, C: Channel<T>> Conditional<'_, T, L, C> {
    /// xi as blocks of N.
    fn xi<const N: usize>(&self) -> Option<&[[T; N]]> {
        blocks::<T, N>(self.xi)?.get(..self.channel.len())
    }
}

impl<T: Real, L: Extent, C: Channel<T>> Extent for Conditional<'_, T, L, C> {
    fn dim(&self) -> usize {
        self.inner.dim()
    }

    fn scratch(&self) -> usize {
        self.inner.scratch()
    }

    fn rows(&self) -> usize {
        self.inner.rows().saturating_add(self.channel.data_rows())
    }
}

impl<T, L, C, const N: usize> Likelihood<T, N> for Conditional<'_, T, L, C>
where
    T: Lanes<N>,
    L: Likelihood<T, N>,
    C: Channel<T>,
{
    fn value_and_gradient(
        &self,
        isa: Isa,
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        scratch: &mut [[T; N]],
    ) -> [T; N] {
        let Some(xi) = self.xi() else { return [T::NAN; N] };
        let value = self.inner.value_and_gradient(isa, w, gradient, scratch);
        let dim = self.inner.dim();
        let Some((w, gradient)) = w.get(..dim).zip(gradient.get_mut(..dim)) else {
            return [T::NAN; N];
        };
        tilt(isa, self.channel, xi, w, gradient, value)
    }
}

/// The square adds -(A u).(A u) t^2/2 + (A u).(xi - A w) t along a line.
impl<T, L, C, const N: usize> PiecewiseQuadratic<T, N> for Conditional<'_, T, L, C>
where
    T: Lanes<N>,
    L: PiecewiseQuadratic<T, N>,
    C: Channel<T>,
{
    fn hinges(&self) -> Option<Hinges<'_, T>> {
        self.inner.hinges()
    }

    fn restrict(
        &self,
        isa: Isa,
        w: &[[T; N]],
        u: &[[T; N]],
        x: &mut [[T; N]],
        z: &mut [[T; N]],
    ) -> [[T; N]; 2] {
        let rest = self.inner.restrict(isa, w, u, x, z);
        let Some(xi) = self.xi() else { return [[T::NAN; N]; 2] };
        restricted(isa, self.channel, xi, w, u, rest)
    }
}

dispatched!(
    /// `rest` and what the square adds to it.
    fn restricted<C: Channel<T>>(
        s: S,
        channel: &C,
        xi: &[[T; N]],
        w: &[[T; N]],
        u: &[[T; N]],
        rest: [[T; N]; 2],
    ) -> [[T; N]; 2] {
        let [b, c] = rest;
        let d = channel.d();
        let (mut b, mut c) = (s.load(&b), s.load(&c));
        for (i, xi) in pieces(xi, channel.neurons()).enumerate() {
            let vectors = pieces(w, d).zip(pieces(u, d));
            for (m, (xi, (w, u))) in xi.iter().zip(vectors).enumerate() {
                let (weight, first, entries) = channel.row(i, m);
                let weight = s.splat(weight);
                let left = s.load(xi) - weight * dot(s, w.iter().skip(first), entries);
                let (_, _, entries) = channel.row(i, m);
                let along = weight * dot(s, u.iter().skip(first), entries);
                b = b + along * left;
                c = c - along * along;
            }
        }
        [b.array(), c.array()]
    }
);

dispatched!(
    /// value - |xi - A w|^2 / 2 (returned) and its gradient (added).
    fn tilt<C: Channel<T>>(
        s: S,
        channel: &C,
        xi: &[[T; N]],
        w: &[[T; N]],
        gradient: &mut [[T; N]],
        value: [T; N],
    ) -> [T; N] {
        let d = channel.d();
        // A compensated sum, block by block: n squares in single precision decide acceptance.
        let mut sum = Sum::new(s.zero());
        for (i, xi) in pieces(xi, channel.neurons()).enumerate() {
            for (m, (xi, (w, gradient))) in
                xi.iter().zip(pieces(w, d).zip(pieces_mut(gradient, d))).enumerate()
            {
                let (weight, first, entries) = channel.row(i, m);
                let weight = s.splat(weight);
                let a = s.load(xi) - weight * dot(s, w.iter().skip(first), entries);
                sum.add(a * a);
                let a = weight * a;
                let (_, _, entries) = channel.row(i, m);
                for (g, x) in gradient.iter_mut().skip(first).zip(entries) {
                    *g = (s.load(g) + a * s.splat(x)).array();
                }
            }
        }
        (s.load(&value) - s.splat(T::HALF) * sum.value()).array()
    }
);
