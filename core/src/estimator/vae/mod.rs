//! The variational auto-encoder as an object over the caller's memory: two networks about k latent coordinates
//! ([`AutoEncoder`] states the model and its bound), fitted by minibatches.
//!
//! ```text
//! let bytes = Vae::size(&options, n, d)?;
//! let mut vae = Vae::init(memory, &options, &rows)?;
//! while vae.step(&rows, 1_000_000)? == Status::Running {}
//! vae.encode(&rows, means, sds, scratch)?;        // q(z | y): n k numbers each
//! let bound = vae.bound(&new, 100, 1, scratch)?;  // of ln p(y), a row of new rows
//! ```
//!
//! One step: minibatch of `batch` rows, one normal a row and coordinate, the gradient of the bound's estimate by
//! back-propagation through both networks, and a step of Adam (Kingma and Ba 2015), whose rate falls linearly to 0
//! over the second half. What is left is the mean of the parameters over the last quarter (Polyak and Juditsky
//! 1992). It is a local maximum of a lower bound, not a posterior of the parameters.
//!
//! Step t draws from the stream (seed, t, [`Purpose::Kernel`]): row by row of the minibatch its number
//! (none where all rows are taken), then its k normals. A fit is therefore the same however it is split.
//!
//! Rows of a Gaussian output are centred column by column and divided by one number, the root of the mean variance: the
//! noise stays the same in every column. What goes in and comes out has the data's units, densities too. Rows of a
//! Bernoulli output are divided by the largest value that they can have.
//!
//! The object is the model: a [checkpoint](mod@crate::checkpoint) of it is what is stored, and it holds no row.

mod layout;
mod options;
mod report;

pub use options::{VaeError, VaeOptions};
pub use report::VaeBound;

use super::regressor::Status;
use super::start::{FLOOR, adam};
use crate::data::Inputs;
use crate::error::refuse;
use crate::network::output::GROUP;
use crate::network::{Architecture, AutoEncoder, Observed};
use crate::object::{Object, compiled, object};
use crate::posterior::moments;
use crate::random::{Purpose, Stream};
use crate::scalar::Real;
use crate::simd::{AnyLanes, Isa};
use crate::sum::Sum;
use layout::{CURSOR, Parts, Shape};

/// The word of the cursor: steps done.
const STEP: usize = 0;
const _: () = assert!(STEP < CURSOR);

object! {
    /// An auto-encoder over the caller's memory.
    pub struct Vae { shape: Shape<T>, options: VaeOptions<T>, error: VaeError }
}

compiled! {
    Vae: AnyLanes;
    fn work(mut self, rows: &Inputs<'_, Self>, budget: u64) -> Result<Status, VaeError>;
}

impl<T: Compiled> Vae<'_, T> {
    /// Works until about `budget` row visits are used up or every step is done. A step, `batch` visits, is never
    /// split: any budget above 0 advances, and any splitting gives the same bits. The rows are those of
    /// [`init`](Self::init), read once a call. 6 P flops a visit for P parameters.
    pub fn step(&mut self, rows: &Inputs<'_, T>, budget: u64) -> Result<Status, VaeError> {
        let Shape { n, columns, fingerprint, .. } = self.shape;
        let same = (rows.n(), rows.d()) == (n, columns) && rows.fingerprint() == fingerprint;
        refuse(!same, VaeError::OtherData)?;
        T::work(self, rows, budget)
    }
}

