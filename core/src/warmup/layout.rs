//! The memory of a warm-up: its parts, in order.

use super::{WarmupError, WarmupOptions};
use crate::error::refuse;
use crate::kernel::{adapt, hmc};
use crate::linalg::lower_len;
use crate::object::{parts, product};
use crate::pieces::total;
use crate::plain::plain;
use crate::problem::{Problem, Sizes};
use crate::reference::affine_len;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Vectors that an ascent works with: where it is and where it may go, with their gradients, the
/// direction, the step, the change of the gradient and H times that.
pub(crate) const VECTORS: usize = 8;
/// Words of the cursor: phase, ascent or round, iteration in it, chain, evaluations, flags of an ascent, steps, evaluations before
/// the ascent at hand and of the shortest.
pub(super) const CURSOR: usize = 9;
/// Numbers of the ascent at hand, and of the rounds.
pub(super) const SCALARS: usize = 8;

plain! {
    /// Everything that the sizes of the parts follow from, and the options.
    pub(super) struct Shape {
        pub options: WarmupOptions,
        pub problem: Sizes,
    }
}

impl Shape {
    /// Of an object to be made. For its size alone, the fingerprint may be any.
    pub(super) fn new<T: Real>(
        options: &WarmupOptions,
        problem: &Problem<'_, T>,
        fingerprint: u64,
    ) -> Result<Self, WarmupError> {
        options.check()?;
        let user = problem.own().is_some_and(|user| user.frame.is_none());
        refuse(!user, WarmupError::NotUser)?;
        refuse(!problem.has_gradient(), WarmupError::NoGradient)?;
        Ok(Self { options: *options, problem: problem.sizes(fingerprint)? })
    }

    pub(super) fn dim(&self) -> usize {
        self.problem.latent
    }

    pub(super) fn chains(&self) -> usize {
        self.options.chains as usize
    }
}

parts! {
    /// The parts of a warm-up.
    pub(super) struct Parts of shape: Shape as Warmup;
    broken: WarmupError::NotAWarmup;
    possible: shape.options.check().is_ok();
    with {
        let overflow = WorkspaceError::Overflow;
        let dim = shape.dim();
        let square = lower_len(dim).ok_or(overflow)?;
        let affine = affine_len(dim).ok_or(overflow)?;
        let all = product([shape.chains(), dim])?;
        let work = hmc::work_len(dim, shape.problem.scratch).ok_or(overflow)?;
    }
    cursor: [u64] = CURSOR,
    scalars: [T] = SCALARS,
    /// Step size of the chains.
    step: [T] = adapt::FIELDS,
    /// The best evidence bound of each ascent.
    bounds: [T] = shape.options.ascents as usize,
    /// [`VECTORS`] of an ascent.
    vectors: [T] = product([VECTORS, dim])?,
    /// H, packed: what the ascent takes for the inverse of the negative Hessian.
    curvature: [T] = square,
    /// A Gaussian to be tried, the best of the ascent, and the best of all: later the frame
    /// ([`crate::reference::Affine`]).
    trial: [T] = affine,
    best: [T] = affine,
    frame: [T] = affine,
    /// The stream of each chain's transitions.
    streams: [u32] = product([shape.chains(), 4])?,
    /// Chain by chain: x while ascents last, then w of the frame.
    positions: [T] = all,
    gradients: [T] = all,
    values: [T] = shape.chains(),
    /// Sums of each chain's acceptances in the second half of a round.
    accepted: [T] = shape.chains(),
    /// Sums of w and of ww', packed, over the draws of a round.
    sums: [T] = total([dim, square]).ok_or(overflow)?,
    /// Sums of w over the draws of a round, chain by chain.
    means: [T] = all,
    /// Scratch.
    work: [T] = work.max(shape.problem.check),
}
