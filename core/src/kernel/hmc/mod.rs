//! Hamiltonian Monte Carlo: split, where the Gaussian part is solved exactly, plain, and under a mass.
//!
//! The target is log p(g) = -|g|^2/2 + v(g) (see [`crate::density`]), with momentum p ~ N(0, I).
//!
//! [`Flow::Split`]: the energy |g|^2/2 + |p|^2/2 - v(g) is split into the quadratic part, whose flow for
//! a time e is the rotation of each (g_j, p_j) by the angle e, and -v, whose flow is the kick
//! p += e grad v (Shahbaba, Lan, Johnson, Neal 2014, "Split Hamiltonian Monte Carlo", section 3.1).
//! One step is half a kick, a rotation, half a kick. Where v is flat the step is exact, whatever its
//! length.
//!
//! [`Flow::Leapfrog`]: the kick is p += e grad(v - |g|^2/2), the drift g += e p (Duane, Kennedy,
//! Pendleton, Roweth 1987). One step of it is the Metropolis-adjusted Langevin algorithm with h = e^2
//! (Roberts, Tweedie 1996), and without the acceptance the unadjusted one.
//!
//! Adjoining half kicks are merged, and the gradient at the end of one transition serves the start of
//! the next.
//!
//! [`Flow::Mass`]: leapfrog in the metric of a mass matrix, for densities relative to no reference: the
//! value is log p(g) itself. They are those that change between transitions, as in Gibbs sampling, so
//! value and gradient are evaluated anew before each, and the error in the energy is a difference of
//! energies, like terms first.
//!
//! Else the error in the energy, which decides acceptance, is summed where it arises: a kick k changes
//! |p|^2/2 by k.(p + k/2), a drift e p changes |g|^2/2 by e p.(g + e p/2), and a rotation changes
//! nothing. These terms are small and are added up with compensation, and the value enters once, as a
//! difference: no two large energies are subtracted.
//!
//! Order of draws of one transition, from each chain's own stream: dim normals for the momentum, a
//! uniform for the jitter of the step (below `short` it shortens the step, above it varies it; under a
//! mass two, the first of which says whether the second shortens or varies), a uniform for acceptance.

mod mass;
mod unit;

pub use mass::Metric;
pub(super) use unit::kick;

use super::accept::Accept;
use crate::density::Density;
use crate::dispatch::{Blank, blank, dispatched};
use crate::pieces::cut;
use crate::random::{Stream, normals_on};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, Simd, Vector};
use unit::{Drift, Rotation, Unit};

/// A larger error in the energy marks a transition as divergent.
pub const DIVERGENCE: f64 = 1000.0;

/// A larger error under a mass keeps a chain where it is even where transitions are not adjusted.
const FAR: f64 = 3.0;

/// Where N chains are: what one transition hands to the next.
#[derive(Debug)]
pub struct State<'s, T, const N: usize> {
    /// g: dim blocks.
    pub position: &'s mut [[T; N]],
    /// The gradient of v at g: dim blocks.
    pub gradient: &'s mut [[T; N]],
    /// v(g).
    pub value: &'s mut [T; N],
}

impl<T: Real, const N: usize> State<'_, T, N> {
    /// The same state, lent for a while.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> State<'_, T, N> {
        State {
            position: &mut *self.position,
            gradient: &mut *self.gradient,
            value: &mut *self.value,
        }
    }

    /// The chains of a mask move to a proposal of value `after`; returns the values kept.
    #[inline(always)]
    pub(super) fn take<S: Simd<T, N>>(
        self,
        s: S,
        mask: <S::V as Vector<T, N>>::Mask,
        position: &[[T; N]],
        gradient: &[[T; N]],
        after: S::V,
    ) -> S::V {
        for (kept, new) in [(self.position, position), (self.gradient, gradient)] {
            for (kept, new) in kept.iter_mut().zip(new) {
                *kept = s.load(new).select(mask, s.load(kept)).array();
            }
        }
        let value = after.select(mask, s.load(self.value));
        *self.value = value.array();
        value
    }
}

/// What a transition works in. Its content means nothing between transitions, so blocks of chains
/// may share it.
#[derive(Debug)]
pub struct Work<'s, T, const N: usize> {
    pub(super) position: &'s mut [[T; N]],
    momentum: &'s mut [[T; N]],
    pub(super) gradient: &'s mut [[T; N]],
    pub(super) scratch: &'s mut [[T; N]],
}

