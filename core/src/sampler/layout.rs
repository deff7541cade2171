//! The memory of a sampler: its parts, in order, and the numbers that say how large they are.

use super::{Method, Reference, SamplerError, SamplerOptions, adjusted, layers};
use crate::coupling::{factor_len, reduced_scratch};
use crate::density::Extent;
use crate::error::refuse;
use crate::kernel::{adapt, ball, hmc};
use crate::object::record::{CURSOR, Record};
use crate::object::{parts, product};
use crate::plain::plain;
use crate::prior::Prior;
use crate::problem::{Problem, Sizes, Target};
use crate::random::Stream;
use crate::reference::{affine_len, mixture_len, whitened_scratch};
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Streams of one chain: starts, kernel, auxiliary variable.
pub(super) const STREAMS: usize = 3;
/// Sums of one column of the record: origin, and two compensated sums.
pub(super) const SUMS: usize = 5;
/// Blocks that gather what the inner transitions of an iteration did.
pub(super) const SUMMARY: usize = 3;
/// Columns of the record after those of w.
pub(super) const EXTRA: usize = 4;

plain! {
    /// Everything that the sizes of the parts follow from, and the options.
    pub(super) struct Shape<T> {
        pub options: SamplerOptions<T>,
        /// Latent coordinates are those of the state: of w itself on the l1 ball.
        pub problem: Sizes,
        /// Hinges + 1 of a density that is drawn exactly along lines, else 0.
        pub hinges: usize,
        /// Classes of rho: 0 without a coupling.
        pub classes: usize,
        /// Layers of coupled Gibbs over several, else 0; and the numbers of scratch of one sweep.
        pub layers: usize,
        pub sweep: usize,
        /// Whether chains start from a pilot instead of the prior.
        pub piloted: bool,
    }
}

