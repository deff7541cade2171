//! The memory of a regressor: its parts, in order, and the numbers that their sizes follow from.

use crate::activation::Activation;
use crate::data::Dataset;
use crate::estimator::model::{self, Model};
use crate::estimator::options::{MassKind, NetworkOptions, NetworkPrior};
use crate::likelihood::NetworkShape;
use crate::linalg;
use crate::random::Stream;
use crate::scalar::Real;
use crate::workspace::{Carve, WorkspaceError};

/// Words of the head.
pub(super) const HEAD: usize = 32;
/// Options that are not integers.
pub(super) const SETTINGS: usize = 12;
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

const MAGIC: u64 = 0x4C43_434E_4554_5752;
const VERSION: u64 = 1;

/// Everything that the sizes of the parts follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape<T> {
    pub options: NetworkOptions<T>,
    pub n: usize,
    pub d: usize,
    /// Whether the chains start from given draws.
    pub warm: bool,
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
        match self.options.mass {
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

    /// The head, with the bytes of the object and the hash of its data.
    pub(super) fn write(&self, head: &mut [u64], bytes: usize, fingerprint: u64) {
        let o = &self.options;
        let words = [
            MAGIC,
            VERSION << 32 | T::BITS as u64,
            bytes as u64,
            fingerprint,
            self.n as u64,
            self.d as u64,
            o.seed,
            o.neurons as u64,
            o.chains as u64,
            o.lanes as u64,
            o.warmup as u64,
            o.draws as u64,
            o.keep as u64,
            o.activation as i32 as u64,
            o.gaussian as u64,
            o.standardise as u64,
            o.starts as u64,
            o.start_steps as u64,
            o.drop as u64,
            o.leapfrogs as u64,
            o.early_leapfrogs as u64,
            o.mass as i32 as u64,
            o.mass_updates as u64,
            o.trace_rows as u64,
            self.warm as u64,
            o.first_chain as u64,
        ];
        head.fill(0);
        head.iter_mut().zip(words).for_each(|(h, w)| *h = w);
    }

    /// The options that are not integers, as [`read`](Self::read) expects them.
    pub(super) fn settings(&self) -> [T; SETTINGS] {
        let o = &self.options;
        let p = &o.prior;
        [
            o.drop_below,
            o.target_accept,
            o.jitter,
            o.first_step,
            o.largest_step,
            p.input_scale,
            p.outer_scale,
            p.linear_scale,
            p.intercept_sd,
            p.noise_shape,
            p.noise_rate,
            T::ZERO,
        ]
    }

    /// The shape that a head describes, the bytes of the object and the hash of its data; `None` if
    /// it is none of this version and precision.
    pub(super) fn read(head: &[u64; HEAD], settings: &[T; SETTINGS]) -> Option<(Self, usize, u64)> {
        let [magic, version, bytes, fingerprint, n, d, seed, rest @ ..] = *head;
        let [neurons, chains, lanes, warmup, draws, keep, activation, gaussian, rest @ ..] = rest;
        let [standardise, starts, start_steps, drop, leapfrogs, early, rest @ ..] = rest;
        let [mass, mass_updates, trace_rows, warm, first_chain, ..] = rest;
        if magic != MAGIC || version != (VERSION << 32 | T::BITS as u64) {
            return None;
        }
        let [drop_below, target_accept, jitter, first_step, largest_step, prior @ .., _] =
            *settings;
        let [input_scale, outer_scale, linear_scale, intercept_sd, noise_shape, noise_rate] = prior;
        let count = |x: u64| u32::try_from(x).ok();
        let code = |x: u64| i32::try_from(x).ok();
        let options = NetworkOptions {
            neurons: count(neurons)?,
            chains: count(chains)?,
            first_chain: count(first_chain)?,
            lanes: count(lanes)?,
            warmup: count(warmup)?,
            draws: count(draws)?,
            keep: count(keep)?,
            seed,
            activation: Activation::from_code(code(activation)?)?,
            gaussian: gaussian == 1,
            standardise: standardise == 1,
            starts: count(starts)?,
            start_steps: count(start_steps)?,
            drop: drop == 1,
            drop_below,
            leapfrogs: count(leapfrogs)?,
            early_leapfrogs: count(early)?,
            target_accept,
            jitter,
            first_step,
            largest_step,
            mass: MassKind::from_code(code(mass)?)?,
            mass_updates: count(mass_updates)?,
            trace_rows: count(trace_rows)?,
            prior: NetworkPrior {
                input_scale,
                outer_scale,
                linear_scale,
                intercept_sd,
                noise_shape,
                noise_rate,
            },
        };
        options.check().ok()?;
        let (n, d) = (usize::try_from(n).ok()?, usize::try_from(d).ok()?);
        Some((Self { options, n, d, warm: warm == 1 }, usize::try_from(bytes).ok()?, fingerprint))
    }

    /// Of a regressor to be made.
    pub(super) fn new(options: &NetworkOptions<T>, data: &Dataset<'_, T>, warm: bool) -> Self {
        Self { options: *options, n: data.n(), d: data.d(), warm }
    }
}

