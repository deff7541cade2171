//! The memory of a Bayesian network: its parts, in order, and the numbers that their sizes follow from.

use super::BnnError;
use super::method::BnnMethod;
use super::mode::{MODE, PATH, WHOLE};
use super::options::{BnnOptions, BnnOptionsError};
use crate::data::DataError;
use crate::error::refuse;
use crate::linalg::lower_len;
use crate::minibatch;
use crate::network::{Architecture, Blocks, Places};
use crate::object::{parts, product};
use crate::plain::plain;
use crate::scalar::Real;
use crate::warmup::{VECTORS, limited};
use crate::workspace::WorkspaceError;
use core::ops::Range;

/// Unit of work within the block, block, gradients of each chain.
pub(super) const CURSOR: usize = 3;
/// Streams of one chain: start, kernel, Gibbs.
pub(super) const STREAMS: usize = 3;
/// Blocks of scalars: log of the step size, nu.
pub(super) const SCALARS: usize = 2;
/// Columns of the trace before the predictions: log likelihood, acceptance, divergence, energy.
pub(super) const TRACED: usize = 4;

/// Groups of the prior beside one an input.
const GROUPS: usize = 11;

plain! {
    /// Everything that the sizes of the parts follow from.
    pub(super) struct Shape<T> {
        pub options: BnnOptions<T>,
        /// Chains, decided.
        pub chains: u32,
        pub n: usize,
        pub d: usize,
        /// Of the data.
        pub fingerprint: u64,
        /// The sum of their weights: n where they have none.
        pub total: T,
    }
}

impl<T: Real> Shape<T> {
    pub(super) fn architecture(&self) -> Architecture {
        self.options.architecture(self.d)
    }
    /// Where the coordinates lie.
    pub(super) fn places(&self) -> Places {
        let architecture = self.architecture();
        let own = self.options.family().coordinates();
        Places::of(&architecture, &self.options.prior(), own)
    }
    pub(super) fn lanes(&self) -> usize {
        self.options.lanes as usize
    }
    pub(super) fn chains(&self) -> usize {
        self.chains as usize
    }
    /// Blocks of lanes; the last one may run chains that are not counted.
    pub(super) fn blocks(&self) -> usize {
        self.chains().div_ceil(self.lanes().max(1))
    }
    /// Values of a kept draw: the network's and those of the output family.
    pub(super) fn draw_len(&self) -> usize {
        self.architecture().dim().saturating_add(self.options.family().tail_len())
    }
    /// Rows whose predictions are traced.
    pub(super) fn traced_rows(&self) -> usize {
        (self.options.trace_rows as usize).min(self.n)
    }
    /// Columns of the trace: mean and variance of y at each traced row behind the others.
    pub(super) fn columns(&self) -> usize {
        self.traced_rows().saturating_mul(2).saturating_add(TRACED)
    }
    /// Units of work of one block: steps of the start, then trajectories.
    pub(super) fn units(&self) -> u64 {
        let o = &self.options;
        o.start_steps as u64 + o.warmup as u64 + o.draws as u64
    }

    /// Of one to be made.
    pub(super) fn new(
        options: &BnnOptions<T>,
        n: usize,
        d: usize,
        (fingerprint, total): (u64, T),
    ) -> Result<Self, BnnError> {
        options.check()?;
        let chains = options.chains_for(n, d);
        let this = Self { options: options.settled(n, d), chains, n, d, fingerprint, total };
        this.check()?;
        Ok(this)
    }

    fn check(&self) -> Result<(), BnnError> {
        self.options.check()?;
        let architecture = self.architecture();
        refuse(self.n == 0 || architecture.inputs == 0, BnnError::Data(DataError::Empty))?;
        // As an image has it; what follows walks over the inputs.
        refuse(architecture.dim() > u32::MAX as usize, WorkspaceError::Overflow)?;
        let batch = self.options.batch as usize;
        let noisy = self.options.method != BnnMethod::Swag || (batch > 0 && batch < self.n);
        refuse(batch > self.n || !noisy, BnnOptionsError::Batch)?;
        let chains = self.options.chains_for(self.n, self.d);
        let settled = self.options.settled(self.n, self.d) == self.options;
        refuse(chains != self.chains || !settled, BnnError::NotANetwork)
    }

    /// Whether an ascent goes without a whole matrix of its curvature.
    pub(super) fn is_limited(&self) -> bool {
        !self.options.is_linear() && self.places().dim > WHOLE
    }

    /// The coordinates whose curvature at a mode is asked for.
    pub(super) fn curved(&self) -> Range<usize> {
        let places = self.places();
        match self.options.method.value() {
            BnnMethod::LastLayer => self.architecture().outer_at()..places.scales,
            _ => 0..places.dim,
        }
    }
}

