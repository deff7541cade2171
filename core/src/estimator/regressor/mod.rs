//! The regressor as an object in the caller's memory.

mod join;
mod layout;
mod report;
mod warm;

pub use crate::object::Progress as Status;

use super::options::{MassKind, NetworkOptions, OptionsError};
use crate::data::{DataError, Dataset, Inputs};
use crate::error::{errors, refuse};
use crate::estimator::chains::{Chains, Hyper};
use crate::estimator::mass;
use crate::estimator::model::Model;
use crate::estimator::noise;
use crate::estimator::start::{self, Search};
use crate::estimator::transition::{prediction, transition};
use crate::kernel::adapt::{StepSize, Target};
use crate::kernel::hmc::{Flow, Metric, Trajectory};
use crate::object::{Object, compiled, object};
use crate::pieces::{nth_mut, pieces_mut};
use crate::posterior::{StandardiseError, Standardiser, StoreError};
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa, Lanes, blocks_mut, by_lanes, part};
use crate::workspace::WorkspaceError;
use layout::{CURSOR, Parts, SCALARS, STREAMS, Shape, TRACED};
pub(crate) use layout::{load_streams, store_streams};

/// Words of the cursor: the unit of work, the block of chains, gradients of each chain.
const TICK: usize = 0;
const BLOCK: usize = 1;
const PASSES: usize = 2;
const _: () = assert!(PASSES < CURSOR);

errors! {
    /// Why a regressor refused.
    pub enum RegressorError {
        NotARegressor = "the memory holds no regressor of this version and precision",
        OtherData = "the data are not those that the regressor was made for",
        Image = "the model to start from does not fit data and options",
        NoDraws = "no draw has been kept yet",
        Parts = "the parts are not of this regressor, leave chains out, or stand at different units or inside one",
    }
    from {
        Options(OptionsError),
        Workspace(WorkspaceError),
        Standardise(StandardiseError),
        Store(StoreError),
    }
    also {
        Data(DataError),
    }
}

/// What the chains are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for a start.
    Search,
    /// Warming up.
    Warmup,
    /// Drawing.
    Draws,
    /// Nothing more.
    Done,
}

/// How far a regressor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What the chains are doing.
    pub stage: Stage,
    /// Passes over the data made by each chain so far ...
    pub passes: u64,
    /// ... of this many in all.
    pub passes_in_all: u64,
    /// Draws that every chain has made.
    pub draws: usize,
}

object! {
    /// Samples the posterior of [`crate::estimator::model`] without tuning. See [`NetworkOptions`].
    ///
    /// [`size`](Self::size), [`init`](Self::init), then [`step`](Self::step) until
    /// [`Status::Done`], then [`write_model`](Self::write_model). The whole state lies in the caller's
    /// memory, without pointers: a copy of it, [`open`](Self::open)ed, goes on with the same bits.
    ///
    /// Given the standardised data and the start, the draws are those of the exact posterior as the
    /// chains grow long; the start and the dropping of chains are heuristics, and chains of usual length
    /// sit in different modes: look at the R-hat of predictions ([`prediction_trace`](Self::prediction_trace)).
    ///
    /// ```
    /// use lcc_core::data::{Dataset, Inputs};
    /// use lcc_core::estimator::{NetworkOptions, NetworkRegressor, Status};
    /// use lcc_core::posterior::Image;
    /// use lcc_core::predict::Predictor;
    /// use lcc_core::simd::Isa;
    ///
    /// let x: Vec<f32> = (0..40).map(|i| i as f32 / 10.0).collect();
    /// let y: Vec<f32> = x.iter().map(|x| x * x - x).collect();
    /// let data = Dataset::new(Inputs::row_major(&x, 40, 1)?, &y)?;
    /// let options = NetworkOptions { neurons: 4, warmup: 50, draws: 50, ..Default::default() };
    /// let mut memory = vec![0_u128; NetworkRegressor::size(&options, 40, 1)?.div_ceil(16)];
    /// let memory = bytemuck::cast_slice_mut(&mut memory);
    /// let mut network = NetworkRegressor::init(memory, &options, Isa::detect(), &data)?;
    /// while network.step(&data, 1_000_000)? == Status::Running {}
    /// let mut model = vec![0; network.model_size()?];
    /// let length = network.write_model(&mut model)?;
    /// let image = Image::open(&model[..length])?;
    /// let mut buffer = vec![0.0; Predictor::<f32>::buffer_len(&image)];
    /// let predictor = Predictor::new(Isa::detect(), image, &mut buffer)?;
    /// let mut scratch = vec![0.0; predictor.row_scratch()];
    /// let p = predictor.predict_row(&[1.5], 0.9, &mut scratch)?;
    /// assert!(p.lower < 0.75 && 0.75 < p.upper); // x^2 - x
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct NetworkRegressor {
        shape: Shape<T>, options: NetworkOptions<T>, error: RegressorError
    }
}

