//! The memory of an auto-encoder: its parts, in order, and the numbers that their sizes follow from.

use super::options::{VaeError, VaeOptions};
use crate::data::DataError;
use crate::error::refuse;
use crate::object::parts;
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

/// Words of the cursor.
pub(super) const CURSOR: usize = 1;

plain! {
    /// Everything that the sizes of the parts follow from, and the rows it was made for.
    pub(super) struct Shape<T> {
        pub options: VaeOptions<T>,
        pub columns: usize,
        pub n: usize,
        pub fingerprint: u64,
    }
}

impl<T: Real> Shape<T> {
    pub(super) fn new(
        options: &VaeOptions<T>,
        columns: usize,
        n: usize,
        fingerprint: u64,
    ) -> Result<Self, VaeError> {
        options.check()?;
        refuse(columns == 0 || n == 0, DataError::Empty)?;
        refuse(options.batch as usize > n, VaeError::Batch)?;
        let nets = options.nets(columns, T::ONE);
        refuse(!nets.encoder.valid() || !nets.decoder.valid(), VaeError::Layers)?;
        Ok(Self { options: *options, columns, n, fingerprint })
    }

    /// Rows of each step.
    pub(super) fn batch(&self) -> usize {
        match self.options.batch as usize {
            0 => self.n,
            batch => batch,
        }
    }
}

parts! {
    /// The parts.
    pub(super) struct Parts of shape: Shape<T> as Vae;
    broken: VaeError::NotAVae;
    possible: Self::new(&shape.options, shape.columns, shape.n, shape.fingerprint).is_ok();
    with {
        let nets = shape.options.nets(shape.columns, T::ONE);
        let (dim, overflow) = (nets.dim(), WorkspaceError::Overflow);
    }
    cursor: [u64] = CURSOR,
    /// The columns' means and the unit of all of them.
    units: [T] = shape.columns.checked_add(1).ok_or(overflow)?,
    parameters: [T] = dim,
    /// Their mean over the last quarter of the steps.
    average: [T] = dim,
    gradient: [T] = dim,
    /// The means of Adam: of the gradient, of its square.
    first: [T] = dim,
    second: [T] = dim,
    work: [T] = nets.scratch().ok_or(overflow)?,
}
