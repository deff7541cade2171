//! The memory of a regressor: its parts, in order, and the numbers that their sizes follow from.

use super::RegressorError;
use crate::checkpoint::Kind;
use crate::data::DataError;
use crate::error::refuse;
use crate::estimator::model::{self, Model};
use crate::estimator::options::{MassKind, NetworkOptions};
use crate::likelihood::NetworkShape;
use crate::linalg;
use crate::object::{Object, product};
use crate::plain::plain;
use crate::random::Stream;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// Iteration, block, gradients of each chain.
pub(super) const CURSOR: usize = 4;
/// Streams of one chain: start, kernel, Gibbs.
pub(super) const STREAMS: usize = 3;
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
        options.check()?;
        refuse(n == 0 || d == 0, RegressorError::Data(DataError::Empty))?;
        Ok(Self { options: *options, n, d, warm, fingerprint })
    }
}

/// The parts. Blocks of chains follow one another; in each, values are lane-major.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    pub cursor: &'a mut [u64],
    /// Means and sds of the inputs, mean and sd of the target.
    pub standards: &'a mut [T],
    /// The standardised data, if they are copied.
    pub x: &'a mut [T],
    pub y: &'a mut [T],
    /// Chain by chain (of full blocks), [`STREAMS`] streams of four words.
    pub streams: &'a mut [u32],
    /// [`SCALARS`] blocks each.
    pub scalars: &'a mut [T],
    /// P blocks each: theta, and the best start.
    pub theta: &'a mut [T],
    pub best: &'a mut [T],
    /// lambda, n blocks each.
    pub weights: &'a mut [T],
    /// The averaged mass matrix and its factor.
    pub average: &'a mut [T],
    pub factor: &'a mut [T],
    /// Chain by chain, the kept draws.
    pub kept: &'a mut [T],
    /// Draw by draw, chain by chain, the columns.
    pub trace: &'a mut [T],
    /// [`Model::scratch`] of one block.
    pub scratch: &'a mut [T],
}

impl<T: Real> Object<T> for Shape<T> {
    const KIND: Kind = Kind::Network;
    type Parts<'a> = Parts<'a, T>;
    type Error = RegressorError;
    const BROKEN: RegressorError = RegressorError::NotARegressor;

    fn possible(&self) -> bool {
        Self::new(&self.options, self.n, self.d, self.warm, self.fingerprint).is_ok()
    }

    fn parts<'a>(&self, carve: &mut impl Carve<'a>) -> Result<Parts<'a, T>, RegressorError> {
        let (lanes, blocks, chains) = (self.lanes(), self.blocks(), self.chains());
        let all = product([blocks, lanes])?;
        let p = self.coordinates();
        let mass = self.mass().ok_or(WorkspaceError::Overflow)?;
        let scratch = Model::<T>::scratch_len(self.n, self.d, self.options.neurons as usize)
            .ok_or(WorkspaceError::Overflow)?;
        let copied = self.options.standardise.on() as usize;
        let standards = self.d.checked_add(1).ok_or(WorkspaceError::Overflow)?;
        Ok(Parts {
            cursor: carve.take(CURSOR)?,
            standards: carve.take(product([2, standards])?)?,
            x: carve.take(product([copied, self.n, self.d])?)?,
            y: carve.take(product([copied, self.n])?)?,
            streams: carve.take(product([all, STREAMS, 4])?)?,
            scalars: carve.take(product([all, SCALARS])?)?,
            theta: carve.take(product([all, p])?)?,
            best: carve.take(product([all, p])?)?,
            weights: carve.take(product([all, self.n])?)?,
            average: carve.take(product([all, mass])?)?,
            factor: carve.take(product([all, mass])?)?,
            kept: carve.take(product([chains, self.options.keep as usize, self.draw_len()])?)?,
            trace: carve.take(product([self.options.draws as usize, chains, self.columns()])?)?,
            scratch: carve.take(product([lanes, scratch])?)?,
        })
    }
}

/// The streams of the block's lanes, by purpose.
pub(super) fn load_streams<const N: usize>(words: &[[u32; 4]]) -> [[Stream; N]; STREAMS] {
    let mut out = [[Stream::from_words([0; 4]); N]; STREAMS];
    for (purpose, streams) in out.iter_mut().enumerate() {
        let own = words.iter().skip(purpose).step_by(STREAMS);
        streams.iter_mut().zip(own).for_each(|(s, w)| *s = Stream::from_words(*w));
    }
    out
}

/// As [`load_streams`] reads.
pub(super) fn store_streams<const N: usize>(
    words: &mut [[u32; 4]],
    streams: &[[Stream; N]; STREAMS],
) {
    for (purpose, streams) in streams.iter().enumerate() {
        let own = words.iter_mut().skip(purpose).step_by(STREAMS);
        own.zip(streams).for_each(|(w, s)| *w = s.words());
    }
}
