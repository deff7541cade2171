//! The memory of a regressor: its parts, in order, and the numbers that their sizes follow from.

use super::RegressorError;
use crate::data::DataError;
use crate::error::refuse;
use crate::estimator::model::{self, Model};
use crate::estimator::options::{MassKind, NetworkOptions};
use crate::likelihood::NetworkShape;
use crate::linalg;
use crate::object::{parts, product};
use crate::plain::plain;
use crate::random::Stream;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Iteration, block, gradients of each chain.
pub(super) const CURSOR: usize = 4;
/// Streams of one chain: start, kernel, Gibbs.
pub(crate) const STREAMS: usize = 3;
/// Scalars of one block of chains: scales and noise (4), step size (2), beta of the best start.
pub(super) const SCALARS: usize = 7;
/// Which of them is the log of the step size in use.
pub(super) const LOG_STEP: usize = 4;
/// Columns of the trace before the predictions: log likelihood, acceptance, divergence, energy.
pub(super) const TRACED: usize = 4;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: NetworkOptions<T>,
        pub n: usize,
        pub d: usize,
        /// Whether the chains start from given draws.
        pub warm: bool,
        /// Of the data.
        pub fingerprint: u64,
    }
}

impl<T: Real> Shape<T> {
    pub(super) fn network(&self) -> NetworkShape {
        NetworkShape { inputs: self.d, neurons: self.options.neurons as usize }
    }
    /// P.
    pub(super) fn coordinates(&self) -> usize {
        model::coordinates(self.d, self.options.neurons as usize)
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    pub(super) fn chains(&self) -> usize {
        self.options.chains as usize
    }
    /// Blocks of lanes; the last one may run chains that are not counted.
    pub(super) fn blocks(&self) -> usize {
        self.chains().div_ceil(self.lanes().max(1))
    }
    /// Values of a kept draw: the network's, sigma and nu.
    pub(super) fn draw_len(&self) -> usize {
        self.network().dim().saturating_add(2)
    }
    /// Rows whose predictions are traced.
    pub(super) fn traced_rows(&self) -> usize {
        (self.options.trace_rows as usize).min(self.n)
    }
    /// Columns of the trace.
    pub(super) fn columns(&self) -> usize {
        self.traced_rows().saturating_add(TRACED)
    }
    /// Blocks of the mass matrix, and of its factor.
    pub(super) fn mass(&self) -> Option<usize> {
        match self.options.mass.value() {
            MassKind::Dense => linalg::lower_len(self.coordinates()),
            MassKind::Diagonal => Some(self.coordinates()),
        }
    }
    /// Units of work of one block: search steps, then iterations.
    pub(super) fn search_units(&self) -> u64 {
        if self.warm { 0 } else { self.options.starts as u64 * self.options.start_steps as u64 }
    }
    pub(super) fn units(&self) -> u64 {
        self.search_units() + self.options.warmup as u64 + self.options.draws as u64
    }

    /// Of a regressor to be made.
    pub(super) fn new(
        options: &NetworkOptions<T>,
        n: usize,
        d: usize,
        warm: bool,
        fingerprint: u64,
    ) -> Result<Self, RegressorError> {
        let this = Self { options: *options, n, d, warm, fingerprint };
        this.check()?;
        Ok(this)
    }

    fn check(&self) -> Result<(), RegressorError> {
        self.options.check()?;
        refuse(self.n == 0 || self.d == 0, RegressorError::Data(DataError::Empty))
    }
}

parts! {
    /// The parts. Blocks of chains follow one another; in each, values are lane-major.
    pub(super) struct Parts of shape: Shape<T> as Network;
    broken: RegressorError::NotARegressor;
    possible: shape.check().is_ok();
    with {
        let (lanes, blocks, chains) = (shape.lanes(), shape.blocks(), shape.chains());
        let all = product([blocks, lanes])?;
        let p = shape.coordinates();
        let mass = shape.mass().ok_or(WorkspaceError::Overflow)?;
        let scratch = Model::<T>::scratch_len(shape.n, shape.d, shape.options.neurons as usize)
            .ok_or(WorkspaceError::Overflow)?;
        let copied = shape.options.standardise.on() as usize;
        let standards = shape.d.checked_add(1).ok_or(WorkspaceError::Overflow)?;
    }
    cursor: [u64] = CURSOR,
    /// Means and sds of the inputs, mean and sd of the target.
    standards: [T] = product([2, standards])?,
    /// The standardised data, if they are copied.
    x: [T] = product([copied, shape.n, shape.d])?,
    y: [T] = product([copied, shape.n])?,
    /// Chain by chain (of full blocks), [`STREAMS`] streams of four words.
    streams: [u32] = product([all, STREAMS, 4])?,
    /// [`SCALARS`] blocks each.
    scalars: [T] = product([all, SCALARS])?,
    /// P blocks each: theta, and the best start.
    theta: [T] = product([all, p])?,
    best: [T] = product([all, p])?,
    /// lambda, n blocks each.
    weights: [T] = product([all, shape.n])?,
    /// The averaged mass matrix and its factor.
    average: [T] = product([all, mass])?,
    factor: [T] = product([all, mass])?,
    /// Chain by chain, the kept draws.
    kept: [T] = product([chains, shape.options.keep as usize, shape.draw_len()])?,
    /// Draw by draw, chain by chain, the columns.
    trace: [T] = product([shape.options.draws as usize, chains, shape.columns()])?,
    /// [`Model::scratch`] of one block.
    scratch: [T] = product([lanes, scratch])?,
}

/// The streams of the block's lanes, by purpose.
pub(crate) fn load_streams<const N: usize>(words: &[[u32; 4]]) -> [[Stream; N]; STREAMS] {
    let mut out = [[Stream::from_words([0; 4]); N]; STREAMS];
    for (lane, own) in words.chunks_exact(STREAMS).take(N).enumerate() {
        for (purpose, words) in out.iter_mut().zip(own) {
            if let Some(stream) = purpose.get_mut(lane) {
                *stream = Stream::from_words(*words);
            }
        }
    }
    out
}

/// As [`load_streams`] reads.
pub(crate) fn store_streams<const N: usize>(
    words: &mut [[u32; 4]],
    streams: &[[Stream; N]; STREAMS],
) {
    for (lane, own) in words.chunks_exact_mut(STREAMS).take(N).enumerate() {
        for (purpose, words) in streams.iter().zip(own) {
            if let Some(stream) = purpose.get(lane) {
                *words = stream.words();
            }
        }
    }
}
