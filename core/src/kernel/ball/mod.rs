//! Kernels for log densities on a product of solid l1 balls, in the coordinates of w itself.
//!
//! The target is p(w) ~ exp(v(w)) on {w = (w_1, ..., w_M) : |w_m|_1 <= R}, v a
//! [`Likelihood`](crate::likelihood::Likelihood): the posterior under the uniform prior on the ball, or
//! the law of w given xi ([`crate::coupling`]), as \[MB\] section IV samples it. All are exact; under
//! this prior split HMC on the copula lift ([`crate::kernel::hmc`]) is the fastest kernel that was
//! measured, and these are for where it is not trusted, for comparisons, and for their guarantees.
//!
//! - [`hit_and_run`]: no gradient, no step size; exact draws along lines for squared ReLU.
//! - [`walk`]: the ball walk. No gradient.
//! - [`dikin`]: a walk in the metric of a barrier: no gradient, no rejection at the facets to speak of.
//! - [`mirror`]: Metropolis-adjusted Langevin in the dual coordinates of the same barrier.
//! - [`reflection`]: HMC with specular reflection at the facets.
//! - [`riemannian`]: HMC in the metric of the barrier.
//!
//! Loops whose length depends on a lane (Newton's method, slices, reflections) end when every lane has
//! come to rest; a round more does nothing to a lane that has, so no number of a chain depends on the
//! others.

mod barrier;
mod chord;
pub mod dikin;
pub mod hit_and_run;
mod line;
pub mod mirror;
pub mod reflection;
pub mod riemannian;
pub mod walk;

use super::accept::Accept;
pub use super::hmc::{Outcome, State};
use crate::dispatch::dispatched;
use crate::likelihood::PiecewiseQuadratic;
use crate::pieces::{cut, pieces};
use crate::random::Stream;
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};

/// The product of M solid l1 balls of radius R in R^d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<T> {
    radius: T,
    d: usize,
    neurons: usize,
}

impl<T: Real> Body<T> {
    /// `None` unless the radius is positive and finite, d and M are at least 1, and M d does not
    /// overflow.
    pub fn new(radius: T, d: usize, neurons: usize) -> Option<Self> {
        let dim = d.checked_mul(neurons)?;
        (radius > T::ZERO && radius.is_finite() && dim > 0).then_some(Self { radius, d, neurons })
    }

    /// R.
    pub fn radius(&self) -> T {
        self.radius
    }

    /// Coordinates of one ball.
    pub fn d(&self) -> usize {
        self.d
    }

    /// M, the balls.
    pub fn neurons(&self) -> usize {
        self.neurons
    }

    /// M d.
    pub fn dim(&self) -> usize {
        self.d.saturating_mul(self.neurons)
    }

    /// The sd of each coordinate under the uniform law: R sqrt(2 / ((d + 1) (d + 2))).
    pub fn sd(&self) -> T {
        let d = T::of_usize(self.d);
        self.radius * (T::lit(2.0) / ((d + T::ONE) * (d + T::lit(2.0)))).sqrt()
    }

    /// 1 in the lanes whose point lies in the body, as its norms come out rounded; else 0.
    #[inline(always)]
    fn contains<const N: usize, S: Simd<T, N>>(&self, s: S, w: &[[T; N]]) -> S::V {
        let (radius, mut inside) = (s.splat(self.radius), s.one());
        for w in pieces(w, self.d) {
            inside = inside.select(norm(s, w).le(radius), s.zero());
        }
        inside
    }
}

/// |w|_1, from the first coordinate on.
#[inline(always)]
fn norm<T: Real, const N: usize, S: Simd<T, N>>(s: S, w: &[[T; N]]) -> S::V {
    let mut norm = s.zero();
    for w in w {
        norm = norm + s.load(w).abs();
    }
    norm
}

/// Whether every lane is the same in both.
#[inline(always)]
fn same<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> bool {
    let mut moved = 0_u32;
    for (a, b) in a.iter().zip(b) {
        moved |= u32::from(*a != *b);
    }
    moved == 0
}

/// What a transition works in. Its content means nothing between transitions, so blocks of chains
/// may share it.
#[derive(Debug)]
pub struct Work<'s, T, const N: usize> {
    position: &'s mut [[T; N]],
    first: &'s mut [[T; N]],
    second: &'s mut [[T; N]],
    scratch: &'s mut [[T; N]],
    lines: &'s mut [[T; N]],
}

/// The blocks `[T; N]` that [`Work`] takes for `dim` coordinates, the `scratch` of the density and its
/// hinges: 3 dim + scratch, and 4 hinges + 2 where there are some. `None` if that overflows.
pub fn work_len(dim: usize, scratch: usize, hinges: Option<usize>) -> Option<usize> {
    let lines = match hinges {
        Some(n) => n.checked_mul(4)?.checked_add(2)?,
        None => 0,
    };
    dim.checked_mul(3)?.checked_add(scratch)?.checked_add(lines)
}