impl<T: Real> Shape<T> {
    /// Of a sampler to be made. For its size alone, the fingerprint and whether it is piloted may be any.
    pub(super) fn new(
        options: &SamplerOptions<T>,
        problem: &Problem<'_, T>,
        fingerprint: u64,
        piloted: bool,
    ) -> Result<Self, SamplerError> {
        use SamplerError as E;
        options.check()?;
        let (coupled, kernel) = (options.method().is_coupled(), options.kernel());
        let gaussian = matches!(problem.prior(), Prior::Gaussian { .. });
        let deep = match problem.likelihood() {
            Target::Deep(posterior) if coupled => Some(posterior),
            _ => None,
        };
        refuse(coupled && problem.data().is_none() && deep.is_none(), E::NoCoupling)?;
        refuse(coupled && problem.sums_signs(), E::Signed)?;
        refuse(coupled && problem.has_kink(), E::Kink)?;
        refuse(coupled && options.reduced.on() && !gaussian, E::Reduced)?;
        refuse(kernel.needs_ball() && gaussian, E::NeedsBall)?;
        let (mut options, mut layers, mut sweep) = (*options, 0, 0);
        if let Some(posterior) = deep {
            let bounded = matches!(posterior.prior(), Prior::L1Ball { .. });
            refuse(options.method() != Method::CoupledGibbs || !bounded, E::NoCoupling)?;
            refuse(options.reduced.on(), E::Reduced)?;
            refuse(options.reference != Reference::Prior, E::Reference)?;
            // Each chain has a coupling of its own.
            options.lanes = 1;
            layers = posterior.likelihood().architecture().depth();
            sweep = layers::scratch(posterior).ok_or(WorkspaceError::Overflow)?;
        }
        refuse(kernel.needs_gradient() && !problem.has_gradient(), E::NoGradient)?;
        let likelihood = problem.likelihood();
        let mut sizes = problem.sizes(fingerprint)?;
        if kernel.needs_ball() {
            (sizes.latent, sizes.scratch) = (problem.dim(), likelihood.scratch());
        }
        if options.reference != Reference::Prior {
            sizes.scratch = sizes.scratch.saturating_add(whitened_scratch(sizes.latent));
        }
        let hinges = match kernel {
            Method::HitAndRun | Method::CoordinateHitAndRun => likelihood.hinges(),
            _ => None,
        };
        Ok(Self {
            options,
            problem: sizes,
            hinges: hinges.map_or(0, |h| h.values.len().saturating_add(1)),
            classes: match deep {
                None if coupled => problem.rho_classes(options.coupling.value()),
                _ => 0,
            },
            layers,
            sweep,
            piloted,
        })
    }

    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }

    pub(super) fn chains(&self) -> usize {
        self.options.chains as usize
    }

    /// Blocks of lanes, the last one filled up.
    pub(super) fn blocks(&self) -> usize {
        self.chains().div_ceil(self.lanes().max(1))
    }

    /// Blocks of the step sizes of one block of chains.
    pub(super) fn steps(&self) -> usize {
        self.layers.max(1).saturating_mul(adapt::FIELDS)
    }

    /// Evaluations of one unit, at most; hit-and-run counts its own.
    pub(super) fn price(&self) -> u64 {
        let one = (self.options.leapfrogs as u64).saturating_add(1);
        one.saturating_mul(self.layers.max(1) as u64)
    }

    /// Columns of the record.
    pub(super) fn columns(&self) -> usize {
        self.problem.dim().saturating_add(EXTRA)
    }

    /// Blocks of the work of one block of chains. On the l1 ball also what a start from the prior, in
    /// latent coordinates, takes: those, their map's scratch and w.
    pub(super) fn work(&self) -> Option<usize> {
        if !self.options.kernel().needs_ball() {
            let own = hmc::work_len(self.problem.latent, self.problem.scratch)?;
            return Some(own.max(self.sweep));
        }
        let lifted = self.problem.d.checked_add(1)?.checked_mul(self.problem.neurons)?;
        let start = lifted.checked_mul(2)?.checked_add(self.problem.latent)?;
        let (latent, scratch) = (self.problem.latent, self.problem.scratch);
        let spare = match self.options.kernel() {
            Method::Riemannian => latent.checked_mul(ball::riemannian::ALONE)?,
            _ => 0,
        };
        let work = ball::work_len(latent, scratch, self.hinges.checked_sub(1))?;
        Some(work.checked_add(spare)?.max(start))
    }

    /// Blocks of the state of one block of chains: g, its gradient, its value.
    pub(super) fn state(&self) -> usize {
        self.problem.latent.saturating_mul(2).saturating_add(1)
    }

    /// The numbers of the fit.
    pub(super) fn fit(&self) -> Option<usize> {
        match self.options.reference.value() {
            Reference::Prior => Some(0),
            Reference::Gaussian | Reference::StudentT => affine_len(self.problem.latent),
            Reference::Mixture => {
                affine_len(self.problem.latent)?.checked_add(mixture_len(self.problem.latent)?)
            }
        }
    }

    /// Blocks of xi.
    pub(super) fn xi(&self) -> usize {
        if self.classes > 0 { self.problem.dim() } else { 0 }
    }

    /// Blocks of the mean of w | xi.
    pub(super) fn mean(&self) -> usize {
        if self.options.method().averages() { self.problem.dim() } else { 0 }
    }

    /// Blocks of what the adjusted Langevin keeps.
    pub(super) fn kept(&self) -> usize {
        let adjusted = self.options.method() == Method::XiMala;
        if adjusted { adjusted::kept_len(self.xi(), self.problem.latent) } else { 0 }
    }

    /// Blocks of the auxiliary part of one block of chains.
    pub(super) fn auxiliary(&self) -> usize {
        let xi = self.xi().saturating_add(self.mean());
        xi.saturating_add(self.kept()).saturating_add(SUMMARY)
    }

    /// What its chains record.
    pub(super) fn record(&self) -> Record {
        let o = &self.options;
        Record {
            chains: self.chains(),
            lanes: self.lanes(),
            columns: self.columns(),
            warmup: o.warmup,
            draws: o.draws,
            stored: o.stored,
        }
    }
}