/// The blocks `[T; N]` that [`Work`] takes: 3 dim + scratch. `None` if that overflows.
pub const fn work_len(dim: usize, scratch: usize) -> Option<usize> {
    match dim.checked_mul(3) {
        Some(three) => three.checked_add(scratch),
        None => None,
    }
}

impl<'s, T: Real, const N: usize> Work<'s, T, N> {
    /// Cuts [`work_len`] blocks or more; `None` if there are fewer than 3 dim.
    pub fn new(memory: &'s mut [[T; N]], dim: usize) -> Option<Self> {
        let ([position, momentum, gradient], scratch) = cut(memory, [dim; 3])?;
        Some(Self { position, momentum, gradient, scratch })
    }

    /// Of its parts: three of dim blocks, and the scratch of the density.
    pub(crate) fn of(
        [position, momentum, gradient]: [&'s mut [[T; N]]; 3],
        scratch: &'s mut [[T; N]],
    ) -> Self {
        Self { position, momentum, gradient, scratch }
    }

    fn lend<'a>(&'a mut self, state: &'a mut State<'_, T, N>) -> Lent<'a, T, N> {
        let Self { position, momentum, gradient, .. } = self;
        Lent { state: state.reborrow(), position, momentum, gradient }
    }

    /// The momenta.
    pub(crate) fn momentum(&mut self) -> &mut [[T; N]] {
        self.momentum
    }

    /// The scratch of the density.
    pub fn scratch(&mut self) -> &mut [[T; N]] {
        self.scratch
    }
}

/// How the equations of motion are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow<'m, T, const N: usize> {
    /// Rotations, and kicks by the gradient of v.
    Split,
    /// Drifts, and kicks by the gradient of log p.
    Leapfrog,
    /// The same in a metric. [`evaluate`] before each transition, which spends the state's gradient.
    Mass(Metric<'m, T, N>),
}

/// How far a transition goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory<'m, T, const N: usize> {
    /// Split or leapfrog.
    pub flow: Flow<'m, T, N>,
    /// Takes the end of the trajectory wherever the error in its energy is a number, under a mass one of
    /// at most 3: not exact, but biased by the step.
    pub unadjusted: bool,
    /// The time of one step, for each chain: the angle of its rotation in radians.
    pub step: [T; N],
    /// Steps; 0 counts as 1.
    pub steps: u32,
    /// Each transition multiplies its step by a uniform number in (1 - jitter, 1 + jitter).
    pub jitter: T,
    /// The share of transitions, in [0, 1), that multiply it by the cube of a uniform number in
    /// (0, 1) instead. They free a chain from where the gradient is far steeper than elsewhere and
    /// no step of the usual length is accepted: near g = 0 under the lift of the l1 ball, for one.
    pub short: T,
}

impl<T: Real, const N: usize> Trajectory<'_, T, N> {
    /// Split steps of the given times, accepted or not, all of the same length.
    pub fn split(step: [T; N], steps: u32) -> Self {
        let (flow, unadjusted) = (Flow::Split, false);
        Self { flow, unadjusted, step, steps, jitter: T::ZERO, short: T::ZERO }
    }
}

/// What a transition did, for each chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<T, const N: usize> {
    /// The probability of acceptance, min(1, exp(-error)); 0 where divergent.
    pub acceptance: [T; N],
    /// Whether the end of the trajectory was taken.
    pub accepted: [bool; N],
    /// Whether the error in the energy was above [`DIVERGENCE`], or what an unadjusted transition takes, or
    /// not finite.
    pub divergent: [bool; N],
    /// |g|^2/2 + |p|^2/2 - v(g) at the state kept, up to the constant of the density; under a mass
    /// |p|^2/2 - v(g) at the start.
    pub energy: [T; N],
}

blank!(Outcome<T, N> { acceptance, accepted, divergent, energy });

impl<T: Real, const N: usize> Outcome<T, N> {
    /// Of the lanes that were taken; `sound` is 0 where they diverged, else 1.
    #[inline(always)]
    pub(super) fn new<S: Simd<T, N>>(
        s: S,
        probability: S::V,
        taken: <S::V as Vector<T, N>>::Mask,
        sound: S::V,
        energy: S::V,
    ) -> Self {
        let positive = |x: [T; N]| x.map(|x| x > T::ZERO);
        Self {
            acceptance: probability.array(),
            accepted: positive(s.one().select(taken, s.zero()).array()),
            divergent: positive((s.one() - sound).array()),
            energy: energy.array(),
        }
    }
}

/// Evaluates the density at the position: needed once before the first transition, and after every
/// change of the density.
#[inline]
pub fn evaluate<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    state: &mut State<'_, T, N>,
    scratch: &mut [[T; N]],
) {
    *state.value = density.value_and_gradient(isa, state.position, state.gradient, scratch);
}

