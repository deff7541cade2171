//! Hamiltonian Monte Carlo: split, where the Gaussian part is solved exactly, and plain.
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
//! The error in the energy, which decides acceptance, is summed where it arises: a kick k changes
//! |p|^2/2 by k.(p + k/2), a drift e p changes |g|^2/2 by e p.(g + e p/2), and a rotation changes
//! nothing. These terms are small and are added up with compensation, and the value enters once, as a
//! difference: no two large energies are subtracted.
//!
//! Order of draws of one transition, from each chain's own stream: dim normals for the momentum, a
//! uniform for the jitter of the step (below `short` it shortens the step, above it varies it), a
//! uniform for acceptance.

use crate::density::Density;
use crate::random::{Stream, normals, uniforms};
use crate::scalar::Real;
use crate::simd::{Isa, LaneOp, Lanes, Simd, Vector};
use crate::special;
use crate::sum::Sum;
use core::marker::PhantomData;

/// A larger error in the energy marks a transition as divergent.
pub const DIVERGENCE: f64 = 1000.0;

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

impl<T, const N: usize> State<'_, T, N> {
    /// The same state, lent for a while.
    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> State<'_, T, N> {
        State {
            position: &mut *self.position,
            gradient: &mut *self.gradient,
            value: &mut *self.value,
        }
    }
}

/// What a transition works in. Its content means nothing between transitions, so blocks of chains
/// may share it.
#[derive(Debug)]
pub struct Work<'s, T, const N: usize> {
    position: &'s mut [[T; N]],
    momentum: &'s mut [[T; N]],
    gradient: &'s mut [[T; N]],
    scratch: &'s mut [[T; N]],
}

/// The blocks `[T; N]` that [`Work`] takes: 3 dim + scratch. `None` if that overflows.
pub const fn work_len(dim: usize, scratch: usize) -> Option<usize> {
    match dim.checked_mul(3) {
        Some(three) => three.checked_add(scratch),
        None => None,
    }
}

/// Three of the parts of [`Work`].
type Parts<'s, T, const N: usize> = (&'s mut [[T; N]], &'s mut [[T; N]], &'s mut [[T; N]]);

impl<'s, T: Real, const N: usize> Work<'s, T, N> {
    /// Cuts [`work_len`] blocks or more; `None` if there are fewer than 3 dim.
    pub fn new(memory: &'s mut [[T; N]], dim: usize) -> Option<Self> {
        let (position, rest) = memory.split_at_mut_checked(dim)?;
        let (momentum, rest) = rest.split_at_mut_checked(dim)?;
        let (gradient, scratch) = rest.split_at_mut_checked(dim)?;
        Some(Self { position, momentum, gradient, scratch })
    }

    /// The scratch of the density.
    pub fn scratch(&mut self) -> &mut [[T; N]] {
        self.scratch
    }

    /// Where a proposal is made (dim blocks), dim blocks to spare, and the scratch of the density.
    pub(super) fn parts(&mut self) -> Parts<'_, T, N> {
        (&mut *self.position, &mut *self.gradient, &mut *self.scratch)
    }
}

/// How the equations of motion are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Rotations, and kicks by the gradient of v.
    Split,
    /// Drifts, and kicks by the gradient of log p.
    Leapfrog,
}

/// How far a transition goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory<T, const N: usize> {
    /// Split or leapfrog.
    pub flow: Flow,
    /// Takes the end of the trajectory wherever the error in its energy is a number: not exact, but
    /// biased by the step.
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

impl<T: Real, const N: usize> Trajectory<T, N> {
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
    /// Whether the error in the energy was above [`DIVERGENCE`] or not finite.
    pub divergent: [bool; N],
    /// |g|^2/2 + |p|^2/2 - v(g) at the state kept, up to the constant of the density.
    pub energy: [T; N],
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
pub fn transition<T: Lanes<N>, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    match trajectory.flow {
        Flow::Split => run::<T, Rotation, N>(isa, density, streams, trajectory, state, work),
        Flow::Leapfrog => run::<T, Drift, N>(isa, density, streams, trajectory, state, work),
    }
}