parts! {
    /// The parts of a sampler. Blocks of chains follow one another; in each, values are lane-major.
    pub(super) struct Parts of shape: Shape<T> as Sampler;
    broken: SamplerError::NotASampler;
    possible: shape.options.check().is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let padded = product([shape.blocks(), shape.lanes()])?;
        let work = product([shape.work().ok_or(overflow)?, shape.lanes()])?;
        let reduced = shape.classes > 0 && shape.options.reduced.on();
        let reduced =
            if reduced { reduced_scratch(shape.problem.d) } else { Some(0) }.ok_or(overflow)?;
        let stored = shape.options.stored as usize;
    }
    cursor: [u64] = CURSOR,
    /// Chain by chain, [`STREAMS`] streams of four words.
    streams: [u32] = product([padded, STREAMS, 4])?,
    /// [`Shape::steps`] blocks each.
    steps: [T] = product([padded, shape.steps()])?,
    /// [`Shape::state`] blocks each.
    states: [T] = product([padded, shape.state()])?,
    /// [`Shape::auxiliary`] blocks each.
    auxiliary: [T] = product([padded, shape.auxiliary()])?,
    /// rho and the triangular factor of the coupling.
    rho: [T] = product([shape.problem.rows, shape.classes])?,
    factor: [T] = factor_len(shape.problem.d, shape.classes).ok_or(overflow)?,
    /// The fitted reference: [`crate::reference::Affine`], then [`crate::reference::Mixture`].
    fit: [T] = shape.fit().ok_or(overflow)?,
    /// [`SUMS`] blocks for each column of the record, each.
    sums: [T] = product([padded, SUMS, shape.columns()])?,
    /// Stored draws: draw by draw, column by column, chain by chain (without the padding).
    record: [T] = product([stored, shape.columns(), shape.chains()])?,
    /// Scratch, shared by the blocks.
    work: [T] = work.max(shape.problem.check).max(shape.problem.d).max(reduced),
}

/// The streams of one purpose (0 to [`STREAMS`] - 1) of the N chains of a block; in antithetic pairs
/// those of odd chains mirrored.
pub(super) fn load_streams<const N: usize>(
    words: &[u32],
    block: usize,
    purpose: usize,
    antithetic: bool,
) -> [Stream; N] {
    let mut streams = [Stream::from_words([0; 4]); N];
    load(words, block.wrapping_mul(N), purpose, antithetic, &mut streams);
    streams
}

// Functions to call: written out for eight lanes, three purposes and every driver they would be 14 KB.
#[inline(never)]
fn load(words: &[u32], first: usize, purpose: usize, antithetic: bool, streams: &mut [Stream]) {
    let (words, _) = words.as_chunks::<4>();
    let own = words.iter().skip(first.wrapping_mul(STREAMS).wrapping_add(purpose));
    for ((chain, stream), words) in (first..).zip(streams).zip(own.step_by(STREAMS)) {
        *stream = Stream::from_words(*words).mirrored(antithetic && chain % 2 == 1);
    }
}

/// Stores what [`load_streams`] loads.
pub(super) fn store_streams<const N: usize>(
    words: &mut [u32],
    block: usize,
    purpose: usize,
    streams: &[Stream; N],
) {
    store(words, block.wrapping_mul(N), purpose, streams);
}

#[inline(never)]
fn store(words: &mut [u32], first: usize, purpose: usize, streams: &[Stream]) {
    let (words, _) = words.as_chunks_mut::<4>();
    let own = words.iter_mut().skip(first.wrapping_mul(STREAMS).wrapping_add(purpose));
    for (stream, words) in streams.iter().zip(own.step_by(STREAMS)) {
        *words = stream.words();
    }
}