impl<'a, T: AnyLanes> Vae<'a, T> {
    /// The bytes of memory for n rows of D columns, to be aligned to [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(options: &VaeOptions<T>, n: usize, columns: usize) -> Result<usize, VaeError> {
        Shape::new(options, columns, n, 0)?.bytes()
    }

    /// An auto-encoder at its beginning, in the front of `memory`: weights N(0, 1/inputs of the unit), biases 0.
    pub fn init(
        memory: &'a mut [u8],
        options: &VaeOptions<T>,
        isa: Isa,
        rows: &Inputs<'_, T>,
    ) -> Result<Self, VaeError> {
        let shape = Shape::new(options, rows.d(), rows.n(), rows.fingerprint())?;
        in_range(options, rows)?;
        let unit = unit_of(options, rows)?;
        let parts = shape.make(memory)?;
        let mut this = Self { isa, shape, parts };
        let Parts { units, parameters, .. } = &mut this.parts;
        if let Some((last, means)) = units.split_last_mut() {
            *last = unit;
            for (j, mean) in means.iter_mut().enumerate() {
                if options.observed == Observed::Gaussian {
                    (*mean, _) = moments(rows.n(), |i| rows.at(i, j));
                }
            }
        }
        let nets = options.nets(rows.d(), unit);
        let mut stream = Stream::new(options.seed, 0, Purpose::Start);
        start(&nets.encoder, &mut stream, parameters);
        let above = parameters.get_mut(nets.encoder.dim()..).unwrap_or(&mut []);
        start(&nets.decoder, &mut stream, above);
        Ok(this)
    }

    /// Steps done, and steps in all.
    pub fn steps(&self) -> (u64, u64) {
        let all = self.shape.options.steps as u64;
        (self.word(STEP).min(all), all)
    }

    /// The data's units in one of the networks'.
    fn unit(&self) -> T {
        self.parts.units.last().copied().unwrap_or(T::ONE)
    }

    /// The networks, in their own units.
    pub fn nets(&self) -> AutoEncoder<T> {
        self.shape.options.nets(self.shape.columns, self.unit())
    }

    /// The step from which parameters are averaged.
    fn averages_from(&self) -> u64 {
        (self.shape.options.steps as u64).saturating_mul(3) / 4
    }

    /// The parameters so far, [`AutoEncoder::dim`] of the networks' own units: their average as soon as there is one.
    pub fn parameters(&self) -> &[T] {
        if self.word(STEP) > self.averages_from() {
            self.parts.average
        } else {
            self.parts.parameters
        }
    }

    fn work(&mut self, rows: &Inputs<'_, T>, budget: u64) -> Result<Status, VaeError> {
        let (batch, all) = (self.shape.batch() as u64, self.shape.options.steps as u64);
        let mut spent = 0_u64;
        loop {
            let step = self.word(STEP);
            if step >= all {
                return Ok(Status::Done);
            }
            if spent >= budget {
                return Ok(Status::Running);
            }
            let bound = self.advance(rows, step).ok_or(VaeError::NotAVae)?;
            refuse(!bound.is_finite(), VaeError::Diverged)?;
            self.set(STEP, step.wrapping_add(1));
            spent = spent.saturating_add(batch);
        }
    }

    /// One step, not taken where the bound is not finite. The estimate of the minibatch's bound.
    fn advance(&mut self, rows: &Inputs<'_, T>, step: u64) -> Option<T> {
        let (shape, isa, nets, from) = (self.shape, self.isa, self.nets(), self.averages_from());
        let Parts { units, parameters, average, gradient, first, second, work, .. } =
            &mut self.parts;
        let (n, batch, options) = (shape.n, shape.batch(), shape.options);
        let mut stream = Stream::new(options.seed, step, Purpose::Kernel);
        let mut four = nets.rows(work)?;
        gradient.fill(T::ZERO);
        let mut sum = Sum::ZERO;
        for begin in (0..batch).step_by(GROUP) {
            let count = batch.wrapping_sub(begin).min(GROUP);
            let mut at = [0; GROUP];
            for (r, at) in at.iter_mut().enumerate().take(count) {
                *at = if batch < n {
                    stream.below(u32::try_from(n).unwrap_or(u32::MAX)) as usize
                } else {
                    begin.wrapping_add(r)
                };
                for cells in four.normals.iter_mut() {
                    if let Some(cell) = cells.get_mut(r) {
                        *cell = stream.normal();
                    }
                }
            }
            report::load(rows, at, units, four.y);
            let terms = nets.add(parameters, &mut four, count, gradient)?;
            for (likelihood, kl) in terms.likelihood.iter().zip(terms.kl).take(count) {
                sum.add(*likelihood);
                sum.add(-kl);
            }
        }
        let bound = sum.value();
        if !bound.is_finite() {
            return Some(bound);
        }
        let share = T::ONE / T::of_usize(batch);
        gradient.iter_mut().for_each(|g| *g = *g * share);
        let averages = [first.as_chunks_mut::<1>().0, second.as_chunks_mut().0];
        let (theta, gradient) = (parameters.as_chunks_mut().0, gradient.as_chunks().0);
        let at = (step as usize, options.steps as usize);
        adam(isa, theta, gradient, averages, at, [options.rate, T::lit(FLOOR)]);
        if step >= from {
            let weight = T::ONE / T::of_usize(step.wrapping_sub(from).wrapping_add(1) as usize);
            for (a, p) in average.iter_mut().zip(parameters.iter()) {
                *a += weight * (*p - *a);
            }
        }
        Some(bound)
    }
}

/// Whether rows are some that the output can be.
fn in_range<T: Real>(options: &VaeOptions<T>, rows: &Inputs<'_, T>) -> Result<(), VaeError> {
    let any = options.observed == Observed::Gaussian;
    let held = |i: usize| {
        (0..rows.d()).map(|j| rows.at(i, j)).all(|y| y >= T::ZERO && y <= options.largest)
    };
    refuse(!any && !(0..rows.n()).all(held), VaeError::Value)
}

/// The root of the columns' mean variance; the largest value of a Bernoulli output.
fn unit_of<T: Real>(options: &VaeOptions<T>, rows: &Inputs<'_, T>) -> Result<T, VaeError> {
    if options.observed == Observed::Bernoulli {
        return Ok(options.largest);
    }
    let sds = (0..rows.d()).map(|j| moments(rows.n(), |i| rows.at(i, j)).1);
    // Divided by the largest, so that no square overflows.
    let largest = sds.clone().fold(T::ZERO, T::max);
    refuse(largest <= T::ZERO || !largest.is_finite(), VaeError::Constant)?;
    let squares = Sum::of(sds.map(|sd| (sd / largest) * (sd / largest)));
    Ok(largest * (squares / T::of_usize(rows.d())).sqrt())
}

/// Weights N(0, 1/inputs of the unit), in the order of the parameters. Biases stay.
fn start<T: Real>(architecture: &Architecture, stream: &mut Stream, parameters: &mut [T]) {
    let mut draw = |at: usize, units: usize, inputs: usize| {
        let sd = T::ONE / T::of_usize(inputs.max(1)).sqrt();
        for p in parameters.iter_mut().skip(at).take(units.saturating_mul(inputs)) {
            *p = sd * stream.normal::<T>();
        }
    };
    for layer in architecture.layers() {
        draw(layer.weights_at, layer.units, layer.inputs);
    }
    draw(architecture.outer_at(), architecture.outputs, architecture.last());
    if architecture.has_linear() {
        draw(architecture.linear_at(), architecture.outputs, architecture.inputs);
    }
}