fn run<T: Lanes<N>, F: Motion, const N: usize>(
    isa: Isa,
    density: &dyn Density<T, N>,
    streams: &mut [Stream; N],
    trajectory: &Trajectory<T, N>,
    state: &mut State<'_, T, N>,
    work: &mut Work<'_, T, N>,
) -> Outcome<T, N> {
    let mut path = T::dispatch(
        isa,
        Begin {
            motion: PhantomData::<F>,
            streams,
            trajectory,
            state: state.reborrow(),
            position: &mut *work.position,
            momentum: &mut *work.momentum,
        },
    );
    let mut value = density.value_and_gradient(isa, work.position, work.gradient, work.scratch);
    for _ in 1..trajectory.steps {
        path = T::dispatch(
            isa,
            Middle {
                motion: PhantomData::<F>,
                path,
                position: &mut *work.position,
                momentum: &mut *work.momentum,
                gradient: &*work.gradient,
            },
        );
        value = density.value_and_gradient(isa, work.position, work.gradient, work.scratch);
    }
    T::dispatch(
        isa,
        End {
            motion: PhantomData::<F>,
            path,
            value,
            unadjusted: trajectory.unadjusted,
            streams,
            state: state.reborrow(),
            position: &*work.position,
            momentum: &*work.momentum,
            gradient: &*work.gradient,
        },
    )
}

/// What a trajectory carries from phase to phase.
#[derive(Clone, Copy, Debug)]
struct Path<T, const N: usize> {
    step: [T; N],
    cosine: [T; N],
    sine: [T; N],
    /// The energy at the start.
    energy: [T; N],
    /// The change of the quadratic part so far, as a sum and its lost digits.
    change: [T; N],
    lost: [T; N],
}

/// The kick p += k and the change k.(p + k/2) of the kinetic energy.
#[inline(always)]
pub(super) fn kick<T: Real, const N: usize, V: Vector<T, N>>(
    p: V,
    k: V,
    half: V,
    change: &mut Sum<V>,
) -> V {
    change.add(k * (p + half * k));
    p + k
}

/// What moves positions, and what is left to the kicks.
trait Motion: Copy {
    /// The force of a kick at g, of the gradient of v there.
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, g: V) -> V;
    /// (g, p) after one step; adds the change of the quadratic part to `change`.
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        change: &mut Sum<V>,
    ) -> (V, V);
}

/// One step: its time, its cosine and sine as an angle, and a half.
#[derive(Clone, Copy)]
struct Turn<V> {
    step: V,
    cosine: V,
    sine: V,
    half: V,
}

/// [`Flow::Split`].
#[derive(Clone, Copy)]
struct Rotation;

impl Motion for Rotation {
    #[inline(always)]
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, _: V) -> V {
        v
    }
    #[inline(always)]
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        _: &mut Sum<V>,
    ) -> (V, V) {
        (g * turn.cosine + p * turn.sine, p * turn.cosine - g * turn.sine)
    }
}

/// [`Flow::Leapfrog`].
#[derive(Clone, Copy)]
struct Drift;

impl Motion for Drift {
    #[inline(always)]
    fn force<T: Real, const N: usize, V: Vector<T, N>>(v: V, g: V) -> V {
        v - g
    }
    #[inline(always)]
    fn advance<T: Real, const N: usize, V: Vector<T, N>>(
        g: V,
        p: V,
        turn: &Turn<V>,
        change: &mut Sum<V>,
    ) -> (V, V) {
        let move_by = turn.step * p;
        change.add(move_by * (g + turn.half * move_by));
        (g + move_by, p)
    }
}

/// Momenta, jitter, the first half kick and motion.
struct Begin<'s, T, F, const N: usize> {
    motion: PhantomData<F>,
    streams: &'s mut [Stream; N],
    trajectory: &'s Trajectory<T, N>,
    state: State<'s, T, N>,
    position: &'s mut [[T; N]],
    momentum: &'s mut [[T; N]],
}

impl<T: Real, F: Motion, const N: usize> LaneOp<T, N> for Begin<'_, T, F, N> {
    type Output = Path<T, N>;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Path<T, N> {
        normals(s, self.streams, self.momentum);
        let u = s.load(&uniforms(self.streams));
        let (jitter, short) = (s.splat(self.trajectory.jitter), s.splat(self.trajectory.short));
        let usual = (u - short) / (s.one() - short);
        let usual = s.one() + jitter * (usual + usual - s.one());
        let cut = u / short;
        let factor = (cut * cut * cut).select(u.lt(short), usual);
        let step = s.load(&self.trajectory.step) * factor;
        let (sine, cosine) = special::sin_cos(s, step);
        let half = s.splat(T::HALF);
        let half_step = step * half;
        let turn = Turn { step, cosine, sine, half };
        let mut change = Sum::new(s.zero());
        let mut norm = Sum::new(s.zero());
        let start = self.state.position.iter().zip(&*self.state.gradient);
        let path = self.position.iter_mut().zip(self.momentum.iter_mut());
        for ((g0, v), (g, p)) in start.zip(path) {
            let (g0, p0) = (s.load(g0), s.load(p));
            norm.add(g0 * g0);
            norm.add(p0 * p0);
            let p1 = kick(p0, half_step * F::force(s.load(v), g0), half, &mut change);
            let (g1, p1) = F::advance(g0, p1, &turn, &mut change);
            *g = g1.array();
            *p = p1.array();
        }
        Path {
            step: step.array(),
            cosine: cosine.array(),
            sine: sine.array(),
            energy: (half * norm.value() - s.load(self.state.value)).array(),
            change: change.high.array(),
            lost: change.low.array(),
        }
    }
}

