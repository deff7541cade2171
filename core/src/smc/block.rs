//! One block of particles at work.

use super::cooling::Cooled;
use super::layout::{Parts, Shape};
use super::resample;
use crate::kernel::hmc::{self, State, Work};
use crate::lifted::Lifted;
use crate::object::record::write;
use crate::problem::Problem;
use crate::random::{Purpose, Stream, normals_on};
use crate::reference::{Affine, Whitened, enter, leave};
use crate::scalar::Real;
use crate::simd::{Isa, Lanes, part};
use crate::tempered::{Tempered, scale};

/// N particles and what they share.
pub(super) struct Block<'b, 'd, T, const N: usize> {
    pub(super) isa: Isa,
    pub(super) shape: &'b Shape<T>,
    pub(super) problem: &'b Problem<'d, T>,
    pub(super) index: usize,
    pub(super) state: State<'b, T, N>,
    pub(super) acceptance: &'b mut [T; N],
    streams: &'b mut [[u32; 4]; N],
    /// The reference, if it is not the prior.
    map: Option<Affine<'b, T>>,
    pub(super) work: &'b mut [[T; N]],
}

/// The seed of a run's streams: another than that of chains which start from its particles.
pub(super) fn own_seed(seed: u64) -> u64 {
    seed ^ 0x736D_635F_7365_6564
}

impl<'b, 'd, T: Lanes<N>, const N: usize> Block<'b, 'd, T, N> {
    /// Block `index`; `None` where a part is short.
    pub(super) fn new(
        isa: Isa,
        shape: &'b Shape<T>,
        parts: &'b mut Parts<'_, T>,
        problem: &'b Problem<'d, T>,
        index: usize,
    ) -> Option<Self> {
        let latent = shape.problem.latent;
        let (streams, _) = parts.streams.as_chunks_mut::<4>();
        Some(Self {
            isa,
            shape,
            problem,
            index,
            state: State {
                position: part(parts.positions, index, latent)?,
                gradient: part(parts.gradients, index, latent)?,
                value: part(parts.values, index, 1)?.first_mut()?,
            },
            acceptance: part(parts.lane_values, index, 1)?.first_mut()?,
            streams: streams.as_chunks_mut::<N>().0.get_mut(index)?,
            map: Affine::new(parts.fit, latent),
            work: part(parts.work, 0, hmc::work_len(latent, shape.problem.scratch)?)?,
        })
    }

    /// Draws from the prior, with their log likelihood and its gradient. Returns whether none of them is
    /// infinitely likely or no number.
    pub(super) fn start(&mut self) -> Option<bool> {
        let seed = own_seed(self.shape.options.seed);
        let first = self.index.wrapping_mul(N);
        let mut streams: [Stream; N] = core::array::from_fn(|lane| {
            Stream::new(seed, first.wrapping_add(lane) as u64, Purpose::Start)
        });
        normals_on(self.isa, &mut streams, self.state.position);
        let mut work = Work::new(self.work, self.shape.problem.latent)?;
        hmc::evaluate(self.isa, &self.problem.density()?, &mut self.state, work.scratch());
        // Outside the support, at -infinity, the first resampling leaves none.
        Some(self.state.value.iter().all(|v| *v < T::INFINITY))
    }

    /// Values and gradients of the problem at hand.
    pub(super) fn evaluate(&mut self) -> Option<()> {
        let mut work = Work::new(self.work, self.shape.problem.latent)?;
        hmc::evaluate(self.isa, &self.problem.density()?, &mut self.state, work.scratch());
        Some(())
    }

    /// Values and gradients at a temperature of the cooling.
    pub(super) fn cool(&mut self, lambda: T) -> Option<()> {
        let cooled = self.cooled(lambda);
        let Self { problem, .. } = *self;
        let density = Lifted::new(&cooled, problem.prior(), problem.d(), problem.neurons()).ok()?;
        let mut work = Work::new(self.work, self.shape.problem.latent)?;
        hmc::evaluate(self.isa, &density, &mut self.state, work.scratch());
        Some(())
    }

    /// The likelihood at a temperature of the cooling.
    fn cooled(&self, lambda: T) -> Cooled<'b, 'd, T> {
        let precision = self.shape.options.precision(self.problem.prior());
        Cooled { likelihood: self.problem.likelihood(), precision: (T::ONE - lambda) * precision }
    }

    /// The log likelihood of a problem of one row, and the network's output there.
    pub(super) fn predict(&mut self) -> Option<([T; N], [T; N])> {
        self.evaluate()?;
        let value = *self.state.value;
        let (w, _) = self.problem.draw(self.isa, self.state.position, &value, self.work)?;
        let (output, inputs) = (self.problem.output()?, self.problem.data()?.inputs);
        let mut lanes = [T::ZERO; N];
        for (lane, f) in lanes.iter_mut().enumerate() {
            let at = |j: usize| w.get(j).and_then(|w| w.get(lane)).copied().unwrap_or(T::ZERO);
            *f = output.at(&inputs, 0, at);
        }
        Some((value, lanes))
    }

    /// Multiplies values and gradients.
    pub(super) fn rescale(&mut self, factor: T) {
        scale(self.isa, factor, core::slice::from_mut(self.state.value));
        scale(self.isa, factor, self.state.gradient);
    }

    /// Takes the particles into the coordinates of the reference.
    pub(super) fn enter(&mut self) {
        if let Some(map) = self.map {
            let State { position, gradient, value } = &mut self.state;
            enter(self.isa, map, position, gradient, value, self.work);
        }
    }

    /// And back.
    pub(super) fn leave(&mut self) {
        if let Some(map) = self.map {
            let State { position, gradient, value } = &mut self.state;
            leave(self.isa, map, position, gradient, value, self.work);
        }
    }

    /// One transition at a temperature, in the coordinates of the reference.
    pub(super) fn transition(&mut self, lambda: T, step: T) -> Option<()> {
        let (problem, cooled) = (self.problem, self.cooled(lambda));
        let posterior = problem.density()?;
        let cool = Lifted::new(&cooled, problem.prior(), problem.d(), problem.neurons()).ok()?;
        let tempered = match self.shape.cools() {
            true => Tempered::new(&cool, T::ONE),
            false => Tempered::new(&posterior, lambda),
        };
        let density = Whitened::new(&tempered, self.map);
        let trajectory = self.shape.options.trajectory(self.problem.prior(), step);
        let mut streams = self.streams.map(Stream::from_words);
        let mut work = Work::new(self.work, self.shape.problem.latent)?;
        let (isa, state) = (self.isa, &mut self.state);
        let outcome = hmc::transition(isa, &density, &mut streams, &trajectory, state, &mut work);
        *self.streams = streams.map(Stream::words);
        *self.acceptance = outcome.acceptance;
        Some(())
    }

    /// Writes w, its log density and its log likelihood into the columns of the record. Values must
    /// be at scale 1.
    pub(super) fn record(&mut self, record: &mut [T]) -> Option<()> {
        let State { position, value, .. } = &self.state;
        let (w, density) = self.problem.draw(self.isa, position, value, self.work)?;
        write(record, self.shape.particles(), self.index, w.iter().chain([&density, &**value]));
        Some(())
    }
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