parts! {
    /// The parts. One block of chains runs after the other in the same memory; values are lane-major.
    pub(super) struct Parts of shape: Shape<T> as Bnn;
    broken: BnnError::NotANetwork;
    possible: shape.check().is_ok();
    with {
        let (lanes, chains) = (shape.lanes(), shape.chains());
        let p = shape.places().dim;
        let model = super::unit::scratch(shape).ok_or(WorkspaceError::Overflow)?;
        let copied = shape.options.has_own_data() as usize;
        let standards = shape.d.checked_add(1).and_then(|s| s.checked_mul(2)?.checked_add(1));
        let standards = standards.ok_or(WorkspaceError::Overflow)?;
        let batched = shape.options.batch > 0;
        let rows = if batched { minibatch::len(shape.n) } else { Some(0) };
        let rows = rows.ok_or(WorkspaceError::Overflow)?;
        let fits = shape.options.method.value().fits();
        let fit = if fits { super::variational::len(shape) } else { super::controlled::len(shape) };
        let fit = fit.ok_or(WorkspaceError::Overflow)?;
        let climbs = shape.options.method.value().climbs();
        let ascends = climbs && !fits;
        let of = |size: Option<usize>| if climbs { size } else { Some(0) };
        // The groups at most.
        let groups = shape.architecture().inputs.checked_add(GROUPS);
        let groups = if ascends { groups } else { Some(0) };
        let groups = groups.ok_or(WorkspaceError::Overflow)?;
        let path = if ascends { p.checked_add(PATH) } else { Some(0) };
        let path = path.ok_or(WorkspaceError::Overflow)?;
        let points = shape.is_limited() && shape.options.method.value().is_point();
        let curvature = match ascends {
            true if points => limited::len(p),
            true => lower_len(p),
            false => Some(0),
        };
        let curvature = curvature.ok_or(WorkspaceError::Overflow)?;
        let factors = of(super::mode::spare(shape)).ok_or(WorkspaceError::Overflow)?;
        let spreads = shape.options.method.value().spreads() as usize;
        let hmc = shape.options.method == BnnMethod::Hmc;
        let blocks = Blocks::of(&shape.architecture(), p).packed();
        let mass = if hmc { blocks.ok_or(WorkspaceError::Overflow)?.max(p) } else { p };
        let moments = p.checked_add(mass).ok_or(WorkspaceError::Overflow)?;
        let told = (climbs || shape.options.method.value().walks()) as usize;
        let (ascends, fits) = (ascends as usize, fits as usize);
    }
    cursor: [u64] = CURSOR,
    /// Means and sds of the inputs, mean and sd of the target, and by how much less a log density is in its units.
    standards: [T] = standards,
    /// The standardised data, if they are copied.
    x: [T] = product([copied, shape.n, shape.d])?,
    y: [T] = product([copied, shape.n])?,
    /// Chain by chain of the block, [`STREAMS`] streams of four words.
    streams: [u32] = product([lanes, STREAMS, 4])?,
    /// The list of a minibatch, if there are any.
    rows: [u32] = rows,
    scalars: [T] = product([lanes, SCALARS])?,
    /// The chains' coordinates.
    theta: [T] = product([lanes, p])?,
    /// Adam's two lists of averages; later the first holds momenta, or the units of steps, and the second factors of the mass.
    moments: [T] = product([lanes, moments])?,
    /// The gradient and what a trajectory works in: four lists.
    work: [T] = product([lanes, 4, p])?,
    /// Scratch of the density.
    scratch: [T] = product([lanes, model])?,
    /// Chain by chain, the kept draws.
    kept: [T] = product([chains, shape.options.keep as usize, shape.draw_len()])?,
    /// Of Gaussians about a mode, chain by chain the kept draws, their parameters to first order in the coordinates.
    tangents: [T] = product([spreads, chains, shape.options.keep as usize, shape.draw_len()])?,
    /// Where the best of the starts ended: its log density, minus infinity before there is one, and its draw.
    point: [T] = shape.draw_len().checked_add(1).ok_or(WorkspaceError::Overflow)?,
    /// Draw by draw, chain by chain, the columns.
    trace: [T] = product([shape.options.draws as usize, chains, shape.columns()])?,
    /// Of methods that climb, chain by chain what is known of its mode; of those with minibatches, of the changes of
    /// its loss: [`MODE`] numbers.
    modes: [T] = product([told, chains, MODE])?,
    /// [`VECTORS`] of an ascent, whose first is where it stands.
    vectors: [T] = product([ascends, VECTORS, p])?,
    /// ln a of each group of the prior.
    occam: [T] = groups,
    /// Of scales and noise at their evidence: numbers of the path, and its best point.
    path: [T] = path,
    /// H of the ascent or of the approximation, packed; later its factor, or its diagonal.
    curvature: [T] = curvature,
    /// A group of factors of the curvature.
    factors: [T] = factors,
    /// Of fits by the evidence lower bound, chain by chain the means and the sds.
    laws: [T] = product([fits, chains, 2, p])?,
    /// What a fit, or an expansion of the loss, works in.
    fit: [T] = fit,
}