/// A whole kick and a motion.
struct Middle<'s, T, F, const N: usize> {
    motion: PhantomData<F>,
    path: Path<T, N>,
    position: &'s mut [[T; N]],
    momentum: &'s mut [[T; N]],
    gradient: &'s [[T; N]],
}

impl<T: Real, F: Motion, const N: usize> LaneOp<T, N> for Middle<'_, T, F, N> {
    type Output = Path<T, N>;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Path<T, N> {
        let step = s.load(&self.path.step);
        let (cosine, sine) = (s.load(&self.path.cosine), s.load(&self.path.sine));
        let half = s.splat(T::HALF);
        let turn = Turn { step, cosine, sine, half };
        let mut change = Sum { high: s.load(&self.path.change), low: s.load(&self.path.lost) };
        for ((g, p), v) in self.position.iter_mut().zip(self.momentum).zip(self.gradient) {
            let g0 = s.load(g);
            let p1 = kick(s.load(p), step * F::force(s.load(v), g0), half, &mut change);
            let (g1, p1) = F::advance(g0, p1, &turn, &mut change);
            *g = g1.array();
            *p = p1.array();
        }
        Path { change: change.high.array(), lost: change.low.array(), ..self.path }
    }
}

/// The last half kick, and acceptance.
struct End<'s, T, F, const N: usize> {
    motion: PhantomData<F>,
    path: Path<T, N>,
    value: [T; N],
    unadjusted: bool,
    streams: &'s mut [Stream; N],
    state: State<'s, T, N>,
    position: &'s [[T; N]],
    momentum: &'s [[T; N]],
    gradient: &'s [[T; N]],
}

impl<T: Real, F: Motion, const N: usize> LaneOp<T, N> for End<'_, T, F, N> {
    type Output = Outcome<T, N>;

    #[inline(always)]
    fn run<S: Simd<T, N>>(self, s: S) -> Outcome<T, N> {
        let half = s.splat(T::HALF);
        let half_step = s.load(&self.path.step) * half;
        let mut change = Sum { high: s.load(&self.path.change), low: s.load(&self.path.lost) };
        for ((g, p), v) in self.position.iter().zip(self.momentum).zip(self.gradient) {
            kick(s.load(p), half_step * F::force(s.load(v), s.load(g)), half, &mut change);
        }
        let (before, after) = (s.load(self.state.value), s.load(&self.value));
        let error = (change.high - (after - before)) + change.low;

        // An error that is NaN fails both comparisons.
        let (zero, most) = (s.zero(), s.splat(T::MAX));
        let probability = special::exp(s, (-error).min(zero))
            .select(error.le(s.lit(DIVERGENCE)), zero)
            .select((-most).le(error), zero);
        let sound = s.one().select(error.le(s.lit(DIVERGENCE)), zero);
        let sound = sound.select((-most).le(error), zero);
        let bar = if self.unadjusted { sound } else { probability };
        let take = s.load(&uniforms(self.streams)).lt(bar);

        let kept = self.state.position.iter_mut().zip(self.state.gradient.iter_mut());
        for ((g0, v0), (g, v)) in kept.zip(self.position.iter().zip(self.gradient)) {
            *g0 = s.load(g).select(take, s.load(g0)).array();
            *v0 = s.load(v).select(take, s.load(v0)).array();
        }
        *self.state.value = after.select(take, before).array();
        let energy = s.load(&self.path.energy) + error.select(take, zero);
        let accepted = s.one().select(take, zero);
        Outcome {
            acceptance: probability.array(),
            accepted: accepted.array().map(|x| x > T::ZERO),
            divergent: sound.array().map(|x| x <= T::ZERO),
            energy: energy.array(),
        }
    }
}
