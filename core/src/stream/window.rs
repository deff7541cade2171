//! A bounded window of rows: appended until it is full, then the oldest is replaced.

use crate::data::{DataError, Dataset, Inputs};
use crate::error::{errors, refuse};
use crate::object::{Object, head, parts, product};
use crate::pieces::pieces_mut;
use crate::plain::plain;
use crate::scalar::Real;
use crate::workspace::WorkspaceError;

errors! {
    /// Why a window refused. Nothing has been stored.
    pub enum WindowError {
        Empty = "a window without rows or columns",
        NotAWindow = "the memory holds no window of this precision",
        Columns = "the row has another number of columns than the window",
        Input = "an input is not finite",
        Target = "the target is not finite",
    }
    from {
        Memory(WorkspaceError),
    }
}

/// Rows and targets in the caller's memory, without pointers: a copy of it, [`open`](Self::open)ed, is the
/// same window. Rows lie one after another, so that they are [`data`](Self::data) as they are; their order
/// in memory is not that of their arrival, which no posterior minds.
#[derive(Debug)]
pub struct Window<'a, T> {
    parts: Parts<'a, T>,
    shape: Shape,
}

plain! {
    struct Shape {
        capacity: usize,
        columns: usize,
    }
}

parts! {
    /// Rows and targets.
    struct Parts of shape: Shape as Window;
    broken: WindowError::NotAWindow;
    possible: shape.capacity > 0 && shape.columns > 0;
    with {
        let cells = product([shape.capacity, shape.columns])?;
    }
    /// Rows that ever came.
    seen: [u64] = 1,
    x: [T] = cells,
    y: [T] = shape.capacity,
}

impl<'a, T: Real> Window<'a, T> {
    /// The bytes at the front of its memory that say what it was made as.
    pub const HEAD: usize = head::<Shape>();

    /// The bytes of memory for so many rows, to be aligned to [`ALIGN`](crate::workspace::ALIGN).
    pub fn size(capacity: usize, columns: usize) -> Result<usize, WindowError> {
        refuse(capacity == 0 || columns == 0, WindowError::Empty)?;
        Object::<T>::bytes(&Shape { capacity, columns })
    }

    /// An empty window in the front of `memory`.
    pub fn init(
        memory: &'a mut [u8],
        capacity: usize,
        columns: usize,
    ) -> Result<Self, WindowError> {
        refuse(capacity == 0 || columns == 0, WindowError::Empty)?;
        let shape = Shape { capacity, columns };
        Ok(Self { parts: shape.make(memory)?, shape })
    }

    /// The window that `memory` holds.
    pub fn open(memory: &'a mut [u8]) -> Result<Self, WindowError> {
        let (shape, parts) = Object::<T>::open(memory)?;
        Ok(Self { parts, shape })
    }

    /// Rows that fit.
    pub fn capacity(&self) -> usize {
        self.shape.capacity
    }
    /// d.
    pub fn columns(&self) -> usize {
        self.shape.columns
    }
    /// Rows that ever came.
    pub fn seen(&self) -> u64 {
        self.parts.seen.first().copied().unwrap_or(0)
    }
    /// Rows that are there.
    pub fn rows(&self) -> usize {
        self.seen().min(self.shape.capacity as u64) as usize
    }

    /// Appends a row, or replaces the oldest where the window is full. Returns the place.
    pub fn push(&mut self, row: &[T], y: T) -> Result<usize, WindowError> {
        refuse(row.len() != self.shape.columns, WindowError::Columns)?;
        refuse(!row.iter().all(|x| x.is_finite()), WindowError::Input)?;
        refuse(!y.is_finite(), WindowError::Target)?;
        let broken = WindowError::NotAWindow;
        let seen = self.seen();
        let place = seen.checked_rem(self.shape.capacity as u64).ok_or(broken)? as usize;
        let own = pieces_mut(self.parts.x, self.shape.columns).nth(place).ok_or(broken)?;
        own.iter_mut().zip(row).for_each(|(o, x)| *o = *x);
        *self.parts.y.get_mut(place).ok_or(broken)? = y;
        *self.parts.seen.first_mut().ok_or(broken)? = seen.saturating_add(1);
        Ok(place)
    }

    /// The inputs of the rows that are there, row by row.
    pub fn inputs(&self) -> &[T] {
        self.parts.x.get(..self.rows().saturating_mul(self.shape.columns)).unwrap_or(&[])
    }

    /// The rows that are there; [`DataError::Empty`] before the first.
    pub fn data(&self) -> Result<Dataset<'_, T>, DataError> {
        let rows = self.rows();
        Dataset::new(
            Inputs::row_major(self.inputs(), rows, self.shape.columns)?,
            self.parts.y.get(..rows).unwrap_or(&[]),
        )
    }
}