/// The share of trajectories with a short step ([`Trajectory::short`]).
const SHORT: f64 = 0.125;

/// Where one block of chains is within its units of work.
enum Unit {
    /// Start and step.
    Search(u32, u32),
    /// Iteration, from the first of the warm-up.
    Iteration(u32),
}

compiled! {
    NetworkRegressor: AnyLanes;
    fn work(mut self, data: &Dataset<'_, Self>, budget: u64) -> Result<Status, RegressorError>;
}

impl<T: Compiled> NetworkRegressor<'_, T> {
    /// Works until `budget` row visits (rows times lanes, one for each pass of a block over the
    /// data) are used up or everything is done. The data are those of [`init`](Self::init). At least
    /// one unit of work (a search step or a transition of one block of chains) is done unless the
    /// budget is 0, so the overshoot is at most one transition: rows * lanes * (leapfrogs + 4).
    /// Any split of a budget gives the same bits.
    pub fn step(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, RegressorError> {
        let Shape { n, d, fingerprint, .. } = self.shape;
        refuse(!data.is(n, d, fingerprint), RegressorError::OtherData)?;
        T::work(self, data, budget)
    }
}

impl<'a, T: AnyLanes> NetworkRegressor<'a, T> {
    /// The bytes of memory for n rows of d inputs, to be aligned to [`crate::workspace::ALIGN`].
    pub fn size(options: &NetworkOptions<T>, n: usize, d: usize) -> Result<usize, RegressorError> {
        Shape::new(options, n, d, false, 0)?.bytes()
    }

    /// A regressor at its beginning, in the front of `memory`. `isa` changes speed, never a number.
    pub fn init(
        memory: &'a mut [u8],
        options: &NetworkOptions<T>,
        isa: Isa,
        data: &Dataset<'_, T>,
    ) -> Result<Self, RegressorError> {
        let mut this = Self::begin(memory, isa, data, options, false)?;
        this.standardise(data)?;
        this.own_data(data)?;
        Ok(this)
    }

    /// All but the data and, if the start is warm, the chains' state: what both ways to begin share, so
    /// that a program that never starts warm does not hold the code for it.
    fn begin(
        memory: &'a mut [u8],
        isa: Isa,
        data: &Dataset<'_, T>,
        options: &NetworkOptions<T>,
        warm: bool,
    ) -> Result<Self, RegressorError> {
        data.unweighted().map_err(RegressorError::Data)?;
        let shape = Shape::new(options, data.n(), data.d(), warm, data.fingerprint())?;
        let copied = (options.standardise.on() && !warm).then_some(data);
        Standardiser::check(copied, (data.y(), &[]))?;
        let parts = shape.make(memory)?;
        let this = Self { parts, shape, isa };
        let chains = this.parts.streams.as_chunks_mut::<4>().0;
        for (k, words) in chains.iter_mut().enumerate() {
            let purpose = match k % STREAMS {
                0 => Purpose::Start,
                1 => Purpose::Kernel,
                _ => Purpose::Gibbs,
            };
            let chain = (k / STREAMS) as u64 + options.first_chain as u64;
            *words = Stream::new(options.seed, chain, purpose).words();
        }
        Ok(this)
    }

    fn standardise(&mut self, data: &Dataset<'_, T>) -> Result<(), RegressorError> {
        let (n, d) = (self.shape.n, self.shape.d);
        let Parts { standards, x, y, .. } = &mut self.parts;
        let copied = self.shape.options.standardise.on().then_some(data);
        // Without a copy x and y are empty.
        Standardiser::store(d, copied, standards)?.copy(data, 0..n, d, x, y);
        Ok(())
    }

    /// The data in the chains' units.
    fn own_data<'s>(&'s self, data: &Dataset<'s, T>) -> Result<Dataset<'s, T>, RegressorError> {
        if !self.shape.options.standardise.on() {
            return Ok(*data);
        }
        Inputs::row_major(self.parts.x, self.shape.n, self.shape.d)
            .and_then(|x| Dataset::new(x, self.parts.y))
            .map_err(RegressorError::Data)
    }

    fn work(&mut self, data: &Dataset<'_, T>, budget: u64) -> Result<Status, RegressorError> {
        let per_pass = (self.shape.n as u64).saturating_mul(self.shape.lanes() as u64);
        let mut spent = 0_u64;
        loop {
            if self.word(TICK) >= self.shape.units() {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let passes = by_lanes!(self.shape.lanes(), N => self.unit::<N>(data)?);
            spent = spent.saturating_add(per_pass.saturating_mul(passes));
        }
    }

    /// One unit of one block; the passes over the data that it made.
    fn unit<const N: usize>(&mut self, data: &Dataset<'_, T>) -> Result<u64, RegressorError>
    where
        T: Lanes<N>,
    {
        let (tick, block, passes) = (self.word(TICK), self.word(BLOCK), self.word(PASSES));
        let o = &self.shape.options;
        let (search, blocks) = (self.shape.search_units(), self.shape.blocks());
        let unit = if tick < search {
            let steps = (o.start_steps as u64).max(1);
            Unit::Search((tick / steps) as u32, (tick % steps) as u32)
        } else {
            Unit::Iteration((tick - search) as u32)
        };
        let b = block as usize;
        let used = self.run::<N>(data, unit, b).ok_or(RegressorError::NotARegressor)?;
        let (tick, block) = if b + 1 < blocks { (tick, block + 1) } else { (tick + 1, 0) };
        // Blocks make the same passes: those of the first are counted.
        let passes = if b == 0 { passes + used } else { passes };
        self.set(TICK, tick);
        self.set(BLOCK, block);
        self.set(PASSES, passes);
        Ok(used)
    }

    /// `None` only if the parts are not as long as the shape says.
    fn run<const N: usize>(&mut self, data: &Dataset<'_, T>, unit: Unit, b: usize) -> Option<u64>
    where
        T: Lanes<N>,
    {
        let Self { isa, shape, parts } = self;
        let isa = *isa;
        let o = &shape.options;
        let (n, p) = (shape.n, shape.coordinates());
        let mass_len = shape.mass()?;
        let dense = o.mass == MassKind::Dense;
        let own = if o.standardise.on() {
            Dataset::new(Inputs::row_major(parts.x, n, shape.d).ok()?, parts.y).ok()?
        } else {
            *data
        };
        let model = Model {
            data: own,
            activation: o.activation.value(),
            neurons: o.neurons as usize,
            gaussian: o.gaussian.on(),
            prior: o.prior(),
        };
        let streams = nth_mut(parts.streams, STREAMS * 4 * N, b).as_chunks_mut::<4>().0;
        let [mut at_start, kernel, gibbs] = load_streams::<N>(streams);
        let scalars = part::<T, N>(parts.scalars, b, SCALARS)?.first_chunk_mut::<SCALARS>()?;
        let [beta, tau_v, tau_c, nu, steps @ .., best_beta] = scalars;
        let mut chains = Chains {
            theta: part(parts.theta, b, p)?,
            weights: part(parts.weights, b, n)?,
            hyper: Hyper::load(&[*beta, *tau_v, *tau_c, *nu]),
            kernel,
            gibbs,
        };
        let average = part::<T, N>(parts.average, b, mass_len)?;
        let factor = part::<T, N>(parts.factor, b, mass_len)?;
        let best = part::<T, N>(parts.best, b, p)?;
        let scratch: &mut [[T; N]] = blocks_mut(parts.scratch)?;
        let mut scratch = model.scratch(scratch)?;

        let passes = match unit {
            Unit::Search(start, k) => {
                // The mass matrix is not needed yet: Adam's averages lie in its place.
                let mut search = Search {
                    first: average.get_mut(..p)?,
                    second: factor.get_mut(..p)?,
                    best,
                    best_beta,
                };
                let steps = o.start_steps as usize;
                let (search, at) = (&mut search, (k as usize, steps));
                let scratch = &mut scratch;
                start::search_step(isa, &model, &mut chains, search, &mut at_start, at, scratch);
                if start + 1 == o.starts && k as usize + 1 == steps {
                    start::take_best(&mut chains, search);
                }
                1
            }
            Unit::Iteration(t) => {
                // The last part of the warm-up learns the step for the final mass, from the last step
                // before it.
                let frozen = mass_frozen(o) as u32;
                let restarted = t >= frozen;
                let mut step_size = StepSize::Decaying { state: steps, restarted };
                let target = Target { acceptance: o.target_accept, cap: o.largest_step };
                if t == 0 {
                    if o.starts == 0 && !shape.warm {
                        start::random_point(isa, &model, &mut at_start, chains.theta);
                        chains.hyper = Hyper::start(model.neurons, model.gaussian);
                        chains.weights.iter_mut().for_each(|w| *w = [T::ONE; N]);
                    }
                    mass::clear(average);
                    step_size.reset(isa, o.first_step);
                }
                let mut passes = 0;
                if let Some(k) = mass_update(o, t) {
                    let share = T::lit(2.0) / T::of_u32(k.saturating_add(1));
                    mass::update(isa, &model, &chains, share, dense, average, factor, &mut scratch);
                    passes += 1;
                }
                let early = t < o.warmup / 2;
                let steps = if early { o.early_leapfrogs } else { o.leapfrogs };
                let metric = if dense { Metric::Dense(factor) } else { Metric::Diagonal(factor) };
                let run = Trajectory {
                    flow: Flow::Mass(metric),
                    unadjusted: false,
                    step: step_size.step(isa),
                    steps,
                    jitter: o.jitter,
                    short: T::lit(SHORT),
                };
                let outcome = transition(isa, &model, &mut chains, &run, &mut scratch);
                passes += steps as u64 + 3;
                if t < o.warmup {
                    if t == frozen {
                        step_size.restart();
                    }
                    let count = t - if restarted { frozen } else { 0 } + 1;
                    step_size.update(isa, target, count, &outcome.acceptance);
                    if t + 1 == o.warmup {
                        step_size.freeze(isa, target);
                    }
                } else {
                    let draw = (t - o.warmup) as usize;
                    let log_likelihood =
                        noise::log_likelihood(isa, scratch.residuals, &chains.hyper);
                    let columns = shape.columns();
                    let row = nth_mut(parts.trace, shape.chains() * columns, draw);
                    let mine = pieces_mut(row, columns).skip(b * N);
                    for (lane, cells) in mine.take(N).enumerate() {
                        let (first, predictions) = cells.split_at_mut_checked(TRACED)?;
                        let flag = |x: &[bool; N]| {
                            if x.get(lane).copied().unwrap_or(false) { T::ONE } else { T::ZERO }
                        };
                        let values = [
                            log_likelihood.get(lane).copied()?,
                            outcome.acceptance.get(lane).copied()?,
                            flag(&outcome.divergent),
                            outcome.energy.get(lane).copied()?,
                        ];
                        first.iter_mut().zip(values).for_each(|(a, b)| *a = b);
                        let count = predictions.len();
                        for (k, cell) in predictions.iter_mut().enumerate() {
                            let f = prediction(&model, &scratch, traced_row(k, count, n))?;
                            *cell = f.get(lane).copied()?;
                        }
                    }
                    if let Some(slot) = kept_slot(o, draw) {
                        let length = shape.draw_len();
                        for lane in 0..N.min(shape.chains().saturating_sub(b * N)) {
                            let own = nth_mut(parts.kept, length * o.keep as usize, b * N + lane);
                            let own = nth_mut(own, length, slot);
                            let hyper = &chains.hyper;
                            let sigma = T::ONE / hyper.beta.get(lane)?.sqrt();
                            let network = scratch.parameters.iter().take(length - 2);
                            let values = network
                                .filter_map(|x| x.get(lane).copied())
                                .chain([sigma, hyper.nu.get(lane).copied()?]);
                            own.iter_mut().zip(values).for_each(|(a, b)| *a = b);
                        }
                    }
                }
                passes
            }
        };
        [*beta, *tau_v, *tau_c, *nu] = chains.hyper.stored();
        store_streams(streams, &[at_start, chains.kernel, chains.gibbs]);
        Some(passes)
    }
}

/// The iteration from which on the mass matrix stays: 60 % of the warm-up, but not the first.
fn mass_frozen<T>(o: &NetworkOptions<T>) -> u64 {
    ((o.warmup as u64).saturating_mul(60) / 100).max(1)
}

/// The number of this refresh of the mass matrix, from 1, if iteration `t` begins with one: the first
/// iteration of all, and evenly until it is frozen.
fn mass_update<T>(o: &NetworkOptions<T>, t: u32) -> Option<u32> {
    let until = mass_frozen(o);
    let t = t as u64;
    if t >= until {
        return None;
    }
    let count = (o.mass_updates as u64).clamp(1, until);
    let number = |t: u64| t.saturating_mul(count) / until;
    let new = t == 0 || number(t) != number(t - 1);
    new.then(|| number(t) as u32 + 1)
}

/// The place of draw t among those that a chain keeps, if it is one.
fn kept_slot<T>(o: &NetworkOptions<T>, t: usize) -> Option<usize> {
    let kept = |t: u64| (t.saturating_mul(o.keep as u64) / (o.draws as u64).max(1)) as usize;
    let (before, after) = (kept(t as u64), kept(t as u64 + 1));
    (after > before).then_some(before)
}

/// The k-th of `count` rows spread over n.
fn traced_row(k: usize, count: usize, n: usize) -> usize {
    (k as u64).saturating_mul(n as u64).checked_div(count as u64).unwrap_or(0) as usize
}
