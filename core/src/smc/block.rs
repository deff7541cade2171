//! One block of particles at work.

use super::layout::{Parts, Shape};
use super::{SmcError, resample};
use crate::error::refuse;
use crate::kernel::hmc::{self, State, Work};
use crate::pieces::pieces_mut;
use crate::problem::Problem;
use crate::random::{Purpose, Stream, normals_on};
use crate::reference::{Affine, Carried, Whitened};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, part};
use crate::tempered::{Tempered, scale};

/// N particles and what they share.
pub(super) struct Block<'b, 'd, T, const N: usize> {
    isa: Isa,
    shape: &'b Shape<T>,
    problem: &'b Problem<'d, T>,
    /// The number of the first particle.
    first: usize,
    state: State<'b, T, N>,
    acceptance: &'b mut [T; N],
    streams: &'b mut [[u32; 4]],
    /// The reference, if it is not the prior.
    map: Option<Affine<'b, T>>,
    work: &'b mut [[T; N]],
}

/// The seed of a run's streams: another than that of chains which start from its particles.
pub(super) fn own_seed(seed: u64) -> u64 {
    seed ^ 0x736D_635F_7365_6564
}

impl<'b, 'd, T: Lanes<N>, const N: usize> Block<'b, 'd, T, N> {
    /// Block `index`.
    pub(super) fn new(
        isa: Isa,
        shape: &'b Shape<T>,
        parts: &'b mut Parts<'_, T>,
        problem: &'b Problem<'d, T>,
        index: usize,
    ) -> Option<Self> {
        let latent = shape.problem.latent;
        let first = index.checked_mul(N)?;
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        Some(Self {
            isa,
            shape,
            problem,
            first,
            state: State {
                position: part(parts.positions, index, latent)?,
                gradient: part(parts.gradients, index, latent)?,
                value: part(parts.values, index, 1)?.first_mut()?,
            },
            acceptance: part(parts.lane_values, index, 1)?.first_mut()?,
            streams: streams.get_mut(first..first.checked_add(N)?)?,
            map: Affine::new(parts.fit, latent).filter(|_| !parts.fit.is_empty()),
            work: part(parts.work, 0, hmc::work_len(latent, shape.problem.scratch)?)?,
        })
    }

    /// Draws from the prior, with their log likelihood and its gradient.
    pub(super) fn start(&mut self) -> Result<(), SmcError> {
        let seed = own_seed(self.shape.options.seed);
        let mut streams = [Stream::from_words([0; 4]); N];
        for (lane, stream) in streams.iter_mut().enumerate() {
            let particle = self.first.wrapping_add(lane) as u64;
            *stream = Stream::new(seed, particle, Purpose::Start);
        }
        normals_on(self.isa, &mut streams, self.state.position);
        let posterior = self.problem.density().ok_or(SmcError::OtherProblem)?;
        let mut work = Work::new(self.work, self.shape.problem.latent).ok_or(SmcError::NotAnSmc)?;
        hmc::evaluate(self.isa, &posterior, &mut self.state, work.scratch());
        // Outside the support, at -infinity, the first resampling leaves none.
        let sound = self.state.value.iter().all(|v| *v < T::INFINITY);
        if sound { Ok(()) } else { Err(SmcError::Start) }
    }

    /// Multiplies values and gradients.
    pub(super) fn rescale(&mut self, factor: T) {
        scale(self.isa, factor, core::slice::from_mut(self.state.value));
        scale(self.isa, factor, self.state.gradient);
    }

    /// Takes the particles into the coordinates of the reference.
    pub(super) fn enter(&mut self) {
        if let Some(map) = self.map {
            carried(&mut self.state).enter(self.isa, map, self.work);
        }
    }

    /// And back.
    pub(super) fn leave(&mut self) {
        if let Some(map) = self.map {
            carried(&mut self.state).leave(self.isa, map, self.work);
        }
    }

    /// One transition at a temperature, in the coordinates of the reference.
    pub(super) fn transition(&mut self, lambda: T, step: T) -> Result<(), SmcError> {
        let options = &self.shape.options;
        let posterior = self.problem.density().ok_or(SmcError::OtherProblem)?;
        let tempered = Tempered::new(&posterior, lambda);
        let density = Whitened::new(&tempered, self.map);
        let trajectory = options.trajectory(self.problem.prior(), step);
        let mut streams = [Stream::from_words([0; 4]); N];
        streams.iter_mut().zip(&*self.streams).for_each(|(s, w)| *s = Stream::from_words(*w));
        let mut work = Work::new(self.work, self.shape.problem.latent).ok_or(SmcError::NotAnSmc)?;
        let outcome = hmc::transition(
            self.isa,
            &density,
            &mut streams,
            &trajectory,
            &mut self.state,
            &mut work,
        );
        self.streams.iter_mut().zip(streams).for_each(|(w, s)| *w = s.words());
        *self.acceptance = outcome.acceptance;
        Ok(())
    }

    /// Writes w, its log density and its log likelihood into the columns of the record. Values must
    /// be at scale 1.
    pub(super) fn record(&mut self, record: &mut [T]) -> Result<(), SmcError> {
        let broken = SmcError::NotAnSmc;
        let posterior = self.problem.density().ok_or(SmcError::OtherProblem)?;
        let (w, rest) = self.work.split_at_mut_checked(self.shape.problem.dim()).ok_or(broken)?;
        refuse(!posterior.to_weights(self.isa, self.state.position, w, rest), broken)?;
        let likelihood = *self.state.value;
        let mut density = self.problem.prior().log_density_on(self.isa, self.shape.problem.d, w);
        density.iter_mut().zip(likelihood).for_each(|(p, l)| *p += l);
        let draws = w.iter().chain([&density, &likelihood]);
        let own = self.first..self.first.wrapping_add(N);
        for (column, draw) in pieces_mut(record, self.shape.particles()).zip(draws) {
            if let Some(column) = column.get_mut(own.clone()) {
                column.iter_mut().zip(draw).for_each(|(c, x)| *c = *x);
            }
        }
        Ok(())
    }
}

fn carried<'s, T, const N: usize>(state: &'s mut State<'_, T, N>) -> Carried<'s, T, N> {
    let State { position, gradient, value } = state;
    Carried { position, gradient, value }
}

/// Copies one particle over another: its position, value, gradient and origin, not its stream.
pub(super) fn copy<T: Real, const N: usize>(
    parts: &mut Parts<'_, T>,
    latent: usize,
    from: usize,
    to: usize,
) {
    for flat in [&mut *parts.positions, &mut *parts.gradients] {
        resample::copy_lane(flat.as_chunks_mut::<N>().0, latent, from, to);
    }
    copy_within(parts.values, from, to);
    copy_within(parts.origins, from, to);
}

fn copy_within<P: Copy>(slice: &mut [P], from: usize, to: usize) {
    let x = slice.get(from).copied();
    if let Some((slot, x)) = slice.get_mut(to).zip(x) {
        *slot = x;
    }
}
