//! A mixture of Student's t laws as a proposal that knows several modes.

use crate::dispatch::dispatched;
use crate::linalg::lower_len;
use crate::random::{Stream, uniforms};
use crate::scalar::Real;
use crate::simd::{LaneOp, Simd, Vector};
use crate::special;

/// Components fitted to clusters; one more, of scale I about 0 in the coordinates of the reference,
/// stands behind them, so that no region of the posterior is out of the proposal's reach.
pub const COMPONENTS: usize = 8;

/// The degrees of freedom.
pub(crate) const FREEDOM: f64 = 8.0;

/// sum_k weight_k t_8(mean_k, L_k L_k') over [`COMPONENTS`] + 1 components. `Copy`; borrows its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture<'a, T> {
    numbers: &'a [T],
    dim: usize,
}

/// The numbers of one component of `dim` coordinates: its share of all components up to it, the
/// logarithm of its weight over the determinant of L, the mean, L packed row by row.
pub(crate) fn component_len(dim: usize) -> Option<usize> {
    lower_len(dim)?.checked_add(dim)?.checked_add(2)
}

/// The numbers that [`Mixture`] borrows. `None` if that overflows.
pub fn mixture_len(dim: usize) -> Option<usize> {
    component_len(dim)?.checked_mul(COMPONENTS + 1)
}

/// The parts of one component.
struct Component<'a, T> {
    share: T,
    log_weight: T,
    mean: &'a [T],
    factor: &'a [T],
}

impl<'a, T: Real> Mixture<'a, T> {
    /// Of [`mixture_len`] numbers; `None` if there are too few.
    pub fn new(numbers: &'a [T], dim: usize) -> Option<Self> {
        Some(Self { numbers: numbers.get(..mixture_len(dim)?)?, dim })
    }

    fn components(self) -> impl Iterator<Item = Component<'a, T>> {
        let dim = self.dim;
        // Of at least three numbers: never of none.
        let length = component_len(dim).unwrap_or(usize::MAX).max(1);
        self.numbers.chunks_exact(length).filter_map(move |numbers| {
            let ([share, log_weight], rest) = numbers.split_first_chunk::<2>()?;
            let (mean, factor) = rest.split_at_checked(dim)?;
            Some(Component { share: *share, log_weight: *log_weight, mean, factor })
        })
    }

    /// A draw for each lane: `to` holds normals and becomes the draw. Four uniforms for the scale, then
    /// one for the component.
    #[inline(always)]
    pub(crate) fn draw<const N: usize, S: Simd<T, N>>(
        &self,
        s: S,
        streams: &mut [Stream; N],
        to: &mut [[T; N]],
    ) {
        student(s, streams, to);
        let mut chosen = uniforms::<T, N>(streams);
        // The second chain of an antithetic pair goes to the other end of the list: with the same
        // component the two would always be in one mode.
        for (u, stream) in chosen.iter_mut().zip(&*streams) {
            *u = if stream.is_mirrored() { T::ONE - *u } else { *u };
        }
        // Lane by lane: each has a component of its own.
        for (lane, u) in chosen.into_iter().enumerate() {
            let mut components = self.components();
            let Some(mut component) = components.next() else { return };
            for next in components {
                if component.share > u {
                    break;
                }
                component = next;
            }
            // Row by row from the last: each needs the normals above it.
            let mut end = component.factor.len();
            for i in (0..self.dim).rev() {
                let start = end.saturating_sub(i.saturating_add(1));
                let Some(row) = component.factor.get(start..end) else { return };
                end = start;
                let mut sum = component.mean.get(i).copied().unwrap_or(T::ZERO);
                for (l, z) in row.iter().zip(&*to) {
                    sum += *l * at(z, lane);
                }
                if let Some(x) = to.get_mut(i).and_then(|x| x.get_mut(lane)) {
                    *x = sum;
                }
            }
        }
    }

    /// log q(z) up to a constant, the same for all z: a log-sum-exp over the components, in order.
    /// `spare` holds dim blocks. (dim^2 + 60) flops a component.
    #[inline(always)]
    pub(crate) fn log_density<const N: usize, S: Simd<T, N>>(
        self,
        s: S,
        z: &[[T; N]],
        spare: &mut [[T; N]],
    ) -> S::V {
        s.load(&s.outline(LogDensity { mixture: self, z, spare }))
    }
}

/// [`Mixture::log_density`], compiled once for all who ask.
struct LogDensity<'a, T, const N: usize> {
    mixture: Mixture<'a, T>,
    z: &'a [[T; N]],
    spare: &'a mut [[T; N]],
}

impl<T: Real, const N: usize> LaneOp<T, N> for LogDensity<'_, T, N> {
    type Output = [T; N];

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> [T; N] {
        let Self { mixture, z, spare } = self;
        let power = s.splat(-T::HALF * (T::lit(FREEDOM) + T::of_usize(mixture.dim)));
        let (mut top, mut sum) = (-s.splat(T::MAX), s.zero());
        for component in mixture.components() {
            let mut factor = component.factor;
            let mut norm = s.zero();
            for (i, (z, m)) in z.iter().zip(component.mean).enumerate() {
                let Some((row, rest)) = factor.split_at_checked(i.saturating_add(1)) else { break };
                factor = rest;
                let mut left = s.load(z) - s.splat(*m);
                for (l, y) in row.iter().zip(&*spare).take(i) {
                    left = left - s.splat(*l) * s.load(y);
                }
                let y = left / s.splat(row.last().copied().unwrap_or(T::ONE));
                norm = norm + y * y;
                if let Some(slot) = spare.get_mut(i) {
                    *slot = y.array();
                }
            }
            let tail = special::called::ln(s, s.one() + s.lit(1.0 / FREEDOM) * norm);
            let log = s.splat(component.log_weight) + power * tail;
            let higher = top.max(log);
            sum =
                sum * special::called::exp(s, top - higher) + special::called::exp(s, log - higher);
            top = higher;
        }
        (top + special::called::ln(s, sum)).array()
    }
}

#[inline(always)]
fn at<T: Real, const N: usize>(z: &[T; N], lane: usize) -> T {
    z.get(lane).copied().unwrap_or(T::ZERO)
}

/// Normals become t_8(0, I): divided by the root of chi^2/8, chi^2 = -2 log(u_1 u_2 u_3 u_4).
#[inline(always)]
pub(crate) fn student<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    streams: &mut [Stream; N],
    to: &mut [[T; N]],
) {
    let mut product = s.load(&uniforms(streams));
    for _ in 0..3 {
        product = product * s.load(&uniforms(streams));
    }
    // Of four uniforms of 24 bits or more: above the smallest normal number.
    let square = special::called::ln(s, product) * s.lit(-2.0 / FREEDOM);
    let factor = s.one() / square.sqrt();
    for to in to {
        *to = (factor * s.load(to)).array();
    }
}

dispatched!(
    /// log q(from) - log q(to), lane by lane.
    pub(crate) fn ratio(
        s: S,
        mixture: Mixture<'_, T>,
        from: &[[T; N]],
        to: &[[T; N]],
        spare: &mut [[T; N]],
    ) -> [T; N] {
        let before = mixture.log_density(s, from, spare);
        let after = mixture.log_density(s, to, spare);
        (before - after).array()
    }
);