/// One transition of N chains: `steps` evaluations of the density.
///
/// `state` must hold the density's value and gradient at its position. A buffer that is too short
/// makes every chain stay and report divergence.
#[inline(always)]
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<'_, T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    normals_on(isa, streams, work.momentum);
    launch(isa, density, streams, trajectory, state, work)
}

/// The same from the momenta that `work` holds, in place of new ones; those at the trajectory's end are left there. Draws of
/// N(0, I) that they are partly made of let a chain go on where it went (Horowitz 1991).
#[inline(always)]
pub(crate) fn launch<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<'_, T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    match trajectory.flow {
        Flow::Split => run(Unit(Rotation), isa, density, streams, trajectory, state, work),
        Flow::Leapfrog => run(Unit(Drift), isa, density, streams, trajectory, state, work),
        Flow::Mass(metric) => run(metric, isa, density, streams, trajectory, state, work),
    }
}

/// What the phases of a trajectory work on: the state, and where the trajectory is.
struct Lent<'s, T, const N: usize> {
    state: State<'s, T, N>,
    position: &'s mut [[T; N]],
    momentum: &'s mut [[T; N]],
    gradient: &'s mut [[T; N]],
}

/// What a flow does between the evaluations of the density.
trait Phases<T: Real, const N: usize>: Copy {
    /// What a trajectory carries from phase to phase.
    type Path: Copy + Blank;
    /// Whether the density is evaluated anew before each transition: the gradient of the state is then
    /// spent, and the energy told is that of the start.
    const ANEW: bool;
    /// The step, the first half kick and motion, from the momenta drawn.
    fn begin<S: Simd<T, N>>(
        self,
        s: S,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<'_, T, N>,
        lent: Lent<'_, T, N>,
    ) -> Self::Path;
    /// A whole kick and a motion.
    fn middle<S: Simd<T, N>>(self, s: S, path: Self::Path, lent: Lent<'_, T, N>) -> Self::Path;
    /// The last half kick, where the value has risen by `rise`: the error in the energy, and the energy
    /// of the start.
    fn end<S: Simd<T, N>>(
        self,
        s: S,
        path: Self::Path,
        rise: S::V,
        lent: &mut Lent<'_, T, N>,
    ) -> [S::V; 2];
}

fn run<T: Lanes<N>, P: Phases<T, N>, const N: usize>(
    phases: P,
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<'_, T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    let mut path = begin(isa, phases, streams, trajectory, work.lend(state));
    let mut value = density.value_and_gradient(isa, work.position, work.gradient, work.scratch);
    for _ in 1..trajectory.steps {
        path = middle(isa, phases, path, work.lend(state));
        value = density.value_and_gradient(isa, work.position, work.gradient, work.scratch);
    }
    let unadjusted = trajectory.unadjusted;
    end(isa, phases, path, value, unadjusted, streams, work.lend(state))
}

dispatched!(
    fn begin<P: Phases<T, N>>(
        s: S,
        phases: P,
        streams: &mut [Stream; N],
        trajectory: &Trajectory<'_, T, N>,
        lent: Lent<'_, T, N>,
    ) -> P::Path {
        phases.begin(s, streams, trajectory, lent)
    }
);

dispatched!(
    fn middle<P: Phases<T, N>>(s: S, phases: P, path: P::Path, lent: Lent<'_, T, N>) -> P::Path {
        phases.middle(s, path, lent)
    }
);

dispatched!(
    /// The last half kick, and acceptance.
    fn end<P: Phases<T, N>>(
        s: S,
        phases: P,
        path: P::Path,
        value: [T; N],
        unadjusted: bool,
        streams: &mut [Stream; N],
        lent: Lent<'_, T, N>,
    ) -> Outcome<T, N> {
        let mut lent = lent;
        let (before, after) = (s.load(lent.state.value), s.load(&value));
        let [error, energy] = phases.end(s, path, after - before, &mut lent);

        let Lent { state, position, gradient, .. } = lent;
        let (gradient, change): (&[_], _) =
            if P::ANEW { (&[], s.zero()) } else { (gradient, error) };
        s.outline(Accept {
            streams,
            state,
            position,
            gradient,
            value,
            exponent: (-error).array(),
            range: [if P::ANEW && unadjusted { -T::lit(FAR) } else { -T::lit(DIVERGENCE) }, T::MAX],
            unadjusted,
            energy: energy.array(),
            change: change.array(),
        })
    }
);