/// The parts. Blocks of chains follow one another; in each, values are lane-major.
#[derive(Debug)]
pub(super) struct Parts<'a, T> {
    /// [`Shape`].
    pub head: &'a mut [u64],
    pub settings: &'a mut [T],
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

/// The head and the settings alone: what the rest follows from.
pub(super) fn carve_head<'a, T: Real, C: Carve<'a>>(
    c: &mut C,
) -> Result<(&'a mut [u64], &'a mut [T]), WorkspaceError> {
    Ok((c.take::<u64>(HEAD)?, c.take::<T>(SETTINGS)?))
}

/// All parts.
pub(super) fn carve<'a, T: Real, C: Carve<'a>>(
    c: &mut C,
    shape: &Shape<T>,
) -> Result<Parts<'a, T>, WorkspaceError> {
    let product = |factors: &[usize]| {
        factors.iter().try_fold(1_usize, |a, b| a.checked_mul(*b)).ok_or(WorkspaceError::Overflow)
    };
    let (lanes, blocks, chains) = (shape.lanes(), shape.blocks(), shape.chains());
    let all = product(&[blocks, lanes])?;
    let p = shape.coordinates();
    let mass = shape.mass().ok_or(WorkspaceError::Overflow)?;
    let scratch = Model::<T>::scratch_len(shape.n, shape.d, shape.options.neurons as usize)
        .ok_or(WorkspaceError::Overflow)?;
    let copied = shape.options.standardise as usize;
    let standards = shape.d.checked_add(1).ok_or(WorkspaceError::Overflow)?;
    let (head, settings) = carve_head(c)?;
    Ok(Parts {
        head,
        settings,
        cursor: c.take(CURSOR)?,
        standards: c.take(product(&[2, standards])?)?,
        x: c.take(product(&[copied, shape.n, shape.d])?)?,
        y: c.take(product(&[copied, shape.n])?)?,
        streams: c.take(product(&[all, STREAMS, 4])?)?,
        scalars: c.take(product(&[all, SCALARS])?)?,
        theta: c.take(product(&[all, p])?)?,
        best: c.take(product(&[all, p])?)?,
        weights: c.take(product(&[all, shape.n])?)?,
        average: c.take(product(&[all, mass])?)?,
        factor: c.take(product(&[all, mass])?)?,
        kept: c.take(product(&[chains, shape.options.keep as usize, shape.draw_len()])?)?,
        trace: c.take(product(&[shape.options.draws as usize, chains, shape.columns()])?)?,
        scratch: c.take(product(&[lanes, scratch])?)?,
    })
}

/// Part b of a list of parts of equal length.
pub(super) fn nth<P>(list: &mut [P], length: usize, b: usize) -> Option<&mut [P]> {
    let start = b.checked_mul(length)?;
    list.get_mut(start..start.checked_add(length)?)
}

/// The streams of the block's lanes, by purpose.
pub(super) fn load_streams<const N: usize>(words: &[[u32; 4]]) -> [[Stream; N]; STREAMS] {
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
pub(super) fn store_streams<const N: usize>(
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