impl<'s, T: Real, const N: usize> Work<'s, T, N> {
    /// Cuts [`work_len`] blocks or more; `None` if there are fewer than 3 dim + scratch. Where those
    /// for the hinges are missing, lines are drawn by slices.
    pub fn new(memory: &'s mut [[T; N]], dim: usize, scratch: usize) -> Option<Self> {
        let ([position, first, second, scratch], lines) = cut(memory, [dim, dim, dim, scratch])?;
        Some(Self { position, first, second, scratch, lines })
    }
}

/// N chains, and the law that their transitions leave invariant; each kernel is a method. `state` must
/// hold the density's value and gradient at its position ([`evaluate`](Self::evaluate)). A density that is
/// not a number makes a chain stay and report divergence.
pub struct Chains<'c, T, const N: usize> {
    /// Runs on this instruction set.
    pub isa: Isa,
    /// v.
    pub density: &'c dyn PiecewiseQuadratic<T, N>,
    /// Its support.
    pub body: Body<T>,
    /// Of each chain.
    pub streams: &'c mut [Stream; N],
    /// Where they are.
    pub state: State<'c, T, N>,
    /// Scratch.
    pub work: Work<'c, T, N>,
}

impl<T: Lanes<N>, const N: usize> Chains<'_, T, N> {
    /// Evaluates the density at the position: needed once before the first transition, and after every
    /// change of the density.
    #[inline]
    pub fn evaluate(&mut self) {
        let State { position, gradient, value } = &mut self.state;
        **value = self.density.value_and_gradient(self.isa, position, gradient, self.work.scratch);
    }

    /// The density at the proposal in `work.position`.
    fn value(&mut self) -> [T; N] {
        let Work { position, second, scratch, .. } = &mut self.work;
        self.density.value(self.isa, position, second, scratch)
    }

    /// The same, and its gradient into `work.second`.
    fn value_and_gradient(&mut self) -> [T; N] {
        let Work { position, second, scratch, .. } = &mut self.work;
        self.density.value_and_gradient(self.isa, position, second, scratch)
    }

    /// What the phases of a transition work on.
    fn lend(&mut self) -> Lent<'_, T, N> {
        let Work { position, first, second, .. } = &mut self.work;
        let (streams, state) = (&mut *self.streams, self.state.reborrow());
        Lent { body: self.body, streams, state, position, first, second }
    }

    /// What is left of a transition without gradients when the proposal stands in `work.position`: one
    /// value, and Metropolis' rule.
    fn settle(&mut self, ratio: [T; N]) -> Outcome<T, N> {
        let (isa, value) = (self.isa, self.value());
        let mut lent = self.lend();
        lent.state.gradient = &mut [];
        decide_on(isa, lent, value, ratio)
    }
}

/// Chains without their density: where they are, and where a proposal is.
struct Lent<'c, T, const N: usize> {
    body: Body<T>,
    streams: &'c mut [Stream; N],
    state: State<'c, T, N>,
    position: &'c mut [[T; N]],
    first: &'c mut [[T; N]],
    /// The gradient at the proposal, where the kernel uses one.
    second: &'c mut [[T; N]],
}

/// Accepts the proposal with probability min(1, exp(v(w') - v(w) + ratio)), one uniform a lane; the ratio
/// is the logarithm of that of the proposal densities, backward over forward, -infinity where the
/// proposal lies outside.
#[inline(always)]
fn decide<T: Real, const N: usize, S: Simd<T, N>>(
    s: S,
    lent: Lent<'_, T, N>,
    value: [T; N],
    ratio: S::V,
) -> Outcome<T, N> {
    let (before, after) = (s.load(lent.state.value), s.load(&value));
    // Outside nothing is asked of the density.
    let outside = ratio.le(-s.splat(T::INFINITY));
    let exponent = ratio.select(outside, (after - before) + ratio);
    let Lent { streams, mut state, position, second, .. } = lent;
    let outcome = s.outline(Accept {
        streams,
        state: state.reborrow(),
        position,
        gradient: second,
        value,
        exponent: exponent.array(),
        range: [-T::INFINITY, T::INFINITY],
        unadjusted: false,
        energy: [T::ZERO; N],
        change: [T::ZERO; N],
    });
    Outcome { energy: (-s.load(state.value)).array(), ..outcome }
}

dispatched!(
    fn decide_on(s: S, lent: Lent<'_, T, N>, value: [T; N], ratio: [T; N]) -> Outcome<T, N> {
        decide(s, lent, value, s.load(&ratio))
    }
);
